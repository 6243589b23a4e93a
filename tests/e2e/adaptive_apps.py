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

import concurrent.futures
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
FIRST = 'apache-first'  # what is added to a URL hides what is in it

HEAD = ['', 'URLs', 'possible', 'adaptive', 'paper', 'trackers',
        'wrong merges', 'fetches', 'paper S=10', 'S=20']


class App:
    def __init__(self, tmp, name):
        self.name = name
        self.host = apps.APPS[name][0]
        self.tmp = tmp
        self.said = []            # lines of TAP
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

    def tell(self, good, name, shown):
        self.said.append('%s - %s: %s' % ('ok' if good else 'not ok',
                                          self.name, name))

        if not good:
            if not isinstance(shown, str):
                shown = json.dumps(shown, indent=1)

            self.said.extend('# ' + line for line in shown.split('\n'))

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


def study(tmp, level, name):
    """Lines of TAP, and a row of the table."""
    app = App(tmp, name)
    good, said = app.true()
    app.tell(good, 'the truth is true', said)

    score = app.learn('adaptive')
    best = 1 - score['pages'] / score['urls']
    done = reached(score, best)

    app.tell(score['wrong_merges'] == 0 and score['misled']['urls'] == 0
             and score['pages_lost'] == 0, 'no page becomes another', score)

    # where the order of parameters counts, nobody can strip much

    if name != FIRST:
        app.tell(done >= ENOUGH, '%d %% of what is possible or more' % ENOUGH,
                 score)

    app.tell(score['fetches'] <= FETCHES, '%d fetches at most' % FETCHES,
             score)

    trackers = app.eval('--tracking')
    row = [name, str(score['urls']), '%.1f %%' % (100 * best),
           '%.1f %%' % done, '-', '%.1f %%' % reached(trackers, best),
           str(score['wrong_merges']), str(score['fetches']), '-', '-']

    if level != 'check' and name != FIRST:
        paper = [app.learn('paper%d' % s, '--algorithm', 'paper', '--samples',
                           str(s)) for s in (10, 20)]
        app.tell(all(LESS * score['fetches'] <= one['fetches']
                     for one in paper),
                 '%d times fewer fetches than the published method' % LESS,
                 paper)
        row[4] = '%.1f %%' % reached(paper[0], best)
        row[8:] = [str(one['fetches']) for one in paper]

        if paper[0]['wrong_merges']:
            row[4] += ', %d wrong' % paper[0]['wrong_merges']

    return app.said, row


def main(tmp, level, *names):
    rows = [HEAD]

    if 'apache' in names:
        names += FIRST,

    # most of the time goes by between two looks at a page

    with concurrent.futures.ThreadPoolExecutor() as pool:
        for said, row in pool.map(lambda name: study(tmp, level, name),
                                  names):
            print('\n'.join(said), flush=True)
            rows.append(row)

    wide = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]

    for row in rows:
        print('# ' + '  '.join(cell.ljust(wide[i])
                               for i, cell in enumerate(row)).rstrip())


if __name__ == '__main__':
    main(*sys.argv[1:])
