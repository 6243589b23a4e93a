# Copyright (C) the ngx_miqps authors
#
# Internal redirects: a request is normalized once, and only while its
# arguments are those of the request line.

use lib 't';
use Miqps;
use Origin;

run_tests();

__DATA__

=== TEST 1: "rewrite ... last" from a location that rewrites
--- config
    miqps rewrite;

    location /a/ {
        rewrite ^/a/(.*)$ /b/$1 last;
    }

    location /b/ {
        add_header X-Uri "$request_uri|$miqps_original|$miqps_verdict";
        proxy_pass http://origin;
    }
--- request
GET /a/c?id=1&gclid=2
--- response_headers
X-Uri: /a/c?id=1|/a/c?id=1&gclid=2|stripped
--- response_body: /b/c?id=1



=== TEST 2: "rewrite ... last" into a location that rewrites
--- config
    location /a/ {
        rewrite ^/a/(.*)$ /b/$1 last;
    }

    location /b/ {
        miqps rewrite;
        add_header X-Uri "$request_uri|$miqps_uri";
        proxy_pass http://origin;
    }
--- request
GET /a/c?id=1&gclid=2
--- response_headers
X-Uri: /a/c?id=1|/a/c?id=1
--- response_body: /b/c?id=1



=== TEST 3: "rewrite ... break" sends clean arguments
--- config
    location / {
        miqps rewrite;
        rewrite ^/a/(.*)$ /b/$1 break;
        proxy_pass http://origin;
    }
--- request
GET /a/c?id=1&gclid=2
--- response_body: /b/c?id=1



=== TEST 4: "rewrite" with arguments of its own adds the clean ones
--- config
    location / {
        miqps rewrite;
        rewrite ^/a/(.*)$ /index.php?q=$1 break;
        proxy_pass http://origin;
    }
--- request
GET /a/c?id=1&gclid=2
--- response_body: /index.php?q=c&id=1



=== TEST 5: a server-level "rewrite" with new arguments makes it decline
--- config
    rewrite ^/a/(.*)$ /index.php?q=$1;

    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
--- request
GET /a/c?id=1&gclid=2
--- response_headers
X-Verdict: args
--- response_body: /index.php?q=c&id=1&gclid=2



=== TEST 6: a server-level "rewrite" of the path alone does not
--- config
    rewrite ^/a/(.*)$ /b/$1;

    location / {
        miqps rewrite;
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
--- request
GET /a/c?id=1&gclid=2
--- response_headers
X-Verdict: stripped
--- response_body: /b/c?id=1



=== TEST 7: "set $args" before makes it decline
--- config
    if ($arg_id) {
        set $args "gclid=3&id=$arg_id";
    }

    location / {
        miqps rewrite;
        add_header X-Verdict "$miqps_verdict|$miqps_uri|$request_uri";
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&gclid=2
--- response_headers
X-Verdict: args|/p?id=1&gclid=2|/p?id=1&gclid=2
--- response_body: /p?gclid=3&id=1



=== TEST 8: "set $args" that takes all away before makes it decline
--- config
    set $args '';

    location / {
        miqps rewrite;
        return 200 "$miqps_verdict|$args|$request_uri";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: args||/p?id=1&gclid=2



=== TEST 9: "set $args" to the same bytes does not matter
--- config
    set $args $args;

    location / {
        miqps rewrite;
        return 200 "$miqps_verdict|$args|$request_uri";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: stripped|id=1|/p?id=1



=== TEST 10: "set $args" after it works on clean arguments
--- config
    location / {
        miqps rewrite;
        set $args "a=1&$args";
        proxy_pass http://origin;
    }
--- request
GET /p?id=1&gclid=2
--- response_body: /p?a=1&id=1



=== TEST 11: redirect declines too when arguments were changed
--- config
    set $args "gclid=1";

    location / {
        miqps redirect;
        return 200 "$miqps_verdict|$args";
    }
--- request
GET /p?gclid=2
--- response_body: args|gclid=1



=== TEST 12: try_files with a fallback and $args
--- config
    miqps rewrite;

    location / {
        try_files $uri /index.php?$args;
    }

    location = /index.php {
        add_header X-Uri "$request_uri|$miqps_uri|$miqps_verdict";
        proxy_pass http://origin;
    }
--- request eval
[ 'GET /p?id=1&gclid=2', 'GET /p?gclid=2' ]
--- response_headers eval
[ 'X-Uri: /p?id=1|/p?id=1|stripped', 'X-Uri: /p|/p|stripped' ]
--- response_body_like eval
[ '^/index.php\?id=1$', '^/index.php\??$' ]



=== TEST 13: try_files with a fallback that adds arguments
--- config
    miqps rewrite;

    location / {
        try_files $uri /index.php?q=$uri&$args;
    }

    location = /index.php {
        return 200 "$args|$request_uri";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: q=/p&id=1|/p?id=1



=== TEST 14: try_files that finds a file
--- config
    location / {
        miqps rewrite;
        add_header X-Uri $request_uri;
        try_files $uri =404;
    }
--- user_files
>>> found.txt
found
--- request
GET /found.txt?gclid=2
--- response_headers
X-Uri: /found.txt
--- response_body
found



=== TEST 15: try_files into a named location, rewritten before
--- config
    location / {
        miqps rewrite;
        try_files /none @named;
    }

    location @named {
        add_header X-Verdict $miqps_verdict;
        proxy_pass http://origin;
    }
--- request
GET /a%2Fb?id=1&gclid=2
--- response_headers
X-Verdict: stripped
--- response_body: /a%2Fb?id=1



=== TEST 16: try_files from a location that is off into one that is not
--- config
    location / {
        try_files /none /in.php?$args;
    }

    location = /in.php {
        miqps rewrite;
        return 200 "$args|$request_uri|$miqps_verdict";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: id=1|/p?id=1|stripped



=== TEST 17: an error page is not normalized
--- config
    error_page 404 /error?gclid=1;

    location /p {
        return 404;
    }

    location = /error {
        miqps rewrite;
        return 200 "$args|$request_uri|$miqps_verdict";
    }
--- request
GET /p?id=1&gclid=2
--- error_code: 404
--- response_body: gclid=1|/p?id=1&gclid=2|error-page



=== TEST 18: an error page is not redirected, also in a named location
--- config
    error_page 404 = @error;

    location /p {
        return 404;
    }

    location @error {
        miqps redirect;
        return 200 "$args|$miqps_verdict";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: id=1&gclid=2|error-page



=== TEST 19: an error page of a request that was rewritten knows of it
--- config
    miqps rewrite;
    error_page 404 /error;

    location /p {
        return 404;
    }

    location = /error {
        return 200 "$request_uri|$miqps_uri|$miqps_original|$miqps_verdict";
    }
--- request
GET /p?id=1&gclid=2
--- error_code: 404
--- response_body: /p?id=1|/p?id=1|/p?id=1&gclid=2|stripped



=== TEST 20: an error of the origin goes to a fallback with the clean URL
--- config
    miqps rewrite;

    location / {
        proxy_intercept_errors on;
        error_page 404 = @fallback;
        proxy_pass http://origin/none/;
    }

    location @fallback {
        proxy_pass http://origin;
    }
--- origin
        location /none/ {
            return 404;
        }
--- request
GET /a%2Fb?id=1&gclid=2
--- response_body: /a%2Fb?id=1



=== TEST 21: X-Accel-Redirect with arguments of its own
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }

    location /internal {
        internal;
        miqps rewrite;
        return 200 "$args|$request_uri|$miqps_verdict";
    }
--- origin
        location / {
            add_header X-Accel-Redirect /internal?gclid=7;
            return 200;
        }
--- request
GET /p?id=1&gclid=2
--- response_body: gclid=7|/p?id=1|stripped



=== TEST 22: X-Accel-Redirect from a location that is off
--- config
    location / {
        proxy_pass http://origin;
    }

    location /internal {
        internal;
        miqps rewrite;
        return 200 "$args|$request_uri|$miqps_verdict";
    }
--- origin
        location / {
            add_header X-Accel-Redirect /internal?gclid=7;
            return 200;
        }
--- request
GET /p?id=1&gclid=2
--- response_body: gclid=7|/p?id=1&gclid=2|args



=== TEST 23: X-Accel-Redirect is not answered with a redirect
--- config
    location / {
        proxy_pass http://origin;
    }

    location /internal {
        internal;
        miqps redirect;
        return 200 "$args|$miqps_verdict";
    }
--- origin
        location / {
            add_header X-Accel-Redirect /internal;
            return 200;
        }
--- request
GET /p?id=1&gclid=2
--- response_body: |args



=== TEST 24: an index file is served with the clean URL
--- config
    location / {
        miqps rewrite;
        index start.html;
        add_header X-Uri $request_uri;
        add_header X-Verdict $miqps_verdict;
    }
--- user_files
>>> start.html
start
--- request
GET /?gclid=2
--- response_headers
X-Uri: /
X-Verdict: stripped
--- response_body
start



=== TEST 25: nginx's own redirect to a folder has clean arguments
--- config
    location / {
        miqps rewrite;
    }
--- user_files
>>> folder/index.html
in
--- request
GET /folder?id=1&gclid=2
--- error_code: 301
--- response_headers
Location: http://localhost:$ServerPort/folder/?id=1



=== TEST 26: "return" with a URL has clean variables
--- config
    location / {
        miqps rewrite;
        return 301 https://new.example$request_uri;
    }
--- request
GET /a%2Fb?id=1&gclid=2
--- error_code: 301
--- response_headers
Location: https://new.example/a%2Fb?id=1



=== TEST 27: a server-level "return" comes before it
--- config
    miqps rewrite;
    return 200 "$request_uri $miqps_uri";
--- request
GET /p?id=1&gclid=2
--- response_body: /p?id=1&gclid=2 /p?id=1



=== TEST 28: ten rounds of "rewrite" end as they do without it
--- config
    miqps rewrite;

    location / {
        rewrite ^ /again last;
    }
--- request
GET /p?gclid=2
--- error_code: 500
--- error_log
rewrite or internal redirection cycle



=== TEST 29: annotate tells what it would do after an internal redirect
--- config
    miqps annotate;

    location / {
        try_files $uri /index.php?q=$uri;
    }

    location = /index.php {
        return 200 "$args|$miqps_uri|$miqps_verdict";
    }
--- request
GET /p?id=1&gclid=2
--- response_body: q=/p|/p?id=1|stripped
