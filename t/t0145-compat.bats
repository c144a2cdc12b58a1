#!/usr/bin/env bats
# What systems have under different names, and what works on all of them.
load lib

@test "what works on every system works here" {
	run -0 "$CO_BIN/../t/unit/base/compat"
	expect </dev/null
}
