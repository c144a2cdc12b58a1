#!/usr/bin/env bats
# The first day of a new user of co.
load lib
load terminal

setup() {
	world
	export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
	export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
	commands=0
}

# t STATUS LINE [TEXT...]: run LINE and check its exit status and that it prints
# each TEXT. A command that fails must name an existing command to run next.
t() {
	local status=0 want=$1 line=$2
	shift 2
	commands=$((commands + 1))
	printed=$(eval "$line" 2>&1 </dev/null) || status=$?
	[ "$status" -eq "$want" ] || {
		printf '%s: status %d instead of %d\n%s\n' "$line" "$status" \
			"$want" "$printed"
		return 1
	}
	for text in "$@"; do
		[[ $printed == *"$text"* ]] || {
			printf '%s: no %s in:\n%s\n' "$line" "$text" "$printed"
			return 1
		}
	done
	[ "$status" -eq 0 ] || names_the_next "$line"
}

# names_the_next LINE: check that the output of LINE has an existing command in
# quotes, a missing option, or a suggestion.
names_the_next() {
	local word
	for word in $(grep -oE "'co[ -][a-z-]+" <<<"$printed" |
		sed 's/^.co[ -]//' | sort -u); do
		[ ! -x "$CO_BIN/co-$word" ] || return 0
	done
	! grep -qE "(give|add) -|did you mean '" <<<"$printed" || return 0
	printf '%s: a dead end:\n%s\n' "$1" "$printed"
	return 1
}

# on_terminal STATUS LINE: run LINE on a terminal and print its output.
on_terminal() {
	PAGER='' TERM=xterm terminal "$1" '' "$2" && printf '%s\n' "$output"
}

@test "none of 60 commands of a first day is a dead end" {
	git init -q --bare team.git
	git init -q -b main app && cd app
	# First commands.
	t 2 'co' 'learn' 'co help COMMAND'
	t 0 'co -h' 'Save and change'
	t 0 'co help' 'Find:'
	t 0 'co --version'
	t 0 'co version'
	t 127 'co memroy' "'co help'"
	t 0 'co list' "'co learn TEXT'"
	t 0 'co status'
	t 2 'co show' "'co list'"
	t 1 'co show 1' "'co list'"
	need_terminal
	t 0 "on_terminal 1 'co recall anything'" "'co init'"
	# The first memories.
	t 127 'co add "Use tabs"' "'co learn'"
	t 0 'co init' 'co learn'
	t 0 'co init' 'Already there'
	t 0 'co learn "We use tabs for indentation"' 'Saved memory 1'
	t 0 'co learn "We use tabs for indentation"' 'Already saved'
	t 0 'co learn -t Testing "Tests need no network"'
	t 0 'co learn -t testing -t ci --created=yesterday "CI runs on Debian"'
	t 0 'co learn --global -t editor "I write in vim"' 'memory g1'
	t 0 'echo "Deploys go out on Mondays" | co memory-save -t deploy'
	t 3 'co learn ""' "'co learn TEXT'"
	t 2 'co learn --tags=x text' "'--tag'"
	# Finding.
	t 0 'co ls' 'Deploys go out'
	t 0 'co list' 'g1' 'Tests need no network'
	t 0 'co list -t TESTING -n 1' 'Tests need'
	t 0 'co list -t nothing' "'co tag'"
	t 2 'co list --sort=date' "'co-list -h'"
	t 2 'co list --since=someday' 'yesterday'
	t 0 'co list --since=today' 'Deploys'
	t 0 'co search tabs' 'We use tabs'
	t 0 'co recall tabs' 'indentation'
	t 0 'co recall where do tests run' 'Debian'
	t 0 'co grep tab' '001-we-use-tabs'
	t 0 'co memory-grep -i -o tabs' 'tabs for'
	t 0 'co show tabs' 'We use tabs'
	t 0 'co show 1 g1' 'vim'
	t 1 'co show 99' "'co list'"
	t 127 'co cat 1' "'co show'"
	# Tags and removal.
	t 127 'co tags' "'co tag'"
	t 0 'co tag' 'testing'
	t 2 'co tag style 1' '+style'
	t 2 'co tag +style' "'co list'"
	t 0 'co tag +style 1' '001-'
	t 0 'co tag --rename testing=tests' '002-'
	t 0 'co list -t tests --format="%(id)\t%(summary)"' $'2\tTests'
	t 127 'co rm 4' "'co forget'"
	t 1 'co forget 4' '-y'
	t 0 'co forget -y 4' 'undo'
	t 0 'co undo' 'Deploys' "'co redo'"
	t 0 'co redo' 'Deploys'
	t 0 'co forget --undo' 'deploys'
	t 0 'co stats' 'memories'
	t 0 'co knowledge --stats' 'memories: 4'
	t 0 'co knowledge --check' 'no faults'
	# Settings.
	t 127 'co settings' "'co config'"
	t 0 'co config' "'co config --list'"
	t 2 'co config max_results 9' 'recall.max_results'
	t 0 'co config recall.max_results 9'
	t 2 'co config save.approval client' '--global'
	t 2 'co config recall.max_results many' 'co-config'
	# Agents and team members.
	t 0 'co setup' 'claude'
	t 0 'co setup claude --print' 'co'
	t 0 'co context' 'Project'
	t 0 'git add -A && git commit -qm "what we know" && git push -q ../team.git main'
	t 0 'git clone -q -b main ../team.git ../bea && co -C ../bea list' 'indentation'
	t 0 'co -C ../bea learn "Bea was here"' 'Saved memory 5'
	t 0 'git -C ../bea add -A && git -C ../bea commit -qm "mine" && git -C ../bea push -q'
	t 0 'git pull -q ../team.git main && co recall Bea' 'was here'
	[ "$commands" -ge 60 ]
}

@test "the check finds a command that is a dead end" {
	t 0 true
	run t 1 false
	[ "$status" = 1 ]
	[[ $output == 'false: a dead end'* ]]
	run t 1 "echo \"see 'co nowhere'\"; false"
	[ "$status" = 1 ]
	t 1 "echo \"see 'co list'\"; false"
}
