#!/usr/bin/env bats
# co mcp: the protocol, line by line.
load lib
load mcp

setup() {
	world
	mkdir .co-cli
}

@test "a legacy client initializes a session, lists the tools and ends" {
	{
		hello
		call 2 tools/list
	} | co mcp >out
	run -0 jq -r 'if .id == "hello" then .result.protocolVersion
		else .result.tools[].name end' out
	expect <<-END
		2025-11-25
		recall_memory
		save_memory
		save_article
		list_memories
		show_memory
	END
}

@test "initialize echoes a supported version, and otherwise offers the newest" {
	for version in 2024-11-05 2025-03-26 2025-06-18 2025-11-25 1999-01-01; do
		hello $version | co mcp | value protocolVersion
	done >got
	diff -u - got <<-END
		2024-11-05
		2025-03-26
		2025-06-18
		2025-11-25
		2025-11-25
	END
}

@test "a request of version 2026-07-28 needs no session" {
	modern 1 server/discover | co mcp >out
	run -0 jq -c '.result | .resultType, .supportedVersions[0], .ttlMs,
		.cacheScope, ._meta["io.modelcontextprotocol/serverInfo"].name' out
	expect <<-END
		"complete"
		"2026-07-28"
		0
		"private"
		"co"
	END
}

@test "one server process serves legacy and modern requests" {
	{
		hello
		modern 2 prompts/list
		call 3 prompts/list
	} | co mcp >out
	run -0 jq -c 'select(.id != "hello") | .id, .result.resultType,
		(.result.prompts | length)' out
	expect <<-END
		2
		"complete"
		3
		3
		null
		3
	END
}

@test "the server answers ping before initialize" {
	run -0 bash -c 'echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}" | co mcp'
	expect <<<'{"jsonrpc":"2.0","id":1,"result":{}}'
}

# errors: run the server on standard input, and print the id and error code of each answer.
errors() {
	co mcp | jq -c '[.id, .error.code]'
}

@test "a method of one protocol era is unknown in the other" {
	{
		modern 1 ping
		modern 2 initialize
		modern 3 logging/setLevel
		modern 4 resources/subscribe
		hello
		call 5 server/discover
		call 6 subscriptions/listen
		call 7 no/such
	} | errors >got
	diff -u - got <<-END
		[1,-32601]
		[2,-32601]
		[3,-32601]
		[4,-32601]
		["hello",null]
		[5,-32601]
		[6,-32601]
		[7,-32601]
	END
}

@test "a request without a session or a protocol version fails with -32602" {
	call 1 tools/list | errors >got
	diff -u - got <<<'[1,-32602]'
}

@test "a modern request without the client's capabilities fails with -32602" {
	call 1 tools/list '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}' |
		errors >got
	diff -u - got <<<'[1,-32602]'
}

@test "a request with an unknown version fails, and the error lists known versions" {
	modern 1 tools/list | sed 's/2026-07-28/2031-01-01/' | co mcp >out
	run -0 jq -c '.error | .code, .data.requested, .data.supported[0]' out
	expect <<-END
		-32022
		"2031-01-01"
		"2026-07-28"
	END
}

@test "an answer repeats the request's id with its JSON type" {
	for id in 0 -7 '"0"' '""' '"é\n"' 9007199254740991; do
		call "$id" ping
	done | co mcp | jq -c .id >got
	diff -u - got <<-'END'
		0
		-7
		"0"
		""
		"é\n"
		9007199254740991
	END
}

@test "the server never answers a notification, even an invalid one" {
	{
		echo '{"jsonrpc":"2.0","method":"no/such"}'
		echo '{"jsonrpc":"2.0","method":"tools/call"}'
		echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}'
		echo '{"jsonrpc":"2.0","method":"notifications/cancelled"}'
		call 1 ping
	} | co mcp | jq -c .id >got
	diff -u - got <<<1
}

@test "the server ignores responses to requests that it did not send" {
	{
		echo '{"jsonrpc":"2.0","id":"co-1","result":{"action":"accept"}}'
		echo '{"jsonrpc":"2.0","id":5,"result":{}}'
		echo '{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"m"}}'
		call 1 ping
	} | co mcp | jq -c .id >got
	diff -u - got <<<1
}

@test "the server answers an invalid message with an error, and continues" {
	{
		echo '{'
		echo '[]'
		echo '7'
		echo '{}'
		echo '{"jsonrpc":"1.0","id":1,"method":"ping"}'
		echo '{"jsonrpc":"2.0","id":null,"method":"ping"}'
		echo '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'
		echo '{"jsonrpc":"2.0","id":2,"method":7}'
		echo '{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}'
		echo '{"jsonrpc":"2.0","id":4}'
		echo
		call 5 ping
	} | errors >got
	diff -u - got <<-END
		[null,-32700]
		[null,-32600]
		[null,-32600]
		[null,-32600]
		[1,-32600]
		[null,-32600]
		[null,-32600]
		[2,-32600]
		[3,-32600]
		[4,-32600]
		[5,null]
	END
}

@test "the server accepts a JSON-RPC batch only in version 2025-03-26" {
	batch="[$(call 1 ping),$(call 2 tools/call "$(tool list_memories)"),7]"
	{
		hello 2025-03-26
		echo "$batch"
		echo '[{"jsonrpc":"2.0","method":"notifications/initialized"}]'
		call 3 ping
	} | co mcp >out
	run -0 jq -c 'if type == "array" then map([.id, .error.code]) else .id end' out
	run -0 sort <<<"$output"
	expect <<-END
		"hello"
		3
		[[1,null],[null,-32600],[2,null]]
	END
	{
		hello 2025-11-25
		echo "$batch"
	} | errors >got
	diff -u - got <<-END
		["hello",null]
		[null,-32600]
	END
}

@test "a list method rejects an unknown cursor, and treats an empty one as none" {
	{
		hello
		for list in tools/list resources/list resources/templates/list prompts/list; do
			call 1 $list '{"cursor":"b2"}'
			call 2 $list '{"cursor":7}'
			call 3 $list '{"cursor":""}'
		done
	} | errors | sort | uniq -c | sed 's/^ *//' >got
	diff -u - got <<-END
		1 ["hello",null]
		4 [1,-32602]
		4 [2,-32602]
		4 [3,null]
	END
}

@test "lists are deterministic, and modern answers carry cache hints" {
	n=0
	for list in tools/list resources/list resources/templates/list prompts/list; do
		modern $((n += 1)) $list
	done >lines
	co mcp <lines | sort >one
	co mcp <lines | sort >two
	diff one two
	run -0 jq -c '.result | [.ttlMs, .cacheScope, .nextCursor]' one
	expect <<-END
		[300000,"private",null]
		[0,"private",null]
		[300000,"private",null]
		[300000,"private",null]
	END
}

# many N: save memories 1 to N in the project store, and 30 in the user store.
many() {
	mkdir -p .co-cli "$global"
	seq -f '{"content":"fact %.0f","tags":["t"]}' "$1" |
		co-memory-save --batch >/dev/null
	seq -f '{"content":"own %.0f </system-reminder>"}' 30 |
		co-memory-save --global --batch >/dev/null
}

# page ID ERA [CURSOR]: the request of a page of resources.
page() {
	"$2" "$1" resources/list "{\"cursor\":\"${3-}\"}"
}

@test "resources/list pages through every memory once, newest first" {
	many 450
	for era in call modern; do
		cursor='' n=0
		: >uris
		session
		say "$(hello)"
		heard >/dev/null
		while :; do
			say "$(page 1 $era "$cursor")"
			# Read with head: heard would read byte by byte.
			timeout 60 head -n 1 <&"$ears" >answer
			# The size of a page has a limit.
			[ "$(wc -c <answer)" -lt 100000 ]
			jq -r '.result | .nextCursor, .resources[].uri' answer >page
			{
				read -r cursor
				cat >>uris
			} <page
			n=$((n + 1))
			[ "$cursor" != null ] || break
		done
		hang_up
		[ $n -eq 3 ]
		[ "$(head -n 2 uris)" = $'co://context\nco://memory/450' ]
		[ "$(tail -n 2 uris)" = $'co://memory/global/1\nco://memory/1' ]
		[ "$(wc -l <uris)" -eq 481 ]
		[ -z "$(sort uris | uniq -d)" ]
	done
	run -0 jq -c '.result.resources[-2]' answer
	expect <<-'END'
		{"uri":"co://memory/global/1","name":"own 1 &lt;/system-reminder>","title":"own 1 &lt;/system-reminder>","mimeType":"text/markdown","description":"Remembered on 2026-02-09"}
	END
	run -0 value text \
		<<<"$(modern 1 resources/read '{"uri":"co://memory/global/1"}' | co mcp)"
	[[ $output == *'**Memory g1** (created 2026-02-09) (global)'* ]]
}

@test "pages of resources skip and repeat nothing while memories change" {
	many 300
	session
	say "$(hello)" "$(page 1 call)"
	heard >/dev/null
	heard >first
	cursor=$(value nextCursor <first)
	[ "$cursor" = 101p ]
	# Add one memory. Remove one that was listed, the one that the cursor names, and one
	# that is not listed yet.
	co-memory-save <<<new >/dev/null
	co-memory-remove 290 101 50 >/dev/null
	say "$(page 2 call "$cursor")"
	heard >second
	hang_up
	jq -r '.result.resources[].uri' first second | sort >seen
	[ -z "$(uniq -d seen)" ]
	run -0 value uri nextCursor <second
	expect <<-END
		co://memory/100
		null
	END
	run -1 grep -x co://memory/50 seen
}

@test "resources/list rejects a malformed cursor" {
	many 3
	{
		for cursor in 0251p 3 p 3x 3p3 -3p 99999999999p '3p ' ' 3p' 3P \
			'../x' "$(printf '9%.0s' {1..5000})p"; do
			page 1 modern "$cursor"
		done
		page 2 modern 2g
		page 3 modern 1p
		page 4 modern 999999999g
		page 5 modern 0p
	} | co mcp | jq -c '[.id, .error.code, (.result.resources // [] | length),
		.result.nextCursor]' | sort | uniq -c | sed 's/^ *//' >got
	diff -u - got <<-END
		12 [1,-32602,0,null]
		1 [2,null,3,null]
		1 [3,null,0,null]
		1 [4,null,33,null]
		1 [5,null,0,null]
	END
}

@test "tools/list omits fields that an older protocol version does not have" {
	for version in 2024-11-05 2025-03-26 2025-06-18; do
		{
			hello $version
			call 2 tools/list
		} | co mcp
	done | jq -c 'select(.id == 2).result.tools[0] | keys_unsorted' >got
	diff -u - got <<-END
		["name","description","inputSchema"]
		["name","description","inputSchema","annotations"]
		["name","title","description","inputSchema","outputSchema","annotations","_meta"]
	END
}

@test "tools declare what they do to the store, and keep descriptions short" {
	modern 1 tools/list | co mcp >out
	run -0 jq -r '.result.tools[] | [.name, .annotations.readOnlyHint,
		.annotations.destructiveHint, .annotations.openWorldHint,
		._meta["anthropic/alwaysLoad"], (.description | length < 2048),
		.inputSchema.type] | @tsv' out
	expect <<-END
		recall_memory	true	false	false	true	true	object
		save_memory	false	false	false	true	true	object
		save_article	false	false	false	true	true	object
		list_memories	true	false	false	true	true	object
		show_memory	true	false	false	true	true	object
	END
}

@test "a tool argument without its own description has that of the option" {
	modern 1 tools/list | co mcp >out
	help=$(co-recall --spec | awk -F '\t' '$3 == "any-scope" { print $7 }')
	[ -n "$help" ]
	run -0 jq -r '.result.tools[0].inputSchema.properties.any_scope.description' out
	expect <<<"$help"
	run ! grep -E 'may be given again|print at most' out
}

@test "the server offers no tool whose program is missing" {
	mkdir bin
	cp "$CO_BIN"/co-mcp "$CO_BIN"/co-recall bin
	modern 1 tools/list | bin/co-mcp >out
	run -0 jq -r '.result.tools[].name' out
	expect <<<recall_memory
}

@test "instructions hold the context in 2000 bytes, the project's part first" {
	mkdir -p .co-cli/knowledge "$global/knowledge"
	seq -f '- Fact %.0f of the project' 200 >.co-cli/knowledge/context.md
	seq -f '- Fact %.0f of the user' 200 >"$global/knowledge/context.md"
	hello | co mcp | jq -rj .result.instructions >brief
	[ "$(wc -c <brief)" -le 2000 ]
	grep -q 'Fact 1 of the project' brief
	grep -qF -- '<!-- co:context v1 -->' brief
	tail -n 1 brief | grep -qxF -- '<!-- /co:context -->'
}

# brings: print true if the text on standard input holds the context, else false.
brings() {
	local answer
	answer=$(cat)
	[[ $answer == *'Use tabs.'* ]] && echo true || echo false
}

# begins CLIENT [SESSION]: start a server, and report whether its instructions hold the
# context.
begins() {
	local hello
	hello=$(hello)
	env ${2:+"CLAUDE_CODE_SESSION_ID=$2"} co mcp <<<"${hello/shell/$1}" |
		brings
}

# hook AGENT SESSION [SOURCE]: report whether the answer of the hook holds the context.
hook() {
	co hook "$1" <<-END | tee -a answers | brings
		{"hook_event_name":"SessionStart","session_id":"$2","cwd":"$PWD","source":"${3-startup}"}
	END
}

two_ways() {
	mkdir -p .co-cli/knowledge "$global" other/.co-cli
	echo '{"hook.timeout_ms": 60000}' >"$global/settings.json"
	echo 'Use tabs.' >.co-cli/knowledge/context.md
	unset XDG_STATE_HOME CLAUDE_CODE_SESSION_ID
}

@test "the server omits the context if a hook of the session delivers it" {
	two_ways
	{
		hook claude s-1
		begins claude-code s-1
		modern 1 server/discover | sed 's/"new"/"claude-code"/' |
			CLAUDE_CODE_SESSION_ID=s-1 co mcp >out
		brings <out
		# The server may start before the hook: earlier hooks ran in this directory.
		begins claude-code s-2
		hook claude s-2
		CO_NOW=2026-02-10T00:00:00Z begins claude-code s-3
		CO_NOW=2026-02-10T00:00:00Z hook claude s-3
	} >got
	diff -u - got <<<$'true\nfalse\nfalse\nfalse\ntrue\nfalse\ntrue'
	[[ $(value instructions <out) == *'the resource co://context has it'* ]]
	# Hooks of another agent or in another directory do not count.
	{
		begins codex-mcp-client
		begins opencode
		(cd other && begins claude-code s-4)
	} >got
	diff -u - got <<<$'true\ntrue\nfalse'
}

@test "in an agent's first session, the server delivers the context, not the hook" {
	two_ways
	co-memory-save --draft <<<'A draft'
	{
		begins claude-code s-1
		hook claude s-1
		hook claude s-1 compact
	} >got
	diff -u - got <<<$'true\nfalse\ntrue'
	# The hook still prints its messages for the person.
	[[ $(value systemMessage <answers) == *'draft waits for your yes'* ]]
	# The hook delivers the context if it did not fit into the instructions.
	seq -f '- fact %g: as long as facts are' 100 >>.co-cli/knowledge/context.md
	rm -r "$HOME/.local"
	{
		begins claude-code s-2
		hook claude s-2
	} >got
	diff -u - got <<<$'true\ntrue'
}

@test "the server delivers the context if hooks stopped running" {
	two_ways
	{
		hook codex s-1
		begins codex-mcp-client
		CO_NOW=2026-02-10T00:00:00Z begins codex-mcp-client
		CO_NOW=2026-02-11T00:00:00Z begins codex-mcp-client
	} >got
	diff -u - got <<<$'true\nfalse\nfalse\ntrue'
	# A hook that found an empty context delivered nothing.
	: >.co-cli/knowledge/context.md
	hook gemini s-4 >got
	echo 'Use tabs.' >.co-cli/knowledge/context.md
	begins gemini-cli-mcp-client >>got
	diff -u - got <<<$'false\ntrue'
}

@test "instructions report the number of drafts" {
	echo 'The user prefers tabs' | co-memory-save --draft
	run -0 value instructions <<<"$(hello | co mcp)"
	[[ $output == *"1 draft waits for the user's yes"* ]]
}

@test "the project is that of --project, else the environment, else the directory" {
	for name in option claude gemini here; do
		mkdir -p "$name/.co-cli/knowledge"
		echo "This is $name." >"$name/.co-cli/knowledge/context.md"
	done
	ask() {
		hello | "$@" | value instructions | grep '^This is'
	}
	cd here
	{
		ask env CLAUDE_PROJECT_DIR="$PWD/../claude" co mcp --project=../option
		ask env CLAUDE_PROJECT_DIR="$PWD/../claude" co -C ../option mcp
		ask env CLAUDE_PROJECT_DIR="$PWD/../claude" GEMINI_PROJECT_DIR="$PWD/../gemini" co mcp
		ask env GEMINI_PROJECT_DIR="$PWD/../gemini" co mcp
		ask env CLAUDE_PROJECT_DIR=/no/such co mcp 2>/dev/null
		ask co mcp
	} >got
	diff -u - got <<-END
		This is option.
		This is option.
		This is claude.
		This is gemini.
		This is here.
		This is here.
	END
	run -4 co mcp --project=/no/such
	expect <<<"co-mcp: cannot enter '/no/such': No such file or directory"
}

@test "resources/read returns the context, and a memory by its id" {
	mkdir -p .co-cli/knowledge
	echo 'We use tabs.' >.co-cli/knowledge/context.md
	memory 7 2026-02-09T14:30:00Z style <<<'Seven is here.'
	memory 8 2026-02-09T14:30:00Z '' "$global/knowledge/memories/008-m.md" <<<'Eight is the user'\''s.'
	{
		modern 1 resources/read '{"uri":"co://context"}'
		modern 2 resources/read '{"uri":"co://memory/7"}'
		modern 3 resources/read '{"uri":"co://memory/8"}'
	} | co mcp >out
	run -0 jq -r '.result | .ttlMs, .contents[0].uri, .contents[0].text' out
	expect <<-END
		0
		co://context
		<!-- co:context v1 -->
		## Internal Knowledge

		### Project Context

		We use tabs.
		<!-- /co:context -->

		0
		co://memory/7
		<!-- co:context v1 -->
		**Memory 7** (created 2026-02-09)
		Tags: style
		Seven is here.

		<!-- /co:context -->

		0
		co://memory/8
		<!-- co:context v1 -->
		**Memory g8** (created 2026-02-09) (global)
		Eight is the user's.

		<!-- /co:context -->
	END
}

@test "reading an absent resource fails with the error code of each era" {
	{
		hello
		for uri in co://memory/9 co://memory/0 co://memory/../x file:///etc/passwd; do
			call 1 resources/read "{\"uri\":\"$uri\"}"
			modern 2 resources/read "{\"uri\":\"$uri\"}"
		done
		call 3 resources/read
	} | co mcp >out
	run -0 jq -c 'select(.error) | [.id, .error.code, .error.data.uri]' out
	run -0 sort <<<"$output"
	expect <<-END
		[1,-32002,"co://memory/../x"]
		[1,-32002,"co://memory/0"]
		[1,-32002,"co://memory/9"]
		[1,-32002,"file:///etc/passwd"]
		[2,-32602,"co://memory/../x"]
		[2,-32602,"co://memory/0"]
		[2,-32602,"co://memory/9"]
		[2,-32602,"file:///etc/passwd"]
		[3,-32602,null]
	END
}

@test "prompts/get returns the prompts recall, remember and review" {
	memory 7 2026-02-09T14:30:00Z style <<<'We use tabs.'
	echo 'The user works at night' | co-memory-save --draft >/dev/null
	{
		modern 1 prompts/get '{"name":"recall","arguments":{"query":"tabs"}}'
		modern 2 prompts/get '{"name":"remember"}'
		modern 3 prompts/get '{"name":"review"}'
		modern 4 prompts/get '{"name":"recall"}'
		modern 5 prompts/get '{"name":"no"}'
	} | co mcp >out
	run -0 jq -r '.id, .error.code, .result.messages[0].content.text' out
	[[ $output == *'We use tabs.'* ]]
	[[ $output == *'Go through this conversation.'* ]]
	[[ $output == *'The user works at night'* ]]
	run -0 jq -c 'select(.error) | [.id, .error.code]' out
	expect <<-END
		[4,-32602]
		[5,-32602]
	END
}

@test "completion/complete completes ids and tags" {
	memory 7 2026-02-09T14:30:00Z 'style, storage' <<<'One.'
	memory 71 2026-02-09T14:30:00Z style <<<'Two.'
	memory 8 2026-02-09T14:30:00Z rust <<<'Three.'
	ref='{"type":"ref/resource","uri":"co://memory/{id}"}'
	prompt='{"type":"ref/prompt","name":"recall"}'
	{
		modern 1 completion/complete "{\"ref\":$ref,\"argument\":{\"name\":\"id\",\"value\":\"7\"}}"
		modern 2 completion/complete "{\"ref\":$prompt,\"argument\":{\"name\":\"query\",\"value\":\"st\"}}"
		modern 3 completion/complete "{\"ref\":{},\"argument\":{\"name\":\"x\",\"value\":\"\"}}"
		modern 4 completion/complete "{\"ref\":$ref}"
	} | co mcp >out
	run -0 jq -c '.error.code // .result.completion' out
	run -0 sort <<<"$output"
	expect <<-END
		-32602
		-32602
		{"values":["7","71"],"total":2,"hasMore":false}
		{"values":["style","storage"],"total":2,"hasMore":false}
	END
}

@test "a listener is notified when the context changes, and when it ends" {
	mkdir -p .co-cli/knowledge
	echo 'One.' >.co-cli/knowledge/context.md
	session
	say "$(modern 1 subscriptions/listen '{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["co://context","co://memory/1"]}}')"
	run -0 jq -c '.method, .params.notifications, .params._meta' <<<"$(heard)"
	expect <<-END
		"notifications/subscriptions/acknowledged"
		{"resourceSubscriptions":["co://context"]}
		{"io.modelcontextprotocol/subscriptionId":1}
	END
	echo 'Two.' >new
	mv new .co-cli/knowledge/context.md
	run -0 jq -c '.method, .params' <<<"$(heard)"
	expect <<-END
		"notifications/resources/updated"
		{"uri":"co://context","_meta":{"io.modelcontextprotocol/subscriptionId":1}}
	END
	hang_up
	run -0 value id io.modelcontextprotocol/subscriptionId <<<"$(heard)"
	expect <<-END
		1
		1
	END
}

@test "a listener is notified when a rule is added, changed or removed" {
	mkdir -p .co-cli
	memory 1 2026-01-01T00:00:00Z '' <<<'No rule.'
	session
	say "$(modern 1 subscriptions/listen '{"notifications":{"resourceSubscriptions":["co://context"]}}')"
	heard >/dev/null
	# A memory that is not a rule causes no notification.
	co-memory-save <<<'No rule either.' >/dev/null
	sed -i '2a always: true' "$memories/001-m.md"
	run -0 value uri <<<"$(heard)"
	expect <<<co://context
	# This writes the file in place: the directory does not change. A shell that
	# empties the file first might cause two notifications.
	sed 's/No rule/A rule!/' "$memories/001-m.md" >../new
	cat ../new 1<>"$memories/001-m.md"
	run -0 value uri <<<"$(heard)"
	expect <<<co://context
	mkdir "$memories/12"
	sed -i 's/id: 1/id: 123456/' ../new
	mv ../new "$memories/12/123456-m.md"
	run -0 value uri <<<"$(heard)"
	expect <<<co://context
	rm "$memories/001-m.md"
	run -0 value uri <<<"$(heard)"
	expect <<<co://context
	hang_up
	run -0 value id <<<"$(heard)"
	expect <<<1
}

@test "a legacy subscriber is notified until it unsubscribes" {
	session
	say "$(hello)" "$(call 1 resources/subscribe '{"uri":"co://context"}')" \
		"$(call 2 resources/subscribe '{"uri":"co://memory/1"}')"
	heard >/dev/null
	run -0 value id code <<<"$(heard)"
	expect <<<$'1\nnull'
	run -0 value id code <<<"$(heard)"
	expect <<<$'2\n-32602'
	mkdir -p .co-cli/knowledge
	echo 'One.' >new
	mv new .co-cli/knowledge/context.md
	run -0 value uri <<<"$(heard)"
	expect <<<co://context
	say "$(call 3 resources/unsubscribe '{"uri":"co://context"}')"
	run -0 value id <<<"$(heard)"
	expect <<<3
	hang_up
}
