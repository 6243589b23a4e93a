#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/learn.conf and looks whether it does what its comment
# says.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

www=http://www.brand.example

# nobody reads "c"

# shellcheck disable=SC2034
unread=c
site
map_put conf-examples/map.json map.image
example learn.conf
documented_commands learn.conf

equal 'nothing is known yet' "$(get "$www/p?b=1&c=2" > "$tmp/page"
                                tail -n 1 "$tmp/site.asked")" \
    'GET /p?b=1&c=2'

for i in 1 2 3 4 5 6 7 8 9; do
    get "$www/p?b=$i&c=$i" > "$tmp/page"
    get "$www/p?c=$i&b=1$i" > "$tmp/page"
done

get "$www/last" > "$tmp/page"

written() {
    grep -q /last "$tmp/var/lib/miqps/corpus.log"
}

result 'what is asked for is written' wait_for written

trimmed() {
    documented_command "$1" | sed 's/^ *//'
}

equal 'the comment: the corpus' "$(trimmed 1)" '20  lines
20  taken'

equal 'the comment: learning' \
    "$(documented_command 2 | sed 's/ *fetches .*//')" \
    'www.brand.example  neutral 1  matter 1  unknown 0'

result 'the comment: a map' documented_command 3
result 'the comment: an image' documented_command 4

clean() {
    get "$www/p?b=5&c=77" > "$tmp/page"
    [ "$(tail -n 1 "$tmp/site.asked")" = 'GET /p?b=5' ]
}

result 'nginx has it before long' wait_for clean

equal 'who is logged in gets the page that was asked for' \
    "$(get "$www/p?b=5&c=77" -b session=anna > "$tmp/page"
       tail -n 1 "$tmp/site.asked")" 'GET /p?b=5&c=77'

equal 'the comment: why' "$(documented_command 5 | grep differed)" \
    'matters   b  differed in 5 of 5 pairs
neutral   c  differed in 0 of 9 pairs'

equal 'others than the learner get nothing there' \
    "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket \
           "$tmp/miqps-learn.sock" -H 'Miqps-Learn: http' \
           http://evil.example/)" 421

example_end
