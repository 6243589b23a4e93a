# Copyright (C) the ngx_miqps authors
#
# What the benches print tables with, and the file that holds their results.

import json
import os


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))

BUILD = os.environ.get('B', 'build')
RESULTS = os.path.join(BUILD, 'bench.json')


def table(lines):
    widths = [max(len(line[i]) for line in lines)
              for i in range(len(lines[0]))]

    for line in lines:
        cells = [line[0].ljust(widths[0])] \
            + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]
        print('  ' + '  '.join(cells).rstrip())


def number(n, form='%.0f'):
    return '-' if n is None else form % n


def tell(what, value, limit, held):
    print('Limit: %s.  It is %s: %s.' % (what % limit,
                                         'held' if held else 'NOT held',
                                         value))


def save(results):
    """Replaces the members of the file that "results" has."""
    old = {}

    if os.path.exists(RESULTS):
        with open(RESULTS) as f:
            old = json.load(f)

    old.update(results)

    with open(RESULTS + '.new', 'w') as f:
        json.dump(old, f, indent=2)
        f.write('\n')

    os.replace(RESULTS + '.new', RESULTS)
