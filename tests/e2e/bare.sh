#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# A site none of whose URLs has a query: sessions in paths, index pages and
# slashes at the end.  It is learned, published by "miqps cycle", and served.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/servers.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

echo '{"host": "other.example", "patterns": []}' > "$tmp/none.json"
"$MIQPS" compile "$tmp/none.json" -o "$tmp/map"

nginx_start <<END
    default_type text/html;
    log_format learner '\$request_uri';
    miqps_zone maps 1m map=$tmp/map;

    server {
        listen unix:$tmp/site.sock;
        miqps off;

        location ~ ^/(?:s/[0-9a-f]+/)?news/(\d+)$ {
            return 200 '<!doctype html><title>News \$1</title>
                <h1>News \$1</h1><p>What has happened on day \$1, as far as
                anybody knows, at \$msec</p>';
        }

        location ~ ^/shelf/(\d+)/?(?:index.html)?$ {
            return 200 '<!doctype html><title>Shelf \$1</title>
                <h1>Shelf \$1</h1><p>All that there is on shelf \$1, and a list
                of it, at \$msec</p>';
        }

        # what looks alike, and is not

        location ~ ^/day/(\d+)/(\d+)$ {
            return 200 '<!doctype html><title>Day \$1 of \$2</title>
                <h1>Day \$1 of \$2</h1><p>One of \$1 days of \$2, at \$msec</p>';
        }
    }

    $(learner)

    server {
        listen unix:$tmp/www;
        server_name bare.example;
        miqps rewrite;
        miqps_use maps;
        miqps_path_rules on;
        location / {
            proxy_pass http://unix:$tmp/site.sock;
            proxy_set_header Host \$host;
            add_header X-Url \$miqps_uri;
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

urls() {
    for i in $(seq 120); do
        one=$(printf 's/%08x%08x' $((i * 2654435761 % 4294967296)) \
            $((i * 40503 * 65537 % 4294967296)))
        two=$(printf 's/%08x%08x' $((i * 2246822519 % 4294967296)) \
            $((i * 30011 * 65537 % 4294967296)))
        echo "https://bare.example/news/$i"
        echo "https://bare.example/$one/news/$i"
        echo "https://bare.example/$two/news/$i"
        echo "https://bare.example/shelf/$i"
        echo "https://bare.example/shelf/$i/"
        echo "https://bare.example/shelf/$i/index.html"
        echo "https://bare.example/day/$i/$((i % 7))"
    done
}

urls > "$tmp/urls"

# learn OPTION...

learn() {
    rc=0
    "$MIQPS" learn --store "sqlite:$tmp/store" --via "unix:$tmp/learn.sock" \
        "$@" bare.example > "$tmp/out" 2>&1 || rc=$?
    cat "$tmp/out"
}

cycle() {
    rc=0
    "$MIQPS" cycle --store "sqlite:$tmp/store" --ingest "$tmp/urls" \
        --via "unix:$tmp/learn.sock" --learn-with=--rate=0 \
        --map "$tmp/map" --control "unix:$tmp/control:/" \
        --status "unix:$tmp/control:/status" --watch 1 \
        --publish-with=--shrink=100 "$@" bare.example > "$tmp/out" 2>&1 ||
        rc=$?
    cat "$tmp/out"
}

said() {
    grep -q "$1" "$tmp/out" && [ "$rc" -eq "$2" ]
}

"$MIQPS" ingest --quiet --store "sqlite:$tmp/store" "$tmp/urls"

planned() {
    learn --dry-run
    said '^ *300  bare.example' 0
}

paper() {
    learn --algorithm paper
    said 'no URL with parameters.* paper learns nothing of others' 1
}

none() {
    learn --without paths
    said 'no URL with parameters of these hosts$' 1
}

left() {
    cycle --dry-run --learn-with=--algorithm=paper
    ! grep -q '^bare.example' "$tmp/out"
}

due() {
    cycle --dry-run
    said '^bare.example  due, never learned  paths of [0-9]* URLs$' 1
}

published() {
    cycle --quiet && said '' 0 && cycle &&
        said '^bare.example  fresh  days .*  paths of' 0
}

# served PATH WANTED: what nginx makes of it, and the page that it shows

served() {
    curl -sS -D "$tmp/head" --unix-socket "$tmp/www" \
        "http://bare.example$1" > "$tmp/page"
    tr -d '\r' < "$tmp/head" | tee "$tmp/seen"
    grep -q "^X-Url: $2\$" "$tmp/seen"
}

cheap() {
    fetches=$(wc -l < "$tmp/learn.log")
    echo "$fetches fetches"
    [ "$fetches" -le 300 ]
}

result 'it has a plan' planned
result 'it is due' due
result 'it is not if a query is all that is looked at' left
result 'paper has nothing to do, and says so' paper
result 'nor is there anything without paths' none
rm -f "$tmp/store"*
result 'it is learned and published' published
result 'a session goes' served /s/0123456789abcdef/news/7 /news/7
result 'its page is what it was' grep -q 'happened on day 7,' "$tmp/page"
result 'index pages and slashes are one' sh -c "
    curl -sS -o /dev/null -D - --unix-socket '$tmp/www' \
        http://bare.example/shelf/9 http://bare.example/shelf/9/ \
        http://bare.example/shelf/9/index.html | tr -d '\r' |
        grep '^X-Url' | sort | uniq -c | grep '^ *3 X-Url: /shelf/9'"
result 'what looks alike stays' served /day/9/2 /day/9/2
result 'it took no more fetches than it may' cheap
result 'nginx has nothing to complain about' nginx_quiet
finish
