#!/usr/bin/env bats
# co learn --auto: sessions that end are harvested into drafts.
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

# ended: the hook is told that the session did, and has done all that it does:
# last of all it moves the draft in the work tree.
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

@test "it is off, then on, then off again" {
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

@test "status says whether it runs, when it last did, and what waits" {
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

@test "status names what went wrong with the last one" {
	run -0 co learn --auto
	printf '#!/bin/sh\necho down >&2\nexit 1\n' >model
	run -6 co-harvest --apply --drafts s1.jsonl
	run -0 co status
	[[ $output == *'last at 2026-02-09T14:30:00Z: '*down*'; 0 drafts wait'* ]]
}

@test "a project cannot switch it on" {
	echo '{"harvest.auto": "on"}' >.co-cli/settings.json
	ended
	[ ! -e asked ]
}

# agent [VARIABLE]: the model is an agent, as claude -p: each call keeps a record of
# its own and tells its hook that the session ends.  It hands VARIABLE on to no one.
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

@test "a model that is an agent sets off no other harvest, and runs elsewhere" {
	agent
	ended
	harvests
	[ "$(wc -l <asked)" = 1 ]
	[ "$(cat answers)" = '{}' ]
	[ "$(cat mark)" = 1 ]
	run -1 grep ' own ' "$HOME/.local/state/co-cli/hook.log"
	[ "$(cat place)" = "$HOME/.local/state/co-cli/model" ]
}

@test "nor does one that hands the mark to no hook of its own" {
	agent CO_INSIDE
	ended
	harvests
	for _ in {1..1200}; do
		! grep -q ' own .*harvested' "$HOME/.local/state/co-cli/hook.log" ||
			break
		sleep .1
	done
	[ "$(wc -l <asked)" = 1 ]
	# A conversation that was harvested asked for no memory of its own.
	grep -q '^source: claude/s1' -r .git/co-cli
	run -1 grep '^source: claude/own' -r .git/co-cli
}

@test "inside a program that co started nothing is harvested, served or collected" {
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

@test "editors get the mark" {
	echo "echo \$CO_INSIDE >$PWD/mark" >editor.sh
	run -0 co-memory-save <<<'A memory'
	VISUAL="sh $PWD/editor.sh" run co-edit 1
	[ "$(cat mark)" = 1 ]
}

@test "what a session taught waits, and the next one says so" {
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
