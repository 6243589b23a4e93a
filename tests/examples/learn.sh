#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/learn.conf and looks whether it does what its comment
# says.
#
# Mostly waits.

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

# five minutes are long; what came before is the map that nginx was started with

published() {
    sed -i '$s,$, --watch 2 --force "it is another host",' "$tmp/doc.3.cmd"
    documented_command 3 > "$tmp/published"
    cat "$tmp/published"
    grep -q 'nginx serves it' "$tmp/published"
    grep -q 'none became worse' "$tmp/published"
}

result 'the comment: a map' published

equal 'nginx has it' "$(get "$www/p?b=5&c=77" > "$tmp/page"
                        tail -n 1 "$tmp/site.asked")" 'GET /p?b=5'

equal 'who is logged in gets the page that was asked for' \
    "$(get "$www/p?b=5&c=77" -b session=anna > "$tmp/page"
       tail -n 1 "$tmp/site.asked")" 'GET /p?b=5&c=77'

equal 'the comment: why' "$(documented_command 4 | grep differed)" \
    'matters   b  differed in 1 of 1 pairs
neutral   c  differed in 0 of 19 pairs'

equal 'others than the learner get nothing there' \
    "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket \
           "$tmp/miqps-learn.sock" -H 'Miqps-Learn: http' \
           http://evil.example/)" 421

# --- the units

command_of() {
    sed -n '/^ExecStart=/,/[^\\]$/p' conf-examples/miqps-cycle.service |
        sed "s,^ExecStart=/usr/local/bin/miqps,," |
        sed "s,/var/lib/miqps/,$tmp&,g; s,\([ :]\)/run/,\1$tmp/,g" |
        tr -d '\\\n'
}

cycled() {
    # shellcheck disable=SC2046
    "${MIQPS:-build/miqps}" $(command_of) > "$tmp/cycled"
    cat "$tmp/cycled"
    grep -q '^www.brand.example  fresh  days 0.0  unknown 0.0 %' "$tmp/cycled"
    grep -q 'nothing to publish' "$tmp/cycled"
}

verified() {
    mkdir -p "$tmp/units/usr/local/bin"
    cp conf-examples/miqps-cycle.* "$tmp/units/"
    sed -i "s,/usr/local/bin/miqps,$(command -v true)," \
        "$tmp/units/miqps-cycle.service"
    systemd-analyze verify --man=no "$tmp/units/miqps-cycle.service" \
        "$tmp/units/miqps-cycle.timer" > "$tmp/verified" 2>&1 || rc=$?
    cat "$tmp/verified"
    ! grep miqps-cycle "$tmp/verified"
}

result 'miqps-cycle.service: what it runs goes on from here' cycled

if command -v systemd-analyze > "$tmp/found"; then
    result 'systemd has nothing to say about the units' verified
else
    tests=$((tests + 1))
    echo "ok $tests - units # SKIP there is no systemd-analyze"
fi

example_end
