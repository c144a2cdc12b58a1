#!/usr/bin/env bats
# Articles are listed, searched, shown, edited and counted like memories.
load lib
load terminal

articles=.co-cli/knowledge/articles

# article NAME FETCHED TAGS TITLE <BODY: write an article.
article() {
	mkdir -p "${folder:-$articles}"
	{
		printf -- '---\nsource: https://example.org/%s\n' "$1"
		printf 'fetched: %s\ntitle: %s\ntags: [%s]\n---\n\n' "$2" "$4" "$3"
		cat
	} >"${folder:-$articles}/$1.md"
}

setup() {
	world
	article zoo 2026-01-05T00:00:00Z 'web, animals' 'Of zoos' <<<$'# Cages\n\nLions sleep.'
	article http 2026-02-01T00:00:00Z web 'Pages of HTTP' <<<$'# Verbs\n\nGET and PUT, and lions.'
}

# named [OPTION...]: print the names that are listed, on one line.
named() {
	co-article-list --format='%(path:name)' "$@" | tr '\n' ' '
}

@test "articles are listed by name, or as the options select" {
	run -0 co-article-list
	expect <<-END
		$PWD/$articles/http.md
		$PWD/$articles/zoo.md
	END
	[ "$(named -r)" = 'zoo.md http.md ' ]
	[ "$(named --sort=fetched)" = 'zoo.md http.md ' ]
	[ "$(named --sort=fetched -r -n 1)" = 'http.md ' ]
	[ "$(named -t animals)" = 'zoo.md ' ]
	[ "$(named --not-tag=animals)" = 'http.md ' ]
	[ "$(named --since=2026-02)" = 'http.md ' ]
	[ "$(named --until=2026-01)" = 'zoo.md ' ]
	head -c 1000 /dev/zero | tr '\0' x >>$articles/http.md
	[ "$(named --sort=size)" = 'zoo.md http.md ' ]
	run -0 co-article-list --json -n 1
	[ "$(jq -c '[.id,.title,.created,.source,.tags,.scope,.content]' <<<"$output")" = \
		'[null,"Pages of HTTP","2026-02-01T00:00:00Z","https://example.org/http",["web"],"project",null]' ]
}

@test "a list without articles is empty" {
	rm -r .co-cli
	run -0 co-article-list --json
	expect </dev/null
	run -0 co-article-list --trash
	expect </dev/null
	run -0 --separate-stderr co list --articles
	expect </dev/null
	[ "$stderr" = 'co-list: no articles' ]
}

@test "a broken article is reported, and the rest is listed" {
	printf -- '---\ntitle: no source\n---\n' >$articles/bad.md
	ln -s zoo.md $articles/link.md
	run -0 --separate-stderr co-article-list
	[ "${#lines[@]}" = 2 ]
	[[ $stderr == *"bad.md':1:1: Missing required field: source"* ]]
	[[ $stderr == *link.md* ]]
}

@test "memories are found and counted if articles/ is a link, which is reported" {
	memory 1 2026-01-01T00:00:00Z a <<<'Lions need water?!'
	co-recall lions >/dev/null
	mv $articles outside
	ln -s "$PWD/outside" $articles
	for command in 'co-recall lions' 'co-recall ?!' 'co-index-query lions' \
		'co status' 'co knowledge --stats' 'co browse --print'; do
		run -0 --separate-stderr $command
		[[ $stderr == co-*": refusing '$PWD/$articles': it is a link" ]]
		[[ $output != *http* ]]
	done
	run -3 co-article-list
	expect <<<"co-article-list: refusing '$PWD/$articles': it is a link"
	run -3 --separate-stderr co show lions
	[ "$stderr" = "co-show: refusing '$PWD/$articles': it is a link" ]
	[[ $output == *'Lions need water'* ]]
}

@test "--trash lists removed articles" {
	co-memory-remove $articles/zoo.md >path
	[ "$(named)" = 'http.md ' ]
	run -0 co-article-list --trash
	expect <path
	[ "$(named --trash -t web)" = 'zoo.md ' ]
	[ -z "$(named --trash -t none)" ]
}

@test "--global lists the user's articles, and co list lists both stores" {
	folder=$global/knowledge/articles article mine 2026-01-20T00:00:00Z '' Mine <<<Text
	[ "$(named --global)" = 'mine.md ' ]
	run -0 co list --articles
	expect <<-'END'
		**http.md** (2026-02-01) [web]: Pages of HTTP, from https://example.org/http
		**mine.md** (2026-01-20) (global): Mine, from https://example.org/mine
		**zoo.md** (2026-01-05) [web, animals]: Of zoos, from https://example.org/zoo
	END
	run -0 co list --articles -t animals --json
	[ "$(jq -r .title <<<"$output")" = 'Of zoos' ]
	run -2 co list --articles --trash
	run -0 co list --articles -t none
	[[ $output == *'no article matches'* ]]
}

@test "grep searches articles with --articles or by path" {
	memory 1 2026-02-09T14:30:00Z '' <<<'Lions roar'
	run -0 co-memory-grep lions
	expect <<<"$PWD/$memories/001-m.md"
	run -0 co-memory-grep --articles lions
	expect <<-END
		$PWD/$articles/http.md
		$PWD/$articles/zoo.md
	END
	run -0 co-memory-grep --articles -o sleep
	expect <<<"$PWD/$articles/zoo.md:10:Lions sleep."
	run -0 co-memory-grep --articles -c -t animals lions
	expect <<<1
	run -1 co-memory-grep --articles tigers
	run -2 co-memory-grep --articles --superseded lions
	run -0 bash -c 'co-article-list | co-memory-grep PUT -'
	expect <<<"$PWD/$articles/http.md"
}

@test "show prints an article by its path, as a file or as a record" {
	run -0 co-memory-show $articles/zoo.md
	diff -u $articles/zoo.md - <<<"$output"
	run -0 co show --format='%(title): %(content)' $articles/zoo.md
	expect <<<$'Of zoos: # Cages\n\nLions sleep.'
	run -0 bash -c 'co-article-list | co-memory-show --json'
	[ "${#lines[@]}" = 2 ]
}

@test "an edit changes an article by its path and keeps it valid" {
	editor 'sed -i "s/sleep/wake/" "$1"'
	run -0 co-edit $articles/zoo.md
	expect <<<'✓ Edited zoo.md'
	grep -qx 'Lions wake.' $articles/zoo.md
	editor 'sed -i /^title/d "$1"'
	run -3 co-edit $articles/zoo.md
	[[ $output == *'Missing required field: title'* ]]
	grep -qx 'title: Of zoos' $articles/zoo.md
	editor 'sed -i "s/^tags.*/title: Of zoos/" "$1"'
	run -0 co-edit --resume
	grep -qx 'title: Of zoos' $articles/zoo.md
	editor 'echo token=ghp_abcdefghijklmnopqrstuvwxyz0123456789 >>"$1"'
	run -3 co-edit $articles/zoo.md
	[[ $output == *'looks like a secret'* ]]
	run ! grep -q ghp_ $articles/zoo.md
	run -1 co-edit $articles/none.md
}

@test "list, stats and status count articles" {
	memory 1 2026-02-09T14:30:00Z '' <<<'Lions roar'
	run -0 co knowledge --list
	expect <<-'END'
		Total memories: 1

		**001** (2026-02-09): Lions roar

		Total articles: 2
	END
	run -0 co knowledge --stats
	[ "${lines[1]}" = 'articles: 2 (53 bytes)' ]
	run -0 co knowledge --stats --json
	[ "$(jq -c '[.articles, .article_bytes]' <<<"$output")" = '[2,53]' ]
	run -0 co status
	[[ $output == *$'\n    memories  1\n    articles  2\n'* ]]
	run -0 co status --json
	[ "$(jq .roots[0].articles <<<"$output")" = 2 ]
	rm -r "$memories"
	run -0 co knowledge --list
	expect <<<$'No memories saved yet.\n\nTotal articles: 2'
}
