#!/usr/bin/env bats
# co mcp: the tools, their arguments and their results.
load lib
load mcp

setup() {
	world
	mkdir .co-cli
}

# ask NAME [ARGUMENTS]: call a tool, and print the result.
ask() {
	modern 1 tools/call "$(tool "$@")" | co mcp 2>>errors | result
}

@test "recall_memory returns a text and the records of co-recall" {
	memory 1 2026-02-09T14:30:00Z 'style, python' <<<'Use tabs.'
	memory 2 2026-02-10T14:30:00Z '' <<<'Tabs are eight wide.'
	ask recall_memory '{"query":"tabs"}' >out
	run -0 value text <out
	expect <<-END
		Found 2 memories matching 'tabs':

		**Memory 2** (created 2026-02-10)
		Tabs are eight wide.

		**Memory 1** (created 2026-02-09)
		Tags: style, python
		Use tabs.
	END
	jq -c '.structuredContent.results[]' out >got
	# Compare without the fields that the server leaves out.
	co-recall --json tabs | jq -c '{id, created, tags, source, content, score} |
		if .tags == [] then del(.tags) else . end' | diff -u - got
	[ "$(value count <out)" = 2 ]
}

@test "recall_memory returns at most max_results, and reports no match" {
	for n in 1 2 3; do
		memory $n 2026-02-09T14:30:00Z '' <<<"Fact $n."
	done
	run -0 value count <<<"$(ask recall_memory \
		'{"query":"fact","max_results":2}')"
	expect <<<2
	ask recall_memory '{"query":"zebra"}' >out
	run -0 value isError count text <out
	expect <<-END
		null
		0
		No memories found matching 'zebra'
	END
}

@test "recall_memory ranks by path, and any_scope includes other languages" {
	co learn -q --path='src' 'the gateway answers in json'
	co learn -q --path='docs' 'the gateway answers in prose'
	co learn -q --global --language=python 'the gateway is fast'
	# A query that is too long for a line of --batch starts its own program.
	for more in '' "$(printf ' gateway%.0s' {1..700})"; do
		# found ARGUMENTS: print the contents of the results in order.
		found() {
			ask recall_memory "{\"query\":\"gateway answers$more\"$1}" |
				jq -r '.structuredContent.results[].content'
		}
		run -0 found ',"path":"src/x/y.c"'
		expect <<-END
			the gateway answers in json
			the gateway answers in prose
		END
		run -0 found ',"path":"docs/x.md","any_scope":false'
		expect <<-END
			the gateway answers in prose
			the gateway answers in json
		END
		run -0 found ',"path":null,"any_scope":true'
		[[ $output == *'the gateway is fast'* ]]
	done
}

@test "path and any_scope of one line do not affect the next with --batch" {
	co learn -q --path='src' 'the gateway answers in json'
	co learn -q --path='docs' 'the gateway answers in prose'
	co learn -q --global --language=python 'the gateway is fast'
	run -0 co-recall --batch --format='%(summary)' <<-'END'
		{"query":"gateway answers","path":"src/x","any_scope":true}
		{"query":"gateway answers","path":"docs"}
	END
	expect <<-END
		the gateway answers in json
		the gateway answers in prose
		the gateway is fast
		0
		the gateway answers in prose
		the gateway answers in json
		0
	END
	run -0 --separate-stderr co-recall --batch <<-'END'
		{"query":"a","path":7}
		{"query":"a","any_scope":1}
	END
	[ "$output" = $'3\n3' ]
	[[ $stderr == *'no question'* ]]
}

@test "recall_memory never reads a query as an option" {
	memory 1 2026-02-09T14:30:00Z '' <<<'Build with --global.'
	run -0 value count <<<"$(ask recall_memory '{"query":"--global"}')"
	expect <<<1
}

# sizes FILE: set text and records to the sizes in bytes of both forms of a result.
sizes() {
	read -r text records <<<"$(jq -r '[(.content[0].text | utf8bytelength),
		(.structuredContent | tojson | utf8bytelength)] | join(" ")' "$1")"
}

@test "a result of recall_memory has at most 9500 bytes, and marks cut memories" {
	for n in 1 2 3; do
		{
			echo "Long memory $n"
			seq -f 'word line %.0f of it "quoted"' 4000
		} | memory $n 2026-02-09T14:30:00Z ''
	done
	echo 'A short word.' | memory 4 2026-02-09T14:30:00Z ''
	ask recall_memory '{"query":"word"}' >out
	sizes out
	[ "$text" -le 9500 ]
	[ "$records" -le 9500 ]
	[ "$(value count <out)" = 4 ]
	run -0 jq -r '.content[0].text' out
	[[ $output == *$'"quoted"\n[cut; show_memory prints all of it: id 2]'* ]]
	[[ $output == *'A short word.'* ]]
	# The results use most of the limit.
	[ "$records" -gt 7500 ]
}

@test "recall_memory cuts a memory that is one long line" {
	head -c 100000 /dev/zero | tr '\0' x | memory 1 2026-02-09T14:30:00Z ''
	yes 'é' | head -n 50000 | tr -d '\n' | memory 2 2026-02-09T14:30:00Z ''
	ask recall_memory '{"query":"xxx"}' >out
	sizes out
	[ "$text" -le 9500 ]
	[ "$text" -gt 5000 ]
	ask recall_memory '{"query":"éé"}' >out
	run -0 jq -r '.content[0].text' out
	[[ $output == *$'é\n[cut; '* ]]
	[[ $output != *$'\uFFFD'* ]]
}

@test "recall_memory counts the results that do not fit" {
	printf -v long '%0300d' 0
	seq -f '{"content":"Fact %.0f\n'"$long"'","tags":["t'"${long:0:60}"'"]}' 100 |
		co-memory-save --batch >/dev/null
	ask recall_memory '{"query":"fact","max_results":100}' >out
	sizes out
	[ "$records" -le 9500 ]
	count=$(value count <out)
	left=$(value left_out <out)
	[ "$count" -gt 5 ]
	[ $((count + left)) = 100 ]
	run -0 jq -r '.content[0].text' out
	[[ $output == *"$left more are left out for want of room."* ]]
}

@test "list_memories lists the memories of both stores by id" {
	memory 2 2026-02-09T14:30:00Z style <<<$'Use tabs.\nMore.'
	memory 1 2026-02-09T14:30:00Z '' "$global/knowledge/memories/001-m.md" <<<'At night.'
	ask list_memories >out
	run -0 value text <out
	expect <<-END
		Total memories: 2

		**g1** (2026-02-09) (global): At night.
		**002** (2026-02-09) [style]: Use tabs.
	END
	jq -c '.structuredContent.memories[]' out >got
	diff -u - got <<-'END'
		{"id":1,"scope":"global","created":"2026-02-09T14:30:00Z","summary":"At night."}
		{"id":2,"created":"2026-02-09T14:30:00Z","tags":["style"],"summary":"Use tabs."}
	END
}

@test "structuredContent has at most 1.5 times the size of the text" {
	seq -f '{"content":"Note %.0f: the webhook of this service is retried three times, then parked"}' \
		40 | co-memory-save --batch >/dev/null
	for call in 'recall_memory {"query":"webhook"}' 'list_memories {}' \
		'save_memory {"content":"Use tabs"}' 'save_memory {"content":"Use tabs."}'; do
		ask "${call%% *}" "${call#* }" >out
		jq '(.structuredContent | tojson | utf8bytelength) * 2 <=
			(.content[0].text | utf8bytelength) * 3' out
	done >got
	diff - got <<<$'true\ntrue\ntrue\ntrue'
}

@test "list_memories pages from the newest to the oldest, and counts the rest" {
	mkdir -p $memories
	for n in {1..600}; do
		printf -v file '%s/%03d-m.md' "$memories" "$n"
		printf -- '---\nid: %d\ncreated: 2026-02-09T14:30:00Z\n---\n\nFact %d\n' "$n" "$n" \
			>"$file"
	done
	ask list_memories >out
	read -r count left last next records <<<"$(jq -r '.structuredContent |
		"\(.count) \(.left_out) \(.memories[-1].id) \(.next)",
		(tojson | utf8bytelength)' out | tr '\n' ' ')"
	[ "$records" -le 48000 ]
	[ $((count + left)) = 600 ]
	[ "$last" = 600 ]
	run -0 value text <out
	[[ $output == 'Total memories: 600'* ]]
	[[ $output == *"$((600 - count)) older are left out for want of room; list_memories lists them with before \"$next\"."* ]]
	# The remaining pages list every older memory once.
	cp out pages
	until [ "$next" = null ]; do
		ask list_memories "{\"before\":\"$next\"}" >out
		cat out >>pages
		next=$(value next <out)
	done
	jq '.structuredContent.memories[].id' pages | sort -n | diff - <(seq 600)
	run -0 value text <out
	[[ $output == '**001** (2026-02-09): Fact 1'* ]]
	run -0 value text <<<"$(ask list_memories '{"before":"x"}')"
	expect <<<"'before' must be what an earlier answer gave as 'next'"
}

@test "list_memories of an empty store returns no memories" {
	run -0 jq -c '.content[0].text, .structuredContent' <<<"$(ask list_memories)"
	expect <<-'END'
		"No memories found.\n"
		{"count":0,"memories":[]}
	END
}

@test "show_memory prefers the project's memory, and scope chooses the store" {
	memory 1 2026-02-09T14:30:00Z '' <<<'Of the project.'
	memory 1 2026-02-09T14:30:00Z '' "$global/knowledge/memories/001-m.md" <<<'Of the user.'
	memory 2 2026-02-09T14:30:00Z '' "$global/knowledge/memories/002-m.md" <<<'Two.'
	for args in '{"id":1}' '{"id":1,"scope":"global"}' '{"id":2}' \
		'{"id":2,"scope":"project"}' '{"id":3}'; do
		ask show_memory "$args"
	done | jq -c '[.isError, .structuredContent.content]' >got
	diff -u - got <<-END
		[null,"Of the project."]
		[null,"Of the user."]
		[null,"Two."]
		[true,null]
		[true,null]
	END
}

@test "a tool call with wrong arguments fails with a message that names them" {
	while IFS='|' read -r name args; do
		modern $((++n)) tools/call "$(tool "$name" "$args")"
	done <<-'END' | co mcp 2>errors | jq -sr 'sort_by(.id)[].result |
		"\(.isError) \(.content[0].text)"' >got
		recall_memory|{}
		recall_memory|{"query":7}
		recall_memory|{"query":"a","max_results":0}
		recall_memory|{"query":"a","max_results":"5"}
		recall_memory|{"query":"a","limit":5}
		recall_memory|{"query":"a","path":7}
		recall_memory|{"query":"a","any_scope":"yes"}
		recall_memory|{"query":"  "}
		save_memory|{"content":"a","tags":"b"}
		save_memory|{"content":"a","tags":["a",1]}
		save_memory|{"content":"a","tags":["a","b\u0000c"]}
		save_memory|{"content":"a","tags":["a,b"]}
		save_memory|{"content":"  "}
		save_memory|{"content":"a\u0000b"}
		save_memory|{"content":"a","replaces":"../x"}
		save_memory|{"content":"a","replaces":77}
		show_memory|{"id":-1}
		show_memory|{"id":1,"scope":"all"}
		list_memories|{"path":"/"}
	END
	diff -u - got <<-'END'
		true 'query' is required
		true 'query' must be a string
		true 'max_results' must be a whole number from 1 to 100
		true 'max_results' must be a whole number from 1 to 100
		true recall_memory takes query, max_results, kind, path, any_scope and nothing else
		true 'path' must be a string
		true 'any_scope' must be true or false
		true nothing could be recalled: expected a query
		true 'tags' must be a list of strings
		true 'tags' must be a list of strings
		true 'tags' must be a string without NUL
		true Nothing was saved: a tag has no blanks, commas, brackets, quotes or hidden characters: 'a,b'
		true Nothing was saved: nothing to save: empty content
		true Nothing was saved: the content has a NUL byte
		true 'replaces' must be the number of a memory
		true Nothing was saved: no memory '77'
		true 'id' must be the number of a memory
		true 'scope' must be project or global
		true list_memories takes before and nothing else
	END
	[ -z "$(co-memory-list --drafts)" ]
}

@test "a text argument that a program cannot get whole is refused" {
	local long
	memory 1 2026-02-09T14:30:00Z '' <<<'Use tabs.'
	long=$(printf 'x%.0s' {1..70000})
	{
		hello
		while IFS='|' read -r name arguments; do
			call 1 tools/call "$(tool "$name" "${arguments//LONG/$long}")"
		done <<-'END'
			recall_memory|{"query":"a\u0000b"}
			recall_memory|{"query":"LONG"}
			recall_memory|{"query":"a","path":"a\u0000b"}
			save_memory|{"content":"a","replaces":1,"expect":"a\u0000b"}
			save_memory|{"content":"a","tags":["LONG"]}
			list_memories|{"before":"5p\u0000b"}
			show_memory|{"article":"a.md\u0000b"}
			show_memory|{"article":"LONG"}
		END
		call 2 prompts/get "{\"name\":\"recall\",\"arguments\":{\"query\":\"$long\"}}"
	} | co mcp >out
	run -0 jq -r 'select(.id != "hello") | .error.message // .result.content[0].text' out
	expect <<-'END'
		'query' must be a string without NUL
		'query' must be shorter than 65536 bytes
		'path' must be a string without NUL
		'expect' must be a string without NUL
		'tags' must be shorter than 65536 bytes
		'before' must be a string without NUL
		'article' must be a string without NUL
		'article' must be shorter than 65536 bytes
		the argument 'query' is required, a text of at most 65536 bytes without NUL
	END
	[ -z "$(co-memory-list --drafts)" ]
}

@test "each result has the fields that its output schema requires" {
	memory 1 2026-02-09T14:30:00Z '' <<<'Use tabs.'
	modern 1 tools/list | co mcp >tools
	{
		modern 1 tools/call "$(tool recall_memory '{"query":"tabs"}')"
		modern 2 tools/call "$(tool recall_memory '{"query":"tabs or spaces"}')"
		modern 3 tools/call "$(tool list_memories)"
		modern 4 tools/call "$(tool show_memory '{"id":1}')"
		modern 5 tools/call "$(tool save_memory '{"content":"a"}')"
	} | co mcp >out
	# Print the required fields that each record lacks.
	jq -c --slurpfile tools tools '
		def schema(name): $tools[0].result.tools[] |
			select(.name == name).outputSchema;
		def lacks(schema): schema.required - keys;
		.id as $id | .result.structuredContent |
		if $id < 3 then .results[] |
			lacks(schema("recall_memory").properties.results.items)
		elif $id == 3 then .memories[] |
			lacks(schema("list_memories").properties.memories.items)
		else lacks(schema(if $id == 4 then "show_memory"
			else "save_memory" end)) end' out >got
	diff -u - got <<-END
		[]
		[]
		[]
		[]
		[]
	END
}

@test "a call of an unknown tool is a protocol error" {
	{
		modern 1 tools/call '{"name":"forget_memory","arguments":{}}'
		modern 2 tools/call '{"arguments":{}}'
		modern 3 tools/call '{"name":"list_memories","arguments":[]}'
	} | co mcp >out
	run -0 jq -c .error.code out
	expect <<-END
		-32602
		-32602
		-32602
	END
}

@test "null as the value of an argument means that it is not given" {
	memory 1 2026-02-09T14:30:00Z '' <<<'Use tabs.'
	run -0 value count <<<"$(ask recall_memory '{"query":"tabs","max_results":null}')"
	expect <<<1
}

@test "results omit fields that an older protocol version does not have" {
	memory 1 2026-02-09T14:30:00Z '' <<<'Use tabs.'
	for version in 2024-11-05 2025-03-26 2025-06-18; do
		{
			hello $version
			call 1 tools/call "$(tool recall_memory '{"query":"tabs"}')"
		} | co mcp
	done | jq -c 'select(.id == 1).result | keys_unsorted' >got
	diff -u - got <<-END
		["content"]
		["content"]
		["content","structuredContent"]
	END
}

@test "if a tool's program fails or is missing, only that call fails" {
	mkdir bin
	cp "$CO_BIN"/co-mcp bin
	printf '#!/bin/sh\necho "co-recall: it broke" >&2\nexit 4\n' >bin/co-recall
	printf '#!/bin/sh\nkill -9 $$\n' >bin/co-knowledge
	chmod +x bin/*
	{
		modern 1 tools/call "$(tool recall_memory '{"query":"a"}')"
		modern 2 tools/call "$(tool list_memories)"
		modern 3 tools/call "$(tool show_memory '{"id":1}')"
		modern 4 tools/list
	} | bin/co-mcp 2>errors >out
	run -0 jq -r '"\(.id) \(.result.isError) \(.result.content[0].text)"' out
	expect <<-END
		1 true nothing could be recalled: it broke
		2 true the memories cannot be listed: its program ended with status 137
		3 true cannot run '$PWD/bin/co-memory-show': No such file or directory
		4 null null
	END
	grep -q 'it broke' errors
	# Only the program's own name is left out.
	for said in 'co-x y: bad' 'co-x:bad' 'bad'; do
		printf '#!/bin/sh\necho "%s" >&2\nexit 4\n' "$said" >bin/co-recall
		modern 1 tools/call "$(tool recall_memory '{"query":"a"}')" |
			bin/co-mcp 2>/dev/null | jq -r '.result.content[0].text'
	done >out
	diff -u - out <<-'END'
		nothing could be recalled: co-x y: bad
		nothing could be recalled: co-x:bad
		nothing could be recalled: bad
	END
}

@test "a tool or prompt returns what could be read, and reports what could not" {
	mkdir bin
	cp "$CO_BIN"/co-mcp bin
	cat >bin/co-recall <<-'END'
		#!/bin/sh
		echo '{"id":1,"path":"/m","scope":"project","created":"2026-02-09","tags":[],"source":null,"summary":"One","content":"One"}'
		echo 'co-recall: cannot read the other store' >&2
		exit 4
	END
	sed 's/co-recall:/co-knowledge:/' bin/co-recall >bin/co-knowledge
	sed 's/co-recall:/co-memory-list:/' bin/co-recall >bin/co-memory-list
	chmod +x bin/*
	{
		modern 1 tools/call "$(tool recall_memory '{"query":"a"}')"
		modern 2 tools/call "$(tool list_memories)"
		modern 3 prompts/get '{"name":"recall","arguments":{"query":"a"}}'
		modern 4 prompts/get '{"name":"review"}'
	} | bin/co-mcp 2>errors >out
	run -0 jq -r '.result | .content[0].text // .messages[0].content.text
		| test("One") and test("Not all could be read: cannot read the other store")' out
	expect <<<$'true\ntrue\ntrue\ntrue'
}

@test "the report of what could not be read leaves an answer within its limit" {
	mkdir bin
	cp "$CO_BIN"/co-mcp bin
	cat >bin/co-recall <<-'END'
		#!/usr/bin/env bash
		x=$(printf 'x%.0s' {1..20000})
		echo '{"id":1,"path":"/m","scope":"project","created":"2026-02-09","tags":[],"source":null,"summary":"One","content":"'"$x"'"}'
		for i in 1 2 3 4 5 6 7 8 9 10; do
			printf 'co-recall: cannot open a file of a long name, %.900s\n' "$x" >&2
		done
		exit 4
	END
	chmod +x bin/*
	modern 1 tools/call "$(tool recall_memory '{"query":"a"}')" | bin/co-mcp 2>errors >out
	run -0 value text <out
	[ ${#output} -le 10000 ]
	[[ $output == *"Not all could be read: cannot open"*" [cut; 'co knowledge --check' names all]" ]]
}

@test "the server answers calls in order, but answers ping at once" {
	session
	say "$(hello)" "$(call 1 tools/call "$(tool save_memory '{"content":"a"}')")" \
		"$(call 2 tools/call "$(tool save_memory '{"content":"b"}')")" \
		"$(call 3 tools/call "$(tool list_memories)")" "$(call 4 ping)"
	hang_up
	while heard; do :; done >out
	run -0 jq -c 'select(.id != 4) | .id' out
	expect <<-'END'
		"hello"
		1
		2
		3
	END
	[ "$(co-memory-list --drafts | wc -l)" = 2 ]
}

@test "show_memory prints all files with a duplicate id, and warns" {
	memory 7 2026-02-09T14:30:00Z '' "$memories/007-a.md" <<<'One of two.'
	memory 7 2026-02-09T14:30:00Z '' "$memories/007-b.md" <<<'The other.'
	ask show_memory '{"id":7}' >got
	[ "$(jq -c '[.structuredContent.content, .structuredContent.others[0].content]' got)" = '["One of two.","The other."]' ]
	text=$(value text <got)
	[[ $text == "WARNING: id 7 belongs to 2 files: '007-a.md', '007-b.md'"*'One of two.'*'The other.'* ]]
}

@test "a former id finds the memory, and the answer names its new id" {
	local said='Memory 70 has the id 2 since a repair.'
	memory 2 2026-02-09T14:30:00Z '' <<<'Repaired.'
	sed -i '4aformerly: [70]' "$memories/002-m.md"
	ask show_memory '{"id":70}' >got
	[ "$(value id warning <got)" = $'2\n'"$said" ]
	[[ $(value text <got) == "$said"*$'\nRepaired.'* ]]
	ask show_memory '{"id":2}' >got
	run ! grep repair got
	run ! grep warning got
	modern 1 resources/read '{"uri":"co://memory/70"}' | co mcp 2>>errors >got
	[[ $(value text <got) == *"$said"*Repaired.* ]]
	ask save_memory '{"content":"Another.","replaces":70}' >got
	grep -qx 'replaces: 2' "$drafts"/*
}

@test "the server keeps one co-recall running, and restarts it after it dies" {
	mkdir bin
	cp "$CO_BIN"/co "$CO_BIN"/co-mcp bin
	cat >bin/co-recall <<-END
		#!/bin/sh
		echo \$\$ >>started
		exec '$CO_BIN/co-recall' "\$@"
	END
	chmod +x bin/*
	PATH=$PWD/bin:$PATH
	# asked ID QUERY: print the text of the answer.
	asked() {
		say "$(call "$1" tools/call "$(tool recall_memory "{\"query\":\"$2\"}")")"
		heard | text "$1"
	}
	session
	say "$(hello)"
	heard >/dev/null
	[[ $(asked 1 tabs) == *'No memories'* ]]
	co-memory-save <<<'Indent with tabs' >/dev/null
	[[ $(asked 2 tabs) == *'Indent with tabs'* ]]
	[ "$(wc -l <started)" = 1 ]
	kill -9 "$(<started)"
	[[ $(asked 3 tabs) == *'Indent with tabs'* ]]
	[ "$(wc -l <started)" = 2 ]
	# A query that is too long for a line of --batch starts its own program.
	[[ $(asked 4 "$(printf 'tabs %.0s' {1..1000})") == *'Indent with tabs'* ]]
	[ "$(wc -l <started)" = 3 ]
	[[ $(asked 5 tabs) == *'Indent with tabs'* ]]
	[ "$(wc -l <started)" = 3 ]
	hang_up
	! kill -0 "$(sed -n 2p started)"
}

@test "texts hold most of an answer: structuredContent is at most 1.5 times that" {
	local text object
	co learn -q 'The gateway answers on port 8080, which the operator may change'
	co learn -q 'A gateway without a certificate is refused by the browsers of the tills'
	co learn -q 'The port of the printer is blocked where the gateway of a guest is used'
	{
		modern 1 tools/call "$(tool recall_memory '{"query":"which portt has the gateway"}')"
		modern 2 tools/call "$(tool list_memories '{}')"
		modern 3 tools/call "$(tool show_memory '{"id":2}')"
	} | co mcp >answers
	for n in 1 2 3; do
		text=$(jq -j "select(.id == $n) | .result.content[0].text" answers | wc -c)
		object=$(jq -cj "select(.id == $n) | .result.structuredContent" answers | wc -c)
		echo "answer $n: $text and $object bytes"
		[ $((object * 2)) -le $((text * 3)) ]
	done
	run -0 jq -c 'select(.id == 3) | .result.structuredContent | keys' answers
	expect <<<'["content","created","id","sha256","source"]'
	run -0 jq -c 'select(.id == 1) | [.result.structuredContent.results[] | .instead != null] | unique' answers
	expect <<<'[false,true]'
}
