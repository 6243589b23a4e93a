#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# The published method and two applications that know nothing of it: Mercurial's
# "hg serve", and the lists of files that Apache makes.  adaptive_apps.sh has
# more of them.

set -eu

cd "$(dirname "$0")/../.."
. tests/nginx/lib.sh

MIQPS=${MIQPS:-$PWD/build/miqps}

PATH=$PATH:/usr/sbin
export PATH HGPLAIN=1 HGRCPATH=/dev/null


# --- a repository of a few files and many changes

repository() {
    hg init "$tmp/repo"
    cd "$tmp/repo"
    i=0

    while [ $i -lt 40 ]; do
        i=$((i + 1))
        echo "line $i" >> "file$((i % 7)).txt"
        hg -q commit -A -d "$((1700000000 + i * 86400)) 0" -u "user$((i % 3))" \
            -m "change $i of file $((i % 7))"
    done
}

(repository)
hg_port=$(free_port)
spawn hg hg -R "$tmp/repo" serve -a 127.0.0.1 -p "$hg_port" \
    --config web.style=paper --config web.allow-archive= -A /dev/null


# --- folders with files

mkdir "$tmp/files"
i=0

while [ $i -lt 12 ]; do
    i=$((i + 1))
    mkdir "$tmp/files/d$i"

    for k in 1 2 3 4 5; do
        head -c $((i * k * 997 % 4000)) /dev/zero > \
            "$tmp/files/d$i/f$((k * 7 % 11)).txt"
        touch -d "@$((1700000000 + i * k * 86399 % 900000))" \
            "$tmp/files/d$i/f$((k * 7 % 11)).txt"
    done
done

apache_port=$(free_port)

cat > "$tmp/apache.conf" <<END
ServerRoot $tmp
ServerName files.example
Listen 127.0.0.1:$apache_port
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
    Require all granted
</Directory>
END

# root may run it if it is somebody else then

if [ "$(id -u)" -eq 0 ]; then
    sed -i 's/^User .*/User nobody/; s/^Group .*/Group nogroup/' \
        "$tmp/apache.conf"
    chmod 755 "$tmp"
fi

spawn apache apache2 -f "$tmp/apache.conf" -DFOREGROUND

answers() {
    curl -s -o /dev/null "http://127.0.0.1:$1/"
}

wait_for answers "$hg_port"
wait_for answers "$apache_port"

# Mercurial loads its parts when they are needed, and fails if two requests
# need one at the same time: its first requests come one by one

for path in rev/1 rev/2?style=coal rev/3?style=gitweb rev/4?style=monoblue \
            rev/5?style=spartan shortlog/1 log file/tip/file1.txt
do
    curl -s -o /dev/null "http://127.0.0.1:$hg_port/$path"
done

nginx_start <<END
    server {
        listen unix:$tmp/learn;
        server_name code.example;
        miqps_learn on;
        location / {
            proxy_pass http://127.0.0.1:$hg_port;
            proxy_set_header Host \$http_host;
        }
    }

    server {
        listen unix:$tmp/learn;
        server_name files.example;
        miqps_learn on;
        location / {
            proxy_pass http://127.0.0.1:$apache_port;
            proxy_set_header Host \$http_host;
        }
    }
END


# --- what they are asked for, and what of it matters

python3 - "$tmp" <<'END'
import random
import sys

dice = random.Random(1)
tmp = sys.argv[1]
urls, roles, pages = [], set(), {}


def add(host, path, matter, **args):
    names = sorted(args)
    url = 'http://%s%s?%s' % (host, path, '&'.join('%s=%s' % pair
                                                   for pair in args.items()))
    urls.append(url)
    pages[url] = ' '.join([host, path] + ['%s=%s' % (name, args[name])
                                          for name in names if name in matter])

    for name in names:
        roles.add((host, '&'.join(names), name,
                   'matters' if name in matter else 'neutral'))


for i in range(600):
    trk = '%010x' % dice.getrandbits(40)
    src = 'mail%d' % dice.randrange(300)
    rev = dice.randrange(1, 40)
    count = dice.randrange(2, 30)
    style = dice.choice(['paper', 'coal', 'gitweb', 'monoblue', 'spartan'])
    name = 'file%d.txt' % dice.randrange(7)
    matter = ('revcount', 'rev', 'style', 'linerange')

    add('code.example', '/shortlog/%d' % rev, matter, revcount=count)
    add('code.example', '/shortlog/%d' % rev, matter, revcount=count, trk=trk)
    add('code.example', '/rev/%d' % rev, matter, trk=trk)
    add('code.example', '/rev/%d' % rev, matter, style=style, trk=trk)
    add('code.example', '/log', matter, rev=rev)
    add('code.example', '/log', matter, rev=rev, src=src, trk=trk)
    add('code.example', '/file/tip/' + name, matter, src=src)

    where = '/d%d/' % dice.randrange(1, 13)
    column = dice.choice('NMSD')
    order = dice.choice('AD')
    matter = ('C', 'O')

    add('files.example', where, matter, C=column, O=order)
    add('files.example', where, matter, C=column, O=order, trk=trk)
    add('files.example', where, matter, trk=trk)
    add('files.example', where, matter, src=src, trk=trk)

    # as Apache writes them itself
    urls.append('http://files.example%s?C=%s;O=%s' % (where, column, order))

with open(tmp + '/urls', 'w') as file:
    file.writelines(url + '\n' for url in urls)

with open(tmp + '/truth', 'w') as file:
    file.writelines('param\t%s\t%s\t%s\t%s\n' % role for role in sorted(roles))
    file.writelines('page\t%s\t%s\n' % page for page in pages.items())
END

"$MIQPS" ingest --store "sqlite:$tmp/db" "$tmp/urls" > "$tmp/ingested"

ingested() {
    cat "$tmp/ingested"
    grep -q '600  with a query nobody reads the same' "$tmp/ingested"
}

learned() {
    "$MIQPS" learn --store "sqlite:$tmp/db" --via "unix:$tmp/learn" --rate 0 \
        --algorithm paper code.example files.example
    "$MIQPS" map --store "sqlite:$tmp/db" > "$tmp/map.json"
    "$MIQPS" compile "$tmp/map.json" -o "$tmp/map.image"
    "$MIQPS" eval --truth "$tmp/truth" --map "$tmp/map.image" --json \
        --store "sqlite:$tmp/db" > "$tmp/checked"
}

number() {
    python3 tests/support/json_number.py "$tmp/checked" "$@"
}

right() {
    cat "$tmp/checked"
    [ "$(number params matters stripped)" -eq 0 ]
    [ "$(number wrong_merges)" -eq 0 ]
    [ "$(number misled urls)" -eq 0 ]
    [ "$(number pages_lost)" -eq 0 ]
}

enough() {
    cat "$tmp/checked"
    stripped=$(number params neutral stripped)
    seen=$((stripped + $(number params neutral kept)))
    [ "$seen" -ge 10 ]
    [ $((stripped * 100)) -ge $((seen * 98)) ]
}

left() {
    got=$("$MIQPS" normalize --map "$tmp/map.image" \
              'http://files.example/d1/?C=M;O=A' \
              'http://files.example/d1/?C=M;O=A&trk=1' \
              'http://files.example/d1/?C=M&O=A&trk=1' \
              'http://code.example/log?rev=7&src=a&trk=1')
    [ "$got" = 'http://files.example/d1/?C=M;O=A
http://files.example/d1/?C=M;O=A&trk=1
http://files.example/d1/?C=M&O=A
http://code.example/log?rev=7' ] || { echo "$got"; return 1; }
}

result 'queries with semicolons are not collected' ingested
result 'both are learned' learned
result 'nothing that matters is stripped' right
result 'nearly all that does not matter is' enough
result 'what was learned is done, and semicolons are left alone' left
result 'nginx has nothing to complain about' nginx_quiet
finish
