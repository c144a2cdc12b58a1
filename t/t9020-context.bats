#!/usr/bin/env bats
# co context shows the context files and edits them safely.
load lib
load terminal

setup() {
	world
	project=$PWD/.co-cli/knowledge/context.md
	user=$global/knowledge/context.md
	mkdir -p "${project%/*}" "${user%/*}"
	printf -- '---\nversion: 1 # kept\nupdated: "2020-01-01T00:00:00Z"\n' \
		>"$project"
	printf -- '---\n\n# Learned\n\n- one\n' >>"$project"
}

# editor LINE...: write the script that EDITOR runs with the copy as $1.
editor() {
	printf '#!/bin/sh\n' >"$HOME/editor"
	printf '%s\n' "$@" >>"$HOME/editor"
	chmod +x "$HOME/editor"
	export EDITOR="'$HOME/editor'"
}

@test "co context without options prints both files unchanged" {
	printf 'Kept.' >"$user"
	run -0 co-context
	expect <<-END
		==> $user (global, 5 of 3072 bytes) <==
		Kept.

		==> $project (project, 76 of 7168 bytes) <==
		---
		version: 1 # kept
		updated: "2020-01-01T00:00:00Z"
		---

		# Learned

		- one
	END
	run -0 co-context --global
	[ "${#lines[@]}" -eq 2 ]
}

@test "co context prints only a hint if there is no context" {
	rm "$project"
	run -0 --separate-stderr co-context
	[ "$output" = "" ]
	[ "$stderr" = "hint: 'co context --edit' makes a context" ]
	rm -r "$global"
	run -0 co-context --global
	expect <<<"hint: 'co context --edit --global' makes a context"
}

@test "an edit that is not text is kept, and the file is unchanged" {
	cp "$project" was
	for bytes in '\0' '\377'; do
		editor "printf '$bytes' >>\"\$1\""
		run -3 co-context --edit
		[[ $output == *'the edit is kept in'* ]]
		cmp was "$project"
	done
}

@test "an edit replaces the file, sets updated and changes nothing else" {
	chmod 640 "$project"
	editor 'echo "- two" >>"$1"'
	run -0 co-context --edit
	expect <<<'✓ Edited context.md'
	diff -u - "$project" <<-'END'
		---
		version: 1 # kept
		updated: 2026-02-09T14:30:00Z
		---

		# Learned

		- one
		- two
	END
	[ "$(stat -c %a "$project")" = 640 ]
	[ "$(ls -A -I log "$HOME/.local/state/co-cli")" = "" ]
	[ "$(ls -A "${project%/*}")" = context.md ]
}

@test "an edit without a change leaves the file untouched" {
	cp -p "$project" was
	editor 'touch "$1"'
	run -0 co-context --edit
	[ "$output" = "co-context: nothing was changed" ]
	cmp was "$project"
	[ ! "$project" -nt was ]
	[ "$(ls -A -I log "$HOME/.local/state/co-cli")" = "" ]
}

@test "--edit starts a new context from a template and makes it on change" {
	rm -r .co-cli
	editor 'cp "$1" "$HOME/seen"'
	run -0 co-context --edit
	[ ! -e .co-cli ]
	diff -u - "$HOME/seen" <<-'END'
		---
		version: 1
		updated: 2026-02-09T14:30:00Z
		---

		# Project

		# Learned
	END
	editor 'echo "- x" >>"$1"'
	run -0 co-context --edit
	[ "${lines[0]}" = "co-context: made '$PWD/.co-cli'" ]
	run -0 co-context-load --strict
	[ "${lines[4]}" = "- x" ]
}

@test "--global edits the user's file, with access only for the user" {
	rm -r "$global"
	editor 'echo "- x" >>"$1"'
	run -0 co-context --edit --global
	grep -qx '# Preferences' "$user"
	[ "$(stat -c %a "$user")" = 600 ]
	[ "$(stat -c %a "$global")" = 700 ]
}

@test "an invalid edit is kept, its path printed, and the file is unchanged" {
	local kept
	cp "$project" was
	editor 'sed -i s/version:/vision:/ "$1"'
	run -3 co-context --edit
	kept=$(echo "$HOME"/.local/state/co-cli/edit-*/context.md)
	expect <<-END
		co-context: '$kept':1:1: Missing required field: version
		co-context: the edit is kept in '$kept'
		co-context: 'co context --edit --resume' opens it again
	END
	cmp was "$project"
	grep -q vision "$kept"
	[ "$(stat -c %a "$kept")" = 600 ]
	[ "$(stat -c %a "${kept%/*}")" = 700 ]
	editor 'echo "---" >"$1"; echo "a: [" >>"$1"; echo "---" >>"$1"'
	run -3 co-context --edit
	[[ $output == *"Invalid YAML in frontmatter"*"is kept in"* ]]
	cmp was "$project"
}

@test "an edit can repair a malformed file" {
	printf -- '---\na: [\n---\n' >"$project"
	editor 'echo "Use tabs." >"$1"'
	run -0 co-context --edit
	[ "$(cat "$project")" = "Use tabs." ]
}

@test "--edit never overwrites a change that another process made meanwhile" {
	editor "echo other >>'$project'" 'echo mine >>"$1"'
	run -5 co-context --edit
	[[ $output == *"'$project' was changed meanwhile"*"is kept in"* ]]
	grep -qx other "$project"
	run ! grep -q mine "$project"
	grep -qx mine "$HOME"/.local/state/co-cli/edit-*/context.md
	rm "$project"
	editor "echo other >'$project'" 'echo mine >>"$1"'
	run -5 co-context --edit
	[ "$(cat "$project")" = other ]
	editor "rm '$project'" 'echo mine >>"$1"'
	run -5 co-context --edit
	[ ! -e "$project" ]
}

@test "--edit fails without the lock, and does not write" {
	need_strace
	editor 'echo mine >>"$1"'
	run -4 strace -qq -o /dev/null -e inject=flock:error=EIO co-context --edit
	[[ $output == *"cannot lock '"* ]]
	run ! grep -q mine "$project"
}

@test "--edit says if the log cannot have the edit" {
	mkdir -p "${oplog%/*/*}"
	touch "${oplog%/*}"
	editor 'echo mine >>"$1"'
	run -0 --separate-stderr co-context --edit
	[[ $stderr == "co-context: not in the log, so 'co undo' cannot undo it: "* ]]
	grep -q mine "$project"
}

@test "an editor that fails changes nothing, and --edit exits 6" {
	cp "$project" was
	editor 'echo x >>"$1"; exit 3'
	run -6 co-context --edit
	expect <<-END
		co-context: the editor '$EDITOR' ended with status 3
		hint: EDITOR can be a command that needs no terminal: 'sed -i s/old/new/'
	END
	cmp was "$project"
	[ "$(ls -A -I log "$HOME/.local/state/co-cli")" = "" ]
	editor 'kill -9 $$'
	run -6 co-context --edit
	[[ $output == *"co-context: the editor '$EDITOR' ended with status 137"* ]]
	EDITOR=/nowhere/editor run -6 co-context --edit
	cmp was "$project"
	unset EDITOR
	run -6 co-context --edit </dev/null
	expect <<-'END'
		co-context: no editor is set, and vi needs a terminal: set VISUAL or EDITOR
		hint: 'export EDITOR=nano' chooses nano
	END
}

@test "VISUAL takes precedence over EDITOR, and both may have arguments" {
	editor 'echo "$2" >>"$1"'
	export VISUAL="sh -c 'echo visual \"\$1\" >>\"\$2\"' sh 'an arg'"
	run -0 co-context --edit
	grep -qx 'visual an arg' "$project"
	run ! grep -q '^$2' "$project"
}

@test "--edit accepts an edit over the budget with a warning" {
	editor 'printf "%8000s" "" | tr " " x >>"$1"'
	run -0 co-context --edit
	expect <<-END
		✓ Edited context.md
		WARNING: '$project': project context is 8074 bytes, over its budget of 7168 bytes.
	END
}

@test "--edit accepts an editor that replaces its file and leaves others" {
	editor 'cp "$1" "$1.new"; cp "$1" "$1~"' \
		'echo "- two" >>"$1.new"; mv "$1.new" "$1"'
	run -0 co-context --edit
	tail -n 1 "$project" | grep -qx -- '- two'
	[ "$(ls -A -I log "$HOME/.local/state/co-cli")" = "" ]
	editor 'rm "$1"'
	run -4 co-context --edit
	[[ $output != *"is kept in"* ]]
	[ "$(ls -A -I log "$HOME/.local/state/co-cli")" = "" ]
	tail -n 1 "$project" | grep -qx -- '- two'
}

@test "--edit refuses a context that is a link" {
	mv "$project" "$HOME/elsewhere"
	cp "$HOME/elsewhere" was
	ln -s "$HOME/elsewhere" "$project"
	editor 'echo x >>"$1"'
	run -3 co-context --edit
	cmp was "$HOME/elsewhere"
	# A link that appears while the editor runs is not followed either.
	rm "$project"
	cp was "$project"
	editor "ln -sf '$HOME/elsewhere' '$project'" 'echo x >>"$1"'
	run ! co-context --edit
	cmp was "$HOME/elsewhere"
}

# The links that GNU stow --no-folding makes.
@test "commands follow the links of the user's files and preserve them" {
	dotfiles=$HOME/dotfiles
	mkdir -p "$dotfiles" "$global/knowledge"
	printf '{"format": 1, "recall.max_results": 7}\n' >"$dotfiles/settings.json"
	printf '# Mine\n\n- Likes tabs\n' >"$dotfiles/context.md"
	ln -sf ../../dotfiles/settings.json "$global/settings.json"
	ln -sf ../../../dotfiles/context.md "$global/knowledge/context.md"
	run -0 --separate-stderr co-context --global
	[[ $output == *'- Likes tabs'* && -z $stderr ]]
	run -0 --separate-stderr co-status
	[[ $output =~ recall.max_results\ +7\ \(user\) && -z $stderr ]]
	run -0 --separate-stderr co-learn --always --global 'Likes blanks'
	[ -z "$stderr" ]
	[ "$(tail -n 1 "$dotfiles/context.md")" = '- Likes blanks' ]
	editor 'sed -i s/blanks/spaces/ "$1"'
	run -0 co-context --edit --global
	[ "$(tail -n 1 "$dotfiles/context.md")" = '- Likes spaces' ]
	[ "$(readlink "$global/knowledge/context.md")" = ../../../dotfiles/context.md ]
	[ "$(ls "$dotfiles")" = $'context.md\nsettings.json' ]
	run -0 co-knowledge-check --global
	# The linked files count, also one with an unknown format.
	echo '{"format": 9}' >"$dotfiles/settings.json"
	run -4 co-learn --global x
	[[ $output == *'has format 9'* ]]
	rm "$dotfiles/context.md"
	run -3 co-context-load --strict
	[[ $output == *"context.md' is a link that leads nowhere"* ]]
}

@test "on a terminal the context is printed without escapes, through PAGER" {
	need_terminal
	printf 'a\e]0;x\ab\n' >"$project"
	PAGER="" script -qec co-context /dev/null </dev/null >out
	grep -q 'a^\[\]0;x^Gb' out
	run ! grep -q $'\e' out
	PAGER='sed "s/^/P:/"' script -qec co-context /dev/null </dev/null >out
	grep -q '^P:a^\[\]0;x^Gb' out
	PAGER=/nowhere/pager script -qec co-context /dev/null </dev/null >out
	grep -q '^a^\[\]0;x^Gb' out
	PAGER='head -n 1' script -qec 'co-context; echo $?' /dev/null \
		</dev/null >out
	grep -q '^0' out
}

@test "the context is rendered on a terminal, and printed unchanged with --raw" {
	need_terminal
	context "$project" <<<$'# Rules\n\n- use **tabs**'
	TERM=xterm PAGER='' terminal 0 '' co-context
	[[ $output == *"==> $project ("*$') <==\n\e[1mRules\e[m\n\n- use \e[1mtabs\e[m' ]]
	[[ $output != *version:* ]]
	TERM=xterm PAGER='' terminal 0 '' 'co-context --raw'
	[[ $output == *$'version: 1\n'*$'# Rules\n\n- use **tabs**' ]]
	run -0 co-context
	[[ $output == *$'version: 1\n'*$'# Rules\n\n- use **tabs**' ]]
	run -2 co-context --raw --edit
}

@test "--resume opens the kept edit again" {
	editor 'sed -i s/version:/vision:/ "$1"; echo "- mine" >>"$1"'
	run -3 co-context --edit
	run -1 co-context --edit --resume --global
	[[ $output == *"no edit of '$global/knowledge/context.md' is kept"* ]]
	run -2 co-context --resume
	editor 'sed -i s/vision:/version:/ "$1"'
	run -0 co-context --edit --resume
	[ "$(tail -n 1 "$project")" = '- mine' ]
	run -1 co-context --edit --resume
}
