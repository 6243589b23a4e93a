#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/control.conf and looks whether it does what its comment
# says.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

www=http://www.brand.example

site
map_put
example control.conf
documented control.conf


equal 'the map is used' "$(get "$www/shoes?ref=start&id=7")" \
    'page /shoes?id=7 for anybody'


# --- a map that turns out to be wrong

control() {
    curl -sS --unix-socket "$tmp/miqps.sock" -X POST \
         "http://localhost/?action=$1" | cut -d , -f 3
}

sed 's/"keep": \["id"\]/"keep": []/' conf-examples/map.json > "$tmp/next.json"
map_put "$tmp/next.json"

equal 'reload' "$(control reload)" '"generation":2'
equal 'the page is lost' "$(get "$www/shoes?ref=start&id=7")" \
    'page /shoes for anybody'
equal 'rollback' "$(control rollback)" '"generation":3'
equal 'it is back' "$(get "$www/shoes?ref=start&id=7")" \
    'page /shoes?id=7 for anybody'

example_end
