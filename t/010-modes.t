# Copyright (C) the ngx_miqps authors
#
# What each mode does with a request.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: without a mode the origin gets what the client sent
--- config
    location / {
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&fbclid=2
--- response_body: /p?id=1&fbclid=2



=== TEST 2: rules alone do nothing
--- config
    miqps_strip id;
    miqps_sort on;

    location / {
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&fbclid=2
--- response_body: /p?id=1&fbclid=2



=== TEST 3: annotate leaves the request alone, and says what it would do
--- config
    location / {
        miqps annotate;
        add_header X-Clean $miqps_uri;
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&fbclid=2
--- response_headers
X-Clean: /p?id=1
--- response_body: /p?id=1&fbclid=2



=== TEST 4: rewrite sends the clean URL to the origin
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?id=1&fbclid=2', 'GET /p?fbclid=2', 'GET /p?id=1', 'GET /p' ]
--- response_body eval
[ '/p?id=1', '/p', '/p?id=1', '/p' ]



=== TEST 5: redirect sends the client to the clean URL, with 302
--- config
    location / {
        miqps redirect;
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&fbclid=2
--- error_code: 302
--- response_headers
Location: http://localhost:$ServerPort/p?id=1



=== TEST 6: redirect with 301
--- config
    location / {
        miqps redirect 301;
    }
--- request
GET /p?id=1&fbclid=2
--- error_code: 301
--- response_headers
Location: http://localhost:$ServerPort/p?id=1



=== TEST 7: redirect with 302
--- config
    location / {
        miqps redirect 302;
    }
--- request
GET /p?id=1&fbclid=2
--- error_code: 302
--- response_headers
Location: http://localhost:$ServerPort/p?id=1



=== TEST 8: redirect with 307
--- config
    location / {
        miqps redirect 307;
    }
--- request
GET /p?id=1&fbclid=2
--- error_code: 307
--- response_headers
Location: http://localhost:$ServerPort/p?id=1



=== TEST 9: redirect with 308
--- config
    location / {
        miqps redirect 308;
    }
--- request
GET /p?id=1&fbclid=2
--- error_code: 308
--- response_headers
Location: http://localhost:$ServerPort/p?id=1



=== TEST 10: each location has its own mode
--- config
    location /rewrite {
        miqps rewrite;
        return 200 "$request_uri $miqps_verdict";
    }

    location /annotate {
        miqps annotate;
        return 200 "$request_uri $miqps_verdict";
    }

    location /off {
        miqps off;
        return 200 "$request_uri $miqps_verdict";
    }
--- request eval
[ 'GET /rewrite?gclid=1', 'GET /annotate?gclid=1', 'GET /off?gclid=1' ]
--- response_body eval
[ '/rewrite stripped', '/annotate?gclid=1 stripped', '/off?gclid=1 off' ]
