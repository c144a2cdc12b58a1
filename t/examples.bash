# t/examples.bash: run what a page shows.
#
# In each block between fences that begins with "$ ", each line "$ command" (continued
# by lines "> ...") is run. The lines up to the next command are its output, including
# standard error. A line "..." matches any lines. "(exit N)" is the exit status if it is
# not 0. $HOME is shown as /home/ada, and contrib/ as /usr/local/share/co-cli/, where
# its hooks are installed. All examples of a page run in order, in one shell.
#
# If HOURS is set, the clock advances by this many hours before each command, and all
# dates of the clock's year are equal.

# blocks FILE: print the lines of the blocks to run, as a reader of the page sees them.
# In scdoc a literal backslash is doubled.
blocks() {
	awk '
		function shown(line,    text) {
			if (FILENAME !~ /\.scd$/)
				return line
			while (match(line, /\\./)) {
				text = text substr(line, 1, RSTART - 1) \
					substr(line, RSTART + 1, 1)
				line = substr(line, RSTART + 2)
			}
			return text line
		}
		fence == "" && /^```/ {
			fence = $0; sub(/[^`].*/, "", fence)
			first = 1; run = 0
			next
		}
		fence != "" && $0 == fence { fence = ""; next }
		first { run = /^\$ /; first = 0 }
		fence != "" && run { print shown($0) }' "$1"
}

# fits EXPECTED ACTUAL: true if the lines of ACTUAL match those of EXPECTED.
fits() {
	awk '
		FILENAME == ARGV[1] { want[++n] = $0; next }
		{ got[++m] = $0 }
		END {
			# reach[j]: the first i expected lines match the first j lines.
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

# dates: print standard input, with all dates of the clock set to its first one.
dates() {
	sed -E -e 's/2026-[0-9]{2}-[0-9]{2}/2026-02-09/g' \
		-e 's/2026-02-09T[0-9:]{8}Z/2026-02-09T14:30:00Z/g' \
		-e 's/2026[0-9]{4}T[0-9]{6}Z-/20260209T143000Z-/g'
}

# tick: advance the clock.
tick() {
	[ "${HOURS-}" ] || return 0
	clock=$((${clock-1770647400} + HOURS * 3600))
	printf -v CO_NOW '%(%Y-%m-%dT%H:%M:%SZ)T' "$clock"
}

# example COMMAND: run COMMAND in this shell, so that `cd` lasts, and compare its output
# with $expected.
example() {
	local status=0 shared=/usr/local/share/co-cli actual
	[ -n "$1" ] || return 0
	tick
	eval "${1//"$shared"/"$CO_SOURCE/contrib"}" \
		>"$scratch/out" 2>&1 </dev/null || status=$?
	! IFS= read -r -d '' actual <"$scratch/out" || actual+='(a NUL byte)'
	actual=${actual//"$HOME"//home/ada}
	actual=${actual//"$CO_SOURCE/contrib"/"$shared"}
	[ -z "$actual" ] || [ "${actual: -1}" = $'\n' ] || actual+=$'\n'
	if [ "${HOURS-}" ] && [ "$actual" ]; then
		actual=$(printf %s "$actual" | dates && echo .)
		actual=${actual%.}
		expected=$(printf %s "$expected" | dates && echo .)
		expected=${expected%.}
	fi
	[ "$status" = 0 ] || actual+="(exit $status)"$'\n'
	[ "$actual" != "$expected" ] || return 0
	printf %s "$expected" >"$scratch/expected"
	printf %s "$actual" >"$scratch/actual"
	# Most examples are compared here, since a process costs more than they do.
	[[ $'\n'$expected == *$'\n...\n'* ]] &&
		fits "$scratch/expected" "$scratch/actual" && return
	printf '$ %s\n' "$1"
	diff -U 100 "$scratch/expected" "$scratch/actual" | tail -n +3
}

# examples FILE: run all examples of FILE here, and print what does not match.
examples() {
	local scratch=$BATS_TEST_TMPDIR/scratch command='' expected='' line
	mkdir -p "$scratch"
	blocks "$1" >"$scratch/blocks"
	while IFS= read -r line <&3; do
		case $line in
		'$ '*)
			example "$command"
			command=${line#'$ '} expected=
			;;
		'> '*) command+=$'\n'${line#'> '} ;;
		*) expected+=$line$'\n' ;;
		esac
	done 3<"$scratch/blocks"
	example "$command"
}
