# Copyright (C) the ngx_miqps authors
#
# shellcheck shell=sh
# shellcheck disable=SC2154
#
# Packaged applications, started and filled.  Who reads this has read
# tests/nginx/lib.sh.
#
#     app_start APP...     some of them
#     app_there APP        true if it is installed
#     app_servers          servers for nginx's configuration, one for the
#                          learner each, at unix:$tmp/learn; the log of it
#                          is $tmp/APP.log

PATH=$PATH:/usr/sbin
export PATH HGPLAIN=1 HGRCPATH=/dev/null

apps=

app_start() {
    for app; do
        "app_$app"
        apps="$apps $app"
    done
}

app_there() {
    case $1 in
        hg)        command -v hg ;;
        apache)    command -v apache2 ;;
        dokuwiki)  test -e /usr/share/dokuwiki/doku.php ;;
        mediawiki) test -e /usr/share/mediawiki/index.php ;;
    esac > "$tmp/there"
}

app_host() {
    python3 -c 'import sys; sys.path.insert(0, "tests/site")
import apps; print(apps.APPS[sys.argv[1]][0])' "$1"
}

app_servers() {
    for app in $apps; do
        cat <<END_OF_SERVER
    server {
        listen unix:$tmp/learn;
        server_name $(app_host "$app");
        miqps_learn on;
        access_log $tmp/$app.log learner;
        $(cat "$tmp/$app.conf")
    }
END_OF_SERVER
    done
}

# a server at a port, asked until it answers

app_proxy() {
    cat > "$tmp/$1.conf" <<END_OF_CONF
        location / {
            proxy_pass http://127.0.0.1:$2;
            proxy_set_header Host \$http_host;
        }
END_OF_CONF
    wait_for curl -s -o /dev/null "http://127.0.0.1:$2/"
}


# --- Mercurial: a repository of a few files and many changes

app_hg() {
    hg init "$tmp/repo"

    python3 - > "$tmp/repo.patch" <<'END_OF_PYTHON'
lines = [[] for _ in range(7)]

for i in range(120):
    name = 'file%d.txt' % (i % 7)
    old = lines[i % 7]
    print('# HG changeset patch\n# User user%d\n# Date %d 0\n'
          'change %d of file %d\n' % (i % 3, 1700000000 + i * 86400, i, i % 7))
    print('diff --git a/%s b/%s' % (name, name))

    if not old:
        print('new file mode 100644\n--- /dev/null\n+++ b/%s\n@@ -0,0 +1,1 @@'
              % name)
    else:
        print('--- a/%s\n+++ b/%s\n@@ -%d,1 +%d,2 @@\n %s'
              % (name, name, len(old), len(old), old[-1]))

    old.append('line %d of %s' % (i, name))
    print('+' + old[-1] + '\n')
END_OF_PYTHON

    hg -R "$tmp/repo" -q import "$tmp/repo.patch"

    port=$(free_port)
    spawn hg hg -R "$tmp/repo" serve -a 127.0.0.1 -p "$port" \
        --config web.style=paper --config web.allow-archive= -A /dev/null
    app_proxy hg "$port"

    # it loads its parts when they are needed, and fails if two requests need
    # one at the same time: its first requests come one by one

    for path in rev/1 'rev/3?style=gitweb' \
                'rev/4?style=monoblue' 'rev/5?style=spartan' shortlog/1 log \
                'log?rev=user1' file/7/file0.txt annotate/7/file0.txt \
                comparison/7/file0.txt graph/9 tags branches bookmarks
    do
        curl -s -o /dev/null "http://127.0.0.1:$port/$path"
    done
}


# --- Apache: folders with files

app_apache() {
    python3 - "$tmp/files" <<'END_OF_PYTHON'
import os
import random
import sys

dice = random.Random(1)

for i in range(1, 41):
    folder = '%s/d%d' % (sys.argv[1], i)
    os.makedirs(folder)

    for k in dice.sample(range(1, 30), 12):
        name = '%s/f%d.%s' % (folder, k, dice.choice(['txt', 'html', 'dat']))

        with open(name, 'wb') as file:
            file.write(bytes(dice.randrange(20000)))

        os.utime(name, (1700000000 + dice.randrange(90000000),) * 2)

    os.utime(folder, (1700000000 + dice.randrange(90000000),) * 2)
END_OF_PYTHON

    port=$(free_port)

    cat > "$tmp/apache.httpd" <<END_OF_CONF
ServerRoot $tmp
ServerName files.example
Listen 127.0.0.1:$port
PidFile $tmp/apache.pid
ErrorLog $tmp/apache.error
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule autoindex_module /usr/lib/apache2/modules/mod_autoindex.so
LoadModule mime_module /usr/lib/apache2/modules/mod_mime.so
TypesConfig /dev/null
DocumentRoot $tmp/files
User $(id -un)
Group $(id -gn)
<Directory $tmp/files>
    Options +Indexes
    IndexOptions FancyIndexing Charset=UTF-8
    AddDescription "a page" *.html
    AddDescription "some text" *.txt
    AddDescription "anything" *.dat
    AddDescription "the second half" d2* d3*
    Require all granted
</Directory>
END_OF_CONF

    # root may run it if it is somebody else then

    if [ "$(id -u)" -eq 0 ]; then
        sed -i 's/^User .*/User nobody/; s/^Group .*/Group nogroup/' \
            "$tmp/apache.httpd"
        chmod 755 "$tmp"
    fi

    spawn apache apache2 -f "$tmp/apache.httpd" -DFOREGROUND
    app_proxy apache "$port"
}


# --- PHP, with its extensions: app_php NAME LINE... of the pool's settings

app_php() {
    pool=$1
    shift
    fpm=$(find /usr/sbin /usr/local/sbin -name 'php-fpm*' 2>/dev/null |
              sort | head -n 1)

    cat > "$tmp/$pool.fpm" <<END_OF_CONF
[global]
error_log = $tmp/$pool.log
daemonize = no

[www]
user = $(id -un)
group = $(id -gn)
listen = $tmp/$pool.sock
pm = static
pm.max_children = 4
$(printf '%s\n' "$@")
END_OF_CONF

    spawn "$pool.php" "$fpm" -R -y "$tmp/$pool.fpm"
    wait_for test -S "$tmp/$pool.sock"
}

# app_fastcgi NAME FILE: the program that all pages come from

app_fastcgi() {
    cat > "$tmp/$1.conf" <<END_OF_CONF
        location / {
            fastcgi_pass unix:$tmp/$1.sock;
            fastcgi_param REQUEST_METHOD \$request_method;
            fastcgi_param REQUEST_URI \$request_uri;
            fastcgi_param QUERY_STRING \$query_string;
            fastcgi_param SCRIPT_FILENAME $2;
            fastcgi_param SCRIPT_NAME /${2##*/};
            fastcgi_param SERVER_PROTOCOL \$server_protocol;
            fastcgi_param SERVER_NAME \$host;
            fastcgi_param SERVER_PORT 80;
            fastcgi_param REMOTE_ADDR 192.0.2.1;
            fastcgi_param HTTP_HOST \$host;
        }
END_OF_CONF
}


# --- MediaWiki, with SQLite: pages that have changed

app_mediawiki() {
    wiki=/usr/share/mediawiki
    mkdir "$tmp/wiki"

    php "$wiki/maintenance/install.php" --dbtype sqlite --dbname wiki \
        --dbpath "$tmp/wiki" --server http://wiki.example --scriptpath '' \
        --confpath "$tmp/wiki" --pass "$(date +%s)-of-nobody" Wiki Admin \
        > "$tmp/wiki.log"

    cat >> "$tmp/wiki/LocalSettings.php" <<'END_OF_PHP'
$wgArticlePath = '/wiki/$1';
$wgCacheDirectory = $wgSQLiteDataDir;
$wgLocalisationCacheConf['store'] = 'array';
$wgMainCacheType = CACHE_ACCEL;
$wgRunJobsAsync = false;
$wgJobRunRate = 0;
$wgDefaultSkin = 'vector';
wfLoadSkin( 'Vector' );
wfLoadSkin( 'MonoBook' );
wfLoadSkin( 'Timeless' );
END_OF_PHP

    export MW_CONFIG_FILE="$tmp/wiki/LocalSettings.php"

    python3 tests/site/apps_wiki.py mediawiki > "$tmp/wiki.xml"
    {
        php "$wiki/maintenance/importDump.php" --quiet "$tmp/wiki.xml"
        php "$wiki/maintenance/rebuildrecentchanges.php" --quiet
        php "$wiki/maintenance/rebuildtextindex.php" --quiet
    } >> "$tmp/wiki.log"

    app_php mediawiki "env[MW_CONFIG_FILE] = $MW_CONFIG_FILE"
    app_fastcgi mediawiki "$wiki/index.php"
}


# --- DokuWiki: pages in files

app_dokuwiki() {
    wiki=/usr/share/dokuwiki
    mkdir -p "$tmp/doku/data/cache" "$tmp/doku/data/index" \
        "$tmp/doku/data/locks" "$tmp/doku/data/tmp" "$tmp/doku/data/media" \
        "$tmp/doku/data/media_attic" "$tmp/doku/data/media_meta" \
        "$tmp/doku/data/log"

    cp -r /etc/dokuwiki "$tmp/doku/conf"
    python3 tests/site/apps_wiki.py dokuwiki "$tmp/doku/data"

    cat > "$tmp/doku/conf/local.php" <<END_OF_PHP
<?php
\$conf['title'] = 'Doku';
\$conf['savedir'] = '$tmp/doku/data';
\$conf['useacl'] = 0;
\$conf['updatecheck'] = 0;
\$conf['start'] = 'start';
END_OF_PHP

    echo "<?php define('DOKU_CONF', '$tmp/doku/conf/');" > "$tmp/doku/first.php"

    app_php dokuwiki "php_admin_value[auto_prepend_file] = $tmp/doku/first.php"
    app_fastcgi dokuwiki "$wiki/doku.php"

    # what a search looks at

    php -d "auto_prepend_file=$tmp/doku/first.php" "$wiki/bin/indexer.php" \
        > "$tmp/doku.log" 2>&1
}
