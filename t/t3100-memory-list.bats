#!/usr/bin/env bats
# co-memory-list: which memories are listed, in which order and form.
load lib

# three: make memories 1 to 3, whose creation order differs from their ids.
three() {
	memory 1 2026-02-09T14:30:00Z 'python, style' <<<'User prefers async/await'
	memory 2 2026-02-07T10:00:00Z 'database' <<<$'Uses SQLAlchemy\nsecond line'
	memory 3 2026-02-08T10:00:00Z '' <<<'JavaScript memory'
}

# ids OPTION...: print the listed ids on one line.
ids() {
	co-memory-list "$@" --format='%(id)' | tr '\n' ' '
}

@test "a list is empty without a store, without memories or without matches" {
	run -0 co-memory-list
	expect </dev/null
	run -0 co-memory-list --json --drafts
	expect </dev/null
	run -0 co-memory-list --trash
	expect </dev/null
	mkdir -p "$memories"
	run -0 co-memory-list
	expect </dev/null
	[ ! -e "$HOME/.config" ]
	three
	run -0 co-memory-list --tag=none
	expect </dev/null
}

@test "paths are absolute, one per line, sorted by id" {
	three
	run -0 co-memory-list
	expect <<-END
		$PWD/$memories/001-m.md
		$PWD/$memories/002-m.md
		$PWD/$memories/003-m.md
	END
	mkdir sub
	cd sub
	[ "$(ids)" = '1 2 3 ' ]
}

@test "ids are sorted as numbers, and file names do not matter" {
	memory 10 2026-02-01T00:00:00Z '' "$memories/001-ten.md" <<<ten
	memory 9 2026-02-01T00:00:00Z '' "$memories/zz.md" <<<nine
	memory 1000 2026-02-01T00:00:00Z '' <<<thousand
	[ "$(ids)" = '9 10 1000 ' ]
}

@test "the list can be sorted by date and reversed" {
	three
	[ "$(ids --sort=created)" = '2 3 1 ' ]
	[ "$(ids --sort=created -r)" = '1 3 2 ' ]
	[ "$(ids -r)" = '3 2 1 ' ]
	[ "$(ids --reverse --sort id)" = '3 2 1 ' ]
}

@test "dates are compared as points in time, not as text" {
	memory 1 2026-02-09T15:00:00+09:00 '' <<<'06:00 in UTC'
	memory 2 2026-02-09T14:30:00Z '' <<<later
	memory 3 2026-02-09T14:30:00.5+00:00 '' <<<'half a second later'
	[ "$(ids --sort=created)" = '1 2 3 ' ]
	[ "$(ids --since=2026-02-09T14:30:00Z)" = '2 3 ' ]
	[ "$(ids --until=2026-02-09T14:30:00Z)" = '1 2 ' ]
}

@test "a day as a bound includes the whole day" {
	memory 1 2026-02-08T23:59:59Z '' <<<before
	memory 2 2026-02-09T00:00:00Z '' <<<first
	memory 3 2026-02-09T23:59:59.9Z '' <<<last
	memory 4 2026-02-10T00:00:00Z '' <<<after
	[ "$(ids --since=2026-02-09 --until=2026-02-09)" = '2 3 ' ]
	[ "$(ids --since 2026-02-09)" = '2 3 4 ' ]
	[ "$(ids --until 2026-02-09)" = '1 2 3 ' ]
}

@test "a day is a day in the user's time zone" {
	memory 1 2026-02-08T14:59:59Z '' <<<'the 8th in Tokyo'
	memory 2 2026-02-08T15:00:00Z '' <<<'the 9th in Tokyo'
	memory 3 2026-02-09T04:59:59Z '' <<<'the 8th in New York'
	memory 4 2026-02-09T05:00:00Z '' <<<'the 9th in New York'
	[ "$(ids --since=2026-02-09)" = '3 4 ' ]
	[ "$(TZ=JST-9 ids --since=2026-02-09)" = '2 3 4 ' ]
	[ "$(TZ=EST5 ids --since=2026-02-09)" = '4 ' ]
	[ "$(TZ=EST5 ids --until=2026-02-08)" = '1 2 3 ' ]
	[ "$(TZ=EST5 ids --since=today)" = '4 ' ]
	[ "$(TZ=EST5 ids --until=yesterday)" = '1 2 3 ' ]
	[ "$(TZ=JST-9 ids --until=2026-02-08T23:59:59)" = '1 ' ]
	[ "$(TZ=JST-9 ids --until=2026-02-08T23:59:59Z)" = '1 2 ' ]
	# The output keeps the stored form.
	TZ=EST5 run -0 co-memory-list --json --since=today
	[[ $output == *'"created":"2026-02-09T05:00:00Z"'* ]]
}

@test "a date can be a year, a month, a day, a minute or a time ago" {
	memory 1 2024-02-29T12:00:00Z '' <<<one
	memory 2 2025-12-31T23:59:59Z '' <<<two
	memory 3 2026-01-09T00:00:00Z '' <<<three
	memory 4 2026-02-08T23:59:59Z '' <<<four
	memory 5 2026-02-09T14:30:00Z '' <<<five
	[ "$(ids --since=2026)" = '3 4 5 ' ]
	[ "$(ids --until=2025)" = '1 2 ' ]
	[ "$(ids --since=2025-12 --until=2026-01)" = '2 3 ' ]
	[ "$(ids --since=yesterday --until=Yesterday)" = '4 ' ]
	[ "$(ids --since=today)" = '5 ' ]
	[ "$(ids --since='1 month ago')" = '3 4 5 ' ]
	[ "$(ids --since=1.month.ago)" = '3 4 5 ' ]
	[ "$(ids --until=5-weeks-ago)" = '1 2 ' ]
	[ "$(ids --since='a day ago')" = '4 5 ' ]
	[ "$(ids --since='16 hours ago')" = '4 5 ' ]
	[ "$(ids --since='14 HOURS ago')" = '5 ' ]
	[ "$(ids --since='2026-02-09 14:30' --until=2026-02-09T14:30)" = '5 ' ]
	[ "$(ids --until='2 years ago')" = '' ]
	# One month earlier is the last day of a shorter month.
	[ "$(CO_NOW=2024-03-31T10:00:00Z ids --since='1 month ago' \
		--until='1 month ago')" = '1 ' ]
}

@test "--not-tag excludes a tag in any case" {
	three
	[ "$(ids --not-tag=PYTHON)" = '2 3 ' ]
	[ "$(ids --not-tag=python --not-tag=database)" = '3 ' ]
	[ "$(ids --tag=style --not-tag=database)" = '1 ' ]
	[ "$(ids --tag=style --not-tag=python)" = '' ]
}

@test "each --tag narrows the list, in any case" {
	three
	memory 4 2026-02-09T14:30:00Z 'Python, straße' <<<'another'
	[ "$(ids --tag=PYTHON)" = '1 4 ' ]
	[ "$(ids -t python -t style)" = '1 ' ]
	[ "$(ids -t STRASSE)" = '4 ' ]
	[ "$(ids -t pyth)" = '' ]
}

@test "-n prints the first N memories, and none for 0" {
	three
	[ "$(ids -n 2)" = '1 2 ' ]
	[ "$(ids -r -n1)" = '3 ' ]
	[ "$(ids --max=0)" = '' ]
	[ "$(ids -n 99)" = '1 2 3 ' ]
}

@test "drafts, trash and the user store are listed separately" {
	three
	memory 4 2026-02-01T00:00:00Z '' "$drafts/004-d.md" <<<draft
	memory 5 2026-02-01T00:00:00Z '' \
		"$trash/20260201T000000Z-1/005-t.md" <<<trash
	memory 6 2026-02-01T00:00:00Z '' \
		"$global/knowledge/memories/006-g.md" <<<global
	[ "$(ids)" = '1 2 3 ' ]
	[ "$(ids --drafts)" = '4 ' ]
	[ "$(ids --trash)" = '5 ' ]
	[ "$(ids --global)" = '6 ' ]
	run -0 co-memory-list --global --format='%(scope) %(path)'
	expect <<<"global $global/knowledge/memories/006-g.md"
	run -2 co-memory-list --drafts --trash
}

@test "--json prints the fields of a record with its content, in order" {
	three
	memory 4 2026-02-01T00:00:00Z '' "$memories/004.md" <<<x
	sed -i /source/d "$memories/004.md"
	run -0 co-memory-list --json
	expect <<-END
		{"id":1,"path":"$PWD/$memories/001-m.md","scope":"project","created":"2026-02-09T14:30:00Z","tags":["python","style"],"source":"user-told","summary":"User prefers async/await","content":"User prefers async/await"}
		{"id":2,"path":"$PWD/$memories/002-m.md","scope":"project","created":"2026-02-07T10:00:00Z","tags":["database"],"source":"user-told","summary":"Uses SQLAlchemy","content":"Uses SQLAlchemy\\nsecond line"}
		{"id":3,"path":"$PWD/$memories/003-m.md","scope":"project","created":"2026-02-08T10:00:00Z","tags":[],"source":"user-told","summary":"JavaScript memory","content":"JavaScript memory"}
		{"id":4,"path":"$PWD/$memories/004.md","scope":"project","created":"2026-02-01T00:00:00Z","tags":[],"source":null,"summary":"x","content":"x"}
	END
}

@test "a summary is the first line, truncated to 80 characters" {
	local e80 e81
	e80=$(printf 'é%.0s' {1..80})
	e81=${e80}é
	memory 1 2026-02-09T14:30:00Z '' <<<"$e80"$'\nmore'
	memory 2 2026-02-09T14:30:00Z '' <<<"$e81"
	memory 3 2026-02-09T14:30:00Z '' <<<$'\n\n  first\r\nsecond'
	run -0 co-memory-list --format='%(summary)'
	expect <<-END
		$e80
		$(printf 'é%.0s' {1..77})...
		first
	END
}

@test "a template prints each field in each of its forms" {
	three
	run -0 co-memory-list -n 1 --format='%(id:03)|%(id)|%(path:name)|%(path:dir)|%(scope)|%(created)|%(created:short)|%(created:utc)|%(created:unix)|%(tags)|%(tags: / )|%(tags:%29)|%(source)|%(source:4)|%(summary:4)|%(content:6)|100%%%09%(content)'
	expect <<<"001|1|001-m.md|$PWD/$memories|project|2026-02-09T14:30:00Z|2026-02-09|2026-02-09T14:30:00Z|1770647400|python, style|python / style|python)style|user-told|user|User|User p|100%"$'\t'"User prefers async/await"
	memory 4 2026-02-09T23:30:00-05:00 '' <<<'日本語 text'
	run -0 co-memory-list -r -n 1 \
		--format='%(created:short) %(created:utc) %(content:3) [%(tags)]'
	expect <<<'2026-02-09 2026-02-10T04:30:00Z 日本語 []'
}

@test "a bad template exits 2 and is reported with its offset" {
	run -2 co-memory-list --format='%(id) %(nme)'
	expect <<-'END'
		co-memory-list: bad template '%(id) %(nme)' at offset 8: expected one of id, path, scope, created, tags, source, summary, content, score, coverage, snippet, partial, kind, title, marks, evidence, contradicts, contradicted_by, like, frontmatter, sha256, project, store, commit, as_of
		hint: try 'co-memory-list -h'
	END
	run -2 co-memory-list --format='%(id'
	run -2 co-memory-list --format='%z'
	run -2 co-memory-list --format='%'
	run -2 co-memory-list --format='%(id:3)'
	run -2 co-memory-list --format='%(id:x)'
	run -2 co-memory-list --format='%(scope:short)'
	run -2 co-memory-list --format='%(created:long)'
	run -2 co-memory-list --format='%(content:9999999999)'
	run -2 co-memory-list --json --format='%(id)'
}

@test "-z ends paths and templates with NUL, for any file name" {
	memory 1 2026-02-09T14:30:00Z '' "$memories/001 a
b.md" <<<odd
	co-memory-list -z | od -An -c | grep -q '\\0'
	[ "$(co-memory-list -z | tr '\0' '|')" = "$PWD/$memories/001 a
b.md|" ]
	run -0 bash -c 'co-memory-list -z | xargs -0 cat'
	[[ $output == *odd ]]
	[ "$(co-memory-list -z --format='%(id)' | tr '\0' '|')" = '1|' ]
	[ "$(co-memory-list -z | co-memory-show -z --format='%(id)' |
		tr '\0' '|')" = '1|' ]
}

@test "a broken memory is reported with its position, and the rest is listed" {
	three
	printf -- '---\nid: 4\ncreated: yesterday\n---\nx\n' >"$memories/004.md"
	printf -- '---\nid: [\n---\nx\n' >"$memories/005.md"
	printf 'no header\n' >"$memories/006.md"
	printf 'no memory\n' >"$memories/notes.txt"
	printf 'hidden\n' >"$memories/.x.md"
	run -0 --separate-stderr co-memory-list --format='%(id)'
	[ "$output" = $'1\n2\n3' ]
	[ "${#stderr_lines[@]}" -eq 3 ]
	[[ $stderr == *"'$PWD/$memories/004.md':3:10: Field 'created' must be ISO8601 format: yesterday"* ]]
	[[ $stderr == *"'$PWD/$memories/005.md':"*"Invalid YAML in frontmatter: "* ]]
	[[ $stderr == *"'$PWD/$memories/006.md'"*"Missing required field: id"* ]]
}

@test "after ten broken memories one line counts the rest" {
	local i
	memory 1 2026-02-09T14:30:00Z '' <<<good
	for i in {1..25}; do
		printf 'bad\n' >"$memories/bad$i.md"
	done
	run -0 --separate-stderr co-memory-list --format='%(id)'
	[ "$output" = 1 ]
	[ "${#stderr_lines[@]}" -eq 11 ]
	[[ ${stderr_lines[10]} == *'15 more'*'co knowledge --check'* ]]
}

@test "a duplicate id is listed twice and reported" {
	memory 4 2026-02-09T14:30:00Z '' "$memories/004-a.md" <<<ours
	memory 4 2026-02-09T14:30:00Z '' "$memories/004-b.md" <<<theirs
	run -0 --separate-stderr co-memory-list
	[ "$output" = "$PWD/$memories/004-a.md"$'\n'"$PWD/$memories/004-b.md" ]
	[ "$stderr" = "co-memory-list: two files have id 4: '$PWD/$memories/004-a.md' and '$PWD/$memories/004-b.md'" ]
}

@test "links, FIFOs and directories in memories are reported, not read" {
	three
	printf -- '---\nid: 9\ncreated: 2026-01-01T00:00:00Z\n---\nkey\n' >"$HOME/key"
	ln -s "$HOME/key" "$memories/009-link.md"
	mkfifo "$memories/010-fifo.md"
	mkdir "$memories/011-dir.md"
	truncate -s 2M "$memories/012-big.md"
	run -0 --separate-stderr timeout 60 co-memory-list --format='%(id)'
	[ "$output" = $'1\n2\n3' ]
	[ "${#stderr_lines[@]}" -eq 4 ]
}

@test "JSON escapes control characters, so that terminals are safe" {
	printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\ntags: ["a\\eb"]\n---\n\e[31m\x7f\xc2\x9b\n' \
		>m.md
	mkdir -p "$memories"
	mv m.md "$memories/001.md"
	run -0 co-memory-list --json
	[[ $output == *'"tags":["a\u001bb"]'* ]]
	[[ $output == *'"summary":"\u001b[31m\u007f\u009b"'* ]]
}

@test "a date can be a span before now, a week or a weekday" {
	# CO_NOW is a Monday.
	local id=0 day
	mkdir -p "$memories"
	for day in 2025-12-31 2026-01-31 2026-02-01 2026-02-02 2026-02-08 2026-02-09; do
		printf -- '---\nid: %d\ncreated: %sT12:00:00Z\n---\n\nx\n' $((++id)) "$day" \
			>"$memories/00$id.md"
	done
	while IFS='|' read -r since ids; do
		run -0 co-memory-list --since="$since" --format='%(id)' --sort=id
		[ "${output//$'\n'/ }" = "$ids" ] || {
			printf '%s: %s\n' "$since" "${output//$'\n'/ }"
			false
		}
	done <<-'END'
		1d|5 6
		1w|4 5 6
		9d|2 3 4 5 6
		1m|2 3 4 5 6
		1y|1 2 3 4 5 6
		monday|6
		Sunday|5 6
		tuesday|5 6
		this week|6
		last week|4 5 6
		last.week|4 5 6
		this month|3 4 5 6
		last month|2 3 4 5 6
		this year|2 3 4 5 6
		last year|1 2 3 4 5 6
	END
	run -0 co-memory-list --until='last week' --format='%(id)' --sort=id
	[ "${lines[*]}" = '1 2 3 4 5' ]
}

@test "a bad date, an unknown sort key and an operand exit 2" {
	run -2 co-memory-list --since=soon
	expect <<-'END'
		co-memory-list: bad date 'soon': expected YYYY, YYYY-MM, YYYY-MM-DD, YYYY-MM-DDTHH:MM:SS, yesterday, 7d, 2w, 'last week' or '2 weeks ago'
		hint: try 'co-memory-list -h'
	END
	for date in 202 2026-13 2026-1 2026-02-09T14 2026-02-09T24:00 \
		'2 weeks' 7 0d 7x 10000d 'last' 'last day' 'this year 2' 'next week' '2 fortnights ago' 'ago' '-1 days ago' '' ' ' \
		'2026-02-09 14:30 +99' "$(printf '9%.0s' {1..99}) days ago"; do
		run -2 co-memory-list --since="$date"
	done
	run -2 co-memory-list --until=2026-02-30
	run -2 co-memory-list --sort=name
	run -2 co-memory-list 1
	run -2 co-memory-list -n -1
}

@test "a template accepts \\t, \\n and \\\\, and refuses other escapes" {
	memory 1 2026-01-01T00:00:00Z 'a, b' <<<text
	run -0 co-memory-list --format='%(id)\t%(tags:\n)\\n'
	expect <<<$'1\ta\nb\\n'
	run -2 co-memory-list --format='%(id)\q'
	[ "${lines[0]}" = 'co-memory-list: bad template '"'%(id)\q'"' at offset 5: expected \t, \n or \\' ]
	run -2 co-memory-list --format='x\'
}
