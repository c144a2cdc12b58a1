#!/usr/bin/env bats
# What is left when the porcelain is killed: each test runs a command again and
# again, and kills it at its first system call, its second, and so on.
load lib
load killed
load terminal

# No file is half there, and the next writer works.
goes_on() {
	local file
	for file in "$memories"/*.md; do
		[ "$(tail -c 1 "$file")" = "" ] || return
	done
	age_litter
	co-learn next >/dev/null 2>&1 &&
		ls "$memories"/*-next.md >/dev/null &&
		[ -z "$(find .co-cli -name '.co-tmp*')" ]
}

one_memory() {
	rm -rf "$HOME/.cache" "$HOME/.local/state"
	memory 1 2026-01-01T00:00:00Z a "$memories"/001-one.md <<<old
}

edited_or_not() {
	case $(tail -n 1 "$memories"/001-one.md) in
	old | new) [ "$(wc -l <"$memories"/001-one.md)" -eq 8 ] && goes_on ;;
	*) return 1 ;;
	esac
}

@test "an edit that is killed anywhere leaves the old memory or the new" {
	need_strace
	: >"$BATS_TEST_TMPDIR/in"
	editor 'sed -i s/old/new/ "$1"'
	every_call one_memory edited_or_not signal=KILL co-edit 1
}

memory_and_draft() {
	one_memory
	co-memory-save --draft --replaces=1 <<<new >/dev/null
}

# A reader never meets neither; the next review meets one of them.
accepted_or_not() {
	ls "$memories"/001-one.md "$memories"/002-new.md 2>/dev/null | grep -q . &&
		co-review --list >/dev/null || return
	case $(cd .co-cli/knowledge && ls memories/*.md drafts/*.md) in
	$'drafts/002-new.md\nmemories/001-one.md')
		[ -z "$(find "$archive" -name '*.md' 2>/dev/null)" ] ;;
	memories/002-new.md)
		[ "$(find "$archive" -name '*.md' | wc -l)" -eq 1 ] &&
			[ "$(tail -n 1 "$archive"/001-one.md)" = old ] ;;
	*) return 1 ;;
	esac && goes_on && [ ! -e "$trash/.replacing" ]
}

@test "a draft that replaces, killed anywhere, is accepted by halves for nobody" {
	need_strace
	: >"$BATS_TEST_TMPDIR/in"
	every_call memory_and_draft accepted_or_not signal=KILL \
		co-review --accept 2
}

merged() {
	one_memory
	memory 1 2026-01-02T00:00:00Z a "$memories"/001-two.md <<<two
	memory 1 2026-01-03T00:00:00Z a "$memories"/001-three.md <<<three
	echo plain >"$memories"/plain.md
	touch -d 2025-01-01T00:00:00Z "$memories"/plain.md
}

# Taken up again, the repair comes to the end that it would have come to.
repaired_or_not() {
	local file id
	for file in one two three; do
		[ "$(tail -n 1 "$memories/001-$file.md")" = ${file/one/old} ] &&
			[ "$(wc -l <"$memories/001-$file.md")" -eq 8 ] || return
	done
	[ "$(tail -n 1 "$memories"/plain.md)" = plain ] || return
	co-knowledge-check --fix >/dev/null || return
	for id in 001-one:1 plain:2 001-two:3 001-three:4; do
		grep -qx "id: ${id#*:}" "$memories/${id%:*}.md" || return
	done
	grep -qx 'created: 2025-01-01T00:00:00Z' "$memories"/plain.md && goes_on
}

@test "a repair that is killed anywhere can be taken up where it stopped" {
	need_strace
	: >"$BATS_TEST_TMPDIR/in"
	every_call merged repaired_or_not signal=KILL co-knowledge-check --fix
}

some_context() {
	mkdir -p .co-cli/knowledge
	printf -- '---\nversion: 1\nupdated: x\n---\n# Learned\n\n- old\n' \
		>.co-cli/knowledge/context.md
}

learned_or_not() {
	case $(tail -n 1 .co-cli/knowledge/context.md) in
	'- old') [ ! -s "$BATS_TEST_TMPDIR/out" ] ;; # and nothing was promised
	'- new') [ "$(wc -l <.co-cli/knowledge/context.md)" -eq 8 ] ;;
	*) return 1 ;;
	esac || return
	age_litter
	co-learn --always next >/dev/null &&
		[ -z "$(find .co-cli -name '.co-tmp*')" ] &&
		[ "$(tail -n 1 .co-cli/knowledge/context.md)" = '- next' ]
}

@test "a context that is killed anywhere has the new bullet or has not" {
	need_strace
	: >"$BATS_TEST_TMPDIR/in"
	every_call some_context learned_or_not signal=KILL \
		co-learn --always new
}

nothing() {
	:
}

made_or_not() {
	age_litter
	co-init >/dev/null &&
		[ "$(find .co-cli -type f | LC_ALL=C sort)" = ".co-cli/.gitignore
.co-cli/knowledge/context.md
.co-cli/settings.json" ] &&
		[ -d "$memories" ] && [ -s .co-cli/.gitignore ] &&
		[ "$(tail -n 1 .co-cli/knowledge/context.md)" = '# Learned' ]
}

@test "an init that is killed anywhere is completed by the next" {
	need_strace
	: >"$BATS_TEST_TMPDIR/in"
	every_call nothing made_or_not signal=KILL co-init
}

@test "what people are told is done is on the disk" {
	need_strace
	editor 'sed -i s/old/new/ "$1"'
	durably co-init
	one_memory
	durably co-edit 1
	[ "$(tail -n 1 "$memories"/001-one.md)" = new ]
	durably co-learn two
	durably co-learn --always three
	durably co-forget -y 2
	durably co-forget --undo
	memory 1 2026-01-02T00:00:00Z a "$memories"/001-two.md <<<two
	echo plain >"$memories"/plain.md
	durably co-knowledge-check --fix
}
