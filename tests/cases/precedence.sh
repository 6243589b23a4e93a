#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Who wins, in every combination.  Seven kinds of rules can speak of a name;
# there are 128 names, one for each set of kinds that do, and its bits say
# which:
#
#     n1011001    kept by the operator (first bit), kept by the rules (third),
#                 kept by the platform (fourth), excepted (seventh)
#
# All names are asked for with rules as names, wildcards and expressions, held
# everywhere and on one site, without a platform, with one, and with a strict
# one, with tracking and without.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

tests=0
failed=0

awk 'BEGIN {
    for (i = 0; i < 128; i++) {
        name = ""

        for (rest = i; length(name) < 7; rest = int(rest / 2)) {
            name = rest % 2 name
        }

        print "n" name
    }
}' > "$tmp/names"


# texts KIND BIT: the texts of the rules of a bit, one a line

texts() {
    awk -v kind="$1" -v bit="$2" '
        substr($0, bit + 1, 1) == "1" {
            print kind == "names" ? $0 : kind == "wildcards" ? $0 "*" : \
                  "~^" $0 "$"
        }' "$tmp/names"
}

list() {
    texts "$1" "$2" | sed 's/.*/"&"/' | paste -sd, -
}


# rules KIND WHERE PLATFORM: the text of a rules file

rules() {
    own="\"keep\": [$(list "$1" 3)], \"strip\": [$(list "$1" 5)],
         \"except\": [$(list "$1" 7)]"

    echo '{ "version": 1,'
    echo "\"platforms\": {\"own\": {\"title\": \"Own\","
    echo "  \"keep\": [$(list "$1" 4)]}},"
    echo "\"tracking\": [$(texts "$1" 6 |
        sed 's/.*/{"name": "&", "vendor": "V"}/' | paste -sd, -)],"

    if [ "$2" = everywhere ]; then
        echo "$own }"
        return
    fi

    case $3 in
        own)    own="$own, \"platforms\": [\"own\"]" ;;
        strict) own="$own, \"platforms\": [\"own\"], \"strict\": true" ;;
    esac

    echo "\"sites\": [{\"hosts\": [\"x.example\"], $own}] }"
}


# the precedence, said once more

expected() {
    awk -v platform="$1" -v tracking="$2" '
        {
            for (i = 1; i <= 7; i++) {
                is[i] = substr($0, i + 1, 1) == "1"
            }

            is[4] = is[4] && platform != "none"
            is[6] = is[6] && tracking == "on"

            if (is[1]) {
                stays = 1
            } else if (is[2]) {
                stays = 0
            } else if (is[3] || is[4]) {
                stays = 1
            } else if (platform == "strict") {
                stays = 0
            } else if (is[5] || is[6]) {
                stays = is[7]
            } else {
                stays = 1
            }

            print "http://x.example/" (stays ? "?" $0 "=1" : "")
        }' "$tmp/names"
}


for kind in names wildcards expressions; do
    for where in everywhere site; do
        for platform in none own strict; do
            for tracking in off on; do

                rules "$kind" "$where" "$platform" > "$tmp/rules"
                expected "$platform" "$tracking" > "$tmp/want"

                set -- --rules "$tmp/rules"

                for text in $(texts "$kind" 1); do
                    set -- "$@" --keep "$text"
                done

                for text in $(texts "$kind" 2); do
                    set -- "$@" --strip "$text"
                done

                case $where,$platform in
                    everywhere,own)    set -- "$@" --platform own ;;
                    everywhere,strict) set -- "$@" --platform own,strict ;;
                esac

                [ "$tracking" = off ] || set -- "$@" --tracking

                tests=$((tests + 1))

                if sed 's,.*,http://x.example/?&=1,' "$tmp/names" |
                       "$MIQPS" normalize "$@" 2>&1 |
                       diff "$tmp/want" - > "$tmp/diff"
                then
                    printf 'ok'
                else
                    failed=$((failed + 1))
                    printf 'not ok'
                fi

                echo " $tests - 128 combinations of rules, $kind, $where," \
                     "platform $platform, tracking $tracking"
                head -n 20 "$tmp/diff" | sed 's/^/# /'
            done
        done
    done
done

echo "1..$tests"
[ "$failed" -eq 0 ]
