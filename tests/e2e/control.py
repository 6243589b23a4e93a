# Copyright (C) the ngx_miqps authors
#
# What tests/e2e/control.sh cannot do by itself.
#
#     control.py as UID SOCKET METHOD TARGET
#         asks as that user; prints the status and the body
#
#     control.py proxied PORT TOKEN TARGET
#         the same over TCP, as a proxy that says the client is 192.0.2.1
#
#     control.py meanwhile CONTROL SOCKET TARGET...
#         POSTs these, one after the other, and sends other requests while the
#         answer is not there; prints how many of them were answered, at most
#
#     control.py load SOCKET STOP
#         asks until the file STOP exists, over new connections, and prints how
#         many answers there were, and those that there must not be
#
#     control.py storm SOCKET MAP A B PIDFILE COUNT KILLS
#         as many actions as that, several at a time, while A and B are put in
#         the place of MAP and workers are killed; prints lines of TAP
#
#     control.py word PID SIZE VALUE
#         writes the word by which a worker says what it reads in its zone of
#         that size

import collections
import json
import os
import random
import select
import signal
import struct
import subprocess
import sys
import threading
import time

import wire

TARGET = b'/p?a=1&b=2&id=3'
RIGHT = (b'/p?a=1&id=3 b a&id', b'/p?b=2&id=3 a b&id')


def show(answer):
    print(answer.status, answer.body.decode().rstrip('\n'))


def ask_as(uid, path, method, target):
    if int(uid) != os.getuid():
        os.setgroups([])
        os.setgid(int(uid))
        os.setuid(int(uid))

    show(wire.Client(path).get(target.encode(), method=method.encode()))


def ask_proxied(port, token, target):
    client = wire.Client(('127.0.0.1', int(port)))
    head = b'PROXY TCP4 192.0.2.1 192.0.2.2 1000 80\r\n'

    show(client.ask(head + wire.request(
        target.encode(), headers=b'X-Miqps-Token: %s\r\n' % token.encode())))


def meanwhile(control, path, *targets):
    most = 0

    for target in targets:
        sock = wire.connect(control)
        sock.sendall(wire.request(target.encode(), method=b'POST'))
        client = wire.Client(path)
        count = 0

        # with pauses: before it begins, there is time for a few at once
        while not select.select([sock], [], [], 0.002)[0]:
            client.get(TARGET)
            count += 1

        answer = wire.read_answer(sock.makefile('rb'))

        if answer.status != 200:
            raise SystemExit('%d %s' % (answer.status, answer.body))

        most = max(most, count)

    print(most)


def load(path, stop):
    asked = 0
    wrong = []

    while not os.path.exists(stop):
        try:
            answer = wire.Client(path).get(
                TARGET, headers=b'Connection: close\r\n')
            rest = answer.body.split(b' ', 2)[2]
        except (wire.Broken, OSError, IndexError) as error:
            rest = repr(error)

        asked += 1

        if rest not in RIGHT:
            wrong.append(str(rest))

    print(json.dumps({'asked': asked, 'wrong': len(wrong),
                      'first': wrong[:3]}))


class Storm:
    ACTIONS = ('reload', 'reload&force=1', 'rollback', 'check', 'off', 'on')

    def __init__(self, path, place, images, pidfile):
        self.path = path
        self.place = place
        self.images = images
        self.pidfile = pidfile
        self.wrong = []
        self.statuses = collections.Counter()
        self.done = False
        self.lock = threading.Lock()

    def ask(self, action):
        target = b'/control?action=' + action.encode()

        try:
            answer = wire.Client(self.path).get(target, method=b'POST')
        except (wire.Broken, OSError):
            self.statuses['broken'] += 1
            return

        told = json.loads(answer.body)

        with self.lock:
            self.statuses[answer.status] += 1

            if answer.status not in (200, 409, 422) \
               or told['ok'] != (answer.status == 200) \
               or not told['generation']:
                self.wrong.append((answer.status, told))

    def run(self, count):
        while count > 0 or not self.done:
            count -= 1

            if random.random() < 0.3:
                self.put(random.choice(self.images))

            self.ask(random.choice(self.ACTIONS))

    def put(self, image):
        with open(image, 'rb') as file:
            data = file.read()

        name = '%s.%d' % (self.place, threading.get_ident())

        with open(name, 'wb') as file:
            os.chmod(name, 0o644)
            file.write(data)

        os.rename(name, self.place)

    def kill(self):
        with open(self.pidfile) as file:
            master = file.read().strip()

        found = subprocess.run(['pgrep', '-P', master], text=True,
                               stdout=subprocess.PIPE).stdout.split()

        if found:
            try:
                os.kill(int(random.choice(found)), signal.SIGKILL)
            except ProcessLookupError:
                pass


def storm(path, place, first, second, pidfile, count, kills):
    storm = Storm(path, place, (first, second), pidfile)
    threads = [threading.Thread(target=storm.run, args=(int(count) // 4,))
               for _ in range(4)]

    for thread in threads:
        thread.start()

    for _ in range(int(kills)):
        time.sleep(random.random() / 5)
        storm.kill()

    storm.done = True

    for thread in threads:
        thread.join()

    print('# %s' % dict(storm.statuses))

    if storm.wrong:
        print('not ok - every answer makes sense')
        print('# %s' % storm.wrong[:3])
    else:
        print('ok - every answer makes sense')


def word(pid, size, value):
    """The worker has one zone of that size, and is the only reader."""
    places = []

    with open('/proc/%s/maps' % pid) as maps:
        for line in maps:
            first, last = (int(n, 16) for n in line.split()[0].split('-'))

            if last - first == int(size) and 'rw-s' in line:
                places.append(first)

    with open('/proc/%s/mem' % pid, 'r+b', 0) as mem:
        for place in places:
            mem.seek(place)
            data = mem.read(int(size))
            at = data.find(struct.pack('<Q', int(pid)))

            while at != -1 and data[at + 16:at + 64] != bytes(48):
                at = data.find(struct.pack('<Q', int(pid)), at + 1)

            if at != -1:
                mem.seek(place + at + 8)
                mem.write(struct.pack('<Q', int(value)))
                return

    raise SystemExit('there is no such word')


if __name__ == '__main__':
    {'as': ask_as, 'proxied': ask_proxied, 'meanwhile': meanwhile,
     'load': load, 'storm': storm, 'word': word}[sys.argv[1]](*sys.argv[2:])
