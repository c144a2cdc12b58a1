#!/usr/bin/env bats
# co sync keeps one user store on several machines.
load lib
load git
load sync

setup() {
	sync_world
}

@test "co sync exchanges memories of two machines and gives each a unique id" {
	machines a b
	on a co learn -q --global 'tabs, not blanks'
	run -0 --separate-stderr on a co sync
	expect <<<'✓ Sent 1 file, received 0 (origin/main)'
	on b co learn -q --global 'vim, not emacs'
	run -0 --separate-stderr on b co sync
	expect <<<'✓ Sent 1 file, received 1 (origin/main)'
	run -0 on a co sync
	[ "$(known a)" = "$(known b)" ]
	[ "$(known a | cut -d' ' -f2- | sort)" = $'tabs, not blanks\nvim, not emacs' ]
	[ "$(known a | cut -d' ' -f1 | sort -u | wc -l)" = 2 ]
	[ "$(known a | head -n 1)" = '1 tabs, not blanks' ]
	run -0 on a co sync
	expect <<<'✓ Up to date with origin/main'
}

@test "three machines lose nothing and share no id after a week without a sync" {
	machines a b c
	for day in 1 2 3 4 5 6 7; do
		for m in a b c; do
			CO_NOW=2026-02-0${day}T10:00:00Z on "$m" co learn -q --global "day $day on $m"
		done
	done
	on a co learn -q --global --always 'rule of a'
	on b co learn -q --global --always 'rule of b'
	for m in a b c a b c; do
		on "$m" co sync >/dev/null 2>&1
	done
	[ "$(known a)" = "$(known b)" ]
	[ "$(known a)" = "$(known c)" ]
	[ "$(known a | wc -l)" = 21 ]
	[ "$(known a | cut -d' ' -f1 | sort -u | wc -l)" = 21 ]
	run -0 on c co context --global
	[[ $output == *'rule of a'* ]]
	[[ $output == *'rule of b'* ]]
}

@test "co sync merges an edit, a removal and a tag of different machines" {
	machines a b
	for t in one two three; do
		on a co learn -q --global "$t"
	done
	on a co sync -q
	on b co sync -q
	on a co tag -q +x g1
	on b env EDITOR='sed -i s/one/uno/' co edit -q g1 >/dev/null
	on b co forget -q -y g2 2>/dev/null
	on b co sync -q
	on a co sync -q
	on b co sync -q
	[ "$(known a)" = $'1 uno\n3 three' ]
	[ "$(known b)" = "$(known a)" ]
	[ "$(on b co memory-list --global --format='%(id) %(tags)' | sort | head -n 1)" = '1 x' ]
}

@test "co sync sends nothing while two edits of one line are unresolved" {
	machines a b
	on a co learn -q --global one
	on a co sync -q
	on b co sync -q
	on a env EDITOR='sed -i s/one/uno/' co edit -q g1 >/dev/null
	on b env EDITOR='sed -i s/one/eins/' co edit -q g1 >/dev/null
	on a co sync -q
	run -1 on b co sync
	[[ $output == *'1 file has conflicts, and nothing was sent'* ]]
	before=$(git -C "$hub" rev-parse main)
	run -1 on b co sync
	[ "$(git -C "$hub" rev-parse main)" = "$before" ]
	run -0 on b co resolve --global --ours
	run -0 on b co sync
	[ "$(known b)" = '1 eins' ]
	on a co sync -q
	[ "$(known a)" = '1 eins' ]
}

@test "co sync keeps a forgotten memory that another machine edited, with a note" {
	machines a b
	on a co learn -q --global one
	on a co sync -q
	on b co sync -q
	on a env EDITOR='sed -i s/one/uno/' co edit -q g1 >/dev/null
	on a co sync -q
	on b co forget -q -y g1 2>/dev/null
	run -0 on b co sync
	[[ $output == *"knowledge/memories/001-one.md stays, since they changed it: 'co forget' forgets it"* ]]
	[ "$(known b)" = '1 uno' ]
}

@test "co sync does not commit a staged change that was undone" {
	machines a
	on a co learn -q --global one
	on a co sync -q
	on a env EDITOR='sed -i s/one/uno/' co edit -q g1 >/dev/null
	on a git -C ../.config/co-cli add knowledge
	on a co undo -q --global
	run -0 on a co sync
	expect <<<'✓ Up to date with origin/main'
}

@test "co sync sends no sensitive memories, drafts, trash or settings" {
	machines a b
	on a co learn -q --global --sensitive 'the door opens with 4711'
	on a co learn -q --global 'plain'
	echo waits | on a co memory-save -q --global --draft
	on a co learn -q --global gone
	on a co forget --global -q -y gone 2>/dev/null
	on a co config --global recall.max_results 7 >/dev/null
	on a co sync -q
	run -0 git -C "$hub" ls-tree -r --name-only main
	[[ $output == *plain* ]]
	[[ $output != *door* && $output != *waits* && $output != *gone* && $output != *settings.json* ]]
	run ! git -C "$hub" grep -q 4711 main
	on b co sync -q
	[ "$(on b co config recall.max_results)" != 7 ]
	# A memory that is marked later is not sent with its new text.
	printf '#!/bin/sh\nsed -i -e s/plain/pin-4712/ -e "2i sensitive: true" "$@"\n' >mark
	chmod +x mark
	on a env EDITOR="$PWD/mark" co edit -q g2
	on a co sync -q
	grep -q 4712 "$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge/memories/002-plain.md"
	run ! git -C "$hub" grep -q 4712 main
}

@test "-n fetches and counts, and changes neither side" {
	machines a b
	on a co learn -q --global one
	on a co sync -q
	on b co learn -q --global two
	before=$(git -C "$hub" rev-parse main)
	run -0 on b co sync -n --json
	[ "$(jq -c '[.remote,.branch,.received,.sent]' <<<"$output")" = '["origin","main",1,1]' ]
	[ "$(known b)" = '1 two' ]
	[ "$(git -C "$hub" rev-parse main)" = "$before" ]
	[ -z "$(on b git -C ../.config/co-cli log --oneline 2>/dev/null)" ]
}

@test "co sync loses nothing if the remote fails, and sends all the next time" {
	machines a
	on a co learn -q --global one
	mv "$hub" "$hub.off"
	run -6 on a co sync
	[ "$(known a)" = '1 one' ]
	mv "$hub.off" "$hub"
	run -0 on a co sync
	git -C "$hub" cat-file -e main:knowledge/memories/001-one.md
	# co sync does not retry a push that the remote refused.
	printf '#!/bin/sh\necho >>%s/pushes\nexit 1\n' "$PWD" >"$hub/hooks/pre-receive"
	chmod +x "$hub/hooks/pre-receive"
	on a co learn -q --global two
	run -6 on a co sync
	expect <<<"co-sync: the remote 'origin' refused the push: 'git -C $BATS_TEST_TMPDIR/a/.config/co-cli push origin HEAD:main' says why"
	[ "$(wc -l <pushes)" = 1 ]
	rm "$hub/hooks/pre-receive"
	run -0 on a co sync
	git -C "$hub" cat-file -e main:knowledge/memories/002-two.md
	# A killed git prints no message.
	mkdir bin
	printf '#!/bin/sh\ncase " $* " in *" fetch "*) kill -KILL $$ ;; esac\nexec %s "$@"\n' \
		"$(command -v git)" >bin/git
	chmod +x bin/git
	run -6 on a env PATH="$PWD/bin:$PATH" co sync
	expect <<<"co-sync: 'git fetch' ended with status 137"
}

@test "co sync names the next step without a repository or a remote" {
	on a co learn -q --global one
	run -1 on a co sync
	[ "${lines[1]}" = "hint: 'co setup git --user URL' makes one" ]
	[ "${lines[2]}" = "hint: 'co sync --project' syncs the project store" ]
	run -0 --separate-stderr on a co setup git --user -y
	[ "${lines[0]}" = 'In the user store, git will' ]
	[ "${lines[1]}" = '  - keep ~/.config/co-cli as a repository with the branch main' ]
	[[ $output != *'git -C'* ]]
	run -1 on a co sync
	[[ $output == *"has no remote 'origin'"* ]]
	run -2 on a co setup git --user -y ''
	run -2 on a co setup git --user -y -- -x
	run -2 on a co setup git --user -y https://ada:secret@example.org/x.git
	[[ $output != *secret* ]]
	run -1 --separate-stderr on a co setup git --user "$hub" </dev/null
	expect <<-END
		In the user store, git will
		  - exchange memories with $hub at each 'co sync'
	END
	run -0 on a co setup git --user -y "$hub"
	run -0 on a co setup git --user -y "$hub"
	[[ $output == *'set up already'* ]]
	run -0 on a co setup git --user --remove -y
	run -1 on a git -C ../.config/co-cli config --local merge.co.driver
	run -2 on a co sync --user --project
}

@test "co sync --project sends only the store, not the code" {
	git init -q -b main . && co init -q && co learn -q 'of the project' 2>/dev/null
	git remote add origin "$hub"
	git add -A && git commit -q -m 'with the store'
	git push -q -u origin main 2>/dev/null
	git clone -q "$hub" ../clone
	co learn -q 'new here'
	echo code >main.c
	run -0 co sync --project
	expect <<<'✓ Sent 1 file, received 0 (origin/main)'
	[ "$(git status --porcelain)" = '?? main.c' ]
	(cd ../clone && co learn -q 'new there' && co sync -q --project)
	run -0 co sync --project
	[ "$(co memory-list --format='%(content)' | sort)" = $'new here\nnew there\nof the project' ]
	git add main.c && git commit -q -m code
	# Commits of only code do not concern a sync.
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Up to date with origin/main'
	[ "$stderr" = '' ]
	co learn -q 'after the code'
	run -1 --separate-stderr co sync --project
	expect </dev/null
	[ "$stderr" = "co-sync: 1 file is not sent to origin/main: 1 commit changes files outside the store, too
hint: 'git push' sends all" ]
	run -1 co sync --project -n
	run ! git -C "$hub" cat-file -e main:main.c
	git push -q
	# A commit of code and memories is not sent either.
	echo more >>main.c
	co learn -q 'with the code'
	git add -A && git commit -q -m both
	run -1 --separate-stderr co sync --project
	expect </dev/null
	git push -q
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Up to date with origin/main'
}

@test "co sync refuses a store that git ignores" {
	git init -q . && co init -q --private && co learn -q one 2>/dev/null
	git remote add origin "$hub"
	git commit -q --allow-empty -m first
	for dry in '' -n; do
		run -1 co sync --project $dry
		expect <<-END
			co-sync: git ignores '$PWD/.co-cli', as after 'co init --private'
			hint: 'git check-ignore -v .co-cli' names the rule
		END
	done
}

@test "a remote cannot add a link or settings to the user store" {
	machines a
	on a co learn -q --global one
	on a co sync -q
	git clone -q "$hub" evil
	(cd evil && ln -s ../../../../secret knowledge/facts.md && git add -A &&
		git commit -q -m link && git push -q)
	run -3 on a co sync
	[[ $output == *"'knowledge/facts.md' of the remote is a link"* ]]
	[ ! -e "$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge/facts.md" ]
	(cd evil && git rm -q knowledge/facts.md && echo '{"llm.command":"x"}' >settings.json &&
		git add -A && git commit -q -m settings && git push -q)
	run -3 on a co sync
	[[ $output == *"'settings.json' of the remote is a link or a file of one machine"* ]]
	(cd evil && git rm -q settings.json && git commit -q -m clean && git push -q)
	run -0 on a co sync
}

@test "co sync works after the remote removed every file of the store" {
	machines a
	on a co learn -q --global one
	on a co sync -q
	git clone -q "$hub" other
	(cd other && git rm -q -r . && git commit -q -m none && git push -q)
	run -0 on a co sync
	run -0 on a co sync
	expect <<<'✓ Up to date with origin/main'
	on a co learn -q --global two
	run -0 on a co sync
	[ "$(known a)" = '1 two' ]
}

@test "co sync does not send links and repositories of the user store" {
	machines a b
	local a=$BATS_TEST_TMPDIR/a/.config/co-cli
	mkdir -p "$a/personalities" "$a/knowledge/attachments"
	ln -s /etc/hostname "$a/personalities/terse.md"
	git init -q "$a/knowledge/attachments/code"
	git -C "$a/knowledge/attachments/code" commit -q --allow-empty -m one
	on a co learn -q --global one
	run -0 --separate-stderr on a co sync
	expect <<<'✓ Sent 1 file, received 0 (origin/main)'
	[ "$stderr" = "co-sync: refusing '$a/knowledge/attachments/code': it is a repository
co-sync: refusing '$a/personalities/terse.md': it is a link" ]
	run -0 git -C "$hub" ls-tree -r --name-only main
	expect <<'END'
.gitattributes
.gitignore
knowledge/memories/001-one.md
END
	on a co learn -q --global two
	on a co sync -q 2>/dev/null
	run -0 on b co sync
	# What a person has committed would stop the other machines.
	git -C "$a" add personalities
	on a git -C "$a" commit -q -m link
	run -3 --separate-stderr on a co sync
	[[ $stderr == *"'git -C $a rm --cached personalities/terse.md' takes it out"* ]]
	git -C "$a" rm -q --cached personalities/terse.md
	on a git -C "$a" commit -q -m none
	run -0 on a co sync
	run -0 on b co sync
}

@test "co sync sends all memories again to a remote that was emptied" {
	machines a b
	on a co learn -q --global one
	on a co sync -q
	on b co sync -q
	rm -rf "$hub"
	git init -q --bare "$hub"
	run -0 on a co sync -n
	expect <<<'✓ Would send 1 file, received 0 (origin/main)'
	run -0 on a co sync
	expect <<<'✓ Sent 1 file, received 0 (origin/main)'
	git -C "$hub" cat-file -e main:knowledge/memories/001-one.md
	run -0 on b co sync
	[ "$(known b)" = '1 one' ]
}

@test "co sync merges fetched commits that the remote has lost" {
	machines a b
	on a co learn -q --global one
	on a co sync -q
	on b co sync -q
	on a co learn -q --global two
	on a co sync -q
	on b git -C "$BATS_TEST_TMPDIR/b/.config/co-cli" fetch -q
	rm -rf "$hub"
	git init -q --bare "$hub"
	on b co sync -q
	[ "$(known b)" = $'1 one\n2 two' ]
	on b co sync -q
	git -C "$hub" cat-file -e main:knowledge/memories/002-two.md
}

@test "drafts and trash from a remote are reported, and undo ignores them" {
	machines a
	on a co learn -q --global one
	on a co sync -q
	git clone -q "$hub" evil
	mkdir -p evil/knowledge/drafts evil/knowledge/trash/20260101T000000Z-1
	printf -- '---\nid: 77\ncreated: 2026-01-01T00:00:00Z\n---\n\nplanted\n' \
		| tee evil/knowledge/drafts/077-planted.md \
			>evil/knowledge/trash/20260101T000000Z-1/078-planted.md
	(cd evil && git add -A -f && git commit -q -m planted && git push -q)
	on a co sync -q
	run -3 on a co knowledge --check --global
	[ "$(grep -c 'git tracks files in it' <<<"$output")" = 2 ]
	# The remedy works from any directory.
	while IFS= read -r remedy; do
		on a sh -c "$remedy"
	done < <(sed -n 's/.*take it out of git: //p' <<<"$output")
	run -0 on a co knowledge --check --global
	on a git -C "$BATS_TEST_TMPDIR/a/.config/co-cli" commit -q -m out
	on a co sync -q
	run ! git -C "$hub" cat-file -e main:knowledge/drafts/077-planted.md
	on a co forget -q -y g1
	on a co undo --global
	[ "$(known a)" = '1 one' ]
}

@test "the next sync continues a sync that was killed" {
	machines a b
	for m in a b; do
		on $m co learn -q --global "known on $m"
	done
	on a co sync -q
	for after in .02 .05 .08 .12 .2 .3; do
		on b co learn -q --global "more after $after"
		on b timeout -s KILL "$after" co sync -q 2>/dev/null || :
		rm -f "$BATS_TEST_TMPDIR"/b/.config/co-cli/.git/index.lock
	done
	run -0 on b co sync
	on a co sync -q
	[ "$(known a)" = "$(known b)" ]
	[ "$(known a | wc -l)" = 8 ]
}

@test "co sync does not send a malformed memory, since it may be sensitive" {
	machines a
	on a co learn -q --global one
	on a co learn -q --global two
	on a sed -i '2i sensitive: true\nkey: "not closed' ../.config/co-cli/knowledge/memories/002-two.md
	printf 'half' >"$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge/memories/.co-tmp-1"
	run -0 on a co sync
	run -0 git -C "$hub" ls-tree -r --name-only main
	[[ $output == *001-one.md* ]]
	[[ $output != *002-two.md* && $output != *co-tmp* ]]
}

@test "co sync runs ssh in batch mode" {
	machines a
	on a co learn -q --global one
	on a git -C ../.config/co-cli remote set-url origin ssh://example.invalid/hub
	mkdir bin
	printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>%s/asked\nexit 255\n' "$PWD" >bin/ssh
	chmod +x bin/ssh
	PATH=$PWD/bin:$PATH run -6 on a co sync
	grep -qx -e -oBatchMode=yes asked
	# A command of the user is not changed.
	rm asked
	on a git -C ../.config/co-cli config core.sshCommand 'ssh -i key'
	PATH=$PWD/bin:$PATH run -6 on a co sync
	grep -qx -e -i asked
	run ! grep -q BatchMode asked
}

@test "co sync in a hook of git does not change the hook's repository" {
	machines a
	git init -q -b main ../code && cd ../code && git init -q --bare ../code.git
	git remote add origin ../code.git
	echo code >main.c && git add main.c && git commit -q -m code
	git push -q origin main 2>/dev/null
	git worktree add -q ../linked 2>/dev/null
	# git runs the hook with the absolute GIT_DIR of the linked work tree.
	printf '#!/bin/sh\ncd / && HOME=%s co sync --user\n' "$BATS_TEST_TMPDIR/a" >.git/hooks/post-commit
	chmod +x .git/hooks/post-commit
	on a co learn -q --global 'of the user'
	cd ../linked
	echo more >>main.c && run -0 git commit -q -a -m more
	[[ $output == *'✓ Sent 1 file, received 0 (origin/main)'* ]]
	[ "$(git log --format=%s)" = $'more\ncode' ]
	[ "$(git status --porcelain)" = '' ]
	git -C "$hub" cat-file -e main:knowledge/memories/001-of-the-user.md
	GIT_DIR=$PWD/.git run -0 on a co setup git --user --remove -y
	run -1 on a git -C ../.config/co-cli config --local merge.co.driver
}

@test "co sync in a hook of a push writes objects into its own repository" {
	machines a
	on a co learn -q --global 'of the user'
	git init -q --bare ../code.git
	git commit -q --allow-empty -m code
	printf '#!/bin/sh\ncd / && HOME=%s co sync --user\n' "$BATS_TEST_TMPDIR/a" >../code.git/hooks/pre-receive
	chmod +x ../code.git/hooks/pre-receive
	run -0 git push ../code.git HEAD:main
	[[ $output == *'✓ Sent 1 file, received 0 (origin/main)'* ]]
	run -0 on a git -C ../.config/co-cli fsck --strict
	expect </dev/null
}

@test "co sync --project sends no code of a new branch or of a merge" {
	git init -q -b main . && co init -q && co learn -q 'of the project' 2>/dev/null
	git remote add origin "$hub"
	echo readme >README && git add -A && git commit -q -m 'with the store'
	# A remote without a branch has no code yet.
	run -1 --separate-stderr co sync --project
	expect </dev/null
	git push -q origin main 2>/dev/null
	git switch -q -c wip
	echo code >main.c && git add main.c && git commit -q -m code
	co learn -q 'new here'
	run -1 --separate-stderr co sync --project
	expect </dev/null
	[ "$stderr" = "co-sync: 3 files are not sent to origin/wip: 1 commit changes files outside the store, too
hint: 'git push' sends all" ]
	[ "$(git -C "$hub" branch --format='%(refname:short)')" = main ]
	git switch -q main && git merge -q -s ours --no-edit wip
	co learn -q 'after the merge'
	run -1 co sync --project
	# A new branch without code is sent.
	git switch -q -c words origin/main && git branch -q --unset-upstream
	co learn -q 'in words'
	run -0 co sync --project
	expect <<<'✓ Sent 3 files, received 0 (origin/words)'
}

@test "co sync does not commit a merge of another branch that a person began" {
	git init -q -b main . && co init -q && co learn -q 'of the project' 2>/dev/null
	git remote add origin "$hub"
	git add -A && git commit -q -m 'with the store'
	git push -q origin main 2>/dev/null
	git switch -q -c feature
	echo code >main.c && git add main.c && git commit -q -m code
	git switch -q main && git merge -q --no-commit --no-ff feature
	was=$(git rev-parse HEAD)
	co learn -q 'new here'
	run -4 --separate-stderr co sync --project
	expect </dev/null
	[ "${stderr_lines[0]}" = "co-sync: a merge that is not of 'origin/main' is in progress in '$PWD': 'git commit' finishes it" ]
	[ "$(git rev-parse HEAD)" = "$was" ] && git rev-parse -q --verify MERGE_HEAD
}

@test "a file name with pattern characters does not send other files" {
	machines a
	on a co learn -q --global one
	on a co sync -q
	memories=$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge/memories
	on a co tag -q g1 +seen 2>/dev/null || sed -i 's/^tags:.*/tags: [seen]/' "$memories"/001-*.md
	cp "$memories"/001-one.md "$memories/[0]*.md" && sed -i 's/^id: 1/id: 2/' "$memories/[0]*.md"
	on a co sync -q
	sed -i 's/^id: 1/&\nsensitive: true/' "$memories"/001-one.md
	echo more >>"$memories/[0]*.md"
	run -0 on a co sync
	expect <<<'✓ Sent 1 file, received 0 (origin/main)'
	[ "$(git -C "$memories" diff --name-only)" = knowledge/memories/001-one.md ]
}

@test "co sync sends no sensitive article and none of its attachments" {
	machines a
	on a co learn -q --global one
	knowledge=$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge
	mkdir -p "$knowledge/articles" "$knowledge/attachments"
	for name in open closed; do
		echo "bytes of $name" >"$knowledge/attachments/$name"
		printf -- '---\ntitle: T\nsource: http://x/%s\nfetched: 2026-01-01T00:00:00Z\nattachment: attachments/%s\n---\n\nText of %s.\n' \
			$name $name $name >"$knowledge/articles/$name.md"
	done
	sed -i 's/^title/sensitive: true\n&/' "$knowledge/articles/closed.md"
	run -0 on a co sync
	run -0 git -C "$hub" ls-tree -r --name-only main
	[[ $output == *articles/open.md* && $output == *attachments/open* && $output != *closed* ]]
}

@test "co status counts what co sync would send or merge, without the remote" {
	machines a b
	run -0 on a co status
	[[ $output != *' not '*": 'co sync'"* ]]
	on a co learn -q --global 'tabs, not blanks'
	mv "$hub" "$hub.away"
	run -0 on a co status
	[[ $output == *$'\n    remote    1 file not committed: \'co sync\'\n'* ]]
	mv "$hub.away" "$hub"
	on a co sync -q
	on a co learn -q --global --sensitive 'the door opens with 4711'
	run -0 on a co status --json
	[ "$(jq -c '.roots[1].remote' <<<"$output")" = '{"uncommitted":0,"unsent":0,"unmerged":0}' ]
	# These files stay on this machine, so no sync commits them.
	on a touch ../.config/co-cli/knowledge/ledger.json
	run -0 on a co status --json
	[ "$(jq -c '.roots[1].remote.uncommitted' <<<"$output")" = 0 ]
	on a rm ../.config/co-cli/knowledge/ledger.json
	on b git -C ../.config/co-cli fetch -q origin
	run -0 on b co status
	[[ $output == *$'\n    remote    1 commit not merged: \'co sync\'\n'* ]]
	on b co sync -q
	on b co learn -q --global 'vim, not emacs'
	on b git -C ../.config/co-cli add -A
	on b git -C ../.config/co-cli commit -qm x
	run -0 on b co status
	[[ $output == *$'\n    remote    1 commit not sent: \'co sync\'\n'* ]]
}

@test "a save in a hook of git fails at once while co sync waits for it" {
	machines a
	hooks=$BATS_TEST_TMPDIR/a/.config/co-cli/.git/hooks
	for hook in pre-commit post-commit; do
		cat >"$hooks/$hook" <<-END
			#!/bin/sh
			exec >>$PWD/$hook 2>&1
			co-memory-save --global </dev/null
			echo of a hook | co-memory-save --global
			echo \$?
			co sync --user
			echo \$?
			cd $PWD && echo elsewhere | co-memory-save -q >saved
			echo \$?
		END
		chmod +x "$hooks/$hook"
	done
	on a co learn -q --global 'one thing'
	run -0 on a co sync
	store=$BATS_TEST_TMPDIR/a/.config/co-cli
	why='is locked by the program that started this one, as '\''co sync'\'' starts a hook of git: try again after it'
	for hook in pre-commit post-commit; do
		grep -v ' made ' $hook >said
		output=$(cat said) expect <<-END
			co-memory-save: nothing to save: empty content
			co-memory-save: '$store/knowledge' $why
			5
			co-sync: '$store/.git' $why
			5
			0
		END
	done
	# Afterwards there is no mark.
	on a co learn -q --global 'another thing'
	[ "$(known a | wc -l)" = 2 ]
}
