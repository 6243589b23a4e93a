# Copyright (C) the ngx_miqps authors
#
# HTTP/1.1 to the byte: what is asked for goes out as it is, and nothing of the
# answer is repaired.  Libraries refuse most of what is of interest here.

import socket


class Broken(Exception):
    """The other side closed the connection, or does not speak HTTP."""


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers      # pairs of bytes, as they came
        self.body = body

    def get(self, name):
        """The value of a header; None without it."""
        name = name.lower()

        for key, value in self.headers:
            if key.lower() == name:
                return value

        return None


def connect(path, timeout=60):
    """Path of a socket, or (host, port)."""
    if isinstance(path, tuple):
        return socket.create_connection(path, timeout)

    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(timeout)
    sock.connect(path)

    return sock


def request(target, host=b'localhost', headers=b'', method=b'GET'):
    return b'%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n' \
           % (method, target, host, headers)


class Client:
    """One connection, opened again when the server has closed it."""

    def __init__(self, path):
        self.path = path
        self.sock = None

    def get(self, *args, **named):
        """Arguments are those of request()."""
        return self.ask(request(*args, **named))

    def many(self, requests):
        """Sent at once, unless the server does not want that."""
        try:
            return self.exchange(requests)
        except (Broken, OSError):
            self.close()
            return [self.ask(one) for one in requests]

    def ask(self, one):
        # a connection that was kept may have been closed meanwhile

        if self.sock is not None:
            try:
                return self.exchange([one])[0]
            except (Broken, OSError):
                self.close()

        return self.exchange([one])[0]

    def exchange(self, requests):
        if self.sock is None:
            self.sock = connect(self.path)
            self.file = self.sock.makefile('rb')

        self.sock.sendall(b''.join(requests))

        answers = [read_answer(self.file, one.startswith(b'HEAD '))
                   for one in requests]

        if (answers[-1].get(b'connection') or b'').lower() == b'close':
            self.close()

        return answers

    def close(self):
        if self.sock is not None:
            self.file.close()
            self.sock.close()
            self.sock = None


def read_answer(file, head=False):
    """Lines end with CR LF; everything before that belongs to the line."""
    words = read_line(file).split(b' ', 2)

    if len(words) < 2 or not words[0].startswith(b'HTTP/'):
        raise Broken(words)

    status = int(words[1])
    headers = []
    length = 0

    while True:
        line = read_line(file)

        if line == b'':
            break

        name, colon, value = line.partition(b': ')

        if colon == b'':
            raise Broken(line)

        headers.append((name, value))

        if name.lower() == b'content-length':
            length = int(value)

        if name.lower() == b'transfer-encoding':
            raise Broken(line)

    if head or status in (204, 304):
        length = 0

    body = file.read(length)

    if len(body) != length:
        raise Broken(body)

    return Answer(status, headers, body)


def read_line(file):
    line = file.readline()

    while line and not line.endswith(b'\r\n'):
        more = file.readline()

        if not more:
            break

        line += more

    if not line.endswith(b'\r\n'):
        raise Broken(line)

    return line[:-2]
