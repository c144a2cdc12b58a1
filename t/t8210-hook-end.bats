#!/usr/bin/env bats
# Which drafts co hook makes when a session ends, and what it must never do.
load lib

setup() {
	world
	mkdir -p .co-cli/knowledge "$global"
	echo '{"hook.timeout_ms": 60000}' >"$global/settings.json"
	log=$HOME/.local/state/co-cli/hook.log
}

# event NAME [KEY VALUE]...: print an event of this directory's session. Each VALUE is a
# string, except that of stop_hook_active.
event() {
	local session=s-1 path=$PWD/session.jsonl more=
	local name=$1
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		session_id) session=$2 ;;
		transcript_path) path=$2 ;;
		stop_hook_active) more+=",\"$1\":$2" ;;
		*) more+=",\"$1\":$(json_string "$2")" ;;
		esac
		shift 2
	done
	printf '{"session_id":"%s","cwd":"%s","transcript_path":"%s","hook_event_name":"%s"%s}\n' \
		"$session" "$PWD" "$path" "$name" "$more"
}

# end AGENT [FILE]: end the session with the record FILE, and wait until it is collected.
end() {
	event SessionEnd transcript_path "${2-$PWD/session.jsonl}" reason exit >event
	tell "$1"
}

# tell AGENT: send the event in the file to the hook, and wait until the record is collected.
tell() {
	local before after
	before=$(grep -c ' collected' "$log" 2>/dev/null || :)
	[ "$(co hook "$1" <event)" = '{}' ]
	for _ in {1..1200}; do
		after=$(grep -c ' collected' "$log" 2>/dev/null || :)
		[ "${after:-0}" = "${before:-0}" ] || return 0
		sleep 0.1
	done
	return 1
}

# drafts: print the drafts, one per line.
drafts() {
	co-memory-list --drafts --format='%(source) %(content)'
}

# claude_says TEXT...: print a line of Claude Code's record for each TEXT.
claude_says() {
	local text
	for text; do
		printf '{"type":"user","uuid":"u","isSidechain":false,"sessionId":"s-1","message":{"role":"user","content":'
		json_string "$text"
		printf '}}\n'
	done
}

@test "lines that the user asked to remember become drafts of the session" {
	{
		claude_says $'Hello.\nremember: tests need Docker' \
			$'- Learned:   use `make check`  \nBye.' \
			$'  REMEMBER THAT 日本 is a place.'
		printf '%s\n' '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"remember: nothing"}]}}'
	} >session.jsonl
	end claude
	diff -u - <(drafts | sort) <<-'END'
		claude/s-1 tests need Docker
		claude/s-1 use `make check`
		claude/s-1 日本 is a place.
	END
	[ -z "$(co-memory-list)" ]
	grep -E '3 said, 3 asked for, 3 drafts, 0 refused, 0 lines skipped' "$log"
}

@test "remember: with nothing after it takes the following paragraph" {
	claude_says $'remember:\n- one\n- two\n\nthree' 'remember:' >session.jsonl
	end claude
	[ "$(drafts)" = $'claude/s-1 - one\n- two' ]
}

@test "a session that ends twice, or twice at once, makes no second draft" {
	claude_says 'remember: tests need Docker' >session.jsonl
	end claude
	end claude
	claude_says 'Remember:  Tests need   docker' 'remember: and git' \
		>>session.jsonl
	end claude
	co hook claude <event & co hook claude <event & co hook claude <event
	wait
	end claude
	[ "$(drafts | sort)" = $'claude/s-1 and git\nclaude/s-1 tests need Docker' ]
}

@test "a remembered or rejected text is not drafted again" {
	claude_says 'remember: known fact' 'remember: unwanted fact' \
		>session.jsonl
	co-memory-save <<<'Known Fact'
	end claude
	[ "$(drafts)" = 'claude/s-1 unwanted fact' ]
	co-memory-list --drafts | xargs -d '\n' co-memory-remove
	end claude
	[ -z "$(drafts)" ]
}

@test "text that hooks or agents put into a prompt is never collected" {
	echo '- remember: from the context' >.co-cli/knowledge/context.md
	injected=$(event SessionStart | co hook claude | value additionalContext)
	[[ $injected == *'remember: from the context'* ]]
	{
		claude_says "$injected" "before $injected after" \
			$'<hook_context>\nremember: a hook\n</hook_context>' \
			$'<hook_context>\n<!-- co:context v1 -->\n</hook_context>\nremember: x\n<!-- /co:context -->\nremember: y</hook_context>' \
			$'<system-reminder>\nremember: a reminder' \
			$'<command-name>/x</command-name>\nremember: a command' \
			$'<local-command-stdout>\nremember: output' \
			$'> remember: quoted\n```\nremember: fenced\n```' \
			'I remember: nothing' 'remember: ab' 'remember:'
		claude_says 'remember: meta' | sed 's/}$/,"isMeta":true}/'
		claude_says 'remember: compact' | sed 's/}$/,"isCompactSummary":true}/'
		claude_says 'remember: side' | sed 's/"isSidechain":false/"isSidechain":true/'
		claude_says 'remember: tool' | sed 's/}$/,"toolUseResult":"x"}/'
		printf '%s\n' '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"remember: tool"},{"type":"text","text":"remember: tool"}]}}' \
			'{"type":"attachment","attachment":{"type":"hook_additional_context","content":"remember: attached"}}' \
			'{"type":"api-request-blob","message":{"role":"user","content":"remember: blob"}}'
	} >session.jsonl
	end claude
	[ -z "$(drafts)" ]
	claude_says "$injected"$'\nremember: the rest' >>session.jsonl
	end claude
	[ "$(drafts)" = 'claude/s-1 the rest' ]
}

@test "a record of Codex is read once in both of its forms" {
	cat >session.jsonl <<-'END'
		{"timestamp":"t","ordinal":0,"type":"session_meta","payload":{"id":"x","cwd":"/p"}}
		{"ordinal":1,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\nremember: env"}]}}
		{"ordinal":2,"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"remember: developer"}]}}
		{"ordinal":3,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"remember: only here"}]}}
		{"ordinal":4,"type":"event_msg","payload":{"type":"item_completed","turn_id":"t","item":{"type":"UserMessage","id":"x","content":[{"type":"text","text":"remember: use tabs"}]}}}
		{"ordinal":5,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"AgentMessage","content":[{"type":"Text","text":"remember: agent"}]}}}
		{"ordinal":6,"type":"event_msg","payload":{"type":"user_message","message":"Learned: older form"}}
	END
	end codex
	diff -u - <(drafts | sort) <<-'END'
		codex/s-1 older form
		codex/s-1 use tabs
	END
	sed -i /event_msg/d session.jsonl
	end codex
	[ "$(drafts | tail -n 1)" = 'codex/s-1 only here' ]
	[ "$(drafts | wc -l)" = 3 ]
}

@test "a record of Gemini is read in its final state, with edits and rewinds" {
	cat >session.jsonl <<-'END'
		{"sessionId":"s","projectHash":"h","startTime":"t","kind":"main"}
		{"id":"a","type":"user","content":[{"text":"<hook_context>remember: hook</hook_context>\n\nremember: kept"},{"text":"<hook_context>remember: part</hook_context>"}]}
		{"id":"b","type":"gemini","content":"remember: model","toolCalls":[]}
		{"id":"c","type":"user","content":"remember: first wording"}
		{"id":"c","type":"user","content":"remember: last wording"}
		{"id":"d","type":"user","content":"remember: taken back"}
		{"id":"e","type":"gemini","content":"ok"}
		{"$rewindTo":"d"}
		{"id":"f","type":"user","content":[{"functionResponse":{}},{"text":"remember: tool"}]}
		{"$set":{"lastUpdated":"t"}}
	END
	end gemini
	diff -u - <(drafts | sort) <<-'END'
		gemini/s-1 kept
		gemini/s-1 last wording
	END
	printf '{"$set":{"messages":[{"id":"z","type":"user","content":"remember: replaced all"}]}}\n' >>session.jsonl
	printf '{"id":"y","type":"user","content":"remember: and more"}\n{"$rewindTo":"unknown"}\n{"id":"q","type":"user","content":"remember: the end"}\n' >>session.jsonl
	end gemini
	[ "$(drafts | tail -n 1)" = 'gemini/s-1 the end' ]
	[ "$(drafts | wc -l)" = 3 ]
	printf '{"sessionId":"s",\n"messages":[{"id":"z","type":"user",\n"content":"remember: older"}]}' >old.json
	end gemini "$PWD/old.json"
	[ "$(drafts | tail -n 1)" = 'gemini/s-1 older' ]
}

@test "the end of a turn counts for an agent without an end of a session" {
	echo '{"uuid":"a","type":"user","provenance":"real_user","message":{"role":"user","parts":[{"text":"remember: it is Qwen"}]}}' \
		>session.jsonl
	event Stop >event
	for agent in claude qwen; do
		[ $agent != qwen ] || tell $agent
		[ $agent = qwen ] || [ "$(co hook $agent <event)" = '{}' ]
	done
	[ "$(drafts)" = 'qwen/s-1 it is Qwen' ]
}

@test "a record that the agent does not name is found by its session" {
	records=$BATS_TEST_DIRNAME/transcripts
	mkdir -p "$HOME/.local/share/opencode" "$HOME/.copilot/session-state/s-2"
	cp "$records/opencode.db" "$HOME/.local/share/opencode/"
	echo '{"hook_event_name":"Stop","cwd":"'"$PWD"'","session_id":"ses_dfecc2060ffeOheEqcPZR7nyOz"}' >event
	tell opencode
	echo '{"type":"user.message","id":"a","data":{"content":"remember: it is Copilot"}}' \
		>"$HOME/.copilot/session-state/s-2/events.jsonl"
	echo '{"hook_event_name":"SessionEnd","cwd":"'"$PWD"'","session_id":"s-2"}' >event
	tell copilot
	mkdir elsewhere
	mv "$HOME/.copilot/session-state" elsewhere/
	sed -i 's/it is/it has moved,/' elsewhere/session-state/s-2/events.jsonl
	COPILOT_HOME=$PWD/elsewhere tell copilot
	diff -u - <(drafts | sort) <<-'END'
		copilot/s-2 it has moved, Copilot
		copilot/s-2 it is Copilot
		opencode/ses_dfecc2060ffeOheEqcPZR7nyOz tests need Docker
	END
}

@test "the hook waits for a record that appears after its session ended" {
	records=$HOME/.copilot/session-state/s-2
	mkdir -p "$records"
	echo '{"type":"user.message","id":"a","data":{"content":"remember: it is late"}}' >late
	for event in Stop SessionEnd; do
		event $event session_id s-2 transcript_path "$records/events.jsonl" >event
		cp late "$records/late"
		(sleep 0.5; mv "$records/late" "$records/events.jsonl") 3>&- &
		if [ $event = Stop ]; then
			echo '{"hook.timeout_ms": 60000, "hook.ask_at_end": "on"}' \
				>"$global/settings.json"
			run -0 co hook copilot <event
			[[ $output == *'save_memory'* ]]
		else
			tell copilot
		fi
		wait
		rm "$records/events.jsonl"
	done
	[ "$(drafts)" = 'copilot/s-2 it is late' ]
}

# copilot_ends EVENT [TIME]: write Copilot's event of the session, at TIME.
copilot_ends() {
	event "$1" session_id s-2 transcript_path "$PWD/events.jsonl" \
		${2:+timestamp "$2"} >event
}

# late_words N: write the start of a record, and the rest a moment later.
late_words() {
	printf '%s\n' \
		'{"type":"session.start","timestamp":"2026-11-23T07:21:53.000Z"}' \
		'{"type":"tool","timestamp":"2026-11-23T07:21:53.500Z","data":{"timestamp":"2099-01-01T00:00:00.000Z"}}' \
		>events.jsonl
	(
		sleep 0.1
		printf '%s\n' \
			'{"type":"user.message","id":"a","data":{"content":"remember: late'"$1"'"},"timestamp":"2026-11-23T07:21:54.000Z"}' \
			'{"type":"hook.start","data":{"hookType":"sessionEnd","input":{"timestamp":1795418514829}},"timestamp":"2026-11-23T07:21:54.829Z"}' \
			>>events.jsonl
	) 3>&- &
}

@test "the hook waits for the rest of a record after its session ended" {
	local i=0
	echo '{"hook.timeout_ms": 60000, "hook.ask_at_end": "on"}' \
		>"$global/settings.json"
	for time in 2026-11-23T07:21:54.829Z '' soon; do
		i=$((i + 1))
		late_words $i
		copilot_ends SessionEnd $time
		tell copilot
		wait
	done
	late_words $i
	copilot_ends Stop 2026-11-23T07:21:54.829Z
	run -0 co hook copilot <event
	[[ $output == *'save_memory'* ]]
	wait
	diff -u - <(drafts | sort) <<-'END'
		copilot/s-2 late1
		copilot/s-2 late2
		copilot/s-2 late3
	END
}

@test "what a person said before Gemini's compression is still collected" {
	cat >session.jsonl <<-'END'
		{"sessionId":"s","projectHash":"h","startTime":"t","kind":"main"}
		{"id":"a","type":"user","content":"remember: early"}
		{"id":"b","type":"gemini","content":"ok"}
		{"id":"c","type":"user","content":"remember: late"}
		{"$set":{"messages":[{"id":"n1","type":"user","content":[{"text":"<scratchpad>x</scratchpad>\nremember: of the model\n<state_snapshot>\nremember: too\n</state_snapshot>"}]},{"id":"n2","type":"gemini","content":"Got it."},{"id":"c","type":"user","content":[{"text":"remember: late"}]}],"lastUpdated":"t"}}
		{"id":"d","type":"user","content":"remember: taken back"}
		{"$rewindTo":"d"}
		{"id":"e","type":"user","content":"remember: after"}
	END
	end gemini
	diff -u - <(drafts | sort) <<-'END'
		gemini/s-1 after
		gemini/s-1 early
		gemini/s-1 late
	END
}

@test "reading a long record of Gemini takes linear time" {
	# Comparing each message with all others would take longer than the test waits.
	seq -f '{"id":"%06.0f-of-the-session","type":"user","content":"x"}' 60000 \
		>session.jsonl
	echo '{"id":"z","type":"user","content":"remember: the end"}' >>session.jsonl
	end gemini
	[ "$(drafts)" = 'gemini/s-1 the end' ]
	grep -F '60001 said, 1 asked for, 1 drafts' "$log"
}

@test "hostile records cause no draft, and the readable lines count" {
	mkfifo pipe
	ln -s session.jsonl link
	mkdir folder
	for path in pipe link folder absent; do
		claude_says 'remember: never' >session.jsonl
		end claude "$PWD/$path"
	done
	end claude ''
	[ -z "$(drafts)" ]
	{
		printf '{"type":"user",\n\xff\xfe"user"\n{"user":[[[[\n'
		printf '"user"\n[]\n{"type":"user","message":7}\n'
		printf '%0100000d"user"\n' 0
		head -c 17000000 /dev/zero | tr '\0' x
		echo
		claude_says 'remember: still read' | sed 's/still/\\ud83d still/'
		printf '{"type":"user","message":{"role":"user","content":"remember: half'
	} >session.jsonl
	end claude
	[ "$(drafts)" = $'claude/s-1 \uFFFD still read' ]
}

# start: start a session, and print its message for the person.
start() {
	event SessionStart source startup | co hook claude | jq -r '.systemMessage // ""'
}

# logged PATTERN: wait until the log has a line with PATTERN.
logged() {
	for _ in {1..1200}; do
		! grep -q "$1" "$log" || return 0
		sleep 0.1
	done
	return 1
}

@test "lines that could not be saved are saved when the next session starts" {
	local kept=$HOME/.local/state/co-cli/unsaved
	claude_says $'remember: tests need Docker\nlearned: ids are UUIDs' \
		'remember: token = ghp_0123456789abcdefABCDEF0123456789abcd' >session.jsonl
	echo '{"format": 99}' >.co-cli/settings.json
	end claude
	grep -q '0 collected, no more, 2 kept for the next session: ' "$log"
	run -0 stat -c '%a %s' "$kept"/*
	[[ $output == '600 '* ]]
	run -1 grep -r ghp_ "$kept" "$log"
	# Each start reports the lines and tries again until they are saved.
	run -0 start
	[[ $output == "co: 2 lines to remember could not be saved when a session ended ("*"format"*"): co tries again now, and 'co review' shows what it saved" ]] ||
		{ echo "$output"; false; }
	logged '0 saved of what was kept, no more'
	run -0 co-status
	[[ $output == *$'\nunsaved  2 lines to remember: '*'; the next session here tries again'* ]]
	rm .co-cli/settings.json
	run -0 start
	[[ $output == "co: 2 lines to remember"* ]]
	logged 'all saved of what was kept: 2 drafts'
	run -0 drafts
	expect <<-'END'
		claude/s-1 tests need Docker
		claude/s-1 ids are UUIDs
	END
	[ -z "$(ls "$kept")" ]
	run -0 start
	[[ $output == "co: 2 drafts wait for your yes"* && $output != *'could not'* ]]
}

@test "kept lines are dropped once their session ends again and is saved" {
	claude_says 'remember: tests need Docker' >session.jsonl
	echo '{"format": 99}' >.co-cli/settings.json
	end claude
	[ -n "$(ls "$HOME/.local/state/co-cli/unsaved")" ]
	rm .co-cli/settings.json
	end claude
	[ -z "$(ls "$HOME/.local/state/co-cli/unsaved")" ]
	[ "$(drafts)" = 'claude/s-1 tests need Docker' ]
}

@test "kept lines are saved when their session ends again without them" {
	claude_says 'remember: tests need Docker' >session.jsonl
	echo '{"format": 99}' >.co-cli/settings.json
	end claude
	claude_says 'remember: ids are UUIDs' >session.jsonl
	rm .co-cli/settings.json
	end claude
	[ "$(drafts | sort)" = $'claude/s-1 ids are UUIDs\nclaude/s-1 tests need Docker' ]
	[ -z "$(ls "$HOME/.local/state/co-cli/unsaved")" ]
}

@test "lines of two failed ends of a session are kept once" {
	local kept=$HOME/.local/state/co-cli/unsaved
	claude_says $'remember: tests need Docker\nremember: ids are UUIDs' >session.jsonl
	echo '{"format": 99}' >.co-cli/settings.json
	end claude
	claude_says $'remember: ids are UUIDs\nremember: make needs GNU' >session.jsonl
	end claude
	run -0 jq -c .texts "$kept"/*
	expect <<<'["tests need Docker","ids are UUIDs","make needs GNU"]'
	rm .co-cli/settings.json
	run -0 start
	logged 'all saved of what was kept: 3 drafts'
}

@test "a damaged file of kept lines is not replaced by the next end" {
	local kept=$HOME/.local/state/co-cli/unsaved
	claude_says 'remember: tests need Docker' >session.jsonl
	echo '{"format": 99}' >.co-cli/settings.json
	end claude
	damaged=$(echo "$kept"/*)
	sed -i 's/^{/[/' "$damaged"
	cp "$damaged" damaged
	claude_says 'remember: ids are UUIDs' >session.jsonl
	end claude
	cmp "$damaged" damaged
	[ "$(cat "$kept"/* | grep -c .)" = 2 ]
	rm .co-cli/settings.json
	run -0 start
	logged 'unsaved/.* is damaged\|1 saved of what was kept'
	[ "$(drafts)" = 'claude/s-1 ids are UUIDs' ]
	run -0 ls "$kept"
	expect <<<"${damaged##*/}"
}

@test "lines kept for one project are not saved in another" {
	claude_says 'remember: tests need Docker' >session.jsonl
	echo '{"format": 99}' >.co-cli/settings.json
	end claude
	mkdir -p ../other/.co-cli
	cd ../other
	[ -z "$(start)" ]
	[ -n "$(ls "$HOME/.local/state/co-cli/unsaved")" ]
}

@test "kept lines follow a renamed project, and do not go to another at its path" {
	co init >/dev/null
	claude_says 'remember: tests need Docker' >session.jsonl
	cp .co-cli/settings.json good
	echo '{"format": 99}' >.co-cli/settings.json
	end claude
	cp good .co-cli/settings.json
	mv ../project ../renamed
	mkdir -p ../project
	cd ../project
	co init >/dev/null
	[ -z "$(start)" ]
	run -0 co-status
	[[ $output == *$'\nunsaved  lines for another store that was here, not used: '"$HOME/.local/state/co-cli/unsaved/"*'; remove the file'* ]]
	[ -n "$(ls "$HOME/.local/state/co-cli/unsaved")" ]
	cd ../renamed
	run -0 start
	[[ $output == "co: 1 line to remember"* ]]
	logged 'all saved of what was kept: 1 drafts'
	[ -z "$(ls "$HOME/.local/state/co-cli/unsaved")" ]
}

@test "a purge removes lines that could not be saved" {
	co init >/dev/null
	claude_says $'remember: the launch code is Tulip Harbour\nremember: tests need Docker' >session.jsonl
	cp .co-cli/settings.json good
	echo '{"format": 99}' >.co-cli/settings.json
	end claude
	cp good .co-cli/settings.json
	rm session.jsonl
	run -0 co-memory-purge --text=- <<<'the launch code is Tulip Harbour'
	[[ $output == "removed $HOME/.local/state/co-cli/unsaved/"* ]]
	kept=$(ls "$HOME"/.local/state/co-cli/unsaved/*)
	[ "$(jq -c .texts "$kept")" = '["tests need Docker"]' ]

	# The preview and the purge report a damaged file.
	echo '{' >>"$kept"
	run -4 --separate-stderr co-memory-purge -n --text=- <<<'tests need Docker'
	[[ $stderr == *"'$kept' is damaged"* ]]
	run -1 co-memory-purge --text=- <<<'tests need Docker'
	[[ $output == *"$kept"* ]]
}

@test "a line that looks like a secret is refused, and the others are saved" {
	claude_says "remember: the key is AKIA$(printf 'Q3EGRZ7W%s' MX2LKDPN)" \
		'remember: postgres://app:tR7kq2Wm9x@db/app' \
		'remember: a fact' >session.jsonl
	end claude
	[ "$(drafts)" = 'claude/s-1 a fact' ]
	run -1 grep -r tR7kq2Wm9x .co-cli "$HOME/.local"
}

@test "one end of a session makes at most 200 drafts" {
	mapfile -t facts < <(seq -f 'remember: fact %g' 300)
	claude_says "${facts[@]}" >session.jsonl
	end claude
	[ "$(drafts | wc -l)" = 200 ]
	# Texts that the previous end drafted do not count as new.
	end claude
	[ "$(drafts | wc -l)" = 300 ]
}

@test "outside a project, the drafts go to the user store" {
	rm -r .co-cli
	claude_says 'remember: at home' >session.jsonl
	end claude
	[ ! -e .co-cli ]
	[ "$(co-memory-list --global --drafts --format='%(content)')" = 'at home' ]
}

@test "an end that was answered too late still makes its drafts" {
	echo '{"hook.timeout_ms": 1}' >"$global/settings.json"
	claude_says 'remember: a fact' >session.jsonl
	mkfifo slow
	co hook claude <slow >answer &
	exec {mouth}>slow
	# The agent gets the answer before it has sent the event.
	wait $!
	[ "$(cat answer)" = '{}' ]
	event SessionEnd >&"$mouth"
	exec {mouth}>&-
	for _ in {1..1200}; do
		! grep -q ' collected' "$log" || break
		sleep 0.1
	done
	[ "$(drafts)" = 'claude/s-1 a fact' ]
}

@test "the agent does not wait for the collection at the end of a session" {
	# The collector waits for a lock. The agent does not.
	claude_says 'remember: a fact' >session.jsonl
	bash -c 'exec 9<.co-cli/knowledge; flock 9; exec sleep 60' 3>&- &
	holder=$!
	until ! flock -n .co-cli/knowledge true; do sleep 0.05; done
	event SessionEnd >event
	# The pipe ends only if no other process keeps it open.
	run -0 timeout 60 bash -c 'co hook claude <event 2>&1 | cat'
	expect <<<'{}'
	[ -z "$(drafts)" ]
	kill $holder
	for _ in {1..1200}; do
		[ -z "$(drafts)" ] || break
		sleep 0.1
	done
	[ "$(drafts)" = 'claude/s-1 a fact' ]
}

# stops AGENT [KEY VALUE]...: report the end of a turn, and print the answer.
stops() {
	local agent=$1 name=Stop
	shift
	[ $agent != gemini ] || name=AfterAgent
	[[ $* == *stop_hook_active* ]] || set -- "$@" stop_hook_active false
	event $name "$@" | co hook $agent
}

@test "a model is asked once per session to propose what it learned" {
	claude_says 'I prefer tabs.' >session.jsonl
	[ "$(stops claude)" = '{}' ]
	echo '{"hook.timeout_ms": 60000, "hook.ask_at_end": "on"}' \
		>"$global/settings.json"
	[ "$(stops claude stop_hook_active true)" = '{}' ]
	[ "$(stops claude session_id '../x')" = '{}' ]
	[ "$(stops claude transcript_path "$PWD/none")" = '{}' ]
	run -0 stops claude
	[ "$(jq -c 'keys, .decision' <<<"$output")" = $'["decision","reason"]\n"block"' ]
	value reason <<<"$output" >reason
	[ "$(head -n 1 reason)" = '<!-- co:context v1 -->' ]
	[ "$(tail -n 2 reason)" = '<!-- /co:context -->' ]
	grep -qF save_memory reason
	claude_says 'And more.' >>session.jsonl
	[ "$(stops claude)" = '{}' ]
	[[ $(stops claude session_id s-2) == '{"decision":"block"'* ]]
	[ "$(grep -c 'asked what it learned' "$log")" = 2 ]
	# The question does not count as words of a person.
	claude_says "$(cat reason)" >session.jsonl
	[ "$(stops claude session_id s-3)" = '{}' ]
}

@test "a model is not asked if the user said nothing since its last save" {
	echo '{"hook.timeout_ms": 60000, "hook.ask_at_end": "on"}' \
		>"$global/settings.json"
	echo '{"hook.ask_at_end": "on"}' >.co-cli/settings.json
	: >session.jsonl
	[ "$(stops claude)" = '{}' ]
	claude_says '/clear' '! ls' >session.jsonl
	[ "$(stops claude)" = '{}' ]
	{
		claude_says 'I prefer tabs.'
		echo '{"type":"assistant","uuid":"v","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"mcp__co__save_memory","input":{}}]}}'
	} >session.jsonl
	[ "$(stops claude)" = '{}' ]
	claude_says 'And spaces in YAML.' >>session.jsonl
	[[ $(stops claude) == *block* ]]
	# The project's settings have no effect.
	rm "$global/settings.json"
	[ "$(stops claude session_id s-2)" = '{}' ]
}

@test "of several hooks at once, only one asks the model" {
	echo '{"hook.timeout_ms": 60000, "hook.ask_at_end": "on"}' \
		>"$global/settings.json"
	claude_says 'I prefer tabs.' >session.jsonl
	for i in {1..8}; do
		stops claude >answer.$i &
	done
	wait
	[ "$(cat answer.* | grep -c block)" = 1 ]
	[ "$(cat answer.* | grep -cx '{}')" = 7 ]
}

@test "each agent that supports the question is asked" {
	echo '{"hook.timeout_ms": 60000, "hook.ask_at_end": "on"}' \
		>"$global/settings.json"
	records=$BATS_TEST_DIRNAME/transcripts
	for agent in codex gemini qwen copilot; do
		sed 's/save_memory/another_tool/g' "$records/$agent.jsonl" \
			>session.jsonl
		[[ $(stops $agent) == '{"decision":"block"'* ]]
		[ "$(stops $agent)" = '{}' ]
	done
	mkdir -p "$HOME/.local/share/opencode"
	cp "$records/opencode.db" "$HOME/.local/share/opencode/"
	[ "$(stops opencode session_id ses_dfecc2060ffeOheEqcPZR7nyOz \
		transcript_path '')" = '{}' ]
	[ "$(find "$HOME/.local/state/co-cli/asked" -type f | wc -l)" = 4 ]
}
