#!/usr/bin/env bats
# co knowledge --check reports each fault with its place and remedy; --fix repairs.
# bats file_tags=rights
load lib

# fault KIND FILE TEXT: check that this is the only fault.
fault() {
	run -3 co-knowledge-check --json
	diff -u - <(jq -r '[.fault, .path, .text] | join("\n")' \
		<<<"$output") <<-END
		$1
		$PWD/.co-cli/$2
		$3
	END
}

@test "the check finds no faults in a clean store or without a store" {
	run -0 co-knowledge-check
	expect <<<"no faults found"
	[ ! -e .co-cli ]
	co-init >/dev/null
	co-learn --always x >/dev/null
	co-learn one >/dev/null
	co-learn two >/dev/null
	co-forget -y 2 >/dev/null 2>&1
	co-memory-save --draft <<<draft >/dev/null
	run -0 co-knowledge-check
	run -0 co-knowledge-check --json
	expect </dev/null
}

@test "the check ignores temporary files of a killed save" {
	co-learn one >/dev/null 2>&1
	echo half >$memories/.co-tmp-1
	echo half >.co-cli/knowledge/.co-tmp-1
	run -0 co-knowledge-check
}

@test "the check reports the place and remedy of each fault, and counts them" {
	mkdir -p $memories
	printf -- '---\nid: 1\ncreated: x\n---\n' >$memories/001-a.md
	printf 'plain\n' >$memories/b.md
	run -3 co-knowledge-check
	expect <<-END
		'$PWD/$memories/001-a.md':3:10: Field 'created' must be ISO8601 format: x
		    remedy: correct it with 'co edit $PWD/$memories/001-a.md'
		'$PWD/$memories/b.md':1:1: no frontmatter
		    remedy: 'co knowledge --check --fix' gives it id and date
		2 faults found
	END
}

@test "the check reports a duplicate id for all files but the first" {
	memory 4 2026-01-02T00:00:00Z '' $memories/004-b.md <<<b
	memory 4 2026-01-03T00:00:00Z '' $memories/004-c.md <<<c
	memory 4 2026-01-01T00:00:00Z '' $memories/004-z.md <<<z
	run -3 co-knowledge-check --json
	[ "$(jq -r .text <<<"$output")" = "'$PWD/$memories/004-b.md': id 4 is also that of '$PWD/$memories/004-z.md'
'$PWD/$memories/004-c.md': id 4 is also that of '$PWD/$memories/004-z.md'" ]
	[ "$(jq -r .fault <<<"$output" | uniq)" = double-id ]
}

@test "the check reports frontmatter that is malformed or not closed" {
	local at=knowledge/memories/001.md
	mkdir -p $memories
	printf -- '---\nid: 1\ntags: [\n---\n' >.co-cli/$at
	run -3 co-knowledge-check
	[[ $output == *"001.md':"*": Invalid YAML in frontmatter: "* ]]
	printf -- '---\nid: 1\n' >.co-cli/$at
	fault frontmatter $at "'$PWD/.co-cli/$at':1:1: frontmatter is not closed"
	printf -- '---\nid: 1\nid: 1\ncreated: 2026-01-01T00:00:00Z\n---\n' \
		>.co-cli/$at
	run -3 co-knowledge-check
}

@test "the check reports links, strays, pipes and directories among memories" {
	co-learn one >/dev/null 2>&1
	ln -s /etc/passwd $memories/002-l.md
	fault link knowledge/memories/002-l.md \
		"'$PWD/$memories/002-l.md': a link, which is never followed"
	rm $memories/002-l.md
	mkdir $memories/sub.md
	fault stray knowledge/memories/sub.md \
		"'$PWD/$memories/sub.md': a directory among files"
	rmdir $memories/sub.md
	mkfifo $memories/pipe.md
	fault stray knowledge/memories/pipe.md \
		"'$PWD/$memories/pipe.md': not a regular file"
	rm $memories/pipe.md
	: >$memories/note.txt
	fault stray knowledge/memories/note.txt \
		"'$PWD/$memories/note.txt': its name does not end in .md"
	rm $memories/note.txt
	: >.co-cli/knowledge/knowledge.db
	fault stray knowledge/knowledge.db \
		"'$PWD/.co-cli/knowledge/knowledge.db': does not belong here"
	rm .co-cli/knowledge/knowledge.db
	ln -s . .co-cli/knowledge/drafts
	fault link knowledge/drafts \
		"'$PWD/$drafts': a link, which is never followed"
}

@test "the check reports a directory that is a link and continues" {
	mkdir -p .co-cli/knowledge/elsewhere
	ln -s elsewhere $memories
	run -3 co-knowledge-check --json
	[ "$(jq -r '.fault + " " + .path' <<<"$output")" = "stray $PWD/.co-cli/knowledge/elsewhere
link $PWD/$memories
context $PWD/.co-cli/knowledge/context.md" ]
}

@test "the check reports wrong encoding, hidden characters and merge conflicts" {
	local at=knowledge/memories/001-m.md
	memory 1 2026-01-01T00:00:00Z '' <<<$'a\nb\xff'
	fault encoding $at "'$PWD/.co-cli/$at':9:2: not UTF-8"
	for c in '\xe2\x80\x8b' '\xe2\x80\xae' '\xf3\xa0\x81\x81' '\e' '\xc2\x85'; do
		memory 1 2026-01-01T00:00:00Z '' < <(printf "a${c}b")
		run -3 co-knowledge-check
		[[ $output == "'$PWD/.co-cli/$at':8:2: hidden character U+"* ]]
	done
	memory 1 2026-01-01T00:00:00Z '' <<-'END'
		one
		<<<<<<< HEAD
		two
		=======
		three
		>>>>>>> theirs
	END
	fault conflict $at "'$PWD/.co-cli/$at':9:1: an unresolved merge"
}

@test "the check accepts a line that is like one marker of a conflict" {
	memory 1 2026-01-01T00:00:00Z '' <<-'END'
		git begins our side with
		<<<<<<< HEAD
	END
	run -0 co-knowledge-check
	[ "$output" = "no faults found" ]
}

@test "the check accepts invisible characters that scripts need" {
	memory 1 2026-01-01T00:00:00Z '' <<-END
		$(printf 'می\xe2\x80\x8cخواهم')
		$(printf 'क्\xe2\x80\x8dष')
		$(printf '👨\xe2\x80\x8d👩\xe2\x80\x8d👧 ❤\xef\xb8\x8f')
		$(printf 'שלום עולם، مرحبا')
		$(printf '日本語 한국어\ttab')
		git shows <<<<<<< in the middle
	END
	sed -i $'1s/^/\xef\xbb\xbf/' $memories/001-m.md
	run -0 co-knowledge-check
}

@test "the check covers contexts, drafts, articles and settings" {
	mkdir -p $drafts .co-cli/knowledge/articles
	echo plain >$drafts/001.md
	echo plain >.co-cli/knowledge/articles/a.md
	printf -- '---\nversion: 2\n---\n\xe2\x80\x8b' >.co-cli/knowledge/context.md
	head -c 7500 /dev/zero | tr '\0' x >>.co-cli/knowledge/context.md
	echo '{"x": 1}' >.co-cli/settings.json
	run -3 co-knowledge-check --json
	echo
	[ "$(jq -r .fault <<<"$output" | paste -sd ' ')" = \
		"frontmatter frontmatter context context hidden settings" ]
	[[ $output != *WARNING* ]]
	[[ $output == *"over its budget"* ]]
	jq -e .remedy <<<"$output" >/dev/null
}

@test "the check reports a file that it cannot open once, without an edit" {
	need_strace
	co init -q
	echo one | co-memory-save >/dev/null
	for file in memories/001-one.md context.md; do
		path=$PWD/.co-cli/knowledge/$file
		run -3 strace -f -qq -o trace -P "$path" \
			-P "${file##*/}" -e inject=openat,openat2:error=EACCES \
			co-knowledge-check
		expect <<-END
			cannot open '$path': Permission denied
			    remedy: see to it that it can be read
			1 fault found
		END
	done
}

@test "the check exits 3 for a file that is too large, 4 for a closed directory" {
	memory 1 2026-01-01T00:00:00Z '' <<<one
	truncate -s 2M $memories/002.md
	run -3 co-knowledge-check --json
	[ "$(jq -r .fault <<<"$output")" = unreadable ]
	[ "$(id -u)" -ne 0 ] || return 0
	chmod a-r $memories
	run -4 co-knowledge-check
	chmod u+r $memories
}

@test "--global checks the user store" {
	mkdir -p "$global/knowledge/memories"
	echo plain >"$global/knowledge/memories/m.md"
	run -0 co-knowledge-check
	run -3 co-knowledge-check --global
	run -0 co-knowledge-check --global --fix
}

@test "--fix renumbers the later file of two with one id and keeps its name" {
	memory 4 2026-01-02T00:00:00Z 'x' $memories/004-b.md <<<b
	memory 4 2026-01-03T00:00:00+09:00 '' $memories/004-c.md <<<c
	memory 4 2026-01-01T00:00:00Z '' $memories/004-z.md <<<z
	sed -i 's/^id: 4/# my own\n"id": 4 # four/' $memories/004-b.md
	memory 2 2026-01-01T00:00:00Z '' $memories/002-a.md <<<a
	memory 2 2026-01-01T00:00:00Z '' $memories/002-b.md <<<a
	memory 9 2026-01-01T00:00:00Z '' $drafts/009.md <<<draft
	cp -r .co-cli before
	run -0 co-knowledge-check --fix
	expect <<-END
		repaired '$PWD/$memories/002-b.md': now has id 5
		repaired '$PWD/$memories/004-b.md': now has id 6
		repaired '$PWD/$memories/004-c.md': now has id 7
		no faults found
	END
	run -1 diff -r before .co-cli
	diff -u - <(grep '^[<>]' <<<"$output") <<-'END'
		< id: 2
		> id: 5
		< "id": 4 # four
		> "id": 6 # four
		< id: 4
		> id: 7
	END
	run -0 co-knowledge-check --fix
	expect <<<"no faults found"
}

@test "--fix renumbers files that have the highest possible id" {
	memory 999999999 2026-02-09T14:30:00Z '' $memories/a.md <<<a
	memory 999999999 2026-02-09T14:30:00Z '' $memories/b.md <<<b
	memory 999999999 2026-02-09T14:30:00Z '' $memories/c.md <<<c
	run -0 co-knowledge-check --fix
	[ "$(grep -h '^id:' $memories/* | sort -u | wc -l)" -eq 3 ]
	grep -qx 'id: 999999999' $memories/a.md
	run -0 co-knowledge-check
}

@test "--fix adds a header to a plain file and preserves its text" {
	memory 2 2026-01-01T00:00:00Z '' <<<two
	printf '\xef\xbb\xbf# Note\r\n\r\nno newline' >$memories/note.md
	printf 'with a number' >$memories/007-n.md
	printf 'the same' >$memories/007-o.md
	: >$memories/empty.md
	touch -d 2025-05-05T05:05:05Z $memories/*.md
	run -0 co-knowledge-check --fix
	[ "${lines[-1]}" = "no faults found" ]
	diff -u - <(cat $memories/007-n.md; echo) <<-'END'
		---
		id: 7
		created: 2025-05-05T05:05:05Z
		source: file
		---
		with a number
	END
	grep -qx 'id: 8' $memories/007-o.md
	grep -qx 'id: 9' $memories/empty.md
	grep -qx 'id: 10' $memories/note.md
	tail -c 22 $memories/note.md | cmp - <(
		printf -- '---\n# Note\r\n\r\nno newline' | tail -c 22)
	[ "$(head -c 6 $memories/note.md)" = $'\xef\xbb\xbf---' ]
	[ "$(co-knowledge --list 2>&1 | head -n 1)" = "Total memories: 5" ]
}

@test "--fix leaves faults that have no single right repair" {
	mkdir -p $memories
	printf -- '---\nid: 1\n---\n' >$memories/001.md
	printf -- '---\nnot closed\n' >$memories/002.md
	memory 8 2026-01-01T00:00:00Z '' $memories/a.md <<<a
	memory 8 2026-01-02T00:00:00Z '' $memories/b.md <<<b
	memory 12 2026-01-02T00:00:00Z '' $memories/broken.md <<<b
	sed -i '/^created/d' $memories/broken.md
	cp -r .co-cli before
	run -3 co-knowledge-check --fix
	[ "${lines[-1]}" = "3 faults found" ]
	run -1 diff -rq before .co-cli
	[ "$(wc -l <<<"$output")" -eq 1 ]
	grep -qx 'id: 13' $memories/b.md
}

@test "--fix repairs the rest if one file cannot be repaired" {
	mkdir -p $memories
	head -c 1048576 /dev/zero | tr '\0' x >$memories/a.md
	echo small >$memories/b.md
	run -3 --separate-stderr co-knowledge-check --fix
	[[ $stderr == "co-knowledge-check: '$PWD/$memories/a.md'"*"larger than"* ]]
	[ "${lines[-1]}" = "1 fault found" ]
	grep -qx small $memories/b.md
	[ "$(stat -c %s $memories/a.md)" = 1048576 ]
}

@test "two people who repair the same merge get the same files" {
	command -v git >/dev/null || skip "git is missing"
	export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a \
		GIT_COMMITTER_EMAIL=a@b
	git init -q -b main .
	for i in 1 2 3; do
		co-learn "fact $i" >/dev/null 2>&1
	done
	git add .co-cli
	git commit -qm base
	git checkout -qb theirs
	CO_NOW=2026-03-01T00:00:00Z co-learn 'their fact' >/dev/null
	CO_NOW=2026-03-02T00:00:00Z co-learn 'their other fact' >/dev/null
	git add .co-cli
	git commit -qm theirs
	git checkout -q main
	CO_NOW=2026-03-01T09:00:00+09:00 co-learn 'my fact' >/dev/null
	CO_NOW=2026-02-28T00:00:00Z co-learn 'my other fact' >/dev/null
	git add .co-cli
	git commit -qm mine
	git merge -q -m merge theirs
	[ "$(ls $memories | grep -c '^004-')" -eq 2 ]
	git clone -q . ../one
	git clone -q . ../two
	(cd ../one && co-knowledge --check --fix >/dev/null)
	# Forgetting a memory here does not change the result.
	(cd ../two && co-memory-save <<<extra && co-forget -y 6 &&
		co-knowledge --check --fix) >/dev/null 2>&1
	diff <(tree ../one/$memories) <(tree ../two/$memories)
	[ "$(grep -h '^id:' ../one/$memories/* | sort | uniq -d)" = "" ]
	[ "$(cd ../one && git status --porcelain | wc -l)" -eq 2 ]
	grep -qx 'id: 6' ../one/$memories/004-their-fact.md
	grep -qx 'id: 7' ../one/$memories/005-their-other-fact.md
}

@test "the check reports only faults of the files and directories in operands" {
	memory 1 2026-01-01T00:00:00Z '' $memories/001-a.md <<<a
	memory 1 2026-01-02T00:00:00Z '' $memories/001-b.md <<<b
	memory 2 x '' $memories/002-c.md <<<c
	memory 3 2026-01-01T00:00:00Z '' $memories/003-d.md <<<d
	ln -s ../../../x $memories/004-l.md
	kinds() {
		run co-knowledge-check --json "$@"
		jq -r .fault <<<"$output" | tr '\n' ' '
	}
	[ "$(kinds $memories/001-a.md)" = 'double-id ' ]
	[ "$(kinds $memories/001-b.md)" = 'double-id ' ]
	[ "$(kinds "$PWD"/$memories/../memories/002-c.md)" = 'frontmatter ' ]
	[ "$(kinds $memories/004-l.md)" = 'link ' ]
	[ "$(cd $memories && kinds 001-a.md 004-l.md)" = 'link double-id ' ]
	[ "$(kinds $memories | wc -w)" = 3 ]
	run -0 co-knowledge-check $memories/003-d.md
	expect <<<'no faults found'
	mkdir elsewhere && mv $memories/003-d.md elsewhere/
	ln -s "$PWD/.co-cli" linked
	[ "$(kinds linked/knowledge/memories/002-c.md)" = 'frontmatter ' ]
}

@test "the check refuses an operand that is missing or outside the store" {
	run -4 co-knowledge-check nothing
	[[ $output == *"cannot open 'nothing'"* ]]
	echo x >outside.md
	run -2 co-knowledge-check outside.md
	expect <<<"co-knowledge-check: 'outside.md' is outside the store"$'\nhint: try \'co-knowledge-check -h\''
	co-learn x >/dev/null 2>&1
	mkdir .co-cli-other && echo x >.co-cli-other/a.md
	run -2 co-knowledge-check $memories .co-cli-other/a.md
	run -2 co-knowledge-check --fix $memories
}

@test "the check escapes control characters of file names" {
	mkdir -p $memories
	echo plain >"$memories/$(printf '\033[2J\nx').md"
	run -3 co-knowledge-check
	[[ ${lines[0]} == *"/memories/^[[2J^Jx.md':1:1: no frontmatter" ]]
	[ "${#lines[@]}" = 3 ]
}

@test "the check reports faults among many files in order" {
	for i in $(seq 100 299); do
		memory "$i" 2026-01-01T00:00:00Z '' <<<"text $i"
	done
	printf '\xff\n' >>$memories/150-m.md
	printf '%s\n' '<<<<<<< HEAD' a ======= b '>>>>>>> theirs' \
		>>$memories/200-m.md
	printf 'plain\n' >$memories/201-m.md
	sed -i 's/^id: .*/id: 120/' $memories/299-m.md
	touch $memories/note.txt
	all=$(jq -r '[.fault, (.path | split("/") | last)] | join(" ")' \
		<<<"$(co-knowledge-check --json)")
	diff -u - <(echo "$all") <<-END
		encoding 150-m.md
		conflict 200-m.md
		plain 201-m.md
		stray note.txt
		double-id 299-m.md
	END
}

# published: make a repository that has published memory 7, and an older memory with
# the same id here.
published() {
	git init -q .
	git config user.name A
	git config user.email a@example.org
	memory 7 2026-02-01T00:00:00Z a $memories/007-theirs.md <<<theirs
	git add . && git commit -qm published
	memory 7 2026-01-01T00:00:00Z a $memories/007-ours.md <<<ours
}

@test "--keep preserves ids of a commit, and a renumbered file notes its old id" {
	published
	run -3 co knowledge --check --fix --keep=HEAD -n
	[ -z "$(git diff)" ]
	run -0 co knowledge --check --fix --keep=HEAD
	expect <<-END
		repaired '$PWD/$memories/007-ours.md': now has id 8
		no faults found
	END
	run -0 co-memory-list --format='%(id) %(content)'
	expect <<<$'7 theirs\n8 ours'
	diff -u - $memories/007-ours.md <<-'END'
		---
		id: 8
		created: 2026-01-01T00:00:00Z
		tags: [a]
		source: user-told
		formerly: [7]
		---

		ours
	END
	[ -z "$(git diff)" ]
	git add . && git commit -qm ours
	memory 8 2026-03-01T00:00:00Z a $memories/008-late.md <<<late
	run -0 co-knowledge-check --fix --keep=HEAD~1
	run -0 co-memory-list --format='%(id) %(content)'
	expect <<<$'7 theirs\n8 ours\n9 late'
}

@test "--keep requires a commit and --fix" {
	published
	run -2 co knowledge --check --keep=HEAD
	run -2 co-knowledge-check --keep=HEAD
	run -2 co-knowledge-check --fix --keep=nowhere
	expect <<<"co-knowledge-check: git knows no commit 'nowhere' here"$'\nhint: try \'co-knowledge-check -h\''
	run -2 co-knowledge-check --fix --keep=--help
	[ -n "$(co-memory-list --format='%(id)' | uniq -d)" ]
	rm -rf .git
	run -2 co-knowledge-check --fix --keep=HEAD
}

# formerly ID FORMER...: write a memory that a repair has renumbered.
formerly() {
	memory "$1" 2026-01-01T00:00:00Z a "$memories/00$1-x.md" <<<"text $1"
	sed -i "4aformerly: [${*:2}]" "$memories/00$1-x.md"
}

@test "an unused id selects the memory that had it before a repair" {
	local said="memory 7 has the id 8 since a repair" how
	formerly 8 3, 7
	formerly 9 70
	echo line >cited
	for how in memory-show show 'memory-tag --add=x' 'tag -q +z' \
		'cite' log evidence-check 'edit -q'; do
		[ "$how" = cite ] && set -- cited:1 || set --
		EDITOR=true run --separate-stderr co-$how 7 "$@"
		echo "$how: $output: $stderr"
		[ "$status" -le 1 ]
		[[ $stderr == *": $said"* ]]
	done
	grep -qx 'tags: \[a, x, z\]' "$memories/008-x.md"
	run --separate-stderr co-memory-show --global 7
	[ "$status" = 1 ]
	[[ $stderr != *repair* ]]
	run -0 --separate-stderr co-memory-show 8
	[ -z "$stderr" ]
	run -0 --separate-stderr co-memory-save --replaces=7 <<<new
	[[ $stderr == *": $said" ]]
	[ -e .co-cli/knowledge/archive/008-x.md ]
	run -1 --separate-stderr co-memory-show 7
	run -0 --separate-stderr co forget -y 70
	[[ $stderr == *": memory 70 has the id 9 since a repair"* ]]
	[ ! -e "$memories/009-x.md" ]
}

@test "an id in use does not select the memory that had it before" {
	formerly 8 7
	memory 7 2026-01-01T00:00:00Z a "$memories/007-x.md" <<<seven
	run -0 --separate-stderr co-memory-show 7
	[[ $output == *seven* && -z $stderr ]]
	co-memory-remove 7
	run -1 --separate-stderr co-memory-show 7
	[[ $stderr == *": memory '7' is in the trash"* ]]
	formerly 9 5
	formerly 8 5
	run -3 co-memory-tag --add=x 5
	[[ $output == *": no memory has id 5: '"*"' and '"*"' both had it before"* ]]
}
