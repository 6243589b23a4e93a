#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# miqps_control: who may use it, rollbacks that files and reloads do not undo,
# and files that are loaded while requests are served.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
map=$tmp/map

. tests/e2e/maps.sh

case ${TEST_LEVEL:-check} in
    check) reloads=50 storm=400 kills=10 many=300000 ;;
    *)     reloads=2000 storm=20000 kills=200 many=2000000 ;;
esac

NGINX_MAIN='worker_processes 2;
    worker_shutdown_timeout 10s;'

nobody=65534
token=0123456789abcdef0123456789abcdef
port=$(free_port)
other_port=$(free_port)

echo "$token" > "$tmp/token"
chmod 600 "$tmp/token"

# others than the owner must reach the sockets

chmod 711 "$tmp"


# controlled SIZE [OPTION [LINE]]: configuration() and its control

controlled() {
    configuration "$@"

    cat <<END
    server {
        listen unix:$tmp/control.sock;
        location /control {
            miqps_control;
        }
    }

    server {
        listen unix:$tmp/allowed.sock;
        location /control {
            miqps_control allow_uid=4711,$nobody;
        }
    }

    server {
        listen 127.0.0.1:$port proxy_protocol;
        listen 127.0.0.1:$other_port proxy_protocol;
        set_real_ip_from 127.0.0.1;
        real_ip_header proxy_protocol;

        location /control {
            miqps_control allow=127.0.0.1 token_file=$tmp/token;
        }
        location /other {
            miqps_control allow=192.0.2.1 token_file=$tmp/token;
        }
    }
END
}

# control ACTION [OPTION...]: what it answers

control() {
    action=$1
    shift
    curl -sgq --max-time 60 --unix-socket "$tmp/control.sock" -X POST \
         "$@" "http://localhost/control?action=$action"
}

# answers STATUS PATTERN COMMAND...: prints the status before the body

answers() {
    wanted="$1 .*$2"
    shift 2
    "$@" > "$tmp/answer"
    cat "$tmp/answer"
    grep -q "^$wanted" "$tmp/answer"
}

# acts STATUS PATTERN ACTION

acts() {
    control "$3" -w '\n%{http_code}\n' > "$tmp/acted"

    if ! tail -n 1 "$tmp/acted" | grep -qx "$1" ||
       ! grep -q "$2" "$tmp/acted"
    then
        cat "$tmp/acted"
        return 1
    fi
}

# waits until every worker has looked at the file more than once

ticks() {
    sleep 0.3
}

image A a 300
image B b 2000
image C a 700

put A
controlled 4m | nginx_start


# --- who may

asked() {
    python3 tests/e2e/control.py as "$@"
}

me=$(id -u)

result 'the user of the workers may' answers 200 '"ok":true' \
    asked "$me" "$tmp/control.sock" GET /control

if [ "$me" -eq 0 ]; then
    mark
    result 'another user may not' answers 403 '"ok":false,"error":"forbidden"' \
        asked $nobody "$tmp/control.sock" POST '/control?action=off'
    result 'nginx says so' says 1 'the client is refused, its process is neither'
    result 'not even look' answers 403 '"ok":false,"error":"forbidden"' \
        asked $nobody "$tmp/control.sock" GET /control
    result 'nothing has changed' serves A 1
    result 'one in allow_uid may' answers 200 '"off":true' \
        asked $nobody "$tmp/allowed.sock" POST '/control?action=off'
    result 'it has changed' serves -
    result 'root may, too' answers 200 '"off":false' \
        asked 0 "$tmp/allowed.sock" POST '/control?action=on'
    result 'one who is not in allow_uid may not' answers 403 'forbidden' \
        asked 4712 "$tmp/allowed.sock" POST '/control?action=off'
else
    tests=$((tests + 1))
    echo "ok $tests # SKIP only root can be another user"
fi

proxied() {
    python3 tests/e2e/control.py proxied "$port" "$@"
}

result 'over TCP: an address and the token of a file' answers 200 '"ok":true' \
    proxied $token /control
result 'over TCP: another token' answers 403 forbidden \
    proxied "${token%?}x" /control
result 'over TCP: what the PROXY protocol says does not count' \
    answers 403 forbidden proxied $token /other


# --- a rollback, and what does not undo it

put B
soon B 2
mark
result 'rollback' acts 200 '"generation":3,' rollback
result 'the old map is there at once' serves A 3
ticks
result 'watching does not undo it' serves A 3

touch "$map"
result 'a file that is touched is told once' \
    wait_for says 1 'is not used: it was rolled back; the one before it stays'
put B
result 'one that is put there again, too' \
    wait_for says 2 'is not used: it was rolled back; the one before it stays'
ticks
result 'not more than that' says 2 'is not used'
result 'the old map stays' serves A 3

result 'a reload' nginx_reload
result 'says so as well' says 3 'is not used: it was rolled back'
result 'and does not undo it' serves A 3
ticks
result 'nor do the new workers' serves A 3

result 'they know what was rolled back' acts 422 '"error":"it was rolled back"' \
    reload
result 'and count it' acts 422 '"skipped":4,' check

put C
result 'another file is loaded' soon A 4
result 'what was rolled back is still known' acts 200 \
    '"generation":4,.*"rolled_back":\["[0-9a-f]*"\]' off


# --- off

result 'off: no map' serves -
result 'off outlives a reload' nginx_reload
result 'off: no map' serves -


# --- a zone of another size knows all that

put B
controlled 5m | nginx_write
mark
result 'a zone of another size' nginx_reload
result 'the file is one that was rolled back' says 1 \
    'is not used: it was rolled back; the one before it stays'
result 'off outlives it' serves -
result 'on' acts 200 '"generation":1,.*"off":false' on
result 'the map has outlived it' serves A 1
result 'there is nothing else to go back to' acts 409 \
    'there is no map to go back to' rollback

put A
result 'another file is loaded' soon A 2
put C
result 'and one more' soon A 3
put B
ticks
result 'but not that one' serves A 3
result 'unless it is forced' acts 200 '"generation":4,' 'reload&force=1'
result 'then it is there' serves B 4

result 'rollback' acts 200 '"generation":5,' rollback
result 'rollback of the one before' acts 200 '"generation":6,' rollback
result 'there is nothing else' acts 409 'no map to go back to' rollback
result 'three maps are known' acts 409 \
    '"rolled_back":\["[0-9a-f]*","[0-9a-f]*"\]' rollback


# --- under load

controlled 6m '' | nginx_write
nginx_reload

load_start() {
    rm -f "$tmp/stop"
    spawn load python3 tests/e2e/control.py load "$tmp/sock" "$tmp/stop"
}

load_fine() {
    touch "$tmp/stop"
    wait_for grep -q asked "$tmp/load.log"
    cat "$tmp/load.log"
    grep -q '"wrong": 0,' "$tmp/load.log"
}

reloads() {
    for i in $(seq "$reloads"); do
        if [ $((i % 2)) -eq 0 ]; then put A; else put B; fi
        acts 200 '"changed":true' 'reload&force=1' || return 1
    done
}

load_start
put C
control reload > "$tmp/said"
result "$reloads times another file" reloads
result 'no request failed' load_fine

results python3 tests/e2e/control.py storm "$tmp/control.sock" "$map" \
    "$tmp/A" "$tmp/B" "$tmp/nginx.pid" "$storm" "$kills"

put C
result 'nobody is left behind: reload' wait_for acts 200 '"ok":true' \
    'reload&force=1'
result 'nobody is left behind: on' acts 200 '"off":false' on
result 'the map is there' soon A


# --- a client that does not wait, and workers that exit meanwhile

image large-A a "$many"
image large-B b "$((many + 1000))"
size=$(wc -c < "$tmp/large-B")
size=$((size * 3 / 1024 / 1024 + 4))m

controlled "$size" '' | nginx_write
nginx_reload
put large-A

impatient() {
    for limit in 0.001 0.005 0.02; do
        curl -sq --max-time $limit --unix-socket "$tmp/control.sock" -X POST \
            'http://localhost/control?action=check' > "$tmp/said" || true
    done
}

result 'clients that do not wait' impatient

control reload > "$tmp/reloaded" &
reload=$!

result 'a reload of nginx while a file is being read' nginx_reload
wait $reload || true
result 'who asked was answered' grep -E '"ok":(true|false,"error":".*(reloaded|replaced))' \
    "$tmp/reloaded"
result 'the map is there' wait_for acts 200 '"ok":true' reload
result 'requests get it' soon A

result 'nginx stops' nginx_stop
expected='exited on signal 9'
result 'nginx raised no alarm but those above' nginx_quiet


# --- a slot that a worker does not leave

word() {
    python3 tests/e2e/control.py word "$(nginx_worker)" $((4 * 1024 * 1024)) "$1"
}

NGINX_MAIN='worker_processes 1;'
put A
controlled 4m | nginx_start

if word 2 2> "$tmp/said"; then
    mark
    put B
    result 'a slot that is being read: nginx says so' wait_for says 1 \
        'is not used yet: a worker goes on reading an older one; it is tried'
    sleep 2.5
    result 'once' says 1 'is not used'
    word 0
    result 'when it is free, the file is loaded' soon B 2
else
    tests=$((tests + 1))
    echo "ok $tests # SKIP the memory of a worker cannot be written"
fi

result 'nginx stops' nginx_stop


# --- without threads: in small steps, and other requests in between

# at once, nginx would answer one or two before and none meanwhile

steps() {
    n=$(python3 tests/e2e/control.py meanwhile "$tmp/control.sock" "$tmp/sock" \
            '/control?action=reload&force=1' '/control?action=check' \
            '/control?action=check')
    echo "$n requests were answered meanwhile"
    [ "$n" -ge 10 ]
}

sliced() {
    put large-A
    result "$1: a large file is loaded" acts 200 '"changed":true' reload
    result "$1: it is the map" soon A 2
    put large-B
    result "$1: requests are served while one is" steps
    result "$1: it is the map" soon B 3
    result "$1: rollback" acts 200 '"generation":4,' rollback
    result "$1: it was" serves A 4
}

# one process has no workers to wait for

single_start() {
    nginx_write
    "$nginx" -e "$tmp/error.log" -p "$tmp/" -c "$tmp/nginx.conf" &&
        wait_for test -s "$tmp/nginx.pid" && soon A 1
}

single_reload() {
    mark
    nginx_signal HUP
    wait_for says 1 '[0-9]: reconfiguring$'
}

put A
NGINX_MAIN='master_process off;'
controlled "$size" '' | single_start
sliced 'one process'

# nginx itself accepts no connection after this, but must not crash

put large-A
control 'reload&force=1' > "$tmp/reloaded" &
reload=$!
controlled "$size" | nginx_write
result 'one process: a reload of nginx while a file is read' single_reload
wait $reload || true
mark
put B
result 'one process: it watches its file' wait_for says 1 'is generation'
controlled 4m | nginx_write
result 'one process: a zone of another size' single_reload
result 'one process: it has the map' wait_for says 1 'is generation 1$'
put A
result 'one process: it watches its file' wait_for says 1 'is generation 2$'

result 'nginx stops' nginx_stop

if [ -x build/nginx-threadless/nginx ]; then
    nginx=$PWD/build/nginx-threadless/nginx
    module=$PWD/build/nginx-threadless/ngx_http_miqps_module.so

    # one process leaves its sockets behind
    rm -f "$tmp/sock" "$tmp/origin" "$tmp"/*.sock

    put A
    NGINX_MAIN='worker_processes 1;'
    controlled "$size" '' | nginx_start
    sliced 'no threads'

    controlled "$size" | nginx_write
    nginx_reload
    put B
    result 'no threads: a file is watched' soon B
    result 'nginx stops' nginx_stop
else
    tests=$((tests + 1))
    echo "ok $tests # SKIP tests/nginx/build threadless has not been run"
fi

result 'nginx raised no alarm' nginx_quiet

finish
