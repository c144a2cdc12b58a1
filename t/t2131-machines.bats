#!/usr/bin/env bats
# Two machines share a store but not their locks, on file systems that lack some calls.
# CO_MANY=10 runs the tests in their original size.
load lib

setup() {
	world
	unlocked=$CO_BIN/../t/tool/sys/unlocked
	"$unlocked" flock -- true || skip "no filters of system calls here"
	many=${CO_MANY:-1}
	acks=$BATS_TEST_TMPDIR/acks
	mkdir "$acks"
	what=flock
}

# on MACHINE COMMAND...: run COMMAND on MACHINE, which has its own cache.
on() {
	local machine=$1
	shift
	# The words are split on purpose: each is one rule.
	# shellcheck disable=SC2086
	XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache.$machine \
		"$unlocked" $what -- "$@"
}

save() {
	local i
	for ((i = 0; i < $2; i++)); do
		# One in four has the file name of a memory of the other machine.
		local text="machine $1 text $i"
		((i % 4)) || text="text $i"$'\n'"of machine $1"
		on "$1" co-memory-save <<<"$text" >/dev/null &&
			printf '%s\n' "$text" | tr '\n' ' ' |
			sed 's/ $/\n/' >>"$acks/saved.$1"
	done
}

learn() {
	local i
	for ((i = 0; i < $2; i++)); do
		on "$1" co learn --always "rule $1 $i" >/dev/null &&
			echo "- rule $1 $i" >>"$acks/learned.$1"
	done
}

forget() {
	local i path
	for ((i = 0; i < $2; i++)); do
		path=$(on "$1" co-memory-save <<<"machine $1 fodder $i") ||
			continue
		echo "machine $1 fodder $i" >>"$acks/saved.$1"
		on "$1" co-memory-remove "$path" >/dev/null || :
		((i % 3)) || on "$1" co forget --undo >/dev/null || :
	done
}

# bodies DIR...: print the text of each memory on one line.
bodies() {
	find "$@" -name '*.md' | while read -r file; do
		sed '1,/^$/d' "$file" | tr '\n' ' ' | sed 's/ $/\n/'
	done
}

# crowd SAVES RULES FORGETS: do this many operations on each of two machines, at once.
crowd() {
	local machine
	co-init >/dev/null
	for machine in 1 2; do
		save $machine "$1" &
		learn $machine "$2" &
		forget $machine "$3" &
	done 2>>"$acks/err"
	wait
}

# nothing_lost: check that everything acknowledged exists unchanged, and nothing else.
nothing_lost() {
	cat "$acks"/saved.* | sort -u >"$acks/saved"
	bodies $memories $trash | sort -u >"$acks/found"
	# A text that was saved but not acknowledged may exist.
	comm -23 "$acks/saved" "$acks/found" >"$acks/lost"
	diff -u /dev/null "$acks/lost"
	grep -vxE 'machine [12] (text|fodder) [0-9]+|text [0-9]+ of machine [12]' \
		"$acks/found" >"$acks/mixed" || :
	diff -u /dev/null "$acks/mixed"
	sort "$acks"/learned.* >"$acks/learned"
	grep '^- ' .co-cli/knowledge/context.md | sort >"$acks/rules"
	comm -23 "$acks/learned" "$acks/rules" >"$acks/lost"
	diff -u /dev/null "$acks/lost"
	[ -z "$(uniq -d "$acks/rules")" ]
	# Each failure must name a known cause. Without a lock, one machine may finish a change
	# that the other is about to undo: "the content of ... is lost".
	grep -v -e 'changed meanwhile' -e 'is gone' -e 'another program' \
		-e 'must be finished first' -e 'already exists' -e 'hint:' \
		-e 'nothing to bring back' -e 'is lost' \
		"$acks/err" >"$acks/odd" || :
	diff -u /dev/null "$acks/odd"
	co-context-load --strict >/dev/null
}

ids() {
	sed -n 's/^id: //p' $memories/*.md | sort -n
}

@test "two machines without any common lock lose and mix nothing" {
	crowd $((30 * many)) $((10 * many)) $((10 * many))
	nothing_lost
	[ "$(wc -l <"$acks/saved")" -ge $((72 * many)) ]
	[ "$(wc -l <"$acks/learned")" -ge $((18 * many)) ]
	# Duplicate ids are possible, and are then reported.
	if [ -n "$(ids | uniq -d)" ]; then
		run -0 --separate-stderr co-memory-list
		[[ $stderr == *"two files have id"* ]]
	fi
}

@test "two machines lose nothing if the file system cannot exchange names" {
	what="flock exchange"
	crowd $((10 * many)) $((4 * many)) $((4 * many))
	nothing_lost
}

@test "on a shared file system a second lock excludes the other machine" {
	what="flock shared"
	crowd $((15 * many)) $((5 * many)) $((5 * many))
	nothing_lost
	diff -u /dev/null "$acks/err"
	[ "$(wc -l <"$acks/saved")" -eq $((40 * many)) ]
	[ -z "$(ids | uniq -d)" ]
}

@test "co waits for the second lock, whose file may be missing" {
	co-init >/dev/null
	what="flock shared"
	# A batch holds the lock while it has work.
	for i in $(seq 200); do echo "{\"content\":\"batch $i\"}"; done |
		on 1 co-memory-save --batch >/dev/null 2>&1 &
	for i in 1 2 3 4 5; do
		echo "one $i" | on 2 co-memory-save >/dev/null
	done
	wait
	[ -z "$(ids | uniq -d)" ]
	[ "$(ids | wc -l)" -eq 205 ]
	rm .co-cli/.gitignore
	echo without | on 2 co-memory-save
}

@test "all commands work without exclusive renames and hard links" {
	what="replace link"
	on 1 co-init >/dev/null
	on 1 co learn 'the first'
	on 1 co learn --always 'a rule'
	echo two | on 1 co-memory-save --draft
	on 1 co review --accept 2
	echo 'the third' | on 1 co-memory-save --replaces=1
	on 1 co forget -y 3
	on 1 co forget --undo
	on 1 co-memory-remove --purge 3
	EDITOR="sed -i s/two/zwei/" on 1 co edit 2
	cp $memories/002-two.md $memories/009-copy.md
	on 1 co knowledge --check --fix
	echo 'the third' | on 1 co-memory-save
	echo 'the third' | on 1 co-memory-save
	[ "$(bodies $memories | sort | tr '\n' ,)" = "the third,the third,zwei,zwei," ]
	grep -qx -- '- a rule' .co-cli/knowledge/context.md
	[ -z "$(find .co-cli -name '.co-tmp*')" ]
}

@test "a save keeps young temporary files and removes old ones" {
	co-init >/dev/null
	local dir young=.co-tmp-0123456789abcdef old=.co-tmp-fedcba9876543210
	for dir in .co-cli .co-cli/knowledge; do
		: >$dir/$young
		touch -d '2 hours ago' $dir/$old
		touch -d '2 hours ago' $dir/.co-tmp
		mkdir $dir/.co-tmp-folder
		touch -d '2 hours ago' $dir/.co-tmp-folder
	done
	co learn one
	for dir in .co-cli .co-cli/knowledge; do
		[ -e $dir/$young ]
		[ ! -e $dir/$old ]
		[ ! -e $dir/.co-tmp ]
		[ -d $dir/.co-tmp-folder ]
	done
	git init -q . 2>/dev/null || skip "git is missing"
	[ -z "$(git status --porcelain -uall | grep tmp)" ]
}
