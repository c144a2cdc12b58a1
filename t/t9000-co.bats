load lib

# A suite in its own directory: a copy of co, and two commands that print their
# arguments.
fake_suite() {
	PATH=${PATH#"$CO_BIN:"}
	mkdir -p suite
	cp "$CO_BIN/co" "$CO_BIN/co-help" suite/
	program suite/co-memory-show plumbing 'print memories'
	program suite/co-learn porcelain 'save a memory'
}

# summary PROGRAM: print the summary of PROGRAM.
summary() {
	"$CO_BIN/$1" --spec | awk -F '\t' 'NR == 1 { print $4 }'
}

# program FILE KIND SUMMARY
program() {
	cat >"$1" <<-END
		#!/bin/sh
		if [ "\$1" = --spec ]; then
			printf 'command\t%s\t%s\t%s\n' "${1##*/}" "$2" "$3"
		else
			printf '%s' "${1##*/} in \$(pwd):"
			printf ' [%s]' "\$@"
			echo
			exit 5
		fi
	END
	chmod +x "$1"
}

@test "co runs a command with unchanged arguments and returns its exit status" {
	fake_suite
	run -5 suite/co memory-show -C x -- '' 'a b' -h --spec
	expect <<-END
		co-memory-show in $PWD: [-C] [x] [--] [] [a b] [-h] [--spec]
	END
	run -5 suite/co -- learn
	expect <<-END
		co-learn in $PWD: []
	END
}

@test "-C changes the directory; each -C is relative to the one before" {
	fake_suite
	mkdir -p a/b
	run -5 suite/co -C a -Cb learn x
	expect <<-END
		co-learn in $PWD/a/b: [x]
	END
	run -4 suite/co -C a -C c learn x
	expect <<<"co: cannot enter 'c': No such file or directory"
	run -2 suite/co -C
	expect <<-'END'
		co: -C wants a value: -C DIR
		hint: try 'co -h'
	END
}

@test "co runs programs from the directory of its real file before those in PATH" {
	fake_suite
	mkdir path links
	program path/co-learn porcelain 'another'
	program path/co-other porcelain 'another'
	ln -s ../suite/co links/co
	ln -s links/co co
	PATH=$PWD/path:$PWD/links:$PATH
	run -5 co learn
	expect <<<"co-learn in $PWD: []"
	run -5 ./co learn
	run -5 env -C / "$PWD/co" learn
	expect <<<"co-learn in /: []"
	run -5 ./co other
	expect <<<"co-other in $PWD: []"
}

@test "co finds its directory under any name that it is called by" {
	[ -e /proc/self/exe ] || skip 'the system has no /proc/self/exe'
	fake_suite
	run -5 bash -c 'exec -a absent suite/co learn'
	expect <<<"co-learn in $PWD: []"
}

@test "co ignores relative entries of PATH" {
	fake_suite
	program co-evil porcelain 'another'
	mkdir bin
	cp co-evil bin/
	PATH=.:bin::/usr/bin:/bin
	run -127 suite/co evil
	run -0 suite/co help
	[[ $output != *evil* ]]
}

@test "co takes a command as a name, never as a path" {
	fake_suite
	mkdir co-x
	program co-x/y porcelain 'another'
	for name in x/y ../co-learn /bin/sh 'x/../learn' .; do
		run -127 suite/co "$name"
		[ "${lines[0]}" = "co: no such command '$name'" ]
	done
	run -127 suite/co ''
	run -127 suite/co -
	mkdir suite/co-folder
	: >suite/co-text
	run -127 suite/co folder
	run -127 suite/co text
}

@test "an unknown command exits 127 with a hint that names similar commands" {
	fake_suite
	run -127 --separate-stderr suite/co laern
	[ "$output" = '' ]
	[ "$stderr" = "$(cat <<-'END'
		co: no such command 'laern'
		hint: did you mean 'co learn'?
	END
	)" ]
	run -127 suite/co memory
	expect <<-'END'
		co: no such command 'memory'
		hint: did you mean 'co memory-show'?
	END
	run -127 suite/co xyzzy
	expect <<-'END'
		co: no such command 'xyzzy'
		hint: 'co help' lists the commands
	END
	run -127 suite/co "$(printf 'a%.0s' {1..5000})"
	run -127 suite/co $'\e[31mred'
	[ "${lines[0]}" = "co: no such command '^[[31mred'" ]
}

@test "without a command co lists the everyday commands and exits 2" {
	fake_suite
	run -2 --separate-stderr suite/co
	expect <<-END
		usage: co [-C DIR] COMMAND [ARGUMENT...]

		Save and change:
		    learn  $(summary co-learn)

		example: co learn 'We use pnpm, not npm'; co recall pnpm
		'co help COMMAND' opens its manual; 'co help -a' lists all commands.
		'co help tutorial' teaches them; 'co help guide' lists more to read.
	END
	[ "$stderr" = '' ]
	text=$output
	run -0 suite/co help
	[ "$output" = "$text" ]
	run -0 suite/co -h
	[ "$output" = "$text" ]
	run -0 suite/co -C . -h learn
	[ "$output" = "$text" ]
}

@test "co help -a lists all commands by use" {
	fake_suite
	run -0 suite/co help -a
	expect <<-END
		usage: co [-C DIR] COMMAND [ARGUMENT...]

		Save and change:
		    learn        $(summary co-learn)
		More:
		    help         $(summary co-help)
		Plumbing, for scripts and pipelines:
		    memory-show  $(summary co-memory-show)

		'co help COMMAND' opens its manual.
		'co help tutorial' teaches them; 'co help guide' lists more to read.
	END
}

@test "the list of everyday commands fits a terminal of 24 lines" {
	run -2 co
	[ "${#lines[@]}" -le 22 ]
	[ "$(awk '{ print length }' <<<"$output" | sort -n | tail -1)" -le 80 ]
}

@test "help starts no program of the suite" {
	need_strace
	strace -f --seccomp-bpf -e trace=execve -o trace co help -a >listed
	[ "$(grep -c execve trace)" = 2 ]
	run -0 co --spec
	while IFS=$'\t' read -r _ name kind summary; do
		"$name" --spec | grep -qxF "command	$name	$kind	$summary" ||
			echo "$name"
	done < <(grep $'^command\tco-' <<<"$output") | diff /dev/null -
}

@test "an alias runs its command" {
	mkdir -p .co-cli
	co learn 'one two' >/dev/null
	diff <(co ls) <(co list)
	diff <(co search two) <(co recall two)
	diff <(co grep -c two) <(co memory-grep -c two)
	diff <(co stats --json) <(co knowledge --stats --json)
	diff <(co check) <(co knowledge --check)
	co forget -q -y 1 2>/dev/null
	run -0 co restore 1
	expect <<<"$PWD/$memories/001-one-two.md"
	# A program with the name of an alias comes first.
	mkdir path
	printf '#!/bin/sh\necho mine\n' >path/co-ls
	chmod +x path/co-ls
	[ "$(PATH=$PWD/path:$PATH co ls)" = mine ]
}

@test "--spec lists every command, and other programs in PATH without running them" {
	fake_suite
	mkdir path
	printf '#!/bin/sh\ntouch "%s/was-run"\n' "$PWD" >path/co-strange
	chmod +x path/co-strange
	PATH=$PWD/path:/usr/bin:/bin
	suite/co --spec | grep ^command >actual
	diff -u - actual <<-END
		command	co	porcelain	manage memories for AI agents and people
		command	co-help	porcelain	$(summary co-help)
		command	co-learn	porcelain	$(summary co-learn)
		command	co-memory-show	plumbing	$(summary co-memory-show)
		command	co-strange	other	
	END
	[ ! -e was-run ]
	suite/co -C / --spec | diff - <(suite/co --spec)
}

@test "help -a lists a program that does not describe itself" {
	fake_suite
	printf '#!/bin/sh\nexec sleep 60\n' >suite/co-slow
	printf '#!/bin/sh\nprintf "command\\tno newline"\n' >suite/co-odd
	printf 'not a program' >suite/co-broken
	chmod +x suite/co-*
	run -0 suite/co help -a
	[[ $output == *$'Others:\n    broken\n    odd\n    slow\n'* ]]
}

@test "help opens the manual near the programs, of a command before a format" {
	fake_suite
	mkdir -p share/man/man1 share/man/man5 path
	touch share/man/man1/co-learn.1 share/man/man5/co-memory.5
	printf '#!/bin/sh\necho "man $*"\n' >path/man
	chmod +x path/man
	PATH=$PWD/path:$PATH
	for name in learn co-learn; do
		run -0 suite/co help "$name"
		expect <<<"man $PWD/suite/../share/man/man1/co-learn.1"
	done
	run -0 suite/co help memory
	expect <<<"man $PWD/suite/../share/man/man5/co-memory.5"
	# The manual of an alias is that of its command.
	touch share/man/man1/co-list.1
	run -0 suite/co help ls
	expect <<<"man $PWD/suite/../share/man/man1/co-list.1"
	run -0 suite/co help memory-show
	expect <<<"man co-memory-show"
	for name in '' lea ../man1/co-learn nix; do
		run -1 suite/co help "$name"
		[ "${lines[0]}" = "co-help: no manual of '$name'" ]
	done
}

@test "help shows the tutorial and the chapters of the guide" {
	fake_suite
	mkdir -p share/co-cli/guide share/man/man1
	for page in tutorial README agents learn; do
		printf '# The %s\n' $page >share/co-cli/guide/$page.md
	done
	touch share/man/man1/co-learn.1 secret.md
	mkdir path
	printf '#!/bin/sh\necho "man $*"\n' >path/man
	chmod +x path/man
	PATH=$PWD/path:$PATH
	run -0 suite/co help tutorial
	expect <<<'# The tutorial'
	run -0 suite/co help guide
	expect <<<'# The README'
	run -0 suite/co help agents
	expect <<<'# The agents'
	# A command comes first.
	run -0 suite/co help learn
	[[ $output == man* ]]
	run -0 suite/co help guide/learn
	expect <<<'# The learn'
	for name in guide/ guide/nix nix guide/../../../secret ../../secret; do
		run -1 --separate-stderr suite/co help "$name"
		[ "${stderr_lines[0]}" = "co-help: no manual of '$name'" ]
	done
	# The built and the installed programs have the chapters.
	run -0 "$CO_BIN/co" help tutorial
	[ "${lines[0]}" = "$(head -n 1 "$CO_SOURCE/Documentation/tutorial.md")" ]
}

@test "help shows the short help if man is missing" {
	mkdir -p b/bin b/share/man/man1
	cp "$CO_BIN/co" "$CO_BIN/co-help" b/bin/
	touch b/share/man/man1/co-help.1
	run -0 env PATH=/nowhere b/bin/co help help
	[ "${lines[0]}" = 'usage: co-help [-a]' ]
	run -0 env PATH=/nowhere b/bin/co help --help
	[ "${lines[0]}" = 'usage: co-help [-a]' ]
}

@test "co fails if its output is lost" {
	[ -w /dev/full ] || skip '/dev/full is not there'
	for arguments in help --version --spec -h; do
		run -4 bash -c "'$CO_BIN/co' $arguments >/dev/full"
		expect <<-END
			$([ "$arguments" = help ] && echo co-help || echo co): cannot write standard output: No space left on device
		END
	done
}

@test "co suggests an alias for a mistyped one" {
	while IFS='|' read -r word near; do
		run -127 --separate-stderr co "$word"
		[ "${stderr_lines[1]}" = "hint: did you mean $near?" ]
	done <<-'END'
		serch|'co search'
		grpe|'co grep'
		chek|'co check'
		lst|'co list' or 'co ls'
		sta|'co status' or 'co stats'
		q|'co recall'
		s|'co setup' or 'co status' or 'co show'
		l|'co learn' or 'co list'
	END
}

@test "co suggests its own command for the name that other tools use" {
	while read -r word means; do
		run -127 --separate-stderr co "$word" x
		[ "$stderr" = "co: no such command '$word'
hint: did you mean '$means'?" ]
	done <<-'END'
		add co learn
		rm co forget
		find co recall
		history co log
		recent co list --sort=modified
		unforget co forget --undo
		articles co list --articles
		uninstall co setup --remove
		tags co tag
		settings co config
		start co init
		mv co move
		todo co tasks
		replace co edit ID' or 'co learn --replaces=ID TEXT
		update co edit ID' or 'co learn --replaces=ID TEXT
		correct co edit ID' or 'co learn --replaces=ID TEXT
	END
	for word in list show tag config import; do
		"co-$word" -h >/dev/null
	done
}

@test "every command and option that co suggests exists" {
	sed -n 's/.*", "\(co [a-z][^"]*\)", [a-z]*},$/\1/p' "$CO_SOURCE/lib/cli/help.c" >answers
	[ "$(wc -l <answers)" -gt 15 ]
	while read -r _ command options; do
		for option in $options; do
			"co-$command" -h | grep -q -- " ${option%%=*}" || echo "$command $option"
		done
		"co-$command" -h >/dev/null || echo "$command"
	done <answers >wrong
	diff /dev/null wrong
}

@test "every command that the help lists below a heading exists" {
	sed -n 's/.*"porcelain", " \(.*\) "},$/\1/p' \
		"$CO_SOURCE/lib/cli/help.c" | tr ' ' '\n' >names
	[ "$(wc -l <names)" -gt 10 ]
	while read -r name; do
		[ -x "$CO_BIN/co-$name" ] || echo "$name"
	done <names | diff /dev/null -
}

@test "a CO_NOW that is not a time is an error" {
	CO_NOW=yesterday run -3 --separate-stderr co-memory-save <<<text
	expect </dev/null
	[ "$stderr" = "co-memory-save: CO_NOW is 'yesterday', and no time as 2026-02-09T14:30:00Z is" ]
	CO_NOW=yesterday run -0 co-memory-save -h
	CO_NOW='' run -3 co-memory-list
}

@test "help -a lists a program with an odd name, and co does not run it" {
	fake_suite
	mkdir path
	for name in 'co-' 'co- init' 'co-x y'; do
		printf '#!/bin/sh\n' >"path/$name"
	done
	chmod +x path/*
	PATH=$PWD/path:$PATH run -0 timeout 60 suite/co help -a
	[[ $output == *'Others:'*'x y'* ]]
	PATH=$PWD/path:$PATH run -127 timeout 60 suite/co ' init '
}
