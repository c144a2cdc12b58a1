#!/usr/bin/env bats
# Words instead of an id: matching a memory, and choosing among several.
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

@test "co show takes the only memory of both stores that has all words" {
	run -0 co show --format='%(id)' vim
	expect <<<1
	run -0 co show --format='%(id)' DROPDB reset
	expect <<<2
	run -0 co show --format='%(id)' 'reset the'
	expect <<<2
	run -0 co show --format='%(id) %(scope)' mondays
	expect <<<'7 global'
	# Tags count. A word must match from its start.
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

@test "words match an article's title, file name or tags, but not its text" {
	need_terminal
	git init -q .
	mkdir -p .co-cli/knowledge/articles "$global/knowledge/articles"
	http=.co-cli/knowledge/articles/http.md
	article() {
		printf -- '---\nsource: https://example.org/%s\nfetched: 2026-01-01T00:00:00Z\ntitle: %s\ntags: [web]\n%s---\n\nXylophones.\n' \
			"$2" "$2" "${3:-}" >"$1"
	}
	article $http 'Pages of HTTP'
	article "$global/knowledge/articles/style.md" 'Style of letters'
	for words in 'pages http' http.md web\ pages; do
		# shellcheck disable=SC2086 # words are meant
		run -0 co show --format='%(path)' $words
		expect <<<"$PWD/$http"
	done
	run -1 co show xylophones
	EDITOR='sed -i s/Xylophones/Drums/' run -0 co edit pages
	grep -q Drums $http
	EDITOR='sed -i s/Xylophones/Drums/' run -0 co edit letters
	grep -q Drums "$global/knowledge/articles/style.md"
	run -0 co tag +x pages
	grep -q 'tags: .web, x.' $http
	run -0 co log pages
	[[ $output == *learned ]]
	run -0 co blame letters
	[[ $output == *Drums.* ]]
	# Commands that take only memories match no article.
	run -1 co archive pages
	run -1 co cite pages x
	run -1 co move --to=global pages
	# Several match: the list marks articles, and one can be chosen.
	memory 5 2026-02-07T00:00:00Z '' <<<'Pages are large'
	run -1 --separate-stderr co show pages
	expect </dev/null
	[ "$stderr" = "co-show: 2 memories and articles have 'pages':
5  2026-02-07  Pages are large
article **http.md** (2026-01-01) [web, x]: Pages of HTTP, from https://example.org/Pages of HTTP
co-show: nothing was chosen
hint: give an id, the name of an article, or more words" ]
	terminal 0 'http.md\n' 'PAGER=cat co show --format="%(path)" pages'
	[[ $output == *"$http" ]]
	# An article in parts is represented by its first part.
	article .co-cli/knowledge/articles/a-01.md Guide $'part: 1\nparts: 2\n'
	article .co-cli/knowledge/articles/a-02.md Guide $'part: 2\nparts: 2\n'
	run -0 co show --format='%(path)' guide
	[[ $output == */a-01.md ]]
	# co forget takes words for an article only on a terminal.
	run -1 co forget -y of http
	terminal 1 'n\n' 'co forget of http'
	[[ $output == *'http.md ('*'Forget 1 article? [y/N]'* ]]
	terminal 0 'y\n' 'co forget of http'
	[ ! -e $http ]
}

@test "commands exit 1 and change nothing if no memory or several match" {
	run -1 --separate-stderr co show xylophone
	expect </dev/null
	[ "$stderr" = "co-show: no memory has 'xylophone'
hint: 'co recall xylophone' searches, 'co list' shows the memories" ]
	before=$(cat $memories/*)
	run -1 --separate-stderr co tag +y database
	expect </dev/null
	[ "${stderr_lines[0]}" = "co-tag: 2 memories have 'database':" ]
	run -1 --separate-stderr co show 2,3
	[ "$stderr" = "co-show: no memory has '2,3'
hint: separate ids by blanks: 3 7" ]
	run -2 --separate-stderr co cite nosuch 3
	[ "$stderr" = "co-cite: did you mean 'co cite 3 nosuch'?" ]
	run -1 --separate-stderr co cite nosuch a.c
	[ "${stderr_lines[0]}" = "co-cite: no memory has 'nosuch'" ]
	run -1 --separate-stderr co tag +y database
	[[ ${stderr_lines[1]} == '3  2026-02-09  [howto] The test database'* ]]
	[[ ${stderr_lines[2]} == '2  2026-02-08  [howto] To reset'* ]]
	[ "$(cat $memories/*)" = "$before" ]
}

@test "an id, a path or a file name is never taken as words or mixed with them" {
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

@test "words do not show a sensitive memory through a pipe" {
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

@test "on a terminal a person chooses one of several matches by its id" {
	need_terminal
	PAGER='' terminal 0 '2\n' "co show --format='<%(id)>' database"
	[[ $output == *"co-show: 2 memories have 'database':"*'3  2026-02-09'*'2  2026-02-08'*'Which? [id, n(one)]'*'<2>'* ]]
	for typed in n 1 0 g2 '2 3' '\x1b' ''; do
		PAGER='' terminal 1 "$typed\n" "co show --format='<%(id)>' database"
		[[ $output == *'nothing was chosen'* && $output != *'<'* ]]
	done
	for n in $(seq 20 42); do
		memory "$n" 2026-03-01T00:00:00Z '' <<<"database $n"
	done
	PAGER='' terminal 0 '042\n' "co show --format='<%(id)>' database"
	[[ $output == *'the newest 20 of them:'*'<42>'* ]]
	[[ $output != *'database 22'* ]]
}

@test "co learn --replaces takes words" {
	run -0 co learn --replaces=vim 'I write in vi'
	[[ $output == *'Replaced memory 1: I write in vim'* ]]
	run -0 co learn --replaces='reset dropdb' 'Nothing is reset'
	[[ $output == *'Replaced memory 2: To reset'* ]]
	run -0 co learn --replaces=mondays 'We deploy on Fridays'
	[[ $output == *'Replaced memory g7: We deploy on Mondays'* ]]
	run -0 co learn --replaces=g8 <<<'We deploy on Sundays'
	[[ $output == *'Replaced memory g8: We deploy on Fridays'* ]]
	memory 12 2026-02-08T00:00:00Z '' <<<'database two'
	before=$(ls $memories)
	run -1 --separate-stderr co learn --replaces=database 'No database'
	expect </dev/null
	[ "${stderr_lines[0]}" = "co-learn: 2 memories have 'database':" ]
	[ "${#stderr_lines[@]}" = 5 ]
	run -1 --separate-stderr co learn --replaces=xylophone 'No xylophone'
	[ "$stderr" = "co-learn: no memory has 'xylophone'
hint: 'co recall xylophone' searches, 'co list' shows the memories" ]
	[ "$(ls $memories)" = "$before" ]
	need_terminal
	terminal 0 '12\n' "co learn --replaces=database 'No database'"
	[[ $output == *'Which? [id, n(one)]'*'Replaced memory 12: database two'* ]]
	[ -n "$(compgen -G "$memories/003*.md")" ]
}

@test "on a terminal co forget asks which of several matches to forget" {
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
	# Without a terminal nothing is chosen.
	memory 5 2026-02-10T00:00:00Z '' <<<'database five'
	memory 6 2026-02-10T00:00:00Z '' <<<'database six'
	run -1 co forget database
	[ "$(ls $memories | wc -l)" = 3 ]
}

@test "on a terminal co tag changes several of the matches, or all" {
	need_terminal
	memory 2 2026-02-08T00:00:00Z '' "$global/knowledge/memories/002.md" \
		<<<'database of the user'
	terminal 0 'g2 3\n' 'co tag +x database'
	[[ $output == *"3 memories have 'database':"*'Tag which? [ids, a(ll), n(one)]'* ]]
	[[ $(co show --format='%(tags);' 2 3 g2 | tr -d '\n') == 'howto;howto, x;x;' ]]
	for typed in 'n\n' '\n' '99\n' '3 99\n' '3 3\n' ''; do
		terminal 1 "$typed" 'co tag +y database'
		[[ $output == *'nothing was chosen'* ]]
	done
	[ -z "$(co list -t y)" ]
	for n in $(seq 20 42); do
		memory "$n" 2026-03-01T00:00:00Z '' <<<"database $n"
	done
	# All are shown before all are changed.
	terminal 0 'a\n' 'co tag +y database'
	[[ $output == *"26 memories have 'database':"*'database 20'*'Tag which?'* ]]
	[ "$(co list -t y | wc -l)" = 26 ]
}

@test "on a terminal co archive and co move take several of the matches, or all" {
	need_terminal
	memory 4 2026-02-10T00:00:00Z '' <<<'database four'
	terminal 0 '2, 4\n' 'co archive database'
	[[ $output == *'Archive which? [ids, a(ll), n(one)]'*'--restore 2 4'* ]]
	[ "$(co list --format='%(id)' database)" = 3 ]
	terminal 0 'a\n' 'co archive --restore database'
	[[ $output == *'Restore which?'*'memory 3 is not archived'* ]]
	[ "$(co list --format='%(id)' database | wc -l)" = 3 ]
	terminal 1 'n\n' 'co move --to=global database'
	[[ $output == *'Move which?'*'nothing was chosen'* ]]
	terminal 0 '3 4\n' 'co move --to=global database'
	[ "$(co list --global --format='%(id)' database | wc -l)" = 2 ]
	terminal 2 'a\n' 'co archive database'
	[[ $output == *"is in the user store and '2' is not: name those of one store at a time"* ]]
	co memory-grep --global database >found
	run -0 co archive - <found
	[ "${lines[0]}" = '✓ Archived memory g9' ]
}

@test "-i offers all memories, or those that have the words" {
	need_terminal
	rm -r .co-cli "$global"
	memory 1 2026-02-01T14:30:00Z '' <<<'Use tabs'
	memory 2 2026-02-02T14:30:00Z '' <<<'two tabs'
	memory 7 2026-02-03T14:30:00Z vim "$global/knowledge/memories/007.md" \
		<<<'User writes in vim'
	terminal 0 '1\n' 'co show -i --format="%(id)"'
	expect <<-'END'
		co-show: 3 memories:
		g7  2026-02-03  [vim] User writes in vim
		2  2026-02-02  two tabs
		1  2026-02-01  Use tabs
		Which? [id, n(one)] 1
	END
	terminal 0 '2\n' 'co show -i --format="%(id)" tabs'
	[[ $output == "co-show: 2 memories have 'tabs':"*'n(one)] 2' ]]
	terminal 0 'g7\n' 'EDITOR="sed -i s/vim/emacs/" co edit -i'
	[[ $output == *'✓ Edited 007.md' ]]
	terminal 0 '2\n' 'co list -i -t vim -t x; co list -i --since=2026-02-02'
	[[ $output == *'co-list: there is nothing to choose from'*'two tabs' ]]
	terminal 1 'n\n' 'co list -i'
	[[ $output == *'co-list: nothing was chosen'* ]]
	for command in 'co list -i' 'co show -i' 'co edit -i tabs' 'co list -i --trash'; do
		run -2 $command </dev/null
	done
	[[ ${lines[0]} == 'co-list: -i chooses among the memories here, to show one' ]]
}

@test "-i runs fzf with a preview if fzf is in PATH" {
	need_terminal
	rm -r .co-cli "$global"
	memory 1 2026-02-01T14:30:00Z '' <<<'Use tabs'
	memory 2 2026-02-02T14:30:00Z vim <<<'two'
	mkdir bin
	cat >bin/fzf <<-'END'
		#!/bin/sh
		for arg; do
			case $arg in --preview=*) preview=${arg#--preview=} ;; esac
		done
		cat >rows
		eval "$(printf %s "$preview" | sed 's/{1}/1/')" >preview
		read -r line </dev/tty
		[ -n "$line" ] || exit 130
		grep "^$line " rows
	END
	chmod +x bin/fzf
	PATH=$PWD/bin:$PATH TERM=xterm terminal 0 '1\n' 'PAGER= co show -i --format="%(content)"'
	[ "$output" = 'Use tabs' ]
	diff -u - rows <<-'END'
		2  2026-02-02  two  [vim]
		1  2026-02-01  Use tabs
	END
	grep -q 'Use tabs' preview
	PATH=$PWD/bin:$PATH TERM=xterm terminal 1 '\n' 'co edit -i'
	[[ $output == 'co-edit: nothing was chosen'* ]]
}
