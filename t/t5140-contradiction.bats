#!/usr/bin/env bats
# Whether a later text contradicts an earlier one that is alike: t/contradiction.
load lib

# says EARLIER LATER: "contradicts", "alike" or "far".
says() {
	printf 'x\t%s\t%s\n' "$1" "$2" | "$CO_BIN/../t/tool/rank/contradiction" | cut -f1
}

# floors NAME PRECISION RECALL: these or more are in the line NAME of $output.
floors() {
	[[ $output =~ (^|$'\n')"$1: "[^$'\n']*precision\ ([0-9.]+),\ recall\ ([0-9.]+) ]]
	awk -v p="${BASH_REMATCH[2]}" -v r="${BASH_REMATCH[3]}" -v pp="$2" -v rr="$3" \
		'BEGIN { exit !(p >= pp && r >= rr) }'
}

@test "most reported contradictions are some, and most contradictions are found" {
	run -0 "$CO_SOURCE/t/contradiction/measure" "$CO_BIN/../t/tool"
	floors development .97 .87
	floors held-out .97 .87
	floors real-development .97 .06
}

@test "it is not the order of two texts that tells, but for what was dropped" {
	[ "$(says 'the port is 80' 'the port is 81')" = contradicts ]
	[ "$(says 'the port is 81' 'the port is 80')" = contradicts ]
	[ "$(says 'Format the code with black' 'Format the code with ruff, black was dropped')" = contradicts ]
	[ "$(says 'Format the code with ruff, black was dropped' 'Format the code with black')" = alike ]
}

@test "another subject vetoes: what both texts share may hold of two things" {
	local unset='when `REDIS_URL` is unset. Set it in `.envrc` before running anything.'
	[ "$(says "Gotcha in checkout: returns stale rows $unset" "Gotcha in search: leaks a file descriptor $unset")" = alike ]
	[ "$(says "Gotcha in the worker: its queue is lost $unset" "Gotcha in the web app: the session cache is empty $unset")" = alike ]
	[ "$(says "Gotcha in checkout: waits for 30 seconds $unset" "Gotcha in search: tries 5 hosts $unset")" = alike ]
	[ "$(says "Note on checkout: slow $unset" "Note on search: broken $unset")" = alike ]
	[ "$(says "Jobs in the worker hang $unset" "Jobs in the cache vanish $unset")" = alike ]
	[ "$(says "Rows from the queue get lost $unset" "Rows from the session cache go stale $unset")" = alike ]
	# The subject is the same, and the value another.
	[ "$(says "Gotcha in checkout: listens on port 80 $unset" "Gotcha in checkout: listens on port 81 $unset")" = contradicts ]
	[ "$(says "Gotcha in checkout: sessions are kept in memory $unset" "Gotcha in checkout: sessions are kept in a file $unset")" = contradicts ]
	[ "$(says "Deploy day: Monday" "Deploy day: Tuesday")" = contradicts ]
	[ "$(says "Logs go to /var/spool/app when deployed" "Logs go to /srv/data/old when deployed")" = contradicts ]
}

@test "the number of a heading tells two notes apart" {
	[ "$(says 'Note 12: the webhook is retried three times' 'Note 13: the webhook is retried three times')" = alike ]
	[ "$(says 'The port is 80: never change it' 'The port is 81: never change it')" = contradicts ]
	[ "$(says 'Note 12: the webhook is retried 3 times' 'Note 12: the webhook is retried 4 times')" = contradicts ]
}

@test "a letter alone is a name, and tells as one" {
	[ "$(says 'Reports of team A are due on Mondays' 'Reports of team B are due on Fridays')" = alike ]
	[ "$(says 'Plan A is a rewrite in Rust' 'Plan B is a rewrite in Rust')" = alike ]
	[ "$(says 'The spare keys are in drawer A' 'The spare keys are in drawer B')" = contradicts ]
	[ "$(says 'The firmware is written in C' 'The firmware is written in Rust')" = contradicts ]
	# No name: an article, a pronoun.
	[ "$(says 'A server listens on port 80' 'The server listens on port 81')" = contradicts ]
	[ "$(says 'The port that I use is 80' 'The port that we use is 81')" = contradicts ]
}

@test "two numbers side by side tell of two things, but for a day and a time" {
	[ "$(says 'In 2024 12 people left' 'In 2025 15 people left')" = alike ]
	[ "$(says 'Deploys start at 02:00' 'Deploys start at 04:30')" = contradicts ]
	[ "$(says 'The code freeze of this spring begins on 2026-03-01 08:00' 'The code freeze of this spring begins on 2026-04-02 09:30')" = contradicts ]
	[ "$(says 'The freeze begins on March 1 2026' 'The freeze begins on April 2 2027')" = contradicts ]
}

@test "two names with a number each, or two versions with one, are two things" {
	[ "$(says 'curl needs libssh2 1.9.0 or newer' 'curl needs libssh 0.9.0 or newer')" = alike ]
	[ "$(says 'pytest 8.4 needs Python 3.9' 'pytest 9.0 needs Python 3.10')" = alike ]
	[ "$(says 'The IRC channel is #pytest on Libera Chat' 'The IRC channel is #pytest on irc.libera.chat')" = alike ]
	# The name is the same, or it is the value of something.
	[ "$(says 'curl needs libssh2 1.9.0 or newer' 'curl needs libssh2 1.11.0 or newer')" = contradicts ]
	[ "$(says 'pytest needs Python 3.9' 'pytest needs Python 3.10')" = contradicts ]
	[ "$(says 'The build uses Node 18' 'The build uses Deno 2')" = contradicts ]
	[ "$(says 'The freeze begins on March 1' 'The freeze begins on April 2')" = contradicts ]
}

@test "a change that both texts report is none" {
	[ "$(says 'The npm hook command was removed' 'npm no longer has the hook command')" = alike ]
	[ "$(says 'npm has the hook command' 'npm no longer has the hook command')" = contradicts ]
}

@test "where something is used is no value of it" {
	[ "$(says 'Use tabs in Go' 'Use tabs in Python')" = alike ]
	[ "$(says 'Run the linter in lib/' 'Run the linter in cmd/')" = alike ]
	[ "$(says 'Use tabs in Go' 'Use spaces in Go')" = contradicts ]
	[ "$(says 'Fixtures stand in t/data' 'Fixtures stand in t/golden')" = contradicts ]
}

@test "two negations, or a negation and an opposite, say the same again" {
	[ "$(says 'the user dislikes emoji in answers' 'the user does not like emoji in answers')" = alike ]
	[ "$(says 'do not push to main' 'never push to main')" = alike ]
	[ "$(says 'push to main' 'never push to main')" = contradicts ]
}

@test "any bytes are text: empty, broken, very long, and the same" {
	[ "$(says '' '')" = far ]
	[ "$(says 'a b' 'a b')" = alike ]
	[ "$(says $'\xff\xfe not \xe4\xb8' $'\xff\xfe \xe4\xb8')" != '' ]
	long=$(printf 'word%s ' {1..180})
	[ "$(says "$long is 1" "$long is 2")" = alike ]
	letters=$(printf 'x%.0s' {1..900})
	[ "$(says "it is not $letters" "it is $letters")" = contradicts ]
}
