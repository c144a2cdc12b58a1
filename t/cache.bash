# t/cache.bash: stores whose cache is tested, for the tests that load it.

# many [N]: a store of N memories.
many() {
	"$CO_SOURCE/t/perf/generate" "${1:-150}" . >/dev/null
	settle
}

# settle: let ticks of the clock pass, so that files are surely what they were.
settle() {
	sleep 0.03
}

catalog() {
	find "$HOME/.cache/co-cli" -name files
}

# warm: make the cache, and let it be sure.
warm() {
	co-memory-list >/dev/null 2>&1
	settle
	co-memory-list >/dev/null 2>&1
	co-memory-next-id >/dev/null 2>&1
	[ -n "$(catalog)" ]
}

# say PROGRAM...: all that it says, and how it ends.
say() {
	local complaints=$BATS_TEST_TMPDIR/complaints.$BASHPID
	"$@" 2>"$complaints"
	echo "status $?"
	# Who finds the cache damaged says so, and may have read a file twice.
	awk '!/: the index of .* was made anew: / && !said[$0]++' "$complaints"
}

# same: every reader says with the cache what it says without.
same() {
	local command
	while read -r command; do
		# shellcheck disable=SC2086
		diff <(XDG_CACHE_HOME=/dev/null say $command) \
			<(say $command) || {
			echo "$command: said another thing"
			return 1
		}
	done <<-'END'
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
}
