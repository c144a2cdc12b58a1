#!/usr/bin/env bats
# What is left after a save is killed, or after the system refuses a call. A save is
# killed before each call that changes something. t/faults does this and more to all
# commands.
# bats file_tags=rights
load lib
load killed

# in_area AREA: print the memories of AREA.
in_area() {
	find ".co-cli/knowledge/$1" -name '*.md' -exec cat {} + 2>/dev/null
}

# changes COMMAND...: run COMMAND, and print each call that changes something, as its
# name and its number among the calls of that name.
changes() {
	strace -qq -o "$BATS_TEST_TMPDIR/trace" \
		-e trace=mkdirat,openat,write,renameat2,linkat,unlinkat "$@" \
		<"$BATS_TEST_TMPDIR/in" >/dev/null 2>&1 || return
	awk -F '(' '{ n[$1]++ } $1 != "openat" || /O_CREAT/ { print $1, n[$1] }' \
		"$BATS_TEST_TMPDIR/trace"
}

# saved_or_not: check that a killed save kept all or nothing and reported no more than
# it kept, that the next save works, and that no temporary file is left.
saved_or_not() {
	local kept left next
	kept=("$memories"/*.md)
	if ((${#kept[@]})); then
		[ "$(<"${kept[0]}")" = "$whole" ] && ((${#kept[@]} == 1)) || return
	else
		[ ! -s "$BATS_TEST_TMPDIR/out" ] || return
	fi
	left=(.co-cli/{,knowledge/{,*/}}.co-tmp*)
	((!${#left[@]})) || touch -h -d '2 hours ago' "${left[@]}"
	co-memory-save <<<next >"$BATS_TEST_TMPDIR/next" 2>/dev/null || return
	next=$(<"$BATS_TEST_TMPDIR/next")
	left=(.co-cli/{,knowledge/{,*/}}.co-tmp*)
	[[ $(<"$next") == *$'\n---\n\nnext' && ${#left[@]} -eq 0 ]] &&
		[[ $(<.co-cli/.gitignore) == *$'\n.co-tmp*' ]]
}

@test "a save that is killed anywhere is done or undone, and the next works" {
	need_strace
	local all name n status whole
	shopt -s nullglob
	echo hello >"$BATS_TEST_TMPDIR/in"
	all=$(changes co-memory-save)
	[[ $all == *mkdirat*openat*write*renameat2* ]]
	whole=$(<$memories/001-hello.md)
	while read -r name n; do
		rm -rf .co-cli "${HOME:?}"/.[cl]*
		status=0
		traced "$name" "$n" signal=KILL co-memory-save || status=$?
		if [ "$status" -ne 137 ] || ! saved_or_not; then
			printf 'at %s %d: %d\n' "$name" "$n" "$status"
			find .co-cli -type f
			return 1
		fi
	done <<<"$all"
}

@test "a reported change is on the disk, synced in the right order" {
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
	seq -f '{"content":"old %g"}' 3 >old.jsonl
	durably co-import --accept old.jsonl
	grep -q 'Imported 3' "$BATS_TEST_TMPDIR/out"
	durably co-memory-tag --add=new 5 6
	grep -q '006-old-2.md$' "$BATS_TEST_TMPDIR/out"
	rm $memories/00[567]-*
	# A memory that is restored under another id is written again.
	durably co-memory-remove 4
	memory 4 2026-01-01T00:00:00Z a <<<four
	durably co-memory-restore "$trash"/*/004-three.md
}

@test "an import and a change of tags sync the directory once, then report" {
	need_strace
	local program n
	seq -f '{"content":"old %g"}' 40 >old.jsonl
	for program in 'co-import --accept old.jsonl' 'co-memory-tag --add=x --all'; do
		# shellcheck disable=SC2086
		strace -f --seccomp-bpf -qq -y -o calls -e trace=fsync $program >out
		n=$(grep -c 'fsync.*/memories>' calls)
		echo "$program: $n"
		# A slow disk may take several intervals of half a second.
		((n >= 1 && n < 20))
	done
	seq 40 | co-memory-remove >/dev/null
	seq -f '{"content":"new %g"}' 2 >new.jsonl
	for program in 'co-import --accept new.jsonl' 'co-memory-tag --add=y --all'; do
		# shellcheck disable=SC2086
		run -4 --separate-stderr strace -f -qq -o /dev/null \
			-P "$PWD/$memories" -e inject=fsync:error=EIO $program
		[ -z "$output" ]
		[[ $stderr == *': cannot sync the directory of '* ]]
	done
}

@test "a save reports a write, sync or rename that fails" {
	need_strace
	local call n error status
	echo hello >"$BATS_TEST_TMPDIR/in"
	for call in 'fsync 1 EIO' 'mkdirat 1 ENOSPC' 'mkdirat 3 EDQUOT' \
		'renameat2 1+ ENOSPC' 'flock 1 EIO'; do
		read -r call n error <<<"$call"
		rm -rf .co-cli "${HOME:?}"/.[cl]*
		status=0
		traced "$call" "$n" "error=$error" co-memory-save || status=$?
		# Nothing of a refused save is left.
		[ "$status" -eq 4 ]
		grep -q '^co-memory-save: ' "$BATS_TEST_TMPDIR/err"
		[ ! -s "$BATS_TEST_TMPDIR/out" ]
		[ -z "$(find .co-cli -name '.co-tmp*' -o -name '*.md' 2>/dev/null)" ]
		co-memory-save <<<next >/dev/null 2>&1
	done
}

@test "interrupted system calls are retried" {
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

@test "co uses hard links if the file system has no exclusive rename" {
	need_strace
	echo taken | co-memory-save
	echo hello >"$BATS_TEST_TMPDIR/in"
	strace -f --seccomp-bpf -e trace=renameat2 -qq -o /dev/null -e inject=renameat2:error=EINVAL \
		co-memory-save <"$BATS_TEST_TMPDIR/in"
	[ "$(tail -n 1 $memories/002-hello.md)" = hello ]
	[ -z "$(find .co-cli -name '.co-tmp*')" ]
	run -0 strace -f --seccomp-bpf -e trace=renameat2 -qq -o /dev/null -e inject=renameat2:error=EINVAL \
		co-memory-remove 2
	[ "$(tail -n 1 "$output")" = hello ]
}

@test "co locks a file in the cache if it cannot lock the directory" {
	need_strace
	echo hello >"$BATS_TEST_TMPDIR/in"
	strace -qq -o /dev/null -e inject=flock:error=EBADF:when=1 \
		co-memory-save <"$BATS_TEST_TMPDIR/in"
	[ "$(tail -n 1 $memories/001-hello.md)" = hello ]
	[ "$(find "$HOME/.cache/co-cli" -name 'lock-*' | wc -l)" -eq 1 ]
	[ "$(stat -c %a "$HOME/.cache/co-cli")" = 700 ]
}

@test "a file size limit is an error and leaves no partial file" {
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

@test "a full standard output is an error, and the memory is saved" {
	[ -c /dev/full ] || skip "no /dev/full"
	run -4 bash -c 'echo hello | co-memory-save >/dev/full'
	[ "$(tail -n 1 $memories/001-hello.md)" = hello ]
}
