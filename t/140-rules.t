# Copyright (C) the ngx_miqps authors
#
# Rules files.

use lib 't';
use Miqps;

run_tests();

__DATA__

=== TEST 1: rules for all hosts
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1, "strip": [ "sid", "page=1", "~^_[a-z]{2}$", "tr_*" ] }
--- request eval
[ 'GET /p?sid=1&page=1&_ab=2&tr_x=3&id=4', 'GET /p?page=2&_abc=3' ]
--- response_body eval
[ '/p?id=4', '/p?page=2&_abc=3' ]



=== TEST 2: a rule with a note and a vendor
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri $miqps_layer";
    }
--- user_files
>>> rules.json
{ "version": 1,
  "strip": [ { "name": "sid", "vendor": "us", "note": "an old session" } ] }
--- request
GET /p?sid=1&id=4
--- response_body: /p?id=4 rules



=== TEST 3: hosts, exactly and below
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1, "sites": [
    { "hosts": [ "one.example" ], "strip": [ "a" ] },
    { "hosts": [ "*.one.example" ], "strip": [ "b" ] },
    { "hosts": [ "two.*" ], "strip": [ "c" ] },
    { "hosts": [ "*.two.*" ], "strip": [ "d" ] } ] }
--- more_headers eval
[ 'Host: one.example', 'Host: x.one.example', 'Host: x.y.one.example',
  'Host: two.com', 'Host: two.co.uk', 'Host: x.two.com', 'Host: xone.example' ]
--- request eval
[ ('GET /p?a=1&b=2&c=3&d=4') x 7 ]
--- response_body eval
[ '/p?b=2&c=3&d=4', '/p?a=1&c=3&d=4', '/p?a=1&c=3&d=4', '/p?a=1&b=2&d=4',
  '/p?a=1&b=2&d=4', '/p?a=1&b=2&c=3', '/p?a=1&b=2&c=3&d=4' ]



=== TEST 4: paths, whole, with a star, and as an expression
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1, "sites": [
    { "paths": [ "/whole" ], "strip": [ "a" ] },
    { "paths": [ "/archive/*" ], "strip": [ "b" ] },
    { "paths": [ "~^/n/[0-9]+$" ], "strip": [ "c" ] } ] }
--- request eval
[ 'GET /whole?a=1&b=2&c=3', 'GET /whole/?a=1&b=2&c=3',
  'GET /archive/7?a=1&b=2&c=3', 'GET /archive?a=1&b=2&c=3',
  'GET /n/12?a=1&b=2&c=3', 'GET /n/x?a=1&b=2&c=3' ]
--- response_body eval
[ '/whole?b=2&c=3', '/whole/?a=1&b=2&c=3', '/archive/7?a=1&c=3',
  '/archive?a=1&b=2&c=3', '/n/12?a=1&b=2', '/n/x?a=1&b=2&c=3' ]



=== TEST 5: a path is compared as the client sent it
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1, "sites": [ { "paths": [ "/a/b" ], "strip": [ "a" ] } ] }
--- request eval
[ 'GET /a/b?a=1', 'GET /a//b?a=1', 'GET /%61/b?a=1', 'GET /a/./b?a=1' ]
--- response_body eval
[ '/a/b', '/a//b?a=1', '/%61/b?a=1', '/a/./b?a=1' ]



=== TEST 6: a site with hosts and paths needs both
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1, "sites": [
    { "hosts": [ "one.example" ], "paths": [ "/in/*" ], "strip": [ "a" ] } ] }
--- more_headers eval
[ 'Host: one.example', 'Host: one.example', 'Host: two.example' ]
--- request eval
[ 'GET /in/x?a=1', 'GET /out/x?a=1', 'GET /in/x?a=1' ]
--- response_body eval
[ '/in/x', '/out/x?a=1', '/in/x?a=1' ]



=== TEST 7: an exception of a site holds on this site only
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1, "strip": [ "sid" ], "sites": [
    { "hosts": [ "one.example" ], "except": [ "sid", "gclid" ] } ] }
--- more_headers eval
[ 'Host: one.example', 'Host: two.example' ]
--- request eval
[ ('GET /p?sid=1&gclid=2&id=3') x 2 ]
--- response_body eval
[ '/p?sid=1&gclid=2&id=3', '/p?id=3' ]



=== TEST 8: all sites that match hold together
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1, "sites": [
    { "hosts": [ "*.example" ], "strip": [ "a" ] },
    { "paths": [ "/in/*" ], "strip": [ "b" ] },
    { "hosts": [ "one.example" ], "strip": [ "c" ] } ] }
--- more_headers
Host: one.example
--- request
GET /in/x?a=1&b=2&c=3&d=4
--- response_body: /in/x?d=4



=== TEST 9: an absolute file name
--- config
    location / {
        miqps rewrite;
        miqps_rules $TEST_NGINX_SERVROOT/html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1, "strip": [ "sid" ] }
--- request
GET /p?sid=1
--- response_body: /p



=== TEST 10: the same file at two levels is no fault
--- config
    miqps rewrite;
    miqps_rules ../html/rules.json;

    location / {
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1, "strip": [ "sid" ] }
--- request
GET /p?sid=1
--- response_body: /p



=== TEST 11: a file with the version alone has no rules
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files
>>> rules.json
{ "version": 1 }
--- request
GET /p?sid=1&gclid=2
--- response_body: /p?sid=1



=== TEST 12: hundreds of hosts each have their own
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/rules.json;
        return 200 "$request_uri";
    }
--- user_files eval
">>> rules.json\n{ \"version\": 1, \"sites\": ["
. CORE::join(',', map { qq({"hosts":["h$_.example"],"strict":true,"keep":["k$_"]}) }
            1 .. 500) . "] }\n"
--- more_headers eval
[ map { "Host: h$_.example" } 1, 77, 500, 501 ]
--- request eval
[ ('GET /p?k1=a&k77=b&k500=c&k501=d') x 4 ]
--- response_body eval
[ '/p?k1=a', '/p?k77=b', '/p?k500=c', '/p?k1=a&k77=b&k500=c&k501=d' ]
