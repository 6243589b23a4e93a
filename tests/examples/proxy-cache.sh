#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/proxy-cache.conf and looks whether it does what its
# comment says.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

www=http://www.brand.example

site
example proxy-cache.conf
documented proxy-cache.conf


# --- one entry for ten ways to the same page

asked=$(wc -l < "$tmp/site.asked")
had=$(entries pages)

ways='size=40&color=red
color=red&size=40
color=red&size=40&fbclid=IwAR0
gclid=Cj0&size=40&color=red&gad_source=1
utm_source=mail&utm_medium=email&size=40&color=red
msclkid=77&color=red&size=40
%75tm_campaign=spring&color=red&size=40
nl_issue=7&size=40&color=%72ed
page=1&size=40&color=red&sort=relevance
ab12=b&size=40&color=red&partner=9&&'

echo "$ways" | while read -r query; do
    get "$www/boots?$query" -D "$tmp/head"
    sed -n 's/^X-Cache: //p' "$tmp/head" | tr -d '\r' >> "$tmp/statuses"
done > "$tmp/pages"

equal 'ten ways to a page are one miss and nine hits' \
    "$(sort "$tmp/statuses" | uniq -c | awk '{ print $1, $2 }')" \
    "9 HIT
1 MISS"

equal 'all of them show one page' "$(sort -u "$tmp/pages")" \
    'page /boots?color=red&size=40 for anybody'

equal 'the cache has one more entry' "$(entries pages)" $((had + 1))

equal 'the upstream was asked once, for the clean URL' \
    "$(sed "1,${asked}d" "$tmp/site.asked")" 'GET /boots?color=red&size=40'

equal 'another page is another page' \
    "$(get "$www/boots?color=red&size=41&fbclid=1")" \
    'page /boots?color=red&size=41 for anybody'

equal 'so is the same page of another host' \
    "$(header X-Cache 'http://brand.example/boots?color=red&size=40')" MISS


# --- what must not change

signed='/file?utm_source=b&X-Amz-Signature=00&a=1'

equal 'a signed URL passes byte for byte' "$(get "$www$signed")" \
    "page $signed for anybody"

cloaked='/boots?color=red&size=40&utm_content=x;size=41'

equal 'so does one that back ends read differently' "$(get "$www$cloaked")" \
    "page $cloaked for anybody"

equal 'and a request with a body' \
    "$(get "$www/boots?fbclid=1" -d x=1)" 'page /boots?fbclid=1 for anybody'


# --- those who are logged in

personal() {
    get "$www/boots?color=red&size=40" -b 'session=anna'
}

equal 'who is logged in gets a page that is not from the cache' \
    "$(personal)" 'page /boots?color=red&size=40 for session=anna'

equal 'nobody else gets that page' "$(get "$www/boots?size=40&color=red")" \
    'page /boots?color=red&size=40 for anybody'

equal 'who is logged in is told so' \
    "$(header X-Cache "$www/boots?color=red&size=40" -b session=anna)" BYPASS

equal 'who has a password too' \
    "$(header X-Cache "$www/boots?color=red&size=40" -u anna:x)" BYPASS


# --- numbers

stripped() {
    get "$www/miqps_status" | python3 -c 'if True:
        import json, sys
        status = json.load(sys.stdin)
        host = [one for one in status["hosts"]
                if one["host"] == "www.brand.example"][0]
        print(status["verdicts"]["stripped"], host["stripped"])'
}

read -r all ours <<END
$(stripped)
END

get "$www/boots?color=red&size=40&fbclid=2" > "$tmp/page"
get "http://brand.example/boots?color=red&size=40&fbclid=2" > "$tmp/page"

equal 'the status counts what was stripped, by host' "$(stripped)" \
    "$((all + 2)) $((ours + 1))"

equal 'nobody may keep it' "$(header Cache-Control "$www/miqps_status")" \
    no-store

sed "s,allow unix:;,," "$tmp/nginx.conf" > "$tmp/nginx.conf.new"
mv "$tmp/nginx.conf.new" "$tmp/nginx.conf"
nginx_reload

equal 'others than this machine do not get it' \
    "$(status "$www/miqps_status")" 403

grep -v 'access forbidden by rule' "$tmp/error.log" > "$tmp/error.log.new" ||
    true
mv "$tmp/error.log.new" "$tmp/error.log"

sed "s,deny all;,allow unix:; deny all;," "$tmp/nginx.conf" \
    > "$tmp/nginx.conf.new"
mv "$tmp/nginx.conf.new" "$tmp/nginx.conf"
nginx_reload

equal 'a reload has not changed it' "$(stripped)" \
    "$((all + 2)) $((ours + 1))"


# --- the log

log=$tmp/var/log/nginx/pages.log
sent='/boots?size=40&gclid=5&color=red&partner=9'

# without the time of the day and the time it took

equal 'the log has both URLs and what was stripped' \
    "$(last_line "$log" "$www$sent" | cut -d ' ' -f 4,6,8-)" \
    "200 HIT \"$sent\" \"/boots?color=red&size=40\" stripped \"gclid&partner\""

example_end
