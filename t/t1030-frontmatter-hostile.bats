#!/usr/bin/env bats
# Expensive YAML: every input is answered quickly or refused.
load lib

# times N TEXT: print TEXT N times.
times() {
	head -c "$(($1 * ${#2}))" < <(yes -- "$2" | tr -d '\n')
}

# answered STATUS [TEXT]: check that the YAML on standard input gives STATUS and the
# message TEXT, within a minute of processor time and 64 MiB.
answered() {
	{ printf -- '---\n' && cat && printf -- '\n---\nbody\n'; } >x.md
	# shellcheck disable=SC2016
	run "-$1" sh -c 'ulimit -t 60; [ -n "$SAN" ] || ulimit -v 65536
		exec co-frontmatter-parse --check x.md'
	[[ $output == *"${2-}"* ]]
}

setup() {
	world
	case $CO_BIN in */san/*) export SAN=1 ;; esac
}

@test "deep nesting is refused" {
	{ printf 'a: ' && times 60000 '['; } | answered 3 'nested deeper than 8'
	{ printf 'a: ' && times 15000 '{a: '; } | answered 3 'nested deeper than 8'
	{ printf 'a:\n  ' && times 30000 '- '; } | answered 3 'nested deeper than 8'
	times 30000 '? ' | answered 3 'a key must be a scalar'
	printf 'a: {b: {c: {d: {e: {f: {g: {h: 1}}}}}}}' | answered 0
	printf 'a: {b: {c: {d: {e: {f: {g: {h: []}}}}}}}' | answered 3 2:32
}

@test "aliases that expand to too much are refused" {
	{ printf 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]'; } |
		answered 3 "alias 'a' names a list or map"
	{ printf 'a: &a ' && times 30000 x && printf '\nb: [' &&
		times 8000 '*a ,' && printf ']'; } |
		answered 3 'aliases expand to more than 64 KiB'
	for i in $(seq 3000); do printf 'k%d: &a%d x\n' "$i" "$i"; done |
		answered 3 'more than 64 anchors'
}

# bats test_tags=slow
@test "a duplicate among 9000 keys is found quickly" {
	for i in $(seq 9000); do printf 'k%d:\n' "$i"; done >keys
	answered 0 <keys
	{ cat keys && printf 'k1:'; } | answered 3 "9002:1: Invalid YAML in frontmatter: key 'k1' is given twice"
}

@test "long lists, lines, keys, quotes and comments are read or refused" {
	{ printf 'a: [' && times 30000 'b,' && printf ']'; } | answered 0
	{ printf 'a: [' && times 20000 '{},' && printf ']'; } | answered 0
	{ printf 'a: [' && times 12000 'a: b,' && printf ']'; } | answered 0
	{ printf 'a: ' && times 30000 'b '; } | answered 0
	{ times 60000 a && printf ': b'; } | answered 3
	{ printf 'a: "' && times 15000 '\x41' && printf '"'; } | answered 0
	{ printf 'a: "' && yes x | head -n 30000; } | answered 3
	yes '#' | head -n 30000 | answered 0
	{ printf 'a: |\n' && yes ' x' | head -n 20000; } | answered 0
	{ printf 'a: b\n' && yes ' c' | head -n 20000; } | answered 0
	for i in $(seq 3000); do printf '%%TAG !a%d! !b\n' "$i"; done | answered 3
}

@test "frontmatter of more than 64 KiB is refused" {
	{ printf 'a: ' && times 65532 x; } | answered 0
	{ printf 'a: ' && times 65533 x; } |
		answered 3 "'x.md':1:1: Invalid YAML in frontmatter: larger than 64 KiB"
}

@test "a large header that never closes is body" {
	{ printf -- '---\n' && yes -- '--- ' | head -c 1048000 | tr ' ' x; } >x.md
	run -0 co-frontmatter-parse --check x.md
}
