#!/usr/bin/env bats
# The schema of a remote index: init makes it once and refuses another version.
load lib
load postgres

setup_file() {
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR world
	postgres_start
	[ "${CO_REMOTE_URL-}" ] || return 0
	sql <<-'END'
		CREATE ROLE admin LOGIN CREATEROLE;
		CREATE ROLE team;
		CREATE ROLE ada LOGIN IN ROLE team;
		CREATE ROLE robot LOGIN;
	END
}

# at DATABASE [ROLE] <STATEMENTS: run the statements and print the rows.
at() {
	psql -XqAt -v ON_ERROR_STOP=1 -h "$POSTGRES_DIR" -d "$1" -U "${2-postgres}" 2>&1
}

# ask_at DATABASE [ROLE] <REQUEST: print the answer to the request.
ask_at() {
	CO_REMOTE_URL="host=$POSTGRES_DIR user=${2-postgres} dbname=$1" co-remote-postgres
}

# schemas DATABASE: print the schemas of co in the database.
schemas() {
	at "$1" <<<"SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace
		WHERE nspname LIKE 'co\\_%'"
}

@test "only an administrator can make the schema" {
	sql <<<'CREATE DATABASE others OWNER admin'
	run -6 ask_at others robot <<<'{"verb":"init"}'
	[ "$(jq -r .error.kind <<<"$output")" = refused ]
	[ -z "$(schemas others)" ]
}

@test "an init that is killed at any system call leaves no schema or all of it" {
	local n
	need_strace
	sql <<<'CREATE DATABASE killed OWNER admin'
	for ((n = 1; ; n++)); do
		CO_REMOTE_URL="host=$POSTGRES_DIR user=admin dbname=killed" \
			strace -qq -o /dev/null -e trace=sendto,recvfrom \
			-e inject=sendto,recvfrom:signal=KILL:when=$n \
			co-remote-postgres <<<'{"verb":"init"}' >out 2>/dev/null 3>&- && break
		# The server may still be working.
		until [ "$(sql <<<"SELECT count(*) FROM pg_stat_activity WHERE usename = 'admin'")" = 0 ]; do
			sleep .02
		done
		[ -z "$(schemas killed)" ] || break
	done
	[ "$n" -gt 4 ]
	run -0 ask_at killed admin <<<'{"verb":"init"}'
	expect <<<'{"ok":true}'
	[ "$(schemas killed)" = co_1 ]
	run -0 ask_at killed admin <<<'{"verb":"describe"}'
}

@test "several processes that make the schema at once all succeed" {
	local i
	sql <<<'CREATE DATABASE fresh OWNER admin'
	for i in 1 2 3; do
		ask_at fresh admin <<<'{"verb":"init"}' >"fresh$i" 3>&- &
	done
	wait
	for i in 1 2 3; do
		[ "$(<"fresh$i")" = '{"ok":true}' ]
	done
	[ "$(schemas fresh)" = co_1 ]
}

@test "a client of another version gets an error with a remedy, and recalls locally" {
	local database url hint verb
	sql <<-'END'
		CREATE DATABASE none;
		CREATE DATABASE newer OWNER admin;
	END
	at newer admin <<<'CREATE SCHEMA co_4; CREATE SCHEMA co_x5; CREATE SCHEMA co_'
	memory 1 2026-02-09T14:30:00Z '' <<<'The gateway listens on port 8443.'
	co recall gateway >local
	while IFS=: read -r database hint; do
		url="host=$POSTGRES_DIR user=ada dbname=$database"
		CO_REMOTE_URL=$url run -6 co-remote-postgres <<<'{"verb":"describe"}'
		[ "$(jq -r '.error | "\(.kind) \(.message)"' <<<"$output")" = "schema $hint" ]
		document 1 'a text' | request acme/web 1 >to-push
		for verb in query purge digest; do
			echo '{"verb":"'$verb'","project":"acme/web","projects":["acme/web"],"id":"1","text":"x"}' >to-$verb
		done
		for verb in push query purge digest; do
			CO_REMOTE_URL=$url run -6 co-remote-postgres <to-$verb
			[ "$(jq -r '.error | "\(.kind) \(.message)"' <<<"$output")" = "schema $hint" ]
		done
		rm -rf "$HOME/.cache/co-cli/remote"
		co config --global remote.url "$url" 2>/dev/null
		co config --global remote.timeout_ms 60000
		run -0 --separate-stderr co recall --remote=acme/web gateway
		diff -u local <(printf '%s\n\n' "$output")
		[ "$stderr" = "co-recall: the remote index '$url' is of another version: $hint" ]
	done <<-'END'
		none:the database has no schema co_1: 'co remote --init' of an administrator makes it
		newer:the database has the schema co_4, and this co needs co_1
	END
	run -6 ask_at newer admin <<<'{"verb":"init"}'
	[ "$(jq -r '.error | "\(.kind) \(.message)"' <<<"$output")" = \
		'schema the database has the schema co_4, and this co needs co_1' ]
	[ "$(schemas newer)" = 'co_ co_4 co_x5' ]
}

@test "a backup of all grants, as in the manual, restores them in a new schema" {
	sql <<-'END'
		CREATE DATABASE saved OWNER admin;
		CREATE DATABASE restored OWNER admin;
	END
	ask_at saved admin <<<'{"verb":"init","grant":{"role":"robot","project":"acme/it'"'"'s","write":true}}'
	ask_at saved admin <<<'{"verb":"init","grant":{"role":"team","project":"acme/web"}}'
	ask_at restored admin <<<'{"verb":"init"}'
	manual_block 'SELECT format(' | at saved admin >grants.sql
	at restored admin <grants.sql
	for role in robot ada; do
		run -0 ask_at restored $role <<<'{"verb":"describe"}'
		jq -r 'select(.project) | "\(.project) \(.write)"' <<<"$output"
	done >seen
	diff seen - <<-'END'
		acme/it's true
		acme/web false
	END
}
