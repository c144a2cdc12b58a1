#!/usr/bin/env bats
# --all-projects: searches in all projects of the user.
load lib

setup() {
	world
	co learn -q -t net 'the port of the gateway is 8080'
	mkdir ../other ../third
	(cd ../other && CO_NOW=2026-02-10T10:00:00Z co learn -q -t net 'the port of the queue is 5672')
	(cd ../third && CO_NOW=2026-02-11T10:00:00Z co learn -q 'tabs, not blanks')
	up=${PWD%/project}
	state=$HOME/.local/state/co-cli/projects
}

id() {
	jq -r .project.id "$1/.co-cli/settings.json"
}

@test "recall searches other projects only with --all-projects" {
	run -0 co recall port
	[[ $output != *queue* ]]
	run -0 --separate-stderr co recall --all-projects port
	expect <<-END
		Found 2 memories matching 'port':

		**Memory 1** (created 2026-02-10) (in $up/other)
		Tags: net
		the port of the queue is 5672

		**Memory 1** (created 2026-02-09)
		Tags: net
		the port of the gateway is 8080
	END
	[ "$stderr" = "" ]
	for mode in grep fts hybrid; do
		run -0 co recall --all-projects --mode=$mode --json port
		[ "$(jq -r .project <<<"$output" | sort)" = "$({ id . && id ../other; } | sort)" ]
	done
	run -0 co recall --json port
	[ "$(jq 'has("project")' <<<"$output")" = false ]
	run -0 co recall --batch -A --json <<<'{"query":"queue"}'
	[[ $output == *"$(id ../other)"* ]]
}

@test "in a tie the project comes first and the user store second" {
	co learn -q --global 'one and the same'
	for dir in . ../other ../third; do
		(cd $dir && co learn -q 'one and the same')
	done
	for mode in grep fts; do
		run -0 co recall --all-projects --mode=$mode --format='%(path)' 'one and the same'
		[ "${lines[0]}" = "$PWD/$memories/002-one-and-the-same.md" ]
		[ "${lines[1]}" = "$global/knowledge/memories/001-one-and-the-same.md" ]
		[ "${#lines[@]}" = 4 ]
	done
	run -0 co-memory-list --all-projects --tag=net --format='%(project) %(id)'
	expect <<-END
		$(id .) 1
		$(id ../other) 1
	END
}

@test "list and grep search all projects with --all-projects" {
	run -0 co-memory-list --all-projects
	[ "${#lines[@]}" = 3 ]
	run -0 co-memory-grep --all-projects port
	[ "${#lines[@]}" = 2 ]
	run -0 co-memory-grep -A -c port
	expect <<<2
	run -0 co list --all-projects --json
	[ "$(jq -rs '[.[].project] | unique | length' <<<"$output")" = 3 ]
	run -0 co list -A
	[[ $output == *"tabs, not blanks (in $up/third)"* ]]
	run -2 co list --global --all-projects
	run -2 co-memory-list --global --all-projects
	run -2 co-memory-grep --global --all-projects x
	run -2 co-memory-grep --all-projects x "$memories"/*
}

@test "each project id is searched in one directory, and copies are skipped" {
	cp -r ../other ../clone
	(cd ../clone && CO_NOW=2026-02-12T10:00:00Z co learn -q 'more of it')
	run -0 --separate-stderr co recall --all-projects --format='%(path)' queue
	expect <<<"$up/other/$memories/001-the-port-of-the-queue-is-5672.md"
	[ "$stderr" = "co-recall: '$up/clone' is not asked: it has the project id of '$up/other'" ]
	cp -r . ../mine
	(cd ../mine && co learn -q 'what my clone says')
	run -1 co recall --all-projects 'what my clone says'
	[[ $output == *"'$up/mine' is not asked: it has the project id of '$PWD'"* ]]
	rm -r ../mine
	mv ../clone ../moved
	run -0 co recall --all-projects --format='%(path)' queue
	expect <<<"$up/other/$memories/001-the-port-of-the-queue-is-5672.md"
	rm -r ../other/.co-cli
	(cd ../other && mkdir .co-cli && echo '{"project": {"id": "aaaaaaaaaaaaaaaaaaaa"}}' >.co-cli/settings.json)
	run -1 --separate-stderr co recall --all-projects queue
	[ "$stderr" = "" ]
	(cd ../moved && CO_NOW=2026-02-13T10:00:00Z co learn -q 'here again')
	run -0 co recall --all-projects queue
}

@test "a directory with a copied project id does not replace the project" {
	id=$(jq -r .project.id ../other/.co-cli/settings.json)
	mkdir -p ../stranger/.co-cli
	echo "{\"format\": 1, \"project\": {\"id\": \"$id\"}}" >../stranger/.co-cli/settings.json
	(cd ../stranger && CO_NOW=2026-02-12T10:00:00Z co learn -q 'a queue of the stranger')
	run -0 --separate-stderr co recall --all-projects --format='%(path)' queue
	expect <<<"$up/other/$memories/001-the-port-of-the-queue-is-5672.md"
	[ "$stderr" = "co-recall: '$up/stranger' is not asked: it has the project id of '$up/other'" ]
	run -2 --separate-stderr co move 1 --to="$id"
	[[ $stderr == "co-move: two directories have the project id '$id': name '$up/stranger' or '$up/other'"* ]]
	run -2 co move -n 1 --to=stranger
	run -0 co move 1 --to=../other
	# A search from the stranger's directory reports this as well.
	cd ../stranger
	run -1 --separate-stderr co recall --all-projects gateway
	[[ $stderr == *"'$up/other' is not asked: it has the project id of '$up/stranger'"* ]]
}

@test "a moved project keeps its id, and no copy of it takes the id" {
	cp -r ../other ../copy
	(cd ../copy && CO_NOW=2026-02-12T10:00:00Z co learn -q 'a queue of the copy')
	mv ../other ../moved
	(cd ../moved && CO_NOW=2026-02-13T10:00:00Z co learn -q 'a queue that moved')
	run -0 --separate-stderr co recall --all-projects --format='%(path)' queue
	[[ $output == *"$up/moved/"* && $output != *"$up/copy/"* ]]
	[ "$stderr" = "co-recall: '$up/copy' is not asked: it has the project id of '$up/moved'" ]
	# A copy at the old path does not take the id either.
	mv ../moved ../again
	mv ../copy ../moved
	(cd ../moved && CO_NOW=2026-02-14T10:00:00Z co learn -q 'a queue in its place')
	(cd ../again && CO_NOW=2026-02-15T10:00:00Z co learn -q 'a queue that moved again')
	run -0 --separate-stderr co recall --all-projects --format='%(path)' queue
	[[ $output == *"$up/again/"* && $output != *"$up/moved/"* ]]
	[ "$stderr" = "co-recall: '$up/moved' is not asked: it has the project id of '$up/again'" ]
}

@test "a moved repository keeps its id even if a checkout recreated its store" {
	unset GIT_CEILING_DIRECTORIES
	(
		cd ../other
		git init -q && git config user.email a@b && git config user.name a
		git add -A && git commit -qm one
		CO_NOW=2026-02-10T11:00:00Z co learn -q 'a queue in git'
		git clone -q . ../clone
		cd ../clone
		CO_NOW=2026-02-12T10:00:00Z co learn -q 'a queue of the clone'
		rm -rf ../other/.co-cli
		git -C ../other checkout -q .
		mv ../other ../moved
		cd ../moved
		CO_NOW=2026-02-13T10:00:00Z co learn -q 'a queue that moved'
	)
	run -0 --separate-stderr co recall --all-projects --format='%(path)' queue
	[[ $output == *"$up/moved/"* && $output != *"$up/clone/"* ]]
	[ "$stderr" = "co-recall: '$up/clone' is not asked: it has the project id of '$up/moved'" ]
}

@test "work trees of a clone are one project, and the last written counts" {
	git -C ../other init -q
	unset GIT_CEILING_DIRECTORIES
	(
		cd ../other
		git config user.email a@b && git config user.name a
		git add -A && git commit -qm one
		git worktree add -q ../tree
		cd ../tree
		CO_NOW=2026-02-12T10:00:00Z co learn -q 'a queue in the tree'
	)
	run -0 --separate-stderr co recall --all-projects --format='%(path)' 'queue in the tree'
	[ "${lines[0]}" = "$up/tree/$memories/002-a-queue-in-the-tree.md" ]
	[ "$stderr" = "" ]
}

@test "a project that does not share is not searched, but searches others" {
	(cd ../other && co config project.share false)
	run -1 co recall --all-projects queue
	cd ../other
	run -0 co recall --all-projects gateway
	run -0 co recall queue
}

@test "--all-projects works outside any project" {
	mkdir ../nowhere
	cd ../nowhere
	run -0 co recall --all-projects port
	[ "$(grep -c '(in ' <<<"$output")" = 2 ]
	[ ! -e .co-cli ]
}

@test "a broken project causes one line of error, and the others answer" {
	rm -r ../other/.co-cli/knowledge/memories
	echo x >../other/.co-cli/knowledge/memories
	run -0 --separate-stderr co recall --all-projects --json port
	[ "$(jq -rs length <<<"$output")" = 1 ]
	[ "${#stderr_lines[@]}" = 1 ]
	[[ $stderr == *"$up/other/"* ]]
	run -0 --separate-stderr co-memory-list --all-projects
	[ "${#lines[@]}" = 2 ]
	[ "${#stderr_lines[@]}" = 1 ]
	mv ../third/.co-cli ../third/real
	ln -s real ../third/.co-cli
	run -0 --separate-stderr co recall --all-projects port
	[ "${#stderr_lines[@]}" = 2 ]
	mkdir -p "$HOME/.local/state/x"
	mv "$state" "$HOME/.local/state/x/projects"
	ln -s ../x/projects "$state"
	run -0 --separate-stderr co recall --all-projects port
	[ "${#stderr_lines[@]}" = 1 ]
	[[ $stderr == *projects* ]]
}

@test "a malformed project list does no harm" {
	{
		echo 'nonsense'
		echo '[]'
		echo '{"id":"bbbbbbbbbbbbbbbbbbbb","path":"relative","seen":"2026-01-01T00:00:00Z"}'
		echo '{"id":"bbbbbbbbbbbbbbbbbbbb","path":"/no/\u001b[31m/such","seen":"2026-01-01T00:00:00Z"}'
		cat "$state"
	} >list
	mv list "$state"
	run -0 --separate-stderr co recall --all-projects port
	[ "$stderr" = "" ]
	[[ $output == "Found 2 memories"* ]]
	mkdir $'../a\e[31m\nb'
	(cd $'../a\e[31m\nb' && co learn -q 'the odd port')
	run -0 co recall --all-projects odd
	[[ $output != *$'\e'* ]]
	[ "$(grep -c 'Memory 1' <<<"$output")" = 1 ]
}

# many N [SEEN]: make N other projects with one memory each.
many() {
	local at id one seen=${2:-2026-02-09T14:30:00Z}

	seq 1000 $((999 + $1)) | sed "s|.*|../many/&/$memories|" | xargs mkdir -p
	for ((one = 1000; one < 1000 + $1; one++)); do
		id=${one//0/b} id=${id//1/c} id=${id//8/d} id=${id//9/e}
		id=aaaaaaaaaaaaaaaa$id
		at=../many/$one/.co-cli
		echo "{\"project\": {\"id\": \"$id\"}}" >$at/settings.json
		printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n---\nthe port of %s\n' $one >$at/knowledge/memories/001-m.md
		echo "{\"id\":\"$id\",\"path\":\"$up/many/$one\",\"seen\":\"$seen\"}"
	done >>"$state"
}

@test "a hundred projects are searched with 256 open files" {
	many 100
	ulimit -Sn 256
	run -0 --separate-stderr co recall --all-projects -n 200 --format='%(path)' port
	[ "$stderr" = "" ]
	[ "${#lines[@]}" = 102 ]
}

# ask_many N: check that N projects, or as many as the limit of open files allows, each
# answer as themselves.
ask_many() {
	local most=$(($(ulimit -Hn | sed 's/unlimited/20000/') / 6))

	[ $most -lt "$1" ] || most=$1
	many $most
	run -0 --separate-stderr co recall --all-projects --mode=grep -n 3000 --format='%(path)' port
	[ "$stderr" = "" ]
	[ "$(sort -u <<<"$output" | wc -l)" = $((most + 2)) ]
	run -0 --separate-stderr co list --all-projects
	[ "$stderr" = "" ]
	[ "$(grep -c '(in ' <<<"$output")" = $((most + 2)) ]
	mkdir -p ../many/{1000,$((999 + most))}/.co-cli/knowledge/drafts
	for one in 1000 $((999 + most)); do
		cp ../many/$one/$memories/001-m.md "../many/$one/.co-cli/knowledge/drafts/002-m.md"
	done
	[ "$(co status --json | jq -c .others)" = '{"projects":2,"drafts":2}' ]
	run -0 --separate-stderr co review --all-projects --list
	[ "$stderr" = "" ]
	[ "${#lines[@]}" = 2 ]
	# Fewer projects are searched by index, since each needs one.
	sed -i '/many.1[1-9]/d; /many.2/d' "$state"
	for again in '' yes; do
		run -0 --separate-stderr co recall --all-projects --explain -n 3000 --format='%(path)' port
		[ "$(sort -u <<<"$output" | wc -l)" = $(($(wc -l <"$state") - 1)) ]
		run ! grep -F 'in memory' <<<"$stderr"
	done
}

# bats test_tags=slow
@test "four hundred projects are searched, and each answers as itself" {
	ask_many 400
}

# bats test_tags=slow
@test "two thousand projects are searched, and each answers as itself" {
	ask_many 1990
}

@test "an unchanged project costs few calls, and a save or a prompt none" {
	calls() {
		strace -f -qq -o calls "$@" >/dev/null 2>&1
		wc -l <calls
	}
	need_strace
	many 100
	co config --global hook.recall on
	co recall --all-projects --mode=fts port >/dev/null
	recall=$(calls co recall --all-projects --mode=fts port)
	status=$(calls co status)
	review=$(calls co review --all-projects --list)
	sed -i '/many.10/d' "$state"
	run -0 wc -l <"$state"
	[ "${output% *}" = 3 ]
	[ $(((recall - $(calls co recall --all-projects --mode=fts port)) / 100)) -lt 150 ]
	[ $(((status - $(calls co status)) / 100)) -lt 40 ]
	[ $(((review - $(calls co review --all-projects --list)) / 100)) -lt 40 ]
	many 100
	calls co learn -q 'one more'
	run ! grep many/1 calls
	jq -cn --arg cwd "$PWD" '{session_id: "s", cwd: $cwd, hook_event_name: "UserPromptSubmit", prompt: "which port?"}' >event
	calls co hook claude <event
	run ! grep -E 'many/1|co-cli/projects' calls
}

@test "a low limit of open files selects the latest projects, with a warning" {
	many 100 2026-01-01T00:00:00Z
	ulimit -n 256
	run -0 --separate-stderr co recall --all-projects -n 200 --format='%(path)' port
	[[ $stderr == 'co-recall: only 58 other projects are asked, '* ]]
	[ "${#stderr_lines[@]}" = 1 ]
	[ "${#lines[@]}" = 58 ]
	[[ $output == *"$up/other/"* ]]
	run -0 --separate-stderr co status --json
	[ "$stderr" = "" ]
	# The project itself is always searched.
	co learn -q 'port 1 is the project'"'"'s own'
	ulimit -n 40
	run -0 --separate-stderr co recall --all-projects port
	[[ $output == *'own'* && $stderr == 'co-recall: only 4 other projects '* ]]
}

@test "a project that is gone for a month is removed from the list" {
	many 2 2026-01-09T14:30:00Z
	rm -r ../many/1000 ../third
	run -0 co status
	run -0 jq -r .path "$state"
	expect <<-END
		$up/third
		$up/other
		$PWD
		$up/many/1001
	END
	(cd ../other && co config project.share false)
	rm -r ../many/1001
	cp "$state" before
	ln -s before ../blocked
	CO_NOW=2026-02-08T14:00:00Z co recall --all-projects port >/dev/null
	cmp before "$state"
	CO_NOW=2026-03-20T14:00:00Z co recall --all-projects port >/dev/null
	run -0 jq -r .path "$state"
	expect <<-END
		$up/other
		$PWD
	END
}

@test "co status counts and co review lists drafts of other projects" {
	(cd ../other && co-memory-save --draft <<<'first draft' >/dev/null)
	(cd ../third && co-memory-save --draft <<<'second draft' >/dev/null && co-memory-save --draft -t x <<<'third draft' >/dev/null)
	run -0 co status
	[[ $output == *$'\nothers   3 drafts wait in 2 other projects: \'co review --all-projects\'\n'* ]]
	[ "$(co status --json | jq -c .others)" = '{"projects":2,"drafts":3}' ]
	co-memory-save --draft <<<'my draft' >/dev/null
	run -0 --separate-stderr co review --all-projects --list
	[ "${#lines[@]}" = 4 ]
	[[ ${lines[0]} == *': my draft' ]]
	[[ ${lines[1]} == *" (in $up/other)"* ]]
	run -0 --separate-stderr co review --all-projects --list --json
	[ "$(jq -rs '[.[].project] | unique | length' <<<"$output")" = 3 ]
	run -0 co review --all-projects --list -t x
	[ "${#lines[@]}" = 1 ]
	run -1 --separate-stderr co review --all-projects </dev/null
	[ "${#lines[@]}" = 4 ]
	run -2 co review --all-projects --accept 1
	run -2 co review --all-projects --global
	(cd ../third && co config project.share false)
	[ "$(co status --json | jq -c .others)" = '{"projects":1,"drafts":1}' ]
}

@test "the MCP server searches other projects only if the user allows it" {
	ask() {
		printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' \
			'{"jsonrpc":"2.0","method":"notifications/initialized"}' \
			'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall_memory","arguments":{"query":"queue"}}}' |
			co-mcp | jq -c 'select(.id == 2) | .result.structuredContent.count'
	}
	[ "$(ask)" = 0 ]
	run -2 co config mcp.all_projects on
	echo '{"mcp.all_projects": "on"}' >.co-cli/settings.json
	[ "$(ask 2>/dev/null)" = 0 ]
	co config --global mcp.all_projects on
	[ "$(ask 2>/dev/null)" = 1 ]
}

@test "the MCP server offers no resources or sensitive memories of others" {
	reply() {
		printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' \
			'{"jsonrpc":"2.0","method":"notifications/initialized"}' \
			"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"$1\",\"params\":$2}" |
			co-mcp 2>/dev/null | jq -c 'select(.id == 2)'
	}
	co config --global mcp.all_projects on
	(cd ../other && co learn -q --sensitive 'the password of the queue is hidden')
	run -0 reply tools/call '{"name":"recall_memory","arguments":{"query":"queue"}}'
	[[ $output == *5672* && $output != *hidden* ]]
	run -0 reply prompts/get '{"name":"recall","arguments":{"query":"queue"}}'
	[[ $output == *5672* && $output != *hidden* ]]
	run -0 reply resources/list '{}'
	[[ $output == *gateway* && $output != *queue* ]]
	run -0 reply tools/call '{"name":"list_memories","arguments":{}}'
	[[ $output == *gateway* && $output != *queue* ]]
	run -0 reply resources/read '{"uri":"co://memory/2"}'
	[[ $output == *'no such resource'* ]]
}

@test "hook and MCP prompt search other projects only if the user allows it" {
	hook() {
		jq -cn --arg cwd "$PWD" '{session_id: "s", cwd: $cwd, hook_event_name: "UserPromptSubmit", prompt: "which port has the queue? And the gateway?"}' |
			co hook claude | jq -r '.hookSpecificOutput.additionalContext // ""'
	}
	prompt() {
		printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' \
			'{"jsonrpc":"2.0","method":"notifications/initialized"}' \
			'{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"recall","arguments":{"query":"queue"}}}' |
			co-mcp | jq -r 'select(.id == 2) | .result.messages[].content.text'
	}
	co config --global hook.timeout_ms 60000
	co config --global hook.recall on
	[[ $(hook) != *5672* && $(prompt) != *5672* ]]
	co config --global mcp.all_projects on
	run -0 hook
	[[ $output == *"(in $up/other)"*'the port of the queue is 5672'* ]]
	run -0 prompt
	[[ $output == *"(in $up/other)"*'the port of the queue is 5672'* ]]
	rm -r ../other/.co-cli/knowledge/memories
	echo x >../other/.co-cli/knowledge/memories
	run -0 hook
	[[ $output == *'the port of the gateway is 8080'* ]]
}

@test "a path that is no project any more is skipped and later removed" {
	for what in loop pipe file; do
		rm -r ../third
		case $what in
		loop) ln -s third ../third ;;
		pipe) mkfifo ../third ;;
		file) echo x >../third ;;
		esac
		run -0 --separate-stderr co recall --all-projects port
		[ "$stderr" = "" ]
		[[ $output == 'Found 2 '* ]]
	done
	CO_NOW=2026-03-20T14:00:00Z co recall --all-projects port >/dev/null
	run -0 jq -r .path "$state"
	expect <<<"$up/other"$'\n'"$PWD"
}

@test "a project with unreadable settings is skipped and reported each time" {
	local settings=../other/.co-cli/settings.json
	mv $settings kept
	for what in pipe folder socket link broken; do
		case $what in
		pipe) mkfifo $settings ;;
		folder) mkdir $settings ;;
		socket) perl -MIO::Socket::UNIX -e 'chdir shift; IO::Socket::UNIX->new(Local => "settings.json", Listen => 1)' ../other/.co-cli ;;
		link) ln -s "$PWD/kept" $settings ;;
		broken) echo '{"project": ' >$settings ;;
		esac
		for command in 'co recall port' 'co list' 'co memory-grep port'; do
			# shellcheck disable=SC2086 # several words
			run -0 --separate-stderr $command --all-projects
			[[ $output != *5672* && $output == *8080* ]]
			[ "${#stderr_lines[@]}" = 1 ] &&
				[[ $stderr == *"'$up/other/.co-cli/settings.json'"* ]] || {
				echo "$what, $command: $stderr"
				false
			}
		done
		rm -r $settings
	done
	# The project stays in the list.
	mkfifo $settings
	CO_NOW=2026-03-20T14:00:00Z run -0 co recall --all-projects port
	rm $settings
	mv kept $settings
	run -0 co recall --all-projects queue
	[[ $output == *5672* ]]
}

@test "an unreadable project list is reported, and NUL bytes in it are skipped" {
	cp "$state" list
	{ printf 'x\0y\n\0'; cat list; printf '{"id":"aaaaaaaaaaaaaaaaaaaa","path":"/x\0y","seen":"2026-01-01T00:00:00Z"}'; } >"$state"
	run -0 --separate-stderr co recall --all-projects port
	[ "$stderr" = "" ]
	[[ $output == 'Found 2 '* ]]
	for what in large pipe folder; do
		rm -r "$state"
		case $what in
		large) head -c 3000000 /dev/zero >"$state" ;;
		pipe) mkfifo "$state" ;;
		folder) mkdir "$state" ;;
		esac
		run -0 --separate-stderr co recall --all-projects port
		[[ $output == 'Found 1 '* ]]
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == *"$state'"*'; it can be removed: projects are noted again as they are written to' ]]
		co learn -q "more of $what"
	done
	rmdir "$state"
	(cd ../other && co learn -q 'noted again')
	run -0 co recall --all-projects queue
}

@test "a project on a disk that does not respond is skipped and reported" {
	need_strace
	local n slow=(-P "$up/other/.co-cli/knowledge")
	run -0 --separate-stderr strace -f -o calls "${slow[@]}" \
		-e inject='?stat,?newfstatat,?statx:delay_enter=8000000' \
		co-recall --all-projects --format='%(content)' port
	expect <<<'the port of the gateway is 8080'
	[[ $stderr == *"co-recall: '$up/other' does not answer, and is not asked"* ]]
	# co does not wait for each of many such projects.
	many 20 2026-02-11T10:00:00Z
	slow=()
	for n in {1000..1019}; do
		slow+=(-P "$up/many/$n/.co-cli/knowledge")
	done
	run -0 --separate-stderr strace -f -o calls "${slow[@]}" \
		-e inject='?stat,?newfstatat,?statx:delay_enter=12000000' \
		co-status --json
	[ "$(grep -c 'does not answer' <<<"$stderr")" = 3 ]
	[[ $stderr == *'is not asked, nor is any that comes later and does not at once'* ]]
}

@test "a prompt searches only the 50 projects that were written last" {
	many 49 2026-02-10T11:00:00Z
	sed -i 's/the port of.*/something else/' ../many/*/"$memories"/*
	co config --global hook.timeout_ms 60000
	co config --global hook.recall on
	co config --global mcp.all_projects on
	jq -cn --arg cwd "$PWD" '{session_id: "s", cwd: $cwd, hook_event_name: "UserPromptSubmit", prompt: "tabs, or the port of the queue?"}' >event
	# These are third and the 49 projects.
	run -0 co hook claude <event
	[[ $output == *'tabs, not blanks'* && $output != *5672* ]]
	sed -i '/1000/d' "$state"
	run -0 co hook claude <event
	[[ $output == *'tabs, not blanks'* && $output == *5672* ]]
}

@test "malformed settings of another project are reported once" {
	local n settings=../other/.co-cli/settings.json
	local -a texts=('[1]' '"x"' '' '{"a": 1, "a": 2}')
	local -a wrong=(': not a JSON object' ': not a JSON object'
		':1:1: expected a value' ':1:10: a key given twice')
	for ((n = 0; n < ${#texts[@]}; n++)); do
		printf '%s' "${texts[n]}" >$settings
		run -0 --separate-stderr co-memory-list --all-projects --tag=net
		[ "$output" = "$PWD/$memories/001-the-port-of-the-gateway-is-8080.md" ]
		[ "$stderr" = "co-memory-list: '$up/other/.co-cli/settings.json'${wrong[n]}" ]
	done
	# The project itself is not one of the other projects.
	printf '[1]' >.co-cli/settings.json
	rm -r ../other
	run --separate-stderr co-memory-list --all-projects --tag=net
	[ "$output" = "$PWD/$memories/001-the-port-of-the-gateway-is-8080.md" ]
	[ "$(grep -c "project/.co-cli/settings.json" <<<"$stderr")" -le 1 ]
}

@test "the first search of many projects opens each cache only a few times" {
	need_strace
	for i in $(seq 30); do
		mkdir "../p$i"
		(cd "../p$i" && for k in 1 2 3; do co learn -q "port $i $k"; done)
	done
	rm -rf "$HOME/.cache"
	strace -f --seccomp-bpf -qq -e trace=openat -o calls co recall --all-projects port >/dev/null
	[ "$(grep -c '"files"' calls)" -lt 200 ]
}
