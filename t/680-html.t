# Copyright (C) the ngx_miqps authors
#
# miqps_response html: links of pages.  What of a page is a link is tested in
# tests/unit/test_html.c; here it is what becomes of them.

use lib 't';
use Miqps;
use Map;
use Origin;

# "page" has what the origin sends, and behind " -> " what the client gets, a
# line each

add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->page;

    my ($sent, $got) = ('', '');

    for (grep { length } split /\n/, $block->page) {
        my ($in, $out) = split / -> /;
        $sent .= "$in\n";
        $got .= ($out // $in) . "\n";
    }

    my $with = $block->with // '';
    my $path = $block->path // '/dir/page?old=1';
    chomp $path;

    $block->set_value('config', <<"END");
    location / {
        miqps_response html;
        $with
        proxy_set_header Host \$http_host;
        proxy_pass http://origin;
    }
END
    $block->set_value('origin', <<'END');
        location / {
            default_type text/html;
            root html;
            try_files /page.html =404;
        }
END
    $block->set_value('user_files', ">>> page.html\n$sent");
    $block->set_value('request', "GET $path");
    $block->set_value('more_headers', "Host: shop.example");
    $block->set_value('response_body', $got);
});

run_tests();

__DATA__

=== TEST 1: links of every kind
--- page
<title>x</title>
<link rel="canonical" href="https://shop.example/p?id=7&amp;gclid=1"> -> <link rel="canonical" href="https://shop.example/p?id=7">
<meta http-equiv="refresh" content="5; url=/p?gclid=1"> -> <meta http-equiv="refresh" content="5; url=/p">
<meta content="http://shop.example/p?utm_source=x" property="og:url"> -> <meta content="http://shop.example/p" property="og:url">
<a class=x href='/p?id=7&gclid=1&size=4'>x</a> -> <a class=x href='/p?id=7&amp;size=4'>x</a>
<img src=p.png?v=1&fbclid=1 alt=""> -> <img src=p.png?v=1 alt="">
<img srcset="/a.png?gclid=1 1x, /b.png?v=2&amp;gclid=1 2x"> -> <img srcset="/a.png 1x, /b.png?v=2 2x">
<form action="/find?gclid=1" method="get"> -> <form action="/find" method="get">
<form action="/find?gclid=1" method="post">
<!-- <a href="/p?gclid=1"> -->
<script>x = '<a href="/p?gclid=1">'</script>



=== TEST 2: references of every kind
--- page
<a href="https://shop.example/p?gclid=1"> -> <a href="https://shop.example/p">
<a href="//shop.example/p?gclid=1"> -> <a href="//shop.example/p">
<a href="../p?gclid=1"> -> <a href="../p">
<a href="?gclid=1"> -> <a href="?">
<a href="?gclid=1#x"> -> <a href="?#x">
<a href="?">
<a href="?a=1&amp;gclid=1#x"> -> <a href="?a=1#x">
<a href="#x?gclid=1">
<a href="mailto:a@shop.example?gclid=1">
<a href="javascript:f('?gclid=1')">
<a href="https://other.example/p?gclid=1">
<a href="/\other.example/p?gclid=1">
<a href="/a/%2e%2e/p?gclid=1">



=== TEST 3: hosts that are named
--- with
miqps_response_hosts other.example *.cdn.example;
--- page
<a href="https://other.example/p?gclid=1"> -> <a href="https://other.example/p">
<img src="//a.cdn.example/p?gclid=1"> -> <img src="//a.cdn.example/p">
<a href="https://else.example/p?gclid=1">



=== TEST 4: settings of parameters are those of the location
--- with
miqps_strip size; miqps_keep gclid;
--- page
<a href="/p?size=1&amp;gclid=1"> -> <a href="/p?gclid=1">



=== TEST 5: what the guard refuses stays
--- page
<a href="/p?gclid=1&amp;Signature=abc&amp;Expires=1700000000&amp;Key-Pair-Id=K">
<a href="/p?gclid=1;b=2">



=== TEST 6: a base of the same host
--- page
<a href="x?gclid=1"> -> <a href="x">
<base href="/other/">
<a href="x?gclid=1"> -> <a href="x">
<a href="?gclid=1"> -> <a href="./">



=== TEST 7: a base of another host
--- page
<base href="https://other.example/">
<a href="x?gclid=1">
<a href="/x?gclid=1">
<a href="https://shop.example/x?gclid=1"> -> <a href="https://shop.example/x">



=== TEST 8: a base of a host that is named
--- with
miqps_response_hosts other.example;
--- page
<base href="https://other.example/">
<a href="x?gclid=1"> -> <a href="x">



=== TEST 9: a base that is none
--- page
<base href="java&#32;script:">
<a href="x?gclid=1">



=== TEST 10: a page without such links
--- page
<a href="/p?id=7&b=&#38;&copy;">
<A HREF = '/p' >



=== TEST 11: links of a page are not cleaned where headers alone are
--- with
miqps_response headers;
--- config
    location / {
        miqps_response headers;
        proxy_pass http://origin;
    }
--- origin
        location / {
            default_type text/html;
            return 200 '<a href="/p?gclid=1">';
        }
--- request
GET /
--- response_body: <a href="/p?gclid=1">



=== TEST 12: nor where the module is off for all
--- http_config
    miqps off;
--- config
    location / {
        miqps_response html;
        default_type text/html;
        return 200 '<a href="/p?gclid=1">';
    }
--- request
GET /
--- response_body: <a href="/p?gclid=1">



=== TEST 13: nor in what the learner gets
--- config
    location / {
        miqps_response html;
        miqps_learn on;
        default_type text/html;
        return 200 '<a href="/p?gclid=1">';
    }
--- request
GET /
--- more_headers
Miqps-Learn: http
--- response_body: <a href="/p?gclid=1">



=== TEST 14: the page itself, before a base and after it
--- page
<link href="?gclid=1"> -> <link href="?">
<link href="?a=1&gclid=1"> -> <link href="?a=1">
<base href="/shop/x">
<a href="?gclid=1"> -> <a href="x">



=== TEST 15: a path in which browsers would see a host
--- path: /q/\\evil.example
--- page
<a href="?utm_source=1">
<base href="/q/">
<a href="?utm_source=1">
<a href="https://shop.example/p?gclid=1"> -> <a href="https://shop.example/p">



=== TEST 16: a mirror stays a mirror but in a refresh and canonical links
--- map
{"host": "shop.example", "hosts": ["www.shop.example"],
 "rules": [{"from": {"host": "www.shop.example"}, "to": {"host": "shop.example"}}]}
--- with
        miqps_path_rules on;
        miqps_response_hosts www.shop.example;
--- page
<link rel="canonical" href="https://www.shop.example/p?gclid=1"> -> <link rel="canonical" href="https://shop.example/p">
<link href="https://www.shop.example/p?id=1" rel=canonical> -> <link href="https://shop.example/p?id=1" rel=canonical>
<link rel="next" href="https://www.shop.example/p?gclid=1"> -> <link rel="next" href="https://www.shop.example/p">
<a href="https://www.shop.example/p?gclid=1"> -> <a href="https://www.shop.example/p">
<meta http-equiv=refresh content="0; url=https://www.shop.example/p"> -> <meta http-equiv=refresh content="0; url=https://shop.example/p">



=== TEST 17: a refresh that would come back to where it is stays
--- map
{"host": "shop.example", "hosts": ["www.shop.example"],
 "rules": [{"from": {"host": "www.shop.example"}, "to": {"host": "shop.example"}}]}
--- with
        miqps_path_rules on;
        miqps_response_hosts www.shop.example;
--- path: /dir/here
--- page
<meta http-equiv=refresh content="0; url=https://www.shop.example/dir/here">
<meta http-equiv=refresh content="0; url=?gclid=1">
<meta http-equiv=refresh content="0; url=here?a=1&amp;gclid=1"> -> <meta http-equiv=refresh content="0; url=here?a=1">
