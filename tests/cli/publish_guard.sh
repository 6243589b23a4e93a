#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# What "miqps publish" takes of maps that would strip what mattered where it is
# hard to see, and of such that do not; what was asked for as a test; and how
# much may change at once.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

. tests/cli/lib.sh

maps=$tmp/maps
mkdir "$maps"
python3 tests/support/publish_maps.py "$maps"

# store URLS: a store that has them, and nothing published

store() {
    rm -f "$tmp/store"* "$tmp/map" "$tmp/old.map"
    "$MIQPS" ingest --quiet --store "sqlite:$tmp/store" "$1"
}

publish() {
    run publish --store "sqlite:$tmp/store" --map "$tmp/map" "$@"
}

# says NAME CODE PATTERN: it ended so, and the output or complaint has this

says() {
    printf '%s\n' "$3" > "$tmp/want"
    status=0
    { [ "$rc" -eq "$2" ] && cat "$tmp/out" "$tmp/err" | grep -q "$3"; } ||
        status=1
    result $status "$1"
}

# different MAP URLS: how many of the URLs are different under a map, and under
# the rules that nginx has

different() {
    "$MIQPS" normalize --tracking --map "$1" < "$2" | sort -u | wc -l
}


# --- whatever is published, different pages stay different

echo 'https://elsewhere.example/p?x=1' > "$tmp/elsewhere"

for case in "$maps"/lost-*; do
    store "$tmp/elsewhere"
    publish --source "$case/old" --force 'the first one'
    cp "$tmp/map" "$tmp/old.map"
    publish --source "$case/new"
    status=0
    { [ "$(different "$tmp/old.map" "$case/urls")" -eq \
        "$(wc -l < "$case/urls")" ] &&
      [ "$(different "$tmp/map" "$case/urls")" -eq \
        "$(wc -l < "$case/urls")" ] &&
      grep -qE 'refused, it stays .*;|taken, .*;|left out' "$tmp/out"
    } || status=1
    result $status "nothing is lost: ${case##*/}"
done

for case in "$maps"/pass-*; do
    store "$tmp/elsewhere"
    publish --source "$case/old" --force 'the first one'
    publish --source "$case/new"
    status=0
    { [ "$rc" -eq 0 ] && grep -q '^published as 2: ' "$tmp/out" &&
          "$MIQPS" show "$tmp/map" | grep -qF "$(cat "$case/want")"
    } || status=1
    result $status "published: ${case##*/}"
done


# --- most patterns of a host are not gone at once, also if one is in doubt

# many N MORE...: a host of so many patterns, and these

many() {
    printf '{"host": "s.example", "patterns": ['
    for i in $(seq "$1"); do
        printf '{"params": ["p%d"], "keep": ["p%d"]}, ' "$i" "$i"
    done
    shift
    printf '%s]}\n' "$*"
}

store "$tmp/elsewhere"
many 20 '{"params": ["id"], "keep": ["id"]}' > "$tmp/source.json"
publish --source "$tmp/source.json"
many 3 '{"params": ["id"], "keep": []}' > "$tmp/source.json"
publish --source "$tmp/source.json" --shrink 100
says 'nor with one that loses something' 3 \
    's.example: refused, .*(lost); most of its 21 patterns are gone'
publish --source "$tmp/source.json" --shrink 100 --vanish 100
says 'but if that is said' 0 '^published as '


# --- what was asked for is a test, too

source_of() {
    printf '%s\n' "$@" > "$tmp/source.json"
}

id='{"params": ["id"], "keep": ["id"]}'

for i in 1 2 3 4 5 6 7 8 9; do
    echo "https://s.example/p?id=$i"
done > "$tmp/urls"

echo "https://s.example/q?id=5" >> "$tmp/urls"

store "$tmp/urls"
source_of "{\"host\": \"s.example\", \"patterns\": [$id]}"
publish --source "$tmp/source.json" --max-change 100
source_of "{\"host\": \"s.example\", \"patterns\": [$id], \"rules\": [
    {\"from\": {\"path\": \"/q\", \"params\": {\"id\": \"5\"}},
     \"to\": {\"path\": \"/p\", \"params\": {\"id\": \"6\"}},
     \"evidence\": {\"pairs\": 9}}]}"
publish --source "$tmp/source.json" --max-change 100
says 'two pages that were asked for are not made one' 3 \
    's.example: refused, .*; URLs that were asked for would lose'
publish --source "$tmp/source.json" --max-change 100 --force 'they are one'
says 'but by force' 0 '^published as '


# --- not everything changes at once, and each URL counts for what serves it

for i in 1 2 3 4 5 6 7 8 9; do
    echo "https://w$i.s.example/p?id=$i&trk=$i"
    echo "https://b.example/p?id=$i&trk=$i"
    echo "https://c.example/p?id=$i"
done > "$tmp/urls"
echo "https://b.example/p?id=99" >> "$tmp/urls"

# entry HOST PATTERN...

entry() {
    printf '{"host": "%s", "patterns": [' "$1"
    shift
    printf '%s' "$id"
    for pattern; do
        printf ', %s' "$pattern"
    done
    echo ']}'
}

trk='{"params": ["id", "trk"], "keep": ["id"]}'
both='{"params": ["id", "trk"], "keep": ["id", "trk"]}'

store "$tmp/urls"
{ entry '*.s.example' "$both"; entry b.example "$both"
  entry c.example; } > "$tmp/source.json"
publish --source "$tmp/source.json"
{ entry '*.s.example' "$both"; entry b.example "$both"
  entry c.example; entry d.example; } > "$tmp/source.json"
publish --source "$tmp/source.json"
says 'a host that nobody asked for changes nothing' 0 '^published as 2'
run history --store "sqlite:$tmp/store"
says 'and history says so' 0 '; 0.0 % of the URLs change'

store "$tmp/urls"
{ entry '*.s.example'; entry b.example; entry c.example
} > "$tmp/source.json"
publish --source "$tmp/source.json"
{ entry '*.s.example' "$trk"; entry b.example "$trk"; entry c.example
} > "$tmp/source.json"
publish --source "$tmp/source.json" --max-change 40
says 'a wildcard waits' 0 '^\(s\|b\).example: waits for the next time'
publish --source "$tmp/source.json" --max-change 40
says 'and is taken the next time' 0 '^published as 3'
publish --source "$tmp/source.json" --max-change 40
prints 'then all of it is published' 'nothing to publish'
{ entry c.example "$trk"; entry d.example; entry e.example
} > "$tmp/source.json"
publish --source "$tmp/source.json" --max-change 40 --shrink 90
says 'a host that is gone waits' 0 '^\(s\|b\).example: waits for the next'
run show "$tmp/map"
says 'and stays until then' 0 '"host":"\(\*.s\|b\).example"'

# a host alone is taken a part at a time, the most important part first

strips() {
    printf '{"params": ["id", "t%d"], "keep": ["id"]}' "$1"
}

for i in 1 2 3 4; do
    awk -v t=$i 'BEGIN {
        for (i = 0; i < 16 + 4 * t; i++)
            printf "https://s.example/p?id=%d&t%d=%d\n", i, t, i
    }'
done > "$tmp/urls"

store "$tmp/urls"
entry s.example > "$tmp/source.json"
publish --source "$tmp/source.json"
entry s.example "$(strips 1)" "$(strips 2)" "$(strips 3)" "$(strips 4)" \
    > "$tmp/source.json"
publish --source "$tmp/source.json"
says 'one of four' 0 \
    's.example: 1 of 4 changes are taken, the others wait for the next time'
run show "$tmp/map"
says 'which most URLs have' 0 '"params":\["id","t4"\]'
[ "$(grep -o '"t[1-4]"' "$tmp/out" | wc -l)" -eq 1 ]
result $? 'and no other'
run history --store "sqlite:$tmp/store"
says 'history says so' 0 '1 in part, 0 held; 30.8 % of the URLs change'
publish --source "$tmp/source.json" --max-change 50
says 'as many as may be' 0 's.example: 2 of 3 changes are taken'
publish --source "$tmp/source.json"
says 'the last one' 0 '^published as 4'
publish --source "$tmp/source.json"
prints 'and then all is published' 'nothing to publish'
entry s.example > "$tmp/less.json"
publish --source "$tmp/less.json" --vanish 100 --shrink 100
says 'what goes, goes a part at a time as well' 0 's.example: 1 of 4 changes'
run show "$tmp/map"
[ "$(grep -o '"t[1-4]"' "$tmp/out" | wc -l)" -eq 3 ]
result $? 'one of four'

store "$tmp/urls"
publish --source "$tmp/source.json"
says 'the first map of a host is not divided' 0 '^published as 1: 1 hosts, 5'

# of path rules, too

moves() {
    printf '{"from": {"path": "/%s/{:hex}"}, "to": {"path": "/%s/0"},
             "evidence": {"pairs": 4}}' "$1" "$1"
}

for i in 1 2 3 4 5 6 7 8; do
    echo "https://s.example/a/$i?x=1"
    echo "https://s.example/b/$i?x=1"
done > "$tmp/urls"
echo "https://s.example/b/9?x=1" >> "$tmp/urls"

store "$tmp/urls"
publish --source "$tmp/less.json"
echo "{\"host\": \"s.example\", \"patterns\": [$id],
       \"rules\": [$(moves a), $(moves b)]}" > "$tmp/source.json"
publish --source "$tmp/source.json"
says 'a path rule waits' 0 's.example: 1 of 2 changes'
run show "$tmp/map"
says 'for one that matters more' 0 '"rules":\[{"from":{"path":"/b/{:hex}"}'
publish --source "$tmp/source.json"
publish --source "$tmp/source.json"
prints 'and all of them are taken' 'nothing to publish'


echo "1..$tests"
[ $failed -eq 0 ]
