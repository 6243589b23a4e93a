#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# The worker's memory does not grow with the number of requests.  LEAK_REQUESTS
# is that number, for each mode.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

case ${TEST_LEVEL:-check} in
    check) count=${LEAK_REQUESTS:-100000} ;;
    *)     count=${LEAK_REQUESTS:-5000000} ;;
esac


# everything that may be asked of a request, so that it allocates all it can

server() {
    cat <<END
    server {
        listen unix:$tmp/$1.sock;
        large_client_header_buffers 4 32k;

        miqps $1;
        miqps_sort on;
        miqps_strip session ~^x[0-9]\$;
        miqps_keep size;
        miqps_rules $tmp/rules.json;
        miqps_headers on response;
        miqps_no_vary_search on;
        miqps_set \$other "https://shop.example/p?b=1&utm_source=\$arg_id";
        miqps_host \$host;

        # one of nine by way of an upstream, with the key of a cache
        location ^~ /p/1 {
            proxy_pass http://unix:$tmp/origin.sock;
            proxy_cache pages;
            proxy_no_cache 1;
        }

        location / {
            return 200 "\$miqps_uri \$miqps_url \$miqps_key \$miqps_original
                        \$miqps_stripped \$miqps_kept \$miqps_pattern \$other
                        \$miqps_verdict \$miqps_layer \$miqps_generation";
        }
    }
END
}

cat > "$tmp/rules.json" <<'END'
{ "version": 1, "strip": ["page=1"],
  "sites": [{ "hosts": ["h1.example"], "platforms": ["shopify"],
              "strict": true },
            { "hosts": ["h2.example"], "strip": ["~^y[0-9]+$"] }] }
END

nginx_start <<END
    proxy_cache_path $tmp/cache keys_zone=pages:1m;

    server {
        listen unix:$tmp/origin.sock;
        return 200 \$request_uri;
    }

$(server rewrite)
$(server annotate)
$(server redirect)
END

# each mode has a new worker: what another has freed would hide a leak

for mode in rewrite annotate redirect; do
    nginx_reload
    results python3 tests/e2e/leaks.py "$mode" "$tmp/$mode.sock" \
        "$(nginx_worker)" "$count"
done

result 'nginx stops' nginx_stop
result 'nginx raised no alarm' nginx_quiet

finish
