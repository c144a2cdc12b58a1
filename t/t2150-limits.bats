#!/usr/bin/env bats
# Limits of a process: closed or full streams, few descriptors, small files, any umask.
load lib

# with_streams IN OUT ERR COMMAND...: run COMMAND with each stream "ok", "closed" or
# "full" (for IN: a directory, which cannot be read). The output is in out and err.
with_streams() {
	local in=$1 out=$2 err=$3
	shift 3
	(
		case $in in
		ok) exec <"$BATS_TEST_TMPDIR/in" ;;
		full) exec </ ;;
		closed) exec <&- ;;
		esac
		case $err in
		ok) exec 2>"$BATS_TEST_TMPDIR/err" ;;
		full) exec 2>/dev/full ;;
		closed) exec 2>&- ;;
		esac
		case $out in
		ok) exec >"$BATS_TEST_TMPDIR/out" ;;
		full) exec >/dev/full ;;
		closed) exec >&- ;;
		esac
		exec "$@"
	)
}

# each_streams COMMAND...: run COMMAND in 27 ways, and pass in, out, err and the exit
# status of each to check().
each_streams() {
	local in out err status
	for in in ok closed full; do
		for out in ok closed full; do
			for err in ok closed full; do
				: >"$BATS_TEST_TMPDIR/out"
				: >"$BATS_TEST_TMPDIR/err"
				status=0
				with_streams $in $out $err "$@" || status=$?
				check $in $out $err $status || {
					echo "$in $out $err: $status"
					return 1
				}
			done
		done
	done
}

@test "a save with closed or full streams reports it and writes no other file" {
	[ -c /dev/full ] || skip "no /dev/full"
	local n=1
	echo first | co-memory-save
	echo hello >"$BATS_TEST_TMPDIR/in"
	check() {
		[ "$1" != ok ] || n=$((n + 1))
		[ "$(find .co-cli -name '*.md' | wc -l)" -eq $n ] || return
		[ "$1" != ok ] ||
			[ "$(tail -qn 1 $memories/*-hello*.md | sort -u)" = \
				hello ] || return
		[ -z "$(find .co-cli -name '.co-tmp*')" ] || return
		if [ "$1$2" = okok ]; then
			[ "$4" -eq 0 ]
		else
			[ "$4" -eq 4 ] && [ ! -s "$BATS_TEST_TMPDIR/out" ] &&
				{ [ "$3" != ok ] ||
					grep -q '^co-memory-save: cannot ' \
						"$BATS_TEST_TMPDIR/err"; }
		fi
	}
	each_streams co-memory-save
	[ "$(co-memory-next-id)" = $((n + 1)) ]
}

@test "a reader with closed or full streams answers or exits 4" {
	[ -c /dev/full ] || skip "no /dev/full"
	echo first | co-memory-save
	: >"$BATS_TEST_TMPDIR/in"
	check() {
		if [ "$2" = ok ]; then
			[ "$4" -eq 0 ] && [ "$(cat "$BATS_TEST_TMPDIR/out")" = 2 ]
		else
			[ "$4" -eq 4 ]
		fi
	}
	each_streams co-memory-next-id
	check() {
		if [ "$2" = ok ]; then
			[ "$4" -eq 0 ] &&
				[ "$(tail -n 1 "$BATS_TEST_TMPDIR/out")" = first ]
		else
			[ "$4" -eq 4 ]
		fi
	}
	each_streams co-memory-show 1
}

@test "a command with few descriptors works, or changes nothing and says why" {
	local n status
	echo first | co-memory-save
	for n in 3 4 5 6 7 8 9 10 12 16; do
		cp -r .co-cli before
		status=0
		echo "number $n" | bash -c "ulimit -n $n && exec co-memory-save" \
			>out 2>err || status=$?
		if [ $status -eq 0 ]; then
			[ "$(tail -n 1 "$(cat out)")" = "number $n" ]
		else
			diff -r -x .gitignore before .co-cli
			# The system reports that a program has too few to start. A loader that finds no
			# libraries reports it itself.
			if ! grep -q 'while loading shared libraries' err; then
				[ $status -eq 4 ]
				[ "$n" -lt 4 ] ||
					grep -q '^co-memory-save: cannot' err
			fi
		fi
		status=0
		bash -c "ulimit -n $n && exec co-memory-next-id" >out 2>err ||
			status=$?
		[ $status -ne 0 ] ||
			[ "$(cat out)" = "$(co-memory-next-id)" ]
		[ $status -eq 0 ] || [ ! -s out ]
		rm -r before
	done
	[ $status -eq 0 ]
}

@test "a save under any file size limit is complete or refused" {
	local limit status
	echo first | co-memory-save
	head -c 3000 /dev/zero | tr '\0' x >in
	for limit in 0 1 2 3 4; do
		status=0
		bash -c "ulimit -f $limit && exec co-memory-save <in" \
			>/dev/null 2>&1 || status=$?
		if [ $status -eq 0 ]; then
			[ "$limit" -ge 4 ]
		else
			[ $status -eq 4 ]
		fi
		[ -z "$(find .co-cli -name '.co-tmp*')" ]
	done
	[ $status -eq 0 ]
	[ "$(co-memory-next-id)" = 3 ]
}

@test "project files follow the umask, files of the user store are private" {
	local mask
	for mask in 000 022 077 027; do
		rm -rf .co-cli "$global"
		bash -c "umask $mask; echo hello | co-memory-save
			echo hello | co-memory-save --global" >/dev/null 2>&1
		[ "$(stat -c %a $memories)" = \
			"$(printf %o $((0777 & ~0$mask)))" ]
		[ "$(stat -c %a $memories/001-hello.md)" = \
			"$(printf %o $((0666 & ~0$mask)))" ]
		[ "$(stat -c %a "$global/knowledge/memories")" = 700 ]
		[ "$(stat -c %a "$global/knowledge/memories/001-hello.md")" = \
			600 ]
	done
}

@test "co waits for an output that is non-blocking" {
	command -v python3 >/dev/null || skip "python3 is missing"
	yes 'a line of text that is long enough to fill a pipe at once' |
		head -n 15000 >text
	co-memory-save <text >/dev/null 2>&1
	python3 - >got <<-'EOT'
		import os, subprocess, sys, time
		r, w = os.pipe()
		os.set_blocking(w, False)
		p = subprocess.Popen(["co-memory-show", "1"], stdout=w)
		os.close(w)
		time.sleep(0.2)
		while data := os.read(r, 65536):
		    sys.stdout.buffer.write(data)
		sys.exit(p.wait())
	EOT
	tail -n 15000 got | cmp - text
}
