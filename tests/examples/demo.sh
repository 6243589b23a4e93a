#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Runs the demo, in a folder of its own, as whoever this is and as somebody
# else: what it says is true, and what it leaves behind can be stopped.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

DEMO_DIR=$tmp/demo
export DEMO_DIR

out=$tmp/out

# whatever happens, nothing of the demo is left running

trap 'status=$?; set +e; stop_all; (exit $status); clean_up' EXIT

stop_all() {
    for dir in "$tmp/demo" "$tmp/other/demo" "$tmp/tree/demo"; do
        DEMO_DIR=$dir tests/demo/run --stop
    done
}

demo() {
    tests/demo/run > "$out" 2>&1 || { cat "$out"; return 1; }
}

# figures TEXT [FILE]: the two numbers of a line

figures() {
    sed -n "s/^ *$1  *\([0-9.]*\)\( %\)*  *\([0-9.]*\)\( %\)*\$/\1 \3/p" \
        "${2-$out}"
}

# fewer TEXT: they are there, and the second is at most two thirds of the first

fewer() {
    figures "$1" | awk '{ print } $1 > 0 && $2 > 0 && 3 * $2 <= 2 * $1 { ok = 1 }
                        END { exit !ok }'
}

# share NAME: percent of hits in a log, to be divided by ten

share() {
    awk '/^HIT/ { n++ } END { printf "%d\n", 1000 * n / NR + 0.5 }' \
        "$DEMO_DIR/$1.log"
}

# at most two points below what it would be if nobody had tracked anybody

near_clean() {
    with=$(share with)
    clean=$(share clean)
    echo "with $with, clean $clean, without $(share without), of 1000"
    [ "$clean" -gt 0 ]
    [ $((clean - with)) -le 20 ]
    [ $((with - clean)) -le 20 ]
    [ $((clean - $(share without))) -gt 100 ]
}

cache_of() {
    command curl -sS -g -o "$tmp/page" -D - "$1" | tr -d '\r' |
        sed -n 's/^X-Cache: //p'
}

# address WORDS: the one that the demo shows with them

address() {
    sed -n "s,^ *\(http://127.0.0.1:[0-9]*\)/  *$1\$,\1,p" "$out"
}

ends() {
    ! grep '^State:[[:space:]]*[^Z]' "/proc/$1/status"
}



# --- two more beside it: they mostly wait, too

# as somebody who is not root

if [ "$(id -u)" -eq 0 ]; then
    as='runuser -u nobody --'
else
    as=
fi

other() {
    # shellcheck disable=SC2086
    $as env DEMO_DIR="$tmp/other/demo" tests/demo/run
}

# what the shop shows depends on color

differs() {
    ! DEMO_DIR=$tmp/tree/demo "$tmp/tree/tests/demo/run" > "$tmp/tree/out" &&
        grep 'Pages differ' "$tmp/tree/out"
}

# ended NAME CODE: what it said, and whether that was no failure

ended() {
    cat "$tmp/$1.log"
    return "$2"
}

mkdir "$tmp/other" "$tmp/tree"
[ -z "$as" ] || chown nobody "$tmp/other"
chmod 755 "$tmp"

cp -R tests "$tmp/tree/"
ln -s "$PWD/build" "$tmp/tree/build"
sed -i 's/miqps_tracking off;/miqps_strip color;/' \
    "$tmp/tree/tests/demo/nginx.conf"

spawn differs differs
differs=$!

if [ -z "$as" ] || $as test -r "$module"; then
    spawn other other
    other=$!
fi


# --- what it says

result 'the demo runs' demo
[ "$failed" -eq 0 ] || finish

equal 'requests are the same both times' "$(figures requests)" '600 600'
result 'the shop makes fewer pages' fewer 'pages that the shop had to make'
result 'the cache has fewer entries' fewer 'entries in the cache'

equal 'a cache entry is a file' "$(figures 'entries in the cache')" \
    "$(find "$DEMO_DIR/cache/without" -type f | wc -l) $(
       find "$DEMO_DIR/cache/with" -type f | wc -l)"

equal 'what the shop makes is what the cache misses' \
    "$(figures 'pages that the shop had to make')" \
    "$(grep -c '^MISS' "$DEMO_DIR/without.log") $(
       grep -c '^MISS' "$DEMO_DIR/with.log")"

equal 'the share of hits' "$(figures 'answered by the cache')" \
    "$(for name in without with; do
           awk '/^HIT/ { n++ } END { printf "%.1f ", n / NR * 100 }' \
               "$DEMO_DIR/$name.log"
       done | sed 's/ $//')"

result 'hits are those of traffic that was never tracked' near_clean

equal 'every page is there' \
    "$(grep -ac '^200 <!DOCTYPE html>' "$DEMO_DIR/with.pages")" 600

result 'pages are the same' grep 'every visitor got the same page' "$out"

for line in 'map  *fbclid' 'map  *sid' 'signed  *' 'semicolon  */products/' \
            'neutral  *msclkid  differed in 0' 'learning has cost  *pages' \
            'paid for itself after  *requests  *[1-9]'; do
    result "it shows: $line" grep " $line" "$out"
done

equal 'no line is too long' "$(awk 'length() > 80' "$out")" ''


# --- what it leaves behind

with=$(address 'with "miqps rewrite"')
without=$(address 'without')

one='/products/hat?variant=4100&color=blue&fbclid=123'
two='/products/hat?msclkid=456&color=blue&variant=4100'

equal 'with miqps, another way to a page is a hit' \
    "$(cache_of "$with$one" > /dev/null; cache_of "$with$two")" HIT
result 'and the page says so' \
    grep '<p>Cache: HIT. URL: stripped.</p>' "$tmp/page"
result 'it is the page that was asked for' \
    grep -A 1 'In blue, size S:' "$tmp/page"
equal 'without, it is a miss' \
    "$(cache_of "$without$one" > /dev/null; cache_of "$without$two")" MISS


# --- the others

if [ -n "${other-}" ]; then
    rc=0
    wait "$other" || rc=$?
    result 'another one runs, not as root' ended other $rc
    equal 'its figures are the same' \
        "$(figures requests "$tmp/other.log")" '600 600'
    equal 'the first one still answers' "$(cache_of "$with$two")" HIT
    result 'nginx had nothing to complain about' \
        test ! -s "$tmp/other/demo/error.log"
    DEMO_DIR=$tmp/other/demo tests/demo/run --stop
fi

rc=0
wait "$differs" || rc=$?
result 'a parameter that matters is missed' ended differs $rc


# --- once more in the same place

pid=$(cat "$DEMO_DIR/nginx.pid")

result 'the demo runs again' demo
result 'the former nginx has ended' wait_for ends "$pid"
result 'nginx had nothing to complain about' test ! -s "$DEMO_DIR/error.log"

pid=$(cat "$DEMO_DIR/nginx.pid")
command=$(sed -n 's/^ *to stop it  *//p' "$out")

result 'the command that it shows stops it' sh -c "$command"
result 'nginx has ended' wait_for ends "$pid"
result 'what does not run can be stopped' tests/demo/run --stop

finish
