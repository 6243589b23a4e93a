# Copyright (C) the ngx_miqps authors
#
# Rules files that cannot be used.

use lib 't';
use Miqps;
use Refused;

run_tests();

__DATA__

=== TEST 1: miqps_rules without a file
--- config
    location / {
        miqps_rules;
    }
--- error_log
invalid number of arguments in "miqps_rules" directive



=== TEST 2: miqps_rules with two files
--- config
    location / {
        miqps_rules a.json b.json;
    }
--- error_log
invalid number of arguments in "miqps_rules" directive



=== TEST 3: a file that there is not
--- config
    location / {
        miqps_rules none.json;
    }
--- error_log
/none.json" failed (2: No such file or directory)



=== TEST 4: a folder
--- config
    location / {
        miqps_rules ../html;
    }
--- error_log
/html" is not a rules file: it is a directory



=== TEST 5: a device
--- config
    location / {
        miqps_rules /dev/null;
    }
--- error_log
"/dev/null" is not a rules file: it is not a regular file



=== TEST 6: an empty file
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json

--- error_log
/r.json:1:1: not JSON



=== TEST 7: a file that is not JSON
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1 "strip" }
--- error_log
/r.json:1:16: not JSON



=== TEST 8: something behind the object
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1 } x
--- error_log
not JSON: something follows the object



=== TEST 9: JSON that is no object
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
[ 1 ]
--- error_log
a rules file is an object, {"version": 1, ...}



=== TEST 10: no version
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "strip": [ "a" ] }
--- error_log
no "version"; this is what version 1 reads



=== TEST 11: a version to come
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 2 }
--- error_log
version 2 of rules files; this program reads version 1



=== TEST 12: a key that is not known, with line and column
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{
  "version": 1,
  "stripp": [ "a" ]
}
--- error_log
/r.json:3:3: unknown key "stripp"



=== TEST 13: a key that is there twice
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "strip": [ "a" ], "strip": [ "b" ] }
--- error_log
duplicate key "strip"



=== TEST 14: a key of the wrong type
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "strip": "a" }
--- error_log
"strip" must be an array



=== TEST 15: a rule of the wrong type
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "strip": [ 7 ] }
--- error_log
a rule must be a string, or an object with "name"



=== TEST 16: a rule that is there twice
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "strip": [ "a", "a" ] }
--- error_log
duplicate "a"



=== TEST 17: an expression that does not compile
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "strip": [ "~(" ] }
--- error_log
"~(" is not a regular expression: 



=== TEST 18: an expression that takes too long
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "strip": [ "~^(a+)+$" ] }
--- error_log
"~^(a+)+$"



=== TEST 19: a site without hosts and paths
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "sites": [ { "strip": [ "a" ] } ] }
--- error_log
a site needs "hosts" or "paths"



=== TEST 20: a host in capitals
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "sites": [ { "hosts": [ "Shop.Example" ], "strip": [ "a" ] } ] }
--- error_log
Shop.Example



=== TEST 21: a site with an unknown platform
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "sites": [ { "hosts": [ "a.example" ], "platforms": [ "amiga" ] } ] }
--- error_log
unknown platform "amiga"; known are 



=== TEST 22: a file twice at one level
--- config
    location / {
        miqps_rules ../html/r.json;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1 }
--- error_log
"miqps_rules" directive is duplicate



=== TEST 23: off beside a file
--- config
    location / {
        miqps_rules ../html/r.json;
        miqps_rules off;
    }
--- user_files
>>> r.json
{ "version": 1 }
--- error_log
"miqps_rules" directive takes "off" only where there are no other rules



=== TEST 24: a file beside off
--- config
    location / {
        miqps_rules off;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1 }
--- error_log
"miqps_rules" directive takes "off" only where there are no other rules



=== TEST 25: miqps_rules inside of if
--- config
    location / {
        if ($arg_a) {
            miqps_rules off;
        }
    }
--- error_log
"miqps_rules" directive is not allowed here



=== TEST 26: a wrong file is refused also where it is off
--- config
    location / {
        miqps off;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{
--- error_log
not JSON



=== TEST 27: a NUL in a rule
--- config
    location / {
        miqps rewrite;
        miqps_rules ../html/r.json;
    }
--- user_files
>>> r.json
{ "version": 1, "strip": [ "a\u0000b" ] }
--- error_log
NUL, \u0000, cannot be part of a rule
