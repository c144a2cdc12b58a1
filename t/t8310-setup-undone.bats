#!/usr/bin/env bats
# co setup --remove restores exactly what was there before.
load lib

agents=(claude codex gemini opencode qwen copilot cursor continue)

setup() {
	world
	mkdir .co-cli
}

json_files=(.claude.json .claude/settings.json .codex/hooks.json
	.gemini/settings.json .config/opencode/opencode.json
	.qwen/settings.json .copilot/mcp-config.json .copilot/hooks/co.json
	.cursor/mcp.json .continue/mcpServers/co.json)
toml_files=(.codex/config.toml)

# shown: print everything in HOME: types, modes, links and checksums.
shown() {
	(
		cd "$HOME" || exit
		find . ! -name . -printf '%P %y %m %l\n' -type f \
			-exec md5sum {} + | sort
	)
}

# same BEFORE AFTER: fail and print the difference unless these texts are equal.
same() {
	[ "$1" = "$2" ] || diff -u <(echo "$1") <(echo "$2")
}

# setup_all [OPTION...]: set up all agents.
setup_all() {
	for agent in "${agents[@]}"; do
		co-setup $agent -y "$@" >>setup.out 2>&1 || {
			cat setup.out
			return 1
		}
	done
}

# fill JSON TOML: write the files of all agents with these contents.
fill() {
	local json=("${json_files[@]/#/"$HOME/"}") toml=("${toml_files[@]/#/"$HOME/"}")
	mkdir -p "${json[@]%/*}" "${toml[@]%/*}"
	tee "${json[@]}" <"$1" >/dev/null
	tee "${toml[@]}" <"$2" >/dev/null
}

# round: set up twice and remove twice. Fail unless HOME is as before.
round() {
	local before once
	before=$(shown)
	setup_all || return
	once=$(shown)
	[ "$before" != "$once" ] || return
	setup_all || return
	same "$once" "$(shown)" || return
	setup_all --remove || return
	same "$before" "$(shown)" || return
	setup_all --remove || return
	same "$before" "$(shown)"
}

# starts: write configurations as people, editors and agents leave them, one per file.
starts() {
	mkdir starts
	cd starts || return
	: >empty.json
	printf ' \n\n' >blank.json
	printf '{}\n' >object.json
	printf '{ }' >spaced.json
	printf '{\n}\n' >broken.json
	printf '{\n  // nothing yet\n}\n' >commented.json
	printf '// of mine\n{"a":1} // end' >around.json
	printf '{"mcpServers":{},"mcp":{},"hooks":{}}' >containers.json
	printf '{\n  "hooks": {\n    "SessionStart": [],\n  },\n  "mcp": {\n  },\n}\n' \
		>emptied.json
	printf '{"a":[1,2.50,-0,1e9],"b":{"c":null},"mcpServers":{"x":{"command":"y"}}}' \
		>line.json
	printf '{\n  "b": "\\u00e9\\ud83d\\ude00é",\n  "hooks": {\n    "SessionStart": [\n      { "matcher": "x", "hooks": [{ "type": "command", "command": "mine" }] }\n    ],\n    "SessionEnd": [\n      { "hooks": [{ "type": "command", "command": "other" }] }, // one\n    ],\n  },\n  "mcpServers": {\n    "other": { "command": "x", "args": [] }, // two\n  },\n  "mcp": {\n    /* three */ "other": { "type": "remote", "url": "https://x" }\n  },\n}\n' \
		>lived-in.json
	printf '{\n\n    "mcpServers"   :   { "x" : { "command" : "y" } }   ,\n\n\n    "hooks":{"SessionStart":[{"hooks":[]}]}\n\n}\n\n\n' \
		>odd.json
	jq -n '{projects: ([range(400) | {key: "/p/\(.)", value: {history: [
		"a", {display: "é \(.)"}], n: .}}] | from_entries)}' >large.json
	: >empty.toml
	printf '\n\n' >blank.toml
	printf '# mine' >comment.toml
	printf 'model = "o" # odd\n[mcp_servers.other]\ncommand = "x"' >open.toml
	printf '[mcp_servers]\n\n[mcp_servers.other.env]\nA = "b"\n\n\n' >family.toml
	printf 'a."b.c" = { x = [1, "]"] }\nl = [\n  1, # ]\n]\ns = """\n[mcp_servers.co]\n"""\n\n[[tools]]\nwhen = 2026-01-01T00:00:00Z\n' \
		>values.toml
	seq -f '[projects."/p/%g"]
trust_level = "trusted"
' 2000 >large.toml
	cd ..
}

# dress FORM FILE: print the contents of FILE in another form.
dress() {
	case $1 in
	plain) cat "$2" ;;
	crlf) sed 's/$/\r/' "$2" ;;
	bom) printf '\xef\xbb\xbf' && cat "$2" ;;
	tabs) sed -E ':a; s/^(\t*)  /\1\t/; ta' "$2" ;;
	open) head -c -1 "$2" ;; # for those that end in a newline
	esac
}

# round_in FORM [DIRECTORY]: run round for each JSON file of DIRECTORY, or of starts(), in
# this form, with the TOML files of starts() in turn.
round_in() {
	local form=$1 json toml tomls=(starts/*.toml)
	for json in "${2:-starts}"/*.json; do
		toml=${tomls[i++ % ${#tomls[@]}]}
		# These files would be empty in this form, or would lose a byte that counts.
		case $form:$json in
		open:*/empty.json | open:*/around.json | open:*/line.json | \
			open:*/spaced.json | open:*/containers.json) continue ;;
		esac
		dress "$form" "$json" >json
		dress "$form" "$toml" >toml
		[ "$form" != open ] || [ -z "$(tail -c 1 "$toml")" ] || cp "$toml" toml
		rm -rf "$HOME"
		fill json toml
		round >round.out || {
			echo "$form $json $toml"
			cat round.out
			return 1
		}
	done
}

@test "--remove restores any configuration byte for byte" {
	starts
	i=0
	round_in plain
}

@test "--remove restores line ends, a byte order mark and indentation" {
	starts
	mkdir one
	cp starts/lived-in.json one/
	i=5
	for form in crlf bom tabs open; do
		round_in $form one
	done
}

# bats test_tags=slow
@test "--remove restores any configuration in any form" {
	starts
	i=0
	for form in plain crlf bom tabs open; do
		round_in $form
	done
}

@test "co setup handles a file with many thousand keys" {
	{
		echo '{'
		seq -f '  "/home/of/project-%.0f": {"history": []},' 60000
		echo '  "last": 1'
		echo '}'
	} >"$HOME/.claude.json"
	cp "$HOME/.claude.json" before
	co setup claude -y >/dev/null 2>&1
	jq -e .mcpServers.co "$HOME/.claude.json"
	co setup claude -y --remove >/dev/null 2>&1
	cmp before "$HOME/.claude.json"
}

@test "--remove leaves no file and no directory that co setup made" {
	rm -rf "$HOME"
	mkdir "$HOME"
	round
	# Directories in use stay.
	mkdir -p "$HOME/.gemini/tmp" "$HOME/.claude/projects" "$HOME/.config/x"
	round
	setup_all
	: >"$HOME/.codex/auth.json"
	setup_all --remove
	diff -u - <(cd "$HOME" && find . -type f) <<<./.codex/auth.json
}

@test "--remove keeps directories that variables name" {
	mkdir elsewhere
	export CLAUDE_CONFIG_DIR=$PWD/elsewhere/claude CODEX_HOME=$PWD/codex
	export XDG_CONFIG_HOME=$PWD/xdg
	mkdir codex xdg
	rm -rf "$HOME"
	setup_all
	setup_all --remove
	diff -u - <(find elsewhere codex xdg | sort) <<-'END'
		codex
		elsewhere
		elsewhere/claude
		xdg
	END
}

@test "--project --remove restores the project, and keeps files of others" {
	find . ! -name 'setup.*' ! -name before | sort >before
	setup_all --project
	[ -d .claude ]
	[ -d .codex ]
	[ -d .gemini ]
	setup_all --project --remove
	diff -u before <(find . ! -name 'setup.*' ! -name before | sort)
	setup_all --project
	mkdir .claude/commands
	setup_all --project --remove
	[ -d .claude/commands ] && [ ! -e .codex ]
}

@test "co setup and --remove keep links and the directories that they lead to" {
	starts
	mkdir -p dotfiles/claude dotfiles/gemini
	cp starts/lived-in.json dotfiles/claude.json
	cp starts/line.json dotfiles/gemini/settings.json
	rm -rf "$HOME"
	mkdir "$HOME"
	ln -s "$PWD/dotfiles/claude.json" "$HOME/.claude.json"
	ln -s "$PWD/dotfiles/claude" "$HOME/.claude"
	ln -s "$PWD/dotfiles/gemini" "$HOME/.gemini"
	find dotfiles | sort >there
	round
	diff -u there <(find dotfiles | sort)
}

@test "a file that its owner may not write keeps its mode" {
	printf '{"a": 1}' >json
	printf 'a = 1\n' >toml
	fill json toml
	chmod 444 "$HOME/.claude.json" "$HOME/.codex/config.toml"
	round
	setup_all
	[ "$(stat -c %a "$HOME/.claude.json" "$HOME/.codex/config.toml")" = $'444\n444' ]
}

# bats test_tags=rights
@test "root makes no files in another user's home, and keeps a file's owner" {
	[ "$(id -u)" = 0 ] || skip 'this takes root'
	printf '{"a": 1}' >"$HOME/.claude.json"
	chown 12345:12346 "$HOME/.claude.json"
	round
	setup_all
	[ "$(stat -c %u:%g "$HOME/.claude.json")" = 12345:12346 ]
	setup_all --remove
	chown 12345 "$HOME"
	run -3 co setup claude -y
	[[ $output == *"co-setup: refusing '$HOME/.claude.json': its owner is another user"* ]]
	[ ! -e "$HOME/.claude" ]
}

@test "--remove works after a part was removed by hand" {
	starts
	for json in object containers lived-in; do
		rm -rf "$HOME"
		fill starts/$json.json starts/values.toml
		cp -a "$HOME" was
		shown >before
		# Leave only the hooks.
		setup_all
		cp "was/.claude.json" "was/.codex/config.toml" .
		cp .claude.json "$HOME/.claude.json"
		cp config.toml "$HOME/.codex/config.toml"
		setup_all --remove
		diff -u before <(shown)
		# Leave only the server.
		setup_all
		cp was/.claude/settings.json "$HOME/.claude/settings.json"
		cp was/.codex/hooks.json "$HOME/.codex/hooks.json"
		setup_all --remove
		diff -u before <(shown)
		rm -rf was
	done
	rm -rf "$HOME"
	setup_all
	rm "$HOME/.claude.json" "$HOME/.codex/hooks.json"
	rm -r "$HOME/.gemini"
	setup_all --remove
	[ -z "$(ls -A "$HOME")" ]
}

@test "--remove removes the other hooks after one was removed by hand" {
	cp /dev/null json
	printf '{"hooks": {"SessionEnd": []}}' >json
	: >toml
	fill json toml
	shown >before
	setup_all
	jq 'del(.hooks.SessionStart)' "$HOME/.gemini/settings.json" >new
	cp new "$HOME/.gemini/settings.json"
	co setup gemini -y --remove
	jq -e '. == {} or . == {hooks: {}} or . == {hooks: {SessionEnd: []}}' \
		"$HOME/.gemini/settings.json"
	[ -f "$HOME/.gemini/settings.json" ]
}

@test "--remove removes entries that an agent has rewritten" {
	for agent in "${agents[@]}"; do
		co setup $agent -y
	done
	# Agents write JSON.stringify(x, null, 2).
	for file in "${json_files[@]}"; do
		jq . "$HOME/$file" >new
		cp new "$HOME/$file"
	done
	setup_all --remove
	[ -z "$(find "$HOME" ! -path "$HOME/.config/co-cli*" -type f)" ]
	co setup claude -y
	jq '. + {numStartups: 3}' "$HOME/.claude.json" >new
	cp new "$HOME/.claude.json"
	co setup claude -y --remove
	diff -u - "$HOME/.claude.json" <<-'END'
		{
		  "numStartups": 3
		}
	END
}

@test "--remove removes entries with the path of a moved co" {
	starts
	mkdir old
	ln -s "$CO_BIN"/co* old/
	rm -rf "$HOME"
	fill starts/containers.json starts/open.toml
	shown >before
	PATH=$PWD/old:$PATH setup_all
	setup_all --remove
	diff -u before <(shown)
	rm -rf "$HOME"
	mkdir "$HOME"
	PATH=$PWD/old:$PATH setup_all
	setup_all --remove
	[ -z "$(ls -A "$HOME")" ]
}

@test "--remove removes a needless backup, and reports one that stays" {
	printf '{"a": 1}\n' >"$HOME/.claude.json"
	co setup claude -y
	jq '.b = 2' "$HOME/.claude.json" >new
	cp new "$HOME/.claude.json"
	run -0 co setup claude -y --remove
	[[ $output == *"an older copy stays in '$HOME/.claude.json.co-backup'"* ]]
	cp "$HOME/.claude.json.co-backup" "$HOME/.claude.json"
	run -1 co setup claude --remove
	[ -f "$HOME/.claude.json.co-backup" ]
	run -0 co setup claude -y --remove
	expect <<<"Claude Code will not use co any more
✓ Removed $HOME/.claude.json.co-backup"
	diff -u - "$HOME/.claude.json" <<<'{"a": 1}'
	[ "$(ls -A "$HOME" | grep -c claude)" = 1 ]
	run -0 co setup claude -y --remove
	expect <<<'co-setup: claude: co is not set up'
}

@test "--remove removes entries that a person wrote in the form of co setup" {
	mkdir "$HOME/.codex"
	printf '[mcp_servers.co]\ncommand = "co"\nargs = ["mcp"]\n\n[mcp_servers.x]\ncommand = "y"\n' \
		>"$HOME/.codex/config.toml"
	printf '{"mcpServers": {"co": {"command": "/x/co", "args": ["mcp"], "env": {"A": "b"}}, "x": {"command": "y"}}}\n' \
		>"$HOME/.claude.json"
	co setup codex -y --remove
	co setup claude -y --remove
	diff -u - "$HOME/.codex/config.toml" <<-'END'

		[mcp_servers.x]
		command = "y"
	END
	diff -u - "$HOME/.claude.json" <<<'{"mcpServers": { "x": {"command": "y"}}}'
}

@test "--remove recognizes a path with quotes" {
	mkdir "a \"b\" \\c"
	ln -s "$CO_BIN"/co* "a \"b\" \\c/"
	export PATH="$PWD/a \"b\" \\c:$PATH"
	rm -rf "$HOME"
	mkdir "$HOME"
	setup_all
	grep -qxF "command = \"$PWD/a \\\"b\\\" \\\\c/co\"" "$HOME/.codex/config.toml"
	shown >once
	setup_all
	diff -u once <(shown)
	setup_all --remove
	[ -z "$(ls -A "$HOME")" ]
}

@test "--print prints what co setup would write into new files" {
	for scope in '' --project; do
		rm -rf "$HOME" printed
		mkdir "$HOME" printed
		for agent in "${agents[@]}"; do
			co setup $agent $scope --print |
				awk '/^==> .* <==$/ {
					if (file) close(file)
					file = "printed/" ++n; gsub(/^==> | <==$/, "")
					print >"printed/names"; sep = 0; next
				} file {
					if (sep && $0 != "") print "" >file
					if ($0 == "") { sep = 1; next }
					sep = 0; print >file
				}'
			co setup $agent $scope -y >/dev/null 2>&1
			n=0
			while read -r path; do
				n=$((n + 1))
				diff -u "$path" printed/$n
			done <printed/names
			rm printed/*
		done
	done
	echo 'not JSON' >"$HOME/.claude.json"
	run -0 co setup claude --print
	[[ $output == "==> $HOME/.claude.json <=="* ]]
}
