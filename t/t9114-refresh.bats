#!/usr/bin/env bats
# co refresh fetches articles again and updates those that changed.
load lib
load web
load terminal

articles=.co-cli/knowledge/articles

setup() {
	web_world
	[ -x "$CO_BIN/co-text-extract" ] || skip 'made without libxml2 or libarchive'
	page a 'first text'
	start_web
}

teardown() {
	stop_web
}

# page NAME TEXT: make a page that the server serves.
page() {
	echo "<title>Page $1</title><h2>Part</h2><p>It has a $2.</p>" >"$1.html"
}

learn() {
	co-learn -q -y --allow-private "$url/file?$1.html"
}

refresh() {
	CO_NOW=2026-03-01T00:00:00Z co-refresh --allow-private "$@"
}

@test "co refresh only updates the date of an article that was not modified" {
	learn a
	cp "$articles/page-a.md" was
	: >log
	run -0 --separate-stderr refresh
	expect <<<"$PWD/$articles/page-a.md: not modified"
	[ "$stderr" = 'co-refresh: nothing has changed' ]
	sed 's/^fetched: .*/fetched: 2026-03-01T00:00:00Z/' was |
		diff - "$articles/page-a.md"
	grep -q 'if-none-match=' log
	[ ! -e "$trash" ]
}

@test "co refresh reports that a store has no articles" {
	run -0 --separate-stderr refresh
	[ "$stderr" = 'co-refresh: no articles to refresh' ]
}

@test "co refresh shows a change and replaces the article after a yes" {
	learn a
	sed -i 's/^tags:.*/tags: [mine]\nkey: kept/; s/^title: .*/title: My title/' \
		"$articles/page-a.md"
	cp "$articles/page-a.md" was
	page a 'second text'
	run -0 refresh -n
	expect <<-END
		$PWD/$articles/page-a.md: changed
		@@ -1,3 +1,3 @@
		 ## Part
		 
		-It has a first text.
		+It has a second text.
	END
	run -1 --separate-stderr refresh
	[ "$stderr" = $'hint: not a terminal: add -y to say yes\n'"co-refresh: '$PWD/$articles/page-a.md' stays as it is" ]
	cmp was "$articles/page-a.md"
	CO_NOW=2026-03-01T00:00:00Z terminal 1 n 'co-refresh --allow-private'
	cmp was "$articles/page-a.md"
	run -0 refresh -y
	grep -qx 'It has a second text.' "$articles/page-a.md"
	[ "$(co-frontmatter-parse --field=title "$articles/page-a.md")" = 'My title' ]
	grep -qx 'tags: \[mine\]' "$articles/page-a.md"
	grep -qx 'key: kept' "$articles/page-a.md"
	cmp was $trash/*/articles/page-a.md
	run -0 refresh
}

@test "co refresh marks an article whose page is gone, and keeps its text" {
	learn a
	mv a.html b.html
	run -0 refresh
	expect <<<"$PWD/$articles/page-a.md: gone"
	grep -qx 'gone: 2026-03-01T00:00:00Z' "$articles/page-a.md"
	grep -q 'first text' "$articles/page-a.md"
	run -0 co-knowledge-check
	run -0 refresh
	mv b.html a.html
	run -0 refresh
	page a 'second text'
	run -0 refresh -y
	run -1 grep ^gone "$articles/page-a.md"
}

@test "co refresh selects by age or path, and continues after a failure" {
	learn a
	page b 'text of its own'
	learn b
	run -0 refresh --older=30
	[ "$output" = 'co-refresh: no articles to refresh' ]
	run -0 --separate-stderr refresh --older=19
	[ "${#lines[@]}" = 2 ]
	run -0 --separate-stderr refresh "$articles/page-b.md"
	expect <<<"$PWD/$articles/page-b.md: not modified"
	sed -i "s,^source: .*,source: http://127.0.0.1:1/," "$articles/page-a.md"
	page b 'second text'
	run -6 --separate-stderr refresh -y
	expect <<-END
		$PWD/$articles/page-b.md: changed
		@@ -1,3 +1,3 @@
		 ## Part
		 
		-It has a text of its own.
		+It has a second text.
	END
	[[ $stderr == "co-refresh: cannot fetch 'http://127.0.0.1:1/': "* ]]
	run -1 refresh "$articles/absent.md"
	run -3 co-refresh "$articles/page-b.md"
	[[ $output == *' is not public: 127.0.0.1 is loopback; --allow-private allows it' ]]
}

@test "co refresh reads only files that lie in the project again" {
	echo 'a first text' >notes.txt
	co-learn -q -y ./notes.txt
	echo 'a second text' >notes.txt
	run -0 refresh -y
	[[ $output == *$'\n-a first text\n+a second text' ]]
	rm notes.txt
	run -0 refresh
	[[ $output == *': gone' ]]
	# An author of the project must not make it read other files.
	echo 'a private text' >"$HOME/private.txt"
	ln -s "$HOME/private.txt" link.txt
	sed -i "s,^source: .*,source: ./link.txt," "$articles"/*.md
	run -3 refresh -y
	expect <<<"co-refresh: '$PWD/link.txt' leads out of the project"
	for source in "$HOME/private.txt" ./../home/private.txt \
		~/private.txt private.txt; do
		sed -i "s,^source: .*,source: $source," "$articles"/*.md
		run -0 refresh -y
		[ "$output" = 'co-refresh: no articles to refresh' ]
		run -3 refresh -y "$articles"/*.md
		[[ $output == *"neither a URL nor in this project"* ]]
	done
	run -1 grep -r private\ text .co-cli
	# In the user store only the user writes.
	co-learn -q -y --global "$HOME/private.txt"
	echo 'another text' >"$HOME/private.txt"
	run -0 refresh -y --global
	[[ $output == *'+another text' ]]
}

@test "co refresh does not mix up two articles from one source" {
	learn a
	sed 's/^title.*/title: Twin/' "$articles/page-a.md" >"$articles/twin.md"
	page a 'second text'
	run -3 --separate-stderr refresh -y
	[ "$stderr" = "co-refresh: '$PWD/$articles/twin.md' has the source of '$PWD/$articles/page-a.md': forget one" ]
	grep -q 'second text' "$articles/page-a.md"
	grep -q 'first text' "$articles/twin.md"
}

# opens N: print how often co-refresh opens files of N unmodified articles.
opens() {
	local i
	for i in $(seq "$1"); do
		echo "text $i" >"$i.txt"
		co-article-save --source="./$i.txt" <"$i.txt" >/dev/null
	done
	run -0 --separate-stderr strace -f --seccomp-bpf -qq -e trace=openat,open -o trace co-refresh
	[ "${#lines[@]}" = "$1" ]
	[[ ${lines[0]} == *': not modified' ]]
	grep -c '"[^"]*\.md"' trace
}

@test "co refresh opens an article no more often among twenty than among ten" {
	need_strace
	ten=$(opens 10)
	twenty=$(opens 20)
	[ "$twenty" -le $((2 * ten)) ]
}
