#!/usr/bin/env bats
# Test the index after damage and kills, and with parallel processes.
load lib

setup() {
	world
	memory 1 2026-02-01T10:00:00Z 'python' <<<'User prefers async over callbacks'
	memory 2 2026-02-02T10:00:00Z '' <<<'We went from callbacks to threads'
	memory 3 2026-02-03T10:00:00Z '' <<<'Deploys go through the blue gate'
}

flip() {
	local folder
	co-index-query "${@:3}" >/dev/null
	folder=$(echo "$HOME"/.cache/co-cli/*)
	"$CO_BIN/../t/tool/search/flip" "$folder/$1" "$2" "$CO_BIN/co-index-query" "${@:3}"
}

@test "a query gives the same answer after damage to sampled database bytes" {
	run -0 flip knowledge.db 389 callbacks threads async
	expect </dev/null
}

# bats test_tags=slow
@test "a query gives the same answer after damage to many database bytes" {
	run -0 flip knowledge.db 97 callbacks threads async
	expect </dev/null
}

@test "a query gives the same answer after damage to sampled catalog bytes" {
	run -0 flip files 29 callbacks threads async
	expect </dev/null
}

# bats test_tags=slow
@test "any damaged byte of the catalog gives the same answer" {
	run -0 flip files 7 callbacks threads async
	expect </dev/null
}

@test "an update killed at any time leaves an index that answers" {
	seq 300 | sed 's/.*/{"content":"Filler number &"}/' |
		co-memory-save --batch >/dev/null
	for ms in 1 2 3 4 5 6 8 10 12 15 20; do
		seq 20 | sed "s/.*/{\"content\":\"Another $ms &\"}/" |
			co-memory-save --batch >/dev/null
		timeout -s KILL "0.0$(printf %02d $ms)" co-index-update \
			>/dev/null 2>&1 || :
		run -0 co-index-query -n 50 "\"another $ms\""
		[ "$(grep -c 'another-' <<<"$output")" = 20 ]
	done
}

@test "a query after a killed query prints no warning" {
	co-index-update >/dev/null
	worker() {
		for i in {1..12}; do
			printf '%s\n' "Edit $1 $i" >>$memories/003-m.md
			timeout -s KILL "0.0$(printf %02d $((RANDOM % 20 + 1)))" \
				co-index-query callbacks >/dev/null 2>&1 || :
			co-index-query callbacks >"$1.out" 2>"$1.err" || return 1
			[ "$(wc -l <"$1.out")" = 2 ] && [ ! -s "$1.err" ] ||
				return 1
		done
	}
	workers=()
	for i in 1 2 3 4; do worker "w$i" & workers+=($!); done
	for pid in "${workers[@]}"; do wait "$pid"; done
}

@test "an update killed before it records its stamp does no harm" {
	co-index-update >/dev/null
	folder=$(echo "$HOME"/.cache/co-cli/*)
	memory 4 2026-02-04T10:00:00Z '' <<<'More callbacks'
	co-index-update >/dev/null
	# Without its last commit the catalog has the previous stamp.
	truncate -s -184 "$folder/files"
	run -0 --separate-stderr co-index-query --explain callbacks
	[ "${#lines[@]}" = 3 ]
	[[ $stderr != *'made'* ]]
}

@test "a database without its catalog is rebuilt without a warning" {
	co-index-update >/dev/null
	rm "$(echo "$HOME"/.cache/co-cli/*)/files"
	run -0 --separate-stderr co-index-query callbacks
	[ "${#lines[@]}" = 2 ]
	[ "$stderr" = '' ]
}

@test "a journal that a killed writer left is rolled back" {
	co-index-update >/dev/null
	cd "$(echo "$HOME"/.cache/co-cli/*)"
	head -c 3000 /dev/urandom >knowledge.db-journal
	cd "$BATS_TEST_TMPDIR/project"
	run -0 co-index-query callbacks
	[ "$(grep -c '\.md$' <<<"$output")" = 2 ]
	run -0 --separate-stderr co-index-query callbacks
	[ "${#lines[@]}" = 2 ]
	[ "$stderr" = '' ]
}

@test "a query indexes in memory if another process holds the lock" {
	command -v flock >/dev/null || skip 'flock is missing'
	co-index-update >/dev/null
	memory 4 2026-02-04T10:00:00Z '' <<<'More callbacks'
	run -0 --separate-stderr flock "$(echo "$HOME"/.cache/co-cli/*)" \
		co-index-query --explain callbacks
	[ "${#lines[@]}" = 3 ]
	[[ $stderr == *'1 in memory: another process is writing'* ]]
	run -0 co-index-update
	expect <<<'1 added, 4 documents'
}

@test "a query answers on a full disk, and the index is updated later" {
	co-index-update >/dev/null
	seq 200 | sed 's/.*/{"content":"Filler callbacks number &"}/' |
		co-memory-save --batch >/dev/null
	run -0 --separate-stderr bash -c 'ulimit -f 16; trap "" XFSZ
		exec co-index-query -n 300 callbacks'
	[ "${#lines[@]}" = 202 ]
	run -0 co-index-query -n 300 callbacks
	[ "$(grep -c '\.md$' <<<"$output")" = 202 ]
}

@test "unusual cache directories do not change the answer" {
	for cache in '' relative "$BATS_TEST_TMPDIR/project" /dev/null /proc \
		"$HOME/missing/deep"; do
		XDG_CACHE_HOME=$cache run -0 --separate-stderr \
			co-index-query callbacks
		[ "${#lines[@]}" = 2 ]
		[ "$stderr" = '' ]
	done
	[ ! -e relative ]
	XDG_CACHE_HOME=/dev/null run -4 --separate-stderr co-index-update
	[[ $stderr == *'not written: the cache directory cannot be used' ]]
}

@test "a query notices that another directory replaced the store" {
	co-index-update >/dev/null
	cp -a .co-cli copy
	sed -i 's/callbacks/gizmos/' copy/knowledge/memories/*.md
	touch -r $memories copy/knowledge/memories
	mv .co-cli old && mv copy .co-cli
	[ "$(co-index-query gizmos | grep -c '\.md$')" = 2 ]
	run -1 co-index-query callbacks
	rm -r .co-cli && mv old .co-cli
	run -1 co-index-query gizmos
	[ "$(co-index-query callbacks | grep -c '\.md$')" = 2 ]
}

@test "readers, writers and an editor work in parallel without errors" {
	co-index-update >/dev/null
	writer() {
		for i in $(seq 10); do
			echo "Wombat $1 $i" | co-memory-save >/dev/null || return 1
		done
	}
	reader() {
		for i in {1..8}; do
			co-index-query callbacks >"$1.out" 2>"$1.err" || return 1
			[ "$(wc -l <"$1.out")" = 2 ] && [ ! -s "$1.err" ] ||
				return 1
		done
	}
	editor() {
		for i in $(seq 30); do
			printf '%s\n' "Edit $i" >>$memories/003-m.md
		done
	}
	writers=()
	for i in 1 2; do writer $i & writers+=($!); done
	for i in $(seq 10); do reader "r$i" & writers+=($!); done
	editor & writers+=($!)
	for pid in "${writers[@]}"; do wait "$pid"; done
	[ "$(co-index-query -n 50 wombat | wc -l)" = 20 ]
	[ "$(co-index-query 'edit 30' -n 1)" = "$PWD/$memories/003-m.md" ]
}

@test "a query answers if directories have the names of cache files" {
	local folder name
	co-index-query --mode=hybrid callbacks >/dev/null
	folder=$(echo "$HOME"/.cache/co-cli/*)
	for name in knowledge.db knowledge.new knowledge.db-journal \
		knowledge.new-journal files files.new vectors-new \
		"$(basename "$folder"/vectors-*)"; do
		rm -rf "${folder:?}/$name"
		mkdir -p "$folder/$name/within"
		run -0 --separate-stderr co-index-query callbacks
		echo "$name: $stderr"
		[ "${#lines[@]}" = 2 ]
		run -0 --separate-stderr co-index-query --mode=hybrid threads
		echo "$name: $stderr"
		[[ ${lines[0]} == */002-m.md ]]
		rm -r "${folder:?}/$name"
	done
}

# Turn vectors off, which are not in the database.
no_vectors() {
	mkdir -p "$global"
	echo '{"embed.provider": "none"}' >"$global/settings.json"
}

# Print the size of the only database.
bytes() {
	stat -c %s "$(echo "$HOME"/.cache/co-cli/*)/knowledge.db"
}

@test "single edits do not make the database much larger than a new one" {
	no_vectors
	seq 2000 | sed 's/.*/{"content":"Filler & is on row &7, shelf &3, pile &9"}/' |
		co-memory-save --batch >/dev/null
	co-index-update >/dev/null
	before=$(bytes)
	# A new database has no unused pages, which merges leave.
	[ "$before" -le $((2003 * 100)) ]
	for i in $(seq 40); do
		echo "Edit $i" >>$memories/003-m.md
		co-index-query "edit $i" >/dev/null
	done
	[ "$(bytes)" -le $((before + before / 10)) ]
}

@test "many deleted documents are removed from the index" {
	no_vectors
	seq 400 | sed 's/.*/{"content":"Filler & is on row &7, shelf &3, pile &9"}/' |
		co-memory-save --batch >/dev/null
	co-index-update >/dev/null
	for i in $(seq 24); do
		sed -i '$s/$/ again/' $memories/*"$((i % 6))"-*.md
		co-index-query callbacks >/dev/null
	done
	after=$(bytes)
	run -0 co-index-update --rebuild
	[ "$after" -le $((2 * $(bytes))) ]
}

# unread WHEN COMMAND...: run it while reads of memory 002 fail, as WHEN says.
unread() {
	local when=$1
	shift
	rm -rf "$HOME/.cache"
	touch "$memories"/*
	strace -f -qq -o trace -P "$PWD/$memories/002-m.md" \
		-e "inject=read:error=EIO:when=$when" "$@"
}

@test "a single failed read leaves nothing out of the answer" {
	need_strace
	for command in 'co-recall threads' 'co-index-query threads'; do
		run -0 --separate-stderr unread 1 $command
		grep -q INJECTED trace
		[[ $output == *threads* || $output == */002-m.md ]]
		[ -z "$stderr" ]
	done
}

@test "a query fails and names the file if reads keep failing" {
	need_strace
	for when in 1+ 1..3 1..5 1..5+2; do
		run -4 --separate-stderr unread $when co-recall threads
		grep -q INJECTED trace
		[[ $stderr == *"'$PWD/$memories/002-m.md'"* ]]
		[ "$(grep -c 002-m.md <<<"$stderr")" -eq 1 ]
	done
}

@test "recall and index-update refuse a linked directory of memories" {
	mv $memories elsewhere
	ln -s "$PWD/elsewhere" $memories
	for command in 'co-recall threads' co-index-update; do
		run -3 --separate-stderr $command
		[ "$stderr" = "${command% threads}: refusing '$PWD/$memories': it is a link" ]
	done
}
