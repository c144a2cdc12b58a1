#!/usr/bin/env bats
# A store of 1,000 malicious files (see t/hostile) with 20 good memories: every reader
# ends soon, needs little memory, shows the good memories, and prints nothing that acts
# on the terminal or the agent.
load lib

setup_file() {
	hostile "$BATS_FILE_TMPDIR" 1000
}

# hostile DIR N: make a store of N hostile memories in DIR.
hostile() {
	local knowledge=$1/.co-cli/knowledge
	local removal=$knowledge/trash/20260101T000000Z-1
	mkdir -p "$knowledge/memories" "$knowledge/drafts" "$removal"
	"$CO_SOURCE/t/hostile" "$knowledge/memories" "$2"
	"$CO_SOURCE/t/hostile" "$knowledge/drafts" 200
	"$CO_SOURCE/t/hostile" "$removal" 200
}

setup() {
	world
	cd "$BATS_FILE_TMPDIR" || return 1
	out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err
}

# limited COMMAND...: run COMMAND with 60 seconds of processor time and 256 MiB.
# Sanitizers need more memory. The timeout ends a command that hangs.
limited() {
	(
		case $CO_BIN in
		*/san/*) ulimit -t 60 ;;
		*) ulimit -t 60 -v 262144 ;;
		esac
		exec timeout 600 "$@"
	) >"$out" 2>"$err" </dev/null
}

# no_controls FILE TITLE: report control characters in FILE, except tabs and newlines.
no_controls() {
	! LC_ALL=C grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$1" ||
		echo "$2: control characters"
}

# good_ids: print the ids of the good memories in the JSON in $out, on one line.
good_ids() {
	jq -r 'select(.id > 100 and .id < 121) | .id' "$out" | sort | xargs
}

good=$(seq 101 120 | xargs)

# readers: check that each reader of the store ends with its status, within the limits.
readers() {
	{
		echo '0 co-memory-list'
		echo '0 co-memory-list --drafts --sort=created'
		echo '0 co-memory-list --trash -r -n 5'
		echo '0 co-memory-list --tag=honest --since=2025-12-31'
		echo '0 co-memory-grep -c -v zzz'
		echo '1 co-memory-grep (x+)+y'
		echo '0 co-memory-grep -F here'
		echo '0 co-memory-show 101'
		echo '1 co-memory-show 99998'
		echo '0 co-memory-next-id'
		echo '0 co-recall honest 7'
		echo '0 co-knowledge --list'
		echo '3 co-knowledge --check'
		echo '0 co-knowledge --stats'
		echo '0 co-status'
		echo '0 co-context-load'
		echo '1 co-forget -n nothing like this'
	} | while read -r want name rest; do
		status=0
		# shellcheck disable=SC2086
		limited "$name" $rest || status=$?
		[ $status -eq "$want" ] || echo "$name $rest: status $status"
		no_controls "$err" "$name $rest"
		[ "$(wc -l <"$err")" -le 13 ] || echo "$name $rest: is loud"
	done >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
}

# records: check that JSON is UTF-8 and has the good memories.
records() {
	for command in 'co-memory-list' 'co-memory-grep .' 'co-memory-grep honest' \
		'co-memory-list --drafts' 'co-memory-list --trash' \
		'co-recall -n 9999 here'; do
		# shellcheck disable=SC2086
		limited $command --json
		iconv -f UTF-8 -t UTF-8 "$out" >/dev/null
		no_controls "$out" "$command"
		[ "$(good_ids)" = "$good" ] || echo "$command: $(good_ids)"
	done >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
	[ "$(jq -r 'select(.id == 107) | .content' "$out")" = 'honest 107 is here' ]
}

# paths: check that each listed memory is shown.
paths() {
	limited co-memory-list --json
	jq -r .id "$out" | sort >"$BATS_TEST_TMPDIR/want"
	co-memory-list -z 2>/dev/null | co-memory-show -z --json |
		tr '\0' '\n' | jq -r .id | sort |
		diff -u "$BATS_TEST_TMPDIR/want" -
}

# texts: check that text for people and prompts has no control character or wrapper.
texts() {
	for command in 'co-recall -n 9999 obey' 'co-recall -n 9999 x' \
		'co-knowledge --list' 'co-status' 'co-forget -n x'; do
		# shellcheck disable=SC2086
		limited $command || [ $? -eq 1 ]
		no_controls "$out" "$command"
		! grep -qaiE '<[^a-z]*system-reminder' "$out" ||
			echo "$command: a wrapper"
		[ -s "$out" ] || echo "$command: says nothing"
	done >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
}

@test "every reader of a malicious store ends within its limits" {
	readers
}

@test "JSON records of a malicious store are UTF-8 and have the good memories" {
	records
}

@test "NUL-separated paths lead to the same memories, whatever their names" {
	paths
}

@test "text for people and prompts has no control character and no wrapper" {
	texts
}

# bats test_tags=slow
@test "readers of 10,000 malicious files end within their limits" {
	cd "$BATS_TEST_TMPDIR/project"
	hostile . 10000
	readers
	records
	paths
	texts
}

@test "reading a malicious store changes no file and runs no program" {
	find .co-cli | cksum >"$BATS_TEST_TMPDIR/before"
	limited co-memory-list --json
	limited co-knowledge --check || [ $? -eq 3 ]
	find .co-cli | cksum | diff -u "$BATS_TEST_TMPDIR/before" -
	run -0 find . "$HOME" -name pwned
	expect </dev/null
	[ "$(wc -l <.co-cli/knowledge/memories/101-honest.md)" -eq 8 ]
}

@test "a memory is saved, removed and restored in a malicious store" {
	cd "$BATS_TEST_TMPDIR/project"
	mkdir -p "$memories"
	"$CO_SOURCE/t/hostile" "$memories" 600
	find "$memories" -mindepth 1 | sort | cksum >before
	limited co-memory-next-id
	id=$(<"$out")
	run -0 co-memory-save --json <<<'a new one'
	[ "$(jq -r .memory_id <<<"${lines[-1]}")" -eq "$id" ]
	limited co-memory-remove 110 "$id"
	limited co-memory-list --json
	[ "$(good_ids)" = "${good/110 /}" ]
	limited co-memory-restore 110
	limited co-memory-list --json
	[ "$(good_ids)" = "$good" ]
	find "$memories" -mindepth 1 | sort | cksum | diff -u before -
}
