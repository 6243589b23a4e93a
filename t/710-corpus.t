# Copyright (C) the ngx_miqps authors
#
# miqps_corpus: which URLs are written, and how.

use lib 't';
use Miqps;
use Corpus;
use Origin;

# all blocks serve pages, unless they say otherwise

add_block_preprocessor(sub {
    my $block = shift;

    $block->set_value('config', "    default_type text/html;\n"
                      . ($block->config // ''));
});

run_tests();

__DATA__

=== TEST 1: a URL is written once
--- config
    miqps_corpus CORPUS flush=1ms;
    location / {
        return 200;
    }
--- sent
GET /a?b=1
GET /a?b=1
GET /a?b=2
GET /a?b=1
GET /
--- corpus
http localhost /a?b=1 text/html -
http localhost /a?b=2 text/html -
http localhost / text/html -



=== TEST 2: a line has nine fields, a time, a client and a size
--- config
    miqps_corpus CORPUS flush=1ms;
    location / {
        return 200 "12345";
    }
--- sent
GET /a
GET /b
--- form
my @a = map { [split /\t/, $_, -1] } split /\n/;
my $clients = keys %{{ map { $_->[2] => 1 } @a }};
my ($key) = $a[0][2] =~ /^(.{4})/;
join '', "fields @{[map { scalar @$_ } @a]}\n", "versions $a[0][0] $a[1][0]\n",
    'key ', ($key ne '0000' ? 'named' : $key), "\n",
    'time ', (abs($a[0][1] - time) < 600 ? 'now' : "$a[0][1]"), "\n",
    "clients $clients ", length $a[0][2], "\n", "sizes $a[0][7] $a[1][7]\n"
--- corpus
fields 9 9
versions 1 1
key named
time now
clients 1 16
sizes 5 5



=== TEST 3: the target is what the client sent, whatever became of it
--- config
    miqps_corpus CORPUS flush=1ms;
    miqps rewrite;
    location / {
        rewrite ^/a /b last;
        return 200;
    }
--- sent
GET /a/%7Euser//x/../y?utm_source=1&id=%41
--- corpus
http localhost /a/%7Euser//x/../y?utm_source=1&id=%41 text/html -



=== TEST 4: hosts are apart, in small letters, without port
--- config
    miqps_corpus CORPUS flush=1ms;
    location / {
        return 200;
    }
--- sent
GET /a
GET /a
GET /a
GET http://third.example/a
--- headers eval
[ "Host: One.Example:8080", "Host: two.example.", "Host: one.example", "" ]
--- corpus
http one.example /a text/html -
http two.example /a text/html -
http third.example /a text/html -



=== TEST 5: bytes that are not ASCII, and backslashes, are escaped
--- config
    miqps_corpus CORPUS flush=1ms;
    location / {
        return 200;
    }
--- sent eval
[ "GET /a\\b?c=\xc3\xa9", "GET /\xff\x80?q=\"'<>", 'GET /%09?a=%0A', 'GET /\x41' ]
--- corpus
http localhost /a\x5Cb?c=\xC3\xA9 text/html -
http localhost /\xFF\x80?q="'<> text/html -
http localhost /%09?a=%0A text/html -
http localhost /\x5Cx41 text/html -



=== TEST 6: methods, bodies, states and types that are not collected
--- config
    miqps_corpus CORPUS flush=1ms;
    error_page 404 =200 /found;
    location / {
        return 200;
    }
    location /302 {
        return 302 /;
    }
    location /404 {
        return 404;
    }
    location /plain {
        default_type text/plain;
        return 200;
    }
    location /xhtml {
        default_type Application/XHTML+xml;
        return 200;
    }
    location /upper {
        default_type "TEXT/HTML";
        return 200;
    }
--- sent eval
[ "GET /yes", "HEAD /head", "POST /post\na=1", "DELETE /d", "GET /302",
  "GET /404", "GET /plain", "GET /xhtml", "GET /secretive",
  "GET /body\nabc", "GET /upper" ]
--- headers eval
[ '', '', '', '', '', '', '', '', 'Authorization: Basic YTpi', '' , '']
--- codes eval
[ 200, 200, 200, 200, 302, 200, 200, 200, 200, 200, 200 ]
--- form
s/^1\t.*?localhost\t//mg; s/\t.*//mg; $_
--- corpus
/yes
/xhtml
/upper



=== TEST 7: URLs that are not collected for what is in them
--- config
    miqps_corpus CORPUS flush=1ms;
    location / {
        return 200;
    }
--- sent
GET /a?access_token=abc
GET /a?X-Amz-Signature=abc
GET /a?PassWord=abc
GET /a?next=%2Fb%3Fapi_key%3Dabc
GET /a?q=jane%40example.com
GET /a?n=4111111111111111
GET /a?tel=%2B4930123456
GET /logout
GET /shop/add-to-cart?id=1
GET /a?action=delete
GET /a?b=1;c=2
GET /a?b=%zz
GET /a?b=1#c
GET /fine?session=1
--- corpus
http localhost /fine?session=1 text/html -



=== TEST 8: the operator's rules do not bring a secret in
--- config
    miqps_corpus CORPUS flush=1ms;
    miqps rewrite;
    miqps_strip access_token token;
    miqps_keep password;
    location / {
        return 200;
    }
--- sent
GET /a?access_token=abc&b=1
GET /a?password=abc
GET /a?token=a1b2c3d4e5f6a7b8
GET /b
--- corpus
http localhost /b text/html -



=== TEST 9: responses that are private
--- config
    miqps_corpus CORPUS flush=1ms;
    location / {
        add_header Cache-Control "max-age=1, Private";
        return 200;
    }
    location /store {
        add_header Cache-Control public;
        add_header cache-control No-Store;
        return 200;
    }
    location /public {
        add_header Cache-Control public;
        return 200;
    }
    location /told {
        miqps_corpus CORPUS private=on;
        add_header Cache-Control private;
        return 200;
    }
    location /off {
        miqps_corpus CORPUS private=off;
        add_header Cache-Control private;
        return 200;
    }
    location /hidden {
        proxy_pass http://origin;
        proxy_hide_header Cache-Control;
    }
--- origin
        location / {
            default_type text/html;
            add_header Cache-Control private;
            return 200;
        }
--- sent
GET /a
GET /store
GET /public
GET /told
GET /off
GET /hidden
--- corpus
http localhost /public text/html -
http localhost /told text/html -



=== TEST 10: what nginx keeps in its cache is not private, and the state of it
--- http_config
    proxy_cache_path cache keys_zone=pages:1m;
--- config
    miqps_corpus CORPUS flush=1ms;
    location / {
        proxy_pass http://origin;
        proxy_cache pages;
        proxy_cache_key $uri;
        proxy_cache_valid 200 1h;
        proxy_ignore_headers Cache-Control;
    }
    location /uncached {
        proxy_pass http://origin;
        proxy_cache pages;
        proxy_cache_key $uri;
        proxy_cache_valid 200 1h;
    }
--- origin
        location / {
            default_type text/html;
            add_header Cache-Control private;
            return 200;
        }
--- sent
GET /a?1
GET /a?2
GET /uncached
--- form
s/^1\t.*?localhost\t//mg; s/\ttext.*\t/ /mg; s/ MISS/ kept/; s/ HIT/ kept/; $_
--- corpus
/a?1 kept
/a?2 kept



=== TEST 11: levels inherit, and may be off or elsewhere
--- http_config
    miqps_corpus CORPUS flush=1ms;
--- config
    location / {
        return 200;
    }
    location /off {
        miqps_corpus off;
        return 200;
        location /off/on {
            miqps_corpus CORPUS;
            return 200;
        }
    }
    location /else {
        miqps_corpus CORPUS.other;
        return 200;
    }
--- sent
GET /a
GET /off
GET /off/on
GET /else
--- corpus
http localhost /a text/html -
http localhost /off/on text/html -



=== TEST 12: a condition
--- config
    miqps_corpus CORPUS flush=1ms if=$arg_want;
    location / {
        return 200;
    }
--- sent
GET /a?want=1
GET /b?want=0
GET /c
GET /d?want=yes
GET /e?want=
--- corpus
http localhost /a?want=1 text/html -
http localhost /d?want=yes text/html -



=== TEST 13: a sample is the same part of all URLs each time
--- config
    miqps_corpus CORPUS flush=1ms sample=50%;
    location / {
        return 200;
    }
--- sent eval
[ map { "GET /p?id=" . $_ % 40 } 0 .. 119 ]
--- form
my @all = /\t(\/\S*)/g; my %once = map { $_ => 1 } @all;
@all > 0 && @all < 40 && @all == keys %once ? "some, once\n" : "@all\n"
--- corpus
some, once



=== TEST 14: all of them
--- config
    miqps_corpus CORPUS flush=1ms sample=100%;
    location / {
        return 200;
    }
--- sent eval
[ map { "GET /p?id=$_" } 0 .. 39 ]
--- form
my $n = () = /\n/g; "$n\n"
--- corpus
40



=== TEST 15: two files may have a zone together
--- config
    location / {
        miqps_corpus CORPUS flush=1ms zone=both:128k;
        return 200;
    }
    location /other {
        miqps_corpus CORPUS.other zone=both flush=2s buffer=8k;
        return 200;
    }
--- sent
GET /a
GET /other/a
GET /a
GET /b
--- corpus
http localhost /a text/html -
http localhost /b text/html -



=== TEST 16: a long URL is not collected, one that is almost so is
--- config
    miqps_corpus CORPUS flush=1ms;
    large_client_header_buffers 4 64k;
    location / {
        return 200;
    }
--- sent eval
[ "GET /" . "a" x 8191, "GET /" . "a" x 8192 ]
--- form
join '', map { length((split /\t/)[5]) . "\n" } split /\n/
--- corpus
8192



=== TEST 17: a line that does not fit the buffer is left
--- config
    miqps_corpus CORPUS flush=1ms buffer=4k;
    location / {
        return 200;
    }
--- sent eval
[ "GET /" . "a" x 4096, "GET /b", map { "GET /c?$_" . "d" x 300 } 1 .. 30 ]
--- form
my $n = () = /\n/g; "$n\n"
--- corpus
31



=== TEST 18: subrequests are not collected
--- config
    miqps_corpus CORPUS flush=1ms;
    log_subrequest on;
    location / {
        ssi on;
        root html;
    }
--- user_files
>>> page.html
a<!--# include virtual="/part.html?x" -->
>>> part.html
b
--- sent
GET /page.html?y
--- corpus
http localhost /page.html?y text/html -



=== TEST 19: the file is its owner's alone
--- config
    miqps_corpus CORPUS flush=1ms;
    location / {
        return 200;
    }
--- sent
GET /a
--- form
my ($file) = sort { -M $a <=> -M $b }
             glob "$ENV{TEST_NGINX_SERVROOT}/logs/corpus*.log";
sprintf "%04o\n", (stat $file)[2] & 07777
--- corpus
0600



=== TEST 20: what the learner fetches
--- config
    miqps_corpus CORPUS flush=1ms;
    miqps rewrite;
    location / {
        return 200;
    }
--- sent
GET /fetched
GET /asked
--- headers eval
[ 'Miqps-Learn: 1', '' ]
--- corpus
http localhost /asked text/html -



=== TEST 21: other types that look like HTML
--- config
    miqps_corpus CORPUS flush=1ms;
    location /html {
        default_type text/html;
        return 200;
    }
    location /text {
        default_type text/htm1;
        return 200;
    }
    location /type {
        default_type tttttttttt;
        return 200;
    }
    location /none {
        default_type "";
        return 200;
    }
--- sent
GET /text
GET /type
GET /none
GET /html
--- corpus
http localhost /html text/html -



=== TEST 22: targets and hosts of any length are told apart
--- config
    miqps_corpus CORPUS flush=1ms;
    location / {
        return 200;
    }
--- sent eval
[ map { my $n = $_; map { "GET /" . 'a' x $n . $_ } '', 'b', 'c' } 0 .. 70 ]
--- headers eval
[ map { "Host: " . 'h' x (1 + $_ % 40) } 0 .. 212 ]
--- form
my %once = map { $_ => 1 } /\t(h+\t\/\S*)/g; my $n = () = /\n/g;
"$n lines, " . keys(%once) . " different\n"
--- corpus
213 lines, 213 different
