#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Listens at a port of 127.0.0.1, and writes a line for each connection:
#
#     visual_trap.py PORT FILE

import socket
import sys

listener = socket.create_server(('127.0.0.1', int(sys.argv[1])))
print('ready', flush=True)

while True:
    connection, _ = listener.accept()

    with open(sys.argv[2], 'a', encoding='ascii') as out:
        out.write('called\n')

    connection.close()
