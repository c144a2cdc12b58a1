#!/usr/bin/env bats
# The 25 behaviours of the first harvest program, and the tests that show each
# of them. Those that no other file shows are tested below.
#
# Classes
#  1 splits and each class		t7100 the first matching rule decides the class,
#					a split whose source is gone
#  2 a dry run changes nothing		t7120 a dry run prints the plan
# Harvests
#  3 items, ledger, deletion, digest	t7120 --apply adds items
#  4 a note on a missing file		t7000 a note on a missing file
#  5 two replies without JSON		t7120 a conversation is kept after two replies
#  6 --no-harvest needs no model	t7120 --no-harvest deletes conversations
#  7 more than 1 MB is kept		t7120 a conversation over 1 MiB
#  8 more than 64 KB is summarized	t7120 a conversation over 64 KiB
#  9 --max-bytes			t7120 --max-bytes defers conversations
# 10 repeated content			t7120 a conversation with known content
# 11 the names on a terminal		below
# 12 splits and entries are pruned	t7120 stale splits and dead index entries
# Digest
# 13 order, newest first		t7050 the digest has the sections in order
# 14 its limit, and the note		t7050 the digest is complete at 4096 bytes
# 15 deleted items disappear		below
# 16 the number of items		below
# Prompts
# 17 the digest block			t7050 a prompt has the digest
# 18 no block without a digest		below
# 19 no notes on files			below
# 20 a line of the status		t7130 co learn --auto turns the harvest on
# Commands
# 21 each prints its purpose		t0003
# 22 a dry run as text			t7120 a dry run prints the plan
# 23 a dry run as JSON			t7120 a dry run prints the plan
# 24 --no-harvest without a key		t7120 --no-harvest deletes conversations
# 25 a missing directory		below; the status is that of the suite
load lib
load terminal

U=01234567-89ab-cdef-0123-456789abcdef

setup() {
	world
	k=.co-cli/knowledge
	mkdir -p "$global" first/conversations
	echo '{"llm.provider":"command","llm.command":["sh","-c","cat >/dev/null; cat \"$0\"","'"$PWD/reply"'"]}' \
		>"$global/settings.json"
	echo '{"facts": ["one", "two"], "questions": ["Why?"]}' >reply
	echo a >first/conversations/a-$U
}

@test "a terminal shows the name and position of each conversation" {
	need_terminal
	echo b >first/conversations/b-$U
	terminal 0 '' 'co harvest --apply first'
	[[ $output == *"harvesting: a-$U (1/2)"*"harvesting: b-$U (2/2)"* ]]
	run -0 --separate-stderr co harvest --apply first
	[[ $stderr != *harvesting* ]]
}

@test "items that the user deletes leave the digest and are not added again" {
	run -0 co harvest --apply first
	grep -q '^- one \[' $k/digest.md
	sed -i '/^- one/d' $k/facts.md
	co-digest-build >out
	run -1 grep '^- one' $k/digest.md
	grep -q '^- two \[' $k/digest.md
	sed -i '/^- /d' $k/facts.md $k/questions.md
	co-digest-build >out
	[ ! -e $k/digest.md ]
	# The ledger has this content, so it is not harvested again.
	echo a >first/conversations/again-$U
	run -0 co harvest --apply first
	[ ! -e first/conversations/again-$U ]
	run -0 co-item-list
	expect </dev/null
}

@test "the reported number of items equals the number of saved items" {
	run -0 co harvest --apply first
	[[ $output == *'harvested items: facts:2, questions:1'* ]]
	run -0 co-item-list
	[ "${#lines[@]}" = 3 ]
}

@test "a prompt has no digest block without a digest, and no notes on files" {
	run -0 co-prompt-assemble
	[[ $output != *'{knowledge}'* ]]
	touch here.c
	jq -n --arg f "$PWD/here.c" '{facts: ["one"],
		files: [{path: $f, note: "loops"}]}' >reply
	run -0 co harvest --apply first
	grep -q '^- loops' $k/files/*.md
	run -1 grep loops $k/digest.md
	run -0 co-prompt-assemble
	[[ $output == *'{knowledge}'*'- one ['*'{/knowledge}'* ]]
	[[ $output != *loops* ]]
}

@test "a missing directory is named in the error" {
	run -4 --separate-stderr co harvest --apply no/such
	[[ $stderr == *"no/such"*'No such file'* ]]
	[ -e first/conversations/a-$U ]
}
