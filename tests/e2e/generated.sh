#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Sites of the generator, learned by fetching: an origin shows the page of any
# URL, as the site would.  No two different pages may become one, over all the
# URLs of a site.  SITES are "SEED-NUMBER...", which are looked at.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/servers.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
generate=$(dirname "$MIQPS")/tests/sites/generate
urls=1700

if [ -z "${SITES-}" ]; then
    case ${TEST_LEVEL:-check} in
        check) SITES='1-3 1-7 2-12' ;;
        *)     SITES=$(for i in $(seq 20); do echo "$((i % 4 + 1))-$i"; done) ;;
    esac
fi

# sites of one number have one name: no number is there twice

set --

for one in $SITES; do
    options="--seed ${one%-*} --site ${one#*-} --urls $urls"
    domain=$(printf 'site%03u.example' "${one#*-}")

    # shellcheck disable=SC2086
    "$generate" $options > "$tmp/$one"
    cut -f 1 "$tmp/$one" > "$tmp/$one.urls"
    awk -F '\t' '{ print "page\t" $1 "\t" $3 }' "$tmp/$one" \
        > "$tmp/$one.truth"

    # shellcheck disable=SC2086
    "$generate" $options --forms > "$tmp/$one.forms"
    # shellcheck disable=SC2086
    "$generate" $options --serve < "$tmp/$one.urls" > "$tmp/$one.served"

    "$MIQPS" ingest --quiet --store "sqlite:$tmp/$one.db" "$tmp/$one.urls"
    set -- "$@" "$domain" "$generate $options --serve"
done

spawn origin python3 tests/e2e/generated.py "$tmp/site.sock" "$@"
wait_for test -S "$tmp/site.sock"

nginx_start <<END
    default_type text/html;
    log_format learner '\$http_host \$request_uri';

    $(learner)
END

number() {
    of=$1
    shift
    python3 tests/support/json_number.py "$tmp/$of.score" "$@"
}

learn() {
    "$MIQPS" learn --store "sqlite:$tmp/$1.db" --via "unix:$tmp/learn.sock" \
        --rate 0 --all > "$tmp/$1.out" 2>&1 || true
    "$MIQPS" map --store "sqlite:$tmp/$1.db" > "$tmp/$1.json"
    "$MIQPS" compile "$tmp/$1.json" -o "$tmp/$1.image" > /dev/null
    "$MIQPS" eval --truth "$tmp/$1.truth" --map "$tmp/$1.image" --sort --json \
        --store "sqlite:$tmp/$1.db" > "$tmp/$1.score"
}

# all at once, but not more than the machine can bear

pids=
n=0

for one in $SITES; do
    learn "$one" &
    pids="$pids $!"
    n=$((n + 1))

    if [ $((n % 4)) -eq 0 ]; then
        # shellcheck disable=SC2086
        wait $pids
        pids=
    fi
done

# shellcheck disable=SC2086
[ -z "$pids" ] || wait $pids

# what is left if all is undone is what the origin makes of the URL, too

undone() {
    cut -f 2 "$tmp/$1.forms" | cmp - "$tmp/$1.served"
}

right() {
    cat "$tmp/$1.score"
    [ "$(number "$1" wrong_merges)" -eq 0 ]
    [ "$(number "$1" misled urls)" -eq 0 ]
}

cheap() {
    cat "$tmp/$1.out"
    awk '{ for (i = 1; i < NF; i++)
               if ($i == "fetches" && $(i + 1) + 0 > 300) exit 1 }' "$tmp/$1.out"
}

for one in $SITES; do
    result "site $one is served as it was made" undone "$one"
    result "site $one: no two pages become one" right "$one"
    result "site $one: no host took more than 300 fetches" cheap "$one"
    echo "# $one: $(number "$one" dup_reduction) of the duplicates gone," \
        "$(number "$one" fetches) fetches"
done

result 'nginx has nothing to complain about' nginx_quiet
finish
