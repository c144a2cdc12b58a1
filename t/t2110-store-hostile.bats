#!/usr/bin/env bats
# A repository may be malicious or broken: co follows no link, waits for no file, and
# takes no error for an empty store.
# bats file_tags=rights
load lib

setup() {
	world
	mkdir -p $memories
}

@test "a store directory that is a link is refused" {
	mkdir elsewhere
	rmdir $memories
	ln -s "$PWD/elsewhere" $memories
	run -3 co-memory-next-id
	expect <<<"co-memory-next-id: refusing '$PWD/$memories': it is a link"
	run -3 co-memory-save <<<x
	[ -z "$(ls -A elsewhere)" ]
	rm -r .co-cli/knowledge
	ln -s "$PWD/elsewhere" .co-cli/knowledge
	run -3 co-memory-next-id
	run -3 co-memory-save <<<x
	[ -z "$(ls -A elsewhere)" ]
}

@test "co does not write through drafts and trash that are links" {
	mkdir elsewhere
	ln -s "$PWD/elsewhere" $drafts
	ln -s "$PWD/elsewhere" $trash
	memory 1 2026-01-01T00:00:00Z a <<<one
	run -3 co-memory-save --draft <<<x
	run -3 co-memory-remove 1
	run -3 co-memory-remove --purge 1
	[ -z "$(ls -A elsewhere)" ]
	[ -e $memories/001-m.md ]
}

@test "links, FIFOs and directories are not memories and block no command" {
	memory 7 2026-01-01T00:00:00Z a secret.md <<<secret
	ln -s "$PWD/secret.md" $memories/003-link.md
	ln -s nowhere $memories/004-dangling.md
	ln -s 005-loop.md $memories/005-loop.md
	mkfifo $memories/002-fifo.md
	mkdir $memories/006-folder.md
	run -0 timeout 60 co-memory-next-id
	expect <<<1
	run -1 timeout 60 co-memory-remove 2 3 4 5 6
	run -3 co-memory-remove $memories/003-link.md
	expect <<<"co-memory-remove: refusing '$memories/003-link.md': it is not a regular file"
	[ -L $memories/003-link.md ]
}

@test "names that begin with a dot or do not end in .md are not memories" {
	for name in .hidden.md 009-x.MD 009-x.md~ 009-x .co-tmp .md; do
		memory 9 2026-01-01T00:00:00Z a "$memories/$name" <<<x
	done
	run -0 co-memory-next-id
	expect <<<1
	run -2 co-memory-remove $memories/009-x
	[[ $output == *"'$memories/009-x' is not a memory: its name does not end in '.md'"* ]]
}

@test "a file with a temporary file's name blocks no save and is not written" {
	local long='precious, and longer than what is written' name
	echo "$long" >precious
	rm -rf .co-cli
	mkdir -p $memories $trash
	for name in .co-cli .co-cli/knowledge $memories; do
		ln precious $name/.co-tmp-1
		ln -s "$PWD/precious" $name/.co-tmp-2
		mkdir $name/.co-tmp
	done
	mkdir $trash/.gitignore
	co-memory-save <<<hello
	co-learn --always hello >/dev/null
	co-memory-save --replaces=1 <<<again
	co-forget -y 2
	co-forget --undo
	[ "$(tail -n 1 $memories/002-again.md)" = again ]
	[ "$(cat precious)" = "$long" ]
	touch -h -d '2 hours ago' .co-cli/.co-tmp* .co-cli/knowledge/.co-tmp*
	co-memory-save <<<more
	[ "$(find .co-cli -maxdepth 2 -name '.co-tmp*' ! -type d)" = \
		"" ]
	[ "$(cat precious)" = "$long" ]
}

@test "a directory that cannot be read is an error, not empty" {
	memory 41 2026-01-01T00:00:00Z a <<<x
	chmod 000 $memories
	if [ -r $memories ]; then
		chmod 755 $memories
		need_strace
		run -4 strace -qq -o /dev/null \
			-e inject=getdents64:error=EIO:when=1 co-memory-next-id
		[[ $output == "co-memory-next-id: cannot read '"* ]]
		run -4 strace -qq -o /dev/null \
			-e inject=getdents64:error=EIO:when=2 co-memory-next-id
	else
		run -4 co-memory-next-id
		[[ $output == *"Permission denied" ]]
		chmod 755 $memories
	fi
}

@test "running out of descriptors is an error, not a lower id" {
	memory 41 2026-01-01T00:00:00Z a $memories/001-x.md <<<x
	run -4 bash -c 'ulimit -n 6; co-memory-next-id'
	[[ $output == *"Too many open files" ]]
}

@test "an unreadable file counts by the id in its name" {
	need_strace
	memory 41 2026-01-01T00:00:00Z a $memories/007-x.md <<<x
	run -0 strace -qq -o /dev/null -P "$PWD/$memories" -P 007-x.md \
		-e inject=openat:error=EACCES:when=2+ co-memory-next-id
	expect <<<8
}

@test "co leaves access times unchanged if the system allows it" {
	need_strace
	local n folders=(.co-cli .co-cli/knowledge "$memories")
	memory 41 2026-01-01T00:00:00Z a <<<x
	for folder in "${folders[@]}"; do
		touch -a -d 2020-01-01T00:00:00Z "$folder"
	done
	co-memory-save <<<y
	for folder in "${folders[@]}"; do
		[[ $(LC_ALL=C ls -ldu --time-style=+%Y "$folder") == *' 2020 '* ]]
	done
	strace -qq -e trace=openat -o calls co-memory-list
	mapfile -t quiet < <(grep -n O_NOATIME calls | cut -d: -f1)
	[ ${#quiet[@]} -gt 0 ]
	for n in "${quiet[@]}"; do
		run -0 strace -qq -o /dev/null \
			-e "inject=openat:error=EPERM:when=$n" co-memory-list
		[ ${#lines[@]} = 2 ]
	done
}

@test "a path to a memory may contain links and relative parts" {
	memory 1 2026-01-01T00:00:00Z a <<<one
	ln -s "$PWD/$memories" shortcut
	for path in shortcut/001-m.md "$PWD/$memories/../memories/001-m.md"; do
		run -0 co-memory-remove "$path"
		expect <<<"$PWD/$trash/20260209T143000Z-1/001-m.md"
		run -0 co-memory-restore "$output"
	done
	cd $memories
	run -0 co-memory-remove ./001-m.md
	cd ../trash/20260209T143000Z-1
	run -0 co-memory-restore 001-m.md
	expect <<<"$BATS_TEST_TMPDIR/project/$memories/001-m.md"
}

@test "paths outside the store are refused" {
	memory 1 2026-01-01T00:00:00Z a 001-m.md <<<one
	memory 1 2026-01-01T00:00:00Z a <<<one
	mkdir $memories/deeper
	cp 001-m.md $memories/deeper
	for path in 001-m.md ./001-m.md /etc/passwd / . .. ./foo \
		$memories/deeper/001-m.md \
		$memories/../../../001-m.md; do
		run -2 co-memory-remove "$path"
		expect <<<"co-memory-remove: '$path' is outside the store"$'\nhint: try \'co-memory-remove -h\''
	done
	run -1 co-memory-remove $memories/nope.md
	expect <<<"co-memory-remove: no memory '$memories/nope.md'"
}

@test "a word in place of an id is reported as neither an id nor a file" {
	memory 1 2026-01-01T00:00:00Z a <<<one
	run -2 co-memory-remove foo
	[ "${lines[0]}" = "co-memory-remove: 'foo' is not an id or a file of the store" ]
	[[ ${lines[1]} == 'hint: '* ]]
	# These commands also accept words.
	for command in 'co-edit foo' 'co-archive foo' 'co-learn --replaces=foo x'; do
		run -1 $command
		[ "${lines[0]}" = "${command%% *}: no memory has 'foo'" ]
		[[ ${lines[1]} == 'hint: '* ]]
	done
}

@test "a path of the other store is refused with the option to use" {
	co-memory-save --global <<<g
	memory 1 2026-01-01T00:00:00Z a <<<one
	run -2 co-memory-remove "$global/knowledge/memories/001-g.md"
	expect <<<"co-memory-remove: '$global/knowledge/memories/001-g.md' is in the user store: add --global"$'\nhint: try \'co-memory-remove -h\''
	run -2 co-memory-remove --global $memories/001-m.md
	expect <<<"co-memory-remove: '$memories/001-m.md' is in the project store: leave --global out"$'\nhint: try \'co-memory-remove -h\''
}

@test "digits are always an id, never a path" {
	memory 1 2026-01-01T00:00:00Z a <<<one
	cd $memories
	for id in 0 2 000 1000000000 99999999999999999999999; do
		run -1 co-memory-remove $id
		expect <<<"co-memory-remove: no memory '$id'"
	done
	cp 001-m.md 12
	run -2 co-memory-remove ./12
	run -1 co-memory-remove 12
	run -0 co-memory-remove 0001
}

# theirs_and_mine: make a repository with a memory, and a clone of it in ../mine.
theirs_and_mine() {
	unset GIT_CEILING_DIRECTORIES
	git init -q -b main .
	git config user.email a@b && git config user.name a
	co-learn -q one 2>/dev/null
	git add -A && git commit -qm one
	git clone -q . ../mine
	git -C ../mine config user.email a@b
	git -C ../mine config user.name a
}

@test "co does not restore a removal that a pull changed" {
	theirs_and_mine
	cd ../mine
	co-learn -q mine
	co-forget -q -y 2
	file=$(co-memory-list --trash)
	file=${file#"$PWD/"}
	cd ../project
	mkdir -p "${file%/*}"
	memory 2 2026-01-01T00:00:00Z '' "$file" <<<evil
	git add -f .co-cli && git commit -qm theirs
	cd ../mine
	git pull -q --no-rebase --no-edit origin main
	grep -q evil "$file"
	run -1 co-forget --undo
	run ! grep -rq evil $memories
	run co-undo
	run ! grep -rq evil $memories
}
