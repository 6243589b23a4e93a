#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/redirect-canonical.conf and looks whether it does what
# its comment says.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

www=http://www.example.com
html=$tmp/var/www/html

mkdir -p "$html/docs" "$html/landing"
echo 'start' > "$html/index.html"
echo 'docs' > "$html/docs/index.html"
echo 'sale' > "$html/landing/sale.html"

site
example redirect-canonical.conf
documented redirect-canonical.conf


# redirects FROM TO: with 302, and no further

redirects() {
    equal "$1 is redirected" "$(status "$www$1") $(header Location "$www$1")" \
        "302 $www$2"
    equal "... to $2, which is not" "$(header Location "$www$2")" ''
}

# passes PATH WANTED: is answered with the page

passes() {
    equal "$1 is not redirected" "$(get "$www$1")" "$2"
}

redirects '/?fbclid=1' /
redirects '/docs/?utm_source=a&id=7&sid=0a1b&gclid=2' '/docs/?id=7'
redirects '/docs/?b=2&a=1&fbclid=3' '/docs/?b=2&a=1'
redirects '/app/a%2Fb/%7euser/;x/?q=rain+coat&fbclid=1' \
    '/app/a%2Fb/%7euser/;x/?q=rain+coat'
redirects '/app/%0d%0aSet-Cookie:x=1?fbclid=1' '/app/%0d%0aSet-Cookie:x=1'

passes / start
passes '/docs/?b=2&a=1' docs
passes '/app?id=7' 'page /app?id=7 for anybody'

# what must not change

for query in 'X-Amz-Signature=00&utm_source=a' 'code=4/abc&state=x0y1&fbclid=1' \
             'a=1&utm_source=x;a=2' 'a=%zz&fbclid=1'; do
    passes "/app?$query" "page /app?$query for anybody"
done

passes '//www.example.net/?fbclid=1' 'page //www.example.net/?fbclid=1 for anybody'

equal 'a request with a body is not redirected' \
    "$(get "$www/app?fbclid=1" -d x=1)" 'page /app?fbclid=1 for anybody'

passes '/api/v1?fbclid=1&sid=2' 'page /api/v1?fbclid=1&sid=2 for anybody'

# landing pages

passes '/landing/sale.html?utm_source=a' sale
redirects '/landing/sale.html?utm_source=a&fbclid=1' \
    '/landing/sale.html?utm_source=a'

equal 'the client that follows is there after one redirect' \
    "$(get "$www/docs/?fbclid=1&sid=2&id=3" -L -w '%{num_redirects}')" \
    "docs
1"

# the log

sent='/docs/?id=7&fbclid=1&sid=2'

equal 'the log has both URLs and what was stripped' \
    "$(last_line "$tmp/var/log/nginx/redirects.log" "$www$sent" |
        cut -d ' ' -f 4-)" \
    "302 \"$sent\" \"$www/docs/?id=7\" stripped \"fbclid&sid\""

# and what the comment says of 301

permanent() {
    sed -i 's/miqps redirect;/miqps redirect 301;/' "$tmp/nginx.conf"
    nginx_reload
}

result 'miqps redirect 301' permanent
equal 'makes the redirect permanent' "$(status "$www/?fbclid=1")" 301

example_end
