#!/usr/bin/env bats
# co import, co export and co-import-read exchange memories with other programs.
load lib
load terminal

# drafts_say: print the drafts, one per line: content, tags, source and date.
drafts_say() {
	co-memory-list --drafts | co-memory-show --json |
		jq -r '[.content, (.tags | join("+")), .source, .created] |
			join(" | ")'
}

@test "import claude reads the files of a memory directory, but not its index" {
	mkdir -p x/memory
	printf -- '- [one](one.md)\n' >x/memory/MEMORY.md
	printf -- '---\nname: one\ndescription: d\nmetadata:\n  type: feedback\n---\n\nUse tabs.\n' >x/memory/one.md
	touch -d 2025-03-04T05:06:07Z x/memory/one.md
	run -0 co import claude x
	[[ $output == *'✓ Imported 1 draft; 0 known already, 0 refused'* ]]
	run -0 drafts_say
	expect <<<'Use tabs. | feedback | claude:one.md | 2025-03-04T05:06:07Z'
}

@test "import claude finds memories next to an index, but not in a project" {
	mkdir -p backup project
	echo '- [one](one.md)' | tee backup/MEMORY.md >project/MEMORY.md
	printf -- '---\nname: one\ndescription: d\n---\n\nUse tabs.\n' >backup/one.md
	cp backup/one.md project/README.md
	echo 'Run make.' >project/CLAUDE.md
	run -0 co-import-read claude backup project
	run -0 jq -r .content <<<"$output"
	expect <<<$'Use tabs.\nRun make.'
}

@test "import claude reads each item and paragraph of CLAUDE.md with its headings" {
	cat >CLAUDE.md <<-'END'
		# Project
		@docs/more.md

		Always run the tests.

		## Code style
		- Use tabs
		- Name things
		  whole
	END
	run -0 co-import-read claude CLAUDE.md
	run -0 jq -r '[.content, (.tags | join("+"))] | join(" | ")' <<<"$output"
	expect <<-'END'
		Always run the tests. | 
		Use tabs | Code-style
		Name things
		  whole | Code-style
	END
}

@test "import reports a broken memory of the store once" {
	mkdir -p $memories
	printf -- '---\nid: x\n---\n\nBroken\n' >$memories/001-broken.md
	printf '{"content":"%s"}\n' one two three >in.jsonl
	run -0 --separate-stderr co import in.jsonl
	[ "$(grep -c 001-broken <<<"$stderr")" = 1 ]
}

@test "import explains why it imported nothing and suggests a command" {
	printf '# Rules\n\n- Use tabs\n' | tee notes.md >CLAUDE.md
	run -3 co import markdown CLAUDE.md
	expect <<-'END'
		co-import: 'CLAUDE.md': not a file of a memory: its frontmatter has no id
		co-import: nothing was imported: no memory in the format markdown is in 'CLAUDE.md'
		hint: try 'co import claude CLAUDE.md'
	END
	run -0 co import -n claude CLAUDE.md
	run -3 co import notes.md
	[ "${lines[2]}" = "hint: try 'co import obsidian notes.md'" ]
	run -0 co import -n obsidian notes.md
	mkdir notes
	mv notes.md notes/
	run -3 co import markdown notes
	[ "${lines[2]}" = "hint: try 'co import obsidian notes'" ]
	mv notes/notes.md .
	run -3 co import markdown notes.md CLAUDE.md
	[ "${lines[2]}" = "co-import: nothing was imported: no memory in the format markdown is in 'notes.md', 'CLAUDE.md'" ]
	run -4 co import markdown nowhere gone
	expect <<-'END'
		co-import: cannot open 'nowhere': No such file or directory
		co-import: cannot open 'gone': No such file or directory
	END
	: >CLAUDE.md
	run -0 co import CLAUDE.md
	expect <<-'END'
		co-import: nothing was imported: no memory in the format claude is in 'CLAUDE.md'
		hint: 'co help import' explains the formats
	END
	run -0 co import --json CLAUDE.md
	expect <<<'{"found":0,"saved":0,"known":0,"waiting":0,"refused":0}'
}

@test "import reads only the agent's files of a project" {
	echo 'No memory' >README.md
	echo 'Run make.' >AGENTS.md
	run -0 co-import-read codex .
	run -0 jq -r .content <<<"$output"
	expect <<<'Run make.'
	run -3 co-import-read gemini .
	expect <<<"co-import-read: '.': nothing of gemini is there"
}

@test "import gemini and qwen prefer the section of saved memories" {
	local agent file
	for agent in Gemini Qwen; do
		for file in "${agent^^}.md" MEMORY.md; do
			printf 'Be brief.\n\n## %s Added Memories\n- My cat is Tom\n' \
				$agent >"$file"
			run -0 co-import-read "${agent,,}" "$file"
			run -0 jq -r .content <<<"$output"
			expect <<<'My cat is Tom'
			printf 'Be brief.\n' >"$file"
			run -0 co-import-read "${agent,,}" "$file"
			run -0 jq -r .content <<<"$output"
			expect <<<'Be brief.'
		done
	done
}

@test "import obsidian and basic-memory read the frontmatter of notes" {
	mkdir -p vault/.obsidian vault/sub
	echo '{}' >vault/.obsidian/app.json
	printf -- '---\ntags: "#a, b c"\ncreated: 2024-01-02\n---\nText.\n' \
		>'vault/sub/My note.md'
	run -0 co-import-read obsidian vault
	run -0 jq -c '[.content, .tags, .created, .source]' <<<"$output"
	expect <<<'["# My note\n\nText.",["a","b-c"],"2024-01-02T00:00:00Z","obsidian:My note.md"]'
	printf -- '---\ntitle: T\ntype: note\ntags: [x]\n---\n- [tech] fast #db\n' \
		>vault/sub/n.md
	run -0 co-import-read basic-memory vault/sub/n.md
	run -0 jq -c '[.content, .tags]' <<<"$output"
	expect <<<'["- [tech] fast #db",["x","note"]]'
}

@test "import server-memory saves one memory per entity with its observations" {
	cat >graph.json <<-'END'
		{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea","lives in Bern"]}
		{"type":"relation","from":"Ada","to":"co","relationType":"works on"}
		{"type":"entity","name":"co","entityType":"project","observations":[]}
	END
	run -0 co import --accept server-memory graph.json
	[[ $output == *'✓ Imported 2 memories; 0 known already, 0 refused' ]]
	run -0 co-frontmatter-parse --body "$memories"/001-*
	expect <<-'END'
		Ada (person)
		likes tea
		lives in Bern
		Ada works on co
	END
}

@test "import mem0 reads a list, results of a search, and lines" {
	echo '{"results":[{"id":"1","memory":"Likes tea","created_at":"2024-05-06T07:08:09.123-07:00","categories":["food"]}]}' >a.json
	echo '[{"memory":"Likes cake"}]' >b.json
	printf '{"text":"One"}\n{"text":"Two"}\n' >c.jsonl
	run -0 co-import-read mem0 a.json b.json c.jsonl
	run -0 jq -c '[.content, .tags]' <<<"$output"
	expect <<-'END'
		["Likes tea",["food"]]
		["Likes cake",[]]
		["One",[]]
		["Two",[]]
	END
	run -0 co-import-read mem0 a.json
	[[ $output == *'"created":"2024-05-06T14:08:09Z"'* ]]
}

@test "a second import saves nothing again, and --accept accepts its drafts" {
	printf '{"memory":"One"}\n{"memory":"Two"}\n{"memory":"Three"}\n' >m.json
	run -0 co import mem0 m.json
	run -0 co review --accept 1
	run -0 co review --reject 2
	run -0 co import --json mem0 m.json
	expect <<<'{"found":3,"saved":0,"known":2,"waiting":1,"refused":0}'
	run -0 --separate-stderr co import mem0 m.json
	expect <<<'✓ Imported 0 drafts; 2 known already, 0 refused'
	[ "$stderr" = 'co-import: 1 wait already: --accept accepts them' ]
	# --accept does so.
	run -0 co import --accept --json mem0 m.json
	expect <<<'{"found":3,"saved":1,"known":2,"waiting":0,"refused":0}'
	[ "$(co-memory-list | wc -l)" = 2 ]
	[ -z "$(co-memory-list --drafts)" ]
}

@test "a second import of an export with --accept accepts the drafts of the first" {
	mkdir from
	(
		cd from && co-init -q
		printf '{"content":"text %s"}\n' {1..12} | co-memory-save --batch >/dev/null
	)
	co-init -q
	echo 'something else' | co-memory-save >/dev/null
	(cd from && co export) >all.jsonl
	co import json all.jsonl
	co import --accept json all.jsonl
	[ "$(co-memory-list | wc -l)" = 13 ]
	[ -z "$(co-memory-list --drafts)" ]
}

@test "import saves a replaced memory of an export to the archive" {
	mkdir from jsonl markdown
	(
		cd from && co-init -q
		co learn -q 'Tea costs 2'
		co learn -q --replaces=1 'Tea costs 3'
		co export >../all.jsonl
		co export --format=markdown ../files
	)
	for format in 'jsonl all.jsonl' 'markdown files'; do
		cd "${format% *}"
		co-init -q
		co import --accept "${format% *}" "../${format#* }"
		co import --accept "${format% *}" "../${format#* }"
		co knowledge --check
		diff -r {../from/,}.co-cli/knowledge/archive
		diff -r {../from/,}.co-cli/knowledge/memories
		cd ..
	done
	cd jsonl
	run -0 --separate-stderr co undo
	expect <<-'END'
		✓ Undid 'co import' of 2026-02-09T14:30:00Z:
		  archived memory 1 is removed (Tea costs 2)
		  memory 2 is in the trash (Tea costs 3)
	END
}

@test "--accept accepts a waiting draft, even if its id differs from the export's" {
	mkdir from
	(
		cd from && co-init -q
		printf '{"content":"text %s"}\n' 1 2 3 | co-memory-save --batch >/dev/null
		co export
	) >all.jsonl
	co-init -q
	co import -q json all.jsonl
	run -0 co import --accept --json json all.jsonl
	expect <<<'{"found":3,"saved":3,"known":0,"waiting":0,"refused":0}'
	[ -z "$(co-memory-list --drafts)" ]
	# An id of the export is free, but the draft with its text has another.
	mkdir other && cd other && co-init -q
	printf '{"content":"other %s"}\n' 1 2 3 | co-memory-save --batch >/dev/null
	co import -q json ../all.jsonl
	co forget -q --yes 2
	run -0 co import --accept --json json ../all.jsonl
	expect <<<'{"found":3,"saved":3,"known":0,"waiting":0,"refused":0}'
	[ -z "$(co-memory-list --drafts)" ]
	[ "$(co-memory-list | wc -l)" = 5 ]
}

@test "import skips a text that the store has under another id" {
	memory 7 2026-01-01T00:00:00Z a notes/007-a.md <<<'Use tabs.'
	memory 8 2026-01-01T00:00:00Z a notes/008-b.md <<<'Use  TABS.'
	co-init -q
	co import -q markdown notes
	co review -q --accept 1
	run -0 co import --accept markdown notes
	expect <<<'✓ Imported 0 memories; 2 known already, 0 refused'
	(cd notes && co-init -q && mv ./*.md $memories && co export) >all.jsonl
	run -0 co import --accept json all.jsonl
	expect <<<'✓ Imported 0 memories; 2 known already, 0 refused'
	[ "$(co-memory-list | wc -l)" = 1 ]
}

@test "--accept accepts a waiting draft even if a replaced memory has its text" {
	co-init -q
	co config team true
	co learn -q 'text one'
	co learn -q --replaces "$(co-memory-list --format='%(id)')" 'text two'
	co-memory-save --draft <<<'text one'
	echo '{"content":"text one"}' >m.jsonl
	run -0 co import --accept --json json m.jsonl
	expect <<<'{"found":1,"saved":1,"known":0,"waiting":0,"refused":0}'
	[ -z "$(co-memory-list --drafts)" ]
}

@test "import -n saves nothing and makes no store" {
	echo '{"memory":"One"}' >m.json
	run -0 co import -n mem0 m.json
	expect <<<'1 memory found; nothing was saved'
	[ ! -e .co-cli ]
}

@test "import refuses only the memory that has a secret" {
	printf '{"memory":"One"}\n{"memory":"key ghp_%s"}\n' \
		wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx >m.json
	run -3 co import --accept mem0 m.json
	[[ $output == *'✓ Imported 1 memory; 0 known already, 1 refused'* ]]
	[[ $output != *ghp_* ]]
}

@test "import reports files that it cannot read and reads the others" {
	mkdir notes
	printf 'A\xff\n' >notes/a.md
	echo B >notes/b.md
	ln -s /etc/passwd notes/c.md
	mkfifo notes/d.md
	run -3 co-import-read basic-memory notes
	[[ $output == *"co-import-read: 'notes/a.md': the text is not UTF-8"* ]]
	[[ $output == *'"content":"B"'* && $output != *root:* ]]
	run -3 co-import-read mem0 <(echo '{')
	run -4 co-import-read mem0 nowhere.json
	run -2 co-import-read word nowhere.json
	[[ $output == *"no format 'word': expected one of claude|"* ]]
}

@test "import detects the format by the file name and reports lines of faults" {
	printf -- '- Use tabs\n' >CLAUDE.md
	run -0 co import CLAUDE.md
	[[ $output == *'Imported 1 draft'* ]]
	printf '{"content":"One"}\n{"text":"Two"}\n[{"content":"Three"},\n{"x":1}]\n' >m.jsonl
	run -3 co-import-read m.jsonl
	[[ $output == *'"content":"One"'*'"content":"Three"'* ]]
	[[ $output == *"co-import-read: 'm.jsonl': line 2: expected records with 'content'"* ]]
	[[ $output == *"'m.jsonl': line 3: expected"* ]]
	run -2 co import json
	[ "${lines[0]}" = "co-import: name the file or directory after 'json', such as memories.json" ]
	run -2 co import claude
	[ "${lines[0]}" = "co-import: name the file or directory after 'claude', such as CLAUDE.md" ]
	run -4 co import nowhere
	[[ $output == *"cannot open 'nowhere'"* ]]
	mkdir -p vault
	printf 'Tea at four\n' >vault/Tea.md
	run -2 co import vault
	[ "${lines[0]}" = "co-import: name the format before 'vault': 'co import obsidian vault' imports Markdown notes, 'co import -h' lists others" ]
	mkdir vault/.obsidian
	run -0 co import vault
	[[ $output == *'Imported 1 draft'* ]]
}

@test "import reads a directory that co export wrote in each format" {
	co learn 'Use tabs.' >/dev/null 2>&1
	co export out
	co export --format=markdown files
	mkdir -p "$BATS_TEST_TMPDIR/other" && cp -r out files "$BATS_TEST_TMPDIR/other"
	cd "$BATS_TEST_TMPDIR/other"
	run -0 --separate-stderr co import --accept jsonl out
	expect <<<'✓ Imported 1 memory; 0 known already, 0 refused'
	run -0 --separate-stderr co import --accept markdown files
	expect <<<'✓ Imported 0 memories; 1 known already, 0 refused'
}

@test "import reports malformed lines of JSON and imports the others" {
	co-init -q
	printf '%s\n' '{"content":"one"}' '{{"content":"two"}' '{"content":"three"' \
		'{"content":"four"}' >lines.jsonl
	run -3 co-import --accept json lines.jsonl
	expect <<-'END'
		co-import: 'lines.jsonl':2:2: string or '}' expected near '{'
		co-import: 'lines.jsonl':4:1: '}' expected near '{'
		✓ Imported 2 memories; 0 known already, 0 refused
	END
	[ "$(co-memory-list --format='%(content)')" = $'one\nfour' ]
	# A malformed document of several lines is skipped as a whole.
	printf '%s\n' '[' '{"content":"five"},' '{' '{"content":"six"}]' >list.json
	run -3 co-import --accept json list.json
	[[ ${lines[0]} == "co-import: 'list.json':4:1: "* ]]
	[ "$(co-memory-list | wc -l)" = 2 ]
}

@test "import drops references to replaced memories of another store" {
	co-init -q
	co-learn -q 'never delete the backups'
	printf '%s\n' '{"content":"one","frontmatter":{"supersedes":[1]}}' \
		'{"content":"two","replaces":[1],"supersedes":[1]}' \
		'{"content":"three","frontmatter":{"superseded":1}}' >h.jsonl
	co import json h.jsonl
	co import --accept json h.jsonl
	[ "$(co-memory-list | wc -l)" = 4 ]
	run -1 grep -rE '^(supersed|replaces)' .co-cli/knowledge
	run -0 co-knowledge-check
}

@test "import skips a malformed object of several lines as a whole" {
	printf '%s\n' '{' '"content": "outer" oops,' '"frontmatter":' '{"content":"nested"},' \
		'"a": [' '{"content":"deep"}' ']' '}' '{"content":"last good"}' >b.jsonl
	run -3 co-import-read json b.jsonl
	[ "$(jq -r .content <<<"${lines[-1]}")" = 'last good' ]
	[ "${#lines[@]}" = 2 ]
}

@test "an export as jsonl or markdown imports to an equal store" {
	memory 1 2026-02-09T14:30:00Z 'a, b' <<<'One.'
	printf -- '---\nid: 7\ncreated: 2025-01-01T00:00:00+02:00\ntags: []\nsource: x\nnote: {a: [1, no]}\n---\n\nSeven\n\n- x\n' \
		>"$memories/007-seven.md"
	echo '{"facts":["F"],"tasks_open":["T"],"tasks_done":["D"]}' |
		co-item-add --from=chat --date=2026-01-02
	memory 8 2026-02-10T14:30:00Z '' <<<'Eight.'
	co-learn --replaces=8 'Nine.' >/dev/null
	listed() {
		{ co-memory-list && co-memory-list --superseded; } |
			co-memory-show --json | jq -c 'del(.path, .sha256)'
	}
	listed >want
	[ "$(wc -l <want)" = 4 ]
	co-item-list --json >want-items
	for format in jsonl markdown; do
		co export --format=$format >"all.$format"
		rm -rf copy
		mkdir -p copy/.co-cli
		case $format in markdown) from=markdown ;; *) from=json ;; esac
		(cd copy && co import --accept $from "../all.$format" &&
			listed >../got &&
			co-item-list --json >../got-items)
		diff -u want got
		diff -u want-items got-items
	done
	co export --format=markdown files
	cmp files/007-seven.md "$memories/007-seven.md"
	cmp files/facts.md .co-cli/knowledge/facts.md
	rm -rf copy
	mkdir -p copy/.co-cli
	cd copy
	run -0 co import --accept markdown ../files
	listed >../got
	diff -u ../want ../got
}

@test "import saves a memory under the next id if its own is taken" {
	echo one | co-memory-save
	co export >all
	mkdir -p other/.co-cli
	cd other
	echo two | co-memory-save
	run -0 co import --accept json ../all
	run -0 jq -c '[.id, .content]' <(co-memory-list | co-memory-show --json)
	expect <<-'END'
		[1,"two"]
		[2,"one"]
	END
}

@test "a memory file that gets a new id keeps its tags, source and date" {
	mkdir from to
	(
		cd from && co-init -q
		printf '%s' '{"content":"one","tags":["a","b"],"source":"chat",' \
			'"created":"2020-01-02T03:04:05Z"}' | co-memory-save --batch
		co export --format=markdown ../files
	)
	cd to
	echo two | co-memory-save
	run -0 co import markdown ../files
	run -0 drafts_say
	[ "$output" = "one | a+b | chat | 2020-01-02T03:04:05Z" ]
	run -0 co import --accept markdown ../files
	rm .co-cli/knowledge/memories/*-one.md
	run -0 co import --accept markdown ../files
	run -0 jq -c '[.id, .tags, .source, .created]' \
		<(co-memory-grep one | co-memory-show --json)
	expect <<-'END'
		[2,["a","b"],"chat","2020-01-02T03:04:05Z"]
	END
}

@test "import gives an item with an invalid date the current date" {
	echo '{"category":"facts","text":"x","from":"c","date":"bad"}' >items
	run -0 co import --accept json items
	grep -qxF -- '- x [from: c, 2026-02-09]' .co-cli/knowledge/facts.md
}

@test "import drafts items, and a second run adds none" {
	printf '%s\n' '{"category":"facts","text":"A gizmo is red","from":"chat-7","date":"2026-01-02"}' \
		'{"category":"facts","text":"A gizmo is blue","from":"chat-7","date":"2026-01-02"}' \
		'{"category":"tasks","text":"Paint it","from":"chat-7","date":"2026-01-02","done":true}' >items
	echo '{"facts":["A gizmo is blue"]}' | co-item-add --from=other >added
	run -0 co import --json json items
	[ "${lines[-1]}" = '{"found":3,"saved":2,"known":1,"waiting":0,"refused":0}' ]
	[ "$(co-memory-list --drafts --format='%(content)|%(source)')" = 'A gizmo is red|chat-7
Paint it|chat-7' ]
	[ "$(co-item-list --json | wc -l)" = 1 ]
	run -0 co import --json json items
	[ "${lines[-1]}" = '{"found":3,"saved":0,"known":3,"waiting":0,"refused":0}' ]
	co-memory-list --drafts | co review --accept - >out
	run -0 co-item-list --json
	expect <<-'END'
		{"category":"facts","text":"A gizmo is blue","from":"other","date":"2026-02-09"}
		{"category":"facts","text":"A gizmo is red","from":"chat-7","date":"2026-01-02"}
		{"category":"tasks","text":"Paint it","from":"chat-7","date":"2026-01-02","done":true}
	END
	run -0 co import --json json items
	[ "${lines[-1]}" = '{"found":3,"saved":0,"known":3,"waiting":0,"refused":0}' ]
}

@test "--accept accepts the waiting draft of an item" {
	printf '%s\n' '{"category":"facts","text":"A gizmo is red","from":"chat-7","date":"2026-01-02"}' \
		'{"category":"facts","text":"A gizmo is blue","from":"chat-7","date":"2026-01-02"}' >items
	head -n 1 items >first
	co import -q json first
	run -0 co import --accept --json json items
	expect <<<'{"found":2,"saved":2,"known":0,"waiting":0,"refused":0}'
	[ -z "$(co-memory-list --drafts)" ]
	[ "$(co-item-list --json | wc -l)" = 2 ]
}

@test "import refuses an item with a secret and drafts the others" {
	printf '%s\n' '{"category":"facts","text":"the key is AKIA''IOSFODNN7QRSTUVW"}' \
		'{"category":"facts","text":"harmless"}' >items
	run -3 co import json items
	[[ $output == *'1 draft; 0 known already, 1 refused'* ]]
	[ "$(co-memory-list --drafts --format='%(content)')" = harmless ]
}

@test "import saves what the pipeline of its manual saves" {
	printf '{"memory":"One"}\n{"memory":"Two"}\n' >m.json
	co import mem0 m.json
	mkdir -p other/.co-cli
	(cd other && co-import-read mem0 ../m.json | jq -c '.trust = "external"' |
		co-memory-save --batch --unless-known --draft)
	diff -u <(tree .co-cli/knowledge) <(tree other/.co-cli/knowledge)
}

@test "export overwrites no file" {
	echo one | co-memory-save
	co export out
	run -4 co export out
	[[ $output == *"'out/memories.jsonl' already exists" ]]
	for format in json markdown; do
		run -4 co export --format=$format out
		[ "$output" = "co-export: 'out' already exists: name a new or empty directory" ]
	done
	[ "$(ls out)" = memories.jsonl ]
	echo x >file
	run -4 co export --format=json file
	[ "$output" = "co-export: '$PWD/file' is not a directory" ]
	mkdir here
	cd here
	run -4 co export --global --format=json .
	[ -z "$(ls -A)" ]
}

@test "on a terminal export prints how much it wrote to a directory" {
	need_terminal
	echo one | co-memory-save -q
	terminal 0 '' 'co export --format=markdown out'
	[[ $output == *'✓ Exported 1 memory to out'* ]]
	run -0 --separate-stderr co export out2
	expect </dev/null
}

@test "export replaces an empty directory, also by a link, and keeps its mode" {
	echo one | co-memory-save
	mkdir -m 0700 empty
	ln -s empty link
	co export --format=markdown link/
	[ -f empty/001-one.md ]
	[ "$(stat -c %a empty)" = 700 ]
	[ -L link ]
	mkdir lines
	co export lines
	[ "$(ls lines)" = memories.jsonl ]
	[ -z "$(find . -maxdepth 1 -name '.co-tmp*')" ]
}

# refused FORMAT: check that an export to a directory names $bad and leaves nothing,
# and that one to standard output continues. Both must exit $want.
refused() {
	run -"$want" --separate-stderr co export --format="$1" out
	[ -z "$output" ]
	[[ ${stderr_lines[0]} == "co-export: "*"$bad"* ]]
	[ "${stderr_lines[1]}" = "co-export: nothing is written to 'out', since the file above cannot be read whole" ]
	[ "${stderr_lines[2]}" = "hint: 'co knowledge --check' says what is wrong, and how it is mended" ]
	[ "${stderr_lines[3]}" = "hint: 'co export - >FILE' writes the others" ]
	[ "$(ls -A)" = .co-cli ]
	run -"$want" --separate-stderr co export --format="$1" -
	[[ $output == *Good* ]]
}

@test "export reports what it omits and how to copy the whole store" {
	memory 1 2026-01-01T00:00:00Z a <<<One
	run -0 --separate-stderr co export
	[ -z "$stderr" ]
	co learn -q --sensitive 'The word is swordfish'
	co-memory-save -q --draft <<<'A draft'
	co-memory-save -q --global <<<'User writes in vim'
	printf '# Ports\n\nThe gateway listens on 8080.\n' >ports.md
	co learn -q -y ./ports.md
	mkdir -p .co-cli/knowledge/attachments
	printf 'a\0b' >.co-cli/knowledge/attachments/x.bin
	printf 'Use tabs.\n' >.co-cli/knowledge/context.md
	memory 9 2026-01-01T00:00:00Z a "$trash/20260101T000000Z-1/009-x.md" <<<9
	run -0 --separate-stderr co export
	[ "${#lines[@]}" = 1 ]
	expect_stderr="co-export: left out: 1 sensitive memory, 1 draft, 1 article, 1 attachment, 1 memory in the trash, the context, 1 memory of the user store"
	[ "$stderr" = "$expect_stderr
hint: cp -a $PWD/.co-cli COPY copies the whole store, --global exports the user's" ]
	# The copy is a separate store.
	mkdir ../other
	cp -a "$PWD/.co-cli" ../other
	(cd ../other && [ "$(co list --sensitive | wc -l)" = 3 ])
	run -0 --separate-stderr co export --sensitive --format=markdown out
	[[ $stderr == *'left out: 1 draft, 1 article,'* ]]
	run -0 --separate-stderr co export --global
	[ -z "$stderr" ]
}

@test "export syncs all files before it renames the directory" {
	need_strace
	seq -f '{"content": "memory %g"}' 200 | co-memory-save --batch >/dev/null
	strace -f --seccomp-bpf -qq -y -o calls -e trace=fsync,syncfs,renameat \
		co export --format=markdown all
	diff -r .co-cli/knowledge/memories all
	if ! grep -q syncfs calls; then
		# This system cannot sync all files at once.
		[ "$(grep -c 'fsync(' calls)" -gt 201 ]
		return
	fi
	[ "$(grep -c 'sync' calls)" -lt 90 ]
	awk '/syncfs\(/ { all = 1 } /renameat\(/ { named = all }
		/fsync\(/ { after = named } END { exit !after }' calls
	rm -r all
	run -4 strace -f --seccomp-bpf -e trace=syncfs -qq -o /dev/null -e inject=syncfs:error=EIO \
		co export --format=markdown all
	expect <<<"co-export: cannot write '$PWD/all': Input/output error"
	[ -z "$(find . -name '.co-tmp*' -o -name all)" ]
}

@test "an export of the user store is as private as the store" {
	umask 022
	co-memory-save -q --global <<<'User writes in vim'
	run -0 co export --global --format=markdown files
	run -0 co export --global lines
	[ -z "$(find files lines -perm /077)" ]
}

@test "export to a directory writes all or nothing, and names a malformed file" {
	want=3
	echo Good | co-memory-save
	for text in 'no frontmatter' $'---\nid: 2\ntags: [\n---\n\nbody' \
		$'---\nid: 2\ncreated: 2026-01-01T00:00:00Z\n---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b'; do
		for name in 002-bad.md bad.md; do
			bad=$name
			echo "$text" >"$memories/$name"
			for format in jsonl json markdown; do
				refused $format
			done
			rm "$memories/$name"
		done
	done
	bad=bad.md
	ln -s nowhere "$memories/bad.md"
	refused jsonl
	rm "$memories/bad.md"
	co export out
	[ "$(wc -l <out/memories.jsonl)" = 1 ]
}

@test "export to a directory writes nothing if a file cannot be read" {
	need_strace
	echo Good | co-memory-save
	echo Other | co-memory-save
	echo '{"facts":["F"]}' | co-item-add --from=chat
	for bad in memories/002-other.md facts.md; do
		for format in jsonl json markdown; do
			run -4 strace -o trace -f -P "$PWD/.co-cli/knowledge/$bad" \
				-e inject=read,pread64:error=EIO co-export --format=$format out
			rm -f trace
			[[ $output == *"knowledge/$bad': Input/output error"*"nothing is written to 'out'"* ]]
			[ "$(ls -A)" = .co-cli ]
		done
	done
}

@test "export removes the old temporary directory of a killed export" {
	need_strace
	echo one | co-memory-save
	for format in json markdown; do
		run strace -o trace -f -e inject=renameat,renameat2,rename:signal=KILL \
			co-export --format=$format out
		[ ! -e out ]
		left=(.co-tmp-*)
		[ -d "${left[0]}" ]
		# Directories of other programs, and new ones, remain.
		mkdir .co-tmp-of-another
		touch -d '2 hours ago' .co-tmp-of-another
		co export new1
		[ -d "${left[0]}" ]
		touch -d '2 hours ago' "${left[0]}"
		co export new2
		[ ! -e "${left[0]}" ]
		[ -d .co-tmp-of-another ]
		rm -r new1 new2 .co-tmp-of-another trace
		co export --format=$format out
		rm -r out
	done
}

@test "an export that is interrupted removes its temporary directory" {
	need_strace
	co-memory-save --batch <<<$'{"content":"one"}\n{"content":"two"}\n{"content":"three"}'
	for signal in INT TERM; do
		run -$((128 + $(kill -l $signal))) strace -o ../trace -f \
			-e inject=fsync:signal=$signal:when=2 co-export --format=markdown out
		[ "$(ls -A)" = .co-cli ]
	done
	# Once the directory has its name, it stays.
	run -130 strace -o ../trace -f -e inject=renameat,renameat2,rename:signal=INT \
		co-export --format=markdown out
	[ "$(ls out)" = "$(ls $memories)" ]
}

@test "an export whose messages nobody reads removes its temporary directory" {
	echo one | co-memory-save
	echo '# broken' >$memories/002-x.md
	mkfifo ../pipe
	exec 8<>../pipe 9>../pipe 8>&-
	for format in markdown json jsonl; do
		run -141 sh -c "exec co-export --format=$format out 2>&9"
		[ "$(ls -A)" = .co-cli ]
	done
	exec 9>&-
}

@test "export removes a deep temporary directory of a killed export" {
	echo one | co-memory-save
	old=.co-tmp-0123456789abcdef
	mkdir -p "$old/$(printf 'd/%.0s' {1..30})"
	touch -d '2 hours ago' "$old"
	co export new
	[ ! -e "$old" ]
}

# bats test_tags=slow
@test "import reads hundreds of drafts once" {
	need_strace
	seq 600 | sed 's/.*/{"memory":"Number & of many"}/' >m.json
	run -0 strace -f --seccomp-bpf -c -e trace=openat -o calls co import mem0 m.json
	opened=$(awk '$NF == "openat" { print $4 }' calls)
	[ "$opened" -lt 20000 ] # 600 * 600 / 2 is 180000
}

@test "--accept reads hundreds of drafts once" {
	need_strace
	seq 600 | sed 's/.*/{"memory":"Number & of many"}/' >m.json
	co import -q mem0 m.json
	sed -i 's/.*/&\n&/' m.json
	run -0 strace -f --seccomp-bpf -c -e trace=openat -o calls \
		co import --accept --json mem0 m.json
	expect <<<'{"found":1200,"saved":600,"known":600,"waiting":0,"refused":0}'
	opened=$(awk '$NF == "openat" { print $4 }' calls)
	[ "$opened" -lt 90000 ] # 600 * 600 / 2 is 180000
}

@test "two imports that accept the same drafts at once accept each once" {
	seq 400 | sed 's/.*/{"memory":"Number & of many"}/' >m.json
	co import -q mem0 m.json
	co import --accept --json mem0 m.json >first &
	run -0 co import --accept --json mem0 m.json
	wait $!
	[ "$(jq -s 'map(.saved) | add' first - <<<"$output")" = 400 ]
	[ "$(co-memory-list | wc -l)" = 400 ]
}

@test "import markdown takes any number of nested file marks as text" {
	awk 'BEGIN {
		for (i = 1; i <= 200000; i++) {
			line[i] = sprintf("<!-- co:file facts.md %d -->\n", size)
			size += length(line[i])
		}
		while (--i)
			printf "%s", line[i]
	}' >nested.md
	run -0 --separate-stderr co-import --accept markdown nested.md
	[[ $stderr == *"nothing was imported: no memory in the format markdown is in 'nested.md'"* ]]
}

@test "export --format=markdown escapes control characters only on a terminal" {
	evil=$(printf '\033]52;c;eA==\007')
	mkdir -p $memories
	printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\ntags: []\nsource: me\n---\n\na %s b\n' \
		"$evil" >"$memories/001-$evil.md"
	run -0 co-export --format=markdown
	[[ $output == *"001-$evil.md"*"a $evil b"* ]]
	need_terminal
	terminal 0 '' 'co-export --format=markdown'
	[[ $output == *'001-^[]52;c;eA==^G.md'*'a ^[]52;c;eA==^G b'* ]]
	[[ $output != *$'\033'* ]]
}

@test "import reports nothing as imported if it cannot read the file" {
	run -4 --separate-stderr co-import json nothing-there
	[ -z "$output" ]
	[[ $stderr == *"cannot open 'nothing-there'"* ]]
	run -2 --separate-stderr co-import no-format x
	[ -z "$output" ]
}

@test "export prints lines while it still reads the store" {
	need_strace
	local i body head=$'---\ncreated: 2026-01-01T00:00:00Z\nid:'
	printf -v body '%01000d' 0
	mkdir -p $memories
	for i in {100..900}; do
		printf '%s %s\n---\n\n%s %s\n' "$head" "$i" "$i" "$body" \
			>"$memories/$i-m.md"
	done
	strace -f --seccomp-bpf -qq -s 200 -e trace=openat,write -o calls co-export >out
	[ "$(wc -l <out)" = 801 ]
	awk '/ write\(1,/ && !first { first = NR }
		/openat.*900-m\.md/ { last = NR }
		END { exit !(first && first < last) }' calls
}

@test "export refuses the name of a format as a directory" {
	co-learn -q one
	for format in json jsonl markdown; do
		run -2 co export $format
		[ "${lines[0]}" = "co-export: '$format' is a format: 'co export --format=$format'; './$format' is a directory" ]
		[ ! -e $format ]
	done
	run -0 co export ./json
	[ -d json ]
	mkdir jsonl
	run -0 co export jsonl
}

@test "a FIFO operand is read after its writer opens it" {
	mkfifo pipe.jsonl
	echo '{"content":"From a pipe"}' >line
	for command in 'co import --dry-run' co-import-read; do
		(sleep 0.3; timeout 60 cp line pipe.jsonl) 3>&- &
		run -0 --separate-stderr timeout 60 $command pipe.jsonl
		[[ $output == '1 memory found;'* || $output == *'"From a pipe"'* ]]
		wait
	done
}

@test "co import takes memories without a text, and keeps their keys" {
	mkdir -p from/$memories to again
	for n in 1 2; do
		printf -- '---\nid: %s\ncreated: 2026-01-01T00:00:00Z\ntags: [t%s]\nsource: user-told\n---\n' \
			$n $n >from/$memories/00$n-memory.md
	done
	for format in jsonl markdown; do
		rm -rf to/.co-cli
		co -C from export --format=$format >out
		run -0 co -C to import --accept $format - <out
		[[ $output == *'✓ Imported 2 memories; 0 known already, 0 refused'* ]]
		run -0 co -C to import --accept $format - <out
		[[ $output == *'✓ Imported 0 memories; 2 known already, 0 refused'* ]]
		run -0 co -C to list --format='%(id) %(tags)'
		expect <<-'END'
			2 t2
			1 t1
		END
	done
	co -C from export | tail -n 1 >one
	run -0 co -C again import jsonl - <one
	[[ $output == *'✓ Imported 1 draft; 0 known already, 0 refused'* ]]
	run -0 co -C again import jsonl - <one
	[[ $output == *'1 wait already'* ]]
}

@test "co import names a refused memory by its file and number" {
	printf '{"content":"One"}\n{"content":" "}\n' | tee a.jsonl >b.jsonl
	printf '{"content":"Three","tags":["x,y"]}\n' >>b.jsonl
	run -3 --separate-stderr co import -q --accept jsonl a.jsonl b.jsonl
	output=$(grep -v ' made ' <<<"$stderr")
	expect <<-'END'
		co-import: 'a.jsonl': memory 2: nothing to save: empty content
		co-import: 'b.jsonl': memory 2: nothing to save: empty content
		co-import: 'b.jsonl': memory 3: a tag has no blanks, commas, brackets, quotes or hidden characters: 'x,y'
	END
}
