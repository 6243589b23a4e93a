#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/corpus.conf and looks whether it does what its comment
# says.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

www=http://www.brand.example
corpus=$tmp/var/lib/miqps/corpus.log

mkdir -p "$tmp/var/lib/miqps"

site
example corpus.conf
documented_commands corpus.conf

equal 'the file is for its owner alone' "$(stat -c %a "$corpus")" 600
equal 'nothing is changed' "$(get "$www/p?b=1&fbclid=2")" \
    'page /p?b=1&fbclid=2 for anybody'

for path in '/p?b=1&fbclid=2' '/p?b=2' '/p?b=1&fbclid=2' '/p?password=x' \
            '/logout' '/p?q=jane%40brand.example'
do
    get "$www$path" > /dev/null
done

get "$www/learned?a=1" -H 'Miqps-Learn: 1' > /dev/null
get http://brand.example/last > /dev/null

written() {
    grep -q /last "$corpus"
}

result 'lines are written' wait_for written

equal 'what the file has' "$(cut -f 4-6 "$corpus" | tr '\t' ' ')" \
    'http www.brand.example /p?b=1&fbclid=2
http www.brand.example /p?b=2
http brand.example /last'

trimmed() {
    documented_command "$1" | sed 's/^ *//'
}

equal 'the comment: hosts' "$(trimmed 1)" \
    '1 brand.example
2 www.brand.example'

equal 'the comment: names' "$(trimmed 2)" \
    '2 b
1 fbclid'

equal 'the comment: what is new' "$(trimmed 3)" \
    '3  lines
3  taken'

equal 'the comment: what the store has' \
    "$(documented_command 4 | grep -E '^(site|pattern)')" \
    'site       brand.example  hosts 2  patterns 2  lines 3  kept 3
pattern    www.brand.example  b  lines 1  urls 1  clients 1  days 1
pattern    www.brand.example  b&fbclid  lines 1  urls 1  clients 1  days 1'

example_end
