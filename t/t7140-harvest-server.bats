#!/usr/bin/env bats
# Test co harvest with a model server that fails in many ways: no conversation
# is lost, the error is right, and the key appears nowhere.
load lib
load server

KEY=sk-not-to-be-seen-$$

setup() {
	server_world
	conv=$PWD/first/conversations
	file=$conv/chat-01234567-89ab-cdef-0123-456789abcdef
	ledger=.co-cli/knowledge/ledger.json
	export MY_KEY=$KEY
}

# server WAY...: start a server, see chat.pl, with a conversation to harvest.
server() {
	start_server chat.pl "$@"
	settings
}

# settings [TIMEOUT_MS]: set the model m at the server, and reset the store.
settings() {
	echo '{"llm.provider":"http","llm.url":"'"$url"'","llm.model":"m",
		"llm.key_env":"MY_KEY","llm.timeout_ms":'"${1-10000}}" \
		>"$global/settings.json"
	rm -rf .co-cli
	mkdir -p "$conv"
	echo hello >"$file"
}

# kept MESSAGE: check that a harvest fails with MESSAGE and status 6, and that
# the conversation is kept and recorded.
kept() {
	run -6 --separate-stderr timeout 60 co-harvest --apply first
	[[ $stderr == *"co-harvest: failed: $file: "*"$1"* ]] ||
		{ echo "$stderr"; return 1; }
	[ "$(grep -c 'failed:' <<<"$stderr")" = 1 ]
	[ "$(cat "$file")" = hello ]
	jq -e --arg f "$file" '[.entries[]] | length == 1 and
		.[0].path == $f and .[0].status == "harvest-failed" and
		.[0].deleted == false and (.[0].error | length) > 9' $ledger
	[ -z "$(co-item-list)" ]
	unseen
}

# unseen: check that the key is in no file except the server's, and in no
# output.
unseen() {
	[[ $output$stderr != *"$KEY"* ]]
	run -1 grep -rl --exclude=log "$KEY" .
	run -1 grep -rl "$KEY" "$HOME"
}

ANSWER='raw {"choices":[{"message":{"content":"{\"facts\":[\"F\"]}"},"finish_reason":"stop"}]}'

@test "a harvest sends the key to the server only" {
	server "$ANSWER"
	run -0 --separate-stderr co-harvest --apply first
	grep -qF "Bearer $KEY" log
	[ ! -e "$file" ]
	run -0 grep -c '^- F \[from: ' .co-cli/knowledge/facts.md
	expect <<<1
	unseen
}

@test "a harvest keeps the conversation after each error of a server" {
	local way why
	while IFS='|' read -r way why; do
		server "$way"
		kept "$why"
	done <<-'END'
		401|the server answered with status 401
		404|the server answered with status 404
		long|the prompt is too long for the model
		413|the prompt is too long for the model
		half|the reply was cut off
		short|was cut off
		limit|the reply was cut off at the model's limit of tokens
		broken|the server broke off: overloaded
		html|the server did not answer with JSON
		raw {}|there is no reply in the server's answer
		raw {"choices":[{"message":{"content":"Sorry."},"finish_reason":"stop"}]}|the reply is not what was asked for, 2 times
		drop|was cut off
		endless|answered with more than 16777216 bytes
		wait 429 60|the server answered with status 429
	END
}

@test "a harvest keeps the conversation if no server answers in time" {
	local way
	url=http://127.0.0.1:1
	settings
	kept "cannot reach '$url/v1/chat/completions'"
	for way in hang slow; do
		server $way
		settings 400
		kept 'did not answer in time'
	done
	for way in 429 500; do
		server $way
		settings 60000
		kept "the server answered with status $way"
	done
	# The server does not speak TLS.
	server ok
	url=${url/http/https}
	settings
	kept "/v1/chat/completions'"
}

@test "a harvest retries a busy server, and adds the items once" {
	server 429 500 'wait 429 1' "$ANSWER"
	run -0 co-harvest --apply first
	[ "$(wc -l <log)" = 4 ]
	[ ! -e "$file" ]
	run -0 co-item-list
	[ "${#lines[@]}" = 1 ]
}

@test "a failed conversation is harvested when the server works again" {
	server 401
	kept 'status 401'
	start_server chat.pl "$ANSWER"
	sed -i "s|\"llm.url\":\"[^\"]*\"|\"llm.url\":\"$url\"|" "$global/settings.json"
	run -0 co-harvest --apply first
	[ ! -e "$file" ]
	run -0 jq -c '[.entries[] | [.status, .error]]' $ledger
	expect <<<'[["harvested",null]]'
}

@test "the key is in no command line during a request" {
	server hang
	# The timeout is longer than a busy machine takes to list processes.
	settings 60000
	co-harvest --apply first >out 2>err 3>&- &
	asker=$!
	for _ in {1..1200}; do
		[ ! -s log ] || break
		sleep 0.1
	done
	grep -qF "Bearer $KEY" log
	if [ -e /proc/self/cmdline ]; then
		# Processes may end while they are listed.
		output=$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ')
	else
		output=$(ps -eww -o args)
	fi
	[[ $output == *co-model-http* ]]
	[[ $output != *"$KEY"* ]]
	kill "$(cat pid)"
	: >pid
	wait $asker || status=$?
	[ "$status" = 6 ]
	[ -e "$file" ]
	output=$(cat out err) stderr=
	unseen
}
