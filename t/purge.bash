# purge.bash: tests of what must be nowhere; behind lib.bash.

# purge_world: as world, in a repository of git's that has a memory; $word is what
# must go, $slug what a name makes of it, $gitlog the operation log.
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

# nowhere: no file has it, by its text or its name, and git has no object of it.
nowhere() {
	run ! grep -rqaFie "$word" -e "$slug" "$HOME" . --exclude-dir=objects
	run ! bash -c 'find "$HOME" . | grep -iFe "$1"' _ "$slug"
	run ! bash -c 'git cat-file --batch-all-objects --batch |
		grep -aqFie "$1" -e "$2"' _ "$word" "$slug"
}
