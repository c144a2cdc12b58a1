#!/usr/bin/env bats
# Test document vectors: semantic search, what is kept, and failures.
load lib

setup() {
	world
	mkdir -p "$global" bin
	PATH=$PWD/bin:$PATH
	use_static
}

use_static() {
	echo '{"embed.provider": "static"}' >"$global/settings.json"
}

# fill: write six memories that share no meaningful word.
fill() {
	memory 1 2026-01-01T00:00:00Z '' <<<'My dog chased the ball in the park.'
	memory 2 2026-01-02T00:00:00Z '' <<<'The compiler rejects this program.'
	memory 3 2026-01-03T00:00:00Z '' <<<'We drank coffee with milk at breakfast.'
	memory 4 2026-01-04T00:00:00Z '' <<<'A doctor prescribed some medicine.'
	memory 5 2026-01-05T00:00:00Z '' <<<'The train to Paris leaves at noon.'
	memory 6 2026-01-06T00:00:00Z '' <<<'She plays violin in an orchestra.'
}

# found [OPTION...] QUERY: print the ids of the documents found, best first.
found() {
	co-index-query --format='%(id)' "$@" | tr '\n' ' '
}

# first QUERY: print the id of the nearest memory by meaning.
first() {
	found --mode=vector -n 1 "$1"
}

# encoder: make a command the encoder that logs its texts in ./asked. Its
# vectors are the counts of a few letters, which is enough for a ranking.
encoder() {
	cat >bin/encoder <<-END
		#!/bin/sh
		tee -a "$PWD/asked" | jq -c '{vector: (.text | ascii_downcase | [
			("a","e","i","o","u","n","t","s") as \$c |
			(split(\$c) | length)])}'
	END
	chmod +x bin/encoder
	: >asked
	echo '{"embed": {"provider": "command", "command": "encoder"}}' \
		>"$global/settings.json"
}

kept() {
	echo "$HOME"/.cache/co-cli/*/vectors-*
}

@test "semantic search finds a memory that has other words than the query" {
	fill
	[ "$(first puppy)" = '1 ' ]
	[ "$(first 'software bug')" = '2 ' ]
	[ "$(first tea)" = '3 ' ]
	[ "$(first hospital)" = '4 ' ]
	[ "$(first 'railway station')" = '5 ' ]
	[ "$(first 'classical music')" = '6 ' ]
	run -1 co-index-query puppy
	[[ $(found --mode=hybrid puppy) == '1 '* ]]
}

@test "hybrid search combines matches by words and by meaning" {
	fill
	[[ $(found --mode=hybrid violin dog) == [16]' '[16]' '* ]]
	run -0 --separate-stderr co-index-query --mode=hybrid --explain coffee
	[[ $stderr == *'mode hybrid: 6 documents ranked'* ]]
	[[ $stderr == *'1. score 1.'*': words 0.9804 cosine 0.'* ]]
}

# cosine QUERY: print what similarity adds to the score of the first memory.
cosine() {
	co-index-query --mode=hybrid --explain "$1" 2>&1 >/dev/null |
		sed -n "/001-m.md'/s/.* cosine \\([0-9.]*\\),.*/\\1/p"
}

@test "similarity weighs less if the encoder does not know a query word" {
	fill
	local known half none
	known=$(cosine puppy) half=$(cosine 'puppy xqzzyk')
	none=$(cosine 'puppy xqzzyk vvkkq')
	[ "${known#0.}" -gt 1000 ]
	[ "${half#0.}" -lt "$((10#${known#0.} / 5))" ]
	[ "${half#0.}" -gt 0 ]
	[ "$none" = "$half" ]
}

@test "similarity weighs less for a long query" {
	fill
	local animals='puppy kitten pony lamb goat'
	[ "$(cosine "$animals $animals")" = "$(cosine "$animals")" ]
	cosine "$animals" >five
	cosine "$animals foal piglet chicken hamster rabbit" >ten
	[ "$(sed 's/0[.]0*//' ten)" -lt "$(($(sed 's/0[.]0*//' five) * 3 / 4))" ]
}

@test "semantic search finds nothing for a query without a known word" {
	fill
	run -1 --separate-stderr co-index-query --mode=hybrid xqzzyk
	expect </dev/null
	[ -z "$stderr" ]
	run -1 co-index-query --mode=vector 记忆
}

@test "operators work in every mode" {
	fill
	memory 7 2026-01-07T00:00:00Z pet <<<'The cat sleeps.'
	[ "$(found --mode=vector 'puppy tag:pet')" = '7 ' ]
	[[ $(found --mode=hybrid 'puppy not:dog') != *1* ]]
	[[ $(found --mode=vector 'puppy until:2026-01-03') != *[4-7]* ]]
}

@test "a query of operators only is answered in every mode" {
	fill
	memory 7 2026-01-07T00:00:00Z pet <<<'The cat sleeps.'
	[ "$(found --mode=hybrid tag:pet)" = '7 ' ]
	[ "$(found --mode=vector tag:pet)" = '7 ' ]
	[ "$(found --mode=hybrid until:2026-01-02)" = '2 1 ' ]
	[ "$(found --mode=hybrid not:coffee)" = '7 6 5 4 2 1 ' ]
	run -0 co-recall --mode=hybrid --format='%(id)' tag:pet
	expect <<<7
}

@test "vectors of new documents are appended, those of deleted are left out" {
	fill
	first puppy
	local before after
	before=$(stat -c '%i %s' "$(kept)")
	memory 7 2026-01-07T00:00:00Z '' <<<'A kitten and its mother.'
	[ "$(found --mode=vector -n 2 puppy)" = '1 7 ' ] ||
		[ "$(found --mode=vector -n 2 puppy)" = '7 1 ' ]
	after=$(stat -c '%i %s' "$(kept)")
	[ "${before% *}" = "${after% *}" ]
	[ "${before#* }" -lt "${after#* }" ]
	rm "$memories/001-m.md"
	[ "$(first puppy)" = '7 ' ]
	echo 'A kitten, edited: now about violins.' >>"$memories/007-m.md"
	[[ $(found --mode=vector puppy) != *1* ]]
}

@test "the ranking equals that of rebuilt vectors" {
	local i animals=(cow dog cat wolf cattle fox bear goat fish bird tree)
	fill
	first puppy
	for i in 1 2 3 4 5 6 7 8 9; do
		memory 1$i 2026-02-0${i}T00:00:00Z '' <<<"${animals[i]} and ${animals[i + 1]}"
		first puppy >/dev/null
		[ $((i % 3)) -ne 0 ] || rm "$memories/00$((i / 3))-m.md"
	done
	co-index-query --mode=vector --format='%(id) %(score)' puppy >before
	rm -r "$HOME/.cache"
	co-index-query --mode=vector --format='%(id) %(score)' puppy >after
	diff before after
	[ "$(wc -l <after)" -gt 3 ]
}

@test "search gives the same answer after damage to any byte of the vectors" {
	local want size offset byte file
	fill
	want=$(found --mode=hybrid puppy)
	file=$(kept)
	cp "$file" sound
	size=$(stat -c %s sound)
	for ((offset = 0; offset < size; offset += 13)); do
		cp sound "$file"
		byte=$(od -An -tu1 -j"$offset" -N1 sound)
		# shellcheck disable=SC2059 # it is the byte's escape
		printf "\\x$(printf %x $((byte ^ 255)))" |
			dd of="$file" bs=1 seek="$offset" conv=notrunc status=none
		[ "$(found --mode=hybrid puppy 2>>err)" = "$want" ] ||
			{ echo "byte $offset"; return 1; }
	done
	grep -q 'were damaged, and are rebuilt' err
	run ! grep -v 'were damaged, and are rebuilt' err
	for size in 0 1 63 64 200 700; do
		head -c "$size" sound >"$file"
		[ "$(found --mode=hybrid puppy 2>/dev/null)" = "$want" ]
	done
	rm "$file"
	mkdir "$file"
	[ "$(found --mode=hybrid puppy 2>/dev/null)" = "$want" ]
	rmdir "$file"
	mkfifo "$file"
	[ "$(timeout 60 co-index-query --mode=hybrid -n 1 \
		--format='%(id)' puppy 2>/dev/null)" = 1 ]
}

# bats test_tags=rights
@test "search works if the cache directory is not writable" {
	local want
	[ "$(id -u)" -ne 0 ] || skip 'root may write everywhere'
	fill
	want=$(found --mode=hybrid puppy)
	rm -r "$HOME/.cache"
	mkdir -m 500 "$HOME/.cache"
	[ "$(found --mode=hybrid puppy)" = "$want" ]
}

@test "search works if the cache directory is a file" {
	local want
	fill
	want=$(found --mode=hybrid puppy)
	rm -r "$HOME/.cache"
	echo >"$HOME/.cache"
	[ "$(found --mode=hybrid puppy)" = "$want" ]
}

@test "a failed encoder leaves search by words, with a warning of one line" {
	fill
	printf '#!/bin/sh\necho "model not loaded" >&2\nexit 1\n' >bin/encoder
	chmod +x bin/encoder
	echo '{"embed": {"provider": "command", "command": "encoder"}}' \
		>"$global/settings.json"
	run -0 --separate-stderr co-index-query --mode=hybrid 'coffee machine'
	expect <<<"$PWD/$memories/003-m.md"
	[ "$stderr" = "co-index-query: by words only: 'encoder' failed: model not loaded" ]
	run -0 --separate-stderr co-recall --mode=hybrid --json 'coffee machine'
	[ "$(jq -r .degraded <<<"$output")" = \
		"by words only: 'encoder' failed: model not loaded" ]
	[ "$stderr" = "co-recall: by words only: 'encoder' failed: model not loaded" ]
	run -6 co-index-update --vectors
	[[ $output == *'6 documents have none: by words only'* ]]
}

@test "a slow encoder gets no text twice" {
	fill
	encoder
	found --mode=vector train
	[ "$(wc -l <asked)" = 7 ] # six, and the question
	found --mode=vector train
	[ "$(wc -l <asked)" = 8 ]
	touch "$memories"/*
	found --mode=vector train
	[ "$(wc -l <asked)" = 9 ]
	memory 7 2026-01-07T00:00:00Z '' <<<'new'
	found --mode=vector train
	[ "$(wc -l <asked)" = 11 ]
}

@test "a slow encoder gets no text twice after the catalog was lost" {
	fill
	encoder
	found --mode=vector train
	rm "$HOME"/.cache/co-cli/*/files
	found --mode=vector train
	[ "$(wc -l <asked)" = 8 ]
	found --mode=vector train
	[ "$(wc -l <asked)" = 9 ]
}

@test "of two processes that make vectors, the second reuses the first's" {
	fill
	co-index-query --mode=fts train
	encoder
	sed -i '2i touch begun; while [ ! -e go ]; do sleep .1; done' bin/encoder
	co-index-update --vectors >one &
	until [ -e begun ]; do sleep .1; done
	co-index-update --vectors >two &
	sleep .3
	touch go
	wait
	cat one two asked # shown if the test fails
	[ "$(wc -l <asked)" = 6 ]
	grep -qx '6 vectors made' one two
}

@test "a query makes at most one batch of vectors with a slow encoder" {
	local i
	encoder
	for i in $(seq 300); do
		echo "{\"content\": \"number $i\"}"
	done | co-memory-save --batch >saved
	run -0 --separate-stderr co-index-query --mode=hybrid -n 1 'number things'
	[ "$stderr" = 'co-index-query: 44 documents have no vector yet: run co-index-update --vectors' ]
	[ "$(wc -l <asked)" = 257 ]
	run -0 co-index-update --vectors
	[ "${lines[0]}" = '44 vectors made' ]
	run -0 --separate-stderr co-index-query --mode=hybrid -n 1 'number things'
	[ -z "$stderr" ]
}

@test "queries keep what they make after the catalog was lost, too" {
	local left
	encoder
	seq 9 | sed 's/.*/{"content": "number &"}/' | co-memory-save --batch >saved
	co-index-update --vectors
	rm "$HOME"/.cache/co-cli/*/files
	seq 10 600 | sed 's/.*/{"content": "number &"}/' | co-memory-save --batch >saved
	: >asked
	for left in 335 79; do
		run -0 --separate-stderr co-index-query --mode=hybrid -n 1 'number things'
		[ "$stderr" = "co-index-query: $left documents have no vector yet: run co-index-update --vectors" ]
	done
	run -0 --separate-stderr co-index-query --mode=hybrid -n 1 'number things'
	[ -z "$stderr" ]
	[ "$(wc -l <asked)" = 594 ] # 591, and the question three times
}

@test "a query makes one batch for all kinds of documents together" {
	local i
	encoder
	for i in $(seq 900); do
		printf '# Part %d\n\nThe train %d.\n\n' "$i" "$i"
	done | co-article-save -q --source=https://example.org/trains
	seq 300 | sed 's/.*/{"content": "The note &"}/' |
		co-memory-save --batch >saved
	run -0 --separate-stderr co-recall --mode=hybrid 'train things'
	[ "$(wc -l <asked)" = 257 ]
	[[ $output == *'train'* ]]
}

@test "all vectors are rebuilt if the encoder changes their dimension" {
	fill
	encoder
	found --mode=vector train
	sed -i 's/"t","s"/"t","s","r"/' bin/encoder
	run -0 --separate-stderr co-index-query --mode=vector train
	[[ $stderr == *'were damaged, and are rebuilt' ]]
	[ "${#lines[@]}" -gt 1 ]
	run -0 --separate-stderr co-index-query --mode=vector train
	[ -z "$stderr" ]
	[ "$(wc -l <asked)" = 15 ]
}

@test "a helper program is not run if a document has the whole query" {
	fill
	encoder
	run -0 co-index-query --mode=hybrid 'coffee breakfast'
	[ ! -s asked ]
	run -0 co-index-query --mode=hybrid 'coffee supper'
	[ "$(wc -l <asked)" = 7 ]
}

@test "each encoder has its own file of vectors" {
	fill
	first puppy
	encoder
	found --mode=vector puppy
	[ "$(find "$HOME/.cache/co-cli" -name 'vectors-*' | wc -l)" = 2 ]
	use_static
	[ "$(first puppy)" = '1 ' ]
}

@test "search is right while others save and edit" {
	local i pids=()
	fill
	first puppy
	for i in 1 2; do
		(for j in $(seq 15); do
			echo "note $i $j about trains" | co-memory-save
		done) >/dev/null 2>>err &
		pids+=($!)
	done
	(for j in $(seq 30); do
		echo "Edited $j" >>"$memories/006-m.md"
	done) &
	pids+=($!)
	for i in $(seq 10); do
		(for j in $(seq 5); do
			[[ $(found --mode=hybrid -n 40 puppy) == 1' '* ]] ||
				echo "wrong" >>err
		done) 2>>err &
		pids+=($!)
	done
	wait "${pids[@]}"
	[ ! -s err ] || { cat err; false; }
	[ "$(found --mode=vector -n 40 'railway station' | wc -w)" -gt 10 ]
}

@test "recall searches by meaning by default, even in a small store" {
	local i
	for i in $(seq 9); do
		echo "{\"content\": \"Row $i is of some use.\"}"
	done | co-memory-save --batch >saved
	run -1 co-recall puppy
	echo 'My dog chased the ball.' | co-memory-save >saved
	run -0 co-recall -n 1 puppy
	[[ $output == *'My dog chased the ball.'* ]]
	run -0 --separate-stderr co-recall -n 1 --explain puppy
	[[ $stderr == *'mode hybrid'* ]]
	run -1 co-recall --mode=fts puppy
	echo '{"embed.provider": "none"}' >"$global/settings.json"
	run -1 --separate-stderr co-recall puppy
	[ -z "$stderr" ]
}

@test "in a large store, recall does not show chance neighbours as results" {
	local a b n=0 words=(server button window thread pointer parser syntax
		keyboard network password folder database printer monitor
		compiler variable function socket packet buffer directory
		library terminal pixel browser cursor memory kernel driver
		script editor scheduler)
	for a in {0..31}; do
		for ((b = a + 1; b < 32; b++)); do
			echo "{\"content\": \"${words[a]} ${words[b]} $((n += 1))\"}"
		done
	done | co-memory-save --batch >saved
	fill() { echo "$1" | co-memory-save >saved; }
	fill 'User runs each morning'
	fill 'Lunch is at noon'
	fill 'Ada was born in spring'
	fill 'Meetings bore everybody'
	run -1 --separate-stderr co-recall puppy
	expect <<<"No memories found matching 'puppy'"
	run -0 co-recall --mode=hybrid puppy
	fill 'My dog chased the ball.'
	run -0 co-recall --format='%(summary) %(partial)' puppy
	[ "${lines[0]}" = 'My dog chased the ball. partial' ]
}

# recalled MODE QUERY: print the ids of the memories found, best first.
recalled() {
	co-recall --mode="$1" --format='%(id)' -n 9 "$2" | tr '\n' ' '
}

@test "recall finds the same by default as hybrid search" {
	fill
	memory 7 2026-01-07T00:00:00Z '' <<<'The queue drops jobs under load.'
	local question
	for question in 'music in the park' 'who drops the train' \
		'queue of coffee' 'compiler program'; do
		[ "$(recalled auto "$question")" = \
			"$(recalled hybrid "$question")" ]
	done
	# Chance neighbours stay, except below a twentieth of the best score.
	[ "$(recalled auto 'jobs of the orchestra')" = "$(recalled hybrid 'jobs of the orchestra')" ]
	[ "$(recalled auto 'jobs of the orchestra' | wc -w)" -lt 7 ]
	# If a memory has all words, chance neighbours are left out.
	[ "$(recalled auto 'queue jobs')" = '7 ' ]
	[ "$(recalled hybrid 'queue jobs')" = '7 ' ]
}

@test "recall finds nothing for a query about other subjects" {
	fill
	memory 7 2026-01-07T00:00:00Z '' <<<'What does one do with a good morning?'
	local question='how do I boil a good lobster thermidor with hollandaise'
	[ "$(recalled auto "$question")" = '' ]
	run -1 co-index-query --mode=auto "$question"
	[ -z "$output" ]
	[[ $(recalled hybrid "$question") == 7' '* ]]
	[ "$(co-index-query --mode=auto --format='%(id)' -n 1 'a good morning')" = 7 ]
	# A literal match is found anyway.
	memory 8 2026-01-08T00:00:00Z '' <<<"To do: $question"
	[[ $(recalled auto "$question") == 8' '* ]]
}

@test "a killed update keeps the vectors that it has written" {
	local i zeros
	zeros=$(yes 0, | head -n 8190 | tr -d '\n')
	# The encoder kills its parent once, when it gets the last text. Two
	# batches of 256, over 4 MiB, are then written.
	cat >bin/encoder <<-END
		#!/bin/sh
		cd "$PWD" && tee texts >>asked
		! grep -q 'Row 1"' texts || ! mkdir killed || kill -9 \$PPID
		sed 's/.*"text": *"Row \([0-9]*\).*/{"vector": [\1, ${zeros} 700]}/' texts
	END
	chmod +x bin/encoder
	echo '{"embed": {"provider": "command", "command": "encoder"}}' \
		>"$global/settings.json"
	for i in $(seq 600); do
		echo "{\"content\": \"Row $i\"}"
	done | co-memory-save --batch >saved
	run -137 co-index-update --vectors
	run -0 --separate-stderr co-index-update --vectors
	[ "${lines[0]}" = '88 vectors made' ]
	[ "$(stat -c %s "$(kept)")" -gt $((600 * 8192)) ]
	[ "$(found --mode=hybrid -n 1 'Row 600')" = '600 ' ]
	[ "$(wc -l <asked)" -eq $((600 + 88)) ]
}

# save_rows FIRST LAST: save a memory for each number.
save_rows() {
	seq "$1" "$2" | sed 's/.*/{"content": "Row & is of some use."}/' |
		co-memory-save --batch >saved
}

@test "vectors made in several updates are appended, and none is made twice" {
	rm "$global/settings.json"
	save_rows 1 20
	run -0 co-index-update --vectors
	[ "${lines[0]}" = '20 vectors made' ]
	local inode
	inode=$(stat -c %i "$(kept)")
	save_rows 21 220
	run -0 co-index-update --vectors
	[ "${lines[0]}" = '200 vectors made' ]
	run -0 co-index-update --vectors
	[ "${lines[0]}" = '0 vectors made' ]
	[ "$(stat -c %i "$(kept)")" = "$inode" ]
	co-index-query --mode=vector --format='%(id) %(score)' 'row 77' >before
	rm "$(kept)"
	run -0 co-index-update --vectors
	[ "${lines[0]}" = '220 vectors made' ]
	run -0 co-index-update --vectors
	[ "${lines[0]}" = '0 vectors made' ]
	co-index-query --mode=vector --format='%(id) %(score)' 'row 77' >after
	diff before after
}
