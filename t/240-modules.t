# Copyright (C) the ngx_miqps authors
#
# Beside nginx's own modules: subrequests have the bytes that they were given,
# and what looks at the request sees the clean URL.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: auth_request, with the clean URL in a header
--- config
    miqps rewrite;

    location / {
        auth_request /auth;
        proxy_pass http://origin;
    }

    location = /auth {
        internal;
        proxy_set_header X-Uri $request_uri;
        proxy_pass http://origin/check;
    }
--- origin
        location /check {
            if ($http_x_uri = '/a%2Fb?id=1') {
                return 204;
            }

            return 403;
        }
--- request
GET /a%2Fb?id=1&gclid=2
--- response_body: /a%2Fb?id=1



=== TEST 2: auth_request that refuses
--- config
    miqps rewrite;

    location / {
        auth_request /auth;
        proxy_pass http://origin;
    }

    location = /auth {
        proxy_pass http://origin/check;
    }
--- origin
        location /check {
            return 403;
        }
--- request
GET /p?id=1&gclid=2
--- error_code: 403



=== TEST 3: a redirect comes before auth_request
--- config
    location / {
        miqps redirect;
        auth_request /auth;
    }

    location = /auth {
        return 403;
    }
--- request
GET /p?gclid=2
--- error_code: 302



=== TEST 4: a mirror gets the clean URL
--- http_config
    log_format got '$request_uri';
--- config
    miqps rewrite;

    location / {
        mirror /mirror;
        proxy_pass http://origin;
    }

    location = /mirror {
        internal;
        proxy_pass http://origin/mirror$request_uri;
    }
--- origin
        location /mirror {
            access_log logs/access.log got;
            return 200;
        }
--- request
GET /a%2Fb?id=1&gclid=2
--- response_body: /a%2Fb?id=1
--- access_log
/mirror/a%2Fb?id=1



=== TEST 5: slices are parts of the clean URL
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps rewrite;
        slice 4;
        proxy_cache one;
        proxy_cache_valid 206 1h;
        proxy_cache_key $scheme$host$miqps_uri$slice_range;
        proxy_set_header Range $slice_range;
        add_header X-Cache $upstream_cache_status;
        proxy_pass http://origin;
    }
--- origin
        location / {
            root html;
        }
--- user_files
>>> 240-5.txt
0123456789
--- request eval
[ 'GET /240-5.txt?gclid=2', 'GET /240-5.txt?fbclid=2' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT' ]
--- response_body eval
[ "0123456789\n", "0123456789\n" ]



=== TEST 6: includes of SSI have the arguments that they are written with
--- config
    miqps rewrite;
    ssi on;
    ssi_types text/plain;

    location / {
        root html;
    }

    location /part {
        proxy_pass http://origin;
    }
--- user_files
>>> page.html
<!--#include virtual="/part?b=1&gclid=3&a=2" --> <!--#echo var="args" -->
--- request
GET /page.html?id=1&gclid=2
--- response_body
/part?b=1&gclid=3&a=2 id=1



=== TEST 7: includes of SSI do not read the variables of another request
--- config
    miqps rewrite;
    ssi on;

    location / {
        root html;
    }

    location /part {
        return 200 "$args|$request_uri|$miqps_uri|$miqps_verdict";
    }
--- user_files
>>> page.html
<!--#include virtual="/part?gclid=3" -->
--- request
GET /page.html?id=1&gclid=2
--- response_body
gclid=3|/page.html?id=1|/page.html?id=1|stripped



=== TEST 8: a page with SSI in redirect mode, once clean, is whole
--- config
    miqps redirect;
    ssi on;

    location / {
        root html;
    }

    location /part {
        proxy_pass http://origin;
    }
--- user_files
>>> page.html
<!--#include virtual="/part?gclid=3" -->
--- request
GET /page.html?id=1
--- response_body
/part?gclid=3



=== TEST 9: addition and sub_filter
--- config
    miqps rewrite;

    location /before {
        return 200 "before ";
    }

    location /static {
        add_before_body /before;
        addition_types *;
        sub_filter_types *;
        sub_filter text "text of $request_uri";
        root html;
    }
--- user_files
>>> static/a.txt
text
--- request
GET /static/a.txt?id=1&gclid=2
--- response_body
before text of /static/a.txt?id=1



=== TEST 10: limit_req counts the clean URL
--- http_config
    limit_req_zone $request_uri zone=one:1m rate=1r/m;
    limit_req_status 429;
    limit_req_log_level info;
--- config
    location / {
        miqps rewrite;
        limit_req zone=one;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /240-10?id=1&gclid=1', 'GET /240-10?id=2&gclid=1',
  'GET /240-10?id=1&gclid=2' ]
--- error_code eval
[ 200, 200, 429 ]



=== TEST 11: secure_link sees its arguments
--- config
    location / {
        miqps rewrite;
        miqps_sort on;
        secure_link $arg_md5,$arg_expires;
        secure_link_md5 "$secure_link_expires$uri secret";

        if ($secure_link = '') {
            return 403;
        }

        return 200 "$request_uri $miqps_verdict";
    }
--- request eval
use Digest::MD5;
my $md5 = Digest::MD5::md5_base64('4102444800/s secret');
$md5 =~ tr{+/}{-_};
"GET /s?md5=$md5&expires=4102444800&gclid=1"
--- response_body_like: ^/s\?md5=\S+&expires=4102444800&gclid=1 opaque:signed$



=== TEST 12: realip starts nothing anew
--- config
    set_real_ip_from 127.0.0.0/8;
    real_ip_header X-Real-IP;

    location / {
        miqps rewrite;
        set_real_ip_from 127.0.0.0/8;
        return 200 "$remote_addr $request_uri $miqps_verdict";
    }
--- more_headers
X-Real-IP: 192.0.2.1
--- request
GET /p?id=1&gclid=2
--- response_body: 192.0.2.1 /p?id=1 stripped



=== TEST 13: an access rule on the query sees the clean URL
--- config
    location / {
        miqps rewrite;
        miqps_strip debug;

        if ($arg_debug) {
            return 403;
        }

        proxy_pass http://origin;
    }
--- request
GET /p?debug=1&id=2
--- response_body: /p?id=2
