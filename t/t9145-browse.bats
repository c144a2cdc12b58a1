#!/usr/bin/env bats
# co browse writes a web page of all memories.
load lib
load terminal

setup() {
	world
	unset DISPLAY WAYLAND_DISPLAY XDG_STATE_HOME
}

# data PAGE: print the JSON in PAGE.
data() {
	awk '/<script id="data"/ { inside = 1; sub(/.*json">/, "") }
		inside && sub(/<\/script>$/, "") { print; exit }
		inside' "$1"
}

# A fake viewer, so that a test opens no window.
fake_viewer() {
	mkdir -p path
	printf '#!/bin/sh\nprintf "opened %%s\\n" "$@"\nexit 3\n' >path/xdg-open
	chmod +x path/xdg-open
	PATH=$PWD/path:$PATH
}

@test "the page has memories, drafts, replaced memories and articles" {
	memory 1 2026-02-09T14:30:00Z 'style, js' <<<'Use async.'
	co-learn -q --replaces=1 'Use await.'
	co-learn -q --global 'User writes in vim.' 2>errors
	echo 'A draft.' | co-memory-save --draft --source=agent >out
	mkdir -p .co-cli/knowledge/articles .co-cli/knowledge/trash/x-1
	printf -- '---\ntitle: WAL\nsource: https://a.example\nfetched: 2026-01-05T00:00:00Z\n---\nText.\n' \
		>.co-cli/knowledge/articles/wal.md
	memory 9 2026-02-09T14:30:00Z '' .co-cli/knowledge/trash/x-1/009-m.md <<<'Gone.'
	co-browse -o page.html >out
	run -0 jq -r '.records[] | "\(.area) \(.scope) \(.id) \(.tags) \(.source) \(.keys // {}) \(.title) \(.text)"' \
		<(data page.html)
	expect <<-'END'
		memories project 2 ["style","js"] user-told {"supersedes":[1]} null Use await.
		drafts project 3 [] agent {"trust":"agent"} null A draft.
		archive project 1 ["style","js"] user-told {"superseded":2} null Use async.
		articles project null [] https://a.example {} WAL Text.
		memories global 1 [] user-told {} null User writes in vim.
	END
	run ! grep -q 'Gone\.' page.html
	run -0 jq -r '.records[0] | .at, .file' <(data page.html)
	expect <<-END
		1770647400
		memories/002-use-await.md
	END
}

@test "the page has the context that sessions get, with its budget" {
	co-learn -q --always 'Always run the tests.' 2>errors
	co-browse -o page.html >out
	run -0 jq -r .context.text <(data page.html)
	expect < <(co-context-load)
	run -0 jq -c '.context | [.size, .target, .limit, (.parts[] | .scope, .state, .budget)]' \
		<(data page.html)
	expect <<<"[$(co-context-load | head -c -1 | wc -c),10240,20480,\"global\",\"absent\",3072,\"project\",\"loaded\",7168]"
}

@test "co browse writes a private page to the cache and prints its path" {
	umask 0
	memory 1 2026-02-09T14:30:00Z '' <<<one
	run -0 --separate-stderr co-browse --print
	[ -z "$stderr" ]
	[[ $output == "$HOME/.cache/co-cli/browse/"*.html ]]
	[ "$(stat -c %a "$output" "$HOME/.cache/co-cli/browse" | paste -sd ' ')" = '600 700' ]
	page=$output
	co-learn -q two
	# A second run overwrites the project's file and leaves no other.
	run -0 co-browse
	[ "$output" = "$page" ]
	grep -q two "$page"
	[ "$(ls -A "$HOME/.cache/co-cli/browse")" = "${page##*/}" ]
	(mkdir ../other && cd ../other && run -0 co-browse && [ "$output" != "$page" ])
	co-memory-purge 1 >out
	[ -z "$(ls -A "$HOME/.cache/co-cli/browse")" ]
}

@test "--output writes the page to a file, and - to standard output" {
	memory 1 2026-02-09T14:30:00Z '' <<<one
	mkdir in
	run -0 co-browse -o in/page.html
	expect <<<"$PWD/in/page.html"
	[ "$(stat -c %a in/page.html)" = 600 ]
	co-browse --output=- >page.html
	diff in/page.html page.html
	ln -s in/page.html link
	echo old >in/page.html
	chmod 640 in/page.html
	run -0 co-browse -o link
	expect <<<"$PWD/in/page.html"
	diff in/page.html page.html
	[ -L link ]
	[ "$(stat -c %a in/page.html)" = 640 ]
	[ ! -e "$HOME/.cache/co-cli/browse" ]
	run -4 co-browse -o nowhere/page.html
	expect <<<"co-browse: there is no directory 'nowhere'"
	run -3 co-browse -o in
	expect <<<"co-browse: refusing '$PWD/in': it is not a regular file"
	run -2 co-browse --print -o page.html
}

@test "co browse opens the page only on a terminal with a display" {
	need_terminal
	fake_viewer
	memory 1 2026-02-09T14:30:00Z '' <<<one
	run -0 co-browse
	[[ $output != *opened* ]]
	DISPLAY=:9 run -0 co-browse
	[[ $output != *opened* ]]
	terminal 0 '' 'co-browse'
	[[ $output == */browse/*.html* && $output != *opened* ]]
	for name in DISPLAY WAYLAND_DISPLAY; do
		terminal 3 '' "$name=:9 co-browse"
		[[ $output == *"opened $HOME/.cache/co-cli/browse/"*.html* ]]
	done
	for option in --print --output=page.html; do
		terminal 0 '' "DISPLAY=:9 co-browse $option"
		[[ $output != *opened* ]]
	done
}

@test "co browse writes a page of an empty store and makes no store" {
	run -0 --separate-stderr co-browse --print
	[ -z "$stderr" ]
	run -0 jq -c '[.records, .context.text]' <(data "$output")
	expect <<<'[[],""]'
	[ ! -e .co-cli ]
	[ ! -e "$global" ]
}

@test "without HOME co browse needs --output or a cache directory" {
	memory 1 2026-02-09T14:30:00Z '' <<<one
	run -4 env -u HOME co-browse --print
	[[ $output == *"hint: 'co browse --output=FILE' writes it elsewhere" ]]
	env -u HOME co-browse -o page.html >out
	[ "$(data page.html | jq '.records | length')" = 1 ]
	run -0 env -u HOME XDG_CACHE_HOME="$PWD/cache" co-browse --print
	run -4 env -u HOME co-browse --global -o page.html
	[[ $output == "co-browse: "* ]]
}

@test "--global shows only the user store" {
	memory 1 2026-02-09T14:30:00Z '' <<<one
	co-learn -q --global two 2>errors
	co-browse --global -o page.html >out
	run -0 jq -c '[(.records[].text), (.stores[].scope), (.context.parts[].scope)]' <(data page.html)
	expect <<<'["two","global","global"]'
	[ "$(co-browse --global)" != "$(co-browse)" ]
}

@test "the page has no text of sensitive memories without --sensitive" {
	mkdir -p $memories
	printf -- '---\nid: %s\ncreated: 2026-02-09\ntags: [%s]\nsensitive: true\nhint: %s\n---\nThe code is blue.\n' \
		7 door swordfish >$memories/007-the-code-is-blue.md
	sed -i 's/2026-02-09/&T00:00:00Z/' $memories/007-*
	{
		printf -- '---\nid: 8\ncreated: 2026-02-09T00:00:00Z\nlong: %02000d\nsensitive: true\n---\nThe code is red.\n' 1
	} >$memories/008-the-code-is-red.md
	printf -- '---\nid: 9\ncreated: 2026-02-09T00:00:00Z\nlong: %02000d\n---\nPlain.\n' 1 >$memories/009-plain.md
	co-browse -o page.html >out
	run ! grep -iE 'code.is|swordfish' page.html
	run -0 jq -c '.records | sort_by(.id)[] | [.id, .hidden, .tags, .text]' <(data page.html)
	expect <<-'END'
		[7,true,["door"],""]
		[8,true,[],""]
		[9,false,[],"Plain."]
	END
	co-browse --sensitive -o page.html >out
	run -0 jq -c '.records | sort_by(.id)[] | [.id, .hidden, .text]' <(data page.html)
	expect <<-'END'
		[7,false,"The code is blue."]
		[8,false,"The code is red."]
		[9,false,"Plain."]
	END
}

@test "the page's policy allows only its own script and style" {
	co-browse -o page.html >out
	hash_of() {
		perl -MDigest::SHA=sha256_base64 -0777 -ne 'print sha256_base64($_), "="' \
			"$CO_SOURCE/lib/overview/browse.$1"
	}
	run -0 sed -n 's/.*Content-Security-Policy" content="\(.*\)">/\1/p' page.html
	expect <<<"default-src 'none'; script-src 'sha256-$(hash_of js)'; style-src 'sha256-$(hash_of css)'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
	# The page has the script and the style unchanged.
	for part in js css; do
		tag=$([ $part = js ] && echo script || echo style)
		perl -0777 -ne 'print $1 if m{.*<'$tag'>(.*?)</'$tag'>}s' page.html |
			cmp - "$CO_SOURCE/lib/overview/browse.$part"
	done
	# The script makes text, never markup, and makes no requests.
	run ! grep -nE 'innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|fetch\(|XMLHttp|import\(|srcdoc' \
		"$CO_SOURCE/lib/overview/browse.js"
	run ! grep -nE '(src|href)="?(https?:)?//|@import|url\(' "$CO_SOURCE"/lib/overview/browse.{html,css}
}

@test "no text can end the data of the page or hide in it" {
	memory 1 2026-02-09T14:30:00Z '"</script><b>", "<!--<script>"' \
		<<<$'</script><script>alert(1)</script>\n<!--<script> ]]> & \u202e\u200b\e[31m \x01'
	sed -i 's|^source:.*|source: "</SCRIPT >"\n"</script>": "<!--"|' $memories/001-m.md
	cp $memories/001-m.md "$memories/\"><img src=x onerror=alert(1)>.md"
	co-browse -o page.html >out 2>errors
	[ "$(grep -c '</script>' page.html)" = 2 ]
	[ "$(grep -o '<script' page.html | wc -l)" = 2 ]
	run ! grep -q '<!--' page.html
	run -0 jq -r '.records[0] | .text, .source, .tags[0], (.keys | keys[0])' <(data page.html)
	expect <<-'END'
		</script><script>alert(1)</script>
		<!--<script> ]]> & <U+202E><U+200B>^[[31m ^A
		</SCRIPT >
		</script><b>
		</script>
	END
}

@test "co browse cuts the longest texts to one length if the page is too large" {
	mkdir -p $memories
	# JSON escapes these characters in several bytes, so a cut falls into one.
	perl -e 'for my $i (1 .. 11) {
		open my $f, ">", sprintf("%s/%03d-m.md", $ARGV[0], $i) or die;
		printf $f "---\nid: %d\ncreated: 2026-02-09T14:30:00Z\n---\n", $i;
		print $f $i < 3 ? "short\n" : ("x" x $i) . "<\"\\\xc3\xa4\t\xf0\x9f\x98\x80" x 80000;
	}' $memories
	co-browse -o page.html >out
	size=$(stat -c %s page.html)
	[ "$size" -le 8000000 ]
	[ "$size" -gt 7990000 ]
	run -0 jq -r '[.records[] | select(.id < 3).text] | unique[]' <(data page.html)
	expect <<<short
	run -0 jq -r '[.records[] | select(.id > 2) | .text | utf8bytelength] | (max - min) < 40 and min > 400000' \
		<(data page.html)
	expect <<<true
	run -0 jq -r '[.records[] | select(.id > 2) | .length > (.text | utf8bytelength)] | all' <(data page.html)
	expect <<<true
}

@test "the page distinguishes stores, team directories and work trees" {
	git init -q -b main .
	git -c user.name=a -c user.email=a@a commit -q --allow-empty -m x
	co-init -q 2>/dev/null || co-init >/dev/null
	memory 100007 2026-02-09T14:30:00Z '' $memories/10/100007-m.md <<<'Of a team.'
	git worktree add -q ../tree
	mkdir ../tree/.co-cli
	(cd ../tree && echo 'From the tree.' | co-memory-save --draft --source=a >/dev/null)
	co-browse -o page.html >out
	run -0 jq -r '.records[] | "\(.area) \(.file // .path) \(.worktree)"' <(data page.html)
	expect <<-END
		memories memories/10/100007-m.md null
		drafts $PWD/.git/co-cli/.co-cli/drafts/001-from-the-tree.md tree
	END
	here=$(co-browse)
	[ "$(cd ../tree && co-browse)" != "$here" ]
}

@test "co browse reports a broken memory and shows the others" {
	memory 1 2026-02-09T14:30:00Z '' <<<one
	echo broken >$memories/002-m.md
	run -0 --separate-stderr co-browse -o page.html
	[ "$stderr" = "co-browse: '$PWD/$memories/002-m.md':1:1: Missing required field: id" ]
	[ "$(data page.html | jq '.records | length')" = 1 ]
}

@test "co browse reports a store that it cannot open and shows the other" {
	co-learn -q --global one 2>errors
	mkdir elsewhere
	ln -s elsewhere .co-cli
	run -3 --separate-stderr co-browse -o page.html
	[[ $stderr == "co-browse: refusing '$PWD/.co-cli'"* ]]
	run -0 jq -c '[(.records[].text), (.stores[].scope)]' <(data page.html)
	expect <<<'["one","global"]'
}

@test "on a terminal without a browser co browse says to open the file" {
	need_terminal
	memory 1 2026-02-09T14:30:00Z '' <<<one
	terminal 0 '' 'unset DISPLAY WAYLAND_DISPLAY BROWSER; PATH=$CO_BIN co browse'
	[[ $output == *.html$'\n'"hint: open this file in a browser: none was found" ]]
}
