#!/usr/bin/env bats
# co-memory-save --batch: JSON lines.
load lib

setup() {
	world
	mkdir .co-cli
}

@test "each line is saved as a memory, and its path is printed" {
	run -0 co-memory-save --batch <<-'EOT'
		{"content":" one ","tags":["a","b"],"source":"agent-inferred","created":"2026-01-01T09:00:00+09:00"}
		{"content":"two\nlines","tags":null,"source":null,"created":null}

		{"content":"drei"}
	EOT
	expect <<-EOT
		$PWD/$memories/001-one.md
		$PWD/$memories/002-two-lines.md
		$PWD/$memories/003-drei.md
	EOT
	run -0 cat $memories/001-one.md $memories/002-two-lines.md
	expect <<-'EOT'
		---
		id: 1
		created: 2026-01-01T00:00:00Z
		tags: [a, b]
		source: agent-inferred
		---

		one
		---
		id: 2
		created: 2026-02-09T14:30:00Z
		tags: []
		source: user-told
		---

		two
		lines
	EOT
}

@test "free keys are copied into the frontmatter" {
	co-memory-save --batch <<<'{"replaces":[1,"2"],"content":"x","certainty":0.5,"pin":true,"deep":{"a":{"b":[null]}},"n":"007","id":9,"path":"/etc/passwd","scope":"global","summary":"s"}'
	run -0 bash -c "co-frontmatter-parse --json $memories/001-x.md |
		jq -c .frontmatter"
	expect <<<'{"id":1,"created":"2026-02-09T14:30:00Z","tags":[],"source":"user-told","replaces":[1,"2"],"certainty":0.5,"pin":true,"deep":{"a":{"b":[null]}},"n":"007"}'
}

@test "options of the command line apply where a line sets nothing" {
	co-memory-save --batch -t all --source=import <<-'EOT'
		{"content":"one","tags":["a","all","b c"]}
		{"content":"two","source":"web-fetched"}
	EOT
	run -0 grep -h -e ^tags -e ^source $memories/001-one.md \
		$memories/002-two.md
	expect <<-'EOT'
		tags: [a, all, b-c]
		source: import
		tags: [all]
		source: web-fetched
	EOT
}

@test "a bad line is reported with its number, and the rest is saved" {
	run -3 --separate-stderr co-memory-save --batch <<-'EOT'
		{"content":"one"}
		{"content"
		[1]
		{"tags":["x"]}
		{"content":"a","tags":"x"}
		{"content":"a","tags":[1]}
		{"content":"a","tags":["x,y"]}
		{"content":"a","created":"never"}
		{"content":5}
		{"content":"\u0000"}
		{"content":"a","source":["x"]}
		{"content":"a","created":"2026-01-01T00:00:00Z\u0000"}
		{"content":"a","a":1,"a":2}
		{"content":"  "}
		{"content":"two"}
	EOT
	expect <<-EOT
		$PWD/$memories/001-one.md
		$PWD/$memories/002-two.md
	EOT
	# The reader of JSON words its own errors.
	output=$(sed "s/^co-memory-save: //
		s/^\('-':[0-9]*\):[0-9]*:.*/\1: JSON/" <<<"$stderr")
	expect <<-'EOT'
		'-':2: JSON
		'-':3: not a JSON object
		'-':4: Missing required field: content
		'-':5: Field 'tags' must be list
		'-':6: All tags must be strings
		'-':7: a tag has no blanks, commas, brackets, quotes or hidden characters: 'x,y'
		'-':8: Field 'created' must be ISO8601 format: never
		'-':9: Field 'content' must be string
		'-':10: the content has a NUL byte
		'-':11: Field 'source' must be string
		'-':12: Field 'created' has a NUL
		'-':13: JSON
		'-':14: nothing to save: empty content
	EOT
}

@test "a free key with an overflow or deep nesting is refused" {
	run -3 co-memory-save --batch <<<'{"content":"x","a":1e999}'
	run -3 co-memory-save --batch <<<"{\"content\":\"x\",\"a\":$(
		printf '[%.0s' {1..20})1$(printf ']%.0s' {1..20})}"
	[ ! -e $memories ] || [ -z "$(ls $memories)" ]
}

@test "the last line needs no newline, and CRLF is accepted" {
	printf '{"content":"a"}\r\n\r\n{"content":"b"}' |
		co-memory-save --batch >"$BATS_TEST_TMPDIR/out"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -eq 2 ]
	run -0 co-memory-save --batch </dev/null
	expect </dev/null
}

@test "records of one store can be saved in another" {
	co-memory-save -t a -t b --created=2025-01-01T00:00:00Z <<<$'one\n\nmore'
	co-memory-save --source=web-fetched <<<two
	co-memory-list | co-memory-show --json |
		co-memory-save --batch --global >/dev/null 2>&1
	for file in $memories/*.md; do
		cmp <(grep -v ^id: "$file") \
			<(grep -v ^id: "$global/knowledge/memories/"*"${file#*/00?}" ||
				cat "$global/knowledge/memories/"*-"${file##*-}" |
				grep -v ^id:)
	done
}

@test "a batch of 200 lines reads the directory only a few times" {
	for i in {1..200}; do
		printf '{"content":"memory number %d","tags":["t%d"]}\n' "$i" "$i"
	done >"$BATS_TEST_TMPDIR/in"
	co-memory-save --batch <"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -eq 200 ]
	[ "$(co-memory-next-id)" = 201 ]
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/out")" = \
		"$PWD/$memories/200-memory-number-200.md" ]
	need_strace
	strace -f --seccomp-bpf -qq -y -e trace=getdents64,getdents -o "$BATS_TEST_TMPDIR/trace" \
		co-memory-save --batch <"$BATS_TEST_TMPDIR/in" >/dev/null
	[ "$(grep -c "/$memories>" "$BATS_TEST_TMPDIR/trace")" -le 20 ]
}

@test "an error that affects every line ends the batch" {
	run -4 bash -c 'ulimit -f 1; for i in 1 2 3; do
		echo "{\"content\":\"$(printf "x%.0s" {1..3000})\"}"
		done | co-memory-save --batch'
	# Programs that are built for coverage print errors of their own.
	output=$(grep '^co-' <<<"$output")
	[ "$(wc -l <<<"$output")" -eq 1 ]
	[[ $output == *": File too large" ]]
}

@test "options for a single memory are refused with --batch" {
	run -2 co-memory-save --batch --replaces=1 </dev/null
	run -2 co-memory-save --batch --created=2026-01-01T00:00:00Z </dev/null
}

@test "--batch --json prints one object per line" {
	run -0 bash -c 'printf "%s\n" "{\"content\":\"a\"}" "{\"content\":\"b\"}" |
		co-memory-save --batch --json --draft | jq -c .memory_id'
	expect <<<$'1\n2'
}

@test "a line over 16 MiB is reported, and the rest is saved" {
	{
		echo '{"content":"one"}'
		head -c 17000000 /dev/zero | tr '\0' x
		printf '\n%s\n' '{"content":"two"}'
		head -c 17000000 /dev/zero | tr '\0' x
	} >in
	run -3 --separate-stderr co-memory-save --batch <in
	expect <<-EOT
		$PWD/$memories/001-one.md
		$PWD/$memories/002-two.md
	EOT
	output=$stderr
	expect <<-'EOT'
		co-memory-save: '-':2: the line is longer than 16777216 bytes
		co-memory-save: '-':4: the line is longer than 16777216 bytes
	EOT
}

# foreign: write memories as a person might, with their own keys and values.
foreign() {
	mkdir -p $memories
	cat >$memories/007-own.md <<-'EOT'
		---
		created: 2026-01-01T08:00:00+09:00
		id: 7
		status: open
		links: [3, 4.0, "5", true, null]
		nested: {b: 1, a: [x, {y: z}]}
		tags: ["a, b", Python, python]
		---

		Kept as it is.
	EOT
	cat >$memories/009-bare.md <<-'EOT'
		---
		id: 9
		created: 2026-01-02T08:00:00Z
		---
		No tags, no source.
	EOT
}

@test "every command prints records with all of their frontmatter, in order" {
	foreign
	want='{"created":"2026-01-01T08:00:00+09:00","id":7,"status":"open","links":[3,4.0,"5",true,null],"nested":{"b":1,"a":["x",{"y":"z"}]},"tags":["a, b","Python","python"]}'
	for command in 'co-memory-show --json 7' 'co-memory-grep --json kept' \
		'co-recall --json kept' 'co-recall --mode=fts --json kept'; do
		run -0 --separate-stderr $command
		[[ $output == *'"frontmatter":'"$want"* ]]
	done
	run -0 co-memory-show --format='%(frontmatter)' 7
	expect <<<"$want"
	run -0 co-memory-list --json
	[[ $output != *frontmatter* ]]
}

@test "--exact saves a record unchanged, including its id" {
	foreign
	co-memory-list | co-memory-show --json >all
	co-memory-grep --json '' >grepped
	mv .co-cli was
	run -0 --separate-stderr co-memory-save --batch --exact <all
	expect <<-EOT
		$PWD/$memories/007-kept-as-it-is.md
		$PWD/$memories/009-no-tags-no-source.md
	EOT
	for file in was/knowledge/memories/*; do
		n=${file##*/}
		diff <(co-frontmatter-parse "$file" | jq -c .frontmatter) \
			<(co-frontmatter-parse $memories/${n%%-*}-* | jq -c .frontmatter)
	done
	run -0 co-memory-list
	co-memory-list | co-memory-show --json | jq -c 'del(.path, .sha256)' >again
	diff <(jq -c 'del(.path, .sha256)' all) again
	[ "$(co-memory-next-id)" = 10 ]
	# A second time, and from the output of grep, there is nothing to do.
	run -0 co-memory-save --batch --exact --json <all
	[[ $output == *'Already saved as memory 7'*'Already saved as memory 9'* ]]
	run -0 co-memory-save --batch --exact <grepped
	[ "$(co-memory-list | wc -l)" -eq 2 ]
	run -0 co-knowledge --check
}

@test "--exact refuses an id that another text has, and names it" {
	foreign
	co-memory-save --draft <<<'a draft' # 10
	run -3 --separate-stderr co-memory-save --batch --exact <<-'EOT'
		{"content":"Kept as it is.","frontmatter":{"id":7,"created":"2026-01-01T00:00:00Z"}}
		{"content":"other","frontmatter":{"id":7,"created":"2026-01-01T00:00:00Z"}}
		{"content":"other","frontmatter":{"id":10,"created":"2026-01-01T00:00:00Z"}}
		{"content":"other","frontmatter":{"id":12,"created":"2026-01-01T00:00:00Z"}}
		{"content":"next","frontmatter":{"id":11,"created":"2026-01-01T00:00:00Z"}}
	EOT
	expect <<-EOT
		$PWD/$memories/007-own.md
		$PWD/$memories/012-other.md
		$PWD/$memories/011-next.md
	EOT
	output=$stderr
	expect <<-EOT
		co-memory-save: '-':2: id 7 is taken by another text: '$PWD/$memories/007-own.md'
		co-memory-save: '-':3: id 10 is taken by another text: '$PWD/.co-cli/knowledge/drafts/010-a-draft.md'
	EOT
	[ "$(co-memory-next-id)" = 13 ]
	# The same text with CRLF line ends is already saved.
	sed -i 's/$/\r/' $memories/012-other.md
	co-memory-save --batch --exact \
		<<<'{"content":"other","frontmatter":{"id":12,"created":"2026-01-01T00:00:00Z"}}'
	run -1 co-memory-grep -v -c '' # no more than before
	[ "$(co-memory-list | wc -l)" -eq 4 ]
}

@test "--exact refuses a line that is not a record of a memory" {
	for line in '{"content":"x"}' '{"content":"x","frontmatter":[]}' \
		'{"content":"x","frontmatter":{"created":"2026-01-01T00:00:00Z"}}' \
		'{"content":"x","frontmatter":{"id":"1","created":"2026-01-01T00:00:00Z"}}' \
		'{"content":"x","frontmatter":{"id":0,"created":"2026-01-01T00:00:00Z"}}' \
		'{"content":"x","frontmatter":{"id":1}}' \
		'{"content":"x","frontmatter":{"id":1,"created":"soon"}}' \
		'{"content":"x","frontmatter":{"id":1,"created":"2026-01-01T00:00:00Z","k":"ghp_0123456789abcdefghijABCDEFGHIJ012345"}}'; do
		run -3 co-memory-save --batch --exact <<<"$line"
	done
	run -2 co-memory-save --exact <<<x
	run -2 co-memory-save --batch --exact -t x </dev/null
	run -2 co-memory-save --batch --exact --source=x </dev/null
	run -2 co-memory-save --batch --exact --unless-known </dev/null
}

@test "a batch without --exact keeps the free keys of a record" {
	foreign
	sed -i '/^tags/d' $memories/007-own.md
	co-memory-show --json 7 | co-memory-save --batch --global 2>/dev/null
	run -0 co-memory-show --global --format='%(frontmatter)' 1
	expect <<<'{"id":1,"created":"2025-12-31T23:00:00Z","tags":[],"source":"user-told","status":"open","links":[3,4.0,"5",true,null],"nested":{"b":1,"a":["x",{"y":"z"}]}}'
	run -3 co-memory-save --batch <<<'{"content":"x","frontmatter":1}'
}
