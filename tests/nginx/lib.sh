# Copyright (C) the ngx_miqps authors
#
# shellcheck shell=sh
#
# For scripts that need an nginx of their own.  They begin with
#
#     cd "$(dirname "$0")/../.."
#     . tests/nginx/lib.sh
#
# and have a folder, $tmp, that goes away when they end, as do the processes
# that were started:
#
#     nginx_start < HTTP      the block "http" without its braces; listens
#                             before this returns
#     nginx_write < HTTP      the same configuration file, and no more
#     nginx_run               starts $tmp/nginx.conf, whoever wrote it
#     nginx_reload            waits until the workers are new ones
#     nginx_signal NAME       to the master
#     nginx_stop
#     nginx_quiet             false if nginx logged an alarm, other than those
#                             that the pattern $expected has; says which
#     nginx_worker            the id of the worker, or of one of them
#
#     php_start               php-fpm, at unix:$tmp/php.sock
#     spawn NAME COMMAND...   another process; its output is in $tmp/NAME.log
#     free_port               a port of 127.0.0.1; sockets in $tmp are better
#     wait_for COMMAND...     until it succeeds
#
#     result NAME COMMAND...  one line of TAP; what the command says is shown
#                             if it fails
#     results COMMAND...      the command prints lines of TAP without numbers
#     finish                  the plan; fails if something failed
#
# TEST_NGINX_BINARY and MIQPS_MODULE choose nginx and the module; NGINX_MAIN
# are lines for the configuration, outside of every block.

nginx=${TEST_NGINX_BINARY:-}

if [ -z "$nginx" ]; then
    nginx=$(PATH=$PATH:/usr/sbin command -v nginx)
fi

module=${MIQPS_MODULE:-build/ngx_http_miqps_module.so}

case $module in
    /*) ;;
    *)  module=$PWD/$module ;;
esac

# a socket's path may have no more than 107 bytes

tmp=$(TMPDIR=/tmp mktemp -d)
TMPDIR=$tmp
export TMPDIR

PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

spawned=
tests=0
failed=0


# everything that was started ends with the script, however that ends

clean_up() {
    status=$?
    trap - EXIT

    nginx_stop || true

    for pid in $spawned; do
        kill "$pid" 2>/dev/null || true
    done

    for pid in $spawned; do
        wait "$pid" 2>/dev/null || true
    done

    rm -rf "$tmp"
    exit "$status"
}

trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM


# a busy machine may need its time; this is for what never happens

wait_for() {
    for i in $(seq 600); do
        ! "$@" || return 0
        sleep 0.1
    done > "$tmp/waited" 2>&1

    echo "after $i tries in vain: $*" >&2
    cat "$tmp/waited" >&2
    return 1
}

free_port() {
    python3 -c 'if True:
        import socket
        s = socket.socket()
        s.bind(("127.0.0.1", 0))
        print(s.getsockname()[1])'
}

spawn() {
    name=$1
    shift

    "$@" > "$tmp/$name.log" 2>&1 < /dev/null &
    spawned="$spawned $!"
}


# --- nginx

# workers of another user could not read the folder

nginx_user() {
    if [ "$(id -u)" -eq 0 ]; then
        echo "user $(id -un) $(id -gn);"
    fi
}

nginx_write() {
    mkdir -p "$tmp/temp"

    cat > "$tmp/nginx.conf.new" <<END
load_module $module;
pid $tmp/nginx.pid;
error_log $tmp/error.log info;
$(nginx_user)
${NGINX_MAIN:-worker_processes 1;}

events {
    worker_connections 2048;
}

http {
    access_log off;

    client_body_temp_path $tmp/temp/client;
    proxy_temp_path $tmp/temp/proxy;
    fastcgi_temp_path $tmp/temp/fastcgi;
    uwsgi_temp_path $tmp/temp/uwsgi;
    scgi_temp_path $tmp/temp/scgi;

$(cat)
}
END
    mv "$tmp/nginx.conf.new" "$tmp/nginx.conf"
}

nginx_start() {
    nginx_write
    nginx_run
}

nginx_run() {
    if ! "$nginx" -e "$tmp/error.log" -p "$tmp/" -c "$tmp/nginx.conf" \
             > "$tmp/start.log" 2>&1
    then
        cat "$tmp/start.log" >&2
        return 1
    fi

    wait_for test -s "$tmp/nginx.pid"
    wait_for nginx_worker
}

nginx_signal() {
    kill -"$1" "$(cat "$tmp/nginx.pid")"
}

# children of the master, without those that look after caches

nginx_workers() {
    grep -l "^PPid:[[:space:]]*$(cat "$tmp/nginx.pid")\$" \
            /proc/[0-9]*/status 2>/dev/null |
        while IFS=/ read -r _ _ pid _; do
            ! grep -aq 'worker process' "/proc/$pid/cmdline" || echo "$pid"
        done
}

nginx_worker() {
    nginx_workers | grep -m 1 .
}

nginx_replaced() {
    for pid in $1; do
        ! nginx_workers | grep -qx "$pid" || return 1
    done

    nginx_worker
}

nginx_reload() {
    old=$(nginx_workers)
    nginx_signal HUP
    wait_for nginx_replaced "$old"
}

nginx_stop() {
    [ -s "$tmp/nginx.pid" ] || return 0

    master=$(cat "$tmp/nginx.pid")
    kill -QUIT "$master" 2>/dev/null || return 0

    if ! wait_for gone "$master"; then
        kill -TERM "$master"
        return 1
    fi
}

# a zombie is gone, even if nobody comes for it

gone() {
    ! grep '^State:[[:space:]]*[^Z]' "/proc/$1/status"
}

nginx_quiet() {
    ! grep -aE '\[(alert|emerg|crit)\]|Sanitizer|runtime error:' \
        "$tmp/error.log" | grep -avE "${expected:-^$}"
}


# --- php-fpm

php_start() {
    fpm=$(find /usr/sbin /usr/local/sbin -name 'php-fpm*' 2>/dev/null |
              sort | head -n 1)

    if [ -z "$fpm" ]; then
        echo 'there is no php-fpm' >&2
        return 1
    fi

    cat > "$tmp/php.conf" <<END
[global]
error_log = $tmp/php.log
daemonize = no

[www]
user = $(id -un)
group = $(id -gn)
listen = $tmp/php.sock
pm = static
pm.max_children = 2
END

    # -R: root may run it
    spawn php "$fpm" -n -R -y "$tmp/php.conf"
    wait_for test -S "$tmp/php.sock"
}


# --- TAP

# In a condition "set -e" has no effect, and all but the last command of a
# function could fail; so it is not one, and what it sets is gone.

result() {
    name=$1
    shift
    tests=$((tests + 1))

    set +e
    (set -e; "$@") > "$tmp/said" 2>&1
    said=$?
    set -e

    if [ $said -eq 0 ]; then
        echo "ok $tests - $name"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $name"
        sed 's/^/# /' "$tmp/said"
    fi
}

results() {
    rc=0
    "$@" > "$tmp/tap" || rc=$?

    awk -v n="$tests" '
        /^not ok/ { $2 = "ok " ++n }
        /^ok/     { $1 = "ok " ++n }
        { print }' "$tmp/tap"

    tests=$((tests + $(grep -cE '^(not )?ok' "$tmp/tap" || true)))
    bad=$(grep -c '^not ok' "$tmp/tap" || true)
    failed=$((failed + bad))

    if [ $rc -ne 0 ] && [ "$bad" -eq 0 ]; then
        result "$1 ${2-} comes to its end" false
    fi
}

finish() {
    echo "1..$tests"
    [ "$failed" -eq 0 ]
}
