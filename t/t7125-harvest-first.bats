#!/usr/bin/env bats
# What the first harvest did, by its 25 tests, and which test shows that it is
# done here; those that no other file shows are below.
#
# Classes
#  1 one of each class, splits too	t7100 the first rule that fits says ...,
#					a split of a file that is gone ...
#  2 a dry run makes nothing		t7120 a dry run tells what would be done
# Harvests
#  3 items, ledger, deletion, digest	t7120 items, ledger, deletion and digest
#  4 a note on what is not there	t7000 a note on a file that is not there
#  5 no JSON twice			t7120 after two replies that are no JSON
#  6 --no-harvest asks no model		t7120 with --no-harvest no model is asked
#  7 more than 1 MB is kept		t7120 what has more than a megabyte
#  8 more than 64 KB is summarised	t7120 what has more than 64 KB
#  9 --max-bytes			t7120 over --max-bytes the rest is left
# 10 the same content again		t7120 the same content is asked for once
# 11 each is named on a terminal	below
# 12 splits and entries are pruned	t7120 stale splits and dead entries
# Digest
# 13 order, the newest first		t7050 sections stand in their order
# 14 its bytes, and the note		t7050 what fits to the last byte is whole
# 15 what a person deletes is gone	below
# 16 how many items there are		below
# Prompts
# 17 the block is there			t7050 prompts have it where it is there
# 18 and is not without a digest	below
# 19 notes on a file stay out of it	below
# 20 a line of the state		t7130 it is off, then on, then off again
# Commands
# 21 each says what it is for		t0003
# 22 a dry run in text			t7120 a dry run tells what would be done
# 23 a dry run as JSON			the same
# 24 --no-harvest without a key	t7120 with --no-harvest no model is asked
# 25 a folder that is not there	below; the status is that of the suite
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

@test "on a terminal each conversation is named, with its turn" {
	need_terminal
	echo b >first/conversations/b-$U
	terminal 0 '' 'co harvest --apply first'
	[[ $output == *"harvesting: a-$U (1/2)"*"harvesting: b-$U (2/2)"* ]]
	run -0 --separate-stderr co harvest --apply first
	[[ $stderr != *harvesting* ]]
}

@test "what a person deletes leaves the digest, and all of it empties it" {
	run -0 co harvest --apply first
	grep -q '^- one \[' $k/digest.md
	sed -i '/^- one/d' $k/facts.md
	co-digest-build >out
	run -1 grep '^- one' $k/digest.md
	grep -q '^- two \[' $k/digest.md
	sed -i '/^- /d' $k/facts.md $k/questions.md
	co-digest-build >out
	[ ! -e $k/digest.md ]
	# The ledger has it: no harvest brings it back.
	echo a >first/conversations/again-$U
	run -0 co harvest --apply first
	[ ! -e first/conversations/again-$U ]
	run -0 co-item-list
	expect </dev/null
}

@test "how many items a harvest gave is what there is" {
	run -0 co harvest --apply first
	[[ $output == *'harvested items: facts:2, questions:1'* ]]
	run -0 co-item-list
	[ "${#lines[@]}" = 3 ]
}

@test "a prompt has no block without a digest, and notes on files in neither" {
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

@test "a folder that is not there is named" {
	run -4 --separate-stderr co harvest --apply no/such
	[[ $stderr == *"no/such"*'No such file'* ]]
	[ -e first/conversations/a-$U ]
}
