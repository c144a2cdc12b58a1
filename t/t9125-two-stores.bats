#!/usr/bin/env bats
# How ids select one of the two stores, and how messages name the other.
load lib

# both: write memory 1 in both stores, and 3 only in the user store.
both() {
	memories_of_user=$HOME/.config/co-cli/knowledge/memories
	memory 1 2026-02-09T14:30:00Z '' <<<'of the project'
	memory 1 2026-02-09T14:30:00Z '' "$memories_of_user/001-m.md" <<<'mine'
	memory 3 2026-02-09T14:30:00Z '' "$memories_of_user/003-m.md" <<<'mine, too'
}

@test "commands take g1 for memory 1 of the user and 1 for the project's" {
	both
	run -0 co-recall mine
	[[ $output == *'**Memory g3** (created 2026-02-09) (global)'* ]]
	run -0 co-memory-show --format='%(content)' 1 g1 g3 g001
	expect <<<$'of the project\nmine\nmine, too\nmine'
	run -0 co-knowledge --show=g3
	[[ $output == *'mine, too' ]]
	EDITOR='sed -i s/too/two/' run -0 co-edit g3
	run -0 co-memory-save --replaces=g3 <<<'replaces mine'
	[[ $output == "$HOME/.config/"* ]]
	run -0 co-learn --replaces=g4 'replaces it again'
	[[ $output == *'Saved memory g5: 005-replaces-it-again.md'*"$HOME/.config/"* ]]
	run -0 co-forget -y g1
	[[ $output == *'✓ Forgot memory g1: 001-m.md'* ]]
	run -0 co-memory-show --format='%(content)' 1
	expect <<<'of the project'
	# The trash has g1 too; one command cannot forget from both stores.
	run -0 co-memory-restore g1
	run -2 co-forget -y 1 g1
	run -0 co-memory-remove 1 g1
	[ "${#lines[@]}" -eq 2 ]
	[ -z "$(co-memory-list)" ]
	[ ! -e "$memories_of_user/001-m.md" ]
	co-memory-save --draft --global <<<'a draft' >/dev/null
	run -0 co-review --accept g6
	[[ $output == *'Accepted memory g6'* ]]
}

@test "g7 is a text or a path if the user store has no memory 7" {
	both
	memory 2 2026-02-09T14:30:00Z '' <<<'the robot g7'
	run -0 co-forget -y g7
	[[ $output == *'robot g7'* ]]
	run -1 co-memory-show g7
	expect <<<"co-memory-show: no memory 'g7'"
	for command in 'edit g7' 'tag +x g7' 'memory-remove g7' 'log g7' 'blame g7' \
		'archive g7' 'learn --replaces=g7 x'; do
		# shellcheck disable=SC2086 # a command and its operands
		run -1 --separate-stderr co $command
		[[ ${stderr_lines[0]} == *": no memory 'g7'" ]]
	done
	echo text >g7
	run -2 co-edit g7
}

@test "messages print the user's memory 3 as g3, and the project's memory 1 as 1" {
	both
	run -0 --separate-stderr co-learn 'of the big project'
	[[ $stderr == 'similar:  1 (2026-02-09): of the project'* ]]
	run -0 --separate-stderr co-learn --global 'mine, too, as well'
	[[ $stderr == 'similar:  g3 (2026-02-09) (global): mine, too'* ]]
	co learn -q --global --replaces=g3 'neither'
	run -0 --separate-stderr co-show g3
	[ "$stderr" = 'co-show: memory g3 was replaced by memory g5' ]
	run -0 co-archive g1
	[[ $output == '✓ Archived memory g1'* ]]
	run -0 co-knowledge --list
	[[ $output == *$'\n**001** (2026-02-09): of'*$'\n**g5** '* ]]
}

@test "hints for the user store have --global" {
	co-memory-save --draft --global <<<'a draft' >drafts
	run -1 co-show g1
	[[ $output == *"'g1' is a draft: 'co review --global' accepts it"* ]]
	run -1 co-forget --undo --global
	[[ $output == *"'co undo --global' undoes"*"'co undo --list --global'"* ]]
	both
	memory 5 2026-02-09T14:30:00Z '' rules/005-m.md <<<'five'
	run -0 --separate-stderr co-import --global markdown rules
	[ "$stderr" = "hint: 'co review --global' shows what waits, one by one" ]
	memory 3 2026-02-09T14:30:00Z '' "$memories_of_user/004-m.md" <<<'three'
	run -3 co knowledge --check --global
	[[ $output == *"'co knowledge --check --fix --global' renumbers it"* ]]
}

@test "a command reports an id or a text that only the other store has" {
	both
	for command in 'co-forget -y' co-edit co-memory-show co-memory-remove; do
		run -1 --separate-stderr $command 3
		[[ $stderr == *"no memory '3' in the project: 'g3' is the user's"* ]]
		run -1 $command 4
		[[ $output == *"no memory '4'"* ]]
	done
	run -1 co-forget -y mine
	expect <<-'EOT'
		co-forget: no memories found matching 'mine'
		hint: the user's store has g1, g3
	EOT
	run -1 co-forget -y --global project
	[[ $output == *'hint: the project has 1: leave --global out' ]]
	memory 9 2026-02-09T14:30:00Z '' <<<nine
	run -1 co-memory-show --global 9
	[[ $output == *"no memory '9' in the user store: the project has one, so leave --global out" ]]
	run -1 --separate-stderr co show g9
	[[ $stderr == *"no memory 'g9' in the user store: '9' is in the project store"* ]]
	run -1 co-memory-save --replaces=3 <<<x
	[[ $output == *"'g3' is the user's"* ]]
}
