package Map;

# Copyright (C) the ngx_miqps authors
#
# For blocks with a learned map.  A section "map" is map source; a zone has its
# image before nginx starts, and all servers use it:
#
#     use lib 't';
#     use Miqps;
#     use Map;
#
#     --- map
#     {"host": "localhost", "patterns": [...]}
#
# "zone" has the zone's size and options, if it is not "1m"; "spoil" is code
# that does something to the image, whose path is $_; "other" is source for a
# second zone, which nobody uses; and "next" is source whose image takes the
# place of the first one when nginx has started.
#
# Zones outlive a reload, so that each block has its own: $TEST_NGINX_ZONE and
# $TEST_NGINX_OTHER are their names, $TEST_NGINX_MAP is the image.

use strict;
use warnings;

use File::Path;
use File::Spec;
use Test::Nginx::Util ();

my $Miqps = File::Spec->rel2abs($ENV{MIQPS} // 'build/miqps');
my $Maps = "$ENV{TEST_NGINX_SERVROOT}-maps";
my $Count = 0;

File::Path::remove_tree($Maps);
File::Path::make_path($Maps);

# nginx's workers are of another user if this one is root, but do not read it

sub image($$) {
    my ($name, $source) = @_;

    open my $out, '|-', $Miqps, 'compile', '-', '-o', "$Maps/$name"
        or die "$Miqps: $!\n";
    print $out $source;
    close $out or die "$Miqps does not compile $source";

    chmod 0644, "$Maps/$name";

    return "$Maps/$name";
}

sub spoil($$) {
    my ($code, $image) = @_;

    local $_ = $image;
    eval $code;
    die $@ if $@;
}

sub put($$) {
    my ($name, $source) = @_;

    rename image("$name.next", $source), "$Maps/$name" or die "$name: $!\n";
}

# code of a block is text

our %Next;

Test::Nginx::Util::add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->map;

    $Count++;

    my $zone = $ENV{TEST_NGINX_ZONE} = "zone$Count";
    my $other = $ENV{TEST_NGINX_OTHER} = "other$Count";
    my $map = $ENV{TEST_NGINX_MAP} = image($zone, $block->map);
    my $how = $block->zone // '1m';
    chomp $how;

    spoil($block->spoil, $map) if defined $block->spoil;

    if (defined $block->next) {
        $Next{$zone} = $block->next;
        $block->set_value('init', ($block->init // '')
                          . "Map::put('$zone', \$Map::Next{'$zone'});");
    }

    my $config = "    miqps_zone $zone $how map=$map;\n"
                 . "    miqps_use $zone;\n";

    if (defined $block->other) {
        $config .= "    miqps_zone $other 1m map="
                   . image($other, $block->other) . ";\n";
    }

    $block->set_value('http_config', $config . ($block->http_config // ''));
});

1;
