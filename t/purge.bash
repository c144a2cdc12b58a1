# t/purge.bash: helpers for tests of purging. Load it after lib.bash.

# purge_world: make a world in a git repository with one memory. $word is the text to
# purge, $slug its form in file names, $gitlog the operation log.
purge_world() {
	world
	word='the launch code is 7Qx-Tulip-Harbour'
	slug=the-launch-code-is-7qx-tulip-harbour
	unset XDG_STATE_HOME
	git init -q -b main .
	git config user.name Ada
	git config user.email ada@example.org
	git config commit.gpgsign false
	git config gc.auto 0
	gitlog=.git/co-cli/.co-cli/log
	memory 1 2026-01-01T00:00:00Z '' <<<'Another one, that stays.'
	commit base
}

# nowhere: check that no file has the text or the slug in its content or name, and that
# no git object has them.
nowhere() {
	run ! grep -rqaFie "$word" -e "$slug" "$HOME" . --exclude-dir=objects
	run ! bash -c 'find "$HOME" . | grep -iFe "$1"' _ "$slug"
	run ! bash -c 'git cat-file --batch-all-objects --batch |
		grep -aqFie "$1" -e "$2"' _ "$word" "$slug"
}
