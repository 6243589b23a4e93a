#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps cycle", unattended: nginx collects what a shop in PHP is asked for, and
# one command reads it, learns what is due and publishes it, also if it is
# killed on the way.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/servers.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

php_start
echo '{"host": "other.example", "patterns": []}' > "$tmp/none.json"
"$MIQPS" compile "$tmp/none.json" -o "$tmp/map"

nginx_start <<END
    default_type text/html;
    log_format learner '\$http_host|\$request|\$status|\$upstream_addr';
    miqps_zone maps 1m map=$tmp/map;

    $(shop shop '')

    server {
        listen unix:$tmp/www;
        server_name shop.example;
        miqps rewrite;
        miqps_tracking off;
        miqps_use maps;
        miqps_corpus $tmp/corpus.log zone=seen:1m flush=100ms private=on;
        location / {
            proxy_pass http://shop;
            proxy_set_header Host \$host;
        }
        location = /asked {
            return 200 "\$miqps_uri\n";
        }
    }

    server {
        listen unix:$tmp/control;
        location / {
            miqps_control;
        }
        location = /status {
            miqps_status;
        }
    }
END

expected='connect\(\) to unix:.*nobody.site failed'

# visit SEED COUNT FILTER...: what a command leaves of some traffic

visit() {
    seed=$1
    count=$2
    shift 2
    python3 tests/site/traffic.py "$count" shop.example "$seed" | "$@" |
        sed 's,https:\(.*\),url = "http:\1"\noutput = /dev/null,' \
        > "$tmp/visits"
    curl -sS --unix-socket "$tmp/www" -K "$tmp/visits"
    sleep 0.3
}

cycle() {
    (becomes_cycle "$@")
}

becomes_cycle() {
    exec "$MIQPS" cycle --store "sqlite:$tmp/store" --ingest "$tmp/corpus.log" \
        --via "unix:$tmp/shop.learn" --learn-with=--rate=0 \
        --learn-with=--algorithm=paper \
        --map "$tmp/map" --control "unix:$tmp/control:/" \
        --status "unix:$tmp/control:/status" --watch 1 \
        --publish-with=--shrink=100 "$@"
}

# said CODE COMMAND...: its output is in $tmp/out

said() {
    want=$1
    shift
    rc=0
    "$@" > "$tmp/out" 2>&1 || rc=$?
    cat "$tmp/out"
    [ $rc -eq "$want" ]
}

# what a URL becomes

asked() {
    curl -s --unix-socket "$tmp/www" "http://shop.example/asked?$1"
}

visit 1 3000 grep -v sid=

planned() {
    cp "$tmp/map" "$tmp/map.before"
    "$MIQPS" ingest --quiet --store "sqlite:$tmp/store" "$tmp/corpus.log"
    said 1 cycle --dry-run shop.example
    grep -q '^shop.example  due, never learned' "$tmp/out"
    grep -q 'fetches at most' "$tmp/out"
    grep -q 'nothing was learned yet' "$tmp/out"
    cmp "$tmp/map" "$tmp/map.before"
}

# a kill while pages are fetched, another one, and a signal

interrupted() {
    for signal in KILL KILL TERM; do
        becomes_cycle shop.example > "$tmp/out" 2>&1 &
        pid=$!
        before=$(wc -l < "$tmp/shop.log")
        wait_for fetches $((before + 50))
        kill -$signal $pid
        if wait $pid; then return 1; fi
        if grep published "$tmp/out"; then return 1; fi
    done
    cat "$tmp/out"
    grep -q 'interrupted; the same again goes on' "$tmp/out"
}

fetches() {
    [ "$(wc -l < "$tmp/shop.log")" -ge "$1" ]
}

finished() {
    [ "$(asked 'id=5&trk=1')" = '/asked?id=5&trk=1' ]
    said 0 cycle shop.example
    grep -q 'published as .* nginx serves it' "$tmp/out"
    grep -q 'none became worse' "$tmp/out"
    [ "$(asked 'id=5&trk=1')" = '/asked?id=5' ]
}

fresh() {
    before=$(wc -l < "$tmp/shop.log")
    said 0 cycle shop.example
    grep -q '^shop.example  fresh  days 0.0  unknown 0.0 %' "$tmp/out"
    grep -q 'nothing to publish' "$tmp/out"
    [ "$(wc -l < "$tmp/shop.log")" -eq "$before" ]
}

# sessions are new; of what is asked for now, much has other names

drifted() {
    visit 2 6000 grep sid=
    said 0 cycle --drift 2 --publish-with=--max-change=100 shop.example
    grep -q '^shop.example  due, asked for other names' "$tmp/out"
    grep -q 'published as' "$tmp/out"
    [ "$(asked 'id=5&sid=1')" = '/asked?id=5' ]
}

# what somebody went back from is not published by the next night, which fails

held() {
    said 0 "$MIQPS" rollback --store "sqlite:$tmp/store" --map "$tmp/map" \
        --control "unix:$tmp/control:/"
    [ "$(asked 'id=5&sid=1')" = '/asked?id=5&sid=1' ]
    said 3 cycle shop.example
    grep -q '^shop.example: stays as it is published, since it was rolled' \
        "$tmp/out"
    [ "$(asked 'id=5&sid=1')" = '/asked?id=5&sid=1' ]
    said 0 cycle --publish-with=--force=fine shop.example
    [ "$(asked 'id=5&sid=1')" = '/asked?id=5' ]
}

stale() {
    said 0 cycle --stale 0 shop.example
    grep -q '^shop.example  due, learned too long ago' "$tmp/out"
}

# a map that nobody watched to the end is looked at before anything is learned

unwatched() {
    said 0 "$MIQPS" rollback --store "sqlite:$tmp/store" --map "$tmp/map" \
        --control "unix:$tmp/control:/"
    becomes_cycle --watch 60 --publish-with=--force=fine shop.example \
        > "$tmp/watched" 2>&1 &
    pid=$!
    wait_for grep -q 'published as' "$tmp/watched"
    sleep 0.5
    kill -KILL $pid
    if wait $pid; then return 1; fi
    said 0 cycle --stale 0 --watch 1 shop.example
    grep -n 'none became worse' "$tmp/out" | head -n 1
    grep -n ' due, ' "$tmp/out"
    [ "$(grep -n 'none became worse' "$tmp/out" | head -n 1 |
             cut -d : -f 1)" -lt \
      "$(grep -n ' due, ' "$tmp/out" | cut -d : -f 1)" ]
}

hosts() {
    said 2 "$MIQPS" cycle --store "sqlite:$tmp/store" --map "$tmp/map"
    grep -q 'name the hosts that may be asked' "$tmp/out"
    said 0 cycle --all
    grep -q '^shop.example  fresh' "$tmp/out"
    said 0 cycle --quiet '*.other.example'
    if grep -q shop.example "$tmp/out"; then return 1; fi
}

passed_on() {
    said 2 cycle --stale 0 --learn-with=--rates=1 shop.example
    grep -q "learn: '--rates=1' is not an option" "$tmp/out"
    said 2 cycle --publish-with=--maximum=1 shop.example
    grep -q "publish: '--maximum=1' is not an option" "$tmp/out"
}

locked() {
    exec 9< "$tmp/store"
    flock -n 9
    said 4 cycle shop.example
    exec 9<&-
}

result 'a plan, and nothing changes' planned
result 'it is killed while it learns' interrupted
result 'the same again goes on, and publishes' finished
result 'a host that was learned is not due' fresh
result 'one that is asked for other names is' drifted
result 'what was rolled back stays so' held
result 'one that was learned long ago is' stale
result 'a map that nobody watched comes first' unwatched
result 'which hosts' hosts
result 'options are passed on' passed_on
result 'somebody else is at work' locked
result 'nginx has nothing to complain about' nginx_quiet
finish
