#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps eval --truth": what is counted, and what is no truth.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

. tests/cli/lib.sh

# truth LINE...: fields are separated by spaces here

truth() {
    printf '%s\n' "$@" | tr ' ' '\t' > "$tmp/truth"
}

# says NAME WANTED KEY...

says() {
    name=$1
    want=$2
    shift 2
    status=0
    echo "$* $want" > "$tmp/want"
    { [ "$rc" -eq 0 ] && [ ! -s "$tmp/err" ] &&
          grep -qxF "$* $want" "$tmp/flat"; } || status=1
    result $status "$name"
}

eval_json() {
    run eval --truth "$tmp/truth" --json "$@"
    flatten
}

# a line for each number: its keys, and what it is

flatten() {
    python3 - "$tmp/out" > "$tmp/flat" 2>/dev/null <<'END' || :
import json
import sys


def flat(value, keys):
    items = value.items() if isinstance(value, dict) else enumerate(value) \
        if isinstance(value, list) else ()

    for key, one in items:
        flat(one, keys + [str(key)])

    if not isinstance(value, (dict, list)):
        print(*keys, value)


flat(json.load(open(sys.argv[1])), [])
END
}


# --- what is counted

site() {
    truth \
        'page https://a.example/p?id=1 one' \
        'page https://a.example/p?id=1&trk=8 one' \
        'page https://a.example/p?id=2&trk=9 two' \
        'page https://a.example/p?id=2&trk=7 two' \
        'page https://a.example/p?trk=5 home' \
        'page https://a.example/p home' \
        'param a.example id&trk id matters' \
        'param a.example id&trk trk neutral' \
        'param a.example id id matters' \
        'param a.example trk trk neutral' \
        'param a.example id&other other neutral'
}

site
eval_json
says 'without rules nothing is stripped' 0 params neutral stripped
says 'what is stripped or kept has a kind' 2 params neutral kept
says 'what no URL has is counted apart' 1 absent
says 'every URL is its own form' 6 forms
says 'pages are counted by their names' 3 pages
says 'no duplicate is gone' 0 dup_reduction

eval_json --strip trk
says 'what does not matter is stripped' 2 params neutral stripped
says 'what matters is kept' 2 params matters kept
says 'URLs meet' 3 forms
says 'half of them are gone' 0.5 compression
says 'every duplicate is gone' 1 dup_reduction
says 'nobody is misled' 0 misled urls
says 'no page is lost' 0 pages_lost

eval_json --strip id,trk
says 'what matters is stripped' 2 params matters stripped
says 'pages meet that are not the same' 1 wrong_merges
says 'who asked for another one is misled' 4 misled urls
says 'what nobody reaches is lost' 2 pages_lost
says 'duplicates that meet others are gone all the same' 1 dup_reduction
says 'a parameter is named' id wrong_params 0 name
says 'so is its pattern' 'id&trk' wrong_params 1 names
says 'and its host' a.example wrong_params 1 host
says 'a URL is named' 'https://a.example/p?id=1' misled_urls 0 url

run eval --truth "$tmp/truth" --strip id,trk
status=0
grep -q 'misled URLs *4  66.67 %, 30.00 to 90.32 %' "$tmp/out" &&
    grep -q '^  a.example  id&trk  id$' "$tmp/out" &&
    grep -q '  https://a.example/p?id=1  one  https://a.example/p$' "$tmp/out" ||
    status=1
result $status 'people are told the same'

site
"$MIQPS" eval --truth - --json --strip trk < "$tmp/truth" > "$tmp/out"
flatten
says 'the truth may come from standard input' 3 forms

cat > "$tmp/map.json" <<'END'
{"host": "a.example", "patterns": [
  {"params": ["id", "trk"], "keep": ["id"]},
  {"params": ["trk"], "keep": []}]}
END
"$MIQPS" compile "$tmp/map.json" -o "$tmp/map.image"
eval_json --map "$tmp/map.image"
says 'a map is taken' 3 forms

truth \
    'page https://a.example/p?b=2&a=1 one' \
    'page https://a.example/p?a=1&b=2 one'
eval_json --sort
says 'order may be one' 1 forms


# --- of another program

site
printf '%s\t%s\n' \
    'https://a.example/p?id=2&trk=7' 'https://a.example/2' \
    'https://a.example/p?id=2&trk=9' 'https://a.example/2' \
    'https://a.example/p?id=1&trk=8' 'https://a.example/' \
    'https://a.example/p?id=1' 'https://a.example/' \
    'https://a.example/p' 'https://a.example/' > "$tmp/forms"
eval_json --forms "$tmp/forms"
says 'forms are taken from a file' 3 forms
says 'what is not in there stays' 2 params matters stripped
says 'most URLs of a form say what it is' 1 misled urls
says 'one page more is served by itself' 0 pages_lost

printf '%s\t%s\n' https://a.example/nowhere x > "$tmp/forms"
eval_json --forms "$tmp/forms"
fails 'a URL that is not in the truth' 1 'forms:1: not a URL of the truth'
echo 'https://a.example/p' > "$tmp/forms"
eval_json --forms "$tmp/forms"
fails 'a URL without a form' 1 'forms:1: not a URL of the truth, a tab and'
eval_json --forms "$tmp/forms" --tracking
fails 'forms and rules' 2 'no rule beside them'


# --- roles

truth 'page http://a.example/?a=1 x' 'param a.example a a neutral' \
    'param a.example a a alias'
eval_json --strip a
says 'what has two roles matters' 1 params matters stripped

truth 'page http://a.example/?b=1&a=1 x' 'param a.example a&b a alias' \
    'param a.example a&b b alias'
eval_json --strip a,b
says 'of several names for one thing each is counted' 2 params alias stripped

truth 'page http://a.example/?a=1;b=2 x' 'param a.example a a neutral'
eval_json --strip a
says 'queries that are left alone have no parameters' 1 absent


# --- no truth

: > "$tmp/truth"
eval_json
fails 'nothing' 1 'the truth has no pages'
truth 'param a.example a a neutral'
eval_json
fails 'no pages' 1 'the truth has no pages'
truth 'page http://a.example/'
eval_json
fails 'a field too few' 1 'truth:1: not "page", URL and page'
truth 'page http://a.example/ x y z zz'
eval_json
fails 'fields too many' 1 'truth:1: not'
truth 'page http://a.example/ x' 'param a.example a a perhaps'
eval_json
fails 'a role that there is not' 1 'truth:2: not'
truth 'page http://a.example/ x' 'page http://a.example/ y'
eval_json
fails 'a URL that is two pages' 1 "'http://a.example/' is two pages, 'x' and"
truth 'page http://a.example/ x' 'page http://a.example/ x'
eval_json
says 'a URL that is there twice is one' 1 urls
printf 'page\thttp://a.example/\0\tx\n' > "$tmp/truth"
eval_json
fails 'a zero byte' 1 'truth:1: not'
printf 'page\thttp://a.example/\377?a=\377\tx\377\n' > "$tmp/truth"
eval_json
says 'bytes that are no text' 1 forms
truth 'page nonsense x' 'page http:// x' 'page /p?a=1 y'
eval_json --strip a
says 'what is no URL is its own form' 3 forms

python3 -c '
print("page\thttp://a.example/?a=%s\tx" % ("1" * 1000000))
print("page\thttp://a.example/?b=1\tx")
print("param\ta.example\t%s\ta\tneutral" % ("a" * 1000000))' > "$tmp/truth"
eval_json --strip a
says 'a megabyte' 1 absent

run eval --truth "$tmp/nowhere"
fails 'no file' 1 'cannot open'
run eval
fails 'no truth' 2 'name the truth'
run eval --truth "$tmp/truth" more
fails 'more than options' 2 "'more' is no option"
run eval --nonsense
fails 'no such option' 2 'nonsense'
run eval --truth "$tmp/truth" --map "$tmp/truth"
fails 'no map' 1 'eval: '
run eval --truth "$tmp/truth" --store "sqlite:$tmp/nowhere"
fails 'no store' 1 'eval: '

echo "1..$tests"
[ $failed -eq 0 ]
