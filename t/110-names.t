# Copyright (C) the ngx_miqps authors
#
# What miqps_keep and miqps_strip name.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: a name is stripped wherever it stands
--- config
    location / {
        miqps rewrite;
        miqps_strip sid;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?sid=1&a=2', 'GET /p?a=2&sid=1&b=3', 'GET /p?a=2&sid=1', 'GET /p?sid',
  'GET /p?sid=&a=1' ]
--- response_body eval
[ '/p?a=2', '/p?a=2&b=3', '/p?a=2', '/p', '/p?a=1' ]



=== TEST 2: a name is that name and no other
--- config
    location / {
        miqps rewrite;
        miqps_strip sid;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?SID=1', 'GET /p?sid2=1', 'GET /p?xsid=1', 'GET /p?s=sid', 'GET /sid' ]
--- response_body eval
[ '/p?SID=1', '/p?sid2=1', '/p?xsid=1', '/p?s=sid', '/sid' ]



=== TEST 3: a name is found in escapes of its letters
--- config
    location / {
        miqps rewrite;
        miqps_strip sid;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?%73id=1&a=2', 'GET /p?s%69d=1&a=2', 'GET /p?%73%69%64=1&a=2' ]
--- response_body eval
[ ('/p?a=2') x 3 ]



=== TEST 4: several names of one directive
--- config
    location / {
        miqps rewrite;
        miqps_strip one two three;
        return 200 "$request_uri";
    }
--- request
GET /p?three=3&id=0&one=1&two=2
--- response_body: /p?id=0



=== TEST 5: a name that occurs several times goes as a whole
--- config
    location / {
        miqps rewrite;
        miqps_strip sid;
        return 200 "$request_uri";
    }
--- request
GET /p?sid=1&a=2&sid=3
--- response_body: /p?a=2



=== TEST 6: a star at the end
--- config
    location / {
        miqps rewrite;
        miqps_strip tr_*;
        return 200 "$request_uri";
    }
--- request
GET /p?tr_a=1&tr_=2&tr=3&xtr_=4
--- response_body: /p?tr=3&xtr_=4



=== TEST 7: a star at the beginning
--- config
    location / {
        miqps rewrite;
        miqps_strip *_id;
        return 200 "$request_uri";
    }
--- request
GET /p?click_id=1&_id=2&id=3&click_idx=4
--- response_body: /p?id=3&click_idx=4



=== TEST 8: a star in the middle
--- config
    location / {
        miqps rewrite;
        miqps_strip a*z;
        return 200 "$request_uri";
    }
--- request
GET /p?az=1&a_z=2&a=3&z=4&abc=5
--- response_body: /p?a=3&z=4&abc=5



=== TEST 9: a star alone is every name
--- config
    location / {
        miqps rewrite;
        miqps_strip *;
        miqps_keep id;
        return 200 "$request_uri";
    }
--- request
GET /p?a=1&id=2&b=3
--- response_body: /p?id=2



=== TEST 10: a name with one value
--- config
    location / {
        miqps rewrite;
        miqps_strip page=1;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?page=1&a=2', 'GET /p?page=2', 'GET /p?page=11', 'GET /p?page=',
  'GET /p?page' ]
--- response_body eval
[ '/p?a=2', '/p?page=2', '/p?page=11', '/p?page=', '/p?page' ]



=== TEST 11: a name with one value stays if it is there twice
--- config
    location / {
        miqps rewrite;
        miqps_strip page=1;
        return 200 "$request_uri";
    }
--- request
GET /p?page=1&page=2
--- response_body: /p?page=1&page=2



=== TEST 12: an expression is searched in the name
--- config
    location / {
        miqps rewrite;
        miqps_strip "~^_[a-z]{2}$" ~click;
        return 200 "$request_uri";
    }
--- request
GET /p?_ab=1&_abc=2&myclickid=3&Click=4&a=click
--- response_body: /p?_abc=2&Click=4&a=click



=== TEST 13: an expression that ignores case
--- config
    location / {
        miqps rewrite;
        miqps_strip ~*click;
        return 200 "$request_uri";
    }
--- request
GET /p?myclickid=3&Click=4&a=click
--- response_body: /p?a=click



=== TEST 14: a quoted expression may hold anything
--- config
    location / {
        miqps rewrite;
        miqps_strip "~^(one|two);?$";
        return 200 "$request_uri";
    }
--- request
GET /p?one=1&two=2&three=3
--- response_body: /p?three=3



=== TEST 15: a kept name keeps its family
--- config
    location / {
        miqps rewrite;
        miqps_strip *;
        miqps_keep size a_b;
        return 200 "$request_uri";
    }
--- request
GET /p?size[]=1&size[min]=2&a.b=3&c=4
--- response_body: /p?size[]=1&size[min]=2&a.b=3



=== TEST 16: a stripped name is only what it says
--- config
    location / {
        miqps rewrite;
        miqps_strip size;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?size=1&a=1', 'GET /p?size[]=1&a=1', 'GET /p?size=1&size[]=2&a=1' ]
--- response_body eval
[ '/p?a=1', '/p?size[]=1&a=1', '/p?size=1&size[]=2&a=1' ]



=== TEST 17: keep with a star, an expression and a value
--- config
    location / {
        miqps rewrite;
        miqps_strip *;
        miqps_keep f_* ~^x\d$ lang=de;
        return 200 "$request_uri";
    }
--- request eval
[ 'GET /p?f_a=1&x1=2&xx=3&lang=de', 'GET /p?f_a=1&x1=2&xx=3&lang=en' ]
--- response_body eval
[ '/p?f_a=1&x1=2&lang=de', '/p?f_a=1&x1=2' ]



=== TEST 18: a word that is left alone keeps an ampersand
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?amp&gclid=1', 'GET /p?amp', 'GET /p?amp&a=1&gclid=2' ]
--- response_body eval
[ '/p?amp&', '/p?amp', '/p?amp&a=1' ]



=== TEST 19: empty pieces go, and so does a question mark before nothing
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?', 'GET /p?&&', 'GET /p?&a=1&&b=2&', 'GET /?' ]
--- response_body eval
[ '/p', '/p', '/p?a=1&b=2', '/' ]



=== TEST 20: escapes of kept parameters take their usual form
--- config
    location / {
        miqps rewrite;
        return 200 "$request_uri";
    }
--- request
GET /%7eu?%61=%7eb%2fc&d=e+f%20g
--- response_body: /%7eu?a=~b%2Fc&d=e+f%20g
