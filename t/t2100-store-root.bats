#!/usr/bin/env bats
# Where the store is found, and where and how it is created.
# bats file_tags=rights
load lib

save() {
	echo "${1:-hello}" | co-memory-save "${@:2}"
}

# as_if_git DIR: make DIR look like the top of a git work tree, without git.
as_if_git() {
	mkdir -p "$1/.git/info"
}

@test "the project is the nearest parent directory with a .co-cli" {
	save outer
	mkdir -p a/b/c
	cd a/b/c
	run -0 co-memory-next-id
	expect <<<2
	mkdir ../.co-cli
	run -0 co-memory-next-id
	expect <<<1
}

@test "the search for a store ends at the top of the git work tree" {
	save outer
	mkdir -p a/b/c
	as_if_git a
	cd a/b
	run -0 co-memory-next-id
	expect <<<1
	echo 'gitdir: /nowhere' >.git
	cd c
	run -0 --separate-stderr save inner
	expect <<<"$BATS_TEST_TMPDIR/project/a/b/.co-cli/knowledge/memories/001-inner.md"
}

@test "the .co-cli of HOME is used only in HOME itself" {
	mkdir -p "$HOME/x/y" "$HOME/.co-cli"
	cd "$HOME/x/y"
	run -0 --separate-stderr save
	expect <<<"$HOME/x/y/.co-cli/knowledge/memories/001-hello.md"
	cd "$HOME"
	run -0 --separate-stderr save
	expect <<<"$HOME/.co-cli/knowledge/memories/001-hello.md"
}

@test "a git repository in HOME does not own the projects below it" {
	as_if_git "$HOME"
	mkdir "$HOME/x"
	ln -s "$HOME" "$BATS_TEST_TMPDIR/alias"
	cd "$HOME/x"
	export HOME=$BATS_TEST_TMPDIR/alias
	run -0 --separate-stderr save
	expect <<<"$BATS_TEST_TMPDIR/home/x/.co-cli/knowledge/memories/001-hello.md"
}

@test "the first save reports the store that it made, and that git sees it" {
	run -0 --separate-stderr save
	[[ $stderr == "co-memory-save: made '$PWD/.co-cli'" ]]
	run -0 --separate-stderr save
	[ -z "$stderr" ]
	as_if_git git
	cd git
	mkdir sub
	cd sub
	run -0 --separate-stderr save
	[[ $stderr == "co-memory-save: made '${PWD%/sub}/.co-cli'"*"git"* ]]
	[ -d ../.co-cli ]
}

@test "a refused save creates nothing" {
	run -3 co-memory-save </dev/null
	run -1 co-memory-save --replaces=1 <<<x
	run -3 co-memory-save --batch <<<'{"content":" "}'
	[ ! -e .co-cli/knowledge/memories ]
	rm -rf .co-cli
	run -2 co-memory-save --tag=a,b <<<x
	[ ! -e .co-cli ]
}

@test "git ignores drafts, trash and temporary files of a killed save" {
	save
	save draft --draft
	co-memory-remove 1
	grep -qxF '.co-tmp*' .co-cli/.gitignore
	[ "$(cat $drafts/.gitignore)" = '*' ]
	[ "$(cat $trash/.gitignore)" = '*' ]
	rm $drafts/.gitignore
	save another --draft
	[ "$(cat $drafts/.gitignore)" = '*' ]
	git init -q . 2>/dev/null || skip "git is missing"
	: >.co-cli/knowledge/.co-tmp-0123456789abcdef
	[ -z "$(git status --porcelain -uall | grep -v -e gitignore -e settings)" ]
}

@test "a .co-cli that is a link or a file is refused with an error" {
	mkdir elsewhere
	ln -s elsewhere .co-cli
	run -3 co-memory-next-id
	expect <<<"co-memory-next-id: refusing '$PWD/.co-cli': it is a link"
	run -3 save
	[ -z "$(ls -A elsewhere)" ]
	rm .co-cli
	echo x >.co-cli
	run -3 co-memory-next-id
	expect <<<"co-memory-next-id: refusing '$PWD/.co-cli': it is not a directory"
}

@test "a project of another user is refused with an error" {
	mkdir .co-cli
	chown 12345 .co-cli 2>/dev/null || skip "only root can give folders away"
	run -4 co-memory-next-id
	expect <<<"co-memory-next-id: refusing '$PWD/.co-cli': it belongs to another user; to trust it add '$PWD' to \"safe.directory\" in your settings.json"
	SUDO_UID=12345 run -0 co-memory-next-id
	SUDO_UID=12345x run -4 co-memory-next-id
}

@test "the user store is below XDG_CONFIG_HOME, else below HOME" {
	run -0 --separate-stderr save a --global
	expect <<<"$HOME/.config/co-cli/knowledge/memories/001-a.md"
	export XDG_CONFIG_HOME=$BATS_TEST_TMPDIR/xdg/deep
	run -0 --separate-stderr save b --global
	expect <<<"$XDG_CONFIG_HOME/co-cli/knowledge/memories/001-b.md"
	XDG_CONFIG_HOME=relative run -0 co-memory-next-id --global
	expect <<<2
	XDG_CONFIG_HOME='' run -0 co-memory-next-id --global
	expect <<<2
	unset HOME
	run -0 co-memory-next-id --global
	expect <<<2
	[ ! -e .co-cli ]
}

@test "without HOME the user store is an error, the project store is not" {
	unset HOME
	run -4 co-memory-next-id --global
	expect <<<"co-memory-next-id: cannot find your directories: neither HOME nor XDG_CONFIG_HOME is an absolute path"
	HOME=relative run -4 co-memory-next-id --global
	HOME='' run -4 co-memory-next-id --global
	run -0 co-memory-next-id
}

@test "the user store may be reached through links" {
	mkdir -p "$BATS_TEST_TMPDIR/dotfiles"
	ln -s "$BATS_TEST_TMPDIR/dotfiles" "$HOME/.config"
	run -0 --separate-stderr save a --global
	expect <<<"$HOME/.config/co-cli/knowledge/memories/001-a.md"
	[ -e "$BATS_TEST_TMPDIR/dotfiles/co-cli/knowledge/memories/001-a.md" ]
}

@test "files of the user store are private, project files follow the umask" {
	umask 022
	save a --global
	[ "$(stat -c %a "$global" "$global/knowledge/memories" \
		"$global/knowledge/memories/001-a.md" | xargs)" = '700 700 600' ]
	save a
	[ "$(stat -c %a .co-cli $memories $memories/001-a.md | xargs)" = \
		'755 755 644' ]
	umask 077
	save b
	[ "$(stat -c %a $memories/002-b.md)" = 600 ]
	umask 000
	save c
	[ "$(stat -c %a $memories/003-c.md)" = 666 ]
	save c --global
	[ "$(stat -c %a "$global/knowledge/memories/002-c.md")" = 600 ]
}

@test "paths with newlines, blanks and quotes work" {
	local odd=$PWD/$'a\nb \'c\' *'
	mkdir "$odd"
	cd "$odd"
	save
	co-memory-save -z <<<two >"$BATS_TEST_TMPDIR/out"
	printf '%s\0' "$odd/$memories/002-two.md" |
		cmp - "$BATS_TEST_TMPDIR/out"
	co-memory-remove -z 1 2 | co-memory-restore -z >"$BATS_TEST_TMPDIR/out"
	[ "$(tr -dc '\0' <"$BATS_TEST_TMPDIR/out" | wc -c)" -eq 2 ]
	[ -e $memories/001-hello.md ]
}

@test "a deleted working directory is an error" {
	mkdir gone
	cd gone
	rmdir ../gone
	run -4 co-memory-next-id
	expect <<<"co-memory-next-id: the working directory was deleted: start again in one that exists"
	run -4 co-transcript-list
	expect <<<"co-transcript-list: the working directory was deleted: start again in one that exists"
	run -0 co-memory-next-id --global
}
