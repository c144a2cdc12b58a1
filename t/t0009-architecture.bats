load lib

setup() {
	trace_less
	cd "$CO_SOURCE" || return 1
	page=Documentation/architecture.md
}

# road TITLE: print the files that the section TITLE lists.
road() {
	awk -v title="## $1" '
		/^## / { inside = $0 == title }
		inside && /^- `/ { split($0, a, "`"); print a[2] }' $page
}

@test "the README has at most 150 lines" {
	[ "$(wc -l <"$CO_SOURCE/README.md")" -le 150 ]
}

@test "every file that architecture.md names exists" {
	grep -oE '`(lib|cmd|t|Documentation)/[^` ]*`' $page | tr -d '`' |
		grep -v '[A-Z]\{5\}' | sort -u >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -gt 40 ]
	while read -r file; do
		[ -e "$file" ] || echo "$file"
	done <"$BATS_TEST_TMPDIR/named" | diff -u /dev/null -
}

@test "architecture.md lists every directory of the library" {
	for folder in lib/*/; do
		grep -qE "(^| )  ?$(basename "$folder") " $page || echo "$folder"
	done | diff -u /dev/null -
}

@test "adding a command requires reading at most 900 lines" {
	mapfile -t files < <(road 'To add a command')
	[ ${#files[@]} -ge 5 ]
	count=$({
		cat "${files[@]}"
		sed -n '/^## To add a command/,/^## /p' $page
	} | wc -l)
	[ "$count" -le 900 ]
}

@test "the reading list for a command has each header of the example" {
	road 'To add a command' >"$BATS_TEST_TMPDIR/road"
	sed -n 's/^#include "\(.*\)"/\1/p' Documentation/first-command.md \
		>"$BATS_TEST_TMPDIR/headers"
	[ -s "$BATS_TEST_TMPDIR/headers" ]
	while read -r header; do
		grep -qx "lib/$header" "$BATS_TEST_TMPDIR/road" || echo "$header"
	done <"$BATS_TEST_TMPDIR/headers" | diff -u /dev/null -
}

@test "the reading list for a save is complete, with at most 8 directories" {
	road 'To follow a save' >"$BATS_TEST_TMPDIR/road"
	folders=$(sed -n 's,^lib/\([a-z]*\)/.*,\1,p' "$BATS_TEST_TMPDIR/road" |
		sort -u)
	[ "$(wc -l <<<"$folders")" -le 8 ]
	# Each directory that a listed file includes headers from must be listed.
	while read -r file; do
		case $file in *.c) cat "$file" "${file%c}h" 2>/dev/null ;; esac
	done <"$BATS_TEST_TMPDIR/road" |
		sed -n 's,^#include "\([a-z]*\)/.*,\1,p' | sort -u |
		while read -r used; do
			grep -qx "$used" <<<"$folders" || echo "$used"
		done | diff -u /dev/null -
}

# rotten PAGE...: print what the pages name and the tree does not have. A page names a
# file by its path, its path below lib or its name; a function as `name()`; a constant
# as `NAME_OF_IT`; a manual as co-x(1); a test as tNNNN-x.bats, "its name", "another
# name".
rotten() {
	local page kind word
	local -A known
	while read -r word; do
		known[$word]=1
	done < <(
		find cmd contrib lib t Documentation -type f | sed 's,.*/\(.*\),file &\nfile \1,'
		# Definitions and declarations begin in the first column.
		grep -hoE '^[a-z][^;=]*\(|^#define [a-z_0-9]+\(' lib/*/*.[ch] |
			grep -oE '[a-z0-9_]+\(' | sed 's/^/function /' | sort -u
		grep -hoE '\<[A-Z][A-Z0-9]*_[A-Z0-9_]+\>' lib/*/*.[ch] |
			sed 's/^/constant /' | sort -u
		grep -H '^@test' t/*.bats |
			sed -E 's,^t/([^:]*):@test ("[^"]*").*,test \1\, \2,'
	)
	for page; do
		# A name may continue on the next line.
		awk 'BEGIN { RS = "" } { gsub(/[ \n]+/, " "); print }' "$page" \
			>"$BATS_TEST_TMPDIR/page"
		{
			grep -oE '[A-Za-z0-9_.-]*(/[A-Za-z0-9_.-]+)*\.(c|h|bats|bash|scd)\>' \
				"$BATS_TEST_TMPDIR/page" | sed 's/^/file /'
			grep -oE '`[a-z0-9_]+\(\)`' "$BATS_TEST_TMPDIR/page" |
				sed 's/^`\(.*\))`$/function \1/'
			grep -oE '`[A-Z][A-Z0-9]*_[A-Z0-9_]+`' \
				"$BATS_TEST_TMPDIR/page" | sed 's/`//g; s/^/constant /'
			grep -oE '\<co[a-z-]*\([0-9]\)' "$BATS_TEST_TMPDIR/page" |
				sed 's/^/manual /'
			grep -oE 't[0-9]{4}[a-z0-9-]*\.bats(, "[^"]*")+' \
				"$BATS_TEST_TMPDIR/page" | awk -F '"' '{
					for (i = 2; i < NF; i += 2)
						print "test " $1 "\"" $i "\""
				}'
			grep -oE '\]\([^)#]*' "$BATS_TEST_TMPDIR/page" |
				sed 's/^](/link /'
		} | sort -u | while read -r kind word; do
			case $kind in
			file)
				[ "${known[file $word]-}" ] ||
					[[ $word == */* && ${known[file lib/$word]-} ]]
				;;
			function | constant | test) [ "${known[$kind $word]-}" ] ;;
			manual)
				word=${word%)}
				[ -e "Documentation/${word%(*}.${word#*(}.scd" ]
				;;
			link) [ -e "${page%/*}/$word" ] ;;
			esac || echo "${page##*/}: no $kind: $word"
		done
	done
}

@test "every file, function, constant and test in an internals page exists" {
	rotten Documentation/internals/*.md >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
	cat >"$BATS_TEST_TMPDIR/x.md" <<-'END'
		lib/cache/cache.c, cache/cache.h and cache.c are there, `cache_open()`
		too, and `CACHE_WORTH`, co-cache(5), t0009-architecture.bats,
		"architecture.md lists every directory of the library".
		lib/cache/gone.c, cache/gone.h, gone.c, `gone_open()`, `GONE_WORTH`,
		co-gone(5), t0009-architecture.bats, "architecture.md lists every
		directory of the library", "every gone directory", [it](gone.md)
	END
	rotten "$BATS_TEST_TMPDIR/x.md" >"$BATS_TEST_TMPDIR/wrong"
	diff -u - "$BATS_TEST_TMPDIR/wrong" <<-'END'
		x.md: no constant: GONE_WORTH
		x.md: no file: cache/gone.h
		x.md: no file: gone.c
		x.md: no file: lib/cache/gone.c
		x.md: no function: gone_open(
		x.md: no link: gone.md
		x.md: no manual: co-gone(5
		x.md: no test: t0009-architecture.bats, "every gone directory"
	END
}

@test "an internals page has 60 to 120 lines and an entry in the README" {
	for page in Documentation/internals/*.md; do
		name=${page##*/}
		[ "$name" != README.md ] || continue
		long=$(wc -l <"$page")
		{ [ "$long" -ge 60 ] && [ "$long" -le 120 ]; } ||
			echo "$name has $long lines"
		grep -q "]($name)" Documentation/internals/README.md ||
			echo "$name is not listed"
	done >"$BATS_TEST_TMPDIR/wrong"
	diff -u /dev/null "$BATS_TEST_TMPDIR/wrong"
}

@test "every chapter of the guide has an entry in its README" {
	for page in Documentation/guide/*.md; do
		[ "${page##*/}" != README.md ] || continue
		grep -q "^- \[${page##*/}](${page##*/}): " \
			Documentation/guide/README.md || echo "$page"
	done | diff -u /dev/null -
}

@test "every link of a page leads to an existing file" {
	for page in *.md Documentation/{,guide/,internals/}*.md t/*.md \
		contrib/*/*.md; do
		dir=.
		[[ $page != */* ]] || dir=${page%/*}
		awk 'BEGIN { RS = "" } { gsub(/\n/, " "); print }' "$page" |
			grep -oE '\]\([^)# ]+' | sed 's/^](//' |
			while read -r link; do
				case $link in *://*) continue ;; esac
				[ -e "$dir/$link" ] || echo "$page: $link"
			done || :
	done | diff -u /dev/null -
}

@test "only an agent's row names its tools that bring text from outside" {
	cat lib/reader/*.c | tr '\n' ' ' |
		grep -oE '\.(outside|recorded) =[^,}]*' | grep -oE '[A-Za-z_]+' |
		grep -vE '^(outside|recorded|mcp_+)$' |
		sort -u >"$BATS_TEST_TMPDIR/tools"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/tools")" = 16 ]
	run -1 grep -rnwF -f "$BATS_TEST_TMPDIR/tools" lib cmd --include='*.[ch]' \
		--exclude-dir=reader
}
