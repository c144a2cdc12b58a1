#!/usr/bin/env bats
# t/perf/team: clones that learn at the same time lose nothing to each other.
load lib

setup() {
	world
	command -v git >/dev/null || skip "git is missing"
}

# team KEY=VALUE...: what comes of a few merges.
team() {
	run -0 timeout 3000 "$CO_SOURCE/t/perf/team" "$CO_BIN" clones=3 \
		merges=8 "$@"
	[[ $output == *" 0 edits astray, 0 of "*" words lost" ]]
}

@test "a star of clones with the driver" {
	team shape=star by=driver
	[[ $output == *" (0 not of one line), "* ]]
}

# bats test_tags=slow
@test "a mesh of clones with the driver" {
	team shape=mesh by=driver
}

@test "a forge that merges without the driver" {
	git merge-tree -h 2>&1 | grep -q write-tree ||
		skip 'git has no merge-tree --write-tree'
	team by=forge
}

@test "a team that has set nothing up" {
	team by=text team=0
}
