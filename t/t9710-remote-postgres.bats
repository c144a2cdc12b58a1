#!/usr/bin/env bats
# co-remote-postgres answers requests; the file starts a server of its own.
load lib
load postgres

# documents: print the documents of this store as lines of a push.
documents() {
	"$CO_BIN/../t/tool/remote/documents"
}

# agree PROJECT [hybrid [QUESTIONS]]: check that each query in ./questions has the
# same answer in this store and on the server: equal documents with equal scores,
# best first.
agree() {
	local question
	while IFS= read -r question; do
		co-index-query --mode="${2-fts}" --json -n 10 - <<<"$question" || [ $? = 1 ]
		printf '.\n'
	done <"${3-questions}" | jq -Rr 'if . == "." then . else fromjson |
		"\(.id // .title) \(.score * 10000 | round)" end' >here
	jq -Rc --arg p "$1" --arg mode "${2-}" '{verb: "query", projects: [$p], text: .,
		max: 10, meaning: ($mode != "")}' "${3-questions}" >requests
	while IFS= read -r question; do
		co-remote-postgres <<<"$question"
	done <requests | jq -r 'if has("ok") then (if .ok then "." else tojson end)
		else "\(if .kind == "memory" then .id else .title end) \(
			.score * 10000 | round)" end' >there
	# Scores have four decimals here and six digits on the server.
	awk 'NR == FNR { want[NR] = $0; n = NR; next }
		{ d = $NF - substr(want[FNR], match(want[FNR], / [0-9]+$/))
		  name = $0; sub(/ [0-9]+$/, "", name)
		  was = want[FNR]; sub(/ [0-9]+$/, "", was)
		  if (name != was || d > 1 || d < -1) print FNR ": " $0 ", not " want[FNR] }
		END { if (FNR != n) print FNR " lines, not " n }' here there >wrong
	diff -u /dev/null wrong
	[ "$(grep -c . here)" -gt "$(grep -c '^\.$' here)" ]
}

# some N <LINES: print every Nth line, or all in a slow run.
some() {
	awk -v n="$1" -v slow="${SLOW-}" 'slow || NR % n == 1'
}

@test "the server answers the golden questions as the local index does" {
	"$CO_SOURCE/contrib/load-jsonl" "$CO_SOURCE/t/golden" out >/dev/null
	cd out/all
	documents | push golden 1
	jq -r .text queries.jsonl | some 4 >questions
	[ "$(grep -c . questions)" -ge 43 ]
	agree golden
}

# bats test_tags=slow
@test "the server answers questions of 10,000 memories as the local index does" {
	"$CO_SOURCE/t/perf/generate" 10000 . >/dev/null
	documents | push ten-thousand 1
	awk 'FNR == 10 { print $1, $2, $3, $4 }' $memories/*00-*.md >questions
	[ "$(grep -c . questions)" -gt 80 ]
	agree ten-thousand
}

@test "the server answers semantic queries as the local index does" {
	"$CO_SOURCE/contrib/load-jsonl" "$CO_SOURCE/t/golden" out >/dev/null
	cd out/all
	documents | push meant 1
	co-index-update --vectors >/dev/null
	run -0 ask <<<'{"verb":"digest","project":"meant","vectors":true}'
	[ "$(jq -s '.[0] | .lacking == .documents' <<<"$output")" = true ]
	run -0 ask <<<'{"verb":"vectors","project":"meant"}'
	run -0 ask <<<'{"verb":"digest","project":"meant","vectors":true}'
	[ "$(jq -s '.[0].lacking' <<<"$output")" = 0 ]
	jq -r .text queries.jsonl | some 9 >questions
	agree meant hybrid
	# Meaning counts only if the request asks for it.
	run -0 ask <<<'{"verb":"query","projects":["meant"],"text":"charging the card failed","meaning":true}'
	[ "$(jq -s '[.[:-1][].cosine > 0] | any' <<<"$output")" = true ]
	run -0 ask <<<'{"verb":"query","projects":["meant"],"text":"charging the card failed"}'
	[[ $output != *cosine* ]]
	# Vectors of a hostile pusher are ignored; those of others still count.
	documents | push others 1
	ask <<<'{"verb":"vectors","project":"others"}' >/dev/null
	sql <<<"UPDATE co_1.vector SET v = 'x' WHERE project = (SELECT min(project) FROM co_1.vector)"
	run -0 ask <<<'{"verb":"query","projects":["meant","others"],"text":"charging the card failed","meaning":true}'
	[ "$(jq -s '[.[] | select(.cosine > 0).project] | unique == ["others"]' <<<"$output")" = true ]
	sql <<<"UPDATE co_1.vector SET v = 'x'"
	run -0 ask <<<'{"verb":"query","projects":["meant"],"text":"charging the card failed","meaning":true}'
	[[ $output == *'"ok":true'* && $output != *cosine* ]]
}

@test "the server answers queries of each kind as the local index does" {
	mkdir -p .co-cli/knowledge/articles
	for i in {1..12}; do
		memory "$i" "2026-01-$((i + 10))T10:00:00Z" \
			"t$((i % 3)),pool" <<<"The pool has $i connections, see e-mail_$i"
	done
	for i in {20..31}; do
		printf -v text 'Alice: when did turn %d move the %s?' "$i" "${i/2/port}"
		memory "$i" "2026-02-01T10:00:$((i + 10))Z" session-4,talk <<<"$text"
		sed -i 's/^source: .*/source: session-4/' $memories/0"$i"-m.md
	done
	memory 40 2026-03-01T00:00:00Z 東京,search <<<'日本語の全文検索を使う。C++ は速い'
	memory 41 2026-03-01T00:00:00Z 日本 <<<'日本の東 京都 naïve Ünïcode'
	memory 42 2026-03-02T00:00:00Z old <<<'The pool is gone, expired'
	sed -i 's/^source: .*/expires: 2026-02-01/' $memories/042-m.md
	memory 43 2026-03-03T00:00:00Z links <<<'The wiki is https://wiki.example.org/gateway/pool and more'
	memory 44 2026-03-03T00:00:00Z links <<<'The gateway has a wiki'
	cat >.co-cli/knowledge/articles/pools.md <<-'END'
		---
		title: Pools of connections
		source: https://example.org/pools
		fetched: 2026-01-05T00:00:00Z
		tags: [pool]
		---
		A pool [keeps](https://example.org/keep) connections open.

		# Sizes
		Ten connections are enough for a port.

		# Leaks
		A leak of connections ends in a timeout. 日本語

		## Timeouts
		The timeout of a pool is 30 seconds.
	END
	cat >.co-cli/knowledge/decisions.md <<-'END'
		# Decisions
		- Use one pool for all requests _(2026-01-03)_
		- Timeouts are 30 seconds
	END
	documents >lines
	[ "$(jq -r .doc.kind lines | sort | uniq -c | wc -l)" -ge 2 ]
	push kinds 1 <lines
	cat >questions <<-'END'
		pool
		how many connections does the pool have
		conections of the pol
		tiemout
		"pool has"
		"has pool"
		tag:t0
		tag:t1 pool
		not:pool timeout
		not:tag:pool when
		not:"a pool" timeout
		source:session-4 port
		session-4
		since:2026-01-15 until:2026-01-20
		what happened on 2026-01-14
		when did turn 25 move
		who moved the port
		日本語
		検索
		東
		京都の東
		naive unicode
		c++
		e-mail
		email_7
		pools of connections
		leak
		gateway wiki
		https://wiki.example.org
		pg db k8s repo
		zzzzqqq
		the
	END
	agree kinds
	ask <<<'{"verb":"vectors","project":"kinds"}' >/dev/null
	co-index-update --vectors >/dev/null
	# Other scripts are compared by words here, and by another encoder on the
	# server.
	LC_ALL=C grep -v $'[\x80-\xff]' questions >latin
	agree kinds hybrid latin
	# Several projects are one corpus.
	run -0 ask <<<'{"verb":"query","projects":["golden","kinds"],"text":"pool","max":3}'
	jq -es '.[-1].ok and .[-1].documents > 300 and length == 4' <<<"$output"
}

@test "a digest of an unchanged project is one statement, with its commit" {
	run -0 push same 3 < <(document 1 'one text'; document 2 'another text')
	: >"$POSTGRES_DIR/log"
	run -0 ask <<<'{"verb":"digest","project":"same"}'
	jq -es '.[0].documents == 2 and .[0].commit == "3" * 40 and .[1].ok' <<<"$output"
	[ "$(grep -c 'execute <unnamed>' "$POSTGRES_DIR/log")" = 1 ]
	[ "$(grep -cE '(statement|execute)' "$POSTGRES_DIR/log")" = 1 ]
	run -0 ask <<<'{"verb":"describe","projects":["same","absent"]}'
	jq -es 'length == 3 and .[0].schema == 1 and .[1].project == "same" and
		.[1].write and .[1].at == "2026-02-09T14:30:00Z"' <<<"$output"
}

@test "each request ends its transaction, as a connection pooler requires" {
	local request
	document 1 'one text' | push pooled 1
	while IFS= read -r request; do
		: >"$POSTGRES_DIR/log"
		run -0 ask <<<"$request"
		[ "$(grep -c 'execute <unnamed>: BEGIN' "$POSTGRES_DIR/log")" = \
			"$(grep -c 'execute <unnamed>: COMMIT' "$POSTGRES_DIR/log")" ]
	done <<-'END'
		{"verb":"query","projects":["pooled"],"text":"text"}
		{"verb":"query","everywhere":true,"text":"text"}
		{"verb":"digest","project":"pooled","list":true}
		{"verb":"purge","project":"pooled","id":"7"}
		{"verb":"purge","project":"pooled","id":"1"}
	END
}

@test "init changes no existing schema, and prints it without a server" {
	run -0 ask <<<'{"verb":"init"}'
	expect <<<'{"ok":true}'
	CO_REMOTE_URL='' run -0 co-remote-postgres <<<'{"verb":"init","print":true}'
	jq -sj '.[0].sql' <<<"$output" | cmp - "$CO_SOURCE/lib/remote/postgres-schema.sql"
}

@test "a changed schema has a new number" {
	# After a change of a table or a function, raise the number in the name, and write the
	# new sum here.
	sed '/^[[:space:]]*--/d' "$CO_SOURCE/lib/remote/postgres-schema.sql" |
		sha256sum | cut -c 1-16 >sum
	diff sum - <<<86c140246746d5c9
}

@test "manuals name the schema that init makes" {
	run -0 grep -hoE 'co(_|\\_)[0-9]+' "$CO_SOURCE"/Documentation/*remote*.scd \
		"$CO_SOURCE"/Documentation/*/*.md
	[ "$(tr -d '\\' <<<"$output" | sort -u)" = "$(sql <<<"SELECT nspname FROM pg_namespace
		WHERE nspname ~ '^co_[0-9]'")" ]
}

# digest_of PROJECT: print its digest and its number of documents.
digest_of() {
	ask <<<'{"verb":"digest","project":"'"$1"'"}' |
		jq -rs '"\(.[0].digest) \(.[0].documents)"'
}

@test "a push adds and removes documents, and a wrong digest changes nothing" {
	local base
	{ document 1 'the first port'; document 2 'the second port'; } >lines
	push change 1 <lines
	read -r -a base < <(digest_of change)
	[ "${base[1]}" = 2 ]
	# From an old base, to a wrong digest, and with a missing document.
	run -6 push change 2 < <(document 3 'the third')
	[[ $output == *'"kind":"conflict"'* ]]
	document 3 'the third' | request change 2 "${base[@]}" |
		sed '1s/"documents":3/"documents":4/' >request
	run -6 co-remote-postgres <request
	[[ $output == *'"kind":"conflict"'* ]]
	printf '{"remove":"%064d"}\n' 7 >gone
	run -6 push change 2 "${base[@]}" <gone
	[[ $output == *'"kind":"conflict"'* ]]
	[ "$(digest_of change)" = "${base[*]}" ]
	# One document is replaced.
	{
		jq -c '{remove: .doc.hash}' lines | head -n 1
		document 1 'the first harbour'
	} >next
	run -0 push change 2 "${base[@]}" <next
	jq -es '.[0].added == 1 and .[0].removed == 1 and .[0].documents == 2' <<<"$output"
	run -0 ask <<<'{"verb":"query","projects":["change"],"text":"port","max":9}'
	[ "$(jq -r '.id // empty' <<<"$output")" = 2 ]
	run -0 ask <<<'{"verb":"digest","project":"change","list":true}'
	diff <(jq -r '.hash // empty' <<<"$output") \
		<(jq -r '.doc.hash' <<<"$(tail -n 1 next)"$'\n'"$(tail -n 1 lines)" | sort)
}

@test "a purge leaves no term and no vector of the document" {
	local left
	push clean 1 < <(document 7 'the quokka sleeps' '"zebra"'; document 8 'the cat sleeps')
	run -0 ask <<<'{"verb":"vectors","project":"clean"}'
	[ "$(jq -s '.[0].made' <<<"$output")" = 2 ]
	run -0 ask <<<'{"verb":"purge","project":"clean","id":"7"}'
	expect <<-'END'
		{"removed":1}
		{"ok":true}
	END
	left=$(sql <<<"SELECT convert_from(term, 'UTF8') FROM co_1.posting JOIN
		co_1.project USING (project) WHERE name = 'clean' ORDER BY 1;")
	[ "$left" = "$(printf 'cat\nsleep\nthe')" ]
	[ "$(sql <<<"SELECT count(*) FROM co_1.doc WHERE body LIKE '%quokka%'")" = 0 ]
	[ "$(sql <<<"SELECT array_agg(doc), min(vectors) FROM co_1.vector JOIN co_1.origin
		USING (project) JOIN co_1.project USING (project) WHERE name = 'clean'")" = '{2}|1' ]
	# A vector of an older text is not stored.
	sql <<<"SELECT co_1.insert_vectors('clean', 'other', ARRAY[1, 2], ARRAY['x', 'x']::bytea[])"
	[ "$(sql <<<"SELECT array_agg(doc), min(vectors), min(encoder) FROM co_1.vector JOIN co_1.origin
		USING (project) JOIN co_1.project USING (project) WHERE name = 'clean'")" = '{2}|1|other' ]
	# The digest is that of the remaining documents.
	[ "$(digest_of clean)" = "$(document 8 'the cat sleeps' | jq -r '.doc.hash') 1" ]
	run -0 ask <<<'{"verb":"purge","project":"clean","id":"7"}'
	[[ $output == '{"removed":0}'* ]]
}

@test "a query skips projects of another version, and a purge refuses them" {
	document 1 'the newword is common' | push newer 1
	document 1 'the oldword is common' | push older 1
	sql <<<"UPDATE co_1.origin SET terms_version = terms_version - 1 WHERE project =
		(SELECT project FROM co_1.project WHERE name = 'older')"
	run -0 ask <<<'{"verb":"query","everywhere":true,"text":"newword oldword","max":9}'
	jq -es '.[-1].pruned and (map(.project // empty) == ["newer"])' <<<"$output"
	run -6 ask <<<'{"verb":"query","projects":["older"],"text":"oldword","max":9}'
	[ "$(jq -r .error.kind <<<"$output")" = schema ]
	run -6 ask <<<'{"verb":"purge","project":"older","id":"1"}'
	[ "$(jq -r .error.kind <<<"$output")" = schema ]
	[[ $(sql <<<"SELECT body FROM co_1.doc") == *oldword* ]]
	run -6 ask <<<'{"verb":"purge","project":"newer","id":"0"}'
	[ "$(jq -r .error.kind <<<"$output")" = invalid ]
}

@test "an answer has the best documents that fit into its size limit" {
	local text
	printf -v text '%0900000d' 0
	for i in {1..6}; do
		document "$i" "bigword number$i $text"
	done | push bigger 1
	run -0 ask <<<'{"verb":"query","projects":["bigger"],"text":"bigword","max":6}'
	[ "${#output}" -lt 4194304 ]
	[ "$(jq -s 'length' <<<"$output")" = 5 ]
}

@test "hostile values of a pusher take a bounded amount of memory in a query" {
	local name
	for name in huge huge2; do
		document 1 'a huge word' | push "$name" 1
	done
	# Each value has a limit.
	while IFS= read -r statement; do
		run ! sql <<<"$statement"
		[[ $output == *'violates check constraint'* ]]
	done <<-'END'
		SELECT co_1.write_origin('huge', 'x', 'now', '', 1, 1, 1, convert_to(repeat('x', 16777217), 'UTF8'), '');
		SELECT co_1.write_origin('huge', 'x', 'now', '', 1, 1, 1, '', repeat('x', 201));
		SELECT co_1.insert_documents('huge', ARRAY[9], ARRAY['00'], ARRAY['1'], ARRAY[repeat('x', 1048577)]);
		SELECT co_1.change_postings('huge', ARRAY['x']::bytea[], ARRAY[convert_to(repeat('x', 16777217), 'UTF8')], NULL);
		SELECT co_1.change_postings('huge', ARRAY[convert_to(repeat('x', 65), 'UTF8')], ARRAY['']::bytea[], NULL);
	END
	# All columns and all postings of a query have a limit too.
	sql <<<"UPDATE co_1.origin SET columns = convert_to(repeat('x', 16777210), 'UTF8')
		WHERE project = (SELECT project FROM co_1.project WHERE name = 'huge2')"
	run -6 ask <<<'{"verb":"query","projects":["huge","huge2"],"text":"word","max":6}'
	[[ $output == *'"kind":"limit"'*"up to 'huge2'"* ]]
	sql <<<"UPDATE co_1.origin SET columns = '' WHERE project IN
			(SELECT project FROM co_1.project WHERE name ~ 'huge');
		SELECT co_1.change_postings('huge', ARRAY(SELECT convert_to('w' || i, 'UTF8')
			FROM generate_series(1, 5) i), ARRAY(SELECT convert_to(repeat('x', 16000000), 'UTF8')
			FROM generate_series(1, 5)), NULL)" >/dev/null
	[ "$(sql <<<"SELECT count(docs), count(*) FROM co_1.postings(ARRAY['huge'],
		ARRAY['w1', 'w2', 'w3', 'w4', 'w5']::bytea[])")" = '4|5' ]
	run -6 ask <<<'{"verb":"query","projects":["huge"],"text":"w1 w2 w3 w4 w5","max":6}'
	[[ $output == *'"kind":"'@(limit|internal)* ]]
	sql <<<"DELETE FROM co_1.project WHERE name ~ 'huge'"
}

@test "statements of co do not run functions that others defined" {
	sql <<-'END'
		GRANT CREATE ON SCHEMA public TO PUBLIC;
		CREATE TABLE public.ran (name text);
		CREATE FUNCTION public.unnest(text[]) RETURNS SETOF text LANGUAGE sql AS
			$$INSERT INTO public.ran VALUES ('unnest') RETURNING name$$;
		CREATE FUNCTION public.array_position(text[], text) RETURNS int LANGUAGE sql AS
			$$INSERT INTO public.ran VALUES ('array_position') RETURNING 1$$;
	END
	document 1 'a quiet word' | push quiet 1
	document 2 'another word' | push quieter 1
	ask <<<'{"verb":"query","projects":["quiet"],"text":"word","max":6}' >/dev/null
	[ "$(sql <<<'SELECT count(*) FROM public.ran')" = 0 ]
	sql <<<'DROP FUNCTION public.unnest(text[]); DROP FUNCTION public.array_position(text[], text)'
}

@test "hostile requests get an error of a known kind" {
	local long
	printf -v long '%70000s' ''
	head -c 1100000 /dev/zero | tr '\0' x >x
	document 1 "$(<x)" >long
	while IFS=$'\t' read -r kind request; do
		status=0
		ask <<<"$request" >out || status=$?
		[ $status = 6 ] || echo "$request: status $status"
		jq -e --arg k "$kind" '.ok == false and .error.kind == $k' out >/dev/null ||
			{ echo "$request:"; cat out; }
	done >wrong <<-END
		invalid	{
		invalid	[]
		invalid	{"verb":"drop"}
		invalid	{"verb":"digest"}
		invalid	{"verb":"digest","project":"a\u0000b"}
		invalid	{"verb":"digest","project":"${long:0:200}"}
		invalid	{"verb":"purge","project":"a","id":"1 OR true"}
		invalid	{"verb":"query","text":"x"}
		invalid	{"verb":"query","projects":[],"text":"x"}
		invalid	{"verb":"query","projects":["a"],"text":"tag:"}
		invalid	{"verb":"query","projects":["a"],"text":"x","max":0}
		limit	{"verb":"query","projects":["a"],"text":"x","max":101}
		limit	{"verb":"query","projects":["a"],"text":"${long:0:70000}"}
		limit	{"verb":"query","projects":[$(printf '"a%d",' {1..64})"b"],"text":"x"}
		conflict	{"verb":"push","project":"a'b\"; DROP SCHEMA co_1","create":true}
		refused	{"verb":"push","project":"none","base":""}
	END
	diff -u /dev/null wrong
	run -6 ask </dev/null
	[[ $output == *'"kind":"invalid"'* ]]
	# A name is data.
	push "it's \"\$1\"; --" 1 < <(document 1 'quoted $1 text')
	run -0 ask <<<'{"verb":"query","projects":["it'"'"'s \"$1\"; --"],"text":"quoted"}'
	[ "$(jq -rs '.[0].project' <<<"$output")" = "it's \"\$1\"; --" ]
	# Documents that are too long, with another hash, NUL, invalid UTF-8, or without
	# an end.
	run -6 push big 1 <long
	[[ $output == *'"kind":"limit"'* ]]
	run -6 push big 1 < <(document 1 'a text' | sed 's/a text/another/')
	[[ $output == *'"kind":"invalid"'* ]]
	document 1 'a text' | request big 1 >request
	run -6 co-remote-postgres < <(sed $'s/a text/a \xff/' request)
	[[ $output == *'"kind":"invalid"'* ]]
	run -6 co-remote-postgres < <(sed '$d' request)
	[[ $output == *'"kind":"invalid"'* ]]
	run -6 push nul 1 < <(document 1 'before\u0000behind')
	[[ $output == *'"kind":"invalid"'* ]]
}

@test "a query everywhere reads the 64 projects with most rare words, and reports it" {
	run -0 ask <<<'{"verb":"query","everywhere":true,"text":"xylophone","max":5}'
	jq -es '.[-1].pruned == false' <<<"$output"
	sql <<-'END'
		INSERT INTO co_1.project (name) SELECT 'many-' || n FROM generate_series(1, 70) n;
	END
	push many 1 < <(document 1 'the xylophone plays')
	sql <<-'END'
		INSERT INTO co_1.grants SELECT 'postgres', project, name FROM co_1.project
			WHERE name LIKE 'many-%';
		INSERT INTO co_1.origin SELECT p.project, o.commit, o.at, o.digest, o.documents,
			o.terms_version, o.last, o.columns, '' FROM co_1.project p, co_1.origin o
			JOIN co_1.project m USING (project)
			WHERE p.name LIKE 'many-%' AND m.name = 'many';
		INSERT INTO co_1.posting SELECT p.project, t.term, t.docs FROM co_1.project p,
			co_1.posting t JOIN co_1.project m USING (project)
			WHERE p.name LIKE 'many-%' AND m.name = 'many' AND t.term <> 'xylophon';
		INSERT INTO co_1.doc SELECT p.project, d.doc, d.hash, d.id, d.body
			FROM co_1.project p, co_1.doc d JOIN co_1.project m USING (project)
			WHERE p.name LIKE 'many-%' AND m.name = 'many';
	END
	run -0 ask <<<'{"verb":"query","everywhere":true,"text":"xylophone plays","max":1}'
	jq -es '.[0].project == "many" and .[-1].pruned and .[-1].documents >= 64' \
		<<<"$output"
}

@test "an error is one complete line of JSON" {
	CO_REMOTE_URL=host=/nonexistent co-remote-postgres >out <<<'{"verb":"init"}' || [ $? = 6 ]
	jq -e '.error.kind == "unreachable"' out
	[ "$(wc -l <out)" = 1 ]
}

@test "a URL with a password is refused and not printed" {
	for url in 'postgresql://me:secret@localhost/x' 'host=/tmp password=secret' \
		'host=/tmp sslpassword=secret' 'postgresql://me:secret@[x/'; do
		CO_REMOTE_URL=$url run -6 co-remote-postgres <<<'{"verb":"describe"}'
		[[ $output == *'"kind":"invalid"'* && $output != *secret* ]]
	done
}

@test "co connects to no other host without a verified certificate" {
	# There is no connection to a host without an address.
	for url in 'host=db.invalid' 'hostaddr=192.0.2.1 host=localhost' \
		'host=/tmp,db.invalid' 'service=none'; do
		CO_REMOTE_TIMEOUT_MS=200 CO_REMOTE_URL="$url sslmode=disable" \
			PGSSLROOTCERT=/nowhere run -6 co-remote-postgres \
			<<<'{"verb":"describe"}'
		[[ $output == *'"kind":"'@(unreachable|timeout|invalid)* ]]
	done
	run -6 env CO_REMOTE_URL='host=127.0.0.1 port=1' co-remote-postgres \
		<<<'{"verb":"describe"}'
	[[ $output == *'"kind":"unreachable"'* ]]
}

@test "errors distinguish a wrong server, a refusal, a timeout and no server" {
	run -6 env CO_REMOTE_URL="$CO_REMOTE_URL dbname=template1" co-remote-postgres \
		<<<'{"verb":"describe"}'
	[[ $output == *'"kind":"schema"'* ]]
	run -6 ask nobody <<<'{"verb":"describe"}'
	[[ $output == *'"kind":"refused"'* ]]
	read -r pid <"$POSTGRES_DIR/data/postmaster.pid"
	kill -STOP "$pid"
	CO_REMOTE_TIMEOUT_MS=100 run -6 ask <<<'{"verb":"describe"}'
	kill -CONT "$pid"
	[[ $output == *'"kind":"timeout"'* ]]
	CO_REMOTE_URL='host=/nowhere' run -6 co-remote-postgres <<<'{"verb":"describe"}'
	[[ $output == *'"kind":"unreachable"'* ]]
	CO_REMOTE_URL='' run -6 co-remote-postgres <<<'{"verb":"describe"}'
	[[ $output == *'"kind":"invalid"'* ]]
}

@test "notices of the server are not printed" {
	PGOPTIONS='-c client_min_messages=debug5' run -0 --separate-stderr ask \
		<<<'{"verb":"describe","projects":[]}'
	[ -z "$stderr" ]
	[[ ${lines[1]} == '{"ok":true}' ]]
}
