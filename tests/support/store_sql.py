#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Asks a store, and prints rows with "|" between columns:
#
#     store_sql.py STORE SQL
#
# Beside its tables there are "reservoir" (site, hash, day, veiled, url), what
# is in its runs, each URL once, and "samples" (param and the same).  What is
# veiled is between "<" and ">".

import sqlite3
import struct
import sys

HEAD = struct.Struct('<QHH')


def picks(data):
    at = 0

    while data is not None and at < len(data):
        number, day, size = HEAD.unpack_from(data, at)
        at += HEAD.size
        url = data[at:at + (size & 0x7fff)].decode('utf-8', 'replace')
        at += size & 0x7fff

        yield (number, day, size >> 15,
               url.replace('\x02', '<').replace('\x03', '>'))


def main(path, sql):
    db = sqlite3.connect(path)
    fields = 'hash INTEGER, day INTEGER, veiled INTEGER, url TEXT'

    db.execute('CREATE TEMP TABLE reservoir (site INTEGER, %s, '
               'PRIMARY KEY (site, hash))' % fields)
    db.execute('CREATE TEMP TABLE samples (param INTEGER, %s, '
               'PRIMARY KEY (param, hash))' % fields)

    for site, data in db.execute('SELECT site, data FROM segments').fetchall():
        db.executemany('INSERT OR REPLACE INTO reservoir '
                       'VALUES (?, ?, ?, ?, ?)',
                       [(site,) + pick for pick in picks(data)])

    for param, data in db.execute('SELECT id, sample FROM params').fetchall():
        db.executemany('INSERT INTO samples VALUES (?, ?, ?, ?, ?)',
                       [(param,) + pick for pick in picks(data)])

    for row in db.execute(sql):
        print('|'.join(str(column) for column in row))


if __name__ == '__main__':
    main(*sys.argv[1:])
