#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps learn --content-id visual" with a real Chromium and pages behind
# nginx: differences that can only be seen, pages that show nothing, pages that
# are built by their own script, and that nothing goes past nginx.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/servers.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
browser=$(command -v chromium-headless-shell || command -v chromium || true)

if [ -z "$browser" ]; then
    echo '1..0 # SKIP no Chromium: install chromium-headless-shell'
    exit 0
fi

# somebody who must never be called

port=$(free_port)
spawn trap python3 tests/e2e/visual_trap.py "$port" "$tmp/called"
wait_for grep -q ready "$tmp/trap.log"

words='some words that are the same on each of these pages, and enough of them
for a reader, who would not see what is different here'

nginx_start <<END
    default_type text/html;
    log_format learner '\$http_host \$request_method \$request_uri \$status';

    server {
        listen unix:$tmp/site.sock;
        miqps off;

        # what differs is a picture that the text does not name

        location = /gallery {
            return 200 '<!doctype html><title>Gallery</title>
                <style>body { background: url(/pic/\$arg_n.svg) no-repeat }
                </style><h1>Gallery</h1><p>$words</p>';
        }

        location ~ ^/pic/(\d+)\.svg$ {
            default_type image/svg+xml;
            return 200 '<svg xmlns="http://www.w3.org/2000/svg" width="400"
                height="400"><rect x="20" y="200" height="30" width="\$1"/>
                </svg>';
        }

        # the page's own script reads the URL

        location = /tabs {
            return 200 '<!doctype html><title>Tabs</title><h1>Tabs</h1>
                <p>$words</p><p id="tab"></p><script>
                document.getElementById("tab").textContent = "This is "
                    + (new URLSearchParams(location.search).get("tab") || "-");
                </script>';
        }

        # the script asks for what the URL says, and does not get it

        location = /late {
            return 200 '<!doctype html><title>Late</title><h1>Late</h1>
                <p>$words</p><script>
                fetch("/act/delete?what="
                      + new URLSearchParams(location.search).get("what"));
                </script>';
        }

        # the script is told by the server what to show

        location = /told {
            return 200 '<!doctype html><title>Told</title><h1>Told</h1>
                <p>$words</p><p id="tab"></p><script>
                document.getElementById("tab").textContent
                    = "This is \$arg_say";
                </script>';
        }

        # a clock, something random, a caret, something that moves

        location = /noise {
            return 200 '<!doctype html><title>Noise</title>
                <style>@keyframes go { from { margin-left: 0 } to
                { margin-left: 300px } } div { animation: go 1s infinite }
                </style><h1>Noise</h1><div>moves</div><input autofocus>
                <p>$words</p><p id="at"></p><script>
                document.getElementById("at").textContent
                    = new Date() + " " + Date.now() + " " + Math.random();
                </script>';
        }

        location = /blank {
            return 200 '<!doctype html><title>Blank</title>
                <body style="display: none"><h1>Blank</h1><p>$words</p>';
        }

        # tries to get out, and to do something

        location = /leak {
            return 200 '<!doctype html><title>Leak</title><h1>Leak</h1>
                <p>$words</p><img src="http://127.0.0.1:$port/img">
                <img src="http://evil.example/img">
                <iframe src="http://127.0.0.1:$port/frame"></iframe><script>
                function run(call) { try { call(); } catch (e) { } }
                var to = "//127.0.0.1:$port/";
                run(function () { new WebSocket("ws:" + to); });
                run(function () { navigator.sendBeacon("http:" + to, "x"); });
                run(function () { fetch("http:" + to); });
                run(function () { fetch("/do/delete?all=1"); });
                run(function () { fetch("/tabs", { method: "POST" }); });
                run(function () {
                    new Worker(URL.createObjectURL(new Blob([
                        "fetch(\"http:" + to + "\")"])));
                });
                run(function () {
                    new RTCPeerConnection({ iceServers: [
                        { urls: "stun:127.0.0.1:$port" }] })
                        .createDataChannel("x");
                });
                </script>';
        }
    }

    $(learner)
END

# What is in these functions is not ended by a command that fails, so that each
# says what is to become of that.

# urls PATH NAME: some of them

urls() {
    for i in 1 2 3 4 5; do
        echo "https://seen.example/$1?$2=${i}0&trk=x$i"
    done
}

# learn STORE OPTION...

learn() {
    db=$1
    shift
    "$MIQPS" learn --store "sqlite:$tmp/$db.db" --via "unix:$tmp/learn.sock" \
        --rate 0 --content-id visual --browser "$browser" "$@" seen.example
}

# the paper's numbers, with as few pages as possible

paper() {
    learn "$@" --algorithm paper --samples 3 --tests 3 --json
}

# verdict NAME WITH: of a name in the pattern that it is with

verdict() {
    python3 - "$tmp/events" "$1" "$2" <<'END'
import json
import sys

for line in open(sys.argv[1], encoding='utf-8'):
    event = json.loads(line)

    if event['event'] == 'verdict' and event['name'] == sys.argv[2] \
            and sys.argv[3] in event['names'].split('&'):
        print(event['verdict'])
END
}

says() {
    got=$(verdict "$1" "$2" | sort -u)
    [ "$got" = "$3" ] || { echo "$1 beside $2: '$got', not '$3'"; return 1; }
}

{ urls gallery n; urls tabs tab; urls late what; urls told say; urls noise x
  urls blank b; urls leak l; } > "$tmp/urls"
"$MIQPS" ingest --quiet --store "sqlite:$tmp/paper.db" "$tmp/urls"

learned() {
    before=$(date +%s%N)
    paper paper > "$tmp/events" || return 1
    spent=$(( ($(date +%s%N) - before) / 1000000 ))
    pages=$(grep -c 'GET /[a-z]*?' "$tmp/learn.log")
    echo "# $pages pages in $spent ms" > "$tmp/speed"
    cat "$tmp/events"
    grep -q '"state":"done"' "$tmp/events"
}

result 'pages are drawn and compared' learned
cat "$tmp/speed"
result 'a picture that differs is a difference' says n n matters
result 'without it there is none' says trk n neutral
result 'what the page itself reads is for the client' says tab tab client
result 'what it does not read is not' says trk tab neutral
result 'what it reads and asks for in vain is' says what what client
result 'what the server tells its script matters' says say say matters
result 'clocks, chance, carets and motion are none' says x x neutral
result 'pages that show nothing teach nothing' says b b unknown

map() {
    "$MIQPS" map --store "sqlite:$tmp/paper.db" > "$tmp/map.json" &&
        "$MIQPS" compile "$tmp/map.json" -o "$tmp/map.image" &&
        "$MIQPS" show "$tmp/map.image" > "$tmp/shown" || return 1
    cat "$tmp/map.json" "$tmp/shown"
    grep -q client "$tmp/shown" &&
        grep -q '"client":\["tab"\]' "$tmp/map.json"
}

explained() {
    "$MIQPS" explain --pairs 1 --store "sqlite:$tmp/paper.db" \
        'https://seen.example/tabs?tab=10&trk=x1' > "$tmp/why"
    cat "$tmp/why"
    grep -q '^client *tab' "$tmp/why" &&
        grep -q 'its own script shows in another way' "$tmp/why"
}

served() {
    got=$("$MIQPS" normalize --map "$tmp/map.image" \
              'https://seen.example/tabs?tab=1&trk=2' \
              'https://seen.example/told?say=1&trk=2')
    [ "$got" = 'https://seen.example/tabs?tab=1
https://seen.example/told?say=1' ] || { echo "$got"; return 1; }
}

result 'the map says so' map
result 'the URL that others see keeps it' served
result 'it is explained' explained

alone() {
    [ ! -e "$tmp/called" ] || { cat "$tmp/called"; return 1; }
    ! grep -v '^seen.example GET ' "$tmp/learn.log" || return 1
    ! grep -E ' /(do|act)/' "$tmp/learn.log" || return 1
    grep ' /pic/.* 200' "$tmp/learn.log" | sort | uniq -c > "$tmp/pictures"
    cat "$tmp/pictures"
    [ -s "$tmp/pictures" ] && ! grep -v '^ *1 ' "$tmp/pictures"
}

result 'all goes through nginx, each part once, and nothing past it' alone


# --- the other algorithm, which compares what is read

adaptive() {
    for i in $(seq 30); do
        echo "https://seen.example/tabs?tab=$i&trk=x$i&n=1"
        echo "https://seen.example/told?say=$i&trk=x$i&n=1"
        echo "https://seen.example/gallery?n=$((i * 10))&trk=x$i"
    done > "$tmp/urls"
    "$MIQPS" ingest --quiet --store "sqlite:$tmp/adapt.db" "$tmp/urls"
    learn adapt --fetches 120 --values 4 || return 1
    "$MIQPS" map --store "sqlite:$tmp/adapt.db" > "$tmp/adapt.json"
    cat "$tmp/adapt.json"
    python3 - "$tmp/adapt.json" <<'END'
import json
import sys

host = json.loads(open(sys.argv[1], encoding='utf-8').read())
found = {p['path']: p for p in host['patterns']}
tabs, told, gallery = found['/tabs'], found['/told'], found['/gallery']

assert tabs['client'] == ['tab'] and 'trk' not in tabs['keep'], tabs
assert 'say' in told['keep'] and 'trk' not in told['keep'], told
assert 'n' in gallery['keep'] and 'trk' not in gallery['keep'], gallery
END
}

result 'names that are neutral by what is sent are looked at' adaptive


# --- a browser that is not there, does not run, or dies

told() {
    want=$1
    shift
    rc=0
    "$@" > "$tmp/out" 2>&1 || rc=$?
    cat "$tmp/out"
    grep -q "$want" "$tmp/out" && [ $rc -eq 1 ]
}

fresh() {
    urls tabs tab |
        "$MIQPS" ingest --quiet --store "sqlite:$tmp/$1.db" -
}

fresh none
result 'a browser that is not there' told 'No such file' \
    paper none --browser "$tmp/nothing"
result 'no browser at all' told 'install the package' \
    env PATH="$tmp" "$MIQPS" learn --store "sqlite:$tmp/none.db" \
    --via "unix:$tmp/learn.sock" --content-id visual seen.example
result 'a browser that does not run' told 'draws nothing' \
    paper none --browser /bin/false

killed() {
    cat > "$tmp/browser" <<END
#!/bin/sh
echo \$\$ >> $tmp/pids
exec $browser "\$@"
END
    chmod +x "$tmp/browser"
    fresh killed
    "$MIQPS" ingest --quiet --store "sqlite:$tmp/killed.db" "$tmp/urls"
    paper killed --browser "$tmp/browser" > "$tmp/events" &
    pid=$!
    wait_for test -s "$tmp/pids" || return 1
    sleep 1
    kill -KILL "-$(head -n 1 "$tmp/pids")" || return 1
    wait $pid || return 1
    cat "$tmp/events" "$tmp/pids"
    [ "$(wc -l < "$tmp/pids")" -ge 2 ] && says tab tab client || return 1
    while read -r pid; do
        gone "$pid" || return 1
    done < "$tmp/pids"
}

clean() {
    left=$(find "$tmp" -maxdepth 1 -name 'miqps-browser-*')
    [ -z "$left" ] || { echo "$left"; return 1; }
}

result 'a browser that dies is started again' killed
result 'it leaves nothing behind' clean
result 'nginx has nothing to complain about' nginx_quiet
finish
