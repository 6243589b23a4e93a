#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps compile", "check", "show", "diff" and "normalize --map": what they
# print and write, and what they say of source and images that cannot be used.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM


# --- helpers

# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# says NAME CODE MESSAGE: it ended so, with this one line of complaint

says() {
    printf 'miqps: %s\n' "$3" > "$tmp/want"
    status=0
    { [ "$rc" -eq "$2" ] && cmp -s "$tmp/want" "$tmp/err" &&
          [ ! -s "$tmp/out" ]; } || status=1
    result $status "$1"
}

# holds NAME COMMAND...

holds() {
    name=$1
    shift
    status=0
    "$@" > "$tmp/want" 2>&1 || status=1
    result $status "$name"
}

# given TEXT: the file that is compiled next

given() {
    printf '%s' "$1" > "$tmp/map.json"
}

# refused NAME TEXT MESSAGE: this is no map source, and nothing is written

refused() {
    given "$2"
    rm -f "$tmp/no.map"
    run compile "$tmp/map.json" -o "$tmp/no.map"
    says "$1" 1 "$tmp/map.json:$3"
    holds "$1: no image is left" [ ! -e "$tmp/no.map" ]
}

# put OFFSET BYTES: a copy of the image with other bytes, in printf's form

put() {
    cp "$tmp/shop.map" "$tmp/bad.map"
    # shellcheck disable=SC2059
    printf "$2" | dd of="$tmp/bad.map" bs=1 seek="$1" conv=notrunc 2>/dev/null
}


# --- from source to image and back

pattern='{"params":["color","id","utm_source"],"keep":["color","id"]}'
shop='{"host":"shop.example","patterns":['$pattern']}'

given "$shop"
run compile "$tmp/map.json" -o "$tmp/shop.map"
holds 'compile is silent' [ "$rc-$(cat "$tmp/out" "$tmp/err")" = 0- ]

run show "$tmp/shop.map"
prints 'show prints the source' "$shop"

run compile --verbose "$tmp/map.json" -o "$tmp/shop.map"
size=$(wc -c < "$tmp/shop.map")
says '--verbose tells what is in it' 0 \
    "compile: 1 hosts, 1 patterns, 3 names, $size bytes"

run check "$tmp/shop.map"
sum=$(dd if="$tmp/shop.map" bs=1 skip=40 count=16 2>/dev/null |
          od -An -tx1 | tr -d ' \n')
prints 'check tells what it is' "$tmp/shop.map: map image, version 1, 1 hosts,\
 1 patterns, 3 names, $size bytes, $sum"

printf '%s' "$shop" > "$tmp/in"
run compile - -o "$tmp/two.map"
holds 'standard input is a source' cmp "$tmp/shop.map" "$tmp/two.map"

"$MIQPS" compile - -o /dev/stdout < "$tmp/in" | cat > "$tmp/two.map"
holds 'a pipe can be the image' cmp "$tmp/shop.map" "$tmp/two.map"

: > "$tmp/file.map"
ln -s file.map "$tmp/link.map"
run compile - -o "$tmp/link.map"
holds 'a link stays one' [ -L "$tmp/link.map" ]
holds 'and leads to the image' cmp "$tmp/shop.map" "$tmp/file.map"
: > "$tmp/in"

cat > "$tmp/map.json" <<END
[
  {
    "patterns": [
      { "keep": ["id", "color"], "evidence": {"id": {"seen": 3}},
        "params": ["utm_source", "%69d", "color"], "urls": 12 }
    ],
    "settings": {"algorithm": "paper"}, "rules": [],
    "host": "shop.example"
  }
]
END
run compile "$tmp/map.json" -o "$tmp/two.map"
holds 'an array and another order become the same image' \
    cmp "$tmp/shop.map" "$tmp/two.map"

everything='{"host":"a.example","hosts":["m.example","n.example"],"patterns":[{"params":["a","b"],"keep":["a"],"client":["b"]},{"params":["page","q"],"keep":["page","q"],"defaults":{"page":"1"},"path":"/s/*"},{"params":["u"],"keep":[]}],"time":1794915540}
{"host":"*.b.shop.example","patterns":[{"params":["id"],"keep":[]}]}'

given "$everything"
run compile "$tmp/map.json" -o "$tmp/all.map"
run show "$tmp/all.map"
prints 'show prints all there is' "$everything"

cp "$tmp/out" "$tmp/map.json"
run compile "$tmp/map.json" -o "$tmp/two.map"
holds 'what it prints compiles to the same image' \
    cmp "$tmp/all.map" "$tmp/two.map"

printf '%s\n' "$everything" | sed -n 1p > "$tmp/1.json"
printf '%s\n' "$everything" | sed -n 2p > "$tmp/2.json"
run compile "$tmp/2.json" "$tmp/1.json" -o "$tmp/two.map"
holds 'several sources are one map' cmp "$tmp/all.map" "$tmp/two.map"

run compile "$tmp/1.json" "$tmp/1.json" -o "$tmp/two.map"
says 'in which no host is twice' 1 \
    "$tmp/1.json:1:9: \"a.example\": the host is there already"

run check "$tmp/all.map"
holds 'check tells the time' grep -q ' of 2026-11-17T11:39:00Z, ' "$tmp/out"

run show "$tmp/all.map" n.example
sed -n 2p "$tmp/out" > "$tmp/rest"
holds 'show finds the host of a mirror' \
    grep -q '^{"host":"a.example","hosts":\["m.example","n.example"\]' \
    "$tmp/out"
holds 'and prints only that' [ ! -s "$tmp/rest" ]

run show "$tmp/all.map" y.x.b.shop.example
holds 'show finds the wildcard above a host' \
    grep -q '^{"host":"\*.b.shop.example"' "$tmp/out"

run show "$tmp/all.map" '*.b.shop.example'
holds 'show finds a wildcard by its name' \
    grep -q '^{"host":"\*.b.shop.example"' "$tmp/out"

run show "$tmp/all.map" b.shop.example
says 'a wildcard does not speak for its parent' 1 \
    "show: '$tmp/all.map' has nothing for the host 'b.shop.example'"

run show --stats "$tmp/all.map"
holds 'show --stats counts' \
    grep -qE '^of them mirrors +2$' "$tmp/out"

given ''
run compile "$tmp/map.json" -o "$tmp/two.map"
holds 'an empty source is an empty map' [ "$rc" -eq 0 ]
run show "$tmp/two.map"
holds 'which prints nothing' [ "$rc-$(cat "$tmp/out")" = 0- ]


# --- source that is none

refused 'not JSON' '{"host":"a.example",}' '1:21: not JSON'
refused 'no end' '{"host":"a.example"' '1:19: not JSON'
refused 'no end of a string' '{"host":"a.example
"}' '1:10: not JSON'
refused 'not an object' '"a.example"' \
    '1:1: a map consists of objects, {"host": ...}'
refused 'a list that does not end' '[{"host":"a.example"}' \
    '1:22: not JSON: "," or "]" is missing'
refused 'something behind a list' '[] x' \
    '1:4: not JSON: something follows the array'
refused 'NUL' '{"host":"a\u0000"}' \
    '1:11: NUL, \u0000, cannot be part of a map'
refused 'not UTF-8' "$(printf '{"host":"a\377"}')" \
    '1:1: the object is not UTF-8'
refused 'an unknown key' '{"host":"a.example"}
{"host":"b.example","patterns":[{"params":["a"],"keep":[],"kept":["a"]}]}' \
    '2:59: unknown key "kept"'
refused 'a key that is there twice' '{"host":"a.example","host":"b.example"}' \
    '1:21: duplicate key "host"'
refused 'a key of another type' '{"host":"a.example","patterns":{}}' \
    '1:32: "patterns" must be a list'
refused 'no host' '{"patterns":[]}' '1:1: no "host"'
refused 'no names' '{"host":"a.example","patterns":[{"keep":[]}]}' \
    '1:33: no "params"'
refused 'an empty list of names' \
    '{"host":"a.example","patterns":[{"params":[],"keep":[]}]}' \
    '1:33: a pattern has at least one name'
refused 'no keep' '{"host":"a.example","patterns":[{"params":["a"]}]}' \
    '1:33: no "keep"; write [] if none of the names matters'
refused 'a host twice' '{"host":"a.example"}
{"host":"b.example","hosts":["a.example"]}' \
    '2:30: "a.example": the host is there already'
refused 'a public suffix' '{"host":"*.co.uk"}' \
    '1:9: "*.co.uk": below a public suffix everybody can have a host'
refused 'a top-level domain' '{"host":"*.com"}' \
    '1:9: "*.com": below a public suffix everybody can have a host'
refused 'a suffix of private hosts' '{"host":"*.github.io"}' \
    '1:9: "*.github.io": below a public suffix everybody can have a host'
refused 'a wildcard as a mirror' \
    '{"host":"a.example","hosts":["*.b.example"]}' \
    '1:30: "*.b.example": a mirror is one host'
owners='below this public suffix hosts belong to different owners; give each of them a line of its own'
refused 'a mirror of another owner' \
    '{"host":"a.github.io","hosts":["b.github.io"]}' \
    '1:32: "b.github.io": '"$owners"
refused 'a mirror below a public suffix of a host elsewhere' \
    '{"host":"www.a.example","hosts":["a.example","a.github.io"]}' \
    '1:46: "a.github.io": '"$owners"
refused 'a mirror elsewhere of a host below a public suffix' \
    '{"host":"a.github.io",
"hosts":["a.example"]}' '2:10: "a.example": '"$owners"
refused 'a mirror that is the suffix' \
    '{"host":"a.github.io","hosts":["github.io"]}' \
    '1:32: "github.io": '"$owners"
refused 'a mirror of all hosts below one of an owner' \
    '{"host":"*.a.github.io","hosts":["b.github.io"]}' \
    '1:34: "b.github.io": '"$owners"
refused 'a name twice' \
    '{"host":"a.example","patterns":[{"params":["a","%61"],"keep":[]}]}' \
    '1:48: "%61": the name is there twice'
refused 'a name that no URL has' \
    '{"host":"a.example","patterns":[{"params":["a&b"],"keep":[]}]}' \
    '1:44: "a&b": no parameter that is ever looked up has such a name'
refused 'keep of another name' \
    '{"host":"a.example","patterns":[{"params":["a"],"keep":["b"]}]}' \
    '1:57: "b": the name is not in "params"'
refused 'client and keep' '{"host":"a.example","patterns":[{"params":["a"],
"keep":["a"],"client":["a"]}]}' '2:24: "a": the name is in "keep" already'
refused 'a default of a name that is not kept' '{"host":"a.example","patterns":
[{"params":["a"],"keep":[],"defaults":{"a":"1"}}]}' \
    '2:40: default of "a": the name is not in "keep"'
refused 'a default that is no string' '{"host":"a.example","patterns":
[{"params":["a"],"keep":["a"],"defaults":{"a":1}}]}' \
    '2:47: "a" must be a string'
refused 'a pattern twice' '{"host":"a.example","patterns":[
{"params":["a","b"],"keep":[]},
{"params":["b","a"],"keep":["a"]}]}' \
    '3:1: a pattern of these names and this path is there already'
refused 'a path of no shape' '{"host":"a.example","patterns":[
{"params":["a"],"keep":[],"path":"p"}]}' \
    '2:34: "p": a path begins with "/"'
refused 'a time of no form' '{"host":"a.example","time":"yesterday"}' \
    '1:28: a time is written as in "2026-11-17T11:39:00Z"'
refused 'a negative number' '{"host":"a.example","patterns":[
{"params":["a"],"keep":[],"urls":-1}]}' '2:34: "urls" must not be negative'

printf '{"host":"a.example","patterns":[{"keep":[],"params":["n0"' \
    > "$tmp/many.json"
awk 'BEGIN { for (i = 1; i < 256; i++) printf ",\"n%d\"", i; print "]}]}" }' \
    >> "$tmp/many.json"
run compile "$tmp/many.json" -o "$tmp/no.map"
holds 'more than 255 names' \
    grep -q 'json:1:.*: "n255": a pattern has at most 255 names' "$tmp/err"


# --- files that are none

run compile "$tmp/none.json" -o "$tmp/no.map"
says 'a source that is not there' 1 \
    "compile: cannot open '$tmp/none.json': No such file or directory"

run compile "$tmp" -o "$tmp/no.map"
says 'a source that is a directory' 1 \
    "compile: cannot read '$tmp': it is a directory"

given "$shop"
run compile "$tmp/map.json" -o "$tmp/none/no.map"
says 'an image where no file can be' 1 \
    "compile: cannot create '$tmp/none/no.map': No such file or directory"

if [ -c /dev/full ]; then
    run compile "$tmp/map.json" -o /dev/full
    says 'a disk that is full' 1 \
        "compile: cannot write '/dev/full': No space left on device"
fi

(trap '' XFSZ
 ulimit -f 0
 "$MIQPS" compile "$tmp/map.json" -o "$tmp/shop.map" 2>&1) |
    cat > "$tmp/said" || true
holds 'an image that does not fit is told' \
    grep -q "^miqps: compile: cannot write '.*shop.map': File too" "$tmp/said"
run check "$tmp/shop.map"
holds 'and leaves the old one' [ "$rc" -eq 0 ]
holds 'no temporary file is left' \
    [ "$(find "$tmp" -name 'shop.map.*' | wc -l)" -eq 0 ]

run check "$tmp/none.map"
says 'an image that is not there' 1 \
    "check: cannot open '$tmp/none.map': No such file or directory"

run check "$tmp"
says 'an image that is a directory' 1 \
    "check: cannot use '$tmp': it is a directory"

: > "$tmp/bad.map"
run check "$tmp/bad.map"
says 'an empty image' 1 "check: cannot use '$tmp/bad.map': it is empty"

run check "$tmp/map.json"
says 'a file that is no image' 1 \
    "check: cannot use '$tmp/map.json': it is not a map image"

head -c $((size - 1)) "$tmp/shop.map" > "$tmp/bad.map"
run check "$tmp/bad.map"
says 'an image that is cut off' 1 \
    "check: cannot use '$tmp/bad.map': it is cut off"

{ cat "$tmp/shop.map"; echo; } > "$tmp/bad.map"
run check "$tmp/bad.map"
says 'an image with something behind it' 1 \
    "check: cannot use '$tmp/bad.map': something follows it"

put 8 '\002'
run show "$tmp/bad.map"
says 'an image of a newer version' 1 \
    "show: cannot use '$tmp/bad.map': its format is newer than this program"

put 10 '\001\002'
run diff "$tmp/shop.map" "$tmp/bad.map"
says 'an image of another byte order' 1 \
    "diff: cannot use '$tmp/bad.map': it is of another byte order"

put $((size - 9)) '\377'
run check "$tmp/bad.map"
says 'an image with a changed byte' 1 \
    "check: cannot use '$tmp/bad.map': its checksum is wrong"


# --- diff

run diff "$tmp/shop.map" "$tmp/shop.map"
holds 'an image does not differ from itself' \
    [ "$rc-$(cat "$tmp/out" "$tmp/err")" = 0- ]

run diff --exit-code "$tmp/shop.map" "$tmp/shop.map"
holds 'nor does it with --exit-code' [ "$rc" -eq 0 ]

cat > "$tmp/old.json" <<'END'
{"host":"a.example","patterns":[{"params":["a"],"keep":["a"]}]}
{"host":"b.example","hosts":["m.example"],"patterns":[
  {"params":["a","b"],"keep":["a"]},
  {"params":["c"],"keep":["c"],"path":"/x"},
  {"params":["d","e"],"keep":["d"],"defaults":{"d":"1"}},
  {"params":["f"],"keep":["f"]},
  {"params":["g"],"keep":[]},
  {"params":["h"],"keep":["h"]}]}
END
cat > "$tmp/new.json" <<'END'
{"host":"*.c.example","patterns":[{"params":["a"],"keep":["a"]}]}
{"host":"n.example","hosts":["m.example"]}
{"host":"b.example","patterns":[
  {"params":["a","b"],"keep":["b"]},
  {"params":["c"],"keep":["c"],"path":"/y"},
  {"params":["d","e"],"keep":["d","e"]},
  {"params":["f"],"keep":["f"],"defaults":{"f":"x"}},
  {"params":["g"],"keep":[],"client":["g"]},
  {"params":["h"],"keep":[],"client":["h"]}]}
END
"$MIQPS" compile "$tmp/old.json" -o "$tmp/old.map"
"$MIQPS" compile "$tmp/new.json" -o "$tmp/new.map"

run diff "$tmp/old.map" "$tmp/new.map"
prints 'diff tells what was added, removed and changed' \
'- a.example: 1 pattern
! b.example ?a&b: newly kept b; newly stripped a
- b.example /x?c
+ b.example /y?c
~ b.example ?d&e: newly kept e; no default any more d
! b.example ?f: new default f=x
~ b.example ?g: newly for clients g
! b.example ?h: newly for clients h
+ *.c.example: 1 pattern
- m.example: mirror of b.example
+ m.example: mirror of n.example
+ n.example: 0 patterns'

run diff --json "$tmp/old.map" "$tmp/new.map"
holds 'diff --json tells the same' [ "$(wc -l < "$tmp/out")" -eq 12 ]
holds 'a line of it' grep -qxF '{"change":"changed","dangerous":true,"host":"b.example","params":["a","b"],"kept":["b"],"client":[],"stripped":["a"],"default":[],"no_default":[]}' \
    "$tmp/out"
holds 'all of it is JSON' python3 -c '
import json, sys
for line in open(sys.argv[1]):
    json.loads(line)' "$tmp/out"

run diff --exit-code "$tmp/old.map" "$tmp/new.map"
holds 'with --exit-code images that differ are a failure' [ "$rc" -eq 1 ]


# --- normalize --map

given '{"host":"shop.example","hosts":["shop.test"],"patterns":[
{"params":["color","id","utm_source"],"keep":["color","id"]},
{"params":["id","page"],"keep":["id","page"],"defaults":{"page":"1"}},
{"params":["id","tab"],"keep":["id"],"client":["tab"]},
{"params":["gclid","id","page"],"keep":["gclid","id"]},
{"params":["gclid","id"],"keep":["gclid","id"],"path":"/elsewhere"},
{"params":["a","b","c"],"keep":["a","b"],"path":"/p/*"},
{"params":["a","b"],"keep":["a"],"path":"/p/*"}]}
{"host":"*.shop.example","patterns":[
{"params":["q","ref"],"keep":["q"]},
{"params":["ref","s"],"keep":["s"]},
{"params":["z"],"keep":["z"]}]}'
run compile "$tmp/map.json" -o "$tmp/own.map"
holds 'a map to normalize with compiles' [ "$rc" -eq 0 ]

# becomes NAME URL RESULT [OPTION...]

becomes() {
    name=$1
    url=$2
    want=$3
    shift 3
    run normalize --map "$tmp/own.map" "$@" "$url"
    prints "$name" "$want"
}

shop=https://shop.example

becomes 'a map strips what does not matter' \
    "$shop/p?id=1&utm_source=x&color=red" "$shop/p?id=1&color=red"
becomes 'a map does it on any port, in any case, with a dot' \
    'http://SHOP.example.:81/p?id=1&utm_source=x&color=red' \
    'http://SHOP.example.:81/p?id=1&color=red'
becomes 'names that the map does not have stay' \
    "$shop/p?id=1&utm_source=x&size=2" "$shop/p?id=1&utm_source=x&size=2"
becomes 'a host that the map does not have is left alone' \
    'https://other.example/p?id=1&utm_source=x&color=red' \
    'https://other.example/p?id=1&utm_source=x&color=red'
becomes 'a path alone is of no host' \
    '/p?id=1&utm_source=x&color=red' '/p?id=1&utm_source=x&color=red'
becomes '--host names the host' \
    '/p?id=1&utm_source=x&color=red' '/p?id=1&color=red' --host shop.example
becomes 'a mirror has the map of its host' \
    'https://shop.test/p?id=1&utm_source=x&color=red' \
    'https://shop.test/p?id=1&color=red'
becomes 'a wildcard is for hosts below it' \
    'https://de.shop.example/?q=1&ref=2' 'https://de.shop.example/?q=1'
becomes 'a wildcard is for hosts at any depth' \
    'https://a.b.shop.example/?q=1&ref=2' 'https://a.b.shop.example/?q=1'
becomes 'a wildcard is not for the host itself' \
    "$shop/?q=1&ref=2" "$shop/?q=1&ref=2"
becomes 'what is neutral goes from other names, too' \
    'https://de.shop.example/?z=1&ref=2' 'https://de.shop.example/?z=1'
becomes 'a default goes' "$shop/?id=1&page=1" "$shop/?id=1"
becomes 'another value stays' "$shop/?id=1&page=2" "$shop/?id=1&page=2"
becomes 'a default that repeats stays' "$shop/?id=1&page=1&page=1" \
    "$shop/?id=1&page=1&page=1"
becomes 'what a script reads stays' "$shop/?id=1&tab=2" "$shop/?id=1&tab=2"
becomes 'what is left is looked up again' "$shop/p/1?a=1&b=2&c=3" \
    "$shop/p/1?a=1"
becomes 'a pattern is for the paths of its shape' "$shop/q/1?a=1&b=2&c=3" \
    "$shop/q/1?a=1&b=2&c=3"
becomes 'an opaque query stays' "$shop/p?id=1&utm_source=x&color=red;" \
    "$shop/p?id=1&utm_source=x&color=red;"
becomes 'what is left is sorted' "$shop/p?utm_source=x&id=1&color=red" \
    "$shop/p?color=red&id=1" --sort

# what more precise paths keep

cp "$tmp/own.map" "$tmp/kept.map"
given '{"host":"shop.example","patterns":[
{"params":["id","ref"],"keep":["id"],"path":"/*/*"},
{"params":["ref"],"keep":["ref"],"path":"/press/*"},
{"params":["id","page"],"keep":["id","page"],"defaults":{"page":"1"}},
{"params":["page"],"keep":["page"],"defaults":{"page":"2"},"path":"/old"},
{"params":["tab"],"keep":[],"client":["tab"],"path":"/app"},
{"params":["id","tab"],"keep":["id"]}]}'
run compile "$tmp/map.json" -o "$tmp/own.map"

becomes 'what a path keeps it keeps beside other names' \
    "$shop/press/7?id=1&ref=2" "$shop/press/7?id=1&ref=2"
becomes 'other paths do not' "$shop/shop/7?id=1&ref=2" "$shop/shop/7?id=1"
becomes 'a value that goes elsewhere stays there' "$shop/old?id=1&page=1" \
    "$shop/old?id=1&page=1"
becomes 'and so does one that goes there alone' "$shop/old?id=1&page=2" \
    "$shop/old?id=1&page=2"
becomes 'elsewhere it goes' "$shop/new?id=1&page=1" "$shop/new?id=1"

run normalize --map "$tmp/own.map" --explain "$shop/app?id=1&tab=2"
holds 'what a script reads there is not taken for nothing' \
    grep -q 'tab .*only a script' "$tmp/out"

"$MIQPS" show "$tmp/own.map" > "$tmp/shown.json"
run compile "$tmp/shown.json" -o "$tmp/again.map"
holds 'what is shown is the same map' cmp "$tmp/own.map" "$tmp/again.map"
mv "$tmp/kept.map" "$tmp/own.map"

# who wins

becomes 'a keep of the map wins against --tracking' "$shop/?gclid=1&id=2" \
    "$shop/?gclid=1&id=2" --tracking
becomes '--tracking strips where the map is silent' "$shop/?fbclid=1&x=2" \
    "$shop/?x=2" --tracking
becomes 'but not what matters with other names' "$shop/?gclid=1&x=2" \
    "$shop/?gclid=1&x=2" --tracking
becomes 'so that nothing goes from what a map leaves' \
    "$shop/?gclid=1&id=2&page=1" "$shop/?gclid=1&id=2" --tracking
becomes '--strip wins against that as well' "$shop/?gclid=1&x=2" \
    "$shop/?x=2" --strip gclid
becomes '--keep wins against the map' "$shop/p?id=1&utm_source=x&color=red" \
    "$shop/p?id=1&utm_source=x&color=red" --keep utm_source
becomes '--strip wins against the map' "$shop/p?id=1&utm_source=x&color=red" \
    "$shop/p?id=1" --strip color

printf '{"version": 1, "keep": ["utm_*"], "strip": ["id", "x"]}\n' \
    > "$tmp/rules.json"
becomes 'a keep of a rules file wins against the map' \
    "$shop/p?id=1&utm_source=x&color=red" \
    "$shop/p?id=1&utm_source=x&color=red" --rules "$tmp/rules.json"
becomes 'a keep of the map wins against a rules file' "$shop/?gclid=1&id=2" \
    "$shop/?gclid=1&id=2" --rules "$tmp/rules.json"
becomes 'a rules file strips where the map is silent' "$shop/?x=1&y=2" \
    "$shop/?y=2" --rules "$tmp/rules.json"

# reports

run normalize --map "$tmp/own.map" --tracking --json "$shop/?id=1&page=1" \
    "$shop/?tab=1&id=2" 'https://de.shop.example/?z=1&ref=2' "$shop/?x=1" \
    "$shop/?gclid=1&y=2"
holds '--json names the layer, the host and the pattern' python3 - \
    "$tmp/out" <<'END'
import json, sys

same = 'the page is the same without it'
want = [
    ('id', 'keep', 'map', 'the page changes without it', 'shop.example',
     {'id', 'page'}),
    ('page', 'strip', 'map', 'with this value ' + same, 'shop.example',
     {'id', 'page'}),
    ('tab', 'keep', 'map', 'only a script of the page reads it',
     'shop.example', {'id', 'tab'}),
    ('id', 'keep', 'map', 'the page changes without it', 'shop.example',
     {'id', 'tab'}),
    ('z', 'keep', 'map', 'the page changes without it', '*.shop.example',
     {'as with z'}),
    ('ref', 'strip', 'map', same, '*.shop.example', {'as with z'}),
    ('x', 'keep', 'default', 'no rule names it', None, None),
    ('gclid', 'keep', 'map', 'with other names the page changes without it',
     None, None),
    ('y', 'keep', 'default', 'no rule names it', None, None)]

with open(sys.argv[1]) as f:
    got = [p for line in f for p in json.loads(line)['params']]

assert len(got) == len(want), got

for one, (name, verdict, layer, why, host, names) in zip(got, want):
    assert (one['name'], one['verdict'], one['layer']) == (
        name, verdict, layer), one

    if host is None:
        assert one['reason'] == why, one
        continue

    said, entry = one['reason'].split(': ')
    at, pattern = entry.split(', ')
    assert said == why and at == host, one
    assert set(pattern.split('&')) == names, one
END

run normalize --map "$tmp/own.map" --explain 'https://w.shop.example/?z=1&ref=2'
prints '--explain tells the same' 'https://w.shop.example/?z=1&ref=2
 -> https://w.shop.example/?z=1
    keep   z                     map       the page changes without it: *.shop.example, as with z
    strip  ref                   map       the page is the same without it: *.shop.example, as with z'

run normalize --map "$tmp/own.map" --stats --tracking \
    "$shop/p?id=1&utm_source=x&color=red" "$shop/?id=1&page=1" \
    "$shop/?fbclid=1"
holds '--stats counts what the map strips' grep -qx '  by map  *2' "$tmp/err"
holds '--stats counts what others strip' grep -qx '  by tracking  *1' \
    "$tmp/err"

# files

run normalize --map "$tmp/none.map" /p
says 'normalize with a map that is missing' 1 \
    "normalize: cannot open '$tmp/none.map': No such file or directory"
run normalize --map "$tmp/map.json" /p
says 'normalize with source, not an image' 1 \
    "normalize: cannot use '$tmp/map.json': it is not a map image"
run normalize --map "$tmp" /p
says 'normalize with a folder' 1 \
    "normalize: cannot use '$tmp': it is a directory"
: > "$tmp/empty.map"
run normalize --map "$tmp/empty.map" /p
says 'normalize with an empty file' 1 \
    "normalize: cannot use '$tmp/empty.map': it is empty"
head -c 100 "$tmp/own.map" > "$tmp/short.map"
run normalize --map "$tmp/short.map" /p
holds 'normalize with part of an image' [ "$rc-$(wc -l < "$tmp/err")" = 1-1 ]
run normalize --map
says 'normalize with a map that is not named' 2 "normalize: '--map' is not an\
 option, or lacks its argument; 'miqps normalize --help' lists the options"


# --- usage

run compile
says 'compile without a source' 2 \
    'compile: no source is named; "-" is standard input'
run compile "$tmp/map.json"
says 'compile without an image' 2 \
    'compile: -o is missing, the image to write'
run check
says 'check without an image' 2 'check: name one image'
run show
says 'show without an image' 2 'show: no image is named'
run show --stats "$tmp/shop.map" shop.example
says 'show --stats of a host' 2 \
    'show: --stats is about the whole image, name no host'
run diff "$tmp/shop.map"
says 'diff of one image' 2 'diff: name two images, the old one first'

for command in compile check show diff; do
    run $command --none
    says "$command with an unknown option" 2 "$command: '--none' is not an\
 option, or lacks its argument; 'miqps $command --help' lists the options"
done

echo "1..$tests"
[ "$failed" -eq 0 ]
