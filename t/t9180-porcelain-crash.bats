#!/usr/bin/env bats
# Changes that the porcelain reports survive a loss of power. t/faults kills these
# commands at each system call.
load lib
load killed
load terminal

one_memory() {
	memory 1 2026-01-01T00:00:00Z a "$memories"/001-one.md <<<old
}

@test "porcelain commands sync their changes before they report them" {
	need_strace
	editor 'sed -i s/old/new/ "$1"'
	durably co-init
	one_memory
	durably co-edit 1
	[ "$(tail -n 1 "$memories"/001-one.md)" = new ]
	durably co-learn two
	durably co-learn --always three
	durably co-forget -y 2
	durably co-forget --undo
	memory 1 2026-01-02T00:00:00Z a "$memories"/001-two.md <<<two
	echo plain >"$memories"/plain.md
	durably co-knowledge-check --fix
}
