#!/usr/bin/env bats
# co-secret-find: the places of what looks like a secret.
load lib

# Not written in one piece, so that nobody takes this file for a leak.
token() {
	printf 'ghp_%s' aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5
}

@test "each line that holds a secret is named, by file, line and column" {
	printf 'é %s %s\n\nx\n%s' "$(token)" "$(token)" "$(token)" >a
	echo 'honest text' >b
	run -0 co-secret-find a b
	expect <<-END
		'a':1:3: looks like a secret: github-token
		'a':4:1: looks like a secret: github-token
	END
	run -0 co-secret-find <a
	[ "${lines[1]}" = "'-':4:1: looks like a secret: github-token" ]
	run -0 co-secret-find b - <a
	[ "${#lines[@]}" = 2 ]
}

@test "what was found is not printed" {
	token >a
	run -0 co-secret-find a
	[[ $output != *aB3d* ]]
}

@test "nothing found is status 1 and silence" {
	echo 'honest text' >b
	run -1 co-secret-find b
	expect </dev/null
	run -1 co-secret-find </dev/null
	: >empty
	run -1 co-secret-find empty
}

@test "what cannot be read is told, and the rest is searched" {
	token >a
	run -4 co-secret-find nothing . a
	[[ $output == *"cannot open 'nothing'"* ]]
	[ "${lines[-1]}" = "'a':1:1: looks like a secret: github-token" ]
	truncate -s 65M big
	run -3 co-secret-find big a
	[ "${#lines[@]}" = 2 ]
}

@test "binary files and lines without end are searched" {
	{ head -c 100000 /dev/zero; token; printf '\0\377'; token; } >a
	run -0 co-secret-find a
	[ "${lines[0]}" = "'a':1:100001: looks like a secret: github-token" ]
}

@test "names cannot act on the terminal behind a pipe" {
	token >"$(printf 'a\033[2J\nb')"
	run -0 co-secret-find a*
	expect <<<"'a^[[2J^Jb':1:1: looks like a secret: github-token"
}
