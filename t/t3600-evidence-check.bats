#!/usr/bin/env bats
# co-evidence-check: checks whether the sources that memories cite have changed.
load lib

# cites ID CITATION...: write memory ID with these citations.
cites() {
	local file list
	file=$memories/$(printf '%03d' "$1")-m.md
	mkdir -p $memories
	list=$(printf '"%s", ' "${@:2}")
	cat >"$file" <<-END
		---
		id: $1
		created: 2026-02-09T14:30:00Z
		tags: []
		cites: [${list%, }]
		---

		memory $1
	END
}

# cite FILE [FIRST LAST]: print a citation of FILE as it is now.
cite() {
	local all
	all=$(sed 's/[ \t\r]*$//' "$1" | sed -n "${2:-1},${3:-\$}p" |
		awk 1 | sha256sum)
	printf '%s%s@%s\n' "$1" "${2:+#L$2-L$3}" "${all:0:16}"
}

# states WANTED...: compare the states of all citations, in order.
states() {
	diff -u <(printf '%s\n' "$@") <(co-evidence-check | cut -f 1)
}

@test "cited lines are same, moved, changed or gone" {
	mkdir src
	seq 1 30 >src/a
	cites 1 "$(cite src/a 10 12)"
	run -0 co-evidence-check
	expect <<<"same	1	$(cite src/a 10 12)"
	was=$(cite src/a 10 12)
	sed -i '1i new' src/a
	run -0 co-evidence-check
	expect <<<"moved	1	$was	src/a#L11-L13"
	sed -i '1,2d' src/a
	run -0 co-evidence-check
	expect <<<"moved	1	$was	src/a#L9-L11"
	sed -i 's/^11$/eleven/' src/a
	run -1 co-evidence-check
	expect <<<"changed	1	$was"
	mv src/a src/b
	run -1 co-evidence-check
	expect <<<"gone	1	$was"
}

@test "lines that occur more than once at other places count as changed" {
	printf 'x\na\nb\ny\n' >f
	cites 1 "$(cite f 2 3)"
	printf 'x\ny\na\nb\na\nb\n' >f
	run -1 co-evidence-check
	states changed
	# Lines at their old place are the same, however often they occur.
	printf 'x\na\nb\na\nb\n' >f
	states same
}

@test "a citation of a whole file is same or changed" {
	seq 1 5 >f
	cites 1 "$(cite f)"
	states same
	sed -i 1d f
	states changed
}

@test "line ends and trailing blanks do not count as a change" {
	printf 'a\nb  \n\tc' >f
	cites 1 "$(cite f)" "$(cite f 3 3)" "$(cite f 2 3)"
	states same same same
	printf 'a\r\nb\r\n\tc \t\r\n' >f
	states same same same
	printf 'a\nb\n c\n' >f
	states changed changed changed
}

@test "empty and binary files can be cited" {
	: >empty
	printf 'a\0b\n\0\n\377\n' >binary
	cites 1 "$(cite empty)" "$(cite binary 2 3)" "$(cite binary 1 1)"
	sum=$(printf 'a\0b\n' | sha256sum)
	grep -q "L1-L1@${sum:0:16}" $memories/001-m.md
	states same same same
	: >binary
	states same changed changed
}

@test "--json prints the memory, the citation, its state and its place" {
	seq 1 5 >f
	cites 3 "$(cite f 2 3)"
	was=$(cite f 2 3)
	sed -i 1d f
	run -0 co-evidence-check --json
	expect <<<'{"id":3,"path":"'"$PWD/$memories"'/003-m.md","cite":"'"$was"'","state":"moved","at":"f#L1-L2"}'
	seq 1 5 >f
	run -0 co-evidence-check --json 3
	[ "$(jq -r .at <<<"$output")" = null ]
}

@test "memories are selected by id and path, as operands or as input" {
	seq 1 5 >f
	for id in 1 2 3; do cites $id "$(cite f $id $id)"; done
	run -0 bash -c 'co-evidence-check 3 1 | cut -f 2'
	expect <<<$'3\n1'
	run -0 bash -c 'co-memory-list -z | co-evidence-check -z - | tr "\0" "\n" | cut -f 2 | sort'
	expect <<<$'1\n2\n3'
	run -1 --separate-stderr co-evidence-check 9 2
	[ "$(cut -f 2 <<<"$output")" = 2 ]
	[ "$stderr" = "co-evidence-check: no memory '9'" ]
	run -0 co-evidence-check --global
	expect </dev/null
}

@test "a malformed citation is reported, and the others are checked" {
	echo a >f
	bad=("f#L9999999999999-L1@0123456789abcdef" "f#L3-L1@0123456789abcdef"
		"f#L0-L1@0123456789abcdef" "f#L1@0123456789abcdef"
		"f#L5-L@0123456789abcdef" "f@0123" "f" "@0123456789abcdef"
		"f@0123456789ABCDEF" "../f@0123456789abcdef"
		"a/../f@0123456789abcdef" "/etc/passwd@0123456789abcdef"
		"./f@0123456789abcdef" "a//f@0123456789abcdef" ""
		'f\ng@0123456789abcdef' 'f\eg@0123456789abcdef'
		"f/@0123456789abcdef")
	for c in "${bad[@]}"; do
		cites 1 "$c" "$(cite f)"
		run -3 --separate-stderr co-evidence-check
		expect <<<"same	1	$(cite f)"
		[[ $stderr == *"'$PWD/$memories/001-m.md': malformed citation"* ]]
		[[ $stderr != *$'\e'* ]]
		run -0 co-recall memory
		run -3 co-knowledge-check --json
		[ "$(jq -r .fault <<<"$output")" = cites ]
	done
	sed -i 's/^cites: .*/cites: {a: b}/' $memories/001-m.md
	run -3 --separate-stderr co-evidence-check
	[[ $stderr == *"Field 'cites' must be list" ]]
	sed -i 's/^cites: .*/cites: [3, {a: b}]/' $memories/001-m.md
	run -3 co-evidence-check
	run -0 co-memory-show 1
}

@test "co-evidence-check follows no link and opens only regular files" {
	mkdir src ../outside
	echo secret >../outside/f
	echo a >src/f
	cites 1 "$(cite src/f)"
	mv src real
	ln -s real src
	states gone
	rm src
	mkdir src
	ln -s ../../outside/f src/f
	states gone
	rm src/f
	mkfifo src/f
	run -1 timeout 60 co-evidence-check
	states gone
	rm src/f
	mkdir src/f
	states gone
	rmdir src/f
	echo x >src/x
	cites 1 "src/x/f@0123456789abcdef"
	states gone
	mv ../outside/f src/f
	mv src .co-cli/
	cites 1 "$(cite .co-cli/src/f)"
	states same
}

# bats test_tags=rights
@test "a file that is unreadable or too large is unchecked" {
	truncate -s 5M large
	echo a >f
	cites 1 "large@0123456789abcdef" "large#L1-L1@0123456789abcdef"
	run -0 co-evidence-check
	states unchecked unchecked
	cites 1 "$(cite f)"
	chmod 0 f
	[ "$(id -u)" = 0 ] || states unchecked
}

# bats test_tags=slow
@test "a citation of too many lines is unchecked" {
	yes x | head -n 200000 >f
	cites 1 "f#L2-L100001@0123456789abcdef" "$(cite f 1 1)"
	run -0 timeout 60 co-evidence-check
	states unchecked same
}

# bats test_tags=slow
@test "a file is read once, however often it is cited" {
	need_strace
	seq 1 2000 >f
	list=()
	for i in {1..900}; do list+=("f#L$i-L$i@0123456789abcdef"); done
	cites 1 "${list[@]}"
	cites 2 "$(cite f 1 5)"
	run -1 strace -qq -o trace -e trace=openat,open co-evidence-check
	[ "$(grep -c '"f"' trace)" = 1 ]
	[ "$(wc -l <<<"$output")" = 901 ]
}

@test "a cited URL is compared with the article in the store" {
	url=https://example.org/a
	article=.co-cli/knowledge/articles/a.md
	sum=$(printf 'one\ntwo\n' | sha256sum)
	cites 1 "$url@${sum:0:16}"
	run -0 co-evidence-check
	states unchecked
	mkdir -p .co-cli/knowledge/articles
	printf -- '---\nsource: %s\nfetched: 2026-02-09\ntitle: A\n---\n\none\ntwo \n\n' \
		$url >$article
	states same
	echo three >>$article
	states changed
	rm $article
	mkfifo $article
	run -0 timeout 60 co-evidence-check
	states unchecked
}

@test "a file citation in the user store is unchecked" {
	echo a >f
	cites 1 "$(cite f)"
	mkdir -p "$global/knowledge"
	mv $memories "$global/knowledge/memories"
	cp f "$global/../f"
	run -0 co-evidence-check --global
	expect <<<"unchecked	g1	$(cite f)"
	run -0 co-evidence-check g1
}

@test "evidence is checked in subdirectories, work trees and submodules" {
	git init -q .
	mkdir src
	seq 1 5 >src/a
	cites 1 "$(cite src/a 2 3)"
	git add .
	git -c user.name=a -c user.email=a@b commit -q -m a
	git worktree add -q ../other
	sed -i 's/^2$/two/' ../other/src/a
	(cd src && run -0 co-evidence-check && states same)
	(cd ../other && run -1 co-evidence-check && states changed)
	mv .co-cli sub
	git -C sub init -q
	mv sub .co-cli
	states same
}

@test "--check --evidence reports citations that are changed or gone" {
	seq 1 5 >f
	cites 1 "$(cite f 2 3)" "g@0123456789abcdef" "$(cite f 5 5)"
	sed -i 's/3/three/' f
	run -0 co-knowledge --check
	run -3 co-knowledge --check --evidence --json
	diff -u - <(jq -r '[.fault, .text] | join(" ")' <<<"$output") <<-END
		evidence '$PWD/$memories/001-m.md': what it cites has changed since: 'f#L2-L3'
		evidence '$PWD/$memories/001-m.md': what it cites is gone: 'g'
	END
	run -3 co-knowledge-check --evidence $memories/001-m.md
	run -2 co-knowledge --list --evidence
	seq 1 5 >f
	echo g >g
	cites 1 "$(cite f 2 3)" "$(cite g)"
	run -0 co-knowledge --check --evidence
}

# model FILE FIRST LAST HASH: print the state that another program computes.
model() {
	awk -v first="$2" -v last="$3" -v want="$4" '
		{ sub(/[ \t\r]+$/, ""); line[NR] = $0 }
		END {
			n = last - first + 1
			for (at = 1; at + n <= NR + 1; at++) {
				text = ""
				for (i = at; i < at + n; i++) text = text line[i] "\n"
				if (text == want) { found[at]; times++; where = at }
			}
			if (first in found) print "same"
			else if (times == 1) print "moved " where
			else print "changed"
		}' "$1"
}

@test "the states of many citations match those of a model" {
	RANDOM=7
	for ((i = 0; i < 120; i++)); do echo "line $((RANDOM % 60))"; done >f
	cp f was
	spans=() list=()
	for ((i = 0; i < 40; i++)); do
		first=$((RANDOM % 110 + 1)) last=$((first + RANDOM % 9))
		spans+=("$first $last")
		list+=("$(cite f $first $last)")
	done
	cites 1 "${list[@]}"
	for ((round = 0; round < 5; round++)); do
		sed -i "$((RANDOM % 100 + 1))d; $((RANDOM % 100 + 1))s/line/Line/
			$((RANDOM % 100 + 1))a line $((RANDOM % 60))" f
		co-evidence-check --json >out || :
		jq -r '.state + (.at // "" | sub("^f#L"; " ") | sub("-.*"; ""))' \
			out >states
		for span in "${spans[@]}"; do
			read -r first last <<<"$span"
			model f "$first" "$last" \
				"$(sed -n "$first,${last}p" was)\n"
		done >wanted
		diff -u wanted states
	done
	[ "$(sort -u states | cut -d ' ' -f 1 | uniq | wc -l)" = 3 ]
}
