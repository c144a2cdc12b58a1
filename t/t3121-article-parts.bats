#!/usr/bin/env bats
# co-article-save --split: saves a document that is too large as several articles, which
# are replaced and removed together.
load lib
load terminal

articles=.co-cli/knowledge/articles

# chapter N [WORD]: print a section of about 400 KiB.
chapter() {
	printf '# Chapter %d\n\n' "$1"
	yes "${2:-line} of chapter $1" | head -c 400000
	printf '\n\n'
}

# book N [WORD]: print a book of N chapters.
book() {
	printf 'A book.\n\n'
	for chapter in $(seq "$1"); do
		chapter "$chapter" "${2:-line}"
	done
}

save() {
	co-article-save -q --source=book --title='The Book' --split "$@"
}

field() {
	co-frontmatter-parse --field="$1" "$articles/$2"
}

@test "a text that is too large is refused with a hint at --split" {
	book 3 >text
	run -3 co-article-save --source=book <text
	expect <<-'END'
		co-article-save: an article may have 1048576 bytes, this has 1200131
		hint: --split saves it in parts
	END
	[ ! -e .co-cli ]
	run -2 co-article-save --source=book --split --draft <text
}

@test "parts begin at first-level headings" {
	book 3 >text
	run -0 --separate-stderr co-article-save --source=book -t a \
		--title='The Book' --split --json <text
	[ "$(jq -r .path <<<"$output" | sed 's,.*/,,')" = \
		$'the-book-01.md\nthe-book-02.md\nthe-book-03.md\nthe-book-04.md' ]
	[ "$(jq -r .done <<<"$output" | sort -u)" = new ]
	diff -u - <(head -n 12 "$articles/the-book-02.md") <<-'END'
		---
		source: book
		fetched: 2026-02-09T14:30:00Z
		title: The Book (2 of 4)
		tags: [a]
		part: 2
		parts: 4
		---

		# Chapter 1

		line of chapter 1
	END
	for part in "$articles"/*; do
		co-frontmatter-parse --body "$part"
	done | grep -v '^$' | diff - <(grep -v '^$' text)
	run -0 co-knowledge-check
	run -0 co-recall --kind=article 'line of chapter 3'
	[[ $output == *'**Article: The Book (4 of 4) > Chapter 3**'* ]]
}

@test "--split saves a text that fits as one article" {
	run -0 co-article-save -q --source=book --split <<<$'# One\n\na\n\n# Two\n\nb'
	[ "$(ls $articles)" = one.md ]
	run -1 grep -q '^part' "$articles/one.md"
}

@test "a chapter that is too large is split at its own headings" {
	{
		printf '# One\n\n'
		for chapter in 1 2 3; do
			chapter "$chapter" | sed 's/^#/##/'
		done
		printf '# Two\n\nend\n\n> # Quoted\n\n```\n# code\n```\n'
	} >text
	save <text
	for part in "$articles"/*; do
		co-frontmatter-parse --body "$part" | grep -m 1 .
	done | diff -u - <(printf '%s\n' '# One' '## Chapter 1' \
		'## Chapter 2' '## Chapter 3' '# Two')
	{
		printf '# One\n\n'
		yes 'no heading' | head -c 2000000
	} >text
	run -3 co-article-save --source=x --split <text
	expect <<<"co-article-save: 1999999 bytes have no heading to be cut at: '# One'" ||
		[[ $output == *' bytes have no heading to be cut at: '* ]]
	seq -f '# %g' 200000 >text
	run -3 co-article-save --source=x --split <text
	expect <<<'co-article-save: it has more than 999 parts: save it in several'
}

@test "the same source replaces all parts, whatever their number" {
	book 3 | save -t a
	sed -i 's/^tags:.*/&\nmine: kept/' "$articles/the-book-01.md"
	before=$(cat "$articles"/* | sha256sum)
	book 5 | save
	[ "$(ls $articles)" = "$(printf 'the-book-%02d.md\n' 1 2 3 4 5 6)" ]
	for part in "$articles"/*; do
		[ "$(co-frontmatter-parse --field=parts "$part")" = 6 ]
		[ "$(co-frontmatter-parse --field=tags "$part")" = a ]
	done
	[ "$(field mine the-book-01.md)" = kept ]
	book 2 | save
	[ "$(ls $articles)" = the-book.md ]
	[ "$(field title the-book.md)" = 'The Book' ]
	[ "$(field mine the-book.md)" = kept ]
	run -1 co-frontmatter-parse --field=part "$articles/the-book.md"
	book 3 | save
	[ "$(ls $articles)" = "$(printf 'the-book-%02d.md\n' 1 2 3 4)" ]
	co-undo -q
	[ "$(ls $articles)" = the-book.md ]
	co-undo -q
	[ "$(ls $articles)" = "$(printf 'the-book-%02d.md\n' 1 2 3 4 5 6)" ]
	co-undo -q
	[ "$(cat "$articles"/* | sha256sum)" = "$before" ]
	co-redo -q
	[ "$(ls $articles)" = "$(printf 'the-book-%02d.md\n' 1 2 3 4 5 6)" ]
}

@test "a part that changed is moved to the trash first, once" {
	book 3 | save
	book 3 | sed 's/line of chapter 2/side of chapter 2/' | save
	[ "$(cd $trash && ls ./*/articles)" = the-book-03.md ]
	run -1 grep -rl "line of chapter" "$oplog"
	run -0 co-article-list --trash
	[[ $output == *'/the-book-03.md' ]]
	co-undo -q
	grep -q 'line of chapter 2' "$articles/the-book-03.md"
	co-redo -q
	grep -q 'side of chapter 2' "$articles/the-book-03.md"
	co-undo -q
	co-undo -q
	[ -z "$(ls $articles)" ]
}

@test "--split does not overwrite files that have the names of parts" {
	co-article-save -q --source=x --title='The Book 01' <<<'another'
	book 3 | save
	[ "$(ls $articles)" = \
		"$(printf '%s\n' the-book-01.md the-book-2-{01,02,03,04}.md)" ]
	book 4 | save
	[ "$(ls $articles)" = \
		"$(printf '%s\n' the-book-01.md the-book-2-{01,02,03,04,05}.md)" ]
}

@test "co forget removes all parts of an article, and undo restores them" {
	book 3 | save
	co-article-save -q --source=x --title=Other <<<'another'
	run -1 co forget "$articles/the-book-02.md"
	[[ $output == *'the-book-01.md'*'the-book-04.md'* ]]
	[[ $output != *other.md* ]]
	run -0 co forget -y "$articles/the-book-02.md" "$articles/the-book-03.md"
	[ "$(ls $articles)" = other.md ]
	run -0 co forget --undo
	[ "$(find $articles -type f | wc -l)" = 5 ]
}

@test "an article in parts counts as one article" {
	book 3 | save
	co-article-save -q --source=x --title=Other <<<'another'
	run -0 co status
	[[ $output == *$'\n    articles  2, in 5 files\n'* ]]
	run -0 co status --json
	[ "$(jq -c '.roots[0] | [.articles, .article_files]' <<<"$output")" = '[2,5]' ]
	run -0 co knowledge --stats
	[[ ${lines[1]} == 'articles: 2, in 5 files ('*' bytes)' ]]
	run -0 co knowledge --stats --json
	[ "$(jq -c '[.articles, .article_files]' <<<"$output")" = '[2,5]' ]
	run -0 co knowledge --list
	[ "${lines[-1]}" = 'Total articles: 2, in 5 files' ]
	# Duplicate or missing parts still count as one article.
	cp "$articles/the-book-02.md" "$articles/mine-02.md"
	rm "$articles/the-book-01.md"
	run -0 co knowledge --list
	[ "${lines[-1]}" = 'Total articles: 2, in 5 files' ]
	run -0 co knowledge --list --json
	[[ $output != *rticle* ]]
}

@test "a full disk at the last part changes nothing" {
	book 3 | save
	before=$(find .co-cli -name '*.md' -exec sha256sum {} + | sort)
	{
		book 3 changed
		yes 'a long one' | head -c 200000
	} >text
	run -4 --separate-stderr bash -c "ulimit -f 500 &&
		co-article-save --source=book --split <text"
	[[ $stderr == 'co-article-save: cannot '* ]]
	[ "$(find .co-cli -name '*.md' -exec sha256sum {} + | sort)" = "$before" ]
	[ -z "$(find "$oplog" -size +99k)" ]
	run -0 co-article-save -q --source=book --split <text
	run -0 co-knowledge-check
}

@test "co learn asks before it splits, and co refresh recognizes the parts" {
	[ -x "$CO_BIN/co-text-extract" ] || skip 'made without libxml2 or libarchive'
	book 3 >book.md
	run -1 --separate-stderr co-learn ./book.md
	[[ $output == *$'\ntoo large for one article: in 4 parts\n'* ]]
	[ "$stderr" = $'hint: not a terminal: add -y to say yes\nco-learn: nothing was saved' ]
	terminal 1 n 'co-learn ./book.md'
	[[ $output == *'Keep it in 4 parts? [y/N]'* ]]
	run -0 --separate-stderr co-learn -y ./book.md
	[[ $output == *'✓ Saved article: chapter-1-01.md, the first of 4 parts'* ]]
	run -0 --separate-stderr co-refresh
	expect <<<"$PWD/$articles/chapter-1-01.md: not modified"
	sed -i 's/line of chapter 2/words of chapter 2/; $a # More\n\nend' book.md
	run -0 co-refresh -y "$articles/chapter-1-03.md"
	[ "$(grep -c ': changed$' <<<"$output")" = 1 ]
	[ "$(find $articles -type f | wc -l)" = 5 ]
	run -0 co-refresh -q
	rm book.md
	run -0 co-refresh
	for part in "$articles"/*; do
		grep -q '^gone: ' "$part"
	done
}
