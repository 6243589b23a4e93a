# Copyright (C) the ngx_miqps authors
#
# An origin that redirects the clean URL back to one with the parameter: after
# the first time, such requests pass as they are.

use lib 't';
use Miqps;
use Origin;

# the origin insists on "sid", and says so in "location" of the block

add_block_preprocessor(sub {
    my $block = shift;

    if (defined $block->back) {
        my $back = $block->back;
        $block->set_value('origin', <<"END");
        location / {
            absolute_redirect off;

            if (\$arg_sid) {
                return 200 "\$request_uri";
            }

            return 302 "$back";
        }
END
    }

    $block->set_value('config', <<'END') if !defined $block->config;
    location / {
        miqps rewrite;
        miqps_strip sid;
        add_header X-Verdict $miqps_verdict always;
        proxy_pass http://origin;
    }
END
});

run_tests();

__DATA__

=== TEST 1: a redirect to a path ends after one round
--- back: /p?sid=7
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7', 'GET /p?sid=8' ]
--- error_code eval
[ 302, 200, 200 ]
--- response_headers eval
[ 'X-Verdict: stripped', 'X-Verdict: loop', 'X-Verdict: loop' ]
--- response_body_like eval
[ '302 Found', '^/p\?sid=7$', '^/p\?sid=8$' ]
--- error_log eval
[]



=== TEST 2: the warning names the host, the arguments and a remedy
--- back: /p?sid=7
--- request
GET /p?sid=1
--- error_code: 302
--- error_log
[warn]
upstream redirects to "?sid=7" what comes without it: requests of "localhost" with such arguments will pass unchanged; "miqps_keep" can name what it needs



=== TEST 3: there is one warning, however often it comes back
--- config
    location / {
        miqps rewrite;
        miqps_strip sid;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 302 /p?sid=7;
        }
--- raw_request eval
CORE::join '', map { "GET /p HTTP/1.1\r\nHost: localhost\r\n"
                     . ($_ == 3 ? "Connection: close\r\n" : '') . "\r\n" } 1 .. 3
--- ignore_response
--- grep_error_log: upstream redirects to
--- grep_error_log_out
upstream redirects to
--- error_log
[warn]



=== TEST 4: a clean request whose redirect would be cleaned is noted too
--- back: /p?sid=7
--- request eval
[ 'GET /p', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 200 ]
--- response_headers eval
[ 'X-Verdict: clean', 'X-Verdict: loop' ]
--- error_log eval
[]



=== TEST 5: an absolute redirect
--- back: http://localhost/p?sid=7
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 200 ]
--- error_log eval
[]



=== TEST 6: an absolute redirect with another scheme and port
--- back: https://LOCALHOST:8443/p?sid=7
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 200 ]
--- error_log eval
[]



=== TEST 7: a redirect of the query alone
--- back: ?sid=7
--- request eval
[ 'GET /a/p?sid=7', 'GET /a/p?sid=7' ]
--- error_code eval
[ 302, 200 ]
--- error_log eval
[]



=== TEST 8: a relative redirect
--- back: p?sid=7
--- request eval
[ 'GET /a/p?sid=7', 'GET /a/p?sid=7' ]
--- error_code eval
[ 302, 200 ]
--- error_log eval
[]



=== TEST 9: other arguments stay as they are on the way
--- back: /p?id=1&sid=7
--- request eval
[ 'GET /p?id=1&sid=7', 'GET /p?sid=7&id=1', 'GET /p?id=9&sid=9' ]
--- error_code eval
[ 302, 200, 200 ]
--- response_body_like eval
[ '302 Found', '^/p\?sid=7&id=1$', '^/p\?id=9&sid=9$' ]
--- error_log eval
[]



=== TEST 10: other names are still stripped
--- back: /p?sid=7
--- request eval
[ 'GET /p?sid=7', 'GET /p?gclid=7&sid=1', 'GET /p?sid=1' ]
--- response_headers eval
[ 'X-Verdict: stripped', 'X-Verdict: stripped', 'X-Verdict: loop' ]
--- error_code eval
[ 302, 302, 200 ]
--- error_log eval
[]



=== TEST 11: other hosts are not concerned
--- back: /p?sid=7
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7', 'GET /p?sid=7' ]
--- more_headers eval
[ 'Host: one.example', 'Host: two.example', 'Host: one.example' ]
--- response_headers eval
[ 'X-Verdict: stripped', 'X-Verdict: stripped', 'X-Verdict: loop' ]
--- error_code eval
[ 302, 302, 200 ]
--- error_log eval
[]



=== TEST 12: a redirect to another path is none of its business
--- back: /q?sid=7
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 302 ]
--- response_headers eval
[ ('X-Verdict: stripped') x 2 ]



=== TEST 13: a redirect to another host is none of its business
--- back: http://other.example/p?sid=7
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 302 ]



=== TEST 14: a redirect with other arguments that stay is none of its business
--- back: /p?sid=7&id=1
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 302 ]



=== TEST 15: a redirect to the clean URL of another page is none of its business
--- back: /q
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 302 ]



=== TEST 16: a Location without a redirect does not count
--- config
    location / {
        miqps rewrite;
        miqps_strip sid;
        add_header X-Verdict $miqps_verdict always;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header Location /p?sid=7;
            return 200 "$request_uri";
        }
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- response_headers eval
[ ('X-Verdict: stripped') x 2 ]



=== TEST 17: redirect mode goes round once
--- config
    location / {
        miqps redirect;
        miqps_strip sid;
        proxy_pass http://origin;
    }
--- back: /p?sid=7
--- request eval
[ 'GET /p?sid=7', 'GET /p', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 302, 200 ]
--- response_headers eval
[ "Location: http://localhost:$ENV{TEST_NGINX_PORT}/p",
  'Location: /p?sid=7', '!Location' ]
--- error_log eval
[]



=== TEST 18: annotate notes nothing
--- config
    location / {
        miqps annotate;
        miqps_strip sid;
        add_header X-Verdict $miqps_verdict always;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 302 /p?sid=7;
        }
--- request eval
[ 'GET /p', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 302 ]
--- response_headers eval
[ 'X-Verdict: clean', 'X-Verdict: stripped' ]



=== TEST 19: nginx's own redirects do not count
--- config
    location / {
        miqps rewrite;
        miqps_strip sid;
        return 302 /p?sid=7;
    }
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 302 ]



=== TEST 20: each code of a redirect counts
--- config
    location / {
        miqps rewrite;
        miqps_strip s*;
        add_header X-Verdict $miqps_verdict always;
        proxy_pass http://origin;
    }
--- origin
        location /301 { return 301 /301?s1=7; }
        location /303 { return 303 /303?s3=7; }
        location /307 { return 307 /307?s7=7; }
        location /308 { return 308 /308?s8=7; }
--- request eval
[ map { ("GET /30$_", "GET /30$_?s$_=1") } 1, 3, 7, 8 ]
--- error_code eval
[ map { ($_, $_) } 301, 303, 307, 308 ]
--- response_headers eval
[ ('X-Verdict: clean', 'X-Verdict: loop') x 4 ]
--- error_log eval
[]



=== TEST 21: a redirect to a fragment behind the parameter
--- back: /p?sid=7#top
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 200 ]
--- error_log eval
[]



=== TEST 22: a redirect that only sorts differently ends too
--- config
    location / {
        miqps rewrite;
        miqps_sort on;
        add_header X-Verdict $miqps_verdict always;
        proxy_pass http://origin;
    }
--- origin
        location / {
            absolute_redirect off;

            if ($args = "b=1&a=2") {
                return 200 "$request_uri";
            }

            return 302 /p?b=1&a=2;
        }
--- request eval
[ 'GET /p?b=1&a=2', 'GET /p?b=1&a=2' ]
--- error_code eval
[ 302, 200 ]
--- error_log eval
[]



=== TEST 23: a raw "#" and other opaque bytes in a Location do no harm
--- back: /p?sid=7;x
--- request eval
[ 'GET /p?sid=7', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 302 ]



=== TEST 24: without proxy_redirect, to a path and to a host
--- config
    proxy_redirect off;

    location / {
        miqps rewrite;
        miqps_strip s*;
        add_header X-Verdict $miqps_verdict always;
        proxy_pass http://origin;
    }
--- origin
        absolute_redirect off;
        location /path { return 302 /path?s1=7; }
        location /host { return 302 http://localhost/host?s2=7; }
--- request eval
[ 'GET /path', 'GET /path?s1=7', 'GET /host', 'GET /host?s2=7' ]
--- error_code eval
[ (302) x 4 ]
--- response_headers eval
[ ('X-Verdict: clean', 'X-Verdict: loop') x 2 ]
--- error_log eval
[]



=== TEST 25: a redirect out of the cache counts as well
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps rewrite;
        miqps_strip sid;
        proxy_cache one;
        proxy_cache_valid any 1h;
        add_header X-Verdict $miqps_verdict always;
        proxy_pass http://origin;
    }
--- back: /430-25?sid=7
--- request eval
[ 'GET /430-25?sid=7', 'GET /430-25?sid=7', 'GET /430-25' ]
--- error_code eval
[ 302, 200, 302 ]
--- error_log eval
[]
