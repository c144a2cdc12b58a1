# t/killed.bash: commands that are hit in the middle, for the tests that load it.

# traced NAME N FAULT COMMAND...: run COMMAND with its N-th call of NAME hit.
# The shell's own word on who was killed is not wanted.
traced() {
	local what=$1:$3:when=$2
	shift 3
	{
		strace -qq -o "$BATS_TEST_TMPDIR/trace" -e "inject=$what" "$@" \
			<"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" \
			2>"$BATS_TEST_TMPDIR/err"
	} 2>/dev/null
}

# durably COMMAND...: run it, and check from its calls that each text is synced
# before it takes its name, each move where it went before where it came from,
# and every folder that changed before anything is said.  What the cache holds
# may be lost, and the copy that an editor gets; what the log keeps of a finished
# operation may stay.
durably() {
	strace -qq -f -y -o "$BATS_TEST_TMPDIR/trace" "$@" \
		>"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || return
	awk -F '[<>"]' '
		/ = -1 / || $2 ~ /\/\.cache(\/|$)|\/edit-/ ||
			$4 ~ /\/edit-/ { next }
		{ sub(/^[0-9]+ +/, "") }
		/^write\(1</ {
			for (folder in unsafe)
				print "said before " folder " was safe"
		}
		/^write\(/ { unsafe_text[$2] }
		/^f(data)?sync\(/ {
			if ($2 in moved && moved[$2] in unsafe)
				print "left " $2 " before it was elsewhere"
			delete unsafe[$2]
			delete unsafe_text[$2]
			synced++
		}
		/^(rename|link)at2?\(/ {
			if (($2 "/" $4) in unsafe_text)
				print "took the name " $8 " before it was safe"
			unsafe[$6]
			if ($4 !~ /^\.co-tmp-/) {
				unsafe[$2]
				moved[$2] = $6
			}
		}
		/^mkdirat\(/ || (/^unlinkat\(/ && $4 !~ /^\.(co-tmp-|removed-here)/ &&
				length($4) != 64) {
			unsafe[$2]
		}
		END {
			for (folder in unsafe)
				print "never made " folder " safe"
			if (!synced)
				print "synced nothing"
		}' "$BATS_TEST_TMPDIR/trace" >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong" ||
		{ echo "by: $*"; return 1; }
}
