#!/usr/bin/env bats
# The work for a query grows with the number of changes and is done once. Work
# is counted in system calls, bytes written and instructions, which a busy
# machine does not change. Tests that count instructions run Callgrind and are
# slow.
load lib
load cache

N=300

setup() {
	world
	seq -f '{"content":"memory number %.0f of many","tags":["t"]}' $N |
		co-memory-save --batch >/dev/null 2>&1
	settle
	co-recall --mode=fts memory >/dev/null 2>&1
}

# looks COMMAND...: print how many system calls it makes that name a memory.
looks() {
	strace -f --seccomp-bpf -qq -e trace=newfstatat,fstatat64,statx,lstat,stat,openat \
		-o trace "$@" >out 2>&1 || :
	grep -c '"[^"]*[0-9]-[a-z-]*[^"]*\.md"' trace
}

@test "status commands check each memory file once to count a store" {
	need_strace
	local command
	for command in co-status co-knowledge-stats 'co-status --json'; do
		# shellcheck disable=SC2086
		[ "$(looks $command)" = $N ]
		grep -q "$N" out
	done
}

@test "co status counts a new memory and reports that the index lacks it" {
	memory 901 2026-01-05T00:00:00Z new <<<'one more'
	run -0 co-status
	[[ $output == *"memories  $((N + 1))"* ]]
	[[ $output == *"1 of $((N + 1)) documents missing: the next search adds them"* ]]
}

# writes_to DIR COMMAND...: print the bytes that it writes to files below DIR.
writes_to() {
	local dir=$1
	shift
	strace -f --seccomp-bpf -y -qq -e trace=write,pwrite64,writev -o trace "$@" \
		>out 2>&1 || :
	awk -v dir="$dir" 'index($0, "<" dir) && / = [0-9]+$/ { n += $NF }
		END { print n + 0 }' trace
}

# branch FROM TO N: copy the first N memories to FROM, and to TO with one more
# line.
branch() {
	local file files=("$memories"/*)
	mkdir "$1" "$2"
	cp "${files[@]:0:$3}" "$1"
	cp "${files[@]:0:$3}" "$2"
	for file in "$2"/*; do
		echo 'A line of this branch.' >>"$file"
	done
}

# switch TO: remove and create files as git does.
switch() {
	cp --remove-destination "$1"/* $memories
	settle
}

@test "switching to another branch and back indexes nothing again" {
	need_strace
	mkdir -p "$global"
	# The sentence encoder stops after a time limit, so its work varies.
	echo '{"embed.provider": "static"}' >"$global/settings.json"
	mkdir -p .co-cli/knowledge/articles
	printf '%s\n' '---' 'source: https://example.org/a' \
		'fetched: 2026-01-01T00:00:00Z' 'title: A' --- 'Before.' \
		'# One' 'First.' '# Two' 'Second.' >.co-cli/knowledge/articles/a.md
	branch main other 100
	sed 's/Second/Changed/' .co-cli/knowledge/articles/a.md >a.other
	cp .co-cli/knowledge/articles/a.md a.main
	local i to wrote files
	files=$(echo "$HOME"/.cache/co-cli/*)
	# The first two rounds add new text.
	for i in 1 2 3 4; do
		to=main
		[ $((i % 2)) = 0 ] || to=other
		switch $to
		cp a.$to .co-cli/knowledge/articles/a.md
		wrote=$(writes_to "$files/" co-recall --mode=fts branch)
		echo "$i: $wrote bytes"
		[ $i -lt 3 ] || [ "$wrote" -lt $((90 * 100 + 2000)) ]
		[ $i -lt 3 ] || run -1 grep knowledge.db trace
		diff <(co-recall --json branch memory 2>&1) \
			<(XDG_CACHE_HOME=/dev/null co-recall --json \
				branch memory 2>&1)
		diff <(co-index-query --mode=vector --json changed branch 2>&1) \
			<(XDG_CACHE_HOME=/dev/null co-index-query --mode=vector \
				--json changed branch 2>&1)
	done
	run -0 co-status
	[[ $output == *"index     up to date"* ]]
}

@test "a search checks a changed file once, opens it once and reads it once" {
	need_strace
	branch main other 100
	switch other
	co-recall --mode=fts branch >/dev/null
	switch main
	[ "$(looks co-recall --mode=fts memory)" = $((N + 100)) ]
	switch other
	strace -f --seccomp-bpf -y -qq -e trace=read,pread64 -o trace \
		co-recall --mode=fts branch >out
	[ "$(grep -c '/memories/[^>]*\.md>' trace)" = 100 ]
	grep -q 'A line of this branch.' out
}

# bats test_tags=slow
@test "in a large store, recall opens the English words with --explain only" {
	need_strace
	seq -f '{"content":"memory number %.0f of more"}' 4700 |
		co-memory-save --batch >/dev/null
	settle
	co-recall --mode=fts memory >/dev/null
	strace -f --seccomp-bpf -qq -e trace=open,openat -o trace \
		co-recall --mode=fts memory >out
	run -1 grep words.bin trace
	strace -f --seccomp-bpf -qq -e trace=open,openat -o trace \
		co-recall --mode=fts --explain memory >out 2>&1
	grep -q words.bin trace
}

# bats test_tags=slow
@test "list writes a small multiple of the changed bytes to the cache" {
	need_strace
	rm -r .co-cli
	"$CO_SOURCE/t/perf/generate" 2000 . >/dev/null
	sleep 0.03
	co-memory-list >/dev/null
	local i wrote=0 changed=0 files file
	files=$(echo "$HOME"/.cache/co-cli/*)
	for i in 1 2 3 4 5 6 7 8 9 10; do
		for file in "$memories"/1[0-9][0-9]-*.md; do
			echo "Edit $i." >>"$file"
		done
		sleep 0.03
		changed=$((changed + $(cat $memories/1[0-9][0-9]-*.md | wc -c)))
		wrote=$((wrote + $(writes_to "$files/" co-memory-list)))
	done
	echo "$wrote bytes for $changed"
	[ "$wrote" -lt $((8 * changed)) ]
}

@test "list is right after the cache drops a file that changed often" {
	local i
	for i in $(seq 1 40); do
		seq -f "text $i of %.0f" 1 40 >>$memories/001-*.md
		co-memory-list >/dev/null
	done
	for i in 1 2 3; do
		echo 'back again' >$memories/900-new.md
		co-memory-list --json >/dev/null 2>&1
		memory 900 2026-01-05T00:00:00Z new $memories/900-new.md <<<now
		diff <(co-memory-list --json) \
			<(XDG_CACHE_HOME=/dev/null co-memory-list --json)
	done
}

# bats test_tags=slow
@test "recall reads no word positions to find words near an unknown word" {
	need_strace
	mkdir big && cd big
	many 4000
	co-recall --mode=fts xylophone >/dev/null
	strace -f --seccomp-bpf -y -qq -e trace=pread64 -o trace \
		co-recall --mode=fts zzyzx >out || :
	local db pages
	db=$(find "$HOME/.cache/co-cli" -name knowledge.db -size +500k)
	pages=$(($(stat -c %s "$db") / 4096))
	[ "$pages" -gt 150 ]
	[ "$(grep -c knowledge.db trace)" -lt $((pages * 2 / 3)) ]
}

# team_store NAME N: enter a team store of N memories, in every possible
# directory, that the cache knows.
team_store() {
	mkdir "$1" && cd "$1" || return
	co init >/dev/null 2>&1
	co config team true
	seq -f "$memories/%.0f" 10 99 | xargs mkdir -p
	drawn "$2" folders
	settle
	warm
	co-memory-save <<<'one that is not counted' >/dev/null
}

# drawn N [folders]: make N memories with random ids: most of nine digits, some
# of six.
drawn() {
	awk -v n="$1" -v top="$memories" -v folders="${2:-}" 'BEGIN {
		for (i = 0; i < n; i++) {
			id = 100000000 + i % 90 * 10000000 + i
			if (i % 5 == 0)
				id = int(id / 10000000) * 10000 + i
			folder = folders ? "/" 10 + i % 90 : ""
			file = top folder "/" id "-m.md"
			printf "---\nid: %d\ncreated: %s\n---\n\nnumber %d\n", id,
				"2026-01-01T00:00:00Z", i >file
			close(file)
		}
	}'
}

@test "a save to a team store checks each numbered directory once" {
	need_strace
	local flat
	warm
	co-memory-save <<<'one that is not counted' >/dev/null
	strace -qq -o trace co-memory-save <<<'one more' >/dev/null
	flat=$(grep -c '^[a-z]' trace)
	team_store team 300
	strace -qq -y -o trace co-memory-save <<<'one more' >/dev/null
	[ "$(grep -cE 'stat[a-z0-9]*\([^,]*, "[0-9]{2}", ' trace)" = 90 ]
	[ "$(grep -c '^[a-z]' trace)" -le $((flat + 90 + 9)) ]
	# Only the directories of temporary files are listed.
	run ! grep -E '"(memories/)?[0-9]{2}/' trace
	run -1 grep -E 'getdents.*/(memories|drafts|trash)' trace
}

# contexts BYTES: write a user context and a project context of BYTES bytes of
# text.
contexts() {
	local file
	mkdir -p "$HOME/.config/co-cli/knowledge"
	for file in .co-cli "$HOME/.config/co-cli"; do
		printf -- '---\nversion: 1\nupdated: %s\n---\n\n' \
			2026-02-09T14:30:00Z >$file/knowledge/context.md
		yes -- '- The build needs Docker running' | head -c "$1" \
			>>$file/knowledge/context.md
	done
}

@test "context-load opens each file that can matter once" {
	need_strace
	contexts 1000
	echo '{}' >"$HOME/.config/co-cli/settings.json"
	co-context-load >expected
	strace -f -qq -o start co-context-load --spec >/dev/null
	strace -f -qq -y -o trace co-context-load >out
	diff expected out
	[ "$(grep -c 'settings.json"' trace)" = 1 ]
	[ "$(grep -c '"context.md"' trace)" = 2 ]
	# A file is not read again after its known size was read.
	run ! grep -E 'read\(.*context.md.* = 0$' trace
	# The user store has no memories, so it has no cache.
	[ "$(grep -cE 'openat\(.*"[^"]*/co-cli/[0-9a-f]{32}"' trace)" = 1 ]
	run ! grep 'readlink.*/\.config' trace
	[ "$(grep -c '(' trace)" -le $(($(grep -c '(' start) + 39)) ]
}

@test "next-id makes few system calls except one for each file" {
	need_strace
	strace -f -qq -o start co-memory-next-id --spec >/dev/null
	strace -f -qq -o trace co-memory-next-id >out
	[ "$(cat out)" = $((N + 1)) ]
	[ "$(grep -c '(' trace)" -le $(($(grep -c '(' start) + N + 40)) ]
}

@test "next-id looks for a missing git directory once" {
	need_strace
	rm .co-cli/.gitignore
	strace -f -qq -o trace co-memory-next-id >out
	[ "$(grep -c "\"$PWD/.git\"" trace)" = 1 ]
}

@test "next-id does not query the terminal" {
	need_strace
	strace -f -qq -o trace co-memory-next-id >out
	run ! grep -E 'ioctl\(|fcntl\(' trace
}

need_callgrind() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null \
		co-memory-next-id >/dev/null 2>&1 ||
		skip 'valgrind is missing or cannot run these programs'
}

# work COMMAND...: print the number of instructions that it takes.
work() {
	valgrind --tool=callgrind --log-file=calls \
		--callgrind-out-file=/dev/null "$@" >out
	awk '/Collected :/ { print $NF }' calls
}

# bats test_tags=slow
@test "numbered directories add little work to a save and a list" {
	need_callgrind
	(
		mkdir one && cd one || exit
		co init >/dev/null 2>&1
		co config team true
		sed -i 's/"team": *true/"team": false/' .co-cli/settings.json
		drawn 5000
		settle
		warm
		echo 'one that is not counted' | co-memory-save >/dev/null
		work co-memory-save <<<'one more' >save
		echo 'and one' | co-memory-save >/dev/null
		co-memory-list >/dev/null
		work co-memory-list >list
	)
	team_store folders 5000
	work co-memory-save <<<'one more' >save
	echo 'and one' | co-memory-save >/dev/null
	co-memory-list >/dev/null
	work co-memory-list >list
	head save list ../one/save ../one/list
	[ "$(cat save)" -lt $(($(cat ../one/save) + 50000)) ]
	[ "$(cat list)" -lt $(($(cat ../one/list) * 105 / 100)) ]
}

# bats test_tags=slow
@test "drawing a random id takes no work for each existing id" {
	need_callgrind
	local n
	for n in 1000 4000; do
		(
			team_store "of$n" "$n"
			work co-memory-save <<<'one more'
		) >"work$n"
	done
	[ "$(cat work1000)" -gt 100000 ]
	[ "$(cat work4000)" -lt $(($(cat work1000) + 30000)) ]
}

# written DIR <WORDS: make a store of 300 memories of 480 bytes each from the
# words on standard input, one a line. The same words give the same store.
written() {
	mkdir -p "$1/.co-cli"
	cd "$1" || return
	awk '
		function random(below) {
			seed = (seed * 1103515245 + 12345) % 2147483648
			return int(seed / 65536) % below
		}
		{ word[NR] = $0 }
		END {
			for (i = 1; i <= 300; i++) {
				for (text = ""; length(text) < 480; )
					text = text word[1 + random(NR)]
				printf "{\"content\":\"%s\"}\n", text
			}
		}' | co-memory-save --batch >/dev/null 2>&1
	settle
	co-recall --mode=fts nothing >/dev/null 2>&1 || :
	cd .. || return
}

# bats test_tags=slow
@test "list and index-update take about as much work for Chinese as for English" {
	need_callgrind
	local command english chinese most
	printf '%s \n' the server keeps every connection open until deployment \
		ends or waits for a review of its settings by two \
		people who read logs before branches merge into main |
		written english
	printf '%s\n' 的 一 是 在 不 了 有 和 人 这 中 大 为 上 个 国 我 以 要 他 \
		时 来 用 们 生 到 作 地 于 出 就 分 对 成 会 可 主 发 年 动 |
		written chinese
	for most in 'co-memory-list --json=125' 'co-index-update --rebuild=260'; do
		command=${most%=*}
		# shellcheck disable=SC2086 # with its option
		english=$(cd english && work $command)
		# shellcheck disable=SC2086
		chinese=$(cd chinese && work $command)
		echo "$command: $chinese for Chinese, $english for English"
		[ "$english" -gt 1000000 ]
		[ $((chinese * 100)) -lt $((english * ${most##*=})) ]
	done
}

@test "an index of rare characters is not much larger than their text" {
	local text index
	LC_ALL=C awk 'BEGIN {
		for (i = 0; i < 3000; i++)
			printf "%c%c%c\n", 228 + int(i / 2048),
				128 + int(i / 64) % 32 + 32 * (i < 2048),
				128 + i % 64
	}' | written rare
	cd rare
	text=$(cat .co-cli/knowledge/memories/*.md | wc -c)
	index=$(find "$HOME/.cache" -name knowledge.db -printf '%s\n' |
		sort -n | tail -n 1)
	echo "index $index for $text"
	[ "$index" -gt $((text / 10)) ]
	[ "$index" -lt $((text * 150 / 100)) ]
}

# hits N: make a store of N memories and five more of 153 words each that are
# nearly equal.
hits() {
	local i
	mkdir -p "of$1" && cd "of$1" || return
	many "$1"
	for i in 1 2 3 4 5; do
		printf '{"content":"zeppelin %s of %s"}\n' "$i" \
			"$(seq -s ' ' -f 'w%.0f' 101 250)"
	done | co-memory-save --batch >/dev/null
	settle
	co-recall --mode=fts zeppelin >/dev/null
	cd ..
}

# bats test_tags=slow
@test "counting words that start like no query word takes little work" {
	need_callgrind
	local n short long
	# Recall does not compare texts of this length with each other.
	for n in 1000 2000; do
		mkdir -p "of$n/.co-cli"
		(
			cd "of$n" || exit
			awk -v n="$n" 'BEGIN {
				for (i = 0; i < n; i++)
					text = text " " sprintf("%c%c%c%c", 97 + i % 25,
						97 + i % 7, 97 + i % 23, 97 + i % 11)
				for (i = 1; i <= 32; i++)
					printf "{\"content\":\"zeppelin %d%s\"}\n", i,
						text
			}' | co-memory-save --batch >/dev/null
			settle
			co-recall --mode=fts zeppelin >/dev/null
		)
	done
	short=$(cd of1000 && work co-recall --mode=fts -n 1 zeppelin)
	long=$(cd of2000 && work co-recall --mode=fts -n 1 zeppelin)
	echo "$(((long - short) / (32 * 1000))) for each word"
	[ $((long - short)) -gt 1000000 ]
	[ $((long - short)) -lt $((32 * 1000 * 160)) ]
}

# bats test_tags=slow
@test "looking for contradicting hits takes a seventieth of a large recall" {
	need_callgrind
	local of1000 of3000 five all
	hits 1000
	hits 3000
	of1000=$(cd of1000 && work co-recall --mode=fts -n 1 zeppelin)
	of3000=$(cd of3000 && work co-recall --mode=fts -n 1 zeppelin)
	five=$(cd of3000 && work co-recall --mode=fts -n 5 zeppelin)
	[ "$(grep -c 'zeppelin [1-5] of' of3000/out)" = 5 ]
	all=$((of3000 + (of3000 - of1000) / 2000 * 97000))
	echo "$of1000 of 1,000, $of3000 of 3,000: $all of 100,000"
	echo "$((five - of3000)) for four hits more"
	[ $((of3000 - of1000)) -gt 1000000 ]
	[ "$five" -gt "$of3000" ] && [ $(((five - of3000) * 70)) -le "$all" ]
}

# bats test_tags=slow
@test "context-load takes a few instructions for each ASCII byte" {
	need_callgrind
	local small large
	contexts 1000
	small=$(work co-context-load)
	contexts 3000
	large=$(work co-context-load)
	[ "$(wc -c <out)" -gt 6000 ]
	echo "$(((large - small) / 4000)) instructions a byte"
	[ $((large - small)) -lt $((4000 * 12)) ]
}

# bats test_tags=slow
@test "grep without a cache takes tens of thousands of instructions a memory" {
	need_callgrind
	export XDG_CACHE_HOME=/dev/null
	local few many
	"$BATS_TEST_DIRNAME/perf/generate" 100 few
	"$BATS_TEST_DIRNAME/perf/generate" 400 many
	few=$(cd few && work co-memory-grep xylophone)
	many=$(cd many && work co-memory-grep xylophone)
	[ "$(wc -l <many/out)" -eq 4 ]
	echo "$(((many - few) / 300)) instructions a memory"
	[ $((many - few)) -lt $((300 * 38000)) ]
}

# bats test_tags=slow
@test "grouping similar memories takes the same work for each in a larger store" {
	need_callgrind
	local n few many
	for n in 250 1000; do
		mkdir -p "of$n/$memories"
		(
			cd "of$n" || exit
			# Each has ten words that few memories have, and ten
			# that many have.
			awk -v n=$n -v top="$memories" 'BEGIN {
				for (i = 1; i <= n; i++) {
					file = top "/" i "-m.md"
					printf "---\nid: %d\ncreated: %s\n---\n\n",
						i, "2026-01-01T00:00:00Z" >file
					for (k = 0; k < 20; k++) {
						seed = (seed * 1103515245 + 12345) \
							% 2147483648
						of = k % 2 ? n : 60
						at = int(seed / 65536) % of
						printf "%cq%cx%c%c ", 97 + at % 20,
							97 + at / 20 % 20, 97 + at / 400,
							97 + k % 2 >file
					}
					print "" >file
					close(file)
				}
			}'
			settle
			co-memory-list >/dev/null
		)
	done
	few=$(cd of250 && work co-knowledge-summarize -n)
	many=$(cd of1000 && work co-knowledge-summarize -n)
	echo "$((few / 250)) a memory of 250, $((many / 1000)) of 1,000"
	[ "$few" -gt 1000000 ]
	[ "$many" -lt $((few * 4 * 13 / 10)) ]
}

# A batch gives the lock away after half a second, and then reads the ids again.
# bats test_tags=slow
@test "a batch rarely reads the ids, even if that takes longer than its turn" {
	need_strace
	for i in {1..2000}; do
		printf '{"content": "text %d"}\n' "$i"
	done | co-memory-save --batch >/dev/null
	for i in {1..20}; do
		printf '{"content": "draft %d"}\n' "$i"
	done | co-memory-save --batch --draft --source=agent >/dev/null
	co list --drafts --format='%(id)' >ids
	strace -f --seccomp-bpf -qq -e trace=newfstatat -e inject=newfstatat:delay_enter=400 \
		-o calls co review --accept -q - <ids
	[ "$(co-memory-list --drafts | wc -l)" = 0 ]
	wc -l <calls
	[ "$(wc -l <calls)" -lt 30000 ]
}
