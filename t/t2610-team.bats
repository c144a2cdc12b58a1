#!/usr/bin/env bats
# A team's store: ids are random, and memories are in numbered directories.
load lib
load cache

team() {
	co init >/dev/null 2>&1
	co config team true
}

# files: print the paths below memories/.
files() {
	(cd $memories && find . -name '*.md' | sort)
}

@test "team is a setting of the project and sets format 2" {
	team
	run -0 jq -c "del(.project)" .co-cli/settings.json
	expect <<<'{"format":2,"team":true}'
	run -0 co status
	[[ $output == *'team      yes: ids are random, and each rule is a memory; see co-team(7)'* ]]
	[ "$(co status --json | jq -c '[.roots[].team]')" = '[true,false]' ]
	run -2 co config --global team true
	[[ $output == *"setting 'team' counts in a project's settings only: leave --global out"* ]]
	run -2 co config team maybe
	mkdir -p "$global"
	echo '{"team": true}' >"$global/settings.json"
	run -0 --separate-stderr co-memory-save --global <<<'mine is counted'
	[[ $output == */memories/001-mine-is-counted.md ]]
	run -0 --separate-stderr co status
	[[ $stderr == *"setting 'team' counts in a project's settings only"* ]]
	co config --unset team
	run -0 jq -c "del(.project)" .co-cli/settings.json
	expect <<<'{"format":1}'
}

@test "an id of a team has six digits, and its directory is the first two" {
	co-memory-save <<<'counted' >/dev/null 2>&1
	team
	for fact in 1 2 3 4 5 6 7 8; do
		run -0 co-memory-save <<<"fact $fact"
		name=${output##*/}
		[[ $name =~ ^[1-9][0-9]{5}-fact-${fact}[.]md$ ]] || { echo "$output"; false; }
		[ "$output" = "$PWD/$memories/${name:0:2}/$name" ]
		grep -qx "id: ${name%%-*}" "$output"
	done
	[ -e $memories/001-counted.md ]
	[ "$(co-memory-list --format='%(id)' | sort -u | wc -l)" = 9 ]
	run -0 co knowledge --check
	run -0 co-memory-next-id
	[[ $output =~ ^[1-9][0-9]{5}$ ]]
	[ "$(co-memory-next-id)" != "$output" ]
}

# clash IN ID: make two memories with the same ID in the clone IN.
clash() {
	mkdir -p "$1/$memories/${2:0:2}"
	memory "$2" 2026-01-01T00:00:00Z '' \
		"$1/$memories/${2:0:2}/$2-one.md" <<<"one of $2"
	memory "$2" 2026-01-02T00:00:00Z '' \
		"$1/$memories/${2:0:2}/$2-two.md" <<<"two of $2"
}

@test "a duplicate random id is repaired alike in each clone" {
	local clone
	team
	mkdir -p ../a ../b
	for clone in ../a ../b; do
		cp -R .co-cli "$clone"
		clash "$clone" 590612
	done
	# Other memories and other duplicates in a clone make no difference.
	mkdir -p "../b/$memories/99"
	memory 999000 2026-01-03T00:00:00Z '' \
		"../b/$memories/99/999000-b.md" <<<'known to b alone'
	clash ../b 120000
	for clone in ../a ../b; do
		run -0 co -C "$clone" knowledge --check --fix
		(cd "$clone/$memories" && grep -rh -B 9 'two of 590612' . |
			grep '^id:') >"$clone/id"
		grep -qE '^id: [1-9][0-9]{5}$' "$clone/id"
		run ! grep -x 'id: 590612' "$clone/id"
	done
	diff ../a/id ../b/id
	[ "$(co -C ../b memory-list --format='%(id)' | sort -u | wc -l)" = 5 ]
	# The repair avoids the id of a memory with the same name in another directory.
	mkdir -p "../a/$memories/59"
	cp "../a/$memories/$(cut -c 5-6 ../a/id)/590612-two.md" \
		"../a/$memories/59/590612-two.md"
	sed -i '$s/two/too/' "../a/$memories/59/590612-two.md"
	co -C ../a knowledge --check --fix
	[ "$(co -C ../a memory-list --format='%(id)' | sort -u | wc -l)" = 3 ]
}

@test "an id of a team has nine digits from 1000 memories on" {
	many 999
	team
	co-memory-save <<<'the thousandth' >/dev/null
	[[ $(files | grep thousandth) =~ /[0-9]{2}/[0-9]{6}-the ]]
	run -0 co-memory-save <<<'one more'
	[[ ${output##*/} =~ ^[1-9][0-9]{8}-one-more\.md$ ]]
	run -0 co-memory-next-id
	[[ $output =~ ^[1-9][0-9]{8}$ ]]
	warm
	run -0 co-memory-save <<<'by the cache'
	[[ ${output##*/} =~ ^[1-9][0-9]{8}-by-the-cache\.md$ ]]
	run -0 co-memory-save --batch <<<$'{"content":"b1"}\n{"content":"b2"}'
	[[ $output =~ /[1-9][0-9]{8}-b1\.md.*/[1-9][0-9]{8}-b2\.md$ ]]
}

# The unit test of "draw" shows this for every directory, with a few ids.
# bats test_tags=slow
@test "a random id is never one that is taken" {
	team
	# All ids except those that end in 7 belong to purged memories.
	mkdir -p $trash/purged
	seq 100000 999999 | awk '!/7$/ { printf "%s%c", $1, 0 }' |
		(cd $trash/purged && xargs -0 -n 20000 sh -c 'for i; do : >$i; done' sh) ||
		skip 'no room for so many files'
	for i in 1 2 3; do
		run -0 co-memory-next-id
		[[ $output == *7 ]]
		run -0 co-memory-save <<<"fact $i"
		[[ ${output##*/} =~ ^[0-9]{5}7-fact ]]
	done
}

@test "draft, edit, removal and undo keep a memory in its directory" {
	team
	run -0 co-memory-save --draft <<<'a proposal'
	id=$(co-memory-list --drafts --format='%(id)')
	[[ $id =~ ^[1-9][0-9]{5}$ ]]
	run -0 co review --accept "$id"
	file=$memories/${id:0:2}/$id-a-proposal.md
	[ -e "$file" ]
	run -0 co forget -y "$id"
	[ ! -e "$file" ]
	run -0 co forget --undo
	[ -e "$file" ]
	run -0 co learn --replaces="$id" 'what counts now'
	[ ! -e $archive ]
	new=$(co-memory-list --format='%(id)')
	grep -qx "superseded: $new" "$file"
	grep -qx "supersedes: \[$id\]" $memories/"${new:0:2}/$new"-*.md
	run -0 co undo
	[ -e "$file" ]
	! grep -q superseded "$file"
}

@test "a given id is kept, and its file is put where it belongs" {
	team
	run -0 co-memory-save --batch --exact <<-'END'
	{"content":"old","frontmatter":{"id":7,"created":"2026-01-01T00:00:00Z"}}
	{"content":"new","frontmatter":{"id":123456,"created":"2026-01-01T00:00:00Z"}}
	END
	[ "$(files)" = $'./007-old.md\n./12/123456-new.md' ]
}

@test "team cannot be disabled while memories have random ids" {
	team
	co config team false
	co config team true
	co-memory-save <<<one >/dev/null
	for how in 'team false' '--unset team'; do
		# shellcheck disable=SC2086
		run -4 co config $how
		[[ $output == "co-config: 'team' stays: 1 memory has an id that was drawn, and ids that are counted would go on from the highest" ]]
	done
	[ "$(co config team)" = true ]
	co forget -y one >/dev/null 2>&1
	co config team false
}

@test "64 writers in 8 work trees lose no memory and share no id" {
	command -v git >/dev/null || skip 'git is missing'
	export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
	export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
	# With nine digits no two random ids collide.
	"$CO_SOURCE/t/perf/generate" 1000 . >/dev/null
	git init -q .
	team
	git add -A
	git commit -qm begin
	for tree in 1 2 3 4 5 6 7 8; do
		git worktree add -q "../tree$tree"
		for writer in 1 2 3 4 5 6 7 8; do
			(
				cd "../tree$tree" || exit
				for ((i = 1; i <= ${CO_MANY:-1}; i++)); do
					co-memory-save <<<"by $tree $writer $i"
				done
			) >/dev/null 2>&1 &
		done
	done
	wait
	cat ../tree?/$memories/*/*-by-*.md | sed -n 's/^id: //p' | sort >ids
	[ "$(wc -l <ids)" = $((64 * ${CO_MANY:-1})) ]
	[ -z "$(uniq -d ids)" ]
	cat ../tree?/$memories/*/*-by-*.md | grep '^by ' | sort >texts
	[ "$(uniq texts | wc -l)" = $((64 * ${CO_MANY:-1})) ]
	cd ../tree1
	run -0 co knowledge --check
}
