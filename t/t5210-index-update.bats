#!/usr/bin/env bats
# Test when co-index-update adds to the index and when it rebuilds it.
# bats file_tags=rights
load lib

setup() {
	world
	memory 1 2026-02-01T10:00:00Z 'python' <<<'User prefers async over callbacks'
	memory 2 2026-02-02T10:00:00Z '' <<<'We went from callbacks to threads'
}

found() {
	co-index-query "$@" --format='%(id)' | tr '\n' ' '
}

# Print the directory of the only store in the cache.
folder() {
	echo "$HOME"/.cache/co-cli/*
}

@test "co-index-update prints what it added, or that it made the index" {
	run -0 --separate-stderr co-index-update
	expect <<<'made of 2 documents'
	run -0 co-index-update
	expect <<<'0 added, 2 documents'
	memory 3 2026-02-03T10:00:00Z '' <<<'Threads are cheap'
	run -0 co-index-update
	expect <<<'1 added, 3 documents'
	run -0 co-index-update --json
	expect <<<'{"documents":3,"added":0,"dead":0,"made":false}'
	run -0 co-index-update --rebuild
	expect <<<'made of 3 documents'
}

@test "every search reflects the current content of the files" {
	[ "$(found callbacks)" = '1 2 ' ]
	memory 1 2026-02-01T10:00:00Z 'python' <<<'User prefers gizmos'
	[ "$(found callbacks)" = '2 ' ]
	[ "$(found gizmos)" = '1 ' ]
	rm $memories/001-m.md
	[ "$(found gizmos)" = '' ]
	mv $memories/002-m.md $memories/002-n.md
	[ "$(co-index-query callbacks)" = "$PWD/$memories/002-n.md" ]
}

@test "a search notices an edit in the same tick, of the same size and time" {
	co-index-update >/dev/null
	for i in 1 2 3 4 5; do
		sed -i "s/callbacks/gizmos  $i/; s/gizmos  [0-9]/gizmos  $i/" \
			$memories/001-m.md
		touch -d 2026-01-01 $memories/001-m.md
		[ "$(found "$i")" = '1 ' ]
	done
}

@test "a damaged database is rebuilt, and the rebuild is reported" {
	co-index-update >/dev/null
	printf X | dd of="$(folder)/knowledge.db" bs=1 seek=5000 conv=notrunc \
		status=none
	run -0 --separate-stderr co-index-query callbacks
	[ "${#lines[@]}" = 2 ]
	[ "$stderr" = "co-index-query: the index of '$PWD/.co-cli/knowledge' was rebuilt: it was not as it had been left" ]
	run -0 --separate-stderr co-index-query callbacks
	[ "$stderr" = '' ]
}

@test "a foreign or truncated database is rebuilt" {
	for damage in ': >' 'echo hello >' 'truncate -s 4096' 'truncate -s 100'; do
		co-index-update >/dev/null 2>&1
		eval "$damage \"$(folder)/knowledge.db\""
		run -0 --separate-stderr co-index-query callbacks
		[ "${#lines[@]}" = 2 ]
		[[ $stderr == *'was rebuilt'* ]]
	done
}

@test "a damaged, foreign or newer catalog is rebuilt with a warning" {
	for damage in ': >' 'echo hello >' 'truncate -s 400 ' \
		'printf X | dd bs=1 seek=9 conv=notrunc status=none of=' \
		'printf X | dd bs=1 seek=300 conv=notrunc status=none of='; do
		co-index-update >/dev/null 2>&1
		eval "$damage\"$(folder)/files\""
		run -0 --separate-stderr co-index-query callbacks
		[ "${#lines[@]}" = 2 ]
		[ "$stderr" = "co-index-query: the index of '$PWD/.co-cli/knowledge' was rebuilt: its record of the files was damaged, or of another store or version" ]
		run -0 --separate-stderr co-index-query callbacks
		[ "${#lines[@]}" = 2 ]
		[ "$stderr" = '' ]
	done
}

@test "a store without documents has no database" {
	rm $memories/*.md
	run -1 --separate-stderr co-index-query callbacks
	[ "$stderr" = '' ]
	[ ! -e "$(folder)/knowledge.db" ]
	run -0 co-index-update
	expect <<<'0 added, 0 documents'
	memory 1 2026-02-01T10:00:00Z '' <<<'Back to callbacks'
	[ "$(found callbacks)" = '1 ' ]
	[ -e "$(folder)/knowledge.db" ]
}

@test "a search rebuilds a deleted index without a warning" {
	co-index-update >/dev/null
	rm "$(folder)/knowledge.db"
	[ "$(found callbacks)" = '1 2 ' ]
	rm -r "$(folder)"
	[ "$(found callbacks)" = '1 2 ' ]
	rm "$(folder)/files"
	[ "$(found callbacks)" = '1 2 ' ]
}

@test "only the owner can read the index" {
	(umask 0 && co-index-update) >/dev/null
	run -0 find "$HOME/.cache/co-cli" -perm /077
	expect </dev/null
}

@test "a query works without a writable cache, and co-index-update fails" {
	mkdir "$HOME/.cache"
	: >"$HOME/.cache/co-cli"
	run -0 --separate-stderr co-index-query callbacks
	[ "${#lines[@]}" = 2 ]
	[ "$stderr" = '' ]
	run -0 --separate-stderr co-index-query --explain callbacks
	[[ $stderr == *'2 in memory: '* ]]
	run -4 co-index-update
	[[ $output == *'the index was not written'* ]]
}

@test "a query fails if the directory of memories is unreadable" {
	[ "$(id -u)" != 0 ] || skip 'root reads everything'
	chmod 0 $memories
	run -4 co-index-query callbacks
	chmod 700 $memories
	[[ $output == *Permission* ]]
}

@test "the user store has its own index" {
	echo 'global gizmo' | co-memory-save --global >/dev/null 2>&1
	run -0 co-index-update --global
	expect <<<'made of 1 document'
	[ "$(found --global gizmo)" = '1 ' ]
	[ "$(found gizmo)" = '' ]
}

# Save 2,000 texts of 90 two-character words, some of which are common.
chinese_memories() {
	awk 'function character(c) {
		return sprintf("%c%c%c", 224 + int(c / 4096),
			128 + int(c / 64) % 64, 128 + c % 64)
	} BEGIN {
		srand(7)
		for (n = 1; n <= 2000; n++) {
			text = ""
			for (i = 1; i <= 90; i++) {
				word = int(6000 * rand() * rand() * rand())
				text = text character(19968 + word * 7 % 1500) \
					character(19968 + word * 13 % 1499) \
					(i % 5 ? "" : "。")
			}
			printf "{\"content\":\"%s\"}\n", text
		}
	}' | co-memory-save --batch >/dev/null
}

# bats test_tags=slow
@test "an index of Chinese text is less than twice as large as the text" {
	chinese_memories
	co-index-update
	text=$(cat .co-cli/knowledge/memories/* | wc -c)
	index=$(wc -c <"$(folder)/knowledge.db")
	echo "$index of $text"
	[ "$index" -lt $((text * 2)) ]
}

@test "a query of one character finds each text that contains it" {
	for text in 部署服务 '先 部署' 服务器 部 other; do
		co-memory-save <<<"$text"
	done >/dev/null
	[ "$(found 部 | tr ' ' '\n' | sort | tr -d '\n')" = 346 ]
	[ "$(found 署 | tr ' ' '\n' | sort | tr -d '\n')" = 34 ]
	[ "$(found 器)" = '5 ' ]
	[ "$(found 务器)" = '5 ' ]
	[ "$(found 先部)" = '' ]
}

@test "co-index-update accepts a curly apostrophe without a word" {
	printf 'Ada said \342\200\231 and hello\342\200\231 twice\n' | co-memory-save >saved
	run -0 timeout 60 co-index-update
	[[ $output == 'made of '* ]]
}
