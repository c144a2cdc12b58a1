#!/usr/bin/env bats
# What agents remember, and how people ask for it: t/golden.
load lib

setup() {
	world
	"$CO_SOURCE/contrib/load-jsonl" "$CO_SOURCE/t/golden" out >made
}

@test "golden questions find an answer among the first five, of each kind" {
	run -0 "$CO_SOURCE/t/golden/by-kind" out/all
	# One less of a kind than was is no news; two are.
	join <(cut -d' ' -f1-2 "$CO_SOURCE/t/golden/expected") \
		<(printf '%s\n' "$output") >both
	[ "$(wc -l <both)" = "$(wc -l <"$CO_SOURCE/t/golden/expected")" ]
	run -0 awk '$3 < $2 - 1 {
		print $1 ": " $3 " of " $4 " are found, where " $2 " were"
	}' both
	expect </dev/null
}

@test "paths bring more to the top at hand than they take from it elsewhere" {
	"$CO_SOURCE/t/golden/by-path" out/all | tee told
	read -r top at elsewhere < <(sed 's/.*: \([0-9]*\) first.*/\1/' told | xargs)
	[ $((at - top)) -ge 5 ]
	[ $((at - top)) -gt $((top - elsewhere)) ]
	# None leaves the first five.
	[ "$(sed 's/.*first, //' told | sort -u | wc -l)" = 1 ]
}

# brought PROMPT: the ids of the memories that the hook puts beside it, a line
# each.
brought() {
	jq -cn --arg cwd "$PWD" --arg prompt "$1" \
		'{session_id: "s", cwd: $cwd, hook_event_name:
			"UserPromptSubmit", prompt: $prompt}' |
		co hook claude |
		jq -r '.hookSpecificOutput.additionalContext // ""' |
		sed -n 's/^\*\*Memory \([0-9]*\)\*\*.*/\1/p'
}

@test "of what people say to agents, most brings nothing, and questions lose little" {
	cd out/all
	mkdir -p "$global"
	echo '{"hook": {"recall": "on", "timeout_ms": 60000}}' \
		>"$global/settings.json"
	local prompt id text quiet=0 all=0
	while IFS= read -r prompt; do
		all=$((all + 1))
		[ -n "$(brought "$prompt")" ] || quiet=$((quiet + 1))
	done <"$CO_SOURCE/t/golden/prompts"
	echo "nothing for $quiet of $all prompts"
	[ $((quiet * 10)) -ge $((all * 7)) ]
	# Good hits: the answers that recall has among as many.
	jq -r '"\(.q) \(.d)"' qrels.jsonl | sort >answers
	jq -r '"\(.id)\t\(.text)"' queries.jsonl >asked
	while IFS=$'\t' read -r id text; do
		co-recall --mode=fts -n 3 --format='%(path)' -- "$text" \
			</dev/null | sed "s|.*/|$id |" || [ $? = 1 ]
	done <asked | sort | join -o 1.1,1.2,2.2 - answers |
		awk '$2 == $3 {sub(/^0*/, "", $2); print $1, $2 + 0}' >good
	while IFS=$'\t' read -r id text; do
		brought "$text" </dev/null | sed "s/^/$id /"
	done <asked >kept
	good=$(sort -u good | wc -l)
	kept=$(sort -u good | grep -cxFf kept)
	echo "$kept of $good good hits are kept"
	[ "$good" -ge 150 ] && [ $((kept * 100)) -ge $((good * 95)) ]
}
