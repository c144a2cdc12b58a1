#!/usr/bin/perl
# embeddings.pl LOG WAY...: a server on a free port of 127.0.0.1, which it
# prints; answers each POST of embeddings as the next WAY says, the last one
# for ever, and logs requests to LOG: path, authorization, number of texts.
#   ok        each text gets [its length, its place]; by index, last first
#   poison    the same, but 400 where a text holds "poison"
#   STATUS    that status, with an error that repeats the authorization
#   late      503 with Retry-After: 1
#   redirect URL, raw TEXT (the body), hang, endless, short, html, drop
use strict;
use warnings;
use IO::Socket::INET;

$SIG{PIPE} = 'IGNORE';
my ($log, @ways) = @ARGV;
my $server = IO::Socket::INET->new(
	LocalAddr => '127.0.0.1', Listen => 16, Proto => 'tcp', ReuseAddr => 1)
	or die "no server: $!";
$| = 1;
print $server->sockport, "\n";
close STDOUT;

sub answer {
	my ($client, $status, $body, @headers) = @_;
	print $client join("\r\n", "HTTP/1.1 $status X",
		"Content-Length: " . length($body), "Connection: close",
		@headers, '', $body);
}

while (my $client = $server->accept) {
	my ($path, $key, $length) = ('', '', 0);
	while (my $line = <$client>) {
		$path = $1 if $line =~ m{^POST (\S+)};
		$key = $1 if $line =~ /^Authorization: (.*?)\r/i;
		$length = $1 if $line =~ /^Content-Length: (\d+)/i;
		print $client "HTTP/1.1 100 Continue\r\n\r\n"
			if $line =~ /^Expect: 100/i;
		last if $line =~ /^\r?$/;
	}
	my $body = '';
	read $client, $body, $length if $length;
	my ($list) = $body =~ /"input":\[(.*)\]/s;
	my @texts;
	push @texts, $1 while ($list // '') =~ /"((?:[^"\\]|\\.)*)"/g;
	open my $out, '>>', $log or die;
	print $out "$path $key " . scalar(@texts) . "\n";
	close $out;
	my $way = @ways > 1 ? shift @ways : $ways[0];
	if ($way eq 'ok' or ($way eq 'poison' and $list !~ /poison/)) {
		my @data = map { sprintf '{"index":%d,"embedding":[%d,%d]}',
			$_, length $texts[$_], $_ } 0 .. $#texts;
		answer($client, 200, '{"data":[' . join(',', reverse @data) . ']}');
	} elsif ($way eq 'poison') {
		answer($client, 400, '{"error":{"message":"too long"}}');
	} elsif ($way =~ /^(\d+)$/) {
		answer($client, $1, qq({"error":{"message":"no\\n<$key>"}}));
	} elsif ($way eq 'late') {
		answer($client, 503, '', 'Retry-After: 1');
	} elsif ($way =~ /^redirect (.*)/) {
		answer($client, 302, '', "Location: $1");
	} elsif ($way =~ /^raw (.*)/s) {
		answer($client, 200, $1);
	} elsif ($way eq 'html') {
		answer($client, 200, '<html>hello</html>');
	} elsif ($way eq 'hang') {
		sleep 60;
	} elsif ($way eq 'endless') {
		print $client "HTTP/1.1 200 X\r\n\r\n";
		1 while print $client 'x' x 65536;
	} elsif ($way eq 'short') {
		print $client "HTTP/1.1 200 X\r\nContent-Length: 99\r\n\r\n{";
	}
	close $client;
}
