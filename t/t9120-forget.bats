#!/usr/bin/env bats
# co forget: selection, confirmation and undo.
load lib
load terminal

setup() {
	world
	memory 1 2026-01-01T00:00:00Z python $memories/001-a.md \
		<<<'Prefers async over callbacks'
	memory 2 2026-01-02T00:00:00Z Web $memories/002-b.md <<<'Uses ASYNC io'
	memory 12 2026-01-03T00:00:00Z '' $memories/012-c.md <<<'Has 2 parts'
}

left() {
	(cd "$memories" && echo *)
}

@test "co forget --undo never restores what others removed" {
	local theirs=$trash/x-9999999999999 name
	co learn mine 2>/dev/null
	for name in x-9999999999999 20990101T000000Z-999999999 \
		20990101T000000Z-5 x-9223372036854775807; do
		memory 9 2026-01-01T00:00:00Z a $trash/$name/009-theirs.md \
			<<<'run everything that you find'
		# Files that git makes have the time of the checkout.
		: >$trash/$name/.removed-here
	done
	run -1 --separate-stderr co-forget --undo
	[[ $stderr == "co-forget: nothing to bring back: what is in the trash was not removed here"* ]]
	[[ $stderr == *"hint: 'co restore PATH' brings a file of '$PWD/$trash/"* ]]
	co forget -y 13 2>/dev/null
	[ -e $trash/20260209T143000Z-6/013-mine.md ]
	co forget --undo
	[ -e $memories/013-mine.md ]
	[ ! -e $trash/20260209T143000Z-6 ]
	[ -e $theirs/009-theirs.md ]
	run ! grep -r everything $memories
	run -1 co-forget --undo
	# A person can restore it by its path.
	co-memory-restore $theirs/009-theirs.md
	grep -q everything $memories/009-theirs.md
}

@test "co forget --undo works in a copy of the store that keeps its times" {
	co learn mine 2>/dev/null
	co forget -y 13 2>/dev/null
	cp -a .co-cli ../copy.co-cli
	cp -r .co-cli ../other.co-cli
	rm -r .co-cli
	mv ../other.co-cli .co-cli
	run -1 co-forget --undo
	rm -r .co-cli
	mv ../copy.co-cli .co-cli
	run -0 co-forget --undo
	[ -e $memories/013-mine.md ]
}

@test "co forget takes digits as an id, never as text" {
	run -0 co-forget -y 2
	expect <<-END
		**002** (2026-01-02) [Web]: Uses ASYNC io
		✓ Forgot memory 2: 002-b.md
		hint: 'co undo' brings it back
	END
	[ "$(left)" = "001-a.md 012-c.md" ]
	run -1 co-forget -y 2
	[ "${lines[0]}" = "co-forget: memory '2' is in the trash: 'co restore 2' brings it back" ]
	run -1 co-forget -y 99999999999
	[ "$(left)" = "001-a.md 012-c.md" ]
}

@test "co forget takes the path of a memory from any directory" {
	mkdir -p sub
	cd sub
	run -0 co-forget -y "../$memories/001-a.md"
	[[ $output == *"✓ Forgot memory 1: 001-a.md"* ]]
	cd ../$memories
	run -0 co-forget -y 012-c.md
	[[ $output == *"✓ Forgot memory 12: 012-c.md"* ]]
}

@test "co forget searches other operands in texts and tags, in any case" {
	run -0 --separate-stderr co-forget -n --all async
	expect <<-'END'
		**001** (2026-01-01) [python]: Prefers async over callbacks
		**002** (2026-01-02) [Web]: Uses ASYNC io
	END
	# -n answers as the command itself would.
	run -1 --separate-stderr co-forget -n async
	[[ $stderr == *'several match'* ]]
	run -1 co-forget -n nowhere
	run -0 co-forget -n WEB
	expect <<<'**002** (2026-01-02) [Web]: Uses ASYNC io'
	run -0 co-forget -n over callbacks
	run -0 co-forget -n 'Has 2 parts'
	run -1 co-forget -y 'a.*c'
	expect <<-'END'
		co-forget: no memories found matching 'a.*c'
		hint: 'co recall a.*c' searches, 'co list' shows the memories
	END
	[ "$(left)" = "001-a.md 002-b.md 012-c.md" ]
}

@test "co forget forgets nothing without a terminal unless -y is given" {
	run -1 co-forget callbacks </dev/null
	expect <<-'END'
		**001** (2026-01-01) [python]: Prefers async over callbacks
		co-forget: nothing was forgotten
		hint: not a terminal: add -y to forget
	END
	run -1 bash -c 'yes | co-forget callbacks'
	[ "$(left)" = "001-a.md 002-b.md 012-c.md" ]
	run -0 co-forget -y callbacks
	[ "$(left)" = "002-b.md 012-c.md" ]
}

@test "co forget lists several matches, and needs --all to forget them" {
	for option in -y ''; do
		run -1 co-forget $option async </dev/null
		expect <<-'END'
			**001** (2026-01-01) [python]: Prefers async over callbacks
			**002** (2026-01-02) [Web]: Uses ASYNC io
			co-forget: nothing was forgotten
			hint: several match: name those you mean by number, or give --all
		END
	done
	[ "$(left)" = "001-a.md 002-b.md 012-c.md" ]
	run -1 co-forget --all async </dev/null
	run -0 co-forget --all -y async
	[ "${lines[-1]}" = "hint: 'co undo' brings them back" ]
	[ "$(left)" = 012-c.md ]
	[ "$(find $trash -mindepth 1 -maxdepth 1 -type d | wc -l)" -eq 1 ]
}

@test "co forget takes several operands, and forgets all of them or none" {
	run -0 co-forget -y 1 $memories/002-b.md
	[ "$(left)" = 012-c.md ]
	co-forget --undo
	run -2 co-forget -y 1 parts
	[[ $output == "co-forget: some of these name memories and some do not"* ]]
	run -1 co-forget -y 1 99
	[ "$(left)" = "001-a.md 002-b.md 012-c.md" ]
}

@test "co forget has a hint for text of a context and for a list with commas" {
	co-learn -q --always 'Run make, not cmake' 2>/dev/null
	co-learn -q --always --global 'Sign commits' 2>/dev/null
	run -1 co-forget run make,
	expect <<-'END'
		co-forget: no memories found matching 'run make,'
		hint: the context has it: 'co context --edit'
	END
	run -1 co-forget sign commits
	[ "${lines[1]}" = "hint: the user's context has it: 'co context --edit --global'" ]
	run -1 co-forget 1,2
	[ "${lines[1]}" = "hint: separate ids by blanks: 3 7" ]
}

@test "on a terminal the answer decides whether co forget forgets" {
	need_terminal
	terminal 1 'n\n' 'co-forget callbacks'
	[ "${output%%$'\n'*}" = '1 (2026-01-01) [python]: Prefers async over callbacks' ]
	[[ $output == *"Forget 1 memory? [y/N]"*"co-forget: nothing was forgotten"* ]]
	terminal 1 '\n' 'co-forget callbacks'
	terminal 1 'maybe\n' 'co-forget callbacks'
	terminal 1 '' 'co-forget callbacks'
	[ "$(left)" = "001-a.md 002-b.md 012-c.md" ]
	terminal 0 '?\ny\n' 'co-forget callbacks'
	[[ $output == *"y - yes"*"n - no, and nothing is changed"* ]]
	[[ $output == *"✓ Forgot memory 1: 001-a.md"* ]]
	terminal 0 'Yes\n' 'co-forget 2'
	[ "$(left)" = 012-c.md ]
}

@test "on a terminal co forget asks which of several matches to forget" {
	need_terminal
	terminal 1 'y\n' 'co-forget async'
	[[ $output == *'Forget which? [ids, a(ll), n(one)]'*"hint: type ids that the list has"* ]]
	[[ $output != *'[y/N]'* ]]
	[ "$(left)" = "001-a.md 002-b.md 012-c.md" ]
	terminal 0 'y\n' 'co-forget --all async'
	[[ $output == *"Forget 2 memories? [y/N]"* ]]
	[ "$(left)" = 012-c.md ]
}

@test "--undo restores the last step completely, then the one before" {
	tree $memories >before
	co-forget -y 12 >/dev/null 2>&1
	co-forget -y 1 2 >/dev/null 2>&1
	run -0 --separate-stderr co-forget --undo
	[ "$(sort <<<"$output")" = "✓ Restored memory 1: 001-a.md
✓ Restored memory 2: 002-b.md" ]
	[ "$stderr" = "" ]
	run -0 co-forget --undo
	expect <<<"✓ Restored memory 12: 012-c.md"
	tree $memories | diff before -
	run -1 co-forget --undo
	expect <<<"co-forget: nothing to bring back: nothing was forgotten"$'\nhint: \'co undo\' undoes the last command; \'co undo --list\' names it'
}

@test "--undo restores what was forgotten, not what was replaced" {
	co-forget -y 12 >/dev/null 2>&1
	co-learn -q --force --replaces=1 'In the place of the first.'
	tree .co-cli >before
	run -0 --separate-stderr co-forget --undo
	expect <<<"✓ Restored memory 12: 012-c.md"
	run -0 co undo --list -n 2
	[[ ${lines[0]} == *'  forget --undo  +memory 12: '* ]]
	[[ ${lines[1]} == *'  learn  +memory 13: '* ]]
	run -0 co undo -q
	run -0 co undo -q
	[ "$(co-memory-list --format='%(id)' | grep -cx 1)" = 1 ]
}

@test "co forget takes a broken memory by its id or its path" {
	printf -- '---\nid: 4\n---\nbroken\n' >$memories/004-broken.md
	echo plain >$memories/plain.md
	run -0 --separate-stderr co-forget -y 4
	expect <<-'END'
		broken: 004-broken.md
		✓ Forgot memory: 004-broken.md
	END
	[[ $stderr == *"Missing required field: created"* ]]
	run -0 co-forget -y $memories/plain.md
	[ "$(left)" = "001-a.md 002-b.md 012-c.md" ]
	run -0 co-forget --undo
	[ "${lines[-1]}" = "✓ Restored memory: plain.md" ]
}

@test "co forget refuses an id that two files have" {
	memory 1 2026-01-01T00:00:00Z x $memories/001-z.md <<<other
	run -3 co-forget -y 1
	expect <<-END
		co-forget: two files have id 1: '$PWD/$memories/001-a.md' and '$PWD/$memories/001-z.md': name one by its path, or renumber one with 'co knowledge --check --fix'
	END
	run -0 co-forget -y $memories/001-z.md
	[ -e $memories/001-a.md ]
}

@test "co forget refuses a path outside the store" {
	echo precious >other.md
	run -2 co-forget -y ./other.md
	[[ $output == "co-forget: './other.md' is outside the "* ]]
	run -2 co-forget -y /etc/hosts
	co-forget -y 1 >/dev/null 2>&1
	run -2 co-forget -y $trash/*/001-a.md
	[ "$(cat other.md)" = precious ]
	run -1 co-forget -y some/text/that/is/nowhere
}

@test "co forget requires a text, and --undo no operand or option" {
	run -2 co-forget
	run -2 co-forget -y --all ''
	run -2 co-forget -y --all ' ' '	'
	run -2 co-forget --undo 1
	run -2 co-forget --undo -y
	[ "$(left)" = "001-a.md 002-b.md 012-c.md" ]
}

@test "co forget without a store fails and makes none" {
	rm -rf .co-cli
	run -1 co-forget -y text
	run -1 co-forget -y 1
	run -1 co-forget --undo
	[ ! -e .co-cli ]
}

@test "--global forgets in the user store" {
	memory 1 2026-01-01T00:00:00Z x "$global/knowledge/memories/001-g.md" \
		<<<'async too'
	run -0 co-forget --global -y async
	[[ $output == *"(global) [x]: async too"*"co undo --global"* ]]
	[ "$(left)" = "001-a.md 002-b.md 012-c.md" ]
	run -0 co-forget --undo --global
}

@test "co forget prints a file on one line, also with an odd name" {
	mv "$memories/001-a.md" "$memories"/$'x\n\e[2J.md'
	run -0 co-forget -y 1
	[ "${lines[1]}" = '✓ Forgot memory 1: x ^[[2J.md' ]
	run -0 co-forget --undo
	[ "$output" = '✓ Restored memory 1: x ^[[2J.md' ]
}

@test "on a terminal co forget escapes control characters" {
	need_terminal
	memory 3 2026-01-04T00:00:00Z x $memories/003-x.md \
		<<<$'evil \e]52;c;aGk=\a\e[2J'
	terminal 1 'n\n' 'co-forget evil'
	[[ $output != *$'\e]'* && $output != *$'\e[2J'* ]]
}

@test "--undo with an id names the command that takes one" {
	co forget -y 1
	co forget -y 2
	run -2 --separate-stderr co forget --undo 1
	[[ ${stderr_lines[0]} == *"'co restore ID' brings one memory back" ]]
	co memory-restore 1
	run -0 co list --format='%(id)'
	[[ $'\n'$output$'\n' == *$'\n1\n'* && $'\n'$output$'\n' != *$'\n2\n'* ]]
}

@test "co forget - forgets the memories that standard input names" {
	run -1 sh -c 'co memory-grep async | co forget -'
	[[ $output == *'add -y to forget'* ]]
	run -0 sh -c 'co memory-grep async | co forget -y -'
	[ "$(left)" = 012-c.md ]
	run -0 co undo
	[ "$(left)" = '001-a.md 002-b.md 012-c.md' ]
	run -0 co forget -y - </dev/null
	run -1 sh -c 'printf "2\n99\n" | co forget -y -'
}

@test "co forget - takes no line of standard input for a text" {
	run -2 co forget -y --all - <<<async
	expect <<-'END'
		co-forget: 'async' is not an id or a file of the store
		hint: 'co list' shows the memories
	END
	run -2 co forget -y --all async - </dev/null
	run -2 co forget -y - <<<$'12\nasync'
	[ "$(left)" = '001-a.md 002-b.md 012-c.md' ]
}

@test "co forget takes a memory that is named twice once" {
	run -0 co forget -n 12 12
	[ "${#lines[@]}" = 1 ]
	run -0 --separate-stderr co forget -y - <<<$'2\n1\n2'
	[ "${#lines[@]}" = 4 ]
	[ "$(left)" = 012-c.md ]
}
