#!/usr/bin/env bats
# Test co-recall --batch, which keeps the index open between queries. Its
# answers must equal those of a new process, whatever other processes do.
load lib

setup() {
	world
	export XDG_CACHE_HOME=$HOME/.cache
	mkdir -p "$memories" "$XDG_CACHE_HOME"
	co-memory-save <<<'Deploys happen on Tuesdays' >/dev/null
	co-memory-save <<<'The parser is written by hand' >/dev/null
	co-memory-save <<<'Integration tests need Docker' >/dev/null
}

teardown() {
	[ -z "${mouth:-}" ] || exec {mouth}>&-
}

# serve: start a batch process.
serve() {
	coproc RECALL { exec co-recall --batch --json 2>>complaints; }
	exec {ears}<&"${RECALL[0]}" {mouth}>&"${RECALL[1]}"
	eval "exec ${RECALL[1]}>&- ${RECALL[0]}<&-"
}

# ask LINE: print the answer, with the status as the last line.
ask() {
	local line
	printf '%s\n' "$1" >&"$mouth"
	while IFS= read -r -t 60 line <&"$ears"; do
		printf '%s\n' "$line"
		[[ $line == [0-9] ]] && return
	done
	return 1
}

# right QUERY...: check that the answers equal those of a new process without a
# cache.
right() {
	local query
	for query; do
		ask "{\"query\":\"$query\"}"
	done >got
	printf '{"query":"%s"}\n' "$@" >questions
	XDG_CACHE_HOME=/dev/null co-recall --batch --json \
		<questions >want 2>/dev/null
	diff -u want got
}

words=(deploys parser docker 'what is written by hand?' nothing)

all() {
	right "${words[@]}"
}

@test "each input line is a query, and its exit status ends the answer" {
	serve
	run -0 ask '{"query":"deploys"}'
	[ "${#lines[@]}" = 2 ]
	[ "${lines[1]}" = 0 ]
	run -0 ask '{"query":"zebra"}'
	expect <<<1
	run -0 ask '{"query":"deploys parser docker","max":1}'
	[ "${#lines[@]}" = 2 ]
	run -0 ask '{"query":"deploys","kind":"item"}'
	expect <<<1
	run -0 ask '{"query":" "}'
	expect <<<2
	for line in '{' '[]' '{"query":7}' '{}' \
		'{"query":"x","max":0}' '{"query":"x","kind":"all"}' ''; do
		run -0 ask "$line"
		expect <<<3
	done
	[ "$(grep -c 'no question' complaints)" = 7 ]
	run -0 ask '{"query":"deploys"}'
	[ "${lines[1]}" = 0 ]
	run -2 co-recall --batch deploys
	# right() runs one program for all words. Check that it equals one for
	# each.
	for query in "${words[@]}"; do
		XDG_CACHE_HOME=/dev/null co-recall --json "$query" && status=0 || status=$?
		echo $status
	done >one
	right "${words[@]}"
	diff -u one got
}

@test "an open batch notices saves, edits, moves and removals at once" {
	serve
	all
	co-memory-save <<<'Docker is replaced by podman' >/dev/null
	all
	right podman
	sed -i 's/Tuesdays/Thursday/' $memories/001-*.md
	all
	right thursday tuesdays
	mv $memories/002-*.md $memories/002-other.md
	all
	co-memory-remove 3 >/dev/null
	all
	co-memory-restore 3 >/dev/null
	all
	printf -- '---\nid: 9\n---\nparser\n' >$memories/009-broken.md
	all
	run -0 grep -c 009-broken.md complaints
	expect <<<5
	rm $memories/*
	all
}

@test "an open batch answers after its index is rebuilt or its cache removed" {
	serve
	all
	co-index-update --rebuild >/dev/null
	all
	co-memory-save <<<'podman' >/dev/null
	co-index-update --rebuild >/dev/null
	all
	right podman
	rm -rf "${XDG_CACHE_HOME:?}"/co-cli
	all
	[ -n "$(find "$XDG_CACHE_HOME" -name knowledge.db)" ]
	rm "$XDG_CACHE_HOME"/co-cli/*/knowledge.db
	all
	rm "$XDG_CACHE_HOME"/co-cli/*/files
	all
	for file in files knowledge.db; do
		for at in 8 300 700 2000 9000; do
			printf '\377' | dd of="$(echo "$XDG_CACHE_HOME"/co-cli/*/$file)" \
				bs=1 seek=$at conv=notrunc status=none
			all
		done
	done
}

@test "an open batch notices a switched branch and a replaced store" {
	local i
	serve
	all
	cp -R .co-cli one
	cp -R .co-cli two
	rm two/knowledge/memories/001-*
	(cd two/knowledge/memories && echo more >>"$(echo 002-*)")
	for i in 1 2 3; do
		cp two/knowledge/memories/002-* $memories
		rm $memories/001-*
		all
		cp one/knowledge/memories/* $memories
		all
	done
	mv .co-cli three
	all
	mv two .co-cli
	all
	rm -r .co-cli
	mv three .co-cli
	all
	mkdir -p "$global/knowledge/memories"
	co-memory-save --global <<<'Deploys are of no matter to the user' >/dev/null
	all
}

@test "two open batches and other writers do not disturb each other" {
	local i first second
	serve
	first=("$ears" "$mouth")
	serve
	second=("$ears" "$mouth")
	for i in 1 2 3 4 5; do
		co-memory-save <<<"Deploys of kind $i" >/dev/null
		ears=${first[0]} mouth=${first[1]}
		all
		sed -i "s/by hand.*/by hand $i/" $memories/002-*.md
		ears=${second[0]} mouth=${second[1]}
		all
		[ "$i" != 3 ] || co-index-update --rebuild >/dev/null
	done
	mouth=${first[1]}
	exec {mouth}>&-
	mouth=${second[1]}
}

@test "an open batch checks each file for each query and reopens nothing" {
	need_strace
	"$CO_SOURCE/t/perf/generate" 300 . >/dev/null
	co-index-update >/dev/null
	sleep 0.05
	co-recall xylophone >/dev/null
	for _ in 1 2 3 4; do
		echo '{"query":"xylophone"}'
	done >questions
	strace -f --seccomp-bpf -qq -s 200 -e trace=newfstatat,fstatat64,openat \
		-o trace \
		co-recall --batch --json --mode=fts <questions >out
	[ "$(grep -c '^0$' out)" = 4 ]
	run -0 grep -cE 'at(64)?\([0-9]+, "[0-9]{3}-[^"]*\.md"' trace
	[ "$output" -ge 1200 ]
	[ "$output" -le 1300 ]
	# Each is opened at most once for four queries.
	[ "$(grep -c 'openat.*"files"' trace)" -le 1 ]
	[ "$(grep -c 'openat.*/knowledge.db"' trace)" -le 1 ]
}
