#!/usr/bin/env bats
# What a terminal and a prompt may see.
load lib

@test "hostile text is made visible and honest text goes through whole" {
	run -0 timeout 600 "$CO_BIN/../t/unit/text/sanitize"
	expect </dev/null
}
