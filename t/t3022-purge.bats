#!/usr/bin/env bats
# A purged memory is nowhere any more, neither its text nor its name.
load lib

word=Xylophon77

setup() {
	world
	for i in 1 2 3; do echo "other memory $i"; done |
		while read -r line; do co-memory-save <<<"$line"; done \
			>/dev/null 2>&1
}

# indexed: build the index and the caches.
indexed() {
	co-index-update
	co-recall "$word" >/dev/null || :
	co-index-query "$word" >/dev/null || :
	co-memory-next-id >/dev/null
}

# gone: check that no file in the project or HOME has the word in its text or name.
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
	# The query itself is not stored.
	gone
	run -0 co-memory-list --format='%(id)'
	[[ $output == *5* && $output != *4* ]]
}

@test "a purge deletes the kept edits of a memory, and no others" {
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

@test "a purge deletes from the trash and from drafts" {
	co-memory-save <<<"$word one" >/dev/null
	co-memory-remove 4 >/dev/null
	co-memory-save --draft <<<"$word two" >/dev/null
	indexed
	co-memory-remove --purge 4 5
	gone
}

@test "a purge deletes a draft of a git work tree" {
	git init -q .
	co-memory-save --draft <<<"$word two" >/dev/null
	indexed
	co-memory-remove --purge 4
	gone
}

@test "a purge deletes the index while another process reads it" {
	co-memory-save <<<"$word one" >/dev/null
	indexed
	for _ in {1..30}; do co-recall "other memory"; done >/dev/null 2>&1 &
	co-memory-remove --purge 4
	wait
	indexed
	gone
}

@test "a purge deletes a database that a killed writer left unfinished" {
	co-memory-save <<<"$word one" >/dev/null
	indexed
	folder=$(echo "$HOME"/.cache/co-cli/*/)
	echo "$word" >"${folder}knowledge.new"
	echo "$word" >"${folder}knowledge.new-journal"
	co-memory-remove --purge 4
	gone
}

@test "a purge that cannot delete the cache reports it" {
	co-memory-save <<<"$word one" >/dev/null
	indexed
	folder=$(echo "$HOME"/.cache/co-cli/*/)
	mkdir "$folder/mine"
	run -4 co-memory-remove --purge 4
	[[ $output == *"cannot remove '${folder%/}'"* ]]
	rmdir "$folder/mine"
	gone
}

@test "a purge is synced to the disk when it ends" {
	need_strace
	co-memory-save <<<"$word one" >/dev/null
	indexed
	strace -f --seccomp-bpf -o calls -e trace=rmdir,unlink,unlinkat,fsync \
		co-memory-remove --purge 4
	# The directory that held the cache is synced after the removal.
	awk '/rmdir.*cache/ { gone = NR } /fsync/ { sync = NR }
		END { exit !(gone && sync > gone) }' calls
}

@test "a text with an allowed secret does not name its file" {
	co-memory-save --allow-secret \
		<<<'ghp_abcdefghijklmnopqrstuvwxyz0123456789 is mine' >out
	[[ $(<out) == */004-memory.md ]]
	co-learn --allow-secret \
		'AKIAIOSFODNN7EXAMPLX is the key of the bucket' >out
	[ -e "$memories/005-memory.md" ]
	co-memory-save --allow-secret <<<'no secret' >out
	[[ $(<out) == */006-no-secret.md ]]
}
