#!/usr/bin/env bats
# Test co-model-http --api=embeddings, which requests vectors of texts from a
# server and does not trust it.
load lib
load server

setup() {
	server_world
}

# server WAY...: start a server, see embeddings.pl.
server() {
	start_server embeddings.pl "$@"
}

# ask [TEXT...]: request the vectors of the texts from the server.
ask() {
	printf '%s\n' "$@" | jq -Rc '{text: .}' |
		co-model-http --api=embeddings --url="$url" --model=m --timeout-ms=600000
}

@test "vectors are printed in the order of the texts, not of the answer" {
	server ok
	run -0 ask a bbb cc
	expect <<-'END'
		{"vector":[1,0]}
		{"vector":[3,1]}
		{"vector":[2,2]}
	END
	diff log - <<<'/v1/embeddings  3'
}

@test "many texts are sent in batches of 32" {
	server ok
	seq 100 >texts
	run -0 bash -c "jq -Rc '{text: .}' <texts |
		co-model-http --api=embeddings --url=$url --model=m | wc -l"
	expect <<<100
	diff <(cut -d' ' -f3 log) <(printf '32\n32\n32\n4\n')
}

@test "an incomplete URL is completed to the embeddings endpoint" {
	local path
	server ok
	for path in '' / /v1 /v1/ /v1/embeddings '/v1?x=1' /api; do
		rm -f log
		co-model-http --api=embeddings --url="$url$path" <<<'{"text": "a"}' >/dev/null
		cut -d' ' -f1 log
	done >got
	diff -u - got <<-'END'
		/v1/embeddings
		/v1/embeddings
		/v1/embeddings
		/v1/embeddings
		/v1/embeddings
		/v1/embeddings
		/api/embeddings
	END
}

@test "co-embed uses the server of the settings" {
	server ok
	jq -n --arg url "$url" '{embed: {provider: "http", url: $url,
		model: "m", key_env: "MY_KEY", query_prefix: "q: "}}' \
		>"$global/settings.json"
	MY_KEY=secret run -0 co-embed --query four
	jq -c '[.model, .dim]' <<<"$output" | diff - <(echo "[\"m at $url\",2]")
	diff log - <<<'/v1/embeddings Bearer secret 1'
}

@test "the key appears in no command line and no message" {
	server 401
	export MY_KEY=sk-not-to-be-seen
	run -6 co-model-http --api=embeddings --url="$url" --key-env=MY_KEY <<<'{"text": "a"}'
	expect <<-'END'
		co-model-http: the server answered with status 401: no <Bearer ***>
	END
	need_strace
	server ok
	jq -n --arg url "$url" '{embed: {provider: "http", url: $url,
		model: "m", key_env: "MY_KEY"}}' >"$global/settings.json"
	strace -f --seccomp-bpf -s 4096 -e trace=execve -o trace co-embed a >/dev/null
	grep -q co-model-http trace
	run ! grep sk-not-to-be-seen trace
}

@test "a key is sent to another machine by https only" {
	export MY_KEY=secret
	run -2 co-model-http --api=embeddings --url=http://192.0.2.1 --key-env=MY_KEY </dev/null
	[[ ${lines[0]} == *'no key goes to another machine by http: use https' ]]
	run -2 co-model-http --api=embeddings --url=http://localhost.example.org --key-env=MY_KEY \
		</dev/null
	run -2 co-model-http --api=embeddings --url=http://127.0.0.1:1 --key-env=NO_SUCH </dev/null
	[[ ${lines[0]} == *"the variable 'NO_SUCH' has no key" ]]
	MY_KEY=$'a\r\nX-Evil: 1' run -2 co-model-http --api=embeddings --url=http://127.0.0.1:1 \
		--key-env=MY_KEY </dev/null
}

@test "only http and https URLs without a password are accepted" {
	local bad
	echo '{"data":[{"embedding":[1]}]}' >answer
	for bad in "file://$PWD/answer" /etc/passwd ftp://127.0.0.1/x '' http:// \
		gopher://127.0.0.1 'dict://127.0.0.1'; do
		run -2 co-model-http --api=embeddings --url="$bad" <<<'{"text": "a"}'
		[[ ${lines[0]} == *"is not an http or https address" ]]
	done
	run -2 co-model-http --api=embeddings --url=http://me:secret@127.0.0.1 <<<'{"text": "a"}'
	[[ $output != *secret* ]]
}

@test "a redirect is not followed" {
	echo '{"data":[{"embedding":[1]}]}' >answer
	server "redirect file://$PWD/answer"
	run -6 ask a
	expect <<<'co-model-http: the server answered with status 302'
	server 'redirect /elsewhere' ok
	run -6 ask a
	[ "$(wc -l <log)" = 1 ]
}

@test "a request is repeated if the server is busy or fails" {
	server 429 500 ok
	run -0 ask a
	expect <<<'{"vector":[1,0]}'
	[ "$(wc -l <log)" = 3 ]
	server late ok
	run -0 ask a
	[ "$(wc -l <log)" = 2 ]
	server 500
	run -6 co-model-http --api=embeddings --url="$url" --timeout-ms=60000 <<<'{"text": "a"}'
	[[ $output == *'the server answered with status 500: no <>' ]]
}

@test "a text that the server refuses does not affect the other texts" {
	server poison
	run -0 ask a poison b c poison dd
	jq -c .vector <<<"$output" | diff -u - <(printf '%s\n' \
		'[1,0]' null '[1,0]' '[1,0]' null '[2,0]')
	server 400
	seq 100 >texts
	run -6 bash -c "jq -Rc '{text: .}' <texts | co-model-http --api=embeddings --url=$url"
	[[ $output == *'the server answered with status 400: no <>' ]]
}

@test "a malformed answer fails at once with a message" {
	local way
	while IFS='|' read -r way why; do
		server "$way"
		run -6 ask a b
		expect <<<"co-model-http: $why"
	done <<-'END'
		html|the server did not answer with JSON: 1:1: invalid token near '<'
		raw {}|the server did not answer with 2 vectors
		raw {"data":[]}|the server did not answer with 2 vectors
		raw {"data":[{"embedding":[1]}]}|the server did not answer with 2 vectors
		raw {"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}|the server's answer has no list of numbers for each text
		raw {"data":[{"index":7,"embedding":[1]},{"index":-1,"embedding":[1]}]}|the server's answer has no list of numbers for each text
		raw {"data":[{"embedding":"AAAA"},{"embedding":"AAAA"}]}|the server's answer has no list of numbers for each text
		404|the server answered with status 404: no <>
	END
}

@test "a request ends if the server is down, hangs or sends too much" {
	url=http://127.0.0.1:1
	run -6 ask a
	[[ $output == "co-model-http: cannot reach '$url/v1/embeddings': "* ]]
	server hang
	run -6 timeout 60 co-model-http --api=embeddings --url="$url" --timeout-ms=300 \
		<<<'{"text": "a"}'
	[[ $output == *"'$url/v1/embeddings' did not answer in time" ]]
	server endless
	run -6 timeout 60 co-model-http --api=embeddings --url="$url" <<<'{"text": "a"}'
	[[ $output == *'answered with more than 16777216 bytes' ]]
	server short
	run -6 ask a
	server drop
	run -6 ask a
}

@test "co-embed refuses a vector with an invalid number" {
	server 'raw {"data":[{"embedding":[1,"x"]}]}'
	jq -n --arg url "$url" '{embed: {provider: "http", url: $url,
		model: "m"}}' >"$global/settings.json"
	run -6 co-embed a
	[[ $output == *'with what is no number in it' ]]
}

@test "a line without a text is an error" {
	server ok
	run -3 co-model-http --api=embeddings --url="$url" <<<'{"txt": 5}'
	expect <<<"co-model-http: '-':1: no object with a text"
	run -2 co-model-http --api=embeddings </dev/null
}

@test "--check prints the encoder, its speed and its search quality" {
	mkdir .co-cli
	memory 1 2026-01-01T00:00:00Z '' <<<'We deploy on Friday'
	memory 2 2026-01-02T00:00:00Z '' <<<'The parser is slow'
	echo '{"id":"a","text":"when do we deploy","cat":"x"}' >queries
	echo '{"q":"a","d":1}' >qrels
	server ok
	jq -n --arg url "$url" '{embed: {provider: "http", url: $url,
		model: "m"}}' >"$global/settings.json"
	run -0 --separate-stderr co-embed --check --queries=queries --qrels=qrels
	sed -E 's/[0-9.]+ ms/N ms/g; s/about [0-9.]+ s/about N s/' <<<"$output" |
		diff -u - /dev/fd/3 3<<-END
			encoder: m at $url, 2 numbers
			question: N ms, the first one N ms
			documents: 32 in N ms
			vectors: 2 of 2 missing, about N s to make
			fts: questions 1
			fts: Recall@5 1.0000
			fts: Recall@10 1.0000
			fts: MRR 1.0000
			fts: nDCG@10 1.0000
			fts: p50 N ms
			fts: p95 N ms
			hybrid: questions 1
			hybrid: Recall@5 1.0000
			hybrid: Recall@10 1.0000
			hybrid: MRR 1.0000
			hybrid: nDCG@10 1.0000
			hybrid: p50 N ms
			hybrid: p95 N ms
		END
	run -0 co-embed --check
	[ "${#lines[@]}" = 4 ]
	[ "$(cut -d' ' -f3 log | sort -n | tail -n 1)" = 32 ]
	run -6 co-embed --check --queries=queries --qrels=gone
	echo '{"embed": {"provider": "http", "url": "http://127.0.0.1:1",
		"model": "m"}}' >"$global/settings.json"
	run -6 co-embed --check
	[[ $output == *'cannot reach'* ]]
	run -2 co-embed --check text
	run -2 co-embed --check --queries=queries
	run -2 co-embed --queries=queries --qrels=qrels
}
