# Copyright (C) the ngx_miqps authors
#
# Asks for URLs, and looks at what miqps_corpus has written of them:
#
#     corpus.py ask SOCKET PREFIX COUNT         /PREFIX?id=0 and so on, once
#     corpus.py many SOCKET FILE URLS REQUESTS [PIDFILE KILLS]
#         each at most once, nearly all of them; kills workers meanwhile
#     corpus.py secrets SOCKET FILE LOG COUNT   none of them is anywhere
#     corpus.py lines FILE                      all are whole, and how many
#     corpus.py errors SOCKET                   lines that were lost
#
# "many" and "secrets" print lines of TAP without numbers.

import json
import os
import random
import re
import signal
import sys
import threading
import time

import status
import wire

LINE = re.compile(rb'1\t\d+\t[0-9a-f]{16}\thttps?\t[^\t]+\t(/[^\t]*)'
                  rb'\ttext/html\t\d+\t[A-Z-]+')
LIMIT = 60
BATCH = 50
THREADS = 4


def targets(path):
    """What is in the file; fails for a line that is none."""
    found = []

    with open(path, 'rb') as file:
        for line in file:
            match = LINE.fullmatch(line.rstrip(b'\n'))

            if match is None or not line.endswith(b'\n'):
                sys.exit('a line that is none: %r' % line)

            found.append(match.group(1))

    return found


class Asker(threading.Thread):
    def __init__(self, path, urls):
        super().__init__()
        self.path = path
        self.urls = urls
        self.bad = 0

    def run(self):
        client = wire.Client(self.path)

        for i in range(0, len(self.urls), BATCH):
            batch = [wire.request(url) for url in self.urls[i:i + BATCH]]

            # now and then another worker
            if i % (20 * BATCH) == 0:
                client.close()

            for _ in range(50):
                try:
                    answers = client.exchange(batch)
                    break
                except (wire.Broken, OSError):
                    client.close()
                    time.sleep(0.05)
            else:
                sys.exit('nobody answers')

            self.bad += sum(one.status != 200 for one in answers)

        client.close()


def ask(path, prefix, count):
    asker = Asker(path, [b'/%s?id=%d' % (prefix.encode(), i)
                         for i in range(int(count))])
    asker.run()

    if asker.bad:
        sys.exit('%d requests failed' % asker.bad)


def killer(pidfile, kills, askers):
    done = 0

    while done < kills and any(one.is_alive() for one in askers):
        found = status.workers(pidfile)

        if found:
            os.kill(random.choice(found), signal.SIGKILL)
            done += 1

        time.sleep(0.1)


def settled(path):
    """Lines that wait are written within a second."""
    size = -1

    while size != os.stat(path).st_size:
        size = os.stat(path).st_size
        time.sleep(2)


def many(path, file, count, requests, pidfile=None, kills=0):
    count, requests, kills = int(count), int(requests), int(kills)
    name = b'killed' if pidfile else b'page'
    urls = [b'/%s/%d?id=%d&lang=en' % (name, i % 7, i) for i in range(count)]

    # all of them, and then any of them
    order = urls + random.choices(urls, k=max(requests - count, 0))
    random.shuffle(order)

    before = set(targets(file))
    askers = [Asker(path, order[i::THREADS]) for i in range(THREADS)]

    for one in askers:
        one.start()

    if pidfile:
        killer(pidfile, kills, askers)

    for one in askers:
        one.join()

    settled(file)

    found = targets(file)
    ours = set(found) & set(urls)
    twice = len(found) - len(set(found))

    status.tell(sum(one.bad for one in askers) == 0,
                'all requests are answered')
    status.tell(twice == 0, 'no URL is written twice', twice)
    status.tell(set(found) - before <= set(urls), 'nothing else is written')

    # what a worker had not written yet dies with it
    share = 99 if not pidfile else 50
    status.tell(len(ours) * 100 >= share * count,
                '%d %% of the URLs are written at least' % share,
                '%d of %d' % (len(ours), count))
    print('# %d of %d URLs in %d requests' % (len(ours), count, requests))


FORMS = ['/p?access_token=%s', '/p?a=1&Password=%s', '/p?api-key=%s&b=2',
         '/p?next=%%2Fq%%3Fclient_secret%%3D%s', '/p;jwt=%s/q',
         '/p?user[password]=%s', '/p?reset_token=%s', '/p?sig=%s&se=1&sp=r',
         '/p?code=%s&state=abc', '/p?X-Amz-Signature=%s', '/reset/%s',
         '/p?email=%s%%40example.com', '/u/%s@example.com', '/p?_wpnonce=%s',
         '/p?otp=%s', '/p?a=1;secret=%s', '/p?a=1#id_token=%s',
         '/p?SAMLResponse=%s', '/p?accessToken=%s', '/p?token=%s']


def secrets(path, file, log, count):
    alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
    values = [''.join(random.choices(alphabet, k=24)) + '7aB9'
              for _ in range(int(count))]
    client = wire.Client(path)
    bad = 0

    for i, value in enumerate(values):
        target = (FORMS[i % len(FORMS)] % value).encode()
        bad += client.get(target).status != 200

    # what the client is known by is a secret as well
    bad += client.get(b'/private', headers=b'Authorization: Basic %s\r\n'
                      % values[0].encode()).status != 200
    bad += client.get(b'/end-of-secrets').status != 200

    wait = time.monotonic() + LIMIT

    while b'/end-of-secrets' not in targets(file):
        if time.monotonic() > wait:
            sys.exit('the last URL is not written')
        time.sleep(0.1)

    status.tell(bad == 0, 'secrets: all requests are answered', bad)

    told = json.dumps(status.read(path))

    for what, text in (('file', open(file, 'rb').read().decode()),
                       ('log', open(log, 'rb').read().decode()),
                       ('status', told)):
        found = [one for one in values if one in text]
        status.tell(not found, 'secrets: none of %d is in the %s'
                    % (len(values), what), found[:5])


def lines(file):
    print(len(targets(file)))


def errors(path):
    print(status.read(path)['corpus']['errors'])


if __name__ == '__main__':
    {'ask': ask, 'many': many, 'secrets': secrets, 'lines': lines,
     'errors': errors}[sys.argv[1]](*sys.argv[2:])
