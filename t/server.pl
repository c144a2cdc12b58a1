# server.pl: the common part of test servers, required by chat.pl and embeddings.pl. Called
# with LOG WAY..., each server answers its requests in the order of WAYs, and repeats the
# last. All know these ways:
#   STATUS      that status, with an error that repeats the key
#   html, raw TEXT (the body), hang, drop
use strict;
use warnings;
use IO::Socket::INET;

# answer CLIENT STATUS BODY HEADER...
sub answer {
	my ($client, $status, $body, @headers) = @_;
	print $client join("\r\n", "HTTP/1.1 $status X",
		"Content-Length: " . length($body), "Connection: close",
		@headers, '', $body);
}

# Read a request from CLIENT. Return method, path, key and body.
sub request {
	my ($client) = @_;
	my %r = (method => '', path => '', key => '', body => '');
	my $length = 0;
	while (my $line = <$client>) {
		@r{qw(method path)} = ($1, $2) if $line =~ m{^([A-Z]+) (\S+)};
		$r{key} = $2 if $line =~ /^(Authorization|x-api-key): (.*?)\r/i;
		$length = $1 if $line =~ /^Content-Length: (\d+)/i;
		print $client "HTTP/1.1 100 Continue\r\n\r\n"
			if $line =~ /^Expect: 100/i;
		last if $line =~ /^\r?$/;
	}
	read $client, $r{body}, $length if $length;
	return \%r;
}

# serve LINE ANSWER: serve on a free port of 127.0.0.1, and print the port. LINE turns a
# request into text for LOG. ANSWER answers the REQUEST of CLIENT by its WAY.
sub serve {
	my ($line, $answer) = @_;
	my ($log, @ways) = @ARGV;
	my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
		Listen => 16, Proto => 'tcp', ReuseAddr => 1)
		or die "no server: $!";
	$SIG{PIPE} = 'IGNORE';
	$| = 1;
	print $server->sockport, "\n";
	close STDOUT;
	while (my $client = $server->accept) {
		my $r = request($client);
		open my $out, '>>', $log or die;
		print $out $line->($r), "\n";
		close $out;
		my $way = @ways > 1 ? shift @ways : $ways[0];
		if ($way =~ /^(\d+)$/) {
			answer($client, $1,
				qq({"error":{"message":"no\\n<$r->{key}>"}}));
		} elsif ($way eq 'html') {
			answer($client, 200, '<html>hello</html>');
		} elsif ($way =~ /^raw (.*)/s) {
			answer($client, 200, $1);
		} elsif ($way eq 'hang') {
			sleep 60;
		} elsif ($way ne 'drop') {
			$answer->($client, $way, $r);
		}
		close $client;
	}
}

1;
