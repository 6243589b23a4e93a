#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Compares a map with the truth of traffic.py, or of another site in that form:
#
#     check.py MAP TRUTH
#
# MAP is map source.  Prints the numbers, one a line with its name:
#
#     wrong      parameters that matter and are stripped
#     alias      of parameters of which one is enough, those that are stripped
#     neutral    that do not matter, in the patterns of the map
#     seen       those of them that had pairs enough
#     stripped   those of them that are stripped
#
# and names of what is wrong.

import json
import sys


def main(path, truth):
    known = {}

    with open(truth) as file:
        for line in file:
            kind, *field = line.rstrip('\n').split('\t')

            if kind == 'param':
                host, names, name, role = field
                known[host, names, name] = role

    count = dict.fromkeys(('wrong', 'alias', 'neutral', 'seen', 'stripped'), 0)

    with open(path) as file:
        hosts = [json.loads(line) for line in file]

    for host in hosts:
        for pattern in host['patterns']:
            names = '&'.join(sorted(pattern['params']))

            for name in pattern['params']:
                role = known.get((host['host'], names, name))
                stripped = name not in pattern['keep']
                verdict = pattern['evidence'][name]['verdict']

                if role is None:
                    continue

                if role == 'neutral':
                    count['neutral'] += 1
                    count['seen'] += verdict != 'unknown'
                    count['stripped'] += stripped

                elif stripped and role == 'alias':
                    count['alias'] += 1

                elif stripped:
                    count['wrong'] += 1
                    print('# stripped, and it matters: %s of %s'
                          % (name, names))

    for name, n in count.items():
        print(name, n)


if __name__ == '__main__':
    main(*sys.argv[1:])
