# Copyright (C) the ngx_miqps authors
#
# miqps_zone and miqps_use: a learned map, and a file that is none.

use lib 't';
use Miqps;
use Map;
use Origin;

# $Shop is a map that most blocks have.  Where a block has no configuration of
# its own, "mode" is what miqps does, "with" are more lines.

our $Shop = <<'END';
{"host": "localhost", "hosts": ["mirror.example"], "patterns": [
   {"params": ["id", "ref"], "keep": ["id"]},
   {"params": ["id", "ref", "src"], "keep": ["id"]},
   {"params": ["page", "q"], "keep": ["page", "q"], "defaults": {"page": "1"}},
   {"params": ["id", "tab"], "keep": ["id"], "client": ["tab"]},
   {"params": ["gclid", "id"], "keep": ["gclid", "id"]},
   {"params": ["sort", "view"], "keep": ["sort"], "path": "/list/*"},
   {"params": ["sort", "view"], "keep": ["sort", "view"], "path": "/list/new"},
   {"params": ["sort", "view"], "keep": []}]}
{"host": "*.shop.example", "patterns": [{"params": ["any"], "keep": []}]}
{"host": "one.shop.example", "patterns": [{"params": ["own"], "keep": []}]}
END

add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->mode;

    my $with = $block->with // '';

    $block->set_value('config', <<"END");
    location / {
        miqps @{[ $block->mode ]};
        $with
        return 200 "\$miqps_uri \$miqps_layer -\$miqps_stripped +\$miqps_kept g\$miqps_generation";
    }
END
});

run_tests();

__DATA__

=== TEST 1: a map strips what it says and keeps the rest
--- map eval: $::Shop
--- mode: rewrite
--- request
GET /p?ref=1&id=2
--- response_body: /p?id=2 map -ref +id g1



=== TEST 2: the upstream is asked for what is left
--- map eval: $::Shop
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?ref=1&id=2', 'GET /p?ref=1', 'GET /p?id=2', 'GET /p' ]
--- response_body eval
[ '/p?id=2', '/p?ref=1', '/p?id=2', '/p' ]



=== TEST 3: names without a pattern are left, but for neutral ones
--- map eval: $::Shop
--- mode: rewrite
--- request eval
[ 'GET /p?ref=1&other=2', 'GET /p?ref=1&id=2&other=3',
  'GET /p?id=1&tab=2&ref=3', 'GET /p?id=1&tab=2&src=3' ]
--- response_body eval
[ '/p?ref=1&other=2  - +ref&other g1',
  '/p?ref=1&id=2&other=3  - +ref&id&other g1',
  '/p?id=1 map -tab&ref +id g1',
  '/p?id=1&tab=2&src=3  - +id&tab&src g1' ]



=== TEST 4: all of a query may go, and a name may come twice
--- map eval: $::Shop
--- mode: rewrite
--- request eval
[ 'GET /p?view=1&sort=2', 'GET /p?ref=1&id=2&ref=3&id=4' ]
--- response_body eval
[ '/p map -view&sort + g1', '/p?id=2&id=4 map -ref&ref +id&id g1' ]



=== TEST 5: miqps_keep is above a map
--- map eval: $::Shop
--- mode: rewrite
--- with: miqps_keep ref;
--- request
GET /p?ref=1&id=2
--- response_body: /p?ref=1&id=2  - +ref&id g1



=== TEST 6: miqps_strip is above a map
--- map eval: $::Shop
--- mode: rewrite
--- with: miqps_strip id;
--- request
GET /p?ref=1&id=2
--- response_body: /p operator,map -ref&id + g1



=== TEST 7: a rules file that keeps is above a map that strips
--- map eval: $::Shop
--- mode: rewrite
--- with: miqps_rules ../html/rules.json;
--- user_files
>>> rules.json
{ "version": 1, "keep": [ "ref" ] }
--- request eval
[ 'GET /p?ref=1&id=2', 'GET /p?src=1&ref=1&id=2' ]
--- response_body eval
[ '/p?ref=1&id=2  - +ref&id g1', '/p?ref=1&id=2 map -src +ref&id g1' ]



=== TEST 8: a map that keeps is above a rules file and the tracking list
--- map eval: $::Shop
--- mode: rewrite
--- with: miqps_rules ../html/rules.json;
--- user_files
>>> rules.json
{ "version": 1, "strip": [ "id" ] }
--- request
GET /p?gclid=1&id=2
--- response_body: /p?gclid=1&id=2  - +gclid&id g1



=== TEST 9: the tracking list where the map has not got the names, but not what matters
--- map eval: $::Shop
--- mode: rewrite
--- request eval
[ 'GET /p?fbclid=1&other=2', 'GET /p?gclid=1&other=2' ]
--- response_body eval
[ '/p?other=2 tracking -fbclid +other g1',
  '/p?gclid=1&other=2  - +gclid&other g1' ]



=== TEST 10: a default value is as good as none, unless it comes twice
--- map eval: $::Shop
--- mode: rewrite
--- request eval
[ 'GET /p?q=x&page=1', 'GET /p?q=x&page=2', 'GET /p?q=x&page=1&page=1' ]
--- response_body eval
[ '/p?q=x map -page +q g1', '/p?q=x&page=2  - +q&page g1',
  '/p?q=x&page=1&page=1  - +q&page&page g1' ]



=== TEST 11: what only scripts read: not sent upstream
--- map eval: $::Shop
--- mode: rewrite
--- request
GET /p?id=1&tab=2
--- response_body: /p?id=1 map -tab +id g1



=== TEST 12: what only scripts read: stays in redirects
--- map eval: $::Shop
--- mode: redirect
--- request eval
[ 'GET /p?id=1&tab=2', 'GET /p?id=1&tab=2&ref=3' ]
--- error_code eval
[ 200, 302 ]
--- response_headers eval
[ '!Location', "Location: http://localhost:$ENV{TEST_NGINX_PORT}/p?id=1&tab=2" ]



=== TEST 13: what only scripts read: stays in miqps_set
--- map eval: $::Shop
--- config
    location / {
        miqps rewrite;
        miqps_set $clean $http_x_url;
        return 200 "$clean";
    }
--- more_headers
X-Url: http://localhost/p?id=1&tab=2
--- request
GET /
--- response_body: http://localhost/p?id=1&tab=2



=== TEST 14: miqps_set has the map of the URL's host
--- map eval: $::Shop
--- config
    location / {
        miqps_set $one http://localhost/p?id=1&ref=2;
        miqps_set $two http://a.shop.example/p?any=1;
        miqps_set $three http://nobody.example/p?any=1&id=2&ref=3;
        return 200 "$one $two $three";
    }
--- request
GET /
--- response_body: http://localhost/p?id=1 http://a.shop.example/p http://nobody.example/p?any=1&id=2&ref=3



=== TEST 15: the shape of the path, the most precise first
--- map eval: $::Shop
--- mode: rewrite
--- request eval
[ 'GET /list/a?sort=1&view=2', 'GET /list/new?sort=1&view=2',
  'GET /list/?sort=1&view=2', 'GET /list/a/b?sort=1&view=2',
  'GET /list/a/?sort=1&view=2' ]
--- response_body eval
[ '/list/a?sort=1 map -view +sort g1',
  '/list/new?sort=1&view=2  - +sort&view g1',
  '/list/ map -sort&view + g1', '/list/a/b map -sort&view + g1',
  '/list/a/ map -sort&view + g1' ]



=== TEST 16: a wildcard, at any depth
--- map eval: $::Shop
--- mode: rewrite
--- request eval
[ 'GET http://a.shop.example/?any=1', 'GET http://a.b.shop.example/?any=1',
  'GET http://A.Shop.Example./?any=1', 'GET http://shop.example/?any=1' ]
--- response_body eval
[ '/ map -any + g1', '/ map -any + g1', '/ map -any + g1',
  '/?any=1  - +any g1' ]



=== TEST 17: a host of its own has nothing of the wildcard
--- map eval: $::Shop
--- mode: rewrite
--- request eval
[ 'GET http://one.shop.example/?own=1', 'GET http://one.shop.example/?any=1' ]
--- response_body eval
[ '/ map -own + g1', '/?any=1  - +any g1' ]



=== TEST 18: a mirror, and a host that nobody knows
--- map eval: $::Shop
--- mode: rewrite
--- request eval
[ 'GET http://mirror.example:8080/p?id=1&ref=2',
  'GET http://nobody.example/p?id=1&ref=2&gclid=3' ]
--- response_body eval
[ '/p?id=1 map -ref +id g1', '/p?id=1&ref=2 tracking -gclid +id&ref g1' ]



=== TEST 19: miqps_host says whose map it is
--- map eval: $::Shop
--- mode: rewrite
--- with: miqps_host $http_x_site;
--- more_headers
X-Site: Mirror.example:443
--- request
GET http://nobody.example/p?id=1&ref=2
--- response_body: /p?id=1 map -ref +id g1



=== TEST 20: miqps_host that says nothing
--- map eval: $::Shop
--- mode: rewrite
--- with: miqps_host $http_x_site;
--- request
GET /p?id=1&ref=2
--- response_body: /p?id=1&ref=2  - +id&ref g1



=== TEST 21: miqps_bypass
--- map eval: $::Shop
--- mode: rewrite
--- with: miqps_bypass $http_x_preview;
--- more_headers eval
[ 'X-Preview: 1', 'X-Preview: 0', '' ]
--- request eval
[ 'GET /p?id=1&ref=2', 'GET /p?id=1&ref=2', 'GET /p?id=1&ref=2' ]
--- response_body eval
[ '/p?id=1&ref=2  - +id&ref g0', '/p?id=1 map -ref +id g1',
  '/p?id=1 map -ref +id g1' ]



=== TEST 22: miqps_bypass leaves the rules in force
--- map eval: $::Shop
--- mode: rewrite
--- with: miqps_bypass 1; miqps_strip src;
--- request
GET /p?id=1&ref=2&src=3&gclid=4
--- response_body: /p?id=1&ref=2 operator,tracking -src&gclid +id&ref g0



=== TEST 23: Authorization
--- map eval: $::Shop
--- mode: rewrite
--- more_headers
Authorization: Bearer x
--- request
GET /p?id=1&ref=2
--- response_body: /p?id=1&ref=2  - +id&ref g0



=== TEST 24: Authorization and miqps_bypass are for miqps_set too
--- map eval: $::Shop
--- config
    miqps_set $clean http://localhost/p?id=1&ref=2;

    location / {
        return 200 "$clean";
    }

    location /off {
        miqps_bypass 1;
        return 200 "$clean";
    }
--- request eval
[ 'GET /', 'GET /', 'GET /off' ]
--- more_headers eval
[ '', 'Authorization: Basic eDp5', '' ]
--- response_body eval
[ 'http://localhost/p?id=1', 'http://localhost/p?id=1&ref=2',
  'http://localhost/p?id=1&ref=2' ]



=== TEST 25: miqps_use for some locations, another zone for others
--- map eval: $::Shop
--- other
{"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["ref"]}]}
--- config
    miqps rewrite;

    location / {
        return 200 "$request_uri";
    }

    location /none {
        miqps_use off;
        return 200 "$request_uri";

        location /none/but {
            miqps_use $TEST_NGINX_ZONE;
            return 200 "$request_uri";
        }
    }

    location /other {
        miqps_use $TEST_NGINX_OTHER;
        return 200 "$request_uri";

        location /other/in {
            return 200 "$request_uri";
        }
    }
--- request eval
[ 'GET /?id=1&ref=2', 'GET /none?id=1&ref=2&gclid=3',
  'GET /none/but?id=1&ref=2', 'GET /other?id=1&ref=2',
  'GET /other/in?id=1&ref=2' ]
--- response_body eval
[ '/?id=1', '/none?id=1&ref=2', '/none/but?id=1', '/other?ref=2',
  '/other/in?ref=2' ]



=== TEST 26: two locations that remember nothing of one another
--- map eval: $::Shop
--- other
{"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["ref"]}]}
--- config
    miqps rewrite;

    location /a {
        return 200 "$request_uri";
    }

    location /b {
        miqps_use $TEST_NGINX_OTHER;
        return 200 "$request_uri";
    }

    location /c {
        miqps_use off;
        return 200 "$request_uri";
    }
--- request eval
[ map { ("GET /a?id=1&ref=2", "GET /b?id=1&ref=2", "GET /c?id=1&ref=2") } 1 .. 3 ]
--- response_body eval
[ map { ('/a?id=1', '/b?ref=2', '/c?id=1&ref=2') } 1 .. 3 ]



=== TEST 27: a zone that is defined behind its use
--- http_config
    miqps_use later;
    miqps_zone later 1m;
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri $miqps_generation";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: /p?id=1 0



=== TEST 28: annotate
--- map eval: $::Shop
--- config
    location / {
        miqps annotate;
        return 200 "$request_uri $miqps_uri $miqps_layer $miqps_stripped $miqps_generation";
    }
--- request
GET /p?id=1&ref=2
--- response_body: /p?id=1&ref=2 /p?id=1 map ref 1



=== TEST 29: redirect
--- map eval: $::Shop
--- mode: redirect
--- request
GET /p?id=1&ref=2
--- error_code: 302
--- response_headers_like
Location: http://localhost(:\d+)?/p\?id=1



=== TEST 30: a cache whose key has $miqps_uri
--- map eval: $::Shop
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/610_cache keys_zone=c610:1m;
--- config
    location / {
        miqps rewrite;
        proxy_cache c610;
        proxy_cache_key $scheme$host$miqps_uri;
        proxy_cache_valid 1h;
        add_header X-Cache $upstream_cache_status;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /610?id=1&ref=2', 'GET /610?ref=3&id=1', 'GET /610?id=1',
  'GET /610?id=2&ref=2', 'GET /610?id=1&other=2' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT', 'X-Cache: HIT', 'X-Cache: MISS',
  'X-Cache: MISS' ]
--- response_body eval
[ '/610?id=1', '/610?id=1', '/610?id=1', '/610?id=2', '/610?id=1&other=2' ]



=== TEST 31: No-Vary-Search has nothing of what a map stripped
--- map eval: $::Shop
--- mode: rewrite
--- with: miqps_no_vary_search on; miqps_strip src;
--- request eval
[ 'GET /p?id=1&ref=2', 'GET /p?id=1&ref=2&src=3' ]
--- response_headers eval
[ '!No-Vary-Search', 'No-Vary-Search: params=("src")' ]
--- response_body eval
[ '/p?id=1 map -ref +id g1', '/p?id=1 operator,map -ref&src +id g1' ]



=== TEST 32: HEAD, and requests that are none of ours
--- map eval: $::Shop
--- config
    location / {
        miqps rewrite;
        add_header X-Uri "$request_uri g$miqps_generation";
        return 204;
    }
--- request eval
[ 'HEAD /p?id=1&ref=2', "POST /p?id=1&ref=2\nx", 'DELETE /p?id=1&ref=2',
  'GET /p?id=1&ref=2&X-Amz-Signature=3' ]
--- response_headers eval
[ 'X-Uri: /p?id=1 g1', 'X-Uri: /p?id=1&ref=2 g0', 'X-Uri: /p?id=1&ref=2 g0',
  'X-Uri: /p?id=1&ref=2&X-Amz-Signature=3 g1' ]
--- error_code eval
[ 204, 204, 204, 204 ]
