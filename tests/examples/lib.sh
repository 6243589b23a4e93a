# Copyright (C) the ngx_miqps authors
#
# shellcheck shell=sh
# shellcheck disable=SC2154
#
# For the scripts that start a file of conf-examples.  Paths of the system
# become paths in $tmp, port 80 a socket, 127.0.0.1:8080 the socket of a site
# that runs here; nothing else of an example changes.
#
#     example FILE            starts it
#     site                    starts the site; $tmp/site.asked is what it was
#                             asked, a line for each request
#     get URL [OPTION...]     curl with that socket; the body
#     header NAME URL ...     the value of a header of the response
#     documented FILE         commands in the comment of an example print what
#                             it says
#     documented_command N    runs the Nth command of that comment
#     map_put [SOURCE [NAME]] compiles map.json, or another source, for nginx
#     entries NAME            how many entries a cache has
#     last_line LOG URL ...   gets it; the line that the log then has
#     status URL ...          gets it; the code of the response
#     equal NAME GOT WANTED   a line of TAP
#     example_end             the last line of a script

. tests/nginx/lib.sh

# of the package libnginx-mod-http-cache-purge

purge_module=/usr/lib/nginx/modules/ngx_http_cache_purge_module.so

LC_ALL=C
export LC_ALL


example() {
    file=conf-examples/$1

    mkdir -p "$tmp/var/log/nginx" "$tmp/var/cache/nginx"

    for name in mime.types fastcgi_params; do
        [ ! -e "/etc/nginx/$name" ] || cp "/etc/nginx/$name" "$tmp/"
    done

    cp conf-examples/*.json "$tmp/"

    sed -e "s,modules/ngx_http_miqps_module.so,$module," \
        -e "s,modules/ngx_http_cache_purge_module.so,$purge_module," \
        -e "s,^user www-data;,pid $tmp/nginx.pid; $(nginx_user)," \
        -e "s,listen 80;,listen unix:$tmp/www.sock;," \
        -e "s,127.0.0.1:8080,unix:$tmp/site.sock," \
        -e "s,/run/php/php-fpm.sock,$tmp/php.sock," \
        -e "s,/var/log/nginx/error.log,$tmp/error.log," \
        -e "s,\([ =]\)/var/,\1$tmp/var/,g" \
        -e "s,unix:/run/,unix:$tmp/," \
        -e "s,^http {,http { $(nginx_temp)," \
        "$file" > "$tmp/nginx.conf"

    result "$1: nginx -t finds nothing to say" example_tested
    result "$1 starts" nginx_run
}

example_tested() {
    "$nginx" -t -e "$tmp/test.log" -p "$tmp/" -c "$tmp/nginx.conf" \
        > "$tmp/tested" 2>&1 || { cat "$tmp/tested"; return 1; }
    ! grep -E '\[[a-z]+\]' "$tmp/tested"
}

nginx_temp() {
    for kind in client_body proxy fastcgi uwsgi scgi; do
        printf '%s_temp_path %s/temp-%s; ' "$kind" "$tmp" "$kind"
    done
}

site() {
    # shellcheck disable=SC2086  # names of parameters that it does not read
    spawn site python3 tests/examples/site.py "$tmp/site.sock" \
        "$tmp/site.asked" ${unread-}
    wait_for test -S "$tmp/site.sock"
}

# and when all is done, nginx must have had nothing to complain about

example_end() {
    nginx_stop
    result 'the error log is empty' example_silent
    finish
}

example_silent() {
    ! grep . "$tmp/error.log"
}


# a map must be there before nginx is

map_put() {
    mkdir -p "$tmp/var/lib/miqps"
    "${MIQPS:-build/miqps}" compile "${1:-conf-examples/map.json}" \
        -o "$tmp/var/lib/miqps/${2:-site.map}"
}


# --- what clients do

get() {
    url=$1
    shift
    curl -sS -g --path-as-is --unix-socket "$tmp/www.sock" "$@" "$url"
}

header() {
    name=$1
    shift
    get "$@" -o /dev/null -D - | tr -d '\r' |
        sed -n "s/^$name: //Ip"
}

status() {
    get "$@" -o /dev/null -w '%{http_code}'
}

entries() {
    find "$tmp/var/cache/nginx/$1" -type f | wc -l
}

# equal NAME GOT WANTED

equal() {
    result "$1" same "$2" "$3"
}

same() {
    [ "$1" = "$2" ] || {
        printf 'got:\n%s\nwanted:\n%s\n' "$1" "$2"
        return 1
    }
}

# last_line LOG URL ...: gets the URL; a log is written after the response was
# sent

last_line() {
    log=$1
    shift
    lines=$(wc -l < "$log")
    get "$@" > "$tmp/page"
    wait_for logged "$log" $((lines + 1))
    tail -n 1 "$log"
}

logged() {
    [ "$(wc -l < "$1")" -ge "$2" ]
}


# --- the comment at the top of an example: "#     $ command", which goes on in
# lines that end with "\" or "|", and then the lines it prints

documented_commands() {
    awk -v dir="$tmp" '
        !/^#/ && NR > 1 {
            exit
        }

        { sub(/^#( |$)/, "") }

        /^    \$ / {
            file = sprintf("%s/doc.%d", dir, ++n)
            printf "" > (file ".out")
            print substr($0, 7) > (file ".cmd")
            more = /[\\|]$/
            next
        }

        !/^    / {
            file = ""
        }

        file != "" && more {
            print substr($0, 7) > (file ".cmd")
            more = /[\\|]$/
            next
        }

        file != "" {
            print substr($0, 5) > (file ".out")
        }' "conf-examples/$1"
}

documented_command() {
    (
        # shellcheck disable=SC2317,SC2329
        curl() {
            command curl --unix-socket "$tmp/www.sock" "$@"
        }

        # shellcheck disable=SC2317,SC2329
        miqps() {
            "${MIQPS:-build/miqps}" "$@"
        }

        sed "s,/var/log/nginx/\|/var/lib/miqps/,$tmp&,g; s,\([ :]\)/run/,\1$tmp/,g" \
            "$tmp/doc.$1.cmd" > "$tmp/doc.$1.run"
        # shellcheck source=/dev/null
        . "$tmp/doc.$1.run" | tr -d '\r'
    )
}

documented() {
    documented_commands "$1"
    n=1

    until [ ! -e "$tmp/doc.$n.cmd" ] && [ $n -gt 1 ]; do
        equal "the comment is right: $(tr '\n' ' ' < "$tmp/doc.$n.cmd")" \
            "$(documented_command $n)" "$(cat "$tmp/doc.$n.out")"
        n=$((n + 1))
    done
}
