#!/usr/bin/env bats
# co undo with several work trees, branches or agents.
load lib

setup() {
	world
	export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t \
		GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
}

repository() {
	git init -q -b main . 2>/dev/null || skip "git is missing or old"
	co-memory-save -q <<<base 2>/dev/null
	commit base
}

commit() {
	git add -A
	git commit -qm "$1"
}

# bodies [DIR]: print the texts of the memories there, one per line.
bodies() {
	(cd "${1:-.}" && co-memory-list | sort | co-memory-show --format='%(content)')
}

numbers() {
	co-operation-list --json | jq -r "$1" | sort -n
}

@test "concurrent undos undo one operation each, and all operations" {
	local n
	co-memory-save -q <<<stays 2>/dev/null
	for n in 1 2 3 4 5 6 7 8; do
		co-memory-save -q <<<"thing $n"
	done
	for n in 1 2 3 4 5 6 7 8; do
		co-undo >"out.$n" 2>&1 &
	done
	wait
	[ "$(cat out.* | grep -c '✓')" -eq 8 ]
	[ "$(cat out.* | grep '✓' | sort -u | wc -l)" -eq 8 ]
	[ "$(bodies)" = stays ]
	diff <(seq 2 9) <(numbers 'select(.undoes == null and .undone).op')
	diff <(seq 10 17) <(numbers 'select(.undoes).op')
	for n in 1 2 3 4 5 6 7 8; do
		co-redo -q &
	done
	wait
	[ "$(bodies | wc -l)" -eq 9 ]
	run -0 co-redo
}

@test "one of many undos of the same operation succeeds, and the others exit 1" {
	local n
	co-memory-save -q <<<stays 2>/dev/null
	co-memory-save -q <<<goes
	for n in 1 2 3 4 5 6; do
		{
			local status=0
			co-undo 2 >"out.$n" 2>&1 || status=$?
			echo "$status" >"status.$n"
		} &
	done
	wait
	[ "$(cat status.* | sort | tr -d '\n')" = 011111 ]
	[ "$(grep -hc 'operation 2 is undone already' out.* | grep -c 1)" -eq 5 ]
	[ "$(bodies)" = stays ]
}

@test "saves during undos lose nothing" {
	local n
	for n in 1 2 3 4 5 6; do
		co-memory-save -q <<<"old $n" 2>/dev/null
	done
	for n in 1 2 3 4 5 6; do
		co-memory-save -q <<<"new $n" &
		co-undo -q "$n" &
	done
	wait
	run -0 bodies
	diff <(printf 'new %d\n' 1 2 3 4 5 6) <(sort <<<"$output")
	[ "$(co-memory-list --trash | wc -l)" -eq 6 ]
	[ "$(co-operation-list | wc -l)" -eq 18 ]
	[ -z "$(co-memory-list --format='%(id)' | sort | uniq -d)" ]
}

@test "co undo NUMBER undoes an operation of an agent, which --list names" {
	co-memory-save -q --source=claude <<<'of an agent' 2>/dev/null
	co-learn -q 'of a person'
	run -0 jq -r .by < <(co-undo --list --json | head -n 2 | tail -n 1)
	expect <<<claude
	run -0 co-undo 1
	expect <<-'END'
		✓ Undid 'co memory-save' of 2026-02-09T14:30:00Z: memory 1 is in the trash (of an agent)
		hint: 'co redo' does it again
	END
	[ "$(bodies)" = 'of a person' ]
}

@test "co undo undoes only operations of its own work tree" {
	repository
	git worktree add -q ../linked -b other
	co-memory-save -q <<<'in main'
	(cd ../linked && co-memory-save -q <<<'in linked')
	run -0 co-undo
	[[ $output == *'memory 2 is in the trash (in main)'* ]]
	[ "$(bodies ../linked)" = $'base\nin linked' ]
	cd ../linked
	run -0 jq -r .worktree < <(co-undo --list --json)
	expect <<<linked
	run -0 co-undo -q
	run -0 co-undo
	expect <<<'co-undo: nothing to undo'
	[ "$(bodies)" = base ]
	[ -z "$(git status --porcelain)" ]
}

@test "co undo skips a draft that was accepted elsewhere, and reports it" {
	repository
	git worktree add -q ../linked -b other
	co-memory-save -q --draft <<<'a draft'
	(cd ../linked && co-review -q --accept 2 >/dev/null)
	run -0 co-undo -n
	expect <<-'END'
		co-undo: skipped operation 2, which changes nothing here
		✓ Would undo 'co memory-save' of 2026-02-09T14:30:00Z: memory 1 would be in the trash (base)
	END
	# In the other work tree it is undone, and is a draft again for both.
	(cd ../linked && co-undo -q)
	[ "$(co-memory-list --drafts --format='%(content)')" = 'a draft' ]
	run -0 co-undo -q
	[ -z "$(cd ../linked && co-memory-list --drafts)" ]
}

@test "co undo skips operations of other branches" {
	repository
	co-memory-save -q <<<both
	commit both
	git switch -qc topic
	co-memory-save -q <<<topic
	co-tag -q +x 1
	commit topic
	git switch -q main
	# Operation 3 changed nothing on this branch.
	run -0 co-undo 3
	expect <<-'END'
		co-undo: nothing to undo: the files are as before operation 3
		hint: 'co undo --list' shows the operations
		hint: 'co restore ID' brings a memory back
	END
	run -0 co-undo
	expect <<-'END'
		co-undo: skipped 2 operations, which change nothing here
		✓ Undid 'co memory-save' of 2026-02-09T14:30:00Z: memory 2 is in the trash (both)
		hint: 'co redo' does it again
	END
	run -0 co-redo -q
	[ -z "$(git status --porcelain)" ]
	git switch -q topic
	# The redo is the last operation on this branch, too.
	run -0 co-undo
	[[ $output == *'memory 2 is in the trash (both)'* ]]
	run -0 co-redo -q
	run -0 co-undo 4
	[[ $output == *'memory 1 is changed back (base)'* ]]
	run -0 co-undo -q 3
	[ "$(bodies)" = $'base\nboth' ]
}

@test "an undo keeps lines that a merge added after the operation" {
	repository
	memory 2 2026-01-01T00:00:00Z a <<<$'first\n\nsecond\n\nthird'
	commit two
	git switch -qc topic
	sed -i s/third/theirs/ $memories/002-m.md
	commit theirs
	git switch -q main
	EDITOR='sed -i s/first/ours/' co-edit 2 >/dev/null
	commit ours
	git merge -q topic
	run -0 co-undo -q
	[ "$(co-memory-show 2 --format='%(content)')" = $'first\n\nsecond\n\ntheirs' ]
	co-redo -q
	sed -i s/ours/again/ $memories/002-m.md
	commit again
	run -5 co-undo
	[[ $output == *'has changed since, in the same lines'* ]]
	[ -z "$(git status --porcelain)" ]
}

@test "64 writers in 8 work trees share no number, and are undone in each" {
	local tree n
	repository
	for tree in 1 2 3 4 5 6 7 8; do
		git worktree add -q "../tree$tree" -b "branch$tree"
	done
	for tree in 1 2 3 4 5 6 7 8; do
		for n in 1 2 3 4; do
			(cd "../tree$tree" && co-memory-save -q <<<"memory $tree $n") &
			(cd "../tree$tree" && co-memory-save -q --draft <<<"draft $tree $n") &
		done
	done
	wait
	[ "$(co-memory-list --drafts | wc -l)" -eq 32 ]
	[ -z "$(co-memory-list --drafts --format='%(id)' | sort | uniq -d)" ]
	for tree in 1 2 3 4 5 6 7 8; do
		cd "../tree$tree"
		diff <(seq 8) <(numbers .op)
		[ "$(bodies | wc -l)" -eq 5 ]
		for n in 1 2 3 4 5 6 7 8; do
			co-undo -q &
		done
	done
	wait
	for tree in 1 2 3 4 5 6 7 8; do
		cd "../tree$tree"
		[ "$(bodies)" = base ]
		[ -z "$(git status --porcelain)" ]
		run -0 co-undo
	done
	[ -z "$(co-memory-list --drafts)" ]
}
