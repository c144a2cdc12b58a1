#!/usr/bin/env bats
# Searching text.
load lib

@test "patterns are matched within limits, in every script" {
	run -0 timeout 600 "$CO_BIN/../t/unit/text/match"
	expect </dev/null
}

@test "a text that means itself is found where a plain loop finds it" {
	run -0 "$CO_BIN/../t/unit/text/literal"
	expect </dev/null
}
