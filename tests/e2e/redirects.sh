#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Redirect mode leads nobody to another host, and nobody in circles; and no
# header ever has a line too much.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

port=$(free_port)


# server ABSOLUTE MERGE [LISTEN [MODE]]

server() {
    cat <<END
    server {
        listen ${3:-unix:$tmp/$1-$2};
        absolute_redirect $1;
        merge_slashes $2;

        miqps ${4:-redirect};
        miqps_sort on;
        miqps_headers on response;

        add_header X-E2e-Host \$host always;
        add_header X-E2e-Uri \$miqps_uri always;
        add_header X-E2e-Args \$miqps_args always;
        add_header X-E2e-Url \$miqps_url always;
        add_header X-E2e-Original \$miqps_original always;
        add_header X-E2e-Stripped \$miqps_stripped always;
        add_header X-E2e-Kept \$miqps_kept always;
        add_header X-E2e-Pattern \$miqps_pattern always;
        add_header X-E2e-Verdict \$miqps_verdict always;
        add_header X-E2e-Layer \$miqps_layer always;

        location / {
            return 200 "";
        }
    }
END
}

nginx_start <<END
    large_client_header_buffers 4 32k;

$(server on on)
$(server on off)
$(server off on)
$(server off off)
$(server on on "unix:$tmp/on-on-h2 http2")
$(server off off "unix:$tmp/off-off-h2 http2")
$(server on off "127.0.0.1:$port")
$(server on on "unix:$tmp/rewrite" rewrite)

    server {
        listen unix:$tmp/naive;
        add_header X-E2e-Host \$host always;
        absolute_redirect off;
        merge_slashes off;

        if (\$args ~ utm_) {
            return 302 \$request_uri;
        }
    }

    server {
        listen unix:$tmp/split;
        add_header X-E2e-Path \$uri;
        return 302 \$uri;
    }
END

results python3 tests/e2e/redirects.py table tests/e2e/redirects.txt \
    "-a redirect to anything=$tmp/naive" \
    "absolute, merged=$tmp/on-on" "absolute, raw=$tmp/on-off" \
    "relative, merged=$tmp/off-on" "relative, raw=$tmp/off-off" \
    "absolute, merged, HTTP/2=$tmp/on-on-h2" \
    "relative, raw, HTTP/2=$tmp/off-off-h2" \
    "absolute, raw, TCP=127.0.0.1:$port"

results python3 tests/e2e/redirects.py fuzz tests/fuzz/corpus \
    "-a redirect to the decoded path=$tmp/split" \
    "redirect=$tmp/on-on" "redirect, relative=$tmp/off-off" \
    "redirect, HTTP/2=$tmp/off-off-h2" "rewrite=$tmp/rewrite"

result 'nginx stops' nginx_stop
result 'nginx raised no alarm' nginx_quiet

finish
