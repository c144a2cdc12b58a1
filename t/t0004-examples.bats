load lib
load examples

# page_examples PAGE: run the examples of PAGE in their own home and empty project.
page_examples() (
	HOME=$(mktemp -d "$BATS_TEST_TMPDIR/homeXXXXXX") || return 1
	export HOME
	export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
	export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
	mkdir -p "$HOME/project"
	cd "$HOME/project" || return 1
	examples "$1"
)

all_examples() {
	for page in "$@"; do
		[ -e "$page" ] || continue
		page_examples "$page" >"$BATS_TEST_TMPDIR/wrong"
		if [ -s "$BATS_TEST_TMPDIR/wrong" ]; then
			printf '== %s\n' "${page##*/}"
			cat "$BATS_TEST_TMPDIR/wrong"
		fi
	done >"$BATS_TEST_TMPDIR/report"
	diff -u /dev/null "$BATS_TEST_TMPDIR/report"
}

@test "every example of a manual runs as shown" {
	all_examples "$CO_SOURCE"/Documentation/*.[1-9].scd
}

# tutorials: set pages to the README, the tutorial and the chapters of the guide.
tutorials() {
	pages=("$CO_SOURCE"/*.md "$CO_SOURCE"/Documentation/{,guide/}*.md)
	# t0007 tests this page in its own tree.
	pages=("${pages[@]/*first-command.md/}")
}

@test "every example of the README and the tutorials runs as shown" {
	tutorials
	all_examples "${pages[@]}"
}

# bats test_tags=slow
@test "examples of the README and the tutorials still work 31 hours later" {
	tutorials
	HOURS=31 all_examples "${pages[@]}"
}

@test "every code block in EXAMPLES is a command that the tests run" {
	awk '
		function judge() { if (page && !n) print page ": no example" }
		FNR == 1 { judge(); page = FILENAME; n = here = inside = 0 }
		/^# / { here = /^# EXAMPLES/ }
		/^```/ { inside = !inside; first = inside; next }
		first && /^\$ / { n++ }
		first && here && !/^\$ / { print FILENAME ": " $0 }
		{ first = 0 }
		END { judge() }' "$CO_SOURCE"/Documentation/*.1.scd >wrong
	diff -u /dev/null wrong
}

@test "the example runner reports output that differs" {
	{
		printf '```\n$ echo a; echo b\n...\nb\n$ false\n(exit 1)\n'
		printf '$ echo "$HOME"\n/home/ada\n$ printf x\nx\n```\n'
	} >good.md
	all_examples "$PWD/good.md"
	for bad in 'echo a\nb' 'false' 'true\n(exit 1)' 'echo a\n...\nb' \
		'echo a; echo b\na' 'true\nx' 'echo a; echo\na' \
		'echo; true' 'printf "a\\\\0"\na'; do
		printf '```\n$ %b\n```\n' "$bad" >bad.md
		! all_examples "$PWD/bad.md" || return 1
	done
}
