# Copyright (C) the ngx_miqps authors
#
# miqps_normalize: lists of URLs.

use lib 't';
use Miqps;
use Map;

add_block_preprocessor(sub {
    my $block = shift;

    my $with = $block->with // '';

    $block->set_value('config', <<"END") if !defined $block->config;
    location / {
        miqps_normalize;
        $with
    }
END
});

run_tests();

__DATA__

=== TEST 1: one URL
--- request eval
[ 'GET /?url=https%3A%2F%2Fshop.example%2Fp%3Fid%3D7%26gclid%3D1',
  'GET /?url=/p?gclid=1', 'GET /?url=https://shop.example/p',
  'GET /?url=%2Fp%3Fa%3D%2526%26gclid%3D1%23top' ]
--- response_body eval
[ "https://shop.example/p?id=7\n", "/p\n", "https://shop.example/p\n",
  "/p?a=%26#top\n" ]
--- response_headers eval
[ ('Content-Type: text/plain') x 4 ]



=== TEST 2: one URL, with its verdict
--- request eval
[ map { "GET /?verdicts=1&url=$_" }
      '/p%3Fgclid%3D1%26id%3D2%26utm_source%3D3', '/p%3Fid%3D2',
      '/p%3Fa%3D%2561', '/p%3Fgclid%3D1%26password%3D2' ]
--- response_body eval
[ "/p?id=2\tstripped\tgclid&utm_source\n", "/p?id=2\tclean\t\n",
  "/p?a=a\tnormalized\t\n", "/p?gclid=1&password=2\topaque:secret\t\n" ]



=== TEST 3: what is no URL
--- request eval
[ 'GET /', 'GET /?url=', 'GET /?url=mailto:x', 'GET /?url=%zz',
  'GET /?url=/p%0d%0aX%3fgclid=1', 'PUT /?url=/p', 'HEAD /?url=/p?gclid=1' ]
--- error_code eval
[ 400, 400, 400, 400, 200, 405, 200 ]
--- response_body_like eval
[ 'the argument "url" is missing', 'not a URL', 'not a URL', 'not a URL',
  '^/p%0d%0aX%3fgclid=1$', 'use GET', '^$' ]
--- response_headers eval
[ ('Content-Type: text/plain') x 5, 'Allow: GET, HEAD, POST',
  'Content-Length: 3' ]



=== TEST 4: lines
--- more_headers
Content-Type: text/plain; charset=utf-8
--- request eval
"POST /
https://a.example/p?id=1&gclid=2
/q?utm_source=1#x

no URL at all
https://A.example:8443/?gclid=1\r
\xef\xbb\xbf/p?gclid=1
/p?gclid=1;a=2
\x00\x01\xff
/last?gclid=1"
--- response_body eval
"https://a.example/p?id=1
/q#x

no URL at all
https://A.example:8443/\r
\xef\xbb\xbf/p
/p?gclid=1;a=2
\x00\x01\xff
/last
"
--- response_headers
Content-Type: text/plain
Transfer-Encoding: chunked



=== TEST 5: lines with verdicts
--- more_headers
Content-Type: text/plain
--- request eval
"POST /?verdicts=1
/p?id=1&gclid=2
x
/p?X-Amz-Signature=1&X-Amz-Credential=2&gclid=1

/p?"
--- response_body eval
"/p?id=1\tstripped\tgclid
x\tnot-a-url\t
/p?X-Amz-Signature=1&X-Amz-Credential=2&gclid=1\topaque:signed\t
\tnot-a-url\t
/p\tnormalized\t
"



=== TEST 6: nothing
--- more_headers eval
[ 'Content-Type: text/plain', 'Content-Type: application/x-ndjson',
  'Content-Type: application/json' ]
--- request eval
[ "POST /\n", "POST /\n", "POST /\n[]" ]
--- response_body eval
[ '', '', "[]\n" ]



=== TEST 7: a line a JSON object
--- more_headers
Content-Type: application/x-ndjson
--- request eval
'POST /
{"url":"https://a.example/p?id=1&gclid=2"}
 { "id": 7, "url" : "\/p?q=\u00e9\"&gclid=2" }

{"url": 7}
{"link":"/p"}
["/p"]
{"url":"/p"} x
{"url":"/p?gclid=1
{"url":"/p\u0000?gclid=1"}
{"url":"not a url"}
{"url":"/p?gclid=1","url":"/q?gclid=1"}
{"url":"/half'
--- response_body eval
'{"url":"https://a.example/p?id=1"}
{"url":"/p?q=' . "\xc3\xa9" . '\""}

{"error":"there is no string named url","line":4}
{"error":"there is no string named url","line":5}
{"error":"the line is not an object","line":6}
{"error":"it is not JSON","line":7}
{"error":"it is not JSON","line":8}
{"error":"there is a NUL in it","line":9}
{"url":"not a url"}
{"url":"/p"}
{"error":"it is not JSON","line":12}
'
--- response_headers
Content-Type: application/x-ndjson



=== TEST 8: ... with verdicts
--- more_headers
Content-Type: application/jsonl
--- request
POST /?verdicts=1
{"url":"/p?id=1&gclid=2&utm_source=3"}
{"url":"x"}
{"url":"/p?a=1;b=2"}
--- response_body
{"url":"/p?id=1","verdict":"stripped","stripped":["gclid","utm_source"]}
{"url":"x","verdict":"not-a-url","stripped":[]}
{"url":"/p?a=1;b=2","verdict":"opaque:semicolon","stripped":[]}



=== TEST 9: what is not UTF-8 cannot be JSON
--- more_headers
Content-Type: application/x-ndjson
--- request eval
qq(POST /
{"url":"/p?a=\xff&gclid=1"}
{"url":"/q?gclid=1"})
--- response_body
{"error":"it is not UTF-8","line":1}
{"url":"/q"}



=== TEST 10: an array
--- more_headers
Content-Type: application/json
--- request eval
[ 'POST /
["/p?gclid=1", {"url": "/q?id=1&gclid=2"}, 7, null, {"a": 1}, ["/p"], "x"]',
'POST /?verdicts=1
["/p?gclid=1", {"url": "/q"}, 7]' ]
--- response_body eval
[ '["/p",{"url":"/q?id=1"},' . CORE::join(',', ('{"error":"there is no string named url"}') x 4)
  . ",\"x\"]\n",
  '[{"url":"/p","verdict":"stripped","stripped":["gclid"]},'
  . '{"url":"/q","verdict":"clean","stripped":[]},'
  . "{\"error\":\"there is no string named url\"}]\n" ]
--- response_headers eval
[ ('Content-Type: application/json') x 2 ]



=== TEST 11: arrays that are none
--- more_headers
Content-Type: application/json
--- request eval
[ "POST /\n", "POST /\n[", "POST /\n{\"url\":\"/p\"}", "POST /\n[\"a\"] x",
  "POST /\n\"/p\"", "POST /\n" . '[' x 2000 . ']' x 2000 ]
--- error_code eval
[ (400) x 6 ]
--- response_body eval
[ "it is not JSON\n", "it is not JSON\n", "the body is not an array\n",
  "it is not JSON\n", "the body is not an array\n", "it is not JSON\n" ]



=== TEST 12: an array of many turns
--- more_headers
Content-Type: application/json
--- request eval
"POST /\n[" . CORE::join(',', map { "\"/p$_?gclid=1\"" } 1 .. 5000) . ']'
--- response_body eval
'[' . CORE::join(',', map { "\"/p$_\"" } 1 .. 5000) . "]\n"
--- error_log eval
[]



=== TEST 13: an array of more than a megabyte
--- with
        client_max_body_size 8m;
--- more_headers
Content-Type: application/json
--- request eval
"POST /\n[\"" . 'x' x (1024 * 1024) . '"]'
--- error_code: 413
--- response_body
an array must not be larger than a megabyte; lines may be



=== TEST 14: types that are none
--- more_headers eval
[ 'Content-Type: application/x-www-form-urlencoded', 'X-None: 1',
  'Content-Type: text/plainer', 'Content-Type: ;' ]
--- request eval
[ ("POST /\n/p?gclid=1") x 4 ]
--- error_code eval
[ (415) x 4 ]
--- response_body eval
[ ("the content type must be text/plain, application/x-ndjson or application/json, in a charset like UTF-8\n") x 4 ]



=== TEST 15: nginx's limit is the limit
--- more_headers
Content-Type: text/plain
--- with
        client_max_body_size 100;
--- request eval
"POST /\n" . "/p?gclid=1\n" x 20
--- error_code: 413
--- error_log eval
[]



=== TEST 16: a line of a megabyte passes, and so do those around it
--- with
        client_max_body_size 8m;
        client_body_buffer_size 16k;
--- more_headers eval
[ 'Content-Type: text/plain', 'Content-Type: text/plain' ]
--- request eval
[ "POST /\n/a?gclid=1\n/p?gclid=1&a=" . 'x' x 1048576 . "\n/b?gclid=1\n",
  "POST /?verdicts=1\n/p?gclid=1&a=" . 'x' x 1048576 ]
--- response_body eval
[ "/a\n/p?gclid=1&a=" . 'x' x 1048576 . "\n/b\n",
  "/p?gclid=1&a=" . 'x' x 1048576 . "\topaque:too-long\t\n" ]
--- error_log eval
[]



=== TEST 17: ... as JSON it is an error
--- with
        client_max_body_size 8m;
--- more_headers
Content-Type: application/x-ndjson
--- request eval
"POST /\n{\"url\":\"/a?gclid=1\"}\n{\"url\":\"/p?gclid=1&a=" . 'x' x 1048576
. "\"}\n{\"url\":\"/b?gclid=1\"}\n" . '{"url":"/p' . 'x' x 81910 . "\"}"
--- response_body
{"url":"/a"}
{"error":"the line is too long","line":2}
{"url":"/b"}
{"error":"the line is too long","line":4}
--- error_log eval
[]



=== TEST 18: many lines, in memory and in a file, chunked or not
--- with
        client_max_body_size 8m;
        client_body_buffer_size 64k;
--- more_headers
Content-Type: text/plain
--- request eval
"POST /\n" . CORE::join('', map { "/p/$_?id=$_&gclid=1\n" } 1 .. 50000)
--- response_body eval
CORE::join('', map { "/p/$_?id=$_\n" } 1 .. 50000)
--- error_log eval
[]



=== TEST 19: lines as long as can be, at the border of what is read at a time
--- with
        client_max_body_size 8m;
--- more_headers
Content-Type: text/plain
--- request eval
"POST /\n" . CORE::join('', map { '/p?gclid=1&a=' . 'x' x ($_ - 13) . "\n" }
                      65534, 65535, 65536, 65537, 65549, 65550, 81919, 81920, 81921, 65548)
--- response_body eval
CORE::join('', map { ($_ > 65539 ? '/p?gclid=1&a=' : '/p?a=') . 'x' x ($_ - 13) . "\n" }
         65534, 65535, 65536, 65537, 65549, 65550, 81919, 81920, 81921, 65548)
--- error_log eval
[]



=== TEST 20: rules of the location, and of the host of the request
--- with
        miqps_sort on;
        miqps_strip sid;
        miqps_rules ../html/rules.json;
--- user_files
>>> rules.json
{ "version": 1, "sites": [ { "hosts": [ "one.example" ], "strip": [ "a" ] } ] }
--- more_headers
Content-Type: text/plain
Host: one.example
--- request
POST /
/p?sid=1&c=2&b=3&a=4
https://one.example/?a=1&b=2
https://two.example/?a=1&b=2
--- response_body
/p?b=3&c=2
https://one.example/?b=2
https://two.example/?a=1&b=2



=== TEST 21: a map, whoever asks
--- map
{"host": "shop.example", "hosts": ["www.shop.example"],
 "patterns": [{"params": ["c", "id", "sid"], "keep": ["id"], "client": ["c"]}],
 "rules": [{"from": {"path": "/show", "params": {"id": "{id:digits}"}},
            "to": {"path": "/page/{id}", "params": {}}},
           {"from": {"host": "www.shop.example"}, "to": {"host": "shop.example"}}]}
--- with
        miqps_path_rules on;
        miqps_bypass 1;
--- more_headers
Content-Type: text/plain
Authorization: Basic eDp5
--- request
POST /?verdicts=1
https://shop.example/p?c=1&id=2&sid=3
https://www.shop.example/show?id=7
--- response_body eval
"https://shop.example/p?c=1&id=2\tstripped\tsid
https://shop.example/page/7\tmoved\t
"



=== TEST 22: "miqps" is off where URLs are asked for
--- config
    miqps redirect;
    miqps_strip url;
    location / {
        miqps_normalize;
    }
--- request
GET /?url=/p?gclid=1
--- response_body
/p



=== TEST 23: "miqps off" at the http level leaves all as it is
--- http_config
    miqps off;
--- more_headers
Content-Type: text/plain
--- request eval
[ 'GET /?url=/p?gclid=1', "POST /?verdicts=1\n/p?gclid=1" ]
--- response_body eval
[ "/p?gclid=1\n", "/p?gclid=1\toff\t\n" ]



=== TEST 24: variables can be read there
--- config
    location / {
        miqps_normalize;
        add_header X-Verdict $miqps_verdict;
        access_log logs/x.log combined;
    }
--- http_config
    log_format x '$miqps_verdict $miqps_uri';
--- more_headers
Content-Type: text/plain
--- request
POST /?gclid=1
/p?gclid=1
--- response_headers
X-Verdict: off
--- response_body
/p



=== TEST 25: a rate and a slow beginning change nothing
--- with
        limit_rate 400k;
        limit_rate_after 100k;
        output_buffers 1 4k;
        sendfile off;
        client_max_body_size 8m;
--- more_headers
Content-Type: text/plain
--- request eval
"POST /\n" . CORE::join('', map { "/p/$_?id=$_&gclid=1\n" } 1 .. 20000)
--- response_body eval
CORE::join('', map { "/p/$_?id=$_\n" } 1 .. 20000)
--- error_log eval
[]
--- timeout: 10



=== TEST 26: compressed, and by HTTP/2
--- http2
--- with
        client_max_body_size 8m;
--- more_headers
Content-Type: text/plain
--- request eval
"POST /\n" . CORE::join('', map { "/p/$_?id=$_&gclid=1\n" } 1 .. 20000)
--- response_body eval
CORE::join('', map { "/p/$_?id=$_\n" } 1 .. 20000)
--- error_log eval
[]



=== TEST 27: an escape that stands for nothing is of one URL
--- more_headers eval
[ ('Content-Type: application/json') x 2, 'Content-Type: application/x-ndjson' ]
--- request eval
[ 'POST /
["/p?gclid=1","http://a/\u0000?b=1","http://a/\ud800","/\udc00","/\ud800\u0041",'
  . '{"url":"/q?gclid=1","x":"\u0000\udc00"},{"url\u0000":"/q"},"/\\\\u0000","/\\\\\u0000","/r?gclid=1"]',
  'POST /
["/\ud83d\ude00?gclid=1","/\uD83D\uDE00","/\u00e9\u0041","\ud83d\ude00\ude00"]',
'POST /
{"url":"/p?gclid=1"}
{"url":"/\u0000"}
{"url":"/\\\\u0000?gclid=1"}
{"url":"/\ud800"}
{"url":"/\u00zz"}
{"url":"/q?gclid=1","x":"\u0000"}' ]
--- response_body eval
[ '["/p",{"error":"there is a NUL in it"},{"error":"it is not UTF-8"},'
  . '{"error":"it is not UTF-8"},{"error":"it is not UTF-8"},{"url":"/q"},'
  . '{"error":"there is no string named url"},"/\\\\u0000",'
  . "{\"error\":\"there is a NUL in it\"},\"/r\"]\n",
  qq{["/\xf0\x9f\x98\x80","/\xf0\x9f\x98\x80","/\xc3\xa9A",{"error":"it is not UTF-8"}]\n},
  '{"url":"/p"}
{"error":"there is a NUL in it","line":2}
{"url":"/\\\\u0000"}
{"error":"it is not UTF-8","line":4}
{"error":"it is not JSON","line":5}
{"url":"/q"}
' ]



=== TEST 28: an array of too many elements
--- more_headers
Content-Type: application/json
--- request eval
[ "POST /\n[" . '7,' x 65536 . '7]', "POST /\n[" . '7,' x 65535 . '"/p?gclid=1"]' ]
--- error_code eval
[ 413, 200 ]
--- response_body_like eval
[ "^an array must not have more than 65536 elements; lines may be more\n\$", '"/p"]$' ]
--- error_log eval
[]



=== TEST 29: what is encoded, or in another charset, cannot be read
--- more_headers eval
[ "Content-Type: text/plain\nContent-Encoding: gzip",
  "Content-Type: text/plain\nContent-Encoding: identity",
  'Content-Type: text/plain; charset=UTF-16LE',
  'Content-Type: text/plain;format=flowed; Charset="utf-32"',
  'Content-Type: application/json;charset=utf-16',
  'Content-Type: text/plain; charset=iso-8859-1; x=utf-16',
  'Content-Type: text/plain; charset=',
  'Content-Type: text/plain;' ]
--- request eval
[ ("POST /\n/p?gclid=1\n") x 8 ]
--- error_code eval
[ 415, 200, 415, 415, 415, 200, 200, 200 ]
--- response_body_like eval
[ 'must not have a content encoding', '^/p$', ('in a charset like UTF-8') x 3, ('^/p$') x 3 ]
