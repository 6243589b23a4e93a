#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# What packaged applications are asked for, and the truth about it:
#
#     apps.py APP URLS [SEED] > urls
#     apps.py --truth APP URLS [SEED] > truth
#
# Applications are those that apps.sh starts and fills.  The truth has a line
# for each URL, as that of traffic.py; the name of a page is the shortest URL
# that shows it, so that apps_check.py can ask the application itself whether
# it is true.

import random
import sys

import apps_wiki as wiki


# --- what is added to URLs and nobody reads

def token(n):
    return lambda dice: ''.join(dice.choices('0123456789abcdef', k=n))


CAMPAIGNS = ['spring', 'summer', 'autumn', 'winter', 'launch', 'digest']

LISTED = {                        # lists of trackers have these
    'utm_source': lambda dice: dice.choice(['mail', 'feed', 'social', 'ads']),
    'utm_medium': lambda dice: dice.choice(['email', 'cpc', 'rss']),
    'utm_campaign': lambda dice: '%s-%d' % (dice.choice(CAMPAIGNS),
                                            dice.randrange(40)),
    'gclid': token(22),
    'fbclid': token(30),
}

OWN = {                           # and nobody else has these
    'trk': token(10),
    'cmpgn': lambda dice: 'c%d' % dice.randrange(300),
    'visit': token(16),
    'xref': lambda dice: str(dice.randrange(100000)),
    'pos': lambda dice: str(dice.randrange(1, 60)),
}


def noise(dice):
    args = {}

    for names, most in ((LISTED, 3), (OWN, 2)):
        if dice.randrange(2):
            for name in dice.sample(sorted(names), dice.randint(1, most)):
                args[name] = names[name](dice)

    return args


def often(dice, n):
    """A number below n; small ones come more often."""
    return min(int(n * dice.random() ** 2.5), n - 1)


def url(path, args):
    return path + ('?' if args else '') + '&'.join(
        name if value is None else '%s=%s' % (name, value)
        for name, value in args.items())


# --- Mercurial's hg serve: 120 changes of 7 files

HG_STYLES = ['paper', 'gitweb', 'monoblue', 'spartan']


def hg(dice):
    kind = dice.choices(['rev', 'shortlog', 'search', 'file', 'annotate',
                         'comparison', 'graph', 'list', 'old'],
                        weights=[28, 15, 10, 18, 11, 6, 4, 6, 2])[0]
    change = 119 - often(dice, 119)
    name = 'file%d.txt' % (change % 7)
    args, page = {}, {}

    if kind in ('rev', 'old'):
        path = main = '/rev/%d' % change

        if kind == 'old':
            path = '/'
            args.update(cmd='changeset', node=change)

    elif kind in ('shortlog', 'graph'):
        change = 115 - 10 * often(dice, 8)
        path = main = '/%s/%d' % (kind, change)

        if dice.randrange(2):
            count = dice.choice([10, 20, 30])
            args['revcount'] = page['revcount'] = count

    elif kind == 'search':
        path = main = '/log'
        args['rev'] = page['rev'] = dice.choice(
            ['user%d' % often(dice, 3), 'change+%d' % often(dice, 30)])

    elif kind in ('file', 'annotate', 'comparison'):
        path = main = '/%s/%d/%s' % (kind, change, name)

        if kind == 'comparison' and dice.randrange(2):
            args['context'] = page['context'] = dice.choice([0, 1, 2])

    else:
        path = main = '/' + dice.choice(['tags', 'branches', 'bookmarks'])

    if kind != 'graph' and dice.randrange(4) == 0:
        style = dice.choice(HG_STYLES[:1] * 3 + HG_STYLES)
        args['style'] = style

        if style != 'paper':
            page['style'] = style

    return path, args, url(main, page)


# --- Apache's lists of files: 40 folders.  It reads parameters up to the first
# that it does not know, which is why all that is added comes last; as
# "apache-first" it comes first in a fifth of the URLs, which so are others.

def apache(dice):
    path = '/' if dice.randrange(8) == 0 else '/d%d/' % (1 + often(dice, 40))
    args, page = {}, {}

    if dice.randrange(2):
        column = dice.choice('NNMD' if path == '/' else 'NNMSD')
        order = dice.choice('AAD')
        args['C'] = column

        if column != 'N':
            page['C'] = column

        if dice.randrange(4):
            args['O'] = order

            if order != 'A':
                page['O'] = order

    if dice.randrange(10) == 0:
        form = dice.choice('02')
        args['F'] = form

        if form == '0':
            page.pop('C', None)     # these lists are by name

        page['F'] = form

    elif dice.randrange(8) == 0 and path != '/':
        args = page = {'P': dice.choice(['*.txt', '*.html', 'f1*'])}

    return path, dict(args), url(path, page)


# --- MediaWiki: pages with three versions each, see apps_wiki.py

def mediawiki(dice):
    kind = dice.choices(['view', 'old', 'diff', 'history', 'info', 'search',
                         'special', 'way', 'edit', 'random'],
                        weights=[42, 10, 8, 10, 4, 12, 6, 2, 4, 2])[0]
    i = often(dice, wiki.PAGES)
    title = wiki.title(i)
    version = wiki.FIRST + wiki.CHANGES * i + dice.randrange(wiki.CHANGES - 1)
    path = '/index.php'
    args = {'title': title}
    page = {}

    if kind == 'view':
        if dice.randrange(2):
            path, args = '/wiki/' + title, {}
        elif dice.randrange(4) == 0:
            args['action'] = 'view'

        main = '/wiki/' + title

    elif kind == 'old':
        main = path
        args['oldid'] = page['oldid'] = version

        if dice.randrange(3) == 0:
            args.pop('title')     # it is told by the version

    elif kind == 'diff':
        main = path
        args.update(diff=version + 1, oldid=version)
        page.update(diff=version + 1, oldid=version)

    elif kind in ('history', 'info', 'edit'):
        main = path
        args['action'] = kind
        page.update(args)

    elif kind == 'search':
        main = path
        word = wiki.WORDS[often(dice, 20)]
        args = {'title': 'Special:Search', 'search': word, 'fulltext': '1'}
        page.update(search=word, fulltext='1')

        if dice.randrange(3) == 0:
            args['profile'] = 'default'

        if dice.randrange(3) == 0:
            args['offset'] = page['offset'] = 20
            args['limit'] = page['limit'] = 20

    elif kind == 'special':
        main = path
        args = dice.choice([
            {'title': 'Special:RecentChanges', 'days': dice.choice([1, 3, 7]),
             'limit': dice.choice([50, 100])},
            {'title': 'Special:AllPages', 'from': wiki.WORDS[often(dice, 9)]}])
        page.update(args)

    elif kind == 'way':
        main = path
        args['title'] = 'Way_%d' % dice.randrange(wiki.REDIRECTS)

        if dice.randrange(2):
            args['redirect'] = 'no'

        page.update(args)

    else:
        main = path
        args['title'] = 'Special:Random'
        page.update(args)

    if kind in ('view', 'old', 'history') and dice.randrange(5) == 0:
        name, value = dice.choice([('uselang', 'de'), ('uselang', 'fr'),
                                   ('uselang', 'en'),
                                   ('useskin', 'monobook'),
                                   ('useskin', 'vector')])
        args[name] = value

        if value not in ('en', 'vector'):
            page[name] = value

    if kind == 'view' and page:
        page = {'title': title, **page}
        main = '/index.php'

    return path, args, url(main, page)


# --- DokuWiki: the same pages, in folders

def dokuwiki(dice):
    kind = dice.choices(['view', 'old', 'list', 'search', 'backlink', 'index',
                         'recent', 'print', 'edit'],
                        weights=[42, 10, 8, 12, 6, 6, 3, 8, 4])[0]
    i = often(dice, wiki.PAGES)
    name = wiki.doku(i)
    args, page = {'id': name}, {'id': name}

    if kind == 'view':
        if dice.randrange(4) == 0:
            args['do'] = 'show'

        if dice.randrange(6) == 0:
            args['s[]'] = dice.choice(wiki.WORDS)     # it is highlighted

    elif kind == 'old':
        args['rev'] = page['rev'] = wiki.edited(i, dice.randrange(2))

    elif kind in ('list', 'backlink', 'edit', 'print'):
        args['do'] = page['do'] = {'list': 'revisions',
                                   'print': 'export_xhtml'}.get(kind, kind)

    elif kind == 'search':
        args = {'do': 'search', 'q': wiki.WORDS[often(dice, 25)]}
        page = dict(args)

        if dice.randrange(3) == 0:
            args['id'] = name         # where it was asked for
            page['id'] = name

    elif kind == 'index':
        args = {'do': 'index', 'idx': wiki.WORDS[often(dice, 5)]}
        page = dict(args)

    else:
        args = {'do': 'recent'}

        if dice.randrange(2):
            args['first[20]'] = ''

        page = dict(args)

    return '/doku.php', args, url('/doku.php', page)


APPS = {                          # host, URLs, where noise comes
    'hg': ('code.example', hg, 'anywhere'),
    'apache': ('files.example', apache, 'last'),
    'apache-first': ('files.example', apache, 'first'),
    'dokuwiki': ('doku.example', dokuwiki, 'anywhere'),
    'mediawiki': ('wiki.example', mediawiki, 'anywhere'),
}


def query(dice, args, where):
    """All parameters, in some order, and whether those that matter count."""
    more = noise(dice)

    if where == 'first' and more and dice.randrange(5) == 0:
        return {**more, **args}, False

    if where == 'anywhere':
        args = {**args, **more}
        more = {}

    names = list(args)
    dice.shuffle(names)
    args = {name: args[name] for name in names}
    args.update(more)

    return args, True


def main(truth, app, count, seed='1'):
    host, one, where = APPS[app]
    dice = random.Random(seed)

    for _ in range(int(count)):
        path, args, page = one(dice)
        args, read = query(dice, args, where)
        full = 'http://%s%s' % (host, url(path, args))
        page = page if read else url(path, {})

        if truth:
            print('page', full, 'http://%s%s' % (host, page), sep='\t')
        else:
            print(full)


if __name__ == '__main__':
    words = [word for word in sys.argv[1:] if not word.startswith('--')]
    main('--truth' in sys.argv, *words)
