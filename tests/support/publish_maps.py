#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Maps to publish, as files of map source in a folder:
#
#     publish_maps.py FOLDER
#
# "base" is what is published; "bad-NN-..." would do harm, "good-NN-..." are
# what a site that goes on living looks like.

import copy
import json
import os
import random
import sys

HOSTS = 12
TRACKERS = ['trk', 'src', 'cid', 'ref']


def host(i, name=None):
    """A site with names of its own: pages, lists, searches, with trackers."""
    key, page, word = 'id%d' % i, 'page%d' % i, 'q%d' % i
    sets = [[key], [key, 'trk'], [key, 'color', 'src'], [page, 'sort'],
            [page, 'sort', 'trk'], [word, page], [word, 'cid'], ['trk'],
            ['cid', 'src'], [key, 'ref']]

    return {'host': name or 'shop%d.example' % i,
            'patterns': [{'params': sorted(names),
                          'keep': sorted(n for n in names
                                         if n not in TRACKERS)}
                         for names in sets]}


BASE = [host(i) for i in range(HOSTS)]


def pattern(one, *names):
    return next(p for p in one['patterns'] if p['params'] == sorted(names))


# --- bad ones: each gets a copy of the base and a number

def empty(map, n):
    del map[:]


def half_hosts(map, n):
    del map[n % 2::2]


def half_patterns(map, n):
    for one in map:
        del one['patterns'][n % 2::2]


def double_hosts(map, n):
    map += [host(i, 'copy%d-%d.example' % (n, i)) for i in range(HOSTS)]


def double_patterns(map, n):
    for one in map:
        one['patterns'] += [{'params': sorted(p['params'] + ['zz%d' % n]),
                             'keep': p['keep']} for p in one['patterns']]


def strips_id(map, n):
    for p in map[n % HOSTS]['patterns']:
        p['keep'] = [name for name in p['keep'] if not name.startswith('id')]


def swapped(map, n):
    a, b = n % HOSTS, (n + 5) % HOSTS
    map[a]['patterns'], map[b]['patterns'] = \
        map[b]['patterns'], map[a]['patterns']


def regressing(map, n):
    dice = random.Random(n)

    for one in dice.sample(map, 3):
        for p in dice.sample([p for p in one['patterns'] if p['keep']], 3):
            p['keep'] = p['keep'][1:]


def split(map, n):
    """Patterns for some paths that strip what the one for all kept."""
    one = map[n % HOSTS]
    key = 'id%d' % (n % HOSTS)

    for names in ([key], [key, 'trk'], [key, 'ref']):
        p = pattern(one, *names)
        one['patterns'].remove(p)
        one['patterns'] += [
            {'params': p['params'], 'keep': p['keep'], 'path': '/p/*'},
            {'params': p['params'], 'keep': [], 'path': '/p/*/x'}]


def defaults(map, n):
    for p in map[n % HOSTS]['patterns']:
        if p['keep']:
            p['defaults'] = {p['keep'][0]: '1'}


def outage(map, n):
    for p in map[n % HOSTS]['patterns']:
        p['keep'] = []


def client(map, n):
    for p in map[n % HOSTS]['patterns']:
        p['client'], p['keep'] = p['keep'], []


def vanished(map, n):
    """Only patterns with fewer names are left, which strip the others."""
    one = map[n % HOSTS]
    key = 'id%d' % (n % HOSTS)
    one['patterns'] = [p for p in one['patterns'] if key not in p['params']]
    one['patterns'] += [{'params': [key], 'keep': []},
                        {'params': ['color', key], 'keep': []}]


def poisoned(map, n):
    """Sets of names that one client made up, instead of those of visitors."""
    map[n % HOSTS]['patterns'] = [
        {'params': sorted(['junk%d' % i, 'more%d' % (n + i)]), 'keep': []}
        for i in range(10)]


def rule_strips(map, n):
    """Parameters are all kept, and a path rule takes one of them."""
    i = n % HOSTS
    map[i]['rules'] = [{'from': {'path': '/p', 'params': {
                            'id%d' % i: '{:digits}', '*': '*'}},
                        'to': {'params': {}}}]


def rule_fixes(map, n):
    """Pages get the number of one of them."""
    i = n % HOSTS
    map[i]['rules'] = [{'from': {'params': {'id%d' % i: '{:word}', '*': '*'}},
                        'to': {'params': {'id%d' % i: '1'}}}]


def rule_table(map, n):
    """Two values become the same."""
    i = n % HOSTS
    map[i]['rules'] = [{'from': {'path': '/p', 'params': {
                            'id%d' % i: '{i:t}', '*': '*'}},
                        'to': {'path': '/p/{i}', 'params': {}},
                        'tables': {'t': {'1': 'a', '2': 'b', '3': 'a'}}}]


def rule_default(map, n):
    """A value is taken for none."""
    i = n % HOSTS
    map[i]['rules'] = [{'from': {'path': '/', 'params': {
                            'page%d' % i: '1', '*': '*'}},
                        'to': {'params': {}}}]


BAD = [empty, half_hosts, half_hosts, half_patterns, half_patterns,
       double_hosts, double_patterns, strips_id, strips_id, strips_id, swapped,
       swapped, swapped, regressing, regressing, regressing, split, split,
       split, defaults, defaults, outage, outage, outage, client, vanished,
       vanished, poisoned, poisoned, poisoned, rule_strips, rule_strips,
       rule_fixes, rule_table, rule_default]


# --- good ones

def new_host(map, n):
    map += [host(20 + n + i) for i in range(1 + n % 3)]


def new_pattern(map, n):
    for i in range(1 + n % 3):
        map[(n + i) % HOSTS]['patterns'].append(
            {'params': sorted(['view', 'trk%d' % n]), 'keep': ['view']})


def keeps_more(map, n):
    for p in map[n % HOSTS]['patterns']:
        p['keep'] = sorted(set(p['keep'] + p['params'][:1]))


def loses_pattern(map, n):
    del map[n % HOSTS]['patterns'][n % 10]
    map[(n + 1) % HOSTS]['patterns'].append(
        {'params': ['added%d' % n], 'keep': []})


def loses_host(map, n):
    del map[n % HOSTS]


def one_in_doubt(map, n):
    """One of ten patterns: it is taken, and keeps what it kept."""
    one = map[n % HOSTS]
    p = pattern(one, 'q%d' % (n % HOSTS), 'cid')
    p['keep'] = []
    one['patterns'].append({'params': ['added%d' % n], 'keep': []})


def tracker(map, n):
    for one in map:
        one['patterns'].append({'params': ['click%d' % n], 'keep': []})


def by_path(map, n):
    p = pattern(map[n % HOSTS], 'trk')
    p['path'] = '/'
    map[n % HOSTS]['patterns'].append({'params': ['trk'], 'keep': ['trk'],
                                       'path': '/x/*'})


def mirrored(map, n):
    map[n % HOSTS]['hosts'] = ['www.' + map[n % HOSTS]['host']]


def rule_moves(map, n):
    """A number goes from the query to the path, a session from there."""
    i = n % HOSTS
    map[i]['rules'] = [{'from': {'path': '/p', 'params': {
                            'id%d' % i: '{i:digits}'}},
                        'to': {'path': '/p/{i}', 'params': {}}},
                       {'from': {'path': '/s/{:hex}/{p}'},
                        'to': {'path': '/s/0/{p}'}}]


def rule_in_doubt(map, n):
    """One that takes something of one pattern, which is left out."""
    i = n % HOSTS
    map[i]['rules'] = [{'from': {'path': '/find', 'params': {
                            'q%d' % i: '{:word}'}},
                        'to': {'path': '/found', 'params': {}}},
                       {'from': {'path': '/s/{:hex}/{p}'},
                        'to': {'path': '/s/0/{p}'}}]


GOOD = [new_host] * 4 + [new_pattern] * 4 + [keeps_more] * 4 \
    + [loses_pattern] * 4 + [loses_host] * 3 + [one_in_doubt] * 4 \
    + [tracker] * 3 + [by_path] * 2 + [mirrored] * 2 + [rule_moves] * 2 \
    + [rule_in_doubt]


def write(folder, name, map):
    with open(os.path.join(folder, name), 'w') as file:
        file.writelines(json.dumps(one) + '\n' for one in map)


def main(folder):
    write(folder, 'base', BASE)

    for kind, makers in ('bad', BAD), ('good', GOOD):
        for n, make in enumerate(makers):
            map = copy.deepcopy(BASE)
            make(map, n)
            write(folder, '%s-%02d-%s' % (kind, n, make.__name__), map)


if __name__ == '__main__':
    main(*sys.argv[1:])
