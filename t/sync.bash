# t/sync.bash: machines that sync through one remote. Load it after git.bash.

# on MACHINE COMMAND...: run COMMAND as the user of MACHINE, outside any project.
on() (
	export HOME=$BATS_TEST_TMPDIR/$1
	unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME
	mkdir -p "$HOME/away"
	cp -n "$BATS_TEST_TMPDIR/gitconfig" "$HOME/.gitconfig"
	cd "$HOME/away" || return
	shift
	"$@"
)

# known MACHINE: print the ids and texts of its user store.
known() {
	on "$1" co memory-list --global --format='%(id) %(content)' | sort -n
}

# sync_world: make a world with git and an empty remote.
sync_world() {
	git_world
	cp "$HOME/.gitconfig" "$BATS_TEST_TMPDIR/gitconfig"
	hub=$BATS_TEST_TMPDIR/hub.git
	git init -q --bare "$hub"
}

# machines NAME...: connect each machine to the remote.
machines() {
	for m; do
		on "$m" co setup git --user -y -q "$hub" 2>/dev/null
	done
}
