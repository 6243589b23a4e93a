# Copyright (C) the ngx_miqps authors
#
# Asks for URLs, and looks at what miqps_corpus has written of them:
#
#     corpus.py ask SOCKET PREFIX COUNT         /PREFIX?id=0 and so on, once
#     corpus.py many SOCKET FILE URLS REQUESTS [PIDFILE KILLS]
#         each at most once, nearly all of them; kills workers meanwhile
#     corpus.py secrets SOCKET FILE LOG STORE COUNT
#         none of them is anywhere
#     corpus.py acts SOCKET FILE STORE          URLs that do something neither
#     corpus.py visitors SOCKET FILE STORE COUNT
#         what is one visitor's alone is not in the store
#     corpus.py lines FILE                      all are whole, and how many
#     corpus.py errors SOCKET                   lines that were lost
#
# Those that look at files print lines of TAP without numbers.  STORE is made
# of FILE by $MIQPS.

import json
import os
import random
import re
import signal
import subprocess
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


def ended(client, file, name):
    """All that was asked for before is in the file."""
    last = b'/end-of-%s' % name.encode()
    client.get(last)
    wait = time.monotonic() + LIMIT

    while last not in targets(file):
        if time.monotonic() > wait:
            sys.exit('the last URL is not written')
        time.sleep(0.1)


def ingest(file, store):
    """The store of the file; all bytes of it."""
    subprocess.run([os.environ.get('MIQPS', 'build/miqps'), 'ingest',
                    '--quiet', '--store', 'sqlite:' + store, file], check=True)

    return b''.join(open(store + end, 'rb').read() for end in ('', '-wal')
                    if os.path.exists(store + end)).decode('latin-1')


def ask_store(store, sql):
    done = subprocess.run([sys.executable, 'tests/support/store_sql.py', store,
                           sql], check=True, stdout=subprocess.PIPE)

    return done.stdout.decode().splitlines()


def secrets(path, file, log, store, count):
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
    ended(client, file, 'secrets')

    status.tell(bad == 0, 'secrets: all requests are answered', bad)

    told = json.dumps(status.read(path))

    for what, text in (('file', open(file, 'rb').read().decode()),
                       ('log', open(log, 'rb').read().decode()),
                       ('store', ingest(file, store)), ('status', told)):
        found = [one for one in values if one in text]
        status.tell(not found, 'secrets: none of %d is in the %s'
                    % (len(values), what), found[:5])


WORDS = ['logout', 'signout', 'log-out', 'delete', 'remove', 'add-to-cart',
         'cart', 'checkout', 'pay', 'vote', 'like', 'unsubscribe', 'confirm',
         'activate', 'reset', 'admin', 'api', 'wp-login', 'cron', 'purge',
         'download', 'export']

ACTS = ['/%s', '/shop/%s', '/Shop/%s.php?id=7', '/a?%s=1', '/%s/5?ref=x']

VERBS = ['/a?do=edit', '/a?action=delete&id=1', '/a?op=remove',
         '/a?_method=put', '/a?cmd=save', '/a?task=update',
         '/a?form%5Baction%5D=send', '/a?ACTION=Publish']


def acts(path, file, store):
    asked = [form % word for word in WORDS for form in ACTS] + VERBS
    client = wire.Client(path)
    bad = sum(client.get(target.encode()).status != 200 for target in asked)
    fine = ['/a?do=show', '/a?action=view&id=1', '/how-to-delete-a-file-here']

    for target in fine:
        client.get(target.encode())

    ended(client, file, 'acts')
    ingest(file, store)

    kept = ask_store(store, 'SELECT url FROM reservoir '
                            'UNION SELECT url FROM samples')
    kept = {url.split('/', 3)[3] for url in kept}

    status.tell(bad == 0, 'acts: all requests are answered', bad)
    status.tell(not any(target[1:] in kept for target in asked),
                'acts: none of %d is in the store' % len(asked),
                [target for target in asked if target[1:] in kept][:5])
    status.tell(all(target[1:] in kept for target in fine),
                'acts: what only looks so is', sorted(kept)[:5])


def visitors(path, file, store, count):
    hexes = '0123456789abcdef'
    letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
    goods = [''.join(random.choices(hexes, k=16)) for _ in range(20)]
    shorts = random.sample(range(100000, 1000000), int(count))
    client = wire.Client(path)
    own = []

    for i, short in enumerate(shorts):
        session = ''.join(random.choices(hexes, k=32))
        click = 'IwAR' + ''.join(random.choices(letters, k=57))
        own += [session, click]

        for k, target in enumerate((
                '/goods?sku=%s&session=%s' % (goods[i % 20], session),
                '/goods?sku=%s&fbclid=%s' % (goods[i % 20], click),
                '/list?page=%d&sid=%d&n=%d' % (i % 9, short, i))):
            client.get(target.encode(), headers=b'X-Real-IP: 192.0.%d.%d\r\n'
                       % (i // 250, i % 250 + 1))

        own.append('sid=%d' % short)

    ended(client, file, 'visitors')

    text = ingest(file, store)
    shown = [one for one in own if one in text]
    kept = ask_store(store, 'SELECT url FROM samples')

    status.tell(not shown, 'visitors: none of %d values of their own is in '
                'the store' % len(own), shown[:5])
    status.tell(sum(one in text for one in goods) == len(goods),
                'visitors: what they share is')

    for name, shape in (('session', 'h' * 32), ('fbclid', 'w' * 61),
                        ('sid', 'd' * 6)):
        found = [url for url in kept if '%s=<%s>' % (name, shape) in url]
        status.tell(len(found) >= 64, 'visitors: the type and length of %s '
                    'is, for 64 samples' % name, found[:3])


def lines(file):
    print(len(targets(file)))


def errors(path):
    print(status.read(path)['corpus']['errors'])


if __name__ == '__main__':
    {'ask': ask, 'many': many, 'secrets': secrets, 'acts': acts,
     'visitors': visitors, 'lines': lines, 'errors': errors}[sys.argv[1]](*sys.argv[2:])
