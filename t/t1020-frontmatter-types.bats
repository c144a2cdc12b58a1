#!/usr/bin/env bats
# How YAML scalars are typed, and which YAML is refused.
load lib

# types YAML...: print the frontmatter of the lines YAML as JSON.
types() {
	{
		echo ---
		printf '%s\n' "$@"
		echo ---
	} | co-frontmatter-parse | jq -c .frontmatter
}

# refused TEXT: set output to the error for the YAML TEXT, which printf expands.
refused() {
	# shellcheck disable=SC2059
	printf -- "---\n$1---\nbody\n" >x.md
	run -3 timeout 60 co-frontmatter-parse x.md
	output=${output#co-frontmatter-parse: \'x.md\':}
	output=${output/Invalid YAML in frontmatter: /}
}

@test "nulls, booleans and numbers follow YAML 1.2" {
	run -0 types 'a: ~' 'b: null' 'c: Null' 'd: NULL' 'e:' 'f: nULL'
	expect <<<'{"a":null,"b":null,"c":null,"d":null,"e":null,"f":"nULL"}'
	run -0 types 'a: true' 'b: True' 'c: FALSE' 'd: tRUE'
	expect <<<'{"a":true,"b":true,"c":false,"d":"tRUE"}'
	run -0 types 'a: 12' 'b: -7' 'c: +5' 'd: 010' 'e: 0o10' 'f: 0x1F'
	expect <<<'{"a":12,"b":-7,"c":5,"d":10,"e":8,"f":31}'
	run -0 types 'a: 1_000' 'b: 0b1' 'c: 0o8' 'd: 0xG' 'e: 1:30' 'f: -0x1'
	expect <<<'{"a":"1_000","b":"0b1","c":"0o8","d":"0xG","e":"1:30","f":"-0x1"}'
}

@test "floats stay floats" {
	printf -- '---\na: 1.0\nb: 1e3\nc: -.5\nd: 2.\ne: 0.1\nf: 1.2.3\ng: .\nh: 1e\n---\n' >x.md
	run -0 co-frontmatter-parse x.md
	expect <<<'{"path":"'"$PWD"'/x.md","frontmatter":{"a":1.0,"b":1000.0,"c":-0.5,"d":2.0,"e":0.1,"f":"1.2.3","g":".","h":"1e"},"body":""}'
}

@test "timestamps, yes, no, on and off stay strings as written" {
	run -0 types 'a: 2026-02-09T14:30:00Z' 'b: 2026-02-09' 'c: no' 'd: On' \
		'e: 2026-02-09 14:30:00.5 +09:00' 'tags: [no, on, y]'
	expect <<<'{"a":"2026-02-09T14:30:00Z","b":"2026-02-09","c":"no","d":"On","e":"2026-02-09 14:30:00.5 +09:00","tags":["no","on","y"]}'
}

@test "quoted scalars are strings" {
	run -0 types 'a: "1"' "b: 'true'" 'c: ""' "d: 'it''s'" 'e: "a\tb\u263A"'
	expect <<<'{"a":"1","b":"true","c":"","d":"it'\''s","e":"a\tb☺"}'
}

@test "keys are strings as written, in the order of the file" {
	run -0 types 'zeta: 1' '1: a' 'true: b' '"q k": c' '~: d' 'alpha: 2'
	expect <<<'{"zeta":1,"1":"a","true":"b","q k":"c","~":"d","alpha":2}'
}

@test "block, flow, literal and folded styles are read" {
	run -0 types 'a:' '  b:' '    - c' '    - d: [1, {e: f}]' 'g: |' '  x' \
		'  y' 'h: >-' '  x' '  y' 'i: one' '  two'
	expect <<<'{"a":{"b":["c",{"d":[1,{"e":"f"}]}]},"g":"x\ny\n","h":"x y","i":"one two"}'
}

@test "an alias of a scalar has the value of the scalar" {
	run -0 types 'a: &x 1.5' 'b: *x' 'c: [*x, &y "2", *y]'
	expect <<<'{"a":1.5,"b":1.5,"c":[1.5,"2","2"]}'
}

@test "a duplicate key is an error at any depth" {
	refused 'id: 1\ntags: []\nid: 2\n'
	expect <<<"4:1: key 'id' is given twice"
	refused 'a: {b: [{c: 1, d: 2, "c": 3}]}\n'
	expect <<<"2:22: key 'c' is given twice"
	refused '"a": 1\na: 1\n'
	expect <<<"3:1: key 'a' is given twice"
}

@test "frontmatter that is not a mapping is an error" {
	refused '- a\n'
	expect <<<'2:1: expected a mapping, found a list'
	refused 'just text\n'
	expect <<<'2:1: expected a mapping, found a scalar'
	refused 'id:2\n'
	expect <<<'2:1: expected a mapping, found a scalar'
	refused '~\n'
	expect <<<'2:1: expected a mapping, found a scalar'
}

@test "tags, directives, markers and more than one document are errors" {
	refused 'a: !x b\n'
	expect <<<'2:4: tags are not allowed'
	refused 'a: [!!str 1]\n'
	expect <<<'2:5: tags are not allowed'
	refused 'a: ! 1\n'
	expect <<<'2:4: tags are not allowed'
	refused 'a: &b # c\n  ! 1\n'
	expect <<<'2:4: tags are not allowed'
	refused '!!map {a: b}\n'
	expect <<<'2:1: tags are not allowed'
	refused 'a: !!python/object/apply:os.system [id]\n'
	expect <<<'2:4: tags are not allowed'
	refused '%%YAML 1.1\n--- {a: b}\n'
	expect <<<'2:1: directives are not allowed'
	refused '--- {a: b}\n'
	expect <<<'2:1: document markers are not allowed'
	refused 'a: b\n...\n'
	expect <<<'3:1: document markers are not allowed'
	refused 'a: b\n--- {c: d}\n'
	expect <<<'3:1: more than one document'
}

@test "keys that are not scalars are errors" {
	refused '[a]: b\n'
	expect <<<'2:1: a key must be a scalar'
	refused 'a: {{b: c}: d}\n'
	expect <<<'2:5: a key must be a scalar'
}

@test "an alias of a list, of a map or of nothing is an error" {
	refused 'a: &x [1]\nb: *x\n'
	expect <<<"3:4: alias 'x' names a list or map; only scalars have aliases"
	refused 'b: *x\n'
	expect <<<"2:4: alias 'x' names no anchor"
	refused 'a: &x {}\n<<: *x\n'
	expect <<<"3:5: alias 'x' names a list or map; only scalars have aliases"
}

@test "NULs, control characters and bytes that are not UTF-8 are errors" {
	refused 'a: b\nc: d\0e\n'
	expect <<<'3:5: a NUL byte'
	refused 'a: b\nc: é\xff\n'
	expect <<<'3:5: a byte that is not UTF-8'
	refused 'a: \xed\xa0\x80\n'
	expect <<<'2:4: a byte that is not UTF-8'
	refused 'a: \xc0\xaf\n'
	expect <<<'2:4: a byte that is not UTF-8'
	refused 'a: é\x07\n'
	expect <<<'2:5: control characters are not allowed'
}

@test "positions count characters of the whole file, but not the BOM" {
	printf '\xEF\xBB\xBF---\r\nt\xc3\xa9t\xc3\xa9: caf\xc3\xa9 \xf0\x9f\x98\x80\r\nx: \xe2\x80\x94 !a *b\r\n\xc3\xa9: *b\r\n---\r\n' >x.md
	run -3 co-frontmatter-parse x.md
	expect <<<"co-frontmatter-parse: 'x.md':4:4: Invalid YAML in frontmatter: alias 'b' names no anchor"
}

@test "a file in UTF-16 is all body" {
	printf -- '---\nid: 1\n---\nx' | iconv -t UTF-16LE >x.md
	run -0 co-frontmatter-parse --check x.md
	run -3 co-frontmatter-parse --check --type=memory x.md
	expect <<<"co-frontmatter-parse: 'x.md':1:1: Missing required field: id"
}
