#!/usr/bin/env bats
# What needs the Unicode tables.
load lib

@test "folding, slugs and classes of characters are right for every script" {
	run -0 timeout 600 "$CO_BIN/../t/unit/base/unicode"
	expect </dev/null
}
