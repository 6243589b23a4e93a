# Copyright (C) the ngx_miqps authors
#
# Reads what callgrind writes: the instructions of a process, and those among
# them that have little to do with the requests it got.

import re


# What these cost depends on what was freed before and on how often the second
# changed, by a hundred instructions a request.  As a caller sees them: what
# they call in their turn is in their cost.

UNEVEN = {'malloc', 'calloc', 'realloc', 'posix_memalign', 'free',
          'ngx_time_update'}


class Count:
    """Instructions; calls of uneven functions, and the instructions of
    these."""

    def __init__(self, total=0, calls=0, uneven=0):
        self.total = total
        self.calls = calls
        self.uneven = uneven

    def less(self, other, n):
        """What is more than in "other", for one of "n" requests."""
        return Count((self.total - other.total) / n,
                     (self.calls - other.calls) / n,
                     (self.uneven - other.uneven) / n)

    def even(self, plain):
        """All of them, as if such a call cost what it does in "plain"."""
        return self.total - self.uneven \
            + self.calls * plain.uneven / plain.calls


class Names:
    """callgrind gives a name once, with a number that stands for it later."""

    def __init__(self):
        self.known = {}

    def get(self, text):
        number, _, name = text.partition(' ')

        if name:
            self.known[number] = re.sub(r"'\d+$", '', name)

        return self.known.get(number, '')


def read(path):
    count = Count()
    objects, functions = Names(), Names()
    caller = callee = ''
    calls = 0

    with open(path, errors='replace') as f:
        for line in f:
            key, _, text = line.rstrip().partition('=')

            if key == 'ob':
                caller = objects.get(text)
            elif key == 'cob':
                objects.get(text)
            elif key == 'fn':
                functions.get(text)
            elif key == 'cfn':
                callee = functions.get(text)
            elif key == 'calls':
                calls = int(text.split()[0])
            elif calls:
                if callee in UNEVEN and 'libc' not in caller:
                    count.calls += calls
                    count.uneven += int(line.split()[1])

                calls = 0
            elif line.startswith(('summary: ', 'totals: ')):
                count.total = int(line.split()[1])

    return count
