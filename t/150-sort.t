# Copyright (C) the ngx_miqps authors
#
# The order of parameters, and the list of click and campaign identifiers.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: without miqps_sort the order stays
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri $miqps_verdict";
    }
--- request
GET /p?c=1&a=2&b=3
--- response_body: /p?c=1&a=2&b=3 clean



=== TEST 2: with miqps_sort any order gives one URL
--- config
    location / {
        miqps rewrite;
        miqps_sort on;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?a=1&b=2&c=3', 'GET /p?c=3&b=2&a=1', 'GET /p?b=2&gclid=9&a=1&c=3' ]
--- response_body eval
[ ('/p?a=1&b=2&c=3') x 3 ]



=== TEST 3: sorting alone is told from stripping
--- config
    location / {
        miqps rewrite;
        miqps_sort on;
        return 200 "$request_uri $miqps_verdict $miqps_stripped.";
    }
--- request eval
[ 'GET /p?b=1&a=2', 'GET /p?a=1&b=2', 'GET /p?b=1&a=2&gclid=3' ]
--- response_body eval
[ '/p?a=2&b=1 normalized .', '/p?a=1&b=2 clean .', '/p?a=2&b=1 stripped gclid.' ]



=== TEST 4: parameters of one name, or one family, keep their order
--- config
    location / {
        miqps rewrite;
        miqps_sort on;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?b=1&a=2&a=1', 'GET /p?b=1&a[]=2&c=3&a[]=1', 'GET /p?a_b=1&a.b=2',
  'GET /p?a[1]=x&a[0]=y', 'GET /p?a=2&%61=1' ]
--- response_body eval
[ '/p?a=2&a=1&b=1', '/p?a[]=2&a[]=1&b=1&c=3', '/p?a_b=1&a.b=2',
  '/p?a[1]=x&a[0]=y', '/p?a=2&a=1' ]



=== TEST 5: an opaque query is not sorted
--- config
    location / {
        miqps rewrite;
        miqps_sort on;
        return 200 "$request_uri";
    }
--- request
GET /p?b=1&a=2;c
--- response_body: /p?b=1&a=2;c



=== TEST 6: sorting in redirect mode comes to an end
--- config
    location / {
        miqps redirect;
        miqps_sort on;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?b=1&a=2', 'GET /p?a=2&b=1' ]
--- error_code eval
[ 302, 200 ]



=== TEST 7: the tracking list is on unless it is switched off
--- config
    miqps rewrite;

    location / {
        return 200 "$request_uri";
    }

    location /on {
        miqps_tracking on;
        return 200 "$request_uri";
    }

    location /off {
        miqps_tracking off;
        return 200 "$request_uri";
    }
--- request eval
[ map { "GET $_?utm_source=a&utm_x=b&gclid=c&msclkid=d&mc_eid=e&_hsenc=f&id=1" }
  qw(/p /on /off) ]
--- response_body eval
[ '/p?id=1', '/on?id=1',
  '/off?utm_source=a&utm_x=b&gclid=c&msclkid=d&mc_eid=e&_hsenc=f&id=1' ]



=== TEST 8: tracking off with nothing else to do leaves all as it is
--- config
    location / {
        miqps rewrite;
        miqps_tracking off;
        return 200 "$request_uri $miqps_verdict";
    }
--- request
GET /p?utm_source=a
--- response_body: /p?utm_source=a clean
