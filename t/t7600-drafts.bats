#!/usr/bin/env bats
# Test how drafts are accepted and rejected, whatever they contain.
# bats file_tags=rights
load lib

setup() {
	world
	memory 1 2026-01-01T00:00:00Z old $memories/001-old.md <<<'Uses callbacks'
	memory 2 2026-01-02T00:00:00Z x $drafts/002-tabs.md <<<'Prefers tabs'
	memory 3 2026-01-03T00:00:00Z y $drafts/003-fine.md <<<'Fine weather'
}

left() {
	(cd "$1" && echo *)
}

@test "co review --accept moves a draft to the memories byte for byte" {
	cp $drafts/002-tabs.md before
	run -0 co-review --accept 2
	expect <<-END
		✓ Accepted memory 2: 002-tabs.md
		Location: $PWD/$memories/002-tabs.md
	END
	cmp before $memories/002-tabs.md
	[ "$(left $drafts)" = 003-fine.md ]
	run -1 co-review --accept 2
	expect <<<"co-review: no draft '2'"$'\nhint: \'co review\' shows what waits'
}

@test "an accepted draft gets the next id if its own is taken" {
	memory 2 2026-01-01T00:00:00Z z $memories/002-other.md <<<other
	run -0 co-review --accept 2
	[ "${lines[0]}" = '✓ Accepted memory 4: 004-tabs.md' ]
	run -0 co-frontmatter-parse --field=id $memories/004-tabs.md
	expect <<<4
	diff <(sed 1,2d $memories/004-tabs.md) - <<-END
		created: 2026-01-02T00:00:00Z
		tags: [x]
		source: user-told
		---

		Prefers tabs
	END
}

@test "accepting a draft archives the memory that it replaces" {
	co-memory-save --draft --replaces=1 <<<'Uses async' >/dev/null
	[ "$(left $memories)" = 001-old.md ]
	run -0 --separate-stderr co-review --accept 4
	[ "${lines[0]}" = '✓ Accepted memory 4: 004-uses-async.md' ]
	[ "$stderr" = "co-review: '$PWD/$memories/001-old.md' is replaced" ]
	[ "$(left $memories)" = 004-uses-async.md ]
	run -0 co-undo
	[ "$(left $memories)" = 001-old.md ]
	[ -e $drafts/004-uses-async.md ]
}

@test "a draft is accepted if its replaced memory is gone, but not if ambiguous" {
	co-memory-save --draft --replaces=1 <<<'Uses async' >/dev/null
	cp $memories/001-old.md $memories/001-old2.md
	run -3 co-review --accept 4
	[[ $output == "co-review: two files have id 1: "* ]]
	[ -e $drafts/004-uses-async.md ]
	rm $memories/*
	run -0 co-review --accept 4
	[ "$(left $memories)" = 004-uses-async.md ]
}

@test "an invalid id in replaces replaces nothing" {
	for value in 0 -1 '"1"' 1.0 1000000000 99999999999999999999 x; do
		sed "s/^source: .*/&\nreplaces: $value/" $drafts/002-tabs.md \
			>$drafts/009-x.md
		run -0 co-review --accept $drafts/009-x.md
		[ -e $memories/001-old.md ]
		rm $memories/009-x.md
	done
}

@test "rejected drafts go to the trash, and undo restores them as drafts" {
	tree $drafts >before
	run -0 co-review --reject 3 $drafts/002-tabs.md
	expect <<-END
		✓ Rejected draft 3: 003-fine.md
		Location: $PWD/$trash/20260209T143000Z-1/drafts/003-fine.md
		✓ Rejected draft 2: 002-tabs.md
		Location: $PWD/$trash/20260209T143000Z-1/drafts/002-tabs.md
	END
	[ "$(left $drafts)" = '*' ]
	run -0 co-forget --undo
	expect <<-END
		✓ Restored draft 2: 002-tabs.md
		✓ Restored draft 3: 003-fine.md
	END
	rm $drafts/.gitignore
	tree $drafts | diff before -
	co-review --reject 2 >/dev/null
	run -0 co-memory-restore 2
	rm $drafts/.gitignore
	tree $drafts | diff before -
	[ "$(left $memories)" = 001-old.md ]
}

@test "co review refuses an id that two drafts have" {
	memory 2 2026-01-02T00:00:00Z x $drafts/002-two.md <<<'Prefers blanks'
	for how in --accept --reject; do
		run -3 co-review $how 2
		expect <<<"co-review: two files have id 2: '$PWD/$drafts/002-tabs.md' and '$PWD/$drafts/002-two.md': name one by its path"
	done
	run -0 co-review --accept $drafts/002-tabs.md $drafts/002-two.md
	[ "${lines[0]}" = '✓ Accepted memory 2: 002-tabs.md' ]
	[ "${lines[2]}" = '✓ Accepted memory 4: 004-two.md' ]
}

@test "a malformed draft is not accepted, and can be rejected" {
	printf -- '---\nid: 5\n---\nbroken\n' >$drafts/005-broken.md
	echo plain >$drafts/plain.md
	sed 's/Prefers/\xff/' $drafts/002-tabs.md >$drafts/006-bytes.md
	run -3 co-review --accept 5 $drafts/plain.md $drafts/006-bytes.md 3
	[[ ${lines[0]} == *"'$PWD/$drafts/005-broken.md':1:1: Missing required field: created" ]]
	[[ ${lines[1]} == *"'$PWD/$drafts/plain.md':1:1: "* ]]
	[[ ${lines[2]} == *"'$PWD/$drafts/006-bytes.md' is not UTF-8 text" ]]
	[ "${lines[3]}" = '✓ Accepted memory 3: 003-fine.md' ]
	run -0 co-review --reject 5 $drafts/plain.md $drafts/006-bytes.md
	[ "$(left $drafts)" = 002-tabs.md ]
}

@test "a draft with a secret is accepted with --allow-secret only" {
	local token=gh''p_Wq7Lk2Zt9Xv4Bn6Mj8Hg3Fd5Sa1Po0Iu7Yt4
	memory 4 2026-01-03T00:00:00Z y $drafts/004-t.md <<<"key $token"
	run -3 co-review --accept 4
	[[ $output == *github-token* && $output != *"$token"* ]]
	[ ! -e $memories/004-t.md ]
	run -0 co-review --accept --allow-secret 4
}

@test "co review refuses a path that is no draft of the store" {
	echo precious >other.md
	for how in --accept --reject; do
		run -2 co-review $how ./other.md
		run -2 co-review $how $memories/001-old.md
		run -2 co-review $how /etc/hosts
	done
	[ "$(cat other.md)" = precious ]
	[ -e $memories/001-old.md ]
}

@test "co review reports links, FIFOs and directories among the drafts" {
	ln -s /etc/hosts $drafts/007-link.md
	mkfifo $drafts/008-pipe.md
	mkdir $drafts/009-dir.md
	run -0 --separate-stderr co-review --list
	[ "${#lines[@]}" -eq 2 ]
	[[ $stderr == *007-link.md* && $stderr == *008-pipe.md* ]]
	run -3 co-review --accept $drafts/007-link.md
	run -3 co-review --accept $drafts/008-pipe.md
	[ "$(left $memories)" = 001-old.md ]
}

@test "--list and --json print the waiting drafts" {
	run -0 co-review --list
	expect <<-END
		**002** (2026-01-02) [x]: Prefers tabs
		**003** (2026-01-03) [y]: Fine weather
	END
	co-review --list --json | diff - \
		<(co-memory-list --drafts | co-memory-show --json)
	run -0 co-review --accept --json 2
	[ "$(jq .memory_id <<<"$output")" = 2 ]
	rm -r .co-cli
	run -0 co-review --list
	expect </dev/null
	[ ! -e .co-cli ]
}

@test "--global reviews the drafts of the user store" {
	co-memory-save --global --draft <<<'everywhere' >/dev/null 2>&1
	run -1 co-review --accept 1
	run -0 co-review --accept --global 1
	[ -e "$global/knowledge/memories/001-everywhere.md" ]
}

@test "--reject does the same as the pipeline in its manual" {
	cp -r .co-cli before
	co-review --reject 2 3 >/dev/null
	mv .co-cli porcelain
	mv before .co-cli
	co-memory-list --drafts | co-memory-remove >/dev/null
	diff -r porcelain .co-cli
}

@test "wrong command lines are refused" {
	run -2 co-review --list 1
	run -2 co-review --accept
	run -2 co-review --reject
	run -2 co-review --accept --reject 2
	run -2 co-review --list --accept 2
	run -2 co-review --list --if-same
	run -2 co-review --accept --if-same 2 3
}

@test "--if-same decides only if the draft equals standard input" {
	run -5 co-review --accept --if-same 2 <<<'Prefers spaces'
	run -5 co-review --reject --if-same 2 </dev/null
	[ "$(left $drafts)" = '002-tabs.md 003-fine.md' ]
	run -0 co-review --accept --if-same 2 <<<'Prefers tabs'
	run -0 co-review --reject --if-same 3 <<<'Fine weather'
	[ "$(left $memories) $(left $drafts)" = '001-old.md 002-tabs.md *' ]
}
