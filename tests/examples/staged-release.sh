#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/staged-release.conf and looks whether it does what its
# comment says.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

www=http://www.brand.example

site
map_put conf-examples/map.json
example staged-release.conf
documented staged-release.conf

# of a thousand addresses, those that the map is for

staged() {
    for i in $(seq 0 3); do
        for k in $(seq 1 250); do
            echo next
            echo "unix-socket = $tmp/www.sock"
            echo "url = $www/p?color=red&id=7&ref=9"
            echo "header = \"X-Real-IP: 10.1.$i.$k\""
        done
    done | sed 1d > "$tmp/many"
    curl -s -K "$tmp/many" |
        grep -c '^page /p?color=red&id=7 '
}

n=$(staged)

result 'about a tenth is on the first stage' \
    test "$n" -gt 60 -a "$n" -lt 140

equal 'each way has one entry in the cache' "$(entries pages)" 2

equal 'the log has the stage' \
    "$(last_line "$tmp/var/log/nginx/staged.log" \
           "$www/p?color=red&id=7&ref=9" -H 'X-Real-IP: 192.0.2.24')" \
    "$(sed -n 's/^#     \(map ref .*\)/\1/p' conf-examples/staged-release.conf)"

example_end
