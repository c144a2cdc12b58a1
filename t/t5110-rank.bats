#!/usr/bin/env bats
# Test which documents match a query and in which order, without an index.
load lib

setup() {
	world
	cat >docs <<-'END'
		2026-01-01|python|user-told|The event loop blocks when code is synchronous
		2026-01-02||user-told|Loop over each event
		2026-01-03|async,http client|user-told|Use httpx, not requests
		2026-01-04||detected|日本語の全文検索を使う
		2026-01-05||detected|日本の東 C++ e-mail
	END
}

rank() {
	run -0 "$CO_BIN/../t/tool/rank/rank" "$@"
}

# finds QUERY NUMBER...: check that the query finds these documents, best first.
finds() {
	rank docs "$1"
	diff -u <(shift; [ $# = 0 ] || printf '%s\n' "$@") \
		<(cut -s -d' ' -f1 <<<"$output")
}

@test "a query matches any of its words, and more and rarer words rank higher" {
	finds "event loop httpx" 2 1 3
	finds "the synchronous loop" 1 2
	finds "absent" 
}

@test "a word that the query repeats weighs more" {
	cat >docs <<-'END'
		2026-01-02||user-told|red house
		2026-01-01||user-told|old boat
	END
	finds "house or boat" 1 2
	finds "house or boat: a boat that is a boat" 2 1
}

@test "words adjacent in the query rank a text higher where they are close" {
	cat >docs <<-'END'
		2026-01-02||user-told|the connection of old was kept and the warm and wide new sea had its pool
		2026-01-01||user-told|of old was kept the connection pool and the warm and wide new sea had its
	END
	finds "connection pool" 2 1
	rank -s docs "connection pool"
	[[ ${lines[0]} == *" places "* && ${lines[1]} != *places* ]]
	# Words adjacent in the text only are no pair.
	rank -s docs "connection was near the sea, in winter a pool"
	[[ $output != *" places "* ]]
}

@test "adjacent words are recognized in any of their forms" {
	cat >docs <<-'END'
		2026-01-02||user-told|the upstream of old was kept and the warm and wide new fix went there
		2026-01-01||user-told|of old was kept what went upstream and the warm and wide new fix there
	END
	finds "go upstream" 2 1
	[[ ${lines[0]} == 2* ]]
	rank -s docs "go upstream"
	[[ ${lines[0]} == *" places "* && ${lines[1]} != *places* ]]
}

@test "pairs of characters gain nothing by being close to each other" {
	# The first text has three adjacent pairs of the query. The second has
	# five pairs that are apart.
	printf '%s||x|%s\n' 2026-01-02 "全文検索の話" \
		2026-01-01 "全文を置き、検索もし、日本語で書く" >docs
	finds "日本語の全文検索を書く" 2 1
	rank -s docs "日本語の全文検索を書く"
	[[ $output != *" places "* ]]
	rank -s docs "httpx 全文検索"
	[[ $output != *" places "* ]]
	printf '%s||x|%s\n' 2026-01-01 "httpx 全文検索" >docs
	rank -s docs "httpx 全文検索"
	[[ $output == *" places "* ]]
}

# timely QUERY NUMBER...: check which documents the query's time expression
# matches.
timely() {
	rank -s docs "$1"
	diff -u <(shift; [ $# = 0 ] || printf '%s\n' "$@") \
		<(grep ' time ' <<<"$output" | cut -d' ' -f1 | sort -n)
}

@test "a time in the query ranks documents of that time higher, and drops none" {
	printf '%s||x|we decided it\n' 2026-02-09 2026-02-08 2026-02-06 \
		2026-01-31 2025-12-31 2025-10-15 2024-10-15 >docs
	finds "what was decided last week" 2 3 1 4 5 6 7
	# Today is Monday, 9 February 2026.
	local question
	for question in today "this morning" "this week" Heute "aujourd'hui" \
		"diese Woche" hoy 今天 本周; do
		timely "decided $question?" 1
	done
	for question in yesterday gestern "d’hier" ayer 昨天; do
		timely "decided $question" 2
	done
	for question in "last week" "letzte Woche" "la semaine dernière" \
		"la semana pasada" 上周; do
		timely "decided $question" 2 3
	done
	for question in "this month" "diesem Monat" "este mes" 这个月 2月 \
		"in February" "im Februar" "en février" "en febrero"; do
		timely "decided $question" 1 2 3
	done
	for question in "last month" "mois dernier" 上个月 "January 2026" \
		"enero de 2026" 2026年1月 一月; do
		timely "decided $question" 4
	done
	for question in "in October" "en octubre" 十月 "October 2025"; do
		timely "decided $question" 6
	done
	timely "decided in October 2024" 7
	for question in "last year" "letztes Jahr" "l'année dernière" \
		"año pasado" 去年 "in 2025"; do
		timely "decided $question" 5 6
	done
	for question in "you may march" "2026" "in 1800" "weekly" "hier"; do
		timely "decided $question"
	done
	CO_NOW=2024-10-15T23:30:00Z timely "decided today" 7
	CO_NOW=2024-10-15T23:30:00Z TZ=UTC-3 timely "decided yesterday" 7
}

@test "a day is recognized in each form, and its month weighs half" {
	printf '%s||x|we decided it\n' 2025-10-15 2025-10-02 2024-10-15 2024-06-15 >docs
	local question
	for question in "October 15th" "15th of October" "October 15, 2025" \
		"15 October, 2025" "15. Oktober 2025" "15.10.2025" "2025-10-15" \
		"15 de octubre de 2025"; do
		timely "decided $question" 1 2
		finds "decided $question" 1 2 3 4
	done
	timely "decided 15.10.2024" 3
	timely "decided on June 15th" 4
	timely "decided June 15, 2024" 4
	timely "decided mid-October" 1 2
	for question in "may 3 people" "10.2025" "1.2.3" "October 45, 2025 x" \
		"2025-13-40" "31.02.2025"; do
		timely "what about $question"
	done
}

@test "a date without a year matches earlier years if this year has no document" {
	printf '%s||x|we decided it\n' 2023-06-15 2024-06-02 2025-05-15 \
		2025-10-01 2022-05-20 >docs
	timely "decided in May" 3
	timely "decided in June" 1 2
	timely "decided on June 15th" 1 2
	finds "decided on June 15th" 1 2 4 3 5
	timely "decided in March"
	timely "decided in June 2025"
	timely "decided 六月" 1 2
	printf '%s||article/a|we decided it\n' 2023-06-15 >docs
	timely "decided in June"
}

@test "a time expression is recognized in a long query" {
	printf '%s||x|we decided it\n' 2026-02-09 2026-02-08 >docs
	timely "decided yesterday $(seq 1000 1200 | tr '\n' ' ')" 2
	timely "$(seq 1000 1100 | tr '\n' ' ') decided yesterday" 2
}

@test "words at the beginning of a long text weigh more" {
	local -r rest="and then came all of what else there was to say in so many words "
	{
		echo "2026-01-02||user-told|$rest$rest$rest and yeast"
		echo "2026-01-01||user-told|yeast and $rest$rest$rest"
		echo "2026-01-03||user-told|something else"
	} >docs
	finds yeast 2 1
	printf '2026-01-0%d||user-told|%s\n' 1 "yeast is here" \
		2 "here is yeast" >docs
	rank -s docs yeast
	[[ $output != *places* ]]
}

@test "the effect of a text's length depends on the kind of text" {
	local -r rest="and then came more of what there was to tell of others "
	local -r code="and();^then(x);^came();^more(of);^what[0];^there();^was();"
	# kind SOURCE LONG SHORT: write documents of which one is long and three
	# short.
	kind() {
		printf "%s||$1|%s\n" 2026-01-01 "$2" 2026-01-02 "$3" \
			2026-01-03 "${3/yeast/other}" \
			2026-01-04 "${3/yeast/third}" >docs
	}
	# words: print the document that ranks first by its words only.
	words() {
		rank -s docs yeast
		sed -n 's/^\([0-9]*\) .* words 1\.000.*/\1/p' <<<"$output"
	}
	kind x "yeast yeast yeast $rest$rest$rest" "old yeast"
	[ "$(words)" = 1 ]
	kind x "yeast yeast $rest$rest$rest" "old yeast"
	[ "$(words)" = 2 ]
	kind session-1 "yeast yeast $rest$rest$rest" "old yeast"
	[ "$(words)" = 1 ]
	kind x "yeast yeast yeast^^$rest$rest$rest" "old^^yeast"
	[ "$(words)" = 2 ]
	kind x "yeast();^yeast();^yeast();^$code$code" "old();^yeast();^f();"
	[ "$(words)" = 2 ]
}

@test "semantic similarity weighs less for code and commit messages" {
	# meant TEXT TEXT: print what similarity adds to the score of the first
	# text.
	meant() {
		printf '%s||x|%s\n' 2026-01-01 "$1" 2026-01-02 "$2" >docs
		rank -s -c 1,0 docs absent
		sed -n 's/^1 .* cosine //p' <<<"$output"
	}
	[ "$(meant 'old yeast' 'new bread')" = 0.300 ]
	[ "$(meant 'f(a);^g();^h();' 'new bread')" = 0.150 ]
	[ "$(meant 'Fix the oven' 'new bread')" = '' ]
	[ "$(meant 'f(a);^g();^h();' 'f(b);^g();^h();')" = '' ]
}

# signal NAME QUERY: print the documents that have the signal, with its value.
signal() {
	rank -s docs "$2"
	sed -n "s/^\([0-9]*\) .* $1 \([-0-9.]*\).*/\1 \2/p" <<<"$output" | sort
}

@test "a query for a time or a name ranks texts with a time or a name higher" {
	printf '%s||x|%s\n' 2026-01-01 "The oven was bought last year" \
		2026-01-02 "The oven was bought cheap" \
		2026-01-03 "The oven was bought by Ada" >docs
	[ "$(signal dated "when was the oven bought")" = "1 0.200" ]
	[[ $(signal dated "how long has the oven been bought") == "1 0."* ]]
	[ "$(signal dated "what was bought when the oven broke")" = "" ]
	[ "$(signal names "who bought the oven")" = "3 0.150" ]
	[[ $(signal names "in which city was the oven bought") == "3 0."* ]]
	[ "$(signal names "how was the oven bought")" = "" ]
	finds "when was the oven bought" 1 2 3
	finds "who bought the oven" 3 2 1
	# The signal raises only documents that match otherwise.
	finds "when was the boat sold"
}

@test "a speaker named in the query ranks higher where they speak of themselves" {
	printf '%s|%s|session-1|%s\n' 2026-01-01 ada "My oven is new" \
		2026-01-02 ben "Ada has a new oven" \
		2026-01-03 ben "I want an oven" 2026-01-04 ada "Ovens are hot" >docs
	[ "$(signal speaker "what oven does Ada have")" = "1 0.100" ]
	# A tag of a note is not a speaker.
	sed -i 's/session-1/user-told/' docs
	[ "$(signal speaker "what oven does Ada have")" = "" ]
}

@test "a reply inherits the words of its question, and the question ranks lower" {
	printf '%s||session-1|%s\n' 2026-01-01 "What is in the oven?" \
		2026-01-02 "Bread." 2026-01-03 "Look. Is the oven hot?" \
		2026-01-04 "And who ate?" 2026-01-05 "The end." >docs
	[ "$(signal reply "oven" | cut -c1)" = "2
4" ]
	# The third document also makes a statement.
	[ "$(signal asks "oven" | cut -c1-3)" = "1 -
4 -" ]
	sed -i 's/session-1/user-told/' docs
	[ "$(signal reply "oven")" = "" ]
	[ "$(signal asks "oven")" = "" ]
}

@test "a document that lacks a word of the query is partial" {
	rank docs "event synchronous"
	expect <<-'END'
		1 2/2
		2 1/2 partial
	END
}

@test "words match by stem, and joined words match as a whole or in parts" {
	finds "looping events" 2 1
	rank docs "email"
	expect <<<"5 1/1"
	rank docs "E-Mail"
	expect <<<"5 1/1"
	finds "c++" 5
}

@test "stop words are dropped from a query unless no other word is left" {
	rank docs "what is the loop"
	expect <<-'END'
		2 1/1
		1 1/1
	END
	finds "the" 1
	finds "when is it" 1
}

@test "a phrase matches only its words in sequence" {
	finds '"event loop"' 1
	finds '"loop over" event' 2
	finds '"Event LOOPS" blocks' 1
	finds '"全文検索"' 4
	finds '"文全"'
}

@test "a phrase that no document has matches by its words, marked partial" {
	rank docs '"loop event"'
	expect <<-'END'
		2 2/2 partial
		1 2/2 partial
	END
}

@test "a quoted title inside a sentence matches by its words" {
	finds 'where is the "event loop"?' 2 1
}

@test "a quotation with a question mark or three other words is not a phrase" {
	printf '%s\n' '2026-01-01||x|Die Schleife blockiert alles' \
		'2026-01-02||x|Alles über die Schleife' >docs
	finds '"alles schleife"' 1 2
	finds '"schleife blockiert"' 1
	finds '"schleife blockiert"?' 1 2
	finds '"schleife blockiert"؟' 1 2
	finds '"schleife blockiert" wann passiert genau' 1 2
	finds '"schleife blockiert" wann genau' 1
}

@test "not: excludes a word, a phrase, and documents with that tag" {
	finds "loop not:synchronous" 2
	finds 'loop not:"each event"' 1
	finds 'loop not:"each loop"' 2 1
	finds "httpx not:async"
	finds "日本 not:全文" 5
	finds "not:loop" 5 4 3
}

@test "tag:, source:, since: and until: filter with and without words" {
	finds "loop tag:python" 1
	finds "tag:Async" 3
	finds 'tag:"HTTP client"' 3
	finds "tag:http"
	finds "source:DETECTED" 5 4
	finds "since:2026-01-02 until:2026-01-03 loop" 2
	finds "until:2026-01-01T10:00:00Z" 1
	finds "tag:async tag:python"
	finds "source:detected source:user-told tag:async" 3
}

@test "a tag matches as a word, and adds to the score if the query names it" {
	rank -s docs "async"
	expect <<<"3 1/1 words 1.000 metadata 0.100"
	rank -s docs "client"
	expect <<<"3 1/1 words 1.000 metadata 0.050"
}

@test "Chinese, kana and single characters are found" {
	finds "全文検索" 4
	finds "日本" 5 4
	finds "東" 5
	finds "検索" 4
}

@test "no query is an error, whatever its syntax" {
	local q
	for q in '"' '""' '"a' 'not:' 'tag:' 'tag:""' 'not:""' 'since:soon' \
		'until:2026-02-31' '*' '(' 'AND' 'OR NOT' 'a:b' '^' '-' ':' \
		'NEAR(' $'\xff\xfe' 'tag:"x' $'a\tb\nc' "'" '\' '{}' ''; do
		rank docs "$q"
	done
	finds '" loop' 2 1
	finds 'since:loop' 2 1 # an invalid date is a word
	finds 'not: loop' 2 1
	finds 'tag:"loop' # the tag "loop
	rank docs "$(printf 'loop"%.0s' {1..20000})"
	rank docs "$(printf '"l%d" ' {1..3000})"
}

@test "only the first 256 terms of a long query count" {
	finds "$(printf 'w%d ' {1..255}) loop" 2 1
	finds "$(printf 'w%d ' {1..256}) loop"
}

@test "equal scores are ordered by newest, then by the higher number" {
	cat >docs <<-'END'
		2026-01-02||user-told|same words
		2026-01-03||user-told|same words
		2026-01-01||user-told|same words
		2026-01-02||user-told|same words
	END
	finds "same words" 2 4 1 3
	rank -n 2 docs "words"
	expect <<-'END'
		2 1/1
		4 1/1
	END
	rank -n 0 docs "words"
	expect </dev/null
}

@test "in a conversation, the messages around a match rank higher" {
	cat >docs <<-'END'
		2026-01-01||session-7|Where did Ann go in the summer?
		2026-01-03||session-7|We saw whales
		2026-01-02||session-7|To the sea
		2026-01-04||session-7|Then it rained
		2026-01-04||session-8|Unrelated
	END
	rank -s docs "where did Ann go"
	expect <<-'END'
		1 2/2 words 0.893 places 0.237 parent 0.268 names 0.134 asks -0.089
		3 0/2 partial neighbours 0.268 parent 0.268 reply 0.179
		2 0/2 partial neighbours 0.080 parent 0.268
	END
}

@test "sections of one article are neighbours, whatever its source" {
	cat >docs <<-'END'
		2026-01-01||article/a|The cache is flushed
		2026-01-01||article/a|Every hour
		2026-01-01||article/b|Every day
	END
	rank -s docs "cache"
	expect <<-'END'
		1 1/1 words 0.913 parent 0.274
		2 0/1 partial neighbours 0.274 parent 0.274
	END
}

@test "documents of a source that is no conversation get no neighbour signal" {
	local source
	for source in "" user-told detected agent-inferred web-fetched \
		extracted imported chat gpt-4 claude-3.5-sonnet v2 \
		https://example.org/2026-02-09/12345678; do
		printf '2026-01-0%d||%s|%s\n' 1 "$source" "The event loop" \
			2 "$source" "Unrelated" 3 "$source" "An event" >docs
		rank -s docs "event loop"
		[ "$(wc -l <<<"$output")" = 2 ]
		[[ $output != *neighbours* && $output != *parent* ]] ||
			{ echo "$source: $output"; false; }
	done
}

@test "a source that has a number of its own names one conversation" {
	local source
	for source in session-12 "chat 3" 2026-02-09 standup/2026-02-09 \
		transcripts/0f8e12ab.jsonl 1707489000 Meeting#4 \
		123e4567-e89b-12d3-a456-426614174000; do
		printf '2026-01-0%d||%s|%s\n' 1 "$source" "The event loop" \
			2 "$source" "Beside" >docs
		rank -s docs "event loop"
		[[ $output == *neighbours* ]] || { echo "$source"; false; }
	done
}

@test "one memory, or more than 200, make no conversation" {
	printf '2026-01-01||session-1|event\n' >docs
	rank -s docs event
	expect <<<"1 1/1 words 1.000"
	{
		echo "2026-01-01||session-1|event"
		printf '2026-01-02||session-1|word %d\n' {2..200}
	} >docs
	rank -s docs event
	[[ ${lines[1]} == "2 0/1 partial neighbours "*" parent "* ]]
	echo "2026-01-02||session-1|more" >>docs
	rank -s docs event
	expect <<<"1 1/1 words 1.000"
}

@test "a memory of a conversation gains nothing without a matching neighbour" {
	cat >docs <<-'END'
		2026-01-01||user-told|event loop
		2026-01-02||session-1|event loop
		2026-01-03||session-1|beside
	END
	rank -s docs "event loop"
	[[ ${lines[0]} == "2 2/2 words "*" parent "* ]]
	[[ ${lines[1]} == "1 2/2 words "*" parent "* ]]
}

@test "cosines are added to the score, or are the only ranking with -a" {
	rank -s -c .1,0,.9,-1,.2 docs "loop"
	expect <<-'END'
		2 1/1 words 1.000
		1 1/1 words 0.887 cosine 0.030
		3 0/1 partial cosine 0.270
		5 0/1 partial cosine 0.060
	END
	rank -a -c .1,0,.9,-1,.2 docs "loop"
	diff -u <(printf '%s\n' 3 5 1) <(cut -d' ' -f1 <<<"$output")
}

@test "neighbours of a semantic match get a share of its cosine" {
	cat >docs <<-'END'
		2026-01-01||session-1|one
		2026-01-02||session-1|two
		2026-01-03||session-2|three
		2026-01-04||session-2|four
	END
	rank -s -c 1,0,0,0 docs "nothing"
	expect <<-'END'
		1 0/1 partial cosine 0.300
		2 0/1 partial neighbours 0.090
	END
	rank -a -s -c 1,0,0,0 docs "nothing"
	expect <<<"1 0/1 partial cosine 0.300"
}
