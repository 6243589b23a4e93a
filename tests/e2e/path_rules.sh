#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# Path rules: what "miqps normalize" makes of URLs, nginx makes of them, too, and
# what would deceive a cache is left alone.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
export MIQPS

case ${TEST_LEVEL:-check} in
    check) count=20000 ;;
    *)     count=1000000 ;;
esac

python3 tests/e2e/path_rules.py map > "$tmp/map.json"
"$MIQPS" compile "$tmp/map.json" -o "$tmp/map"
chmod 644 "$tmp/map"

nginx_start <<END
    miqps_zone maps 1m map=$tmp/map;

    keepalive_requests 1000000000;
    server_names_hash_bucket_size 128;

    server {
        listen unix:$tmp/site;
        merge_slashes off;

        miqps rewrite;
        miqps_use maps;
        miqps_path_rules on;
        miqps_sort on;

        location / {
            return 200 "\$request_uri \$miqps_url";
        }
    }
END

results python3 tests/e2e/path_rules.py run "$tmp" "$tmp/map" "$count"

result 'nginx stops' nginx_stop
result 'nginx raised no alarm' nginx_quiet

finish
