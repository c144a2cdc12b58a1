# t/terminal.bash: helpers for programs on a terminal.

need_terminal() {
	"$CO_BIN/../t/tool/sys/pty" true </dev/null >/dev/null 2>&1 ||
		skip "there are no terminals to be had"
}

# terminal STATUS TYPED COMMAND: run COMMAND, a line of sh, on a terminal where TYPED is
# typed, and check its exit status. $output is the screen without carriage returns. What
# follows a \001 in TYPED is typed once the screen ends in a question.
terminal() {
	local status=0
	printf '%b' "$2" | "$CO_BIN/../t/tool/sys/pty" "$3" >screen || status=$?
	output=$(tr -d '\r' <screen)
	rm -f screen
	[ "$status" -eq "$1" ] || {
		printf 'status %d instead of %d:\n%s\n' "$status" "$1" "$output"
		return 1
	}
}

# editor LINE...: set EDITOR to a sh script of these lines, which gets the file as $1.
editor() {
	printf '#!/bin/sh\n' >"$HOME/editor"
	printf '%s\n' "$@" >>"$HOME/editor"
	chmod +x "$HOME/editor"
	export EDITOR="'$HOME/editor'"
}
