#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps import": which rules come out of which lines of a list, what is left
# out and under which name, and that what comes out does what it should.  The
# lists here are made up; real ones are read where they are at hand.

# shellcheck disable=SC2016     # the dollar signs of AdGuard's lists

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

# run ARGUMENT...: sets $rc, $tmp/out, $tmp/err

run() {
    rc=0
    "$MIQPS" "$@" < /dev/null > "$tmp/out" 2> "$tmp/err" || rc=$?
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

    for file in want got out err; do
        if [ -s "$tmp/$file" ]; then
            echo "# $file:"
            head -c 2000 "$tmp/$file" | head -n 20 | sed 's/^/#   /'
            echo
        fi
    done
}

skip() {
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

# the rules of the last run on one line, without the version

compact() {
    tr -d ' \n' < "$tmp/out" | sed 's/"version":1,\{0,1\}//' > "$tmp/got"
    echo >> "$tmp/got"
}

# becomes NAME WANTED: the last run ended well, with these rules; strings hold
# no spaces here

becomes() {
    printf '%s\n' "$2" > "$tmp/want"
    status=0
    { [ "$rc" -eq 0 ] && compact && cmp -s "$tmp/want" "$tmp/got"; } ||
        status=1
    result $status "$1"
    rm -f "$tmp/want" "$tmp/got"
}

# reports NAME PATTERN: it ended well, and the report has such a line

reports() {
    printf '%s\n' "$2" > "$tmp/want"
    status=0
    { [ "$rc" -eq 0 ] && grep -qe "$2" "$tmp/err"; } || status=1
    result $status "$1"
    rm -f "$tmp/want"
}

# says NAME CODE PATTERN: it ended so, with one line of complaint, no result

says() {
    printf '%s\n' "$3" > "$tmp/want"
    status=0
    { [ "$rc" -eq "$2" ] && [ ! -s "$tmp/out" ] &&
          [ "$(wc -l < "$tmp/err")" -eq 1 ] &&
          grep -q '^miqps: import: ' "$tmp/err" &&
          grep -qe "$3" "$tmp/err"; } || status=1
    result $status "$1"
    rm -f "$tmp/want"
}

# adguard NAME LINES WANTED

adguard() {
    printf '%s\n' "$2" > "$tmp/list"
    run import --from adguard "$tmp/list"
    becomes "$1" "$3"
}

# adguard_not NAME LINE KIND: nothing comes of it, and the report says why

adguard_not() {
    printf '%s\n' "$2" > "$tmp/list"
    run import --from adguard "$tmp/list"

    printf '{}\n1  %s\n' "$3" > "$tmp/want"
    status=0
    { [ "$rc" -eq 0 ] && compact && [ "$(cat "$tmp/got")" = '{}' ] &&
          grep -q '^imported 0 rules for 0 hosts from 1 file; left out 1:$' \
              "$tmp/err" &&
          grep -qF "      1  $3, such as $tmp/list:1: $2" "$tmp/err"; } ||
        status=1
    result $status "$1"
    rm -f "$tmp/want" "$tmp/got"
}

# one provider of ClearURLs

provider() {
    printf '{"providers":{"p":{"urlPattern":"%s"%s}}}' "$1" "$2" |
        sed 's,\\,\\\\,g' > "$tmp/list"
}

# clearurls NAME PATTERN MEMBERS WANTED [OPTION...]; backslashes are doubled
# on the way into JSON

clearurls() {
    name=$1
    wanted=$4
    provider "$2" "$3"
    shift 4
    run import --from clearurls "$@" "$tmp/list"
    becomes "$name" "$wanted"
}

# clearurls_not NAME PATTERN MEMBERS KIND: rule "x" is left out

clearurls_not() {
    provider "$2" "$3"
    run import --from clearurls "$tmp/list"

    printf '{}\n%s\n' "$4" > "$tmp/want"
    status=0
    { [ "$rc" -eq 0 ] && compact && [ "$(cat "$tmp/got")" = '{}' ] &&
          grep -qF "1  $4, such as $tmp/list: p: " "$tmp/err"; } || status=1
    result $status "$1"
    rm -f "$tmp/want" "$tmp/got"
}

# strips NAME URL WANTED: under the rules of the last import

strips() {
    cp "$tmp/out" "$tmp/rules"
    run normalize --rules "$tmp/rules" "$2"
    printf '%s\n' "$3" > "$tmp/want"
    status=0
    { [ "$rc" -eq 0 ] && cmp -s "$tmp/want" "$tmp/out"; } || status=1
    result $status "$1"
    cp "$tmp/rules" "$tmp/out"
    rm -f "$tmp/want"
}


# --- arguments and files

run import --help
status=0
{ [ "$rc" -eq 0 ] && grep -q '^usage: miqps import ' "$tmp/out" &&
      [ ! -s "$tmp/err" ]; } || status=1
result $status 'help goes to standard output'

printf '! nothing\n' > "$tmp/list"

run import "$tmp/list"
says 'a format must be given' 2 '--from is missing'

run import --from easylist "$tmp/list"
says 'a format must be known' 2 "unknown format 'easylist'"

run import --from adguard
says 'a file must be given' 2 'no file'

run import --from
says 'an option wants its argument' 2 "'--from' needs an argument"

run import --from adguard --fast "$tmp/list"
says 'an option must be known' 2 "unknown option '--fast'"

run import --from adguard "$tmp/absent"
says 'a file that is not there fails' 1 "cannot open '$tmp/absent': No such"

run import --from adguard "$tmp"
says 'a directory fails' 1 "cannot read '$tmp'"

truncate -s 100M "$tmp/large"
run import --from adguard "$tmp/large"
says 'a file of 100 MB is refused' 1 'has 104857600 bytes, more than the 64 MiB'
rm "$tmp/large"

printf 'a\0b' > "$tmp/list"
run import --from adguard "$tmp/list"
says 'a file with a zero byte is refused' 1 'is not text, byte 1 is zero'

printf '$removeparam=a\n' > "$tmp/list"
run import --from adguard -o "$tmp/rules.json" "$tmp/list"
status=0
{ [ "$rc" -eq 0 ] && [ ! -s "$tmp/out" ] &&
      grep -q '"a"' "$tmp/rules.json"; } || status=1
result $status 'the result goes to a file'

run import --from adguard -o "$tmp/absent/rules.json" "$tmp/list"
says 'a file that cannot be made fails' 1 'cannot create'

run import --from adguard -o /dev/full "$tmp/list"
says 'a full device fails' 1 "cannot write '/dev/full': No space left"

run import --from clearurls -o "$tmp/rules.json" "$tmp/list"
status=0
{ [ "$rc" -eq 1 ] && grep -q '"a"' "$tmp/rules.json"; } || status=1
result $status 'a failure leaves the file as it was'

: > "$tmp/list"
run import --from adguard "$tmp/list"
becomes 'an empty list makes an empty rules file' '{}'
reports 'and an empty report' '^imported 0 rules for 0 hosts from 1 file; left out 0$'


# --- AdGuard: where

adguard 'a rule without a pattern holds everywhere' \
    '$removeparam=a' '{"strip":["a"]}'

adguard 'a star as a pattern is none' \
    '*$removeparam=a' '{"strip":["a"]}'

adguard 'a host is the host and those below it' \
    '||x.example^$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["a"]}]}'

adguard 'hosts are lower case' \
    '||X.Example^$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["a"]}]}'

adguard 'a host without an end is a host' \
    '||x.example$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["a"]}]}'

adguard 'a star in place of the suffix stays' \
    '||shop.*^$removeparam=a' \
    '{"sites":[{"hosts":["shop.*","*.shop.*"],"strip":["a"]}]}'

adguard 'a dot at the end is a star in place of the suffix' \
    '||shop.$removeparam=a' \
    '{"sites":[{"hosts":["shop.*","*.shop.*"],"strip":["a"]}]}'

adguard 'a pattern that begins behind the scheme is for the host alone' \
    '://x.example/$removeparam=a' \
    '{"sites":[{"hosts":["x.example"],"strip":["a"]}]}'

adguard 'a pattern that looks like a host is one' \
    'x.example^$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["a"]}]}'

adguard 'an address has no hosts below it' \
    '||192.0.2.1^$removeparam=a' \
    '{"sites":[{"hosts":["192.0.2.1"],"strip":["a"]}]}'

adguard 'a path is the beginning of one' \
    '||x.example/go/$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["/go/*"],"strip":["a"]}]}'

adguard 'a question mark ends the path' \
    '||x.example/go?$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["/go"],"strip":["a"]}]}'

adguard 'a separator ends the path or goes on with a slash' \
    '||x.example/go^$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["/go","/go/*"],"strip":["a"]}]}'

adguard 'one star in a path stays' \
    '||x.example/*.htm?$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["/*.htm"],"strip":["a"]}]}'

adguard 'more stars make a regular expression' \
    '||x.example/*/item.$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["~^/.*/item\\."],"strip":["a"]}]}'

adguard 'a path at any host may stand below another' \
    '/view.php?$removeparam=a' \
    '{"sites":[{"paths":["*/view.php"],"strip":["a"]}]}'

adguard 'a path at any host that goes on is taken from the root' \
    '/landing.$removeparam=a' \
    '{"sites":[{"paths":["/landing.*"],"strip":["a"]}]}'

adguard 'domain= gives the hosts' \
    '$removeparam=a,domain=x.example|y.*' \
    '{"sites":[{"hosts":["x.example","*.x.example","y.*","*.y.*"],"strip":["a"]}]}'

adguard 'domain= with ~ makes an exception' \
    '$removeparam=a,domain=x.example|~m.x.example' \
    '{"sites":[{"hosts":["m.x.example","*.m.x.example"],"except":["a"]},{"hosts":["x.example","*.x.example"],"strip":["a"]}]}'

adguard 'domain= with ~ alone is everywhere else' \
    '$removeparam=a,domain=~x.example' \
    '{"strip":["a"],"sites":[{"hosts":["x.example","*.x.example"],"except":["a"]}]}'

adguard 'denyallow= makes an exception' \
    '$denyallow=x.example,removeparam=a' \
    '{"strip":["a"],"sites":[{"hosts":["x.example","*.x.example"],"except":["a"]}]}'

adguard 'the end of a host is looked up in domain=' \
    '.example/*/s/$removeparam=a,domain=x.example|y.test' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["~^/.*/s/"],"strip":["a"]}]}'

adguard 'a pair is a rule on a value' \
    'ref=partner^$removeparam=ref' '{"strip":["ref=partner"]}'

adguard 'rules for the same hosts and paths are one entry, sorted, without doubles' \
    '||x.example^$removeparam=b
||x.example^$removeparam=a
$removeparam=a,domain=x.example
||x.example^$removeparam=b' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["a","b"]}]}'

printf '||x.example^$removeparam=b\n$removeparam=c\n' > "$tmp/one"
printf '||x.example^$removeparam=a\n' > "$tmp/two"
run import --from adguard "$tmp/one" "$tmp/two"
cp "$tmp/out" "$tmp/first"
reports 'files are counted' '^imported 3 rules for 1 host from 2 files; left out 0$'
run import --from adguard "$tmp/two" "$tmp/one"
status=0
cmp -s "$tmp/first" "$tmp/out" || status=1
result $status 'the order of files does not matter'

cat > "$tmp/want" <<'END'
{
  "version": 1,
  "strip": [
    "c"
  ],
  "sites": [
    {
      "hosts": ["x.example", "*.x.example"],
      "strip": [
        "a",
        "b"
      ]
    }
  ]
}
END
status=0
cmp -s "$tmp/want" "$tmp/out" || status=1
result $status 'there is one rule a line'
rm "$tmp/want"


# --- AdGuard: names

adguard 'queryprune is removeparam' '$queryprune=a' '{"strip":["a"]}'

adguard 'a name keeps its case and its escapes' \
    '$removeparam=%243P' '{"strip":["%243P"]}'

adguard 'an escape of a letter is the letter' \
    '$removeparam=%61b' '{"strip":["ab"]}'

adguard 'a name that begins with a tilde is not a regular expression' \
    '$removeparam=%7Ea' '{"strip":["%7Ea"]}'

adguard 'a name with a star is not a wildcard' \
    '$removeparam=a*b' '{"strip":["~^a\\*b$"]}'

adguard 'a name that is not ASCII is escaped' \
    "$(printf '$removeparam=\303\251')" '{"strip":["%C3%A9"]}'

adguard 'a name may end with a dollar sign' \
    '||x.example^$removeparam=l$' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["l$"]}]}'

adguard 'a regular expression from the start is a prefix' \
    '$removeparam=/^utm_/' '{"strip":["utm_*"]}'

adguard 'one up to the equals sign is a name' \
    '$removeparam=/^ref=/' '{"strip":["ref"]}'

adguard 'a choice is written out' \
    '$removeparam=/^(a|b[cd])=/' '{"strip":["a","bc","bd"]}'

adguard 'alternatives are rules of their own' \
    '$removeparam=/^a_|b=|cd/' '{"strip":["*b","a_*","~cd"]}'

adguard 'anything behind a prefix is the prefix' \
    '$removeparam=/^a_.*/' '{"strip":["a_*"]}'

adguard 'other expressions stay' \
    '$removeparam=/^cd\d+/' '{"strip":["~^cd\\d+"]}'

adguard 'a flag makes them ignore case' \
    '$removeparam=/^cd/i' '{"strip":["~*^cd"]}'

adguard 'an escaped comma is a comma' \
    '$removeparam=/^a{2\,3}b/' '{"strip":["~^a{2,3}b"]}'

adguard 'an escaped dollar sign is one' \
    '||x.example^$removeparam=/^\\$ja=/' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["$ja"]}]}'

adguard 'no name means all names at that host' \
    '||x.example^$removeparam' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["*"]}]}'

adguard 'a tilde means all other names at that host' \
    '||x.example^$removeparam=~r' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["~^(?!r$)"]}]}'


# --- AdGuard: exceptions

adguard 'an exception is one' \
    '@@||x.example^$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"except":["a"]}]}'

adguard 'an exception without a name is for all' \
    '@@||x.example^$removeparam' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"except":["*"]}]}'

adguard 'an exception everywhere is one' \
    '@@$removeparam=a' '{"except":["a"]}'

adguard 'the path of an exception ignores case, as the list does' \
    '@@||x.example/go/$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["~(?i)^/go/"],"except":["a"]}]}'

adguard 'an exception loses what reaches into the query' \
    '@@||x.example/go?id=$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["~(?i)^/go$"],"except":["a"]}]}'
reports 'and the report says so' '1  are exceptions made wider'

adguard 'an exception ends at a star' \
    '@@||x.example/a/*/b$removeparam=a' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["~(?i)^/a/"],"except":["a"]}]}'

adguard 'an exception for scripts is one for all' \
    '@@||x.example/api$removeparam=a,xmlhttprequest' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["~(?i)^/api"],"except":["a"]}]}'

adguard 'an exception by the page that links is one for all' \
    '@@||x.example^$removeparam=a,domain=y.example' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"except":["a"]}]}'

adguard 'an exception by text anywhere holds for all paths of its hosts' \
    '@@/e/er?$removeparam=a,domain=x.example' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"except":["a"]}]}'

adguard 'an exception that could be anywhere takes the strip with it' \
    '@@/login?a=$removeparam=a
$removeparam=a
$removeparam=b' '{"strip":["b"]}'
reports 'and both are left out' \
    '2  have an exception that cannot be told by host and path, such as .*list:1: @@/login'

adguard 'an exception to a rule that is left out is not needed' \
    '@@||x.example^$removeparam=/^a=1/' '{}'
reports 'and left out' '1  are exceptions to rules that are left out'

adguard 'badfilter switches a rule off, in any order of modifiers' \
    '||x.example^$removeparam=a,document
||x.example^$removeparam=b
||x.example^$document,removeparam=a,badfilter' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"strip":["b"]}]}'
reports 'and the rule is left out' '1  are switched off by a rule with badfilter'


# --- AdGuard: what is left out

adguard_not 'a rule by another parameter' \
    '||x.example/?id=$removeparam=a' \
    'depend on other parameters or on their order'

adguard_not 'a rule by the first parameter' \
    '?a=1^$removeparam=a' 'depend on other parameters or on their order'

adguard_not 'a rule by a value' \
    '$removeparam=/^a=[0-9]{6\,}/' 'depend on the value of the parameter'

adguard_not 'a rule by the end of the value' \
    '$removeparam=/^a$/' 'depend on the value of the parameter'

adguard_not 'a name with an equals sign' \
    '$removeparam=a=b' 'depend on the value of the parameter'

adguard_not 'a look-ahead' \
    '$removeparam=/^a(?!b)/' 'have a regular expression that cannot be taken over'

adguard_not 'a regular expression without an end' \
    '$removeparam=/^(a/' 'have a regular expression that cannot be taken over'

adguard_not 'a regular expression that repeats a repetition' \
    '$removeparam=/^(a+)+b/' \
    'have a regular expression that cannot be taken over'

adguard_not 'a rule for scripts' \
    '||x.example^$removeparam=a,script' \
    'hold for other requests than those of pages'

adguard_not 'a rule for all but pages' \
    '||x.example^$removeparam=a,~document' \
    'hold for other requests than those of pages'

adguard_not 'a rule for third parties' \
    '||x.example^$removeparam=a,third-party' \
    'depend on who sends the request, first or third party'

adguard_not 'a rule for an application' \
    '||x.example^$removeparam=a,app=y' 'hold for one application'

adguard_not 'a rule by the page that links' \
    '||x.example^$removeparam=a,domain=y.example' \
    'depend on the page that links to the URL'

adguard_not 'an unknown modifier' \
    '||x.example^$removeparam=a,header=b' 'have a modifier without counterpart'

adguard_not 'a pattern that is a regular expression' \
    '/x[0-9]/$removeparam=a' 'have a URL pattern that is not a host and a path'

adguard_not 'a scheme' \
    '|https://x.example^$removeparam=a' 'hold for one scheme only'

adguard_not 'a host with a star within' \
    '||x*y.example^$removeparam=a' 'name a host that cannot be written'

adguard_not 'all parameters everywhere' \
    '$removeparam' 'remove every parameter, at any host'

adguard_not 'all other parameters everywhere' \
    '$removeparam=~a' 'remove all parameters but some'

adguard_not 'a rule about the look of pages' \
    'x.example##.banner' 'change how pages look'

adguard_not 'a rule that blocks' '||x.example^' 'are not about parameters'

adguard_not 'another list' '!#include more.txt' 'include another list'

adguard_not 'two names in one rule' \
    '||x.example^$removeparam=a,removeparam=b' 'cannot be read'

printf '! comment\n[Adblock Plus 2.0]\n# comment\n\n!#if a\n$removeparam=a\r\n!#endif' \
    > "$tmp/list"
run import --from adguard "$tmp/list"
becomes 'comments, conditions and carriage returns do not count' '{"strip":["a"]}'
reports 'not in the report either' '; left out 0$'

printf '$removeparam=a\n||x.example/?b=$removeparam=a\n' > "$tmp/list"
run import --from adguard --verbose "$tmp/list"
reports 'with --verbose each line is told' \
    "^$tmp/list:2: ||x.example/?b=\$removeparam=a  (depend on"

printf '||\033[31m^$removeparam=a\n' > "$tmp/list"
run import --from adguard --verbose "$tmp/list"
reports 'control bytes do not reach the terminal' '^[ -~]*list:1: ||?\[31m'


# --- ClearURLs

clearurls 'the provider for all is everywhere' \
    '.*' ',"rules":["a"]' '{"strip":["a"]}'

clearurls 'the usual pattern is a host and those below it' \
    '^https?:\/\/(?:[a-z0-9-]+\.)*?x\.example' ',"rules":["a"]' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"note":"p","strip":["a"]}]}'

clearurls 'without hosts below it is the host' \
    '^https?://x\.example' ',"rules":["a"]' \
    '{"sites":[{"hosts":["x.example"],"note":"p","strip":["a"]}]}'

clearurls 'any suffix is a star' \
    '^https?:\/\/(?:[a-z0-9-]+\.)*?x(?:\.[a-z]{2,}){1,}' ',"rules":["a"]' \
    '{"sites":[{"hosts":["x.*","*.x.*"],"note":"p","strip":["a"]}]}'

clearurls 'a choice of hosts is written out' \
    '^https?:\/\/(?:www\.)?li[bv]re\.(?:example|test)' ',"rules":["a"]' \
    '{"sites":[{"hosts":["libre.example","libre.test","livre.example","livre.test","www.libre.example","www.libre.test","www.livre.example","www.livre.test"],"note":"p","strip":["a"]}]}'

clearurls 'a choice of a host and a suffix' \
    '^https?:\/\/(?:[a-z0-9-]+\.)*?(?:x(?:\.[a-z]{2,}){1,}|y\.example)' \
    ',"rules":["a"]' \
    '{"sites":[{"hosts":["x.*","*.x.*","y.example","*.y.example"],"note":"p","strip":["a"]}]}'

clearurls 'a path is the beginning of one' \
    '^https?:\/\/x\.example\/learn' ',"rules":["a"]' \
    '{"sites":[{"hosts":["x.example"],"paths":["/learn*"],"note":"p","strip":["a"]}]}'

clearurls 'a question mark ends the path' \
    '^https?:\/\/x\.example\/s\?' ',"rules":["a"]' \
    '{"sites":[{"hosts":["x.example"],"paths":["/s"],"note":"p","strip":["a"]}]}'

clearurls 'other paths are regular expressions' \
    '^https?:\/\/x\.example\/v[0-9]+\/' ',"rules":["a"]' \
    '{"sites":[{"hosts":["x.example"],"paths":["~(?i)^/v[0-9]+/"],"note":"p","strip":["a"]}]}'

clearurls 'some may end with a question mark' \
    '^https?:\/\/x\.example\/(?:a\/|b\?)' ',"rules":["a"]' \
    '{"sites":[{"hosts":["x.example"],"paths":["~(?i)^/(?:a/|b$)"],"note":"p","strip":["a"]}]}'

clearurls 'names in a choice are written out' \
    '.*' ',"rules":["fb_(?:x|y)","re?f_?","[ab]c"]' \
    '{"strip":["ac","bc","fb_x","fb_y","ref","ref_","rf","rf_"]}'

clearurls 'a question mark before a name goes' \
    '.*' ',"rules":["(?:%3F)?gclid"]' '{"strip":["gclid"]}'

clearurls 'a literal and anything is a wildcard' \
    '.*' ',"rules":["utm_.*"]' '{"strip":["utm_*"]}'

clearurls 'a literal and some letters is not' \
    '.*' ',"rules":["utm_[a-z]*","a|b[0-9]+"]' \
    '{"strip":["~*^(?:a|b[0-9]+)$","~*^utm_[a-z]*$"]}'

clearurls 'a name with brackets may come escaped' \
    '.*' ',"rules":["a\[\]"]' '{"strip":["a%5B%5D","a[]"]}'

clearurls 'an exception at the same hosts is cut out of the paths' \
    '^https?:\/\/(?:[a-z0-9-]+\.)*?x\.example' \
    ',"rules":["a"],"exceptions":["^https?:\/\/(?:[a-z0-9-]+\.)*?x\.example\/(?:api\/|s\?)"]' \
    '{"sites":[{"hosts":["x.example","*.x.example"],"paths":["~^(?!(?i:/(?:api/|s$)))"],"note":"p","strip":["a"]}]}'
strips 'so that nothing is stripped there' \
    'https://www.x.example/API/y?a=1' 'https://www.x.example/API/y?a=1'
strips 'but elsewhere' 'https://www.x.example/y?a=1' 'https://www.x.example/y'

clearurls 'an exception at other hosts repeats the names' \
    '^https?:\/\/(?:[a-z0-9-]+\.)*?x\.example' \
    ',"rules":["a"],"exceptions":["^https?:\/\/m\.x\.example","^https?:\/\/n\.x\.example\/y"]' \
    '{"sites":[{"hosts":["m.x.example"],"note":"p","except":["a"]},{"hosts":["n.x.example"],"paths":["~(?i)^/y"],"note":"p","except":["a"]},{"hosts":["x.example","*.x.example"],"note":"p","strip":["a"]}]}'

clearurls 'an exception loses what reaches into the query' \
    '.*' \
    ',"rules":["a"],"exceptions":["^https?:\/\/x\.example\/login.*?b="]' \
    '{"strip":["a"],"sites":[{"hosts":["x.example"],"paths":["~(?i)^/login"],"note":"p","except":["a"]}]}'
reports 'and the report says so' '1  are exceptions made wider'

clearurls 'an exception anywhere keeps the parameter it asks for' \
    '.*' \
    ',"rules":["a","ref_?"],"exceptions":["^https?:\/\/git\.[^/]*\/[^?]+\?.*?&?ref_?="]' \
    '{"strip":["a"],"sites":[{"hosts":["git.*"],"note":"p","except":["a"]}]}'

clearurls 'an exception for other schemes is none' \
    '.*' ',"rules":["a"],"exceptions":["^wss?:\/\/x\.example"]' \
    '{"strip":["a"]}'

clearurls 'referral parameters stay' \
    '.*' ',"rules":["a"],"referralMarketing":["tag"]' '{"strip":["a"]}'
reports 'and are counted' '1  name a referral parameter, see --referral'

clearurls 'unless they are asked for' \
    '.*' ',"rules":["a"],"referralMarketing":["tag"]' '{"strip":["a","tag"]}' \
    --referral

clearurls_not 'an exception that may be anywhere' \
    '.*' ',"rules":["x"],"exceptions":["x\.example"]' \
    'have an exception that cannot be told by host and path'

clearurls_not 'an exception for the whole provider' \
    '^https?:\/\/x\.example' \
    ',"rules":["x"],"exceptions":["^https?:\/\/x\.example\/.*?ajax\/"]' \
    'have an exception that cannot be told by host and path'

clearurls_not 'exceptions that are no list' \
    '.*' ',"rules":["x"],"exceptions":"none"' 'cannot be read'

clearurls_not 'a provider to block' \
    '.*' ',"completeProvider":true' 'block a whole provider'

clearurls_not 'a redirection' '.*' ',"redirections":["x"]' 'follow a redirection'

clearurls_not 'a redirection by force' \
    '.*' ',"forceRedirection":true' 'force a redirection'

clearurls_not 'a change of the URL as text' \
    '.*' ',"rawRules":["x"]' 'change the URL as text'

clearurls_not 'a pattern without a host' \
    'x\.example' ',"rules":["x"]' \
    'have a URL pattern that is not a host and a path'

clearurls_not 'a host that no URL can have' \
    '^https?:\/\/[z-a]\.example' ',"rules":["x"]' \
    'have a URL pattern that is not a host and a path'

clearurls_not 'a host that goes on' \
    '^https?:\/\/git\.[a-c]+\/' ',"rules":["x"]' \
    'have a URL pattern that is not a host and a path'

clearurls_not 'an exception that is a choice of URLs' \
    '.*' ',"rules":["x"],"exceptions":["^https?:\/\/x\.example|y"]' \
    'have an exception that cannot be told by host and path'

clearurls_not 'a pattern with a query' \
    '^https?:\/\/x\.example\/s\?b=1' ',"rules":["x"]' \
    'depend on other parameters or on their order'

clearurls_not 'a pattern for one scheme' \
    '^https:\/\/x\.example' ',"rules":["x"]' 'hold for one scheme only'

clearurls_not 'a regular expression that is none' \
    '.*' ',"rules":["x("]' 'have a regular expression that cannot be taken over'

printf '{"providers":\n  {"p":}}' > "$tmp/list"
run import --from clearurls "$tmp/list"
says 'what is not JSON is refused, with its place' 1 'list:2:8: not JSON'

printf '[]' > "$tmp/list"
run import --from clearurls "$tmp/list"
says 'other JSON is refused' 1 'no object "providers"'

printf '{"providers":{"p":{"urlPattern":".*","rules":["a\\u0000b"]}}}' \
    > "$tmp/list"
run import --from clearurls "$tmp/list"
says 'an escaped zero byte is refused' 1 'an escaped zero byte'


# --- what comes out does what it should

printf '%s\n' '$removeparam=utm_source' '$removeparam=/^trk/' \
    '||shop.*/p/$removeparam=ref' '@@||mail.example/go$removeparam' \
    '@@||shop.example/p/1$removeparam=utm_source' > "$tmp/list"
run import --from adguard "$tmp/list"

strips 'a name and a prefix go' \
    'https://a.example/?utm_source=1&trk_x=2&q=3' 'https://a.example/?q=3'
strips 'a site loses what is its own' \
    'https://www.shop.co.uk/p/2?ref=1&q=2' 'https://www.shop.co.uk/p/2?q=2'
strips 'on its own paths' \
    'https://www.shop.co.uk/q/2?ref=1&q=2' 'https://www.shop.co.uk/q/2?ref=1&q=2'
strips 'an exception for one name takes back one' \
    'https://shop.example/p/1?utm_source=1&trk=2&ref=3' \
    'https://shop.example/p/1?utm_source=1'
strips 'an exception for all takes back all' \
    'https://mail.example/GO/1?utm_source=1&trk=2' \
    'https://mail.example/GO/1?utm_source=1&trk=2'


# --- real lists

# accepted LIST: the rules of the last run are rules to "miqps normalize"

accepted() {
    cp "$tmp/out" "$tmp/rules"
    run normalize --rules "$tmp/rules" 'https://a.example/?utm_medium=1&q=2'
    status=0
    [ "$rc" -eq 0 ] && [ "$(cat "$tmp/out")" = 'https://a.example/?q=2' ] ||
        status=1
    result $status "the rules of $1 are accepted and work"
}

# share NAME FIRST LEAST: of the rules counted by FIRST, the percentage that
# was imported is at least LEAST

share() {
    taken=$(sed -n 's/^imported \([0-9]*\) .*/\1/p' "$tmp/err")
    status=0
    [ "${taken:-0}" -gt 0 ] && [ $((taken * 100)) -ge $(($2 * $3)) ] ||
        status=1
    result $status "$1: $taken of $2, at least $3 %"
}

if [ -r "$data/clearurls/data.min.json" ]; then
    run import --from clearurls "$data/clearurls/data.min.json"
    share 'names of ClearURLs are imported' "$(python3 -c '
import json, sys
providers = json.load(open(sys.argv[1]))["providers"]
print(sum(len(p["rules"]) for p in providers.values()))' \
        "$data/clearurls/data.min.json")" 90
    accepted ClearURLs
else
    skip 'names of ClearURLs are imported' "no $data/clearurls"
    skip 'the rules of ClearURLs are accepted and work' "no $data/clearurls"
fi

if [ -r "$data/adguard/specific.txt" ]; then
    run import --from adguard "$data"/adguard/*.txt
    share 'removeparam rules of AdGuard are imported' \
        "$(cat "$data"/adguard/*.txt | grep -v '^!' | grep -c removeparam)" 95
    accepted AdGuard

    # a URL for each of 200 rules that name a host and a parameter, without
    # those hosts that have exceptions

    sed -n 's/^@@||\([a-z0-9.-]*\).*/\1/p' "$data"/adguard/*.txt |
        sort -u > "$tmp/excepted"

    sed -nE 's/^\|\|([a-z0-9.-]+)\^\$removeparam=([A-Za-z0-9_-]+)$/\1 \2/p' \
        "$data/adguard/specific.txt" | grep -vFf "$tmp/excepted" |
        awk 'NR % 6 == 1 && n++ < 200 {
            print "https://" $1 "/x?keep=1&" $2 "=2"
        }' > "$tmp/urls"

    rc=0
    "$MIQPS" normalize --rules "$tmp/rules" < "$tmp/urls" > "$tmp/out" \
        2> "$tmp/err" || rc=$?
    sed 's/&.*//' "$tmp/urls" > "$tmp/want"
    status=0
    { [ "$rc" -eq 0 ] && [ "$(wc -l < "$tmp/urls")" -eq 200 ] &&
          cmp -s "$tmp/want" "$tmp/out"; } || status=1
    diff "$tmp/want" "$tmp/out" > "$tmp/got" || true
    result $status '200 rules of AdGuard strip what they name'
else
    skip 'removeparam rules of AdGuard are imported' "no $data/adguard"
    skip 'the rules of AdGuard are accepted and work' "no $data/adguard"
    skip '200 rules of AdGuard strip what they name' "no $data/adguard"
fi

echo "1..$tests"
[ "$failed" -eq 0 ]
