#!/usr/bin/env bats
# Citations of a memory: --cite, `cites` of records, co cite.
load lib
load terminal

setup() {
	world
	mkdir src
	seq 1 30 >src/a
	two=$(printf '2\n3\n' | sha256sum)
	two="src/a#L2-L3@${two:0:16}"
	nine=$(printf '9\n' | sha256sum)
	nine="src/a#L9-L9@${nine:0:16}"
	all=$(sha256sum <src/a)
	all="src/a@${all:0:16}"
}

# cites ID: print the citations of the memory, one per line.
cites() {
	co-memory-show --json "$1" | jq -r '.frontmatter.cites[]'
}

@test "--cite saves a place with the hash of its content" {
	co-learn --cite=src/a:2-3 --cite=src/a:9 --cite=src/a one >/dev/null 2>&1
	run -0 cites 1
	expect <<<"$two"$'\n'"$nine"$'\n'"$all"
	run -0 co-evidence-check
	[ "$(cut -f 1 <<<"$output" | sort -u)" = same ]
	co-memory-save --cite='src/a#L2-L3' --cite="$nine" <<<two >/dev/null
	run -0 cites 2
	expect <<<"$two"$'\n'"$nine"
	run -0 co-knowledge-check
}

@test "a cited path is relative to the directory that contains .co-cli" {
	co-init >/dev/null
	cd src
	co-learn --cite=src/a:2-3 one >/dev/null
	run -0 cites 1
	expect <<<"$two"
	run -3 --separate-stderr co-learn --cite=a:2-3 other
	[ "$stderr" = "co-learn: no file 'a' in the directory that contains '$BATS_TEST_TMPDIR/project/.co-cli': did you mean 'src/a:2-3'?" ]
	for place in a ./a "$PWD/a" ../src/a; do
		run ! --separate-stderr co cite 1 "$place"
		[[ $stderr == *": did you mean 'src/a'?"* ]]
	done
	run -1 --separate-stderr co cite 1 b
	[[ $stderr != *'did you mean'* ]]
}

@test "a place that cannot be cited saves nothing" {
	mkfifo fifo
	ln -s src/a link
	ln -s src folder
	printf 'x' >$'new\nline'
	for place in src/a:31 src/a:20-31 src/a:9-8 src/a:0 nope src . .. / "" \
		../project/src/a "$PWD/src/a" fifo link folder/a /dev/null \
		'src/a#L2' 'src/a#L3-L2' $'new\nline' $'a\eb' src//a ./src/a src/a/ \
		src/a:9999999999999-1 https://example.org/x 'https://example.org/a b'; do
		run -3 --separate-stderr timeout 60 co-learn --cite="$place" text
		[ -z "$output" ]
		[ "$(grep -c '^co-learn: ' <<<"$stderr")" = 1 ]
		[[ $stderr != *$'\e'* ]]
		[ ! -e .co-cli ]
	done
}

@test "a number after a colon is a line, after a hyphen it is part of the name" {
	cp src/a 'b-7'
	cp src/a 'x@y'
	co-learn --cite=b-7 --cite=x@y:2-3 one >/dev/null 2>&1
	run -0 cites 1
	expect <<<"${all/src?a/b-7}"$'\n'"${two/src?a/x@y}"
	run -0 co-evidence-check 1
}

@test "a memory of the user store can cite only URLs" {
	run -3 --separate-stderr co-learn --global --cite=src/a:2 one
	[[ $stderr == "co-learn: a memory of the user's store cites no file"* ]]
	run -3 --separate-stderr co-memory-save --global --batch \
		<<<'{"content":"x","cites":["'"$two"'"]}'
	[[ $stderr == *"of the user's store cites no file"* ]]
	mkdir -p "$global/knowledge/articles"
	printf -- '---\nsource: https://example.org/x\nfetched: 2026-02-09\ntitle: X\n---\nx\n' \
		>"$global/knowledge/articles/x.md"
	co-learn --global --cite=https://example.org/x one >/dev/null
	run -0 co-evidence-check --global
	[[ $output == "same	g1	https://example.org/x@"* ]]
}

@test "a batch accepts places and citations in each line" {
	run -3 --separate-stderr co-memory-save --batch <<-END
		{"content":"a","cites":["src/a:2-3","$nine"]}
		{"content":"b","cites":["nope:1"]}
		{"content":"c","cites":"src/a"}
		{"content":"d","cites":[3]}
		{"content":"e","cites":[]}
	END
	[[ $stderr == *"'-':2: no file 'nope'"* ]]
	[[ $stderr == *"'-':3: Field 'cites' must be list"* ]]
	[[ $stderr == *"'-':4: "* ]]
	run -0 cites 1
	expect <<<"$two"$'\n'"$nine"
	[ "$(co-memory-list | wc -l)" = 2 ]
	# A record keeps its citations, even if their sources have changed.
	sed -i 1d src/a
	co-memory-show --json 1 | jq -c '.content = "copy"' | co-memory-save --batch >/dev/null
	run -0 cites 3
	expect <<<"$two"$'\n'"$nine"
	co-memory-show --json 1 | jq -c '.frontmatter.id = 77' |
		co-memory-save --batch --exact >/dev/null
	run -0 cites 77
	expect <<<"$two"$'\n'"$nine"
}

@test "co learn of a known text reports that nothing was cited" {
	co-learn one >/dev/null 2>&1
	run -0 --separate-stderr co-learn --cite=src/a one
	[ "$stderr" = 'co-learn: nothing was cited' ]
}

@test "co cite adds citations to a memory and renews the same place" {
	co-learn one >/dev/null 2>&1
	file=$(co-memory-list)
	sed -i 's/^tags: .*/tags: []   # none/' "$file"
	run -0 co-cite 1 src/a:2-3 src/a:9
	expect <<<"$two"$'\n'"$nine"
	run -0 cites 1
	expect <<<"$two"$'\n'"$nine"
	grep -q '^tags: \[\]   # none$' "$file"
	grep -q '^verified' "$file" && false
	sed -i 's/^2$/two/' src/a
	run -0 co-cite -n 1 src/a:2-3
	run -1 co-evidence-check
	run -0 co-cite 1 src/a:2-3
	[ "$(cites 1 | wc -l)" = 2 ]
	run -0 co-evidence-check
	before=$(<"$file")
	run -1 co-cite 1 src/a:2 nope
	[ "$before" = "$(<"$file")" ]
	run -1 co-cite 9 src/a
	run -2 co-cite 1
	run -2 co-cite
}

@test "--refresh renews all citations and the time, or changes nothing" {
	co-learn --cite=src/a:2-3 --cite=src/a:9 one >/dev/null 2>&1
	sed -i -e '1i zero' -e 's/^9$/nine/' src/a
	sum=$(printf 'nine\n' | sha256sum)
	run -1 co-evidence-check
	# Without git the new place of line 9 is unknown. Line 9 now has the old line 8.
	before=$(<"$(co-memory-list)")
	run -1 --separate-stderr co-cite --refresh 1
	expect </dev/null
	[ "$stderr" = "src/a#L9-L9: the cited lines moved or changed; src/a#L9-L9 now reads:
@@ -0,0 +1,1 @@
+8
co-cite: git cannot tell where the cited lines are now: -y cites the new ones
hint: 'co list' shows the memories, 'co edit ID' opens what one cites" ]
	[ "$before" = "$(<"$(co-memory-list)")" ]
	CO_NOW=2026-03-01T00:00:00Z run -0 co-cite -q -y --refresh 1
	cp src/a kept
	run -0 cites 1
	[ "${lines[0]}" = "src/a#L3-L4@${two#*@}" ]
	sum=$(printf '8\n' | sha256sum)
	[ "${lines[1]}" = "src/a#L9-L9@${sum:0:16}" ]
	[ "$(co-memory-show --json 1 | jq -r .frontmatter.verified)" = 2026-03-01T00:00:00Z ]
	before=$(<"$(co-memory-list)")
	rm src/a
	run -1 co-cite --refresh 1
	[ "$before" = "$(<"$(co-memory-list)")" ]
	mv kept src/a
	co-learn two >/dev/null
	run -1 --separate-stderr co-cite --refresh 2 1
	[[ $stderr == *"cites nothing"* ]]
}

# committed: commit src/a to git.
committed() {
	git init -q .
	git add src
	git -c user.name=A -c user.email=a@example.org commit -qm a
}

# refreshed PLACE TEXT: check that co cite --refresh cites PLACE, which has TEXT.
refreshed() {
	local sum
	sum=$(printf '%s\n' "$2" | sha256sum)
	run -0 --separate-stderr co-cite --refresh 1
	expect <<<"$1@${sum:0:16}"
	run -0 cites 1
	expect <<<"$1@${sum:0:16}"
	run -0 co-evidence-check
}

@test "--refresh follows changed lines with the version in git" {
	printf 'port = %s\n' one two three four five >src/a
	committed
	co-learn --cite=src/a:3 one >/dev/null 2>&1
	sed -i -e '3i port of call' -e 's/three/drei/' src/a
	refreshed 'src/a#L4-L4' 'port = drei'
	[ "$stderr" = "src/a#L3-L3 changed; git finds its lines at src/a#L4-L4:
@@ -1,1 +1,1 @@
-port = three
+port = drei" ]
	# This change is not committed, so git does not have the text that was cited last.
	sed -i 's/drei/tres/' src/a
	run -1 co-cite --refresh 1
	git add src
	git -c user.name=A -c user.email=a@example.org commit -qm tres
	run -1 co-cite --refresh 1
}

@test "--refresh follows a block from its first to its last line" {
	seq 1 9 | sed 's/.*/value & of nine/' >src/a
	committed
	co-learn --cite=src/a:4-6 one >/dev/null 2>&1
	# The first line changes. One line is added above the block and one inside.
	sed -i -e '1i head' -e 's/value 4/value four/' -e '5a within' src/a
	refreshed 'src/a#L5-L8' $'value four of nine\nvalue 5 of nine\nwithin\nvalue 6 of nine'
	# The place of lines that no longer exist is not guessed.
	sed -i '5,7d' src/a
	run -1 co-cite --refresh 1
}

@test "--refresh on a terminal shows the lines and asks" {
	need_terminal
	printf 'port = %s\n' one two three >src/a
	committed
	co-learn --cite=src/a:2 one >/dev/null 2>&1
	sed -i -e '1i head' -e 's/two/zwei/' src/a
	terminal 1 n 'co cite --refresh 1'
	[[ $output == *"-port = two"*"+port = zwei"*"Cite them? [y/N]"*"nothing is refreshed"* ]]
	run -0 cites 1
	[[ $output == 'src/a#L2-L2@'* ]]
	terminal 0 y 'co cite --refresh 1'
	[[ $output == *'src/a#L3-L3@'* ]]
}

# renamed FROM TO: rename the file in git and commit.
renamed() {
	git mv "$1" "$2"
	git -c user.name=A -c user.email=a@example.org commit -qm renamed
}

@test "--refresh cites a file that git renamed under its new name" {
	committed
	co-learn --cite=src/a:2-3 --cite=src/a one >/dev/null 2>&1
	renamed src/a src/b
	run -1 co-evidence-check
	[ "$(cut -f 1 <<<"$output" | uniq)" = gone ]
	run -3 --separate-stderr co-knowledge --check --evidence --json
	[ "$(jq -r .text <<<"$output")" = "'$(co-memory-list)': what it cites is gone: 'src/a#L2-L3', moved to 'src/b#L2-L3'
'$(co-memory-list)': what it cites is gone: 'src/a', moved to 'src/b'" ]
	run -0 --separate-stderr co-cite -n --refresh 1
	[ "$stderr" = "src/a#L2-L3 moved to src/b#L2-L3: git renamed the file
src/a moved to src/b: git renamed the file" ]
	run -0 co-cite --refresh 1
	run -0 cites 1
	expect <<<"${two/src?a/src/b}"$'\n'"${all/src?a/src/b}"
	run -0 co-evidence-check
}

@test "--refresh follows several renames, an edit and the index" {
	committed
	co-learn --cite=src/a:2-3 one >/dev/null 2>&1
	co-learn --cite=src/a:29-30 two >/dev/null 2>&1
	renamed src/a src/b
	sed -i '1i zero' src/b
	sed -i 's/^30$/thirty/' src/b
	git -c user.name=A -c user.email=a@example.org commit -qam edit
	git mv src/b c
	run -3 co-knowledge --check --evidence
	[[ $output == *"'src/a#L2-L3', moved to 'c#L3-L4'"* ]]
	run -0 co-cite --refresh 1
	run -0 cites 1
	expect <<<"c#L3-L4@${two#*@}"
	run -0 --separate-stderr co-cite --refresh 2
	[ "$stderr" = "src/a#L29-L30 changed, and git renamed the file; git finds its lines at c#L30-L31:
@@ -1,2 +1,2 @@
 29
-30
+thirty" ]
}

@test "a file that was removed or moved out of the project is gone" {
	mkdir sub
	cp src/a sub/a
	seq 50 60 >src/b
	git init -q .
	git add sub src
	git -c user.name=A -c user.email=a@example.org commit -qm a
	cd sub
	co-init >/dev/null 2>&1
	co-learn --cite=a:2-3 one >/dev/null 2>&1
	seq 40 90 >a
	git rm -qf a ../src/a
	git -c user.name=A -c user.email=a@example.org commit -qm removed
	run -3 co-knowledge --check --evidence
	[[ $output == *"gone: 'a#L2-L3'"* && $output != *'moved to'* ]]
	seq 1 30 >a
	git add a
	git -c user.name=A -c user.email=a@example.org commit -qm again
	renamed a ../outside
	run -3 co-knowledge --check --evidence
	[[ $output == *"gone: 'a#L2-L3'"* && $output != *'moved to'* ]]
	run -1 co-cite --refresh 1
}

@test "git is asked for renames only if a citation is gone" {
	committed
	co-learn --cite=src/a:2-3 one >/dev/null 2>&1
	mkdir bin
	printf '#!/bin/sh\necho called >>"%s"\nexec "%s" "$@"\n' \
		"$BATS_TEST_TMPDIR/calls" "$(command -v git)" >bin/git
	chmod +x bin/git
	PATH=$PWD/bin:$PATH
	co-knowledge --check --evidence
	rm -f "$BATS_TEST_TMPDIR/calls"
	echo other >src/a
	run -3 co-knowledge --check --evidence
	[ ! -e "$BATS_TEST_TMPDIR/calls" ]
	rm src/a
	run -3 co-knowledge --check --evidence
	[ -s "$BATS_TEST_TMPDIR/calls" ]
}

@test "--refresh on a terminal asks about a renamed file" {
	need_terminal
	committed
	co-learn --cite=src/a:2-3 one >/dev/null 2>&1
	renamed src/a src/b
	terminal 1 n 'co cite --refresh 1'
	[[ $output == *"moved to src/b#L2-L3"*"Cite it there? [y/N]"*"nothing is refreshed"* ]]
	run -0 cites 1
	expect <<<"$two"
	terminal 0 y 'co cite --refresh 1'
	run -0 cites 1
	expect <<<"${two/src?a/src/b}"
}

@test "a draft keeps its citations when it is accepted" {
	co-memory-save --draft --cite=src/a:2-3 <<<one >/dev/null 2>&1
	run -0 co-cite "$(co-memory-list --drafts)" src/a:9
	co-review --accept 1 >/dev/null
	run -0 cites 1
	expect <<<"$two"$'\n'"$nine"
}

@test "concurrent citations are all saved" {
	co-learn one >/dev/null 2>&1
	for i in {1..8}; do co-cite -q 1 "src/a:$i" & done
	wait
	[ "$(cites 1 | wc -l)" = 8 ]
}

@test "a merge takes the citations of both sides and the later verification" {
	head=$'---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n'
	printf '%scites: ["%s"]\nverified: 2026-02-01T00:00:00Z\n---\nx\n' "$head" "$two" >base
	printf '%scites: ["%s", "%s"]\nverified: 2026-02-03T00:00:00Z\n---\nx\n' "$head" "$two" "$nine" >ours
	printf '%scites: ["%s"]\nverified: 2026-02-02T00:00:00Z\n---\nx\n' "$head" "$all" >theirs
	for sides in 'ours theirs' 'theirs ours'; do
		# shellcheck disable=SC2086
		run -0 co-memory-merge -o - base $sides
		[ "$(co-frontmatter-parse --json <<<"$output" |
			jq -c '[.frontmatter.cites, .frontmatter.verified]')" = \
			"$(jq -nc --arg a "$nine" --arg b "$all" '[[$a, $b], "2026-02-03T00:00:00Z"]')" ]
	done
}

@test "a commit is cited by its full hash and is always the same" {
	commit=$(printf '%040d' 1)
	co-learn --cite="$commit" --cite=src/a:2-3 one >/dev/null 2>&1
	run -0 cites 1
	expect <<<"$commit"$'\n'"$two"
	run -0 co-evidence-check
	expect <<<$'same\t1\t'"$commit"$'\nsame\t1\t'"$two"
	run -0 co-knowledge-check
	co-learn --global two >/dev/null 2>&1
	run -0 co cite g1 "$commit"
	# An abbreviated hash is a path.
	run -1 co cite 1 "${commit%?}"
}
