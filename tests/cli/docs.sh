#!/bin/bash

# Copyright (C) the ngx_miqps authors
#
# What is written about miqps is true: usage, manual and completion name the
# same commands, options and platforms, and the examples of manuals and README
# print what they say.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}
man=learner/man

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tests=0
failed=0


result() {
    tests=$((tests + 1))

    if [ "$1" -eq 0 ]; then
        echo "ok $tests - $2"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $2"
        sed 's/^/# /'
    fi
}


# same NAME FIRST SECOND: both lists hold the same words

same() {
    if diff <(sort -u <<< "$2") <(sort -u <<< "$3") > "$tmp/diff"; then
        [ -n "$2" ] && rc=0 || rc=1
    else
        rc=1
    fi

    result "$rc" "$1" < "$tmp/diff"
}


# --- where the words come from

words_of_usage() {
    "$MIQPS" "$1" --help |
        grep -oE '(^|[[ ,|])(--[a-z][a-z-]*|-[a-z])\>' | tr -d '[ ,|'
}

words_of_manual() {
    grep '^\.It Fl ' "$man/miqps-$1.1" | grep -oE 'Fl -?[a-z][a-z-]*' |
        sed 's/^Fl /-/'
}

words_of_synopsis() {
    sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "$man/miqps-$1.1" |
        grep -oE '(Fl|\|) -?[a-z][a-z-]*' | sed -E 's/^[^ ]+ /-/'
}

# what the completion offers behind the words given; the last is completed

words_of_completion() {
    bash -c '
        compopt() { :; }
        . learner/completion/miqps.bash
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _miqps
        printf "%s\n" "${COMPREPLY[@]}"' sh miqps "$@"
}

builtin_platforms() {
    python3 -c '
import json
print("\n".join(json.load(open("src/rules/builtin.json"))["platforms"]))'
}


# --- the words agree

commands=$("$MIQPS" --help | sed -nE 's/^  ([a-z]+)  .*/\1/p')

same 'the manual describes every command' "$commands"$'\nhelp' \
    "$(sed -nE 's/^\.It Cm ([a-z]+)$/\1/p' $man/miqps.1)"

same 'the completion knows every command' "$commands"$'\nhelp' \
    "$(words_of_completion '' | grep -v '^-')"

same 'the completion knows what there is help for' "$commands" \
    "$(words_of_completion help '')"

for command in $commands; do
    options=$(words_of_usage "$command")

    same "the manual of $command describes every option" "$options" \
        "$(words_of_manual "$command")"

    options=$(grep '^--' <<< "$options" || true)

    same "the synopsis of $command names every option" "$options" \
        "$(words_of_synopsis "$command"; echo --help)"

    same "the completion of $command knows every option" "$options" \
        "$(words_of_completion "$command" -)"

    same "help $command prints what $command --help does" \
        "$("$MIQPS" help "$command")" "$("$MIQPS" "$command" --help)"
done

same 'the manual names the platforms' "$(builtin_platforms)" \
    "$(sed -n '/^\.It Fl -platform/,/^\.Cm strict/p' $man/miqps-normalize.1 |
        sed -nE 's/^\.Cm ([a-z]+).*/\1/p' | grep -v strict)"

same 'the completion knows the platforms' "$(builtin_platforms)"$'\nstrict' \
    "$(words_of_completion normalize --platform '')"

same 'the completion goes on after a comma' shopify,strict \
    "$(words_of_completion normalize --platform shopify,str)"

guard=$(sed -n '/^miqps_guard_name(/,/^}/p' src/core/miqps_guard.c |
            grep -oE '"[a-z-]+"' | tr -d '"' | grep -v '^pass$')

same 'the manual names every reason to leave a query whole' "$guard" \
    "$(sed -n '/^\.Ss Queries/,/^\.Ss JSON/p' $man/miqps-normalize.1 |
        sed -nE 's/^\.It Cm ([a-z-]+)$/\1/p')"

same 'README names every reason to leave a query whole' "$guard" \
    "$(sed -n '/^## What is never touched/,/^## Rules/p' README.md |
        sed -nE 's/^\| [^a-z]([a-z-]+)[^a-z] \|.*/\1/p')"


# --- examples: "$ command" and the lines it prints, up to a blank line or the
# next command

examples() {
    awk -v out="$tmp/example" -v prefix="$1" '
        /^ *```/ || /^ *$/ {
            inside = 0
            next
        }

        match($0, /^ *\$ /) {
            indent = RLENGTH - 2
            file = sprintf("%s.%s.%02d", out, prefix, ++n)
            print substr($0, RLENGTH + 1) > (file ".cmd")
            printf "" > (file ".want")
            inside = 1
            next
        }

        inside {
            print substr($0, indent + 1) > (file ".want")
        }'
}

plain() {
    mandoc -T ascii "$1" | sed "s/.$(printf '\b')//g"
}

for page in "$man"/*.[15]; do
    plain "$page" | examples "$(basename "$page")"
done

examples README < README.md

# rules and maps that README shows, "This is `map.json`", and the manual's rules

awk -v dir="$tmp" '
    match($0, /`[a-z]+\.json`:$/) {
        file = dir "/" substr($0, RSTART + 1, RLENGTH - 3)
    }
    /^```json/ { on = 1; next }
    /^```/ { on = 0 }
    on { print > file }' README.md
plain $man/miqps-rules.5 |
    awk '/^ *\{$/ { on = 1 } /^SEE ALSO/ { on = 0 } on' > "$tmp/manual.json"

mkdir "$tmp/bin"
printf '#!/bin/sh\nexec %s "$@"\n' "$MIQPS" > "$tmp/bin/miqps"
chmod +x "$tmp/bin/miqps"

for file in "$tmp"/example.*.cmd; do
    want=${file%.cmd}.want

    (cd "$tmp" && PATH=$tmp/bin:$PATH sh "$file") > "$tmp/got" 2>&1 || true

    rc=0
    diff "$want" "$tmp/got" > "$tmp/diff" || rc=1
    result $rc "$(basename "$file" .cmd | sed -E 's/^example\.(.*)\..*/\1/'): $(
        cat "$file")" < "$tmp/diff"
done

for file in rules.json manual.json; do
    rc=0
    "$MIQPS" normalize --rules "$tmp/$file" / > "$tmp/got" 2>&1 || rc=1
    result $rc "the example of a rules file is one: $file" < "$tmp/got"
done

plain $man/miqps-map.5 |
    awk '/^EXAMPLES/ { on = 1; next } /^SEE ALSO/ { on = 0 } on' \
        > "$tmp/map.json"

rc=0
"$MIQPS" compile "$tmp/map.json" -o "$tmp/map.map" > "$tmp/got" 2>&1 || rc=1
result $rc 'the example of map source is one' < "$tmp/got"

echo "1..$tests"
[ "$failed" -eq 0 ]
