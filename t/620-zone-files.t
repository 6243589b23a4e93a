# Copyright (C) the ngx_miqps authors
#
# Files that are no image, or not to be trusted: nginx starts, says why, and
# serves with the rules that it has.

use lib 't';
use Miqps;
use Map;

# "spoil" makes the file what it should not be, "reason" is what nginx says

sub bytes($$) {
    my ($at, $bytes) = @_;

    open my $out, '+<', $_ or die "$_: $!\n";
    seek $out, $at, 0;
    print $out $bytes;
    close $out or die "$_: $!\n";
}

add_block_preprocessor(sub {
    my $block = shift;

    my $reason = $block->reason;
    chomp $reason;

    $block->set_value('config', <<'END');
    location / {
        miqps rewrite;
        miqps_strip sid;
        return 200 "$request_uri $miqps_layer $miqps_generation";
    }
END

    $block->set_value('request', 'GET /p?id=1&ref=2&sid=3&gclid=4');
    $block->set_value('response_body',
                      '/p?id=1&ref=2 operator,tracking 0');

    # once more by "nginx -t", which Miqps.pm begins with

    my $line = qr/miqps zone "zone\d+": map "\S+" is not used: $reason; /
               . qr/requests are served without a map\n/;

    $block->set_value('error_log', 'is not used');
    $block->set_value('grep_error_log', qr/miqps zone "zone\d+".*/);
    $block->set_value('grep_error_log_out', qr/\A(?:$line){1,2}\z/);
});

run_tests();

__DATA__

=== TEST 1: a file that is not there
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: unlink $_;
--- reason: it cannot be opened: No such file or directory



=== TEST 2: an empty file
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: truncate $_, 0;
--- reason: it is not a map image



=== TEST 3: a directory
--- map: {"host": "localhost"}
--- spoil: unlink $_; mkdir $_;
--- reason: it is a directory, name a map's file



=== TEST 4: a symbolic link to an image
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: rename $_, "$_.real"; symlink "$_.real", $_;
--- reason: it cannot be opened: it is a symbolic link, name the file itself



=== TEST 5: a pipe, which nobody writes to
--- map: {"host": "localhost"}
--- spoil: unlink $_; require POSIX; POSIX::mkfifo($_, 0600);
--- reason: it is not a regular file, name a map's file



=== TEST 6: map source
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: open my $out, '>', $_; print $out qq({"host": "localhost"}\n) x 100;
--- reason: it is not a map image



=== TEST 7: the group may write it
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: chmod 0664, $_;
--- reason: others than its owner may write it: mode 0664, chmod go-w it



=== TEST 8: everybody may write it
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: chmod 0606, $_;
--- reason: others than its owner may write it: mode 0606, chmod go-w it



=== TEST 9: it belongs to somebody else
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: chown 4711, -1, $_;
--- reason: it belongs to user 4711, who is neither root nor the owner of its directory, chown it
--- skip_eval: 4: $> != 0



=== TEST 10: one byte is another
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: main::bytes(32, "!");
--- reason: its checksum is wrong



=== TEST 11: the end is missing
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: truncate $_, (-s $_) - 1;
--- reason: it is cut off



=== TEST 12: most of it is missing
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: truncate $_, 20;
--- reason: it is cut off



=== TEST 13: something follows it
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: main::bytes(-s $_, "!");
--- reason: something follows it



=== TEST 14: a newer format
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: main::bytes(8, "\2\0");
--- reason: its format is newer than this program



=== TEST 15: another byte order
--- map: {"host": "localhost", "patterns": [{"params": ["id", "ref"], "keep": ["id"]}]}
--- spoil: main::bytes(8, "\0\1\1\2");
--- reason: it is of another byte order



=== TEST 16: a zone that is too small
--- map eval
CORE::join '', map { my $host = $_; qq({"host": "h$host.example", "patterns": [)
               . CORE::join(',', map { qq({"params": ["p$_"], "keep": []}) } 1 .. 20)
               . "]}\n" } 1 .. 1000
--- zone: 256k
--- reason: zone "zone\d+" is too small for its \d+ bytes: make it \d+k
