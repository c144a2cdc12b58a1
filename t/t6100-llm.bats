#!/usr/bin/env bats
# Test co-llm and co-model-http, which request a reply from a model and do not
# trust it.
load lib
load server

setup() {
	server_world
}

# server WAY...: start a server, see chat.pl, and set it as the model.
server() {
	start_server chat.pl "$@"
	settings
}

# settings [JSON]: set the model m at the server, and add the settings of JSON.
settings() {
	local more=${1-} limit='"llm.timeout_ms": 40000'
	more=${more#\{}
	[[ $more != *timeout_ms* ]] || limit=
	printf '{"llm.provider": "http", "llm.url": "%s", "llm.model": "m"%s%s}\n' "$url" \
		"${limit:+, $limit}" "${more:+, ${more%\}}}" >"$global/settings.json"
}

@test "co-llm exits 1 without a model and names the setting" {
	run -1 co-llm <<<hello
	expect <<<"co-llm: no model is set: 'llm.provider' in the user's settings names one, see co-settings(5)"
}

@test "co-llm sends the prompt of standard input and prints the reply" {
	server ok
	run -0 co-llm <<<'Say "yes" & — 日本'
	expect <<<$'The prompt was: Say "yes" & — 日本'
	read -r method path rest <log
	[ "$method $path" = 'POST /v1/chat/completions' ]
	jq -e '. == {model: "m", stream: true, messages:
		[{role: "user", content: "Say \"yes\" & — 日本\n"}]}' <<<"$rest"
	server object
	run -0 co-llm <<<again
	expect <<<'The prompt was: again'
}

@test "co-llm speaks the anthropic protocol" {
	local way
	for way in ok object; do
		server $way
		settings '{"llm.api": "anthropic", "llm.key_env": "MY_KEY"}'
		MY_KEY=sk-x run -0 co-llm <<<hello
		expect <<<'The prompt was: hello'
		read -r _ path key rest <log
		[ "$path $key" = '/v1/messages sk-x' ]
		jq -e '.max_tokens == 8192 and .messages[0].content == "hello\n"' \
			<<<"$rest"
	done
}

@test "--stream prints the reply while it arrives" {
	server slow
	co-llm --stream <<<hello >reply 2>err 3>&- &
	asker=$!
	for _ in {1..1200}; do
		! grep -q 'The prompt' reply || break
		sleep 0.1
	done
	grep -q 'The prompt' reply
	kill -0 $asker
	kill $asker
}

@test "a command of the settings answers and is run without a shell" {
	cat >"$HOME/answer" <<-'END'
		#!/bin/sh
		printf '%s|' "$@"
		tr a-z A-Z
	END
	chmod +x "$HOME/answer"
	jq -n --arg p "$HOME/answer" '{"llm.provider": "command",
		"llm.command": [$p, "-p", "$(touch x); a b"]}' \
		>"$global/settings.json"
	run -0 co-llm <<<hello
	expect <<<'-p|$(touch x); a b|HELLO'
	run -0 co-llm --dry-run <<<hello
	diff -u - <(echo "$output") <<-END
		$HOME/answer -p \$(touch x); a b

		hello
	END
	run -0 co-llm --check
	expect <<<"$HOME/answer -p \$(touch x); a b answers"
	printf '#!/bin/sh\necho "no credit" >&2\nexit 9\n' >"$HOME/answer"
	run -6 co-llm <<<hello
	expect <<<"co-llm: '$HOME/answer' failed: no credit"
	printf '#!/bin/sh\nexec sleep 60\n' >"$HOME/answer"
	jq '."llm.timeout_ms" = 300' "$global/settings.json" >new
	mv new "$global/settings.json"
	run -6 co-llm <<<hello
	[[ $output == *'did not answer within 1 s' ]]
	jq '."llm.timeout_ms" = 60000' "$global/settings.json" >new
	mv new "$global/settings.json"
	printf '#!/bin/sh\nexit 0\n' >"$HOME/answer"
	run -6 co-llm <<<hello
	[[ $output == *'gave no reply' ]]
	rm "$HOME/answer"
	run -6 co-llm --check
}

@test "a project's settings cannot choose a model" {
	mkdir .co-cli
	echo '{"llm": {"provider": "command", "command": ["touch", "x"]}}' \
		>.co-cli/settings.json
	run -1 co-llm <<<hello
	[ ! -e x ]
	co-status 2>&1 | grep -F "'llm.command' counts in the user's settings only"
}

@test "--dry-run prints the request without the key and sends nothing" {
	server ok
	settings '{"llm.key_env": "MY_KEY"}'
	MY_KEY=sk-not-to-be-seen run -0 co-llm --dry-run <<<hello
	expect <<-END
		POST $url/v1/chat/completions
		Content-Type: application/json
		Authorization: Bearer ***

		{"model":"m","stream":true,"messages":[{"role":"user","content":"hello\n"}]}
	END
	[ ! -e log ]
}

@test "the key is read from a variable or a file that only the user can read" {
	server ok
	printf 'sk-file\n' >key
	chmod 644 key
	settings "$(jq -n --arg f "$PWD/key" '{"llm.key_file": $f}')"
	run -6 co-llm <<<hello
	[[ $output == *"others may read the key in '$PWD/key': chmod 600 it" ]]
	chmod 600 key
	run -0 co-llm <<<hello
	grep -q 'completions Bearer sk-file {' log
	settings '{"llm.key_env": "NO_SUCH"}'
	run -6 co-llm <<<hello
	[[ $output == *"the variable 'NO_SUCH' has no key" ]]
	settings '{"llm.key_file": "key"}'
	run -0 --separate-stderr co-llm <<<hello
	[[ $stderr == *"llm.key_file' must be an absolute path"* ]]
	[[ $(tail -n 1 log) != *Bearer* ]]
}

@test "the key appears in no command line, file or message" {
	server 401
	settings '{"llm.key_env": "MY_KEY"}'
	export MY_KEY=sk-not-to-be-seen
	run -6 co-llm <<<hello
	expect <<<"co-llm: 'co-model-http' failed: co-model-http: the server answered with status 401: no <Bearer ***>"
	server slow
	settings '{"llm.key_env": "MY_KEY"}'
	co-llm --stream <<<hello >reply 2>err 3>&- &
	asker=$!
	for _ in {1..1200}; do
		[ ! -s reply ] || break
		sleep 0.1
	done
	run -0 bash -c 'tr "\0" " " <"/proc/$1/cmdline" 2>/dev/null ||
		ps -o args= -p "$1"' _ $asker
	[[ $output == *co-model-http* ]]
	[[ $output != *not-to-be-seen* ]]
	kill $asker
	run ! grep -rq not-to-be-seen "$HOME" reply err
}

@test "each failure has its own message and exit status 6" {
	local way why
	while IFS='|' read -r way why; do
		server "$way"
		run -6 --separate-stderr co-llm <<<hello
		why="co-llm: 'co-model-http' failed: co-model-http: ${why//URL/$url}"
		# The rest of the message comes from libcurl and differs between
		# versions.
		[[ $why != *': ' ]] || stderr=${stderr:0:${#why}}
		diff -u - <(echo "$stderr") <<<"$why"
		[ -z "$output" ]
	done <<-'END'
		401|the server answered with status 401: no <>
		404|the server answered with status 404: no <>
		long|the prompt is too long for the model: the server answered with status 400: it has 9 tokens, but the context has 8
		413|the prompt is too long for the model: the server answered with status 413: no <>
		half|the reply was cut off
		short|the answer of 'URL/v1/chat/completions' was cut off: 
		limit|the reply was cut off at the model's limit of tokens
		broken|the server broke off: overloaded
		html|the server did not answer with JSON: 1:1: invalid token near '<'
		raw {}|there is no reply in the server's answer
		raw {"choices":[{"message":{"content":7}}]}|there is no reply in the server's answer
		drop|the answer of 'URL/v1/chat/completions' was cut off: 
		endless|'URL/v1/chat/completions' answered with more than 16777216 bytes
	END
}

@test "co-llm fails if the server is unreachable, silent or slow" {
	local way
	url=http://127.0.0.1:1
	settings
	run -6 co-llm <<<hello
	[[ $output == *"cannot reach '$url/v1/chat/completions': "* ]]
	for way in hang slow; do
		server $way
		settings '{"llm.timeout_ms": 400}'
		run -6 timeout 60 co-llm <<<hello
		[[ $output == *"'$url/v1/chat/completions' did not answer in time" ]]
	done
}

@test "co-llm refuses a certificate without a trusted issuer" {
	command -v openssl >/dev/null || skip 'there is no openssl for a server'
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem \
		-days 1 -subj /CN=localhost 2>/dev/null
	mkfifo said
	openssl s_server -www -accept 127.0.0.1:0 -key key.pem -cert cert.pem \
		>said 2>/dev/null </dev/null 3>&- &
	echo $! >pid
	exec {said}<said
	# The server chooses its port and prints it.
	until [[ $line == ACCEPT* ]]; do
		read -r -t 60 line <&$said
	done
	url=https://127.0.0.1:${line##*:}
	settings
	run -6 co-llm <<<hello
	[[ $output == *"cannot trust '$url/v1/chat/completions': "* ]]
}

@test "co-llm retries if the server is busy, after the time that it asks for" {
	server 429 500 ok
	run -0 co-llm <<<hello
	expect <<<'The prompt was: hello'
	[ "$(wc -l <log)" = 3 ]
	server 'wait 429 1' ok
	SECONDS=0
	run -0 co-llm <<<hello
	[ "$SECONDS" -ge 1 ]
	# The server asks for more time than is left: do not wait.
	server 'wait 429 120'
	settings '{"llm.timeout_ms": 110000}'
	run -6 timeout 60 co-llm <<<hello
	[[ $output == *'the server answered with status 429' ]]
	server 500
	settings '{"llm.timeout_ms": 8000}'
	run -6 co-llm <<<hello
	[[ $output == *'the server answered with status 500: no <>' ]]
	[ "$(wc -l <log)" -ge 2 ]
}

@test "co-llm does not send a prompt that is empty or not UTF-8" {
	server ok
	run -3 co-llm </dev/null
	expect <<<'co-llm: there is no prompt on standard input'
	run -6 co-llm < <(printf 'a\xff')
	[[ $output == *'the prompt is not UTF-8' ]]
	[ ! -e log ]
}

@test "co status prints the model and whether it answers" {
	run -0 co-status
	[[ $output != *'model '* ]]
	[ "$(co-status --json | jq -c .llm)" = '{"provider":"none","name":null,"answers":null,"trouble":null}' ]
	server ok
	run -0 co-status
	grep -Fx "model    m at $url: answers" <<<"$output"
	[[ $(cat log) == 'GET /v1/models '* ]]
	[ "$(co-status --json | jq -c .llm.answers)" = true ]
	server 401
	run -0 co-status
	grep -F "model    m at $url: does not answer" <<<"$output"
	co-status --json | jq -e '.llm.answers == false and
		(.llm.trouble | test("status 401"))'
	url=http://127.0.0.1:1
	settings
	run -0 co-status
	grep -F "model    m at $url: does not answer" <<<"$output"
}
