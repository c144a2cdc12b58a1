#!/usr/bin/env bats
# The operation log of a store that was moved, or that took the place of another one.
load lib
load git

setup() {
	world
	unset GIT_CEILING_DIRECTORIES
	state=$HOME/.local/state/co-cli
	up=${PWD%/*}
	word='7Qx-Tulip-Harbour'
}

# again: make the current directory a git work tree.
again() {
	git init -q .
	git config user.name A
	git config user.email a@example.org
}

# said WORD: print the files with WORD among those that co wrote for itself.
said() {
	grep -rlF "$1" "$state" "$HOME/.cache" "$up" 2>/dev/null || :
}

# write: save a memory and edit it, so that the log keeps the bytes before the edit.
write() {
	co-learn -q "the first is $word"
	sed "s/first is $word/second is plain/" $memories/001-* >new
	co-memory-write -q --expect="$(sha256sum <"$(echo $memories/001-*)" | cut -d' ' -f1)" 1 <new
	rm new
	run -0 said "$word"
	[ -n "$output" ]
}

@test "outside git the log follows a renamed project" {
	write
	mv "$up/project" "$up/renamed"
	cd "$up/renamed"
	[ "$(co-undo --list | wc -l)" -eq 2 ]
	run -0 co-undo -q
	grep -q "first is $word" $memories/001-*
	run -0 co-undo -q
	[ -z "$(co-memory-list)" ]
	[ "$(ls "$state/log")" = "$(place "$PWD/.co-cli")" ]
}

@test "in git the log follows a renamed directory of the store" {
	again
	mkdir sub
	cd sub
	mkdir .co-cli
	co-init >/dev/null
	write
	mv "$up/project/sub" "$up/project/other"
	cd "$up/project/other"
	run -0 co-undo -q
	grep -q "first is $word" $memories/001-*
}

@test "the log follows a store that gets a git directory of its own" {
	again
	mkdir sub
	cd sub
	mkdir .co-cli
	co-init >/dev/null
	write
	again
	run -0 co-undo -q
	grep -q "first is $word" $memories/001-*
	run -0 find ../.git -name ops
	expect </dev/null
}

@test "drafts follow a moved store" {
	again
	mkdir -p sub/.co-cli
	cd sub
	co-init >/dev/null
	co-memory-save -q --draft <<<"a draft"
	mv ../sub ../other
	cd ../other
	co-learn -q one
	[[ $(co-review --list) == *'a draft' ]]
	mkdir ../third
	mv .co-cli ../third
	cd ../third
	again
	co-learn -q two
	[[ $(co-review --list) == *'a draft' ]]
	run -0 find ../.git/co-cli -type f
	expect </dev/null
}

@test "a purge reaches the log of a moved store" {
	write
	mv "$up/project" "$up/renamed"
	cd "$up/renamed"
	run -0 co-memory-purge --text=- <<<"$word"
	[ -z "$(said "$word")" ]
}

@test "a purge reaches an older log in an outer git directory" {
	again
	mkdir -p sub/.co-cli
	cd sub
	co-init >/dev/null
	write
	co-memory-save -q --draft <<<"a draft of $word"
	# Simulate an older co, which did not move the log.
	cp -r ../.git/co-cli/sub%2F.co-cli "$up/kept"
	again
	co-learn -q plain
	cp -r "$up/kept/." ../.git/co-cli/sub%2F.co-cli
	rm -r "$up/kept"
	run -0 said "$word"
	[[ $output == *sub%2F.co-cli/log/now/* && $output == *sub%2F.co-cli/drafts/* ]]
	run -0 co-memory-purge --text=- <<<"$word"
	run -0 said "$word"
	expect </dev/null
}

@test "a new project at the path of a deleted one starts with an empty log" {
	write
	rm -rf "$up/project"
	mkdir "$up/project"
	cd "$up/project"
	run -0 co-undo --list
	run -0 co-undo
	co-learn -q 'a new one'
	[ "$(co-undo --list | wc -l)" -eq 1 ]
	run -1 grep -rF "$word" "$state/log/$(place "$PWD/.co-cli")"
	# The old log is kept, and its place is reported.
	run -0 said "$word"
	[[ $output == "$state/log/aside-"* ]]
	run -3 co-knowledge-check
	[[ $output == *"'$state/log/aside-"*"' is not used: "*"rm -r '"* || $output == *"rm -r $state"* ]]
	rm -r "$state"/log/aside-*
	run -0 co-knowledge-check
}

@test "logs that were put aside do not slow down the next one" {
	need_strace
	local n
	for n in 1 2 3 4 5 6; do
		write
		rm -rf .co-cli && mkdir .co-cli
	done
	[ "$(ls -d "$state"/log/aside-* | wc -l)" = 5 ]
	strace -f --seccomp-bpf -qq -o trace -e trace=rename,renameat,renameat2 co-learn -q one
	[ "$(grep -c '"aside-' trace)" = 1 ]
	[ "$(ls -d "$state"/log/aside-* | wc -l)" = 6 ]
}

@test "a project id that cannot be read is not treated as another store's" {
	need_strace
	write
	# Only path and id identify a copy in the place of the store.
	cp -r .co-cli "$up/copy" && rm -rf .co-cli && mv "$up/copy" .co-cli
	local command
	for command in 'co-undo' 'co-memory-purge 1' 'co-learn another'; do
		run -4 strace -f -qq -o /dev/null -P "$PWD/.co-cli/settings.json" \
			-e trace=openat,read -e inject=openat,read:error=EIO $command
		[[ $output == *"settings.json': Input/output error"* ]]
	done
	run -2 ls "$state"/log/aside-*
	run -0 co-undo -q
	grep -q "first is $word" $memories/001-*
}

@test "a store without an id is identified by its directory" {
	mkdir .co-cli
	echo '{"format": 1}' >.co-cli/settings.json
	write
	run -0 co-undo -q
	rm -rf .co-cli
	mkdir .co-cli
	echo '{"format": 1}' >.co-cli/settings.json
	run -0 co-undo
	co-learn -q 'a new one'
	[ "$(co-undo --list | wc -l)" -eq 1 ]
}

@test "a copied store gets no log, and the moved original keeps it" {
	write
	cp -r "$up/project" "$up/copy"
	mv "$up/project" "$up/moved"
	cd "$up/copy"
	run -0 co-undo
	co-learn -q 'of the copy'
	[ "$(co-undo --list | wc -l)" -eq 1 ]
	cd "$up/moved"
	run -0 co-undo -q
	grep -q "first is $word" $memories/001-*
}

@test "a project that is restored at its path keeps its log" {
	write
	cp -r "$up/project" "$up/backup"
	rm -rf "$up/project"
	mkdir "$up/project"
	cp -r "$up/backup/.co-cli" "$up/project"
	cd "$up/project"
	run -0 co-undo -q
	grep -q "first is $word" $memories/001-*
}

@test "a log that cannot be read is not treated as another store's" {
	[ "$(id -u)" != 0 ] || skip "root may read everything"
	write
	chmod 0 "$state/log/$(place "$PWD/.co-cli")/store"
	run -4 co-undo
	co-learn two 2>&1 | grep -q 'not in the log'
	run -2 ls "$state"/log/aside-*
}
