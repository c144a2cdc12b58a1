load lib

setup() {
	cd "$CO_SOURCE" || return 1
}

# includes FILE...: "file name" for each include of a header of ours.
includes() {
	awk '/^#include "/ { split($0, a, "\""); print FILENAME, a[2] }' "$@"
}

@test "lib/layers lists every module once and nothing else" {
	diff -u <(grep -v '^#' lib/layers | sort) \
		<(for f in lib/*/*.[ch]; do
			f=${f#lib/}
			printf '%s\n' "${f%.*}"
		done | sort -u)
}

@test "a file of the library includes only what stands above it" {
	run -0 awk '
		FILENAME == "lib/layers" { if (!/^#/) level[$1] = ++n; next }
		/^#include "/ {
			split($0, a, "\""); user = FILENAME
			sub(/^lib\//, "", user); sub(/\.[ch]$/, "", user)
			used = a[2]; sub(/\.h$/, "", used)
			if (!(used in level) || level[used] > level[user])
				print FILENAME " includes " a[2]
		}' lib/layers lib/*/*.[ch]
	expect </dev/null
}

@test "only commands include cli and out" {
	run -0 bash -c '
		grep -lE "^#include \"cli/(cli|out)\.h\"" lib/*/*.[ch] |
			grep -vE "^lib/cli/(cli|out)\.[ch]$" || :'
	expect </dev/null
}

@test "only cli, out, mem and commands print or exit" {
	run -0 bash -c '
		grep -nE "\<(printf|puts|putchar|perror|exit)\(|\<std(out|err)\>" \
			lib/*/*.c | grep -vE "^lib/(cli/cli|cli/out|base/mem)\.c:" || :'
	expect </dev/null
}

@test "each foreign library has one owner" {
	awk '/^#include <(yaml|pcre2|sqlite3|jansson|utf8proc)\.h>/ {
		print $2, FILENAME
	}' lib/*/*.[ch] cmd/*.c | sort >"$BATS_TEST_TMPDIR/owners"
	run -0 awk '{ print $1 }' "$BATS_TEST_TMPDIR/owners"
	[ -n "$output" ]
	diff -u <(sort -u <<<"$output") - <<<"$output"
	# Their types stay inside: no header of ours names one.
	run -1 grep -nE '\<(yaml_[a-z]+_t|pcre2_[a-z_]+|sqlite3|sqlite3_stmt|json_t|utf8proc_[a-z0-9]+_t)\>' \
		lib/*/*.h
}

@test "only compat asks for the system, and calls what not all have" {
	run -0 bash -c '
		grep -nE "\<__(linux|APPLE|GLIBC|FreeBSD)__\>|#include <(linux|mach-o|malloc|sched|sys/(prctl|syscall|vfs|statfs|mount|param))[./>]" \
			lib/*/*.[ch] cmd/*.c | grep -v "^lib/base/compat\.[ch]:" || :
		grep -nE "\<(pipe2|memfd_create|posix_fallocate|fallocate|accept4|dup3|renameat2|renameatx_np|statx|statfs|fstatfs|syscall|unshare|prctl|malloc_trim|sched_[a-z]+|pthread_[a-z_]+_np|close_range|sync_file_range|copy_file_range|strchrnul|memrchr|mempcpy|qsort_r|getauxval|secure_getenv|execvpe)\(|\<(O_PATH|O_TMPFILE|F_OFD_[A-Z]+|SOCK_CLOEXEC|MSG_NOSIGNAL|RENAME_NOREPLACE|st_[amc]tim(espec)?)\>" \
			lib/*/*.[ch] cmd/*.c | grep -v "^lib/base/compat\.[ch]:" || :'
	expect </dev/null
}

@test "no command is over 200 lines, no main over 30" {
	run -0 awk '
		FNR == 1 { limit = FILENAME ~ /^cmd/ ? 200 : 1e9; main = 0 }
		FNR == limit + 1 { print FILENAME " is too long" }
		/^int main\(/ { main = FNR }
		main && /^}/ {
			if (FNR - main > 30)
				print "main() of " FILENAME " is too long"
			main = 0
		}' lib/*/*.[ch] cmd/*.c t/unit/*/*.c t/fuzz/*.[ch] t/fuzz/*/*.[ch]
	expect </dev/null
}

@test "no file is called util" {
	run -0 bash -c 'ls lib cmd | grep -iE "util|misc|common|helper" || :'
	expect </dev/null
}

@test "files are written as .clang-format says" {
	command -v clang-format >/dev/null || skip 'clang-format is not there'
	run -0 clang-format --dry-run -Werror lib/*/*.[ch] cmd/*.c t/fuzz/*.[ch] t/fuzz/*/*.[ch]
}
