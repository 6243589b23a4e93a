#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# A publish that is killed, or whose system calls fail, at one place after the
# other:
#
#     publish_faults.py MIQPS SHORT FOLDER [EVERY]
#
# FOLDER has a store and a map that were published, "store" and "map", and the
# source of the next one, "next".  Whatever happens, the map is the old one or
# the new one, whole; so it is after a second fault, at another place, of the
# same command; and without one that leads to the new map in the end.  Of all
# places, one in EVERY is tried.  SHORT is the library that makes writes short,
# each of them and all.  Prints lines of TAP without numbers.

import json
import os
import re
import shutil
import subprocess
import sys

FAULTS = ['signal=SIGKILL', 'error=EIO', 'error=ENOSPC', 'error=EINTR',
          'error=EACCES']

# what is written to, or what decides on it; the rest is killed only

FAIL = {'openat', 'write', 'pwrite64', 'fsync', 'fdatasync', 'rename',
        'renameat', 'renameat2', 'unlink', 'close', 'read', 'pread64', 'flock',
        'fchmod', 'ftruncate', 'lseek', 'fstat', 'newfstatat', 'lstat', 'stat'}

# from one place to that of the second fault: all places come up

STEP = 1009


class Publish:
    def __init__(self, miqps, folder):
        self.miqps = miqps
        self.folder = folder
        self.map = os.path.join(folder, 'live', 'map')

    def fresh(self):
        live = os.path.join(self.folder, 'live')
        shutil.rmtree(live, ignore_errors=True)
        os.mkdir(live, 0o700)

        for name in 'store', 'map':
            shutil.copy(os.path.join(self.folder, name), live)

    def run(self, *strace, **env):
        command = [self.miqps, 'publish', '--store',
                   'sqlite:%s/live/store' % self.folder, '--map', self.map,
                   '--source', os.path.join(self.folder, 'next')]

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
    """The system calls of a publish, by name."""
    publish.fresh()
    done = publish.run('strace', '-o', log)

    if done.returncode != 0:
        sys.exit('cannot trace: ' + done.stderr.decode())

    count = {}

    with open(log) as file:
        for line in file:
            name = re.match(r'(\w+)\(', line)

            if name:
                count[name.group(1)] = count.get(name.group(1), 0) + 1

    return count


def points(count):
    for name in sorted(count):
        if name in ('execve', 'exit_group', 'exit'):
            continue

        for fault in FAULTS:
            if fault != FAULTS[0] and name not in FAIL:
                continue

            for n in range(1, count[name] + 1):
                yield name, fault, n


class Found:
    """What was wrong after faults."""

    def __init__(self, publish, old, new):
        self.publish, self.old, self.new = publish, old, new
        self.torn, self.stuck = [], []

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


def main(miqps, library, folder, every='1'):
    publish = Publish(miqps, folder)
    log = os.path.join(folder, 'log')
    old = publish.shown(os.path.join(folder, 'map'))
    calls(publish, log)
    found = Found(publish, old, publish.shown(publish.map))
    short = short_writes(publish, found, library, log)
    killed = faults(publish, found, int(every), log)

    for what, failures in (
            ('the map is the old one or the new one, whole', found.torn),
            ('the same again publishes it', found.stuck),
            ('a write that is short is gone on with', short)):
        print('%sok - %s' % ('not ' if failures else '', what))

        for failure in failures[:10]:
            print('#  ', failure)

    print('%sok - there were kills' % ('' if killed else 'not '))


if __name__ == '__main__':
    main(*sys.argv[1:])
