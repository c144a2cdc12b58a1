#!/usr/bin/env bats
# Test co-item-add, co-item-list, co-item-remove and co-tasks.
load lib

setup() {
	world
	knowledge=.co-cli/knowledge
}

# add JSON [OPTION...]: add the items of JSON as of one conversation.
add() {
	local json=$1
	shift
	co-item-add --from=conv "$@" <<<"$json"
}

@test "co-item-add writes each category to its file in its format" {
	echo x >file.c
	run -0 --separate-stderr add '{
		"facts": [{"statement": "X", "detail": "Y"}, "bare"],
		"decisions": [{"statement": "D", "detail": ""}],
		"tasks_done": [{"statement": "finished"}],
		"tasks_open": [{"statement": "to do", "detail": null}],
		"questions": ["Why?"],
		"playbooks": [{"name": "N", "steps": "a -> b"},
			{"name": "only"}, {"steps": "steps"}],
		"files": [{"path": "'"$PWD"'/file.c", "note": "loops"}]}'
	expect <<-'END'
		facts	2
		decisions	1
		tasks_done	1
		tasks_open	1
		questions	1
		playbooks	3
		files	1
	END
	[ "$stderr" = "co-item-add: made '$PWD/.co-cli'" ]
	run -0 cat $knowledge/{facts,decisions,questions,playbooks,tasks}.md
	expect <<-'END'
		# Facts

		- X — Y [from: conv, 2026-02-09]
		- bare [from: conv, 2026-02-09]
		# Decisions

		- D [from: conv, 2026-02-09]
		# Questions

		- Why? [from: conv, 2026-02-09]
		# Playbooks

		- **N**: a -> b [from: conv, 2026-02-09]
		- only [from: conv, 2026-02-09]
		- steps [from: conv, 2026-02-09]
		# Tasks

		## Open

		- to do [from: conv, 2026-02-09]

		## Done

		- finished [from: conv, 2026-02-09]
	END
	run -0 cat "$knowledge/files/$(stat -c %d:%i file.c).md"
	expect <<-END
		# $PWD/file.c

		- loops [from: conv, 2026-02-09]
	END
	run -0 co knowledge --check
}

@test "a note on a missing file becomes a fact, and counts as a note" {
	run -0 --separate-stderr add '{"files": [
		{"path": "/no/such", "note": "gone"}, {"note": "no path"},
		"text", {"path": "/x\ny", "note": "odd"}, {"path": "/z"},
		{"path": "../../../../../../etc", "note": "folder"}]}'
	expect <<<$'files\t5'
	run -0 co-item-list
	expect <<-'END'
		facts	/no/such: gone	conv	2026-02-09
		facts	no path	conv	2026-02-09
		facts	text	conv	2026-02-09
		facts	/x y: odd	conv	2026-02-09
		facts	../../../../../../etc: folder	conv	2026-02-09
	END
	[ ! -e $knowledge/files ]
}

@test "co-item-add accepts one code fence around the object, and nothing else" {
	# shellcheck disable=SC2016
	for reply in '{"facts": ["a"]}' $'```json\n{"facts": ["a"]}\n```' \
		$'\n ```\n{"facts": ["a"]}```\n\n' $'\xef\xbb\xbf{"facts": ["a"]}'; do
		rm -rf .co-cli
		run -0 add "$reply"
		run -0 co-item-list
		expect <<<$'facts\ta\tconv\t2026-02-09'
	done
	rm -rf .co-cli
	# shellcheck disable=SC2016
	for reply in 'Here: {"facts": ["a"]}' '{"facts": ["a"]} done' '' '[]' \
		'"facts"' '{"facts": ["a"]' $'```json\n{"facts": ["a"]}\n```\nbye' \
		'{"facts": ["a"], "facts": ["b"]}' $'{"facts": ["\xff"]}'; do
		run -3 add "$reply"
		[[ $output == "co-item-add: '-':"* ]]
	done
	[ ! -e .co-cli ]
}

@test "a malformed item is reported, and nothing is written" {
	run -3 add '{"facts": ["good"], "playbooks": ["good", 7]}'
	expect <<<"co-item-add: '-': playbooks: item 2 is neither text nor object"
	run -3 add '{"facts": ["good", {"statement": 7}]}'
	expect <<<"co-item-add: '-': facts: 'statement' of item 2 is not text"
	run -3 add "{\"facts\": [\"good\", \"$(head -c 9000 /dev/zero | tr '\0' x)\"]}"
	[ ! -e .co-cli ]
}

@test "a category that is not a list counts as empty, and so do unknown keys" {
	run -0 --separate-stderr add '{"facts": "none", "questions": null,
		"tasks_open": {"a": 1}, "summary": ["x"], "decisions": [" ", {}]}'
	expect </dev/null
	[ -z "$stderr" ]
	run -0 add '{}'
	expect </dev/null
	[ ! -e .co-cli ]
}

@test "an item is written as one line, whatever its text" {
	add '{"facts": ["a\n## Done\n- [from: me, 2020-01-01]\u001b[2J\u0000\u202eb",
		"c [from: other, 2020-01-01]"]}' --from=$'x]\n[from: y, 2020-01-01]'
	run -0 tail -n +3 $knowledge/facts.md
	expect <<-'END'
		- a ## Done - [from: me, 2020-01-01]^[[2J^@<U+202E>b [from: x) (from: y, 2020-01-01), 2026-02-09]
		- c [from: other, 2020-01-01] [from: x) (from: y, 2020-01-01), 2026-02-09]
	END
	run -0 co-item-list --json
	expect <<-'END'
		{"category":"facts","text":"a ## Done - [from: me, 2020-01-01]^[[2J^@<U+202E>b","from":"x) (from: y, 2020-01-01)","date":"2026-02-09"}
		{"category":"facts","text":"c [from: other, 2020-01-01]","from":"x) (from: y, 2020-01-01)","date":"2026-02-09"}
	END
}

@test "an item with the same text in its category is skipped" {
	add '{"facts": ["a"], "tasks_open": ["t"], "decisions": ["a"]}' >out
	run -0 --separate-stderr co-item-add --from=other \
		<<<'{"facts": ["a", "b", "b"], "tasks_done": ["t"], "tasks_open": ["t"]}'
	expect <<<$'facts\t1'
	[[ $stderr == *"2 of facts known already"* ]]
	run -0 co-item-list
	expect <<-'END'
		facts	a	conv	2026-02-09
		facts	b	other	2026-02-09
		decisions	a	conv	2026-02-09
		tasks	t	conv	2026-02-09
	END
}

@test "co-item-add keeps every byte that the user wrote" {
	mkdir -p $knowledge
	printf -- '---\r\nmine: 1\r\n---\r\n# My facts\r\n\r\nText.\r\n\r\n- own \xff\r\n  more\r\n\r\nEnd' \
		>$knowledge/facts.md
	printf -- 'note\n\n- loose\n\n## Open\n- a\n\n## Later\n- b\n## Done\n- c\n\n## Notes\nend\n' \
		>$knowledge/tasks.md
	cp $knowledge/*.md .
	add '{"facts": ["new"], "tasks_open": ["o"], "tasks_done": ["d"]}' >out
	# Without the added lines the files equal the originals.
	for file in facts tasks; do
		grep -av 'from: conv' $knowledge/$file.md >left
		[ "$(tr -d '\r\n' <left)" = "$(tr -d '\r\n' <$file.md)" ]
	done
	[[ $(tail -c 40 $knowledge/facts.md) == *$'End\r\n- new [from: conv, 2026-02-09]\r' ]]
	run -0 cat $knowledge/tasks.md
	expect <<-'END'
		note

		- loose

		## Open
		- a
		- o [from: conv, 2026-02-09]

		## Later
		- b
		## Done
		- c
		- d [from: conv, 2026-02-09]

		## Notes
		end
	END
	run -0 co-item-list --open
	expect <<-'END'
		tasks	loose	-	-
		tasks	a	-	-
		tasks	o	conv	2026-02-09
		tasks	b	-	-
	END
}

@test "a task is added to a file without headings, and Done is created" {
	mkdir -p $knowledge
	printf -- '- a' >$knowledge/tasks.md
	add '{"tasks_open": ["o"], "tasks_done": ["d"]}' >out
	run -0 cat $knowledge/tasks.md
	expect <<-'END'
		- a
		- o [from: conv, 2026-02-09]

		## Done

		- d [from: conv, 2026-02-09]
	END
}

@test "an item with a secret is refused, and the others are added" {
	run -3 --separate-stderr add '{"facts": ["a",
		"the key is AKIAZ7QK3PLMW2XVN4TB", "b"]}'
	expect <<<$'facts\t2'
	[[ $stderr == *'aws-access-key (item 2 of facts)'* ]]
	run -1 grep -r AKIA .
	run -0 add '{"facts": ["the key is AKIAZ7QK3PLMW2XVN4TB"]}' --allow-secret
	run -3 co-item-add --from=AKIAZ7QK3PLMW2XVN4TB <<<'{"facts": ["c"]}'
	run -1 grep -r '^- c' $knowledge
}

@test "a conversation adds at most 50 items to a category" {
	items=$(seq -s '","' 1 60)
	run -0 --separate-stderr add "{\"facts\": [\"$items\"], \"questions\": [\"q\"]}"
	expect <<<$'facts\t50\nquestions\t1'
	[[ $stderr == *'10 of facts left out'* ]]
	# The limit counts all runs of a conversation. Another one has its own.
	run -0 --separate-stderr add "{\"facts\": [\"$items\", \"x\"]}"
	expect </dev/null
	run -0 --separate-stderr co-item-add --from=other <<<'{"facts": ["x"]}'
	expect <<<$'facts\t1'
}

@test "notes follow a file that is renamed, or that an editor replaces" {
	echo one >a.c
	add '{"files": [{"path": "a.c", "note": "first"}]}' >out
	mv a.c b.c
	add '{"files": [{"path": "'"$PWD"'/b.c", "note": "second"}]}' >out
	run -0 cat $knowledge/files/*
	expect <<-END
		# $PWD/b.c

		- first [from: conv, 2026-02-09]
		- second [from: conv, 2026-02-09]
	END
	# An editor writes a new file and renames it.
	echo two >b.new
	mv b.new b.c
	add '{"files": [{"path": "'"$PWD"'/b.c", "note": "third"}]}' >out
	run -0 ls $knowledge/files
	expect <<<"$(stat -c %d:%i b.c).md"
	[ "$(grep -c from: $knowledge/files/*)" = 3 ]
	run -0 co-item-list --category=files --json
	[ "${lines[0]}" = "{\"category\":\"files\",\"text\":\"first\",\"from\":\"conv\",\"date\":\"2026-02-09\",\"path\":\"$PWD/b.c\"}" ]
}

@test "notes stay with a file if another file gets its inode number" {
	echo one >a.c
	echo two >b.c
	add '{"files": [{"path": "a.c", "note": "of a"}]}' >out
	# Simulate that b.c got the old inode number of a.c.
	mv "$knowledge/files/$(stat -c %d:%i a.c).md" \
		"$knowledge/files/$(stat -c %d:%i b.c).md"
	add '{"files": [{"path": "b.c", "note": "of b"}]}' >out
	run -0 cat "$knowledge/files/$(stat -c %d:%i a.c).md"
	expect <<-END
		# $PWD/a.c

		- of a [from: conv, 2026-02-09]
	END
	run -0 cat "$knowledge/files/$(stat -c %d:%i b.c).md"
	expect <<-END
		# $PWD/b.c

		- of b [from: conv, 2026-02-09]
	END
}

@test "co-item-add refuses a link and a file with merge conflicts" {
	mkdir -p $knowledge elsewhere
	ln -s "$PWD/elsewhere/x" $knowledge/facts.md
	run -3 add '{"decisions": ["d"], "facts": ["f"]}'
	[ ! -e elsewhere/x ]
	[ ! -e $knowledge/decisions.md ]
	rm $knowledge/facts.md
	printf '%s\n' '<<<<<<< HEAD' '- ours' ======= '- theirs' '>>>>>>> b' \
		>$knowledge/facts.md
	run -3 add '{"decisions": ["d"], "facts": ["f"]}'
	[[ $output == *"facts.md':1:1: an unresolved merge: run 'co resolve' first" ]]
	[ ! -e $knowledge/decisions.md ]
	run -0 --separate-stderr co-item-list
	expect <<<$'facts\tours\t-\t-'
	[[ $stderr == *"facts.md':1"* ]]
}

@test "co-item-add refuses to let a file grow beyond 1 MiB" {
	mkdir -p $knowledge
	yes -- '- a line that is long enough to fill this' | head -c 1048570 \
		>$knowledge/facts.md
	cp $knowledge/facts.md before
	run -4 add '{"questions": ["q"], "facts": ["one more that does not fit in"]}'
	[[ $output == *"would have more than 1048576 bytes: shorten it" ]]
	cmp before $knowledge/facts.md
	[ ! -e $knowledge/questions.md ]
}

@test "--date and --from set an item's origin, --global its store" {
	run -0 --separate-stderr add '{"facts": ["a"]}' --date=yesterday --global
	run -0 co-item-list --global
	expect <<<$'facts\ta\tconv\t2026-02-08'
	run -0 co-item-list
	expect </dev/null
	[ ! -e .co-cli ]
	[ "$(stat -c %a "$global/knowledge/facts.md")" = 600 ]
	TZ=Pacific/Kiritimati co-item-add <<<'{"facts": ["b"]}' >out
	run -0 co-item-list
	expect <<<$'facts\tb\tuser-told\t2026-02-10'
	run -2 add '{}' --date=soon
}

@test "co forget --undo restores a removed item to the byte" {
	mkdir -p $knowledge
	printf -- '# F\n\n- a\n- b \xff [from: x, 2020-01-01]\n  more\nText\n- a\n- c' \
		>$knowledge/facts.md
	cp $knowledge/facts.md before
	run -1 --separate-stderr co-item-remove --category=facts nothing
	[[ $stderr == *"no item of facts is 'nothing'"* ]]
	run -0 co-item-remove --category=facts c
	expect <<<"$PWD/$trash/20260209T143000Z-1/item-1"
	run -0 co-item-remove --category=facts a
	expect <<-END
		$PWD/$trash/20260209T143000Z-2/item-1
		$PWD/$trash/20260209T143000Z-2/item-2
	END
	run -0 cat $knowledge/facts.md
	[ "$(grep -ac '^- ' $knowledge/facts.md)" = 1 ]
	run -0 co forget --undo
	expect <<-'END'
		✓ Restored item: a
		✓ Restored item: a
	END
	run -0 co forget --undo
	cmp before $knowledge/facts.md
	run -1 co forget --undo
	run -0 find $trash -type f
	expect <<<"$trash/.gitignore"
}

@test "co forget --undo restores a removed note to its file's notes" {
	echo one >a.c
	add '{"files": [{"path": "a.c", "note": "first"},
		{"path": "a.c", "note": "second"}]}' >out
	cp -R $knowledge/files before
	co-item-remove --category=files first >out
	run -0 co-item-list --category=files
	expect <<<$'files\tsecond\tconv\t2026-02-09'
	run -0 co forget --undo
	expect <<<'✓ Restored item: first'
	diff -r before $knowledge/files
}

@test "co forget --undo restores an item though its file has changed" {
	add '{"tasks_open": ["a", "b", "c"], "tasks_done": ["d"]}' >out
	co-item-remove --category=tasks d >out
	co-item-remove --category=tasks 'b [from: conv, 2026-02-09]' >out
	rm $knowledge/tasks.md
	add '{"tasks_open": ["x"]}' >out
	run -0 co forget --undo
	run -0 co forget --undo
	run -0 co-item-list --json
	expect <<-'END'
		{"category":"tasks","text":"x","from":"conv","date":"2026-02-09"}
		{"category":"tasks","text":"b","from":"conv","date":"2026-02-09"}
		{"category":"tasks","text":"d","from":"conv","date":"2026-02-09","done":true}
	END
}

@test "co forget --undo restores items and memories in reverse order" {
	add '{"facts": ["a"]}' >out
	echo memory | co-memory-save >out
	co-item-remove --category=facts a >out
	co-memory-remove 1 >out
	run -0 co forget --undo
	expect <<<'✓ Restored memory 1: 001-memory.md'
	run -0 co forget --undo
	expect <<<'✓ Restored item: a'
	co-memory-remove 1 >out
	co-item-remove --category=facts a >out
	run -0 co forget --undo
	expect <<<'✓ Restored item: a'
	run -0 co forget --undo
	expect <<<'✓ Restored memory 1: 001-memory.md'
}

@test "co forget --undo restores nothing that a clone has in its trash" {
	add '{"facts": ["a"]}' >out
	co-item-remove --category=facts a >out
	find $trash -name .removed-here -exec touch {} +
	printf '../../x\n0\nopen\n\n- evil\n' >$trash/*-1/item-1
	run -1 co forget --undo
	touch -d 2000-01-01 $trash/*-1/.removed-here
	run -3 co forget --undo
	[[ $output == *"item-1' is damaged: no item" ]]
	truncate -s 17M $trash/*-1/item-1
	run -3 co forget --undo
	[[ $output == *"'$PWD/$trash/20260209T143000Z-1/item-1'"* ]]
	[ ! -e x ]
}

@test "co tasks numbers the open tasks and marks them as done" {
	run -0 --separate-stderr co tasks
	[ "$stderr" = "co-tasks: no task is open
hint: 'co tasks add TEXT' adds one" ]
	add '{"tasks_open": ["a", "b", "c"], "tasks_done": ["d"]}' >out
	run -0 co tasks --done 2
	expect <<<'✓ Done: b'
	run -0 co tasks
	expect <<-'END'
		1. a [from: conv, 2026-02-09]
		2. c [from: conv, 2026-02-09]
	END
	run -0 --separate-stderr co tasks --json
	[ "$(jq -r .text <<<"$output" | paste -sd ' ')" = 'a c' ]
	[ "$output" = "$(co-item-list --open --json)" ]
	run -2 co tasks --json 'done' 1
	run -1 co tasks --done 3
	run -1 co tasks 'done' 3
	run -2 co tasks 'done'
	run -2 co tasks 'done' x
	run -2 co tasks 'done' 1 2
	run -1 co tasks --done 0
	run -0 tail -n 5 $knowledge/tasks.md
	expect <<-'END'

		## Done

		- d [from: conv, 2026-02-09]
		- b [from: conv, 2026-02-09]
	END
}

@test "a task that is done is not added again" {
	add '{"tasks_open": ["a"]}' >out
	co tasks 'done' 1 >out
	run -0 --separate-stderr add '{"tasks_open": ["a"]}'
	expect </dev/null
	run -0 --separate-stderr co tasks
	expect </dev/null
}

@test "co tasks add adds a task once, and refuses a secret" {
	run -0 co tasks add Ask Ada about '**it**'
	[ "${lines[0]}" = "co-tasks: made '$PWD/.co-cli'" ]
	[[ $output == *'✓ Added: Ask Ada about **it**' ]]
	run -0 co tasks
	expect <<<'1. Ask Ada about **it** [from: user-told, 2026-02-09]'
	run -0 co tasks add 'Ask Ada about **it**'
	expect <<<'co-tasks: this is a task already'
	[ "$(co item-list --open | wc -l)" = 1 ]
	run -3 co tasks add "use gh""p_$(printf 'aB3dE6gH9k%.0s' {1..4} | head -c 36)"
	[[ $output == *github-token* ]]
	run -0 co tasks add --global 'of mine'
	run -0 co tasks --global
	[[ $output == '1. of mine '* ]]
	for wrong in 'ad x' add 'add x --done=1'; do
		# shellcheck disable=SC2086
		run -2 co tasks $wrong
	done
	run -2 co tasks add ' '
}

@test "parallel co-item-add processes and a person lose no lines" {
	mkdir -p $knowledge
	echo '# Facts' >$knowledge/facts.md
	for who in a b; do
		for i in {1..40}; do
			co-item-add --from=$who$i <<<"{\"facts\": [\"$who $i\"]}"
		done >/dev/null &
	done
	# A replacement may leave the shell with the old file open.
	for i in {1..100}; do
		{
			echo "- person $i" >&7
			[ ! /dev/fd/7 -ef $knowledge/facts.md ] ||
				echo "- person $i" >>written
		} 7>>$knowledge/facts.md
	done
	wait
	[ "$(grep -c '^- [ab] [0-9]* \[from: ' $knowledge/facts.md)" = 80 ]
	[ -s written ]
	diff written <(grep -xFf written $knowledge/facts.md | sort -V)
}

@test "items of two clones are merged by hand, and more can be added" {
	git init -q one
	cd one
	git config user.email a@example.org
	git config user.name a
	add '{"facts": ["base"]}' >out
	git add .co-cli && git commit -qm base
	git clone -q . ../two
	add '{"facts": ["ours"]}' >out
	git commit -qam ours
	(cd ../two && co-item-add --from=x <<<'{"facts": ["theirs"]}' >out &&
		git -c user.email=b@example.org -c user.name=b commit -qam theirs)
	run -1 git pull -q --no-rebase ../two
	run -0 --separate-stderr co-item-list --category=facts
	expect <<<$'facts\tbase\tconv\t2026-02-09\nfacts\tours\tconv\t2026-02-09'
	sed -i '/^[<=>]/d' $knowledge/facts.md
	add '{"facts": ["theirs", "more"]}' >out
	run -0 co-item-list --category=facts
	[ "${#lines[@]}" = 4 ]
}

@test "an item in the trash without a position or state is damaged" {
	local item
	add '{"facts": ["a"]}' >out
	co-item-remove --category=facts a >item
	item=$(<item)
	for head in '' 'facts.md' 'facts.md\n' 'facts.md\n\nopen\n\n' \
		'facts.md\nx\nopen\n\n' 'facts.md\n1x\nopen\n\n' \
		'facts.md\n1234567890\nopen\n\n' 'facts.md\n0\nopen\n' \
		'other.md\n0\nopen\n\n' 'files/../1:2.md\n0\nopen\n\n'; do
		# shellcheck disable=SC2059 # the format is the point
		printf -- "$head- evil\n" >"$item"
		run -3 co forget --undo
		[[ $output == *"item-1' is damaged: no item" ]]
	done
	printf 'facts.md\n0\nopen\n\nno item\n' >"$item"
	run -3 co forget --undo
	[[ $output == *"item-1' is damaged: no item" ]]
	run -0 co-item-list
	expect </dev/null
	printf 'facts.md\n123456789\nopen\n\n- b\n' >"$item"
	run -0 co forget --undo
	expect <<<'✓ Restored item: b'
}
