#!/usr/bin/env bats
# co-frontmatter-parse --check --type: the fields that each kind of file needs.
load lib

# faults TYPE LINE...: print the faults of a file of TYPE with the frontmatter LINEs.
# Return 0 if there are none.
faults() {
	local type=$1
	shift
	{
		echo ---
		printf '%s\n' "$@"
		echo ---
	} >x.md
	co-frontmatter-parse --check --type="$type" x.md 2>&1 |
		sed "s/^co-frontmatter-parse: 'x.md'://"
	return "${PIPESTATUS[0]}"
}

at='2026-02-09T14:30:00Z'

@test "a valid context passes" {
	run -0 faults context 'version: 1' "updated: $at"
	expect </dev/null
	run -0 faults context "updated: '$at'" 'version: 1' 'more: true'
}

@test "a context needs a version" {
	run -3 faults context "updated: $at"
	expect <<<'1:1: Missing required field: version'
}

@test "a context's version must be an integer" {
	run -3 faults context 'version: "1"' "updated: $at"
	expect <<<"2:10: Field 'version' must be integer"
	run -3 faults context 'version: true' "updated: $at"
	expect <<<"2:10: Field 'version' must be integer"
	run -3 faults context 'version: 1.0' "updated: $at"
	expect <<<"2:10: Field 'version' must be integer"
}

@test "a context's version must be 1" {
	run -3 faults context 'version: 2' "updated: $at"
	expect <<<'2:10: Unsupported version: 2 (expected 1)'
	run -3 faults context 'version: 99999999999999999999' "updated: $at"
	expect <<<'2:10: Unsupported version: 99999999999999999999 (expected 1)'
}

@test "a context needs the time of its last update" {
	run -3 faults context 'version: 1'
	expect <<<'1:1: Missing required field: updated'
}

@test "a context's time of update must be ISO 8601" {
	run -3 faults context 'version: 1' 'updated: not-a-timestamp'
	expect <<<"3:10: Field 'updated' must be ISO8601 format: not-a-timestamp"
}

@test "a valid memory passes" {
	run -0 faults memory 'id: 1' "created: $at" 'tags: [python, style]' \
		'source: user-told'
	expect </dev/null
	run -0 faults memory 'id: 999999999' 'created: "2026-02-09T14:30:00+01:00"' \
		'tags: []' 'source: ""' 'free: {a: [1, null]}'
}

@test "a memory needs only id and created" {
	run -0 faults memory 'id: 1' "created: $at"
}

@test "a memory needs an id" {
	run -3 faults memory "created: $at"
	expect <<<'1:1: Missing required field: id'
	printf 'no header\n' >x.md
	run -3 co-frontmatter-parse --check --type=memory x.md
	expect <<<"co-frontmatter-parse: 'x.md':1:1: Missing required field: id"
}

@test "a memory's id must be a positive decimal integer" {
	for id in '"1"' not-an-int true 0 -1 +1 0x10 0o7 1_000 2.0 1e1 1000000000 \
		18446744073709551618 null '[1]' '&a 1' ''; do
		run -3 faults memory "id: $id" "created: $at"
		[[ $output == "2:"*": Field 'id' must be integer" ]]
	done
	run -3 faults memory 'x: &a 1' 'id: *a' "created: $at"
	expect <<<"3:5: Field 'id' must be integer"
	run -0 faults memory 'id: 007' "created: $at"
}

@test "a memory needs a creation time" {
	run -3 faults memory 'id: 1'
	expect <<<'1:1: Missing required field: created'
}

@test "a memory's creation time must be ISO 8601 with an existing date" {
	run -3 faults memory 'id: 1' 'created: 2026-02-30T14:30:00Z'
	expect <<<"3:10: Field 'created' must be ISO8601 format: 2026-02-30T14:30:00Z"
	run -3 faults memory 'id: 1' 'created: 2026-02-09'
	expect <<<"3:10: Field 'created' must be ISO8601 format: 2026-02-09"
	run -3 faults memory 'id: 1' 'created: 20260209'
	expect <<<"3:10: Field 'created' must be string"
	for when in 2026-02-09T14:30:00 2026-02-09T14:30:00.123456+00:00; do
		run -0 faults memory 'id: 1' "created: $when"
	done
}

@test "a memory's tags must be a list" {
	run -3 faults memory 'id: 1' "created: $at" 'tags: not-a-list'
	expect <<<"4:7: Field 'tags' must be list"
	run -3 faults memory 'id: 1' "created: $at" 'tags:'
	expect <<<"4:6: Field 'tags' must be list"
	run -3 faults memory 'id: 1' "created: $at" 'tags: {a: b}'
	expect <<<"4:7: Field 'tags' must be list"
}

@test "all tags must be strings, such as no and on" {
	run -3 faults memory 'id: 1' "created: $at" 'tags: ["valid", 123]'
	expect <<<'4:17: All tags must be strings'
	run -3 faults memory 'id: 1' "created: $at" 'tags:' '  - a' '  - 1.0'
	expect <<<'6:5: All tags must be strings'
	run -0 faults memory 'id: 1' "created: $at" 'tags: [no, on, "1.0"]'
}

@test "a memory's source must be a string" {
	run -3 faults memory 'id: 1' "created: $at" 'source: 123'
	expect <<<"4:9: Field 'source' must be string"
	run -3 faults memory 'id: 1' "created: $at" 'source: null'
	expect <<<"4:9: Field 'source' must be string"
}

@test "an article needs a source, a fetch time and a title" {
	run -0 faults article 'source: https://docs.python.org/3/' "fetched: $at" \
		'title: "asyncio — Asynchronous I/O"' 'tags: [python, async]' \
		'attachment: attachments/rfc-9110.pdf'
	expect </dev/null
	run -3 faults article "fetched: $at" 'title: x'
	expect <<<'1:1: Missing required field: source'
	run -3 faults article 'source: x' 'title: x'
	expect <<<'1:1: Missing required field: fetched'
	run -3 faults article 'source: x' "fetched: $at"
	expect <<<'1:1: Missing required field: title'
	run -3 faults article 'source: x' "fetched: $at" 'title: 1'
	expect <<<"4:8: Field 'title' must be string"
	run -3 faults article 'source: x' "fetched: $at" 'title: x' 'tags: x'
	expect <<<"5:7: Field 'tags' must be list"
	run -3 faults article 'source: x' "fetched: $at" 'title: x' 'attachment: [x]'
	expect <<<"5:13: Field 'attachment' must be string"
	for path in ../../../etc/passwd /etc/passwd a/../b .. '""' a/..; do
		run -3 faults article 'source: x' "fetched: $at" 'title: x' \
			"attachment: $path"
		expect <<<"5:13: Field 'attachment' must be a path in the store"
	done
	run -0 faults article 'source: x' "fetched: $at" 'title: x' \
		'attachment: attachments/..a/b..'
}

@test "--check without a type checks only the YAML and prints nothing" {
	printf -- '---\nid: x\n---\nbody\n' >x.md
	run -0 co-frontmatter-parse --check x.md
	expect </dev/null
	printf -- '---\na: [b\n---\nbody\n' >x.md
	run -3 co-frontmatter-parse --check x.md
	run -0 --separate-stderr co-frontmatter-parse --check x.md || true
	[ -z "$output" ]
}

@test "--type checks the fields with every output option" {
	printf -- '---\nid: x\n---\nbody\n' >x.md
	printf -- '---\nid: 1\ncreated: %s\n---\nbody\n' "$at" >y.md
	run -3 co-frontmatter-parse --body --type=memory x.md y.md
	expect <<-'END'
		co-frontmatter-parse: 'x.md':2:5: Field 'id' must be integer
		body
	END
}
