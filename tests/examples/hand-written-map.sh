#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/hand-written-map.conf and looks whether it does what its comment
# says.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

www=http://www.brand.example

site
map_put
example hand-written-map.conf
documented hand-written-map.conf


equal 'what the map does not know stays' \
    "$(get "$www/shoes?ref=start&id=7&size=40")" \
    'page /shoes?ref=start&id=7&size=40 for anybody'

equal 'the other name of the host' \
    "$(get 'http://brand.example/shoes?id=7&color=red&ref=9')" \
    'page /shoes?id=7&color=red for anybody'

equal 'who is logged in gets the page that was asked for' \
    "$(get "$www/shoes?ref=start&id=7" -b session=anna)" \
    'page /shoes?ref=start&id=7 for session=anna'

equal 'the log tells of the map' \
    "$(last_line "$tmp/var/log/nginx/pages.log" "$www/shoes?ref=1&id=7" |
           cut -d ' ' -f 4-)" \
    '200 "/shoes?ref=1&id=7" "/shoes?id=7" stripped "map" 1'


# --- another map, while nginx runs

sed 's/"keep": \["id"\]/"keep": ["id", "ref"]/' conf-examples/map.json \
    > "$tmp/next.json"
map_put "$tmp/next.json"

kept() {
    [ "$(get "$www/shoes?ref=start&id=7")" = \
      'page /shoes?ref=start&id=7 for anybody' ]
}

result 'a map that is compiled again is taken' wait_for kept

example_end
