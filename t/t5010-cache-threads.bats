#!/usr/bin/env bats
# The cache of a store so large that several threads check it. The number of
# threads must not change the output, whatever happens to the files.
load lib
load cache

setup_file() {
	"$BATS_TEST_DIRNAME/perf/generate" 5000 "$BATS_FILE_TMPDIR" >/dev/null
}

# large: make a store of 2,199 memories, enough for threads in all that the
# readers of same() do, with an article and a draft.
large() {
	local from=$BATS_FILE_TMPDIR/$memories
	mkdir -p .co-cli/knowledge/articles $drafts $memories
	cp "$from"/[0-9][0-9][0-9]-* "$from"/1[0-9][0-9][0-9]-* \
		"$from"/2[01][0-9][0-9]-* $memories
	complete
}

# largest: make a store of 5,000 memories, enough for threads that index
# documents.
largest() {
	mkdir -p .co-cli/knowledge/articles $drafts
	cp -r "$BATS_FILE_TMPDIR/$memories" $memories
	complete
}

complete() {
	printf -- '---\nsource: https://example.org/a\nfetched: %s\n---\n# A\nb\n' \
		2026-01-01T00:00:00Z >.co-cli/knowledge/articles/a.md
	memory 9000 2026-01-01T00:00:00Z a $drafts/9000-a.md <<<draft
	settle
	warm
}

# both [again]: check that every reader prints the same with and without the
# cache (see same), and the same on one processor as on all.
both() {
	same "$@"
	alone co-memory-grep -s The
	alone co-memory-list
}

# alone COMMAND...: check that it prints the same on one processor as on all.
alone() {
	have_taskset || return 0
	diff <(say "$@") <(say taskset -c "$cpu" "$@")
}

# have_taskset: set cpu to a processor that this process may use.
have_taskset() {
	cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' \
		/proc/self/status 2>/dev/null)
	taskset -c "${cpu:-0}" true 2>/dev/null
}

@test "in a large store, readers notice edits, additions, removals and renames" {
	large
	both
	printf '%s\n' '' 'xylophone 1' >>$memories/007-*
	both
	memory 9001 2026-01-01T00:00:00Z new <<<'a new xylophone'
	both
	rm $memories/1020-*
	both
	mv $memories/1030-* $memories/001-moved.md
	both
	settle
	# Edit as editors do: write a new file and rename it to the old name.
	sed -i 's/the/xylophone/' $memories/2100-*
	both
	settle
	both again
}

# bats test_tags=slow
@test "in a large store, readers notice restored times, links and directories" {
	large
	file=$(echo $memories/1044-*)
	touch -r "$file" stamp
	sed 's/[a-z]$/X/' "$file" >changed
	[ "$(wc -c <"$file")" = "$(wc -c <changed)" ]
	cat changed >"$file"
	touch -r stamp "$file"
	both
	cp -p changed "$file"
	both
	rm $memories/1050-*
	ln -s "$PWD/changed" $memories/1050-link.md
	mkfifo $memories/1051-fifo.md
	mkdir $memories/1052-folder.md
	printf 'no frontmatter' >$memories/1053-broken.md
	both
	both again
	settle
	cp -a $memories other
	rm other/1100-*
	mv $memories away
	mv other $memories
	both
	rm -r $memories
	both
	mkdir $memories
	cp -a away/. $memories
	both
}

@test "in a large store, readers notice an edit in place in the same tick" {
	large
	for i in {1..10}; do
		memory 2007 2026-01-01T00:00:00Z a $memories/2007-x.md \
			<<<"word$((i + 10)) here"
		[ "$(co-memory-grep -c "word$((i + 10)) here")" = 1 ]
		[ "$(co-memory-grep -c "word$((i + 9)) here")" = 0 ] || false
	done
}

@test "in a large store, search and check print the same on one processor" {
	largest
	printf 'no frontmatter' >$memories/1053-broken.md
	for _ in 1 2; do
		run -0 --separate-stderr co-index-query 'quokka database'
		[ "${#lines[@]}" -ge 2 ]
		run -3 co-knowledge-check
		[[ $output == *1053-broken* ]]
		alone co-index-query 'quokka database'
		alone co-knowledge-check
	done
}

# bats test_tags=slow
@test "in a large store, readers rebuild a damaged cache" {
	large
	size=$(stat -c %s "$(catalog)")
	for part in 1 4 7; do
		printf 'damage' | dd of="$(catalog)" bs=1 conv=notrunc \
			seek=$((size * part / 8)) status=none
		both
		settle
		warm
	done
}

@test "in a large store, readers print the same if no thread can be started" {
	need_strace
	large
	for command in 'co-memory-grep xylophone' co-memory-list; do
		# shellcheck disable=SC2086
		diff <($command) <(strace -o /dev/null -f \
			-e inject=clone,clone3:error=EAGAIN $command)
		# shellcheck disable=SC2086
		diff <($command) <(XDG_CACHE_HOME=/dev/null strace -o /dev/null \
			-f -e inject=unshare:error=EPERM $command)
	done
}

@test "in a large store, grep stops a pattern that takes too long" {
	large
	seq -f '{"content":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!","tags":["t%.0f"]}' \
		300 | co-memory-save --batch >/dev/null
	settle
	warm
	run -4 co-memory-grep '^(a|aa|a{3}){1,60}$'
	[[ "$output" == *"stopped at its limit of"* ]]
	run -4 co-memory-grep -v '^(a|aa|a{3}){1,60}$'
	[[ "$output" == *"stopped at its limit of"* ]]
}

# bats test_tags=slow
@test "in a large store, readers are right while an editor changes files" {
	large
	for i in {1..20}; do
		sed -i "s/the/th$((i % 10))/" $memories/1100-*
		memory $((8000 + i)) 2026-01-01T00:00:00Z hand <<<"hand $i"
	done &
	for p in 1 2 3; do
		for i in {1..8}; do
			[ "$(co-memory-grep -c xylophone)" = 21 ] ||
				echo "wrong: $(co-memory-grep -c xylophone)"
			co-memory-list | sort | uniq -d
		done >>"$BATS_TEST_TMPDIR/errors" 2>&1 &
	done
	wait
	diff /dev/null "$BATS_TEST_TMPDIR/errors"
	both
	settle
	both again
}
