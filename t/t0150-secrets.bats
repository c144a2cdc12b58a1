#!/usr/bin/env bats
# The shapes of secrets.
load lib

@test "every rule finds its secret, and honest text passes" {
	run -0 timeout 600 "$CO_BIN/../t/unit/text/secrets"
	expect </dev/null
}
