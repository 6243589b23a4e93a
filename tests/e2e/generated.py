# Copyright (C) the ngx_miqps authors
#
# Generated sites as if somebody ran them:
#
#     generated.py SOCKET DOMAIN COMMAND [DOMAIN COMMAND...]
#
# A command, one for each site, tells for a URL which page it is, or "-"; a
# page has words of its site, of what its path names and its own, a clock and a
# token.

import hashlib
import http.server
import os
import random
import shlex
import socketserver
import subprocess
import sys
import threading
import time

SYLLABLES = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'me', 'ni', 'po', 'ru', 'sa',
             'te', 'vi', 'zo', 'mar', 'lin', 'tor', 'ves']


class Site:
    def __init__(self, command):
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)

    def page(self, url):
        with self.lock:
            self.process.stdin.write(url.encode('latin-1') + b'\n')
            self.process.stdin.flush()
            return self.process.stdout.readline().decode('latin-1').strip()


def words(seed, count):
    dice = random.Random(hashlib.sha256(seed.encode()).digest())

    return ' '.join(''.join(dice.choice(SYLLABLES)
                            for _ in range(dice.randrange(2, 4)))
                    for _ in range(count))


def text(site, page):
    name = words(page, 2)

    return ('<!doctype html><title>%s</title><h1>%s</h1><p>%s</p><p>%s</p>'
            '<p>%s</p><p>at %f</p><input type="hidden" value="%016x">' %
            (name, name, words(site, 24), words(page.partition('?')[0], 40),
             words(page, 24), time.time(), random.getrandbits(64)))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_GET(self):
        host = self.headers.get('Host', '')
        name = '.'.join(host.split('.')[-2:])
        page = '-'

        if name in self.server.sites:
            page = self.server.sites[name].page('http://%s%s' % (host,
                                                                 self.path))

        found = page != '-'
        body = text(name, page) if found \
            else '<!doctype html><title>Not found</title><p>It is not here.'
        body = body.encode()

        self.send_response(200 if found else 404)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return 'nginx'

    def log_message(self, *args):
        pass


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 256


def main(path, *sites):
    server = Server(path, Handler)
    server.sites = {domain: Site(command)
                    for domain, command in zip(sites[::2], sites[1::2])}
    os.chmod(path, 0o666)
    server.serve_forever()


if __name__ == '__main__':
    main(*sys.argv[1:])
