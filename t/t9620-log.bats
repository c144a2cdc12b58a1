#!/usr/bin/env bats
# co log, co blame and co knowledge --diff read the history that git has of a store.
load lib
load terminal

setup() {
	world
	git init -q .
	cat >>.git/config <<-'END'
		[user]
			name = Ada
			email = ada@example.org
		[commit]
			gpgsign = false
		[maintenance]
			auto = false
	END
	body=$'Deploys happen on Tuesdays.\n\nAsk the crew first.'
	save 1 '[ops]' "$body"
	commit base 2026-02-01
}

# save ID TAGS BODY [NAME [KEYS]]
save() {
	local file=${4:-}
	[ -n "$file" ] || printf -v file '%03d-m.md' "$1"
	file=$memories/$file
	[ -d "${file%/*}" ] || mkdir -p "${file%/*}"
	printf -- '---\nid: %s\ncreated: 2026-01-0%sT00:00:00Z\ntags: %s\nsource: user-told\n%s---\n\n%s\n' \
		"$1" "${1:0:1}" "$2" "${5:-}" "$3" \
		>"$file"
}

# commit WHAT DAY [AUTHOR]: commit all changes.
commit() {
	git add -A .
	GIT_AUTHOR_DATE=$2T12:00:00Z GIT_COMMITTER_DATE=$2T12:00:00Z \
		git -c user.name="${3:-Ada}" commit -qm "$1"
}

# told: remove the ids of commits from $output.
told() {
	output=$(sed -E 's/  [0-9a-f]{9}  /  /; s/  -          /  -  /' <<<"$output")
}

@test "co log prints the changes of a memory, the newest first" {
	save 1 '[deploy]' "$body"$'\nMore.'
	commit edit 2026-02-02 Grace
	git rm -q "$memories/001-m.md"
	commit forget 2026-02-03
	save 1 '[deploy]' "$body"
	commit restore 2026-02-04
	run -0 co log 1
	[[ $output == *"$(git rev-parse --short=9 HEAD)"* ]]
	told
	expect <<-'END'
		2026-02-04  Ada    restored
		2026-02-03  Ada    forgotten
		2026-02-02  Grace  edited: tags +deploy -ops, body +1 -0
		2026-02-01  Ada    learned
	END
	run -0 co log -n 1 1
	[ "${#lines[@]}" = 1 ]
	run -0 co log "$memories/001-m.md"
	[ "${#lines[@]}" = 4 ]
}

@test "--since and --until select by the date of the commit" {
	save 1 '[deploy]' "$body"
	commit edit 2026-02-03
	save 2 '[]' Two.
	commit two 2026-02-04
	save 2 '[]' 'Two and more.'
	touch -d 2026-02-05T12:00:00Z "$memories/002-m.md"
	run -0 co log --since=2026-02-03
	told
	expect <<-'END'
		2026-02-05  -    -  2 edited: body +1 -1 (Two and more.)
		2026-02-04  Ada  2 learned (Two.)
		2026-02-03  Ada  1 edited: tags +deploy -ops (Deploys happen on Tuesdays.)
	END
	run -0 co log --until=2026-02-03 --json 1
	[ "$(jq -r .what <<<"$output" | tr '\n' ' ')" = 'edited learned ' ]
	run -0 co log --since=2026-02-02 --until=2026-02-04 1
	told
	expect <<<'2026-02-03  Ada  edited: tags +deploy -ops'
	run -0 co log --until=2026-02-01 -n 1
	[[ $output == *'1 learned'* ]]
	run -1 co log --since=2026-02-06 1
	expect <<<'co-log: nothing changed between these dates'
	run -2 co log --since=soon
	run -2 co log --chain --since=2026 1
	# A removal that is not committed has the current date.
	rm "$memories/001-m.md"
	run -0 co log --since=2026-02-06
	[[ $output == *'1 forgotten'* && "${#lines[@]}" = 1 ]]
}

@test "-p prints the changed text, but nothing that was sensitive" {
	save 1 '[ops]' $'Deploys happen on Fridays.\n\nAsk the crew first.'
	commit edit 2026-02-03
	save 2 '[]' $'The word is \e[1mswordfish.' '' 'sensitive: true'$'\n'
	commit secret 2026-02-04
	save 2 '[]' 'The word was swordfish.'
	run -0 co log -p -n 1 1
	told
	expect <<-END
		2026-02-03  Ada  edited: body +1 -1
		--- knowledge/memories/001-m.md
		+++ knowledge/memories/001-m.md
		@@ -6,5 +6,5 @@
		 ---
		 
		-Deploys happen on Tuesdays.
		+Deploys happen on Fridays.
		 
		 Ask the crew first.
	END
	run -0 co log -p
	[[ $output == *'--- /dev/null'*'+++ knowledge/memories/001-m.md'*'+Deploys happen on Tuesdays.'* ]]
	[[ $output != *swordfish* ]]
	run -0 co log --json -p -n 1 1
	[[ $(jq -r .diff <<<"$output") == *'-Deploys happen on Tuesdays.'*'+Deploys happen on Fridays.'* ]]
	run -0 co log --json -p 2
	[ "$(jq -s 'any(.[]; has("diff"))' <<<"$output")" = false ]
	run -0 co log --json -n 1 1
	[ "$(jq 'has("diff")' <<<"$output")" = false ]
	run -0 co log -p -n 1 --color=always 1
	[[ $output == *$'\e[31m-Deploys happen on Tuesdays.\e[m'* ]]
	run -2 co log --chain -p 1
}

# bats test_tags=slow
@test "-p prints the oldest change even if the texts exceed the memory limit" {
	local i
	head -c 1048000 /dev/zero | tr '\0' x >../long
	for ((i = 20; i < 28; i++)); do
		save "$i" '[]' ''
		cat ../long >>"$memories/0$i-m.md"
	done
	save 10 '[]' 'A fact.'
	co log -p >../shown
	run -0 grep -A 11 '10 learned' ../shown
	expect <<-'END'
		2026-01-01  -    -          10 learned (A fact.)
		--- /dev/null
		+++ knowledge/memories/010-m.md
		@@ -0,0 +1,8 @@
		+---
		+id: 10
		+created: 2026-01-01T00:00:00Z
		+tags: []
		+source: user-told
		+---
		+
		+A fact.
	END
}

@test "-p prints no text of an article that was sensitive before the change" {
	articles=.co-cli/knowledge/articles
	head=$'---\ntitle: T\nsource: https://x.org/y\nfetched: 2026-01-01T00:00:00Z\n'
	mkdir -p "$articles"
	printf '%ssensitive: true\n---\n\nswordfish\n' "$head" >"$articles/t.md"
	commit secret 2026-02-03
	printf '%s---\n\nplain\n' "$head" >"$articles/t.md"
	commit open 2026-02-04
	run -0 co log -p
	[[ $output == *t.md* && $output != *swordfish* ]]
	run -0 co log -p --json
	[[ $output == *t.md* && $output != *swordfish* ]]
}

@test "on a terminal co blame prints the lines of the text, and all with --all" {
	need_terminal
	export PAGER=cat
	terminal 0 '' 'co blame 1'
	[[ $output != *'---'* && $output != *'created:'* ]]
	[ "$(sed 's/ *$//' <<<"$output" | cut -d ' ' -f 3-)" = 'Ada  2026-02-01  user-told    8  Deploys happen on Tuesdays.
Ada  2026-02-01  user-told    9
Ada  2026-02-01  user-told   10  Ask the crew first.' ]
	terminal 0 '' 'co blame --all 1'
	[[ $output == *'---'*'created:'*'Ask the crew first.' ]]
	# A pipe and JSON get all lines.
	[ "$(co blame 1 | wc -l)" = 10 ]
	[ "$(co blame --json 1 | wc -l)" = 10 ]
	[ "$(co blame --json --all 1 | wc -l)" = 10 ]
}

@test "co log and co blame find a removed memory by its id or path" {
	git rm -q "$memories/001-m.md"
	commit forget 2026-02-03
	for what in 1 "$memories/001-m.md"; do
		run -0 co log "$what"
		told
		expect <<-'END'
			2026-02-03  Ada  forgotten
			2026-02-01  Ada  learned
		END
	done
	run -0 co blame 1
	[[ ${lines[7]} == *' 2026-02-01  user-told    8  Deploys happen on Tuesdays.' ]]
}

@test "co log and co blame exit 1 for an unknown memory" {
	run -1 co log 7
	expect <<<"co-log: no memory '7', now or before: see 'co list'"
	run -1 co blame 7
	expect <<<"co-blame: no memory '7', now or before: see 'co list'"
	run -2 co blame
	run -2 co log ../elsewhere
	run -1 co log README
	rm -rf .git .co-cli
	run -1 co log
	expect <<<'co-log: no memories, now or before'
}

@test "co log prints uncommitted changes first, and only these without git" {
	save 1 '[ops]' 'Deploys happen on Mondays.'
	touch -d 2026-02-05T00:00:00Z "$memories/001-m.md"
	save 2 '[]' 'New.'
	run -0 co log
	told
	expect <<-'END'
		2026-02-05  -    -  1 edited: body +1 -3 (Deploys happen on Mondays.)
		2026-01-02  -    -  2 learned (New.)
		2026-02-01  Ada  1 learned (Deploys happen on Tuesdays.)
	END
	rm -rf .git
	run -0 co log 2
	told
	expect <<<'2026-01-02  -  -  learned'
}

@test "co log follows a memory by its id when its file moves" {
	mkdir -p .co-cli/knowledge/archive
	git mv "$memories/001-m.md" .co-cli/knowledge/archive/001-m.md
	sed -i 's/^source/superseded: 2\nsource/' .co-cli/knowledge/archive/001-m.md
	save 2 '[]' 'Deploys happen on Mondays.'
	commit replace 2026-02-02
	run -0 co log 1
	told
	expect <<-'END'
		2026-02-02  Ada  superseded by 2
		2026-02-01  Ada  learned
	END
	mkdir -p "$memories/10"
	save 100005 '[]' Drawn. 10/100005-d.md
	save 3 '[]' 'Another name.' notes.md
	# Its name has the number of another memory.
	save 4 '[]' 'Number four.' 003-four.md
	commit more 2026-02-03
	git mv "$memories/10/100005-d.md" "$memories/100005-d.md"
	commit flat 2026-02-04
	run -0 co log 100005
	told
	expect <<-'END'
		2026-02-04  Ada  moved
		2026-02-03  Ada  learned
	END
	run -0 co log 3
	told
	expect <<<'2026-02-03  Ada  learned'
	run -0 co log --json 4
	jq -e '.path == "knowledge/memories/003-four.md"' <<<"$output"
}

@test "co log does not mistake another memory with the same name for an edit" {
	git rm -q "$memories/001-m.md"
	save 1 '[]' 'Something else.'
	sed -i s/2026-01-01/2026-01-09/ "$memories/001-m.md"
	commit replace 2026-02-02
	run -0 co log 1
	told
	expect <<-'END'
		2026-02-02  Ada  forgotten
		2026-02-02  Ada  restored
		2026-02-01  Ada  learned
	END
}

@test "co log prints a merge that changed the memory itself" {
	git switch -qc side
	save 1 '[ops, side]' "$body"
	commit side 2026-02-02
	git switch -q -
	save 1 '[ops, main]' "$body"
	commit main 2026-02-03
	git merge -q side >/dev/null 2>&1 || :
	save 1 '[ops, main, side]' "$body"
	commit merge 2026-02-04
	run -0 co log 1
	told
	expect <<-'END'
		2026-02-04  Ada  merged: tags +side
		2026-02-03  Ada  edited: tags +main
		2026-02-02  Ada  edited: tags +side
		2026-02-01  Ada  learned
	END
	run -0 bash -c 'co blame 1 | sed -n 8p'
	[[ $output == "$(git rev-parse --short=9 HEAD~2)"*Tuesdays* ]]
}

@test "--json prints all fields" {
	save 1 '[deploy]' "$body"$'\nMore.'
	commit edit 2026-02-02 Grace
	run -0 co log --json -n 1 1
	diff -u - <(jq -S . <<<"$output") <<-END
		$(jq -S . <<<'{"id":1,"path":"knowledge/memories/001-m.md",
		"what":"edited","at":"2026-02-02T12:00:00Z","author":"Grace",
		"commit":"'"$(git rev-parse HEAD)"'","tags_added":["deploy"],
		"tags_removed":["ops"],"lines_added":1,"lines_removed":0,
		"summary":"Deploys happen on Tuesdays."}')
	END
	run -0 bash -c 'co blame --json 1 | tail -n 1 | jq -r .text,.author,.source'
	expect <<<$'More.\nGrace\nuser-told'
}

@test "co blame prints each line with the commit that added it" {
	save 1 '[ops]' $'Deploys happen on Tuesdays.\n\nAsk Bob.\nAsk the crew first.'
	commit edit 2026-02-02 Grace
	echo 'Not yet.' >>"$memories/001-m.md"
	touch -d 2026-02-05T00:00:00Z "$memories/001-m.md"
	first=$(git rev-parse --short=9 HEAD~) second=$(git rev-parse --short=9 HEAD)
	run -0 bash -c 'co blame 1 | tail -n +8'
	expect <<-END
		$first  Ada    2026-02-01  user-told    8  Deploys happen on Tuesdays.
		$first  Ada    2026-02-01  user-told    9
		$second  Grace  2026-02-02  user-told   10  Ask Bob.
		$first  Ada    2026-02-01  user-told   11  Ask the crew first.
		-          -      2026-02-05  user-told   12  Not yet.
	END
}

@test "co log names a line of the context, not its heading" {
	printf -- '---\nversion: 1\n---\n\n# Project\n\n- Be brief.\n' >.co-cli/knowledge/context.md
	commit context 2026-02-02
	echo '- Be kind.' >>.co-cli/knowledge/context.md
	commit more 2026-02-03
	run -0 co log -n 2
	told
	expect <<-'END'
		2026-02-03  Ada  context.md edited: body +1 -0 (Be kind.)
		2026-02-02  Ada  context.md learned (Be brief.)
	END
}

@test "co knowledge --diff prints the changes of a branch and of its context" {
	run -1 co knowledge --diff
	expect </dev/null
	git switch -qc side
	save 1 '[ops, side]' "$body"
	save 2 '[]' $'Use `tabs` ``always``\n- x'
	printf -- '---\nversion: 1\n---\n\nBe brief.\n' >.co-cli/knowledge/context.md
	commit side 2026-02-02
	git switch -q -
	save 3 '[]' 'Ours alone.'
	commit main 2026-02-03
	run -0 co knowledge --diff HEAD...side
	expect <<-'END'
		context.md learned (Be brief.)
		1 edited: tags +side (Deploys happen on Tuesdays.)
		2 learned (Use `tabs` ``always``)
		context: 30 of 7168 bytes (+30)
	END
	run -0 co knowledge --diff --markdown HEAD...side
	[ "${lines[2]}" = '- ``` 2 learned (Use `tabs` ``always``) ```' ]
	run -0 co knowledge --diff side..HEAD
	[[ $output == *'2 forgotten'*'3 learned'*'(-30)' ]]
	run -0 co knowledge --diff --json side..
	run -0 jq -r .what <<<"$output"
	expect <<<$'forgotten\nedited\nforgotten\nlearned\ncontext'
	git rm -q "$memories/001-m.md"
	run -0 co knowledge --diff
	[[ $output == '1 forgotten'* ]]
	run -0 co knowledge --diff side
	run -1 co knowledge --diff side..side
	run -2 co knowledge --diff nowhere
	expect <<<"co-knowledge: no commit 'nowhere'"$'\nhint: try \'co-knowledge -h\''
	run -2 co knowledge --diff -- --output=x
	rm -rf .git
	run -4 co knowledge --diff
}

@test "co knowledge --diff counts a memory with a true key always as context" {
	save 2 '[]' 'Never.' '' $'always: false\n'
	save 3 '[]' 'Always.' '' $'always: true\n'
	# With so many memories, those as in HEAD are read from the cache.
	for id in {10..80}; do save $id '[]' Other. '' $'always: false\n'; done
	commit all 2026-02-02
	co-index-update >/dev/null
	run -0 co knowledge --diff HEAD~
	[ "${lines[-1]}" = 'context: 10 of 7168 bytes (+10)' ]
}

@test "co log works in linked work trees, subdirectories and on a detached HEAD" {
	mkdir below
	(
		cd below
		mkdir .co-cli
		save 5 '[]' Below.
		git add -A .
		git commit -qm below
		run -0 co log 5
		[[ $output == *learned ]]
		run -0 co knowledge --diff HEAD~
		[[ $output == '5 learned (Below.)'* ]]
	)
	git worktree add -q --detach ../linked HEAD~
	cd ../linked
	save 1 '[]' "$body"
	run -0 co log 1
	[[ ${lines[0]} == *'edited: tags -ops' ]]
	GIT_DIR=../project/.git GIT_INDEX_FILE=nowhere run -0 co log 1
	[[ ${lines[0]} == *'edited: tags -ops' ]]
}

@test "co log, co blame and co knowledge --diff run nothing of the repository" {
	save 1 '[deploy]' "$body"
	commit edit 2026-02-02
	save 1 '[]' "$body"
	printf '#!/bin/sh\ntouch "%s/was-run"\ncat\n' "$PWD" >evil
	chmod +x evil
	for key in core.fsmonitor core.pager pager.log diff.external \
		diff.evil.command diff.evil.textconv filter.evil.clean \
		filter.evil.smudge filter.evil.process gpg.program \
		core.sshCommand core.alternateRefsCommand; do
		git config "$key" "$PWD/evil"
	done
	git config log.showSignature true
	git config alias.log "!$PWD/evil"
	git config core.hooksPath "$PWD"
	echo '* diff=evil filter=evil' >.gitattributes
	cp evil post-index-change
	# Missing objects are not fetched either.
	git config remote.o.url "ext::$PWD/evil"
	git config remote.o.promisor true
	git config protocol.ext.allow always
	git config core.repositoryFormatVersion 1
	git config extensions.partialClone o
	run -0 co log
	run -0 co log 1
	[[ ${lines[0]} == *'edited: tags -deploy' ]]
	run -0 co blame 1
	run -0 co knowledge --diff
	run -0 co knowledge --diff HEAD~..HEAD
	blob=$(git rev-parse "HEAD~:./$memories/001-m.md")
	rm -f ".git/objects/${blob:0:2}/${blob:2}"
	run -0 co log 1
	[[ $output == *'git has not all versions here'* ]]
	[ ! -e was-run ]
	git -c core.hooksPath=.git/hooks diff --stat >/dev/null 2>&1 || :
	[ -e was-run ]
}

# partial FILTER [NAME QUOTED]: make a partial clone in the directory NAME and
# remove its origin. QUOTED is the path of its .co-cli, quoted for a shell.
partial() {
	local name=${2:-partial}
	save 1 '[deploy]' "$body"
	commit edit 2026-02-02
	save 2 '[]' "Ask Bob."
	commit two 2026-02-03
	git config uploadpack.allowFilter true
	git -c protocol.file.allow=always clone -q --filter="$1" \
		"file://$PWD" "../$name"
	mv ../project ../gone
	cd "../$name"
	remedy="git -C ${3:-$PWD/.co-cli} log --all -p -m --full-history -- knowledge >/dev/null"
}

@test "a partial clone prints what it has, and the command that fetches the rest" {
	partial blob:none
	local missing hint
	missing='git has not all versions here:'
	hint="hint: '$remedy' fetches what a partial clone has not"
	run -0 co log 1
	told
	expect <<-END
		2026-02-02  Ada  edited
		2026-02-01  Ada  learned
		co-log: $missing some edits are told without what they changed
		$hint
	END
	# Missing text is not shown as empty.
	run -0 co log -p 1
	[[ $output != *+++* && $output == *"$missing"* ]]
	run -0 --separate-stderr co log -p --json 1
	jq -se 'length == 2 and all(has("diff") | not)' <<<"$output"
	run -0 co log
	[[ $output == *'2 learned (Ask Bob.)'*'1 edited (Deploys'*"$hint" ]]
	run -0 co blame 1
	[[ $output == *"co-blame: $missing some lines are older than they are told to be"$'\n'"$hint" ]]
	run -0 --separate-stderr co knowledge --diff HEAD~2..HEAD
	[[ $output == '1 edited'*'2 learned (Ask Bob.)'* ]]
	[[ $stderr == *"$missing some changes are not shown"$'\n'"$hint" ]]
	# The history that is present is complete.
	run -0 --separate-stderr co knowledge --diff HEAD~
	expect <<<$'2 learned (Ask Bob.)\ncontext: 0 of 7168 bytes (+0)'
	[ -z "$stderr" ]
	run -6 co knowledge --check --since=HEAD~2
	expect <<<"co-knowledge: git has not all here that 'HEAD~2' has: '$remedy' fetches what a partial clone has not"
	run -0 co knowledge --check --since=HEAD~
	run -4 co forget --purge -y 1
	[[ $output == "co-forget: $missing what only these say is not looked for"$'\n'"$hint"* ]]
	git checkout -q -- .co-cli
	mv ../gone ../project
	git config protocol.file.allow always
	eval "$remedy"
	run -0 --separate-stderr co log 1
	told
	expect <<-END
		2026-02-02  Ada  edited: tags +deploy -ops
		2026-02-01  Ada  learned
	END
	[ -z "$stderr" ]
}

@test "commands in a clone without trees exit 6 and name the command to fetch" {
	partial tree:0 "Ada's own" "'${PWD%/*}/Ada'\\''s own/.co-cli'"
	for c in 'log' 'log 1' 'blame 1' 'knowledge --diff HEAD~2' \
		'knowledge --diff HEAD~2..' 'knowledge --check --since=HEAD~2' \
		'forget --purge -y 1'; do
		# shellcheck disable=SC2086 # words are meant
		run -6 co $c
		[[ $output == *": '$remedy' fetches what this partial clone has not" ]]
	done
}

@test "reading the history fetches nothing, even if git is allowed to fetch" {
	need_strace
	partial blob:none
	mv ../gone ../project
	git config protocol.file.allow always
	for c in 'log' 'log 1' 'blame 1' 'knowledge --diff HEAD~2' \
		'forget --purge -y 1'; do
		# shellcheck disable=SC2086 # words are meant
		strace -f --seccomp-bpf -qq -s 200 -e trace=execve -o calls co $c || :
		grep -q git calls
		run ! grep -E 'upload-pack|"fetch"' calls
	done
	git rev-list --objects --missing=print HEAD | grep -q '^?'
}

@test "a file that git calls unmodified is unmodified, even if its bytes differ" {
	save 2 '[]' '$Id$ is set by git.'
	save 3 '[]' $'One.\nTwo.'
	save 4 '[]' 'filtered.'
	save 5 '[]' $'Three.\nFour.'
	cat >.gitattributes <<-END
		002-m.md ident
		003-m.md text eol=crlf
		004-m.md filter=upper
	END
	git config filter.upper.clean 'sed s/FILTERED/filtered/'
	git config filter.upper.smudge 'sed s/filtered/FILTERED/'
	commit more 2026-02-02
	git config core.autocrlf true
	rm "$memories"/00[2345]-m.md
	git checkout -q -- .
	touch -d 2020-02-05T00:00:00Z "$memories"/00[2345]-m.md
	git update-index -q --refresh
	[[ $(<"$memories/002-m.md") == *'$Id: '* ]]
	[[ $(<"$memories/004-m.md") == *FILTERED* ]]
	grep -q $'\r' "$memories/005-m.md"
	run -1 co knowledge --diff
	expect </dev/null
	# A touched file is not edited. Line ends do not count, and git reads the others
	# again.
	touch -d 2020-02-06T00:00:00Z "$memories"/00[2345]-m.md
	run -0 co knowledge --diff
	[[ $output == '2 edited: '*'4 edited: '* && $output != *[35]' edited'* ]]
	git status >/dev/null
	run -1 co knowledge --diff
	run -0 co log
	[[ $output != *'  -  '* ]]
	run -0 co log 2
	told
	expect <<<'2026-02-02  Ada  learned'
	run -0 co blame 2
	[[ ${lines[7]} == "$(git rev-parse --short=9 HEAD)"* ]]
	run -0 co knowledge --diff HEAD~
	[[ $output == '2 learned'*'3 learned'* ]]
	# An edited file is reported, filtered or not.
	echo more >>"$memories/002-m.md"
	echo more >>"$memories/003-m.md"
	echo MORE >>"$memories/004-m.md"
	run -0 co knowledge --diff
	[[ $output == '2 edited: body +'*'3 edited: body +'*'4 edited: '* ]]
}

@test "no filter runs to find edited files" {
	save 2 '[]' '$Id$ is set by git.'
	commit more 2026-02-02
	echo '*.md filter=evil ident' >.gitattributes
	for key in clean smudge process; do
		git config "filter.evil.$key" "touch '$PWD/was-run'; cat"
	done
	touch -d 2020-02-06T00:00:00Z "$memories"/*.md
	echo more >>"$memories/002-m.md"
	run -0 co knowledge --diff
	[[ $output == '2 edited: body +1'* ]]
	run -0 co log 2
	[ ! -e was-run ]
}

@test "co log does not report files outside a sparse checkout as forgotten" {
	touch .co-cli/.gitignore
	save 2 '[]' 'Two.'
	commit two 2026-02-02
	save 2 '[]' 'Two, edited.'
	save 3 '[]' 'Three.'
	save 4 '[]' 'Four.'
	commit more 2026-02-03
	git sparse-checkout set --no-cone '/*' "!/$memories/00[123]-m.md" ||
		skip 'git has no sparse checkout'
	[ ! -e "$memories/002-m.md" ]
	run -1 co knowledge --diff
	expect </dev/null
	run -0 co log
	[[ $output != *forgotten* ]]
	run -0 co log 2
	told
	expect <<-'END'
		2026-02-03  Ada  edited: body +1 -1
		2026-02-02  Ada  learned
	END
	run -0 co blame 2
	[[ $output == *'Two, edited.' ]]
	run -0 co knowledge --diff HEAD~
	expect <<-'END'
		2 edited: body +1 -1 (Two, edited.)
		3 learned (Three.)
		4 learned (Four.)
		context: 0 of 7168 bytes (+0)
	END
	run -0 co knowledge --check --since=HEAD~
	# A file inside the sparse checkout that is missing is forgotten.
	rm "$memories/004-m.md"
	run -0 co knowledge --diff
	[[ $output == '4 forgotten'* ]]
	# A file that was written by hand counts.
	save 3 '[]' 'Three, by hand.'
	run -0 co knowledge --diff
	[[ $output == '3 edited: body +1 -1'*'4 forgotten'* ]]
}

@test "co log works in a shallow clone and in a repository without commits" {
	save 1 '[deploy]' "$body"
	commit edit 2026-02-02
	git clone -q --depth 1 "file://$PWD" ../shallow
	cd ../shallow
	run -0 co log 1
	told
	expect <<<'2026-02-02  Ada  learned'
	rm -rf .git
	git init -q .
	run -0 co log 1
	told
	expect <<<'2026-01-01  -  -  learned'
}

@test "co log and co blame escape names of authors and files" {
	save 1 '[]' $'\e[31mred'
	commit evil 2026-02-02 $'Ev\e[2Jil'
	run -0 co log
	[[ $output != *$'\e'* && $output == *'Ev^[[2Jil'* ]]
	run -0 co blame 1
	[[ $output != *$'\e'* ]]
}

@test "a store that is a submodule has a separate history" {
	git mv -k .co-cli/* .
	rmdir -p .co-cli 2>/dev/null || :
	commit moved 2026-02-01
	git init -q ../code
	cd ../code
	git -c protocol.file.allow=always submodule --quiet add ../project .co-cli
	save 2 '[]' 'Ask Bob.'
	git -C .co-cli config user.email ada@example.org
	(cd .co-cli && commit two 2026-02-03)
	run -0 co log 2
	told
	expect <<<'2026-02-03  Ada  learned'
	run -0 co blame 2
	[[ ${lines[7]} == *'  Ada  2026-02-03  user-told    8  Ask Bob.' ]]
	run -0 co knowledge --diff HEAD~
	[[ $output == '2 learned (Ask Bob.)'* ]]
	run -0 co knowledge --check --since=HEAD
	run -1 co knowledge --diff
}

@test "settings of git do not change the output of co log" {
	save 1 '[deploy]' "$body"
	commit edit 2026-02-02
	mkdir -p below/.co-cli
	(
		cd below
		save 2 '[]' Below.
		commit below 2026-02-03
	)
	for set in log.showRoot=false diff.relative=true log.follow=true \
		diff.renames=copies diff.noprefix=true core.abbrev=4 \
		core.quotePath=true color.ui=always log.date=relative \
		diff.orderFile=/etc/passwd log.diffMerges=on \
		core.worktree=/nowhere core.bare=true; do
		git config "${set%%=*}" "${set#*=}"
		run -0 co log 1
		told
		expect <<-'END'
			2026-02-02  Ada  edited: tags +deploy -ops
			2026-02-01  Ada  learned
		END
		run -0 bash -c 'cd below && co log'
		told
		expect <<<'2026-02-03  Ada  2 learned (Below.)'
		run -0 co knowledge --diff HEAD~2..HEAD
		[[ $output == '1 edited: tags +deploy -ops '* ]]
		run -0 co knowledge --check --since=HEAD
		sed -i '/worktree = /d; s/bare = true/bare = false/' .git/config
		git config --unset "${set%%=*}" || :
	done
}

@test "co runs nothing of a repository that a clone contains" {
	printf '#!/bin/sh\ntouch "%s/was-run"\n' "$PWD" >evil
	chmod +x evil
	for dir in . .co-cli; do
		(
			mkdir -p sub/.co-cli
			cp -R .co-cli sub
			cd "sub/$dir"
			mkdir objects refs
			echo 'ref: refs/heads/main' >HEAD
			printf '[core]\nbare = false\nworktree = .\nfsmonitor = %s\n' \
				"$OLDPWD/evil" >config
		)
		(
			cd sub
			run -0 co log 1
			for c in resolve 'setup git -y' \
				'knowledge --check --fix --keep=HEAD'; do
				# shellcheck disable=SC2086 # words are meant
				run ! co $c
			done
		)
		[ ! -e was-run ]
		rm -r sub
	done
}

@test "co log takes odd file names and refs that look like options" {
	save 7 '[]' 'Seven.' $'007-a\n\e[31mb.md'
	save 8 '[]' 'Eight.' $'008-\t"q".md'
	commit names 2026-02-02
	git update-ref refs/heads/--output=pwned HEAD
	git update-ref refs/heads/-x HEAD
	for id in 7 8; do
		run -0 co log "$id"
		told
		expect <<<'2026-02-02  Ada  learned'
		run -0 co blame "$id"
		[[ $output != *$'\e'* ]]
	done
	run -0 co log --json
	[ "$(jq -s length <<<"$output")" = 3 ]
	run -0 co knowledge --diff HEAD~..HEAD
	[[ $output == *'7 learned (Seven.)'$'\n''8 learned (Eight.)'$'\n'* ]]
	for rev in --output=pwned -x --; do
		run -2 co knowledge --diff "..$rev"
		run -2 co knowledge --check --since="$rev"
	done
	run -0 co knowledge --check --since=refs/heads/-x
	[ ! -e pwned ]
}

@test "co log exits 6 without git in a repository, and works without one" {
	mkdir ../bin
	ln -s "$CO_BIN"/co* ../bin
	PATH=$BATS_TEST_TMPDIR/bin run -6 co log 1
	expect <<<"co-log: no program 'git'"
	PATH=$BATS_TEST_TMPDIR/bin run -6 co blame 1
	PATH=$BATS_TEST_TMPDIR/bin run -6 co knowledge --diff
	rm -rf .git
	PATH=$BATS_TEST_TMPDIR/bin run -0 co log 1
	told
	expect <<<'2026-01-01  -  -  learned'
}

# bats test_tags=slow
@test "co log reads a history of thousands of commits" {
	git config gc.auto 0
	perl -e '
		for my $n (1 .. 2000) {
			my $id = 10 + $n % 200;
			my $text = "---\nid: $id\ncreated: 2026-01-01T00:00:00Z\n"
				. "tags: [t$n]\n---\n\nFact $id\n";
			printf "commit refs/heads/many\ncommitter Ada <a\@b> %d "
				. "+0000\ndata 1\nx\n", 1770000000 + $n;
			printf "M 100644 inline .co-cli/knowledge/memories/"
				. "%03d-m.md\ndata %d\n%s\n", $id,
				length $text, $text;
		}' | git fast-import --quiet
	git switch -q many
	run -0 co log 10
	[ "${#lines[@]}" = 10 ]
	[[ ${lines[0]} == *'edited: tags +t2000 -t1800' ]]
	run -0 co log
	[ "${#lines[@]}" = 2000 ]
}

# calls NAME COMMAND...: write the files that COMMAND opens to the file NAME.
calls() {
	strace -f --seccomp-bpf -qq -s 200 -e trace=openat,execve -o "$1" "${@:2}" >/dev/null
}

@test "co log does not read committed files that it does not print" {
	need_strace
	local i
	for ((i = 100; i < 400; i++)); do
		save "$i" '[]' "Fact $i."
	done
	touch -d 2026-01-05T00:00:00Z "$memories"/*.md
	commit many 2026-02-02
	sleep 0.1
	git update-index -q --refresh
	co-memory-list >/dev/null
	run -0 calls opened co log -n 5
	# That holds for the work tree and for git's objects, each a file.
	[ "$(grep -c 'memories/.*\.md"\|[0-9]*-m\.md"' opened)" -le 10 ]
	[ "$(grep -c 'objects/[0-9a-f][0-9a-f]/[0-9a-f]' opened)" -le 100 ]
	[ "$(grep -c 'execve(.*git' opened)" -le 8 ]
	run -1 calls opened co knowledge --diff
	[ "$(grep -c '[0-9]*-m\.md"' opened)" -le 10 ]
	# A file that changed after git looked at it is read.
	save 150 '[]' 'Fact 151.'
	touch -d 2026-01-05T00:00:00Z "$memories/150-m.md"
	run -0 co knowledge --diff
	[[ $output == '150 edited: body +1 -1 (Fact 151.)'* ]]
	# No index is needed.
	co log -n 5 >before
	for broken in '' 'DIRC 05'; do
		printf '%s' "$broken" >.git/index
		co log -n 5 | diff -u before -
	done
}

@test "co log sorts by time within a commit and among uncommitted changes" {
	save 2 '[ops]' Two.
	save 3 '[ops]' Three.
	commit two 2026-02-02
	run -0 co log -n 2
	told
	expect <<-'END'
		2026-02-02  Ada  3 learned (Three.)
		2026-02-02  Ada  2 learned (Two.)
	END
	save 2 '[ops]' 'Two and more.'
	save 3 '[ops]' 'Three and more.'
	touch -d 2026-02-04T12:00:00Z "$memories/002-m.md"
	touch -d 2026-02-03T12:00:00Z "$memories/003-m.md"
	run -0 co log -n 2
	[[ ${lines[0]} == 2026-02-04*Two* && ${lines[1]} == 2026-02-03*Three* ]]
	# A comparison is sorted by id.
	run -0 co knowledge --diff HEAD~
	[[ $output == *Two*Three* ]]
}

# bats test_tags=rights
@test "co log does not report an unreadable file as forgotten" {
	[ "$(id -u)" -ne 0 ] || skip 'root reads everything'
	mkdir -p .co-cli/knowledge/articles
	printf -- '---\ntitle: A\nsource: https://example.org/a\n---\n\n# A\n\nText.\n' >.co-cli/knowledge/articles/a.md
	commit article 2026-02-02
	chmod 0 .co-cli/knowledge/articles
	run -4 co log
	[[ $output == "co-log: cannot open '$PWD/.co-cli/knowledge/articles': Permission denied" ]]
	run -4 co knowledge --diff
	chmod 755 .co-cli/knowledge/articles
	chmod 0 .co-cli/knowledge/articles/a.md
	run --separate-stderr co log
	[[ $output != *forgotten* ]]
	[ "$stderr" = "co-log: cannot open '$PWD/.co-cli/knowledge/articles/a.md': Permission denied" ]
	run --separate-stderr co knowledge --diff
	[[ $output != *forgotten* ]]
}

# bats test_tags=rights
@test "commands report an unreadable memory and do not call it missing" {
	[ "$(id -u)" -ne 0 ] || skip 'root reads everything'
	mkdir ../plain
	cd ../plain
	co learn -q 'one thing'
	chmod 0 "$memories/001-one-thing.md"
	for command in 'log 1' 'blame 1' log 'log --since=2020'; do
		# shellcheck disable=SC2086
		run -4 co $command
		expect <<<"co-${command%% *}: cannot open '$PWD/$memories/001-one-thing.md': Permission denied"
	done
	run -4 --separate-stderr co show thing
	[[ $stderr == *"co-show: no memory that could be read has 'thing'"* ]]
}

@test "on a terminal co log has no columns of authors and commits without git" {
	need_terminal
	mkdir ../plain
	cd ../plain
	co learn -q 'one thing'
	terminal 0 '' 'co log'
	expect <<<'2026-02-09  1 learned (one thing)'
	run -0 co log
	expect <<<'2026-02-09  -  -          1 learned (one thing)'
}

@test "co log and co undo name a memory by its heading and the line after it" {
	co learn -q $'# Docker\n\nUse compose v2.'
	co learn -q $'To reset it:\n\ndropdb shop'
	run -0 co log -n 2
	[[ ${lines[0]} == *' learned (To reset it: dropdb shop)' ]]
	[[ ${lines[1]} == *' learned (Docker: Use compose v2.)' ]]
	[ "$(co log -n 1 --json | jq -r .summary)" = 'To reset it:' ]
	run -0 co undo --list -n 2
	[[ ${lines[0]} == *'memory 3: To reset it: dropdb shop' ]]
	[[ ${lines[1]} == *'memory 2: Docker: Use compose v2.' ]]
	co learn -q "# ${word:=$(printf 'word %.0s' {1..30})}"
	run -0 co log -n 1
	[[ $output == *"(${word:0:77}...)" ]]
}

@test "on a terminal co log and co undo --list cut each line at its width" {
	need_terminal
	co learn -q 'The checkout service times out after many seconds'
	terminal 0 '' 'stty cols 40; co log -n 1'
	[[ $output == *'…' && ${#output} -le 42 && $output != *$'\n'* ]]
	terminal 0 '' 'stty cols 60; co undo --list'
	[[ $output == *'+memory 2: The'*'…' && ${#output} -le 62 ]]
	run -0 co log -n 1
	[[ $output == *'after many seconds)' ]]
	run -0 co undo --list
	[[ $output == *'after many seconds' ]]
}
