#!/usr/bin/env bats
# co-memory-next-id: the id that the next save will take.
load lib

next() {
	run -0 --separate-stderr co-memory-next-id
	[ -z "$stderr" ]
	expect <<<"$1"
}

@test "the first id is 1, with and without a store" {
	next 1
	[ ! -e .co-cli ]
	mkdir .co-cli
	next 1
	mkdir -p $memories
	next 1
}

@test "next-id does not fill gaps" {
	memory 1 2026-02-09T14:30:00Z '' <<<a
	memory 3 2026-02-09T14:30:00Z '' <<<b
	next 4
	memory 5 2026-02-09T14:30:00Z '' $memories/005-test.md <<<c
	next 6
}

@test "next-id reads ids from frontmatter, not from file names" {
	memory 3 2026-02-09T14:30:00Z '' $memories/900-x.md <<<a
	next 4
	memory 12 2026-02-09T14:30:00Z '' $memories/notes.md <<<b
	next 13
}

@test "next-id uses the file name if the frontmatter has no readable id" {
	mkdir -p $memories
	printf -- '---\nid: [\n---\n' >$memories/007-x.md
	next 8
	printf -- '---\ntags: []\n---\n' >$memories/009-x.md
	next 10
	echo 'no frontmatter' >$memories/011-x.md
	next 12
	: >$memories/012-empty.md
	next 13
	printf -- '---\nid: 77\nunclosed: yes\n' >$memories/013-x.md
	next 14
}

@test "next-id counts the id of an otherwise invalid memory" {
	mkdir -p $memories
	printf -- '---\nid: 20\n---\n' >$memories/x.md
	next 21
	printf -- '---\nid: 30\ncreated: 2026-13-09T00:00:00Z\n---\n' \
		>$memories/y.md
	next 31
}

@test "next-id ignores invalid ids" {
	for id in 0 -1 1000000000 18446744073709551618 2.0 '"5"' true; do
		rm -rf $memories
		memory "$id" 2026-02-09T14:30:00Z '' $memories/x.md <<<a
		next 1
	done
}

@test "next-id counts drafts, trash and purged ids" {
	memory 3 2026-02-09T14:30:00Z '' $drafts/003-d.md <<<a
	next 4
	memory 5 2026-02-09T14:30:00Z '' $trash/20260101T000000Z-1/x.md <<<a
	next 6
	memory 6 2026-02-09T14:30:00Z '' \
		$trash/20260101T000000Z-1/drafts/x.md <<<a
	next 7
	mkdir -p $trash/purged
	: >$trash/purged/008
	: >$trash/purged/x99
	: >$trash/purged/1000000000
	next 9
}

@test "a header beyond the first 4 KiB is read to its end" {
	mkdir -p $memories
	{
		printf -- '---\n'
		for i in $(seq 200); do
			echo "key$i: a value that takes its room"
		done
		printf 'id: 66\n---\nbody\n'
	} >$memories/x.md
	next 67
	{
		printf -- '---\nlong: '
		head -c 4081 /dev/zero | tr '\0' x
		printf '\n---x: 1\nid: 70\n---\nbody\n'
	} >$memories/y.md
	next 71
}

@test "after the last id, next-id continues from the highest id with room" {
	memory 999999998 2026-02-09T14:30:00Z '' <<<a
	next 999999999
	echo last | co-memory-save
	# No memory uses these ids, and no clone can block a save with the last id.
	next 1
	memory 3 2026-02-09T14:30:00Z '' <<<a
	memory 4 2026-02-09T14:30:00Z '' $drafts/004-d.md <<<a
	memory 5 2026-02-09T14:30:00Z '' $trash/20260101T000000Z-1/x.md <<<a
	mkdir -p $trash/purged
	: >$trash/purged/006
	next 7
	run -0 co-memory-save <<<seven
	[[ $output == */007-seven.md ]]
	next 8
	# After a run of ids that reaches the last one, ids continue from the lower ones.
	memory 999999996 2026-02-09T14:30:00Z '' <<<a
	next 999999997
	printf '{"content":"%s"}\n' a b c >notes
	run -0 co-memory-save --batch <notes
	[ "${output//$PWD\/$memories\//}" = $'999999997-a.md\n008-b.md\n009-c.md' ]
}

@test "the last id in drafts, trash, archive or purged ids blocks no save" {
	memory 2 2026-02-09T14:30:00Z '' <<<a
	for file in $trash/20260101T000000Z-1/x.md $drafts/x.md $archive/x.md; do
		memory 999999999 2026-02-09T14:30:00Z '' $file <<<a
		next 3
		rm $file
	done
	mkdir -p $trash/purged
	: >$trash/purged/999999999
	next 3
	echo three | co-memory-save
	next 4
}

@test "operands and unknown options exit 2" {
	run -2 co-memory-next-id 3
	run -2 co-memory-next-id --nope
}

@test "next-id ignores ids that readers refuse" {
	memory +101 2026-02-09T14:30:00Z '' $memories/002-m.md <<<'a'
	memory 0x1F 2026-02-09T14:30:00Z '' $memories/003-m.md <<<'b'
	memory 1 2026-02-09T14:30:00Z '' <<<'c'
	run -0 co-memory-next-id
	expect <<<2
	run -1 co-memory-show 101
}
