#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps learn", as it is by default, and two sites whose truth is known: a shop
# with parameters of all kinds, and a newspaper whose pages have several paths,
# with and without noise.  What is learned, what that costs, that noise makes no
# other map, and that kills and limits do no harm.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/servers.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

noises='clock counter token advert rotate time echo cookie tick made shuffle
        cells'
# shellcheck disable=SC2086
all=$(echo $noises | tr ' ' ,)

case ${TEST_LEVEL:-check} in
    check) alone=seldom kills=6 limit=8 window=2 samples=10 ;;
    *)     alone="$noises seldom" kills=50 limit=100 window=20
           samples='10 20' ;;
esac

php_start

nginx_start <<END
    default_type text/html;
    log_format learner '\$request|\$status';

    $(shop shop-quiet '')
    $(shop shop-noisy "$all")
    $(shop shop-limited '' "$limit" "$window")
    $(press press-quiet '')
    $(press press-noisy "$all")
    $(for noise in $alone; do
          shop "shop-$noise" "$noise"
          press "press-$noise" "$noise"
      done)
END

expected='connect\(\) to unix:.*nobody.site failed'

python3 tests/site/traffic.py 1700 > "$tmp/shop.urls"
python3 tests/site/traffic.py --truth 1700 > "$tmp/shop.truth"
python3 tests/site/press.py 1700 > "$tmp/press.urls"
python3 tests/site/press.py --truth 1700 > "$tmp/press.truth"

for kind in shop press; do
    "$MIQPS" ingest --quiet --store "sqlite:$tmp/$kind.db" "$tmp/$kind.urls"
done

# learn SITE [NAME OPTION...]: a run of its own, by that name, and its score

learn() {
    site=$1
    run=${2:-$1}
    kind=${site%%-*}
    [ $# -lt 2 ] || shift
    shift

    cp "$tmp/$kind.db" "$tmp/$run.db"
    "$MIQPS" learn --store "sqlite:$tmp/$run.db" --rate 0 \
        --via "unix:$tmp/$site.learn" "$@" "$kind.example" > "$tmp/$run.out"
    score "$kind" "$run"
}

score() {
    "$MIQPS" map --store "sqlite:$tmp/$2.db" > "$tmp/$2.json"
    "$MIQPS" compile "$tmp/$2.json" -o "$tmp/$2.image" > /dev/null
    "$MIQPS" show "$tmp/$2.image" | sed 's/"time":[0-9]*//' > "$tmp/$2.map"
    "$MIQPS" eval --truth "$tmp/$1.truth" --map "$tmp/$2.image" --sort --json \
        --store "sqlite:$tmp/$2.db" > "$tmp/$2.score"
}

# number NAME KEY...: of its score

number() {
    of=$1
    shift
    python3 tests/support/json_number.py "$tmp/$of.score" "$@"
}

tell() {
    echo "$1: $(number "$1" fetches) fetches, $(number "$1" dup_reduction) of" \
        "the duplicates gone, $(number "$1" wrong_merges) wrong merges"
}


# --- they mostly wait: all at once, but not more than the machine can bear

pids=
n=0

for kind in shop press; do
    for how in quiet noisy $alone; do
        learn "$kind-$how" &
        pids="$pids $!"
        n=$((n + 1))

        if [ $((n % 6)) -eq 0 ]; then
            # shellcheck disable=SC2086
            wait $pids
            pids=
        fi
    done
done

learn shop-limited &
pids="$pids $!"

# shellcheck disable=SC2086
wait $pids


# --- what is learned

# right NAME: nothing that matters is gone, and all that may go

right() {
    tell "$1"
    [ "$(number "$1" wrong_merges)" -eq 0 ]
    [ "$(number "$1" misled urls)" -eq 0 ]
    [ "$(number "$1" params matters stripped)" -eq 0 ]
    [ "$(number "$1" pages_lost)" -eq 0 ]
    awk -v gone="$(number "$1" dup_reduction)" 'BEGIN { exit gone < 0.95 }'
    [ "$(number "$1" fetches)" -le 300 ]
}

quiet() {
    right shop-quiet
    right press-quiet
}

noisy() {
    right shop-noisy
    right press-noisy
}

same() {
    for kind in shop press; do
        for how in noisy $alone; do
            right "$kind-$how"
            cmp "$tmp/$kind-$how.map" "$tmp/$kind-quiet.map"
        done
    done
}

result 'sites are learned with few fetches, and nothing is wrong' quiet
result 'the same with all noise there is' noisy
result 'noise makes no other map' same

fewer() {
    for kind in shop press; do
        for n in $samples; do
            learn "$kind-quiet" "$kind-paper$n" --algorithm paper \
                --samples "$n"
            tell "$kind-paper$n"
            [ $((3 * $(number "$kind-quiet" fetches))) -le \
                "$(number "$kind-paper$n" fetches)" ]
        done
    done
}

beside() {
    "$MIQPS" eval --truth "$tmp/press.truth" --tracking --sort --json \
        > "$tmp/list.score"
    echo "a list of trackers: $(number list dup_reduction)"
    tell press-quiet
    awk -v list="$(number list dup_reduction)" \
        -v ours="$(number press-quiet dup_reduction)" \
        -v paper="$(number press-paper10 dup_reduction)" \
        'BEGIN { exit list >= ours || paper >= ours }'
}

result 'the published algorithm fetches three times as much' fewer
result 'neither it nor a list of trackers finds as much' beside


# --- what is served, and why

becomes() {
    got=$("$MIQPS" normalize --map "$tmp/$1.image" "$2")
    [ "$got" = "$3" ] || { echo "$2 became $got, not $3"; return 1; }
}

served() {
    p=https://press.example
    becomes press-quiet "$p/s/0123456789abcdef/news/7/some-words-12" \
        "$p/news/7"
    becomes press-quiet "$p/story.php?cid=1&id=7" "$p/news/7"
    becomes press-quiet "$p/s/0123456789abcdef/katalog/8" "$p/catalog/8"
    becomes press-quiet "$p/tag/red/index.html?page=1" "$p/tag/red"
    becomes press-quiet "$p/tag/red/?page=2" "$p/tag/red?page=2"

    # what only looks like it

    for url in de/8 v2/8 print/17 media/0123456789abcdef 'doc/8?v=2'; do
        becomes press-quiet "$p/$url" "$p/$url"
    done

    s=https://shop.example
    becomes shop-quiet "$s/category.php?cat=c1&page=2&trk=x" \
        "$s/category.php?cat=c1&page=2"
    becomes shop-quiet "$s/product.php?id=5&color=red" "$s/product.php?id=5"
    becomes shop-quiet "$s/product.php?id=5&color=blue" \
        "$s/product.php?id=5&color=blue"

    # a name matters on one path, and on another one it does not

    becomes shop-quiet "$s/product.php?id=5&ref=9" "$s/product.php?id=5"
    becomes shop-quiet "$s/compare.php?ref=9" "$s/compare.php?ref=9"

    # one of two names for a thing is enough, and one stays

    got=$("$MIQPS" normalize --map "$tmp/shop-quiet.image" \
              "$s/item.php?id=5&pid=5")
    echo "$got"
    echo "$got" | grep -q '[?&]p\{0,1\}id=5'
}

explained() {
    "$MIQPS" explain --store "sqlite:$tmp/press-quiet.db" \
        'https://press.example/tag/red/?cid=1&page=2' > "$tmp/why"
    cat "$tmp/why"
    grep -q '^neutral *cid' "$tmp/why"
    grep -q '^\(default\|matters\) *page' "$tmp/why"
}

# Pages that were fetched are known by what they show, and rules can be learned
# from them by other methods.  Which pages these are depends on the store's key,
# so that this is what any of them tell.

clustered() {
    "$MIQPS" rules --store "sqlite:$tmp/press-quiet.db" --map \
        > "$tmp/clustered.json"
    cat "$tmp/clustered.json"
    "$MIQPS" compile "$tmp/clustered.json" -o "$tmp/clustered.image" \
        > /dev/null
    p=https://press.example
    becomes clustered "$p/tag/amber?page=2" "$p/tag/amber?page=2"
    becomes clustered "$p/katalog/8" "$p/catalog/8"
    "$MIQPS" rules --tree --store "sqlite:$tmp/press-quiet.db" press.example \
        > "$tmp/tree"
    cat "$tmp/tree"
    head -n 1 "$tmp/tree" | grep -q '^ *[0-9]* *https://press.example'
    ! "$MIQPS" rules --store "sqlite:$tmp/press-quiet.db" nobody.example
}

result 'maps do what was learned' served
result 'it is explained' explained
result 'other methods learn from what was fetched, too' clustered


# --- limits and kills

limited() {
    right shop-limited
    cmp "$tmp/shop-limited.map" "$tmp/shop-quiet.map"
    n=$(grep -c '|429' "$tmp/shop-limited.log")
    echo "$n of $(wc -l < "$tmp/shop-limited.log") were limited"
    [ "$n" -gt 0 ]
}

goes_on() {
    cp "$tmp/press.db" "$tmp/killed.db"
    i=0

    while [ $i -lt "$kills" ]; do
        i=$((i + 1))
        "$MIQPS" learn --store "sqlite:$tmp/killed.db" --quiet --rate 60 \
            --via "unix:$tmp/press-quiet.learn" press.example &
        pid=$!
        sleep "0.$(awk -v seed=$i 'BEGIN { srand(seed)
                                           printf "%03d", rand() * 900 }')"
        kill -9 $pid 2>/dev/null || true
        wait $pid 2>/dev/null || true
    done

    "$MIQPS" learn --store "sqlite:$tmp/killed.db" --quiet --rate 0 \
        --via "unix:$tmp/press-quiet.learn" press.example
    score press killed
    right killed
    cmp "$tmp/killed.map" "$tmp/press-quiet.map"
    [ "$(python3 tests/support/store_sql.py "$tmp/killed.db" \
             'SELECT count(*) FROM runs')" -eq 1 ]
}

result 'a site with a limit is learned to its end' limited
result "after $kills kills it ends, with one run and the same map" goes_on


# --- parts that are left out

left_out() {
    learn press-quiet press-bare --without paths,defaults,joint
    tell press-bare
    grep -q '"without":\["joint","defaults","paths"\]' "$tmp/press-bare.json"
    [ "$(grep -c '"rules"' "$tmp/press-bare.json")" -eq 0 ]
    [ "$(grep -c '"defaults"' "$tmp/press-bare.map")" -eq 0 ]
    [ "$(number press-bare wrong_merges)" -eq 0 ]
}

refused() {
    for words in '--algorithm none' '--without everything' '--samples 7' \
                 '--content-id body' '--algorithm paper --fetches 7'
    do
        rc=0
        # shellcheck disable=SC2086
        "$MIQPS" learn --store "sqlite:$tmp/press.db" $words \
            --via "unix:$tmp/press-quiet.learn" press.example \
            2> "$tmp/err" || rc=$?
        cat "$tmp/err"
        [ "$rc" -eq 2 ]
        grep -q '^miqps: learn: ' "$tmp/err"
    done
}

result 'parts can be left out' left_out
result 'what does not go together is refused' refused

result 'nginx has nothing to complain about' nginx_quiet
finish
