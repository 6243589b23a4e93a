# Copyright (C) the ngx_miqps authors
#
# Allow-lists of shop and content systems.

use lib 't';
use Miqps;

run_tests();

__DATA__

=== TEST 1: a platform keeps what it needs, and what nobody names stays
--- config
    location / {
        miqps rewrite;
        miqps_platform shopify;
        return 200 "$request_uri";
    }
--- request
GET /p?variant=1&foo=2&gclid=3
--- response_body: /p?variant=1&foo=2



=== TEST 2: strict strips what the platform does not need
--- config
    location / {
        miqps rewrite;
        miqps_platform shopify strict;
        return 200 "$request_uri $miqps_layer";
    }
--- request
GET /p?variant=1&foo=2&gclid=3
--- response_body: /p?variant=1 platform



=== TEST 3: several platforms at once keep what any of them needs
--- config
    location / {
        miqps rewrite;
        miqps_platform shopify sfcc strict;
        return 200 "$request_uri";
    }
--- request
GET /p?variant=1&prefn1=2&prefv1=3&start=4&sz=5&foo=6
--- response_body: /p?variant=1&prefn1=2&prefv1=3&start=4&sz=5



=== TEST 4: every built-in platform is known
--- config
    miqps rewrite;

    location /shopify { miqps_platform shopify strict; return 200 "$request_uri"; }
    location /sfcc { miqps_platform sfcc strict; return 200 "$request_uri"; }
    location /woo { miqps_platform woocommerce strict; return 200 "$request_uri"; }
    location /magento { miqps_platform magento strict; return 200 "$request_uri"; }
    location /big { miqps_platform bigcommerce strict; return 200 "$request_uri"; }
    location /shopware { miqps_platform shopware strict; return 200 "$request_uri"; }
    location /presta { miqps_platform prestashop strict; return 200 "$request_uri"; }
    location /wp { miqps_platform wordpress strict; return 200 "$request_uri"; }
    location /wiki { miqps_platform mediawiki strict; return 200 "$request_uri"; }
    location /disc { miqps_platform discourse strict; return 200 "$request_uri"; }
--- request eval
[ map { "GET /$_?nonsense=1" } qw(shopify sfcc woo magento big shopware presta
                                  wp wiki disc) ]
--- response_body eval
[ map { "/$_" } qw(shopify sfcc woo magento big shopware presta wp wiki disc) ]



=== TEST 5: a platform of a rules file can be named
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/own.json;
        miqps_platform ours strict;
        return 200 "$request_uri";
    }
--- user_files
>>> own.json
{ "version": 1, "platforms": { "ours": { "title": "Ours", "keep": [ "item" ] } } }
--- request
GET /p?item=1&foo=2
--- response_body: /p?item=1



=== TEST 6: a rules file can come after the platform that it defines
--- config
    location / {
        miqps rewrite;
        miqps_platform ours strict;
        miqps_rules ../html/own.json;
        return 200 "$request_uri";
    }
--- user_files
>>> own.json
{ "version": 1, "platforms": { "ours": { "title": "Ours", "keep": [ "item" ] } } }
--- request
GET /p?item=1&foo=2
--- response_body: /p?item=1



=== TEST 7: a platform that a file binds to a site holds there
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/sites.json;
        return 200 "$request_uri";
    }
--- user_files
>>> sites.json
{ "version": 1, "sites": [
    { "hosts": [ "shop.example" ], "platforms": [ "shopify" ],
      "strict": true } ] }
--- more_headers eval
[ 'Host: shop.example', 'Host: other.example' ]
--- request eval
[ 'GET /p?variant=1&foo=2', 'GET /p?variant=1&foo=2' ]
--- response_body eval
[ '/p?variant=1', '/p?variant=1&foo=2' ]



=== TEST 8: without strict a platform shields its names from the tracking list
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/own.json;
        miqps_platform ours;
        return 200 "$request_uri";
    }
--- user_files
>>> own.json
{ "version": 1, "platforms": { "ours": { "title": "Ours", "keep": [ "gclid" ] } } }
--- request
GET /p?gclid=1&fbclid=2
--- response_body: /p?gclid=1
