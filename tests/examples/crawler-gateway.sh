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


# --- redirects, which are the site's

# escaped TEXT: as the value of a parameter

escaped() {
    printf %s "$1" | sed 's/%/%25/g; s/&/%26/g; s/#/%23/g; s/?/%3F/g; s/\\/%5C/g'
}

# redirected LOCATION [PATH]: where the crawler is sent to by a page of this path

redirected() {
    header Location "$gateway/fetch" -G \
        --data-urlencode "url=$shop${2-/a/b}/redirect?to=$(escaped "$1")"
}

while read -r told wanted; do
    equal "a redirect to $told" "$(redirected "$told")" "$wanted"
done << END
/next?id=1&gclid=2 $shop/next?id=1
/next $shop/next
/?gclid=2 $shop/
?id=1&gclid=2 $shop/a/b/redirect?id=1
next?id=1&gclid=2 $shop/a/b/next?id=1
../next?id=1&gclid=2 $shop/a/b/../next?id=1
./a:b?gclid=2 $shop/a/b/./a:b
//brand.example/next?gclid=2 http://brand.example/next
//elsewhere.example/next?gclid=2 http://elsewhere.example/next?gclid=2
$shop/next?id=1&gclid=2 $shop/next?id=1
https://brand.example/next?gclid=2 https://brand.example/next
http://elsewhere.example/next?gclid=2 http://elsewhere.example/next?gclid=2
mailto:a@brand.example?gclid=2 mailto:a@brand.example?gclid=2
#top $shop/a/b/redirect?to=%23top#top
/\\elsewhere.example/ $shop/\\elsewhere.example/
/next?from_menu=1&partner=2 $shop/next
/partners/next?from_menu=1&partner=2 $shop/partners/next?partner=2
END

equal 'a redirect from the root of the site' "$(redirected 'next?gclid=2' '')" \
    "$shop/next"

equal 'a path that a rule is for' \
    "$(redirected 'next?from_menu=1&partner=2' /partners)" \
    "$shop/partners/next?partner=2"

equal 'once more, from the cache' "$(redirected '?id=1&gclid=2')" \
    "$shop/a/b/redirect?id=1"

equal 'other links in headers have rules of the site' \
    "$(header Link "$gateway/fetch" -G \
           --data-urlencode "url=$shop/redirect?to=/x")" \
    '</l?id=1>; rel=next'

equal 'a page that is slow is waited for by all' \
    "$(sed -n 's/^ *proxy_cache_lock_age //p' conf-examples/crawler-gateway.conf)" \
    "$(sed -n 's/^ *proxy_cache_lock_timeout //p' \
           conf-examples/crawler-gateway.conf)"


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

# --- what README says

# recipe KIND WORD: the first example of this kind behind "A crawler that
# fetches" that has the word in it

recipe() {
    awk -v kind="$1" -v word="$2" '
        /^A crawler that fetches/ { here = 1 }
        /^```/ && on { if (index(text, word)) { printf "%s", text; exit } }
        /^```/ { on = (here && $0 == "```" kind); text = ""; next }
        on { text = text $0 "\n" }' README.md
}

mkdir "$tmp/bin" "$tmp/crawl" "$tmp/crawl/pages"
printf '#!/bin/sh\nexec %s --unix-socket %s "$@"\n' "$(command -v curl)" \
    "$tmp/www.sock" > "$tmp/bin/curl"
chmod +x "$tmp/bin/curl"

sed 's,^,http://www.brand.example,' > "$tmp/crawl/urls.txt" << 'END'
/it's?gclid=1
/it's?gclid=2
/say"so"?gclid=1
/a\b?gclid=1
/a\cb
/a\cd
/p?q='"\&id=1&fbclid=2
END

recipe sh xargs > "$tmp/crawl/recipe"
(cd "$tmp/crawl" && PATH=$tmp/bin:$PATH sh recipe) || true

equal 'the recipe for xargs fetches each page once, whatever its name' \
    "$(cat "$tmp/crawl/pages"/* | sed 's/^page //; s/ for anybody$//' | sort)" \
    "$(sort << 'END'
/it's
/say"so"
/a\b
/a\cb
/a\cd
/p?id=1&q='"\
END
)"

recipe python Gateway > "$tmp/recipe.py"
cat >> "$tmp/recipe.py" << 'END'

class Thing:
    def __init__(self, url, meta):
        self.url, self.meta = url, meta

    def replace(self, url, meta=None):
        return Thing(url, meta or self.meta)

gateway = Gateway()
page = 'http://www.brand.example/p?a=%26&gclid=1'
first = Thing(page, {'depth': 1})
fetched = gateway.process_request(first, None)
answer = gateway.process_response(fetched, Thing(fetched.url, {}), None)
after = gateway.process_request(Thing('http://brand.example/', fetched.meta), None)

print(fetched.url, fetched.meta['depth'])
print(gateway.process_request(fetched, None), answer.url == page)
print(after.url, after.meta['fetched'])
END

equal 'the recipe for Scrapy keeps the URL of a page' \
    "$(python3 "$tmp/recipe.py")" \
    "$gateway/fetch?url=http%3A%2F%2Fwww.brand.example%2Fp%3Fa%3D%2526%26gclid%3D1 1
None True
$gateway/fetch?url=http%3A%2F%2Fbrand.example%2F http://brand.example/"

grep -v 'access forbidden by rule' "$tmp/error.log" > "$tmp/error.log.new" ||
    true
mv "$tmp/error.log.new" "$tmp/error.log"

example_end
