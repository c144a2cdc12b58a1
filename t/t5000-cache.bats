#!/usr/bin/env bats
# The cache of a store's files. Readers must print the same with and without a
# cache, whatever happens to the files, the directories or the cache.
load lib
load cache

@test "readers create a cache for a store with many memories only" {
	many 60
	co-memory-list >/dev/null
	[ ! -e "$HOME/.cache" ]
	many 150
	co-memory-list >/dev/null
	[ "$(stat -c %a "$(catalog)")" = 600 ]
	[ "$(stat -c %a "$(dirname "$(catalog)")")" = 700 ]
	same
}

@test "list, next-id and grep open no memory while the cache is fresh" {
	need_strace
	many
	warm
	for command in co-memory-list co-memory-next-id \
		'co-memory-grep xylophone'; do
		# shellcheck disable=SC2086
		strace -e trace=openat -o trace $command >/dev/null
		run -1 grep -c '\.md"' trace
	done
}

@test "readers notice edited, added, removed and renamed files" {
	many
	warm
	printf '%s\n' '' 'xylophone 1' >>$memories/007-*
	same
	memory 900 2026-01-01T00:00:00Z new <<<'a new xylophone'
	same
	rm $memories/020-*
	same
	mv $memories/030-* $memories/031-moved.md
	same
	settle
	same again
	mkdir -p $drafts $trash/20260101T000000Z-1/drafts
	memory 950 2026-01-01T00:00:00Z a $drafts/950-a.md <<<draft
	same
	memory 960 2026-01-01T00:00:00Z a $trash/20260101T000000Z-1/960-a.md \
		<<<removed
	same
	memory 970 2026-01-01T00:00:00Z a \
		$trash/20260101T000000Z-1/drafts/970-a.md <<<removed
	[ "$(co-memory-next-id)" = 971 ]
	settle
	co-memory-next-id >/dev/null
	mv $trash/20260101T000000Z-1 "$BATS_TEST_TMPDIR/away"
	[ "$(co-memory-next-id)" = 951 ]
	co-memory-remove --purge 950
	[ "$(co-memory-next-id)" = 951 ]
	same
}

@test "readers notice an edit in place in the same tick and of the same size" {
	memory 1 2026-01-01T00:00:00Z a <<<'old word'
	many
	for i in {1..8}; do
		memory 7 2026-01-01T00:00:00Z a $memories/007-x.md \
			<<<"word$((i + 10)) here"
		[ "$(co-memory-grep -c "word$((i + 10)) here")" = 1 ]
		[ "$(co-memory-grep -c "word$((i + 9)) here")" = 0 ] || false
	done
}

@test "readers notice changed files whose old timestamps were restored" {
	many
	file=$(echo $memories/044-*)
	cp -p "$file" kept
	sed -i 's/^\(id: 44\)$/\1\nfree: key/; $s/.*/another thing/' "$file"
	touch -d '2020-01-01' "$file" kept
	warm
	same
	# Edit in place, with the same size and mtime: only the ctime differs.
	sed 's/another/xylophx/' "$file" >changed
	touch -r "$file" stamp
	cat changed >"$file"
	touch -r stamp "$file"
	same
	[ "$(co-memory-grep -c xylophx)" = 1 ]
	settle
	same
	cp -p kept "$file"
	same
	settle
	touch -d '2099-01-01' "$file"
	same
	sed -i 's/the/thx/' "$file"
	touch -d '2099-01-01' "$file"
	same
}

@test "readers notice that another directory replaced a directory" {
	many
	warm
	cp -a .co-cli/knowledge/memories other
	sed -i 's/xylophone/xylophant/' other/*
	mv $memories away
	same
	mv other $memories
	same
	settle
	same again
	rm -r $memories
	mv away $memories
	same
	mv .co-cli/knowledge gone
	cp -a gone .co-cli/knowledge
	rm $memories/05*
	same
}

@test "a store that was moved or is reached by a link gets its own cache" {
	many
	warm
	mkdir ../elsewhere
	mv .co-cli ../elsewhere
	cd ../elsewhere
	same
	mkdir -p "$HOME/.config"
	cp -a .co-cli "$BATS_TEST_TMPDIR/real"
	ln -s "$BATS_TEST_TMPDIR/real" "$global"
	diff <(XDG_CACHE_HOME=/dev/null co-memory-list --global) \
		<(co-memory-list --global)
	settle
	co-memory-list --global >/dev/null
	diff <(XDG_CACHE_HOME=/dev/null co-memory-list --global --json) \
		<(co-memory-list --global --json)
	[ "$(catalog | wc -l)" = 2 ]
	diff <(XDG_CACHE_HOME=/dev/null co-memory-show --global 5) \
		<(co-memory-show --global 5)
}

@test "readers with a cache report links, devices and unreadable files" {
	many
	mkdir -p $drafts
	"$CO_SOURCE/t/hostile" $memories 80
	"$CO_SOURCE/t/hostile" $drafts 30
	warm
	same
	ln -s /etc/passwd $memories/998-link.md
	mkdir $memories/999-folder.md
	head -c 2000000 /dev/zero >$memories/997-big.md
	same
	rm $memories/998-link.md
	mkfifo $memories/998-link.md
	same
	settle
	same again
	rmdir $memories/999-folder.md
	memory 999 2026-01-01T00:00:00Z a $memories/999-folder.md <<<good
	same
}

# bats test_tags=rights
@test "readers with a cache report a file without read permission" {
	[ "$(id -u)" -ne 0 ] || skip "root may read everything"
	many
	warm
	chmod 000 $memories/050-*
	same
	chmod 644 $memories/050-*
	same
	chmod 000 $memories
	same
	chmod 755 $memories
}

@test "readers rebuild a corrupt catalog and one of a future version" {
	many
	warm
	head -c 100000 /dev/urandom >"$(catalog)"
	same
	head -c 8 "$(catalog)" | diff - <(printf 'co-files')
	printf '\xff' | dd of="$(catalog)" bs=1 seek=12 conv=notrunc status=none
	same
	: >"$(catalog)"
	same
	rm "$(catalog)"
	same
	[ -s "$(catalog)" ]
}

@test "readers do not use a cache directory that other users could change" {
	many
	warm
	folder=$(dirname "$(catalog)")
	chmod 777 "$folder"
	rm "$folder/files"
	same
	[ ! -e "$folder/files" ]
	rm -r "$folder"
	mkdir planted
	ln -s "$PWD/planted" "$folder"
	same
	[ -z "$(ls planted)" ]
	rm "$folder"
	: >"$folder"
	same
	rm "$folder"
	co-memory-list >/dev/null
	[ -s "$folder/files" ]
	mv "$folder/files" files
	ln -s "$PWD/files" "$folder/files"
	cp files before
	same
	cmp files before
	rm "$folder/files"
	mkfifo "$folder/files"
	same
}

@test "readers work without a cache if it cannot be written" {
	many
	HOME=/dev/null run -0 co-memory-list
	mkdir -p "$HOME/.cache"
	: >"$HOME/.cache/co-cli"
	same
	unset HOME
	run -0 co-memory-next-id
	expect <<<151
}

@test "the caches of deleted stores are removed, other caches are kept" {
	mkdir one two
	(cd one && many && warm)
	(cd two && many && warm)
	[ "$(catalog | wc -l)" = 2 ]
	mkdir "$HOME/.cache/co-cli/keep"
	: >"$HOME/.cache/co-cli/keep/files"
	: >"$(dirname "$(catalog | head -n 1)")/mine"
	rm -r one
	mkdir three
	(cd three && many && warm)
	run -0 find "$HOME/.cache/co-cli" -name files
	[ "${#lines[@]}" = 3 ]
	[ -e "$HOME/.cache/co-cli/keep/files" ]
	[ "$(find "$HOME/.cache/co-cli" -name mine | wc -l)" = 1 ]
}

@test "a save opens no memory while the cache is fresh" {
	need_strace
	many
	co-memory-save <<<'the first of them' >/dev/null
	co-memory-save <<<'the second of them' >/dev/null
	strace -y -e trace=openat,newfstatat,getdents64 -o trace \
		co-memory-save <<<'the third of them' >/dev/null
	[ "$(grep -c '[0-9]-.*\.md' trace)" = 1 ]
	# Only the directories of temporary files are listed.
	run -1 grep -E 'getdents.*/(memories|drafts|trash)' trace
	strace -e trace=openat,newfstatat,getdents64 -o trace \
		co-learn --json 'the second of them' >out
	grep -q 'Already saved as memory 152' out
	[ "$(grep -c '[0-9]-.*\.md' trace)" = 1 ]
	same
}

# removals N: make N removals that the cache knows and trusts.
removals() {
	local i
	seq -f "$trash/20260101T000000Z-%.0f" "$1" | xargs mkdir -p
	for ((i = 1; i <= $1; i++)); do
		printf -- '---\nid: %s\ncreated: 2026-01-01T00:00:00Z\n---\n\ngone\n' \
			"$i" >"$trash/20260101T000000Z-$i/$i-gone.md"
	done
	settle
	co-memory-next-id >/dev/null
	co-memory-save <<<"behind $1" >/dev/null
}

# calls COMMAND...: print the number of system calls that it makes.
calls() {
	strace -o trace "$@" >/dev/null <<<"one more of $#, $RANDOM"
	grep -c '^[a-z]' trace
}

@test "removals cost a save no system calls, and next-id two calls each" {
	need_strace
	many
	removals 10
	local save next
	save=$(calls co-memory-save)
	calls co-memory-next-id >/dev/null
	next=$(calls co-memory-next-id)
	removals 210
	[ "$(calls co-memory-save)" -le $((save + 20)) ]
	calls co-memory-next-id >/dev/null
	[ "$(calls co-memory-next-id)" -le $((next + 2 * 200 + 40)) ]
	same
}

@test "a save after a removal makes no more system calls than before it" {
	need_strace
	many
	warm
	local before text
	for text in first second; do
		calls co-memory-save >/dev/null
		before=$(calls co-memory-save)
		co-memory-remove 7 >/dev/null 2>&1 || co-memory-remove 9
		[ "$(calls co-memory-save)" -le $((before + 5)) ]
		run -1 grep -E '[0-9]{3}-.*\.md.*= -?[0-9]' <(
			grep -v 'one-more' trace)
		same
	done
	# The cache knows the removed files: their ids are not given again, and
	# they are not memories.
	text=$(awk '/^---$/ { n++; next } n > 1' "$trash"/*/007-*.md)
	co-memory-list >/dev/null
	calls co-memory-save >/dev/null
	run -1 strace -y -e trace=getdents64 -o trace \
		co-memory-save --unless-known <<<"$text"
	[[ $output == */"$trash"/*/007-* ]]
	run -1 grep knowledge/ trace
	run -0 co-memory-save <<<"$text"
	[[ $output == */158-* ]]
	same
}

# forgets ADD REMOVE: check that a save after REMOVE, which removes what ADD
# made, makes no more system calls than the save before it. The first round
# creates directories and does not count.
forgets() {
	local before behind round
	for round in first second; do
		eval "$1" >/dev/null
		co-memory-list >/dev/null
		settle
		calls co-memory-save >/dev/null
		before=$(calls co-memory-save)
		eval "$2" >/dev/null
		behind=$(calls co-memory-save)
		echo "$2, $round: $behind calls, $before before"
		[ $round = first ] || [ "$behind" -le $((before + 5)) ]
	done
	same
}

@test "a save after removing a draft or an article makes no additional calls" {
	need_strace
	many
	warm
	# shellcheck disable=SC2016
	forgets 'path=$(co-memory-save --draft <<<"a draft $RANDOM")' \
		'co-memory-remove "$path"'
	git init -q .
	# shellcheck disable=SC2016
	forgets 'path=$(co-memory-save --draft <<<"of the git dir $RANDOM")
		[[ $path = */.git/* ]]' 'co-memory-remove "$path"'
	# shellcheck disable=SC2016
	forgets 'path=$(co-memory-save <<<"an old one $RANDOM")
		co-memory-save --replaces="$path" <<<"a new one $RANDOM"
		path=$archive/${path##*/} && [ -f "$path" ]' 'co-memory-remove "$path"'
	# shellcheck disable=SC2016
	forgets 'path=$(co-article-save --source=https://example.org/$RANDOM <<<"# Page")' \
		'co-memory-remove "$path"'
	run -1 grep -E 'getdents64.*(trash|drafts|archive)' trace
}

@test "ids and duplicate checks are right after changes between saves" {
	many
	co-memory-save <<<'number 151' >/dev/null
	memory 500 2026-01-01T00:00:00Z a <<<'by hand'
	[[ "$(co-memory-save <<<'number 501')" = */501-* ]]
	co-memory-remove 501 >/dev/null
	[[ "$(co-memory-save <<<'number 502')" = */502-* ]]
	co-memory-save --draft <<<'number 503' >/dev/null
	[[ "$(co-memory-save <<<'number 504')" = */504-* ]]
	run -0 --separate-stderr co-learn 'by  hand'
	[ "${lines[0]}" = '✓ Saved memory 505: 505-by-hand.md' ]
	run -0 --separate-stderr co-learn 'by hand'
	[ "${lines[0]}" = 'Already saved as memory 500: 500-m.md' ]
	rm $memories/500-m.md
	run -0 --separate-stderr co-learn 'by hand'
	[ "${lines[0]}" = '✓ Saved memory 506: 506-by-hand.md' ]
	run -0 --separate-stderr co-learn 'number 151'
	[ "${lines[0]}" = 'Already saved as memory 151: 151-number-151.md' ]
	same
}

# fail_calls N...: make the Nth call of each kind fail in each of four commands,
# which must give the right answer or print an error.
fail_calls() {
	local command call n
	many
	warm
	find $memories -name '*-*' ! -name '00*' -delete
	settle
	warm
	for command in co-memory-list co-memory-next-id 'co-memory-grep -c .' \
		'co-memory-save'; do
		for call in openat newfstatat mmap flock fstatfs getrandom \
			write unlinkat close; do
			for n in "$@"; do
				echo "new $call $n" >text
				# shellcheck disable=SC2086
				strace -o trace -e "inject=$call:error=EIO:when=$n" \
					$command <text >out 2>err || [ -s err ] ||
					echo "$command, $call $n: says nothing"
				grep -q INJECTED trace || break
				[ -s err ] || [ "$call" = write ] ||
					case $command in
					co-memory-save) tail -qn 1 $memories/* |
						grep -qx "new $call $n" ;;
					*) XDG_CACHE_HOME=/dev/null $command |
						diff - out ;;
					esac || echo "$command, $call $n: wrong"
			done
		done
	done >wrong
	diff /dev/null wrong
	same
}

@test "a command is right or reports an error if the second system call fails" {
	need_strace
	fail_calls 2
}

# bats test_tags=slow
@test "a command is right or reports an error if any system call fails" {
	need_strace
	fail_calls {1..25}
}

@test "saves of parallel processes get unique ids" {
	many 130
	for p in {1..8}; do
		for i in {1..12}; do
			co-memory-save <<<"process $p number $i"
		done >"$BATS_TEST_TMPDIR/out.$p" &
	done
	wait
	[ "$(cat "$BATS_TEST_TMPDIR"/out.* | wc -l)" = 96 ]
	diff <(sed -n 's/^id: //p' $memories/*.md | sort -n) <(seq 226)
	same
}

@test "killed writers leave no wrong cache" {
	many
	warm
	for i in {1..20}; do
		printf '{"content":"%s number %s"}\n' "$i"\ {1..20} >batch.jsonl
		{
			co-memory-save --batch <batch.jsonl >/dev/null 2>&1 &
			sleep "0.00$((RANDOM % 10))"
			kill -9 $! 2>/dev/null || :
			wait $! 2>/dev/null || :
		} 2>/dev/null
	done
	same
	diff <(sed -n 's/^id: //p' $memories/*.md | sort -n | uniq -d) /dev/null
}

@test "readers are right and report no errors while others write" {
	many
	for p in 1 2; do
		for i in {1..20}; do
			co-memory-save <<<"writer $p number $i"
		done >/dev/null 2>>"$BATS_TEST_TMPDIR/errors" &
	done
	for i in {1..20}; do
		memory $((1000 - i)) 2026-01-01T00:00:00Z hand hand.md \
			<<<"hand $i"
		mv hand.md $memories/$((1000 - i))-hand.md
		sed -i "s/the/th$((i % 10))/" $memories/100-*.md
	done &
	for p in {1..4}; do
		for i in {1..6}; do
			[ "$(co-memory-grep -c xylophone)" = 1 ] ||
				echo "wrong: $(co-memory-grep -c xylophone)"
			co-memory-list | sort | uniq -d
			co-memory-next-id >/dev/null
		done >>"$BATS_TEST_TMPDIR/errors" 2>&1 &
	done
	wait
	diff /dev/null "$BATS_TEST_TMPDIR/errors"
	same
	settle
	same again
	[ "$(co-memory-grep -c writer)" = 40 ]
	[ "$(co-memory-list --tag=hand | wc -l)" = 20 ]
}
