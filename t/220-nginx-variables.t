# Copyright (C) the ngx_miqps authors
#
# What nginx's own variables are in a request that was rewritten.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: variables made of the arguments are clean
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri|$args|$query_string|$is_args|$arg_id|$arg_gclid";
    }
--- request eval
[ 'GET /p?id=1&gclid=2', 'GET /p?gclid=2' ]
--- response_body eval
[ '/p?id=1|id=1|id=1|?|1|', '/p|||||' ]



=== TEST 2: $request and $uri are as ever
--- config
    location / {
        miqps rewrite;
        return 200 "$request|$uri|$document_uri";
    }
--- request
GET /a%20b?id=1&gclid=2
--- response_body: GET /a%20b?id=1&gclid=2 HTTP/1.1|/a b|/a b



=== TEST 3: $request_uri that a server-level "set" has read is fresh after it
--- config
    set $early $request_uri;

    location / {
        miqps rewrite;
        return 200 "$early|$request_uri";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: /p?id=1&gclid=2|/p?id=1



=== TEST 4: $request_uri that a server-level "if" has read is fresh after it
--- config
    if ($request_uri ~ gclid) {
        set $found 1;
    }

    location / {
        miqps rewrite;
        return 200 "$found|$request_uri";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: 1|/p?id=1



=== TEST 5: $request_uri that a map has read is fresh after it
--- http_config
    map $request_uri $mapped {
        ~gclid   yes;
        default  no;
    }
--- config
    set $early $mapped;

    location / {
        miqps rewrite;
        proxy_set_header X-Early $early;
        proxy_pass http://origin$request_uri;
    }
--- origin
        location / {
            return 200 "$http_x_early|$request_uri";
        }
--- request
GET /p?id=1&gclid=2
--- response_body: yes|/p?id=1



=== TEST 6: $args that a server-level "set" has read is fresh after it
--- config
    set $early "$args|$arg_gclid|$query_string";

    location / {
        miqps rewrite;
        return 200 "$early|$args|$arg_gclid|$query_string";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: id=1&gclid=2|2|id=1&gclid=2|id=1||id=1



=== TEST 7: a map that is read for the first time has the clean URL
--- http_config
    map $request_uri $mapped {
        ~gclid   yes;
        default  no;
    }

    map $arg_gclid $by_arg {
        ''       no;
        default  yes;
    }
--- config
    location / {
        miqps rewrite;
        return 200 "$mapped $by_arg";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: no no



=== TEST 8: the access log has the original request and the clean URI
--- http_config
    log_format both '"$request" "$request_uri" "$args"';
--- config
    access_log logs/access.log both;

    location / {
        miqps rewrite;
        return 200;
    }
--- request
GET /p?id=1&gclid=2
--- access_log
"GET /p?id=1&gclid=2 HTTP/1.1" "/p?id=1" "id=1"



=== TEST 9: the default key of a cache is the clean URL
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_valid 1h;
        add_header X-Cache $upstream_cache_status;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /220-9?id=1&gclid=2', 'GET /220-9?id=1&fbclid=3', 'GET /220-9?id=1',
  'GET /220-9?id=2', 'GET /220-9' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT', 'X-Cache: HIT', 'X-Cache: MISS',
  'X-Cache: MISS' ]
--- response_body eval
[ '/220-9?id=1', '/220-9?id=1', '/220-9?id=1', '/220-9?id=2', '/220-9' ]



=== TEST 10: paths that decode to the same have keys of their own
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_valid 1h;
        add_header X-Cache $upstream_cache_status;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /220-10/a?gclid=2', 'GET /220-10/%61?gclid=2', 'GET /220-10//a?gclid=2' ]
--- response_headers eval
[ ('X-Cache: MISS') x 3 ]
--- response_body eval
[ '/220-10/a', '/220-10/%61', '/220-10//a' ]



=== TEST 11: HEAD and GET share an entry of the cache
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_valid 1h;
        add_header X-Cache $upstream_cache_status;
        proxy_pass http://origin;
    }
--- request eval
[ 'HEAD /220-11?gclid=2', 'GET /220-11?gclid=3' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT' ]



=== TEST 12: an opaque query has a key of its own
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_valid 1h;
        add_header X-Cache $upstream_cache_status;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /220-12', 'GET /220-12?gclid=1;x', 'GET /220-12?gclid=2;x' ]
--- response_headers eval
[ ('X-Cache: MISS') x 3 ]
--- response_body eval
[ '/220-12', '/220-12?gclid=1;x', '/220-12?gclid=2;x' ]
