#!/usr/bin/env bats
# co init makes a store in the working directory.
# bats file_tags=rights
load lib

@test "co init makes a store in the working directory and lists its files" {
	run -0 --separate-stderr co-init
	expect <<-END
		Made $PWD/.co-cli
		    .gitignore            files that git ignores
		    settings.json         the format and your settings
		    knowledge/context.md  rules that every session loads
		    knowledge/memories    memories, which searches find
		Try next:
		    co learn 'a fact to remember'
		    co context --edit
	END
	[ "$stderr" = "" ]
	diff -u - .co-cli/knowledge/context.md <<-'END'
		---
		version: 1
		updated: 2026-02-09T14:30:00Z
		---

		# Project

		# Learned
	END
	[ "$(find .co-cli | LC_ALL=C sort)" = ".co-cli
.co-cli/.gitignore
.co-cli/knowledge
.co-cli/knowledge/context.md
.co-cli/knowledge/memories
.co-cli/settings.json" ]
	run -0 co-context-load
	[ -n "$output" ]
}

@test "a second co init reports that the store exists and changes nothing" {
	co-init >/dev/null
	echo 'My own words.' >.co-cli/knowledge/context.md
	find .co-cli -printf '%p %T@ %i\n' >before
	run -0 --separate-stderr co-init
	expect <<<"Already there: $PWD/.co-cli"
	[ "$stderr" = "" ]
	find .co-cli -printf '%p %T@ %i\n' | diff before -
}

@test "co init adds only missing files" {
	echo one | co-memory-save 2>/dev/null
	run -0 co-init
	expect <<-END
		Added to $PWD/.co-cli
		    knowledge/context.md  rules that every session loads
		Try next:
		    co learn 'a fact to remember'
		    co context --edit
	END
	[ -s $memories/001-one.md ]
}

@test "co init uses the working directory, not the top of the work tree" {
	mkdir -p .git sub
	cd sub
	run -0 co-init
	[ -d .co-cli ]
	[ ! -e ../.co-cli ]
	echo here | co-memory-save
	[ -e $memories/001-here.md ]
}

@test "co init reports that a new store hides one in a parent directory" {
	co-init >/dev/null
	mkdir sub
	cd sub
	run -0 --separate-stderr co-init
	[ "$stderr" = "co-init: from here on it takes the place of '${PWD%/sub}/.co-cli'" ]
	run -0 --separate-stderr co-init
	[ "$stderr" = "" ]
	[ "$output" = "Already there: $PWD/.co-cli" ]
}

@test "co init and co learn make no store in a bare git repository" {
	git init -q --bare bare.git
	cd bare.git
	for command in init 'learn text'; do
		run -4 --separate-stderr co $command
		[ "${stderr_lines[0]}" = "co-${command%% *}: '$PWD' is a bare git repository, and a store belongs in a work tree: 'git clone' or 'git worktree add' makes one" ]
		[ ! -e .co-cli ]
	done
	run -0 co learn --global -q text
}

@test "co init reports once that git sees the store" {
	mkdir .git
	run -0 --separate-stderr co-init
	[ "$stderr" = "hint: git will see it; 'co init --private' hides it, 'co setup git' eases merges" ]
	run -0 --separate-stderr co-init
	[ "$stderr" = "" ]
}

@test "--private hides a new or an existing store from git" {
	command -v git >/dev/null || skip "git is missing"
	git init -q .
	run -0 --separate-stderr co-init --private
	[ "$stderr" = "" ]
	[ "${lines[-1]}" = "git does not see it: .git/info/exclude lists it; 'git clean -fdx' would remove it" ]
	[ "$(git status --porcelain)" = "" ]
	mkdir sub
	cd sub
	co-init >/dev/null 2>&1
	[ "$(git status --porcelain)" != "" ]
	run -0 co-init --private
	run -0 --separate-stderr co-init --private
	expect <<-END
		Already there: $PWD/.co-cli
		git does not see it: .git/info/exclude lists it; 'git clean -fdx' would remove it
	END
	[ "$stderr" = "hint: what git tracks already stays tracked until 'git rm -r --cached .co-cli'" ]
	[ "$(git status --porcelain)" = "" ]
	[ "$(grep -c co-cli ../.git/info/exclude)" -eq 2 ]
}

@test "--private without git is an error and makes nothing" {
	run -2 co-init --private
	expect <<-END
		co-init: there is no git work tree around '$PWD/.co-cli' that could hide it
		hint: try 'co-init -h'
	END
	[ ! -e .co-cli ]
}

@test "--private refuses a .git file that does not name a git directory" {
	mkdir "$HOME/precious"
	echo "gitdir: $HOME/precious" >.git
	run -3 co-init --private
	expect <<<"co-init: '$PWD/.git' names '$HOME/precious', which is not a git directory"
	[ "$(ls -A "$HOME/precious")" = '' ]
	[ ! -e .co-cli ]
}

@test "--private in a linked work tree names the main one" {
	command -v git >/dev/null || skip "git is missing"
	git init -q main
	git -C main -c user.name=a -c user.email=a@b commit -q --allow-empty -m x
	git -C main worktree add -q "$PWD/side"
	cd side
	run -2 co-init --private
	expect <<<"co-init: a private store belongs in the main work tree: run this in '${PWD%/side}/main'"$'\nhint: try \'co-init -h\''
	[ ! -e .co-cli ]
	(cd ../main && co-init --private)
	run -0 co-init --private
	[ "${lines[0]}" = "Already there: ${PWD%/side}/main/.co-cli" ]
	[ "$(git status --porcelain)" = "" ]
}

@test "--global makes a user store that no other user can read" {
	umask 0
	run -0 co-init --global
	[ "${lines[0]}" = "Made $global" ]
	[ "${lines[-1]}" = "    co context --edit --global" ]
	[ -z "$(find "$global" -type d ! -perm 700)" ]
	[ -z "$(find "$global" -type f ! -perm 600)" ]
	[ ! -e .co-cli ]
	run -2 co-init --global --private
	run -0 co-init --global
	[ "$output" = "Already there: $global" ]
}

@test "co init can make a store in HOME" {
	cd "$HOME"
	run -0 co-init
	[ -d "$HOME/.co-cli/knowledge/memories" ]
}

@test "co init refuses a link in place of the store" {
	mkdir elsewhere
	ln -s elsewhere .co-cli
	run -3 co-init
	[[ $output == "co-init: "*"'$PWD/.co-cli'"* ]]
	[ "$(ls -A elsewhere)" = "" ]
}

@test "co init fails in a directory that is not writable" {
	[ "$(id -u)" -ne 0 ] || skip "root may write anywhere"
	chmod a-w .
	run -4 co-init
	[ "$output" = "co-init: cannot make '$PWD/.co-cli': Permission denied" ]
}

@test "co init reports that git sees the store only if git does" {
	git init -q . 2>/dev/null || skip 'no git'
	for line in .co-cli .co-cli/ /.co-cli /.co-cli/; do
		rm -rf .co-cli
		echo "$line" >.gitignore
		run -0 --separate-stderr co-init
		[[ $stderr != *'git will see'* ]]
		rm -rf .co-cli
		run -0 --separate-stderr co-learn x
		[[ $stderr != *'git will see'* ]]
	done
	rm -rf .co-cli
	printf '# .co-cli\n!.co-cli\nx.co-cli\n' >.gitignore
	run -0 --separate-stderr co-init
	[[ $stderr == *'git will see'* ]]
}

@test "on a terminal co init offers to read the commits" {
	load git
	load terminal
	need_terminal
	git_world
	git init -q && echo 1 >file && git add file
	git commit -qm 'log: one file' -m 'Decision: the log stays in one file, since recovery is faster then'
	terminal 0 'n' 'co init'
	[[ $output == *'1 commit here'*'[y/N]'*"'co harvest --from=git' does that later"* ]]
	[ -z "$(co-memory-list --drafts)" ]
	rm -r .co-cli
	terminal 0 'y' 'co init'
	[[ $(co-memory-list --drafts --format='%(content)') == *'the log stays in one file'* ]]
	[[ $output == *"'co review' shows the drafts"* ]]
	# It does not ask twice, nor without a terminal, nor without commits.
	terminal 0 'y' 'co init'
	[[ $output != *'commit here'* ]]
	rm -r .co-cli
	run -0 co init
	[[ $output != *commit* ]]
	mkdir ../empty && cd ../empty
	git init -q
	terminal 0 'y' 'co init'
	[[ $output != *commit* ]]
}

@test "on a terminal co init leads from nothing to the first recalled memory" {
	load git
	load terminal
	need_terminal
	git_world
	git init -q
	git commit -q --allow-empty -m 'log: one file' \
		-m 'Decision: the log stays in one file, since recovery is faster then'
	mkdir -p "$HOME/.claude/projects/p"
	jq -n -c --arg cwd "$PWD" '{type: "user", sessionId: "s-1", cwd: $cwd,
		timestamp: "2026-02-08T09:30:00Z",
		message: {role: "user", content: "redis listens on 6380"}}' \
		>"$HOME/.claude/projects/p/s-1.jsonl"
	terminal 0 'y' 'co init; co review --accept 1; co recall "which file has the log" | cat; co recall --kind=conversation redis'
	[[ $output == *'1 conversation and 1 commit here'* ]]
	[[ $output == *"'co recall --kind=conversation WORDS' searches the conversations"* ]]
	[[ $output == *'Accepted memory 1'*'Memory 1'*'the log stays in one file'* ]]
	[[ $output == *'redis listens on 6380'* ]]
}
