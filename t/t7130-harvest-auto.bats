#!/usr/bin/env bats
# Test co learn --auto, which harvests finished sessions into drafts.
load lib

setup() {
	world
	git init -q .
	mkdir -p .co-cli "$global"
	cp "$BATS_TEST_DIRNAME/transcripts/claude.jsonl" s1.jsonl
	cat >model <<-END
		#!/bin/sh
		cat >>"$PWD/asked"
		echo '{"facts": ["Pigs fly"], "tasks_open": ["Land them"]}'
	END
	chmod +x model
	printf '{"hook.timeout_ms": 60000, "llm.provider": "command", "llm.command": ["%s"]}' \
		"$PWD/model" >"$global/settings.json"
}

# ended: report the session's end to the hook, and wait until it is done. The
# last thing the hook does is to move the draft in the work tree.
ended() {
	memory 1 2026-02-09T14:30:00Z '' $drafts/001-moved.md <<<moved
	printf '{"hook_event_name": "SessionEnd", "session_id": "s1",
		"cwd": "%s", "transcript_path": "%s"}' "$PWD" "$PWD/s1.jsonl" |
		co-hook claude
	for _ in {1..1200}; do
		[ -e $drafts/001-moved.md ] || return 0
		sleep .1
	done
	return 1
}

@test "co learn --auto turns the harvest on, and --auto=false off" {
	run -0 co learn --auto
	expect <<<"✓ Each session that ends is harvested into drafts: 'co review' shows them"
	run -0 co status
	[[ $output =~ harvest.auto\ +on\ \(user\) ]]
	jq -e '.["llm.provider"] == "command"' "$global/settings.json"
	run -0 co learn --auto=false
	run -0 co status
	[[ $output =~ harvest.auto\ +off\ \(user\) ]]
	run -2 co learn --auto=maybe
	run -2 co learn --auto text
	rm "$global/settings.json"
	run -0 --separate-stderr co learn --auto
	[[ $stderr == *"no model is set yet"* ]]
}

@test "co status prints the last harvest and the number of waiting drafts" {
	run -0 co status
	[[ $output != *'each session that ends'* ]]
	[ "$(co status --json | jq .harvest)" = null ]
	run -0 co learn --auto
	run -0 co status
	[[ $output == *$'\nharvest  each session that ends, none yet; 0 drafts wait\n'* ]]
	run -0 co-harvest --apply --drafts s1.jsonl
	run -0 co status
	[[ $output == *$'\nharvest  each session that ends, last at 2026-02-09T14:30:00Z; 2 drafts wait\n'* ]]
	[ "$(co status --json | jq -c .harvest)" = '{"last":"2026-02-09T14:30:00Z","trouble":null,"waiting":2}' ]
	echo '{' >.co-cli/knowledge/ledger.json
	run -0 co status
	[[ $output == *'each session that ends, none yet: '*ledger.json*'; 2 drafts wait'* ]]
	rm .co-cli/knowledge/ledger.json "$global/settings.json"
	run -0 co learn --auto
	run -0 co status
	[[ $output == *'each session that ends, but no model is set, none yet'* ]]
}

@test "co status prints why the last harvest failed" {
	run -0 co learn --auto
	printf '#!/bin/sh\necho down >&2\nexit 1\n' >model
	run -6 co-harvest --apply --drafts s1.jsonl
	run -0 co status
	[[ $output == *'last at 2026-02-09T14:30:00Z: '*down*'; 0 drafts wait'* ]]
}

@test "a project cannot turn the harvest on" {
	echo '{"harvest.auto": "on"}' >.co-cli/settings.json
	ended
	[ ! -e asked ]
}

# agent [VARIABLE]: make a model that is an agent, such as claude -p: each call
# writes a record and reports the end of its session to the hook. It unsets
# VARIABLE first.
agent() {
	cat >model <<-END
		#!/bin/sh
		echo >>"$PWD/asked"
		pwd >"$PWD/place"
		ls -A >>"$PWD/place"
		echo "\$CO_INSIDE" >"$PWD/mark"
		[ "\$(wc -l <"$PWD/asked")" -le 3 ] || exit 1
		jq -Rsc --arg d "\$PWD" '{type: "user", uuid: "u1", parentUuid: null,
			cwd: \$d, isSidechain: false, sessionId: "own",
			timestamp: "2026-02-09T14:20:00Z",
			message: {role: "user", content: .}}' >"$PWD/own.jsonl"
		echo '{"facts": ["Pigs fly"]}'
		${1:+unset $1}
		printf '{"hook_event_name": "SessionEnd", "session_id": "own",
			"cwd": "%s", "transcript_path": "%s"}' "\$PWD" "$PWD/own.jsonl" |
			co-hook claude >>"$PWD/answers"
	END
	jq '. + {"harvest.auto": "on"}' "$global/settings.json" >new
	mv new "$global/settings.json"
}

# harvests: wait until the log has the harvest of session s1.
harvests() {
	for _ in {1..1200}; do
		! grep -q 's1 .*harvested' "$HOME/.local/state/co-cli/hook.log" ||
			return 0
		sleep .1
	done
	return 1
}

@test "a model that is an agent starts no harvest, and has its own directory" {
	agent
	ended
	harvests
	[ "$(wc -l <asked)" = 1 ]
	[ "$(cat answers)" = '{}' ]
	[ "$(cat mark)" = 1 ]
	run -1 grep ' own ' "$HOME/.local/state/co-cli/hook.log"
	[ "$(cat place)" = "$HOME/.local/state/co-cli/model" ]
}

@test "a model that does not pass CO_INSIDE to its hooks starts no harvest" {
	agent CO_INSIDE
	ended
	harvests
	for _ in {1..1200}; do
		! grep -q ' own .*harvested' "$HOME/.local/state/co-cli/hook.log" ||
			break
		sleep .1
	done
	[ "$(wc -l <asked)" = 1 ]
	# The request of the harvest was not harvested.
	grep -q '^source: claude/s1' -r .git/co-cli
	run -1 grep '^source: claude/own' -r .git/co-cli
}

@test "nothing is harvested, served or loaded if CO_INSIDE is set" {
	export CO_INSIDE=1
	run -1 --separate-stderr co harvest --apply s1.jsonl
	[[ $stderr == *"co-harvest: nothing is harvested by a program that co started: CO_INSIDE is set" ]]
	run -0 co-hook claude <<<'{"hook_event_name": "SessionStart",
		"session_id": "s2", "source": "startup", "cwd": "'"$PWD"'"}'
	[ "$output" = '{}' ]
	run -0 co-mcp <<-'END'
		{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}
		{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
	END
	jq -se '.[0].result.capabilities == {} and .[1].error.code == -32601' <<<"$output"
	[ ! -e asked ]
}

@test "an editor gets CO_INSIDE" {
	echo "echo \$CO_INSIDE >$PWD/mark" >editor.sh
	run -0 co-memory-save <<<'A memory'
	VISUAL="sh $PWD/editor.sh" run co-edit 1
	[ "$(cat mark)" = 1 ]
}

@test "the end of a session harvests drafts, and the next session reports them" {
	run -0 co learn --auto
	ended
	for _ in {1..1200}; do
		! grep -q harvested "$HOME/.local/state/co-cli/hook.log" ||
			break
		sleep .1
	done
	[ "$(co review --list 2>/dev/null | wc -l)" = 4 ]
	[ ! -e .co-cli/knowledge/facts.md ]
	[ -e s1.jsonl ]
	run -0 co-hook claude <<<'{"hook_event_name": "SessionStart",
		"session_id": "s2", "source": "startup", "cwd": "'"$PWD"'"}'
	[[ $output == *'4 drafts wait for your yes'* ]]
	run -1 grep 'Pigs' "$HOME/.local/state/co-cli/hook.log"
}
