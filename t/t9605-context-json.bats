#!/usr/bin/env bats
# Import and export of the format of an older co: context.json and memories/*.json.
load lib

# context: write a context.json with every field.
context() {
	mkdir -p old/internal old/memories
	cat >old/internal/context.json <<-'END'
		{
		  "version": "1.0",
		  "created": "2026-02-09T10:00:00",
		  "updated": "2026-02-09T15:30:00",
		  "user": {
		    "name": "Ada King",
		    "timezone": "Europe/London",
		    "working_hours": "8am-4pm GMT",
		    "preferences": {
		      "coding_style": "Small functions before clever ones",
		      "verbosity": "Short answers",
		      "variable_naming": "snake_case in C",
		      "imports": "Headers by their full path"
		    },
		    "notes": ["Likes worked examples", "Thinks in tables"]
		  },
		  "project": {
		    "name": "engine",
		    "type": "c_suite",
		    "architecture": ["One program a task", "Files are the truth"],
		    "patterns": ["Arenas for what is parsed", "Errors are values"],
		    "conventions": ["Tabs", "Headers by their full path"],
		    "notes": ["Tests run on Debian: no network", "A release in March"]
		  },
		  "learned_facts": {
		    "facts": ["The index is SQLite", "Tests need bats"],
		    "corrections": ["Thought: YAML 1.1. Corrected: YAML 1.2's core."],
		    "clarifications": ["'store' is a folder, not a database"]
		  }
		}
	END
}

# memories_of_old: write its files of memories; the context has a copy of each text.
memories_of_old() {
	cat >old/memories/user_preferences.json <<-'END'
		{"coding_style": {"value": "Small functions before clever ones",
		                  "timestamp": "2026-01-02T03:04:05.678901"},
		 "editor": {"value": "ed", "timestamp": "2026-01-03T00:00:00",
		            "ttl": 3600, "pin": true, "sensitive": true}}
	END
	cat >old/memories/project_insights.json <<-'END'
		{"errors": {"value": "Errors are values", "timestamp": "2026-01-04T00:00:00",
		            "ttl": "1m", "archive": true}}
	END
	cat >old/memories/learned_facts.json <<-'END'
		{"index": {"value": "The index is SQLite", "timestamp": "2026-01-05T00:00:00"}}
	END
}

# leaves FILE: print each text of a context.json with its section and key.
leaves() {
	jq -r '. as $all | ["user", "project", "learned_facts"][] as $s |
		$all[$s] | paths(strings) as $p | [($s | sub("_facts"; "")),
		($p | map(strings) | join(".")), getpath($p)] | @tsv' "$1"
}

# said: print the same of the records on standard input.
said() {
	jq -r '.content as $c | .key as $k | .tags[] | ltrimstr("category:") as $t |
		($k | if type == "object" then .[$t] else . end | [.] | flatten[]) as $p |
		[$t, $p, $c] | @tsv'
}

@test "import reports that a pinned external memory is not always loaded" {
	mkdir old
	echo '{"editor":{"value":"ed","timestamp":"2026-01-03T00:00:00","pin":true},"shell":{"value":"sh","timestamp":"2026-01-03T00:00:00"}}' >old/user_preferences.json
	run -0 --separate-stderr co import --accept json old/user_preferences.json
	expect <<<'✓ Imported 2 memories; 0 known already, 0 refused'
	[[ $stderr == *"co-import: not always loaded, since their text is external: 1; if you trust it, remove 'trust: external' with 'co edit'"* ]]
	run ! grep -q ed < <(co-context-load)
	load terminal
	need_terminal
	export EDITOR='sed -i /^trust:/d'
	terminal 0 '' 'co edit 1'
	run -0 co-context-load
	[[ $output == *$'\ned'* || $output == *'- ed'* ]]
	run -0 --separate-stderr co import --accept json old/user_preferences.json
	[ "$stderr" = "" ]
}

@test "import saves every field of context.json with its category, key and times" {
	context
	run -0 co-import-read json old
	echo "$output" >records
	diff -u <(leaves old/internal/context.json | sort) <(said <records | sort)
	[ "$(jq -r '[.source, .created, .updated] | @tsv' records | sort -u)" = \
		$'context.json\t2026-02-09T10:00:00Z\t2026-02-09T15:30:00' ]
	# A text in two places is one memory, with the category of the user first.
	run -0 jq -c 'select(.content | test("full path")) | [.tags, .key]' records
	expect <<<'[["category:user","category:project"],{"user":"preferences.imports","project":"conventions"}]'
	run -0 jq -r '.tags[0]' records
	[ "$(uniq <<<"$output")" = $'category:user\ncategory:project\ncategory:learned' ]
}

@test "import of a memory file preserves its expiry and visibility" {
	context
	memories_of_old
	run -0 co import --accept json old
	[ "${lines[-1]}" = '✓ Imported 23 memories; 0 known already, 0 refused' ]
	run -0 jq -c 'select(.source | test("_")) | .frontmatter |
		del(.id, .created)' <(co export --sensitive)
	expect <<-'END'
		{"tags":["category:user"],"source":"user_preferences.json","key":"coding_style","trust":"external"}
		{"tags":["category:user"],"source":"user_preferences.json","key":"editor","expires":"2026-01-03T01:00:00Z","always":true,"sensitive":true,"trust":"external"}
		{"tags":["category:project"],"source":"project_insights.json","key":"errors","expires":"2026-02-04","archive":true,"trust":"external"}
		{"tags":["category:learned"],"source":"learned_facts.json","key":"index","trust":"external"}
	END
	run -0 co-knowledge --check
	# A text that context.json copied is imported once, with its own time.
	run -0 jq -r 'select(.content == "Errors are values") | .created' \
		<(co export)
	expect <<<'2026-01-04T00:00:00Z'
	run -0 co import --json --accept json old
	expect <<<'{"found":23,"saved":0,"known":23,"waiting":0,"refused":0}'
}

@test "import reads files that are named one by one as it reads the directory" {
	context
	memories_of_old
	run -0 co-import-read json old
	echo "$output" >whole
	run -0 co-import-read json old/memories/*.json old/internal/context.json
	diff <(jq -cS 'del(.updated)' whole | sort) \
		<(jq -cS 'del(.updated)' <<<"$output" | sort)
	run -4 co-import-read json old/internal/context.json nowhere.json
	[[ $output == *"nothing of context.json and its memories is taken"* ]]
	[[ $output != *Ada* ]]
}

@test "import orders categories, and takes the expiry of the first" {
	mkdir memories
	echo '{"a":{"value":"Same","ttl":"2w","timestamp":"2026-01-01T00:00:00"}}' \
		>memories/user_preferences.json
	echo '{"b":{"value":"Same","ttl":"9w","sensitive":true},"a":{"value":"Other"}}' \
		>memories/learned_facts.json
	echo '{"c":{"value":"Third","timestamp":"2026-01-01T00:00:00"}}' \
		>memories/project_insights.json
	run -0 co-import-read json memories
	run -0 jq -c '[.content, .tags, .key, .expires, .sensitive]' <<<"$output"
	expect <<-'END'
		["Same",["category:user","category:learned"],{"user":"a","learned":"b"},"2026-01-15",true]
		["Third",["category:project"],"c",null,null]
		["Other",["category:learned"],"a",null,null]
	END
}

@test "import reads each notation of an expiry and reports others" {
	at='"timestamp":"2024-01-31T12:00:00"'
	cat >learned_facts.json <<-END
		{"a":{"value":"a","ttl":0,$at},"b":{"value":"b","ttl":"1m",$at},
		 "c":{"value":"c","ttl":"1y",$at},"d":{"value":"d","ttl":"10d",$at},
		 "e":{"value":"e","expires":"2030-01-01",$at},"f":{"value":"f","ttl":null,$at},
		 "g":{"value":"g","pin":false,"archived":true,"pinned":true,$at},
		 "h":"h","i":{"value":7},"j":{"value":null},"k":null,
		 "bad1":{"value":"x","ttl":-1},"bad2":{"value":"x","ttl":"soon"},
		 "bad3":{"value":"x","ttl":9223372036854775807},"bad4":{"value":"x","ttl":1.5},
		 "bad5":{"value":"x","expires":"2030-02-31"},"bad6":{"value":"x","sensitive":"yes"},
		 "bad7":{"value":["x"]},"bad8":[],"odd":{"value":"o","color":"red"}}
	END
	run -3 --separate-stderr co-import-read json learned_facts.json
	run -0 jq -c '[.content, .expires, .always, .archive]' <<<"$output"
	expect <<-'END'
		["a","2024-01-31T12:00:00Z",null,null]
		["b","2024-02-29",null,null]
		["c","2025-01-31",null,null]
		["d","2024-02-10",null,null]
		["e","2030-01-01",null,null]
		["f",null,null,null]
		["g",null,true,true]
		["h",null,null,null]
		["7",null,null,null]
		["o",null,null,null]
	END
	output=$(co-import-read json learned_facts.json 2>&1 >/dev/null |
		sed "s/.*json': //" | sort)
	expect <<-'END'
		'bad1': 'ttl' must be seconds or one of 10d, 2w, 3m, 1y, and 'expires' a date or time
		'bad2': 'ttl' must be seconds or one of 10d, 2w, 3m, 1y, and 'expires' a date or time
		'bad3': 'ttl' must be seconds or one of 10d, 2w, 3m, 1y, and 'expires' a date or time
		'bad4': 'ttl' must be seconds or one of 10d, 2w, 3m, 1y, and 'expires' a date or time
		'bad5': 'ttl' must be seconds or one of 10d, 2w, 3m, 1y, and 'expires' a date or time
		'bad6': 'pin', 'archive' and 'sensitive' must be true or false
		'bad7': expected a text, or an object with it as 'value'
		'bad8': expected a text, or an object with it as 'value'
		'odd': the key 'color' is left out
	END
}

@test "import reports files that are not a valid context.json and reads others" {
	context
	mkdir bad
	echo '{"version":"2.0","user":{"name":"x"}}' >bad/a.json
	echo '{"version":"1.0","user":{"name":"x","name":"y"}}' >bad/b.json
	printf '{"version":"1.0","user":{"name":"\xff"}}' >bad/c.json
	echo '{"version":"1.0","user":5,"project":[],"team":{},"learned_facts":null}' \
		>bad/d.json
	echo '{"version":"1.0"}' >bad/e.json
	ln -s ../old/internal/context.json bad/f.json
	echo '[]' >bad/learned_facts.json
	echo '5' >bad/user_preferences.json
	echo '{"c":{"value":"One\u0000two"}}' >bad/project_insights.json
	echo '{"a\u0000b":{"value":"x"}}' >bad/g.json
	run -3 --separate-stderr co-import-read json bad
	run -0 jq -c '[.content, .key]' <<<"$output"
	expect <<<'["One\u0000two","c"]'
	output=$(co-import-read json bad 2>&1 >/dev/null | sed 's/^co-import-read: //')
	expect <<-'END'
		'bad/a.json': unsupported version '2.0' of context.json: expected 1.0
		'bad/b.json':1:42: duplicate object key near '"name"'
		'bad/c.json': the text is not UTF-8
		'bad/d.json': 'user': expected an object
		'bad/d.json': 'project': expected an object
		'bad/d.json': 'team': expected user, project or learned_facts
		'bad/g.json':1:11: NUL byte in object key not supported near '"a\u0000b"'
		'bad/user_preferences.json': expected an object, a memory under each key
	END
	run -3 co-import-read json bad/a.json
	run -0 co-import-read json bad/f.json # a link that was named is followed
	truncate -s 65M bad/learned_facts.json
	run -3 co-import-read json bad/learned_facts.json
	[[ $output == *'is larger than'* || $output == *'more than'* ]]
}

@test "import does not take a memory's copy if the memory is invalid" {
	context
	echo '{"a":{"value":"Short answers","sensitive":"very"}}' \
		>old/memories/user_preferences.json
	run -3 co-import-read json old
	[[ $output != *'Short answers'* && $output == *Ada* ]]
}

@test "import takes no memory of the files if one of them cannot be read" {
	context
	memories_of_old
	echo '{"a":' >old/memories/learned_facts.json
	echo '{"content":"A record"}' >old/record.json
	run -3 --separate-stderr co-import-read json old
	[ "$output" = '{"content":"A record"}' ]
	[ "${stderr_lines[1]}" = "co-import-read: nothing of context.json and its memories is taken while some of it cannot be read, since one file completes another" ]
}

# bats test_tags=slow
@test "import reads a hundred thousand memories with different or equal texts" {
	seq 100000 | awk '{ printf "%s\"k%d\":{\"value\":\"t%d\",\"pin\":true}", \
		(NR > 1 ? "," : "{"), $1, $1 } END { print "}" }' >learned_facts.json
	run -0 co-import-read json learned_facts.json
	[ "${#lines[@]}" -eq 100000 ]
	[[ ${lines[99999]} == '{"content":"t100000",'*'"key":"k100000","always":true}' ]]
	sed -E 's/"t[0-9]+"/"one"/g' learned_facts.json >user_preferences.json
	run -0 co-import-read json user_preferences.json
	[ "${#lines[@]}" -eq 1 ]
	sed -E 's/true/1/g' learned_facts.json >user_preferences.json
	run -3 co-import-read json user_preferences.json
	[ "${#lines[@]}" -eq 11 ]
	[[ ${lines[10]} == *': 99990 more such faults' ]]
}

@test "an export has the imported fields in the same places" {
	context
	memories_of_old
	co import --accept json old
	run -0 --separate-stderr co export --format=json --sensitive new
	[ "$stderr" = 'co-export: left out, and kept by --format=jsonl: ids of 23' ]
	[ "$(cd new && find . -type f | sort)" = "$(cd old && find . -type f | sort)" ]
	sorted='def sorted: walk(if type == "array" then sort else . end);'
	diff -u <(jq -S "$sorted sorted | .created += \"Z\"" old/internal/context.json) \
		<(jq -S "$sorted sorted | .project.patterns += [\"Errors are values\"] |
			.project.patterns |= sort" new/internal/context.json)
	for file in user_preferences project_insights learned_facts; do
		diff -u <(jq -S 'map_values(.timestamp |= sub("([.].*)?$"; "Z")) |
				map_values(if .ttl == "1m" then .ttl = "31d" else . end)' \
				"old/memories/$file.json") \
			<(jq -S . "new/memories/$file.json")
	done
	run -0 --separate-stderr co export --format=json --sensitive
	run -0 jq -S '.memories.user_preferences' <<<"$output"
	diff -u <(jq -S . new/memories/user_preferences.json) <(echo "$output")
}

@test "--format=json omits sensitive memories and does not copy hidden ones" {
	co-memory-save --batch <<-'END'
		{"content":"Secret","tags":["category:user"],"key":"s","sensitive":true}
		{"content":"Over","tags":["category:user"],"key":"o","expires":"2026-02-01"}
		{"content":"Gone","tags":["category:project"],"key":"g","archive":true}
		{"content":"Open","tags":["category:project"],"key":"p","expires":"2026-12-24","always":true}
	END
	run -0 co export --format=json
	[[ $output != *Secret* ]]
	run -0 --separate-stderr co export --format=json --sensitive
	run -0 jq -c 'del(.memories.learned_facts)' <<<"$output"
	expect <<<'{"version":"1.0","user":{},"project":{"patterns":["Open"]},"learned_facts":{},"memories":{"user_preferences":{"s":{"value":"Secret","timestamp":"2026-02-09T14:30:00Z","sensitive":true},"o":{"value":"Over","timestamp":"2026-02-09T14:30:00Z","expires":"2026-02-01"}},"project_insights":{"g":{"value":"Gone","timestamp":"2026-02-09T14:30:00Z","archive":true},"p":{"value":"Open","timestamp":"2026-02-09T14:30:00Z","ttl":"318d","pin":true}}}}'
}

@test "--format=json reports what it cannot express, and jsonl omits nothing" {
	memory 1 2026-01-01T00:00:00Z 'a, category:user' <<<One
	memory 2 2026-01-01T00:00:00Z '' "$memories/002-two.md" <<<Two
	co-memory-save --batch <<-'END'
		{"content":"Three","tags":["category:learned"],"key":"k","note":"n"}
		{"content":"Four","tags":["category:learned"],"key":"k","source":"learned_facts.json"}
		{"content":"Four","tags":["category:learned"],"key":"f","source":"learned_facts.json"}
	END
	echo '{"facts":["F"]}' | co-item-add --from=chat
	run -0 --separate-stderr co export --format=json
	[ "$stderr" = 'co-export: left out, and kept by --format=jsonl: ids of 5, no category of 1, no key of its own of 3, tags of 1, sources of 3, further keys of 1, a text twice of 1, 1 item' ]
	run -0 jq -c '[.user, .memories.learned_facts | keys]' <<<"$output"
	expect <<<'[["preferences"],["002-two","f","k","k-2"]]'
	run -0 --separate-stderr co export
	[ -z "$stderr" ]
	[ "${#lines[@]}" -eq 6 ]
}

@test "--format=json copies memories to the context only if all of them fit" {
	seq 300 | sed 's/.*/{"content":"Fact & of many that are long enough to fill it","tags":["category:learned"],"key":"k&"}/' |
		co-memory-save --batch >saved
	run -0 --separate-stderr co export --format=json
	run -0 jq -c '[(.learned_facts.facts | length), (.memories.learned_facts | length)]' <<<"$output"
	expect <<<'[300,300]'
	seq 600 | sed 's/.*/{"content":"And fact & of many more of them","tags":["category:learned"],"key":"m&"}/' |
		co-memory-save --batch >saved
	run -0 --separate-stderr co export --format=json
	run -0 jq -c '[.learned_facts, (.memories.learned_facts | length)]' <<<"$output"
	expect <<<'[{},900]'
}
