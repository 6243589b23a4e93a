#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Maps to publish, as files of map source in a folder:
#
#     publish_maps.py FOLDER
#
# "base" is what is published; "bad-NN-..." would do harm, "good-NN-..." are
# what a site that goes on living looks like.  "lost-NN-.../" has an "old" map,
# a "new" one that would do harm in a less simple way, and "urls" that are all
# different pages; "pass-NN-.../" is the same without harm, and "want" is what
# the map that was published must have.

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


# --- two maps of one host each, or a few, and what is asked for

def one(*patterns, host='s.example', **more):
    return dict({'host': host, 'patterns': list(patterns)}, **more)


def names(params, keep='', path=None, **more):
    made = dict({'params': sorted(params.split()), 'keep': keep.split()},
                **more)
    if path:
        made['path'] = path
    return made


def rule(source, target, tables=None, pairs=3):
    made = {'from': source, 'to': target, 'evidence': {'pairs': pairs}}
    if tables:
        made['tables'] = tables
    return made


def any_id(**more):
    return {'params': dict({'id': '{:any}', '*': '*'}, **more)}


def urls(path, *queries, host='s.example'):
    return ['https://%s%s?%s' % (host, path, query) for query in queries]


FEW = 'id=1', 'id=2'
ID, GONE = names('id', 'id'), names('id')

# what makes trk neutral, and id as well if it has no pattern of its own

NEUTRAL = [names('trk'), names('trk view', 'view'), names('id x', 'x'),
           names('id y', 'y')]

# utm is neutral; beside it, trk is stripped by a pattern with more names only

BESIDE = [names('utm'), names('utm view', 'view'), names('ref'),
          names('ref view', 'view'), names('id ref trk', 'id'),
          names('trk view', 'trk')]

# nine more patterns, so that one in doubt is not too much

MORE = [names('more%d' % i, 'more%d' % i) for i in range(9)]


def lost():
    """(name, old map, new map, URLs)"""
    for more in [], MORE:
        yield ('meet', [one(names('id', 'id', '/*/list'), *more)],
               [one(names('id', '', '/a/*'), *more)], urls('/a/list', *FEW))
        yield ('meet_default', [one(names('page', 'page', '/*/list'), *more)],
               [one(names('page', 'page', '/a/*', defaults={'page': '2'}),
                    *more)],
               urls('/a/list', 'page=2', 'page=3') + ['https://s.example'
                                                      '/a/list'])
        yield ('meet_twice', [one(names('id', 'id', '/*/*/*'), *more)],
               [one(names('id', '', '/a/*/*'), names('id', 'id', '/*/b/*'),
                    names('id', '', '/*/b/c'), *more)],
               urls('/a/b/c', *FEW))
        yield ('meet_slash', [one(names('id', 'id', '/*/'), *more)],
               [one(names('id', '', '/a/'), *more)], urls('/a/', *FEW))
        yield ('star', [one(ID, *more)],
               [one(ID, names('id', 'id', '/x'), names('id', '', '/*'),
                    *more)],
               urls('/foo', *FEW))
        yield ('star_word', [one(ID, *more)],
               [one(ID, names('id', 'id', '/zq7'), names('id', '', '/*'),
                    *more)],
               urls('/foo', *FEW))
        yield ('root_only', [one(ID, *more)],
               [one(GONE, names('id', 'id', '/'), names('id', 'id', '/*'),
                    *more)],
               urls('/a/b', *FEW))
        left = names('a b d', 'a d'), names('a d'), names('c d', 'c d', '/*/y')
        yield ('left', [one(*left, *more)],
               [one(names('a b d', 'a b'), *more)],
               urls('/x/y', 'a=1&b=1&d=1', 'a=1&b=1&d=2'))
        yield ('default_word', [one(names('id', 'id', defaults={'id': 'zq7'}),
                                    *more)],
               [one(GONE, *more)], urls('/p', *FEW))

        # what serves a host

        star = one(ID, *more, host='*.s.example')
        www = urls('/foo', *FEW, host='www.s.example')

        yield ('below_wildcard', [star],
               [star, one(GONE, *more, host='www.s.example')], www)
        yield ('wildcard_below', [star],
               [star, one(GONE, *more, host='*.a.s.example')],
               urls('/foo', *FEW, host='www.a.s.example'))
        yield ('mirror_below', [star],
               [star, one(GONE, *more, host='other.example',
                          hosts=['www.s.example'])], www)
        yield ('mirror_of_old', [star, one(GONE, *more, host='b.example')],
               [star, one(GONE, *more, host='b.example',
                          hosts=['www.s.example'])], www)
        yield ('taken_over', [one(ID, *more), one(GONE, *more,
                                                  host='b.example')],
               [one(GONE, *more, host='b.example', hosts=['s.example'])],
               urls('/foo', *FEW))
        yield ('left_to_wildcard', [one(ID, *more, host='www.s.example')],
               [one(GONE, *more, host='*.s.example')], www)

        # path rules

        p = names('id', 'id', '/p/*')

        yield ('rule_anywhere', [one(p, *more)],
               [one(p, *more, rules=[rule(any_id(), {'params': {}})])],
               urls('/p/1', *FEW))
        yield ('rule_meets', [one(names('id', 'id', '/p/list'), *more)],
               [one(names('id', 'id', '/p/list'), *more,
                    rules=[rule(dict(any_id(), path='/{a}/{b}'),
                                {'path': '/{a}/{b}', 'params': {}})])],
               urls('/p/list', *FEW))
        yield ('rule_deep', [one(names('id', 'id', '/p/q/*'), *more)],
               [one(names('id', 'id', '/p/q/*'), *more,
                    rules=[rule(dict(any_id(), path='/p/**'),
                                {'path': '/p/**', 'params': {}})])],
               urls('/p/q/1', *FEW))
        yield ('rule_more_names', [one(ID, *more)],
               [one(ID, *more, rules=[rule(any_id(ref='{:any}'),
                                           {'params': {}})])],
               urls('/p', 'id=1&ref=1', 'id=2&ref=1'))

        table = dict(any_id(), path='/p')
        table['params'] = {'id': '{i:t}', '*': '*'}

        yield ('tables', [one(ID, *more, rules=[
                   rule(table, {'path': '/p/{i}', 'params': {}},
                        {'t': {'1': 'a', '2': 'a', '3': 'b', '4': 'c'}})])],
               [one(ID, *more, rules=[
                   rule(table, {'path': '/p/{i}', 'params': {}},
                        {'t': {'1': 'a', '2': 'a', '3': 'b', '4': 'b'}})])],
               urls('/p', 'id=1', 'id=3', 'id=4'))

        # values that rules are not shown to be about

        five, six = [rule(dict(path='/p', params={'id': n, '*': '*'}),
                          {'path': '/x', 'params': {}}) for n in '56']
        ids = rule(dict(path='/p', params={'id': '{i:digits}', '*': '*'}),
                   {'path': '/p/{i}', 'params': {}})
        hex = rule(dict(path='/p', params={'id': '{:hex}', '*': '*'}),
                   {'path': '/p/0', 'params': {}})

        yield ('literal', [one(ID, *more)],
               [one(ID, *more, rules=[rule(
                   {'params': {'id': '5', '*': '*'}},
                   {'params': {'id': '6'}})])], urls('/p', 'id=5', 'id=6'))
        yield ('two_literals', [one(ID, *more)],
               [one(ID, *more, rules=[five, six])],
               urls('/p', 'id=5', 'id=6'))
        yield ('table_itself', [one(ID, *more)],
               [one(ID, *more, careful=True, rules=[rule(
                   table, {'params': {'id': '{i}'}},
                   {'t': {'1': 'a', '2': 'b'}})])],
               urls('/p', 'id=1', 'id=a'))
        yield ('narrower', [one(ID, *more)],
               [one(ID, *more, rules=[ids, hex])],
               urls('/p', 'id=ab', 'id=cd'))
        yield ('narrower_path', [one(ID, *more)],
               [one(ID, *more, careful=True, rules=[
                   rule(any_id(), {'params': {}}),
                   rule(dict(path='/*', params={'id': '{i}', '*': '*'}),
                        {'path': '/*/{i}', 'params': {}})])],
               urls('/p/q', *FEW))
        yield ('narrower_beside', [one(names('id v', 'id v'), *more)],
               [one(names('id v', 'id v'), *more, careful=True, rules=[
                   rule(dict(path='/*', params={'id': '{i}', '*': '*'}),
                        {'path': '/*/0', 'params': {}}),
                   rule(dict(path='/*', params={'v': '{v:word}', '*': '*'}),
                        {'path': '/*/{v}', 'params': {}}),
                   ])],
               urls('/p', 'id=1&v=1-2', 'id=2&v=1-2'))
        yield ('from_path', [one(ID, *more)],
               [one(ID, *more, careful=True, rules=[
                   rule({'path': '/{p:word}', 'params': {'id': '*'}},
                        {'params': {'id': '{p}'}})])], urls('/p', *FEW))
        yield ('settled', [one(names('id v', 'id v'), *more)],
               [one(names('id v', 'id v'), *more, careful=True, rules=[
                   rule({'params': {'id': '{:any}', 'v': '{v:digits}'}},
                        {'params': {'id': '{v}', 'v': '3'}})])],
               urls('/p', 'id=1&v=3', 'id=2&v=3'))
        yield ('rule_host', [one(ID, *more, host='*.s.example')],
               [one(ID, *more, host='*.s.example', rules=[
                   rule(dict(any_id(), host='{:digits}.s.example'),
                        {'params': {}})])],
               urls('/p', *FEW, host='1.s.example'))

        first = rule({'params': {'id': '{:digits}', 'v': '*', '*': '*'}},
                     {'params': {'id': '3', 'v': '*'}})
        again = rule({'params': {'v': '{v:word}', 'id': '3'}},
                     {'params': {'v': '{v}', 'id': '1'}})
        folder = rule({'path': '/{p}'}, {'path': '/p/0'})
        session = rule({'params': {'id': '{:any}', '*': '*'}},
                       {'params': {'id': '2'}})

        yield ('rule_gone', [one(names('id v', 'id v'), *more, careful=True,
                                 rules=[first, again])],
               [one(names('id v', 'id v'), *more, careful=True,
                    rules=[first])], urls('/p', 'id=1&v=1', 'id=12&v=1'))
        yield ('path_rule_gone', [one(ID, *more, careful=True,
                                      rules=[folder, session])],
               [one(ID, *more, careful=True, rules=[session])],
               urls('/p', 'id=1', 'id=12'))

        # what rules told apart, and no pattern

        yield ('written', [one(names('x'), *more, rules=[ids])],
               [one(names('x'), GONE, *more)], urls('/p', *FEW))
        yield ('written_literals',
               [one(names('x'), *more, rules=[
                   five, rule(dict(path='/p', params={'id': '6', '*': '*'}),
                              {'path': '/y', 'params': {}})])],
               [one(names('x'), GONE, *more)], urls('/p', 'id=5', 'id=6'))

        # names of trackers that matter here

        tracked = names('id utm_source', 'id utm_source')
        pages = urls('/p', 'id=1&utm_source=a', 'id=1&utm_source=b')

        yield ('tracking', [one(ID, tracked, *more)], [one(ID, *more)], pages)
        yield ('tracking_new', [one(ID, *more)],
               [one(ID, names('gclid id'), *more)],
               urls('/p', 'gclid=1&id=1', 'gclid=1&id=2'))
        yield ('tracking_gone', [one(tracked, *more), one(ID, *more,
                                                          host='b.example')],
               [one(ID, *more, host='b.example')], pages)

        # names together that nobody has asked for before

        yield ('new_pattern', [one(ID, *more)],
               [one(ID, names('id ref'), *more)],
               urls('/p', 'id=1&ref=2', 'id=2&ref=2'))
        yield ('new_pattern_path', [one(names('id', 'id', '/p'), *more)],
               [one(names('id', 'id', '/p'), names('id', '', '/q'), *more)],
               urls('/q', *FEW))
        yield ('neutral_now', [one(ID, *NEUTRAL, *more)],
               [one(*NEUTRAL, *more)],
               urls('/p', 'id=1&trk=1', 'id=2&trk=1'))
        yield ('neutral_beside', [one(names('id trk', 'id trk'), *BESIDE,
                                      *more)],
               [one(*BESIDE, *more)],
               urls('/p', 'id=1&trk=1&ref=1&utm=1',
                    'id=1&trk=2&ref=1&utm=1'))
        yield ('old_default', [one(names('a b', 'a'), names(
                   'a b d', 'a b', defaults={'a': '1'}), *more)],
               [one(names('a b', 'a'), names('a b d', 'a d'), *more)],
               urls('/p', 'a=1&b=1&d=1', 'a=1&b=2&d=1'))
        page = names('a d', 'a d', defaults={'a': '1'}), names('b d', 'b')
        yield ('two_defaults', [one(*page, *more)],
               [one(*page, names('d', 'd', defaults={'d': '2'}), *more)],
               urls('/p', 'a=1&d=2', 'a=1&d=3') + ['https://s.example/p'])
        yield ('new_default', [one(ID, *more)],
               [one(ID, names('id ref', 'id', defaults={'id': '2'}), *more)],
               urls('/p', 'id=1&ref=2', 'id=2&ref=2', 'ref=2'))

    yield ('no_evidence', [one(ID)],
           [one(ID, rules=[rule({'path': '/product/{:any}'},
                                {'path': '/product/0'}, pairs=1)])],
           ['https://s.example/product/%d' % i for i in range(40)])


def passes():
    """(name, old map, new map, what must be published)"""
    star = one(ID, host='*.s.example')

    yield ('split', [one(ID, names('trk'))],
           [one(ID, names('trk', '', '/'), names('trk', 'trk', '/x/*'))],
           '"keep":["trk"],"path":"/x/*"')
    yield ('split_kept', [one(names('id', 'id', '/*/list'))],
           [one(names('id', 'id', '/a/*'), names('id', 'id', '/*/list'),
                names('id', '', '/b'))], '"path":"/a/*"')
    yield ('exact', [star], [star, one(ID, names('utm'),
                                       host='www.s.example')],
           '"host":"www.s.example"')
    yield ('exact_fewer', [one(ID, *MORE, host='*.s.example')],
           [one(ID, *MORE, host='*.s.example'),
            one(ID, host='www.s.example')], '"host":"www.s.example"')
    yield ('wildcard', [star], [star, one(ID, host='*.a.s.example')],
           '"host":"*.a.s.example"')
    yield ('mirror', [star], [star, one(ID, host='b.example',
                                        hosts=['www.s.example'])],
           '"hosts":["www.s.example"]')
    yield ('pattern', [one(ID)], [one(ID, names('id utm', 'id'))],
           '"params":["id","utm"],"keep":["id"]')
    yield ('pattern_in_doubt', [one(ID, names('id ref', 'ref'))],
           [one(ID, names('id ref', 'ref'), names('id ref x', 'ref'))],
           '"params":["id","ref","x"],"keep":["ref"]')
    yield ('union', [one(ID)], [one(ID, names('id ref', 'ref'))],
           '"params":["id","ref"],"keep":["id","ref"]')
    yield ('rule', [one(ID)],
           [one(ID, rules=[rule({'path': '/s/{:hex}/{p}'},
                                {'path': '/s/0/{p}'})])], '"to":')
    yield ('rule_on_paths', [one(names('id', 'id', '/p/*'))],
           [one(names('id', 'id', '/p/*'),
                rules=[rule({'path': '/{a}/{:hex}',
                             'params': {'sid': '{:hex}', '*': '*'}},
                            {'path': '/{a}/0', 'params': {}})])], '"to":')
    yield ('rule_stays', [one(ID, rules=[rule({'path': '/old/{p}'},
                                              {'path': '/new/{p}'})])],
           [one(ID, names('utm'), rules=[rule({'path': '/old/{p}'},
                                              {'path': '/new/{p}'},
                                              pairs=0)])], '"to":')
    yield ('table_grows', [one(ID, rules=[
               rule({'path': '/p', 'params': {'id': '{i:t}', '*': '*'}},
                    {'path': '/p/{i}', 'params': {}},
                    {'t': {'1': 'a', '2': 'b'}})])],
           [one(ID, rules=[
               rule({'path': '/p', 'params': {'id': '{i:t}', '*': '*'}},
                    {'path': '/p/{i}', 'params': {}},
                    {'t': {'1': 'a', '2': 'b', '3': 'c'}})])], '"3":"c"')


def write_case(folder, kind, n, name, old, new, more):
    folder = os.path.join(folder, '%s-%02d-%s' % (kind, n, name))
    os.mkdir(folder)
    write(folder, 'old', old)
    write(folder, 'new', new)

    with open(os.path.join(folder, 'urls' if kind == 'lost' else 'want'),
              'w') as file:
        file.writelines(line + '\n' for line in
                        (more if kind == 'lost' else [more]))


def write(folder, name, map):
    """Rules rest on pairs of pages, but for those that say otherwise."""
    for one in map:
        for rule in one.get('rules', []):
            rule.setdefault('evidence', {'pairs': 3})

    with open(os.path.join(folder, name), 'w') as file:
        file.writelines(json.dumps(one) + '\n' for one in map)


def main(folder):
    write(folder, 'base', BASE)

    for kind, makers in ('bad', BAD), ('good', GOOD):
        for n, make in enumerate(makers):
            map = copy.deepcopy(BASE)
            make(map, n)
            write(folder, '%s-%02d-%s' % (kind, n, make.__name__), map)

    for kind, cases in ('lost', lost()), ('pass', passes()):
        for n, case in enumerate(cases):
            write_case(folder, kind, n, *case)


if __name__ == '__main__':
    main(*sys.argv[1:])
