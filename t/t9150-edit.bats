#!/usr/bin/env bats
# co edit changes a memory in the editor, or leaves it unchanged.
# bats file_tags=rights
load lib
load terminal

setup() {
	world
	memory 1 2026-01-01T00:00:00Z python $memories/001-one.md <<<'Old text'
	file=$PWD/$memories/001-one.md
}

kept() {
	sed -n "s/^co-edit: the edit is kept in '\(.*\)'$/\1/p" <<<"$output"
}

@test "an edit replaces the memory and preserves its file name and mode" {
	chmod 640 "$file"
	editor 'sed -i "s/Old/New/; s/^tags:/  # why not\ntags:/" "$1"'
	run -0 co-edit 1
	expect <<<"✓ Edited 001-one.md"
	diff -u - "$file" <<-'END'
		---
		id: 1
		created: 2026-01-01T00:00:00Z
		  # why not
		tags: [python]
		source: user-told
		---

		New text
	END
	[ "$(stat -c %a "$file")" = 640 ]
	[ "$(ls -A $memories)" = 001-one.md ]
	[ "$(ls -A -I log "$HOME/.local/state/co-cli")" = "" ]
}

@test "the editor gets a private copy with the memory's file name" {
	editor 'basename "$1"; cat "$1"; stat -c %a "$1" "$(dirname "$1")"'
	run -0 co-edit 1
	[ "${lines[0]}" = 001-one.md ]
	[[ $output == *"Old text"*600*700* ]]
}

@test "co edit takes the path of a memory from any directory in the project" {
	editor 'echo more >>"$1"'
	cd $memories
	run -0 co-edit 001-one.md
	cd "$HOME"
	run -2 co-edit "$file"
	[[ $output == *"is outside the "* ]]
	[ "$(tail -n 1 "$file")" = more ]
}

@test "co edit reports an edit without a change and changes nothing" {
	find $memories -printf '%p %T@ %i\n' >before
	editor 'touch "$1"'
	run -0 co-edit 1
	expect <<<"co-edit: nothing was changed"
	find $memories -printf '%p %T@ %i\n' | diff before -
}

@test "co edit keeps an invalid edit and leaves the memory unchanged" {
	cp "$file" was
	for change in 's/^id: 1/id: 2/' '/^created/d' 's/\[python\]/[/' \
		'1d' 's/^id: 1/id: one/'; do
		editor "sed -i '$change' \"\$1\""
		run -3 co-edit 1
		cmp was "$file"
		sed "$change" was | cmp - "$(kept)"
	done
	editor 'printf "\000" >>"$1"'
	run -3 co-edit 1
	editor 'head -c 1100000 /dev/zero | tr "\0" x >>"$1"'
	run -3 co-edit 1
	cmp was "$file"
	[ -s "$(kept)" ]
}

@test "on a terminal co edit offers to correct an invalid edit, or keeps it" {
	need_terminal
	# The first edit breaks the id, the second one repairs it.
	editor 'if grep -qx "id: x" "$1"; then sed -i "s/^id: x/id: 1/; s/Old/New/" "$1"' \
		'else sed -i "s/^id: 1/id: x/" "$1"; fi'
	terminal 0 e 'co-edit 1'
	[[ $output == *"Field 'id' must be integer"*'(e)dit again, (q)uit? e'*'✓ Edited 001-one.md' ]]
	grep -qx 'New text' "$file"
	[ -z "$(compgen -G "$HOME/.local/state/co-cli/edit-*")" ]
	cp "$file" was
	terminal 3 q 'co-edit 1'
	[[ $output == *"'co edit --resume' opens it again" ]]
	cmp was "$file"
	sed 's/^id: 1/id: x/' was | cmp - "$(kept)"
	context .co-cli/knowledge/context.md <<<'- a'
	editor 'if grep -q "^vision" "$1"; then sed -i "s/^vision/version/" "$1"; echo "- b" >>"$1"' \
		'else sed -i "s/^version/vision/" "$1"; fi'
	terminal 0 e 'co-context --edit'
	[[ $output == *'(e)dit again, (q)uit? e'*'✓ Edited context.md' ]]
	[ "$(tail -n 1 .co-cli/knowledge/context.md)" = '- b' ]
}

@test "co edit keeps an edit of a memory that changed or vanished meanwhile" {
	editor "echo theirs >>'$file'; echo mine >>\"\$1\""
	run -5 co-edit 1
	[ "${lines[0]}" = "co-edit: '$file' has changed meanwhile" ]
	[ "$(tail -n 1 "$file")" = theirs ]
	[ "$(tail -n 1 "$(kept)")" = mine ]
	editor "rm '$file'; echo mine >>\"\$1\""
	run -5 co-edit 1
	[ "$(tail -n 1 "$(kept)")" = mine ]
	[ ! -e "$file" ]
}

@test "co edit repairs a broken memory by its path or the number in its name" {
	printf -- '---\nid: 2\ntags: [\n---\nbroken\n' >$memories/002-b.md
	run -0 co-knowledge --list
	[[ $output != *broken* ]]
	editor 'sed -i "s/^tags: .*/created: 2026-01-01T00:00:00Z/" "$1"'
	run -0 co-edit $memories/002-b.md
	run -0 co-recall broken
	printf -- '---\nid: 3\n---\nalso\n' >$memories/003-c.md
	editor 'sed -i "s/^id: 3/&\ncreated: 2026-01-01T00:00:00Z/" "$1"'
	run -0 co-edit 3
	run -0 co-recall also
}

@test "co edit needs a path if two files have one id" {
	memory 1 2026-01-02T00:00:00Z '' $memories/001-two.md <<<other
	editor 'echo more >>"$1"'
	run -3 co-edit 1
	[[ $output == *"two files have id"*"001-one.md"*"001-two.md"* ]]
	run -0 co-edit $memories/001-two.md
	[ "$(tail -n 1 "$file")" = 'Old text' ]
}

@test "co edit reports a missing memory" {
	editor 'echo more >>"$1"'
	run -1 co-edit 9
	expect <<<"co-edit: no memory '9'"$'\nhint: \'co list\' shows the memories'
	run -1 co-edit $memories/009.md
	expect <<<"co-edit: no such file: '$memories/009.md'"$'\nhint: \'co list\' shows the memories'
	run -2 co-edit
	run -2 co-edit 1 2
	ln -s "$file" $memories/link.md
	run -3 co-edit $memories/link.md
}

@test "co edit changes nothing if the editor fails or there is none" {
	cp "$file" was
	editor 'echo more >>"$1"; exit 1'
	run -6 co-edit 1
	[[ $output == *"ended with status 1
hint: EDITOR can be a command that needs no terminal: 'sed -i s/old/new/'"* ]]
	unset EDITOR
	run -6 co-edit 1
	expect <<-'END'
		co-edit: no editor is set, and vi needs a terminal: set VISUAL or EDITOR
		hint: 'export EDITOR=nano' chooses nano
	END
	cmp was "$file"
}

@test "co edit keeps the edit of an editor that crashed" {
	cp "$file" was
	editor 'echo more >>"$1"; kill -9 $$'
	run -6 co-edit 1
	[[ $output == *"ended with status 137"* ]]
	[ "$(tail -n 1 "$(kept)")" = more ]
	cmp was "$file"
}

@test "co edit waits for the editor even if its parent ignores SIGCHLD" {
	env --ignore-signal=CHLD true || skip "env cannot ignore a signal"
	editor 'sleep 0.1; echo more >>"$1"'
	run -0 env --ignore-signal=CHLD co-edit 1
	[ "$(tail -n 1 "$file")" = more ]
}

@test "VISUAL takes precedence over EDITOR and may have arguments" {
	editor false
	VISUAL='sed -i s/Old/New/' run -0 co-edit 1
	[ "$(tail -n 1 "$file")" = 'New text' ]
}

@test "--global edits a memory of the user store" {
	memory 1 2026-01-01T00:00:00Z '' "$global/knowledge/memories/001.md" \
		<<<mine
	editor 'echo more >>"$1"'
	run -0 co-edit --global 1
	[ "$(tail -n 1 "$global/knowledge/memories/001.md")" = more ]
	[ "$(tail -n 1 "$file")" = 'Old text' ]
}

@test "the editor gets the terminal" {
	need_terminal
	editor '[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo seen >>"$1"'
	terminal 0 '' 'co-edit 1'
	[[ $output == *"✓ Edited 001-one.md"* ]]
	[ "$(tail -n 1 "$file")" = seen ]
}

# spoil LINE: leave an invalid edit of memory 1 that has LINE.
spoil() {
	editor "sed -i 's/^id: 1/id: one/' \"\$1\"; echo '$1' >>\"\$1\""
	run -3 co-edit 1
	[[ $output == *"the edit is kept in '$HOME/.local/state/co-cli/edit-"*"'co edit --resume' opens it again"* ]]
}

@test "--resume opens the newest kept edit until it is valid" {
	run -1 co-edit --resume
	expect <<<"co-edit: no edit is kept"$'\nhint: \'co list\' shows the memories'
	run -1 co-edit --resume 1
	expect <<<"co-edit: no edit of '$file' is kept"$'\nhint: \'co list\' shows the memories'
	spoil older
	touch -d yesterday "$(kept)"
	spoil newer
	newer=$(kept)
	for operand in 1 ''; do
		editor 'echo "not yet" >>"$1"; echo "$1" >"$HOME/opened"'
		run -3 co-edit --resume $operand
		[ "$(cat "$HOME/opened")" = "$newer" ]
		[ "$(kept)" = "$newer" ]
	done
	editor 'sed -i "s/^id: one/id: 1/" "$1"'
	run -0 co-edit --resume
	expect <<<"✓ Edited 001-one.md"
	[ "$(tail -n 4 "$file")" = $'Old text\nnewer\nnot yet\nnot yet' ]
	[ ! -e "$newer" ]
	# The memory has changed since this edit began.
	editor 'sed -i "s/^id: one/id: 1/" "$1"'
	run -0 co-edit --resume
	[ "${lines[0]}" = "co-edit: '$file' has changed since this edit was begun: what is saved now replaces that" ]
	[ "$(tail -n 1 "$file")" = older ]
	[ -z "$(ls -A -I log "$HOME/.local/state/co-cli")" ]
}

@test "--resume lists the memories if edits of several are kept" {
	memory 2 2026-01-01T00:00:00Z '' $memories/002-two.md <<<two
	spoil one
	touch -d yesterday "$(kept)"
	editor 'echo >"$1"'
	run -3 co-edit 2
	run -2 co-edit --resume
	[ "${lines[0]}" = "$PWD/$memories/002-two.md" ]
	[ "${lines[1]}" = "$file" ]
	[[ ${lines[2]} == *"edits of 2 memories are kept: name one" ]]
	run -2 co-edit
	# Edits of other projects do not count.
	mkdir -p ../other/.co-cli
	cd ../other
	run -1 co-edit --resume
}

@test "--resume finds the edit of a killed co edit, but none of a running one" {
	editor 'echo more >>"$1"; : >"$HOME/open"; read -r go <"$HOME/go"'
	mkfifo "$HOME/go"
	co-edit 1 &
	edit=$!
	until [ -e "$HOME/open" ]; do
		kill -0 $edit
		sleep 0.02
	done
	run -1 co-edit --resume 1
	kill -9 $edit
	wait $edit || true
	echo go >"$HOME/go"
	editor 'echo again >>"$1"'
	run -0 co-edit --resume
	[ "$(tail -n 2 "$file")" = $'more\nagain' ]
}

@test "co edit copies to TMPDIR if it cannot write the state, and reports it" {
	echo >"$HOME/none"
	export XDG_STATE_HOME=$HOME/none
	export TMPDIR=$BATS_TEST_TMPDIR/temp
	mkdir "$TMPDIR"
	editor 'echo more >>"$1"'
	run -0 co-edit 1
	[[ ${lines[0]} == *"$HOME/none"*"; the copy is '$TMPDIR/co-edit-"* ]]
	[ "$(tail -n 1 "$file")" = more ]
	[ -z "$(ls -A "$TMPDIR")" ]
	editor 'sed -i "s/^id: 1/id: one/" "$1"'
	run -3 co-edit 1
	[ "$(stat -c %a "$TMPDIR"/co-edit-*)" = 700 ]
	editor 'sed -i "s/^id: one/id: 1/; s/more/much/" "$1"'
	run -0 co-edit --resume 1
	[ "$(tail -n 1 "$file")" = much ]
	# A copy that another user owns there is ignored.
	[ "$(id -u)" = 0 ] || return 0
	editor 'sed -i "s/^id: 1/id: one/" "$1"'
	run -3 co-edit 1
	chown -R 12345 "$TMPDIR"/co-edit-*
	run -1 co-edit --resume 1
}
