#!/usr/bin/env bats
# The server and the hook where a file system does not answer: who asks it for
# anything can neither go on nor be killed.
load lib
load mcp

setup() {
	world
	mkdir -p .co-cli/knowledge "$global"
	echo '{"hook.timeout_ms": 1000}' >"$global/settings.json"
	unset XDG_STATE_HOME CLAUDE_PROJECT_DIR GEMINI_PROJECT_DIR
}

teardown() {
	[ -z "${stall-}" ] || kill "$stall"
}

# stall DIR: let DIR lie on one, for what runs inside.
stall() {
	local as=()
	ns=(-m)
	[ "$(id -u)" = 0 ] || {
		as=(-r)
		ns=(-U --preserve-credentials -m)
	}
	unshare -m "${as[@]}" "$CO_BIN/../t/unit/sys/stall" "$1" >mounted 2>why 3>&- &
	stall=$!
	until [ -s mounted ]; do
		kill -0 $stall 2>/dev/null || {
			stall=
			skip 'nothing can be mounted here'
		}
		sleep 0.01
	done
}

# inside COMMAND...: run it where the file system is mounted.
inside() {
	nsenter -t $stall "${ns[@]}" -- sh -c 'cd "$0" && exec "$@"' "$PWD" \
		timeout -s KILL 30 "$@"
}

@test "a server begins without the context, and ends when it is told to" {
	stall .co-cli/knowledge
	{
		hello
		call 1 ping
	} | inside co mcp >out 2>errors
	run -0 jq -r 'select(.id == "hello").result.instructions' out
	[[ $output == *'recall_memory finds it'*"
(The always-loaded context is missing here: no answer within 2000 ms.)" ]]
	grep -q 'no answer within 2000 ms' errors
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

@test "a server finds no folder where nothing answers, and serves its own" {
	mkdir away
	stall away
	hello | CLAUDE_PROJECT_DIR=$PWD/away inside co mcp >out 2>errors
	grep -q "cannot enter '$PWD/away': no answer within 2000 ms, of CLAUDE" errors
	jq -e .result out
	run inside co mcp --project=away </dev/null
	[ "$status" = 4 ]
}

@test "a client that listens is served, whatever the files do" {
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

@test "a hook tells that the context could not be loaded" {
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

@test "a hook whose log cannot be written ends all the same" {
	mkdir -p "$HOME/.local/state"
	stall "$HOME/.local/state"
	run -0 inside co hook claude <<<'{"hook_event_name":"SessionStart"}'
	jq -e .systemMessage <<<"$output"
}

@test "a program that cannot be killed is not waited for" {
	stall .co-cli/knowledge
	run -0 inside "$CO_BIN/../t/unit/sys/process" "$PWD/.co-cli/knowledge/x"
	expect </dev/null
}
