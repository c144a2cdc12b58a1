#!/usr/bin/env bats
# co-frontmatter-write: JSON becomes a document that reads back equal.
load lib

# same FILE: check that FILE is the same document after parse, write and parse.
same() {
	co-frontmatter-parse - <"$1" >before
	co-frontmatter-write before >written
	co-frontmatter-parse - <written | diff before -
}

@test "co-frontmatter-write writes the style that people use" {
	run -0 co-frontmatter-write <<-'END'
		{
		  "frontmatter": {
		    "id": 7, "created": "2026-02-09T14:30:00Z",
		    "tags": ["python", "to do"], "source": "user-told",
		    "empty": [], "none": {}, "null": null, "yes": true, "pi": 1.0,
		    "title": "one, two [three], what?",
		    "more": {"a": [1, {"b": "c", "d": [[]]}], "e": {"f": "g"}}
		  },
		  "body": "\nUser prefers async.\n"
		}
	END
	expect <<-'END'
		---
		id: 7
		created: 2026-02-09T14:30:00Z
		tags: [python, to do]
		source: user-told
		empty: []
		none: {}
		"null": null
		"yes": true
		pi: 1.0
		title: one, two [three], what?
		more:
		  a:
		    - 1
		    - b: c
		      d:
		        - []
		  e:
		    f: g
		---

		User prefers async.
	END
}

@test "strings are quoted only if some YAML reader needs it" {
	jq -n '{frontmatter: {a: [
		"async/await", "C++", "a b", "it'\''s", "1.2.3", "2026-02-09",
		"www.a.org:80", "https://a.org/#b", "say \"hi\"", "café", "日本",
		"C#", "-", "- a", "no", "On", "y", "~", "null", "true", "1", "1.0",
		"1e3", "0x10", "1_000", "12:30:45", "1:59", "010", ".inf", "=", "<<", "", " ",
		"a ", "a: b", "a:", "a #b", "#a", "a, b", "[a", "a}", "&a", "*a", "!a",
		"%a", "@a", "`a", "|", ">", "?", "'\''", "\"a\"", "a\\b: c",
		"a\nb", "a\tb", "\u0001", "\u0085", "\u2028", "\ufeff"
		]}, body: ""}' >x.json
	run -0 co-frontmatter-write x.json
	[ "${#lines[@]}" -eq 3 ]
	output=${lines[1]//, /$'\n'}
	expect <<-'END'
		a: [async/await
		C++
		a b
		it's
		1.2.3
		2026-02-09
		www.a.org:80
		https://a.org/#b
		say "hi"
		café
		日本
		C#
		"-"
		"- a"
		"no"
		"On"
		"y"
		"~"
		"null"
		"true"
		"1"
		"1.0"
		"1e3"
		"0x10"
		"1_000"
		"12:30:45"
		"1:59"
		"010"
		".inf"
		"="
		"<<"
		""
		" "
		"a "
		"a: b"
		"a:"
		"a #b"
		"#a"
		"a
		b"
		"[a"
		"a}"
		"&a"
		"*a"
		"!a"
		"%a"
		"@a"
		"`a"
		"|"
		">"
		"?"
		"'"
		'"a"'
		'a\b: c'
		"a\nb"
		"a\tb"
		"\x01"
		"\x85"
		"\u2028"
		"\uFEFF"]
	END
}

@test "parse and write give an equal document" {
	cat >a.md <<-'END'
		---
		zeta: 1   # comments go
		alpha: [1.0, 1e3, -0.0, "1", no, ~, 2026-02-09T14:30:00Z]
		? complex
		: - - deep
		    - x: |
		        lines

		        and lines
		"1": {}
		---

		body with --- and
		---
		inside: it
		---
	END
	same a.md
	printf -- '---\r\nid: 1\r\n---\r\nCRLF\r\nbody\0 and more, no newline' >b.md
	same b.md
	cmp <(sed 1,3d b.md) <(sed 1,3d written)
}

@test "a body keeps its bytes, whatever it looks like" {
	for body in '' '---\n' '---\na: 1\n---\n' '---\n---\n' '\n\n' '\xEF\xBB\xBFx' \
		'no newline' '\r\n' 'a\0b'; do
		# shellcheck disable=SC2059
		{ printf -- "$body" && echo; } >body
		{ printf -- '---\n---\n' && cat body; } >a.md
		same a.md
		{ printf -- '---\na: 1\n---\n' && cat body; } >a.md
		same a.md
		cmp a.md written
		same body
	done
}

@test "a document of 1 MB is parsed and written back unchanged" {
	{ printf -- '---\nid: 1\n---\n' && head -c 1048000 /dev/zero | tr '\0' '\001'; } >a.md
	same a.md
}

@test "YAML 1.1 readers read the same values" {
	python3 -c 'import yaml' 2>/dev/null || skip 'PyYAML is not there'
	cat >check.py <<-'END'
		import json, random, subprocess, sys, yaml

		class Loader(yaml.SafeLoader):
		    pass
		# Timestamps stay bare on purpose, and are strings to us.
		Loader.yaml_implicit_resolvers = {
		    c: [r for r in rs if not r[0].endswith(':timestamp')]
		    for c, rs in yaml.SafeLoader.yaml_implicit_resolvers.items()}

		dice = random.Random(1)
		words = '''y n yes No ON off true null ~ 1 1_0 0x1F 0b11 010 0o7 +1 -1 1. .5
		    1.5 1e3 1.5e+3 1:2 190:20:30.15 .inf -.inf .nan = << - -- --- ... ? :
		    # & * ! | > % @ ` [ ] { } , a b: :c #d 2026-02-09 é 日本 😀'''.split()
		words += ['', ' ', '"', "'", '\\', '\n', '\t', '\r', '\0', '\x1b',
		          '\x85', '\xa0', '\u2028', '\ufeff', '\u200c', '\x7f']

		def text():
		    return ''.join(dice.choice(words) for _ in range(dice.choice([1, 1, 1, 2, 3])))

		def key():
		    return text().replace('\0', '')

		def value(depth):
		    kind = dice.randrange(10 if depth else 7)
		    if kind == 0:
		        return dice.choice([None, True, False])
		    if kind == 1:
		        return dice.choice([0, -5, 2**63 - 1, 1.0, -0.5, 1e22, 1e-7, 5e-324])
		    if kind < 7:
		        return text()
		    if kind < 9:
		        return [value(depth - 1) for _ in range(dice.randrange(4))]
		    return {key(): value(depth - 1) for _ in range(dice.randrange(4))}

		for i in range(400):
		    data = {key(): value(4) for _ in range(5)}
		    doc = subprocess.run(['co-frontmatter-write'], check=True,
		        input=json.dumps({'frontmatter': data, 'body': ''}).encode(),
		        stdout=subprocess.PIPE).stdout.decode()
		    yml = doc[4:-4]
		    back = yaml.load(yml, Loader)
		    if repr(back) != repr(data):
		        sys.exit(f'{yml}\n{data!r}\n{back!r}')
	END
	run python3 check.py
	expect </dev/null
}

@test "co-frontmatter-write takes exactly one document" {
	one='{"frontmatter":{"id":1},"body":"x"}'
	run -3 co-frontmatter-write <<<"$one $one"
	expect <<<"co-frontmatter-write: '-':1:37: a second object; expected one document"
	run -3 co-frontmatter-write <<<$' \n '
	expect <<<"co-frontmatter-write: '-':3:1: expected a JSON object"
	printf '%s' "$one" >x.json
	run -2 co-frontmatter-write x.json x.json
	run -0 co-frontmatter-write x.json
}

@test "wrong input writes nothing and is reported with its position" {
	# wrong INPUT MESSAGE: check that INPUT fails with MESSAGE.
	wrong() {
		run -3 co-frontmatter-write <<<"$1"
		[ "$output" = "co-frontmatter-write: '-'$2" ] || {
			printf '%s\n' "$output"
			return 1
		}
	}
	wrong '{"frontmatter":{},"body":}' ":1:26: unexpected token near '}'"
	wrong $'{"frontmatter":{},\n "body":"a\tb"}' ":2:10: control character 0x9 near '\"a'"
	wrong '[]' ":1:1: expected an object with 'frontmatter' and 'body'"
	wrong $'\n  {"frontmatter":[],"body":""}' ":2:3: 'frontmatter' must be an object"
	wrong '{"body":""}' ":1:1: 'frontmatter' must be an object"
	wrong '{"frontmatter":{}}' ":1:1: 'body' must be a string"
	wrong '{"frontmatter":{},"body":1}' ":1:1: 'body' must be a string"
	wrong '{"frontmatter":{},"body":"","path":1}' ":1:1: 'path' must be a string"
	wrong '{"frontmater":{},"body":""}' ":1:1: expected no keys but 'path', 'frontmatter' and 'body'"
	wrong '{"frontmatter":{"a":1,"a":2},"body":""}' ":1:25: duplicate object key near '\"a\"'"
	wrong '{"frontmatter":{"a":99999999999999999999},"body":""}' \
		":1:40: too big integer near '99999999999999999999'"
	wrong '{"frontmatter":{"a":[[[[[[[[1]]]]]]]]},"body":""}' \
		': frontmatter is nested deeper than 8'
	run -3 co-frontmatter-write <<<'{"frontmatter":{"a":"\ud800"},"body":""}'
	run -4 co-frontmatter-write absent.json
}
