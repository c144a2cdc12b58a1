#!/usr/bin/env bats
# Two harvests at once, and one while a person edits: what must hold at every
# instant is tried with one of them stopped there, not by chance.
load lib

U=01234567-89ab-cdef-0123-456789abcdef

setup() {
	world
	k=.co-cli/knowledge
	reclaim=$CO_BIN/../t/unit/harvest/reclaim
	mkdir -p first/conversations asked "$global"
	# A model that answers once NEED harvests wait for it.
	cat >model <<-END
		#!/bin/sh
		cat >/dev/null
		cd "$PWD"
		: >asked/\$\$
		n=0
		while [ "\$(ls asked | wc -l)" -lt "\${NEED:-1}" ]; do
			n=\$((n + 1))
			[ \$n -lt 600 ] || exit 1
			sleep 0.1
		done
		cat reply
	END
	chmod +x model
	jq -n --arg m "$PWD/model" '{"llm.provider": "command",
		"llm.command": [$m]}' >"$global/settings.json"
	echo '{"facts": ["F", "G"], "tasks_open": ["T"]}' >reply
	echo '{"facts": ["f1", "f2"], "tasks_open": ["t"]}' \
		>"$BATS_TEST_TMPDIR/in"
}

@test "two that have one conversation in hand add its items once" {
	echo hello >first/conversations/chat-$U
	export NEED=2
	co-harvest --apply first >one 2>&1 3>&- &
	co-harvest --apply first >two 2>&1 3>&-
	wait $!
	[ "$(find asked -type f | wc -l)" = 2 ]
	run -0 co-item-list
	[ "${#lines[@]}" = 3 ]
	[ -z "$(ls first/conversations)" ]
	run -0 jq -c '[.entries[] | [.status, .deleted, .items.facts]]' \
		$k/ledger.json
	expect <<<'[["harvested",true,2]]'
}

@test "two with conversations of their own keep each other's" {
	mkdir -p second/conversations
	echo hello >first/conversations/chat-$U
	echo world >second/conversations/talk-$U
	export NEED=2
	co-harvest --apply first >one 2>&1 3>&- &
	co-harvest --apply second >two 2>&1 3>&-
	wait $!
	run -0 co-item-list
	[ "${#lines[@]}" = 3 ]
	run -0 jq '[.entries[] | select(.deleted)] | length' $k/ledger.json
	expect <<<2
	[ -z "$(find first second -type f)" ]
}

# stopped NAME N COMMAND...: run it, stopped behind its N-th call of NAME while
# "edit" is done: its status, or 1 if it has no such call.
stopped() {
	local name=$1 n=$2 trace=$BATS_TEST_TMPDIR/trace
	shift 2
	rm -f "$trace"
	strace -qq -o "$trace" -e "inject=$name:signal=STOP:when=$n" "$@" \
		<"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" \
		2>"$BATS_TEST_TMPDIR/err" 3>&- &
	local strace=$! pid
	until grep -qs 'stopped by SIGSTOP' "$trace" ||
		! kill -0 $strace 2>/dev/null; do
		sleep 0.01
	done
	if grep -qs 'stopped by SIGSTOP' "$trace"; then
		edit
		for pid in $(ps -o pid= --ppid $strace); do
			kill -CONT "$pid"
		done
	else
		wait $strace
		return 1
	fi
	wait $strace
}

# survives: at each call that reads, syncs or renames, from the first of the
# items' file on.
survives() {
	local name n status
	need_strace
	for name in fsync renameat2 read; do
		for ((n = 1; ; n++)); do
			rm -rf .co-cli
			mkdir -p $k first/conversations
			printf '# Facts\n\n- mine\n' >$k/facts.md
			echo hello >first/conversations/one
			status=0
			stopped $name $n "$reclaim" \
				"$PWD/first/conversations/one" || status=$?
			[ $status -ne 1 ] || break
			[ $status -eq 0 ]
			run -0 grep -cx -e '- mine' -e '- of a person' $k/facts.md
			expect <<<2
			run -0 co-item-list
			[ "${#lines[@]}" = 5 ] || {
				echo "$name $n: $output"
				tail -n 5 "$BATS_TEST_TMPDIR/trace"
				return 1
			}
			[ ! -e first/conversations/one ]
			[ "$(jq '[.entries[] | select(.deleted)] | length' \
				$k/ledger.json)" = 1 ]
		done
		[ $n -gt 3 ]
	done
}

@test "who edits in place keeps what they wrote, whenever that is" {
	edit() {
		echo '- of a person' >>$k/facts.md
	}
	survives
}

@test "so does who saves by a rename" {
	edit() {
		cp $k/facts.md $k/.facts.md.swp
		echo '- of a person' >>$k/.facts.md.swp
		mv $k/.facts.md.swp $k/facts.md
	}
	survives
}

@test "a conversation that another has deleted meanwhile is no failure" {
	edit() {
		[ -s $k/ledger.json ] || return 0
		[ ! -e first/conversations/one ] || removed+="$name "
		rm -f first/conversations/one
	}
	local name n status removed
	need_strace
	for name in openat newfstatat read; do
		for ((n = 1; ; n++)); do
			rm -rf .co-cli
			mkdir -p $k first/conversations
			echo hello >first/conversations/one
			status=0
			stopped $name $n "$reclaim" \
				"$PWD/first/conversations/one" || status=$?
			[ $status -ne 1 ] || break
			[ $status -eq 0 ]
			run -0 jq -c '[.entries[] | [.status, .deleted]]' \
				$k/ledger.json
			expect <<<'[["harvested",true]]'
		done
		[[ $removed == *$name* ]]
	done
}

@test "nor is one whose turn had not come" {
	mkdir -p first/conversations
	echo hello >first/conversations/chat-$U
	echo world >first/conversations/talk-$U
	cat >model <<-END
		#!/bin/sh
		cd "$PWD"
		cat >prompt
		for one in first/conversations/*; do
			grep -qf "\$one" prompt || rm "\$one"
		done
		cat reply
	END
	run -0 co-harvest --apply first
	[ -z "$(find first -type f)" ]
	run -0 jq -c '[.entries[] | [.status, .deleted, .items.facts]]' \
		$k/ledger.json
	expect <<<'[["harvested",true,2]]'
}
