# Copyright (C) the ngx_miqps authors
#
# X-Miqps-* of requests and responses.

use lib 't';
use Miqps;
use Origin;

# the origin tells which headers it got

add_block_preprocessor(sub {
    my $block = shift;

    $block->set_value('origin', <<'END') if !defined $block->origin;
        location / {
            return 200 "$http_x_miqps_verdict|$http_x_miqps_generation|$http_x_miqps_a|$http_x_miqps_b";
        }
END
});

run_tests();

__DATA__

=== TEST 1: by default there are none
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request
GET /p?gclid=1
--- response_headers
! X-Miqps-Verdict
! X-Miqps-Generation
--- response_body: |||



=== TEST 2: on tells the origin
--- config
    location / {
        miqps rewrite;
        miqps_headers on;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?gclid=1', 'GET /p?id=1', 'GET /p?a;b', 'POST /p?gclid=1' ]
--- response_headers eval
[ ('!X-Miqps-Verdict') x 4 ]
--- response_body eval
[ 'stripped|0||', 'clean|0||', 'opaque:semicolon|0||', 'method|0||' ]



=== TEST 3: on response tells the client too
--- config
    location / {
        miqps rewrite;
        miqps_headers on response;
        proxy_pass http://origin;
    }
--- request
GET /p?gclid=1
--- response_headers
X-Miqps-Verdict: stripped
X-Miqps-Generation: 0
--- response_body: stripped|0||



=== TEST 4: off is off
--- config
    location / {
        miqps rewrite;
        miqps_headers off;
        proxy_pass http://origin;
    }
--- request
GET /p?gclid=1
--- response_headers
! X-Miqps-Verdict
--- response_body: |||



=== TEST 5: annotate tells what it would do
--- config
    location / {
        miqps annotate;
        miqps_headers on response;
        proxy_pass http://origin;
    }
--- request
GET /p?gclid=1
--- response_headers
X-Miqps-Verdict: stripped
--- response_body: stripped|0||



=== TEST 6: a redirect tells the client why
--- config
    location / {
        miqps redirect;
        miqps_headers on response;
    }
--- request
GET /p?gclid=1
--- error_code: 302
--- response_headers
X-Miqps-Verdict: stripped



=== TEST 7: where it is off nothing is told
--- config
    location / {
        miqps off;
        miqps_headers on response;
        proxy_pass http://origin;
    }
--- request
GET /p?gclid=1
--- response_headers
! X-Miqps-Verdict
--- response_body: |||



=== TEST 8: a client cannot forge them
--- config
    location / {
        miqps rewrite;
        miqps_headers on;
        proxy_pass http://origin;
    }
--- more_headers
X-Miqps-Verdict: forged
x-miqps-generation: 99
X-MIQPS-A: forged
X-Miqps-B: forged
--- request
GET /p?gclid=1
--- response_body: stripped|0||



=== TEST 9: nor where none are added
--- config
    location / {
        miqps annotate;
        proxy_pass http://origin;
    }
--- more_headers
X-Miqps-Verdict: forged
X-Miqps-A: forged
--- request
GET /p
--- response_body: |||



=== TEST 10: nor with a request that is left alone
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- more_headers
X-Miqps-Verdict: forged
X-Miqps-A: forged
--- request
POST /p?gclid=1
--- response_body: |||



=== TEST 11: nor with underscores
--- config
    underscores_in_headers on;

    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- more_headers
X_Miqps_A: forged
X-Miqps_B: forged
x_MIQPS-Verdict: forged
--- request
GET /p?gclid=1
--- response_body: |||



=== TEST 12: names that only look alike pass
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 200 "$http_x_miqps|$http_x_miqpsa|$http_miqps_a|$http_ax_miqps_a";
        }
--- more_headers
X-Miqps: 1
X-MiqpsA: 2
Miqps-A: 3
AX-Miqps-A: 4
--- request
GET /p
--- response_body: 1|2|3|4



=== TEST 13: the first and the last of many headers
--- config
    location / {
        miqps rewrite;
        miqps_headers on;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 200 "$http_x_miqps_a|$http_x_miqps_b|$http_x_miqps_verdict|$http_x_1$http_x_2$http_x_19$http_x_20$http_x_21$http_x_40";
        }
--- raw_request eval
"GET /p?gclid=1 HTTP/1.0\r\nX-Miqps-A: forged\r\nHost: localhost\r\n"
. CORE::join('', map { "X-$_: <$_>\r\n" } 1 .. 40) . "X-Miqps-B: forged\r\n\r\n"
--- response_body: ||stripped|<1><2><19><20><21><40>



=== TEST 14: one after every header
--- config
    location / {
        miqps rewrite;
        miqps_headers on;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 200 "$http_x_miqps_a|$http_x_miqps_verdict|$http_x_1$http_x_2$http_x_10$http_x_19$http_x_20$http_x_21$http_x_45";
        }
--- raw_request eval
"GET /p?gclid=1 HTTP/1.0\r\n"
. CORE::join('', map { "X-$_: <$_>\r\nX-Miqps-A: forged\r\n" } 1 .. 45) . "\r\n"
--- response_body: |stripped|<1><2><10><19><20><21><45>



=== TEST 15: at the border of nginx's lists of headers
--- config
    location / {
        miqps rewrite;
        miqps_headers on;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 200 "$http_x_miqps_a|$http_x_miqps_verdict|$http_x_1$http_x_19$http_x_last";
        }
--- raw_request eval
"GET /p?gclid=1 HTTP/1.0\r\n"
. CORE::join('', map { "X-$_: <$_>\r\n" } 1 .. 19)
. "X-Miqps-A: forged\r\n" x 22 . "X-Last: <last>\r\n\r\n"
--- response_body: |stripped|<1><19><last>



=== TEST 16: only forged ones
--- config
    location / {
        miqps rewrite;
        miqps_headers on;
        proxy_pass http://origin;
    }
--- raw_request eval
"GET /p?gclid=1 HTTP/1.0\r\n" . "X-Miqps-A: forged\r\n" x 50 . "\r\n"
--- response_body: stripped|0||



=== TEST 17: known headers among forged ones keep their meaning
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- origin
        location / {
            return 200 "$http_user_agent|$http_referer|$http_cookie|$http_accept|$http_x_miqps_a";
        }
--- more_headers
X-Miqps-A: forged
User-Agent: ua
X-Miqps-A: forged
Referer: ref
X-Miqps-A: forged
Cookie: a=1
X-Miqps-A: forged
Accept: */*
X-Miqps-A: forged
--- request
GET /p?gclid=1
--- response_body: ua|ref|a=1|*/*|



=== TEST 18: ours are sent once after an internal redirect
--- config
    miqps annotate;
    miqps_headers on;

    location / {
        try_files /none /in.php?$args;
    }

    location = /in.php {
        proxy_pass http://origin;
    }
--- more_headers
X-Miqps-Verdict: forged
--- request
GET /p?gclid=1
--- response_body: stripped|0||



=== TEST 19: nothing that was stripped is in a header for the origin
--- config
    location / {
        miqps rewrite;
        miqps_headers on;
        proxy_http_version 1.0;
        proxy_set_header Host origin;
        proxy_set_header Connection close;
        proxy_pass http://127.0.0.1:$TEST_NGINX_RAND_PORT_1;
    }
--- tcp_listen: $TEST_NGINX_RAND_PORT_1
--- tcp_reply eval
"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"
--- tcp_query eval
"GET /p?id=1 HTTP/1.0\r
Host: origin\r
Connection: close\r
X-Miqps-Verdict: stripped\r
X-Miqps-Generation: 0\r
\r
"
--- request
GET /p?id=1&gclid=secret
--- response_body: ok



=== TEST 20: the variables $http_x_miqps_* of a client are gone too
--- config
    location / {
        miqps rewrite;
        return 200 "[$http_x_miqps_a]";
    }
--- more_headers
X-Miqps-A: forged
--- request
GET /p
--- response_body: []



=== TEST 21: headers of an origin named like ours pass
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- origin
        location / {
            add_header X-Miqps-A origin;
            return 200;
        }
--- request
GET /p
--- response_headers
X-Miqps-A: origin
