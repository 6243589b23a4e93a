# Copyright (C) the ngx_miqps authors
#
# What is measured with a map: the module as it is without one, with one that
# has the patterns of all requests, with one that has their hosts and other
# patterns, and with one of other hosts.  A map keeps what the rules keep, so
# that it changes nothing but the work.  Then path rules: where other hosts have
# some, where none of the host's applies, and where one of them always does.

import json
import os
import re
import statistics
import subprocess

import nginx_urls
from nginx_server import Error
from nginx_variants import ECHO, ON, Variant


LIMIT = 400             # instructions that a map adds to a request
RULES = 50              # path rules of a host ...
RULES_LIMIT = 600       # ... what they may add to that, by instructions, ...
RULES_NS = 150          # ... or by time

BASE = 'on'

PLAIN = re.compile(r'[a-z_]+=[^&]*(&[a-z_]+=[^&]*)*\Z')


def requests():
    """Those whose names say what they are, without brackets."""
    return [(host, target) for host, target in nginx_urls.requests()
            if PLAIN.match(target.partition('?')[2])]


def names(target):
    return [pair.partition('=')[0]
            for pair in target.partition('?')[2].split('&')]


# --- maps

def pattern(used, listed):
    return {'params': sorted(used),
            'keep': sorted(name for name in used if name in listed)}


def learned(asked):
    """A map that has them all."""
    lists = nginx_urls.lists()
    found = {}

    for host, target in asked:
        found.setdefault(host, set()).add(frozenset(names(target)))

    return [{'host': host, 'patterns': [pattern(used, lists[host])
                                        for used in map(sorted, found[host])]}
            for host in sorted(found)]


def filler(first, count):
    """Hosts that nobody asks for."""
    return [{'host': 'www.other%d.example' % n,
             'patterns': [{'params': ['id', 'ref'], 'keep': ['id']}]}
            for n in range(first, first + count)]


def rules(applied):
    """Of a host, on paths such as those that are asked for."""
    done = [{'from': {'path': '/store/%s%d/{name}' % (kind, n)},
             'to': {'path': '/%s/{name}' % kind}}
            for n in range(RULES // 2) for kind in ('old', 'sale')]

    if applied:
        done[-1] = {'from': {'path': '/store/{kind}/{name}'},
                    'to': {'path': '/shop/{kind}/{name}'}}

    return done


def compile_map(program, hosts, path):
    source = ''.join(json.dumps(host) + '\n' for host in hosts)
    done = subprocess.run([program, 'compile', '-', '-o', path], input=source,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)

    if done.returncode != 0:
        raise Error('miqps compile failed: ' + done.stderr.strip())

    os.chmod(path, 0o644)


def files(program, asked, data):
    """The maps that the variants use."""
    known = learned(asked)
    others = [{'host': one['host'], 'patterns': [
        {'params': ['nobody', 'asks'], 'keep': ['asks']}]} for one in known]

    elsewhere = filler(0, 1000)
    elsewhere[0]['rules'] = rules(False)

    for name, hosts in (('has', known + filler(0, 1000)),
                        ('hosts', others + filler(0, 1000)),
                        ('none', filler(0, 1000)),
                        ('elsewhere', known + elsewhere),
                        ('tried', [dict(one, rules=rules(False))
                                   for one in known] + filler(0, 1000)),
                        ('applied', [dict(one, rules=rules(True))
                                     for one in known] + filler(0, 1000))):
        compile_map(program, hosts, os.path.join(data, 'image-' + name))


# --- the normalizer alone

def paths_time(program, asked, data):
    """What rules add to the time of a URL, in ns: none applies, and one."""
    path = os.path.join(data, 'paths.urls')

    with open(path, 'w', encoding='utf-8') as f:
        f.writelines('%s %s\n' % one for one in asked)

    images = [os.path.join(data, 'image-' + name)
              for name in ('has', 'tried', 'applied')]
    out = subprocess.run([program, path, *images], stdout=subprocess.PIPE,
                         universal_newlines=True, check=True).stdout
    lines = [line.split('\t') for line in out.splitlines()]

    if [int(line[2]) for line in lines] != [0, 0, len(asked)]:
        raise Error('rules do not apply as they should')

    rounds = [[float(ns) for ns in line[3:]] for line in lines]
    rows = []

    for text, own in (('none applies', rounds[1]), ('one applies', rounds[2])):
        more = [one - base for one, base in zip(own, rounds[0])]
        added = statistics.median(more)
        rows.append({'text': '%d rules, %s' % (RULES, text),
                     'ns': round(statistics.median(own), 1),
                     'added': round(added, 1), 'added_min': round(min(more), 1),
                     'limit': RULES_NS, 'held': added <= RULES_NS})

    return rows


# --- variants

def zone(name, size='4m', watch=''):
    return 'miqps_zone bench %s map=%%(data)s/image-%s%s;' % (size, name, watch)


def use(directives):
    return 'miqps_use bench; ' + directives


def variants(module):
    """The first is what the others are compared with."""
    return [Variant(BASE, 'module, on, no map', ON, modules=[module])] + [
        Variant('map-' + name, text, use(ON), modules=[module],
                http=zone(name))
        for name, text in (('has', 'the map has host and names'),
                           ('hosts', 'it has the host, not the names'),
                           ('none', 'it has not the host'))]


def rule_variants(module):
    """The first is what the others are compared with."""
    return [Variant('map-has', 'the map has host and names', use(ON),
                    modules=[module], http=zone('has'))] + [
        Variant('rules-' + name, text, use('miqps_path_rules on; ' + ON),
                modules=[module], http=zone(name))
        for name, text in (('elsewhere', 'path rules of other hosts'),
                           ('tried', '%d rules, none applies' % RULES),
                           ('applied', '%d rules, one applies' % RULES))]


def alone(module):
    """Nothing but the map, to see that it has all patterns."""
    return Variant('map-alone', 'nothing but the map',
                   use('miqps rewrite; ' + ECHO), modules=[module],
                   http=zone('has'))


def misses(asked, answers):
    """Requests that were not in it: names are left that it does not keep, or
    gone that it does."""
    lists = nginx_urls.lists()

    return [request for request, answer in zip(asked, answers)
            if names(answer) != ([name for name in names(request[1])
                                  if name in lists[request[0]]] or [''])]
