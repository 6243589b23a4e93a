# Copyright (C) the ngx_miqps authors
#
# miqps_response headers: URLs in headers of the upstream.

use lib 't';
use Miqps;
use Origin;

# "locations" are what the origin redirects to, one a line, and what the
# client is told, behind " -> "

add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->locations;

    my (@sent, @told);

    for (grep { length } split /\n/, $block->locations) {
        my ($sent, $told) = split / -> /;
        push @sent, "X-To: $sent";
        push @told, 'Location: ' . ($told // $sent);
    }

    my $with = $block->with // '';
    my $path = $block->path // '/dir/page?old=1';
    chomp $path;

    $block->set_value('config', <<"END");
    location / {
        miqps_response headers;
        $with
        proxy_redirect off;
        proxy_set_header X-To \$http_x_to;
        proxy_pass http://origin;
    }
END
    $block->set_value('origin', <<'END');
        absolute_redirect off;
        location / {
            return 302 $http_x_to;
        }
END
    $block->set_value('more_headers', [ map { "Host: shop.example\n$_" } @sent ]);
    $block->set_value('request', [ ("GET $path") x @sent ]);
    $block->set_value('error_code', [ (302) x @sent ]);
    $block->set_value('response_headers', \@told);
});

run_tests();

__DATA__

=== TEST 1: references of every kind
--- locations
/p?id=7&gclid=1 -> /p?id=7
https://shop.example/p?id=7&gclid=1 -> https://shop.example/p?id=7
//shop.example/p?id=7&gclid=1 -> //shop.example/p?id=7
p?id=7&gclid=1 -> p?id=7
./p?id=7&gclid=1 -> ./p?id=7
../p?id=7&gclid=1 -> ../p?id=7
?id=7&gclid=1 -> ?id=7
/p?id=7&gclid=1#top -> /p?id=7#top
https://shop.example?gclid=1 -> https://shop.example



=== TEST 2: hosts of others are left alone
--- locations
https://other.example/p?id=7&gclid=1
//other.example/p?id=7&gclid=1
https://shop.example.other.example/p?gclid=1
https://shop.example@other.example/p?gclid=1
https://other.example@shop.example/p?gclid=1
https://shop.example:8443/p?gclid=1
