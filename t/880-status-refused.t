# Copyright (C) the ngx_miqps authors
#
# miqps_status that nginx must not start with.

use lib 't';
use Miqps;
use Refused;

run_tests();

__DATA__

=== TEST 1: a form that there is not
--- config
    location / {
        miqps_status html;
    }
--- error_log
invalid parameter "html" of "miqps_status", it takes "json" or "prometheus", and "hosts=NUMBER"



=== TEST 2: two forms
--- config
    location / {
        miqps_status json prometheus;
    }
--- error_log
invalid parameter "prometheus" of "miqps_status"



=== TEST 3: a number twice
--- config
    location / {
        miqps_status hosts=1 hosts=2;
    }
--- error_log
invalid parameter "hosts=2" of "miqps_status"



=== TEST 4: no number
--- config
    location / {
        miqps_status hosts=;
    }
--- error_log
invalid number "hosts=" in "miqps_status", it must be 16384 at most



=== TEST 5: something else
--- config
    location / {
        miqps_status hosts=many;
    }
--- error_log
invalid number "hosts=many" in "miqps_status"



=== TEST 6: a number that is too large
--- config
    location / {
        miqps_status hosts=16385;
    }
--- error_log
invalid number "hosts=16385" in "miqps_status"



=== TEST 7: three parameters
--- config
    location / {
        miqps_status json hosts=1 more;
    }
--- error_log
invalid number of arguments in "miqps_status" directive



=== TEST 8: twice in one location
--- config
    location / {
        miqps_status;
        miqps_status;
    }
--- error_log
"miqps_status" directive is duplicate



=== TEST 9: in a server
--- config
    miqps_status;
--- error_log
"miqps_status" directive is not allowed here



=== TEST 10: in http
--- http_config
    miqps_status;
--- error_log
"miqps_status" directive is not allowed here



=== TEST 11: in "if"
--- config
    location / {
        if ($arg_a) {
            miqps_status;
        }
    }
--- error_log
"miqps_status" directive is not allowed here
