#!/usr/bin/env bats
# Twice the input takes at most three times the work.
#
# Work is counted in instructions, which do not depend on the load of the machine.
# Quadratic work grows fourfold. Callgrind is too slow for `make test`.
#
# bats file_tags=slow
load lib
load cache

setup() {
	world
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		co-memory-next-id >/dev/null 2>&1 ||
		skip 'valgrind is missing or cannot run these programs'
	mkdir -p $memories
}

# work COMMAND...: print the number of instructions that COMMAND takes.
work() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		--trace-children=yes --log-file=calls "$@" >out 2>err || :
	awk '/Collected :/ { n += $NF } END { printf "%.0f\n", n }' calls
}

# each N TEXT: print TEXT N times, with % replaced by the number from 1.
each() {
	awk -v n="$1" -v text="$2" 'BEGIN {
		for (i = 1; i <= n; i++) {
			t = text
			gsub("%", i, t)
			printf "%s", t
		}
	}'
}

# grows N MAKE COMMAND...: compare the work of COMMAND after `MAKE N` and `MAKE 2N`.
grows() {
	local n=$1 make=$2 once twice
	shift 2
	rm -rf .co-cli "$HOME/.cache"
	mkdir -p $memories
	"$make" "$n"
	once=$(work "$@" <input)
	rm -rf .co-cli "$HOME/.cache"
	mkdir -p $memories
	"$make" $((2 * n))
	twice=$(work "$@" <input)
	echo "$make: $* takes $once for $n, $twice for $((2 * n))"
	[ "$once" -gt 100000 ] && [ "$twice" -lt $((3 * once)) ]
}

head() {
	printf -- '---\nid: %s\ncreated: 2026-01-01T00:00:00Z\n%s---\n\n' "$@"
}

removals() {
	local i
	seq -f "$trash/20260101T000000Z-%.0f" "$1" | xargs mkdir -p
	for ((i = 1; i <= $1; i++)); do
		head "$i" >"$trash/20260101T000000Z-$i/$i-x.md"
	done
	# Fill the cache, when the files are old enough to be trusted.
	settle
	co-memory-next-id >/dev/null
	echo y >input
}

# replaced N: make a memory that was replaced N times.
replaced() {
	local i archive=.co-cli/knowledge/archive
	mkdir -p $archive
	for ((i = 1; i <= $1; i++)); do
		head "$i" "superseded: $((i + 1))
" >"$archive/$i-x.md"
	done
	head "$i" '' >"$memories/$i-x.md"
	: >input
}

@test "co knowledge --check is linear in the length of a replacement chain" {
	grows 2000 replaced co-knowledge --check
	grep -q 'no faults found' out
}

@test "next-id and save are linear in the number of removals" {
	grows 500 removals co-memory-next-id
	grows 500 removals co-memory-save
}

@test "a save skips a removal in under 400 instructions" {
	local few more
	mkdir -p $memories
	removals 500
	few=$(work co-memory-save <input)
	rm -rf .co-cli "$HOME/.cache"
	mkdir -p $memories
	removals 2500
	more=$(work co-memory-save <input)
	echo "$few for 500, $more for 2500"
	[ "$few" -gt 100000 ] && [ $(((more - few) / 2000)) -lt 400 ]
}

tagged() {
	local tags='a%, b%, c%, d%, e%'
	awk -v n="$1" -v tags="$tags" -v dir="$memories" 'BEGIN {
		for (i = 1; i <= n; i++) {
			own = tags
			gsub("%", i, own)
			file = dir "/" i "-a.md"
			printf "---\nid: %d\ncreated: 2026-01-01T00:00:00Z\n" \
				"tags: [%s]\n---\n\nx\n", i, own >file
			close(file)
		}
	}'
	settle
	co-memory-next-id >/dev/null
	settle
	co-memory-next-id >/dev/null
}

@test "counting unique tags takes less work than listing the memories" {
	local counted listed
	tagged 2000
	counted=$(work co-knowledge-stats)
	grep -q 'a2000 1' out
	listed=$(work co-memory-list --json)
	echo "$counted to count, $listed to list"
	[ "$counted" -gt 100000 ] &&
		[ $((counted * 100)) -lt $((listed * 80)) ]
}

@test "an index with vectors takes at most 1.6 times the work of one without" {
	local index both
	rm -rf .co-cli
	many 300
	index=$(work co-index-update)
	rm -r "$HOME/.cache"
	both=$(work co-index-update --vectors)
	grep -q '300 vectors made' out
	echo "$index for an index, $both with vectors"
	[ "$index" -gt 1000000 ] && [ $((both * 100)) -lt $((index * 160)) ]
}

doubled() {
	local i
	for ((i = 1; i <= $1; i++)); do
		{ head 7 && echo "$i"; } >"$memories/007-$i.md"
	done
	: >input
}

@test "show and check are linear in the number of files with one id" {
	grows 300 doubled co-memory-show 7
	grep -q 'two files have id' err
	grows 300 doubled co-knowledge --check
}

tags() {
	printf '{"content":"x","tags":["t"%s]}\n' "$(each "$1" ',"t%"')" >input
}

keys() {
	printf '{"content":"x"%s}\n' "$(each "$1" ',"k%":1')" >input
}

@test "save --batch is linear in the tags and keys of a memory" {
	grows 2000 tags co-memory-save --batch
	grows 10000 tags co-memory-save --batch
	grep '64 KiB' err
	grows 6000 keys co-memory-save --batch
}

of_each() {
	each "$1" '{"content":"body %","tags":["a%","b%"],"source":"s%"}@' |
		tr @ '\n' >input
	co-memory-save --batch <input >/dev/null
	co-memory-list >input
}

@test "stats and remove are linear in memories with their own tags and source" {
	grows 300 of_each co-knowledge --stats
	grows 200 of_each co-memory-remove
}

# said N: make N memories with different statements. Every second one is external.
said() {
	awk -v n="$1" -v dir="$memories" 'BEGIN {
		for (i = 1; i <= n; i++) {
			file = dir "/" i "-a.md"
			printf "---\nid: %d\ncreated: 2026-01-01T00:00:00Z\n" \
				"%s---\n\nthe a%d needs b%d and c%d\n", i,
				i % 2 ? "trust: external\n" : "", i, i, i >file
			close(file)
		}
	}'
	: >input
}

@test "the comparison of two unlike memories takes under 500 instructions" {
	local few more
	said 300
	few=$(work co-list --contradicted)
	rm -r "$HOME/.cache"
	said 600
	more=$(work co-list --contradicted)
	grep -q 'no memory matches' err
	echo "$few for 300, $more for 600"
	# 600 memories have 90,000 pairs more than twice the pairs of 300.
	[ "$few" -gt 100000 ] && [ $(((more - 2 * few) / 90000)) -lt 500 ]
}

drafted() {
	each "$1" '{"content":"draft %"}@' | tr @ '\n' |
		co-memory-save --batch --draft >/dev/null
	: >input
}

@test "co status is linear in the number of drafts" {
	grows 200 drafted co-status
}

article() {
	mkdir -p .co-cli/knowledge/articles
	{
		printf -- '---\ntitle: Doc\nsource: "https://example.org"\n'
		printf 'fetched: 2026-02-01T00:00:00Z\n---\n'
		each "$1" '# h%@@text %@@l%@---@@' | tr @ '\n'
	} >.co-cli/knowledge/articles/doc.md
	: >input
}

context() {
	mkdir -p .co-cli/knowledge
	{
		printf -- '---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n'
		each "$2" "$3" | tr @ '\n'
	} >.co-cli/knowledge/context.md
	: >input
}
headings() { context x "$1" '# h%@'; }
items() { context x "$1" '- i%@'; }
quotes() { context x "$1" '> '; }
nested() { context x "$1" '- '; }
backquotes() { context x "$1" '```%`@'; }
comments() { context x "$1" '<!-- <!'; }

@test "query, context and learn are linear in headings, items and marks" {
	grows 500 article co-index-query text
	local one
	for one in headings items quotes nested backquotes comments; do
		grows 2000 "$one" co-context-load --for=9000
		grows 900 "$one" co-learn --always new
	done
}

# projects N: make N other projects of the user that the cache knows.
projects() {
	local i
	mkdir -p one && echo x >input
	for ((i = 1; i <= $1; i++)); do
		[ -d "all/$i" ] || {
			mkdir -p "all/$i/.co-cli/knowledge/memories" &&
				head 1 >"all/$i/.co-cli/knowledge/memories/1.md"
		}
		(cd "all/$i" && co-index-update >/dev/null)
	done
}

@test "co status is linear in the number of projects" {
	grows 20 projects co-status
}

@test "grep takes less than twice the work for Chinese text" {
	local english chinese pattern
	each 600 'The server answers every question that it is asked. @' |
		tr @ '\n' >input
	memory 1 2026-01-01T00:00:00Z a <input
	sed 's/[a-z]\{3\}/服/g; s/T/务/; s/[a-z]/器/g' input >chinese
	memory 2 2026-01-01T00:00:00Z a chinese.md <chinese
	for pattern in xylophone 部署 '-s 部署' '-F xylophone'; do
		# shellcheck disable=SC2086
		english=$(work co-memory-grep $pattern $memories/001-m.md)
		# shellcheck disable=SC2086
		chinese=$(work co-memory-grep $pattern "$PWD/chinese.md")
		echo "$pattern: $english, of Chinese $chinese"
		[ "$chinese" -lt $((2 * english)) ]
	done
}

# conversations N: make N conversations. A harvest adds each to the ledger and deletes
# it.
conversations() {
	rm -rf first
	mkdir -p first/conversations
	seq "$1" | awk '{
		print >sprintf("first/conversations/%s-01234567-89ab-cdef-0123-456789abcdef", $1)
	}'
	: >input
}

# harvested N: make N conversations that the ledger has as harvested.
harvested() {
	conversations "$1"
	co-harvest --apply --no-harvest first >/dev/null
	jq '.entries[].status = "harvested" | .entries[].deleted = false |
		.entries[].items = {}' .co-cli/knowledge/ledger.json >ledger
	mv ledger .co-cli/knowledge/ledger.json
	conversations "$1"
}

@test "harvest and scan are linear in new and in harvested conversations" {
	grows 150 conversations co-harvest --apply --no-harvest first
	[ "$(jq '.entries | length' .co-cli/knowledge/ledger.json)" = 300 ]
	grows 150 conversations co-harvest-scan first
	grows 150 harvested co-harvest --apply first
	[ -z "$(ls first/conversations)" ]
}

lines() {
	local file
	for file in facts decisions questions playbooks tasks; do
		each "$1" "- $file % [from: c%, 2026-02-09]@" | tr @ '\n' \
			>.co-cli/knowledge/$file.md
	done
	echo '{"facts": ["new"]}' >input
}

@test "item commands and the digest are linear in the number of items" {
	grows 500 lines co-item-add
	grows 500 lines co-item-list
	grows 500 lines co-digest-build
}

# uncut N: make N memories, each with 2.4 KB of a tag, which a page cannot cut.
uncut() {
	awk -v n="$1" -v dir="$memories" 'BEGIN {
		while (length(tag) < 2400)
			tag = tag "tag after tag, "
		for (i = 1; i <= n; i++) {
			file = dir "/" i "-a.md"
			printf "---\nid: %d\ncreated: 2026-01-01T00:00:00Z\n" \
				"tags: [\"%s\"]\n---\n\nx\n", i, tag >file
			close(file)
		}
	}'
	settle
	co-memory-next-id >/dev/null
}

@test "co browse does not try again to cut a page for each memory" {
	local spent size
	uncut 16000
	: >input
	spent=$(work co-browse -o page.html <input)
	size=$(stat -c %s page.html)
	echo "$spent for a page of $size bytes"
	[ "$size" -gt 40000000 ] && [ "$spent" -lt $((25 * size)) ]
}

@test "undoing and redoing an acceptance take work that grows with the drafts" {
	local n of=()
	git init -q .
	for n in 50 400; do
		each $n '{"content":"draft % of many"}
' >drafts.jsonl
		co import jsonl drafts.jsonl
		co-memory-list --drafts --format='%(id)' | co review --accept -q -
		of+=("$(work co-undo)" "$(work co-redo)")
		rm -r .co-cli .git/co-cli
	done
	echo "${of[@]}"
	((of[2] < 20 * of[0] && of[3] < 20 * of[1]))
}

@test "undoing and redoing a forget take work that grows with the memories" {
	local n of=()
	git init -q .
	for n in 500 4000; do
		each $n '{"content":"memory % of many"}
' | co-memory-save --batch -q
		co-memory-list --format='%(id)' | xargs co forget -q --yes
		of+=("$(work co-undo)" "$(work co-redo)")
		rm -r .co-cli
	done
	echo "${of[@]}"
	((of[2] < 11 * of[0] && of[3] < 11 * of[1]))
}
