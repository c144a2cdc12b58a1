#!/usr/bin/env bats
# co undo and co redo restore files and preserve later changes.
load lib

setup() {
	world
	log=$oplog/now/ops
}

learn() {
	co-learn -q "$@" 2>/dev/null
}

# bodies: print the texts of the memories, one per line.
bodies() {
	co-memory-list | sort | co-memory-show --format='%(content)'
}

# undone COMMAND TEXT: check that co undo undoes COMMAND and prints TEXT.
undone() {
	run -0 --separate-stderr co-undo
	expect <<<"✓ Undid 'co $1' of 2026-02-09T14:30:00Z: $2"
}

@test "co undo moves a saved memory to the trash, and co redo restores its id" {
	learn one
	cp -r .co-cli/knowledge/memories was
	undone learn 'memory 1 is in the trash (one)'
	[ "$stderr" = "hint: 'co redo' does it again" ]
	[ -z "$(co-memory-list)" ]
	[ "$(co-memory-list --trash --format='%(id)')" = 1 ]
	[ "$(co-memory-next-id)" = 2 ]
	run -0 co-redo
	expect <<<"✓ Redid 'co learn' of 2026-02-09T14:30:00Z: memory 1 is back (one)"
	diff -r was .co-cli/knowledge/memories
	[ -z "$(co-memory-list --trash)" ]
	run -0 co-redo
	expect <<<'co-redo: nothing to redo'
}

@test "repeated co undo goes back step by step, and co redo goes forward" {
	learn one
	learn two
	co-tag -q +x 2
	co-forget -q -y 1 2>/dev/null
	undone 'forget 1' 'memory 1 is back (one)'
	undone 'tag 2' 'memory 2 is changed back (two)'
	undone learn 'memory 2 is in the trash (two)'
	undone learn 'memory 1 is in the trash (one)'
	run -0 co-undo
	expect <<<'co-undo: nothing to undo'
	for i in 1 2 3 4; do
		run -0 co-redo -q
	done
	[ "$(bodies)" = two ]
	[ "$(co-memory-list --format='%(tags)')" = x ]
	run -0 co-redo
}

@test "co redo does nothing after a new operation" {
	learn one
	learn two
	co-undo -q
	co-undo -q
	learn three
	run -0 --separate-stderr co-redo
	expect </dev/null
	[ "$stderr" = "co-redo: nothing to redo: operation 5 came after the last undo
hint: 'co undo 4' undoes that undo anyway" ]
	# It does nothing either after an undo of that operation, except redoing it.
	undone learn 'memory 3 is in the trash (three)'
	run -0 co-redo -q
	[ "$(bodies)" = three ]
	run -0 co-redo
	[[ $output == 'co-redo: nothing to redo: '* ]]
	run -0 co-undo -q 4
	[ "$(bodies)" = $'one\nthree' ]
}

@test "co undo undoes a redo first" {
	learn one
	learn two
	co-undo -q 1
	co-redo -q
	run -0 co-undo --list -n 1
	[[ $output == '* 4  '*'  redo of 3  +memory 1: one' ]]
	undone redo 'memory 1 is in the trash (one)'
	[ "$(bodies)" = two ]
	run -0 co-redo -q
	[ "$(bodies)" = $'one\ntwo' ]
}

@test "all changes of one command are one operation" {
	learn one
	learn two
	printf '%s\n' '{"content":"three"}' '{"content":"four"}' |
		co-memory-save --batch >/dev/null
	co-forget -q -y --all o 2>/dev/null
	run -0 co-operation-list
	expect <<-'END'
		4  2026-02-09T14:30:00Z  co-forget  -memories/001-one.md, -memories/002-two.md, -memories/004-four.md
		3  2026-02-09T14:30:00Z  co-memory-save  +memories/003-three.md, +memories/004-four.md
		2  2026-02-09T14:30:00Z  co-learn  +memories/002-two.md
		1  2026-02-09T14:30:00Z  co-learn  +memories/001-one.md
	END
	run -0 co-undo -q
	[ "$(bodies | wc -l)" -eq 4 ]
	run -0 co-undo -q
	[ "$(bodies)" = $'one\ntwo' ]
}

@test "co undo of a replacement restores the replaced memory" {
	learn one
	learn --replaces=1 two
	run -0 --separate-stderr co-undo
	expect <<-'END'
		✓ Undid 'co learn' of 2026-02-09T14:30:00Z:
		  memory 2 is in the trash (two)
		  memory 1 is back (one)
	END
	[ "$(bodies)" = one ]
	run -0 co-redo -q
	[ "$(bodies)" = two ]
}

@test "co undo fails if a second memory replaces the same one" {
	learn one
	learn --replaces=1 two
	sed 's/^id: .*/id: 3/; s/^two/three/' $memories/002-two.md >$memories/003-three.md
	run -5 co-undo
	[[ ${lines[0]} == *"/001-one.md' cannot come back: '$PWD/$memories/003-three.md' replaces it, too; forget the new memory instead" ]]
	[ "$(bodies)" = $'two\nthree' ]
	run -0 co-forget -qy 2
	[ "$(bodies)" = three ]
	run -0 co knowledge --check
}

@test "co undo fails in a team store if a second memory replaces the same one" {
	co-init -q
	echo '{"format": 2, "team": true}' >.co-cli/settings.json
	learn one
	one=$(co-list --format='%(id)')
	learn --replaces="$one" two
	two=$(co-list --format='%(path)')
	mkdir -p $memories/03
	sed 's/^id: .*/id: 3/; s/^two/three/' "$two" >$memories/03/003-three.md
	run -5 co-undo
	[[ ${lines[0]} == *" cannot come back: "*"replaces it, too; forget"* ]]
	[ "$(bodies | sort)" = $'three\ntwo' ]
}

@test "co undo of an edit restores every byte" {
	learn one
	cp .co-cli/knowledge/memories/001-one.md was
	EDITOR="sed -i s/one/two/" co-edit 1 >/dev/null
	undone 'edit 1' 'memory 1 is changed back (one)'
	cmp was .co-cli/knowledge/memories/001-one.md
	run -0 co-redo
	expect <<<"✓ Redid 'co edit 1' of 2026-02-09T14:30:00Z: memory 1 is changed again (two)"
}

@test "undo and redo of a replacement leave no copy in the trash" {
	co-learn -q 'the old one'
	old=$(ls $memories | tail -n 1)
	co-learn -q --replaces="${old%%-*}" 'the new one'
	for what in co-undo co-redo co-undo; do
		$what -q
		[ -z "$(find $trash -name "$old")" ]
	done
	[ -e "$memories/$old" ]
	[ ! -e "$archive/$old" ]
	co-redo -q
	run -0 co-memory-restore "$((10#${old%%-*}))"
	[ ! -e "$archive/$old" ]
	run -0 co knowledge --check
}

@test "co undo preserves later changes by an editor or a command" {
	memory 1 2026-01-01T00:00:00Z a <<<$'first\n\nsecond\n\nthird'
	EDITOR="sed -i s/first/changed/" co-edit 1 >/dev/null
	sed -i 's/third/by hand/' $memories/001-m.md
	co-tag -q +x 1
	run -0 --separate-stderr co-undo 1
	expect <<<"✓ Undid 'co edit 1' of 2026-02-09T14:30:00Z: memory 1 is changed back (first)"
	[ "$(co-memory-show 1 --format='%(content)')" = $'first\n\nsecond\n\nby hand' ]
	[ "$(co-memory-list --format='%(tags)')" = 'a, x' ]
}

@test "co undo names a file whose same lines changed, and undoes nothing" {
	learn one
	learn two
	co-forget -q -y 2 2>/dev/null
	cat >edit <<-'END'
		sed -i s/one/two/ "$@"
	END
	EDITOR='sh edit' co-edit 1 >/dev/null
	sed -i 's/two/three/' $memories/001-one.md
	cp -r .co-cli was
	run -5 co-undo
	expect <<-END
		co-undo: '$PWD/.co-cli/knowledge/memories/001-one.md' has changed since, in the same lines
		co-undo: cannot undo operation 4: a file has changed since
		hint: 'co undo --list' and 'co log' show the later changes
	END
	run -5 co-undo -n
	diff -r was .co-cli
}

@test "co undo changes no file of an operation if one of them has changed" {
	printf '%s\n' '{"content":"one"}' '{"content":"two"}' |
		co-memory-save --batch >/dev/null 2>&1
	echo more >>$memories/002-two.md
	cp -r .co-cli was
	run -5 co-undo
	[[ $output == *"002-two.md' has changed since"* ]]
	diff -r was .co-cli
}

@test "co undo fails if another memory has the id" {
	learn one
	co-forget -q -y 1 2>/dev/null
	memory 1 2026-01-01T00:00:00Z a <<<other
	run -5 co-undo
	[[ $output == *'another memory has its id'* ]]
}

@test "co undo N undoes any operation once, also an undo" {
	learn one
	learn two
	learn three
	run -0 co-undo -q 2
	[ "$(bodies)" = $'one\nthree' ]
	run -1 co-undo 2
	expect <<<'co-undo: operation 2 is undone already'
	run -0 co-undo -q 4
	[ "$(bodies)" = $'one\ntwo\nthree' ]
	run -1 co-undo 77
	expect <<<"co-undo: no operation 77: 'co undo --list' lists them"
	run -2 co-undo one
	run -0 co-operation-undo 5
	expect <<<"$PWD/.co-cli/knowledge/memories/002-two.md"
}

@test "co undo skips an operation that has no effect any more" {
	learn one
	EDITOR="sed -i s/one/two/" co-edit 1 >/dev/null
	sed -i 's/^two/one/' $memories/001-one.md
	run -0 co-undo 2
	expect <<-'END'
		co-undo: nothing to undo: the files are as before operation 2
		hint: 'co undo --list' shows the operations
		hint: 'co restore ID' brings a memory back
	END
	undone learn 'memory 1 is in the trash (one)'
}

@test "co undo undoes changes of drafts, the context, settings and items" {
	echo wait | co-memory-save -q --draft
	undone memory-save 'draft 1 is in the trash (wait)'
	co-redo -q
	co-review -q --accept 1 >/dev/null
	[ "$(bodies)" = wait ]
	run -0 --separate-stderr co-undo
	expect <<<"✓ Undid 'co review 1' of 2026-02-09T14:30:00Z: draft 1 is back (wait)"
	[ -z "$(co-memory-list --trash)" ]
	[ "$(co-memory-list --drafts --format='%(content)')" = wait ]
	co-review -q --reject 1 >/dev/null
	undone 'review 1' 'draft 1 is back (wait)'
	learn --always rule one
	undone learn "the context is removed (without 'rule one')"
	learn --always rule one
	learn --always rule two
	run -0 co undo --list -n 1
	[[ $output == *"  learn  ~the context: with 'rule two'" ]]
	undone learn "the context is changed back (without 'rule two')"
	grep -q 'rule one' .co-cli/knowledge/context.md
	run ! grep -q 'rule two' .co-cli/knowledge/context.md
	echo '{"facts":["f"]}' | co-item-add --from=c >/dev/null
	undone item-add "facts.md is removed (without 'f [from: c, 2026-02-09]')"
	co-tasks add paint >/dev/null
	co-tasks --done=1 >/dev/null
	undone tasks "tasks.md is changed back ('paint [from: user-told, 2026-02-09]' under 'Open')"
	cp .co-cli/settings.json was
	co-config recall.max_results 3 >/dev/null
	undone config 'setting recall.max_results is unset, not 3'
	cmp was .co-cli/settings.json
}

@test "co undo skips a removal that co forget --undo has undone" {
	learn one
	co-forget -q -y 1 2>/dev/null
	co-forget -q --undo
	run -0 co-operation-list -n 1
	expect <<<'3  2026-02-09T14:30:00Z  co-forget  +memories/001-one.md'
	run -0 co-undo 2
	expect <<-'END'
		co-undo: nothing to undo: the files are as before operation 2
		hint: 'co undo --list' shows the operations
		hint: 'co restore ID' brings a memory back
	END
	undone 'forget --undo' 'memory 1 is in the trash (one)'
	undone 'forget 1' 'memory 1 is back (one)'
	undone learn 'memory 1 is in the trash (one)'
	[ -z "$(bodies)" ]
}

@test "co undo changes nothing if the last operation was in the user store" {
	learn old
	co-learn -q --global mine
	run -1 --separate-stderr co-undo
	expect </dev/null
	[ "$stderr" = "co-undo: the last operation was 'co learn' of 2026-02-09T14:30:00Z in the user store
hint: 'co undo --global' is for the user store
hint: 'co undo 1' undoes the last one of the project" ]
	[ "$(bodies)" = old ]
	run -0 co-undo -q --global
	# co redo does the same.
	run -0 --separate-stderr co-redo
	[[ $stderr == *"the last undo was in the user store: 'co redo --global' undoes it" ]]
	run -0 co-redo -q --global
	run -0 co-undo -q 1
	# Now the last operation is in the project.
	learn new
	undone learn 'memory 2 is in the trash (new)'
	run -0 co-undo
	[[ $output == *'nothing to undo'* ]]
}

@test "co undo names the command that removes the setup of an agent" {
	mkdir -p .co-cli
	co setup claude --project -y >/dev/null
	run -0 co-undo
	expect <<-'END'
		co-undo: nothing to undo
		hint: 'co setup claude --project --remove' undoes 'co setup'
	END
	co setup gemini --project -y >/dev/null
	run -0 co-undo
	[[ $output == *"hint: 'co setup AGENT --project --remove' undoes 'co setup'" ]]
	run -0 co-undo --global
	expect <<<'co-undo: nothing to undo'
	co setup codex -y >/dev/null
	run -0 co-undo --global
	[[ $output == *"hint: 'co setup codex --remove' undoes 'co setup'" ]]
}

@test "the user store has a separate log" {
	co-learn -q --global mine
	run -0 co-undo
	expect <<-'END'
		co-undo: nothing to undo
		hint: the last operation was in the user store: 'co undo --global' undoes it
	END
	run -0 co-undo -q --global
	[ -z "$(co-memory-list --global)" ]
	run -0 co-redo --global
	[ "$(stat -c %a "${oplog%/*}/$(place "$global")/now/ops")" = 600 ]
}

@test "--list prints the operations, and --json their checksums" {
	learn one
	co-undo -q
	run -0 co-undo --list
	expect <<-'END'
		  2  2026-02-09T14:30:00Z  undo of 1  -memory 1: one
		  1  2026-02-09T14:30:00Z  learn (undone)  +memory 1: one
	END
	sum=$(sha256sum .co-cli/knowledge/trash/*/001-one.md)
	run -0 jq -c '[.op,.at,.command,.undoes,.undone,.changes]' \
		< <(co-undo --list --json)
	expect <<-END
		[2,"2026-02-09T14:30:00Z","co-undo",1,false,[{"path":"knowledge/memories/001-one.md","before":"${sum%% *}","after":null}]]
		[1,"2026-02-09T14:30:00Z","co-learn",null,true,[{"path":"knowledge/memories/001-one.md","before":null,"after":"${sum%% *}"}]]
	END
	run -2 co-undo --json
	run -2 co-undo --list 3
}

@test "-n prints the effect and changes nothing" {
	learn one
	cp -r .co-cli was
	run -0 co-undo -n
	expect <<<"✓ Would undo 'co learn' of 2026-02-09T14:30:00Z: memory 1 would be in the trash (one)"
	diff -r was .co-cli
}

@test "co forget --undo restores trash that no operation records" {
	learn one
	co-forget -q -y 1 2>/dev/null
	rm -r "$oplog"
	run -0 co-undo
	co-forget -q --undo
	[ "$(bodies)" = one ]
	co-memory-remove 1 >/dev/null
	co-memory-restore 1 >/dev/null
	[ "$(bodies)" = one ]
}

@test "co undo names the ids that the command was given" {
	for i in 1 2 3 4 5 6 7; do
		learn "fact $i"
	done
	co-forget -q -y 2 3 2>/dev/null
	run -0 co-undo
	[ "${lines[0]}" = "✓ Undid 'co forget 2 3' of 2026-02-09T14:30:00Z:" ]
	co-tag -q +x 1 2 3 4 5 6 7
	run -0 co-undo -n
	[ "${lines[0]}" = "✓ Would undo 'co tag 1 2 3 4 5 ...' of 2026-02-09T14:30:00Z:" ]
	learn --replaces=1 other
	run -0 co-undo
	[ "${lines[0]}" = "✓ Undid 'co learn' of 2026-02-09T14:30:00Z:" ]
	learn --global mine
	co-forget -q -y g1 2>/dev/null
	run -1 co-undo
	[[ $output == *"the last operation was 'co forget g1' of "* ]]
}

@test "co undo names no id if a draft replaced a memory" {
	learn one
	echo two | co-memory-save --draft --replaces=1 >/dev/null 2>&1
	co-review -q --accept 2 2>/dev/null
	run -0 co-undo
	[ "${lines[0]}" = "✓ Undid 'co review' of 2026-02-09T14:30:00Z:" ]
}

@test "a purge removes the memory from the log" {
	learn 'the secret word'
	learn other
	EDITOR="sed -i s/secret/hidden/" co-edit 1 >/dev/null
	co-memory-remove --purge 1
	run ! grep -rqE 'secret|hidden' .co-cli
	[ -z "$(find .co-cli -name '*secret*')" ]
	undone learn 'memory 2 is in the trash (other)'
}

@test "--list -n N lists the newest N and marks the operation to undo" {
	learn one
	learn two
	co-undo -q
	learn --replaces=1 three
	run -0 co-undo --list -n 2
	expect <<-'END'
		* 4  2026-02-09T14:30:00Z  learn  +memory 3: three, 1 more
		  3  2026-02-09T14:30:00Z  undo of 2  -memory 2: two
	END
	[ "$(co-undo --list --json -n 1 | jq .op)" = 4 ]
	run -2 co-undo --list -n two
	run -2 co-undo --list -n
}

@test "co undo prints no text of a sensitive memory" {
	learn --sensitive hush
	run -0 co-undo --list
	expect <<<'* 1  2026-02-09T14:30:00Z  learn  +memory 1'
	undone learn 'memory 1 is in the trash'
	run -0 co-undo --list
	run ! grep hush <<<"$output"
}

@test "on a terminal co undo shows local times" {
	export TZ=UTC-2
	learn one
	run -0 "$CO_BIN/../t/tool/sys/pty" "co-undo --list" </dev/null
	[[ $output == *'* 1  16:30 today       learn  +memory 1: one'* ]]
	export CO_NOW=2026-02-10T14:30:00Z
	run -0 "$CO_BIN/../t/tool/sys/pty" co-undo </dev/null
	[[ $output == *"✓ Undid 'co learn' of 16:30 yesterday: memory 1 is in the trash (one)"* ]]
}
