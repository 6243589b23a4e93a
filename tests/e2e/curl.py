# Copyright (C) the ngx_miqps authors
#
# HTTP/2, by curl, over sockets that expect nothing else.  One curl does it all,
# but uses no connection twice: after "next", 7.88 sends nothing over one that
# is there already.  What it goes by is the socket's name, so each transfer has
# its own.

import io
import os
import subprocess
import tempfile

import wire

MARK = b'\n@@ end of transfer %d @@'


def quote(value):
    """A string of curl's configuration files."""
    for byte, name in ((b'\\', b'\\\\'), (b'"', b'\\"'), (b'\t', b'\\t'),
                       (b'\n', b'\\n'), (b'\r', b'\\r'), (b'\v', b'\\v')):
        value = value.replace(byte, name)

    return b'"%s"' % value


def transfer(number, path, target, host):
    options = [(b'url', b'http://%s/' % host),
               (b'unix-socket', os.fsencode(path)),
               (b'request-target', target),
               (b'write-out', MARK % number)]

    return b'http2-prior-knowledge\nsilent\ninclude\nmax-time = 60\n' \
        + b''.join(b'%s = %s\n' % (name, quote(value))
                   for name, value in options)


def get(requests):
    """Tuples of socket, target, host; None for what is not answered."""
    with tempfile.TemporaryDirectory() as folder:
        out = send(folder, requests)

    answers = []
    start = 0

    for n, request in enumerate(requests):
        end = out.find(MARK % n, start)

        if end == -1:
            raise SystemExit('curl did not send %r' % (request,))

        answers.append(answer(out[start:end]))
        start = end + len(MARK % n)

    return answers


def send(folder, requests):
    transfers = []

    for n, (path, target, host) in enumerate(requests):
        name = '%s/%d' % (folder, n)
        os.symlink(path, name)
        transfers.append(transfer(n, name, target, host))

    return subprocess.run(['curl', '-q', '-K', '-'],
                          input=b'next\n'.join(transfers),
                          stdout=subprocess.PIPE).stdout


def answer(part):
    if part == b'':
        return None

    return wire.read_answer(io.BytesIO(part))
