#!/usr/bin/env bats
# Test co-transcript-list, which finds agents' records of conversations.
# bats file_tags=rights
load lib

setup() {
	world
	records=$BATS_TEST_DIRNAME/transcripts
	git init -q .
	mkdir -p .co-cli sub "$HOME/.claude/projects/-p" \
		"$HOME/.codex/sessions/2026/11/22" \
		"$HOME/.gemini/tmp/project/chats" \
		"$HOME/.local/share/opencode" "$HOME/.copilot/session-state/c1" \
		"$HOME/.qwen/projects/-p/chats"
	here "$records/claude.jsonl" >"$HOME/.claude/projects/-p/5b0e.jsonl"
	rollout=$HOME/.codex/sessions/2026/11/22/rollout-2026-11-22T03-01-32-01a20133-a950-7b90-97a8-170f28730c0f.jsonl
	here "$records/codex.jsonl" >"$rollout"
	cp "$records/gemini.jsonl" \
		"$HOME/.gemini/tmp/project/chats/session-2026-11-22T03-01-b4.jsonl"
	printf %s "$PWD" >"$HOME/.gemini/tmp/project/.project_root"
	cp "$records/opencode.db" "$HOME/.local/share/opencode/"
	here "$records/copilot.jsonl" \
		>"$HOME/.copilot/session-state/c1/events.jsonl"
	sed "s#/home/ada/project#$PWD/sub#" "$records/qwen.jsonl" \
		>"$HOME/.qwen/projects/-p/chats/b2.jsonl"
	mkdir -p "$HOME/.continue/sessions"
	chat=$HOME/.continue/sessions/7c1d2f5e-0d42-4c6f-9a51-3f3a5b8f0e11.json
	here "$records/continue.json" >"$chat"
	touch -d '2026-11-20 18:00Z' "$chat"
	echo '[]' >"$HOME/.continue/sessions/sessions.json"
	cp "$records/aider.md" .aider.chat.history.md
	touch -d '2026-11-20 12:00Z' .aider.chat.history.md
}

# here FILE: print its conversation as one of this project.
here() {
	sed "s#/home/ada/project#$PWD#g" "$1"
}

@test "co-transcript-list prints this project's conversations, newest first" {
	run -0 co-transcript-list
	expect <<-END
		$HOME/.gemini/tmp/project/chats/session-2026-11-22T03-01-b4.jsonl
		$rollout
		$HOME/.claude/projects/-p/5b0e.jsonl
		$HOME/.qwen/projects/-p/chats/b2.jsonl
		$HOME/.copilot/session-state/c1/events.jsonl
		$chat
		$PWD/.aider.chat.history.md
	END
	all=$output
	cd sub
	run -0 co-transcript-list
	expect <<<"$all"
	co-transcript-list -z | tr '\0' '\n' | diff - <(printf '%s\n' "$all")
}

@test "--all adds other projects' conversations, and --project selects one" {
	run -0 co-transcript-list --all
	[ "${#lines[@]}" = 10 ]
	[ "${lines[6]}" = "$PWD/.aider.chat.history.md" ]
	[ "${lines[7]}" = "$HOME/.local/share/opencode/opencode.db#ses_back" ]
	[[ $output != *ses_child* ]]
	run -0 co-transcript-list --project=sub
	expect <<<"$HOME/.qwen/projects/-p/chats/b2.jsonl"
	run -2 co-transcript-list --project=sub --all
	run -4 co-transcript-list --project=absent
	# A directory whose name has the same beginning is another project.
	mkdir su
	run -0 co-transcript-list --project=su
	[ -z "$output" ]
}

@test "conversations are found that have the project's directory through a link" {
	ln -s "$PWD" ../linked
	sed "s#/home/ada/project#${PWD%/*}/linked#" "$records/claude.jsonl" \
		>"$HOME/.claude/projects/-p/link.jsonl"
	for folder in ../linked ../linked/sub; do
		cd "$folder"
		run -0 co-transcript-list
		[[ $output == *link.jsonl* && $output == *5b0e.jsonl* ]]
		run -0 co conversations
		[[ $output == *link,* ]]
		cd -P "$BATS_TEST_TMPDIR/project"
	done
	run -0 co-transcript-list --project="${PWD%/*}/linked/"
	[[ $output == *link.jsonl* && $output == *5b0e.jsonl* ]]
	# An environment that names another directory is ignored.
	mkdir ../other
	for named in "${PWD%/*}/other" ../linked "$PWD/../linked/../other"; do
		run -0 env PWD="$named" co-transcript-list
		[[ $output != *link.jsonl* ]]
	done
}

@test "a record in the project that git tracks is no conversation of the user" {
	git add -f .aider.chat.history.md
	run -0 co-transcript-list
	[[ $output != *aider* && $output == *5b0e.jsonl* ]]
	run -0 co harvest -n
	[[ $output != *aider* ]]
	run -0 co-transcript-read .aider.chat.history.md
	[ -n "$output" ]
	printf x >.git/index
	run -3 --separate-stderr co-transcript-list
	[[ $stderr == *"'$PWD/.git/index'"* && $output != *aider* ]]
}

@test "--agent and --since select conversations" {
	run -0 co-transcript-list --agent=codex
	expect <<<"$rollout"
	run -0 co-transcript-list --since=2026-11-22
	[ "${#lines[@]}" = 3 ]
	run -0 co-transcript-list --since=2026-11-22T03:01:35Z
	[ "${#lines[@]}" = 1 ]
	run -2 co-transcript-list --since=soon
}

@test "--json prints agent, session, project, start and end of each" {
	run -0 co-transcript-list --json --all
	diff -u - <(jq -c '[.agent, .session, .project, .start, .end]' \
		<<<"$output" | sed "s#$PWD#P#") <<-'END'
		["gemini","b40e0204-4289-4d85-97b8-01e516d3b947","P","2026-11-22T03:01:38Z","2026-11-22T03:01:39Z"]
		["codex","01a20133-a950-7b90-97a8-170f28730c0f","P","2026-11-22T03:01:32Z","2026-11-22T03:01:33Z"]
		["claude","5b0e","P","2026-11-22T03:01:28Z","2026-11-22T03:01:31Z"]
		["qwen","b2","P/sub","2026-11-21T10:00:00Z","2026-11-21T10:00:08Z"]
		["copilot","c1","P","2026-11-21T10:00:00Z","2026-11-21T10:00:04Z"]
		["continue","7c1d2f5e-0d42-4c6f-9a51-3f3a5b8f0e11","P",null,"2026-11-20T18:00:00Z"]
		["aider",null,"P",null,"2026-11-20T12:00:00Z"]
		["opencode","ses_back","/home/ada/other","2026-11-22T03:03:20Z","2026-11-22T03:05:00Z"]
		["opencode","ses_empty","/home/ada/other","2026-11-22T03:03:20Z","2026-11-22T03:03:20Z"]
		["opencode","ses_dfecc2060ffeOheEqcPZR7nyOz","/home/ada/project","2026-11-22T03:01:46Z","2026-11-22T03:01:57Z"]
	END
	jq -s -e 'all(has("path") and (.bytes | type) == "number")' <<<"$output"
	[ "$(jq -r 'select(.agent == "codex").bytes' <<<"$output")" = \
		"$(wc -c <"$rollout")" ]
}

@test "every listed conversation can be read" {
	co-transcript-list --all -z | xargs -0 co-transcript-read >turns 2>errors
	[ "$(grep -c '"user"' turns)" = 13 ]
	[[ $(cat errors) == *"opencode.db': 1 line could not be read" ]]
}

@test "records are found in directories set by the agents' variables" {
	mkdir moved
	mv "$HOME/.claude" moved/claude
	mv "$HOME/.codex" moved/codex
	run -0 co-transcript-list --agent=claude
	[ -z "$output" ]
	CLAUDE_CONFIG_DIR=$PWD/moved/claude CODEX_HOME=$PWD/moved/codex \
		run -0 co-transcript-list
	[ "${#lines[@]}" = 7 ]
	[[ $output == *"$PWD/moved/codex/sessions/"* ]]
}

@test "a malformed database is reported, and the others are listed" {
	echo 'no database' >"$HOME/.local/share/opencode/opencode.db"
	run -3 --separate-stderr co-transcript-list
	[ "${#lines[@]}" = 7 ]
	[[ $stderr == *"opencode.db': file is not a database" ]]
	rm -r "$HOME"/.[cglq]*
	run -0 co-transcript-list
	expect <<<"$PWD/.aider.chat.history.md"
}

@test "an unreadable directory of records is reported with the reason" {
	[ "$(id -u)" != 0 ] || skip "root may read everything"
	chmod 000 "${rollout%/*}"
	run -4 --separate-stderr co-transcript-list
	chmod 700 "${rollout%/*}"
	[ "$stderr" = "co-transcript-list: cannot read '${rollout%/*}': Permission denied" ]
	[[ $output == *5b0e.jsonl* ]]
}

@test "an unreadable record is reported, and the others are listed" {
	# Even root cannot follow a loop of links.
	rm "$rollout"
	ln -s "${rollout##*/}" "$rollout"
	run -4 --separate-stderr co-transcript-list
	[ "$(wc -l <<<"$output")" = 6 ]
	[[ $stderr == *"cannot open '$rollout': Too many levels"* ]] || { echo "$stderr"; false; }
	# A missing directory of an agent is no error.
	rm -r "$HOME/.claude" "$rollout"
	run -0 co-transcript-list
}
