# Copyright (C) the ngx_miqps authors
#
# Wrong arguments of miqps_zone and miqps_use.

use lib 't';
use Miqps;
use Refused;

run_tests();

__DATA__

=== TEST 1: miqps_zone without anything
--- http_config
    miqps_zone;
--- error_log
invalid number of arguments in "miqps_zone" directive



=== TEST 2: miqps_zone without a size
--- http_config
    miqps_zone shop;
--- error_log
invalid number of arguments in "miqps_zone" directive



=== TEST 3: a size that is none
--- http_config
    miqps_zone shop big;
--- error_log
invalid size "big" of "miqps_zone"



=== TEST 4: a size with a sign
--- http_config
    miqps_zone shop -1m;
--- error_log
invalid size "-1m" of "miqps_zone"



=== TEST 5: an empty size
--- http_config
    miqps_zone shop '';
--- error_log
invalid size "" of "miqps_zone"



=== TEST 6: a size that is too small
--- http_config
    miqps_zone shop 64k;
--- error_log
invalid size "64k" of "miqps_zone", it must be 256k at least



=== TEST 7: a size that is just too small
--- http_config
    miqps_zone shop 255k;
--- error_log
invalid size "255k" of "miqps_zone", it must be 256k at least



=== TEST 8: a size that no number holds
--- http_config
    miqps_zone shop 99999999999999999999g;
--- error_log
invalid size "99999999999999999999g" of "miqps_zone"



=== TEST 9: a map where the size should be
--- http_config
    miqps_zone shop map=shop.map;
--- error_log
invalid size "map=shop.map" of "miqps_zone"



=== TEST 10: watch without a map
--- http_config
    miqps_zone shop 1m watch=1s;
--- error_log
"watch" of "miqps_zone" needs a "map"



=== TEST 11: watch with no time
--- http_config
    miqps_zone shop 1m map=shop.map watch=;
--- error_log
invalid parameter "watch=" of "miqps_zone", it takes "map=FILE" and "watch=TIME", each once



=== TEST 12: watch all the time
--- http_config
    miqps_zone shop 1m map=shop.map watch=0;
--- error_log
invalid parameter "watch=0" of "miqps_zone"



=== TEST 13: watch with a time that is none
--- http_config
    miqps_zone shop 1m map=shop.map watch=often;
--- error_log
invalid parameter "watch=often" of "miqps_zone"



=== TEST 14: watch twice
--- http_config
    miqps_zone shop 1m watch=1s watch=2s;
--- error_log
invalid parameter "watch=2s" of "miqps_zone"



=== TEST 15: a map without a name
--- http_config
    miqps_zone shop 1m map=;
--- error_log
invalid parameter "map=" of "miqps_zone"



=== TEST 16: two maps
--- http_config
    miqps_zone shop 1m map=one.map map=two.map;
--- error_log
invalid parameter "map=two.map" of "miqps_zone"



=== TEST 17: an option that there is not
--- http_config
    miqps_zone shop 1m file=shop.map;
--- error_log
invalid parameter "file=shop.map" of "miqps_zone", it takes "map=FILE" and "watch=TIME", each once



=== TEST 18: a word that is no option
--- http_config
    miqps_zone shop 1m shop.map;
--- error_log
invalid parameter "shop.map" of "miqps_zone"



=== TEST 19: an option in capitals
--- http_config
    miqps_zone shop 1m MAP=shop.map;
--- error_log
invalid parameter "MAP=shop.map" of "miqps_zone"



=== TEST 20: one word too many
--- http_config
    miqps_zone shop 1m map=shop.map watch=1s more;
--- error_log
invalid number of arguments in "miqps_zone" directive



=== TEST 21: a zone without a name
--- http_config
    miqps_zone '' 1m;
--- error_log
invalid name "" of "miqps_zone"



=== TEST 22: a zone that nobody could use
--- http_config
    miqps_zone off 1m;
--- error_log
invalid name "off" of "miqps_zone"



=== TEST 23: two zones of one name
--- http_config
    miqps_zone shop 1m;
    miqps_zone shop 1m;
--- error_log
duplicate zone "shop" in "miqps_zone"



=== TEST 24: two zones of one name, of different sizes
--- http_config
    miqps_zone shop 1m;
    miqps_zone shop 2m;
--- error_log
"shop"



=== TEST 25: the name of a zone of somebody else
--- http_config
    limit_req_zone $host zone=shop:1m rate=1r/s;
    miqps_zone shop 1m;
--- error_log
the shared memory zone "shop" is already declared for a different use



=== TEST 26: the name of a zone that is ours already
--- http_config
    miqps_zone shop 1m;
    limit_req_zone $host zone=shop:1m rate=1r/s;
--- error_log
"shop"



=== TEST 27: miqps_zone in a server
--- config
    miqps_zone shop 1m;
--- error_log
"miqps_zone" directive is not allowed here



=== TEST 28: miqps_use without a zone
--- config
    miqps_use;
--- error_log
invalid number of arguments in "miqps_use" directive



=== TEST 29: miqps_use with two zones
--- http_config
    miqps_zone one 1m;
    miqps_zone two 1m;
--- config
    miqps_use one two;
--- error_log
invalid number of arguments in "miqps_use" directive



=== TEST 30: a zone that there is not
--- http_config
    miqps_zone one 1m;
--- config
    location / {
        miqps rewrite;
        miqps_use two;
    }
--- error_log
"miqps_use" names the zone "two", which no "miqps_zone" defines



=== TEST 31: a zone that there is not, where there are none at all
--- http_config
    miqps_use shop;
--- error_log
"miqps_use" names the zone "shop", which no "miqps_zone" defines



=== TEST 32: a zone of somebody else
--- http_config
    limit_req_zone $host zone=shop:1m rate=1r/s;
--- config
    miqps_use shop;
--- error_log
"miqps_use" names the zone "shop", which no "miqps_zone" defines



=== TEST 33: an empty name
--- config
    miqps_use '';
--- error_log
"miqps_use" names the zone ""



=== TEST 34: twice at one level
--- http_config
    miqps_zone one 1m;
--- config
    miqps_use one;
    miqps_use off;
--- error_log
"miqps_use" directive is duplicate



=== TEST 35: in "if"
--- http_config
    miqps_zone one 1m;
--- config
    location / {
        if ($arg_a) {
            miqps_use one;
        }
    }
--- error_log
"miqps_use" directive is not allowed here
