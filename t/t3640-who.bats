#!/usr/bin/env bats
# Visibility: sensitive memories, and memories that others wrote.
#
# Every kind of output is searched for words that only a sensitive memory has.
load lib
load git
load mcp
load terminal

setup() {
	world
	mkdir -p .git "$global"
	echo '{"hook.recall": "both", "hook.timeout_ms": 60000}' >"$global/settings.json"
	export CO_NOW=2026-02-09T14:30:00Z
	word=zanzibar
}

# keyed ID KEYS TEXT [TAGS]: write a memory whose frontmatter ends with KEYS.
keyed() {
	mkdir -p $memories
	printf -- '---\nid: %s\ncreated: 2026-01-0%sT00:00:00Z\ntags: [%s]\nsource: me\n%b---\n\n%s\n' \
		"$1" "$1" "${4:-t}" "$2" "$3" >"$memories/00$1-m.md"
}

hook() {
	co hook "$1" < <(hook_event s "$2" "\"source\":\"startup\",\"prompt\":$(json_string "${3-}")")
}

# act AGENT NAME INPUT: report to the hook that a tool of AGENT has this input.
act() {
	co hook "$1" < <(hook_event "a-$2" "$2" "\"tool_input\":$3")
}

server() {
	modern 1 "$@" | co mcp 2>>errors
}

# ways: print every kind of default output. Where a query is needed, it is these words.
ways() {
	local agent mode
	co-context-load
	co-context-load --wrap --explain
	for agent in claude codex gemini; do
		hook $agent SessionStart
		hook $agent UserPromptSubmit "gizmo $word"
		hook $agent BeforeAgent "gizmo $word"
		for event in PreToolUse AfterTool PostToolUse; do
			act $agent $event "{\"command\": \"gizmo $word\"}"
			act $agent $event '{"file_path": "src/gizmo.c", "new_string": "x"}'
		done
		hook $agent SubagentStart
	done
	cat "$HOME"/.local/state/co-cli/shown/*
	server tools/call "$(tool recall_memory "{\"query\":\"gizmo $word\"}")"
	server tools/call "$(tool list_memories)"
	server tools/call "$(tool show_memory '{"id":2}')"
	server resources/list
	server resources/read '{"uri":"co://context"}'
	server resources/read '{"uri":"co://memory/2"}'
	server prompts/get '{"name":"recall","arguments":{"query":"gizmo"}}'
	hello | co mcp
	echo '{{context}} [[context]]' | co-prompt-assemble
	co-digest-build
	cat .co-cli/knowledge/digest.md
	co-log
	co-log --json
	co-log 2
	co-log --json 2
	co-log --all
	co-blame 2
	co-blame --json 2
	co-knowledge --diff
	co-knowledge --diff --json
	co-knowledge --diff --markdown
	co-undo --list
	co-undo --list --json
	co-operation-list
	co-operation-list --json
	co-review --list
	co-review --list --json
	co-review --due
	for mode in auto grep fts hybrid; do
		co-recall --mode=$mode gizmo
		co-recall --mode=$mode --json --explain gizmo
	done
	co-memory-grep --json gizmo
	co-memory-grep -o gizmo
	co-memory-list --json
	co-list
	co-knowledge --list
	co-knowledge --stats
	co-index-query --json gizmo
	co-memory-show 2
	co-show --json 2
	co-memory-show --json .co-cli/knowledge/memories/002-m.md
	co-browse --print
	co-export
	co-export --format=json
	co-export --format=markdown
	co-learn "gizmo fourth, like $word and others"
	co-status
	co-status --json
	co-knowledge-summarize </dev/null
	cat "$HOME/.local/state/co-cli/hook.log"
} 2>&1

# told: print the lines of ways() that have the word, without the query itself.
told() {
	ways | sed "s/gizmo $word//g; s/like $word and others//g; s/fourth-like-$word-and-others//g" | grep -i "$word"
}

@test "a sensitive memory is in no prompt, answer, log or digest" {
	keyed 1 '' 'gizmo open'
	keyed 2 'sensitive: true\n' "gizmo of $word"
	keyed 3 '' 'gizmo third'
	run -1 told
	# Without the key each of these outputs has the word.
	sed -i /sensitive/d $memories/002-m.md
	rm -rf "$HOME/.cache" $memories/004*
	run -0 told
	[ "${#lines[@]}" -gt 25 ]
}

@test "an invalid value of sensitive counts as true and is a fault" {
	for value in yes 1 '[]' '"true"'; do
		keyed 2 "sensitive: $value\n" "gizmo $word"
		run -1 co-recall "$word"
		run -3 co-knowledge-check
		[[ $output == *"Field 'sensitive' must be true or false"* ]]
	done
	for value in false null; do
		keyed 2 "sensitive: $value\n" "gizmo $word"
		run -0 co-recall "$word"
	done
}

@test "--sensitive finds a sensitive memory, and a terminal shows it by id" {
	keyed 1 '' 'gizmo open'
	keyed 2 'sensitive: true\n' "gizmo of $word"
	run -0 co-recall --sensitive "$word"
	[[ $output == *'**Memory 2** (created 2026-01-02) (sensitive)'* ]]
	run -0 co-memory-grep --sensitive "$word"
	run -0 co-memory-list --sensitive
	[ "${#lines[@]}" = 2 ]
	run -0 co-export --sensitive
	[[ $output == *$word* ]]
	run -1 co-memory-show 3
	run -4 co-memory-show 2
	expect <<<'co-memory-show: memory 2 is sensitive: it is shown on a terminal only'
	need_terminal
	terminal 0 '' 'co-memory-show 2'
	[[ $output == *$word* ]]
}

@test "commands that take an id print a sensitive text only to a terminal" {
	keyed 1 '' 'gizmo open'
	keyed 2 'sensitive: true\n' "gizmo of $word" "$word"
	for say in "co-forget -n 2" "co-forget -n $memories/002-m.md" \
		"co-move -n 2 --to=global" "co-forget 2" "co-forget -y 2"; do
		run $say </dev/null
		[[ $output == *'**002** (2026-01-02) (sensitive): shown on a terminal only'* ]]
		[[ $output != *"$word"* ]]
	done
	co-forget --undo >/dev/null
	need_terminal
	terminal 0 '' 'co-forget -n 2'
	[[ $output == *"[$word] (sensitive): gizmo of $word"* ]]
}

@test "tags and sources of only sensitive memories are counted, not named" {
	keyed 1 '' 'gizmo open' 'shared, open'
	keyed 2 'sensitive: true\n' gizmo "shared, $word"
	sed -i "s/^source: .*/source: $word/" $memories/002-m.md
	run -0 --separate-stderr co-tag
	expect <<-'END'
		2  shared
		1  open
	END
	[ "$stderr" = 'co-tag: tags of sensitive memories hidden: 1' ]
	run -0 --separate-stderr co-tag --json
	expect <<-'END'
		{"tag":"shared","memories":2}
		{"tag":"open","memories":1}
	END
	run -0 co-knowledge --stats
	[[ $output != *"$word"* ]]
	[ "$(grep '^[ts][ao][gu]' <<<"$output")" = 'tags: shared 2, open 1; hidden, of sensitive memories: 1
sources: me 1; hidden, of sensitive memories: 1' ]
	run -0 co-knowledge --stats --json
	[ "$(jq -c '[.memories, .tags, .tags_kept_back, .sources, .sources_kept_back]' <<<"$output")" = \
		'[2,{"shared":2,"open":1},1,{"me":1},1]' ]
	sed -i s/open/$word/ $memories/001-m.md
	run -0 --separate-stderr co-tag
	expect <<<$'2  shared\n2  '$word
	[ -z "$stderr" ]
	rm $memories/001-m.md
	run -0 --separate-stderr co-tag
	expect </dev/null
	[ "$stderr" = 'co-tag: tags of sensitive memories hidden: 2' ]
	run -0 co-knowledge --stats
	[[ $output == *$'\ntags: none; hidden, of sensitive memories: 2\n'* ]]
	need_terminal
	terminal 0 '' co-tag
	[[ $output == *$word* ]]
	terminal 0 '' 'co-knowledge --stats'
	[[ $output == *$word*$word* ]]
}

@test "an agent is told that a memory is sensitive, and gets no other one" {
	keyed 2 'sensitive: true\n' "gizmo of $word"
	mkdir -p "$global/knowledge/memories"
	for call in 'tools/call {"name":"show_memory","arguments":{"id":2}}' \
		'resources/read {"uri":"co://memory/2"}'; do
		rm -f "$global"/knowledge/memories/*
		run -0 server "${call%% *}" "${call#* }"
		[[ $output != *--global* ]]
		[[ $call == resources* || $output == *'memory 2 is sensitive: it is shown on a terminal only'* ]]
		memory 2 2026-02-09T14:30:00Z t "$global/knowledge/memories/002-u.md" <<<"the user's"
		run -0 server "${call%% *}" "${call#* }"
		[[ $output != *"the user's"* ]]
	done
}

@test "co learn --sensitive does not name the file after the text" {
	run -0 co-learn --sensitive "the $word account"
	[[ $output != *$word* ]]
	[[ $(ls $memories) != *$word* ]]
	grep -qx 'sensitive: true' $memories/001-*
	run -1 co-recall account
	# A similar text reveals nothing about it.
	run -0 co-learn "the account is closed, says Ada"
	[[ $output != *$word* ]]
}

@test "an encoder program never gets a sensitive memory" {
	printf '#!/bin/sh\ntee -a "%s/seen" | jq -c "{vector: [1, 0]}"\n' "$PWD" >enc
	chmod +x enc
	jq -n --arg c "$PWD/enc" '{"embed.provider": "command", "embed.command": [$c], "embed.model": "m"}' \
		>"$global/settings.json"
	keyed 1 '' 'gizmo open'
	keyed 2 'sensitive: true\n' "gizmo of $word"
	co-index-update --vectors >/dev/null
	co-recall 'gizmo of the zebra' >/dev/null 2>&1 || :
	grep -q 'gizmo open' seen
	run ! grep -q "$word" seen
}

@test "an external memory is marked everywhere and not loaded by default" {
	keyed 1 'always: true\ntrust: external\n' 'gizmo outside'
	keyed 2 'always: true\ntrust: agent\n' 'gizmo inside'
	run -0 co-context-load
	[[ $output == *inside* && $output != *outside* ]]
	run -0 co-recall gizmo
	[[ $output == *'**Memory 1** (created 2026-01-01) (external)'$'\nTags'* ]]
	[[ $output != *'Memory 2'*'(external)'* || $output == *'Memory 2** (created 2026-01-02)'$'\n'* ]]
	run -0 hook claude UserPromptSubmit gizmo
	[[ $output == *inside* && $output != *outside* ]]
	for call in 'recall_memory {"query":"gizmo"}' 'show_memory {"id":1}' 'list_memories {}'; do
		run -0 server tools/call "$(tool "${call%% *}" "${call#* }")"
		[ "$(jq -r '[.result.structuredContent | .. | objects | select(.id? == 1) | .marks] | first | .[0]' <<<"$output")" = external ]
		[[ $(jq -r '.result.content[0].text' <<<"$output") == *'(external)'* ]]
	done
	keyed 1 'always: true\ntrust: me\n' 'gizmo outside'
	run -3 co-knowledge-check
	[[ $output == *"Field 'trust' must be user, agent or external"* ]]
	run -0 co-context-load
	[[ $output != *outside* ]]
}

# trusted FILE: print the trust of FILE, or - if it has none.
trusted() {
	sed -n 's/^trust: //p' "$@" | grep . || echo -
}

@test "trust depends on how a memory was saved, not on options" {
	co-learn 'gizmo by hand' >/dev/null 2>&1
	[ "$(trusted $memories/001-*)" = - ]
	echo 'gizmo proposed' | co-memory-save --draft --source=claude >/dev/null
	co-review --accept 2 >/dev/null
	[ "$(trusted $memories/002-*)" = agent ]
	# A memory that the user of an MCP client approved is also an agent's.
	echo '{"save.approval": "client"}' >"$global/settings.json"
	server tools/call "$(tool save_memory '{"content":"gizmo of the server"}')" >/dev/null
	co-review --accept 3 >/dev/null 2>&1 || :
	[ "$(trusted $memories/003-*)" = agent ]
	echo 'gizmo direct' | co-memory-save --source=mcp:new >/dev/null
	[ "$(trusted $memories/004-*)" = agent ]
	# A record cannot claim more trust than the way of its save gives.
	echo '{"content":"gizmo claimed","trust":"user"}' | co-memory-save --batch --draft >/dev/null
	[ "$(trusted $drafts/005-*)" = agent ]
	echo '{"content":"gizmo humble","trust":"external"}' | co-memory-save --batch >/dev/null
	[ "$(trusted $memories/006-*)" = external ]
	run -0 co-recall -n 9 --json gizmo
	[ "$(jq -c '[.id, .marks]' <<<"$output" | grep external)" = '[6,["external"]]' ]
	run -0 co-memory-show --json 2
	[ "$(jq -r .frontmatter.trust <<<"$output")" = agent ]
	run -0 co-knowledge-check
}

@test "an imported memory is external unless it returns unchanged" {
	keyed 1 '' 'gizmo mine'
	co-export >../set
	rm -r .co-cli
	echo '[{"memory":"gizmo one"}]' >mem0
	co import mem0 mem0
	[ "$(trusted $drafts/001-*)" = external ]
	co-review --accept 1 >/dev/null
	run -0 co-recall gizmo
	[[ $output == *'(external)'* ]]
	echo '[{"memory":"gizmo two"}]' >mem0
	co import --accept mem0 mem0
	[ "$(trusted $memories/002-*)" = external ]
	rm -r .co-cli
	co import --accept json ../set
	[ "$(trusted $memories/001-*)" = - ]
}

@test "a save refuses an unknown value of trust" {
	for value in '"me"' true '["user"]' '"User"'; do
		run -3 co-memory-save --batch <<<"{\"content\":\"gizmo\",\"trust\":$value}"
		[[ $output == *"Field 'trust' must be user, agent or external"* ]]
	done
	run -3 co-memory-save --batch --exact \
		<<<'{"content":"gizmo","frontmatter":{"id":1,"created":"2026-02-09","trust":"me"}}'
	[[ $output == *"Field 'trust' must be"* ]]
	[ ! -e $memories ] || [ -z "$(ls $memories)" ]
}

@test "%(marks) prints a JSON list at any place of a template" {
	keyed 1 'trust: external\n' 'gizmo'
	run -0 co-memory-list --format='%(marks) %(id) %(marks)|%(marks)'
	expect <<<'["external"] 1 ["external"]|["external"]'
}

@test "only the top-level trust key decides how search marks a memory" {
	keyed 1 'trust: agent\nnote: {trust: external}\n' 'gizmo one'
	keyed 2 'note: {trust: agent}\ntrust: external\n' 'gizmo two'
	keyed 3 'trust: agent\nexpires: 2020-01-01\n' 'gizmo three'
	run -0 co-recall --json gizmo
	[ "$(jq -c '[.id, .marks]' <<<"$output" | sort)" = $'[1,null]\n[2,["external"]]' ]
}

@test "a sensitive draft is listed only with --sensitive" {
	echo '{"content":"gizmo draft"}' | co-memory-save --batch --draft >/dev/null 2>&1
	echo "{\"content\":\"gizmo of $word\",\"sensitive\":true}" | co-memory-save --batch --draft >/dev/null
	for json in '' --json; do
		run -0 --separate-stderr co-review --list $json
		[[ $output == *'gizmo draft'* && $output != *"$word"* ]]
		[ "$stderr" = 'co-review: not listed, being sensitive: 1; --sensitive lists them' ]
		run -0 co-review --list --sensitive $json
		[[ $output == *"$word"* ]]
	done
	run -1 co-review </dev/null
	[[ $output != *"$word"* ]]
	need_terminal
	terminal 0 'sq' 'co-review'
	[[ $output == *"| gizmo of $word"* && $output == *'(sensitive)'* ]]
}

@test "history hides memories that became sensitive later" {
	need_terminal
	command -v git >/dev/null || skip "git is missing"
	rm -r .git
	git init -q .
	git config user.name A
	git config user.email a@example.org
	echo "gizmo of $word" | co-memory-save -t tag >/dev/null 2>&1
	echo 'gizmo open' | co-memory-save >/dev/null
	commit one
	sed -i 's/^source/sensitive: true\nsource/' $memories/001-*
	sed -i 's/open/open still/' $memories/002-*
	commit two
	past() {
		co-log
		co-log --json
		co-log --all
		co-log 1
		co-log --json 1
		co-blame 1
		co-blame --json 1
		co-knowledge --diff HEAD~1..HEAD
		co-knowledge --diff --json HEAD~1..HEAD
		co-knowledge --diff --markdown HEAD~1..HEAD
		co-undo --list
		co-undo --list --json
		co-operation-list
		co-operation-list --json
	} 2>&1
	run -0 past
	[[ $output == *'gizmo open'* && $output != *"$word"* ]]
	run -4 co-blame 1
	[ "$(co-undo --list --json | jq -c '.changes[] | [.id, .path]')" = $'[null,"knowledge/memories/002-gizmo-open.md"]\n[1,null]' ]
	terminal 0 '' 'PAGER=cat co-blame 1'
	[[ $output == *"$word"* ]]
	# They stay hidden after a removal, even if only an older commit has the key.
	co-forget -y 1 >/dev/null
	commit three
	run -0 past
	[[ $output == *'gizmo open'* && $output != *"$word"* ]]
	# Without the key each of these outputs has the word.
	git checkout -q HEAD~2 -- .co-cli
	git checkout -q --orphan other
	commit all
	rm -rf .co-cli/knowledge/trash
	run -0 past
	[ "$(grep -c "$word" <<<"$output")" -gt 6 ]
}
