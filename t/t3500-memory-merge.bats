#!/usr/bin/env bats
# co-memory-merge: merges three versions of a memory.
load lib

# version FILE ID TAGS FIELDS BODY: write a memory. FIELDS and BODY may have \n.
version() {
	printf -- '---\nid: %s\ncreated: 2026-02-09T14:30:00Z\ntags: [%s]\n%b---\n%b' \
		"$2" "$3" "$4" "$5" >"$1"
}

# becomes FILE: check that the merge equals FILE in both directions.
becomes() {
	run -0 co-memory-merge -o - base ours theirs
	expect <"$1"
	run -0 co-memory-merge -o - base theirs ours
	expect <"$1"
}

@test "changes of both sides are merged, and other bytes are those of OURS" {
	version base 1 a '' 'One.\n\nTwo.\n\nThree.\n'
	version ours 1 a 'source: me   # who\n' 'One!\n\nTwo.\n\nThree.\n'
	version theirs 1 b '' 'One.\n\nTwo.\n\nThree!\n'
	run -0 co-memory-merge -o - base ours theirs
	expect <<-'END'
		---
		id: 1
		created: 2026-02-09T14:30:00Z
		tags: [b]
		source: me   # who
		---
		One!

		Two.

		Three!
	END
}

@test "a comment that a side adds is kept, and one that a side removes is gone" {
	version base 1 a '# old\nsource: me\n' 'x\n'
	version ours 1 a 'source: me\n# ours\n' 'x\n'
	version theirs 1 a '# old\nsource: me\n# theirs\n' 'x\n'
	run -0 co-memory-merge -o - base ours theirs
	[ "$(grep '#' <<<"$output" | sort)" = $'# ours\n# theirs' ]
}

@test "the merge replaces OURS, or writes the file that -o names" {
	version base 1 a '' 'x\n'
	version ours 1 'a, o' '' 'x\n'
	version theirs 1 'a, t' '' 'x\n'
	chmod 640 ours
	cp -p ours kept
	run -0 co-memory-merge -o new base ours theirs
	expect </dev/null
	cmp ours kept
	run -0 co-memory-merge base ours theirs
	cmp ours new
	[ "$(stat -c %a ours)" = 640 ]
	grep -q 'tags: \[a, o, t\]' ours
}

@test "a FIFO operand is read after its writer opens it" {
	version base 1 a '' 'x\n'
	version ours 1 'a, o' '' 'x\n'
	version theirs 1 'a, t' '' 'x\n'
	mkfifo pipe
	(sleep 0.3; timeout 60 cp theirs pipe) 3>&- &
	run -0 timeout 60 co-memory-merge -o new base ours pipe
	grep -q 'tags: \[a, o, t\]' new
	wait
}

@test "a field that both sides changed is merged by its meaning" {
	version base 1 '' 'updated: 2026-01-01\nexpires: 2026-05-01\ntrust: user\n' ''
	version ours 1 '' 'updated: 2026-01-03\nexpires: 2026-05-03\ntrust: agent\nalways: true\n' ''
	version theirs 1 '' 'updated: 2026-01-02\nexpires: 2026-05-02\ntrust: external\nalways: false\n' ''
	run -0 co-memory-merge -o - base ours theirs
	expect <<-'END'
		---
		id: 1
		created: 2026-02-09T14:30:00Z
		tags: []
		updated: 2026-01-03
		expires: 2026-05-02
		trust: external
		always: true
		---
	END
}

# settles KEY BASE ONE OTHER RESULT: check that the field merges to RESULT in both
# directions. An empty value means that a version has no such field.
settles() {
	local key=$1 file n=0
	for file in base one other; do
		shift
		version $file 1 '' "${1:+$key: $1\\n}" 'x\n'
	done
	for file in 'one other' 'other one'; do
		# shellcheck disable=SC2086
		run -0 co-memory-merge -o - base $file
		grep -x "$key: .*" <<<"$output" >got || :
		diff -u - got <<<"$key: $2"
		n=$((n + 1))
	done
	[ $n = 2 ]
}

# collides KEY BASE ONE OTHER: check that both values are kept and the memory is valid.
collides() {
	version base 1 '' "$1: $2\\n" 'x\n'
	version one 1 '' "$1: $3\\n" 'x\n'
	version other 1 '' "$1: $4\\n" 'x\n'
	run -1 co-memory-merge -o out base one other
	grep -qx "$1: $3" out
	grep -qx "# theirs: $1: $4" out
	run -0 co-frontmatter-parse --check --type=memory out
	run -1 co-memory-merge -o out base other one
	grep -qx "$1: $4" out
	grep -qx "# theirs: $1: $3" out
}

@test "tags and any other list merge as a set" {
	settles refs '[b, a]' '[b, a, d]' '[a, c]' '[a, c, d]'
	settles refs '' '[b]' '[a, "5", 5]' '[5, "5", a, b]'
}

@test "replaces, cites, paths and the like merge as a set, also single values" {
	settles replaces '' 3 7 '[3, 7]'
	settles replaces 1 '[1, 3]' 7 '[3, 7]'
	settles supersedes '[1]' '[1, 2]' '[3, 1]' '[1, 2, 3]'
	settles formerly '[7]' '[7, 9]' '[7, 8]' '[7, 8, 9]'
	settles cites '[a.c@1]' '[a.c@2]' '[a.c@1, b.c@1]' '[a.c@2, b.c@1]'
	settles paths '' 'src/**' '[lib/**]' '[lib/**, src/**]'
	settles languages '' '[c]' '[python]' '[c, python]'
	settles branches '' '[main]' '[dev]' '[dev, main]'
}

@test "superseded merges to the lower id" {
	settles superseded '' 900000 800000 800000
	settles superseded '' 900000 '' 900000
	settles superseded 700000 900000 800000 800000
}

@test "updated, verified and fetched merge to the later time" {
	local key
	for key in updated verified fetched; do
		settles $key 2026-01-01 2026-01-03 2026-01-02 2026-01-03
		settles $key '' 2026-01-03T10:00:00+02:00 2026-01-03T09:00:00Z \
			2026-01-03T09:00:00Z
	done
}

@test "created, expires and review-after merge to the earlier time" {
	sed_created() { sed -i "s/^created: .*/created: $2/" "$1"; }
	version base 1 '' '' ''
	version one 1 '' '' ''
	version other 1 '' '' ''
	sed_created one 2026-02-08T00:00:00Z
	sed_created other 2026-02-07T00:00:00Z
	run -0 co-memory-merge -o - base one other
	[[ $output == *'created: 2026-02-07T00:00:00Z'* ]]
	run -0 co-memory-merge -o - base other one
	[[ $output == *'created: 2026-02-07T00:00:00Z'* ]]
	settles expires 2026-05-01 2026-05-03 2026-05-02 2026-05-02
	settles review-after '' 2026-05-03 2026-05-02 2026-05-02
}

@test "one time in two forms merges to the same result in both directions" {
	settles expires 2026-05-01 2026-05-02 2026-05-02T00:00:00Z 2026-05-02
}

@test "sensitive, always and archive merge to true" {
	local key
	for key in sensitive always archive; do
		settles $key '' true false true
	done
}

@test "trust and confidence merge to the lower value" {
	settles trust '' user agent agent
	settles trust user agent external external
	settles confidence '' high medium medium
	settles confidence high low medium low
}

@test "a value that its field does not know is a conflict" {
	collides trust user agent nobody
	collides confidence low high sure
	collides expires 2026-05-01 soon 2026-05-02
	collides always maybe true often
	collides superseded 1 2 nobody
	collides source a b c
	collides scope project language global
	collides language c python perl
	collides worktree a b c
	collides title A B C
	collides attachment a/1 a/2 a/3
	collides version 1 2 3
}

@test "an id is never merged" {
	version base 1 '' '' 'x\n'
	version one 1 'a' '' 'x\n'
	version other 2 '' '' 'x\n'
	run -1 co-memory-merge -o out base one other
	cmp out other
	run -1 co-memory-merge -o out base other one
	cmp out other
}

@test "a nested field is merged in any form" {
	version base 1 '' 'source: a\n' ''
	version ours 1 '' 'source: b\n' ''
	version theirs 1 '' 'source: a\nsize:\n  w: 1\n  h: [2, {x: 3}]\n' ''
	run -0 co-memory-merge -o out base ours theirs
	run -0 co-frontmatter-parse --json out
	[[ $output == *'"source":"b"'*'"size":{"w":1,"h":[2,{"x":3}]}'* ]]
	version base 1 '' 'source: &a x\nlast: *a\n' ''
	version ours 1 y 'source: &a x\nlast: *a\n' ''
	version theirs 1 '' 'source: z\nlast: x\n' ''
	run -0 co-memory-merge -o out base ours theirs
	run -0 co-frontmatter-parse --json out
	[[ $output == *'"tags":["y"]'*'"source":"z","last":"x"'* ]]
}

@test "if one side changed nothing, the result is the other, byte for byte" {
	version base 1 'a' '' 'x\n'
	version other 1 'a' 'source: me # why\n# note\n' 'x\r\ny'
	run -0 co-memory-merge -o out base base other
	cmp out other
	run -0 co-memory-merge -o out base other base
	cmp out other
	run -0 co-memory-merge -o out base other other
	cmp out other
	version one 1 'a' '' 'z\n'
	version other 1 'a' 'source: me # why\n# note\n' 'x\n'
	run -0 co-memory-merge -o out base one other
	diff -u - out < <(sed 's/^x$/z/' other)
}

@test "files that a killed merge left in the temporary directory are removed" {
	version base 1 '' '' 'x\n\ny\n\nz\n'
	version ours 1 '' '' 'X\n\ny\n\nz\n'
	version theirs 1 '' '' 'x\n\ny\n\nZ\n'
	mkdir -p temp/co-merge-abcdef
	: >temp/co-merge-abcdef/ours
	TMPDIR=$PWD/temp run -0 co-memory-merge -o - base ours theirs
	[ "$(tail -n 5 <<<"$output" | xargs)" = 'X y Z' ]
	[ -z "$(ls temp)" ]
}

@test "a conflict in a field keeps ours, with theirs in a comment" {
	version base 1 '' 'source: a\n' 'x\n'
	version ours 1 '' 'source: b # why\n' 'x\n'
	version theirs 1 '' 'source: "no"\n' 'x\n'
	run -1 --separate-stderr co-memory-merge --path=memories/001-x.md \
		-o out base ours theirs
	diff -u - out <<-'END'
		---
		id: 1
		created: 2026-02-09T14:30:00Z
		tags: []
		source: b # why
		# theirs: source: "no"
		---
		x
	END
	[ "$stderr" = "co-memory-merge: 'memories/001-x.md': both sides changed 'source': ours is b, theirs \"no\"
hint: 'co resolve --ours' or '--theirs', once git has stopped, takes one side" ]
	run -0 co-frontmatter-parse --check --type=memory out
}

@test "a field that one side removed and the other changed stays" {
	version base 1 '' 'source: a\nnote: b\n' ''
	version ours 1 '' 'note: c\n' ''
	version theirs 1 '' 'source: d\n' ''
	run -0 co-memory-merge -o - base ours theirs
	expect <<-'END'
		---
		id: 1
		created: 2026-02-09T14:30:00Z
		tags: []
		note: c
		source: d
		---
	END
}

@test "a field that one side removed is gone, in any form of header" {
	for form in '{id: 1, gone: x, last: y}' '{gone: x, id: 1, last: y}' \
		$'id: 1\ngone:\n  - x\n  - y\nlast: y' \
		$'id: 1\nlast: y\ngone: |\n  x\n  y' \
		$'id: 1\ngone: &a x\nlast: *a'; do
		printf -- '---\n%s\n---\nbody\n' "$form" >base
		cp base ours
		printf -- '---\nid: 1\nlast: %s\n---\nbody\n' \
			"$(co-frontmatter-parse --field=last base)" >theirs
		run -0 co-memory-merge -o out base ours theirs
		run -0 co-frontmatter-parse --json out
		[[ $output != *gone* && $output == *'"id":1'*'"last":'* ]]
	done
}

@test "bullets that both sides add merge as a set, also with several lines" {
	printf '# Learned\n\n- a\n- b\n  more\n' >base
	printf '# Learned\n\n- a\n- b\n  more\n- our\n  own\n' >ours
	printf '# Learned\n\n- b\n  more\n- their\n' >theirs
	run -0 co-memory-merge -o - base ours theirs
	expect <<-'END'
		# Learned

		- b
		  more
		- our
		  own
		- their
	END
}

@test "lists that both sides begin become one list" {
	printf 'One.\n' >base
	printf 'One.\n\n# Learned\n\n- x\n' >ours
	printf 'One.\n\n# Learned\n\n- y\n' >theirs
	run -0 co-memory-merge -o - base ours theirs
	expect <<-'END'
		One.

		# Learned

		- x
		- y
	END
	: >base
	run -0 co-memory-merge -o - base ours theirs
	expect <<-'END'
		One.

		# Learned

		- x
		- y
	END
}

@test "a bullet that both sides changed is a conflict of its own" {
	printf -- '- a\n- b\n- c\n' >base
	printf -- '- a\n- b ours\n- c\n' >ours
	printf -- '- a\n- b theirs\n- c\n' >theirs
	run -1 --separate-stderr co-memory-merge -o - base ours theirs
	expect <<-'END'
		- a
		<<<<<<< ours
		- b ours
		=======
		- b theirs
		>>>>>>> theirs
		- c
	END
	[ "$stderr" = "co-memory-merge: 'ours': both sides changed the same lines" ]
}

@test "the same lines in two orders merge without conflict or duplicates" {
	printf 'One.\n' >base
	printf 'One.\n\nAnn: a.\nBen: b.\n' >ours
	printf 'One.\nBen: b.\n\n\nAnn: a.\n' >theirs
	becomes theirs # the longer
	printf 'Ben: b.\nAnn: a.\n\nOne.\n' >theirs
	becomes theirs # the lesser
}

@test "reordered lines merge as in git, or else to one of the orders" {
	printf 'a\nb\nc\nd\ne\nf\n' >base
	printf 'b\na\nc\nd\ne\nf\n' >ours
	printf 'a\nb\nc\nd\nf\ne\n' >theirs
	run -0 co-memory-merge -o - base ours theirs
	expect <<<$'b\na\nc\nd\nf\ne'
	printf 'c\na\nb\n' >ours
	printf 'b\nc\na\n' >theirs
	printf 'a\nb\nc\n' >base
	run ! git merge-file -p ours base theirs
	becomes theirs
}

@test "a side that has the other side's lines and more wins" {
	printf 'Ann: a.\n' >base
	printf 'Ann: x.\n' >ours
	printf 'Ann: y.\nAnn: x.\n' >theirs
	run ! git merge-file -p ours base theirs
	becomes theirs
	# One side removed lines that the other kept, next to lines of both.
	printf 'Ann: y.\nBen: b.\n' >base
	run ! git merge-file -p ours base theirs
	becomes ours
	# Both cases at once are a conflict.
	printf 'Ann: y.\nAnn: x.\nAnn: z.\n' >theirs
	run -1 co-memory-merge -o - base ours theirs
	run -1 co-memory-merge -o - base theirs ours
}

@test "a task that one side finished and one that the other added are kept" {
	printf '# Tasks\n\n## Open\n- one\n- two\n\n## Done\n' >base
	printf '# Tasks\n\n## Open\n- two\n\n## Done\n- one\n' >ours
	printf '# Tasks\n\n## Open\n- one\n- three\n\n## Done\n- two\n' >theirs
	run -0 co-memory-merge -o - base ours theirs
	expect <<-'END'
		# Tasks

		## Open
		- three

		## Done
		- one
		- two
	END
}

@test "the merge keeps the line ends of OURS" {
	version base 1 a '' 'One.\nTwo.\n'
	version ours 1 'a, b' '' 'One.\nTwo.\n'
	version theirs 1 a '' 'One.\nTwo!\n'
	sed -i 's/$/\r/' ours
	run -0 co-memory-merge base ours theirs
	[ "$(grep -c $'\r$' ours)" = "$(wc -l <ours)" ]
	grep -q 'Two!' ours
	sed -i 's/$/\r/' theirs
	version ours 1 'a, b' '' 'One.\nTwo.\n'
	run -0 co-memory-merge base ours theirs
	run -1 grep -q $'\r' ours
	grep -q 'Two!' ours
}

@test "a body merges below a header whose last line has no line end" {
	version base 1 '' '' ''
	version ours 1 new '' ''
	version theirs 1 '' '' 'The text of theirs\n'
	truncate -s -1 base ours
	version both 1 new '' 'The text of theirs\n'
	becomes both
	run -0 co-frontmatter-parse --check --type=memory both
	# Without a body the line stays as it is.
	version theirs 1 other '' ''
	truncate -s -1 theirs
	run -0 co-memory-merge -o merged base ours theirs
	[ "$(tail -c 3 merged)" = --- ]
}

@test "if git merged two memories into one file, only the new one is written" {
	version base 1 '' '' 'Old.\n'
	version ours 1 '' '' 'Old, edited.\n'
	version theirs 2 '' '' 'New.\n'
	run -1 --separate-stderr co-memory-merge -o out base ours theirs
	cmp out theirs
	[[ $stderr == *'git merged the memories 1 and 2 into one file'* ]]
	run -1 --separate-stderr co-memory-merge -o out base theirs ours
	cmp out theirs
}

@test "a side that cannot be parsed is merged as text and reported" {
	version base 1 '' '' 'x\n'
	version ours 1 '' '' 'y\n'
	printf -- '---\nid: [\n---\nx\n' >theirs
	run -3 --separate-stderr co-memory-merge -o out base ours theirs
	[[ $stderr == "co-memory-merge: 'ours (theirs)':3:1: Invalid YAML"* ]]
	grep -q '^y$' out
	grep -q '^id: \[$' out
}

@test "without git the result has both sides complete" {
	version base 1 '' '' 'x\n'
	version ours 1 '' '' 'y\n'
	version theirs 1 '' '' 'z\n'
	run -6 --separate-stderr env PATH=/nowhere \
		"$CO_BIN/co-memory-merge" -o out base ours theirs
	[[ $stderr == *"no program 'git'"* ]]
	grep -q '^y$' out
	grep -q '^z$' out
	grep -q '^>>>>>>> theirs$' out
}

@test "conflict markers in a text are text" {
	printf 'a\n<<<<<<< ours\n|||||||||||||||||||||\nb\n' >base
	printf 'A\n<<<<<<< ours\n|||||||||||||||||||||\nb\n' >ours
	printf 'a\n<<<<<<< ours\n|||||||||||||||||||||\nB\n' >theirs
	run -0 co-memory-merge -o - base ours theirs
	expect <<-'END'
		A
		<<<<<<< ours
		|||||||||||||||||||||
		B
	END
}

@test "as a merge driver of git, co merges what git would leave unmerged" {
	git init -q .
	git config user.name A
	git config user.email a@example.org
	git config merge.co.driver \
		'co-memory-merge --path=%P -- %O %A %B'
	echo 'Deploys happen on Tuesdays' | co-memory-save -t ops
	echo 'knowledge/memories/*.md merge=co' >.co-cli/.gitattributes
	git add .co-cli
	git commit -qm base
	git switch -qc side
	sed -i 's/\[ops\]/[ops, deploy]/' .co-cli/knowledge/memories/001*
	git commit -qam side
	git switch -q -
	sed -i 's/\[ops\]/[ops, tuesday]/' .co-cli/knowledge/memories/001*
	git commit -qam main
	git merge -q side -m both
	run -0 co-frontmatter-parse --field=tags \
		.co-cli/knowledge/memories/001*
	expect <<-'END'
		ops
		deploy
		tuesday
	END
}
