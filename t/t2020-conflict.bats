#!/usr/bin/env bats
# Unresolved merges of git: readers use our side and report it.
load lib

setup() {
	world
	context=$PWD/.co-cli/knowledge/context.md
	mkdir -p .co-cli/knowledge/memories "$global"
	echo '{"hook.timeout_ms": 60000}' >"$global/settings.json"
	said="'$context':3:1: an unresolved merge: our side is used; run 'co resolve'"
}

# conflict [STYLE]: write a context to which two clones added a rule.
conflict() {
	cat >"$context" <<-END
		---
		version: 1
		<<<<<<< HEAD
		updated: 2026-02-09T14:30:00Z
		=======
		updated: 2026-02-10T14:30:00Z
		>>>>>>> origin/main
		---

		# Learned

		<<<<<<< HEAD
		- ours
		${1:+||||||| base
		- old
		}=======
		- theirs

		Title
		=======
		>>>>>>> origin/main
		- both
	END
}

start() {
	jq -nc --arg cwd "$PWD" '{hook_event_name: "SessionStart", cwd: $cwd}'
}

@test "an unresolved context is reported, and our side is loaded" {
	for style in '' diff3; do
		conflict $style
		run -0 --separate-stderr co context-load
		expect <<-'END'
			## Internal Knowledge

			### Project Context

			# Learned

			- ours
			- both
		END
		[ "$stderr" = "co-context-load: $said" ]
	done
	run -3 co context-load --strict
	conflict crlf
	sed -i 's/$/\r/' "$context"
	run -0 --separate-stderr co context-load
	[[ $output == *'- ours'*'- both' ]]
	[[ $output != *theirs* ]]
}

@test "the hook, the server and co status report an unresolved context" {
	conflict
	run -0 co hook claude < <(start)
	run -0 jq -r .systemMessage <<<"$output"
	expect <<<"co: the project context is loaded in part: $said"
	run -0 co context-load --for=claude
	[[ $output == *'- both'*"(the project context is loaded in part: $said.)"* ]]
	run -0 --separate-stderr co status
	[[ $output == *"trouble   $said"* ]]
	echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":
		{"protocolVersion":"2025-11-25","capabilities":{}}}' | tr -d '\n' |
		co mcp 2>errors >out
	run -0 jq -r .result.instructions out
	[[ $output == *"- ours"*"(the project context is loaded in part: $said.)"* ]]
	grep -qF "co-mcp: $said" errors
}

@test "a hook reports a context that cannot be loaded" {
	printf -- '---\n[\n---\nfact\n' >"$context"
	run -0 co hook claude < <(start)
	printf '%s\n' "$output" >answer
	run -0 jq -r .systemMessage answer
	[[ $output == "co: the project context could not be loaded: '$context':"* ]]
	run -0 jq -r .hookSpecificOutput.additionalContext answer
	[[ $output == *"(the project context could not be loaded: '$context':"* ]]
	[[ $output != *fact* ]]
}

@test "a conflict in the user store names co resolve --global" {
	mkdir -p "$global/knowledge/memories"
	conflict
	mv "$context" "$global/knowledge/context.md"
	memory 7 2026-02-09T14:30:00Z '' "$global/knowledge/memories/007-m.md" \
		<<<$'<<<<<<< HEAD\nmallow\n=======\nx\n>>>>>>> b'
	for args in context-load list 'show g7' 'recall mallow' \
		"memory-show --json $global/knowledge/memories/007-m.md"; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr co $args
		[[ $stderr == *"an unresolved merge: our side is used; run 'co resolve --global'"* ]]
	done
	run -3 co knowledge --check --global
	[[ $output == *"remedy: run 'co resolve --global', or"* ]]
	run -3 co learn --global --always theirs
	[[ $output == *": run 'co resolve --global' first" ]]
	run -3 co move --to=. g7
	[[ $output == *": run 'co resolve --global' first"* ]]
}

@test "a header that holds both sides is loaded with a warning" {
	printf -- '---\nversion: 1\nupdated: 2026-02-09T14:30:00Z\n%s\n---\nfact\n' \
		'updated: 2026-02-10T14:30:00Z' >"$context"
	run -0 --separate-stderr co context-load
	[[ $output == *fact ]]
	[ "$stderr" = "co-context-load: '$context':4:1: there are two 'updated', \
as after a merge: the first one counts" ]
}

@test "incomplete conflict markers are text" {
	printf '%s\n' '<<<<<<< HEAD' ours ======= theirs >"$context"
	run -0 --separate-stderr co context-load
	[[ $output == *'<<<<<<< HEAD'*theirs ]]
	[ -z "$stderr" ]
	printf '%s\n' '- <<<<<<< HEAD' ours ======= theirs '>>>>>>> b' \
		'<<<<<<<' '=======' '>>>>>>>' '<<<<<<<< x' >"$context"
	run -0 --separate-stderr co context-load
	[[ $output == *ours*theirs* ]]
	[ -z "$stderr" ]
}

@test "an unresolved memory is read as our side, with and without a cache" {
	cat >.co-cli/knowledge/memories/007-m.md <<-'END'
		---
		id: 7
		created: 2026-02-09T14:30:00Z
		<<<<<<< HEAD
		tags: [one]
		=======
		tags: [two]
		>>>>>>> b
		---

		<<<<<<< HEAD
		The mallow is ours
		=======
		The mallow is theirs
		>>>>>>> b
	END
	memory 8 2026-02-09T14:30:00Z '' <<<'The other'
	path=$PWD/.co-cli/knowledge/memories/007-m.md
	said="/007-m.md':4:1: an unresolved merge: our side is used; run 'co resolve'"
	co knowledge --check >check || true
	grep -F "'$path':4:1: an unresolved merge" check
	for cache in without with; do
		for args in 'memory-list --format=%(content)' \
			'memory-grep --format=%(content) mallow' \
			'memory-grep --format=%(content) theirs|ours' \
			'memory-show --format=%(content) 7' \
			"memory-show --format=%(content) $memories/007-m.md" \
			"memory-grep --format=%(content) mallow $memories/007-m.md" \
			'recall --mode=fts --format=%(content) mallow' \
			'recall --format=%(content) mallow'; do
			# shellcheck disable=SC2086
			run -0 --separate-stderr co $args
			[[ $output == *'The mallow is ours'* ]]
			[[ $output != *theirs* ]]
			[ "$(grep -cF "$said" <<<"$stderr")" = 1 ]
		done
		run -0 --separate-stderr co memory-list --tag=one --format='%(id)'
		expect <<<7
		run -1 co memory-grep theirs
		co knowledge --reindex
	done
	# After the conflict is resolved, nothing is reported.
	sed -i '/^<<<<<<</d; /^=======/,/^>>>>>>>/d' "$path"
	run -0 --separate-stderr co recall --format='%(content)' mallow
	expect <<<'The mallow is ours'
	[ -z "$stderr" ]
}

@test "an unresolved category file is read as our side" {
	mkdir .co-cli/knowledge/articles
	cat >.co-cli/knowledge/facts.md <<-'END'
		# Facts

		<<<<<<< HEAD
		The mallow is ours
		=======
		The mallow is theirs
		>>>>>>> b
	END
	co knowledge --reindex
	run -0 --separate-stderr co-index-query mallow
	[[ $output == *facts.md* ]]
	run -1 co-index-query theirs
	run -0 --separate-stderr co-index-query mallow
	[ "$(grep -c "facts.md':3:1: an unresolved merge" <<<"$stderr")" = 1 ]
}

@test "co learn --always refuses to add a rule inside a conflict" {
	cat >"$context" <<-'END'
		<<<<<<< HEAD
		# Learned

		- ours
		=======
		# Learned

		- theirs
		>>>>>>> origin/main
	END
	cp "$context" before
	for rule in new theirs; do
		run -3 co learn --always "$rule"
		[[ $output == *":1:1: an unresolved merge, "*': run '*' first' ]]
		cmp "$context" before
	done
	run -0 co learn --always ours
	[[ $output == 'Known already'* ]]
	printf '# Learned\n\n<<<<<<< a\n- x\n=======\n- y\n>>>>>>> b\n' >"$context"
	run -0 co learn --always new
	run -0 --separate-stderr co context-load
	[[ $output == *$'\n- new'* ]]
}

# marked OURS THEIRS [MORE]: write memory 1 with a conflict of these header lines.
marked() {
	printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n<<<<<<< HEAD\n%b=======\n%b>>>>>>> side\n%b---\n\ngizmo\n' \
		"$1" "$2" "${3-}source: me\n" >.co-cli/knowledge/memories/001-m.md
}

@test "a memory that only their side marks sensitive is hidden" {
	for theirs in 'tags: [b]\nsensitive: true\n' 'sensitive: true\ntags: [b]\n'; do
		marked 'tags: [a]\n' "$theirs"
		for _ in 1 2; do
			run -1 --separate-stderr co-recall gizmo
			[[ $stderr == *'001-m.md'*':4:1: an unresolved merge: our side is used'* ]]
			run -0 --separate-stderr co-recall --sensitive gizmo
			[[ $output == *'(sensitive)'*'Tags: a'*gizmo* ]]
		done
		run -4 --separate-stderr co-memory-show 1
		rm -rf "$HOME/.cache"
	done
	# The value on our side does not matter.
	marked 'sensitive: false\n' 'sensitive: true\n'
	run -1 --separate-stderr co-recall gizmo
	marked 'tags: [a]\n' 'tags: [b]\nsensitive: true\n' 'sensitive: false\n'
	run -1 --separate-stderr co-recall gizmo
	# The spelling of the field does not matter.
	for said in '"sensitive": true' 'sensitive : true' 'sensitive:\\n  true' \
		"'sensitive': yes # really"; do
		marked 'tags: [a]\n' "tags: [b]\\n$said\\n"
		run -1 --separate-stderr co-recall gizmo
	done
	# A byte order mark, or a hunk that is the whole file, makes no difference.
	marked 'tags: [a]\n' 'sensitive: true\n'
	sed -i '1s/^/\xef\xbb\xbf/' .co-cli/knowledge/memories/001-m.md
	run -1 --separate-stderr co-recall gizmo
	{
		printf '<<<<<<< HEAD\n---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n---\n\ngizmo\n'
		printf '||||||| base\n=======\n---\nid: 1\ncreated: 2026-02-09T14:30:00Z\nsensitive: true\n---\n\ngizmo\n\n---\n>>>>>>> side\n'
	} >.co-cli/knowledge/memories/001-m.md
	run -1 --separate-stderr co-recall gizmo
	run -0 --separate-stderr co-recall --sensitive gizmo
	# A line of the body is not a field of the header.
	printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n---\n\n<<<<<<< HEAD\ngizmo\n=======\nsensitive: true\n>>>>>>> side\n' \
		>.co-cli/knowledge/memories/001-m.md
	run -0 --separate-stderr co-recall gizmo
}

# shown OPTION...: print the marks of memory 1 if a recall finds it.
shown() {
	rm -rf "$HOME/.cache"
	co-recall --format='%(marks)' "$@" gizmo 2>&1 |
		grep -v 'unresolved merge\|^hint' | tr -d '[]"'
}

@test "the stricter side decides the marks of an unresolved memory" {
	local mark ours theirs key
	while IFS=';' read -r mark ours theirs; do
		key=${theirs%%:*}
		for ends in '' ' # why' '\r'; do
			marked "tags: [a]\n$ours" "tags: [b]\n$theirs$ends\n"
			[ "$(shown --expired)" = "$mark" ] || {
				echo "$mark: not by theirs, '$theirs$ends'"
				shown --expired
				false
			}
		done
		marked "tags: [a]\n$theirs\n" "tags: [b]\n$ours"
		[ "$(shown --expired)" = "$mark" ]
		# One hunk may hold the whole header and the start of the body.
		printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n<<<<<<< HEAD\ntags: [a]\n---\n\ngizmo\n=======\ntags:\n  - b\n%s\n---\n\ngizmos\n>>>>>>> side\n' \
			"$theirs" >$memories/001-m.md
		[ "$(shown --expired)" = "$mark" ]
		[ "$mark" = external ] ||
			[ "$(shown)" = '' ]
	done <<-'END'
		expired;;expires: 2026-02-08
		expired;expires: 2027-01-01\n;expires: "2026-02-08"
		expired;expires: never\n;expires: 2026-02-09T14:00:00Z
		archived;;archive: true
		archived;archive: false\n;archive: true
		external;;trust: external
		external;trust: user\n;trust: external
		external;trust: agent\n;trust: 'somebody'
	END
}

@test "less strict fields and body lines of their side change nothing" {
	marked 'expires: 2027-01-01\n' 'expires: 2028-01-01\n'
	[ "$(co-memory-show --json 1 2>/dev/null | jq -r .frontmatter.expires)" = 2027-01-01 ]
	marked 'trust: external\n' 'trust: stranger\n'
	[ "$(co-memory-show --json 1 2>/dev/null | jq -r .frontmatter.trust)" = external ]
	marked 'trust: agent\n' 'trust: user\narchive: "true"\nexpires: soon\n'
	[ "$(co-memory-show --json 1 2>/dev/null | jq -r .frontmatter.trust)" = agent ]
	run -0 --separate-stderr co-recall gizmo
	printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n---\n\n<<<<<<< HEAD\ngizmo\n=======\narchive: true\ntrust: external\n>>>>>>> side\n' \
		>$memories/001-m.md
	[ -z "$(shown)" ]
}

@test "a rule that their side archives or marks external is not loaded" {
	marked 'always: true\n' 'always: true\ntrust: external\n'
	run -0 --separate-stderr co-context-load
	[[ $output != *gizmo* ]]
	marked 'always: true\n' 'always: true\narchive: true\n'
	run -0 --separate-stderr co-context-load
	[[ $output != *gizmo* ]]
}
