#!/usr/bin/env bats
# What a list or a search keeps of its results.
load lib

@test "lists and searches are the same with and without a cache" {
	local n how
	mkdir .co-cli
	for n in {1..300}; do
		printf '{"content":"text %d of many words","tags":["t%d"]}\n' \
			"$n" $((n % 7))
	done | co-memory-save --batch >/dev/null
	for how in 'co-memory-list --json' 'co-memory-list -r -n 7' \
		'co-memory-list --sort=created --format=%(id):%(content)' \
		'co-memory-grep --json many' 'co-memory-grep -n 3 text' \
		'co-memory-grep -c text' 'co-knowledge --list' \
		'co-recall --mode=grep -n 200 many words' \
		'co-recall --mode=grep text 12' 'co-forget -n --all many'; do
		$how >cached.out
		XDG_CACHE_HOME=/dev/null $how >read.out
		diff -u read.out cached.out
		[ -s cached.out ]
	done
}
