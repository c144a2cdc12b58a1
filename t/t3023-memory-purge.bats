#!/usr/bin/env bats
# co-memory-purge: a memory goes from everywhere, and what is left is told.
# bats file_tags=rights
load lib
load purge

setup() {
	purge_world
}

proof() {
	run co-memory-purge --proof --text=- <<<"$word"
}

@test "a file that cannot be removed is not said to be removed" {
	as=()
	[ "$(id -u)" -ne 0 ] || as=(setpriv --inh-caps=-all
		"--bounding-set=-dac_override,-dac_read_search,-fowner")
	"${as[@]}" true 2>/dev/null || skip 'root cannot give its rights up here'
	co-memory-save <<<"$word" >/dev/null
	chmod 500 "$memories"
	run -4 "${as[@]}" co-memory-purge 2
	chmod 700 "$memories"
	[[ $output == *"cannot remove '$PWD/$memories/002-$slug.md'"* ]]
	[[ $output != *"removed $PWD/$memories"* ]]
	[ -e "$memories/002-$slug.md" ]
	run -0 co-memory-purge 2
	[[ $output == *"removed $PWD/$memories/002-$slug.md"* ]]
}

@test "a text of the log that cannot be read is reported, also before the purge" {
	as=()
	[ "$(id -u)" -ne 0 ] || as=(setpriv --inh-caps=-all
		"--bounding-set=-dac_override,-dac_read_search")
	"${as[@]}" true 2>/dev/null || skip 'root cannot give its rights up here'
	co-memory-save <<<"$word" >/dev/null
	echo "a copy: $word" >$gitlog/now/copy
	chmod 0 $gitlog/now/copy
	for option in -n --; do
		run -4 "${as[@]}" co-memory-purge $option 2
		[[ $output == *"cannot open '$PWD/$gitlog/now/copy': Permission denied"* ]]
		[[ ${output/cannot open/} != *'cannot open'* ]]
	done
	chmod 600 $gitlog/now/copy
	run -0 co-memory-purge --text=- <<<"$word"
	[[ $output == *"removed $PWD/$gitlog/now/copy"* ]]
}

@test "what was never committed is gone at once, and that is proven" {
	co-memory-save <<<"$word" >/dev/null
	co-recall 'launch code' >/dev/null
	run -0 co-memory-purge -n 2
	expect <<-END
		would remove $PWD/$gitlog/now/ops (1 line)
		would remove $PWD/$memories/002-$slug.md
	END
	[ -e "$memories/002-$slug.md" ]
	run -0 co-memory-purge 2
	expect <<-END
		removed $PWD/$gitlog/now/ops (1 line)
		removed $PWD/$memories/002-$slug.md
	END
	nowhere
	proof
	[ "$status" = 0 ]
	expect </dev/null
	# Its number is not given again, and the others are as they were.
	[ "$(co-memory-next-id)" = 3 ]
	[ -e "$memories/001-m.md" ]
}

# put WHERE: leave the text there, and nowhere else.
put() {
	local blob
	case $1 in
	memory) memory 7 2026-01-02T00:00:00Z '' <<<"$word" ;;
	name) memory 7 2026-01-02T00:00:00Z '' "$memories/007-$slug.md" <<<x ;;
	draft) mkdir -p "$drafts" && memory 7 2026-01-02T00:00:00Z '' "$drafts/007-m.md" <<<"$word" ;;
	shared) co-memory-save --draft <<<"x $word" >/dev/null 2>&1 ;;
	trash) memory 7 2026-01-02T00:00:00Z '' "$trash/20260101T000000Z-1/007-m.md" <<<"$word" ;;
	archive) memory 7 2026-01-02T00:00:00Z '' .co-cli/knowledge/archive/007-m.md <<<"$word" ;;
	log) mkdir -p "$gitlog" && printf '{"x": "a\\n%s"}\n' "$word" >"$gitlog/1" ;;
	context) echo "- $word" >.co-cli/knowledge/context.md ;;
	cache) mkdir -p "$HOME/.cache/co-cli/x" && echo "$word" >"$HOME/.cache/co-cli/x/files" ;;
	state) mkdir -p "$HOME/.local/state/co-cli" && echo "$word" >"$HOME/.local/state/co-cli/hook.log" ;;
	worktree)
		git worktree add -q --detach ../linked
		memory 7 2026-01-02T00:00:00Z '' ../linked/.co-cli/knowledge/drafts/007-m.md <<<"$word"
		;;
	history) put memory && commit add && git rm -qf "$memories/007-m.md" && git commit -qm gone ;;
	stash) put memory && git add -A . && git stash -q ;;
	reflog) put memory && commit add && git reset -q --hard HEAD~ ;;
	unreachable) git hash-object -w --stdin <<<"$word" >/dev/null ;;
	index) put name && git add -A . && rm "$memories/007-$slug.md" ;;
	message) git commit -q --allow-empty -m "$word" && rm -f .git/COMMIT_EDITMSG ;;
	tag) git tag -am "$word" v1 && rm -f .git/TAG_EDITMSG ;;
	branch) git branch "$slug" ;;
	packed) put history && git gc -q ;;
	esac
}

@test "wherever it is left, the proof finds it" {
	proof
	[ "$status" = 0 ]
	for where in memory name draft shared trash archive log context cache \
		state worktree history stash reflog unreachable index message \
		tag branch packed; do
		rm -rf "$BATS_TEST_TMPDIR/copy" "$BATS_TEST_TMPDIR/linked"
		cp -R "$BATS_TEST_TMPDIR/project" "$BATS_TEST_TMPDIR/copy"
		cd "$BATS_TEST_TMPDIR/copy"
		rm -rf "$HOME/.cache" "$HOME/.local"
		put "$where"
		proof
		[ "$status" = 1 ] || {
			echo "not found in $where: $status $output"
			false
		}
		[[ $output == *'still in '* ]]
	done
}

@test "a purge takes it from all places that are ours" {
	for where in memory draft shared trash archive log worktree; do
		put "$where"
	done
	# What somebody put beside, and is no memory.
	mkdir -p .co-cli/knowledge/backup/old
	echo "It says $word." >.co-cli/knowledge/backup/old/copy.txt
	echo "It says nothing." >.co-cli/knowledge/backup/old/other.txt
	co-index-update >/dev/null
	run -0 co-memory-purge --text=- <<<"$word"
	nowhere
	[ -e .co-cli/knowledge/backup/old/other.txt ]
	[ -e "$memories/001-m.md" ]
	run ! grep -rqF "$word" ../linked
}

# log_has TEXT: how many files of the log have it.
log_has() {
	grep -rlF "$1" "$gitlog" | wc -l
}

@test "the log keeps nothing of what is purged, under whatever name it was" {
	local sums log="$gitlog"
	co-learn -q 'The other one'
	# It is a draft, accepted under another number, edited, forgotten and
	# brought back, and it stood in the context for a while.
	co-memory-save -q --draft --source=someone <<<"$word" >/dev/null
	memory 3 2026-01-01T00:00:00Z '' <<<'In the way.'
	co-review -q --accept 3 >/dev/null 2>&1
	EDITOR='sed -i s/code/codes/' co-edit 4 >/dev/null
	co-tag -q +x 4
	co-forget -q -y 4
	co-undo -q
	co-learn -q --always "$word"
	co-learn -q --always 'a rule that stays'
	EDITOR="sed -i '/launch/d'" co-context --edit >/dev/null
	sums=$(sha256sum "$memories"/004-*.md | cut -c1-64)
	[ "$(log_has "$sums")" -gt 0 ]
	[ "$(log_has 7Qx-Tulip)" -gt 2 ]
	run -0 co-memory-purge -n --text=- <<<"$word"
	grep -v '/trash/' <<<"$output" | sed 's/^would remove/removed/' |
		sort >would
	run co-memory-purge --text=- <<<"$word"
	grep '^removed' <<<"$output" | grep -v /trash/ | sort | diff -u would -
	grep -q '/log/now/ops ([0-9]* lines)' would
	rm would
	[ "$(log_has "$sums")" -eq 0 ]
	nowhere
	run ! grep -rq someone "$log"
	# The rest can still be undone.
	run -0 co-undo -n
	expect <<<"✓ Would undo 'co learn' of 2026-02-09T14:30:00Z: memory 2 would be in the trash (The other one)"
}

@test "who removes for good takes it out of the log as well" {
	local log="$gitlog"
	co-memory-save -q --draft <<<"$word"
	memory 2 2026-01-01T00:00:00Z '' <<<'In the way.'
	co-review -q --accept 2 >/dev/null 2>&1
	EDITOR='sed -i s/code/codes/' co-edit 3 >/dev/null
	[ "$(log_has 7Qx-Tulip)" -gt 0 ]
	co-memory-remove --purge 3
	nowhere
	[ "$(cat $log/now/ops)" = '' ]
	[ "$(find $log/now -type f | wc -l)" -eq 1 ]
}

@test "an undo that was cut short keeps nothing of it either" {
	local note="$gitlog/unfinished"
	co-memory-save -q <<<"$word" 2>/dev/null
	# It cannot be finished: something is in its way.
	mkdir -p "$trash/20260101T000000Z-1"
	echo other >"$trash/20260101T000000Z-1/x.md"
	printf '{"op":2,"at":"x","command":"co-undo","by":"z","path":"%s","before":"%s","after":null,"trash":"%s"}\n' \
		"knowledge/memories/002-$slug.md" \
		"$(sha256sum <"$memories/002-$slug.md" | cut -c1-64)" \
		knowledge/trash/20260101T000000Z-1/x.md >$note
	co-learn -q other
	grep -q 002- $note
	co-memory-remove --purge 2
	nowhere
	[ ! -s $note ]
}

@test "the number of another memory in another work tree is left alone" {
	git worktree add -q --detach ../linked
	memory 2 2026-01-02T00:00:00Z '' <<<"$word"
	memory 2 2026-01-03T00:00:00Z '' ../linked/$memories/002-m2.md <<<'Quite another.'
	# Nor is a folder touched that only says that it is a work tree of ours.
	mkdir -p ../stranger .git/worktrees/fake
	git -C ../stranger init -q
	(cd ../stranger && memory 2 2026-01-02T00:00:00Z '' <<<"$word")
	echo "$BATS_TEST_TMPDIR/stranger/.git" >.git/worktrees/fake/gitdir
	run -0 co-memory-purge 2
	[ -e "../linked/$memories/002-m2.md" ]
	[ -e "../stranger/$memories/002-m.md" ]
	[ ! -e "$memories/002-m.md" ]
}

@test "what cannot be looked at is no proof" {
	mkdir -p "$HOME/.local/state/co-cli/shut"
	chmod 0 "$HOME/.local/state/co-cli/shut"
	[ ! -r "$HOME/.local/state/co-cli/shut" ] || skip "root can read everything"
	proof
	chmod 700 "$HOME/.local/state/co-cli/shut"
	[ "$status" = 4 ]
}

@test "after the commands that are printed it is nowhere" {
	git filter-repo --version >/dev/null 2>&1 ||
		skip "git-filter-repo is not there"
	co-memory-save <<<"$word" >/dev/null
	commit 'learn it'
	git mv "$memories/002-$slug.md" "$memories/002-old.md"
	commit 'call it otherwise'
	echo "see: $word" >notes.txt
	commit "note that $word"
	git mv "$memories/002-old.md" "$memories/002-$slug.md"
	sed -i "s/$word/$word!/" "$memories/002-$slug.md"
	git stash -q
	run -1 co-memory-purge 2
	[[ $output == *"--invert-paths"*"--path '$memories/002-$slug.md'"* ]]
	[[ $output == *"--path '$memories/002-old.md'"* ]]
	[[ $output == *'--replace-text ../lines'*'--replace-message ../lines'* ]]
	echo "$word" >../lines
	sed -n 's/^  \([^#]\)/\1/p' <<<"$output" | grep -v 'git push' >../commands
	bash -x ../commands >../out 2>&1
	rm ../lines
	proof
	[ "$status" = 0 ] || {
		cat ../out
		echo "$output"
		false
	}
	nowhere
	[ "$(<notes.txt)" = 'see: ***REMOVED***' ]
	[ -e "$memories/001-m.md" ]
}

@test "wrong command lines, and what nobody knows" {
	run -2 co-memory-purge
	run -2 co-memory-purge 1 --text=-
	run -2 co-memory-purge --proof -n 1
	run -2 co-memory-purge 9
	[[ $output == *"nothing is known of '9'"* ]]
	run -2 co-memory-purge --text=- </dev/null
	run -2 co-memory-purge --text=secret
}

# A merge and a second work tree can give one id to two memories.
@test "of two memories with one id, the one that was named is purged" {
	local one=$memories/002-m.md two=$memories/002-other.md
	memory 2 2026-01-02T00:00:00Z '' "$one" <<<"$word"
	memory 2 2026-01-03T00:00:00Z '' "$two" <<<'Quite another memory.'
	commit both
	run -3 co-memory-purge 2
	[[ $output == *"two files have id 2: "* ]]
	[ -e "$one" ]
	[ -e "$two" ]
	run -3 co forget --purge -y 2
	run -0 co-memory-purge -n "$one"
	[[ $output == *"$one"* && $output != *"$two"* ]]
	run -1 co-memory-purge "$one"
	[[ $output != *"002-other"* ]]
	[ ! -e "$one" ] && [ -e "$two" ]
}

@test "another memory of the same second stays, as the log knows its content" {
	local other
	co-memory-save -q <<<'Quite another memory.' >/dev/null
	commit another
	co-memory-remove -q 2
	other=$(echo $trash/*/002-quite-another-memory.md)
	# A merge brings one that has the id and the time as well.
	memory 2 "$CO_NOW" '' <<<"$word"
	run -0 co-memory-purge 2
	[ ! -e "$memories/002-m.md" ]
	[ -e "$other" ]
	# What the log has as an earlier text of the memory goes.
	co-memory-save -q <<<'What it said at first.' >/dev/null
	EDITOR="sed -i 's/What it said at first./$word/'" co edit -q 3
	grep -rq 'said at first' $gitlog
	run -0 co-memory-purge 3
	run ! grep -rq 'said at first' .co-cli .git/co-cli
	[ -e "$other" ]
}

@test "another memory with the id stays in the trash, among drafts and in a work tree" {
	local other=20260101T000000Z-1/002-m2.md
	memory 2 2026-01-02T00:00:00Z '' <<<"$word"
	mkdir -p "$drafts" .co-cli/knowledge/mine
	memory 2 2026-01-03T00:00:00Z '' "$trash/$other" <<<'Quite another memory.'
	memory 2 2026-01-04T00:00:00Z '' "$drafts/002-d.md" <<<'An idea that nobody has read.'
	memory 2 2026-01-05T00:00:00Z '' .co-cli/knowledge/mine/002-x.md <<<'A file of mine.'
	# An older text of the memory goes from there.
	memory 2 2026-01-02T00:00:00Z '' "$trash/20260101T000000Z-2/002-old.md" <<<'What it said at first.'
	# A sensitive memory has no name of its own.
	git worktree add -q --detach ../linked
	mkdir -p "../linked/$memories"
	memory 2 2026-01-02T00:00:01Z '' "../linked/$memories/002-memory.md" <<<'Of the other tree.'
	mv "$memories/002-m.md" "$memories/002-memory.md"
	run -0 co-memory-purge 2
	[ ! -e "$memories/002-memory.md" ]
	[ ! -e "$trash/20260101T000000Z-2/002-old.md" ]
	[ -e "$trash/$other" ]
	grep -rq 'nobody has read' "$drafts" .git/co-cli
	[ -e .co-cli/knowledge/mine/002-x.md ]
	[ -e "../linked/$memories/002-memory.md" ]
}
