#!/usr/bin/env bats
# Test drafts while many processes save, list, accept, edit, reject and undo.
load lib

# decide HOW N: run co-review HOW on some of the listed drafts, N times. It is
# no failure if another process was faster.
decide() {
	local id status
	for _ in $(seq "$2"); do
		for id in $(co-memory-list --drafts --format='%(id)' |
			shuf -n 4); do
			status=0
			co-review "$1" "$id" >>"$BATS_TEST_TMPDIR/done" \
				2>>"$BATS_TEST_TMPDIR/err" || status=$?
			[ "$status" -le 1 ] || echo "$1 $id: $status" >&3
		done
	done
}

# killed PROGRAM ARG...: run it, and kill it at a random moment.
killed() {
	"$@" >/dev/null 2>&1 &
	sleep "0.00$((RANDOM % 10))"
	kill -9 $! 2>/dev/null || :
	wait $! 2>/dev/null || :
}

# each_once N: check that the texts `draft 1` to `draft N` exist once each.
each_once() {
	diff <(for i in $(seq "$1"); do echo "draft $i"; done | sort) \
		<(find .co-cli -name '*.md' -exec tail -qn 1 {} + | sort)
}

# ids_once: check that no two memories have the same id.
ids_once() {
	[ -z "$(sed -n 's/^id: //p' $memories/*.md | sort | uniq -d)" ]
}

save_some() {
	for i in $(seq "$1" "$2"); do
		echo "draft $i" | co-memory-save --draft --unless-known \
			--source="p$1" >/dev/null
	done
}

@test "drafts saved and decided in parallel are neither lost nor duplicated" {
	mkdir .co-cli
	save_some 1 5
	save_some 6 25 &
	save_some 26 45 &
	decide --accept 8 &
	decide --accept 8 &
	decide --reject 3 &
	for _ in $(seq 20); do
		co-review --list >/dev/null 2>>"$BATS_TEST_TMPDIR/lister"
		co-memory-list --json >/dev/null 2>>"$BATS_TEST_TMPDIR/lister"
	done
	wait
	diff /dev/null "$BATS_TEST_TMPDIR/lister"
	each_once 45
	ids_once
	# Each decision that was reported was made once.
	[ -z "$(grep -h '^Location: ' "$BATS_TEST_TMPDIR/done" | sort |
		uniq -d)" ]
}

@test "parallel first saves of one text create one draft" {
	for _ in $(seq 15); do
		rm -rf .co-cli
		for _ in 1 2 3 4 5; do
			co-memory-save --draft --unless-known <<<'draft 1' \
				>/dev/null 2>&1 &
		done
		wait
		each_once 1
	done
}

@test "a draft is in one place after co review is killed at any moment" {
	mkdir .co-cli
	save_some 1 30
	for id in $(seq 30); do
		case $((id % 3)) in
		0) killed co-review --reject "$id" ;;
		*) killed co-review --accept "$id" ;;
		esac
	done
	each_once 30
	ids_once
	co-memory-list --drafts |
		xargs -r -d '\n' co-review --accept >/dev/null
	each_once 30
	ids_once
}

@test "a kill during --accept leaves the old memory or its replacement" {
	mkdir .co-cli
	for id in $(seq 12); do
		echo "draft $id" | co-memory-save >/dev/null
	done
	for id in $(seq 12); do
		echo "draft $((id + 12))" |
			co-memory-save --draft --replaces="$id" >/dev/null
	done
	for id in $(seq 13 24); do
		killed co-review --accept "$id" &
		killed co-review --accept "$id"
		wait
	done
	run -0 co-review --list
	# The next writer completes what a killed process left.
	run -1 co-memory-save --unless-known <<<'draft 1'
	each_once 24
	ids_once
	# Either the old memory or the new one exists.
	for id in $(seq 12); do
		[ "$(cat $memories/*.md | grep -cxE "draft ($id|$((id + 12)))")" -eq 1 ]
	done
}

@test "parallel interactive reviews decide on each draft once" {
	load terminal
	need_terminal
	mkdir .co-cli
	save_some 1 12
	for _ in 1 2 3; do
		yes 'y' | head -n 12 | "$CO_BIN/../t/tool/sys/pty" co-review \
			>>"$BATS_TEST_TMPDIR/screens" &
	done
	wait
	[ "$(grep -c '✓ Accepted' "$BATS_TEST_TMPDIR/screens")" -eq 12 ]
	each_once 12
	ids_once
}

@test "an edit in a review is kept if another process accepts the draft" {
	load terminal
	need_terminal
	mkdir .co-cli
	save_some 1 12
	editor 'sed -i "s/^draft .*/& edited/" "$1"'
	yes $'e\ny' | head -n 24 | "$CO_BIN/../t/tool/sys/pty" co-review >screen &
	for id in $(seq 12 -1 1); do
		co-review --accept "$id" >/dev/null 2>&1 || :
	done
	wait
	[ -s screen ]
	diff <(seq 12) <(find .co-cli -name '*.md' -exec tail -qn 1 {} + |
		sed -n 's/^draft \([0-9]*\)\( edited\)*$/\1/p' | sort -n)
	ids_once
	# Each edit is in the store, or in the file that the review named.
	sed -n "s/.*the edit is kept in '\(.*\)'.*/\1/p" screen |
		while read -r file; do
			grep -q edited "$file"
		done
}
