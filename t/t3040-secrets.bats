#!/usr/bin/env bats
# Secrets are kept out of memories, output and file names.
load lib

# The token is put together here, so that this file contains no secret.
setup() {
	world
	mkdir .co-cli
	body=mD2ThFNpL5rTqWx7Kb9Yc4Zs8Vg1Hj3Qe6Ra
	token=gh''p_$body
	refused="refusing to save what looks like a secret:"
	leave="use --allow-secret if it is not one"
}

# nothing_leaked: check that nothing that was written or printed has the token.
nothing_leaked() {
	run ! grep -riF "$body" .co-cli "$HOME"
	# File names are in lower case.
	run -0 find .co-cli "$HOME" -iname "*${body:0:20}*"
	[ -z "$output" ]
}

@test "a save with a secret is refused with the rule and the line" {
	run -3 co-memory-save <<-EOT
		Deploys need a token,
		which is $token, and a VPN.
	EOT
	expect <<-EOT
		co-memory-save: $refused github-token (line 2): $leave
	EOT
	[ ! -e $memories ]
	run -3 co-memory-save <<<"$token"
	expect <<-EOT
		co-memory-save: $refused github-token (line 1): $leave
	EOT
	nothing_leaked
}

@test "a command without --allow-secret does not suggest it" {
	echo one | co-memory-save >/dev/null
	run -3 co-memory-tag --add="$token" 1
	expect <<<"co-memory-tag: $refused github-token (tag)"
	run -3 co-tasks add "the $token"
	expect <<<"co-tasks: $refused github-token (item 1 of tasks_open)"
	for command in memory-tag tasks; do
		run -2 "co-$command" --allow-secret
	done
	nothing_leaked
}

@test "drafts and the user store refuse secrets" {
	run -3 co-memory-save --draft <<<"$token"
	run -3 co-memory-save --global <<<"$token"
	nothing_leaked
}

@test "--allow-secret saves a secret" {
	run -0 co-memory-save --allow-secret <<<"it is $token"
	run -0 co-memory-show 1
	[[ $output == *"$token"* ]]
	run -0 co learn --allow-secret "again $token"
	run -0 co learn --always --allow-secret "always $token"
	run -0 grep -c "$body" .co-cli/knowledge/context.md
	expect <<<1
}

@test "secrets in tags, source and time are refused and never printed" {
	run -3 co-memory-save -t one -t "$token" <<<text
	expect <<-EOT
		co-memory-save: $refused github-token (tag 2): $leave
	EOT
	run -3 co-memory-save -t "$token$token, a tag too long" <<<text
	[[ $output != *$body* ]]
	run -3 co-memory-save --source "$token" <<<text
	expect <<-EOT
		co-memory-save: $refused github-token (source): $leave
	EOT
	run -3 co-memory-save --created "$token" <<<text
	[[ $output != *$body* ]]
	nothing_leaked
}

@test "lines of a batch with a secret are reported, and the others saved" {
	run -3 co-memory-save --batch <<-EOT
		{"content":"one"}
		{"content":"a\\nb $token"}
		{"content":"x","tags":["$token"]}
		{"content":"x","note":{"by":["$token"]}}
		{"content":"x","db":{"password":"Tr0ub4dor&3"}}
		{"content":"x","$token":1}
		{"content":"two"}
	EOT
	expect <<-EOT
		$PWD/$memories/001-one.md
		co-memory-save: '-':2: $refused github-token (line 2): $leave
		co-memory-save: '-':3: $refused github-token (tag 1): $leave
		co-memory-save: '-':4: $refused github-token (frontmatter): $leave
		co-memory-save: '-':5: $refused assigned-password (frontmatter): $leave
		co-memory-save: '-':6: $refused github-token (frontmatter): $leave
		$PWD/$memories/002-two.md
	EOT
	nothing_leaked
	run -0 co-memory-save --batch --allow-secret <<<"{\"content\":\"$token\"}"
}

@test "co learn refuses a secret with and without --always, and saves nothing" {
	run -3 co learn "the token is $token"
	expect <<-EOT
		co-learn: $refused github-token (line 1): $leave
	EOT
	run -3 co learn -t "$token" text
	run -3 co learn --always "the token is $token"
	expect <<-EOT
		co-learn: $refused github-token (line 1): $leave
	EOT
	run -3 co learn - <<<"password: Tr0ub4dor&3"
	expect <<-EOT
		co-learn: $refused assigned-password (line 1): $leave
	EOT
	[ ! -e .co-cli/knowledge/context.md ]
	nothing_leaked
}

@test "an edit that adds a secret is refused and kept privately" {
	memory 1 2026-01-01T00:00:00Z '' <<<'old text'
	cp $memories/001-m.md before
	export EDITOR="sed -i 's/old/$token/'"
	run -3 co edit 1
	[[ ${lines[0]} == "co-edit: $refused github-token (line 8): $leave" ]]
	[[ ${lines[1]} == *"the edit is kept in '$HOME/.local/state/co-cli/"* ]]
	[[ $output != *$body* ]]
	cmp before $memories/001-m.md
	kept=${lines[1]#*\'} kept=${kept%\'}
	[ "$(stat -c %a "$kept" "${kept%/*}")" = $'600\n700' ]
	run -0 co edit --allow-secret 1
	grep -q "$token" $memories/001-m.md
}

@test "an edit may keep a secret that the file already had" {
	memory 1 2026-01-01T00:00:00Z '' <<<"old $token"
	EDITOR='sed -i s/old/new/' run -0 co edit 1
	grep -q "new $token" $memories/001-m.md
	export EDITOR="sed -i s/new/AK""IAQWERTY7PLKJ2MNBV/"
	run -3 co edit 1
	[[ $output == *"aws-access-key (line 8)"* ]]
}

@test "co context --edit refuses a secret" {
	printf '# Project\n\nold\n' >new
	EDITOR='cp new' run -0 co context --edit
	export EDITOR="sed -i 's/old/$token/'"
	run -3 co context --edit
	[[ $output == *"$refused github-token (line "*"$leave"* ]]
	[[ $output != *$body* ]]
	run ! grep "$body" .co-cli/knowledge/context.md
	run -2 co context --allow-secret
	run -0 co context --edit --allow-secret
	run -0 grep -c "$body" .co-cli/knowledge/context.md
	expect <<<1
}

@test "the check reports secrets in existing files and never prints them" {
	memory 1 2026-01-01T00:00:00Z '' <<-EOT
		The token is $token.

		postgres://app:Tr0ub4dor3@db.corp.net/app
	EOT
	memory 2 2026-01-01T00:00:00Z '' $drafts/002-d.md <<<"key $token"
	printf 'use %s\n' "$token" >.co-cli/knowledge/context.md
	run -3 co knowledge --check
	expect <<-EOT
		'$PWD/$memories/001-m.md':8:14: looks like a secret: github-token
		    remedy: take it out and revoke it: git keeps what was committed
		'$PWD/$memories/001-m.md':10:9: looks like a secret: url-password
		    remedy: take it out and revoke it: git keeps what was committed
		'$PWD/$drafts/002-d.md':8:5: looks like a secret: github-token
		    remedy: take it out and revoke it: git keeps what was committed
		'$PWD/.co-cli/knowledge/context.md':1:5: looks like a secret: github-token
		    remedy: take it out and revoke it: git keeps what was committed
		4 faults found
	EOT
	run -3 co-knowledge-check --json
	[[ $output != *$body* ]]
	run -0 jq -rs 'map(.fault) | unique[]' <<<"$output"
	expect <<<secret
}

@test "removal and restore do not need --allow-secret" {
	memory 1 2026-01-01T00:00:00Z '' <<<"$token"
	run -0 co-memory-remove 1
	run -0 co-memory-restore 1
	grep -q "$token" $memories/001-m.md
}

@test "text that only mentions secrets is saved" {
	run -0 co-memory-save --batch <<-'EOT'
		{"content":"The password is required; tokens expire in an hour."}
		{"content":"Use password = os.environ['DB_PASSWORD'] and ${TOKEN}."}
		{"content":"commit 3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39 broke tokens"}
		{"content":"postgres://postgres:postgres@localhost:5432/app"}
		{"content":"Пароль: смотри в хранилище; 密码在保险库里"}
	EOT
	[ "${#lines[@]}" = 5 ]
}

@test "the manual lists every rule" {
	# The keys of services have no description, and a line has several.
	awk '/^# / { services = /^# KEYS OF SERVICES/ }
		/^```/ { block = !block; next }
		block && services { for (i = 1; i <= NF; i++) print $i; next }
		block && /^[a-z0-9]+(-[a-z0-9]+)* / { print }' \
		"$CO_SOURCE/Documentation/co-secrets.5.scd" >page
	"$CO_BIN/../t/tool/text/secrets" --list | expand -t 24 >table
	diff -u table <(grep -v '^refusing' page)
}
