#!/usr/bin/env bats
# A remote index through PgBouncer, set up as co-remote(7) says.
load lib
load git
load postgres
load pooler

setup_file() {
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR world
	postgres_start
	[ "${CO_REMOTE_URL-}" ] || return 0
	sql <<-'END'
		CREATE ROLE admin LOGIN CREATEROLE PASSWORD 'of admin';
		CREATE ROLE robot LOGIN PASSWORD 'of robot';
		CREATE ROLE ada LOGIN PASSWORD 'of ada';
		CREATE ROLE bob LOGIN PASSWORD 'of bob';
		GRANT CREATE ON DATABASE postgres TO admin;
	END
	pooler_start postgres
}

teardown_file() {
	pooler_stop
	postgres_stop
}

setup() {
	postgres_world
	[ "${POOLER_PID-}" ] || skip 'PgBouncer or openssl is not there'
	for role in admin robot ada bob; do
		printf '*:*:*:%s:of %s\n' $role $role
	done >"$HOME/.pgpass"
	chmod 600 "$HOME/.pgpass"
	co config --global remote.timeout_ms 60000 2>/dev/null
	run -0 log_in admin init '"grant":{"role":"robot","project":"acme/web","write":true}'
	run -0 log_in admin init '"grant":{"role":"ada","project":"acme/web"}'
}

# log_in ROLE VERB MEMBERS: send a request through PgBouncer as ROLE.
log_in() {
	CO_REMOTE_URL=$(pooler_url "$1") co-remote-postgres <<<'{"verb":"'"$2"'",'"$3"'}'
}

# be ROLE: let later commands of co log in as ROLE.
be() {
	co config --global remote.url "$(pooler_url "$1")"
}

# kept ROLE: print which processes of the server ROLE has.
kept() {
	sql <<<"SELECT pid FROM pg_stat_activity WHERE usename = '$1' ORDER BY 1"
}

@test "pushes, queries and purges pass through PgBouncer, each as its own role" {
	local first
	git_world
	co init -q
	printf 'The gateway listens on port 8443.\n' | co-memory-save >/dev/null
	printf 'Deploys happen on Tuesdays.\n' | co-memory-save >/dev/null
	commit first
	co remote --join=acme/web >/dev/null
	be robot
	run -0 co-index-push
	[[ $output == 'acme/web: 2 documents of '*', 2 added, 0 removed' ]]
	run -0 co-index-push
	[[ $output == *', 0 added, 0 removed' ]]
	run -0 co remote
	[[ $output == *' as robot'*'2 documents'* ]]
	mkdir "$HOME/elsewhere"
	cd "$HOME/elsewhere"
	be ada
	run -0 co recall --remote=acme/web gateway port
	[[ $output == *'**Memory acme/web:1**'*'port 8443'* ]]
	# Her queries share a connection to the server.
	first=$(kept ada)
	[[ $first =~ ^[0-9]+$ ]]
	run -0 co recall --remote=acme/web 'when do we ship to production?'
	[[ $output == *acme/web:2* ]]
	run -0 co recall --remote tuesdays
	[[ $output == *acme/web:2* ]]
	[ "$(kept ada)" = "$first" ]
	cd "$BATS_TEST_TMPDIR/project"
	run -6 --separate-stderr co remote --purge=2
	[[ $stderr == *'refused the request: this role may not write this project'* ]]
	be robot
	run -0 co remote --purge=2
	be ada
	cd "$HOME/elsewhere"
	run -1 co recall --remote=acme/web tuesdays
	run -0 co recall --remote=acme/web gateway
}

@test "PgBouncer refuses a wrong password and a superuser, and bob sees nothing" {
	run -6 log_in bob query '"projects":["acme/web"],"text":"gateway"'
	[[ $output == *'"kind":"refused"'*'co_1'* ]]
	run -6 log_in postgres describe '"projects":[]'
	[[ $output == *'no such user'* ]]
	sed -i 's/of ada/of bob/' "$HOME/.pgpass"
	run -6 log_in ada describe '"projects":[]'
	# The kind depends on the version of PgBouncer.
	[[ $output == *authentication\ failed* && $output != *'of bob'* ]]
}

@test "a push that fails or is killed leaves PgBouncer no open transaction" {
	local digest
	document 1 'one text' | request acme/slow 1 >request
	run -0 log_in admin init '"grant":{"role":"robot","project":"acme/slow","write":true}'
	run -0 env CO_REMOTE_URL="$(pooler_url robot)" co-remote-postgres <request
	run -6 env CO_REMOTE_URL="$(pooler_url robot)" co-remote-postgres <request
	[[ $output == *'"kind":"conflict"'* ]]
	digest=$(jq -rs '.[0].digest' request)
	document 2 'another text' | request acme/slow 2 "$digest" 1 >request
	mkfifo pipe
	CO_REMOTE_URL=$(pooler_url robot) kill_push 1
	run -0 log_in robot digest '"project":"acme/slow"'
	[[ $output == *"$digest"* ]]
	run -0 env CO_REMOTE_URL="$(pooler_url robot)" co-remote-postgres <request
	[[ $output == *'"documents":2'* ]]
}

@test "PgBouncer logs people of a team in as their team" {
	sql <<<"CREATE ROLE web_team"
	manual_block 'ALTER ROLE web_team' | sql
	run -0 log_in admin init '"grant":{"role":"web_team","project":"acme/team"}'
	run -0 env CO_REMOTE_URL="$(pooler_url ada web)" co-remote-postgres <<<'{"verb":"describe"}'
	[ "$(jq -rs '[.[].project // empty] | join(" ")' <<<"$output")" = acme/team ]
	[ "$(kept web_team | wc -l)" = 1 ]
	run -6 env CO_REMOTE_URL="$(pooler_url bob web)" co-remote-postgres <<<'{"verb":"describe"}'
	[[ $output == *'login rejected'* ]]
}

@test "16 simultaneous queries share four connections and all get their answer" {
	local i
	run -0 log_in admin init '"grant":{"role":"robot","project":"acme/many","write":true}'
	run -0 log_in admin init '"grant":{"role":"ada","project":"acme/many"}'
	document 1 'the shared word' | request acme/many 1 |
		CO_REMOTE_URL=$(pooler_url robot) co-remote-postgres >/dev/null
	for i in {1..16}; do
		log_in ada query '"projects":["acme/many"],"text":"shared"' >"out$i" 3>&- &
	done
	wait
	[ "$(cat out* | grep -c '"the shared word"')" = 16 ]
	[ "$(kept ada | wc -l)" -le 4 ]
}
