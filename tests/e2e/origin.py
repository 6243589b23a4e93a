#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# A server that answers with the first line of the request, to the byte:
#
#     origin.py SOCKET

import socket
import sys
import threading


def answer(line):
    return (b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'
            b'Content-Length: %d\r\n\r\n%s' % (len(line), line))


def serve(sock):
    data = b''

    while True:
        more = sock.recv(1 << 17)

        if not more:
            sock.close()
            return

        data += more

        while b'\r\n\r\n' in data:
            head, data = data.split(b'\r\n\r\n', 1)
            sock.sendall(answer(head.split(b'\r\n', 1)[0]))


def main():
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv[1])
    server.listen(128)

    while True:
        sock, _ = server.accept()
        threading.Thread(target=serve, args=(sock,), daemon=True).start()


if __name__ == '__main__':
    main()
