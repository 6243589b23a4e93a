#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Sites whose pages redirect to each other, and insist on parameters:
#
#     maze.py serve SOCKET            many of them, made from numbers
#     maze.py walk WITH WITHOUT       a client of two servers in front of it
#
# Whatever a site is like, who follows its redirects through the module is never
# led in circles by a redirect that the module has changed.  A site may go round
# by itself where "sid" is missing, which is to say that it should not have been
# stripped: then a client or two find that out, and others are led past it.
# Prints TAP without numbers.

import http.server
import random
import re
import socket
import sys
import urllib.parse

import wire

SITES = 300
PAGES = 6
STEPS = 20              # browsers go no farther


def rules(site):
    """For each page what it does without "sid" and with it: a page to go to,
    and whether with "sid"; or None, which is a page."""
    dice = random.Random('maze %d' % site).random

    def step():
        if dice() < 0.3:
            return None

        return int(dice() * PAGES), dice() < 0.6, int(dice() * 5)

    return [(step(), step()) for _ in range(PAGES)]


class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        site, page, sid = re.match(r'/(\d+)/(\d+)(\?sid=\d+)?$',
                                   self.path).groups()
        step = rules(int(site))[int(page)][sid is not None]

        self.send_response(200 if step is None else 302)
        self.send_header('Content-Length', '0')

        if step is not None:
            to, sid, form = step
            args = '?sid=%d' % form if sid else ''

            self.send_header('Location', (
                '/%s/%d%s', 'http://shop.example/%s/%d%s',
                '//shop.example/%s/%d%s', '../%s/%d%s',
                '/%s/./%d%s')[form] % (site, to, args))

        self.end_headers()

    def log_message(self, *args):
        pass

    def address_string(self):
        return 'nginx'


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_UNIX

    def server_bind(self):
        self.socket.bind(self.server_address)
        self.server_name = 'maze'
        self.server_port = 0


def walk(client, site):
    """The steps that it takes to get to a page: targets and where they lead
    to; and whether there was a page at the end."""
    at = 'http://shop.example/%d/0' % site
    steps = []

    for _ in range(STEPS):
        url = urllib.parse.urlsplit(at)
        target = url.path + ('?' + url.query if url.query else '')
        answer = ask(client, target, site)

        if answer.status == 200:
            return steps, True

        steps.append((target, answer.get(b'location')))
        at = urllib.parse.urljoin(at, steps[-1][1].decode())

    return steps, False


def ask(client, target, site):
    return client.get(target.encode(), host=b'shop.example',
                      headers=b'User-Agent: maze %d\r\n' % site)


def ours_to_blame(steps, client, site):
    """True if one of the redirects in the circle is not what the site says."""
    circle = steps[-PAGES * 2:]

    return any(ask(client, target, site).get(b'location') != location
               for target, location in circle)


def main(with_us, without):
    ours, theirs = wire.Client(with_us), wire.Client(without)
    blamed, later, arrived, cleaned = [], [], 0, 0

    for site in range(SITES):
        steps, out = walk(theirs, site)

        if not out:
            continue

        arrived += 1

        for n in range(3):
            got, out = walk(ours, site)
            cleaned += got != steps

            if out:
                continue

            if ours_to_blame(got, theirs, site):
                blamed.append(site)
            elif n == 2:
                later.append(site)

    tell(not blamed and arrived > SITES / 3 and cleaned > SITES / 3,
         'of %d mazes with a way out, none goes round because of us' % arrived,
         blamed)
    tell(not later, 'nobody goes round after two others have', later)


def tell(ok, name, sites):
    print('%s - %s' % ('ok' if ok else 'not ok', name))

    for site in sites:
        print('#   site %d: %s' % (site, rules(site)))


if __name__ == '__main__':
    if sys.argv[1] == 'serve':
        Server(sys.argv[2], Page).serve_forever()
    else:
        main(*sys.argv[2:])
