# Copyright (C) the ngx_miqps authors
#
# A path that a browser could take for a host is not redirected to.

use lib 't';
use Miqps;
use Origin;

# absolute_redirect off is where it would do harm

add_block_preprocessor(sub {
    my $block = shift;

    $block->set_value('config', <<'END') if !defined $block->config;
    absolute_redirect off;

    location / {
        miqps redirect;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
END
});

run_tests();

__DATA__

=== TEST 1: two slashes
--- request
GET //evil.example/?gclid=1
--- response_headers
X-Verdict: path
! Location
--- response_body: //evil.example/?gclid=1



=== TEST 2: three slashes
--- request
GET ///evil.example/?gclid=1
--- response_headers
X-Verdict: path
--- response_body: ///evil.example/?gclid=1



=== TEST 3: a slash and a backslash
--- request
GET /\evil.example/?gclid=1
--- response_headers
X-Verdict: path
--- response_body: /\evil.example/?gclid=1



=== TEST 4: two slashes that nginx does not merge
--- config
    absolute_redirect off;
    merge_slashes off;

    location / {
        miqps redirect;
        proxy_pass http://origin;
    }
--- request
GET //evil.example/?gclid=1
--- response_body: //evil.example/?gclid=1



=== TEST 5: escaped slashes are part of a path
--- request eval
[ 'GET /%2Fevil.example/?gclid=1', 'GET /%2F/evil.example/?gclid=1',
  'GET /%5Cevil.example/?gclid=1', 'GET /%09/evil.example?gclid=1',
  'GET /.//evil.example?gclid=1' ]
--- error_code eval
[ (302) x 5 ]
--- response_headers eval
[ map { "Location: $_" }
  '/%2Fevil.example/', '/%2F/evil.example/', '/%5Cevil.example/',
  '/%09/evil.example', '/.//evil.example' ]



=== TEST 6: an absolute request line with two slashes
--- request
GET http://localhost//evil.example/?gclid=1
--- response_headers
X-Verdict: path
--- response_body: //evil.example/?gclid=1



=== TEST 7: an absolute request line without a path
--- request
GET http://localhost?gclid=1
--- response_headers
X-Verdict: path
--- response_body: /?gclid=1



=== TEST 8: an at sign and a colon do not name a host behind a slash
--- request eval
[ 'GET /@evil.example?gclid=1', 'GET /:80@evil.example?gclid=1' ]
--- error_code eval
[ 302, 302 ]
--- response_headers eval
[ 'Location: /@evil.example', 'Location: /:80@evil.example' ]



=== TEST 9: two slashes over HTTP/2
--- http2
--- request
GET //evil.example/?gclid=1
--- response_headers
X-Verdict: path
--- response_body: //evil.example/?gclid=1



=== TEST 10: rewrite mode takes such paths as any other
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET //evil.example/?gclid=1', 'GET /\evil.example?gclid=1' ]
--- response_body eval
[ '//evil.example/', '/\evil.example' ]
