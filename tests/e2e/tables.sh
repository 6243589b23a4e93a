#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Segments that have two names, a number and a word: what "miqps learn" makes of
# pages that declare the one with the word to be the right one, some of which do
# not tell the truth.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/servers.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

# 9 declares to be white, and shows something else

nginx_start <<END
    default_type text/html;
    log_format learner '\$request_uri';

    map \$value \$word {
        1        red;
        2        blue;
        3        yellow;
        4        green;
        5        black;
        9        white;
        default  \$value;
    }

    map \$value \$shown {
        9        'nothing at all but the can that it was in';
        default  \$word;
    }

    map \$uri \$value {
        ~^/shade/([a-z0-9]+)/  \$1;
        default                \$arg_color;
    }

    server {
        listen unix:$tmp/site.sock;
        miqps off;

        location = /paint {
            return 200 '<!doctype html><title>Paint \$arg_id \$shown</title>
                <link rel=canonical
                      href="/paint?color=\$word&amp;id=\$arg_id">
                <h1>Paint \$arg_id</h1><p>This is what paint number \$arg_id
                looks like if it is \$shown, on a wall, at \$msec</p>';
        }

        location ~ ^/shade/[a-z0-9]+/(\d+)$ {
            set \$n \$1;
            return 200 '<!doctype html><title>Shade \$n \$shown</title>
                <link rel=canonical href="/shade/\$word/\$n">
                <h1>Shade \$n</h1><p>A shade with the number \$n and what it
                looks like if it is \$shown, on paper, at \$msec</p>';
        }

        location ~ ^/plain/(\d+)/(\d+)$ {
            return 200 '<!doctype html><title>Plain \$1 \$2</title>
                <h1>Plain \$1 \$2</h1><p>The numbers \$1 and \$2 are what they
                are, and nobody has a word for them, at \$msec</p>';
        }
    }

    $(learner)
END

urls() {
    for i in $(seq 60); do
        for c in 1 2 3 4 5 9; do
            echo "https://paint.example/paint?color=$c&id=$i&utm_source=u$i$c"
            echo "https://paint.example/shade/$c/$i?utm_source=u$i$c"
            echo "https://paint.example/plain/$c/$i"
        done
        for c in red blue yellow green; do
            echo "https://paint.example/paint?color=$c&id=$i"
            echo "https://paint.example/shade/$c/$i"
        done
    done
}

urls > "$tmp/urls"
"$MIQPS" ingest --quiet --store "sqlite:$tmp/store" "$tmp/urls"

learn() {
    "$MIQPS" learn --store "sqlite:$tmp/store" --via "unix:$tmp/learn.sock" \
        --rate 0 paint.example
    "$MIQPS" map --store "sqlite:$tmp/store" > "$tmp/map.json"
    cat "$tmp/map.json"
    "$MIQPS" compile "$tmp/map.json" -o "$tmp/map.image"
}

clean() {
    got=$("$MIQPS" normalize --map "$tmp/map.image" "https://paint.example$1")
    echo "$got"
    [ "$got" = "https://paint.example$2" ]
}

cheap() {
    fetches=$(wc -l < "$tmp/learn.log")
    echo "$fetches fetches"
    [ "$fetches" -le 300 ]
}

result 'a site whose colors are numbers and words is learned' learn
result 'a number becomes the word' clean '/shade/1/7?utm_source=x' \
    '/shade/red/7'
result 'a word stays' clean '/shade/blue/7' '/shade/blue/7'
result 'so does a number whose page is another one' clean '/shade/9/7' \
    '/shade/9/7'
result 'and one that nobody has seen' clean '/shade/8/7' '/shade/8/7'
result 'numbers elsewhere are numbers' clean '/plain/3/7' '/plain/3/7'
result 'so are those of parameters' clean '/paint?color=3&id=7&utm_source=x' \
    '/paint?color=3&id=7'
result 'it took no more fetches than it may' cheap
result 'nginx has nothing to complain about' nginx_quiet
finish
