# Copyright (C) the ngx_miqps authors
#
# miqps_response html beside other filters: as sub_filter does.

use lib 't';
use Miqps;
use Origin;

use IO::Compress::Gzip qw(gzip);
use IO::Uncompress::Gunzip ();

our $Page = join '', map { qq{<p id="$_"><a href="/p?id=$_&amp;gclid=1">$_</a>\n} } 1 .. 3000;
our $Clean = $Page =~ s/&amp;gclid=1//gr;

# short links, and a long one that the end of the first of two buffers cuts

our @Cut = map {
    my $p = join '', map { qq{<a href="/p?id=$_&amp;gclid=1">} } 1 .. $_;
    my $a = '<a href="/long?gclid=1&amp;a=';
    $p .= 'x' x (32768 - 2600 - length($p . $a)) . $a . 'y' x 3000 . qq{">};
} 31 .. 33;

# links, and in a script what only looks like some

our $Script = '<a href="/p?gclid=1"><script>'
              . qq{var a='<a href="/p?gclid=1&id=1">';\n} x 200
              . '</script><a href="/q?gclid=1">';

our $Packed;
gzip(\'<a href="/p?gclid=1">', \$Packed) or die;

run_tests();

__DATA__

=== TEST 1: the length and what tells of the content go
--- config
    location / {
        miqps_response html;
        root html;
    }
--- user_files
>>> a.html
<a href="/p?gclid=1">
--- request
GET /a.html
--- response_headers
! Content-Length
! Last-Modified
! ETag
! Accept-Ranges
--- response_body
<a href="/p">



=== TEST 2: miqps_response_last_modified keeps the time
--- config
    location / {
        miqps_response html;
        miqps_response_last_modified on;
        root html;
    }
--- user_files
>>> a.html 202001010000.00
<a href="/p?gclid=1">
--- request
GET /a.html
--- response_headers_like
Last-Modified: .* 20\d\d .*
ETag: W/".*"
--- response_body
<a href="/p">



=== TEST 3: HEAD has the headers of GET
--- config
    location / {
        miqps_response html;
        root html;
    }
--- user_files
>>> a.html
<a href="/p?gclid=1">
--- request
HEAD /a.html
--- response_headers
! Content-Length
! ETag
--- response_body



=== TEST 4: there are no ranges
--- config
    location / {
        miqps_response html;
        root html;
    }
--- user_files
>>> a.html
<a href="/p?gclid=1">
--- request
GET /a.html
--- more_headers
Range: bytes=0-5
--- response_body
<a href="/p">



=== TEST 5: a part of a page is left alone
--- config
    location / {
        miqps_response html;
        proxy_force_ranges on;
        proxy_pass http://origin;
    }
--- origin
        location / {
            root html;
        }
--- user_files
>>> a.html
<a href="/p?gclid=1">
--- request
GET /a.html
--- more_headers
Range: bytes=0-18
--- error_code: 206
--- response_body chomp
<a href="/p?gclid=1



=== TEST 6: 304 stays 304
--- config
    location / {
        miqps_response html;
        miqps_response_last_modified on;
        if_modified_since before;
        root html;
    }
--- user_files
>>> a.html
<a href="/p?gclid=1">
--- request
GET /a.html
--- more_headers
If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT
--- error_code: 304
--- response_body



=== TEST 7: an empty page
--- config
    location / {
        miqps_response html;
        proxy_pass http://origin;
    }
--- origin
        location / {
            default_type text/html;
            return 200 '';
        }
--- request
GET /
--- response_headers
Content-Length: 0
--- response_body



=== TEST 8: other types are left alone
--- config
    location / {
        miqps_response html;
        default_type text/plain;
        return 200 '<a href="/p?gclid=1">';
    }
--- request
GET /
--- response_headers
Content-Length: 21
--- response_body: <a href="/p?gclid=1">



=== TEST 9: types that are named
--- config
    miqps_response html;
    miqps_response_types text/x-page;

    location /other {
        default_type text/x-page;
        return 200 '<a href="/p?gclid=1">';
    }

    location /html {
        default_type text/html;
        return 200 '<a href="/p?gclid=1">';
    }

    location /all {
        miqps_response_types *;
        default_type application/x-page;
        return 200 '<a href="/p?gclid=1">';
    }
--- request eval
[ 'GET /other', 'GET /html', 'GET /all' ]
--- response_body eval
[ '<a href="/p">', '<a href="/p">', '<a href="/p">' ]



=== TEST 10: pages of an error
--- config
    location / {
        miqps_response html;
        default_type text/html;
        return 404 '<a href="/p?gclid=1">';
    }
--- request
GET /
--- error_code: 404
--- response_body: <a href="/p">



=== TEST 11: what gunzip has inflated
--- config
    location / {
        miqps_response html;
        gunzip on;
        proxy_pass http://origin;
    }
--- origin
        location / {
            default_type text/html;
            add_header Content-Encoding gzip;
            root html;
        }
--- user_files eval
[ [ 'a.html', $::Packed ] ]
--- request
GET /a.html
--- response_headers
! Content-Encoding
--- response_body: <a href="/p">



=== TEST 12: what is still encoded is left alone
--- config
    location / {
        miqps_response html;
        proxy_pass http://origin;
    }
--- origin
        location / {
            default_type text/html;
            add_header Content-Encoding gzip;
            root html;
        }
--- user_files eval
[ [ 'a.html', $::Packed ] ]
--- request
GET /a.html
--- response_headers eval
"Content-Encoding: gzip\nContent-Length: " . length $::Packed
--- response_body eval
$::Packed



=== TEST 13: gzip packs what came of it
--- config
    location / {
        miqps_response html;
        gunzip on;
        gzip on;
        gzip_min_length 1;
        gzip_proxied any;
        proxy_pass http://origin;
    }
--- origin
        location / {
            root html;
        }
--- user_files eval
[ [ 'a.html', $::Page ] ]
--- request
GET /a.html
--- more_headers
Accept-Encoding: gzip
--- response_headers
Content-Encoding: gzip
--- response_body_filters eval
sub {
    my $in = shift;
    my $out;
    IO::Uncompress::Gunzip::gunzip(\$in, \$out) or return 'bad';
    return $out;
}
--- response_body eval
$::Clean



=== TEST 14: sub_filter sees what came of it
--- config
    location / {
        miqps_response html;
        sub_filter '"/p"' '"/q"';
        default_type text/html;
        return 200 '<a href="/p?gclid=1">';
    }
--- request
GET /
--- response_body: <a href="/q">



=== TEST 15: SSI: the page and what it includes
--- config
    location / {
        miqps_response html;
        ssi on;
        root html;
    }
--- user_files
>>> a.html
<a href="/p?gclid=1"><!--# include virtual="/b.html" --><a href="q?gclid=1"><!--# include virtual="/c.html" --><!-- -->
>>> b.html
<a href="/b?gclid=1">
>>> c.html
<a href="c?gclid=1"
--- request
GET /a.html
--- response_body
<a href="/p"><a href="/b">
<a href="q"><a href="c"
<!-- -->



=== TEST 16: SSI: includes of a page that is left alone, whose base is unknown
--- config
    location / {
        ssi on;
        root html;
    }

    location /in {
        miqps_response html;
        root html;
    }
--- user_files
>>> a.html
<a href="/p?gclid=1"><!--# include virtual="/in/b.html" --><!-- -->
>>> in/b.html
<a href="/b?gclid=1"><a href="http://localhost/b?gclid=1">
--- request
GET /a.html
--- response_body
<a href="/p?gclid=1"><a href="/b?gclid=1"><a href="http://localhost/b">
<!-- -->



=== TEST 17: SSI: a long include that waits for another
--- config
    location / {
        miqps_response html;
        ssi on;
        root html;
    }

    location /slow {
        miqps_response html;
        limit_rate 100000;
        proxy_pass http://origin;
    }
--- origin
        location /slow {
            default_type text/html;
            return 200 '<a href="/slow?gclid=1">';
        }
--- user_files eval
[ [ 'a.html', '<!--# include virtual="/slow" --><!--# include virtual="/b.html" --><!--# include virtual="/b.html" -->' ], [ 'b.html', $::Page ] ]
--- request
GET /a.html
--- response_body eval
'<a href="/slow">' . $::Clean x 2



=== TEST 18: what addition adds is no part of the page
--- config
    location / {
        miqps_response html;
        add_before_body /b.html;
        root html;
    }
--- user_files
>>> a.html
<a href="/p?gclid=1">
>>> b.html
<a href="/b?gclid=1">
--- request
GET /a.html
--- response_body
<a href="/b">
<a href="/p">



=== TEST 19: many links
--- config
    location / {
        miqps_response html;
        root html;
    }
--- user_files eval
[ [ 'a.html', $::Page ] ]
--- request
GET /a.html
--- response_body eval
$::Clean



=== TEST 20: buffers of a few bytes
--- config
    location / {
        miqps_response html;
        output_buffers 1 7;
        sendfile off;
        root html;
    }
--- user_files eval
[ [ 'a.html', $::Page ] ]
--- request
GET /a.html
--- response_body eval
$::Clean



=== TEST 21: buffers of one byte
--- config
    location / {
        miqps_response html;
        output_buffers 1 1;
        sendfile off;
        root html;
    }
--- user_files
>>> a.html
<form action="/f?gclid=1" method=get id=x><a href="/p?gclid=1" title="/p?gclid=1">&eacute;</a><a href="/p?gclid=1
--- request
GET /a.html
--- response_body
<form action="/f" method=get id=x><a href="/p" title="/p?gclid=1">&eacute;</a><a href="/p?gclid=1



=== TEST 22: without buffering
--- config
    location / {
        miqps_response html;
        proxy_buffering off;
        proxy_buffer_size 1k;
        proxy_pass http://origin;
    }
--- origin
        location / {
            root html;
        }
--- user_files eval
[ [ 'a.html', $::Page ] ]
--- request
GET /a.html
--- response_body eval
$::Clean



=== TEST 23: with few buffers, and a cache
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps_response html;
        proxy_buffer_size 1k;
        proxy_buffers 2 1k;
        proxy_busy_buffers_size 1k;
        proxy_cache one;
        proxy_cache_valid 1h;
        add_header X-Cache $upstream_cache_status;
        proxy_pass http://origin;
    }
--- origin
        location / {
            root html;
        }
--- user_files eval
[ [ 'a.html', $::Page ] ]
--- request eval
[ 'GET /a.html', 'GET /a.html' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT' ]
--- response_body eval
[ $::Clean, $::Clean ]



=== TEST 24: HTTP/2
--- http2
--- config
    location / {
        miqps_response html;
        root html;
    }
--- user_files eval
[ [ 'a.html', $::Page ] ]
--- request
GET /a.html
--- response_body eval
$::Clean



=== TEST 25: a charset that is not like ASCII
--- config
    location / {
        miqps_response html;
        proxy_pass http://origin;
    }
--- origin
        location / {
            default_type text/html;
            charset $arg_charset;
            return 200 '<a href="/p?gclid=1">';
        }
--- request eval
[ map { "GET /?charset=$_" } 'UTF-16LE', 'utf-16', 'ISO-2022-JP', 'utf-8', 'windows-1252' ]
--- response_body eval
[ ('<a href="/p?gclid=1">') x 3, ('<a href="/p">') x 2 ]



=== TEST 26: settings of a location within
--- config
    miqps_response html;

    location / {
        default_type text/html;
        return 200 '<a href="/p?gclid=1">';
    }

    location /off {
        miqps_response off;
        default_type text/html;
        return 200 '<a href="/p?gclid=1">';
    }
--- request eval
[ 'GET /', 'GET /off' ]
--- response_body eval
[ '<a href="/p">', '<a href="/p?gclid=1">' ]



=== TEST 27: an internal redirect to a page
--- config
    error_page 404 /404.html;
    log_not_found off;
    miqps_response html;

    location / {
        root html;
    }
--- user_files
>>> 404.html
<a href="p?gclid=1">
--- request
GET /none/page
--- error_code: 404
--- response_body
<a href="p">



=== TEST 28: a long link that is cut where the last buffer is used up
--- config
    location / {
        miqps_response html;
        output_buffers 2 32k;
        sendfile off;
        root html;
    }
--- user_files eval
[ map { [ "$_.html", $::Cut[$_] ] } 0 .. 2 ]
--- request eval
[ map { "GET /$_.html" } 0 .. 2 ]
--- response_body eval
[ map { s/(&amp;)?gclid=1(?:&amp;)?//gr } @::Cut ]



=== TEST 29: a page that ends within a link
--- config
    location / {
        miqps_response html;
        root html;
    }
--- user_files
>>> a.html
<p>x</p><a href="/p?gclid=1">y</a><a href="/p?gclid=1
>>> b.html
<p>x</p><form action="/p?gclid=1" id=x
--- request eval
[ 'GET /a.html', 'GET /b.html' ]
--- response_body eval
[ qq{<p>x</p><a href="/p">y</a><a href="/p?gclid=1\n},
  qq{<p>x</p><form action="/p?gclid=1" id=x\n} ]



=== TEST 30: slices are left alone
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps_response html;
        slice 1k;
        proxy_cache one;
        proxy_cache_key $uri$slice_range;
        proxy_cache_valid 1h;
        proxy_set_header Range $slice_range;
        proxy_pass http://origin;
    }
--- origin
        location / {
            root html;
        }
--- user_files eval
[ [ 'a.html', $::Script ] ]
--- request eval
[ 'GET /a.html', 'GET /a.html', 'GET /a.html' ]
--- more_headers eval
[ '', '', 'Range: bytes=3000-4999' ]
--- error_code eval
[ 200, 200, 206 ]
--- response_body eval
[ $::Script, $::Script, substr($::Script, 3000, 2000) ]



=== TEST 31: SSI: what is included has the base of the page
--- config
    location / {
        miqps_response html;
        miqps_rules ../html/rules.json;
        ssi on;
        root html;
    }
--- user_files
>>> rules.json
{ "version": 1, "sites": [
  { "hosts": [ "localhost" ], "paths": [ "/dir/*" ], "strip": [ "a" ] },
  { "hosts": [ "localhost" ], "paths": [ "/shop/*" ], "strip": [ "b" ] } ] }
>>> dir/a.html
<base href="/shop/"><!--# include virtual="/b.html" --><!-- -->
>>> dir/other.html
<base href="https://other.example/"><!--# include virtual="/b.html" --><!-- -->
>>> dir/none.html
<!--# include virtual="/b.html" --><!-- -->
>>> dir/two.html
<base href="/shop/"><!--# include virtual="/base.html" --><!-- -->
>>> b.html
<a href="p?a=1&amp;b=2"><a href="?gclid=1"><!--# include virtual="/c.html" --><!-- -->
>>> c.html
<a href="p?a=1&amp;b=2">
>>> base.html
<base href="/dir/"><a href="p?a=1&amp;b=2">
--- request eval
[ map { "GET /dir/$_.html" } qw(a other none two) ]
--- response_body eval
[ map { s/^ +//mgr }
  qq{<base href="/shop/"><a href="p?a=1"><a href="./"><a href="p?a=1">
     <!-- -->
     <!-- -->
     },
  qq{<base href="https://other.example/"><a href="p?a=1&amp;b=2"><a href="?gclid=1"><a href="p?a=1&amp;b=2">
     <!-- -->
     <!-- -->
     },
  qq{<a href="p?b=2"><a href="?"><a href="p?b=2">
     <!-- -->
     <!-- -->
     },
  qq{<base href="/shop/"><base href="/dir/"><a href="p?a=1">
     <!-- -->
     } ]



=== TEST 32: SSI: a base that is included is the page's
--- config
    location / {
        miqps_response html;
        miqps_rules ../html/rules.json;
        ssi on;
        output_buffers 1 64;
        sendfile off;
        root html;
    }
--- user_files eval
[ [ 'rules.json', '{ "version": 1, "sites": [
  { "hosts": [ "localhost" ], "paths": [ "/dir/*" ], "strip": [ "a" ] } ] }' ],
  [ 'a.html', '<!--# include virtual="/base.html" --><!-- '
              . 'x' x 200 . ' --><a href="p?a=1&amp;b=2">' ],
  [ 'base.html', '<base href="/dir/"><a href="p?a=1&amp;b=2">' ] ]
--- request
GET /a.html
--- response_body eval
'<base href="/dir/"><a href="p?b=2"><!-- ' . 'x' x 200
. ' --><a href="p?b=2">'



=== TEST 33: a short page that uses up all buffers, and its end after it
--- config
    location / {
        miqps_response html;
        proxy_pass http://origin;
    }
--- origin
    location / {
        default_type text/html;
        root html;
    }
--- user_files eval
[ map { [ "$_.html", '<a href="/p?gclid=1">x</a>' x $_ ] } 30 .. 32 ]
--- request eval
[ map { "GET /$_.html" } 30 .. 32 ]
--- response_body eval
[ map { '<a href="/p">x</a>' x $_ } 30 .. 32 ]
