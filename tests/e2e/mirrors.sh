#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Hosts of one site, of which some show the pages of another one: which of them
# "miqps learn" takes for mirrors, what that costs, and what becomes of it.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/servers.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

# www is asked for most; m and shop are mirrors of it, with clocks, and pages
# declare shop to be the right one; de is another language, old has other lists,
# parked shows one page only, and help is asked for names that www is never
# asked for

nginx_start <<END
    default_type text/html;
    log_format learner '\$http_host \$request_uri';

    map \$http_host \$tongue {
        de.site.example      'das ist eine andere Sprache mit eigenen Worten';
        default              'this is the language of the site with its words';
    }

    map \$http_host \$lists {
        old.site.example     'as they were before somebody put them in order';
        default              'in the order in which they are now';
    }

    server {
        listen unix:$tmp/site.sock;
        miqps off;

        set \$head '<!doctype html><img src="https://\$http_host/logo.png">';
        set \$clock '<p>at \$msec, request \$connection_requests</p>';

        location ~ ^/item/(\d+)$ {
            set \$n \$1;
            if (\$http_host = parked.site.example) { rewrite ^ /parked last; }
            return 200 '\$head<title>Item \$n</title><h1>Item \$n</h1>
                <p>\$tongue, item \$n of many items that there are here</p>
                \$clock';
        }

        location = /list {
            if (\$http_host = parked.site.example) { rewrite ^ /parked last; }
            return 200 '\$head<title>List \$arg_cat</title><h1>List \$arg_cat
                </h1><p>\$tongue \$lists, list \$arg_cat, page \$arg_page</p>
                \$clock';
        }

        location = /declared {
            return 200 '\$head<title>Declared \$arg_id</title>
                <link rel=canonical
                      href="https://shop.site.example/declared?id=\$arg_id">
                <p>\$tongue, number \$arg_id of those that are declared</p>
                \$clock';
        }

        location = /parked {
            return 200 '\$head<title>Parked</title><h1>Parked</h1><p>\$tongue,
                and there is nothing else to be seen on this host</p>';
        }
    }

    $(learner)
END

# urls HOST N

urls() {
    for i in $(seq "$2"); do
        echo "https://$1/item/$i?utm_source=u$i"
        echo "https://$1/list?cat=$((i % 7))&page=$((i % 5))&ref=r$i"
    done
}

{
    urls www.site.example 60
    urls m.site.example 30
    urls de.site.example 30
    urls old.site.example 30
    urls parked.site.example 30
    for i in $(seq 20); do
        echo "https://www.site.example/declared?id=$i&ref=a$i"
        echo "https://shop.site.example/declared?id=$i&ref=b$i"
        echo "https://help.site.example/item/$i?topic=t$i"
    done
} > "$tmp/urls"

"$MIQPS" ingest --quiet --store "sqlite:$tmp/store" "$tmp/urls"

learn() {
    "$MIQPS" learn --store "sqlite:$tmp/store" --via "unix:$tmp/learn.sock" \
        --rate 0 "$@" '*.site.example' > "$tmp/learned"
    cat "$tmp/learned"
}

is() {
    grep -q "^$1  mirror of www.site.example " "$tmp/learned"
}

is_not() {
    grep "^$1 " "$tmp/learned" | grep -vq 'mirror of'
}

result 'all hosts are learned' learn
result 'a host with the same pages is a mirror' is m.site.example
result 'so is one that pages declare to be the right one' is shop.site.example
result 'the host that is asked for most is none' is_not www.site.example
result 'another language is none' is_not de.site.example
result 'nor is a host with other lists' is_not old.site.example
result 'nor one that has one page only' is_not parked.site.example
result 'nor one with names that the other does not have' is_not \
    help.site.example

cheap() {
    fetches=$(sed -n 's/^m.site.example .*fetches \([0-9]*\).*/\1/p' \
                  "$tmp/learned")
    echo "$fetches fetches"
    [ "$fetches" -lt 70 ]
}

result 'a mirror is learned with few fetches' cheap

map() {
    "$MIQPS" map --store "sqlite:$tmp/store" > "$tmp/map.json"
    cat "$tmp/map.json"
    "$MIQPS" compile "$tmp/map.json" -o "$tmp/map.image"
    [ "$(wc -l < "$tmp/map.json")" -eq 5 ]
    "$MIQPS" map --store "sqlite:$tmp/store" m.site.example > "$tmp/m.json"
    grep -q '^{"host":"www.site.example".*"hosts":\["m.site.example","shop' \
        "$tmp/m.json"
}

# clean URL WANTED

clean() {
    got=$("$MIQPS" normalize --map "$tmp/map.image" "$1")
    echo "$got"
    [ "$got" = "$2" ]
}

result 'it is in the line of the other one' map
result 'what was learned there holds here' clean \
    'https://m.site.example/list?cat=3&page=2&ref=x' \
    'https://www.site.example/list?cat=3&page=2'
result 'where pages declare to be is left to them' clean \
    'https://shop.site.example/declared?id=3&ref=x' \
    'https://shop.site.example/declared?id=3'
result 'what is no mirror has its own' clean \
    'https://de.site.example/list?cat=3&page=2&ref=x' \
    'https://de.site.example/list?cat=3&page=2'

explained() {
    "$MIQPS" explain --pairs 1 --store "sqlite:$tmp/store" \
        'https://m.site.example/list?cat=3&page=2&ref=x' > "$tmp/why"
    cat "$tmp/why"
    grep -q '^m.site.example shows the pages of www.site.example$' "$tmp/why"
    grep -q '^neutral  *ref' "$tmp/why"
}

result 'it is explained' explained

without() {
    learn --without mirrors
    ! grep 'mirror of' "$tmp/learned"
}

due() {
    "$MIQPS" cycle --store "sqlite:$tmp/store" --map "$tmp/map.image" \
        --dry-run --all > "$tmp/due" 2>&1 || { cat "$tmp/due"; return 1; }
    cat "$tmp/due"
    ! grep 'site.example .*due' "$tmp/due"
}

result 'a mirror is not due because it has no names of its own' due
result 'it can be left out' without
result 'nginx has nothing to complain about' nginx_quiet
finish
