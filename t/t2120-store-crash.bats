#!/usr/bin/env bats
# What is left when a writer is killed, or the system refuses.  Each test runs
# a command again and again, and ends it at its first system call, its second,
# and so on, until a run passes untouched.
load lib
load killed

# The memories of AREA, with their content.
in_area() {
	find ".co-cli/knowledge/$1" -name '*.md' -exec cat {} + 2>/dev/null
}

# The next writer works at once, and no litter outlives it.
goes_on() {
	age_litter
	echo next | co-memory-save >/dev/null 2>&1 &&
		[ "$(cat $memories/*-next.md | tail -n 1)" = next ] &&
		[ -z "$(find .co-cli -name '.co-tmp*')" ] &&
		[ -z "$(find .co-cli -name '*.md' -size 0)" ]
}

nothing() {
	:
}

one_memory() {
	memory 1 2026-01-01T00:00:00Z a $memories/001-one.md <<<one
}

saved_or_not() {
	local text
	text=$(in_area memories)
	if [ -n "$text" ]; then
		[ "$(printf '%s' "$text" | tail -n 1)" = hello ] &&
			[ "$(printf '%s\n' "$text" | wc -l)" -eq 8 ] || return
	else
		# What was not kept was not promised either.
		[ ! -s "$BATS_TEST_TMPDIR/out" ] || return
	fi
	goes_on && grep -qxF ".co-tmp*" .co-cli/.gitignore
}

@test "a save that is killed anywhere is done or undone, and the next works" {
	need_strace
	echo hello >"$BATS_TEST_TMPDIR/in"
	every_call nothing saved_or_not signal=KILL co-memory-save
}

removed_or_not() {
	local here there
	here=$(in_area memories)
	there=$(in_area trash)
	[ -z "$here" ] || [ -z "$there" ] || return
	[ "$(printf '%s' "$here$there" | tail -n 1)" = one ] || return
	[ "$(co-memory-next-id)" = 2 ] || return
	goes_on
}

@test "a removal that is killed anywhere leaves the memory here or in trash" {
	need_strace
	: >"$BATS_TEST_TMPDIR/in"
	every_call one_memory removed_or_not signal=KILL co-memory-remove 1
}

removed_memory() {
	one_memory
	co-memory-remove 1 >/dev/null
	memory 1 2026-01-02T00:00:00Z b $memories/001-other.md <<<other
}

restored_or_not() {
	local all twin
	# Where no call renames without replacing, the file may have two names
	# until it is restored again.
	twin=$(find $trash -name '*.md' -links +1)
	[ -z "$twin" ] || co-memory-restore "$twin" >/dev/null || return
	all=$(in_area memories; in_area trash)
	[ "$(grep -cx one <<<"$all")" -eq 1 ] &&
		[ "$(grep -cx other <<<"$all")" -eq 1 ] &&
		[ "$(in_area memories | grep -c '^id: 1$')" -eq 1 ] &&
		goes_on
}

@test "a restore under a new id that is killed anywhere loses nothing" {
	need_strace
	: >"$BATS_TEST_TMPDIR/in"
	every_call removed_memory restored_or_not signal=KILL \
		co-memory-restore 1
}

purged_or_not() {
	[ "$(co-memory-next-id)" = 2 ] && goes_on
}

@test "a purge that is killed anywhere does not give the id away" {
	need_strace
	: >"$BATS_TEST_TMPDIR/in"
	every_call one_memory purged_or_not signal=KILL \
		co-memory-remove --purge 1
}

replaced_or_not() {
	[ "$(in_area memories | grep -cx -e hello -e one)" -ge 1 ] &&
		[ "$( (in_area memories; in_area archive) | grep -cx one)" -eq 1 ] &&
		goes_on &&
		# The next save has finished it.
		[ "$(in_area memories | grep -cx -e hello -e one)" -eq 1 ] || return
	# And each of the two says what became of it, or neither does.
	if [ -e $archive/001-one.md ]; then
		grep -qx 'superseded: 2' $archive/001-one.md &&
			grep -qx 'supersedes: \[1\]' $memories/002-hello.md
	else
		[ ! -e $memories/002-hello.md ] &&
			! grep -q supersede $memories/001-one.md
	fi
}

@test "a replacing save that is killed anywhere keeps the old or the new" {
	need_strace
	echo hello >"$BATS_TEST_TMPDIR/in"
	every_call one_memory replaced_or_not signal=KILL \
		co-memory-save --replaces=1
}

@test "what is said to be done is on the disk, in the order that keeps it" {
	need_strace
	echo one >one
	echo two >two
	durably co-memory-save <one
	durably co-memory-save --draft <two
	durably co-memory-save --replaces=1 <two
	durably co-memory-remove 3
	durably co-memory-restore 3
	durably co-memory-remove --purge 3
	echo '{"content":"three"}' >three
	durably co-memory-save --batch <three
	# What comes back under another id is written anew.
	durably co-memory-remove 4
	memory 4 2026-01-01T00:00:00Z a <<<four
	durably co-memory-restore "$trash"/*/004-three.md
}

# One clear line, and whatever was refused is not half there.
refused_or_saved() {
	local text
	text=$(in_area memories)
	if [ "$1" -eq 0 ]; then
		[ "$(printf '%s' "$text" | tail -n 1)" = hello ] || return
	else
		[ "$1" -lt 128 ] &&
			[ "$(grep -c '^co-memory-save: ' \
				"$BATS_TEST_TMPDIR/err")" -ge 1 ] || return
	fi
	[ -z "$(find .co-cli -name '.co-tmp*' 2>/dev/null)" ] || return
	goes_on
}

@test "a save reports each write, sync or rename that fails" {
	need_strace
	local call n error status
	echo hello >"$BATS_TEST_TMPDIR/in"
	for call in fsync write mkdirat renameat2 flock; do
		for n in 1 2 3 4 5 6 7 8; do
			for error in EIO ENOSPC EDQUOT; do
				rm -rf .co-cli
				status=0
				strace -qq -o "$BATS_TEST_TMPDIR/trace" \
					-e "inject=$call:error=$error:when=$n" \
					co-memory-save \
					<"$BATS_TEST_TMPDIR/in" \
					>"$BATS_TEST_TMPDIR/out" \
					2>"$BATS_TEST_TMPDIR/err" || status=$?
				# What is for people cannot be told to them.
				! grep -q '^write(2,.*INJECTED' \
					"$BATS_TEST_TMPDIR/trace" || continue
				if ! refused_or_saved "$status"; then
					echo "$call $n $error: $status"
					cat "$BATS_TEST_TMPDIR/err"
					return 1
				fi
			done
		done
	done
}

@test "calls that are interrupted are called again" {
	need_strace
	echo hello >"$BATS_TEST_TMPDIR/in"
	for call in fsync write read openat flock; do
		rm -rf .co-cli
		strace -qq -o /dev/null -e "inject=$call:error=EINTR:when=1" \
			co-memory-save <"$BATS_TEST_TMPDIR/in" \
			>"$BATS_TEST_TMPDIR/out"
		[ "$(in_area memories | tail -n 1)" = hello ]
	done
}

@test "where a file system cannot rename without replacing, links do" {
	need_strace
	echo taken | co-memory-save
	echo hello >"$BATS_TEST_TMPDIR/in"
	strace -f -qq -o /dev/null -e inject=renameat2:error=EINVAL \
		co-memory-save <"$BATS_TEST_TMPDIR/in"
	[ "$(tail -n 1 $memories/002-hello.md)" = hello ]
	[ -z "$(find .co-cli -name '.co-tmp*')" ]
	run -0 strace -f -qq -o /dev/null -e inject=renameat2:error=EINVAL \
		co-memory-remove 2
	[ "$(tail -n 1 "$output")" = hello ]
}

@test "where a folder cannot be locked, a file in the cache is" {
	need_strace
	echo hello >"$BATS_TEST_TMPDIR/in"
	strace -qq -o /dev/null -e inject=flock:error=EBADF:when=1 \
		co-memory-save <"$BATS_TEST_TMPDIR/in"
	[ "$(tail -n 1 $memories/001-hello.md)" = hello ]
	[ "$(find "$HOME/.cache/co-cli" -name 'lock-*' | wc -l)" -eq 1 ]
	[ "$(stat -c %a "$HOME/.cache/co-cli")" = 700 ]
}

@test "a file limit is an error, and leaves nothing behind" {
	echo small | co-memory-save
	head -c 20000 /dev/zero | tr '\0' x >"$BATS_TEST_TMPDIR/in"
	run -4 --separate-stderr bash -c "ulimit -f 8 &&
		co-memory-save <'$BATS_TEST_TMPDIR/in'"
	[ -z "$output" ]
	[[ $stderr == "co-memory-save: cannot write '"*"': File too large" ]]
	[ -z "$(find .co-cli -name '.co-tmp*')" ]
	[ "$(find $memories -type f | wc -l)" -eq 1 ]
	[ "$(co-memory-next-id)" = 2 ]
}

@test "a full standard output is an error, and the memory is kept" {
	[ -c /dev/full ] || skip "no /dev/full"
	run -4 bash -c 'echo hello | co-memory-save >/dev/full'
	[ "$(tail -n 1 $memories/001-hello.md)" = hello ]
}
