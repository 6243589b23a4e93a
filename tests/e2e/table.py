# Copyright (C) the ngx_miqps authors
#
# Files of cases, one a line; {xFF} is a byte.

import re


def read(name):
    """The lines as bytes, without comments."""
    with open(name, 'rb') as f:
        lines = [line.rstrip(b'\n') for line in f]

    return [re.sub(rb'\{x([0-9A-F]{2})\}',
                   lambda m: bytes([int(m.group(1), 16)]), line)
            for line in lines if line and not line.startswith(b'#')]
