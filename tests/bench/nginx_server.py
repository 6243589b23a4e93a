# Copyright (C) the ngx_miqps authors
#
# An nginx of one process, and a client that sends it one request after the
# other over one connection.

import os
import re
import signal
import socket
import subprocess
import time


START = 60              # seconds; valgrind makes it slow
TRIES = 5               # somebody else may be faster to take a free port


class Error(Exception):
    pass


class Server:
    """Runs a variant from start to the end of "with"."""

    def __init__(self, nginx, variant, data, command=(), cpu=None):
        self.nginx = nginx
        self.variant = variant
        self.data = data
        self.dir = os.path.join(data, variant.name)
        self.log = os.path.join(self.dir, 'error.log')
        self.command = list(command)
        self.cpu = cpu

    def __enter__(self):
        os.makedirs(self.dir, exist_ok=True)

        for _ in range(TRIES):
            if self.start():
                return self

        raise Error('"%s" does not start: %s' % (self.variant.name,
                                                 self.logged()))

    def __exit__(self, *_):
        self.stop()

        found = re.search(r'.*\[(?:error|crit|alert|emerg)\].*', self.logged())

        if found:
            raise Error('"%s" logged: %s' % (self.variant.name, found.group()))

    def stop(self):
        """A signal that comes just before nginx begins to wait for events is
        not noticed: it is given time to get there, and told again."""
        time.sleep(0.2)

        for _ in range(START):
            self.process.send_signal(signal.SIGTERM)

            try:
                self.process.wait(1)
                return
            except subprocess.TimeoutExpired:
                pass

        self.process.kill()
        self.process.wait()

        raise Error('"%s" did not end' % self.variant.name)

    def logged(self):
        try:
            with open(self.log) as f:
                return f.read().strip()
        except OSError:
            return ''

    def start(self):
        self.port = free_port()
        config = os.path.join(self.dir, 'nginx.conf')

        with open(config, 'w') as f:
            f.write(self.variant.config(self.dir, self.data, self.port))

        with open(self.log, 'w'):
            pass

        with open(os.path.join(self.dir, 'output'), 'w') as output:
            self.process = subprocess.Popen(
                self.command + [self.nginx, '-p', self.dir, '-e', self.log,
                                '-c', config],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output)

        if self.cpu is not None:
            os.sched_setaffinity(self.process.pid, [self.cpu])

        return self.answers()

    def answers(self):
        """True once it does; False if it has ended."""
        end = time.monotonic() + START

        while time.monotonic() < end:
            if self.process.poll() is not None:
                return False

            try:
                socket.create_connection(('127.0.0.1', self.port)).close()
                return True
            except OSError:
                time.sleep(0.05)

        self.process.kill()
        self.process.wait()

        return False

    def ticks(self):
        """Clock ticks that the process has run, in user space and kernel."""
        with open('/proc/%d/stat' % self.process.pid) as f:
            field = f.read().rpartition(')')[2].split()

        return int(field[11]) + int(field[12])


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def ask(port, requests, n):
    """Sends "n" requests, from the first again after the last.  Returns the
    bodies of the answers."""
    with socket.create_connection(('127.0.0.1', port)) as s:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        return [ask_one(s, *requests[i % len(requests)]) for i in range(n)]


def ask_one(s, host, target):
    s.sendall(('GET %s HTTP/1.1\r\nHost: %s\r\n\r\n' % (target, host))
              .encode())

    answer = b''

    while True:
        part = s.recv(65536)
        answer += part
        found = re.match(rb'HTTP/1.1 200 .*?\r\nContent-Length: (\d+)\r\n'
                         rb'.*?\r\n\r\n', answer, re.S)

        if found and len(answer) == found.end() + int(found.group(1)):
            return answer[found.end():].decode()

        if not part:
            raise Error('no answer to %s: %r' % (target, answer))
