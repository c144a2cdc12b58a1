#!/usr/bin/env bats
# co review shows the drafts on a terminal and asks about each.
load lib
load terminal

setup() {
	world
	memory 1 2026-01-01T00:00:00Z old $memories/001-old.md \
		<<<'User prefers callbacks'
	draft 2 claude <<<'User prefers tabs'
	draft 3 codex <<<'Fine weather today'
	draft 4 claude <<<'Deploys on Fridays'
}

# draft ID SOURCE <BODY
draft() {
	mkdir -p $drafts
	{
		printf -- '---\nid: %s\ncreated: 2026-01-0%sT00:00:00Z\n' "$1" "$1"
		printf 'tags: [t%s]\nsource: %s\n---\n\n' "$1" "$2"
		cat
	} >"$drafts/00$1-d.md"
}

left() {
	(cd "$1" && echo *.md)
}

@test "the answer t takes tags between commas, or with signs as co tag does" {
	need_terminal
	terminal 0 't+hw -t2 +x,y\nq' co-review
	[[ $output == *$'tags:     hw, x, y\n'* ]]
	terminal 0 't-x, two words\nt-x, two\nq' co-review
	[[ $output == *"a tag has no blanks, "*": 'two words'"* ]]
	[[ $output == *$'tags:     hw, y, two\n'* ]]
}

@test "co review shows each draft with its source and similar memories" {
	need_terminal
	sed -i 's/^source.*/&\nreplaces: 1/' $drafts/003-d.md
	terminal 0 'ssq' 'co-review'
	expect <<-'END'
		draft 1 of 3: 002-d.md
		source:   claude
		created:  2026-01-02 00:00
		tags:     t2
		similar:  1 (2026-01-01) [old]: User prefers callbacks
		| User prefers tabs
		(1/3) Accept this draft [y,n,e,t,s,a,d,A,D,q,?]? s
		draft 2 of 3: 003-d.md
		source:   codex
		created:  2026-01-03 00:00
		tags:     t3
		replaces: 1 (2026-01-01) [old]: User prefers callbacks
		~ [-User prefers callbacks-]{+Fine weather today+}
		| Fine weather today
		(2/3) Accept this draft [y,n,e,t,s,k,a,d,A,D,q,?]? s
		draft 3 of 3: 004-d.md
		source:   claude
		created:  2026-01-04 00:00
		tags:     t4
		| Deploys on Fridays
		(3/3) Accept this draft [y,n,e,t,s,k,a,d,A,D,q,?]? q
		0 accepted, 0 rejected, 3 waiting
	END
	[ "$(left $drafts)" = "002-d.md 003-d.md 004-d.md" ]
}

@test "the answer y accepts a draft, n rejects it, and s skips it" {
	need_terminal
	terminal 0 'y\nn\ns\n' co-review
	[[ $output == *'✓ Accepted memory 2: 002-d.md'*'✓ Rejected 1 draft'* ]]
	[[ $output == *'1 accepted, 1 rejected, 1 waiting'* ]]
	[[ $output == *"hint: 'co forget --undo' brings back"* ]]
	[ "$(left $memories)" = "001-old.md 002-d.md" ]
	[ "$(left $drafts)" = 004-d.md ]
	run -0 co-forget --undo
	[ "$(left $drafts)" = "003-d.md 004-d.md" ]
}

@test "the answer q and the end of input leave the remaining drafts unchanged" {
	need_terminal
	terminal 0 'y\nq\n' co-review
	terminal 0 '' co-review
	terminal 0 't' co-review
	[ "$(left $drafts)" = "003-d.md 004-d.md" ]
}

@test "the answer a accepts the remaining drafts of one source, d rejects them" {
	need_terminal
	terminal 0 'a\ns\n' co-review
	[ "$(left $memories)" = "001-old.md 002-d.md 004-d.md" ]
	[ "$(left $drafts)" = 003-d.md ]
	co-memory-remove 2 4 >/dev/null
	co-forget --undo >/dev/null
	mv $memories/00[24]* $drafts
	terminal 0 'd\ny\n' co-review
	[[ $output == *'✓ Rejected 2 drafts'*'✓ Accepted memory 3:'* ]]
	[ "$(left $drafts)" = '*.md' ]
	# One undo restores all drafts of the step.
	co-forget --undo >/dev/null
	[ "$(left $drafts)" = "002-d.md 004-d.md" ]
}

@test "the answer ? and unknown keys show the help and ask again" {
	need_terminal
	# A character of several bytes and an arrow count as one key each.
	terminal 0 '\001? \001x\n\001Y\001\0303\0274\001q' co-review
	[ "$(grep -c 't - change its tags' <<<"$output")" -eq 4 ]
	[[ $output != *'k - '* && $output != *'u - '* ]]
	# What is typed ahead after an unknown key is dropped: it may be a pasted line.
	terminal 0 '\001co tag n\n' co-review
	[[ $output != *Rejected* ]]
	[ "$(left $drafts)" = "002-d.md 003-d.md 004-d.md" ]
	terminal 0 '\0033[A' co-review
	[ "$(grep -c 't - change its tags' <<<"$output")" -eq 1 ]
	[ "$(left $drafts)" = "002-d.md 003-d.md 004-d.md" ]
}

@test "? explains k and u only where they are offered" {
	need_terminal
	terminal 0 's?q' co-review
	[[ $output == *'k - go back to the draft before'* && $output != *'u - '* ]]
	[[ $output == *'(external): others wrote it, or what its writer had read'* ]]
	terminal 0 'n?q' co-review
	[[ $output == *'u - undo the last decision'* ]]
}

@test "a draft that was edited and accepted is shown as similar to the next one" {
	need_terminal
	editor 'sed -i "s/Deploys on Fridays/User prefers soft tabs/" "$1"'
	sed -i 's/Fine weather today/User prefers hard tabs/' $drafts/003-d.md
	mv $drafts/004-d.md $drafts/001-d.md
	terminal 0 'e\ny\ns\nq\n' "EDITOR='$HOME/editor' co-review"
	[[ $output == *'similar:  4 (2026-01-04) [t4]: User prefers soft tabs'* ]]
}

@test "the answer e edits the draft and shows it again" {
	need_terminal
	editor 'sed -i s/tabs/blanks/ "$1"'
	terminal 0 'e\ny\nq\n' co-review
	[[ $output == *'| User prefers tabs'*'| User prefers blanks'* ]]
	[ "$(tail -n 1 $memories/002-d.md)" = 'User prefers blanks' ]
	editor 'sed -i s/^id.*/id:/ "$1"'
	terminal 0 'e\nq\n' co-review
	[[ $output == *"the edit is kept in '$HOME/.local/state/co-cli/edit-"* ]]
	[ "$(sed -n 2p $drafts/003-d.md)" = 'id: 3' ]
	# The next e opens the kept edit.
	editor 'sed -i "s/^id:.*/id: 3/; s/tabs/spaces/" "$1"; cp "$1" "$HOME/seen"'
	terminal 0 'e
q
' co-review
	cmp "$HOME/seen" $drafts/003-d.md
	[ -z "$(ls -A -I log "$HOME/.local/state/co-cli")" ]
	editor 'exit 1'
	terminal 0 'e\ny\nq\n' co-review
	[ -e $memories/003-d.md ]
}

@test "the answer t changes the tags and no other byte" {
	need_terminal
	sed -i 's/^tags.*/& # mine/' $drafts/002-d.md
	terminal 0 't style , -t2,t2b,style,-none,,\ny\nq\n' co-review
	[[ $output == *'tags:     t2'*'tags:     style, t2b'* ]]
	run -0 sed -n 4,6p $memories/002-d.md
	expect <<-END
		tags: [style, t2b] # mine
		source: claude
		---
	END
	terminal 0 'ta[b\nt-t3\ny\nq\n' co-review
	[[ $output == *"a tag has no blanks, commas, brackets"* ]]
	grep -qx 'tags: \[\]' $memories/003-d.md
}

@test "co review can edit or reject a draft that is malformed" {
	need_terminal
	echo 'no header' >$drafts/001-x.md
	terminal 0 'ytx\ne\ny\nq\n' "EDITOR='$HOME/editor' co-review"
	[[ $output == *"broken:   '$PWD/$drafts/001-x.md':1:1: "*'| no header'* ]]
	[ -e $drafts/001-x.md ]
	terminal 0 'd\nq\n' co-review
	[ "$(left $drafts)" = "002-d.md 003-d.md 004-d.md" ]
}

@test "co review does not accept a draft with a secret, which remains" {
	need_terminal
	draft 2 claude <<<"key gh""p_mD2ThFNpL5rTqWx7Kb9Yc4Zs8Vg1Hj3Qe6Ra"
	terminal 0 'y\nq\n' co-review
	[[ $output == *"looks like a secret: github-token"* ]]
	[ ! -e $memories/002-d.md ]
	terminal 0 'y\nq\n' 'co-review --allow-secret'
	[ -e $memories/002-d.md ]
}

@test "co review escapes control characters, and drafts cannot fake its lines" {
	need_terminal
	printf -v text '%s\n' $'evil \e]52;c;aGk=\a\e[2J\u202e\u0085' \
		'(1/3) Accept this draft [y,n,e,t,s,a,d,A,D,q,?]? y' $'\rsource:   me'
	draft 2 "\"a\\x1b[2J\\nb\"" <<<"$text"
	mv $drafts/002-d.md "$drafts"/$'002-\e[2J\nx.md'
	terminal 0 'q\n' co-review
	[[ $output != *$'\e'* && $output != *$'\u202e'* ]]
	[ "$(grep -c '^(1/3) Accept this draft' <<<"$output")" -eq 1 ]
	[ "$(grep -c '^source:' <<<"$output")" -eq 1 ]
	[ "$(grep -c '^| (1/3) Accept this draft' <<<"$output")" -eq 1 ]
}

@test "co review shows a draft again that changed after it was shown" {
	need_terminal
	editor 'sed -i s/tabs/evil/ '"$PWD/$drafts/002-d.md" 'exit 1'
	terminal 0 'e\ny\nq\n' co-review
	[[ $output == *"002-d.md' has changed meanwhile"*'| User prefers evil'* ]]
	[ -e $drafts/002-d.md ]
	# An edit of the old text does not overwrite the new one.
	editor "echo x >>$PWD/$drafts/002-d.md" 'echo mine >>"$1"'
	terminal 0 'e\nq\n' co-review
	[[ $output == *"has changed meanwhile"*"the edit is kept in"* ]]
	[ "$(tail -n 1 $drafts/002-d.md)" = x ]
}

@test "co review skips a draft that was removed after it was shown" {
	need_terminal
	editor "co-review --reject 2 4 >/dev/null" 'exit 1'
	terminal 0 'e\ny\nn\n' co-review
	[[ $output == *"002-d.md' is gone"*'draft 2 of 3'* ]]
	[[ $output == *'0 accepted, 1 rejected, 0 waiting'* ]]
}

@test "co review does not show drafts that arrive while it runs" {
	need_terminal
	editor 'echo new | co-memory-save --draft --source=claude' 'exit 1'
	terminal 0 'e\na\ns\n' co-review
	[[ $output == *'2 accepted, 0 rejected, 2 waiting'* ]]
	[ "$(left $drafts)" = "003-d.md 005-new.md" ]
}

@test "on a terminal, words choose several drafts to accept, and ids those to look at" {
	need_terminal
	draft 5 claude <<<'Fine tabs'
	draft 6 claude <<<'More tabs'
	terminal 0 '2, 5\n' 'co-review --accept tabs'
	[[ $output == *'3 drafts have '"'tabs':"*'Accept which? [ids, a(ll), n(one)] '*'Accepted memory 2'*'Accepted memory 5'* ]]
	[ "$(left $drafts)" = "003-d.md 004-d.md 006-d.md" ]
	terminal 0 'n' 'co-review 4'
	[ "$(left $drafts)" = "003-d.md 006-d.md" ]
	draft 7 claude <<<'More weather'
	terminal 0 'a\nnq' 'co-review weather'
	[[ $output == *'Review which? '*'0 accepted, 1 rejected, 2 waiting'* ]]
	[ "$(left $drafts)" = "006-d.md 007-d.md" ]
	terminal 0 's' 'co-review more tabs'
	[[ $output == *'More tabs'*'0 accepted, 0 rejected, 2 waiting'* ]]
	terminal 1 '' 'co-review 99'
	expect <<-'END'
		co-review: no draft '99'
		hint: 'co review' shows what waits
	END
}

@test "words select one draft, and none without a terminal if several match" {
	run -1 co-review 2
	expect <<-'END'
		co-review: nothing was changed
		hint: not a terminal: 'co review --accept ID' or '--reject ID' decides
	END
	run -1 co-review --reject user weather
	expect <<-'END'
		co-review: no draft has 'user weather'
		hint: 'co review --list' shows the drafts
	END
	run -1 co-review --reject callbacks
	run -1 co-review --reject @1
	draft 5 claude <<<'Fine tabs'
	run -1 co-review --accept tabs
	expect <<-'END'
		co-review: 2 drafts have 'tabs':
		5  2026-01-05  [t5] Fine tabs
		2  2026-01-02  [t2] User prefers tabs
		co-review: nothing was chosen
		hint: give one of the ids, or more words
	END
	[ "$(left $drafts)" = "002-d.md 003-d.md 004-d.md 005-d.md" ]
	run -0 co-review --reject fine weather
	run -0 co-review --accept user tabs
	[ "$(left $drafts)" = "004-d.md 005-d.md" ]
	draft 6 claude <<<'Global tabs'
	mkdir -p $global/knowledge/drafts
	mv $drafts/006-d.md $global/knowledge/drafts
	run -0 co-review --reject global
	[ "$(left $global/knowledge/drafts)" = '*.md' ]
}

@test "without a terminal co review lists the drafts and changes nothing" {
	run -1 co-review </dev/null
	expect <<-'END'
		**002** (2026-01-02) [t2]: User prefers tabs (from claude)
		**003** (2026-01-03) [t3]: Fine weather today (from codex)
		**004** (2026-01-04) [t4]: Deploys on Fridays (from claude)
		co-review: nothing was changed
		hint: not a terminal: 'co review --accept ID' or '--reject ID' decides
	END
	run -1 bash -c 'yes | co-review'
	[ "$(left $drafts)" = "002-d.md 003-d.md 004-d.md" ]
	rm $drafts/*
	run -0 co-review
	expect <<<'co-review: no drafts wait'
	need_terminal
	draft 2 claude <<<x
	terminal 1 'y\n' 'co-review >out'
	[ -e $drafts/002-d.md ]
}

@test "--global reviews the user's drafts, and co review hints at them" {
	need_terminal
	co-memory-save --global --draft <<<'everywhere' >/dev/null 2>&1
	terminal 0 'q\n' co-review
	[[ $output == *"hint: 1 waits in your own store: 'co review --global'" ]]
	terminal 0 'y\n' 'co-review --global'
	[ -e "$global/knowledge/memories/001-everywhere.md" ]
	[ "$(left $drafts)" = "002-d.md 003-d.md 004-d.md" ]
}

@test "the answer k goes back to a waiting draft, u undoes the last decision" {
	need_terminal
	terminal 0 'kskykq' co-review
	[[ $output == *'nothing waits before this one'* ]]
	[[ $output == *'(2/3)'*'(1/3)'*'Accepted memory 2'*'(2/3)'*'nothing waits before'* ]]
	[ "$(left $drafts)" = "003-d.md 004-d.md" ]
	mv $memories/002-d.md $drafts
	cp -R .co-cli was
	terminal 0 'uynuuuq' co-review
	[[ $output == *'nothing was decided yet'*'Accepted memory 2'* ]]
	[[ $output == *'Rejected 1 draft'*'(3/3)'*'1 draft waits again'*'(2/3)'* ]]
	[[ $output == *'0 accepted, 0 rejected, 3 waiting' ]]
	rm -r .co-cli/knowledge/trash .co-cli/knowledge/drafts/.gitignore
	diff -r was .co-cli
	terminal 0 'duasq' co-review
	[[ $output == *'Rejected 2 drafts'*'2 drafts wait again'*'(1/3)'* ]]
	[[ $output == *'2 accepted, 0 rejected, 1 waiting' ]]
	[ "$(left $memories)" = "001-old.md 002-d.md 004-d.md" ]
}

@test "the answer u restores a replaced memory, and preserves later edits" {
	need_terminal
	sed -i 's/^source.*/&\nreplaces: 1/' $drafts/002-d.md
	cp -R .co-cli was
	terminal 0 'yuq' co-review
	rm .co-cli/knowledge/drafts/.gitignore
	rmdir $archive
	diff -r was .co-cli
	# Another memory has the id, so the draft got a new one.
	co-learn --force 'in the way' >/dev/null
	mv $memories/005-*.md $memories/002-a.md
	sed -i 's/^id: 5/id: 2/' $memories/002-a.md
	terminal 0 'yuq' co-review
	[ "$(left $memories)" = "001-old.md 002-a.md" ]
	# A memory that changed after it was accepted is not undone.
	editor "sed -i s/Fine/Bad/ $PWD/$memories/003-d.md" 'exit 1'
	terminal 0 'yeuq' co-review
	[[ $output == *"003-d.md' has changed meanwhile"* ]]
	grep -q Bad $memories/003-d.md
	[ "$(left $drafts)" = "004-d.md 005-d.md" ]
}

@test "the answers A and D accept or reject all drafts with a tag" {
	need_terminal
	sed -i 's/^tags.*/tags: [api, style]/' $drafts/00[24]-d.md
	sed -i 's/^tags.*/tags: [api]/' $drafts/003-d.md
	terminal 0 'Dno\nAstyle\nq' co-review
	[[ $output == *"Which tag: api, style? "*"it has no tag 'no'"* ]]
	[ "$(left $memories)" = "001-old.md 002-d.md 004-d.md" ]
	[ "$(left $drafts)" = 003-d.md ]
	terminal 0 'D' co-review
	[[ $output == *'0 accepted, 1 rejected, 0 waiting'* ]]
	draft 5 claude <<<'x'
	sed -i 's/^tags.*/tags: []/' $drafts/005-d.md
	terminal 0 'Aq' co-review
	[[ $output == *'this draft has no tags'* ]]
}

@test "--tag and --source filter the drafts for all actions" {
	need_terminal
	terminal 0 'sq' 'co-review --source=claude'
	[[ $output == *'draft 1 of 2: 002-d.md'*'draft 2 of 2: 004-d.md'* ]]
	run -0 co-review --list --source=claude -t t4
	expect <<<'**004** (2026-01-04) [t4]: Deploys on Fridays (from claude)'
	[ "$(co-review --list --json -t t3 | jq .id)" = 3 ]
	run -1 co-review --accept --source=nobody
	expect <<<'co-review: no such drafts wait'
	run -0 co-review --reject --source=claude
	[ "$(grep -c Rejected <<<"$output")" -eq 2 ]
	run -0 co-review --accept -t t3
	[[ $output == '✓ Accepted memory 3'* ]]
	run -0 co-forget --undo
	[ "$(left $drafts)" = "002-d.md 004-d.md" ]
	run -2 co-review --accept -t t2 2
	terminal 0 '' 'co-review -t none'
	[[ $output == *'no such drafts wait'* ]]
}

@test "co review --rejected is refused, and names co list --trash" {
	run -2 co-review --rejected
	expect <<<"co-review: unknown option '--rejected': did you mean 'co list --trash'?"
}

@test "--accept and --reject take ids and paths on standard input" {
	run -0 bash -c 'co-review --list --json --source=claude | jq .id |
		co-review --accept'
	[ "$(left $memories)" = "001-old.md 002-d.md 004-d.md" ]
	run -0 co-review --reject - < <(co-memory-list --drafts)
	[ "$(left $drafts)" = '*.md' ]
	run -2 co-review --accept </dev/null
	[[ $output == *"name a draft by its id, its path or its words: 'co review --list' shows them"* ]]
	need_terminal
	terminal 2 '' 'co-review --accept'
}

@test "co review prints colours only on terminals that have them" {
	need_terminal
	sed -i 's/^source.*/&\nreplaces: 1/' $drafts/002-d.md
	TERM=xterm terminal 0 'q' co-review
	[[ $output == *$'~ User prefers \e[31mcallbacks\e[m\e[32mtabs\e[m'* ]]
	[[ $output == *$'tags:     \e[36mt2\e[m'* ]]
	[[ $output == *$'\e[1;34m(1/3) Accept this draft'* ]]
	NO_COLOR=1 TERM=xterm terminal 0 'q' co-review
	[[ $output != *$'\e'* ]]
	TERM=xterm terminal 0 'q' 'co-review --color=never'
	[[ $output == *'~ User prefers [-callbacks-]{+tabs+}'* ]]
}

@test "co review restores the terminal after a signal" {
	need_terminal
	# An input without keys and without an end.
	mkfifo keys
	exec {keys}<>keys
	for signal in INT TERM; do
		cat >line <<-END
			stty -a >a
			(until grep -q 'Accept this draft' screen; do sleep 0.05; done
			kill -$signal \$(cat pid)) &
			sh -c 'echo \$\$ >pid; exec co-review'
			echo \$? >status
			stty -a >b
		END
		timeout 60 script -qec 'sh line' /dev/null <&$keys >screen
		grep -q 'Accept this draft' screen
		[ "$(cat status)" -eq $((128 + $(kill -l $signal))) ]
		cmp a b
	done
	[ "$(left $drafts)" = "002-d.md 003-d.md 004-d.md" ]
}

@test "on a terminal co review --list prints ids as typed, and a rejection how to undo it" {
	need_terminal
	rm -rf .co-cli
	echo 'Tabs it is' | co-memory-save --draft --source=agent >/dev/null 2>&1
	terminal 0 '' 'co review --list'
	expect <<<'1 (2026-02-09): Tabs it is (from agent)'
	terminal 0 '' 'co review --reject 1'
	[[ $output == '✓ Rejected draft 1: 001-tabs-it-is.md'*$'\n'"hint: 'co undo' brings it back" ]]
}

@test "the similar memories of a draft are cut at the width of the terminal" {
	need_terminal
	memory 5 2026-01-05T00:00:00Z a $memories/005-old.md \
		<<<'Deploys on Fridays, said Ada'
	terminal 0 'q' 'stty cols 40; NO_COLOR=1 co-review 4'
	[[ $output == *'similar:  5 (2026-01-05) [a]: Deploys o…'* ]]
	terminal 0 'q' 'stty cols 40; TERM=xterm co-review 4'
	[[ $output == *'s o…'$'\033'* ]]
}
