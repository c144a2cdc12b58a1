#!/usr/bin/env bats
# co forget takes the path of an article, and co forget --undo restores it.
load lib
load killed
load terminal

articles=.co-cli/knowledge/articles

# article NAME [BODY]: write an article with an attachment.
article() {
	mkdir -p $articles .co-cli/knowledge/attachments
	echo bytes >.co-cli/knowledge/attachments/page.bin
	cat >"$articles/$1.md" <<-END
		---
		title: Pages of HTTP
		source: https://example.org/http
		fetched: 2026-01-05T00:00:00Z
		tags: [web]
		attachment: attachments/page.bin
		id: 700
		---

		# Heading

		${2:-Xylophones answer over sockets}
	END
}

setup() {
	world
	memory 1 2026-01-01T00:00:00Z python $memories/001-a.md \
		<<<'Prefers async over callbacks'
	article http
}

# files: print the file names of the articles.
files() {
	(cd $articles && echo *)
}

@test "co forget shows an article by title and source, and --undo restores it" {
	tree .co-cli/knowledge/articles >before
	run -0 co-forget -y $articles/http.md
	expect <<-'END'
		**http.md** (2026-01-05) [web]: Pages of HTTP, from https://example.org/http
		✓ Forgot article: http.md
		hint: 'co undo' brings it back
	END
	[ "$(files)" = '*' ]
	[ -e $trash/20260209T143000Z-1/articles/http.md ]
	# Its attachment remains.
	[ -e .co-cli/knowledge/attachments/page.bin ]
	run -0 co-forget --undo
	expect <<<'✓ Restored article: http.md'
	tree .co-cli/knowledge/articles | diff before -
	[ ! -e $trash/20260209T143000Z-1 ]
	[ ! -e $articles/.gitignore ]
}

@test "on a terminal co list prints articles without Markdown markup" {
	need_terminal
	terminal 0 '' 'co list --articles'
	[[ $output == 'http.md ('*'Pages of HTTP, from https'* ]]
	run -0 co list --articles
	[[ $output == '**http.md** ('* ]]
}

@test "a text that only an article's title has gets a hint with its path" {
	run -1 co-forget -y pages http
	expect <<-END
		co-forget: no memories found matching 'pages http'
		hint: to forget the article: co forget '$PWD/$articles/http.md'
	END
	[ "$(files)" = http.md ]
}

@test "co forget leaves an article without a yes or without a terminal" {
	run -1 co-forget $articles/http.md </dev/null
	[[ $output == *'Pages of HTTP, from https'*'not a terminal: add -y to forget' ]]
	run -0 co-forget -n $articles/http.md
	[ "$(files)" = http.md ]
	need_terminal
	terminal 1 'n\n' "co-forget $articles/http.md"
	[[ $output == *'Forget 1 article? [y/N]'* ]]
	[ "$(files)" = http.md ]
	article ftp
	terminal 0 'y\n' "co-forget 1 $articles/http.md"
	[[ $output == *'Forget 2 memories and articles? [y/N]'* ]]
	[ "$(files)" = ftp.md ]
	run -0 co-forget --undo
	[ "$(sort <<<"$output")" = '✓ Restored article: http.md
✓ Restored memory 1: 001-a.md' ]
}

@test "co forget -y takes the file name of an article" {
	run -1 co-forget -y ttp.md
	cp $articles/http.md $articles/old-http.md
	cp $articles/http.md $articles/http.md.md
	run -1 co-forget http.md </dev/null
	[[ $output == *'not a terminal: add -y to forget' ]]
	run -0 --separate-stderr co-forget -y http.md
	[[ $output == *$'\n✓ Forgot article: http.md' ]]
	[ ! -e $articles/http.md ]
	# A part of a file name is not enough.
	run -1 co-forget -y http.md
	[ -e $articles/old-http.md ]
}

@test "co forget does not search a text in articles" {
	run -1 co-forget -y Xylophones
	run -1 co-forget -y "Pages of HTTP"
	[ "$(files)" = http.md ]
}

@test "a forgotten article affects no id and no list of the trash" {
	run -0 co-memory-next-id
	expect <<<2
	# Its name has a number that would count for a memory.
	article 500-x
	for cached in no yes; do
		[ $cached = no ] || co-index-update
		run -0 co-memory-remove $articles/http.md $articles/500-x.md
		[ "${#lines[@]}" -eq 2 ]
		# The first round updates a known directory, the second one does not.
		for _ in 1 2; do
			run -0 co-memory-next-id
			expect <<<2
			run -0 --separate-stderr co-memory-list --trash
			[ -z "$output$stderr" ]
		done
		run -1 co-memory-restore 700
		run -1 co-memory-remove --purge 700
		run -0 co-knowledge-check
		co-forget --undo >/dev/null
		[ "$(files)" = '500-x.md http.md' ]
	done
	[ "$(co-memory-save <<<new)" = "$PWD/$memories/002-new.md" ]
}

@test "a search does not find a forgotten article" {
	co-index-update
	run -0 co-index-query xylophones
	co-forget -y $articles/http.md 2>/dev/null
	co-index-update
	run -1 co-index-query xylophones
	co-forget --undo >/dev/null
	co-index-update
	run -0 co-index-query xylophones
}

@test "a restored article gets a new name if its old one is taken" {
	co-memory-remove $articles/http.md
	article http another
	run -0 co-forget --undo
	expect <<<'✓ Restored article: http-2.md'
	grep -q another $articles/http.md
	grep -q Xylophones $articles/http-2.md
}

@test "memory-remove and memory-restore take any path of an article" {
	ln -s "$PWD/$articles" shortcut
	for path in shortcut/http.md "$PWD/$memories/../articles/http.md"; do
		run -0 co-memory-remove "$path"
		expect <<<"$PWD/$trash/20260209T143000Z-1/articles/http.md"
		run -0 co-memory-show "$output"
		run -0 co-memory-restore $trash/20260209T143000Z-1/articles/http.md
		expect <<<"$PWD/$articles/http.md"
	done
	cd $articles
	co-memory-remove http.md
	cd ../trash/20260209T143000Z-1/articles
	run -0 co-memory-restore http.md
	cd "$BATS_TEST_TMPDIR/project"
	run -1 co-memory-remove $articles/nope.md
}

@test "co forget and --undo keep the bytes of a broken article" {
	echo plain >$articles/plain.md
	run -0 --separate-stderr co-forget -y $articles/plain.md
	expect <<-'END'
		broken: plain.md
		✓ Forgot article: plain.md
	END
	[[ $stderr == *plain.md* ]]
	run -0 --separate-stderr co-forget --undo
	expect <<<'✓ Restored article: plain.md'
	[ "$(<$articles/plain.md)" = plain ]
}

@test "commands that take memories refuse an article and report it" {
	run -2 co-memory-save --replaces=$articles/http.md <<<new
	expect <<<"co-memory-save: '$articles/http.md' is an article and no memory: 'co edit' and 'co forget' take its path"
	run -2 co-memory-restore $articles/http.md
	run -2 co-review --accept $articles/http.md
	ln -s http.md $articles/link.md
	run -3 co-forget -y $articles/link.md
	[ "$(files)" = 'http.md link.md' ]
}

@test "a purged article leaves no text and no mark of an id" {
	co-index-update
	grep -rqi xylophones "$HOME/.cache"
	co-memory-remove --purge $articles/http.md
	run ! grep -rail -e xylophones -e 'pages of http' "$HOME" .
	[ -z "$(ls $trash/purged)" ]
	article http
	path=$(co-memory-remove $articles/http.md)
	co-memory-remove --purge "$path"
	run ! grep -rail -e xylophones "$HOME" .
	[ -z "$(ls $trash/purged)" ]
	[ "$(co-memory-next-id)" = 2 ]
}

@test "co forget finds an article of the user store by its path, or with --global" {
	mkdir -p "$global/knowledge"
	mv $articles "$global/knowledge"
	path=$global/knowledge/articles/http.md
	for option in '' --global; do
		# The option is empty or one word.
		# shellcheck disable=SC2086
		run -0 co-forget $option -y "$path"
		[[ $output == *'**http.md** (2026-01-05) (global) [web]:'* ]]
		[ ! -e "$path" ]
		co-forget --global --undo
		[ -e "$path" ]
	done
}

@test "co forget and co memory-restore sync articles before they report" {
	need_strace
	durably co-forget -y $articles/http.md
	durably co-forget --undo
	durably co-memory-remove $articles/http.md
	durably co-memory-restore $trash/*/articles/http.md
	durably co-memory-remove --purge $articles/http.md
}

@test "co forget --purge finds text of an article in branches and stashes of git" {
	git init -qb main .
	git config user.name A
	git config user.email a@example.org
	printf '# Alpha\n\nthe text on main is this\n' >page
	git add -A && git commit -qm 0
	git switch -qc two
	co-article-save --source=https://example.org/a --title=Alpha \
		<<<'secret line on the other branch' >/dev/null
	git add -A && git commit -qm 2
	git switch -q main
	co-article-save --source=https://example.org/a --title=Alpha <page >/dev/null
	run -1 --separate-stderr co-forget --purge -y $articles/alpha.md
	[[ $output == *"git: "*"'.co-cli/knowledge/articles/alpha.md'"* ]]
	git branch -qD two
	git reflog expire --expire=now --all
	git gc -q --prune=now
	co-article-save --source=https://example.org/a --title=Alpha <page >/dev/null
	git add $articles && git stash -q
	co-article-save --source=https://example.org/a --title=Alpha \
		<<<'other words at the same place' >/dev/null
	run -1 --separate-stderr co-forget --purge -y $articles/alpha.md
	[[ $output == *"git: "*"'.co-cli/knowledge/articles/alpha.md'"* ]]
}
