#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Lists of URLs, and a client of miqps_normalize:
#
#     bulk.py urls COUNT                writes so many URLs
#     bulk.py ask SOCKET < URLS         asks for each of them, one after the
#                                       other, and reads no answer
#     bulk.py stall SOCKET FILE PID     some clients do not read their answers;
#                                       TAP without numbers
#     bulk.py abort SOCKET FILE COUNT   goes away amid the answer, so often

import random
import re
import socket
import sys
import threading

import wire

HOSTS = 50
NAMES = ('id', 'size', 'color', 'page', 'q', 'sort', 'a[]', 'a[x]', 'a.b', 'sid',
         'ref', 'utm_source', 'utm_term', 'gclid', 'fbclid', '%67clid', 'x',
         'session', 'lang', 'v')
VALUES = ('1', '2', 'red', 'a%20b', '%c3%a9', '%7Ea', '', '%2F', 'a+b', '40',
          '%26', 'x=y')

# what must stay as it is comes along now and then

OPAQUE = ('a=1;b=2', 'password=x', 'a=%zz', 'a=%00', 'X-Amz-Signature=00', 'a%3Db=1',
          'token=4f9a61e2c07b88d3a1c5e6f70918b2d4')


def url(dice):
    path = '/'.join(('', *(dice.choice(('p', 'shop', 'show', 'a%2Fb', '%7Eu', 'x;y',
                                         'item-%d' % dice.randrange(1000)))
                           for _ in range(dice.randrange(1, 4)))))

    pairs = ['%s=%s' % (dice.choice(NAMES), dice.choice(VALUES))
             for _ in range(dice.randrange(8))]

    if dice.random() < 0.02:
        pairs.append(dice.choice(OPAQUE))

    if dice.random() < 0.02:
        pairs.append(dice.choice(('', 'word', '&')))

    return 'http://www.shop%02d.example%s%s' % (
        dice.randrange(HOSTS), path, '?' + '&'.join(pairs) if pairs else '')


def write_urls(count):
    dice = random.Random('bulk')

    for _ in range(int(count)):
        sys.stdout.write(url(dice) + '\n')


# --- one request for each

ANSWER = b'HTTP/1.1 204'


def ask(path):
    sock = wire.connect(path, 600)
    urls = sys.stdin.buffer.read().splitlines()

    def read():
        """Answers are counted; one may come in two parts."""
        left, tail = len(urls), b''

        while left > 0:
            data = sock.recv(1 << 20)

            if not data:
                sys.exit('%d of %d were not answered' % (left, len(urls)))

            left -= (tail + data).count(ANSWER)
            tail = (tail + data)[1 - len(ANSWER):]

    reader = threading.Thread(target=read)
    reader.start()

    for i in range(0, len(urls), 500):
        sock.sendall(b''.join(ask_for(url) for url in urls[i:i + 500]))

    reader.join()


def ask_for(url):
    host, slash, target = url[len('http://'):].partition(b'/')

    return wire.request(slash + target, host=host)


# --- those who do not read

def post(path, data):
    sock = wire.connect(path, 120)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)

    head = b'POST /bulk HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' \
           b'Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n' % len(data)

    threading.Thread(target=sock.sendall, args=(head + data,),
                     daemon=True).start()

    return sock


def read_all(sock):
    parts = []

    while True:
        part = sock.recv(1 << 16)

        if not part:
            return b''.join(parts)

        parts.append(part)


def lines_of(answer):
    """Of an answer in chunks."""
    head, _, rest = answer.partition(b'\r\n\r\n')
    body = b''

    while True:
        size, _, rest = rest.partition(b'\r\n')
        n = int(size, 16)

        if n == 0:
            return body.count(b'\n')

        body, rest = body + rest[:n], rest[n + 2:]


def tell(ok, name):
    print('%s - %s' % ('ok' if ok else 'not ok', name))


def stall(path, name, pid):
    with open(name, 'rb') as f:
        data = f.read()

    lines = data.count(b'\n')
    before = memory(pid)

    slow = [post(path, data) for _ in range(20)]
    tell(all(sock.recv(1) for sock in slow),
         'twenty who do not read have all begun')

    tell(lines_of(read_all(post(path, data))) == lines,
         'who reads gets all meanwhile')

    page = wire.Client(path).get(b'/bulk?url=/p?gclid=1', host=b'localhost')
    tell(page.status == 200 and page.body == b'/p\n',
         'and so does who asks for one')

    tell(memory(pid) - before < 20 * 1024,
         'none of them takes more than a megabyte of memory')

    tell(lines_of(b'H' + read_all(slow[0])) == lines,
         'who reads late gets all as well')

    for sock in slow:
        sock.close()


def memory(pid):
    """In KiB."""
    with open('/proc/%s/status' % pid) as f:
        return int(re.search(r'VmRSS:\s*(\d+)', f.read()).group(1))


def abort(path, name, count):
    with open(name, 'rb') as f:
        data = f.read()

    for i in range(int(count)):
        sock = post(path, data)

        if i % 2:
            sock.recv(1 + 1000 * i)

        sock.close()


if __name__ == '__main__':
    {'urls': write_urls, 'ask': ask, 'stall': stall,
     'abort': abort}[sys.argv[1]](*sys.argv[2:])
