# sync.bash: machines that sync through one remote; after git.bash.

# on MACHINE COMMAND...: run it as the user of MACHINE, in no project.
on() (
	export HOME=$BATS_TEST_TMPDIR/$1
	unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME
	mkdir -p "$HOME/away"
	cp -n "$BATS_TEST_TMPDIR/gitconfig" "$HOME/.gitconfig"
	cd "$HOME/away" || return
	shift
	"$@"
)

# known MACHINE: the ids and texts of its user store.
known() {
	on "$1" co memory-list --global --format='%(id) %(content)' | sort -n
}

# sync_world: the world of a test file with git, and an empty remote.
sync_world() {
	git_world
	cp "$HOME/.gitconfig" "$BATS_TEST_TMPDIR/gitconfig"
	hub=$BATS_TEST_TMPDIR/hub.git
	git init -q --bare "$hub"
}

# machines NAME...: set each up with the remote.
machines() {
	for m; do
		on "$m" co setup git --user -y -q "$hub" 2>/dev/null
	done
}
