#!/usr/bin/env bats
# Twice as much of anything makes no work more than three times as much.
#
# Work is instructions, which a busy machine does not change; a test that takes
# the square of something takes four times as many.
load lib

setup() {
	world
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		co-memory-next-id >/dev/null 2>&1 ||
		skip 'valgrind is missing or cannot run these programs'
	mkdir -p $memories
}

# work COMMAND...: the instructions that it takes.
work() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		--trace-children=yes --log-file=calls "$@" >out 2>err || :
	awk '/Collected :/ { n += $NF } END { print n + 0 }' calls
}

# each N TEXT: TEXT N times, % being the number from 1.
each() {
	awk -v n="$1" -v text="$2" 'BEGIN {
		for (i = 1; i <= n; i++) {
			t = text
			gsub("%", i, t)
			printf "%s", t
		}
	}'
}

# grows N MAKE COMMAND...: with what `MAKE n` makes for N and for twice N.
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
	# Known to the cache, and old enough to be believed.
	find .co-cli -exec touch -h -d '2026-01-02' {} +
	co-memory-next-id >/dev/null
	echo y >input
}

@test "removals" {
	grows 500 removals co-memory-next-id
	grows 500 removals co-memory-save
}

doubled() {
	local i
	for ((i = 1; i <= $1; i++)); do
		{ head 7 && echo "$i"; } >"$memories/007-$i.md"
	done
	: >input
}

@test "files of one id" {
	grows 300 doubled co-memory-show 7
	grep -q 'stands twice' err
	grows 300 doubled co-knowledge --check
}

tags() {
	printf '{"content":"x","tags":["t"%s]}\n' "$(each "$1" ',"t%"')" >input
}

keys() {
	printf '{"content":"x"%s}\n' "$(each "$1" ',"k%":1')" >input
}

@test "tags and keys of one memory" {
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

@test "memories, each with tags and a source of its own" {
	grows 300 of_each co-knowledge --stats
	grows 200 of_each co-memory-remove
}

drafted() {
	each "$1" '{"content":"draft %"}@' | tr @ '\n' |
		co-memory-save --batch --draft >/dev/null
	: >input
}

@test "drafts" {
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

@test "headings, items and marks of one text" {
	grows 500 article co-index-query text
	local one
	for one in headings items quotes nested backquotes comments; do
		grows 2000 "$one" co-context-load --for=9000
		grows 900 "$one" co-learn --always new
	done
}

# Other projects of the user, of each of which the cache knows something.
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

@test "projects" {
	grows 20 projects co-status
}
