# Copyright (C) the ngx_miqps authors
#
# The tables of tests/bench/learn, which starts the sites:
#
#     learn.py FOLDER          where their sockets are

import html
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True

import report                                                   # noqa: E402


MIQPS = os.path.join(report.BUILD, 'miqps')
SHOPS = 10              # with other traffic each
URLS = 5000             # of a shop

SPEED = 500             # fetches a second
RATE = 5                # percent that it may be off
MANY = 100000           # hosts
MEMORY = 64             # MB

# of K, S, N and T; the first is the default

SETTINGS = [
    (50, 10, 5, 10),
    (10, 10, 5, 10), (25, 10, 5, 10), (100, 10, 5, 10),
    (50, 3, 3, 10), (50, 5, 5, 10), (50, 20, 5, 10), (50, 20, 10, 10),
    (50, 50, 20, 10),
    (50, 10, 5, 1), (50, 10, 5, 5), (50, 10, 5, 20), (50, 10, 5, 50),
]

IDS = ['text', 'dom', 'near', 'title', 'body', 'headers', 'canonical',
       'exec:cksum']


class Learning:
    """Runs over a corpus, and what they come to."""

    def __init__(self, tmp, options=()):
        self.tmp = tmp
        self.hosts = ['shop%d.example' % i for i in range(SHOPS)]
        self.truth = os.path.join(tmp, 'truth')
        self.corpus = os.path.join(tmp, 'corpus')
        self.store = os.path.join(tmp, 'store')

        with open(self.truth, 'w') as truth, \
                open(os.path.join(tmp, 'urls'), 'w') as urls:
            for seed, host in enumerate(self.hosts):
                words = [sys.executable, 'tests/site/traffic.py', *options]
                more = [str(URLS), host, str(seed)]
                subprocess.run(words + more, stdout=urls, check=True)
                subprocess.run(words + ['--truth'] + more, stdout=truth,
                               check=True)

        remove(self.corpus)
        run('ingest', '--quiet', '--store', 'sqlite:' + self.corpus,
            os.path.join(tmp, 'urls'))

    def learn(self, site, *options):
        """What "miqps eval" says; seconds, CPU and memory beside it."""
        remove(self.store)
        shutil.copy(self.corpus, self.store)

        used = run('learn', '--quiet', '--store', 'sqlite:' + self.store,
                   '--algorithm', 'paper', '--rate', '0', '--via',
                   'unix:%s/%s.learn' % (self.tmp, site), *options,
                   *self.hosts)

        source = os.path.join(self.tmp, 'map.json')

        with open(source, 'w') as file:
            subprocess.run([MIQPS, 'map', '--store', 'sqlite:' + self.store],
                           stdout=file, check=True)

        image = os.path.join(self.tmp, 'map.image')
        run('compile', source, '-o', image)
        score = self.eval('--map', image, '--store', 'sqlite:' + self.store)
        score.update(used)

        return score

    def eval(self, *options):
        done = subprocess.run([MIQPS, 'eval', '--json', '--truth', self.truth,
                               *options], stdout=subprocess.PIPE, check=True)

        return json.loads(done.stdout)


def remove(store):
    for end in '', '-wal', '-shm', '-learn':
        if os.path.exists(store + end):
            os.unlink(store + end)


def run(*words):
    start = time.monotonic()
    child = subprocess.Popen([MIQPS, *words])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status

    if status != 0:
        sys.exit('bench: miqps %s failed' % words[0])

    return {'seconds': time.monotonic() - start,
            'cpu': usage.ru_utime + usage.ru_stime,
            'memory': usage.ru_maxrss / 1024}


# --- right and wrong

HEAD = ['', 'neutral gone', 'matters gone', 'misled', 'duplicates gone',
        'fetches', 'ms']


def line(name, score):
    """A row: parameters that are gone, URLs that are misled, what it took."""
    params = score['params']
    fetches = score.get('fetches', 0)

    return [name, '%.1f %%' % (100 * params['neutral']['share']),
            '%d of %d' % (params['matters']['stripped'],
                          sum(params['matters'][key] for key in
                              ('stripped', 'kept', 'unknown'))),
            '%.2f %%' % (100 * score['misled']['share']),
            '%.1f %%' % (100 * score['dup_reduction']), str(fetches),
            '%.2f' % (1000 * score['cpu'] / fetches)
            if fetches and 'cpu' in score else '-']


def brief(name, score):
    score = dict(score)
    score.pop('wrong_params')
    score.pop('misled_urls')
    score['name'] = name

    return score


def sweep(tmp):
    learning = Learning(tmp, ['--options'])
    rows, kept = [HEAD], []

    for k, s, n, t in SETTINGS:
        score = learning.learn('seldom', '--patterns', str(k), '--samples',
                               str(s), '--tests', str(n), '--threshold',
                               str(t))
        name = 'K %d, S %d, N %d, T %d %%' % (k, s, n, t)
        rows.append(line(name, score))
        kept.append(brief(name, score))

    print('\nLearn: other settings, on sites with a banner at one URL in a '
          'hundred,\nand parameters that matter for one value in 2, 4, 8 or '
          '20; the first are the\ndefaults')
    report.table(rows)

    return kept


def canonicals(learning, tmp):
    """Forms by what pages declare: all of them are fetched for that."""
    forms = os.path.join(tmp, 'forms')

    with open(learning.truth) as truth, open(forms, 'w') as out:
        client = Client(os.path.join(tmp, 'right.site'))
        n = 0

        for row in truth:
            kind, *fields = row.rstrip('\n').split('\t')

            if kind != 'page':
                continue

            host, target = re.match('https://([^/]*)(.*)', fields[0]).groups()
            link = re.search('rel="canonical" href="([^"]*)"',
                             client.get(host, target))
            out.write('%s\thttps://%s%s\n'
                      % (fields[0], host, html.unescape(link.group(1))))
            n += 1

    score = learning.eval('--forms', forms)
    score['fetches'] = n

    return score


class Client:
    def __init__(self, path):
        self.client = http.client.HTTPConnection('localhost')
        self.client.sock = socket.socket(socket.AF_UNIX)
        self.client.sock.connect(path)

    def get(self, host, target):
        self.client.request('GET', target, headers={'Host': host})

        return self.client.getresponse().read().decode()


def ids(tmp):
    learning = Learning(tmp)
    kept = []

    for title, site in (('a quiet site', 'right'),
                        ('a site full of noise', 'noisy')):
        rows = [HEAD]

        for name in IDS:
            score = learning.learn(site, '--content-id', name)
            rows.append(line(name, score))
            kept.append(brief('%s, %s' % (title, name), score))

        if site == 'right':
            for name, score in (('list of trackers',
                                 learning.eval('--tracking')),
                                ('rel=canonical', canonicals(learning, tmp))):
                rows.append(line(name, score))
                kept.append(brief('%s, %s' % (title, name), score))

        print('\nLearn: by other content IDs, on %s; ms is CPU time of a '
              'page' % title)
        report.table(rows)

    return kept


# --- speed

def speed(tmp):
    learning = Learning(tmp)
    score = learning.learn('light', '--concurrency', '16')
    fast = score['fetches'] / score['seconds']

    print('\nLearn: %d fetches in %.1f s, %.0f a second, %.2f ms of CPU time '
          'each, %.0f MB' % (score['fetches'], score['seconds'], fast,
                             1000 * score['cpu'] / score['fetches'],
                             score['memory']))
    report.tell('%d fetches a second', '%.0f' % fast, SPEED, fast >= SPEED)

    kept = [brief('speed', score)]
    off = []

    for rate in 20, 100:
        asked = learning.hosts[:1]
        remove(learning.store)
        shutil.copy(learning.corpus, learning.store)
        used = run('learn', '--quiet', '--store', 'sqlite:' + learning.store,
                   '--algorithm', 'paper', '--rate', str(rate), '--via',
                   'unix:%s/light.learn' % tmp,
                   '--patterns', '20', *asked)
        n = learning.eval('--store', 'sqlite:' + learning.store)['fetches']
        got = (n - 1) / used['seconds']
        off.append(100 * abs(got - rate) / rate)
        kept.append(dict(used, name='rate', asked=rate, got=got))
        print('%d fetches a second were asked for, and there were %.1f'
              % (rate, got))

    report.tell('a rate is kept within %d %%', '%.1f %%' % max(off), RATE,
                max(off) <= RATE)

    return kept


def many(tmp):
    kept = []

    for n in MANY // 10, MANY:
        store = os.path.join(tmp, 'many')
        remove(store)

        with open(os.path.join(tmp, 'urls'), 'w') as file:
            file.writelines('http://host%d.example/p?id=%d\n' % (i, i)
                            for i in range(n))

        run('ingest', '--quiet', '--store', 'sqlite:' + store,
            os.path.join(tmp, 'urls'))
        used = run('learn', '--quiet', '--all', '--store', 'sqlite:' + store,
                   '--algorithm', 'paper', '--rate', '0', '--via',
                   'unix:%s/light.learn' % tmp)
        kept.append(dict(used, name='%d hosts' % n, hosts=n))
        print('%d hosts: %.0f s, %.0f MB' % (n, used['seconds'],
                                             used['memory']))

    report.tell('%d MB for any number of hosts', '%.0f' % kept[-1]['memory'],
                MEMORY, kept[-1]['memory'] <= MEMORY)

    return kept


def main(tmp):
    report.save({'learn': {'settings': sweep(tmp), 'ids': ids(tmp),
                           'speed': speed(tmp), 'hosts': many(tmp)}})


if __name__ == '__main__':
    main(*sys.argv[1:])
