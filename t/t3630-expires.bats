#!/usr/bin/env bats
# The lifetime of a memory: expires, archive, review-after, --as-of, chains.
load lib
load terminal
load cache
load mcp

setup() {
	world
	mkdir -p .git "$global"
	echo '{"hook.recall": "on", "hook.timeout_ms": 60000}' >"$global/settings.json"
	export CO_NOW=2026-02-09T14:30:00Z
}

# keyed ID KEYS TEXT: write a memory whose frontmatter ends with KEYS.
keyed() {
	mkdir -p $memories
	printf -- '---\nid: %s\ncreated: 2026-01-0%sT00:00:00Z\ntags: [zebra]\n%b---\n\n%s\n' \
		"$1" "$1" "$2" "$3" >"$memories/00$1-m.md"
}

# ids COMMAND...: print the ids that COMMAND finds.
ids() {
	"$@" --format='%(id)' gizmo 2>/dev/null | sort -n | tr '\n' ' '
}

listed() {
	co-memory-list --format='%(id)' "$@" | tr '\n' ' '
}

# prompted: print the ids that a hook adds to a prompt.
prompted() {
	co hook claude < <(hook_event s UserPromptSubmit '"prompt":"gizmo"') |
		value additionalContext |
		sed -n 's/^\*\*Memory \([0-9]*\).*/\1/p' | sort -n | tr '\n' ' '
}

# told TOOL [ARGUMENTS]: print the ids in an answer of the server.
told() {
	modern 1 tools/call "$(tool "$@")" | co mcp 2>>errors |
		jq -r '.result.structuredContent | (.results // .memories)[].id' | sort -n | tr '\n' ' '
}

# everywhere IDS: check that each reader finds IDS by default.
everywhere() {
	local mode
	[ "$(listed)" = "$1" ]
	[ "$(co-list --json | jq .id | sort -n | tr '\n' ' ')" = "$1" ]
	[ "$(co-knowledge --list --json | jq .id | sort -n | tr '\n' ' ')" = "$1" ]
	for mode in auto grep fts hybrid; do
		[ "$(ids co-recall -n 9 --mode=$mode)" = "$1" ]
	done
	[ "$(ids co-memory-grep)" = "$1" ]
	[ "$(co-memory-grep -c gizmo)" = "$(wc -w <<<"$1")" ]
	[ "$(co-index-query -n 9 --json gizmo | jq .id | sort -n | tr '\n' ' ')" = "$1" ]
	[ "$(prompted)" = "$1" ]
	[ "$(told recall_memory '{"query":"gizmo","max_results":9}')" = "$1" ]
	[ "$(told list_memories)" = "$1" ]
}

five() {
	keyed 1 '' 'gizmo one'
	keyed 2 'expires: 2026-02-08\n' 'gizmo two'
	keyed 3 'expires: 2026-02-09\n' 'gizmo three'
	keyed 4 'archive: true\n' 'gizmo four'
	keyed 5 'expires: 2026-02-09T14:30:00Z\n' 'gizmo five'
}

@test "expired and archived memories are found only on request" {
	five
	everywhere '1 3 '
	[ "$(listed --expired)" = '1 2 3 4 5 ' ]
	[ "$(ids co-recall -n 9 --expired)" = '1 2 3 4 5 ' ]
	[ "$(ids co-recall -n 9 --mode=grep --expired)" = '1 2 3 4 5 ' ]
	[ "$(ids co-memory-grep --expired)" = '1 2 3 4 5 ' ]
	[ "$(co-list --expired --json | jq -c '[.id, .marks]' | sort | head -n 2 | tail -n 1)" = '[2,["expired"]]' ]
	# The files still exist.
	[ "$(find $memories -type f | wc -l)" = 5 ]
}

@test "a memory is valid through its day of expiry in UTC" {
	five
	export TZ=Asia/Tokyo
	CO_NOW=2026-02-09T23:59:59Z everywhere '1 3 '
	CO_NOW=2026-02-10T00:00:00Z everywhere '1 '
	CO_NOW=2026-02-08T23:59:59Z everywhere '1 2 3 5 '
}

@test "a running server hides memories that expire or are archived" {
	five
	session
	say "$(modern 1 tools/call "$(tool recall_memory '{"query":"gizmo"}')")"
	heard | jq -e '.result.structuredContent.count == 2'
	keyed 3 'archive: true\n' 'gizmo three'
	settle
	say "$(modern 2 tools/call "$(tool recall_memory '{"query":"gizmo"}')")"
	heard | jq -e '.result.structuredContent.count == 1'
	hang_up
}

@test "a malformed expiry hides nothing and is a fault" {
	keyed 1 'expires: 2026-02-30\n' 'gizmo one'
	keyed 2 'expires: 2020\n' 'gizmo two'
	keyed 3 'archive: 1\n' 'gizmo three'
	keyed 4 'expires: [2020-01-01]\nreview-after: soon\n' 'gizmo four'
	everywhere '1 2 3 4 '
	run -3 co-knowledge-check
	for fault in "001-m.md': Field 'expires' must be a date" "002-m.md': Field 'expires' must be a date" \
		"003-m.md': Field 'archive' must be true or false" "004-m.md': Field 'expires'" \
		"004-m.md': Field 'review-after' must be a date"; do
		[[ $output == *"$fault"* ]]
	done
}

@test "an expired memory is shown by its id, with a mark" {
	five
	run -0 co-memory-show --json 2
	[ "$(jq -c .marks <<<"$output")" = '["expired"]' ]
	modern 1 tools/call "$(tool show_memory '{"id":2}')" | co mcp 2>>errors | jq -c .result >out
	[[ $(jq -r '.content[0].text' out) == *'**Memory 2** (created 2026-01-02) (expired)'* ]]
	[ "$(jq -c .structuredContent.marks out)" = '["expired"]' ]
	modern 1 tools/call "$(tool show_memory '{"id":4}')" | co mcp 2>>errors | jq -c .result >out
	[[ $(jq -r '.content[0].text' out) == *' (archived)'* ]]
}

@test "hiding memories reads no file that is cached" {
	need_strace
	five
	settle
	co-recall gizmo >/dev/null
	settle
	co-recall gizmo >/dev/null
	strace -f --seccomp-bpf -e trace=openat,open -o opens co-recall gizmo >/dev/null
	run ! grep -q -- '-m\.md' opens
	strace -f --seccomp-bpf -e trace=openat,open -o opens co-memory-list >/dev/null
	run ! grep -q -- '-m\.md' opens
}

@test "large keys do not prevent a memory from being hidden" {
	pad=$(printf 'x%.0s' {1..1000})
	keyed 1 "pad: $pad\nexpires: 2026-01-01\nmore: $pad\narchive: true\nsensitive: true\n" 'gizmo one'
	keyed 2 '' 'gizmo two'
	everywhere '2 '
	[ "$(listed --expired --sensitive)" = '1 2 ' ]
	[ "$(listed --expired)" = '2 ' ]
}

@test "an expired article is not found" {
	mkdir -p .co-cli/knowledge/articles
	printf -- '---\ntitle: Guide\nsource: https://example.org/a\nfetched: 2026-01-01T00:00:00Z\nexpires: 2026-01-31\n---\n\n# A\n\ngizmo\n' \
		>.co-cli/knowledge/articles/a.md
	run -1 co-recall gizmo
	run -0 co-recall --expired gizmo
	[[ $output == *'(expired)'* ]]
}

@test "--as-of finds the memories that were valid at that time" {
	keyed 1 '' 'gizmo one'
	keyed 3 'expires: 2026-01-20\n' 'gizmo three'
	co-learn --created=2026-01-15 --replaces=1 'gizmo new' >/dev/null 2>&1
	new=$(co-memory-list --format='%(id)' | tail -n 1)
	[ "$(listed)" = "$new " ]
	[ "$(listed --as-of=2026-01-02)" = '1 ' ]
	[ "$(listed --as-of=2026-01-14)" = '1 3 ' ]
	[ "$(listed --as-of=2026-01-16)" = "3 $new " ]
	[ "$(listed --as-of=2026-01-21)" = "$new " ]
	[ "$(ids co-memory-grep --as-of=2026-01-14)" = '1 3 ' ]
	[ "$(ids co-recall --as-of=2026-01-14)" = '1 3 ' ]
	[ "$(ids co-recall --as-of=2026-01-16)" = "3 $new " ]
	[ "$(co-list --as-of=2026-01-14 --json | jq .id | sort | tr '\n' ' ')" = '1 3 ' ]
	run -2 co-recall --as-of=never gizmo
	run -2 co-memory-list --as-of=2026 --drafts
	[ "$(co-memory-list --superseded --format='%(id)')" = 1 ]
}

@test "co archive hides memories, and --restore also shows expired ones again" {
	five
	run -0 --separate-stderr co-archive 1 3
	expect <<<$'✓ Archived memory 1\n✓ Archived memory 3'
	[ "$stderr" = "hint: 'co archive --restore 1 3' restores them" ]
	[ -z "$(listed)" ]
	grep -qx 'archive: true' $memories/001-m.md
	run -0 --separate-stderr co-archive 1
	[ "$stderr" = 'co-archive: memory 1 is archived already' ]
	[ -z "$output" ]
	was=$(cat $memories/001-m.md)
	run -0 co-archive --restore 1 2 4
	[ "$(listed)" = '1 2 4 ' ]
	[ "$(cat $memories/001-m.md)" = "$(grep -v '^archive:' <<<"$was")" ]
	run -0 --separate-stderr co-archive --restore 1
	[ "$stderr" = 'co-archive: memory 1 is not archived' ]
	run -1 co-archive 77
	run -2 co-archive
	keyed 6 '' 'gizmo six'
	co-archive -q 6
	co-undo >/dev/null 2>&1
	[[ $(listed) == *6* ]]
}

@test "co learn --expires accepts dates and spans, with calendar months" {
	while read -r now given wanted; do
		CO_NOW=$now co-learn --force --expires="$given" "gizmo $now $given" >/dev/null 2>&1
		file=$(co-memory-grep --expired -F "gizmo $now $given")
		[ "$(sed -n 's/^expires: //p' "$file")" = "$wanted" ] || {
			echo "$now + $given is not $wanted"
			cat "$file"
			return 1
		}
	done <<-'END'
		2026-02-09T14:30:00Z 2w 2026-02-23
		2026-02-09T23:59:59Z 1d 2026-02-10
		2026-01-31T12:00:00Z 1m 2026-02-28
		2027-11-30T12:00:00Z 3m 2028-02-29
		2026-12-31T12:00:00Z 2m 2027-02-28
		2028-02-29T12:00:00Z 1y 2029-02-28
		2026-02-09T14:30:00Z 2026-03-01 2026-03-01
		2026-02-09T14:30:00Z 2026-02-09 2026-02-09
		2026-02-09T14:30:00Z 2026-03-01T10:00:00Z 2026-03-01T10:00:00Z
	END
	for bad in 0d 2x w 2026-02-30 soon 2026-02-08 9999999y; do
		run -2 co-learn --expires=$bad 'gizmo bad'
		[[ $output == *": bad date '$bad': expected YYYY-MM-DD, or from today 10d, 2w, 3m, 1y"* ||
			$output == *": '2026-02-08' has passed"* ]]
	done
	run -2 co-learn --always --expires=2w 'gizmo bad'
	run -1 co-memory-grep bad
	co-learn --review-after=3m --expires=1y 'gizmo both' >/dev/null 2>&1
	file=$(co-memory-grep both)
	grep -qx 'review-after: 2026-05-09' "$file"
	grep -qx 'expires: 2027-02-09' "$file"
	co-knowledge-check
	CO_NOW=2026-05-08T23:59:59Z run -0 co-list
	[[ $output != *'due for review'* ]]
	CO_NOW=2026-05-09T00:00:00Z run -0 co-list
	[[ $output == *'(due for review) gizmo both'* ]]
}

@test "a terminal shows expiry dates after a save and in lists, a pipe does not" {
	need_terminal
	TERM=dumb COLUMNS=80 terminal 0 '' \
		'co learn --expires=2w gizmo one 2>&1; co list; co show 1'
	[[ $output == *$'\nLocation: '*$'/001-gizmo-one.md\nExpires: 2026-02-23\n'* ]]
	[[ $output == *$'\n1  2026-02-09  (expires 2026-02-23) gizmo one\n'* ]]
	[[ $output == *$'\nexpires: 2026-02-23\n'* ]]
	run -0 co list
	expect <<<'1  2026-02-09  gizmo one'
	run -0 --separate-stderr co learn --expires=3w 'gizmo two'
	[ "${#lines[@]}" -eq 2 ]
	CO_NOW=2026-03-01T00:00:00Z COLUMNS=80 TERM=dumb terminal 0 '' 'co list --expired'
	[[ $output == *'1  2026-02-09  (expired) gizmo one'* ]]
}

@test "co log --chain lists a chain of replacements from any member" {
	for text in first second third; do
		CO_NOW=2026-02-0$((++day))T00:00:00Z co-learn ${id:+--replaces=$id} "the gizmo is $text" >/dev/null 2>&1
		id=$(co-memory-list --format='%(id)')
	done
	CO_NOW=2026-02-01T12:00:00Z co-learn --force 'something else' >/dev/null 2>&1
	for id in 1 2 3; do
		run -0 co-log --chain $id
		expect <<-'END'
			**003** (2026-02-03): the gizmo is third
			**002** (2026-02-02) (replaced): the gizmo is second
			**001** (2026-02-01) (replaced): the gizmo is first
		END
	done
	run -0 co-log --chain --json -n 1 2
	[ "$(jq .id <<<"$output")" = 3 ]
	run -0 co-log --chain 4
	expect <<<'**004** (2026-02-01): something else'
	# Two memories that replaced each other do not make an endless chain.
	sed -i 's/^superseded: .*/superseded: 1/' .co-cli/knowledge/archive/002-*
	run -0 co-log --chain 1
	[ "${#lines[@]}" = 2 ]
	run -1 co-log --chain 77
	run -2 co-log --chain
	run -0 co-log --chain gizmo
	expect <<<'**003** (2026-02-03): the gizmo is third'
}
