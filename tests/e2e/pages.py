# Copyright (C) the ngx_miqps authors
#
# Pages of documentation through nginx, and what a browser makes of them:
#
#     pages.py pick FOLDER COUNT            copies pages of packages there
#     pages.py fuzz FOLDER                  ... the corpus of tests/fuzz
#     pages.py compare SOCKET FOLDER CHROMIUM
#         before and after, their trees differ in links only
#     pages.py page FILE LINKS              writes a long page
#     pages.py slow SOCKET PID CLIENTS      it is read slowly
#
# The last two print lines of TAP without numbers.

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

import wire

PAGES = ('/usr/share/doc/python3*/html', '/usr/share/doc/apache2-doc',
         '/usr/share/doc/git', '/usr/share/doc/git-doc',
         '/usr/share/doc/debian-policy', '/usr/share/doc/developers-reference')
MAX = 1 << 20

# elements and attributes whose values may change

LINKS = re.compile(r'(a|area|link) href|(audio|embed|frame|iframe|img|input'
                   r'|script|source|track|video) src|(img|source) srcset'
                   r'|form action|meta content', re.I)

# The trees of two pages.  What cannot be the same page ends it; attributes
# that differ are told.

COMPARE = r'''
(function (before, after) {
    let changed = [];

    function wrong(a, what) {
        throw new Error(what + ' of ' + (a && a.nodeName) + ' differs');
    }

    function attributes(a, b) {
        if (a.attributes.length !== b.attributes.length) {
            wrong(a, 'the number of attributes');
        }

        for (let i = 0; i < a.attributes.length; i++) {
            let x = a.attributes[i], y = b.attributes[i];

            if (x.name !== y.name) {
                wrong(a, 'an attribute');
            }

            if (x.value !== y.value) {
                changed.push([a.localName + ' ' + x.name, x.value, y.value]);
            }
        }
    }

    function same(a, b) {
        let pairs = [[a, b]];

        while (pairs.length) {
            [a, b] = pairs.pop();

            if (a.nodeType !== b.nodeType || a.nodeName !== b.nodeName
                || a.namespaceURI !== b.namespaceURI)
            {
                wrong(a, 'the kind');
            }

            if (a.nodeType === 1) {
                attributes(a, b);

                if (a.content instanceof DocumentFragment) {
                    pairs.push([a.content, b.content]);
                }

            } else if (a.nodeType === 10) {
                if (a.publicId !== b.publicId || a.systemId !== b.systemId) {
                    wrong(a, 'the type');
                }

            } else if (a.data !== b.data) {
                wrong(a.parentNode, 'text');
            }

            if (a.childNodes.length !== b.childNodes.length) {
                wrong(a, 'the number of children');
            }

            for (let x = a.firstChild, y = b.firstChild; x;
                 x = x.nextSibling, y = y.nextSibling)
            {
                pairs.push([x, y]);
            }
        }
    }

    let parser = new DOMParser();
    let one = parser.parseFromString(before, 'text/html');
    let two = parser.parseFromString(after, 'text/html');

    if (one.compatMode !== two.compatMode) {
        wrong(one, 'the mode');
    }

    same(one, two);

    return JSON.stringify([one.getElementsByTagName('*').length, changed]);
})
'''


class Browser:
    """A Chromium without a window, that is asked through a pipe."""

    def __init__(self, program, folder):
        theirs_in, self.out = os.pipe()
        self.into, theirs_out = os.pipe()

        self.process = subprocess.Popen(
            ['sh', '-c', 'exec "$@" 3<&%d 4>&%d' % (theirs_in, theirs_out),
             'sh', program, '--headless', '--no-sandbox', '--disable-gpu',
             '--disable-background-networking', '--disable-dev-shm-usage',
             '--no-first-run', '--disable-extensions',
             '--disable-component-update',
             '--host-resolver-rules=MAP * 127.0.0.1:9',
             '--user-data-dir=' + folder, '--remote-debugging-pipe',
             'about:blank'],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        os.close(theirs_in)
        os.close(theirs_out)

        self.number = 0
        self.session = None
        self.rest = b''

        target = self.ask('Target.createTarget', url='about:blank')
        self.session = self.ask('Target.attachToTarget', flatten=True,
                                targetId=target['targetId'])['sessionId']

    def ask(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}

        if self.session is not None:
            message['sessionId'] = self.session

        data = json.dumps(message).encode() + b'\0'

        while data:
            data = data[os.write(self.out, data):]

        while True:
            answer = self.read()

            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(answer['error']['message'])

                return answer['result']

    def read(self):
        parts = [self.rest]

        while b'\0' not in parts[-1]:
            data = os.read(self.into, 1 << 16)

            if not data:
                raise RuntimeError('the browser has ended')

            parts.append(data)

        line, _, self.rest = b''.join(parts).partition(b'\0')

        return json.loads(line)

    def call(self, function, *args):
        result = self.ask('Runtime.evaluate', returnByValue=True,
                          expression='%s(%s)' % (function, ', '.join(
                              json.dumps(arg) for arg in args)))

        if 'exceptionDetails' in result:
            raise ValueError(result['exceptionDetails']['exception']
                             ['description'].split('\n')[0])

        return json.loads(result['result']['value'])

    def close(self):
        os.close(self.out)
        os.close(self.into)
        self.process.terminate()
        self.process.wait()


def pick(folder, count):
    """Half of them have links with queries, the rest are of all kinds."""
    found, links = [], []

    for name in sorted(name for pattern in PAGES
                       for top in glob.glob(pattern)
                       for name in glob.glob(top + '/**/*.html*',
                                             recursive=True)):
        if not re.search(r'\.html(\.[a-zA-Z0-9.-]+)?$', name) \
           or name.endswith('.gz') or not os.path.isfile(name) \
           or not 0 < os.path.getsize(name) < MAX:
            continue

        found.append(name)

    for name in found:
        with open(name, 'rb') as file:
            if re.search(rb'(href|src|action)="?https?:[^">]*\?', file.read()):
                links.append(name)

    chosen = spread(links, count // 2)
    chosen += spread([name for name in found if name not in set(chosen)],
                     count - len(chosen))

    for i, name in enumerate(chosen):
        with open(name, 'rb') as file, \
             open('%s/%d.html' % (folder, i), 'wb') as copy:
            copy.write(file.read())

    return len(chosen)


def fuzz(folder):
    """The first two bytes of these are no part of the page."""
    for name in glob.glob('tests/fuzz/corpus/fuzz_html/*'):
        with open(name, 'rb') as file, \
             open('%s/fuzz-%s.html' % (folder, os.path.basename(name)),
                  'wb') as copy:
            copy.write(file.read()[2:])


def spread(names, count):
    step = max(1, len(names) / max(1, count))

    return [names[int(i * step)] for i in range(min(count, len(names)))]


def told(ok, what, *why):
    print('%sok - %s' % ('' if ok else 'not ', what))

    for line in why[:20]:
        print('# ' + line)


def stripped(before, after):
    """True if what is gone is the query, all of it."""
    return after == re.sub(r'\?[^#\s]*', '', before, count=1)


def fetch(sock, name, pause=None):
    """The headers and the body, up to the end of the connection."""
    sock.sendall(b'GET /%s HTTP/1.0\r\nHost: localhost\r\n\r\n'
                 % name.encode())
    parts = [sock.recv(4096)]

    if pause is not None:
        pause()

    while parts[-1]:
        parts.append(sock.recv(1 << 16))

    sock.close()
    head, _, body = b''.join(parts).partition(b'\r\n\r\n')

    return head, body


def compare(path, folder, program):
    pages = changes = elements = 0
    bad = []

    # what the browser has started may write there until it has ended, too

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)

        try:
            for name in sorted(os.listdir(folder)):
                with open(os.path.join(folder, name), 'rb') as file:
                    before = file.read()

                head, after = fetch(wire.connect(path), name)

                if b' 200 ' not in head.split(b'\r')[0]:
                    bad.append('%s: %r' % (name, head))
                    continue

                # a byte is a character, whatever the charset is

                try:
                    count, changed = browser.call(
                        COMPARE, before.decode('latin-1'),
                        after.decode('latin-1'))
                except ValueError as e:
                    bad.append('%s: %s' % (name, e))
                    continue

                # of these, values have many forms, and tags are ignored

                real = not name.startswith('fuzz-')

                bad += ['%s: %s: %s' % (name, attribute, [old, new])
                        for attribute, old, new in changed
                        if not LINKS.fullmatch(attribute)
                        or (real and not stripped(old, new))]

                if real and not changed and after != before:
                    bad.append('%s: bytes differ, and no link' % name)

                pages += 1
                elements += count
                changes += len(changed)
        finally:
            browser.close()

    told(not bad, 'a browser sees the same %d pages, but for links' % pages,
         *bad)
    told(changes > pages, '%d links of %d elements differ'
         % (changes, elements))


# --- a page that takes long

LINK = b'<p><a href="/p?id=%07d&amp;gclid=1">x</a>\n'


def long_page(name, count):
    with open(name, 'wb') as file:
        for i in range(count):
            file.write(LINK % i)


def resident(pid):
    with open('/proc/%d/status' % pid) as file:
        return int(re.search(r'VmRSS:\s*(\d+)', file.read()).group(1))


class Slow(threading.Thread):
    """Reads a little, waits until it is told, and reads the rest."""

    def __init__(self, path, event):
        super().__init__()
        self.path = path
        self.event = event
        self.begun = threading.Event()
        self.body = b''

    def run(self):
        self.body = fetch(wire.connect(self.path), 'long.html', self.wait)[1]

    def wait(self):
        self.begun.set()
        self.event.wait()


def slow(path, pid, clients):
    go = threading.Event()
    first = Slow(path, go)
    first.start()
    first.begun.wait()
    time.sleep(0.5)
    before = resident(pid)

    rest = [Slow(path, go) for _ in range(clients)]

    for one in rest:
        one.start()
        one.begun.wait()

    time.sleep(0.5)
    each = (resident(pid) - before) / clients

    go.set()

    for one in [first] + rest:
        one.join()

    body = first.body
    count = body.count(b'\n')
    wanted = b''.join(b'<p><a href="/p?id=%07d">x</a>\n' % i
                      for i in range(count))

    told(count > 10000 and body == wanted,
         'a long page comes whole to who reads slowly')
    told(all(one.body == body for one in rest), 'to all of them')
    told(each < 128, 'a page that waits takes %d KB, buffers of nginx too'
         % each)


def main():
    what, *args = sys.argv[1:]

    if what == 'pick':
        print(pick(args[0], int(args[1])))
    elif what == 'fuzz':
        fuzz(args[0])
    elif what == 'compare':
        compare(*args)
    elif what == 'page':
        long_page(args[0], int(args[1]))
    elif what == 'slow':
        slow(args[0], int(args[1]), int(args[2]))
    else:
        sys.exit('pages.py: %s is not known' % what)


if __name__ == '__main__':
    main()
