#!/usr/bin/env bats
# Programs that a server runs beside its work.
load lib

@test "input, output, status and limits of a program are kept" {
	run -0 "$CO_BIN/../t/unit/sys/process"
	expect </dev/null
}

@test "an editor has the signals of the keyboard, and the program has its own back" {
	run -0 "$CO_BIN/../t/unit/sys/editor"
	expect </dev/null
}
