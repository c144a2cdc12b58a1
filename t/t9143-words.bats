#!/usr/bin/env bats
# Words in the place of an id: which memory they mean, and how a person chooses.
load lib
load terminal

setup() {
	world
	memory 1 2026-02-07T00:00:00Z editor <<<'I write in vim'
	memory 2 2026-02-08T00:00:00Z howto <<<'To reset the local database: dropdb shop'
	memory 3 2026-02-09T00:00:00Z howto <<<'The test database is made anew by every run'
	memory 7 2026-02-06T00:00:00Z '' "$global/knowledge/memories/007.md" \
		<<<'We deploy on Mondays'
}

@test "the one memory that has all words is taken, of either store" {
	run -0 co show --format='%(id)' vim
	expect <<<1
	run -0 co show --format='%(id)' DROPDB reset
	expect <<<2
	run -0 co show --format='%(id)' 'reset the'
	expect <<<2
	run -0 co show --format='%(id) %(scope)' mondays
	expect <<<'7 global'
	# A tag counts, and a word begins where a word does.
	run -0 co show --format='%(id)' editor
	expect <<<1
	run -1 co show tabase
}

@test "each command that takes an id takes words" {
	git init -q .
	run -0 co tag +x vim
	grep -q 'tags: .*x' $memories/001*.md
	EDITOR='sed -i s/write/draw/' run -0 co edit vim
	grep -q 'I draw in vim' $memories/001*.md
	EDITOR='sed -i s/Mondays/Fridays/' run -0 co edit mondays
	grep -q Fridays "$global"/knowledge/memories/*
	run -0 co blame vim
	[[ $output == *'I draw in vim'* ]]
	run -0 co log vim
	echo src >a.c
	run -0 co cite dropdb a.c
	grep -q 'a.c' $memories/002*.md
	run -0 co archive dropdb
	grep -q 'archive: true' $memories/002*.md
	run -0 co move --to=global made anew
	[ -z "$(compgen -G "$memories/003*.md")" ]
}

@test "no match, and several without a terminal, are 1 and change nothing" {
	run -1 --separate-stderr co show xylophone
	expect </dev/null
	[ "$stderr" = "co-show: no memory has 'xylophone'
hint: 'co recall xylophone' searches, 'co list' shows the memories" ]
	before=$(cat $memories/*)
	run -1 --separate-stderr co tag +y database
	expect </dev/null
	[ "${stderr_lines[0]}" = "co-tag: 2 memories have 'database':" ]
	run -1 --separate-stderr co cite nosuch a.c
	[ "${stderr_lines[0]}" = "co-cite: no memory has 'nosuch'" ]
	run -1 --separate-stderr co tag +y database
	[[ ${stderr_lines[1]} == '3  2026-02-09  [howto] The test database'* ]]
	[[ ${stderr_lines[2]} == '2  2026-02-08  [howto] To reset'* ]]
	[ "$(cat $memories/*)" = "$before" ]
}

@test "ids, paths and files are no words, nor are they mixed with them" {
	run -1 co show 99
	[ "${lines[0]}" = "co-show: no memory '99'" ]
	run -0 co show --format='%(id)' $memories/001*.md
	expect <<<1
	run co tag +x 1 vim
	[ "$status" -ne 0 ]
	echo text >vim
	run co show vim
	[ "$status" -ne 0 ]
}

@test "a sensitive memory is not found by its words through a pipe" {
	memory 4 2026-02-10T00:00:00Z '' <<<'The vault is behind the clock'
	sed -i 's/^tags.*/&\nsensitive: true/' $memories/004*.md
	run -1 --separate-stderr co show vault
	[[ $stderr != *clock* ]]
	need_terminal
	terminal 0 '' 'co show vault | cat' || terminal 1 '' 'co show vault | cat'
	[[ $output != *clock* ]]
	PAGER='' terminal 0 '' 'co show vault'
	[[ $output == *clock* ]]
}

@test "on a terminal one of several is chosen by its digit" {
	need_terminal
	PAGER='' terminal 0 2 "co show --format='<%(id)>' database"
	[[ $output == *"co-show: 2 memories have 'database':"*'1: 3  2026-02-09'*'2: 2  2026-02-08'*'Which [1-2, n(one)]?'*'<2>'* ]]
	for key in n 3 0 '\x1b'; do
		PAGER='' terminal 1 "$key" "co show --format='<%(id)>' database"
		[[ $output == *'nothing was chosen'* && $output != *'<'* ]]
	done
	for n in $(seq 20 32); do
		memory "$n" 2026-03-01T00:00:00Z '' <<<"database $n"
	done
	PAGER='' terminal 0 9 "co show --format='<%(id)>' database"
	[[ $output == *'the newest 9 of them:'*'9: '*'<'* ]]
	[[ $output != *'10: '* ]]
}

@test "co forget of a text that several have asks which on a terminal" {
	need_terminal
	terminal 0 '2\n' 'co forget database'
	[[ $output == *'Forget which? [ids, a(ll), n(one)]'*'Forgot memory 2'* ]]
	[ -z "$(compgen -G "$memories/002*.md")" ]
	[ -n "$(compgen -G "$memories/003*.md")" ]
	memory 5 2026-02-10T00:00:00Z '' <<<'database five'
	memory 6 2026-02-10T00:00:00Z '' <<<'database six'
	for typed in 'n\n' '\n' '99\n' '3 99\n' '3 3\n' 'x\n' ''; do
		terminal 1 "$typed" 'co forget database'
		[[ $output == *'nothing was chosen'* ]]
		[ "$(ls $memories | wc -l)" = 4 ]
	done
	terminal 0 '6, 3\n' 'co forget database'
	[ -n "$(compgen -G "$memories/005*.md")" ]
	[ "$(ls $memories | wc -l)" = 2 ]
	memory 6 2026-02-10T00:00:00Z '' <<<'database six'
	terminal 0 'a\n' 'co forget database'
	[ "$(ls $memories | wc -l)" = 1 ]
	# Elsewhere nothing is chosen.
	memory 5 2026-02-10T00:00:00Z '' <<<'database five'
	memory 6 2026-02-10T00:00:00Z '' <<<'database six'
	run -1 co forget database
	[ "$(ls $memories | wc -l)" = 3 ]
}
