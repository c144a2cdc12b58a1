#!/usr/bin/env bats
# Agents whose records lie in places, or have forms, of their own: where they are
# found, and who said what there.
load lib

setup() {
	world
	unset PI_CODING_AGENT_DIR PI_CODING_AGENT_SESSION_DIR
	records=$BATS_TEST_DIRNAME/transcripts
	database=$CO_BIN/../t/tool/transcript/database
	mkdir .co-cli
}

# turns [FILE...]: who said what, a turn a line.
turns() {
	co-transcript-read "$@" |
		jq -r '"\(.role) \(.tool // "-") \(.text // "" | @json)"'
}

# listed [OPTION...]: what is known of each conversation.
listed() {
	co-transcript-list --json "$@" |
		jq -c '[.agent, .session, .project, .start, .end]' |
		sed "s#$PWD#P#"
}

# here FILE: its conversation, of this project.
here() {
	sed "s#/home/ada/project#$PWD#g" "$1"
}

# all_read: each conversation that is listed can be read.
all_read() {
	co-transcript-list --all -z | xargs -0 -r co-transcript-read >/dev/null
}

@test "pi: a session, without a branch that was left" {
	run -0 turns "$records/pi.jsonl"
	expect <<-'END'
		user - "Use tabs, please."
		assistant - "I will look."
		assistant bash ""
		assistant - "Noted."
		user - "Thanks."
	END
	sed 1d "$records/pi.jsonl" >headless
	run -0 turns headless
	[ "${#lines[@]}" = 5 ]
}

@test "pi: sessions are found where they are kept, or were moved" {
	dir=$HOME/.pi/agent/sessions/--p--
	name=2026-11-26T10-00-09-909Z_01a2174c-5bb5-76e8-9f40-da871e3f23e8.jsonl
	mkdir -p "$dir"
	here "$records/pi.jsonl" >"$dir/$name"
	run -0 listed
	expect <<<'["pi","01a2174c-5bb5-76e8-9f40-da871e3f23e8","P","2026-11-26T10:00:09Z","2026-11-26T10:00:18Z"]'
	mv "$HOME/.pi/agent" moved
	PI_CODING_AGENT_DIR=$PWD/moved listed | grep -q '^\["pi"'
	PI_CODING_AGENT_SESSION_DIR=$PWD/moved/sessions/--p-- listed |
		grep -q '^\["pi"'
	run -0 listed
	[ -z "$output" ]
}

@test "pi: a session of a later version is reported, not half read" {
	sed '1s/"version":3/"version":4/' "$records/pi.jsonl" >later.jsonl
	run -3 co-transcript-read later.jsonl
	expect <<<"co-transcript-read: 'later.jsonl': unknown version: 4"
}
