# bats file_tags=slow
# A new row in a table needs no other change.
load lib
load mcp
load copy

# add_rows PAGE: insert each block below a line "In `FILE`, before the first `TEXT`:"
# into FILE, before the first line that begins with TEXT.
add_rows() {
	awk '
		fence == "" && /^In `[^`]*`, before the first `[^`]*`:$/ {
			split($0, part, "`"); file = part[2]; before = part[4]
			next
		}
		fence == "" && /^```/ { fence = $0; block = ""; next }
		fence != "" && $0 == fence {
			fence = ""
			if (file) insert()
			file = ""
			next
		}
		fence != "" { block = block $0 "\n" }
		function insert(    line, text, done) {
			while ((getline line <file) > 0) {
				if (!done && match(line, /^[ \t]*/) &&
				    index(substr(line, RLENGTH + 1), before) == 1) {
					text = text block
					done = 1
				}
				text = text line "\n"
			}
			close(file)
			printf "%s", text >file
			close(file)
			print file, done ? "has a row more" : "has no such line"
		}' "$1"
}

# The copy is built once. Each test has its own home and project.
setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	copy_tree
	add_rows Documentation/architecture.md >added
	make -j2 all >made 2>&1 || cat made
}

setup() {
	CO_BIN=$BATS_FILE_TMPDIR/tree/build/bin
	world
}

@test "add_rows inserts each row of the page into its file" {
	run -0 cat "$BATS_FILE_TMPDIR/tree/added"
	expect <<-END
		lib/mcp/tables.c has a row more
		lib/agent/agent.c has a row more
		lib/repo/layout.c has a row more
		lib/repo/record-keys.c has a row more
	END
}

@test "one row adds an MCP tool that is listed and can be called" {
	echo 'Use tabs.' | co-memory-save -q --tag=style
	echo 'Use spaces.' | co-memory-save -q --replaces=1
	modern 1 tools/list | co mcp | jq -c '.result.tools[] |
		select(.name == "list_superseded") |
		.inputSchema.properties, .outputSchema.required' >listed
	diff -u - listed <<-'END'
		{"tag":{"type":"string","description":"select those with TAG; may be given again"}}
		["count","memories"]
	END
	for tag in style other; do
		modern 1 tools/call \
			"$(tool list_superseded "{\"tag\":\"$tag\"}")" |
			co mcp | result | value count
	done >counts
	printf '1\n0\n' | diff -u - counts
}

@test "one row adds an agent that co setup can set up and remove" {
	run -0 co setup windsurf -y
	program=$(jq -r .mcpServers.co.command \
		"$HOME/.codeium/windsurf/mcp_config.json")
	[ "$program" = "$CO_BIN/co" ]
	run -0 co setup windsurf --project -y
	grep -q 'co recall WORDS' .windsurf/rules/co.md
	run -0 bash -c 'co status --tools | grep windsurf'
	expect <<-END
		         windsurf: set up; set up for the project
	END
	run -2 co setup other
	[[ $output == *'continue|windsurf or git;'* ]]
	# The agent has no hooks.
	run -2 co hook windsurf
	[[ $output == *"no agent 'windsurf'"*'|copilot'* ]]
	for where in '' --project; do
		run -0 co setup windsurf ${where:+"$where"} --remove -y
	done
	[ ! -e .windsurf ]
	[ ! -e "$HOME/.codeium/windsurf" ]
}

@test "one row adds a directory that belongs to a store" {
	echo 'The word is zebra.' | co-memory-save -q
	mkdir .co-cli/knowledge/{notes,other}
	run -3 co-knowledge-check
	expect <<-END
		'$PWD/.co-cli/knowledge/other': does not belong here
		    remedy: move it elsewhere
		1 fault found
	END
}

@test "one row adds a key that hides memories, marks them and is checked" {
	memory 1 2026-02-09T14:30:00Z '' <<<'The word is zebra.'
	memory 2 2026-02-09T14:30:00Z '' <<<'The zebra is gone.'
	sed -i '2i obsolete: true' $memories/002-m.md
	run -0 bash -c 'co-recall zebra && co-memory-list'
	expect <<-END
		Found 1 memory matching 'zebra':

		**Memory 1** (created 2026-02-09)
		The word is zebra.

		$PWD/$memories/001-m.md
	END
	run -0 bash -c "co-memory-list --expired --json | jq -c '[.id, .marks]'"
	expect <<-'END'
		[1,null]
		[2,["obsolete"]]
	END
	run -0 co-recall --expired gone
	[[ $output == *'(obsolete)'* ]]
	sed -i 's/obsolete: true/obsolete: perhaps/' $memories/002-m.md
	run -3 co-knowledge-check
	[[ $output == *"Field 'obsolete' must be true or false"* ]]
}
