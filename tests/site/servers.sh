# Copyright (C) the ngx_miqps authors
#
# shellcheck shell=sh
# shellcheck disable=SC2154
#
# Servers of the sites for nginx's configuration.  Who reads this has $tmp, PHP
# at $tmp/php.sock if it is needed, and a log_format "learner".

# learner: a server for the learner in front of the one at $tmp/site.sock

learner() {
    cat <<END
    server {
        listen unix:$tmp/learn.sock;
        miqps_learn on;
        access_log $tmp/learn.log learner;

        location / {
            proxy_pass http://unix:$tmp/site.sock;
            proxy_set_header Host \$http_host;
        }
    }
END
}

# shop NAME NOISE [LIMIT WINDOW [CANONICAL]]: a server of it, and one for the
# learner; press is the same for the newspaper

press() {
    script=press shop "$@"
}

shop() {
    cat <<END
    server {
        listen unix:$tmp/$1.site;
        keepalive_requests 1000000;
        miqps off;

        location / {
            fastcgi_pass unix:$tmp/php.sock;
            fastcgi_param REQUEST_METHOD GET;
            fastcgi_param SCRIPT_FILENAME $PWD/tests/site/${script:-shop}.php;
            fastcgi_param REQUEST_URI \$request_uri;
            fastcgi_param QUERY_STRING \$query_string;
            fastcgi_param SITE_NOISE "$2";
            fastcgi_param SITE_LOG $tmp/$1.acts;
            fastcgi_param SITE_LIMIT ${3-0};
            fastcgi_param SITE_WINDOW ${4-60};
            fastcgi_param SITE_CANONICAL "${5-}";
        }

        # pages that lead elsewhere

        location /away {
            return 302 http://evil.example/stolen?\$args;
        }

        location /socket {
            return 302 http://127.0.0.1:22/?\$args;
        }
    }

    server {
        listen unix:$tmp/$1.learn;
        keepalive_requests 1000000;
        miqps_learn on;
        access_log $tmp/$1.log learner;

        location / {
            proxy_pass http://$1;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host \$http_host;
            proxy_set_header X-Forwarded-Proto \$miqps_scheme;
            proxy_set_header X-Forwarded-For 192.0.2.1;
            proxy_next_upstream error timeout;
        }
    }

    upstream $1 {
        # nobody listens at the first
        server unix:$tmp/nobody.site max_fails=0;
        server unix:$tmp/$1.site;
        keepalive 8;
    }
END
}
