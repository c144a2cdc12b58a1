#!/usr/bin/env bats
# The readers and writers of frontmatter and JSON, where no program reaches.
load lib

@test "the plain scanner agrees with libyaml on all that it accepts" {
	run -0 "$CO_BIN/../t/unit/format/yaml-fast"
	expect </dev/null
}

@test "every value that is written reads back equal, as YAML and as JSON" {
	run -0 "$CO_BIN/../t/unit/format/roundtrip" 5000
	expect </dev/null
}

@test "documents are split, placed, edited and joined as promised" {
	run -0 "$CO_BIN/../t/unit/format/frontmatter"
	expect </dev/null
}
