#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# What becomes of a map that does harm: while requests go on, a map is
# published that strips what the site cannot do without.  The one who published
# it sees it in miqps_status, and takes it back, for the hosts that it harms;
# also if he was killed in between, the next one does.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
B=${B:-build}

# host NAME [KEEP]: "trk" is neutral everywhere, and so is "id" without KEEP

host() {
    echo "{\"host\": \"$1.example\", \"patterns\": [
              {\"params\": [\"id\", \"trk\"], \"keep\": [${2+\"$2\"}]}]}"
}

{ host good id; host other id; } > "$tmp/first.json"
{ host good id; host other; host fresh; } > "$tmp/bad.json"
{ host good id; host other id; host fresh; } > "$tmp/fresh.json"
{ host good id; host other id; host moves; } > "$tmp/moves.json"
{ host good id; host other id; host fresh id; } > "$tmp/mended.json"

echo 'https://good.example/p?id=1' |
    "$MIQPS" ingest --quiet --store "sqlite:$tmp/store" -

# publish SOURCE OPTION...; with run=exec it takes the place of the shell

publish() {
    ${run-} "$MIQPS" publish --store "sqlite:$tmp/store" --map "$tmp/map" \
        --control "unix:$tmp/control:/" --status "unix:$tmp/control:/status" \
        --watch 60 --vanish 100 --max-change 100 --source "$@"
}

"$MIQPS" publish --store "sqlite:$tmp/store" --map "$tmp/map" \
    --source "$tmp/first.json" > "$tmp/out"

NGINX_MAIN='worker_processes 2;'

nginx_start <<END
    miqps rewrite;
    miqps_zone maps 1m map=$tmp/map;

    server {
        listen unix:$tmp/site;
        server_name good.example other.example fresh.example moves.example;
        miqps_use maps;
        location / {
            proxy_pass http://unix:$tmp/origin:;
            proxy_set_header Host \$host;
        }
    }

    server {
        listen unix:$tmp/origin;
        server_name _;
        miqps off;
        if (\$arg_id = '') {
            set \$lost \$host;
        }
        if (\$lost = moves.example) {
            return 302 /;
        }
        if (\$lost) {
            return 404;
        }
        return 200 "page \$arg_id\n";
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

# as many requests as there is time for, each second some at least

for i in $(seq 25); do
    for name in good other fresh moves stray; do
        echo "url = \"http://$name.example/p?id=$i&trk=$i\""
        echo 'output = /dev/null'
    done
done > "$tmp/urls"

traffic() {
    while [ ! -e "$tmp/enough" ]; do
        if [ ! -e "$tmp/silence" ]; then
            curl -s --unix-socket "$tmp/site" -K "$tmp/urls"
        fi
        sleep 0.2
    done
}

spawn traffic traffic

get() {
    curl -s -o /dev/null -w '%{http_code}' --unix-socket "$tmp/site" \
        "http://$1.example/p?id=7&trk=1"
}

# counted HOST: requests so far

counted() {
    curl -s --unix-socket "$tmp/control" http://localhost/status |
        python3 -c '
import json
import sys
for host in json.load(sys.stdin)["hosts"]:
    if host["host"] == sys.argv[1] + ".example":
        print(host["requests"])' "$1"
}

enough() {
    [ "$(counted good)" -gt "$1" ] && [ "$(counted moves)" -gt "$1" ]
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

wait_for enough 200

harmless() {
    { host good id; host other id; host idle; } > "$tmp/fine.json"
    said 0 publish "$tmp/fine.json" --watch 3
    grep -q 'watched: .*none became worse' "$tmp/out"
}

# forced past the guard: "other" is in the map already

harmful() {
    start=$(date +%s)
    said 3 publish "$tmp/bad.json" --force 'to see what happens'
    seconds=$(($(date +%s) - start))
    echo "$seconds s"
    [ $seconds -le 60 ]
    grep -q 'other.example: goes back .* are errors' "$tmp/out"
    grep -q 'fresh.example: goes back .* are errors' "$tmp/out"
    if grep -q good.example: "$tmp/out"; then return 1; fi
    [ "$(get other)" = 200 ]
    [ "$(get fresh)" = 200 ]
    "$MIQPS" history --store "sqlite:$tmp/store" > "$tmp/history"
    cat "$tmp/history"
    grep -q 'published .*2 hosts of 3 became worse' "$tmp/history"
    "$MIQPS" show "$tmp/map" > "$tmp/shown"
    grep -q '"other.example".*"keep":\["id"\]' "$tmp/shown"
    if grep -q fresh "$tmp/shown"; then return 1; fi
}

# the guard knows nothing of the host, and would let it pass

not_again() {
    said 3 publish "$tmp/fresh.json"
    grep -q 'fresh.example: stays as it is published, since it was rolled' \
        "$tmp/out"
    [ "$(get fresh)" = 200 ]
}

mended() {
    said 0 publish "$tmp/mended.json" --watch 3
    [ "$(get fresh)" = 200 ]
    "$MIQPS" show "$tmp/map" | grep -q '"fresh.example".*"keep":\["id"\]'
}

redirected() {
    said 3 publish "$tmp/moves.json"
    grep -q 'moves.example: goes back .* are redirects' "$tmp/out"
    [ "$(get moves)" = 200 ]
}

# one that no server has by name is counted with all others, until the map has it

strangers() {
    { host good id; host other id; host fresh id; host stray; } \
        > "$tmp/stray.json"
    said 3 publish "$tmp/stray.json"
    grep -q 'stray.example: goes back .* are errors' "$tmp/out"
    [ "$(get stray)" = 200 ]
}

# a host that became a mirror of one that became worse is a host again

mirrored() {
    { host good id; host other id; host moves id; } > "$tmp/hosts.json"
    said 0 publish "$tmp/hosts.json" --watch 0 --force 'to have it'
    { host good id
      echo '{"host": "other.example", "hosts": ["moves.example"], "patterns": [
                {"params": ["id", "trk"], "keep": []}]}'
    } > "$tmp/mirrored.json"
    said 3 publish "$tmp/mirrored.json" --force 'to see what happens'
    grep -q ' hosts of .* became worse\| hosts became worse' "$tmp/out"
    "$MIQPS" show "$tmp/map" | tee "$tmp/shown"
    for name in other moves; do
        grep -q "\"$name.example\",\"patterns.*\"keep\":\[\"id\"\]" \
            "$tmp/shown"
    done
}

# two maps follow each other, and nobody asks in between: what was before the
# first is what counts

hurried() {
    : > "$tmp/silence"
    sleep 1
    said 0 publish "$tmp/fine.json" --watch 0
    { host good id; host other; host idle; } > "$tmp/hurried.json"
    (sleep 2; rm "$tmp/silence") &
    said 3 publish "$tmp/hurried.json" --force 'quickly'
    wait $!
    grep -q 'other.example: goes back .* are errors' "$tmp/out"
    [ "$(get other)" = 200 ]
}

# The store has it all; what is published anew does not matter.  Nobody asks for
# anything while it is watched, so that it ends by the kill and nothing else.

killed() {
    { host good id; host other; host fresh id; } > "$tmp/killed.json"
    : > "$tmp/silence"
    sleep 1

    (run='exec'; publish "$tmp/killed.json" --force again) \
        > "$tmp/killed" 2>&1 &
    pid=$!
    wait_for grep -q 'published as' "$tmp/killed"
    kill -9 $pid
    wait $pid 2> /dev/null || true
    rm "$tmp/silence"
    if grep -q 'goes back' "$tmp/killed"; then return 1; fi
    said 3 publish "$tmp/mended.json"
    grep -q 'other.example: goes back' "$tmp/out"
    [ "$(get other)" = 200 ]
}

# not to the map that was taken back, which was published before this one

further() {
    said 0 "$MIQPS" rollback --store "sqlite:$tmp/store" --map "$tmp/map" \
        --control "unix:$tmp/control:/"
    "$MIQPS" show "$tmp/map" > "$tmp/shown"
    grep -q '"other.example".*"keep":\["id"\]' "$tmp/shown"
    [ "$(get other)" = 200 ]
}

# who goes back need not wait for who watches

meanwhile() {
    another "$tmp/meanwhile.json"
    (run='exec'; publish "$tmp/meanwhile.json") > "$tmp/watched" 2>&1 &
    pid=$!
    wait_for grep -q 'published as' "$tmp/watched"
    said 0 "$MIQPS" rollback --store "sqlite:$tmp/store" --map "$tmp/map" \
        --control "unix:$tmp/control:/"
    rc=0
    wait $pid || rc=$?
    cat "$tmp/watched"
    [ $rc -eq 4 ]
    grep -q 'another miqps has published' "$tmp/watched"
}

nobody() {
    rc=0
    "$MIQPS" publish --store "sqlite:$tmp/store" --map "$tmp/map" \
        --status "unix:$tmp/nowhere:/status" --source "$tmp/first.json" \
        --vanish 100 > "$tmp/out" 2>&1 || rc=$?
    cat "$tmp/out"
    [ $rc -eq 1 ]
    grep -q "'unix:$tmp/nowhere:/status' does not answer" "$tmp/out"
    if grep -q published "$tmp/out"; then return 1; fi
}

# nginx does not answer any more: nobody can say that none became worse

deserted() {
    ln -s "$tmp/control" "$tmp/door"
    another "$tmp/gone.json"
    (sleep 2; rm "$tmp/door") &
    said 1 publish "$tmp/gone.json" --status "unix:$tmp/door:/status" --watch 5
    wait $!
    grep -q 'was not watched to the end' "$tmp/out"
    [ "$(grep -c 'does not answer' "$tmp/out")" -eq 1 ]
    if grep -q 'none became worse' "$tmp/out"; then return 1; fi
    said 0 publish "$tmp/gone.json"
    grep -q 'none became worse' "$tmp/out"
}

not_status() {
    said 1 publish "$tmp/first.json" --status "unix:$tmp/control:/"
    grep -q 'does not answer as miqps_status does' "$tmp/out"
}

unreachable() {
    cp "$tmp/map" "$tmp/map.before"
    said 1 publish "$tmp/first.json" --control "unix:$tmp/nowhere:/"
    cmp "$tmp/map" "$tmp/map.before"
}

# another SOURCE: a map that was not published yet

another() {
    { host good id; host other id; host idle; host "$(date +%N)"; } > "$1"
}

# stepped SECONDS OPTION...: the clock is set by these once a map is published

stepped() {
    step=$1
    shift
    rm -f "$tmp/step"
    another "$tmp/stepped.json"

    (export LD_PRELOAD="$PWD/$B/tests/support/clock_step.so"
     export CLOCK_STEP="$tmp/step"
     run='exec timeout 30'
     publish "$tmp/stepped.json" "$@") > "$tmp/stepped" 2>&1 &
    pid=$!
    wait_for grep -q 'published as' "$tmp/stepped"
    echo "$step" > "$tmp/step"
}

set_back() {
    stepped -86400 --watch 3
    wait $pid
    grep -q 'none became worse' "$tmp/stepped"
}

set_forward() {
    stepped 86400 --watch 5
    start=$(date +%s)
    wait $pid
    [ $(($(date +%s) - start)) -ge 3 ]
}

# what the store has is by the clock that was set

set_between() {
    stepped 0 --watch 60
    kill -9 "$(cat "/proc/$pid/task/$pid/children")"
    wait $pid || true
    echo -86400 > "$tmp/step"
    said 0 env LD_PRELOAD="$PWD/$B/tests/support/clock_step.so" \
        CLOCK_STEP="$tmp/step" timeout 30 \
        "$MIQPS" publish --store "sqlite:$tmp/store" --map "$tmp/map" \
        --control "unix:$tmp/control:/" --watch 2 \
        --status "unix:$tmp/control:/status" --source "$tmp/stepped.json"
    grep -q 'none became worse' "$tmp/out"
}

result 'a map that does no harm stays' harmless
result 'one that does is rolled back within a minute, for whom it harms' \
    harmful
result 'the same is not published again' not_again
result 'but another one is' mended
result 'redirects are harm, too' redirected

result 'who was counted with others can become worse' strangers
result 'a mirror is what it was, too' mirrored
result 'so is what comes right after another map' hurried
result 'a watch that was killed is gone on with' killed
result 'who then goes back does not go to that' further
result 'without a status nothing is published' nobody
result 'nor with something else' not_status
result 'nor without nginx' unreachable
result 'who is gone while it is watched has not said that all is well' deserted
result 'somebody goes back meanwhile' meanwhile
result 'a clock that is set back does not prolong it' set_back
result 'one that is set forward does not end it' set_forward
result 'nor does one that was set between two' set_between

: > "$tmp/enough"

result 'nginx has nothing to complain about' nginx_quiet
finish
