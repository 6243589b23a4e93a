# Copyright (C) the ngx_miqps authors
#
# miqps_learn: what the learner fetches, and what nobody else can.

use lib 't';
use Miqps;
use Corpus;
use Status;
use Origin;

run_tests();

__DATA__

=== TEST 1: URLs pass as they are, whatever is said around
--- http_config
    miqps rewrite;
    miqps_sort on;
    miqps_strip a;
--- config
    miqps_learn on;
    location / {
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: https
--- request eval
[ 'GET /p?b=1&a=2&utm_source=3', 'GET /a//b/../%7Ec?x', 'HEAD /p?a' ]
--- response_body eval
[ '/p?b=1&a=2&utm_source=3', '/a//b/../%7Ec?x', '' ]



=== TEST 2: redirects and annotations are off, too
--- config
    location /redirect {
        miqps redirect;
        miqps_learn on;
        proxy_pass http://origin;
    }
    location /annotate {
        miqps annotate;
        miqps_headers on response;
        miqps_no_vary_search on;
        miqps_learn on;
        add_header X-Verdict $miqps_verdict;
        add_header X-Uri $miqps_uri;
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: http
--- request eval
[ 'GET /redirect?utm_source=1', 'GET /annotate?utm_source=1' ]
--- response_headers eval
[ '!Location', "X-Verdict: off
X-Uri: /annotate?utm_source=1
!X-Miqps-Verdict
!No-Vary-Search" ]
--- response_body eval
[ '/redirect?utm_source=1', '/annotate?utm_source=1' ]



=== TEST 3: it is for requests with the mark
--- config
    miqps_learn on;
    location / {
        proxy_pass http://origin;
    }
--- request
GET /p
--- error_code: 403
--- error_log
"miqps_learn" is for the learner, and this request is not his: its header Miqps-Learn is no scheme, or absent



=== TEST 4: a mark that is no scheme
--- config
    miqps_learn on;
    location / {
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: ftp
--- request
GET /p
--- error_code: 403
--- error_log
is no scheme



=== TEST 5: other methods
--- config
    miqps_learn on;
    location / {
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: http
--- request eval
[ "POST /p\na=1", 'DELETE /p', 'OPTIONS /p' ]
--- error_code eval
[ 405, 405, 405 ]
--- error_log
it is neither GET nor HEAD



=== TEST 6: a body
--- config
    miqps_learn on;
    location / {
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: http
--- request
GET /p
abc
--- error_code: 400
--- error_log
it has a body



=== TEST 7: cookies
--- config
    miqps_learn on;
    location / {
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: http
Cookie: a=1
--- request
GET /p
--- error_code: 403
--- error_log
it has cookies or credentials



=== TEST 8: credentials
--- config
    miqps_learn on;
    location / {
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: http
Authorization: Basic YTpi
--- request
GET /p
--- error_code: 403
--- error_log
it has cookies or credentials



=== TEST 9: the scheme that the page has
--- config
    location / {
        return 200 $miqps_scheme;
    }
    location /learn {
        miqps_learn on;
        proxy_pass http://origin;
        proxy_set_header X-Forwarded-Proto $miqps_scheme;
    }
--- origin
        location / {
            return 200 $http_x_forwarded_proto;
        }
--- more_headers eval
[ 'Miqps-Learn: https', 'Miqps-Learn: http', 'Miqps-Learn: https' ]
--- request eval
[ 'GET /learn', 'GET /learn', 'GET /' ]
--- response_body eval
[ 'https', 'http', 'http' ]



=== TEST 10: nothing goes into a cache
--- http_config
    proxy_cache_path cache keys_zone=pages:1m;
--- config
    proxy_cache pages;
    proxy_cache_key $uri;
    proxy_cache_valid 200 1h;
    location / {
        miqps_learn on;
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: http
--- request eval
[ 'GET /p?1', 'GET /p?2' ]
--- response_headers eval
[ ('X-Miqps-Cache: MISS') x 2 ]
--- response_body eval
[ '/p?1', '/p?2' ]



=== TEST 11: what comes from a cache says so
--- http_config
    proxy_cache_path cache keys_zone=pages:1m;
--- config
    proxy_cache pages;
    proxy_cache_key $args;
    proxy_cache_valid 200 1h;
    location /learn {
        miqps_learn on;
        proxy_pass http://origin;
    }
    location / {
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: http
--- request eval
[ 'GET /p?1', 'GET /learn?1', 'GET /learn?2' ]
--- response_headers eval
[ '!X-Miqps-Cache', 'X-Miqps-Cache: HIT', 'X-Miqps-Cache: MISS' ]
--- response_body eval
[ '/p?1', '/p?1', '/learn?2' ]



=== TEST 12: without a cache nothing is said of it
--- config
    location / {
        miqps_learn on;
        proxy_pass http://origin;
    }
--- more_headers
Miqps-Learn: http
--- request
GET /p
--- response_headers
! X-Miqps-Cache
--- response_body: /p



=== TEST 13: nothing is collected
--- http_config
    miqps_corpus CORPUS flush=1ms;
--- config
    default_type text/html;
    location / {
        return 200;
    }
    location /learn {
        miqps_learn on;
        return 200;
    }
--- sent
GET /learn/a
GET /a
--- headers eval
[ 'Miqps-Learn: http', '' ]
--- corpus
http localhost /a text/html -



=== TEST 14: nothing is counted
--- config
    miqps rewrite;
    location / {
        return 200;
    }
    location /learn {
        miqps_learn on;
        return 200;
    }
--- asked
GET /learn?gclid=1
GET /p?gclid=1
--- headers eval
[ 'Miqps-Learn: http', '' ]
--- only: ^requests
--- counts
requests 1



=== TEST 15: a level may be another
--- config
    miqps_learn on;
    location / {
        proxy_pass http://origin;
    }
    location /page {
        miqps_learn off;
        miqps rewrite;
        proxy_pass http://origin;
    }
--- more_headers eval
[ 'Miqps-Learn: http', '' ]
--- request eval
[ 'GET /p?gclid=1', 'GET /page?gclid=1' ]
--- response_body eval
[ '/p?gclid=1', '/page' ]



=== TEST 16: the switch for emergencies does not open it
--- http_config
    miqps off;
--- config
    miqps_learn on;
    location / {
        proxy_pass http://origin;
    }
--- request
GET /p
--- error_code: 403
--- error_log
is for the learner



=== TEST 17: an endpoint in such a server is an endpoint
--- config
    miqps_learn on;
    location = /status {
        miqps_status;
    }
--- request
GET /status
--- response_body_like: "requests"
