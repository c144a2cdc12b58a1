#!/usr/bin/env bats
# Compare and swap: a change can require that the file is what the caller has seen.
load lib

setup() {
	world
	memory 1 2026-01-01T00:00:00Z 'a' <<<'The first.'
	memory 2 2026-01-02T00:00:00Z '' <<<'The second.'
	file=$PWD/$memories/001-m.md
}

# sum FILE: print the SHA-256 of FILE.
sum() {
	sha256sum <"$1" | cut -c1-64
}

# unchanged: check that no file has changed since remember().
unchanged() {
	tree .co-cli | diff -u "$BATS_TEST_TMPDIR/before" -
}

remember() {
	tree .co-cli >"$BATS_TEST_TMPDIR/before"
}

@test "a record has the SHA-256 of its file" {
	local want
	want=$(sum "$file")
	run -0 co-memory-show --format='%(sha256)' 1
	expect <<<"$want"
	for cmd in 'co-memory-show --json 1' 'co-memory-grep --json first' \
		'co-recall --json first'; do
		run -0 jq -r .sha256 <<<"$($cmd)"
		expect <<<"$want"
	done
	# A list omits fields that would require reading the files.
	run -0 jq -r .sha256 <<<"$(co-memory-list --json -n 1)"
	expect <<<null
	run -0 co-memory-list --format='%(sha256)' -n 1 --sort=id
	expect <<<"$want"
	# The sum covers the bytes, even of invalid text or an unresolved merge.
	printf -- '\xef\xbb\xbf---\r\nid: 3\r\ncreated: 2026-01-01T00:00:00Z\r\n---\r\n<<<<<<< a\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n' \
		>"$memories/003-x.md"
	run -0 --separate-stderr co-memory-show --format='%(sha256)' 3
	expect <<<"$(sum "$memories/003-x.md")"
	# A copy of a record has no sum.
	co-memory-show --json 1 | co-memory-save --batch --global >/dev/null
	run ! grep -r sha256 "$global"
}

@test "co-memory-write writes a memory if its sum is the expected one" {
	local was want
	was=$(sum "$file")
	sed 's/first/third/' "$file" >new
	run -0 co-memory-write --expect="$was" 1 <new
	expect <<<"$file"
	cmp new "$file"
	# Equal content changes nothing and is not an operation.
	want=$(sum new)
	run -0 co-memory-write --expect="$want" "$file" <new
	run -0 co-undo --list
	[ "${#lines[@]}" = 1 ]
	[[ $output == *memory-write* ]]
	run -0 co-undo -q
	[ "$(sum "$file")" = "$was" ]
	# Capital digits are accepted, and the record has the new sum.
	run -0 co-memory-write --format='%(sha256) %(content)' \
		--expect="${was^^}" 1 <new
	expect <<<"$(sum new) The third."
}

@test "an unexpected sum changes nothing, and the error names the next command" {
	local was
	was=$(sum "$file")
	sed -i 's/first/other/' "$file"
	remember
	run -5 co-memory-write --expect="$was" 1 <"$file"
	expect <<-END
		co-memory-write: '$file' has changed since you read it: 'co-memory-show --json' shows it with its sha256
	END
	run -5 co-memory-remove --expect="$was" 1
	run -5 co-memory-remove --purge --expect="$was" 1
	run -5 co-memory-remove -n --expect="$was" 1
	run -5 co-memory-save --replaces=1 --expect="$was" <<<'new'
	run -5 co-memory-save --unless-known --replaces=1 --expect="$was" \
		<<<'The second.'
	run -5 co-memory-save --draft --replaces=1 --expect="$was" <<<'new'
	unchanged
	was=$(sum "$file")
	run -0 co-memory-save --replaces=1 --expect="$was" <<<'new'
	run -0 co-memory-remove --expect="$(sum "$memories/002-m.md")" 2
	[ "$(co-memory-list --format='%(content)')" = new ]
}

@test "co-memory-write checks the new text like an edit" {
	local was
	was=$(sum "$file")
	remember
	run -3 co-memory-write --expect="$was" 1 <<<'no frontmatter'
	run -3 co-memory-write --expect="$was" 1 < <(sed 's/^id: 1/id: 7/' "$file")
	[[ $output == *'the id must stay 1'* ]]
	run -3 co-memory-write --expect="$was" 1 < <(cat "$file" && printf '\xff')
	run -3 co-memory-write --expect="$was" 1 < <(cat "$file" && printf 'a\0b')
	echo 'AKIAIOSFODNN7EXAMPLX is it' | cat "$file" - >new
	run -3 co-memory-write --expect="$was" 1 <new
	[[ $output != *AKIA* && $output == *--allow-secret* ]]
	head -c 2000000 /dev/zero | tr '\0' x | cat "$file" - >large
	run co-memory-write --expect="$was" 1 <large
	[ "$status" -ne 0 ]
	unchanged
	run -0 co-memory-write --allow-secret --expect="$was" 1 <new
	cmp new "$file"
}

@test "co-memory-write accepts drafts, archive, articles and the user store" {
	local path was
	echo draft | co-memory-save --draft >/dev/null
	echo new | co-memory-save --replaces=2 >/dev/null
	echo text | co-article-save --source=https://example.org >/dev/null
	echo mine | co-memory-save --global >/dev/null 2>&1
	for path in 3 2 g1 .co-cli/knowledge/articles/*.md; do
		[ "$path" = 3 ] && operand=$(echo "$drafts"/*.md) || operand=$path
		was=$(co-memory-show --format='%(sha256)' "$operand" 2>/dev/null)
		co-memory-show "$operand" 2>/dev/null | sed '$s/$/ more/' >new
		run -0 co-memory-write --expect="$was" "$path" <new
		cmp new "$output"
	done
	run -2 co-memory-write --expect="$was" ./nothing.md <new
	run -1 co-memory-write --expect="$was" 99 <new
	co-memory-remove -q 1
	was=$(sum "$trash"/*/001-m.md)
	run -2 co-memory-write --expect="$was" "$trash"/*/001-m.md \
		< <(sed 's/first/new/' "$trash"/*/001-m.md)
}

@test "one of many concurrent changes with the same sum succeeds" {
	local was i n
	was=$(sum "$file")
	for i in {1..16}; do
		sed "s/first/writer $i/" "$file" >"new$i"
	done
	for i in {1..16}; do
		{
			result=0
			case $((i % 4)) in
			0) co-memory-remove --expect="$was" 1 ;;
			1) co-memory-save --replaces=1 --expect="$was" <<<"writer $i" ;;
			*) co-memory-write --expect="$was" 1 <"new$i" ;;
			esac >/dev/null 2>"err$i" || result=$?
			echo "$result" >"status$i"
		} &
	done
	wait
	n=$(cat status* | grep -c '^0$')
	[ "$n" = 1 ]
	# A change after a removal does not find the memory.
	[ "$(cat status* | grep -c '^[15]$')" = 15 ] || {
		cat status* err*
		false
	}
	run -0 co-undo --list
	[ "${#lines[@]}" = 1 ]
}

@test "wrong command lines exit 2" {
	run -2 co-memory-write 1
	[[ $output == *'--expect is missing'*'%(sha256)'* ]]
	run -2 co-memory-write --expect=12 1
	[[ $output == *'is no SHA-256'* ]]
	run -2 co-memory-write --expect="$(sum "$file")"
	run -2 co-memory-remove --expect="$(sum "$file")" 1 2
	run -2 co-memory-save --expect="$(sum "$file")" <<<x
	run -2 co-memory-save --replaces=1,2 --expect="$(sum "$file")" <<<x
	run -2 co-review --accept --expect="$(sum "$file")" 1
}
