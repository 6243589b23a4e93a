#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps publish", "history" and "rollback" without nginx: which maps are
# refused, what is archived, and whose files are not written to.

set -eu

cd "$(dirname "$0")/../.."

MIQPS=${MIQPS:-$PWD/build/miqps}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

. tests/cli/lib.sh

maps=$tmp/maps
mkdir "$maps"
python3 tests/support/publish_maps.py "$maps"

echo 'https://shop0.example/p?id0=1' > "$tmp/urls"
"$MIQPS" ingest --quiet --store "sqlite:$tmp/empty" "$tmp/urls"

# publish OPTION...: to the file of this test

publish() {
    run publish --store "sqlite:$tmp/store" --map "$tmp/map" "$@"
}

# again: what there was when the base had been published

again() {
    rm -f "$tmp/store"* "$tmp/map"
    cp "$tmp/base.store" "$tmp/store"
    cp "$tmp/base.map" "$tmp/map"
}

# says NAME CODE PATTERN: it ended so, and the output or complaint has this

says() {
    printf '%s\n' "$3" > "$tmp/want"
    status=0
    { [ "$rc" -eq "$2" ] && cat "$tmp/out" "$tmp/err" | grep -q "$3"; } ||
        status=1
    result $status "$1"
}


# --- the first one, and the same again

cp "$tmp/empty" "$tmp/store"
publish --source "$maps/base"
says 'a map is published' 0 '^published as 1: 12 hosts, 120 patterns, image'
publish --source "$maps/base"
prints 'the same is not published again' 'nothing to publish'
cp "$tmp/store" "$tmp/base.store"
cp "$tmp/map" "$tmp/base.map"


# --- bad ones: the file stays, and there is a reason

for map in "$maps"/bad-*; do
    again
    publish --source "$map"
    status=0
    { [ "$rc" -eq 3 ] && cmp -s "$tmp/map" "$tmp/base.map" &&
          cat "$tmp/out" "$tmp/err" |
          grep -qE 'refused, it stays .*;|is refused: it '; } || status=1
    result $status "refused: ${map##*/}"
done


# --- good ones: what was kept is kept

for map in "$maps"/good-*; do
    again
    publish --source "$map"
    status=0
    { [ "$rc" -eq 0 ] && ! cmp -s "$tmp/map" "$tmp/base.map" &&
          grep -q '^published as 2: ' "$tmp/out"; } || status=1
    result $status "published: ${map##*/}"
done

# of one in doubt, the union

again
publish --source "$maps/good-19-one_in_doubt"
says 'what is in doubt is told' 0 \
    'shop7.example: taken, and what mattered is kept; 1 of 10 .*q7(lost)'
run show "$tmp/map"
says 'what is in doubt is kept' 0 '"params":\["cid","q7"\],"keep":\["q7"\]'
says 'what is new is taken' 0 '"params":\["added19"\]'


again
publish --source "$maps/good-32-rule_in_doubt"
says 'so is a path rule' 0 \
    'shop8.example: taken, .*; 1 path rule would .*; 1 of 10 .*q8(lost)'
run show "$tmp/map"
says 'it is left out, and the others are taken' 0 \
    '"rules":\[{"from":{"path":"/s/{:hex}/{a}"},"to":{"path":"/s/0/{a}"}}\]'

# what a rule has written is kept as well

rules_of() {
    proven="${1%\}}, \"evidence\": {\"pairs\": 3}}"
    sed "1s|}\$|, \"rules\": [$proven]}|" "$maps/base" > "$tmp/rules.json"
}

again
rules_of '{"from": {"path": "/s/{:hex}/{p}"}, "to": {"path": "/s/0/{p}"}}'
publish --source "$tmp/rules.json"
says 'a rule is published' 0 '^published as 2'
rules_of '{"from": {"path": "/s/{:hex}/{:any}"}, "to": {"path": "/s/0/0"}}'
publish --source "$tmp/rules.json"
says 'another, that takes what it wrote, is not' 0 \
    'shop0.example: taken, .*; 1 path rule would take what was kept$'
run show "$tmp/map"
status=0
! grep -q '/s/0/0' "$tmp/out" || status=1
result $status 'it is left out'


# --- rules are explained by the source of the map that was published

cat > "$tmp/docs.json" <<'END'
{"host": "docs.example", "hosts": ["www.docs.example"],
 "patterns": [{"params": ["id"], "keep": ["id"]}],
 "rules": [
   {"from": {"path": "/old/{p}"}, "to": {"path": "/new/{p}"}},
   {"from": {"path": "/s/{:hex}/{page}"}, "to": {"path": "/s/0/{page}"},
    "support": 120, "evidence": {"pairs": 3, "fpr": 0}},
   {"from": {"host": "www.docs.example"}, "to": {"host": "docs.example"},
    "support": 7}]}
END

again
cat "$maps/base" "$tmp/docs.json" > "$tmp/rules.json"
publish --source "$tmp/rules.json" --force 'two rules are written by hand'
run explain --store "sqlite:$tmp/store" 'https://www.docs.example/s/9f/intro'
prints 'rules, support and evidence' 'rule 2 of docs.example, in the map 2
    /s/{:hex}/{a}?* -> /s/0/{a}
    support          120
    evidence         pairs  3
    evidence         fpr  0
rule 1 of docs.example, in the map 2
    //www.docs.example?* -> //docs.example
    support          7
    the URL becomes  https://docs.example/s/0/intro'
run explain --store "sqlite:$tmp/store" 'https://docs.example/old/x?id=1'
prints 'a rule that somebody wrote' 'rule 3 of docs.example, in the map 2
    /old/{a}?* -> /new/{a}
    nobody says what it rests on
    the URL becomes  https://docs.example/new/x?id=1'
run explain --store "sqlite:$tmp/store" 'https://docs.example/other'
fails 'a URL without any' 1 'is no URL that has a host and parameters'


# --- by force, and back

again
publish --source "$maps/bad-21-outage" --force 'the shop has moved'
says 'a reason passes the guard' 0 '^published as 2'
run history --store "sqlite:$tmp/store"
says 'the reason is archived' 0 'forced: the shop has moved'
run rollback --store "sqlite:$tmp/store" --map "$tmp/map"
says 'a rollback is a generation of its own' 0 '^published as 3'
run diff --exit-code "$tmp/base.map" "$tmp/map"
silent 'with what was there before'
store=$tmp/store
rows 'and with what it was made of' \
    'SELECT count(DISTINCT source) FROM versions WHERE id IN (1, 3)' 1
run history --json --store "sqlite:$tmp/store"
status=0
python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
assert [one["generation"] for one in lines] == [3, 2, 1]
assert all(one["state"] == "published" for one in lines)
assert lines[0]["note"] == "rolled back to 1"' "$tmp/out" || status=1
result $status 'it is all in the history'
run rollback --store "sqlite:$tmp/store" --map "$tmp/map" --to 2
says 'any of them can be had again' 0 '^published as 4'
run rollback --store "sqlite:$tmp/store" --map "$tmp/map" --to 9
fails 'but for those that never were' 1 'has no map 9'
cp "$tmp/empty" "$tmp/none"
run rollback --store "sqlite:$tmp/none" --map "$tmp/map"
fails 'an archive without a map' 1 'no map from before'


# --- back again: what was bad does not come back

# as NAME MAP: what is published is what a file has

as() {
    run diff --exit-code "$2" "$tmp/map"
    silent "$1"
}

back() {
    run rollback --store "sqlite:$tmp/store" --map "$tmp/map" "$@"
}

again
publish --source "$maps/good-00-new_host"
cp "$tmp/map" "$tmp/second.map"
publish --source "$maps/bad-21-outage" --force 'nobody looked at it'
back
as 'from a bad map to the one before' "$tmp/second.map"
back
as 'and from that to the one before it' "$tmp/base.map"
back
fails 'and no further' 1 'no map from before that was not taken back'
back --to 2
as 'any of them may be named' "$tmp/second.map"
back
as 'and what it came after is the one before' "$tmp/base.map"

again
publish --source "$maps/good-00-new_host"
back
says 'who goes back says that it stays so' 0 '^held: 1 hosts are not published'
publish --source "$maps/good-00-new_host"
says 'what was taken back is not published again' 3 \
    'stays as it is published, since it was rolled back .*: rolled back to 1$'
as 'nor is it there' "$tmp/base.map"
run history --store "sqlite:$tmp/store"
says 'and this is in the history' 0 ' 4 .*stopped .* 1 held'
back --to 2
publish --source "$maps/good-00-new_host"
prints 'what somebody goes back to is not held' 'nothing to publish'
back --to 1
publish --source "$maps/good-00-new_host" --force 'it is good'
says 'nor what is forced' 0 '^published as '
publish --source "$maps/good-00-new_host"
prints 'from then on' 'nothing to publish'


# a host may have been more than one thing that it must not be again

again
for name in one two; do
    { cat "$maps/base"; printf '{"host": "s.example", "patterns": [
          {"params": ["%s"], "keep": []}]}\n' $name; } > "$tmp/$name"
    publish --source "$tmp/$name"
    back
done
for name in one two; do
    publish --source "$tmp/$name"
    says "all that was taken back is held: $name" 3 \
        's.example: stays as it is published, since it was rolled back'
done
back --to 2
publish --source "$tmp/two"
says 'and is, when one of them is had again' 3 's.example: stays'
publish --source "$tmp/one"
prints 'which is not' 'nothing to publish'


# a store may have maps of several files

again
run publish --store "sqlite:$tmp/store" --map "$tmp/other" \
    --source "$maps/good-00-new_host"
says 'another file has maps of its own' 0 '^published as 2'
back
fails 'which are nothing to go back to' 1 'no map from before'
rm "$tmp/map"
publish --source "$maps/base"
says 'nor take the place of one that is gone' 0 '^published as 3: 12 hosts'
run diff --exit-code "$tmp/base.map" "$tmp/map"
silent 'but its own do'
run rollback --store "sqlite:$tmp/store" --map "$tmp/other" --to 1
says 'they can be had by their number' 0 '^published as 4'
rm "$tmp/other"


# the archive does not grow for ever

again
for i in $(seq 30); do
    publish --source "$tmp/one" --force "$i"
    publish --source "$tmp/two" --force "$i"
done
run history --store "sqlite:$tmp/store"
status=0
[ "$(wc -l < "$tmp/out")" -le 51 ] || status=1
result $status 'maps from long ago are forgotten'
says 'and the last ones are not' 0 '^ *61 .*published '


again
publish --source "$maps/good-19-one_in_doubt"
back
publish --source "$maps/good-19-one_in_doubt"
says 'nor is what was taken with what mattered before' 3 \
    'shop7.example: stays as it is published, since it was rolled back'


# --- hosts that stay behind are told, whatever becomes of others

again
{ cat "$maps/bad-21-outage"; grep -vxFf "$maps/base" "$maps/good-00-new_host"
} > "$tmp/mixed"
publish --source "$tmp/mixed" --dry-run
says 'a dry run tells that a host is refused' 3 '^would be published'
publish --source "$tmp/mixed"
says 'a map is published without a host that is refused' 3 '^published as 2'
fails 'and this is no success' 3 '1 hosts are refused and 0 held'
run diff "$tmp/base.map" "$tmp/map"
status=0
[ "$(grep -c '^[-+!~]' "$tmp/out")" -ge 1 ] || status=1
result $status 'the others are there'


# --- a file that is damaged

again
publish --source "$maps/good-00-new_host"
head -c 1000 "$tmp/map" > "$tmp/map.cut"
cp "$tmp/map.cut" "$tmp/map"
publish --source "$maps/good-00-new_host"
fails 'a map that is cut off' 1 \
    "it is cut off; 'miqps rollback' or 'miqps publish --force' goes on from"
cmp -s "$tmp/map" "$tmp/map.cut"
result $? 'stays'
publish --source "$maps/good-00-new_host" --force 'the disk was full'
fails 'by force it is replaced' 0 'it is cut off; the last map of the archive'
run diff --exit-code "$tmp/base.map" "$tmp/map"
[ $rc -eq 1 ]
result $? 'with the map that was meant'
cp "$tmp/map.cut" "$tmp/map"
back
fails 'and so it is by who goes back' 0 'it is cut off; the last map of the arc'
as 'to the one before' "$tmp/base.map"

# --- what was stopped, and why

again
publish --source "$maps/bad-01-half_hosts" --dry-run
run history --store "sqlite:$tmp/store"
[ "$(wc -l < "$tmp/out")" -eq 1 ]
result $? 'a dry run leaves nothing behind'
publish --source "$maps/bad-01-half_hosts"
why=$(sed -n 's/.*the map is refused: \(.*\); --force.*/\1/p' "$tmp/err")
run history --store "sqlite:$tmp/store"
says 'a map that is refused is in the history' 0 "stopped .*$why"
publish --source "$maps/bad-00-empty"
run history --store "sqlite:$tmp/store"
says 'the next one takes its place' 0 '  2 .*stopped .*it is empty'
[ "$(wc -l < "$tmp/out")" -eq 2 ]
result $? 'so that it does not grow'
publish --source "$maps/bad-21-outage"
run diff --store "sqlite:$tmp/store" 1 2
says 'it can be looked at' 0 '^! .*newly stripped'
run diff --store "sqlite:$tmp/store" --exit-code 1 "$tmp/map"
silent 'beside a file, too'
run diff --store "sqlite:$tmp/store" 1 7
fails 'a generation that never was' 1 'the archive has no map 7'
run rollback --store "sqlite:$tmp/store" --map "$tmp/map" --to 2
fails 'nobody goes back to what never was published' 1 \
    'the map 2 was never published: 0 new'
publish --source "$maps/good-00-new_host"
says 'the next one has the next number' 0 '^published as 3'

again
rm "$tmp/map"
publish --source "$maps/bad-00-empty"
fails 'a file that is gone is not a reason to forget' 3 'it is empty'
publish --source "$maps/bad-21-outage"
says 'it is compared with the archive' 3 'it stays as it is published'
says 'and comes back' 3 '^published as 3: '
run diff --exit-code "$tmp/base.map" "$tmp/map"
silent 'with what was published'

again
publish --source "$maps/good-00-new_host" --dry-run
says 'a dry run' 0 'would be published'
cmp -s "$tmp/map" "$tmp/base.map"
result $? 'changes nothing'

# a line is written for what is in doubt, before it is published

again
{ sleep 0.3
  code=0
  "$MIQPS" publish --store "sqlite:$tmp/store" --map "$tmp/map" \
      --source "$maps/good-19-one_in_doubt" 2> "$tmp/err" || code=$?
  echo $code > "$tmp/code"
} | true
rc=$(cat "$tmp/code")
fails 'nobody reads what is said' 1 'the output was closed'
run history --store "sqlite:$tmp/store"
says 'it is published all the same' 0 ' 2 .*published '


# --- limits

again
publish --source "$maps/bad-05-double_hosts" --grow 200
says 'more may be allowed' 0 '^published'
again
publish --source "$maps/bad-01-half_hosts" --shrink 60
says 'less may be allowed' 0 '^published'
again
publish --source "$maps/good-00-new_host" --max-size 0.001
fails 'a size may be too much' 3 'bytes, and no more than'
publish --source "$maps/good-19-one_in_doubt" --anomalies 5
says 'so may one pattern in ten' 3 'shop7.example: refused'
publish --source "$maps/good-00-new_host" --anomalies lots
fails 'no number' 2 "'lots' is no number for --anomalies"
publish --source "$maps/good-00-new_host" --wait -1
fails 'no seconds' 2 'no number of seconds'


# --- not everything changes at once

for i in 0 1 2 3; do
    awk -v host=$i 'BEGIN {
        for (i = 0; i < 100; i++)
            printf "https://shop%d.example/p?id%d=%d&%s=%d\n", host, host, i,
                   (i < 20 + 20 * host) ? "trk" : "ref%", i
    }' | sed 's/ref%/other/'
done > "$tmp/urls"

rm -f "$tmp/store"* "$tmp/map"
"$MIQPS" ingest --quiet --store "sqlite:$tmp/store" "$tmp/urls"
publish --source "$maps/base" --max-change 20
says 'those that change most wait' 0 'shop3.example: waits for the next time'
run history --store "sqlite:$tmp/store"
says 'it is told how much changes' 0 '2 wait, 0 held; 15.0 % of the URLs change'
publish --source "$maps/base" --max-change 20
says 'the next time another one is taken' 0 'shop3.example: waits'
publish --source "$maps/base" --max-change 20
says 'one is always taken' 0 '^published as 3'
publish --source "$maps/base" --max-change 20
prints 'in the end all of them are' 'nothing to publish'
run diff --exit-code "$tmp/base.map" "$tmp/map"
silent 'and nothing is missing'
rm -f "$tmp/store"* "$tmp/map"
"$MIQPS" ingest --quiet --store "sqlite:$tmp/store" "$tmp/urls"
publish --source "$maps/base" --max-change 100
says 'all may change at once' 0 '^published as 1: 12 hosts'
rules_of '{"from": {"path": "/p"}, "to": {"path": "/q"}}'
publish --source "$tmp/rules.json" --max-change 100
run history --store "sqlite:$tmp/store"
says 'URLs that path rules change count, too' 0 \
    '[1-9][0-9.]* % of the URLs change'


# --- files

again
chmod g+w "$tmp/map"
publish --source "$maps/good-00-new_host"
fails 'a file that a group may write to' 1 "chmod go-w"
again
ln -s map "$tmp/link"
run publish --store "sqlite:$tmp/store" --map "$tmp/link" --source "$maps/base"
fails 'a link' 1 'is a link; name the file'
mkfifo "$tmp/pipe"
run publish --store "sqlite:$tmp/store" --map "$tmp/pipe" --source "$maps/base"
fails 'a pipe' 1 'is no file'
mkdir "$tmp/open"
chmod 777 "$tmp/open"
run publish --store "sqlite:$tmp/store" --map "$tmp/open/map" \
    --source "$maps/base"
fails 'a folder that all may write to' 1 "chmod go-w"
run publish --store "sqlite:$tmp/store" --map "$tmp/nowhere/map" \
    --source "$maps/base"
fails 'a folder that is not there' 1 'cannot look at'

chmod 1777 "$tmp/open"
run publish --store "sqlite:$tmp/store" --map "$tmp/open/map" \
    --source "$maps/base"
says 'but for one where files stay whose they are' 0 '^published'
chmod 1646 "$tmp/open/map"
run publish --store "sqlite:$tmp/store" --map "$tmp/open/map" \
    --source "$maps/good-00-new_host"
fails 'a file is no such folder' 1 "open/map': 'chmod go-w'"

again
echo 2147483647 > "$tmp/pid"
chmod g+w "$tmp/pid"
publish --source "$maps/good-00-new_host" --pid "$tmp/pid"
fails 'a number that a group may write' 1 "tmp.*/pid': 'chmod go-w'"
again
chmod 666 "$tmp/store"
publish --source "$maps/good-00-new_host"
fails 'a store that all may write to' 1 "tmp.*/store': 'chmod go-w'"
run history --store "sqlite:$tmp/store"
fails 'that is not read, either' 1 "tmp.*/store': 'chmod go-w'"
again
echo secret > "$tmp/token"
chmod 644 "$tmp/token"
publish --source "$maps/good-00-new_host" --control "unix:$tmp/nobody:/" \
    --token-file "$tmp/token"
fails 'a token that everybody may read' 1 "'chmod o-r' it"
chmod 640 "$tmp/token"
publish --source "$maps/good-00-new_host" --control "unix:$tmp/nobody:/" \
    --token-file "$tmp/token"
fails 'one for a group' 1 'does not answer'

if [ "$(id -u)" -eq 0 ]; then
    again
    chown 12345 "$tmp/map"
    publish --source "$maps/good-00-new_host"
    fails 'a file of somebody else' 1 'of the user 12345; change its owner'

    mkdir "$tmp/theirs"
    chown 12345 "$tmp/theirs"
    run publish --store "sqlite:$tmp/store" --map "$tmp/theirs/map" \
        --source "$maps/base"
    fails 'a folder of somebody else' 1 'theirs.*of the user 12345'

    for what in pid token store; do
        again
        chmod 600 "$tmp/pid" "$tmp/token" "$tmp/store"
        chown 0 "$tmp/pid" "$tmp/token"
        chown 12345 "$tmp/$what"

        case $what in
            pid)   set -- --pid "$tmp/pid" ;;
            token) set -- --control "unix:$tmp/nobody:/" \
                       --token-file "$tmp/token" ;;
            *)     set -- ;;
        esac

        publish --source "$maps/good-00-new_host" "$@"
        fails "$what of somebody else" 1 "tmp.*/$what' .*of the user 12345"
    done
fi

again
echo 'no map' > "$tmp/map"
publish --source "$maps/good-00-new_host"
fails 'a file that is no map' 1 'cannot use'
again
publish --source "$tmp/nowhere"
fails 'no source' 1 'cannot open'
echo '{"host": 5}' > "$tmp/wrong"
publish --source "$tmp/wrong"
fails 'a source that is none' 1 'wrong:1:'
publish
fails 'nothing learned' 1 'nothing was learned yet'
run publish --store "sqlite:$tmp/store"
fails 'no file named' 2 'name the file that nginx reads'
run publish --map "$tmp/map"
fails 'no store named' 2 'name the store'
publish more
fails 'more than options' 2 "'more' is no option"
run history
fails 'no store for the history' 2 'name the store'
run rollback --to x
fails 'no generation' 2 "'x' is no generation"

again
(
    flock 9
    publish --source "$maps/good-00-new_host"
    fails 'somebody else publishes' 4 'another miqps publishes'
    echo "$tests $failed" > "$tmp/counts"
) 9> "$tmp/map.lock"
read -r tests failed < "$tmp/counts"

publish --source "$maps/good-00-new_host" --control "unix:$tmp/nobody:/"
fails 'nobody answers' 1 'does not answer'
publish --source "$maps/good-01-new_host" --pid "$tmp/nobody"
fails 'no process' 1 'cannot open'
rm -f "$tmp/pid"
echo nonsense > "$tmp/pid"
publish --source "$maps/good-02-new_host" --pid "$tmp/pid"
fails 'no number of a process' 1 'there is no process in'

sleep 60 &
echo $! > "$tmp/pid"
publish --source "$maps/good-02-new_host" --pid "$tmp/pid"
fails 'a process that is no nginx' 1 'is no master of nginx'
kill $! 2> "$tmp/err"
result $? 'is left alone'

echo "1..$tests"
[ $failed -eq 0 ]
