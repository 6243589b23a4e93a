#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# A publish that is killed, or whose system calls fail, at one place after the
# other:
#
#     publish_faults.py MIQPS SHORT FOLDER [EVERY [CONTROL ZONE [PID]]]
#
# FOLDER has a store and a map that were published, "store" and "map", and the
# source of the next one, "next".  Whatever happens, the map is the old one or
# the new one, whole; so it is after a second fault, at another place, of the
# same command; and without one that leads to the new map in the end.  Of all
# places, one in EVERY is tried.  SHORT is the library that makes writes short,
# each of them and all.
#
# With CONTROL nginx is told, and serves FOLDER/live/map; faults are then those
# of connections, and all that come after the file is there.  In the end nginx
# serves what is in the file.  With PID it is told by a signal to that process.
#
# Prints lines of TAP without numbers.

import json
import os
import re
import shutil
import subprocess
import sys
import time

FAULTS = ['signal=SIGKILL', 'error=EIO', 'error=ENOSPC', 'error=EINTR',
          'error=EACCES']

# what is written to, or what decides on it; the rest is killed only

FAIL = {'openat', 'write', 'pwrite64', 'fsync', 'fdatasync', 'rename',
        'renameat', 'renameat2', 'unlink', 'close', 'read', 'pread64', 'flock',
        'fchmod', 'ftruncate', 'lseek', 'fstat', 'newfstatat', 'lstat', 'stat',
        'socket', 'connect', 'sendto', 'recvfrom', 'poll', 'kill', 'fcntl'}

# what a connection is made of

TALK = {'socket', 'connect', 'sendto', 'recvfrom', 'poll', 'kill', 'fcntl',
        'getsockopt', 'setsockopt'}

# from one place to that of the second fault: all places come up

STEP = 1009


class Publish:
    def __init__(self, miqps, folder, control=None, zone=None, pid=None):
        self.miqps = miqps
        self.folder = folder
        self.map = os.path.join(folder, 'live', 'map')
        self.control = control
        self.zone = zone
        self.options = []

        if control:
            self.options += ['--control', control, '--zone', zone,
                             '--wait', '3']

        if pid:
            self.options += ['--pid', pid]

    def fresh(self):
        live = os.path.join(self.folder, 'live')
        shutil.rmtree(live, ignore_errors=True)
        os.mkdir(live, 0o700)

        for name in 'store', 'map':
            shutil.copy(os.path.join(self.folder, name), live)

        if self.control:
            self.load()

    def load(self):
        """Who was just told to stop does not do it any more."""
        for _ in range(100):
            if self.ask('-X', 'POST', 'action=reload')['ok'] and self.served():
                return

            time.sleep(0.1)

        sys.exit('nginx does not load the map')

    def ask(self, *words):
        """What nginx says of the zone; the last word is the query."""
        path, uri = self.control[len('unix:'):].split(':')
        done = subprocess.run(['curl', '-s', '--unix-socket', path,
                               *words[:-1], 'http://localhost%s?zone=%s&%s'
                               % (uri, self.zone, words[-1])],
                              stdout=subprocess.PIPE)

        return json.loads(done.stdout)

    def served(self):
        """Whether nginx serves what is in the file; it has some time."""
        with open(self.map, 'rb') as file:
            image = file.read()[40:56].hex()

        for _ in range(20):
            if self.ask('')['image'] == image:
                return True

            time.sleep(0.1)

        return False

    def run(self, *strace, **env):
        command = [self.miqps, 'publish', '--store',
                   'sqlite:%s/live/store' % self.folder, '--map', self.map,
                   '--source', os.path.join(self.folder, 'next'), *self.options]

        return subprocess.run([*strace, *command], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE,
                              env={**os.environ, **env})

    def state(self):
        """Of the last version in the archive that is not given up."""
        done = subprocess.run([self.miqps, 'history', '--json', '--store',
                               'sqlite:%s/live/store' % self.folder],
                              stdout=subprocess.PIPE)

        return json.loads(done.stdout.splitlines()[0])['state']

    def shown(self, path):
        """What is in a map; None if it is not whole."""
        done = subprocess.run([self.miqps, 'show', path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        return done.stdout if done.returncode == 0 else None


def calls(publish, log):
    """The system calls of a publish: name, and which of that name."""
    publish.fresh()
    done = publish.run('strace', '-o', log)

    if done.returncode != 0:
        sys.exit('cannot trace: ' + done.stderr.decode())

    places, count, there = [], {}, not publish.control

    with open(log) as file:
        for line in file:
            name = re.match(r'(\w+)\(', line)

            if not name:
                continue

            name = name.group(1)
            count[name] = count.get(name, 0) + 1
            there |= name.startswith('rename')

            if there or name in TALK:
                places.append((name, count[name]))

    return sorted(places)


def points(places):
    for name, n in places:
        if name in ('execve', 'exit_group', 'exit'):
            continue

        for fault in FAULTS:
            if fault == FAULTS[0] or name in FAIL:
                yield name, fault, n


class Found:
    """What was wrong after faults."""

    def __init__(self, publish, old, new):
        self.publish, self.old, self.new = publish, old, new
        self.torn, self.stuck, self.other = [], [], []

    def whole(self, what):
        if self.publish.shown(self.publish.map) not in (self.old, self.new):
            self.torn.append(what)

    def again(self, what):
        """Without a fault it is published."""
        last = self.publish.run()

        if last.returncode != 0 \
                or self.publish.shown(self.publish.map) != self.new \
                or self.publish.state() != 'published':
            self.stuck.append((what, last.stderr.decode()))

        if self.publish.control and not self.publish.served():
            self.other.append((what, last.stdout.decode()))


def inject(point):
    return ('strace', '-o', '/dev/null', '-e',
            'inject=%s:%s:when=%d' % point)


def faults(publish, found, every, log):
    places = list(points(calls(publish, log)))
    tried, killed = 0, 0

    for i in range(0, len(places), every):
        first = places[i]
        second = places[i * STEP % len(places)]
        tried += 1
        publish.fresh()
        killed += publish.run(*inject(first)).returncode == -9
        found.whole(first)
        publish.run(*inject(second))
        found.whole((first, second))
        found.again((first, second))

    print('# %d of %d faults, %d of them kills, each followed by another one'
          % (tried, len(places), killed))

    return killed


def short_writes(publish, found, library, log):
    """None of them may matter, since what is missing can be written."""
    publish.fresh()
    publish.run(LD_PRELOAD=library, SHORT_WRITES=log)

    with open(log) as file:
        count = int(file.read())

    failed = []

    for which in ['all', *range(1, count + 1)]:
        publish.fresh()
        done = publish.run(LD_PRELOAD=library, SHORT_WRITE=str(which))
        found.whole(('short write', which))

        if done.returncode != 0 \
                or publish.shown(publish.map) != found.new:
            failed.append((which, done.stderr.decode()))

        found.again(('short write', which))

    print('# %d writes, each of them short, and all' % count)

    return failed if count > 0 else ['there were none']


def main(miqps, library, folder, every='1', *nginx):
    publish = Publish(miqps, folder, *nginx)
    log = os.path.join(folder, 'log')
    old = publish.shown(os.path.join(folder, 'map'))
    calls(publish, log)
    found = Found(publish, old, publish.shown(publish.map))
    short = [] if nginx else short_writes(publish, found, library, log)
    killed = faults(publish, found, int(every), log)

    results = [('the map is the old one or the new one, whole', found.torn),
               ('the same again publishes it', found.stuck)]
    results.append(('nginx serves what is in the file', found.other) if nginx
                   else ('a write that is short is gone on with', short))

    for what, failures in results:
        print('%sok - %s' % ('not ' if failures else '', what))

        for failure in failures[:10]:
            print('#  ', failure)

    print('%sok - there were kills' % ('' if killed else 'not '))


if __name__ == '__main__':
    main(*sys.argv[1:])
