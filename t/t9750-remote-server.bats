#!/usr/bin/env bats
# A stopped, hostile or broken server of a remote index does not change local
# answers.
load lib

setup() {
	world
	[ -x "$CO_BIN/co-remote-postgres" ] || skip 'made without libpq'
	command -v perl >/dev/null || skip 'there is no perl for a server'
	memory 1 2026-02-09T14:30:00Z '' <<<'The gateway listens on port 8443.'
	memory 2 2026-02-09T14:31:00Z '' <<<'The gateway has a spare.'
	co config --global remote.url "host=$BATS_TEST_TMPDIR user=ada dbname=index" 2>/dev/null
	co recall gateway >local
}

teardown() {
	stop
}

# serve WAY: start the false server.
serve() {
	stop
	# The server closes its output once it listens.
	exec 5< <(exec perl "$CO_SOURCE/t/postgres.pl" "$BATS_TEST_TMPDIR" "$1" 2>server.err 3>&-)
	server=$!
	cat <&5
}

stop() {
	[ -z "${server-}" ] || kill "$server"
	server=
	rm -rf "$BATS_TEST_TMPDIR/.s.PGSQL.5432" "$HOME/.cache/co-cli/remote"
}

# unchanged KIND: check that the answer is the local one and one line reports the
# error.
unchanged() {
	run -0 --separate-stderr co recall --remote=acme/web gateway
	diff -u local <(printf '%s\n\n' "$output")
	[[ $stderr == "co-recall: the remote index '"*"' $1"* && $stderr != *$'\n'* ]] || {
		echo "$stderr"
		return 1
	}
}

@test "local answers do not change if the server is gone, disconnects or sends noise" {
	local way
	co config --global remote.timeout_ms 60000
	unchanged 'is unreachable'
	for way in refuse close cut noise; do
		serve "$way"
		unchanged 'is unreachable'
	done
}

@test "local answers do not change if the server hangs or answers endlessly" {
	local way
	co config --global remote.timeout_ms 300
	for way in hang rows notices; do
		serve "$way"
		unchanged 'did not answer in time'
	done
	serve row
	unchanged
	kill -STOP "$server"
	rm -rf "$HOME/.cache/co-cli/remote"
	unchanged 'did not answer in time'
	kill -CONT "$server"
}

@test "an endless answer takes a bounded amount of memory" {
	local pid
	case $CO_BIN in */san/*) skip 'the sanitizers take memory of their own' ;; esac
	serve hang
	CO_REMOTE_URL="host=$BATS_TEST_TMPDIR user=ada dbname=index" \
		co-remote-postgres <<<'{"verb":"describe"}' >out 3>&- &
	pid=$!
	until grep -qE '^Max address space +2147483648 ' "/proc/$pid/limits"; do
		kill -0 "$pid"
		sleep .02
	done
	kill "$pid"
}
