# Copyright (C) the ngx_miqps authors
#
# Wrong arguments of miqps_keep, miqps_strip and miqps_platform.

use lib 't';
use Miqps;
use Refused;

run_tests();

__DATA__

=== TEST 1: miqps_keep without a name
--- config
    location / {
        miqps_keep;
    }
--- error_log
invalid number of arguments in "miqps_keep" directive



=== TEST 2: miqps_strip without a name
--- config
    location / {
        miqps_strip;
    }
--- error_log
invalid number of arguments in "miqps_strip" directive



=== TEST 3: an empty name
--- config
    location / {
        miqps_strip '';
    }
--- error_log
"miqps_strip" directive: 



=== TEST 4: two stars
--- config
    location / {
        miqps_strip a*b*;
    }
--- error_log
"miqps_strip" directive: "a*b*"



=== TEST 5: a star and a value
--- config
    location / {
        miqps_strip a*=1;
    }
--- error_log
"miqps_strip" directive: "a*=1"



=== TEST 6: an ampersand
--- config
    location / {
        miqps_strip a&b;
    }
--- error_log
"miqps_strip" directive: "a&b"



=== TEST 7: an expression that does not compile
--- config
    location / {
        miqps_strip ~(;
    }
--- error_log
"miqps_strip" directive: "~(" is not a regular expression: 



=== TEST 8: an expression that is empty
--- config
    location / {
        miqps_keep ~;
    }
--- error_log
"miqps_keep" directive: 



=== TEST 9: an expression that takes too long
--- config
    location / {
        miqps_keep '~^(a+)+$';
    }
--- error_log
"miqps_keep" directive: "~^(a+)+$" 



=== TEST 10: a name twice in one directive
--- config
    location / {
        miqps_strip sid sid;
    }
--- error_log
duplicate "sid" in "miqps_strip" directive



=== TEST 11: a name twice in two directives
--- config
    location / {
        miqps_keep sid;
        miqps_keep sid;
    }
--- error_log
duplicate "sid" in "miqps_keep" directive



=== TEST 12: a name both kept and stripped
--- config
    location / {
        miqps_keep sid;
        miqps_strip sid;
    }
--- error_log
"sid" is both in "miqps_keep" and in "miqps_strip"



=== TEST 13: a name both stripped and kept
--- config
    location / {
        miqps_strip a* sid;
        miqps_keep sid;
    }
--- error_log
"sid" is both in "miqps_keep" and in "miqps_strip"



=== TEST 14: miqps_keep inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_keep a;
        }
    }
--- error_log
"miqps_keep" directive is not allowed here



=== TEST 15: miqps_strip inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_strip a;
        }
    }
--- error_log
"miqps_strip" directive is not allowed here



=== TEST 16: a wrong name is refused also where it is off
--- config
    location / {
        miqps off;
        miqps_strip ~[;
    }
--- error_log
"miqps_strip" directive: "~["



=== TEST 17: miqps_platform without a name
--- config
    location / {
        miqps_platform;
    }
--- error_log
invalid number of arguments in "miqps_platform" directive



=== TEST 18: an unknown platform
--- config
    location / {
        miqps rewrite;
        miqps_platform amiga;
    }
--- error_log
"miqps_platform" directive: unknown platform "amiga"; known are shopify



=== TEST 19: strict alone
--- config
    location / {
        miqps_platform strict;
    }
--- error_log
"strict" in "miqps_platform" needs a platform before it, or nothing would be left



=== TEST 20: strict before the platform
--- config
    location / {
        miqps_platform strict shopify;
    }
--- error_log
"miqps_platform" takes "off" alone, and "strict" after the platforms



=== TEST 21: off with a platform
--- config
    location / {
        miqps_platform off shopify;
    }
--- error_log
"miqps_platform" takes "off" alone



=== TEST 22: off behind a platform
--- config
    location / {
        miqps_platform shopify off;
    }
--- error_log
"miqps_platform" takes "off" alone



=== TEST 23: a platform twice
--- config
    location / {
        miqps_platform shopify shopify;
    }
--- error_log
duplicate "shopify" in "miqps_platform" directive



=== TEST 24: strict twice
--- config
    location / {
        miqps_platform shopify strict strict;
    }
--- error_log
"strict" after the platforms



=== TEST 25: miqps_platform twice at one level
--- config
    location / {
        miqps_platform shopify;
        miqps_platform sfcc;
    }
--- error_log
"miqps_platform" directive is duplicate



=== TEST 26: miqps_platform inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_platform shopify;
        }
    }
--- error_log
"miqps_platform" directive is not allowed here



=== TEST 27: an unknown platform of the server
--- config
    miqps rewrite;
    miqps_platform amiga;
    location / { }
--- error_log
unknown platform "amiga"



=== TEST 28: a platform that only a file of another level defines
--- config
    miqps rewrite;
    miqps_rules ../html/r.json;
    miqps_platform ours;
    location / {
        miqps_rules off;
    }
--- user_files
>>> r.json
{ "version": 1, "platforms": { "ours": { "title": "Ours", "keep": [ "a" ] } } }
--- error_log
unknown platform "ours"



=== TEST 29: an unknown platform where the module is off
--- config
    miqps off;
    miqps_platform amiga;
    location / { }
--- error_log
unknown platform "amiga"
