#!/usr/bin/env bats
# co conversations: list and show conversations with agents.
load lib

setup() {
	world
	git init -q .
	records=$BATS_TEST_DIRNAME/transcripts
	claude=$HOME/.claude/projects/-p
	mkdir -p .co-cli "$claude"
}

# here FILE: print the record FILE as one of this project.
here() {
	sed "s#/home/ada/project#$PWD#g" "$1"
}

# line TYPE UUID PARENT MESSAGE [REST]: print a line of Claude Code's record.
line() {
	printf '{"type":"%s","uuid":"%s","parentUuid":%s,"cwd":"%s",' \
		"$1" "$2" "$3" "$PWD"
	printf '"timestamp":"2026-02-08T09:30:%02dZ","message":{"role":"%s",' \
		"${2#u}" "$1"
	printf '"content":%s}%s}\n' "$4" "${5-}"
}

redis() {
	line user u1 null '"Which port does redis use?"'
	line assistant u2 '"u1"' '[{"type":"text","text":"It listens on 6380."},
		{"type":"tool_use","name":"Bash","input":{"command":"ss -ltn"}}]' |
		tr -d '\n\t'
	echo
	line user u3 '"u2"' '[{"type":"tool_result","content":"a long list"}]' \
		',"toolUseResult":"a long list"'
	line assistant u4 '"u3"' \
		'[{"type":"tool_use","name":"Bash","input":{"command":"nc -z x"}}]'
	line user u5 '"u4"' \
		'[{"type":"tool_result","is_error":true,"content":"nc: refused"}]' \
		',"toolUseResult":"Error: nc: refused"'
	line assistant u6 '"u5"' '"Yes."'
}

@test "co conversations lists newest first, with the command that resumes each" {
	redis >"$claude/7c1d.jsonl"
	mkdir -p "$HOME/.qwen/projects/-p/chats"
	here "$records/qwen.jsonl" >"$HOME/.qwen/projects/-p/chats/b2.jsonl"
	run -0 co conversations
	expect <<-END
		qwen b2, 2026-11-21T10:00:00Z to 2026-11-21T10:00:08Z, 5 turns
		  Use tabs, please.
		  qwen --resume b2
		claude 7c1d, 2026-02-08T09:30:01Z to 2026-02-08T09:30:06Z, 6 turns
		  Which port does redis use?
		  claude --resume 7c1d
	END
}

@test "co conversations lists the conversations of every agent" {
	mkdir -p "$HOME"/.codex/sessions/2026/11/22 \
		"$HOME/.gemini/tmp/project/chats" \
		"$HOME/.local/share/opencode" "$HOME/.copilot/session-state/c1" \
		"$HOME/.qwen/projects/-p/chats" "$HOME/.continue/sessions"
	here "$records/claude.jsonl" >"$claude/5b0e.jsonl"
	here "$records/codex.jsonl" >"$HOME/.codex/sessions/2026/11/22/rollout-2026-11-22T03-01-32-01a20133-a950-7b90-97a8-170f28730c0f.jsonl"
	cp "$records/gemini.jsonl" \
		"$HOME/.gemini/tmp/project/chats/session-2026-11-22T03-01-b4.jsonl"
	printf %s "$PWD" >"$HOME/.gemini/tmp/project/.project_root"
	cp "$records/opencode.db" "$HOME/.local/share/opencode/"
	here "$records/copilot.jsonl" \
		>"$HOME/.copilot/session-state/c1/events.jsonl"
	here "$records/qwen.jsonl" >"$HOME/.qwen/projects/-p/chats/b2.jsonl"
	here "$records/continue.json" \
		>"$HOME/.continue/sessions/7c1d2f5e-0d42-4c6f-9a51-3f3a5b8f0e11.json"
	cp "$records/aider.md" .aider.chat.history.md
	touch -d '2026-11-20 12:00Z' .aider.chat.history.md "$HOME"/.continue/*/*
	co conversations --all --json |
		jq -r '[.agent, .turns, .first, .resume] | @tsv' >got
	diff -u - got <<-END
		opencode	2	kept	cd '/home/ada/other' && opencode --session ses_back
		opencode	0		cd '/home/ada/other' && opencode --session ses_empty
		opencode	3	Hello.	cd '/home/ada/project' && opencode --session ses_dfecc2060ffeOheEqcPZR7nyOz
		gemini	3	Hello.	gemini --resume b40e0204-4289-4d85-97b8-01e516d3b947
		codex	3	Hello.	codex resume 01a20133-a950-7b90-97a8-170f28730c0f
		claude	5	Hello.	claude --resume 5b0e
		qwen	5	Use tabs, please.	qwen --resume b2
		copilot	4	Use tabs, please.	copilot --resume=c1
		continue	5	Use tabs, please.	cn --fork 7c1d2f5e-0d42-4c6f-9a51-3f3a5b8f0e11
		aider	4	Use tabs, please.	aider --restore-chat-history
	END
	run -0 co conversations --check --all --agent=codex
	expect <<<'codex     1 found, 1 read'
	co conversations --check --all --json |
		jq -r 'select(.turns > 0) | [.agent, .turns] | @tsv' | sort >got
	diff -u - got <<-'END'
		aider	4
		claude	5
		codex	3
		continue	5
		copilot	4
		gemini	3
		opencode	5
		qwen	5
	END
}

@test "--all lists other projects, with a command that changes to the directory" {
	redis | sed "s#\"cwd\":\"[^\"]*#&/it's/other#; s#$PWD/it#/it#" \
		>"$claude/7c1d.jsonl"
	run -0 --separate-stderr co conversations
	[ -z "$output" ]
	[[ $stderr == *'no conversation was found'*'--all'* ]]
	run -0 co conversations --all
	[ "${lines[2]}" = "  cd '/it'\\''s/other' && claude --resume 7c1d" ]
}

@test "show prints a conversation with commands and their errors" {
	redis >"$claude/7c1d.jsonl"
	run -0 co conversations show 7c
	expect <<-END
		[1] user, 2026-02-08T09:30:01Z
		Which port does redis use?

		[2] assistant, 2026-02-08T09:30:02Z
		It listens on 6380.

		[3] ran Bash, 2026-02-08T09:30:02Z
		ss -ltn

		[4] ran Bash, 2026-02-08T09:30:04Z
		nc -z x

		[5] tool, 2026-02-08T09:30:05Z
		nc: refused

		[6] assistant, 2026-02-08T09:30:06Z
		Yes.
	END
	run -0 co conversations show --json "$claude/7c1d.jsonl"
	[ "${lines[2]}" = '{"turn":3,"role":"assistant","at":"2026-02-08T09:30:02Z","tool":"Bash","text":"ss -ltn"}' ]
	[ "${lines[4]}" = '{"turn":5,"role":"tool","at":"2026-02-08T09:30:05Z","tool":null,"text":"nc: refused"}' ]
}

@test "show fails for an unknown or ambiguous session" {
	redis >"$claude/7c1d.jsonl"
	redis >"$claude/7c2e.jsonl"
	run -1 --separate-stderr co conversations show 9
	[ "$stderr" = "co-conversations: no conversation '9'
hint: 'co conversations --all' lists them" ]
	run -1 --separate-stderr co conversations show 7c
	[[ $stderr == *"2 conversations are called '7c'"* ]]
	run -2 co conversations show
	run -2 co conversations 7c1d
	run -2 co conversations show --all 7c1d
}

@test "show prints commands and errors of other agents as turns" {
	mkdir -p "$HOME/.codex/sessions/2026/11/22" \
		"$HOME/.copilot/session-state/c2"
	cat >"$HOME/.codex/sessions/2026/11/22/rollout-2026-11-22T00-00-00-01a20133-a950-7b90-97a8-170f28730c0f.jsonl" <<-END
		{"type":"session_meta","payload":{"cwd":"$PWD"}}
		{"type":"event_msg","payload":{"type":"user_message","message":"Build it."}}
		{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"make all\"]}"}}
		{"type":"response_item","payload":{"type":"function_call_output","output":"{\"output\":\"no rule\",\"metadata\":{\"exit_code\":2}}"}}
		{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"ls\"}"}}
		{"type":"response_item","payload":{"type":"function_call_output","output":"Process exited with code 0\nOutput:\nx"}}
		{"type":"response_item","payload":{"type":"local_shell_call","action":{"command":["git","status"]}}}
	END
	co conversations show --json 01a2 | jq -r '.text' >got
	diff -u - got <<-END
		Build it.
		make all
		no rule
		ls
		git status
	END
	cat >"$HOME/.copilot/session-state/c2/events.jsonl" <<-END
		{"type":"session.start","data":{"context":{"cwd":"$PWD"}},"id":"e1","parentId":null}
		{"type":"user.message","data":{"content":"Go."},"id":"e2","parentId":"e1"}
		{"type":"assistant.message","data":{"content":"","toolRequests":[{"name":"bash","arguments":{"command":"make"}}]},"id":"e3","parentId":"e2"}
		{"type":"tool.execution_complete","data":{"success":false,"error":{"message":"exit 2"}},"id":"e4","parentId":"e3"}
	END
	co conversations show --json c2 | jq -r '.text' >got
	printf '%s\n' Go. make 'exit 2' | diff -u - got
}

@test "secrets are redacted, and control characters are removed" {
	line user u1 null '"key ghp_0123456789abcdefghijABCDEFGHIJ012345\u001b[31m\u0000x"' \
		>"$claude/7c1d.jsonl"
	run -0 co conversations
	[[ $output == *'key [REDACTED '* ]]
	[[ $output != *ghp_* ]]
	[[ $output != *$'\033'* ]]
	run -0 co conversations show 7c1d
	[[ $output == *'key [REDACTED '* ]]
	[[ $output != *$'\033'* ]]
}

@test "an unreadable record is reported, and the others are listed" {
	redis >"$claude/7c1d.jsonl"
	mkfifo "$claude/fifo.jsonl"
	redis >elsewhere
	ln -s "$PWD/elsewhere" "$claude/link.jsonl"
	run -3 --separate-stderr co conversations
	[[ $output == 'claude 7c1d'* ]]
	[ "$(grep -c '^claude' <<<"$output")" = 1 ]
	[[ $stderr == *"'$claude/fifo.jsonl': it is not a regular file"* ]]
	[[ $stderr == *"'$claude/link.jsonl': it is a link"* ]]
	run -3 co conversations --check --agent=claude
	[ "${lines[-1]}" = 'claude    2 found, 1 read, 1 unreadable' ]
}

@test "a record of an unknown version is reported, and no part of it is read" {
	redis | sed 's/"message":/"utterance":/' >"$claude/new.jsonl"
	echo "{\"cwd\":\"$PWD\",\"kind\":\"user\",\"words\":\"hello\"}" \
		>"$claude/newer.jsonl"
	: >"$claude/empty.jsonl"
	redis >"$claude/7c1d.jsonl"
	run -3 --separate-stderr co conversations --check --agent=claude
	expect <<<'claude    3 found, 1 read, 2 in an unknown version'
	[[ $stderr == *"'$claude/new.jsonl': this version of claude is not known"* ]]
	[[ $stderr == *"'$claude/newer.jsonl'"* ]]
	run -3 co conversations --check --agent=claude --json
	[[ ${lines[-1]} == '{"agent":"claude","found":3,"read":1,"empty":0,"unknown":2,"unreadable":0,"turns":6,'* ]]
}

@test "hostile records do not hide the readable turns" {
	redis >"$claude/7c1d.jsonl"
	{
		redis
		head -c 12000000 /dev/zero | tr '\0' x
		echo
		printf '{"type":"user","message":%0100000d' 0 | tr 0 '['
		echo
		head -c 3000 /dev/urandom
		echo
		printf '\0\0\0\n'
		line user u7 '"u6"' '"After all that."'
	} >"$claude/evil.jsonl"
	run -0 --separate-stderr co conversations show evil
	[[ $output == *'[7] user, 2026-02-08T09:30:07Z
After all that.'* ]]
	[[ $stderr == *'could not be read'* ]]
	run -0 --separate-stderr co conversations --check --agent=claude
	[[ $output == 'claude    2 found, 2 read; '*' lines skipped' ]]
}

@test "operands other than show fail with the search command" {
	run -2 --separate-stderr co conversations gateway
	[ "${stderr_lines[0]}" = "co-conversations: expected 'show SESSION'; to search: co recall --kind=conversation WORDS" ]
}

@test "co conversations names a line that is too long, and reads the rest" {
	{
		printf '{"type":"user","message":{"role":"user","content":"'
		head -c 10000000 /dev/zero | tr '\0' x
		echo '"}}'
	} >"$claude/long.jsonl"
	run -0 --separate-stderr co conversations --all
	[ "$stderr" = "co-conversations: '$claude/long.jsonl':1: the line is longer than 8388608 bytes" ]
	line user u1 null '"After the long line."' >>"$claude/long.jsonl"
	run -0 --separate-stderr co conversations show long
	[[ $output == *'After the long line.'* ]]
	[ "${stderr_lines[0]}" = "co-conversations: '$claude/long.jsonl':1: the line is longer than 8388608 bytes" ]
	run -0 --separate-stderr co-transcript-read "$claude/long.jsonl"
	[[ $output == '{"role":"user","text":"After the long line.",'* ]]
	[ "${stderr_lines[0]}" = "co-transcript-read: '$claude/long.jsonl':1: the line is longer than 8388608 bytes" ]
	# Lines that were added later have their number in the whole file.
	redis >"$claude/grown.jsonl"
	co recall --kind=conversation --all-projects port >/dev/null 2>&1 || :
	head -c 10000000 "$claude/long.jsonl" >>"$claude/grown.jsonl"
	echo >>"$claude/grown.jsonl"
	run --separate-stderr co recall --kind=conversation port
	[[ $stderr == *"/grown.jsonl':$(wc -l <"$claude/grown.jsonl"): the line is longer than 8388608 bytes"* ]]
}
