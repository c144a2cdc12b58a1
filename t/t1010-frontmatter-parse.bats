#!/usr/bin/env bats
# co-frontmatter-parse: the output for each kind of document.
load lib

memory_file() {
	cat >m.md <<-'END'
		---
		id: 1
		created: 2026-02-09T14:30:00Z
		tags: [python, "to do"]
		source: user-told
		---

		User prefers async.
		  Indented.

	END
}

@test "co-frontmatter-parse prints path, frontmatter and body as JSON" {
	cat >context.md <<-'END'
		---
		version: 1
		updated: 2026-02-09T14:30:00Z
		---

		# User
		- Name: Test
	END
	run -0 co-frontmatter-parse context.md
	expect <<-END
		{"path":"$PWD/context.md","frontmatter":{"version":1,"updated":"2026-02-09T14:30:00Z"},"body":"\n# User\n- Name: Test\n"}
	END
	run -0 co-frontmatter-parse --json ./context.md
	expect <<-END
		{"path":"$PWD/context.md","frontmatter":{"version":1,"updated":"2026-02-09T14:30:00Z"},"body":"\n# User\n- Name: Test\n"}
	END
}

@test "a document without frontmatter is all body" {
	printf '# Just markdown content' >a.md
	run -0 co-frontmatter-parse a.md
	expect <<-END
		{"path":"$PWD/a.md","frontmatter":{},"body":"# Just markdown content"}
	END
	run -0 co-frontmatter-parse --body a.md
	expect <<<'# Just markdown content'
}

@test "an unclosed header is body" {
	printf -- '---\nid: 1\n\ntext\n' >a.md
	run -0 co-frontmatter-parse a.md
	expect <<-END
		{"path":"$PWD/a.md","frontmatter":{},"body":"---\nid: 1\n\ntext\n"}
	END
}

@test "empty frontmatter, or only comments, gives an empty object" {
	printf -- '---\n---\n\nBody text.' >a.md
	printf -- '---\n# nothing\n\n---\nBody text.' >b.md
	run -0 co-frontmatter-parse a.md b.md
	expect <<-END
		{"path":"$PWD/a.md","frontmatter":{},"body":"\nBody text."}
		{"path":"$PWD/b.md","frontmatter":{},"body":"Body text."}
	END
}

@test "an empty document gives an empty object and an empty body" {
	: >a.md
	run -0 co-frontmatter-parse a.md
	expect <<<'{"path":"'"$PWD"'/a.md","frontmatter":{},"body":""}'
	run -0 co-frontmatter-parse --body a.md
	expect </dev/null
}

@test "--body prints the body without the header and outer blanks" {
	memory_file
	run -0 co-frontmatter-parse --body m.md
	expect <<-'END'
		User prefers async.
		  Indented.
	END
}

@test "--field prints the values of a field, one per line" {
	memory_file
	run -0 co-frontmatter-parse --field=tags m.md
	expect <<-'END'
		python
		to do
	END
	run -0 co-frontmatter-parse --field created m.md
	expect <<<2026-02-09T14:30:00Z
	run -0 co-frontmatter-parse --field=id m.md m.md
	expect <<-'END'
		1
		1
	END
}

@test "--field exits 1 and prints nothing if the field is missing" {
	memory_file
	run -1 co-frontmatter-parse --field=title m.md
	expect </dev/null
	printf 'no header\n' >n.md
	run -1 co-frontmatter-parse --field=id n.md m.md
	expect <<<1
}

@test "--field prints each kind of value" {
	cat >a.md <<-'END'
		---
		null: ~
		yes: true
		float: 1.0
		infinity: -.inf
		big: 18446744073709551618
		empty: []
		map: {a: [1, b]}
		mixed: [a, 1, [b], null]
		lines: |
		  one
		  two
		---
	END
	run -0 co-frontmatter-parse --field=null a.md
	expect <<<null
	run -0 co-frontmatter-parse --field=yes a.md
	expect <<<true
	run -0 co-frontmatter-parse --field=float a.md
	expect <<<1.0
	run -0 co-frontmatter-parse --field=infinity a.md
	expect <<<-.inf
	run -0 co-frontmatter-parse --field=big a.md
	expect <<<18446744073709551618
	run -0 co-frontmatter-parse --field=empty a.md
	expect </dev/null
	run -0 co-frontmatter-parse --field=map a.md
	expect <<<'{"a":[1,"b"]}'
	run -0 co-frontmatter-parse --field=mixed a.md
	expect <<-'END'
		a
		1
		["b"]
		null
	END
	run -0 co-frontmatter-parse --field=lines a.md
	expect <<-'END'
		one
		two
	END
}

@test "the document is standard input without operands or for -" {
	memory_file
	run -0 co-frontmatter-parse --field=id <m.md
	expect <<<1
	run -0 co-frontmatter-parse - <<<body
	expect <<<'{"path":"-","frontmatter":{},"body":"body\n"}'
}

@test "a malformed file does not stop the rest, and the worst status counts" {
	memory_file
	printf -- '---\na: [b\n---\n' >bad.md
	run -3 co-frontmatter-parse --field=id bad.md m.md
	expect <<-'END'
		co-frontmatter-parse: 'bad.md':3:1: Invalid YAML in frontmatter: did not find expected ',' or ']' while parsing a flow sequence
		1
	END
	run -4 co-frontmatter-parse --field=id bad.md absent.md m.md
	[ "${lines[2]}" = 1 ]
}

@test "CRLF and a BOM are accepted, and the body keeps its bytes" {
	printf '\xEF\xBB\xBF---\r\nid: 1\r\ntags: [a]\r\n---\r\n\r\none\r\ntwo\r\n' >a.md
	run -0 co-frontmatter-parse a.md
	expect <<-END
		{"path":"$PWD/a.md","frontmatter":{"id":1,"tags":["a"]},"body":"\r\none\r\ntwo\r\n"}
	END
}

@test "all of Unicode is printed, control characters as escapes" {
	printf -- '---\ntitle: "می‌خواهم 👩‍👩‍👧"\nmark: caf\xc3\xa9\n---\nनमस्ते\t\x1b[31m\x7f\xc2\x9b\x00\n' >a.md
	run -0 co-frontmatter-parse a.md
	expect <<-END
		{"path":"$PWD/a.md","frontmatter":{"title":"می‌خواهم 👩‍👩‍👧","mark":"café"},"body":"नमस्ते\t\u001b[31m\u007f\u009b\u0000\n"}
	END
}

@test "a body that is not UTF-8 fails as JSON, but --body prints it" {
	printf -- '---\nid: 1\n---\none\ntw\xff\n' >a.md
	run -3 co-frontmatter-parse a.md
	expect <<-'END'
		co-frontmatter-parse: 'a.md':5:3: JSON cannot hold text that is not UTF-8
	END
	co-frontmatter-parse --body a.md | cmp - <(printf 'one\ntw\xff\n')
}

@test "a value that JSON cannot hold is an error with its position" {
	printf -- '---\na:\n  b: .nan\n---\n' >a.md
	printf -- '---\na: 9223372036854775808\n---\n' >b.md
	printf -- '---\na: 9223372036854775807\n---\n' >c.md
	run -3 co-frontmatter-parse a.md b.md c.md
	expect <<-END
		co-frontmatter-parse: 'a.md':3:6: JSON cannot hold an infinity or NaN
		co-frontmatter-parse: 'b.md':2:4: JSON cannot hold an integer beyond 64 bits
		{"path":"$PWD/c.md","frontmatter":{"a":9223372036854775807},"body":""}
	END
	run -0 co-frontmatter-parse --check a.md b.md
}

@test "a path that is not UTF-8 fails as JSON, but works with --field" {
	name=$(printf 'a\xff.md')
	memory_file && mv m.md "$name"
	run -3 co-frontmatter-parse "$name"
	run -0 co-frontmatter-parse --field=id "$name"
	expect <<<1
}

@test "FIFOs, devices, directories and files over 1 MiB are refused" {
	mkfifo pipe
	mkdir folder
	head -c 1048577 /dev/zero | tr '\0' x >big.md
	run -3 timeout 60 co-frontmatter-parse --body pipe folder /dev/zero big.md
	expect <<-'END'
		co-frontmatter-parse: refusing 'pipe': it is not a regular file
		co-frontmatter-parse: refusing 'folder': it is not a regular file
		co-frontmatter-parse: refusing '/dev/zero': it is not a regular file
		co-frontmatter-parse: 'big.md' is larger than 1048576 bytes
	END
	head -c 1048576 big.md >less.md
	run -0 co-frontmatter-parse --check less.md
}

@test "conflicting options and an unknown type exit 2" {
	memory_file
	run -2 co-frontmatter-parse --json --body m.md
	run -2 co-frontmatter-parse --field=id --check m.md
	run -2 co-frontmatter-parse --type=none m.md
}

@test "co-frontmatter-parse reads a process substitution" {
	run -0 co-frontmatter-parse --field=id <(printf -- '---\nid: 3\n---\n')
	expect <<-'END'
		3
	END
}
