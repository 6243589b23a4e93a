# Copyright (C) the ngx_miqps authors
#
# What a level has from the levels around it.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: a mode of http holds in servers and locations
--- http_config
    miqps rewrite;
--- config
    location / {
        return 200 "$request_uri";
    }
--- request
GET /p?gclid=1
--- response_body: /p



=== TEST 2: a mode of the server holds in its locations
--- config
    miqps rewrite;

    location / {
        return 200 "$request_uri";
    }

    location /in/ {
        location /in/side {
            return 200 "$request_uri";
        }
    }
--- request eval
[ 'GET /p?gclid=1', 'GET /in/side?gclid=1' ]
--- response_body eval
[ '/p', '/in/side' ]



=== TEST 3: a mode of the server overrides one of http
--- http_config
    miqps rewrite;
--- config
    miqps annotate;

    location / {
        return 200 "$request_uri $miqps_uri";
    }
--- request
GET /p?gclid=1
--- response_body: /p?gclid=1 /p



=== TEST 4: a mode of a location overrides one of the server
--- config
    miqps rewrite;

    location / {
        return 200 "$request_uri";
    }

    location /raw {
        miqps off;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?gclid=1', 'GET /raw?gclid=1' ]
--- response_body eval
[ '/p', '/raw?gclid=1' ]



=== TEST 5: a nested location overrides the one around it
--- config
    location /a/ {
        miqps off;

        location /a/b {
            miqps rewrite;
            return 200 "$request_uri";
        }

        return 200 "$request_uri";
    }
--- request eval
[ 'GET /a/c?gclid=1', 'GET /a/b?gclid=1' ]
--- response_body eval
[ '/a/c?gclid=1', '/a/b' ]



=== TEST 6: the status of a redirect is inherited with the mode
--- config
    miqps redirect 308;

    location / {
    }
--- request
GET /p?gclid=1
--- error_code: 308



=== TEST 7: a redirect of its own has a status of its own
--- config
    miqps redirect 308;

    location / {
        miqps redirect;
    }
--- request
GET /p?gclid=1
--- error_code: 302



=== TEST 8: the status survives a level that says nothing
--- http_config
    miqps redirect 307;
--- config
    location /a/ {
        location /a/b {
        }
    }
--- request
GET /a/b?gclid=1
--- error_code: 307



=== TEST 9: names to strip add up
--- http_config
    miqps_strip one;
--- config
    miqps rewrite;
    miqps_strip two;

    location / {
        miqps_strip three;
        return 200 "$request_uri";
    }

    location /other {
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?one=1&two=2&three=3&id=4', 'GET /other?one=1&two=2&three=3&id=4' ]
--- response_body eval
[ '/p?id=4', '/other?three=3&id=4' ]



=== TEST 10: names to keep add up
--- http_config
    miqps_keep gclid;
--- config
    miqps rewrite;
    miqps_keep dclid;

    location / {
        miqps_keep fbclid;
        return 200 "$request_uri";
    }

    location /other {
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?gclid=1&dclid=2&fbclid=3&yclid=4',
  'GET /other?gclid=1&dclid=2&fbclid=3&yclid=4' ]
--- response_body eval
[ '/p?gclid=1&dclid=2&fbclid=3', '/other?gclid=1&dclid=2' ]



=== TEST 11: several directives of one level add up
--- config
    miqps rewrite;

    location / {
        miqps_strip one;
        miqps_strip two;
        miqps_keep gclid;
        miqps_keep dclid;
        return 200 "$request_uri";
    }
--- request
GET /p?one=1&two=2&gclid=3&dclid=4
--- response_body: /p?gclid=3&dclid=4



=== TEST 12: a name kept outside wins over a strip inside
--- config
    miqps rewrite;
    miqps_keep sid;

    location / {
        miqps_strip sid;
        return 200 "$request_uri";
    }
--- request
GET /p?sid=1
--- response_body: /p?sid=1



=== TEST 13: a level may repeat a name of the level around it
--- config
    miqps rewrite;
    miqps_strip sid;

    location / {
        miqps_strip sid;
        return 200 "$request_uri";
    }
--- request
GET /p?sid=1
--- response_body: /p



=== TEST 14: a platform replaces the one of the level around it
--- config
    miqps rewrite;
    miqps_platform shopify strict;

    location / {
        return 200 "$request_uri";
    }

    location /blog {
        miqps_platform wordpress strict;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?variant=1&paged=2', 'GET /blog?variant=1&paged=2' ]
--- response_body eval
[ '/p?variant=1', '/blog?paged=2' ]



=== TEST 15: strict belongs to its platform, and is not inherited without it
--- config
    miqps rewrite;
    miqps_platform shopify strict;

    location / {
        miqps_platform shopify;
        return 200 "$request_uri";
    }
--- request
GET /p?variant=1&foo=2
--- response_body: /p?variant=1&foo=2



=== TEST 16: a platform can be switched off
--- config
    miqps rewrite;
    miqps_platform shopify strict;

    location / {
        miqps_platform off;
        return 200 "$request_uri";
    }
--- request
GET /p?variant=1&foo=2&gclid=3
--- response_body: /p?variant=1&foo=2



=== TEST 17: a rules file replaces the one of the level around it
--- config
    miqps rewrite;
    miqps_rules ../html/one.json;

    location / {
        return 200 "$request_uri";
    }

    location /two {
        miqps_rules ../html/two.json;
        return 200 "$request_uri";
    }
--- user_files
>>> one.json
{ "version": 1, "strip": [ "one" ] }
>>> two.json
{ "version": 1, "strip": [ "two" ] }
--- request eval
[ 'GET /p?one=1&two=2', 'GET /two?one=1&two=2' ]
--- response_body eval
[ '/p?two=2', '/two?one=1' ]



=== TEST 18: rules files can be switched off
--- config
    miqps rewrite;
    miqps_rules ../html/one.json;

    location / {
        miqps_rules off;
        return 200 "$request_uri";
    }
--- user_files
>>> one.json
{ "version": 1, "strip": [ "one" ] }
--- request
GET /p?one=1&gclid=2
--- response_body: /p?one=1



=== TEST 19: names of a level join the rules file of the level around it
--- config
    miqps rewrite;
    miqps_rules ../html/one.json;

    location / {
        miqps_strip two;
        return 200 "$request_uri";
    }
--- user_files
>>> one.json
{ "version": 1, "strip": [ "one" ] }
--- request
GET /p?one=1&two=2&id=3
--- response_body: /p?id=3



=== TEST 20: tracking is inherited and overridden
--- http_config
    miqps_tracking off;
--- config
    miqps rewrite;

    location / {
        return 200 "$request_uri";
    }

    location /on {
        miqps_tracking on;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?gclid=1', 'GET /on?gclid=1' ]
--- response_body eval
[ '/p?gclid=1', '/on' ]



=== TEST 21: sorting is inherited and overridden
--- http_config
    miqps_sort on;
--- config
    miqps rewrite;

    location / {
        return 200 "$request_uri";
    }

    location /off {
        miqps_sort off;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?b=1&a=2', 'GET /off?b=1&a=2' ]
--- response_body eval
[ '/p?a=2&b=1', '/off?b=1&a=2' ]



=== TEST 22: the host of rules is inherited and overridden
--- config
    miqps rewrite;
    miqps_rules ../html/hosts.json;
    miqps_host one.example;

    location / {
        return 200 "$request_uri";
    }

    location /two {
        miqps_host two.example;
        return 200 "$request_uri";
    }
--- user_files
>>> hosts.json
{ "version": 1, "sites": [
    { "hosts": [ "one.example" ], "strip": [ "one" ] },
    { "hosts": [ "two.example" ], "strip": [ "two" ] } ] }
--- request eval
[ 'GET /p?one=1&two=2', 'GET /two?one=1&two=2' ]
--- response_body eval
[ '/p?two=2', '/two?one=1' ]



=== TEST 23: headers are inherited and overridden
--- config
    miqps rewrite;
    miqps_headers on response;

    location / {
        return 200;
    }

    location /off {
        miqps_headers off;
        return 200;
    }
--- request eval
[ 'GET /p?gclid=1', 'GET /off?gclid=1' ]
--- response_headers eval
[ 'X-Miqps-Verdict: stripped', '!X-Miqps-Verdict' ]



=== TEST 24: No-Vary-Search is inherited and overridden
--- http_config
    miqps_no_vary_search on;
--- config
    miqps rewrite;

    location / {
        return 200;
    }

    location /off {
        miqps_no_vary_search off;
        return 200;
    }
--- request eval
[ 'GET /p?gclid=1', 'GET /off?gclid=1' ]
--- response_headers eval
[ 'No-Vary-Search: params=("gclid")', '!No-Vary-Search' ]



=== TEST 25: a variable of miqps_set is inherited and overridden
--- http_config
    miqps_set $clean $arg_u;
--- config
    location / {
        return 200 "$clean";
    }

    location /two {
        miqps_set $clean $arg_v;
        return 200 "$clean";
    }
--- request eval
[ 'GET /p?u=/a?gclid=1&v=/b?gclid=1', 'GET /two?u=/a?gclid=1&v=/b?gclid=1' ]
--- response_body eval
[ '/a', '/b' ]



=== TEST 26: other variables of miqps_set are inherited beside an own one
--- config
    miqps_set $one $arg_u;

    location / {
        miqps_set $two $arg_v;
        return 200 "$one $two";
    }
--- request
GET /p?u=/a?gclid=1&v=/b?gclid=1
--- response_body: /a /b



=== TEST 27: an "if" has the mode and the rules of its location
--- config
    location / {
        miqps rewrite;
        miqps_strip sid;

        if ($http_x_test) {
            return 200 "if $request_uri $miqps_verdict";
        }

        return 200 "$request_uri";
    }
--- more_headers
X-Test: 1
--- request
GET /p?sid=1&id=2
--- response_body: if /p?id=2 stripped



=== TEST 28: an "if" that proxies sends the clean URL
--- config
    location / {
        miqps rewrite;

        if ($arg_id) {
            proxy_pass http://origin;
            break;
        }

        return 200 "none";
    }
--- request eval
[ 'GET /p?id=2&gclid=1', 'GET /p?gclid=1' ]
--- response_body eval
[ '/p?id=2', 'none' ]



=== TEST 29: an "if" of a location that annotates reports what it would do
--- config
    location / {
        miqps annotate;
        miqps_strip sid;

        if ($http_x_test) {
            return 200 "$request_uri $miqps_uri $miqps_stripped";
        }
    }
--- more_headers
X-Test: 1
--- request
GET /p?sid=1&id=2
--- response_body: /p?sid=1&id=2 /p?id=2 sid



=== TEST 30: a named location has a mode of its own
--- config
    location / {
        try_files /none @named;
    }

    location @named {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&gclid=2
--- response_body: /p?id=1



=== TEST 31: servers do not share what is their own
--- http_config
    server {
        listen $TEST_NGINX_SERVER_PORT;
        server_name second;

        miqps annotate;
        miqps_strip two;

        location / {
            return 200 "$request_uri $miqps_stripped";
        }
    }
--- config
    miqps rewrite;
    miqps_strip one;

    location / {
        return 200 "$request_uri $miqps_stripped";
    }
--- request eval
[ 'GET /p?one=1&two=2', 'GET /p?one=1&two=2' ]
--- more_headers eval
[ 'Host: localhost', 'Host: second' ]
--- response_body eval
[ '/p?two=2 one', '/p?one=1&two=2 two' ]
