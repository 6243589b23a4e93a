# Copyright (C) the ngx_miqps authors
#
# Which of several rules wins.  The first line of README's table that speaks
# of a parameter decides.

use lib 't';
use Miqps;

add_block_preprocessor(sub {
    shift->set_value('user_files', <<'END');
>>> keep.json
{ "version": 1, "keep": [ "gclid", "foo" ] }
>>> strip.json
{ "version": 1, "strip": [ "foo", "variant" ] }
>>> except.json
{ "version": 1, "strip": [ "foo" ], "except": [ "foo", "gclid" ] }
>>> strict.json
{ "version": 1, "keep": [ "foo" ],
  "sites": [ { "hosts": [ "localhost" ], "strict": true, "keep": [ "id" ] } ] }
>>> tracking.json
{ "version": 1, "tracking": [ "nl_*" ] }
END
});

run_tests();

__DATA__

=== TEST 1: miqps_keep over miqps_strip that names more
--- config
    location / {
        miqps rewrite;
        miqps_keep foo_a;
        miqps_strip foo_*;
        return 200 "$request_uri";
    }
--- request
GET /p?foo_a=1&foo_b=2
--- response_body: /p?foo_a=1



=== TEST 2: miqps_keep over the tracking list
--- config
    location / {
        miqps rewrite;
        miqps_keep gclid;
        return 200 "$request_uri";
    }
--- request
GET /p?gclid=1&fbclid=2
--- response_body: /p?gclid=1



=== TEST 3: miqps_keep over a rules file
--- config
    location / {
        miqps rewrite;
        miqps_keep foo;
        miqps_rules ../html/strip.json;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&variant=2
--- response_body: /p?foo=1



=== TEST 4: miqps_keep over a strict platform
--- config
    location / {
        miqps rewrite;
        miqps_keep foo;
        miqps_platform shopify strict;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&variant=2&bar=3
--- response_body: /p?foo=1&variant=2



=== TEST 5: miqps_strip over the keep of a rules file
--- config
    location / {
        miqps rewrite;
        miqps_strip foo;
        miqps_rules ../html/keep.json;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&id=2
--- response_body: /p?id=2



=== TEST 6: miqps_strip over a platform
--- config
    location / {
        miqps rewrite;
        miqps_strip variant;
        miqps_platform shopify;
        return 200 "$request_uri";
    }
--- request
GET /p?variant=1&id=2
--- response_body: /p?id=2



=== TEST 7: the keep of a rules file over the tracking list
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/keep.json;
        return 200 "$request_uri";
    }
--- request
GET /p?gclid=1&fbclid=2
--- response_body: /p?gclid=1



=== TEST 8: a platform over the strip of a rules file
--- config
    location / {
        miqps rewrite;
        miqps_platform shopify;
        miqps_rules ../html/strip.json;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&variant=2
--- response_body: /p?variant=2



=== TEST 9: the keep of a rules file over a strict platform
--- config
    location / {
        miqps rewrite;
        miqps_platform shopify strict;
        miqps_rules ../html/keep.json;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&variant=2&bar=3&gclid=4
--- response_body: /p?foo=1&variant=2&gclid=4



=== TEST 10: a strict site strips what no rule keeps
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/strict.json;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&id=2&bar=3
--- response_body: /p?foo=1&id=2



=== TEST 11: strict over except
--- config
    location / {
        miqps rewrite;
        miqps_platform shopify strict;
        miqps_rules ../html/except.json;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&variant=2&gclid=3
--- response_body: /p?variant=2



=== TEST 12: except takes back a strip of a file and of the tracking list
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/except.json;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&gclid=2&fbclid=3
--- response_body: /p?foo=1&gclid=2



=== TEST 13: except does not take back what miqps_strip names
--- config
    location / {
        miqps rewrite;
        miqps_strip foo;
        miqps_rules ../html/except.json;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&gclid=2
--- response_body: /p?gclid=2



=== TEST 14: files of one level hold together
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/strip.json;
        miqps_rules ../html/tracking.json;
        return 200 "$request_uri";
    }
--- request
GET /p?foo=1&nl_a=2&id=3
--- response_body: /p?id=3



=== TEST 15: the tracking list of a file obeys miqps_tracking
--- config
    miqps rewrite;
    miqps_rules ../html/tracking.json;

    location / {
        return 200 "$request_uri";
    }

    location /off {
        miqps_tracking off;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?nl_a=1&gclid=2', 'GET /off?nl_a=1&gclid=2' ]
--- response_body eval
[ '/p', '/off?nl_a=1&gclid=2' ]



=== TEST 16: miqps_tracking off leaves miqps_strip
--- config
    location / {
        miqps rewrite;
        miqps_tracking off;
        miqps_strip sid;
        return 200 "$request_uri";
    }
--- request
GET /p?sid=1&gclid=2
--- response_body: /p?gclid=2



=== TEST 17: a parameter that nobody names stays
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri $miqps_verdict";
    }
--- request
GET /p?q=shoes&page=2&lang=de&v=3&callback=x
--- response_body: /p?q=shoes&page=2&lang=de&v=3&callback=x clean
