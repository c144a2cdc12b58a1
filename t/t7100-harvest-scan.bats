#!/usr/bin/env bats
# Test co-harvest-scan, which classifies conversations.
load lib

U=01234567-89ab-cdef-0123-456789abcdef

setup() {
	world
	root=$PWD/first
	conv=$root/conversations
	mkdir -p "$conv/folder" "$root/splits"
}

# say NAME...: make conversations of four bytes.
say() {
	local name
	for name; do
		printf 'said' >"$conv/$name"
	done
}

# classes: print the output without sizes and the directory.
classes() {
	run -0 co-harvest-scan "$root"
	output=$(cut -f 1,3,4 <<<"$output" | sed "s#$PWD/##g")
}

@test "the first matching rule decides the class of a conversation" {
	say "latest-1-$U" "$U-42" latest-2 notes saved code-$U gone-$U 7.run
	echo code >"$PWD/code.py"
	printf '{"conversations": [{"name": "s", "path": "%s"}]}' \
		"$(realpath "$conv")/saved" \
		>"$conv/index-saved-conversations-1.json"
	printf '{"by_file_id": {"1:2": {"conversation": "code-%s", "path": "%s"},
		"3:4": {"conversation": "gone-%s", "path": "/no/such.py"}}}' \
		$U "$PWD/code.py" $U >"$conv/file-index-1.json"
	ln -s "$conv/notes" "$conv/latest-3-$U"
	mkfifo "$conv/pipe-$U"
	classes
	expect <<-END
		harvest	first/conversations/$U-42	delegated sub-conversation
		live	first/conversations/7.run	instance runfile
		live	first/conversations/code-$U	per-file conversation for code.py
		live	first/conversations/file-index-1.json	index file
		harvest	first/conversations/gone-$U	per-file conversation; target gone: /no/such.py
		live	first/conversations/index-saved-conversations-1.json	index file
		harvest	first/conversations/latest-1-$U	archived conversation
		live	first/conversations/latest-2	active conversation
		keep	first/conversations/notes	unclassified; kept
		user-kept	first/conversations/saved	saved conversation
	END
}

@test "a saved conversation is kept, whatever its name" {
	say "code-$U"
	printf '{"conversations": [{"path": "%s"}]}' "$conv/code-$U" \
		>"$conv/index-saved-conversations-1.json"
	classes
	[[ $output == *"user-kept	first/conversations/code-$U	saved"* ]]
}

@test "an unreadable index keeps all conversations of its directory" {
	local broken
	say "latest-1-$U" "$U-42" latest-2
	for broken in '' '{' '[]' '{"conversations": 7}' \
		'{"conversations": ["text"]}' '{"conversations": [{"path": 1}]}'; do
		printf %s "$broken" >"$conv/index-saved-conversations-1.json"
		classes
		run -1 grep '^harvest' <<<"$output"
	done
	rm "$conv"/index-*
	echo '{"by_file_id": {"1:2": {"path": "/x"}}}' >"$conv/file-index-1.json"
	classes
	[[ $output == *"keep	first/conversations/$U-42	an index cannot be read; kept"* ]]
}

@test "a UUID in upper case or with a missing digit is not recognized" {
	say "a-${U^^}" "a-${U%f}" "$U" "a$U"
	classes
	run -1 grep -v '^keep' <<<"$output"
}

@test "a split whose source is gone or changed is pruned" {
	mkdir -p "$root"/splits/{none,gone,changed,current,unhashed}
	echo code >code.py
	printf 'part' >"$root/splits/gone/1.py"
	echo '{"source_path": "/no/such"}' >"$root/splits/gone/index.json"
	printf '{"source_path": "%s", "source_sha256": "%064d"}' \
		"$PWD/code.py" 0 >"$root/splits/changed/index.json"
	printf '{"source_path": "%s", "source_sha256": "%s"}' "$PWD/code.py" \
		"$(sha256sum <code.py | cut -d' ' -f1)" \
		>"$root/splits/current/index.json"
	printf '{"source_path": "%s"}' "$PWD/code.py" \
		>"$root/splits/unhashed/index.json"
	classes
	expect <<-'END'
		prune	first/splits/changed	split stale (source changed)
		live	first/splits/current	split current
		prune	first/splits/gone	split source gone
		keep	first/splits/none	no readable index.json; kept
		live	first/splits/unhashed	split current
	END
	run -0 co-harvest-scan --json "$root"
	[[ $output == *'/splits/gone","kind":"split-dir","class":"prune","reason":"split source gone","size_bytes":32}'* ]]
}

@test "files that depend on an unreadable or unnamed file are kept" {
	# Even root cannot follow a loop of links.
	ln -s loop loop
	say of-loop of-none of-file
	printf '{"by_file_id": {"1": {"conversation": "of-loop", "path": "%s"},
		"2": {"conversation": "of-none"},
		"3": {"conversation": "of-file", "path": "%s"}}}' \
		"$PWD/loop/a.c" "$conv/notes/a.c" >"$conv/file-index-1.json"
	mkdir "$root"/splits/{loop,none,file}
	say notes
	echo "{\"source_path\": \"$PWD/loop/a.c\"}" >"$root/splits/loop/index.json"
	echo '{"note": "mine"}' >"$root/splits/none/index.json"
	echo "{\"source_path\": \"$conv/notes/a.c\"}" >"$root/splits/file/index.json"
	classes
	expect <<-'END'
		live	first/conversations/file-index-1.json	index file
		keep	first/conversations/notes	unclassified; kept
		harvest	first/conversations/of-file	per-file conversation; target gone: first/conversations/notes/a.c
		keep	first/conversations/of-loop	per-file conversation; target loop/a.c cannot be read: Too many levels of symbolic links; kept
		keep	first/conversations/of-none	per-file conversation; target is not named; kept
		prune	first/splits/file	split source gone
		keep	first/splits/loop	split source cannot be read: Too many levels of symbolic links; kept
		keep	first/splits/none	split source is not named; kept
	END
}

@test "a relative path in an index is resolved from the index's directory" {
	mkdir -p sub "$root"/splits/{above,in,other,lost}
	say "saved-$U" of-above of-lost
	echo code >above.c
	echo code >"$root/in.c"
	printf '{"conversations": [{"path": "first/conversations/saved-%s"}]}' $U \
		>"$conv/index-saved-conversations-1.json"
	echo '{"by_file_id": {"1": {"conversation": "of-above", "path": "above.c"},
		"2": {"conversation": "of-lost", "path": "lost.c"}}}' \
		>"$conv/file-index-1.json"
	sha=$(sha256sum <above.c)
	for name in above in other; do
		echo "{\"source_path\": \"$name.c\", \"source_sha256\": \"${sha%% *}\"}" \
			>"$root/splits/$name/index.json"
	done
	echo other >other.c
	echo '{"source_path": "lost.c"}' >"$root/splits/lost/index.json"
	cd sub
	run -0 co-harvest-scan "$root"
	output=$(cut -f 1,3,4 <<<"$output" | sed "s#${root%/first}/##g")
	expect <<-END
		live	first/conversations/file-index-1.json	index file
		live	first/conversations/index-saved-conversations-1.json	index file
		live	first/conversations/of-above	per-file conversation for above.c
		keep	first/conversations/of-lost	per-file conversation; target lost.c is relative, and not found; kept
		user-kept	first/conversations/saved-$U	saved conversation
		live	first/splits/above	split current
		live	first/splits/in	split current
		keep	first/splits/lost	split source is relative, and not found; kept
		keep	first/splits/other	split source is relative, and another; kept
	END
}

@test "a saved conversation is kept though its directory was moved" {
	say "saved-$U"
	printf '{"conversations": [{"path": "/home/ada/old/conversations/saved-%s"}]}' \
		$U >"$conv/index-saved-conversations-1.json"
	classes
	[[ $output == *"user-kept	first/conversations/saved-$U	saved"* ]]
}

@test "a file operand is harvested, a recent file of a list is live" {
	echo said >old.md
	echo said >new.md
	touch -d 2026-02-09T14:00Z old.md
	touch -d 2026-02-09T14:25Z new.md
	run -0 co-harvest-scan old.md new.md
	expect <<-END
		harvest	5	$PWD/old.md	named
		harvest	5	$PWD/new.md	named
	END
	run -0 co-harvest-scan < <(printf '%s\n' old.md new.md)
	expect <<-END
		harvest	5	$PWD/old.md	an agent's conversation
		live	5	$PWD/new.md	went on less than ten minutes ago
	END
}

@test "a conversation from a wrong clock in the future is harvested" {
	echo said >ahead.md
	echo said >soon.md
	touch -d 2026-02-09T15:00Z ahead.md
	touch -d 2026-02-09T14:35Z soon.md
	run -0 co-harvest-scan < <(printf '%s\n' ahead.md soon.md)
	expect <<-END
		harvest	5	$PWD/ahead.md	an agent's conversation
		live	5	$PWD/soon.md	went on less than ten minutes ago
	END
}

@test "a path that is no conversation is reported, and others are scanned" {
	mkdir empty
	echo said >a.md
	run -4 --separate-stderr co-harvest-scan none empty a.md
	expect <<<"harvest	5	$PWD/a.md	named"
	[ "$stderr" = "co-harvest-scan: cannot find 'none': No such file or directory
co-harvest-scan: '$PWD/empty' has neither conversations/ nor splits/" ]
}

@test "the size of a database session is that of its text" {
	run -0 co-harvest-scan \
		"$BATS_TEST_DIRNAME/transcripts/opencode.db#ses_back"
	[[ $output == "harvest	"*"#ses_back	named" ]]
	[ "$(cut -f 2 <<<"$output")" -gt 10 ]
}

@test "co-harvest-scan changes nothing" {
	say "latest-1-$U"
	cp -a "$root" before
	run -0 co-harvest-scan "$root"
	diff -r before "$root"
	[ ! -e .co-cli ]
}
