#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# What redirect mode answers to those who want to be led astray:
#
#     redirects.py table FILE NAME=SOCKET...   a request a line
#     redirects.py fuzz FOLDER NAME=SOCKET...  files as queries and as paths
#
# A name that ends with "2" is spoken to by HTTP/2; one that begins with a minus
# redirects without thinking, and has to be caught.
#
# A redirect goes to the host that nginx says was asked, in the eyes of a browser,
# and who follows it is not redirected again.  No header has an end of line in it, and
# none is there that nginx does not send.  Prints TAP without numbers.

import json
import os
import re
import subprocess
import sys

import curl
import table
import wire

HOST = b'shop.example'
ARGS = b'?b=2&utm_source=x&a=1'
KNOWN = re.compile(rb'(?i)(server|date|content-type|content-length|connection'
                   rb'|location|x-(miqps|e2e)-[a-z]+)$')


class Server:
    def __init__(self, arg):
        name, path = arg.split('=')
        host, _, port = path.rpartition(':')

        self.control = name.startswith('-')
        self.name = name.lstrip('-')
        self.path = (host, int(port)) if port.isdigit() else path
        self.client = wire.Client(self.path)

    def ask(self, requests):
        """A list of (target, host); None for what is not answered."""
        if self.name.endswith('2'):
            return curl.get([(self.path, *one) for one in requests])

        return [self.ask_one(*one) for one in requests]

    def ask_one(self, target, host):
        try:
            return self.client.get(target, host=host)
        except (wire.Broken, OSError):
            self.client.close()
            return None


class Case:
    """A line of the table: its request, and what is wrong with the answers."""

    def __init__(self, line):
        self.line = line
        self.target, _, self.host = line.partition(b' ')
        self.host = self.host or HOST

        if b'?' not in self.target:
            self.target += ARGS

        self.moved = 0
        self.wrong = []

    def complain(self, server, what):
        self.wrong.append('%s: %s' % (server.name, what))


def bad_headers(answer):
    return [b'%s: %s' % header for header in answer.headers
            if not KNOWN.match(header[0])
            or re.search(rb'[\0\r\n]', header[1])]


def text(data):
    return data.decode('latin-1')


def resolve(pairs):
    """Where a browser goes that is at the second and told the first."""
    lines = ''.join(json.dumps([text(location), 'http://%s/' % text(host)])
                    + '\n' for location, host in pairs)

    done = subprocess.run(['node', os.path.dirname(__file__) + '/resolve.js'],
                          input=lines.encode(), stdout=subprocess.PIPE,
                          check=True)

    return [json.loads(line) for line in done.stdout.splitlines()]


# --- the table

def first_answers(server, cases):
    """Those that are redirected, from which host, and where to."""
    moved = []

    for case, answer in zip(cases, server.ask([(case.target, case.host)
                                               for case in cases])):
        if answer is None:
            continue

        for line in bad_headers(answer):
            case.complain(server, 'the header %r' % line)

        if answer.status == 302:
            case.moved += 1
            moved.append((case, answer.get(b'x-e2e-host'),
                          answer.get(b'location')))

        elif answer.status not in (200, 400):
            case.complain(server, 'status %d' % answer.status)

    return moved


def judge_place(server, case, location, place, home):
    """True if one can go there."""
    if home is None and place is None:
        return False        # a host that no browser can ask

    if home is None or place is None or place[0] != 'http:' \
       or place[1].rstrip('.') != home[1].rstrip('.'):
        case.complain(server, '%r leads to %s' % (location, place))
        return False

    return True


def try_table(server, cases):
    moved = first_answers(server, cases)
    places = resolve([(location, host) for _, host, location in moved])
    homes = resolve([(b'/', host) for _, host, _ in moved])

    there = [(case, location, place) for (case, _, location), place, home
             in zip(moved, places, homes)
             if judge_place(server, case, location, place, home)]

    follow = [(place[2].encode('latin-1'), place[1].encode())
              for _, _, place in there]

    for (case, location, _), (target, _), answer \
            in zip(there, follow, server.ask(follow)):
        if answer is None or answer.status != 200:
            case.complain(server, '%r and then %r: %s' % (
                location, target, answer and answer.status))


def report(ok, name, details=()):
    print('%s - %s' % ('ok' if ok else 'not ok', name.replace('#', '\\#')))

    for line in details:
        print('#   ' + line)


def table_main(name, servers):
    cases = [Case(line) for line in table.read(name)]

    for server in servers:
        if not server.control:
            try_table(server, cases)
            continue

        others = [Case(case.line) for case in cases]
        try_table(server, others)
        report(sum('leads to' in ' '.join(case.wrong) for case in others) > 9,
               '%s: it is found out' % server.name)

    for case in cases:
        report(not case.wrong, repr(case.line)[2:-1], case.wrong)

    report(sum(case.moved > 0 for case in cases) > len(cases) / 3,
           'a good part of them is redirected',
           ['%d of %d are, %d redirects'
            % (sum(case.moved > 0 for case in cases), len(cases),
               sum(case.moved for case in cases))])


# --- the corpus

def escape(data, bad):
    return re.sub(bad, lambda m: b'%%%02X' % m.group()[0], data, flags=re.S)


def corpus(folder):
    """Requests made of its files; most of them are none that is wellformed."""
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            with open(os.path.join(where, name), 'rb') as f:
                data = f.read(8000)

            whole = escape(data, rb'[^!-~\x80-\xff]|#')

            yield b'/?' + whole + b'&utm_source=1'
            yield b'/?utm_' + whole + b'=1'
            yield b'/?' + escape(data, rb'[^a-zA-Z0-9]')[:8000] + b'=&a=1'
            yield b'/' + escape(data, rb'[^!-~\x80-\xff]|[?#]') + ARGS

            if not re.search(rb'[\0\r\n]', data):
                yield b'/?' + data + b'&utm_source=1'


def fuzz_main(folder, servers):
    requests = [(target, HOST) for target in corpus(folder)]

    for server in servers:
        wrong = []
        found = {}

        for (target, _), answer in zip(requests, server.ask(requests)):
            status = answer.status if answer else None
            found[status] = found.get(status, 0) + 1

            for line in bad_headers(answer) if answer else ():
                wrong.append('%r: %r' % (target, line))

        report(bool(wrong) if server.control else not wrong,
               '%s: headers for %d requests of the corpus'
               % (server.name, len(requests)),
               wrong[:0 if server.control else 5])
        print('#   answers: ' + ', '.join('%s: %d' % item
                                          for item in found.items()))

        if not server.control:
            report(found.get(200, 0) + found.get(302, 0) > len(requests) / 2,
                   '%s: nginx lets most of them in' % server.name)


def main():
    what, arg = sys.argv[1:3]
    servers = [Server(arg) for arg in sys.argv[3:]]

    if what == 'table':
        table_main(arg, servers)
    else:
        fuzz_main(arg, servers)


if __name__ == '__main__':
    main()
