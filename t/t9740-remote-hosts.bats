#!/usr/bin/env bats
# A remote index in use: several hosts, TLS and passwords.
load lib
load git
load postgres

setup_file() {
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR world
	postgres_start
	[ "${CO_REMOTE_URL-}" ] || return 0
	sql <<-'END'
		CREATE ROLE admin LOGIN CREATEROLE;
		CREATE ROLE robot LOGIN;
		CREATE ROLE ada LOGIN PASSWORD 'right';
		GRANT CREATE ON DATABASE postgres TO admin;
	END
	! type openssl >/dev/null 2>&1 || start_tls
}

# start_tls: let the server use TLS on a port of 127.0.0.1 too, with a certificate
# for db.example.org and with passwords.
start_tls() {
	local i
	(
		cd "$POSTGRES_DIR"
		make_authority ca
		make_authority theirs
		certify db.example.org
		cp server.key server.crt data
		chmod 600 data/server.key
		[ "$(id -u)" -ne 0 ] || chown nobody data/server.*
	)
	printf '%s\n' "local all all trust" "hostssl all all 127.0.0.1/32 scram-sha-256" \
		>"$POSTGRES_DIR/data/pg_hba.conf"
	postgres_stop
	for ((i = 0; i < 20; i++)); do
		export PGPORT=$((20000 + RANDOM % 20000))
		printf '%s\n' 'ssl = on' "listen_addresses = '127.0.0.1'" "port = $PGPORT" \
			>>"$POSTGRES_DIR/data/postgresql.conf"
		postgres_again && return
	done
	return 1
}

# host NAME [ROLE]: switch to another host, whose user logs in as ROLE without a
# password.
host() {
	export HOME=$BATS_TEST_TMPDIR/$1
	unset XDG_CONFIG_HOME XDG_CACHE_HOME XDG_STATE_HOME
	mkdir -p "$HOME"
	[ ! "${2-}" ] || co config --global remote.url \
		"postgresql:///postgres?host=$POSTGRES_DIR&port=${PGPORT-5432}&user=$2" 2>/dev/null
}

@test "documents that one host pushes are found on another until they are removed" {
	git_world
	host admin admin
	run -0 co remote --init
	sql admin <<<"SELECT co_1.grant_project('robot', 'acme/web', true);
		SELECT co_1.grant_project('ada', 'acme/web', false);" >/dev/null
	host robot robot
	git config --global user.email robot@example.org
	git config --global user.name robot
	co init -q
	printf 'The gateway listens on port 8443.\n' | co-memory-save >/dev/null
	printf 'Deploys happen on Tuesdays.\n' | co-memory-save >/dev/null
	commit first
	git clone -q . ../clone
	run -0 co remote --join=acme/web
	run -0 co-index-push
	[[ $output == 'acme/web: 2 documents of '*', 2 added, 0 removed' ]]

	host ada ada
	mkdir "$HOME/elsewhere"
	cd "$HOME/elsewhere"
	run -0 co recall --remote=acme/web gateway port
	[[ $output == *'**Memory acme/web:1**'*'<external-text source="acme/web">'*'port 8443'* ]]
	# The push has made vectors: the query has no common word.
	run -0 co recall --remote=acme/web 'when do we ship to production?'
	[[ $output == *acme/web:2*'Deploys happen on Tuesdays'* ]]
	# She may not push from any clone.
	cd "$BATS_TEST_TMPDIR/clone"
	co remote --join=acme/web >/dev/null
	run -0 co remote
	[[ $output == *'as ada'*'2 documents'*'0 commits behind'* ]]
	memory 3 2026-02-09T14:32:00Z '' <<<'Not hers to send.'
	git config --global user.email ada@example.org
	git config --global user.name ada
	commit hers
	run -6 --separate-stderr co-index-push
	[[ $stderr == *'refused the request: this role may not write this project'* ]]

	host robot
	cd "$BATS_TEST_TMPDIR/project"
	co forget -y 1 >/dev/null
	commit forgotten
	run -0 co-index-push
	[[ $output == *' 1 document'*', 0 added, 1 removed' ]]
	host ada
	cd "$HOME/elsewhere"
	run -1 co recall --remote=acme/web gateway port
	[[ $output != *8443* ]]
	run -0 co recall --remote=acme/web tuesdays

	host robot
	cd "$BATS_TEST_TMPDIR/project"
	run -0 co remote --purge=2
	host ada
	cd "$HOME/elsewhere"
	run -1 co recall --remote=acme/web tuesdays
	[ "$(sql <<<'SELECT (SELECT count(*) FROM co_1.doc), (SELECT count(*) FROM co_1.posting),
		(SELECT count(*) FROM co_1.vector), (SELECT vectors FROM co_1.origin)')" = '0|0|0|0' ]
}

# far HOST WORDS...: send a request to the server by TCP as that HOST and as ada.
far() {
	local host=$1
	shift
	CO_REMOTE_URL="host=$host hostaddr=127.0.0.1 port=$PGPORT user=ada dbname=postgres $*" \
		co-remote-postgres <<<'{"verb":"describe","projects":[]}'
}

# password TEXT: write TEXT to ~/.pgpass.
password() {
	printf '*:*:*:ada:%s\n' "$1" >"$HOME/.pgpass"
	chmod 600 "$HOME/.pgpass"
	export PGPASSFILE=$HOME/.pgpass
}

need_tls() {
	[ "${PGPORT-}" ] || skip 'there is no openssl for a server'
	[ "$(sql <<<"SELECT to_regproc('co_1.origins')")" ] || ask <<<'{"verb":"init"}' >/dev/null
	sql <<<'GRANT USAGE ON SCHEMA co_1 TO ada'
}

@test "a server on another host needs a certificate for its name from our authority" {
	local mode
	need_tls
	password right
	run -0 far db.example.org "sslrootcert=$POSTGRES_DIR/ca.crt"
	[[ $output == *'"role":"ada"'* ]]
	# The name or the authority differs, or the URL requires less.
	run -6 far other.example.org "sslrootcert=$POSTGRES_DIR/ca.crt"
	[[ $output == *'"kind":"unreachable"'*'other.example.org'* ]]
	run -6 far db.example.org "sslrootcert=$POSTGRES_DIR/theirs.crt"
	[[ $output == *'"kind":"unreachable"'*'certificate'* ]]
	run -6 far db.example.org sslrootcert=/nowhere
	for mode in disable allow prefer require verify-ca; do
		run -6 far other.example.org "sslrootcert=$POSTGRES_DIR/ca.crt sslmode=$mode"
	done
}

@test "the password comes from a ~/.pgpass that only its owner can read" {
	need_tls
	password right
	run -0 far db.example.org "sslrootcert=$POSTGRES_DIR/ca.crt"
	password wrong
	run -6 far db.example.org "sslrootcert=$POSTGRES_DIR/ca.crt"
	[[ $output == *'"kind":"refused"'* && $output != *wrong* ]]
	password right
	chmod 644 "$HOME/.pgpass"
	run -6 --separate-stderr far db.example.org "sslrootcert=$POSTGRES_DIR/ca.crt"
	[[ $output == *'"kind":"refused"'* && $output$stderr != *right* ]]
	rm "$HOME/.pgpass"
	run -6 far db.example.org "sslrootcert=$POSTGRES_DIR/ca.crt"
	[[ $output == *'"kind":"refused"'* ]]
}
