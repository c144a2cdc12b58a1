#!/usr/bin/env bats
# co knowledge --check reports memories in wrong directories, ids that the archive
# has too, and broken chains of replacements.
load lib

setup() {
	world
	co init >/dev/null 2>&1
}

# fault KIND FILE TEXT: check that this is the only fault, and that it has a remedy.
fault() {
	run -3 co-knowledge-check --json
	diff -u - <(jq -r '[.fault, .path, .text] | join("\n")' \
		<<<"$output") <<-END
		$1
		$PWD/$2
		'$PWD/$2': $3
	END
	[ "$(jq -r '.remedy | length > 9' <<<"$output")" = true ]
}

# archived ID BY: write a memory that BY replaced.
archived() {
	memory "$1" 2026-01-01T00:00:00Z '' "$archive/$(printf '%03d' "$1")-m.md" \
		<<<"Archived $1."
	sed -i "s/^source: .*/&\nsuperseded: $2/" "$archive/$(printf '%03d' "$1")-m.md"
}

@test "--fix moves a memory from the directory of another number" {
	memory 398402 2026-01-01T00:00:00Z '' "$memories/39/398402-m.md" <<<Here.
	memory 471234 2026-01-01T00:00:00Z '' "$memories/39/471234-m.md" <<<There.
	memory 7 2026-01-01T00:00:00Z '' "$memories/39/007-m.md" <<<Counted.
	memory 500000 2026-01-01T00:00:00Z '' "$memories/500000-m.md" <<<Flat.
	cp "$memories/39/471234-m.md" ../was
	fault folder "$memories/39/471234-m.md" 'id 471234 belongs to memories/47/'
	run -3 co-knowledge-check --fix -n
	[ "${lines[0]}" = "would repair '$PWD/$memories/39/471234-m.md': moved to memories/47/" ]
	[ -e "$memories/39/471234-m.md" ]
	run -0 co-knowledge-check --fix
	[ "${lines[0]}" = "repaired '$PWD/$memories/39/471234-m.md': moved to memories/47/" ]
	cmp "$memories/47/471234-m.md" ../was
	[ ! -e "$memories/39/471234-m.md" ]
	run -0 co-memory-list --format='%(id)'
	expect <<<$'7\n398402\n471234\n500000'
	run -0 co-knowledge-check
}

@test "--fix moves no file over another one" {
	memory 471234 2026-01-01T00:00:00Z '' "$memories/39/471234-m.md" <<<There.
	memory 471235 2026-01-01T00:00:00Z '' "$memories/47/471234-m.md" <<<Here.
	run -3 --separate-stderr co-knowledge-check --fix
	[[ $stderr == *"'$PWD/$memories/39/471234-m.md': memories/47/ has a file of that name"* ]]
	[ -e "$memories/39/471234-m.md" ]
	grep -q Here "$memories/47/471234-m.md"
}

@test "--fix moves a renumbered memory to the directory of its new id" {
	memory 398402 2026-01-01T00:00:00Z '' "$memories/39/398402-m.md" <<<One.
	memory 398402 2026-01-02T00:00:00Z '' "$memories/39/398402-n.md" <<<Two.
	memory 399999 2026-01-02T00:00:00Z '' "$memories/39/399999-n.md" <<<Three.
	run -0 co-knowledge-check --fix
	[ -e "$memories/40/398402-n.md" ]
	grep -qx 'id: 400000' "$memories/40/398402-n.md"
	run -0 co-knowledge-check
}

@test "--fix renumbers a memory whose id the archive has too" {
	memory 5 2026-01-02T00:00:00Z '' <<<Live.
	memory 6 2026-01-02T00:00:00Z '' <<<Newer.
	archived 5 6
	fault double-id "$memories/005-m.md" \
		"id 5 is also that of '$PWD/$archive/005-m.md'"
	run -0 co-knowledge-check --fix
	[ "${lines[0]}" = "repaired '$PWD/$memories/005-m.md': now has id 7" ]
	grep -qx 'id: 5' "$archive/005-m.md"
	run -0 co-memory-list --format='%(id) %(content)'
	expect <<<$'6 Newer.\n7 Live.'
}

@test "two people who repair the same faults get the same files" {
	memory 5 2026-01-02T00:00:00Z '' <<<Live.
	memory 5 2026-01-01T00:00:00Z '' "$memories/005-n.md" <<<Older.
	memory 6 2026-01-02T00:00:00Z '' <<<Newer.
	archived 5 6
	cp -r .co-cli ../other
	co-knowledge-check --fix >/dev/null
	mkdir -p ../second
	mv ../other ../second/.co-cli
	(cd ../second && co-knowledge-check --fix >/dev/null)
	diff -r .co-cli ../second/.co-cli
	run -0 co-memory-list --format='%(id) %(content)'
	expect <<<$'6 Newer.\n7 Older.\n8 Live.'
}

@test "the check reports a memory superseded by an id that does not exist" {
	archived 5 6
	fault chain "$archive/005-m.md" 'superseded by 6, which does not exist'
	memory 6 2026-01-02T00:00:00Z '' <<<Newer.
	run -0 co-knowledge-check
	co-memory-remove 6 >/dev/null
	run -0 co-knowledge-check # an undo brings it back
	co-memory-restore 6 >/dev/null
	rm -r "$memories"
	run -0 co-memory-restore "$archive/005-m.md"
	run -0 co-knowledge-check
	run -0 co-memory-list --format='%(id)'
	expect <<<5
}

@test "the check reports a memory that supersedes a current one" {
	memory 1 2026-01-01T00:00:00Z '' <<<Older.
	memory 2 2026-01-02T00:00:00Z '' <<<Newer.
	run -0 co-knowledge-check
	sed -i '2i supersedes: [1]' $memories/002-m.md
	fault chain "$memories/002-m.md" 'supersedes 1, which is current'
	co-memory-remove 1 >/dev/null
	run -0 co-knowledge-check
}

@test "the check reports a circle of replacements, but not what leads into it" {
	archived 1 2
	archived 2 3
	archived 3 2
	run -3 co-knowledge-check --json
	diff -u - <(jq -r '.fault + " " + .text' <<<"$output") <<-END
		chain '$PWD/$archive/002-m.md': superseded by 3, which it superseded itself
		chain '$PWD/$archive/003-m.md': superseded by 2, which it superseded itself
	END
	archived 4 4
	run -3 co-knowledge-check "$archive/004-m.md"
	[[ $output == *'superseded by 4, which it superseded itself'* ]]
}

@test "the check reports a self-replacement if another file has the id too" {
	memory 6 2026-01-02T00:00:00Z '' <<<Newer.
	archived 5 6
	mv "$archive/005-m.md" "$archive/005-a.md"
	archived 5 5
	run -3 co-knowledge-check
	[[ $output == *"005-m.md': superseded by 5, which it superseded itself"* ]]
}

@test "the check reports a draft that replaces an id that does not exist" {
	memory 1 2026-01-02T00:00:00Z '' <<<One.
	co-memory-save --draft --replaces=1 <<<Better. >/dev/null
	run -0 co-knowledge-check
	rm "$memories"/001-*
	run -3 co-knowledge-check
	[[ $output == *'replaces 1, which does not exist'*'co review'* ]]
}

# stray ID [NAME] [LINE]: write an archived memory that has at most LINE.
stray() {
	local file=$archive/${2:-$1-m}.md
	memory "$1" 2026-01-01T00:00:00Z '' "$file" <<<"Memory $1."
	[ -z "${3-}" ] || sed -i "s/^source: .*/&\n$3/" "$file"
}

@test "--fix moves an archived memory back that nothing replaced" {
	stray 398402
	cp "$archive/398402-m.md" ../was
	fault archive "$archive/398402-m.md" \
		'archived with id 398402, though nothing replaced it'
	run -3 co-knowledge-check --fix -n
	[ "${lines[0]}" = "would repair '$PWD/$archive/398402-m.md': moved back to memories/" ]
	[ -e "$archive/398402-m.md" ]
	stray 398403
	run -0 co-knowledge-check --fix
	[ "${lines[0]}" = "repaired '$PWD/$archive/398402-m.md': moved back to memories/" ]
	[ "${lines[1]}" = "repaired '$PWD/$archive/398403-m.md': moved back to memories/" ]
	cmp "$memories/398402-m.md" ../was
	run -0 co-memory-list --format='%(id)'
	expect <<<$'398402\n398403'
	run -0 co undo -q
	[ -e "$archive/398402-m.md" ]
	[ -e "$archive/398403-m.md" ]
	run -0 co-memory-list
	expect </dev/null
}

@test "--fix leaves a memory that is archived for a reason or by id" {
	memory 6 2026-01-02T00:00:00Z '' <<<Newer.
	stray 398402 '' 'archive: true'
	stray 398403 '' 'superseded: 6'
	archived 5 6
	stray 5 005-n
	run -0 co-knowledge-check
	stray 398404
	memory 398404 2026-02-01T00:00:00Z '' "$memories/398404-n.md" <<<Here.
	fault double-id "$memories/398404-n.md" \
		"id 398404 is also that of '$PWD/$archive/398404-m.md'"
	run -0 co-knowledge-check --fix
	[ -e "$memories/398404-m.md" ]
	grep -qx 'id: 398405' "$memories/398404-n.md"
}

@test "--fix moves back the first of two files with one id in the archive" {
	stray 398402
	stray 398402 398402-n
	sed -i 's/^Memory.*/Nothing alike./' "$archive/398402-n.md"
	fault archive "$archive/398402-m.md" \
		'archived with id 398402, though nothing replaced it'
	co-knowledge-check --fix >/dev/null || co-knowledge-check --fix
	run -0 co-knowledge-check
	[ "$(co-memory-list | wc -l)" = 2 ]
}

@test "the check accepts an archived memory while a replacement is unfinished" {
	stray 398402
	echo x | co-memory-save >/dev/null
	: >"$(echo ~/.local/state/co-cli/log/*project*)/unfinished"
	run -0 co-knowledge-check
	run -0 co-knowledge-check --fix # by then it is a note of nobody
	[ -e "$memories/398402-m.md" ]
}
