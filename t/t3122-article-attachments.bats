#!/usr/bin/env bats
# Articles and their attachments: missing ones are reported, and no change of an article
# loses one.
load lib

articles=.co-cli/knowledge/articles
attachments=.co-cli/knowledge/attachments

setup() {
	world
	co-init >/dev/null
	echo original >page.pdf
	co-article-save -q --source=https://example.org/a --title=a \
		--attach=page.pdf <<<'text of a'
	file=$attachments/$(ls $attachments)
}

# committed: commit the store to git, and clone it to ../two.
committed() {
	git config --global user.name Ada
	git config --global user.email ada@example.org
	git init -q -b main
	git add -A && git commit -qm one
	git clone -q . ../two
}

# faults: print the faults of the check: kind, file below knowledge/, and text.
faults() {
	co-knowledge-check --json | jq -r '[.fault,
		(.path | sub(".*/knowledge/"; "")),
		(.text | gsub("/[^\u0027]*/knowledge/"; ""))] | join(" ")'
}

@test "a missing or changed attachment is a fault" {
	run -0 co-knowledge-check
	mv "$file" kept
	run -3 co-knowledge-check
	[[ $output == *"'$PWD/$articles/a.md': its attachment 'attachments/"*"-page.pdf' is not there"* ]]
	[ "$(faults | wc -l)" = 1 ]
	ln -s "$PWD/kept" "$file"
	[ "$(faults)" = "link ${file#*knowledge/} '${file#*knowledge/}': a link, which is never followed" ]
	rm "$file"
	echo other >"$file"
	[ "$(faults)" = "attachment ${file#*knowledge/} '${file#*knowledge/}': it is not the file that it was: its sum is another than its name says" ]
	cp kept "$file"
	run -0 co-knowledge-check
	truncate -s 17M "$file"
	[[ $(faults) == "unreadable ${file#*knowledge/} "* ]]
}

@test "an attachment must be below attachments/, possibly in a subdirectory" {
	sed -i 's,^attachment: .*,attachment: articles/a.md,' $articles/a.md
	rm "$file"
	[ "$(faults)" = "attachment articles/a.md 'articles/a.md': its attachment 'articles/a.md' is not below attachments/" ]
	mkdir $attachments/books
	echo 1 >$attachments/books/one.pdf
	sed -i 's,^attachment: .*,attachment: attachments/books/one.pdf,' $articles/a.md
	run -0 co-knowledge-check
	echo 2 >$attachments/books/two.pdf
	[ "$(faults)" = "orphan attachments/books/two.pdf 'attachments/books/two.pdf': no article names it" ]
	rm $attachments/books/two.pdf
	mkfifo $attachments/pipe
	[ "$(faults)" = "stray attachments/pipe 'attachments/pipe': not a regular file" ]
}

@test "an attachment without an article is a fault if all articles are readable" {
	echo stray >$attachments/stray.pdf
	echo half >$attachments/.co-tmp-1
	[ "$(faults)" = "orphan attachments/stray.pdf 'attachments/stray.pdf': no article names it" ]
	run -3 co-knowledge-check $attachments
	printf -- '---\ntitle: [\n---\n' >$articles/broken.md
	[[ $(faults) == 'frontmatter articles/broken.md '* ]]
	run -0 co-knowledge-check $attachments
}

@test "a shared attachment is reported when both articles are purged" {
	co-article-save -q --source=https://example.org/b --title=b \
		--attach=page.pdf <<<'text of b'
	[ "$(ls $attachments | wc -l)" = 1 ]
	co-memory-remove --purge $articles/a.md
	run -0 co-knowledge-check
	co-forget -y $articles/b.md 2>/dev/null
	run -0 co-knowledge-check
	co-memory-remove --purge "$(co-article-list --trash)"
	[[ $(faults) == *': no article names it' ]]
	cmp page.pdf "$file"
}

@test "forget, undo and replacement lose no attachment" {
	co-forget -y $articles/a.md 2>/dev/null
	run -0 co-knowledge-check
	co-forget --undo >/dev/null 2>&1
	run -0 co-knowledge-check
	echo newer >newer.pdf
	co-article-save -q --source=https://example.org/a --title=a \
		--attach=newer.pdf <<<'new text of a'
	# The article in the trash names the old attachment.
	[ "$(ls $attachments | wc -l)" = 2 ]
	run -0 co-knowledge-check
	co-undo >/dev/null 2>&1
	grep -qx "attachment: ${file#*knowledge/}" $articles/a.md
	cmp page.pdf "$file"
}

@test "clones that attach the same or other files agree after a merge" {
	committed
	co-article-save -q --source=https://example.org/c --title=c \
		--attach=page.pdf <<<'text of c'
	echo mine >mine.pdf
	co-article-save -q --source=https://example.org/m --title=m \
		--attach=mine.pdf <<<'text of m'
	git add -A && git commit -qm mine
	cd ../two
	echo original >page.pdf
	echo theirs >mine.pdf
	co-article-save -q --source=https://example.org/d --title=d \
		--attach=page.pdf <<<'text of d'
	co-article-save -q --source=https://example.org/t --title=t \
		--attach=mine.pdf <<<'text of t'
	rm page.pdf mine.pdf
	git add .co-cli && git commit -qm theirs
	git pull -q --no-rebase --no-edit origin main
	[ "$(ls $attachments | wc -l)" = 3 ]
	run -0 co-knowledge-check
}

@test "an article that one clone forgets leaves an orphan in the other" {
	committed
	co-forget -y $articles/a.md 2>/dev/null
	git add -A && git commit -qm forgotten
	run -0 co-knowledge-check
	cd ../two
	git pull -q origin main
	[[ $(faults) == "orphan "*': no article names it' ]]
	# The check of a change that forgets an article does not fail for this.
	run -0 co-knowledge-check --since=HEAD~1
	# A clone that restores the article has it complete.
	git checkout -q HEAD~1 -- $articles
	run -0 co-knowledge-check
}
