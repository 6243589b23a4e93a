# Copyright (C) the ngx_miqps authors
#
# What CGI.pm makes of each query on standard input, from the environment of
# a CGI program.

use strict;
use warnings;

use CGI ();

$ENV{REQUEST_METHOD} = 'GET';

binmode STDIN;
binmode STDOUT;


sub text {
    my ($value) = @_;

    # %u escapes of CGI.pm can yield characters
    utf8::encode($value) if utf8::is_utf8($value);
    $value =~ s/([^A-Za-z0-9_.~-])/sprintf '%%%02X', ord $1/ge;

    return qq{"$value"};
}


while (my $query = <STDIN>) {
    chomp $query;
    $ENV{QUERY_STRING} = $query;

    # without this the second object would be a copy of the first
    CGI::initialize_globals();

    my $cgi = CGI->new;
    my @entries;

    for my $name ($cgi->multi_param) {
        my @values = map { text($_) } $cgi->multi_param($name);
        push @entries, text($name) . '=[' . join(',', @values) . ']';
    }

    print join(' ', @entries), "\n";
}
