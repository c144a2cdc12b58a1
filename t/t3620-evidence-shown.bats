#!/usr/bin/env bats
# Memories whose sources have changed: recall, show, review, hook, server.
load lib
load cache
load mcp
load terminal

setup() {
	world
	mkdir -p .git src
	seq 1 20 >src/a
	seq 1 9 >src/b
}

drift='(the code it cites has changed since)'

# says: save a memory that cites src/a, and one that cites src/b.
says() {
	co-learn --cite=src/a:2-3 'the gizmo is red' >/dev/null 2>&1
	co-learn --cite=src/b 'the gizmo is made of tin' >/dev/null 2>&1
}

states() {
	jq -c '[.id, [.evidence[]? | .state]]' <<<"$output"
}

@test "recall reports changed sources, but not moved or unchanged ones" {
	says
	run -0 co-recall gizmo
	[[ $output != *cites* ]]
	sed -i '1i zero' src/a
	run -0 co-recall gizmo
	[[ $output != *cites* ]]
	run -0 co-recall --json red
	jq -e '.evidence[0] == {cite: .frontmatter.cites[0], state: "moved", at: "src/a#L3-L4"}' <<<"$output"
	sed -i 's/^2$/two/' src/a
	run -0 co-recall red
	expect <<-END
		Found 1 memory matching 'red':

		**Memory 1** (created 2026-02-09) $drift
		the gizmo is red
	END
	rm src/b
	run -0 co-recall --json gizmo
	[ "$(states | sort)" = '[1,["changed"]]'$'\n''[2,["gone"]]' ]
	run -0 co-recall --format='%(evidence)' tin
	jq -e '.[0].state == "gone" and .[0].at == null' <<<"$output"
	run -0 co-recall --mode=grep red
	[[ $output == *"$drift"* ]]
}

@test "status counts memories whose source has changed, and list marks them" {
	says
	run -0 co status
	[[ $output != *sources* ]]
	run -0 co list
	[[ $output != *changed* ]]
	sed -i 's/^2$/two/' src/a
	rm src/b
	run -0 co status
	[[ $output == *$'\n    sources   changed or missing for 2 memories: \'co knowledge --check --evidence\'\n'* ]]
	run -0 co status --json
	[ "$(jq -c '[.roots[].stale]' <<<"$output")" = '[2,0]' ]
	run -0 co list -n 1
	expect <<<'2  2026-02-09  (source changed) the gizmo is made of tin'
	# Status reports it if there are more memories than it checks at once.
	for i in {1..260}; do
		seq "$i" >"src/n$i"
		printf '{"content":"number %d","cites":["src/n%d"]}\n' "$i" "$i"
	done | co-memory-save -q --batch
	run -0 co status
	[[ $output == *'    sources   changed or missing for 2 memories; not checked here for 6 memories: '* ]]
}

@test "list --cites finds memories that cite a file, some of its lines or a page" {
	says
	co-learn -q --cite=src/a:10-20 'the gizmo has wheels'
	echo '{"content":"the gizmo is sold","cites":["https://example.org/g@0123456789abcdef"]}' |
		co-memory-save -q --batch
	ids() {
		co list --format='%(id)' --cites="$1" | tr '\n' ' '
	}
	[ "$(ids src/a)" = '3 1 ' ]
	[ "$(ids src/a:3-5)" = '1 ' ]
	[ "$(ids src/b:4)" = '2 ' ]
	[ "$(ids src)" = '3 2 1 ' ]
	[ "$(ids "$PWD/src/b")" = '2 ' ]
	[ "$(ids https://example.org/g)" = '4 ' ]
	[ -z "$(ids sr)" ]
	(cd src && [ "$(ids a:20)" = '3 ' ] && [ "$(ids ../src/b)" = '2 ' ])
	# The file need not exist any more.
	rm src/a
	[ "$(ids src/a)" = '3 1 ' ]
	run -0 co list --cites=src/c
	expect <<-'END'
		co-list: no memory matches
		hint: 'co tag' lists the tags, 'co list' all memories
	END
	run -2 co list --cites=/etc/passwd
	[[ $output == *"'/etc/passwd' is not a place that this project can cite"* ]]
	run -0 co list --global --cites=https://example.org/g
}

@test "a memory with a changed source ranks after an equal one" {
	co-learn --cite=src/a:2-3 'the gizmo is red, says Ada' >/dev/null 2>&1
	co-learn --cite=src/b:2-3 'the gizmo is red, says Bob' >/dev/null 2>&1
	co-learn 'the gizmo has three wheels' >/dev/null
	run -0 co-recall --mode=fts --format='%(id) %(score)' 'gizmo red'
	[ "${#lines[@]}" = 3 ]
	first=${lines[0]% *} second=${lines[1]% *}
	sed -i 's/^2$/two/' "$([ "$first" = 1 ] && echo src/a || echo src/b)"
	was=$(co-memory-show .co-cli/knowledge/memories/* 2>/dev/null)
	run -0 co-recall --mode=fts --format='%(id)' 'gizmo red'
	expect <<<"$second"$'\n'"$first"$'\n3'
	[ "$(co-memory-show .co-cli/knowledge/memories/* 2>/dev/null)" = "$was" ]
}

@test "show prints the file unchanged, and a warning to standard error" {
	says
	run -0 --separate-stderr co-memory-show 1
	[ -z "$stderr" ]
	sed -i 's/^2$/two/' src/a
	run -0 --separate-stderr co-memory-show 1
	[ "$output" = "$(cat .co-cli/knowledge/memories/001-*)" ]
	[ "$stderr" = "co-memory-show: the code that memory 1 cites has changed since: 'co-evidence-check 1' says where" ]
	run -0 --separate-stderr co-show 1
	[[ $stderr == *'has changed since'* ]]
	run -0 --separate-stderr co-memory-show --json 1
	[ -z "$stderr" ]
	[ "$(states)" = '[1,["changed"]]' ]
	run -0 --separate-stderr co-memory-show --json .co-cli/knowledge/memories/001-*
	[ "$(states)" = '[1,["changed"]]' ]
	# A copy elsewhere has no known citations.
	cp .co-cli/knowledge/memories/001-* ../copy.md
	run -0 --separate-stderr co-memory-show --json ../copy.md
	[ "$(states)" = '[1,[]]' ]
}

@test "a review shows the citations of a draft and their states" {
	need_terminal
	co-memory-save --draft --cite=src/a:2-3 --cite=src/b <<<'the gizmo is red' >/dev/null 2>&1
	sed -i 's/^2$/two/' src/a
	terminal 0 'q' 'co-review'
	[[ $output == *$'\ncites:    src/a#L2-L3 (changed)\ncites:    src/b\n'* ]]
}

@test "a review shows the subject of a commit that a draft cites" {
	need_terminal
	git init -q .
	git -c user.name=Ada -c user.email=ada@example.org commit -q --allow-empty \
		-m $'pool: count \e[31mall\n\nIt counts.'
	co-memory-save --draft --cite="$(git rev-parse HEAD)" <<<'the gizmo is red' >/dev/null 2>&1
	terminal 0 'q' 'co-review'
	[[ $output == *$'\ncites:    '"$(git rev-parse HEAD) pool: count "*'all'$'\n'* ]]
	[[ $output != *$'\e[31mall'* ]]
}

@test "a hook marks a memory whose source has changed" {
	says
	sed -i 's/^2$/two/' src/a
	mkdir -p "$global"
	echo '{"hook.recall": "on", "hook.timeout_ms": 60000}' >"$global/settings.json"
	run -0 co hook claude < <(jq -cn --arg cwd "$PWD" '{session_id: "s", cwd: $cwd,
		hook_event_name: "UserPromptSubmit", prompt: "gizmo red"}')
	echo "$output"
	cat "$HOME/.local/state/co-cli/hook.log"
	[[ $(jq -r .hookSpecificOutput.additionalContext <<<"$output") == *"**Memory 1** (created 2026-02-09) $drift"* ]]
}

@test "the MCP server reports a changed source in text and in records" {
	says
	sed -i 's/^2$/two/' src/a
	modern 1 tools/call "$(tool recall_memory '{"query":"red"}')" | co mcp 2>>errors | jq -c .result >out
	[[ $(jq -r '.content[0].text' out) == *"(created 2026-02-09) $drift"* ]]
	[ "$(jq -r '.structuredContent.results[0].evidence[0].state' out)" = changed ]
	modern 1 tools/call "$(tool show_memory '{"id":1}')" | co mcp 2>>errors | jq -c .result >out
	[[ $(jq -r '.content[0].text' out) == *"$drift"* ]]
	[ "$(jq -r '.structuredContent.evidence[0].state' out)" = changed ]
	modern 1 tools/list | co mcp 2>>errors >out
	for tool in 'recall_memory").outputSchema.properties.results.items' 'show_memory").outputSchema'; do
		jq -e ".result.tools[] | select(.name == \"$tool.properties.evidence.type == \"array\"" out
	done
}

@test "citations are found in a memory with more keys than the cache keeps" {
	says
	pad=$(printf 'x%.0s' {1..1100})
	sed -i "s/^cites:/pad: $pad\n&/" .co-cli/knowledge/memories/001-*
	sed -i "s/^source:.*/&\npad2: $pad/" .co-cli/knowledge/memories/002-*
	sed -i 's/^2$/two/' src/a
	run -0 co-recall --json gizmo
	[ "$(states | sort)" = '[1,["changed"]]'$'\n''[2,["same"]]' ]
}

# bats test_tags=slow
@test "recall opens only the sources of its hits, for at most 10 % more work" {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		co-memory-next-id >/dev/null 2>&1 ||
		skip 'valgrind is missing or cannot run these programs'
	need_strace
	for i in {1..30}; do
		seq -f "$i line %g of some length, as code has it" 300 >src/f$i
		printf '{"content":"gizmo number %s %s","cites":["src/f%s:%s-%s"]}\n' \
			"$i" "$(seq -s ' ' $((i * 100)) $((i * 100 + 20)))" "$i" $((i + 9)) $((i + 14))
	done | co-memory-save --batch >/dev/null 2>&1
	settle
	co-recall -n 5 gizmo >/dev/null
	with=$(work co-recall -n 5 gizmo)
	strace -f --seccomp-bpf -e trace=openat,open -o opens co-recall -n 5 gizmo >/dev/null
	[ "$(grep -c '"f[0-9]*"' opens)" = 5 ]
	sed -i '/^cites:/d' .co-cli/knowledge/memories/*
	settle
	co-recall -n 5 gizmo >/dev/null
	without=$(work co-recall -n 5 gizmo)
	echo "$with with, $without without"
	[ $((with * 10)) -le $((without * 11)) ]
	strace -f --seccomp-bpf -e trace=openat,open -o opens co-recall -n 5 gizmo >/dev/null
	run ! grep -q '"f[0-9]*"\|"src"' opens
}

# work COMMAND...: print the number of instructions that COMMAND takes.
work() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		--log-file=calls "$@" >/dev/null 2>&1 || :
	awk '/Collected :/ { n += $NF } END { print n + 0 }' calls
}
