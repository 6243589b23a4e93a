#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# What becomes of redirects on their way through:
#
#     locations.py FILE SOCKET
#
# For each line of the table the upstream redirects to its first half, and the
# client must be told the second.  In the eyes of a browser it goes to the same
# host as it would have without us, by the same scheme, to the same path; and to
# where it is only if it would have gone there anyway.  Prints TAP without
# numbers.

import json
import os
import re
import subprocess
import sys

import table
import wire

HOST = b'shop.example'
PAGE = b'/dir/page?old=1'


class Case:
    def __init__(self, line):
        self.sent, _, self.told = line.partition(b' -> ')
        self.told = self.told or self.sent
        self.got = None
        self.wrong = []


def resolve(locations):
    """Where a browser goes from the page; None for nowhere."""
    base = 'http://%s%s' % (HOST.decode(), PAGE.decode())
    lines = ''.join(json.dumps([one.decode('latin-1'), base]) + '\n'
                    for one in locations)

    done = subprocess.run(['node', os.path.dirname(__file__) + '/resolve.js'],
                          input=lines.encode(), stdout=subprocess.PIPE,
                          check=True)

    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(client, case, number):
    """From a browser of its own: none is sent to one place again and again."""
    answer = client.get(PAGE, host=HOST,
                        headers=b'X-To: %s\r\nUser-Agent: %d\r\n'
                                % (case.sent, number))
    case.got = answer.get(b'location')

    if answer.status != 302:
        case.wrong.append('status %d' % answer.status)

    if case.got != case.told:
        case.wrong.append('%r became %r and not %r'
                          % (case.sent, case.got, case.told))

    others = [name for name, _ in answer.headers
              if not re.match(rb'(?i)(server|date|content-type|content-length'
                              rb'|connection|location)$', name)]

    if others:
        case.wrong.append('headers %r' % others)


def judge(case, sent, got):
    """Where it would have gone, and where it goes."""
    if (sent is None) != (got is None):
        case.wrong.append('%s became %s' % (sent, got))
        return

    if sent is None:
        return

    if sent[:2] != got[:2] \
       or sent[2].partition('?')[0] != got[2].partition('?')[0]:
        case.wrong.append('%s became %s' % (sent, got))

    here = ['http:', HOST.decode(), PAGE.decode()]

    if got[1:] == here[1:] and sent[1:] != here[1:]:
        case.wrong.append('%s leads back' % got)


def main(name, path):
    cases = [Case(line) for line in table.read(name)]
    client = wire.Client(path)

    for number, case in enumerate(cases):
        ask(client, case, number)

    for case, sent, got in zip(cases, resolve([case.sent for case in cases]),
                               resolve([case.got or b'' for case in cases])):
        judge(case, sent, got)

    for case in cases:
        text = repr(case.sent)[2:-1].replace('#', '\\#')
        print('%s - %s' % ('not ok' if case.wrong else 'ok', text))

        for line in case.wrong:
            print('#   ' + line)

    changed = sum(case.told != case.sent for case in cases)

    print('%s - there are a hundred of them, and half of them change'
          % ('ok' if len(cases) >= 100 and changed > 50 else 'not ok'))


if __name__ == '__main__':
    main(*sys.argv[1:])
