#!/usr/bin/env bats
# The suite works with other tools of the shell: git, xargs, jq, fzf, find, sort.
load lib

setup() {
	world
	memory 1 2026-01-03T00:00:00Z python "$memories/001-a b.md" \
		<<<'Prefers async over callbacks'
	memory 2 2026-01-01T00:00:00Z 'web, io' "$memories/002-it's \"so\".md" \
		<<<'Uses ASYNC io'
	memory 3 2026-01-02T00:00:00Z x $memories/003-c.md <<<'Other'
}

# odd_name: write one more memory, whose file name is as odd as possible.
odd_name() {
	memory 4 2026-01-04T00:00:00Z odd \
		"$memories/$(printf -- '-004\n$(touch pwned) \\ *é.md')" \
		<<<'async with an odd name'
}

# many: write more memories than a pipe's buffer holds, even of paths only.
many() {
	awk -v dir="$memories" 'BEGIN {
		for (i = 1001; i <= 3000; i++) {
			file = dir "/" i "-number-of-many.md"
			printf "---\nid: %d\ncreated: 2026-01-01T00:00:00Z\n" \
				"---\n\nnumber %d\n", i, i >file
			close(file)
		}
	}'
}

need() {
	command -v "$1" >/dev/null || skip "$1 is not there"
}

@test "co-memory-save saves a message from git log" {
	need git
	git init -q .
	git -c user.name=a -c user.email=a@b commit -q --allow-empty \
		-m 'Retry three times' -m 'The proxy drops the first two.

Signed-off-by: Ada <ada@example.org>'
	run -0 bash -o pipefail -c \
		'git log -1 --format=%B | co-memory-save --tag=git'
	expect <<<"$PWD/$memories/004-retry-three-times-the-proxy-drops-the-first-two.md"
	diff -u - $memories/004-* <<-END
		---
		id: 4
		created: 2026-02-09T14:30:00Z
		tags: [git]
		source: user-told
		---

		Retry three times

		The proxy drops the first two.

		Signed-off-by: Ada <ada@example.org>
	END
}

@test "git log, jq and --batch save one memory per commit" {
	need git
	need jq
	git init -q .
	for message in one 'two "quoted"' three; do
		git -c user.name=a -c user.email=a@b commit -q --allow-empty \
			-m "$message"
	done
	git log --reverse -z --format='%cI%n%H%n%B' | tr '\0' '\036' |
		jq -Rsc 'split("\u001e")[] | select(. != "") | split("\n") |
			{created: .[0], source: ("commit:" + .[1]),
			 content: (.[2:] | join("\n"))}' |
		co-memory-save --batch -t git >/dev/null
	run -0 co-memory-list -t git --format='%(id) %(content)'
	expect <<-'END'
		4 one
		5 two "quoted"
		6 three
	END
	[ "$(co-memory-list -t git -n 1 --format='%(source)')" = \
		"commit:$(git rev-list --max-parents=0 HEAD)" ]
}

@test "xargs -0 gets odd file names whole" {
	odd_name
	run -0 bash -o pipefail -c \
		"co-memory-grep -z async | xargs -0 grep -hi '^[^-:]*async'"
	[ "$(sort <<<"$output")" = 'Prefers async over callbacks
Uses ASYNC io
async with an odd name' ]
	run -0 bash -o pipefail -c 'co-memory-list -z | xargs -0 -n 1 \
		sh -c "[ -f \"\$1\" ] && echo yes" sh'
	[ "$output" = $'yes\nyes\nyes\nyes' ]
	[ "$(co-memory-list -z | tr -cd '\0' | wc -c)" = 4 ]
	[ ! -e pwned ]
}

@test "-z for input and output passes odd paths between programs" {
	odd_name
	run -0 bash -o pipefail -c "co-memory-grep -z async |
		co-memory-show -z --format='%(id)' | tr '\0' ' '"
	[ "$output" = '4 1 2 ' ]
	run -0 bash -o pipefail -c 'co-memory-grep -z async |
		co-memory-grep -z odd - | co-memory-remove -z | tr -cd "\0" | wc -c'
	[ "$output" = 1 ]
	run -0 bash -o pipefail -c 'co-memory-list --trash -z |
		co-memory-restore -z >/dev/null; co-memory-list -z | tr -cd "\0" | wc -c'
	[ "$output" = 4 ]
	[ ! -e pwned ]
}

@test "one path per line works for names without line ends" {
	run -0 bash -o pipefail -c \
		"co-memory-grep async | co-memory-show --format='%(id)'"
	expect <<<$'1\n2'
	run -0 bash -o pipefail -c 'co-memory-list -r | while IFS= read -r path; do
		co-frontmatter-parse --field=id "$path"; done'
	expect <<<$'3\n2\n1'
	run -0 bash -c 'for path in $(co-memory-list); do echo "${path#"$PWD"}"; done'
	[ "${#lines[@]}" -gt 3 ] # which is why one quotes and reads
}

@test "a path with a line end is printed on one line and names no other file" {
	memory 4 2026-01-04T00:00:00Z odd "$memories/"$'004-a\n001-a b.md' \
		<<<'async with a newline'
	local quoted="\"$PWD/$memories/004-a\\n001-a b.md\""
	run -0 co-memory-list -t odd
	expect <<<"$quoted"
	run -0 co-memory-grep newline
	expect <<<"$quoted"
	run -0 co-memory-grep -o newline
	expect <<<"$quoted:8:async with a newline"
	run -0 co-tag +x 4
	expect <<<"$quoted"
	cd "$memories"
	run -1 --separate-stderr bash -o pipefail -c \
		'co-memory-list -t odd | co-memory-remove'
	expect </dev/null
	[ -e '001-a b.md' ]
}

@test "programs in a loop that reads paths do not consume its input" {
	run -0 bash -o pipefail -c 'co-memory-list | while IFS= read -r path; do
		co-memory-show --format="%(id)" "$path"
		co-frontmatter-parse --check --type=memory "$path"
		co-memory-grep -c . "$path" >/dev/null
		co-memory-next-id >/dev/null
		co-recall async >/dev/null
	done'
	expect <<<$'1\n2\n3'
}

@test "jq reads the output of --json, one object per line" {
	need jq
	odd_name
	run -0 bash -o pipefail -c \
		"co-memory-list --json | jq -r 'select(.tags | index(\"io\")) | .id'"
	expect <<<2
	run -0 bash -o pipefail -c "co-memory-grep --json async |
		jq -sr 'sort_by(.created) | map(.id) | join(\" \")'"
	expect <<<'2 1 4'
	run -0 bash -o pipefail -c "co-memory-list --json |
		jq -j '.path + \"\\u0000\"' | xargs -0 ls -d -- | wc -l"
	[ "$output" -ge 4 ]
	run -0 bash -o pipefail -c "co-frontmatter-parse $memories/003-c.md |
		jq -c '.frontmatter.tags += [\"y\"]' | co-frontmatter-write |
		co-frontmatter-parse --field=tags"
	expect <<<$'x\ny'
}

@test "fzf selects a memory by its summary" {
	need fzf
	run -0 bash -o pipefail -c "co-memory-list --format='%(path)	%(summary)' |
		fzf --filter=othr --delimiter='\t' --nth=2 |
		cut -f 1 | co-memory-show --format='%(id) %(content)'"
	expect <<<'3 Other'
	run -0 bash -o pipefail -c \
		"co-memory-list -z | fzf --read0 --print0 --exact --filter='002-it' |
		co-memory-show -z --format='%(id)' | tr '\0' '\n'"
	expect <<<2
}

@test "find and sort select the memories that programs read" {
	touch -d 2026-01-05 "$memories/001-a b.md"
	touch -d 2026-01-09 $memories/003-c.md
	run -0 bash -o pipefail -c "find $memories -name '*.md' -newermt 2026-01-07 \
		-name '*c.md' | co-memory-show --format='%(summary)'"
	expect <<<Other
	run -0 bash -o pipefail -c "co-memory-list --format='%(created:short) %(path)' |
		sort | cut -d ' ' -f 2- | head -n 1 | co-memory-show --format='%(id)'"
	expect <<<2
	odd_name
	run -0 bash -o pipefail -c "find $memories -name '*.md' -print0 |
		sort -z | co-memory-grep -z -F async - |
		co-memory-show -z --format='%(id)' | tr '\0' '\n' | sort"
	expect <<<$'1\n2\n4'
	run -0 find $memories -name '0*.md' \
		-exec co-frontmatter-parse --check --type=memory {} +
	expect </dev/null
}

@test "wc, cut, uniq and comm count and compare memories" {
	[ "$(co-memory-grep async | wc -l)" -eq 2 ]
	memory 4 2026-01-04T00:00:00Z 'web, x, web' <<<'more'
	run -0 bash -o pipefail -c 'co-memory-list -z |
		xargs -0 co-frontmatter-parse --field=tags |
		sort | uniq -c | sort -rn | sed "s/^ *//"'
	[ "${lines[0]}" = '3 web' ]
	[ "${lines[1]}" = '2 x' ]
	run -0 bash -o pipefail -c 'comm -13 <(co-memory-grep async | sort) \
		<(co-memory-list | sort) | co-memory-show --format="%(id)"'
	expect <<<$'3\n4'
}

@test "programs exit silently if the reader of their output stops early" {
	many
	for command in 'co-memory-list' 'co-memory-list -z' \
		'co-memory-list --json' 'co-memory-grep number' \
		'co-memory-grep --json number' 'co-recall -n 9999 number' \
		'co-knowledge --list' 'co-knowledge --list --json' \
		'co-memory-list | co-memory-show' \
		'co-memory-list | co-memory-show --json' \
		"co-frontmatter-parse $memories/*" \
		'seq 500 | sed "s/.*/{\"content\":\"more &\"}/" | co-memory-save --batch'; do
		bash -c "$command" 2>errors | head -c 1 >first
		[ -s first ]
		diff -u /dev/null errors
	done
	# The store is valid after a save was interrupted in this way.
	run -0 co-knowledge-check
}

@test "co works silently if its parent ignores SIGPIPE" {
	run -0 bash -c 'trap "" PIPE; co-memory-list 2>errors | true; cat errors'
	many
	bash -c 'trap "" PIPE; co-memory-list --json' 2>errors | head -n 1 >first
	[ -s first ]
	diff -u /dev/null errors
}

@test "programs report lost output and exit 4" {
	for command in 'co-memory-list' 'co-memory-list --json' \
		'co-memory-grep async' 'co-memory-show 1' 'co-recall async' \
		'co-knowledge --list' 'co-memory-next-id' \
		"co-frontmatter-parse $memories/003-c.md"; do
		run -4 bash -c "$command >&-"
		[[ $output == *'cannot write standard output'* ]]
		if [ -w /dev/full ]; then
			run -4 bash -c "$command >/dev/full"
			[[ $output == *'cannot write standard output'* ]]
		fi
	done
}

@test "programs do nothing with empty input" {
	run -0 co-memory-show </dev/null
	expect </dev/null
	run -1 bash -o pipefail -c 'co-memory-grep nowhere | co-memory-show'
	expect </dev/null
	bash -c 'co-memory-grep nowhere | co-memory-remove'
	[ "$(co-memory-list | wc -l)" -eq 3 ]
	run -1 bash -c 'co-memory-grep nowhere | co-memory-grep async -'
	run ! bash -c 'co-memory-grep nowhere | co-memory-save'
}

@test "programs do not hang if standard input is closed" {
	for command in co-memory-show 'co-memory-grep async -' \
		co-frontmatter-parse co-memory-save; do
		run ! timeout 60 bash -c "$command <&-"
		[ "$status" != 124 ]
	done
	[ "$(co-memory-list | wc -l)" -eq 3 ]
}

@test "co-memory-grep exits 1 without a match and 2 for a wrong pattern" {
	run -0 bash -c 'if co-memory-grep -F async >/dev/null; then echo yes; fi
		if ! co-memory-grep -F nowhere; then echo no; fi
		co-memory-grep "(" 2>/dev/null; echo $?'
	expect <<<$'yes\nno\n2'
}

@test "a pipe copies all memories of one store to another with their fields" {
	co-memory-list | co-memory-show --json | co-memory-save --batch --global \
		>/dev/null 2>&1
	diff <(co-memory-list --format='%(created) %(tags) %(source) %(content)') \
		<(co-memory-list --global \
			--format='%(created) %(tags) %(source) %(content)')
}

@test "--batch prints each path as soon as its memory is saved" {
	run -0 bash -o pipefail -c 'printf "%s\n" "{\"content\":\"one\"}" \
		"{\"content\":\"two\"}" | co-memory-save --batch | tee saved |
		while IFS= read -r path; do [ -s "$path" ] && echo there; done'
	expect <<<$'there\nthere'
	co-memory-remove <saved >/dev/null
	[ "$(co-memory-list | wc -l)" -eq 3 ]
}
