#!/usr/bin/env bats
# co-memory-purge: deletes a memory everywhere and reports what is left.
# bats file_tags=rights
load lib
load purge

setup() {
	purge_world
}

proof() {
	run co-memory-purge --proof --text=- <<<"$word"
}

@test "a file that cannot be deleted is not reported as deleted" {
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

@test "an unreadable text of the log is reported, also by a dry run" {
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

@test "a memory that was never committed is gone, and --proof confirms it" {
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
	# Its id is not reused, and the other memories are unchanged.
	[ "$(co-memory-next-id)" = 3 ]
	[ -e "$memories/001-m.md" ]
}

# put WHERE: leave the text in WHERE, and nowhere else.
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

@test "--proof finds the text in every place" {
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

@test "a purge deletes the text from all places of co" {
	for where in memory draft shared trash archive log worktree; do
		put "$where"
	done
	# A person put these files there. They are not memories.
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

# log_has TEXT: print how many files of the log have TEXT.
log_has() {
	grep -rlF "$1" "$gitlog" | wc -l
}

@test "the log keeps nothing of a purged memory, under any name" {
	local sums log="$gitlog"
	co-learn -q 'The other one'
	# The memory is a draft that is accepted under another id, edited, forgotten and
	# restored. Its text was in the context for a while.
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

@test "co-memory-remove --purge deletes the memory from the log" {
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

@test "a purge deletes the text of an unfinished undo" {
	local note="$gitlog/unfinished"
	co-memory-save -q <<<"$word" 2>/dev/null
	# The undo cannot be finished, since a file is in its way.
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

@test "a purge leaves another memory with the same id in another work tree" {
	git worktree add -q --detach ../linked
	memory 2 2026-01-02T00:00:00Z '' <<<"$word"
	memory 2 2026-01-03T00:00:00Z '' ../linked/$memories/002-m2.md <<<'Quite another.'
	# A directory that only claims to be a work tree is not changed either.
	mkdir -p ../stranger .git/worktrees/fake
	git -C ../stranger init -q
	(cd ../stranger && memory 2 2026-01-02T00:00:00Z '' <<<"$word")
	echo "$BATS_TEST_TMPDIR/stranger/.git" >.git/worktrees/fake/gitdir
	run -0 co-memory-purge 2
	[ -e "../linked/$memories/002-m2.md" ]
	[ -e "../stranger/$memories/002-m.md" ]
	[ ! -e "$memories/002-m.md" ]
}

@test "a directory that cannot be read makes --proof fail" {
	mkdir -p "$HOME/.local/state/co-cli/shut"
	chmod 0 "$HOME/.local/state/co-cli/shut"
	[ ! -r "$HOME/.local/state/co-cli/shut" ] || skip "root can read everything"
	proof
	chmod 700 "$HOME/.local/state/co-cli/shut"
	[ "$status" = 4 ]
}

@test "the printed commands remove the text from git's history" {
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

@test "wrong command lines and unknown ids exit 2" {
	run -2 co-memory-purge
	run -2 co-memory-purge 1 --text=-
	run -2 co-memory-purge --proof -n 1
	run -2 co-memory-purge 9
	[[ $output == *"nothing is known of '9'"* ]]
	run -2 co-memory-purge --text=- </dev/null
	run -2 co-memory-purge --text=secret
}

# A merge and a second work tree can give one id to two memories.
@test "a purge of a path leaves another memory with the same id" {
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

@test "the log tells apart two memories with the same id and time" {
	local other
	co-memory-save -q <<<'Quite another memory.' >/dev/null
	commit another
	co-memory-remove -q 2
	other=$(echo $trash/*/002-quite-another-memory.md)
	# A merge adds a memory with the same id and time.
	memory 2 "$CO_NOW" '' <<<"$word"
	run -0 co-memory-purge 2
	[ ! -e "$memories/002-m.md" ]
	[ -e "$other" ]
	# An earlier text of the memory, which the log knows, is deleted.
	co-memory-save -q <<<'What it said at first.' >/dev/null
	EDITOR="sed -i 's/What it said at first./$word/'" co edit -q 3
	grep -rq 'said at first' $gitlog
	run -0 co-memory-purge 3
	run ! grep -rq 'said at first' .co-cli .git/co-cli
	[ -e "$other" ]
}

@test "other memories with the id stay in trash, drafts and work trees" {
	local other=20260101T000000Z-1/002-m2.md
	memory 2 2026-01-02T00:00:00Z '' <<<"$word"
	mkdir -p "$drafts" .co-cli/knowledge/mine
	memory 2 2026-01-03T00:00:00Z '' "$trash/$other" <<<'Quite another memory.'
	memory 2 2026-01-04T00:00:00Z '' "$drafts/002-d.md" <<<'An idea that nobody has read.'
	memory 2 2026-01-05T00:00:00Z '' .co-cli/knowledge/mine/002-x.md <<<'A file of mine.'
	# An older text of the memory is deleted from the trash.
	memory 2 2026-01-02T00:00:00Z '' "$trash/20260101T000000Z-2/002-old.md" <<<'What it said at first.'
	# The file name of a sensitive memory says nothing about it.
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
