#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/path-rules.conf and looks whether it does what its
# comment says.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

docs=http://docs.example

site
map_put conf-examples/path-rules.json paths.map
example path-rules.conf
documented path-rules.conf


# --- one entry for all sessions

asked=$(wc -l < "$tmp/site.asked")
had=$(entries docs)

for session in 1 2f 3ac 4bd5 0; do
    get "$docs/visit/$session/terms?fbclid=$session"
done > "$tmp/pages"

equal 'all sessions show one page' "$(sort -u "$tmp/pages")" \
    'page /visit/0/terms for anybody'
equal 'the cache has one more entry' "$(entries docs)" $((had + 1))
equal 'the upstream was asked once' "$(sed "1,${asked}d" "$tmp/site.asked")" \
    'GET /visit/0/terms'


# --- a mirror has its own entries, whatever its pages say of themselves

asked=$(wc -l < "$tmp/site.asked")

equal 'the mirror shows the same' \
    "$(get 'http://old.example/visit/77/terms')" \
    'page /visit/0/terms for anybody'
equal 'and was asked for it' "$(sed "1,${asked}d" "$tmp/site.asked")" \
    'GET /visit/0/terms'
equal 'it says where the page belongs' \
    "$(header Link 'http://old.example/visit/77/terms')" \
    '<http://docs.example/visit/0/terms>; rel="canonical"'


# --- what is private

equal 'nothing private gets near the cache' \
    "$(get "$docs/private/account" -b session=anna)" \
    'page /private/account for session=anna'

had=$(entries docs)
get "$docs/private/index.html" -b session=anna > "$tmp/page"
get "$docs/private/account.css" -b session=anna > "$tmp/page"
equal 'under no name' "$(entries docs)" "$had"

example_end
