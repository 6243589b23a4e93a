# Copyright (C) the ngx_miqps authors
#
# miqps_control: what it answers, and what it does to a zone.

use lib 't';
use Miqps;
use Map;

# The server of a block passes what begins with /control to a socket, where its
# worker is a peer that may do everything, and /this and /other too, with the
# name of a zone; requests without any of these show the map.  "with" are
# parameters of miqps_control, for blocks that ask it over TCP, as /tcp.

our $A = '{"host": "localhost", "patterns": [{"params": ["a", "b"], "keep": ["a"]}]}';
our $B = '{"host": "localhost", "patterns": [{"params": ["a", "b"], "keep": ["b"]}]}';

our $Token = '0123456789abcdef';

our $Image = qr/"image":"[0-9a-f]{32}"/;
our $Counts = qr/"swaps":\d+,"refused":\d+,"skipped":\d+/;

# state(GENERATION[, ROLLED_BACK[, OFF]])

sub state($;$$) {
    my ($generation, $back, $off) = @_;

    $back = CORE::join ',', ('"[0-9a-f]{32}"') x ($back // 0);
    $off = $off ? 'true' : 'false';

    my $before = qr/(?:"previous":\{"generation":\d+,$Image\},)?/;

    return qr/"zone":"zone\d+","generation":$generation,$Image,"size":\d+,/
           . qr/"since":\d{10,},"off":$off,$before/
           . qr/"rolled_back":\[$back\],$Counts/;
}

sub fine($;$$) {
    my $state = main::state($_[0], $_[1], $_[2]);

    return qr/\A\{"ok":true,$state\}\n\z/;
}

sub error($) {
    return qr/\A\{"ok":false,"error":"\Q$_[0]\E"\}\n\z/;
}

# failed(ERROR, GENERATION[, ROLLED_BACK])

sub failed($$;$) {
    my ($error, $generation, $back) = @_;
    my $state = main::state($generation, $back);

    return qr/\A\{"ok":false,"error":"\Q$error\E",$state/;
}

# loaded(GENERATION, CHANGED[, ROLLED_BACK])

sub loaded($$;$) {
    my ($generation, $changed, $back) = @_;
    my $state = main::state($generation, $back);

    return qr/\A\{"ok":true,$state,"changed":$changed,/
           . qr/"file":\{$Image,"size":\d+\}\}\n\z/;
}

$ENV{TEST_NGINX_HTML_DIR} = "$ENV{TEST_NGINX_SERVROOT}/html";

add_block_preprocessor(sub {
    my $block = shift;

    my $with = $block->with // '';
    chomp $with;

    $block->set_value('http_config', ($block->http_config // '') . <<'END');
    server {
        listen unix:$TEST_NGINX_HTML_DIR/control.sock;
        location /control {
            miqps_control;
        }
    }
END

    $block->set_value('config', ($block->config // '') . <<"END");
    miqps rewrite;

    location / {
        return 200 "\$miqps_uri g\$miqps_generation";
    }
    location /control {
        miqps off;
        proxy_pass http://unix:\$TEST_NGINX_HTML_DIR/control.sock;
    }
    location /tcp {
        miqps_control $with;
    }
END

    return if !defined $block->map;

    for my $name ('this', 'other') {
        my $zone = $name eq 'this' ? '$TEST_NGINX_ZONE' : '$TEST_NGINX_OTHER';

        $block->set_value('config', $block->config . <<"END");
    location /$name {
        miqps off;
        rewrite ^ /control?zone=$zone&\$args? break;
        proxy_pass http://unix:\$TEST_NGINX_HTML_DIR/control.sock;
    }
END
    }
});

run_tests();

__DATA__

=== TEST 1: GET tells the state
--- map eval: $::A
--- request
GET /control
--- response_body_like eval: main::fine(1)
--- response_headers
Content-Type: application/json
Cache-Control: no-store



=== TEST 2: so does GET with the zone's name
--- map eval: $::A
--- request
GET /control?zone=zone2
--- response_body_like eval: main::fine(1)



=== TEST 3: a zone without a map
--- config
--- http_config
    miqps_zone empty 1m;
--- request
GET /control
--- response_body
{"ok":true,"zone":"empty","generation":0,"image":"","size":0,"since":0,"off":false,"rolled_back":[],"swaps":0,"refused":0,"skipped":0}



=== TEST 4: HEAD has the headers alone
--- map eval: $::A
--- request
HEAD /control
--- response_headers
Content-Type: application/json
--- response_body



=== TEST 5: reload, and what requests then get
--- map eval: $::A
--- next eval: $::B
--- request eval
[ 'GET /?a=1&b=2', 'POST /control?action=reload', 'GET /?a=1&b=2',
  'POST /control?action=reload', 'GET /control' ]
--- response_body_like eval
[ qr/^\/\?a=1 g1$/, main::loaded(2, 'true'), qr/^\/\?b=2 g2$/,
  main::loaded(2, 'false'), main::fine(2) ]



=== TEST 6: GET and HEAD change nothing, whatever they ask for
--- map eval: $::A
--- next eval: $::B
--- request eval
[ (map { ("GET /control?action=$_", "HEAD /control?action=$_") }
   qw(reload rollback check off on)), 'GET /control', 'GET /?a=1&b=2' ]
--- error_code eval
[ (405) x 10, 200, 200 ]
--- response_headers eval
[ ('Allow: POST') x 10, '!Allow', '!Allow' ]
--- response_body_like eval
[ (main::error('an action needs POST'), qr/^$/) x 5, main::fine(1),
  qr/^\/\?a=1 g1$/ ]



=== TEST 7: methods that there are not
--- map eval: $::A
--- next eval: $::B
--- request eval
[ (map { "$_ /control?action=reload" } qw(PUT DELETE PATCH OPTIONS)),
  'GET /control' ]
--- error_code eval
[ (405) x 4, 200 ]
--- response_headers eval
[ ('Allow: GET, HEAD, POST') x 4, '!Allow' ]
--- response_body_like eval
[ (main::error('use GET or POST')) x 4, main::fine(1) ]



=== TEST 8: rollback is a new generation, and the file is not loaded again
--- map eval: $::A
--- next eval: $::B
--- request eval
[ 'POST /control?action=reload', 'POST /control?action=rollback',
  'POST /control?action=reload' ]
--- error_code eval
[ 200, 200, 422 ]
--- response_body_like eval
[ main::loaded(2, 'true'), main::fine(3, 1),
  main::failed('it was rolled back', 3, 1) ]
--- error_log
miqps zone



=== TEST 9: unless it is forced
--- map eval: $::A
--- next eval: $::B
--- request eval
[ 'POST /control?action=reload', 'POST /control?action=rollback',
  'POST /control?action=reload&force=1', 'GET /?a=1&b=2',
  'POST /control?action=rollback', 'GET /?a=1&b=2' ]
--- response_body_like eval
[ main::loaded(2, 'true'), main::fine(3, 1), main::loaded(4, 'true'),
  qr/^\/\?b=2 g4$/, main::fine(5, 1), qr/^\/\?a=1 g5$/ ]



=== TEST 10: nothing to go back to
--- map eval: $::A
--- request
POST /control?action=rollback
--- error_code: 409
--- response_body_like eval: main::failed('there is no map to go back to', 1)



=== TEST 11: nothing more to go back to
--- map eval: $::A
--- next eval: $::B
--- request eval
[ 'POST /control?action=reload', 'POST /control?action=rollback',
  'POST /control?action=rollback' ]
--- error_code eval
[ 200, 200, 409 ]
--- response_body_like eval
[ main::loaded(2, 'true'), main::fine(3, 1),
  main::failed('there is no map to go back to', 3, 1) ]



=== TEST 12: check tells what would be loaded and loads nothing
--- map eval: $::A
--- next eval: $::B
--- request eval
[ 'POST /control?action=check', 'GET /?a=1&b=2', 'GET /control',
  'POST /control?action=reload', 'POST /control?action=rollback',
  'POST /control?action=check', 'POST /control?action=check&force=1',
  'GET /?a=1&b=2' ]
--- error_code eval
[ 200, 200, 200, 200, 200, 422, 200, 200 ]
--- response_body_like eval
[ main::loaded(1, 'false'), qr/^\/\?a=1 g1$/, main::fine(1),
  main::loaded(2, 'true'), main::fine(3, 1),
  main::failed('it was rolled back', 3, 1), main::loaded(3, 'false', 1),
  qr/^\/\?a=1 g3$/ ]



=== TEST 13: a file that is refused: the generation stays
--- map eval: $::A
--- init
truncate $ENV{TEST_NGINX_MAP}, 100;
--- request eval
[ ('POST /control?action=reload') x 2 ]
--- error_code eval
[ (422) x 2 ]
--- response_body_like eval
[ (main::failed('it is cut off', 1)) x 2 ]
--- error_log
is not used: it is cut off; the one before it stays



=== TEST 14: the same, only checked: nothing is logged or counted
--- map eval: $::A
--- init
truncate $ENV{TEST_NGINX_MAP}, 100;
--- request eval
[ 'POST /control?action=check', 'GET /control', 'GET /?a=1&b=2' ]
--- error_code eval
[ 422, 200, 200 ]
--- response_body_like eval
[ main::failed('it is cut off', 1), qr/"refused":0,"skipped":0}$/,
  qr/^\/\?a=1 g1$/ ]



=== TEST 15: a zone without a file
--- config
--- http_config
    miqps_zone empty 1m;
--- request
POST /control?action=reload
--- error_code: 409
--- response_body_like eval
qr/"error":"the zone has no \\"map\\"","zone":"empty","generation":0,"image":"",/



=== TEST 16: off and on
--- map eval: $::A
--- request eval
[ 'POST /control?action=off', 'GET /?a=1&b=2', 'GET /control',
  'POST /control?action=on', 'GET /?a=1&b=2' ]
--- response_body_like eval
[ main::fine(1, 0, 1), qr/^\/\?a=1&b=2 g0$/, main::fine(1, 0, 1),
  main::fine(1), qr/^\/\?a=1 g1$/ ]



=== TEST 17: actions that there are not
--- map eval: $::A
--- request eval
[ map { "POST /control$_" } '', '?', '?action=', '?action=reloads',
  '?action=RELOAD' ]
--- error_code eval
[ (400) x 5 ]
--- response_body_like eval
[ (main::failed('\"action\" must be reload, check, rollback, off or on', 1))
  x 5 ]



=== TEST 18: arguments that there are not, or twice
--- map eval: $::A
--- request eval
[ map { "POST /control?$_" } 'action=off&file=/etc/passwd', 'action=off&map=x',
  'Action=off', 'action', 'action=on&action=off', 'zone=a&zone=b&action=off',
  '&action=off' ]
--- error_code eval
[ (400) x 7 ]
--- response_body_like eval
[ (main::error('only \"action\", \"zone\" and \"force\" are arguments')) x 4,
  (main::error('an argument comes twice')) x 2,
  main::error('only \"action\", \"zone\" and \"force\" are arguments') ]



=== TEST 19: force is for files
--- map eval: $::A
--- request eval
[ map { "POST /control?$_" } 'action=rollback&force=1', 'action=off&force=1',
  'action=reload&force=', 'action=reload&force=yes' ]
--- error_code eval
[ (400) x 4 ]
--- response_body_like eval
[ (main::failed('\"force=1\" is for reload and check', 1)) x 4 ]



=== TEST 20: a zone that there is not
--- map eval: $::A
--- request eval
[ 'GET /control?zone=none', 'POST /control?action=off&zone=none',
  'POST /control?action=off&zone=', 'POST /control?action=off&zone=%22%00' ]
--- error_code eval
[ (404) x 4 ]
--- response_body_like eval
[ (main::error('there is no zone of that name')) x 4 ]



=== TEST 21: no zones at all
--- config
--- request eval
[ 'GET /control', 'GET /control?zone=one' ]
--- error_code eval
[ 400, 404 ]
--- response_body_like eval
[ (main::error('there are no zones')) x 2 ]



=== TEST 22: of two zones one must be named
--- map eval: $::A
--- other eval: $::B
--- request eval
[ 'POST /control?action=off', 'POST /other?action=off', 'GET /?a=1&b=2',
  'POST /this?action=off', 'GET /?a=1&b=2' ]
--- error_code eval
[ 400, 200, 200, 200, 200 ]
--- response_body_like eval
[ main::error('there are several zones, say which one: \"zone=NAME\"'),
  qr/"zone":"other\d+".*"off":true/, qr/^\/\?a=1 g1$/, main::fine(1, 0, 1),
  qr/^\/\?a=1&b=2 g0$/ ]



=== TEST 23: a name that JSON must escape, and a URL too
--- config
--- http_config eval
"    miqps_zone '\"<\\\\&\xc3\xa9' 1m;"
--- request
GET /control?zone=%22%3C%5C%26%C3%A9
--- response_body_like eval: qr/\A\{"ok":true,"zone":"\\"\\u003c\\\\\\u0026\xc3\xa9",/



=== TEST 24: bytes that are no UTF-8, and those that nobody sees
--- config
--- http_config eval
"    miqps_zone 'a\xff\x01\x7fb\xc3' 1m;"
--- request
GET /control
--- response_body_like eval: qr/"zone":"a\\ufffd\\u0001\\u007fb\\ufffd",/



=== TEST 25: a body does not matter
--- map eval: $::A
--- request eval
[ "POST /control?action=off\naction=on&zone=none", 'GET /control',
  "POST /control\naction=on", 'GET /control' ]
--- error_code eval
[ 200, 200, 400, 200 ]
--- response_body_like eval
[ main::fine(1, 0, 1), main::fine(1, 0, 1), qr/must be/, main::fine(1, 0, 1) ]



=== TEST 26: over TCP nobody may do anything
--- map eval: $::A
--- more_headers eval: "X-Miqps-Token: $::Token"
--- request eval
[ 'GET /tcp', 'POST /tcp?action=off', 'PUT /tcp' ]
--- error_code eval
[ (403) x 3 ]
--- response_body_like eval
[ (main::error('forbidden')) x 3 ]
--- error_log
miqps control: the client is refused, there is no "allow" in "miqps_control"



=== TEST 27: but with an address and a token
--- map eval: $::A
--- with eval: "allow=192.0.2.0/24 allow=127.0.0.1 token=$::Token"
--- more_headers eval: "X-Miqps-Token: $::Token"
--- request eval
[ 'GET /tcp', 'POST /tcp?action=off', 'GET /?a=1&b=2' ]
--- response_body_like eval
[ main::fine(1), main::fine(1, 0, 1), qr/^\/\?a=1&b=2 g0$/ ]



=== TEST 28: without the token
--- map eval: $::A
--- with eval: "allow=127.0.0.1 token=$::Token"
--- request
POST /tcp?action=off
--- error_code: 403
--- response_body_like eval: main::error('forbidden')
--- error_log
miqps control: the client is refused, it sent no X-Miqps-Token



=== TEST 29: with others
--- map eval: $::A
--- with eval: "allow=127.0.0.1 token=$::Token"
--- more_headers eval
[ map { "X-Miqps-Token: $_" } '', 'x', substr($::Token, 1), "${\ $::Token}x",
  substr($::Token, 0, 15), uc $::Token, "\"$::Token\"" ]
--- request eval
[ ('GET /tcp') x 7 ]
--- error_code eval
[ (403) x 7 ]
--- response_body_like eval
[ (main::error('forbidden')) x 7 ]
--- error_log
miqps control: the client is refused, it sent another X-Miqps-Token



=== TEST 30: with two
--- map eval: $::A
--- with eval: "allow=127.0.0.1 token=$::Token"
--- more_headers eval
"X-Miqps-Token: $::Token
X-Miqps-Token: $::Token"
--- request
GET /tcp
--- error_code: 403
--- response_body_like eval: main::error('forbidden')
--- error_log
miqps control: the client is refused, it sent X-Miqps-Token twice



=== TEST 31: from another address
--- map eval: $::A
--- with eval: "allow=192.0.2.0/24 allow=::1 token=$::Token"
--- more_headers eval: "X-Miqps-Token: $::Token"
--- request
GET /tcp
--- error_code: 403
--- response_body_like eval: main::error('forbidden')
--- error_log
miqps control: the client is refused, its address is not in "allow"



=== TEST 32: the address is that of the socket, whatever real_ip makes of it
--- map eval: $::A
--- with eval: "allow=192.0.2.1 token=$::Token"
--- config
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Real-IP;
--- more_headers eval
"X-Miqps-Token: $::Token
X-Real-IP: 192.0.2.1"
--- request
GET /tcp
--- error_code: 403
--- response_body_like eval: main::error('forbidden')
--- error_log
miqps control: the client is refused, its address is not in "allow"



=== TEST 33: also if it was allowed
--- map eval: $::A
--- with eval: "allow=127.0.0.1 token=$::Token"
--- config
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Real-IP;
--- more_headers eval
"X-Miqps-Token: $::Token
X-Real-IP: 192.0.2.1"
--- request
GET /tcp
--- response_body_like eval: main::fine(1)



=== TEST 34: a mode around it has no effect
--- map eval: $::A
--- config
    miqps_strip action;
    location /redirected {
        miqps redirect;
        miqps_headers on response;
        miqps_control allow=127.0.0.1 token=0123456789abcdef;
    }
--- more_headers eval: "X-Miqps-Token: $::Token"
--- request
POST /redirected?action=off
--- response_body_like eval: main::fine(1, 0, 1)
--- response_headers
!Location



=== TEST 35: a location in it has no control
--- map eval: $::A
--- config
    location /outer {
        miqps_control allow=127.0.0.1 token=0123456789abcdef;
        location /outer/inner {
            return 204;
        }
    }
--- more_headers eval: "X-Miqps-Token: $::Token"
--- request eval
[ 'GET /outer', 'GET /outer/inner' ]
--- error_code eval
[ 200, 204 ]
--- response_body_like eval
[ main::fine(1), qr/^$/ ]



=== TEST 36: a subrequest has no say
--- map eval: $::A
--- config
    location /mirrored {
        mirror /tcp;
        mirror_request_body off;
        return 204;
    }
    location /added {
        auth_request /tcp?action=off;
        return 204;
    }
--- with eval: "allow=127.0.0.1 token=$::Token"
--- more_headers eval: "X-Miqps-Token: $::Token"
--- request eval
[ 'POST /mirrored?action=off', 'POST /added', 'GET /tcp' ]
--- error_code eval
[ 204, 204, 200 ]
--- response_body_like eval
[ qr/^$/, qr/^$/, main::fine(1) ]



=== TEST 37: HTTP/2
--- map eval: $::A
--- with eval: "allow=127.0.0.1 token=$::Token"
--- http2
--- more_headers eval: "X-Miqps-Token: $::Token"
--- request
POST /tcp?action=off
--- response_body_like eval: main::fine(1, 0, 1)



=== TEST 38: HTTP/2, while a file is read
--- map eval: $::A
--- next eval: $::B
--- with eval: "allow=127.0.0.1 token=$::Token"
--- http2
--- more_headers eval: "X-Miqps-Token: $::Token"
--- request
POST /tcp?action=reload
--- response_body_like eval: main::loaded(2, 'true')



=== TEST 39: watching goes on beside it, and does not bring back what was bad
--- map eval: $::A
--- next eval: $::B
--- zone: 1m watch=5ms
--- request eval
[ 'POST /control?action=reload', 'POST /control?action=rollback',
  'GET /?a=1&b=2' ]
--- delay: 100ms
--- response_body_like eval
[ main::loaded(2, '(?:true|false)'), main::fine(3, 1), qr/^\/\?a=1 g3$/ ]
