#!/usr/bin/env bats
# Test the ledger of conversations, and the order of steps that reclaim a
# conversation, with t/tool/harvest/reclaim.
load lib
load killed

setup() {
	world
	knowledge=.co-cli/knowledge
	ledger=$knowledge/ledger.json
	reclaim=$CO_BIN/../t/tool/harvest/reclaim
	source=$PWD/conversations/one
	reply='{"facts": ["f1", "f2"], "tasks_open": ["t"], "decisions": ["d"]}'
	echo "$reply" >"$BATS_TEST_TMPDIR/in"
}

conversation() {
	mkdir -p conversations
	printf 'what was said' >"$source"
}

@test "a ledger entry has its keys in the documented order" {
	conversation
	"$reclaim" "$source" <<<"$reply"
	[ ! -e "$source" ]
	key=$(printf 'what was said' | sha256sum | cut -d ' ' -f 1)
	diff -u - $ledger <<-END
		{
		  "entries": {
		    "$key": {
		      "path": "$source",
		      "status": "harvested",
		      "at": "2026-02-09T14:30:00.000000+00:00",
		      "deleted": true,
		      "items": {
		        "facts": 2,
		        "decisions": 1,
		        "tasks_done": 0,
		        "tasks_open": 1,
		        "questions": 0,
		        "playbooks": 0,
		        "files": 0
		      }
		    }
		  }
		}
	END
	run -0 co-item-list --category=facts
	expect <<<$'facts\tf1\tconv\t2026-02-09\nfacts\tf2\tconv\t2026-02-09'
}

@test "a conversation with known content is deleted without using the reply" {
	conversation
	"$reclaim" "$source" <<<"$reply"
	cp $ledger before
	mkdir -p conversations
	printf 'what was said' >conversations/copy
	"$reclaim" "$PWD/conversations/copy" <<<'{"facts": ["another"]}'
	[ ! -e conversations/copy ]
	run -1 grep -r another $knowledge
	# The entry keeps the first path.
	cmp before $ledger
}

@test "unknown keys of a ledger are kept" {
	mkdir -p $knowledge
	echo '{"entries": {"b": {"status": "too-large", "deleted": false,
		"note": [1]}}, "other": 1}' >$ledger
	conversation
	"$reclaim" "$source" <<<"$reply"
	run -0 grep -c '"note"' $ledger
	run -0 grep -c '"other": 1' $ledger
	grep '^    "' $ledger | LC_ALL=C sort -c
}

@test "a damaged ledger deletes nothing, and the error has a remedy" {
	conversation
	mkdir -p $knowledge
	for text in '' ' ' '{' '[]' '{"entries": []}' '{"entries": {"a": 1}}' \
		'{"entries": {"a": {"status": "new", "deleted": true}}}' \
		'{"entries": {"a": {"status": "harvested"}}}' \
		$'<<<<<<< a\n{}\n=======\n{}\n>>>>>>> b'; do
		printf '%s' "$text" >$ledger
		cp $ledger before
		run -3 "$reclaim" "$source" <<<"$reply"
		[[ $output == *"$ledger':"*'mend it'* ]]
		cmp before $ledger
		[ -e "$source" ]
		[ ! -e $knowledge/facts.md ]
	done
}

@test "a conversation that continued meanwhile is kept" {
	conversation
	mkfifo reply
	"$reclaim" "$source" <reply &
	echo ' and more' >>"$source"
	# Its key was computed before or after. In both cases no unread text is
	# deleted.
	echo "$reply" >reply
	wait $! || status=$?
	[ -e "$source" ] || [ "$(co-item-list | wc -l)" = 4 ]
}

@test "an item that looks like a secret keeps the conversation" {
	conversation
	run -3 "$reclaim" "$source" <<<'{"facts": ["AKIAZ7QK3PLMW2XVN4TB", "f"]}'
	[[ $output == *'the conversation is kept'* ]]
	[ -e "$source" ]
	[ ! -e $ledger ]
	run -0 co-item-list
	expect <<<$'facts\tf\tconv\t2026-02-09'
}

@test "a conversation deleted before the ledger knew is recorded as deleted" {
	conversation
	"$reclaim" "$source" <<<"$reply"
	sed -i 's/"deleted": true/"deleted": false/' $ledger
	"$reclaim" --settle
	run -0 grep '"deleted"' $ledger
	[[ $output == *true* ]]
	sed -i 's/"deleted": true/"deleted": false/' $ledger
	conversation
	"$reclaim" --settle
	run -0 grep '"deleted"' $ledger
	[[ $output == *false* ]]
}

@test "parallel harvests lose no entries and no items" {
	mkdir -p conversations
	for i in {1..12}; do
		echo "text $i" >conversations/$i
		"$reclaim" "$PWD/conversations/$i" "c$i" \
			<<<"{\"facts\": [\"fact $i\", \"the same\"]}" &
	done
	wait
	run -0 grep -c '"deleted": true' $ledger
	expect <<<12
	run -0 grep -c '^- fact' $knowledge/facts.md
	expect <<<12
	run -0 grep -c '^- the same' $knowledge/facts.md
	expect <<<1
	[ -z "$(ls conversations)" ]
}

prepare() {
	conversation
	mkdir -p $knowledge
	printf -- '# F\n\n- mine' >$knowledge/facts.md
}

@test "a full disk keeps the conversation, and the next run harvests it" {
	need_strace
	local name
	for name in fsync renameat2; do
		rm -rf .co-cli
		prepare
		status=0
		traced $name 1+ error=ENOSPC "$reclaim" "$source" || status=$?
		[ "$status" -eq 4 ]
		[ -e "$source" ]
		[ -s "$BATS_TEST_TMPDIR/err" ]
		"$reclaim" "$source" <"$BATS_TEST_TMPDIR/in"
		[ ! -e "$source" ]
		[ "$(co-item-list | wc -l)" -eq 5 ]
		grep -qx -- '- mine' $knowledge/facts.md
	done
}

@test "items are durable before the ledger, and the ledger before deletion" {
	need_strace
	prepare
	durably "$reclaim" "$source" <"$BATS_TEST_TMPDIR/in"
	run -0 awk '/renameat2?\(|unlinkat\(.*"one"/ {
		if (/facts.md/) print "items"
		if (/ledger.json/) print "ledger"
		if (/"one"/) print "deleted"
	}' "$BATS_TEST_TMPDIR/trace"
	expect <<<$'items\nledger\ndeleted\nledger'
}

# long_ledger: write a ledger so long that entries go to a log. t/faults kills a
# harvest with such a ledger.
long_ledger() {
	mkdir -p $knowledge
	[ -e ../long ] || jq -n '{entries: ([range(300) | {key: "key \(.)",
		value: {path: "/no/such/\("x" * 100)/\(.)", status: "too-large",
			at: "2026-01-01T00:00:00.000000+00:00",
			deleted: false}}] | sort_by(.key) | from_entries)}' >../long
	cp ../long $ledger
}

@test "entries of a long ledger go to a log, and later to the ledger" {
	conversation
	long_ledger
	"$reclaim" "$source" <<<"$reply"
	cmp ../long $ledger
	# The log has the states of the entry in order.
	run -0 jq -c '.[] | [.status, .deleted]' $knowledge/ledger.log
	expect <<<$'["harvested",false]\n["harvested",true]'
	# A conversation with the same content is known from the log.
	conversation
	"$reclaim" "$source" <<<'{"facts": ["another"]}'
	[ ! -e "$source" ]
	run -1 grep -r another $knowledge
	"$reclaim" --settle
	[ ! -e $knowledge/ledger.log ]
	jq -e '.entries | length == 301 and (keys_unsorted | . == sort) and
		([.[] | select(.status == "harvested" and .deleted)] | length) == 1' \
		$ledger
}

@test "a log of less than 16 KiB is kept, whatever the ledger's size" {
	conversation
	long_ledger
	jq '.entries |= (to_entries[:70] | from_entries)' ../long >$ledger
	cp $ledger before
	for i in {1..120}; do
		echo '{"a":{"path":"/no/such","status":"too-large","deleted":false}}'
	done >$knowledge/ledger.log
	[ "$(stat -c %s $ledger)" -gt 16384 ]
	"$reclaim" "$source" <<<"$reply"
	cmp before $ledger
	[ "$(wc -l <$knowledge/ledger.log)" = 122 ]
}

@test "an incomplete last line of the log is ignored" {
	long_ledger
	printf '{"a":{"path":"/no/such","status":"harv' >$knowledge/ledger.log
	conversation
	"$reclaim" "$source" <<<"$reply"
	[ "$(wc -l <$knowledge/ledger.log)" = 2 ]
	"$reclaim" --settle
	run -1 jq -e '.entries.a' $ledger
	# A complete, damaged line is an error.
	echo '{"a":{"path":"/no/such","status":"harv' >$knowledge/ledger.log
	conversation
	run -3 "$reclaim" "$source" <<<"$reply"
	[[ $output == *"/ledger.log': a line is damaged"*'mend it'* ]]
	[ -e "$source" ]
	rm $knowledge/ledger.log
	ln -s ../../../long $knowledge/ledger.log
	run -3 "$reclaim" "$source" <<<"$reply"
	[ -e "$source" ]
	cmp ../long <(jq . ../long)
}

@test "parallel harvests lose nothing of a long ledger and its log" {
	long_ledger
	mkdir -p conversations
	for i in {1..8}; do
		echo "text $i" >conversations/$i
		"$reclaim" "$PWD/conversations/$i" "c$i" \
			<<<"{\"facts\": [\"fact $i\", \"the same\"]}" &
	done
	"$reclaim" --settle &
	wait
	"$reclaim" --settle
	run -0 jq '[.entries[] | select(.deleted)] | length' $ledger
	expect <<<8
	[ ! -e $knowledge/ledger.log ]
	[ -z "$(ls conversations)" ]
}

@test "a log that another process merges meanwhile is no error" {
	need_strace
	local trace="strace -qq -o trace -e trace=openat"
	conversation
	long_ledger
	"$reclaim" "$source" <<<"$reply"
	[ -e $knowledge/ledger.log ]
	cp -R .co-cli ../before
	$trace "$reclaim" --settle
	n=$(grep -n 'ledger\.log' trace | head -n 1 | cut -d : -f 1)
	rm -r .co-cli
	mv ../before .co-cli
	$trace -e inject="openat:error=ENOENT:when=$n" "$reclaim" --settle
	[ "$(grep -c 'ledger\.log.*INJECTED' trace)" = 1 ]
}

@test "a failed ledger write after saving the items keeps them as harvested" {
	need_strace
	conversation
	mkdir -p "$global" first/conversations
	mv "$source" first/conversations/chat-01234567-89ab-cdef-0123-456789abcdef
	echo '{"facts": ["f"]}' >answer
	jq -n --arg f "$PWD/answer" '{"llm.provider": "command",
		"llm.command": ["cat", $f]}' >"$global/settings.json"
	strace -qq -o trace -e trace=renameat2 co-harvest --apply first
	# The last write of the ledger records the deletion.
	n=$(grep -c . < <(sed '/ledger.json.*EXCHANGE/q' trace))
	rm -rf .co-cli
	mkdir -p first/conversations
	printf 'what was said' \
		>first/conversations/chat-01234567-89ab-cdef-0123-456789abcdef
	traced renameat2 "$n" error=ENOSPC co-harvest --apply first || status=$?
	[ "$status" = 4 ]
	grep -q INJECTED "$BATS_TEST_TMPDIR/trace"
	[ -z "$(ls first/conversations)" ]
	run -0 jq -r '.entries[].status' $ledger
	expect <<<harvested
	run -0 co-harvest --apply first
	run -0 jq -r '.entries[].deleted' $ledger
	expect <<<true
	run -0 co-item-list
	[ "${#lines[@]}" = 1 ]
}
