load lib

# A suite of one command with a known table, next to a copy of co.
setup() {
	world
	mkdir -p suite 'a folder/in'
	touch file.md
	cp "$CO_BIN/co" suite/
	cat >suite/co-memory-show <<-'END'
		#!/bin/sh
		[ "$1" = --spec ] || exit 1
		printf '%s\t%s\t%s\t%s\n' command co-memory-show plumbing 'print memories'
		printf 'synopsis\t[ID|PATH...]\noperands\tID|PATH...\ninput\t\n'
		printf 'option\t%s\t%s\t%s\t%s\t%s\t%s\n' \
			r reverse flag '' '' 'the other way' \
			'' sort word KEY 'id|created|slug' 'sort by KEY' \
			t tag list TAG '' 'only those with TAG' \
			o output string FILE '' 'write to FILE' \
			'' cite string PLACE '' 'cite PLACE'
	END
	cat >suite/co-memory-list <<-'END'
		#!/bin/sh
		case $* in
		--spec) printf 'command\tco-memory-list\tplumbing\tlist memories\n' ;;
		*--global*) printf '9\tof the user\n' ;;
		*) printf '7\tuse tabs\n12\tred \033[31m\302\233text\n13\tb: c\n' ;;
		esac
	END
	printf '#!/bin/sh\ntouch "%s/was-run"\n' "$PWD" >suite/../co-strange
	chmod +x suite/* co-strange
	PATH=$PWD/suite:$PWD:${PATH#"$CO_BIN:"}
	# The leak checker never ends in a zsh that runs in a zpty.
	export ASAN_OPTIONS=detect_leaks=0
}

# bash_offers WORD...: print what bash offers for the last WORD, one per line.
bash_offers() {
	bash -c '
		. "$CO_SOURCE/contrib/completion/co.bash" || exit
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		"$(complete -p "${1##*/}" | sed "s/.*-F \([^ ]*\).*/\1/")"
		[ "${#COMPREPLY[@]}" = 0 ] || printf "%s\n" "${COMPREPLY[@]}"
	' - "$@"
}

@test "bash completes commands, with summaries if several match" {
	run -0 bash_offers co mem
	expect <<-'END'
		memory-list  -- list memories
		memory-show  -- print memories
	END
	run -0 bash_offers co memory-s
	expect <<<memory-show
	run -0 bash_offers "$PWD/suite/co" -C . memory-s
	expect <<<memory-show
	run -0 bash_offers co nothing ''
	expect </dev/null
}

@test "completion offers plumbing after a hyphen, or if no other command fits" {
	cat >suite/co-memo <<-'END'
		#!/bin/sh
		printf 'command\tco-memo\tporcelain\tfor people\n'
	END
	chmod +x suite/co-memo
	run -0 bash_offers co mem
	expect <<<memo
	run -0 bash_offers co memory-
	expect <<-'END'
		memory-list  -- list memories
		memory-show  -- print memories
	END
	run -0 bash_offers co memor
	expect <<-'END'
		memory-list  -- list memories
		memory-show  -- print memories
	END
}

@test "bash completes options, option values and file names" {
	run -0 bash_offers co memory-show --
	expect <<-'END'
		--reverse  -- the other way
		--sort=  -- sort by KEY
		--tag=  -- only those with TAG
		--output=  -- write to FILE
		--cite=  -- cite PLACE
		--help  -- the manual
	END
	run -0 bash_offers co memory-show --so
	expect <<<--sort=
	for words in '--sort = ' '--sort= ' '--sort =' --sort=; do
		# shellcheck disable=SC2086
		IFS=' ' run -0 bash_offers co memory-show -r $words
		[ "$words" != '--sort= ' ] || continue
		expect <<<$'id\ncreated\nslug'
	done
	run -0 bash_offers co-memory-show --sort = cr
	expect <<<created
	run -0 bash_offers co-memory-show --output = f
	expect <<<file.md
	run -0 bash_offers co-memory-show -o f
	expect <<<file.md
	run -0 bash_offers co-memory-show --cite = f
	expect <<<file.md
	run -0 bash_offers co -C 'a f'
	expect <<<'a folder'
	run -0 bash_offers co memory-show -t f
	expect </dev/null
	run -0 bash_offers co memory-show -- --so
	expect </dev/null
}

@test "bash completes ids, with summaries that cannot act on the terminal" {
	run -0 bash_offers co memory-show 7 1
	expect <<-'END'
		12  -- red ?[31m?text
		13  -- b: c
	END
	run -0 bash_offers co memory-show 7
	expect <<<7
	run -0 bash_offers suite/co-memory-show --global ''
	expect <<<9
	run -0 bash_offers co memory-show ./f
	expect <<<./file.md
}

@test "completion does not run programs that are not part of co" {
	run -0 bash_offers co str
	expect <<<strange
	run -0 bash_offers co strange --x
	expect </dev/null
	if command -v fish >/dev/null; then
		fish_offers 'co strange --x'
	fi
	[ ! -e was-run ]
}

# zsh_makes LINE: print what a real zsh makes of LINE and a tab.
zsh_makes() {
	zsh -f <<-END | sed -n 's/.*<<<\(.*\)>>>.*/\1/p' | tail -n 1
		zmodload zsh/zpty
		zpty z zsh -f -i
		zpty -w z "PATH='$PATH'; fpath=('$CO_SOURCE/contrib/completion' \\\$fpath); autoload -U compinit; compinit -u -D; show() { print -r -- \"<<<\\\$BUFFER>>>\" }; zle -N show; bindkey '^X' show; unsetopt listbeep; LISTMAX=0; PS1='rea''dy '"
		zpty -r -m z out '*ready *'
		zpty -w -n z '$1'\$'\\t\\x18'
		zpty -r -m z out '*>>>*'
		print -r -- \$out
	END
}

@test "zsh completes commands, options, words and ids" {
	command -v zsh >/dev/null || skip 'zsh is not there'
	zsh -fc 'zmodload zsh/zpty' 2>/dev/null || skip 'zsh has no zpty'
	diff -u - <(
		zsh_makes 'co memory-s'
		zsh_makes 'co -C . memory-s'
		zsh_makes 'co memory-show --rev'
		zsh_makes 'co-memory-show --sort=cr'
		zsh_makes 'co memory-show 7'
		zsh_makes 'co memory-show --output=fi'
		zsh_makes 'co memory-show --cite=fi'
		zsh_makes 'co memory-show --global 9'
	) <<-'END'
		co memory-show 
		co -C . memory-show 
		co memory-show --reverse 
		co-memory-show --sort=created 
		co memory-show 7 
		co memory-show --output=file.md 
		co memory-show --cite=file.md 
		co memory-show --global 9 
	END
}

fish_offers() {
	fish -N -c 'source "$CO_SOURCE/contrib/completion/co.fish"
		complete -C "$argv[1]"' "$1"
}

@test "fish completes commands, options, words and ids" {
	command -v fish >/dev/null || skip 'fish is not there'
	run -0 fish_offers 'co mem'
	expect <<-'END'
		memory-list	list memories
		memory-show	print memories
	END
	run -0 fish_offers 'co -C . memory-show --s'
	expect <<<$'--sort=\tsort by KEY'
	run -0 fish_offers 'co-memory-show --sort='
	expect <<<$'--sort=id\n--sort=created\n--sort=slug'
	run -0 fish_offers 'co memory-show 1'
	expect <<-'END'
		12	red ?[31m?text
		13	b: c
	END
	run -0 fish_offers 'co memory-show --output f'
	[[ $output == file.md* ]]
	run -0 fish_offers 'co memory-show --cite f'
	[[ $output == file.md* ]]
	run -0 fish_offers 'co memory-show --reverse -r 1'
	[ "${lines[0]}" = $'12\tred ?[31m?text' ]
	run -0 fish_offers 'co memory-show --sort id --sort cr'
	expect <<<created
	run -0 fish_offers 'co memory-show --global '
	[[ $output == *$'9\tof the user'* ]]
}

@test "co review completes the ids of drafts" {
	rm -r suite/*
	cp "$CO_BIN"/co "$CO_BIN"/co-review "$CO_BIN"/co-memory-list suite/
	echo remembered | PATH=$CO_BIN:$PATH co-memory-save 2>/dev/null
	echo waiting | PATH=$CO_BIN:$PATH co-memory-save --draft
	run -0 bash_offers co review --accept ''
	expect <<<2
	run -0 bash_offers co-review --accept ''
	expect <<<2
	if command -v zsh >/dev/null && zsh -fc 'zmodload zsh/zpty'; then
		run -0 zsh_makes 'co review --reject 2'
		[ "$output" = 'co review --reject 2 ' ]
	fi
	if command -v fish >/dev/null; then
		run -0 fish_offers 'co review --accept '
		[[ $output == *$'2\twaiting'* && $output != *remembered* ]]
	fi
}

@test "completion offers the allowed words of operands and option values" {
	cp "$CO_BIN"/co "$CO_BIN"/co-hook "$CO_BIN"/co-setup \
		"$CO_BIN"/co-context-load suite/
	run -0 bash_offers co setup --project cl
	expect <<<claude
	run -0 bash_offers co context-load --for=
	expect <<<$'claude\ncodex\ngemini\nopencode\nqwen\ncopilot\nmcp'
	if command -v zsh >/dev/null && zsh -fc 'zmodload zsh/zpty'; then
		run -0 zsh_makes 'co hook g'
		[ "$output" = 'co hook gemini ' ]
		run -0 zsh_makes 'co context-load --for=m'
		[ "$output" = 'co context-load --for=mcp ' ]
	fi
	if command -v fish >/dev/null; then
		run -0 fish_offers 'co setup --remove cl'
		expect <<<claude
		run -0 fish_offers 'co context-load --for='
		expect <<<$'--for=claude\n--for=codex\n--for=gemini\n--for=opencode\n--for=qwen\n--for=copilot\n--for=mcp'
	fi
}

@test "completion offers tags for options that take a tag" {
	rm -r suite/*
	cp "$CO_BIN"/co "$CO_BIN"/co-list "$CO_BIN"/co-tag suite/
	memory 1 2026-02-09T14:30:00Z 'red hat' <<<one
	memory 2 2026-02-09T14:30:00Z 'red hat, rust' <<<two
	memory 3 2026-02-09T14:30:00Z blue <<<three
	run -0 bash_offers co list -t r
	expect <<<$'red hat  -- 2\nrust  -- 1'
	run -0 bash_offers co list --tag = bl
	expect <<<blue
	run -0 bash_offers co-list --not-tag ru
	expect <<<rust
	if command -v zsh >/dev/null && zsh -fc 'zmodload zsh/zpty'; then
		run -0 zsh_makes 'co list --tag=bl'
		[ "$output" = 'co list --tag=blue ' ]
	fi
	if command -v fish >/dev/null; then
		run -0 fish_offers 'co list -t ru'
		expect <<<$'rust\t1'
	fi
}

@test "co config completes the keys of settings" {
	cp "$CO_BIN"/co-config suite/
	run -0 bash_offers co config rec
	expect <<<recall.max_results
	run -0 bash_offers co config --global --unset embed.d
	expect <<<$'embed.dimension\nembed.document_prefix'
	if command -v fish >/dev/null; then
		run -0 fish_offers 'co config rec'
		expect <<<$'recall.max_results\t5'
	fi
}
