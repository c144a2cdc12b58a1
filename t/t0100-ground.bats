#!/usr/bin/env bats
# The library's ground, where no program reaches every branch.
load lib

@test "bytes, memory, tables, errors, UTF-8 and instants keep their contracts" {
	run -0 "$CO_BIN/../t/unit/base/ground"
	expect </dev/null
}

@test "values are equal where kind, order and every bit are" {
	run -0 "$CO_BIN/../t/unit/format/value"
	expect </dev/null
}
