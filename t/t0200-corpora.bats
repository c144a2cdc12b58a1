#!/usr/bin/env bats
# What fuzzers found, and what they begin with, played to every build.
load lib

@test "what every fuzzer holds, holds for its kept inputs" {
	for fuzzer in "$CO_SOURCE"/t/fuzz/*/*.c; do
		name=${fuzzer#"$CO_SOURCE"/t/fuzz/} name=${name%.c}
		timeout 600 "$CO_BIN/../t/fuzz/$name" \
			"$CO_SOURCE/t/fuzz/corpus/$name" >out 2>&1 || {
			echo "$name: status $?"
			tail -n 3 out
		}
	done >wrong
	diff -u /dev/null wrong
}
