#!/usr/bin/env bats
# co sync: sensitive memories in a merge, kills, changes during a sync, and the
# index of git.
load lib
load git
load sync

setup() {
	sync_world
}

@test "co sync succeeds if a memory was marked sensitive after it was sent" {
	machines a b
	on a co learn -q --global 'the door opens with a key'
	on a co learn -q --global 'Deploys happen on Tuesdays'
	on a co sync -q
	on b co sync -q
	printf '#!/bin/sh\nsed -i -e s/key/pin-4712/ -e "2i sensitive: true" "$@"\n' >mark
	chmod +x mark
	on a env EDITOR="$PWD/mark" co edit -q g1
	on a env EDITOR="$PWD/mark" co edit -q g2
	on b co tag -q +x g1
	on b co forget -q -y g2 2>/dev/null
	on b co learn -q --global 'three'
	on b co sync -q
	run -0 on a co sync
	on b co sync -q
	run ! git -C "$hub" grep -q 4712 main
	[ "$(on a co memory-list --global --sensitive --format='%(id) %(content)' | sort -n)" = \
		$'1 the door opens with a pin-4712\n2 Deploys happen on Tuesdays\n3 three' ]
	[ "$(known a)" = '3 three' ]
	[ "$(known b)" = $'1 the door opens with a key\n3 three' ]
	run -0 on a co knowledge --check --global
}

# both TEXT...: set up machines a and b that have these memories of the user.
both() {
	local text
	machines a b
	for text; do
		on a co learn -q --global "$text"
	done
	on a co sync -q
	on b co sync -q
}

# hide ID...: on a, change the key in these memories to pin-4712 and mark them as
# sensitive.
hide() {
	local id
	printf '#!/bin/sh\nsed -i -e s/key/pin-4712/ -e "2i sensitive: true" "$@"\n' >mark
	chmod +x mark
	for id; do
		on a env EDITOR="$PWD/mark" co edit -q "$id"
	done
}

# killed_at_merge WHEN: write a program git that kills co sync before or after its
# merge.
killed_at_merge() {
	mkdir -p bin
	{
		printf '#!/bin/sh\ncase " $* " in *" merge "*) ;; *) exec %s "$@" ;; esac\n' "$(command -v git)"
		[ "$1" = before ] || printf '%s "$@"\n' "$(command -v git)"
		printf 'kill -KILL $PPID\n'
	} >bin/git
	chmod +x bin/git
}

@test "a sync that was killed in its merge preserves a sensitive memory" {
	both 'the door opens with a key' 'Deploys happen on Tuesdays'
	hide g1 g2
	memories=$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge/memories
	for when in before after; do
		on b co tag -q +$when g1 g2
		on b co sync -q
		killed_at_merge $when
		PATH=$PWD/bin:$PATH run on a co sync
		[ "$status" -gt 128 ]
		run -0 ls "$memories"/001-*.co-aside.md
		run -0 on a co sync
		[ "$(on a co memory-list --global --sensitive --format='%(id) %(content)' | sort -n)" = \
			$'1 the door opens with a pin-4712\n2 Deploys happen on Tuesdays' ]
		run -0 ls "$memories"
		expect <<<$'001-the-door-opens-with-a-key.md\n002-deploys-happen-on-tuesdays.md'
	done
	on b co sync -q
	[ "$(known b)" = $'1 the door opens with a key\n2 Deploys happen on Tuesdays' ]
	run ! git -C "$hub" grep -q 4712 main
}

@test "co sync refuses a sensitive file that a person added to a merge" {
	machines 'my pc' b
	on 'my pc' co learn -q --global 'the door opens with a key'
	on 'my pc' co sync -q
	on b co sync -q
	on 'my pc' env EDITOR='sed -i s/key/ring/' co edit -q g1 >/dev/null
	on b env EDITOR='sed -i s/key/code/' co edit -q g1 >/dev/null
	on b co sync -q
	on 'my pc' co learn -q --global --sensitive 'the pin is 4712'
	run -1 on 'my pc' co sync
	store="$BATS_TEST_TMPDIR/my pc/.config/co-cli"
	sed -i '/^[<=>|]\{7\}/d; /code$/d; /key$/d' "$store/knowledge/memories/001-the-door-opens-with-a-key.md"
	git -C "$store" add -A
	for file in knowledge/memories/002-memory.md settings.json; do
		run -3 on 'my pc' co sync
		[ "$output" = "co-sync: '$file' stays on this machine, but was added to git: 'git -C '$store' reset -q $file' takes it out" ]
		git -C "$store" reset -q $file
	done
	run -0 on 'my pc' co sync
	on b co sync -q
	[ "$(known b)" = '1 the door opens with a ring' ]
	run ! git -C "$hub" grep -q 4712 main
}

@test "the command that unstages a sensitive memory preserves others' changes" {
	both 'the door opens with a key' 'the gate opens with a key, too'
	on a env EDITOR='sed -i s/key/ring/' co edit -q g1 >/dev/null
	hide g2
	on b env EDITOR='sed -i s/key/code/' co edit -q g1 >/dev/null
	on b co tag -q +fixed g2
	on b co sync -q
	run -1 on a co sync
	store=$BATS_TEST_TMPDIR/a/.config/co-cli
	sed -i '/^[<=>|]\{7\}/d; /code$/d; /key$/d' "$store"/knowledge/memories/001-*.md
	git -C "$store" add -A
	while on a co sync 2>said; [ $? = 3 ]; do
		eval "$(sed "s/.*: '\(git .*\)' takes it out/\1/" said)"
	done
	on b co sync -q
	run -0 on b co memory-list --global --format='%(id) %(tags) %(content)'
	[[ $output == *'2 fixed the gate opens with a key, too'* ]]
	run -0 on a co memory-list --global --sensitive --format='%(content)'
	[[ $output == *4712* ]]
	run ! git -C "$hub" grep -q 4712 main
}

@test "two syncs of one store at once take turns" {
	both 'the door opens with a key'
	hide g1
	for i in 1 2 3; do
		on b co tag -q +$i g1
		on b co sync -q
		for m in 1 2 3; do
			on a co sync -q 2>said-$m &
			pids[m]=$!
		done
		for m in 1 2 3; do
			wait "${pids[m]}"
			[ ! -s said-$m ]
		done
		run -0 ls "$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge/memories"
		expect <<<'001-the-door-opens-with-a-key.md'
	done
	run ! git -C "$hub" grep -q 4712 main
}

@test "a sync that was killed in its merge loses no text written after the kill" {
	both 'the door opens with a key'
	hide g1
	on b co tag -q +x g1
	on b co sync -q
	killed_at_merge after
	PATH=$PWD/bin:$PATH run on a co sync
	[ "$status" -gt 128 ]
	echo 'a new line' >>"$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge/memories/001-the-door-opens-with-a-key.md"
	run -0 on a co sync
	run -0 on a co memory-list --global --sensitive --format='%(content)'
	[[ $output == *'pin-4712'* && $output == *$'a key\na new line'* ]]
	run ! git -C "$hub" grep -q 4712 main
}

@test "a file with the name of a set-aside memory replaces no untracked file" {
	machines a b
	memories=$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge/memories
	on a co learn -q --global 'the door opens with a key'
	on a co sync -q
	on a co learn -q --global 'the gate opens with a code'
	sed 's/^id: 2/id: 3/; s/gate/roof/' "$memories"/002-*.md >"$memories/002-the-gate-opens-with-a-code.co-aside.md"
	run -0 on a co sync
	on b co sync -q
	[ "$(known b | sort)" = "$(known a | sort)" ]
	[[ $(known a) == *gate*roof* || $(known a) == *roof*gate* ]]
}

@test "a sensitive memory gets a new name if the remote has another with its name" {
	machines a b
	on a co learn -q --global --sensitive 'the door opens with 4711'
	on b co learn -q --global 'ドアは青い'
	on b co sync -q
	run -0 --separate-stderr on a co sync
	[[ $stderr == *"001-memory.md stays here as 001-memory-2.md: the remote has another with its name"* ]]
	on b co sync -q
	[ "$(known a)" = '1 ドアは青い' ]
	[ "$(known b)" = '1 ドアは青い' ]
	run -0 on a co memory-list --global --sensitive --format='%(id) %(content)'
	[[ $output == *'2 the door opens with 4711'* ]]
	run -0 on a co knowledge --check --global
	run ! git -C "$hub" grep -q 4711 main
}

@test "co sync does not commit a sensitive memory after its conflict is resolved" {
	machines a b
	on a co learn -q --global 'the door opens with a key'
	on a co sync -q
	on b co sync -q
	on a env EDITOR='sed -i s/key/ring/' co edit -q g1 >/dev/null
	git -C "$BATS_TEST_TMPDIR/a/.config/co-cli" commit -qam ring
	printf '#!/bin/sh\nsed -i -e s/ring/pin-4712/ -e "2i sensitive: true" "$@"\n' >mark
	chmod +x mark
	on a env EDITOR="$PWD/mark" co edit -q g1
	on b env EDITOR='sed -i s/key/code/' co edit -q g1 >/dev/null
	on b co sync -q
	run -1 on a co sync
	run -0 on a co resolve --global --theirs
	run -0 on a co sync
	[ "$(known a)" = '1 the door opens with a code' ]
	run -0 on a co memory-list --global --sensitive --format='%(content)'
	[[ $output == *pin-4712* ]]
	run ! git -C "$hub" grep -q 4712 main
}

@test "co sync continues if git removed and remade the directory of memories" {
	machines a b
	on a co learn -q --global one
	on a co sync -q
	on b co sync -q
	on a env EDITOR='sed -i s/one/eins/' co edit -q g1 >/dev/null
	on a co learn -q --global --replaces=g1 two
	on a co sync -q
	on b env EDITOR='sed -i s/one/uno/' co edit -q g1 >/dev/null
	run -1 --separate-stderr on b co sync
	[[ $stderr == *archive/001-one.md* ]]
	[ "$(known b)" = '2 two' ]
}

# project: make a repository with a store and one memory, and push it to the hub.
project() {
	git init -q -b main . && co init -q && co learn -q one 2>/dev/null
	git remote add origin "$hub"
	git add -A && git commit -q -m 'with the store'
	git push -q -u origin main 2>/dev/null
}

@test "co sync sends a staged removal or rename" {
	project
	co learn -q two 2>/dev/null
	git rm -q $memories/001-one.md
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Sent 2 files, received 0 (origin/main)'
	git mv $memories/002-two.md $memories/002-second.md
	run -0 --separate-stderr co sync --project -n
	expect <<<'✓ Would send 2 files, received 0 (origin/main)'
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Sent 2 files, received 0 (origin/main)'
	run -0 git -C "$hub" ls-tree -r --name-only main $memories
	expect <<<"$memories/002-second.md"
	[ -z "$(git status --porcelain)" ]
}

@test "co sync succeeds if a staged memory was forgotten" {
	project
	co learn -q two 2>/dev/null
	git add -A
	co forget -q -y 2
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Up to date with origin/main'
	[ -z "$(git status --porcelain)" ]
}

@test "co sync succeeds if git rm --cached removed a memory whose file remains" {
	project
	git rm -q --cached $memories/001-one.md
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Up to date with origin/main'
	git rm -q --cached $memories/001-one.md
	echo 001-one.md >.git/info/exclude
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Up to date with origin/main'
	# A commit that a hook refuses is an error.
	printf '#!/bin/sh\nexit 1\n' >.git/hooks/pre-commit
	chmod +x .git/hooks/pre-commit
	co learn -q two 2>/dev/null
	run -6 co sync --project
	expect <<<"co-sync: git cannot commit the changes: 'git -C $PWD commit' says why"
}

@test "co sync does not commit a sensitive memory that git rm --cached removed" {
	project
	for ignored in '' 001-one.md; do
		echo "$ignored" >.git/info/exclude
		git reset -q --hard
		git rm -q --cached $memories/001-one.md
		sed -i -e s/one/pin-4712/ -e '2i sensitive: true' $memories/001-one.md
		run -0 --separate-stderr co sync --project
		expect <<<'✓ Up to date with origin/main'
		run ! git -C "$hub" grep -q 4712 main
		[ "$(git status --porcelain -uno)" = "D  $memories/001-one.md" ]
		grep -q 4712 $memories/001-one.md
	done
}

@test "co sync --project syncs a store that is a submodule" {
	mkdir ../store && git -C ../store init -q
	mkdir -p ../store/knowledge/memories
	memory 1 2026-02-09T14:30:00Z '' ../store/knowledge/memories/001-one.md <<<one
	git -C ../store add . && git -C ../store commit -q -m store
	git -C ../store push -q "$hub" main
	git -c protocol.file.allow=always submodule --quiet add "$hub" .co-cli
	co learn -q two 2>/dev/null
	printf -- '---\nid: 3\ncreated: 2026-02-09T14:30:00Z\ntags: []\nsource: user-told\nsensitive: true\n---\n\nmine\n' >$memories/003-mine.md
	echo '{}' >.co-cli/settings.json
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Sent 1 file, received 0 (origin/main)'
	run -0 git -C "$hub" ls-tree -r --name-only main knowledge settings.json
	expect <<-'END'
		knowledge/memories/001-one.md
		knowledge/memories/002-two.md
		settings.json
	END
	run -0 git -C .co-cli status --porcelain
	expect <<<'?? knowledge/memories/003-mine.md'
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Up to date with origin/main'
}

@test "co sync merges and sends a change made during its fetch" {
	project
	git clone -q "$hub" ../clone
	(cd ../clone && co tag -q +theirs 1 && co sync -q --project)
	cat >../upload-pack <<-END
		(cd "$PWD" && co tag -q +meanwhile 1) </dev/null >/dev/null 2>&1
		exec git-upload-pack "\$@"
	END
	git config remote.origin.uploadpack "sh $PWD/../upload-pack"
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Sent 1 file, received 1 (origin/main)'
	run -0 co-memory-show 1 --format='%(tags)'
	[[ $output == *theirs* && $output == *meanwhile* ]]
}

@test "a change during the merge of a sync waits and is not lost" {
	project
	git clone -q "$hub" ../clone
	(cd ../clone && co tag -q +theirs 1 && co sync -q --project)
	co tag -q +ours 1
	cat >../driver <<-'END'
		env -u CO_LOCKS_PASSED co tag -q +meanwhile 1 </dev/null >/dev/null 2>&1 &
		sleep 1
		exec co-memory-merge --path="$1" -- "$2" "$3" "$4"
	END
	git config merge.co.driver 'sh ../driver %P %O %A %B'
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Sent 1 file, received 1 (origin/main)'
	for ((i = 0; i < 600; i++)); do
		! grep -q meanwhile $memories/001-one.md || break
		sleep 0.1
	done
	run -0 co-memory-show 1 --format='%(tags)'
	[[ $output == *ours* && $output == *theirs* && $output == *meanwhile* ]]
}

@test "co sync does not commit a memory that becomes sensitive during its commit" {
	project
	co tag -q +changed 1
	printf '#!/bin/sh\nsed -i -e s/one/pin-4712/ -e "2i sensitive: true" "$@"\n' >../mark
	chmod +x ../mark
	mkdir ../bin
	cat >../bin/git <<-END
		#!/bin/sh
		case " \$* " in *" add "*)
			EDITOR="$PWD/../mark" env -u CO_LOCKS_PASSED co edit -q 1 </dev/null >/dev/null 2>&1 &
			sleep 1 ;;
		esac
		exec $(command -v git) "\$@"
	END
	chmod +x ../bin/git
	PATH=$PWD/../bin:$PATH run -0 --separate-stderr co sync --project
	for ((i = 0; i < 600; i++)); do
		! grep -q 4712 $memories/001-*.md || break
		sleep 0.1
	done
	grep -q 4712 $memories/001-*.md
	run ! git -C "$hub" grep -q 4712 main
}

# wait_for FILE: wait until FILE exists.
wait_for() {
	for ((i = 0; i < 600; i++)); do
		[ ! -e "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

@test "a signal that ends co sync also ends its fetch" {
	project
	cat >../upload-pack <<-'END'
		trap 'touch ../ended; exit 1' TERM
		touch ../begun
		while :; do sleep 0.1; done
	END
	git config remote.origin.uploadpack "cd $PWD; sh ../upload-pack"
	co sync --project &
	wait_for ../begun
	kill $!
	wait $! || status=$?
	[ "$status" = 143 ]
	wait_for ../ended
}

@test "co sync waits for the merge of git before it ends by a signal" {
	project
	git clone -q "$hub" ../clone
	(cd ../clone && co tag -q +theirs 1 && co sync -q --project)
	co tag -q +ours 1
	cat >../driver <<-'END'
		touch ../begun
		sleep 1
		exec co-memory-merge --path="$1" -- "$2" "$3" "$4"
	END
	git config merge.co.driver 'sh ../driver %P %O %A %B'
	co sync --project &
	wait_for ../begun
	kill $!
	wait $! || status=$?
	[ "$status" = 143 ]
	git diff --quiet HEAD
	run -0 co-memory-show 1 --format='%(tags)'
	[[ $output == *ours* && $output == *theirs* ]]
	run -0 --separate-stderr co sync --project
	expect <<<'✓ Sent 1 file, received 0 (origin/main)'
}

@test "writers wait for the merge of git, even if the sync was killed" {
	project
	git clone -q "$hub" ../clone
	(cd ../clone && co tag -q +theirs 1 && co sync -q --project)
	co tag -q +ours 1
	cat >../driver <<-'END'
		touch ../begun
		sleep 1
		exec co-memory-merge --path="$1" -- "$2" "$3" "$4"
	END
	git config merge.co.driver 'sh ../driver %P %O %A %B'
	co sync --project &
	wait_for ../begun
	kill -9 $!
	co tag -q +meanwhile 1
	run -0 --separate-stderr co sync --project
	run -0 co-memory-show 1 --format='%(tags)'
	[[ $output == *ours* && $output == *theirs* && $output == *meanwhile* ]]
}

@test "co sync succeeds if the hook of co would refuse a duplicate id" {
	co init -q
	co learn -q 'Tests run with make, and need a database' 2>made
	git add -A
	git commit -q -m one
	git remote add origin "$hub"
	git push -q -u origin main
	"$CO_BIN/../share/co-cli/hooks/install" 2>installed
	git clone -q "$hub" ../clone
	(cd ../clone && co tag -q +theirs 1 && co learn -q 'The second one knows this' && co sync -q --project)
	co forget -q -y 1
	co learn -q 'Something else again, of ours'
	run -0 --separate-stderr co sync --project
	run -0 co-memory-list --format='%(id) %(content)'
	expect <<-'END'
		1 Tests run with make, and need a database
		2 The second one knows this
		3 Something else again, of ours
	END
}

@test "co sync reports a FIFO that git would wait for" {
	project
	rm -f .co-cli/.gitattributes
	mkfifo .co-cli/.gitattributes
	run -3 timeout 20 co sync --project
	expect <<<"co-sync: '$PWD/.co-cli/.gitattributes' is not a regular file: remove it"
}

@test "co sync without a branch names the next step" {
	project
	git checkout -q --detach
	run -6 co sync --project
	expect <<<"co-sync: no branch is checked out in '$PWD': 'git switch BRANCH' checks one out"
}

@test "co sync reports a link in a store, and neither follows nor sends it" {
	machines a b
	knowledge=$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge
	mkdir -p "$knowledge/files" outside
	echo text >"$knowledge/files/notes.txt"
	on a co learn -q --global first
	on a co sync -q
	n=1
	for name in memories/x.md memories/more articles archive attachments prompts; do
		ln -s "$PWD/outside" "$knowledge/$name"
		on b co learn -q --global "from b with $name"
		on b co sync -q
		on a co tag -q --global +tag$n 1
		run -0 --separate-stderr on a co sync
		expect <<<'✓ Sent 1 file, received 1 (origin/main)'
		[ "$stderr" = "co-sync: refusing '$knowledge/$name': it is a link" ]
		[ -L "$knowledge/$name" ]
		rm "$knowledge/$name"
		n=$((n + 1))
	done
	# The files of a directory that is now a link are not removed elsewhere.
	mv "$knowledge/files" outside/files
	ln -s "$PWD/outside" "$knowledge/files"
	on a co tag -q --global +last 1
	run -0 on a co sync
	run -0 git -C "$hub" ls-tree -r main
	[[ $output != *120000* && $output == *files/notes.txt* ]]
}

@test "co sync sends no attachment if it cannot read the articles" {
	machines a
	knowledge=$BATS_TEST_TMPDIR/a/.config/co-cli/knowledge
	on a co learn -q --global first
	mkdir -p "$knowledge/attachments" outside
	echo secret >"$knowledge/attachments/pin.txt"
	ln -s "$PWD/outside" "$knowledge/articles"
	run -0 on a co sync
	run ! git -C "$hub" grep -q secret main
	rm "$knowledge/articles"
	run -0 on a co sync
	run -0 git -C "$hub" grep -q secret main
}
