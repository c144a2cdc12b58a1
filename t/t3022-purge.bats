#!/usr/bin/env bats
# What is purged stands nowhere any more, by its text or by its name.
load lib

word=Xylophon77

setup() {
	world
	for i in 1 2 3; do echo "other memory $i"; done |
		while read -r line; do co-memory-save <<<"$line"; done \
			>/dev/null 2>&1
}

# indexed: everything that is derived is made.
indexed() {
	co-index-update
	co-recall "$word" >/dev/null || :
	co-index-query "$word" >/dev/null || :
	co-memory-next-id >/dev/null
}

# gone: neither the project, the home nor any name of theirs holds the word.
gone() {
	run ! grep -rail "$word" "$HOME" .
	run ! bash -c 'find "$HOME" . | grep -i "$1"' _ "$word"
}

@test "a purge leaves nothing of a memory in store, index or cache" {
	co-memory-save --tag="$word" <<<"the password is $word" >/dev/null
	indexed
	grep -rqai "$word" "$HOME/.cache"
	co-memory-remove --purge 4
	gone
	co-memory-save <<<'one more' >/dev/null
	indexed
	co-knowledge --reindex >/dev/null
	# The question itself is kept nowhere.
	gone
	run -0 co-memory-list --format='%(id)'
	[[ $output == *5* && $output != *4* ]]
}

@test "a purge takes the edits that were kept of a memory, and no others" {
	co-memory-save <<<"a text" >/dev/null
	EDITOR="sh -c 'echo $word >\"\$1\"' _" run -3 co-edit 4
	EDITOR="sh -c 'echo other >\"\$1\"' _" run -3 co-edit 3
	grep -rqai "$word" "$HOME"
	co-memory-remove 4 >/dev/null
	co-memory-remove --purge 4
	gone
	EDITOR=true run -3 co-edit --resume 3
	[[ $output == *"the edit is kept in"* ]]
}

@test "a purge takes what lies in the trash and among drafts" {
	co-memory-save <<<"$word one" >/dev/null
	co-memory-remove 4 >/dev/null
	co-memory-save --draft <<<"$word two" >/dev/null
	indexed
	co-memory-remove --purge 4 5
	gone
}

@test "a purge takes a draft of a git work tree" {
	git init -q .
	co-memory-save --draft <<<"$word two" >/dev/null
	indexed
	co-memory-remove --purge 4
	gone
}

@test "a purge removes the index while another reads it" {
	co-memory-save <<<"$word one" >/dev/null
	indexed
	for _ in {1..30}; do co-recall "other memory"; done >/dev/null 2>&1 &
	co-memory-remove --purge 4
	wait
	indexed
	gone
}

@test "a purge removes a database that a killed writer left unfinished" {
	co-memory-save <<<"$word one" >/dev/null
	indexed
	folder=$(echo "$HOME"/.cache/co-cli/*/)
	echo "$word" >"${folder}knowledge.new"
	echo "$word" >"${folder}knowledge.new-journal"
	co-memory-remove --purge 4
	gone
}

@test "a purge that cannot remove the cache says so" {
	co-memory-save <<<"$word one" >/dev/null
	indexed
	folder=$(echo "$HOME"/.cache/co-cli/*/)
	mkdir "$folder/mine"
	run -4 co-memory-remove --purge 4
	[[ $output == *"cannot remove '${folder%/}'"* ]]
	rmdir "$folder/mine"
	gone
}

@test "a purge is on the disk when it ends" {
	need_strace
	co-memory-save <<<"$word one" >/dev/null
	indexed
	strace -f -o calls -e trace=rmdir,unlink,unlinkat,fsync \
		co-memory-remove --purge 4
	# The folder that the cache's stood in is synced behind it.
	awk '/rmdir.*cache/ { gone = NR } /fsync/ { sync = NR }
		END { exit !(gone && sync > gone) }' calls
}

@test "no name is made of a text that the gate was overruled for" {
	co-memory-save --allow-secret \
		<<<'ghp_abcdefghijklmnopqrstuvwxyz0123456789 is mine' >out
	[[ $(<out) == */004-memory.md ]]
	co-learn --allow-secret \
		'AKIAIOSFODNN7EXAMPLX is the key of the bucket' >out
	[ -e "$memories/005-memory.md" ]
	co-memory-save --allow-secret <<<'no secret' >out
	[[ $(<out) == */006-no-secret.md ]]
}
