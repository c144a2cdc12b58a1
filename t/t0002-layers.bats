load lib

setup() {
	cd "$CO_SOURCE" || return 1
}

@test "lib/layers names each directory once, and only existing headers" {
	diff -u <(sed -nE 's/^([a-z]+):.*/\1/p' lib/layers | sort) \
		<(for f in lib/*/; do basename "$f"; done | sort)
	run -0 awk -F'[: ]+' '!/^#/ && NF {
		for (i = 2; i <= NF && $i; i++) {
			f = "lib/" $1 "/" $i ".h"
			if (seen[f]++) print f " stands twice"
			if ((getline line <f) < 0) print f " is not there"
			close(f)
		}
	}' lib/layers
	expect </dev/null
}

# judge FILE...: print the includes that are not DIRECTORY/NAME, that name a higher
# directory, or that name another directory's private header. A test may include what
# its directory may.
judge() {
	awk '
		FILENAME == "lib/layers" {
			if (/^#/ || !NF) next
			sub(/:/, " "); level[$1] = ++n
			for (i = 2; i <= NF; i++) public[$1 "/" $i ".h"] = 1
			next
		}
		/^#include "/ {
			split($0, quoted, "\""); used = quoted[2]
			split(FILENAME, at, "/"); split(used, to, "/")
			home = at[1] == "lib" ? at[2] : at[1] == "t" ? at[3] : ""
			if (!(to[1] in level)) {
				if (at[1] != "t" && used !~ /^(commands|contexts|browse-page|postgres-schema|suite)\.h$/)
					print FILENAME ": no folder: " used
			} else if (to[1] != home && !(used in public))
				print FILENAME ": private: " used
			else if (at[1] == "lib" && level[to[1]] > level[home])
				print FILENAME ": above it: " used
		}' lib/layers "$@"
}

@test "a file includes its own directory's headers, and public ones below it" {
	run -0 judge lib/*/*.[ch] cmd/*.c t/*/*.[ch] t/*/*/*.[ch]
	expect </dev/null
}

@test "judge reports an include of a higher directory or a private header" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p lib/low lib/high cmd
	printf 'low: open\nhigh: top\n' >lib/layers
	printf '#include "high/top.h"\n' >lib/low/up.c
	printf '#include "low/shut.h"\n#include "low/open.h"\n' >lib/high/in.c
	printf '#include "open.h"\n#include "high/top.h"\n' >cmd/co-x.c
	run -0 judge lib/*/*.c cmd/*.c
	expect <<-END
		lib/high/in.c: private: low/shut.h
		lib/low/up.c: above it: high/top.h
		cmd/co-x.c: no folder: open.h
	END
}

# repeated HEADER...: print the headers that share a file name with an earlier one.
repeated() {
	awk '
		BEGIN {
			for (i = 1; i < ARGC; i++) {
				name = ARGV[i]
				sub(/.*\//, "", name)
				if (name in first)
					print ARGV[i] ": as " first[name]
				else
					first[name] = ARGV[i]
			}
		}' "$@"
}

@test "no two headers have the same file name" {
	run -0 repeated lib/*/*.h
	expect </dev/null
	run -0 repeated lib/a/x.h lib/a/y.h lib/b/x.h
	expect <<<'lib/b/x.h: as lib/a/x.h'
}

@test "every header that a comment names exists" {
	run -0 comm -23 \
		<(grep -hv '^#' lib/*/*.[ch] cmd/*.c |
			grep -oE '[a-z][a-z0-9-]*\.h\b' | sort -u) \
		<(basename -a lib/*/*.h | sort -u)
	expect </dev/null
}

@test "each public header is included outside its directory" {
	run -0 awk '
		FILENAME == "lib/layers" {
			if (/^#/ || !NF) next
			sub(/:/, " ")
			for (i = 2; i <= NF; i++) public[$1 "/" $i ".h"] = 1
			next
		}
		/^#include "/ {
			split($0, quoted, "\""); split(quoted[2], to, "/")
			split(FILENAME, at, "/")
			if (at[1] == "cmd" || at[2] != to[1])
				delete public[quoted[2]]
		}
		END { for (header in public) print header }
		' lib/layers lib/*/*.[ch] cmd/*.c
	expect </dev/null
}

@test "at most 130 headers are public" {
	run -0 awk -F'[: ]+' '/^[a-z]/ { n += NF - 1 } END { print n }' lib/layers
	[ "$output" -le 130 ]
}

@test "comments use none of the words that make them hard to read" {
	run -1 grep -nE "/\* The same|\<(who asks|whoever|for who|by which|of which|but for|by now|is told of|goes on)\>" \
		lib/*/*.[ch] lib/*/README cmd/*.c
	expect </dev/null
}

@test "a comment has at most 90 columns" {
	run -0 awk 'length > 90 && /^(\/\*| \*)/ && !/http/ {
		print FILENAME ":" FNR
	}' lib/*/*.[ch] cmd/*.c
	expect </dev/null
}

@test "no static function is called take, keep, tell or look" {
	run -1 grep -nE '^static .*\<(take|keep|tell|look|find|add|list|start|has|holds)\(' \
		lib/*/*.[ch] cmd/*.c
	expect </dev/null
}

@test "modules do not include each other in a cycle" {
	awk '/^#include "/ {
		split($0, quoted, "\""); user = FILENAME; used = quoted[2]
		sub(/^lib\//, "", user)
		sub(/\.[ch]$/, "", user); sub(/\.h$/, "", used)
		print user, used
	}' lib/*/*.[ch] >"$BATS_TEST_TMPDIR/pairs"
	run -0 --separate-stderr tsort "$BATS_TEST_TMPDIR/pairs"
	[ -n "$output" ]
	[ -z "$stderr" ]
}

@test "a function is named after the header that declares it" {
	# Header x.h in directory f declares x_verb(), or f_x_verb() if x is ambiguous. x-y.h
	# declares x_y_verb() or x_verb(). xs.h declares x_verb() for a single item. A header
	# of cli may use cli_verb().
	run -0 awk '
		/^[a-z]/ && !/^(typedef|extern|struct [a-z_]*( \{|;))/ &&
		match($0, /[a-z0-9_]+\(/) {
			name = substr($0, RSTART, RLENGTH - 1)
			split(FILENAME, at, "/"); header = at[3]
			sub(/\.h$/, "", header); first = header
			sub(/-.*/, "", first); gsub(/-/, "_", header)
			one = header; sub(/s$/, "", one)
			if (index(name "_", header "_") != 1 &&
			    index(name, first "_") != 1 &&
			    index(name, one "_") != 1 &&
			    index(name "_", at[2] "_" header "_") != 1 &&
			    !(at[2] == "cli" && name ~ /^cli_/))
				print FILENAME ": " name
		}' lib/*/*.h
	expect </dev/null
}

# alone FILE...: print the functions that a header among them declares, and that only
# the header's own module names.
alone() {
	awk '
		FILENAME ~ /\.h$/ && /^[a-z]/ && !/^typedef/ &&
		match($0, /[a-z0-9_]+\(/) {
			home = FILENAME
			sub(/\.h$/, "", home)
			declared[substr($0, RSTART, RLENGTH - 1)] = home
		}
		{
			home = FILENAME
			sub(/\.[ch]$/, "", home)
			line = $0
			while (match(line, /[A-Za-z0-9_]+/)) {
				word = substr(line, RSTART, RLENGTH)
				line = substr(line, RSTART + RLENGTH)
				if (!(word in user))
					user[word] = home
				else if (user[word] != home)
					several[word] = 1
			}
		}
		END {
			for (name in declared)
				if (!(name in several))
					print declared[name] ".h: " name
		}' "$@"
}

# Of the tests, fuzzers count: they need the function that reads untrusted bytes. Unit
# programs need two functions that no program calls, to test each rule for secrets and
# each kernel by itself.
@test "each public function is used outside its module" {
	run -0 alone lib/*/*.[ch] cmd/*.c t/fuzz/*/*.c
	output=$(sort <<<"$output")
	expect <<-'END'
		lib/embed/sentences.h: sentences_set_kernel
		lib/text/secrets.h: secrets_rule
	END
	cd "$BATS_TEST_TMPDIR"
	mkdir lib
	printf 'int used(void);\nint idle(void);\n' >lib/x.h
	printf 'int used(void)\nint idle(void)\n' >lib/x.c
	printf 'return used();\n' >lib/y.c
	run -0 alone lib/*
	expect <<<'lib/x.h: idle'
}

@test "a directory has at most 20 modules" {
	run -0 awk 'BEGIN {
		for (i = 1; i < ARGC; i++) {
			folder = module = ARGV[i]
			sub(/[^\/]*$/, "", folder)
			sub(/\.[ch]$/, "", module)
			if (!seen[module]++) n[folder]++
		}
		for (folder in n)
			if (n[folder] > 20)
				print folder " has " n[folder] " modules"
	}' lib/*/*.[ch]
	expect </dev/null
}

@test "each directory has a README that names its public headers" {
	local folder headers header readme text
	while read -r folder headers; do
		readme=lib/${folder%:}/README
		[ -s "$readme" ] || {
			echo "$readme is not there"
			continue
		}
		mapfile text <"$readme"
		printf -v text %s "${text[@]}"
		[[ $text != *$'\n\n'* ]] || echo "$readme has two paragraphs"
		for header in $headers; do
			[[ $text =~ (^|[^a-z0-9_])"$header.h"([^a-z0-9_]|$) ]] ||
				echo "$readme does not name $header.h"
		done
	done < <(grep '^[a-z]' lib/layers) >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
}

@test "only cli, out, mem and commands print or exit" {
	run -0 bash -c '
		grep -nE "\<(printf|puts|putchar|perror|exit)\(|\<std(out|err)\>" \
			lib/*/*.c | grep -vE "^lib/(cli/cli|cli/out|base/mem)\.c:" || :'
	expect </dev/null
}

@test "only one module includes each foreign library" {
	awk '/^#include <(yaml|pcre2|sqlite3|jansson|utf8proc|zstd)\.h>/ {
		print $2, FILENAME
	}' lib/*/*.[ch] cmd/*.c | sort >"$BATS_TEST_TMPDIR/owners"
	# SQLite has two owners: one for co's own database, one for databases of agents.
	sed -i '/ lib\/turns\/database\.c$/d' "$BATS_TEST_TMPDIR/owners"
	run -0 awk '{ print $1 }' "$BATS_TEST_TMPDIR/owners"
	[ -n "$output" ]
	diff -u <(sort -u <<<"$output") - <<<"$output"
	# No header of co names a type of these libraries.
	run -1 grep -nE '\<(yaml_[a-z]+_t|pcre2_[a-z_]+|sqlite3|sqlite3_stmt|json_t|utf8proc_[a-z0-9]+_t|ZSTD_[A-Za-z]+)\>' \
		lib/*/*.h
}

# linked PATTERN COMMAND...: print the commands that link a symbol that matches PATTERN.
linked() {
	local pattern=$1 name main
	shift
	for name; do
		main=main_${name//-/_}
		cc -nostdlib -static -o linked "$CO_BIN/../cmd/$name.o" \
			"$CO_BIN/../libco.a" -Wl,--gc-sections,-e,"$main" \
			-Wl,--unresolved-symbols=ignore-all || return
		nm linked >symbols
		grep -q " $main\$" symbols || return
		! grep -qE "$pattern" symbols || echo "$name"
	done
}

@test "directories below the store do not use struct store" {
	run -1 grep -nw "struct store" lib/{base,sys,text,format,repo,cache}/*.[ch]
}

@test "commands that only read a store link no code that changes it" {
	[ -x "$CO_BIN/co-suite" ] || skip 'each program is linked on its own'
	[[ $(nm "$CO_BIN/../cmd/co-memory-save.o") != *__asan_* ]] ||
		skip 'the sanitizers keep what is not used'
	cd "$BATS_TEST_TMPDIR"
	run -0 linked ' (store_lock|change_of|secrets_new|match_new)$|pcre2' \
		co-index-eval co-index-query co-index-update co-knowledge-stats \
		co-memory-next-id co-memory-show co-prompt-assemble co-status
	expect </dev/null
	# These commands search by patterns and change nothing.
	run -0 linked ' (store_lock|change_of|secrets_new)$' \
		co-knowledge co-memory-grep co-memory-list
	expect </dev/null
	# co-recall removes secrets from the conversations that it indexes.
	run -0 linked ' (store_lock|change_of)$' co-recall
	expect </dev/null
	# co-memory-remove changes a store and adds no text.
	run -0 linked ' secrets_new$|pcre2' co-memory-remove
	expect </dev/null
	# co-memory-restore also accepts search words.
	run -0 linked ' secrets_new$' co-memory-restore
	expect </dev/null
	run -0 linked ' store_lock$' co-memory-save co-memory-show
	expect <<<co-memory-save
}

# untraced FILE...: print the tests that run strace, themselves or through a function of
# their file, without need_strace. Programs with a leak checker cannot be traced.
untraced() {
	awk '
		function judge() {
			for (t in body) {
				traces = asks = 0
				for (f in body) {
					if (f != t && f != "setup" && (f ~ /^@/ ||
						body[t] !~ "(^|[^a-z_])" f "([^a-z_]|$)"))
						continue
					traces += body[f] ~ /(^|[^_a-z])strace -/
					asks += body[f] ~ /need_strace/
				}
				if (t ~ /^@/ && traces && !asks) print file ": " t
			}
			split("", body)
		}
		FNR == 1 { judge(); file = FILENAME; block = "" }
		/^@test / || /^[a-z_]+\(\)/ {
			block = $0
			sub(/\(\).*/, "", block)
			body[block] = ""
			next
		}
		block { body[block] = body[block] "\n" $0 }
		/^[)}]/ { block = "" }
		END { judge() }' "$@"
}

@test "every test that runs strace calls need_strace" {
	run -0 untraced t/*.bats
	expect </dev/null
	cat >"$BATS_TEST_TMPDIR/x.bats" <<-'END'
		calls() {
			strace -o calls "$@"
		}
		a test "asks" {
			need_strace
			calls co
		}
		a test "does not" {
			calls co
		}
	END
	sed -i 's/a test/@test/' "$BATS_TEST_TMPDIR/x.bats"
	run -0 untraced "$BATS_TEST_TMPDIR/x.bats"
	expect <<<"$BATS_TEST_TMPDIR/x.bats: @test \"does not\" {"
}

@test "no assertion is placed where its failure does not end the test" {
	# A failure of A in "A && B", or of "! A", does not end a test.
	run -0 awk '
		FNR == 1 { held = ""; open = 0 }
		held { if ($0 !~ /^}|^\t+(else|fi)$/) print held; held = "" }
		!open && /^\t+(! |\[\[? .* \]\]? && )/ &&
			!/\|\||&& (break|continue|return)|(&&|\\|\|)$/ {
			held = FILENAME ":" FNR ": " $0
		}
		{ open = /(&&|\|\||\\|\|)$/ }' t/*.bats t/*.bash
	expect </dev/null
}

@test "only compat and the sandbox use system-specific code" {
	run -0 bash -c '
		grep -nE "\<__(linux|APPLE|GLIBC|FreeBSD)__\>|#include <(linux|mach-o|malloc|sched|sys/(prctl|syscall|vfs|statfs|mount|param))[./>]" \
			lib/*/*.[ch] cmd/*.c | grep -vE "^lib/(base/compat|sys/sandbox)\.[ch]:" || :
		grep -nE "\<(pipe2|memfd_create|posix_spawn_file_actions_addchdir_np|posix_fallocate|fallocate|accept4|dup3|renameat2|renameatx_np|statx|statfs|fstatfs|syscall|unshare|prctl|malloc_trim|sched_[a-z]+|pthread_[a-z_]+_np|close_range|sync_file_range|copy_file_range|strchrnul|memrchr|mempcpy|qsort_r|getauxval|secure_getenv|execvpe)\(|\<(O_PATH|O_TMPFILE|F_OFD_[A-Z]+|SOCK_CLOEXEC|MSG_NOSIGNAL|RENAME_NOREPLACE|st_[amc]tim(espec)?)\>" \
			lib/*/*.[ch] cmd/*.c | grep -vE "^lib/(base/compat|sys/sandbox)\.[ch]:" || :'
	expect </dev/null
}

@test "no command file exceeds 200 lines, and no main() exceeds 30" {
	run -0 awk '
		FNR == 1 { limit = FILENAME ~ /^cmd/ ? 200 : 1e9; main = 0 }
		FNR == limit + 1 { print FILENAME " is too long" }
		/^int main\(/ { main = FNR }
		main && /^}/ {
			if (FNR - main > 30)
				print "main() of " FILENAME " is too long"
			main = 0
		}' lib/*/*.[ch] cmd/*.c t/{unit,fuzz}/*.h t/{unit,tool,fuzz}/*/*.[ch]
	expect </dev/null
}

@test "no file is named util, misc, common or helper" {
	run -0 bash -c 'ls lib cmd | grep -iE "util|misc|common|helper" || :'
	expect </dev/null
}
