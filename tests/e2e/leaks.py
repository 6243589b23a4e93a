#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Sends many requests and watches the memory of the worker:
#
#     leaks.py MODE SOCKET WORKER COUNT
#
# Requests are sent in batches, so that nginx is what takes the time.  What
# counts is the memory that the worker shares with nobody.  Prints TAP without
# numbers.

import random
import sys

import wire

BEGIN = b'HTTP/1.1 '

CONNECTIONS = 8
LIFE = 1000             # requests of a connection
SAMPLES = 50            # a mode
ALLOWED = 4             # KiB that the last fifth may be above the second

NAMES = ['id', 'size', 'color', 'page', 'q', 'utm_source', 'utm_medium',
         'fbclid', 'gclid', 'session', 'sort', 'a[]', 'x1', 'y22']


def target(dice):
    """Some are opaque, some stay as they are, most change."""
    names = dice.choices(NAMES, k=dice.randrange(0, 12))
    args = '&'.join('%s=%s' % (name, 'v%x' % dice.randrange(1 << 40))
                    for name in names)

    if dice.random() < 0.1:
        args += dice.choice([';a=1', '&a=%zz', '&X-Amz-Signature=0', '#x'])

    if dice.random() < 0.02:
        args += '&q=' + 'x' * dice.randrange(6000)

    return '/p/%d?%s' % (dice.randrange(1000), args)


def batches(dice):
    """Bytes to send, and the number of requests in them."""
    made = []

    for n in range(200):
        size = dice.choice([1, 2, 8, 64, 120])
        requests = ['GET %s HTTP/1.1\r\nHost: h%d.example\r\n\r\n'
                    % (target(dice), dice.randrange(20))
                    for _ in range(size)]
        made.append((''.join(requests).encode(), size))

    return made


def send(sock, batch, size):
    """Answers are counted, and no more: none has another one in its body."""
    sock.sendall(batch)

    seen = 0
    tail = b''

    while seen < size:
        data = sock.recv(1 << 18)

        if not data:
            raise wire.Broken('%d answers of %d' % (seen, size))

        data = tail + data
        seen += data.count(BEGIN)
        tail = data[1 - len(BEGIN):]


def private(pid):
    with open('/proc/%d/status' % pid) as f:
        for line in f:
            if line.startswith('RssAnon:'):
                return int(line.split()[1])

    raise SystemExit('there is no RssAnon in /proc')


class Connections:
    """
    nginx itself keeps some memory until a connection is closed, which is what
    it has "keepalive_requests" for.
    """

    def __init__(self, path):
        self.path = path
        self.socks = [None] * CONNECTIONS
        self.used = [LIFE] * CONNECTIONS

    def pick(self, n, size):
        """A connection that can take that many requests."""
        n %= CONNECTIONS

        if self.used[n] + size > LIFE:
            if self.socks[n] is not None:
                self.socks[n].close()

            self.socks[n] = wire.connect(self.path)
            self.used[n] = 0

        self.used[n] += size

        return self.socks[n]


def watch(pid, count, path, dice):
    """Samples of the worker's memory, equally far from each other."""
    connections = Connections(path)
    made = batches(dice)
    samples = []
    sent = 0
    n = 0

    while len(samples) < SAMPLES:
        batch, size = made[n % len(made)]
        send(connections.pick(n, size), batch, size)

        n += 1
        sent += size

        if sent >= count * (len(samples) + 1) / SAMPLES:
            samples.append(private(pid))

    return samples, sent


def mean(list):
    return sum(list) / len(list)


def slope(samples):
    """KiB a sample, by least squares."""
    middle = (len(samples) - 1) / 2
    level = mean(samples)

    return sum((i - middle) * (s - level) for i, s in enumerate(samples)) \
        / sum((i - middle) ** 2 for i in range(len(samples)))


def judge(mode, samples, sent):
    fifth = SAMPLES // 5
    fifths = [mean(samples[i:i + fifth]) for i in range(0, SAMPLES, fifth)]
    growth = fifths[-1] - fifths[1]

    print('%s - %s: %d requests leave the memory of the worker as it is'
          % ('ok' if growth < ALLOWED else 'not ok', mode, sent))
    print('# %s: KiB by fifths: %s; slope %.4f bytes a request'
          % (mode, ' '.join('%.1f' % f for f in fifths),
             slope(samples[fifth:]) * 1024 * SAMPLES / sent))


def main():
    mode, path, pid, count = sys.argv[1:]

    judge(mode, *watch(int(pid), int(count), path, random.Random(mode)))


if __name__ == '__main__':
    main()
