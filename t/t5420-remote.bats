#!/usr/bin/env bats
# co remote: the server, the commit that it has, and how far that is behind.
load lib
load git
load remote

setup() {
	remote_world
}

@test "a commit that is not in this clone is named so" {
	other_project acme/web 'x'
	run -0 co remote
	[[ ${lines[1]} == 'acme/web (this project): 1 document of 9fceb02d0ae5 (2026-02-08), a commit that is not here' ]]
	run -0 co remote --json
	[ "$(value behind <<<"$output")" = null ]
}

@test "join and leave change the user's settings, and nothing else" {
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

@test "the schema is created, or printed without a server" {
	run -0 co remote --init
	expect <<<'✓ The schema is on the server'
	[ "$(tail -n 1 "$server/requests")" = '{"verb":"init"}' ]
	run -0 co remote --init --print
	expect <<<'create schema co_1;'
	run -2 co remote --print
	run -2 co remote --init --leave
}

@test "a server that fails is an error of co remote, and never a pause" {
	echo 'echo "{\"ok\":false,\"error\":{\"kind\":\"schema\",\"message\":\"2\"}}"; exit 6' \
		>"$server/fault"
	run -6 --separate-stderr co remote
	[ "$stderr" = 'co-remote: the remote index has no schema of this version: 2' ]
	[ ! -e "$HOME/.cache/co-cli/remote" ]
	rm "$global/settings.json"
	run -2 --separate-stderr co remote
	[[ $stderr == "co-remote: no remote index is set: 'co config --global remote.url URL' names its server"* ]]
}

@test "texts of the server are escaped on a terminal" {
	command -v script >/dev/null || skip 'script is missing'
	echo 'printf "{\"server\":\"a\\\\u001b[31mb\",\"schema\":1}\n{\"ok\":true}\n"' \
		>"$server/fault"
	run -0 script -qec 'co remote' /dev/null
	[[ $output == *'server: a^[[31mb'* ]]
}
