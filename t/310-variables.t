# Copyright (C) the ngx_miqps authors
#
# $miqps_* in every mode, and wherever nginx takes variables.

use lib 't';
use Miqps;
use Origin;

# all of them at once, where a block has no configuration of its own

add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->mode;

    $block->set_value('config', <<"END");
    location / {
        miqps @{[ $block->mode ]};
        miqps_sort on;
        miqps_strip sid;

        return 200 "uri=\$miqps_uri
args=\$miqps_args
original=\$miqps_original
stripped=\$miqps_stripped
kept=\$miqps_kept
pattern=\$miqps_pattern
verdict=\$miqps_verdict
layer=\$miqps_layer
generation=\$miqps_generation
";
    }
END
});

run_tests();

__DATA__

=== TEST 1: all variables in rewrite mode
--- mode: rewrite
--- request
GET /a%2Fb?id=1&gclid=2&color=red&sid=3&utm_x=4
--- response_body
uri=/a%2Fb?color=red&id=1
args=color=red&id=1
original=/a%2Fb?id=1&gclid=2&color=red&sid=3&utm_x=4
stripped=gclid&sid&utm_x
kept=id&color
pattern=color&gclid&id&sid&utm_x
verdict=stripped
layer=operator,tracking
generation=0



=== TEST 2: all variables in annotate mode are the same
--- mode: annotate
--- request
GET /a%2Fb?id=1&gclid=2&color=red&sid=3&utm_x=4
--- response_body
uri=/a%2Fb?color=red&id=1
args=color=red&id=1
original=/a%2Fb?id=1&gclid=2&color=red&sid=3&utm_x=4
stripped=gclid&sid&utm_x
kept=id&color
pattern=color&gclid&id&sid&utm_x
verdict=stripped
layer=operator,tracking
generation=0



=== TEST 3: all variables when it is off
--- mode: off
--- request
GET /a%2Fb?id=1&gclid=2&color=red&sid=3
--- response_body_like chop
^uri=/a%2Fb\?id=1&gclid=2&color=red&sid=3
args=id=1&gclid=2&color=red&sid=3
original=/a%2Fb\?id=1&gclid=2&color=red&sid=3
stripped=
kept=.*
pattern=.*
verdict=off
layer=
generation=0
$



=== TEST 4: all variables of a clean request
--- mode: rewrite
--- request
GET /p?a=1&b=2
--- response_body
uri=/p?a=1&b=2
args=a=1&b=2
original=/p?a=1&b=2
stripped=
kept=a&b
pattern=a&b
verdict=clean
layer=
generation=0



=== TEST 5: all variables of a request without arguments
--- mode: rewrite
--- request
GET /p
--- response_body
uri=/p
args=
original=/p
stripped=
kept=
pattern=
verdict=clean
layer=
generation=0



=== TEST 6: all variables of a request that loses its arguments
--- mode: rewrite
--- request
GET /p?gclid=1
--- response_body
uri=/p
args=
original=/p?gclid=1
stripped=gclid
kept=
pattern=gclid
verdict=stripped
layer=tracking
generation=0



=== TEST 7: all variables of a request that is only sorted
--- mode: rewrite
--- request
GET /p?b=1&a=2
--- response_body
uri=/p?a=2&b=1
args=a=2&b=1
original=/p?b=1&a=2
stripped=
kept=b&a
pattern=a&b
verdict=normalized
layer=
generation=0



=== TEST 8: all variables of an opaque request
--- mode: rewrite
--- request
GET /p?b=1;c&a=2&gclid=3
--- response_body
uri=/p?b=1;c&a=2&gclid=3
args=b=1;c&a=2&gclid=3
original=/p?b=1;c&a=2&gclid=3
stripped=
kept=b&a&gclid
pattern=a&b&gclid
verdict=opaque:semicolon
layer=guard
generation=0



=== TEST 9: all variables of a POST
--- mode: rewrite
--- request
POST /p?b=1&gclid=3
--- response_body
uri=/p?b=1&gclid=3
args=b=1&gclid=3
original=/p?b=1&gclid=3
stripped=
kept=b&gclid
pattern=b&gclid
verdict=method
layer=
generation=0



=== TEST 10: a question mark before nothing
--- mode: rewrite
--- request
GET /p?
--- response_body
uri=/p
args=
original=/p?
stripped=
kept=
pattern=
verdict=normalized
layer=
generation=0



=== TEST 11: names that occur twice are in the pattern once
--- mode: rewrite
--- request
GET /p?a=1&gclid=1&a=2&gclid=3
--- response_body
uri=/p?a=1&a=2
args=a=1&a=2
original=/p?a=1&gclid=1&a=2&gclid=3
stripped=gclid&gclid
kept=a&a
pattern=a&gclid
verdict=stripped
layer=tracking
generation=0



=== TEST 12: $miqps_url has scheme, host and port
--- config
    location / {
        miqps rewrite;
        return 200 "$miqps_url";
    }
--- more_headers
Host: Shop.Example.:1
--- request
GET /a%2Fb?id=1&gclid=2
--- response_body eval
"http://shop.example:$ENV{TEST_NGINX_PORT}/a%2Fb?id=1"



=== TEST 13: $miqps_url without a port where redirects have none
--- config
    port_in_redirect off;

    location / {
        miqps annotate;
        return 200 "$miqps_url";
    }
--- more_headers
Host: shop.example
--- request
GET /p?gclid=2
--- response_body: http://shop.example/p



=== TEST 14: $miqps_key is one for all variants of a page, and 32 hex digits
--- config
    port_in_redirect off;

    location / {
        miqps annotate;
        return 200 "$miqps_key";
    }
--- request eval
[ 'GET /p?id=1', 'GET /p?id=1&gclid=2', 'GET /p?fbclid=x&id=1', 'GET /p?id=2' ]
--- more_headers
Host: shop.example
--- response_body_like eval
[ ('^3a28fcc8741958203be80593cf01354e$') x 3, '^(?!3a28f)[0-9a-f]{32}$' ]



=== TEST 15: $miqps_key has the host in it
--- config
    port_in_redirect off;

    location / {
        miqps annotate;
        return 200 "$miqps_key";
    }
--- request eval
[ 'GET /p?id=1', 'GET /p?id=1' ]
--- more_headers eval
[ 'Host: shop.example', 'Host: other.example' ]
--- response_body_like eval
[ '^3a28f', '^(?!3a28f)[0-9a-f]{32}$' ]



=== TEST 16: layers are named in one order
--- config
    location / {
        miqps annotate;
        miqps_strip a;
        miqps_rules ../html/rules.json;
        return 200 "$miqps_layer";
    }
--- user_files
>>> rules.json
{ "version": 1, "strip": [ "b", "~^rx" ], "sites": [
  { "paths": [ "/strict" ], "platforms": [ "shopify" ], "strict": true } ] }
--- request eval
[ 'GET /p?a=1&b=2&gclid=3&rx=4', 'GET /p?b=1', 'GET /p?rx=1',
  'GET /strict?variant=1&foo=2' ]
--- response_body eval
[ 'operator,rules,regex,tracking', 'rules', 'regex', 'rules' ]



=== TEST 17: a log of annotate mode
--- http_config
    log_format miqps '$miqps_original $miqps_uri $miqps_stripped $miqps_verdict';
--- config
    access_log logs/access.log miqps;

    location / {
        miqps annotate;
        return 200;
    }
--- request
GET /p?id=1&gclid=2
--- access_log
/p?id=1&gclid=2 /p?id=1 gclid stripped



=== TEST 18: a log of rewrite mode
--- http_config
    log_format miqps '$miqps_original $miqps_uri $miqps_stripped $miqps_verdict';
--- config
    access_log logs/access.log miqps;

    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&gclid=2
--- access_log
/p?id=1&gclid=2 /p?id=1 gclid stripped



=== TEST 19: a log of redirect mode
--- http_config
    log_format miqps '$miqps_original $miqps_uri $miqps_stripped $miqps_verdict';
--- config
    access_log logs/access.log miqps;

    location / {
        miqps redirect;
    }
--- request
GET /p?id=1&gclid=2
--- error_code: 302
--- access_log
/p?id=1&gclid=2 /p?id=1 gclid stripped



=== TEST 20: a log can be for what was stripped only
--- http_config
    map $miqps_verdict $loggable {
        stripped  1;
        default   0;
    }

    log_format miqps 'got $miqps_original';
--- config
    access_log logs/access.log miqps if=$loggable;

    location / {
        miqps annotate;
        return 200;
    }
--- request eval
[ 'GET /clean?id=1', 'GET /dirty?id=1&gclid=2' ]
--- no_access_log
got /clean



=== TEST 21: a map of variables
--- http_config
    map $miqps_stripped $who {
        ''        nobody;
        ~gclid    google;
        default   other;
    }
--- config
    location / {
        miqps rewrite;
        return 200 "$who";
    }
--- request eval
[ 'GET /p?id=1', 'GET /p?gclid=1', 'GET /p?fbclid=1' ]
--- response_body eval
[ 'nobody', 'google', 'other' ]



=== TEST 22: variables in a header of the response
--- config
    location / {
        miqps annotate;
        add_header X-Uri $miqps_uri;
        add_header X-Stripped $miqps_stripped;
        return 200;
    }
--- request
GET /p?id=1&gclid=2
--- response_headers
X-Uri: /p?id=1
X-Stripped: gclid



=== TEST 23: a server-level "set" has the rules of the server
--- config
    miqps rewrite;
    set $early "$miqps_uri|$miqps_verdict";

    location / {
        miqps_strip sid;
        return 200 "$early|$miqps_uri|$miqps_stripped";
    }
--- request
GET /p?id=1&sid=2&gclid=3
--- response_body: /p?id=1&sid=2|stripped|/p?id=1|sid&gclid



=== TEST 24: a server-level "set" in a server that is off knows nothing yet
--- config
    set $early "$miqps_uri|$miqps_verdict";

    location / {
        miqps rewrite;
        return 200 "$early|$miqps_uri|$miqps_verdict";
    }
--- request
GET /p?id=1&gclid=3
--- response_body: /p?id=1&gclid=3|off|/p?id=1|stripped



=== TEST 25: a server-level "set" does not keep a location from rewriting
--- config
    miqps annotate;
    set $early $miqps_uri;

    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&gclid=3
--- response_body: /p?id=1



=== TEST 26: variables where the module is nowhere on
--- config
    location / {
        return 200 "$miqps_uri|$miqps_args|$miqps_verdict|$miqps_stripped|$miqps_kept|$miqps_pattern|$miqps_layer|$miqps_generation";
    }
--- request
GET /p?id=1&gclid=3
--- response_body: /p?id=1&gclid=3|id=1&gclid=3|off|||||0



=== TEST 27: "if" can ask for the verdict
--- config
    location / {
        miqps annotate;

        if ($miqps_verdict = stripped) {
            return 410;
        }

        return 200;
    }
--- request eval
[ 'GET /p?id=1', 'GET /p?id=1&gclid=2' ]
--- error_code eval
[ 200, 410 ]



=== TEST 28: variables are not to be set
--- config
    location / {
        set $miqps_uri x;
    }
--- must_die
--- suppress_stderr
--- error_log eval
qr/\[emerg\].*the duplicate "miqps_uri" variable/
