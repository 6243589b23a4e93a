# Copyright (C) the ngx_miqps authors
"""What Django makes of each query on standard input.

QueryDict is given bytes, as the WSGI and ASGI handlers give it.
"""

import sys
from urllib.parse import quote

import django
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import QueryDict


def line(query):
    try:
        params = QueryDict(query)
    except SuspiciousOperation as error:
        return "ERROR:" + type(error).__name__

    return " ".join(
        '"%s"=[%s]' % (quote(name, safe=""),
                       ",".join('"%s"' % quote(value, safe="")
                                for value in values))
        for name, values in params.lists())


def main():
    settings.configure()
    django.setup()

    for raw in sys.stdin.buffer:
        sys.stdout.write(line(raw[:-1]) + "\n")


main()
