#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# What the wikis of apps.sh are filled with:
#
#     apps_wiki.py mediawiki > dump.xml
#     apps_wiki.py dokuwiki FOLDER        pages, old ones, and what changed
#
# apps.py knows these pages, too.

import gzip
import os
import random
import sys
import time

WORDS = ['amber', 'basil', 'cedar', 'dune', 'ember', 'fern', 'grove', 'hazel',
         'iris', 'jade', 'kelp', 'lilac', 'maple', 'north', 'opal', 'pine',
         'quartz', 'river', 'sage', 'tide', 'umber', 'vale', 'willow',
         'yarrow', 'zinc']

PAGES = 60
CHANGES = 3                     # of each page
REDIRECTS = 3                   # pages that lead to others
FIRST = 2                       # number of the first revision
EDITED = 1750000000             # of the first page of DokuWiki


def title(i):
    """Of a page, from 0."""
    return '%s_%s' % (WORDS[i % 25].capitalize(), WORDS[(i * 7 + i // 25) % 25])


def text(i, change):
    dice = random.Random('%d %d' % (i, change))
    parts = []

    for k in range(4):
        parts.append('== Part %d of %s ==\n\n%s\n'
                     % (k + 1, title(i).replace('_', ' '),
                        ' '.join(dice.choices(WORDS, k=60))))

    parts.append('It was changed %d times.' % change)

    return '\n'.join(parts)


def mediawiki():
    now = int(time.time())
    print('<mediawiki xml:lang="en">')

    for i in range(PAGES + REDIRECTS):
        name = title(i) if i < PAGES else 'Way_%d' % (i - PAGES)
        print('<page><title>%s</title><ns>0</ns>' % name.replace('_', ' '))

        for change in range(CHANGES if i < PAGES else 1):
            at = now - 86400 - 21600 * (3 * (PAGES + REDIRECTS - i) - change)
            body = text(i, change) if i < PAGES \
                else '#REDIRECT [[%s]]' % title(i - PAGES).replace('_', ' ')
            print('<revision><timestamp>%s</timestamp><contributor><username>'
                  'User%d</username></contributor><comment>change %d</comment>'
                  '<model>wikitext</model><format>text/x-wiki</format>'
                  '<text xml:space="preserve">%s</text></revision>'
                  % (time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(at)),
                     i % 3, change, body))

        print('</page>')

    print('</mediawiki>')


# pages of DokuWiki are in folders, and have names without capital letters

def doku(i):
    return '%s:%s' % (WORDS[i % 5], title(i).lower())


def edited(i, change):
    return EDITED + 1000000 * change + 7919 * i


def dokuwiki(folder):
    for i in range(PAGES):
        space, name = doku(i).split(':')

        for kind in 'pages', 'attic', 'meta':
            os.makedirs(os.path.join(folder, kind, space), exist_ok=True)

        page = os.path.join(folder, 'pages', space, name + '.txt')
        changes = os.path.join(folder, 'meta', space, name + '.changes')

        with open(changes, 'w') as log:
            for change in range(CHANGES):
                at = edited(i, change)
                log.write('\t'.join([str(at), '192.0.2.7', 'E', doku(i),
                                     'user%d' % (i % 3),
                                     'change %d' % change, '', '10']) + '\n')
                old = os.path.join(folder, 'attic', space,
                                   '%s.%d.txt.gz' % (name, at))

                with gzip.open(old, 'wt') as file:
                    file.write(wikitext(i, change))

        with open(page, 'w') as file:
            file.write(wikitext(i, CHANGES - 1))

        os.utime(page, (edited(i, CHANGES - 1),) * 2)

    # a list of all changes, the last ones of each page

    with open(os.path.join(folder, 'meta', '_dokuwiki.changes'), 'w') as log:
        for i in range(PAGES):
            log.write('\t'.join([str(edited(i, CHANGES - 1)), '192.0.2.7',
                                 'E', doku(i), 'user%d' % (i % 3),
                                 'change', '', '10']) + '\n')


def wikitext(i, change):
    return text(i, change).replace('== ', '===== ').replace(' ==', ' =====') \
        + '\n\nSee [[%s]] and [[%s]].\n' % (doku((i + 1) % PAGES),
                                             doku((i + 7) % PAGES))


if __name__ == '__main__':
    globals()[sys.argv[1]](*sys.argv[2:])
