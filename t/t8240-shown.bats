#!/usr/bin/env bats
# The ledger: what hooks and the server record of the memories that agents got.
load lib
load mcp

setup() {
	world
	mkdir -p "$global"
	echo '{"hook.timeout_ms": 60000, "hook.recall": "on"}' >"$global/settings.json"
	co-init -q
	shown=$HOME/.local/state/co-cli/shown
	ledger=$shown/$(jq -r .project.id .co-cli/settings.json).jsonl
}

# hook NAME [KEY VALUE]...: let Claude Code report an event, and discard the answer.
hook() {
	local name=$1 members=
	shift
	while [ $# -gt 0 ]; do
		members+="${members:+,}\"$1\":$(json_string "$2")"
		shift 2
	done
	hook_event s-1 "$name" "$members" | co hook claude >answer
}

# serve LINE...: send these lines to the server as Claude Code.
serve() {
	printf '%s\n' "$@" | CLAUDE_CODE_SESSION_ID=s-1 co mcp >answers
}

@test "the ledger records the start of a session with context and rules" {
	context .co-cli/knowledge/context.md <<<'Use tabs.'
	co-memory-save <<<'Never push on Fridays'
	sed -i '0,/^id:/s/^id:/always: true\nid:/' .co-cli/knowledge/memories/001-*.md
	hook SessionStart source startup
	run -0 jq -c '[.at, .agent, .session, .event, .trigger, .bytes > 50, .whole],
		(.memories[] | [.id, .scope, .why, .cite])' "$ledger"
	expect <<-'END'
		["2026-02-09T14:30:00Z","claude","s-1","start",{},true,true]
		[null,"project","context",null]
		[1,"project","rule",null]
	END
	run -0 jq -r '.memories[].sha256' "$ledger"
	expect < <(sha256sum .co-cli/knowledge/context.md .co-cli/knowledge/memories/001-*.md | cut -d ' ' -f 1)
}

@test "the ledger records memories for a prompt with the words in common" {
	co-memory-save <<<'Integration tests need Docker running'
	co-memory-save --global <<<'docker images are kept on the laptop'
	hook UserPromptSubmit prompt 'please start docker images for the integration in zanzibar'
	run -0 jq -c '[.event, (.trigger.words | split(" ") | sort)],
		(.memories | sort_by(.scope)[] | [.id, .scope, .why])' "$ledger"
	expect <<-'END'
		["prompt",["docker","images","integration"]]
		[1,"global","words"]
		[1,"project","words"]
	END
	run -0 jq -r '[.memories[].bytes] | add' "$ledger"
	[ "$output" -gt 60 ]
	[ "$output" -lt "$(jq .bytes "$ledger")" ]
	# The ledger has no text of a memory and no other word of the prompt.
	run -1 grep -iE 'zanzibar|laptop|running|please' "$ledger"
	hook UserPromptSubmit prompt 'kubernetes'
	run -0 jq -s length "$ledger"
	expect <<<1
}

@test "the ledger records results of the server with the tool" {
	co-memory-save <<<'Integration tests need Docker running'
	co-memory-save <<<'Deploys happen on Tuesdays'
	serve "$(hello)" "$(call 1 tools/call "$(tool recall_memory '{"query":"which docker in zanzibar"}')")" \
		"$(call 2 tools/call "$(tool list_memories)")" \
		"$(call 3 tools/call "$(tool show_memory '{"id":2}')")" \
		"$(call 4 tools/call "$(tool show_memory '{"id":9}')")" \
		"$(call 5 resources/read '{"uri":"co://memory/1"}')" \
		"$(call 6 prompts/get '{"name":"recall","arguments":{"query":"deploys"}}')"
	run -0 jq -c '[.agent, .session, .event, .trigger.words, [.memories[] | .id, .why]]' "$ledger"
	expect <<-'END'
		["shell","","server",null,[null,"context"]]
		["shell","","recall_memory","docker",[1,"asked"]]
		["shell","","list_memories",null,[1,"asked",2,"asked"]]
		["shell","","show_memory",null,[2,"asked"]]
		["shell","","resource",null,[1,"asked"]]
		["shell","","recall","deploys",[2,"asked"]]
	END
	run -0 jq -s -r '.[3].memories[0].sha256' "$ledger"
	expect < <(sha256sum .co-cli/knowledge/memories/002-*.md | cut -d ' ' -f 1)
	run -1 grep -iE 'zanzibar|tuesday' "$ledger"
}

@test "the ledger records an agent's server under the session of its hooks" {
	co-memory-save <<<'Deploys happen on Tuesdays'
	hook SessionStart source startup
	serve "$(hello | sed 's/"shell"/"claude-code"/')" \
		"$(call 1 tools/call "$(tool show_memory '{"id":1}')")"
	run -0 jq -c '[.agent, .session, .event]' "$ledger"
	expect <<-'END'
		["claude","s-1","start"]
		["claude","s-1","server"]
		["claude","s-1","show_memory"]
	END
}

@test "the ledger records no words for a sensitive memory" {
	co-memory-save <<<'The vault opens with zanzibar'
	sed -i '0,/^id:/s/^id:/sensitive: true\nid:/' .co-cli/knowledge/memories/001-*.md
	hook SessionStart
	hook UserPromptSubmit prompt 'does the vault open with zanzibar'
	serve "$(hello)" "$(call 1 tools/call "$(tool recall_memory '{"query":"vault zanzibar"}')")" \
		"$(call 2 tools/call "$(tool show_memory '{"id":1}')")"
	[ -s "$ledger" ]
	run -1 grep -E 'vault|zanzibar' "$ledger"
}

@test "the ledger records a long query by a limited number of its words" {
	co-memory-save <<<'Integration tests need Docker running'
	words=$(printf 'w%d ' {1..3000})
	serve "$(hello)" "$(call 1 tools/call "$(tool recall_memory "{\"query\":\"docker $words\"}")")" \
		"$(call 2 tools/call "$(tool show_memory '{"id":1}')")"
	run -0 jq -c 'select(.event == "show_memory") | .memories[0].id' "$ledger"
	expect <<<1
	[ "$(stat -c %s "$ledger")" -lt 3000 ]
}

@test "the ledger does not record an answer that could not be written" {
	echo '{"hook.timeout_ms": 60000, "hook.recall": "both"}' >"$global/settings.json"
	co-memory-save <<<'Integration tests need Docker running'
	co-memory-save <<<'The terraform state is in S3'
	jq -cn --arg cwd "$PWD" '{session_id: "s-1", cwd: $cwd} |
		(. + {hook_event_name: "SessionStart", source: "startup"}), (. + {hook_event_name: "UserPromptSubmit", prompt: "docker"}),
		(. + {hook_event_name: "PreToolUse", tool_input: {command: "terraform plan"}}),
		(. + {hook_event_name: "SubagentStart", agent_id: "a"})' >events
	while IFS= read -r event; do
		run -0 sh -c 'co hook claude >/dev/full' <<<"$event"
	done <events
	[ ! -e "$ledger" ]
	while IFS= read -r event; do
		run -0 co hook claude <<<"$event"
	done <events
	run -0 jq -c '.event' "$ledger"
	expect <<-'END'
		"start"
		"prompt"
		"action"
		"subagent"
	END
}

@test "the ledger is private and has a size limit" {
	co-memory-save <<<'Integration tests need Docker running'
	hook UserPromptSubmit prompt docker
	[ "$(stat -c %a "$ledger")" = 600 ]
	[ "$(stat -c %a "$shown")" = 700 ]
	head -c 1100000 /dev/zero | tr '\0' x >>"$ledger"
	hook UserPromptSubmit prompt docker
	run -0 jq -c .event "$ledger"
	expect <<<'"prompt"'
	[ "$(stat -c %s "$ledger.old")" -gt 1100000 ]
}

@test "concurrent sessions lose no line of the ledger" {
	co-memory-save <<<'Integration tests need Docker running'
	hook UserPromptSubmit prompt docker
	head -c 1100000 /dev/zero | tr '\0' '\n' >>"$ledger"
	for i in {1..8}; do
		hook_event s-$i UserPromptSubmit '"prompt":"docker"' |
			co hook claude >/dev/null &
	done
	wait
	run -0 jq -s 'length' <(cat "$ledger.old" "$ledger")
	expect <<<9
}

@test "a hook answers if the ledger cannot be written" {
	co-memory-save <<<'Integration tests need Docker running'
	mkdir -p "$HOME/.local/state/co-cli"
	: >"$shown"
	hook UserPromptSubmit prompt docker
	grep 'need Docker' answer
	rm "$shown"
	mkdir -p "$shown" "$HOME/elsewhere"
	ln -s "$HOME/elsewhere/x" "$ledger"
	hook UserPromptSubmit prompt docker
	grep 'need Docker' answer
	[ ! -e "$HOME/elsewhere/x" ]
}

@test "a purge removes a memory and the words that found it from each ledger" {
	co-memory-save <<<'Integration tests need Docker running'
	co-memory-save <<<'Docker runs on the build host'
	co-memory-save --global <<<'Docker is started by hand'
	hook UserPromptSubmit prompt 'docker integration'
	hook UserPromptSubmit prompt docker
	cp "$ledger" before
	run -0 co-forget --purge -n 1
	[[ $output == *"would remove $ledger"* ]]
	cmp before "$ledger"
	run co-forget --purge -y 1
	[[ $output == *"removed $ledger"* ]]
	run -0 jq -c '[.memories[] | [.id, .scope]]' "$ledger"
	[[ $output == *'[2,"project"]'* && $output != *'[1,"project"]'* ]]
	[[ $output == *'[1,"global"]'* ]]
	[ "$(stat -c %a "$ledger")" = 600 ]
	run -1 grep integration "$ledger"
	run co-forget --global --purge -y 1
	run -1 grep '"global"' "$ledger"
}

@test "in a project below a directory named drafts, memories are recorded and purged" {
	mkdir -p ../drafts/p
	cd ../drafts/p
	co-init -q
	ledger=$shown/$(jq -r .project.id .co-cli/settings.json).jsonl
	co-memory-save <<<'Integration tests need Docker running'
	serve "$(hello)" "$(modern 2 tools/call '{"name":"recall_memory","arguments":{"query":"docker"}}')"
	run -0 jq -c '[.memories[].id]' <(tail -n 1 "$ledger")
	expect <<<'[1]'
	run co-forget --purge -y 1
	run -0 jq -s '[.[].memories[] | select(.id == 1)] | length' "$ledger"
	expect <<<0
}

@test "a purge fails if it cannot read a ledger" {
	co-memory-save <<<'Integration tests need Docker running'
	hook UserPromptSubmit prompt 'docker integration'
	mkdir "$shown/other.jsonl"
	run co-forget --purge -y 1
	[ "$status" -ne 0 ]
	[[ $output == *other.jsonl* ]]
}

@test "foreign or damaged lines of the ledger do no harm" {
	co-memory-save <<<'Integration tests need Docker running'
	hook SessionStart
	{
		printf '%s\n' '{' '[]' null '{"at":7}' '{"agent":"claude","folder":7}' \
			'{"at":"2026-02-09T14:30:00Z","agent":"claude","session":"s","event":"start","bytes":-1,"memories":[],"folder":"x"}' \
			'{"at":"2026-02-09T14:30:00Z","agent":"claude","session":"s","event":"prompt","bytes":1,"memories":[7,{},{"id":"x"},{"id":-1}]}'
		head -c 70000 /dev/zero | tr '\0' '['
	} >>"$ledger"
	hook SessionStart
	run -0 jq -c . answer
	co setup claude -y >/dev/null
	run -0 jq -c '.agents[0].last_session.memories' <(co-status --json)
	expect <<<'[]'
}
