#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Starts conf-examples/fastcgi-cache-wordpress.conf with a real PHP and looks
# whether it does what its comment says.

set -eu

cd "$(dirname "$0")/../.."
. tests/examples/lib.sh

blog=http://blog.example
root=$tmp/var/www/wordpress
runs=$tmp/var/www/runs.log

mkdir -p "$root/wp-admin" "$root/wp-content"
cp tests/examples/index.php "$root/"
cp tests/examples/index.php "$root/wp-login.php"
sed 's,/\.\./,/../../,' tests/examples/index.php > "$root/wp-admin/index.php"
echo 'body { }' > "$root/wp-content/style.css"
: > "$runs"

php_start
example fastcgi-cache-wordpress.conf
documented fastcgi-cache-wordpress.conf


# --- one entry for ten ways to the same post

ran=$(wc -l < "$runs")
had=$(entries wordpress)

ways='s=rain+coat&paged=2
paged=2&s=rain+coat
paged=2&s=rain+coat&fbclid=IwAR0
gclid=Cj0&s=rain+coat&paged=2&gad_source=1
utm_source=mail&utm_medium=email&s=rain+coat&paged=2
msclkid=77&paged=2&s=rain+coat
%75tm_campaign=spring&paged=2&s=rain+coat
mc_cid=0a&mc_eid=0b&s=rain+coat&paged=2
s=r%61in+coat&ttclid=1&paged=2
&paged=2&&s=rain+coat&twclid=9'

echo "$ways" | while read -r query; do
    get "$blog/archive/?$query" -D "$tmp/head"
    sed -n 's/^X-Cache: //p' "$tmp/head" | tr -d '\r' >> "$tmp/statuses"
done > "$tmp/pages"

equal 'ten ways to a page are one miss and nine hits' \
    "$(sort "$tmp/statuses" | uniq -c | awk '{ print $1, $2 }')" \
    "9 HIT
1 MISS"

equal 'the cache has one more entry' "$(entries wordpress)" $((had + 1))

equal 'PHP ran once, for the clean URL' "$(sed "1,${ran}d" "$runs")" \
    'GET /archive/?paged=2&s=rain+coat'

equal 'all ten are one page; REQUEST_URI and QUERY_STRING agree' \
    "$(awk '!seen[$0]++' "$tmp/pages")" \
    'path /archive/
query paged=2&s=rain+coat
user anybody
REQUEST_URI paged=2&s=rain+coat
QUERY_STRING paged=2&s=rain+coat'


# agrees QUERY WANTED: both variables of PHP have WANTED

agrees() {
    equal "PHP is shown '$2' for '$1'" \
        "$(get "$blog/post/$tests/?$1" | tail -n 2)" \
        "REQUEST_URI $2
QUERY_STRING $2"
}

agrees 'utm_source=a' ''
agrees 'p=7&utm_source=a' 'p=7'
agrees 'replytocom=9&fbclid=1' 'replytocom=9'
agrees 'preview=true&p=7&preview_nonce=0a1b&gclid=2' \
    'p=7&preview=true&preview_nonce=0a1b'
agrees 'p=1&utm_source=a;p=2' 'p=1&utm_source=a;p=2'
agrees 'p=1&utm_source=%zz' 'p=1&utm_source=%zz'

equal 'the path of a permalink stays as it is' \
    "$(get "$blog/caf%c3%a9/%2e/a%2Fb//c/?fbclid=1" | head -n 1)" \
    'path /caf%c3%a9/%2e/a%2Fb//c/'

equal 'index.php may be asked for by name' \
    "$(get "$blog/index.php?fbclid=1&p=7" | sed -n 's/^query //p')" p=7

equal 'a page that is not there is not there' "$(status "$blog/none/?gclid=1")" 404

equal 'a file is a file' "$(get "$blog/wp-content/style.css?ver=6.5&fbclid=1")" \
    'body { }'

equal 'HEAD does not take the page away from GET' \
    "$(get "$blog/head/?fbclid=1" -I -o /dev/null
       get "$blog/head/?gclid=1" | head -n 1)" 'path /head/'


# --- pages for one person

status_of() {
    header X-Cache "$@"
}

page="$blog/archive/?paged=2&s=rain+coat"

equal 'who is logged in gets a page of her own' \
    "$(get "$page" -b 'a=1; wordpress_logged_in_0a=anna' |
        sed -n 's/^user //p')" anna

for cookie in wordpress_logged_in_0a wp-postpass_0a comment_author_0a; do
    equal "$cookie keeps from the cache" \
        "$(status_of "$page" -b "a=1; $cookie=1")" BYPASS
done

equal 'other cookies do not' "$(status_of "$page" -b 'a=1; seen=yes')" HIT

equal 'nobody else gets the page of one person' \
    "$(get "$page" | sed -n 's/^user //p')" anybody

had=$(entries wordpress)

for path in /wp-admin/ /wp-admin/index.php /wp-login.php //wp-admin/./; do
    equal "$path is never from the cache" \
        "$(status_of "$blog$path?p=1"; status_of "$blog$path?p=1")" \
        'BYPASS
BYPASS'
done

equal 'and never put into it' "$(entries wordpress)" "$had"


# --- the log

sent='/archive/?s=rain+coat&gclid=5&paged=2'

equal 'the log has both URLs and what was stripped' \
    "$(last_line "$tmp/var/log/nginx/pages.log" "$blog$sent" |
        cut -d ' ' -f 4,6,8-)" \
    "200 HIT \"$sent\" \"/archive/?paged=2&s=rain+coat\" stripped \"gclid\""

# --- the platform, and what is said about it

variant() {
    sed "s,miqps_platform wordpress;,$1," "$tmp/example.conf" > "$tmp/nginx.conf"
    nginx_reload
}

cp "$tmp/nginx.conf" "$tmp/example.conf"
echo '{ "version": 1, "strip": [ "s", "x" ] }' > "$tmp/strip.json"

agrees 's=1&x=2' 's=1&x=2'

result 'another rules file is taken' \
    variant 'miqps_platform wordpress; miqps_rules strip.json;'
agrees 's=1&x=2&fbclid=3' 's=1'

result 'the same without a platform' variant 'miqps_rules strip.json;'
agrees 's=1&x=2&fbclid=3' ''

result 'the platform may be strict' variant 'miqps_platform wordpress strict;'
agrees 's=1&y=2&fbclid=3' 's=1'

example_end
