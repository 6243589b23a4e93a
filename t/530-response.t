# Copyright (C) the ngx_miqps authors
#
# miqps_response headers: URLs in headers of the upstream.

use lib 't';
use Miqps;
use Map;
use Origin;

# "locations" are what the origin redirects to, one a line, and what the
# client is told, behind " -> "

add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->locations;

    my (@sent, @told);

    for (grep { length } split /\n/, $block->locations) {
        my ($sent, $told) = split / -> /;
        push @sent, "X-To: $sent";
        push @told, 'Location: ' . ($told // $sent);
    }

    my $with = $block->with // '';
    my $path = $block->path // '/dir/page?old=1';
    chomp $path;

    $block->set_value('config', <<"END");
    location / {
        miqps_response headers;
        $with
        proxy_redirect off;
        proxy_set_header X-To \$http_x_to;
        proxy_pass http://origin;
    }
END
    $block->set_value('origin', <<'END');
        absolute_redirect off;
        location / {
            return 302 $http_x_to;
        }
END
    $block->set_value('more_headers', [ map { "Host: shop.example\n$_" } @sent ]);
    $block->set_value('request', [ ("GET $path") x @sent ]);
    $block->set_value('error_code', [ (302) x @sent ]);
    $block->set_value('response_headers', \@told);
});

run_tests();

__DATA__

=== TEST 1: references of every kind
--- locations
/p?id=7&gclid=1 -> /p?id=7
https://shop.example/p?id=7&gclid=1 -> https://shop.example/p?id=7
//shop.example/p?id=7&gclid=1 -> //shop.example/p?id=7
p?id=7&gclid=1 -> p?id=7
./p?id=7&gclid=1 -> ./p?id=7
../p?id=7&gclid=1 -> ../p?id=7
?id=7&gclid=1 -> ?id=7
/p?id=7&gclid=1#top -> /p?id=7#top
https://shop.example?gclid=1 -> https://shop.example



=== TEST 2: hosts of others are left alone
--- locations
https://other.example/p?id=7&gclid=1
//other.example/p?id=7&gclid=1
https://shop.example.other.example/p?gclid=1
https://shop.example@other.example/p?gclid=1
https://other.example@shop.example/p?gclid=1
https://shop.example:8443/p?gclid=1



=== TEST 3: hosts that are named are cleaned by their own rules
--- with
        miqps_response_hosts other.example *.cdn.example;
        miqps_rules ../html/rules.json;
--- user_files
>>> rules.json
{ "version": 1, "sites": [ { "hosts": [ "other.example" ], "strip": [ "a" ] },
                           { "hosts": [ "shop.example" ], "strip": [ "b" ] } ] }
--- locations
https://other.example/p?a=1&b=2&gclid=3 -> https://other.example/p?b=2
https://OTHER.Example.:443/p?a=1&b=2 -> https://OTHER.Example.:443/p?b=2
https://shop.example/p?a=1&b=2&gclid=3 -> https://shop.example/p?a=1
/p?a=1&b=2 -> /p?a=1
https://x.cdn.example/p?a=1&gclid=3 -> https://x.cdn.example/p?a=1
https://y.x.cdn.example/p?a=1&gclid=3 -> https://y.x.cdn.example/p?a=1
https://cdn.example/p?a=1&gclid=3
https://xcdn.example/p?a=1&gclid=3
https://other.example:8443/p?a=1&gclid=3



=== TEST 4: opaque queries stay byte for byte
--- locations
/p?gclid=1;b=2&a=3
/p?gclid=1&password=2
/p?X-Amz-Signature=00&X-Amz-Credential=1&gclid=1
/p?a=%zz&gclid=1
/p?gclid=1&a=%00



=== TEST 5: what is no URL of ours stays
--- locations
mailto:a@b.example?gclid=1
javascript:x?gclid=1
http:p?gclid=1
http:/p?gclid=1
/a\b?gclid=1
\p?gclid=1
#top?gclid=1
a/%2e%2e/b?gclid=1
https:///p?gclid=1
p:q?gclid=1



=== TEST 6: the page itself without its query
--- locations
?gclid=1 -> page
?gclid=1#x -> page#x
--- path: /dir/page?a=2
--- with
        miqps_keep a;



=== TEST 7: ... where it has no name, or one like a scheme
--- locations
?gclid=1 -> ./
--- path: /dir/?a=2



=== TEST 8: ...
--- locations
?gclid=1 -> ./a:b
--- path: /dir/a:b?x=2



=== TEST 9: ... where browsers would see a host in it, or a fragment
--- locations
?gclid=1
?a=1&gclid=1
/p?gclid=1
https://shop.example/p?gclid=1
--- path: /q/\\evil.example



=== TEST 10: ...
--- locations
?gclid=1
--- path: /q/\evil.example?x=1



=== TEST 11: ...
--- locations
?gclid=1 -> evil.example
x?gclid=1 -> x
--- path: //evil.example?x=1



=== TEST 12: ...
--- locations
?gclid=1
--- path: /q/../dir/..



=== TEST 13: the path that rules are asked about is the one that is asked for
--- with
        miqps_rules ../html/rules.json;
--- user_files
>>> rules.json
{ "version": 1, "sites": [ { "hosts": [ "shop.example" ], "paths": [ "/dir/*" ], "strip": [ "a" ] } ] }
--- locations
p?a=1&b=2 -> p?b=2
../p?a=1&b=2
../dir/p?a=1&b=2 -> ../dir/p?b=2
/x/../dir/./p?a=1&b=2 -> /x/../dir/./p?b=2
/p?a=1&b=2
?a=1&b=2 -> ?b=2
./../../../dir/p?a=1&b=2 -> ./../../../dir/p?b=2



=== TEST 14: the host's own port
--- config
    location / {
        miqps_response headers;
        proxy_redirect off;
        proxy_set_header X-To $http_x_to;
        proxy_pass http://origin;
    }
--- origin
        absolute_redirect off;
        location / {
            return 302 $http_x_to;
        }
--- more_headers eval
[ "Host: shop.example:8443\nX-To: https://shop.example:8443/p?gclid=1",
  "Host: shop.example:8443\nX-To: https://shop.example:8444/p?gclid=1",
  "Host: shop.example:8443\nX-To: https://shop.example/p?gclid=1",
  "Host: shop.example:8443\nX-To: https://shop.example:80/p?gclid=1",
  "Host: [::1]:8443\nX-To: https://[::1]:8443/p?gclid=1" ]
--- request eval
[ ('GET /') x 5 ]
--- error_code eval
[ (302) x 5 ]
--- response_headers eval
[ 'Location: https://shop.example:8443/p',
  'Location: https://shop.example:8444/p?gclid=1',
  'Location: https://shop.example/p',
  'Location: https://shop.example:80/p?gclid=1',
  'Location: https://[::1]:8443/p' ]



=== TEST 15: off, and inherited
--- config
    miqps_response headers;
    location /on {
        proxy_redirect off;
        proxy_pass http://origin;
    }
    location /off {
        miqps_response off;
        proxy_redirect off;
        proxy_pass http://origin;
    }
    location /html {
        miqps_response html;
        proxy_redirect off;
        proxy_pass http://origin;
    }
--- origin
        absolute_redirect off;
        location / {
            return 302 /p?id=1&gclid=2;
        }
--- request eval
[ 'GET /on', 'GET /off', 'GET /html' ]
--- error_code eval
[ 302, 302, 302 ]
--- response_headers eval
[ 'Location: /p?id=1', 'Location: /p?id=1&gclid=2', 'Location: /p?id=1' ]



=== TEST 16: "miqps off" at the http level switches it off
--- http_config
    miqps off;
--- config
    location / {
        miqps_response headers;
        miqps_canonical_link on;
        proxy_redirect off;
        proxy_pass http://origin;
    }
--- origin
        location /to {
            absolute_redirect off;
            return 302 /p?gclid=2;
        }
--- request eval
[ 'GET /to', 'GET /' ]
--- error_code eval
[ 302, 200 ]
--- response_headers eval
[ 'Location: /p?gclid=2', '! Link' ]



=== TEST 17: Location of 201 and all redirects, and of nothing else
--- config
    location / {
        miqps_response headers;
        proxy_redirect off;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header Location /p?gclid=1 always;
            location /201 { return 201 ""; }
            location /200 { return 200 ""; }
            location /404 { return 404 ""; }
            location /304 { return 304; }
        }
        location /301 { absolute_redirect off; return 301 /p?gclid=1; }
        location /303 { absolute_redirect off; return 303 /p?gclid=1; }
        location /307 { absolute_redirect off; return 307 /p?gclid=1; }
        location /308 { absolute_redirect off; return 308 /p?gclid=1; }
--- request eval
[ 'GET /201', 'GET /200', 'GET /404', 'GET /301', 'GET /303', 'GET /307',
  'POST /308' ]
--- error_code eval
[ 201, 200, 404, 301, 303, 307, 308 ]
--- response_headers eval
[ 'Location: /p', 'Location: /p?gclid=1', 'Location: /p?gclid=1',
  ('Location: /p') x 4 ]



=== TEST 18: Content-Location
--- config
    location / {
        miqps_response headers;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header Content-Location $http_x_to;
            return 200 "";
        }
--- more_headers eval
[ "X-To: /p?id=1&gclid=2", "X-To: p?gclid=2",
  "X-To: https://other.example/p?gclid=2" ]
--- request eval
[ ('GET /a') x 3 ]
--- response_headers eval
[ 'Content-Location: /p?id=1', 'Content-Location: p',
  'Content-Location: https://other.example/p?gclid=2' ]



=== TEST 19: Refresh
--- config
    location / {
        miqps_response headers;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header Refresh $http_x_to;
            return 200 "";
        }
--- more_headers eval
[ "X-To: 5; url=/p?id=1&gclid=2", "X-To: 0;URL='/p?id=1&gclid=2'",
  'X-To: 0, url = "/p?id=1&gclid=2"', "X-To: 5; /p?gclid=2", "X-To: 5",
  "X-To: 5; url=", "X-To: 5; url='/p?gclid=2", "X-To: x; url=/p?gclid=2",
  "X-To: 1.5 ; url=/p?gclid=2", "X-To: 5; url=/p?q='&gclid=2",
  "X-To: 5; url=https://other.example/?gclid=1",
  "X-To: 5; url=/a?id=7&gclid=1",
  'X-To: 0;url="/p?utm_source=1" ; x', 'X-To: 0 url=/p?utm_source=1',
  'X-To: 0 /p?utm_source=1', 'X-To: 0;urls?utm_source=1',
  'X-To: 0; url=?utm_source=1' ]
--- request eval
[ ('GET /a?id=7') x 16, "GET /'a?id=7" ]
--- response_headers eval
[ 'Refresh: 5; url=/p?id=1', "Refresh: 0;URL='/p?id=1'",
  'Refresh: 0, url = "/p?id=1"', 'Refresh: 5; /p', 'Refresh: 5',
  'Refresh: 5; url=', "Refresh: 5; url='/p",
  'Refresh: x; url=/p?gclid=2', 'Refresh: 1.5 ; url=/p',
  "Refresh: 5; url=/p?q='&gclid=2",
  'Refresh: 5; url=https://other.example/?gclid=1',
  'Refresh: 5; url=/a?id=7&gclid=1',
  'Refresh: 0;url="/p" ; x', 'Refresh: 0 url=/p', 'Refresh: 0 /p',
  'Refresh: 0;urls', 'Refresh: 0; url=?utm_source=1' ]



=== TEST 20: Link
--- config
    location / {
        miqps_response headers;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header Link $http_x_to;
            return 200 "";
        }
--- more_headers eval
[ 'X-To: </p?id=1&gclid=2>; rel="next"',
  'X-To: </p?gclid=2>; rel=next, <q?id=1&gclid=2>;rel="prev start";title="a, <b>"',
  'X-To: </a.css?gclid=2>; rel=preload; as=style, </p?gclid=2>; rel=next',
  'X-To: </p?gclid=2>; rel="stylesheet PRELOAD"',
  'X-To: </p?gclid=2>; rel=next; anchor="/x"',
  'X-To: <https://other.example/p?gclid=2>; rel=next',
  'X-To: </p?gclid=2', 'X-To: /p?gclid=2; rel=next',
  'X-To: </p?gclid=1>; rel="next, </q?gclid=2>; rel=prev',
  'X-To: , ,</p?gclid=1> ; rel = canonical ,</q?gclid=1>' ]
--- request eval
[ ('GET /a/b') x 10 ]
--- response_headers eval
[ 'Link: </p?id=1>; rel="next"',
  'Link: </p>; rel=next, <q?id=1>;rel="prev start";title="a, <b>"',
  'Link: </a.css?gclid=2>; rel=preload; as=style, </p>; rel=next',
  'Link: </p?gclid=2>; rel="stylesheet PRELOAD"',
  'Link: </p?gclid=2>; rel=next; anchor="/x"',
  'Link: <https://other.example/p?gclid=2>; rel=next',
  'Link: </p?gclid=2', 'Link: /p?gclid=2; rel=next',
  'Link: </p?gclid=1>; rel="next, </q?gclid=2>; rel=prev',
  'Link: , ,</p> ; rel = canonical ,</q>' ]



=== TEST 21: several headers of one name
--- config
    location / {
        miqps_response headers;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header Link "</p?gclid=1>; rel=next";
            add_header Link "</q?gclid=1>; rel=prev";
            return 200 "";
        }
--- request
GET /
--- raw_response_headers_like
Link: </p>; rel=next\r
Link: </q>; rel=prev\r



=== TEST 22: a cached response has the headers of the upstream
--- http_config
    proxy_cache_path cache keys_zone=pages:1m;
--- config
    location /on {
        miqps_response headers;
        proxy_redirect off;
        proxy_cache pages;
        proxy_cache_key x;
        proxy_cache_valid any 1m;
        proxy_pass http://origin;
    }
    location /off {
        proxy_redirect off;
        proxy_cache pages;
        proxy_cache_key x;
        proxy_pass http://origin;
    }
--- origin
        absolute_redirect off;
        location / {
            return 302 /p?id=1&gclid=2;
        }
--- request eval
[ 'GET /on', 'GET /on', 'GET /off' ]
--- error_code eval
[ 302, 302, 302 ]
--- response_headers eval
[ 'Location: /p?id=1', 'Location: /p?id=1', 'Location: /p?id=1&gclid=2' ]



=== TEST 23: a redirect of nginx's own
--- config
    location / {
        miqps_response headers;
        absolute_redirect off;
        return 301 https://$host$request_uri&x=1;
    }
--- request
GET /p?id=1&gclid=2
--- error_code: 301
--- response_headers
Location: https://localhost/p?id=1&x=1



=== TEST 24: nginx makes a relative one absolute as ever
--- config
    server_name_in_redirect off;
    location / {
        miqps_response headers;
        return 301 /q?id=1&gclid=2;
    }
--- request
GET /p
--- error_code: 301
--- raw_response_headers_like
Location: http://localhost:\d+/q\?id=1\r



=== TEST 25: a subrequest's headers are nobody's
--- config
    location / {
        miqps_response headers;
        auth_request /auth;
        auth_request_set $to $upstream_http_location;
        add_header X-To $to;
        proxy_pass http://origin;
    }
    location = /auth {
        miqps_response headers;
        proxy_redirect off;
        proxy_pass http://origin;
    }
--- origin
        location = /auth {
            add_header Location /p?gclid=1;
            return 201 "";
        }
--- request
GET /
--- response_headers
X-To: /p?gclid=1
--- response_body: /



=== TEST 26: with the rules of miqps_host
--- config
    location / {
        miqps_host rules.example;
        miqps_rules ../html/rules.json;
        miqps_response headers;
        proxy_redirect off;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 302 http://localhost/p?a=1&b=2;
        }
--- user_files
>>> rules.json
{ "version": 1, "sites": [ { "hosts": [ "rules.example" ], "strip": [ "a" ] } ] }
--- request
GET /
--- error_code: 302
--- response_headers
Location: http://localhost/p?b=2



=== TEST 27: hosts of a level replace those around it
--- config
    miqps_response headers;
    miqps_response_hosts one.example;
    location / {
        proxy_redirect off;
        proxy_pass http://origin;
    }
    location /two {
        miqps_response_hosts two.example;
        proxy_redirect off;
        proxy_pass http://origin;
    }
    location /off {
        miqps_response_hosts off;
        proxy_redirect off;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 302 https://$http_x_to/?gclid=1;
        }
--- more_headers eval
[ 'X-To: one.example', 'X-To: two.example', 'X-To: one.example',
  'X-To: two.example', 'X-To: one.example' ]
--- request eval
[ 'GET /', 'GET /', 'GET /two', 'GET /two', 'GET /off' ]
--- error_code eval
[ (302) x 5 ]
--- response_headers eval
[ 'Location: https://one.example/', 'Location: https://two.example/?gclid=1',
  'Location: https://one.example/?gclid=1', 'Location: https://two.example/',
  'Location: https://one.example/?gclid=1' ]



=== TEST 28: path rules, mirrors, and what scripts of a page read
--- map
{"host": "shop.example", "hosts": ["www.shop.example"],
 "patterns": [{"params": ["c", "id", "sid"], "keep": ["id"], "client": ["c"]}],
 "rules": [{"from": {"path": "/show", "params": {"id": "{id:digits}"}},
            "to": {"path": "/page/{id}", "params": {}}},
           {"from": {"path": "/old/{p}"}, "to": {"path": "/new/{p}"}},
           {"from": {"host": "www.shop.example"}, "to": {"host": "shop.example"}}]}
--- with
        miqps_path_rules on;
        miqps_response_hosts www.shop.example;
--- locations
/show?id=7 -> /page/7
/show?id=7&gclid=1#x -> /page/7#x
https://shop.example/show?id=7 -> https://shop.example/page/7
//shop.example/show?id=7 -> //shop.example/page/7
/old/a -> /new/a
/p?c=1&id=2&sid=3 -> /p?c=1&id=2
show?id=7&gclid=1 -> show?id=7
../show?id=7&gclid=1 -> ../show?id=7
../old/a
/x/../show?id=7&gclid=1 -> /x/../show?id=7
https://www.shop.example/show?id=7 -> https://shop.example/page/7
https://www.shop.example:443/show?id=7 -> https://www.shop.example:443/page/7
https://www.shop.example/p?c=1&id=2&sid=3 -> https://shop.example/p?c=1&id=2



=== TEST 29: a mirror stays a mirror but in redirects and canonical links
--- map
{"host": "shop.example", "hosts": ["www.shop.example"],
 "rules": [{"from": {"host": "www.shop.example"}, "to": {"host": "shop.example"}}]}
--- config
    location / {
        miqps_path_rules on;
        miqps_response headers;
        miqps_response_hosts www.shop.example;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header Content-Location https://www.shop.example/p?gclid=1;
            add_header Link "<https://www.shop.example/p?gclid=1>; rel=next, <https://www.shop.example/p?gclid=1>; rel=canonical";
            add_header Refresh "1; url=https://www.shop.example/p?gclid=1";
            return 200 "";
        }
--- more_headers
Host: shop.example
--- request
GET /
--- response_headers
Content-Location: https://www.shop.example/p
Link: <https://www.shop.example/p>; rel=next, <https://shop.example/p>; rel=canonical
Refresh: 1; url=https://shop.example/p



=== TEST 30: what was learned is not for those with a password
--- map
{"host": "shop.example", "patterns": [{"params": ["id", "sid"], "keep": ["id"]}]}
--- config
    location / {
        miqps_response headers;
        proxy_redirect off;
        proxy_pass http://origin;
    }
--- origin
        location / {
            absolute_redirect off;
            return 302 /p?id=1&sid=2&gclid=3;
        }
--- more_headers eval
[ "Host: shop.example", "Host: shop.example\nAuthorization: Basic eDp5" ]
--- request eval
[ 'GET /', 'GET /' ]
--- error_code eval
[ 302, 302 ]
--- response_headers eval
[ 'Location: /p?id=1', 'Location: /p?id=1&sid=2' ]



=== TEST 31: names of the server, where that is told
--- config
    server_name shop.example www.shop.example *.wild.example .dot.example ~^re\.;
    location / {
        miqps_response headers;
        miqps_response_hosts server_names cdn.example;
        proxy_redirect off;
        proxy_set_header X-To $http_x_to;
        proxy_pass http://origin;
    }
    location /none {
        miqps_response headers;
        miqps_response_hosts cdn.example;
        proxy_redirect off;
        proxy_set_header X-To $http_x_to;
        proxy_pass http://origin;
    }
--- origin
        absolute_redirect off;
        location / {
            return 302 $http_x_to;
        }
--- more_headers eval
[ map { "Host: shop.example\nX-To: https://$_/p?gclid=1" }
      qw(www.shop.example cdn.example a.wild.example dot.example re.example other.example www.shop.example) ]
--- request eval
[ ('GET /') x 6, 'GET /none' ]
--- error_code eval
[ (302) x 7 ]
--- response_headers eval
[ map { "Location: https://$_" }
      'www.shop.example/p', 'cdn.example/p', 'a.wild.example/p?gclid=1',
      'dot.example/p?gclid=1', 're.example/p?gclid=1',
      'other.example/p?gclid=1', 'www.shop.example/p?gclid=1' ]
