# Copyright (C) the ngx_miqps authors
#
# shellcheck shell=sh
# shellcheck disable=SC2154
#
# For scripts that change maps while nginx serves.  They have sourced
# tests/nginx/lib.sh, and have $MIQPS and $map, the file of the zone.


# hosts KEPT NUMBER: a map that keeps one name of two; with more hosts, so that
# nothing lies at the same place in two images

hosts() {
    echo "{\"host\": \"localhost\", \"patterns\": [
        {\"params\": [\"a\", \"b\", \"id\"], \"keep\": [\"$1\", \"id\"]}]}"

    seq -f '{"host": "h%.0f.example", "patterns": [
        {"params": ["p", "q"], "keep": ["q"]}]}' "$2"
}

image() {
    hosts "$2" "$3" | "$MIQPS" compile - -o "$tmp/$1"
    chmod 644 "$tmp/$1"
}

# configuration SIZE [OPTION [LINE]]: a zone, a server that tells what its map
# does, and a server behind it

configuration() {
    cat <<END
    miqps_zone shop $1 map=$map ${2-watch=10ms};
    ${3-}

    map "" \$told {
        volatile;
        default "\$pid \$miqps_generation \$miqps_uri \$miqps_stripped \$miqps_kept";
    }

    server {
        listen unix:$tmp/sock;
        keepalive_requests 1000000000;

        miqps rewrite;
        miqps_use shop;

        location / {
            return 200 "\$told";
        }

        # the map may be another one when the answer comes

        location /proxied {
            proxy_pass http://unix:$tmp/origin;
            add_header X-Told "\$told";
        }
    }

    server {
        listen unix:$tmp/origin;
        return 200 "\$request_uri";
    }
END
}

put() {
    cp "$tmp/$1" "$map.new"
    mv "$map.new" "$map"
}

ask() {
    curl -sgq --max-time 60 --unix-socket "$tmp/sock" \
         'http://localhost/p?a=1&b=2&id=3'
}

generation() {
    ask | cut -d ' ' -f 2
}

# serves A|B [GENERATION]

serves() {
    case $1 in
        A) right="${2-[0-9]*} /p?a=1&id=3 b a&id" ;;
        B) right="${2-[0-9]*} /p?b=2&id=3 a b&id" ;;
        -) right="0 /p?a=1&b=2&id=3  a&b&id" ;;
    esac

    ask | cut -d ' ' -f 2- | grep -x "$right" || { ask; echo; return 1; }
}

soon() {
    wait_for serves "$@"
}

# says COUNT PATTERN: in lines of the error log since mark()

mark() {
    lines=$(wc -l < "$tmp/error.log")
}

news() {
    tail -n +$((lines + 1)) "$tmp/error.log"
}

says() {
    [ "$(news | grep -acE "$2")" -eq "$1" ] && return
    news | grep -a miqps | tail -n 5
    return 1
}
