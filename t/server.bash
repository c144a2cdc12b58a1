# t/server.bash: helpers for tests with an HTTP server. Load it after lib.bash.

# server_world: make a world without a proxy, or skip if no server can run.
server_world() {
	world
	[ -x "$CO_BIN/co-model-http" ] || skip 'made without libcurl'
	command -v perl >/dev/null || skip 'there is no perl for a server'
	mkdir -p "$global"
	unset http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY
}

teardown() {
	[ ! -s pid ] || kill "$(cat pid)"
}

# start_server FILE WAY...: start t/FILE with these arguments, and set $url to its
# address.
start_server() {
	local file=$1
	shift
	[ ! -s pid ] || kill "$(cat pid)"
	rm -f log
	mkfifo port 2>/dev/null || :
	perl "$CO_SOURCE/t/$file" log "$@" >port 2>server.err 3>&- &
	echo $! >pid
	read -r url <port
	url=http://127.0.0.1:$url
}
