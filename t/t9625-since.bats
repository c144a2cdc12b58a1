#!/usr/bin/env bats
# co knowledge --check --since=REV, and the CI steps in contrib/ci that run it.
load lib

setup() {
	world
	git init -q -b main .
	git config user.name Ada
	git config user.email ada@example.org
	git config commit.gpgsign false
	memory 1 2026-01-01T00:00:00Z ops <<<'Deploys happen on Tuesdays.'
	memory 2 2026-01-02T00:00:00Z ops <<<'Ask the crew first.'
	# Faults that the first commit has.
	memory 2 2026-01-03T00:00:00Z ops "$memories/002-twice.md" <<<'Twice.'
	printf -- '---\nid: 3\ncreated: never\n---\n\nx\n' >"$memories/003-x.md"
	echo stray >.co-cli/knowledge/stray.txt
	ln -s /etc/passwd "$memories/004-link.md"
	printf -- '---\nversion: 2\n---\n\nBe brief.\n' >.co-cli/knowledge/context.md
	echo '{"nonsense": 1}' >.co-cli/settings.json
	commit base
}

# faults REV: print the kinds and file names of faults that are new since REV.
faults() {
	run co knowledge --check --since="$1" --json
	output=$(jq -r '.fault + " " + (.path | sub(".*/"; ""))' <<<"$output")
}

@test "--since=REV ignores faults that REV has" {
	run -3 co knowledge --check
	[[ $output == *'6 faults found' ]]
	run -0 co knowledge --check --since=HEAD
	expect <<<'no faults found'
	[ "$(find "$BATS_TEST_TMPDIR" -name 'co-since-*' | wc -l)" = 0 ]
	# The fault may be in another line.
	sed -i 's/^id: 3/# a comment\nid: 3/' "$memories/003-x.md"
	run -0 co knowledge --check --since=HEAD
}

@test "--since of a commit with a deep tree leaves no temporary files" {
	mkdir temp
	for levels in 100 300; do
		deep=.co-cli/knowledge/$(printf 'd/%.0s' $(seq "$levels"))
		mkdir -p "$deep"
		echo x >"$deep/f.md"
		commit "$levels"
		TMPDIR=$PWD/temp run co knowledge --check --since=HEAD
		[ -z "$(ls -A temp)" ]
		rm -r .co-cli/knowledge/d
	done
}

@test "the next check removes the temporary directory of a killed one, no other" {
	need_strace
	export TMPDIR=$PWD/temp
	mkdir temp precious
	run strace -f -qq -o /dev/null -e inject=unlinkat:signal=KILL:when=1 \
		co knowledge --check --since=HEAD
	[[ $(ls temp) == co-commit-* ]]
	# One in use, a link, one of another user, and one with another name.
	mkdir temp/co-commit-in-use temp/co-commit-others temp/co-commit-longer-name
	exec {lock}<temp/co-commit-in-use
	flock $lock
	ln -s ../precious temp/co-commit-linked
	if [ "$(id -u)" -eq 0 ]; then
		chown 12345 temp/co-commit-others
	else
		rmdir temp/co-commit-others
	fi
	run -0 co knowledge --check --since=HEAD
	[ "$(cd temp && echo *-[iln]*)" = \
		'co-commit-in-use co-commit-linked co-commit-longer-name' ]
	[ "$(id -u)" -ne 0 ] || rmdir temp/co-commit-others
	[ "$(ls temp | wc -l)" -eq 3 ]
	exec {lock}<&-
	run -0 co knowledge --check --since=HEAD
	[ ! -e temp/co-commit-in-use ] && [ -d precious ]
}

@test "--since reports new faults, also a second one of the same kind" {
	memory 2 2026-01-04T00:00:00Z ops "$memories/002-thrice.md" <<<'Thrice.'
	memory 5 2026-01-05T00:00:00Z ops <<<$'\xff'
	commit more
	faults HEAD~
	expect <<-'END'
		encoding 005-m.md
		double-id 002-thrice.md
	END
	run -3 co knowledge --check --since=HEAD~
	[[ $output == *'2 faults found' ]]
	run -0 co-knowledge-check --since=HEAD~ "$memories/001-m.md"
	faults HEAD
	expect </dev/null
}

@test "--since reports an id that another memory had at REV" {
	git mv "$memories/001-m.md" "$memories/001-renamed.md"
	sed -i 's/ops/ops, more/' "$memories/001-renamed.md"
	run -0 co knowledge --check --since=HEAD
	git rm -qf "$memories/001-renamed.md"
	memory 1 2026-02-01T00:00:00Z ops "$memories/001-other.md" <<<'Another.'
	run -3 co knowledge --check --since=HEAD
	[[ ${lines[0]} == *"001-other.md': id 1 meant another memory at HEAD: 'knowledge/memories/001-m.md'" ]]
	faults HEAD
	expect <<<'moved 001-other.md'
}

@test "--since fails for an unknown commit and for a store outside git" {
	run -2 co knowledge --check --since=nowhere
	expect <<<"co-knowledge: no commit 'nowhere'"$'\nhint: try \'co-knowledge -h\''
	run -2 co knowledge --check --since=--help
	run -2 co knowledge --list --since=HEAD
	run -2 co knowledge --check --since=HEAD --global
	rm -rf .git
	run -4 co knowledge --check --since=HEAD
}

@test "--since takes a commit without a store as one without faults" {
	empty=$(git commit-tree -m empty "$(git mktree </dev/null)")
	run -3 co knowledge --check --since="$empty"
	[[ $output == *'6 faults found' ]]
}

@test "--since does not follow a tree that leads out of its directory" {
	blob=$(git hash-object -w --stdin <<<evil)
	up=$(printf '100644 blob %s\tmade\n' "$blob" | git mktree)
	# git would not make this tree, but a hostile server can send it.
	bad=$(perl -e 'print "40000 ..\0", pack "H*", $ARGV[0]' "$up" |
		git hash-object -t tree -w --stdin --literally)
	top=$(printf '040000 tree %s\tknowledge\n' "$bad" | git mktree)
	root=$(printf '040000 tree %s\t.co-cli\n' "$top" | git mktree)
	evil=$(git commit-tree -m evil "$root")
	run -3 co knowledge --check --since="$evil"
	[ -z "$(find "$BATS_TEST_TMPDIR" -name made)" ]
}

# step FILE: print the shell commands of the step.
step() {
	awk '/\|$/ { match($0, /^ */); deep = RLENGTH; inside = 1; next }
		inside { match($0, /^ */); if (NF && RLENGTH <= deep) exit
			print }' "$CO_SOURCE/contrib/ci/$1.yml"
}

@test "the CI step of each forge refuses only new faults and prints the changes" {
	export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=$BATS_TEST_TMPDIR/summary
	for forge in github forgejo gitlab; do
		rm -rf ../clone
		git clone -q . ../clone
		cd ../clone
		git config user.name Grace
		git config user.email grace@example.org
		CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse origin/main)
		export CI_MERGE_REQUEST_DIFF_BASE_SHA
		step "$forge" >../step
		: >../summary
		run -0 bash -e ../step
		memory 6 2026-01-06T00:00:00Z ops <<<'Six.'
		commit six
		run -0 bash -e ../step
		[[ $output$(<../summary) == *'6 learned (Six.)'* ]]
		memory 6 2026-01-07T00:00:00Z ops "$memories/006-too.md" <<<'Seven.'
		commit seven
		run -3 bash -e ../step
		[[ $output == *"id 6 is also that of"* ]]
		cd ../project
	done
}

@test "--since does not extract the commit if the store has no faults" {
	need_strace
	rm -rf .co-cli
	memory 1 2026-01-01T00:00:00Z ops <<<'Deploys happen on Tuesdays.'
	commit clean
	run -0 strace -f --seccomp-bpf -qq -e trace=mkdir,mkdirat -o made \
		co knowledge --check --since=HEAD
	run ! grep co-since made
	# An id that is in another file now is not reported.
	git mv "$memories/001-m.md" "$memories/001-n.md"
	run -0 co knowledge --check --since=HEAD
	memory 1 2026-02-01T00:00:00Z ops "$memories/001-n.md" <<<'Another.'
	faults HEAD
	expect <<<'moved 001-n.md'
}
