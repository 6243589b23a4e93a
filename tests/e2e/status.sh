#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# miqps_status with several workers: sums are exact, and stay so when workers
# are killed, reloaded and replaced; a map that is swapped is told as a whole.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

case ${TEST_LEVEL:-check} in
    check) requests=3000 swaps=40 kills=8 ;;
    *)     requests=300000 swaps=1000 kills=100 ;;
esac

NGINX_MAIN='worker_processes 3;
    worker_shutdown_timeout 10s;'
map=$tmp/map

# image NAME KEPT NUMBER: with so many other hosts

image() {
    {
        echo "{\"host\": \"localhost\", \"patterns\": [
            {\"params\": [\"a\", \"b\"], \"keep\": [\"$2\"]}]}"
        seq -f '{"host": "h%.0f.example", "patterns": [
            {"params": ["p", "q"], "keep": ["q"]}]}' "$3"
    } | "$MIQPS" compile - -o "$tmp/$1"
    chmod 644 "$tmp/$1"
}

# configuration HOSTS [LINE]

configuration() {
    cat <<END
    miqps_zone shop 20m map=$map watch=10ms;
    ${2-}

    server {
        listen unix:$tmp/sock;
        server_name a.example b.example c.example d.example;
        keepalive_requests 1000000000;
        miqps_use shop;

        location / {
            miqps rewrite;
            return 200 \$miqps_uri;
        }

        location = /status {
            miqps_status json hosts=$1;
        }
    }
END
}

status() {
    python3 tests/e2e/status.py "$@"
}

image A a 30
image B b 3000
cp "$tmp/A" "$map"

configuration 64 | nginx_start

results status sums "$tmp/sock" "$tmp/nginx.pid" "$requests"
results status kills "$tmp/sock" "$tmp/nginx.pid" "$requests" "$kills"
results status swaps "$tmp/sock" "$map" "$tmp/A" "$tmp/B" "$swaps"


# --- reloads

reloaded() {
    before=$(status total "$tmp/sock")
    nginx_reload
    after=$(status total "$tmp/sock")
    echo "$before, then $after"
}

kept() {
    reloaded
    [ "$after" = "$before" ]
}

# the same, or a later time, and no requests

anew() {
    [ "${after#* }" = 0 ] && [ "${after% *}" -ge "${before% *}" ]
}

result 'a reload keeps all that was counted' kept

configuration 64 'miqps_zone second 1m;' | nginx_write
result 'one with another zone, too' kept

results status sums "$tmp/sock" "$tmp/nginx.pid" "$requests"

configuration 64 | nginx_write
result 'one without it, too' kept

renewed() {
    reloaded
    anew
}

configuration 65 | nginx_write
result 'with another number of hosts all is counted anew' renewed


# --- another binary: it has memory of its own

upgraded() {
    before=$(status total "$tmp/sock")
    old=$(cat "$tmp/nginx.pid")
    nginx_signal USR2
    wait_for test -s "$tmp/nginx.pid.oldbin"
    wait_for another "$old"
    wait_for nginx_worker
    kill -QUIT "$old"
    wait_for gone "$old"
    after=$(status total "$tmp/sock")
    echo "$before, then $after"
    anew
}

another() {
    [ -s "$tmp/nginx.pid" ] && [ "$(cat "$tmp/nginx.pid")" != "$1" ]
}

results status sums "$tmp/sock" "$tmp/nginx.pid" 300
result 'another binary begins to count' upgraded
results status sums "$tmp/sock" "$tmp/nginx.pid" 300

nginx_stop
expected='exited on signal 9'
result 'nothing alarming was logged' nginx_quiet
finish
