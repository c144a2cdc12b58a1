#!/usr/bin/env bats
# co resolve resolves conflicts that git left in a store.
load lib
load terminal

setup() {
	world
	git init -q .
	cat >>.git/config <<-'END'
		[user]
			name = A
			email = a@example.org
		[commit]
			gpgsign = false
		[maintenance]
			auto = false
	END
	co init >/dev/null
	body=$'Deploys happen on Tuesdays and nowhere else.\n\nAsk the crew first.'
	save 1 '[ops]' "$body"
	commit base
	git switch -qc side
}

# save ID TAGS BODY [NAME]
save() {
	mkdir -p "$memories"
	printf -- '---\nid: %s\ncreated: 2026-02-09T14:30:00Z\ntags: %s\nsource: user-told\n---\n\n%s\n' \
		"$1" "$2" "$3" >"$memories/${4:-$(printf '%03d' "$1")-m.md}"
}

# main_too: commit the branch side and switch to the other one.
main_too() {
	commit side
	git switch -q -
}

unmerged() {
	git ls-files -u | wc -l
}

@test "co resolve merges the tags of a memory that both sides tagged" {
	save 1 '[ops, deploy]' "$body"
	main_too
	save 1 '[ops, tuesday]' "$body"
	commit main
	run -1 git merge -q side
	run -0 co resolve -n
	expect <<<'would resolve knowledge/memories/001-m.md: it is merged'
	[ "$(unmerged)" = 3 ]
	run -0 co resolve
	expect <<<'✓ knowledge/memories/001-m.md is merged'
	[ "$(unmerged)" = 0 ]
	git commit -qm merged
	grep -qx 'tags: \[ops, deploy, tuesday\]' "$memories/001-m.md"
	run -0 co resolve
	expect <<<'co-resolve: no merge is in progress'
}

@test "co resolve marks a line that both sides changed and merges the header" {
	save 1 '[ops, deploy]' 'Deploys happen on Mondays.'
	main_too
	save 1 '[ops]' 'Deploys happen on Fridays.'
	commit main
	run -1 git merge -q side
	run -1 co resolve
	expect <<-'END'
		✗ knowledge/memories/001-m.md was changed by both sides: edit the marked lines, then run 'co resolve' again
		hint: 'co resolve --ours' or '--theirs' takes one side
		hint: 'git diff' shows both sides, 'co edit 1' opens it
	END
	grep -q '^<<<<<<< ours' "$memories/001-m.md"
	run -0 co-frontmatter-parse --field=tags "$memories/001-m.md"
	expect <<<$'ops\ndeploy'
	run -0 co resolve --theirs
	grep -q Mondays "$memories/001-m.md"
	[ "$(unmerged)" = 0 ]
}

@test "co resolve leaves a memory with NUL bytes and resolves the others" {
	save 2 '[ops]' two
	save 3 '[ops]' three
	main_too
	printf 'a\0b\n' >>"$memories/001-m.md"
	save 2 '[ops, x]' two
	git add -A
	git commit -qm ours
	git switch -q side
	save 1 '[ops]' edited
	save 2 '[ops, y]' two
	commit theirs
	git switch -q -
	run -1 git merge -q side
	run -1 co resolve
	[ "${lines[0]}" = "✗ knowledge/memories/001-m.md has NUL bytes, so it is not merged: 'co resolve --ours' or '--theirs' takes one side" ]
	[ "${lines[1]}" = '✓ knowledge/memories/002-m.md is merged' ]
	[ "$(unmerged)" = 3 ]
	cp "$memories/001-m.md" ours
	# The merge driver would write both sides.
	printf '%s\n' '<<<<<<< ours' a ======= b '>>>>>>> theirs' >"$memories/001-m.md"
	run -1 co resolve
	[[ $output == *'has NUL bytes'* ]]
	cp ours "$memories/001-m.md"
	run -0 co resolve --theirs
	[ "$output" = '✓ knowledge/memories/001-m.md has their side' ]
	grep -qx edited "$memories/001-m.md"
	run -0 co undo
	cmp ours "$memories/001-m.md"
	# A person's own text is kept, whatever the option.
	save 1 '[ops]' 'by hand'
	run -0 co resolve --theirs
	[ "$output" = '✓ knowledge/memories/001-m.md is resolved already' ]
	grep -qx 'by hand' "$memories/001-m.md"
}

@test "co resolve leaves a file that is a link and resolves the others" {
	save 2 '[ops]' two
	main_too
	save 1 '[ops, x]' "$body"
	save 2 '[ops, x]' two
	git add -A
	git commit -qm ours
	git switch -q side
	save 1 '[ops, y]' "$body"
	save 2 '[ops, y]' two
	commit theirs
	git switch -q -
	run -1 git merge -q side
	ln -sf /etc/passwd "$memories/001-m.md"
	run -1 --separate-stderr co resolve
	expect <<-'END'
		✗ knowledge/memories/001-m.md stays as it is: resolve it with git
		✓ knowledge/memories/002-m.md is merged
	END
	[[ $stderr == *"'$PWD/$memories/001-m.md'"* ]]
	[ -L "$memories/001-m.md" ]
	[ "$(unmerged)" = 3 ]
	# A person adds it, and another file is in conflict again.
	git add -A
	git checkout -q --merge -- "$memories/002-m.md"
	run -0 --separate-stderr co resolve
	[[ $output == '✓ knowledge/memories/002-m.md '* ]]
	[[ $stderr == *"'$PWD/$memories/001-m.md'"* ]]
}

@test "co resolve takes words for a conflict, and reports a memory without one" {
	save 1 '[ops]' 'Deploys happen on Mondays.'
	main_too
	save 1 '[ops]' 'Deploys happen on Fridays.'
	save 2 '[ops]' 'Deploys need two people.'
	commit main
	run -1 git merge -q side
	run -1 co resolve --ours kubernetes
	[[ $output == *"no memory has 'kubernetes'"* ]]
	run -1 co resolve --ours 2
	expect <<-'END'
		co-resolve: '2' has no conflict
		hint: 'co resolve -n' lists the conflicts
	END
	run -1 co resolve --ours people
	[[ $output == *"co-resolve: '2' has no conflict"* ]]
	[ "$(unmerged)" = 3 ]
	run -0 co resolve --ours fridays
	[[ $output == *'✓ knowledge/memories/001-m.md has our side' ]]
	[ "$(unmerged)" = 0 ]
	# The conflict is resolved already, so there is nothing to do.
	run -0 co resolve --ours 1
	expect </dev/null
}

@test "co resolve takes a path as its output has it, or of a missing file" {
	save 1 '[ops]' 'Deploys happen on Mondays.'
	main_too
	git rm -q "$memories/001-m.md"
	commit main
	run -1 git merge -q side
	run -0 co resolve -n knowledge/memories/001-m.md
	[[ $output == 'would resolve knowledge/memories/001-m.md: it stays'* ]]
	rm "$memories/001-m.md"
	run -0 co resolve -n "$memories/001-m.md"
	[[ $output == *'knowledge/memories/001-m.md: it stays'* ]]
	cd "$memories"
	run -0 co resolve 001-m.md
	[[ $output == *'knowledge/memories/001-m.md stays'* ]]
}

@test "--ours and --theirs take one side only where both changed a line" {
	local side
	save 1 '[ops, deploy]' "Mondays, and nowhere else.

Ask the crew first.

Theirs adds this."
	sed -i 's/^source: .*/source: theirs/' "$memories/001-m.md"
	main_too
	save 1 '[ops, tuesday]' "Fridays, and nowhere else.

Ask the crew first."
	sed -i 's/^source: .*/source: ours/' "$memories/001-m.md"
	commit main
	for side in ours theirs; do
		whose=$([ $side = ours ] && echo our || echo their)
		run -1 git merge -q side
		run -0 co resolve --$side
		expect <<<"✓ knowledge/memories/001-m.md is merged, with $whose side where both changed it"
		[ "$(unmerged)" = 0 ]
		cp "$memories/001-m.md" ../$side
		git reset -q --hard
	done
	run -0 cat ../ours
	expect <<-'END'
		---
		id: 1
		created: 2026-02-09T14:30:00Z
		tags: [ops, deploy, tuesday]
		source: ours
		---

		Fridays, and nowhere else.

		Ask the crew first.

		Theirs adds this.
	END
	run -1 diff ../ours ../theirs
	expect <<-'END'
		5c5
		< source: ours
		---
		> source: theirs
		8c8
		< Fridays, and nowhere else.
		---
		> Mondays, and nowhere else.
	END
}

@test "co resolve hints how a merge ends and where else conflicts may be" {
	save 1 '[ops, deploy]' "$body"
	main_too
	save 1 '[ops, tuesday]' "$body"
	commit main
	run -1 git merge -q side
	run -1 co -C .. resolve
	expect <<-'END'
		co-resolve: there is no project store here
		hint: 'co resolve --global' is for the user store
	END
	need_terminal
	terminal 0 '' 'co resolve'
	expect <<-'END'
		✓ memory 1 is merged
		hint: 'git commit' ends a merge, 'git rebase --continue' a rebase
	END
}

@test "co resolve reports a store outside git with the next step" {
	co learn -q --global one
	run -1 co resolve g1
	expect <<-END
		co-resolve: '$global': the user store is in no git repository, so no merge can leave conflicts in it
		hint: 'co setup git --user URL' makes it a repository that 'co sync' merges
	END
	mkdir ../plain && cd ../plain
	co init -q
	run -1 co resolve
	expect <<-END
		co-resolve: '$PWD/.co-cli': the project store is in no git repository, so no merge can leave conflicts in it
		hint: 'co resolve --global' is for the user store
	END
}

@test "co resolve keeps an edit of a memory that the other side forgot" {
	git rm -q "$memories/001-m.md"
	main_too
	save 1 '[ops, x]' "$body"
	commit main
	run -1 git merge -q side
	run -0 co resolve
	expect <<<"✓ knowledge/memories/001-m.md stays, since we changed it: 'co forget' forgets it"
	git commit -qm merged
	grep -q 'ops, x' "$memories/001-m.md"
}

@test "co resolve moves an edit of a replaced memory to the archive" {
	co learn -q --replaces=1 'Deploys happen whenever the tests pass.'
	sed -i 's/^Ask the crew first.*/Nobody is asked any more./' \
		.co-cli/knowledge/archive/001-m.md
	main_too
	save 1 '[ops, x, y, z]' 'Deploys happen on Tuesdays and nowhere else.

Whoever deploys stays for the evening, and watches.'
	commit main
	run -1 git merge -q -X find-renames=100% side
	run -1 co resolve
	expect <<-'END'
		✗ knowledge/archive/001-m.md was changed by both sides: edit the marked lines, then run 'co resolve' again
		hint: 'co resolve --ours' or '--theirs' takes one side
		hint: 'git diff' shows both sides, 'co edit 1' opens it
	END
	[ ! -e "$memories/001-m.md" ]
	run git ls-files -u
	[[ $output != *memories/* && $output == *archive/001-m.md* ]]
	run -0 co resolve --ours
	run -0 co-memory-list --format='%(id)'
	expect <<<2
	git commit -qm merged
}

# folder_replaced: replace all memories of a directory on the branch side, and add
# one to it on the branch other. For git the directory became the archive, with the
# new memory in it.
folder_replaced() {
	here=.co-cli/knowledge
	co config team true
	for number in 1 2 3; do
		memory "87000$number" 2026-01-01T00:00:00Z '' \
			"$here/memories/87/87000$number-m$number.md" \
			<<<"memory number $number"
	done
	commit all
	git branch other
	mkdir $here/archive
	for number in 1 2 3; do # as co would, but the ids are drawn there
		memory "20000$number" 2026-01-02T00:00:00Z '' \
			"$here/memories/20/20000$number-m.md" <<<"instead of $number"
		git mv "$here/memories/87/87000$number-m$number.md" $here/archive
		sed -i "s/^source: .*/&\nsuperseded: 20000$number/" \
			"$here/archive/87000$number-m$number.md"
	done
	commit replaced
	git switch -q other
	memory 879999 2026-01-02T00:00:00Z '' \
		"$here/memories/87/879999-new.md" <<<'new of the other'
	commit new
}

@test "co resolve keeps a new memory in its directory if all others were replaced" {
	local here branch
	folder_replaced
	for branch in side other; do
		run -1 git merge -q "$branch"
		[ -e $here/archive/879999-new.md ]
		run -0 co resolve
		expect <<<'✓ knowledge/memories/87/879999-new.md is there'
		[ ! -e $here/archive/879999-new.md ]
		[ "$(unmerged)" = 0 ]
		git diff --quiet
		git show other:$here/memories/87/879999-new.md |
			diff - $here/memories/87/879999-new.md
		[ "$(co-memory-list --format='%(id)' | grep -c 879999)" = 1 ]
		git reset -q --hard
		git switch -q side
	done
	[ "$(git symbolic-ref --short HEAD)" = side ]
}

@test "co resolve does not replace a memory that a person moved back and edited" {
	local here branch home=memories/87/879999-new.md
	folder_replaced
	run -1 git merge -q side
	mkdir -p $here/memories/87
	sed 's/^new of the other/By hand./' $here/archive/879999-new.md >$here/$home
	run -1 co resolve
	expect <<-END
		✗ knowledge/archive/879999-new.md belongs at knowledge/$home, where another text is: 'git add' one of them and 'git rm' the other
	END
	grep -q '^By hand' $here/$home
	git add $here/$home
	git rm -q --cached $here/archive/879999-new.md
	git commit -qm merged
}

@test "--check and --fix move a new memory back that git moved to the archive" {
	local here branch
	folder_replaced
	cp $here/memories/87/879999-new.md ../new
	git config merge.directoryRenames true
	"$CO_SOURCE/contrib/hooks/install" 2>/dev/null
	for branch in side other; do
		git branch -f before
		run -0 git merge -q --no-edit "$branch"
		[[ $output == *"archive/879999-new.md': archived with id 879999, though nothing replaced it"*"'co knowledge --check --fix' moves it back"*'1 fault found'* ]]
		[ "$(co-memory-list --format='%(id)' | grep -c 879999)" = 0 ]
		run -3 co knowledge --check --since=before
		run -3 co knowledge --check --fix -n
		[ -e $here/archive/879999-new.md ]
		run -0 co knowledge --check --fix
		expect <<-END
			repaired '$PWD/$here/archive/879999-new.md': moved back to memories/87/
			no faults found
		END
		[ ! -e $here/archive/879999-new.md ]
		cmp $here/memories/87/879999-new.md ../new
		[ "$(co-memory-list --format='%(id)' | grep -c 879999)" = 1 ]
		run -0 co undo -q
		[ -e $here/archive/879999-new.md ]
		run -0 co redo -q
		[ ! -e $here/archive/879999-new.md ]
		git clean -qfd $here
		git reset -q --hard before
		git switch -q side
	done
	[ "$(git symbolic-ref --short HEAD)" = side ]
}

@test "co resolve leaves a replaced and tagged memory only in the archive" {
	co learn -q --replaces=1 'Deploys happen whenever the tests pass.'
	main_too
	save 1 '[ops, x]' "$body"
	commit main
	run -1 git merge -q -X find-renames=100% side
	run -0 co resolve -n
	[ -e "$memories/001-m.md" ]
	run -0 co resolve
	expect <<<'✓ knowledge/archive/001-m.md is merged'
	git commit -qm merged
	[ ! -e "$memories/001-m.md" ]
	grep -qx 'tags: \[ops, x\]' .co-cli/knowledge/archive/001-m.md
	grep -qx 'superseded: 2' .co-cli/knowledge/archive/001-m.md
	run -0 co knowledge --check
}

# brought_back: put memory 1 into the archive and an edit of it into memories. The
# branch other moves the edit into the archive, and the branch side changes it by
# the sed script $1.
brought_back() {
	co learn -q --replaces=1 'Deploys happen whenever the tests pass.'
	save 1 '[ops]' "Monday: $body"
	commit base
	git switch -qC other
	sed -i 's/^Deploys/Monday: &/' .co-cli/knowledge/archive/001-m.md
	git rm -qf "$memories/001-m.md"
	commit other
	git switch -qC side HEAD~
	sed -i "$1" "$memories/001-m.md"
	commit changed
}

@test "co resolve loses no memory that differs from one in the archive" {
	local change from to
	git branch begin
	for change in 's/^id: 1$/id: 7/' 's/^tags: .*/tags: [ops, x]/'; do
		git switch -qC side begin
		brought_back "$change"
		for from in side other; do
			to=other
			[ "$from" = side ] || to=side
			git switch -q "$from"
			run -1 git merge -q -X find-renames=100% "$to"
			run -0 co resolve
			grep -qr '^Monday: Deploys' .co-cli/knowledge
			[[ $change != *tags* ]] ||
				grep -qr '^tags: .ops, x' .co-cli/knowledge
			run -0 co knowledge --check
			git reset -q --hard
		done
	done
}

# replaced_and_tagged: merge two branches. Both have merged a branch that forgot
# memory 123456. One replaced it before, and the other tagged it.
replaced_and_tagged() {
	local settings=.co-cli/settings.json
	jq '.team = true | .format = 2' $settings >s && mv s $settings
	save 123456 '[ops]' "$body" 12/123456-m.md
	commit drawn
	git switch -qc forgets
	git rm -q "$memories/12/123456-m.md"
	commit forgets
	git switch -qc replaces side
	git merge -q --ff-only forgets~
	git commit -q --allow-empty -m other
	git switch -qc tags
	save 123456 '[ops, x]' "$1" 12/123456-m.md
	commit tags
	git merge -q forgets || co resolve -q
	git commit -qm merged
	git switch -q replaces
	co learn -q --replaces=123456 'Deploys happen whenever tests pass.'
	# Older programs used the archive.
	mkdir .co-cli/knowledge/archive
	mv "$memories/12/123456-m.md" .co-cli/knowledge/archive
	commit replaces
	git merge -q -m merged -X find-renames=100% forgets
	[ "$(git merge-base --all replaces tags | wc -l)" = 2 ]
	git merge -q -m merged -X find-renames=100% tags
}

@test "--fix merges a memory that a criss-cross merge restored with the archive" {
	mkdir -p "$memories/12"
	replaced_and_tagged "$body"
	run -3 --separate-stderr co knowledge --check --json
	[ "$(jq -r '.fault' <<<"$output")" = double-id ]
	run -3 co knowledge --check --fix -n
	[ -e "$memories/12/123456-m.md" ]
	run -0 co knowledge --check --fix
	expect <<-END
		repaired '$PWD/$memories/12/123456-m.md': is one with '$PWD/.co-cli/knowledge/archive/123456-m.md'
		no faults found
	END
	[ ! -e "$memories/12/123456-m.md" ]
	grep -qx 'tags: \[ops, x\]' .co-cli/knowledge/archive/123456-m.md
	grep -q '^superseded: ' .co-cli/knowledge/archive/123456-m.md
	co undo -q
	[ -e "$memories/12/123456-m.md" ]
	grep -qx 'tags: \[ops\]' .co-cli/knowledge/archive/123456-m.md
}

@test "--fix gives a restored memory with another text a new id" {
	mkdir -p "$memories/12"
	replaced_and_tagged 'Nobody deploys.'
	run -0 co knowledge --check --fix
	[[ $output == *': now has id '*'no faults found' ]]
	grep -qr 'Nobody deploys' "$memories"
	grep -q 'Tuesdays' .co-cli/knowledge/archive/123456-m.md
}

@test "a team's memory that was replaced and edited gets both changes in its place" {
	local by
	co config team true
	commit team
	git config merge.co.driver 'co-memory-merge --path=%P -- %O %A %B'
	for by in driver resolve; do
		git branch -f main2
		echo '*.md merge=co' >.git/info/attributes
		[ $by = driver ] || rm .git/info/attributes
		co learn -q --force --replaces=1 'Deploys happen whenever the tests pass.'
		commit replaced
		git switch -q main2
		save 1 '[ops, x]' "Monday: $body"
		commit edited
		if [ $by = driver ]; then
			run -0 git merge -q -m merged side
		else
			git merge -q -m merged side || run -0 co resolve
		fi
		grep -qx 'tags: \[ops, x\]' "$memories/001-m.md"
		grep -q '^superseded: ' "$memories/001-m.md"
		grep -q '^Monday' "$memories/001-m.md"
		[ ! -e .co-cli/knowledge/archive ]
		run -0 co knowledge --check
		git switch -q side
		git reset -q --hard side~
	done
}

@test "co resolve merges two replacements of a memory in the archive" {
	co learn -q --replaces=1 'Deploys happen whenever the tests pass.'
	commit side
	git switch -q -
	git commit -q --allow-empty -m other
	co learn -q --replaces=1 'Deploys happen on Fridays.'
	mv "$memories"/002-* "$memories/009-n.md"
	sed -i 's/^id: 2/id: 9/' "$memories/009-n.md"
	sed -i 's/^superseded: 2/superseded: 9/' .co-cli/knowledge/archive/001-m.md
	commit main
	run -1 git merge -q -X find-renames=100% side
	run -0 co resolve
	git commit -qm merged
	grep -qx 'superseded: 2' .co-cli/knowledge/archive/001-m.md
	run -0 co-memory-list --format='%(id)'
	expect <<<$'2\n9'
}

@test "co resolve does not mistake a replacement for the memory that it replaced" {
	git config merge.co.driver 'co-memory-merge --path=%P -- %O %A %B'
	echo '*.md merge=co' >.git/info/attributes
	git mv "$memories/001-m.md" "$memories/002-n.md"
	save 2 '[ops]' "$body
And so say we." 002-n.md
	main_too
	save 1 '[ops, edited]' "$body"
	commit main
	run -1 git merge -q side
	run -0 co resolve
	git commit -qm merged
	run -0 co-memory-list --format='%(id) %(tags)'
	expect <<-'END'
		1 ops, edited
		2 ops
	END
	grep -q 'so say we' "$memories/002-n.md"
	run -1 grep -q 'so say we' "$memories/001-m.md"
	run -1 grep -rq '<<<<<<<' "$memories"
}

# renumbered ID TAGS [LINE]: write memory 1 as a repair and an edit leave it.
renumbered() {
	save "$1" "$2" "$body${3:+

$3}" 001-m.md
}

@test "co resolve merges a memory that one side renumbered and the other edited" {
	git config merge.co.driver 'co-memory-merge --path=%P -- %O %A %B'
	for driver in '' '*.md merge=co'; do
		echo "$driver" >.git/info/attributes
		renumbered 7 '[ops]' 'Ours.'
		main_too
		renumbered 1 '[ops, x]' 'Theirs.'
		commit main
		run -1 git merge -q side
		run -1 co resolve
		[[ $output == *'001-m.md was changed by both sides'* ]]
		[ "$(ls "$memories")" = 001-m.md ]
		grep -qx 'id: 7' "$memories/001-m.md"
		grep -qx 'tags: \[ops, x\]' "$memories/001-m.md"
		[ "$(sed -n '/<<</,$p' "$memories/001-m.md" | grep -c 'Ours\|Theirs')" = 2 ]
		git reset -q --hard HEAD~1
		git switch -q side
		git reset -q --hard HEAD~1
	done
	# Different tags are no conflict.
	echo '*.md merge=co' >.git/info/attributes
	renumbered 7 '[ops]'
	main_too
	renumbered 1 '[ops, x]'
	commit main
	run -1 git merge -q side
	run -0 co resolve
	expect <<<'✓ knowledge/memories/001-m.md is merged'
	git commit -qm merged
	run -0 co-memory-list --format='%(id) %(tags)'
	expect <<<'7 ops, x'
}

@test "co resolve merges a memory that both sides renumbered, with the higher id" {
	git config merge.co.driver 'co-memory-merge --path=%P -- %O %A %B'
	for sides in '7 9' '9 7'; do
		for driver in '' '*.md merge=co'; do
			echo "$driver" >.git/info/attributes
			renumbered "${sides% *}" '[ops]'
			main_too
			renumbered "${sides#* }" '[ops]'
			commit main
			run -1 git merge -q side
			run -0 co resolve
			git commit -qm merged
			run -0 co-memory-list --format='%(id) %(tags)'
			expect <<<'9 ops'
			git reset -q --hard HEAD~2
			git switch -q side
			git reset -q --hard HEAD~1
		done
	done
}

@test "co resolve keeps both memories that replaced one, and does not mix them" {
	git mv "$memories/001-m.md" "$memories/002-n.md"
	save 2 '[ops]' "$body
Theirs." 002-n.md
	main_too
	git mv "$memories/001-m.md" "$memories/003-o.md"
	save 3 '[ops]' "$body
Ours." 003-o.md
	commit main
	run -1 git merge -q side
	run -0 co resolve
	git commit -qm merged
	[ "$(cd "$memories" && echo *)" = '002-n.md 003-o.md' ]
	run -0 tail -n 1 "$memories/002-n.md"
	expect <<<Theirs.
	run -0 tail -n 1 "$memories/003-o.md"
	expect <<<Ours.
}

@test "co resolve merges two equal texts with the tags of both" {
	save 2 '[a]' 'New.'
	main_too
	save 2 '[b]' 'New.'
	commit main
	run -1 git merge -q side
	run -0 co resolve
	grep -qx 'tags: \[a, b\]' "$memories/002-m.md"
}

@test "co resolve gives another memory with the same id and name a new file" {
	save 2 '[]' 'Theirs.'
	main_too
	save 2 '[]' 'Ours.'
	commit main
	run -1 git merge -q side
	run -0 co resolve
	expect <<-'END'
		✓ knowledge/memories/002-m-2.md has a file of its own again
		✓ knowledge/memories/002-m.md has our side
	END
	git commit -qm merged
	run -0 co knowledge --check --fix
	[ "$(co-memory-list | wc -l)" = 3 ]
}

@test "co resolve merges memories with the same drawn id, even without a base" {
	save 398402 '[a]' 'Theirs.'
	main_too
	save 398402 '[b]' 'Ours.'
	commit main
	run -1 git merge -q side
	run -1 co resolve
	[[ $output == *'was changed by both sides'* ]]
	[ "$(co-memory-list 2>/dev/null | wc -l)" = 2 ]
	grep -q Theirs "$memories/398402-m.md"
	grep -q Ours "$memories/398402-m.md"
	grep -qx 'tags: \[a, b\]' "$memories/398402-m.md"
	git reset -q --hard
	sed -i 's/^created: .*/created: 2026-02-09T14:30:01Z/' "$memories/398402-m.md"
	git commit -qam 'another one'
	run -1 git merge -q side
	run -0 co resolve
	[[ $output == *'398402-m-2.md has a file of its own again'* ]]
}

@test "co resolve merges rules that both sides added to the context" {
	co learn --always 'Theirs first' >/dev/null
	main_too
	CO_NOW=2026-02-10T00:00:00Z co learn --always 'Ours first' >/dev/null
	commit main
	run -1 git merge -q side
	co resolve
	git commit -qm merged
	run -0 co-context-load --strict
	[[ $output == *'- Ours first'*'- Theirs first'* ]]
}

@test "co resolve resolves only the named file, also in a rebase" {
	save 1 '[p]' "$body"
	save 2 '[p]' Two.
	main_too
	save 1 '[q]' "$body"
	save 2 '[q]' Two.
	commit main
	onto=$(git rev-parse HEAD)
	git switch -q side
	run -1 git rebase -q "$onto"
	run -0 co resolve 2
	[[ $output == '✓ knowledge/memories/002-m.md '* ]]
	[ "$(unmerged)" = 3 ]
	run -0 co resolve "$memories/001-m.md"
	GIT_EDITOR=true git rebase --continue >/dev/null
	grep -qx 'tags: \[p, q\]' "$memories/001-m.md"
}

@test "co resolve takes the sides of a merge within a stopped rebase" {
	save 1 '[p]' "$body"
	main_too
	save 1 '[q]' "$body"
	commit main
	GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i HEAD~1 2>out
	git rev-parse -q --verify REBASE_HEAD >out
	run -1 git merge -q side
	run -0 co resolve
	expect <<<'✓ knowledge/memories/001-m.md is merged'
	grep -qx 'tags: \[p, q\]' "$memories/001-m.md"
}

@test "co resolve resolves the conflicts of an applied stash" {
	save 1 '[p]' "$body"
	git stash -q
	save 1 '[q]' "$body"
	commit other
	run -1 git stash pop -q
	run -0 co resolve
	[ "$(unmerged)" = 0 ]
	grep -qx 'tags: \[p, q\]' "$memories/001-m.md"
}

@test "co resolve leaves files that are no memories to git" {
	echo a >.co-cli/settings.json
	main_too
	echo b >.co-cli/settings.json
	commit main
	run -1 git merge -q side
	run -1 co resolve
	expect <<<'✗ settings.json is not a text of the store: resolve it with git'
}

# old_git: put a git before 2.34, which has no --sparse, into PATH.
old_git() {
	local git
	git=$(command -v git)
	mkdir old
	cat >old/git <<-END
		#!/bin/sh
		case " \$* " in *" --sparse "*) exit 129 ;; esac
		exec '$git' "\$@"
	END
	chmod +x old/git
	PATH=$PWD/old:$PATH
}

@test "co resolve works with an old git and a sparse checkout" {
	git switch -q -
	save 2 '[ops]' 'Two.'
	commit more
	git switch -qc other
	save 1 '[p]' "$body"
	git mv "$memories/002-m.md" "$memories/003-m.md"
	main_too
	save 1 '[q]' "$body"
	git mv "$memories/002-m.md" "$memories/004-m.md"
	commit main
	git sparse-checkout set --no-cone '/*' "!/$memories/001-m.md" ||
		skip 'git has no sparse checkout'
	run -1 git merge -q other
	old_git
	run -0 co resolve
	[ "$(unmerged)" = 0 ]
	git commit -qm merged
	git show "HEAD:$memories/001-m.md" | grep -qx 'tags: \[p, q\]'
	run -0 git ls-files "$memories"
	expect <<-END
		$memories/001-m.md
		$memories/003-m.md
		$memories/004-m.md
	END
}

@test "co resolve keeps a file that a person resolved in the work tree" {
	save 1 '[ops]' 'Deploys happen on Mondays.'
	main_too
	save 1 '[ops]' 'Deploys happen on Fridays.'
	commit main
	run -1 git merge -q side
	save 1 '[ops]' 'Deploys happen on Mondays and Fridays.'
	run -0 --separate-stderr co resolve
	expect <<<'✓ knowledge/memories/001-m.md is resolved already'
	grep -q 'Mondays and Fridays' "$memories/001-m.md"
	[ "$(unmerged)" = 0 ]
}

@test "co resolve leaves a file that is not a memory any more to the person" {
	save 1 '[ops]' 'Deploys happen on Mondays.'
	main_too
	save 1 '[ops]' 'Deploys happen on Fridays.'
	commit main
	run -1 git merge -q side
	# The closing line of the frontmatter was deleted with the markers.
	printf -- '---\nid: 1\ncreated: 2026-01-01T00:00:00Z\nDeploys happen on Mondays.\n' \
		>"$memories/001-m.md"
	cp "$memories/001-m.md" "$BATS_TEST_TMPDIR"
	for option in '' --ours; do
		run -1 --separate-stderr co resolve $option
		expect <<-'END'
			✗ knowledge/memories/001-m.md was changed by hand, and is not a memory any more: correct it, then run 'co resolve' again
		END
		[[ ${stderr_lines[0]} == "co-resolve: '$PWD/$memories/001-m.md':1:1: "* ]]
		[ "$(unmerged)" = 3 ]
		cmp "$memories/001-m.md" "$BATS_TEST_TMPDIR/001-m.md"
	done
	save 1 '[ops]' 'Deploys happen on Mondays and Fridays.'
	run -0 co resolve
	[ "$(unmerged)" = 0 ]
}

@test "co resolve keeps a resolution that rerere recorded" {
	git config rerere.enabled true
	save 1 '[ops]' 'Deploys happen on Mondays.'
	main_too
	save 1 '[ops]' 'Deploys happen on Fridays.'
	commit main
	run -1 git merge -q side
	save 1 '[ops]' 'Deploys happen on Mondays and Fridays.'
	commit merged
	git reset -q --hard HEAD~1
	run -1 git merge -q side
	run -0 --separate-stderr co resolve
	grep -q 'Mondays and Fridays' "$memories/001-m.md"
}

@test "co resolve keeps what is staged if a stash conflicts" {
	save 1 '[p]' "$body"
	git stash -q
	save 1 '[q]' "$body"
	git add .
	git stash pop -q 2>/dev/null || run co resolve
	grep -q 'q' <(grep ^tags: "$memories/001-m.md")
}

@test "co resolve runs no monitor and no hook of the repository" {
	save 1 '[ops, deploy]' "$body"
	main_too
	save 1 '[ops, tuesday]' "$body"
	commit main
	run -1 git merge -q side
	printf '#!/bin/sh\necho x >>"%s/ran"\n' "$BATS_TEST_TMPDIR" >../monitor
	chmod +x ../monitor
	mkdir ../hooks
	cp ../monitor ../hooks/post-index-change
	git config core.fsmonitor "$BATS_TEST_TMPDIR/monitor"
	git config core.hooksPath "$BATS_TEST_TMPDIR/hooks"
	run -0 co resolve -n
	run -0 co resolve
	run -0 co resolve -n
	[ ! -e ../ran ]
	git commit -qm merged
	[ -e ../ran ]
	rm ../ran
	run -0 co resolve -n
	[ ! -e ../ran ]
}

# two_places: make a memory with two conflicts.
two_places() {
	local text='%s\n\nmiddle one\n\nmiddle two\n\nmiddle three\n\n%s'
	git switch -q -
	# shellcheck disable=SC2059
	save 1 '[ops]' "$(printf "$text" 'Deploys on Tuesdays' 'Backups at noon')"
	commit base
	git switch -qC side
	sed -i 's/Tuesdays/Mondays/; s/noon/night/' "$memories/001-m.md"
	main_too
	sed -i 's/Tuesdays/Fridays/; s/noon/dawn/' "$memories/001-m.md"
	commit main
	run -1 git merge -q side
}

# settle_first LINE: resolve the first conflict by hand and add a paragraph.
settle_first() {
	awk -v line="$1" '/^<<<<<<</ && !done { skip = 1; print line }
		!skip { print }
		/^>>>>>>>/ && skip { skip = 0; done = 1 }' "$memories/001-m.md" >half
	mv half "$memories/001-m.md"
	printf '\nAn hour of work\n' >>"$memories/001-m.md"
}

@test "co resolve keeps parts that a person resolved and resolves the rest" {
	two_places
	settle_first 'Deploys on Wednesdays'
	cp "$memories/001-m.md" ../mine
	run -0 co resolve -n --ours
	run -1 co resolve -n
	cmp "$memories/001-m.md" ../mine
	run -1 --separate-stderr co resolve
	expect <<-'END'
		✗ knowledge/memories/001-m.md keeps what you resolved by hand: edit the lines that are still marked, then run 'co resolve' again
	END
	[ "$(unmerged)" = 3 ]
	grep -qx 'Deploys on Wednesdays' "$memories/001-m.md"
	grep -qx 'An hour of work' "$memories/001-m.md"
	[ "$(grep -c '^<<<<<<<' "$memories/001-m.md")" = 1 ]
	cp "$memories/001-m.md" ../again
	run -1 --separate-stderr co resolve
	cmp "$memories/001-m.md" ../again
	run -0 co resolve --theirs
	expect <<-'END'
		✓ knowledge/memories/001-m.md keeps what you resolved by hand, the rest is theirs
	END
	grep -qx 'Deploys on Wednesdays' "$memories/001-m.md"
	grep -qx 'Backups at night' "$memories/001-m.md"
	grep -qx 'An hour of work' "$memories/001-m.md"
	run ! grep -q '^<<<<<<<' "$memories/001-m.md"
	[ "$(unmerged)" = 0 ]
}

@test "co undo undoes co resolve as one operation" {
	two_places
	save 2 '[a]' two
	settle_first 'Deploys on Wednesdays'
	cp "$memories/001-m.md" ../mine
	run -0 co resolve --ours
	grep -qx 'Backups at dawn' "$memories/001-m.md"
	run -0 --separate-stderr co undo
	expect <<<"✓ Undid 'co resolve 1' of 2026-02-09T14:30:00Z: memory 1 is changed back (Deploys on Wednesdays)"
	cmp "$memories/001-m.md" ../mine
	run -0 co redo -q
	grep -qx 'Backups at dawn' "$memories/001-m.md"
}

@test "co undo of a resolve restores the conflict in git's index exactly" {
	two_places
	git ls-files -s >../before
	run -0 co resolve --ours
	[ "$(unmerged)" = 0 ]
	# It runs no program that the repository names.
	git config core.fsmonitor "touch $PWD/../ran; false"
	run -0 --separate-stderr co undo
	[[ $stderr == *"hint: git has its conflict back: 'co resolve' resolves it"* ]]
	[ ! -e ../ran ]
	git config --unset core.fsmonitor
	git ls-files -s | diff ../before -
	run -0 co resolve --theirs
	[ "$(unmerged)" = 0 ]
	run -0 co-operation-undo "$(co-operation-list -n 1 | cut -d' ' -f1)"
	git ls-files -s | diff ../before -
}

@test "co undo of a resolve that left a file marked says that it is in conflict" {
	save 1 '[ops]' 'Deploys happen on Mondays.'
	main_too
	save 1 '[ops]' 'Deploys happen on Fridays.'
	commit main
	run -1 git merge -q side
	run -1 co resolve
	run -0 --separate-stderr co undo
	[[ $stderr == *"git has its conflict back: 'co resolve' resolves it" ]]
	[ "$(unmerged)" = 3 ]
}

@test "co undo of a committed resolve changes only the work tree and reports it" {
	two_places
	cp "$memories/001-m.md" ../gits
	co resolve --ours >/dev/null
	commit merged
	run -0 --separate-stderr co undo
	[[ $stderr == *"the files are again as git left them, but git's index is unchanged: no merge is in progress, or its result is committed"* ]]
	cmp "$memories/001-m.md" ../gits
	[ "$(unmerged)" = 0 ]
}

@test "co resolve does not mistake the text that git wrote for a person's work" {
	two_places
	cp "$memories/001-m.md" ../gits
	run -0 co resolve --ours
	expect <<<'✓ knowledge/memories/001-m.md has our side'
	git cat-file blob "HEAD:$memories/001-m.md" | cmp - "$memories/001-m.md"
	run -0 co undo -q
	cmp "$memories/001-m.md" ../gits
}

@test "co resolve does not change a file with incomplete markers" {
	two_places
	sed -i '0,/^=======$/{//d}' "$memories/001-m.md"
	cp "$memories/001-m.md" ../mine
	for how in '' --ours --theirs; do
		# shellcheck disable=SC2086
		run -1 co resolve $how
		expect <<-'END'
			✗ knowledge/memories/001-m.md was changed by hand, and stays: edit the marked lines, then run 'co resolve' again
		END
		cmp "$memories/001-m.md" ../mine
	done
}

@test "co resolve --theirs keeps a resolved file and an edit of a forgotten one" {
	git switch -q -
	save 2 '[ops]' 'Two.'
	commit two
	git switch -qC side
	save 1 '[ops]' 'Deploys happen on Mondays.'
	git rm -q "$memories/002-m.md"
	main_too
	save 1 '[ops]' 'Deploys happen on Fridays.'
	save 2 '[ops]' 'Two and a half.'
	commit main
	run -1 git merge -q side
	save 1 '[ops]' 'Mondays and Fridays.'
	save 2 '[ops]' 'Three.'
	run -0 co resolve --theirs
	expect <<-'END'
		✓ knowledge/memories/001-m.md is resolved already
		✓ knowledge/memories/002-m.md is resolved already
	END
	grep -q 'Mondays and Fridays' "$memories/001-m.md"
	grep -q 'Three' "$memories/002-m.md"
	[ "$(unmerged)" = 0 ]
}

# stopped: let a merge stop, since both sides changed one line.
stopped() {
	save 1 '[ops]' 'Deploys happen on Mondays.'
	main_too
	save 1 '[ops]' 'Deploys happen on Fridays.'
	commit main
	run -1 git merge -q side
}

# take_side SIDE: remove the markers and the other side by hand.
take_side() {
	local day=Mondays
	[ "$1" = theirs ] || day=Fridays
	sed -i "/^<<<<<<</,/^>>>>>>>/{/$day/!d}" "$memories/001-m.md"
}

@test "co resolve leaves a file that an editor saves while it runs" {
	local side
	save 1 '[ops]' 'By hand.'
	mkdir -p ../fake
	mv "$memories/001-m.md" ../hand
	cat >../fake/git <<-END
		#!/bin/bash
		[[ "\$*" != *AUTO_MERGE:* ]] || cp ../hand $memories/001-m.md
		PATH=\${PATH#*:} exec git "\$@"
	END
	chmod +x ../fake/git
	save 1 '[ops]' 'Deploys happen on Fridays.'
	main_too
	save 1 '[ops]' 'Deploys happen on Mondays.'
	commit main
	for side in '' --ours --theirs; do
		git reset -q --hard
		run -1 git merge -q side
		PATH=$(cd ../fake && pwd):$PATH run -1 co resolve $side
		expect <<<"✗ knowledge/memories/001-m.md has changed meanwhile: look at it, then run 'co resolve' again"
		[ "$(unmerged)" = 3 ]
		cmp "$memories/001-m.md" ../hand
	done
	run -0 co resolve
	expect <<<'✓ knowledge/memories/001-m.md is resolved already'
	cmp "$memories/001-m.md" ../hand
}

@test "co resolve keeps a side that a person took in an editor" {
	local side
	for side in ours theirs; do
		stopped
		take_side $side
		git show "$([ $side = ours ] && echo HEAD || echo MERGE_HEAD):$memories/001-m.md" |
			cmp - "$memories/001-m.md"
		cp "$memories/001-m.md" ../mine
		run -0 co resolve
		expect <<<'✓ knowledge/memories/001-m.md is resolved already'
		cmp "$memories/001-m.md" ../mine
		[ "$(unmerged)" = 0 ]
		git reset -q --hard HEAD~1
		git switch -q side
		git reset -q --hard HEAD~1
	done
}

@test "co resolve keeps a side that a person took after it marked the file" {
	stopped
	run -1 --separate-stderr co resolve
	[[ $stderr == *"hint: 'co resolve --ours' or '--theirs' takes one side"* ]]
	take_side theirs
	cp "$memories/001-m.md" ../mine
	run -0 co resolve
	expect <<<'✓ knowledge/memories/001-m.md is resolved already'
	cmp "$memories/001-m.md" ../mine
}

@test "co resolve refuses the text of one side without git's record of the merge" {
	stopped
	take_side theirs
	rm .git/AUTO_MERGE
	cp "$memories/001-m.md" ../mine
	run -1 co resolve
	expect <<<"✗ knowledge/memories/001-m.md has the text of one side: 'git add' it, or run 'co resolve --ours' or '--theirs'"
	cmp "$memories/001-m.md" ../mine
	run -0 co resolve --theirs
	cmp "$memories/001-m.md" ../mine
	[ "$(unmerged)" = 0 ]
}

@test "co resolve keeps our memory's name if two have one id and theirs was taken" {
	save 2 '[]' 'Theirs.'
	main_too
	save 2 '[]' 'Ours.'
	commit main
	run -1 git merge -q side
	rm .git/AUTO_MERGE
	git show "MERGE_HEAD:$memories/002-m.md" >"$memories/002-m.md"
	run -0 co resolve
	grep -q '^Ours' "$memories/002-m.md"
	grep -q '^Theirs' "$memories/002-m-2.md"
}

@test "--ours and --theirs keep both memories that have one id and name" {
	local side
	save 2 '[]' 'Theirs.'
	main_too
	save 2 '[]' 'Ours.'
	sed -i 's/^created: .*/created: 2026-02-09T14:31:00Z/' "$memories/002-m.md"
	commit main
	for side in ours theirs; do
		run -1 git merge -q side
		run -0 co resolve --$side
		grep -q '^Ours' "$memories/002-m.md"
		grep -q '^Theirs' "$memories/002-m-2.md"
		git reset -q --hard
	done
}

@test "co resolve reports a file that was added with its markers" {
	stopped
	git add -A
	run -1 co resolve --ours 1
	expect <<<"✗ knowledge/memories/001-m.md was added to git with its markers: edit the marked lines and 'git add' it, or 'git checkout --merge' it and run 'co resolve'"
	run -1 co resolve
	run -1 co resolve 2
	expect <<-'END'
		co-resolve: '2' has no conflict
		hint: 'co resolve -n' lists the conflicts
	END
	git checkout -q --merge "$memories/001-m.md"
	run -0 co resolve --ours 1
	grep -q Fridays "$memories/001-m.md"
	run -0 co resolve
}
