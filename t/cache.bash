# t/cache.bash: helpers for tests of the cache.

# many [N]: make a store of N memories.
many() {
	"$CO_SOURCE/t/perf/generate" "${1:-150}" . >/dev/null
	settle
}

# settle: wait until the files are old enough that the cache trusts them.
settle() {
	sleep 0.03
}

catalog() {
	find "$HOME/.cache/co-cli" -name files
}

# warm: fill the cache until it trusts the files.
warm() {
	co-memory-list >/dev/null 2>&1
	settle
	co-memory-list >/dev/null 2>&1
	co-memory-next-id >/dev/null 2>&1
	[ -n "$(catalog)" ]
}

# say PROGRAM...: print all output of PROGRAM and its exit status.
say() {
	local complaints=$BATS_TEST_TMPDIR/complaints.$BASHPID
	"$@" 2>"$complaints"
	echo "status $?"
	# A program that finds the cache damaged reports it, and may read a file twice.
	awk '!/: the index of .* was rebuilt: / && !said[$0]++' "$complaints"
}

# each_reader: print the output of every reader, each below its command line.
each_reader() {
	local command complaints=$BATS_TEST_TMPDIR/complaints.$BASHPID
	while read -r command; do
		echo "== $command"
		echo "== $command" >&2
		# shellcheck disable=SC2086
		$command </dev/null
		echo "status $?"
	done 2>"$complaints" <<-'END'
		co-memory-list --json
		co-memory-list -r --sort=created -n 20
		co-memory-list --tag=index --since=2025-03-01 --until=2025-09-30
		co-memory-list --drafts --json
		co-memory-list --trash --json
		co-memory-next-id
		co-memory-grep --json xylophone
		co-memory-grep -c .
		co-memory-grep -v -s The
		co-memory-grep -w --tag=cache index
		co-memory-show 7 17 101
		co-recall -n 3 xylophone
		co-knowledge --list
	END
	# As in say(), ignore messages about the cache and repeated ones.
	awk '/^== / { split("", said) }
		!/: the index of .* was rebuilt: / && !said[$0]++' "$complaints"
}

# same [again]: check that every reader prints the same with and without the cache. With
# "again", no file has changed since the last call, and its output is used.
same() {
	local want=$BATS_TEST_TMPDIR/without
	if [ "${1:-}" = again ]; then
		diff -u -F '^== ' "$want" <(each_reader)
	else
		diff -u -F '^== ' <(XDG_CACHE_HOME=/dev/null each_reader |
			tee "$want") <(each_reader)
	fi
}
