# t/pooler.bash: PgBouncer in front of the server of t/postgres.bash, as co-remote(7) says.

# pooler_start DATABASE: start PgBouncer for DATABASE, on $POOLER_PORT of 127.0.0.1. Its
# certificate is for index.example.org, signed by ca.crt in $POOLER_DIR. The team web is
# ada. All roles but postgres need a password. Without PgBouncer or openssl, do nothing.
pooler_start() {
	local as i program
	program=$(PATH=$PATH:/usr/sbin type -P pgbouncer) || return 0
	type openssl >/dev/null 2>&1 || return 0
	export POOLER_DIR=$POSTGRES_DIR/pooler
	mkdir "$POOLER_DIR"
	manual_block 'CREATE ROLE pgbouncer' | psql -Xq -v ON_ERROR_STOP=1 \
		-h "$POSTGRES_DIR" -U postgres -d "$1" || return 1
	{
		echo 'local all postgres trust'
		manual_block 'local '
	} >"$POSTGRES_DIR/data/pg_hba.conf"
	sql <<<'SELECT pg_reload_conf()' >/dev/null
	manual_block '"pgbouncer"' >"$POOLER_DIR/userlist.txt"
	manual_block 'hostssl ' | sed "s,/etc/pgbouncer,$POOLER_DIR," >"$POOLER_DIR/hba.conf"
	echo ada >"$POOLER_DIR/web.txt"
	(
		cd "$POOLER_DIR" || exit
		make_authority ca
		certify index.example.org
	) || return 1
	: >"$POOLER_DIR/log"
	set_as
	[ "$(id -u)" -ne 0 ] || chown -R nobody "$POOLER_DIR"
	for ((i = 0; i < 20; i++)); do
		export POOLER_PORT=$((20000 + RANDOM % 20000))
		manual_block '[databases]' | sed "s,/run/postgresql,$POSTGRES_DIR,
			s,dbname=memories,dbname=$1,
			s,/etc/pgbouncer,$POOLER_DIR,
			s/^listen_addr = .*/listen_addr = 127.0.0.1/
			s/^listen_port = .*/listen_port = $POOLER_PORT/
			\$aunix_socket_dir =" >"$POOLER_DIR/pgbouncer.ini"
		"${as[@]}" "$program" "$POOLER_DIR/pgbouncer.ini" \
			>>"$POOLER_DIR/log" 2>&1 3>&- &
		export POOLER_PID=$!
		until grep -q "listening on 127.0.0.1:$POOLER_PORT" "$POOLER_DIR/log"; do
			kill -0 "$POOLER_PID" 2>/dev/null || continue 2
			sleep .02
		done
		return
	done
	cat "$POOLER_DIR/log" >&2
	return 1
}

pooler_stop() {
	[ -z "${POOLER_PID-}" ] || kill "$POOLER_PID"
}

# pooler_url ROLE [DATABASE]: print the URL by which ROLE reaches a database of PgBouncer.
pooler_url() {
	printf '%s ' host=index.example.org hostaddr=127.0.0.1 "port=$POOLER_PORT" \
		"user=$1" "dbname=${2-memories}" "sslrootcert=$POOLER_DIR/ca.crt"
}
