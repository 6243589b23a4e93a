# Copyright (C) the ngx_miqps authors
#
# The bytes of the path reach the origin as they came in.

use lib 't';
use Miqps;
use Origin;

# each target, with something to strip behind it, reaches the origin

add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->target;

    $block->set_value('config', <<'END') if !defined $block->config;
    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
END
    $block->set_value('request', 'GET ' . $block->target . '?id=1&gclid=2');
    $block->set_value('response_headers', 'X-Verdict: stripped');
    $block->set_value('response_body', $block->target . '?id=1');
});

run_tests();

__DATA__

=== TEST 1: an escaped slash
--- target: /a%2Fb%2fc



=== TEST 2: an escaped dot
--- target: /a/%2e/b/%2E%2E/c



=== TEST 3: two slashes
--- target: /a//b///c



=== TEST 4: two slashes at the beginning
--- target: //a/b



=== TEST 5: a semicolon
--- target: /a;v=1/b;w



=== TEST 6: an escaped question mark
--- target: /a%3Fb%3fgclid=1



=== TEST 7: a parent folder
--- target: /a/b/../c



=== TEST 8: a folder that is the same
--- target: /a/./b/.



=== TEST 9: an escaped tilde
--- target: /%7Euser/~user



=== TEST 10: bytes that are not UTF-8, escaped
--- target: /%ff%FE%80



=== TEST 11: bytes that are not UTF-8, raw
--- target eval
"/\xff\xfe\x80"



=== TEST 12: an escaped number sign
--- target: /a%23b



=== TEST 13: escapes of line ends
--- target: /a%0d%0ab



=== TEST 14: an escaped percent sign
--- target: /%2541%25



=== TEST 15: a plus sign, an escaped space, an escaped plus sign
--- target: /a+b%20c%2Bd



=== TEST 16: what RFC 3986 lets a path have
--- target: /-._~!$&'()*+,;=:@/



=== TEST 17: what RFC 3986 does not let a path have
--- target: /"<>[]^`{|}\



=== TEST 18: an ampersand and an equals sign
--- target: /a&gclid=1



=== TEST 19: letters that need no escape
--- target: /%61%62%63



=== TEST 20: slashes that nginx does not merge
--- target: /a//b
--- config
    merge_slashes off;

    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }



=== TEST 21: the root
--- target: /



=== TEST 22: path bytes over HTTP/2
--- target: /a%2Fb//c/./d;e/%7Ef/%2e%2e/g
--- http2



=== TEST 23: all of it in annotate mode, where arguments stay too
--- config
    location / {
        miqps annotate;
        add_header X-Uri $miqps_uri;
        proxy_pass http://origin;
    }
--- request
GET /a%2Fb//c/./d;e/%7Ef/%2e%2e/g?gclid=1
--- response_headers
X-Uri: /a%2Fb//c/./d;e/%7Ef/%2e%2e/g
--- response_body: /a%2Fb//c/./d;e/%7Ef/%2e%2e/g?gclid=1



=== TEST 24: a raw "#" in the path, and what looks like arguments after it
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /a#b', 'GET /a#b?gclid=1', 'GET /a?#gclid=1', 'GET /a?gclid=1#' ]
--- response_body eval
[ '/a#b', '/a#b?gclid=1', '/a?#gclid=1', '/a?gclid=1#' ]



=== TEST 25: nginx itself takes the path as ever
--- config
    location = /a/b {
        miqps rewrite;
        return 200 "$uri $request_uri";
    }
--- request
GET /x/..//%61/./b?id=1&gclid=2
--- response_body: /a/b /x/..//%61/./b?id=1



=== TEST 26: proxy_pass with a path has the decoded rest and clean arguments
--- config
    location /a/ {
        miqps rewrite;
        proxy_pass http://origin/b/;
    }
--- request
GET /a/c%7Ed//e?id=1&gclid=2
--- response_body: /b/c~d/e?id=1



=== TEST 27: proxy_pass with variables has clean ones
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin$request_uri;
    }

    location /args {
        miqps rewrite;
        proxy_pass http://origin/x$is_args$args;
    }
--- request eval
[ 'GET /a%2Fb?id=1&gclid=2', 'GET /args?id=1&gclid=2', 'GET /args?gclid=2' ]
--- response_body eval
[ '/a%2Fb?id=1', '/x?id=1', '/x' ]



=== TEST 28: a long path and long arguments
--- config
    large_client_header_buffers 4 64k;

    location / {
        miqps rewrite;
        proxy_buffer_size 64k;
        proxy_buffers 4 64k;
        proxy_busy_buffers_size 64k;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /' . 'a' x 16000 . '?id=' . 'b' x 16000 . '&gclid=' . 'c' x 768,
  'GET /p?' . 'gclid=1&' x 999 . 'id=2',
  'GET /p?gclid=' . 'c' x 60000 ]
--- response_body eval
[ '/' . 'a' x 16000 . '?id=' . 'b' x 16000, '/p?id=2', '/p' ]
