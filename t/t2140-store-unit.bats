#!/usr/bin/env bats
# The store's library, where no program reaches every branch.
load lib

part() {
	run -0 "$CO_BIN/../t/unit/store/store" "$1"
	expect </dev/null
}

@test "an undo brings the newest removal back whole, drafts as drafts" {
	part undo
}

@test "an undo finds ids and names for what has lost its own" {
	part undo-taken
}

@test "a text is replaced if it has not changed, by a valid one alone" {
	part replace
}

@test "an equal memory is found, blanks at the ends aside" {
	part equal
}

@test "a root is hidden from git, once, in linked work trees too" {
	part exclude
}

@test "files are read within limits and never go over each other" {
	part file
}

@test "an id that a file or a purged memory has is not drawn, wherever it is" {
	part draw
}
