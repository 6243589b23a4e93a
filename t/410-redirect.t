# Copyright (C) the ngx_miqps authors
#
# Redirects to the clean URL.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: Location has the raw bytes of the path
--- config
    location / {
        miqps redirect;
    }
--- request eval
[ 'GET /a%2Fb?gclid=1', 'GET /a/%2e/b//c;d?gclid=1', 'GET /%7Eu?gclid=1',
  'GET /a/../b?gclid=1', 'GET /a%0d%0aX-Evil:%201?gclid=1' ]
--- error_code eval
[ (302) x 5 ]
--- response_headers eval
[ map { "Location: http://localhost:$ENV{TEST_NGINX_PORT}$_" }
  '/a%2Fb', '/a/%2e/b//c;d', '/%7Eu', '/a/../b', '/a%0d%0aX-Evil:%201' ]



=== TEST 2: Location has raw bytes that are not ASCII
--- config
    location / {
        miqps redirect;
    }
--- request eval
"GET /\xff\xc3\xa4?gclid=1"
--- error_code: 302
--- raw_response_headers_like eval
"Location: http://localhost:\\d+/\xff\xc3\xa4\r\n"



=== TEST 3: Location has the kept arguments as they were
--- config
    location / {
        miqps redirect;
    }
--- request
GET /p?a=%0d%0aSet-Cookie:x&gclid=1&b=%26%3d
--- error_code: 302
--- response_headers
Location: http://localhost:$ServerPort/p?a=%0D%0ASet-Cookie:x&b=%26%3D
! Set-Cookie



=== TEST 4: a clean request is not redirected
--- config
    location / {
        miqps redirect;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?id=1', 'GET /p', 'GET /' ]
--- response_body eval
[ '/p?id=1', '/p', '/' ]



=== TEST 5: one redirect is enough
--- config
    location / {
        miqps redirect;
        miqps_sort on;
        miqps_strip sid;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?c=1&sid=2&%61=%7e&gclid=3&&b', 'GET /p?a=~&b&c=1', 'GET /p?amp&gclid=1',
  'GET /p?amp&', 'GET /p?', 'GET /p' ]
--- error_code eval
[ 302, 200, 302, 200, 302, 200 ]
--- response_headers eval
[ "Location: http://localhost:$ENV{TEST_NGINX_PORT}/p?a=~&b&c=1", '!Location',
  "Location: http://localhost:$ENV{TEST_NGINX_PORT}/p?amp&", '!Location',
  "Location: http://localhost:$ENV{TEST_NGINX_PORT}/p", '!Location' ]



=== TEST 6: HEAD is redirected
--- config
    location / {
        miqps redirect;
    }
--- request
HEAD /p?gclid=1
--- error_code: 302
--- response_headers
Location: http://localhost:$ServerPort/p



=== TEST 7: POST, a body and an upgrade are not redirected
--- config
    location / {
        miqps redirect;
        proxy_pass http://origin;
    }
--- request eval
[ 'POST /p?gclid=1', "GET /p?gclid=1\nbody", 'GET /p?gclid=1' ]
--- more_headers eval
[ '', '', "Upgrade: x\nConnection: close, Upgrade" ]
--- response_body eval
[ ('/p?gclid=1') x 3 ]



=== TEST 8: absolute_redirect off gives a path
--- config
    absolute_redirect off;

    location / {
        miqps redirect;
    }
--- request
GET /a%2Fb?id=1&gclid=2
--- error_code: 302
--- response_headers
Location: /a%2Fb?id=1



=== TEST 9: server_name_in_redirect gives the name of the server
--- config
    server_name_in_redirect on;

    location / {
        miqps redirect;
    }
--- more_headers
Host: other.example
--- request
GET /p?gclid=1
--- error_code: 302
--- response_headers
Location: http://localhost:$ServerPort/p



=== TEST 10: port_in_redirect off gives no port
--- config
    port_in_redirect off;

    location / {
        miqps redirect;
    }
--- more_headers
Host: shop.example:8080
--- request
GET /p?gclid=1
--- error_code: 302
--- response_headers
Location: http://shop.example/p



=== TEST 11: the target of an absolute request line
--- config
    location / {
        miqps redirect;
    }
--- request
GET http://shop.example/p?gclid=1
--- error_code: 302
--- response_headers
Location: http://shop.example:$ServerPort/p



=== TEST 12: a body says where the page went, as nginx has it
--- config
    location / {
        miqps redirect 301;
    }
--- request
GET /p?gclid=1
--- error_code: 301
--- response_body_like: 301 Moved Permanently



=== TEST 13: the origin is not asked
--- config
    location / {
        miqps redirect;
        proxy_pass http://127.0.0.1:1;
    }
--- request
GET /p?gclid=1
--- error_code: 302



=== TEST 14: variables of a redirected request
--- config
    location / {
        miqps redirect;
        add_header X-Verdict "$miqps_verdict|$miqps_uri|$miqps_original" always;
    }
--- request
GET /p?gclid=1
--- error_code: 302
--- response_headers
X-Verdict: stripped|/p|/p?gclid=1



=== TEST 15: a redirect is not redirected again by an error page
--- config
    error_page 404 /error?gclid=1;

    location / {
        miqps redirect;
        return 404;
    }
--- request eval
[ 'GET /p?gclid=2', 'GET /p' ]
--- error_code eval
[ 302, 404 ]



=== TEST 16: nested in a location that rewrites
--- config
    miqps rewrite;

    location / {
        return 200 "$request_uri";
    }

    location /r {
        miqps redirect 308;
    }
--- request eval
[ 'GET /p?gclid=1', 'GET /r?gclid=1' ]
--- error_code eval
[ 200, 308 ]



=== TEST 17: keepalive connections stay open over a redirect
--- config
    location / {
        miqps redirect;
        return 200 "ok";
    }
--- pipelined_requests eval
[ 'GET /p?gclid=1', 'GET /p', 'GET /q?gclid=1' ]
--- error_code eval
[ 302, 200, 302 ]
