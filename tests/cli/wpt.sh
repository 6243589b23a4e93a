#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps ingest" and the URLs that browsers are tested with: what it takes, it
# takes as they do, and what they refuse, it refuses.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}
cases=../shared/data/wpt/urltestdata.json

if [ ! -e "$cases" ]; then
    echo "1..1"
    echo "ok 1 - URLs that browsers are tested with # SKIP $cases is not there"
    exit 0
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# Lines for the program, and what browsers make of them.  They escape the sign
# "'" in a query, and write addresses of IPv6 anew.

python3 - "$cases" "$tmp" <<'END'
import json
import re
import sys

cases, tmp = sys.argv[1:]
lines, wanted = [], set()

with open(cases, encoding='utf-8') as file:
    for case in json.load(file):
        if isinstance(case, str) or re.search('[\0-\x20\x7f\ud800-\udfff]',
                                              case['input']):
            continue

        if not re.match('https?:', case['input'], re.I) \
                or re.match(r'https?://\[.*\.', case['input'], re.I) \
                or case['input'] == 'http://[1:0::]':
            continue

        lines.append(case['input'])

        if not case.get('failure'):
            wanted.add('%s//%s%s%s' % (
                case['protocol'], case['host'], case['pathname'],
                case['search'].replace('%27', "'")))

with open(tmp + '/lines', 'w', encoding='utf-8') as file:
    file.writelines(line + '\n' for line in lines)

with open(tmp + '/wanted', 'w', encoding='utf-8') as file:
    file.writelines(url + '\n' for url in sorted(wanted))
END

"$MIQPS" ingest --quiet --format urls --store "sqlite:$tmp/store" "$tmp/lines"
python3 tests/support/store_sql.py "$tmp/store" 'SELECT url FROM reservoir' \
    > "$tmp/taken"

sort "$tmp/wanted" > "$tmp/a"
sort "$tmp/taken" > "$tmp/b"
others=$(comm -13 "$tmp/a" "$tmp/b")
taken=$(wc -l < "$tmp/taken")

echo "1..2"

if [ -z "$others" ]; then
    echo "ok 1 - what is taken, browsers take so, too ($taken URLs)"
else
    echo "not ok 1 - what is taken, browsers take so, too"
    echo "$others" | sed 's/^/# /'
fi

if [ "$taken" -ge 60 ]; then
    echo "ok 2 - most of what browsers take is taken"
else
    echo "not ok 2 - most of what browsers take is taken"
fi

[ -z "$others" ] && [ "$taken" -ge 60 ]
