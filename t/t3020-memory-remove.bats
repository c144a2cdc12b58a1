#!/usr/bin/env bats
# co-memory-remove: moves memories to the trash, or deletes them.
load lib

setup() {
	world
	memory 1 2026-01-01T00:00:00Z a $memories/001-one.md <<<one
	memory 2 2026-01-02T00:00:00Z a $memories/002-two.md <<<two
	memory 3 2026-01-03T00:00:00Z a $memories/003-three.md <<<three
	here=$PWD/$memories
	bin=$PWD/$trash/20260209T143000Z
}

@test "ids and paths are moved unchanged to one directory of the trash" {
	cp -r $memories before
	run -0 co-memory-remove 1 $memories/003-three.md
	expect <<-EOT
		$bin-1/001-one.md
		$bin-1/003-three.md
	EOT
	cmp before/001-one.md "$bin-1/001-one.md"
	[ "$(ls $memories)" = 002-two.md ]
	run -0 co-memory-remove 2
	expect <<<"$bin-2/002-two.md"
	[ "$(co-memory-next-id)" = 4 ]
}

@test "operands are read from standard input if there are none" {
	run -0 bash -c 'printf "%s\n" 1 "" '$memories/002-two.md' |
		co-memory-remove'
	expect <<-EOT
		$bin-1/001-one.md
		$bin-1/002-two.md
	EOT
	printf '3\0' | co-memory-remove -z |
		cmp - <(printf '%s\0' "$bin-2/003-three.md")
}

@test "an operand that is not found does not stop the others" {
	run -1 --separate-stderr co-memory-remove 1 99 2
	expect <<-EOT
		$bin-1/001-one.md
		$bin-1/002-two.md
	EOT
	[ "$stderr" = "co-memory-remove: no memory '99'" ]
	run -2 co-memory-remove 99 /etc/passwd
	[ "$(ls $memories)" = 003-three.md ]
}

@test "a memory that is named twice is removed once" {
	run -0 co-memory-remove 1 $memories/001-one.md 01
	[ "$(wc -l <<<"$output")" -eq 1 ] ||
		[ "$(sort -u <<<"$output")" = "$bin-1/001-one.md" ]
	[ "$(ls $memories | wc -l)" -eq 2 ]
}

@test "a removal of nothing creates nothing" {
	run -0 co-memory-remove </dev/null
	run -1 co-memory-remove 99
	[ ! -e $trash ]
	cd "$HOME"
	run -1 co-memory-remove 1
	[ ! -e .co-cli ]
}

@test "a duplicate id is refused, but the path is accepted" {
	memory 1 2026-01-01T00:00:00Z a $memories/000-other.md <<<other
	run -3 co-memory-remove 1
	expect <<<"co-memory-remove: two files have id 1: '$here/000-other.md' and '$here/001-one.md': name one by its path, or renumber one with 'co knowledge --check --fix'"
	run -0 co-memory-remove $memories/000-other.md
	run -0 co-memory-remove 1
}

@test "a broken memory is removed by its path or its file name's number" {
	echo 'no frontmatter' >$memories/007-broken.md
	printf -- '---\nid: [\n---\n' >$memories/nameless.md
	run -0 co-memory-remove 7 $memories/nameless.md
	expect <<-EOT
		$bin-1/007-broken.md
		$bin-1/nameless.md
	EOT
	[ "$(co-memory-next-id)" = 8 ]
}

@test "an id selects a memory before a draft" {
	memory 3 2026-01-03T00:00:00Z a $drafts/003-d.md <<<draft
	run -0 co-memory-remove 3
	expect <<<"$bin-1/003-three.md"
	run -0 co-memory-remove 3
	expect <<<"$bin-2/drafts/003-d.md"
	run -1 co-memory-remove 3
}

@test "a path in the trash is refused" {
	co-memory-remove 1
	run -2 co-memory-remove "$bin-1/001-one.md"
	expect <<<"co-memory-remove: '$bin-1/001-one.md' is in the trash already"$'\nhint: try \'co-memory-remove -h\''
	[ ! -e "$bin-2" ]
}

@test "--purge deletes memories, and their ids are not reused" {
	run -0 co-memory-remove --purge 3 2
	expect </dev/null
	[ "$(ls $memories)" = 001-one.md ]
	[ "$(ls $trash/purged | xargs)" = '002 003' ]
	[ "$(co-memory-next-id)" = 4 ]
	run -1 co-memory-restore 3
}

@test "--purge deletes from the trash and leaves no empty directory" {
	memory 9 2026-01-03T00:00:00Z a $drafts/009-d.md <<<draft
	co-memory-remove 1 9
	co-memory-remove --purge 9
	[ ! -e "$bin-1/drafts" ]
	co-memory-remove --purge "$bin-1/001-one.md"
	[ "$(ls $trash)" = purged ]
	[ "$(co-memory-next-id)" = 10 ]
}

@test "the newest removal has the highest number, whatever the clock says" {
	co-memory-remove 1
	CO_NOW=1999-01-01T00:00:00Z run -0 co-memory-remove 2
	expect <<<"$PWD/$trash/19990101T000000Z-2/002-two.md"
}

@test "--global removes from the user store" {
	echo g | co-memory-save --global 2>/dev/null
	run -0 co-memory-remove --global 1
	expect <<<"$global/knowledge/trash/20260209T143000Z-1/001-g.md"
	[ "$(stat -c %a "$global/knowledge/trash")" = 700 ]
	[ "$(ls $memories | wc -l)" -eq 3 ]
}

@test "an empty operand is refused" {
	run -2 co-memory-remove ''
	expect <<<"co-memory-remove: '' is outside the store"$'\nhint: try \'co-memory-remove -h\''
}
