#!/usr/bin/env bats
# co-memory-save: one memory from standard input.
# bats file_tags=rights
load lib

setup() {
	world
	mkdir .co-cli
}

# file: print the path of the only memory.
file() {
	find $memories -name '*.md'
}

# named TEXT: print the file name that a save of TEXT makes.
named() {
	rm -rf $memories
	printf '%s' "$1" | co-memory-save >"$BATS_TEST_TMPDIR/path"
	basename "$(cat "$BATS_TEST_TMPDIR/path")"
}

# refused SENTENCE [OPTION...] <TEXT: check that a save fails with SENTENCE and saves
# nothing.
refused() {
	run -3 co-memory-save "${@:2}"
	expect <<<"co-memory-save: $1"
	[ ! -e $memories ]
}

@test "a save prints the path, and the file is as specified" {
	run -0 co-memory-save --tag python -t style \
		<<<'User prefers async/await over callbacks'
	expect <<<"$PWD/$memories/001-user-prefers-async-await-over-callbacks.md"
	run -0 cat $memories/001-user-prefers-async-await-over-callbacks.md
	expect <<-'EOT'
		---
		id: 1
		created: 2026-02-09T14:30:00Z
		tags: [python, style]
		source: user-told
		---

		User prefers async/await over callbacks
	EOT
}

@test "--json prints the text for display, the path and the id" {
	run -0 co-memory-save --json <<<'User prefers async/await'
	expect <<<'{"display":"✓ Saved memory 1: 001-user-prefers-async-await.md\nLocation: '"$PWD/$memories"'/001-user-prefers-async-await.md","path":"'"$PWD/$memories"'/001-user-prefers-async-await.md","memory_id":1}'
}

@test "a save without tags writes an empty list" {
	co-memory-save <<<x
	grep -qx 'tags: \[\]' $memories/001-x.md
}

@test "the slug is the first 50 characters in plain letters and digits" {
	[ "$(named 'User prefers async/await!')" = \
		001-user-prefers-async-await.md ]
	[ "$(named 'Uses SQLAlchemy 2.0')" = 001-uses-sqlalchemy-2-0.md ]
	[ "$(named 'Multiple   spaces')" = 001-multiple-spaces.md ]
	[ "$(named "  $(printf 'A%.0s' {1..100})")" = \
		"001-$(printf 'a%.0s' {1..50}).md" ]
	[ "$(named "$(printf 'é%.0s' {1..60})")" = \
		"001-$(printf 'e%.0s' {1..50}).md" ]
	[ "$(named 'Crème brûlée à Łódź')" = 001-creme-brulee-a-lodz.md ]
	[ "$(named '日本語')" = 001-memory.md ]
	[ "$(named '-rf ../../etc $(id) `x`')" = 001-rf-etc-id-x.md ]
	[ "$(named $'first\nsecond')" = 001-first-second.md ]
}

@test "a save strips blanks at both ends and keeps all other bytes" {
	printf '\n\t a\r\n\n  b\tc \n---\nid: 99\n---\nd\n\n\n' |
		co-memory-save >"$BATS_TEST_TMPDIR/path"
	{
		printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n'
		printf 'tags: []\nsource: user-told\n---\n\n'
		printf 'a\r\n\n  b\tc \n---\nid: 99\n---\nd\n'
	} | cmp - "$(cat "$BATS_TEST_TMPDIR/path")"
	[ "$(co-memory-next-id)" = 2 ]
}

@test "a save keeps text of every script" {
	text=$'می‌خواهم क्‍ष 👩‍👩‍👧 שלום مرحبا \xe2\x80\xaaبِسْمِ\xe2\x80\xac é é ﬁ'
	co-memory-save <<<"$text"
	[ "$(tail -n 1 "$(file)")" = "$text" ]
}

@test "empty text is refused" {
	refused 'nothing to save: empty content' </dev/null
	refused 'nothing to save: empty content' <<<$' \n\t\r\v\f'
}

@test "text that is not UTF-8 or contains a NUL is refused" {
	printf 'a\351b' | refused 'the content is not UTF-8 at byte 2'
	printf '\300\257' | refused 'the content is not UTF-8 at byte 1'
	printf '\355\240\200' | refused 'the content is not UTF-8 at byte 1'
	printf 'a\0b' | refused 'the content has a NUL byte'
	printf '\0' | refused 'the content has a NUL byte'
}

@test "a memory may have 1 MiB, and no byte more" {
	co-memory-save <<<x
	most=$((1048576 - $(stat -c %s "$(file)") + 1))
	rm -r $memories
	head -c "$((most + 1))" /dev/zero | tr '\0' x >"$BATS_TEST_TMPDIR/in"
	refused 'the memory would have 1048577 bytes, over the limit of 1048576' \
		<"$BATS_TEST_TMPDIR/in"
	head -c "$most" "$BATS_TEST_TMPDIR/in" | co-memory-save
	[ "$(stat -c %s "$(file)")" -eq 1048576 ]
	run -0 co-memory-remove 1
	cat "$BATS_TEST_TMPDIR/in" "$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/big"
	run -3 co-memory-save <"$BATS_TEST_TMPDIR/big"
	expect <<<"co-memory-save: standard input is larger than 1048576 bytes"
}

@test "tags are stripped, and a duplicate tag is saved once" {
	co-memory-save -t ' a ' -t c -t c -t a -t é -t no -t 1 -t '#x' \
		-t 'a:b' -t - <<<x
	run -0 sed -n 's/^tags: //p' "$(file)"
	expect <<<"[a, c, é, 'no', '1', '#x', a:b, '-']" ||
		[ "$(co-frontmatter-parse --field=tags "$(file)")" = \
			$'a\nc\né\nno\n1\n#x\na:b\n-' ]
}

@test "every accepted tag is read back unchanged" {
	for tag in null '~' yes '&a' '*a' '!x' '%x' '@x' '`x' '{a}' '|' '>' '?' \
		'a#b' ':#b' ': ' '1e3' 0x10 '<<' 'ä' "$(printf 'x%.0s' {1..64})"; do
		rm -rf $memories
		co-memory-save -t "$tag" <<<x
		run -0 co-frontmatter-parse --field=tags "$(file)"
		expect <<<"$(echo "$tag" | sed 's/ *$//')"
	done
}

@test "an invalid tag is refused" {
	local bad='a tag has no blanks, commas, brackets, quotes or hidden characters'
	for tag in a,b 'a b' 'x -y' '[a' 'a]' "a'b" 'a"b' $'a\nid: 99' $'a\tb' $'a\e[0m' \
		$'a\xe2\x80\x8bb' $'a\xe2\x80\xaeb' $'a\xc2\x85b' $'a\xf3\xa0\x81\x81'; do
		run -2 co-memory-save -t "$tag" <<<x
		[[ $output == "co-memory-save: $bad: "* ]]
	done
	for tag in '' '  ' "$(printf 'x%.0s' {1..65})"; do
		run -2 co-memory-save -t "$tag" <<<x
		[ "${lines[0]}" = "co-memory-save: a tag has 1 to 64 characters: '${tag// /}'" ]
	done
	run -2 co-memory-save -t $'\351' <<<x
	[ ! -e $memories ]
}

@test "--source and --created are saved as given, with the time in UTC" {
	co-memory-save --source=agent-inferred \
		--created=2026-01-01T08:00:00.123+09:00 <<<x
	run -0 head -n 5 "$(file)"
	expect <<-'EOT'
		---
		id: 1
		created: 2025-12-31T23:00:00Z
		tags: []
		source: agent-inferred
	EOT
}

@test "--created accepts what people type, and is saved in UTC" {
	TZ=JST-9 co-memory-save --created='2026-02-09 14:30' <<<one
	TZ=EST5 co-memory-save --created=2026-02 <<<two
	TZ=JST-9 co-memory-save --created=yesterday <<<three
	run -0 co-memory-list --format='%(created)'
	expect <<-'EOT'
		2026-02-09T05:30:00Z
		2026-02-01T05:00:00Z
		2026-02-07T15:00:00Z
	EOT
}

@test "an invalid time or source is refused" {
	for ts in soon 2026-02-30T00:00:00Z 2026-02-30 2026-13 '' \
		2026-02-09T24:00:00Z; do
		refused "Field 'created' must be ISO8601 format: $ts" \
			--created="$ts" <<<x
	done
	refused "a source is a line of text: ''" --source= <<<x
	run -3 co-memory-save --source=$'a\nid: 2' <<<x
	run -3 co-memory-save --source=$'a\xe2\x80\xae' <<<x
	# This time is beyond the years that can be written.
	run -3 co-memory-save --created=9999-12-31T23:59:59-01:00 <<<x
	[ ! -e $memories ]
}

@test "--replaces moves the old memory to the archive after the save" {
	co-memory-save <<<old
	run -0 co-memory-save --replaces=1 <<<new
	expect <<<"$PWD/$memories/002-new.md"
	[ "$(file)" = $memories/002-new.md ]
	[ "$(tail -n 1 $archive/001-old.md)" = old ]
	run -0 co-memory-save --replaces=$memories/002-new.md <<<newer
	[ "$(file)" = $memories/003-newer.md ]
	run -1 co-memory-save --replaces=1 <<<x
	expect <<<"co-memory-save: memory '1' was replaced by memory '2': 'co-memory-show 1' shows it, 'co-memory-restore 1' brings it back, 'co-memory-remove 1' moves it to the trash"
	run -2 co-memory-save --replaces=/etc/passwd <<<x
	[ "$(file)" = $memories/003-newer.md ]
}

@test "an id that two memories share cannot be replaced" {
	memory 1 2026-01-01T00:00:00Z '' $memories/a.md <<<a
	memory 1 2026-01-01T00:00:00Z '' $memories/b.md <<<b
	run -3 co-memory-save --replaces=1 <<<x
	expect <<<"co-memory-save: two files have id 1: '$PWD/$memories/a.md' and '$PWD/$memories/b.md': name one by its path, or renumber one with 'co knowledge --check --fix'"
	[ "$(file | wc -l)" -eq 2 ]
}

@test "--draft saves a draft with an id from the same sequence" {
	co-memory-save <<<one
	run -0 co-memory-save --draft <<<two
	expect <<<"$PWD/$drafts/002-two.md"
	run -0 co-memory-save --draft --json <<<three
	[[ $output == '{"display":"✓ Saved draft 3: '* ]]
	run -0 co-memory-save <<<four
	expect <<<"$PWD/$memories/004-four.md"
}

@test "a draft records what it replaces, and the old memory stays" {
	co-memory-save <<<old
	run -0 co-memory-save --draft --replaces=$memories/001-old.md <<<new
	run -0 co-frontmatter-parse --field=replaces $drafts/002-new.md
	expect <<<1
	[ -e $memories/001-old.md ]
	run -1 co-memory-save --draft --replaces=9 <<<x
	expect <<<"co-memory-save: no memory '9'"
	# In a batch, replaces is a free key, which is not checked.
	run -0 bash -c "echo '{\"content\":\"y\",\"replaces\":7}' |
		co-memory-save --batch --draft"
	run -0 co-frontmatter-parse --field=replaces "$output"
	expect <<<7
	printf -- '---\nid: 5\n---\nbroken\n' >$memories/005-broken.md
	run -3 co-memory-save --draft --replaces=5 <<<x
	[[ $output == *"Missing required field: created" ]]
}

@test "--unless-known finds a text that differs only in case and blanks" {
	co-memory-save <<<'User prefers  TABS' >/dev/null
	run -1 --separate-stderr co-memory-save --unless-known \
		<<<$' user\tPrefers\r\n\r\ntabs'
	expect <<<"$PWD/$memories/001-user-prefers-tabs.md"
	[ "$stderr" = "" ]
	run -0 co-memory-save --unless-known <<<'User prefers tab s'
	run -1 co-memory-save --unless-known <<<'USER PREFERS TAB S'
	run -0 co-memory-save --unless-known <<<'User prefers tab'
	# Without the option the text is saved.
	run -0 co-memory-save <<<'user prefers tabs'
}

@test "--unless-known also searches drafts and the trash" {
	co-memory-save --draft <<<'Straße, é' >/dev/null
	run -1 co-memory-save --unless-known --json <<<$'STRASSE,\u00a0e\u0301'
	[[ $output == '{"display":"Already waiting as draft 1: 001-strasse-e.md'* ]]
	co-memory-remove 1 >/dev/null
	run -1 co-memory-save --draft --unless-known --json <<<'strasse, É'
	[[ $output == '{"display":"Already in the trash: memory 1: '* ]]
	[ ! -e $memories ]
	co-memory-remove --purge $trash/*/drafts/001-strasse-e.md
	run -0 co-memory-save --unless-known <<<'strasse, É'
}

@test "--unless-known in a batch saves the texts that are new" {
	run -1 co-memory-save --batch --unless-known <<-END
		{"content":"one"}
		{"content":"ONE "}
		{"content":"two"}
	END
	expect <<-END
		$PWD/$memories/001-one.md
		$PWD/$memories/001-one.md
		$PWD/$memories/002-two.md
	END
	run -3 co-memory-save --unless-known <<<' '
}

@test "with --unless-known a known memory replaces another, a draft does not" {
	co-memory-save <<<one >/dev/null
	co-memory-save <<<two >/dev/null
	co-memory-save --draft <<<three >/dev/null
	run -1 co-memory-save --unless-known --replaces=1 <<<THREE
	run -1 co-memory-save --unless-known --draft --replaces=1 <<<TWO
	[ -e $memories/001-one.md ]
	run -1 co-memory-save --unless-known --replaces=1 <<<TWO
	[ ! -e $memories/001-one.md ]
	run -1 co-memory-save --unless-known --replaces=1 <<<TWO
	expect <<<"$PWD/$memories/002-two.md"
	# An id that is not known changes nothing.
	co-memory-save <<<four >/dev/null
	for ids in 4,99 99,4; do
		run -1 co-memory-save --unless-known --replaces=$ids <<<TWO
		expect <<<"co-memory-save: no memory '99'"
	done
	[ "$(co-memory-list --format='%(id)' | xargs)" = '2 4' ]
	run -1 co-memory-save --unless-known --replaces=1,4 <<<TWO
	[ "$(co-memory-list --format='%(id)')" = 2 ]
}

@test "a file name that is taken gets a number" {
	memory 1 2026-01-01T00:00:00Z '' $memories/002-x.md <<<a
	memory 1 2026-01-01T00:00:00Z '' $memories/002-x-2.md <<<b
	run -0 co-memory-save <<<x
	expect <<<"$PWD/$memories/002-x-3.md"
}

@test "file names grow beyond id 999" {
	memory 999 2026-01-01T00:00:00Z '' <<<a
	run -0 co-memory-save <<<x
	expect <<<"$PWD/$memories/1000-x.md"
}

@test "-z ends the path with NUL" {
	co-memory-save -z <<<x | cmp - <(printf '%s\0' "$PWD/$memories/001-x.md")
}

@test "tags are case-insensitive and saved in lower case" {
	co-memory-save -t Python -t python -t STRASSE -t straße -t ' python ' <<<x
	run -0 co-memory-list --format='%(tags)'
	expect <<<'python, strasse'
	co-memory-save --batch -t A <<<'{"content":"y","tags":["a","b","B"]}'
	run -0 co-memory-show --format='%(tags)' 2
	expect <<<'a, b'
}
