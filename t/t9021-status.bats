#!/usr/bin/env bats
# co status prints contexts, counts of memories, agents and settings.
load lib

setup() {
	world
	PATH=$CO_BIN:/usr/bin:/bin
}

@test "co status shows that there is no store" {
	run -0 co-status
	expect <<-END
		project  $PWD/.co-cli (not made yet)
		user     $global (not made yet)
		context  0 of 10240 bytes, which each session gets
		agents   none found: 'co setup AGENT' sets one up
	END
	[ ! -e .co-cli ]
}

@test "co status counts memories, drafts, trash, contexts and duplicate ids" {
	memory 1 2026-01-01T00:00:00Z a <<<one
	memory 2 2026-01-01T00:00:00Z a <<<two
	memory 2 2026-01-02T00:00:00Z a "$memories/002-again.md" <<<two
	memory 2 2026-01-02T00:00:00Z a "$memories/002-third.md" <<<two
	memory 7 2026-01-02T00:00:00Z a "$drafts/007-x.md" <<<seven
	memory 5 2026-01-02T00:00:00Z a "$trash/20260101T000000Z-1/005-x.md" <<<5
	memory 1 2026-01-01T00:00:00Z a "$global/knowledge/memories/001-g.md" \
		<<<one
	printf 'Use tabs.\n' >.co-cli/knowledge/context.md
	run -0 co-status
	expect <<-END
		project  $PWD/.co-cli
		    context   loaded, 10 of 7168 bytes
		    memories  4, and 1 in the trash
		    drafts    1 waiting: 'co review'
		    ids       several files have id 2: 'co knowledge --check --fix'
		user     $global
		    context   absent: 'co context --edit --global' writes one
		    memories  1
		context  53 of 10240 bytes, which each session gets: 'co context-load'
		agents   none found: 'co setup AGENT' sets one up
	END
}

@test "co status counts contradicting memories and names the command to list them" {
	memory 1 2026-02-01T00:00:00Z '' <<<'the port of the gateway is 8080'
	memory 2 2026-02-02T00:00:00Z '' <<<'tests need no network'
	run -0 co-status
	[[ $output != *disagree* ]]
	memory 3 2026-02-03T00:00:00Z '' <<<'the port of the gateway is 8081'
	memory 1 2026-02-04T00:00:00Z '' "$global/knowledge/memories/001-m.md" \
		<<<'the port of the gateway is 8082'
	memory 2 2026-02-05T00:00:00Z '' "$global/knowledge/memories/002-m.md" \
		<<<'the port of the gateway is 8083'
	run -0 co-status
	[[ $output == *"    conflicts 2 memories contradict each other: 'co list --contradicted'"$'\n'* ]]
	[[ $output == *"    conflicts 2 memories contradict each other: 'co list --contradicted --global'"$'\n'* ]]
	run -0 co-status --json
	[ "$(jq -c '[.roots[].contradicted]' <<<"$output")" = '[2,2]' ]
	co learn -q --replaces=1 'the port of the gateway is 8081'
	run -0 co-status --json
	[ "$(jq -c '[.roots[].contradicted]' <<<"$output")" = '[0,2]' ]
}

@test "co status counts memories with conflict markers, and names co resolve" {
	memory 1 2026-02-01T00:00:00Z '' \
		<<<$'<<<<<<< HEAD\nmallow\n=======\nx\n>>>>>>> b'
	memory 2 2026-02-02T00:00:00Z '' <<<'tests need no network'
	for n in 1 2; do
		memory $n 2026-02-01T00:00:00Z '' \
			"$global/knowledge/memories/00$n-m.md" \
			<<<$'<<<<<<< HEAD\nmallow\n=======\nx\n>>>>>>> b'
	done
	run -0 --separate-stderr co-status
	[[ $output == *"    unmerged  1 memory with conflict markers: 'co resolve'"$'\n'* ]]
	[[ $output == *"    unmerged  2 memories with conflict markers: 'co resolve --global'"$'\n'* ]]
	co-index-update
	run -0 --separate-stderr co-status --json
	[ "$(jq -c '[.roots[].unmerged]' <<<"$output")" = '[1,2]' ]
}

@test "co status --json prints the same facts" {
	memory 2 2026-01-01T00:00:00Z a <<<two
	memory 2 2026-01-02T00:00:00Z a "$memories/002-again.md" <<<two
	printf 'Use tabs.\n' >.co-cli/knowledge/context.md
	co-status --json | jq -S '.settings |=
		map(select(.key | test("^(recall.max|save.a)")))' >out
	none='{"state":"none","documents":0,"missing":0,"dead":0,"bytes":0}'
	diff -u - out < <(jq -S . <<-END
		{"roots":[{"scope":"project","path":"$PWD/.co-cli","exists":true,"team":false,
		"context":{"path":"$PWD/.co-cli/knowledge/context.md",
		"state":"loaded","size":10,"budget":7168},
		"memories":2,"due":0,"stale":0,"contradicted":0,"unmerged":0,"articles":0,"article_files":0,"drafts":0,"trash":0,"twice":[2],
		"index":$none,"vectors_missing":0},
		{"scope":"global","path":"$global","exists":false,"team":false,
		"context":{"path":"$global/knowledge/context.md",
		"state":"absent","size":0,"budget":3072},
		"memories":0,"due":0,"stale":0,"contradicted":0,"unmerged":0,"articles":0,"article_files":0,"drafts":0,"trash":0,"twice":[],"index":$none,"vectors_missing":0}],
		"stores":[],
		"others":{"projects":0,"drafts":0},
		"context":{"size":53,"target":10240,"limit":20480},
		"llm":{"provider":"none","name":null,"answers":null,"trouble":null},
		"agents":[],
		"hook":{"late":null,"unsaved":0},
		"settings":[
		{"key":"recall.max_results","value":"5","origin":"default"},
		{"key":"save.approval","value":"ask","origin":"default"}]}
	END
	)
}

@test "co status shows a setting that differs from its default" {
	mkdir -p .co-cli
	echo '{"recall.max_results": 7}' >.co-cli/settings.json
	run -0 co-status
	[[ $output == *$'\nsettings\n    recall.max_results      7 (project)' ]]
}

@test "a server without a session uses the session of its agent's hooks" {
	mkdir -p "$global"
	echo '{"hook.timeout_ms": 60000, "hook.recall": "on"}' >"$global/settings.json"
	co setup codex -y >/dev/null
	context .co-cli/knowledge/context.md <<<'Use tabs.'
	memory 3 2026-01-01T00:00:00Z a <<<'the database is Postgres'
	event() {
		printf '{"session_id":"s-9","cwd":"%s","hook_event_name":"%s","prompt":"which database"}' \
			"$PWD" "$1" | co hook codex >/dev/null
	}
	event SessionStart
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"codex","version":"1"}}}' |
		co mcp >/dev/null
	event UserPromptSubmit
	run -0 jq -c '.agents[] | select(.name == "codex").last_session |
		[.context > 0, .memories]' <(co-status --json)
	expect <<<'[true,["3"]]'
	[ "$(co-why --json | jq -s length)" = 3 ]
}

@test "co status shows what each agent's last session in the project got" {
	mkdir -p "$global" sub "$HOME/.codex"
	echo '{"hook.timeout_ms": 60000, "hook.recall": "on"}' >"$global/settings.json"
	co setup claude -y >/dev/null
	co setup gemini --project -y >/dev/null
	context .co-cli/knowledge/context.md <<<'Use tabs.'
	memory 3 2026-01-01T00:00:00Z a <<<'the database is Postgres'
	memory 5 2026-01-01T00:00:00Z a "$global/knowledge/memories/005-x.md" <<<'the editor is vim'
	session() {
		printf '{"session_id":"%s","cwd":"%s","hook_event_name":"SessionStart"}' "$1" "$2" |
			co hook claude >/dev/null
		for prompt in 'which database' 'which editor' 'the database'; do
			printf '{"session_id":"%s","cwd":"%s","hook_event_name":"UserPromptSubmit","prompt":"%s"}' \
				"$1" "$2" "$prompt" | co hook claude >/dev/null
		done
	}
	session s-1 "$PWD/sub"
	# Sessions of other projects do not count.
	mkdir ../other ../project-2
	CO_NOW=2026-02-09T15:00:00Z session s-2 "${PWD%/project}/other"
	CO_NOW=2026-02-09T15:00:00Z session s-2 "$PWD-2"
	TZ=Europe/Paris run -0 co-status
	output=$(sed -n 's/got [0-9]* bytes/got N bytes/; /^agents/,$p' <<<"$output" | head -n 3)
	expect <<-'END'
		agents   claude: set up; last session 15:30 today got N bytes of context and memories 3 g5
		         codex: not set up ('co setup codex')
		         gemini: set up for the project
	END
	run -0 jq -c '.agents[] | [.name, .user, .project, .found, .last_session.at, .last_session.memories]' <(co-status --json)
	expect <<-'END'
		["claude","whole","none",true,"2026-02-09T14:30:00Z",["3","g5"]]
		["codex","none","none",true,null,null]
		["gemini","none","whole",false,null,null]
	END
	[ "$(co-status --json | jq '.agents[0].last_session.context > 50')" = true ]
	# A later session replaces it.
	CO_NOW=2026-02-09T16:30:00Z co hook claude < <(
		printf '{"session_id":"s-3","cwd":"%s","hook_event_name":"SessionStart"}' "$PWD") >/dev/null
	run -0 co-status
	[[ $output == *'claude: set up; last session 16:30 today got '*' bytes of context
'* ]]
}

@test "--tools lists every program of the suite" {
	local program
	run -0 co-status --tools
	for program in "$CO_BIN"/co-*; do
		[ "${program##*/}" != co-suite ] || continue
		grep -q "^    ${program##*/} " <<<"$output"
	done
	grep -qx '    co-context-load         plumbing   print the always-loaded context for a prompt' <<<"$output"
	run -0 co-status --tools --json
	jq -e '.tools | map(select(.name == "co-status")) == [{
		"name": "co-status", "kind": "porcelain",
		"summary": "show memories, drafts, agents and problems"}]' \
		<<<"$output"
}

@test "co status reports sizes over their budgets" {
	mkdir -p .co-cli/knowledge
	printf '%11000s' '' | tr ' ' x >.co-cli/knowledge/context.md
	run -0 co-status
	[ "${lines[1]}" = '    context   loaded, 11000 of 7168 bytes: over its budget' ]
	[ "${lines[4]}" = "context  11044 of 10240 bytes, which each session gets: 'co context-load'; over the target" ]
	printf '%21000s' '' | tr ' ' x >.co-cli/knowledge/context.md
	run -0 co-status
	[ "${lines[4]}" = "context  21044 of 10240 bytes, which each session gets: 'co context-load'; cut" ]
}

@test "co status reports malformed files and shows the rest" {
	memory 1 2026-01-01T00:00:00Z a <<<one
	memory x 2026-01-01T00:00:00Z a "$memories/002-x.md" <<<two
	printf -- '---\na: [\n---\n' >.co-cli/knowledge/context.md
	run -0 --separate-stderr co-status
	[ "${lines[1]}" = '    context   malformed, 13 of 7168 bytes' ]
	[[ ${lines[2]} == "    trouble   '$PWD/.co-cli/knowledge/context.md':"* ]]
	[ "${lines[3]}" = '    memories  1' ]
	[ "${#stderr_lines[@]}" -eq 2 ]
}

@test "co status exits 4 for a refused store and shows the other one" {
	mkdir -p "$global/knowledge"
	ln -s "$global" .co-cli
	run -4 --separate-stderr co-status
	[ "${lines[0]}" = 'project  cannot be read' ]
	[ "${lines[1]}" = "user     $global" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run -4 --separate-stderr co-status --json
	jq -e '.roots[0].path == null and .roots[1].exists' <<<"$output"
}

@test "co status does not count an unreadable directory as empty" {
	memory 1 2026-02-09T14:30:00Z '' <<<one
	ln -s . .co-cli/knowledge/drafts
	run -4 --separate-stderr co-status
	[ "${lines[2]}" = '    memories  cannot be read' ]
	run -4 --separate-stderr co-status --json
	jq -e '.roots[0] | .memories == null and .drafts == null' <<<"$output"
}

@test "co status names a refused directory once" {
	mkdir -p elsewhere .co-cli
	ln -s ../elsewhere .co-cli/knowledge
	run -4 --separate-stderr co-status
	[ "$stderr" = "co-status: refusing '$PWD/.co-cli/knowledge': it is a link" ]
}

@test "co status reports a store that hides another one above it" {
	mkdir -p .co-cli sub/deep/.co-cli sub/none
	[[ $(co-status) != *hides* ]]
	cd sub/deep
	run -0 co-status
	[ "${lines[1]}" = "    hides     ${PWD%/sub/deep}/.co-cli, whose memories do not count here" ]
	[ "$(co-status --json | jq -r '.roots[0].hides')" = "${PWD%/sub/deep}/.co-cli" ]
	# A store in a separate work tree hides no other.
	mkdir .git
	[[ $(co-status) != *hides* ]]
}

@test "co status reports what co cannot see of an agent that is set up" {
	co setup cursor -y
	co setup codex -y
	co setup gemini -y
	run -0 --separate-stderr co-status
	grep -A9 '^agents' <<<"$output" | grep -E 'cursor|codex|gemini' | sed 's/^agents  /        /' >lines
	diff -u - lines <<-'END'
		         codex: set up (not tracked: its web searches)
		         gemini: set up
		         cursor: set up (not tracked: what it reads from outside)
	END
	run -0 jq -c '.agents[] | [.name, .unseen]' <(co-status --json)
	[[ $output == *'["gemini",null]'*'["cursor","what it reads from outside"]'* ]]
}
