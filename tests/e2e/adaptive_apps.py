#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# What the learner makes of packaged applications, beside the published method
# and a list of trackers:
#
#     adaptive_apps.py FOLDER LEVEL APP...
#
# FOLDER has the socket of the learner's nginx; applications are those of
# tests/site/apps.py.  The published method is slow where pages are, and is not
# run at the level "check".  Prints lines of TAP, without numbers, and a table.

import json
import os
import subprocess
import sys

sys.path.insert(0, 'tests/site')
sys.dont_write_bytecode = True

import apps                                                     # noqa: E402


MIQPS = os.environ.get('MIQPS', 'build/miqps')
URLS = 1700
CHECKED = 60            # URLs that the application is asked about
ENOUGH = 95             # percent of what is possible
FETCHES = 300
LESS = 3                # the published method needs so many times as many

HEAD = ['', 'URLs', 'possible', 'adaptive', 'paper', 'trackers',
        'wrong merges', 'fetches', 'paper S=10', 'S=20']


class App:
    def __init__(self, tmp, name):
        self.name = name
        self.host = apps.APPS[name][0]
        self.tmp = tmp
        self.truth = self.file('truth')
        self.urls = self.file('urls')

        for option, file in (['--truth'], self.truth), ([], self.urls):
            with open(file, 'w') as out:
                subprocess.run([sys.executable, 'tests/site/apps.py', *option,
                                name, str(URLS)], stdout=out, check=True)

    def file(self, end):
        return os.path.join(self.tmp, '%s.%s' % (self.name, end))

    def true(self):
        """Whether the application agrees with the truth."""
        with open(self.truth) as truth:
            done = subprocess.run(
                [sys.executable, 'tests/site/apps_check.py',
                 os.path.join(self.tmp, 'learn'), str(CHECKED)],
                stdin=truth, stdout=subprocess.PIPE, text=True)

        return done.returncode == 0, done.stdout

    def eval(self, *options):
        done = subprocess.run([MIQPS, 'eval', '--json', '--sort', '--truth',
                               self.truth, *options], stdout=subprocess.PIPE,
                              check=True)

        return json.loads(done.stdout)

    def learn(self, label, *options):
        """What comes of it, with the number of fetches."""
        store = 'sqlite:' + self.file(label)
        run('ingest', '--quiet', '--store', store, self.urls)
        run('learn', '--quiet', '--store', store, '--rate', '0', '--via',
            'unix:%s/learn' % self.tmp, *options, self.host)

        with open(self.file('json'), 'w') as source:
            subprocess.run([MIQPS, 'map', '--store', store], stdout=source,
                           check=True)

        run('compile', self.file('json'), '-o', self.file('image'))

        return self.eval('--map', self.file('image'), '--store', store)


def run(*words):
    subprocess.run([MIQPS, *words], check=True)


def reached(score, best):
    """Percent of what is possible."""
    return 100 * score['dup_reduction'] if best else 100


def tell(good, name, *more):
    print('%s - %s' % ('ok' if good else 'not ok', name))

    for text in more:
        if not good:
            print('\n'.join('# ' + line for line in text.split('\n')))


def study(tmp, level, name):
    app = App(tmp, name)
    good, said = app.true()
    tell(good, '%s: the truth is true' % name, said)

    score = app.learn('adaptive')
    shown = json.dumps(score, indent=1)
    best = 1 - score['pages'] / score['urls']
    done = reached(score, best)

    tell(score['wrong_merges'] == 0 and score['misled']['urls'] == 0
         and score['pages_lost'] == 0,
         '%s: no page becomes another' % name, shown)
    tell(done >= ENOUGH, '%s: %d %% of what is possible or more'
         % (name, ENOUGH), shown)
    tell(score['fetches'] <= FETCHES, '%s: %d fetches at most'
         % (name, FETCHES), shown)

    trackers = app.eval('--tracking')
    row = [name, str(score['urls']), '%.1f %%' % (100 * best),
           '%.1f %%' % done, '-', '%.1f %%' % reached(trackers, best),
           str(score['wrong_merges']), str(score['fetches']), '-', '-']

    if level != 'check':
        paper = [app.learn('paper%d' % s, '--algorithm', 'paper', '--samples',
                           str(s)) for s in (10, 20)]
        tell(all(LESS * score['fetches'] <= one['fetches'] for one in paper),
             '%s: %d times fewer fetches than the published method'
             % (name, LESS), json.dumps(paper, indent=1))
        row[4] = '%.1f %%' % reached(paper[0], best)
        row[8:] = [str(one['fetches']) for one in paper]

        if paper[0]['wrong_merges']:
            row[4] += ', %d wrong merges' % paper[0]['wrong_merges']

    return row


def main(tmp, level, *names):
    rows = [HEAD] + [study(tmp, level, name) for name in names]
    wide = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]

    for row in rows:
        print('# ' + '  '.join(cell.ljust(wide[i])
                               for i, cell in enumerate(row)).rstrip())


if __name__ == '__main__':
    main(*sys.argv[1:])
