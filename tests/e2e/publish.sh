#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps publish" and nginx: by miqps_control, by HUP and by watch, under
# traffic; what nginx does not take; kills and faults on the way.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
B=${B:-build}

case ${TEST_LEVEL:-check} in
    check) every=40 ;;
    *)     every=1 ;;
esac

mkdir "$tmp/maps"
python3 tests/support/publish_maps.py "$tmp/maps"
echo 'https://shop0.example/p?id0=1' |
    "$MIQPS" ingest --quiet --store "sqlite:$tmp/store" -

# source_of NAME: the base, and one host more

source_of() {
    { cat "$tmp/maps/base"
      echo "{\"host\": \"$1.example\", \"patterns\": [
                {\"params\": [\"a\", \"$1\"], \"keep\": [\"a\"]}]}"
    } > "$tmp/$1.json"
}

publish() {
    "$MIQPS" publish --store "sqlite:$tmp/store" --map "$tmp/map" "$@"
}

publish --source "$tmp/maps/base" > "$tmp/first"

nginx_start <<END
    log_format plain '\$status \$upstream_status';
    miqps rewrite;
    miqps_zone maps 1m map=$tmp/map;
    miqps_zone watched 1m map=$tmp/map watch=1s;
    miqps_zone small 256k map=$tmp/small;

    server {
        listen unix:$tmp/site;
        miqps_use maps;
        access_log $tmp/access.log plain;
        location / {
            return 200 "\$uri?\$miqps_args\n";
        }
    }

    server {
        listen unix:$tmp/watch;
        miqps_use watched;
        location / {
            return 200 "\$uri?\$miqps_args\n";
        }
    }

    server {
        listen unix:$tmp/control;
        location / {
            miqps_control;
        }
    }
END

expected='is not there yet|No such file'

# get SOCKET HOST ARGS

get() {
    curl -s --unix-socket "$tmp/$1" "http://$2/p?$3"
}

serves() {
    [ "$(get "$1" "$2.example" "a=1&$2=2")" = '/p?a=1' ]
}


# --- requests all the time

traffic() {
    while [ ! -e "$tmp/enough" ]; do
        get site shop0.example 'id0=1&trk=2'
    done
}

spawn traffic traffic

by_post() {
    source_of post
    if serves site post; then return 1; fi
    publish --source "$tmp/post.json" --control "unix:$tmp/control:/" \
        --zone maps
    serves site post
}

by_hup() {
    source_of hup
    publish --source "$tmp/hup.json" --pid "$tmp/nginx.pid" \
        --control "unix:$tmp/control:/" --zone maps > "$tmp/said.hup"
    cat "$tmp/said.hup"
    grep -q 'nginx serves it' "$tmp/said.hup"
    serves site hup
}

by_watch() {
    source_of watch
    publish --source "$tmp/watch.json" > "$tmp/said.watch"
    cat "$tmp/said.watch"
    grep -q 'nobody was asked' "$tmp/said.watch"
    wait_for serves watch watch
}

back() {
    "$MIQPS" rollback --store "sqlite:$tmp/store" --map "$tmp/map" \
        --control "unix:$tmp/control:/" --zone maps
    if serves site watch; then return 1; fi
    serves site hup
}

unhurt() {
    : > "$tmp/enough"
    wait_for traffic_ended
    n=$(wc -l < "$tmp/access.log")
    echo "$n requests"
    [ "$n" -gt 20 ]
    if grep -v '^200 ' "$tmp/access.log"; then return 1; fi
    [ "$(sort -u "$tmp/traffic.log")" = '/p?id0=1' ]
}

traffic_ended() {
    # shellcheck disable=SC2086
    ! kill -0 $spawned 2>/dev/null
}

result 'by miqps_control' by_post
result 'by a signal, and it is confirmed' by_hup
result 'by watch' by_watch
result 'and back' back
result 'nobody noticed' unhurt


# --- what nginx does not take

refused() {
    python3 - "$tmp/big.json" <<'END'
import json
import sys

with open(sys.argv[1], 'w') as file:
    for i in range(3000):
        print(json.dumps({'host': 'host%d.example' % i, 'patterns': [
            {'params': ['name%d' % i], 'keep': []}]}), file=file)
END
    "$MIQPS" publish --store "sqlite:$tmp/store2" --map "$tmp/small" \
        --source "$tmp/maps/base"
    cp "$tmp/small" "$tmp/small.before"
    rc=0
    "$MIQPS" publish --store "sqlite:$tmp/store2" --map "$tmp/small" \
        --source "$tmp/big.json" --grow 100000 --shrink 100 \
        --force 'it is only too large' \
        --control "unix:$tmp/control:/" --zone small 2> "$tmp/said.small" ||
        rc=$?
    cat "$tmp/said.small"
    [ $rc -eq 1 ]
    grep -q 'nginx answers 422' "$tmp/said.small"
    cmp "$tmp/small" "$tmp/small.before"
    "$MIQPS" history --store "sqlite:$tmp/store2" > "$tmp/said.history"
    cat "$tmp/said.history"
    grep -q 'refused .*nginx does not take it' "$tmp/said.history"
}

cp "$tmp/store" "$tmp/store2"
result 'what nginx does not take is put back' refused

wrong_zone() {
    source_of zone
    rc=0
    publish --source "$tmp/zone.json" --zone nowhere \
        --control "unix:$tmp/control:/" 2> "$tmp/said.zone" || rc=$?
    [ $rc -eq 1 ]
    cat "$tmp/said.zone"
    grep -q 'nginx answers 404' "$tmp/said.zone"
}

result 'a zone that there is not' wrong_zone


# --- kills and faults

mkdir "$tmp/faults"
"$MIQPS" ingest --quiet --store "sqlite:$tmp/faults/store" - <<END
https://shop0.example/p?id0=1
END
"$MIQPS" publish --store "sqlite:$tmp/faults/store" --map "$tmp/faults/map" \
    --source "$tmp/maps/base" > "$tmp/first"
cp "$tmp/maps/good-00-new_host" "$tmp/faults/next"

if strace -o /dev/null true 2>/dev/null; then
    results python3 tests/e2e/publish_faults.py "$MIQPS" \
        "$PWD/$B/tests/support/short_write.so" "$tmp/faults" "$every"
else
    tests=$((tests + 1))
    echo "ok $tests - kills and faults # SKIP strace may not trace here"
fi


# --- two at a time

# until they have met, and ten times at least

both() {
    i=0
    met=0

    while [ $i -lt 10 ] || { [ $met -eq 0 ] && [ $i -lt 200 ]; }; do
        i=$((i + 1))
        source_of "one$i"
        source_of "two$i"
        rc1=0
        rc2=0
        publish --source "$tmp/one$i.json" > "$tmp/out1" 2> "$tmp/err1" &
        pid=$!
        publish --source "$tmp/two$i.json" > "$tmp/out2" 2> "$tmp/err2" ||
            rc2=$?
        wait $pid || rc1=$?

        case $rc1-$rc2 in
            0-0)     ;;
            0-4|4-0) grep -q 'another miqps publishes' "$tmp/err1" "$tmp/err2"
                     met=$((met + 1))
                     ;;
            *)       echo "$rc1 $rc2"; cat "$tmp/err1" "$tmp/err2"; return 1 ;;
        esac

        "$MIQPS" check "$tmp/map"
    done

    echo "they met $met times of $i"
    [ $met -gt 0 ]
}

result 'of two one publishes, and the other says why not' both
result 'nginx has nothing to complain about' nginx_quiet
finish
