#!/usr/bin/env bats
# Test which memories co-memory-grep finds, and in which order.
# bats file_tags=rights
load lib

setup() {
	world
	memory 1 2026-02-09T10:00:00Z 'python, testing' <<<'User prefers ASYNC/AWAIT over callbacks'
	memory 2 2026-02-09T20:00:00Z 'javascript' <<<$'JavaScript memory\nuses async functions'
	memory 3 2026-02-08T10:00:00Z 'database' <<<'This project uses SQLAlchemy 2.0 (C++ too)'
}

# found ARGUMENT...: print the ids of the memories found, on one line.
found() {
	co-memory-grep "$@" --format='%(id)' | tr '\n' ' '
}

@test "grep ignores case and prints absolute paths, newest memory first" {
	run -0 co-memory-grep async
	expect <<-END
		$PWD/$memories/002-m.md
		$PWD/$memories/001-m.md
	END
	[ "$(found ASYNC)" = '2 1 ' ]
	[ "$(found sqlalchemy)" = '3 ' ]
}

@test "grep matches the pattern against each tag separately" {
	[ "$(found python)" = '1 ' ]
	[ "$(found '^testing$')" = '1 ' ]
	[ "$(found 'python, testing')" = '' ]
	[ "$(found 'python.*testing')" = '' ]
}

@test "grep searches the body and not the frontmatter keys or dates" {
	[ "$(found user-told)" = '' ]
	[ "$(found created)" = '' ]
	[ "$(found 2026)" = '' ]
}

@test "grep prints nothing and exits 1 without a match" {
	run -1 co-memory-grep nothing-like-this
	expect </dev/null
	run -1 co-memory-grep -c nothing-like-this
	expect <<<0
	rm -r .co-cli
	run -1 co-memory-grep async
	expect </dev/null
	run -1 co-memory-grep --global async
	expect </dev/null
}

@test "grep sorts by point in time, then by the higher id" {
	memory 4 2026-02-10T03:00:00+09:00 '' <<<'async: 18:00 in UTC'
	memory 5 2026-02-09T20:00:00Z '' <<<'async: as 2'
	memory 6 2026-02-09T20:00:00.25Z '' <<<'async: a little later'
	[ "$(found async)" = '6 5 2 4 1 ' ]
}

@test "a pattern is a regular expression, and ^ and \$ match at every line" {
	[ "$(found '^uses async')" = '2 ' ]
	[ "$(found 'memory$')" = '2 ' ]
	[ "$(found 'SQL\w+ \d\.\d')" = '3 ' ]
	[ "$(found 'callbacks|sqlalchemy')" = '1 3 ' ]
	[ "$(found 'memory.uses')" = '' ]
	[ "$(found 'memory\nuses')" = '2 ' ]
	[ "$(found '\AUser')" = '1 ' ]
	memory 4 2026-02-01T00:00:00Z '' <<<$'one\r\nx\r\ntwo'
	[ "$(found '^x$')" = '4 ' ]
	[ "$(found 'two$')" = '4 ' ]
}

@test "-F takes the pattern as literal text" {
	[ "$(found -F 'C++')" = '3 ' ]
	[ "$(found -F '2.0')" = '3 ' ]
	[ "$(found -F '2.*')" = '' ]
	[ "$(found -F '\Q')" = '' ]
	[ "$(found -F '')" = '2 1 3 ' ]
}

@test "-s makes the search case-sensitive" {
	[ "$(found -s async)" = '2 ' ]
	[ "$(found -s ASYNC)" = '1 ' ]
	[ "$(found -sF Async)" = '' ]
}

@test "-w matches whole words only, and rejects a pattern that escapes it" {
	[ "$(found -w call)" = '' ]
	[ "$(found -w callbacks)" = '1 ' ]
	[ "$(found -wF 'C++')" = '3 ' ]
	[ "$(found -w 'java|memory')" = '2 ' ]
	run -2 co-memory-grep -w 'a)|(b'
}

@test "-v finds the memories that do not match" {
	[ "$(found -v async)" = '3 ' ]
	run -1 co-memory-grep -v ''
}

@test "-c prints a count, and -n limits the output to the newest memories" {
	run -0 co-memory-grep -c async
	expect <<<2
	run -0 co-memory-grep -c -n 1 async
	expect <<<1
	[ "$(found -n 1 async)" = '2 ' ]
	run -1 co-memory-grep -n 0 async
	expect </dev/null
}

@test "tag and date options narrow the search" {
	[ "$(found -t PYTHON async)" = '1 ' ]
	[ "$(found --tag=python -t testing '')" = '1 ' ]
	[ "$(found --since=2026-02-09T12:00:00Z '')" = '2 ' ]
	[ "$(found --until=2026-02-08 '')" = '3 ' ]
	[ "$(found -v --tag=python async)" = '' ]
	[ "$(found --since=2026-02-08 --not-tag=none --until='1 day ago' '')" = '3 ' ]
	run -2 co-memory-grep --since=x async
}

@test "grep accepts options after the pattern, and -- before it" {
	[ "$(found async -n 1)" = '2 ' ]
	memory 4 2026-02-01T00:00:00Z '' <<<'use -rf never'
	[ "$(co-memory-grep --format='%(id)' -- -rf)" = 4 ]
	run -2 co-memory-grep
	run -2 co-memory-grep -x async
}

@test "--json and --format print complete records" {
	run -0 co-memory-grep --json functions
	expect <<-END
		{"id":2,"path":"$PWD/$memories/002-m.md","scope":"project","created":"2026-02-09T20:00:00Z","tags":["javascript"],"source":"user-told","summary":"JavaScript memory","content":"JavaScript memory\nuses async functions","frontmatter":{"id":2,"created":"2026-02-09T20:00:00Z","tags":["javascript"],"source":"user-told"},"sha256":"$(sha256sum <"$memories/002-m.md" | cut -c1-64)"}
	END
	run -0 co-memory-grep --format='%(content)' functions
	expect <<-END
		JavaScript memory
		uses async functions
	END
	run -0 bash -c 'co-memory-grep -z async | xargs -0 -n 1 basename'
	expect <<-END
		002-m.md
		001-m.md
	END
}

@test "grep searches files given as operands or on standard input" {
	mkdir other
	mv "$memories/002-m.md" other/note.md
	[ "$(found async)" = '1 ' ]
	run -0 co-memory-grep async other/note.md "$memories/003-m.md"
	expect <<<"$PWD/other/note.md"
	run -0 bash -c 'ls -d other/* '"$memories"'/* | co-memory-grep async - --json | jq -r .content'
	expect <<-END
		JavaScript memory
		uses async functions
		User prefers ASYNC/AWAIT over callbacks
	END
	run -0 bash -c 'co-memory-grep async | co-memory-grep prefers -'
	expect <<<"$PWD/$memories/001-m.md"
	run -1 co-memory-grep async - </dev/null
	expect </dev/null
	run -1 co-memory-grep async "$memories/003-m.md"
}

@test "grep prints two files with one id, and warns about them" {
	cp "$memories/002-m.md" "$memories/020.md"
	run -0 --separate-stderr co-memory-grep --format='%(path:name)' async
	[[ $output == *002-m.md*020.md* ]]
	[ "$stderr" = "co-memory-grep: two files have id 2: '$PWD/$memories/002-m.md' and '$PWD/$memories/020.md'" ]
	run -0 --separate-stderr co-memory-grep -c async
	[ "$stderr" = "" ]
}

@test "grep fails if a file operand is missing or malformed" {
	printf 'no memory, but async\n' >plain.md
	run -3 --separate-stderr co-memory-grep async plain.md
	[ "$output" = '' ]
	[[ $stderr == *"'plain.md'"*'Missing required field: id' ]]
	run -4 --separate-stderr co-memory-grep async gone.md "$memories/001-m.md"
	[ "$output" = "$PWD/$memories/001-m.md" ]
	[ "$stderr" = "co-memory-grep: no such file: 'gone.md'" ]
}

@test "grep reports a malformed memory of the store and skips it" {
	printf 'async, but no memory\n' >"$memories/bad.md"
	run -0 --separate-stderr co-memory-grep -c async
	[ "$output" = 2 ]
	[[ $stderr == *"'$PWD/$memories/bad.md'"* ]]
	run -1 --separate-stderr co-memory-grep nothing-like-this
	chmod 0 "$memories"
	if ! ls "$memories" 2>/dev/null; then
		run -4 co-memory-grep async
	fi
	chmod 755 "$memories"
}

@test "grep exits 2 on a bad pattern and reports the offset of the error" {
	run -2 co-memory-grep 'foo('
	expect <<-'END'
		co-memory-grep: bad pattern 'foo(' at offset 4: missing closing parenthesis
		hint: -F searches for the text as it is
	END
	run -2 co-memory-grep '*'
	run -2 co-memory-grep '\C'
	run -2 co-memory-grep $'\xff'
	run -2 co-memory-grep "$(printf 'a%.0s' {1..5000})"
	run -2 co-memory-grep -F "$(printf 'a%.0s' {1..5000})"
}

@test "grep exits 4 if a costly pattern reaches a limit, and names the limit" {
	head -c 100000 /dev/zero | tr '\0' a >long
	memory 9 2026-02-20T00:00:00Z '' <long
	run -4 --separate-stderr timeout 600 co-memory-grep 'a*a*[bc]\d'
	[ "$output" = '' ]
	[[ $stderr == "co-memory-grep: search for 'a*a*[bc]\\d' stopped at its limit of "* ]]
	run -4 timeout 600 co-memory-grep '(a+)+[bc]\d'
	run -4 timeout 600 co-memory-grep '(*LIMIT_MATCH=4000000000)(a+)+[bc]\d'
}

@test "the options -i, -l, -q, -c, -e, -F and -w work as in grep(1)" {
	memory 1 2026-02-01T00:00:00Z 'Net, db' <<<$'Retry the network\nthree times\nNETWORK'
	memory 2 2026-02-02T00:00:00Z '' <<<'a.c and b'
	run -0 co-memory-grep -i -l NETWORK
	expect <<<"$PWD/$memories/001-m.md"
	run -0 co-memory-grep -q network
	expect </dev/null
	run -1 co-memory-grep -q nothing
	run -0 co-memory-grep -c -e network -e 'a\.c'
	expect <<<2
	run -0 co-memory-grep -e network $memories/001-m.md
	expect <<<"$PWD/$memories/001-m.md"
	run -0 co-memory-grep -F -e a.c -e x --format='%(id)'
	expect <<<2
	run -1 co-memory-grep -F -e a.b -e x
	run -0 co-memory-grep -w -e netw -e and --format='%(id)'
	expect <<<2
	for wrong in '-i -s x' '-o -v x' '-o --json x' '-c -q x' '-l -o x' -q; do
		# shellcheck disable=SC2086
		run -2 co-memory-grep $wrong
	done
}

@test "-o prints matching lines with their path and line number" {
	memory 1 2026-02-01T00:00:00Z 'Net, db' <<<$'Retry the network\nthree times\nNETWORK'
	memory 2 2026-02-02T00:00:00Z '' <<<$'Straße\r\nnetwork\r'
	local one=$PWD/$memories/001-m.md two=$PWD/$memories/002-m.md
	run -0 co-memory-grep -o network
	expect <<-END
		$two:9:network
		$one:8:Retry the network
		$one:10:NETWORK
	END
	sed -n 8p "$one" | grep -q 'Retry the network'
	run -0 co-memory-grep -o net
	[ "${lines[1]}" = "$one:4:tags: [Net, db]" ]
	run -0 co-memory-grep -o 'network\nthree'
	expect <<-END
		$one:8:Retry the network
		$one:9:three times
	END
	run -0 co-memory-grep -o -z strasse
	co-memory-grep -o -z strasse | cmp - <(printf '%s\0%s\n' "$two" 8:Straße)
	run -0 co-memory-grep -o --color=always STRASSE
	expect <<<$'\e[35m'"$two"$'\e[m:8:\e[1mStraße\e[m'
	run -0 co-memory-grep -o -n 1 three
	expect <<<"$one:9:three times"
}

@test "-o searches our side of an unresolved merge conflict" {
	memory 1 2026-02-01T00:00:00Z '' <<-'END'
		first
		<<<<<<< HEAD
		our network
		=======
		their network
		>>>>>>> other
	END
	run -0 --separate-stderr co-memory-grep -o network
	expect <<<"$PWD/$memories/001-m.md:10:our network"
}
