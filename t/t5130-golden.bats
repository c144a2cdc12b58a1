#!/usr/bin/env bats
# Test search with the memories and queries of t/golden.
load lib

setup_file() {
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR world
	"$CO_SOURCE/contrib/load-jsonl" "$CO_SOURCE/t/golden" \
		"$BATS_FILE_TMPDIR/out" >"$BATS_FILE_TMPDIR/made"
}

setup() {
	world
	cp -a "$BATS_FILE_TMPDIR/out" .
}

@test "golden queries of each kind find an answer among the first five" {
	run -0 "$CO_SOURCE/t/golden/by-kind" out/all
	# A kind may lose one answer; two are a failure.
	join <(cut -d' ' -f1-2 "$CO_SOURCE/t/golden/expected") \
		<(printf '%s\n' "$output") >both
	[ "$(wc -l <both)" = "$(wc -l <"$CO_SOURCE/t/golden/expected")" ]
	run -0 awk '$3 < $2 - 1 {
		print $1 ": " $3 " of " $4 " are found, where " $2 " were"
	}' both
	expect </dev/null
}

@test "paths rank answers higher in their directory more than lower elsewhere" {
	"$CO_SOURCE/t/golden/by-path" out/all | tee told
	read -r top at elsewhere < <(sed 's/.*: \([0-9]*\) first.*/\1/' told | xargs)
	[ $((at - top)) -ge 4 ]
	[ $((at - top)) -gt $((top - elsewhere)) ]
	# No answer leaves the first five.
	[ "$(sed 's/.*first, //' told | sort -u | wc -l)" = 1 ]
}

# brought <TEXTS: pass each line of standard input to the hook as a prompt.
# Print the line number and the ids of the memories that the hook adds.
brought() {
	local event n=0
	jq -Rc --arg cwd "$PWD" '{session_id: "s\(input_line_number)", cwd: $cwd,
		hook_event_name: "UserPromptSubmit", prompt: .}' >events
	while IFS= read -r event; do
		co hook claude <<<"$event"
	done <events >answers
	[ "$(wc -l <answers)" = "$(wc -l <events)" ] || return
	# In the JSON, the heading of a memory follows \n.
	awk '{
		while (match($0, /\\n\*\*Memory [0-9]+\*\*/)) {
			id = substr($0, RSTART + 11, RLENGTH - 13)
			print NR, id
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' answers
}

@test "the hook adds nothing to most prompts, and keeps good hits of questions" {
	cd out/all
	mkdir -p "$global"
	echo '{"hook": {"recall": "on", "timeout_ms": 60000}}' \
		>"$global/settings.json"
	# Otherwise each prompt makes as many vectors as its processor time allows.
	co-index-update --vectors
	local all loud good kept
	all=$(wc -l <"$CO_SOURCE/t/golden/prompts")
	brought <"$CO_SOURCE/t/golden/prompts" >loud
	loud=$(cut -d' ' -f1 loud | sort -u | wc -l)
	echo "nothing for $((all - loud)) of $all prompts"
	[ $(((all - loud) * 10)) -ge $((all * 7)) ]
	# Good hits: the answers among the first three results of recall.
	jq -c '{query: .text, max: 3}' queries.jsonl |
		co-recall --batch --mode=fts --format='%(path)' >paths
	awk '
		NR == FNR { answers[$0] = 1; next }
		FILENAME != "paths" { asked[FNR] = $0; next }
		!/^\// { n++; next }
		{
			sub(/.*\//, "")
			if ((asked[n + 1] " " $0) in answers)
				print n + 1, $0 + 0
		}
	' <(jq -r '"\(.q) \(.d)"' qrels.jsonl) <(jq -r .id queries.jsonl) paths |
		sort -u >good
	jq -r .text queries.jsonl | brought >kept
	good=$(wc -l <good)
	kept=$(grep -cxFf kept good)
	echo "$kept of $good good hits are kept"
	[ "$good" -ge 150 ] && [ $((kept * 100)) -ge $((good * 95)) ]
}
