package Origin;

# Copyright (C) the ngx_miqps authors
#
# A server behind the one that is tested: "proxy_pass http://origin" reaches
# it.  It answers with the target that it was asked for, byte for byte.
#
#     use lib 't';
#     use Miqps;
#     use Origin;
#
# A section "origin" has locations of its own.

use strict;
use warnings;

use Test::Nginx::Util ();

$ENV{TEST_NGINX_HTML_DIR} = "$ENV{TEST_NGINX_SERVROOT}/html";

my $Config = <<'END';
    upstream origin {
        server unix:$TEST_NGINX_HTML_DIR/origin.sock;
    }

    server {
        listen unix:$TEST_NGINX_HTML_DIR/origin.sock;

        miqps off;
        access_log off;
        merge_slashes off;
        underscores_in_headers on;
        large_client_header_buffers 4 128k;

END

my $Echo = <<'END';
        location / {
            return 200 "$request_uri";
        }
END

Test::Nginx::Util::add_block_preprocessor(sub {
    my $block = shift;

    my $text = ($block->config // '') . ($block->http_config // '');

    return if $text !~ m{http://origin\b};

    my $own = $block->origin // '';

    $block->set_value('http_config',
                      ($block->http_config // '') . $Config . $own
                      . ($own =~ m{^\s*location / }m ? '' : $Echo) . "    }\n");
});

1;
