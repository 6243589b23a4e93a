# Copyright (C) the ngx_miqps authors
"""What urllib.parse makes of each query on standard input.

The query is text of one character a byte, as WSGI hands it over.
"""

import sys
from urllib.parse import parse_qsl, quote


def main():
    out = sys.stdout

    for raw in sys.stdin.buffer:
        params = {}

        for name, value in parse_qsl(raw[:-1].decode("latin-1"),
                                     keep_blank_values=True):
            params.setdefault(name, []).append(value)

        out.write(" ".join(
            '"%s"=[%s]' % (quote(name, safe=""),
                           ",".join('"%s"' % quote(value, safe="")
                                    for value in values))
            for name, values in params.items()) + "\n")


main()
