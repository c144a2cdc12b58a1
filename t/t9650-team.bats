#!/usr/bin/env bats
# t/perf/team: clones that save at the same time lose no memories of each other.
load lib

setup() {
	world
	command -v git >/dev/null || skip "git is missing"
}

# team KEY=VALUE...: run a few merges and check that nothing is lost.
team() {
	run -0 timeout 3000 "$CO_SOURCE/t/perf/team" "$CO_BIN" clones=3 \
		merges=8 "$@"
	[[ $output == *" 0 edits astray, 0 of "*" words lost" ]]
}

@test "clones that merge with the driver in a star lose nothing" {
	team shape=star by=driver
	[[ $output == *" (0 not of one line), "* ]]
}

# bats test_tags=slow
@test "clones that merge with the driver in a mesh lose nothing" {
	team shape=mesh by=driver
}

@test "clones that a forge merges without the driver lose nothing" {
	git merge-tree -h 2>&1 | grep -q write-tree ||
		skip 'git has no merge-tree --write-tree'
	team by=forge
}

@test "clones of a team without a setup lose nothing" {
	team by=text team=0
}
