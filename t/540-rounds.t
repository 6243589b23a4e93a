# Copyright (C) the ngx_miqps authors
#
# miqps_response: a redirect that is changed leads nobody back.

use lib 't';
use Miqps;
use Origin;

# "from" are locations of the origin and where each redirects to; all others
# answer with what they were asked for

add_block_preprocessor(sub {
    my $block = shift;

    my $mode = $block->mode // 'off';
    chomp $mode;

    $block->set_value('config', <<"END") if !defined $block->config;
    location / {
        miqps $mode;
        miqps_strip sid;
        miqps_response headers;
        proxy_redirect off;
        proxy_pass http://origin;
    }
END

    return if !defined $block->from;

    my $origin = "absolute_redirect off;\n";

    for (grep { length } split /\n/, $block->from) {
        my ($from, $to) = split / -> /;
        $origin .= "location = $from { "
                   . "if (\$arg_sid) { return 200 \$request_uri; } "
                   . "return 302 $to; }\n";
    }

    $block->set_value('origin', $origin);
});

run_tests();

__DATA__

=== TEST 1: a page that redirects to itself with a parameter
--- from
/p -> /p?sid=1
--- request eval
[ 'GET /p', 'GET /p?sid=1' ]
--- error_code eval
[ 302, 200 ]
--- raw_response_headers_like eval
[ 'Location: /p\?sid=1\r', '' ]
--- response_body_like eval
[ '302 Found', '^/p\?sid=1$' ]



=== TEST 2: ... whatever the reference looks like
--- config
    location / {
        miqps_strip sid;
        miqps_response headers;
        proxy_redirect off;
        proxy_set_header X-To $http_x_to;
        proxy_pass http://origin;
    }
--- origin
        absolute_redirect off;
        location / {
            return 302 $http_x_to;
        }
--- more_headers eval
[ map { "X-To: $_" } '/d/p?sid=1', 'p?sid=1', '?sid=1', './p?sid=1',
  '../d/p?sid=1', '//localhost/d/p?sid=1', 'https://localhost/d/p?sid=1',
  'http://LOCALHOST:80/d/p?sid=1#x', '/d/./x/../p?sid=1', '/d/p?sid=1&gclid=2',
  '/d/q?sid=1' ]
--- request eval
[ ('GET /d/p') x 11 ]
--- error_code eval
[ (302) x 11 ]
--- response_headers eval
[ map { "Location: $_" } '/d/p?sid=1', 'p?sid=1', '?sid=1', './p?sid=1',
  '../d/p?sid=1', '//localhost/d/p?sid=1', 'https://localhost/d/p?sid=1',
  'http://LOCALHOST:80/d/p?sid=1#x', '/d/./x/../p?sid=1', '/d/p?sid=1&gclid=2',
  '/d/q' ]



=== TEST 3: ... and whatever was asked for along with it
--- from
/p -> /p?sid=1
--- request eval
[ 'GET /p?gclid=5', 'GET /p?' ]
--- error_code eval
[ 302, 302 ]
--- response_headers eval
[ 'Location: /p?sid=1', 'Location: /p?sid=1' ]



=== TEST 4: two pages that redirect to each other
--- from
/a -> /b?sid=1
/b -> /a?sid=2
--- request eval
[ 'GET /a', 'GET /b', 'GET /a', 'GET /a?sid=2' ]
--- error_code eval
[ 302, 302, 302, 200 ]
--- raw_response_headers_like eval
[ 'Location: /b\r', 'Location: /a\?sid=2\r', 'Location: /b\r', '' ]



=== TEST 5: four pages, of which some are left alone
--- from
/a -> /b?sid=1
/b -> /c
/c -> ./d?sid=1
/d -> https://localhost/a?sid=2
--- request eval
[ 'GET /a', 'GET /b', 'GET /c', 'GET /d' ]
--- error_code eval
[ 302, 302, 302, 302 ]
--- response_headers eval
[ 'Location: /b', 'Location: /c', 'Location: ./d',
  'Location: https://localhost/a?sid=2' ]



=== TEST 6: a client that comes from a place that cannot be seen goes round a few times
--- from
/a -> /b?sid=1
/b -> https://login.example/
--- request eval
[ ('GET /a') x 10 ]
--- error_code eval
[ (302) x 10 ]
--- response_headers eval
[ ('Location: /b') x 8, ('Location: /b?sid=1') x 2 ]



=== TEST 7: with "rewrite" the upstream gets what it insists on
--- mode: rewrite
--- from
/p -> /p?sid=7
--- request eval
[ 'GET /p?sid=1', 'GET /p?sid=7' ]
--- error_code eval
[ 302, 200 ]
--- raw_response_headers_like eval
[ 'Location: /p\?sid=7\r', '' ]
--- error_log eval
[]



=== TEST 8: a redirect to something else goes on being cleaned
--- from
/a -> /b?sid=1
/b -> /c?sid=1
--- request eval
[ 'GET /a', 'GET /b', 'GET /a' ]
--- error_code eval
[ 302, 302, 302 ]
--- response_headers eval
[ 'Location: /b', 'Location: /c', 'Location: /b' ]



=== TEST 9: a refresh that would go round
--- config
    location / {
        miqps_strip sid;
        miqps_response headers;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header Refresh "0; url=/p?sid=1";
            return 200 "";
        }
--- request eval
[ 'GET /p', 'GET /q' ]
--- response_headers eval
[ 'Refresh: 0; url=/p?sid=1', 'Refresh: 0; url=/p' ]
