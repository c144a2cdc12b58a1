#!/usr/bin/perl
# chat.pl LOG WAY...: a chat server, see server.pl. LOG gets method, path, key and body.
# It also knows these ways:
#   ok          a stream: "The prompt was: " and the prompt, in pieces
#   object      the same reply as one object
#   wait STATUS N   STATUS with Retry-After: N
#   long        400: the prompt is longer than the model's context
#   half        a stream that ends in the middle
#   short       fewer bytes than Content-Length states
#   limit       a stream that ends at the limit of tokens
#   broken      a stream with an error in it
#   slow        a stream, byte by byte, for a minute
#   endless     a stream without an end
use strict;
use warnings;
require(($0 =~ m{(.*/)})[0] . "server.pl");

# Return the events of a reply of PIECES, which are JSON strings without their quotes.
sub events {
	my ($claude, $reason, @pieces) = @_;
	return join('', ": a comment\n\n", map("data: {\"choices\":[{\"delta\":"
		. "{\"content\":\"$_\"},\"finish_reason\":null}]}\n\n", @pieces),
		$reason ? "data: {\"choices\":[{\"delta\":{},\"finish_reason\":"
		. "\"$reason\"}]}\n\ndata: [DONE]\n\n" : '') unless $claude;
	return join('', "event: message_start\ndata: {\"type\":\"message_start\","
		. "\"message\":{\"content\":[]}}\n\n",
		"event: x\ndata: {\"type\":\"content_block_delta\",\"delta\":"
		. "{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n",
		map("event: content_block_delta\ndata: {\"type\":"
		. "\"content_block_delta\",\"delta\":{\"type\":\"text_delta\","
		. "\"text\":\"$_\"}}\n\n", @pieces),
		$reason ? "event: message_delta\ndata: {\"type\":"
		. "\"message_delta\",\"delta\":{\"stop_reason\":\"$reason\"}}\n\n"
		. "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n" : '');
}

serve(sub { join ' ', @{$_[0]}{qw(method path key body)} }, sub {
	my ($client, $way, $r) = @_;
	my $claude = $r->{path} =~ /messages/;
	my $prompt = $r->{body} =~ /"content":"((?:[^"\\]|\\.)*)"/ ? $1 : '';
	my @pieces = ('The prompt ', 'was: ', $prompt);
	my $stop = $claude ? 'end_turn' : 'stop';
	my $type = 'Content-Type: text/event-stream';
	if ($way eq 'ok') {
		answer($client, 200, events($claude, $stop, @pieces), $type);
	} elsif ($way eq 'object') {
		my $text = join '', @pieces;
		answer($client, 200, $claude ? qq({"content":[{"type":"thinking",)
			. qq("thinking":"hm"},{"type":"text","text":"$text"}],)
			. qq("stop_reason":"end_turn"})
			: qq({"choices":[{"message":{"role":"assistant",)
			. qq("content":"$text"},"finish_reason":"stop"}]}));
	} elsif ($way =~ /^wait (\d+) (\d+)/) {
		answer($client, $1, '', "Retry-After: $2");
	} elsif ($way eq 'long') {
		answer($client, 400, '{"error":{"message":"it has 9 tokens, but '
			. 'the context has 8","code":"context_length_exceeded"}}');
	} elsif ($way eq 'half') {
		answer($client, 200, events($claude, '', @pieces), $type);
	} elsif ($way eq 'short') {
		print $client "HTTP/1.1 200 X\r\nContent-Length: 9999\r\n\r\n",
			events($claude, '', @pieces);
	} elsif ($way eq 'limit') {
		answer($client, 200, events($claude, $claude ? 'max_tokens'
			: 'length', @pieces), $type);
	} elsif ($way eq 'broken') {
		answer($client, 200, events($claude, '', @pieces) .
			"data: {\"error\":{\"message\":\"overloaded\"}}\n\n", $type);
	} elsif ($way eq 'slow') {
		print $client "HTTP/1.1 200 X\r\n$type\r\n\r\n";
		for my $byte (split //, events($claude, $stop, @pieces) x 9) {
			last unless print $client $byte;
			$client->flush;
			select undef, undef, undef, 0.02;
		}
	} elsif ($way eq 'endless') {
		print $client "HTTP/1.1 200 X\r\n$type\r\n\r\n";
		1 while print $client events($claude, '', 'x' x 4096);
	}
});
