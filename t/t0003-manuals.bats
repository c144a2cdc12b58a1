load lib

# Every program describes itself once; what it says and its page must agree.

# each FUNCTION: call it with each program's name; its output is what is wrong.
each() {
	local file name
	for file in "$CO_SOURCE"/cmd/co*.c; do
		name=${file##*/} name=${name%.c}
		"$1" "$name" | sed "s/^/$name: /"
	done >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
}

page() {
	cat "$CO_SOURCE/Documentation/$1.1.scd"
}

# section NAME HEADING: the lines of that section of the page.
section() {
	page "$1" | awk -v heading="# $2" '
		/^# / { in_it = $0 == heading; next } in_it && NF'
}

# Take scdoc's markup away.
plain() {
	sed 's/\\_/\x01/g; s/\\\*/\x02/g; s/[*_]//g; s/++$//; s/\\\(.\)/\1/g' |
		tr '\001\002' '_*'
}

spec() {
	"$CO_BIN/$1" --spec </dev/null | if [ "$1" = co ]; then
		sed '2,$ { /^command/d; }'
	else
		cat
	fi
}

short_help() {
	"$CO_BIN/$1" -h </dev/null >help 2>errors || echo "-h fails"
	[ ! -s errors ] || echo "-h writes to stderr"
	[[ $(head -n 1 help) == "usage: $1"* ]] || echo "-h shows no usage"
	awk 'length > 80 { print "-h is wide: " $0 }
		/ $/ && !/^usage/ { print "-h ends in a blank: " $0 }' help
	"$CO_BIN/$1" -h x --no-such-option >/dev/null 2>&1 ||
		echo "-h looks at what follows"
}

@test "-h shows how to call a program" {
	each short_help
}

manual_opens() {
	"$CO_BIN/$1" --help >out </dev/null || echo "--help fails"
	file=$(sed -n 's/^man //p' out)
	[[ -s $file && $file == */man1/$1.1 ]] ||
		echo "--help opens $(cat out)"
}

@test "--help opens the manual that lies beside the program" {
	mkdir path
	printf '#!/bin/sh\necho "man $*"\n' >path/man
	chmod +x path/man
	PATH=$PWD/path:$PATH
	each manual_opens
}

well_formed() {
	spec "$1" | awk -F '\t' -v name="$1" '
		BEGIN {
			n["command"] = 4; n["synopsis"] = 2; n["operands"] = 2
			n["input"] = 2; n["option"] = 7
			takes["string"] = takes["list"] = takes["count"] = 1
			takes["word"] = 1; takes["flag"] = 0
		}
		NF != n[$1] { print "--spec has an odd line: " $0 }
		NR == 1 && ($1 != "command" || $2 != name) {
			print "--spec does not begin with its name"
		}
		$1 == "command" {
			kind = name ~ /-.*-|^co-(embed|fetch|hook|llm|mcp)$/ ? \
				"plumbing" : "porcelain"
			if ($3 != kind) print "--spec says it is " $3
			if ($4 !~ /^[a-z]/ || $4 ~ /\.$/ || length($4) > 70)
				print "summary: " $4
		}
		$1 == "synopsis" { lines++ }
		$1 == "option" {
			if ($2 == "" && $3 == "") print "option without a name"
			if (($2 != "" && seen["-" $2]++) ||
			    ($3 != "" && seen[$3]++))
				print "option twice: " $0
			if (!($4 in takes)) print "option of no kind: " $0
			if (takes[$4] != ($5 != "")) print "argument: " $0
			if (($4 == "word") != ($6 != "")) print "words: " $0
			if ($7 !~ /^([a-z0-9]|[A-Z]+ )/ || $7 ~ /\.$/) print "help: " $7
			if ($2 ~ /h/ || $3 == "help" || $3 == "spec")
				print "reserved: " $0
		}
		END { if (!lines) print "--spec has no synopsis" }'
}

@test "--spec is well formed" {
	each well_formed
}

has_sections() {
	[ -e "$CO_SOURCE/Documentation/$1.1.scd" ] || {
		echo "has no manual"
		return
	}
	[ "$(page "$1" | head -n 1)" = "$1(1)" ] || echo "has another title"
	page "$1" | sed -n 's/^# //p' | awk '
		BEGIN {
			n = split("NAME,SYNOPSIS,DESCRIPTION,OPTIONS,OUTPUT," \
				"EXIT STATUS,EXAMPLES,SEE ALSO", want, ",")
			at = 1
		}
		$0 == want[at] { at++ }
		END { if (at <= n) print "manual lacks " want[at] }'
}

@test "every program has a manual with the usual sections" {
	each has_sections
}

@test "every manual of section 1 has a program" {
	for file in "$CO_SOURCE"/Documentation/*.1.scd; do
		name=${file##*/}
		[ -e "$CO_SOURCE/cmd/${name%.1.scd}.c" ] || echo "$name"
	done | diff -u /dev/null -
}

name_agrees() {
	diff <(spec "$1" | sed -n "1s/^command	\([^	]*\)	[^	]*	/\1 - /p") \
		<(section "$1" NAME | plain)
}

@test "NAME is what --spec says" {
	each name_agrees
}

synopsis_agrees() {
	diff <(spec "$1" | sed -n "s/^synopsis	/$1 /p" | sed 's/ $//') \
		<(section "$1" SYNOPSIS | plain)
}

@test "SYNOPSIS is what --spec says" {
	each synopsis_agrees
}

options_agree() {
	diff <(spec "$1" | awk -F '\t' '$1 == "option" {
		name = $2 ? "-" $2 : ""
		if ($3) name = name (name ? ", " : "") "--" $3
		print name ($5 ? ($3 ? "=" : " ") $5 : "")
	}') <(section "$1" OPTIONS | grep '^\*-' | plain)
	section "$1" OPTIONS | awk '
		/^\*-/ { getline; if (!/^\t./) print "undescribed: " $0 }'
}

@test "OPTIONS are what --spec says, in its order, each described" {
	each options_agree
}

statuses_are_known() {
	section "$1" 'EXIT STATUS' | plain | grep -E '^[0-9]+$' |
		grep -vxE '[0-6]|127' | sed 's/^/exit status /'
	section "$1" 'EXIT STATUS' | grep -q . || echo "has no exit status"
}

@test "EXIT STATUS names known statuses" {
	each statuses_are_known
}

unknown_option() {
	local status=0
	"$CO_BIN/$1" --no-such-option </dev/null >out 2>errors || status=$?
	[ "$status" = 2 ] && [ ! -s out ] &&
		[[ $(cat errors) == "$1: unknown option '--no-such-option'"* ]] ||
		echo "takes an unknown option: status $status"
}

@test "an unknown option is a wrong command line" {
	each unknown_option
}

@test "every page is well-formed for man" {
	command -v mandoc >/dev/null || skip 'mandoc is not there'
	for file in "$CO_BIN"/../share/man/man[0-9]/*.[0-9]; do
		mandoc -T lint -W error "$file" || echo "$file"
		# What can be typed is shown as it is typed.
		awk '!/^(\.|\\h)/ && /(^|[^\\])-/ { print FILENAME ": " $0 }' "$file"
		# Only examples may be wider than a terminal.
		mandoc -T ascii -O width=80 "$file" | sed 's/.\x08//g' |
			awk 'length > 80 && !/^           /'
	done >wrong 2>&1
	diff -u /dev/null wrong
}

@test "man shows every page without a warning" {
	command -v man >/dev/null || skip 'man is not there'
	for file in "$CO_BIN"/../share/man/man[0-9]/*.[0-9]; do
		LC_ALL=C.UTF-8 MANWIDTH=80 man "$(realpath "$file")" >/dev/null
	done 2>wrong
	diff -u /dev/null wrong
}

@test "every page that a manual names is there, or the system's" {
	cd "$CO_SOURCE/Documentation"
	grep -ohE '\*?co[a-z-]*\*?\([0-9]\)' -- *.scd | tr -d '*' | sort -u |
		while IFS='()' read -r name number; do
			[ -e "$name.$number.scd" ] || echo "$name($number)"
		done >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
}

@test "SEE ALSO names every page of ours that the text does" {
	for file in "$CO_SOURCE"/Documentation/*.scd; do
		awk '/^# SEE ALSO/ { exit } { print }' "$file" >text
		awk '/^# SEE ALSO/ { here = 1 } here' "$file" >also
		grep -ohE '\*co[a-z-]*\*\([0-9]\)' text | sort -u |
			while read -r name; do
				[ "$(head -n 1 "$file")" = "${name//\*/}" ] ||
					grep -qF "$name" also ||
					echo "${file##*/}: $name"
			done
	done >wrong
	diff -u /dev/null wrong
}
