#!/usr/bin/env bats
# A rule is a memory with `always: true`, which every session loads.
load lib
load cache

team() {
	co init >/dev/null 2>&1
	co config team true
}

# rule ID CREATED [KEY: VALUE]... <BODY: write a memory that is always loaded.
rule() {
	local file id=$1 created=$2
	file=$memories/$(printf '%03d' "$1")-r.md
	shift 2
	mkdir -p "$memories"
	{
		printf -- '---\nid: %s\ncreated: %s\ntags: []\nalways: true\n' "$id" "$created"
		[ $# = 0 ] || printf '%s\n' "$@"
		printf -- '---\n\n'
		cat
	} >"$file"
}

@test "rules come after the context, sorted by creation time, then by id" {
	mkdir -p $memories
	echo '- Use tabs.' >.co-cli/knowledge/context.md
	rule 1 2026-01-03T00:00:00Z <<<'the last'
	rule 3 2026-01-02T00:00:00Z <<<'the third'
	rule 2 2026-01-02T00:00:00Z <<<$'the second\nhas lines\n\nand more'
	rule 9 2026-01-02T00:00:00+09:00 <<<'the first'
	memory 4 2026-01-01T00:00:00Z a <<<'no rule: always true'
	run -0 co-context-load
	expect <<-'END'
	## Internal Knowledge

	### Project Context

	- Use tabs.

	### Learned

	- the first
	- the second
	  has lines

	  and more
	- the third
	- the last
	END
	rm .co-cli/knowledge/context.md
	run -0 co-context-load
	[[ $output == $'## Internal Knowledge\n\n### Project Context\n\n### Learned\n\n- the first\n'* ]]
	run -0 co-context-load --for=claude
	[[ $output == *$'### Learned\n\n- the first\n'* ]]
}

@test "the user's rules are loaded below the user's heading" {
	memories=$global/knowledge/memories
	rule 1 2026-01-03T00:00:00Z <<<'mine everywhere'
	run -0 co-context-load
	[[ $output == *$'### Global Context\n\n### Learned\n\n- mine everywhere' ]]
}

@test "replaced, hidden, expired and external rules and drafts are not loaded" {
	rule 1 2026-01-01T00:00:00Z 'superseded: 7' <<<'bad one'
	rule 2 2026-01-01T00:00:00Z 'sensitive: true' <<<'bad two'
	rule 3 2026-01-01T00:00:00Z 'trust: external' <<<'bad three'
	rule 4 2026-01-01T00:00:00Z 'expires: 2026-02-08' <<<'bad four'
	rule 5 2026-01-01T00:00:00Z 'expires: 2026-02-09T14:29:59Z' <<<'bad five'
	rule 6 2026-01-01T00:00:00Z 'archive: true' <<<'bad six'
	memory 7 2026-01-01T00:00:00Z a <<<'bad seven'
	sed -i '/^tags/i always: false' $memories/007-m.md
	mkdir -p $drafts $archive
	sed 's/bad one/bad draft/; /superseded/d' $memories/001-r.md >$drafts/001-d.md
	sed 's/bad one/bad old/; /superseded/d' $memories/001-r.md >$archive/001-d.md
	run -0 co-context-load
	[ -z "$output" ]
	rule 10 2026-01-01T00:00:00Z 'expires: 2026-02-09' <<<'good until tonight'
	rule 11 2026-01-01T00:00:00Z 'expires: whenever' 'trust: user' 'sensitive: false' <<<'good too'
	check() {
		run -0 co-context-load
		[ "$(grep -c '^- good' <<<"$output")" = 2 ]
		[[ $output != *bad* ]]
	}
	check
	"$CO_SOURCE/t/perf/generate" 150 . >/dev/null
	check
	settle
	warm
	settle
	check
}

@test "the text of rules is escaped like the context" {
	rule 1 2026-01-01T00:00:00Z <<<$'a </system-reminder> b\u200bc'
	run -0 co-context-load --wrap
	[[ $output == *'- a &lt;/system-reminder> b<U+200B>c'* ]]
}

@test "--explain lists each rule, and rules count in the budget" {
	rule 1 2026-01-01T00:00:00Z <<<'short'
	run -0 co-context-load --explain --project
	[ "${lines[1]}" = $'project\tabsent\t20\t7168\t'"$PWD/.co-cli/knowledge/context.md" ]
	[ "${lines[2]}" = $'rule\tproject\t1\t8\t'"$PWD/$memories/001-r.md" ]
	run -0 co-context-load --check
	rule 2 2026-01-01T00:00:00Z < <(head -c 7200 /dev/zero | tr '\0' x)
	run -1 co-context-load --check
	[[ $output == *'over its budget of 7168 bytes.' ]]
	run -0 --separate-stderr co-context-load --for=300 --explain
	grep -q $'^left\tproject\t0\t7202\t- xxx' <<<"$output"
	run -0 --separate-stderr co-context-load --for=300
	[[ $output == *'- short'* && $output != *xxx* ]]
}

@test "a session start and a prompt include the rules" {
	rule 1 2026-01-01T00:00:00Z <<<'run the linter'
	mkdir -p "$global"
	echo '{"hook.timeout_ms": 60000}' >"$global/settings.json"
	run -0 co-hook claude <<<'{"hook_event_name":"SessionStart","session_id":"s","cwd":"'"$PWD"'"}'
	[[ $output == *'- run the linter'* ]]
	run -0 co-prompt-assemble <<<'hello'
	[[ $output == *'- run the linter'* ]]
}

@test "rules are the same with and without a cache" {
	"$CO_SOURCE/t/perf/generate" 300 . >/dev/null
	rule 9001 2026-01-01T00:00:00Z <<<'by heart'
	is() {
		run -0 co-context-load
		[ "$(grep '^- ' <<<"$output")" = "$1" ] || { echo "$output"; false; }
	}
	is '- by heart'
	settle
	warm
	settle
	is '- by heart'
	rule 9002 2026-01-02T00:00:00Z <<<'and this'
	is $'- by heart\n- and this'
	settle
	sed -i '/^always/d' $memories/9001-r.md
	is '- and this'
	rm $memories/9002-r.md
	is ''
	settle
	run -0 co-memory-list -n 1
	mkdir -p $memories/12
	memories=$memories/12 rule 129999 2026-01-02T00:00:00Z <<<'in a folder'
	is '- in a folder'
}

@test "a session start without rules opens no memory" {
	need_strace
	"$CO_SOURCE/t/perf/generate" 3000 . >/dev/null
	co-context-load
	settle
	co-memory-list >/dev/null
	settle
	run -0 strace -f -o trace co-context-load
	run ! grep -q 'memories/.*\.md\|"[0-9]*-[^"]*\.md"' trace
	# Without a cache it does not read all memories either, and reports this.
	rule 9001 2026-01-01T00:00:00Z <<<'by heart'
	XDG_CACHE_HOME=/dev/null run -0 co-context-load
	[[ $output == *"'$PWD/$memories' has more than 2000 memories, and no cache can be kept: those that are always loaded are left out" ]]
	run -0 co-context-load
	[[ $output == *'- by heart' ]]
}

@test "in a team, learn --always saves a memory and keeps the context" {
	team
	printf -- '---\nversion: 1\n---\n\n- Use tabs.\n' >.co-cli/knowledge/context.md
	cp .co-cli/knowledge/context.md before
	run -0 co learn --always 'Run the linter'
	[[ $output == $'✓ Every session will know it\nLocation: '"$PWD/$memories/"[0-9][0-9]/[0-9]*-run-the-linter.md ]]
	file=${lines[1]#Location: }
	grep -qx 'always: true' "$file"
	cmp before .co-cli/knowledge/context.md
	run -0 co learn --always 'Run the linter'
	[ "$output" = $'Known already\nLocation: '"$file" ]
	run -0 --separate-stderr co-context-load --strict
	[ -z "$stderr" ]
	run -0 --separate-stderr co context
	[[ $output == *$'- Use tabs.\n\n==> '"$PWD/$memories (project, 1 of them, 29 bytes) <=="$'\n### Learned\n\n- Run the linter' ]]
	run -0 --separate-stderr co-context-load
	[[ $output == *$'- Use tabs.\n\n### Learned\n\n- Run the linter' ]]
	id=$(co-memory-list --format='%(id)')
	EDITOR="sed -i s/linter/checks/" run -0 co edit "$id"
	run -0 co-context-load
	[[ $output == *'- Run the checks' ]]
	run -0 co forget -y "$id"
	run -0 co-context-load
	[[ $output != *Learned* ]]
	run -0 co forget --undo
	run -0 co-context-load
	[[ $output == *'- Run the checks' ]]
	run -0 co knowledge --check
	# An existing memory becomes a rule.
	co learn 'Ask before a push' >/dev/null
	run -0 co learn --always 'Ask before a push'
	[[ $output == *'✓ Every session will know it'* ]]
	[ "$(co-context-load | grep -c '^- Ask before a push')" = 1 ]
	[ "$(co-memory-list | wc -l)" = 2 ]
}

@test "learn --always refuses a rule that exceeds the budget" {
	team
	run -0 co learn --always "$(head -c 7000 /dev/zero | tr '\0' x)"
	run -4 co learn --always "$(head -c 200 /dev/zero | tr '\0' y)"
	[[ $output == *"the project's context would have "*", over its budget of 7168: "* ]]
	[ "$(co-memory-list | wc -l)" = 1 ]
	co learn "$(head -c 200 /dev/zero | tr '\0' y)" >/dev/null
	run -4 co learn --always "$(head -c 200 /dev/zero | tr '\0' y)"
	run ! grep -l 'always: true' $memories/*/*yyy*
	run -0 co learn --always fits
	run -0 co-context-load --check --project
}

@test "a team's context needs no updated field, and no command writes it" {
	team
	printf -- '---\nversion: 1\nupdated: 2020-01-01T00:00:00Z\n---\n\n- Use tabs.\n' >.co-cli/knowledge/context.md
	EDITOR='sed -i s/tabs/blanks/' run -0 co context --edit
	grep -qx 'updated: 2020-01-01T00:00:00Z' .co-cli/knowledge/context.md
	EDITOR='sed -i /updated/d' run -0 co context --edit
	run -0 co knowledge --check
	EDITOR='sed -i s/version/verse/' run -3 co context --edit
	[[ $output == *'Missing required field: version'* ]]
	co config --unset team
	run -3 co knowledge --check
	[[ $output == *'Missing required field: updated'* ]]
}

@test "learn --always adds to the context for the user, or without team" {
	team
	run -0 co learn --global --always 'Mine'
	[[ $output == *"Location: $global/knowledge/context.md" ]]
	co config --unset team
	run -0 co learn --always 'Ours'
	[[ $output == *"Location: $PWD/.co-cli/knowledge/context.md" ]]
}
