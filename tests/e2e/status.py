# Copyright (C) the ngx_miqps authors
#
# Looks at miqps_status while several workers serve:
#
#     status.py total SOCKET                    "SINCE REQUESTS"
#     status.py sums SOCKET PIDFILE REQUESTS    what is asked is what is counted
#     status.py kills SOCKET PIDFILE REQUESTS KILLS
#         kills workers meanwhile: nothing that was answered is lost
#     status.py swaps SOCKET MAP A B COUNT
#         replaces a map meanwhile: generation and image belong together
#
# All but the first print lines of TAP without numbers.

import glob
import json
import os
import random
import shutil
import signal
import sys
import threading
import time

import wire

HOSTS = [b'a.example', b'b.example', b'c.example', b'd.example', b'localhost',
         b'h7.example', b'unknown.example', b'192.0.2.1']
KNOWN = [host.decode() for host in HOSTS[:6]]
TARGET = b'/p?a=1&b=2&fbclid=3'
LIMIT = 60


def read(path):
    """A connection of its own; a worker may be gone before it answers."""
    for _ in range(100):
        try:
            client = wire.Client(path)
            answer = client.get(b'/status', headers=b'Connection: close\r\n')
            client.close()
            return json.loads(answer.body.decode())
        except (wire.Broken, OSError):
            time.sleep(0.05)

    sys.exit('nobody answers')


def hosts(status):
    found = {one['host']: one['requests'] for one in status['hosts']}

    if len(found) != len(status['hosts']):
        sys.exit('a host is there twice: %s' % status['hosts'])

    return found


def tell(good, name, *details):
    print('%s - %s' % ('ok' if good else 'not ok', name))

    if not good:
        for detail in details:
            print('# %s' % (detail,))


def workers(pidfile):
    with open(pidfile) as file:
        master = int(file.read())

    found = []

    for path in glob.glob('/proc/[0-9]*'):
        try:
            with open(path + '/status') as file:
                parent = 'PPid:\t%d\n' % master in file.read()
            with open(path + '/cmdline') as file:
                if parent and 'worker process' in file.read():
                    found.append(int(path[len('/proc/'):]))
        except OSError:
            pass

    return sorted(found)


def agree(path, pidfile):
    """A process is there a little before it says so."""
    end = time.monotonic() + LIMIT

    while time.monotonic() < end:
        told = sorted(one['pid'] for one in read(path)['workers'])

        if len(told) == 3 and told == workers(pidfile):
            return True

        time.sleep(0.05)

    return False


class Asker(threading.Thread):
    """Asks for one host after the other, over many connections."""

    def __init__(self, path, count):
        super().__init__()
        self.path = path
        self.count = count
        self.sent = {host.decode(): 0 for host in HOSTS}
        self.answered = dict(self.sent)

    def run(self):
        client = wire.Client(self.path)

        for i in range(self.count):
            host = HOSTS[i % len(HOSTS)]
            self.sent[host.decode()] += 1

            try:
                client.exchange([wire.request(TARGET, host=host)])
                self.answered[host.decode()] += 1
            except (wire.Broken, OSError):
                client.close()

            if i % 16 == 15:
                client.close()

        client.close()


def ask(path, requests, meanwhile=None):
    """Requests sent and answered, by host."""
    askers = [Asker(path, requests // 4) for _ in range(4)]

    for asker in askers:
        asker.start()

    if meanwhile is not None:
        meanwhile(askers)

    for asker in askers:
        asker.join()

    return [{host.decode(): sum(getattr(asker, what)[host.decode()]
                                for asker in askers) for host in HOSTS}
            for what in ('sent', 'answered')]


def more(before, after):
    """What was counted between two answers: all, by host, others."""
    was = hosts(before)
    now = hosts(after)

    return (after['requests'] - before['requests'],
            {host: now.get(host, 0) - was.get(host, 0) for host in KNOWN},
            after['other_hosts']['requests']
            - before['other_hosts']['requests'])


def total(path):
    status = read(path)
    print(status['since'], status['requests'])


def sums(path, pidfile, requests):
    before = read(path)
    sent, answered = ask(path, int(requests))
    after = read(path)

    all_, by_host, other = more(before, after)
    wanted = sum(sent.values())

    tell(sent == answered, 'all are answered', sent, answered)
    tell(all_ == wanted, 'all workers together count each request once',
         all_, wanted)
    tell(after['verdicts']['stripped'] - before['verdicts']['stripped']
         == wanted, 'and what became of it', before, after)
    tell(by_host == {host: sent[host] for host in KNOWN},
         'hosts are told apart, by whomever they are counted', by_host, sent)
    tell(other == wanted - sum(by_host.values()),
         'and the others are counted together', other)
    tell(agree(path, pidfile), 'workers are those that there are',
         after['workers'])

    work = {one['pid']: one['requests'] for one in after['workers']}
    for one in before['workers']:
        work[one['pid']] = work.get(one['pid'], 0) - one['requests']

    tell(sum(work.values()) == wanted, 'and share the work', work)


def kills(path, pidfile, requests, count):
    def kill(askers):
        for _ in range(int(count)):
            found = workers(pidfile)

            if found:
                os.kill(random.choice(found), signal.SIGKILL)

            time.sleep(0.05)

    before = read(path)
    sent, answered = ask(path, int(requests), kill)
    end = time.monotonic() + LIMIT

    while len(workers(pidfile)) < 3 and time.monotonic() < end:
        time.sleep(0.05)

    after = read(path)
    all_, by_host, _ = more(before, after)

    tell(sum(answered.values()) <= all_ <= sum(sent.values()),
         'killed workers take nothing with them', answered, all_, sent)
    tell(all(answered[host] <= by_host[host] <= sent[host] for host in KNOWN),
         'nor of any host', answered, by_host, sent)
    tell(agree(path, pidfile), 'and are not among the workers',
         after['workers'])
    tell(after['since'] == before['since'], 'nothing begins anew')


def swaps(path, place, one, two, count):
    sizes = {}
    images = {}
    wrong = []
    last = read(path)['zones'][0]

    for i in range(int(count)):
        source = (two, one)[i % 2]
        shutil.copy(source, place + '.new')
        os.rename(place + '.new', place)
        end = time.monotonic() + LIMIT

        while time.monotonic() < end:
            zone = read(path)['zones'][0]
            known = images.setdefault(zone['generation'], zone['image'])
            size = sizes.setdefault(zone['image'],
                                    (zone['size'], zone['hosts']))

            if known != zone['image'] or size != (zone['size'], zone['hosts']):
                wrong.append(zone)

            if zone['generation'] > last['generation']:
                break

        last = zone

    wanted = {(os.path.getsize(one), 31), (os.path.getsize(two), 3001)}

    tell(not wrong, 'a generation has one image', wrong[:3])
    tell(set(sizes.values()) == wanted, 'with the size and hosts of its file',
         sizes, wanted)
    tell(last['swaps'] == last['generation'] and last['refused'] == 0,
         'each swap is counted', last)


if __name__ == '__main__':
    {'total': total, 'sums': sums, 'kills': kills,
     'swaps': swaps}[sys.argv[1]](*sys.argv[2:])
