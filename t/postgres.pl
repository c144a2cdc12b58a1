#!/usr/bin/perl
# postgres.pl DIRECTORY WAY: a false PostgreSQL server on the Unix socket of DIRECTORY. It
# accepts every login, and then acts by WAY:
# hang     answers nothing
# refuse   closes the connection before the login
# close    closes the connection at the first request
# cut      answers half a row, and closes the connection
# rows     answers rows without end
# row      answers one row of 2 GB
# notices  sends notices without end
# noise    answers random bytes
# It closes its standard output once it listens.
use strict;
use warnings;
use IO::Socket::UNIX;
use Socket qw(SOCK_STREAM);

my ($dir, $way) = @ARGV;
$SIG{PIPE} = 'IGNORE';
$SIG{CHLD} = 'IGNORE';
my $server = IO::Socket::UNIX->new(Type => SOCK_STREAM, Listen => 5,
	Local => "$dir/.s.PGSQL.5432") or die "$dir: $!";
close STDOUT;

# Return a message of TYPE.
sub message {
	my ($type, $body) = @_;
	return $type . pack('N', length($body) + 4) . $body;
}

# Send TEXT repeatedly until the client disconnects.
sub forever {
	my ($client, $text) = @_;
	while (syswrite($client, $text)) { }
}

my $hello = message('R', pack('N', 0)) . message('S', "server_version\0" . "15\0") .
	message('S', "client_encoding\0UTF8\0") . message('K', pack('NN', 1, 1)) .
	message('Z', 'I');
my $column = "x\0" . pack('NnNnNn', 0, 0, 25, 0xffff, 0xffffffff, 1);
my $bound = message('1', '') . message('2', '');
my $begin = $bound . message('n', '') . message('C', "BEGIN\0") .
	$bound . message('n', '') . message('C', "SET\0") .
	$bound . message('T', pack('n', 1) . $column);
my $row = message('D', pack('nN', 1, 1 << 20) . 'x' x (1 << 20));

while (my $client = $server->accept) {
	if (fork) {
		close $client;
		next;
	}
	sysread($client, my $start, 65536);
	exit if $way eq 'refuse';
	syswrite($client, $hello);
	sysread($client, my $request, 65536);
	exit if $way eq 'close';
	if ($way eq 'hang') {
		while (sysread($client, $request, 65536)) { }
	}
	syswrite($client, $begin);
	syswrite($client, substr($row, 0, 100)) if $way eq 'cut';
	forever($client, $row) if $way eq 'rows';
	if ($way eq 'row') {
		syswrite($client, 'D' . pack('N', 0x7fffffff) . pack('nN', 1, 0x7ffffff5));
		forever($client, 'x' x (1 << 20));
	}
	forever($client, message('N', "SNOTICE\0C00000\0M" . 'x' x 20000 . "\0\0")) if $way eq 'notices';
	forever($client, "\xff" x 4096) if $way eq 'noise';
	exit;
}
