#!/usr/bin/env bats
# t/run itself, on test files of its own.
load lib

setup() {
	world
	mkdir -p tree/t tree/bin
	cp "$CO_SOURCE"/t/{run,skips} tree/t/
	run=tree/t/run
	export CI=true
}

# tests NAME <BODY: a test file; "a test", as bats would take this file's own.
tests() {
	sed 's/^	*a test /@test /' >"tree/t/$1.bats"
}

@test "a test sees nothing of the caller's, and a locale of UTF-8" {
	tests t1 <<-'END'
		a test "bare" {
			[ -z "${SECRET-}${LANG-}${XDG_CACHE_HOME-}" ]
			[ -w "$HOME" ] && [ -z "$(ls -A "$HOME")" ]
			e=$'\u00e9'
			[ ${#e} -eq 1 ]
			[ "$(LC_ALL=C; printf %s "$e" | wc -c)" -eq 2 ]
		}
	END
	for locale in C nowhere.UTF-8 ''; do
		run -0 env -i CI=true PATH="$PATH" HOME="$HOME" SECRET=1 LANG=de_DE \
			XDG_CACHE_HOME=/x ${locale:+LC_ALL=$locale} "$run" bin
		[ "${lines[-1]}" = '1 passed, 0 failed, 0 skipped' ]
	done
}

@test "with CI set, a skip that is not listed fails" {
	tests t1 <<<'a test "a" { skip "zsh is not there"; }'
	run -0 env CI=true "$run" bin
	[ "${lines[-1]}" = '0 passed, 0 failed, 1 skipped' ]
	tests t2 <<<'a test "b" { skip "the moon is full"; }'
	run -1 env CI=true "$run" bin
	[[ $output == *'skips does not list it: the moon is full'* ]]
	[ "${lines[-1]}" = '0 passed, 1 failed, 2 skipped' ]
	run -0 env CI= "$run" bin
	# Listed for the one who runs, and only for them.
	reason='root reads everything' other='this takes root'
	[ "$(id -u)" -eq 0 ] || { reason=$other other='root reads everything'; }
	tests t2 <<<"a test 'b' { skip '$reason'; }"
	run -0 env CI=true "$run" bin
	tests t2 <<<"a test 'b' { skip '$other'; }"
	run -1 env CI=true "$run" bin
}

@test "a failure and a file that does not run fail, and are counted" {
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

@test "what fails in a crowd only is run again where asked, and told" {
	tests t1 <<-'END'
		a test "a" {
			[ -e "$TMPDIR/seen" ] || ! : >"$TMPDIR/seen"
		}
	END
	tests t2 <<<'a test "b" { true; }'
	export TMPDIR=$PWD
	run -1 "$run" bin
	[ "${lines[-1]}" = '1 passed, 1 failed, 0 skipped' ]
	rm seen
	run -0 env AGAIN=1 "$run" bin
	[[ $output == *'not ok 1 a'*'t/run: failed once, and was run again: t/t1.bats'* ]]
	[ "${lines[-1]}" = '2 passed, 0 failed, 0 skipped' ]
	# What fails always does, and so do many.
	tests t2 <<<'a test "b" { false; }'
	run -1 env AGAIN=1 "$run" bin
	[ "${lines[-1]}" = '1 passed, 1 failed, 0 skipped' ]
	for n in 3 4 5 6 7; do
		cp tree/t/t2.bats tree/t/t$n.bats
	done
	run -1 env AGAIN=1 "$run" bin
	[[ $output != *'was run again'* ]]
	[ "${lines[-1]}" = '1 passed, 6 failed, 0 skipped' ]
}

@test "a file that does not end is ended, with all that it started" {
	command -v timeout && [ -e /proc/self/environ ] ||
		skip 'there is no timeout'
	tests t1 <<-'END'
		a test "a" {
			setsid sleep 1000 &
			echo $! >"$TMPDIR/pid"
			wait
		}
	END
	tests t2 <<<'a test "b" { true; }'
	export TMPDIR=$PWD
	run -1 env LIMIT=2 "$run" bin
	[[ $output == *'not ok 1 t/t1.bats took more than 2 s'* ]]
	[ "${lines[-1]}" = '1 passed, 1 failed, 0 skipped' ]
	pid=$(<pid)
	SECONDS=0
	while kill -0 "$pid"; do
		[ $SECONDS -lt 60 ]
		sleep .1
	done
}
