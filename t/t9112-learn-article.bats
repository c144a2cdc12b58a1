#!/usr/bin/env bats
# co learn URL and co learn ./FILE save pages and files as articles.
load lib
load web
load terminal

articles=.co-cli/knowledge/articles

setup() {
	web_world
	[ -x "$CO_BIN/co-text-extract" ] || skip 'made without libxml2 or libarchive'
	cat >page.html <<-'END'
		<!doctype html><html lang="en"><title>Pipes, in short</title>
		<meta name="description" content="How they work.">
		<nav><a href="/">Home</a></nav><h2>Order</h2><p>What one program
		prints, the <a href="/next">next one</a> reads, as it comes.</p>
		<pre><code class="language-sh">a | b</code></pre></html>
	END
}

teardown() {
	stop_web
}

@test "co learn shows a page and saves it only with -y" {
	start_web
	run -1 --separate-stderr co-learn --allow-private "$url/file?page.html"
	[[ $output == "Pipes, in short"$'\n'"from $url/file?page.html: text/html, \
$(stat -c %s page.html) bytes, "*" bytes of text, 1 section"*"    ## Order"*'[next one]'* ]]
	[ "$stderr" = $'hint: not a terminal: add -y to say yes\nco-learn: nothing was saved' ]
	[ ! -e .co-cli ]
	run -0 --separate-stderr co-learn -y -t shell --allow-private \
		"$url/file?page.html"
	[[ $output == *"✓ Saved article: pipes-in-short.md"$'\n'"Location: $PWD/$articles/pipes-in-short.md" ]]
	[ "$stderr" = "co-learn: made '$PWD/.co-cli'" ]
	sed "s,$url,URL,g" "$articles/pipes-in-short.md" | diff - <(
		cat <<-END
			---
			source: URL/file?page.html
			fetched: 2026-02-09T14:30:00Z
			title: Pipes, in short
			tags: [shell]
			description: How they work.
			language: en
			sha256: $(sha256sum page.html | cut -d' ' -f1)
			etag: '"$(sha1sum page.html | cut -c1-8)"'
			last_modified: Sun, 01 Feb 2026 10:00:00 GMT
			---

			## Order

			What one program prints, the [next one](URL/next) reads, as it comes.

			\`\`\`sh
			a | b
			\`\`\`
		END
	)
	run -0 co-recall 'next one'
	[[ $output == *"**Article: Pipes, in short > Order**"* ]]
}

@test "on a terminal co learn asks before it saves a page" {
	start_web
	terminal 1 n "co-learn --allow-private '$url/file?page.html'"
	[[ $output == *'Keep it? [y/N]'*'nothing was saved'* ]]
	[ ! -e .co-cli ]
	terminal 0 y "co-learn --allow-private '$url/file?page.html'"
	[[ $output == *'✓ Saved article: pipes-in-short.md'* ]]
}

@test "co learn saves what fetch, extract and article-save make" {
	start_web
	co-learn -q -y -t shell --allow-private "$url/file?page.html"
	tree .co-cli/knowledge >learned
	rm -r .co-cli
	co-fetch --allow-private --meta=meta "$url/file?page.html" >page
	co-text-extract --json --base="$(jq -r .final meta)" \
		--type="$(jq -r '[.type, (.charset // empty | "charset=" + .)] |
			join("; ")' meta)" page |
		co-article-save -q --extracted --meta=meta -t shell
	tree .co-cli/knowledge | diff learned -
}

@test "co learn stores the path of a file relative to the project" {
	mkdir docs
	cp page.html docs/
	run -1 co-learn -y ./docs/page.html "$PWD/page.html"
	[ "$(co-frontmatter-parse --field=source "$articles/pipes-in-short.md")" = ./docs/page.html ]
	[[ $output == *"has the very bytes of './page.html'"* ]]
}

@test "co learn attaches the original of a file that is not text" {
	mkdir -p word/_rels
	printf 'A book.\n' >mimetype
	cat >content.xml <<-'END'
		<office:document-content xmlns:office="o" xmlns:text="t"><office:body>
		<office:text><text:h text:outline-level="1">A book</text:h>
		<text:p>Once upon a time.</text:p></office:text></office:body>
		</office:document-content>
	END
	printf 'application/vnd.oasis.opendocument.text' >mimetype
	perl "$CO_SOURCE/t/zip.pl" 'my book.odt' -0 mimetype content.xml
	run -0 co-learn -y './my book.odt'
	[[ $output == *'Once upon a time.'* ]]
	name=$(sha256sum 'my book.odt' | cut -c1-12)-my-book.odt
	cmp ".co-cli/knowledge/attachments/$name" 'my book.odt'
	grep -qx "attachment: attachments/$name" "$articles/a-book.md"
	run -0 co-knowledge-check
}

@test "co learn exits with the status of a failing part and saves the rest" {
	start_web
	run -1 --separate-stderr co-learn -y --allow-private "$url/absent" \
		"$url/file?page.html"
	[[ $output == *'✓ Saved article'* ]]
	[[ $stderr == *"co-learn: '$url/absent' is not there: status 404"* ]]
	run -3 co-learn -y "$url/file?page.html"
	expect <<<"co-learn: '$url/file?page.html' is not public: 127.0.0.1 is loopback; --allow-private allows it"
	printf '\0\1\2' >binary
	run -3 co-learn -y ./binary
	: >empty
	run -1 co-learn -y ./empty
	run -2 co-learn -y some text
	run -2 co-learn --created=today ./page.html
}

@test "co learn shows and replaces the article from the same source" {
	start_web
	co-learn -q -y --allow-private "$url/file?page.html"
	sed -i 's/next one/following one/' page.html
	run -0 co-learn -n --allow-private "$url/file?page.html"
	[[ $output == *"in the place of $PWD/$articles/pipes-in-short.md, fetched 2026-02-09T14:30:00Z"* ]]
	grep -q 'next one' "$articles/pipes-in-short.md"
	run -0 co-learn -y --allow-private "$url/file?page.html"
	[[ $output == *'✓ Replaced article: pipes-in-short.md'* ]]
	grep -q 'next one' $trash/*/articles/pipes-in-short.md
	run -0 co-learn -y --allow-private "$url/file?page.html"
	[[ $output == *'✓ Nothing new in article: pipes-in-short.md'* ]]
}

@test "--text saves an address or a path as text" {
	run -0 co-learn --text https://example.org/page
	run -0 co-learn --text ./page.html
	run -0 co-learn See https://example.org/page
	[ "$(ls $memories | wc -l)" = 3 ]
	[ ! -e "$articles" ]
}
