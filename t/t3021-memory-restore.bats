#!/usr/bin/env bats
# co-memory-restore: restores memories from the trash.
load lib
load terminal

articles=.co-cli/knowledge/articles

setup() {
	world
	memory 1 2026-01-01T00:00:00Z a $memories/001-one.md <<<one
	memory 2 2026-01-02T00:00:00Z a $memories/002-two.md <<<two
	here=$PWD/$memories
	bin=$PWD/$trash/20260209T143000Z
}

@test "a removal and a restore leave the store unchanged" {
	tree .co-cli/knowledge/memories >before
	run -0 bash -c 'co-memory-remove 1 2 | co-memory-restore'
	expect <<-EOT
		$here/001-one.md
		$here/002-two.md
	EOT
	tree .co-cli/knowledge/memories | diff before -
	[ -z "$(ls $trash)" ]
}

@test "a restore by id leaves other memories of the removal in the trash" {
	co-memory-remove 1 2
	run -0 co-memory-restore 2
	expect <<<"$here/002-two.md"
	[ "$(ls "$bin-1")" = 001-one.md ]
	run -1 co-memory-restore 2
	expect <<-'END'
		co-memory-restore: no memory '2' in the trash
		hint: 'co list --trash' lists the trash
	END
}

@test "a memory whose id is taken gets the next id and changes nothing else" {
	printf -- '---\r\n# of Ada\r\ntags:   [ "x" ]\r\nid: 1   # the first\r\ncreated: "2026-01-01T00:00:00Z"\r\nfree: {a: 1}\r\n---\r\n\r\nbody \r\n\r\n' \
		>$memories/001-one.md
	co-memory-remove 1
	memory 1 2026-01-01T00:00:00Z a $memories/001-new.md <<<new
	run -0 co-memory-restore 1
	expect <<<"$here/003-one.md"
	printf -- '---\r\n# of Ada\r\ntags:   [ "x" ]\r\nid: 3   # the first\r\ncreated: "2026-01-01T00:00:00Z"\r\nfree: {a: 1}\r\n---\r\n\r\nbody \r\n\r\n' |
		cmp - $memories/003-one.md
	[ -z "$(ls $trash)" ]
}

@test "a memory whose file name is taken gets a number" {
	co-memory-remove 1
	memory 8 2026-01-01T00:00:00Z a $memories/001-one.md <<<new
	run -0 co-memory-restore 1
	expect <<<"$here/001-one-2.md"
	[ "$(tail -n 1 $memories/001-one.md)" = new ]
}

@test "a file name without a number stays if the id changes" {
	memory 1 2026-01-01T00:00:00Z a $memories/notes.md <<<notes
	co-memory-remove $memories/notes.md
	run -0 co-memory-restore 1
	expect <<<"$here/notes.md"
	grep -qx 'id: 3' $memories/notes.md
}

@test "a duplicate id in the trash is refused, but the path is accepted" {
	co-memory-remove 1
	memory 1 2026-01-01T00:00:00Z a $memories/001-other.md <<<other
	co-memory-remove 1
	run -3 co-memory-restore 1
	expect <<<"co-memory-restore: two files have id 1: '$bin-1/001-one.md' and '$bin-2/001-other.md': name one by its path"
	run -0 co-memory-restore "$bin-1/001-one.md"
	expect <<<"$here/001-one.md"
	run -0 co-memory-restore 1
	expect <<<"$here/003-other.md"
}

@test "words select a memory in the trash if no operand is an id or a path" {
	memory 3 2026-01-03T00:00:00Z a $memories/003-b.md <<<'beech and oak'
	memory 4 2026-01-04T00:00:00Z a $memories/004-p.md <<<'oak and pine'
	co-memory-remove 3 4
	run -1 co-memory-restore oak
	expect <<-'END'
		co-memory-restore: 2 memories have 'oak':
		4  2026-01-04  [a] oak and pine
		3  2026-01-03  [a] beech and oak
		co-memory-restore: nothing was chosen
		hint: give one of the ids, or more words
	END
	run -1 co-memory-restore elm
	expect <<-'END'
		co-memory-restore: no memory in the trash has 'elm'
		hint: 'co list --trash' lists the trash
	END
	run -1 co restore 99
	[ "${lines[0]}" = "co restore: no memory '99' in the trash" ]
	# Like other plumbing, it is silent if there is nothing to do.
	run -0 co-memory-restore </dev/null
	[ -z "$output" ]
	run -0 co restore beech oak
	expect <<<"$here/003-b.md"
	# Lines of standard input are not words.
	run -2 co-memory-restore <<<oak
	# Two memories have the id, and one of them has the word.
	memory 4 2026-01-04T00:00:00Z a $memories/004-e.md <<<elm
	co-memory-remove 4
	run -3 co-memory-restore 4
	run -0 co-memory-restore elm
	expect <<<"$here/004-e.md"
}

@test "a draft is restored as a draft" {
	memory 7 2026-01-01T00:00:00Z a $drafts/007-d.md <<<draft
	run -0 co-memory-remove 7 1
	expect <<-EOT
		$bin-1/drafts/007-d.md
		$bin-1/001-one.md
	EOT
	run -0 co-memory-restore 7
	expect <<<"$PWD/$drafts/007-d.md"
	[ ! -e "$bin-1/drafts" ]
	[ -e "$bin-1/001-one.md" ]
}

@test "a broken file is restored unchanged and reported" {
	echo broken >$memories/007-broken.md
	cp $memories/007-broken.md before
	co-memory-remove 7
	run -0 --separate-stderr co-memory-restore 7
	expect <<<"$here/007-broken.md"
	[[ $stderr == "co-memory-restore: '$here/007-broken.md'"* ]]
	cmp before $memories/007-broken.md
}

@test "an operand that is not in the trash is refused" {
	run -2 co-memory-restore $memories/001-one.md
	expect <<<"co-memory-restore: '$memories/001-one.md' is in memories, not in trash"$'\nhint: \'co list --trash\' lists the trash'
	run -2 co-memory-restore /etc/passwd
	run -1 co-memory-restore 1
	run -1 co-memory-restore "$bin-1/001-one.md"
	cd "$HOME"
	run -1 co-memory-restore 1
	[ ! -e .co-cli ]
}

@test "a file that disappears during a restore is reported as missing" {
	need_strace
	local n calls status
	memory 3 2026-01-01T00:00:00Z a <<<three
	co-memory-remove 3
	memory 3 2026-01-02T00:00:00Z a $memories/003-new.md <<<new
	cp -R .co-cli before
	strace -f --seccomp-bpf -qq -e trace=openat -o trace co-memory-restore "$trash"/*/003-m.md
	calls=$(wc -l <trace)
	for ((n = 1; n <= calls; n++)); do
		rm -rf .co-cli
		cp -R before .co-cli
		status=0
		strace -f --seccomp-bpf -qq -o /dev/null -e trace=openat -e "inject=openat:error=ENOENT:when=$n" \
			co-memory-restore "$trash"/*/003-m.md \
			>/dev/null 2>err || status=$?
		[ "$status" -lt 127 ]
		[ "$status" -eq 0 ] || [ -s err ]
		# Each error names the file, and nothing is lost.
		grep -vE "^co-memory-restore: .*'.*'( in the trash|: No such| (is|has) )|^hint: " \
			err >odd || :
		diff -u /dev/null odd
		grep -rqx three .co-cli
	done
}

@test "on a terminal co restore says what it restored" {
	need_terminal
	co-forget -q -y 1 2>/dev/null
	terminal 0 '' 'co restore 1'
	expect <<-'END'
		✓ Restored memory 1: 001-one.md
		Location: .co-cli/knowledge/memories/001-one.md
	END
}

@test "words and file names select an article in the trash" {
	co-article-save -q --source=https://example.org/a --title='Verbs of HTTP' <<<'GET is safe.'
	co-memory-remove $articles/verbs-of-http.md
	run -0 co restore verbs http
	expect <<<"$PWD/$articles/verbs-of-http.md"
	co-memory-remove $articles/verbs-of-http.md
	run -0 co restore verbs-of-http.md
	expect <<<"$PWD/$articles/verbs-of-http.md"
	run -1 co restore verbs-of-http.md
}

@test "on a terminal co restore says whether a memory, a draft or an article came back" {
	need_terminal
	co-article-save -q --source=https://example.org/a --title=Verbs <<<'GET is safe.'
	printf 'a draft' | co-memory-save -q --draft
	co-memory-remove 1 3 $articles/verbs.md
	terminal 0 '' 'co restore 1'
	[[ $output == "✓ Restored memory 1: 001-one.md"$'\n'"Location: "* ]]
	terminal 0 '' 'co restore 3'
	[[ $output == "✓ Restored draft 3: "* ]]
	terminal 0 '' 'co restore verbs'
	[[ $output == "✓ Restored article: verbs.md"$'\n'"Location: "* ]]
}
