#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Asks an application whether the truth of apps.py about it is true:
#
#     apps_check.py SOCKET COUNT [SEED] < truth
#
# So many URLs, taken at random, are fetched, and the page that each is said to
# be.  What is seen of both must be the same, apart from what differs when the
# page is fetched twice; and what is seen of two pages must not be.  Pages that
# are there for editing are left alone, since that locks them.

import difflib
import html
import http.client
import random
import re
import socket
import sys


class Client:
    def __init__(self, path):
        self.path = path
        self.pages = {}

    def get(self, url):
        """Status, and what is seen, as lines."""
        host, target = re.match('https?://([^/]*)(.*)', url).groups()

        for _ in range(5):
            client = http.client.HTTPConnection('localhost')
            client.sock = socket.socket(socket.AF_UNIX)
            client.sock.connect(self.path)
            client.request('GET', target, headers={'Host': host,
                                                   'Miqps-Learn': 'http'})
            answer = client.getresponse()
            body = answer.read().decode('utf-8', 'replace')

            if answer.status not in (301, 302, 303, 307):
                break

            target = re.sub('^https?://[^/]*', '',
                            answer.headers['Location'])

        return answer.status, lines(body)

    def page(self, url):
        """The same, of a page, and which of its lines stay."""
        if url not in self.pages:
            status, one = self.get(url)
            self.pages[url] = status, one, noise(one, self.get(url)[1])

        return self.pages[url]


def lines(body):
    body = re.sub('(?is)<!--.*?-->|<(script|style|template)\\b.*?</\\1>', '',
                  body)
    body = re.sub('(?i)<img\\b[^>]*?src="([^"?]*)[^>]*>', ' \\1 ', body)
    body = re.sub('(?is)</?(?:p|div|li|td|th|tr|h[1-6]|title|br|dt|dd|pre|'
                  'form|option|header|footer|nav)\\b[^>]*>', '\n', body)
    body = re.sub('(?s)<[^>]*>', '', body)

    return [' '.join(line.split()) for line in html.unescape(body).split('\n')
            if line.strip()]


def noise(one, two):
    """Words of lines that differ become nothing."""
    gone = set()

    for tag, a, b, c, d in difflib.SequenceMatcher(None, one, two,
                                                   False).get_opcodes():
        if tag != 'equal':
            gone.update(bare(line) for line in one[a:b] + two[c:d])

    return gone


def bare(line):
    return re.sub('[0-9a-f]*[0-9][0-9a-f]*', '#', line)


def seen(text, gone):
    return [line for line in text if bare(line) not in gone]


def main(path, count, seed='1'):
    dice = random.Random(seed)
    client = Client(path)
    truth = [row.rstrip('\n').split('\t')[1:] for row in sys.stdin
             if row.startswith('page\t') and '=edit' not in row]
    bad = 0

    for full, page in dice.sample(truth, min(int(count), len(truth))):
        status, text, gone = client.page(page)

        if bare(text[0]) in gone:
            continue              # a page with another title each time

        got = client.get(full)

        if (status, seen(text, gone)) != (got[0], seen(got[1], gone)):
            del client.pages[page]            # a clock may have moved on
            status, text, gone = client.page(page)
            got = client.get(full)

        if (status, seen(text, gone)) != (got[0], seen(got[1], gone)):
            bad += 1
            print('not the same: %s\n              %s' % (full, page))
            print('\n'.join(list(difflib.unified_diff(
                seen(text, gone), seen(got[1], gone), str(status),
                str(got[0]), lineterm=''))[:20]))

        elif status != 200:
            bad += 1
            print('%d: %s' % (status, full))

    found = {}

    for url, (_, text, gone) in client.pages.items():
        if bare(text[0]) in gone:
            continue

        other = found.setdefault('\n'.join(seen(text, gone)), url)

        if other != url:
            bad += 1
            print('the same: %s\n          %s' % (other, url))

    print('%d pages, %d mistakes' % (len(client.pages), bad))

    return bad > 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
