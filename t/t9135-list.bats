#!/usr/bin/env bats
# co list prints the memories of both stores, one per line.
load lib
load terminal

setup() {
	world
	memory 1 2026-02-01T14:30:00Z 'style, Python' <<<'Use tabs for everything'
	memory 12 2026-02-03T14:30:00Z '' <<<$'Tests need no network\nsecond line'
	memory 7 2026-02-02T14:30:00Z vim "$global/knowledge/memories/007.md" \
		<<<'User writes in vim'
}

@test "co list prints both stores, the newest first, with aligned ids" {
	run -0 --separate-stderr co list
	expect <<-'END'
		12  2026-02-03  Tests need no network
		g7  2026-02-02  [vim] User writes in vim
		 1  2026-02-01  [style, Python] Use tabs for everything
	END
	[ "$stderr" = '' ]
	run -0 co list --global
	expect <<<'g7  2026-02-02  [vim] User writes in vim'
}

@test "co list and co show name the remedy for two files with one id" {
	memory 1 2026-02-09T14:30:00Z '' <<<one
	memory 1 2026-02-09T14:30:00Z '' "$memories/001-other.md" <<<other
	run -0 --separate-stderr co list
	[ "${stderr_lines[1]}" = "hint: 'co knowledge --check --fix' renumbers one of two with an id" ]
	run -0 --separate-stderr co show 1
	[ "${stderr_lines[1]}" = "hint: 'co knowledge --check --fix' renumbers one of two with an id" ]
	memory 1 2026-02-09T14:30:00Z '' "$drafts/001-one.md" <<<one
	memory 1 2026-02-09T14:30:00Z '' "$drafts/001-other.md" <<<other
	run -0 --separate-stderr co list --drafts
	[[ $stderr == *'two files have id 1'* && $stderr != *hint* ]]
}

@test "co list prints the project's memory first if times are equal" {
	memory 12 2026-02-03T14:30:00Z '' "$global/knowledge/memories/012.md" \
		<<<same
	run -0 co list -n 2 --format='%(scope) %(id)'
	expect <<<$'project 12\nglobal 12'
}

@test "co list has the filters of co-memory-list" {
	run -0 co list -t python --format='%(id)'
	expect <<<1
	run -0 co list --not-tag python --not-tag vim --format='%(id)'
	expect <<<12
	run -0 co list --since 2026-02-02 --until 2026-02-02 --format='%(id)'
	expect <<<7
	run -0 co list -r -n 1 --json
	[ "$(jq -c '[.id, has("content"), has("frontmatter")]' <<<"$output")" = '[1,true,false]' ]
	run -2 co list --since nonsense
	[[ $output == "co-list: bad date 'nonsense'"* ]]
	run -2 co list --drafts --trash
}

@test "co list WORD... lists the memories that have all words" {
	run -0 co list tabs EVERY --format='%(id)'
	expect <<<1
	run -0 co list user 'writes in'
	expect <<<'g7  2026-02-02  [vim] User writes in vim'
	run -0 co list second line --json
	[ "$(jq .id <<<"$output")" = 12 ]
	run -0 co list python --format='%(id)'
	expect <<<1
	# A word is found at the start of a word, and only all words together.
	run -0 --separate-stderr co list abs
	expect </dev/null
	[ "${stderr_lines[0]}" = 'co-list: no memory matches' ]
	run -0 --separate-stderr co list tabs vim
	expect </dev/null
	run -0 co list -t vim user --format='%(id)'
	expect <<<7
	co-memory-remove -q 12
	run -0 co list --trash network --format='%(id)'
	expect <<<12
	run -0 --separate-stderr co list --trash tabs
	expect </dev/null
}

@test "co list sorts by date, time of change, size or id" {
	printf 'word %.0s' {1..99} >>$memories/012-m.md
	touch -d 2026-01-01T00:00:00Z $memories/012-m.md
	touch -d 2026-01-02T00:00:00Z "$global/knowledge/memories/007.md"
	touch -d 2026-01-03T00:00:00Z $memories/001-m.md
	run -0 co list --sort=modified --format='%(id)'
	expect <<<$'1\n7\n12'
	run -0 co list --sort=size -n 1 --format='%(id) %(created:unix)'
	expect <<<"12 $(date -u -d 2026-02-03T14:30:00Z +%s)"
	run -0 co list --sort=id --format='%(id)'
	expect <<<$'12\n7\n1'
	run -0 co list --sort=created -r --format='%(id)'
	expect <<<$'1\n7\n12'
	run -0 co-memory-list --sort=modified --format='%(id)'
	expect <<<$'12\n1'
	run -0 co-memory-list --sort=size -r --format='%(id)'
	expect <<<$'12\n1'
}

@test "co list prints whole lines into a pipe, and colours only on request" {
	memory 13 2026-02-04T00:00:00Z '' <<<"$(printf 'word %.0s' {1..15})"
	TERM=xterm run -0 co list -n 1
	expect <<<"13  2026-02-04  $(printf 'word %.0s' {1..15} | sed 's/ $//')"
	run -0 co list --color=always -t style
	expect <<<$'\e[33m1\e[m  \e[32m2026-02-01\e[m  [\e[36mstyle\e[m, \e[36mPython\e[m] Use tabs for everything'
	run -0 co list --color=never -t style
	expect <<<'1  2026-02-01  [style, Python] Use tabs for everything'
	co list -z | tr '\0' '\n' | diff - <(co list)
}

@test "on a terminal co list cuts lines to its width and colours them" {
	need_terminal
	memory 13 2026-02-04T00:00:00Z '' <<<'日本語のテキストはここで切れます、もちろん'
	export TERM=xterm PAGER=
	terminal 0 '' 'stty cols 40; NO_COLOR=1 co list'
	expect <<-'END'
		13  2026-02-04  日本語のテキストはここ…
		12  2026-02-03  Tests need no network
		g7  2026-02-02  User writes in v…  [vim]
		 1  2026-02-01  Use tabs for everything
	END
	terminal 0 '' 'stty cols 60; co list -t style'
	expect <<<$'\e[33m1\e[m  \e[32m2026-02-01\e[m  Use tabs for everything  [\e[36mstyle\e[m, \e[36mPython\e[m]'
	TERM=dumb terminal 0 '' 'stty cols 80; co list -t vim'
	expect <<<'g7  2026-02-02  User writes in vim  [vim]'
	COLUMNS=30 terminal 0 '' 'stty cols 80; co list --color=never -t vim'
	expect <<<'g7  2026-02-02  User w…  [vim]'
}

@test "on a terminal co list appends the next line to a heading or a colon" {
	need_terminal
	memory 20 2026-03-04T00:00:00Z '' <<<$'To reset the database:\n\n    dropdb shop'
	memory 21 2026-03-03T00:00:00Z '' <<<$'## Ports ##\n\n- api: 80\nmore'
	memory 22 2026-03-02T00:00:00Z '' <<<$'#hash is no heading\nmore'
	memory 23 2026-03-01T00:00:00Z '' <<<$'# Alone'
	memory 24 2026-02-28T00:00:00Z '' <<<$'A:\nB:\nC\nD'
	terminal 0 '' 'stty cols 80; NO_COLOR=1 co list -n 5'
	expect <<-'END'
		20  2026-03-04  To reset the database: dropdb shop
		21  2026-03-03  Ports ##: - api: 80
		22  2026-03-02  #hash is no heading
		23  2026-03-01  Alone
		24  2026-02-28  A: B: C
	END
	# A line may be wider than a summary on a wide terminal.
	memory 25 2026-03-05T00:00:00Z a <<<"$(printf 'w%02d ' {1..60})"
	terminal 0 '' 'stty cols 150; NO_COLOR=1 co list -n 1'
	output=${output/…/.}
	[ "${#output}" -eq 150 ]
	[[ $output == *'.  [a]' ]]
	# A pipe gets the summary.
	run -0 co list -n 2
	[[ ${lines[1]} == *'To reset the database:' ]]
}

@test "co list escapes control characters and line ends of files" {
	printf -- '---\nid: 3\ncreated: 2026-03-01T00:00:00Z\ntags: ["a\\e[2J\\nb"]\n---\n\033[31mred\n' \
		>$memories/003.md
	run -0 co list -n 1 --color=always
	expect <<<$' \e[33m3\e[m  \e[32m2026-03-01\e[m  [\e[36ma^[[2J b\e[m] ^[[31mred'
}

@test "co list names the command for drafts if there is nothing else" {
	rm -r .co-cli "$global"
	co-memory-save --draft <<<one
	run -0 --separate-stderr co list
	[ "${stderr_lines[1]}" = "hint: 1 draft waits: 'co review'" ]
	co-review -q --reject 1
	co-memory-save --draft --global <<<one
	co-memory-save --draft --global <<<two
	run -0 --separate-stderr co list
	[ "${stderr_lines[1]}" = "hint: 2 drafts wait: 'co review --global'" ]
	run -0 --separate-stderr co list -t x
	[[ $stderr != *draft* ]]
}

@test "co list explains an empty list and suggests a command" {
	run -0 --separate-stderr co list -t nothing
	expect </dev/null
	[ "$stderr" = "co-list: no memory matches
hint: 'co tag' lists the tags, 'co list' all memories" ]
	run -0 --separate-stderr co list --as-of=2020-01-01
	[[ $stderr == "co-list: no memory matches"* ]]
	run -0 --separate-stderr co list --superseded
	[ "$stderr" = "co-list: no memory was replaced" ]
	run -0 --separate-stderr co list --drafts
	[ "$stderr" = "co-list: no draft waits" ]
	rm -r .co-cli "$global"
	run -0 --separate-stderr co list
	[ "$stderr" = "co-list: no memories saved yet
hint: 'co learn TEXT' saves the first" ]
	[ ! -e .co-cli ]
	co learn -q --sensitive one 2>made
	run -0 --separate-stderr co list
	[ "$stderr" = "co-list: no memories
hint: 'co list --expired --sensitive --any-scope' shows hidden ones" ]
}

@test "co list --drafts and --trash list drafts and the trash" {
	echo waits | co-memory-save --draft
	co-memory-remove 1
	run -0 co list --drafts --format='%(content)' --global
	expect </dev/null
	run -0 co list --drafts
	[[ $output == *waits ]]
	run -0 co list --trash
	[[ $output == *"Use tabs for everything" ]]
}

@test "co list reports a refused store, also for drafts and the trash" {
	local list
	mv .co-cli elsewhere
	ln -s elsewhere .co-cli
	for list in drafts articles trash superseded; do
		run -3 co list --$list
		expect <<<"co-list: refusing '$PWD/.co-cli': it is a link"
	done
}

@test "co list --trash lists removed articles too" {
	mkdir -p .co-cli/knowledge/articles
	printf -- '---\ntitle: Pages\nsource: https://example.org\nfetched: %s\ntags: [web]\n---\n\nText.\n' \
		2026-01-05T10:00:00Z >.co-cli/knowledge/articles/http.md
	co-memory-remove .co-cli/knowledge/articles/http.md >path
	run -0 co list --trash
	expect <<<'**http.md** (2026-01-05) [web]: Pages, from https://example.org'
	run -0 co list --trash --json
	[ "$(jq -r '.path, .title' <<<"$output")" = "$(cat path)"$'\nPages' ]
	run -0 co list --trash --tag=other
	expect <<-'END'
		co-list: no memory matches
		hint: 'co tag' lists the tags, 'co list' all memories
	END
	co-forget --undo
	run -0 co list --trash
	expect <<<'co-list: the trash is empty'
}

@test "co list does not call an unreadable store empty" {
	mv "$memories" elsewhere
	ln -s ../../elsewhere "$memories"
	run -3 --separate-stderr co list
	expect <<<'g7  2026-02-02  [vim] User writes in vim'
	[[ $stderr == "co-list: refusing '$PWD/$memories'"* ]]
}

@test "co list prints what the pipeline of its manual prints for a project" {
	rm -r "$global"
	diff <(co list -t style) <(co-memory-list -t style --sort=created -r \
		--format='%(id)  %(created:short)  [%(tags)] %(summary)')
}

@test "co list does not call a store empty if it cannot read a file of it" {
	[ "$(id -u)" -ne 0 ] || skip "root can read everything"
	rm "$memories"/* "$global"/knowledge/memories/*
	memory 1 2026-02-01T14:30:00Z '' <<<'one'
	chmod 0 "$memories/001-m.md"
	for command in 'co list' 'co knowledge --list'; do
		run -4 $command
		[[ $output == *': cannot open '*"/001-m.md': Permission denied" ]]
	done
}

@test "co list --archive suggests the option that lists archived memories" {
	run -2 co list --archive
	expect <<<"co-list: unknown option '--archive': did you mean 'co list --expired'?"
}
