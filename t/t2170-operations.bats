#!/usr/bin/env bats
# The operation log: it costs little, is bounded, and blocks no command.
# bats file_tags=rights
load lib

setup() {
	world
	log=$oplog
}

@test "a save costs the log one write, and no sync" {
	need_strace
	co-memory-save -q <<<one 2>/dev/null
	strace -qq -y -o trace -e trace=write,fsync,fdatasync co-memory-save -q \
		<<<two
	[ "$(grep -c '^write.*/log/' trace)" -eq 1 ]
	run ! grep -E '^f(data)?sync.*/log/' trace
}

@test "a change without a possible log succeeds with a warning" {
	mkdir -p "${log%/*}"
	echo in the way >"$log"
	run -0 --separate-stderr co-memory-save <<<one
	expect <<<"$PWD/.co-cli/knowledge/memories/001-one.md"
	[[ $stderr == "co-memory-save: not in the log, so 'co undo' cannot undo it: "* ]]
	echo '{"facts":["f"]}' >items
	run -0 --separate-stderr co-item-add --from=c <items
	[[ $stderr == "co-item-add: not in the log, so 'co undo' cannot undo it: "* ]]
	run -0 co-tag -q +x 1
	[ "${#lines[@]}" -eq 1 ]
	run -0 co-forget -q -y 1
	rm "$log"
	mkfifo fifo
	co-learn -q two
	mv fifo "$log"/now/ops
	run -0 timeout 60 co-learn -q three
	[ "$(co-memory-list | wc -l)" -eq 2 ]
}

@test "a torn line of the log is skipped, and the next line is valid" {
	co-learn -q one 2>/dev/null
	co-learn -q two
	truncate -s -9 "$log"/now/ops
	co-learn -q three
	run -0 co-operation-list
	expect <<-'END'
		2  2026-02-09T14:30:00Z  co-learn  +memories/003-three.md
		1  2026-02-09T14:30:00Z  co-learn  +memories/001-one.md
	END
	printf 'nonsense\n{"op":"x"}\n{"op":9}\n\n[]\n' >>"$log"/now/ops
	co-learn -q four
	[ "$(co-operation-list | wc -l)" -eq 3 ]
	run -0 co-undo -q
}

@test "a forged log leads to no file outside the store" {
	co-learn -q one 2>/dev/null
	echo precious >precious
	sum=$(sha256sum <precious | cut -c1-64)
	n=1
	for path in ../precious precious knowledge/../../precious /etc/passwd \
		knowledge/.log/now/ops knowledge/trash/.gitignore \
		knowledge//precious .gitignore; do
		printf '{"op":%d,"at":"x","command":"y","by":"z","path":"%s","before":null,"after":"%s"}\n' \
			$((++n)) "$path" "$sum" >>"$log"/now/ops
	done
	[ "$(co-operation-list | wc -l)" -eq 1 ]
	run -0 co-undo -q
	[ "$(cat precious)" = precious ]
}

# many FIRST LAST AT: print operations whose files no longer exist.
many() {
	local line
	line='"command":"co-learn","by":"user","path":"knowledge/memories/001-x.md","before":null,"after":"'
	line+=$(printf '%064d' 7)'"}'
	seq "$1" "$2" | sed "s|.*|{\"op\":&,\"at\":\"$3\",$line|"
}

@test "the log keeps 1000 operations or 90 days, whichever is more" {
	local n
	co-learn -q one 2>/dev/null
	for n in 1 2 3; do
		mkdir "$log"/00000000${n}000
		many $((n * 1000 - 999)) $((n * 1000)) \
			"202$n-01-01T00:00:00Z" >"$log"/00000000${n}000/ops
		touch "$log"/00000000${n}000/"$(printf '%064d' 7)"
	done
	many 3001 4000 2026-02-01T00:00:00Z >"$log"/now/ops
	co-learn -q two
	run -0 ls "$log"
	expect <<<$'000000004000\nnow\nstore'
	[ "$(co-operation-list -n 1)" = '4001  2026-02-09T14:30:00Z  co-learn  +memories/002-two.md' ]
	[ "$(co-operation-list | wc -l)" -eq 1001 ]
	# Recent operations stay, however many there are.
	many 4002 5000 2026-02-02T00:00:00Z >>"$log"/now/ops
	co-learn -q three
	[ "$(co-operation-list | wc -l)" -eq 2001 ]
	run -0 co-undo -q
	CO_NOW=2027-01-01T00:00:00Z co-learn -q four
	[ "$(co-operation-list | wc -l)" -eq 2003 ]
}

# ten_thousand: make a log of 10,010 operations in eleven segments, and a memory.
ten_thousand() {
	local n
	co-learn -q one 2>/dev/null
	for n in 01 02 03 04 05 06 07 08 09 10; do
		mkdir "$log"/0000000${n}000
		many $((10#$n * 1000 - 999)) $((10#$n * 1000)) \
			2026-02-01T00:00:00Z >"$log"/0000000${n}000/ops
	done
	many 10001 10010 2026-02-01T00:00:00Z >"$log"/now/ops
}

# read_of COMMAND...: print how many bytes of the log COMMAND reads.
read_of() {
	strace -f --seccomp-bpf -qq -y -o trace -e trace=read,pread64 "$@" >/dev/null
	awk '/\/log\// { sum += $NF } END { print sum + 0 }' trace
}

@test "save, list and undo read only the end of a log of 10,000 operations" {
	need_strace
	ten_thousand
	[ "$(read_of co-learn -q two)" -lt 5000 ]
	[ "$(read_of co-undo --list)" -lt 500000 ]
	[ "$(read_of co-operation-list)" -gt 1000000 ]
	[ "$(co-operation-list | wc -l)" -eq 10011 ]
	[ "$(read_of co-undo)" -lt 500000 ]
}

@test "an undo of an old operation reads a long log about twice" {
	need_strace
	local all
	ten_thousand
	all=$(read_of co-operation-list)
	[ "$all" -gt 1000000 ]
	[ "$(read_of co-undo 5)" -gt "$all" ]
	[ "$(read_of co-undo 5)" -lt $((3 * all)) ]
	# This undo skips operations that changed nothing here.
	[ "$(read_of co-undo)" -lt $((3 * all)) ]
}

@test "concurrent operations are all logged, each under its own number" {
	co-learn -q one 2>/dev/null
	for i in 1 2 3 4 5 6 7 8; do
		seq 20 | sed "s/.*/{\"content\":\"$i and &\"}/" |
			co-memory-save --batch >/dev/null &
	done
	wait
	[ "$(co-memory-list | wc -l)" -eq 161 ]
	co-operation-list --json >ops
	[ "$(jq -r .op ops | sort -n | uniq -d)" = "" ]
	[ "$(jq -r '.changes[].path' ops | sort | uniq -d)" = "" ]
	[ "$(jq -r '.changes[].path' ops | wc -l)" -eq 161 ]
	while [ -n "$(co-undo 2>/dev/null)" ]; do :; done
	[ -z "$(co-memory-list)" ]
}

@test "each work tree has its own operation log" {
	command -v git >/dev/null || skip 'git is missing'
	unset GIT_CEILING_DIRECTORIES
	git init -q main
	cd main
	git config user.email a@b && git config user.name a
	co-learn -q one 2>/dev/null
	git add -A && git commit -qm one
	run -0 git status --porcelain --ignored=no
	expect </dev/null
	git worktree add -q ../other 2>/dev/null
	cd ../other
	run -0 co-undo
	co-learn -q two
	[ "$(co-operation-list --json | jq -r .worktree)" = other ]
	run -0 co-undo -q
	cd ../main
	run -0 --separate-stderr co-undo
	expect <<<'✓ Undid '\''co learn'\'' of 2026-02-09T14:30:00Z: memory 1 is in the trash (one)'
}

# repository: make this directory a repository with a memory.
repository() {
	unset GIT_CEILING_DIRECTORIES
	git init -q -b main .
	git config user.email a@b && git config user.name a
	co-learn -q 'Deploys use make' 2>/dev/null
	git add -A && git commit -qm one
}

# plant ops|unfinished: write a log in the work tree that changes the memory's text.
plant() {
	local file sums old=.co-cli/knowledge/.log
	file=$(co-memory-list)
	mkdir -p $old/now
	sed 's/use make/use evil/' "$file" >evil
	read -ra sums < <(sha256sum <"$file")
	sums[1]=$(sha256sum <evil | cut -c1-64)
	mv evil "$old/now/${sums[1]}"
	: >$old/now/ops
	if [ "$1" = unfinished ]; then
		sums[2]='"undoes":1,'
	else
		sums=("${sums[1]}" "${sums[0]}" '')
		set -- now/ops
	fi
	printf '{"op":1,"at":"2026-02-09T14:30:00Z","command":"co-undo","by":"u",%s"path":"knowledge/memories/%s","before":"%s","after":"%s"}\n' \
		"${sums[2]}" "${file##*/}" "${sums[0]}" "${sums[1]}" >"$old/$1"
	echo '*' >$old/.gitignore
}

# unread: check that a planted log has no effect, and that its directory is reported.
unread() {
	run -0 --separate-stderr co-learn -q 'An innocent fact'
	[ -z "$stderr" ]
	run -0 co-undo -q
	run co-undo
	run ! grep -rq evil .co-cli/knowledge/memories
	run -3 co-knowledge-check
	[[ $output == *"/.log': does not belong here"* ]]
}

@test "a log that came with a clone is never read, and is reported" {
	repository
	for what in unfinished ops; do
		git switch -qc $what main
		plant $what
		git add -f .co-cli && git commit -qm $what
		git clone -q . ../$what
	done
	for what in unfinished ops; do
		cd "$BATS_TEST_TMPDIR/$what"
		unread
	done
	rm -r .co-cli/knowledge/.log
	run -0 co-knowledge-check
}

@test "a log that came with a pull is never read, and the user's own log works" {
	repository
	git clone -q . ../mine
	git switch -qc theirs
	plant unfinished
	git add -f .co-cli && git commit -qm theirs
	cd ../mine
	git config user.email a@b && git config user.name a
	co-learn -q mine
	git add -A && git commit -qm mine
	git fetch -q
	git switch -q --detach origin/theirs
	unread
	git stash -qu
	git switch -q main
	[ ! -e .co-cli/knowledge/.log ]
	git pull -q --no-rebase --no-edit origin theirs
	run -0 --separate-stderr co-learn -q another
	[ -z "$stderr" ]
	run -0 co-undo
	run -0 --separate-stderr co-undo 1
	expect <<<'✓ Undid '\''co learn'\'' of 2026-02-09T14:30:00Z: memory 2 is in the trash (mine)'
	run ! grep -rq evil .co-cli/knowledge/memories
}

@test "co undo undoes operations from before git init" {
	co-learn -q one
	unset GIT_CEILING_DIRECTORIES
	git init -q .
	co-learn -q two
	[ ! -e "$log" ]
	[ "$(co-operation-list | wc -l)" -eq 2 ]
	run -0 co-undo -q
	run -0 co-undo -q
	[ -z "$(co-memory-list)" ]
}

@test "outside git the log is in the state directory, private to the user" {
	umask 022
	co-learn -q one
	[ "$(stat -c %a "$log" "$log/now" "$log/now/ops" | tr '\n' ' ')" = '700 700 600 ' ]
	run -0 co-undo -q
	run -0 co-undo
}

@test "an undo fails if it cannot find out what replaced a memory" {
	local memories=.co-cli/knowledge/memories
	[ "$(id -u)" -ne 0 ] || skip "root can read everything"
	co-learn -q one
	co-learn -q --replaces=1 two
	sed 's/^id: .*/id: 3/; s/^two/three/' $memories/002-two.md >$memories/003-three.md
	chmod 000 $memories/003-three.md
	run -4 co-undo
	[[ $output == *"'$PWD/$memories/003-three.md': Permission denied"* ]]
	[ -e $memories/002-two.md ]
	[ ! -e $memories/001-one.md ]
	chmod 600 $memories/003-three.md
	run -5 co-undo
}
