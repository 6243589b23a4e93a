#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Maps that change while nginx serves: files replaced under load, workers that
# are killed, reloads, files that are being written, another binary.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

case ${TEST_LEVEL:-check} in
    check) swaps=100 requests=50000 kills=10 hups=8 ;;
    *)     swaps=10000 requests=5000000 kills=200 hups=100 ;;
esac

client=${B:-build}/tests/support/zone_load

NGINX_MAIN='worker_processes 3;
    worker_shutdown_timeout 10s;'
map=$tmp/map

. tests/e2e/maps.sh


# the load that goes on meanwhile has no connection that a reload could close

load_start() {
    rm -f "$tmp/stop"
    spawn load "$client" "$tmp/sock" "$tmp/stop" close 100
}

load_fine() {
    touch "$tmp/stop"
    wait_for grep -q '"wrong"' "$tmp/load.log"
    cat "$tmp/load.log"
    grep -q '"wrong": 0,' "$tmp/load.log"
}

image A a 300
image B b 2000


# --- files that are replaced

put A
configuration 40m | nginx_start

result 'a map is there from the start' serves A 1

results python3 tests/e2e/zone.py "$client" "$tmp/sock" "$map" "$tmp/A" \
    "$tmp/B" "$tmp/nginx.pid" "$swaps" "$requests"

# it takes a while to load these, so that some die in the midst of it

image large-A a 100000
image large-B b 110000

results python3 tests/e2e/zone.py "$client" "$tmp/sock" "$map" "$tmp/large-A" \
    "$tmp/large-B" "$tmp/nginx.pid" "$((kills * 3))" 1000 "$kills"


# --- files that are no images, or not yet

put A
soon A
was=$(generation)

refused() {
    result "$1: nginx says so" wait_for says 1 "is not used: $2; the one"
    sleep 0.2
    result "$1: once" says 1 'is not used'
    result "$1: the old map stays" serves A "$was"
}

mark
head -c 2000 "$tmp/B" > "$map.new"
mv "$map.new" "$map"
refused 'half a file' 'it is cut off'

mark
: > "$map.new"
mv "$map.new" "$map"
refused 'an empty file' 'it is not a map image'

mark
ln -s "$tmp/B" "$map.new"
mv "$map.new" "$map"
refused 'a symbolic link' '.*symbolic link.*'

mark
rm "$map"
sleep 0.2
result 'a file that is gone: nothing happens' says 0 'miqps'
result 'a file that is gone: the old map stays' serves A "$was"

growing() {
    : > "$map"
    head -c 10000 "$tmp/B" >> "$map"
    sleep 0.1
    serves A "$was" || return 1
    tail -c +10001 "$tmp/B" | head -c 10000 >> "$map"
    sleep 0.1
    serves A "$was" || return 1
    tail -c +20001 "$tmp/B" >> "$map"
}

result 'a file that grows is not taken before its end' growing
result 'it is taken then' soon B $((was + 1))

put A
result 'another one follows it' soon A $((was + 2))


# --- reloads

reloads() {
    for i in $(seq "$hups"); do
        if [ $((i % 2)) -eq 0 ]; then put A; else put B; fi
        nginx_reload || return 1
    done
}

configuration 1m | nginx_write
nginx_reload
load_start
result "$hups reloads" reloads
result 'the map is the one of the last' soon A
was=$(generation)
result 'a reload with the same file' nginx_reload
result 'it is no new generation' serves A "$was"
result 'no request failed' load_fine

load_start
configuration 2m | nginx_write
result 'a zone of another size' nginx_reload
result 'it has the map' serves A 1
configuration 1m | nginx_write
result 'the size that it had' nginx_reload
result 'it has the map, too' serves A 1
result 'no request failed' load_fine


# without watching, so that only reloads count

put B
soon B
configuration 1m '' | nginx_write
result 'not watched' nginx_reload
was=$(generation)

mark
head -c 2000 "$tmp/A" > "$map.new"
mv "$map.new" "$map"
result 'a reload with half a file' nginx_reload
result 'nginx says so' says 1 'is not used: it is cut off; the one before'
result 'the old map stays' serves B "$was"

put A
mark
configuration 1m '' 'miqps_zone;' | nginx_write
nginx_signal HUP
result 'a configuration that is wrong' wait_for says 1 '\[emerg\]'
result 'everything is as it was' serves B "$was"

configuration 1m '' | nginx_write
result 'one that is right' nginx_reload
result 'the new map is taken' serves A $((was + 1))


# --- another file

cp "$tmp/B" "$tmp/elsewhere"
configuration 1m | nginx_write
nginx_reload
map=$tmp/elsewhere
configuration 1m '' | nginx_write
result 'a zone with another file' nginx_reload
result 'it has that map' serves B
sleep 0.2
result 'nobody brings the old one back' serves B


# --- a zone that is too small, until it is as large as nginx wants it

put large-A
mark
nginx_reload
result 'a zone that is too small' says 1 'is too small for its [0-9]* bytes'
result 'the old map stays' serves B
size=$(news | sed -n 's/.* bytes: make it \([0-9]*k\);.*/\1/p')
configuration "${size:-1m}" '' | nginx_write
mark
result "a zone of $size" nginx_reload
result "nginx has nothing to say" says 0 "not used"
result 'it is large enough' serves A 1


# --- another binary, and back

masters() {
    [ -s "$tmp/nginx.pid" ] && [ -s "$tmp/nginx.pid.oldbin" ] &&
        [ "$(cat "$tmp/nginx.pid")" != "$(cat "$tmp/nginx.pid.oldbin")" ]
}

one_master() {
    [ ! -e "$tmp/nginx.pid.oldbin" ] && [ "$(cat "$tmp/nginx.pid")" = "$1" ]
}

no_worker() {
    ! grep -l "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status 2>/dev/null
}

workers_of() {
    ! no_worker "$1"
}

upgrade() {
    kill -USR2 "$old"
    wait_for masters && wait_for nginx_worker && kill -WINCH "$old" &&
        wait_for no_worker "$old"
}

back() {
    new=$(cat "$tmp/nginx.pid")

    kill -HUP "$old"
    wait_for workers_of "$old" && kill -QUIT "$new" && wait_for one_master "$old"
}

load_start
old=$(cat "$tmp/nginx.pid")
result 'another binary' upgrade
result 'it has the map' serves A 1
result 'and back' back
result 'the old one has it still' serves A
result 'no request failed' load_fine


expected='exited on signal 9|miqps_zone'

result 'nginx stops' nginx_stop
result 'nginx raised no alarm but those above' nginx_quiet

finish
