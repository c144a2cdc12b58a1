#!/usr/bin/env bats
# Test co remote, which prints the server's state and joins and leaves projects.
load lib
load git
load remote
load terminal

setup() {
	remote_world
}

@test "co remote prints the server's commit and how far it is behind" {
	run -0 co remote
	expect <<<$'server: Engine 1 as tester\nacme/web (this project): nothing to see'
	co-index-push >/dev/null
	run -0 co remote
	[[ ${lines[1]} == 'acme/web (this project): 2 documents of '*', 0 commits behind' ]]
	echo code >code
	commit 'no memory'
	run -0 co remote
	[[ ${lines[1]} == *', 0 commits behind' ]]
	memory 3 2026-02-09T14:32:00Z '' <<<'Third.'
	commit third
	run -0 co remote
	[[ ${lines[1]} == *', 1 commit behind' ]]
	memory 4 2026-02-09T14:32:00Z '' <<<'Fourth.'
	commit fourth
	run -0 co remote --json
	[ "$(jq -c '[.server, .role, .schema, .projects[0].project,
		.projects[0].commit, .projects[0].documents, .projects[0].own,
		.projects[0].write, .projects[0].behind]' <<<"$output")" = \
		"[\"Engine 1\",\"tester\",1,\"acme/web\",\"$(git rev-parse HEAD~3)\",2,true,true,2]" ]
}

@test "co remote reports that the server's commit is not in this clone" {
	other_project acme/web 'x'
	run -0 co remote
	[[ ${lines[1]} == 'acme/web (this project): 1 document of 9fceb02d0ae5 (2026-02-08), a commit that is not here' ]]
	run -0 co remote --json
	[ "$(value behind <<<"$output")" = null ]
}

@test "--join and --leave change only the user's settings" {
	other_project ops/proxy x
	co config --global remote.projects '["ops/proxy"]'
	run -0 --separate-stderr co remote
	[ "$stderr" = "hint: 'co remote --join NAME' gives this project a name on the server" ]
	run -0 co remote --join=acme/new
	expect <<<'✓ This project is acme/new on the server'
	run -0 co remote --join=acme/web
	[ "$(co config --global remote.projects)" = \
		'["ops/proxy","k3vq7m2xwz5rbd6hyn4t=acme/web"]' ]
	run -0 co remote --leave
	[ "$(co config --global remote.projects)" = '["ops/proxy"]' ]
	run -1 --separate-stderr co remote --leave
	[ "$stderr" = 'co-remote: this project has no name on the server' ]
	[ -z "$(git status --short)" ]
	local name
	for name in '' '../x' '-x' 'a b' 'a/' $'a\nb' "$(printf 'a%.0s' {1..129})"; do
		run -2 co remote --join="$name"
	done
	rm .co-cli/settings.json
	run -1 co remote --join=acme/web
}

@test "--init creates the schema, and --print prints it without a server" {
	run -0 co remote --init
	expect <<<'✓ The schema is on the server'
	[ "$(tail -n 1 "$server/requests")" = '{"verb":"init"}' ]
	run -0 co remote --init --print
	expect <<<'create schema co_1;'
	run -2 co remote --print
	run -2 co remote --init --leave
}

@test "--purge removes one memory from the server" {
	co-index-push >/dev/null
	run -0 co remote --purge=2
	expect <<<'✓ Removed memory 2 of acme/web from the server'
	run ! grep -r Tuesdays "$server/acme%web.jsonl"
	run -1 --separate-stderr co remote --purge=2
	[ "$stderr" = 'co-remote: the server has no memory 2 of acme/web' ]
	run -2 co remote --purge=x
}

@test "co remote fails if the server fails, and does not pause requests" {
	echo 'echo "{\"ok\":false,\"error\":{\"kind\":\"schema\",\"message\":\"2\"}}"; exit 6' \
		>"$server/fault"
	run -6 --separate-stderr co remote
	[ "$stderr" = 'co-remote: the remote index is of another version: 2' ]
	[ ! -e "$HOME/.cache/co-cli/remote" ]
	rm "$global/settings.json"
	run -2 --separate-stderr co remote
	[[ $stderr == "co-remote: no remote index is set: 'co config --global remote.url URL' names its server"* ]]
}

@test "co remote escapes texts of the server on a terminal" {
	need_terminal
	echo 'printf "{\"server\":\"a\\\\u001b[31mb\",\"schema\":1}\n{\"ok\":true}\n"' \
		>"$server/fault"
	terminal 0 '' 'co remote'
	[[ $output == *'server: a^[[31mb'* ]]
}
