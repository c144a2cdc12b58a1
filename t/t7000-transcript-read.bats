#!/usr/bin/env bats
# Test co-transcript-read, which prints agents' records of conversations in one
# format. The records of claude, codex, gemini and opencode come from these
# programs and were shortened.
# bats file_tags=rights
load lib

setup() {
	world
	records=$BATS_TEST_DIRNAME/transcripts
}

# turns [FILE...]: print role, tool and text of each turn, one a line.
turns() {
	co-transcript-read "$@" |
		jq -r '"\(.role) \(.tool // "-") \(.text // "" | @json)"'
}

# says ROLE TEXT UUID PARENT: print a line of a Claude Code record.
says() {
	local parent=null
	[ -z "${4-}" ] || parent=\"$4\"
	printf '{"parentUuid":%s,"isSidechain":false,"type":"%s","uuid":"%s","message":{"role":"%s","content":[{"type":"text","text":%s}]}}\n' \
		"$parent" "$1" "$3" "$1" "$(json_string "$2")"
}

@test "a Claude Code record is read as the turns that the user saw" {
	run -0 co-transcript-read "$records/claude.jsonl"
	expect <<-'END'
		{"role":"user","text":"Hello.\nremember: tests need Docker","time":"2026-11-22T03:01:28Z","tool":null}
		{"role":"assistant","text":null,"time":"2026-11-22T03:01:29Z","tool":"mcp__co__save_memory"}
		{"role":"assistant","text":"done","time":"2026-11-22T03:01:29Z","tool":null}
		{"role":"user","text":"And goodbye.","time":"2026-11-22T03:01:30Z","tool":null}
		{"role":"assistant","text":"done","time":"2026-11-22T03:01:31Z","tool":null}
	END
}

@test "records of Codex and Gemini CLI are read as the turns of the user" {
	run -0 co-transcript-read "$records/codex.jsonl" "$records/gemini.jsonl"
	expect <<-'END'
		{"role":"user","text":"Hello.\nremember: tests need Docker","time":"2026-11-22T03:01:32Z","tool":null}
		{"role":"assistant","text":null,"time":"2026-11-22T03:01:32Z","tool":"save_memory"}
		{"role":"assistant","text":"done","time":"2026-11-22T03:01:33Z","tool":null}
		{"role":"user","text":"Hello.\nremember: tests need Docker","time":"2026-11-22T03:01:39Z","tool":null}
		{"role":"assistant","text":null,"time":"2026-11-22T03:01:39Z","tool":"mcp_co_save_memory"}
		{"role":"assistant","text":"done","time":"2026-11-22T03:01:39Z","tool":null}
	END
}

@test "the last version of a repeated Gemini CLI message is used" {
	for text in one two; do
		printf '{"id":"a","type":"user","content":[{"text":"%s"}]}\n' $text
	done >session.jsonl
	run -0 turns --format=gemini session.jsonl
	expect <<<'user - "two"'
}

@test "a session of an opencode database is read by its name" {
	run -0 co-transcript-read \
		"$records/opencode.db#ses_dfecc2060ffeOheEqcPZR7nyOz"
	expect <<-'END'
		{"role":"user","text":"Hello.\nremember: tests need Docker","time":"2026-11-22T03:01:46Z","tool":null}
		{"role":"assistant","text":null,"time":"2026-11-22T03:01:49Z","tool":"co_save_memory"}
		{"role":"assistant","text":"done","time":"2026-11-22T03:01:55Z","tool":null}
	END
	run -0 co-transcript-read "$records/opencode.db#ses_empty"
	[ -z "$output" ]
	run -1 co-transcript-read "$records/opencode.db#ses_none"
	[[ $output == *"has no session 'ses_none'" ]]
	run -2 co-transcript-read "$records/opencode.db"
	[[ $output == *"name one, as '$records/opencode.db#SESSION'"* ]]
}

@test "turns that opencode reverted or added itself are left out" {
	run -0 --separate-stderr co-transcript-read "$records/opencode.db#ses_back"
	expect <<-'END'
		{"role":"user","text":"kept","time":"2026-11-22T03:03:20Z","tool":null}
		{"role":"assistant","text":"a reply","time":"2026-11-22T03:03:21Z","tool":null}
	END
	[[ $stderr == *'1 line could not be read' ]]
	cat >exported.json <<-'END'
		{
		"info": {"id": "s", "revert": {"messageID": "msg_3"}},
		"messages": [
		{"info": {"id": "msg_1", "role": "user"}, "parts": [{"type": "text", "text": "kept"}]},
		{"info": {"id": "msg_2", "role": "assistant"}, "parts": [{"type": "tool", "tool": "bash"}]},
		{"info": {"id": "msg_3", "role": "user"}, "parts": [{"type": "text", "text": "taken back"}]}
		]}
	END
	run -0 turns exported.json
	expect <<-'END'
		user - "kept"
		assistant bash ""
	END
}

@test "the quotation marks that opencode run adds are removed" {
	jq -n '{info: {id: "s"}, messages: [$ARGS.positional[] |
		{info: {role: "user"}, parts: [{type: "text", text: .}]}]}' \
		--args '"use \"tabs\" here"' '"a" or "b"' '"open' '"' '""' \
		'"ends in \"' 'plain' >exported.json
	run -0 turns exported.json
	expect <<-'END'
		user - "use \"tabs\" here"
		user - "\"a\" or \"b\""
		user - "\"open"
		user - "\""
		user - "ends in \\"
		user - "plain"
	END
}

@test "a Qwen Code record is recognized by its parts or its provenance" {
	jq -cn '{uuid: "a", type: "user", message: {role: "user", parts: [
		{text: "Use tabs."}]}}' >chat.jsonl
	run -0 turns chat.jsonl
	expect <<<'user - "Use tabs."'
	{
		echo '{"uuid": "a", "type": "system", "provenance": "system"}'
		cat chat.jsonl
	} >more.jsonl
	run -0 turns more.jsonl
	expect <<<'user - "Use tabs."'
}

@test "a tool that Qwen Code calls through tool_call has its own name" {
	jq -cn '{uuid: "a", type: "assistant", message: {role: "model", parts: [
		{functionCall: {name: "tool_call", args: {name: "save_memory"}}},
		{functionCall: {name: "tool_call", args: {name: 1}}},
		{functionCall: {name: "edit", args: {name: "no tool"}}}, {}]}}' \
		>chat.jsonl
	run -0 co-transcript-read --format=qwen chat.jsonl
	[ "$(jq -r .tool <<<"$output" | paste -sd ' ')" = \
		'save_memory tool_call edit' ]
}

@test "reading an opencode database changes no file" {
	mkdir db
	cp "$records/opencode.db" db/x.db
	chmod 444 db/x.db
	before=$(cd db && ls -l --time-style=+%s && sha256sum ./*)
	co-transcript-read db/x.db#ses_back 2>/dev/null
	[ "$before" = "$(cd db && ls -l --time-style=+%s && sha256sum ./*)" ]
}

@test "records of Qwen Code, Copilot CLI and Aider are read" {
	run -0 turns "$records/qwen.jsonl" "$records/copilot.jsonl" \
		"$records/aider.md"
	expect <<-'END'
		user - "Use tabs, please."
		assistant - "Noted."
		assistant run_shell_command ""
		assistant - "Done."
		user - "Thanks."
		user - "Use tabs, please."
		assistant bash ""
		assistant view ""
		assistant - "Noted."
		user - "Use tabs, please.\nAnd add a heading."
		assistant - "I will add it:\n\nnotes.md\n````\n<<<<<<< SEARCH\n=======\n```\n#### a heading of the file\n> quoted in the file\n```\n>>>>>>> REPLACE\n````\n\nThat is all."
		user - "Thanks."
		assistant - "You are welcome."
	END
}

@test "a Continue record is read from many lines or from one" {
	jq -c . "$records/continue.json" >one.json
	for file in "$records/continue.json" one.json; do
		run -0 turns "$file"
		expect <<-'END'
			user - "Use tabs, please."
			assistant - "Noted."
			assistant Read ""
			user - "And add a heading."
			assistant - "Done."
		END
	done
	echo '{"history": [1, {"message": {"role": "user"}}, {"message": []}]}' >odd
	run -0 co-transcript-read --format=continue odd
	[ -z "$output" ]
	echo '{"history": [' >torn
	run -3 co-transcript-read --format=continue torn
	[[ $output == "co-transcript-read: 'torn':"* ]]
}

@test "other text is one turn without a role, and long text is split" {
	printf '\nHello.\n  there\n\n' >notes.txt
	run -0 co-transcript-read notes.txt
	expect <<<'{"role":null,"text":"Hello.\n  there","time":null,"tool":null}'
	: >empty
	run -0 co-transcript-read empty
	[ -z "$output" ]
	seq -f 'line %.0f é' 200000 >long
	[ "$(co-transcript-read --format=text long | wc -l)" = 3 ]
	co-transcript-read --format=text long | jq -r .text | diff - long
	printf 'a\xff' >bad
	run -3 co-transcript-read bad
	expect <<<"co-transcript-read: 'bad':1:2: the text is not UTF-8"
}

@test "a record can come through a pipe, and --format sets its format" {
	run -0 bash -c 'turns() { jq -r .text; }
		co-transcript-read --format=qwen <"$1" | turns
		cat "$1" | co-transcript-read | turns
		co-transcript-read - <"$1" | turns
		co-transcript-read <(cat "$1") | turns' _ "$records/qwen.jsonl"
	[ "$(grep -cx Thanks. <<<"$output")" = 4 ]
	run -0 co-transcript-read --format=codex "$records/qwen.jsonl"
	[ -z "$output" ]
}

@test "a branch of turns that the user left is left out" {
	{
		says user one 1
		says assistant 'to one' 2 1
		says user wrong 3 2
		says assistant 'to wrong' 4 3
		says user 'also wrong' 5 4
		says user right 6 2
		says assistant 'to right' 7 6
		says assistant 'once more' 8 6
		says user last 9 8
	} >session.jsonl
	run -0 turns session.jsonl
	expect <<-'END'
		user - "one"
		assistant - "to one"
		user - "right"
		assistant - "to right"
		assistant - "once more"
		user - "last"
	END
}

@test "a turn without a parent drops earlier turns if the record has links" {
	{
		says user wrong 1
		says assistant 'to wrong' 2 1
		says user right 3
	} >session.jsonl
	run -0 turns session.jsonl
	expect <<<'user - "right"'
	{
		says user one 1
		says assistant two 2
		says user three 3
	} >session.jsonl
	[ "$(turns session.jsonl | wc -l)" = 3 ]
	# A parent that is missing, as after a compaction, drops nothing.
	{
		says user one 1
		says assistant two 2 1
		says user three 3 absent
		says assistant four 4 3
	} >session.jsonl
	[ "$(turns session.jsonl | wc -l)" = 4 ]
	{
		says user one 1
		says assistant two 2 1
		printf '%s\n' '{"type":"system","subtype":"compact_boundary","parentUuid":null,"logicalParentUuid":"2","uuid":"b"}'
		says user summary 3 b | jq -c '.isCompactSummary = true'
		says assistant three 4 3
	} >session.jsonl
	run -0 turns session.jsonl
	expect <<-'END'
		user - "one"
		assistant - "two"
		assistant - "three"
	END
}

@test "turns that Codex rolled back are left out" {
	message() {
		jq -cn --arg type "$1" --arg text "$2" '{type: "event_msg",
			payload: {type: $type, message: $text}}'
	}
	back() {
		jq -cn --argjson n "$1" '{type: "event_msg",
			payload: {type: "thread_rolled_back", num_turns: $n}}'
	}
	{
		message user_message one
		message agent_message 'to one'
		message user_message two
		message user_message three
		back 1
		message user_message four
		message agent_message 'to four'
		back 2
		message user_message five
	} >rollout.jsonl
	run -0 turns rollout.jsonl
	expect <<-'END'
		user - "one"
		assistant - "to one"
		user - "five"
	END
}

@test "injected text is left out between the turns" {
	{
		says user $'<!-- co:context v1 -->\nknown\n<!-- /co:context -->\nsaid' 1
		says user '<hook_context>x</hook_context>said too' 2 1 |
			jq -c '.message.content |= [{type: "text",
				text: "<system-reminder>y</system-reminder>"}] + .'
		says assistant 'No response requested.' 3 2 |
			jq -c '.message.model = "<synthetic>"'
		says user '[Request interrupted by user]' 4 3
		says user '<command-name>/x</command-name>' 5 4
		says assistant thinking 6 5 | jq -c '.message.content = [
			{type: "thinking", thinking: "hm"},
			{type: "text", text: "a"}, {type: "tool_use", name: "Bash"},
			{type: "text", text: "b"}]'
	} >session.jsonl
	run -0 turns session.jsonl
	expect <<-'END'
		user - "said"
		user - "said too"
		assistant - "a"
		assistant Bash ""
		assistant - "b"
	END
}

@test "malformed lines are counted, except an incomplete last line" {
	says user one 1 >session.jsonl
	printf '{"type":"user","message":{"role":"us' >>session.jsonl
	run -0 --separate-stderr turns session.jsonl
	expect <<<'user - "one"'
	[ -z "$stderr" ]
	{
		printf '\n{"type":"user",\xff}\n'
		head -c 9000000 /dev/zero | tr '\0' x
		echo
		says user two 2 1 | sed 's/two/\\ud83d &/'
	} >>session.jsonl
	run -0 --separate-stderr turns session.jsonl
	expect <<-END
		user - "one"
		user - "$(printf '\357\277\275') two"
	END
	output=$stderr expect <<-'END'
		co-transcript-read: 'session.jsonl':4: the line is longer than 8388608 bytes
		co-transcript-read: 'session.jsonl': 3 lines could not be read
	END
}

@test "an unreadable record does not stop the reading of others" {
	mkdir folder
	run -4 co-transcript-read absent folder "$records/copilot.jsonl"
	[[ $output == *"cannot open 'absent'"*"'folder' is a directory"*'"Noted."'* ]]
}

# bats test_tags=slow
@test "a long record takes no more memory than a short one" {
	[[ $(nm "$CO_BIN/co-transcript-read" 2>&1) != *__asan_* ]] ||
		skip 'the sanitizers take memory of their own'
	words=$(printf 'word %.0s' {1..200})
	{
		says user "$words" 0
		says assistant "$words" 1 0
	} >two
	yes "$(jq -c 'del(.parentUuid)' two)" | head -n 40000 >long.jsonl
	[ "$(co-transcript-read long.jsonl | wc -l)" = 40000 ]
	# 24 MiB of address space in addition to the program's own.
	bash -c 'ulimit -v 60000; exec co-transcript-read long.jsonl' | wc -l |
		grep -x 40000
}

@test "a sparse file is refused at once" {
	printf '{"type":"user","uuid":"a","parentUuid":null,"message":{"role":"user","content":"hi"}}\n' >claude.jsonl
	printf '#### hi\n\nyes\n' >aider.md
	truncate -s 2T claude.jsonl aider.md || skip 'the file system has no holes'
	run -4 timeout 300 co-transcript-read claude.jsonl
	expect <<<"co-transcript-read: 'claude.jsonl': a line is longer than 256 MiB, as no agent's is"
	run -4 timeout 300 co-transcript-read --format=aider aider.md
	[[ $output == *"'aider.md':4: the line is longer than 268435456 bytes" ]]
	rm claude.jsonl aider.md
}
