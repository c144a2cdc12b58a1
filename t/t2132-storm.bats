#!/usr/bin/env bats
# People, agents and git change a store at the same time. CO_MANY=10 runs the test in
# its original size.
load lib

setup() {
	world
	many=${CO_MANY:-1}
	acks=$BATS_TEST_TMPDIR/acks
	mkdir "$acks"
	export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t \
		GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
	git init -q -b main . 2>/dev/null || skip "git is missing or old"
}

learner() {
	local i
	for ((i = 0; i < 12 * many; i++)); do
		co learn -t storm "learned $1 $i" >/dev/null &&
			echo "learned $1 $i" >>"$acks/texts"
		co learn --always "rule $1 $i" >/dev/null &&
			echo "- rule $1 $i" >>"$acks/texts"
	done
}

forgetter() {
	local i path
	for ((i = 0; i < 8 * many; i++)); do
		path=$(echo "fodder $i" | co-memory-save) || continue
		echo "fodder $i" >>"$acks/texts"
		co forget -y "$path" >/dev/null || :
		((i % 2)) || co forget --undo >/dev/null || :
	done
}

drafter() {
	local i
	for ((i = 0; i < 10 * many; i++)); do
		echo "draft $i" | co-memory-save --draft >/dev/null &&
			echo "draft $i" >>"$acks/texts"
	done
}

# Select the draft by its path, since another draft may get its id meanwhile.
reviewer() {
	local i path
	for ((i = 0; i < 6 * many; i++)); do
		path=$(co-memory-list --drafts -n 1) || :
		[ -n "$path" ] || continue
		if ((i % 3)); then
			co review --accept "$path"
		else
			co review --reject "$path"
		fi >/dev/null || :
	done
}

# Each edit keeps the lines of the edits before it.
editor() {
	local i path
	path=$(echo "edited" | co-memory-save)
	for ((i = 0; i < 6 * many; i++)); do
		EDITOR="sed -i '\$a edit $i'" co edit "$path" >/dev/null &&
			echo "edit $i" >>"$acks/texts"
	done
}

fixer() {
	local i
	for ((i = 0; i < 4 * many; i++)); do
		co knowledge --check --fix >/dev/null || :
	done
}

reader() {
	local i
	for ((i = 0; i < 6 * many; i++)); do
		co-context-load --strict >/dev/null || echo context >>"$acks/bad"
		co recall learned >/dev/null || [ $? -eq 1 ] ||
			echo recall >>"$acks/bad"
		co-memory-list >/dev/null || echo list >>"$acks/bad"
	done
}

# Commit on branches that a rebase and a merge bring back.
gitter() {
	local i path
	for ((i = 0; i < 4 * many; i++)); do
		git add -A .co-cli && git commit -qm "all $i"
		git checkout -qb "topic$i" || continue
		echo "$i" >>code
		path=$(echo "on a branch $i" | co-memory-save) &&
			echo "on a branch $i" >>"$acks/texts"
		git add code "$path" && git commit -qm "topic $i"
		git checkout -q main && git commit -q --allow-empty -m "main $i"
		git rebase -q main "topic$i" || git rebase --abort
		git checkout -q main && git merge -q --no-edit "topic$i"
	done >/dev/null 2>&1
}

@test "a storm of all commands and git loses nothing that was acknowledged" {
	local job
	co-init >/dev/null 2>&1
	: >code
	git add -A && git commit -qm first
	for job in 'learner 1' 'learner 2' forgetter drafter reviewer editor \
		fixer reader gitter; do
		$job &
	done 2>"$acks/err"
	wait
	[ ! -e "$acks/bad" ]
	# Each text is in the store, in the git directory's store, or in an object of git.
	{
		find .co-cli .git/co-cli -name "*.md" -exec cat {} +
		git cat-file --batch-all-objects --batch
	} >"$acks/all"
	sort -u "$acks/texts" >"$acks/said"
	grep -axFf "$acks/said" "$acks/all" | sort -u >"$acks/kept"
	diff -u "$acks/said" "$acks/kept"
	[ "$(wc -l <"$acks/said")" -ge $((50 * many)) ]
	# All files are complete, and the next command works.
	[ -z "$(grep -rL '^id: ' $memories)" ]
	find .co-cli -name '.co-tmp*' | diff /dev/null -
	co knowledge --check --fix >/dev/null || :
	run -0 co-knowledge-check
	run -0 co learn 'calm again'
}
