#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Turns the built-in rules into a C array, so that they are part of the
# program and no file has to be found at run time:
#
#     sh embed.sh builtin.json > miqps_builtin_rules.h
#
# The same input gives the same output everywhere; od and sed are all it
# takes.

set -eu

if [ $# -ne 1 ]; then
    echo "usage: embed.sh FILE > miqps_builtin_rules.h" >&2
    exit 2
fi

if [ ! -r "$1" ] || [ ! -s "$1" ]; then
    echo "embed.sh: '$1' cannot be read or is empty" >&2
    exit 1
fi

cat <<'END'

/*
 * Copyright (C) the ngx_miqps authors
 */


/* made by src/rules/embed.sh */


static const unsigned char  miqps_builtin_rules[] = {
END

LC_ALL=C od -An -v -tx1 "$1" | sed -e 's/ *\([0-9a-f][0-9a-f]\)/ 0x\1,/g' \
                                   -e 's/^ */    /'

echo '};'
