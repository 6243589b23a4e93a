#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Two requests share an entry of the cache if, and only if, the origin would be
# sent the same bytes for both.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

case ${TEST_LEVEL:-check} in
    check) count=2000 ;;
    *)     count=10000 ;;
esac


# server NAME MODULE MODE KEY: "default" stands for the key of proxy_cache

server() {
    cat <<END
    ${2}_cache_path $tmp/cache/$1 keys_zone=$1:20m levels=1:2;

    server {
        listen unix:$tmp/$1.sock;
        keepalive_requests 1000000000;
        merge_slashes off;

        miqps $3;
        miqps_sort on;
        miqps_strip session sid;

        ${2}_cache $1;
        ${2}_cache_valid 10m;
        ${2}_cache_bypass \$http_x_fresh;
        add_header X-Cache \$upstream_cache_status;
        $([ "$4" = default ] || echo "${2}_cache_key $4;")

        location / {
            $(pass_"$2")
        }
    }
END
}

pass_proxy() {
    cat <<'END'
            proxy_pass http://origin;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
END
}

pass_fastcgi() {
    cat <<END
            fastcgi_pass php;
            fastcgi_keep_conn on;
            fastcgi_param REQUEST_METHOD GET;
            fastcgi_param SCRIPT_FILENAME $PWD/tests/e2e/echo.php;
            fastcgi_param REQUEST_URI \$request_uri;
            fastcgi_param QUERY_STRING \$query_string;
END
}


spawn origin python3 tests/e2e/origin.py "$tmp/origin.sock"
php_start
wait_for test -S "$tmp/origin.sock"
mkdir "$tmp/cache"

# shellcheck disable=SC2016
nginx_start <<END
    upstream origin {
        server unix:$tmp/origin.sock;
        keepalive 4;
    }

    upstream php {
        server unix:$tmp/php.sock;
        keepalive 1;
    }

$(server proxy_default proxy rewrite default)
$(server proxy_request proxy rewrite '$scheme$host$request_uri')
$(server proxy_miqps proxy rewrite '$scheme$host$miqps_uri')
$(server php_request fastcgi rewrite '$scheme$host$request_uri')
$(server php_miqps fastcgi rewrite '$scheme$host$miqps_uri')
$(server bad_path proxy rewrite '$scheme$host$uri')
$(server bad_original proxy rewrite '$scheme$host$miqps_original')
END

results python3 tests/e2e/keys.py pairs 500 \
    "-a key without arguments=$tmp/bad_path.sock" \
    "-a key of what was sent=$tmp/bad_original.sock"

results python3 tests/e2e/keys.py pairs "$count" \
    "proxy_cache, default key=$tmp/proxy_default.sock" \
    "proxy_cache, \$request_uri=$tmp/proxy_request.sock" \
    "proxy_cache, \$miqps_uri=$tmp/proxy_miqps.sock" \
    "fastcgi_cache, \$request_uri=$tmp/php_request.sock" \
    "fastcgi_cache, \$miqps_uri=$tmp/php_miqps.sock"

results python3 tests/e2e/keys.py paths tests/e2e/paths.txt \
    "proxy_pass=$tmp/proxy_default.sock" "PHP=$tmp/php_request.sock"

result 'nginx stops' nginx_stop
result 'nginx raised no alarm' nginx_quiet

finish
