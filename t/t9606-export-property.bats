#!/usr/bin/env bats
# Exports of generated stores import to equal stores.
load lib

# draw SEED N [plain]: print records of N memories for co-memory-save --batch
# --exact. With plain each text is unique, as an import requires.
draw() {
	awk -v seed="$1" -v n="$2" -v plain="${3:-}" '
	function below(most) { # a number from 0
		seed = seed * 16807 % 2147483647
		return int(seed / 7) % most
	}
	function one_of(list, words) {
		return words[1 + below(split(list, words, " "))]
	}
	function put(key, value) {
		if (!(key in has))
			keys = keys ",\"" key "\":" value
		has[key] = 1
	}
	function value(deep, kind) {
		kind = below(deep ? 6 : 8)
		if (kind == 6)
			return "[" value(1) "," value(1) "]"
		if (kind == 7)
			return "{\"b\":" value(1) ",\"a\":" value(1) "}"
		return one_of("1 -7 2.5 true null \"no\" \"2026-01-01\" \"a:_b\" \"\\u00e9\\u4f60\" \"#\" \"\\\"q\\\"\"")
	}
	function day() {
		return sprintf("20%02d-%02d-%02d", 20 + below(12), 1 + below(12), 1 + below(28))
	}
	function body(i, text) {
		text = (plain || below(9)) ? "memory " i : "twice"
		for (lines = below(6); lines > 0; lines--)
			text = text one_of("\\n \\n\\n \\n--- \\n---\\n \\n#_ \\n-_ \\n\\t \\n<!--_co:file_x_3_-->\\n \\r\\n \\n```\\n") \
				one_of("plain caf\\u00e9 \\u4f60\\u597d \\ud83d\\ude00 a\\\"b\\\\c key:_value {}[] ---x @ 1.0 </system-reminder>") \
				(below(2) ? "  " : "") "end"
		gsub(/_/, " ", text)
		return text
	}
	BEGIN {
		seed += 1000
		for (below(1000); ++i <= n;) {
			id += 1 + below(3)
			created = plain && below(2) ? "2026-02-09T10:00:00Z" : day() one_of("T00:00:00Z T23:59:59Z T12:30:00+02:00 T01:02:03")
			keys = "\"id\":" id ",\"created\":\"" created "\""
			split("", has)
			tags = ""
			for (k = below(3); k > 0; k--)
				tags = tags ",\"" one_of("a b-c \\u00e9 category:user category:project category:learned category:odd") k "\""
			gsub(/category:[a-z]*[0-9]/, "&#", tags); gsub(/[0-9]#/, "", tags)
			if (split(tags, t, ",") == 3 && t[2] == t[3])
				tags = "," t[2]
			if (tags || below(2))
				put("tags", "[" substr(tags, 2) "]")
			if (below(3))
				put("source", "\"" one_of("user-told context.json learned_facts.json x:y") "\"")
			if (below(2))
				put("key", "\"" one_of("name notes preferences.a preferences.a.b facts k.1 patterns " i " \\u00e9 value") "\"")
			for (k = below(4); k > 0; k--)
				put(one_of("expires expires note x-y always archive sensitive updated"), "\"\"")
			gsub(/"expires":""/, "\"expires\":\"" day() (below(2) ? "" : "T06:07:08Z") "\"", keys)
			gsub(/"updated":""/, "\"updated\":\"2026-01-01T00:00:00Z\"", keys)
			gsub(/"(always|archive|sensitive)":""/, "&#", keys)
			gsub(/""#/, one_of("true true false"), keys)
			while (sub(/:""/, ":" value(0), keys));
			print "{\"content\":\"" body(i) "\",\"frontmatter\":{" keys "}}"
		}
	}'
}

# store SEED [N [plain]]: make a store of drawn memories in a directory.
store() {
	rm -rf "s$1"
	mkdir -p "s$1/.co-cli"
	draw "$1" "${2:-40}" "${3:-}" >"drawn$1"
	(cd "s$1" && co-memory-save --batch --exact <"../drawn$1" >../saved)
	[ "$(wc -l <saved)" -eq "${2:-40}" ]
}

# whole: print the records of the store, without their paths.
whole() {
	co export --sensitive | jq -c 'del(.path)'
}

@test "the generator draws the records of a store, equal for one seed" {
	[ "$(draw 1 30)" = "$(draw 1 30)" ]
	[ "$(draw 1 30)" != "$(draw 2 30)" ]
	store 1
	diff <(jq -c '[.content, .frontmatter]' drawn1) \
		<(cd s1 && whole | jq -c '[.content, .frontmatter]')
}

@test "jsonl preserves each byte of bodies and the order of keys" {
	for seed in 1 2 3 4; do
		store $seed
		(cd s$seed && co export --sensitive >../all)
		rm -rf copy && mkdir -p copy/.co-cli
		(cd copy && co import -q --accept json ../all)
		diff <(cd s$seed && whole) <(cd copy && whole)
		diff -r s$seed/$memories copy/$memories
		# A second import changes nothing.
		(cd copy && co import --json --accept json ../all >../again &&
			co-memory-save --batch --exact <../all >../saved)
		[ "$(jq .saved again)" = 0 ]
		diff -r s$seed/$memories copy/$memories
	done
}

@test "markdown preserves files, to a directory and to standard output" {
	for seed in 5 6; do
		store $seed
		(cd s$seed && co export --sensitive --format=markdown ../files$seed &&
			co export --sensitive --format=markdown >../all.md)
		diff -r s$seed/$memories files$seed
		for from in files$seed all.md; do
			rm -rf copy && mkdir -p copy/.co-cli
			(cd copy && co import -q --accept markdown ../$from)
			diff <(cd s$seed && whole) <(cd copy && whole)
		done
	done
}

# sayable: print what context.json can express of the records on standard input.
sayable() {
	jq -c --slurp 'def categories: [.tags[] | select(test("^category:(user|project|learned)$"))]
			| unique | if length > 0 then . else ["category:learned"] end;
		map(.frontmatter as $f | [.content, (.created | sub("([.].*)?[Z+].*$"; "")
				| .[0:10] as $day | if ($f.created | test("[+]")) then
					$f.created | sub("T12:30:00[+]02:00"; "T10:30:00") else . end),
			categories, ($f.expires // null), $f.always == true,
			$f.archive == true, $f.sensitive == true]) | sort | .[]'
}

# keyed: print the records that have a unique key, with that key.
keyed() {
	jq -c --slurp 'group_by(.frontmatter.key)[] | select(length == 1)[] |
		select(.frontmatter.key | type == "string") |
		[.content, .frontmatter.key]' | sort
}

@test "json preserves all that it can express, and its own exports exactly" {
	for seed in 7 8 9 10; do
		store $seed 40 plain
		(cd s$seed && co export --sensitive --format=json >../one.json 2>../unsaid)
		grep -q '^co-export: left out, and kept by --format=jsonl: ids of 40,' unsaid
		rm -rf copy again
		mkdir -p copy/.co-cli again/.co-cli
		(cd copy && co import -q --accept json ../one.json)
		diff <(cd s$seed && whole | sayable) <(cd copy && whole | sayable)
		(cd s$seed && whole | keyed) >keys
		[ -s keys ]
		run -0 comm -23 keys <(cd copy && whole | keyed)
		[ -z "$output" ]
		(cd copy && co export --sensitive --format=json ../files$seed &&
			co export --sensitive --format=json >../two.json) 2>/dev/null
		(cd again && co import -q --accept json ../files$seed &&
			co export --sensitive --format=json 2>/dev/null >../three.json)
		diff <(jq . two.json) <(jq . three.json)
	done
}

@test "no export has a sensitive memory without --sensitive" {
	for seed in 11 12; do
		store $seed 40 plain
		(cd s$seed && whole | jq -r 'select(.frontmatter.sensitive == true) |
			.content | split("\n")[0] | split("\r")[0]') >secret
		[ -s secret ]
		for format in jsonl json markdown; do
			(cd s$seed && co export --format=$format >../out 2>/dev/null)
			# The first line ends with a number; no other text begins so.
			while read -r line; do
				run -1 grep -E "$line([^0-9]|\$)" out
			done < <(grep -o '^memory [0-9]*' secret)
		done
	done
}
