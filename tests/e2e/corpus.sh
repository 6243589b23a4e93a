#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# miqps_corpus with four workers: each URL once, also when workers are killed,
# logs rotated and nginx reloaded; a disk that is full; secrets, acts and what
# is one visitor's alone, in nginx's files and in the store.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

case ${TEST_LEVEL:-check} in
    check) urls=10000 requests=40000 kills=5 ;;
    *)     urls=100000 requests=1000000 kills=50 ;;
esac

NGINX_MAIN='worker_processes 4;
    worker_shutdown_timeout 10s;'
file=$tmp/corpus.log

# configuration FILE FLUSH

configuration() {
    cat <<END
    default_type text/html;
    keepalive_requests 1000000000;

    server {
        listen unix:$tmp/sock;
        miqps_corpus $1 zone=seen:8m flush=$2;
        set_real_ip_from unix:;

        location / {
            return 200;
        }

        location = /status {
            miqps_corpus off;
            miqps_status;
        }
    }
END
}

corpus() {
    python3 tests/e2e/corpus.py "$@"
}

# has FILE PREFIX COUNT: so many URLs of that name

tab=$(printf '\t')

has() {
    n=$(grep -c "$tab/$2?id=" "$1" || true)
    [ "$n" -eq "$3" ] || { echo "$n, not $3, are in $1"; return 1; }
}

mode() {
    [ "$(stat -c %a "$1")" = 600 ] || { stat "$1"; return 1; }
}

configuration "$file" 100ms | nginx_start

result 'the file is for its owner alone' mode "$file"
results corpus many "$tmp/sock" "$file" "$urls" "$requests"
results corpus secrets "$tmp/sock" "$file" "$tmp/error.log" "$tmp/store" 100
results corpus acts "$tmp/sock" "$file" "$tmp/store"
results corpus visitors "$tmp/sock" "$file" "$tmp/store" 300


# --- rotation

rotated() {
    mv "$file" "$file.1"
    before=$(wc -l < "$file.1")
    nginx_signal USR1
    wait_for test -e "$file"
    wait_for opened 4
    corpus ask "$tmp/sock" rotated 500
    wait_for has "$file" rotated 500 > /dev/null
    has "$file" rotated 500
    [ "$(wc -l < "$file.1")" -eq "$before" ]
}

# all workers have opened the new file

opened() {
    n=0

    for pid in $(nginx_workers); do
        ! find -L "/proc/$pid/fd" -samefile "$file" 2>/dev/null | grep -q . ||
            n=$((n + 1))
    done

    [ "$n" -eq "$1" ]
}

result 'after USR1 lines go to a new file' rotated
result 'which is for its owner alone' mode "$file"


# --- reloads and ends

known() {
    nginx_reload
    before=$(wc -l < "$file")
    corpus ask "$tmp/sock" rotated 500
    corpus ask "$tmp/sock" later 1
    wait_for has "$file" later 1 > /dev/null
    [ "$(wc -l < "$file")" -eq $((before + 1)) ]
}

result 'a reload forgets nothing' known

results corpus many "$tmp/sock" "$file" "$urls" "$requests" \
    "$tmp/nginx.pid" "$kills"

usable() {
    corpus ask "$tmp/sock" usable 500
    wait_for has "$file" usable 500 > /dev/null
    has "$file" usable 500
}

result 'after that new URLs are written as before' usable

ended() {
    configuration "$file" 1h | nginx_write
    nginx_reload
    corpus ask "$tmp/sock" ended 300
    has "$file" ended 0
    nginx_stop
    has "$file" ended 300
}

result 'lines that wait are written when nginx ends' ended
result 'all lines are whole' corpus lines "$file"


# --- a disk that is full

disk=$tmp/disk
mkdir "$disk"

unmount() {
    rc=$?
    set +e
    nginx_stop
    umount "$disk" 2>/dev/null
    (exit $rc)
    clean_up
}

full() {
    corpus ask "$tmp/sock" full 3000
    wait_for lost
    corpus ask "$tmp/sock" fuller 3000
    grep -a 'miqps_corpus' "$tmp/error.log"
    [ "$(grep -ac 'lines of "miqps_corpus" were lost' "$tmp/error.log")" -eq 1 ]
}

lost() {
    [ "$(corpus errors "$tmp/sock")" -gt 0 ]
}

# the last line may have broken off

freed() {
    : > "$disk/corpus.log"
    corpus ask "$tmp/sock" freed 200
    wait_for has "$disk/corpus.log" freed 200 > /dev/null
    has "$disk/corpus.log" freed 200
}

if mount -t tmpfs -o size=64k none "$disk" 2>/dev/null; then
    trap unmount EXIT
    rm -f "$tmp/error.log"

    configuration "$disk/corpus.log" 100ms | nginx_start

    result 'a full disk costs lines, and one line of the log' full
    result 'when there is room again, lines are written again' freed

    nginx_stop
else
    tests=$((tests + 1))
    echo "ok $tests - a full disk # SKIP no tmpfs can be mounted here"
fi

result 'nginx has nothing to complain about' nginx_quiet
finish
