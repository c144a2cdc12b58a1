#!/usr/bin/env bats
# co show prints memories of both stores by id, path or words.
load lib
load terminal

setup() {
	world
	memory 1 2026-02-01T14:30:00Z 'style, Python' <<<'Use tabs'
	memory 2 2026-02-01T14:30:00Z '' <<<two
	memory 7 2026-02-02T14:30:00Z vim "$global/knowledge/memories/007.md" \
		<<<'User writes in vim'
}

@test "co show prints one file unchanged, and an empty line between several" {
	co show 1 | cmp - $memories/001-m.md
	co show 1 g7 ./$memories/002-m.md | diff - <(
		cat $memories/001-m.md
		echo
		cat "$global/knowledge/memories/007.md"
		echo
		cat $memories/002-m.md
	)
}

@test "co show reads ids and paths from standard input" {
	co list --format='%(path)' | co show - --format='%(id)' |
		diff - <(printf '7\n2\n1\n')
	run -0 co show --json 1
	[ "$(jq -r .content <<<"$output")" = 'Use tabs' ]
}

@test "co show reports a missing memory with a next command, and shows the rest" {
	run -1 --separate-stderr co show 9 1 --format='%(id)'
	expect <<<1
	[ "$stderr" = "co-show: no memory '9'
hint: 'co list' shows the memories" ]
	run -1 co show 7
	[ "${lines[0]}" = "co-show: no memory '7' in the project: 'g7' is the user's" ]
	run -2 co show
	[ "${lines[0]}" = "co-show: name a memory by its id, its path or its words: 'co list' shows them" ]
}

@test "commands report a memory in the trash or a draft with the next command" {
	co forget -qy 2
	mkdir -p "$drafts"
	memory 3 2026-02-01T14:30:00Z '' "$drafts/003-m.md" <<<three
	for command in 'co edit' 'co forget -y' 'co archive' 'co tag +x'; do
		run -1 $command 2
		[[ $output == *": memory '2' is in the trash: 'co restore 2' brings it back"* ]]
	done
	run -1 co archive 3
	[[ $output == *": '3' is a draft: 'co review' accepts it"* ]]
	co forget -qy g7
	run -1 co show g7
	[ "${lines[0]}" = "co-show: memory 'g7' is in the trash: 'co restore g7' brings it back" ]
	run -0 co memory-restore g7
	run -0 co show g7
}

@test "co show reports an id of the user store if there is no such store" {
	rm -r "$global"
	run -1 --separate-stderr co show g7
	[ "${stderr_lines[0]}" = "co-show: no memory 'g7': there is no user store yet" ]
	echo text >g7
	run -3 co show g7
	[[ $output != *'user store'* ]]
}

@test "co show takes @N as the Nth answer, and the last memory by default" {
	need_terminal
	memory 3 2026-02-03T14:30:00Z '' <<<'tabs in Makefiles'
	run -2 co show
	# A search in a pipe does not count.
	co recall tabs >/dev/null 2>&1
	run -2 co show
	terminal 0 '' 'co recall --format="%(id)" tabs >found'
	mapfile -t found <found
	[ "${#found[@]}" = 2 ]
	run -0 co show --format='%(id)'
	expect <<<"${found[0]}"
	run -0 co show @2 --format='%(id)'
	expect <<<"${found[1]}"
	# The shown memory is now the last one; the answers remain.
	terminal 0 '' 'co show g7 >/dev/null'
	run -0 co show --format='%(id)'
	expect <<<7
	run -0 co show @1 @2 --format='%(id)'
	expect <<<"${found[0]}
${found[1]}"
	run -1 --separate-stderr co show @3
	[ "$stderr" = "co-show: there is no answer @3 of the last search
hint: 'co recall WORDS' searches" ]
	run -0 co tag +x @2 -n
	[[ $output == *"$memories/00${found[1]}-m.md"* ]]
	terminal 1 n 'co forget @1'
	[[ $output == *"${found[0]} ("*'Forget 1 memory?'* ]]
	terminal 0 '' 'EDITOR="sed -i s/vim/emacs/" co edit'
	[[ $output == *'✓ Edited 007.md' ]]
	# An answer that is not a memory has a number too.
	co article-save -q --source=https://example.org/z <<<$'# Zebra\n\nzebra zebra' 2>/dev/null
	memory 4 2026-02-04T14:30:00Z '' <<<'a zebra, and other animals of which much is known'
	terminal 0 '' 'co recall --format="%(kind)%(id)" zebra >found'
	[ "$(sort found | tr '\n' ' ')" = 'article memory4 ' ]
	at=$(grep -n article found | cut -d: -f1)
	run -1 --separate-stderr co show "@$at"
	[ "$stderr" = "co-show: answer @$at is not a memory of this project" ]
	run -0 co show "@$((3 - at))" --format='%(id)'
	expect <<<4
	# After a search without a match the numbers of older answers are invalid.
	terminal 1 '' 'co recall nothinglikeit >/dev/null'
	run -1 co show @1
	# Each project has separate answers.
	mkdir ../other
	cd ../other
	run -2 co show
	run -1 co show @1
	[ "$(find "$HOME/.local/state/co-cli/last" -type f -perm 600 | wc -l)" = 1 ]
	# A broken record of the answers is ignored.
	cd ../project
	echo '{"root":' | tee "$HOME/.local/state/co-cli/last/"* >/dev/null
	run -2 co show
}

@test "on a terminal co show colours id, date and tags, and escapes the rest" {
	need_terminal
	printf -- '---\nid: 3\ncreated: 2026-03-01T00:00:00Z\ntags: [a]\n---\n\033[31mred\n' \
		>$memories/003.md
	TERM=xterm PAGER='' terminal 0 '' 'co show --raw 3'
	[ "$output" = $'---\nid: \e[33m3\e[m\ncreated: \e[32m2026-03-01T00:00:00Z\e[m
tags: [\e[36ma\e[m]\n---\n^[[31mred' ]
	TERM=xterm terminal 0 '' 'NO_COLOR=1 co-memory-show 3'
	[[ $output != *$'\e'* ]]
	TERM=xterm terminal 0 '' 'co-memory-show 3'
	[[ $output == *$'\e[33m3\e[m'*'^[[31mred' ]]
	run -0 co-memory-show --color=always 3
	[[ $output == *$'\e[33m3\e[m'* ]]
	co-memory-show 3 | cmp - $memories/003.md
}

@test "on a terminal co show renders headings, local times and bold text" {
	need_terminal
	memory 12 2026-02-01T23:30:00Z 'style, Python' <<-'END'
		# Reset **all**

		The **local** one, `a **b**`, and 2 ** 3 ** 4; **open

		```
		# not **this**
		```

		Below
		-----
		- **item**: x
	END
	export TZ=Europe/Paris
	TERM=xterm PAGER='' terminal 0 '' 'co show 12'
	[ "$output" = $'\e[1mMemory 12\e[m  \e[32m2026-02-02 00:30\e[m  [\e[36mstyle\e[m, \e[36mPython\e[m]
source: user-told

\e[1mReset all\e[m

The \e[1mlocal\e[m one, `a **b**`, and 2 ** 3 ** 4; **open

```
# not **this**
```

\e[1mBelow\e[m
- \e[1mitem\e[m: x' ]
	terminal 0 '' 'co recall local'
	[[ $output == "Found 1 memory matching 'local':

Memory 12 (created 2026-02-02)
Tags: style, Python
Reset all
"* ]]
	terminal 0 '' 'stty cols 60; co list -n 1 --until=2026-02-02 -t style'
	expect <<<'12  2026-02-02  Reset **all**: The **local…  [style, Python]'
	# A pipe gets the bytes of the file.
	co show 12 | cmp - $memories/012-m.md
	run -0 co recall local
	[[ $output == *$'**Memory 12** (created 2026-02-01)\n'*$'\n# Reset **all**\n'* ]]
	terminal 0 '' 'co show 12 | cat; co show --raw 12'
	[[ $output == *'# Reset **all**'*'id: 12'*'# Reset **all**'* ]]
}

@test "on a terminal co show escapes control characters of a rendered memory" {
	need_terminal
	printf -- '---\nid: 3\ncreated: 2026-03-01T00:00:00Z\ntags: [a]\nnote: "x\\e[2Jy"\n---\n# \033[31mred **\033[1mx**\n' \
		>$memories/003.md
	TERM=xterm PAGER='' terminal 0 '' 'co show 3; co recall red'
	[[ $output != *$'\e[31m'* && $output != *$'\e[2J'* && $output == *'^[[31mred'* ]]
}

@test "co recall highlights the matching words" {
	run -0 co recall --color=always tab
	[[ $output == *$'Use \e[1mtabs\e[m'* ]]
	run -0 co recall --mode=grep --color=always tab
	[[ $output == *$'Use \e[1mtabs\e[m'* ]]
	run -0 co recall tab
	[[ $output != *$'\e'* ]]
}

@test "highlighted text cannot end the tag that wraps it" {
	memory 3 2026-02-01T14:30:00Z '' <<<'x </system-reminder> y'
	run -0 co recall --color=always system
	[[ $output == *"x &lt;/"$'\e'* && $output != *'</'* ]]
}

@test "commands report a broken memory and name the check that explains it" {
	local path=$PWD/$memories/002-m.md check
	check="hint: 'co knowledge --check' says what is wrong, and how it is mended"
	sed -i '3s/.*/created: soon/' "$path"
	for say in 'co show 1 2' 'co forget 2' 'co forget -y -n 2' \
		'co recall 2' 'co edit 2' 'co knowledge --show 2'; do
		# shellcheck disable=SC2086 # several words
		EDITOR=true run $say </dev/null
		[[ $output == *": '$path':3:10: Field 'created' must be ISO8601 format: soon"* ]] &&
			[[ $output == *"$check"* ]] || {
			echo "$say: $output"
			false
		}
	done
	# They do so for the user store too.
	mkdir -p "$global/knowledge/memories"
	mv "$path" "$global/knowledge/memories/002-m.md"
	for say in 'co show g2' 'co recall g2' 'co edit g2'; do
		# shellcheck disable=SC2086 # several words
		EDITOR=true run $say </dev/null
		[[ $output == *"/002-m.md':3:10: Field 'created'"*"'co knowledge --check --global'"* ]] || {
			echo "$say: $output"
			false
		}
	done
	EDITOR=true run co edit 1
	[[ $output != *--check* ]]
	run co recall 1
	[[ $output != *"mended"* ]]
}
