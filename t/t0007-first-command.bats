# bats file_tags=slow
load lib
load examples
load copy

# begin_history: commit the tree as the first commit of a repository.
begin_history() {
	export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
	export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
	git init -q -b main
	git add .
	git commit -q -m 'before'
}

# write_files PAGE: write each block below a line "`PATH`:" to that file.
write_files() {
	awk '
		fence == "" && /^`[^`]*`:$/ { file = substr($0, 2, length - 3) }
		fence == "" && /^```/ {
			fence = $0
			if (file) printf "" >file
			next
		}
		fence != "" && $0 == fence { fence = file = ""; next }
		fence != "" && file { print >file }
		fence == "" && !/^`/ && NF { file = "" }' "$1"
}

@test "the steps of first-command.md make a command that passes its tests" {
	command -v git >/dev/null || skip 'git is not there'
	page=$CO_SOURCE/Documentation/first-command.md
	copy_tree
	begin_history
	# The tests in the tree must not inherit the environment of this test.
	unset CO_BIN
	for name in ${!BATS_@}; do
		case $name in BATS_TEST_TMPDIR) ;; *) export -n "${name?}" ;; esac
	done
	# Write each section's files before its examples run.
	awk -v dir="$BATS_TEST_TMPDIR" '
		/^## / { n++ } { print >(dir "/section" n + 0) }' "$page"
	for section in "$BATS_TEST_TMPDIR"/section[0-9]; do
		write_files "$section"
		examples "$section" >"$BATS_TEST_TMPDIR/wrong"
		diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
	done
	[ "$(git log --format=%s -1 main)" = \
		'memory-words: count the words of memories' ]
	[ "$(git status --porcelain)" = '' ]
	[ "$(git diff --diff-filter=M --name-only HEAD^)" = '' ]
}
