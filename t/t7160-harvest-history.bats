#!/usr/bin/env bats
# co-history-read: what a repository's past says.
load lib

setup() {
	world
	git init -q -b main
	at=1700000000
	export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org
	export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
	drafts=.git/co-cli/store/drafts
}

# say MESSAGE...: commits with these messages, a day apart.
say() {
	local message
	for message; do
		at=$((at + 86400))
		GIT_AUTHOR_DATE="$at +0000" GIT_COMMITTER_DATE="$at +0000" \
			git commit -q --allow-empty --cleanup=verbatim -F - <<<"$message"
	done
}

# name REV: the full name of a commit.
name() {
	git rev-parse "$1"
}

# texts [OPERAND...]: kind and content of each candidate, the content on one line.
texts() {
	co-history-read "$@" |
		jq -r '"\(.tags[1]): \(.content | gsub("\n+"; " / "))"'
}

RULE='pool: hold the lock while counting

Callers of `count_all()` must hold the lock, because the list is not
atomic. It must never be called from a signal handler.

Signed-off-by: Ada <ada@example.org>'

# code: a file that has the names of RULE.
code() {
	echo 'int count_all(void); int open_pool(void);' >pool.h
	git add pool.h
}

@test "a rule in a commit's message is a candidate, cited by its commit" {
	code
	say "$RULE"
	run -0 co-history-read
	[ "${#lines[@]}" = 1 ]
	jq -e --arg commit "$(name HEAD)" '. == {
		content: ("pool: hold the lock while counting\n\nCallers of " +
			"`count_all()` must hold the lock, because the list is not " +
			"atomic. It must never be called from a signal handler."),
		tags: ["from-history", "reason"], source: "git",
		created: "2023-11-15T22:13:20Z", trust: "external",
		cites: [$commit]}' <<<"$output"
}

@test "talk, plans and the story of a bug are no candidates" {
	code
	say 'pool: fix a crash

This fixes the crash that I saw when count_all() was called twice, probably
because the list was empty. Hopefully it works now, let us see what happens.' \
		'pool: speed up

Tests are faster now, see the benchmark below. In the future we will be able
to remove count_all() because nothing else will use it any more.' \
		'pool: add open_pool()

It opens a pool and returns it.' \
		'Bump pool from 1.2 to 1.3

Callers of `open_pool()` must now pass a size, because the default was never
right and must not be used by anybody.'
	run -0 co-history-read
	expect </dev/null
}

@test "a name that is gone takes its text with it" {
	code
	say "$RULE"
	run -0 texts
	[ "${#lines[@]}" = 1 ]
	echo 'int count_some(void);' >pool.h
	echo 'removed count_all()' >CHANGES.md
	git add .
	say 'pool: count some'
	run -0 texts
	expect </dev/null
}

@test "a revert with a reason is a draft, and what it reverted is none" {
	code
	say "$RULE"
	say "Revert \"pool: hold the lock while counting\"

This reverts commit $(name HEAD).

The list is atomic since open_pool() uses it, so a lock is not required and
only costs time. Do not take it again."
	run -0 texts
	expect <<-'END'
		revert: Revert "pool: hold the lock while counting" / The list is atomic since open_pool() uses it, so a lock is not required and only costs time. Do not take it again.
	END
	say "Revert \"Revert \"pool: hold the lock while counting\"\"

This reverts commit $(name HEAD)."
	run -0 texts
	[[ $output == "reason: pool: hold the lock"* ]]
	[ "${#lines[@]}" = 1 ]
}

@test "a breaking change and a fix-up have their kinds" {
	code
	say 'pool!: refuse an empty name

BREAKING CHANGE: open_pool() no longer accepts an empty name and returns
an error instead
Reviewed-by: Grace <grace@example.org>' \
		"pool: keep the name

open_pool() must copy the name, because its caller frees it at once.

Fixes: 0123456789ab (\"pool: open\")"
	run -0 texts
	expect <<-'END'
		breaking: pool!: refuse an empty name / BREAKING CHANGE: open_pool() no longer accepts an empty name and returns an error instead
		fixup: pool: keep the name / open_pool() must copy the name, because its caller frees it at once.
	END
}

@test "an accepted ADR is a draft, cited by its lines" {
	mkdir -p doc/adr
	cat >doc/adr/0001-use-one-queue.md <<-'END'
		# 1. Use one queue

		## Status

		Accepted

		## Decision

		All workers read from one queue. It keeps the order.

		## Consequences

		More.
	END
	sed 's/Accepted/Superseded by 3/; s/one queue/two queues/' \
		doc/adr/0001-use-one-queue.md >doc/adr/0002-use-two.md
	cat >doc/adr/0003-yaml.md <<-'END'
		---
		status: accepted
		---

		# Name queues by colour

		## Decision Outcome

		Chosen option: "colours", because people remember them.
	END
	cp doc/adr/0003-yaml.md doc/adr/0004-not-tracked.md
	git add doc/adr/000[123]*
	say 'add decisions'
	run -0 texts
	expect <<-'END'
		adr: Use one queue / All workers read from one queue. It keeps the order.
		adr: Name queues by colour / Chosen option: "colours", because people remember them.
	END
}

@test "sections with commands are drafts, but for those of git and for users" {
	cat >README.md <<-'END'
		# Pool

		## Installation

		    npm install pool

		## Running the tests

		A database must run:

		```sh
		docker run -d db
		make test
		```

		More text.

		## About tests

		They are good.
	END
	cat >CONTRIBUTING.md <<-'END'
		## Branches

		    $ git checkout -b mine
		    $ git push

		## Documentation

		```console
		$ make doc
		```

		## Style

		```c
		make(test);
		```
	END
	git add .
	say 'add texts'
	run -0 texts
	expect <<-'END'
		docs: Documentation / ```console / $ make doc / ```
		docs: Running the tests / A database must run: / ```sh / docker run -d db / make test / ```
	END
	# With a range, only commits are read.
	run -0 texts HEAD
	expect </dev/null
}

@test "links and large files are not read" {
	mkdir secret adr
	printf '## Tests\n\n    make secret\n' >secret/x.md
	ln -s secret/x.md README.md
	ln -s ../secret/x.md adr/0001-x.md
	{
		printf '## Tests\n\n    make large\n\n'
		head -c 2000000 /dev/zero | tr '\0' 'x'
	} >CONTRIBUTING.md
	mkfifo pipe
	git add README.md adr CONTRIBUTING.md
	say 'add texts'
	rm -r adr
	ln -s secret adr
	run -0 co-history-read
	expect </dev/null
}
