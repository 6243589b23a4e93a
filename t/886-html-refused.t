# Copyright (C) the ngx_miqps authors
#
# Wrong arguments of directives for pages.

use lib 't';
use Miqps;
use Refused;

run_tests();

__DATA__

=== TEST 1: a kind of response that there is not
--- config
    location / {
        miqps_response body;
    }
--- error_log
invalid value "body"



=== TEST 2: types without a type
--- config
    location / {
        miqps_response_types;
    }
--- error_log
invalid number of arguments in "miqps_response_types" directive



=== TEST 3: neither on nor off
--- config
    location / {
        miqps_response_last_modified yes;
    }
--- error_log
invalid value "yes" in "miqps_response_last_modified" directive, it must be "on" or "off"



=== TEST 4: twice
--- config
    location / {
        miqps_response html;
        miqps_response off;
    }
--- error_log
"miqps_response" directive is duplicate



=== TEST 5: in an if
--- config
    location / {
        if ($arg_x) {
            miqps_response_types text/html;
        }
    }
--- error_log
"miqps_response_types" directive is not allowed here
