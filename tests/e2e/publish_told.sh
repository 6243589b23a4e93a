#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps publish" that comes to the file and not to nginx: whoever is killed, or
# not answered, before nginx is told or says what it serves, leaves that to the
# next one; and in the end nginx serves what is in the file.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
B=${B:-build}

case ${TEST_LEVEL:-check} in
    check) every=37 ;;
    *)     every=1 ;;
esac

# source_of NAME: what it takes is "id", and NAME besides

source_of() {
    echo "{\"host\": \"s.example\", \"patterns\": [
              {\"params\": [\"id\", \"$1\"], \"keep\": [\"id\"]}]}" \
        > "$tmp/$1.json"
}

# publish NAME OPTION...

publish() {
    name=$1
    shift
    source_of "$name"
    ${trace-} "$MIQPS" publish --store "sqlite:$tmp/store" --map "$tmp/map" \
        --vanish 100 --shrink 100 --max-change 100 --source "$tmp/$name.json" \
        "$@"
}

told() {
    publish "$@" --control "unix:$tmp/control:/" --zone maps
}

# failing FAULT COMMAND...: it publishes with that fault

failing() {
    (trace="strace -o /dev/null -e inject=$1"; shift; "$@")
}

echo 'https://s.example/p?id=1' > "$tmp/urls"
"$MIQPS" ingest --quiet --store "sqlite:$tmp/store" "$tmp/urls"
publish n1 > "$tmp/first"

mkdir "$tmp/faults"
cp "$tmp/store" "$tmp/map" "$tmp/faults"
source_of next
mv "$tmp/next.json" "$tmp/faults/next"
mkdir "$tmp/faults/live"
cp "$tmp/map" "$tmp/faults/live/map"

nginx_start <<END
    miqps rewrite;
    miqps_zone maps 1m map=$tmp/map;
    miqps_zone faults 1m map=$tmp/faults/live/map;

    server {
        listen unix:$tmp/site;
        miqps_use maps;
        location / {
            return 200 "\$uri?\$miqps_args\n";
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

expected='is not there yet|No such file'

serves() {
    [ "$(curl -s --unix-socket "$tmp/site" "http://s.example/p?id=1&$1=1")" \
        = '/p?id=1' ]
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

# last STATE: of the newest in the archive

last() {
    "$MIQPS" history --store "sqlite:$tmp/store" > "$tmp/history"
    cat "$tmp/history"
    head -n 1 "$tmp/history" | grep -q " $1 "
}

# there are three connections: is it there, load it, what is served

killed() {
    said 137 failing connect:signal=SIGKILL:when=2 told n2
    if serves n2; then return 1; fi
    last begun
    said 0 told n2
    serves n2
    last published
}

# what was begun is watched from when it is served

killed_watching() {
    said 137 failing connect:signal=SIGKILL:when=3 told n3 \
        --status "unix:$tmp/control:/status" --watch 1
    if serves n3; then return 1; fi
    sleep 1
    said 0 told n3 --status "unix:$tmp/control:/status" --watch 2
    grep -q '^watched: ' "$tmp/out"
    serves n3
}

# whoever did not tell anybody

untold() {
    said 0 publish n4
    if serves n4; then return 1; fi
    said 0 told n4
    grep -q 'was told again' "$tmp/out"
    serves n4
}

by_signal() {
    said 137 failing kill:signal=SIGKILL:when=1 publish n5 \
        --pid "$tmp/nginx.pid"
    if serves n5; then return 1; fi
    said 0 publish n5 --pid "$tmp/nginx.pid"
    wait_for serves n5
    last published
}

# one answer that does not come says nothing of the map

deaf() {
    said 0 failing connect:error=ECONNREFUSED:when=3 told n6
    grep -q 'nginx serves it' "$tmp/out"
    serves n6
    said 0 failing connect:error=ECONNREFUSED:when=2 told n7
    serves n7
    last published
}

# nginx was told, and serves what nobody could see: it is told of the old one

silent() {
    said 1 failing connect:error=ECONNREFUSED:when=3 told n8 --wait 0
    if serves n8; then return 1; fi
    serves n7
    last refused
    grep -q 'does not answer' "$tmp/out"
}

mute() {
    said 1 failing connect:error=ECONNREFUSED:when=3+ told n8 --wait 0
    grep -q 'nginx does not say that it serves that' "$tmp/out"
    said 0 told n7
    serves n7
}

went_back() {
    said 0 told n9
    curl -s -X POST --unix-socket "$tmp/control" \
        'http://localhost/?action=rollback&zone=maps'
    serves n7
    said 3 told n9
    grep -q 'went back from the map' "$tmp/out"
    serves n7
    said 0 told n10
    serves n10
}

gone_back() {
    said 137 failing connect:signal=SIGKILL:when=3 told n11
    serves n11
    curl -s -X POST --unix-socket "$tmp/control" \
        'http://localhost/?action=rollback&zone=maps'
    said 3 told n11
    last refused
    grep -q "went back from it" "$tmp/history"
    said 0 told n10
}

if ! strace -o /dev/null true 2>/dev/null; then
    echo '1..0 # SKIP strace may not trace here'
    exit 0
fi

result 'killed before nginx is told, the same again tells it' killed
result 'and watches what became of that' killed_watching
result 'what nobody told nginx it is told' untold
result 'a signal that was not sent is' by_signal
result 'it is asked again if it does not answer' deaf
result 'if it never does, it is told to serve the old map' silent
result 'and if that is not confirmed, it is said' mute
result 'what miqps_control went back from is not told again' went_back
result 'not even if nobody knew that it was served' gone_back

results python3 tests/e2e/publish_faults.py "$MIQPS" \
    "$PWD/$B/tests/support/short_write.so" "$tmp/faults" "$every" \
    "unix:$tmp/control:/" faults
results python3 tests/e2e/publish_faults.py "$MIQPS" \
    "$PWD/$B/tests/support/short_write.so" "$tmp/faults" "$((2 * every))" \
    "unix:$tmp/control:/" faults "$tmp/nginx.pid"

result 'nginx has nothing to complain about' nginx_quiet
finish
