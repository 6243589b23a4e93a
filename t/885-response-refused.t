# Copyright (C) the ngx_miqps authors
#
# Configurations of responses that nginx must not start with.

use lib 't';
use Miqps;
use Refused;

run_tests();

__DATA__

=== TEST 1: a word that is none
--- config
    miqps_response body;
--- error_log
invalid value "body"



=== TEST 2: twice
--- config
    miqps_response headers;
    miqps_response html;
--- error_log
"miqps_response" directive is duplicate



=== TEST 3: a host with a port
--- config
    miqps_response_hosts other.example:80;
--- error_log
invalid host "other.example:80" in "miqps_response_hosts", it must be a name without a port, or "*." and a name



=== TEST 4: a host that is none
--- config
    miqps_response_hosts a/b;
--- error_log
invalid host "a/b" in "miqps_response_hosts"



=== TEST 5: a wildcard at the end
--- config
    miqps_response_hosts shop.*;
--- error_log
invalid host "shop.*" in "miqps_response_hosts"



=== TEST 6: one host twice
--- config
    miqps_response_hosts a.example A.example;
--- error_log
"A.example" in "miqps_response_hosts" is there twice



=== TEST 7: hosts at one level twice
--- config
    miqps_response_hosts a.example;
    miqps_response_hosts b.example;
--- error_log
"miqps_response_hosts" directive is duplicate



=== TEST 8: a canonical link is on or off
--- config
    miqps_canonical_link yes;
--- error_log
invalid value "yes" in "miqps_canonical_link" directive



=== TEST 9: purging is on or off
--- config
    miqps_purge PURGE;
--- error_log
invalid value "PURGE" in "miqps_purge" directive



=== TEST 10: lists are for a location
--- config
    miqps_normalize;
--- error_log
"miqps_normalize" directive is not allowed here



=== TEST 11: ... and once
--- config
    location / {
        miqps_normalize;
        miqps_normalize;
    }
--- error_log
"miqps_normalize" directive is duplicate
