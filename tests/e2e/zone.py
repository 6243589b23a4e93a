# Copyright (C) the ngx_miqps authors
#
# Maps that change under load:
#
#     zone.py CLIENT SOCKET MAP A B PIDFILE COUNT REQUESTS [KILLS]
#
# puts A and B in the place of MAP by turns, COUNT times at least, and has two
# processes of CLIENT, tests/support/zone_load.c, ask meanwhile, REQUESTS times
# at least.  Kills workers, if that is wanted.  PIDFILE is of their master.
#
# Prints lines of TAP without numbers.  With TEST_LEVEL=all a swap must not
# take longer than a second, unless others keep the machine busy.

import json
import os
import random
import select
import subprocess
import sys
import time

import wire

TARGET = b'/p?a=1&b=2&id=3'
RIGHT = {b'A': b'/p?a=1&id=3 b a&id', b'B': b'/p?b=2&id=3 a b&id'}
LIMIT = 60
WORKERS = 3
FIRST = 12              # swaps after which all memory has been used once
GROWTH = 1024           # kB that workers may use more of their own
PLACES = 512            # kB that workers in other places touch


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
        self.workers = Workers(path, WORKERS)
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
        if parent(pid) == master(self.pidfile):
            os.kill(pid, 9)
            self.killed += 1


def master(pidfile):
    with open(pidfile) as file:
        return int(file.read())


def parent(pid):
    """0 if there is no such process."""
    try:
        with open('/proc/%d/stat' % pid) as file:
            return int(file.read().rsplit(')', 1)[1].split()[1])
    except OSError:
        return 0


class Use:
    """What the master and its workers use, in sum: files, and kB of memory.
    Of the zone it is what was ever touched."""

    def __init__(self, pidfile):
        first = master(pidfile)
        self.files = self.shared = self.private = self.processes = 0

        for pid in (int(name) for name in os.listdir('/proc')
                    if name.isdigit()):
            if pid == first or parent(pid) == first:
                self.add(pid)

    def add(self, pid):
        with open('/proc/%d/smaps_rollup' % pid) as file:
            sizes = dict(line.split()[:2] for line in file)

        self.processes += 1
        self.files += len(os.listdir('/proc/%d/fd' % pid))
        self.shared += int(sizes['Pss_Shmem:'])
        self.private += int(sizes['Pss_Anon:'])

    def __str__(self):
        return '%d files, %d kB of the zone, %d kB of %d processes' % (
            self.files, self.shared, self.private, self.processes)

    def is_as(self, before, killed):
        """Whoever is new has not used all that the others have, but may
        count in a place of its own; an image is much larger than that."""
        more = PLACES if killed else self.processes

        return self.processes == before.processes \
            and self.files <= before.files \
            and self.shared <= before.shared + more \
            and (killed or self.private <= before.private + GROWTH)


def settled(pidfile, before, killed):
    """Connections that were closed need a moment."""
    start = time.monotonic()
    use = Use(pidfile)

    while not use.is_as(before, killed) \
            and time.monotonic() < start + LIMIT:
        time.sleep(0.1)
        use = Use(pidfile)

    return use


class Load:
    """Processes of the client."""

    def __init__(self, client, path, stop, how, least):
        self.stop = stop
        self.start = time.monotonic()
        self.clients = [subprocess.Popen(
            [client, path, stop, how, str(least // 2)],
            stdout=subprocess.PIPE) for _ in range(2)]

    def enough(self):
        """True when all of them have asked often enough."""
        pipes = [client.stdout for client in self.clients]

        return len(select.select(pipes, [], [], 0)[0]) == len(pipes)

    def end(self):
        with open(self.stop, 'w'):
            pass

        told = [json.loads(client.communicate()[0].splitlines()[-1])
                for client in self.clients]
        os.unlink(self.stop)

        self.seconds = time.monotonic() - self.start
        self.asked = sum(one['asked'] for one in told)
        self.broken = sum(one['broken'] for one in told)
        self.wrong = sum(one['wrong'] for one in told)
        self.first = [one['first'] for one in told]
        self.seen = told[0]['seen']
        self.mixed = [generation for generation, name
                      in told[1]['seen'].items()
                      if self.seen.setdefault(generation, name) != name]


def tap(good, text):
    print('%sok - %s' % ('' if good else 'not ', text), flush=True)


def busy():
    """With more than this test, which keeps six processes at work."""
    return os.getloadavg()[0] > 4 * os.cpu_count()


def results(run, load, before, after, count, done, seconds, requests, kills):
    print('# %d swaps in %.1f s, %.1f a second, the slowest %d ms; '
          '%d requests, %d a second; %d connections broken, %d killed, '
          '%d workers; %d generations met'
          % (done, seconds, done / seconds, run.slowest * 1000, load.asked,
             load.asked / load.seconds, load.broken, run.killed,
             len(run.all), len(load.seen)))
    print('# %s; at the end %s' % (before, after))

    if load.wrong:
        print('# %s' % load.first)

    tap(done >= count, '%d swaps, each taken by all workers' % done)

    if os.environ.get('TEST_LEVEL') == 'all' and not kills:
        tap(run.slowest < 1 or busy(), 'the slowest took less than a second%s'
            % (' # SKIP the machine is busy'
               if run.slowest >= 1 and busy() else ''))

    tap(not run.late, 'no worker is behind another: %s' % run.late[:3])
    tap(load.asked >= requests and load.asked > 0 and load.wrong == 0,
        '%d of %d requests failed%s' % (load.wrong, load.asked,
                                        ', but for workers that were killed'
                                        if kills else ''))
    tap(not load.mixed and len(load.seen) > 1,
        'every generation is one map, for all who asked')
    tap(after.is_as(before, kills), 'files and memory are as before')

    if kills:
        tap(run.killed > kills * 9 // 10,
            '%d workers were killed' % run.killed)
    else:
        tap(len(run.all) > 1, '%d workers took part' % len(run.all))


def main(client, path, place, a, b, pidfile, count, requests, kills=0):
    count, requests, kills = int(count), int(requests), int(kills)
    run = Swaps(path, place, {b'A': a, b'B': b}, pidfile)
    done = 0

    for i in range(FIRST):
        run.swap(i, False)

    before = Use(pidfile)
    load = Load(client, path, place + '.stop', 'killed' if kills else 'keep',
                requests)
    start = time.monotonic()

    while done < count or not load.enough():
        kill = done * kills // count != (done + 1) * kills // count

        if not run.swap(done, kill):
            break

        if kills:
            run.workers.fill()

        done += 1

    seconds = time.monotonic() - start
    load.end()
    after = settled(pidfile, before, kills)

    results(run, load, before, after, count, done, seconds, requests, kills)


if __name__ == '__main__':
    main(*sys.argv[1:])
