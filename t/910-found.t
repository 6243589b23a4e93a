# Copyright (C) the ngx_miqps authors
#
# What once went wrong, and has no better place.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: recursive_error_pages does not make an error page a page
--- config
    recursive_error_pages on;

    location /p {
        error_page 404 @error;
        return 404;
    }

    location @error {
        miqps redirect;
        return 200 "$args|$miqps_verdict";
    }
--- request
GET /p?id=1&gclid=2
--- error_code: 404
--- response_body: id=1&gclid=2|error-page



=== TEST 2: $miqps_url has the server's name where redirects have it
--- config
    server_name_in_redirect on;
    port_in_redirect off;

    location / {
        miqps annotate;
        return 200 "$miqps_url";
    }
--- more_headers
Host: forged.example
--- request
GET /p?gclid=2
--- response_body: http://localhost/p



=== TEST 3: a header for the origin does not spoil a key that is made before it
--- http_config
    proxy_cache_path $TEST_NGINX_SERVROOT/cache keys_zone=one:1m;
--- config
    location / {
        miqps annotate;
        proxy_cache one;
        proxy_cache_valid 1h;
        proxy_cache_key $host$uri$args;
        proxy_set_header X-Clean $miqps_uri;
        add_header X-Cache $upstream_cache_status;
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /910-3?a=1&gclid=1', 'GET /910-3?a=1&gclid=1' ]
--- response_headers eval
[ 'X-Cache: MISS', 'X-Cache: HIT' ]



=== TEST 4: a variable that is read early does not keep a request from its turn
--- config
    miqps rewrite;
    set $early "$miqps_verdict $miqps_uri $miqps_key";

    location / {
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?a=1&gclid=1', 'GET /p?a=1' ]
--- response_body eval
[ '/p?a=1', '/p?a=1' ]



=== TEST 5: nginx's redirect to a folder and ours come to an end
--- config
    location / {
        miqps redirect;
        root html;
    }
--- user_files
>>> folder/index.html
in
--- request eval
[ 'GET /folder?gclid=1', 'GET /folder', 'GET /folder/' ]
--- error_code eval
[ 302, 301, 200 ]



=== TEST 6: a raw "#" behind arguments leaves the parts of the URL in place
--- config
    location / {
        miqps rewrite;
        return 200 "$miqps_verdict|$miqps_original|$miqps_args|$miqps_pattern";
    }
--- request eval
[ 'GET /p?a=1&gclid=2#x', 'GET /p?#', 'GET /p#x?gclid=1' ]
--- response_body eval
[ 'opaque:fragment|/p?a=1&gclid=2#x|a=1&gclid=2#x|a&gclid',
  'opaque:fragment|/p?#|#|#', 'clean|/p#x?gclid=1||' ]
