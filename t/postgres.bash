# t/postgres.bash: a PostgreSQL server for one test file, on a Unix socket only.  The
# file may have a setup_file of its own.

# set_as: set the array as to the words that start a command as another user than root,
# whom PostgreSQL and PgBouncer refuse.
set_as() {
	as=()
	[ "$(id -u)" -ne 0 ] || as=(setpriv --reuid=nobody
		"--regid=$(id -g nobody)" --clear-groups)
}

# postgres_start: for setup_file: start a server in the directory of the test file and
# set CO_REMOTE_URL, if PostgreSQL is installed.
postgres_start() {
	local as dir bin
	[ -x "$CO_BIN/co-remote-postgres" ] || return 0
	bin=$(postgres_programs) || return 0
	export POSTGRES_DIR=$BATS_FILE_TMPDIR/pg
	mkdir "$POSTGRES_DIR"
	set_as
	if [ "$(id -u)" -eq 0 ]; then
		chown nobody "$POSTGRES_DIR"
		# The server needs access to the directories above.
		dir=$POSTGRES_DIR
		until "${as[@]}" test -w "$POSTGRES_DIR"; do
			dir=${dir%/*}
			chmod o+x "$dir"
		done
	fi
	if ! (
		cd "$POSTGRES_DIR" || exit
		"${as[@]}" "$bin/initdb" -N -D data -U postgres -A trust \
			--locale=C -E UTF8 >initdb.out 2>&1 || exit
		printf '%s\n' "unix_socket_directories = '$POSTGRES_DIR'" \
			"listen_addresses = ''" 'fsync = off' \
			'shared_buffers = 16MB' 'autovacuum = off' \
			'log_statement = all' "log_line_prefix = ''" \
			>>data/postgresql.conf
	) || ! postgres_again; then
		cat "$POSTGRES_DIR"/*.out "$POSTGRES_DIR/log" >&2
		return 1
	fi
	export CO_REMOTE_URL="host=$POSTGRES_DIR user=postgres dbname=postgres"
}

# postgres_again: start the server of this file, also after postgres_stop with other
# settings.
postgres_again() {
	local as bin
	bin=$(postgres_programs)
	set_as
	(
		cd "$POSTGRES_DIR" || exit
		"${as[@]}" "$bin/pg_ctl" -D data -w -l log start >pg_ctl.out 3>&-
	)
}

# postgres_world: for setup: make a world with the server of the file.
postgres_world() {
	world
	[ -x "$CO_BIN/co-remote-postgres" ] || skip 'made without libpq'
	[ "${CO_REMOTE_URL-}" ] || skip 'PostgreSQL is not there'
}

setup_file() {
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR world
	postgres_start
	[ -z "${CO_REMOTE_URL-}" ] || co-remote-postgres <<<'{"verb":"init"}'
}

teardown_file() {
	postgres_stop
}

setup() {
	postgres_world
}

# postgres_programs: print the directory with initdb.
postgres_programs() {
	local dir
	for dir in $(command -v initdb) /usr/lib/postgresql/*/bin/initdb \
		/usr/pgsql-*/bin/initdb; do
		[ ! -x "$dir" ] || {
			printf '%s\n' "${dir%/initdb}"
			return
		}
	done
	return 1
}

postgres_stop() {
	local pid
	[ -e "${POSTGRES_DIR-}/data/postmaster.pid" ] || return 0
	read -r pid <"$POSTGRES_DIR/data/postmaster.pid"
	kill -CONT "$pid"
	kill -QUIT "$pid"
	while kill -0 "$pid" 2>/dev/null; do sleep .02; done
}

# sql [ROLE] <STATEMENTS: run them as ROLE, and print the rows.
# shellcheck disable=SC2120 # tests pass ROLE
sql() {
	psql -XqAt -v ON_ERROR_STOP=1 -h "$POSTGRES_DIR" -d postgres \
		-U "${1-postgres}" 2>&1
}

# ask [ROLE] <REQUEST: print the answer to REQUEST.
ask() {
	CO_REMOTE_URL="host=$POSTGRES_DIR user=${1-postgres} dbname=postgres" \
		co-remote-postgres
}

# manual_block START: print the block of co-remote(7) whose first line has START.
manual_block() {
	awk -v start="$1" '/^```/ { inside = !inside; first = inside; next }
		first { shown = index($0, start); first = 0 }
		inside && shown' "$CO_SOURCE/Documentation/co-remote.7.scd"
}

# make_authority NAME: make the key and the certificate of an authority.
make_authority() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
		-subj "/CN=$1" -keyout "$1.key" -out "$1.crt" 2>/dev/null
}

# certify NAME: make a key and a certificate for the host NAME, signed by ca.
certify() {
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout server.key \
		-out server.csr 2>/dev/null
	openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -set_serial 1 \
		-days 3650 -extfile <(printf 'subjectAltName=DNS:%s\n' "$1") -out server.crt 2>/dev/null
}

# kill_push LINES: send so many lines of ./request through the FIFO ./pipe, and kill the push
# once it has locked the row of its project.
kill_push() {
	local pid
	co-remote-postgres <pipe >out 3>&- &
	pid=$!
	exec 4>pipe
	head -n "$1" request >&4
	until [ "$(sql <<<"SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid'")" = 1 ]; do
		sleep .02
	done
	kill -9 "$pid"
	exec 4>&-
	wait "$pid" || :
}

# document ID TEXT [TAGS]: print a document as a line of a push.
document() {
	local json hash
	json='"kind":"memory","id":'$1',"path":"knowledge/memories/'$1'.md","order":0,'
	json+='"created":"2026-01-01T00:00:00Z","expires":"","source":null,"title":"",'
	json+='"tags":['${3-}'],"text":"'$2'"}'
	read -r hash _ < <(printf '{%s' "$json" | sha256sum)
	printf '{"doc":{"hash":"%s",%s}\n' "$hash" "$json"
}

# request PROJECT COMMIT [BASE DOCUMENTS] <LINES: print the request that pushes the lines.
request() {
	"$CO_BIN/../t/tool/remote/push-request" "$@"
}

# push PROJECT COMMIT [BASE DOCUMENTS] <LINES: push the lines to PROJECT.
push() {
	request "$@" | co-remote-postgres
}
