#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps ingest": the formats of files, those that grow, what is private in
# them, and who is counted.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}

tmp=$(mktemp -d)
follower=
trap '[ -z "$follower" ] || kill "$follower" 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# --- helpers

# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# fresh: a store with nothing in it

fresh() {
    rm -f "$tmp/store"*
    store=$tmp/store
}

# urls: those in the store are in $tmp/out

urls() {
    python3 tests/support/store_sql.py "$store" \
        'SELECT url FROM reservoir ORDER BY url' > "$tmp/out" 2> "$tmp/err" ||
        true
}

# holds NAME WANTED: these are

holds() {
    rows "$1" 'SELECT url FROM reservoir ORDER BY url' "$2"
}

# clean NAME WORD...: none of them is anywhere in the files of the store

clean() {
    name=$1
    shift
    status=0

    for word in "$@"; do
        ! grep -aq "$word" "$store"* 2>/dev/null || status=1
    done

    result $status "$name"
}

# ingest OPTION...

ingest() {
    run ingest --store "sqlite:$store" "$@"
}

corpus_line() {
    printf '1\t%s\t%s\t%s\t%s\t%s\ttext/html\t5\t-\n' "$@"
}


# --- formats

fresh
{
    corpus_line 1794931200 00010000000000aa https a.example '/p?id=1'
    corpus_line 1794931200 00010000000000aa http b.example '/\x5Cq?id=%7E'
    corpus_line 1794931200 00010000000000aa https a.example '/logout'
    printf '1\t1794931200\t00010000000000aa\thttps\ta.example\t/half'
} > "$tmp/file"
ingest "$tmp/file"
prints 'reads the file of miqps_corpus' '         3  lines
         2  taken
         1  doing something'
holds 'has them as they were sent' 'http://b.example/\q?id=%7E
https://a.example/p?id=1'
printf '?x=1\ttext/html\t5\t-\n' >> "$tmp/file"
ingest "$tmp/file"
prints 'reads a line when it is whole' '         1  lines
         1  taken'

fresh
cat > "$tmp/file" <<'END'
{"remote_addr":"192.0.2.1","host":"a.example","request":"GET /p?id=1 HTTP/1.1","status":200}
{"remote_addr":"192.0.2.1","host":"a.example","request":"GET /p?id=2 HTTP/1.1","status":404}
{"remote_addr":"192.0.2.1","host":"a.example","request":"GET /p?id=3
END
ingest "$tmp/file"
prints 'reads JSON' '         3  lines
         1  taken
         1  not of the file'\''s format
         1  not a GET answered with 200'

fresh
cat > "$tmp/file" <<'END'
a.example 192.0.2.1 [17/Nov/2026:16:00:00 +0000] "GET /p?id=1 HTTP/1.1" 200 "x"
a.example 192.0.2.2 [17/Nov/2026:16:00:00 +0000] "GET /p?id=2 HTTP/1.1" 200 "x"
END
# shellcheck disable=SC2016
ingest --log-format '$host $remote_addr [$time_local] "$request" $status "$x"' \
    "$tmp/file"
prints 'reads a log_format' '         2  lines
         2  taken'
holds 'has its hosts' 'https://a.example/p?id=1
https://a.example/p?id=2'
rows 'has its clients' 'SELECT names, clients, days FROM patterns' 'id|2|1'

# shellcheck disable=SC2016
ingest --log-format '$remote_addr$request' "$tmp/file"
fails 'tells of a log_format that cannot be read' 2 'nothing between them'
# shellcheck disable=SC2016
ingest --format json --log-format '$request' "$tmp/file"
fails 'takes one format' 2 'leave --format out'

fresh
cat > "$tmp/file" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
        xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url>
    <loc> https://a.example/p?id=1&amp;b=<![CDATA[2]]> </loc>
    <xhtml:link rel="alternate" hreflang="de" href="https://de.a.example/p"/>
    <image:image><image:loc>https://a.example/i.png</image:loc></image:image>
  </url>
  <url><loc>https://a.example/&#xfc;?q="x"</loc></url>
  <url><loc>word</loc></url>
</urlset>
END
ingest "$tmp/file"
prints 'reads a sitemap' '         4  lines
         3  taken
         1  not a URL'
holds 'has its pages and alternates' 'https://a.example/%C3%BC?q=%22x%22
https://a.example/p?id=1&b=2
https://de.a.example/p'
ingest "$tmp/file"
prints 'reads it once' '         0  lines
         0  taken'

fresh
cat > "$tmp/file" <<'END'
<sitemapindex><sitemap><loc>https://a.example/1.xml.gz</loc></sitemap>
<sitemap><loc>https://a.example/2.xml.gz</loc></sitemap></sitemapindex>
END
ingest "$tmp/file"
prints 'counts the sitemaps of an index' '         2  lines
         0  taken
         2  the address of another sitemap'

# long enough for several blocks, with a URL across each border

fresh
awk 'BEGIN {
    print "<urlset>"
    for (i = 0; i < 30000; i++)
        print "<url><loc>https://a.example/page/number/" i "</loc></url>"
    print "</urlset>"
}' | gzip > "$tmp/file.gz"
ingest --quiet --batch 700 "$tmp/file.gz"
rows 'reads a long one' 'SELECT count(*), sum(hits) FROM reservoir, hosts
    GROUP BY hosts.id' "30000|$((30000 * 30000))"

i=0
fresh

while [ $i -lt 6 ]; do
    i=$((i + 1))
    "$MIQPS" ingest --batch 700 --quiet --store "sqlite:$store" \
        "$tmp/file.gz" &
    pid=$!
    sleep "0.0$i"
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
done

ingest --quiet "$tmp/file.gz"
rows 'reads it on after it was killed' 'SELECT hits FROM hosts' 30000

fresh
printf '<urlset><url><loc>https://a.example/1</loc></url><url><lo' \
    > "$tmp/file"
ingest "$tmp/file"
fails 'tells where a sitemap is broken' 1 'no XML from line 1, column'
holds 'has what came before' 'https://a.example/1'

fresh
{
    printf 'WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 5\r\n\r\n'
    printf 'a: b\n\r\n\r\n'

    page() {
        body=$(printf 'HTTP/1.1 %s X\r\nContent-Type: %s\r\n\r\n<p>%s' "$2" \
                   "$3" "$1")
        printf 'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\n' "$4" "$1"
        printf 'Content-Length: %s\r\n\r\n' "${#body}"
        printf '%s\r\n\r\n' "$body"
    }

    page 'https://a.example/p?id=1' 200 'text/html; charset=x' response
    page '<https://a.example/p?id=2>' 200 text/html response
    page 'https://a.example/p?id=3' 404 text/html response
    page 'https://a.example/p?id=4' 200 image/png response
    page 'https://a.example/p?id=5' 200 text/html request
} > "$tmp/file"
ingest "$tmp/file"
prints 'reads an archive' '         6  lines
         2  taken
         2  empty or a comment
         1  not a GET answered with 200
         1  not HTML'
holds 'has its pages' 'https://a.example/p?id=1
https://a.example/p?id=2'

# in the fields of a record, in the head of a page, in the page

for cut in 150 190 225; do
    fresh
    head -c $cut "$tmp/file" > "$tmp/cut"
    ingest "$tmp/cut"
    fails "tells of an archive that is cut at $cut" 1 'middle of a record'
done

fresh
cat > "$tmp/file" <<'END'
 CDX N b a m s k r M S V g
example,a)/p 20261117160000 https://a.example/p?id=1 text/html 200 X - - 1 2 w
example,a)/q 20261117160000 https://a.example/q warc/revisit - X - - 1 2 w
END
ingest "$tmp/file"
prints 'reads an index of archives' '         3  lines
         1  taken
         1  empty or a comment
         1  not a GET answered with 200'

printf 'BZh91AY' > "$tmp/file"
ingest "$tmp/file"
fails 'tells who reads what it does not' 1 'let bzcat read it'

fresh
echo 'https://a.example/1' > "$tmp/one"
echo 'https://a.example/2' > "$tmp/two"
ingest --quiet "$tmp/one" "$tmp/missing" "$tmp/two"
fails 'goes on behind a file that is not there' 1 'missing.*No such file'
holds 'has the others' 'https://a.example/1
https://a.example/2'


# --- who is a site

fresh
ingest --quiet --site 'mirrors=A.example,b.example' "$tmp/one"
echo 'https://b.example/3' > "$tmp/three"
ingest --quiet "$tmp/three"
rows 'takes hosts for a site that it was told of' \
    'SELECT sites.name, hosts.name FROM sites JOIN hosts ON site = sites.id
     ORDER BY 2' 'mirrors|a.example
mirrors|b.example'
ingest --quiet --site 'other=b.example' /dev/null
rows 'moves a host with its URLs' \
    'SELECT sites.name, url FROM sites JOIN reservoir ON site = sites.id
     ORDER BY 2' 'mirrors|https://a.example/1
other|https://b.example/3'
ingest --site 'mirrors' /dev/null
fails 'tells what a site is given as' 2 'NAME=HOST'
ingest --site 'mirrors=a b' /dev/null
fails 'tells of a host of a site that is none' 2 'not the name of a host'


# --- how long

ingest --quiet --retention 30d "$tmp/one"
rows 'remembers how long' \
    'SELECT value FROM settings WHERE name = "retention"' 30
ingest --quiet --retention off "$tmp/one"
rows 'remembers that it is for ever' \
    'SELECT value FROM settings WHERE name = "retention"' 0
ingest --retention never "$tmp/one"
fails 'tells of days that are none' 2 'no number of days'


# --- what is private

fresh
{
    # one visitor each, then a second one

    corpus_line 1794931200 00010000000000aa https a.example \
        '/p?id=1&session=91847&fbclid=IwAR3kQ9zTb7Xw2Lm5Vc8&utm_source=mail'
    corpus_line 1794931200 00010000000000aa https a.example \
        '/item/9f8e7d6c5b4a3210?id=2'
    corpus_line 1794931200 00010000000000bb https a.example \
        '/item/9f8e7d6c5b4a3210?id=3'

    # the same one, after nginx was started again

    corpus_line 1794931200 0002000000000abc https a.example \
        '/p?id=4&session=91847'
} > "$tmp/file"
ingest --quiet "$tmp/file"
holds 'has the type and length of what is one visitor'\''s' \
'https://a.example/item/9f8e7d6c5b4a3210?id=3
https://a.example/item/<hhhhhhhhhhhhhhhh>?id=2
https://a.example/p?id=1&session=<ddddd>&fbclid=<wwwwwwwwwwwwwwwwwwwww>&utm_source=<llll>
https://a.example/p?id=4&session=<ddddd>'
clean 'has nothing of it in its files' 91847 IwAR3kQ9

corpus_line 1794931200 00010000000000bb https a.example \
    '/p?id=5&utm_source=mail&session=11111' >> "$tmp/file"
ingest --quiet "$tmp/file"
rows 'has in clear what a second one sends' \
    'SELECT url FROM reservoir WHERE url LIKE "%id=5%"' \
    'https://a.example/p?id=5&utm_source=mail&session=<ddddd>'

fresh
echo 'https://a.example/p?session=91847' > "$tmp/file"
ingest --quiet "$tmp/file"
holds 'has a list as it was given' 'https://a.example/p?session=91847'

fresh
echo '{"host":"a.example","request_uri":"/p?id=1&sid=4711","status":200}' \
    > "$tmp/file"
ingest --quiet "$tmp/file"
holds 'trusts no log that does not know clients' \
    'https://a.example/p?id=1&sid=<dddd>'


# --- who counts

fresh
{
    awk 'BEGIN {
        for (i = 0; i < 60; i++) {
            for (k = 0; k < 5; k++)
                printf "192.0.2.%d - - [17/Nov/2026:16:00:00 +0000] " \
                       "\"GET /p?id=%d HTTP/1.1\" 200 1\n", i, i * 5 + k
        }

        for (i = 0; i < 20000; i++)
            printf "198.51.100.1 - - [17/Nov/2026:16:00:00 +0000] " \
                   "\"GET /p?invented=%d HTTP/1.1\" 200 1\n", i
    }'
} > "$tmp/file"
ingest --quiet --host a.example "$tmp/file"
run corpus --top 1 --store "sqlite:$store"
sed -n '/^pattern/s/urls [0-9]* *//p' "$tmp/out" > "$tmp/top"
mv "$tmp/top" "$tmp/out"
prints 'counts clients, not what they invent' \
    'pattern    a.example  id  lines 300  clients 60  days 1'
rows 'keeps not more of one client than its part' \
    'SELECT count(*) < 2300 FROM reservoir WHERE url LIKE "%invented%"' 1


# --- a file that grows

fresh
: > "$tmp/file"
"$MIQPS" ingest --follow --store "sqlite:$store" --host a.example "$tmp/file" \
    "$tmp/later" > "$tmp/followed" 2> "$tmp/told" &
follower=$!

# seen WANTED: the store has just these URLs before long

seen() {
    i=0

    while [ $i -lt 200 ]; do
        urls
        [ "$(cat "$tmp/out")" != "$1" ] || return 0
        i=$((i + 1))
        sleep 0.1
    done

    return 1
}

status=0
printf 'https://a.example/1\nhttps://a.ex' >> "$tmp/file"
seen 'https://a.example/1' || status=1
result $status 'reads what is added'

status=0
printf 'ample/2\n' >> "$tmp/file"
mv "$tmp/file" "$tmp/file.1"
echo 'https://a.example/3' > "$tmp/file"
echo 'https://a.example/4' >> "$tmp/file.1"
echo 'https://a.example/5' > "$tmp/later"
seen 'https://a.example/1
https://a.example/2
https://a.example/3
https://a.example/4
https://a.example/5' || status=1
result $status 'follows a file that is rotated, and one that comes later'

run ingest --quiet --store "sqlite:$store" /dev/null
status=0
[ "$rc" -eq 0 ] || status=1
result $status 'lets others write meanwhile'

kill -TERM "$follower"
rc=0
wait "$follower" || rc=$?
follower=
cp "$tmp/followed" "$tmp/out"
: > "$tmp/err"
prints 'ends when it is told to, with its counts' '         5  lines
         5  taken'
status=0
grep -q "there is no '.*later' yet" "$tmp/told" || status=1
result $status 'says what it waits for'

ingest "$tmp/file" "$tmp/file.1" "$tmp/later"
prints 'has noted how far it was' '         0  lines
         0  taken'

echo "1..$tests"
[ "$failed" -eq 0 ]
