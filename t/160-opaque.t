# Copyright (C) the ngx_miqps authors
#
# Queries that pass byte for byte, one for each reason of README's table.
# Every block asks for all that the module can do; the origin must get what
# the client sent, and the verdict must say why.

use lib 't';
use Miqps;
use Origin;

add_block_preprocessor(sub {
    my $block = shift;

    return if defined $block->config;

    $block->set_value('config', <<'END');
    large_client_header_buffers 4 128k;

    location / {
        miqps rewrite;
        miqps_sort on;
        miqps_strip x;

        add_header X-Verdict $miqps_verdict;
        add_header X-Layer $miqps_layer;
        proxy_buffer_size 128k;
        proxy_buffers 4 128k;
        proxy_busy_buffers_size 128k;
        proxy_pass http://origin;
    }
END
    $block->set_value('response_headers', "X-Verdict: opaque:" . $block->why
                                          . "\nX-Layer: guard")
        if defined $block->why;
});

run_tests();

__DATA__

=== TEST 1: a signed URL of S3
--- why: signed
--- request
GET /o?x=1&X-Amz-Signature=0a1b&X-Amz-Date=20260101T000000Z&b=1&a=2
--- response_body: /o?x=1&X-Amz-Signature=0a1b&X-Amz-Date=20260101T000000Z&b=1&a=2



=== TEST 2: a signed URL of Azure
--- why: signed
--- request
GET /o?x=1&sv=2022-11-02&se=2026-01-01&sp=r&sig=Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA%3D%3D
--- response_body: /o?x=1&sv=2022-11-02&se=2026-01-01&sp=r&sig=Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA%3D%3D



=== TEST 3: an answer of OAuth
--- why: oauth
--- request
GET /cb?x=1&state=af0ifjsldkj&code=SplxlOBeZQQYbYS6WxSbIA
--- response_body: /cb?x=1&state=af0ifjsldkj&code=SplxlOBeZQQYbYS6WxSbIA



=== TEST 4: an answer of SAML
--- why: oauth
--- request
GET /acs?x=1&SAMLResponse=PHNhbWw&RelayState=b
--- response_body: /acs?x=1&SAMLResponse=PHNhbWw&RelayState=b



=== TEST 5: a password
--- why: secret
--- request
GET /login?x=1&password=hunter2&a=1
--- response_body: /login?x=1&password=hunter2&a=1



=== TEST 6: a token that works once
--- why: secret
--- request
GET /reset?x=1&token=8f14e45fceea167a5a36dedd4bea2543&a=1
--- response_body: /reset?x=1&token=8f14e45fceea167a5a36dedd4bea2543&a=1



=== TEST 7: a raw semicolon
--- why: semicolon
--- request
GET /p?b=1&x=2;a=3&gclid=4
--- response_body: /p?b=1&x=2;a=3&gclid=4



=== TEST 8: a percent sign that is no escape
--- why: escape
--- request
GET /p?b=%zz&x=2&a=3
--- response_body: /p?b=%zz&x=2&a=3



=== TEST 9: a percent sign at the end
--- why: escape
--- request
GET /p?x=2&a=3%
--- response_body: /p?x=2&a=3%



=== TEST 10: an escaped NUL
--- why: nul
--- request
GET /p?x%00y=2&x=1&a=3
--- response_body: /p?x%00y=2&x=1&a=3



=== TEST 11: a raw "#", which nginx cuts off for itself and sends on
--- why: fragment
--- request
GET /p?b=1&x=2#&a=3
--- response_body: /p?b=1&x=2#&a=3



=== TEST 12: an escaped "&" in a name
--- why: delimiter
--- request
GET /p?x%26a=2&x=1&a=3
--- response_body: /p?x%26a=2&x=1&a=3



=== TEST 13: an escaped "=" in a name
--- why: delimiter
--- request
GET /p?x%3Da=2&x=1&a=3
--- response_body: /p?x%3Da=2&x=1&a=3



=== TEST 14: brackets that do not pair
--- why: bracket
--- request
GET /p?a[=2&x=1&b]=3
--- response_body: /p?a[=2&x=1&b]=3



=== TEST 15: a name that begins with a question mark
--- why: name-start
--- request
GET /p??x=1&x=2&a=3
--- response_body: /p??x=1&x=2&a=3



=== TEST 16: a name that begins with a space
--- why: name-start
--- request
GET /p?+x=1&x=2&a=3
--- response_body: /p?+x=1&x=2&a=3



=== TEST 17: a name that is not UTF-8
--- why: name-bytes
--- request
GET /p?%FF=1&x=2&a=3
--- response_body: /p?%FF=1&x=2&a=3



=== TEST 18: a name of raw bytes
--- why: name-bytes
--- request eval
"GET /p?\xff=1&x=2&a=3"
--- response_body eval
"/p?\xff=1&x=2&a=3"



=== TEST 19: a value that is not UTF-8
--- why: value-bytes
--- request
GET /p?b=%ff&x=2&a=%C3%A4
--- response_body: /p?b=%ff&x=2&a=%C3%A4



=== TEST 20: "]=" inside a value
--- why: value-split
--- request
GET /p?a[b=c]=d&x=2
--- response_body: /p?a[b=c]=d&x=2



=== TEST 21: one parameter more than a thousand
--- why: too-many
--- request eval
'GET /p?' . CORE::join '&', map { "x=$_" } 1 .. 1001
--- response_body eval
'/p?' . CORE::join '&', map { "x=$_" } 1 .. 1001



=== TEST 22: a thousand parameters are not too many
--- request eval
'GET /p?' . CORE::join('&', map { "x=$_" } 1 .. 999) . '&a=1'
--- response_headers
X-Verdict: stripped
--- response_body: /p?a=1



=== TEST 23: more than 64 KiB of arguments
--- why: too-long
--- request eval
'GET /p?x=1&a=' . 'y' x 65536
--- response_body eval
'/p?x=1&a=' . 'y' x 65536



=== TEST 24: 64 KiB of arguments are not too long
--- request eval
'GET /p?x=1&a=' . 'y' x 65530
--- response_headers
X-Verdict: stripped
--- response_body eval
'/p?a=' . 'y' x 65530



=== TEST 25: more than 32 sites at once
--- config
    location / {
        miqps rewrite;
        miqps_sort on;
        miqps_rules ../html/rules.json;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
--- user_files eval
">>> rules.json\n{ \"version\": 1, \"sites\": ["
. CORE::join(',', map { qq({"hosts":["localhost"],"strip":["s$_"]}) }
            1 .. 33) . "] }\n"
--- request
GET /p?b=1&s1=2&a=3
--- response_headers
X-Verdict: opaque:scopes
--- response_body: /p?b=1&s1=2&a=3



=== TEST 26: a raw space ends a request line, and never gets here
--- raw_request eval
"GET /p?x=1&a=b c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
--- error_code: 400



=== TEST 27: an opaque query is not redirected
--- config
    location / {
        miqps redirect;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?gclid=1;a', 'GET /p?gclid=1&a=%', 'GET /p?gclid=1#x',
  'GET /p?gclid=1&password=x' ]
--- response_body eval
[ '/p?gclid=1;a', '/p?gclid=1&a=%', '/p?gclid=1#x',
  '/p?gclid=1&password=x' ]



=== TEST 28: an opaque query has the same value in every variable
--- config
    location / {
        miqps annotate;
        return 200 "$miqps_uri $miqps_args $miqps_original $miqps_stripped.";
    }
--- request
GET /p?gclid=1;a=2
--- response_body: /p?gclid=1;a=2 gclid=1;a=2 /p?gclid=1;a=2 .



=== TEST 29: a search box named "s", a filter named "state", a page named "key"
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri";
    }
--- request
GET /p?s=shoes&state=open&key=name&hash=top&gclid=1
--- response_body: /p?s=shoes&state=open&key=name&hash=top
