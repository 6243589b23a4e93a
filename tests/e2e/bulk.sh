#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# One URL is one URL, whoever cleans it: a request, miqps_set, miqps_normalize
# or the program.  And lists of any length, for clients of any patience.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

miqps=${MIQPS:-build/miqps}

case ${TEST_LEVEL:-check} in
    check) urls=20000 ;;
    *)     urls=1000000 ;;
esac

cat > "$tmp/rules.json" <<'END'
{ "version": 1, "sites": [
  { "hosts": [ "www.shop01.example" ], "strip": [ "ref", "x" ] },
  { "hosts": [ "*.shop02.example" ], "strict": true, "keep": [ "id", "q" ] },
  { "hosts": [ "www.shop03.example" ], "paths": [ "/p/*" ], "strip": [ "v" ] } ] }
END

# half of the hosts have been learned, and some have path rules

for i in $(seq -w 4 2 49); do
    cat <<END
{"host": "www.shop$i.example", "patterns": [
  {"params": ["id", "ref"], "keep": ["id"]},
  {"params": ["id", "q", "v"], "keep": ["id", "q"]},
  {"params": ["lang", "page"], "keep": ["lang"], "path": "/p/*"},
  {"params": ["page"], "keep": ["page"], "defaults": {"page": "1"}}],
 "rules": [{"from": {"path": "/show/{p}"}, "to": {"path": "/shop/{p}"}}]}
END
done > "$tmp/map.json"

"$miqps" compile "$tmp/map.json" -o "$tmp/map"

nginx_start <<END
    log_format urls escape=none '\$scheme://\$host\$request_uri';
    log_format sets escape=none '\$clean';

    keepalive_requests 1000000000;
    client_max_body_size 0;
    large_client_header_buffers 4 32k;

    miqps_zone learned 4m map=$tmp/map;
    miqps_use learned;
    miqps_path_rules on;
    miqps_sort on;
    miqps_strip sid session;
    miqps_rules $tmp/rules.json;

    server {
        listen unix:$tmp/www.sock;

        location / {
            miqps rewrite;
            miqps_set \$clean \$scheme://\$host\$miqps_original;
            access_log $tmp/inline.log urls buffer=64k;
            access_log $tmp/set.log sets buffer=64k;
            return 204;
        }

        location = /bulk {
            miqps_normalize;
        }

        location = /bulk/packed {
            miqps_normalize;
            gzip on;
            gzip_types text/plain;
        }

        location = /bulk/late {
            miqps_normalize;
            postpone_output 1m;
        }
    }
END

python3 tests/e2e/bulk.py urls "$urls" > "$tmp/urls"


# --- four ways

"$miqps" normalize --tracking --sort --strip sid,session \
    --rules "$tmp/rules.json" --map "$tmp/map" < "$tmp/urls" > "$tmp/program"

result 'a good part of the URLs changes' \
    test "$(cmp -l "$tmp/urls" "$tmp/program" 2>/dev/null | head -c 100000 |
            wc -c)" -gt 1000

# ask TYPE FILE OPTION..., at $where

where=bulk

ask() {
    type=$1
    file=$2
    shift 2

    curl -sS -f -X POST -H "Content-Type: $type" -H 'Expect:' -T "$file" \
        --unix-socket "$tmp/www.sock" "$@" http://localhost/$where
}

ask text/plain "$tmp/urls" > "$tmp/bulk"
result "of $urls URLs, a list has what the program has" \
    cmp "$tmp/bulk" "$tmp/program"

ask text/plain "$tmp/urls" --http1.0 > "$tmp/bulk"
result 'also by HTTP/1.0' cmp "$tmp/bulk" "$tmp/program"

where=bulk/packed
ask text/plain "$tmp/urls" --compressed -m 60 > "$tmp/bulk" || true
result 'also by gzip' cmp "$tmp/bulk" "$tmp/program"

where=bulk/late
ask text/plain "$tmp/urls" -m 60 > "$tmp/bulk" || true
result 'also where nginx waits for more' cmp "$tmp/bulk" "$tmp/program"

where=bulk
sed 's/.*/{"url":"&"}/' "$tmp/urls" > "$tmp/urls.json"
sed 's/.*/{"url":"&"}/' "$tmp/program" > "$tmp/program.json"

ask application/x-ndjson "$tmp/urls.json" > "$tmp/bulk.json"
result 'so has one of JSON' cmp "$tmp/bulk.json" "$tmp/program.json"

python3 tests/e2e/bulk.py ask "$tmp/www.sock" < "$tmp/urls"

# logs that wait in memory are written

nginx_signal USR1
logged() {
    [ "$(wc -l < "$tmp/$1.log")" -eq "$urls" ]
}
wait_for logged inline
wait_for logged set

result 'so has a request' cmp "$tmp/inline.log" "$tmp/program"
result 'and so has miqps_set' cmp "$tmp/set.log" "$tmp/program"

"$miqps" normalize --tracking --sort --strip sid,session \
    --rules "$tmp/rules.json" --map "$tmp/map" < "$tmp/program" > "$tmp/again"
result 'and none of them changes again' cmp "$tmp/again" "$tmp/program"


# --- memory, and patience

worker=$(nginx_worker)

peak() {
    sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$worker/status"
}

before=$(peak)

for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    cat "$tmp/urls"
done > "$tmp/many"

ask text/plain "$tmp/many" | wc -l > "$tmp/count"

result 'twenty times as many lines are all answered' \
    test "$(cat "$tmp/count")" -eq $((20 * urls))
result 'and take no more memory' test $(($(peak) - before)) -lt 1024

head -n 60000 "$tmp/many" > "$tmp/some"

results python3 tests/e2e/bulk.py stall "$tmp/www.sock" "$tmp/some" "$worker"

result 'clients go away' \
    python3 tests/e2e/bulk.py abort "$tmp/www.sock" "$tmp/some" 40
result 'and the worker goes on' test "$(nginx_worker)" = "$worker"
result 'which still has the right answers' \
    sh -c "curl -sS --unix-socket $tmp/www.sock -T $tmp/urls -X POST \
               -H 'Content-Type: text/plain' http://localhost/bulk |
           cmp - $tmp/program"

result 'nginx stops' nginx_stop
result 'nginx raised no alarm' nginx_quiet

finish
