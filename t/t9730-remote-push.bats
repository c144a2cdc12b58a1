#!/usr/bin/env bats
# Simultaneous pushes, and pushes that are killed.
load lib
load postgres

# texts PROJECT FROM TO: print documents.
texts() {
	local i
	for ((i = $2; i <= $3; i++)); do
		document "$i" "the shared word of $1 and number n$i"
	done
}

# state PROJECT: print the commit, the digest and the number of documents.
state() {
	ask <<<'{"verb":"digest","project":"'"$1"'"}' |
		jq -rs '.[0] | "\(.commit[0:1]) \(.digest) \(.documents)"'
}

# whole PROJECT N: check that each unique word finds one document, and the shared
# word finds N.
whole() {
	run -0 sql <<-END
		SELECT count(*), count(DISTINCT doc) FROM co_1.doc JOIN co_1.project
			USING (project) WHERE name = '$1';
		SELECT count(*) FROM co_1.posting JOIN co_1.project USING (project)
			WHERE name = '$1' AND term ~~ 'n%' AND length(docs) = 2;
	END
	expect <<-END
		$2|$2
		$2
	END
	run -0 ask <<<'{"verb":"query","projects":["'"$1"'"],"text":"shared","max":100}'
	[ "$(jq -r '.id // empty' <<<"$output" | sort -u | grep -c .)" = "$2" ]
}

@test "simultaneous pushes of 17 projects lose and duplicate nothing" {
	local i
	for i in {1..16}; do
		texts "p$i" 1 8 | request "p$i" 1 >"request$i"
		ask <"request$i" >"out$i" 3>&- &
	done
	texts both 1 8 | request both 1 >first
	texts both 4 14 | request both 2 >second
	ask <first >out-first 3>&- &
	ask <second >out-second 3>&- &
	wait
	for i in {1..16}; do
		jq -es '.[-1].ok' "out$i" >/dev/null
		whole "p$i" 8
	done
	# One of the two began from an old state and got an error.
	[ "$(cat out-first out-second | grep -c '"ok":true')" = 1 ]
	[ "$(cat out-first out-second | grep -c '"kind":"conflict"')" = 1 ]
	case $(state both) in
	1*) whole both 8 ;;
	2*) whole both 11 ;;
	esac
}

@test "a push that is killed while it sends changes nothing" {
	local before
	texts slow 1 5 | push slow 1
	before=$(state slow)
	read -r _ digest n <<<"$before"
	texts slow 6 9 | request slow 2 "$digest" "$n" >request
	mkfifo pipe
	for lines in 1 2 4 5; do
		kill_push "$lines"
		[ "$(state slow)" = "$before" ]
	done
	whole slow 5
	# The next push does not wait for the killed ones.
	run -0 ask <request
	[[ $(state slow) == 2*9 ]]
	whole slow 9
}

@test "a push that is killed at any system call leaves the old or the new commit" {
	local before after n
	need_strace
	texts kill 1 3 | push kill 1
	before=$(state kill)
	read -r _ digest count <<<"$before"
	{
		texts kill 1 1 | jq -c '{remove: .doc.hash}'
		texts kill 4 5
	} | request kill 2 "$digest" "$count" >request
	after="2 $(head -n 1 request | jq -r '"\(.digest) \(.documents)"')"
	# The calls that wait for the server or send to it.
	for ((n = 1; ; n++)); do
		strace -qq -o /dev/null -e trace=sendto,recvfrom \
			-e inject=sendto,recvfrom:signal=KILL:when=$n \
			co-remote-postgres <request >out 2>/dev/null 3>&- && break
		now=$(state kill)
		[ "$now" != "$after" ] || break
		[ "$now" = "$before" ]
	done
	[ "$n" -gt 8 ]
	[ "$(state kill)" = "$after" ]
	run -0 sql <<-'END'
		SELECT doc FROM co_1.doc JOIN co_1.project USING (project) WHERE name = 'kill';
		SELECT convert_from(term, 'UTF8') FROM co_1.posting JOIN co_1.project
			USING (project) WHERE name = 'kill' AND term ~~ 'n%' ORDER BY 1;
	END
	[ "$(wc -l <<<"$output")" = 9 ]
	[[ $output != *n1* && $output == *n4*n5* ]]
}

@test "a push replaces terms of another version, which no query reads" {
	texts terms 1 3 | push terms 1
	sql <<<"UPDATE co_1.origin SET terms_version = 0 WHERE project =
		(SELECT project FROM co_1.project WHERE name = 'terms')"
	[[ $(state terms) == *' 0' ]]
	run -6 ask <<<'{"verb":"query","projects":["terms"],"text":"shared"}'
	[[ $output == *'"kind":"schema"'* ]]
	texts terms 2 5 | push terms 2
	whole terms 4
}
