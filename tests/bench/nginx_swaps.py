# Copyright (C) the ngx_miqps authors
#
# Latency of requests while maps are swapped, beside that without swaps: the
# same server, by turns.  A few connections with pauses between their requests
# leave most of two CPUs idle, so that no request waits for another one.

import os
import re
import statistics
import subprocess
import threading

import nginx_map
from nginx_server import Error, Server, ask
from nginx_variants import ON, Variant


HERE = os.path.dirname(os.path.abspath(__file__))

LIMIT = 1.2             # p99 with swaps to that without
ROUNDS = 20
SECONDS = 1
PAUSE = 3               # ms between requests of a connection, at most

# hosts of the maps, zone, and seconds from one swap to the next

SIZES = ((1000, '4m', 0.01), (100000, '64m', 0.1))


class Swapper(threading.Thread):
    """Puts one of two maps in the place of the other, over and over."""

    def __init__(self, place, maps, pause):
        super().__init__()
        self.place = place
        self.maps = maps
        self.pause = pause
        self.ended = threading.Event()

    def run(self):
        """Of two names of one file, rename() leaves both."""
        first, second = self.maps

        while not self.ended.wait(self.pause):
            other = second if os.path.samefile(self.place, first) else first
            os.link(other, self.place + '.new')
            os.rename(self.place + '.new', self.place)

    def __enter__(self):
        self.start()

    def __exit__(self, *_):
        self.ended.set()
        self.join()


def wrk(server, path):
    """Median and p99 in microseconds, and requests."""
    done = subprocess.run(
        ['wrk', '-t1', '-c4', '-d%ds' % SECONDS,
         '-s', os.path.join(HERE, 'nginx_wrk.lua'),
         'http://127.0.0.1:%d' % server.port, '--', path, str(PAUSE)],
        stdout=subprocess.PIPE, universal_newlines=True)

    found = re.search(r'^answered\t(\d+)\t0\t(\d+)\t(\d+)', done.stdout, re.M)

    if not found or int(found.group(1)) == 0:
        raise Error('wrk and "%s": %s' % (server.variant.name, done.stdout))

    requests, median, p99 = map(int, found.groups())

    return median, p99, requests


def generation(server):
    return int(ask(server.port, [('localhost', '/other?id=1')], 1)[0])


def variant(module, hosts, size):
    return Variant('swaps-%d' % hosts, 'swaps', nginx_map.use(ON),
                   modules=[module], worker=True,
                   http=nginx_map.zone('swapped', size, ' watch=10ms'),
                   other='miqps rewrite; miqps_use bench; '
                         'return 200 $miqps_generation;')


def maps(program, asked, hosts, data):
    """Two that have the requests, and do not lie in memory alike."""
    known = nginx_map.learned(asked)
    paths = []

    for name, count in (('a', hosts), ('b', hosts + hosts // 10)):
        paths.append(os.path.join(data, 'image-%s-%d' % (name, hosts)))
        nginx_map.compile_map(program, known + nginx_map.filler(0, count),
                              paths[-1])

    return paths


def measure(nginx, program, module, asked, data, size, others):
    """One row, of maps of one size; others() tells who else is busy."""
    hosts, room, pause = size
    place = os.path.join(data, 'image-swapped')
    path = os.path.join(data, 'requests.map')
    paths = maps(program, asked, hosts, data)
    still, swapped, swaps = [], [], 0

    with open(path, 'w') as f:
        f.writelines('%s %s\n' % request for request in asked)

    if os.path.exists(place):
        os.unlink(place)

    os.link(paths[0], place)

    with Server(nginx, variant(module, hosts, room), data) as server:
        wrk(server, path)
        watch = others([server])

        for _ in range(ROUNDS):
            still.append(wrk(server, path))
            before = generation(server)

            with Swapper(place, paths, pause):
                swapped.append(wrk(server, path))

            done = generation(server) - before
            swaps += done

            if done == 0:
                raise Error('no map was taken')

        busy = watch.busy()

    return dict(row(still, swapped, swaps), hosts=hosts, busy=busy,
                bytes=os.path.getsize(paths[0]))


def row(still, swapped, swaps):
    ratio = statistics.median(b[1] / a[1] for a, b in zip(still, swapped))

    return {
        'swaps': swaps / ROUNDS / SECONDS,
        'rate': statistics.median(one[2] for one in swapped) / SECONDS,
        'p50': statistics.median(one[0] for one in still),
        'p50_swaps': statistics.median(one[0] for one in swapped),
        'p99': statistics.median(one[1] for one in still),
        'p99_swaps': statistics.median(one[1] for one in swapped),
        'p99_min': min(one[1] for one in still),
        'p99_swaps_min': min(one[1] for one in swapped),
        'ratio': round(ratio, 3), 'limit': LIMIT, 'held': ratio <= LIMIT}
