#!/usr/bin/env bats
# What the system refuses is told with the path of what it was refused for, so that
# whoever reads it knows where to look.
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

# refused COMMAND...: whatever it says it cannot do names a path that begins at the
# root, once for each call that is refused from then on; t/faults refuses each call
# of each command once.
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
		# What does without such a call says nothing.
		[ "$status" -eq 0 ] && [ "$name" != openat ] ||
			grep -q ": cannot [a-z ]* '/" "$BATS_TEST_TMPDIR/err" ||
			return
	done
}

@test "what a change is refused is told by its path" {
	prepared
	mv .co-cli ../prepared
	mv "$HOME/.local/state" ../state
	refused co-memory-save -q --replaces=1
	refused co-forget -y 1
	refused co-undo
	refused co-memory-remove --purge 1
}
