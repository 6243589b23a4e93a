# Copyright (C) the ngx_miqps authors
#
# Which requests are touched: GET and HEAD without a body, and no upgrades.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: HEAD is rewritten
--- config
    location / {
        miqps rewrite;
        add_header X-Uri $request_uri;
        return 200 "body";
    }
--- request
HEAD /p?id=1&gclid=2
--- response_headers
X-Uri: /p?id=1
--- response_body:



=== TEST 2: POST, PUT, DELETE and OPTIONS are left alone
--- config
    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
--- request eval
[ "POST /p?id=1&gclid=2\nbody", 'POST /p?id=1&gclid=2', 'PUT /p?gclid=2',
  'DELETE /p?gclid=2', 'OPTIONS /p?gclid=2' ]
--- response_body eval
[ '/p?id=1&gclid=2', '/p?id=1&gclid=2', '/p?gclid=2', '/p?gclid=2',
  '/p?gclid=2' ]
--- response_headers eval
[ ('X-Verdict: method') x 5 ]



=== TEST 3: a method that nginx does not know is left alone
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri $miqps_verdict";
    }
--- request
QUERY /p?gclid=2
--- response_body: /p?gclid=2 method



=== TEST 4: GET with a body is left alone
--- config
    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&gclid=2
id=3
--- response_headers
X-Verdict: body
--- response_body: /p?id=1&gclid=2



=== TEST 5: GET with a chunked body is left alone
--- config
    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
--- more_headers
Transfer-Encoding: chunked
--- request eval
"GET /p?id=1&gclid=2
4\r
id=3\r
0\r
\r
"
--- response_headers
X-Verdict: body
--- response_body: /p?id=1&gclid=2



=== TEST 6: GET with an empty body is rewritten
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- more_headers
Content-Length: 0
--- request
GET /p?id=1&gclid=2
--- response_body: /p?id=1



=== TEST 7: an upgrade is left alone
--- config
    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection upgrade;
        proxy_pass http://origin;
    }
--- more_headers
Connection: close, Upgrade
Upgrade: websocket
--- request
GET /ws?id=1&gclid=2
--- response_headers
X-Verdict: upgrade
--- response_body_like: /ws\?id=1&gclid=2



=== TEST 8: HTTP/1.0 is rewritten
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&gclid=2 HTTP/1.0
--- response_body: /p?id=1



=== TEST 9: HTTP/1.0 without a host is rewritten
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri $miqps_url";
    }
--- raw_request eval
"GET /p?id=1&gclid=2 HTTP/1.0\r\n\r\n"
--- response_body eval
"/p?id=1 http://localhost:$ENV{TEST_NGINX_PORT}/p?id=1"



=== TEST 10: HTTP/0.9 is rewritten
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri";
    }
--- http09
--- raw_request eval
"GET /p?id=1&gclid=2\r\n"
--- response_body: /p?id=1



=== TEST 11: requests of one connection do not know of each other
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri $miqps_verdict $miqps_stripped\n";
    }
--- pipelined_requests eval
[ 'GET /a?id=1&gclid=2', 'GET /b?id=3', 'GET /c?x;y', 'GET /d?fbclid=4' ]
--- response_body eval
[ "/a?id=1 stripped gclid\n", "/b?id=3 clean \n",
  "/c?x;y opaque:semicolon \n", "/d stripped fbclid\n" ]



=== TEST 12: pipelined requests reach the origin each as its own
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- pipelined_requests eval
[ 'GET /a?id=1&gclid=2', 'GET /b?gclid=3', 'GET /c?gclid=4&id=5' ]
--- response_body eval
[ '/a?id=1', '/b', '/c?id=5' ]



=== TEST 13: a range is served of the clean URL
--- config
    location / {
        miqps rewrite;
    }
--- user_files
>>> file.txt
0123456789
--- more_headers
Range: bytes=2-4
--- request
GET /file.txt?gclid=1
--- error_code: 206
--- response_headers
Content-Range: bytes 2-4/11
--- response_body: 234



=== TEST 14: a range reaches the origin as it came
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 200 "$request_uri $http_range $http_if_range";
        }
--- more_headers
Range: bytes=0-99
If-Range: "x"
--- request
GET /p?id=1&gclid=2
--- response_body: /p?id=1 bytes=0-99 "x"



=== TEST 15: conditional requests work
--- config
    location / {
        miqps rewrite;
        if_modified_since before;
    }
--- user_files
>>> file.txt 201201010000
text
--- more_headers
If-Modified-Since: Sun, 01 Jan 2040 00:00:00 GMT
--- request
GET /file.txt?gclid=1
--- error_code: 304



=== TEST 16: Expect is no obstacle
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri";
    }
--- more_headers
Expect: 100-continue
--- request
GET /p?gclid=1
--- response_body_like: /p$
--- error_code_like: ^(100|200)$



=== TEST 17: HTTP/2 is rewritten
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- http2
--- request
GET /a%2Fb//c;d?id=1&gclid=2
--- response_body: /a%2Fb//c;d?id=1



=== TEST 18: HEAD over HTTP/2 is rewritten
--- config
    location / {
        miqps rewrite;
        add_header X-Uri $request_uri;
        return 200;
    }
--- http2
--- request
HEAD /p?id=1&gclid=2
--- response_headers
X-Uri: /p?id=1



=== TEST 19: POST over HTTP/2 is left alone
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- http2
--- request
POST /p?id=1&gclid=2
body
--- response_body: /p?id=1&gclid=2



=== TEST 20: an opaque query over HTTP/2 is left alone
--- config
    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
--- http2
--- request
GET /p?id=1;gclid=2&gclid=3
--- response_headers
X-Verdict: opaque:semicolon
--- response_body: /p?id=1;gclid=2&gclid=3



=== TEST 21: redirect over HTTP/2
--- config
    location / {
        miqps redirect;
    }
--- http2
--- request
GET /a%2Fb?id=1&gclid=2
--- error_code: 302
--- response_headers
Location: http://localhost:$ServerPort/a%2Fb?id=1



=== TEST 22: X-Miqps-* of a client are removed over HTTP/2
--- config
    location / {
        miqps rewrite;
        miqps_headers on;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 200 "$request_uri $http_x_miqps_verdict $http_x_miqps_a.";
        }
--- http2
--- more_headers
X-Miqps-Verdict: forged
X-Miqps-A: forged
--- request
GET /p?gclid=2
--- response_body: /p stripped .



=== TEST 23: a request that nginx refuses has no verdict to give
--- config
    location / {
        miqps rewrite;
        return 200;
    }

    error_page 400 /bad;

    location = /bad {
        miqps rewrite;
        return 200 "$miqps_verdict [$miqps_uri] [$miqps_stripped]";
    }
--- raw_request eval
"GET /p?gclid=1\x01 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
--- error_code: 400
--- response_body_like: ^error-page
--- error_log
[info]



=== TEST 24: OPTIONS * is left alone
--- config
    location / {
        miqps rewrite;
        return 200 "$miqps_verdict";
    }
--- raw_request eval
"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
--- error_code: 400
--- error_log
[info]
