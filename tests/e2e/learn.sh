#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps learn" and a shop in PHP behind nginx: what it learns, that nothing
# goes past nginx, that limits and kills do no harm, and what it never asks for.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/servers.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

case ${TEST_LEVEL:-check} in
    check) kills=6 limit=200 window=1 ids='text body title' ;;
    *)     kills=50 limit=300 window=60 ids='text dom body title near' ;;
esac

php_start
mkdir "$tmp/cache"

nginx_start <<END
    default_type text/html;
    log_format learner '\$http_host|\$request|\$status|\$upstream_addr';
    proxy_cache_path $tmp/cache keys_zone=pages:1m;

    # all that must not concern the learner

    miqps rewrite;
    miqps_corpus $tmp/corpus.log zone=seen:1m flush=10ms;
    proxy_cache pages;
    proxy_cache_valid 200 1h;
    fastcgi_cache_valid 200 1h;

    $(shop quiet '')
    $(shop noisy clock,counter,token,advert,rotate,time,echo,cookie)
    $(shop limited '' "$limit" "$window")
    $(shop right '' 0 60 right)
    $(shop home '' 0 60 home)
    $(shop asked '' 0 60 asked)

    server {
        listen unix:$tmp/status.sock;
        location / {
            miqps_status;
        }
    }
END

expected='connect\(\) to unix:.*nobody.site failed'

# learn NAME OPTION...: into the store of that name, at full speed

learn() {
    db=$1
    shift

    "$MIQPS" learn --store "sqlite:$tmp/$db.db" \
        --algorithm paper --via "unix:$tmp/${site:-quiet}.learn" --rate 0 "$@"
}

map() {
    "$MIQPS" map --store "sqlite:$tmp/$1.db" > "$tmp/$1.json"
}

# number NAME KEY...: of what there is to say of what was learned in that name

number() {
    "$MIQPS" compile "$tmp/$1.json" -o "$tmp/$1.image" > /dev/null
    "$MIQPS" eval --truth "$tmp/truth" --map "$tmp/$1.image" --json \
        --store "sqlite:$tmp/$1.db" > "$tmp/checked"
    shift
    python3 tests/support/json_number.py "$tmp/checked" "$@"
}

fetched() {
    wc -l < "$tmp/$1.log"
}

python3 tests/site/traffic.py 8000 > "$tmp/urls"
python3 tests/site/traffic.py --truth 8000 > "$tmp/truth"
"$MIQPS" ingest --quiet --store "sqlite:$tmp/corpus.db" "$tmp/urls"

# fresh NAME: a store with the corpus

fresh() {
    cp "$tmp/corpus.db" "$tmp/$1.db"
}


# --- what is learned

fresh quiet

planned() {
    learn quiet --dry-run shop.example > "$tmp/plan"
    cat "$tmp/plan"
    grep -q 'fetches at most' "$tmp/plan"
    [ ! -e "$tmp/quiet.log" ] || [ "$(fetched quiet)" -eq 0 ]
}

learned() {
    learn quiet shop.example
    map quiet
}

right() {
    wrong=$(number quiet params matters stripped)
    cat "$tmp/checked"
    [ "$wrong" -eq 0 ]
}

enough() {
    kept=$(number quiet params neutral kept)
    stripped=$(number quiet params neutral stripped)
    seen=$((kept + stripped))
    cat "$tmp/checked"
    [ "$seen" -gt 20 ]
    [ $((stripped * 100)) -ge $((seen * 98)) ]
}

trapped() {
    both=$(number quiet params alias stripped)
    cat "$tmp/checked"
    [ "$both" -eq 2 ]
}

result 'a plan is printed, and nothing fetched' planned
result 'a site is learned' learned
result 'nothing that matters is stripped' right
result 'nearly all that does not matter is' enough
result 'of two names for one thing both go, as the paper has it' trapped

served() {
    "$MIQPS" compile "$tmp/quiet.json" -o "$tmp/quiet.image"
    got=$("$MIQPS" normalize --map "$tmp/quiet.image" \
              'https://shop.example/product.php?trk=1&id=5' \
              'https://shop.example/compare.php?trk=1&ref=5' \
              'https://shop.example/product.php?ref=1&id=5')
    [ "$got" = 'https://shop.example/product.php?id=5
https://shop.example/compare.php?ref=5
https://shop.example/product.php?id=5' ] || { echo "$got"; return 1; }
}

explained() {
    "$MIQPS" explain --pairs 1 --store "sqlite:$tmp/quiet.db" \
        'https://shop.example/product.php?trk=1&id=5' > "$tmp/why"
    cat "$tmp/why"
    grep -q '^neutral *trk  differed in 0 of' "$tmp/why"
    grep -q '^matters *id  differed in' "$tmp/why"
    grep -q 'another page: .*text' "$tmp/why"
    grep -q 'the same page' "$tmp/why"
}

same() {
    fresh again
    learn again shop.example
    map again
    strip='s/"time":[0-9]*//'
    [ "$(sed "$strip" "$tmp/again.json")" = "$(sed "$strip" \
                                                   "$tmp/quiet.json")" ]
}

result 'the map does what was learned' served
result 'it is explained' explained
result 'the same again is the same map' same


# --- through nginx, and seen by nobody else

through() {
    retried=$(grep -c 'nobody.site, unix:.*quiet.site' "$tmp/quiet.log")
    echo "$retried of $(fetched quiet) were tried again by nginx"
    [ "$retried" -gt 10 ]
    ! grep -v '^shop.example|' "$tmp/quiet.log"
}

alone() {
    fresh alone
    unshare -n "$MIQPS" learn --store "sqlite:$tmp/alone.db" --rate 0 \
        --via "unix:$tmp/quiet.learn" shop.example
}

unseen() {
    [ ! -s "$tmp/corpus.log" ] || { head -3 "$tmp/corpus.log"; return 1; }
    [ -z "$(find "$tmp/cache" -type f)" ]
    curl -s --unix-socket "$tmp/status.sock" http://localhost/ > "$tmp/status"
    python3 -c '
import json, sys
told = json.load(open(sys.argv[1]))
sys.exit(sum(told["verdicts"].values()) > 0 if "verdicts" in told
         else told["requests"] > 0)' "$tmp/status"
}

result 'nginx chooses the upstream, and tries again' through

if unshare -n true 2>/dev/null; then
    result 'nothing but the socket is needed' alone
else
    tests=$((tests + 1))
    echo "ok $tests - nothing but the socket is needed # SKIP no namespaces"
fi

result 'nothing is collected, cached or counted' unseen


# --- noise: nothing that matters goes, whatever is learned

site=noisy

noisy() {
    for id in $ids; do
        fresh "noisy-$id"
        learn "noisy-$id" --content-id "$id" shop.example > /dev/null
        map "noisy-$id"
        wrong=$(number "noisy-$id" params matters stripped)
        echo "$id: wrong $wrong," \
            "stripped $(number "noisy-$id" params neutral stripped)"

        case $id in
            text|dom|body) [ "$wrong" -eq 0 ] ;;
        esac
    done
}

result 'a site full of noise loses nothing' noisy


# --- what pages declare to be their URL is no reason to strip

declared() {
    for site in right home asked; do
        for id in text canonical; do
            fresh "$site-$id"
            learn "$site-$id" --content-id "$id" shop.example > /dev/null
            map "$site-$id"
            wrong=$(number "$site-$id" params matters stripped)
            stripped=$(number "$site-$id" params neutral stripped)
            echo "$site, by $id: wrong $wrong, stripped $stripped"
            [ "$wrong" -eq 0 ]

            # by the text it is as without; of what is declared some is seen,
            # and a lie gives nothing away

            case $site-$id in
                *-text)  [ "$stripped" -eq "$neutral" ] ;;
                right-*) [ "$stripped" -gt 0 ]
                         [ "$stripped" -le "$neutral" ] ;;
                *)       [ "$stripped" -eq 0 ] ;;
            esac
        done
    done
}

neutral=$(number quiet params neutral stripped)
result 'what pages declare to be their URL is no trap' declared


# --- a site that is limited

site=limited

limited() {
    fresh limited
    learn limited --concurrency 8 shop.example
    map limited
    [ "$(number limited params matters stripped)" -eq 0 ]
    [ "$(number limited params neutral stripped)" -eq \
        "$(number quiet params neutral stripped)" ]
    n=$(grep -c '|429|' "$tmp/limited.log")
    echo "$n of $(fetched limited) were limited"
    [ "$n" -gt 0 ]
    [ "$(python3 tests/support/store_sql.py "$tmp/limited.db" \
             'SELECT count(*) FROM visits WHERE status = 429
              OR title LIKE "%low down%"')" -eq 0 ]
}

result 'a site with a limit is learned to its end' limited
site=quiet


# --- more hosts than are learned at a time, which end at the same time

crowd() {
    awk 'BEGIN { for (i = 0; i < 600; i++)
                     printf "https://shop%d.example/?trk=%d\n", i % 100, i }' |
        "$MIQPS" ingest --quiet --store "sqlite:$tmp/crowd.db" -
    learn crowd --all --parallel 7 --quiet
    map crowd
    [ "$(wc -l < "$tmp/crowd.json")" -eq 100 ]
    [ "$(grep -c '"keep":\[\]' "$tmp/crowd.json")" -eq 100 ]
}

result 'no host is left out' crowd


# --- killed at any time, it goes on

cut_time() {
    sed 's/"time":[0-9]*//' "$tmp/$1.json" > "$tmp/$1.json.cut"
}

goes_on() {
    fresh killed
    killed_runs
    learn killed shop.example
    map killed
    cut_time killed
    cut_time quiet
    cmp "$tmp/killed.json.cut" "$tmp/quiet.json.cut"
    [ "$(python3 tests/support/store_sql.py "$tmp/killed.db" \
             'SELECT count(*) FROM runs')" -eq 1 ]
}

killed_runs() {
    i=0

    while [ $i -lt "$kills" ]; do
        i=$((i + 1))
        "$MIQPS" learn --store "sqlite:$tmp/killed.db" --quiet \
            --via "unix:$tmp/quiet.learn" --rate 150 shop.example &
        pid=$!
        sleep "0.$(awk -v seed=$i 'BEGIN { srand(seed)
                                           printf "%03d", rand() * 900 }')"
        kill -9 $pid 2>/dev/null || true
        wait $pid 2>/dev/null || true
    done
}

evidence() {
    python3 tests/support/store_sql.py "$tmp/killed.db" \
        'SELECT names, name, tested, differed, verdict, hex(pairs)
         FROM verdicts ORDER BY 1, 2' > "$tmp/one"
    python3 tests/support/store_sql.py "$tmp/quiet.db" \
        'SELECT names, name, tested, differed, verdict, hex(pairs)
         FROM verdicts ORDER BY 1, 2' > "$tmp/two"
    cmp "$tmp/one" "$tmp/two"
    [ "$(python3 tests/support/store_sql.py "$tmp/killed.db" \
             'SELECT count(*) - count(DISTINCT url) FROM visits')" -eq 0 ]
}

result "after $kills kills it ends, with one run and the same map" goes_on
result 'no evidence is lost or doubled' evidence


# --- what it never asks for

# hostile URLs, straight into the samples of a store

hostile() {
    python3 - "$tmp/$1.db" "$2" <<'END'
import sqlite3
import struct
import sys

path, lines = sys.argv[1:]
db = sqlite3.connect(path)
urls = open(lines, 'rb').read().split(b'\0')

# every sample of the store has all of them

for i, in db.execute('SELECT id FROM params').fetchall():
    name, = db.execute('SELECT name FROM params WHERE id = ?', (i,)).fetchone()
    data = b''.join(
        struct.pack('<QHH', n + 1, 20000, len(url)) + url
        for n, url in enumerate(u.replace(b'NAME', name.encode())
                                for u in urls[:64]))
    db.execute('UPDATE params SET sample = ?, kept = ? WHERE id = ?',
               (data, len(urls[:64]), i))

db.commit()
END
}

acts() {
    fresh acts
    : > "$tmp/quiet.log"
    # shellcheck disable=SC2016
    awk 'BEGIN {
        n = split("do/delete cart/add logout vote/up account/delete " \
                  "cart/checkout do/remove logout.php vote account/reset", a)
        for (i = 1; i <= n; i++)
            for (k = 0; k < 10; k++)
                printf "https://shop.example/%s?NAME=%d&id=%d\n", a[i], k, k
    }' > "$tmp/acts.txt"

    # by the front door, and past it

    sed 's/NAME/trk/' "$tmp/acts.txt" |
        "$MIQPS" ingest --quiet --store "sqlite:$tmp/acts.db" -
    tr '\n' '\0' < "$tmp/acts.txt" > "$tmp/acts.bin"
    hostile acts "$tmp/acts.bin"
    learn acts shop.example || true
    ls "$tmp"/*.acts 2>/dev/null && return 1
    [ "$(wc -l < "$tmp/acts.txt")" -eq 100 ]
    ! grep -E 'GET /(do|cart|logout|vote|account)' "$tmp/quiet.log"
}

stays() {
    fresh evil
    : > "$tmp/quiet.log"
    python3 - "$tmp/evil.bin" <<'END'
import sys

urls = ['http://evil.example/?NAME=1', 'https://evil.example:443/?NAME=1',
        'https://shop.example.evil.example/?NAME=1',
        'https://xshop.example/?NAME=1',
        'https://shop.example@evil.example/?NAME=1',
        'https://u:p@shop.example/?NAME=1',
        'https://shop.example:80@evil.example/?NAME=1',
        'https://evil.example\\@shop.example/?NAME=1',
        'https://shop.example\\.evil.example/?NAME=1',
        'https://shop.example#@evil.example/?NAME=1',
        'https://shop.example?@evil.example/?NAME=1',
        'http://127.0.0.1/?NAME=1', 'http://127.0.0.1:22/?NAME=1',
        'http://[::1]/?NAME=1', 'http://localhost/?NAME=1',
        'http://0x7f000001/?NAME=1', 'http://2130706433/?NAME=1',
        'http://169.254.169.254/latest?NAME=1', 'file:///etc/passwd?NAME=1',
        'ftp://shop.example/?NAME=1', 'gopher://shop.example/?NAME=1',
        'unix:/run/x.sock?NAME=1', '//evil.example/?NAME=1', '/?NAME=1',
        'https:///?NAME=1', 'https://?NAME=1', 'https://shop.example',
        'https://SHOP.example/?NAME=1', 'https://shop.example./?NAME=1',
        'https://shop.example:x/?NAME=1',
        'https://shop.example:99999999/?NAME=1',
        'https://shop.example /?NAME=1', 'https://shop.example/ HTTP/1.1?NAME=1',
        'https://shop.example/\r\nHost: evil.example\r\n\r\n?NAME=1',
        'https://shop.example/?NAME=1\r\nX: y',
        'https://shop.example\r\n.evil.example/?NAME=1',
        'https://shop.example/\n?NAME=1', 'https://shop.example/\t?NAME=1',
        'https://shop.example/\x7f?NAME=1', 'https://shop.example/\x01?NAME=1',
        'https://shop.example/p#?NAME=1',
        'https://shop.example/http://evil.example/?NAME=1',
        'https://shop.example//evil.example/?NAME=1',
        'https://shop.example/%0d%0aHost:%20evil.example?NAME=1',
        'https://shop.example/../../?NAME=1',
        'https://shop.example/away?NAME=1', 'https://shop.example/away?NAME=2',
        'https://shop.example/socket?NAME=1',
        'https://shop.example/socket?NAME=2',
        'https://shop.example/away/a?NAME=3']

open(sys.argv[1], 'wb').write(b'\0'.join(u.encode('latin-1') for u in urls))
print(len(urls), 'URLs')
END
    hostile evil "$tmp/evil.bin"
    learn evil --samples 64 shop.example || true
    [ "$(fetched quiet)" -gt 3 ]

    if grep -v '^shop.example|GET /' "$tmp/quiet.log" ||
       grep -E 'evil.example/stolen|:22/' "$tmp/quiet.log"
    then
        return 1
    fi

    python3 tests/support/store_sql.py "$tmp/evil.db" \
        "SELECT location FROM visits WHERE location LIKE '%evil%' LIMIT 1" |
        grep -q 'http://evil.example/stolen'
}

result 'what would do something is never asked for' acts
result 'nothing leads to another host' stays


# --- what is said when something is wrong

told() {
    want=$1
    shift
    rc=0
    "$MIQPS" learn "$@" > "$tmp/out" 2> "$tmp/err" || rc=$?
    cat "$tmp/out" "$tmp/err"
    grep -q "$want" "$tmp/out" "$tmp/err" && [ $rc -ne 0 ]
}

fresh wrong
store=sqlite:$tmp/wrong.db

result 'no store' told 'name the store' shop.example
result 'no host' told 'name the hosts' --store "$store"
result 'another machine' told 'an address of the loopback' --store "$store" \
    --via http://192.0.2.1:80 shop.example
result 'an algorithm that there is not' told 'no algorithm' --store "$store" \
    --algorithm best shop.example
result 'a content ID that there is not' told 'no content ID' \
    --store "$store" --content-id smell shop.example
result 'fewer samples than tests' told 'fewer than the --tests' \
    --store "$store" --algorithm paper --samples 3 --tests 4 shop.example
result 'a host that the store has not' told 'no URL of these hosts' \
    --store "$store" --via "unix:$tmp/quiet.learn" other.example
result 'nobody who answers' told 'deferred: .*fetches failed' \
    --store "$store" --via "unix:$tmp/nobody" --timeout 2 shop.example
result 'nothing learned' sh -c "! $MIQPS map --store $store 2>&1 |
    grep -v 'nothing was learned yet'"

locked() {
    fresh locked
    "$MIQPS" learn --store "sqlite:$tmp/locked.db" --quiet --rate 20 \
        --via "unix:$tmp/quiet.learn" shop.example &
    pid=$!
    wait_for test -e "$tmp/locked.db-learn"
    sleep 0.3
    rc=0
    "$MIQPS" learn --store "sqlite:$tmp/locked.db" --quiet \
        --via "unix:$tmp/quiet.learn" shop.example 2> "$tmp/err" || rc=$?

    # others can write meanwhile

    "$MIQPS" ingest --quiet --store "sqlite:$tmp/locked.db" /dev/null
    kill -TERM $pid
    wait $pid && return 1
    [ $rc -eq 4 ] && grep -q 'another miqps learns' "$tmp/err"
}

events() {
    fresh events
    learn events --json --parallel 1 shop.example > "$tmp/events"
    python3 -c '
import json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
kinds = [event["event"] for event in events]
sys.exit(not (kinds[0] == "host" and kinds[-1] == "end"
              and kinds.count("verdict") == events[0]["parameters"]
              and events[-1]["state"] == "done"))' "$tmp/events"
}

result 'one learns at a time, and others write' locked
result 'events are JSON' events
result 'nginx has nothing to complain about' nginx_quiet
finish
