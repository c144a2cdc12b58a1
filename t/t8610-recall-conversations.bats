#!/usr/bin/env bats
# co recall --kind=conversation: search conversations with agents.
load lib
load terminal

setup() {
	world
	git init -q .
	records=$BATS_TEST_DIRNAME/transcripts
	claude=$HOME/.claude/projects/-p
	index=$HOME/.cache/co-cli/conversations
	mkdir -p .co-cli "$claude"
}

# line TYPE UUID PARENT TEXT: print a line of Claude Code's record.
line() {
	local parent=null
	[ -z "$3" ] || parent=\"$3\"
	printf '{"type":"%s","uuid":"%s","parentUuid":%s,"cwd":%s,"timestamp":"%s","message":{"role":"%s","content":%s}}\n' \
		"$1" "$2" "$parent" "$(json_string "$PWD")" \
		"2026-02-08T09:30:0${2:1:1}Z" "$1" "$(json_string "$4")"
}

redis() {
	line user u1 '' 'Which port does redis use?'
	line assistant u2 u1 'It listens on 6380, as compose.yaml says.'
	line user u3 u2 'And postgres?'
	line assistant u4 u3 'The usual 5432.'
}

recalled() {
	co recall --kind=conversation --json "$@" | jq -r .snippet
}

@test "recall prints a turn, the reply, and the command that resumes" {
	redis >"$claude/7c1d.jsonl"
	run -0 co recall --kind=conversation which port redis
	expect <<-'END'
		Found 1 turn of a conversation matching 'which port redis':

		**Conversation: claude, user** (2026-02-08, claude/7c1d, turn 1) (external)
		<external-text source="claude/7c1d, turn 1">
		Which port does redis use?
		assistant: It listens on 6380, as compose.yaml says.
		</external-text>
		Resume: claude --resume 7c1d
	END
	run -1 co recall --kind=conversation kubernetes
	expect <<-'END'
		No turns of conversations found matching 'kubernetes'
		hint: --all searches the conversations of all projects
	END
}

@test "recall finds a text that an agent has just added to its database" {
	db=$HOME/.config/Cursor/User/globalStorage/state.vscdb
	mkdir -p "${db%/*}"
	# added NUMBER TEXT MS: add TEXT, and search for it while Cursor has the database open.
	added() {
		printf '%s\n' 'PRAGMA journal_mode = WAL;' "INSERT INTO cursorDiskKV VALUES
			('bubbleId:9ec2:n$1', '{\"_v\":3,\"type\":1,\"bubbleId\":\"n$1\",\"text\":\"$2\"}');
			UPDATE cursorDiskKV SET value = json_insert(value, '\$.fullConversationHeadersOnly[#]',
				json('{\"bubbleId\":\"n$1\",\"type\":1}')) WHERE key = 'composerData:9ec2';
			UPDATE composerHeaders SET lastUpdatedAt = $3 WHERE composerId = '9ec2';" |
			"$CO_BIN/../t/tool/transcript/database" "$db" \
				"test -s $db-wal && co recall --kind=conversation --all --json $2 | jq -r .snippet"
	}
	"$CO_BIN/../t/tool/transcript/database" "$db" <"$records/cursor.sql"
	run -0 added 1 zebra 1795687209100
	expect <<<zebra
	run -0 added 2 okapi 1795687209200
	expect <<<okapi
}

@test "a match is printed with two lines before and after it" {
	line user u1 '' $'one\ntwo\nthree\nzebra four\nfive\nsix\nseven' \
		>"$claude/7c1d.jsonl"
	co recall --kind=conversation zebra | sed -n '/^</,/^</p' >got
	diff -u - got <<-'END'
		<external-text source="claude/7c1d, turn 1">
		two
		three
		zebra four
		five
		six
		</external-text>
	END
}

@test "of two turns with the same words, the later one comes first" {
	line user u9 '' 'Which port does redis use?' >"$claude/b.jsonl"
	for session in a c; do
		line user u1 '' 'Which port does redis use?' >"$claude/$session.jsonl"
	done
	run -0 --separate-stderr co recall --kind=conversation --json port redis
	[ "$(jq -r .session <<<"${lines[0]}")" = b ]
}

@test "--json prints all fields of a turn" {
	redis >"$claude/7c1d.jsonl"
	run -0 co recall --kind=conversation --json 6380
	jq -c '[.kind, .agent, .session, .at, .role, .turn, .snippet, .path,
		.resume, .marks[]]' <<<"$output" >got
	diff -u - got <<-END
		["conversation","claude","7c1d","2026-02-08T09:30:02Z","assistant",2,"It listens on 6380, as compose.yaml says.","$claude/7c1d.jsonl","claude --resume 7c1d","external"]
	END
}

@test "recall finds turns of every agent" {
	mkdir -p "$HOME"/.codex/sessions/2026/11/22 \
		"$HOME/.gemini/tmp/project/chats" \
		"$HOME/.local/share/opencode" "$HOME/.copilot/session-state/c1" \
		"$HOME/.qwen/projects/-p/chats" "$HOME/.continue/sessions"
	cp "$records/claude.jsonl" "$claude/5b0e.jsonl"
	cp "$records/codex.jsonl" "$HOME/.codex/sessions/2026/11/22/rollout-2026-11-22T03-01-32-01a20133-a950-7b90-97a8-170f28730c0f.jsonl"
	cp "$records/gemini.jsonl" \
		"$HOME/.gemini/tmp/project/chats/session-2026-11-22T03-01-b4.jsonl"
	cp "$records/opencode.db" "$HOME/.local/share/opencode/"
	cp "$records/copilot.jsonl" "$HOME/.copilot/session-state/c1/events.jsonl"
	cp "$records/qwen.jsonl" "$HOME/.qwen/projects/-p/chats/b2.jsonl"
	cp "$records/continue.json" \
		"$HOME/.continue/sessions/7c1d2f5e-0d42-4c6f-9a51-3f3a5b8f0e11.json"
	cp "$records/aider.md" .aider.chat.history.md
	co recall --kind=conversation --all --json -n 20 'tabs docker kept' |
		jq -r .agent | sort | tr '\n' ' ' >got
	[ "$(cat got)" = 'aider claude codex continue copilot gemini opencode opencode qwen ' ]
	# Without --all only Aider's record belongs to this project.
	co recall --kind=conversation --json tabs | jq -r .agent >got
	[ "$(cat got)" = aider ]
}

@test "a database is opened only if it changed, and its sessions may be gone" {
	need_strace
	command -v sqlite3 >/dev/null || skip "there is no sqlite3"
	dir=$HOME/.local/share/opencode
	mkdir -p "$dir"
	cp "$records/opencode.db" "$dir/"
	recalled --all kept
	strace -e trace=openat -o trace co recall --kind=conversation --all kept
	run -1 grep -q opencode.db trace
	sqlite3 "$dir/opencode.db" "UPDATE part SET data =
		json_set(data, '\$.text', 'zebra') WHERE data LIKE '%\"kept\"%';
		UPDATE session SET time_updated = time_updated + 5000"
	run -0 recalled --all zebra
	expect <<<zebra
	run -1 co recall --kind=conversation --all kept
	run -0 recalled --all docker
	sqlite3 "$dir/opencode.db" "DELETE FROM session WHERE id = 'ses_back'"
	run -1 co recall --kind=conversation --all zebra
	run -0 recalled --all docker
	rm "$dir/opencode.db"
	run -1 co recall --kind=conversation --all docker
}

@test "commands and their errors are found, and other output of tools is not" {
	{
		redis
		printf '{"type":"assistant","uuid":"u5","parentUuid":"u4","message":{"role":"assistant","content":[{"type":"tool_use","name":"Bash","input":{"command":"frobnicate --all"}}]}}\n'
		printf '{"type":"user","uuid":"u6","parentUuid":"u5","toolUseResult":"x","message":{"role":"user","content":[{"type":"tool_result","content":"quixotic listing"}]}}\n'
		printf '{"type":"user","uuid":"u7","parentUuid":"u6","toolUseResult":"x","message":{"role":"user","content":[{"type":"tool_result","is_error":true,"content":"exit 3: flange missing"}]}}\n'
	} >"$claude/7c1d.jsonl"
	run -0 co recall --kind=conversation --json frobnicate
	[ "$(jq -r .role <<<"$output")" = assistant ]
	run -0 co recall --kind=conversation --json flange
	[ "$(jq -r .role <<<"$output")" = tool ]
	run -1 co recall --kind=conversation --json quixotic
}

@test "recall reads only the new part of a record that grew" {
	redis >"$claude/7c1d.jsonl"
	recalled redis
	line user u5 u4 'The broker is rabbitmq.' >>"$claude/7c1d.jsonl"
	run -0 recalled rabbitmq
	expect <<<'The broker is rabbitmq.'
	run -0 co recall --kind=conversation --json rabbitmq
	[ "$(jq -r .turn <<<"$output")" = 5 ]
	run -0 co recall --kind=conversation --json 'port redis'
	[ "$(jq -r .turn <<<"$output")" = 1 ]
}

@test "the new part of a long record costs as little as that of a short one" {
	need_strace
	local last='' filler
	filler=$(printf 'filler%.0s ' {1..2000})
	for i in {1..40}; do
		line user "u$i" "$last" "word $filler"
		last=u$i
	done >"$claude/7c1d.jsonl"
	recalled word >/dev/null
	line user u41 u40 'The broker is rabbitmq.' >>"$claude/7c1d.jsonl"
	strace -y -e trace=read,pread64 -o trace co recall \
		--kind=conversation rabbitmq >got
	grep -q rabbitmq got
	# The first and last 64 KiB identify the record.
	read=$(sed -n 's/.*7c1d.jsonl.* = \([0-9]*\)$/\1/p' trace |
		awk '{ n += $1 } END { print n + 0 }')
	[ "$read" -gt 0 ]
	[ "$read" -lt 200000 ]
	[ "$(stat -c %s "$claude/7c1d.jsonl")" -gt 500000 ]
}

@test "an index that grew line by line equals an index of the whole" {
	mkdir -p "$HOME/.codex/sessions/2026/11/22" \
		"$HOME/.copilot/session-state/c1" "$HOME/.qwen/projects/-p/chats"
	grown() {
		local n
		n=$(wc -l <"$records/$1.jsonl")
		for i in $(seq "$n"); do
			head -n "$i" "$records/$1.jsonl" | tail -n 1 >>"$2"
			co recall --kind=conversation --all x >/dev/null || :
		done
	}
	grown claude "$claude/7c1d.jsonl"
	grown qwen "$HOME/.qwen/projects/-p/chats/b2.jsonl"
	grown copilot "$HOME/.copilot/session-state/c1/events.jsonl"
	grown codex "$HOME/.codex/sessions/2026/11/22/rollout-2026-11-22T03-01-32-01a20133-a950-7b90-97a8-170f28730c0f.jsonl"
	all() {
		co recall --kind=conversation --all --json -n 99 \
			'hello tabs done make noted thanks remember' |
			jq -c '[.agent, .turn, .role, .snippet, .content]' | sort
	}
	all >grown
	[ "$(wc -l <grown)" -gt 6 ]
	co conversations --forget
	all | diff -u - grown
}

@test "the readable lines of hostile records are indexed" {
	mkfifo "$claude/fifo.jsonl"
	redis >"$claude/evil.jsonl"
	{
		head -c 12000000 /dev/zero | tr '\0' x
		printf '\n{"type":"user","message":%0100000d\n' 0 | tr 0 '['
		head -c 3000 /dev/urandom
		printf '\n\0\0\0\n'
		line user u5 u4 $'zebra\u0000\u001b[31m\u009bred'
	} >>"$claude/evil.jsonl"
	ln -s "$PWD/elsewhere" "$claude/dangling.jsonl"
	redis >elsewhere.jsonl
	ln -s "$PWD/elsewhere.jsonl" "$claude/link.jsonl"
	run -0 --separate-stderr co recall --kind=conversation zebra
	[[ $output == *'source="claude/evil, turn 5"'* ]]
	[[ $output != *$'\033'* ]]
	[[ $stderr == *"fifo.jsonl': it is not a regular file"* ]]
	[[ $stderr == *"link.jsonl': it is a link"* ]]
	run -0 --separate-stderr recalled redis
	[ "${#lines[@]}" = 1 ]
}

@test "a turn that was rewound later is not found" {
	redis >"$claude/7c1d.jsonl"
	recalled postgres
	line user u5 u2 'Skip that.' >>"$claude/7c1d.jsonl"
	run -1 co recall --kind=conversation postgres
	run -0 recalled skip
	expect <<<'Skip that.'
	run -0 co recall --kind=conversation --json redis
	[ "$(jq -r .turn <<<"$output")" = 1 ]
}

@test "a record that shrank or was replaced is read again" {
	redis >"$claude/7c1d.jsonl"
	recalled redis
	redis | head -n 2 >"$claude/7c1d.jsonl"
	run -1 co recall --kind=conversation postgres
	run -0 recalled redis
	redis | sed 's/redis/valkey/; s/postgres/mariadb/' >"$claude/other"
	mv "$claude/other" "$claude/7c1d.jsonl"
	run -1 co recall --kind=conversation redis
	run -0 recalled valkey
	run -0 recalled mariadb
	# The record is longer, is written in place, and starts differently.
	{
		line user u1 '' 'Say something about etcd.'
		redis
	} >"$claude/7c1d.jsonl"
	run -0 recalled etcd
	run -1 co recall --kind=conversation valkey
}

@test "a deleted conversation is not found, and an unreadable one still is" {
	redis >"$claude/7c1d.jsonl"
	redis | sed 's/redis/valkey/' >"$claude/7c2e.jsonl"
	recalled redis
	rm "$claude/7c2e.jsonl"
	run -1 co recall --kind=conversation valkey
	[ "$(id -u)" != 0 ] || skip 'root reads everything'
	chmod 0 "$claude/7c1d.jsonl"
	run -4 co recall --kind=conversation redis
	[[ $output == *'Which port'* ]]
}

@test "secrets are redacted before they are written" {
	line user u1 '' 'the deploy key is ghp_0123456789abcdefghijABCDEFGHIJ012345' \
		>"$claude/7c1d.jsonl"
	run -0 recalled deploy key
	[[ $output == 'the deploy key is [REDACTED '* ]]
	run -1 grep -ra ghp_0123456789 "$HOME/.cache"
}

@test "recall with few results counts the conversations that match, from an index" {
	redis >"$claude/7c1d.jsonl"
	redis >"$claude/7c2e.jsonl"
	run -1 --separate-stderr co recall redis
	[ -z "$stderr" ]
	[ ! -e "$index" ]
	recalled redis
	run -1 --separate-stderr co recall redis
	[ "$stderr" = 'hint: 2 conversations mention it: --kind=conversation' ]
	run -1 --separate-stderr co recall --json redis
	[ -z "$stderr" ]
	run -1 --separate-stderr co recall kubernetes
	[ -z "$stderr" ]
	# The memories fill the limit already.
	for i in 1 2 3; do co learn "redis fact number $i" -q; done
	run -0 --separate-stderr co recall -n 3 redis
	[ -z "$stderr" ]
	co conversations --forget
	[ ! -e "$index" ]
	run -0 --separate-stderr co recall redis
	[ -z "$stderr" ]
}

@test "on a terminal, recall without results hints at conversations" {
	local hint='hint: --kind=conversation searches 1 conversation with agents'
	need_terminal
	PAGER='' terminal 1 '' 'co recall redis'
	[[ $output != *'kind=conversation'* ]]
	redis >"$claude/7c1d.jsonl"
	PAGER='' terminal 1 '' 'co recall redis'
	[[ $output == *"$hint"* ]]
	run -1 --separate-stderr co recall redis
	[ -z "$stderr" ]
	recalled redis
	PAGER='' terminal 1 '' 'co recall kubernetes'
	[[ $output != *'kind=conversation'* ]]
	co learn -q 'redis listens on 6380'
	co conversations --forget
	PAGER='' terminal 0 '' 'co recall redis'
	[[ $output != *'kind=conversation'* ]]
}

@test "the hint finds a mention after hundreds of turns with one of its words" {
	jq -nc --arg cwd "$PWD" 'range(600) | {type: "user", uuid: "u\(.)",
		parentUuid: (if . == 0 then null else "u\(. - 1)" end), $cwd,
		timestamp: "2026-02-08T09:30:00Z", message: {role: "user",
		content: "alpha \(.)"}}' \
		>"$claude/7c1d.jsonl"
	line user u1 '' 'alpha meets omega' >"$claude/7c2e.jsonl"
	recalled alpha
	run -1 --separate-stderr co recall alpha omega
	[ "$stderr" = 'hint: 1 conversation mentions it: --kind=conversation' ]
}

@test "the hint counts a conversation once, if one turn has all words" {
	{
		line user u1 '' 'alpha meets omega'
		line assistant u2 u1 'Omega meets alpha again.'
	} >"$claude/7c1d.jsonl"
	{
		line user u1 '' 'alpha and beta'
		line assistant u2 u1 'Only omega.'
		line user u3 u2 'alpha and gamma'
		line assistant u4 u3 'alpha and delta'
	} >"$claude/7c2e.jsonl"
	recalled alpha
	run -1 --separate-stderr co recall alpha omega
	[ "$stderr" = 'hint: 1 conversation mentions it: --kind=conversation' ]
}

@test "--forget removes the index, and a purge removes it too" {
	redis >"$claude/7c1d.jsonl"
	recalled redis
	[ -e "$index/conversations.db" ]
	run -0 co conversations --forget
	expect <<<'✓ Removed the index of conversations'
	[ ! -e "$index" ]
	run -0 --separate-stderr co conversations --forget
	[ "$stderr" = 'co-conversations: there is no index of conversations' ]
	recalled redis
	echo 'It listens on 6380, as compose.yaml says.' | co-memory-save
	co forget --purge -y 1 || [ $? = 1 ]
	run -1 grep -rqa 'It listens on 6380' "$HOME/.cache" .co-cli
}

@test "co conversations takes from the index what it has" {
	need_strace
	for i in 1 2 3; do redis >"$claude/$i.jsonl"; done
	co conversations --json >before
	# A change within a tick of the clock is read once more.
	recalled redis >/dev/null
	sleep 2.1
	recalled redis >/dev/null
	co conversations --json | diff -u before -
	# Records that the search has read are not read again.
	strace -y -e trace=read -o trace co conversations >got
	run -1 grep -q jsonl trace
	strace -e trace=openat -o trace co recall --kind=conversation absent || [ $? = 1 ]
	run -1 grep -q jsonl trace
	line user u5 u4 'And etcd?' >>"$claude/2.jsonl"
	run -0 co conversations --json
	[ "$(jq -r .turns <<<"$output" | sort | tr '\n' ' ')" = '4 4 5 ' ]
}

@test "co conversations reads database sessions that no search has read" {
	mkdir -p "$HOME/.local/share/opencode"
	cp "$records/opencode.db" "$HOME/.local/share/opencode/"
	co conversations --all --json >before
	redis >"$claude/1.jsonl"
	recalled redis >/dev/null
	rm "$claude/1.jsonl"
	co conversations --all --json | diff -u before -
}

@test "a damaged index is rebuilt" {
	redis >"$claude/7c1d.jsonl"
	recalled redis
	size=$(stat -c %s "$index/conversations.db")
	for at in 10 4000 5000 $((size / 2)) $((size - 100)); do
		printf XXXXXXXX | dd of="$index/conversations.db" bs=1 seek=$at \
			conv=notrunc status=none
		run -0 recalled redis
		expect <<<'Which port does redis use?'
	done
	truncate -s 5000 "$index/conversations.db"
	run -0 recalled redis
	: >"$index/conversations.db"
	run -0 recalled redis
	echo nonsense >"$index/conversations.stamp"
	run -0 recalled redis
}

@test "without a cache, recall finds conversations" {
	redis >"$claude/7c1d.jsonl"
	export XDG_CACHE_HOME=/proc/none
	run -0 --separate-stderr recalled redis
	expect <<<'Which port does redis use?'
}

@test "on a full disk, recall finds old and new conversations" {
	redis >"$claude/7c1d.jsonl"
	full='ulimit -f 16; trap "" XFSZ
		exec co recall --kind=conversation --json "$1"'
	run -0 --separate-stderr bash -c "$full" - redis
	[ "$(jq -r .snippet <<<"$output")" = 'Which port does redis use?' ]
	[[ $stderr == *'cannot be used: all conversations were read' ]]
	recalled redis
	line user u1 '' 'What does varnish do?' >"$claude/7c1e.jsonl"
	run -0 --separate-stderr bash -c "$full" - varnish
	[ "$(jq -r .snippet <<<"$output")" = 'What does varnish do?' ]
	rm -r "$index"/*.db
	mkdir "$index/conversations.db"
	run -0 --separate-stderr recalled varnish
	expect <<<'What does varnish do?'
}

@test "concurrent searches build one index" {
	for i in $(seq 100 130); do redis >"$claude/$i.jsonl"; done
	for i in 1 2 3 4; do recalled -n 100 port redis >got.$i & done
	wait
	for i in 1 2 3 4; do [ "$(wc -l <got.$i)" = 31 ]; done
}

@test "a killed writer leaves a complete index, or it is rebuilt" {
	for i in $(seq 100 140); do redis >"$claude/$i.jsonl"; done
	for ms in 1 2 3 4 5 6 8 10 14 18 25 35; do
		timeout -s KILL "0.0$(printf %02d "$ms")" co recall \
			--kind=conversation redis >/dev/null 2>&1 || :
		redis | sed "s/redis/valkey$ms/" >"$claude/k$ms.jsonl"
	done
	run -0 recalled -n 100 postgres
	[ "${#lines[@]}" = 53 ]
	run -0 recalled valkey14
}

@test "recall refuses wrong combinations of options" {
	run -2 co recall --all redis
	run -2 co recall --kind=conversation --mode=grep redis
	run -2 co recall --kind=conversation -t x redis
	run -2 co recall --kind=conversation --format=x redis
	run -2 co recall --kind=conversation since:nonsense redis
}
