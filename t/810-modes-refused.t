# Copyright (C) the ngx_miqps authors
#
# Wrong arguments of miqps, and of directives with few words.

use lib 't';
use Miqps;
use Refused;

run_tests();

__DATA__

=== TEST 1: miqps without a mode
--- config
    location / {
        miqps;
    }
--- error_log
invalid number of arguments in "miqps" directive



=== TEST 2: miqps with too many words
--- config
    location / {
        miqps redirect 301 302;
    }
--- error_log
invalid number of arguments in "miqps" directive



=== TEST 3: a mode that there is not
--- config
    location / {
        miqps on;
    }
--- error_log
invalid mode "on" in "miqps" directive, it must be "off", "annotate", "rewrite" or "redirect"



=== TEST 4: a mode in capitals
--- config
    location / {
        miqps REWRITE;
    }
--- error_log
invalid mode "REWRITE"



=== TEST 5: an empty mode
--- config
    location / {
        miqps '';
    }
--- error_log
invalid mode ""



=== TEST 6: two modes at one level
--- config
    location / {
        miqps rewrite;
        miqps off;
    }
--- error_log
"miqps" directive is duplicate



=== TEST 7: a status with rewrite
--- config
    location / {
        miqps rewrite 301;
    }
--- error_log
"miqps rewrite" takes no status, only "miqps redirect" does



=== TEST 8: a status with off
--- config
    location / {
        miqps off 301;
    }
--- error_log
"miqps off" takes no status



=== TEST 9: a status that is no redirect
--- config
    location / {
        miqps redirect 200;
    }
--- error_log
invalid status "200" in "miqps redirect", it must be 301, 302, 307 or 308



=== TEST 10: a status that would change the method
--- config
    location / {
        miqps redirect 303;
    }
--- error_log
invalid status "303"



=== TEST 11: a status that is no number
--- config
    location / {
        miqps redirect permanent;
    }
--- error_log
invalid status "permanent"



=== TEST 12: miqps inside of if
--- config
    location / {
        if ($arg_a) {
            miqps rewrite;
        }
    }
--- error_log
"miqps" directive is not allowed here



=== TEST 13: miqps outside of http
--- main_config
    miqps rewrite;
--- error_log
"miqps" directive is not allowed here



=== TEST 14: miqps inside of upstream
--- http_config
    upstream u {
        server 127.0.0.1:1;
        miqps rewrite;
    }
--- error_log
"miqps" directive is not allowed here



=== TEST 15: miqps inside of limit_except
--- config
    location / {
        limit_except GET {
            miqps rewrite;
        }
    }
--- error_log
"miqps" directive is not allowed here



=== TEST 16: miqps_tracking without a word
--- config
    location / {
        miqps_tracking;
    }
--- error_log
invalid number of arguments in "miqps_tracking" directive



=== TEST 17: miqps_tracking with a wrong word
--- config
    location / {
        miqps_tracking yes;
    }
--- error_log
invalid value "yes" in "miqps_tracking" directive, it must be "on" or "off"



=== TEST 18: miqps_tracking twice
--- config
    location / {
        miqps_tracking on;
        miqps_tracking on;
    }
--- error_log
"miqps_tracking" directive is duplicate



=== TEST 19: miqps_tracking inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_tracking on;
        }
    }
--- error_log
"miqps_tracking" directive is not allowed here



=== TEST 20: miqps_sort with a wrong word
--- config
    location / {
        miqps_sort asc;
    }
--- error_log
invalid value "asc" in "miqps_sort" directive, it must be "on" or "off"



=== TEST 21: miqps_sort with two words
--- config
    location / {
        miqps_sort on off;
    }
--- error_log
invalid number of arguments in "miqps_sort" directive



=== TEST 22: miqps_sort twice
--- config
    location / {
        miqps_sort on;
        miqps_sort off;
    }
--- error_log
"miqps_sort" directive is duplicate



=== TEST 23: miqps_sort inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_sort on;
        }
    }
--- error_log
"miqps_sort" directive is not allowed here



=== TEST 24: miqps_host without a host
--- config
    location / {
        miqps_host;
    }
--- error_log
invalid number of arguments in "miqps_host" directive



=== TEST 25: miqps_host with two hosts
--- config
    location / {
        miqps_host a b;
    }
--- error_log
invalid number of arguments in "miqps_host" directive



=== TEST 26: miqps_host twice
--- config
    location / {
        miqps_host a;
        miqps_host b;
    }
--- error_log
"miqps_host" directive is duplicate



=== TEST 27: miqps_host with an unknown variable
--- config
    location / {
        miqps_host $nowhere;
    }
--- unplaced
--- error_log
unknown "nowhere" variable



=== TEST 28: miqps_host inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_host a;
        }
    }
--- error_log
"miqps_host" directive is not allowed here



=== TEST 29: miqps_bypass without a word
--- config
    location / {
        miqps_bypass;
    }
--- error_log
invalid number of arguments in "miqps_bypass" directive



=== TEST 30: miqps_bypass with an unknown variable
--- config
    location / {
        miqps_bypass $nowhere;
    }
--- unplaced
--- error_log
unknown "nowhere" variable



=== TEST 31: miqps_bypass inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_bypass 1;
        }
    }
--- error_log
"miqps_bypass" directive is not allowed here



=== TEST 32: miqps_headers without a word
--- config
    location / {
        miqps_headers;
    }
--- error_log
invalid number of arguments in "miqps_headers" directive



=== TEST 33: miqps_headers with a wrong word
--- config
    location / {
        miqps_headers yes;
    }
--- error_log
invalid parameters of "miqps_headers", they must be "off", "on" or "on response"



=== TEST 34: miqps_headers with a wrong second word
--- config
    location / {
        miqps_headers on request;
    }
--- error_log
invalid parameters of "miqps_headers"



=== TEST 35: miqps_headers off with a second word
--- config
    location / {
        miqps_headers off response;
    }
--- error_log
invalid parameters of "miqps_headers"



=== TEST 36: miqps_headers twice
--- config
    location / {
        miqps_headers on;
        miqps_headers off;
    }
--- error_log
"miqps_headers" directive is duplicate



=== TEST 37: miqps_headers inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_headers on;
        }
    }
--- error_log
"miqps_headers" directive is not allowed here



=== TEST 38: miqps_no_vary_search with a wrong word
--- config
    location / {
        miqps_no_vary_search gclid;
    }
--- error_log
invalid value "gclid" in "miqps_no_vary_search" directive, it must be "on" or "off"



=== TEST 39: miqps_no_vary_search twice
--- config
    location / {
        miqps_no_vary_search on;
        miqps_no_vary_search on;
    }
--- error_log
"miqps_no_vary_search" directive is duplicate



=== TEST 40: miqps_no_vary_search inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_no_vary_search on;
        }
    }
--- error_log
"miqps_no_vary_search" directive is not allowed here



=== TEST 41: miqps_set without a value
--- config
    location / {
        miqps_set $clean;
    }
--- error_log
invalid number of arguments in "miqps_set" directive



=== TEST 42: miqps_set with too many words
--- config
    location / {
        miqps_set $clean $arg_u decode decode;
    }
--- error_log
invalid number of arguments in "miqps_set" directive



=== TEST 43: miqps_set of what is no variable
--- config
    location / {
        miqps_set clean $arg_u;
    }
--- error_log
invalid variable name "clean" in "miqps_set", it must begin with "$"



=== TEST 44: miqps_set of a variable without a name
--- config
    location / {
        miqps_set $ $arg_u;
    }
--- error_log
invalid variable name "$" in "miqps_set"



=== TEST 45: miqps_set with a wrong third word
--- config
    location / {
        miqps_set $clean $arg_u unescape;
    }
--- error_log
invalid parameter "unescape" in "miqps_set", it must be "decode"



=== TEST 46: miqps_set of one variable twice
--- config
    location / {
        miqps_set $clean $arg_u;
        miqps_set $clean $arg_v;
    }
--- error_log
"miqps_set" of "$clean" is duplicate



=== TEST 47: miqps_set of one variable twice, in another case
--- config
    location / {
        miqps_set $clean $arg_u;
        miqps_set $CLEAN $arg_v;
    }
--- error_log
"miqps_set" of "$CLEAN" is duplicate



=== TEST 48: miqps_set of a variable of nginx
--- config
    location / {
        miqps_set $uri $arg_u;
    }
--- error_log
the duplicate "uri" variable



=== TEST 49: miqps_set of a variable that nginx lets others change
--- config
    location / {
        miqps_set $args $arg_u;
    }
--- error_log
"$args" in "miqps_set" has its value from elsewhere, choose another name



=== TEST 50: miqps_set of a variable that a map has
--- http_config
    map $arg_a $clean {
        default 1;
    }
    miqps_set $clean $arg_u;
--- error_log
"$clean" in "miqps_set" has its value from elsewhere



=== TEST 51: a map of a variable that miqps_set has
--- http_config
    miqps_set $clean $arg_u;
    map $arg_a $clean {
        default 1;
    }
--- error_log
the duplicate "clean" variable



=== TEST 52: miqps_set from an unknown variable
--- config
    location / {
        miqps_set $clean $nowhere;
    }
--- unplaced
--- error_log
unknown "nowhere" variable



=== TEST 53: miqps_set inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_set $clean $arg_u;
        }
    }
--- error_log
"miqps_set" directive is not allowed here



=== TEST 54: miqps_set of a variable that "set" has
--- config
    location / {
        set $clean 1;
        miqps_set $clean $arg_u;
    }
--- error_log
"$clean" in "miqps_set" has its value from elsewhere



=== TEST 55: "set" of a variable that miqps_set has
--- config
    location / {
        miqps_set $clean $arg_u;
        set $clean 1;
    }
--- error_log
the duplicate "clean" variable



=== TEST 56: miqps_learn is on or off
--- config
    miqps_learn maybe;
--- error_log
invalid value "maybe" in "miqps_learn" directive



=== TEST 57: miqps_learn twice
--- config
    miqps_learn on;
    miqps_learn off;
--- error_log
"miqps_learn" directive is duplicate



=== TEST 58: miqps_learn for everybody
--- http_config
    miqps_learn on;
--- error_log
"miqps_learn" directive is not allowed here



=== TEST 62: miqps_path_rules with a wrong word
--- config
    location / {
        miqps_path_rules maybe;
    }
--- error_log
invalid value "maybe" in "miqps_path_rules" directive, it must be "on" or "off"



=== TEST 63: miqps_path_rules twice
--- config
    location / {
        miqps_path_rules on;
        miqps_path_rules off;
    }
--- error_log
"miqps_path_rules" directive is duplicate



=== TEST 64: miqps_path_rules inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_path_rules on;
        }
    }
--- error_log
"miqps_path_rules" directive is not allowed here
