#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Asks caches for pairs of targets and finds out whether they share an entry:
#
#     keys.py pairs COUNT [-]NAME=SOCKET...
#     keys.py paths FILE NAME=SOCKET...
#
# The first target is fetched past the cache, which stores it; the second is
# fetched through the cache, and then past it too.  The second was a hit if,
# and only if, the origin got the same bytes both times.  A minus says that this
# server is known to break that, and has to be caught.
#
# A file of paths has one a line.  The origin gets each as it is, whatever
# becomes of the query.
#
# Prints TAP without numbers.

import random
import sys

import pairs
import table
import wire

FRESH = b'X-Fresh: 1\r\n'
CHUNK = 50              # pairs on their way at once
SHOWN = 5               # violations that are shown


class Tally:
    def __init__(self):
        self.same = 0           # pairs
        self.different = 0
        self.changed = 0        # targets that reached the origin as others
        self.refused = 0
        self.violations = []

    def violation(self, what, *details):
        self.violations.append('%s: %s' % (what, ' '.join(map(repr, details))))


def seen(body):
    """What the origin got: a request line, or two lines of PHP."""
    return body.split(b' ')[1] if body.startswith(b'GET ') else body


def agree(body):
    """REQUEST_URI and QUERY_STRING; a fragment is in the first alone."""
    uri, query = body.split(b'\n')
    return uri.partition(b'?')[2].partition(b'#')[0] == query


def judge_pair(one, other, first, through, past, tally):
    """Two targets; the first past the cache, the second through and past."""
    if [a.status for a in (first, through, past)] != [200, 200, 200]:
        tally.refused += 1
        return

    states = [a.get(b'x-cache') for a in (first, through, past)]
    hit = states[1] == b'HIT'
    same = first.body == past.body

    if states[0] != b'BYPASS' or states[2] != b'BYPASS' \
       or states[1] not in (b'HIT', b'MISS'):
        tally.violation('the cache says', states, one)

    if same and not hit:
        tally.violation('one entry would do', one, other, past.body)

    if hit and not same:
        tally.violation('one entry for two', one, other, first.body, past.body)

    if through.body != (first.body if hit else past.body):
        tally.violation('another page', one, other, through.body)

    for body in (first.body, past.body):
        if b'\n' in body and not agree(body):
            tally.violation('PHP reads two things', body)

    tally.same += same
    tally.different += not same
    tally.changed += seen(past.body).split(b'\n')[0] != other


def try_pairs(path, count):
    dice = random.Random(3)
    client = wire.Client(path)
    tally = Tally()

    for start in range(0, count, CHUNK):
        chunk = [pairs.pair(dice, number)
                 for number in range(start, min(start + CHUNK, count))]

        first = client.many([wire.request(one, headers=FRESH)
                             for one, _ in chunk])
        through = client.many([wire.request(other) for _, other in chunk])
        past = client.many([wire.request(other, headers=FRESH)
                            for _, other in chunk])

        for (one, other), *answers in zip(chunk, first, through, past):
            judge_pair(one, other, *answers, tally)

    return tally


def report(ok, name, details=()):
    print('%s - %s' % ('ok' if ok else 'not ok', name))

    for line in details:
        print('#   ' + line)

    sys.stdout.flush()


def judge(name, count, tally):
    violations = tally.violations

    if name.startswith('-'):
        report(len(violations) > count / 100,
               '%s: %d pairs, and it is found out' % (name[1:], count))
        return

    report(not violations, '%s: %d pairs, %d violations'
           % (name, count, len(violations)), violations[:SHOWN])

    print('#   %d pairs same, %d different, %d refused; %d targets changed'
          % (tally.same, tally.different, tally.refused, tally.changed))

    report(min(tally.same, tally.different, tally.changed) > count / 5
           and tally.refused < count / 50,
           '%s: there are pairs of each kind' % name)


# --- paths

def try_paths(name, path, paths):
    client = wire.Client(path)
    wrong = []

    for want in paths:
        answer = client.get(want + b'?b=2&utm_source=x&a=1')
        got = seen(answer.body).split(b'\n')[0]

        if answer.status != 200 or got != want + b'?a=1&b=2':
            wrong.append('%r: %d %r' % (want, answer.status, got))

    report(not wrong, '%s: %d paths reach the origin as they are'
           % (name, len(paths)), wrong)


def main():
    what, arg = sys.argv[1:3]
    servers = [server.split('=') for server in sys.argv[3:]]

    if what == 'paths':
        for name, path in servers:
            try_paths(name, path, table.read(arg))

        return

    for name, path in servers:
        judge(name, int(arg), try_pairs(path, int(arg)))


if __name__ == '__main__':
    main()
