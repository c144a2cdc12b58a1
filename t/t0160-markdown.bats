#!/usr/bin/env bats
# Markdown blocks: all code that looks for headings and code blocks agrees.
load lib

# words: extract the words of the Markdown on standard input.
words() {
	run -0 "$CO_BIN/../t/tool/text/markdown" words
}

# context <BODY: write the project's context.
context() {
	mkdir -p .co-cli/knowledge
	cat >.co-cli/knowledge/context.md
}

# learned: print the context after `new` was learned.
learned() {
	co-learn --always new >out
	co-frontmatter-parse --body .co-cli/knowledge/context.md
}

@test "each line that is not blank belongs to one block" {
	run -0 "$CO_BIN/../t/tool/text/markdown" <<-'END'
		# One #
		words
		more
		===

		Two
		---
		~~~ c  x
		```
		# none
		~~~~
		<!-- a

		# none
		-->
		- item
		  # inside

		      code
		- ```
		  x
		1. one
		> quote
		lazy
		>
		***
		<div>
		# none

		    # code

		<b>
		x

		-
		  late
		````
		```
	END
	expect <<-'END'
		1+1 heading1 0 apart 'One'
		2+3 heading1 0 'words
		more'
		6+2 heading2 0 apart 'Two'
		8+4 fenced 0 'c  x'
		12+4 comment 0
		16+1 text 1 item
		17+1 heading1 1 'inside'
		19+1 indented 1 apart
		20+2 fenced 1 item
		22+1 text 1 item
		23+2 text 1
		25+1 empty 1
		26+1 break 0
		27+2 html 0
		30+1 indented 0 apart
		32+2 html 0 apart
		35+1 empty 1 item apart
		36+1 text 1
		37+2 fenced 0 open
	END
}

@test "a line with only the beginning of a tag begins an HTML block" {
	run -0 "$CO_BIN/../t/tool/text/markdown" <<<$'<div\n  class="x">\n# none'
	expect <<<'1+3 html 0 apart'
}

@test "a code fence ends only with its own mark in its full length" {
	printf -- '%s\n' '~~~' '```' '# Learned' '~~~' '# Deploy' 'x' | context
	run -0 learned
	expect <<-'END'
		~~~
		```
		# Learned
		~~~
		# Deploy
		x

		# Learned

		- new
	END
	printf -- '%s\n' '# Learned' '' '````' '```' '# Deploy' '````' 'x' |
		context
	run -0 learned
	expect <<-'END'
		# Learned

		````
		```
		# Deploy
		````
		x
		- new
	END
}

@test "an underlined heading begins a section and ends the one before" {
	printf -- '%s\n' Learned ======= '- old' '' Deploy ====== x | context
	run -0 learned
	expect <<-'END'
		Learned
		=======
		- old
		- new

		Deploy
		======
		x
	END
	# The heading must not become a line of the bullet before it.
	printf -- '%s\n' '# Learned' '```' x '```' Deploy === | context
	run -0 learned
	expect <<-'END'
		# Learned
		```
		x
		```
		- new

		Deploy
		===
	END
}

@test "co learn ignores headings in comments, code and lists" {
	printf -- '%s\n' '<!--' '# Learned' '-->' '' '    # Learned' \
		'- # Learned' '> # Learned' '<div>' '# Learned' '</div>' |
		context
	run -0 learned
	[[ $output == *$'\n</div>\n\n# Learned\n\n- new' ]]
	printf -- '%s\n' '# Learned #' '' '- old' '  # Deploy' '' '      # x' |
		context
	run -0 learned
	[[ $output == *$'\n  # Deploy\n\n      # x\n- new' ]]
}

@test "co learn adds nothing to an unclosed code block or comment" {
	printf -- '%s\n' '# Learned' '' '- old' '' '```' x | context
	run -0 learned
	expect <<-'END'
		# Learned

		- old
		- new

		```
		x
	END
	printf -- '%s\n' words '<!-- x' '# Learned' | context
	run -0 learned
	expect <<-'END'
		words

		# Learned

		- new

		<!-- x
		# Learned
	END
	co-learn --always new | grep 'Known already'
}

@test "a bullet inside a code block does not count as known" {
	printf -- '%s\n' '# Learned' '' '```' '- new' '```' | context
	run -0 learned
	[[ $output == *$'```\n- new' ]]
	co-learn --always new | grep 'Known already'
}

@test "co learn adds a blank line after HTML that needs one to end" {
	printf -- '%s\n' '# Learned' '' '<div>' '</div>' | context
	run -0 learned
	[[ $output == *$'</div>\n\n- new' ]]
}

# article <BODY: write an article to search.
article() {
	mkdir -p .co-cli/knowledge/articles
	{
		printf -- '---\ntitle: Doc\nsource: "https://example.org"\n'
		printf 'fetched: 2026-02-01T00:00:00Z\n---\n'
		cat
	} >.co-cli/knowledge/articles/doc.md
}

@test "search splits articles into sections by the same heading rules" {
	printf -- '%s\n' Setup ===== bananas '' '~~~' '```' '# None' '~~~' '' \
		Deploy '------' cherries | article
	run -0 co-index-query --json cherries
	[[ $output == *'Setup > Deploy'* ]]
	run -0 co-index-query --json none
	[[ $output == *'Setup'* && $output != *'> None'* ]]
}

@test "the context budget finds entries below an underlined heading" {
	{
		printf -- '---\nversion: 1\nupdated: 2026-02-09T14:30:00Z\n---\n'
		printf -- '%s\n' Learned =======
		printf -- '- %s %0100d\n' oldest 0 older 0 newest 0
	} | context
	# The budget keeps the newest learned entries.
	run -0 --separate-stderr co-context-load --for=400
	[[ $output == *$'\nLearned\n=======\n'*'- newest'* ]]
	[[ $output != *oldest* ]]
}

@test "a hook ignores remember requests in code and comments" {
	mkdir -p .co-cli/knowledge "$global"
	unset XDG_STATE_HOME
	jq -cn --arg text "$(printf '%s\n' '~~~' '```' 'remember: no tilde' \
		'~~~' 'remember: yes, one' '<!--' 'remember: no comment' '-->' \
		'' '    remember: no indented' '```` `' 'remember: yes, two' '' \
		'remember:' '```' three '' four '```' '' 'no five')" \
		'{type: "user", uuid: "u", isSidechain: false, sessionId: "s",
		message: {role: "user", content: $text}}' >session.jsonl
	jq -cn --arg cwd "$PWD" --arg path "$PWD/session.jsonl" '
		{session_id: "s", cwd: $cwd, transcript_path: $path,
		 hook_event_name: "SessionEnd", reason: "exit"}' |
		co hook claude
	for _ in {1..1200}; do
		[ "$(co-memory-list --drafts | wc -l)" -lt 3 ] || break
		sleep 0.1
	done
	run -0 co-memory-list --drafts --format='%(content)'
	[[ $output == *'yes, one'* && $output == *'yes, two'* ]]
	[[ $output == *$'```\nthree\n\nfour\n```'* && $output != *no* ]]
}

@test "words of Markdown keep link texts, but no images and no fences" {
	words <<-'END'
		# The [manual](https://example.org/manual "of it") of it
		See ![a drawing](drawing.png) and [![badge](b.svg) built](ci).
		Two\\
		lines [over
		two](target) and `[code](kept)`, \[no](link), [none] (here).
		[a (b) c](d(e)f) [[1]](#note-1)
		~~~ bash
		echo "[kept](as it is)" # ![too](x)
		~~~
		- item [in](a list)
		  ```
		  code
		  ```
		![half an](image
	END
	expect <<-'END'
		# The manual of it
		See  and  built.
		Two\\
		lines over
		two and `[code](kept)`, \[no](link), [none] (here).
		a (b) c [1]
		echo "[kept](as it is)" # ![too](x)

		- item in
		  code

		![half an](image
	END
	words <<<$'~~~ c\nint open;'
	expect <<<'int open;'
}

@test "unclosed brackets do not slow down the extraction of words" {
	printf '[%.0s' {1..20000} >open
	timeout 600 "$CO_BIN/../t/tool/text/markdown" words <open | cmp - <(cat open && echo)
}
