package Refused;

# Copyright (C) the ngx_miqps authors
#
# For configurations that nginx must not start with.  A block has only what is
# wrong, and in "error_log" what nginx says of it, on one line with the file
# and the line where it stands:
#
#     use lib 't';
#     use Miqps;
#     use Refused;
#
# "unplaced" is for the few things that nginx says without file and line.

use strict;
use warnings;

use Test::Nginx::Util ();

Test::Nginx::Util::add_block_preprocessor(sub {
    my $block = shift;

    my $said = $block->error_log;
    chomp $said;

    $block->set_value('config', '') if !defined $block->config;
    $block->set_value('must_die', '');
    $block->set_value('suppress_stderr', '');

    my $place = defined $block->unplaced ? '' : '.* in \S+nginx\.conf:\d+';

    $block->set_value('error_log', [ qr/\[emerg\] .*\Q$said\E$place$/ ]);
});

1;
