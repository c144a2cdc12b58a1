#!/usr/bin/env bats
# The examples of the documentation are valid.
load lib

@test "the example contexts are valid and within their budgets" {
	local examples=$CO_SOURCE/Documentation/examples
	co-frontmatter-parse --check --type=context "$examples/context.md" \
		"$examples/global-context.md"
	mkdir -p .co-cli/knowledge "$global/knowledge"
	cp "$examples/context.md" .co-cli/knowledge/
	cp "$examples/global-context.md" "$global/knowledge/context.md"
	run -0 --separate-stderr co-context-load --strict
	[ "$stderr" = "" ]
	[[ $output == *'# Preferences'*'### Project Context'*'# Learned'* ]]
}

@test "a new context has the headings of the example" {
	local examples=$CO_SOURCE/Documentation/examples
	co-init >/dev/null
	diff <(grep '^#' "$examples/context.md") \
		<(grep '^#' .co-cli/knowledge/context.md)
	co-init --global >/dev/null
	diff <(grep '^#' "$examples/global-context.md") \
		<(grep '^#' "$global/knowledge/context.md")
}

@test "the example memory is valid and found" {
	local example=$CO_SOURCE/Documentation/examples/001-example.md
	co-frontmatter-parse --check --type=memory "$example"
	mkdir -p "$memories"
	cp "$example" "$memories/"
	run -0 co-memory-grep concurrency
	[ "$output" = "$PWD/$memories/001-example.md" ]
}
