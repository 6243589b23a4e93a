package Miqps;

# Copyright (C) the ngx_miqps authors
#
# What every t/*.t begins with.  A file is
#
#     use lib 't';
#     use Miqps;
#
#     run_tests();
#
#     __DATA__
#
# and blocks of Test::Nginx::Socket, with these differences:
#
#   - The module is loaded, and there is no "location /" but the block's own.
#
#   - No plan is needed; results are counted at the end.
#
#   - Every block wants a clean error log: nothing of level warn or above.  A
#     block that has an "error_log" section expects to be told something, and
#     only crit, alert and emerg remain forbidden; one with "must_die" expects
#     emerg.  What sections forbid by themselves is forbidden too.
#
#   - crit, alert and emerg are collected over the whole file, also when nginx
#     ends, in alarms.log; tests/nginx/t looks at it.
#
#   - "http2" works with every nginx, and curl sends paths as they are written.
#
#   - A configuration that nginx refuses fails its block, not the file.
#
# TEST_NGINX_BINARY and MIQPS_MODULE choose nginx and the module, MIQPS_WORK a
# folder for all that is written.  By default these are the distribution's,
# build/ngx_http_miqps_module.so and build/t/NAME.

use strict;
use warnings;

use File::Spec;

our $Work;


# A file has ten ports.  Who listens on the last of them has them all, until
# the process ends, however it ends.

my $Lock;

sub listener($) {
    IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $_[0],
                          Proto => 'tcp', Listen => 1);
}

sub free_port() {
    for (my $port = 12000; $port < 30000; $port += 10) {
        $Lock = listener($port + 9) or next;
        return $port if listener($port);
    }

    die "there is no free port\n";
}

# before Test::Nginx looks at its environment

BEGIN {
    require File::Basename;
    require File::Path;
    require IO::Socket::INET;

    my $name = File::Basename::basename($0, '.t');
    my $module = 'build/ngx_http_miqps_module.so';

    $Work = File::Spec->rel2abs($ENV{MIQPS_WORK} // "build/t/$name");
    File::Path::make_path($Work);

    $ENV{TEST_NGINX_SERVROOT} = "$Work/servroot";
    $ENV{TEST_NGINX_PORT} //= free_port();
    $ENV{TEST_NGINX_LOAD_MODULES}
        //= File::Spec->rel2abs($ENV{MIQPS_MODULE} // $module);

    if (!defined $ENV{TEST_NGINX_BINARY} && -x '/usr/sbin/nginx') {
        $ENV{TEST_NGINX_BINARY} = '/usr/sbin/nginx';
    }

    unlink "$Work/alarms.log";

    open my $out, '>', "$Work/.curlrc" or die "$Work/.curlrc: $!\n";
    print $out "globoff\npath-as-is\n";
    close $out;

    $ENV{CURL_HOME} = $Work;
}

use Test::Nginx::Socket -Base;

Test::Builder->new->no_plan;

no_shuffle();
no_root_location();
no_long_string();


# a line of the error log of one of these levels; a reload that needs a socket
# no more says so as a warning

my $Line = '^\S+ \S+ \[(?:%s)\] (?!\S+ deleting socket )';
my $Report = 'AddressSanitizer|runtime error:';

add_block_preprocessor(sub {
    my $block = shift;

    my @levels = qw(crit alert emerg);
    my $wanted = flat($block->error_log);

    if (!defined $block->error_log && !defined $block->must_die) {
        unshift @levels, 'warn', 'error';
    }

    if (defined $block->must_die) {
        pop @levels;
    }

    @levels = grep { index($wanted, "[$_]") < 0 } @levels;

    my $line = sprintf $Line, join '|', @levels;

    $block->set_value('no_error_log',
                      [ list($block->no_error_log), qr/$line|$Report/ ]);

    if ($wanted !~ /\[(?:crit|alert|emerg)\]/ && !defined $block->must_die) {
        $block->set_value('main_config', ($block->main_config // '')
                          . "\nerror_log $Work/alarms.log crit;\n");
    }

    if ($ENV{TEST_NGINX_USE_VALGRIND}) {
        $block->set_value('init', 'Miqps::wait_for_nginx(); '
                          . ($block->init // ''));
    }
});


# the patterns of a section, which has lines or, after "eval", anything

sub list(@) {
    my $section = shift;

    return () if !defined $section;
    return @$section if ref $section eq 'ARRAY';
    return $section if ref $section;
    return grep { length } split /\n+/, $section;
}

sub flat(@) {
    return join "\n", map { my $s = "$_"; $s =~ s/\\//g; $s } list(shift);
}


# Test::Nginx tries for half a minute to start an nginx that refuses its
# configuration, and then gives up the whole file.  Here the block fails, with
# what nginx said.

sub refused($) {
    my $block = shift;

    return if defined $block->must_die || defined $block->reload_fails;

    my $servroot = $ENV{TEST_NGINX_SERVROOT};
    my $conf = $Test::Nginx::Util::ConfFile;

    my $pid = $Test::Nginx::Util::PidFile;

    my $said = `$Test::Nginx::Util::NginxBinary -e $Work/test.log -t \\
                -p $servroot/ -c $conf 2>&1`;

    die { refused => $said } if $? != 0;

    # a test leaves an empty one, which would be taken for that of a server
    unlink $pid if -z $pid;
}

# under valgrind nginx takes its time

sub wait_for_nginx() {
    for (1 .. 600) {
        my $socket = IO::Socket::INET->new(
            PeerAddr => '127.0.0.1', PeerPort => server_port(),
            Proto => 'tcp');

        return if defined $socket && -s $Test::Nginx::Util::PidFile;
        select undef, undef, undef, 0.05;
    }
}

# "http2 on" is for nginx since 1.25.1; those before have an option of listen

sub older_http2() {
    return if $Test::Nginx::Util::NginxVersion >= 1.025001;

    my $file = $Test::Nginx::Util::ConfFile;

    open my $in, '<', $file or die "$file: $!\n";
    my $text = do { local $/; <$in> };
    close $in;

    if ($text =~ s/^(\s*listen\s[^;\n]*); *http2 on;/$1 http2;/mg) {
        open my $out, '>', $file or die "$file: $!\n";
        print $out $text;
        close $out or die "$file: $!\n";
    }
}

{
    no warnings qw(redefine prototype);

    my $write = \&Test::Nginx::Util::write_config_file;
    my $run = \&Test::Nginx::Util::run_test;

    *Test::Nginx::Util::write_config_file = sub ($$$) {
        $write->(@_);
        older_http2();
        refused($_[0]);
    };

    *Test::Nginx::Util::run_test = sub ($) {
        my $block = shift;

        return if eval { $run->($block); 1 };
        die $@ if ref $@ ne 'HASH';

        Test::More::fail($block->name . ' - nginx starts');
        Test::More::diag($@->{refused});
    };
}

1;
