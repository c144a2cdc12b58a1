#!/usr/bin/env bats
# Test whether a later text contradicts an earlier one, by words and by meaning.
# The measured pairs are in t/contradiction.
load lib

# says EARLIER LATER: print "contradicts", "alike" or "far".
says() {
	printf 'x\t%s\t%s\n' "$1" "$2" | "$CO_BIN/../t/tool/rank/contradiction" | cut -f1
}

# floors NAME PRECISION RECALL: check that line NAME of $output has at least
# these.
floors() {
	[[ $output =~ (^|$'\n')"$1: "[^$'\n']*precision\ ([0-9.]+),\ recall\ ([0-9.]+) ]]
	awk -v p="${BASH_REMATCH[2]}" -v r="${BASH_REMATCH[3]}" -v pp="$2" -v rr="$3" \
		'BEGIN { exit !(p >= pp && r >= rr) }'
}

@test "contradictions are reported with the measured precision and recall" {
	run -0 "$CO_SOURCE/t/contradiction/measure" "$CO_BIN/../t/tool"
	floors 'development, words' .97 .87
	floors 'held-out, words' .97 .87
	floors 'real-development, words' .97 .06
	floors 'real-development, encoder too' .97 .28
	# Compare each later text with each earlier one, as notes of one
	# project.
	floors 'real-development crossed, encoder' .97 .22
	floors 'reported, encoder' .85 .60
}

@test "the order of two texts matters only if one reports a removal" {
	[ "$(says 'the port is 80' 'the port is 81')" = contradicts ]
	[ "$(says 'the port is 81' 'the port is 80')" = contradicts ]
	[ "$(says 'Format the code with black' 'Format the code with ruff, black was dropped')" = contradicts ]
	[ "$(says 'Format the code with ruff, black was dropped' 'Format the code with black')" = alike ]
}

@test "texts with different subjects do not contradict each other" {
	local unset='when `REDIS_URL` is unset. Set it in `.envrc` before running anything.'
	[ "$(says "Gotcha in checkout: returns stale rows $unset" "Gotcha in search: leaks a file descriptor $unset")" = alike ]
	[ "$(says "Gotcha in the worker: its queue is lost $unset" "Gotcha in the web app: the session cache is empty $unset")" = alike ]
	[ "$(says "Gotcha in checkout: waits for 30 seconds $unset" "Gotcha in search: tries 5 hosts $unset")" = alike ]
	[ "$(says "Note on checkout: slow $unset" "Note on search: broken $unset")" = alike ]
	[ "$(says "Jobs in the worker hang $unset" "Jobs in the cache vanish $unset")" = alike ]
	[ "$(says "Rows from the queue get lost $unset" "Rows from the session cache go stale $unset")" = alike ]
	# The subject is the same, and the value differs.
	[ "$(says "Gotcha in checkout: listens on port 80 $unset" "Gotcha in checkout: listens on port 81 $unset")" = contradicts ]
	[ "$(says "Gotcha in checkout: sessions are kept in memory $unset" "Gotcha in checkout: sessions are kept in a file $unset")" = contradicts ]
	[ "$(says "Deploy day: Monday" "Deploy day: Tuesday")" = contradicts ]
	[ "$(says "Logs go to /var/spool/app when deployed" "Logs go to /srv/data/old when deployed")" = contradicts ]
}

@test "notes with different numbers in their headings do not contradict" {
	[ "$(says 'Note 12: the webhook is retried three times' 'Note 13: the webhook is retried three times')" = alike ]
	[ "$(says 'The port is 80: never change it' 'The port is 81: never change it')" = contradicts ]
	[ "$(says 'Note 12: the webhook is retried 3 times' 'Note 12: the webhook is retried 4 times')" = contradicts ]
}

@test "a single letter is a name, and different letters are different names" {
	[ "$(says 'Reports of team A are due on Mondays' 'Reports of team B are due on Fridays')" = alike ]
	[ "$(says 'Plan A is a rewrite in Rust' 'Plan B is a rewrite in Rust')" = alike ]
	[ "$(says 'The spare keys are in drawer A' 'The spare keys are in drawer B')" = contradicts ]
	[ "$(says 'The firmware is written in C' 'The firmware is written in Rust')" = contradicts ]
	# An article or a pronoun is no name.
	[ "$(says 'A server listens on port 80' 'The server listens on port 81')" = contradicts ]
	[ "$(says 'The port that I use is 80' 'The port that we use is 81')" = contradicts ]
}

@test "adjacent numbers are no contradiction, except dates and times" {
	[ "$(says 'In 2024 12 people left' 'In 2025 15 people left')" = alike ]
	[ "$(says 'Deploys start at 02:00' 'Deploys start at 04:30')" = contradicts ]
	[ "$(says 'The code freeze of this spring begins on 2026-03-01 08:00' 'The code freeze of this spring begins on 2026-04-02 09:30')" = contradicts ]
	[ "$(says 'The freeze begins on March 1 2026' 'The freeze begins on April 2 2027')" = contradicts ]
}

@test "different names or two versions with numbers do not contradict" {
	[ "$(says 'curl needs libssh2 1.9.0 or newer' 'curl needs libssh 0.9.0 or newer')" = alike ]
	[ "$(says 'pytest 8.4 needs Python 3.9' 'pytest 9.0 needs Python 3.10')" = alike ]
	[ "$(says 'The IRC channel is #pytest on Libera Chat' 'The IRC channel is #pytest on irc.libera.chat')" = alike ]
	# The name is the same, or it is the value of something.
	[ "$(says 'curl needs libssh2 1.9.0 or newer' 'curl needs libssh2 1.11.0 or newer')" = contradicts ]
	[ "$(says 'pytest needs Python 3.9' 'pytest needs Python 3.10')" = contradicts ]
	[ "$(says 'The build uses Node 18' 'The build uses Deno 2')" = contradicts ]
	[ "$(says 'The freeze begins on March 1' 'The freeze begins on April 2')" = contradicts ]
}

@test "two texts that report the same change do not contradict" {
	[ "$(says 'The npm hook command was removed' 'npm no longer has the hook command')" = alike ]
	[ "$(says 'npm has the hook command' 'npm no longer has the hook command')" = contradicts ]
}

@test "the place where something is used is not a value of it" {
	[ "$(says 'Use tabs in Go' 'Use tabs in Python')" = alike ]
	[ "$(says 'Run the linter in lib/' 'Run the linter in cmd/')" = alike ]
	[ "$(says 'Run the tests in the container' 'Run the tests in the office')" = alike ]
	[ "$(says 'Use tabs in Go' 'Use spaces in Go')" = contradicts ]
	[ "$(says 'Fixtures stand in t/data' 'Fixtures stand in t/golden')" = contradicts ]
}

@test "two negations, or a negation and an antonym, do not contradict" {
	[ "$(says 'the user dislikes emoji in answers' 'the user does not like emoji in answers')" = alike ]
	[ "$(says 'do not push to main' 'never push to main')" = alike ]
	[ "$(says 'push to main' 'never push to main')" = contradicts ]
}

# takes_back EARLIER LATER: check that LATER retracts EARLIER, by words and
# encoder.
takes_back() {
	mkdir -p suite/bin
	[ -e suite/bin/retraction ] || cp "$CO_BIN/../t/tool/search/retraction" suite/bin
	[ -e suite/share ] || ln -s "$CO_BIN/../share" suite/share
	[ -n "$(printf 'x\t%s\t%s\n' "$1" "$2" | suite/bin/retraction)" ]
}

@test "a report that something was removed or changed retracts the earlier text" {
	takes_back 'Sessions are stored in Redis.' 'Redis was removed, sessions are JWTs.'
	takes_back 'The importer supports XLSX files.' 'We dropped XLSX support from the importer.'
	takes_back 'Errors are reported to Sentry.' 'We no longer report errors to Sentry.'
	takes_back 'Deploys need approval from the platform team.' "Deploys don't need an approval from the platform team any more."
	takes_back 'mocha runs the unit tests.' 'The unit tests run with vitest instead of mocha.'
	takes_back 'CI runs on CircleCI with two jobs.' 'CI was moved from CircleCI to GitHub Actions.'
	takes_back 'The request timeout is 10 seconds.' 'The timeout for requests was raised to 30 s.'
}

@test "a report about something else retracts nothing" {
	# Parts, additions, repetitions and possibilities do not retract.
	run ! takes_back 'The deploy script uploads the build to S3.' 'The upload of reports to S3 was removed from the deploy script.'
	run ! takes_back 'The deploy script uploads the build to S3.' 'The deploy script now also uploads the source maps to S3.'
	run ! takes_back 'We use pnpm for installs.' 'Use pnpm instead of npm to install.'
	run ! takes_back 'The default branch is called main.' 'The default branch was renamed to main.'
	run ! takes_back 'The request timeout is 30 seconds.' 'The request timeout was raised from 10 to 30 seconds.'
	run ! takes_back 'There is no Gopher support in Redis.' 'Gopher support was removed from Redis.'
	run ! takes_back 'The flag --legacy turns on the old parser.' 'The flag --legacy will be removed in 4.0.'
	run ! takes_back 'Temporary files of the renderer are in /tmp/render.' 'Temporary files of the renderer are deleted after each run.'
	run ! takes_back 'Sessions are kept in Redis.' 'If Redis is gone, sessions are kept in memory.'
	run ! takes_back 'Commits of a branch are listed.' 'The list shows the abandoned commits of a branch.'
}

@test "short, long, non-Latin and invalid texts retract nothing" {
	run ! takes_back 'We use X' 'Now we use X'
	run ! takes_back 'It is fast' 'It was removed'
	run ! takes_back '' 'was removed'
	run ! takes_back '' ''
	run ! takes_back 'Сессии хранятся в Redis, очередь тоже' 'Redis was removed'
	run ! takes_back $'Redis \xff\xfe' $'\xff no longer \xc3'
	long=$(printf 'a%.0s b ' {1..80})
	run ! takes_back "Redis stores $long" "Redis was removed $long"
	takes_back 'Redis stores the sessions' 'Redis was removed from the sessions'
}

@test "the comparison accepts empty, invalid, long and equal texts" {
	[ "$(says '' '')" = far ]
	[ "$(says 'a b' 'a b')" = alike ]
	[ "$(says $'\xff\xfe not \xe4\xb8' $'\xff\xfe \xe4\xb8')" != '' ]
	long=$(printf 'word%s ' {1..180})
	[ "$(says "$long is 1" "$long is 2")" = alike ]
	letters=$(printf 'x%.0s' {1..900})
	[ "$(says "it is not $letters" "it is $letters")" = contradicts ]
}
