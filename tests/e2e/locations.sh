#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Redirects of an upstream are right or untouched, lead to no other host than
# they did, and not in circles: a client that follows them arrives where it
# would have arrived without the module.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

nginx_start <<END
    server {
        listen unix:$tmp/www.sock;

        location / {
            miqps_response headers;
            miqps_response_hosts partner.example *.cdn.example;
            proxy_redirect off;
            proxy_pass http://unix:$tmp/origin.sock;
        }
    }

    server {
        listen unix:$tmp/origin.sock;
        absolute_redirect off;
        merge_slashes off;
        return 302 \$http_x_to;
    }

    server {
        listen unix:$tmp/with.sock;
        server_name shop.example;

        miqps_strip sid;

        location / {
            miqps_response headers;
            proxy_redirect off;
            proxy_set_header Host \$host;
            proxy_pass http://unix:$tmp/maze.sock;
        }
    }

    server {
        listen unix:$tmp/without.sock;

        location / {
            proxy_redirect off;
            proxy_set_header Host \$host;
            proxy_pass http://unix:$tmp/maze.sock;
        }
    }
END

results python3 tests/e2e/locations.py tests/e2e/locations.txt "$tmp/www.sock"

spawn maze python3 tests/e2e/maze.py serve "$tmp/maze.sock"
wait_for test -S "$tmp/maze.sock"

results python3 tests/e2e/maze.py walk "$tmp/with.sock" "$tmp/without.sock"

result 'nginx stops' nginx_stop
result 'nginx raised no alarm' nginx_quiet

finish
