#!/usr/bin/env bats
# co-article-save: saves a document with its source.
load lib

articles=.co-cli/knowledge/articles
attachments=.co-cli/knowledge/attachments

# save SOURCE [OPTION...] <TEXT: save TEXT as an article.
save() {
	local source=$1
	shift
	co-article-save -q --source="$source" "$@"
}

@test "an article has its source, its time and its title" {
	run -0 --separate-stderr co-article-save --source=https://example.org/a/b \
		-t Web -t web -t two <<-'END'

		# What *it* says

		    code first

		And more.

	END
	[ "$output" = "$PWD/$articles/what-it-says.md" ]
	[ "$stderr" = "co-article-save: made '$PWD/.co-cli'" ]
	diff -u "$articles/what-it-says.md" - <<-'END'
		---
		source: https://example.org/a/b
		fetched: 2026-02-09T14:30:00Z
		title: What *it* says
		tags: [web, two]
		---

		# What *it* says

		    code first

		And more.
	END
	run -0 co-knowledge-check
}

@test "the metadata of fetching and extracting is saved" {
	cat >meta <<-'END'
		{"url": "https://example.org/x", "final": "https://example.org/y",
		 "status": 200, "sha256": "ab", "etag": "\"e\"",
		 "last_modified": "Sun, 01 Feb 2026 10:00:00 GMT",
		 "fetched": "2026-02-08T10:00:00Z", "redirects": []}
	END
	run -0 co-article-save --meta=meta --extracted --json <<-'END'
		{"type": "text/html", "title": "A\n title\u200b", "author": "Ada",
		 "published": "2026-01-01", "language": "en", "description": "What",
		 "bytes": 3, "sha256": "cd", "markdown": "Text.\n"}
	END
	[ "$(tail -n 1 <<<"$output" | jq -c '[.source, .done]')" = \
		'["https://example.org/x","new"]' ]
	cat "$articles"/*.md >got
	diff -u got - <<-'END'
		---
		source: https://example.org/x
		fetched: 2026-02-08T10:00:00Z
		title: A title<U+200B>
		tags: []
		description: What
		author: Ada
		published: 2026-01-01
		language: en
		sha256: ab
		etag: '"e"'
		last_modified: Sun, 01 Feb 2026 10:00:00 GMT
		---

		Text.
	END
	run -3 co-article-save --meta=meta --extracted <<<'{'
	[[ $output == "co-article-save: '-':"* ]]
	run -3 co-article-save --meta=/dev/null <<<text
}

@test "an article from the same source replaces the old one" {
	save x -t one --title=Old <<<'old text'
	sed -i 's/^tags:.*/tags: [one, mine]\nmine: kept/; s/^title/# said\ntitle/' \
		"$articles/old.md"
	cp "$articles/old.md" was
	run -0 --separate-stderr co-article-save --source=x -t two --title=New \
		--json <<<'new text'
	[ "$(jq -r .done <<<"$output")" = replaced ]
	[ "$(ls $articles)" = old.md ]
	diff -u "$articles/old.md" - <<-'END'
		---
		source: x
		fetched: 2026-02-09T14:30:00Z
		title: New
		tags: [one, mine, two]
		mine: kept
		---

		new text
	END
	cmp was $trash/*/articles/old.md
	run -0 co forget --undo
	cmp was "$articles/old-2.md"
}

@test "saving the same text again only updates the time" {
	save x --fetched=2026-01-01T00:00:00Z <<<'a text'
	run -0 co-article-save --source=x --json <<<'a text'
	[ "$(jq -r .done <<<"$output")" = same ]
	grep -qx 'fetched: 2026-02-09T14:30:00Z' "$articles/x.md"
	[ ! -e "$trash" ]
}

@test "the same bytes from another source are reported and not saved" {
	echo '{"url": "a", "sha256": "0123"}' >a
	echo '{"url": "b", "sha256": "0123"}' >b
	co-article-save -q --meta=a --title=A <<<text
	run -1 --separate-stderr co-article-save --meta=b --title=B <<<text
	[ "$output" = "$PWD/$articles/a.md" ]
	[ "$stderr" = "co-article-save: '$PWD/$articles/a.md' has the very bytes of 'b'" ]
	[ "$(ls $articles)" = a.md ]
	run -0 co-article-save --meta=b --title=B --force <<<text
	[ "$(ls $articles)" = $'a.md\nb.md' ]
}

@test "co-article-save finds a title and makes the file name of it" {
	save https://example.org/some/page.html?x#y <<<'no heading'
	save https://example.org/other <<<$'Text.\n\nUnder\nlined\n---\n'
	save 1 --title='日本語' <<<a
	save 2 --title='日本語' <<<b
	save 3 --title='../../../etc/passwd' <<<c
	save 4 --title=memory <<<d
	run -0 ls "$articles"
	expect <<-'END'
		article-2.md
		article.md
		etc-passwd.md
		memory.md
		page-html.md
		under-lined.md
	END
	[ "$(co-frontmatter-parse --field=title "$articles/article.md")" = 日本語 ]
}

@test "the original file is attached once, with all its bytes" {
	head -c 100000 /dev/urandom >'my file: v1.pdf'
	run -0 co-article-save -q --source=x --attach='my file: v1.pdf' <<<text
	name=$(sha256sum 'my file: v1.pdf' | cut -c1-12)-my-file-v1.pdf
	cmp "$attachments/$name" 'my file: v1.pdf'
	grep -qx "attachment: attachments/$name" "$articles/x.md"
	run -0 co-knowledge-check
	# Another text and another article share the attachment.
	save x --attach='my file: v1.pdf' <<<'other text'
	save y --attach='my file: v1.pdf' <<<'more text'
	[ "$(ls "$attachments")" = "$name" ]
	# The same text without the file keeps the attachment; another text does not.
	save y <<<'more text'
	grep -q ^attachment: "$articles/y.md"
	save y <<<'text again'
	run -1 grep ^attachment: "$articles/y.md"
	# A different file with this name is not the attachment.
	echo other >"$attachments/$name"
	run -3 co-article-save --source=z --attach='my file: v1.pdf' <<<text
	[[ $output == *"/$attachments/$name' is there, and is another file" ]]
	[ ! -e "$articles/z.md" ]
	truncate -s 17M large
	run -3 co-article-save --source=z --attach=large <<<text
}

@test "invalid text or a secret saves nothing" {
	run -3 co-article-save --source=x </dev/null
	expect <<<'co-article-save: nothing to save: there is no text'
	run -3 co-article-save --source=x < <(printf 'a\0b')
	[[ $output == *': the text has a NUL byte' ]]
	run -3 co-article-save --source=x < <(printf 'a\xff')
	[[ $output == *': the text is not UTF-8 at byte 2' ]]
	run -3 co-article-save --source=x < <(yes | head -c 1048577)
	run -3 co-article-save --source=x < <(yes | head -c 1048570)
	run -3 co-article-save --source=$'x\ny' <<<text
	run -3 co-article-save --source=x --fetched=soon <<<text
	run -2 co-article-save --source=x -t a,b <<<text
	run -2 co-article-save <<<text
	key=AKIA$(printf 'QWERTYUIOPASDFGH')
	run -3 co-article-save --source=x <<<$'```\na\n'"key = $key"$'\n```'
	[[ $output == *3* && $output != *QWERTY* ]]
	run -3 co-article-save --source="https://example.org/?key=$key" <<<text
	[ ! -e .co-cli ]
	run -0 co-article-save --allow-secret --source=x <<<"$key"
}

@test "articles in the user store are private to the user" {
	umask 022
	run -0 co-article-save --global --source=x --attach=/etc/passwd <<<text
	[ "$(stat -c %a "$global/knowledge/articles" "$global/knowledge/articles/x.md" \
		"$global/knowledge/attachments" "$global/knowledge"/attachments/*)" = \
		$'700\n600\n700\n600' ]
	[ ! -e .co-cli ]
}

@test "no link leads out of the store" {
	co init >/dev/null
	mkdir out
	ln -s "$PWD/out" "$attachments"
	run -3 co-article-save --source=x --attach=/etc/passwd <<<text
	ln -s "$PWD/out" "$articles"
	run -3 co-article-save --source=x <<<text
	rm "$articles"
	mkdir "$articles"
	ln -s "$PWD/out/x.md" "$articles/x.md"
	run -0 co-article-save --source=x <<<text
	[ "$(ls "$articles")" = $'x-2.md\nx.md' ]
	[ ! "$(ls out)" ]
}

@test "concurrent saves of articles lose nothing" {
	local pids=() i
	for i in {1..6}; do
		save "source $i" --title=Same <<<"text $i" & pids+=($!)
		save one --title=One <<<"text $i of one" & pids+=($!)
	done
	for i in "${pids[@]}"; do wait "$i"; done
	[ "$(find "$articles" -name '*.md' | wc -l)" = 7 ]
	[ "$(cat $articles/same*.md | grep -c '^text')" = 6 ]
	# Each text of the source named one is in the article or in the trash, once.
	[ "$(cat $articles/one.md $trash/*/articles/one.md | grep '^text' |
		sort | uniq -c | wc -l)" = 6 ]
	run -0 co-knowledge-check
}

@test "an accepted draft equals the article that a save makes" {
	cat >meta <<-'END'
		{"url": "https://example.org/x", "sha256": "ab", "etag": "\"e\"",
		 "last_modified": "Sun, 01 Feb 2026 10:00:00 GMT",
		 "fetched": "2026-02-08T10:00:00Z"}
	END
	cat >text <<-'END'
		{"title": "A title", "author": "Ada", "published": "2026-01-01",
		 "language": "en", "description": "What", "markdown": "Text.\n"}
	END
	for title in '' --title=Another; do
		rm -rf .co-cli
		co-article-save -q --meta=meta --extracted -t a $title <text
		cp "$articles"/*.md was
		rm -r .co-cli
		run -0 --separate-stderr co-article-save --draft --json \
			--meta=meta --extracted -t a $title <text
		[ "$(jq -r '.done + " " + .path' <<<"$output")" = "draft $PWD/$drafts/001-text.md" ]
		[ ! -e "$articles" ]
		run -1 co-recall Text
		run -0 co-review --accept 1
		cmp was "$articles"/*.md
	done
	run -3 co-article-save --draft --source=x <<<'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
	run -3 co-article-save --draft --source=x </dev/null
	run -2 co-article-save --draft --source=x --attach=text <text
	[ -z "$(co-memory-list --drafts)" ]
}

@test "a replaced article is in the trash, and the log has only its place" {
	co-article-save -q --source=x --title=T <<<'first words'
	co-article-save -q --source=x --title=T <<<'second words'
	run -0 co-operation-list
	[ "${lines[0]}" = '2  2026-02-09T14:30:00Z  co-article-save  ~articles/t.md' ]
	[ "$(jq -r 'select(.op == 2).trash' "$oplog/now/ops")" = \
		knowledge/trash/20260209T143000Z-1/articles/t.md ]
	run -1 grep -rE 'first words|second words' "$oplog"
	run -0 --separate-stderr co-undo
	expect <<<"✓ Undid 'co article-save' of 2026-02-09T14:30:00Z: article t.md is changed back"
	grep -qx 'first words' $articles/t.md
	run -0 --separate-stderr co-redo
	grep -qx 'second words' $articles/t.md
	[ "$(find .co-cli/knowledge/articles -type f | wc -l)" = 1 ]
}

@test "undo keeps a replaced article that was edited, and names the old one" {
	co-article-save -q --source=x --title=T <<<'first words'
	co-article-save -q --source=x --title=T <<<'second words'
	sed -i 's/second/my own/' $articles/t.md
	cp -r .co-cli was
	run -5 co-undo
	old=$PWD/.co-cli/knowledge/trash/20260209T143000Z-1/articles/t.md
	expect <<-END
		co-undo: '$PWD/$articles/t.md' has changed since, in the same lines: its old text is at '$old'
		co-undo: cannot undo operation 2: a file has changed since
		hint: 'co undo --list' and 'co log' show the later changes
	END
	diff -r was .co-cli
	grep -qx 'first words' "$old"
	run -0 co-memory-restore "$old"
	[ "$(grep -hx '.* words' $articles/t.md $articles/t-2.md)" = $'my own words\nfirst words' ]
}

@test "undo removes tags of an article despite a later change of its text" {
	printf '# T\n\none\n\ntwo\n\nthree\n' >text
	save x <text
	save x -t new <text
	sed -i s/three/THREE/ $articles/t.md
	run -0 co-undo
	run -1 grep -q new $articles/t.md
	grep -q THREE $articles/t.md
}
