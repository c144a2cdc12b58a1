load lib

# Every program describes itself once: its --spec and its manual must agree. setup_file
# reads each program and page once; the tests compare them.

setup_file() {
	local file name
	cd "$BATS_FILE_TMPDIR"
	mkdir spec
	for file in "$CO_SOURCE"/cmd/co*.c; do
		name=${file##*/} name=${name%.c}
		"$CO_BIN/$name" --spec >"spec/$name" </dev/null || :
	done
	# The spec of co also lists its commands. Each of these has its own file.
	sed '2,$ { /^command/d; }' spec/co >co
	mv co spec/
	awk '
		FNR == 1 {
			name = FILENAME
			gsub(/.*\/|\.1\.scd$/, "", name)
			heading = ""
		}
		/^# / { heading = substr($0, 3); next }
		heading && NF { print name "\t" heading "\t" $0 }
	' "$CO_SOURCE"/Documentation/*.1.scd >sections
}

setup() {
	world
	for file in "$CO_SOURCE"/cmd/co*.c; do
		name=${file##*/} programs+=("${name%.c}")
	done
}

# specs PROGRAM: run the awk PROGRAM over the output of every --spec. FILENAME is the
# program's name.
specs() {
	(cd "$BATS_FILE_TMPDIR/spec" && awk -F '\t' "$1" "${programs[@]}")
}

# section HEADING: print the lines of that section of every page, each after the
# program's name and a tab.
section() {
	awk -F '\t' -v heading="$1" '$2 == heading {
		sub(/\t[^\t]*/, ""); print }' "$BATS_FILE_TMPDIR/sections"
}

# Remove scdoc's markup.
plain() {
	sed 's/\\_/\x01/g; s/\\\*/\x02/g; s/[*_]//g; s/++$//; s/\\\(.\)/\1/g' |
		tr '\001\002' '_*'
}

@test "-h prints the usage of every program" {
	mkdir help
	for name in "${programs[@]}"; do
		"$CO_BIN/$name" -h </dev/null >help/$name 2>errors ||
			echo "$name: -h fails"
		[ ! -s errors ] || echo "$name: -h writes to stderr"
		line=
		read -r line <help/$name || :
		[[ $line == "usage: $name"* ]] || echo "$name: -h shows no usage"
		"$CO_BIN/$name" -h x --no-such-option >/dev/null 2>&1 ||
			echo "$name: -h looks at what follows"
	done >wrong
	awk 'length > 80 { print FILENAME ": -h is wide: " $0 }
		/ $/ && !/^usage/ {
			print FILENAME ": -h ends in a blank: " $0
		}' help/* >>wrong
	diff -u /dev/null wrong
}

@test "--help opens the manual that is installed with the program" {
	mkdir path
	printf '#!/bin/sh\necho "man $*"\n' >path/man
	chmod +x path/man
	PATH=$PWD/path:$PATH
	for name in "${programs[@]}"; do
		"$CO_BIN/$name" --help >out </dev/null || echo "$name: --help fails"
		line=
		read -r line <out || :
		file=${line#man }
		[[ $line == 'man '* && -s $file && $file == */man1/$name.1 ]] ||
			echo "$name: --help opens $line"
	done >wrong
	diff -u /dev/null wrong
}

@test "--spec is well formed" {
	specs '
		BEGIN {
			n["command"] = 4; n["synopsis"] = 2; n["operands"] = 2
			n["input"] = 2; n["option"] = 7
			takes["string"] = takes["list"] = takes["count"] = 1
			takes["word"] = 1; takes["flag"] = 0
		}
		function wrong(text) { print FILENAME ": " text }
		NF != n[$1] { wrong("--spec has an odd line: " $0) }
		FNR == 1 && ($1 != "command" || $2 != FILENAME) {
			wrong("--spec does not begin with its name")
		}
		$1 == "command" {
			kind = FILENAME ~ /-.*-|^co-(embed|fetch|hook|llm|mcp)$/ ? \
				"plumbing" : "porcelain"
			if ($3 != kind) wrong("--spec says it is " $3)
			if ($4 !~ /^[a-z]/ || $4 ~ /\.$/ || length($4) > 70)
				wrong("summary: " $4)
		}
		$1 == "synopsis" { lines[FILENAME]++ }
		$1 == "option" {
			if ($2 == "" && $3 == "") wrong("option without a name")
			if (($2 != "" && seen[FILENAME, "-" $2]++) ||
			    ($3 != "" && seen[FILENAME, $3]++))
				wrong("option twice: " $0)
			if (!($4 in takes)) wrong("option of no kind: " $0)
			if (takes[$4] != ($5 != "")) wrong("argument: " $0)
			if (($4 == "word") != ($6 != "")) wrong("words: " $0)
			if ($7 !~ /^([a-z0-9]|[A-Z]+ )/ || $7 ~ /\.$/)
				wrong("help: " $7)
			if (length($7) > 60 || $7 ~ /(^|[ ,:])what[ ,]/)
				wrong("help: " $7)
			if ($2 ~ /h/ || $3 == "help" || $3 == "spec")
				wrong("reserved: " $0)
		}
		END {
			for (i = 1; i < ARGC; i++)
				if (!lines[ARGV[i]])
					print ARGV[i] ": --spec has no synopsis"
		}' >wrong
	diff -u /dev/null wrong
}

@test "every program has a manual with the usual sections" {
	for name in "${programs[@]}"; do
		[ -e "$CO_SOURCE/Documentation/$name.1.scd" ] || echo "$name"
	done >wrong
	awk '
		BEGIN {
			n = split("NAME,SYNOPSIS,DESCRIPTION,OPTIONS,OUTPUT," \
				"EXIT STATUS,EXAMPLES,SEE ALSO", want, ",")
			for (i = 1; i < ARGC; i++)
				at[ARGV[i]] = 1
		}
		FNR == 1 {
			title = FILENAME
			gsub(/.*\/|\.1\.scd$/, "", title)
			if ($0 != title "(1)") print FILENAME ": another title: " $0
		}
		/^# / && substr($0, 3) == want[at[FILENAME]] { at[FILENAME]++ }
		END {
			for (page in at)
				if (at[page] <= n)
					print page " lacks " want[at[page]]
		}' "$CO_SOURCE"/Documentation/*.1.scd >>wrong
	diff -u /dev/null wrong
}

@test "every manual of section 1 has a program" {
	for file in "$CO_SOURCE"/Documentation/*.1.scd; do
		name=${file##*/}
		[ -e "$CO_SOURCE/cmd/${name%.1.scd}.c" ] || echo "$name"
	done | diff -u /dev/null -
}

@test "NAME in a manual matches --spec" {
	diff -u <(specs 'FNR == 1 { print FILENAME "\t" $2 " - " $4 }') \
		<(section NAME | plain)
}

@test "SYNOPSIS in a manual matches --spec" {
	diff -u <(specs '$1 == "synopsis" {
			line = FILENAME "\t" FILENAME " " $2
			sub(/ $/, "", line)
			print line
		}') <(section SYNOPSIS | plain)
}

@test "OPTIONS in a manual describes the options of --spec, in its order" {
	diff -u <(specs '$1 == "option" {
			name = $2 ? "-" $2 : ""
			if ($3) name = name (name ? ", " : "") "--" $3
			print FILENAME "\t" name ($5 ? ($3 ? "=" : " ") $5 : "")
		}') <(section OPTIONS | grep $'^[^\t]*\t\\*-' | plain)
	section OPTIONS | awk '
		option && !/^[^\t]*\t\t./ { print "undescribed: " option }
		{ option = /^[^\t]*\t\*-/ ? $0 : "" }
		END { if (option) print "undescribed: " option }' >wrong
	diff -u /dev/null wrong
}

@test "EXIT STATUS of each manual lists only known statuses" {
	section 'EXIT STATUS' | plain | awk -F '\t' -v programs="${programs[*]}" '
		{ named[$1] }
		$2 ~ /^[0-9]+$/ && $2 !~ /^([0-6]|127)$/ && NF == 2
		END {
			n = split(programs, name, " ")
			for (i = 1; i <= n; i++)
				if (!(name[i] in named))
					print name[i] " has no exit status"
		}' >wrong
	diff -u /dev/null wrong
}

@test "the error for a mistyped option or operand suggests the right one" {
	while IFS='|' read -r command said; do
		run -2 --separate-stderr $command
		[ "${stderr_lines[0]}" = "$said" ] || echo "$stderr"
	done <<-'END' | diff /dev/null -
		co-recall --tagg=x y|co-recall: unknown option '--tagg': did you mean '--tag'?
		co-learn --replace=3 x|co-learn: unknown option '--replace': did you mean '--replaces'?
		co-learn -g x|co-learn: unknown option '-g': did you mean '--global'?
		co-learn -m x|co-learn: unknown option '-m': did you mean 'co learn TEXT'?
		co-harvest --history|co-harvest: unknown option '--history': did you mean 'co harvest --from=git'?
		co-review accept 5|co-review: unexpected operand 'accept': did you mean 'co review --accept 5'?
		co-review --accept --all|co-review: unknown option '--all': did you mean 'co review'?
		co-review reject|co-review: unexpected operand 'reject': did you mean 'co review --reject'?
		co-list --xylophone|co-list: unknown option '--xylophone'
		co-list -x|co-list: unknown option '-x'
		co-review --reject accept this|co-review: no draft has 'accept this'
	END
	# After --, the same words are text or a path.
	run -0 co-learn -- -m is an option of git
	run ! co-harvest -- --history
	[[ $output != *'did you mean'* ]]
}

@test "a line of help has at most 60 characters" {
	specs '($1 == "command" || $1 == "option") && length($NF) > 60 {
		print FILENAME ": " $NF
	}' >long
	diff /dev/null long
}

@test "sentences of manuals are short: median 15 words, 5 % over 30" {
	# Without examples, synopses, tables and headings; an item of a list is a sentence.
	perl -0777 -ne '
		s/^```.*?^```//msg;
		for my $p (split /\n\s*\n/) {
			next if $p =~ /^\s*[#|\[]/ || $p =~ /\+\+$/m;
			$p =~ s/^\s*- /. /mg;
			for my $sentence (split /(?<=[.:;?!])\s+/, $p) {
				my @words = split " ", $sentence;
				push @n, scalar @words if @words > 2;
			}
		}
		END {
			@n = sort { $a <=> $b } @n;
			my $long = grep { $_ > 30 } @n;
			print "median $n[@n / 2]\n" if $n[@n / 2] > 15;
			print "$long of " . @n . " over 30\n" if $long * 20 > @n;
			print "too few sentences\n" if @n < 1000;
		}' "$CO_SOURCE"/Documentation/*.scd >wrong
	diff /dev/null wrong
}

@test "a hint fits in 80 columns" {
	# Of each call, a ? or : between literals begins another hint. A conversion counts as
	# it is written.
	perl -0777 -ne '
		while (/\bcli_hint\s*\(((?:"(?:[^"\\]|\\.)*"|[^";])*);/g) {
			(my $call = $1) =~ s/"\s*"//g;
			while ($call =~ /"((?:[^"\\]|\\.)*)"/g) {
				print "$ARGV: $1\n" if length("hint: $1") > 80;
			}
		}' "$CO_SOURCE"/cmd/*.c "$CO_SOURCE"/lib/*/*.c >wide
	diff /dev/null wide
}

@test "an unknown option fails with exit status 2" {
	for name in "${programs[@]}"; do
		status=0 line=
		"$CO_BIN/$name" --no-such-option </dev/null >out 2>errors || status=$?
		read -r line <errors || :
		[[ $status == 2 && ! -s out &&
			$line == "$name: unknown option '--no-such-option'"* ]] ||
			echo "$name takes an unknown option: status $status"
	done >wrong
	diff -u /dev/null wrong
}

@test "mandoc accepts every page" {
	command -v mandoc >/dev/null || skip 'mandoc is not there'
	pages=("$CO_BIN"/../share/man/man[0-9]/*.[0-9])
	{
		mandoc -T lint -W error "${pages[@]}" || echo 'mandoc -T lint fails'
		# Hyphens are escaped, so that a copied option works.
		awk '!/^(\.|\\h)/ && /(^|[^\\])-/ { print FILENAME ": " $0 }' \
			"${pages[@]}"
		# Only examples may be wider than a terminal.
		mandoc -T ascii -O width=80 "${pages[@]}" | sed 's/.\x08//g' |
			awk 'length > 80 && !/^           /'
	} >wrong 2>&1
	diff -u /dev/null wrong
}

@test "groff formats every page without a warning" {
	command -v groff >/dev/null || skip 'groff is not there'
	# Format each page separately, as man does, so that no table crosses the end of a
	# sheet.
	for page in "$CO_BIN"/../share/man/man[0-9]/*.[0-9]; do
		LC_ALL=C.UTF-8 groff -K utf8 -t -man -T utf8 -rLL=80n -ww \
			"$page" >/dev/null
	done 2>wrong
	diff -u /dev/null wrong
}

# bats test_tags=slow
@test "man shows every page without a warning" {
	command -v man >/dev/null || skip 'man is not there'
	for file in "$CO_BIN"/../share/man/man[0-9]/*.[0-9]; do
		LC_ALL=C.UTF-8 MANWIDTH=80 man "$(realpath "$file")" >/dev/null
	done 2>wrong
	diff -u /dev/null wrong
}

@test "every co page that a manual names exists" {
	cd "$CO_SOURCE/Documentation"
	grep -ohE '\*?co[a-z-]*\*?\([0-9]\)' -- *.scd | tr -d '*' | sort -u |
		while IFS='()' read -r name number; do
			[ -e "$name.$number.scd" ] || echo "$name($number)"
		done >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
}

@test "SEE ALSO lists every co page that the text names" {
	awk '
		function judge(    name) {
			for (name in named)
				if (!index(also, name)) print page ": " name
			split("", named)
			also = ""
		}
		FNR == 1 { judge(); page = FILENAME; title = $0 }
		/^# SEE ALSO/ || also { also = also $0 "\n"; next }
		{
			while (match($0, /\*co[a-z-]*\*\([0-9]\)/)) {
				name = substr($0, RSTART, RLENGTH)
				$0 = substr($0, RSTART + RLENGTH)
				plain = name
				gsub(/\*/, "", plain)
				if (plain != title) named[name]
			}
		}
		END { judge() }' "$CO_SOURCE"/Documentation/*.scd >wrong
	diff -u /dev/null wrong
}

@test "wrong operands give a documented exit status and a reason" {
	local name operands status
	co-init -q
	awk -F '\t' '$2 == "EXIT STATUS" && match($3, /^\*[0-9]+\*/) {
			print $1, substr($3, 2, RLENGTH - 2)
		}' "$BATS_FILE_TMPDIR/sections" >documented
	: >empty
	mkdir -p folder out
	for name in "${programs[@]}"; do
		for operands in '' --nope - 999 ../empty ../folder; do
			status=0
			rm -rf out/999
			# shellcheck disable=SC2086
			(cd out && exec timeout 60 "$CO_BIN/$name" $operands) \
				</dev/null >answer 2>errors || status=$?
			grep -qx "$name $status" documented ||
				echo "$name $operands: status $status"
			# A failure prints a reason. A wrong command line also prints a next step.
			[ "$status" -lt 2 ] || [ -s errors ] || [ -s answer ] ||
				echo "$name $operands: silent"
			[ "$status" -ne 2 ] || cat answer errors | sed 's/^co[a-z-]*: //' |
				grep -qE "'co[ -]|hint:|--[a-z]" ||
				echo "$name $operands: no next step: $(<errors)"
		done
	done >odd
	diff -u /dev/null odd
}
