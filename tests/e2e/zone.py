# Copyright (C) the ngx_miqps authors
#
# Load for maps that change.  Answers are "PID GENERATION URI STRIPPED KEPT",
# as the body, or in a header while the body is the URI that an upstream saw.
# What they have to be is known: one map, A, strips "b" and the other "a".
#
#     zone.py load SOCKET STOP keep|close|killed [LEAST]
#         asks until the file STOP exists, and prints a line of JSON; "killed"
#         is for keeping connections to workers that may be killed
#
#     zone.py swaps SOCKET MAP A B COUNT REQUESTS [PIDFILE KILLS]
#         puts A and B in the place of MAP by turns, and has the others ask
#         meanwhile, REQUESTS times at least; kills workers, if that is wanted
#
# The latter prints lines of TAP without numbers.

import json
import os
import random
import subprocess
import sys
import time

import wire

TARGET = b'/p?a=1&b=2&id=3'
PROXIED = b'/proxied?a=1&b=2&id=3'
RIGHT = {b'A': b'/p?a=1&id=3 b a&id', b'B': b'/p?b=2&id=3 a b&id'}
LIMIT = 60
BATCH = 25


class Load:
    """Counts answers, and those that there must not be."""

    def __init__(self, path, how):
        self.path = path
        self.how = how
        self.asked = 0
        self.broken = 0
        self.wrong = []
        self.seen = {}          # rest of an answer, by its generation

    def run(self, stop, least):
        if self.how == 'close':
            batch = [wire.request(TARGET, headers=b'Connection: close\r\n')]
        else:
            batch = [wire.request(TARGET), wire.request(PROXIED)] * BATCH

        client = wire.Client(self.path)

        while self.asked < least or not os.path.exists(stop):
            try:
                answers = client.exchange(batch)
            except (wire.Broken, OSError) as error:
                client.close()
                self.broken += 1

                if self.how != 'killed':
                    self.wrong.append(repr(error))

                continue

            for answer in answers:
                self.check(answer)

        client.close()

    def check(self, answer):
        self.asked += 1

        # the upstream is a worker, too
        if self.how == 'killed' and answer.status == 502:
            self.broken += 1
            return

        told = answer.get(b'x-told')

        if told is None:
            told = answer.body
        elif told.split(b' ')[2] != answer.body:
            self.wrong.append(repr((told, answer.body)))

        _, generation, rest = told.replace(b'/proxied', b'/p').split(b' ', 2)
        known = self.seen.setdefault(generation, rest)

        if answer.status != 200 or rest != known \
           or rest not in RIGHT.values():
            self.wrong.append(repr((answer.status, answer.body, known)))

    def report(self):
        print(json.dumps({
            'asked': self.asked,
            'broken': self.broken,
            'wrong': len(self.wrong),
            'first': self.wrong[:3],
            'seen': {generation.decode(): rest.decode()
                     for generation, rest in self.seen.items()}}))


class Workers:
    """A connection to each worker, as far as they can be had."""

    def __init__(self, path, count):
        self.path = path
        self.count = count
        self.clients = {}

    def fill(self):
        for _ in range(200):
            if len(self.clients) >= self.count:
                return

            client = wire.Client(self.path)
            pid = self.ask(client)[0]

            if pid in self.clients:
                client.close()
            else:
                self.clients[pid] = client

    @staticmethod
    def ask(client):
        pid, generation, rest = client.get(TARGET).body.split(b' ', 2)
        return pid, int(generation), rest

    def generations(self):
        """Of all workers that live, at one time; forgets the others."""
        answers = []

        for pid, client in list(self.clients.items()):
            try:
                answer = self.ask(client)
            except (wire.Broken, OSError):
                answer = (None, 0, b'')

            # another one took over the connection
            if answer[0] != pid:
                client.close()
                del self.clients[pid]
            else:
                answers.append(answer[1:])

        if not self.clients:
            self.fill()

        return answers


def put(image, place):
    """As it is published: all of it or nothing."""
    with open(image, 'rb') as file:
        data = file.read()

    with open(place + '.new', 'wb') as file:
        os.chmod(place + '.new', 0o644)
        file.write(data)

    os.rename(place + '.new', place)


class Swaps:
    def __init__(self, path, place, images, pidfile):
        self.workers = Workers(path, 3)
        self.place = place
        self.images = images
        self.pidfile = pidfile
        self.killed = 0
        self.slowest = 0
        self.late = []
        self.all = set()

    def current(self):
        start = time.monotonic()

        while time.monotonic() < start + LIMIT:
            answers = self.workers.generations()

            if answers:
                return max(answers)

        raise SystemExit('there is no answer')

    def swap(self, number, kill):
        """False if it never came to pass."""
        before, rest = self.current()
        name = b'B' if rest == RIGHT[b'A'] else b'A'

        start = time.monotonic()
        put(self.images[name], self.place)

        if kill:
            time.sleep(random.random() / 100)
            self.kill()

        while time.monotonic() < start + LIMIT:
            if self.taken(before, name):
                self.slowest = max(self.slowest, time.monotonic() - start)
                return True

            time.sleep(0.001)

        print('# swap %d: %r after %d s, and it was %d'
              % (number, self.workers.generations(), LIMIT, before))
        return False

    def taken(self, before, name):
        """What one worker has, those who are asked after it have too."""
        answers = self.workers.generations()
        new = [self.follows(answer[0], before) and answer[1] == RIGHT[name]
               for answer in answers]

        if True in new and False in new[new.index(True):]:
            self.late.append(answers)

        self.all.update(self.workers.clients)

        return new != [] and all(new)

    def follows(self, generation, before):
        """A number is lost with a worker that dies just before its swap."""
        if self.killed:
            return generation > before

        return generation == before + 1

    def kill(self):
        self.workers.fill()
        pid = int(random.choice(list(self.workers.clients)))

        # only a worker of this master
        with open(self.pidfile) as file:
            master = int(file.read())

        try:
            with open('/proc/%d/stat' % pid) as file:
                parent = int(file.read().rsplit(')', 1)[1].split()[1])
        except OSError:
            return

        if parent == master:
            os.kill(pid, 9)
            self.killed += 1


def tap(good, text):
    print('%sok - %s' % ('' if good else 'not ', text), flush=True)


def swaps(path, place, a, b, count, requests, pidfile=None, kills=0):
    count, requests, kills = int(count), int(requests), int(kills)
    stop = place + '.stop'
    run = Swaps(path, place, {b'A': a, b'B': b}, pidfile)
    how = 'killed' if kills else 'keep'
    done = 0

    loads = [subprocess.Popen([sys.executable, __file__, 'load', path, stop,
                               how, str(requests // 2)],
                              stdout=subprocess.PIPE) for _ in range(2)]

    run.workers.fill()

    for i in range(count):
        kill = i * kills // count != (i + 1) * kills // count

        if not run.swap(i, kill):
            break

        if kills:
            run.workers.fill()

        done += 1

    with open(stop, 'w'):
        pass

    told = [json.loads(load.communicate()[0]) for load in loads]
    os.unlink(stop)

    asked = sum(one['asked'] for one in told)
    wrong = sum(one['wrong'] for one in told)
    broken = sum(one['broken'] for one in told)
    mixed = [generation for generation in told[0]['seen']
             if told[1]['seen'].get(generation, told[0]['seen'][generation])
             != told[0]['seen'][generation]]

    print('# %d requests, %d connections broken, %d killed, %d workers; '
          'slowest swap %d ms, %d generations met'
          % (asked, broken, run.killed, len(run.all), run.slowest * 1000,
             len(told[0]['seen'])))

    if wrong:
        print('# %s' % [one['first'] for one in told])

    tap(done == count, '%d swaps, each taken by all workers' % count)
    tap(not run.late, 'no worker is behind another: %s' % run.late[:3])
    tap(asked >= requests and asked > 0 and wrong == 0,
        '%d of %d requests failed%s' % (wrong, asked,
                                        ', but for workers that were killed'
                                        if kills else ''))
    tap(not mixed and len(told[0]['seen']) > 1,
        'every generation is one map, for all who asked')

    if kills:
        tap(run.killed > kills // 2, '%d workers were killed' % run.killed)
    else:
        tap(len(run.all) > 1, '%d workers took part' % len(run.all))


def load(path, stop, how, least='0'):
    run = Load(path, how)
    run.run(stop, int(least))
    run.report()


if __name__ == '__main__':
    {'load': load, 'swaps': swaps}[sys.argv[1]](*sys.argv[2:])
