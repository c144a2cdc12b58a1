#!/usr/bin/env bats
# co why: which memories agents got, and the reasons.
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
	hook_event "$2" "$3" "\"prompt\":$(json_string "${4-}")" |
		CO_NOW=2026-02-09T$1:00Z co hook claude >/dev/null
}

# two_sessions: run a session in the morning and one in the afternoon.
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

@test "co why prints the last session event by event" {
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

@test "co why fails if the ledger cannot be read" {
	local why="refusing '$ledger': it is not a regular file"
	two_sessions
	rm "$ledger"
	mkdir "$ledger"
	run -3 --separate-stderr co why
	expect </dev/null
	[ "$stderr" = "co-why: $why" ]
	run -3 --separate-stderr co why --json 1
	[ "$stderr" = "co-why: $why" ]
	run -4 --separate-stderr co status
	[[ $stderr == *"$why"* ]]
	run -0 --separate-stderr co knowledge-stats
	[[ $stderr == *"$why"* ]]
	[[ $output != *shown* ]]
	# The older part of the ledger counts too.
	rmdir "$ledger"
	mkdir "$ledger.old"
	run -3 --separate-stderr co why
	[ "$stderr" = "co-why: ${why/jsonl/jsonl.old}" ]
}

@test "co why ID prints each time that the memory was given" {
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
	run -0 co why integration docker
	[ "$output" = "$(co why 1)" ]
	run -1 co why x
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

@test "co why names an article by its file" {
	printf '# Ports\n\nThe gateway listens on 8080.\n' >ports.md
	co learn -q -y ./ports.md
	{
		hello
		call 1 tools/call "$(tool recall_memory '{"query":"gateway"}')"
	} >calls
	co mcp <calls >/dev/null
	run -0 co why
	[[ $output == *"calling recall_memory with 'gateway': article ports.md"* ]]
	# The ledger holds no file name, so a purge need not look for one.
	run ! grep -q ports "$ledger"
	echo 'It has changed.' >>.co-cli/knowledge/articles/ports.md
	run -0 co why
	[[ $output == *"with 'gateway': a draft, an item, or an article that has changed since"* ]]
}

@test "if nothing was given, co why exits 1 with a hint" {
	run -1 co why
	expect <<-'END'
		co-why: no agent was given anything here
		hint: 'co setup' lists the agents; a new session of one gets memories
		hint: 'co why --prompt=TEXT' shows what one would get
	END
	run -1 co why --json 7
	[[ $output == 'co-why: no agent was given anything here'* ]]
}

@test "co why marks memories that are always loaded" {
	co-memory-save -q <<<'Never push on Fridays'
	sed -i '0,/^id:/s/^id:/always: true\nid:/' .co-cli/knowledge/memories/001-*.md
	at 09:12 s-1 SessionStart
	run -0 co why
	expect <<-'END'
		2026-02-09T09:12:00Z Claude Code, at the start of the session: the project's context, memory 1 (always loaded)
	END
}

@test "co why separates sessions that run at the same time" {
	two_sessions
	at 14:05 s-1 UserPromptSubmit 'when are deploys?'
	run -0 co why
	[ "$(grep -c 'Claude Code' <<<"$output")" = 3 ]
	[[ $output != *podman* ]]
	run -0 co why --session=s-2
	[[ $output != *docker* && $output != *deploys* ]]
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

@test "co why prints local times on a terminal" {
	need_terminal
	two_sessions
	export TZ=Europe/Paris PAGER=cat
	terminal 0 '' 'co why'
	[[ $output == *'15:02 Claude Code, for a prompt'* ]]
}

@test "co why escapes or skips hostile lines of the ledger" {
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

# said MINUTE ROLE TEXT: print a line of Claude Code's record of the session s-2.
said() {
	printf '{"type":"%s","sessionId":"s-2","cwd":%s,"timestamp":"%s","message":{"role":"%s","content":%s}}\n' \
		"$2" "$(json_string "$PWD")" "2026-02-09T14:$1:00.500Z" "$2" "$(json_string "$3")"
}

# edited MINUTE TEXT: print such a line for an edit that writes TEXT.
edited() {
	printf '{"type":"assistant","sessionId":"s-2","cwd":%s,"timestamp":"%s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"a","new_string":%s}}]}}\n' \
		"$(json_string "$PWD")" "2026-02-09T14:$1:00.500Z" "$(json_string "$2")"
}

# two_memories: give the session s-2 two memories for a prompt.
two_memories() {
	context .co-cli/knowledge/context.md <<<'Use tabs.'
	co-memory-save -q <<<'Docker registry: images go to harbor.example.org:5443 under team-blue'
	co-memory-save -q <<<'Docker compose files carry a memory limit of 512m for postgres'
	at 14:01 s-2 SessionStart
	at 14:02 s-2 UserPromptSubmit 'push the docker images'
	record=$HOME/.claude/projects/p/s-2.jsonl
	mkdir -p "${record%/*}"
}

@test "--used guesses the use of a memory from the agent's later words" {
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

@test "--used counts the text of an edit, and not what the user said first" {
	two_memories
	{
		said 02 user 'push them to harbor.example.org:5443/team-blue, docker images'
		said 03 assistant 'Pushed to harbor.example.org:5443 under team-blue.'
		edited 04 'services: postgres: memory limit: 512m'
	} >"$record"
	run -0 co why --used --json 1
	jq -e '.used == true and ([.memories[].used] == [false, true])' <<<"$output"
}

@test "--used gives no answer without a record or for a changed memory" {
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

@test "knowledge --stats counts the given memories, and --used the used ones" {
	co-memory-save -q <<<'Nobody asks for this'
	run -0 co knowledge --stats
	[[ $output != *given* ]]
	two_memories
	said 03 assistant 'I push to harbor.example.org:5443/team-blue.' >"$record"
	run -0 --separate-stderr co knowledge --stats --used
	grep -E 'given' <<<"$output" >lines
	output=$(<lines)
	expect <<-'END'
		given to agents: 2 times, 2 memories; used, as a guess: 1
		never given: 1 (1)
	END
	run -0 co-knowledge-stats --used --json
	jq -e '.shown == {times: 2, used: 1, memories: 2, never: [1]}' <<<"$output"
	run -0 co-knowledge-stats --json
	jq -e '.shown == {times: 2, memories: 2, never: [1]}' <<<"$output"
	run -0 co-knowledge-stats --global --json
	jq -e '.shown == null' <<<"$output"
}

@test "--bytes prints sizes, and whether a memory or the context has changed since" {
	two_memories
	run -0 co why --bytes
	[[ ${lines[0]} == *"the project's context ("*' bytes, unchanged)' ]]
	context .co-cli/knowledge/context.md <<<'Use spaces.'
	run -0 co why --bytes
	[[ ${lines[0]} == *"the project's context ("*' bytes, changed since)' ]]
	mv .co-cli/knowledge/context.md away
	run -0 co why --bytes
	[[ ${lines[0]} == *"the project's context ("*' bytes, gone)' ]]
	run -0 co why --bytes 1
	[[ $output == *'memory 1 ('*' bytes, unchanged)' ]]
	EDITOR='sed -i s/blue/red/' co edit 1
	co forget --purge -y -q 2
	run -0 co why --bytes
	[[ $output == *'memory 1 ('*' bytes, changed since)'* ]]
	run -0 co why --bytes --json 1
	jq -e '.memories[0].file == "changed"' <<<"$output"
}

# rebuilt: rebuild the text of an event from its line on standard input and from the files.
rebuilt() {
	local line
	line=$(cat)
	jq -e '[.memories[] | select(.id) | .file == "same"] | all' <<<"$line" >&2 || return
	if [ "$(jq -r .event <<<"$line")" = start ]; then
		[ "$(jq -r '.memories[0].sha256' <<<"$line")" = \
			"$(sha256sum .co-cli/knowledge/context.md | cut -d ' ' -f 1)" ] || return
		co-context-load --for=claude
		return
	fi
	echo '<!-- co:context v1 -->'
	case $(jq -r .event <<<"$line") in
	prompt) printf 'Memories that may bear on this, as they were written down:\n\n' ;;
	action) printf "From this project's memory (co why tells the reason):\n\n" ;;
	esac
	jq -r '.memories[].id' <<<"$line" | co-memory-show --json |
		jq -r '"**Memory \(.id)** (created \(.created[:10]))\n\(.content)\n"'
	echo '<!-- /co:context -->'
}

@test "the ledger and the files reproduce each given text byte for byte" {
	echo '{"hook.timeout_ms": 60000, "hook.recall": "both"}' >"$global/settings.json"
	context .co-cli/knowledge/context.md <<<'Use tabs.'
	seq 60 >pay.c
	co learn -q 'Docker images go to harbor.example.org'
	co learn -q 'Retry a payment at most twice' --cite pay.c:40-52
	co learn -q 'The columns of pay.c are sorted'
	for more in '{"hook_event_name": "SessionStart"}' \
		'{"hook_event_name": "UserPromptSubmit", "prompt": "docker images"}' \
		'{"hook_event_name": "PreToolUse", "tool_input": {"file_path": "pay.c", "old_string": "45", "new_string": "x"}}'; do
		jq -nc --arg cwd "$PWD" --argjson more "$more" '{session_id: "s-1", cwd: $cwd} + $more' |
			co hook claude | jq -j .hookSpecificOutput.additionalContext >given
		co why --json --bytes | head -n 1 >line
		rebuilt <line >again
		cmp given again
		[ "$(stat -c %s given)" = "$(jq .bytes line)" ]
	done
	[ "$(jq -c '[.memories[].id]' line)" = '[2,3]' ]
	EDITOR='sed -i s/twice/thrice/' co edit 2
	run -1 rebuilt < <(co why --json --bytes | head -n 1)
	run -0 co why --bytes 2
	[[ $output == *'changed since)'* ]]
}

@test "of the memories that the guess calls used, at least nine in ten are" {
	run -0 "$CO_SOURCE/t/usage/measure" "$CO_BIN/../t/tool"
	[[ ${lines[1]} =~ ^held-out:.*precision\ (0\.9|1) ]]
	[[ ${lines[1]} =~ recall\ 0\.[6-9] ]]
}

@test "--prompt, --edit and --command preview memories, and the ledger stays" {
	mkdir src
	seq 9 >src/pay.c
	co-memory-save -q <<<'Integration tests need Docker running'
	co-memory-save -q --cite=src/pay.c <<<'Amounts are in cents'
	jq -n -c --arg cwd "$PWD" '{session_id: "s", cwd: $cwd,
		hook_event_name: "UserPromptSubmit", prompt: "start docker"}' >event
	run -0 --separate-stderr co why --prompt='start docker'
	[ "$stderr" = "co-why: for a prompt with 'docker': memory 1" ]
	shown=$output
	co config --global hook.recall both >/dev/null
	run -0 co why --json --prompt='start docker'
	[ ! -e "$ledger" ]
	[ "$(jq -r '[.event, .trigger.words, .memories[].id] | join(" ")' <<<"$output")" = 'prompt docker 1' ]
	[ "$(jq -r .text <<<"$output")" = "$shown" ]
	[ "$shown" = "$(co hook claude <event | jq -r .hookSpecificOutput.additionalContext)" ]
	run -0 --separate-stderr co why --command='make integration'
	[ "$stderr" = "co-why: before a command with 'integration': memory 1" ]
	[[ $output == *'**Memory 1**'* ]]
	cd src
	run -0 --separate-stderr co why --edit=pay.c
	[ "$stderr" = 'co-why: before editing src/pay.c: memory 2 (cites src/pay.c, unchanged)' ]
	# A preview can be repeated, since no agent got the memory.
	run -0 co why --edit=pay.c
	[[ $output == *'Amounts are in cents'* ]]
	run -0 --separate-stderr co why --prompt='start docker'
	run -1 --separate-stderr co why --prompt='nothing of the kind'
	[ -z "$output" ]
	[ "$stderr" = "co-why: no memory matches well enough for an agent to get it
hint: 'co recall --explain WORDS' shows how they match" ]
}

@test "a preview names the setting that stops hooks, and takes no other options" {
	co-memory-save -q <<<'Integration tests need Docker running'
	for pair in off:prompt action:both; do
		co config --global hook.recall "${pair%:*}" >/dev/null
		run -0 --separate-stderr co why --prompt='start docker'
		[ "${stderr_lines[1]}" = "hint: no agent gets this unasked before 'co config --global hook.recall ${pair#*:}'" ]
	done
	run -0 --separate-stderr co why --command='make integration'
	[ ${#stderr_lines[@]} = 1 ]
	run -1 --separate-stderr co why --edit=nosuch.c
	[ "${stderr_lines[0]}" = 'co-why: no memory matches well enough for an agent to get it before editing nosuch.c' ]
	run -2 co why --prompt=a --command=b
	run -2 co why --prompt=a 1
	run -2 co why --edit=a --used
}
