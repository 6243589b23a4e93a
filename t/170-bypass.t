# Copyright (C) the ngx_miqps authors
#
# miqps_bypass is about what is learned; rules of the operator hold anyway.

use lib 't';
use Miqps;

run_tests();

__DATA__

=== TEST 1: miqps_bypass at every level, without effect on rules
--- http_config
    miqps_bypass $cookie_session;
--- config
    miqps rewrite;
    miqps_strip sid;

    location / {
        return 200 "$request_uri";
    }

    location /in {
        miqps_bypass $arg_preview $http_authorization;
        return 200 "$request_uri";
    }
--- more_headers
Cookie: session=1
Authorization: Basic eDp5
--- request eval
[ 'GET /p?sid=1&gclid=2&id=3', 'GET /in?sid=1&gclid=2&preview=1' ]
--- response_body eval
[ '/p?id=3', '/in?preview=1' ]



=== TEST 2: a request with Authorization is under the rules of the operator
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri";
    }
--- more_headers
Authorization: Bearer x
--- request
GET /p?gclid=1
--- response_body: /p
