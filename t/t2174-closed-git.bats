#!/usr/bin/env bats
# A git directory that cannot be read is an error if drafts, the operation log or the
# index are needed. It never means that they are empty.
# bats file_tags=rights
load lib
load git

setup() {
	git_world
	as=()
	[ "$(id -u)" -ne 0 ] || as=(setpriv --inh-caps=-all
		"--bounding-set=-dac_override,-dac_read_search")
	"${as[@]}" true 2>/dev/null || skip 'root cannot give its rights up here'
}

teardown() {
	chmod -R u+rwX "$BATS_TEST_TMPDIR"
}

# closed STATUS COMMAND...: run COMMAND so that permissions apply even to root.
closed() {
	run -"$1" "${as[@]}" "${@:2}"
}

# refused MESSAGE COMMAND...: check that COMMAND exits 4 with MESSAGE.
refused() {
	closed 4 "${@:2}"
	[[ $output == *"$1: Permission denied"* ]]
}

begin() {
	co init -q
	co learn -q one
	co-memory-save -q --draft <<<two >/dev/null
	commit begin
	co forget -q -y 1
}

@test "drafts and the log in a closed git directory are an error, not empty" {
	begin
	for mode in 000 600; do
		chmod $mode .git
		for words in 'review --list' 'list --drafts' memory-next-id \
			'review --accept 2' 'show 2' 'undo -n' redo operation-list \
			'forget --undo'; do
			# shellcheck disable=SC2086
			refused "cannot look at '$PWD/.git/commondir'" co $words
		done
		closed 0 co list
		chmod 700 .git
	done
	run -0 co review --list
	[[ $output == *two ]]
}

@test "a failed change is not reported as missing in the log" {
	co init -q
	co learn -q one
	chmod -R a-w .co-cli .git
	for command in 'learn three' 'learn --always three' 'forget -y 1' 'tag +x 1'; do
		# shellcheck disable=SC2086
		closed 4 co $command
		[[ $output != *'not in the log'* ]]
	done
	chmod -R u+w .co-cli
	closed 0 co learn -q three
	[[ $output == *'not in the log'* ]]
}

@test "a save works with a closed git directory and writes no log elsewhere" {
	begin
	chmod 000 .git
	closed 0 co learn -q three
	[[ $output == *"not in the log, so 'co undo' cannot undo it: cannot look at '$PWD/.git/"* ]]
	closed 0 co-memory-save --draft <<<four
	[ -f $drafts/003-four.md ]
	[ ! -e "$HOME/.local/state/co-cli/log" ]
	chmod 700 .git
	run -0 co review --list
	[[ $output == *four*two* || $output == *two*four* ]]
}

@test "a linked work tree with a closed git directory is an error" {
	begin
	git worktree add -q ../w
	cd ../w
	git_part=$(git rev-parse --absolute-git-dir)
	chmod 000 "$git_part"
	refused "cannot look at '$git_part/commondir'" co review --list
	chmod 700 "$git_part"
	chmod 000 "$git_part/gitdir"
	refused "cannot open '$git_part/gitdir'" co review --list
	chmod 600 "$git_part/gitdir"
	chmod 000 .git
	refused "cannot open '$PWD/.git'" co review --list
}

@test "a closed git directory does not make co recreate a private store" {
	co init -q --private
	co learn -q one
	git commit -q --allow-empty -m begin
	git worktree add -q ../w
	chmod 000 .git/info
	cd ../w
	refused "/info/exclude'" co list
	refused "/info/exclude'" co learn -q two
	[ ! -e .co-cli ]
	chmod 000 ../project/.git
	refused "/commondir'" co learn -q two
	[ ! -e .co-cli ]
	closed 0 co learn -q --global two
}

@test "a closed git directory does not make co recreate a sparse store" {
	begin
	git sparse-checkout set none 2>/dev/null
	[ ! -e .co-cli/knowledge/memories ]
	rm -rf .co-cli
	chmod 000 .git/info
	refused "'$PWD/.git/info/sparse-checkout'" co learn -q two
	chmod 700 .git/info
	chmod 000 .git/index
	refused "cannot open '$PWD/.git/index'" co learn -q two
	[ ! -e .co-cli ]
}

@test "co forget --undo fails if git's index cannot be read" {
	begin
	chmod 000 .git/index
	refused "cannot open '$PWD/.git/index'" co forget --undo
	chmod 600 .git/index
	run -0 co forget --undo
	[ "$output" = '✓ Restored memory 1: 001-one.md' ]
}

@test "co forget --undo fails if git's index is malformed" {
	begin
	cp .git/index index
	for bytes in 0 8 40; do
		head -c $bytes index >.git/index
		run -3 co forget --undo
		[ "$output" = "co-forget: cannot understand '$PWD/.git/index'" ]
	done
	cp index .git/index
	run -0 co forget --undo
}

@test "a purge reports a work tree of the clone that it cannot read" {
	begin
	git worktree add -q ../w
	co learn -q 'the password is long and unique'
	chmod 000 ../w
	closed 4 co forget --purge -y 3
	[[ $output == *"cannot look for '$(realpath ..)/w/.git': Permission denied"* ]]
}
