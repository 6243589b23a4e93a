#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# The command line of miqps and of "miqps normalize": what goes in and comes
# out, in which form, with which exit code, and one line for each complaint.
# What happens to a query is the business of tests/cases.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}
data=${TEST_DATA:-../shared/data}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

tests=0
failed=0
rc=0


# --- helpers

# run ARGUMENT...: standard input comes from $tmp/in; $rc, $tmp/out, $tmp/err

run() {
    rc=0
    "$MIQPS" "$@" < "$tmp/in" > "$tmp/out" 2> "$tmp/err" || rc=$?
}

# result STATUS NAME [FILE...]: a failure shows the files

result() {
    tests=$((tests + 1))
    status=$1
    name=$2
    shift 2

    if [ "$status" -eq 0 ]; then
        echo "ok $tests - $name"
        return
    fi

    failed=$((failed + 1))
    echo "not ok $tests - $name"

    for file in "$@"; do
        echo "# $(basename "$file"):"
        head -c 2000 "$file" | head -n 20 | tr -c '\n -~' '?' | sed 's/^/#   /'
        echo
    done
}

# passes NAME COMMAND...

passes() {
    what=$1
    shift
    status=0
    "$@" > "$tmp/said" 2>&1 || status=$?
    result "$status" "$what" "$tmp/said" "$tmp/out" "$tmp/err"
}

# prints NAME WANTED: the last run ended well and printed this

prints() {
    printf '%s' "$2" > "$tmp/want"
    status=0

    cmp -s "$tmp/want" "$tmp/out" && [ "$rc" -eq 0 ] && [ ! -s "$tmp/err" ] ||
        status=1

    result "$status" "$1" "$tmp/want" "$tmp/out" "$tmp/err"
}

# says NAME CODE PATTERN: it ended so, with one line of complaint and no result

says() {
    status=0

    [ "$rc" -eq "$2" ] && [ ! -s "$tmp/out" ] &&
        [ "$(wc -l < "$tmp/err")" -eq 1 ] && grep -q '^miqps: ' "$tmp/err" &&
        grep -q -e "$3" "$tmp/err" || status=1

    [ "$status" -eq 0 ] || echo "exit code $rc, '$3' wanted" > "$tmp/said"
    [ "$status" -ne 0 ] || : > "$tmp/said"
    result "$status" "$1" "$tmp/said" "$tmp/out" "$tmp/err"
}

skip() {
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

lines() {
    wc -l < "$1" | tr -d ' '
}

# each line is an object as promised; UTF-8 is checked on the way

json_ok() {
    python3 - "$1" <<'END'
import json, sys

layers = ('operator', 'rules', 'platform', 'regex', 'map', 'tracking',
          'guard', 'default')

with open(sys.argv[1], 'rb') as f:
    for n, line in enumerate(f, 1):
        o = json.loads(line.decode('utf-8'))

        if 'error' in o:
            assert o['error'] == 'not a URL' and o['url'] == o['result'], n
            continue

        assert set(o) == {'url', 'result', 'changed', 'opaque', 'params'}, n
        assert isinstance(o['changed'], bool), n
        assert o['opaque'] is None or isinstance(o['opaque'], str), n
        assert o['opaque'] is None or not o['changed'], n

        for p in o['params']:
            assert set(p) == {'name', 'verdict', 'layer', 'reason'}, n
            assert p['verdict'] in ('keep', 'strip'), n
            assert p['layer'] in layers and p['reason'], n
END
}

# the share, in hundredths of a percent, that --stats calls unsure

unsure() {
    sed -n 's/^unsure *[0-9]* *\([0-9]*\)\.\([0-9][0-9]\) %.*/\1\2/p' "$1"
}


# --- arguments and standard input

: > "$tmp/in"

run normalize --sort '/p?b=1&a=2' 'https://x.example/?d=1&c=2'
prints 'results of arguments come one a line, in order' '/p?a=2&b=1
https://x.example/?c=2&d=1
'

printf '/p?b=1&a=2\nhttps://x.example/?d=1&c=2\n' > "$tmp/in"

run normalize --sort
prints 'results of standard input come one a line, in order' '/p?a=2&b=1
https://x.example/?c=2&d=1
'

run normalize --sort '/q?b=1&a=2'
prints 'with arguments standard input is not read' '/q?a=2&b=1
'

run normalize
prints 'without options the order stays' '/p?b=1&a=2
https://x.example/?d=1&c=2
'

: > "$tmp/in"

run normalize
prints 'no input gives no output' ''

run normalize --sort --json
prints 'no input gives no JSON' ''

run normalize -- --sort
prints 'behind "--" there are no options' '--sort
'

run normalize ''
prints 'an empty argument is a line' '
'

awk 'BEGIN { for (i = 0; i < 20000; i++) print "/p?b=" i "&a=1" }' > "$tmp/in"
awk 'BEGIN { for (i = 0; i < 20000; i++) print "/p?a=1&b=" i }' > "$tmp/want"
run normalize --sort
passes '20,000 lines come in order' cmp "$tmp/want" "$tmp/out"

mkfifo "$tmp/fifo"
: > "$tmp/in"
printf '{"version": 1, "strip": ["a"]}\n' > "$tmp/fifo" &
run normalize --rules "$tmp/fifo" '/p?a=1&b=2'
wait
prints 'rules may come through a pipe' '/p?b=2
'

printf '{"version": 1, "strip": ["a"]}\n' > "$tmp/one.json"
printf '{"version": 1, "strip": ["b"]}\n' > "$tmp/two.json"
run normalize --rules "$tmp/one.json" --rules "$tmp/two.json" '/p?a=1&b=2&c=3'
prints 'several rules files add up' '/p?c=3
'

printf '{"version": 1, "platforms": {"own": {"title": "Own", "keep": ["a"]}}}\n' \
    > "$tmp/own.json"
run normalize --rules "$tmp/own.json" --platform own,strict '/p?a=1&b=2'
prints 'a platform of a rules file can be named behind it' '/p?a=1
'

run normalize --platform own,strict --rules "$tmp/own.json" '/p?a=1&b=2'
prints 'a platform of a rules file can be named before it' '/p?a=1
'


# --- lines of all kinds

printf '/p?b=1&a=2\r\nhttp://x.example/?b=%%61\r\n' > "$tmp/in"
run normalize --sort
printf '/p?a=2&b=1\r\nhttp://x.example/?b=a\r\n' > "$tmp/want"
passes 'the end of a line may have a carriage return, which stays' \
    cmp "$tmp/want" "$tmp/out"

printf '/p?b=1&a=2' > "$tmp/in"
run normalize --sort
prints 'the last line may have no end, and gets one' '/p?a=2&b=1
'

printf '\n\n/p?b=1&a=2\n\n' > "$tmp/in"
run normalize --sort
prints 'empty lines stay' '

/p?a=2&b=1

'

printf '\357\273\277http://x.example/?b=1&a=2\n' > "$tmp/in"
printf '\357\273\277http://x.example/?a=2&b=1\n' > "$tmp/want"
run normalize --sort
passes 'a byte order mark before the first line stays' \
    cmp "$tmp/want" "$tmp/out"

cat > "$tmp/in" <<'END'
hello?b=1&a=2
ftp://x.example/?b=1&a=2
http:/x?b=1&a=2
http:///x?b=1&a=2
https:x.example/?b=1&a=2
httpx://x.example/?b=1&a=2
javascript:alert(1)?b=1&a=2
mailto:me@x.example?b=1&a=2
?b=1&a=2
http://a b/?b=1&a=2
http://
//
 /p?b=1&a=2
http://[::1/?b=1&a=2
END
cp "$tmp/in" "$tmp/want"
run normalize --sort --strip a
passes 'what is not a URL stays as it is' cmp "$tmp/want" "$tmp/out"

run normalize --json
passes 'what is not a URL is an object with an error' \
    sh -c "[ \$(grep -c '\"error\":\"not a URL\"' '$tmp/out') -eq 14 ]"
passes '... which is JSON' json_ok "$tmp/out"

run normalize --strict
passes '... and makes the exit code 1 when that is asked for' [ "$rc" -eq 1 ]
passes '... with a line that counts' grep -q '^miqps: 14 of 14 ' "$tmp/err"
passes '... after all results' cmp "$tmp/want" "$tmp/out"

printf '/p?b=1&a=2\nHTTP://X/\n//x\nhttps://x?a\n/\n' > "$tmp/in"
run normalize --strict --sort
prints 'with URLs only the exit code is 0' '/p?a=2&b=1
HTTP://X/
//x
https://x?a
/
'

printf '/p?b=1\0&a=2\nx\0y\n/q?b=1&a=2\n' > "$tmp/in"
cp "$tmp/in" "$tmp/want"
run normalize --strip b
printf '/p?b=1\0&a=2\nx\0y\n/q?a=2\n' > "$tmp/want"
passes 'a NUL is a byte like others, and ends no line' \
    cmp "$tmp/want" "$tmp/out"

run normalize --json
passes '... and leaves the JSON valid' json_ok "$tmp/out"

printf '/p?b=\377&a=\300\257\n\377\376\n/p?\355\240\200=1&a=2\n' > "$tmp/in"
run normalize --sort --json
passes 'bytes that are not UTF-8 leave the JSON valid' json_ok "$tmp/out"
passes '... one object a line' [ "$(lines "$tmp/out")" -eq 3 ]

printf '/p?a="\\\\<\001\033[31m\177&b=1\n' > "$tmp/in"
run normalize --json
passes 'quotes, backslashes and control bytes leave the JSON valid' \
    json_ok "$tmp/out"

run normalize --explain
passes 'no control byte reaches a terminal' \
    sh -c "! LC_ALL=C grep -q '[[:cntrl:]]' '$tmp/out'"

# noise, the same every time
LC_ALL=C awk 'BEGIN {
    for (x = 1; i < 300000; i++) {
        x = (x * 16807) % 2147483647
        printf "%c", int(x / 2147483647 * 255) + 1
    }
}' > "$tmp/in"
cp "$tmp/in" "$tmp/noise"
run normalize --sort --tracking
passes 'noise does no harm' [ "$rc" -eq 0 ]
passes '... and gives a line for a line' \
    [ "$(lines "$tmp/out")" -eq "$(awk 'END { print NR }' "$tmp/noise")" ]
run normalize --json
passes '... and is JSON afterwards' json_ok "$tmp/out"
sed 's/^/\/p?/' "$tmp/noise" > "$tmp/in"
run normalize --sort --tracking
cp "$tmp/out" "$tmp/in"
cp "$tmp/out" "$tmp/want"
run normalize --sort --tracking
passes 'noise as a query is the same the second time' \
    cmp "$tmp/want" "$tmp/out"


# a repetition of a repetition that no look at the expression may find
{ printf '/p?a=1&'; awk 'BEGIN { while (i++ < 300) printf "utm" }'; echo '=1'; } \
    > "$tmp/in"
cp "$tmp/in" "$tmp/want"
passes 'an expression that never ends is refused, or ends and keeps' \
    timeout 10 sh -c "'$MIQPS' normalize --strip '~^(utm_?[a-z]*)*[0-9]\$' \
                          < '$tmp/in' > '$tmp/out' 2> '$tmp/err'
                      case \$? in
                          0) cmp '$tmp/want' '$tmp/out' ;;
                          2) [ ! -s '$tmp/out' ] ;;
                          *) exit 1 ;;
                      esac"


# --- long ones

# text LENGTH: so many letters
text() {
    awk -v n="$1" 'BEGIN { while (n-- > 0) printf "x"; }'
}

{ printf 'no URL '; text 1048576; echo; } > "$tmp/in"
cp "$tmp/in" "$tmp/want"
run normalize --sort
passes 'a line of 1 MiB that is not a URL stays' cmp "$tmp/want" "$tmp/out"

{ printf '/'; text 1048576; echo '?b=1&a=2'; } > "$tmp/in"
{ printf '/'; text 1048576; echo '?a=2&b=1'; } > "$tmp/want"
run normalize --sort
passes 'a path of 1 MiB is no reason not to sort' cmp "$tmp/want" "$tmp/out"

{ printf '/p?b=1&a='; text 1048576; echo; } > "$tmp/in"
cp "$tmp/in" "$tmp/want"
run normalize --sort --json
passes 'a query of 1 MiB is left alone' \
    grep -q '"opaque":"too-long"' "$tmp/out"
run normalize --sort
passes '... to the byte' cmp "$tmp/want" "$tmp/out"

{ printf 'http://'; text 300; echo '/?b=1&a=2'; } > "$tmp/in"
cp "$tmp/in" "$tmp/want"
run normalize --sort --strict
passes 'a host longer than hosts are makes no URL' cmp "$tmp/want" "$tmp/out"

awk 'BEGIN {
    printf "/p?"
    for (i = 900; i > 0; i--) printf "p%04d=%030d&", i, i
    print "a=1"
}' > "$tmp/in"
awk 'BEGIN {
    printf "/p?a=1"
    for (i = 1; i <= 900; i++) printf "&p%04d=%030d", i, i
    print ""
}' > "$tmp/want"
run normalize --sort
passes 'a URL of 32 KiB is sorted' cmp "$tmp/want" "$tmp/out"
passes '... and has 32 KiB' [ "$(wc -c < "$tmp/want")" -gt 32768 ]

awk 'BEGIN {
    for (k = 0; k < 100; k++) {
        printf "/p?"
        for (i = 10000; i > 0; i--) printf "p%d=%d&", i, k
        print "a=1"
    }
}' > "$tmp/in"
cp "$tmp/in" "$tmp/want"
run normalize --sort --tracking --strip '~^p1'
passes '10,000 parameters are left alone' cmp "$tmp/want" "$tmp/out"
passes '... a hundred times over in little time' \
    timeout 10 "$MIQPS" normalize --sort --tracking --strip '~^p1' < "$tmp/in"


# --- JSON, explanations, counts

cat > "$tmp/in" <<'END'
https://x.example/p?b=1&utm_source=y&a=%61#top
https://x.example/p?b=1;a=2
https://x.example/p
not a URL
END

run normalize --json --sort --tracking
passes 'each line of --json is an object' json_ok "$tmp/out"
passes '... and as many come as went in' [ "$(lines "$tmp/out")" -eq 4 ]

cat > "$tmp/want" <<'END'
https://x.example/p?a=a&b=1#top True None b:keep:default utm_source:strip:tracking a:keep:default
https://x.example/p?b=1;a=2 False semicolon b:keep:guard
https://x.example/p False None
not a URL not a URL
END
python3 -c '
import json, sys
for line in sys.stdin:
    o = json.loads(line)
    print(*([o["result"], o["error"]] if "error" in o else
            [o["result"], o["changed"], o["opaque"]]
            + [":".join((p["name"], p["verdict"], p["layer"]))
               for p in o["params"]]))
' < "$tmp/out" > "$tmp/got"
passes 'objects say result, change, reason, and parameters in order' \
    diff "$tmp/want" "$tmp/got"
passes 'a reason names vendor and rule' \
    grep -q '"reason":"Google[^}]*utm_\*' "$tmp/out"

run normalize --explain --sort --tracking
passes 'an explanation names result, verdicts, layers and reasons' \
    sh -c "grep -q 'https://x.example/p?a=a&b=1#top' '$tmp/out' &&
           grep -q 'strip *utm_source *tracking *Google' '$tmp/out' &&
           grep -q 'keep *b *default' '$tmp/out'"
passes '... says why something was left whole' \
    grep -q 'semicolon' "$tmp/out"
passes '... and what is not a URL' grep -q 'not a URL' "$tmp/out"

run normalize --explain --json
says 'one form of output at a time' 2 'json'

cat > "$tmp/in" <<'END'
/p?b=1&utm_source=y&fbclid=z&a=1
/p?b=1;a=2
/p?b=%
/p?session=1&a=1
/p
not a URL

END
run normalize --stats --tracking --strip session
sed 's/  */ /g' "$tmp/err" > "$tmp/stats"

for line in 'lines 7' 'not a URL 2' 'with a query 4' 'changed 2' \
            'stripped 3' ' by operator 1' ' by tracking 2' \
            'left whole 2 50.00 %' ' semicolon 1' ' escape 1' \
            'unsure 1 33.33 %'
do
    passes "--stats counts: $line" grep -q "^$line" "$tmp/stats"
done

passes '... to standard error, beside the results' \
    [ "$(lines "$tmp/out")" -eq 7 ]

run normalize --stats /p
passes 'counts without any query divide by nothing' \
    sh -c "[ $rc -eq 0 ] && ! grep -qi 'nan\|inf' '$tmp/err'"


# --- where it cannot read or write

if [ -w /dev/full ]; then
    rc=0
    "$MIQPS" normalize '/p?a=1' > /dev/full 2> "$tmp/err" || rc=$?
    : > "$tmp/out"
    says 'a full disk is a failure' 1 'cannot write'

    rc=0
    "$MIQPS" help > /dev/full 2> "$tmp/err" || rc=$?
    says '... for help, too' 1 'cannot write'

    rc=0
    "$MIQPS" --version > /dev/full 2> "$tmp/err" || rc=$?
    says '... and for the version' 1 'cannot write'

    awk 'BEGIN { for (i = 0; i < 100000; i++) print "/p?a=" i }' > "$tmp/in"
    rc=0
    "$MIQPS" normalize < "$tmp/in" > /dev/full 2> "$tmp/err" || rc=$?
    says '... said once, however much there is to write' 1 'cannot write'
else
    skip 'a full disk is a failure' 'there is no /dev/full'
fi

rc=0
"$MIQPS" normalize '/p?a=1' >&- 2> "$tmp/err" || rc=$?
: > "$tmp/out"
says 'a closed output is a failure' 1 'cannot write'

awk 'BEGIN { for (i = 0; i < 200000; i++) print "/p?a=" i }' > "$tmp/in"
{
    rc=0
    "$MIQPS" normalize < "$tmp/in" 2> /dev/null || rc=$?
    echo "$rc" > "$tmp/rc"
} | head -n 1 > /dev/null
passes 'it ends when nobody reads on' \
    sh -c "case \$(cat '$tmp/rc') in 1|141) ;; *) exit 1 ;; esac"

rc=0
"$MIQPS" normalize < / > "$tmp/out" 2> "$tmp/err" || rc=$?
says 'an input that cannot be read is a failure' 1 'cannot read'

rc=0
"$MIQPS" normalize <&- > "$tmp/out" 2> "$tmp/err" || rc=$?
says 'so is one that is closed' 1 'cannot read'


# --- wrong usage

: > "$tmp/in"

run normalize --nosuch /p
passes 'an unknown option: exit code 2' [ "$rc" -eq 2 ]
passes '... names the option' grep -q 'nosuch' "$tmp/err"
passes '... and every line says who speaks' \
    sh -c "[ -s '$tmp/err' ] && ! grep -qv '^miqps: ' '$tmp/err'"
passes '... without a result' [ ! -s "$tmp/out" ]

run normalize --keep
passes 'an option without its argument: exit code 2' [ "$rc" -eq 2 ]

run normalize --sort=yes /p
passes 'an argument without a taker: exit code 2' [ "$rc" -eq 2 ]

run normalize --strip '~(' /p
says 'a bad expression: exit code 2' 2 '--strip'

run normalize --keep '~^(a+)+$' /p
says 'an expression that never ends: exit code 2' 2 '--keep'

run normalize --strip 'a*b*c' /p
says 'two stars: exit code 2' 2 '--strip'

run normalize --strip '' /p
says 'an empty list: exit code 2' 2 '--strip'

run normalize --strip 'a,,b' /p
says 'an empty item: exit code 2' 2 '--strip'

run normalize --host '' /p
says 'an empty host: exit code 2' 2 '--host'

run normalize --platform strict '/p?a=1'
says 'strict without a platform: exit code 2' 2 '--platform'

run normalize --platform nosuch /p
says 'an unknown platform: exit code 2' 2 'nosuch'

for platform in shopify sfcc woocommerce magento bigcommerce shopware \
                prestashop wordpress mediawiki discourse
do
    passes "... and $platform is among those it knows" \
        grep -q "[^a-z]$platform" "$tmp/err"
done

run nosuch
says 'an unknown command: exit code 2' 2 'nosuch'

run help nosuch
says 'help on an unknown command: exit code 2' 2 'nosuch'

run
passes 'no command: exit code 2' [ "$rc" -eq 2 ]


# --- help

run --version
passes 'the version' \
    sh -c "[ $rc -eq 0 ] && grep -qx 'miqps [0-9]*\.[0-9]*\.[0-9]*' '$tmp/out'"

run help
passes 'help lists the commands' \
    sh -c "[ $rc -eq 0 ] && grep -q ' normalize ' '$tmp/out' &&
           grep -q ' import ' '$tmp/out'"
cp "$tmp/out" "$tmp/want"

run --help
passes '... also as an option' cmp "$tmp/want" "$tmp/out"

for command in normalize import; do
    run "$command" --help
    passes "help on $command" \
        sh -c "[ $rc -eq 0 ] && grep -q 'usage: miqps $command' '$tmp/out' &&
               [ ! -s '$tmp/err' ]"
    passes '... in 80 columns' \
        awk 'length() > 80 { exit 1 }' "$tmp/out"
    cp "$tmp/out" "$tmp/want"

    run help "$command"
    passes '... is the same in both ways' cmp "$tmp/want" "$tmp/out"
done


# --- rules that are none

: > "$tmp/in"
rules=$tmp/bad.json

# bad NAME [POSITION]: the file is refused, with this position

bad() {
    run normalize --rules "$rules" '/p?a=1'
    says "rules: $1" 2 "^miqps: $rules:${2:-[0-9][0-9]*:[0-9][0-9]*}: ."
}

# wrong NAME TEXT [POSITION]

wrong() {
    printf '%s' "$2" > "$rules"
    bad "$1" "${3-}"
}

wrong 'an empty file' ''
wrong 'not JSON' 'hello' 1:1
wrong 'JSON that stops' '{"version": 1, "strip": ["a"'
wrong 'JSON with a hole' '{"version": 1,
  "strip": ["a",, "b"]}' '2:17'
wrong 'something behind the JSON' '{"version": 1}
x' '2:1'
wrong 'a string in single quotes' "{'version': 1}" '1:[0-9]*'
wrong 'a comment' '{"version": 1} // yes'
wrong 'a list' '[]' 1:1
wrong 'a string' '"version"' 1:1
wrong 'nothing' 'null' 1:1

wrong 'no version' '{"strip": ["a"]}'
wrong 'a newer version' '{"version": 2}' 1:13
wrong 'a version in quotes' '{"version": "1"}' 1:13
wrong 'half a version' '{"version": 1.5}' 1:13
wrong 'a version that is null' '{"version": null}' 1:13

wrong 'an unknown key' '{"version": 1,
  "strips": ["a"]}' 2:3
wrong 'an unknown key of a site' '{"version": 1, "sites": [
  {"hosts": ["x"],
   "stripp": ["a"]}]}' 3:4
wrong 'an unknown key of a rule' '{"version": 1, "strip": [
  {"name": "a", "vender": "b"}]}' 2:17
wrong 'an unknown key of a platform' '{"version": 1, "platforms": {
  "own": {"title": "Own", "strip": ["a"]}}}' 2:27

wrong 'a key twice' '{"version": 1, "strip": ["a"],
  "strip": ["b"]}' 2:3
wrong 'the version twice' '{"version": 1,
  "version": 1}' 2:3
wrong 'a key of a site twice' '{"version": 1, "sites": [
  {"hosts": ["x"], "hosts": ["y"]}]}' 2:20
wrong 'a name twice in a list' '{"version": 1, "strip": ["a",
  "b",
  "a"]}' 3:3
wrong 'a name twice, once as an object' '{"version": 1, "strip": ["a",
  {"name": "a"}]}' '2:[0-9]*'
wrong 'a platform twice' '{"version": 1, "platforms": {
  "own": {"title": "A", "keep": ["a"]},
  "own": {"title": "B", "keep": ["b"]}}}' 3:3

wrong 'a text for a list' '{"version": 1, "strip": "a"}' 1:25
wrong 'a number in a list' '{"version": 1, "strip": ["a", 1]}' 1:31
wrong 'a list in a list' '{"version": 1, "strip": [["a"]]}' 1:26
wrong 'a number for a name' '{"version": 1, "strip": [{"name": 5}]}' 1:35
wrong 'a rule without a name' '{"version": 1, "strip": [{"note": "x"}]}'
wrong 'a list for the sites' '{"version": 1, "sites": {}}' 1:25
wrong 'a text for a site' '{"version": 1, "sites": ["x"]}' 1:26
wrong 'a list for the platforms' '{"version": 1, "platforms": []}' 1:29
wrong 'a text for a switch' '{"version": 1, "sites": [
  {"hosts": ["x"], "strict": "yes"}]}' 2:30
wrong 'a text for the hosts' '{"version": 1, "sites": [{"hosts": "x"}]}' 1:36
wrong 'a site without a place' '{"version": 1, "sites": [{"strip": ["a"]}]}'
wrong 'a platform that nobody knows' '{"version": 1, "sites": [
  {"hosts": ["x"], "platforms": ["nosuch"]}]}' 2:34

wrong 'an empty name' '{"version": 1, "strip": [""]}' 1:26
wrong 'two stars' '{"version": 1, "strip": ["a*b*c"]}' '1:[0-9]*'
wrong 'a name of two parameters' '{"version": 1, "strip": ["a&b"]}' '1:[0-9]*'
wrong 'a star and a value' '{"version": 1, "strip": ["a*=1"]}' '1:[0-9]*'
wrong 'a broken escape' '{"version": 1, "strip": ["a%zz"]}' '1:[0-9]*'
wrong 'a NUL in a name' '{"version": 1, "strip": ["a\u0000b"]}' '1:[0-9]*'
wrong 'half a surrogate pair' '{"version": 1, "strip": ["a\ud800"]}'
wrong 'an empty expression' '{"version": 1, "strip": ["~"]}' '1:[0-9]*'
wrong 'a bad expression' '{"version": 1, "strip": [
  "a",
  "~x("]}' '3:[0-9]*'
wrong 'a bad class of characters' '{"version": 1, "keep": ["~[z-a]"]}' \
    '1:[0-9]*'
wrong 'a bad expression for a path' '{"version": 1, "sites": [
  {"paths": ["/a", "~x("], "strip": ["a"]}]}' '2:[0-9]*'
wrong 'an empty host' '{"version": 1, "sites": [{"hosts": [""]}]}' '1:[0-9]*'
wrong 'a star amid a host' '{"version": 1, "sites": [{"hosts": ["a.*.b"]}]}' \
    '1:[0-9]*'
wrong 'a URL for a host' '{"version": 1, "sites": [
  {"hosts": ["https://x.example/"]}]}' '2:[0-9]*'

for costly in '^(a+)+$' '(x+x+)+y' '^(a|aa)+$' '^([a-z]+)*!'; do
    wrong "an expression that never ends, $costly" '{"version": 1, "strip": [
  "~'"$costly"'"]}' '2:[0-9]*'
done

wrong 'an expression for a path that never ends' '{"version": 1, "sites": [
  {"paths": ["~^(/+)+$"], "strip": ["a"]}]}' '2:[0-9]*'

{ printf '{"version": 1, "strip": ["'; text 5000; printf '"]}'; } > "$rules"
bad 'a name of 5,000 letters' '1:[0-9]*'

printf '{"version": 1, "strip": ["a\0b"]}' > "$rules"
bad 'a raw NUL'

printf '{"version": 1, "strip": ["a\nb"]}' > "$rules"
bad 'a raw end of line in a name'

wrong 'an escaped end of line in a name' '{"version": 1, "strip": ["a\nb"]}'
wrong 'an escaped end of line in a key' '{"version": 1, "a\nb": []}'

wrong 'a name that would colour a terminal' \
    '{"version": 1, "strip": ["\u001b[31m&"]}'
passes '... and does not' \
    sh -c "! tr -d '\n' < '$tmp/err' | LC_ALL=C grep -q '[[:cntrl:]]'"

awk 'BEGIN {
    printf "{\"version\": 1, \"strip\": "
    for (i = 0; i < 100000; i++) printf "["
}' > "$rules"
bad 'brackets 100,000 deep'

awk 'BEGIN {
    printf "{\"version\": 1, \"sites\": "
    for (i = 0; i < 900; i++) printf "{\"sites\":"
    printf "1"
    for (i = 0; i < 901; i++) printf "}"
}' > "$rules"
bad 'objects 900 deep'

truncate -s 100M "$rules"
bad 'a file of 100 MB'

head -c 3000000 /dev/zero | tr '\0' ' ' > "$rules"
bad 'a file of blanks'

rules=$tmp/missing.json
bad 'a missing file'

rules=$tmp
bad 'a directory'

rules=$tmp/own.json/x
bad 'a file for a directory'

rules=$tmp/unreadable.json
echo '{"version": 1}' > "$rules"
chmod 000 "$rules"

if [ -r "$rules" ]; then
    skip 'rules: a file that may not be read' 'root may read everything'
else
    bad 'a file that may not be read'
fi

# names of files are bytes for a terminal as well
rules="$tmp/a file with spaces.json"
wrong 'a name with spaces' 'x'

# the good among them
printf '{"version": 1}' > "$tmp/good.json"
run normalize --rules "$tmp/good.json" '/p?b=1&a=2'
prints 'rules: a version alone is enough' '/p?b=1&a=2
'

printf '{"version": 1, "strip": ["a"], "sites": []}\r\n' > "$tmp/good.json"
run normalize --rules "$tmp/good.json" '/p?b=1&a=2'
prints 'rules: the end of a line may have a carriage return' '/p?b=1
'

awk 'BEGIN {
    printf "{\"version\": 1, \"strip\": [\"x0\""
    for (i = 1; i < 100000; i++) printf ",\n\"x%d\"", i
    print "]}"
}' > "$tmp/good.json"
run normalize --rules "$tmp/good.json" '/p?x99999=1&x7=2&a=2'
prints 'rules: 100,000 names are no trouble' '/p?a=2
'


# --- lists of URLs

# again NAME FILE OPTION...: a line for a line, and the same the second time

again() {
    what=$1
    cp "$2" "$tmp/in"
    count=$(awk 'END { print NR }' "$2")
    shift 2

    run normalize "$@"
    passes "$what: a line for a line" \
        [ "$rc,$(lines "$tmp/out")" = "0,$count" ]

    cp "$tmp/out" "$tmp/first"
    cp "$tmp/out" "$tmp/in"
    run normalize "$@"
    passes "$what: the same the second time" cmp "$tmp/first" "$tmp/out"
}

# whole NAME FILE: at most 2 % with a query are left whole, those with ";" aside

whole() {
    cp "$2" "$tmp/in"
    run normalize --sort --tracking --stats
    passes "$1: at most 2 % are left whole" [ "$(unsure "$tmp/err")" -le 200 ]

    # the same, counted from the objects
    share=$(unsure "$tmp/err")
    run normalize --sort --tracking --json
    python3 -c '
import json, sys
queries = opaque = 0
for line in sys.stdin:
    o = json.loads(line)
    if "error" not in o and "?" in o["url"].split("#")[0].rstrip("?"):
        if o["opaque"] != "semicolon":
            queries += 1
            opaque += o["opaque"] is not None
print(round(10000 * opaque / queries))
' < "$tmp/out" > "$tmp/said"
    passes "$1: --stats counts what --json shows" \
        [ "$(cat "$tmp/said")" -eq "$share" ]
    passes "$1: the objects are as promised" json_ok "$tmp/out"
}

awk -v n=20000 -v seed=1 -f tests/cli/shop_traffic.awk > "$tmp/shop"
again 'traffic of a shop' "$tmp/shop" --sort --tracking
again 'traffic of a shop, strict' "$tmp/shop" --sort --platform shopify,strict
whole 'traffic of a shop' "$tmp/shop"

if [ -e "$data/urls/kasztp.txt" ]; then
    again 'URLs of the web' "$data/urls/kasztp.txt" --sort --tracking
    whole 'URLs of the web' "$data/urls/kasztp.txt"
else
    skip 'URLs of the web' "there is no $data/urls/kasztp.txt"
fi

if [ -e "$data/wpt/urltestdata.json" ]; then
    python3 - "$data/wpt/urltestdata.json" > "$tmp/wpt" <<'END'
import json, sys

with open(sys.argv[1], encoding='utf-8') as f:
    for case in json.load(f):
        for key in ('input', 'href'):
            if isinstance(case, dict) and key in case:
                line = case[key].encode('utf-8', 'surrogatepass')
                sys.stdout.buffer.write(line.replace(b'\n', b'') + b'\n')
END
    again 'URLs of the web platform tests' "$tmp/wpt" --sort --tracking
    run normalize --json
    passes 'URLs of the web platform tests: the objects are as promised' \
        json_ok "$tmp/out"
else
    skip 'URLs of the web platform tests' \
        "there is no $data/wpt/urltestdata.json"
fi


echo "1..$tests"
[ "$failed" -eq 0 ]
