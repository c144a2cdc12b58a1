#!/usr/bin/env perl
# t/mutants.pl COMMAND: the parts of t/mutants that parse C and compute.
#
#   draw SEED           print every change of lib/*/*.c, in an order chosen by SEED:
#                       FILE, LINE, COLUMN, OLD and NEW, separated by tabs
#   apply FILE LINE COLUMN OLD NEW
#                       make that change in FILE
#   places PROGRAM      print the mark of each place of a program (mutants.c) and the
#                       lines of lib that it covers
#   collect TAP CPU MARKS PLACES OUT
#                       read the output of a test file (TAP) and the marks that its
#                       tests left in the directory MARKS; write OUT.tests,
#                       OUT.programs and OUT.lines, a bit for each line of lib and
#                       each test. CPU is "USER SYSTEM", the seconds of the file.
#                       Each test gets a share by the time that bats reports
#   choose REACH FILE LINE
#                       print the test files that reach this line, the best first:
#                       NAME, MILLISECONDS, and a pattern of its tests
#
# Every command runs in the root of a tree.
use strict;
use warnings;
use Digest::MD5 'md5_hex';

sub read_file {
	my ($path) = @_;
	open my $in, '<:raw', $path or die "$path: $!\n";
	local $/;
	return scalar(<$in>) // '';
}

sub write_file {
	my ($path, $content) = @_;
	open my $out, '>:raw', $path or die "$path: $!\n";
	print $out $content;
	close $out or die "$path: $!\n";
}

# Return TEXT with every byte replaced by a blank, except newlines.
sub blank {
	my ($text) = @_;
	$text =~ s/[^\n]/ /g;
	return $text;
}

# Return the C code of TEXT with blanks for parts that are not changed: comments, strings,
# preprocessor lines, asserts, and initialisers of static data. Every other byte keeps its
# offset.
sub mask {
	my ($c) = @_;
	my ($depth, $from) = (0, undef);

	$c =~ s{(/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')}
	       {blank($1)}gse;
	$c =~ s{^([ \t]*\#(?:[^\n]*\\\n)*[^\n]*)}{blank($1)}gme;
	$c =~ s{\b((?:static_|_Static_)?assert\s*(\((?:[^()]++|(?2))*\)))}
	       {blank($1)}ge;
	$c =~ s{^([ \t]+static\b[^;=]*=)([^;]*;)}{$1 . blank($2)}gme;
	# Skip code outside functions, from "=" to ";".
	while ($c =~ /([{}=;])/g) {
		my $at = pos($c) - 1;

		$depth++ if $1 eq '{';
		$depth-- if $1 eq '}';
		$from //= $at if $1 eq '=' && !$depth;
		next if $depth || $1 ne ';' || !defined $from;
		substr($c, $from, $at - $from,
			blank(substr($c, $from, $at - $from)));
		pos($c) = $at + 1;
		$from = undef;
	}
	return $c;
}

my %turned = ('==' => '!=', '!=' => '==', '<' => '<=', '<=' => '<',
	'>' => '>=', '>=' => '>', '&&' => '||', '||' => '&&', '!' => '',
	'true' => 'false', 'false' => 'true', '+ 1' => '+ 0', '- 1' => '- 0');

# Return the possible changes [LINE, COLUMN, OLD, NEW] of the C code of TEXT. Lines count from
# 1, columns from 0.
sub changes {
	my ($text) = @_;
	my @real = split /\n/, $text, -1;
	my @lines = split /\n/, mask($text), -1;
	my $before = ';'; # the last byte of the code before this line
	my @all;

	for my $n (0 .. $#lines) {
		my $line = $lines[$n];

		while ($line =~ /(==|!=|&&|\|\||
				(?<![<>-])[<>]=?(?![<>=])|
				!(?!=)|\b(?:true|false)\b|
				[+-][ ]1\b(?![.]))/gx) {
			my ($old, $at) = ($1, $-[1]);

			next if $line =~ /^\S/;
			# Only a sanitizer sees an allocation that is a byte too small.
			next if $old =~ /1/ && $line =~ /alloc/;
			push @all, [$n + 1, $at, $old, $turned{$old}];
		}
		# Remove a statement on its own line, unless it releases something, whose absence no
		# test can see.
		if ($before =~ /[;{}):]/ && $line =~ /^(\s+)(
				\*{0,2}[A-Za-z_]\w*
				(?:->\w+|\.\w+|\[[^]]*\])*
				(?:\s*(?:[-+*\/|&^%]|<<|>>)?=\s.*|\+\+|--)|
				(?:\(void\))?[a-z_]\w*\(.*\));\s*$/x &&
				$2 !~ /;/ && $2 !~ /^(?:if|for|while|switch)\b/ &&
				$2 !~ /^(?:\(void\))?\w*
					(?:free|release|close|unlock|munmap|va_end)/x) {
			my ($indent, $statement) = ($1, substr $real[$n], $-[2]);

			$statement =~ s/;\K.*//;
			push @all, [$n + 1, length $indent, $statement, ';']
				if $statement !~ /\t/;
		}
		$before = substr $1, -1 if $line =~ /^(.*\S)/;
		$before = ';' if $line =~ /\b(?:else|do)\s*$/;
	}
	return @all;
}

sub draw {
	my ($seed) = @_;
	my @all;

	for my $file (glob 'lib/*/*.c') {
		push @all, map { my $c = join "\t", $file, @$_;
			[md5_hex("$seed\t$c"), $c] } changes(read_file($file));
	}
	print "$_->[1]\n" for sort { $a->[0] cmp $b->[0] } @all;
}

sub apply {
	my ($file, $line, $column, $old, $new) = @_;
	my @lines = split /^/, read_file($file);

	substr($lines[$line - 1], $column, length $old) eq $old or
		die "$file:$line: this is not $old\n";
	substr($lines[$line - 1], $column, length $old) = $new;
	write_file($file, join '', @lines);
}

# Number the lines of lib. Return the first number of each file, and the count.
sub number_lines {
	my (%first, $count);

	$count = 0;
	for my $file (glob 'lib/*/*.c') {
		$first{$file} = $count;
		$count += 1 + read_file($file) =~ tr/\n//;
	}
	return (\%first, $count);
}

sub places {
	my ($program) = @_;
	my ($first) = number_lines();
	my ($mark, $call, $line, %lines);
	my $flush = sub {
		print join(' ', $mark, sort { $a <=> $b } keys %lines), "\n"
			if defined $mark && %lines;
	};

	open my $in, '-|', 'objdump', '-dl', '--no-show-raw-insn', $program
		or die "objdump: $!\n";
	while (<$in>) {
		if (/^ *([0-9a-f]+):\t(.*)/) {
			# Code before the first call belongs to the call.
			if ($call) {
				if (defined $mark) {
					$flush->();
					%lines = ();
				}
				$mark = hex($1) >> 2;
				$call = 0;
			}
			$lines{$line} = 1 if defined $line;
			$call = $2 =~ /__sanitizer_cov_trace_pc>/;
		} elsif (m{(?:^|/)(lib/[^/:]+/[^/:]+\.c):(\d+)}) {
			$line = exists $first->{$1} ? $first->{$1} + $2 : undef;
		} elsif (/^\S.*:\d+/) {
			$line = undef;
		} elsif (/^[0-9a-f]+ <.*>:$/) {
			$flush->();
			($mark, $line, %lines) = ();
		}
	}
	$flush->();
}

sub collect {
	my ($tap, $cpu, $marks, $places, $out) = @_;
	my (undef, $count) = number_lines();
	my (@tests, @lines, %programs, %known);
	my ($user, $system) = split ' ', $cpu;
	my $took = 0;

	$tests[0] = [0, 'ok', 0, 'setup_file'];
	for (split /\n/, read_file($tap)) {
		/^(not )?ok (\d+) (.*)/ or next;
		my ($bad, $n, $name) = ($1, $2, $3);
		my $skip = $name =~ s/ # skip.*//;
		my $ms = $name =~ s/ in (\d+)ms$// ? $1 : 0;

		$took += $ms;
		$tests[$n] = [$n, $bad ? 'not' : $skip ? 'skip' : 'ok', $ms,
			$name];
	}
	# A program counts as one test with the number 0.
	@tests = [0, scalar(grep { $_ && $_->[1] eq 'not' } @tests[1 .. $#tests])
		? 'not' : 'ok', $took = 1, 'all'] if $tap !~ /\.bats$/;
	for my $test (grep { ref } @tests) {
		$test->[2] = int($test->[2] * 1000 * ($user + $system) /
			($took || 1));
		$test = join "\t", @$test;
	}
	$lines[$_] = "\0" x ($count / 8 + 1) for 0 .. $#tests;
	for my $path (glob "$marks/*") {
		my ($n, $program) = $path =~ m{/(\d+)%[^/]*%(build%[^/]*)$}
			or next;
		my $key = "$places/$program";

		$n <= $#tests && -e $key or next;
		$programs{$program} = 1;
		$known{$program} //= { map { my ($m, @l) = split ' ';
			($m, \@l) } split /\n/, read_file($key) };
		my $set = read_file($path);
		while ($set =~ /[^\0]/g) {
			my $at = $known{$program}{$-[0]} or next;
			vec($lines[$n], $_, 1) = 1 for @$at;
		}
	}
	write_file("$out.lines", join '', @lines);
	write_file("$out.programs", join '', map { tr/%/\//r . "\n" }
		sort keys %programs);
	write_file("$out.tests", join '', map { ($_ // '') . "\n" } @tests);
}

# Set in $$code a bit for each line of lib that has code in some program.
sub find_code {
	my ($places, $code) = @_;

	for my $path (glob "$places/*") {
		for (split /\n/, read_file($path)) {
			my (undef, @l) = split ' ';
			vec($$code, $_, 1) = 1 for @l;
		}
	}
}

sub choose {
	my ($reach, $file, $line) = @_;
	my ($first, $count) = number_lines();
	my $bytes = int($count / 8 + 1);
	my $at = $first->{$file} + $line;
	my $before = $at;
	my (@files, $code, $most);

	# A line may have no code of its own, or the compiler may have moved it. The tests that
	# reach the nearest code before it count, too.
	if (-e "$reach/code") {
		$code = read_file("$reach/code");
	} else {
		$code = "\0" x $bytes;
		find_code("$reach/../places", \$code);
		write_file("$reach/code.$$", $code);
		rename "$reach/code.$$", "$reach/code" or die "$reach: $!\n";
	}
	for (1 .. 12) {
		$before--;
		last if $before > 0 && vec($code, $before, 1);
	}
	my $reaches = sub {
		my ($lines, $row) = @_;
		return vec($lines, $row + $at, 1) ||
			($before > 0 && vec($lines, $row + $before, 1));
	};
	# Prefer a test that reaches much of the code near the line.
	my $from = int(($at - 40) / 8);
	$from = 0 if $from < 0;
	$most = 1;
	for my $path (glob "$reach/*.tests") {
		my ($name) = $path =~ m{([^/]*)\.tests$};
		my $file = $name =~ tr/%/\//r;
		-e $file || -e "$file.c" or next;
		my @tests = split /\n/, read_file($path);
		my $lines = read_file("$reach/$name.lines");
		my $always = $reaches->($lines, 0);
		my ($ms, $near, @chosen) = (0, 0);

		shift @tests if @tests > 1; # of setup_file
		for my $test (map { [split /\t/] } @tests) {
			@$test && $test->[1] eq 'ok' or next;
			my $n = $test->[0];
			$always || $reaches->($lines, $n * $bytes * 8) or next;
			my $reached = unpack '%32b*',
				substr $lines, $n * $bytes + $from, 10;
			$near = $reached if $near < $reached;
			push @chosen, $test;
		}
		@chosen or next;
		$most = $near if $most < $near;
		# Choose the cheapest tests, up to 10 s in total.
		my @names;
		for my $test (sort { $a->[2] <=> $b->[2] } @chosen) {
			last if @names && $ms + $test->[2] > 10000;
			$ms += $test->[2];
			push @names, $test->[3] =~ s/[^A-Za-z0-9 ]/./gr;
		}
		push @files, [$file, $ms, '^(' . join('|', @names) . ')$', $near];
	}
	printf "%s\t%d\t%s\n", @$_[0 .. 2] for sort {
		$b->[3] / $most / ($b->[1] + 500) <=> $a->[3] / $most / ($a->[1] + 500)
			|| $a->[0] cmp $b->[0] } @files;
}

my %commands = (draw => \&draw, apply => \&apply, places => \&places,
	collect => \&collect, choose => \&choose);
my $command = $commands{shift @ARGV // ''} or die "usage: t/mutants.pl COMMAND\n";
$command->(@ARGV);
