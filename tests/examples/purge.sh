#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/purge.conf: fifty URLs of a page are one entry of the
# cache, and one request clears it.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

if [ ! -e "$purge_module" ]; then
    echo '1..0 # SKIP there is no libnginx-mod-http-cache-purge'
    exit
fi

www=http://www.brand.example

site
example purge.conf
documented purge.conf


variants() {
    for i in $(seq 50); do
        case $((i % 5)) in
            0) echo "$www/boots?size=40&color=red&fbclid=$i" ;;
            1) echo "$www/boots?utm_source=m$i&color=red&size=40" ;;
            2) echo "$www/boots?color=red&gclid=$i&size=40&utm_term=$i" ;;
            3) echo "$www/boots?%63olor=red&size=40&msclkid=$i" ;;
            4) echo "$www/boots?size=40&&color=%72ed&utm_id=$i" ;;
        esac
    done
}

# how often each status of the cache comes, for all of them

round() {
    variants | while read -r url; do
        header X-Cache "$url"
    done | sort | uniq -c | awk '{ print $1, $2 }'
}

purge() {
    status "$1" -X PURGE
}

get "$www/socks?size=40" > "$tmp/page"
had=$(entries pages)

equal 'fifty URLs of a page are one miss' "$(round)" '49 HIT
1 MISS'

equal 'and one entry' "$(entries pages)" $((had + 1))

equal 'one of them is purged' \
    "$(purge "$www/boots?utm_source=news&size=40&color=red")" 200

equal 'the entry is gone' "$(entries pages)" "$had"

equal 'it is gone for all of them' "$(round)" '49 HIT
1 MISS'

equal 'there is one entry to purge, whatever its URL' \
    "$(variants | while read -r url; do purge "$url"; echo; done | sort |
       uniq -c | awk '{ print $1, $2 }')" '1 200
49 404'

equal 'another page stays' "$(header X-Cache "$www/socks?size=40&gclid=1")" HIT

equal 'and so does the same page with another size' \
    "$(get "$www/boots?size=41&color=red" > "$tmp/page"
       purge "$www/boots?size=40&color=red"
       header X-Cache "$www/boots?size=41&color=red&gclid=1")" '404HIT'

equal 'the site never sees such a request' \
    "$(grep -c PURGE "$tmp/site.asked" || true)" 0

equal 'a signed URL is its own entry' \
    "$(purge "$www/boots?X-Amz-Signature=00&size=40&color=red")" 404


# --- who may not

sed 's/|unix://' "$tmp/nginx.conf" > "$tmp/nginx.conf.new"
mv "$tmp/nginx.conf.new" "$tmp/nginx.conf"
nginx_reload

equal 'others may not purge' "$(purge "$www/socks?size=40")" 403
equal 'but they may read' "$(header X-Cache "$www/socks?size=40&gclid=2")" HIT

example_end
