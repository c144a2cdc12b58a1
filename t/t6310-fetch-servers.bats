#!/usr/bin/env bats
# Test co-fetch with nginx, dnsmasq and busybox in a network namespace of the
# test.
# bats file_tags=rights
load lib
load web

setup() {
	web_world
	need_inside
	mkdir www tmp
	: >log
	echo '<title>A page</title><h2>Part</h2><p>It has a text of its own.</p>' \
		>www/page.html
}

# reached ADDRESS PORT: wait until the server accepts connections.
reached() {
	until (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; do
		kill -0 "$server" || return 1
	done
}
export -f reached

# nginx may be in a directory that is only in root's PATH.
need_nginx() {
	PATH=$PATH:/usr/sbin
	command -v nginx >/dev/null || skip 'nginx is not there'
	command -v openssl >/dev/null || skip 'there is no openssl for a server'
}

# at_nginx COMMAND...: run it while nginx serves www at 203.0.113.5:8080, and
# with TLS at 8443.
at_nginx() {
	certificate server
	cat >nginx.conf <<-'END'
		daemon off;
		master_process off;
		user root;
		pid nginx.pid;
		error_log error.log;
		events {}
		http {
			log_format brief '$status $uri $sent_http_content_encoding';
			access_log access.log brief;
			client_body_temp_path tmp;
			proxy_temp_path tmp;
			fastcgi_temp_path tmp;
			uwsgi_temp_path tmp;
			scgi_temp_path tmp;
			types { text/html html; text/plain txt; }
			charset utf-8;
			gzip on;
			gzip_min_length 1;
			server {
				listen 203.0.113.5:8080;
				root www;
				location = /to-page { return 301 /page.html; }
				location = /to-inside { return 302 http://127.0.0.1/page; }
				location = /to-name { return 307 http://inside.test/page; }
				location = /loop { return 302 /loop; }
				location = /private.html { }
				location = /bomb { add_header Content-Encoding gzip; }
			}
			server {
				listen 203.0.113.5:8443 ssl;
				ssl_certificate server.pem;
				ssl_certificate_key server.key;
				root www;
				location = /back { return 302 http://203.0.113.5:8080/page.html; }
			}
		}
	END
	cat >serve <<-'END'
		nginx -p "$PWD" -c nginx.conf -e error.log &
		server=$!
		trap 'kill "$server"; wait "$server"' EXIT
		reached 203.0.113.5 8443 || exit 9
		"$@"
	END
	inside bash serve "$@"
}

@test "co-fetch gets compressed and conditional pages from nginx" {
	need_nginx
	[ -x "$CO_BIN/co-text-extract" ] || skip 'made without libxml2 or libarchive'
	cat >ask <<-'END'
		site=http://203.0.113.5:8080
		co-fetch --meta=meta $site/page.html | cmp - www/page.html
		co-fetch --etag="$(jq -r .etag meta)" $site/page.html
		echo $?
		co-fetch --modified="$(jq -r .last_modified meta)" $site/page.html
		echo $?
		co-fetch --meta=moved $site/to-page | cmp - www/page.html
		co-fetch $site/absent
		echo $?
		co-learn -q -y $site/page.html
		echo more >>www/page.html
		co-refresh -q -y
		echo $?
	END
	run -0 --separate-stderr at_nginx bash ask
	expect <<<$'1\n1\n1\n0'
	[ "$(jq -r '.type, .charset' meta)" = $'text/html\nutf-8' ]
	[ "$(jq -r .final moved)" = http://203.0.113.5:8080/page.html ]
	grep -qx '200 /page.html gzip' access.log
	[ "$(grep -c '^304 /page.html' access.log)" = 2 ]
	[ "$(co-article-list --format='%(title) %(source)')" = \
		'A page http://203.0.113.5:8080/page.html' ]
	grep -q more .co-cli/knowledge/articles/*.md
}

@test "co-fetch refuses redirects of nginx to private addresses and off TLS" {
	need_nginx
	cat >ask <<-'END'
		for path in to-inside to-name loop; do
			co-fetch "http://203.0.113.5:8080/$path"
			echo $?
		done
		co-fetch https://203.0.113.5:8443/page.html
		echo $?
		bundle=$(readlink -f /etc/ssl/certs/ca-certificates.crt) &&
			mount --bind ca.pem "$bundle" 2>/dev/null || exit 0
		co-fetch https://203.0.113.5:8443/page.html | cmp - www/page.html
		co-fetch https://203.0.113.5:8443/back
		echo $?
	END
	run -0 --separate-stderr at_nginx bash ask
	[[ $output == $'3\n3\n4\n4' || $output == $'3\n3\n4\n4\n3' ]]
	run -1 grep INSIDE log
}

@test "co-fetch limits unpacked bytes and obeys robots.txt of nginx" {
	need_nginx
	head -c 33554432 /dev/zero | gzip >www/bomb
	printf 'User-agent: *\nDisallow: /private\n' >www/robots.txt
	cp www/page.html www/private.html
	cat >ask <<-'END'
		site=http://203.0.113.5:8080
		co-fetch $site/bomb | wc -c
		co-fetch $site/bomb >all
		echo $?
		co-fetch --robots $site/private.html
		echo $?
		co-fetch --robots $site/page.html | cmp - www/page.html
		co-fetch $site/private.html | cmp - www/page.html
	END
	run -0 --separate-stderr at_nginx bash ask
	expect <<<$'0\n4\n3'
	[[ $stderr == *8388608* ]]
	[ ! -s all ]
	[ "$(grep -c ' /private.html ' access.log)" = 1 ]
}

@test "co-fetch refuses a name that dnsmasq changes to a private address" {
	PATH=$PATH:/usr/sbin
	command -v dnsmasq >/dev/null || skip 'dnsmasq is not there'
	cat >ask <<-'END'
		echo '203.0.113.5 turn.example' >hosts
		dnsmasq --no-daemon --conf-file=/dev/null --no-resolv --no-hosts \
			--addn-hosts="$PWD/hosts" --local-ttl=0 --pid-file= \
			--listen-address=127.0.0.2 --bind-interfaces 2>said &
		server=$!
		trap 'kill "$server"; wait "$server"' EXIT
		reached 127.0.0.2 53 || exit 9
		echo 'nameserver 127.0.0.2' >resolv.conf
		co-fetch http://turn.example/page
		echo '127.0.0.1 turn.example' >hosts
		kill -HUP "$server"
		while co-fetch http://turn.example/page >again; do :; done
		co-fetch http://turn.example/page
		echo $?
		co-fetch 'http://203.0.113.5/to?http://turn.example/page'
		echo $?
	END
	run -0 --separate-stderr inside timeout 600 bash ask
	expect <<-'END'
		<title>A page</title><p>Hello.</p>
		3
		3
	END
	[[ $stderr == *"'http://turn.example/page' is not public: it leads to 127.0.0.1, which is loopback"* ]]
	run -1 grep INSIDE log
}

@test "co-fetch gets files from busybox unchanged" {
	busybox httpd --help 2>&1 | grep -q 'Usage: httpd' ||
		skip 'busybox is not there, or has no httpd'
	printf '\001\002\377' >www/bytes.bin
	cat >ask <<-'END'
		busybox httpd -f -p 203.0.113.5:8081 -h www &
		server=$!
		trap 'kill "$server"; wait "$server"' EXIT
		reached 203.0.113.5 8081 || exit 9
		for name in page.html bytes.bin; do
			co-fetch http://203.0.113.5:8081/$name | cmp - www/$name
		done
		co-fetch http://203.0.113.5:8081/absent
		echo $?
	END
	run -0 --separate-stderr inside bash ask
	expect <<<1
	run -1 grep INSIDE log
}
