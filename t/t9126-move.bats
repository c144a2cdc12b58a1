#!/usr/bin/env bats
# co move moves memories between stores.
# bats file_tags=rights
load lib

setup() {
	world
	co learn -q -t net 'the port of the gateway is 8080'
	co learn -q 'tabs, not blanks'
	mkdir ../other
	(cd ../other && co learn -q 'what the other knows')
	up=${PWD%/project}
}

# exists PATH...: check that the first path exists.
exists() {
	[ -e "$1" ]
}

# texts DIR [OPTION...]: print ids and summaries of the memories in DIR.
texts() {
	(cd "${1:-.}" && co-memory-list "${@:2}" --format='%(id) %(summary)')
}

@test "co show of a moved memory names the command that shows it" {
	co learn -q --global 'known everywhere'
	co move -q 1 2 --to=global
	for command in 'co show' 'co edit' 'co forget -y' 'co archive' 'co tag +x'; do
		run -1 $command 2
		[[ ${lines[0]} == *": memory '2' was moved to '$global': 'co show g3' shows it" ]]
	done
	co move -q --global g2 --to=../other
	run -1 co show g2
	[ "${lines[0]}" = "co-show: memory 'g2' was moved to '$up/other/.co-cli': 'co -C $up/other/ list' shows it" ]
	co move -q --global --to=. g1
	run -0 co restore 2
	run -0 co show 2
	co forget -qy 2
	run -1 co show 2
	[ "${lines[0]}" = "co-show: memory '2' is in the trash: 'co restore 2' brings it back" ]
}

@test "co move moves a memory to the user store and gives it a new id" {
	co learn -q --global 'known everywhere'
	sed -i 's/^tags:.*/&\nmood: good # kept/' $memories/001-*.md
	run -0 --separate-stderr co move 1 --to=global
	expect <<-END
		✓ Moved memory 1 to g2: 002-the-port-of-the-gateway-is-8080.md
		Location: $global/knowledge/memories/002-the-port-of-the-gateway-is-8080.md
	END
	[ "$stderr" = "" ]
	run -0 texts
	[ "$output" = '2 tabs, not blanks' ]
	run -0 cat $global/knowledge/memories/002-*.md
	expect <<-END
		---
		id: 2
		created: 2026-02-09T14:30:00Z
		tags: [net]
		mood: good # kept
		source: user-told
		---

		the port of the gateway is 8080
	END
	[ "$(stat -c %a $global/knowledge/memories/002-*.md)" = 600 ]
	run -0 co move g2 --to=.
	[ "${lines[0]}" = '✓ Moved memory g2 to 3: 003-the-port-of-the-gateway-is-8080.md' ]
	run -1 co show g2
}

@test "--to=user is the user store, unless a directory here has that name" {
	run -0 co move -n --to=user 1
	[ "${lines[0]}" = "Would move to $global:" ]
	mkdir user
	run -2 co move -n --to=user 1
	[[ $output == *"'user' has no store"* ]]
	co -C user init >/dev/null
	run -0 co move -n --to=user 1
	[ "${lines[0]}" = "Would move to $PWD/user/.co-cli:" ]
}

@test "co move without --to prints the complete command" {
	run -2 co move 1 global
	expect <<<"co-move: the place follows --to: did you mean 'co move --to=global 1'?"
	co -C ../other init >/dev/null
	run -2 co move 1 2 other
	expect <<<"co-move: the place follows --to: did you mean 'co move --to=other 1 2'?"
	run -2 co move 1 2
	expect <<<"co-move: say where to: 'co move --to=global 1 2' moves it to the user store, --to=PROJECT to a project"
	run -1 co move --to=global 99
	expect <<-'END'
		co-move: no memory '99'
		hint: 'co list' shows the memories
	END
}

@test "co move moves a file with the longest possible name there and back" {
	long=$(printf '001-%0248d.md' 1)
	mv $memories/001-* "$memories/$long"
	run -0 co move 1 --to=../other
	[ -e "../other/$memories/002${long#001}" ] || [ -e "../other/$memories/$long" ]
	[ ! -e "$memories/$long" ]
	[ -z "$(ls -A $trash | grep moving)" ]
	run -0 co -C ../other move 2 --to="$PWD"
}

@test "co move takes a project's directory, name or id" {
	id=$(jq -r .project.id ../other/.co-cli/settings.json)
	run -0 co move 1 --to=../other
	run -0 co move 2 --to=other
	co learn -q three
	run -0 co move 3 --to="$id"
	run -0 texts ../other
	[ "${#lines[@]}" = 4 ]
}

@test "co undo and co redo of a move change both stores, from either of them" {
	cp -r .co-cli was
	co move -q 1 --to=../other
	run -0 --separate-stderr co undo -n
	expect <<-END
		✓ Would undo 'co move 1' of 2026-02-09T14:30:00Z: memory 1 would be back (the port of the gateway is 8080)
		✓ Would undo the other half in $up/other/.co-cli: memory 2 would be in the trash (the port of the gateway is 8080)
	END
	[ "$(co-memory-list | wc -l)" = 1 ]
	run -0 --separate-stderr co undo
	expect <<-END
		✓ Undid 'co move 1' of 2026-02-09T14:30:00Z: memory 1 is back (the port of the gateway is 8080)
		✓ Undid the other half in $up/other/.co-cli: memory 2 is in the trash (the port of the gateway is 8080)
	END
	[ "$stderr" = "hint: 'co redo' does it again" ]
	diff -r was/knowledge/memories "$memories"
	[ "$(texts ../other)" = '1 what the other knows' ]
	co -C ../other redo -q
	[ "$(co-memory-list | wc -l)" = 1 ]
	[ "$(co -C ../other memory-list | wc -l)" = 2 ]
	co -C ../other undo -q
	diff -r was/knowledge/memories "$memories"
	[ "$(texts ../other)" = '1 what the other knows' ]
	[ "$(co-operation-list --json -n 1 | jq -r .other)" = "$up/other/.co-cli" ]
}

@test "co undo --global undoes a move to the user store in both stores" {
	co move -q 1 --to=global
	run -0 --separate-stderr co undo --global
	expect <<-END
		✓ Undid 'co move' of 2026-02-09T14:30:00Z: memory g1 is in the trash (the port of the gateway is 8080)
		✓ Undid the other half in $PWD/.co-cli: memory 1 is back (the port of the gateway is 8080)
	END
	[ -z "$(co-memory-list --global)" ]
	[ "$(co-memory-list | wc -l)" = 2 ]
}

@test "co undo fails if the moved copy has changed, and changes nothing" {
	co move -q 1 --to=../other
	printf 'more\n' >>../other/$memories/002-*
	cp -r .co-cli was
	cp -r ../other/.co-cli there
	run -5 co undo
	[[ $output == *'has changed since'* ]]
	run -5 co -C ../other undo
	diff -r was .co-cli
	diff -r there ../other/.co-cli
}

@test "co undo undoes a move only here if the other store is gone, and reports it" {
	co move -q 1 --to=../other
	mv ../other ../elsewhere
	run -0 --separate-stderr co undo
	expect <<<"✓ Undid 'co move 1' of 2026-02-09T14:30:00Z: memory 1 is back (the port of the gateway is 8080)"
	[ "${stderr_lines[0]}" = "co-undo: the other half was not: the store '$up/other/.co-cli' is gone" ]
	[ "${stderr_lines[1]}" = "hint: 'co redo' does it again" ]
	[ "$(co-memory-list | wc -l)" = 2 ]
}

@test "co undo of a move reports that the copy was forgotten before" {
	co move -q 1 --to=../other
	co -C ../other forget -q -y 2 2>/dev/null
	run -0 --separate-stderr co undo
	expect <<<"✓ Undid 'co move 1' of 2026-02-09T14:30:00Z: memory 1 is back (the port of the gateway is 8080)"
	[ "${stderr_lines[0]}" = "co-undo: the other half in $up/other/.co-cli was undone before" ]
	[ "$(texts ../other)" = '1 what the other knows' ]
}

@test "co undo of a move changes neither store if one of them fails" {
	need_strace
	co move -q 1 --to=../other
	cp -r .co-cli/knowledge/memories here
	cp -r ../other/.co-cli/knowledge/memories there
	failed=0
	for n in 1 2 3 4 5 6 7 8; do
		for from in . ../other; do
			run strace -f --seccomp-bpf -e trace=renameat2 -o /dev/null -e inject=renameat2:error=EIO:when="$n" \
				co -C "$from" undo
			[[ $output != *'stays so'* ]]
			if [ "$status" -eq 0 ]; then
				co -C "$from" redo -q
			else
				failed=$((failed + 1))
			fi
			diff -r here .co-cli/knowledge/memories
			diff -r there ../other/.co-cli/knowledge/memories
		done
	done
	[ "$failed" -gt 4 ]
}

@test "co undo can undo a move in both stores after a failed attempt" {
	need_strace
	co move -q 1 --to=../other
	run strace -f --seccomp-bpf -e trace=renameat2 -o /dev/null -e inject=renameat2:error=EIO:when=5 co undo
	[ "$status" -ne 0 ]
	run -0 co undo
	run -0 texts
	[ "${#lines[@]}" = 2 ]
	run -0 texts ../other
	[ "${#lines[@]}" = 1 ]
}

@test "co operation-undo undoes one half of a move and names the other" {
	co move -q 1 --to=../other
	run -0 --separate-stderr co-operation-undo 3
	[ "$stderr" = "hint: it was half of a move; to take back the other half: co -C '$up/other' undo 2" ]
	[ "$(co -C ../other memory-list | wc -l)" = 2 ]
	run -0 --separate-stderr co -C ../other operation-undo 2
	[ "$stderr" = "hint: it was half of a move; to see the other half: co -C '$PWD' undo --list" ]
	[ "$(texts ../other)" = '1 what the other knows' ]
}

@test "co move makes no store if nothing can be moved" {
	run -1 co move 99 --to=global
	[ ! -e "$global" ]
	co learn -q 'see [[1]]'
	run -3 co move 3 --to=global
	[ ! -e "$global" ]
	run -1 co move 99 1 --to=global
	[ -n "$(co-memory-list --global)" ]
}

@test "the next writer completes a move that was killed between the two stores" {
	need_strace
	for n in {1..9}; do
		strace -o /dev/null -e inject=renameat2,linkat:signal=KILL:when="$n" \
			co-move 1 --to=../other >/dev/null 2>&1 || :
		! exists ../other/$memories/002-*.md || ! exists $memories/001-*.md ||
			break
	done
	exists ../other/$memories/002-*.md
	exists $memories/001-*.md
	co learn -q another
	run ! exists $memories/001-*.md
	run -0 texts ../other
	[ "${#lines[@]}" = 2 ]
	run -0 jq -r '.command + " " + .changes[0].path' <(co-operation-list --json)
	[[ ${lines[1]} == 'co-move knowledge/memories/001-'* ]]
	run -0 co knowledge --check
}

@test "the next writer completes an undo that was killed between the stores" {
	need_strace
	co move 1 --to=../other >/dev/null 2>&1
	exists ../other/$memories/002-*.md
	for n in {1..9}; do
		strace -o /dev/null -e inject=renameat2,linkat:signal=KILL:when="$n" \
			co-undo >/dev/null 2>&1 || :
		! exists $memories/001-*.md || ! exists ../other/$memories/002-*.md ||
			break
	done
	exists $memories/001-*.md
	exists ../other/$memories/002-*.md
	co -C ../other learn -q another
	exists $memories/001-*.md
	run ! exists ../other/$memories/002-*.md
	run -0 co -C ../other knowledge --check
}

@test "both stores drop an undo of a move that was killed before any change" {
	need_strace
	co move 1 --to=../other >/dev/null 2>&1
	for n in {1..9}; do
		strace -o /dev/null -e inject=renameat2,linkat:signal=KILL:when="$n" \
			co-undo >/dev/null 2>&1 || :
		[ "$(find "$HOME" -name unfinished | wc -l)" != 2 ] || break
	done
	[ "$(find "$HOME" -name unfinished | wc -l)" = 2 ]
	run ! exists $memories/001-*.md
	co -C ../other learn -q another
	co learn -q another
	[ -z "$(find "$HOME" -name unfinished)" ]
	exists ../other/$memories/002-*.md
	run ! exists $memories/001-*.md
}

@test "a move that was killed before the other store changed is dropped" {
	need_strace
	co forget -q -y 2
	for n in {1..9}; do
		strace -o /dev/null -e inject=renameat2,linkat:signal=KILL:when="$n" \
			co-move 1 --to=../other >/dev/null 2>&1 || :
		[ -z "$(find "$HOME" -name unfinished)" ] || break
	done
	[ -n "$(find "$HOME" -name unfinished)" ]
	run ! exists ../other/$memories/002-*.md
	co learn -q another
	[ -z "$(find "$HOME" -name unfinished)" ]
	run -0 texts
	[ "${#lines[@]}" = 2 ]
	run -0 co move 1 --to=../other
}

@test "co move refuses a memory whose text the other store has" {
	(cd ../other && co learn -q -t x 'tabs, not blanks')
	run -3 --separate-stderr co move 2 --to=../other
	[[ $stderr == *'002-tabs-not-blanks.md'*'has the same text'* ]]
	run -0 texts
	[ "${#lines[@]}" = 2 ]
}

@test "co move adjusts references to memories, or refuses the memory" {
	co learn -q 'as [[1]] says'
	co learn -q 'as [[4]] says itself, and [[g1]]'
	co learn -q --replaces=2 'blanks, not tabs'
	run -3 --separate-stderr co move 3 --to=../other
	[[ $stderr == *"its text names memory 1"* ]]
	run -0 co move 4 --to=../other
	run -0 texts ../other
	[[ $output == *'as [[2]] says itself, and [[g1]]'* ]]
	run -0 co move 5 --to=../other
	run ! grep -r supersedes ../other/.co-cli/knowledge/memories
	run -0 co knowledge --check
	run -0 co -C ../other knowledge --check
	run -0 --separate-stderr co move 1 --to=../other
	[[ $stderr == *"003-as-1-says.md' names it still"* ]]
	run -2 --separate-stderr co move "$(ls "$PWD"/.co-cli/knowledge/archive/*.md)" --to=../other
	co learn -q --global 'first'
	co learn -q --global 'see [[1]]'
	run -0 co move g2 --to=.
	run -0 texts
	[[ $output == *'see [[g1]]'* ]]
}

@test "co move of many memories checks the files of the store only once" {
	need_strace
	"$CO_SOURCE/t/perf/generate" 500 . >/dev/null
	looks() {
		strace -f --seccomp-bpf -e trace=newfstatat,fstatat64,statx -o ../trace \
			co move -q --to=../other "$@" 2>/dev/null
		grep -c '\.md"' ../trace
	}
	looks 100 >/dev/null
	one=$(looks 101)
	sixteen=$(looks {102..117})
	echo "$one calls for one memory, $sixteen for sixteen"
	[ "$sixteen" -lt $((2 * one)) ]
}

@test "co move refuses two memories that name each other, with the remedy" {
	co learn -q 'as [[4]] says'
	co learn -q 'as [[3]] says'
	run -3 --separate-stderr co move 3 4 --to=../other
	[[ $stderr == *"its text names memory 4, "*"remove [[4]] with 'co edit'"* ]]
	[[ $stderr == *"its text names memory 3, "*"remove [[3]] with 'co edit'"* ]]
	run -0 texts
	[ "${#lines[@]}" = 4 ]
	run -0 texts ../other
	[ "$output" = '1 what the other knows' ]
}

@test "co move refuses a memory that cites files of the project" {
	echo one >file
	co learn -q --cite=file:1 'it is one'
	run -3 --separate-stderr co move 3 --to=global
	[[ $stderr == *"cites 'file', a file of this project"* ]]
	run -0 co show 3
}

@test "co move moves a draft as a draft, and refuses one that replaces" {
	echo 'a draft' | co-memory-save -q --draft
	echo 'another' | co-memory-save -q --draft --replaces=1
	run -0 co move 3 --to=../other
	run -0 texts ../other --drafts
	[ "$output" = '2 a draft' ]
	run -3 co move 4 --to=../other
}

@test "co move refuses the same store, a clone of it and a newer format" {
	run -2 --separate-stderr co move 1 --to=.
	[[ $stderr == *"the memory is already in '"* ]]
	co-memory-save -q --global <<<'for all projects'
	run -2 co move g1 --to=global
	run -1 co move g2 --to=global
	cp -r . ../clone
	run -2 --separate-stderr co move 1 --to=../clone
	[[ $stderr == *'belongs to the same project'* ]]
	sed -i 's/"format": 1/"format": 9/' ../other/.co-cli/settings.json
	run -4 co move 1 --to=../other
	run -4 co move -n 1 --to=../other
	run -2 co move 1
	run -2 co move --to=global
	run -2 co move 1 --to=nowhere
	mkdir ../empty
	run -2 --separate-stderr co move 1 --to=../empty
	[[ $stderr == *"'co -C ../empty init' makes one"* ]]
	run -0 texts
	[ "${#lines[@]}" = 2 ]
}

@test "-n changes nothing" {
	find . ../other "$HOME" -type f | sort | xargs sha256sum >"$BATS_TEST_TMPDIR/before"
	run -0 co move -n 1 2 --to=global
	expect <<-END
		Would move to $HOME/.config/co-cli:
		**001** (2026-02-09) [net]: the port of the gateway is 8080
		**002** (2026-02-09): tabs, not blanks
	END
	run -0 co move -n --json 1 --to=other
	run -1 co move -n 7 --to=other
	find . ../other "$HOME" -type f | sort | xargs sha256sum >"$BATS_TEST_TMPDIR/after"
	diff "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
}

@test "--json prints both paths and the memories that still refer to it" {
	co learn -q 'as [[1]] says'
	run -0 --separate-stderr co move --json 1 --to=other
	expect <<-END
		{"from_id":1,"from_path":"$PWD/$memories/001-the-port-of-the-gateway-is-8080.md","memory_id":2,"path":"$up/other/$memories/002-the-port-of-the-gateway-is-8080.md","scope":"project","references":["$PWD/$memories/003-as-1-says.md"]}
	END
}

@test "co move draws an id for a team store and uses its subdirectories" {
	sed -i 's/"format": 1/"format": 2, "team": true/' ../other/.co-cli/settings.json
	run -0 co move --json 1 --to=other
	id=$(jq .memory_id <<<"$output")
	[ "${#id}" = 6 ]
	[ "$(jq -r .path <<<"$output")" = "$up/other/$memories/${id:0:2}/$id-the-port-of-the-gateway-is-8080.md" ]
}

@test "co move refuses a rule that exceeds the budget of the other store" {
	sed -i 's/^source:/always: true\n&/' $memories/001-*.md
	head -c 3040 /dev/zero | tr '\0' x >big
	mkdir -p "$global/knowledge"
	printf -- '---\nversion: 1\n---\n%s\n' "$(cat big)" >"$global/knowledge/context.md"
	run -4 --separate-stderr co move 1 --to=global
	[[ $stderr == *"the user's context would have"* ]]
	run -0 texts
	[ "${#lines[@]}" = 2 ]
}

@test "co move refuses a secret without --allow-secret" {
	printf 'the key %s%s opens it' AKIA Z7QW3XN5KPL2MR4T | co-memory-save -q --allow-secret
	run -3 co move 3 --to=other
	run -0 co move 3 --to=other --allow-secret
	co learn -q --sensitive 'the door code'
	run -0 co move 4 --to=other
	[ "$(stat -c %n ../other/$memories/003-*)" = ../other/$memories/003-memory.md ]
}

@test "moves in opposite directions do not deadlock" {
	for n in 1 2 3 4 5; do
		co learn -q "mine $n"
		(cd ../other && co learn -q "theirs $n")
	done
	for n in 3 4 5 6 7; do timeout 600 co move -q $n --to=../other & pids+=($!); done
	for n in 2 3 4 5 6; do (cd ../other && timeout 600 co move -q $n --to="$up/project") & pids+=($!); done
	for pid in "${pids[@]}"; do wait "$pid"; done
	run -0 texts
	[ "$(grep -c theirs <<<"$output")" = 5 ]
	run -0 texts ../other
	[ "$(grep -c mine <<<"$output")" = 5 ]
}

@test "co move distinguishes an unknown project from one it cannot move to" {
	run -2 --separate-stderr co move 1 --to=users
	[[ $stderr == *"neither a directory nor a known project: 'co move --to=global' means the user store, '--to=.' this project" && $stderr != *hint:* ]]
	mkdir ../known
	(cd ../known && co learn -q there)
	co learn -q here
	(cd ../known && co config project.share false)
	run -2 --separate-stderr co move 1 --to=known
	[[ $stderr == "co-move: the project 'known' at '${PWD%/*}/known' does not share its memories: give its directory to move there"* ]]
	(cd ../known && co config project.share true)
	mv ../known ../moved
	run -2 --separate-stderr co move 1 --to=known
	[[ $stderr == "co-move: the project 'known' is no longer at '${PWD%/*}/known': give its directory"* ]]
	# If a project has two paths, the existing one counts.
	mkdir ../known
	cp -r ../moved/.co-cli ../known
	id=$(jq -r .project.id ../moved/.co-cli/settings.json)
	(cd ../moved && CO_NOW=2026-02-11T10:00:00Z co learn -q 'written to last')
	rm -r ../moved
	run -0 co move 1 --to="$id"
	[ -f "../known/$memories/002-the-port-of-the-gateway-is-8080.md" ]
}
