#!/usr/bin/env bats
# What co-context-load prints, from which files, within which budgets.
# bats file_tags=rights
load lib

# repeat N TEXT: print TEXT N times.
repeat() {
	local text
	printf -v text '%*s' "$1" ''
	printf '%s' "${text// /$2}"
}

setup() {
	world
	project=$PWD/.co-cli/knowledge/context.md
	user=$global/knowledge/context.md
}

@test "context-load prints nothing and exits 0 without a context" {
	run -0 --separate-stderr co-context-load
	[ "$output$stderr" = "" ]
	run -0 --separate-stderr co-context-load --wrap --strict
	[ "$output$stderr" = "" ]
	[ ! -e .co-cli ]
}

@test "the user's context is loaded under its heading" {
	context "$user" <<<$'# User\n- Name: Ada'
	run -0 co-context-load
	expect <<-'END'
		## Internal Knowledge

		### Global Context

		# User
		- Name: Ada
	END
}

@test "the project's context is loaded under its heading" {
	context "$project" <<<$'# Project\n- Type: Python CLI'
	run -0 co-context-load
	expect <<-'END'
		## Internal Knowledge

		### Project Context

		# Project
		- Type: Python CLI
	END
}

@test "the project's context comes after the user's, to override it" {
	context "$user" <<<'Use spaces.'
	context "$project" <<<'Use tabs.'
	run -0 co-context-load
	expect <<-'END'
		## Internal Knowledge

		### Global Context

		Use spaces.

		### Project Context

		Use tabs.
	END
}

@test "bodies are stripped, and the text ends with one newline" {
	context "$user" <<<$'\n \t\n  one\n\n\n'
	context "$project" <<<$'\r\ntwo  \r\nthree\t \f\v\r\n'
	co-context-load >out
	printf '## Internal Knowledge\n\n### Global Context\n\none\n\n### %s' \
		$'Project Context\n\ntwo  \nthree\n' >want
	cmp want out
}

@test "--wrap puts the text between system-reminder lines" {
	context "$project" <<<'Use tabs.'
	run -0 co-context-load --wrap
	expect <<-'END'
		<system-reminder>
		## Internal Knowledge

		### Project Context

		Use tabs.
		</system-reminder>
	END
}

@test "--global and --project select the contexts to load" {
	context "$user" <<<'Use spaces.'
	context "$project" <<<'Use tabs.'
	run -0 co-context-load --global
	[[ $output == *spaces* && $output != *tabs* ]]
	run -0 co-context-load --project
	[[ $output != *spaces* && $output == *tabs* ]]
	run -0 co-context-load --project --global
	[[ $output == *spaces* && $output == *tabs* ]]
}

@test "the project's context is found from a subdirectory" {
	context "$project" <<<'Use tabs.'
	mkdir -p a/b
	cd a/b
	run -0 co-context-load
	[[ $output == *tabs* ]]
}

@test "a context without frontmatter is loaded without a warning" {
	mkdir -p .co-cli/knowledge
	printf 'Use tabs.\n' >"$project"
	run -0 --separate-stderr co-context-load --strict
	[[ $output == *$'\n\nUse tabs.' ]]
	[ "$stderr" = "" ]
}

@test "an empty context is left out together with its heading" {
	context "$project" <<<$' \n\n'
	run -0 --separate-stderr co-context-load --strict
	[ "$output$stderr" = "" ]
	mkdir -p "${user%/*}"
	: >"$user"
	run -0 --separate-stderr co-context-load --strict
	[ "$output$stderr" = "" ]
}

@test "a missing or wrong field causes a warning and keeps the body" {
	local field want
	mkdir -p .co-cli/knowledge
	while IFS='|' read -r field want; do
		printf -- '---\n%b\n---\nKept.\n' "$field" >"$project"
		run -0 --separate-stderr co-context-load
		[[ $output == *$'\n\nKept.' ]]
		[[ $stderr == "co-context-load: '$project':"*": $want" ]] || {
			printf '%s: %s\n' "$field" "$stderr"
			false
		}
		run -3 co-context-load --strict
	done <<-'END'
		version: 1|Missing required field: updated
		updated: 2026-02-09T14:30:00Z|Missing required field: version
		version: "1"\nupdated: 2026-02-09T14:30:00Z|Field 'version' must be integer
		version: 2\nupdated: 2026-02-09T14:30:00Z|Unsupported version: 2 (expected 1)
		version: 1\nupdated: soon|Field 'updated' must be ISO8601 format: soon
		version: 1\nupdated: 2026-02-30T14:30:00Z|Field 'updated' must be ISO8601 format: 2026-02-30T14:30:00Z
	END
}

@test "a context with malformed YAML is reported and left out" {
	context "$user" <<<'Kept.'
	mkdir -p .co-cli/knowledge
	printf -- '---\ninvalid: [unclosed list\n---\n\nBody.\n' >"$project"
	run -0 --separate-stderr co-context-load
	[[ $output == *$'\n\nKept.' && $output != *Project* ]]
	[[ $output != *Body* && $output != *unclosed* ]]
	[[ $stderr == *"'$project':"*": Invalid YAML in frontmatter: "* ]]
	run -3 --separate-stderr co-context-load --strict
	[[ $output == *$'\n\nKept.' ]]
}

@test "context-load warns beyond 10240 bytes" {
	context "$user" < <(repeat 2900 u)
	context "$project" < <(repeat 7050 p)
	run -0 --separate-stderr co-context-load --strict
	[ "${#output}" -eq 10016 ]
	[ "$stderr" = "" ]

	mkdir -p big/.co-cli/knowledge
	cd big
	printf '%s' "$(repeat 10196 x)" >.co-cli/knowledge/context.md
	run -0 --separate-stderr co-context-load --project
	[ "${#output}" -eq 10240 ]
	[[ $stderr != *Knowledge* ]]
	printf x >>.co-cli/knowledge/context.md
	run -0 --separate-stderr co-context-load --project --strict
	[ "${#output}" -eq 10241 ]
	[ "${stderr_lines[1]}" = "WARNING: Knowledge size 10241 bytes exceeds 10240 byte target. Consider reducing content in context.md files." ]
}

@test "context-load truncates beyond 20480 bytes and reports an error" {
	mkdir -p .co-cli/knowledge
	printf '%s' "$(repeat 20436 x)" >"$project"
	run -0 --separate-stderr co-context-load --strict
	[ "${#output}" -eq 20480 ]
	[[ $stderr == *"WARNING: Knowledge size 20480 bytes"* ]]
	printf x >>"$project"
	run -0 --separate-stderr co-context-load
	[ "${#output}" -eq 20480 ]
	[ "${stderr_lines[1]}" = "ERROR: Knowledge size 20481 bytes exceeds 20480 byte limit. Truncating to 20480 bytes. Please reduce content in context.md files." ]
	run -3 --separate-stderr co-context-load --strict
	[ "${#output}" -eq 20480 ]
	[ "$(co-context-load 2>/dev/null | wc -c)" -eq 20480 ]
}

@test "truncation never splits a character" {
	local n
	mkdir -p .co-cli/knowledge
	for n in 0 1 2 3; do
		{
			repeat "$n" x
			repeat 6000 😀
		} >"$project"
		co-context-load >out 2>err
		iconv -f UTF-8 -t UTF-8 out >/dev/null
		[ "$(wc -c <out)" -le 20480 ]
		[ "$(wc -c <out)" -gt 20477 ]
	done
}

@test "a context over its own budget causes a warning" {
	context "$user" < <(repeat 3100 u)
	context "$project" < <(repeat 7200 p)
	run -0 --separate-stderr co-context-load
	diff -u - <(printf '%s\n' "$stderr") <<-END
		WARNING: '$user': global context is 3150 bytes, over its budget of 3072 bytes.
		WARNING: '$project': project context is 7250 bytes, over its budget of 7168 bytes.
		WARNING: Knowledge size 10366 bytes exceeds 10240 byte target. Consider reducing content in context.md files.
	END
}

@test "--explain prints what is loaded and why the rest is not" {
	run -0 co-context-load --explain
	expect <<-END
		global	absent	0	3072	$user
		project	absent	0	7168	$project
		text	none	0	10240	-
	END
	context "$user" <<<' '
	context "$project" <<<'Use tabs.'
	run -0 co-context-load --explain
	expect <<-END
		global	empty	52	3072	$user
		project	loaded	60	7168	$project
		text	whole	53	10240	-
	END
	printf -- '---\na: [\n---\nx\n' >"$user"
	repeat 21000 x >"$project"
	run -0 --separate-stderr co-context-load --explain
	expect <<-END
		global	malformed	15	3072	$user
		project	loaded	21000	7168	$project
		text	cut	21044	10240	-
	END
	rm "$user"
	mkdir "$user"
	run -0 --separate-stderr co-context-load --explain --global
	expect <<-END
		global	unreadable	0	3072	$user
		project	unasked	0	7168	-
		text	none	0	10240	-
	END
}

@test "context-load writes no files" {
	context "$user" <<<'Use spaces.'
	context "$project" <<<'Use tabs.'
	co-context-load --wrap >/dev/null
	[ ! -e "$HOME/.cache" ]
	[ "$(find .co-cli "$HOME" -type f | wc -l)" -eq 2 ]
}

@test "a wrong command line exits 2" {
	run -2 co-context-load x
	run -2 co-context-load --wrapped
	run -2 co-context-load --wrap=yes
}
