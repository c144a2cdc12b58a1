#!/usr/bin/env bats
# The server and the hook with a file system that does not answer. A process that uses it
# cannot continue and cannot be killed.
load lib
load mcp

setup() {
	world
	mkdir -p .co-cli/knowledge "$global"
	echo '{"hook.timeout_ms": 1000}' >"$global/settings.json"
}

teardown() {
	[ -z "${stall-}" ] || kill "$stall"
}

# stall DIR: mount a stalled file system on DIR, visible to inside.
stall() {
	local as=()
	ns=(-m)
	rm -f mounted
	[ "$(id -u)" = 0 ] || {
		as=(-r)
		ns=(-U --preserve-credentials -m)
	}
	unshare -m "${as[@]}" "$CO_BIN/../t/tool/sys/stall" "$1" >mounted 2>why 3>&- &
	stall=$!
	until [ -s mounted ]; do
		kill -0 $stall 2>/dev/null || {
			stall=
			skip 'nothing can be mounted here'
		}
		sleep 0.01
	done
}

# starts: start a session with a hook inside. Retry on a machine so busy that even working
# file systems are too late.
starts() {
	local try
	for try in {1..20}; do
		run -0 --separate-stderr inside co hook claude \
			<<<'{"hook_event_name":"SessionStart","cwd":"'"$PWD"'"}'
		[[ $output == *'could not be '*' in time'* ]] || return 0
		echo "$try: $output"
	done
	return 1
}

# inside COMMAND...: run COMMAND where the file system is mounted.
inside() {
	nsenter -t $stall "${ns[@]}" -- sh -c 'cd "$0" && exec "$@"' "$PWD" \
		timeout -s KILL 60 "$@"
}

@test "a server starts without the context if its directory stalls, and ends on TERM" {
	stall .co-cli/knowledge
	{
		hello
		call 1 ping
	} | inside co mcp >out 2>errors
	run -0 jq -r 'select(.id == "hello").result.instructions' out
	[[ $output == *'ask recall_memory'*"
(The always-loaded context is missing here: no answer within 500 ms.)" ]]
	grep -q 'no answer within 1500 ms' errors
	[ "$(jq -s length out)" = 2 ]

	mkfifo in
	inside sh -c 'echo $$ >pid; exec co mcp' <in >out 2>errors 3>&- &
	server=$!
	exec {mouth}>in
	call 1 initialize '{"protocolVersion":"2025-11-25","capabilities":{}}' >&"$mouth"
	call 2 tools/call "$(tool save_memory '{"content":"x"}')" >&"$mouth"
	until [ -s out ]; do sleep 0.05; done
	kill "$(cat pid)"
	wait $server
	exec {mouth}>&-
	[ -z "$(co-memory-list)" ]
}

@test "a server starts with the context if only the memories stall" {
	mkdir -p .co-cli/knowledge/memories
	echo '- The build is run by make check' >.co-cli/knowledge/context.md
	stall .co-cli/knowledge/memories
	hello | inside co mcp >out
	run -0 jq -r 'select(.id == "hello").result.instructions' out
	[[ $output == *'- The build is run by make check'*"
(Memories that are always loaded could not be found in time.)" ]]
}

@test "if the environment's project stalls, a server uses its own directory" {
	mkdir away
	stall away
	hello | CLAUDE_PROJECT_DIR=$PWD/away inside co mcp >out 2>errors
	grep -q "cannot enter '$PWD/away': no answer within 2000 ms, of CLAUDE" errors
	jq -e .result out
	run inside co mcp --project=away </dev/null
	[ "$status" = 4 ]
}

@test "a server answers if the ledger of what agents were shown stalls" {
	mkdir -p "$HOME/.local/state/co-cli/shown"
	memory 1 2026-02-09T14:30:00Z '' <<<'Use tabs.'
	stall "$HOME/.local/state/co-cli/shown"
	{
		hello
		call 1 tools/call "$(tool recall_memory '{"query":"tabs"}')"
		call 2 tools/call "$(tool save_memory '{"content":"Use spaces."}')"
	} >in
	run -0 inside sh -c 'co mcp <in >out 2>errors'
	run -0 jq -r 'select(.id != "hello") | .result.content[0].text' out
	[[ $output == *'Use tabs.'*'Saved draft 2'* ]]
	run -0 co-memory-list --drafts --format='%(frontmatter)'
	[ "$(jq -c '[.trust, .read]' <<<"$output")" = '["external",["unknown: co could not look in time"]]' ]
}

@test "a server answers a subscriber while its files stall" {
	stall .co-cli/knowledge
	{
		hello
		call 1 resources/subscribe '{"uri":"co://context"}'
		call 2 ping
	} | inside co mcp >out 2>errors
	run -0 jq -r .id out
	expect <<-END
		hello
		1
		2
	END
}

@test "a subscriber gets notifications again once the files answer" {
	mkdir -p "$global/knowledge"
	stall .co-cli/knowledge
	mkfifo in out
	inside co mcp <in >out 2>errors 3>&- &
	server=$!
	exec {mouth}>in {ears}<out
	say "$(hello)" "$(call 1 resources/subscribe '{"uri":"co://context"}')"
	heard >/dev/null
	heard >/dev/null
	# Changes from before the first look are reported too.
	echo 'Use tabs.' >>"$global/knowledge/context.md"
	kill "$stall"
	stall=
	line=$(heard)
	[[ $line == *notifications/resources/updated* ]]
	hang_up
}

@test "a hook reports that the context could not be loaded in time" {
	stall .co-cli/knowledge
	run -0 inside co hook claude <<<'{"hook_event_name":"SessionStart","cwd":"'"$PWD"'"}'
	run -0 jq -r '.systemMessage, .hookSpecificOutput.additionalContext' <<<"$output"
	expect <<-END
		co: the context could not be loaded in time; 'co context' shows it, and co-hook(1) tells of hook.timeout_ms
		(co: the context could not be loaded in time; 'co context' shows it, and co-hook(1) tells of hook.timeout_ms.)
	END
	grep 'claude - - [0-9]* ms: no answer within 1000 ms' \
		"$HOME/.local/state/co-cli/hook.log"
}

@test "a hook prints the context if only the memories stall" {
	mkdir -p .co-cli/knowledge/memories
	echo '- The build is run by make check' >.co-cli/knowledge/context.md
	stall .co-cli/knowledge/memories
	run -0 inside co hook claude <<<'{"hook_event_name":"SessionStart","cwd":"'"$PWD"'"}'
	run -0 jq -r '.systemMessage, .hookSpecificOutput.additionalContext' <<<"$output"
	[[ $output == "co: memories that are always loaded could not be found in time: 'co context' shows them"$'\n'*"- The build is run by make check"*"(co: memories that are always loaded could not be found in time"* ]] ||
		{ echo "$output"; false; }
}

@test "a hook reports once that the memories of a prompt stall" {
	mkdir -p .co-cli/knowledge/memories
	memory 1 2026-02-09T14:30:00Z '' <<<'the database is called pg'
	jq '. + {"hook.recall": "on"}' "$global/settings.json" >new
	mv new "$global/settings.json"
	stall .co-cli/knowledge/memories
	run -0 inside co hook claude \
		<<<'{"hook_event_name":"UserPromptSubmit","prompt":"what is the database called?"}'
	[ "$(jq -r .systemMessage <<<"$output")" = "co: the memories could not be searched in time; this continues in the background, and later prompts get them" ]
	run -0 inside co hook claude \
		<<<'{"hook_event_name":"UserPromptSubmit","prompt":"what is the database called?"}'
	expect <<<'{}'
}

@test "a hook ends if its log cannot be written" {
	mkdir -p "$HOME/.local/state"
	stall "$HOME/.local/state"
	run -0 inside co hook claude <<<'{"hook_event_name":"SessionStart"}'
	jq -e .systemMessage <<<"$output"
}

@test "a hook prints the project's context if the user's directories stall" {
	local folder
	co learn --always 'a rule of the project'
	co learn --always --global 'a rule of everywhere'
	# Processes outside the namespace still see a home that answers.
	export HOME=$BATS_TEST_TMPDIR/away XDG_STATE_HOME=
	mkdir -p "$HOME/.config/co-cli" "$HOME/.cache/co-cli" "$HOME/.local/state"
	for folder in "$HOME" "$HOME/.config" "$HOME/.cache"; do
		stall "$folder"
		starts
		kill "$stall"
		stall=
		jq -r .systemMessage <<<"$output" |
			grep -x "co: your directories below '$HOME' do not answer: what is yours is missing"
		jq -r .hookSpecificOutput.additionalContext <<<"$output" >context
		grep -x -- '- a rule of the project' context
		grep -x "(co: the user's directories do not answer: what is theirs is missing.)" context
		run -1 grep everywhere context
	done
	stall "$HOME"
	run -0 inside co hook claude \
		<<<'{"hook_event_name":"UserPromptSubmit","prompt":"rule"}'
	expect <<<'{}'
}

@test "co does not wait for a program that cannot be killed" {
	stall .co-cli/knowledge
	run -0 inside "$CO_BIN/../t/unit/sys/process" "$PWD/.co-cli/knowledge/x"
}
