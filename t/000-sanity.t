# Copyright (C) the ngx_miqps authors
#
# The module is there, is off until it is asked for, and does what it is for.

use lib 't';
use Miqps;

run_tests();

__DATA__

=== TEST 1: off by default
--- config
    location / {
        return 200 "$request_uri";
    }
--- request
GET /p?id=1&fbclid=2
--- response_body: /p?id=1&fbclid=2



=== TEST 2: miqps off
--- config
    location / {
        miqps off;
        return 200 "$request_uri";
    }
--- request
GET /p?id=1&fbclid=2
--- response_body: /p?id=1&fbclid=2



=== TEST 3: miqps rewrite
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri";
    }
--- request
GET /p?id=1&fbclid=2
--- response_body: /p?id=1



=== TEST 4: miqps rewrite, over HTTP/2
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri";
    }
--- http2
--- request
GET /p?a[]=1&fbclid=2
--- response_body: /p?a[]=1



=== TEST 5: a mode that there is not
--- config
    location / {
        miqps maybe;
    }
--- must_die
--- error_log
invalid mode "maybe" in "miqps" directive
