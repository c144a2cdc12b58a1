#!/usr/bin/env bats
# co-embed-http: a server is asked for the vectors of texts, and not trusted.
load lib

setup() {
	world
	[ -x "$CO_BIN/co-embed-http" ] || skip 'made without libcurl'
	command -v perl >/dev/null || skip 'there is no perl for a server'
	mkdir -p "$global"
	unset http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY
}

teardown() {
	[ ! -s pid ] || kill "$(cat pid)"
}

# server WAY...: start one, see embeddings.pl; its address is $url.
server() {
	[ ! -s pid ] || kill "$(cat pid)"
	rm -f log
	mkfifo port 2>/dev/null || :
	perl "$CO_SOURCE/t/embeddings.pl" log "$@" >port 2>server.err 3>&- &
	echo $! >pid
	read -r url <port
	url=http://127.0.0.1:$url
}

# ask [TEXT...]: of the server.
ask() {
	printf '%s\n' "$@" | jq -Rc '{text: .}' |
		co-embed-http --url="$url" --model=m --timeout-ms=5000
}

@test "texts get their vectors, in order, whatever order they come in" {
	server ok
	run -0 ask a bbb cc
	expect <<-'END'
		{"vector":[1,0]}
		{"vector":[3,1]}
		{"vector":[2,2]}
	END
	diff log - <<<'/v1/embeddings  3'
}

@test "many texts go in batches" {
	server ok
	seq 100 >texts
	run -0 bash -c "jq -Rc '{text: .}' <texts |
		co-embed-http --url=$url --model=m | wc -l"
	expect <<<100
	diff <(cut -d' ' -f3 log) <(printf '32\n32\n32\n4\n')
}

@test "the path is completed where it is not whole" {
	local path
	server ok
	for path in '' / /v1 /v1/ /v1/embeddings '/v1?x=1' /api; do
		rm -f log
		co-embed-http --url="$url$path" <<<'{"text": "a"}' >/dev/null
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

@test "co-embed asks the server that the settings name" {
	server ok
	jq -n --arg url "$url" '{embed: {provider: "http", url: $url,
		model: "m", key_env: "MY_KEY", query_prefix: "q: "}}' \
		>"$global/settings.json"
	MY_KEY=secret run -0 co-embed --query four
	jq -c '[.model, .dim]' <<<"$output" | diff - <(echo "[\"m at $url\",2]")
	diff log - <<<'/v1/embeddings Bearer secret 1'
}

@test "the key stands in no command line and no message" {
	server 401
	export MY_KEY=sk-not-to-be-seen
	run -6 co-embed-http --url="$url" --key-env=MY_KEY <<<'{"text": "a"}'
	expect <<-'END'
		co-embed-http: the server answered with status 401: no <Bearer ***>
	END
	need_strace
	server ok
	jq -n --arg url "$url" '{embed: {provider: "http", url: $url,
		model: "m", key_env: "MY_KEY"}}' >"$global/settings.json"
	strace -f -s 4096 -e trace=execve -o trace co-embed a >/dev/null
	grep -q co-embed-http trace
	run ! grep sk-not-to-be-seen trace
}

@test "a key goes to another machine by https only, and must be one" {
	export MY_KEY=secret
	run -2 co-embed-http --url=http://192.0.2.1 --key-env=MY_KEY </dev/null
	[[ ${lines[0]} == *'no key goes to another machine by http: use https' ]]
	run -2 co-embed-http --url=http://localhost.example.org --key-env=MY_KEY \
		</dev/null
	run -2 co-embed-http --url=http://127.0.0.1:1 --key-env=NO_SUCH </dev/null
	[[ ${lines[0]} == *"the variable 'NO_SUCH' holds no key" ]]
	MY_KEY=$'a\r\nX-Evil: 1' run -2 co-embed-http --url=http://127.0.0.1:1 \
		--key-env=MY_KEY </dev/null
}

@test "only http and https are spoken, without a password in the address" {
	local bad
	echo '{"data":[{"embedding":[1]}]}' >answer
	for bad in "file://$PWD/answer" /etc/passwd ftp://127.0.0.1/x '' http:// \
		gopher://127.0.0.1 'dict://127.0.0.1'; do
		run -2 co-embed-http --url="$bad" <<<'{"text": "a"}'
		[[ ${lines[0]} == *"is no http or https address" ]]
	done
	run -2 co-embed-http --url=http://me:secret@127.0.0.1 <<<'{"text": "a"}'
	[[ $output != *secret* ]]
}

@test "a redirect is not followed" {
	echo '{"data":[{"embedding":[1]}]}' >answer
	server "redirect file://$PWD/answer"
	run -6 ask a
	expect <<<'co-embed-http: the server answered with status 302'
	server 'redirect /elsewhere' ok
	run -6 ask a
	[ "$(wc -l <log)" = 1 ]
}

@test "a server that is busy or broken is asked again" {
	server 429 500 ok
	run -0 ask a
	expect <<<'{"vector":[1,0]}'
	[ "$(wc -l <log)" = 3 ]
	server late ok
	run -0 ask a
	[ "$(wc -l <log)" = 2 ]
	server 500
	run -6 co-embed-http --url="$url" --timeout-ms=600 <<<'{"text": "a"}'
	[[ $output == *'the server answered with status 500: no <>' ]]
}

@test "a text that the server refuses does not take the others with it" {
	server poison
	run -0 ask a poison b c poison dd
	jq -c .vector <<<"$output" | diff -u - <(printf '%s\n' \
		'[1,0]' null '[1,0]' '[1,0]' null '[2,0]')
	server 400
	seq 100 >texts
	run -6 bash -c "jq -Rc '{text: .}' <texts | co-embed-http --url=$url"
	[[ $output == *'the server answered with status 400: no <>' ]]
}

@test "a wrong answer is an error that says so, at once" {
	local way
	while IFS='|' read -r way why; do
		server "$way"
		run -6 ask a b
		expect <<<"co-embed-http: $why"
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

@test "a server that is down, hangs, or never ends holds nobody up" {
	url=http://127.0.0.1:1
	run -6 ask a
	[[ $output == "co-embed-http: cannot reach '$url/v1/embeddings': "* ]]
	server hang
	run -6 timeout 20 co-embed-http --url="$url" --timeout-ms=300 \
		<<<'{"text": "a"}'
	[[ $output == *"cannot reach '$url"* ]]
	server endless
	run -6 timeout 30 co-embed-http --url="$url" <<<'{"text": "a"}'
	[[ $output == *'answered with more than 16777216 bytes' ]]
	server short
	run -6 ask a
	server drop
	run -6 ask a
}

@test "numbers that no vector has are refused by co-embed" {
	server 'raw {"data":[{"embedding":[1,"x"]}]}'
	jq -n --arg url "$url" '{embed: {provider: "http", url: $url,
		model: "m"}}' >"$global/settings.json"
	run -6 co-embed a
	[[ $output == *'with what is no number in it' ]]
}

@test "a line that holds no text is an error" {
	server ok
	run -3 co-embed-http --url="$url" <<<'{"txt": 5}'
	expect <<<"co-embed-http: '-':1: no object with a text"
	run -2 co-embed-http </dev/null
}
