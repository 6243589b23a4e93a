# Copyright (C) the ngx_miqps authors
#
# miqps_status: what is counted, and how it is told.

use lib 't';
use Miqps;
use Map;
use Origin;
use Status;

our $Shop = <<'END';
{"host": "localhost", "hosts": ["mirror.example"], "patterns": [
   {"params": ["id", "ref"], "keep": ["id"]},
   {"params": ["id", "ref", "src"], "keep": ["id"]}]}
{"host": "*.shop.example", "patterns": [{"params": ["any"], "keep": []}]}
{"host": "one.shop.example", "patterns": [{"params": ["own"], "keep": []}]}
END

our $Json = sub {
    my $got = eval { JSON::PP->new->utf8->decode($_[0]) };
    return defined $got ? join(' ', sort keys %$got) : "no JSON: $@";
};

run_tests();

__DATA__

=== TEST 1: what there is
--- config
    location / {
        miqps_status;
    }
--- request
GET /
--- response_body_filters eval: $::Json
--- response_body chomp
corpus guard hosts layers map max_hosts nginx other_hosts pid redirects requests since time verdicts version workers zones
--- response_headers
Content-Type: application/json
Cache-Control: no-store



=== TEST 2: JSON can be asked for
--- config
    location / {
        miqps_status json;
    }
--- request
GET /?any=1
--- response_body_filters eval: $::Json
--- response_body_like: ^corpus guard hosts
--- response_headers
Content-Type: application/json



=== TEST 3: HEAD has the headers only
--- config
    location / {
        miqps_status;
    }
--- request
HEAD /
--- response_body:
--- response_headers
Content-Type: application/json
Cache-Control: no-store



=== TEST 4: other methods are refused
--- config
    location / {
        miqps_status;
    }
--- request eval
[ "POST /\na=1", "PUT /\na", 'DELETE /', 'OPTIONS /' ]
--- error_code eval
[ 405, 405, 405, 405 ]



=== TEST 5: verdicts, and strips by layer
--- config
    location / {
        miqps rewrite;
        miqps_sort on;
        miqps_strip o;
        miqps_rules ../html/rules.json;
        return 204;
    }
--- user_files
>>> rules.json
{ "version": 1, "strip": [ "r", "~^x[0-9]$" ] }
--- asked eval
[ 'GET /', 'GET /?a=1', 'GET /?fbclid=1', 'GET /?b=1&a=2', 'GET /?o=1&fbclid=2&gclid=3',
  'GET /?r=1&o=2', 'GET /?x1=1&x2=2&r=3', 'GET /?', 'GET /?a=%61' ]
--- codes eval
[ (204) x 9 ]
--- counts
hosts.localhost.requests 9
hosts.localhost.stripped 4
layers.operator.hits 2
layers.operator.strips 2
layers.regex.hits 1
layers.regex.strips 2
layers.rules.hits 2
layers.rules.strips 2
layers.tracking.hits 2
layers.tracking.strips 3
requests 9
verdicts.clean 2
verdicts.normalized 3
verdicts.stripped 4



=== TEST 6: a plan that is followed is counted as the query that made it
--- config
    location / {
        miqps rewrite;
        return 204;
    }
--- asked eval
[ ('GET /?a=1&fbclid=2&gclid=3') x 5, 'GET /?a=2&fbclid=3&gclid=4' ]
--- codes eval
[ (204) x 6 ]
--- only: ^(?:layers|verdicts)
--- counts
layers.tracking.hits 6
layers.tracking.strips 12
verdicts.stripped 6



=== TEST 7: strict platforms
--- config
    location / {
        miqps rewrite;
        miqps_platform shopify strict;
        return 204;
    }
--- asked eval
[ 'GET /products/a?variant=1&zip=2&zap=3' ]
--- codes eval
[ 204 ]
--- only: ^(?:layers|verdicts)
--- counts
layers.platform.hits 1
layers.platform.strips 2
verdicts.stripped 1



=== TEST 8: what the guard refuses, by reason
--- config
    location / {
        miqps rewrite;
        return 204;
    }
--- asked eval
[ 'GET /?a=1;b=2&fbclid=3', 'GET /?a=%&fbclid=1', 'GET /?a=%zz', 'GET /?a=%00',
  'GET /?X-Amz-Signature=1&fbclid=2', 'GET /?a%26b=1', 'GET /?a=1&b=2#c',
  'GET /a%20b?x=1#y', 'GET /?' . 'a=1&' x 1000 . 'b' ]
--- codes eval
[ (204) x 9 ]
--- only: ^(?:guard|verdicts|requests)
--- counts
guard.delimiter 1
guard.escape 2
guard.fragment 2
guard.nul 1
guard.semicolon 1
guard.signed 1
guard.too-many 1
requests 9
verdicts.opaque 9



=== TEST 9: what is not looked at
--- config
    location / {
        miqps rewrite;
        return 204;
    }
--- asked eval
[ "POST /?fbclid=1\na=1", "GET /?fbclid=2\nabc", 'GET /?fbclid=3', 'DELETE /?fbclid=4' ]
--- headers eval
[ '', '', 'Upgrade: websocket' ]
--- codes eval
[ (204) x 4 ]
--- counts
hosts.localhost.requests 4
requests 4
verdicts.body 1
verdicts.method 2
verdicts.upgrade 1



=== TEST 10: redirects
--- config
    location / {
        miqps redirect;
        return 204;
    }
--- asked eval
[ 'GET /?fbclid=1', 'GET /?a=1', 'GET //x?fbclid=2', 'HEAD /?fbclid=3' ]
--- codes eval
[ 302, 204, 204, 302 ]
--- only: ^(?:redirects|requests|verdicts)
--- counts
redirects 2
requests 4
verdicts.clean 1
verdicts.path 1
verdicts.stripped 2



=== TEST 11: an upstream that redirects back
--- config
    location / {
        miqps rewrite;
        miqps_strip lang;
        proxy_pass http://origin;
    }
--- origin
        location / {
            if ($arg_lang = '') {
                return 302 /p?lang=de;
            }
            return 200 "$request_uri";
        }
--- asked eval
[ 'GET /p?lang=de', 'GET /p?lang=de' ]
--- codes eval
[ 302, 200 ]
--- only: ^(?:requests|verdicts|layers)
--- error_log eval
[]
--- counts
layers.operator.hits 1
layers.operator.strips 1
requests 2
verdicts.loop 1
verdicts.stripped 1



=== TEST 12: annotate counts a request when a variable of it is read, once
--- config
    location / {
        miqps annotate;
        return 204;
    }
    location /read {
        miqps annotate;
        add_header X-One "$miqps_uri $miqps_verdict $miqps_stripped";
        add_header X-Two $miqps_layer;
        return 204;
    }
--- asked eval
[ 'GET /?fbclid=1', 'GET /read?fbclid=2', 'GET /read?a=1;b', 'GET /read', "POST /read?fbclid=3\na" ]
--- codes eval
[ (204) x 5 ]
--- counts
guard.semicolon 1
hosts.localhost.requests 4
hosts.localhost.stripped 1
layers.tracking.hits 1
layers.tracking.strips 1
requests 4
verdicts.clean 1
verdicts.method 1
verdicts.opaque 1
verdicts.stripped 1



=== TEST 13: internal redirects count once, whatever the request is
--- config
    location / {
        miqps rewrite;
        try_files /none @named;
    }
    location @named {
        miqps rewrite;
        miqps_strip other;
        add_header X-Read $miqps_uri;
        error_page 404 = @last;
        return 404;
    }
    location @last {
        miqps rewrite;
        add_header X-Read "$miqps_verdict $miqps_uri";
        return 204;
    }
    location /rewritten {
        miqps rewrite;
        rewrite ^ /again last;
    }
    location /again {
        miqps rewrite;
        return 204;
    }
--- asked eval
[ 'GET /a?fbclid=1', 'GET /b?b=1', 'GET /c?a;b', 'GET /d', 'GET /rewritten?b=1',
  'GET /rewritten?fbclid=1', 'GET /rewritten', 'GET /rewritten?a;b' ]
--- codes eval
[ (204) x 8 ]
--- counts
guard.semicolon 2
hosts.localhost.requests 8
hosts.localhost.stripped 2
layers.tracking.hits 2
layers.tracking.strips 2
requests 8
verdicts.clean 4
verdicts.opaque 2
verdicts.stripped 2



=== TEST 14: where a request comes from a location that is off
--- config
    location / {
        add_header X-Read "$miqps_verdict";
        try_files /none @named;
    }
    location @named {
        miqps rewrite;
        add_header X-Read "$miqps_verdict";
        try_files /none @off;
    }
    location @off {
        add_header X-Read "$miqps_verdict";
        try_files /none @last;
    }
    location @last {
        miqps rewrite;
        return 204;
    }
    location /read {
        set $was $miqps_verdict;
        try_files /none @named;
    }
    location /off {
        add_header X-Read "$miqps_verdict";
        return 204;
    }
--- asked eval
[ 'GET /a?fbclid=1', 'GET /b?b=1', 'GET /read?fbclid=1', 'GET /read?b=1', 'GET /off?fbclid=1' ]
--- codes eval
[ (204) x 5 ]
--- only: ^(?:requests|verdicts)
--- counts
requests 4
verdicts.clean 2
verdicts.stripped 2



=== TEST 15: subrequests and miqps_set do not count
--- config
    location / {
        miqps rewrite;
        miqps_set $clean "/x?fbclid=1";
        auth_request /auth;
        mirror /mirror;
        proxy_pass http://origin;
        add_header X-Clean $clean;
    }
    location /auth {
        internal;
        miqps rewrite;
        proxy_pass http://origin/auth?fbclid=1;
        add_header X-Read $miqps_uri;
    }
    location /mirror {
        internal;
        miqps rewrite;
        proxy_pass http://origin/mirror;
    }
--- asked eval
[ 'GET /?fbclid=1', 'GET /?b=1' ]
--- only: ^(?:requests|verdicts)
--- counts
requests 2
verdicts.clean 1
verdicts.stripped 1



=== TEST 16: what a map was asked, and what it knew
--- map eval: $::Shop
--- config
    miqps_bypass $cookie_login;
    location / {
        miqps rewrite;
        return 204;
    }
--- asked eval
[ 'GET /?ref=1&id=2', 'GET /?other=1', 'GET /', 'GET /?ref=1;b', 'GET /?fbclid=1&ref=2&id=3',
  'GET /?ref=1&id=2', 'GET /?ref=1&id=2', 'GET /?id=1&ref=2&src=3', 'GET /?ref=1' ]
--- headers eval
[ '', '', '', '', '', 'Authorization: x', 'Cookie: login=1', '', 'Host: unknown.example' ]
--- codes eval
[ (204) x 9 ]
--- counts
guard.semicolon 1
hosts.localhost.known 3
hosts.localhost.requests 8
hosts.localhost.stripped 3
layers.map.hits 3
layers.map.strips 4
layers.tracking.hits 1
layers.tracking.strips 1
map.bypassed 2
map.hits 3
map.host_hits 4
map.lookups 5
map.stripped 3
map.strips 4
other_hosts.requests 1
requests 9
verdicts.clean 5
verdicts.opaque 1
verdicts.stripped 3
zones.0.bypassed 2
zones.0.hits 3
zones.0.host_hits 4
zones.0.lookups 5
zones.0.stripped 3
zones.0.strips 4



=== TEST 17: hosts are those of the map and of servers, and no others
--- map eval: $::Shop
--- http_config
    server {
        listen $TEST_NGINX_SERVER_PORT;
        server_name named.example .dotted.example *.stars.example "~^(?<x>regex)";
        location / {
            miqps rewrite;
            return 204;
        }
    }
--- config
    location / {
        miqps rewrite;
        return 204;
    }
--- asked eval
[ ('GET /?any=1') x 11 ]
--- headers eval
[ map { "Host: $_" } 'one.shop.example', 'two.shop.example', 'three.shop.example:80', 'MIRROR.example.',
  'named.example', 'dotted.example', 'a.dotted.example', 'b.stars.example', 'regex.example',
  'unknown.example', '127.0.0.1' ]
--- codes eval
[ (204) x 11 ]
--- only: host(?!_hits)
--- counts
hosts.*.shop.example.known 2
hosts.*.shop.example.requests 2
hosts.*.shop.example.stripped 2
hosts.dotted.example.requests 1
hosts.localhost.requests 1
hosts.named.example.requests 1
hosts.one.shop.example.requests 1
other_hosts.requests 5



=== TEST 18: there are no more hosts than wanted
--- http_config
    server {
        listen $TEST_NGINX_SERVER_PORT;
        server_name a.example b.example c.example d.example e.example;
        location / {
            miqps rewrite;
            return 204;
        }
    }
--- config
    location = /numbers {
        miqps_status hosts=3;
    }
--- asked eval
[ ('GET /?a=1') x 10 ]
--- headers eval
[ map { "Host: $_.example" } qw(a b c d e a b c d e) ]
--- codes eval
[ (204) x 10 ]
--- only: ^(?:hosts\.[abc]\.|other|requests)
--- counts
hosts.a.example.requests 2
hosts.b.example.requests 2
hosts.c.example.requests 2
other_hosts.requests 4
requests 10



=== TEST 19: hosts need not be counted
--- config
    location / {
        miqps rewrite;
        return 204;
    }
    location = /numbers {
        miqps_status json hosts=0;
    }
--- asked eval
[ 'GET /?fbclid=1' ]
--- codes eval
[ 204 ]
--- counts
layers.tracking.hits 1
layers.tracking.strips 1
requests 1
verdicts.stripped 1



=== TEST 20: who asks is not counted, unless that is wanted
--- config
    miqps rewrite;
    location = /numbers {
        miqps_status;
    }
    location = /counted {
        miqps rewrite;
        miqps_status;
    }
--- asked eval
[ 'GET /numbers?fbclid=1', 'GET /counted?fbclid=1' ]
--- only: ^(?:requests|verdicts)
--- counts
requests 1
verdicts.stripped 1



=== TEST 21: a zone and its map
--- map eval: $::Shop
--- config
    location / {
        miqps_status;
    }
--- request
GET /
--- response_body_filters eval
sub {
    my $zone = JSON::PP->new->utf8->decode($_[0])->{zones}[0];
    my $size = -s $ENV{TEST_NGINX_MAP};
    return join ' ', $zone->{name} eq $ENV{TEST_NGINX_ZONE} ? 'name' : '',
        $zone->{map} eq $ENV{TEST_NGINX_MAP} ? 'map' : '',
        $zone->{size} == $size ? 'size' : '',
        $zone->{image} =~ /^[0-9a-f]{32}$/ ? 'image' : '',
        $zone->{since} >= time - 600 && $zone->{since} <= time ? 'since' : '',
        $zone->{age} < 600 ? 'age' : '', $zone->{off} ? 'off' : 'on',
        map { "$_=$zone->{$_}" } qw(generation hosts patterns names slots swaps refused reason memory);
}
--- response_body chomp
name map size image since age on generation=1 hosts=4 patterns=4 names=5 slots=1 swaps=1 refused=0 reason= memory=1048576



=== TEST 22: a map that is refused
--- map eval: $::Shop
--- spoil: truncate $_, 100
--- config
    location / {
        miqps_status;
    }
--- request
GET /
--- response_body_filters eval
sub {
    my $zone = JSON::PP->new->utf8->decode($_[0])->{zones}[0];
    return join ' ', map { "$_=$zone->{$_}" } qw(generation image hosts slots swaps refused reason);
}
--- response_body_like: ^generation=0 image= hosts=0 slots=0 swaps=0 refused=1 reason=\S
--- error_log
is not used



=== TEST 23: a file with a hostile name
--- http_config
    miqps_zone "a\"<b>" 1m;
--- config
    location / {
        miqps_status;
    }
    location /text {
        miqps_status prometheus;
    }
--- request eval
[ 'GET /', 'GET /text' ]
--- response_body_filters eval
[ [sub { JSON::PP->new->utf8->decode($_[0])->{zones}[0]{name} . ($_[0] =~ /[<>]/ ? ' raw' : '') }],
  [sub { Status::lint($_[0]) . ($_[0] =~ /^(miqps_zone_off.*)/m)[0] }] ]
--- response_body eval
[ 'a"<b>', "fine\nmiqps_zone_off{zone=\"a\\\"<b>\"} 0" ]



=== TEST 24: Prometheus
--- map eval: $::Shop
--- config
    location / {
        miqps_status prometheus;
    }
--- request eval
[ 'GET /', 'HEAD /' ]
--- response_body_filters eval
[ [\&Status::lint], [sub { $_[0] }] ]
--- response_body eval
[ "fine\n", '' ]
--- response_headers eval
[ ("Content-Type: text/plain; version=0.0.4; charset=utf-8\nCache-Control: no-store") x 2 ]



=== TEST 25: Prometheus has the same numbers
--- map eval: $::Shop
--- config
    location / {
        miqps rewrite;
        return 204;
    }
    location = /numbers {
        miqps_status;
    }
    location = /text {
        miqps_status prometheus;
    }
--- request eval
[ 'GET /?ref=1&id=2&fbclid=3', 'GET /?a;b', 'GET /numbers', 'GET /text' ]
--- error_code eval
[ 204, 204, 200, 200 ]
--- response_body_filters eval
[ [sub { '' }], [sub { '' }],
  [sub { %::Json = Status::numbers($_[0]); '' }],
  [sub {
      my %got = $_[0] =~ /^miqps_(\S+) (\d+)$/mg;
      my $zone = qq({zone="$ENV{TEST_NGINX_ZONE}"});
      my %same = (
          'requests_total{verdict="stripped"}' => 'verdicts.stripped',
          'guard_total{reason="semicolon"}' => 'guard.semicolon',
          'layer_hits_total{layer="map"}' => 'layers.map.hits',
          'layer_strips_total{layer="tracking"}' => 'layers.tracking.strips',
          "map_lookups_total$zone" => 'zones.0.lookups',
          "map_hits_total$zone" => 'zones.0.hits',
          "zone_generation$zone" => 'zones.0.generation',
          "zone_hosts$zone" => 'zones.0.hosts',
          'host_requests_total{host="localhost"}' => 'hosts.localhost.requests',
          'host_requests_total{host="*"}' => 'other_hosts.requests');
      join '', map { ($got{$_} // 'none') eq $::Json{$same{$_}} ? ()
                     : "$_ is not $same{$_}\n" } sort keys %same;
  }] ]
--- response_body eval
[ '', '', '', '' ]



=== TEST 26: two zones are told apart
--- map eval: $::Shop
--- other eval: $::Shop
--- config
    location / {
        miqps rewrite;
        return 204;
    }
    location /other {
        miqps rewrite;
        miqps_use $TEST_NGINX_OTHER;
        return 204;
    }
--- asked eval
[ 'GET /?ref=1&id=2', 'GET /other?ref=1&id=2', 'GET /other?x=1' ]
--- codes eval
[ (204) x 3 ]
--- only: ^(?:zones|map\.)
--- counts
map.hits 2
map.host_hits 3
map.lookups 3
map.stripped 2
map.strips 2
zones.0.hits 1
zones.0.host_hits 1
zones.0.lookups 1
zones.0.stripped 1
zones.0.strips 1
zones.1.hits 1
zones.1.host_hits 2
zones.1.lookups 2
zones.1.stripped 1
zones.1.strips 1



=== TEST 27: the worker, and the map that it read
--- map eval: $::Shop
--- config
    location / {
        miqps rewrite;
        return 204;
    }
    location = /numbers {
        miqps_status;
    }
--- request eval
[ 'GET /?ref=1&id=2', 'GET /numbers' ]
--- error_code eval
[ 204, 200 ]
--- response_body_filters eval
[ [sub { '' }],
  [sub {
      my $all = JSON::PP->new->utf8->decode($_[0]);
      my ($one) = grep { $_->{pid} == $all->{pid} } @{$all->{workers}};
      return "$one->{requests} @{$one->{generations}}";
  }] ]
--- response_body eval
[ '', '1 1' ]



=== TEST 28: names are escaped
--- http_config
    miqps_zone 'z"\\</script>' 512k;
--- config
    location / {
        miqps_status;
    }
--- request
GET /
--- response_body_filters eval
sub { JSON::PP->new->utf8->decode($_[0])->{zones}[0]{name} }
--- response_body chomp
z"\</script>



=== TEST 29: answers, by host
--- config eval
join '', "error_page 403 = \@other;\nmiqps rewrite;\n",
         (map { "location = /$_ { return $_" . ($_ < 309 && $_ > 300 && $_ != 304 ? ' /x' : '') . "; }\n" }
          200, 204, 301, 302, 303, 304, 307, 308, 400, 401, 403, 416, 500, 502, 503),
         "location \@other { return 404; }\n",
         "location = /off { miqps off; return 500; }\n"
--- asked eval
[ map { "GET /$_?a=1" } 200, 204, 301, 302, 303, 304, 307, 308, 400, 401, 403, 416, 500, 502, 503, 'off' ]
--- codes eval
[ 200, 204, 301, 302, 303, 304, 307, 308, 400, 401, 404, 416, 500, 502, 503, 500 ]
--- only: ^hosts
--- error_log eval
[]
--- counts
hosts.localhost.4xx 4
hosts.localhost.5xx 3
hosts.localhost.redirects 5
hosts.localhost.requests 15



=== TEST 30: redirects to clean URLs are not among them
--- config
    location / {
        miqps redirect;
        return 307 /there;
    }
--- asked eval
[ 'GET /?fbclid=1', 'GET /?a=1', 'GET /?gclid=1&a=2' ]
--- codes eval
[ 302, 307, 302 ]
--- only: ^hosts
--- counts
hosts.localhost.redirects 1
hosts.localhost.requests 3
hosts.localhost.stripped 2



=== TEST 31: answers of upstreams, not of caches
--- http_config
    proxy_cache_path $TEST_NGINX_HTML_DIR/cache keys_zone=pages:1m;
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
        proxy_cache pages;
        proxy_cache_valid 200 1h;
    }
--- origin
        location / {
            return 200 "$request_uri";
        }
        location /gone {
            return 410;
        }
--- asked eval
[ 'GET /p?a=1', 'GET /p?a=1&fbclid=2', 'GET /p?fbclid=3&a=1', 'GET /p?a=2', 'GET /gone?a=1' ]
--- codes eval
[ 200, 200, 200, 200, 410 ]
--- only: ^hosts\.(?!.*_ms)
--- counts
hosts.localhost.4xx 1
hosts.localhost.requests 5
hosts.localhost.stripped 2
hosts.localhost.upstream 3



=== TEST 32: how long upstreams take
--- config
    location / {
        miqps rewrite;
        proxy_pass http://origin;
    }
    location = /status {
        miqps_status;
    }
--- origin eval
"location / { limit_rate 400; return 200 " . ('x' x 700) . "; }\n"
--- request eval
[ 'GET /p', 'GET /status' ]
--- response_body_filters eval
[ [sub { '' }],
  [sub { my %n = Status::numbers($_[0]);
         $n{'hosts.localhost.upstream'} > 0 && $n{'hosts.localhost.upstream_ms'} >= 300 ? 'slow' : 'fast' }] ]
--- response_body eval
[ '', 'slow' ]
