#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# miqps_response html with pages of documentation: a browser must see the same
# pages, but for the links; and with a long page for clients that read slowly.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

case ${TEST_LEVEL:-check} in
    check) pages=40 ;;
    *)     pages=200 ;;
esac

html() {
    python3 tests/e2e/pages.py "$@"
}

mkdir "$tmp/pages"
html page "$tmp/pages/long.html" 100000

nginx_start <<END
    default_type text/html;

    server {
        listen unix:$tmp/origin.sock;
        root $tmp/pages;
    }

    server {
        listen unix:$tmp/sock sndbuf=16k;

        miqps_response html;
        miqps_strip ~^.;
        miqps_keep id;
        miqps_response_hosts bugs.python.org bz.apache.org cve.mitre.org
            www.cve.org www.freebsd.org svn.apache.org bugs.debian.org
            github.com;

        location / {
            proxy_buffer_size 4k;
            proxy_buffers 8 4k;
            proxy_pass http://unix:$tmp/origin.sock;
        }

        location = /long.html {
            root $tmp/pages;
            output_buffers 2 32k;
        }
    }
END

results html slow "$tmp/sock" "$(nginx_worker)" 20

rm "$tmp/pages/long.html"

# --- a browser

if ! chromium=$(command -v chromium-headless-shell ||
                    command -v chromium); then
    skip='there is no chromium'
elif [ "$(html pick "$tmp/pages" $pages)" -lt $pages ]; then
    skip='there are no pages, install the packages of tests/e2e/packages'
else
    skip=
fi

if [ -z "$skip" ]; then
    html fuzz "$tmp/pages"
    results html compare "$tmp/sock" "$tmp/pages" "$chromium"
else
    tests=$((tests + 1))
    echo "ok $tests - a browser sees the same pages # SKIP $skip"
fi

nginx_stop
result 'nginx has nothing to complain about' nginx_quiet
finish
