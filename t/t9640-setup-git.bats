#!/usr/bin/env bats
# co setup git lets a clone merge memories field by field.
# bats file_tags=rights
load lib
load git
load terminal

setup() {
	git_world
}

# all: print every file that setup may change, with its name.
all() {
	local f
	for f in .git/config .git/hooks/* .co-cli/.gitattributes \
		.co-cli/settings.json; do
		[[ ! -e $f || $f == *.sample ]] ||
			{ printf '== %s\n' "$f" && cat "$f"; }
	done
}

# tag_both FILE: tag the committed FILE differently on two branches.
tag_both() {
	git switch -qc side
	sed -i 's/^tags: \[a/&, t/' "$1"
	git commit -qam side
	git switch -q -
	sed -i 's/^tags: \[a/&, o/' "$1"
	git commit -qam main
}

@test "co init writes attributes in a work tree and names the next step" {
	run -0 --separate-stderr co init
	[[ $output == *$'\n    .gitattributes        how git merges the files\n'* ]]
	[ "$stderr" = "hint: git will see it; 'co init --private' hides it, 'co setup git' eases merges" ]
	run -0 git check-attr merge text eol -- .co-cli/knowledge/context.md \
		.co-cli/knowledge/memories/12/123456-x.md
	expect <<-'END'
		.co-cli/knowledge/context.md: merge: co
		.co-cli/knowledge/context.md: text: set
		.co-cli/knowledge/context.md: eol: lf
		.co-cli/knowledge/memories/12/123456-x.md: merge: co
		.co-cli/knowledge/memories/12/123456-x.md: text: set
		.co-cli/knowledge/memories/12/123456-x.md: eol: lf
	END
	mkdir ../plain && cd ../plain
	co init
	[ ! -e .co-cli/.gitattributes ]
}

@test "on a terminal co setup git shows paths relative to the directory of the user" {
	need_terminal
	co init >/dev/null 2>&1
	terminal 0 'y\n' 'co setup git'
	[[ $output == *'Files: .co-cli/settings.json (+1 -1 lines)'* ]]
	[[ $output == *$'\nhook .git/hooks/pre-commit\n'* ]]
	[[ $output == *'✓ Set up in .co-cli/settings.json'* ]]
	[[ $output != *"$PWD"* ]]
	# The script by itself does the same.
	terminal 0 '' 'co-setup git --remove -y >/dev/null; "$CO_BIN/../share/co-cli/hooks/install"'
	[ "${output%%$'\n'*}" = 'install: installed .git/hooks/pre-commit' ]
	terminal 0 '' 'mkdir sub; cd sub; "$CO_BIN/../share/co-cli/hooks/install" -C .. --remove'
	[ "${output%%$'\n'*}" = "install: removed $PWD/.git/hooks/pre-commit" ]
}

@test "co setup git shows its changes and writes nothing without -y" {
	co init >/dev/null 2>&1
	all >../before
	run -1 --separate-stderr co setup git </dev/null
	expect <<-END
		git will
		  - merge memories field by field (merge driver 'co')
		  - resolve a conflict again as you resolved it (rerere)
		  - check memories at each commit, merge, rebase and push (hooks)
		Nothing is sent anywhere.
		Files: $PWD/.co-cli/settings.json (+1 -1 lines)
		Options of this clone: merge.co.name, merge.co.driver, rerere.enabled
		hook $PWD/.git/hooks/pre-commit
		hook $PWD/.git/hooks/post-merge
		hook $PWD/.git/hooks/post-rewrite
		hook $PWD/.git/hooks/post-commit
		hook $PWD/.git/hooks/pre-push
	END
	[[ $stderr == *'nothing was written'* ]]
	all | diff ../before -
	run -0 co setup git --print
	[[ $output == *'"team": true'* ]]
	[[ $output == *"git config merge.co.driver 'command -v co-memory-merge "* ]]
	[[ $output == *"hook $PWD/.git/hooks/pre-push"* ]]
	all | diff ../before -
	run -0 co status
	[[ $output == *'merge     git merges memories as plain lines'* ]]
	run -0 --separate-stderr co setup git -y
	[ "$stderr" = "co-setup: from now on each new memory gets a random id of six digits, so that two clones never save the same; 'co setup git --remove' undoes this until the first such id is saved
hint: 'git add .co-cli' and commit: each clone runs 'co setup git' once" ]
	run -0 git config merge.co.driver
	expect <<<'command -v co-memory-merge >/dev/null && exec co-memory-merge --path=%P -- %O %A %B || git merge-file -L ours -L base -L theirs %A %O %B'
	run -0 git config rerere.enabled
	expect <<<true
	run -0 co status
	[[ $output == *'merge     git merges memories by their fields'* ]]
	run -0 co status --json
	[[ $output == *'"merge_driver":true'* ]]
	grep -Eq '"id": "[a-z2-7]{20}"' .co-cli/settings.json
}

@test "a second co setup git changes nothing, and --remove restores every byte" {
	co init >/dev/null 2>&1
	printf '{\n  // ours\n  "format": 1\n}\n' >.co-cli/settings.json
	git config rerere.autoupdate true
	printf '#!/bin/sh\nexit 0\n' >.git/hooks/pre-push
	chmod +x .git/hooks/pre-push
	all >../before
	co setup git -y >/dev/null 2>&1
	all >../set
	run -0 --separate-stderr co setup git -y
	[ "$output" = '' ]
	[ "$stderr" = 'co-setup: git: set up already' ]
	all | diff ../set -
	run -0 co setup git --remove -y
	all | diff ../before -
	run -0 --separate-stderr co setup git --remove -y
	[ "$stderr" = 'co-setup: git: co is not set up' ]
	all | diff ../before -
}

@test "--remove removes a setup that was killed halfway" {
	git init -q . && co init -q
	cp .git/config before
	mkdir bin
	cat >bin/git <<-END
		#!/bin/sh
		$(command -v git) "\$@" || exit
		case "\$*" in *"config --local co.setup"*) kill -9 \$PPID ;; esac
	END
	chmod +x bin/git
	PATH=$PWD/bin:$PATH run -137 co setup git -y
	run -0 co setup git --remove -y
	diff before .git/config
	run -0 --separate-stderr co setup git --remove -y
	[ "$stderr" = 'co-setup: git: co is not set up' ]
}

@test "co setup git announces random ids, and --remove keeps them if one is used" {
	need_terminal
	co init >/dev/null 2>&1
	all >../before
	terminal 1 'n' 'co setup git'
	[[ $output == *'new memory gets a random id of six digits'*"'co setup git --remove' undoes this"*'Write '* ]]
	co setup git -y -q 2>../said
	run ! grep -q random ../said
	run -0 co setup git --remove -y
	[[ $output != *stay* ]]
	all | diff ../before -
	co setup git -y -q
	co learn -q 'Use tabs'
	run -0 --separate-stderr co setup git --remove -y
	[[ $stderr == *"'team' and 'format' stay in settings.json: a memory has a random id"* ]]
	[ "$(jq -c '[.team, .format]' .co-cli/settings.json)" = '[true,2]' ]
}

@test "on a terminal the answer d shows the differences" {
	need_terminal
	co init >/dev/null 2>&1
	terminal 1 'dn' 'co setup git'
	[[ $output == *'Write them [y,n,d(iff),?]?'*'"team": true'*'Write them '* ]]
}

@test "co setup git accepts attributes of an earlier version and removes them" {
	co init >/dev/null 2>&1
	sed -i "1s/.*/# What is known merges by what it means: 'co setup git', in each clone./" \
		.co-cli/.gitattributes
	cp .co-cli/.gitattributes ../before
	git config co.setup attributes
	run -0 co setup git -y
	diff ../before .co-cli/.gitattributes
	run -0 co setup git --remove -y
	[ ! -e .co-cli/.gitattributes ]
}

@test "co setup git and --remove preserve existing attributes" {
	co init >/dev/null 2>&1
	for text in '' $'*.png binary' $'* text=auto\n'; do
		rm -f .co-cli/.gitattributes
		[ -z "$text" ] || printf %s "$text" >.co-cli/.gitattributes
		all >../before
		co setup git -y >/dev/null 2>&1
		run -0 git check-attr merge -- .co-cli/knowledge/context.md
		expect <<<'.co-cli/knowledge/context.md: merge: co'
		run -0 co setup git --remove -y
		all | diff ../before -
	done
}

@test "--remove in one clone preserves the settings that another clone shares" {
	co init >/dev/null 2>&1
	co setup git -y >/dev/null 2>&1
	git add . && git commit -qm begin
	git clone -q . ../clone && cd ../clone
	run -0 --separate-stderr co setup git -y
	[ "$stderr" = '' ]
	[[ $output != *settings.json* ]]
	[ -z "$(git status --porcelain)" ]
	run -0 co setup git --remove -y
	[ -z "$(git status --porcelain)" ]
	grep -q '"team": true' .co-cli/settings.json
	run -1 git config merge.co.driver
}

@test "co setup git preserves a rerere setting of the user" {
	co init >/dev/null 2>&1
	git config rerere.enabled false
	co setup git -y >/dev/null 2>&1
	run -0 git config rerere.enabled
	expect <<<false
	co setup git --remove -y >/dev/null
	run -0 git config rerere.enabled
	expect <<<false
}

@test "co setup git preserves the user's hooks and calls them" {
	co init >/dev/null 2>&1
	printf '#!/bin/sh\necho mine\n' >.git/hooks/pre-commit
	chmod +x .git/hooks/pre-commit
	run -0 co setup git -y
	[[ $output == *'/hooks/pre-commit, after the existing one: pre-commit.before-co'* ]]
	git add .
	run -0 git commit -qm one
	[ "${lines[0]}" = mine ]
	mkdir -p $memories && echo broken >$memories/009-x.md
	git add .
	run -1 git commit -qm two
	[ "${lines[0]}" = mine ]
	[[ $output == *'pre-commit: the commit is refused'* ]]
}

@test "the merge driver takes file names with blanks, quotes and dollars" {
	mkdir "a 'b' \"c\" \$d" && cd "a 'b' \"c\" \$d"
	co init >/dev/null 2>&1
	co setup git -y >/dev/null 2>&1
	memory 1 2026-01-01T00:00:00Z a "$memories/001-it's \$HOME.md" <<<text
	git add . && git commit -qm base
	tag_both "$memories/001-it's \$HOME.md"
	run -0 git merge -q side -m both
	grep -qx 'tags: \[a, o, t\]' "$memories/001-it's \$HOME.md"
}

@test "the merge driver merges as text without co and leaves markers" {
	co init >/dev/null 2>&1
	co setup git -y >/dev/null 2>&1
	memory 1 2026-01-01T00:00:00Z a <<<text
	git add . && git commit -qm base
	tag_both $memories/001-m.md
	mkdir ../path
	for program in sh env git; do
		ln -s "$(command -v "$program")" ../path/
	done
	PATH=$PWD/../path run -1 git -c core.hooksPath=/dev/null \
		merge -q side -m both
	grep -q '^<<<<<<< ours' $memories/001-m.md
	grep -q '^tags: \[a, t\]' $memories/001-m.md
}

@test "co setup git works in linked work trees and submodules" {
	co init >/dev/null 2>&1
	git add . && git commit -qm begin
	git worktree add -q ../tree
	cd ../tree
	run -0 co setup git -y
	run -0 git -C ../project config --local merge.co.driver
	[ -x ../project/.git/hooks/post-rewrite ]
	grep -q '"team": true' .co-cli/settings.json
	run -1 grep -q team ../project/.co-cli/settings.json
	run -0 co status
	[[ $output == *'merge     git merges memories by their fields'* ]]
	cd ../project
	git init -q ../knowledge
	git -C ../knowledge commit -q --allow-empty -m begin
	git -c protocol.file.allow=always submodule --quiet add ../knowledge sub
	cd sub
	co init >/dev/null 2>&1
	run -0 co setup git -y
	run -0 git config --file ../.git/modules/sub/config merge.co.driver
	[ -x ../.git/modules/sub/hooks/pre-push ]
	run -0 co setup git --remove -y
	[ ! -e ../.git/modules/sub/hooks/pre-push ]
	run -0 git -C .. config --local merge.co.driver
}

@test "co setup git writes hooks to core.hooksPath" {
	co init >/dev/null 2>&1
	git config core.hooksPath 'my hooks'
	run -0 co setup git -y
	[ -x 'my hooks/pre-push' ]
	[ ! -e .git/hooks/pre-push ]
	run -0 co setup git --remove -y
	[ -z "$(ls 'my hooks')" ]
}

@test "co setup git names the next step without a store or without git" {
	run -4 co setup git -y
	expect <<<"co-setup: there is no project store here: 'co init' makes one"
	mkdir ../plain && cd ../plain
	co init >/dev/null
	run -4 co setup git -y
	expect <<<"co-setup: '$PWD/.co-cli' is in no clone of git: 'git init' makes one"
	run -2 co setup git --project
}

@test "co setup git changes nothing if the settings are malformed" {
	co init >/dev/null 2>&1
	echo '{"team":' >.co-cli/settings.json
	all >../before
	run -3 co setup git -y
	[[ $output == *"settings.json':"* ]]
	all | diff ../before -
}

@test "pre-push refuses new faults, but not those that the remote has" {
	co init >/dev/null 2>&1
	co setup git -y >/dev/null 2>&1
	git init -q --bare ../hub
	git remote add origin ../hub
	memory 1 2026-01-01T00:00:00Z a <<<one
	git add . && git commit -qm one
	run -0 git push -q origin main
	echo broken >$memories/002-x.md
	git add . && git commit -qm two --no-verify
	run ! git push -q origin main
	[[ $output == *"pre-push: the push is refused, for 1 fault:"*"002-x.md':1:1: no frontmatter"* ]]
	run -0 git push -q --no-verify origin main
	memory 3 2026-01-01T00:00:00Z a <<<three
	git add . && git commit -qm three
	run -0 git push -q origin main
	git switch -qc topic
	memory 4 2026-01-01T00:00:00Z a <<<four
	git add . && git commit -qm four
	run -0 git push -q origin topic
	run -0 git push -q origin :topic
}

@test "post-rewrite reports a duplicate id after a rebase" {
	co init >/dev/null 2>&1
	co setup git -y >/dev/null 2>&1
	git add . && git commit -qm base
	git switch -qc side
	memory 7 2026-01-01T00:00:00Z a $memories/007-a.md <<<a
	git add . && git commit -qm side
	git switch -q main
	memory 7 2026-01-02T00:00:00Z a $memories/007-b.md <<<b
	git add . && git commit -qm main
	run -0 git rebase -q side
	[[ $output == *"id 7 is also that of"* ]]
	run -0 git commit -q --amend -m other
	[[ $output != *"id 7"* ]]
}

@test "on a terminal a long note is broken at blanks, and not in a command" {
	need_terminal
	co learn -q 'one thing'
	terminal 1 'n' 'stty cols 80; co setup git'
	[[ $output == *'co-setup: from now on each new memory gets a random id of six digits, so that
two clones never save the same; '"'co setup git --remove'"' undoes this until the
first such id is saved'* ]]
}
