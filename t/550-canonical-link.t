# Copyright (C) the ngx_miqps authors
#
# miqps_canonical_link: pages say what their URL is.

use lib 't';
use Miqps;
use Map;
use Origin;

add_block_preprocessor(sub {
    my $block = shift;

    my $with = $block->with // '';

    $block->set_value('config', <<"END") if !defined $block->config;
    port_in_redirect off;
    location / {
        miqps_canonical_link on;
        $with
        proxy_pass http://origin;
    }
END
});

run_tests();

__DATA__

=== TEST 1: the clean URL
--- more_headers
Host: shop.example
--- request eval
[ 'GET /p?id=7&gclid=1', 'GET /p', 'GET /a%2Fb?gclid=1', 'HEAD /p?gclid=1',
  'GET /p?' ]
--- response_headers eval
[ 'Link: <http://shop.example/p?id=7>; rel="canonical"',
  'Link: <http://shop.example/p>; rel="canonical"',
  'Link: <http://shop.example/a%2Fb>; rel="canonical"',
  ('Link: <http://shop.example/p>; rel="canonical"') x 2 ]



=== TEST 2: sorted, and by the rules of the location
--- with
        miqps_sort on;
        miqps_strip sid;
--- request
GET /p?sid=1&b=2&a=3
--- response_headers
Link: <http://localhost/p?a=3&b=2>; rel="canonical"



=== TEST 3: what must not be touched is not shown
--- request eval
[ 'GET /p?password=x', 'GET /p?a=1;b=2', 'GET /p?a=%zz', 'GET /p#?a=1&gclid=2' ]
--- response_headers eval
[ ('! Link') x 4 ]



=== TEST 4: not for errors, redirects and other methods
--- origin
        location /404 { return 404 ""; }
        location /301 { return 301 /p; }
        location /204 { return 204; }
--- request eval
[ 'GET /404?gclid=1', 'GET /301?gclid=1', 'GET /204?gclid=1', 'POST /p?gclid=1' ]
--- error_code eval
[ 404, 301, 204, 200 ]
--- response_headers eval
[ ('! Link') x 4 ]



=== TEST 5: a page that says so by itself is believed
--- origin
        location /own {
            add_header Link '</other>; rel="canonical"';
            return 200 "";
        }
        location /next {
            add_header Link '</other>; rel="next"';
            return 200 "";
        }
--- request eval
[ 'GET /own?gclid=1', 'GET /next?gclid=1' ]
--- raw_response_headers_like eval
[ 'Link: </other>; rel="canonical"\r\n(?![\s\S]*Link)',
  'Link: </other>; rel="next"\r\nLink: <http://localhost/next>; rel="canonical"' ]



=== TEST 6: a path that would end it is not told
--- request eval
[ 'GET /a>b?gclid=1', 'GET /a"b?gclid=1' ]
--- response_headers eval
[ '! Link', '! Link' ]



=== TEST 7: what scripts of a page read stays, a mirror does not
--- map
{"host": "shop.example", "hosts": ["www.shop.example"],
 "patterns": [{"params": ["c", "id"], "keep": ["id"], "client": ["c"]}],
 "rules": [{"from": {"path": "/show", "params": {"id": "{id:digits}"}},
            "to": {"path": "/page/{id}", "params": {}}},
           {"from": {"host": "www.shop.example"}, "to": {"host": "shop.example"}}]}
--- with
        miqps_path_rules on;
--- more_headers eval
[ 'Host: shop.example', 'Host: shop.example', 'Host: www.shop.example' ]
--- request eval
[ 'GET /p?c=1&id=2', 'GET /show?id=7', 'GET /show?id=7' ]
--- response_headers eval
[ 'Link: <http://shop.example/p?c=1&id=2>; rel="canonical"',
  ('Link: <http://shop.example/page/7>; rel="canonical"') x 2 ]



=== TEST 8: off, and inherited
--- config
    port_in_redirect off;
    miqps_canonical_link on;
    location / {
        proxy_pass http://origin;
    }
    location /off {
        miqps_canonical_link off;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p', 'GET /off' ]
--- response_headers eval
[ 'Link: <http://localhost/p>; rel="canonical"', '! Link' ]



=== TEST 9: after an internal redirect it is the URL that was asked for
--- config
    port_in_redirect off;
    location / {
        miqps_canonical_link on;
        try_files /none /app?$args;
    }
    location = /app {
        miqps_canonical_link on;
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&gclid=2
--- response_headers
Link: <http://localhost/p?id=1>; rel="canonical"
--- response_body: /app?id=1&gclid=2
