#!/usr/bin/env bats
# Test which documents co-index-query finds, and in which order.
load lib

setup() {
	world
	memory 1 2026-02-01T10:00:00Z 'python, "event loop"' \
		<<<'User prefers ASYNC/AWAIT over callbacks'
	memory 2 2026-02-02T10:00:00Z 'javascript' \
		<<<'We went from callbacks to threads in lib/pool.c'
	memory 3 2026-02-03T10:00:00Z 'database' \
		<<<'This project uses SQLAlchemy 2.0 and C++ too; mail bob@example.org'
	memory 4 2026-02-04T10:00:00Z '' <<<'東京の天気は晴れ'
}

# found QUERY...: print the ids of the memories found, on one line.
found() {
	co-index-query "$@" --format='%(id)' | tr '\n' ' '
}

@test "co-index-query prints absolute paths, best match first" {
	run -0 --separate-stderr co-index-query callbacks threads
	expect <<-END
		$PWD/$memories/002-m.md
		$PWD/$memories/001-m.md
	END
	[ "$stderr" = '' ]
}

@test "a query word matches other endings and irregular forms" {
	[ "$(found callback)" = '1 2 ' ]
	[ "$(found going)" = '2 ' ]
	[ "$(found preferring)" = '1 ' ]
}

@test "no query text is an error, and signs and other scripts are found" {
	[ "$(found 'C++')" = '3 ' ]
	[ "$(found bob@example.org)" = '3 ' ]
	[ "$(found lib/pool.c)" = '2 ' ]
	[ "$(found 天気)" = '4 ' ]
	for query in '"' '""' 'AND' 'a OR' 'NEAR(' '*' '(' 't:' '-' '^' ':' \
		'not:' 'since:yesterday loop' "it's" '\' '{t}: x'; do
		run --separate-stderr co-index-query -- "$query"
		[ "$status" -le 1 ]
		[ "$stderr" = '' ]
	done
}

@test "a pair of characters matches exactly the texts that contain it" {
	rm -r .co-cli
	# Texts whose runs of characters touch, end, begin again or are cut by a
	# word.
	awk 'BEGIN {
		n = split("東 京 天 の か 서 울", character, " ")
		split("， |a|x y |。|(|\\n", between, "|")
		srand(7)
		for (i = 1; i <= 60; i++) {
			text = ""
			for (k = 0; k < 12; k++)
				text = text character[1 + int(rand() * n)] \
					(rand() < .3 ? between[1 + int(rand() * 6)] : "")
			print "{\"content\":\"" text " " i "\"}"
		}
	}' | co-memory-save --batch >/dev/null
	memory 61 2026-02-01T10:00:00Z '風雨, 雨雪' <<<'at the end'
	local first second pair found=0
	for first in 東 京 天 の か 서 울; do
		for second in '' 東 京 天 の か 서 울; do
			pair=$first$second
			grep -lF -e "$pair" -r .co-cli/knowledge/memories |
				sort >expected
			[ -s expected ] || continue
			found=$((found + 1))
			co-index-query -n 100 "$pair" | sort |
				sed "s|^$PWD/||" | diff -u expected -
		done
	done
	[ "$found" -gt 40 ]
	[ "$(found 風雨)" = '61 ' ]
	[ "$(found 雨雪)" = '61 ' ]
	[ "$(found 雨)" = '61 ' ]
	[ "$(found 風雪)" = '' ]
}

@test "phrases, not:, tag:, source: and dates filter the matches" {
	[ "$(found '"callbacks to threads"')" = '2 ' ]
	[ "$(found 'callbacks not:threads')" = '1 ' ]
	[ "$(found 'callbacks tag:"event loop"')" = '1 ' ]
	[ "$(found 'callbacks tag:PYTHON')" = '1 ' ]
	[ "$(found 'callbacks source:nobody')" = '' ]
	[ "$(found 'callbacks since:2026-02-02')" = '2 ' ]
	[ "$(found 'callbacks until:2026-02-01')" = '1 ' ]
	[ "$(found 'tag:database')" = '3 ' ]
}

@test "articles are searched by section, and each file is printed once" {
	mkdir -p .co-cli/knowledge/articles
	cat >.co-cli/knowledge/articles/loops.md <<-'END'
		---
		source: https://example.org
		fetched: 2026-02-01T10:00:00Z
		title: Loops
		---
		# Event loops

		A loop waits for gizmos.

		# Threads

		Gizmos run at once.
	END
	echo '# Facts

	The gizmo is blue.' >.co-cli/knowledge/facts.md
	run -0 co-index-query gizmos
	[ "${#lines[@]}" = 2 ]
	[[ $output == *articles/loops.md* && $output == *facts.md* ]]
	run -0 co-index-query gizmo waits --json
	[ "$(jq -c '[.id, .title]' <<<"${lines[0]}")" = '[null,"Loops > Event loops"]' ]
}

@test "--kind finds only memories, only items or only articles" {
	mkdir -p .co-cli/knowledge/articles
	printf -- '---\nsource: https://example.org\nfetched: 2026-02-01T10:00:00Z\ntitle: A\n---\n# A\n\nA gizmo waits.\n' \
		>.co-cli/knowledge/articles/a.md
	echo '- The gizmo is blue.' >.co-cli/knowledge/facts.md
	echo 'My gizmo is red.' | co-memory-save >out
	run -0 co-index-query gizmo
	[ "${#lines[@]}" = 3 ]
	run -0 co-index-query --kind=memory gizmo
	expect <out
	run -0 co-index-query --kind=item gizmo
	expect <<<"$PWD/.co-cli/knowledge/facts.md"
	run -0 co-index-query --kind=article gizmo
	expect <<<"$PWD/.co-cli/knowledge/articles/a.md"
	run -0 co-index-query --kind=item --mode=hybrid gizmo
	expect <<<"$PWD/.co-cli/knowledge/facts.md"
	run -1 co-index-query --kind=item callbacks
}

@test "--json has the score, the snippet and the partial mark" {
	run -0 co-index-query --json callbacks threads
	[ "$(jq -c '[.id, .partial, .snippet, (.score > 0)]' <<<"$output")" = '[2,null,"We went from callbacks to threads in lib/pool.c",true]
[1,true,"User prefers ASYNC/AWAIT over callbacks",true]' ]
}

@test "--explain prints mode, freshness, terms and signals to standard error" {
	co-index-update >/dev/null
	run -0 --separate-stderr co-index-query -n 1 --explain callbacks
	[ "${#lines[@]}" = 1 ]
	[[ $stderr == *"mode fts: 4 documents ranked"* ]]
	[[ $stderr == *"fresh, 4 documents"* ]]
	[[ $stderr == *"term 'callback': weight "*", in 2 documents"* ]]
	[[ $stderr == *"1. score "*": words "*", 1 of 1 words, coverage 1.00, telling "* ]]
}

@test "co-index-query prints nothing and exits 1 without a match or a store" {
	run -1 --separate-stderr co-index-query emacs
	[ "$output$stderr" = '' ]
	cd "$HOME"
	run -1 --separate-stderr co-index-query emacs
	[ "$output$stderr" = '' ]
	[ ! -e .co-cli ]
}

@test "co-index-query exits 2 without a query" {
	run -2 co-index-query
	[[ $output == *'expected a query'* ]]
}

@test "co-index-query reads a query from standard input" {
	[ "$(printf 'callbacks threads\n' | found -)" = '2 1 ' ]
	[ "$(found - callbacks threads </dev/null)" = '2 1 ' ]
	run -1 co-index-query - <<<''
	run -3 bash -c 'head -c 70000 /dev/zero | tr "\0" x | co-index-query -'
}

@test "co-index-query reports malformed memories and skips them" {
	echo 'no frontmatter' >$memories/009-broken.md
	run -0 --separate-stderr co-index-query callbacks
	[ "${#lines[@]}" = 2 ]
	[ "$stderr" = "$(co-memory-grep callbacks 2>&1 >/dev/null |
		sed s/co-memory-grep/co-index-query/)" ]
	[ -n "$stderr" ]
}

@test "show and grep accept the paths that co-index-query prints" {
	mkdir -p .co-cli/knowledge/articles
	cat >.co-cli/knowledge/articles/loops.md <<-'END'
		---
		source: https://example.org/loops
		fetched: 2026-01-05T10:00:00Z
		title: Loops
		tags: [python]
		---

		# Loops

		A zebra crosses the event loop.
	END
	printf '# Facts\n\n- A zebra is striped\n' >.co-cli/knowledge/facts.md
	echo 'The zebra eats' | co-memory-save >/dev/null 2>&1
	[ "$(co-index-query zebra | wc -l)" = 3 ]
	co-index-query zebra | co-memory-show >shown
	diff <(sort shown) <(co-index-query zebra | xargs -d '\n' cat | sort)
	run -0 co-memory-show --json .co-cli/knowledge/articles/loops.md
	expect <<-END
		{"id":null,"path":"$PWD/.co-cli/knowledge/articles/loops.md","scope":"project","created":"2026-01-05T10:00:00Z","tags":["python"],"source":"https://example.org/loops","summary":"# Loops","content":"# Loops\n\nA zebra crosses the event loop.","frontmatter":{"source":"https://example.org/loops","fetched":"2026-01-05T10:00:00Z","title":"Loops","tags":["python"]},"sha256":"$(sha256sum <.co-cli/knowledge/articles/loops.md | cut -c1-64)","title":"Loops","marks":["external"]}
	END
	run -0 bash -c 'co-index-query zebra | co-memory-grep striped - --json'
	expect <<-END
		{"id":null,"path":"$PWD/.co-cli/knowledge/facts.md","scope":"project","created":"","tags":[],"source":null,"summary":"# Facts","content":"# Facts\n\n- A zebra is striped","frontmatter":{},"sha256":"$(sha256sum <.co-cli/knowledge/facts.md | cut -c1-64)","title":""}
	END
	run -0 --separate-stderr bash -c 'co-index-query zebra | co-memory-grep -c zebra -'
	[ "$output$stderr" = 3 ]
	run -0 --separate-stderr bash -c 'co-index-query zebra | co-memory-grep zebra -'
	[ "${#lines[@]}$stderr" = 3 ]
	run -0 co-index-query crosses --format='%(title)'
	expect <<<Loops
	run -0 co-index-query striped --format='<%(id)> %(title) %(path:name)'
	expect <<<'<> Facts facts.md'
	run -3 co-memory-show --json <(echo no memory)
	mkdir -p other
	echo 'no memory' >other/facts.md
	run -3 co-memory-show other/facts.md
}

@test "co-index-query reports an article that it cannot index" {
	mkdir -p .co-cli/knowledge/articles
	printf -- '---\nfetched: 2026-02-01T00:00:00Z\ntitle: x\n---\nbananas\n' \
		>.co-cli/knowledge/articles/unsourced.md
	head -c 1100000 /dev/zero | tr '\0' x \
		>.co-cli/knowledge/articles/large.md
	printf -- '---\nsource: x\nfetched: 2026-02-01T00:00:00Z\ntitle: x\n---\ncherries\n' \
		>.co-cli/knowledge/articles/good.md
	for _ in 1 2; do
		run -0 --separate-stderr co-index-query cherries
		[[ $stderr == *"unsourced.md':1:1: Missing required field: source"* ]]
		[[ $stderr == *"large.md"*"larger than"* ]]
	done
}
