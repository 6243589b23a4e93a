# Copyright (C) the ngx_miqps authors
#
# miqps_purge: a request to clear a page is cleaned as one for it is.

use lib 't';
use Miqps;
use Map;
use Origin;

run_tests();

__DATA__

=== TEST 1: it has the key of the page
--- config
    location / {
        miqps rewrite;
        miqps_sort on;
        miqps_purge on;
        proxy_pass http://origin;
        add_header X-Key "$request_uri $args $miqps_uri $miqps_verdict";
    }
--- request eval
[ 'PURGE /p?b=1&gclid=2&a=3', 'PURGE /p?a=3&b=1', 'PURGE /p?gclid=1;a=2' ]
--- response_headers eval
[ 'X-Key: /p?a=3&b=1 a=3&b=1 /p?a=3&b=1 stripped',
  'X-Key: /p?a=3&b=1 a=3&b=1 /p?a=3&b=1 clean',
  'X-Key: /p?gclid=1;a=2 gclid=1;a=2 /p?gclid=1;a=2 opaque:semicolon' ]
--- response_body eval
[ '/p?a=3&b=1', '/p?a=3&b=1', '/p?gclid=1;a=2' ]



=== TEST 2: what a page's script reads goes, as it does in the key
--- map
{"host": "localhost", "patterns": [{"params": ["c", "id"], "keep": ["id"], "client": ["c"]}]}
--- config
    location / {
        miqps rewrite;
        miqps_purge on;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?c=1&id=2', 'PURGE /p?c=1&id=2' ]
--- response_body eval
[ '/p?id=2', '/p?id=2' ]



=== TEST 3: not unless it is on, nor for other methods
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
        add_header X-Verdict $miqps_verdict;
    }
    location /on {
        miqps_purge on;
        miqps rewrite;
        proxy_pass http://origin;
        add_header X-Verdict $miqps_verdict;
    }
--- request eval
[ 'PURGE /p?gclid=1', 'DELETE /on?gclid=1', 'BAN /on?gclid=1', 'POST /on?gclid=1' ]
--- response_headers eval
[ ('X-Verdict: method') x 4 ]
--- response_body eval
[ '/p?gclid=1', ('/on?gclid=1') x 3 ]



=== TEST 4: nobody is redirected who wants to clear a page
--- config
    miqps_purge on;
    location / {
        miqps redirect;
        proxy_pass http://origin;
    }
--- request eval
[ 'PURGE /p?gclid=1', 'GET /p?gclid=1' ]
--- error_code eval
[ 200, 302 ]
