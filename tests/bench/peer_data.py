# Copyright (C) the ngx_miqps authors
#
# What the peer in Lua shares with the core: names of trackers, and those that
# the guard knows, as tables of Lua.

import json
import os
import re

import report


def read(*path):
    with open(os.path.join(report.ROOT, 'src', *path)) as f:
        return f.read()


def table(items):
    return '{ %s }' % ', '.join('[%s] = %s' % (json.dumps(name), value)
                                for name, value in sorted(items.items()))


def names(items):
    """Those with a star at their end are apart."""
    whole = {name: what for name, what in items.items()
             if not name.endswith('*')}
    prefixes = {name[:-1]: what for name, what in items.items()
                if name.endswith('*')}

    return 'names = %s, prefixes = %s' % (table(whole), table(prefixes))


def trackers():
    rules = json.loads(read('rules', 'builtin.json'))

    return names({rule['name']: 'true' for rule in rules['tracking']})


def value(marks, text):
    """Of "MIQPS_MARK_SAS|MIQPS_MARK_SIGN"."""
    total = 0

    for word in re.findall(r'\w+', text):
        total |= marks[word]

    return total


def guard():
    marks = {name: int(number, 16) for name, number in
             re.findall(r'#define (MIQPS_MARK_\w+) +(0x\w+)',
                        read('core', 'miqps_guard.h'))}
    source = read('core', 'miqps_guard.c')

    for name, text in re.findall(r'#define (MIQPS_\w+_IF) +\(([\w|]+)\)',
                                 source):
        marks[name] = value(marks, text)

    found = re.findall(r'{ miqps_string\("([^"]+)"\),\s+([\w|\s]+?)\s+}',
                       source)
    words = ', '.join('%s = %d' % (name[len('MIQPS_MARK_'):], number)
                      for name, number in marks.items() if '_MARK_' in name)

    return '%s, %s' % (words, names({name: value(marks, text)
                                     for name, text in found}))


def files(directory):
    for name, text in (('trackers.lua', trackers()), ('marks.lua', guard())):
        with open(os.path.join(directory, name), 'w') as f:
            f.write('return { %s }\n' % text)
