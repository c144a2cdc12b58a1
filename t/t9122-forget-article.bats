#!/usr/bin/env bats
# Articles are forgotten by their path, and come back under their name.
load lib
load killed
load terminal

articles=.co-cli/knowledge/articles

# article NAME [BODY]: an article with an attachment.
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

# files: the articles, by their names.
files() {
	(cd $articles && echo *)
}

@test "an article is shown by title and source, forgotten, and brought back" {
	tree .co-cli/knowledge/articles >before
	run -0 co-forget -y $articles/http.md
	expect <<-'END'
		**http.md** (2026-01-05) [web]: Pages of HTTP, from https://example.org/http
		✓ Forgot article: http.md
		hint: 'co undo' brings it back
	END
	[ "$(files)" = '*' ]
	[ -e $trash/20260209T143000Z-1/articles/http.md ]
	# Its attachment stays.
	[ -e .co-cli/knowledge/attachments/page.bin ]
	run -0 co-forget --undo
	expect <<<'✓ Remembered article: http.md'
	tree .co-cli/knowledge/articles | diff before -
	[ ! -e $trash/20260209T143000Z-1 ]
	[ ! -e $articles/.gitignore ]
}

@test "on a terminal it is listed without the marks of Markdown" {
	need_terminal
	terminal 0 '' 'co list --articles'
	[[ $output == 'http.md ('*'Pages of HTTP, from https'* ]]
	run -0 co list --articles
	[[ $output == '**http.md** ('* ]]
}

@test "without a terminal, words of its title bring a hint with its path" {
	run -1 co-forget -y pages http
	expect <<-END
		co-forget: no memories found matching 'pages http'
		hint: to forget the article: co forget '$PWD/$articles/http.md'
	END
	[ "$(files)" = http.md ]
}

@test "nobody is there to be asked, or says no: the article stays" {
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
	[ "$(sort <<<"$output")" = '✓ Remembered article: http.md
✓ Remembered memory 1: 001-a.md' ]
}

@test "a text never means an article" {
	run -1 co-forget -y Xylophones
	run -1 co-forget -y "Pages of HTTP"
	[ "$(files)" = http.md ]
}

@test "a forgotten article spoils no id and no list of the trash" {
	run -0 co-memory-next-id
	expect <<<2
	# As a name whose number counts where it is taken for a memory.
	article 500-x
	for cached in no yes; do
		[ $cached = no ] || co-index-update
		run -0 co-memory-remove $articles/http.md $articles/500-x.md
		[ "${#lines[@]}" -eq 2 ]
		# Hand it to the refresh of a known folder, and to one without.
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

@test "an article that is forgotten is not found by a search" {
	co-index-update
	run -0 co-index-query xylophones
	co-forget -y $articles/http.md 2>/dev/null
	co-index-update
	run -1 co-index-query xylophones
	co-forget --undo >/dev/null
	co-index-update
	run -0 co-index-query xylophones
}

@test "what comes back takes no other article's place" {
	co-memory-remove $articles/http.md
	article http another
	run -0 co-forget --undo
	expect <<<'✓ Remembered article: http-2.md'
	grep -q another $articles/http.md
	grep -q Xylophones $articles/http-2.md
}

@test "an article is removed and restored by its path, however it is reached" {
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

@test "a broken article can be forgotten, and comes back as it is" {
	echo plain >$articles/plain.md
	run -0 --separate-stderr co-forget -y $articles/plain.md
	expect <<-'END'
		broken: plain.md
		✓ Forgot article: plain.md
	END
	[[ $stderr == *plain.md* ]]
	run -0 --separate-stderr co-forget --undo
	expect <<<'✓ Remembered article: plain.md'
	[ "$(<$articles/plain.md)" = plain ]
}

@test "what wants a memory says that this is an article" {
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

@test "--global forgets an article of the user's" {
	mkdir -p "$global/knowledge"
	mv $articles "$global/knowledge"
	path=$global/knowledge/articles/http.md
	run -2 co-forget -y "$path"
	[[ $output == *'add --global'* ]]
	run -0 co-forget --global -y "$path"
	[[ $output == *'**http.md** (2026-01-05) (global) [web]:'* ]]
	co-forget --global --undo
	[ -e "$path" ]
}

@test "what is said of an article is on the disk" {
	need_strace
	durably co-forget -y $articles/http.md
	durably co-forget --undo
	durably co-memory-remove $articles/http.md
	durably co-memory-restore $trash/*/articles/http.md
	durably co-memory-remove --purge $articles/http.md
}

@test "what another branch or a stash says at its path is found" {
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
