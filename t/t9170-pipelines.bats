#!/usr/bin/env bats
# The pipelines in the manuals do what the porcelain does. Each test runs a pipeline
# as the manual prints it, and the command in an equal store.
load lib

setup() {
	world
	memory 1 2026-01-01T00:00:00Z python $memories/001-a.md \
		<<<'Prefers async over callbacks'
	memory 2 2026-01-02T00:00:00Z 'web, io' $memories/002-b.md \
		<<<'Uses ASYNC io'
	memory 3 2026-01-03T00:00:00Z x $memories/003-c.md <<<'Other'
	mkdir ../other
	cp -r .co-cli ../other
}

# pipeline PAGE N: print the Nth line of code below PIPELINE in the manual.
pipeline() {
	awk '/^# / { inside = /^# PIPELINE/; next }
		/^```/ { code = !code; next }
		inside && code' "$CO_SOURCE/Documentation/$1.1.scd" |
		sed 's/\\\\/\\/g' |
		if [ -n "${2-}" ]; then sed -n "$2p"; else cat; fi
}

# by_hand PAGE [N]: run the pipeline in the other store.
by_hand() {
	local code
	code=$(pipeline "$@")
	[ -n "$code" ]
	(cd ../other && eval "$code")
}

# same: compare the stores, except for the id that each project draws.
same() {
	local id='"id": "[a-z2-7]{20}"'
	sed -Ei "s/$id/$(grep -Eo "$id" .co-cli/settings.json)/" \
		../other/.co-cli/settings.json 2>/dev/null || :
	diff -r .co-cli ../other/.co-cli
}

@test "each porcelain manual has a pipeline" {
	for program in "$CO_BIN"/co-*; do
		"$program" --spec | grep -q '^command.*	porcelain	' || continue
		[ -n "$(pipeline "${program##*/}")" ] || echo "$program"
	done >none
	diff -u /dev/null none
}

@test "co init makes what a save makes, and the context" {
	rm -rf .co-cli ../other/.co-cli
	text='one thing' by_hand co-init 2>/dev/null
	co-init >/dev/null
	rm .co-cli/knowledge/context.md
	co-learn one thing
	same
}

@test "co learn saves what co-memory-save saves" {
	text='A new thing' tag=new by_hand co-learn 1
	co-learn -t new A new thing
	same
	[ -e $memories/004-a-new-thing.md ]
}

@test "co cite adds the citation that its pipeline adds" {
	seq 5 | tee list >../other/list
	path=.co-cli/$(co-memory-show --format='%(path)' 1 | sed 's,.*/.co-cli/,,')
	file=list by_hand co-cite
	co-cite 1 list:2-3 >cited
	run -0 jq -r '.frontmatter.cites[]' <(co-frontmatter-parse ../other/"$path")
	expect <cited
	same
}

@test "co recall finds what co-memory-grep finds" {
	export query=async
	unranked='del(.score, .coverage, .snippet, .matches, .total, .kind)'
	diff <(by_hand co-recall | sed "s|${PWD%/*}/other|$PWD|") \
		<(co-recall --json async | jq -c "$unranked")
	[ "$(co-recall --json async | wc -l)" -eq 2 ]
}

@test "co forget and --undo do what remove and restore do" {
	text=async by_hand co-forget 1 >/dev/null
	co-forget -y --all async
	same
	[ "$(ls $memories)" = 003-c.md ]
	by_hand co-forget 2 >/dev/null
	co-forget --undo
	same
	[ -e $memories/001-a.md ]
}

@test "co knowledge --list and --show print what the plumbing prints" {
	diff <(by_hand co-knowledge 1) <(co-knowledge --list | tail -n +3)
	export id=2
	diff <(by_hand co-knowledge 2) <(co-knowledge --show 2)
	diff <(by_hand co-knowledge 3) <(co-knowledge --check)
	diff <(by_hand co-knowledge 5) <(co-knowledge --stats)
}

@test "co edit saves what the editor writes" {
	export EDITOR='sed -i s/Other/Changed/'
	EDITOR=${EDITOR#* } # the page's shell splits words, this one must too
	export EDITOR="sed $EDITOR" id=3
	by_hand co-edit
	co-edit 3
	same
	grep -qx Changed $memories/003-c.md
}

@test "co context prints and writes what the plumbing does" {
	export path=.co-cli/knowledge/context.md EDITOR=./editor
	co-learn --always 'a rule'
	cp $path ../other/$path
	diff <(by_hand co-context 1) <(co-context | tail -n +2)
	printf '#!/bin/sh\nsed -i "s/a rule/another/" "$1"\n' >editor
	chmod +x editor
	cp editor ../other
	by_hand co-context 2
	by_hand co-context 3
	co-context --edit
	same
	grep -qx -e '- another' $path
}

@test "co status prints the counts of the plumbing" {
	co-learn --always 'a rule'
	cp .co-cli/knowledge/context.md ../other/.co-cli/knowledge
	co-status --json >status
	jq -r '.roots[] | [.scope, .context.state, .context.size,
		.context.budget] | @tsv' status | sort >files
	diff <(by_hand co-status 1 | head -n 2 | cut -f 1-4 | sort) files
	[ "$(by_hand co-status 1 | tail -n 1 | cut -f 3)" = \
		"$(jq .context.size status)" ]
	diff <(by_hand co-status 2 | sed -n 's/^memories: \([0-9]*\).*/\1/p') \
		<(jq '.roots[0].memories' status)
	diff <(by_hand co-status 3 | sed -n 's/^memories: \([0-9]*\).*/\1/p') \
		<(jq '.roots[1].memories' status)
}

@test "co help lists the summaries of the programs" {
	export directory=$CO_BIN
	diff <(by_hand co-help | awk -F '\t' '{ print $2 " " $4 }') \
		<(co-help -a | sed -n 's/^    \([^ ]*\) */co-\1 /p' | sort)
}

@test "co version begins with the version that co prints" {
	diff <(by_hand co-version) \
		<(co-version | sed -n 's/^version */co /p')
}

@test "co import saves what its readers and a batch save" {
	printf '{"memory":"One"}\n{"memory":"Two"}\n' >../m.json
	format=mem0 file=../m.json by_hand co-import
	co-import mem0 ../m.json
	same
}

@test "co export prints the records and the items" {
	echo '{"facts":["F"]}' | co-item-add
	echo '{"facts":["F"]}' | (cd ../other && co-item-add)
	diff <(co-export | sed 's/other/project/') \
		<(by_hand co-export | sed 's/other/project/')
}

@test "co tasks prints what the list of items has" {
	echo '{"tasks_open":["T"]}' | co-item-add --from=c
	echo '{"tasks_open":["T"]}' | (cd ../other && co-item-add --from=c)
	run -0 by_hand co-tasks
	[[ $output == *T* && $(co-tasks) == *T* ]]
}

@test "co config writes the setting that its file has" {
	co-config recall.max_results 9
	(cd ../other && co-config recall.max_results 9)
	run -0 by_hand co-config
	[ "$output" = "$(cat .co-cli/settings.json)" ]
	same
}

@test "co resolve merges as the driver does" {
	for in in . ../other; do
		(
			cd "$in"
			git init -q
			git config user.name A
			git config user.email a@example.org
			git add .
			git commit -qm base
			git switch -qc side
			sed -i 's/python/python, a/' $memories/001-a.md
			git commit -qam side
			git switch -q -
			sed -i 's/python/python, b/' $memories/001-a.md
			git commit -qam main
			run -1 git merge -q side
		)
	done
	co-resolve
	file=$memories/001-a.md by_hand co-resolve
	same
}

@test "co undo and co redo choose the operations that their pipelines choose" {
	local n
	for n in 1 2; do
		co-learn -q "thing $n"
		(cd ../other && co-learn -q "thing $n")
	done
	for n in 1 2; do
		co-undo -q
		by_hand co-undo
		same
	done
	co-redo -q
	by_hand co-redo
	same
}
