# Copyright (C) the ngx_miqps authors
#
# Configurations with miqps_control that nginx must not start with.

use lib 't';
use Miqps;
use Refused;

# "control" are its parameters; "token" is the mode of a file and what it has,
# which is then the file of the token

my $Tokens = 0;

add_block_preprocessor(sub {
    my $block = shift;

    if (defined $block->token) {
        my ($mode, $token) = split ' ', $block->token, 2;
        my $name = "$ENV{TEST_NGINX_SERVROOT}-token" . $Tokens++;

        unlink $name;
        open my $out, '>', $name or die "$name: $!\n";
        print $out $token // '';
        close $out;
        chmod oct $mode, $name;

        $block->set_value('control', "allow=127.0.0.1 token_file=$name");
    }

    return if !defined $block->control;

    my $control = $block->control;
    chomp $control;

    $block->set_value('config', <<"END");
    location / {
        miqps_control $control;
    }
END
});

run_tests();

__DATA__

=== TEST 1: an address without a token
--- control: allow=127.0.0.1
--- error_log
"miqps_control" directive has "allow", and so needs "token_file" or "token": an address alone is not enough



=== TEST 2: a token without an address
--- control: token=0123456789abcdef
--- error_log
"miqps_control" directive has a token, and so needs "allow": a token alone is not enough



=== TEST 3: an address that is none
--- control: allow=localhost token=0123456789abcdef
--- error_log
invalid address "localhost" in "allow" of "miqps_control", it must be as 192.0.2.1 or 2001:db8::/32



=== TEST 4: everybody
--- control: allow=all token=0123456789abcdef
--- error_log
invalid address "all" in "allow" of "miqps_control"



=== TEST 5: a mask that is none
--- control: allow=10.0.0.0/33 token=0123456789abcdef
--- error_log
invalid address "10.0.0.0/33" in "allow" of "miqps_control"



=== TEST 6: no address
--- control: allow= token=0123456789abcdef
--- error_log
invalid parameter "allow=" of "miqps_control", it takes "allow_uid=USER,...", "allow=ADDRESS", "token_file=FILE" and "token=STRING"



=== TEST 7: a token that is short
--- control: allow=127.0.0.1 token=0123456789abcde
--- error_log
the token of "miqps_control" has 15 bytes, it must have 16 to 512



=== TEST 8: a token with a space
--- control: allow=127.0.0.1 'token=0123456789abcdef g'
--- error_log
"miqps_control" directive has a token with a byte that is no printable ASCII



=== TEST 9: a token that is empty
--- control: allow=127.0.0.1 token=
--- error_log
invalid parameter "token=" of "miqps_control"



=== TEST 10: two tokens
--- control: allow=127.0.0.1 token=0123456789abcdef token=0123456789abcdef
--- error_log
"miqps_control" directive has two tokens



=== TEST 11: a user that there is not
--- control: allow_uid=nobody-of-that-name
--- error_log
there is no user "nobody-of-that-name", whom "allow_uid" of "miqps_control" names



=== TEST 12: a user that there is not, among others
--- control: allow_uid=0,nobody-of-that-name,1
--- error_log
there is no user "nobody-of-that-name", whom "allow_uid" of "miqps_control" names



=== TEST 13: a user without a name
--- control: allow_uid=0,
--- error_log
there is no user "", whom "allow_uid" of "miqps_control" names



=== TEST 14: a number that is no user
--- control: allow_uid=4294967295
--- error_log
there is no user "4294967295", whom "allow_uid" of "miqps_control" names



=== TEST 15: a number below zero
--- control: allow_uid=-1
--- error_log
there is no user "-1", whom "allow_uid" of "miqps_control" names



=== TEST 16: no user
--- control: allow_uid=
--- error_log
invalid parameter "allow_uid=" of "miqps_control"



=== TEST 17: a parameter that there is not
--- control: zone=shop
--- error_log
invalid parameter "zone=shop" of "miqps_control"



=== TEST 18: a word that is no parameter
--- control: on
--- error_log
invalid parameter "on" of "miqps_control"



=== TEST 19: a file that there is not
--- control: allow=127.0.0.1 token_file=no-such-file
--- error_log
no-such-file" of "miqps_control" is not used: No such file or directory



=== TEST 20: a directory
--- control: allow=127.0.0.1 token_file=../html
--- error_log
html" of "miqps_control" is not used: it is not a regular file



=== TEST 21: a file that the group may read
--- token: 0640 0123456789abcdef
--- error_log
of "miqps_control" is not used: others than its owner may read it, make its mode 0600



=== TEST 22: a file that others may read
--- token: 0604 0123456789abcdef
--- error_log
of "miqps_control" is not used: others than its owner may read it, make its mode 0600



=== TEST 23: a file that is empty
--- token: 0600
--- error_log
the token of "miqps_control" has 0 bytes, it must have 16 to 512



=== TEST 24: a file with two lines
--- token
0600 0123456789abcdef
0123456789abcdef
--- error_log
"miqps_control" directive has a token with a byte that is no printable ASCII



=== TEST 25: a file that is too long
--- token eval: '0600 ' . 'x' x 513
--- error_log
the token of "miqps_control" has 513 bytes, it must have 16 to 512



=== TEST 26: twice
--- config
    location / {
        miqps_control;
        miqps_control;
    }
--- error_log
"miqps_control" directive is duplicate



=== TEST 27: at http level
--- http_config
    miqps_control;
--- error_log
"miqps_control" directive is not allowed here



=== TEST 28: in a server
--- config
    miqps_control;
--- error_log
"miqps_control" directive is not allowed here



=== TEST 29: in "if"
--- config
    location / {
        if ($arg_a) {
            miqps_control;
        }
    }
--- error_log
"miqps_control" directive is not allowed here
