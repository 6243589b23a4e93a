#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/crawler-gateway.conf: fifty URLs of a page are fetched
# once, and nothing is fetched from elsewhere.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

gateway=http://gateway.example
shop=http://www.brand.example

site
example crawler-gateway.conf
documented crawler-gateway.conf


# fetch URL [OPTION...]

fetch() {
    what=$1
    shift
    get "$gateway/fetch" -G --data-urlencode "url=$what" "$@"
}

code() {
    fetch "$@" -o /dev/null -w '%{http_code}'
}

variants() {
    for i in $(seq 50); do
        case $((i % 5)) in
            0) echo "$shop/boots?size=40&color=red&fbclid=$i" ;;
            1) echo "$shop/boots?utm_source=m$i&color=red&size=40" ;;
            2) echo "$shop/boots?color=red&gclid=$i&size=40&utm_term=$i" ;;
            3) echo "$shop/boots?%63olor=red&size=40&msclkid=$i#top" ;;
            4) echo "$shop/boots?size=40&&color=%72ed&utm_id=$i" ;;
        esac
    done
}

asked=$(wc -l < "$tmp/site.asked")
had=$(entries fetched)

# ten at a time

mkdir "$tmp/pages"

# shellcheck disable=SC2016
variants | awk '{ print NR, $0 }' | xargs -P 10 -L 1 sh -c '
    curl -sS -g --unix-socket "$0/www.sock" -G -o "$0/pages/$1" \
        --data-urlencode "url=$2" http://gateway.example/fetch' "$tmp"

equal 'fifty URLs get one page' "$(cat "$tmp"/pages/* | sort | uniq -c |
    awk '{ $1 = $1; print }')" '50 page /boots?color=red&size=40 for anybody'

equal 'it was fetched once' "$(sed "1,${asked}d" "$tmp/site.asked")" \
    'GET /boots?color=red&size=40'

equal 'there is one more entry of the cache' "$(entries fetched)" $((had + 1))

equal 'another page is another page' "$(fetch "$shop/boots?size=41&gclid=1")" \
    'page /boots?size=41 for anybody'

equal 'a signed URL is fetched as it is' \
    "$(fetch "$shop/f?utm_source=b&X-Amz-Signature=00&a=1")" \
    'page /f?utm_source=b&X-Amz-Signature=00&a=1 for anybody'

equal 'no cookie of the crawler goes on' \
    "$(fetch "$shop/cookie" -b session=anna)" 'page /cookie for anybody'


# --- from where nothing is fetched

asked=$(wc -l < "$tmp/site.asked")

for url in http://elsewhere.example/ http://127.0.0.1/ 'http://localhost/x' \
           http://brand.example.elsewhere.example/ 'http://169.254.169.254/latest' \
           http://xbrand.example/
do
    equal "not from $url" "$(code "$url")" 403
done

for url in 'http://www.brand.example:8080/' 'http://a@www.brand.example/' \
           'http://www.brand.example@elsewhere.example/' 'file:///etc/passwd' \
           'ftp://www.brand.example/' /etc/passwd '' 'http://[::1]/' \
           'http://www.brand.example' 'http://www.brand.example\@a/' \
           'gopher://www.brand.example/' '//www.brand.example/'
do
    equal "'$url' is none" "$(code "$url")" 400
done

equal 'an end of line is none' \
    "$(status "$gateway/fetch?url=http://www.brand.example/%0d%0aX:y")" 200

equal 'that was a path as any other' \
    "$(sed "1,${asked}d" "$tmp/site.asked")" 'GET /%0d%0aX:y'

equal 'only GET' "$(status "$gateway/fetch?url=$shop/a" -X POST)" 403


# --- the log

log=$tmp/var/log/nginx/fetched.log

last_line "$log" "$gateway/fetch?url=http%3A%2F%2Fwww.brand.example%2Fboots%3Fgclid%3D9%26size%3D40%26color%3Dred" |
    cut -d ' ' -f 4,6,8- > "$tmp/line"

equal 'the log has both URLs' "$(cat "$tmp/line")" \
    '200 HIT "http%3A%2F%2Fwww.brand.example%2Fboots%3Fgclid%3D9%26size%3D40%26color%3Dred" "http://www.brand.example/boots?color=red&size=40"'


# --- lists

variants > "$tmp/list"

equal 'a list becomes one URL, and is what the program makes of it' \
    "$(get "$gateway/normalize" --data-binary "@$tmp/list" \
           -H 'Content-Type: text/plain' | sed 's/#.*//' | sort -u)" \
    "$("${MIQPS:-build/miqps}" normalize --tracking --sort \
           --rules conf-examples/rules.json < "$tmp/list" | sed 's/#.*//' |
       sort -u)"

grep -v 'access forbidden by rule' "$tmp/error.log" > "$tmp/error.log.new" ||
    true
mv "$tmp/error.log.new" "$tmp/error.log"

example_end
