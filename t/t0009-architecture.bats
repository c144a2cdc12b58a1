load lib

setup() {
	cd "$CO_SOURCE" || return 1
	page=Documentation/architecture.md
}

# road TITLE: the files that the section TITLE lists.
road() {
	awk -v title="## $1" '
		/^## / { inside = $0 == title }
		inside && /^- `/ { split($0, a, "`"); print a[2] }' $page
}

@test "every file that the architecture names is there" {
	grep -oE '`(lib|cmd|t|Documentation)/[^` ]*`' $page | tr -d '`' |
		grep -v '[A-Z]\{5\}' | sort -u >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -gt 40 ]
	while read -r file; do
		[ -e "$file" ] || echo "$file"
	done <"$BATS_TEST_TMPDIR/named" | diff -u /dev/null -
}

@test "every folder of the library is in the picture" {
	for folder in lib/*/; do
		grep -qE "(^| )  ?$(basename "$folder") " $page || echo "$folder"
	done | diff -u /dev/null -
}

@test "to add a command at most 900 lines are read" {
	mapfile -t files < <(road 'To add a command')
	[ ${#files[@]} -ge 5 ]
	count=$({
		cat "${files[@]}"
		sed -n '/^## To add a command/,/^## /p' $page
	} | wc -l)
	[ "$count" -le 900 ]
}

@test "the road to a command names each header that the example includes" {
	road 'To add a command' >"$BATS_TEST_TMPDIR/road"
	sed -n 's/^#include "\(.*\)"/\1/p' Documentation/first-command.md \
		>"$BATS_TEST_TMPDIR/headers"
	[ -s "$BATS_TEST_TMPDIR/headers" ]
	while read -r header; do
		grep -qx "lib/$header" "$BATS_TEST_TMPDIR/road" || echo "$header"
	done <"$BATS_TEST_TMPDIR/headers" | diff -u /dev/null -
}

@test "to follow a save at most 8 folders are entered, and none is left out" {
	road 'To follow a save' >"$BATS_TEST_TMPDIR/road"
	folders=$(sed -n 's,^lib/\([a-z]*\)/.*,\1,p' "$BATS_TEST_TMPDIR/road" |
		sort -u)
	[ "$(wc -l <<<"$folders")" -le 8 ]
	# What lib/store/save.c and what it stands on include, is on it.
	while read -r file; do
		case $file in *.c) cat "$file" "${file%c}h" 2>/dev/null ;; esac
	done <"$BATS_TEST_TMPDIR/road" |
		sed -n 's,^#include "\([a-z]*\)/.*,\1,p' | sort -u |
		while read -r used; do
			grep -qx "$used" <<<"$folders" || echo "$used"
		done | diff -u /dev/null -
}
