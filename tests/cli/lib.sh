# Copyright (C) the ngx_miqps authors
#
# shellcheck shell=sh
# shellcheck disable=SC2154
#
# The program, run and looked at.  Who reads this has $MIQPS and $tmp.

tests=0
failed=0
rc=0

# run ARGUMENT...: sets $rc, $tmp/out, $tmp/err; reads $tmp/in

: > "$tmp/in"

run() {
    rc=0
    "$MIQPS" "$@" < "$tmp/in" > "$tmp/out" 2> "$tmp/err" || rc=$?
}

# result STATUS NAME: a failure shows what was wanted and what came

result() {
    tests=$((tests + 1))

    if [ "$1" -eq 0 ]; then
        echo "ok $tests - $2"
        return
    fi

    failed=$((failed + 1))
    echo "not ok $tests - $2"
    echo "# exit code $rc"

    for file in want out err; do
        if [ -s "$tmp/$file" ]; then
            echo "# $file:"
            head -c 2000 "$tmp/$file" | head -n 20 | sed 's/^/#   /'
            echo
        fi
    done
}

# prints NAME WANTED: the last run ended well, with just this output

prints() {
    printf '%s\n' "$2" > "$tmp/want"
    status=0
    { [ "$rc" -eq 0 ] && cmp -s "$tmp/want" "$tmp/out" &&
          [ ! -s "$tmp/err" ]; } || status=1
    result $status "$1"
}

# silent NAME: the last run ended well and printed nothing

silent() {
    : > "$tmp/want"
    status=0
    { [ "$rc" -eq 0 ] && [ ! -s "$tmp/out" ] && [ ! -s "$tmp/err" ]; } ||
        status=1
    result $status "$1"
}

# fails NAME CODE PATTERN: it ended so, and one line of complaint has this

fails() {
    printf '%s\n' "$3" > "$tmp/want"
    status=0
    { [ "$rc" -eq "$2" ] && [ "$(wc -l < "$tmp/err")" -eq 1 ] &&
          grep -q "$3" "$tmp/err"; } || status=1
    result $status "$1"
}

# rows NAME SQL WANTED: what the store has

rows() {
    printf '%s\n' "$3" > "$tmp/want"
    python3 tests/support/store_sql.py "$store" "$2" > "$tmp/out" \
        2> "$tmp/err" || true
    status=0
    cmp -s "$tmp/want" "$tmp/out" || status=1
    result $status "$1"
}
