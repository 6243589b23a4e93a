#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# What the shop of shop.php is asked for, and the truth about it:
#
#     traffic.py [--options] URLS [HOST [SEED]] > urls
#     traffic.py [--options] --truth URLS [HOST [SEED]] > truth
#
# With --options there are pages of which a parameter matters for some of its
# values only, "opt8" for one in eight, and sets of names are not asked for
# equally often.
#
# The truth has a line for each URL, "page", the URL and the page that it is,
# and one for each parameter of each set of names, "param", the host, the
# names, the name and "neutral", "matters" or "alias": of these one of several
# is enough; and the value that goes without saying, if there is one.  Fields
# are separated by tabs.

import random
import sys


# kinds of pages: path, weight, and names with their values

def one_of(*values):
    return lambda dice: dice.choice(values)


def below(n, first=1):
    return lambda dice: str(dice.randrange(first, n))


def token(n):
    return lambda dice: ''.join(dice.choices('0123456789abcdef', k=n))


NOISE = {                         # nobody reads these
    'trk': token(10),
    'cmpgn': lambda dice: 'spring-%d' % dice.randrange(400),
    'src_id': below(100000),
    'sid': token(16),
    'gclid': token(20),
}

VALUES = {
    'id': below(100000), 'pid': below(100000), 'n': below(3000),
    'color': one_of('red', 'green', 'blue', 'black', 'white', 'grey'),
    'lang': one_of('de', 'fr'), 'cur': one_of('USD', 'GBP'),
    'cat': lambda dice: 'c%d' % dice.randrange(300),
    'page': below(40), 'per': one_of('20', '50'),
    'sort': one_of('price', 'new'), 'q': lambda dice: 'w%d'
    % dice.randrange(2000), 'ref': below(5000), 'print': one_of('1'),
}

VALUES.update(NOISE)

# path, names that are read, sets of names that are asked for

KINDS = [
    ('/', (), ['trk', 'cmpgn', 'sid', 'cmpgn trk', 'gclid']),
    ('/product.php', ('id', 'color', 'lang', 'cur'), [
        'id', 'color id', 'id trk', 'id ref', 'color id trk', 'id sid',
        'id lang', 'cur id', 'cmpgn id src_id', 'gclid id', 'id ref trk',
        'color cur id lang', 'color id sid', 'id ref src_id']),
    ('/category.php', ('cat', 'page', 'per', 'sort', 'lang'), [
        'cat', 'cat page', 'cat sort', 'cat page sort', 'cat trk',
        'cat page trk', 'cat per', 'cat sid', 'cat lang']),
    ('/search.php', ('q', 'page', 'lang'), [
        'q', 'page q', 'q trk', 'q sid', 'cmpgn q']),
    ('/compare.php', ('ref', 'lang'), ['ref', 'ref trk']),
    ('/article.php', ('n', 'print'), ['n', 'n print', 'n trk', 'gclid n']),
    ('/item.php', ('id', 'pid', 'color', 'lang', 'cur'), [
        'pid', 'id pid', 'pid trk']),
]

OPTIONS = [2, 4, 8, 20]

VALUES.update(('opt%d' % n, below(100000)) for n in OPTIONS)

OPTION_KIND = ('/option.php', ('id', 'opt2', 'opt4', 'opt8', 'opt20'),
               ['id opt%d%s' % (n, more) for n in OPTIONS
                for more in ('', ' trk', ' lang', ' sid')])

DEFAULTS = {'page': '1', 'color': 'red', 'lang': 'en', 'cur': 'EUR',
            'per': '10', 'sort': 'name'}


def page_of(path, read, args):
    """The page that is made."""
    if path == '/item.php' and ('id' in args or 'pid' in args):
        args = dict(args)
        args['id'] = args.get('id', args.pop('pid', '0'))
        args.pop('pid', None)
        path = '/product.php'
        read = ('id', 'color', 'lang', 'cur')

    parts = []

    for name in read:
        value = args.get(name, DEFAULTS.get(name))

        if name == 'print':
            value = 'yes' if name in args else None

        if name.startswith('opt') and value is not None \
                and int(value) % int(name[3:]):
            value = None

        if value is not None:
            parts.append('%s=%s' % (name, value))

    return path + ' ' + ' '.join(parts)


def urls(count, host, seed, uneven):
    dice = random.Random(seed)
    shapes = [(path, read, names.split()) for path, read, sets in KINDS
              for names in sets]

    order = list(range(len(shapes)))

    if uneven:
        dice.shuffle(order)
        order = dice.choices(order, k=count, weights=[
            1 / (i + 1) for i in range(len(shapes))])

    for i in range(count):
        path, read, names = shapes[order[i % len(order)]]
        args = {name: VALUES[name](dice) for name in names}

        if path == '/item.php' and 'id' in args and 'pid' in args:
            args['pid'] = args['id']

        names = list(args)
        dice.shuffle(names)
        query = '&'.join('%s=%s' % (name, args[name]) for name in names)

        yield ('https://%s%s?%s' % (host, path, query), path, read, args)


def role(path, read, names, name):
    if path == '/item.php' and name in ('id', 'pid') \
            and 'id' in names and 'pid' in names:
        return 'alias'

    if name in read:
        return 'matters'

    return 'neutral'


def main(truth, options, count, host='shop.example', seed='1'):
    if not truth:
        for url, *_ in urls(int(count), host, seed, options):
            print(url)

        return

    for url, path, read, args in urls(int(count), host, seed, options):
        print('page', url, host + page_of(path, read, args), sep='\t')

    for path, read, sets in KINDS:
        for names in sets:
            names = sorted(names.split())

            for name in names:
                value = DEFAULTS.get(name) if name in read else None

                print('param', host, '&'.join(names), name,
                      role(path, read, names, name),
                      *([value] if value else []), sep='\t')


if __name__ == '__main__':
    flags = [word for word in sys.argv[1:] if word.startswith('--')]
    words = [word for word in sys.argv[1:] if not word.startswith('--')]

    if '--options' in flags:
        KINDS.append(OPTION_KIND)

    main('--truth' in flags, '--options' in flags, *words)
