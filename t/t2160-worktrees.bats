#!/usr/bin/env bats
# The project in other kinds of git work trees, and its owner.
# bats file_tags=rights
load lib

setup() {
	world
	command -v git >/dev/null || skip 'git is missing'
	export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
	export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
	unset GIT_CEILING_DIRECTORIES
}

# sparse [OPTION...]: make a clone that leaves out .co-cli, which is tracked.
sparse() {
	git init -q "$@" .
	co init >/dev/null 2>&1
	co learn 'the tests need Docker' >/dev/null
	mkdir -p src/deep docs
	touch src/deep/a docs/b
	git add -A
	git commit -qm begin
	git sparse-checkout set src >/dev/null
	[ ! -e .co-cli ]
}

refused() {
	run -4 --separate-stderr "$@"
	[ -z "$output" ]
	[ "${stderr%%$'\n'*}" = "$1: the sparse checkout leaves out '.co-cli': 'git${at+ -C $at} sparse-checkout add .co-cli' brings it" ]
}

@test "a sparse checkout without .co-cli is an error that names the remedy" {
	sparse
	refused co-recall Docker
	refused co-memory-list
	refused co-memory-save <<<x
	refused co-learn x
	refused co-init
	at=$PWD
	cd src/deep
	refused co-memory-next-id
	[ ! -e .co-cli ]
	[ ! -e ../../.co-cli ]
	git -C "$at" sparse-checkout add .co-cli
	run -0 co recall Docker
}

@test "a sparse checkout is recognized in every format of git's index" {
	sparse
	git update-index --index-version 4
	refused co-memory-list
	git sparse-checkout init --cone --sparse-index
	refused co-memory-list
	git update-index --index-version 2
	refused co-memory-list
	rm -rf .git src docs
	sparse --object-format=sha256
	refused co-memory-list
}

@test "a sparse checkout without the store of a subdirectory is an error" {
	git init -q .
	mkdir -p src packages/web
	(cd packages/web && co init >/dev/null 2>&1)
	touch src/a packages/web/b
	git add -A
	git commit -qm begin
	git sparse-checkout set --no-cone '/*' '!packages/web/.co-cli' >/dev/null
	cd packages/web
	run -4 co-memory-list
	expect <<<"co-memory-list: the sparse checkout leaves out 'packages/web/.co-cli': 'git -C $(realpath ../..) sparse-checkout add packages/web/.co-cli' brings it"
	cd ../../src
	run -0 co-memory-list
}

@test "a deleted or untracked .co-cli is not blamed on a sparse checkout" {
	sparse
	git sparse-checkout disable
	rm -rf .co-cli
	run -0 co-memory-list
	rm -rf .git
	git init -q .
	git add -A
	git commit -qm begin
	git sparse-checkout set src >/dev/null
	run -0 co-memory-list
	: >.git/index
	run -0 co-memory-list
	head -c 200 /dev/urandom >.git/index
	run -0 co-memory-list
}

@test "a private store is found from a linked work tree" {
	git init -q .
	mkdir sub
	touch sub/a
	git add sub
	git commit -qm begin
	co init --private >/dev/null
	co learn 'the tests need Docker' >/dev/null
	git worktree add -q ../w
	cd ../w
	run -0 co recall Docker
	[[ $output == *'Memory 1'* ]]
	cd sub
	run -0 --separate-stderr co learn 'learned in w'
	[[ $output == *"/project/$memories/002-learned-in-w.md" ]]
	run -0 --separate-stderr co-memory-save --draft <<<'drafted in w'
	[[ $output == */project/.git/co-cli/.co-cli/drafts/003-drafted-in-w.md ]]
	run -0 co review --list
	[[ $output == *'(worktree w): drafted in w' ]]
	run -0 co init --private
	[[ $output == "Already there: "*/project/.co-cli* ]]
	[ -z "$(git status --porcelain)" ]
	cd ../../project
	run -0 co recall learned
}

@test "a tracked store is not the private store of other work trees" {
	git init -q .
	git commit -q --allow-empty -m begin
	git worktree add -q ../w
	co init >/dev/null 2>&1
	co learn x >/dev/null
	cd ../w
	run -0 co-memory-list
	expect </dev/null
}

@test "co init --private warns of git clean" {
	git init -q .
	run -0 co init --private
	[[ $output == *'git clean -fdx'* ]]
}

# stranger: make a project that belongs to another user.
stranger() {
	[ "$(id -u)" = 0 ] || skip 'only root can give folders away'
	co init >/dev/null 2>&1
	co learn 'the tests need Docker' >/dev/null
	chown -R 12345:12345 .
}

@test "a project of another user is trusted if safe.directory lists it" {
	stranger
	run -4 co-memory-list
	expect <<<"co-memory-list: refusing '$PWD/.co-cli': it belongs to another user; to trust it add '$PWD' to \"safe.directory\" in your settings.json"
	mkdir -p "$global"
	for list in "[\"$PWD\"]" '["/x", "*"]' "[\"${PWD%/*}/*\"]" "\"$PWD/\""; do
		echo "{\"safe.directory\": $list}" >"$global/settings.json"
		run -0 co-memory-list
	done
	echo "{\"safe\": {\"directory\": [\"$PWD\"]}}" >"$global/settings.json"
	run -0 co-memory-list
	for list in '[]' '["/x"]' "[\"$PWD/*\"]" "[\"${PWD%t}\"]" '["project"]' 7; do
		echo "{\"safe.directory\": $list}" >"$global/settings.json"
		run -4 co-memory-list
	done
	rm "$global/settings.json"
	echo '{"safe.directory": ["*"]}' >.co-cli/settings.json
	run -4 co-memory-list
}

@test "co config --global trusts a refused project" {
	stranger
	run -4 co config recall.max_results
	run -0 --separate-stderr co config --global safe.directory "$PWD"
	[[ $stderr != *refusing* ]]
	run -0 co-memory-list
	run -0 --separate-stderr co config --global --unset safe.directory
	run -4 co-memory-list
	run -1 co config --global safe.directory
	expect </dev/null
}

@test "a hook tells the agent and the user about a refused project" {
	stranger
	mkdir -p "$global"
	echo '{"hook.timeout_ms": 60000}' >"$global/settings.json"
	for agent in claude codex gemini; do
		jq -nc --arg cwd "$PWD" '{session_id: "s", cwd: $cwd,
			hook_event_name: "SessionStart", source: "startup"}' >event
		run -0 co hook $agent <event
		for word in additionalContext systemMessage; do
			[[ $(jq -r ".. | .$word? // empty" <<<"$output") == *"refusing '$PWD/.co-cli'"*safe.directory* ]]
		done
	done
}

@test "files that root creates in a user's project belong to the user" {
	stranger
	rm -rf .co-cli
	export SUDO_UID=12345
	co learn one >/dev/null 2>&1
	co learn --always two
	echo three | co-memory-save --draft
	co forget -y 1
	co-memory-remove "$drafts/002-three.md"
	[ -z "$(find .co-cli/knowledge/trash ! -uid 12345)" ]
	co forget --undo
	co forget --undo
	co-memory-remove --purge 1
	[ -z "$(find . ! -uid 12345)" ]
	[ -z "$(find . ! -gid 12345)" ]
	git -c init.defaultBranch=main init -q .
	chown -R 12345:12345 .git
	echo four | co-memory-save --draft
	[ -n "$(ls .git/co-cli/.co-cli/drafts)" ]
	[ -z "$(find . ! -uid 12345)" ]
}

@test "files that root creates in a user's home belong to the user" {
	stranger
	rm -rf .co-cli
	export SUDO_UID=12345
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		printf '{"content": "memory %s"}\n' "$i"
	done | co-memory-save --batch
	rm -rf "$HOME" && mkdir "$HOME"
	chown 12345:12345 "$HOME"
	co list && co recall memory
	co recall --kind=conversation memory || [ $? = 1 ]
	jq -nc --arg cwd "$PWD" '{session_id: "s", cwd: $cwd,
		hook_event_name: "SessionStart", source: "startup"}' | co hook claude
	[ -n "$(ls "$HOME"/.cache/co-cli/*/files "$HOME"/.local/state/co-cli)" ]
	[ -z "$(find . "$HOME" ! -uid 12345)" ]
}

@test "co sync and co setup refuse, as root, the store of another user" {
	stranger
	export SUDO_UID=12345
	chown 12345:12345 "$HOME"
	run -4 co setup git --user -y -q "$BATS_TEST_TMPDIR/hub.git"
	[[ $output == *"its owner is another user; run this as that user"* ]]
	[ ! -e "$HOME/.config/co-cli/.git" ]
	git init -q "$HOME/.config/co-cli"
	chown -R 12345:12345 "$HOME"
	run -4 co sync
	[[ $output == *"its owner is another user; run this as that user"* ]]
	[ -z "$(find "$HOME" ! -uid 12345)" ]
}

@test "an existing file keeps its owner even if root opens it" {
	stranger
	rm -rf .co-cli
	export SUDO_UID=12345
	co learn one >/dev/null 2>&1
	mkdir -p $trash/purged
	chown 12345:12345 $trash $trash/purged
	echo text >../roots
	ln ../roots $trash/purged/001
	co-memory-remove --purge 1
	[ "$(stat -c %u ../roots)" = 0 ]
}
