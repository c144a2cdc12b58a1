#!/usr/bin/env bats
# co forget --purge deletes a memory everywhere after confirmation, and reports the
# places that still have it.
# bats file_tags=rights
load lib
load terminal
load purge

setup() {
	purge_world
}

@test "co forget --purge deletes nothing without -y or a terminal" {
	echo "$word" | co-memory-save -q
	tree .co-cli >"$BATS_TEST_TMPDIR/before"
	run -1 co-forget --purge 2
	expect <<-END
		would remove $PWD/$gitlog/now/ops (1 line)
		would remove $PWD/$memories/002-$slug.md
		co-forget: nothing was deleted
		hint: not a terminal: 'co forget --purge -y 2' deletes it for good
	END
	# It takes no text as an operand, since shells store command lines.
	run -2 co-forget --purge dropdb
	expect <<-'END'
		co-forget: 'dropdb' is not an id or a file of the store
		hint: 'co list' shows the ids
		hint: 'co forget --purge --text=-' reads the text to delete
	END
	run -0 co-forget --purge -n 2
	run -1 co-forget --purge --text=- <<<"$word"
	tree .co-cli | diff -u "$BATS_TEST_TMPDIR/before" -
	run -1 co-forget --proof 2
	[[ $output == "still in $PWD/.co-cli/knowledge/"* ]]
	tree .co-cli | diff -u "$BATS_TEST_TMPDIR/before" -
	run -0 co-forget --purge -y 2
	nowhere
	run -0 co-forget --proof --text=- <<<"$word"
	expect </dev/null
	run -1 co-forget --undo
	[ -e "$memories/001-m.md" ]
}

@test "co forget --purge reports an agent's record that has it, and keeps the file" {
	echo "$word" | co-memory-save -q
	record=$HOME/.claude/projects/-p/7c1d.jsonl
	mkdir -p "${record%/*}"
	jq -nc --arg text "$word" --arg cwd "$PWD" \
		'{type: "user", uuid: "u1", cwd: $cwd, message: {role: "user", content: $text}}' >"$record"
	cp "$record" before
	run -1 co-forget --purge -y 2
	[ "${lines[-2]}" = "still in $record" ]
	[[ ${lines[-1]} == 'Agents keep it in their records: '* ]]
	cmp before "$record"
	rm "$record" before
	run -0 co-forget --proof --text=- <<<"$word"
}

@test "on a terminal the answer decides whether co forget --purge deletes" {
	need_terminal
	echo "$word" | co-memory-save -q
	terminal 1 'n\n' 'co-forget --purge 2'
	[[ $output == *'Delete it for good? Nothing brings it back. [y/N]'*'nothing was deleted'* ]]
	terminal 1 '' 'co-forget --purge 2'
	terminal 0 'y\n' 'co-forget --purge 2'
	rm -f screen
	nowhere
	# Files outside of the store are not asked about.
	echo "$word" >notes.txt
	commit notes
	terminal 1 '' "echo '$word' | co-forget --proof --text=-"
	[[ $output == *notes.txt* ]]
}

@test "co forget --purge deletes and reports the same as co-memory-purge" {
	echo "$word" | co-memory-save -q
	commit 'learn it'
	cp -R . ../other
	run -1 co-forget --purge -y 2
	printf '%s\n' "${output//$PWD/}" >../says
	tree .co-cli >../one
	cd ../other
	run -1 co-memory-purge 2
	diff -u ../says - <<<"${output//$PWD/}"
	tree .co-cli | diff -u ../one -
	cd ../project
	# Memories of the user store are deleted too.
	echo "my $word" | co-memory-save -q --global
	run -0 co-forget --purge -y g1
	[[ $output == *"removed $global/knowledge/memories/001-my-$slug.md"* ]]
	run ! grep -rqF "$word" "$HOME"
}

# spread: leave the text in all places where co and git keep it.
spread() {
	git init -q --bare ../origin.git
	git remote add origin "$BATS_TEST_TMPDIR/origin.git"
	git worktree add -q --detach ../linked
	memory 7 2026-01-02T00:00:00Z '' <<<"$word"
	commit 'learn it'
	git mv "$memories/007-m.md" "$memories/007-$slug.md"
	echo "see: $word" >notes.txt
	commit "note that $word"
	git rm -q "$memories/007-$slug.md"
	git commit -qm 'forget it'
	git tag -am "$word" v1
	git push -q origin main v1
	git gc -q
	memory 8 2026-01-02T00:00:00Z '' <<<"$word"
	git add -A . && git stash -q
	memory 9 2026-01-02T00:00:00Z '' <<<"$word"
	commit lost
	git reset -q --hard HEAD~
	git hash-object -w --stdin <<<"$word" >/dev/null
	rm -f .git/TAG_EDITMSG
	# The log keeps edits, the state directory an edit that failed.
	memory 10 2026-01-02T00:00:00Z '' <<<"$word"
	EDITOR='sed -i s/code/codes/' co-edit -q 10
	echo "draft: $word" | co-memory-save -q --draft
	memory 11 2026-01-02T00:00:00Z '' "$archive/011-m.md" <<<"$word"
	memory 12 2026-01-02T00:00:00Z '' <<<"$word"
	co-memory-remove -q 12
	memory 13 2026-01-02T00:00:00Z '' ../linked/$drafts/013-m.md <<<"$word"
	memory 14 2026-01-02T00:00:00Z '' <<<"$word"
	EDITOR="sed -i '1s/.*/broken/'" run -3 co-edit 14
	co-index-update >/dev/null
	co-recall 'launch code' >/dev/null
}

@test "the text is gone from all places after co forget --purge and its commands" {
	local place
	git filter-repo --version >/dev/null 2>&1 ||
		skip "git-filter-repo is not there"
	spread
	run -1 co-forget --proof --text=- <<<"$word"
	for place in "$memories/014" "$archive/011" "$trash/" "$gitlog/" \
		/.git/co-cli/ ../linked/.co-cli "$HOME/.cache/" \
		"$HOME/.local/state/" .git/logs/ 'git: commit' 'git: tag' \
		'git: tree' 'git: blob' "of 'notes.txt'" "of '$memories/007" \
		"of '$memories/008" "of '$memories/009"; do
		place=${place/..\/linked/$BATS_TEST_TMPDIR/linked}
		[[ $output == *"still in "*"$place"* ]] || {
			echo "not told of $place:"
			echo "$output"
			false
		}
	done
	run -1 co-forget --purge -y --text=- <<<"$word"
	[[ $output != *"still in $PWD/.co-cli"* && $output != *"still in $HOME"* ]]
	[[ $output != *"still in $BATS_TEST_TMPDIR/linked"* ]]
	echo "$word" >../lines
	sed -n 's/^  \([^#]\)/\1/p' <<<"$output" >../commands
	grep -q 'git push --force --all origin' ../commands
	# co ran none of the printed commands.
	git rev-parse -q --verify refs/stash
	git cat-file -e HEAD~2
	grep -qF "$word" notes.txt
	bash -ex ../commands >../out 2>&1 || {
		cat ../out
		false
	}
	rm ../lines ../out ../commands
	run co-forget --proof --text=- <<<"$word"
	[ "$status$output" = 0 ] || {
		echo "$output"
		false
	}
	nowhere
	[ "$(<notes.txt)" = 'see: ***REMOVED***' ]
	[ -e "$memories/001-m.md" ]
	# A clone of the remote does not have it either.
	git clone -q "file://$BATS_TEST_TMPDIR/origin.git" ../clone
	cd ../clone
	nowhere
}

# an_article SLUG TITLE SOURCE TEXT [ATTACHED]: save it, with the file ATTACHED.
an_article() {
	printf '# Chapter\n\n%s\n' "$4" | co-article-save -q --source="$3" \
		--title="$2" ${5:+--attach="$5"}
	[ -e ".co-cli/knowledge/articles/$1.md" ]
}

@test "co forget --purge deletes an article's versions and its own attachments" {
	local articles=.co-cli/knowledge/articles attached
	attached=.co-cli/knowledge/attachments
	printf 'first original of %s\n' "$word" >../first.pdf
	printf 'second original of %s\n' "$word" >../second.pdf
	echo 'an original that is shared' >../original.pdf
	an_article codes-of-harbours 'Codes of harbours' https://example.org/c \
		"$word, as it was" ../first.pdf
	an_article codes-of-harbours 'Codes of harbours' https://example.org/c \
		"$word, as it is" ../second.pdf
	an_article codes-of-harbours 'Codes of harbours' https://example.org/c \
		"$word, with another's" ../original.pdf
	an_article others 'Others' https://example.org/o 'Others stay.' \
		../original.pdf
	EDITOR='sed -i s/another/a/' co-edit $articles/codes-of-harbours.md \
		>/dev/null
	printf '\nA page whose source is the same.\n' |
		co-memory-save -q --source=https://example.org/c
	rm ../*.pdf
	co-recall harbours >/dev/null
	[ "$(ls $attached | wc -l)" -eq 3 ]
	tree .co-cli >../before
	run -1 co-forget --purge $articles/codes-of-harbours.md
	tree .co-cli | diff -u ../before -
	grep '^would' <<<"$output" | sed 's/^would remove/removed/' |
		sort >../would
	[ "$(grep -c '/articles/codes-of-harbours.md$' ../would)" -eq 3 ]
	[ "$(grep -c '/attachments/.*-\(first\|second\).pdf$' ../would)" -eq 2 ]
	run -0 co-forget --purge -y $articles/codes-of-harbours.md
	sort <<<"$output" | diff -u ../would -
	rm ../before ../would
	nowhere
	run ! grep -rqi 'codes.of.harbours' "$HOME" .
	[[ $(ls $attached) == *-original.pdf ]]
	[ -e $articles/others.md ]
	[ -e "$memories/002-a-page-whose-source-is-the-same.md" ]
	run -0 co-knowledge-check
	# An article that left no trace is unknown.
	run -2 co-forget --proof $articles/codes-of-harbours.md
	[[ $output == *'nothing is known of'* ]]
}

@test "co forget --purge deletes an article in the trash and in other work trees" {
	local articles=.co-cli/knowledge/articles
	echo 'an original' >../one.pdf
	an_article harbours Harbours https://example.org/c "$word" ../one.pdf
	commit one
	git worktree add -q ../linked
	git reset -q --hard HEAD~
	git worktree remove --force ../linked
	git branch -q -D linked
	an_article harbours Harbours https://example.org/c "$word" ../one.pdf
	git worktree add -q --detach ../linked
	cp -R .co-cli/knowledge/{articles,attachments} ../linked/.co-cli/knowledge
	co-forget -q -y $articles/harbours.md
	run -1 co-forget --purge -y $articles/harbours.md
	[[ $output == *"removed $PWD/$trash/"*"/articles/harbours.md"* ]]
	[[ $output == *"removed $PWD/.co-cli/knowledge/attachments/"*-one.pdf* ]]
	[[ $output == *"removed $BATS_TEST_TMPDIR/linked/$articles/harbours.md"* ]]
	[[ $output == *"removed $BATS_TEST_TMPDIR/linked/.co-cli/knowledge/attachments/"*-one.pdf* ]]
	# It reports what git has, by id, with the commands that remove it.
	[[ $output == *"still in git: blob "*" of '$articles/harbours.md'"* ]]
	[[ $output == *"--path '$articles/harbours.md'"* ]]
	[[ $output == *"--path '.co-cli/knowledge/attachments/"*-one.pdf"'"* ]]
	sed -n 's/^  \([^#]\)/\1/p' <<<"$output" >../commands
	run ! grep -rqF -e "$word" -e 'an original' .co-cli ../linked/.co-cli
	run -1 co-forget --proof --text=- <<<"$word"
	git filter-repo --version >/dev/null 2>&1 ||
		skip "git-filter-repo is not there"
	git worktree remove --force ../linked
	bash -ex ../commands >../out 2>&1
	rm ../commands ../out ../one.pdf
	nowhere
}

@test "co forget --purge deletes all parts of an article" {
	local articles=.co-cli/knowledge/articles
	{
		printf '# One\n\n%s\n\n' "$word"
		yes 'this is a line of the first part' | head -c 900000
		printf '\n# Two\n\nand %s again\n\n' "$word"
		yes 'this is a line of the second part' | head -c 900000
	} | co-article-save -q --split --title=Parts \
		--source=https://example.org/p
	[ "$(ls $articles | wc -l)" -eq 2 ]
	run -0 co-forget --purge -y $articles/parts-02.md
	[ -z "$(ls $articles)" ]
	nowhere
	run ! grep -rqF 'a line of the' "$HOME" .
}

@test "co forget --purge keeps an attachment that another article may name" {
	local articles=.co-cli/knowledge/articles
	echo 'an original' >../one.pdf
	an_article harbours Harbours https://example.org/c "$word" ../one.pdf
	an_article others Others https://example.org/o text ../one.pdf
	rm ../one.pdf
	# An article in the trash may be restored; a broken one may name any file.
	co-forget -q -y $articles/others.md
	run -0 co-forget --purge -n $articles/harbours.md
	[[ $output != */attachments/* ]]
	co-forget -q --undo
	printf -- '---\ntitle: [\n---\n' >$articles/others.md
	run -1 co-forget --purge -y $articles/harbours.md
	[[ $output == *"still in $PWD/.co-cli/knowledge/attachments/"*-one.pdf* ]]
	[ -e $articles/others.md ]
	[ -n "$(ls .co-cli/knowledge/attachments)" ]
	run ! grep -rqF "$word" .co-cli
}

@test "co forget --purge keeps log lines of other files with an article's name" {
	local articles=.co-cli/knowledge/articles
	an_article context Context https://example.org/c "$word"
	co-learn -q --always 'a rule that stays'
	run -0 co-forget --purge -y $articles/context.md
	nowhere
	run -0 co-undo -n
	[[ $output == *'the context would be'* ]]
}

@test "co forget --proof exits 4 if a directory cannot be read" {
	mkdir -p "$HOME/.cache/co-cli/shut"
	chmod 0 "$HOME/.cache/co-cli/shut"
	[ ! -r "$HOME/.cache/co-cli/shut" ] || skip "root can read everything"
	run co-forget --proof --text=- <<<"$word"
	chmod 700 "$HOME/.cache/co-cli/shut"
	[ "$status" = 4 ]
}

@test "co forget --proof prints no commands of git outside a work tree" {
	mkdir "$HOME/plain"
	cd "$HOME/plain"
	co-memory-save -q <<<"$word"
	run -1 co-forget --proof 1
	[[ $output == "still in $PWD/.co-cli/knowledge/memories/"* ]]
	[[ $output != *git* ]]
}

@test "co forget --purge notes that git-filter-repo is a separate program" {
	echo "$word" | co-memory-save -q
	git add -A
	git commit -qm all
	run -1 co-forget --purge -y 2
	[[ $output == *$'\n  # git-filter-repo is a program of its own'*$'\n  git filter-repo '* ]]
}

@test "co forget --purge and --proof refuse wrong command lines" {
	run -2 co-forget --purge -y words
	[[ $output == "co-forget: 'words' is not an id or a file of the store"* ]]
	for options in --purge --proof '--purge 1 2' '--purge --all 1' \
		'--purge --undo 1' '--purge --proof 1' '--proof -n 1' '--proof -y 1' '--text=- x' \
		'--purge 1 --text=-' '--purge --text=secret' --text=-; do
		# shellcheck disable=SC2086 # several words
		run -2 co-forget $options </dev/null
	done
	run -2 co-forget --purge -y 9
	[[ $output == *"nothing is known of '9'"* ]]
	run -2 co-forget --purge -y --text=- </dev/null
	# A text is never taken from the command line.
	run -2 co-forget --purge -y 'Another one'
	[ -e "$memories/001-m.md" ]
}

@test "co forget --purge deletes kept edits that have the text, and no others" {
	echo 'One more memory' | co-memory-save -q
	echo "$word" >"$BATS_TEST_TMPDIR/word"
	EDITOR="cp '$BATS_TEST_TMPDIR/word'" run -3 co-edit 1
	EDITOR="sed -i '1s/.*/broken/'" run -3 co-edit 2
	run -0 co-forget --purge -y --text=- <<<"$word"
	[[ $output == *"removed $HOME/.local/state/co-cli/edit-"* ]]
	run ! grep -rqF "$word" "$HOME/.local/state"
	EDITOR=true run -3 co-edit --resume
	[[ $output == *"the edit is kept in '$HOME/.local/state/co-cli/"*/002-* ]]
}
