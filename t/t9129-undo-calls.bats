#!/usr/bin/env bats
# The cost of an undo depends on what it restores, not on the store's size.
load lib
load cache

setup() {
	world
	need_strace
	local i
	for ((i = 1; i <= 400; i++)); do
		echo "{\"content\":\"memory $i\"}"
	done | co-memory-save --batch >/dev/null
	warm
}

# few COMMAND...: check that COMMAND stats far fewer files than the store has.
few() {
	local n
	strace -f --seccomp-bpf -qq -o calls -e trace=%file,%fstat "$@" >out 2>err
	n=$(grep -c 'stat.*memory-.*\.md' calls) || :
	echo "$n: $*"
	[ "$n" -lt 40 ]
}

# ids: print the differences between the ids and 1 to 400.
ids() {
	co-memory-list --format='%(id)' | sort -n | diff <(seq 400) - || :
}

@test "an undo of a removal stats few files" {
	co-forget -y 5 >/dev/null
	few co-forget --undo
	[ -z "$(ids)" ]
	co-forget -y 6 >/dev/null
	few co-undo
	[ -z "$(ids)" ]
	co-memory-remove 11 12 13 14 15 >/dev/null
	few co-forget --undo
	[ -z "$(ids)" ]
}

@test "an undo of a removal stats few files after a reader has seen it" {
	co-memory-remove 11 12 13 14 15 >/dev/null
	co-memory-list >/dev/null
	few co-forget --undo
	[ -z "$(ids)" ]
	co-memory-list >/dev/null
	[ -z "$(ids)" ]
	run -0 co-knowledge-check
}

@test "an undo detects that its id was taken, whether a reader saw it or not" {
	local how
	for how in unseen seen; do
		co-forget -y 5 >/dev/null
		settle
		printf -- '---\nid: 5\ncreated: 2026-01-01T00:00:00Z\n---\n\nx\n' \
			>"$memories/x.md"
		[ $how = unseen ] || co-memory-list >/dev/null
		run -5 co-undo
		[[ $output == *"another memory has its id"* ]]
		run -0 co-forget --undo
		[ "$(ids | wc -l)" = 2 ]
		co-memory-remove "$memories/x.md" >/dev/null
		co-memory-list --format='%(path)' | grep -c memory-5
		sed -i 's/^id: .*/id: 5/' "$memories"/*-memory-5.md
		mv "$memories"/*-memory-5.md "$memories/005-memory-5.md"
		[ -z "$(ids)" ]
	done
}

@test "two files with one id get different ids if they are restored together" {
	printf -- '---\nid: 5\ncreated: 2026-01-01T00:00:00Z\n---\n\nx\n' \
		>"$memories/x.md"
	co-memory-list >/dev/null
	co-memory-remove "$memories/x.md" "$memories"/005-*.md >/dev/null
	run -0 co-forget --undo
	run -0 co-memory-list --format='%(id)'
	[ "$(sort -un <<<"$output" | wc -l)" = 401 ]
	run -0 co-knowledge-check
}

@test "a redo stats each draft that comes back a few times, however many there are" {
	local n
	git init -q .
	seq 100 | sed 's/.*/{"content":"draft &"}/' >drafts.jsonl
	co import jsonl drafts.jsonl >out
	co undo >out
	strace -f --seccomp-bpf -qq -o calls -e trace=%file,%fstat co redo >out
	[ "$(co-memory-list --drafts | wc -l)" = 100 ]
	n=$(grep -c 'stat.*draft-.*\.md' calls)
	echo "$n"
	[ "$n" -lt 1500 ]
}
