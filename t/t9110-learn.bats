#!/usr/bin/env bats
# co learn saves a text from the command line, standard input or the editor.
load lib
load terminal

saved() {
	# shellcheck disable=SC2086
	cat $memories/$1
}

@test "co learn hints at the user store if it makes a store in HOME" {
	cd "$HOME"
	run -0 --separate-stderr co learn 'The user writes in vim'
	[ "$stderr" = "co-learn: made '$HOME/.co-cli'
hint: no project finds it: 'co learn --global' saves for every project" ]
	run -0 --separate-stderr co learn 'Another'
	[ -z "$stderr" ]
}

@test "on a terminal co learn shows paths relative to the working directory" {
	need_terminal
	terminal 0 '' 'co learn one'
	[[ $output == *"Location: $memories/001-one.md"* ]]
	terminal 0 '' 'co learn --always two'
	[[ $output == *'Location: .co-cli/knowledge/context.md'* ]]
	terminal 0 '' 'co learn --json three'
	[[ $output == *"$PWD/$memories/002-three.md"* ]]
	cd .co-cli/knowledge
	terminal 0 '' 'co learn four'
	[[ $output == *'Location: memories/003-four.md'* ]]
	cd ../../..
	terminal 0 '' 'co -C project/.co-cli learn five'
	[[ $output == *'Location: project/.co-cli/knowledge/memories/004-five.md'* ]]
	mkdir elsewhere && cd elsewhere
	terminal 0 '' 'co -C ../project learn six'
	[[ $output == *"Location: ${PWD%/*}/project/$memories/005-six.md"* ]]
}

@test "on a terminal messages show paths relative to the working directory" {
	need_terminal
	terminal 0 '' 'co learn one'
	[[ $output == "co-learn: made '.co-cli'"* ]]
	cp $memories/001-one.md $memories/001-two.md
	terminal 0 '' 'co list'
	[[ $output == *"two files have id 1: '$memories/001-one.md' and '$memories/001-two.md'"* ]]
	terminal 3 '' 'co check'
	[[ $output == "'$memories/001-two.md': id 1 is also that of '$memories/001-one.md'"* ]]
	run -0 co list
	[[ $output == *"'$PWD/$memories/001-two.md'"* ]]
	cd .. && mkdir elsewhere && cd elsewhere
	terminal 0 '' 'co -C ../project list'
	[[ $output == *"'${PWD%/*}/project/$memories/001-two.md'"* ]]
}

@test "co learn saves a text with its tags and prints its location" {
	run -0 --separate-stderr co-learn -t python --tag=style \
		'User prefers async/await over callbacks'
	expect <<-END
		✓ Saved memory 1: 001-user-prefers-async-await-over-callbacks.md
		Location: $PWD/$memories/001-user-prefers-async-await-over-callbacks.md
	END
	[ "$stderr" = "co-learn: made '$PWD/.co-cli'" ]
	saved 001-*.md | diff -u - <(
		cat <<-'END'
			---
			id: 1
			created: 2026-02-09T14:30:00Z
			tags: [python, style]
			source: user-told
			---

			User prefers async/await over callbacks
		END
	)
}

@test "co learn joins operands, and reads standard input for - or without them" {
	co-learn one two  three
	saved 001-* | grep -qx 'one two three'
	echo four | co-learn -
	saved 002-* | grep -qx four
	echo five | co-learn
	saved 003-* | grep -qx five
	co-learn -- -t six
	saved 004-* | grep -qx -e '-t six'
	co-learn a - b </dev/null
	saved 005-* | grep -qx 'a - b'
}

@test "co learn names the memory that has the same text, and saves none" {
	memory 7 2026-01-01T00:00:00Z x $memories/007-seven.md <<<$'\n  known\n'
	run -0 co-learn -t new known
	expect <<-END
		Already saved as memory 7: 007-seven.md
		Location: $PWD/$memories/007-seven.md
	END
	[ "$(ls $memories)" = 007-seven.md ]
	run -0 co-learn --json known
	[ "$(jq -r .memory_id <<<"$output")" = 7 ]
	[ "$(jq -r .path <<<"$output")" = "$PWD/$memories/007-seven.md" ]
	run -0 co-learn Known
	[[ $output == *"✓ Saved memory 8: "* ]]
	run -0 co-learn --force known
	[[ $output == "✓ Saved memory 9: 009-known.md"* ]]
}

@test "--replaces archives the old memory after the new one is saved" {
	co-learn old >/dev/null 2>&1
	run -0 co-learn --replaces=1 new
	[ "$(ls $memories)" = 002-new.md ]
	[ "$(tail -n 1 $archive/001-old.md)" = old ]
	run -1 co-learn --replaces=9 newer
	expect <<-'END'
		co-learn: no memory '9'
		hint: 'co list' shows the memories
	END
	[ "$(ls $memories)" = 002-new.md ]
	run -0 --separate-stderr co-learn --replaces=2 new
	[ "$stderr" = "co-learn: nothing was replaced" ]
	[ "$(ls $memories)" = 002-new.md ]
}

@test "the next co learn completes a --replaces that was killed halfway" {
	co-learn old >/dev/null 2>&1
	co-learn new >/dev/null
	run -0 --separate-stderr co-learn --replaces=1 new
	[[ $output == "Already saved as memory 2: 002-new.md"* ]]
	[ -z "$stderr" ]
	[ "$(ls $memories)" = 002-new.md ]
	[ "$(tail -n 1 $archive/001-old.md)" = old ]
	run -0 --separate-stderr co-learn --replaces=1 new
	[ "$stderr" = "co-learn: nothing was replaced" ]
}

@test "--always keeps the CRLF line ends of a context" {
	mkdir -p .co-cli/knowledge
	printf -- '---\r\nversion: 1\r\nupdated: 2026-01-01T00:00:00Z\r\n---\r\n\r\n# User\r\n\r\n- Prefers tabs\r\n' \
		>.co-cli/knowledge/context.md
	co-learn --always 'One' >/dev/null
	printf 'Two\nlines\n' | co-learn --always >/dev/null
	run -0 co-learn --always <<<$'Two\nlines'
	[[ $output == "Known already"* ]]
	run ! grep -v $'\r$' .co-cli/knowledge/context.md
	run -0 tr -d '\r' <.co-cli/knowledge/context.md
	expect <<-'END'
		---
		version: 1
		updated: 2026-02-09T14:30:00Z
		---

		# User

		- Prefers tabs

		# Learned

		- One
		- Two
		  lines
	END
}

@test "co learn has --source and --json as co-memory-save does" {
	run -0 --separate-stderr co-learn --source=web-fetched --json text
	expect <<-END
		{"display":"✓ Saved memory 1: 001-text.md\nLocation: $PWD/$memories/001-text.md","path":"$PWD/$memories/001-text.md","memory_id":1}
	END
	saved 001-text.md | grep -qx 'source: web-fetched'
}

@test "-t takes several tags separated by commas" {
	run -0 co-learn -t 'a,b, event-loop' -t c text
	grep -qx 'tags: \[a, b, event-loop, c\]' .co-cli/knowledge/memories/001-text.md
	run -0 co-list -t b,c --format='%(id)'
	expect <<<1
	run -0 co-list -t b,d --format='%(id)'
	expect </dev/null
}

@test "--global saves in the user store" {
	run -0 co-learn --global everywhere
	[ -s "$global/knowledge/memories/001-everywhere.md" ]
	[ ! -e .co-cli ]
}

@test "co learn refuses invalid input and makes no store for it" {
	run -3 co-learn ''
	[ "${lines[0]}" = "co-learn: nothing to save: empty content" ]
	[[ ${lines[1]} == "hint: 'co learn TEXT' saves TEXT"* ]]
	run -2 co-learn -t 'a[b' text
	[[ $output == "co-learn: a tag has no blanks, commas"* ]]
	run -2 co-learn -t a,,b text
	run -3 bash -c 'printf "\377" | co-learn'
	run -3 bash -c 'head -c 1100000 /dev/zero | tr "\0" x | co-learn'
	[ ! -e .co-cli ]
}

@test "co learn reports a broken memory and saves the new one" {
	mkdir -p $memories
	echo '---' >$memories/004-broken.md
	run -0 --separate-stderr co-learn text
	[ "${lines[0]}" = "✓ Saved memory 5: 005-text.md" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "twenty processes that learn the same text at once save it once" {
	co-learn first >/dev/null 2>&1
	for _ in $(seq 20); do
		co-learn same >/dev/null &
	done
	wait
	[ "$(ls $memories)" = "$(printf '001-first.md\n002-same.md')" ]
}

context() {
	cat .co-cli/knowledge/context.md
}

@test "--always adds a bullet to the context, and makes the file" {
	run -0 --separate-stderr co-learn --always Run uv sync first
	expect <<-END
		✓ Every session will know it
		Location: $PWD/.co-cli/knowledge/context.md
	END
	[ "$stderr" = "co-learn: made '$PWD/.co-cli'" ]
	printf 'One\nand\n\nmore\n' | co-learn --always
	context | diff -u - <(
		cat <<-'END'
			---
			version: 1
			updated: 2026-02-09T14:30:00Z
			---

			# Project

			# Learned

			- Run uv sync first
			- One
			  and

			  more
		END
	)
}

@test "--always changes only the bullet and the date" {
	mkdir -p .co-cli/knowledge
	cat >.co-cli/knowledge/context.md <<-'END'
		---
		# Learned
		updated: "2020-01-01T00:00:00Z" # by hand
		version: 1
		mine: [a,  b]
		---
		# Project
		~~~
		# Learned
		~~~

		# Learned

		- one

		```
		# not a heading
		```

		## Deeper

		- two

		# Other
		text
	END
	co-learn --always three
	context | diff -u - <(
		cat <<-'END'
			---
			# Learned
			updated: 2026-02-09T14:30:00Z # by hand
			version: 1
			mine: [a,  b]
			---
			# Project
			~~~
			# Learned
			~~~

			# Learned

			- one

			```
			# not a heading
			```

			## Deeper

			- two
			- three

			# Other
			text
		END
	)
}

@test "--always adds a missing section, header or final newline" {
	mkdir -p .co-cli/knowledge
	printf 'Plain words.' >.co-cli/knowledge/context.md
	co-learn --always one
	context | diff -u - <(printf 'Plain words.\n\n# Learned\n\n- one\n')
	printf '# Learned' >.co-cli/knowledge/context.md
	co-learn --always one
	context | diff -u - <(printf '# Learned\n\n- one\n')
	printf '# Learned\n- one' >.co-cli/knowledge/context.md
	co-learn --always two
	context | diff -u - <(printf '# Learned\n- one\n- two\n')
	: >.co-cli/knowledge/context.md
	co-learn --always one
	context | diff -u - <(printf '# Learned\n\n- one\n')
}

@test "--always does not add a bullet that exists" {
	mkdir -p .co-cli/knowledge
	printf '# Learned\n\n- one\n  more\n- two' >.co-cli/knowledge/context.md
	cp .co-cli/knowledge/context.md was
	run -0 co-learn --always two
	expect <<-END
		Known already
		Location: $PWD/.co-cli/knowledge/context.md
	END
	run -0 bash -c 'printf "one\nmore" | co-learn --always'
	cmp was .co-cli/knowledge/context.md
	co-learn --always one >/dev/null
	[ "$(context | grep -cx -e '- one')" -eq 2 ]
}

@test "--always fails over the file's budget and changes nothing" {
	co-learn --always one >/dev/null 2>&1
	cp .co-cli/knowledge/context.md was
	run -4 bash -c 'head -c 7200 /dev/zero | tr "\0" x | co-learn --always'
	[[ $output == "co-learn: '$PWD/.co-cli/knowledge/context.md' would have "*" bytes, over its budget of 7168: shorten it with 'co context --edit'" ]]
	cmp was .co-cli/knowledge/context.md
	run -4 bash -c 'head -c 3100 /dev/zero | tr "\0" x |
		co-learn --always --global'
	[[ $output == *"over its budget of 3072: shorten it with 'co context --edit --global'"* ]]
}

@test "--always refuses a malformed context and most options" {
	mkdir -p .co-cli/knowledge
	printf -- '---\na: [\n---\n' >.co-cli/knowledge/context.md
	run -3 co-learn --always one
	[[ $output == "co-learn: '$PWD/.co-cli/knowledge/context.md':"* ]]
	run -2 co-learn --always -t tag text
	[ "${lines[0]}" = "co-learn: --always cannot be used with -t" ]
	run -2 co-learn --always --path='*.c' text
	[ "${lines[0]}" = "co-learn: --always cannot be used with --path" ]
	run -2 co-learn --always --force text
	[ "${lines[0]}" = "co-learn: --always cannot be used with --force" ]
}

@test "a usage error with a remedy has no hint at -h" {
	echo text >README.md
	run -2 co-learn -y README.md
	expect <<-'END'
		co-learn: -n, -y and --allow-private require a URL or a ./FILE that exists: did you mean './README.md'?
	END
	run -2 co-learn '-t is a flag' </dev/null
	expect <<<"co-learn: '-t is a flag' was read as the option -t: put -- before it"
	run -2 co-learn '- a bullet' </dev/null
	expect <<<"co-learn: '- a bullet' was read as an option: put -- before it"
	run -2 co-learn -y text
	[ "${lines[1]}" = "hint: try 'co-learn -h'" ]
	for option in -x -5 --xylophone; do
		run -2 co-learn $option
		expect <<-END
			co-learn: unknown option '$option'
			hint: try 'co-learn -h'; text that begins with '-' follows '--'
		END
	done
	run -2 co-undo -x
	[ "${lines[1]}" = "hint: try 'co-undo -h'" ]
}

@test "thirty processes that add to the context at once lose nothing" {
	co-learn --always first >/dev/null 2>&1
	for i in $(seq 30); do
		co-learn --always "fact $i" >/dev/null &
	done
	wait
	[ "$(context | grep -c '^- fact')" -eq 30 ]
}

@test "on a terminal co learn opens the editor" {
	need_terminal
	editor '[ "$(head -n 1 "$1")" = "" ] && echo "written by hand" >"$1"'
	terminal 0 '' 'co-learn -t hand'
	[[ $output == *"✓ Saved memory 1: 001-written-by-hand.md"* ]]
	[ "$(ls -A "$HOME/.cache/co-cli")" = "" ]
}

@test "co learn saves nothing if nothing was written in the editor" {
	need_terminal
	editor true
	terminal 1 '' co-learn
	[[ $output == *"co-learn: nothing was written, nothing is saved"* ]]
	editor 'printf " \n\n" >"$1"'
	terminal 1 '' co-learn
	terminal 1 '' 'co-learn --always'
	[[ $output == *"co-learn: nothing was written, nothing is saved"* ]]
	[ ! -e .co-cli ]
	[ "$(ls -A "$HOME/.cache/co-cli")" = "" ]
}

@test "co learn keeps the text from the editor if the save fails" {
	need_terminal
	editor 'echo precious >"$1"'
	terminal 2 '' "co-learn -t 'a[b'"
	kept=$(sed -n "s/^co-learn: your text is kept in '\(.*\)'$/\1/p" \
		<<<"$output")
	[ "$(cat "$kept")" = precious ]
	editor 'exit 3'
	terminal 6 '' co-learn
	[[ $output == *"ended with status 3"* ]]
	[ ! -e .co-cli ]
}

@test "co learn does not print the whole of a key taken for an option" {
	key=$'-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAA'
	run -2 co-learn "$key"
	[[ $output == "co-learn: unknown option '-----BEGIN"* ]]
	[[ $output != *b3Blbn* ]]
}

@test "co learn finds a duplicate with other line ends" {
	co-learn $'one\ntwo' >/dev/null 2>&1
	sed -i 's/$/\r/' .co-cli/knowledge/memories/*.md
	run -0 co-learn $'one\ntwo'
	[[ $output == *'Already saved as memory 1'* ]]
	[ "$(co-memory-list | wc -l)" -eq 1 ]
	run -0 co-learn $'one\r\ntwo'
	[[ $output == *'Already saved as memory 1'* ]]
}

@test "--created takes a date as people write it" {
	co-learn --created=yesterday first >/dev/null 2>&1
	co-learn --created=2026-01-15 second >/dev/null
	run -0 co-memory-list --format='%(created) %(content)'
	expect <<-'END'
		2026-02-08T00:00:00Z first
		2026-01-15T00:00:00Z second
	END
	run -3 co-learn --created=whenever third
	[[ $output == "co-learn: Field 'created' must be ISO8601 format: whenever"* ]]
	run -2 co-learn --created=today --always third
}

@test "the editor shows tags and source below the text, and both can be changed" {
	need_terminal
	editor 'cp "$1" form; sed -i -e "1s/.*/# Tabs\n\nUser prefers tabs/" \' \
		'-e "s/^tags:.*/tags: style , c,/; s/^source:.*/source: team/" "$1"'
	terminal 0 '' 'co-learn -t hand'
	diff -u form - <<-'END'

		# ------------------------ >8 ------------------------
		# Write the memory above this line; lists show its first line.
		# Separate tags with commas.
		tags: hand
		source: user-told
	END
	saved 001-*.md | diff -u - <(
		cat <<-'END'
			---
			id: 1
			created: 2026-02-09T14:30:00Z
			tags: [style, c]
			source: team
			---

			# Tabs

			User prefers tabs
		END
	)
	# Tags without a text save nothing.
	editor 'sed -i "s/^tags:.*/tags: x/" "$1"'
	terminal 1 '' co-learn
	[[ $output == *"nothing was written, nothing is saved"* ]]
}

@test "co learn saves text that the editor has below the line" {
	need_terminal
	editor 'printf "Only below\n" >>"$1"'
	terminal 0 '' co-learn
	[ "$(co-memory-show --format='%(content)' 1)" = 'Only below' ]
	editor '{ echo Above; cat "$1"; printf "# Below\n\nthe rest"; } >new; cat new >"$1"'
	terminal 0 '' 'co-learn -t hand'
	[ "$(co-memory-show --format='%(content)|%(tags)' 2)" = $'Above\n\n# Below\n\nthe rest|hand' ]
}

@test "co learn accepts CRLF from the editor, and a quoted scissors line" {
	need_terminal
	editor 'sed -i "1s/^/about cats\n/; s/^tags:.*/tags: a, b/; s/\$/\r/" "$1"'
	terminal 0 '' co-learn
	[ "$(co-memory-show --format='%(content)|%(tags)' 1)" = 'about cats|a, b' ]
	editor '{ echo "The form has:"; sed -n "/>8/p" "$1"; echo "tags: are words"; cat "$1"; } >new; cat new >"$1"'
	terminal 0 '' co-learn
	co-memory-show --format='%(content)' 2 | grep -qx 'tags: are words'
	run -1 grep -q 'Write above' $memories/002-*
}

@test "co learn refuses a text with conflict markers and names the remedy" {
	conflict=$'Resolve it:\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch'
	run -3 co-learn "$conflict"
	[[ $output == *"markers of a git conflict"*"indent its lines"* ]]
	run -0 co-learn "${conflict//$'\n'/$'\n  '}"
}

@test "the answer r replaces all memories that the new one contradicts" {
	need_terminal
	co-learn --force 'Staging is deployed on Fridays' >/dev/null 2>&1
	co-learn --force 'Staging is deployed on Mondays' >/dev/null 2>&1
	terminal 0 '?r' 'co-learn Staging is deployed on Tuesdays'
	[[ $output == *'r - save it, and replace '[12],[12]* ]]
	run -0 co-memory-list --format='%(content)'
	expect <<<'Staging is deployed on Tuesdays'
}

@test "co learn prints similar memories, and asks on a terminal" {
	co-learn -t old 'User prefers callbacks' >/dev/null 2>&1
	run -0 --separate-stderr co-learn 'User prefers tabs'
	[ "${lines[0]}" = '✓ Saved memory 2: 002-user-prefers-tabs.md' ]
	[ "$stderr" = 'similar:  1 (2026-02-09) [old]: User prefers callbacks' ]
	need_terminal
	terminal 1 'n' 'co-learn User prefers blanks'
	expect <<-'END'
		similar:  1 (2026-02-09) [old]: User prefers callbacks
		          2 (2026-02-09): User prefers tabs
		Save it anyway [y,n,r,?]? n
		co-learn: nothing was saved
	END
	terminal 0 '?y' 'co-learn User prefers blanks'
	[[ $output == *'r - save it, and replace 1'*'Saved memory 3'* ]]
	terminal 0 'r' 'co-learn User prefers spaces, always'
	[ "$(cd $memories && echo *)" = '002-user-prefers-tabs.md 003-user-prefers-blanks.md 004-user-prefers-spaces-always.md' ]
	# --force does not ask, and a duplicate needs no question.
	terminal 0 '' 'co-learn --force User prefers trees'
	[[ $output != *similar* ]]
	terminal 0 '' 'co-learn User prefers tabs'
	[[ $output != *similar* ]]
	editor 'sed -i "1s/.*/User prefers paper/" "$1"'
	terminal 1 'n' co-learn
	[[ $output == *"your text is kept in '"* ]]
	rm -r .co-cli
	draft='User prefers callbacks'
	co-memory-save --draft <<<"$draft" >/dev/null 2>&1
	terminal 1 '\001r\001n' 'co-learn User prefers tabs'
	[[ $output == *'similar:  draft 1'*'[y,n,?]? r'*'[y,n,?]? n'* ]]
}

@test "co learn refuses a file name or an address and names the alternatives" {
	echo held >notes.md
	run -2 co-learn notes.md
	[ "${lines[0]}" = "co-learn: 'notes.md' is a file's name: 'co learn ./FILE' keeps it as an article, 'co learn < notes.md' saves its text, --text saves the name itself" ]
	run -2 co-learn ./absent
	[ "${lines[0]}" = "co-learn: no such file: './absent'; --text saves the name itself" ]
	run -2 co-learn ftp://example.org/page
	[[ $output == *"'ftp://example.org/page' is an address: 'co learn URL' keeps"* ]]
	run -2 co-learn --always ./notes.md
	[ ! -e .co-cli ]
	co-learn <notes.md
	[ "$(tail -n 1 $memories/001-held.md)" = held ]
	co-learn --force ./notes.md
	co-learn 'See https://example.org/page'
	co-learn Read notes.md first
	[ "$(ls $memories | wc -l)" -eq 4 ]
}

@test "co learn reports the type of a FIFO, a socket, a device and a directory" {
	mkfifo pipe.md ./fifo
	mkdir folder.md
	for name in pipe.md ./fifo; do
		run -2 co-learn $name
		[ "${lines[0]}" = "co-learn: '$name' is a FIFO, not a file: 'co learn < $name' saves its text, --text saves the name itself" ]
	done
	perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "s.sock", Listen => 1)'
	for name in s.sock ./s.sock; do
		run -2 co-learn $name
		[ "${lines[0]}" = "co-learn: '$name' is a socket, not a file; --text saves the name itself" ]
	done
	run -2 co-learn /dev/null
	[ "${lines[0]}" = "co-learn: '/dev/null' is a device, not a file: 'co learn < /dev/null' saves its text, --text saves the name itself" ]
	for name in folder.md ./folder.md "$PWD"; do
		run -2 co-learn "$name"
		[ "${lines[0]}" = "co-learn: '$name' is a directory, and 'co learn' keeps single files; --text saves the name itself" ]
	done
	# Of several operands it names the one that is not a regular file.
	echo held >notes.md
	run -2 co-learn ./notes.md ./fifo
	[[ $output == "co-learn: './fifo' is a FIFO,"* ]]
	run -2 co-learn docs/x.md pipe.md
	[[ $output == "co-learn: 'pipe.md' is a FIFO,"* ]]
	# A word may also be the name of a directory.
	mkdir build
	run -0 co-learn -q build
	run -0 co-learn -q --text ./fifo
	mkdir -m 0 closed
	[ "$(id -u)" -ne 0 ] || return 0
	run -4 co-learn closed/x.md
	expect <<<"co-learn: cannot look at 'closed/x.md': Permission denied"
}

@test "co learn asks before it saves the path of a missing file as text" {
	need_terminal
	terminal 1 n 'co learn docs/x.md'
	[[ $output == *"'docs/x.md' does not exist; save the name as a memory? [y/N]"*'co-learn: nothing was saved' ]]
	[ ! -e .co-cli ]
	terminal 0 y 'co learn docs/x.md'
	[ "$(tail -n 1 $memories/001-*)" = docs/x.md ]
	# Without a terminal it saves the text and prints a hint.
	run -0 --separate-stderr co learn docs/y.md lib/z.c
	[[ $output == '✓ Saved memory 2: '* ]]
	[ "$stderr" = "hint: 'docs/y.md', 'lib/z.c' do not exist: saving these names as a text" ]
	# It does not ask about other words.
	terminal 0 '' 'co learn TCP/IP'
	terminal 0 '' 'co learn and/or v1.2/3.4'
	terminal 0 '' 'co learn Read src/a.c first'
	terminal 0 '' 'co learn --text etc/w.conf'
	run -0 co learn -q www/v.html
	expect </dev/null
}

@test "co learn finds similar memories among hundreds" {
	seq -f '{"content": "note %g about something else"}' 600 |
		co-memory-save --batch >/dev/null 2>&1
	co-learn 'Deploys happen on Fridays at noon' >/dev/null
	co-memory-save --draft <<<'Deploys happen at noon' >/dev/null
	run -0 --separate-stderr co-learn 'Deploys happen on Mondays at noon'
	diff -u - <(printf '%s\n' "$stderr") <<-'END'
		similar:  contradicts 601 (2026-02-09): Deploys happen on Fridays at noon
		          draft 602 (2026-02-09): Deploys happen at noon
		hint: 'co learn --replaces=601' with the same text replaces it
	END
	# Words that would filter a query are ordinary words here.
	for words in '"Deploys happen" tag:other' 'since: never, not:noon'; do
		run -0 --separate-stderr co-learn "Deploys happen on Mondays at noon $words"
		[[ $stderr == *'601 (2026-02-09): Deploys happen on Fridays at noon'* ]]
	done
}

# opened COMMAND...: print how many memory files COMMAND opens without a cache.
opened() {
	XDG_CACHE_HOME=/dev/null strace -f --seccomp-bpf -qq -o calls -e trace=openat "$@" \
		>/dev/null 2>&1 </dev/null
	grep -c '\.md", .*O_RDONLY' calls
}

# bats test_tags=slow
@test "co learn compares with at most 500 drafts and 500 removed memories" {
	local n near plain
	need_strace
	for n in 1 300 600; do
		seq -f "{\"content\": \"thing $n of %g\"}" 300 |
			co-memory-save --batch >added 2>/dev/null
		co-memory-remove <added >/dev/null
		seq -f "{\"content\": \"idea $n of %g\"}" 300 |
			co-memory-save --batch --draft >/dev/null 2>&1
	done
	co-memory-remove "$(co-memory-save <<<'Deploys happen at noon')" >/dev/null
	co-memory-save --draft <<<'Deploys happen at ten' >/dev/null
	run -0 --separate-stderr co-learn 'Deploys happen at eleven'
	[[ $stderr == *'draft 1802'*'at ten'*'in the trash 1801'*'at noon'* ]]
	plain=$(opened co-learn --force 'Deploys happen at six')
	near=$(opened co-learn 'Deploys happen at seven')
	echo "$near opened, $plain without a look"
	[ $((near - plain)) -gt 1000 ]
	[ $((near - plain)) -lt 1010 ]
}

@test "co learn prints a text that differs only in case as similar" {
	co learn 'Deploys happen on Tuesdays' >/dev/null
	run -0 --separate-stderr co learn 'DEPLOYS happen on tuesdays'
	[ "$stderr" = 'similar:  1 (2026-02-09): Deploys happen on Tuesdays' ]
	run -0 --separate-stderr co learn $'Deploys happen on Tuesdays\n'
	[ -z "$stderr" ]
	[[ $output == 'Already'* ]]
}

@test "the next save completes a replacement that was killed before its move" {
	local n
	need_strace
	for n in {1..9}; do
		rm -rf .co-cli
		co-learn old >/dev/null 2>&1
		strace -o /dev/null -e inject=renameat2,linkat:signal=KILL:when="$n" \
			co-memory-save --replaces=1 <<<new >/dev/null 2>&1 || :
		[ ! -e $memories/002-new.md ] || [ ! -e $memories/001-old.md ] ||
			break
	done
	[ -e $memories/001-old.md ]
	co-learn another >/dev/null
	[ "$(ls $memories)" = $'002-new.md\n003-another.md' ]
	[ "$(ls $archive)" = 001-old.md ]
}

@test "a hint names the user store if the project cannot be written" {
	[ -d /proc/self ] || skip 'there is no /proc'
	cd /proc
	run -4 --separate-stderr co learn one
	[ "${stderr_lines[0]}" = "co-learn: cannot make '/proc/.co-cli': No such file or directory" ]
	[ "${stderr_lines[1]}" = "hint: 'co learn --global' saves for every project, in your own directory" ]
	run -0 --separate-stderr co learn --global one
}
