#!/usr/bin/perl
# embeddings.pl LOG WAY...: a server of embeddings, see server.pl. LOG gets path,
# authorization and number of texts. It also knows these ways:
#   ok        each text gets [its length, its position], with an index, last first
#   poison    as ok, but 400 if a text contains "poison"
#   late      503 with Retry-After: 1
#   redirect URL, endless, short
use strict;
use warnings;
require(($0 =~ m{(.*/)})[0] . "server.pl");

sub texts {
	my ($list) = $_[0]{body} =~ /"input":\[(.*)\]/s;
	my @texts;
	push @texts, $1 while ($list // '') =~ /"((?:[^"\\]|\\.)*)"/g;
	return @texts;
}

serve(sub { "$_[0]{path} $_[0]{key} " . scalar(texts($_[0])) }, sub {
	my ($client, $way, $r) = @_;
	my @texts = texts($r);
	if ($way eq 'ok' or ($way eq 'poison' and !grep /poison/, @texts)) {
		my @data = map { sprintf '{"index":%d,"embedding":[%d,%d]}',
			$_, length $texts[$_], $_ } 0 .. $#texts;
		answer($client, 200, '{"data":[' . join(',', reverse @data) . ']}');
	} elsif ($way eq 'poison') {
		answer($client, 400, '{"error":{"message":"too long"}}');
	} elsif ($way eq 'late') {
		answer($client, 503, '', 'Retry-After: 1');
	} elsif ($way =~ /^redirect (.*)/) {
		answer($client, 302, '', "Location: $1");
	} elsif ($way eq 'endless') {
		print $client "HTTP/1.1 200 X\r\n\r\n";
		1 while print $client 'x' x 65536;
	} elsif ($way eq 'short') {
		print $client "HTTP/1.1 200 X\r\nContent-Length: 99\r\n\r\n{";
	}
});
