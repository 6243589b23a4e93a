#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# What the newspaper of press.php is asked for, and the truth about it:
#
#     press.py URLS [HOST [SEED]] > urls
#     press.py --truth URLS [HOST [SEED]] > truth
#
# The truth is as that of traffic.py, without parameters.

import random
import sys

WORDS = ['amber', 'basil', 'cedar', 'dune', 'ember', 'fern', 'grove', 'hazel',
         'iris', 'jade', 'kelp', 'lilac', 'maple', 'north', 'opal', 'pine']


def token(dice):
    return ''.join(dice.choices('0123456789abcdef', k=15)) + 'a'


def one(dice):
    """A path, its arguments, and the page."""
    kind = dice.choices(['news', 'catalog', 'tag', 'two', 'print', 'media',
                         'doc', 'home'],
                        weights=[40, 12, 16, 10, 6, 5, 6, 5])[0]
    args = {}

    if kind == 'news':
        number = dice.randrange(1, 250)
        page = 'news %d' % number
        form = dice.choice(['plain', 'slug', 'slug', 'old'])

        if form == 'old':
            path = '/story.php'
            args['id'] = str(number)
        else:
            path = '/news/%d' % number

        if form == 'slug':
            path += '/' + '-'.join(dice.choices(WORDS, k=3)) + '-%d' \
                % dice.randrange(10, 100)

    elif kind == 'catalog':
        number = dice.randrange(1, 90)
        page = 'catalog %d' % number
        path = '/%s/%d' % (dice.choice(['katalog', 'catalog', 'catalog']),
                           number)

    elif kind == 'tag':
        word = dice.choice(WORDS)
        number = dice.choice([1, 1, 1, 2, 3])
        page = 'tag %s %d' % (word, number)
        path = '/tag/' + word + dice.choice(['', '', '/', '/index.html'])

        if number > 1 or dice.randrange(2):
            args['page'] = str(number)

    elif kind == 'two':
        word = dice.choice(['en', 'de', 'v1', 'v2'])
        number = dice.randrange(1, 60)
        page = '%s %d' % (word, number)
        path = '/%s/%d' % (word, number)

    elif kind == 'print':
        number = dice.randrange(1, 250)
        page = 'print %d' % number
        path = '/print/%d' % number

    elif kind == 'media':
        word = token(random.Random(dice.randrange(60)))
        page = 'media ' + word
        path = '/media/' + word

    elif kind == 'doc':
        number = dice.randrange(1, 30)
        version = dice.randrange(1, 4)
        page = 'doc %d %d' % (number, version)
        path = '/doc/%d' % number
        args['v'] = str(version)

    else:
        page = 'home'
        path = '/'

    if path != '/' and dice.randrange(4) == 0:
        path = '/s/' + token(dice) + path

    for name in ('utm_source', 'from', 'cid'):
        if dice.randrange(3) == 0:
            args[name] = token(dice)[:8]

    return path, args, page


def main(truth, count, host='press.example', seed='1'):
    dice = random.Random(seed)

    for _ in range(int(count)):
        path, args, page = one(dice)
        names = list(args)
        dice.shuffle(names)
        query = '&'.join('%s=%s' % (name, args[name]) for name in names)
        url = 'https://%s%s%s' % (host, path, '?' + query if query else '')

        if truth:
            print('page', url, page, sep='\t')
        else:
            print(url)


if __name__ == '__main__':
    words = [word for word in sys.argv[1:] if not word.startswith('--')]
    main('--truth' in sys.argv, *words)
