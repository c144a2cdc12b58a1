#!/usr/bin/env bats
# The line that counts while a command takes long.
load lib
load terminal

saved() {
	find .co-cli -name '*-memory-*.md' | wc -l
}

# slowly N: print N memories, each half a second after the one before was saved.
slowly() {
	there=$(saved)
	for i in $(seq "$1"); do
		until [ $(($(saved) - there)) -ge $((i - 1)) ]; do
			sleep 0.1
		done
		[ "$i" = 1 ] || sleep 0.6
		printf '{"content": "memory %s"}\n' "$i"
	done
}

setup() {
	world
	declare -f saved slowly >slowly
	export TERM=xterm
	co-init >/dev/null
}

@test "a command that takes over a second counts lines, only on a terminal" {
	need_terminal
	terminal 0 '' '. ./slowly; slowly 4 | co-memory-save --batch >paths'
	[[ $output =~ ^(([1-4])' lines'$'\e[K')+$'\e[K'$ ]]
	[ "$(wc -l <paths)" -eq 4 ]
	terminal 0 '' '. ./slowly; slowly 3 | co-memory-save --batch >paths 2>errors'
	[ -z "$output" ]
	[ ! -s errors ]
	TERM=dumb terminal 0 '' '. ./slowly; slowly 3 | co-memory-save --batch >paths'
	[ -z "$output" ]
}

@test "the counter does not mix with other output on the terminal" {
	need_terminal
	terminal 3 '' '. ./slowly; { slowly 4; echo x; } | co-memory-save --batch >paths'
	[[ $output == [1-5]$' lines\e[K'*$'\e[Kco-memory-save: '"'-':5:"* ]]
	terminal 0 '' '. ./slowly; slowly 4 | co-memory-save --batch'
	[[ $output == *$'\n4 lines\e[K\e[K/'*/*-memory-4.md ]]
}

@test "a progress bar is shown if the total is known" {
	need_terminal
	need_strace
	for i in 1 2 3 4 5 6; do
		memory $i 2026-01-01T00:00:00Z '' <<<"memory $i"
	done
	terminal 0 '' 'strace -o /dev/null -e trace=openat \
		-e inject=openat:delay_enter=270000:when=5+ co-knowledge-check'
	[[ $output == *[1-6]' of 6 memories [###'*$'\e[K'*'no faults found' ]]
}
