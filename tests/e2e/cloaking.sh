#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# What "miqps normalize" makes of the named cases, nginx makes of them too, in
# every mode, by HTTP/1.1 and by HTTP/2; and paths that would deceive a cache
# stay as they are.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
export MIQPS

spawn origin python3 tests/e2e/origin.py "$tmp/origin.sock"
tests/cases/run --list tests/cases/*.txt tests/e2e/deception.txt > "$tmp/cases"
wait_for test -S "$tmp/origin.sock"

# shellcheck disable=SC2016
nginx_start <<END
    upstream origin {
        server unix:$tmp/origin.sock;
        keepalive 4;
    }

    large_client_header_buffers 4 80k;
    keepalive_requests 1000000;
    absolute_redirect off;

    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_buffer_size 160k;
    proxy_buffers 8 160k;
    proxy_busy_buffers_size 320k;
    add_header X-Uri \$miqps_uri always;

$(python3 tests/e2e/cloaking.py conf "$tmp" "$tmp/cases")
END

results python3 tests/e2e/cloaking.py run "$tmp" "$tmp/cases"

result 'nginx stops' nginx_stop
result 'nginx raised no alarm' nginx_quiet

finish
