# web.pl LOG ADDRESS:PORT... [-- ADDRESS:PORT...]: a web for tests. It serves at the first
# addresses, prints their ports, one per line, and appends a line to LOG for each request.
# It logs connections to the addresses after -- as INSIDE. An address that begins with dns:
# answers DNS queries, see name().
#
#   /page            HTML, with an ETag and a Last-Modified
#   /to?URL          a redirect to URL        /loop        to itself
#   /cookie          to /page, with a cookie  /status?N    that status
#   /gzip            packed, as asked for     /bomb        a GiB of zeros, packed
#   /endless         chunks without an end    /large       9 MB, and says so
#   /headers         headers without an end   /drip        a byte, now and then
#   /early           an answer 103 with an ETag, then one without
#   /file?NAME TYPE  the file NAME of the working directory, its sum as its ETag
#   /robots.txt      the file robots, if it is there; the status in robots-status
use strict;
use warnings;
use Digest::SHA qw(sha1_hex);
use Socket qw(:all);
use IO::Select;

my ($log, @places) = @ARGV;
my ($inside, @ports, %what, %turns) = (0);
$SIG{PIPE} = 'DEFAULT';
$SIG{CHLD} = 'IGNORE';

sub note {
	open my $out, '>>', $log or die;
	syswrite $out, "@_\n";
	close $out;
}

# address ADDRESS:PORT: return the family and the packed address.
sub address {
	my ($host, $port) = $_[0] =~ /^\[?(.*?)\]?:(\d+)$/ or die "no place: $_[0]";
	return $host =~ /:/
		? (AF_INET6, pack_sockaddr_in6($port, inet_pton(AF_INET6, $host)))
		: (AF_INET, pack_sockaddr_in($port, inet_aton($host)));
}

# Names: both.test has two addresses, inside.test a local one, turn.test first a public and
# then a local one, and all others a public one.
sub name {
	my ($name) = @_;
	my ($out, $in) = ('203.0.113.5', '127.0.0.1');
	return ($in, $out) if $name eq 'both.test';
	return $turns{$name}++ ? $in : $out if $name eq 'turn.test';
	return $name eq 'inside.test' ? $in : $out;
}

sub answer_dns {
	my ($socket) = @_;
	my $from = recv($socket, my $q, 512, 0) or return;
	my ($id, $flags, $n) = unpack 'n3', $q;
	my ($at, @labels) = (12);
	while (my $len = ord substr $q, $at, 1) {
		push @labels, substr $q, $at + 1, $len;
		$at += $len + 1;
	}
	my $type = unpack 'n', substr $q, $at + 1, 2;
	my @a = $type == 1 ? name(join '.', @labels) : ();
	send $socket, pack('n6', $id, 0x8180, 1, scalar @a, 0, 0) .
		substr($q, 12, $at - 12 + 5) .
		join('', map { pack 'n3Nn a4', 0xc00c, 1, 1, 0, 4, inet_aton($_) } @a),
		0, $from;
}

sub respond {
	my ($c, $status, $body, @headers) = @_;
	syswrite $c, join("\r\n", "HTTP/1.1 $status X", 'Connection: close',
		"Content-Length: " . length $body, @headers, '', $body);
}

sub slurp {
	open my $in, '<', $_[0] or return undef;
	local $/;
	return scalar <$in>;
}

# keep CLIENT STATUS BODY TYPE: send BODY unless the client has it.
sub keep {
	my ($c, $r, $body, $type) = @_;
	my $etag = '"' . substr(sha1_hex($body), 0, 8) . '"';
	my $date = 'Sun, 01 Feb 2026 10:00:00 GMT';
	my $same = $r->{'if-none-match'} ? $r->{'if-none-match'} eq $etag
		: ($r->{'if-modified-since'} // '') eq $date;
	respond($c, $same ? 304 : 200, $same ? '' : $body,
		"Content-Type: $type", "ETag: $etag", "Last-Modified: $date");
}

sub serve {
	my ($c, $host) = @_;
	my ($head, %r) = ('');
	while ($head !~ /\r\n\r\n/) {
		sysread($c, $head, 4096, length $head) or return;
	}
	my ($path) = $head =~ /^\S+ (\S+)/;
	$r{lc $1} = $2 while $head =~ /^([\w-]+): *(.*?)\r$/mg;
	note(join ' ', $path, map { "$_=$r{$_}" } grep { $r{$_} }
		qw(cookie authorization if-none-match if-modified-since));
	# Clients of a proxy request a whole URL.
	my ($name, $arg) = $path =~ m{^(?:http://[^/]*)?/([^?]*)\??(.*)};
	$arg =~ s/%([0-9a-f]{2})/chr hex $1/gei;
	my $open = join "\r\n", 'HTTP/1.1 200 X', 'Content-Type: text/plain', '';
	if ($name eq 'page') {
		keep($c, \%r, "<title>A page</title><p>Hello.</p>\n",
			'Text/HTML; charset="utf-8"');
	} elsif ($name eq 'file') {
		my ($file, $type) = split / /, $arg;
		my $body = slurp($file);
		defined $body ? keep($c, \%r, $body, $type // 'text/html')
			: respond($c, 404, '');
	} elsif ($name eq 'robots.txt') {
		my $body = slurp('robots');
		my $status = slurp('robots-status') // (defined $body ? 200 : 404);
		respond($c, $status + 0, $body // '');
	} elsif ($name eq 'to') {
		respond($c, 302, 'elsewhere', "Location: $arg");
	} elsif ($name eq 'loop') {
		respond($c, 301, '', "Location: /loop");
	} elsif ($name eq 'cookie') {
		respond($c, 302, '', 'Set-Cookie: a=b; Path=/', 'Location: /page');
	} elsif ($name eq 'status') {
		respond($c, $arg, 'what it says');
	} elsif ($name eq 'early') {
		syswrite $c, "HTTP/1.1 103 X\r\nETag: \"early\"\r\n\r\n";
		respond($c, 200, 'late', 'Content-Type: text/plain');
	} elsif ($name eq 'gzip') {
		require Compress::Zlib;
		respond($c, 200, Compress::Zlib::memGzip("packed\n"),
			'Content-Encoding: gzip');
	} elsif ($name eq 'bomb') {
		# A block of zeros that may be repeated.
		require Compress::Zlib;
		my ($d) = Compress::Zlib::deflateInit(-WindowBits =>
			-Compress::Zlib::MAX_WBITS());
		my $block = ($d->deflate("\0" x 1048576))[0] .
			($d->flush(Compress::Zlib::Z_FULL_FLUSH()))[0];
		syswrite $c, $open . "Content-Encoding: gzip\r\n\r\n" .
			"\x1f\x8b\x08\0\0\0\0\0\0\3";
		syswrite $c, $block for 1 .. 1024;
	} elsif ($name eq 'endless') {
		syswrite $c, $open . "Transfer-Encoding: chunked\r\n\r\n";
		1 while syswrite $c, "1000\r\n" . 'x' x 4096 . "\r\n";
	} elsif ($name eq 'large') {
		syswrite $c, $open . "Content-Length: 9000000\r\n\r\n";
	} elsif ($name eq 'headers') {
		syswrite $c, $open;
		1 while syswrite $c, 'X-A: ' . 'x' x 1000 . "\r\n";
	} elsif ($name eq 'drip') {
		syswrite $c, $open . "\r\n";
		while (syswrite $c, '.') { select undef, undef, undef, 0.1 }
	} else {
		respond($c, 404, '');
	}
}

my $select = IO::Select->new;
for my $place (@places) {
	if ($place eq '--') {
		$inside = 1;
		next;
	}
	my $dns = $place =~ s/^dns://;
	my ($family, $at) = address($place);
	socket my $s, $family, $dns ? SOCK_DGRAM : SOCK_STREAM, 0 or die $!;
	setsockopt $s, SOL_SOCKET, SO_REUSEADDR, 1;
	setsockopt $s, IPPROTO_IPV6, IPV6_V6ONLY, 1 if $family == AF_INET6;
	bind $s, $at or die "$place: $!";
	listen $s, 64 unless $dns;
	push @ports, (unpack_sockaddr_in(getsockname $s))[0]
		unless $dns || $inside || $family == AF_INET6;
	$what{fileno $s} = $dns ? 'dns' : $inside ? 'inside' : 'web';
	$select->add($s);
}
print "$_\n" for @ports;
close STDOUT;
while (1) {
	for my $s ($select->can_read) {
		my $kind = $what{fileno $s};
		if ($kind eq 'dns') {
			answer_dns($s);
			next;
		}
		accept my $c, $s or next;
		note('INSIDE') if $kind eq 'inside';
		next if fork;
		alarm 20;
		serve($c);
		exit;
	}
}
