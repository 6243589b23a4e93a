#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps learn --honor": what a host says of its parameters saves fetches,
# where that is true, and is not believed where it is not.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

words='some words that are the same on each of these pages, and enough of them
for a reader, who comes here to see one thing of many and reads them all'

# site NAME HEADER ROBOTS

site() {
    cat <<END
    server {
        listen unix:$tmp/$1.learn;
        miqps_learn on;
        access_log $tmp/$1.log learner;

        location = /list {
            add_header No-Vary-Search '$2';
            return 200 '<!doctype html><title>List \$arg_id</title>
                <h1>List \$arg_id</h1><p>$words</p><p>number \$arg_id</p>';
        }

        location = /robots.txt {
            return 200 "User-agent: *\nDisallow: /\n$3\n";
        }
    }
END
}

nginx_start <<END
    default_type text/html;
    log_format learner '\$request_uri \$status';

    $(site silent '' '')
    $(site header 'params=("view" "box" "tint" "mark" "src9")' '')
    $(site robots '' 'Clean-param: view&box&tint&mark&src9 /list')
    $(site unasked 'params=("view" "box" "tint" "mark" "src9")' \
        'Clean-param: view')
    $(site liar 'params' 'Clean-param: id&view&box')
    $(site other '' 'Clean-param: view&box&tint&mark&src9 /elsewhere')
END

for i in $(seq 60); do
    echo "https://said.example/list?id=$i&view=v$i&box=b$i&tint=t$i&mark=m$i"
    echo "https://said.example/list?id=$i&view=v$i&src9=s$i"
done > "$tmp/urls"

# learn SITE STORE OPTION...: all at the same time, since they mostly wait

learn() {
    site=$1 db=$2
    shift 2
    "$MIQPS" ingest --quiet --store "sqlite:$tmp/$db.db" "$tmp/urls"
    "$MIQPS" learn --store "sqlite:$tmp/$db.db" --rate 0 \
        --via "unix:$tmp/$site.learn" "$@" said.example > "$tmp/$db.out" &
    learners="$learners $!"
}

learners=
learn silent silent
learn header header --honor no-vary-search
learn robots robots --honor clean-param
learn unasked unasked
learn liar liar --honor no-vary-search,clean-param
learn other other --honor clean-param

for pid in $learners; do
    wait "$pid"
done

# fetched STORE: pages

fetched() {
    grep -c '^/list' "$tmp/$1.log"
}

# learned STORE: a map

learned() {
    cat "$tmp/$1.out"
    echo "$1: $(fetched "$1") fetches, silent: $(fetched silent)"
    "$MIQPS" map --store "sqlite:$tmp/$1.db" > "$tmp/$1.json"
}

# only "id" is kept, wherever it was seen

right() {
    python3 - "$tmp/$1.json" <<'END'
import json
import sys

host = json.loads(open(sys.argv[1], encoding='utf-8').read())

for pattern in host['patterns']:
    assert pattern['keep'] == ['id'], pattern
END
}

plain() {
    learned silent && right silent
}

# alike STORE: some pages more or less are chance

alike() {
    apart=$(($(fetched "$1") - $(fetched silent)))
    [ $apart -ge -2 ] && [ $apart -le 2 ]
}

fewer() {
    learned "$1" && right "$1" && [ "$(fetched "$1")" -gt 3 ] &&
        [ "$(fetched "$1")" -lt $(($(fetched silent) - 2)) ]
}

unasked() {
    learned unasked && right unasked || return 1
    ! grep robots.txt "$tmp/unasked.log" || return 1
    ! grep honor "$tmp/unasked.json" || return 1
    alike unasked
}

liar() {
    learned liar && right liar
}

other() {
    learned other && right other && alike other
}

recorded() {
    grep -q '"honor":\["no-vary-search","clean-param"\]' "$tmp/liar.json"
}

refused() {
    want=$1
    shift
    rc=0
    "$MIQPS" learn --store "sqlite:$tmp/silent.db" "$@" said.example \
        2> "$tmp/err" || rc=$?
    cat "$tmp/err"
    [ $rc -eq 2 ] && grep -q "$want" "$tmp/err"
}

result 'a host that says nothing is learned' plain
result 'what it says by a header saves fetches' \
    fewer header
result 'what it says by robots.txt does' fewer robots
result 'nobody asks for it, or believes it, unless told so' unasked
result 'what is not true is not believed' liar
result 'what is said of other paths is not for these' other
result 'it is part of the settings' recorded
result 'a word that there is not' refused 'no-vary-search' --honor hope
result 'the paper does not know of it' refused 'goes with' \
    --algorithm paper --honor clean-param
result 'nginx has nothing to complain about' nginx_quiet
finish
