#!/usr/bin/env bats
# Memories that are replaced, restored, or requested by their id.
load lib
load cache
load mcp
load terminal

# save TEXT...: save each TEXT as a memory, with ids from 1.
save() {
	local text
	for text in "$@"; do
		co-memory-save <<<"$text" >/dev/null 2>&1
	done
}

@test "the archive is read alike with and without a cache" {
	many
	run -0 co learn -q --force --replaces=7 'In the place of the seventh.'
	warm
	same <<-'END'
		co-memory-show 7
		co show 7
		co-memory-restore -n 7
		co list --superseded
		co learn --replaces=7 again
	END
	run -0 --separate-stderr co-memory-show 7
	[[ $stderr == *'memory 7 was replaced by memory 151'* ]]
	run -0 co-memory-restore 7
	[[ $output == */memories/007-* ]]
}

@test "archiving many memories does not search all files for each id" {
	need_strace
	seq 60 | sed 's/.*/{"content":"number & of sixty"}/' | co-memory-save --batch >/dev/null
	strace -f --seccomp-bpf -qq -e trace=openat -o calls co archive $(seq 60) >/dev/null
	run -0 co archive 1
	[[ $output == *'memory 1 is archived already' ]]
	# A search of all files for each id opens at least 60 files 60 times.
	[ "$(grep -c '\.md"' calls)" -lt 1800 ]
}

@test "an id that is given twice is replaced once" {
	save one two three
	run -0 co learn -q --replaces=1,1,2,1 'All of it.'
	grep -qx 'supersedes: \[1, 2\]' $memories/004-*.md
	[ "$(ls $archive)" = $'001-one.md\n002-two.md' ]
	[ ! -e $trash ]
	run -0 co-memory-save --draft --replaces=3 <<<'A proposal.'
	sed -i 's/^replaces:.*/replaces: [3, 3, 4, 3]/' $drafts/005-*.md
	run -0 co review --accept 5
	grep -qx 'supersedes: \[3, 4\]' $memories/005-*.md
	[ -e $archive/003-three.md ]
	[ -e $archive/004-all-of-it.md ]
}

@test "a restored memory is not marked as replaced in either file" {
	save one two
	run -0 co learn -q --replaces=1,2 'Both of it.'
	run -0 co-memory-restore 1
	grep -qx 'supersedes: \[2\]' $memories/003-*.md
	run -0 co-memory-restore 2
	run -1 grep -q supersede $memories/*.md
	# A memory that was itself replaced meanwhile is updated, too.
	run -0 co learn -q --replaces=1 'First.'
	run -0 co learn -q --replaces=4 'Second.'
	run -0 co-memory-restore 1
	run -1 grep -q supersedes $archive/004-*.md
	grep -qx 'superseded: 5' $archive/004-*.md
}

@test "memories with malformed or circular replacements can be restored" {
	mkdir -p $archive
	memory 1 2026-02-01T10:00:00Z '' $archive/001-a.md <<<'Itself.'
	memory 2 2026-02-01T10:00:00Z '' $archive/002-b.md <<<'Ring.'
	memory 3 2026-02-01T10:00:00Z '' $archive/003-c.md <<<'Of two.'
	memory 4 2026-02-01T10:00:00Z '' $archive/004-d.md <<<'Nonsense.'
	memory 5 2026-02-01T10:00:00Z '' <<<'A word that is no list.'
	memory 6 2026-02-01T10:00:00Z '' $archive/006-f.md <<<'By that.'
	sed -i '2a superseded: 1\nsupersedes: [1]' $archive/001-a.md
	sed -i '2a superseded: 3\nsupersedes: [3]' $archive/002-b.md
	sed -i '2a superseded: 2\nsupersedes: [2]' $archive/003-c.md
	sed -i '2a superseded: [x, {y: z}]' $archive/004-d.md
	sed -i '2a supersedes: my notes' $memories/005-m.md
	sed -i '2a superseded: 5' $archive/006-f.md
	run -0 co-memory-restore 1 2 3 4 6
	[ "$(co-memory-list --format='%(id)' | sort | paste -sd' ')" = '1 2 3 4 5 6' ]
	run -1 grep -rq 'superseded' $memories
	grep -qx 'supersedes: my notes' $memories/005-m.md
}

@test "save --unless-known refuses the text of a replaced memory" {
	save 'Tabs are for indents.'
	run -0 co learn -q --replaces=1 'Spaces are for indents.'
	run -1 co-memory-save --unless-known --json <<<'tabs are FOR indents.'
	[[ $output == '{"display":"Already replaced: memory 1: '* ]]
	run -1 co-memory-save --draft --unless-known --json <<<'Tabs are for indents.'
	[[ $output == '{"display":"Already replaced: memory 1: '* ]]
	{
		hello
		call 1 tools/call "$(tool save_memory '{"content":"Tabs are for indents."}')"
	} >in
	run -0 --separate-stderr co mcp <in
	run -0 text 1 <<<"$output"
	[[ $output == *'Another memory has replaced it since'* ]]
	# An exact record of the archived memory is found there. Another text cannot take its
	# id.
	run -0 co-memory-save --batch --exact <<<'{"content":"Tabs are for indents.","frontmatter":{"id":1,"created":"2026-02-09T14:30:00Z"}}'
	[[ $output == */archive/001-* ]]
	run -3 co-memory-save --batch --exact <<<'{"content":"Other.","frontmatter":{"id":1,"created":"2026-02-09T14:30:00Z"}}'
	[ "$(co-memory-list --format='%(id)')" = 2 ]
}

@test "a memory that is marked superseded counts as replaced in any directory" {
	memory 1 2026-01-01T00:00:00Z '' <<<'The ibis port is 8080'
	sed -i 's/^source:.*/&\nsuperseded: 2/' $memories/001-m.md
	memory 2 2026-02-01T00:00:00Z '' <<<'The ibis port is 9090'
	for _ in without with; do
		run -0 co-memory-list --format='%(id)'
		expect <<<2
		run -0 co-memory-list --superseded --format='%(id)'
		expect <<<1
		run -0 co-memory-list --as-of=2026-01-15 --format='%(id)'
		expect <<<1
		run -0 co-memory-grep --format='%(id)' ibis
		expect <<<2
		run -0 co-recall --format='%(id)' ibis
		expect <<<2
		run -0 co-recall --superseded --format='%(id)' ibis
		expect <<<1
		run -0 co-recall --as-of=2026-01-15 --format='%(id)' ibis
		expect <<<1
		run -0 co-index-query --format='%(id)' ibis
		expect <<<2
		co-index-update
	done
	run -0 --separate-stderr co show 1
	[ "$stderr" = 'co-show: memory 1 was replaced by memory 2' ]
	run -1 co-memory-save --unless-known --json <<<'the ibis port is 8080'
	[[ $output == '{"display":"Already replaced: memory 1: '* ]]
	# A memory with the same text that is not replaced takes precedence.
	echo 'The ibis port is 8080' | co-memory-save >/dev/null
	run -1 co-memory-save --unless-known --json <<<'the ibis port is 8080'
	[[ $output == *'memory 3'* ]]
}

@test "the first of several replacements is followed" {
	memory 1 2026-01-01T00:00:00Z '' <<<'one'
	sed -i 's/^source:.*/&\nsuperseded: [2, 3]/' $memories/001-m.md
	memory 2 2026-02-01T00:00:00Z '' <<<'two'
	memory 3 2026-02-01T00:00:00Z '' <<<'three'
	run -0 co-log --chain --json 1
	[ "$(jq -s 'map(.id) | sort | join(" ")' <<<"$output")" = '"1 2"' ]
	run -1 co-memory-save --unless-known --json <<<'one'
	[[ $output != *replaced_by* ]]
	run -3 co-knowledge-check
	[[ $output != *'superseded by'* ]]
}

@test "superseded must be an id or a list of ids" {
	local value
	for value in 0 -3 '"3"' nobody '[]' '[[1]]'; do
		memory 1 2026-01-01T00:00:00Z '' <<<'one'
		sed -i "s/^source:.*/&\nsuperseded: $value/" $memories/001-m.md
		[ "$(co-memory-list | wc -l)" = 1 ]
		[ "$(co-memory-list --as-of=2030-01-01 | wc -l)" = 1 ]
		run -3 co-knowledge-check
	done
}

@test "the check reports a missing or circular replacement and changes nothing" {
	local id
	for id in 1 2 3 4 5 6; do
		memory "$id" 2026-01-01T00:00:00Z '' <<<"fact $id"
	done
	sed -i 's/^source:.*/&\nsuperseded: 99/' $memories/001-m.md
	sed -i 's/^source:.*/&\nsuperseded: 2/' $memories/002-m.md
	sed -i 's/^source:.*/&\nsuperseded: 4/' $memories/003-m.md
	sed -i 's/^source:.*/&\nsuperseded: 3/' $memories/004-m.md
	sed -i 's/^source:.*/&\nsuperseded: 3/' $memories/005-m.md
	tree .co-cli >../before
	run -3 co-knowledge-check --json
	diff -u - <(jq -r '.fault + " " + .text' <<<"$output") <<-END
		chain '$PWD/$memories/001-m.md': superseded by 99, which does not exist
		chain '$PWD/$memories/002-m.md': superseded by 2, which it superseded itself
		chain '$PWD/$memories/003-m.md': superseded by 4, which it superseded itself
		chain '$PWD/$memories/004-m.md': superseded by 3, which it superseded itself
		chain '$PWD/$memories/005-m.md': superseded by 3, which leads into a ring
	END
	run -3 co knowledge --check --fix
	tree .co-cli | diff ../before -
	# The memory stays hidden until a person corrects the file.
	run -0 co-memory-list --format='%(id)'
	expect <<<6
	sed -i 's/^superseded: 99/superseded: 6/' $memories/001-m.md
	run -3 co knowledge --check --fix
	[ -e .co-cli/knowledge/archive/001-m.md ]
}

@test "check --fix moves a replaced memory to the archive" {
	memory 1 2026-01-01T00:00:00Z '' <<<'The ibis port is 8080'
	sed -i 's/^source:.*/&\nsuperseded: 2/' $memories/001-m.md
	memory 2 2026-02-01T00:00:00Z '' <<<'The ibis port is 9090'
	run -3 co-knowledge-check
	[[ ${lines[0]} == *"/001-m.md': it was replaced, and is not in the archive" ]]
	cp $memories/001-m.md was
	run -0 co knowledge --check --fix
	[[ $output == *"/001-m.md': moved to archive/"* ]]
	cmp was $archive/001-m.md
	run -0 co-knowledge-check
	run -0 co undo
	cmp was $memories/001-m.md
	# A team's replaced memory stays where git merges it.
	echo '{"format": 2, "team": true}' >.co-cli/settings.json
	run -0 co-knowledge-check
}

# replaced: make a team's store in which memory $new has replaced memory $old at $file.
replaced() {
	co init >/dev/null 2>&1
	co config team true
	save 'Tabs are for indents.'
	old=$(co-memory-list --format='%(id)')
	file=$(co-memory-list)
	cp "$file" was
	run -0 co learn -q --force --replaces="$old" 'Spaces are for indents.'
	new=$(co-memory-list --format='%(id)')
	grep -qx "superseded: $new" "$file"
	[ "$old" != "$new" ]
	[ ! -e $archive ]
}

# ids OPTION...: print the ids that a list of memories shows.
ids() {
	co-memory-list --format='%(id)' "$@" | sort | paste -sd' '
}

@test "a team's replaced memory stays in its file and is hidden" {
	replaced
	run -0 ids --superseded
	expect <<<"$old"
	run -0 --separate-stderr co-memory-show "$old"
	[[ $stderr == *"memory $old was replaced by memory $new"* ]]
	run -0 co status --json
	[ "$(jq '.roots[0].memories' <<<"$output")" = 1 ]
	run -0 co log --chain "$old"
	[[ $output == *"**$old**"*' (replaced): Tabs'* && $output == *"**$new**"* ]]
	run -0 co-knowledge-check
	run -1 co-memory-save --unless-known --json <<<'tabs are FOR indents.'
	[[ $output == '{"display":"Already replaced: memory '$old': '*'"replaced_by":'$new'}' ]]
	{
		hello
		call 1 tools/call "$(tool save_memory '{"content":"Tabs are for indents."}')"
	} >in
	run -0 --separate-stderr co mcp <in
	run -0 text 1 <<<"$output"
	[[ $output == *'Another memory has replaced it since'* ]]
	# co learn --force saves the text again.
	run -0 co learn -q --force 'Tabs are for indents.'
	[ "$(ids | wc -w)" = 2 ]
}

@test "commands refuse to change a team's replaced memory" {
	replaced
	for c in "forget -y $old" "edit $old" "tag +x $old" "archive $old" \
		"learn --replaces=$old x"; do
		# shellcheck disable=SC2086 # words are meant
		run -1 co $c
		[[ ${lines[0]} == *": memory '$old' was replaced by memory '$new': "* ]]
	done
	for c in 'forget -y ' 'edit ' 'learn x --replaces='; do
		run -2 sh -c "co $c$file"
		[[ $output == *"/$old-tabs-are-for-indents.md' was replaced: 'co-memory-restore' brings it back"* ]]
	done
	grep -qx "superseded: $new" "$file"
}

@test "restoring a team's memory removes the fields of its replacement" {
	replaced
	run -0 co-memory-restore -n "$old"
	expect <<<"$file"
	for what in "$old" "$file"; do
		run -0 co-memory-restore "$what"
		expect <<<"$file"
		cmp was "$file"
		run -1 grep -rq supersede $memories
		[ "$(ids | wc -w)" = 2 ]
		run -2 co-memory-restore "$file"
		run -0 co undo
		grep -qx "superseded: $new" "$file"
		grep -rqx "supersedes: \[$old\]" $memories
	done
	# A replacement is not a removal.
	run -1 co forget --undo
	grep -qx "superseded: $new" "$file"
}

@test "a team's replacement can be undone, removed and restored" {
	replaced
	run -0 co undo
	cmp was "$file"
	[ "$(ids)" = "$old" ]
	run -0 co redo
	grep -qx "superseded: $new" "$file"
	[ "$(ids)" = "$new" ]
	run -0 co-memory-remove "$old"
	[ ! -e "$file" ]
	run -0 co forget --undo
	grep -qx "superseded: $new" "$file"
	# After the new memory is forgotten, the replaced one can be restored.
	run -0 co forget -y "$new"
	[ -z "$(ids)" ]
	run -0 co-memory-restore "$old"
	cmp was "$file"
}

@test "a team's memory or accepted draft can replace several memories" {
	replaced
	save 'Lines have 80 columns.'
	run -0 co learn -q --force --replaces="$(ids | tr ' ' ,)" 'All of it.'
	all=$(ids)
	[ "$(grep -rlx "superseded: $all" $memories | wc -l)" = 2 ]
	grep -qx "superseded: $new" "$file"
	run -0 co log --chain "$old"
	[ "${#lines[@]}" = 4 ]
	run -0 co-memory-save --draft --replaces="$all" <<<'A proposal.'
	draft=$(ids --drafts)
	run -0 --separate-stderr co review --accept "$draft"
	[[ $stderr == *"all-of-it.md' is replaced" ]]
	[ "$(ids)" = "$draft" ]
	run -0 co-knowledge-check
	run -0 co undo
	[ "$(ids)" = "$all" ]
	[ "$(ids --drafts)" = "$draft" ]
	[ ! -e $archive ]
}

@test "a team's memory with an unreadable header goes to the archive" {
	co init >/dev/null 2>&1
	co config team true
	mkdir -p $memories
	echo 'no header' >$memories/007-plain.md
	run -0 co learn -q --force --replaces=7 'In its place.'
	[ -e $archive/007-plain.md ]
	[ ! -e $memories/007-plain.md ]
}

@test "a team can read an existing archive" {
	save one
	run -0 co learn -q --force --replaces=1 two
	co config team true
	run -0 ids --superseded
	expect <<<1
	run -0 co-memory-restore 1
	[[ $output == */memories/001-one.md ]]
	[ "$(ids)" = '1 2' ]
}

@test "a circular replacement in a team's store is a fault" {
	replaced
	sed -i "s/^supersedes: .*/&\nsuperseded: $old/" $memories/*/"$new"-*.md
	run -3 co-knowledge-check
	[[ $output == *"superseded by $new, which it superseded itself"* ]]
	sed -i '/^superseded:/d' $memories/*/"$new"-*.md
	run -0 co-knowledge-check
	rm $memories/*/"$new"-*.md
	run -3 co-knowledge-check
	[[ $output == *"superseded by $new, which does not exist"* ]]
}

@test "a review lists a similar memory that was replaced" {
	need_terminal
	save 'Tabs are for indents.'
	run -0 co learn -q --force --replaces=1 'Something else altogether.'
	run -0 co-memory-save --draft <<<'Tabs are for indents, everywhere.'
	terminal 0 'q' co-review
	[[ $output == *'similar:  replaced earlier: '*1* ]]
}

@test "check --fix gives out no id of the archive" {
	save one two
	run -0 co learn -q --replaces=2 three
	run -0 co learn -q --replaces=3 four
	rm $memories/004-*
	sed 's/^one$/uno/' $memories/001-one.md >$memories/001-uno.md
	printf 'no frontmatter\n' >$memories/002-plain.md
	run -0 co knowledge --check --fix
	[ "$(co-memory-list --format='%(id)' | sort | paste -sd' ')" = '1 4 5' ]
}

@test "the check reports the same faults in the archive as in memories" {
	save one two
	run -0 co learn -q --replaces=2 three
	run -0 co knowledge --check
	printf '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n' >>$archive/002-two.md
	ln -s /etc/passwd $archive/008-link.md
	memory 9 'some day' '' $archive/009-nine.md <<<'Nine.'
	run -3 co knowledge --check --json
	[ "$(jq -r .fault <<<"$output" | sort | paste -sd' ')" = 'conflict frontmatter link' ]
	run -3 co knowledge --check --fix
	[[ $output == *'3 faults found' ]]
}

@test "accepting a draft again finishes an interrupted replacement" {
	co-memory-save <<<alpha
	co-memory-save --draft --replaces=1 <<<beta
	# This is the state if the process is killed before it moves the draft.
	sed -i 's/^replaces: 1$/supersedes: [1]/' $drafts/002-beta.md
	run -0 co-review --accept 2
	[ "$(ls $memories)" = 002-beta.md ]
	grep -qx 'superseded: 2' .co-cli/knowledge/archive/001-alpha.md
}

@test "a refused change of a replaced memory names the next commands" {
	save 'Deploys are on Tuesdays.'
	run -0 co learn -q --force --replaces=1 'Deploys are on Fridays.'
	for c in 'forget -y 1' 'edit 1' 'tag +x 1' 'learn --replaces=1 x'; do
		# shellcheck disable=SC2086 # words are meant
		run -1 co $c
		[[ ${lines[0]} == *": memory '1' was replaced by memory '2': 'co-memory-show 1' shows it, 'co-memory-restore 1' brings it back, 'co-memory-remove 1' moves it to the trash" ]]
	done
	run -0 co-memory-remove 1
	[[ $output == */trash/*/archive/001-* ]]
}

@test "the MCP server warns that a memory was replaced, and names by which" {
	save 'Deploys are on Tuesdays.'
	run -0 co learn -q --force --replaces=1 'Deploys are on Fridays.'
	{
		hello
		call 1 tools/call "$(tool show_memory '{"id":1}')"
		call 2 resources/read '{"uri":"co://memory/1"}'
		call 3 tools/call "$(tool show_memory '{"id":2}')"
	} >in
	co mcp <in >out
	said='WARNING: memory 1 was replaced by memory 2: it does not hold any more.'
	run -0 text 1 <out
	[[ $output == "$said"$'\n\n'*'Deploys are on Tuesdays.'* ]]
	run -0 jq -r 'select(.id == 1).result.structuredContent.warning' out
	expect <<<"$said"
	run -0 jq -r 'select(.id == 2).result.contents[0].text' out
	[[ $output == *"$said"* ]]
	run -0 text 3 <out
	[[ $output != *replaced* ]]
}

# bats test_tags=slow
@test "co learn reports a similar replaced memory in a large store" {
	mkdir -p $memories $archive
	for n in {1..501}; do
		printf -- '---\nid: %d\ncreated: 2026-01-01T00:00:00Z\n---\n\nFact %d\n' \
			"$n" "$n" >"$memories/$(printf %03d "$n")-m.md"
	done
	printf -- '---\nid: 600\ncreated: 2026-01-01T00:00:00Z\nsuperseded: 1\n---\n\nDeploys are on Tuesdays, at noon.\n' \
		>$archive/600-m.md
	run -0 co learn 'Deploys are on Tuesdays, at night.'
	[[ $output == *'similar:  replaced earlier: 600'*'Saved memory'* ]]
}
