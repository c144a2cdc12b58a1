#!/usr/bin/env bats
# Many concurrent readers and writers.
# bats file_tags=rights
load lib

ids() {
	sed -n 's/^id: //p' "$@" | sort -n
}

@test "8 processes with 10 saves each get 80 ids, and all text is kept" {
	for p in {1..8}; do
		for i in {1..10}; do
			echo "process $p number $i" | co-memory-save ||
				echo "failed: $p $i" >&3
		done >"$BATS_TEST_TMPDIR/out.$p" 2>/dev/null &
	done
	# Concurrent readers see no partial file and get no error.
	for i in $(seq 20); do
		co-memory-next-id >/dev/null
	done
	wait
	diff <(seq 80) <(ids $memories/*.md)
	[ "$(cat "$BATS_TEST_TMPDIR"/out.* | sort -u | wc -l)" -eq 80 ]
	[ "$(tail -qn 1 $memories/*.md | sort -u | wc -l)" -eq 80 ]
	[ -z "$(find .co-cli -name '.co-tmp*')" ]
	[ "$(co-memory-next-id)" = 81 ]
}

@test "saves that are killed at random lose no acknowledged memory" {
	co-memory-save <<<first
	for p in 1 2 3 4; do
		for i in $(seq 15); do
			echo "process $p number $i" | {
				co-memory-save 2>/dev/null &
				sleep "0.00$((RANDOM % 10))"
				kill -9 $! 2>/dev/null || :
				wait $! 2>/dev/null || :
			}
		done >"$BATS_TEST_TMPDIR/out.$p" 2>/dev/null &
	done
	wait
	age_litter
	co-memory-save <<<last
	cat "$BATS_TEST_TMPDIR"/out.* | while read -r path; do
		[ "$(tail -n 1 "$path" | cut -c 1-8)" = "process " ]
	done
	[ -z "$(ids $memories/*.md | uniq -d)" ]
	[ -z "$(find .co-cli -name '.co-tmp*')" ]
}

@test "removals and restores during saves lose and duplicate nothing" {
	for i in $(seq 20); do
		echo "{\"content\":\"old $i\"}"
	done | co-memory-save --batch >/dev/null 2>&1
	for i in $(seq 20); do
		co-memory-remove "$i" | co-memory-restore >/dev/null
	done &
	for i in $(seq 20); do
		echo "new $i" | co-memory-save >/dev/null
	done &
	wait
	diff <(seq 40) <(ids $memories/*.md)
	[ "$(tail -qn 1 $memories/*.md | sort -u | wc -l)" -eq 40 ]
}

@test "concurrent batches get distinct ids" {
	for p in 1 2 3; do
		for i in $(seq 300); do
			echo "{\"content\":\"batch $p $i\"}"
		done | co-memory-save --batch >"$BATS_TEST_TMPDIR/out.$p" \
			2>/dev/null &
	done
	wait
	diff <(seq 900) <(ids $memories/*.md)
	[ "$(cat "$BATS_TEST_TMPDIR"/out.* | sort -u | wc -l)" -eq 900 ]
}

@test "a batch does not lock the store while it waits for its input" {
	co-memory-save <<<one
	run -0 --separate-stderr timeout 600 bash -c '
		{ echo "{\"content\":\"two\"}"; sleep 0.3
		co-memory-remove 1 >&2; echo "{\"content\":\"three\"}"; } |
		co-memory-save --batch'
	expect <<-EOT
		$PWD/$memories/002-two.md
		$PWD/$memories/003-three.md
	EOT
}
