#!/usr/bin/env bats
# How each operation of git merges memories, with the merge driver and without it.
load lib
load git

setup() {
	git_world
	co init >/dev/null 2>&1
	body=$'Deploys happen on Tuesdays.\n\nAsk the crew first.\n\nNever on Fridays.'
	file=$memories/001-m.md
	save_one '[ops]' "$body"
	commit base
}

# sides: on `side` tag the memory and change its first line, on main tag it and
# change its last line. Only the tags are in conflict.
sides() {
	git switch -qc side
	save_one '[ops, side]' "${body/Tuesdays/Mondays}"
	commit side
	git switch -q main
	save_one '[ops, main]' "${body/Fridays/Sundays}"
	commit main
}

# is_both TAGS: check that nothing is unmerged and the memory has both changes.
is_both() {
	[ -z "$(git ls-files -u)" ]
	grep -qx "tags: $1" "$file"
	grep -q 'on Mondays' "$file"
	grep -q 'on Sundays' "$file"
	run ! grep -q '^<<<<<<<' "$file"
	run -0 co-frontmatter-parse --check --type=memory "$file"
}

# --- merge ---

@test "git merge with the driver merges both changes" {
	driver
	sides
	run -0 git merge -q -m both side
	is_both '\[ops, main, side\]'
}

@test "co resolve merges both changes after git merge without the driver" {
	sides
	run -1 git merge -q -m both side
	run -0 co recall Deploys
	run -0 co resolve
	git commit -qm both
	is_both '\[ops, main, side\]'
}

@test "git merge --squash with the driver merges both changes" {
	driver
	sides
	run -0 git merge -q --squash side
	git commit -qm both
	is_both '\[ops, main, side\]'
}

@test "co resolve merges both changes after git merge --squash without the driver" {
	sides
	run -1 git merge -q --squash side
	run -0 co resolve
	git commit -qm both
	is_both '\[ops, main, side\]'
}

@test "an octopus merge of different memories succeeds with and without the driver" {
	git switch -qc one
	echo 'One.' | co-memory-save >/dev/null
	mv $memories/002-one.md $memories/011-one.md
	sed -i 's/^id: 2/id: 11/' $memories/011-one.md
	commit one
	git switch -qc two main
	echo 'Two.' | co-memory-save >/dev/null
	mv $memories/002-two.md $memories/012-two.md
	sed -i 's/^id: 2/id: 12/' $memories/012-two.md
	commit two
	git switch -q main
	git branch before
	run -0 git merge -q -m both one two
	[ "$(co-memory-list | wc -l)" = 3 ]
	git reset -q --hard before
	driver
	run -0 git merge -q -m both one two
	[ "$(co-memory-list | wc -l)" = 3 ]
}

@test "co resolve finishes an octopus merge that stopped at one memory" {
	for with in text driver; do
		[ $with = text ] || driver
		git tag -f before >/dev/null
		for side in one more; do
			git switch -qc $side-$with main
			save_one "[ops, $side]" "$body"
			commit $side
		done
		git switch -q main
		run -1 git merge -q -m both one-$with more-$with
		run -0 co resolve
		git commit -qm both
		[ -z "$(git ls-files -u)" ]
		grep -qx 'tags: \[ops, more, one\]' "$file"
		git reset -q --hard before
	done
}

# --- one commit after the other ---

@test "git rebase with the driver merges both changes" {
	driver
	sides
	git switch -q side
	run -0 git rebase -q main
	is_both '\[ops, main, side\]'
}

@test "co resolve merges both changes during git rebase without the driver" {
	sides
	git switch -q side
	run -1 git rebase -q main
	run -0 co resolve
	GIT_EDITOR=true git rebase --continue >/dev/null
	is_both '\[ops, main, side\]'
}

@test "git cherry-pick with the driver merges both changes" {
	driver
	sides
	run -0 git cherry-pick side
	is_both '\[ops, main, side\]'
}

@test "co resolve merges both changes during git cherry-pick without the driver" {
	sides
	run -1 git cherry-pick side
	run -0 co resolve
	GIT_EDITOR=true git cherry-pick --continue >/dev/null
	is_both '\[ops, main, side\]'
}

# later: commit the change of `side` on main, and another one after it.
later() {
	save_one '[ops, side]' "${body/Tuesdays/Mondays}"
	commit side
	git branch wrong
	save_one '[later, ops, side]' "$(sed '1,7d; s/Fridays/Sundays/' "$file")"
	commit main
}

# is_reverted: check that the later change remains and the first one is gone.
is_reverted() {
	[ -z "$(git ls-files -u)" ]
	grep -qx 'tags: \[later, ops\]\|tags: \[ops, later\]' "$file"
	grep -q 'on Tuesdays' "$file"
	grep -q 'on Sundays' "$file"
}

@test "git revert with the driver preserves later changes" {
	driver
	later
	run -0 git revert --no-edit wrong
	is_reverted
}

@test "co resolve preserves later changes during git revert without the driver" {
	later
	run -1 git revert --no-edit wrong
	run -0 co resolve
	GIT_EDITOR=true git revert --continue >/dev/null
	is_reverted
}

@test "git am with the driver merges both changes" {
	driver
	sides
	git format-patch -q -1 --stdout side >../patch
	run -0 git am -q -3 ../patch
	is_both '\[ops, main, side\]'
}

@test "co resolve merges both changes during git am without the driver" {
	sides
	git format-patch -q -1 --stdout side >../patch
	run ! git am -q -3 ../patch
	run -0 co resolve
	git am -q --continue
	is_both '\[ops, main, side\]'
}

# stashed: put the change of `side` into the stash and commit the one of main.
stashed() {
	save_one '[ops, side]' "${body/Tuesdays/Mondays}"
	git stash -q
	save_one '[ops, main]' "${body/Fridays/Sundays}"
	commit main
}

@test "git stash pop with the driver merges both changes" {
	driver
	stashed
	run -0 git stash pop -q
	is_both '\[ops, main, side\]'
}

@test "co resolve merges both changes after git stash pop without the driver" {
	stashed
	run -1 git stash pop -q
	run -0 co resolve
	is_both '\[ops, main, side\]'
	[ "$(git stash list | wc -l)" = 1 ]
}

# --- checkouts of all kinds ---

@test "lines end in \\n in the repository and in a clone, despite core.autocrlf" {
	driver
	git clone -q -c core.autocrlf=true . ../clone
	cd ../clone
	run -1 grep -q $'\r' "$file"
	co setup git -y -q
	echo 'Learned here.' | co-memory-save >/dev/null
	git add . 2>/dev/null
	git commit -qm here
	run -1 grep -q $'\r' <(git show HEAD:./"$(cd "$PWD" && echo $memories/*learned*)")
}

@test "git merge with the driver keeps \\r\\n in a checkout that has it" {
	git config core.autocrlf true
	git rm -q --cached .co-cli/.gitattributes
	rm .co-cli/.gitattributes
	git commit -qm 'no attributes'
	co setup git -y -q 2>/dev/null
	git config core.hooksPath /dev/null
	echo 'knowledge/**/*.md merge=co text eol=crlf' >.co-cli/.gitattributes
	git add . 2>/dev/null
	git commit -qm 'attributes'
	rm -r $memories && git checkout -q .
	grep -q $'\r' "$file"
	sides 2>/dev/null
	run -0 git merge -q -m both side
	run -0 tr -d '\r' <"$file"
	[[ $output == *'tags: [ops, main, side]'*'on Mondays'*'on Sundays'* ]]
}

@test "co resolve merges memories that a sparse checkout omits" {
	git sparse-checkout -h 2>&1 | grep -q add ||
		skip 'git has no sparse checkout'
	driver
	sides
	echo x >readme && commit readme
	git sparse-checkout set --no-cone '/*' '!.co-cli'
	[ ! -e .co-cli/knowledge/memories ]
	run -4 co list
	[[ $output == *"git sparse-checkout add .co-cli"* ]]
	# git looks for attributes in the work tree, which has none.
	run git merge -q -m both side
	git sparse-checkout add .co-cli
	run co resolve
	is_both '\[ops, main, side\]'
}

@test "a store that is a submodule merges separately" {
	git init -q ../code
	git -C ../code commit -q --allow-empty -m begin
	git mv -k .co-cli/* . 2>/dev/null
	git mv .co-cli/.gitattributes .co-cli/.gitignore . && commit moved
	rm -rf .co-cli
	git -C ../code -c protocol.file.allow=always \
		submodule --quiet add "$PWD" .co-cli
	cd ../code
	git commit -qm 'what we know'
	run -0 co list
	[[ $output == *Deploys* ]]
	run -0 co setup git -y
	run -1 git config --local merge.co.driver
	cd .co-cli
	git config core.hooksPath /dev/null
	git commit -qam 'set up'
	git config --get merge.co.driver
	file=knowledge/memories/001-m.md memories=knowledge/memories
	sides
	run -0 git merge -q -m both side
	is_both '\[ops, main, side\]'
}

@test "a shallow clone merges after it fetched the common ancestor" {
	driver
	sides
	git clone -q --depth 1 --no-single-branch "file://$PWD" ../clone
	cd ../clone
	co setup git -y -q
	git config core.hooksPath /dev/null
	run ! git merge -q -m both origin/side
	git fetch -q --deepen=10
	run -0 git merge -q -m both origin/side
	is_both '\[ops, main, side\]'
}

@test "a partial clone fetches what it merges" {
	driver
	sides
	git config uploadpack.allowFilter true
	git clone -q --filter=blob:none "file://$PWD" ../clone ||
		skip 'git has no partial clone'
	cd ../clone
	co setup git -y -q
	git config core.hooksPath /dev/null
	run -0 git merge -q -m both origin/side
	is_both '\[ops, main, side\]'
}

@test "drafts survive the removal of the work tree where they were saved" {
	git worktree add -q ../tree
	(cd ../tree && echo 'From the tree.' | co-memory-save --draft >/dev/null)
	run -0 git worktree remove ../tree
	run -0 co-memory-list --drafts --format='%(content)'
	expect <<<'From the tree.'
}

@test "git clean removes no memories and no drafts" {
	echo 'A draft.' | co-memory-save --draft >/dev/null
	echo 'New.' | co-memory-save >/dev/null
	co-memory-remove 1 >/dev/null
	run -0 git clean -qfdX
	[ "$(co-memory-list --drafts | wc -l)" = 1 ]
	[ "$(co-memory-list | wc -l)" = 1 ]
}

# --- between clones and work trees ---

# pulled: make a clone with the change of main in the working directory. The origin
# has the change of `side`.
pulled() {
	sides
	git clone -q . ../clone
	git switch -q side
	cd ../clone
	git config pull.rebase true
	git remote set-head origin main
	git branch -q --set-upstream-to=origin/side
}

@test "git pull --rebase with the driver merges both changes" {
	driver
	pulled
	co setup git -y -q
	git config core.hooksPath /dev/null
	run -0 git pull -q --rebase
	is_both '\[ops, main, side\]'
	[ "$(git rev-list --merges --count HEAD)" = 0 ]
}

@test "co resolve merges both changes in git pull --rebase without the driver" {
	pulled
	run -1 git pull -q --rebase
	run -0 co resolve
	GIT_EDITOR=true git rebase --continue >/dev/null
	is_both '\[ops, main, side\]'
}

@test "rerere reuses a resolution of the driver's conflict" {
	driver
	git config rerere.enabled true
	git switch -qc side
	save_one '[ops, side]' "${body/Tuesdays/Mondays}"
	commit side
	git switch -q main
	save_one '[ops, main]' "${body/Tuesdays/Sundays}"
	commit main
	run -1 git merge -q -m both side
	run -1 co resolve
	sed -i '/^<<<<<<<\|^=======\|^>>>>>>>/d' "$file"
	commit both
	git reset -q --hard HEAD~1
	run -1 git merge -q -m both side
	run ! grep -q '^<<<<<<<' "$file"
	run -0 co resolve
	git commit -qm both
	is_both '\[ops, main, side\]'
}

@test "linked work trees merge each other's branches" {
	driver
	git worktree add -q ../tree -b side
	(
		cd ../tree
		save_one '[ops, side]' "${body/Tuesdays/Mondays}"
		commit side
	)
	save_one '[ops, main]' "${body/Fridays/Sundays}"
	commit main
	cd ../tree
	run -0 git merge -q -m both main
	is_both '\[ops, main, side\]'
	cd - >/dev/null
	run -0 git merge -q --ff-only side
	is_both '\[ops, main, side\]'
}

@test "a store in a subtree merges in its place" {
	git subtree 2>&1 | grep -q merge || skip 'git has no subtree'
	driver
	git init -q ../code
	cd ../code
	git commit -q --allow-empty -m begin
	git subtree add -q --prefix=lib ../project main >/dev/null 2>&1
	git config core.hooksPath /dev/null
	cd lib
	git config merge.co.driver 'co-memory-merge --path=%P -- %O %A %B'
	save_one '[ops, main]' "${body/Fridays/Sundays}"
	commit main
	(
		cd ../../project
		save_one '[ops, side]' "${body/Tuesdays/Mondays}"
		commit side
	)
	cd ..
	run -0 git subtree pull -q --prefix=lib -m both ../project main
	cd lib
	is_both '\[ops, main, side\]'
}
