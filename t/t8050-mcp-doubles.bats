#!/usr/bin/env bats
# co mcp: if several files have the same id, the server leaves none out.
load lib
load mcp

ask() {
	modern 1 tools/call "$(tool "$@")" | co mcp 2>>errors | result
}

# fact DIR ID NAME: write the file NAME.md with the id ID in DIR.
fact() {
	[ -d "$1" ] || mkdir -p "$1"
	printf -- '---\nid: %d\ncreated: 2026-02-09T14:30:00Z\n---\nFact %s\n' \
		"$2" "$3" >"$1/$3.md"
}

# Write 600 files into the project store, one to three per id, so that pages of any size end
# between files of one id. Write 60 more into the user store.
doubled() {
	local own=$global/knowledge/memories id n
	mkdir -p "$memories" "$own"
	for ((id = 1; id <= 300; id++)); do
		for ((n = 0; n <= (id + 1) % 3; n++)); do
			fact "$memories" "$id" "$id-$n"
			[ "$id" -gt 30 ] || fact "$own" "$id" "$id ü%&<b>-$n"
		done
	done
}

@test "resources/list lists each file of a duplicate id once, with its own URI" {
	doubled
	for era in call modern; do
		cursor=''
		: >answers
		session
		say "$(hello)"
		heard >/dev/null
		until [ "$cursor" = null ]; do
			say "$($era 1 resources/list "{\"cursor\":\"$cursor\"}")"
			# Unlike heard, this does not read byte by byte.
			timeout 60 head -n 1 <&"$ears" >answer
			cat answer >>answers
			cursor=$(value nextCursor <answer)
			echo "$cursor" >>cursors
		done
		hang_up
		jq -c '.result.resources[] | {uri, name}' answers >listed
		[ "$(wc -l <listed)" -eq 661 ]
		run -0 jq -sc '[map(.uri), map(.name)] | map(unique | length)' listed
		expect <<<'[661,661]'
	done
	# A page ended between two files of an id. A unique id has a URI without a name.
	grep -q / cursors
	[ "$(grep -c '"co://memory/[0-9]*"' listed)" = 100 ]
	# resources/read returns the file that each URI was listed for.
	sed -n '2,$p' listed | sed -n '1~7p' >some
	{
		hello
		jq -c .uri some | while read -r uri; do
			call "$uri" resources/read "{\"uri\":$uri}"
		done
	} | co mcp | sed 1d >seen
	[ "$(wc -l <seen)" -eq "$(wc -l <some)" ]
	run -0 jq -c --slurpfile some some '. as $r |
		($some[] | select(.uri == $r.id).name) as $name |
		select(($r.result.contents[0].text // "" |
			contains("\n\($name)\n") | not) or
			([$r.result.contents[0].text | scan("\nFact ")] | length) != 1)' seen
	expect </dev/null
}

@test "a URI without a name returns all files of the id, one with a name its file" {
	fact "$memories" 7 a
	fact "$memories" 7 'b c'
	mkdir -p "$global/knowledge/memories"
	fact "$global/knowledge/memories" 7 d
	{
		for uri in 7 7/b%20c.md 7/%62%20c%2emd global/7 7/d.md 7/ 7/a 7/%00 \
			7/%zz 7/..%2f..%2fmemories%2fa.md 7a.md 0/a.md global/7/a.md; do
			modern "\"$uri\"" resources/read "{\"uri\":\"co://memory/$uri\"}"
		done
	} | co mcp | jq -r '.id + ": " + if .error then "\(.error.code)" else
		([.result.contents[0].text | scan("WARNING|Fact .*")] | join(","))
		end' >got
	diff -u - <(sort got) <<-'END'
		0/a.md: -32602
		7/%00: -32602
		7/%62%20c%2emd: WARNING,Fact b c
		7/%zz: -32602
		7/..%2f..%2fmemories%2fa.md: -32602
		7/: -32602
		7/a: -32602
		7/b%20c.md: WARNING,Fact b c
		7/d.md: -32602
		7: WARNING,Fact a,Fact b c
		7a.md: -32602
		global/7/a.md: -32602
		global/7: Fact d
	END
}

@test "list_memories lists each file once on its pages, and warns" {
	doubled
	next='' pages=0
	until [ "$next" = null ]; do
		ask list_memories "${next:+{\"before\":\"$next\"\}}" >out
		cat out >>answers
		jq -r '.structuredContent | .next, .warning' out >got
		{
			read -r next
			read -r warning
		} <got
		pages=$((pages + 1))
		[ "$warning" = "$(value text <out | sed -n 1p)" ]
	done
	[ $pages -gt 1 ]
	jq -r '.structuredContent.memories[] | .path // "\(.scope) \(.id)"' answers >paths
	[ "$(wc -l <paths)" -eq 660 ]
	[ -z "$(sort paths | uniq -d)" ]
	[[ $warning == 'WARNING: more than one file has id 1, g1, '*" more; a person repairs it with 'co knowledge --check --fix'." ]]
}

@test "a cursor that names a deleted file continues at its position" {
	for name in a b c d; do
		fact "$memories" 7 $name
	done
	fact "$memories" 6 e
	rm "$memories/c.md"
	ask list_memories '{"before":"7p/c.md"}' >out
	ask list_memories '{"before":"7p"}' >>out
	run -0 jq -c '[.structuredContent.memories[] | .path // "\(.id)" | split("/")[-1]]' out
	expect <<-'END'
		["6","a.md","b.md"]
		["6"]
	END
	for place in 7p/ 7p/%00 7p/%2E 7p/a%2fb 7p/%A 7px 7p/ü; do
		ask list_memories "{\"before\":\"$place\"}" | value text
	done | uniq -c | sed 's/^ *//' >got
	diff -u - got <<<"7 'before' must be what an earlier answer gave as 'next'"
}

@test "a cursor may name a file whose name is not UTF-8" {
	for name in $'\xf0\x9f\x98\x80' $'\xff' a; do
		fact "$memories" 7 "$name"
	done
	ask list_memories '{"before":"7p/%F0%9F%98%80.md"}' >out
	ask list_memories '{"before":"7p/%EF%BF%BD.md"}' >>out
	run -0 jq -c '[.structuredContent.memories[] | .path // "\(.id)" | split("/")[-1]]' out
	expect <<-'END'
		["a.md"]
		["a.md","😀.md"]
	END
}

@test "recall_memory warns of duplicate ids among its results" {
	fact "$memories" 7 a
	fact "$memories" 7 b
	fact "$memories" 8 zebra
	ask recall_memory '{"query":"fact"}' >out
	run -0 value warning <out
	expect <<<"WARNING: more than one file has id 7; a person repairs it with 'co knowledge --check --fix'."
	[[ $(value text <out) == "$output"* ]]
	ask recall_memory '{"query":"zebra"}' >out
	[ "$(value warning <out)" = null ]
}
