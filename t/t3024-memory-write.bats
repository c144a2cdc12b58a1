#!/usr/bin/env bats
# Compare and swap: what changes a memory can ask that it is what was seen.
load lib

setup() {
	world
	memory 1 2026-01-01T00:00:00Z 'a' <<<'The first.'
	memory 2 2026-01-02T00:00:00Z '' <<<'The second.'
	file=$PWD/$memories/001-m.md
}

# sum FILE: its SHA-256.
sum() {
	sha256sum <"$1" | cut -c1-64
}

# unchanged: all is as it was made.
unchanged() {
	tree .co-cli | diff -u "$BATS_TEST_TMPDIR/before" -
}

remember() {
	tree .co-cli >"$BATS_TEST_TMPDIR/before"
}

@test "records have the sum of their file as it stands" {
	local want
	want=$(sum "$file")
	run -0 co-memory-show --format='%(sha256)' 1
	expect <<<"$want"
	for cmd in 'co-memory-show --json 1' 'co-memory-grep --json first' \
		'co-recall --json first'; do
		run -0 jq -r .sha256 <<<"$($cmd)"
		expect <<<"$want"
	done
	# A list leaves out what it need not read.
	run -0 jq -r .sha256 <<<"$(co-memory-list --json -n 1)"
	expect <<<null
	run -0 co-memory-list --format='%(sha256)' -n 1 --sort=id
	expect <<<"$want"
	# The bytes count, be they no valid text or what a merge left.
	printf -- '\xef\xbb\xbf---\r\nid: 3\r\ncreated: 2026-01-01T00:00:00Z\r\n---\r\n<<<<<<< a\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n' \
		>"$memories/003-x.md"
	run -0 --separate-stderr co-memory-show --format='%(sha256)' 3
	expect <<<"$(sum "$memories/003-x.md")"
	# A copy of a record takes no sum along.
	co-memory-show --json 1 | co-memory-save --batch --global >/dev/null
	run ! grep -r sha256 "$global"
}

@test "a memory is written, if it is what was seen" {
	local was want
	was=$(sum "$file")
	sed 's/first/third/' "$file" >new
	run -0 co-memory-write --expect="$was" 1 <new
	expect <<<"$file"
	cmp new "$file"
	# What is the same changes nothing, and is no operation.
	want=$(sum new)
	run -0 co-memory-write --expect="$want" "$file" <new
	run -0 co-undo --list
	[ "${#lines[@]}" = 1 ]
	[[ $output == *memory-write* ]]
	run -0 co-undo -q
	[ "$(sum "$file")" = "$was" ]
	# Capitals are digits too; the record says what it is now.
	run -0 co-memory-write --format='%(sha256) %(content)' \
		--expect="${was^^}" 1 <new
	expect <<<"$(sum new) The third."
}

@test "where it is another, nothing is changed and it is said what to do" {
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

@test "what is written is checked as an edit is" {
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

@test "drafts, what was replaced, articles and the user's memories are written" {
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

@test "of many at once with the same sum one wins" {
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
	# Who comes after a removal finds nothing.
	[ "$(cat status* | grep -c '^[15]$')" = 15 ] || {
		cat status* err*
		false
	}
	run -0 co-undo --list
	[ "${#lines[@]}" = 1 ]
}

@test "wrong command lines" {
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
