#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Listens at a port of 127.0.0.1, for TCP and UDP, and writes a line for each
# connection and each packet:
#
#     visual_trap.py PORT FILE

import select
import socket
import sys

address = ('127.0.0.1', int(sys.argv[1]))
listener = socket.create_server(address)
packets = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
packets.bind(address)
print('ready', flush=True)

while True:
    ready, _, _ = select.select([listener, packets], [], [])

    with open(sys.argv[2], 'a', encoding='ascii') as out:
        out.write('called\n')

    if listener in ready:
        listener.accept()[0].close()
    else:
        packets.recv(4096)
