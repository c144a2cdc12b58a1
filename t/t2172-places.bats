#!/usr/bin/env bats
# An error of the system names the path that it is about.
load lib
load killed

setup() {
	world
	need_strace
	echo text >"$BATS_TEST_TMPDIR/in"
}

prepared() {
	co-init -q
	co-learn -q -t a one
	co-learn -q -t a two
	co-memory-remove -q 2
	co-article-save -q --source=https://example.org/a --title=a <<<text
} >/dev/null 2>&1

# refused COMMAND...: check that each error of COMMAND names a path that begins at the
# root, with each kind of call failing from the first one on. t/faults fails each single
# call of each command.
refused() {
	local name status
	for name in openat fsync renameat2; do
		rm -rf .co-cli "$HOME/.local/state" "$HOME/.cache"
		cp -R ../prepared .co-cli
		cp -R ../state "$HOME/.local/state"
		status=0
		traced "$name" 1+ error=EIO "$@" || status=$?
		! grep -E "(^co-[a-z-]*:|:) cannot [a-z ]* '([^/']|')" \
			"$BATS_TEST_TMPDIR/err" || return
		# A command that works without such a call reports nothing.
		[ "$status" -eq 0 ] && [ "$name" != openat ] ||
			grep -q ": cannot [a-z ]* '/" "$BATS_TEST_TMPDIR/err" ||
			return
	done
}

@test "an error of a change names an absolute path" {
	prepared
	mv .co-cli ../prepared
	mv "$HOME/.local/state" ../state
	refused co-memory-save -q --replaces=1
	refused co-forget -y 1
	refused co-undo
	refused co-memory-remove --purge 1
}
