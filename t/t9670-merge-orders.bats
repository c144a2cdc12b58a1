#!/usr/bin/env bats
# Three branches that are merged in any order give the same result.
load lib
load git

setup() {
	git_world
	co init >/dev/null 2>&1
	file=$memories/001-m.md
	body=$'First.\n\nSecond.\n\nThird.\n\nFourth.\n\n- x\n- y'
	save_one '[ops]' "$body"
	memory 2 2026-02-09T14:31:00Z ops <<<'Replaced by one, and tagged by another.'
	memory 3 2026-02-09T14:32:00Z ops <<<'Forgotten by one, and tagged by another.'
	memory 4 2026-02-09T14:33:00Z ops <<<'Replaced by two.'
	printf -- '# Open tasks\n\n- one\n- two\n\n# Done\n\n- none\n' \
		>.co-cli/knowledge/tasks.md
	commit base
}

# field KEY VALUE: add a field to memory 1.
field() {
	sed -i "0,/^source: /s/^source: .*/&\n$1: $2/" "$file"
}

# replace OLD NEW: replace a memory as `co learn --replaces` does, with a unique id.
replace() {
	local old=$memories/00$1-m.md new=$memories/0$2-n.md
	memory "$2" 2026-02-10T00:00:00Z ops "$new" <<<"Replaces $1, by $2."
	sed -i "s/^source: .*/&\nsupersedes: [$1]/" "$new"
	mkdir -p "$archive"
	sed "s/^source: .*/&\nsuperseded: $2/" "$old" >"$archive/00$1-m.md"
	rm "$old"
}

# branches: each branch changes another line of memory 1. All of them change its
# tags, bullets and fields.
branches() {
	git switch -qc a main
	save_one '[ops, a]' "${body/First/First by a}"$'\n- a'
	field expires 2026-05-03
	field confidence high
	field cites '[a.c@0123456789abcdef]'
	replace 2 11
	replace 4 12
	sed -i 's/^- one$/- one\n- by a/' .co-cli/knowledge/tasks.md
	commit a
	git switch -qc b main
	save_one '[b, ops]' "${body/Second/Second by b}"$'\n- b'
	field expires 2026-05-01
	field trust agent
	field cites '[b.c@fedcba9876543210]'
	sed -i 's/\[ops\]/[ops, b]/' "$memories/002-m.md" "$memories/003-m.md"
	replace 4 13
	sed -i '/^- one$/d; s/^- none$/- none\n- one/' .co-cli/knowledge/tasks.md
	commit b
	git switch -qc c main
	save_one '[c]' "${body/Fourth/Fourth by c}"$'\n- c'
	field expires 2026-05-02
	field confidence low
	field trust external
	sed -i '/^- x$/d' "$file"
	rm "$memories/003-m.md"
	sed -i 's/^- two$/- two\n- by c/' .co-cli/knowledge/tasks.md
	commit c
	git switch -q main
}

# merge_all BRANCH...: merge the branches into a new one and print all records with
# sorted keys.
merge_all() {
	git switch -q -C all main
	for branch; do
		git merge -q -m "and $branch" "$branch" >/dev/null 2>&1 && continue
		co resolve >>../resolved 2>&1
		git commit -qm "and $branch"
	done
	find .co-cli/knowledge -name '*.md' | LC_ALL=C sort |
		xargs co-frontmatter-parse --json | jq -S .
}

# in_every_order: check that all six orders give the same result.
in_every_order() {
	local order
	branches
	merge_all a b c >../first
	for order in 'a c b' 'b a c' 'b c a' 'c a b' 'c b a'; do
		# shellcheck disable=SC2086
		merge_all $order >../next
		diff -u ../first ../next || {
			echo "a b c is not $order"
			return 1
		}
	done
	for word in 'First by a' 'Second by b' 'Fourth by c' '- a' '- b' '- c' \
		'by a' 'by c'; do
		grep -qF -- "$word" ../first
	done
	run ! grep -q '<<<<<<<' ../first
	run -0 co knowledge --check
	run -0 co-memory-list --format='%(id)'
	expect <<<$'1\n3\n11\n12\n13'
}

@test "merges with the driver give the same result in any order" {
	driver
	in_every_order
}

@test "merges by co resolve without the driver give the same result in any order" {
	in_every_order
	grep -q 'is merged' ../resolved
}
