#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Path rules in nginx and in "miqps normalize", on the same URLs by chance:
#
#     path_rules.py map                      prints map source
#     path_rules.py run FOLDER IMAGE COUNT   prints TAP without numbers
#
# FOLDER has the socket "site" of an nginx that answers with what it would ask
# an upstream for, and with $miqps_url.  What is made of a URL is made of it by
# both, and is not changed again by either.  Paths that one program reads in
# another way than the next stay as they are, whatever rules there are.

import json
import os
import random
import subprocess
import sys

import wire

CHUNK = 20000           # URLs that the program is given at once
BATCH = 200             # requests
NESTED = 40             # rules of one host that are much the same

TABLE = {'3': 'yellow', '5': 'red', '7': 'blue'}

# hosts of the map, and what they are asked for as; the last two have no rules

HOSTS = ['shop.example', 'www.shop.example', 'docs.example', 'a.wild.example',
         'b.c.wild.example', 'plain.example', 'unknown.example']

VALUES = ['1', '7', '42', '9f3c', 'DEAD', 'tent', 'Two_words', 'a-b', '~me',
          'caf%C3%A9', '%E2%82%AC', 'red', '01234567-89ab-cdef-0123-456789abcdef',
          'a.b', 'x;y', 'a%2Fb', '%41', 'a%20b', '', '.', '..', '*', '{p}']

NASTY = ['%2e', '%2E', '%2f', '%5C', '%3B', ';', '//', '/./', '/../', '\\', '%3F',
         '%23', '%0a', '%25', '%C3%A9', '%c3%a9', '%7E', '.css', '/index.html',
         '/', '-', '+', '&', '=', '?', '@', ':', '!', '%', '%4', '%00', '\xe9']

PARAMS = ['id=%s', 'color=%s', 'p=%s', 'sid=%s', 'page=%s', 'q=%s', 'id[]=%s',
          'utm_source=%s', 'fbclid=%s', 'i.d=%s', 'x=%s', 'c', '', 'ID=%s']

PATHS = ['/s/%s/%s', '/show.php', '/show.php/', '/%s/%s/index.html', '/index.html',
         '/shirt', '/shirt-%s', '/old/%s', '/new/%s', '/q/%s', '/list', '/u/%s',
         '/%s-%s.html', '/p/%s', '/cat7/%s', '/cat39/%s', '/c/7/%s', '/a/%s/b/%s',
         '/raw/%s/%s', '/item', '/deep/%s/%s/%s/end', '/', '/%s']

# what rules of these hosts are about: H is hex, D digits, U a UUID, W any word

FORMS = {
    'shop': ['/s/H/W', '/show.php?id=D', '/W/W/index.html', '/shirt?color=3',
             '/shirt?color=7', '/old/W', '/q/W', '/u/U', '/cat1/W', '/cat38/W'],
    'docs': ['/W-D.html', '/a/W/b/W', '/raw/W/W/', '/item?p=W', '/deep/W/W/end'],
    'wild': ['/s/H/W', '/show.php?id=W&sid=W']}

LETTERS = {'H': ['0', '9f3c', 'DEAD', '7'], 'D': ['7', '42', '0'],
           'U': ['01234567-89ab-cdef-0123-456789abcdef'],
           'W': ['tent', 'two', 'caf%C3%A9', '1', 'a_b']}

DECEPTIONS = [
    '/s/9f3c/account;x.css', '/s/9f3c/account%3Bx.css', '/s/9f3c/account.css',
    '/s/9f3c/account%2Ecss', '/s/9f3c/account%2ecss', '/s/9f3c/account%2Fx.css',
    '/s/9f3c/account/x.css', '/s/9f3c/account%3Fx.css', '/s/9f3c/account%23x.css',
    '/s/9f3c/account%0Ax.css', '/s/9f3c/account%0ax.css', '/s/9f3c/account%5Cx',
    '/s/9f3c/account%25x', '/s/9f3c/..%2Faccount', '/s/9f3c/%2E%2E',
    '/s/9f3c/../account', '/s/9f3c/./account', '/s/9f3c//account',
    '/s//9f3c/account', '/s/9f3c;/account', '/s/9f3c/account;', '/old/a;b',
    '/old/a.css', '/old/account%2Ejs', '/old/..', '/old/.', '/old/%2e%2e',
    '/old//a', '/old/a%2f..%2fb', '/old/a\\..\\b', '/q/a.js', '/q/a%2F',
    '/q/..;/account', '/account/..;/index.html', '/account;/index.html',
    '/account%2F/index.html', '/a/%2e%2e/index.html', '/account//index.html',
    '/account/index.html;x.css', '/account/index.html%3Bx', '/show.php;x?id=7',
    '/show.php/x.css?id=7', '/show.php%3Bx?id=7', '/show.php?id=7;x=1',
    '/show.php?id=7%00', '/show.php?id=7&id=8', '/show.php?id=7&i%64=8',
    '/show.php?id=7.css', '/show.php?id=..%2F7', '/shirt?color=3;x',
    '/shirt?color=3&color=5', '/shirt?color=3&color[]=5', '/item?p=../x',
    '/item?p=a%2Fb', '/item?p=.', '/item?p=', '/u/a%2f',
    '/deep/a/b/c.css/end;x', '/raw/a;b/c/', '/raw/a/b%2Fc/', '/raw/a//c/']


def rule(path, to, params=None, to_params=None, **more):
    made = {'from': {'path': path}, 'to': {'path': to}}

    if params is not None:
        made['from']['params'] = params

    if to_params is not None:
        made['to']['params'] = to_params

    return {**made, **more}


def source():
    nested = [rule('/cat%d/{p}' % n, '/c/%d/{p}' % n) for n in range(NESTED)]
    shop = [
        rule('/s/{:hex}/{p}', '/s/0/{p}'),
        rule('/show.php', '/page/{id}', {'id': '{id:digits}', '*': '*'}, {}),
        rule('/**/index.html', '/**/'),
        rule('/shirt', '/shirt-{c}', {'color': '{c:colors}', '*': '*'}, {},
             tables={'colors': TABLE}),
        rule('/old/{p}', '/new/{p}'),
        rule('/q/{p}', '/list', None, {'p': '{p}'}),
        rule('/u/{:uuid}', '/u/any'),
        {'from': {'host': 'www.shop.example'}, 'to': {'host': 'shop.example'}}]
    docs = [
        rule('/{name:word}-{id:digits}.html', '/p/{id}'),
        rule('/a/{x}/b/{y}', '/ab/{y}/{x}'),
        rule('/raw/{a:raw}/{b:raw}/', '/ra/{b}/{a}/'),
        rule('/item', '/items/{p}', {'p': '{p}'}, {}),
        rule('/deep/**/end', '/d/**')]
    wild = [rule('/s/{:hex}/{p}', '/{p}'),
            rule('/show.php', '/show', {'id': '{i}', 'sid': '*', '*': '*'},
                 {'id': '{i}'})]

    return [
        {'host': 'shop.example', 'hosts': ['www.shop.example'],
         'patterns': [{'params': ['id', 'sid'], 'keep': ['id']},
                      {'params': ['color', 'sid'], 'keep': ['color']},
                      {'params': ['p', 'x'], 'keep': ['p'], 'path': '/list'},
                      {'params': ['page'], 'keep': ['page'],
                       'defaults': {'page': '1'}}],
         'rules': shop + nested},
        {'host': 'docs.example', 'patterns': [
            {'params': ['p', 'q'], 'keep': ['p']}], 'rules': docs},
        {'host': '*.wild.example', 'rules': wild},
        {'host': 'plain.example', 'patterns': [
            {'params': ['id', 'sid'], 'keep': ['id']}]}]


# --- URLs

def fill(dice, form):
    while '%s' in form:
        form = form.replace('%s', dice.choice(VALUES), 1)

    return form


def fitting(dice, host):
    forms = [form for name in FORMS if name + '.' in host
             for form in FORMS[name]] or PATHS

    return fill(dice, ''.join(dice.choice(LETTERS.get(c, c))
                              for c in dice.choice(forms)))


def target(dice, host):
    made = fitting(dice, host) if dice.random() < 0.5 \
        else fill(dice, dice.choice(PATHS))
    params = [fill(dice, dice.choice(PARAMS))
              for _ in range(dice.choice((0, 0, 1, 2, 3)))]

    if params:
        made += ('&' if '?' in made else '?') + '&'.join(params)

    for _ in range(dice.choice((0, 0, 0, 0, 1, 2))):
        at = dice.randrange(1, len(made) + 1)
        made = made[:at] + dice.choice(NASTY) + made[at:]

    return made.encode('latin-1')


def urls(seed, count):
    dice = random.Random(seed)
    hosts = [dice.choice(HOSTS) for _ in range(count)]

    return [(host.encode(), target(dice, host)) for host in hosts]


# --- both

def normalize(image, asked):
    """What the program makes of them: hosts and targets."""
    done = subprocess.run(
        [os.environ['MIQPS'], 'normalize', '--map', image, '--tracking',
         '--sort'], check=True, stdout=subprocess.PIPE,
        input=b''.join(b'http://%s%s\n' % one for one in asked)).stdout
    lines = done.split(b'\n')[:-1]

    if len(lines) != len(asked):
        raise SystemExit('%d lines of %d' % (len(lines), len(asked)))

    return [split(line) for line in lines]


def split(url):
    host, slash, rest = url[len(b'http://'):].partition(b'/')

    return host, slash + rest


def ask(client, asked):
    """What nginx does: None, or what is asked for, and $miqps_url."""
    answers = []

    for i in range(0, len(asked), BATCH):
        answers += client.many([wire.request(path, host)
                                for host, path in asked[i:i + BATCH]])

    return [None if answer.status == 400
            else tuple(answer.body.split(b' ')) if answer.status == 200
            else (b'status %d' % answer.status, b'') for answer in answers]


def compare(one, wanted, got):
    """What is wrong, or None; a path that nginx refuses is to stay."""
    host, path = one

    if got is None:
        kept = wanted[1].partition(b'?')[0] == path.partition(b'?')[0]

        return None if kept and wanted[0] == host else 'refused, and changed'

    if got != (wanted[1], b'http://%s%s' % wanted):
        return 'nginx: %r' % (got,)

    return None


def result(failures, name):
    print('%sok - %s' % ('not ' if failures else '', name))

    for failure in failures[:10]:
        print('#  ', failure)


def run(folder, image, count):
    client = wire.Client(os.path.join(folder, 'site'))
    differ, again, moved, refused = [], [], 0, 0

    for seed in range(0, count, CHUNK):
        asked = urls(seed, min(CHUNK, count - seed))
        made = normalize(image, asked)

        again += [failure for failure in zip(asked, made,
                                             normalize(image, made))
                  if failure[1] != failure[2]]

        for one, right, got in zip(asked, made, ask(client, asked)):
            why = compare(one, right, got)
            refused += got is None
            moved += right[1].partition(b'?')[0] != one[1].partition(b'?')[0]

            if why is not None:
                differ.append((one, right, why))

        again += [(one, got) for one, got in zip(made, ask(client, made))
                  if got is not None and got[0] != one[1]]

    print('# %d URLs, %d of them moved, %d refused by nginx'
          % (count, moved, refused))
    result(differ, 'nginx and the program make the same of URLs')
    result(again, 'what they make is not changed again')
    result([] if moved > count // 10 else [moved], 'rules were applied')

    client.close()


def deceptions(folder, image):
    client = wire.Client(os.path.join(folder, 'site'))
    asked = [(host.encode(), path.encode('latin-1'))
             for host in HOSTS for path in DECEPTIONS]
    wrong = []

    for one, made, got in zip(asked, normalize(image, asked),
                              ask(client, asked)):
        path = one[1].partition(b'?')[0]

        if made[1].partition(b'?')[0] != path \
                or (got is not None and got[0].partition(b'?')[0] != path):
            wrong.append((one, made, got))

    result(wrong, 'paths that would deceive a cache stay as they are')
    client.close()


def main(what, *args):
    if what == 'map':
        print('\n'.join(map(json.dumps, source())))
        return

    folder, image, count = args
    run(folder, image, int(count))
    deceptions(folder, image)


if __name__ == '__main__':
    main(*sys.argv[1:])
