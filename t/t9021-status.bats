#!/usr/bin/env bats
# co status: what is loaded, remembered and set.
load lib

@test "an empty world is shown as such" {
	run -0 co-status
	expect <<-END
		project  $PWD/.co-cli (not made yet)
		global   $global (not made yet)
		prompt   0 of 10240 bytes of context
		settings
		    context.digest          off (default)
		    embed.provider          static (default)
		    embed.timeout_ms        10000 (default)
		    embed.url               http://127.0.0.1:11434 (default)
		    harvest.auto            off (default)
		    harvest.project_prompt  off (default)
		    hook.ask_at_end         off (default)
		    hook.recall             off (default)
		    hook.timeout_ms         200 (default)
		    llm.api                 openai (default)
		    llm.provider            none (default)
		    llm.timeout_ms          120000 (default)
		    llm.url                 http://127.0.0.1:11434 (default)
		    mcp.all_projects        off (default)
		    project.share           true (default)
		    rank.fusion             linear (default)
		    recall.max_results      5 (default)
		    save.approval           ask (default)
		    team                    false (default)
	END
	[ ! -e .co-cli ]
}

@test "memories, drafts, trash, contexts and doubles are counted" {
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
		    memories  4, and 1 waiting as drafts, and 1 in the trash
		    twice     id 2
		    index     none
		global   $global
		    context   absent
		    memories  1
		    index     none
		prompt   53 of 10240 bytes of context
		settings
		    context.digest          off (default)
		    embed.provider          static (default)
		    embed.timeout_ms        10000 (default)
		    embed.url               http://127.0.0.1:11434 (default)
		    harvest.auto            off (default)
		    harvest.project_prompt  off (default)
		    hook.ask_at_end         off (default)
		    hook.recall             off (default)
		    hook.timeout_ms         200 (default)
		    llm.api                 openai (default)
		    llm.provider            none (default)
		    llm.timeout_ms          120000 (default)
		    llm.url                 http://127.0.0.1:11434 (default)
		    mcp.all_projects        off (default)
		    project.share           true (default)
		    rank.fusion             linear (default)
		    recall.max_results      5 (default)
		    save.approval           ask (default)
		    team                    false (default)
	END
}

@test "--json says the same to programs" {
	memory 2 2026-01-01T00:00:00Z a <<<two
	memory 2 2026-01-02T00:00:00Z a "$memories/002-again.md" <<<two
	printf 'Use tabs.\n' >.co-cli/knowledge/context.md
	co-status --json | jq '.settings |=
		map(select(.key | test("^(recall.max|save.a)")))' >out
	none='{"state":"none","documents":0,"missing":0,"dead":0,"bytes":0}'
	diff -u - out < <(jq . <<-END
		{"roots":[{"scope":"project","path":"$PWD/.co-cli","exists":true,"team":false,
		"context":{"path":"$PWD/.co-cli/knowledge/context.md",
		"state":"loaded","size":10,"budget":7168},
		"memories":2,"due":0,"articles":0,"article_files":0,"drafts":0,"trash":0,"twice":[2],
		"index":$none},
		{"scope":"global","path":"$global","exists":false,"team":false,
		"context":{"path":"$global/knowledge/context.md",
		"state":"absent","size":0,"budget":3072},
		"memories":0,"due":0,"articles":0,"article_files":0,"drafts":0,"trash":0,"twice":[],"index":$none}],
		"others":{"projects":0,"drafts":0},
		"context":{"size":53,"target":10240,"limit":20480},
		"llm":{"provider":"none","name":null,"answers":null,"trouble":null},
		"hook":{"late":null,"unsaved":0},
		"settings":[
		{"key":"recall.max_results","value":"5","origin":"default"},
		{"key":"save.approval","value":"ask","origin":"default"}]}
	END
	)
}

@test "--tools names every program of the suite" {
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
		"summary": "show the state of the stores and the settings"}]' \
		<<<"$output"
}

@test "sizes over their budgets are pointed out" {
	mkdir -p .co-cli/knowledge
	printf '%11000s' '' | tr ' ' x >.co-cli/knowledge/context.md
	run -0 co-status
	[ "${lines[1]}" = '    context   loaded, 11000 of 7168 bytes: over its budget' ]
	[ "${lines[5]}" = 'prompt   11044 of 10240 bytes of context: over the target' ]
	printf '%21000s' '' | tr ' ' x >.co-cli/knowledge/context.md
	run -0 co-status
	[ "${lines[5]}" = 'prompt   21044 of 10240 bytes of context: cut' ]
}

@test "files with faults are reported and the rest is shown" {
	memory 1 2026-01-01T00:00:00Z a <<<one
	memory x 2026-01-01T00:00:00Z a "$memories/002-x.md" <<<two
	printf -- '---\na: [\n---\n' >.co-cli/knowledge/context.md
	run -0 --separate-stderr co-status
	[ "${lines[1]}" = '    context   malformed, 13 of 7168 bytes' ]
	[[ ${lines[2]} == "    trouble   '$PWD/.co-cli/knowledge/context.md':"* ]]
	[ "${lines[3]}" = '    memories  1' ]
	[ "${#stderr_lines[@]}" -eq 2 ]
}

@test "a root that is refused is status 4, and the other is shown" {
	mkdir -p "$global/knowledge"
	ln -s "$global" .co-cli
	run -4 --separate-stderr co-status
	[ "${lines[0]}" = 'project  cannot be read' ]
	[ "${lines[1]}" = "global   $global" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	run -4 --separate-stderr co-status --json
	jq -e '.roots[0].path == null and .roots[1].exists' <<<"$output"
}

@test "a folder that cannot be read is not counted as empty" {
	memory 1 2026-02-09T14:30:00Z '' <<<one
	ln -s . .co-cli/knowledge/drafts
	run -4 --separate-stderr co-status
	[ "${lines[2]}" = '    memories  cannot be read' ]
	run -4 --separate-stderr co-status --json
	jq -e '.roots[0] | .memories == null and .drafts == null' <<<"$output"
}

@test "a folder that is refused is named once" {
	mkdir -p elsewhere .co-cli
	ln -s ../elsewhere .co-cli/knowledge
	run -4 --separate-stderr co-status
	[ "$stderr" = "co-status: refusing '$PWD/.co-cli/knowledge': it is a link" ]
}

@test "a store that hides another above it is named with it" {
	mkdir -p .co-cli sub/deep/.co-cli sub/none
	[[ $(co-status) != *hides* ]]
	cd sub/deep
	run -0 co-status
	[ "${lines[1]}" = "    hides     ${PWD%/sub/deep}/.co-cli, whose memories do not count here" ]
	[ "$(co-status --json | jq -r '.roots[0].hides')" = "${PWD%/sub/deep}/.co-cli" ]
	# A work tree of its own hides nothing.
	mkdir .git
	[[ $(co-status) != *hides* ]]
}
