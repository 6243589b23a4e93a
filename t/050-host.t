# Copyright (C) the ngx_miqps authors
#
# Whose rules a request is under.

use lib 't';
use Miqps;
use Origin;

# rules for the host one.example, and those below it

add_block_preprocessor(sub {
    shift->set_value('user_files', <<'END');
>>> hosts.json
{ "version": 1, "sites": [
    { "hosts": [ "one.example" ], "strip": [ "one" ] },
    { "hosts": [ "*.one.example" ], "strip": [ "sub" ] },
    { "hosts": [ "localhost" ], "strip": [ "local" ] },
    { "hosts": [ "127.0.0.1" ], "strip": [ "address" ] } ] }
END
});

run_tests();

__DATA__

=== TEST 1: rules of a host hold for this host only
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        return 200 "$request_uri";
    }
--- more_headers eval
[ 'Host: one.example', 'Host: two.example', 'Host: a.one.example' ]
--- request eval
[ ('GET /p?one=1&sub=2') x 3 ]
--- response_body eval
[ '/p?sub=2', '/p?one=1&sub=2', '/p?one=1' ]



=== TEST 2: port, capitals and a last dot of the host do not matter
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        return 200 "$request_uri";
    }
--- more_headers eval
[ 'Host: one.example:8080', 'Host: ONE.Example', 'Host: one.example.',
  'Host: One.Example.:80' ]
--- request eval
[ ('GET /p?one=1&id=2') x 4 ]
--- response_body eval
[ ('/p?id=2') x 4 ]



=== TEST 3: the host of the request line wins over the header
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        return 200 "$request_uri";
    }
--- more_headers eval
[ 'Host: two.example', 'Host: one.example' ]
--- request eval
[ 'GET http://one.example/p?one=1&id=2',
  'GET http://two.example/p?one=1&id=2' ]
--- response_body eval
[ '/p?id=2', '/p?one=1&id=2' ]



=== TEST 4: an absolute target reaches the origin as a path, clean
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET http://one.example/a%2Fb?id=1&gclid=2',
  'GET HTTP://One.Example:8080/?gclid=2' ]
--- response_body eval
[ '/a%2Fb?id=1', '/' ]



=== TEST 5: an absolute target without a path is left alone
--- config
    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET http://one.example?gclid=2', 'GET http://one.example' ]
--- response_headers eval
[ 'X-Verdict: path', 'X-Verdict: clean' ]
--- response_body eval
[ '/?gclid=2', '/' ]



=== TEST 6: without a host the server's name is the host
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        return 200 "$request_uri";
    }
--- raw_request eval
"GET /p?local=1&id=2 HTTP/1.0\r\n\r\n"
--- response_body: /p?id=2



=== TEST 7: an address is a host
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        return 200 "$request_uri";
    }
--- more_headers
Host: 127.0.0.1:8080
--- request
GET /p?address=1&id=2
--- response_body: /p?id=2



=== TEST 8: a host in brackets has no rules here, and does no harm
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        return 200 "$request_uri";
    }
--- more_headers
Host: [::1]:8080
--- request
GET /p?one=1&gclid=2
--- response_body: /p?one=1



=== TEST 9: miqps_host chooses the host
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        miqps_host one.example;
        return 200 "$request_uri";
    }
--- more_headers
Host: two.example
--- request
GET /p?one=1&id=2
--- response_body: /p?id=2



=== TEST 10: miqps_host takes variables
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        miqps_host $http_x_shop.example;
        return 200 "$request_uri";
    }
--- more_headers eval
[ 'X-Shop: one', 'X-Shop: two', 'X-Shop: a.one' ]
--- request eval
[ ('GET /p?one=1&sub=2') x 3 ]
--- response_body eval
[ '/p?sub=2', '/p?one=1&sub=2', '/p?one=1' ]



=== TEST 11: capitals and a last dot of miqps_host do not matter
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        miqps_host $http_x_host;
        return 200 "$request_uri";
    }
--- more_headers eval
[ 'X-Host: ONE.example', 'X-Host: one.example.' ]
--- request eval
[ ('GET /p?one=1&id=2') x 2 ]
--- response_body eval
[ ('/p?id=2') x 2 ]



=== TEST 12: miqps_host that is empty, or no host, has rules for all only
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        miqps_host $http_x_host;
        return 200 "$request_uri";
    }
--- more_headers eval
[ '', 'X-Host: one.example/x', 'X-Host: one example', 'X-Host: ' . 'a' x 300 ]
--- request eval
[ ('GET /p?one=1&local=2&gclid=3') x 4 ]
--- response_body eval
[ ('/p?one=1&local=2') x 4 ]



=== TEST 13: miqps_host with a port is the host without it
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/hosts.json;
        miqps_host $http_host;
        return 200 "$request_uri";
    }
--- more_headers
Host: one.example:8080
--- request
GET /p?one=1&id=2
--- response_body: /p?id=2



=== TEST 14: miqps_host does not change what the client is told
--- config
    location / {
        miqps redirect;
        miqps_host two.example;
    }
--- more_headers
Host: one.example
--- request
GET /p?gclid=1
--- error_code: 302
--- response_headers
Location: http://one.example:$ServerPort/p
