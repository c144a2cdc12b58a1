load lib

# What the manuals and the tutorial show is run: in each block between lines of
# ``` that begins with "$ ", a line "$ command" (continued by lines "> ...") is
# run, and what stands up to the next one is its output, stderr included.
# "..." alone on a line matches any lines; "(exit N)" is the status where it is
# not 0.  All examples of a page are run in order in one shell and one world.

# blocks FILE: the lines of the blocks that are to be run.
blocks() {
	awk '/^```/ { inside = !inside; first = inside; run = 0; next }
		first { run = /^\$ /; first = 0 }
		inside && run' "$1"
}

# fits EXPECTED ACTUAL: true if the lines of the one file fit those of the
# other.
fits() {
	awk '
		FILENAME == ARGV[1] { want[++n] = $0; next }
		{ got[++m] = $0 }
		END {
			# reach[j]: the first i lines wanted fit the first j.
			reach[0] = 1
			for (i = 1; i <= n; i++) {
				split("", next_reach)
				open = 0
				for (j = 0; j <= m; j++) {
					open = open || reach[j]
					if (want[i] == "...")
						next_reach[j] = open
					else if (j > 0 && reach[j - 1] &&
						 want[i] == got[j])
						next_reach[j] = 1
				}
				for (j = 0; j <= m; j++)
					reach[j] = next_reach[j]
			}
			exit !reach[m + 0]
		}' "$1" "$2"
}

# Run COMMAND in this shell, so that `cd` lasts, and compare.
example() {
	local status=0
	[ -n "$1" ] || return 0
	eval "$1" >"$scratch/out" 2>&1 </dev/null || status=$?
	sed "s|$HOME|/home/ada|g" "$scratch/out" >"$scratch/actual"
	[ -z "$(tail -c 1 "$scratch/actual")" ] || echo >>"$scratch/actual"
	[ "$status" = 0 ] || echo "(exit $status)" >>"$scratch/actual"
	fits "$scratch/expected" "$scratch/actual" && return
	printf '$ %s\n' "$1"
	diff -U 100 "$scratch/expected" "$scratch/actual" | tail -n +3
}

# examples PAGE: run all of them; what does not fit is the output.
examples() (
	scratch=$BATS_TEST_TMPDIR/scratch command=
	export HOME=$BATS_TEST_TMPDIR/home/${1##*/}
	mkdir -p "$scratch" "$HOME/project"
	cd "$HOME/project" || return 1
	: >"$scratch/expected"
	blocks "$1" >"$scratch/blocks"
	while IFS= read -r line <&3; do
		case $line in
		'$ '*)
			example "$command"
			command=${line#'$ '}
			: >"$scratch/expected"
			;;
		'> '*) command+=$'\n'${line#'> '} ;;
		*) printf '%s\n' "$line" >>"$scratch/expected" ;;
		esac
	done 3<"$scratch/blocks"
	example "$command"
)

all_examples() {
	for page in "$@"; do
		[ -e "$page" ] || continue
		examples "$page" >"$BATS_TEST_TMPDIR/wrong"
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

@test "every example of the README and the tutorials runs as shown" {
	all_examples "$CO_SOURCE"/*.md "$CO_SOURCE"/Documentation/*.md
}

@test "every block of EXAMPLES is one that is run" {
	for page in "$CO_SOURCE"/Documentation/*.1.scd; do
		awk '/^# / { here = /^# EXAMPLES/ }
			/^```/ { inside = !inside; first = inside; next }
			first && here && !/^\$ / { print FILENAME ": " $0 }
			{ first = 0 }' "$page"
		blocks "$page" | grep -q . || echo "$page: no example"
	done >wrong
	diff -u /dev/null wrong
}

@test "what does not fit is found" {
	{
		printf '```\n$ echo a; echo b\n...\nb\n$ false\n(exit 1)\n'
		printf '$ echo "$HOME"\n/home/ada\n$ printf x\nx\n```\n'
	} >good.md
	all_examples "$PWD/good.md"
	for bad in 'echo a\nb' 'false' 'true\n(exit 1)' 'echo a\n...\nb' \
		'echo a; echo b\na' 'true\nx'; do
		printf '```\n$ %b\n```\n' "$bad" >bad.md
		! all_examples "$PWD/bad.md" || return 1
	done
}
