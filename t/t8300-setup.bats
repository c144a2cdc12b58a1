#!/usr/bin/env bats
# What co setup writes into the configurations of agents, and that --remove removes
# exactly that.
# bats file_tags=rights
load lib
load terminal

agents=(claude codex gemini opencode qwen copilot cursor continue)

setup() {
	world
	mkdir .co-cli
}

# setup_all [OPTION...]: set up all agents.
setup_all() {
	for agent in "${agents[@]}"; do
		co setup $agent -y "$@" >>setup.out 2>>setup.err || return
	done
}

# files: print all configuration files with their contents.
files() {
	tree "$HOME" | sed "s|$CO_BIN|BIN|g"
}

@test "co setup writes the server and the hooks that each agent supports" {
	setup_all
	run -0 jq -c .mcpServers.co "$HOME/.claude.json" "$HOME/.cursor/mcp.json" \
		"$HOME/.continue/mcpServers/co.json"
	expect <<-END
		{"type":"stdio","command":"$CO_BIN/co","args":["mcp"]}
		{"command":"$CO_BIN/co","args":["mcp"]}
		{"command":"$CO_BIN/co","args":["mcp"]}
	END
	run -0 jq -c '.hooks | keys' "$HOME/.claude/settings.json" \
		"$HOME/.gemini/settings.json" "$HOME/.qwen/settings.json"
	expect <<-END
		["PostToolUse","PreToolUse","SessionEnd","SessionStart","Stop","SubagentStart","UserPromptSubmit"]
		["AfterAgent","AfterTool","BeforeAgent","SessionEnd","SessionStart"]
		["PostToolUse","SessionEnd","SessionStart","Stop","SubagentStart","UserPromptSubmit"]
	END
	diff -u - "$HOME/.codex/config.toml" <<-END
		[mcp_servers.co]
		command = "$CO_BIN/co"
		args = ["mcp"]
	END
	jq -e .hooks.SessionStart "$HOME/.codex/hooks.json"
	run -0 jq -r .mcpServers.co.command "$HOME/.gemini/settings.json" \
		"$HOME/.qwen/settings.json" "$HOME/.copilot/mcp-config.json"
	expect <<-END
		$CO_BIN/co
		$CO_BIN/co
		$CO_BIN/co
	END
	[ "$(jq -c .mcp.co "$HOME/.config/opencode/opencode.json")" = \
		"{\"type\":\"local\",\"command\":[\"$CO_BIN/co\",\"mcp\"],\"enabled\":true}" ]
	[[ $(jq -r '.hooks.SessionEnd[0].hooks[0].command' \
		"$HOME/.copilot/hooks/co.json") == *"'$CO_BIN/co' hook copilot;"* ]]
	grep -qxF "const command = [\"$CO_BIN/co\",\"hook\",\"opencode\"]" \
		"$HOME/.config/opencode/plugins/co.js"
	grep -F -- '--project writes' setup.err
	[ "$(find "$HOME" -type f ! -perm 600)" = '' ]
	grep -F 'type /hooks' setup.err
}

@test "a hook command runs in any shell, and prints {} if co is gone" {
	echo '{"hook.timeout_ms": 60000}' >settings
	mkdir -p "$global" .co-cli/knowledge "it's a \$(dir)"
	cp settings "$global/settings.json"
	echo 'Use tabs.' >.co-cli/knowledge/context.md
	ln -s "$CO_BIN"/co* "it's a \$(dir)/"
	PATH="$PWD/it's a \$(dir):$PATH" co setup gemini -y
	command=$(jq -r '.hooks.SessionStart[0].hooks[0].command' \
		"$HOME/.gemini/settings.json")
	[[ $command == *"it'\\''s a \$(dir)/co"* ]]
	for shell in sh bash dash; do
		command -v $shell >/dev/null || continue
		run -0 env PATH=/usr/bin:/bin $shell -c "$command" \
			<<<'{"hook_event_name":"SessionStart"}'
		[[ $output == *'Use tabs.'* ]]
	done
	rm -r "it's a \$(dir)"
	run -0 sh -c "$command" <<<'{"hook_event_name":"SessionStart"}'
	expect <<<'{}'
	co setup claude --project -y
	command=$(jq -r '.hooks.SessionEnd[0].hooks[0].command' \
		.claude/settings.json)
	run -0 sh -c "$command" <<<'{"hook_event_name":"SessionStart"}'
	[[ $output == *'Use tabs.'* ]]
	run -0 env PATH=/usr/bin:/bin sh -c "$command" </dev/null
	expect <<<'{}'
}

@test "co setup by a co that is not in PATH writes commands that run" {
	local suite settings=$HOME/.gemini/settings.json
	suite=$(cd -P "$CO_BIN" && pwd)/co
	PATH=${PATH#"$CO_BIN":}
	run -0 "$suite" setup gemini -y
	run -0 jq -r '.mcpServers.co.command' "$settings"
	expect <<<"$suite"
	run -0 "$output" mcp </dev/null
	run -0 jq -r '.hooks.SessionEnd[0].hooks[0].command' "$settings"
	run -0 sh -c "$output" <<<'{"hook_event_name":"SessionEnd"}'
	expect <<<'{}'
	run -0 "$suite" setup gemini --remove -y
	[ ! -e "$settings" ]
	run -0 "$suite" setup --print
	[[ $output == *"\"$suite\""* ]]
}

@test "co setup twice changes nothing, and --remove leaves no file" {
	setup_all
	files >before
	rm setup.err
	setup_all
	diff -u before <(files)
	[ "$(grep -c 'set up already' setup.err)" = ${#agents[@]} ]
	setup_all --remove
	[ "$(find "$HOME" -type f)" = '' ]
	setup_all --remove
	[ "$(grep -c 'co is not set up' setup.err)" = ${#agents[@]} ]
}

# lived_in: write configurations as people and agents leave them.
lived_in() {
	mkdir -p "$HOME/.claude" "$HOME/.codex" "$HOME/.gemini" \
		"$HOME/.config/opencode"
	printf '{"numStartups":3,"mcpServers":{},"projects":{"/p":{"a":[1,2.50]}}}' \
		>"$HOME/.claude.json"
	printf '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{"hooks": [{"type": "command", "command": "mine"}]}\n\t\t]\n\t}\n}\n' \
		>"$HOME/.claude/settings.json"
	printf '# mine\r\nmodel = "o" # odd\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\ntext = """\r\n[mcp_servers.co]\r\n"""\r\n\r\n[projects."/a.b"]\r\ntrust_level = "trusted"' \
		>"$HOME/.codex/config.toml"
	printf '{\n    // a comment\n    "ui": {"theme": "x",}, /* more */\n    "hooks": {}, // none\n}\n\n' \
		>"$HOME/.gemini/settings.json"
	printf '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    // theirs\n    "other": {"type": "local"} // keep\n  }\n}' \
		>"$HOME/.config/opencode/opencode.jsonc"
	chmod 640 "$HOME/.claude.json"
}

# only_added FILE BACKUP: fail unless FILE has every line of BACKUP in order, except for
# commas.
only_added() {
	diff <(sed 's/,//g' "$2") <(sed 's/,//g' "$1") >changes || :
	run -1 grep '^<' changes
}

@test "co setup keeps every existing byte, with comments" {
	lived_in
	files >before
	cp -a "$HOME" was
	setup_all
	for file in .claude.json .claude/settings.json .codex/config.toml \
		.gemini/settings.json .config/opencode/opencode.jsonc; do
		cmp "was/$file" "$HOME/$file.co-backup"
	done
	only_added "$HOME/.claude/settings.json"{,.co-backup}
	only_added "$HOME/.config/opencode/opencode.jsonc"{,.co-backup}
	jq -e '.projects["/p"].a == [1, 2.5] and .mcpServers.co' "$HOME/.claude.json"
	grep -qF '"a":[1,2.50]' "$HOME/.claude.json"
	[ "$(stat -c %a "$HOME/.claude.json")" = 640 ]
	[ "$(stat -c %a "$HOME/.claude.json.co-backup")" = 640 ]
	[ "$(grep -c "$(printf '\r$')" "$HOME/.codex/config.toml")" = 15 ]
	[ "$(jq '.hooks.SessionStart | length' "$HOME/.claude/settings.json")" = 2 ]
	grep -qF '// a comment' "$HOME/.gemini/settings.json"
	[ ! -e "$HOME/.config/opencode/opencode.json" ]
	setup_all --remove
	diff -u before <(files)
}

@test "--remove keeps changes that were made after co setup" {
	lived_in
	setup_all
	jq '.added = 1' "$HOME/.claude.json" >new && mv new "$HOME/.claude.json"
	printf '\n[added]\nx = 1\n' >>"$HOME/.codex/config.toml"
	sed -i 's|// a comment|// another|' "$HOME/.gemini/settings.json"
	sed -i 's|"mine"|"mine too"|' "$HOME/.claude/settings.json"
	sed -i 's|// keep|// kept|' "$HOME/.config/opencode/opencode.jsonc"
	setup_all --remove
	run -1 grep -rE '"co"|hook (claude|codex|gemini|qwen|copilot)|servers.co\]$' \
		"$HOME" --exclude='*.co-backup'
	jq -e '.added == 1 and .numStartups == 3' "$HOME/.claude.json"
	grep -qxF '[added]' "$HOME/.codex/config.toml"
	printf '{\n    // another\n    "ui": {"theme": "x",}, /* more */ // none\n}\n\n' |
		diff -u - "$HOME/.gemini/settings.json"
	sed 's|// keep|// kept|' "$HOME/.config/opencode/opencode.jsonc.co-backup" |
		cmp - "$HOME/.config/opencode/opencode.jsonc"
	[ "$(jq '.hooks.SessionStart | length' "$HOME/.claude/settings.json")" = 1 ]
}

@test "if co has moved, co setup changes only its path" {
	mkdir old
	ln -s "$CO_BIN"/co* old/
	PATH=$PWD/old:$PATH setup_all
	sed -i 's|args = |tool_timeout_sec = 7\nargs = |' "$HOME/.codex/config.toml"
	jq '.mcpServers.co.timeout = 5' "$HOME/.claude.json" >new
	mv new "$HOME/.claude.json"
	run -0 co setup codex -y
	[[ $output == *'~/.codex/config.toml (+1 -1 lines)'* ]]
	grep -qxF "command = \"$CO_BIN/co\"" "$HOME/.codex/config.toml"
	grep -qx 'tool_timeout_sec = 7' "$HOME/.codex/config.toml"
	setup_all
	run -1 grep -rF "$PWD/old" "$HOME"
	[ "$(jq .mcpServers.co.timeout "$HOME/.claude.json")" = 5 ]
	[ "$(jq '.hooks.SessionEnd | length' "$HOME/.claude/settings.json")" = 1 ]
}

# The lines that tell what Claude Code will do.
claude_does="  - get your context when a session begins, and pass your rules to its agents
  - search memories and propose new ones
  - save lines that begin with 'remember:' as drafts
  - get memories unasked, if you choose
  - tell co what it read from outside
Nothing is sent anywhere."

@test "without a terminal, co setup prints the changes and the command to write them" {
	run -1 co setup claude --project </dev/null
	expect <<-END
		Claude Code will, for everyone who works in this project
		$claude_does
		Files: $PWD/.mcp.json (+9 lines), $PWD/.claude/settings.json (+83 lines)
		co-setup: nothing was written
		hint: not a terminal: 'co setup claude --project -y' writes it
		hint: 'co setup claude --project --print' prints the entries
	END
	[ "$(find "$HOME" .mcp.json .claude -type f 2>/dev/null)" = '' ]
	git init -q .
	run -1 --separate-stderr co setup git </dev/null
	[[ $stderr == *"hint: not a terminal: 'co setup git -y' writes it" ]]
	run -1 --separate-stderr co setup git --user https://example.org/x </dev/null
	[[ $stderr == *"'co setup git --user https://example.org/x -y' writes it" ]]
}

@test "on a terminal, co setup lists what the agent will do, and d shows a diff" {
	need_terminal
	terminal 1 '\001x\001dn' 'co setup claude'
	[[ $output == *"+++ $HOME/.claude.json"*'+      "args": ["mcp"]'* ]]
	output=$(grep -v '^[-+@]' <<<"$output")
	expect <<-END
		Claude Code will
		$claude_does
		Files: ~/.claude.json (+9 lines), ~/.claude/settings.json (+83 lines)
		Write them [y,n,d(iff),?]? x
		y - write them
		n - write nothing
		d - show the difference
		Write them [y,n,d(iff),?]? d
		Write them [y,n,d(iff),?]? n
		co-setup: nothing was written
	END
	[ "$(find "$HOME" -type f)" = '' ]
	terminal 0 y 'co setup claude'
	[[ $output == *"? y
✓ Wrote ~/.claude.json
✓ Wrote ~/.claude/settings.json
One more question, for all agents.
Claude Code can get memories unasked:
a - action: before an edit or a command, the memories that cite or name the
    file, or are about the command; co proposes this
p - prompt: with each prompt, the memories that match it
b - both
n - neither: only what the agent itself asks for
When [a(ction),p(rompt),b(oth),n(either),?]? 
hint: start a new session of Claude Code; 'co status' shows what it got
hint: 'co setup claude --remove' undoes it" ]]
	terminal 0 '' 'co setup claude --remove -y'
	expect <<-END
		Claude Code will not use co any more
		Files: ~/.claude.json (removed), ~/.claude/settings.json (removed)
		✓ Removed ~/.claude.json
		✓ Removed ~/.claude/settings.json
	END
	terminal 0 y 'co setup cursor --project'
	[[ $output == "Cursor will, for everyone who works in this project
  - search memories and propose new ones
  - read a rule that names the commands of co
"*" --project --remove' undoes it" ]]
}

@test "on a terminal, co setup shows the diff in the pager" {
	need_terminal
	PAGER='sed "s/^/paged: /"' TERM=xterm terminal 1 dn 'co setup claude'
	[[ $output == *$'\n'"paged: +++ $HOME/.claude.json"* ]]
}

@test "on a terminal, co setup asks once when hooks add memories" {
	need_terminal
	local settings=$global/settings.json key value
	co setup claude -y >/dev/null 2>&1
	co setup claude -y --remove >/dev/null 2>&1
	[ ! -e "$settings" ]
	terminal 0 y 'co setup claude'
	[ ! -e "$settings" ]
	# It asks too if everything is set up already.
	terminal 0 '\001x\001a' 'co setup claude'
	[[ $output == *'set up already'*'co proposes this'*'When ['*']? x'*'When ['*']? a'*'✓ Set hook.recall to action' ]]
	[ "$(co config --global hook.recall)" = action ]
	for pair in p:prompt b:both n:off; do
		rm "$settings"
		terminal 0 "y${pair%:*}" 'co setup gemini'
		[ "$(jq -r .hook.recall "$settings")" = "${pair#*:}" ]
		co setup gemini -y --remove >/dev/null 2>&1
	done
	# A line that was pasted at the question is dropped: its "p" is no answer.
	rm "$settings"
	terminal 0 'co setup git\n' 'co setup claude'
	[[ $output == *'When ['*']? c'*'When ['*']? ' ]]
	[ ! -e "$settings" ]
	terminal 0 '\001ls docs\n\001b' 'co setup claude'
	[[ $output == *'✓ Set hook.recall to both' ]]
	# It does not ask again, and does not ask for an agent without hooks.
	terminal 0 '' 'co setup claude'
	[[ $output != *'When ['* ]]
	rm "$settings"
	terminal 0 y 'co setup cursor'
	[[ $output != *'When ['* ]]
}

@test "co setup offers to import memories that an agent keeps" {
	need_terminal
	mkdir "$HOME/.gemini"
	printf '## Gemini Added Memories\n- tests need Docker\n' >"$HOME/.gemini/GEMINI.md"
	terminal 0 '' 'co setup gemini -y'
	[[ $output == *"hint: 'co import --global gemini ~/.gemini/GEMINI.md' imports its memories"* ]]
	co setup gemini -y --remove
	[ ! -d "$global" ]
	terminal 0 ynn 'co setup gemini'
	[[ $output == *'Gemini CLI has memories of its own in ~/.gemini/GEMINI.md: import them as drafts? [y/N]'* ]]
	co setup gemini -y --remove
	terminal 0 yy 'co setup gemini'
	[[ $output == *'✓ Imported 1 draft; 0 known already, 0 refused'* ]]
	run -0 co list --drafts --global
	[[ $output == *'tests need Docker' ]]
}

@test "co setup claude offers to import what it remembers of the project" {
	need_terminal
	local own=$HOME/.claude/projects/${PWD//[^[:alnum:]]/-}/memory
	mkdir -p "$own"
	echo '- [Tests](tests.md)' >"$own/MEMORY.md"
	printf -- '---\nname: tests\ndescription: d\ntype: project\n---\n\nTests need Docker.\n' >"$own/tests.md"
	echo 'Use tabs.' >"$HOME/.claude/CLAUDE.md"
	terminal 0 '' 'co setup claude -y'
	[[ $output == *"hint: 'co import claude ~/.claude/projects/-"*"/memory' imports its memories
hint: 'co import --global claude ~/.claude/CLAUDE.md' imports its memories"* ]]
	co setup claude -y --remove
	terminal 0 yny 'co setup claude'
	[[ $output == *'Claude Code has memories of this project in ~/.claude/projects/-'*'/memory: import them as drafts? [y/N]'* ]]
	[[ $output == *"hint: 'co import --global claude ~/.claude/CLAUDE.md'"*'✓ Imported 1 draft; 0 known already, 0 refused'* ]]
	run -0 co list --drafts
	[[ $output == *'Tests need Docker.' ]]
	[ "$(co-memory-list --drafts | co-memory-show --json | jq -r .source)" = claude:tests.md ]
}

@test "co setup without an agent lists those of this machine, and offers one" {
	PATH=$CO_BIN:/usr/bin:/bin
	run -0 --separate-stderr co setup
	expect </dev/null
	[ "${stderr_lines[0]}" = 'co-setup: no agent was found on this machine' ]
	mkdir "$HOME/.codex" "$HOME/.config/opencode" -p
	: >"$HOME/.claude.json"
	co setup claude -y >/dev/null
	co setup codex --project -y >/dev/null
	run -0 --separate-stderr co setup
	expect <<-'END'
		claude    Claude Code   set up
		codex     Codex         not set up; for this project: set up
		opencode  OpenCode      not set up
	END
	[[ $stderr == "hint: 'co setup claude|codex|"*"|git'" ]]
	need_terminal
	terminal 0 n 'co setup'
	[[ $output == *'3: opencode  OpenCode      not set up
Set up which [1-3, n(one)]? n' ]]
	terminal 0 3y 'co setup'
	[[ $output == *'OpenCode will'*'✓ Wrote ~/.config/opencode/opencode.json'* ]]
	terminal 0 '' 'co setup'
	[[ $output != *'Set up which'* ]]
}

@test "co setup says what a plugin does besides, as for hooks" {
	run -0 co setup opencode -y
	[[ $output == *'- get memories unasked, if you choose'$'\n'*'- tell co what it read from outside'$'\n'* ]]
	[[ $output != *'(hook'* ]]
}

@test "co setup accepts only one agent" {
	run -2 co setup claude codex
	[ "${lines[0]}" = "co-setup: name one agent at a time, not 'codex' too" ]
	run -2 co setup git https://example.org/x.git
	[ "${lines[0]}" = "co-setup: a URL requires --user: 'co setup git --user https://example.org/x.git'" ]
	run -2 co setup --user claude
	[ "${lines[0]}" = "co-setup: --user is for git: 'co setup claude' is for you already" ]
}

@test "co setup fails if another server is called co, and does not change it" {
	printf '{"mcpServers": {"co": {"command": "rcs"}}}' >"$HOME/.claude.json"
	cp "$HOME/.claude.json" before
	run -3 co setup claude -y
	expect <<<"co-setup: '$HOME/.claude.json': another server is called 'co' there: rename or remove it first"
	[ ! -e "$HOME/.claude" ]
	run -0 co setup claude -y --remove
	cmp before "$HOME/.claude.json"
	echo '{"mcpServers": {"co": {"command": "co", "args": ["mcp", "-v"]}}}' >"$HOME/.claude.json"
	cp "$HOME/.claude.json" before
	run -3 co setup claude -y
	run -0 co setup claude -y --remove
	cmp before "$HOME/.claude.json"
	mkdir "$HOME/.codex"
	printf '[mcp_servers.co]\nurl = "x"\n' >"$HOME/.codex/config.toml"
	run -3 co setup codex -y
	[[ $output == *'another server is called'* ]]
}

@test "co setup leaves a foreign plugin, and updates its own" {
	plugin=$HOME/.config/opencode/plugins/co.js
	mkdir -p "${plugin%/*}"
	for text in 'export const Co = 1' $'\n// co: written by co setup, which' \
		$'\xff' '// co: written by co setup, which replaces it'; do
		printf '%s' "$text" >"$plugin"
		cp "$plugin" before
		run -3 co setup opencode -y
		expect <<<"co-setup: '$plugin':1: this file was not written by co: rename or remove it first"
		run -0 co setup opencode -y --remove
		cmp before "$plugin"
	done
	[ "$(find "$HOME/.config/opencode" -type f)" = "$plugin" ]
	printf ' \n' >"$plugin"
	co setup opencode -y
	cp "$plugin" whole
	sed -i '$d' "$plugin"
	[ "$(co status --tools --json | jq -r '.agents[] |
		select(.name == "opencode") | .user')" = other ]
	run -0 co setup opencode -y
	[[ $output == *'~/.config/opencode/plugins/co.js (+1 line)'* ]]
	cmp whole "$plugin"
	co setup opencode -y --remove
	diff -u - "$plugin" <<<' '
}

@test "co setup leaves a foreign rule" {
	mkdir -p .cursor/rules
	for text in $'---\nalwaysApply: true\n---\nwritten by co setup, which\n' \
		'---' $'# Mine\n'; do
		printf '%s' "$text" | tee before >.cursor/rules/co.mdc
		run -3 co setup cursor --project -y
		expect <<<"co-setup: '$PWD/.cursor/rules/co.mdc':1: this file was not written by co: rename or remove it first"
		co setup cursor --project -y --remove
		cmp before .cursor/rules/co.mdc
		[ ! -e .cursor/mcp.json ]
	done
}

@test "a schema line that OpenCode adds does not hinder --remove" {
	file=$HOME/.config/opencode/opencode.json
	add='s|^{|{\n  "$schema": "https://opencode.ai/config.json",|'
	co setup opencode -y
	sed -i "1$add" "$file"
	co setup opencode -y --remove
	[ -z "$(ls -A "$HOME/.config")" ]
	mkdir -p "${file%/*}"
	printf '{"model": "x", "mcp": {}}' | tee was >"$file"
	co setup opencode -y
	sed -i "1$add" "$file"
	co setup opencode -y --remove
	cmp was "$file"
	# The user's own schema line stays.
	printf '{\n  "$schema": "mine"\n}\n' | tee was >"$file"
	co setup opencode -y
	sed -i 's/mine/another/' "$file"
	co setup opencode -y --remove
	diff -u <(sed 's/mine/another/' was) "$file"
}

@test "co setup refuses a malformed configuration, and changes nothing" {
	mkdir -p "$HOME/.gemini" "$HOME/.codex"
	for text in '{' '[]' '{"hooks": 7}' '{"mcpServers": []}' $'\xff' \
		'{"a": 1, "a": 2}' '{"hooks": {"SessionEnd": {}}}'; do
		printf '%s' "$text" >"$HOME/.gemini/settings.json"
		cp "$HOME/.gemini/settings.json" before
		run -3 co setup gemini -y
		[[ $output == "co-setup: '$HOME/.gemini/settings.json':"* ]]
		cmp before "$HOME/.gemini/settings.json"
	done
	for text in '[mcp_servers' 'x' 'x = "a' 'x = [' 'x = ]' '= 1' \
		'mcp_servers = {}' 'mcp_servers.co.command = "x"' '[[mcp_servers]]' \
		$'[mcp_servers]\nco = {}' $'x = """\n' '[[mcp_servers.co]]' $'\xff' \
		$'[mcp_servers.co]\ncommand = "co"\nargs = ["mcp"]\n[mcp_servers.co]\ncommand = "x"' \
		$'[mcp_servers.co]\ncommand = "co"\nargs = ["mcp"]\ncommand = "x"' \
		'x =' 'a..b = 1'; do
		printf '%s' "$text" >"$HOME/.codex/config.toml"
		cp "$HOME/.codex/config.toml" before
		run -3 co setup codex -y
		[[ $output == "co-setup: '$HOME/.codex/config.toml':"[0-9]* ]]
		cmp before "$HOME/.codex/config.toml"
		run -3 co setup codex --remove -y
		cmp before "$HOME/.codex/config.toml"
	done
	[ "$(find "$HOME" -name '*.co-*')" = '' ]
	[ ! -e "$HOME/.codex/hooks.json" ]
}

@test "co setup says which form it expects in a configuration" {
	mkdir -p "$HOME/.gemini" "$HOME/.codex"
	while IFS='|' read -r file text; do
		printf "$text" >"$HOME/.$file"
		agent=${file%%/*}
		run -3 co setup "$agent" -y
		printf '%s\n' "${output#*settings.json\':}" | sed "s/.*config.toml'://" >>said
	done <<-'END'
		gemini/settings.json|[]
		gemini/settings.json|{"hooks": 7}
		gemini/settings.json|{"hooks": {"SessionEnd": {}}}
		codex/config.toml|mcp_servers = {}
		codex/config.toml|[mcp_servers]\nco = {}
		codex/config.toml|[[mcp_servers.co]]
		codex/config.toml|[mcp_servers.co]\n[mcp_servers.co]
		codex/config.toml|[mcp_servers.co]\na = 1\na = 2
	END
	diff -u - said <<-'END'
		1:1: expected an object
		 the value at 'hooks' must be an object
		 the value at 'SessionEnd' must be a list
		1:1: expected a table [mcp_servers.co], not a value
		2:1: expected a table [mcp_servers.co], not a value
		1:1: expected a table [mcp_servers.co], not a list of tables
		2:1: expected a table [mcp_servers.co], but it is there twice
		3:1: a key given twice
	END
}

@test "co setup writes no file if it cannot write the backup of one" {
	mkdir .claude
	echo '{"a": 1}' >.claude/settings.json
	ln -s ../outside .claude/settings.json.co-backup
	run -3 co setup claude --project -y
	[[ $output == *"settings.json.co-backup': it is a link"* ]]
	[ ! -e .mcp.json ]
	[ ! -e outside ]
}

@test "co setup keeps any valid TOML, and recognizes its own table" {
	mkdir -p "$HOME/.codex"
	cat >"$HOME/.codex/config.toml" <<-'END'
		a."b.c".'d' = { x = [1, "]"], y = '#' } # [mcp_servers.co]
		list = [
		  "[mcp_servers.co]", # ]
		  '''
		[mcp_servers.co]''',
		]
		s = """a \""" [x] """"
		[ "mcp_servers" . other ]
		command = "x"
		[[tools]]
		when = 2026-01-01T00:00:00Z
	END
	cp "$HOME/.codex/config.toml" before
	run -0 co setup codex -y
	diff before "$HOME/.codex/config.toml" >changes || :
	[ "$(grep -c '^>' changes)" = 4 ]
	run -1 grep '^<' changes
	printf '\n[mcp_servers.co.env]\nX = "1"\n[last]\n' >>"$HOME/.codex/config.toml"
	run -0 co setup codex -y --remove
	diff -u <(cat before; echo '[last]') "$HOME/.codex/config.toml"
}

@test "co setup keeps a link and replaces its target" {
	mkdir -p dotfiles/claude
	echo '{"a": 1}' >dotfiles/claude.json
	ln -s "$PWD/dotfiles/claude.json" "$HOME/.claude.json"
	ln -s "$PWD/dotfiles/claude" "$HOME/.claude"
	run -0 co setup claude -y
	[ -L "$HOME/.claude.json" ]
	[ -L "$HOME/.claude" ]
	grep -q '"co"' dotfiles/claude.json
	[ -f dotfiles/claude/settings.json ]
	[ -f dotfiles/claude.json.co-backup ]
	run -0 co setup claude -y --remove
	[ "$(cat dotfiles/claude.json)" = '{"a": 1}' ]
	[ "$(find dotfiles -type f)" = dotfiles/claude.json ]
	ln -sf nowhere "$HOME/.claude.json"
	run -3 co setup claude -y
	expect <<<"co-setup: '$HOME/.claude.json' is a link that leads nowhere"
}

@test "co setup refuses a project's link that leads out of the project" {
	mkdir -p .co-cli/knowledge .gemini "$HOME/.claude"
	echo '{"a": 1}' >"$HOME/other.json"
	ln -s "$HOME/other.json" .mcp.json
	run -3 co setup claude --project -y
	expect <<<"co-setup: refusing '$PWD/.mcp.json': a link leads out of the project"
	rm .mcp.json
	ln -s "$HOME/.claude" .claude
	run -3 co setup claude --project -y
	expect <<<"co-setup: refusing '$PWD/.claude/settings.json': a link leads out of the project"
	[ "$(cat "$HOME/other.json")" = '{"a": 1}' ]
	[ "$(find "$HOME" -type f)" = "$HOME/other.json" ]
	[ ! -e .mcp.json ]
	echo '{}' >.gemini/mine.json
	ln -s mine.json .gemini/settings.json
	run -0 co setup gemini --project -y
	grep -q '"co"' .gemini/mine.json
}

@test "co setup leaves a foreign hook, names it, and adds no second one" {
	mkdir "$HOME/.claude"
	for command in 'co hook claude' '/opt/co/bin/co-hook claude' \
		"'/opt/my co/co' hook claude" \
		'/home/me/bin/log-and-run co hook claude' \
		"[ -x '/opt/co' ] && exec nice '/opt/co' hook claude; echo '{}'" \
		"[ -x '/opt/co' ] && exec '/opt/my/co' hook claude; echo '{}'"; do
		echo '{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"'"$command"'"}]}]}}' \
			>"$HOME/.claude/settings.json"
		cp "$HOME/.claude/settings.json" before
		run -0 --separate-stderr co setup claude -y
		[[ $stderr == *"co-setup: '$HOME/.claude/settings.json': left as it is, since co did not write it: $command"* ]]
		run -0 jq -r '.hooks.SessionStart | length, .[0].matcher,
			.[0].hooks[0].command' "$HOME/.claude/settings.json"
		expect <<<$'1\nstartup\n'"$command"
		jq -e '.hooks.SessionEnd | length == 1' "$HOME/.claude/settings.json"
		run -0 --separate-stderr co setup claude -y
		[[ $stderr == *"since co did not write it: $command"*'set up already'* ]]
		run -0 --separate-stderr co setup claude -y --remove
		[[ $stderr == *"since co did not write it: $command"* ]]
		cmp before "$HOME/.claude/settings.json"
		run -0 --separate-stderr co setup claude -y --remove
		[[ $stderr == *'co is not set up'* ]]
	done
	for command in 'echo co hook claude please' 'taco hook claude' \
		'co hook gemini'; do
		echo '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"'"$command"'"}]}]}}' \
			>"$HOME/.claude/settings.json"
		co setup claude -y
		jq -e '.hooks.SessionStart | length == 2' \
			"$HOME/.claude/settings.json"
	done
}

@test "co setup updates a hook that another co wrote to its own path" {
	mkdir "$HOME/.claude"
	for command in "[ -x '/opt/my co/co' ] && exec '/opt/my co/co' hook claude; echo '{}'" \
		"command -v co-hook >/dev/null && exec co-hook claude; echo '{}'"; do
		echo '{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"'"$command"'"}]}]}}' \
			>"$HOME/.claude/settings.json"
		run -0 --separate-stderr co setup claude -y
		[[ $stderr != *'did not write'* ]]
		run -0 jq -r '.hooks.SessionStart | length, .[0].matcher,
			.[0].hooks[0].command' "$HOME/.claude/settings.json"
		[[ $output == $'1\nstartup\n'*"'$CO_BIN/co' hook claude;"* ]]
	done
}

@test "co setup warns of hooks that would run twice" {
	run -0 co setup claude -y
	[[ $output != *twice* ]]
	run -0 co setup claude --project -y
	[[ $output == *"hint: claude is set up for you and the project: remove one, or hooks run twice"* ]]
}

@test "co setup --remove says where else the agent is set up" {
	run -0 --separate-stderr co setup claude --remove
	expect_error() { diff -u - <(echo "$stderr"); }
	expect_error <<<'co-setup: claude: co is not set up'
	co setup claude --project -y >/dev/null
	run -0 --separate-stderr co setup claude --remove
	expect_error <<-'END'
		co-setup: claude: co is not set up
		hint: it is set up for the project: 'co setup claude --project --remove'
	END
	co setup claude --project --remove -y >/dev/null
	co setup claude -y >/dev/null
	run -0 --separate-stderr co setup claude --project --remove
	expect_error <<-'END'
		co-setup: claude: co is not set up
		hint: it is set up for you: 'co setup claude --remove'
	END
}

@test "co setup --remove of the last agent with hooks names hook.recall" {
	co setup claude -y >/dev/null
	co setup cursor -y >/dev/null
	co setup gemini --project -y >/dev/null
	co config --global hook.recall both
	run -0 --separate-stderr co setup claude --remove -y
	[[ $stderr != *hook.recall* ]]
	run -0 --separate-stderr co setup gemini --project --remove -y
	[ "$stderr" = "hint: hook.recall stays: 'co config --global --unset hook.recall' unsets it" ]
	# An agent without hooks does not read it, and nothing is said if it is unset.
	run -0 --separate-stderr co setup cursor --remove -y
	[ "$stderr" = '' ]
	co config --global --unset hook.recall
	co setup claude -y >/dev/null
	run -0 --separate-stderr co setup claude --remove -y
	[ "$stderr" = '' ]
}

@test "co setup refuses a configuration that is not a regular file" {
	mkdir -p "$HOME/.gemini/settings.json"
	run -3 co setup gemini -y
	rmdir "$HOME/.gemini/settings.json"
	mkfifo "$HOME/.gemini/settings.json"
	run -3 timeout 60 co setup gemini -y
	expect <<<"co-setup: refusing '$HOME/.gemini/settings.json': it is not a regular file"
	rm -r "$HOME/.gemini"
	: >"$HOME/.gemini"
	run -4 co setup gemini -y
}

@test "--project writes into the project, and finds the program by PATH" {
	mkdir -p deep/er
	cd deep/er
	setup_all --project
	cd ../..
	[ "$(jq -r .mcpServers.co.command .mcp.json)" = co ]
	[ -f .claude/settings.json ]
	[ -f .gemini/settings.json ]
	[ -f .qwen/settings.json ]
	[ -f .github/mcp.json ]
	grep -F 'exec co-hook copilot' .github/hooks/co.json
	grep -xF 'const command = ["co-hook","opencode"]' .opencode/plugins/co.js
	cmp .cursor/rules/co.mdc .continue/rules/co.md
	diff -u - <(sed 5,9d .cursor/rules/co.mdc) <<-'END'
		---
		description: Memory of past sessions, written by co setup, which replaces it and takes it out
		alwaysApply: true
		---
	END
	diff -u <(co setup --print | tail -n 5) <(tail -n 5 .cursor/rules/co.mdc)
	grep -qx 'command = "co"' .codex/config.toml
	jq -e '.mcp.co.command == ["co", "mcp"]' opencode.json
	[ "$(find "$HOME" -type f)" = '' ]
	run -1 grep -rF "$CO_BIN" .mcp.json .claude .codex .gemini opencode.json \
		.opencode .qwen .github .cursor .continue
	cd deep
	setup_all --project --remove
	cd ..
	[ "$(find . -type f ! -name 'setup.*')" = '' ]
}

@test "the agents' own variables move their directories" {
	mkdir elsewhere
	export CLAUDE_CONFIG_DIR=$PWD/elsewhere CODEX_HOME=$PWD/codex
	export XDG_CONFIG_HOME=$PWD/xdg QWEN_HOME=$PWD/qwen COPILOT_HOME=$PWD/cop
	export CONTINUE_GLOBAL_DIR=$PWD/con
	setup_all
	[ -f qwen/settings.json ]
	[ -f cop/hooks/co.json ]
	[ -f con/rules/co.md ]
	[ -f elsewhere/.claude.json ]
	[ -f elsewhere/settings.json ]
	[ -f codex/config.toml ]
	[ -f xdg/opencode/opencode.json ]
	[ ! -e "$HOME/.claude.json" ] && [ ! -e "$HOME/.codex" ]
}

@test "--print writes nothing, and without an agent suits any other agent" {
	run -0 co setup --print
	jq -e --arg co "$CO_BIN/co" '.mcpServers.co == {command: $co, args: ["mcp"]}' \
		<<<"${output%%<!--*}"
	block=${output#*$'\n\n'}
	[ "$(wc -l <<<"$block")" = 5 ]
	[ "$(head -n 1 <<<"$block")" = '<!-- co: begin -->' ]
	[ "$(tail -n 1 <<<"$block")" = '<!-- co: end -->' ]
	run -0 co setup --print --project
	[[ $output == *'"command": "co"'* ]]
	run -0 co setup codex --print
	[[ $output == "==> $HOME/.codex/config.toml <=="*'[mcp_servers.co]'* ]]
	[ "$(find "$HOME" -type f)" = '' ]
}

@test "co setup distinguishes wrong command lines" {
	run -2 co setup --remove
	run -2 co setup emacs
	[[ ${lines[0]} == *"'co setup --print' is for all others"* ]]
	run -2 co setup cluade
	[ "${lines[0]}" = "co-setup: no agent 'cluade': did you mean 'claude'?" ]
	run -2 co setup claude-code
	[ "${lines[0]}" = "co-setup: no agent 'claude-code': did you mean 'claude'?" ]
	run -2 co setup claude codex
	run -2 co setup claude --print --remove
	run -4 env -u HOME co setup gemini
}

# states: print how far each agent is set up for the user and the project. co-status asks
# every other program for its tools, so this takes long.
states() {
	co status --tools --json |
		jq -r '.agents[] | "\(.name) \(.user) \(.project)"' | sort
}

@test "co status --tools prints which agents are set up" {
	local i agent where
	mapfile -t agents < <(printf '%s\n' "${agents[@]}" | sort)
	diff <(printf '%s none none\n' "${agents[@]}") <(states)
	# Set up one agent for the user, the next for the project, and so on.
	for i in "${!agents[@]}"; do
		[ $((i % 2)) = 0 ] && where= || where=--project
		co setup "${agents[i]}" -y $where >>setup.out 2>&1
	done
	diff <(for i in "${!agents[@]}"; do
		[ $((i % 2)) = 0 ] && where='whole none' || where='none whole'
		echo "${agents[i]} $where"
	done) <(states)
	for i in "${!agents[@]}"; do
		[ $((i % 2)) = 0 ] && where=--project || where=
		co setup "${agents[i]}" -y $where >>setup.out 2>&1
	done
	diff <(printf '%s whole whole\n' "${agents[@]}") <(states)
	run -0 co status --tools
	[[ $output == *'claude: set up; set up for the project'* ]]
	[[ $output == *'save_memory             tool       Save a memory'* ]]
	rm "$HOME/.codex/hooks.json"
	sed -i 's|"[^"]*/co"|"/gone/co"|' "$HOME/.claude.json"
	echo '{' >.gemini/settings.json
	run -0 states
	[[ $output == *'codex other whole'* ]]
	[[ $output == *'claude other whole'* ]]
	[[ $output == *'gemini whole unreadable'* ]]
}

@test "on a full disk, co setup changes nothing" {
	lived_in
	files >before
	run -4 bash -c "ulimit -f 0; co setup gemini -y 2>&1"
	diff -u before <(files)
	run -4 bash -c "co setup gemini -y >/dev/full"
}

# killed_at NAME...: kill the setup of an agent at every call of each NAME.
killed_at() {
	need_strace
	mkdir "$HOME/.gemini"
	echo '{"a": 1}' >old
	cp old "$HOME/.gemini/settings.json"
	co setup gemini -y
	cp "$HOME/.gemini/settings.json" new
	for name; do
		for n in {1..400}; do
			rm -rf "$HOME/.gemini"
			mkdir "$HOME/.gemini"
			cp old "$HOME/.gemini/settings.json"
			status=0
			strace -qq -o trace -e "inject=$name:signal=KILL:when=$n" \
				co-setup gemini -y >/dev/null 2>&1 || status=$?
			cmp -s old "$HOME/.gemini/settings.json" ||
				cmp new "$HOME/.gemini/settings.json"
			# Leftover files do not hinder the next run.
			co setup gemini -y >/dev/null 2>&1
			cmp new "$HOME/.gemini/settings.json"
			cmp old "$HOME/.gemini/settings.json.co-backup"
			[ "$status" != 0 ] || break
		done
		[ "$n" -lt 400 ]
	done
}

@test "co setup killed at a rename leaves each file old or new" {
	killed_at rename renameat renameat2
}

# bats test_tags=slow
@test "co setup killed at any call leaves each file old or new" {
	killed_at openat write fsync fchmod unlinkat flock close
}
