#!/usr/bin/env bats
# co tag and co-memory-tag list and change tags.
load lib
load terminal

setup() {
	world
	memory 1 2026-02-01T14:30:00Z 'style, Python' <<<'Use tabs'
	memory 2 2026-02-02T14:30:00Z 'python' <<<'Use f-strings'
	memory 3 2026-02-03T14:30:00Z '' <<<'No tags'
	memory 7 2026-02-02T14:30:00Z 'vim, python' \
		"$global/knowledge/memories/007.md" <<<'User writes in vim'
}

tags() {
	co-memory-show --format='%(tags)' "$@"
}

@test "co tag lists the tags of both stores, the most frequent first" {
	run -0 co tag
	expect <<-'END'
		3  python
		1  style
		1  vim
	END
	run -0 co tag --global
	expect <<<$'1  python\n1  vim'
	run -0 co tag --json
	[ "${lines[0]}" = '{"tag":"python","memories":3}' ]
	run -0 co tag --color=always --global
	[ "${lines[1]}" = $'1  \e[36mvim\e[m' ]
	rm -r .co-cli "$global"
	run -0 --separate-stderr co tag
	expect </dev/null
	[[ $stderr == "co-tag: no memory has a tag"*"'co learn -t TAG TEXT'"* ]]
}

@test "+TAG adds and -TAG removes tags in both stores" {
	run -0 co tag +New -STYLE 1 3 g7
	expect <<-END
		$PWD/$memories/001-m.md
		$PWD/$memories/003-m.md
		$global/knowledge/memories/007.md
	END
	[ "$(tags 1 3 g7)" = $'Python, new\nnew\nvim, python, new' ]
	run -0 co tag +new -style 1
	expect </dev/null
}

@test "co tag changes the tags of all parts of an article" {
	printf '# Ports\n\nThe gateway listens on 8080.\n' >ports.md
	co learn -q -y ./ports.md
	ports=.co-cli/knowledge/articles/ports.md
	run -0 co tag +Net $ports
	expect <<<"$PWD/$ports"
	run -0 co tag $ports
	expect <<<'ports.md: net'
	run -0 co list --articles -t net
	[[ $output == *ports.md* ]]
	for n in 1 2; do
		printf -- '---\nsource: https://example.org/a\nfetched: 2026-01-01T00:00:00Z\ntitle: A\ntags: []\npart: %d\nparts: 2\n---\n\nText %d\n' $n $n \
			>.co-cli/knowledge/articles/a-0$n.md
	done
	run -0 co tag +net .co-cli/knowledge/articles/a-02.md
	expect <<-END
		$PWD/.co-cli/knowledge/articles/a-01.md
		$PWD/.co-cli/knowledge/articles/a-02.md
	END
}

@test "co tag changes nothing but the tags in a file" {
	printf -- '---\nid: 4 # four\ncreated: 2026-01-01T00:00:00Z\ntags:\n  - a\n  - b\nkey: [1]\n---\nbody\n\n' \
		>$memories/004.md
	co tag -q +c -aa 4
	diff - $memories/004.md <<-'END'
		---
		id: 4 # four
		created: 2026-01-01T00:00:00Z
		tags: [a, b, c]
		key: [1]
		---
		body

	END
	printf -- '---\nid: 5\ncreated: 2026-01-01T00:00:00Z\n---\nbody\n' \
		>$memories/005.md
	co tag -q +c 5
	[ "$(tags 5)" = c ]
}

@test "--rename renames a tag everywhere or in named memories, without doubles" {
	run -0 co tag --rename PYTHON=Style
	[ "${#lines[@]}" = 2 ]
	[ "$(tags 1 2 g7)" = $'style\nstyle\nvim, python' ]
	co tag -q --rename style=layout 2
	[ "$(tags 1 2)" = $'style\nlayout' ]
	co tag -q --global --rename vim=editor
	[ "$(tags g7)" = 'editor, python' ]
}

@test "co tag reads ids and paths from standard input" {
	co list -t python --format='%(path)' --global | co tag -q +pipe -
	co-memory-list -t python | co-memory-tag -q -a pipe
	co-memory-list -z | co-memory-tag -z -n -a more | tr '\0' '\n' |
		diff - <(co-memory-list)
	[ "$(co list -t pipe --format='%(id)')" = $'2\n7\n1' ]
}

@test "a list for people or JSON in place of ids is refused once" {
	for list in 'co list' 'co list --json' 'co recall tabs' 'co log'; do
		for command in 'tag +x' archive show 'move --to=global' \
			'forget -y' 'review --accept'; do
			run -2 --separate-stderr sh -c "$list | co $command -"
			[[ ${stderr_lines[0]} == "co-${command%% *}: expected an id or a path on each line of standard input, not '"* ]]
			[ "${stderr_lines[1]}" = "hint: 'co memory-list', 'co memory-grep' and --format='%(path)' print paths" ]
			[ ${#stderr_lines[@]} = 2 ]
		done
	done
	[[ "$(co list -t x)$(co list --trash --format=x)" == '' ]]
	# One bad line after the first does not stop the others.
	run -2 co tag -q +x - <<<$'1\n3  2026-11-30  No tags\n3'
	[ "$(co list -t x --format='%(id)')" = $'3\n1' ]
}

@test "a list whose items end with NUL is refused without -z" {
	for command in 'tag +x -' 'archive -' 'forget -y -' 'memory-tag -a x' 'memory-remove'; do
		run -2 --separate-stderr sh -c "printf '1\0003\000' | co $command"
		[[ ${stderr_lines[0]} == co-*': a line of standard input has a NUL byte' ]]
	done
	[ "${stderr_lines[1]}" = 'hint: -z reads items that end with NUL' ]
	[[ "$(co list -t x)$(co list --trash --format=x)" == '' ]]
}

@test "a memory that is forgotten while co tag waits for the lock is absent" {
	local status=0
	exec 8<.co-cli/knowledge
	flock 8
	co-memory-tag -a x 3 >out 2>err &
	sleep 0.2
	rm "$memories"/003*
	flock -u 8
	wait $! || status=$?
	[ "$status" = 1 ]
	run -0 cat out err
	[[ ${lines[0]} == *'/003'*"' is gone" || ${lines[0]} == *"no memory '3'" ]]
}

@test "a command that reads no standard input says so of -" {
	for command in edit log blame cite why list resolve; do
		run -2 co "$command" -
		[ "${lines[0]}" = "co-$command: '-' is standard input, which co-$command does not read" ]
	done
}

@test "-n changes nothing and prints the same" {
	tree .co-cli >before
	co tag -n +x 1 2 >would
	tree .co-cli | diff before -
	co tag +x 1 2 | diff would -
}

@test "co tag explains what it cannot do and suggests a command" {
	run -1 co tag +x 9 1
	[ "${lines[0]}" = "co-tag: no memory '9'" ]
	[ "$(tags 1)" = 'style, Python, x' ]
	run -2 co tag python 3
	[ "${lines[0]}" = "co-tag: 'python' is not an id: did you mean 'co tag +python 3'?" ]
	run -2 co tag python
	[ "${lines[0]}" = "co-tag: 'python' is not an id: '+python' adds the tag, '-python' removes it" ]
	run -2 co tag --json 3
	run -2 co tag +x
	[[ ${lines[0]} == "co-tag: name a memory by its id, its path or its words: 'co list' shows them"* ]]
	run -2 co tag '+a,b' 1
	[[ $output == *"a tag has no blanks, commas"* ]]
	run -2 co tag '+a b' 1
	[ "${lines[0]}" = "co-tag: a tag has no blanks, commas, brackets, quotes or hidden characters: 'a b'" ]
	run -2 co tag '+x -y' 1
	[ "$(tags 1)" = 'style, Python, x' ]
	run -2 co tag --rename a 1
	[[ $output == *"a tag is renamed by OLD=NEW, not by 'a'"* ]]
	run -2 co-memory-tag 1
	run -2 co-memory-tag -a x --all 1
	echo '---' >$memories/008.md
	run -3 co tag +x ./$memories/008.md
	run -3 co tag "+gh""p_$(printf 'aB3dE6gH9k%.0s' {1..4} | head -c 36)" 3
	[[ $output == *'github-token (tag)'* && $(tags 3) = '' ]]
}

@test "a tag with blanks, by another program, is read, kept and can be replaced" {
	memory 4 2026-02-09T14:30:00Z 'machine learning, x' <<<'four words of it'
	[ "$(co list -t 'machine learning' --format='%(id)')" = 4 ]
	co tag -q +y 4
	[ "$(tags 4)" = 'machine learning, x, y' ]
	co learn -q --replaces=4 'five words of it'
	[ "$(tags 5)" = 'machine-learning, x, y' ]
	co undo -q
	co tag -q --rename 'machine learning=ml' 4
	[ "$(tags 4)" = 'ml, x, y' ]
}

@test "co tag ID prints the tags; on a terminal a change prints the result" {
	run -0 co tag 1 3 g7 ./$memories/002-m.md
	expect <<-'END'
		1: style, Python
		3: no tags
		g7: vim, python
		2: python
	END
	run -1 co tag 9
	tree .co-cli >before
	co-memory-tag --show --all | head -n 1 | diff <(echo '1: style, Python') -
	tree .co-cli | diff before -
	need_terminal
	terminal 0 '' 'co tag +foo -style 1; co tag +foo 1; co tag -n +bar 3; co tag 3'
	expect <<-'END'
		1: Python, foo
		1: Python, foo
		3: bar
		3: no tags
	END
	run -0 co tag +x 3
	expect <<<"$PWD/$memories/003-m.md"
}

@test "ten processes that tag at once lose nothing" {
	for i in {1..10}; do
		co tag -q "+t$i" 1 2 3 &
	done
	wait
	[ "$(tags 3 | tr , '\n' | wc -l)" = 10 ]
	[ "$(tags 2 | tr , '\n' | wc -l)" = 11 ]
}

@test "co tag saves tags in lower case, in all languages" {
	co learn -t 'Straße' -t 'İstanbul' -t ÀB text >/dev/null
	[ "$(tags 4)" = 'straße, istanbul, àb' ]
	run -0 co list -t STRASSE --format='%(id)'
	expect <<<4
}

@test "co tag does what the pipeline of its manual does" {
	cp -r .co-cli other
	co tag +vim -python 1 >/dev/null
	mv .co-cli one && mv other .co-cli
	co-memory-tag --add vim --remove python 1 >/dev/null
	diff <(tree one) <(tree .co-cli)
}
