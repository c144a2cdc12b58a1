#!/usr/bin/env bats
# Older and newer schemas of a remote index: init updates the older ones.
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
		CREATE ROLE co_1_owner;
		GRANT co_1_owner TO admin;
	END
}

# at DATABASE [ROLE] <STATEMENTS: run them there, and print the rows.
at() {
	psql -XqAt -v ON_ERROR_STOP=1 -h "$POSTGRES_DIR" -d "$1" -U "${2-postgres}" 2>&1
}

# ask_at DATABASE [ROLE] <REQUEST: the answer to a request.
ask_at() {
	CO_REMOTE_URL="host=$POSTGRES_DIR user=${2-postgres} dbname=$1" co-remote-postgres
}

# older DATABASE OWNER: make a database with an older schema: co_1, in which OWNER is a role
# that can log in, as in the first version, or co_1_owner; or co_2, of co_owner. It has what
# init takes over, and a document.
older() {
	sql <<<"CREATE DATABASE $1 OWNER admin"
	{
		cat <<-END
			CREATE SCHEMA co_1 AUTHORIZATION $2;
			SET ROLE $2;
		END
		cat <<-'END'
			CREATE TABLE co_1.project (
				project integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
				name text NOT NULL UNIQUE
			);
			CREATE TABLE co_1.grants (
				role name NOT NULL,
				project integer NOT NULL REFERENCES co_1.project ON DELETE CASCADE,
				write boolean NOT NULL DEFAULT false,
				PRIMARY KEY (role, project)
			);
			CREATE TABLE co_1.doc (project integer, body text);
			CREATE FUNCTION co_1.count() RETURNS bigint LANGUAGE sql SECURITY DEFINER
				AS 'SELECT count(*) FROM co_1.doc';
			ALTER TABLE co_1.project ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
			ALTER TABLE co_1.grants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
			CREATE POLICY administer ON co_1.project TO CURRENT_USER
				USING (true) WITH CHECK (true);
			CREATE POLICY administer ON co_1.grants TO CURRENT_USER
				USING (true) WITH CHECK (true);
			INSERT INTO co_1.project (name) VALUES ('gone'), ('acme/web'), ('acme/ops');
			DELETE FROM co_1.project WHERE name = 'gone';
			INSERT INTO co_1.grants SELECT r.role, project, r.role = 'robot'
				FROM co_1.project, unnest('{team,robot,left}'::name[]) AS r (role)
				WHERE r.role <> 'robot' OR name = 'acme/web';
			INSERT INTO co_1.doc VALUES (1, 'a document');
			GRANT USAGE ON SCHEMA co_1 TO PUBLIC;
			GRANT ALL ON co_1.project, co_1.grants TO robot;
		END
		[ "$2" != co_owner ] || cat <<-'END'
			ALTER TABLE co_1.grants ADD name text;
			UPDATE co_1.grants g SET name = p.name FROM co_1.project p
				WHERE p.project = g.project;
			RESET ROLE;
			ALTER SCHEMA co_1 RENAME TO co_2;
		END
	} | at "$1" admin
}

# schemas DATABASE: print the schemas of ours that it has, and the documents of co_1.
schemas() {
	at "$1" <<<"SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace
		WHERE nspname LIKE 'co\\_%'"
	[ -z "$(at "$1" <<<"SELECT to_regclass('co_1.doc')")" ] ||
		at "$1" <<<'SELECT count(*) FROM co_1.doc'
}

# taken_over DATABASE: the schema is ours, with the projects and rights of older().
taken_over() {
	[ "$(schemas "$1")" = co_3 ]
	run -0 at "$1" <<<'SELECT role, name, write FROM co_3.grants JOIN co_3.project
		USING (project, name) ORDER BY 1, 2'
	expect <<-'END'
		left|acme/ops|f
		left|acme/web|f
		robot|acme/web|t
		team|acme/ops|f
		team|acme/web|f
	END
	run -0 at "$1" <<<"SELECT nspowner::regrole FROM pg_namespace WHERE nspname = 'co_3'"
	expect <<<co_owner
}

@test "init updates each older schema, and keeps its projects and rights" {
	local owner
	# The first one creates co_owner.
	for owner in admin co_1_owner co_owner; do
		older "by_$owner" $owner
		run -0 ask_at "by_$owner" admin <<<'{"verb":"init"}'
		expect <<<'{"ok":true,"replaced":'$((1 + (${#owner} == 8)))'}'
		taken_over "by_$owner"
		run -0 ask_at "by_$owner" admin <<<'{"verb":"init"}'
		expect <<<'{"ok":true}'
		# Each project is empty until its robot pushes, which may do so.
		run -0 ask_at "by_$owner" ada <<<'{"verb":"describe"}'
		[ "$(jq -r 'select(.project) | "\(.project) \(.documents) \(.digest)"' <<<"$output")" = \
			$'acme/ops 0 \nacme/web 0 ' ]
		document 1 'the gateway' | request acme/web 1 | ask_at "by_$owner" robot
		run -0 ask_at "by_$owner" ada <<<'{"verb":"query","projects":["acme/web"],"text":"gateway"}'
		[ "$(jq -s '.[0].id' <<<"$output")" = 1 ]
		run ! at "by_$owner" robot <<<'SELECT FROM co_3.project'
		[[ $output == *'permission denied'* ]]
	done
}

@test "only an administrator updates a schema" {
	local before
	older others co_1_owner
	before=$(schemas others)
	at others <<<'GRANT CREATE ON DATABASE others TO robot; GRANT co_owner TO robot' || :
	run -6 ask_at others robot <<<'{"verb":"init"}'
	[ "$(jq -r .error.kind <<<"$output")" = refused ]
	[ "$(schemas others)" = "$before" ]
}

@test "an update that is killed at any system call leaves the old schema or the new one" {
	local before n now
	need_strace
	older killed co_1_owner
	before=$(schemas killed)
	[ "$before" = $'co_1\n1' ]
	for ((n = 1; ; n++)); do
		CO_REMOTE_URL="host=$POSTGRES_DIR user=admin dbname=killed" \
			strace -qq -o /dev/null -e trace=sendto,recvfrom \
			-e inject=sendto,recvfrom:signal=KILL:when=$n \
			co-remote-postgres <<<'{"verb":"init"}' >out 2>/dev/null 3>&- && break
		# The server may still be at it.
		until [ "$(sql <<<"SELECT count(*) FROM pg_stat_activity WHERE usename = 'admin'")" = 0 ]; do
			sleep .02
		done
		now=$(schemas killed)
		[ "$now" = "$before" ] || break
	done
	[ "$n" -gt 4 ]
	taken_over killed
}

@test "two updates at once, or two that create the schema, are one" {
	local i
	sql <<<'CREATE DATABASE fresh OWNER admin'
	older twice co_1_owner
	for i in 1 2 3; do
		ask_at twice admin <<<'{"verb":"init"}' >"twice$i" 3>&- &
		ask_at fresh admin <<<'{"verb":"init"}' >"fresh$i" 3>&- &
	done
	wait
	for i in 1 2 3; do
		[[ $(<"twice$i") == '{"ok":true'* && $(<"fresh$i") == '{"ok":true}' ]]
	done
	taken_over twice
	[ "$(schemas fresh)" = co_3 ]
}

@test "a client of another version is told what to do, and gives the local answer" {
	local database url hint verb
	sql <<-'END'
		CREATE DATABASE none;
		CREATE DATABASE newer OWNER admin;
	END
	older past co_1_owner
	at newer admin <<<'CREATE SCHEMA co_1; CREATE SCHEMA co_4; CREATE SCHEMA co_x2; CREATE SCHEMA co_'
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
		none:the database has no schema co_3: 'co remote --init' of an administrator makes it
		past:the schema co_1 is older: 'co remote --init' of an administrator updates it
		newer:the schema co_4 is newer: update co
	END
	run -6 ask_at newer admin <<<'{"verb":"init"}'
	[ "$(jq -r '.error | "\(.kind) \(.message)"' <<<"$output")" = \
		'schema the schema co_4 is newer: update co' ]
	[ "$(schemas newer | head -n 1)" = 'co_ co_1 co_4 co_x2' ]
	# A person is told that the documents must come again.
	co config --global remote.url "host=$POSTGRES_DIR user=admin dbname=past"
	run -0 --separate-stderr co remote --init
	expect <<<'✓ The schema is on the server'
	[[ $stderr == *'push each project again'* ]]
}
