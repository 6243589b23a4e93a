package Status;

# Copyright (C) the ngx_miqps authors
#
# For blocks that look at what is counted:
#
#     use lib 't';
#     use Miqps;
#     use Status;
#
# "asked" are requests, as "request" has them, and "counts" is what more
# miqps_status has after them than before, one number a line.  Of requests that
# are sent with "headers" or answered with other "codes" than 200 there is an
# array of these.  "only" is a pattern of what is of interest.
#
# Reading goes by a parser for JSON, and by one for the text of Prometheus,
# which is strict.  A reload keeps all numbers, so that only differences count.

use strict;
use warnings;

use JSON::PP ();
use Test::Nginx::Util ();

my %Before;

# numbers by their way in the object; what has a name goes by this

sub flat($$$);

sub flat($$$) {
    my ($value, $way, $all) = @_;

    if (ref $value eq 'HASH') {
        flat($value->{$_}, $way eq '' ? $_ : "$way.$_", $all)
            for keys %$value;

    } elsif (ref $value eq 'ARRAY') {
        my $i = 0;

        for my $one (@$value) {
            my $name = ref $one eq 'HASH' ? $one->{host} : undef;
            flat($one, "$way." . ($name // $i++), $all);
        }

    } elsif ($value =~ /^\d+$/) {
        $all->{$way} = $value;
    }
}

sub numbers($) {
    my %all;

    flat(JSON::PP->new->utf8->decode(shift), '', \%all);

    delete @all{grep { /^(?:pid|time|since|workers\.)|\.(?:age|since)$/ }
                keys %all};

    return %all;
}

sub difference($$) {
    my ($block, $body) = @_;

    my %now = eval { numbers($body) } or return "no JSON: $@\n$body";
    my $only = $block->only // '.';
    chomp $only;

    my @more = map { my $n = $now{$_} - ($Before{$_} // 0);
                     $n == 0 || $_ !~ $only ? () : "$_ $n\n" } sort keys %now;

    %Before = %now;

    return join '', @more;
}


# what is wrong with the text of Prometheus, or "fine"

sub lint($) {
    my $text = shift;
    my (%type, %help, %seen, $last);

    return "no end of line\n" if $text !~ /\n\z/;

    for (split /\n/, $text) {
        if (/^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) \S.*$/) {
            return "second HELP: $_\n" if $help{$1}++;
            $last = $1;

        } elsif (/^# TYPE (\S+) (counter|gauge)$/) {
            my ($name, $type) = ($1, $2);

            return "TYPE without HELP before: $_\n" if $last ne $name;
            return "second TYPE: $_\n" if $type{$name};
            return "a counter is no total: $_\n"
                if ($type eq 'counter') != ($name =~ /_total$/);

            $type{$name} = $type;

        } elsif (/^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\d+)$/) {
            my ($name, $labels) = ($1, $2 // '');

            return "not among its own: $_\n" if $name ne $last;
            return "no TYPE: $_\n" if !$type{$name};
            return "twice: $_\n" if $seen{"$name$labels"}++;

            my $label = qr/[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"/;

            return "labels: $_\n" if $labels !~ /^(?:\{$label(?:,$label)*\})?$/;
            return "bytes: $_\n" if !utf8::decode(my $copy = $labels)
                                    || $labels =~ /[\x00-\x1f\x7f]/;

        } else {
            return "unknown: $_\n";
        }
    }

    return "fine\n";
}


sub array($) {
    my $section = shift // [];

    return ref $section ? @$section : split /\n/, $section;
}

Test::Nginx::Util::add_block_preprocessor(sub {
    my $block = shift;

    return if !defined $block->asked;

    if ($block->config !~ /miqps_status/) {
        $block->set_value('config', $block->config . <<'END');
    location = /numbers {
        miqps_status;
    }
END
    }

    my @asked = array($block->asked);
    my @headers = array($block->headers);
    my @codes = array($block->codes);
    my $counts = $block->counts;

    my $first = sub { difference($block, $_[0]); 'before' };
    my $other = sub { '' };
    my $last = sub { difference($block, $_[0]) };

    $block->set_value('request', ['GET /numbers', @asked, 'GET /numbers']);
    $block->set_value('more_headers',
                      ['', (map { $headers[$_] // '' } 0 .. $#asked), '']);
    $block->set_value('error_code',
                      [200, (map { $codes[$_] // 200 } 0 .. $#asked), 200]);
    $block->set_value('response_body_filters',
                      [[$first], (map { [$other] } @asked), [$last]]);
    $block->set_value('response_body',
                      ['before', (map { '' } @asked), $counts]);
});

1;
