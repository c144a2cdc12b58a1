# t/web.bash: helpers for tests that fetch. Load it after lib.bash.

# web_world: make a world with co-fetch, or skip if no web server can run.
web_world() {
	world
	[ -x "$CO_BIN/co-fetch" ] || skip 'made without libcurl'
	command -v perl >/dev/null || skip 'there is no perl for a server'
}

# start_web: start web.pl, and set $url to its address. Its log is ./log.
start_web() {
	rm -f log port
	: >log
	mkfifo port
	perl "$CO_SOURCE/t/web.pl" log 127.0.0.1:0 >port 2>server.err 3>&- &
	echo $! >pid
	read -r url <port
	url=http://127.0.0.1:$url
}

stop_web() {
	[ ! -s pid ] || kill "$(cat pid)"
	rm -f pid
}

# need_inside: skip if no separate network can be made.
need_inside() {
	unshare -rnm true 2>/dev/null || skip 'no network can be made here'
}

# inside COMMAND...: run COMMAND in a network of its own. web.pl serves there at
# 203.0.113.5 and 2001:db8::5, which count as public addresses, and answers name
# queries. Connections to an internal address are logged in ./log.
inside() {
	unshare -rnm bash "$CO_SOURCE/t/web-inside" "$@" 3>&-
}

# certificate NAME: make NAME.pem for 203.0.113.5, signed by ca.pem.
certificate() {
	openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem \
		-subj /CN=CA -days 3650 -not_before 20200101000000Z 2>/dev/null ||
		openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key \
			-out ca.pem -subj /CN=CA -days 3650 2>/dev/null
	openssl req -newkey rsa:2048 -nodes -keyout "$1.key" -subj /CN=any \
		2>/dev/null | openssl x509 -req -CA ca.pem -CAkey ca.key \
		-CAcreateserial -days 3650 -out "$1.pem" 2>/dev/null \
		-extfile <(echo 'subjectAltName=IP:203.0.113.5')
}
