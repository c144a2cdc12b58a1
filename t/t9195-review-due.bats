#!/usr/bin/env bats
# co review --due shows memories whose review date has passed.
load lib
load terminal

setup() {
	world
	mkdir -p .git "$memories"
	export CO_NOW=2026-02-28T14:30:00Z
	keyed 1 'review-after: 2026-02-28' 'The build takes make'
	keyed 2 'review-after: 2026-03-01' 'The release is on Friday'
	keyed 3 'review-after: 2026-02-01T00:00:00Z # ask Ada' 'Servers are called by rivers'
	keyed 4 'tags: [t4, x]' 'Tabs are eight wide'
}

# keyed ID KEY TEXT: write a memory with an additional key.
keyed() {
	printf -- '---\nid: %s\ncreated: 2026-01-0%sT00:00:00Z\n%s\n---\n\n%s\n' \
		"$1" "$1" "$2" "$3" >"$memories/00$1-m.md"
}

@test "--due without a terminal lists only memories whose date has come" {
	keyed 5 $'review-after: 2026-01-01\nexpires: 2026-02-01' 'over'
	keyed 6 $'review-after: 2026-01-01\narchive: true' 'put away'
	keyed 7 'review-after: soon' 'no date'
	run -0 co-review --due
	expect <<-'END'
		**001** (2026-01-01) (due for review): The build takes make
		**003** (2026-01-03) (due for review): Servers are called by rivers
	END
	run -0 co-review --due --json
	[ "$(jq -c '[.id, .marks]' <<<"$output")" = $'[1,["due"]]\n[3,["due"]]' ]
	CO_NOW=2026-03-01T00:00:00Z run -0 co-review --due --list
	[ "${#lines[@]}" = 3 ]
	CO_NOW=2025-12-31T00:00:00Z run -0 co-review --due
	[[ $output == 'co-review: nothing is due for review'* ]]
}

@test "--due shows a sensitive memory on a terminal, or with --sensitive" {
	need_terminal
	keyed 3 $'review-after: 2026-02-01\nsensitive: true' 'Servers are called by rivers'
	run -0 --separate-stderr co-review --due
	[[ $output != *rivers* ]]
	[ "$stderr" = "co-review: not listed, being sensitive: 1; --sensitive lists them" ]
	run -0 co-review --due --sensitive
	[[ $output == *rivers* ]]
	terminal 0 'ssq' 'co-review --due'
	[[ $output == *'(sensitive)'*'| Servers are called by rivers'* ]]
}

@test "the answer y adds a span to today, limited to the last day of the month" {
	need_terminal
	CO_NOW=2026-08-31T10:00:00Z terminal 0 'y1m\ny3m\nynever\n' 'co-review --due'
	[[ $output == *$'memory 1 of 3: 001-m.md\n'*$'due:      2026-02-28\n'*'| The build takes make'* ]]
	[[ $output == *'✓ Kept until 2026-09-30'*'✓ Kept until 2026-11-30'*$'✓ Kept\n'* ]]
	[[ $output == *'3 kept, 0 archived, 0 forgotten' ]]
	grep -qx 'review-after: 2026-09-30' $memories/001-m.md
	grep -qx 'review-after: 2026-11-30' $memories/002-m.md
	run ! grep -q 'review-after' $memories/003-m.md
}

@test "the answer y changes only the date, and refuses an invalid date" {
	need_terminal
	cp $memories/003-m.md was
	terminal 0 'sy\nysoon\ny2026-01-01\ny2w\n' 'co-review --due'
	[[ $output == *"bad date 'soon'"*"'2026-01-01' has passed"* ]]
	sed -i 's/2026-02-01T00:00:00Z/2026-03-14/' was
	diff -u was $memories/003-m.md
}

@test "the answer f forgets, a archives and e edits a memory; u undoes each" {
	need_terminal
	cp -R $memories was
	editor 'sed -i s/make/ninja/ "$1"'
	terminal 0 'fuaueuy1y\nuq' 'co-review --due'
	[[ $output == *'| The build takes ninja'*'as it was'*'| The build takes make'* ]]
	[[ $output == *$'Kept until 2027-02-28\n'*'as it was'*'0 kept, 0 archived, 0 forgotten' ]]
	diff -r was $memories
	terminal 0 'fa' 'co-review --due'
	[[ $output == *'0 kept, 1 archived, 1 forgotten'*"'co forget --undo' brings back"* ]]
	[ ! -e $memories/001-m.md ]
	grep -qx 'archive: true' $memories/003-m.md
	run -0 co-forget --undo
	[ -e $memories/001-m.md ]
	run -0 co-undo
	run -0 co-undo
	run ! grep -q archive $memories/003-m.md
}

@test "any sequence of answers leaves each text once, in memories or the trash" {
	need_terminal
	local keys=(f a s k u 'y2w\n' 't-x,n\n' 'y\n' e) typed seed at
	editor 'sed -i "s/^tags.*/tags: [e]/" "$1"'
	cp -R $memories was
	for seed in {1..12}; do
		RANDOM=$seed typed=
		for at in {1..14}; do
			typed+=${keys[RANDOM % ${#keys[@]}]}
		done
		terminal 0 "$typed" 'co-review --due'
		diff <(tail -qn 1 was/* | sort) <(find .co-cli -name '*-m.md' -exec tail -qn 1 {} + | sort)
		diff <(tail -qn 1 was/004*) <(tail -qn 1 $memories/004*)
		rm -r .co-cli
		mkdir -p .co-cli/knowledge
		cp -R was $memories
	done
}

@test "the answer k goes back, t changes tags, and s leaves a memory due" {
	need_terminal
	terminal 0 'sktq1\nsq' 'co-review --due'
	[[ $output == *'(2/2)'*'(1/2)'*'tags:     q1'* ]]
	terminal 0 '?' 'co-review --due'
	[[ $output == *'y - it still holds'* ]]
	run -0 co-review --due -t q1
	[[ $output == '**001**'* && $output != *'**003**'* ]]
	[ "$(co-review --due --json | wc -l)" = 2 ]
}

@test "--due shows a memory again that changed after it was shown" {
	need_terminal
	for key in y3m'\n' a f; do
		keyed 1 'review-after: 2026-02-28' 'The build takes make'
		editor "sed -i s/make/ninja/ $PWD/$memories/001-m.md" 'exit 1'
		terminal 0 "e${key}q" 'co-review --due'
		[[ $output == *"001-m.md' "*'| The build takes ninja'* ]]
		grep -qx 'review-after: 2026-02-28' $memories/001-m.md
	done
	editor "rm $PWD/$memories/001-m.md" 'exit 1'
	terminal 0 'eaq' 'co-review --due'
	[[ $output == *'memory 2 of 2: 003-m.md'* ]]
}

@test "--keep sets the date of memories by id, also without a terminal" {
	run -0 co-review --due --keep=3m 1 4
	expect <<-'END'
		✓ Kept 001-m.md until 2026-05-28
		✓ Kept 004-m.md until 2026-05-28
	END
	grep -qx 'review-after: 2026-05-28' $memories/004-m.md
	run -0 co-review --due --keep=never 3
	run -0 co-review --due
	[[ $output == *'nothing is due'* ]]
	run -0 co-review --due --keep=3m --json 3
	[ "$(jq -c '[.display, .path, .memory_id, .review_after]' <<<"$output")" = "[\"✓ Kept 003-m.md until 2026-05-28\",\"$PWD/$memories/003-m.md\",3,\"2026-05-28\"]" ]
	run -0 co-review --due --keep=never --json 3
	[ "$(jq -c '[.display, .review_after]' <<<"$output")" = '["✓ Kept 003-m.md",null]' ]
	run -1 co-review --due --keep=3m 9
	run -2 co-review --due --keep=1999 1
	run -1 co-review --due --keep=3d -t x
	expect <<<'co-review: nothing like that is due for review'
	for wrong in '--due 1' '--due --list --keep=3m 1' '--keep=3m 1' '--due --accept 1' '--due --all-projects'; do
		run -2 co-review $wrong
	done
}

@test "co status counts due memories, and --due hints at those of the user" {
	run -0 co-status
	[[ $output == *"    due       2 for review: 'co review --due'"* ]]
	[ "$(co-status --json | jq -c '[.roots[].due]')" = '[2,0]' ]
	mkdir -p "$global/knowledge/memories"
	cp $memories/001-m.md "$global/knowledge/memories"
	run -0 co-review --due
	[[ $output == *"hint: 1 is due in your own store: 'co review --due --global'" ]]
	run -0 co-review --due --global
	[[ $output == '**g1**'* ]]
	run -0 co-review --due --keep=1d g1
	grep -qx 'review-after: 2026-03-01' "$global/knowledge/memories/001-m.md"
}
