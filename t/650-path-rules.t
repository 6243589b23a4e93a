# Copyright (C) the ngx_miqps authors
#
# miqps_path_rules: paths that a map's rules turn into others.

use lib 't';
use Miqps;
use Map;
use Origin;
use Status;

our $Docs = <<'END';
{"host": "localhost", "hosts": ["mirror.example"],
 "patterns": [{"params": ["id", "sid"], "keep": ["id"]}],
 "rules": [
   {"from": {"path": "/s/{:hex}/{page}"}, "to": {"path": "/s/0/{page}"}},
   {"from": {"path": "/show.php", "params": {"id": "{id:digits}"}},
    "to": {"path": "/page/{id}", "params": {}}},
   {"from": {"path": "/**/index.html"}, "to": {"path": "/**/"}},
   {"from": {"path": "/shirt", "params": {"color": "{c:colors}"}},
    "to": {"path": "/shirt-{c}", "params": {}},
    "tables": {"colors": {"3": "yellow", "5": "red"}}},
   {"from": {"path": "/old/{p}"}, "to": {"path": "/new/{p}"}},
   {"from": {"path": "/caf%C3%A9/{p}"}, "to": {"path": "/coffee/{p}"}},
   {"from": {"path": "/q/{p}"}, "to": {"path": "/list", "params": {"p": "{p}"}}},
   {"from": {"host": "mirror.example"}, "to": {"host": "localhost"}}]}
END

# "mode" is what miqps does, "with" are more lines; the origin tells what it is
# asked for

add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->mode;

    my $with = $block->with // '';

    $block->set_value('map', $::Docs) if !defined $block->map;
    $block->set_value('config', <<"END");
    miqps_path_rules on;
    location / {
        miqps @{[ $block->mode ]};
        $with
        add_header X-Uri \$miqps_uri;
        add_header X-Url \$miqps_url;
        add_header X-Verdict "\$miqps_verdict \$miqps_layer-";
        add_header X-Own "\$uri \$request_uri \$miqps_original";
        proxy_pass http://origin;
    }
END
});

run_tests();

__DATA__

=== TEST 1: a session in the path
--- mode: rewrite
--- request
GET /s/9f3c/intro?a=1
--- response_body: /s/0/intro?a=1
--- response_headers
X-Uri: /s/0/intro?a=1
X-Verdict: moved paths-
X-Own: /s/0/intro /s/0/intro?a=1 /s/9f3c/intro?a=1



=== TEST 2: without arguments
--- mode: rewrite
--- request
GET /s/9f3c/intro
--- response_body: /s/0/intro
--- response_headers
X-Uri: /s/0/intro
X-Own: /s/0/intro /s/0/intro /s/9f3c/intro



=== TEST 3: what is made is left
--- mode: rewrite
--- request
GET /s/0/intro?a=1
--- response_body: /s/0/intro?a=1
--- response_headers
X-Verdict: clean -



=== TEST 4: a value moves from the query to the path, behind what is stripped
--- mode: rewrite
--- request
GET /show.php?sid=9&id=7&fbclid=1
--- response_body: /page/7
--- response_headers
X-Verdict: stripped map,tracking,paths-



=== TEST 5: and from the path to the query
--- mode: rewrite
--- request
GET /q/tent?a=1&utm_source=x
--- response_body: /list?a=1&p=tent



=== TEST 6: where parameters are sorted
--- mode: rewrite
--- with: miqps_sort on;
--- request
GET /q/tent?z=1&a=2
--- response_body: /list?a=2&p=tent&z=1



=== TEST 7: an index page
--- mode: rewrite
--- request
GET /a/b/index.html
--- response_body: /a/b/



=== TEST 8: a table
--- mode: rewrite
--- request eval
[ 'GET /shirt?color=3', 'GET /shirt?color=4' ]
--- response_body eval
[ '/shirt-yellow', '/shirt?color=4' ]



=== TEST 9: bytes that no rule is about stay
--- mode: rewrite
--- request eval
[ 'GET /old/%41', 'GET /old//a', 'GET /old/./a', 'GET /old/a;b', 'GET /old/a%2Fb',
  'GET /old/a%2fb?fbclid=1', 'GET /%6fld/a', 'GET /OLD/a', 'GET /old/a%00b' ]
--- response_body_like eval
[ '^/old/%41$', '^/old//a$', '^/old/./a$', '^/old/a;b$', '^/old/a%2Fb$', '^/old/a%2fb$', '^/%6fld/a$',
  '^/OLD/a$', '400' ]
--- error_code eval
[ (200) x 8, 400 ]
--- error_log eval
[]



=== TEST 10: escapes of letters
--- mode: rewrite
--- request
GET /caf%C3%A9/x
--- response_body: /coffee/x
--- response_headers
X-Own: /coffee/x /coffee/x /caf%C3%A9/x



=== TEST 11: a query that must not be touched
--- mode: rewrite
--- request eval
[ 'GET /old/a?x;y', 'GET /old/a?X-Amz-Signature=0123456789012345678901234567890123456789012345678901234567890123',
  'GET /s/9f/a?utm_source%00=1' ]
--- response_body eval
[ '/old/a?x;y', '/old/a?X-Amz-Signature=0123456789012345678901234567890123456789012345678901234567890123',
  '/s/9f/a?utm_source%00=1' ]



=== TEST 12: off, which is the default
--- map eval: $::Docs
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
    location /s/ {
        miqps rewrite;
        miqps_path_rules off;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /old/a?fbclid=1', 'GET /s/9f/x' ]
--- response_body eval
[ '/old/a', '/s/9f/x' ]



=== TEST 13: a location overrides the server
--- map eval: $::Docs
--- config
    miqps rewrite;
    miqps_path_rules on;
    location / {
        proxy_pass http://origin;
    }
    location /s/ {
        miqps_path_rules off;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /old/a', 'GET /s/9f/x' ]
--- response_body eval
[ '/new/a', '/s/9f/x' ]



=== TEST 14: a rule that would lead to another location is not applied
--- map eval: $::Docs
--- config
    miqps rewrite;
    miqps_path_rules on;
    location / {
        proxy_pass http://origin;
    }
    location /new/ {
        return 200 "another";
    }
    location ~ \.html$ {
        proxy_pass http://origin;
    }
    location = /page/7 {
        return 200 "page 7";
    }
--- request eval
[ 'GET /old/a?fbclid=1', 'GET /a/index.html', 'GET /show.php?id=7', 'GET /show.php?id=8' ]
--- response_body eval
[ '/old/a', '/a/index.html', '/show.php?id=7', '/page/8' ]



=== TEST 15: nor one that nginx would answer with a redirect
--- map
{"host": "localhost", "rules": [{"from": {"path": "/dir/"}, "to": {"path": "/dir"}}]}
--- config
    miqps rewrite;
    miqps_path_rules on;
    location / {
        proxy_pass http://origin;
    }
    location /dir/ {
        proxy_pass http://origin;
    }
--- request
GET /dir/
--- response_body: /dir/



=== TEST 16: captures of a location are of the new path
--- map eval: $::Docs
--- config
    miqps rewrite;
    miqps_path_rules on;
    location ~ ^/s/(?<session>[0-9a-f]+)/(.*)$ {
        proxy_pass http://origin/$session/$2;
    }
--- request
GET /s/9f3c/intro
--- response_body: /0/intro



=== TEST 17: what is nested in such a location is left alone
--- map eval: $::Docs
--- config
    miqps rewrite;
    miqps_path_rules on;
    location ~ ^/s/(?<session>[0-9a-f]+)/ {
        location ~ intro {
            proxy_pass http://origin/$session;
        }
        proxy_pass http://origin/$session;
    }
--- request eval
[ 'GET /s/9f3c/intro', 'GET /s/9f3c/other' ]
--- response_body eval
[ '/9f3c', '/0' ]



=== TEST 18: prefixes that keep expressions away, and nested ones
--- map eval: $::Docs
--- config
    miqps rewrite;
    miqps_path_rules on;
    location ^~ /s/ {
        location /s/0/ {
            return 200 zero;
        }
        location ~ intro {
            return 200 "nested $request_uri";
        }
        return 200 "$request_uri";
    }
    location ~ ^/s/ {
        return 200 never;
    }
--- request eval
[ 'GET /s/9f3c/other', 'GET /s/9f3c/intro', 'GET /s/0/other', 'GET /s/0/intro' ]
--- response_body eval
[ '/s/9f3c/other', 'nested /s/0/intro', 'zero', 'nested /s/0/intro' ]



=== TEST 19: what has been changed by others is left
--- map eval: $::Docs
--- config
    miqps rewrite;
    miqps_path_rules on;
    rewrite ^/alias/(.*)$ /old/$1;
    location / {
        proxy_pass http://origin;
    }
    location /try {
        try_files /none /old/x;
    }
--- request eval
[ 'GET /alias/a', 'GET /try' ]
--- response_body eval
[ '/old/a', '/old/x' ]



=== TEST 20: annotate tells, and changes nothing
--- mode: annotate
--- request
GET /s/9f3c/intro
--- response_body: /s/9f3c/intro
--- response_headers
X-Uri: /s/0/intro
X-Verdict: moved paths-
X-Own: /s/9f3c/intro /s/9f3c/intro /s/9f3c/intro



=== TEST 21: redirect
--- mode: redirect
--- request eval
[ 'GET /s/9f3c/intro?a=1', 'GET /show.php?id=7', 'GET /s/0/intro' ]
--- raw_response_headers_like eval
[ 'Location: http://localhost:\d+/s/0/intro\?a=1\r\n', 'Location: http://localhost:\d+/page/7\r\n', '' ]
--- error_code eval
[ 302, 302, 200 ]



=== TEST 22: a mirror is redirected to what it mirrors
--- mode: redirect
--- more_headers
Host: mirror.example
--- request eval
[ 'GET /a?b=1', 'GET /s/9f/x' ]
--- raw_response_headers_like eval
[ 'Location: http://localhost:\d+/a\?b=1\r\n', 'Location: http://localhost:\d+/s/0/x\r\n' ]
--- error_code eval
[ 302, 302 ]



=== TEST 23: and is rewritten for itself; only $miqps_url is of the other
--- mode: rewrite
--- with: proxy_set_header Host $host;
--- more_headers
Host: mirror.example
--- request
GET /s/9f/x
--- response_body: /s/0/x
--- raw_response_headers_like: X-Url: http://localhost:\d+/s/0/x\r\n



=== TEST 24: with credentials there is no map
--- mode: rewrite
--- more_headers
Authorization: Basic Zm9vOmJhcg==
--- request
GET /s/9f/x
--- response_body: /s/9f/x



=== TEST 25: nor where it is bypassed
--- mode: rewrite
--- with: miqps_bypass $cookie_session;
--- more_headers
Cookie: session=1
--- request
GET /s/9f/x
--- response_body: /s/9f/x



=== TEST 26: methods with a body are left alone
--- mode: rewrite
--- request
POST /s/9f/x
a=1
--- response_body: /s/9f/x



=== TEST 27: an upstream that redirects back
--- map eval: $::Docs
--- config
    miqps_path_rules on;
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- origin
        location /new/ {
            rewrite ^/new/(.*)$ /old/$1 redirect;
        }
        location / {
            return 200 "$request_uri";
        }
--- request eval
[ 'GET /old/a', 'GET /old/a', 'GET /s/9f/x' ]
--- error_code eval
[ 302, 200, 200 ]
--- response_body_like eval
[ '302 Found', '^/old/a$', '^/s/0/x$' ]
--- error_log eval
[]



=== TEST 28: of which it is warned
--- map eval: $::Docs
--- config
    miqps_path_rules on;
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 302 /old/a;
        }
--- request
GET /old/a
--- error_code: 302
--- error_log
[warn]
upstream redirects "/new/a" to "/old/a", which a path rule leads back from: the rule 6 of "localhost" is not applied any more with this map



=== TEST 29: FastCGI is told the same
--- map eval: $::Docs
--- config
    miqps_path_rules on;
    location / {
        miqps rewrite;
        set $told "$uri|$request_uri|$query_string|$document_uri|$fastcgi_script_name";
        return 200 $told;
    }
--- request
GET /q/tent?a=1
--- response_body: /list|/list?a=1&p=tent|a=1&p=tent|/list|/list



=== TEST 30: one entry of a cache
--- map eval: $::Docs
--- http_config
    proxy_cache_path $TEST_NGINX_HTML_DIR/cache keys_zone=pages:1m;
--- config
    miqps_path_rules on;
    location / {
        miqps rewrite;
        proxy_pass http://origin;
        proxy_cache pages;
        proxy_cache_valid 200 1h;
        add_header X-Cache $upstream_cache_status;
    }
--- request eval
[ 'GET /s/9f/x?fbclid=1', 'GET /s/8e/x', 'GET /s/0/x?utm_source=2', 'GET /s/0/y' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT', 'X-Cache: HIT', 'X-Cache: MISS' ]



=== TEST 31: annotate never makes a key
--- map eval: $::Docs
--- http_config
    proxy_cache_path $TEST_NGINX_HTML_DIR/cache keys_zone=pages:1m;
--- config
    miqps_path_rules on;
    miqps annotate;
    location / {
        proxy_pass http://origin;
        proxy_cache pages;
        proxy_cache_key $miqps_uri;
        proxy_cache_valid 200 1h;
        add_header X-Cache $upstream_cache_status;
    }
    location /s/ {
        set $key $miqps_uri;
        proxy_pass http://origin;
        proxy_cache pages;
        proxy_cache_key $key;
        proxy_cache_valid 200 1h;
        add_header X-Cache $upstream_cache_status;
    }
--- request eval
[ 'GET /old/a', 'GET /old/a', 'GET /new/a', 'GET /s/9f/x', 'GET /s/9f/x', 'GET /s/0/x' ]
--- response_body eval
[ '/old/a', '/old/a', '/new/a', '/s/9f/x', '/s/9f/x', '/s/0/x' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT', 'X-Cache: MISS', 'X-Cache: MISS', 'X-Cache: MISS', 'X-Cache: MISS' ]
--- error_log eval
[]



=== TEST 32: the host of a key is that of the request
--- map eval: $::Docs
--- http_config
    proxy_cache_path $TEST_NGINX_HTML_DIR/cache keys_zone=pages:1m;
--- config
    miqps_path_rules on;
    miqps rewrite;
    location / {
        proxy_pass http://origin;
        proxy_cache pages;
        proxy_cache_key $miqps_url;
        proxy_cache_valid 200 1h;
        add_header X-Cache $upstream_cache_status;
    }
    location /s/ {
        set $key $miqps_url;
        proxy_pass http://origin;
        proxy_cache pages;
        proxy_cache_key $key;
        proxy_cache_valid 200 1h;
        add_header X-Cache $upstream_cache_status;
    }
--- more_headers eval
[ 'Host: mirror.example', 'Host: localhost', 'Host: mirror.example', 'Host: mirror.example', 'Host: localhost' ]
--- request eval
[ 'GET /a', 'GET /a', 'GET /a', 'GET /s/0/x', 'GET /s/0/x' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: MISS', 'X-Cache: HIT', 'X-Cache: MISS', 'X-Cache: MISS' ]
--- error_log eval
[]



=== TEST 33: miqps_set
--- map eval: $::Docs
--- config
    miqps_path_rules on;
    location / {
        miqps_set $clean $arg_url decode;
        return 200 $clean;
    }
--- request eval
[ 'GET /?url=http%3A%2F%2Fmirror.example%2Fs%2F9f%2Fx%3Ffbclid%3D1', 'GET /?url=/show.php%3Fid%3D7',
  'GET /?url=https://localhost/a/index.html' ]
--- response_body eval
[ 'http://localhost/s/0/x', '/page/7', 'https://localhost/a/' ]



=== TEST 34: HTTP/1.0, and a long path
--- mode: rewrite
--- request eval
[ 'GET /s/9f/x HTTP/1.0', 'GET /old/' . ('a' x 4000) ]
--- response_body eval
[ '/s/0/x', '/new/' . ('a' x 4000) ]



=== TEST 35: what is counted
--- map eval: $::Docs
--- config
    miqps_path_rules on;
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- asked eval
[ 'GET /s/9f/x', 'GET /s/8e/x?fbclid=1', 'GET /show.php?id=7&sid=1', 'GET /s/0/x', 'GET /a' ]
--- only: moved|stripped|^requests|verdicts
--- counts
hosts.localhost.stripped 2
map.moved 3
map.stripped 1
requests 5
verdicts.clean 2
verdicts.moved 1
verdicts.stripped 2
zones.0.moved 3
zones.0.stripped 1



=== TEST 36: by rule, as "miqps show" has them
--- map eval: $::Docs
--- config
    miqps_path_rules on;
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
    location = /numbers {
        miqps_status;
    }
    location = /text {
        miqps_status prometheus;
    }
--- request eval
[ 'GET /s/9f/x', 'GET /s/8e/x', 'GET /old/a', 'GET /numbers', 'GET /text' ]
--- response_body_filters eval
[ ([sub { '' }]) x 3,
  [sub { my $got = JSON::PP->new->utf8->decode($_[0]);
         join ' ', sort map { "$_->{host} $_->{rule} $_->{requests}" } @{$got->{zones}[0]{rules}} }],
  [sub { join ' ', sort $_[0] =~ /^miqps_rule_requests_total\{zone="zone\d+",(host="localhost",rule="\d+"\} \d+)$/mg }] ]
--- response_body eval
[ ('') x 3, 'localhost 4 2 localhost 6 1',
  'host="localhost",rule="4"} 2 host="localhost",rule="6"} 1' ]



=== TEST 37: what is private does not become what is cached
--- map
{"host": "localhost", "rules": [{"from": {"path": "/account/{p}"}, "to": {"path": "/static/{p}"}}]}
--- http_config
    proxy_cache_path $TEST_NGINX_HTML_DIR/cache keys_zone=pages:1m;
--- config
    miqps rewrite;
    miqps_path_rules on;
    location / {
        proxy_pass http://origin;
        add_header X-Cache "none$upstream_cache_status";
    }
    location ~ ^/static/|\.css$ {
        proxy_pass http://origin;
        proxy_cache pages;
        proxy_cache_valid 200 1h;
        add_header X-Cache $upstream_cache_status;
    }
--- request eval
[ 'GET /account/me', 'GET /account/me?utm_source=x.css', 'GET /account/me;x.css', 'GET /account/me%2Fx.css',
  'GET /account/me%3Fx.css', 'GET /account/..%2Fme' ]
--- response_body eval
[ '/account/me', '/account/me', '/account/me;x.css', '/account/me%2Fx.css', '/account/me%3Fx.css',
  '/account/..%2Fme' ]
--- response_headers eval
[ 'X-Cache: none', 'X-Cache: none', 'X-Cache: MISS', 'X-Cache: MISS', 'X-Cache: MISS', 'X-Cache: none' ]
