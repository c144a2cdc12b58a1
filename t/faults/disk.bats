#!/usr/bin/env bats
# Test disks that are full, read-only, or lose power. The tests need root for mounts, and are
# skipped without.
load ../lib

setup() {
	world
	disk=$BATS_TEST_TMPDIR/disk
	mkdir "$disk"
	[ "$(id -u)" -eq 0 ] || skip "root is needed to mount"
}

teardown() {
	cd /
	umount "$disk" 2>/dev/null || :
}

mount_here() {
	mount "$@" "$disk" || skip "cannot mount: $*"
	cd "$disk"
}

# status COMMAND...: run COMMAND with the file in as input, and its output in out and err.
# Fail unless it exits 0, or 4 with a line that names the reason.
status() {
	status=0
	"$@" <"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" \
		2>"$BATS_TEST_TMPDIR/err" || status=$?
	[ $status -eq 0 ] || {
		[ $status -eq 4 ] && grep -q ': cannot ' "$BATS_TEST_TMPDIR/err"
	}
}

# store: print the relevant files of the store.
store() {
	[ -d .co-cli/knowledge ] || return 0
	tree .co-cli/knowledge | sed '/gitignore$/,+1d'
}

# with_little COMMAND...: for each number of free KiB, COMMAND is done or not done, readers
# answer, and the next save works once there is room.
with_little() {
	local kib before
	for ((kib = 0; kib <= 40; kib += 2)); do
		rm -rf ./.co-cli fill
		"$prepare" >/dev/null 2>&1
		before=$(store)
		list=$(co-memory-list)
		dd if=/dev/zero of=fill bs=1k 2>/dev/null || :
		truncate -s -$((kib * 1024)) fill
		status "$@" || {
			echo "$kib KiB: $status"
			cat "$BATS_TEST_TMPDIR/err"
			return 1
		}
		[ $status -eq 0 ] || [ "$before" = "$(store)" ]
		[ $status -eq 0 ] || [ "$(co-memory-list)" = "$list" ]
		rm fill
		[ -z "$(find .co-cli -name '.co-tmp*')" ]
		echo next | co-memory-save >/dev/null
	done
	[ $status -eq 0 ]
}

three() {
	local i
	for i in one two three; do
		echo "$i is here" | co-memory-save
	done
}

removed() {
	three
	co-memory-remove 2
}

@test "on a full disk each command is done completely or not at all" {
	mount_here -t tmpfs -o size=160k none
	head -c 5000 /dev/zero | tr '\0' x >"$BATS_TEST_TMPDIR/in"
	prepare=three
	with_little co-memory-save
	with_little co-memory-save --draft
	with_little co-memory-remove 2
	with_little co-learn --always "always so"
	prepare=removed
	with_little co-memory-restore 2
	with_little co-undo
	prepare=:
	with_little co-memory-save
}

# conversation: write a conversation to harvest, and a model that answers for it.
conversation() {
	local prompts=$HOME/.config/co-cli/knowledge/prompts
	mkdir -p "$prompts"
	echo Take >"$prompts/harvest-conversation.md"
	printf '{"llm.provider": "command", "llm.command": ["cat", "%s"]}\n' \
		"$BATS_TEST_TMPDIR/reply" >"$HOME/.config/co-cli/settings.json"
	jq -nc '{facts: [range(40) | "fact number \(.)"], tasks_open: ["task"]}' \
		>"$BATS_TEST_TMPDIR/reply"
	jq -nc '{type: "user", sessionId: "s",
		message: {role: "user", content: "hello"}}' \
		>"$BATS_TEST_TMPDIR/session.jsonl"
}

@test "a conversation that a full disk kept from the harvest is harvested later" {
	local kib few=0
	mount_here -t tmpfs -o size=160k none
	conversation
	: >"$BATS_TEST_TMPDIR/in"
	for ((kib = 40; kib >= 0; kib -= 2)); do
		rm -rf ./.co-cli fill
		mkdir .co-cli
		dd if=/dev/zero of=fill bs=1k 2>/dev/null || :
		truncate -s -$((kib * 1024)) fill
		status co-harvest --apply --reclaim \
			"$BATS_TEST_TMPDIR/session.jsonl"
		few=$((few + (status != 0)))
		[ -e "$BATS_TEST_TMPDIR/session.jsonl" ] ||
			[ "$(co-item-list | wc -l)" -eq 41 ]
		rm fill
		[ -e "$BATS_TEST_TMPDIR/session.jsonl" ] &&
			co-harvest --apply "$BATS_TEST_TMPDIR/session.jsonl" \
				>/dev/null 2>&1
		conversation
		[ "$(co-item-list | wc -l)" -eq 41 ]
		[ -z "$(find .co-cli -name '.co-tmp*')" ]
	done
	[ $few -gt 2 ]
}

@test "without free inodes each command is done completely or not at all" {
	local free
	head -c 500 /dev/zero | tr '\0' x >"$BATS_TEST_TMPDIR/in"
	mount_here -t tmpfs -o nr_inodes=24 none
	for ((free = 0; free < 12; free++)); do
		rm -rf ./* .co-cli
		three >/dev/null 2>&1
		while touch "fill$((n++))" 2>/dev/null; do :; done
		for ((n = 0; n < free; n++)); do rm -f "fill$n"; done
		n=0
		for command in co-memory-save 'co-memory-save --draft' \
			'co-memory-remove 2'; do
			before=$(store)
			# shellcheck disable=SC2086
			status $command
			[ $status -eq 0 ] || [ "$before" = "$(store)" ]
		done
		[ "$(co-memory-list | wc -l)" -ge 2 ]
		rm -f fill*
		echo next | co-memory-save >/dev/null
		[ -z "$(find .co-cli -name '.co-tmp*')" ]
	done
	[ $status -eq 0 ]
}

@test "on a read-only disk readers answer, and writers fail" {
	local command before
	mount_here -t tmpfs none
	three 2>/dev/null
	echo x >"$BATS_TEST_TMPDIR/in"
	before=$(tree .co-cli)
	mount -o remount,ro "$disk"
	for command in co-memory-save 'co-memory-remove 1' \
		'co-memory-remove --purge 1' 'co-learn other' \
		'co-learn --always other' 'co-forget -y 1' \
		'co-knowledge-check --fix'; do
		# shellcheck disable=SC2086
		status $command
		[ $status -eq 4 ] || [[ $command == *--fix ]]
		[ ! -s "$BATS_TEST_TMPDIR/out" ] || [ $status -eq 0 ] ||
			[[ $command == co-forget* ]]
	done
	[ "$(co-memory-next-id)" = 4 ]
	[ "$(co-memory-list | wc -l)" -eq 3 ]
	co-memory-grep two >/dev/null
	co-memory-show 3 >/dev/null
	co-recall two >/dev/null
	co-context-load
	[ "$before" = "$(tree .co-cli)" ]
}

# writer P and the functions below write until the power fails. They record on another disk
# what was acknowledged.
writer() {
	local i
	for ((i = 0; ; i++)); do
		echo "writer $1 number $i" | co-memory-save >"said.$1" \
			2>/dev/null || return 0
		printf '%s\twriter %d number %d\n' "$(cat "said.$1")" "$1" $i \
			>>"$BATS_TEST_TMPDIR/saved"
	done
}

batch_writer() {
	for ((i = 0; ; i++)); do
		printf '{"content":"batch number %d"}\n' $i
	done | co-memory-save --batch 2>/dev/null |
		while read -r path; do
			printf '%s\tbatch number %d\n' "$path" $((n++)) \
				>>"$BATS_TEST_TMPDIR/saved"
		done
}

remover() {
	local i path
	for ((i = 1; i <= 200; i++)); do
		path=$(co-memory-remove "$i" 2>/dev/null) || continue
		echo "$path" >>"$BATS_TEST_TMPDIR/removed"
	done
}

context_writer() {
	local i
	for ((i = 0; ; i++)); do
		co-learn --always "rule $i" >/dev/null 2>&1 || return 0
		echo "- rule $i" >>"$BATS_TEST_TMPDIR/learned"
	done
}

@test "a power cut loses and tears nothing that was acknowledged" {
	local cut path text all=0
	image=$BATS_TEST_TMPDIR/image
	command -v mkfs.ext4 >/dev/null || skip "mkfs.ext4 is missing"
	for ((cut = 0; cut < ${CUTS:-20}; cut++)); do
		cd /
		rm -f "$BATS_TEST_TMPDIR"/{saved,removed,learned}
		touch "$BATS_TEST_TMPDIR"/{saved,removed,learned}
		truncate -s 0 "$image"
		truncate -s 64M "$image"
		mkfs.ext4 -q "$image"
		mount_here -o loop "$image"
		mkdir said
		writer 1 & writer 2 & batch_writer & remover & context_writer &
		sleep "0.$((RANDOM % 9 + 1))"
		"$CO_BIN/../faults/powercut" "$disk" || skip "no power to cut"
		wait
		cd /
		umount "$disk"
		mount_here -o loop "$image"
		while IFS=$'\t' read -r path text; do
			all=$((all + 1))
			if [ ! -e "$path" ]; then
				path=$(find .co-cli/knowledge/trash \
					-name "${path##*/}")
			fi
			[ "$(tail -n 1 "$path")" = "$text" ]
		done <"$BATS_TEST_TMPDIR/saved"
		while read -r path; do
			all=$((all + 1))
			[ -s "$path" ]
			[ ! -e "$memories/${path##*/}" ]
		done <"$BATS_TEST_TMPDIR/removed"
		while read -r text; do
			all=$((all + 1))
			grep -qxF -- "$text" .co-cli/knowledge/context.md
		done <"$BATS_TEST_TMPDIR/learned"
		[ -z "$(find .co-cli -name '*.md' -size 0)" ]
		[ ! -d .co-cli ] || run -0 co-knowledge-check
		[ ! -d .co-cli ] || age_litter
		echo next | co-memory-save >/dev/null 2>&1
		[ -z "$(sed -n 's/^id: //p' $memories/*.md | sort | uniq -d)" ]
		[ -z "$(find .co-cli -name '.co-tmp*')" ]
		cd /
		umount "$disk"
	done
	echo "# $cut power cuts, $all acknowledged changes, none lost" >&3
}
