#!/usr/bin/env bats
# co why: what agents were given, in words.
load lib
load mcp
load terminal

setup() {
	world
	unset XDG_STATE_HOME
	mkdir -p "$global"
	echo '{"hook.timeout_ms": 60000, "hook.recall": "on"}' >"$global/settings.json"
	co-init -q
	ledger=$HOME/.local/state/co-cli/shown/$(jq -r .project.id .co-cli/settings.json).jsonl
}

# at HOUR SESSION NAME [PROMPT]: let Claude Code report an event at that time.
at() {
	jq -n -c --arg cwd "$PWD" --arg id "$2" --arg name "$3" --arg prompt "${4-}" \
		'{session_id: $id, cwd: $cwd, hook_event_name: $name, prompt: $prompt}' |
		CO_NOW=2026-02-09T$1:00Z co hook claude >/dev/null
}

# two_sessions: a morning and an afternoon.
two_sessions() {
	context .co-cli/knowledge/context.md <<<'Use tabs.'
	co-memory-save -q <<<'Integration tests need Docker running'
	co-memory-save -q <<<'Deploys happen on Tuesdays'
	co-memory-save -q --global <<<'Colleagues use podman'
	at 09:12 s-1 SessionStart
	at 09:13 s-1 UserPromptSubmit 'start docker'
	at 14:01 s-2 SessionStart
	at 14:02 s-2 UserPromptSubmit 'what about podman'
	hello | sed 's/"shell"/"claude-code"/' >calls
	call 1 tools/call "$(tool show_memory '{"id":1}')" >>calls
	CO_NOW=2026-02-09T14:03:00Z CLAUDE_CODE_SESSION_ID=s-2 co mcp <calls >/dev/null
}

@test "the last session is told event by event" {
	two_sessions
	run -0 co why
	expect <<-'END'
		2026-02-09T14:01:00Z Claude Code, at the start of the session: the project's context
		2026-02-09T14:02:00Z Claude Code, for a prompt with 'podman': memory g1
		2026-02-09T14:03:00Z Claude Code, at the start of the server: nothing
		2026-02-09T14:03:00Z Claude Code, calling show_memory: memory 1
	END
	run -0 co why --session=s-1
	expect <<-'END'
		2026-02-09T09:12:00Z Claude Code, at the start of the session: the project's context
		2026-02-09T09:13:00Z Claude Code, for a prompt with 'docker': memory 1
	END
	run -0 co why --since=2026-02-09
	[ ${#lines[@]} = 6 ]
}

@test "a memory is told with each time that it was given" {
	two_sessions
	for id in 1 001; do
		run -0 co why $id
		expect <<-'END'
			2026-02-09T09:13:00Z Claude Code, for a prompt with 'docker': memory 1
			2026-02-09T14:03:00Z Claude Code, calling show_memory: memory 1
		END
	done
	run -0 co why g1
	expect <<-'END'
		2026-02-09T14:02:00Z Claude Code, for a prompt with 'podman': memory g1
	END
	run -0 co why --since=2026-02-09T10:00:00Z 1
	[ ${#lines[@]} = 1 ]
	run -1 co why --agent=gemini 1
	run -1 co why 999
	expect <<-'END'
		co-why: memory 999 was not given to an agent
		hint: 'co why --since=2026' shows all sessions
	END
	run -2 co why x
	run -2 co why 1 2
	run -2 co why --since=soon
}

@test "--json prints the lines of the ledger, newest first" {
	two_sessions
	run -0 co why --json --since=2026
	expect < <(tac "$ledger")
	run -0 co why --json --session=s-1 1
	expect < <(sed -n 2p "$ledger")
}

@test "an article is named by its file" {
	printf '# Ports\n\nThe gateway listens on 8080.\n' >ports.md
	co learn -q -y ./ports.md
	{
		hello
		call 1 tools/call "$(tool recall_memory '{"query":"gateway"}')"
	} >calls
	co mcp <calls >/dev/null
	run -0 co why
	[[ $output == *"calling recall_memory with 'gateway': article ports.md"* ]]
	# The ledger has no name, so that a purge need not look for it there.
	run ! grep -q ports "$ledger"
	echo 'It has changed.' >>.co-cli/knowledge/articles/ports.md
	run -0 co why
	[[ $output == *"with 'gateway': a draft, an item, or an article that has changed since"* ]]
}

@test "where nothing was given, a hint says what to do" {
	run -1 co why
	expect <<-'END'
		co-why: no agent was given anything here
		hint: 'co setup' lets agents get memories
	END
	run -1 co why --json 7
	[[ $output == 'co-why: no agent was given anything here'* ]]
}

@test "always loaded memories are told with this reason" {
	co-memory-save -q <<<'Never push on Fridays'
	sed -i '0,/^id:/s/^id:/always: true\nid:/' .co-cli/knowledge/memories/001-*.md
	at 09:12 s-1 SessionStart
	run -0 co why
	expect <<-'END'
		2026-02-09T09:12:00Z Claude Code, at the start of the session: the project's context, memory 1 (always loaded)
	END
}

@test "sessions that run at once are told apart" {
	two_sessions
	at 14:05 s-1 UserPromptSubmit 'docker'
	run -0 co why
	[ "$(grep -c 'Claude Code' <<<"$output")" = 3 ]
	[[ $output != *podman* ]]
	run -0 co why --session=s-2
	[[ $output != *"'docker'"* ]]
}

@test "calls of a client without sessions belong to its newest start" {
	co-memory-save -q <<<'Integration tests need Docker running'
	for hour in 09:00 10:00; do
		{
			hello
			call 1 tools/call "$(tool show_memory '{"id":1}')"
		} | CO_NOW=2026-02-09T$hour:00Z co mcp >/dev/null
	done
	run -0 co why --agent=shell
	[[ ${lines[-1]} == '2026-02-09T10:00:00Z shell, calling show_memory: memory 1' ]]
}

@test "on a terminal the time is local" {
	need_terminal
	two_sessions
	export TZ=Europe/Paris PAGER=cat
	terminal 0 '' 'co why'
	[[ $output == *'15:02 Claude Code, for a prompt'* ]]
}

@test "hostile lines of the ledger are made safe or left out" {
	two_sessions
	cat >>"$ledger" <<-'END'
		{"at":"2026-02-09T15:00:00Z","agent":"a\u001b[2J","session":"s-9","event":"\u001b]0;x\u0007","trigger":{"file":"\n\u001b[1m","words":7},"bytes":1,"memories":[{"id":1,"scope":"project","project":"\u001b[3m","why":"cite","cite":"\u0007"},7,{"id":-2},{"id":3,"why":{}}]}
		{"at":"2026-02-09T15:00:00Z","agent":[],"session":"s-9","event":"prompt","bytes":1,"memories":[]}
		{"at":"soon","agent":"claude","session":"s-9","event":"prompt","bytes":1,"memories":[]}
		{"at":"2026-02-09T15:00:00Z","agent":"claude","session":"s-9","event":"prompt","bytes":1,"memories":{}}
	END
	printf '\377\n{"at":"2026' >>"$ledger"
	run -0 co why
	[ ${#lines[@]} = 1 ]
	[[ $output == *'memory 3'* ]]
	run -1 grep -P '[^\x0a\x20-\x7e]' <<<"$output"
	run -0 co why --json --session=s-9
	[ ${#lines[@]} = 1 ]
	jq -e . <<<"$output"
}

# said MINUTE ROLE TEXT: a line of Claude Code's record of the session s-2.
said() {
	jq -n -c --arg at "2026-02-09T14:$1:00.500Z" --arg role "$2" --arg text "$3" \
		--arg cwd "$PWD" '{type: $role, sessionId: "s-2", cwd: $cwd,
			timestamp: $at, message: {role: $role, content: $text}}'
}

# edited MINUTE TEXT: the same, for an edit that writes TEXT.
edited() {
	jq -n -c --arg at "2026-02-09T14:$1:00.500Z" --arg text "$2" --arg cwd "$PWD" \
		'{type: "assistant", sessionId: "s-2", cwd: $cwd, timestamp: $at,
		message: {role: "assistant", content: [{type: "tool_use", id: "t",
			name: "Edit", input: {file_path: "a", new_string: $text}}]}}'
}

# two_memories: s-2 is given two memories for a prompt.
two_memories() {
	context .co-cli/knowledge/context.md <<<'Use tabs.'
	co-memory-save -q <<<'Docker registry: images go to harbor.example.org:5443 under team-blue'
	co-memory-save -q <<<'Docker compose files carry a memory limit of 512m for postgres'
	at 14:01 s-2 SessionStart
	at 14:02 s-2 UserPromptSubmit 'push the docker images'
	record=$HOME/.claude/projects/p/s-2.jsonl
	mkdir -p "${record%/*}"
}

@test "whether a memory was used is guessed from what the agent said first" {
	two_memories
	{
		said 02 user 'push the docker images'
		said 03 assistant 'I tag them for harbor.example.org:5443/team-blue and push.'
	} >"$record"
	run -0 --separate-stderr co why --used
	expect <<-'END'
		2026-02-09T14:01:00Z Claude Code, at the start of the session: the project's context
		2026-02-09T14:02:00Z Claude Code, for a prompt with 'docker images': memory 1 (used), memory 2 (not used)
	END
	[ "$stderr" = "co-why: 'used' is a guess from what the agent said after it" ]
	run -0 co why --used --json
	jq -s -e '.[0].used == true and .[1].used == null and
		([.[0].memories[].used] == [true, false])' <<<"$output"
}

@test "what an edit writes is used, and what the user said first is not" {
	two_memories
	{
		said 02 user 'push them to harbor.example.org:5443/team-blue, docker images'
		said 03 assistant 'Pushed to harbor.example.org:5443 under team-blue.'
		edited 04 'services: postgres: memory limit: 512m'
	} >"$record"
	run -0 co why --used --json 1
	jq -e '.used == true and ([.memories[].used] == [false, true])' <<<"$output"
}

@test "without a record, or with a memory that changed, nobody knows" {
	two_memories
	run -0 co why --used --json 1
	jq -e '.used == null and ([.memories[].used] == [null, null])' <<<"$output"
	said 03 assistant 'harbor.example.org:5443/team-blue' >"$record"
	EDITOR='sed -i s/blue/red/' co edit 1
	run -0 co why --used --json 2
	jq -e '[.memories[].used] == [null, false]' <<<"$output"
	: >"$record"
	run -0 co why --used
	[[ $output != *used\)* ]]
}

@test "statistics count what agents were given, and what they used" {
	co-memory-save -q <<<'Nobody asks for this'
	run -0 co knowledge --stats
	[[ $output != *shown* ]]
	two_memories
	said 03 assistant 'I push to harbor.example.org:5443/team-blue.' >"$record"
	run -0 --separate-stderr co knowledge --stats --used
	grep -E 'shown' <<<"$output" >lines
	output=$(<lines)
	expect <<-'END'
		shown: 2 times, of 2 memories; used, as a guess: 1
		never shown: 1 (1)
	END
	run -0 co-knowledge-stats --used --json
	jq -e '.shown == {times: 2, used: 1, memories: 2, never: [1]}' <<<"$output"
	run -0 co-knowledge-stats --json
	jq -e '.shown == {times: 2, memories: 2, never: [1]}' <<<"$output"
	run -0 co-knowledge-stats --global --json
	jq -e '.shown == null' <<<"$output"
}

@test "sizes are shown, and what has changed since it was given" {
	two_memories
	context .co-cli/knowledge/context.md <<<'Use spaces.'
	run -0 co why --bytes 1
	[[ $output == *'memory 1 ('*' bytes, unchanged)' ]]
	EDITOR='sed -i s/blue/red/' co edit 1
	co forget --purge -y -q 2
	run -0 co why --bytes
	[[ $output == *'memory 1 ('*' bytes, changed since)'* ]]
	run -0 co why --bytes --json 1
	jq -e '.memories[0].file == "changed"' <<<"$output"
}

@test "the guess is right for at least nine of ten memories that it calls used" {
	run -0 "$CO_SOURCE/t/usage/measure" "$CO_BIN/../t/tool"
	[[ ${lines[1]} =~ ^held-out:.*precision\ (0\.9|1) ]]
	[[ ${lines[1]} =~ recall\ 0\.[6-9] ]]
}
