#!/usr/bin/env python3

# Copyright (C) the ngx_miqps authors
#
# Prints one value of a JSON file: the one that is under these keys.
#
#     json_number.py FILE KEY...

import json
import sys

with open(sys.argv[1]) as file:
    value = json.load(file)

for key in sys.argv[2:]:
    value = value[int(key) if isinstance(value, list) else key]

print(value)
