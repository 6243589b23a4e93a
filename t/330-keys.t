# Copyright (C) the ngx_miqps authors
#
# Keys of caches made of $miqps_*.  Where the origin gets the original
# arguments, the key must have them too.

use lib 't';
use Miqps;
use Origin;

# every block has a cache; X-Cache tells what it did, X-Key what it went by

add_block_preprocessor(sub {
    my $block = shift;

    $block->set_value('http_config', ($block->http_config // '') . <<'END');
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
    proxy_cache_valid 1h;
    add_header X-Cache $upstream_cache_status;
END
});

run_tests();

__DATA__

=== TEST 1: rewrite with a key of $miqps_uri: variants share an entry
--- config
    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_key $scheme$host$miqps_uri;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-1?id=1&gclid=2', 'GET /330-1?fbclid=1&id=1', 'GET /330-1?id=1',
  'GET /330-1?id=2&gclid=2' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT', 'X-Cache: HIT', 'X-Cache: MISS' ]
--- response_body eval
[ '/330-1?id=1', '/330-1?id=1', '/330-1?id=1', '/330-1?id=2' ]



=== TEST 2: annotate with a key of $miqps_uri: the key has what was sent
--- config
    location / {
        miqps annotate;
        proxy_cache one;
        proxy_cache_key $scheme$host$miqps_uri;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-2?id=1&gclid=2', 'GET /330-2?id=1&gclid=3', 'GET /330-2?id=1',
  'GET /330-2?id=1&gclid=2' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS', 'X-Cache: MISS', 'X-Cache: HIT' ]
--- response_body eval
[ '/330-2?id=1&gclid=2', '/330-2?id=1&gclid=3', '/330-2?id=1',
  '/330-2?id=1&gclid=2' ]
--- suppress_stderr
--- error_log eval
[]



=== TEST 3: the error of such a key says what is wrong, once
--- config
    location / {
        miqps annotate;
        proxy_cache one;
        proxy_cache_key $scheme$host$miqps_uri;
        proxy_pass http://origin;
    }
--- raw_request eval
CORE::join '', map { "GET /330-3?gclid=$_ HTTP/1.1\r\nHost: localhost\r\n"
                     . ($_ == 4 ? "Connection: close\r\n" : '') . "\r\n" } 2 .. 4
--- ignore_response
--- grep_error_log eval
qr/\[error\].*?(?=, client)/
--- grep_error_log_out eval
qr/^\[error\] [^\n]*?a cache key is made from "\$miqps_\*" while the upstream is sent the original arguments: the key has what the client sent; "miqps rewrite" is needed here\n$/
--- suppress_stderr
--- error_log
[error]



=== TEST 4: each location says it for itself
--- config
    miqps annotate;
    proxy_cache one;
    proxy_cache_key $miqps_uri;

    location /330-4a {
        proxy_pass http://origin;
    }

    location /330-4b {
        proxy_pass http://origin;
    }
--- raw_request eval
CORE::join '', map { "GET /330-4$_ HTTP/1.1\r\nHost: localhost\r\n"
                     . (/4/ ? "Connection: close\r\n" : '') . "\r\n" }
               'a?gclid=2', 'b?gclid=3', 'a?gclid=4'
--- ignore_response
--- grep_error_log: a cache key is made
--- grep_error_log_out
a cache key is made
a cache key is made
--- suppress_stderr
--- error_log
[error]



=== TEST 5: a key of $miqps_args has what was sent
--- config
    location / {
        miqps annotate;
        proxy_cache one;
        proxy_cache_key $uri?$miqps_args;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-5?gclid=2', 'GET /330-5?gclid=3' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS' ]
--- suppress_stderr
--- error_log eval
[]



=== TEST 6: a key of $miqps_url has what was sent
--- config
    location / {
        miqps annotate;
        proxy_cache one;
        proxy_cache_key $miqps_url;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-6?gclid=2', 'GET /330-6?gclid=3' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS' ]
--- suppress_stderr
--- error_log eval
[]



=== TEST 7: a key of $miqps_key is made of what was sent
--- config
    location / {
        miqps annotate;
        proxy_cache one;
        proxy_cache_key $miqps_key;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-7?gclid=2', 'GET /330-7?gclid=3' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS' ]
--- suppress_stderr
--- error_log eval
[]



=== TEST 8: a clean request in annotate mode is cached in peace
--- config
    location / {
        miqps annotate;
        proxy_cache one;
        proxy_cache_key $miqps_uri;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-8?id=1', 'GET /330-8?id=1' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT' ]
--- suppress_stderr
--- no_error_log
[error]
--- error_log eval
[]



=== TEST 9: through "set", the response is not cached
--- config
    location / {
        miqps annotate;
        set $k $miqps_uri;
        proxy_cache one;
        proxy_cache_key $k;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-9?gclid=2', 'GET /330-9?gclid=3', 'GET /330-9?gclid=3' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS', 'X-Cache: MISS' ]
--- response_body eval
[ '/330-9?gclid=2', '/330-9?gclid=3', '/330-9?gclid=3' ]
--- error_log eval
[]



=== TEST 10: through "set", the error says that it is not cached
--- config
    location / {
        miqps annotate;
        set $k $miqps_uri;
        proxy_cache one;
        proxy_cache_key $k;
        proxy_pass http://origin;
    }
--- request
GET /330-10?gclid=2
--- error_log
"miqps rewrite" is needed here
: the response is not cached;



=== TEST 11: through a map, the response is not cached
--- http_config
    map $miqps_uri $mapped {
        default $miqps_uri;
    }
--- config
    location / {
        miqps annotate;
        set $early $mapped;
        proxy_cache one;
        proxy_cache_key $mapped;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-11?gclid=2', 'GET /330-11?gclid=3' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS' ]
--- error_log eval
[]



=== TEST 12: through "set" in the server, with rewrite in the location
--- config
    miqps annotate;
    set $k $miqps_uri;

    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_key $k;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-12?id=1&gclid=2', 'GET /330-12?id=1&gclid=3' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT' ]
--- response_body eval
[ '/330-12?id=1', '/330-12?id=1' ]



=== TEST 13: a log that reads variables does not spoil a good key
--- http_config
    log_format miqps '$miqps_uri';
--- config
    access_log logs/access.log miqps;

    location / {
        miqps annotate;
        set $k $miqps_uri;
        proxy_cache one;
        proxy_cache_key $request_uri;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-13?id=1&gclid=2', 'GET /330-13?id=1&gclid=2' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT' ]



=== TEST 14: an opaque query in rewrite mode is a key of its own
--- config
    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_key $miqps_uri;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-14?gclid=2;a', 'GET /330-14?gclid=3;a', 'GET /330-14' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS', 'X-Cache: MISS' ]
--- response_body eval
[ '/330-14?gclid=2;a', '/330-14?gclid=3;a', '/330-14' ]



=== TEST 15: when the arguments were changed before, the key has what was sent
--- config
    set $args "x=1&$args";

    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_key $miqps_uri;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-15?gclid=2', 'GET /330-15?gclid=3' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS' ]
--- response_body eval
[ '/330-15?x=1&gclid=2', '/330-15?x=1&gclid=3' ]



=== TEST 16: includes have keys of their own
--- config
    miqps rewrite;
    ssi on;
    proxy_cache_key $miqps_uri;

    location / {
        root html;
    }

    location /part {
        proxy_cache one;
        proxy_pass http://origin;
    }
--- user_files
>>> 330-16.html
<!--#include virtual="/part?a=1" --> <!--#include virtual="/part?a=2" --> <!--#include virtual="/part?a=1" -->
--- request eval
[ 'GET /330-16.html?gclid=2', 'GET /330-16.html?gclid=3' ]
--- response_body eval
[ "/part?a=1 /part?a=2 /part?a=1\n", "/part?a=1 /part?a=2 /part?a=1\n" ]



=== TEST 17: a mode of redirect, clean the second time, is cached
--- config
    location / {
        miqps redirect;
        proxy_cache one;
        proxy_cache_key $miqps_uri;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-17?gclid=2', 'GET /330-17', 'GET /330-17' ]
--- error_code eval
[ 302, 200, 200 ]
--- response_headers eval
[ '!X-Cache', 'X-Cache: MISS', 'X-Cache: HIT' ]



=== TEST 18: a POST that is cached has all of its arguments in the key
--- config
    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_methods GET HEAD POST;
        proxy_cache_key $miqps_uri;
        proxy_pass http://origin;
    }
--- request eval
[ 'POST /330-18?gclid=2', 'POST /330-18?gclid=3' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS' ]
--- response_body eval
[ '/330-18?gclid=2', '/330-18?gclid=3' ]



=== TEST 19: a bare word that is also in the path is no proof of a good key
--- config
    location / {
        miqps annotate;
        miqps_strip 330-19;
        set $k $miqps_uri;
        proxy_cache one;
        proxy_cache_key $k;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /330-19?330-19', 'GET /330-19' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS' ]
--- response_body eval
[ '/330-19?330-19', '/330-19' ]
--- error_log eval
[]



=== TEST 20: an answer of auth_request that is cached is for one page
--- config
    miqps rewrite;

    location / {
        auth_request /auth;
        proxy_pass http://origin;
    }

    location = /auth {
        internal;
        proxy_cache one;
        proxy_cache_key $miqps_uri;
        proxy_set_header X-Uri $request_uri;
        proxy_pass http://origin/auth;
    }
--- origin
        location = /auth {
            if ($http_x_uri ~ ^/330-20/public) {
                return 200;
            }

            return 403;
        }
--- request eval
[ 'GET /330-20/public?gclid=1', 'GET /330-20/admin?gclid=1',
  'GET /330-20/public?id=1&gclid=2' ]
--- error_code eval
[ 200, 403, 200 ]



=== TEST 21: includes of two pages that differ do not mix
--- config
    miqps rewrite;
    ssi on;

    location / {
        root html;
    }

    location /330-21part {
        proxy_cache one;
        proxy_cache_key $uri?$miqps_args;
        proxy_set_header X-Uri $request_uri;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 200 "$request_uri of $http_x_uri";
        }
--- user_files
>>> 330-21.html
<!--#include virtual="/330-21part?a=1" -->
--- request eval
[ 'GET /330-21.html?id=1&gclid=1', 'GET /330-21.html?id=2&gclid=1' ]
--- response_body eval
[ "/330-21part?a=1 of /330-21.html?id=1\n",
  "/330-21part?a=1 of /330-21.html?id=2\n" ]



=== TEST 22: slices of a key that got the clean URL are not cached either
--- config
    location / {
        miqps annotate;
        set $k $miqps_uri;
        slice 4;
        proxy_cache one;
        proxy_cache_valid 206 1h;
        proxy_cache_key $k$slice_range;
        proxy_set_header Range $slice_range;
        proxy_pass http://origin;
    }
--- origin
        location / {
            root html;
            add_header X-Origin $request_uri;

            if ($arg_gclid = evil) {
                rewrite ^ /330-22.evil break;
            }
        }
--- user_files
>>> 330-22.txt
0123456789
>>> 330-22.evil
0123EVIL89
--- request eval
[ 'GET /330-22.txt?gclid=evil', 'GET /330-22.txt?gclid=1' ]
--- response_body eval
[ "0123EVIL89\n", "0123456789\n" ]
--- error_log eval
[]
