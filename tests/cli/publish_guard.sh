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

# different MAP URLS: how many of the URLs are different under a map

different() {
    "$MIQPS" normalize --map "$1" < "$2" | sort -u | wc -l
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


echo "1..$tests"
[ $failed -eq 0 ]
