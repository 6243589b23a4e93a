#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# "miqps learn" and applications that know nothing of it: Mercurial's "hg
# serve", Apache's lists of files, DokuWiki, and at the level "all" MediaWiki
# with a database, see tests/site/apps.sh.  Their truth is known, and asked for.
#
# APPS are others than these.
#
# Mostly waits.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh
. tests/site/apps.sh

MIQPS=${MIQPS:-$PWD/build/miqps}
export MIQPS

level=${TEST_LEVEL:-check}
wanted='hg apache dokuwiki'
list=

if [ "$level" != check ]; then
    wanted="$wanted mediawiki"
fi

for app in ${APPS:-$wanted}; do
    if app_there "$app"; then
        app_start "$app"
        list="$list $app"
    else
        result "$app # SKIP it is not installed" true
    fi
done

nginx_start <<CONF
    log_format learner '\$request \$status';
$(app_servers)
CONF

# shellcheck disable=SC2086
results python3 tests/e2e/adaptive_apps.py "$tmp" "$level" $list

# DokuWiki locks the page that somebody has asked to edit

unlocked() {
    ! find "$tmp/doku/data/locks" -name '*.lock' | grep .
}

if [ -d "$tmp/doku" ]; then
    result 'dokuwiki: nobody has locked a page' unlocked
fi

result 'nginx has nothing to complain about' nginx_quiet
finish
