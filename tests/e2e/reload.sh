#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# What a running nginx lives through: rules that are no rules, new ones, being
# switched off, a worker that is killed, and very long URLs.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}


# configuration [LINE]: a line for the level of http

configuration() {
    cat <<END
    ${1-}
    large_client_header_buffers 4 256k;

    server {
        listen unix:$tmp/rewrite;
        miqps rewrite;
        miqps_rules $tmp/rules.json;

        location / {
            return 200 \$request_uri;
        }

        location /inner {
            miqps rewrite;
            miqps_strip inner;
            return 200 \$request_uri;
        }
    }

    server {
        listen unix:$tmp/annotate;
        miqps annotate;
        return 200 \$miqps_uri;
    }

    server {
        listen unix:$tmp/redirect;
        miqps redirect;
        absolute_redirect off;

        location / {
            return 200 \$request_uri;
        }
    }
END
}

# get SERVER TARGET: what it says; where it leads, if it says nothing else

get() {
    printf 'url = "http://localhost%s"\n' "$2" |
        curl -sgq --path-as-is --max-time 60 --unix-socket "$tmp/$1" -K - \
             -w '%{redirect_url}' |
        sed -e '/^<.*>.$/d' -e 's,^http://localhost,,'
}

# gives TARGET ANSWER [SERVER]

gives() {
    answer=$(get "${3:-rewrite}" "$1")

    if [ "$answer" != "$2" ]; then
        printf 'wanted %.300s\ngot    %.300s\n' "$2" "$answer"
        return 1
    fi
}

rules() {
    printf '%s\n' "$1" > "$tmp/rules.new"
    mv "$tmp/rules.new" "$tmp/rules.json"
}


# --- rules

# told PATTERN: nginx logs it, and goes on with the workers that it has

told() {
    before=$(nginx_workers)
    seen=$(complaints | wc -l)
    nginx_signal HUP

    wait_for more_than "$seen" &&
        complaints | tail -n +$((seen + 1)) > "$tmp/new" &&
        grep -aE "$1" "$tmp/new" > "$tmp/line" &&
        [ "$(nginx_workers)" = "$before" ] && return

    tail "$tmp/error.log"
    return 1
}

complaints() {
    grep -a '\[emerg\]' "$tmp/error.log"
}

more_than() {
    [ "$(complaints | wc -l)" -gt "$1" ]
}

bad() {
    result "$1: nginx says so" told "$2"
    result "$1: the old rules hold" gives '/?old=1&new=2&b=3' '/?new=2&b=3'
}

rules '{"version": 1, "strip": ["old"]}'
configuration | nginx_start

result 'rules hold' gives '/?old=1&new=2&b=3' '/?new=2&b=3'

rules '{"version": 1, "strip": ["new"'
bad 'rules that end too early' 'rules.json:[0-9]+:[0-9]+: '

rules '{"version": 1, "stripp": ["new"]}'
bad 'rules with an unknown key' 'rules.json:1:[0-9]+: .*stripp'

rules '{"version": 1, "strip": ["~(new"]}'
bad 'rules with a broken expression' 'rules.json:1:[0-9]+: .*\(new'

rules '{"version": 99, "strip": ["new"]}'
bad 'rules of another version' 'rules.json:1:[0-9]+: .*version'

rm "$tmp/rules.json"
bad 'rules that are not there' 'rules.json" failed .*No such file'

mkdir "$tmp/rules.json"
bad 'rules that are a folder' 'rules.json" is not a rules file.*directory'
rmdir "$tmp/rules.json"

rules '{"version": 1, "strip": ["new"]}'
result 'good rules take over' nginx_reload
result 'good rules hold' gives '/?old=1&new=2&b=3' '/?old=1&b=3'


# --- the switch

configuration 'miqps off;' | nginx_write
result 'switched off' nginx_reload
result 'off: a server' gives '/?new=2&utm_source=1' '/?new=2&utm_source=1'
result 'off: a location' gives '/inner?inner=1' '/inner?inner=1'
result 'off: annotate' gives '/?utm_source=1' '/?utm_source=1' annotate
result 'off: redirect' gives '/?utm_source=1' '/?utm_source=1' redirect

configuration | nginx_write
result 'switched on' nginx_reload
result 'on: a server' gives '/?new=2&utm_source=1&a=1' '/?a=1'
result 'on: a location' gives '/inner?inner=1' '/inner'
result 'on: annotate' gives '/?utm_source=1' '/' annotate
result 'on: redirect' gives '/?utm_source=1' '/' redirect


# --- a worker that dies

killed() {
    victim=$(nginx_worker)
    kill -KILL "$victim"
    wait_for nginx_replaced "$victim"
}

result 'a killed worker is replaced' killed
result 'the new worker knows the rules' gives '/?old=1&new=2&b=3' '/?old=1&b=3'


# --- many reloads

master_memory() {
    sed -n 's/^RssAnon:[^0-9]*\([0-9]*\).*/\1/p' \
        "/proc/$(cat "$tmp/nginx.pid")/status"
}

# what one configuration takes is more than 1 MiB

no_growth() {
    nginx_reload
    nginx_reload
    before=$(master_memory)

    for i in 1 2 3 4 5 6 7 8; do
        nginx_reload
    done

    echo "$before KiB, and after $i reloads $(master_memory) KiB"
    [ $(($(master_memory) - before)) -lt 2048 ]
}

result 'reloads leave the memory of the master as it is' no_growth


# --- long URLs

# long BYTES: a target of about that length, with all there is to do

long() {
    awk -v max="$1" 'BEGIN {
        line = "/p?utm_source=1&new=2"

        for (i = 0; length(line) < max; i++) {
            line = line "&name" i % 900 "=" sprintf("%060d", i)
        }

        print line "&fbclid=9"
    }'
}

served() {
    target=$(long "$1")
    clean=$(printf '%s\n' "$target" | "$MIQPS" normalize --tracking)
    rules=$(printf '%s\n' "$target" |
                "$MIQPS" normalize --tracking --rules "$tmp/rules.json")

    [ "${2-}" = alike ] || [ "$clean" != "$target" ] || return 1

    gives "$target" "$rules" rewrite &&
        gives "$target" "$clean" annotate &&
        gives "$target" "$clean" redirect
}

for size in 1000 4000 8000 16000 32768 60000; do
    result "URLs of $size bytes are served in all modes" served "$size"
done

result 'longer ones are served as they are' served 70000 alike


expected='rules\.json|exited on signal 9'

result 'nginx stops' nginx_stop
result 'nginx raised no alarm but those above' nginx_quiet

finish
