# Copyright (C) the ngx_miqps authors
#
# A site behind the examples: python3 site.py SOCKET LOG [NAME...].  The page
# tells what it was asked for, as the request line had it, but for parameters of
# these names; the log gets "METHOD TARGET".  A parameter "to" of a path that
# ends with "/redirect" is where it redirects to.

import http.server
import os
import socket
import sys
import urllib.parse


def without(target, names):
    path, mark, query = target.partition('?')
    kept = [pair for pair in query.split('&')
            if pair.partition('=')[0] not in names]

    return path + mark * bool(kept) + '&'.join(kept) if names else target


class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def answer(self):
        target = self.requestline.split(' ')[1]
        length = int(self.headers.get('Content-Length', 0))
        self.rfile.read(length)

        with open(sys.argv[2], 'a', encoding='latin-1') as log:
            log.write('%s %s\n' % (self.command, target))

        body = ('page %s for %s\n'
                % (without(target, sys.argv[3:]),
                   self.headers.get('Cookie', 'anybody'))).encode()

        # who learns from a page wants some words

        if sys.argv[3:]:
            body += b'<p>This is a page, and it has as many words as it needs.'

        path, _, query = target.partition('?')
        to = urllib.parse.parse_qs(query).get('to')

        if to and path.endswith('/redirect'):
            self.send_response(302)
            self.send_header('Location', to[0])
            self.send_header('Link', '</l?id=1&from_menu=2>; rel=next')

        else:
            self.send_response(200)

        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()

        if self.command != 'HEAD':
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = answer

    def log_message(self, *args):
        pass

    def address_string(self):
        return 'nginx'


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_UNIX

    def server_bind(self):
        self.socket.bind(self.server_address)
        self.server_name = 'site'
        self.server_port = 0


# the socket has its name when it listens, and not before

if __name__ == '__main__':
    path, log = sys.argv[1:3]
    open(log, 'w', encoding='latin-1').close()

    server = Server(path + '.new', Page)
    os.rename(path + '.new', path)
    server.serve_forever()
