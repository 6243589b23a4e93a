#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# What "make install" leaves, what "make deps" says where it cannot help, and
# that the built-in rules are compiled in as they are written.

set -eu

cd "$(dirname "$0")/../.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tests=0
failed=0


# result NAME COMMAND...

result() {
    name=$1
    shift
    tests=$((tests + 1))

    if "$@" > "$tmp/said" 2>&1; then
        echo "ok $tests - $name"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $name"
        sed 's/^/# /' "$tmp/said"
    fi
}


# --- make install

installed() {
    ${MAKE:-make} -s install DESTDIR="$tmp/root" prefix=/usr &&
        (cd "$tmp/root" && find . -type f | sort) > "$tmp/files" &&
        cat > "$tmp/wanted" <<END &&
./usr/bin/miqps
./usr/share/bash-completion/completions/miqps
$(for page in learner/man/*.1; do echo "./usr/share/man/man1/${page##*/}"; done)
$(for page in learner/man/*.5; do echo "./usr/share/man/man5/${page##*/}"; done)
END
        diff "$tmp/wanted" "$tmp/files"
}

runs() {
    version=$(sed -n 's/^#define MIQPS_VERSION *"\(.*\)"/\1/p' learner/learn.h)
    [ -n "$version" ] &&
        [ "$("$tmp/root/usr/bin/miqps" --version)" = "miqps $version" ] &&
        grep -q "^Changes with ngx_miqps $version " CHANGES
}

result 'make install puts every file into its place' installed
result 'the program tells the version that CHANGES does' runs


# --- make deps, on a system that it does not know

mkdir "$tmp/bin"

for tool in sh awk cat cut dirname id paste sed tr; do
    ln -s "$(command -v $tool)" "$tmp/bin/"
done

printf 'ID="plan9"\nVERSION_ID=4\n' > "$tmp/os"

elsewhere() {
    ! PATH=$tmp/bin OS_RELEASE=$tmp/os tests/deps build > "$tmp/out" 2>&1 &&
        [ "$(wc -l < "$tmp/out")" -eq 1 ] &&
        grep "not Debian 12 or 13 but 'plan9 4'" "$tmp/out" &&
        grep 'build-essential pkg-config libpcre2-dev libcjson-dev' "$tmp/out"
}

complete() {
    OS_RELEASE=$tmp/os tests/deps build
}

missing() {
    ! PATH=$tmp/bin tests/deps --missing build > "$tmp/out" 2>&1 &&
        [ "$(wc -l < "$tmp/out")" -eq 1 ] &&
        grep "missing: .*libxxhash-dev; 'make deps' installs" "$tmp/out"
}

wrong_level() {
    rc=0
    tests/deps everything || rc=$?
    [ $rc -eq 2 ]
}

result 'deps says in one line what to install on another system' elsewhere
result 'deps is content on another system where all is there' complete
result 'make says in one line what is missing' missing
result 'deps refuses a level it does not know' wrong_level


# --- the built-in rules

embedded() {
    sh src/rules/embed.sh "$1" > "$tmp/a.h" &&
        sed -n 's/^    0x/0x/p' "$tmp/a.h" | tr ',' '\n' |
        awk -F x '/x/ {
            high = index("0123456789abcdef", substr($2, 1, 1)) - 1
            low = index("0123456789abcdef", substr($2, 2, 1)) - 1
            printf "%03o\n", high * 16 + low
        }' | while read -r octal; do
            # shellcheck disable=SC2059
            printf "\\$octal"
        done | cmp - "$1"
}

all_bytes() {
    # shellcheck disable=SC2059
    awk 'BEGIN { for (i = 0; i < 256; i++) printf "\\%03o", i }' |
        { read -r bytes; printf "$bytes"; } > "$tmp/bytes"
    [ "$(wc -c < "$tmp/bytes")" -eq 256 ] && embedded "$tmp/bytes"
}

refused() {
    : > "$tmp/empty"
    ! sh src/rules/embed.sh "$tmp/empty" && ! sh src/rules/embed.sh "$tmp/none"
}

result 'the array holds the bytes of builtin.json' embedded src/rules/builtin.json
result 'the array holds any bytes' all_bytes
result 'a file that is empty or missing is refused' refused

echo "1..$tests"
[ "$failed" -eq 0 ]
