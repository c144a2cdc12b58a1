#!/usr/bin/env bats
# Tests of t/run, with test files that are made here.
# bats file_tags=rights
load lib

setup() {
	world
	mkdir -p tree/t tree/bin
	cp "$CO_SOURCE"/t/{run,skips} tree/t/
	run=tree/t/run
	export CI=true
}

# tests NAME <BODY: write a test file. BODY has "a test" in place of "@test", which bats
# would take for a test of this file.
tests() {
	sed 's/^	*a test /@test /' >"tree/t/$1.bats"
}

# program NAME <BODY: make a unit program that is built.
program() {
	mkdir -p tree/t/unit/base
	: >"tree/t/unit/base/$1.c"
	{
		echo '#!/bin/sh'
		cat
		printf 'echo "ok 1 - it ran"\necho 1..1\n'
	} >"tree/t/unit/base/$1"
	chmod +x "tree/t/unit/base/$1"
}

@test "a test gets a clean environment and a UTF-8 locale" {
	tests t1 <<-'END'
		a test "bare" {
			[ -z "${SECRET-}${LANG-}${XDG_CACHE_HOME-}" ]
			[ -w "$HOME" ]
			[ -z "$(ls -A "$HOME")" ]
			e=$'\u00e9'
			[ ${#e} -eq 1 ]
			[ "$(LC_ALL=C; printf %s "$e" | wc -c)" -eq 2 ]
		}
	END
	for locale in nowhere.UTF-8 ''; do
		run -0 env -i CI=true PATH="$PATH" HOME="$HOME" SECRET=1 LANG=de_DE \
			XDG_CACHE_HOME=/x ${locale:+LC_ALL=$locale} "$run" bin
		[ "${lines[-1]}" = '1 passed, 0 failed, 0 skipped' ]
	done
}

# skips NAME REASON: make a unit program that skips its test.
skips() {
	program "$1" <<<"echo 'ok 1 - a # skip $2'; echo 1..1; exit"
}

@test "with CI set, t/run fails on a skip that t/skips does not list" {
	skips t1 'zsh is not there'
	run -0 env CI=true "$run" bin
	[ "${lines[-1]}" = '0 passed, 0 failed, 1 skipped' ]
	skips t2 'the moon is full'
	run -1 env CI=true "$run" bin
	[[ $output == *'skips does not list it: the moon is full'* ]]
	[ "${lines[-1]}" = '0 passed, 1 failed, 2 skipped' ]
	run -0 env CI= "$run" bin
	# A reason can be listed for root only, or for plain users only.
	reason='root reads everything' other='this takes root'
	[ "$(id -u)" -eq 0 ] || { reason=$other other='root reads everything'; }
	skips t2 "$reason"
	run -0 env CI=true "$run" bin
	skips t2 "$other"
	run -1 env CI=true "$run" bin
}

@test "t/run fails on a failed test or a broken file, and counts both" {
	tests t1 <<<'a test "a" { true; }'
	tests t2 <<<'a test "b" { false; }'
	run -1 "$run" bin
	[ "${lines[-1]}" = '1 passed, 1 failed, 0 skipped' ]
	tests t2 <<<$'load nothing\na test "b" { true; }'
	run ! "$run" bin
	[ "${lines[-1]}" = '1 passed, 1 failed, 0 skipped' ]
	run -1 "$run" bin t9
	[ "$output" = 't/run: no test matches: t9' ]
}

@test "t/run with AGAIN=1 reruns a failed file once and reports it" {
	program one <<-'END'
		[ -e "$TMPDIR/seen" ] || { touch "$TMPDIR/seen" && exit 1; }
	END
	program two </dev/null
	export TMPDIR=$PWD
	run -1 "$run" bin
	[ "${lines[-1]}" = '1 passed, 1 failed, 0 skipped' ]
	rm seen
	run -0 env AGAIN=1 "$run" bin
	[[ $output == *'not ok 1 t/unit/base/one'*'t/run: failed once, and was run again: t/unit/base/one'* ]]
	[ "${lines[-1]}" = '2 passed, 0 failed, 0 skipped' ]
	# A file that always fails still fails. If many files fail, none is run again.
	program two <<<'exit 1'
	run -1 env AGAIN=1 "$run" bin
	[ "${lines[-1]}" = '1 passed, 1 failed, 0 skipped' ]
	for n in 3 4 5 6 7; do
		program $n <<<'exit 1'
	done
	run -1 env AGAIN=1 "$run" bin
	[[ $output != *'was run again'* ]]
	[ "${lines[-1]}" = '1 passed, 6 failed, 0 skipped' ]
}

@test "t/run kills a file that exceeds its time, with all its processes" {
	command -v timeout && [ -e /proc/self/environ ] ||
		skip 'there is no timeout'
	tests t1 <<-'END'
		a test "a" {
			setsid sleep 1000 &
			echo $! >"$TMPDIR/pid"
			wait
		}
	END
	export TMPDIR=$PWD
	# A busy machine may need longer to begin the test.
	for limit in 2 8 32 128; do
		run -1 env LIMIT=$limit "$run" bin
		[[ $output == *"not ok 1 t/t1.bats took more than $limit s"* ]]
		[ "${lines[-1]}" = '0 passed, 1 failed, 0 skipped' ]
		[ ! -e pid ] || break
	done
	pid=$(<pid)
	SECONDS=0
	while kill -0 "$pid"; do
		[ $SECONDS -lt 60 ]
		sleep .1
	done
}

@test "t/run selects tests by SLOW, NAME and TAGS" {
	tests t1 <<-'END'
		# bats test_tags=slow
		a test "a slow one" { true; }
		a test "a fast one" { true; }
		# bats test_tags=rights
		a test "one of rights" { true; }
	END
	tests t2 <<-'END'
		# bats file_tags=slow
		a test "all are slow" { true; }
	END
	while IFS='|' read -r settings count; do
		# The settings are meant to be split.
		# shellcheck disable=SC2086
		run -0 env $settings "$run" bin
		[ "${lines[-1]}" = "$count passed, 0 failed, 0 skipped" ] ||
			echo "$settings: ${lines[-1]}"
	done <<-'END' >wrong
		A=1|2
		NAME=slow|2
		TAGS=rights|1
		SLOW=1 PART=1/2|3
	END
	diff -u /dev/null wrong
	NAME=nothing run -1 "$run" bin t1
	[ "$output" = 't/run: no test matches: t1 nothing' ]
}

@test "t/run runs a TAP program in an empty directory of its own" {
	program one <<<'[ "$PWD" = "$HOME" ] && [ ! "$(ls -A)" ] && touch file || exit'
	: >tree/t/unit/base/not-built.c
	run -0 "$run" bin
	[ "${lines[-1]}" = '1 passed, 0 failed, 0 skipped' ]
	program two <<<'kill -9 $$'
	run -1 "$run" bin
	[ "${lines[-1]}" = '1 passed, 1 failed, 0 skipped' ]
	run -0 "$run" bin unit/base/o
	[ "${lines[-1]}" = '1 passed, 0 failed, 0 skipped' ]
}

@test "t/run fails if a file uses more than its share of the time" {
	program p1 </dev/null
	program p2 <<<'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
	run -0 "$run" bin
	run -1 env FEW=2 "$run" bin
	[[ $output == *'t/run: unit.base.p2 uses over 4 % of all: tag its slowest tests slow'* ]]
	[ "${lines[-1]}" = '2 passed, 1 failed, 0 skipped' ]
}
