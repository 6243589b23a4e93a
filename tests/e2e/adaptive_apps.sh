#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps learn" and applications that know nothing of it: Mercurial's "hg
# serve", Apache's lists of files, and at the level "all" those with more to
# set up, see tests/site/apps.sh.  Their truth is known, and asked for.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/apps.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
export MIQPS

level=${TEST_LEVEL:-check}
list='hg apache'

if [ "$level" != check ]; then
    for app in mediawiki; do
        if app_there "$app"; then
            list="$list $app"
        else
            result "$app is not installed # SKIP" true
        fi
    done
fi

# shellcheck disable=SC2086  # a list of words
app_start ${APPS:-$list}

nginx_start <<CONF
    log_format learner '\$request \$status';
$(app_servers)
CONF

# shellcheck disable=SC2086
results python3 tests/e2e/adaptive_apps.py "$tmp" "$level" ${APPS:-$list}
result 'nginx has nothing to complain about' nginx_quiet
finish
