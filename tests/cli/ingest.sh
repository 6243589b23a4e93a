#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps ingest": what comes into the store and what does not, that it goes on
# where it was killed, and what it says of stores that cannot be used.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}

tmp=$(mktemp -d)
trap 'umount "$tmp/small" 2>/dev/null || true; rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

store=$tmp/store

# --- helpers

# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

sql() {
    python3 -c '
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute(sys.argv[2])
db.commit()' "$1" "$2"
}

# urls FIRST LAST: different ones, three patterns

urls() {
    awk -v i="$1" -v last="$2" 'BEGIN {
        for (; i <= last; i++) {
            printf "https://www.shop.example/p%d", i
            print (i % 3 == 0) ? "" : (i % 3 == 1) ? "?id=" i \
                                                   : "?id=" i "&c=" i % 7
        }
    }'
}


# --- what comes in

cat > "$tmp/list" <<'END'
https://www.Shop.example/p?id=7&color=red#top
http://m.shop.example:80/p?color=blue&id=8
https://shop.example.

# a comment
not a URL
/p?id=9
https://joe:secret@shop.example/
https://shop_.exa$mple/
https://shop.example/p?a=1;b=2
https://shop.example/p?access_token=hunter2
https://shop.example/p?mail=joe%40mail.example
https://shop.example/p?tel=%2B4917012345678
https://shop.example/p?card=4111111111111111
https://shop.example/logout
https://shop.example/p?action=delete&id=1
END

run ingest --store "sqlite:$store" "$tmp/list"
prints 'counts lines by what became of them' '        16  lines
         3  taken
         2  empty or a comment
         1  not a URL
         1  without a host
         1  not the name of a host
         1  with a user'\''s name
         1  with a query nobody reads the same
         1  signed or secret
         3  with something personal
         2  doing something'

rows 'puts hosts of a domain into one site' \
    'SELECT sites.name, hosts.name, hits FROM sites
     JOIN hosts ON site = sites.id ORDER BY 2' \
    'shop.example|m.shop.example|1
shop.example|shop.example|1
shop.example|www.shop.example|1'

was=$store
store=$tmp/owners
printf 'https://%s/s/9f/p\n' ann.github.io www.ann.github.io bob.github.io \
    shop.co.uk other.co.uk > "$tmp/owners.list"
run ingest --quiet --store "sqlite:$store" "$tmp/owners.list"
rows 'hosts of different owners below a public suffix are different sites' \
    'SELECT sites.name, hosts.name FROM sites
     JOIN hosts ON site = sites.id ORDER BY 2' \
    'ann.github.io|ann.github.io
bob.github.io|bob.github.io
other.co.uk|other.co.uk
shop.co.uk|shop.co.uk
ann.github.io|www.ann.github.io'
store=$was

rows 'keeps whole URLs, also those without a query' \
    'SELECT url FROM reservoir ORDER BY 1' \
    'http://m.shop.example/p?color=blue&id=8
https://shop.example/
https://www.shop.example/p?id=7&color=red'

rows 'takes names in any order for one pattern' \
    'SELECT DISTINCT names FROM patterns' 'color&id'

rows 'keeps URLs for each parameter' \
    'SELECT name, url FROM params JOIN samples ON param = id
     WHERE url LIKE "%www%" ORDER BY 1' \
    'color|https://www.shop.example/p?id=7&color=red
id|https://www.shop.example/p?id=7&color=red'

status=0
for word in secret hunter2 mail.example 491701 41111 logout delete; do
    ! grep -aq "$word" "$store" "$store"-* 2>/dev/null || status=1
done
result $status 'stores nothing of what it refuses'

status=0
[ "$(stat -c %a "$store")" = 600 ] || status=1
result $status 'makes the store for its owner alone'

run ingest --quiet --store "sqlite:$store" --host Rel.example "$tmp/list"
silent 'says nothing with --quiet'

rows 'reads a file once' 'SELECT sum(hits) FROM hosts' 3

echo 'https://new.example/?x=1' >> "$tmp/list"
cp "$tmp/list" "$tmp/renamed"
run ingest --store "sqlite:$store" "$tmp/renamed"
prints 'reads on what was added, under any name' '         1  lines
         1  taken'

gzip -c "$tmp/list" > "$tmp/list.gz"
run ingest --store "sqlite:$store" "$tmp/list.gz"
prints 'knows a file that was compressed since' '         0  lines
         0  taken'

printf '/a?b=1\n' > "$tmp/in"
run ingest --store "sqlite:$store" --host REL.example. -
prints 'reads standard input, with a host for paths' '         1  lines
         1  taken'
rows 'has them under that host' \
    'SELECT url FROM reservoir WHERE url LIKE "%rel%"' \
    'https://rel.example/a?b=1'
: > "$tmp/in"

urls 1 3000 | gzip > "$tmp/many.gz"
head -c 6000 "$tmp/many.gz" > "$tmp/half.gz"
run ingest --store "sqlite:$tmp/half" "$tmp/half.gz"
fails 'tells of compressed data that end early' 1 'half.gz.*end early'

{ head -c 100000 /dev/zero | tr '\0' x; echo; echo http://a.example/; } \
    > "$tmp/long"
run ingest --store "sqlite:$tmp/long.db" "$tmp/long"
prints 'passes over a line that is too long' '         2  lines
         1  taken
         1  too long'


# --- an access_log

entry() {
    printf '192.0.2.%s - %s [%s:16:00:00 +0000] "%s HTTP/1.1" %s 5 "-" "x"\n' \
        "$@"
}

plain=$store
store=$tmp/logged

{
    entry 1 - 17/Nov/2026 'GET /p?id=1' 200
    entry 2 - 17/Nov/2026 'GET /p?id=1' 200
    entry 2 - 18/Nov/2026 'GET /p?id=2&fbclid=IwAR3kQ9zTb7Xw2Lm5Vc8' 200
    entry 3 - 18/Nov/2026 'GET /p?id=1' 200
    entry 3 joe 18/Nov/2026 'GET /p?id=3' 200
    entry 3 - 18/Nov/2026 'POST /p?id=3' 200
    entry 3 - 18/Nov/2026 'GET /p?id=3' 404
    entry 3 - 18/Nov/2026 'GET /p?token=IwAR3kQ9zTb7Xw2Lm5Vc8' 200
    entry 3 - 18/Noc/2026 'GET /p?id=3' 200
    entry 3 - 18/Nov/2026 'GET /p\x22?id=3' 200
    awk 'BEGIN { for (i = 0; i < 500; i++) print i }' | while read -r i; do
        entry 9 - 17/Nov/2026 "GET /p?flood=$i" 200
    done
    printf '192.0.2.4 - - [18/Nov/2026:16:00:00 +0000] "GET /p?id'
} > "$tmp/access.log"

run ingest --format combined --host shop.example --store "sqlite:$store" \
    "$tmp/access.log"
prints 'reads an access_log' '       510  lines
       505  taken
         1  not of the file'\''s format
         2  not a GET answered with 200
         1  with a user'\''s name
         1  signed or secret'

rows 'counts clients and days' \
    'SELECT names, hits, clients, days FROM patterns ORDER BY 1' \
    'fbclid&id|1|1|1
flood|500|1|1
id|4|3|2'

status=0
! grep -aqE 'IwAR|192\.0\.2' "$store" "$store"-* 2>/dev/null || status=1
result $status 'stores neither random values nor addresses'

rows 'stores something of their kind' \
    'SELECT url FROM reservoir WHERE url LIKE "%fbclid%"' \
    'https://shop.example/p?id=2&fbclid=<wwwwwwwwwwwwwwwwwwwww>'

run corpus --top 1 --store "sqlite:$store"
grep ^pattern "$tmp/out" > "$tmp/top" || true
mv "$tmp/top" "$tmp/out"
prints 'lets no client flood the first places' \
    'pattern    shop.example  id  lines 4  urls 2  clients 3  days 2'

echo '=7 HTTP/1.1" 200 5 "-" "x"' >> "$tmp/access.log"
run ingest --format combined --host shop.example --store "sqlite:$store" \
    "$tmp/access.log"
prints 'reads a line that was not complete when it is' '         1  lines
         1  taken'

{ entry 1 - 17/Nov/2026 'GET /a' 200; echo http://b.example/; echo x; } \
    > "$tmp/mixed"
run ingest --host a.example --store "sqlite:$store" "$tmp/mixed"
prints 'sees by itself what a line is' '         3  lines
         2  taken
         1  not a URL'

run ingest --format csv --store "sqlite:$store" "$tmp/mixed"
fails 'tells of a format that is none' 2 'is no format'

store=$plain


# --- reports, and forgetting

run corpus --store "sqlite:$store"
prints 'tells what the store has' \
'site       shop.example  hosts 3  patterns 2  lines 3  kept 3
site       new.example  hosts 1  patterns 1  lines 1  kept 1
site       rel.example  hosts 1  patterns 1  lines 1  kept 1
growth     new.example  today  lines 1  patterns 1
growth     rel.example  today  lines 1  patterns 1
growth     shop.example  today  lines 3  patterns 2
host       new.example  patterns 1  lines 1
host       rel.example  patterns 1  lines 1
host       m.shop.example  patterns 1  lines 1
host       shop.example  patterns 0  lines 1
host       www.shop.example  patterns 1  lines 1
pattern    new.example  x  lines 1  urls 1
pattern    rel.example  b  lines 1  urls 1
pattern    m.shop.example  color&id  lines 1  urls 1
pattern    www.shop.example  color&id  lines 1  urls 1
parameter  new.example  x  lines 1  urls 1  kept 1
parameter  rel.example  b  lines 1  urls 1  kept 1
parameter  m.shop.example  color  lines 1  urls 1  kept 1
parameter  m.shop.example  id  lines 1  urls 1  kept 1
parameter  www.shop.example  color  lines 1  urls 1  kept 1
parameter  www.shop.example  id  lines 1  urls 1  kept 1'

run corpus --json --top 1 --store "sqlite:$store"
grep www "$tmp/out" > "$tmp/www" || true
mv "$tmp/www" "$tmp/out"
prints 'tells it as JSON, as much as asked for' \
'{"kind":"host","site":"shop.example","host":"www.shop.example","lines":1,"patterns":1}
{"kind":"pattern","site":"shop.example","host":"www.shop.example","names":"color&id","lines":1,"urls":1,"clients":0,"days":0}
{"kind":"parameter","site":"shop.example","host":"www.shop.example","names":"color","lines":1,"patterns":1,"urls":1,"clients":0,"days":0,"kept":1}'

run forget --store "sqlite:$store" WWW.shop.example. rel.example
silent 'forgets hosts'

status=0
for word in www.shop color=red rel.example; do
    ! grep -aq "$word" "$store" "$store"-* 2>/dev/null || status=1
done
result $status 'leaves nothing of them in the file'

rows 'has the others still' \
    'SELECT sites.name, kept, url FROM sites JOIN reservoir ON id = site
     ORDER BY url' \
    'shop.example|2|http://m.shop.example/p?color=blue&id=8
new.example|1|https://new.example/?x=1
shop.example|2|https://shop.example/'

run forget --store "sqlite:$store" www.shop.example
fails 'tells of a host that is not there' 1 'has no host'
run forget --store "sqlite:$tmp/none" a.example
fails 'makes no store to forget' 1 'No such file'
run forget --store "sqlite:$store"
fails 'asks for a host' 2 'name a host'
run corpus --store "sqlite:$tmp/none"
fails 'makes no store to tell of' 1 'No such file'
run corpus --store "sqlite:$store" x
fails 'asks for no more than a store' 2 'nothing to do'


# --- killed at any time, it goes on

case ${TEST_LEVEL:-check} in
    check) kills=8 lines=60000 ;;
    *)     kills=100 lines=900000 ;;
esac

store=$tmp/killed
urls 1 $lines > "$tmp/urls"
i=0

while [ $i -lt $kills ]; do
    i=$((i + 1))
    "$MIQPS" ingest --batch 3000 --quiet --store "sqlite:$store" "$tmp/urls" &
    pid=$!
    sleep "0.$(awk -v seed=$i 'BEGIN { srand(seed)
                                       printf "%03d", rand() * 400 }')"
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
done

run ingest --batch 3000 --quiet --store "sqlite:$store" "$tmp/urls"
silent "ends after it was killed $kills times"

rows 'has lost nothing and doubled nothing' \
    'SELECT sum(hits), (SELECT min(count(*), 60000) FROM reservoir)
     FROM hosts' "$lines|60000"
rows 'counts patterns once' \
    'SELECT names, hits FROM patterns ORDER BY 1' "c&id|$((lines / 3))
id|$((lines / 3))"
rows 'has samples of a fixed size' \
    'SELECT max(n) FROM (SELECT count(*) n FROM samples GROUP BY param)' 64


# --- stores that cannot be used

mkfifo "$tmp/fifo"
"$MIQPS" ingest --quiet --store "sqlite:$store" - < "$tmp/fifo" &
pid=$!
exec 9> "$tmp/fifo"
i=0

# it has the store before long

# shellcheck disable=SC2010
while [ $i -lt 300 ] && ! ls -l "/proc/$pid/fd" | grep -q 'killed-wal'; do
    i=$((i + 1))
    sleep 0.1
done

run ingest --quiet --store "sqlite:$store" /dev/null
fails 'lets nobody else write meanwhile' 4 'another miqps writes to'
exec 9>&-
wait $pid

store=$tmp/newer
run ingest --quiet --store "sqlite:$store" /dev/null
sql "$store" 'PRAGMA user_version = 99'
run ingest --store "sqlite:$store" "$tmp/list"
fails 'leaves a store of a newer version alone' 1 'newer miqps.*99'

sql "$tmp/other" 'CREATE TABLE t (x)'
run ingest --store "sqlite:$tmp/other" "$tmp/list"
fails 'leaves the database of others alone' 1 'not a store of miqps'

head -c 10000 /dev/urandom > "$tmp/noise"
cp "$tmp/noise" "$tmp/noise.copy"
run ingest --store "sqlite:$tmp/noise" "$tmp/list"
fails 'tells of a file that is no store' 1 'damaged or is none'
status=0
cmp -s "$tmp/noise" "$tmp/noise.copy" || status=1
result $status 'and leaves it as it is'

# pages in the middle are gone

cp "$tmp/killed" "$tmp/damaged"
dd if=/dev/urandom of="$tmp/damaged" bs=4096 seek=2 count=300 conv=notrunc \
    2>/dev/null
urls 1 100 | sed 's/p/q/' > "$tmp/more"
run ingest --store "sqlite:$tmp/damaged" "$tmp/more"
status=0
{ [ "$rc" -eq 1 ] && grep -q 'damaged' "$tmp/err"; } || status=1
result $status 'tells of a store that is damaged'

run ingest --store "sqlite:$tmp/no/such/folder" "$tmp/list"
fails 'tells of a store that cannot be made' 1 'No such file'

run ingest --store "sqlite:$tmp" "$tmp/list"
fails 'tells of a store that is a folder' 1 'cannot open the store'

run ingest --store mysql:x "$tmp/list"
fails 'tells of a kind of store there is not' 2 'is no store'

run ingest "$tmp/list"
fails 'asks for the store' 2 'name the store'

run ingest --store "sqlite:$tmp/x" "$tmp/no-such-list"
fails 'tells of a list that is not there' 1 'no-such-list.*No such file'

run ingest --store "sqlite:$tmp/x" --host 'a b' "$tmp/list"
fails 'tells of a host that is none' 2 'not the name of a host'

run ingest --store "sqlite:$tmp/x" --batch none "$tmp/list"
fails 'tells of a number that is none' 2 'batch'


# --- a full disk

mkdir "$tmp/small"

if mount -t tmpfs -o size=2m tmpfs "$tmp/small" 2>/dev/null; then
    store=$tmp/small/store
    run ingest --batch 1000 --quiet --store "sqlite:$store" "$tmp/urls"
    fails 'tells of a full disk' 1 'no space is left'

    cp "$store"* "$tmp"
    store=$tmp/store
    umount "$tmp/small"
    run ingest --batch 1000 --quiet --store "sqlite:$store" "$tmp/urls"
    silent 'goes on where there is space'
    rows 'with nothing lost and nothing doubled' \
        'SELECT sum(hits) FROM hosts WHERE name = "www.shop.example"' $lines
else
    echo "ok $((tests + 1)) - tells of a full disk # SKIP nothing to mount"
    tests=$((tests + 1))
fi

echo "1..$tests"
[ "$failed" -eq 0 ]
