# Copyright (C) the ngx_miqps authors
#
# No-Vary-Search names what was stripped just for its name.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: by default there is none
--- config
    location / {
        miqps rewrite;
        return 200;
    }
--- request
GET /p?gclid=1
--- response_headers
! No-Vary-Search



=== TEST 2: names of the tracking list, the operator and a rules file
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        miqps_strip sid "~^rx";
        miqps_rules ../html/rules.json;
        proxy_pass http://origin;
    }
--- user_files
>>> rules.json
{ "version": 1, "strip": [ "ours" ] }
--- request
GET /p?gclid=1&id=2&utm_source=3&sid=4&ours=5&rx1=6
--- response_headers
No-Vary-Search: params=("gclid" "utm_source" "sid" "ours" "rx1")



=== TEST 3: a name is named once
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        return 200;
    }
--- request
GET /p?gclid=1&gclid=2&fbclid=3&gclid=4
--- response_headers
No-Vary-Search: params=("gclid" "fbclid")



=== TEST 4: nothing stripped, nothing said
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        miqps_sort on;
        return 200;
    }
--- request eval
[ 'GET /p?id=1', 'GET /p', 'GET /p?b=1&a=2', 'GET /p?gclid=1;a', 'POST /p?gclid=1' ]
--- response_headers eval
[ ('!No-Vary-Search') x 5 ]



=== TEST 5: a rule for one value says nothing of the name
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        miqps_strip page=1;
        return 200;
    }
--- request eval
[ 'GET /p?page=1', 'GET /p?page=1&gclid=2' ]
--- response_headers eval
[ '!No-Vary-Search', 'No-Vary-Search: params=("gclid")' ]



=== TEST 6: names that the guard looks at are not named
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        miqps_strip token sig s state x-amz-* expires;
        return 200;
    }
--- request
GET /p?token=a&sig=b&s=c&state=d&expires=e&gclid=1
--- response_headers
No-Vary-Search: params=("gclid")



=== TEST 7: names with brackets, dots or escapes are not named
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        miqps_strip ~^x;
        return 200 "$request_uri";
    }
--- request
GET /p?x[]=1&xa.b=2&x%20c=3&x%22d=4&x-e=5&x_f=6
--- response_headers
No-Vary-Search: params=("x-e" "x_f")
--- response_body: /p



=== TEST 8: what the origin says of itself stays
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header no-vary-search key-order;
            return 200;
        }
--- request
GET /p?gclid=1
--- response_headers
No-Vary-Search: key-order



=== TEST 9: annotate says nothing
--- config
    location / {
        miqps annotate;
        miqps_no_vary_search on;
        add_header X-Stripped $miqps_stripped;
        return 200;
    }
--- request
GET /p?gclid=1
--- response_headers
X-Stripped: gclid
! No-Vary-Search



=== TEST 10: redirect says nothing
--- config
    location / {
        miqps redirect;
        miqps_no_vary_search on;
        return 200;
    }
--- request eval
[ 'GET /p?gclid=1', 'GET /p' ]
--- error_code eval
[ 302, 200 ]
--- response_headers eval
[ ('!No-Vary-Search') x 2 ]



=== TEST 11: a strict platform names what it stripped
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        miqps_platform shopify strict;
        return 200;
    }
--- request
GET /p?variant=1&foo=2&bar=3
--- response_headers
No-Vary-Search: params=("foo" "bar")



=== TEST 12: it does not grow without bounds
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        miqps_strip n*;
        return 200;
    }
--- request eval
'GET /p?' . CORE::join '&', map { "n$_=1" } 1 .. 500
--- response_headers_like
No-Vary-Search: params=\("n1" "n2" [^)]{800,1010}\)



=== TEST 13: beside other headers of ours
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        miqps_headers on response;
        return 200;
    }
--- request
HEAD /p?gclid=1
--- response_headers
No-Vary-Search: params=("gclid")
X-Miqps-Verdict: stripped



=== TEST 14: over HTTP/2
--- config
    location / {
        miqps rewrite;
        miqps_no_vary_search on;
        return 200;
    }
--- http2
--- request
GET /p?gclid=1
--- response_headers
No-Vary-Search: params=("gclid")
