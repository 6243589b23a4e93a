#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Path rules in map source: what "miqps compile" takes and refuses, and what
# "check", "show" and "diff" say of them.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

tests=0
failed=0


# --- helpers

# same NAME WANTED GOT

same() {
    tests=$((tests + 1))

    if [ "$2" = "$3" ]; then
        echo "ok $tests - $1"
        return
    fi

    failed=$((failed + 1))
    echo "not ok $tests - $1"
    printf '%s\n' "$2" | sed 's/^/# wanted: /'
    printf '%s\n' "$3" | sed 's/^/# got:    /'
}

# map RULES: source of a host with them

map() {
    printf '{"host":"a.example","hosts":["m.example"],\n"rules":[\n%s]}' "$1"
}

# complaint RULES: what is said of them, without the name of the file

complaint() {
    map "$1" > "$tmp/map.json"
    rm -f "$tmp/no.map"

    if "$MIQPS" compile "$tmp/map.json" -o "$tmp/no.map" 2> "$tmp/err"; then
        echo 'they are taken'

    elif [ -e "$tmp/no.map" ]; then
        echo 'an image is left'

    else
        sed 's/^miqps: [^:]*map.json://' "$tmp/err"
    fi
}

refused() {
    same "$1" "$3" "$(complaint "$2")"
}

# shown RULES: what is printed of them, and compiles to the same image

shown() {
    map "$1" > "$tmp/map.json"
    "$MIQPS" compile "$tmp/map.json" -o "$tmp/one.map" 2>&1 || return 0
    "$MIQPS" show "$tmp/one.map" > "$tmp/shown.json"
    "$MIQPS" compile "$tmp/shown.json" -o "$tmp/two.map" 2>&1 || return 0
    cmp "$tmp/one.map" "$tmp/two.map" 2>&1 || return 0
    sed 's/.*"rules":\[\(.*\)\]}$/\1/' "$tmp/shown.json"
}

taken() {
    same "$1" "${3:-$2}" "$(shown "$2")"
}


# --- from source to image and back

taken 'a literal path' '{"from":{"path":"/index.html"},"to":{"path":"/"}}'
taken 'evidence is not looked at' \
    '{"support":3,"evidence":{"a":[1]},"to":{"path":"/"},
      "from":{"path":"/index.html"}}' \
    '{"from":{"path":"/index.html"},"to":{"path":"/"}}'
taken 'names in braces are ours' \
    '{"from":{"path":"/{mirror:word}/{id:digits}/{rest:any}"},
      "to":{"path":"/p/{id}"}}' \
    '{"from":{"path":"/{:word}/{a:digits}/{}"},"to":{"path":"/p/{a}"}}'
taken 'all types, and more than one in a segment' \
    '{"from":{"path":"/{a:hex}/{b:uuid}/v{c:word}-{d}.html"},"to":{"path":"/{a}-{b}.{c}/{d}"}}'
taken 'stars and two stars' \
    '{"from":{"path":"/s/{:hex}/*/**"},"to":{"path":"/t/*/x/**"}}'
taken 'stars that change their order have names' \
    '{"from":{"path":"/x/{a:raw}/{b:raw}/"},"to":{"path":"/y/{b}/{a}/"}}' \
    '{"from":{"path":"/x/{b:raw}/{a:raw}/"},"to":{"path":"/y/{a}/{b}/"}}'
taken 'parameters by their names' \
    '{"from":{"path":"/p","params":{"sid":"*","id":"{i:digits}"}},
      "to":{"path":"/p/{i}","params":{}}}' \
    '{"from":{"path":"/p","params":{"id":"{a:digits}","sid":"*"}},"to":{"path":"/p/{a}","params":{}}}'
taken 'other parameters' \
    '{"from":{"path":"/l","params":{"s":"{:hex}","*":"*"}},"to":{"params":{"s":"0"}}}'
taken 'only other parameters is what no parameters say' \
    '{"from":{"path":"/l","params":{"*":"*"}},"to":{"path":"/m"}}' \
    '{"from":{"path":"/l"},"to":{"path":"/m"}}'
taken 'none at all' '{"from":{"path":"/l","params":{}},"to":{"path":"/m"}}'
taken 'an empty value' \
    '{"from":{"path":"/l","params":{"a":""}},"to":{"params":{}}}'
taken 'a table' \
    '{"from":{"path":"/s","params":{"c":"{c:colour}"}},
      "to":{"path":"/s-{c}","params":{}},
      "tables":{"colour":{"5":"red","3":"yellow"}}}' \
    '{"from":{"path":"/s","params":{"c":"{a:t1}"}},"to":{"path":"/s-{a}","params":{}},"tables":{"t1":{"3":"yellow","5":"red"}}}'
taken 'a table whose values are not renamed twice' \
    '{"from":{"path":"/{a:t1}"},"to":{"path":"/{a}"},"tables":{"t1":{"p":"product","prod":"product"}}}'
taken 'hosts' \
    '{"from":{"host":"{}.example","path":"/about"},"to":{"host":"a.example"}}'
taken 'characters that are not ASCII, and escapes' \
    '{"from":{"path":"/\u00e9/%20","params":{"\u00e4":"\u00f6%7e%2f","b":"%C3"}},"to":{"path":"/e"}}' \
    '{"from":{"path":"/%C3%A9/%20","params":{"%C3%A4":"%C3%B6~%2F","b":"%C3"}},"to":{"path":"/e"}}'

one='{"from":{"path":"/a/{x}"},"to":{"path":"/b"}}'
two='{"from":{"path":"/a/{x:digits}"},"to":{"path":"/c"}}'
three='{"from":{"path":"/**/i.html"},"to":{"path":"/**/"}}'
order='{"from":{"path":"/a/{:digits}"},"to":{"path":"/c"}},{"from":{"path":"/a/{}"},"to":{"path":"/b"}},'$three
taken 'precise rules come first' "$one,$three,$two" "$order"
taken 'whatever the order in the source' "$three,$two,$one" "$order"


# --- what is refused

refused 'a rule that is no object' '1' \
    '3:1: a rule is an object, {"from": {...}, "to": {...}}'
refused 'no source' '{"to":{"path":"/"}}' '3:1: no "from"'
refused 'no target' '{"from":{"path":"/"}}' '3:1: no "to"'
refused 'an unknown key' '{"from":{},"to":{},
"form":{}}' '4:1: unknown key "form"'
refused 'an unknown key of a source' '{"from":{"query":"x"},"to":{}}' \
    '3:10: unknown key "query"'
refused 'a target that changes nothing' '{"from":{"path":"/"},"to":{}}' \
    '3:1: "to" changes nothing'
refused 'a path that is relative' '{"from":{"path":"a"},"to":{"path":"/"}}' \
    '3:17: "a": a path begins with "/"'
refused 'a segment of two dots' \
    '{"from":{"path":"/../a"},"to":{"path":"/"}}' \
    '3:17: "/../a": no segment is "." or ".."'
refused 'an empty segment' '{"from":{"path":"/a"},"to":{"path":"//b"}}' \
    '3:36: "//b": a segment that is not the last one is not empty'
refused 'a semicolon' '{"from":{"path":"/a;{s:hex}"},"to":{"path":"/a"}}' \
    '3:17: "/a;{s:hex}": it has a byte or an escape that no rule may touch'
refused 'an escaped slash' '{"from":{"path":"/a%2Fb"},"to":{"path":"/a"}}' \
    '3:17: "/a%2Fb": it has a byte or an escape that no rule may touch'
refused 'a line break in a target' \
    '{"from":{"path":"/a"},"to":{"path":"/b\r\nx"}}' \
    '3:36: "/b\x0d\x0ax": it has a byte or an escape that no rule may touch'
refused 'a part of a segment as a star' \
    '{"from":{"path":"/a*"},"to":{"path":"/a"}}' '3:17: "/a*": "*" stands for all of a segment or value; a part of one is written {}'
refused 'two stars twice' '{"from":{"path":"/**/a/**"},"to":{"path":"/a"}}' \
    '3:17: "/**/a/**": a path has at most one "**"'
refused 'two stars that would leave an empty segment' \
    '{"from":{"path":"/a/**"},"to":{"path":"/**/b"}}' \
    '3:39: "/**/b": "**" that ends "from" can only end "to"'
refused 'stars that are not there' \
    '{"from":{"path":"/a/b"},"to":{"path":"/*"}}' \
    '3:38: "/*": there is no "*" in "from" that it stands for'
refused 'stars that become fewer' \
    '{"from":{"path":"/a/*/*"},"to":{"path":"/b/*"}}' \
    '3:40: "/b/*": there are more "*" in "from"; name them, as in {a:raw}'
refused 'a brace that is open' '{"from":{"path":"/{a"},"to":{"path":"/"}}' \
    '3:17: "/{a": there is no "}" behind a "{"'
refused 'an unknown type' '{"from":{"path":"/{a:int}"},"to":{"path":"/"}}' \
    '3:17: "/{a:int}": a type is digits, hex, uuid, word, any, raw or one of "tables"'
refused 'a type in a target' \
    '{"from":{"path":"/x/{a}"},"to":{"path":"/{a:hex}"}}' \
    '3:40: "/{a:hex}": a type is given in "from", not in "to"'
refused 'a name that is not there' \
    '{"from":{"path":"/x/{a}"},"to":{"path":"/{b}"}}' \
    '3:40: "/{b}": there is no such name in braces in "from"'
refused 'a name twice' \
    '{"from":{"path":"/x/{a}"},"to":{"path":"/{a}/{a}"}}' \
    '3:40: "/{a}/{a}": a name in braces is there twice'
refused 'wildcards side by side' \
    '{"from":{"path":"/{a:digits}{b}"},"to":{"path":"/"}}' \
    '3:17: "/{a:digits}{b}": between two wildcards there is something'
refused 'wildcards that could be read in two ways' \
    '{"from":{"path":"/{a}-{b}"},"to":{"path":"/"}}' \
    '3:17: "/{a}-{b}": where a wildcard ends cannot be told, since what follows it can be part of it'
refused 'what is raw in the query' \
    '{"from":{"path":"/x/{a:raw}"},
"to":{"params":{"a":"{a}"}}}' \
    '4:17: "a": "{a}": what is raw stays in the path, or in its parameter'
refused 'a path of nothing' '{"from":{},"to":{"path":"/"}}' \
    '3:25: "/": "from" has no path'
refused 'a foreign host' '{"from":{},"to":{"host":"b.example"}}' \
    '3:25: "b.example": the host of "to" is the one that the rule is of, or in "hosts"'
refused 'a host with braces' \
    '{"from":{"host":"{m}.example"},"to":{"host":"{m}.example"}}' \
    '3:45: "{m}.example": the host of "to" is one host, without braces'
refused 'an empty table' \
    '{"from":{},"to":{"path":"/"},"tables":{"t":{}}}' \
    '3:44: a table has at least one value'
refused 'a table that is not used' \
    '{"from":{"path":"/a"},"to":{"path":"/"},"tables":{"t":{"a":"b"}}}' \
    '3:1: one of "tables" is no type of "from"'
refused 'a value that cannot be everywhere' \
    '{"from":{"path":"/{a:t}"},"to":{"path":"/"},
"tables":{"t":{"a b":"c"}}}' \
    '4:16: "a b": "c": a value of a table has letters, digits, "-", "_", "~"'
refused 'a URL that grows without end' \
    '{"from":{"path":"/a"},"to":{"path":"/'"$(
        awk 'BEGIN { for (i = 0; i < 5; i++) printf "/%0900d", 0 }' |
            cut -c2-)"'"}}' \
    '3:1: a rule makes a URL longer by more than 4096 bytes'


# --- hosts of different owners

owners='below this public suffix hosts belong to different owners; give each of them a line of its own'

# host LINE: what is said of it

host_line() {
    echo "$1" > "$tmp/map.json"
    "$MIQPS" compile "$tmp/map.json" -o "$tmp/one.map" 2>&1 |
        sed 's/.*map.json://'
}

same 'a rule leads to no host of another owner' \
    '1:87: "a.s3.amazonaws.com": '"$owners" \
    "$(host_line '{"host":"*.amazonaws.com","rules":[{"from":{"host":"b.s3.amazonaws.com"},"to":{"host":"a.s3.amazonaws.com"}}]}')"
same 'nor from all hosts below such a suffix' \
    '1:88: "a.s3.amazonaws.com": '"$owners" \
    "$(host_line '{"host":"*.amazonaws.com","rules":[{"from":{"host":"{}.s3.amazonaws.com"},"to":{"host":"a.s3.amazonaws.com"}}]}')"
same 'nor from all of an entry that is above it' \
    '1:60: "a.s3.amazonaws.com": '"$owners" \
    "$(host_line '{"host":"*.amazonaws.com","rules":[{"from":{},"to":{"host":"a.s3.amazonaws.com"}}]}')"
same 'one owner may have mirrors and rules there' '' \
    "$(host_line '{"host":"a.github.io","hosts":["www.a.github.io"],"rules":[{"from":{"host":"{}.a.github.io"},"to":{"host":"a.github.io"}}]}')"
same 'elsewhere hosts are mirrors because somebody says so' '' \
    "$(host_line '{"host":"a.co.uk","hosts":["b.example"],"rules":[{"from":{"host":"b.example"},"to":{"host":"a.co.uk"}}]}')"


# --- what could look like a file, and be stored for everybody

# file FROM TO [PARAMS]; no_file is the same for what is taken

file_rule() {
    echo '{"from":{"path":"'"$1"'"'"${3-}"'},"to":{"path":"'"$2"'"}}'
}

look='3:1: what "to" makes could look like a file that caches store for everybody: leave the "." of its last segment out, or have it in that of "from", too'

file() {
    refused "$1 does not become $2" "$(file_rule "$@")" "$look"
}

no_file() {
    taken "$1 can become $2" "$(file_rule "$@")"
}

file '/account/{a}' '/static/{a}.css'
file '/f/{a}/{b}' '/g/{b}.{a}'
file '/account' '/x.{a}' ',"params":{"t":"{a}"}'
file '/account' '/account.css'
file '/account/{a}' '/robots.txt'
file '/account.php' '/account.css'
file '/account.js/' '/account.js'
file '/account/{a}.html' '/account/{a}.css'
file '/account/{a}.html' '/account/v1.{a}.html'
file '/a.css/{a}' '/b/{a}.css'
file '/u/{a}.{b}' '/v/{b}.{a}'
refused 'a table does not make an extension' \
    '{"from":{"path":"/u/{a}.{b:t}"},"to":{"path":"/v/{a}.{b}"},
"tables":{"t":{"x":"css"}}}' "$look"
file '/u/{a}' '/u/{a}/index.html'
file '/u/**' '/v.css'
file '/u/{a}' '/u/{a}.php'
file '/x/{a:raw}/{b:raw}' '/y/{b}/{a}'
file '/x/{a:raw}/{b}' '/y/{b}/{a}'
no_file '/a/{a}.htm' '/a/{a}.html'
no_file '/a.PHP' '/a.HTML'
no_file '/a/{a}/index.html' '/a/{a}'
no_file '/**/index.html' '/**/'
no_file '/old/{a}.css' '/static/{a}.css'
no_file '/old/{a}.{b}' '/static/{a}.{b}'
no_file '/old/x-{a}.min.js' '/static/{a}.min.js'
no_file '/old/favicon.ico' '/favicon.ico'
no_file '/page/{}' '/show.php'
no_file '/x/*/print' '/x/*'
no_file '/x/*/{}' '/x/*'
no_file '/x/*/' '/x/*'
no_file '/old.css/{a}' '/new.css/{a}'


# --- what could go on for ever

refused 'two rules of one source' "$one,
{\"from\":{\"path\":\"/a/{other:any}\"},\"to\":{\"path\":\"/d\"}}" \
    '4:1: rule 2 has the same "from" as rule 1'
refused 'a rule that feeds itself' \
    '{"from":{"path":"/a/**"},"to":{"path":"/a/a/**"}}' \
    '3:1: the rule could apply again to what it has made'
refused 'a session in the way of a session' \
    '{"from":{"path":"/{:hex}/**"},"to":{"path":"/**"}}' \
    '3:1: the rule could apply again to what it has made'
refused 'rules in a circle' '{"from":{"path":"/a"},"to":{"path":"/b"}},
{"from":{"path":"/b"},"to":{"path":"/a"}}' \
    '4:1: rule 2 makes what could be changed by rule 1'
refused 'rules in a chain' '{"from":{"path":"/a"},"to":{"path":"/b"}},
{"from":{"path":"/b"},"to":{"path":"/c"}}' \
    '3:1: rule 1 makes what could be changed by rule 2'
refused 'a table in a circle' \
    '{"from":{"path":"/{a:t}"},"to":{"path":"/{a}"},
"tables":{"t":{"a":"b","b":"a"}}}' \
    '3:1: the rule could apply again to what it has made'
refused 'a host that changes after the path has' \
    '{"from":{"path":"/x"},"to":{"path":"/about"}},
{"from":{"host":"{}.example","path":"/about"},"to":{"host":"a.example"}}' \
    '3:1: rule 1 makes what could be changed by rule 2'
refused 'a path that changes only where hosts must stay' \
    '{"from":{"path":"/x"},"to":{"host":"a.example","path":"/y"}},
{"from":{"host":"m.example","path":"/y"},"to":{"path":"/z"}}' \
    '3:1: rule 1 makes what could be changed by rule 2'
taken 'a path and a host that change at once' \
    '{"from":{"host":"{}.example","path":"/about"},"to":{"host":"a.example"}},{"from":{"path":"/x"},"to":{"host":"a.example","path":"/y"}}'
taken 'a value that stands for all matches itself' \
    '{"from":{"path":"/s/{:hex}/{a}"},"to":{"path":"/s/0/{a}"}}'
taken 'two rules that lead to one' \
    '{"from":{"path":"/i/{:hex}/{a}"},"to":{"path":"/s/0/{a}"}},{"from":{"path":"/s/{:hex}/{a}"},"to":{"path":"/s/0/{a}"}}'


# --- images

map "$one,$two,$three" > "$tmp/map.json"
"$MIQPS" compile "$tmp/map.json" -o "$tmp/one.map"
same 'check counts them' ' 3 path rules' \
    "$("$MIQPS" check "$tmp/one.map" | cut -d, -f7)"
same 'so does show --stats' 3 \
    "$("$MIQPS" show --stats "$tmp/one.map" | awk '/^path rules/ { print $3 }')"
same 'a mirror has those of its host' "$order" \
    "$("$MIQPS" show "$tmp/one.map" m.example |
           sed 's/.*"rules":\[\(.*\)\]}$/\1/')"
same 'rules do not change what is said of parameters' 0 \
    "$("$MIQPS" diff "$tmp/one.map" "$tmp/one.map" | wc -l | tr -d ' ')"

map "${one%/b*}/e\"}},$three"',{"from":{"path":"/n"},"to":{"path":"/o"}}' \
    > "$tmp/map.json"
"$MIQPS" compile "$tmp/map.json" -o "$tmp/two.map"
same 'diff tells what became of them' \
'- a.example: rule gone: /a/{:digits}?* -> /c
! a.example: rule changed: /a/{}?* -> /e
! a.example: new rule: /n?* -> /o' "$("$MIQPS" diff "$tmp/one.map" "$tmp/two.map")"
same 'and in JSON' \
'{"change":"removed","dangerous":false,"host":"a.example","rule":{"from":{"path":"/a/{:digits}"},"to":{"path":"/c"}}}
{"change":"changed","dangerous":true,"host":"a.example","rule":{"from":{"path":"/a/{}"},"to":{"path":"/e"}},"before":{"from":{"path":"/a/{}"},"to":{"path":"/b"}}}
{"change":"added","dangerous":true,"host":"a.example","rule":{"from":{"path":"/n"},"to":{"path":"/o"}}}' \
    "$("$MIQPS" diff --json "$tmp/one.map" "$tmp/two.map")"

echo '{"host":"z.example"}' > "$tmp/map.json"
"$MIQPS" compile "$tmp/map.json" -o "$tmp/two.map"
same 'a host that is gone had some' '- a.example: 0 patterns, 3 rules' \
    "$("$MIQPS" diff "$tmp/one.map" "$tmp/two.map" | head -n 1)"


echo "1..$tests"
[ "$failed" -eq 0 ]
