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

# A path, not a name: what begins at the root, or as a person may have named it.
named() {
	# shellcheck disable=SC2016
	! grep -E "(^co-[a-z-]*:|:) cannot [a-z ]* '([^/']|')" \
		"$BATS_TEST_TMPDIR/err"
}

# refused COMMAND...: with each of its calls refused, whatever it says names a path.
refused() {
	local name n
	for name in openat renameat2 linkat unlinkat fsync write mkdirat; do
		for ((n = 1; ; n++)); do
			rm -rf .co-cli "$HOME/.local/state" "$HOME/.cache"
			cp -R ../prepared .co-cli
			traced "$name" "$n" error=EIO "$@" || :
			grep -q INJECTED "$BATS_TEST_TMPDIR/trace" || break
			named || {
				echo "at $name $n of: $*"
				return 1
			}
		done
	done
}

@test "what a change is refused is told by its path" {
	prepared
	mv .co-cli ../prepared
	refused co-memory-save -q --replaces=1
	refused co-forget -y 1
	refused co-undo
	refused co-memory-remove --purge 1
}
