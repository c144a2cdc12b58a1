#!/usr/bin/env bats
# What happens to a change of several files that was killed or cannot be finished.
load lib
load killed

setup() {
	world
	need_strace
	: >"$BATS_TEST_TMPDIR/in"
	note=$oplog/unfinished
}

# save_three: save the memories 1 to 3.
save_three() {
	for word in one two three; do
		co-memory-save -q <<<"$word"
	done
}

# kill_with_note COMMAND...: run COMMAND, and kill it when its list of steps has its
# name and no step is done.
kill_with_note() {
	{ strace -qq -o /dev/null -P "$oplog" -e inject=fsync:signal=KILL "$@" \
		<"$BATS_TEST_TMPDIR/in" >/dev/null || :; } 2>/dev/null
	[ -e "$note" ]
}

# stems DIR...: print the names of the files there, without their directory.
stems() {
	find "$@" -name '*.md' -printf '%f\n' | sort
}

# changed_files N: print the files that the N-th newest operation changed.
changed_files() {
	co-operation-list --json | sed -n "$1p" | jq -r '.changes[].path | sub(".*/"; "")'
}

@test "a long list of steps is finished, too" {
	save_three
	kill_with_note co-memory-remove 1 2 3
	# As long as that of a hundred thousand files.
	{ printf '{%20000000s' '' && tail -c +2 "$note"; } >long
	mv long "$note"
	run -0 co-memory-save <<<four
	[ ! -e "$note" ]
	run -0 stems "$memories"
	expect <<<004-four.md
	run -0 changed_files 2
	[ "${#lines[@]}" = 3 ]
}

@test "a file that changed meanwhile stays, and the other steps are done" {
	save_three
	kill_with_note co-memory-remove 1 2 3
	echo more >>$memories/002-two.md
	co-memory-save -q <<<four
	[ ! -e "$note" ]
	run -0 stems $memories
	expect <<<$'002-two.md\n004-four.md'
	run -0 stems $trash
	expect <<<$'001-one.md\n003-three.md'
	run -0 changed_files 2
	expect <<<$'001-one.md\n003-three.md'
	co-undo -q
	run -0 co-undo
	run -0 stems $memories
	expect <<<$'001-one.md\n002-two.md\n003-three.md'
}

# kept_bytes: print the names of the texts that the log keeps.
kept_bytes() {
	find "$oplog/now" -type f -not -name ops -printf '%f\n'
}

# refuse CALL ERROR PATH COMMAND...: run COMMAND with each CALL on PATH failing.
refuse() {
	strace -f -qq -o /dev/null -P "$3" -e "inject=$1:error=$2" "${@:4}"
}

@test "a file is not lost if its new place was taken meanwhile" {
	save_three
	co-memory-remove 2 >/dev/null
	kill_with_note co-memory-restore $trash/*/002-two.md
	echo mine >$memories/002-two.md
	run -0 --separate-stderr co-memory-save -q <<<four
	[[ $stderr == *"002-two.md' has changed meanwhile" ]]
	[ ! -e "$note" ]
	[ "$(<$memories/002-two.md)" = mine ]
	[ "$(tail -n 1 $trash/*/002-two.md)" = two ]
}

@test "a new text that was not written yet stays in the log if its name is taken" {
	save_three
	echo new >"$BATS_TEST_TMPDIR/in"
	kill_with_note co-memory-save --replaces=1
	echo mine >$memories/004-new.md
	co-memory-save -q <<<five
	grep -qx new "$oplog"/now/*
}

@test "bytes that cannot be read are kept, and the change waits for them" {
	save_three
	echo new >"$BATS_TEST_TMPDIR/in"
	kill_with_note co-memory-save --replaces=1
	for sum in $(kept_bytes); do
		! grep -qx new "$oplog/now/$sum" || break
	done
	refuse openat EIO "$sum" co-memory-save -q <<<five
	[ -e "$note" ]
	[ -e "$oplog/now/$sum" ]
	[ ! -e $memories/004-new.md ]
	co-memory-save -q <<<six
	[ ! -e "$note" ]
	[ "$(tail -n 1 $memories/004-new.md)" = new ]
	run -0 stems $archive
	expect <<<001-one.md
}

@test "a change that was made succeeds even if its line cannot be logged" {
	save_three
	run -0 --separate-stderr refuse write ENOSPC "$oplog/now/ops" co-memory-remove 1 2
	[[ $stderr == *"is made, but not in the log yet: cannot write '$oplog/now/ops'"* ]]
	[ -e "$note" ]
	run -0 stems $memories
	expect <<<003-three.md
	run -0 --separate-stderr co-memory-save -q <<<four
	[ -z "$stderr" ]
	[ ! -e "$note" ]
	run -0 changed_files 2
	expect <<<$'001-one.md\n002-two.md'
	co-undo -q
	run -0 co-undo
	run -0 stems $memories
	expect <<<$'001-one.md\n002-two.md\n003-three.md'
}

@test "a change that was made succeeds even if its list of steps stays" {
	save_three
	run -0 --separate-stderr refuse unlinkat EIO unfinished co-memory-remove 1 2
	[[ $stderr == *"cannot remove '$note'"* ]]
	[ -e "$note" ]
	co-memory-save -q <<<four
	[ ! -e "$note" ]
	[ "$(co-operation-list --json | wc -l)" -eq 5 ]
	run -0 co-undo
	run -0 co-undo
	run -0 stems $memories
	expect <<<$'001-one.md\n002-two.md\n003-three.md'
}

@test "a change of one file that cannot be logged is reported" {
	save_three
	run -0 --separate-stderr refuse write ENOSPC "$oplog/now/ops" co-memory-remove 1
	[[ $stderr == *"not in the log, so 'co undo' cannot undo it"* ]]
	run -0 stems $memories
	expect <<<$'002-two.md\n003-three.md'
}

@test "an unfinished change is reported, and blocks changes of several files" {
	save_three
	kill_with_note co-memory-remove 1 2
	blocker=$(echo $trash/*)/001-one.md
	echo other >"$blocker"
	run -0 --separate-stderr co-memory-save -q <<<four
	[[ $stderr == *"a change that was killed cannot be finished yet: "*"/001-one.md' already exists" ]]
	run -5 --separate-stderr co-memory-save -q --replaces=3 <<<five
	[[ $stderr == *"'$note' exists: a change that was killed must be finished first"* ]]
	rm "$blocker"
	run -0 --separate-stderr co-memory-save -q --replaces=3 <<<five
	[ -z "$stderr" ]
	run -0 stems $trash
	expect <<<$'001-one.md\n002-two.md'
}

@test "a change that is finished late gets an operation number of its own" {
	save_three
	echo new >"$BATS_TEST_TMPDIR/in"
	kill_with_note co-memory-save --replaces=1
	# Other operations were logged meanwhile, one of them the last of a segment.
	tail -n 1 "$oplog/now/ops" | sed 's/"op":3,/"op":1000,/;s/three/other/' >line
	cat line >>"$oplog/now/ops"
	refuse unlinkat EIO unfinished co-memory-save -q <<<five
	[ -e "$note" ]
	co-memory-save -q <<<six
	[ ! -e "$note" ]
	[ "$(tail -n 1 $memories/004-new.md)" = new ]
	run -0 jq -r '.op' <(co-operation-list --json)
	expect <<<$'1003\n1002\n1001\n1000\n3\n2\n1'
	run -0 changed_files 3
	expect <<<$'004-new.md\n001-one.md\n001-one.md'
	for _ in {1..3}; do co-undo -q; done
	run -0 stems $memories
	expect <<<$'001-one.md\n002-two.md\n003-three.md'
}

@test "a file that cannot be looked for is not treated as absent" {
	save_three
	run -4 --separate-stderr refuse faccessat2,newfstatat EIO 001-one.md \
		co-memory-save -q --replaces=1 <<<new
	[[ $stderr == *"001-one.md': Input/output error" ]]
	co-memory-save -q --replaces=1 <<<new
	run -4 --separate-stderr refuse faccessat2,newfstatat EIO 001-one.md co-memory-restore 1
	[[ $stderr == *"001-one.md': Input/output error" ]]
	run -0 co-memory-restore 1
	run -0 stems $memories
	expect <<<$'001-one.md\n002-two.md\n003-three.md\n004-new.md'
}

@test "a list of steps that cannot be looked for is not treated as absent" {
	save_three
	kill_with_note co-memory-remove 1 2
	run -0 --separate-stderr refuse newfstatat EIO "$note" co-memory-save -q <<<four
	[[ $stderr == *"cannot be finished yet: cannot "*"'$note': Input/output error" ]]
	[ -e "$note" ]
	co-memory-save -q <<<five
	run -0 stems $memories
	expect <<<$'003-three.md\n004-four.md\n005-five.md'
}

@test "a file in a deleted directory is not changed" {
	save_three
	EDITOR='sed -i s/one/ONE/' co-edit 1 >/dev/null
	kill_with_note co-undo
	mv $memories was
	run -0 --separate-stderr co-memory-save -q <<<four
	[[ $stderr == *"001-one.md' has changed meanwhile" ]]
	[ ! -e "$note" ]
	run -0 changed_files 1
	expect <<<001-four.md
	run -0 changed_files 2
	expect <<<001-one.md
	[ "$(co-operation-list --json | wc -l)" -eq 5 ]
}

@test "a draft in the git directory changes only under that directory's lock" {
	git init -q . 2>/dev/null || skip "git is missing"
	co-memory-save -q --draft <<<one
	co-memory-remove 1 >/dev/null
	run -4 --separate-stderr refuse flock EIO "$PWD/.git/co-cli/.co-cli/drafts" co-undo
	[[ $stderr == *"cannot lock '$PWD/.git/co-cli/.co-cli/drafts': Input/output error" ]]
	run -0 stems .git/co-cli/.co-cli/drafts
	expect </dev/null
	run -0 co-undo
	run -0 stems .git/co-cli/.co-cli/drafts
	expect <<<001-one.md
}

@test "bytes of an older operation stay if a later one keeps them too" {
	save_three
	cp $memories/001-one.md first
	EDITOR='sed -i s/one/ONE/' co-edit 1 >/dev/null
	cp $memories/001-one.md second
	EDITOR='sed -i s/ONE/one/' co-edit 1 >/dev/null
	co-memory-save -q --replaces=1 <<<four
	co-memory-restore $archive/001-one.md >/dev/null
	diff first $memories/001-one.md
	cp second $memories/001-one.md
	run -0 co-operation-undo 4
	diff first $memories/001-one.md
}

@test "a failed change removes from the log only what it added" {
	save_three
	EDITOR='sed -i s/one/ONE/' co-edit 1 >/dev/null
	kept_bytes | sort >was
	run -4 refuse renameat2 EIO 004-new.md co-memory-save -q --replaces=1,2 <<<new
	kept_bytes | sort | diff was -
}

@test "a file that was moved back stays even if another one had to be copied" {
	save_three
	co-memory-remove 1 2 >/dev/null
	kill_with_note co-forget --undo
	cp $trash/*/002-two.md $memories
	refuse renameat2 EXDEV:when=1 001-one.md co-memory-save -q <<<four
	[ ! -e "$note" ]
	run -0 stems $memories
	expect <<<$'001-one.md\n002-two.md\n003-three.md\n004-four.md'
	run -0 stems $trash
	expect <<<002-two.md
}
