# Copyright (C) the ngx_miqps authors
#
# Where $miqps_* and variables of miqps_set are used: one page is one key, one
# line, one client, one server.

use lib 't';
use Miqps;
use Origin;

# 20 URLs of one page, then 20 of other pages

our @One = map { ("/p?id=7&gclid=$_", "/p?utm_source=$_&id=7") } 1 .. 10;
our @Other = map { "/p?id=$_" } 11 .. 30;

sub gets(@) { [ map { "GET $_" } @_ ] }

# the same as URLs in an argument

sub fetches(@) {
    my @urls = @_;

    return [ map { my $u = "http://shop.example$_";
                   $u =~ s/([^\w.\/:-])/sprintf '%%%02X', ord $1/ge;
                   "GET /fetch?url=$u" } @urls ];
}

# all URLs of the one page get what the first one gets, which is always the same

sub parts(@) {
    my ($one, @other) = @_;

    return [ ($one) x @One, @other ];
}

# eight servers, each of which says its name

add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->sharded;

    my $key = $block->sharded;
    chomp $key;

    my $dir = "$ENV{TEST_NGINX_SERVROOT}/html";

    my $servers = join '', map {
        "    server { listen unix:$dir/$_.sock; access_log off; miqps off; "
        . "return 200 $_; }\n" } 'a' .. 'h';

    $block->set_value('http_config', "    upstream sharded {\n"
        . "        hash $key;\n"
        . join('', map { "        server unix:$dir/$_.sock;\n" } 'a' .. 'h')
        . "    }\n$servers");
});

run_tests();

__DATA__

=== TEST 1: proxy_cache_key, $miqps_uri
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps rewrite;
        proxy_cache one;
        proxy_cache_key $scheme$host$miqps_uri;
        proxy_cache_valid 200 1m;
        proxy_pass http://origin;
        add_header X-Cache $upstream_cache_status;
    }
--- request eval
main::gets(@main::One, '/p?id=8')
--- response_headers eval
[ 'X-Cache: MISS', ('X-Cache: HIT') x 19, 'X-Cache: MISS' ]



=== TEST 2: proxy_cache_key, miqps_set
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location = /fetch {
        miqps_set $clean $arg_url decode;
        proxy_cache one;
        proxy_cache_key $clean;
        proxy_cache_valid 200 1m;
        proxy_pass http://origin/?$clean;
        add_header X-Cache $upstream_cache_status;
    }
--- request eval
main::fetches(@main::One, '/p?id=8')
--- response_headers eval
[ 'X-Cache: MISS', ('X-Cache: HIT') x 19, 'X-Cache: MISS' ]



=== TEST 3: map, $miqps_uri and miqps_set
--- http_config
    map $miqps_uri $page {
        default other;
        /p?id=7 seven;
    }

    map $clean $fetched {
        default other;
        http://shop.example/p?id=7 seven;
    }
--- config
    location / {
        miqps annotate;
        miqps_set $clean http://shop.example$miqps_original;
        return 200 "$page $fetched";
    }
--- request eval
main::gets(@main::One, @main::Other)
--- response_body eval
[ ('seven seven') x 20, ('other other') x 20 ]



=== TEST 4: log_format, $miqps_uri and miqps_set
--- http_config
    log_format pages '$miqps_original $miqps_uri $clean';
--- config
    location / {
        miqps rewrite;
        miqps_set $clean http://shop.example$miqps_original;
        access_log logs/error.log pages;
        return 204;
    }
--- request
GET /p?id=7&gclid=1
--- error_code: 204
--- error_log
/p?id=7&gclid=1 /p?id=7 http://shop.example/p?id=7
--- no_error_log
[error]



=== TEST 5: limit_req_zone, $miqps_uri
--- http_config
    limit_req_zone $miqps_uri zone=one:1m rate=1r/m;
--- config
    location / {
        miqps rewrite;
        limit_req zone=one;
        proxy_pass http://origin;
    }
--- request eval
main::gets(@main::One, @main::Other)
--- error_code eval
[ 200, (503) x 19, (200) x 20 ]
--- error_log eval
[]



=== TEST 6: limit_req_zone, miqps_set
--- http_config
    limit_req_zone $clean zone=two:1m rate=1r/m;
--- config
    location = /fetch {
        miqps_set $clean $arg_url decode;
        limit_req zone=two;
        proxy_pass http://origin/;
    }
--- request eval
main::fetches(@main::One, @main::Other)
--- error_code eval
[ 200, (503) x 19, (200) x 20 ]
--- error_log eval
[]



=== TEST 7: hash of an upstream, $miqps_uri
--- sharded: $miqps_uri
--- config
    location / {
        miqps rewrite;
        miqps_set $clean http://shop.example$miqps_original;
        port_in_redirect off;
        proxy_pass http://sharded;
    }
--- request eval
main::gets(@main::One, @main::Other)
--- response_body eval
main::parts('h', qw(g h a e d c f c f e d c f b g h a h a h))



=== TEST 8: hash of an upstream, $miqps_key
--- sharded: $miqps_key
--- config
    location / {
        miqps rewrite;
        miqps_set $clean http://shop.example$miqps_original;
        port_in_redirect off;
        proxy_pass http://sharded;
    }
--- request eval
main::gets(@main::One, @main::Other)
--- response_body eval
main::parts('f', qw(f f h f c b h e b c e f a a d h g c g a))



=== TEST 9: hash of an upstream, $clean
--- sharded: $clean
--- config
    location / {
        miqps rewrite;
        miqps_set $clean http://shop.example$miqps_original;
        port_in_redirect off;
        proxy_pass http://sharded;
    }
--- request eval
main::gets(@main::One, @main::Other)
--- response_body eval
main::parts('b', qw(g h a e d c f c f e d c f b g h a h a h))



=== TEST 10: split_clients, $miqps_uri
--- http_config
    split_clients "$miqps_uri" $part {
        12.5% a;
        12.5% b;
        12.5% c;
        12.5% d;
        12.5% e;
        12.5% f;
        12.5% g;
        * rest;
    }
--- config
    location / {
        miqps annotate;
        miqps_set $clean http://shop.example$miqps_original;
        return 200 $part;
    }
--- request eval
main::gets(@main::One, @main::Other)
--- response_body eval
main::parts('c', qw(g e d b b f a rest a d c a b a a e g f a f))



=== TEST 11: split_clients, $clean
--- http_config
    split_clients "$clean" $part {
        12.5% a;
        12.5% b;
        12.5% c;
        12.5% d;
        12.5% e;
        12.5% f;
        12.5% g;
        * rest;
    }
--- config
    location / {
        miqps annotate;
        miqps_set $clean http://shop.example$miqps_original;
        return 200 $part;
    }
--- request eval
main::gets(@main::One, @main::Other)
--- response_body eval
main::parts('d', qw(rest e g g f e c c rest d e g c f c c b b rest c))
