#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/shadow.conf and looks whether it does what its comment
# says; its commands must tell the truth about the requests that were made.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

www=http://www.brand.example
log=$tmp/var/log/nginx/shadow.log

site
example shadow.conf
documented_commands shadow.conf


# line URL [OPTION...]: what is logged, without the time, "|" for a tab

line() {
    last_line "$log" "$@" | cut -f 2- | tr '\t' '|'
}

equal 'nothing is changed' "$(get "$www/p?b=1&fbclid=2&a=3")" \
    'page /p?b=1&fbclid=2&a=3 for anybody'

wait_for logged "$log" 1

equal 'what would be stripped, by whom, and the result' \
    "$(line "$www/p?b=1&fbclid=2&a=3&sid=4&partner=5")" \
    'www.brand.example|stripped|operator,rules,tracking|fbclid&sid&partner|'"\
/p?b=1&fbclid=2&a=3&sid=4&partner=5|/p?a=3&b=1"

equal 'what would be sorted only' "$(line "$www/p?b=1&a=3")" \
    'www.brand.example|normalized|||/p?b=1&a=3|/p?a=3&b=1'

equal 'what is clean' "$(line "$www/p?a=3&b=1")" \
    'www.brand.example|clean|||/p?a=3&b=1|/p?a=3&b=1'

equal 'what must not change, and why' \
    "$(line "$www/p?a=1&utm_source=x;a=2")" \
    'www.brand.example|opaque:semicolon|guard||'"\
/p?a=1&utm_source=x;a=2|/p?a=1&utm_source=x;a=2"

equal 'what is signed' "$(line "http://brand.example/f?X-Amz-Signature=0")" \
    'brand.example|opaque:signed|guard||/f?X-Amz-Signature=0|'"\
/f?X-Amz-Signature=0"

equal 'what is not looked at' "$(line "$www/p?fbclid=2" -d x=1)" \
    'www.brand.example|method|||/p?fbclid=2|/p?fbclid=2'

line "$www/p?gclid=1" > /dev/null
line "$www/p?gclid=2" > /dev/null
line "$www/q?gclid=2" > /dev/null

equal 'the site was asked what clients asked' \
    "$(cut -f 6 "$log")" "$(cut -d ' ' -f 2 "$tmp/site.asked")"


# --- commands of the comment

trimmed() {
    documented_command "$1" | sed 's/^ *//'
}

equal 'the comment: what would be stripped' "$(trimmed 1)" \
    '3 tracking gclid
1 tracking fbclid
1 operator,rules,tracking fbclid&sid&partner'

equal 'the comment: how many URLs there were' "$(trimmed 2)" 10
equal 'the comment: how many there would have been' "$(trimmed 3)" 6

equal 'the comment: what would be left alone' "$(trimmed 4)" \
    '1 opaque:semicolon
1 opaque:signed'

equal 'the comment: pages to look at' "$(trimmed 5 | cut -d ' ' -f 2)" \
    '/p
/p?a=3&b=1
/q'


# --- and then it is switched on

switched_on() {
    sed -i 's/annotate/rewrite/' "$tmp/nginx.conf"
    nginx_reload
}

result 'rewrite for annotate' switched_on

equal 'the log was right' "$(get "$www/p?b=1&fbclid=2&a=3&sid=4&partner=5")" \
    'page /p?a=3&b=1 for anybody'

example_end
