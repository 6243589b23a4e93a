package Corpus;

# Copyright (C) the ngx_miqps authors
#
# For blocks that look at what miqps_corpus has written:
#
#     use lib 't';
#     use Miqps;
#     use Corpus;
#
# CORPUS in a configuration is the name of a file, another one for each block.
# "sent" are requests, as "request" has them, and "corpus" is what the file has
# after them, without the time, the client and the size.  Of requests that are
# sent with "headers" or answered with other "codes" than 200 there is an array
# of these.  "form" is code for the text of the file, in $_.
#
# A last request tells when all is written: there is one worker, and it writes
# in order.

use strict;
use warnings;

use Test::Nginx::Util ();

my $Last = '/the-end-of-it';
my $Count = 0;

sub lines($$) {
    my ($file, $form) = @_;

    for (1 .. 200) {
        open my $in, '<', $file or return "$file: $!\n";
        my $text = do { local $/; <$in> } // '';
        close $in;

        if ($text =~ s/^[^\n]*\t\Q$Last\E\t[^\n]*\n//m) {
            local $_ = $text;
            return eval $form if defined $form;

            my $field = '[^\t\n]*';
            s/^1\t\d+\t[0-9a-f]{16}\t($field)\t($field)\t($field)\t($field)\t\d+\t/$1 $2 $3 $4 /mg;
            return $_;
        }

        select undef, undef, undef, 0.05;
    }

    return "$file: the last line did not come\n";
}

sub array($) {
    my $section = shift // [];

    return ref $section ? @$section : split /\n/, $section;
}

Test::Nginx::Util::add_block_preprocessor(sub {
    my $block = shift;

    my $file = "$ENV{TEST_NGINX_SERVROOT}/logs/corpus" . ++$Count . '.log';
    my $config = $block->config;

    if (defined $block->sent) {
        $config .= <<"END";
    location = $Last {
        miqps_corpus CORPUS;
        miqps off;
        return 200;
    }
END
    }

    for ([config => $config], [http_config => $block->http_config]) {
        my ($name, $text) = @$_;

        next if !defined $text;

        $text =~ s/CORPUS/$file/g;
        $block->set_value($name, $text);
    }

    return if !defined $block->sent;

    my @sent = array($block->sent);
    my @headers = array($block->headers);
    my @codes = array($block->codes);
    my $form = $block->form;
    my $other = sub { '' };

    $block->set_value('request', [@sent, "GET $Last"]);
    $block->set_value('more_headers',
                      [(map { $headers[$_] // '' } 0 .. $#sent), '']);
    $block->set_value('error_code',
                      [(map { $codes[$_] // 200 } 0 .. $#sent), 200]);
    $block->set_value('response_body_filters',
                      [(map { [$other] } @sent),
                       [sub { lines($file, $form) }]]);
    $block->set_value('response_body',
                      [(map { '' } @sent), $block->corpus]);
});

1;
