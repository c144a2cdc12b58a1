#!/usr/bin/env bats
# Test co-fetch, which fetches public pages and refuses private addresses.
load lib
load web

setup() {
	web_world
}

teardown() {
	stop_web
}

# get PATH [OPTION...]: fetch PATH from the server on this machine.
get() {
	local path=$1
	shift
	co-fetch --allow-private "$@" "$url$path"
}

@test "co-fetch prints a page and writes the response's metadata to --meta" {
	start_web
	run -0 get /page --meta=meta
	expect <<<'<title>A page</title><p>Hello.</p>'
	jq -S . meta | sed "s,$url,URL," | diff - <(jq -S . <<-END
		{"url": "URL/page", "final": "URL/page", "status": 200,
		 "type": "text/html", "charset": "utf-8", "bytes": 35,
		 "sha256": "$(printf '%s\n' "$output" | sha256sum | cut -d' ' -f1)",
		 "etag": "\"$(printf '%s\n' "$output" | sha1sum | cut -c1-8)\"",
		 "last_modified": "Sun, 01 Feb 2026 10:00:00 GMT",
		 "fetched": "2026-02-09T14:30:00Z", "redirects": []}
	END
	)
}

@test "--meta has the headers of the last answer only" {
	start_web
	run -0 get /early --meta=meta
	expect <<<late
	[ "$(jq -c '[.status, .type, .etag]' meta)" = '[200,"text/plain",null]' ]
}

@test "--meta writes through a link whose target does not exist" {
	start_web
	ln -s target link
	run -0 timeout 20 co-fetch --allow-private --meta=link "$url/page"
	[ "$(jq .status target)" = 200 ]
}

@test "co-fetch in an agent's session records that it read external text" {
	start_web
	unset XDG_STATE_HOME
	reads=$HOME/.local/state/co-cli/shown/reads.jsonl
	get '/page?token=1' >/dev/null
	[ ! -e "$reads" ]
	CLAUDE_CODE_SESSION_ID=s-1 get '/page?token=1' >/dev/null
	CLAUDE_CODE_SESSION_ID=s-1 run -1 get /none
	run -0 jq -c '[.agent, .session, .read]' "$reads"
	expect <<<"[\"claude\",\"s-1\",\"$url/page\"]"
}

@test "co-fetch exits 1 if the page is not modified" {
	start_web
	get /page --meta=meta >/dev/null
	run -1 --separate-stderr get /page --meta=again \
		--etag="$(jq -r .etag meta)"
	[ ! "$output" ]
	[ "$stderr" = "co-fetch: '$url/page' is not modified" ]
	[ "$(jq .status again)" = 304 ]
	run -1 --separate-stderr get /page \
		--modified="$(jq -r .last_modified meta)"
	[ ! "$output" ]
	run -0 get /page --etag='"another"'
	run -2 get /page --etag=$'a\r\nCookie: x'
}

@test "co-fetch follows up to five redirects and lists them" {
	start_web
	run -0 get "/to?/to?/page" --meta=meta
	[ "$(jq -c '[.final, .redirects[]]' meta | sed "s,$url,,g")" = \
		'["/page","/to?/page","/page"]' ]
	run -4 get /loop
	expect <<<"co-fetch: '$url/loop' leads on more than 5 times"
	[ "$(grep -c /loop log)" = 6 ]
}

@test "co-fetch sends no cookies or passwords and ignores proxy variables" {
	start_web
	printf 'machine 127.0.0.1\nlogin me\npassword it\n' >"$HOME/.netrc"
	chmod 600 "$HOME/.netrc"
	http_proxy=http://127.0.0.1:1 ALL_PROXY=http://127.0.0.1:1 \
		run -0 get /cookie
	diff log - <<-'END'
		/cookie
		/page
	END
}

@test "co-fetch uses the proxy of the user's settings only" {
	start_web
	mkdir -p "$global"
	echo '{"fetch.proxy": "'"$url"'"}' >"$global/settings.json"
	run -0 co-fetch http://nowhere.test/page
	grep -q '^http://nowhere.test/page$' log
	run -3 co-fetch http://10.0.0.1/page
	expect <<<"co-fetch: 'http://10.0.0.1/page' is not public: 10.0.0.1 is private; --allow-private allows it"
	mkdir -p .co-cli
	mv "$global/settings.json" .co-cli/
	run ! timeout 60 co-fetch --timeout=1 http://nowhere.test/page
	[ "$(wc -l <log)" = 1 ]
}

@test "missing, forbidden and failing pages have their own exit status" {
	start_web
	run -1 get /nothing --meta=meta
	expect <<<"co-fetch: '$url/nothing' is not there: status 404"
	[ "$(jq .status meta)" = 404 ]
	run -1 get '/status?410'
	run -6 --separate-stderr get '/status?500'
	[ ! "$output" ]
	[[ $stderr == *' with status 500' ]]
	run -6 get '/status?403'
	stop_web
	wait
	run -6 get /page
}

@test "the size limit applies to unpacked bytes and headers" {
	start_web
	run -0 get /gzip
	expect <<<packed
	run -4 --separate-stderr timeout 60 co-fetch --allow-private "$url/bomb"
	[ ! "$output" ]
	[ "$stderr" = "co-fetch: '$url/bomb' is larger than 8388608 bytes" ]
	run -4 get /endless --max-size=100000
	expect <<<"co-fetch: '$url/endless' is larger than 100000 bytes"
	run -4 get /large
	expect <<<"co-fetch: '$url/large' is larger than 8388608 bytes"
	run -4 get /headers
	expect <<<"co-fetch: '$url/headers' has headers of more than 65536 bytes"
	run -0 get /page --max-size=35
	run -4 get /page --max-size=34
}

@test "co-fetch stops at the time limit" {
	start_web
	run -4 timeout 60 co-fetch --allow-private --timeout=1 "$url/drip"
	[[ $output == "co-fetch: '$url/drip' is too slow: "* ]]
	run -2 get /page --timeout=0
}

@test "--robots obeys robots.txt and caches it for a day" {
	start_web
	run -0 get /page --robots
	printf 'User-agent: *\nDisallow: /page\n' >robots
	run -0 get /page --robots	# robots.txt is cached for a day
	CO_NOW=2026-02-10T14:30:00Z run -3 get /page --robots
	expect <<<"co-fetch: '$url/page' is not for programs, says its robots.txt"
	run -0 get /page
	rm -r "$HOME/.cache"
	run -3 get /to?/page --robots
	run -0 get /gzip --robots
	[ "$(grep -c robots.txt log)" = 3 ]
	printf 'User-agent: co-cli\nAllow: /page\n' >>robots
	rm -r "$HOME/.cache"
	run -0 get /page --robots
	rm -r "$HOME/.cache"
	echo 503 >robots-status
	run -3 get /page --robots
	[[ $output == *"no program read it now: its robots.txt has status 503" ]]
	echo 404 >robots-status
	run -0 get /page --robots	# the refusal is not cached
}

@test "robots.txt is parsed by RFC 9309" {
	cat >robots.txt <<-'END'
		# all but one
		User-agent: other
		User-agent: CO-CLI/2.0	# and a word
		Disallow: /
		Allow: /a/
		Disallow: /a/*.pdf$
		Disallow: /a/*z/
		Allow: /p%61th?x=
		disallow : /same
		ALLOW: /same

		User-agent: *
		Allow: /

		User-agent: co-cli
		Allow: /second$
		Disallow: /a/%c3%a4
	END
	for end in '\n' '\r' '\r\n'; do
		run -0 "$CO_BIN/../t/tool/fetch/robots" / /b /a /a/ /a/b.pdf \
			/a/b.pdf.html /a/xz/y /path?x=1 /path?y /same /second /second/x \
			/a/ä < <(sed "s/\$/$end/" robots.txt | tr -d '\n' |
			if [ "$end" = '\n' ]; then cat robots.txt; else cat; fi)
		expect <<-'END'
			/a/
			/a/b.pdf.html
			/path?x=1
			/same
			/second
		END
	done
	run -0 "$CO_BIN/../t/tool/fetch/robots" / /a </dev/null
	[ "$output" = $'/\n/a' ]
	run -0 "$CO_BIN/../t/tool/fetch/robots" / /x <<-'END'
		Disallow: /
		User-agent: *
		Disallow: /x
	END
	expect <<</
	# Rules with many wildcards are matched in time.
	{
		echo 'User-agent: *'
		for _ in {1..3000}; do printf 'Disallow: /%0.s*a*a*a*a*a*a*a*ab$\n' 1; done
	} >robots.txt
	run -0 timeout 60 "$CO_BIN/../t/tool/fetch/robots" \
		"/$(printf 'a%.0s' {1..8000})" <robots.txt
}

@test "addresses are classified by their assigned ranges" {
	run -0 "$CO_BIN/../t/tool/fetch/address" 0.0.0.0 1.1.1.1 9.255.255.255 \
		10.0.0.0 10.255.255.255 11.0.0.0 100.63.255.255 100.64.0.0 \
		100.127.255.255 100.128.0.0 127.0.0.1 127.255.255.255 128.0.0.0 \
		169.253.255.255 169.254.169.254 172.15.255.255 172.16.0.0 \
		172.31.255.255 172.32.0.0 192.0.0.1 192.88.99.1 192.168.0.1 \
		198.17.255.255 198.18.0.1 198.19.255.255 198.20.0.0 \
		223.255.255.255 224.0.0.1 240.0.0.1 255.255.255.255
	expect <<-'END'
		0.0.0.0 this network
		1.1.1.1 -
		9.255.255.255 -
		10.0.0.0 private
		10.255.255.255 private
		11.0.0.0 -
		100.63.255.255 -
		100.64.0.0 carrier-grade
		100.127.255.255 carrier-grade
		100.128.0.0 -
		127.0.0.1 loopback
		127.255.255.255 loopback
		128.0.0.0 -
		169.253.255.255 -
		169.254.169.254 link-local
		172.15.255.255 -
		172.16.0.0 private
		172.31.255.255 private
		172.32.0.0 -
		192.0.0.1 reserved
		192.88.99.1 a relay
		192.168.0.1 private
		198.17.255.255 -
		198.18.0.1 for measuring
		198.19.255.255 for measuring
		198.20.0.0 -
		223.255.255.255 -
		224.0.0.1 multicast
		240.0.0.1 reserved
		255.255.255.255 reserved
	END
	run -0 "$CO_BIN/../t/tool/fetch/address" :: ::1 ::2 ::ffff:127.0.0.1 \
		::ffff:1.1.1.1 64:ff9b::10.0.0.1 64:ff9b:1::1 100::1 2001::1 \
		2001:20::1 2001:200::1 2001:db8::5 2002:7f00:1::1 2606:4700::1 \
		3fff::1 3fff:1000::1 4000::1 fc00::1 fdff::1 fe80::1 fec0::1 ff02::1
	expect <<-'END'
		:: this network
		::1 loopback
		::2 IPv4 inside IPv6
		::ffff:127.0.0.1 IPv4 inside IPv6
		::ffff:1.1.1.1 IPv4 inside IPv6
		64:ff9b::10.0.0.1 IPv4 by NAT64
		64:ff9b:1::1 IPv4 by NAT64
		100::1 reserved
		2001::1 IPv4 inside IPv6
		2001:20::1 reserved
		2001:200::1 -
		2001:db8::5 -
		2002:7f00:1::1 IPv4 inside IPv6
		2606:4700::1 -
		3fff::1 reserved
		3fff:1000::1 -
		4000::1 reserved
		fc00::1 unique local
		fdff::1 unique local
		fe80::1 link-local
		fec0::1 private
		ff02::1 multicast
	END
}

# forms: print URLs that must be refused.
forms() {
	local host
	for host in 127.0.0.1 127.1 127.0.1 0x7f.1 0x7f000001 2130706433 \
		017700000001 0177.0.0.1 0.0.0.0 0 10.0.0.1 10.1 \
		172.16.0.1 192.168.1.1 192.168.257 169.254.169.254 0xa9fea9fe \
		100.64.0.1 198.18.0.1 '[::1]' '[::]' '[0:0:0:0:0:0:0:1]' \
		'[::ffff:127.0.0.1]' '[::ffff:7f00:1]' '[::ffff:a9fe:a9fe]' \
		'[::127.0.0.1]' '[64:ff9b::127.0.0.1]' '[64:ff9b::a00:1]' \
		'[2002:7f00:1::]' '[fe80::1]' '[fe80::1%251]' '[fc00::1]' \
		inside.test inside.test. localhost; do
		echo "http://$host/page"
	done
	echo http://127.0.0.1:80/page
	echo https://127.0.0.1:80/page
}

@test "co-fetch connects to no private address, in any notation" {
	need_inside
	cat >ask <<-'END'
		while read -r form; do
			co-fetch "$form"
			echo "$? $form"
			co-fetch "http://203.0.113.5/to?$form"
			echo "$? by redirect"
		done
	END
	run -0 --separate-stderr inside bash ask < <(forms)
	sort -u <(grep -o '^[0-9]*' <<<"$output") | diff - <(printf '3\n')
	run -1 grep INSIDE log
	[ "$(grep -c '^/to' log)" = "$(forms | wc -l)" ]
	# Those addresses can be reached with --allow-private.
	run -0 inside co-fetch --allow-private http://127.0.0.1/page
	grep -q INSIDE log
}

@test "co-fetch checks the address of a host again for each request" {
	need_inside
	run -0 inside bash -c 'co-fetch http://turn.test/page &&
		! co-fetch http://turn.test/page'
	[[ $output == *"'http://turn.test/page' is not public: it leads to 127.0.0.1, which is loopback" ]]
	run -1 grep INSIDE log
	# One public address of two is enough, and only that one is used.
	run -0 inside co-fetch http://both.test/page
	run -1 grep INSIDE log
}

@test "co-fetch refuses URLs other than http and https, and odd authorities" {
	need_inside
	: >log
	cat >ask <<-'END'
		while read -r form; do
			co-fetch "http://203.0.113.5/to?$form"
			echo "$? $form"
			co-fetch "$form"
			echo "$?"
		done
	END
	run -0 --separate-stderr inside bash ask <<-'END'
		file:///etc/passwd
		gopher://127.0.0.1:80/_GET
		ftp://127.0.0.1/x
		dict://127.0.0.1:80/x
		ldap://127.0.0.1/x
		smb://127.0.0.1/x
		javascript:alert(1)
		data:text/plain,hello
		http://me@203.0.113.5/page
		http://me:it@203.0.113.5/page
		http://@203.0.113.5/page
		http://203.0.113.5@127.0.0.1/page
		http://127.0.0.1\@203.0.113.5/page
		http://203.0.113.5:99999/page
	END
	grep -vE '^[23]( |$)' <<<"$output" | diff /dev/null -
	run -1 grep -E 'INSIDE|^/page' log
	run -2 co-fetch $'http://203.0.113.5/\r\nX: y'
	run -2 co-fetch page
	run -2 co-fetch
	run -2 co-fetch "http://203.0.113.5/$(printf 'a%.0s' {1..9000})"
	run -3 --separate-stderr co-fetch http://me:hunter2@203.0.113.5/
	[[ $stderr != *hunter2* ]]
}

@test "co-fetch refuses a TLS server without a trusted certificate" {
	need_inside
	command -v openssl >/dev/null || skip 'there is no openssl for a server'
	certificate server
	cat >ask <<-'END'
		openssl s_server -accept 203.0.113.5:443 -key server.key \
			-cert server.pem -WWW -quiet >/dev/null 2>&1 </dev/null &
		trap "kill $!" EXIT
		until openssl s_client -connect 203.0.113.5:443 </dev/null >/dev/null 2>&1
		do :; done
		co-fetch https://203.0.113.5/file
		echo $?
		bundle=$(readlink -f /etc/ssl/certs/ca-certificates.crt) &&
			mount --bind ca.pem "$bundle" 2>/dev/null || exit 0
		co-fetch https://203.0.113.5/file && co-fetch https://any.test/file
		echo $?
	END
	echo 'a file' >file
	run -0 timeout 600 bash -c 'load() { :; }; . "$1"; shift; inside "$@"' \
		- "$CO_SOURCE/t/web.bash" bash ask
	[[ ${lines[0]} == "co-fetch: 'https://203.0.113.5/file' is not to be trusted: "* ]]
	[ "${lines[1]}" = 4 ]
	[ "${#lines[@]}" = 2 ] || {
		[ "${lines[2]}" = 'a file' ]
		[[ ${lines[3]} == *"'https://any.test/file' is not to be trusted: "* ]]
		[ "${lines[4]}" = 4 ]
	}
}
