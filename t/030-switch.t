# Copyright (C) the ngx_miqps authors
#
# "miqps off" at http level switches everything off.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: off at http level wins over servers and locations, with a warning
--- http_config
    miqps off;
--- config
    miqps rewrite;

    location / {
        return 200 "$request_uri $miqps_verdict";
    }

    location /in {
        miqps redirect;
        return 200 "$request_uri $miqps_verdict";
    }
--- request
GET /in?gclid=1
--- response_body: /in?gclid=1 off
--- suppress_stderr
--- grep_error_log eval
qr/\[warn\].*? in all servers and locations/
--- grep_error_log_out eval
qr/^.*?"miqps off" at http level switches it off in all[^\n]*\n$/
--- error_log
[warn]



=== TEST 2: off at http level after the servers is the same
--- http_config
    server {
        listen unix:$TEST_NGINX_HTML_DIR/second.sock;
        miqps rewrite;
        location / { return 200 "$request_uri"; }
    }

    miqps off;
--- config
    location / {
        proxy_pass http://unix:$TEST_NGINX_HTML_DIR/second.sock;
    }
--- request
GET /p?gclid=1
--- response_body: /p?gclid=1
--- suppress_stderr
--- error_log
"miqps off" at http level switches it off



=== TEST 3: off at http level alone warns of nothing
--- http_config
    miqps off;
--- config
    location / {
        return 200 "$request_uri";
    }
--- request
GET /p?gclid=1
--- response_body: /p?gclid=1



=== TEST 4: off at http level leaves miqps_set as it is
--- http_config
    miqps off;
--- config
    miqps_set $clean $arg_u;

    location / {
        return 200 "$clean";
    }
--- request
GET /p?u=/a?gclid=1
--- response_body: /a



=== TEST 5: off at http level stops headers and No-Vary-Search too
--- http_config
    miqps off;
--- config
    miqps rewrite;
    miqps_headers on response;
    miqps_no_vary_search on;

    location / {
        return 200;
    }
--- request
GET /p?gclid=1
--- response_headers
! X-Miqps-Verdict
! No-Vary-Search
--- suppress_stderr
--- error_log
"miqps off" at http level switches it off



=== TEST 6: off for a server leaves the others alone
--- http_config
    miqps rewrite;

    server {
        listen $TEST_NGINX_SERVER_PORT;
        server_name second;
        miqps off;
        location / { return 200 "$request_uri"; }
    }
--- config
    location / {
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?gclid=1', 'GET /p?gclid=1' ]
--- more_headers eval
[ 'Host: localhost', 'Host: second' ]
--- response_body eval
[ '/p', '/p?gclid=1' ]
