#!/usr/bin/env bats
# A memory that contradicts an earlier one, on save and on recall.
load lib
load mcp
load terminal

setup() {
	world
	mkdir .co-cli
}

at() {
	CO_NOW="2026-02-$1T10:00:00Z" "${@:2}"
}

@test "co learn reports contradicted memories and how to replace them" {
	at 01 co-learn 'The dev server listens on port 3000' >/dev/null
	run -0 --separate-stderr at 02 co-learn 'The dev server listens on port 8080'
	diff -u - <(printf '%s\n' "$stderr") <<-'END'
		similar:  contradicts 1 (2026-02-01): The dev server listens on port 3000
		hint: 'co learn --replaces=1' with the same text replaces it
	END
	run -0 --separate-stderr at 03 co-learn --json 'The dev server listens on port 9090'
	[ "$(jq -c '.contradicts | if . then map(.id) else . end' <<<"$output")" = '[1,2]' ]
	[[ $stderr == *"--replaces=1,2' with the same text replaces them"* ]]
	# The command of the hint works, although the memory is already saved.
	run -0 --separate-stderr co-learn --replaces=1,2 'The dev server listens on port 9090'
	run -0 co-recall --format='%(id)' server
	expect <<<3
	run -0 --separate-stderr co-learn 'The dev server restarts by itself'
	[ -z "$stderr" ]
}

@test "co learn reports a contradiction in other words" {
	at 01 co-learn 'Sessions are stored in Redis, with a lifetime of one day' >/dev/null
	run -0 --separate-stderr at 02 co-learn 'Redis was removed: since then sessions have been signed cookies'
	diff -u - <(printf '%s\n' "$stderr") <<-'END'
		similar:  contradicts 1 (2026-02-01): Sessions are stored in Redis, with a lifetime of one day
		hint: 'co learn --replaces=1' with the same text replaces it
	END
	run -0 --separate-stderr at 03 co-memory-save --draft --json <<<'Redis is gone, sessions are JWTs'
	[ "$(jq -c '.contradicts | if . then map(.id) else . end' <<<"$output")" = '[1]' ]
	run -0 co-review --list
	# A plain save does not search, nor does a save with an earlier date.
	run -0 --separate-stderr at 04 co-memory-save <<<'Redis is gone, and sessions are in Postgres'
	[ -z "$stderr" ]
	run -0 --separate-stderr at 04 co-memory-save --json --created=2025-01-01 <<<'Redis is gone, sessions are in files'
	[ -z "$stderr" ]
	# A save of external text does not search. A sensitive memory is not reported.
	run -0 --separate-stderr at 05 co-memory-save --json --read=https://a.example/ <<<'Redis is gone, sessions are in memory'
	[ "$(jq -c .contradicts <<<"$output")" = null ]
	[ -z "$stderr" ]
	at 05 co-learn --sensitive 'Alice knows the alarm code of the Berlin office' >/dev/null
	run -0 --separate-stderr at 06 co-memory-save --json <<<'Alice no longer knows the alarm code of the Berlin office'
	[ -z "$stderr" ]
	[ "$(jq -c .contradicts <<<"$output")" = null ]
}

@test "only the sentence encoder, if chosen, finds contradictions in other words" {
	at 01 co-learn 'Sessions are stored in Redis, with a lifetime of one day' >/dev/null
	for provider in static none command; do
		mkdir -p "$global"
		jq -n --arg p "$provider" '{"embed.provider": $p, "embed.command": ["touch", "ran"]}' >"$global/settings.json"
		run -0 --separate-stderr at 02 co-memory-save --draft --json <<<"Redis is gone, sessions are JWTs: $provider"
		[ -z "$stderr" ]
	done
	[ ! -e ran ]
}

@test "a terminal offers to replace the contradicted memory, not a similar one" {
	need_terminal
	at 01 co-learn 'Tests run on port 80 or more' >/dev/null
	at 02 co-learn 'The tests run on port 80' >/dev/null 2>&1
	terminal 0 'r' 'co-learn The tests run on port 81'
	[[ $output == *'r - '* || $output == *'[y,n,r,?]? r'* ]]
	[ ! -e .co-cli/knowledge/memories/002-the-tests-run-on-port-80.md ]
}

@test "co-memory-save reports contradictions of a memory and of a draft" {
	at 01 co-learn 'Dates are stored in local time' >/dev/null
	run -0 --separate-stderr at 02 co-memory-save --draft --json <<<'Dates are stored in UTC'
	[ "$(jq -c '.contradicts | if . then map(.id) else . end' <<<"$output")" = '[1]' ]
	diff -u - <(printf '%s\n' "$stderr") <<-'END'
		similar:  contradicts 1 (2026-02-01): Dates are stored in local time
		hint: 'co learn --replaces=1' with the same text replaces it
	END
	run -0 --separate-stderr at 02 co-memory-save --unless-known <<<'Dates are stored in CEST'
	[ "${#lines[@]}" = 1 ]
	[[ $stderr == *"--replaces=1' "* ]]
	# A plain save does not search, since a search costs more than the save.
	run -0 --separate-stderr at 02 co-memory-save <<<'Dates are stored in GMT'
	[ -z "$stderr" ]
	# A memory with an earlier date contradicts no later one.
	run -0 --separate-stderr co-memory-save --json --created=2025-01-01 <<<'Dates are stored in CET'
	[ "$(jq -c '.contradicts | if . then map(.id) else . end' <<<"$output")" = null ]
	[ -z "$stderr" ]
	run -0 --separate-stderr co-memory-save --json --replaces=1 <<<'Dates are stored in seconds'
	[ -z "$stderr" ]
	run -0 --separate-stderr co-memory-save --batch <<<'{"content":"Dates are stored in minutes"}'
	[ -z "$stderr" ]
}

@test "copies in the trash do not hide what a new memory contradicts" {
	at 01 co-learn 'The dev server listens on port 3000' >/dev/null
	for i in 2 3 4; do
		at 02 co-learn -q 'The dev server listens on port 8080'
		co-memory-remove "$i" >out
	done
	run -0 --separate-stderr at 03 co-memory-save --json <<<'The dev server listens on port 8080'
	[ "$(jq -c '.contradicts | map(.id)' <<<"$output")" = '[1]' ]
}

@test "-q disables the search for contradictions" {
	at 01 co-learn 'Dates are stored in local time' >/dev/null
	run -0 at 02 co-learn -q 'Dates are stored in UTC'
	expect </dev/null
	run -0 at 02 co-memory-save -q --json <<<'Dates are stored in CET'
	expect </dev/null
	run -0 at 02 co-memory-save -q --draft <<<'Dates are stored in GMT'
	expect </dev/null
	run -0 co-review --accept -q 4
	expect </dev/null
}

@test "review and acceptance report what a draft contradicts" {
	at 01 co-learn 'Dates are stored in local time' >/dev/null
	at 02 co-memory-save --draft <<<'Dates are stored in UTC' >/dev/null 2>&1
	run -0 --separate-stderr co-review --accept --json 2
	[ "$(jq -c '.contradicts | if . then map(.id) else . end' <<<"$output")" = '[1]' ]
	[[ $stderr == *"hint: 'co learn --replaces=1' with the same text replaces it" ]]
	need_terminal
	co-memory-save --draft <<<'Dates are stored in seconds' >/dev/null 2>&1
	terminal 0 'q' co-review
	[[ $output == *'similar:  contradicts 2'*'contradicts 1'* ]]
}

@test "recall marks a memory that a later one in the answer contradicts" {
	at 01 co-learn 'The dev server listens on port 3000' >/dev/null
	at 03 co-learn 'The dev server listens on port 8080' >/dev/null 2>&1
	# It is later by its date, not by its id.
	at 02 co-learn 'The dev server listens on port 9090' >/dev/null 2>&1
	run -0 co-recall 'dev server'
	expect <<-'END'
		Found 3 memories matching 'dev server':

		**Memory 2** (created 2026-02-03)
		The dev server listens on port 8080

		**Memory 3** (created 2026-02-02) (contradicted by memory 2, 2026-02-03)
		The dev server listens on port 9090

		**Memory 1** (created 2026-02-01) (contradicted by memory 2, 2026-02-03; memory 3, 2026-02-02)
		The dev server listens on port 3000
	END
	for mode in grep fts auto; do
		run -0 co-recall --mode=$mode --json 'dev server'
		[ "$(jq -c '[.id, (.contradicted_by // [] | map(.id))]' <<<"$output" | sort)" = '[1,[2,3]]'$'\n''[2,[]]'$'\n''[3,[2]]' ]
	done
	run -0 co-recall --format='%(id): %(contradicted_by)' 'dev server'
	expect <<<$'2: \n3: 2\n1: 2, 3'
	# Only memories in the answer are named.
	run -0 co-recall --json 3000
	[ "$(jq -c '.contradicts | if . then map(.id) else . end' <<<"$output")" = null ]
	run -0 co-recall -n 2 --json 'dev server'
	[ "$(jq -c '[.id, (.contradicted_by // [] | map(.id))]' <<<"$output")" = '[2,[]]'$'\n''[3,[2]]' ]
}

@test "the user store and the project store do not contradict each other" {
	at 01 co-learn --global 'Indent the code with tabs' >/dev/null
	at 02 co-learn 'Indent the code with spaces' >/dev/null
	run -0 co-recall indent
	[[ $output == *'Memory 1'*'Memory g1'* && $output != *contradict* ]]
	run -0 --separate-stderr at 03 co-learn --global 'Indent the code with blanks'
	[[ $stderr == *"--replaces=g1' "* ]]
	run -0 co-recall indent
	[[ $output == *'**Memory g1** (created 2026-02-01) (global) (contradicted by memory g2, 2026-02-03)'* ]]
}

@test "sensitive memories are not named, and external ones contradict nothing" {
	at 01 co-learn --sensitive 'The alarm code is 4711' >/dev/null
	run -0 --separate-stderr at 02 co-memory-save --json <<<'The alarm code is 4712'
	[ "$(jq -c '.contradicts | if . then map(.id) else . end' <<<"$output")" = null ]
	[ -z "$stderr" ]
	at 03 co-learn --sensitive 'The alarm code is 4713' >/dev/null 2>&1
	run -0 co-recall alarm
	[[ $output == *4712* && $output != *contradict* && $output != *4713* ]]
	run -0 co-recall --sensitive alarm
	[[ $output == *'(contradicted by memory 3, 2026-02-03)'* ]]
	at 01 co-learn 'Builds take 3 minutes' >/dev/null
	run -0 --separate-stderr at 04 co-memory-save --batch <<<'{"content":"Builds take 5 minutes","frontmatter":{"trust":"external"}}'
	sed -i '/^trust:/d; s/^id: 5$/&\ntrust: external/' .co-cli/knowledge/memories/005-*
	run -0 co-recall builds
	[[ $output == *'(external)'* && $output != *contradict* ]]
}

@test "the hook and the MCP server report contradictions" {
	at 01 co-learn 'Dates are stored in local time' >/dev/null
	at 02 co-learn 'Dates are stored in UTC' >/dev/null 2>&1
	mkdir -p "$global"
	echo '{"hook.recall": "on", "hook.timeout_ms": 60000}' >"$global/settings.json"
	run -0 co hook claude < <(jq -cn --arg cwd "$PWD" '{session_id: "s", cwd: $cwd,
		hook_event_name: "UserPromptSubmit", prompt: "in which form are dates stored?"}')
	[[ $(jq -r .hookSpecificOutput.additionalContext <<<"$output") == *'(contradicted by memory 2, 2026-02-02)'* ]]
	modern 1 tools/call "$(tool recall_memory '{"query":"dates stored"}')" | co mcp 2>>errors | jq -c .result >out
	[[ $(jq -r '.content[0].text' out) == *'(contradicted by memory 2, 2026-02-02)'* ]]
	[ "$(jq -c '[.structuredContent.results[] | .contradicted_by]' out)" = '[null,[{"id":2,"scope":"project"}]]' ]
	modern 1 tools/call "$(tool save_memory '{"content":"Dates are stored in seconds"}')" | co mcp 2>>errors | jq -c .result >out
	cat out
	[ "$(jq -c '.structuredContent.contradicts | map(.id)' out)" = '[2,1]' ]
	[[ $(jq -r '.content[0].text' out) == *'It contradicts memory 2, 1'* ]]
	modern 1 tools/list | co mcp 2>>errors >out
	jq -e '.result.tools[] | select(.name == "recall_memory").outputSchema.properties.results.items.properties.contradicted_by.items.type == "object"' out
	jq -e '.result.tools[] | select(.name == "save_memory").outputSchema.properties.contradicts.items.type == "object"' out
}

@test "co list --contradicted lists memories that contradict each other" {
	memory 1 2026-02-01T00:00:00Z '' <<<'the port of the gateway is 8080'
	memory 2 2026-02-02T00:00:00Z '' <<<'tests need no network'
	memory 3 2026-02-03T00:00:00Z '' <<<'the port of the gateway is 8081'
	memory 1 2026-02-04T00:00:00Z '' "$global/knowledge/memories/001-m.md" \
		<<<'the port of the gateway is 8082'
	run -0 co list --contradicted
	expect <<-'END'
		3  2026-02-03  the port of the gateway is 8081
		1  2026-02-01  the port of the gateway is 8080
	END
	run -0 co list --contradicted --format='%(id)'
	expect <<<$'3\n1'
	co learn -q --replaces=1 'the port of the gateway is 8081'
	run -0 --separate-stderr co list --contradicted
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = 'co-list: no memory matches' ]
}

@test "lines that end in CRLF are compared like lines that end in LF" {
	for end in '\n' '\r\n'; do
		rm -rf .co-cli
		printf 'Note 12:%bthe webhook is retried three times%b' "$end" "$end" |
			co-memory-save -q >/dev/null
		printf 'Note 13:%bthe webhook is retried three times%b' "$end" "$end" >in
		run -0 --separate-stderr co learn - <in
		[[ $stderr == *similar:* && $stderr != *contradicts* ]]
	done
}
