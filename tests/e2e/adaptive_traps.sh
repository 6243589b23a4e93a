#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps learn" and sites that mislead a learner: cookies of partners, pages
# that are others each time, names that matter on one page in five, lists in
# any order, paths that are nearly the same; and that it still learns what may
# go beside that.  See tests/site/traps.py.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/servers.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

# stores have keys of their own, and other pages are looked at for each of them

case ${TEST_LEVEL:-check} in
    check) stores=1 ;;
    *)     stores=6 ;;
esac

sites=${SITES:-$(python3 tests/site/traps.py names)}

spawn site python3 tests/site/traps.py serve "$tmp/site.sock"
wait_for test -S "$tmp/site.sock"

nginx_start <<END
    default_type text/html;
    log_format learner '\$http_host \$request_uri';

    $(learner)
END

# learn SITE STORE

learn() {
    of=$tmp/$1.$2

    "$MIQPS" ingest --quiet --store "sqlite:$of.db" "$tmp/$1.urls"

    for host in $(python3 tests/site/traps.py hosts "$1"); do
        "$MIQPS" learn --store "sqlite:$of.db" --rate 0 \
            --via "unix:$tmp/learn.sock" "$host" || true
    done > "$of.learned"

    # some have none, and that is right

    if grep -q '  neutral .*[0-9]$' "$of.learned"; then
        "$MIQPS" map --store "sqlite:$of.db" > "$of.json"
        "$MIQPS" compile "$of.json" -o "$of.image" > /dev/null
    fi
}


# --- they mostly wait: all at once, but not more than the machine can bear

pids=
n=0

for site in $sites; do
    python3 tests/site/traps.py urls "$site" > "$tmp/$site.urls"

    for store in $(seq "$stores"); do
        learn "$site" "$store" 2> "$tmp/$site.$store.err" &
        pids="$pids $!"
        n=$((n + 1))

        if [ $((n % 10)) -eq 0 ]; then
            # shellcheck disable=SC2086
            wait $pids
            pids=
        fi
    done
done

# the server is never waited for

# shellcheck disable=SC2086
[ -z "$pids" ] || wait $pids


# right SITE: nothing is gone that has to stay, nothing has stayed that must go

right() {
    rc=0

    for store in $(seq "$stores"); do
        cat "$tmp/$1.$store.err"
        python3 tests/site/traps.py check "$1" "$MIQPS" \
            "$tmp/$1.$store.image" || rc=1
        tail -n 1 "$tmp/$1.$store.learned"
    done

    return $rc
}

for site in $sites; do
    result "nobody is misled by '$site'" right "$site"
done

result 'nginx has nothing to complain about' nginx_quiet
finish
