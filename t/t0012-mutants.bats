#!/usr/bin/env bats
# t/mutants: the changes that it makes, and a run on a small tree.
load lib

setup() {
	world
	mutants=$CO_SOURCE/t/mutants.pl
	mkdir -p lib/toy
	cat >lib/toy/toy.c <<-'END'
		/* toy.c: if (a == b && !c) x = 1; */
		#include "toy.h"
		#define SAME(a, b) ((a) == (b))
		static const bool table[] = {true, false, 1 < 2};
		static bool is_odd = false;

		int toy(int n, const char *p)
		{
		    static const int steps[] = {
		        1 + 1, 2 - 1,
		    };
		    int sum = 0, i;

		    assert(n > 0 &&
		           p != NULL);
		    for (i = 0; i < n; i++)
		        sum += steps[is_odd]; /* a - 1 */
		    if (p[i - 1] == '!' || !p[sum + 1])
		        is_odd = true;
		    mem_free(p);
		    say("n != 1");
		    p->next = p << 1;
		    return sum >= n;
		}
	END
}

# drawn SEED: print the changes by line: LINE OLD -> NEW.
drawn() {
	"$mutants" draw "$1" | LC_ALL=C sort -t $'\t' -k 2,2n -k 3,3n |
		awk -F '\t' '{ print $2, $4, "->", $5 }'
}

@test "mutants draw makes each kind of change, and only in code" {
	run -0 drawn 1
	expect <<-'END'
		16 < -> <=
		17 sum += steps[is_odd]; -> ;
		18 - 1 -> - 0
		18 == -> !=
		18 || -> &&
		18 ! -> 
		18 + 1 -> + 0
		19 is_odd = true; -> ;
		19 true -> false
		21 say("n != 1"); -> ;
		22 p->next = p << 1; -> ;
		23 >= -> >
	END
}

@test "a seed determines the order of changes, whatever other files exist" {
	"$mutants" draw 1 >one
	"$mutants" draw 2 >two
	run ! cmp -s one two
	cmp <(sort one) <(sort two)
	mkdir lib/more
	printf 'int more(int n)\n{\n\treturn n + 1;\n}\n' >lib/more/more.c
	"$mutants" draw 1 | grep -v /more/ | cmp - one
}

@test "mutants apply makes a change at its place or fails" {
	cp lib/toy/toy.c was.c
	"$mutants" apply lib/toy/toy.c 18 17 == !=
	run -1 diff was.c lib/toy/toy.c
	expect <<-'END'
		18c18
		<     if (p[i - 1] == '!' || !p[sum + 1])
		---
		>     if (p[i - 1] != '!' || !p[sum + 1])
	END
	run ! "$mutants" apply lib/toy/toy.c 18 17 == !=
	[[ $output == "lib/toy/toy.c:18: this is not =="* ]]
}

@test "mutants choose picks the tests that reach a line, cheapest first" {
	mkdir t reach places
	: >t/t1-toy.bats
	echo '7 17 18' >places/co-suite
	printf '%s\n' $'0\tok\t0\tsetup_file' $'1\tok\t9\tone' \
		$'2\tok\t8\ttwo (2)' $'3\tnot\t7\tthree' $'4\tok\t6\tfour' \
		>reach/t%t1-toy.bats.tests
	# Each test has a row of 32 bits, one bit per line.
	perl -e 'vec($rows, $_ * 32 + 17, 1) = 1 for 2 .. 4;
		print $rows' >reach/t%t1-toy.bats.lines
	run -0 "$mutants" choose reach lib/toy/toy.c 17
	expect <<<$'t/t1-toy.bats\t14\t^(four|two .2.)$'
	# Line 18 is after the nearest code that a test reaches.
	run -0 "$mutants" choose reach lib/toy/toy.c 18
	expect <<<$'t/t1-toy.bats\t14\t^(four|two .2.)$'
	run -0 "$mutants" choose reach lib/toy/toy.c 16
	expect </dev/null
}

# A tree with one program. No test checks its second function.
toy_tree() {
	rm -r lib
	mkdir -p tree/{lib/toy,cmd,contrib,Documentation,t/unit/toy}
	cd tree
	cp "$CO_SOURCE"/t/mutants{,.pl,.c} t/
	cat >lib/toy/toy.c <<-'END'
		int is_less(int a, int b)
		{
		    return a < b;
		}
		int is_small(int a)
		{
		    return a < 7;
		}
		int is_odd(int a)
		{
		    return a % 2 == 1;
		}
	END
	cat >cmd/co-toy.c <<-'END'
		int is_less(int, int);
		int is_small(int);
		int main(int argc, char **argv)
		{
		    (void)argv;
		    return is_less(2, argc) + is_small(1);
		}
	END
	: >lib/toy/toy.h
	cat >t/unit/toy/toy.c <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		int is_odd(int);
		int main(void)
		{
		    int ok = is_odd(3) && getenv("CO_SOURCE");
		    printf("1..1\n%sok 1 - three\n", ok ? "" : "not ");
		    return !ok;
		}
	END
	sed 's/^a test/@test/' >t/t1-toy.bats <<-'END'
		a test "two are no less than two" {
		    "$CO_BIN/co-suite" x || [ $? = 1 ]
		    ! "$CO_BIN/co-suite" x x
		}
	END
	# This test fails on its second run, as on a busy machine.
	sed 's/^a test/@test/' >t/t2-busy.bats <<-END
		a test "a machine is busy once" {
		    echo >>"$PWD/../busy"
		    "\$CO_BIN/co-suite" x || :
		    [ "\$(grep -c '' <"$PWD/../busy")" -ne 2 ]
		}
	END
	cat >Makefile <<-'END'
		all: build/bin/co-suite
		build/bin/co-suite: build/cmd/co-toy.o build/lib/toy/toy.o; mkdir -p $(@D); $(CC) $(LDFLAGS) -o $@ $^
		units: build/t/unit/toy/toy
		build/t/%: build/t/%.o build/lib/toy/toy.o; $(CC) $(LDFLAGS) -o $@ $^
		build/%.o: %.c; mkdir -p $(@D); $(CC) $(CFLAGS) -c -o $@ $<
	END
	forget_make
}

# bats test_tags=slow
@test "mutants reports which changes are caught and restores the tree" {
	command -v objdump >/dev/null || skip "objdump is not there"
	toy_tree
	cp -R . ../before
	run -0 t/mutants make 3 7
	[ "${lines[0]}" = 't/mutants: SEED=7' ]
	printf '%s\n' "${lines[@]:1:3}" | LC_ALL=C sort | diff -u - <(cat <<-'END'
		lib/toy/toy.c:11	== -> !=	caught by t/unit/toy/toy
		lib/toy/toy.c:3	< -> <=	caught by t/t1-toy.bats
		lib/toy/toy.c:7	< -> <=	SURVIVED (2 of 2 files)
	END
	)
	printf '%s\n' "${lines[@]:4}" | diff -u - <(cat <<-'END'
		--- lib/toy/toy.c
		+++ lib/toy/toy.c
		@@ -5,5 +5,5 @@
		 int is_small(int a)
		 {
		-    return a < 7;
		+    return a <= 7;
		 }
		 int is_odd(int a)
		2 of 3 caught, 66 %
	END
	)
	rm -r build
	diff -r ../before .
}
