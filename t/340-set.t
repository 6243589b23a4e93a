# Copyright (C) the ngx_miqps authors
#
# miqps_set: any URL that a variable holds.

use lib 't';
use Miqps;

run_tests();

__DATA__

=== TEST 1: an absolute URL
--- config
    location / {
        miqps_set $clean $http_referer;
        return 200 "$clean";
    }
--- more_headers
Referer: https://Shop.Example:8443/a%2Fb?id=1&gclid=2
--- request
GET /
--- response_body: https://Shop.Example:8443/a%2Fb?id=1



=== TEST 2: a path with arguments
--- config
    location / {
        miqps_set $clean $http_x_url;
        return 200 "$clean";
    }
--- more_headers
X-Url: /a//b?gclid=2&id=1
--- request
GET /
--- response_body: /a//b?id=1



=== TEST 3: a fragment stays
--- config
    location / {
        miqps_set $clean $http_x_url;
        return 200 "$clean";
    }
--- more_headers eval
[ 'X-Url: http://a.example/p?gclid=2&id=1#top', 'X-Url: /p?gclid=2#top?a=1' ]
--- request eval
[ 'GET /', 'GET /' ]
--- response_body eval
[ 'http://a.example/p?id=1#top', '/p#top?a=1' ]



=== TEST 4: without a query, and what is no URL, stay as they are
--- config
    location / {
        miqps_set $clean $http_x_url;
        return 200 "[$clean]";
    }
--- more_headers eval
[ 'X-Url: http://a.example/p', 'X-Url: gclid', 'X-Url: mailto:a@b.example',
  'X-None: 1' ]
--- request eval
[ ('GET /') x 4 ]
--- response_body eval
[ '[http://a.example/p]', '[gclid]', '[mailto:a@b.example]', '[]' ]



=== TEST 5: the host of the URL chooses the rules
--- config
    location / {
        miqps_rules ../html/rules.json;
        miqps_set $clean $http_x_url;
        return 200 "$clean";
    }
--- user_files
>>> rules.json
{ "version": 1, "sites": [ { "hosts": [ "one.example" ], "strip": [ "a" ] } ] }
--- more_headers eval
[ "X-Url: http://one.example/?a=1&b=2", "X-Url: http://ONE.example:80/?a=1&b=2",
  "X-Url: http://two.example/?a=1&b=2", "Host: one.example\nX-Url: /?a=1&b=2",
  "Host: one.example\nX-Url: http://two.example/?a=1&b=2" ]
--- request eval
[ ('GET /') x 5 ]
--- response_body eval
[ 'http://one.example/?b=2', 'http://ONE.example:80/?b=2',
  'http://two.example/?a=1&b=2', '/?b=2', 'http://two.example/?a=1&b=2' ]



=== TEST 6: rules and sorting of the location hold
--- config
    location / {
        miqps_sort on;
        miqps_strip sid;
        miqps_tracking off;
        miqps_set $clean $http_x_url;
        return 200 "$clean";
    }
--- more_headers
X-Url: /p?gclid=1&sid=2&b=3&a=4
--- request
GET /
--- response_body: /p?a=4&b=3&gclid=1



=== TEST 7: an opaque URL stays as it is
--- config
    location / {
        miqps_sort on;
        miqps_set $clean $http_x_url;
        return 200 "$clean";
    }
--- more_headers eval
[ 'X-Url: /p?gclid=1;b=2&a=3', 'X-Url: /p?gclid=1&password=2' ]
--- request eval
[ 'GET /', 'GET /' ]
--- response_body eval
[ '/p?gclid=1;b=2&a=3', '/p?gclid=1&password=2' ]



=== TEST 8: decode takes one layer of escapes off
--- config
    location / {
        miqps_set $clean $arg_u decode;
        return 200 "$clean";
    }
--- request eval
[ 'GET /?u=http%3A%2F%2Fa.example%2Fp%3Fgclid%3D1%26id%3D2',
  'GET /?u=http%3A%2F%2Fa.example%2F%252F%3Fgclid%3D1%26id%3D%2526' ]
--- response_body eval
[ 'http://a.example/p?id=2', 'http://a.example/%2F?id=%26' ]



=== TEST 9: without decode an escaped URL is none
--- config
    location / {
        miqps_set $clean $arg_u;
        return 200 "$clean";
    }
--- request
GET /?u=http%3A%2F%2Fa.example%2Fp%3Fgclid%3D1
--- response_body: http%3A%2F%2Fa.example%2Fp%3Fgclid%3D1



=== TEST 10: decode lets no end of line, space or NUL out
--- config
    location / {
        miqps_set $clean $arg_u decode;
        add_header X-Clean $clean;
        return 200 "$clean";
    }
--- request eval
[ 'GET /?u=/p%0d%0aSet-Cookie:x%3fgclid=1', 'GET /?u=/p%0aX%3fgclid%3d1',
  'GET /?u=/p%00%3fgclid%3d1', 'GET /?u=/p%20x%3fgclid%3d1',
  'GET /?u=/p%7fx%3fgclid%3d1' ]
--- response_headers eval
[ ('!Set-Cookie') x 5 ]
--- response_body eval
[ '/p%0d%0aSet-Cookie:x%3fgclid=1', '/p%0aX%3fgclid%3d1',
  '/p%00%3fgclid%3d1', '/p%20x%3fgclid%3d1', '/p%7fx%3fgclid%3d1' ]



=== TEST 11: a value with a broken escape is not decoded
--- config
    location / {
        miqps_set $clean $arg_u decode;
        return 200 "$clean";
    }
--- request eval
[ 'GET /?u=/p%3fgclid=1%', 'GET /?u=%', 'GET /?u=%3', 'GET /?u=/p%3f%2x' ]
--- response_body eval
[ '/p%3fgclid=1%', '%', '%3', '/p%3f%2x' ]



=== TEST 12: several variables of one location
--- config
    location / {
        miqps_set $one $arg_u;
        miqps_set $two http://a.example$arg_v;
        miqps_set $three $arg_v;
        return 200 "$one $two $three";
    }
--- request
GET /?u=/p?gclid=1&v=/q?gclid=2
--- response_body: /p http://a.example/q /q



=== TEST 13: a location that does not set a variable has none
--- config
    location /one {
        miqps_set $clean $arg_u;
        return 200 "[$clean]";
    }

    location /two {
        return 200 "[$clean]";
    }
--- request eval
[ 'GET /one?u=/p?gclid=1', 'GET /two?u=/p?gclid=1' ]
--- response_body eval
[ '[/p]', '[]' ]



=== TEST 14: names of variables are one whatever their case
--- config
    location / {
        miqps_set $Clean $arg_u;
        return 200 "$clean $CLEAN";
    }
--- request
GET /?u=/p?gclid=1
--- response_body: /p /p



=== TEST 15: a variable that is set from $miqps_uri
--- config
    location / {
        miqps annotate;
        miqps_set $clean http://other.example$miqps_original;
        return 200 "$clean";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: http://other.example/p?id=1



=== TEST 16: a URL of more than 64 KiB stays as it is
--- config
    large_client_header_buffers 4 128k;

    location / {
        miqps_set $clean /p?gclid=1&$args;
        return 200 "$clean";
    }
--- request eval
'GET /?a=' . 'x' x 65536
--- response_body eval
'/p?gclid=1&a=' . 'x' x 65536



=== TEST 17: user and password of a URL stay, and choose no rules
--- config
    location / {
        miqps_rules ../html/rules.json;
        miqps_set $clean $http_x_url;
        return 200 "$clean";
    }
--- user_files
>>> rules.json
{ "version": 1, "sites": [ { "hosts": [ "one.example" ], "strip": [ "a" ] } ] }
--- more_headers
X-Url: http://one.example@two.example/?a=1&gclid=2
--- request
GET /
--- response_body: http://one.example@two.example/?a=1



=== TEST 18: a variable of miqps_set is read anew each time
--- config
    location / {
        miqps_set $clean $x;
        set $x /p?gclid=1;
        set $first $clean;
        set $x /q?gclid=1;
        return 200 "$first $clean";
    }
--- request
GET /
--- response_body: /p /q
