#!/usr/bin/env bats
# Test parallel harvests, and a harvest while a person edits. To test every
# moment, one process is stopped at each system call.
load lib

U=01234567-89ab-cdef-0123-456789abcdef

setup() {
	world
	k=.co-cli/knowledge
	reclaim=$CO_BIN/../t/tool/harvest/reclaim
	mkdir -p first/conversations asked "$global"
	# The model answers when NEED harvests wait for it.
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
	echo '{"llm.provider":"command","llm.command":["'"$PWD/model"'"]}' \
		>"$global/settings.json"
	echo '{"facts": ["F", "G"], "tasks_open": ["T"]}' >reply
	echo '{"facts": ["f1", "f2"], "tasks_open": ["t"]}' \
		>"$BATS_TEST_TMPDIR/in"
}

@test "two harvests of one conversation add its items once" {
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

@test "two harvests of different conversations keep each other's items" {
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

# stopped NAME N COMMAND...: run COMMAND, stop it after its Nth call of NAME,
# and run $edit meanwhile. Return its status, or 1 if it has no such call.
stopped() {
	local name=$1 n=$2 trace=$BATS_TEST_TMPDIR/trace
	shift 2
	[ -p "$trace.pipe" ] || mkfifo "$trace.pipe"
	strace -f -qq -o "$trace.pipe" -e "trace=$name" \
		-e "inject=$name:signal=STOP:when=$n" "$@" \
		<"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" \
		2>"$BATS_TEST_TMPDIR/err" 3>&- &
	local strace=$! line found=
	: >"$trace"
	# Each line begins with the process id.
	while IFS= read -r line; do
		printf '%s\n' "$line" >>"$trace"
		[[ $line == *'stopped by SIGSTOP'* ]] || continue
		found=1
		"$edit"
		kill -CONT "${line%% *}"
	done <"$trace.pipe"
	if [ -z "$found" ]; then
		wait $strace
		return 1
	fi
	wait $strace
}

# survives EDIT NAME...: check that nothing is lost if EDIT runs at any call of
# each NAME.
survives() {
	local edit=$1 name n status
	shift
	need_strace
	for name; do
		for ((n = 1; ; n++)); do
			rm -rf .co-cli "$HOME/.local/state" # a log for each store
			mkdir -p $k first/conversations
			printf '# Facts\n\n- mine\n' >$k/facts.md
			echo hello >first/conversations/one
			status=0
			stopped $name $n "$reclaim" \
				"$PWD/first/conversations/one" || status=$?
			[ $status -ne 1 ] || break
			[ $status -eq 0 ]
			[ "$(grep -cx -e '- mine' -e '- of a person' $k/facts.md)" = 2 ]
			run -0 co-item-list
			[ "${#lines[@]}" = 5 ] || {
				echo "$name $n: $output"
				tail -n 5 "$BATS_TEST_TMPDIR/trace"
				return 1
			}
			[ ! -e first/conversations/one ]
			[ "$(grep -c '"deleted": true' $k/ledger.json)" = 1 ]
		done
		[ $n -gt 3 ]
	done
}

in_place() {
	echo '- of a person' >>$k/facts.md
}

by_rename() {
	cp $k/facts.md $k/.facts.md.swp
	echo '- of a person' >>$k/.facts.md.swp
	mv $k/.facts.md.swp $k/facts.md
}

@test "a person's edit in place is kept, whenever it happens" {
	survives in_place renameat2 read
}

@test "an edit by a rename is kept, whenever it happens" {
	survives by_rename fsync renameat2
}

# bats test_tags=slow
@test "edits of both kinds are kept at the other system calls" {
	survives in_place fsync
	survives by_rename read
}

# deleted_at NAME...: check that a harvest succeeds if the conversation is
# deleted at any call of each NAME after the ledger exists.
deleted_at() {
	local edit=delete name n status removed
	need_strace
	for name; do
		for ((n = 1; ; n++)); do
			rm -rf .co-cli "$HOME/.local/state" # a log for each store
			mkdir -p $k first/conversations
			echo hello >first/conversations/one
			status=0
			stopped $name $n "$reclaim" \
				"$PWD/first/conversations/one" || status=$?
			[ $status -ne 1 ] || break
			[ $status -eq 0 ]
			[ "$(grep -c '"status": ' $k/ledger.json)" = 1 ]
			grep -q '"status": "harvested"' $k/ledger.json
			grep -q '"deleted": true' $k/ledger.json
		done
		[[ $removed == *$name* ]]
	done
}

delete() {
	[ -s $k/ledger.json ] || return 0
	[ ! -e first/conversations/one ] || removed+="$name "
	rm -f first/conversations/one
}

@test "a harvest succeeds if another process deletes the conversation" {
	deleted_at read
}

# bats test_tags=slow
@test "a harvest succeeds if the file is deleted at the other system calls" {
	deleted_at openat newfstatat
}

@test "a harvest succeeds if a later conversation is deleted meanwhile" {
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
