# t/killed.bash: helpers for tests that kill commands or make their calls fail.

# traced NAME N FAULT COMMAND...: run COMMAND with FAULT in its N-th call of NAME. The
# shell's message about a killed command is discarded.
traced() {
	local what=$1:$3:when=$2
	shift 3
	{
		strace -qq -o "$BATS_TEST_TMPDIR/trace" -e "inject=$what" "$@" \
			<"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" \
			2>"$BATS_TEST_TMPDIR/err"
	} 2>/dev/null
}

# durably COMMAND...: run COMMAND and check its calls. Each text is synced before it
# gets its name, the destination of a move before its source, and every changed
# directory before output is written. The cache and the copy for an editor may be lost.
# Bytes that the log keeps of a finished operation may stay.
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
