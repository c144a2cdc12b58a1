#!/usr/bin/env bats
# The hooks of contrib/hooks, in real repositories.
load lib

# make_repo: make the repository that each test begins with, in repo/.
make_repo() {
	git init -q repo
	cd repo
	"$hooks/install" 2>/dev/null
	co-init >/dev/null 2>&1
	git add . && git commit -q -m 'begin'
}

git_settings() {
	hooks=$CO_SOURCE/contrib/hooks
	export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
	export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
	export GIT_MERGE_AUTOEDIT=no
	cat >"$HOME/.gitconfig" <<-'END'
		[init]
			defaultBranch = main
		[pull]
			rebase = false
		[protocol "file"]
			allow = always
		[maintenance]
			auto = false
	END
}

setup_file() {
	command -v git >/dev/null || return 0
	(
		BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR world
		git_settings
		make_repo
	)
}

setup() {
	command -v git >/dev/null || skip 'git is not there'
	world
	git_settings
	cp -a "$BATS_FILE_TMPDIR/project/repo" repo
	cd repo
	git update-index -q --refresh
}

# The token is not written in one piece, so that no scanner reports this file.
token() {
	printf 'ghp_%s' aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5
}

commit() {
	git commit -q --allow-empty -m "${1:-x}" "${@:2}"
}

head_is() {
	[ "$(git log -1 --format=%s)" = "$1" ]
}

clean() {
	[ "$(git status --porcelain)" = '' ]
}

draft_count() {
	co-memory-list --drafts | wc -l
}

# odd_folder: make a directory whose name is as odd as possible, $odd, and set a
# locale in which the name is invalid.
odd_folder() {
	odd=$(printf 'a "b" \\ $(touch pwned)\n[x]*é\377')
	mkdir "$odd" 2>/dev/null || odd=${odd%?} # not all systems take it
	mkdir -p "$odd"
	export LC_ALL=C.UTF-8
}

# --- pre-commit ---

@test "pre-commit accepts valid memories silently" {
	co-learn 'Tests need Docker' >/dev/null
	co-learn --always 'Be brief' >/dev/null
	git add .
	run -0 commit 'learn'
	expect </dev/null
	head_is learn && clean
}

@test "pre-commit refuses a staged broken memory with its place and remedy" {
	memory 1 2026-01-01T00:00:00Z '' <<<fine
	printf -- '---\nid: 2\n---\n\nx\n' >$memories/002-b.md
	git add .
	run -1 commit 'learn'
	expect <<-END
		pre-commit: the commit is refused, for 1 fault:
		'$memories/002-b.md':1:1: Missing required field: created
		    remedy: correct it with 'co edit $memories/002-b.md'
		hint: correct it, 'git add' it and commit again;
		hint: 'git commit --no-verify' commits it as it is
	END
	head_is begin
	run -0 commit 'learn' --no-verify
	head_is learn
}

@test "pre-commit refuses a broken context, article and settings file" {
	mkdir .co-cli/knowledge/articles
	printf -- '---\ntitle: x\n---\n' >.co-cli/knowledge/articles/a.md
	printf -- '---\nversion: 2\nupdated: 2026-01-01T00:00:00Z\n---\n' \
		>.co-cli/knowledge/context.md
	echo '{' >.co-cli/settings.json
	git add .
	run -1 commit
	[[ $output == *"articles/a.md':1:1: Missing required field: source"* ]]
	[[ $output == *"Unsupported version: 2 (expected 1)"* ]]
	[[ $output == *"'.co-cli/settings.json'"* ]]
	[[ $output != *"$BATS_TEST_TMPDIR"* && $output != */tmp.* ]]
}

@test "pre-commit checks staged files, not the work tree" {
	echo broken >$memories-001.md && mkdir -p $memories
	mv $memories-001.md $memories/001-a.md
	git add .
	memory 1 2026-01-01T00:00:00Z '' $memories/001-a.md <<<fine
	run -1 commit
	git add .
	echo broken >$memories/001-a.md
	run -0 commit 'fine'
	head_is fine
}

@test "the hooks accept commits of only settings or removals at any depth" {
	git init -q --bare ../other.git
	for store in . deep/er; do
		mkdir -p $store
		(cd $store && co-init -q && echo one | co-memory-save >/dev/null)
	done
	git add . && commit begin
	git push -q ../other.git main
	for store in . deep/er; do
		(cd $store && co-config recall.max_results 7)
		git add . && commit "settings of $store"
		head_is "settings of $store"
		git rm -q $store/$memories/001-*.md
		commit "removal in $store"
		head_is "removal in $store"
	done
	git push -q ../other.git main
	# Faults are found at any depth too.
	echo '{' >deep/er/.co-cli/settings.json
	git add . && run -1 commit broken
	[[ $output == *"deep/er/.co-cli/settings.json'"* ]]
}

@test "pre-commit checks only what a partial commit has" {
	memory 1 2026-01-01T00:00:00Z '' $memories/001-a.md <<<fine
	echo broken >$memories/002-b.md
	git add .
	run -0 commit 'one' -- $memories/001-a.md
	head_is one
	run -1 commit 'two'
	rm $memories/002-b.md
	run -0 commit 'all' -a
}

@test "pre-commit accepts a team's replaced memory where the settings allow it" {
	co init -q
	co config team true
	echo one | co-memory-save >/dev/null
	git add . && commit begin
	run -0 co learn -q --replaces="$(co-memory-list --format='%(id)')" two
	git add . && run -0 commit replaced
	head_is replaced
	# In other stores a replaced memory belongs in the archive.
	echo '{}' >.co-cli/settings.json
	memory 7 2026-01-01T00:00:00Z '' $memories/007-m.md <<<seven
	memory 8 2026-01-02T00:00:00Z '' $memories/008-m.md <<<eight
	sed -i 's/^source: .*/&\nsuperseded: 8/' $memories/007-m.md
	git add . && run -1 commit elsewhere
	[[ $output == *'it was replaced, and is not in the archive'* ]]
}

@test "pre-commit accepts faults that were committed before" {
	mkdir -p $memories && echo broken >$memories/002-b.md
	git add . && commit 'broken' --no-verify
	memory 1 2026-01-01T00:00:00Z '' $memories/001-a.md <<<fine
	git add .
	run -0 commit 'fine'
	git rm -q $memories/002-b.md
	run -0 commit 'gone'
}

@test "pre-commit refuses a duplicate id, for the older and the newer file" {
	memory 1 2026-01-02T00:00:00Z '' $memories/001-a.md <<<a
	git add . && commit 'a'
	memory 1 2026-01-01T00:00:00Z '' $memories/001-b.md <<<b
	git add .
	run -1 commit 'b'
	[ "${lines[1]}" = "'$memories/001-a.md': id 1 is also that of '$memories/001-b.md'" ]
	[ "${lines[2]}" = "    remedy: 'co knowledge --check --fix' renumbers it" ]
	co-knowledge --check --fix >/dev/null
	git add .
	run -0 commit 'b'
	clean
}

@test "pre-commit finds an id in any notation and among many files" {
	local head=$'---\ntags: []\ncreated: 2026-01-0'
	mkdir -p $memories
	for id in {100..140}; do
		printf '%s1T00:00:00Z\nid: %s\n---\n\nnumber %s 7 77\n' "$head" \
			$id $id >$memories/$id-m.md
	done
	printf -- '---\n{"created": "2026-01-02T00:00:00Z",\n"id" : 0007}\n---\nx\n' \
		>$memories/seven.md
	git add .
	run -0 commit 'many'
	memory 7 2026-01-01T00:00:00Z '' $memories/008-x.md <<<7
	printf -- '---\nid: "(["\n---\n' >$memories/009-x.md
	git add .
	run -1 commit
	[ "${#lines[@]}" = 7 ]
	[[ ${lines[1]} == *"009-x.md':2:5: Field 'id' must be integer" ]]
	[ "${lines[3]}" = "'$memories/seven.md': id 7 is also that of '$memories/008-x.md'" ]
	git rm -q -f $memories/00[89]-x.md
	for id in {200..240} 140; do
		printf '%s3T00:00:00Z\nid: %s\n---\n\nnumber %s\n' "$head" \
			$id $id >$memories/$id-n.md
	done
	git add .
	run -1 commit
	[ "${lines[1]}" = "'$memories/140-n.md': id 140 is also that of '$memories/140-m.md'" ]
	[ "${#lines[@]}" = 5 ]
}

@test "pre-commit reports no duplicate id for a renamed memory" {
	memory 1 2026-01-02T00:00:00Z '' $memories/001-a.md <<<a
	git add . && commit 'a'
	git mv $memories/001-a.md $memories/001-b.md
	run -0 commit 'moved'
	head_is moved
}

@test "pre-commit refuses a secret anywhere below .co-cli and never prints it" {
	memory 1 2026-01-02T00:00:00Z '' $memories/001-a.md <<<"use $(token)"
	token >.co-cli/instructions.md
	mkdir -p .co-cli/knowledge/files 'a b/.co-cli'
	printf '\n%s\n' "$(token)" >.co-cli/knowledge/files/f
	token >"a b/.co-cli/x"
	token >outside
	git add .
	run -1 commit
	output=$(sed -n 1,3p <<<"$output"; sed 1,3d <<<"$output" | sort)
	expect <<-END
		pre-commit: the commit is refused, for 4 faults:
		'$memories/001-a.md':8:5: looks like a secret: github-token
		    remedy: take it out and revoke it: git keeps what was committed
		'.co-cli/instructions.md':1:1: looks like a secret: github-token
		'.co-cli/knowledge/files/f':2:1: looks like a secret: github-token
		'a b/.co-cli/x':1:1: looks like a secret: github-token
		hint: 'git commit --no-verify' commits it as it is
		hint: correct it, 'git add' it and commit again;
	END
}

@test "pre-commit checks each store of any depth and name separately" {
	odd_folder
	for top in "$odd" deep/er -n; do
		(mkdir -p "./$top" && cd "./$top" &&
			memory 1 2026-01-01T00:00:00Z '' <<<"one")
	done
	memory 1 2026-01-01T00:00:00Z '' <<<'one'
	git add .
	run -0 commit 'ones'
	for top in "$odd" deep/er -n; do
		echo broken >"./$top/$memories/$(printf '002 "x"\n\033[2J.md')"
	done
	git add .
	run -1 commit 'broken'
	[ "$(grep -c 'no frontmatter$' <<<"$output")" = 3 ]
	grep -qF "'deep/er/$memories/002 \"x\"^J^[[2J.md':1:1: no" <<<"$output"
	[[ $output != *$'\033'* ]]
	[ ! -e pwned ]
}

@test "pre-commit refuses links in a store and does not follow them" {
	mkdir -p $memories
	ln -s /dev/zero .co-cli/zero
	ln -s /etc/passwd $memories/001-a.md
	git add .
	run -1 timeout 60 git commit -q -m x
	[ "${lines[1]}" = "'$memories/001-a.md': a link, which is never followed" ]
	[ "${#lines[@]}" = 5 ]
}

@test "pre-commit ignores other files and an empty commit" {
	token >a && mkdir knowledge && echo broken >knowledge/001-x.md
	mkdir x.co-cli && token >x.co-cli/y
	git add .
	PATH=$BATS_TEST_TMPDIR/none:$PATH run -0 commit 'other'
	run -0 commit 'empty'
}

@test "the hooks let a commit pass without co in PATH and report it" {
	mkdir ../path
	for program in sh env git sed tr sort rm mktemp cat grep; do
		ln -s "$(command -v "$program")" ../path/
	done
	mkdir -p $memories && echo broken >$memories/001.md
	git add .
	PATH=$BATS_TEST_TMPDIR/project/path run -0 commit "x

Learned: y"
	expect <<-END
		pre-commit: co is not in PATH: knowledge goes unchecked
		post-commit: co is not in PATH: no drafts are made
	END
	PATH=$BATS_TEST_TMPDIR/project/path run -0 commit 'nothing of ours'
	expect </dev/null
}

@test "pre-commit refuses a commit that it cannot check" {
	memory 1 2026-01-01T00:00:00Z '' <<<fine
	git add .
	TMPDIR=$PWD/nowhere run -1 commit
	head_is begin
	mkdir ../path
	printf '#!/bin/sh\nexit 4\n' >../path/co-knowledge-check
	chmod +x ../path/co-knowledge-check
	PATH=$PWD/../path:$PATH run -1 commit
	[[ $output == *'could not be checked'* ]]
	head_is begin
}

@test "pre-commit leaves nothing in the temporary directory" {
	mkdir ../tmp
	memory 1 2026-01-01T00:00:00Z '' <<<fine
	git add .
	TMPDIR=$PWD/../tmp run -0 commit
	echo broken >$memories/002.md
	git add .
	TMPDIR=$PWD/../tmp run -1 commit
	[ -z "$(ls -A ../tmp)" ]
}

@test "the hooks work in a bare environment" {
	mkdir -p $memories && echo broken >$memories/001.md
	git add .
	run -1 env -i PATH="$PATH" git -c user.name=a -c user.email=a@b \
		commit -q -m 'x'
	[[ $output == *': no frontmatter'* ]]
	co-knowledge-check --fix >/dev/null
	git add .
	run -0 env -i PATH="$PATH" git -c user.name=a -c user.email=a@b \
		commit -q -m 'x' -m 'Learned: y'
	[ "$(draft_count)" = 1 ]
}

@test "the hooks work with any settings of git and of the environment" {
	git config diff.noprefix true
	git config diff.relative true
	git config diff.renames copies
	git config color.ui always
	git config log.showSignature true
	git config core.autocrlf true
	mkdir -p sub $memories && echo broken >$memories/001.md
	git add . 2>/dev/null
	export GIT_LITERAL_PATHSPECS=1
	cd sub
	run -1 commit
	[[ $output == *"'$memories/001.md':1:1: no frontmatter"* ]]
	run -0 commit 'x

Learned: y' --no-verify
	expect <<<'post-commit: a draft: 002-y.md'
}

# --- two clones ---

# two_clones: let this clone and ../other each save a memory with the id 1.
two_clones() {
	git clone -q . ../other
	(cd ../other && "$hooks/install" 2>/dev/null &&
		memory 1 2026-01-01T00:00:00Z '' $memories/001-theirs.md \
			<<<theirs && git add . && commit 'theirs')
	memory 1 2026-01-02T00:00:00Z '' $memories/001-ours.md <<<ours
	git add . && commit 'ours'
}

@test "post-merge reports two memories with one id, and its remedy repairs them" {
	two_clones
	run -0 git pull -q ../other
	expect <<-END
		post-merge: knowledge is in need of repair:
		'$PWD/$memories/001-ours.md': id 1 is also that of '$PWD/$memories/001-theirs.md'
		    remedy: 'co knowledge --check --fix' renumbers it
		1 fault found
		hint: repair it, 'git add' it and commit
	END
	clean
	co-knowledge --check --fix >/dev/null
	git add . && run -0 commit 'repair'
	cd ../other
	run -0 git pull -q ../repo
	expect </dev/null
	[ "$(co-memory-list --format='%(id) %(summary)')" = $'1 theirs\n2 ours' ]
}

@test "two clones that repair the same merge get the same files" {
	two_clones
	git branch before
	git pull -q ../other 2>/dev/null
	(cd ../other && git pull -q ../repo before 2>/dev/null)
	co-knowledge --check --fix >/dev/null
	(cd ../other && co-knowledge --check --fix >/dev/null)
	diff -r .co-cli ../other/.co-cli
}

@test "post-merge is silent about a merge with valid or no memories" {
	git clone -q . ../other
	"$hooks/install"
	mkdir -p $memories && echo broken >$memories/009.md
	(cd ../other && echo x >x && git add . && commit 'x')
	run -0 git pull -q ../other
	expect </dev/null
	rm $memories/009.md
	(cd ../other && co-learn whole >/dev/null && git add . && commit 'y')
	run -0 git pull -q ../other
	expect </dev/null
	head_is y
}

@test "post-merge checks a store with an odd name" {
	git clone -q . ../other
	(cd ../other && odd_folder && cd "$odd" && mkdir -p $memories &&
		echo broken >$memories/001.md && git add . && commit 'broken')
	LC_ALL=C.UTF-8 run -0 git pull -q ../other
	[[ $output == *"/$memories/001.md':1:1: no frontmatter"* ]]
	[ ! -e pwned ]
}

@test "post-merge checks fast-forward and squash merges" {
	git clone -q . ../other
	(cd ../other && mkdir -p $memories && echo broken >$memories/001.md &&
		git add . && commit 'broken')
	run -0 git pull -q ../other
	[[ $output == *"/$memories/001.md':1:1: no frontmatter"* ]]
	(cd ../other && echo broken >$memories/002.md && git add . &&
		commit 'more')
	git fetch -q ../other
	run -0 git merge -q --squash FETCH_HEAD
	[[ $output == *"/$memories/002.md':1:1: no frontmatter"* ]]
}

@test "pre-commit refuses a conflict until it is resolved" {
	memory 1 2026-01-01T00:00:00Z '' $memories/001-a.md <<<base
	git add . && commit 'base'
	git clone -q . ../other
	(cd ../other && memory 1 2026-01-01T00:00:00Z '' $memories/001-a.md \
		<<<theirs && commit 'theirs' -a)
	memory 1 2026-01-01T00:00:00Z '' $memories/001-a.md <<<ours
	commit 'ours' -a
	run ! git pull -q ../other
	git add .
	run -1 git commit -q --no-edit
	[[ $output == *': an unresolved merge'* ]]
	memory 1 2026-01-01T00:00:00Z '' $memories/001-a.md <<<both
	git add .
	run -0 git commit -q --no-edit
	clean
}

# --- post-commit ---

@test "post-commit drafts Learned: trailers and leaves the tree clean" {
	run -0 commit 'Fix the tests

Some words. Learned: this is no trailer.

Learned: Integration tests
  need Docker
LEARNED:   Ünïcode — and $(touch pwned) `too`  
Learned:
Signed-off-by: Ada <ada@example.org>
Learned: -n'
	expect <<-END
		post-commit: a draft: 001-integration-tests-need-docker.md
		post-commit: a draft: 002-unicode-and-touch-pwned-too.md
		post-commit: a draft: 003-n.md
	END
	clean
	[ ! -e pwned ]
	[ "$(co-memory-list --drafts --format='%(content)')" = 'Integration tests need Docker
Ünïcode — and $(touch pwned) `too`
-n' ]
	[ "$(co-memory-list --drafts --format='%(source)' -n 1)" = \
		"commit:$(git rev-parse HEAD)" ]
	[ ! -e $memories ] || [ -z "$(ls $memories)" ]
}

@test "post-commit is silent about a commit without trailers" {
	run -0 commit 'Learned: this is a subject'
	expect </dev/null
	[ "$(draft_count)" = 0 ]
}

@test "amending, rebasing and cherry-picking make no second draft" {
	commit 'one

Learned: a thing' 2>/dev/null
	run -0 git commit -q --amend --no-edit --allow-empty
	expect </dev/null
	git checkout -q -b side HEAD~1
	echo x >x && git add . && commit 'x'
	git cherry-pick --allow-empty main >/dev/null
	git checkout -q main
	git rebase -q side >/dev/null 2>&1
	git rebase -q -f HEAD~1 >/dev/null 2>&1
	[ "$(draft_count)" = 1 ]
	git commit -q --amend --allow-empty -m 'one

Learned: another thing' 2>/dev/null
	[ "$(draft_count)" = 2 ]
	clean
}

@test "post-commit does not draft a memory that was saved or rejected before" {
	commit 'one

Learned: thrown away' 2>/dev/null
	co-memory-list --drafts | xargs -d '\n' co-memory-remove >/dev/null
	co-learn 'learned by hand' >/dev/null
	printf 'several lines\nof which one\n' | co-memory-save >/dev/null
	run -0 commit 'two

Learned: thrown away
Learned:	learned by hand  
Learned: of which one'
	expect <<<'post-commit: a draft: 004-of-which-one.md'
}

@test "post-commit refuses a trailer with a secret, and the commit remains" {
	run -0 commit "one

Learned: use $(token)
Learned: and this"
	[[ ${lines[0]} == *'refusing to save what looks like a secret'* ]]
	[[ $output != *aB3d* ]]
	[ "${lines[1]}" = 'post-commit: a draft: 001-and-this.md' ]
	head_is one
}

@test "post-commit makes no store" {
	git rm -q -r .co-cli && rm -rf .co-cli
	run -0 commit 'one

Learned: a thing'
	expect <<<"post-commit: nothing is drafted: 'co init' makes a store"
	[ ! -e .co-cli ]
}

@test "post-commit saves drafts to the nearest store of the working directory" {
	mkdir -p sub/deeper/.co-cli/knowledge sub/none
	(cd sub/deeper && commit 'one

Learned: deeper' 2>/dev/null)
	(cd sub/none && commit 'one

Learned: none' 2>/dev/null)
	[ -e .git/co-cli/sub%2Fdeeper%2F.co-cli/drafts/001-deeper.md ]
	[ -e .git/co-cli/.co-cli/drafts/001-none.md ]
	[ ! -e sub/none/.co-cli ]
	clean
}

@test "post-commit reads messages with another encoding, dividers and CRLF" {
	git config i18n.commitEncoding ISO-8859-1
	git config i18n.logOutputEncoding ISO-8859-1
	printf 'one\n\n---\ntwo\n\nLearned: caf\351\n' |
		git commit -q --allow-empty -F - 2>/dev/null
	git config --unset i18n.commitEncoding
	printf 'one\r\n\r\nLearned: windows\r\n' |
		git commit -q --allow-empty --cleanup=verbatim -F - 2>/dev/null
	[ "$(co-memory-list --drafts --format='%(content)')" = $'café\nwindows' ]
}

# --- worktrees, submodules, installing ---

@test "work trees and submodules have separate hooks and stores" {
	git worktree add -q ../tree
	cd ../tree
	mkdir -p $memories && echo broken >$memories/001.md
	git add .
	run -1 commit
	[[ $output == *"'$memories/001.md':1:1: no frontmatter"* ]]
	run -0 commit 'x

Learned: in the tree' --no-verify
	[ -e ../repo/.git/co-cli/.co-cli/drafts/002-in-the-tree.md ]
	[ ! -e $drafts ]
	cd ../repo
	git init -q ../library && (cd ../library && commit 'begin')
	git submodule --quiet add ../library
	run -0 commit 'submodule'
	cd library
	"$hooks/install" 2>/dev/null
	mkdir -p $memories && echo broken >$memories/001.md
	git add .
	run -1 commit
	[[ $output == *"'$memories/001.md':1:1: no frontmatter"* ]]
	run -0 commit 'y

Learned: in the library' --no-verify
	[ -e ../.git/modules/library/co-cli/.co-cli/drafts/002-in-the-library.md ]
	cd .. && git add library
	run -0 commit 'newer'
	git config submodule.recurse true
	(cd library && memory 1 2026-01-01T00:00:00Z '' <<<x && git add . &&
		commit 'one')
	memory 1 2026-01-01T00:00:00Z '' <<<x
	git add .
	run -0 commit 'one'
}

@test "pre-commit finds the ids of memories outside a sparse checkout" {
	memory 1 2026-01-01T00:00:00Z '' $memories/001-a.md <<<a
	git add . && commit 'a'
	git sparse-checkout set --no-cone '/*' "!/$memories/001-a.md" ||
		skip 'git has no sparse checkout'
	[ ! -e $memories/001-a.md ]
	memory 1 2026-01-02T00:00:00Z '' $memories/001-b.md <<<b
	git add .
	run -1 commit
	[[ $output == *"001-b.md': id 1 is also that of "* ]]
}

@test "pre-commit ignores a repository below .co-cli" {
	git init -q ../library && (cd ../library && commit 'begin')
	git submodule --quiet add ../library .co-cli/library
	rmdir $memories
	git submodule --quiet add ../library $memories
	run -0 commit 'libraries'
	expect </dev/null
}

@test "core.hooksPath may name the directory of the hooks" {
	git init -q ../elsewhere && cd ../elsewhere
	git config core.hooksPath "$hooks"
	run -0 "$hooks/install"
	mkdir -p $memories && echo broken >$memories/001.md
	git add .
	run -1 commit
	run -0 commit 'x

Learned: y' --no-verify
	expect <<<'post-commit: a draft: 002-y.md'
}

@test "install -n prints a word and a path for each hook that would change" {
	"$hooks/install" --remove 2>/dev/null
	: >.git/hooks/pre-commit
	run -0 "$hooks/install" -n
	[ "${lines[0]}" = "keep	$PWD/.git/hooks/pre-commit" ]
	[ "${lines[1]}" = "add	$PWD/.git/hooks/post-merge" ]
	[ ! -e .git/hooks/post-merge ]
	"$hooks/install" -y 2>/dev/null
	run -0 "$hooks/install" -n
	expect </dev/null
	run -0 "$hooks/install" -n --remove
	[ "${#lines[@]}" = 5 ]
	[ "${lines[0]}" = "remove	$PWD/.git/hooks/pre-commit" ]
}

@test "install writes hooks where git looks for them, and --remove removes them" {
	run -0 "$hooks/install"
	expect </dev/null
	run -0 "$hooks/install" --remove
	[ "${#lines[@]}" = 5 ]
	[ ! -e .git/hooks/pre-commit ]
	[ ! -L .git/hooks/post-merge ]
	[ -z "$(ls .git/hooks | grep -v sample)" ]
	git config core.hooksPath "my hooks"
	mkdir sub && cd sub
	run -0 "$hooks/install"
	[ -x "../my hooks/post-commit" ]
	run -2 "$hooks/install" --other
	cd "$BATS_TEST_TMPDIR"
	run -4 "$hooks/install"
}

@test "install follows no link in a directory of hooks that the repository has" {
	git init -q ../elsewhere && cd ../elsewhere
	git config core.hooksPath .husky
	mkdir .husky
	echo mine >../mine
	chmod 600 ../mine
	ln -s ../../mine .husky/pre-commit.new
	echo theirs >.husky/post-merge.new
	run -0 "$hooks/install" -y
	[ "$(cat ../mine)" = mine ]
	[ "$(stat -c %a ../mine)" = 600 ]
	[ -L .husky/pre-commit.new ]
	[ "$(cat .husky/post-merge.new)" = theirs ]
	[ -f .husky/pre-commit ]
	[ ! -L .husky/pre-commit ]
	[ "$(umask 022 && rm .husky/pre-push && "$hooks/install" && stat -c %a .husky/pre-push)" = 755 ]
	run -0 ls -A .husky
	[ "${#lines[@]}" = 7 ]
}

@test "install says that git runs no hooks if their directory is none" {
	git init -q ../elsewhere && cd ../elsewhere
	git config core.hooksPath /dev/null
	run -0 "$hooks/install" -y
	expect <<<"install: '/dev/null' is not a directory, so git runs no hooks and none is installed: see 'git config core.hooksPath'"
	run -0 "$hooks/install" --remove
	git config --unset core.hooksPath
	rm -rf .git/hooks
	touch .git/hooks
	run -0 "$hooks/install" -y
	[[ $output == "install: '.git/hooks' is not a directory"* ]]
}

@test "install preserves an existing hook and runs it first, only with -y" {
	git init -q ../elsewhere && cd ../elsewhere
	theirs=.git/hooks/pre-commit
	mkdir -p .git/hooks
	printf '#!/bin/sh\necho theirs "$0"; [ ! -e stop ]\n' >$theirs
	chmod +x $theirs
	cp $theirs ../kept
	run -1 "$hooks/install" </dev/null
	[[ ${lines[0]} == 'install: left alone: a pre-commit is there already;'* ]]
	cmp $theirs ../kept
	[ -x .git/hooks/post-commit ]
	run -0 "$hooks/install" -y
	mkdir -p $memories && echo broken >$memories/001.md
	git add .
	run -1 commit
	[ "${lines[0]}" = 'theirs .git/hooks/pre-commit.before-co' ]
	[[ $output == *': no frontmatter'* ]]
	[ -z "$("$hooks/install" 2>&1)" ]
	touch stop
	run -1 commit
	[ "${#lines[@]}" = 1 ]
	"$hooks/install" --remove 2>/dev/null
	cmp $theirs ../kept
	[ "$(ls .git/hooks | grep -v sample)" = pre-commit ]
}

@test "--remove preserves lines that were appended to a hook" {
	mkdir "it's ours" && cp "$hooks"/* "it's ours"
	"it's ours/install" 2>/dev/null
	[ "$(wc -l <.git/hooks/pre-commit)" -eq 2 ]
	echo 'echo appended >&2' >>.git/hooks/pre-commit
	mkdir -p $memories && echo broken >$memories/001.md
	git add .
	run -1 commit
	[[ $output == *': no frontmatter'* && $output != *appended* ]]
	git rm -q -f $memories/001.md
	run -0 commit
	expect <<<'appended'
	diff -r "$hooks" "it's ours"
	# An install from another prefix changes the path; the appended line remains.
	run -0 "$hooks/install"
	[ "$(sed -n 3p .git/hooks/pre-commit)" = 'echo appended >&2' ]
	grep -qF "'$hooks/pre-commit' " .git/hooks/pre-commit
	run -0 "$hooks/install" --remove
	[[ $output == *"taken out of $PWD/.git/hooks/pre-commit, to which others added"* ]]
	run -0 commit
	expect <<<'appended'
	# Hooks whose suite is gone let everything pass.
	rm .git/hooks/pre-commit
	"it's ours/install" 2>/dev/null
	rm -r "it's ours"
	run -0 commit
	expect </dev/null
}

@test "a preserved hook still runs after --remove if lines were appended" {
	git init -q ../elsewhere && cd ../elsewhere
	mkdir -p .git/hooks
	printf '#!/bin/sh\necho kept >&2\n' >.git/hooks/pre-commit
	chmod +x .git/hooks/pre-commit
	"$hooks/install" -y 2>/dev/null
	echo 'echo appended >&2' >>.git/hooks/pre-commit
	"$hooks/install" --remove 2>/dev/null
	run -0 commit
	expect <<<$'kept\nappended'
}

@test "install replaces the links of an older version with stubs" {
	rm .git/hooks/p*-*[tme]
	ln -s "$hooks/pre-commit" .git/hooks/pre-commit
	run -0 "$hooks/install"
	[ ! -L .git/hooks/pre-commit ]
	[ -x .git/hooks/pre-commit ]
	ln -sf "$hooks/pre-commit" .git/hooks/pre-commit
	"$hooks/install" --remove 2>/dev/null
	[ ! -L .git/hooks/pre-commit ]
}

@test "install fails and loses no hook if there are two" {
	git init -q ../elsewhere && cd ../elsewhere
	mkdir -p .git/hooks
	echo 1 >.git/hooks/pre-commit
	echo 2 >.git/hooks/pre-commit.before-co
	run -1 "$hooks/install" -y
	[[ ${lines[0]} == *'both pre-commit and pre-commit.before-co'* ]]
	[ "$(cat .git/hooks/pre-commit .git/hooks/pre-commit.before-co)" = $'1\n2' ]
	run -0 "$hooks/install" --remove
	[ "$(cat .git/hooks/pre-commit .git/hooks/pre-commit.before-co)" = $'1\n2' ]
}
