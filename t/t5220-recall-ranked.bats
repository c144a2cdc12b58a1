#!/usr/bin/env bats
# Test ranked search of co recall: when it is used, its order and its output.
load lib

setup() {
	world
	memory 1 2026-02-01T10:00:00Z 'python' <<<'User prefers async over callbacks'
	memory 2 2026-02-02T10:00:00Z '' <<<'We went from callbacks to threads; async was slow'
	memory 3 2026-02-03T10:00:00Z '' <<<'Deploys go through the blue gate'
}

# recalled ARGUMENT...: print the ids of the memories found, on one line.
recalled() {
	co-recall --mode=fts "$@" --format='%(id)' | tr '\n' ' '
}

# fill N: save memories 101 to 100 + N, which match no query of this file.
fill() {
	seq "$1" | sed 's/.*/{"content":"Filler number &"}/' |
		co-memory-save --batch >/dev/null
}

@test "a memory with the word in its text ranks above one with it in a URL" {
	memory 1 2026-02-02T10:00:00Z '' <<<'The payments of the shop are settled by a job each night, and the errors go to the log of the shop'
	memory 2 2026-02-03T10:00:00Z '' <<<'Dashboards: https://grafana.example.org/d/payments.'
	memory 3 2026-02-04T10:00:00Z '' <<<'[Charts](https://grafana.example.org/d/payments/shop) of grafana'
	run -0 co-recall --mode=fts --format='%(id)' payments
	expect <<<$'1\n2\n3'
	# A word that only a URL has is found as well.
	run -0 co-recall --mode=fts --format='%(id)' grafana
	expect <<<$'3\n2'
	run -0 co-recall --mode=fts --format='%(id)' dashboard grafana payments
	[ "${lines[0]}" = 2 ]
}

@test "British spelling finds American, and the reverse" {
	memory 4 2026-02-04T10:00:00Z '' <<<'Release builds of the compiler need optimization level 2'
	memory 5 2026-02-05T10:00:00Z '' <<<'The colour behaviour of the terminal'
	for mode in fts hybrid auto; do
		run -0 co-recall --mode=$mode --format='%(id)' compiler optimisation level
		expect <<<4
		run -0 co-recall --mode=$mode --format='%(id)' terminal color behavior
		expect <<<5
	done
}

@test "a quotation mark or a bracket ends a URL" {
	memory 1 2026-02-02T10:00:00Z '' <<<'{"url":"https://api.example.org/v1","team":"payroll"}'
	memory 2 2026-02-03T10:00:00Z '' <<<'<https://api.example.org/v1>payroll'
	memory 3 2026-02-04T10:00:00Z '' <<<'https://example.org/payroll'
	run -0 co-recall --mode=fts --format='%(id)' -n 2 payroll
	[ "$(sort <<<"$output")" = $'1\n2' ]
}

@test "recall ranks stores of any size, and uses grep only with --mode=grep" {
	run -0 --separate-stderr co-recall --explain callbacks
	[[ $stderr == *' 3 documents ranked'* ]]
	fill 200
	run -0 --separate-stderr co-recall --explain callbacks
	[[ $stderr == *' 203 documents ranked'* ]]
	run -0 --separate-stderr co-recall --mode=grep --explain callbacks
	[[ $stderr == *'by grep'* ]]
}

@test "recall ends on an apostrophe that no letter follows" {
	local curly=$'\u2019'
	memory 4 2026-02-04T10:00:00Z '' <<<"The users$curly files are in the blue room"
	run -0 timeout 20 co-recall --format='%(id)' "where are the users$curly files"
	[ "${lines[0]}" = 4 ]
	run -0 timeout 20 co-recall --format='%(id)' "$curly"
	[ "${lines[0]}" = 4 ]
}

@test "in a small store, memories with the literal query rank first" {
	memory 4 2026-02-04T10:00:00Z '' <<<'Asynchronous, and much else that takes room'
	[ "$(co-recall async --format='%(id)' | tr '\n' ' ')" = '4 2 1 ' ]
	[ "$(co-recall callback async --format='%(id)' | tr '\n' ' ')" = '1 2 4 ' ]
}

@test "operators work in a small store, and are text with --mode=grep" {
	ids() {
		co-recall "$@" --format='%(id)' | tr '\n' ' '
	}
	[ "$(ids tag:python)" = '1 ' ]
	[ "$(ids not:callbacks async)" = '' ]
	[ "$(ids callbacks not:threads)" = '1 ' ]
	[ "$(ids since:2026-02-02 until:2026-02-02)" = '2 ' ]
	[ "$(ids '"callbacks to threads"')" = '2 ' ]
	run -1 co-recall tag:nowhere async
	expect <<<"No memories found matching 'tag:nowhere async'"
	run -0 --separate-stderr co-recall --explain tag:python
	[[ $stderr == *' documents ranked'* ]]
	# An operator is no text, even if a memory contains it. For grep it is
	# text.
	memory 4 2026-02-04T10:00:00Z '' <<<'Ask by tag:python for the rest'
	[ "$(ids tag:python)" = '1 ' ]
	[ "$(ids --mode=grep tag:python)" = '4 ' ]
	[ "$(ids --mode=grep tag:nowhere async)" = '4 2 1 ' ]
}

@test "ranked memories are printed in the same format as those of grep" {
	run -0 --separate-stderr co-recall --mode=fts blue gate
	expect <<-'END'
		Found 1 memory matching 'blue gate':

		**Memory 3** (created 2026-02-03)
		Deploys go through the blue gate
	END
	[ "$stderr" = '' ]
	run -1 --separate-stderr co-recall --mode=fts emacs
	expect <<<"No memories found matching 'emacs'"
	[ "$stderr" = '' ]
}

@test "a memory that contains the query literally ranks first" {
	memory 4 2026-01-01T10:00:00Z '' <<<'Of slow things, and of much else that is said here at length, one more: async was slow, but async was also slow to learn'
	memory 5 2026-01-01T10:00:00Z '' <<<'slow async'
	[ "$(recalled -n 2 async was slow | tr ' ' '\n' | sort | tr -d '\n')" = 24 ]
	run -0 --separate-stderr co-recall --mode=fts -n 1 --explain async was slow
	[[ $stderr == *"1. score 3."*' literal, 2 of 2 words'* ]]
}

@test "part of a word is found if no memory has the word" {
	[ "$(recalled callb)" = '2 1 ' ]
	[ "$(recalled pytho)" = '1 ' ]
	run -0 co-recall --mode=fts callb --json
	[ "$(jq -c .partial <<<"${lines[0]}")" = null ]
}

@test "no query is an error in any mode, whatever its bytes" {
	local mode long
	long=$(printf '%5000s' '' | tr ' ' a)
	for mode in auto grep fts hybrid; do
		run -0 --separate-stderr co-recall -n 1 --mode=$mode --format='%(id)' \
			$'\xff gate\xffxqz \xc3('
		expect <<<3
		[ "$stderr" = '' ]
		run -0 --separate-stderr co-recall -n 1 --mode=$mode --format='%(id)' \
			"gate $long"
		expect <<<3
		[ "$stderr" = '' ]
		run -1 --separate-stderr co-recall --mode=$mode $'\xff\xfe'
		[ "$stderr" = '' ]
	done
}

@test "a memory with the literal query is printed once, and is not partial" {
	memory 4 2026-03-01T10:00:00Z '' <<<'Released as v1.2.3 at last'
	memory 5 2026-03-01T10:00:00Z '' <<<'2 times 3 is 6'
	run -0 co-recall --mode=fts 1.2.3 --json
	[ "$(jq -r '"\(.id) \(.partial // false)"' <<<"$output")" = $'4 false\n5 true' ]
}

@test "matches of part of a word follow those of the word, newest first" {
	memory 4 2026-03-01T10:00:00Z '' <<<'Asynchronous code is hard to read'
	memory 5 2026-03-02T10:00:00Z '' <<<'The old server is nonasync'
	memory 6 2026-03-03T10:00:00Z 'asyncio' <<<'A library'
	local word
	word=$(recalled -n 1 async)
	[[ $word == [12]' ' ]]
	[[ $(recalled async) == *"${word% } "*'6 5 4 ' ]]
	[[ $(recalled -n 3 async) == "$word"* ]]
	# In a small store grep finds the same memories.
	diff <(recalled async | tr ' ' '\n' | sort) \
		<(co-recall --mode=grep --format='%(id)' async | sort)
	run -0 --separate-stderr co-recall --mode=fts --explain async
	[[ $stderr == *"score 2.0000: literal: "*006-m.md* ]]
	run ! grep -q partial <<<"$output$stderr"
	[ "$(co-recall --mode=hybrid -n 9 --format='%(id)' async | sort | uniq -d)" = '' ]
}

@test "a memory that has only some of the words is marked partial" {
	run -0 co-recall --mode=fts which gate 'do' callbacks need
	[[ ${lines[0]} == 'Found 3 memories partly matching '* ]]
	[ "${lines[1]}" = '**Memory 3** (created 2026-02-03) (partial)' ]
	run -0 co-recall --mode=fts --json gate callbacks
	[ "$(jq -c .partial <<<"$output" | sort -u)" = true ]
}

@test "recall prints a snippet of a long memory, and --json all of it" {
	{
		seq -s ' ' 400
		echo 'the wombat sleeps'
		seq -s ' ' 400
	} | memory 4 2026-02-04T10:00:00Z ''
	run -0 co-recall --mode=fts wombats
	expect <<-'END'
		Found 1 memory matching 'wombats':

		**Memory 4** (created 2026-02-04)
		...387 388 389 390 391 392 393 394 395 396 397 398 399 400 the wombat sleeps 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15...
		(from 3001 bytes: co memory-show 4)
	END
	run -0 co-recall --mode=fts wombats --json
	[ "$(jq '.content | length' <<<"$output")" = 3001 ]
	[[ $(jq -r .snippet <<<"$output") == ...387*wombat*15... ]]
	run -0 co-recall --mode=grep wombat
	[ "${#output}" -gt 3000 ]
}

@test "an unknown word matches similar words, and the output names them" {
	memory 4 2026-02-04T10:00:00Z '' <<<'PostgreSQL 16 is the database'
	memory 5 2026-02-05T10:00:00Z '' <<<'Der Schlüssel zum Server liegt im Safe'
	memory 6 2026-02-06T10:00:00Z '' <<<'We format by hand'
	[ "$(recalled postgresq version)" = '4 ' ]
	[ "$(recalled 'databsae')" = '4 ' ]
	[ "$(recalled Serverraumschlüssel)" = '5 ' ]
	[ "$(recalled 'which formatter do we use?')" = '6 ' ]
	[ "$(recalled thread)" = '2 ' ]
	# A correct word or a number is not corrected to another one.
	[ "$(recalled hair)" = '' ]
	[ "$(recalled 1967)" = '' ]
	run -0 --separate-stderr co-recall --mode=fts --json --explain databsae
	[ "$(jq -c .instead <<<"$output")" = '{"databsae":["databas"]}' ]
	[[ $stderr == *"term 'databas' instead of 'databsae': weight "*", in 1 document"* ]]
	[ "$(co-index-query --json databsae | jq -c .instead)" = '{"databsae":["databas"]}' ]
	[ "$(co-recall --mode=fts --json database | jq -c .instead)" = null ]
}

@test "a query without words, such as ???, matches as literal text" {
	memory 4 2026-02-04T10:00:00Z '' <<<'Deploy ++ or deploy??? Ask Ada'
	for mode in auto fts hybrid; do
		run -0 co-recall --mode=$mode --format='%(id)' '???'
		expect <<<4
		run -0 co-recall --mode=$mode --format='%(id)' '++'
		expect <<<4
		run -1 co-recall --mode=$mode --format='%(id)' '!!'
	done
	run -1 --separate-stderr co-recall --kind=article -- '++'
	expect <<<"No sections of articles found matching '++'"
}

@test "abbreviations of computing and user-defined synonyms are expanded" {
	memory 4 2026-02-04T10:00:00Z '' <<<'The database is backed up at night'
	memory 5 2026-02-05T10:00:00Z '' <<<'SSO for all'
	memory 6 2026-02-06T10:00:00Z '' <<<'Staging is named aurora'
	[ "$(recalled db)" = '4 ' ]
	[ "$(recalled 'single sign-on')" = '5 ' ]
	[ "$(recalled testbed)" = '' ]
	mkdir -p "$global"
	echo '{"synonyms": ["testbed=staging"]}' >"$global/settings.json"
	[ "$(recalled testbed)" = '6 ' ]
	run -0 --separate-stderr co-recall --mode=fts --explain testbed
	[[ $stderr == *"term 'stage' in addition to 'testbed'"* ]]
	# Synonyms of a project's settings are ignored.
	rm "$global/settings.json"
	echo '{"synonyms": ["testbed=staging"]}' >.co-cli/settings.json
	run -1 co-recall --mode=fts testbed
}

@test "each result has a coverage weighted by the rarity of the words" {
	coverage() {
		co-recall --mode=fts --json "$@" | jq -r '"\(.id) \(.coverage)"'
	}
	[ "$(coverage blue gate)" = '3 1' ]
	run -0 coverage xylophone gate
	[[ $output == '3 0.4'* ]]
	[ "$(co-recall --mode=fts --format='%(coverage)' blue gate)" = 1.0000 ]
	# The score is low if rare words of the query are missing.
	[ "$(co-recall --mode=fts --json xylophone gate quagga | jq '.score < 0.5')" = true ]
}

@test "in a small store, English word frequencies weigh the words" {
	memory 4 2026-02-04T10:00:00Z '' <<<'The harbour has an old crane'
	memory 5 2026-02-05T10:00:00Z '' <<<'The company has an old plan'
	# Each word is in one document. Without weights the newer would rank
	# first.
	[ "$(recalled 'company crane')" = '4 5 ' ]
	# A word outside the English list is weighed by the documents.
	memory 6 2026-02-06T10:00:00Z '' <<<'The qwghlm has an old desk'
	[ "$(recalled 'qwghlm crane')" = '6 4 ' ]
	weight() {
		co-recall --mode=fts --explain "$1 desk" 2>&1 |
			sed -n "s/.*term '$1': weight \([0-9.]*\), in 1 doc.*/\1/p"
	}
	jq -en "$(weight plan) < 0.8 * $(weight crane)"
	# In a large store the documents decide.
	fill 2000
	jq -en "$(weight plan) > 0.95 * $(weight crane)"
}

@test "both stores are ranked together, with the project first on a tie" {
	memory 7 2026-02-03T10:00:00Z '' \
		"$global/knowledge/memories/007-m.md" <<<'Deploys go through the blue gate'
	run -0 co-recall --mode=fts blue --format='%(scope) %(id)'
	expect <<<$'project 3\nglobal 7'
	run -0 co-recall --mode=fts blue
	[[ $output == *'**Memory g7** (created 2026-02-03) (global)'* ]]
}

@test "recall does not search articles by default" {
	mkdir -p .co-cli/knowledge/articles
	printf -- '---\nsource: x\nfetched: 2026-02-01\ntitle: Gates\n---\nblue gate\n' \
		>.co-cli/knowledge/articles/gates.md
	[ "$(recalled blue gate)" = '3 ' ]
}

@test "hybrid search without vectors warns, and marks its JSON as degraded" {
	mkdir -p "$global"
	echo '{"embed.provider": "none"}' >"$global/settings.json"
	run -0 --separate-stderr co-recall --mode=hybrid --json blue
	[[ $stderr == *'by words only'* ]]
	[[ $(jq -r .degraded <<<"$output") == *'by words only'* ]]
}

@test "recall warns if it rebuilt a damaged index" {
	recalled blue >/dev/null
	echo x >>"$(echo "$HOME"/.cache/co-cli/*)/knowledge.db"
	run -0 --separate-stderr co-recall --mode=fts blue
	[[ $stderr == *'was rebuilt'* ]]
	[ "${lines[0]}" = "Found 1 memory matching 'blue':" ]
}
