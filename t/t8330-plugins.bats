#!/usr/bin/env bats
# server.json, the plugin and the extension, compared with what co setup writes.
load lib

setup() {
	world
	"$CO_SOURCE/contrib/npm/plugins" made 1.2.3 "$CO_BIN"
	git init -q .
}

same() {
	diff -u <(jq -S "$1" "$2") <(jq -S "$3" "$4")
}

@test "the plugin for Claude Code has what co setup writes for a project" {
	co setup claude --project -y >out 2>&1
	same . .mcp.json . made/claude/.mcp.json
	same . .claude/settings.json . made/claude/hooks/hooks.json
	[ "$(jq '.hooks | length' made/claude/hooks/hooks.json)" -ge 3 ]
	run -0 jq -c '[.name, .version, .author.name != null]' \
		made/claude/.claude-plugin/plugin.json
	expect <<<'["co-memory","1.2.3",true]'
	[ -d "made/$(jq -r '.plugins[0].source' made/.claude-plugin/marketplace.json)" ]
}

@test "the extension for Gemini has what co setup writes for a project" {
	co setup gemini --project -y >out 2>&1
	same .mcpServers .gemini/settings.json .mcpServers made/gemini/gemini-extension.json
	same '{hooks}' .gemini/settings.json . made/gemini/hooks/hooks.json
	[ "$(jq '.hooks | length' made/gemini/hooks/hooks.json)" -ge 3 ]
	run -0 jq -c '[.name, .version]' made/gemini/gemini-extension.json
	expect <<<'["co-memory","1.2.3"]'
}

@test "server.json follows the rules of the registry" {
	run -0 jq -c '[(.name | test("^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$")),
		([.title, .description][] | length > 0 and length <= 100),
		.version, (.packages[] | .registryType, .version, .transport.type)]' \
		made/server.json
	expect <<<'[true,true,true,"1.2.3","npm","1.2.3","stdio"]'
	# The registry looks for the server's name in the package.
	[ "$(jq -r '.name + " " + .packages[0].identifier' made/server.json)" = \
		"$(jq -r '.server + " " + .package' "$CO_SOURCE/contrib/npm/about.json")" ]
}

@test "contrib/npm/plugins replaces its directory and writes nothing else" {
	cp -R made before
	touch made/claude/hooks/more.json
	"$CO_SOURCE/contrib/npm/plugins" made 1.2.3 "$CO_BIN"
	diff -r before made
	[ -z "$(find "$HOME" -mindepth 1)" ]
}
