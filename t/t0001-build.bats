load lib

programs() {
	for file in "$CO_SOURCE"/cmd/co*.c; do
		file=${file##*/}
		printf '%s\n' "${file%.c}"
	done
}

@test "every command of the source is built" {
	for name in $(programs); do
		[ -x "$CO_BIN/$name" ] || echo "$name is not built"
	done | diff -u /dev/null -
}

@test "programs run uninstalled, with no environment and closed descriptors" {
	for name in $(programs); do
		env -i "$CO_BIN/$name" -h >out 2>&1 || echo "$name: status $?"
		grep -q "^usage: $name" out || echo "$name: $(head -n 1 out)"
		env -i HOME= "$CO_BIN/$name" --spec <&- 2>&- |
			grep -q "^command	$name	" || echo "$name: --spec"
		env -i "$CO_BIN/$name" -h >&- 2>&- && echo "$name: closed stdout"
	done >wrong || :
	diff -u /dev/null wrong
}

@test "programs run through links and from any directory" {
	mkdir -p a/b
	ln -s "$CO_BIN" a/bin
	for name in $(programs); do
		ln -s "../bin/$name" "a/b/$name"
		(cd / && "$BATS_TEST_TMPDIR/project/a/b/$name" -h) >out 2>&1 ||
			echo "$name: status $?"
		grep -q "^usage: $name" out || echo "$name: $(head -n 1 out)"
	done >wrong
	diff -u /dev/null wrong
	run -0 env -i a/b/co help --spec
	[ "${lines[0]}" = "$(env -i "$CO_BIN/co-help" --spec | head -n 1)" ]
}

@test "a program runs from a directory whose name ends in a colon" {
	mkdir 'a:'
	ln -s "$CO_BIN/co-memory-show" 'a:/co-memory-show'
	run -1 "$PWD/a:/co-memory-show" 99
	[ "$output" = "co-memory-show: no memory '99'" ]
}

@test "a link of any name runs the command that it points to" {
	mkdir bin
	ln -s "$CO_BIN/co-version" one
	ln -s ../one bin/two
	for name in "$PWD/one" ./bin/two two; do
		PATH=$PWD/bin:$PATH run -0 "$name" -h
		[ "${lines[0]}" = 'usage: co-version [--json]' ]
	done
	run -0 bash -c 'exec -a co-version "$0" -h' "$CO_BIN/co-help"
}

@test "co-suite runs the command that its first argument names" {
	[ -x "$CO_BIN/co-suite" ] || skip 'each program is linked on its own'
	run -0 "$CO_BIN/co-suite" co-version -h
	[ "${lines[0]}" = 'usage: co-version [--json]' ]
	ln -s "$CO_BIN/co-suite" other
	run -2 ./other version
	expect <<-'END'
		usage: co-suite co-NAME [ARGUMENT...]
		hint: run 'co help' for the commands
	END
	# co-suite is not a command of co.
	run -0 co --spec
	[[ $output != *co-suite* ]]
	run -127 co suite
}

@test "no program queries the processor's features before main" {
	[ -e /usr/include/x86_64-linux-gnu/sys/platform/x86.h ] ||
		skip 'the C library has no answer of its own'
	! nm "$CO_BIN/co-suite" | grep __cpu_indicator_init
}

@test "-h and --spec create no files" {
	for name in $(programs); do
		"$CO_BIN/$name" -h >/dev/null
		"$CO_BIN/$name" --spec >/dev/null </dev/null
	done
	run -0 find "$HOME" . -mindepth 1
	expect </dev/null
}

# Copy the sources to a tree of their own, to build there.
copy_tree() {
	mkdir -p tree/cmd tree/t/unit tree/Documentation
	cp -R "$CO_SOURCE/lib" "$CO_SOURCE/Makefile" tree/
	cp "$CO_SOURCE"/cmd/{co.c,suite.*} tree/cmd/
	cp "$CO_SOURCE/Documentation/co.1.scd" tree/Documentation/
	cd tree
	forget_make
	unset CO_BIN
	make=(make -s -j2 "CFLAGS=-O0 -g")
}

@test "make rebuilds an object after a change of flags, and only then" {
	copy_tree
	"${make[@]}" build/lib/base/err.o
	touch -d 2001-01-01 build/lib/base/err.o
	touch -d 2000-01-01 lib/*/*.[ch] build/flags
	"${make[@]}" build/lib/base/err.o
	[ build/lib/base/err.o -ot lib/layers ]
	"${make[@]}" CPPFLAGS=-DOTHER build/lib/base/err.o
	[ build/lib/base/err.o -nt lib/layers ]
}

@test "a build prints nothing, progress on a terminal, or commands with V=1" {
	copy_tree
	objects=(build/lib/base/err.o build/lib/base/mem.o)
	run -0 make "CFLAGS=-O0 -g" "${objects[@]}"
	[ -z "$output" ]
	rm "${objects[@]}"
	run -0 make "CFLAGS=-O0 -g" MAKE_TERMOUT=/dev/tty "${objects[@]}"
	[ "$output" = $'\e[KCC    lib/base/err.o\r\e[KCC    lib/base/mem.o\r' ]
	rm "${objects[@]}"
	run -0 make "CFLAGS=-O0 -g" V=1 "${objects[@]}"
	[ "$(grep -c -- '-c -o build/lib/base/...\.o ' <<<"$output")" = 2 ]
	[[ $output != *$'CC  '* ]]
	rm "${objects[@]}"
	run -0 make -s -j2 "CFLAGS=-O0 -g" "${objects[@]}"
	[ -z "$output" ]
}

@test "make in a pipe prints how many files it has built" {
	# A tree of 20 source files.
	mkdir -p tree/{lib/one,cmd,contrib/prompts}
	cd tree
	cp "$CO_SOURCE/Makefile" .
	for i in {1..10}; do
		echo "int v$i;" >"lib/one/v$i.c"
		echo "prompt $i" >"contrib/prompts/$i.md"
	done
	forget_make
	make=(make CFLAGS=-O0 APART= TOGETHER= PROGRAMS=build/libco.a MANUALS=)
	run -0 "${make[@]}"
	expect <<-END
		building at most 21 files
		$(printf 'built %d of 21\n' 2 4 6 8 10 12 14 16 18)
		built all
	END
	# If there is nothing to build, make prints no progress.
	run -0 "${make[@]}"
	[[ $output != *buil* ]]
	rm build/lib/one/v1.o
	run -0 "${make[@]}"
	expect <<<$'building at most 21 files\nbuilt 2 of 21\nbuilt all'
	for flag in -s V=1 MAKE_TERMOUT=/dev/tty; do
		rm build/lib/one/v1.o
		run -0 "${make[@]}" "$flag"
		[[ $output != *built* ]]
	done
	rm build/lib/one/v1.o
	run -0 "${make[@]}" -n
	[[ $output != *built* ]]
}

@test "a sanitizer build uses its own directory" {
	copy_tree
	"${make[@]}" SAN=1 build/san/lib/base/err.o
	[ ! -e build/lib/base/err.o ]
	run -0 nm build/san/lib/base/err.o
	[[ $output == *__asan_* ]]
}

# bats test_tags=slow
@test "builds in two directories are byte-identical, on any date" {
	mkdir -p a/lib/base a/cmd a/Documentation "another folder"
	cp "$CO_SOURCE"/lib/base/{base.h,compat.[ch],err.[ch],{arena,mem}.[ch],buf.[ch]} a/lib/base/
	cp "$CO_SOURCE/Makefile" a/
	cp "$CO_SOURCE"/cmd/suite.{c,ld} a/cmd/
	cp "$CO_SOURCE/Documentation/co.1.scd" a/Documentation/
	echo '#include "base/buf.h"
		int main(void) { return puts(__FILE__) < 0; }' >a/cmd/co-tiny.c
	cp -R a "another folder/b"
	forget_make
	for folder in a "another folder/b"; do
		make -s -C "$folder" build/bin/co-tiny build/share/man/man1/co.1 \
			SOURCE_DATE_EPOCH=$((${#folder} * 86400)) || return
		(cd "$folder/build" && find . -type f ! -name '*.d' |
			LC_ALL=C sort | xargs sha256sum) >"${#folder}"
	done
	diff -u 1 16
	[ "$(a/build/bin/co-tiny)" = cmd/co-tiny.c ]
	[ -L a/build/bin/co-tiny ]
	make -s -C a SINGLE=1 build/single/bin/co-tiny
	[ "$(a/build/single/bin/co-tiny)" = cmd/co-tiny.c ]
	[ ! -L a/build/single/bin/co-tiny ]
	run ! grep -rqF "$PWD" a/build/bin a/build/libco.a
}

@test "the build uses only hardening flags that the compiler accepts" {
	copy_tree
	cat >picky <<-'END'
		#!/bin/sh
		for arg; do
			case $arg in -fcf-*|-ffile-*) exit 1 ;; esac
		done
	END
	chmod +x picky
	run -0 make -n CC=./picky STATIC= build/lib/base/err.o
	[[ $output == *' -fstack-protector-strong -fstack-clash-protection '* ]]
	[[ $output == *' -D_FORTIFY_SOURCE=3 '* ]]
	[[ $output != *' -fcf-protection'* && $output != *-prefix-map* ]]
}
