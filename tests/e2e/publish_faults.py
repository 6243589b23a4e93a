#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# A publish that is killed, or whose system calls fail, at one place after the
# other:
#
#     publish_faults.py MIQPS FOLDER [EVERY]
#
# FOLDER has a store and a map that were published, "store" and "map", and the
# source of the next one, "next".  Whatever happens, the map is the old one or
# the new one, whole; and the same command, without a fault and also with a
# second one, leads to the new one in the end.  Of all places, one in EVERY is
# tried.  Prints lines of TAP without numbers.

import json
import os
import re
import shutil
import subprocess
import sys

FAULTS = ['signal=SIGKILL', 'error=EIO', 'error=ENOSPC', 'error=EINTR',
          'error=EACCES', 'retval=1']

# what is written to, or what decides on it; the rest is killed only

FAIL = {'openat', 'write', 'pwrite64', 'fsync', 'fdatasync', 'rename',
        'renameat', 'renameat2', 'unlink', 'close', 'read', 'pread64', 'flock',
        'fchmod', 'ftruncate', 'lseek', 'fstat', 'newfstatat', 'lstat', 'stat'}

# of these fewer bytes than asked for may be written; those that are said to
# have been are not, so that the store is left out, which cannot know

SHORT = {'write'}


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

    def run(self, *strace):
        command = [self.miqps, 'publish', '--store',
                   'sqlite:%s/live/store' % self.folder, '--map', self.map,
                   '--source', os.path.join(self.folder, 'next')]

        return subprocess.run([*strace, *command], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)

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

            if fault.startswith('retval') and name not in SHORT:
                continue

            for n in range(1, count[name] + 1):
                yield name, fault, n


def main(miqps, folder, every='1'):
    publish = Publish(miqps, folder)
    log = os.path.join(folder, 'strace')
    old = publish.shown(os.path.join(folder, 'map'))
    count = calls(publish, log)
    new = publish.shown(publish.map)
    torn, stuck, tried, killed = [], [], 0, 0

    for i, point in enumerate(points(count)):
        if i % int(every):
            continue

        inject = ('strace', '-o', '/dev/null', '-e',
                  'inject=%s:%s:when=%d' % point)
        tried += 1
        publish.fresh()
        first = publish.run(*inject)
        killed += first.returncode == -9

        if publish.shown(publish.map) not in (old, new):
            torn.append(point)

        # the same fault again, then none

        if i % (7 * int(every)) == 0:
            publish.run(*inject)

            if publish.shown(publish.map) not in (old, new):
                torn.append(point)

        last = publish.run()

        if last.returncode != 0 or publish.shown(publish.map) != new \
                or publish.state() != 'published':
            stuck.append((point, last.stderr.decode()))

    print('# %d faults, %d of them kills' % (tried, killed))

    for what, failures in (
            ('the map is the old one or the new one, whole', torn),
            ('the same again publishes it', stuck)):
        print('%sok - %s' % ('not ' if failures else '', what))

        for failure in failures[:10]:
            print('#  ', failure)

    print('%sok - there were kills' % ('' if killed else 'not '))


if __name__ == '__main__':
    main(*sys.argv[1:])
