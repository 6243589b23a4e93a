# Copyright (C) the ngx_miqps authors
#
# miqps_corpus that nginx must not start with.

use lib 't';
use Miqps;
use Corpus;
use Refused;

run_tests();

__DATA__

=== TEST 1: no file
--- config
    miqps_corpus;
--- error_log
invalid number of arguments in "miqps_corpus" directive



=== TEST 2: twice at a level
--- config
    miqps_corpus CORPUS;
    miqps_corpus off;
--- error_log
"miqps_corpus" directive is duplicate



=== TEST 3: off, and something
--- config
    miqps_corpus off zone=a:1m;
--- error_log
"miqps_corpus off" takes no parameters



=== TEST 4: a parameter that there is not
--- config
    miqps_corpus CORPUS gzip=1;
--- error_log
unknown parameter "gzip=1" of "miqps_corpus", it takes "zone=", "sample=", "if=", "buffer=", "flush=", "age=" and "private="



=== TEST 5: one twice
--- config
    miqps_corpus CORPUS flush=1s flush=2s;
--- error_log
duplicate parameter "flush=2s" of "miqps_corpus"



=== TEST 6: a zone without a size
--- config
    miqps_corpus CORPUS zone=a;
--- error_log
the zone "a" of "miqps_corpus" needs a size where it is named first



=== TEST 7: a zone that is too small
--- config
    miqps_corpus CORPUS zone=a:1k;
--- error_log
invalid parameter "zone=a:1k" of "miqps_corpus", it must be NAME or NAME:SIZE, of 64k at least



=== TEST 8: a zone without a name
--- config
    miqps_corpus CORPUS zone=:1m;
--- error_log
invalid parameter "zone=:1m" of "miqps_corpus"



=== TEST 9: a share of more than all
--- config
    miqps_corpus CORPUS sample=101%;
--- error_log
invalid parameter "sample=101%" of "miqps_corpus", it must be a share such as 10% or 0.5%



=== TEST 10: a number that could mean anything
--- config
    miqps_corpus CORPUS sample=10;
--- error_log
invalid parameter "sample=10" of "miqps_corpus"



=== TEST 11: a share of nothing
--- config
    miqps_corpus CORPUS sample=0%;
--- error_log
invalid parameter "sample=0%" of "miqps_corpus"



=== TEST 12: a buffer that is too small
--- config
    miqps_corpus CORPUS buffer=1k;
--- error_log
invalid parameter "buffer=1k" of "miqps_corpus", it must be a size of 4k at least



=== TEST 13: no time
--- config
    miqps_corpus CORPUS flush=soon;
--- error_log
invalid parameter "flush=soon" of "miqps_corpus", it must be a time



=== TEST 14: an age that is none
--- config
    miqps_corpus CORPUS age=0;
--- error_log
invalid parameter "age=0" of "miqps_corpus", it must be a time of 2 seconds at least



=== TEST 15: neither on nor off
--- config
    miqps_corpus CORPUS private=yes;
--- error_log
invalid parameter "private=yes" of "miqps_corpus", it must be "on" or "off"



=== TEST 16: an empty condition
--- config
    miqps_corpus CORPUS if=;
--- error_log
invalid parameter "if=" of "miqps_corpus", it must be a condition



=== TEST 17: a name with a variable
--- config
    miqps_corpus CORPUS.$host;
--- error_log
"miqps_corpus" needs a file, and no variables in its name



=== TEST 18: syslog
--- config
    miqps_corpus syslog:server=127.0.0.1;
--- error_log
"miqps_corpus" needs a file, and no variables in its name "syslog:server=127.0.0.1"



=== TEST 19: no regular file
--- config
    miqps_corpus /dev/null;
--- error_log
"miqps_corpus" and "/dev/null": it is no regular file



=== TEST 20: a folder that is not there
--- config
    miqps_corpus /nowhere/at/all/x;
--- error_log
"miqps_corpus" and "/nowhere/at/all/x": it cannot be opened (2: No such file or directory)



=== TEST 21: one file, two buffers
--- config
    miqps_corpus CORPUS buffer=8k;
    location / {
        miqps_corpus CORPUS buffer=16k;
    }
--- error_log
of "miqps_corpus" has another "buffer" or "flush" already



=== TEST 22: the file of an access_log
--- config
    access_log CORPUS combined buffer=4k;
    miqps_corpus CORPUS;
--- error_log
of "miqps_corpus" is another log, too
