#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Small sites, each of which has something that a learner may take for what it
# is not.  They are hosts of one server:
#
#     traps.py serve SOCKET
#     traps.py names                 of all sites, one a line
#     traps.py hosts SITE            of one, the host that counts most first
#     traps.py urls SITE             what it is asked for
#     traps.py check SITE MIQPS MAP  whether the map does what it must
#
# A site is a function that makes a page of what was asked for, and a line of
# the table SITES: what it is asked for, what has to stay, and what has to go.
# All else may go or stay; hosts and paths always stay.

import http.server
import os
import random
import re
import socketserver
import subprocess
import sys
import time
import urllib.parse
import zlib

URLS = 1000
OTHERS = 200        # more, that nobody has seen when the map is made

WORDS = ['amber', 'basil', 'cedar', 'dune', 'ember', 'fern', 'grove', 'hazel',
         'iris', 'jade', 'kelp', 'lilac', 'maple', 'north', 'opal', 'pine',
         'quartz', 'river', 'sage', 'tide', 'umber', 'vale', 'willow',
         'yarrow', 'zinc', 'shoe', 'coat', 'lamp', 'chair', 'table', 'bowl',
         'scarf']


def words(of, n):
    """Some that depend on a text and nothing else."""
    start = zlib.crc32(repr(of).encode())
    dice = random.Random(start)
    return ' '.join(dice.choice(WORDS) + str(dice.randrange(50))
                    for _ in range(n))


def anything(n):
    """Some that are others each time."""
    return words(os.urandom(8), n)


MENU = '<nav><ul>%s</ul></nav>' % ''.join(
    '<li>menu %s</li>' % words(i, 2) for i in range(15))


def html(title, body, head=''):
    return ('<!doctype html><html lang=en><head><title>%s</title>%s</head>'
            '<body>%s<h1>%s</h1>%s<footer>about us contact terms imprint all '
            'rights reserved here forever</footer></body></html>'
            % (title, head, MENU, title, body))


def item(ask, more=''):
    """A page of its own for each id, and nothing special."""
    return html('Item ' + ask['id'],
                '<p>%s</p>%s' % (words(ask['id'], 60), more))


class Ask:
    """What is asked for: a parameter that is not there is empty."""

    def __init__(self, host, target, headers):
        self.host = host
        self.path, _, self.query = target.partition('?')
        self.args = urllib.parse.parse_qs(self.query, keep_blank_values=True)
        self.headers = headers
        self.status = 200
        self.answer = []

    def __getitem__(self, name):
        return self.args.get(name, [''])[0]

    def say(self, name, value):
        self.answer.append((name, value))

    def moved(self, to):
        self.status = 301
        self.say('Location', to)
        return 'moved'


# --- controls: whatever learns nothing at all does not pass

def plain(ask):
    return item(ask)


def tick(ask):
    return item(ask, '<p>It is %s</p>' % time.strftime('%H:%M:%S'))


def made(ask):
    return item(ask, '<p>Page generated in %.3f s with %d queries</p>'
                % (random.random() / 100, random.randrange(9, 40)))


def session(ask):
    ask.say('Set-Cookie', 'sid=%s; Path=/' % os.urandom(8).hex())
    ask.say('Set-Cookie', 'seen=1; Expires=' + time.strftime(
        '%a, %d %b %Y %H:%M:%S GMT', time.gmtime(time.time() + 3600)))
    return item(ask)


def vary_order(ask):
    ask.say('Vary', 'Accept-Encoding, Cookie' if 'v' in ask.args
            else 'cookie,Accept-Encoding')
    return item(ask)


def keeps_trackers(ask):
    if ask.path.startswith('/item/'):
        ask.args['id'] = [ask.path[6:]]
        return item(ask)

    rest = [(k, v) for k, v in urllib.parse.parse_qsl(ask.query) if k != 'id']
    return ask.moved('/item/' + ask['id']
                     + ('?' + urllib.parse.urlencode(rest) if rest else ''))


# --- what is said beside the page

def cookie(ask):
    ask.say('Set-Cookie', 'partner=%s; Path=/' % (ask['aff'] or 'none'))
    return item(ask)


def cookie_session(ask):
    ask.say('Set-Cookie', 'sid=' + os.urandom(8).hex())
    return cookie(ask)


def cookie_moved(ask):
    if ask.path != '/p':
        ask.args['id'] = [ask.path[3:]]
        return item(ask)

    if ask['aff']:
        ask.say('Set-Cookie', 'partner=' + ask['aff'])
    return ask.moved('/p/' + ask['id'])


def vary(ask):
    if 'loc' in ask.args:
        ask.say('Vary', 'Accept-Language')
    return item(ask)


# --- what only some can see

def language(ask):
    german = ask.headers.get('Accept-Language', '').startswith('de')
    return item(ask, '<p>Preise in %s</p>' % ask['cur']
                if german and ask['cur'] else '')


def mobile(ask):
    phone = 'Mobile' in ask.headers.get('User-Agent', '')
    return item(ask, '<p>Layout %s</p>' % ask['skin']
                if phone and ask['skin'] else '')


# --- what matters seldom

def variant(ask):
    number = int(ask['id'] or 0)
    own = [str(4 * number + k) for k in range(4)]
    k = own.index(ask['variant']) if ask['variant'] in own else 0
    return html('Product %d' % number, '<p>%s</p><p>Color %s price %d EUR</p>'
                % (words(number, 60), words((number, k), 1),
                   10 + 3 * k + number % 50))


def one_in_five(ask):
    here = int(ask['id'] or 0) % 5 == 0 and ask['color'] in COLORS
    return html('Product ' + ask['id'], '<p>%s</p><p>Shown%s</p>'
                % (words(ask['id'], 60), ' in ' + ask['color'] if here
                   else ''))


def values(ask, here=True):
    offer = here and ask['ref'].isdigit() and int(ask['ref']) % 5 == 0
    return html('%s %s' % (ask.path, ask['id']), '<p>%s</p>%s'
                % (words((ask.path, ask['id']), 60),
                   '<p>Partner offer %s</p>' % words(ask['ref'], 20)
                   if offer else ''))


def one_path(ask):
    return values(ask, ask.path == '/k7.php')


def one_page(ask):
    here = ask['ref'] if ask.path == '/directory' else ''
    return html('About ' + ask.path[1:],
                '<p>%s</p>' % words((ask.path, here), 60))


def errors(ask):
    if ask.path == '/c.php':
        if not ask['id']:
            ask.status = 500
            return 'error'
        return item(ask)
    return html('Static ' + ask.path, '<p>%s</p>' % words(ask.path, 60))


# --- what nobody can tell

def break_page(ask):
    return html('Back soon', '<p>We will be right back after a short break, '
                'thank you for your patience</p>')


def live(ask):
    if ask.path == '/live.php':
        view = ask['view'] or 'all'
        return html('Live ' + view, '<h2>%s</h2><p>%s</p>%s'
                    % (view, words(view, 10),
                       ''.join('<p>%s</p>' % anything(30) for _ in range(6))))
    return html('Static ' + ask.path + ask['n'],
                '<p>%s</p>' % words((ask.path, ask['n']), 60))


def quote(ask):
    return html('A quote', '<p>%s</p><blockquote>%s</blockquote>'
                % (words('quotes', 20),
                   words((ask['of'], random.randrange(50)), 200)))


# --- what matters seldom, and is found with what is left of the budget

def seldom(percent, *of):
    return zlib.crc32(repr(of).encode()) % 1000 < 10 * percent


def fallback(ask):
    own = ask['lang'] if seldom(10, 'lang', ask['id']) else ''
    return html('Page ' + ask['id'], '<p>%s</p>' % words((ask['id'], own), 60))


def unit(ask):
    shown = ask['unit'] if seldom(10, 'unit', ask['id']) else ''
    return item(ask, '<p>Length in %s</p>' % shown if shown else '')


def only_table(ask):
    unit = ask['units'] or 'metric'
    return item(ask, '<p>View %s</p>%s' % (ask['view'], '<p>in %s</p>' % unit
                if ask['view'] == 'table' else ''))


def limited(ask):
    n = 30 if seldom(12, 'list', ask['cat']) else len(ask['cat']) % 9
    lines = [words((ask['cat'], k), 3) for k in range(n)]
    return html('List', '<p>%s</p><ul>%s</ul>'
                % (words(ask['cat'], 40), ''.join('<li>%s</li>' % line
                   for line in lines[:int(ask['limit'] or 10)])))


def slashes(ask):
    name = ask.path.strip('/')
    own = seldom(8, name) and ask.path.endswith('/')
    return html('Page', '<p>%s</p>' % words((name, own), 60))


def seldom_ad(ask):
    advert = '<p>%s</p>' % anything(45) if random.random() < 0.05 else ''
    return item(ask, advert)


# --- what is easily overlooked

def edge(ask):
    return item(ask, '<esi:include src="/part/%s"/>' % (ask['region'] or 'us'))


def robots(ask):
    return html('Item', '<p>%s</p>' % words(ask['id'], 60),
                '<meta name=robots content=%s><meta name=csrf content=%s>'
                % ('noindex' if ask['region'] else 'index',
                   os.urandom(8).hex()))


def background(ask):
    return item(ask, '<div style="background: url(/i/%s/%s.jpg)"></div>'
                % (ask['id'], ask['region'] or 'us'))


def data(ask):
    return item(ask, '<div id=app data-region=%s data-nonce=%s></div>'
                % (ask['region'] or 'us', os.urandom(8).hex()))


def chosen(ask):
    some = ''.join('<li>%s</li>' % words(k, 4)
                   for k in random.sample(range(40), 5))
    return item(ask, '<ul>%s<li>in %s</li></ul>'
                % (some, ask['region'] or 'us'))


def sorted_by(ask):
    lines = [words((ask['cat'], k), 3) for k in range(8)]
    random.shuffle(lines)
    if ask['sort']:
        lines.sort(key=lambda line: zlib.crc32((ask['sort']
                                                + line).encode()))
    return html('List', '<p>%s</p><ul>%s</ul>'
                % (words(ask['cat'], 40),
                   ''.join('<li>%s</li>' % line for line in lines)))


def breadcrumb(ask):
    where = 'Home &gt; %s &gt; Item' % (ask['from'] or 'All')
    return item(ask, '<p>%s</p>' % where)


def shuffled(ask):
    items = [words((ask['cat'], ask['page'] or '1', k), 4) for k in range(8)]
    random.shuffle(items)
    return html('Catalogue', '<p>%s</p><p>Category %s</p><ul>%s</ul>'
                % (words('intro', 60), ask['cat'],
                   ''.join('<li>%s</li>' % text for text in items)))


def place(ask):
    return item(ask, '<div>%s</div><div>%s</div><div>%d%s</div>'
                % (time.time(), os.urandom(8).hex(), len(ask['id']) * 7,
                   ask['cur'] or 'EUR'))


def cells(ask):
    return item(ask, '<table><tr><td>%s</td><td>%s</td></tr><tr><td>%d%s</td>'
                '</tr></table>' % (time.time(), os.urandom(8).hex(),
                                   int(ask['id'] or 0) * 7,
                                   ask['cur'] or 'EUR'))


def picture(ask):
    period = '&amp;period=' + ask['period'] if ask['period'] else ''
    return item(ask, '<img src="/png?dev=%s%s" alt=graph>'
                % (ask['id'], period))


def download(ask):
    return item(ask, '<a href="/get/%s/%s">Download</a>'
                % (ask['id'], ask['ver'] or '1'))


def hidden(ask):
    return item(ask, '<form action=/cart method=post><input type=hidden '
                'name=sku value="%s-%s"><button>Buy now</button></form>'
                % (ask['id'], ask['size'] or 'm'))


def told(ask):
    return item(ask, '<div id=x></div><script>var state={"tab":"%s"};document.'
                'getElementById("x").textContent=state.tab</script>'
                % (ask['tab'] or 'main'))


def spa(ask):
    return html('App', '<p>%s</p><div id=root></div><script>fetch("/api"+'
                'location.search)</script>' % words('spa', 30))


# --- how URLs are written

def search(ask):
    return html('Search', '<p>results for %s</p><p>%s</p>'
                % (ask['q'], words(ask['q'], 60)))


def semicolons(ask):
    args = dict(p.partition('=')[::2] for p in re.split('[&;]', ask.query))
    return html('Item', '<p>%s</p>'
                % words((args.get('id'), args.get('size')), 60))


def listed(ask):
    return html('Some of many', '<p>%s</p>'
                % words(sorted(ask.args.get('s[]', [])), 60))


def empty(ask):
    return html('List ' + ask['cat'],
                '<p>%s</p>' % words((ask['cat'], ask['q']), 60))


def folded(ask):
    ask.args['id'] = [ask['id'].lower()]
    return item(ask)


def two_names(ask):
    ask.args['id'] = [ask['id'] or ask['pid']]
    return item(ask)


# --- paths and hosts that are nearly the same

def tongues(ask):
    _, tongue, number = (ask.path + '//').split('/')[:3]
    own = tongue if int(number or 0) % 10 == 0 else ''
    return html('Page ' + number, '<p>%s</p>' % words((number, own), 60))


def halls(ask):
    _, hall, number = (ask.path + '//').split('/')[:3]
    own = hall if int(number or 0) % 4 == 0 else ''
    return html('Page ' + number, '<p>%s</p>' % words((number, own), 60))


def mirror(ask):
    own = ask.host if int(ask['id'] or 0) % 4 == 0 else ''
    return html('Item ' + ask['id'],
                '<p>%s</p>' % words((ask['id'], own), 60))


# --- what they are asked for

COLORS = ['red', 'blue', 'green', 'black', 'grey', 'pink']
PLACES = ['w' + word for word in WORDS]


def some(values, share=1.0):
    """One of the values, in a share of URLs."""
    return lambda dice: (dice.choice(values) if dice.random() < share
                         else None)


def trk(dice):
    return '%08x' % dice.randrange(1 << 32) if dice.random() < 0.4 else None


ID = some([str(i) for i in range(1, 250)])
PARTNER = some(['p%d' % i for i in range(90)], 0.5)
REF = some([str(i) for i in range(1000)], 0.6)
TAB = some(['spec', 'rev', 'qa', 'pics', 'more'], 0.5)
CURRENCY = some(['USD', 'GBP', 'CHF', 'SEK'], 0.5)
REGION = some(['eu', 'as', 'af'], 0.4)


def own_variants(dice):
    number = dice.randrange(1, 250)
    own = 4 * number + (0 if dice.random() < 0.6 else dice.randrange(1, 4))
    return [('id', str(number)),
            ('variant', str(own) if dice.random() < 0.25 else None)]


def either(dice):
    number = str(dice.randrange(1, 250))
    share = dice.random()
    return [('id', number if share < 0.7 else None),
            ('pid', number if share > 0.3 else None)]


def several(dice):
    return [('s[]', str(k)) for k in dice.sample(range(9),
                                                 dice.randrange(1, 4))]


def any_letters(dice):
    word = dice.choice(WORDS)
    return [('id', dice.choice([word, word.upper(), word.title()]))]


def anywhere(dice):
    return '/directory' if dice.random() < 0.02 else '/' + dice.choice(PLACES)


def below(*heads):
    return lambda dice: '/%s/%d' % (dice.choice(heads),
                                    dice.randrange(1, 250))


def any_slash(dice):
    return '/%s%d%s' % (dice.choice(WORDS), dice.randrange(9),
                        dice.choice(['', '/']))


def by_path(**names):
    """What has to stay, by the last word of a path; or by any."""
    return lambda path, args: names.get(path.strip('/').partition('.')[0],
                                        names['other'])


class Site:
    def __init__(self, page, args, stays, goes='trk', path='/p', hosts=(),
                 more=None, join='&', fold=False):
        self.page = page
        self.args = dict(args, trk=trk)
        self.stays = stays if callable(stays) else lambda path, args: stays
        self.goes = goes.split()
        self.path = path
        self.hosts = hosts
        self.more = more
        self.join = join
        self.fold = fold


# "a|b" stays if one of these does, by whatever name

SITES = {
    'plain': Site(plain, {'id': ID, 'src9': REF}, 'id', 'trk src9'),
    'tick': Site(tick, {'id': ID, 'src9': REF}, 'id', 'trk src9'),
    'made': Site(made, {'id': ID, 'src9': REF}, 'id', 'trk src9'),
    'session': Site(session, {'id': ID}, 'id'),
    'vary-order': Site(vary_order, {'id': ID, 'v': REF}, 'id', 'trk v'),
    'keeps-trackers': Site(keeps_trackers, {'id': ID, 'cmp': PARTNER}, 'id',
                           'trk cmp'),

    'cookie': Site(cookie, {'id': ID, 'aff': PARTNER}, 'id aff'),
    'cookie-session': Site(cookie_session, {'id': ID, 'aff': PARTNER},
                           'id aff'),
    'cookie-moved': Site(cookie_moved, {'id': ID, 'aff': PARTNER}, 'id aff'),
    'vary': Site(vary, {'id': ID, 'loc': REF}, 'id loc'),

    'language': Site(language, {'id': ID, 'cur': CURRENCY}, 'id cur'),
    'mobile': Site(mobile, {'id': ID, 'skin': TAB}, 'id skin'),

    'variant': Site(variant, {}, lambda path, args: 'id variant'
                    if int(args.get('variant', '0')) % 4 else 'id', '',
                    more=own_variants),
    'one-in-five': Site(one_in_five, {'id': ID, 'color': some(COLORS, 0.25)},
                        'id color'),
    'values': Site(values, {'id': ID, 'ref': REF}, 'id ref'),
    'one-path': Site(one_path, {'id': ID, 'ref': REF},
                     by_path(k7='id ref', other='id'), '',
                     lambda dice: '/k%d.php' % dice.randrange(1, 8)),
    'one-page': Site(one_page, {'ref': REF},
                     by_path(directory='ref', other=''), '', anywhere),
    'errors': Site(errors, {'id': ID}, by_path(c='id', other=''), '',
                   some(['/a.php', '/b.php', '/d.php', '/c.php'])),

    'fallback': Site(fallback, {'id': ID,
                                'lang': some(['de', 'fr', 'es'], 0.4)},
                     'id lang'),
    'unit': Site(unit, {'id': ID, 'unit': some(['km', 'mi', 'ft'], 0.3)},
                 'id unit'),
    'only-table': Site(only_table, {'id': ID,
                                    'view': some(['table', 'list', 'map'],
                                                 0.4),
                                    'units': some(['metric', 'us'], 0.4)},
                       'id view units'),
    'limited': Site(limited, {'cat': ID, 'limit': some(['20', '25', '50'],
                                                       0.4)}, 'cat limit'),
    'slashes': Site(slashes, {}, '', '', any_slash),
    'seldom-ad': Site(seldom_ad, {'id': ID, 'src9': REF}, 'id', 'trk src9'),

    'break': Site(break_page, {'id': ID}, 'id', ''),
    'live': Site(live, {'n': some([str(i) for i in range(30)], 0.7),
                        'view': some(['sport', 'news', 'chat']
                                     + ['x%d' % i for i in range(50)])},
                 by_path(live='view', other='n'), '',
                 some(['/a.php', '/b.php', '/d.php', '/live.php'])),
    'quote': Site(quote, {'of': some(WORDS)}, 'of', ''),

    'breadcrumb': Site(breadcrumb, {'id': ID, 'from': some(COLORS, 0.5)},
                       'id from'),
    'shuffled': Site(shuffled, {'cat': some(list('012345678')),
                                'page': some([str(i) for i in range(2, 30)],
                                             0.5)}, 'cat page', ''),
    'place': Site(place, {'id': ID, 'cur': CURRENCY}, 'id cur'),
    'cells': Site(cells, {'id': ID, 'cur': CURRENCY}, 'id cur'),
    'picture': Site(picture, {'id': ID, 'period': TAB}, 'id period'),
    'download': Site(download, {'id': ID, 'ver': some([str(i) for i in
                                                       range(2, 60)], 0.5)},
                     'id ver'),
    'hidden': Site(hidden, {'id': ID, 'size': some(['s', 'l', 'xl'], 0.5)},
                   'id size'),
    'edge': Site(edge, {'id': ID, 'region': REGION}, 'id region'),
    'robots': Site(robots, {'id': ID, 'region': REGION}, 'id region'),
    'background': Site(background, {'id': ID, 'region': REGION}, 'id region'),
    'data': Site(data, {'id': ID, 'region': REGION}, 'id region'),
    'chosen': Site(chosen, {'id': ID, 'region': REGION}, 'id region'),
    'sorted': Site(sorted_by, {'cat': some(WORDS),
                               'sort': some(['name', 'price', 'new'], 0.5)},
                   'cat sort'),
    'told': Site(told, {'id': ID, 'tab': TAB}, 'id tab'),
    'spa': Site(spa, {'id': ID, 'tab': TAB}, 'id tab', ''),

    'search': Site(search, {'q': some(['a+b', 'a%20b', 'c+d', 'e%20f']
                                      + ['w%d+x' % i for i in range(90)]
                                      + ['w%d%%20x' % i for i in range(90)])},
                   'q'),
    'semicolons': Site(semicolons, {'id': ID, 'size': TAB}, 'id size', '',
                       join='&;'),
    'listed': Site(listed, {}, 's[]', more=several),
    'empty': Site(empty, {'cat': some([str(i) for i in range(99)]),
                          'q': some(['', '', 'abc', 'def']
                                    + ['x%d' % i for i in range(99)], 0.6)},
                  lambda path, args: 'cat q' if args.get('q') else 'cat'),
    'folded': Site(folded, {}, 'id', more=any_letters, fold=True),
    'letters': Site(plain, {}, 'id', more=any_letters),
    'two-names': Site(two_names, {}, 'id|pid', '', more=either),

    'tongues': Site(tongues, {}, '', '', below('en', 'de')),
    'halls': Site(halls, {}, '', '', below('north', 'south')),
    'mirror': Site(mirror, {'id': ID}, 'id', '',
                   hosts=('www.mirror.example', 'www.mirror.example',
                          'm.mirror.example'))
}


def hosts(name):
    return SITES[name].hosts or ('%s.example' % name,)


def urls(name, seed, n):
    dice = random.Random('%s %s' % (name, seed))
    site = SITES[name]

    for _ in range(n):
        path = site.path(dice) if callable(site.path) else site.path
        args = [(key, value(dice)) for key, value in site.args.items()]
        args += site.more(dice) if site.more else []
        args = ['='.join(pair) for pair in args if pair[1] is not None]
        dice.shuffle(args)

        query = dice.choice(site.join).join(args)
        yield 'http://%s%s%s' % (dice.choice(hosts(name)), path,
                                 '?' + query if query else '')


# --- and what must become of it

def parts(url):
    base, _, query = url.partition('?')
    return base, query.split('&') if query else []


def wrong(site, url, made):
    """What is wrong with what a map has made of a URL; or None."""
    base, args = parts(url)
    new, left = parts(made)
    path = '/' + base.split('/', 3)[3]
    given = dict(arg.partition('=')[::2] for arg in args)

    if new != base:
        return 'it is elsewhere'

    if any(';' in arg and arg not in left for arg in args):
        return 'what has semicolons has lost some'

    if site.fold:
        args, left = [[arg.lower() for arg in of] for of in (args, left)]

    for names in site.stays(path, given).split():
        of = [arg for arg in args if arg.partition('=')[0]
              in names.split('|')]
        kept = [arg for arg in of if arg in left]

        if '|' in names:
            lost = not {arg.partition('=')[2] for arg in of} \
                & {arg.partition('=')[2] for arg in left}
        else:
            lost = kept != of

        if of and lost:
            return 'it has lost ' + names

    for name in site.goes:
        if any(arg.partition('=')[0] == name for arg in left):
            return 'it still has ' + name

    return None


def normalized(miqps, image, given):
    """Without a map, which is as good as one of which nothing is known."""
    if not os.path.exists(image):
        return given

    return subprocess.run([miqps, 'normalize', '--map', image],
                          input='\n'.join(given) + '\n', check=True,
                          stdout=subprocess.PIPE,
                          encoding='ascii').stdout.split('\n')[:-1]


def check(name, miqps, image):
    given = list(urls(name, 1, URLS)) + list(urls(name, 2, OTHERS))
    made = normalized(miqps, image, given)
    bad = 0

    for url, to in zip(given, made):
        why = wrong(SITES[name], url, to)

        if why is not None:
            bad += 1
            if bad <= 3:
                print('%s: %s became %s: %s' % (name, url, to, why))

    return len(made) == len(given) and bad == 0


# --- the server

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        ask = Ask(self.headers['Host'], self.path, self.headers)
        name = next((name for name in SITES if ask.host in hosts(name)), None)

        # nobody's file, and what is asked for to see what is not there

        if name is None or ask.path == '/robots.txt' or 'miqps-' in ask.path:
            ask.status = 404
            body = 'not here'
        else:
            body = SITES[name].page(ask)

        body = body.encode()
        self.send_response(ask.status)
        self.send_header('Content-Type', 'text/html; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        for header in ask.answer:
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 256

    def get_request(self):
        request, _ = super().get_request()
        return request, ('nginx', 0)


def main(verb, name='', *more):
    if verb == 'serve':
        Server(name, Handler).serve_forever()
    elif verb == 'names':
        print('\n'.join(SITES))
    elif verb == 'hosts':
        print('\n'.join(dict.fromkeys(hosts(name))))
    elif verb == 'urls':
        print('\n'.join(urls(name, 1, URLS)))
    else:
        sys.exit(not check(name, *more))


if __name__ == '__main__':
    main(*sys.argv[1:])
