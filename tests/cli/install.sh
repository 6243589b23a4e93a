#!/bin/sh

# Copyright (C) the ngx_miqps authors
#
# What "make install" leaves, what "make deps" says where it cannot help, which
# archive it fetches from, and that the built-in rules are compiled in as they
# are written.

set -eu

cd "$(dirname "$0")/../.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tests=0
failed=0


# result NAME COMMAND...

result() {
    name=$1
    shift
    tests=$((tests + 1))

    if "$@" > "$tmp/said" 2>&1; then
        echo "ok $tests - $name"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $name"
        sed 's/^/# /' "$tmp/said"
    fi
}


# --- make install

installed() {
    ${MAKE:-make} -s install DESTDIR="$tmp/root" prefix=/usr &&
        (cd "$tmp/root" && find . -type f | sort) > "$tmp/files" &&
        cat > "$tmp/wanted" <<END &&
./usr/bin/miqps
./usr/lib/nginx/modules/ngx_http_miqps_module.so
./usr/share/bash-completion/completions/miqps
$(for page in learner/man/*.1; do echo "./usr/share/man/man1/${page##*/}"; done)
$(for page in learner/man/*.5; do echo "./usr/share/man/man5/${page##*/}"; done)
END
        diff "$tmp/wanted" "$tmp/files"
}

runs() {
    version=$(sed -n 's/^#define MIQPS_VERSION *"\(.*\)"/\1/p' src/core/miqps_core.h)
    [ -n "$version" ] &&
        [ "$("$tmp/root/usr/bin/miqps" --version)" = "miqps $version" ] &&
        grep -q "^Changes with ngx_miqps $version " CHANGES
}

# the nginx that it was made for looks for modules where it lies

own_folder() {
    (PATH=$PATH:/usr/sbin nginx -V 2>&1) |
        grep -q -e --modules-path=/usr/lib/nginx/modules
}

loads() {
    printf 'load_module %s;\nerror_log %s;\npid %s;\nevents {}\n' \
        "$tmp/root/usr/lib/nginx/modules/ngx_http_miqps_module.so" \
        "$tmp/error.log" "$tmp/pid" > "$tmp/nginx.conf" &&
        PATH=$PATH:/usr/sbin nginx -t -e "$tmp/error.log" -c "$tmp/nginx.conf"
}

# a process that has the old one mapped keeps it, byte for byte

replaced() {
    module=$tmp/root/usr/lib/nginx/modules/ngx_http_miqps_module.so
    echo old > "$module"
    exec 5< "$module"
    ${MAKE:-make} -s install DESTDIR="$tmp/root" prefix=/usr &&
        read -r line <&5 && [ "$line" = old ] && [ "$(wc -c < "$module")" -gt 9 ]
}

elsewhere_module() {
    ${MAKE:-make} -s install DESTDIR="$tmp/other" prefix=/opt/x \
            moduledir=/opt/nginx/modules &&
        [ -e "$tmp/other/opt/nginx/modules/ngx_http_miqps_module.so" ] &&
        [ -x "$tmp/other/opt/x/bin/miqps" ]
}

result 'make install puts every file into its place' installed
result 'the program tells the version that CHANGES does' runs
result "modules go where the distribution's nginx has them" own_folder
result 'nginx loads the module that was installed' loads
result 'make install replaces a module and does not write to it' replaced
result 'make install puts the module where moduledir says' elsewhere_module


# --- make deps, on a system that it does not know

mkdir "$tmp/bin"

for tool in sh awk cat cut dirname id paste sed tr; do
    ln -s "$(command -v $tool)" "$tmp/bin/"
done

printf 'ID="plan9"\nVERSION_ID=4\n' > "$tmp/os"

elsewhere() {
    ! PATH=$tmp/bin OS_RELEASE=$tmp/os tests/deps build > "$tmp/out" 2>&1 &&
        [ "$(wc -l < "$tmp/out")" -eq 1 ] &&
        grep "not Debian 12 or 13 but 'plan9 4'" "$tmp/out" &&
        grep 'build-essential pkg-config libpcre2-dev libcjson-dev' "$tmp/out"
}

complete() {
    OS_RELEASE=$tmp/os tests/deps build
}

missing() {
    ! PATH=$tmp/bin tests/deps --missing build > "$tmp/out" 2>&1 &&
        [ "$(wc -l < "$tmp/out")" -eq 1 ] &&
        grep "missing: .*zlib1g-dev; 'make deps' installs" "$tmp/out"
}

# it must be told, not fail to compile

no_nginx() {
    ! ${MAKE:-make} -s B="$tmp/build" NGINX_SRC="$tmp/none" module \
        > "$tmp/out" 2>&1 &&
        grep "$tmp/none: No such file" "$tmp/out"
}

wrong_level() {
    rc=0
    tests/deps everything || rc=$?
    [ $rc -eq 2 ]
}

result 'deps says in one line what to install on another system' elsewhere
result 'deps is content on another system where all is there' complete
result 'make says in one line what is missing' missing
result 'deps refuses a level it does not know' wrong_level
result 'make says which source of nginx is missing' no_nginx


# --- packages of another release, from the archive of this one

printf 'VERSION_CODENAME="bookworm"\n' > "$tmp/release"

# sources NAME: what tests/nginx/apt makes of /etc/apt, in a folder of ours

sources() {
    rm -rf "$tmp/apt"
    mkdir -p "$tmp/apt/sources.list.d"
    cat > "$tmp/apt/$1"
    APT_ETC=$tmp/apt OS_RELEASE=$tmp/release tests/nginx/apt --sources sid
}

stanzas() {
    sources sources.list.d/x.sources > "$tmp/got" <<'END' &&
# a comment
Types: deb
URIs: http://else.example/
Suites: nodistro
Components: main

Types: deb
URIs: http://old.example/
Suites: bookworm
Components: main
Enabled: no

Types: deb
URIs: http://security.example/
Suites: bookworm-security
Components: main

Types: deb
# another comment
URIs: http://main.example/debian
Suites: bookworm
 bookworm-updates
Components: main contrib
Signed-By:
 -----BEGIN-----
 .
 -----END-----
END
        cat > "$tmp/wanted" <<'END' &&
URIs: http://main.example/debian
Signed-By:
 -----BEGIN-----
 .
 -----END-----
Types: deb deb-src
Suites: sid
Components: main
Check-Valid-Until: no
END
        diff "$tmp/wanted" "$tmp/got"
}

lines() {
    sources sources.list > "$tmp/got" <<'END' &&
# deb http://old.example/ bookworm main
deb cdrom:[Debian GNU/Linux 12]/ bookworm main
deb http://security.example/ bookworm-security main
deb-src http://main.example/ bookworm main
deb [ arch=amd64 signed-by=/x ] http://main.example/ bookworm main non-free
deb http://other.example/ bookworm main
END
        cat > "$tmp/wanted" <<'END' &&
deb [arch=amd64 signed-by=/x  check-valid-until=no] http://main.example/ sid main
deb-src [arch=amd64 signed-by=/x  check-valid-until=no] http://main.example/ sid main
END
        diff "$tmp/wanted" "$tmp/got"
}

nothing() {
    ! echo 'deb http://else.example/ nodistro main' | sources sources.list \
        > "$tmp/out" 2>&1 && grep 'no archive of Debian' "$tmp/out"
}

result 'the archive of Debian is found among stanzas' stanzas
result 'the archive of Debian is found among lines' lines
result 'an archive of others is not taken for it' nothing


# --- the built-in rules

embedded() {
    sh src/rules/embed.sh "$1" > "$tmp/a.h" &&
        sed -n 's/^    0x/0x/p' "$tmp/a.h" | tr ',' '\n' |
        awk -F x '/x/ {
            high = index("0123456789abcdef", substr($2, 1, 1)) - 1
            low = index("0123456789abcdef", substr($2, 2, 1)) - 1
            printf "%03o\n", high * 16 + low
        }' | while read -r octal; do
            # shellcheck disable=SC2059
            printf "\\$octal"
        done | cmp - "$1"
}

all_bytes() {
    # shellcheck disable=SC2059
    awk 'BEGIN { for (i = 0; i < 256; i++) printf "\\%03o", i }' |
        { read -r bytes; printf "$bytes"; } > "$tmp/bytes"
    [ "$(wc -c < "$tmp/bytes")" -eq 256 ] && embedded "$tmp/bytes"
}

refused() {
    : > "$tmp/empty"
    ! sh src/rules/embed.sh "$tmp/empty" && ! sh src/rules/embed.sh "$tmp/none"
}

result 'the array holds the bytes of builtin.json' embedded src/rules/builtin.json
result 'the array holds any bytes' all_bytes
result 'a file that is empty or missing is refused' refused

echo "1..$tests"
[ "$failed" -eq 0 ]
