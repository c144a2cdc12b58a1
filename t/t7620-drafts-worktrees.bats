#!/usr/bin/env bats
# Drafts outlive the work tree that they were saved in: they are in the git
# directory if it is writable, and every work tree finds them.
# bats file_tags=rights
load lib

setup() {
	world
	command -v git >/dev/null || skip 'git is missing'
	export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
	export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
	unset GIT_CEILING_DIRECTORIES
	shared=.git/co-cli/.co-cli/drafts
}

# clone [OPTION...]: make a repository with a committed store in the current
# directory.
clone() {
	git init -q "$@" .
	co init >/dev/null 2>&1
	git add -A
	git commit -qm begin
}

draft() {
	co-memory-save --draft <<<"$1" 2>/dev/null
}

bodies() {
	co-memory-list --drafts | co-memory-show --format='%(content)' | sort
}

@test "the drafts of a removed worktree stay in the other worktrees" {
	clone
	git worktree add -q ../w
	(cd ../w && draft 'from w')
	[ "$(cd ../w && bodies)" = 'from w' ]
	git worktree remove ../w
	[ "$(bodies)" = 'from w' ]
	run -0 co review --list
	[[ $output == *'(worktree w): from w'* ]]
	[ "$(co review --list --json | jq -r .worktree)" = w ]
	run -0 co review --accept 1
	[ -z "$(bodies)" ]
	[ "$(co-memory-show --format='%(content)' 1)" = 'from w' ]
	[ -z "$(find .git/co-cli -path "*/log" -prune -o -type f -print)" ]
}

@test "a work tree that was moved without git is reported, with the remedy" {
	clone
	git worktree add -q ../w
	cd ../w
	draft one >/dev/null
	co learn -q 'a memory'
	mv "$PWD" ../moved
	cd ../moved
	told="the work tree '$PWD' was moved, so its drafts and its log are not found:"
	told+=" run 'git worktree repair' in it"
	for words in 'list --drafts' 'review --list' 'undo -n' 'status' \
		'learn -q more' 'knowledge --check'; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr co $words
		[[ $stderr == co-*": $told"* ]]
	done
	run -0 --separate-stderr co-memory-save --draft <<<two
	[[ $stderr == *": $told" ]]
	run -0 --separate-stderr co list
	[ -z "$stderr" ]
	git worktree repair 2>/dev/null
	run -0 --separate-stderr co review --list
	[[ $output == *two*one* || $output == *one*two* ]]
	[ -z "$stderr" ]
}

@test "a private store is not made anew in a work tree that was moved" {
	git init -q .
	git commit -q --allow-empty -m begin
	co init -q --private
	co learn -q one
	git worktree add -q ../w
	mv ../w ../moved
	cd ../moved
	for words in list 'learn -q two'; do
		# shellcheck disable=SC2086
		run -4 co $words
		[[ $output == *"'$PWD' was moved, so "*"run 'git worktree repair' in it" ]]
	done
	[ ! -e .co-cli ]
	git worktree repair 2>/dev/null
	run -0 co list
	[[ $output == *one ]]
}

@test "git clean and git stash do not remove drafts" {
	clone
	draft one >path
	[ "$(cat path)" = "$PWD/$shared/001-one.md" ]
	git clean -fdxq
	[ "$(bodies)" = one ]
	echo x >>.co-cli/knowledge/context.md
	git stash -aq
	[ "$(bodies)" = one ]
	git status --short | expect_nothing
}

expect_nothing() {
	run -0 cat
	expect </dev/null
}

@test "a draft in the git directory can be rejected, restored and purged" {
	clone
	draft one >path
	run -0 co review --reject 1
	[ -z "$(bodies)" ]
	[ -n "$(find $trash -name 001-one.md)" ]
	run -0 co forget --undo
	[ "$(bodies)" = one ]
	[ -e $shared/001-one.md ]
	run -0 co-memory-remove --purge "$(cat path)"
	[ -z "$(bodies)" ]
	[ "$(co-memory-next-id)" = 2 ]
}

@test "next-id counts drafts in the git directory, with and without a cache" {
	clone
	for i in {1..130}; do echo "{\"content\":\"memory $i\"}"; done |
		co-memory-save --batch >/dev/null
	co-memory-list >/dev/null
	draft a >/dev/null
	[ "$(co-memory-next-id)" = 132 ]
	mv $shared/131-a.md $shared/700-a.md
	sed -i 's/^id: .*/id: 700/' $shared/700-a.md
	[ "$(co-memory-next-id)" = 701 ]
	co-memory-list >/dev/null
	[ "$(co-memory-next-id)" = 701 ]
	[ "$(co-memory-list --drafts)" = "$PWD/$shared/700-a.md" ]
	run -0 co-memory-save <<<'after it'
	[[ $output == */701-after-it.md ]]
	run -1 co-memory-save --unless-known --draft <<<'a'
	[[ $output == *"$PWD/$shared/700-a.md"* ]]
}

@test "parallel worktrees give unique ids to drafts and lose none" {
	clone
	git worktree add -q ../w
	for i in {1..20}; do draft "main $i" >/dev/null; done &
	(cd ../w && for i in {1..20}; do draft "w $i" >/dev/null; done) &
	wait
	[ "$(bodies | wc -l)" = 40 ]
	[ "$(grep -h '^id:' $shared/*.md | sort -u | wc -l)" = 40 ]
}

@test "stores of one repository and its submodules have separate drafts" {
	clone
	mkdir -p packages/a%b
	(cd packages/a%b && co init >/dev/null 2>&1 && draft inner)
	draft outer >/dev/null
	[ -e .git/co-cli/packages%2Fa%25b%2F.co-cli/drafts/001-inner.md ]
	[ "$(bodies)" = outer ]
	[ "$(cd packages/a%b && bodies)" = inner ]
	git init -q ../lib
	(cd ../lib && git commit -q --allow-empty -m begin)
	git -c protocol.file.allow=always submodule --quiet add ../lib lib
	(cd lib && co init >/dev/null 2>&1 && draft sub)
	[ -e .git/modules/lib/co-cli/.co-cli/drafts/001-sub.md ]
	[ "$(cd lib && bodies)" = sub ]
	[ "$(bodies)" = outer ]
}

@test "worktrees of a bare repository share their drafts" {
	clone
	git clone -q --bare . ../bare.git
	git -C ../bare.git worktree add -q ../one
	git -C ../bare.git worktree add -q ../two
	(cd ../one && draft one) >path
	[[ $(cat path) == */bare.git/co-cli/.co-cli/drafts/001-one.md ]]
	[ "$(cd ../two && bodies)" = one ]
	[ -z "$(bodies)" ]
}

@test "drafts can be in a git directory on another file system" {
	other=/dev/shm
	[ "$(stat -c %d .)" != "$(stat -c %d $other)" ] || other=/var/tmp
	other=$(mktemp -d "$other/co.XXXXXX") || skip 'there is no other file system'
	[ "$(stat -c %d "$other")" != "$(stat -c %d .)" ] || skip 'there is no other file system'
	clone --separate-git-dir="$other/git"
	draft one >path
	[ "$(cat path)" = "$other/git/co-cli/.co-cli/drafts/001-one.md" ]
	co review --reject 1
	co forget --undo
	[ "$(bodies)" = one ]
	[ "$(co-memory-list --drafts)" = "$(cat path)" ]
	co review --accept 1
	[ "$(co-memory-show --format='%(content)' 1)" = one ]
	[ -z "$(find "$other/git/co-cli" -path "*/log" -prune -o -type f -print)" ]
	rm -rf "$other"
}

@test "a draft stays in the store if the git directory is not writable" {
	[ "$(id -u)" != 0 ] || skip 'root may write everywhere'
	clone
	chmod a-w .git
	draft one >path
	[ "$(cat path)" = "$PWD/$drafts/001-one.md" ]
	co review --reject 1
	co forget --undo
	co review --accept 1
	[ "$(co-memory-show --format='%(content)' 1)" = one ]
	draft two >/dev/null
	chmod u+w .git
	[ "$(bodies)" = two ]
	co learn three
	[ -e $shared/002-two.md ]
	[ ! -e $drafts/002-two.md ]
	[ "$(bodies)" = two ]
}

@test "a moved draft gets the next id if its own is taken" {
	clone
	draft shared >/dev/null
	memory 1 2026-01-01T00:00:00Z '' $drafts/001-shared.md <<<'another'
	memory 2 2026-01-01T00:00:00Z '' $drafts/002-own.md <<<'own'
	co learn now
	[ "$(bodies | xargs)" = 'another own shared' ]
	[ -z "$(find $drafts -name '*.md')" ]
	[ "$(grep -h '^id:' $shared/*.md | sort -u | wc -l)" = 3 ]
}

@test "a draft that cannot be moved does not stop the others" {
	clone
	mkdir -p $shared .co-cli/knowledge/drafts
	head -c 2000000 /dev/zero >.co-cli/knowledge/drafts/000-large.md
	printf -- '---\nid: 7\ncreated: 2026-02-09T14:30:00Z\nsource: user-told\n---\n\n%s\n' \
		here >.co-cli/knowledge/drafts/007-here.md
	sed s/here/there/ .co-cli/knowledge/drafts/007-here.md \
		>$shared/007-there.md
	sed 's/id: 7/id: 999999999/' .co-cli/knowledge/drafts/007-here.md \
		>.co-cli/knowledge/memories/999999999-last.md
	co forget -y 999999999
	[ "$(cd .co-cli/knowledge/drafts && echo *)" = 000-large.md ]
	# There is no id higher than that of the trash. The next one after 7 is
	# free.
	[ "$(grep -h '^id' $shared/*)" = $'id: 7\nid: 8' ]
}

@test "an unreadable directory of drafts does not stop a save or a forget" {
	clone
	draft hidden
	[ "$(id -u)" -ne 0 ] || skip 'root reads everything'
	chmod 0 .git/co-cli
	run -0 co learn seen
	run -0 draft 'stays here'
	[[ $output == *'/knowledge/drafts/'* ]]
	run -0 co forget -y seen
	run -4 co-memory-list --drafts
	[[ $output == *"'$PWD/.git/co-cli': Permission denied"* ]]
	run -4 co knowledge --check --fix
	[[ $output == *"'$PWD/.git/co-cli': Permission denied"* ]]
	chmod 755 .git/co-cli
	run -0 co learn more
	[ "$(bodies)" = $'hidden\nstays here' ]
}

@test "a .git that points to a foreign directory is not followed" {
	mkdir elsewhere
	echo "gitdir: $PWD/elsewhere" >.git
	draft one >path
	[ "$(cat path)" = "$PWD/$drafts/001-one.md" ]
	[ -z "$(ls elsewhere)" ]
	# A git directory that reaches another repository with commondir.
	git init -q ../victim
	mkdir -p elsewhere/refs elsewhere/objects
	echo 'ref: refs/heads/x' >elsewhere/HEAD
	realpath ../victim/.git >elsewhere/commondir
	draft two >path
	[ "$(cat path)" = "$PWD/$drafts/002-two.md" ]
	[ ! -e ../victim/.git/co-cli ]
	# A .git or a directory in it that is a link.
	rm .git
	ln -s "$(realpath ../victim/.git)" .git
	draft three >path
	[ "$(cat path)" = "$PWD/$drafts/003-three.md" ]
	rm .git
	git init -q .
	ln -s "$PWD/elsewhere" .git/co-cli
	draft four >path
	[ "$(cat path)" = "$PWD/$drafts/004-four.md" ]
	[ ! -e elsewhere/.co-cli ]
}

@test "a .git of another owner is not written to" {
	[ "$(id -u)" = 0 ] || skip 'only root can give files away'
	git init -q .
	co init >/dev/null 2>&1
	chown -R 12345 .git
	draft one >path
	[ "$(cat path)" = "$PWD/$drafts/001-one.md" ]
	[ "$(bodies)" = one ]
}

# confined COMMAND...: run it as an agent's sandbox does: only the work tree is
# writable, except its .git.
confined() {
	local user=-r
	[ "$(id -u)" != 0 ] || user=
	mkdir -p "$HOME/.cache" "$HOME/.local/state" "$HOME/.config"
	# shellcheck disable=SC2086
	unshare $user -m sh -ec '
		for folder in "$HOME" "$(git rev-parse --git-common-dir)"; do
			mount --bind "$folder" "$folder"
			mount -o remount,ro,bind "$folder"
		done
		cd .
		exec "$@"' sh "$@"
}

@test "co works in a sandbox where only the work tree is writable" {
	clone
	confined true 2>/dev/null || skip 'nothing can be mounted here'
	git worktree add -q ../w
	cd ../w
	run ! confined touch "$HOME/x" ../project/.git/x
	run -0 confined co learn 'learned inside'
	run -0 confined sh -c 'echo "drafted inside" | co-memory-save --draft'
	[[ $output == *"$PWD/$drafts/002-drafted-inside.md" ]]
	run -0 confined co recall inside
	run -0 confined co review --list
	[[ $output == *'(worktree w): drafted inside' ]]
	run -0 confined co forget -y 1
	run -0 confined co forget --undo
	run -0 confined co review --reject 2
	run -0 confined co forget --undo
	run -0 confined co review --accept 2
	run -0 confined env EDITOR='sed -i s/drafted/edited/' co edit 2
	[[ $output == *"the copy is '"* ]]
	echo again | confined co-memory-save --draft
	# The next command outside moves the draft: co review --list is enough.
	run -0 co review --list
	[ ! -e $drafts/003-again.md ]
	cd ../project
	[ "$(bodies)" = again ]
}

# begun, hooked: start a session, with the server or with a hook.
begun() {
	co mcp <<<'{"jsonrpc":"2.0","id":1,"method":"ping"}' | grep -q '"id":1'
}

hooked() {
	jq -nc --arg cwd "$PWD" '{session_id: "s", cwd: $cwd,
		hook_event_name: "SessionStart", source: "startup"}' |
		co hook claude | grep -q 'draft waits'
}

@test "a session's start moves drafts to the git directory after its answer" {
	clone
	mkdir -p "$global"
	echo '{"hook.timeout_ms": 60000}' >"$global/settings.json"
	for start in begun hooked; do
		memory 1 2026-01-01T00:00:00Z '' $drafts/001-moving.md <<<moving
		# Nothing waits for the lock except the process that moves the
		# draft.
		exec {lock}<.co-cli/knowledge
		flock $lock
		$start
		[ -e $drafts/001-moving.md ]
		exec {lock}<&-
		for _ in $(seq 2400); do
			[ -e $drafts/001-moving.md ] || break
			sleep 0.05
		done
		[ ! -e $drafts/001-moving.md ]
		[ "$(bodies)" = moving ]
		rm -r .git/co-cli
	done
}

@test "a draft replaces its own memory, and no other memory with that id" {
	clone
	git worktree add -q ../w
	CO_NOW=2026-03-01T10:00:00Z co learn -q 'of the main tree'
	cd ../w
	CO_NOW=2026-03-02T10:00:00Z co learn -q 'the port is 3000'
	co-memory-save -q --draft --replaces=1 <<<'the port is 4000'
	cd ../project
	run -0 --separate-stderr co review --accept 2
	[ "$stderr" = '' ]
	[ "$(co-memory-list --format='%(id) %(content)')" = $'1 of the main tree\n2 the port is 4000' ]
	cd ../w
	# A repair gave the memory another id, and another memory has its old
	# id.
	co-memory-save -q --draft --replaces=1 <<<'the port is 5000'
	mv .co-cli/knowledge/memories/001-the-port-is-3000.md .co-cli/knowledge/memories/007-the-port-is-3000.md
	sed -i 's/^id: 1/id: 7\nformerly: [1]/' .co-cli/knowledge/memories/007-*
	cp ../project/.co-cli/knowledge/memories/001-* .co-cli/knowledge/memories/
	id=$(co-memory-list --drafts --format='%(id)')
	run -0 co review --accept "$id"
	[[ $output == *"007-the-port-is-3000.md' is replaced"* ]]
	[ -e .co-cli/knowledge/memories/001-of-the-main-tree.md ]
}
