#!/usr/bin/env bats
# What co hook adds before an edit, before a command and for subagents.
load lib
load git
load mcp

setup() {
	world
	mkdir -p "$global" .git src
	echo '{"hook.timeout_ms": 60000, "hook.recall": "action"}' >"$global/settings.json"
	co-init -q
	seq 60 >src/pay.c
	state=$HOME/.local/state/co-cli
	ledger=$state/shown/$(jq -r .project.id .co-cli/settings.json).jsonl
	head=$'From this project\'s memory (co why tells the reason):\n'
}

# saved TEXT [OPTION...]: save a memory.
saved() {
	co-learn -q --force "$@"
}

# rule TEXT: save a memory that every session loads.
rule() {
	saved "$1"
	sed -i '0,/^id:/s/^id:/always: true\nid:/' "$(ls $memories/* | tail -n 1)"
}

# act INPUT [SESSION [AGENT [EVENT]]]: report an agent's tool call with this input. Print the
# text for the model.
act() {
	event "${4-PreToolUse}" "$1" "${2-s-1}" >event
	co hook "${3-claude}" <event >answer
	added
}

# event NAME INPUT [SESSION]: print the event.
event() {
	hook_event "${3-s-1}" "$1" \
		"\"transcript_path\":\"/none\",\"tool_name\":\"T\",\"tool_input\":$2,\"tool_use_id\":\"u\""
}

added() {
	[[ $(<answer) != *'"additionalContext":"'* ]] || value additionalContext <answer
}

# edits PATH [OLD [NEW]]: print the input of an edit.
edits() {
	printf '{"file_path":%s,"old_string":%s,"new_string":%s}\n' "$(json_string "$1")" \
		"$(json_string "${2-45}")" "$(json_string "${3-x}")"
}

# runs COMMAND: print the input of a shell.
runs() {
	printf '{"command":%s,"description":"d"}\n' "$(json_string "$1")"
}

@test "an edit of a file that a memory cites adds the memory once per session" {
	saved 'Retry a payment at most twice' --cite src/pay.c:40-52
	run -0 act "$(edits "$PWD/src/pay.c")"
	expect <<-END
		<!-- co:context v1 -->
		$head
		**Memory 1** (created 2026-02-09)
		Retry a payment at most twice

		<!-- /co:context -->
	END
	[ "$(jq -r .hookSpecificOutput.hookEventName answer)" = PreToolUse ]
	[ "$(jq -c keys answer)" = '["hookSpecificOutput"]' ]
	run -0 act "$(edits "$PWD/src/pay.c" 46)"
	expect </dev/null
	diff -u - answer <<<'{}'
	# Another session and another agent get the memory.
	run -0 act "$(edits src/pay.c)" s-2
	[[ $output == *'Memory 1'* ]]
	run -0 act "$(edits src/pay.c)" s-1 codex
	[[ $output == *'Memory 1'* ]]
	run -0 jq -c '[.event, .session, .trigger, (.memories[] | .id, .why, .cite)]' "$ledger"
	expect <<-'END'
		["action","s-1",{"file":"src/pay.c"},1,"cite","src/pay.c#L40-L52"]
		["action","s-2",{"file":"src/pay.c"},1,"cite","src/pay.c#L40-L52"]
		["action","s-1",{"file":"src/pay.c"},1,"cite","src/pay.c#L40-L52"]
	END
	run -0 co-why --session=s-2
	expect <<<'2026-02-09T14:30:00Z Claude Code, before editing src/pay.c: memory 1 (cites src/pay.c:40-52, unchanged)'
}

@test "concurrent hooks of one session add a memory once" {
	local session
	saved 'Retry a payment at most twice' --cite src/pay.c:40-52
	act "$(edits src/pay.c)" s-0
	# A long ledger makes each hook read longer.
	head -c 900000 /dev/zero | tr '\0' '\n' >>"$ledger"
	for session in s-1 s-2; do
		event PreToolUse "$(edits src/pay.c)" "$session" >event
		for _ in 1 2 3 4 5 6; do
			co hook claude <event >/dev/null &
		done
		wait
	done
	run -0 jq -r .session "$ledger"
	expect <<<$'s-0\ns-1\ns-2'
}

@test "an unrelated edit or command adds nothing and writes no ledger or log" {
	saved 'Retry a payment at most twice' --cite src/pay.c:40-52
	saved 'The terraform state is in S3'
	for input in "$(edits src/other.c)" "$(edits /etc/passwd)" "$(edits ../pay.c)" \
		"$(runs 'ls -la src')" "$(runs 'git status')" "$(runs 'grep -rn terraform src')" \
		"$(runs 'terraform show')" "$(runs 'terraform --version')" \
		'{"file_path": "src/pay.c"}' '{"path": "src/pay.c", "command": "view"}' '{}' '[]' '7'; do
		run -0 act "$input"
		expect </dev/null
		diff -u - answer <<<'{}'
	done
	[ ! -e "$ledger" ]
	[ ! -e "$state/hook.log" ]
}

@test "an action without memories costs one process, four writes and few calls" {
	need_strace
	saved 'Retry a payment at most twice' --cite src/pay.c:40-52
	event PreToolUse "$(runs 'cargo build')" >event
	co hook claude <event
	strace -f -qq -o trace co hook claude <event
	[ "$(grep -cE 'clone3?\(|v?fork\(' trace)" = 1 ]
	# Two limits and the answer go to the other process, which writes the answer again.
	[ "$(grep -c ' write(' trace)" = 4 ]
	# Closing descriptors one by one includes some that are not open.
	[ "$(grep -vc EBADF trace)" -lt 150 ]
}

@test "each agent gets a memory for its own events, inputs and answers" {
	saved 'Retry a payment at most twice' --cite src/pay.c:40-52
	saved 'Deploys with kubectl wait for the canary'
	session=0
	while IFS='|' read -r agent name edit command; do
		session=$((session + 1))
		run -0 act "$edit" e$session $agent $name
		[[ $output == *"$head"*'Memory 1'* ]] || { echo "$agent edit: $output"; false; }
		run -0 act "$command" e$session $agent $name
		[[ $output == *"$head"*'Memory 2'* ]] || { echo "$agent: $output"; false; }
		[ $agent = copilot ] ||
			[ "$(jq -r .hookSpecificOutput.hookEventName answer)" = $name ]
		[ $agent != copilot ] || [ "$(jq -c keys answer)" = '["additionalContext"]' ]
		run -0 act "$edit" e$session $agent $name
		expect </dev/null
	done <<-'END'
		claude|PreToolUse|{"file_path":"src/pay.c","old_string":"45","new_string":"x"}|{"command":"kubectl apply -f x.yml"}
		claude|PreToolUse|{"file_path":"src/pay.c","content":"all new"}|{"command":"kubectl delete pods"}
		claude|PreToolUse|{"file_path":"src/pay.c","edits":[{"old_string":"45","new_string":"x"}]}|{"command":"kubectl delete pods"}
		codex|PreToolUse|{"command":"*** Begin Patch\n*** Update File: src/pay.c\n@@\n 44\n-45\n+x\n*** End Patch\n"}|{"command":"kubectl delete pods"}
		codex|PreToolUse|{"input":"*** Begin Patch\n*** Update File: src/none.c\n@@\n-1\n*** Update File: src/pay.c\n@@\n-45\n+x\n*** End Patch"}|{"command":["bash","-lc","kubectl delete pods"]}
		gemini|AfterTool|{"file_path":"src/pay.c","old_string":"x","new_string":"20"}|{"command":"kubectl delete pods"}
		opencode|PreToolUse|{"filePath":"src/pay.c","oldString":"45","newString":"x"}|{"command":"kubectl delete pods"}
		opencode|PreToolUse|{"patchText":"*** Begin Patch\n*** Delete File: src/pay.c\n*** End Patch"}|{"command":"kubectl delete pods"}
		qwen|PostToolUse|{"file_path":"src/pay.c","old_string":"x","new_string":"20"}|{"command":"kubectl delete pods"}
		copilot|PreToolUse|{"path":"src/pay.c","old_str":"45","new_str":"x"}|{"command":"kubectl delete pods"}
	END
}

@test "an agent that reports finished edits gets memories that cite the edited lines" {
	saved 'Retry a payment at most twice' --cite src/pay.c:40-52
	sed -i 's/^45$/forty-five/' src/pay.c
	run -0 act "$(edits src/pay.c 45 forty-five)" g gemini AfterTool
	[[ $output == *'Memory 1'* ]]
	run -0 act "$(edits src/pay.c 45 forty-five)" q qwen PostToolUse
	[[ $output == *'Memory 1'* ]]
	# An event before the edit: the lines already differ from the cited ones.
	run -0 act "$(edits src/pay.c 44 x)"
	expect </dev/null
}

@test "the strongest reason comes first, then the rank, at most three memories" {
	saved 'Everything in src/pay.c is covered by the audit'
	saved 'Money is counted in cents' --path='src/**'
	saved 'Retry a payment at most twice' --cite src/pay.c:40-52
	saved 'The header of the file says who owns it' --cite src/pay.c:1-2
	saved 'retry_payment() must be idempotent'
	run -0 act "$(edits src/pay.c 45 'retry_payment(x)')"
	run -0 grep -o 'Memory [0-9]' <<<"$output"
	expect <<-'END'
		Memory 3
		Memory 4
		Memory 2
	END
	run -0 jq -c '.memories[] | [.id, .why]' "$ledger"
	expect <<-'END'
		[3,"cite"]
		[4,"cite"]
		[2,"path"]
	END
	# A second edit does not add the memories that had no room.
	run -0 act "$(edits src/pay.c 45 'retry_payment(x)')"
	expect </dev/null
	# Only the symbol matches here.
	run -0 act "$(edits src/call.c 45 'retry_payment(x)')"
	[[ $output == *'Memory 5'* ]]
	run -0 co-why 5
	expect <<<'2026-02-09T14:30:00Z Claude Code, before editing src/call.c: memory 5 (names it)'
}

@test "a command adds the memories with its distinctive words" {
	saved 'Run terraform apply with AWS_PROFILE=staging'
	saved 'git commit messages are in the imperative mood'
	saved 'The e2e suite needs port 4444'
	saved 'scripts/release.sh expects a clean work tree'
	for pair in 'cd infra && terraform apply -auto-approve|1' 'git commit -m "x"|2' \
		'npm run e2e|3' 'FOO=1 bash ./scripts/release.sh --dry-run|4'; do
		run -0 act "$(runs "${pair%|*}")" "s${pair#*|}"
		[[ $output == *"Memory ${pair#*|}"* ]] || { echo "$pair: $output"; false; }
		[ "$(grep -c 'Memory' <<<"$output")" = 1 ]
	done
	run -0 jq -c '[.trigger.words, .memories[0].why]' "$ledger"
	expect <<-'END'
		["terraform apply","words"]
		["git commit","words"]
		["e2e","words"]
		["release","name"]
	END
	run -0 co-why --session=s1
	expect <<<"2026-02-09T14:30:00Z Claude Code, before a command with 'terraform apply': memory 1"
}

@test "read-only commands and words other than names add nothing" {
	saved 'Deploys with kubectl wait for the canary'
	saved 'Docker images are built with ko'
	saved 'The server of the lounge has 4 GB'
	saved 'React stays at 18 until the tables are done'
	saved 'make images needs the VPN'
	saved 'An audit of the tools found the main switch'
	saved 'GitHub applies the rules; the version is in go.mod'
	for command in 'kubectl get pods' 'kubectl -n prod describe deploy/web' 'docker ps -a' 'docker images' \
		'kubectl config get-contexts' 'npm ls react' './bin/server --version' './bin/server' 'kubectl --help' \
		'docker run --rm alpine' 'npm audit' 'make -C tools' 'uv run main.py' 'git apply x.patch' \
		'go mod tidy' 'perf stat ./a.out'; do
		run -0 act "$(runs "$command")"
		[ -z "$output" ] || { echo "$command: $output"; false; }
	done
	for pair in 'kubectl delete pod x|1' 'docker build .|2' 'npm install react|4' 'make images|5'; do
		run -0 act "$(runs "${pair%|*}")" "s${pair#*|}"
		[[ $output == *"Memory ${pair#*|}"* ]] || { echo "$pair: $output"; false; }
	done
}

@test "a top directory adds its memory only with a rare word of the edit" {
	saved 'Snapshot tests are forbidden in web/'
	saved 'Each file in db/migrations says how to go back'
	run -0 act "$(edits web/src/button.tsx '<b>' '<i>')"
	expect </dev/null
	run -0 act "$(edits web/button.tsx '<web>' '<i>')"
	expect </dev/null
	run -0 act "$(edits web/src/button.tsx '<b>' 'toMatchSnapshot()')" a
	[[ $output == *'Memory 1'* ]]
	run -0 act "$(edits web/src/tests/button.tsx '<b>' '<i>')" b
	[[ $output == *'Memory 1'* ]]
	run -0 act "$(edits db/migrations/7.sql 'a' 'b')" c
	[[ $output == *'Memory 2'* ]]
}

@test "a common program adds only memories that name it near its subcommand" {
	saved 'Jenkins is gone apart from the builds of the firmware'
	saved 'Images are built with ko, there is no other way for the services in Go'
	saved 'Benchmarks: go test -bench . with the governor set to performance'
	saved 'Commit with a sign-off'
	saved 'A git hook refuses the commit of a file above 5 MB'
	saved 'Rebase before you push' -t git
	for pair in 'go build ./...|' 'go test ./lib|3' 'git commit -m "x"|5' 'git push|6'; do
		run -0 act "$(runs "${pair%|*}")" "s${pair#*|}"
		ids=$(grep -o 'Memory [0-9]' <<<"$output" | cut -d' ' -f2 | xargs)
		[ "$ids" = "${pair#*|}" ] || { echo "$pair: $output"; false; }
	done
}

@test "sensitive, external, expired or stale memories are never added" {
	local keys n=1
	saved 'gizmo zero' --cite src/pay.c:40-52
	for keys in 'sensitive: true' 'trust: external' 'expires: 2026-01-01' 'archive: true' \
		'superseded: 1'; do
		saved "gizmo $n of kubectl in src/pay.c and others like it" --cite src/pay.c:40-52
		sed -i "0,/^id:/s/^id:/$keys\nid:/" $memories/*-gizmo-$n-*
		n=$((n + 1))
	done
	echo 'int main;' >src/x.c
	run -0 act "$(edits src/pay.c)"
	[ "$(grep -c Memory <<<"$output")" = 1 ]
	[[ $output == *'gizmo zero'* ]]
	run -0 act "$(runs 'kubectl delete pods')"
	expect </dev/null
	# The memory's file may have changed in place since the index was made.
	for keys in 'sensitive: true' 'trust: external' 'expires: 2026-01-01'; do
		cp $memories/001-* was
		sed "0,/^id:/s/^id:/$keys\nid:/" was >now
		cat now >"$(echo $memories/001-*)"
		run -0 act "$(edits src/pay.c)" "s-$keys"
		expect </dev/null
		cat was >"$(echo $memories/001-*)"
	done
	# Moved lines still match the citation, and changed lines do not.
	sed -i 1i0 src/pay.c
	run -0 act "$(edits src/pay.c)" s-3
	[[ $output == *'gizmo zero'* ]]
	[ "$(tail -n 1 "$ledger" | jq -r '.memories[0].cite')" = 'src/pay.c#L41-L53' ]
	sed -i 's/^50$/fifty/' src/pay.c
	run -0 act "$(edits src/pay.c)" s-4
	expect </dev/null
}

@test "a contradicted memory is never added, and of two similar ones only one" {
	CO_NOW=2026-01-01T00:00:00Z saved 'src/pay.c listens on port 8080'
	saved 'src/pay.c listens on port 9090'
	run -0 act "$(edits src/pay.c)"
	[[ $output == *'port 9090'* && $output != *8080* ]]
	# The later memory need not name the file.
	seq 9 >src/net.c
	CO_NOW=2026-01-01T00:00:00Z saved 'The gateway listens on port 8080' --cite src/net.c:1-9
	run -0 act "$(edits src/net.c)" n-1
	[[ $output == *8080* ]]
	saved 'The gateway listens on port 9191'
	run -0 act "$(edits src/net.c)" n-2
	expect </dev/null
	saved 'The ledger in src/book.c is append only, never rewrite an entry'
	saved 'The ledger in src/book.c is append only: never rewrite an entry of it'
	run -0 act "$(edits src/book.c)"
	[ "$(grep -c Memory <<<"$output")" = 1 ]
	run -0 act "$(edits src/book.c)"
	expect </dev/null
}

@test "a memory that the session already got in another way is not added" {
	rule 'Never edit src/pay.c on Fridays'
	saved 'src/pay.c is generated from pay.tmpl'
	jq -cn --arg cwd "$PWD" '{session_id: "s-1", cwd: $cwd, hook_event_name: "SessionStart"}' |
		co hook claude >answer
	[[ $(added) == *Fridays* ]]
	run -0 act "$(edits src/pay.c)"
	[[ $output == *'Memory 2'* && $output != *Fridays* ]]
	run -0 act "$(edits src/pay.c)" s-9
	[[ $output == *Fridays* ]]
	# The server of the same session shows the memory.
	saved 'src/log.c must not allocate'
	printf '%s\n' "$(hello | sed 's/"shell"/"claude-code"/')" \
		"$(call 1 tools/call "$(tool show_memory '{"id":3}')")" |
		CLAUDE_CODE_SESSION_ID=s-1 co mcp >/dev/null
	run -0 act "$(edits src/log.c)"
	expect </dev/null
	run -0 act "$(edits src/log.c)" s-9
	[[ $output == *'Memory 3'* ]]
}

@test "an answer has at most hook.action_bytes, marks and heading included" {
	for i in 1 2 3; do
		saved "Note $i on src/pay.c: $(printf "w$i%s " {100..180})"
	done
	run -0 act "$(edits src/pay.c)"
	[ "${#output}" -le 1200 ]
	[ "$(grep -c Memory <<<"$output")" = 2 ]
	# A memory that is too long is cut, and a line reports it.
	saved "On src/long.c: $(printf 'word%s ' {1..600})"
	run -0 act "$(edits src/long.c)"
	[ "${#output}" -le 1200 ]
	[ "${#output}" -gt 900 ]
	[[ $output == *"(cut: 'co memory-show' has the rest)"* ]]
	echo '{"hook.timeout_ms": 60000, "hook.recall": "both", "hook.action_bytes": 300}' \
		>"$global/settings.json"
	run -0 act "$(edits src/long.c)" s-2
	[ "${#output}" -le 300 ]
	[[ $output == *'Memory 4'* ]]
	run -2 co-config --global hook.action_bytes 0
}

@test "only hook.recall action or both adds memories for actions" {
	saved 'src/pay.c is generated'
	for value in off prompt on; do
		echo '{"hook.timeout_ms": 60000, "hook.recall": "'$value'"}' >"$global/settings.json"
		run -0 act "$(edits src/pay.c)"
		expect </dev/null
	done
	[ "$(co-config hook.recall)" = prompt ]
	rm "$global/settings.json"
	run -0 act "$(edits src/pay.c)"
	expect </dev/null
	for value in action both; do
		echo '{"hook.timeout_ms": 60000, "hook.recall": "'$value'"}' >"$global/settings.json"
		run -0 act "$(edits src/pay.c)" $value
		[[ $output == *'Memory 1'* ]]
	done
	# The project's settings have no effect.
	rm "$global/settings.json"
	jq '. + {"hook.recall": "action"}' .co-cli/settings.json >new
	mv new .co-cli/settings.json
	run -0 act "$(edits src/pay.c)" s-3
	expect </dev/null
}

@test "a subagent gets the context, cut to its limit, and counts as a session" {
	co-learn -q --always 'The build is run by make check'
	rule 'Never push on Fridays'
	saved 'src/pay.c is generated'
	start() {
		jq -cn --arg cwd "$PWD" --arg id "$1" '{session_id: "s-1", cwd: $cwd, agent_id: $id,
			agent_type: "Explore", hook_event_name: "SubagentStart"}' | co hook "${2-claude}" >answer
		added
	}
	run -0 start a1
	[[ $output == '<!-- co:context v1 -->'*'make check'*'Never push on Fridays'* ]]
	[ "$(jq -r .hookSpecificOutput.hookEventName answer)" = SubagentStart ]
	run -0 start a1
	expect </dev/null
	run -0 start a2
	[[ $output == *Fridays* ]]
	for agent in codex qwen opencode copilot; do
		run -0 start a1 $agent
		[[ $output == *Fridays* ]]
	done
	# The session and its subagents get memories separately.
	for agent in '' a1 a2; do
		event PreToolUse "$(edits src/pay.c)" |
			jq -c --arg id "$agent" 'if $id == "" then . else . + {agent_id: $id} end' |
			co hook claude >answer
		[[ $(added) == *'Memory 2'* ]]
	done
	run -0 jq -c 'select(.agent == "claude") | [.event, .subagent, .memories[].why]' "$ledger"
	expect <<-'END'
		["subagent","a1","context","rule"]
		["subagent","a2","context","rule"]
		["action",null,"name"]
		["action","a1","name"]
		["action","a2","name"]
	END
	run -0 co-why --session=s-1 --agent=qwen
	expect <<<"2026-02-09T14:30:00Z Qwen Code, at the start of a subagent: the project's context, memory 1 (always loaded)"
	for i in {1..40}; do
		co-learn -q --always "Rule $i is one that takes room in the context"
	done
	run -0 start a3
	[ "${#output}" -le 1200 ]
	[[ $output == *'left out'* ]]
}

@test "the hook answers hostile input soon" {
	saved 'pay.c is generated'
	saved 'kubectl waits for the canary'
	# A command of 10 MB with the word at both ends.
	head -c 10000000 /dev/zero | tr '\0' a >long
	{
		printf '{"session_id":"s-1","cwd":"%s","hook_event_name":"PreToolUse","tool_input":{"command":"kubectl apply ' "$PWD"
		cat long
		printf ' kubectl"}}'
	} >event
	run -0 timeout 60 co hook claude <event
	[[ $output == *'Memory 2'* ]]
	{
		printf '{"session_id":"s-2","cwd":"%s","hook_event_name":"PreToolUse","tool_input":{"file_path":"src/pay.c","new_string":"' "$PWD"
		cat long
		printf '"}}'
	} >event
	run -0 timeout 60 co hook claude <event
	[[ $output == *'Memory 1'* ]]
	for path in '' / . .. ../../.. //// "src/$(head -c 9000 /dev/zero | tr '\0' x)" \
		$'src/\e[2J\x01pay.c' $'src/pay.c\n' 'src/*' '%s%n' "$PWD"; do
		run -0 act "$(edits "$path")" "s-3"
		jq -e . answer >/dev/null
	done
	# A path with control characters that a memory names is escaped in the output.
	mkdir $'src/\e[2J'
	run -0 act "$(edits $'src/\e[2J/pay.c')" s-4
	[[ $output == *'Memory 1'* ]]
	run -0 co-why --session=s-4
	[[ $output != *$'\e'* ]]
	for input in '{"command": 7}' '{"command": []}' '{"command": [7]}' '{"command": ""}' \
		'{"file_path": [], "content": 7}' '{"file_path": "src/pay.c", "edits": [7, {}]}' \
		'{"file_path": "src/pay.c", "edits": 7}' '{"command": "\u0000kubectl"}' \
		'{"command": "*** Begin Patch"}' '{"command": "kubectl '"'"' \\"}' \
		'{"patch": "*** Begin Patch\n*** Update File: \n*** Update File: a\n@@"}'; do
		run -0 act "$input" s-5
		jq -e . answer >/dev/null
	done
}

@test "links in the project are not followed, and outside paths add nothing" {
	saved 'src/pay.c is generated'
	ln -s pay.c src/link.c
	run -0 act "$(edits src/link.c)"
	expect </dev/null
	ln -s "$PWD" ../other-name
	run -0 act "$(edits "$PWD/../other-name/src/pay.c")" s-2
	[[ $output == *'Memory 1'* ]]
	mkdir -p ../outside/src
	cp src/pay.c ../outside/src
	run -0 act "$(edits "$PWD/../outside/src/pay.c")" s-3
	expect </dev/null
	# The hook does not read cited lines through a link.
	rm src/pay.c
	ln -s /etc/passwd src/pay.c
	saved 'The 1st line' --cite src/x.c 2>/dev/null || :
	run -0 act "$(edits src/pay.c root)" s-4
	[[ $output != *root* ]]
}

@test "a missing or damaged index, memory or cache does not change the answer" {
	saved 'src/pay.c is generated'
	saved 'src/pay.c is signed'
	rm -rf "$HOME/.cache"
	run -0 act "$(edits src/pay.c)" s-1
	[ "$(grep -c Memory <<<"$output")" = 2 ]
	index=$(echo "$HOME"/.cache/co-cli/*/actions)
	[ "$(stat -c %a "$index")" = 600 ]
	cp "$index" whole
	for damage in 'head -c100' 'tr \0 \377' 'tail -c0' 'sed s/co-acts/co-xxxx/'; do
		$damage <whole >damaged
		cp damaged "$index"
		run -0 act "$(edits src/pay.c)" "s-${damage%% *}"
		jq -e . answer >/dev/null
		[[ $damage == tr* || $(grep -c Memory <<<"$output") = 2 ]] || { echo "$damage: $output"; false; }
	done
	printf -- '---\nid: [\n' >"$(echo $memories/002-*)"
	run -0 act "$(edits src/pay.c)" s-2
	[ "$(grep -c Memory <<<"$output")" = 1 ]
	rm $memories/002-*
	mkfifo $memories/002-x.md
	run -0 act "$(edits src/pay.c)" s-3
	[ "$(grep -c Memory <<<"$output")" = 1 ]
	# A new memory is added, and a removed one is not.
	saved 'src/pay.c is reviewed'
	run -0 act "$(edits src/pay.c)" s-4
	[[ $output == *reviewed* ]]
	rm $memories/*-is-reviewed.md
	run -0 act "$(edits src/pay.c)" s-5
	[[ $output != *reviewed* && $output == *generated* ]]
	rm -rf "$HOME/.cache"
	: >"$HOME/.cache"
	run -0 act "$(edits src/pay.c)" s-6
	[[ $output == *generated* ]]
}

@test "an index with a wrong byte is rebuilt, and the answer is the same" {
	saved 'src/pay.c is generated'
	saved 'Settle the accounts in src/x' --path 'src/*.c'
	run -0 act "$(edits src/pay.c)" s-0
	[ "$(grep -c Memory <<<"$output")" = 2 ]
	index=$(echo "$HOME"/.cache/co-cli/*/actions)
	cp "$index" whole
	event PreToolUse "$(edits src/pay.c)" SESSION >event
	# Change some bytes that are not zero, and the last byte.
	perl -e 'local $/; $_ = <>; my $n; $n++ % 20 or print pos() - 1, "\n" while /[^\0]/g; print length() - 1, "\n"' \
		whole >places
	[ "$(wc -l <places)" -gt 12 ]
	while read -r at; do
		perl -e 'local $/; $_ = <STDIN>; substr($_, $ARGV[0], 1) ^= "\x10"; print' "$at" <whole >"$index"
		sed "s/SESSION/b-$at/" event | co hook claude >answer
		[ "$(added | grep -c Memory)" = 2 ] || { echo "byte $at" && false; }
	done <places
}

@test "user memories are added by name and by words" {
	co-learn -q --global --force 'Use pnpm, and npm never' >/dev/null
	run -0 act "$(runs 'pnpm add left-pad')"
	[[ $output == *'**Memory g1** '* ]]
	run -0 act "$(runs 'pnpm add right-pad')"
	expect </dev/null
	run -0 act "$(runs 'npm install')" s-2
	[[ $output == *'Memory g1'* ]]
	run -0 act "$(runs 'npm run lint')" s-3
	expect </dev/null
	# A memory about another language is not added.
	sed -i '0,/^id:/s/^id:/languages: [haskell]\nid:/' "$global"/knowledge/memories/001-*
	run -0 act "$(runs 'npm install')" s-4
	expect </dev/null
}
