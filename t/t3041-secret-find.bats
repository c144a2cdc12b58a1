#!/usr/bin/env bats
# co-secret-find: the places of text that looks like a secret.
load lib

# The token is put together here, so that no scanner takes this file for a leak.
token() {
	printf 'ghp_%s' aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5
}

@test "each line with a secret is reported with file, line and column" {
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

@test "co-secret-find does not print the secret" {
	token >a
	run -0 co-secret-find a
	[[ $output != *aB3d* ]]
}

@test "co-secret-find exits 1 and prints nothing if there is no secret" {
	echo 'honest text' >b
	run -1 co-secret-find b
	expect </dev/null
	run -1 co-secret-find </dev/null
	: >empty
	run -1 co-secret-find empty
}

@test "an unreadable file is reported, and the rest is searched" {
	token >a
	run -4 co-secret-find nothing . a
	[[ $output == *"cannot open 'nothing'"* ]]
	[ "${lines[-1]}" = "'a':1:1: looks like a secret: github-token" ]
	truncate -s 65M big
	run -3 co-secret-find big a
	[ "${#lines[@]}" = 2 ]
}

@test "binary files and very long lines are searched" {
	{ head -c 100000 /dev/zero; token; printf '\0\377'; token; } >a
	run -0 co-secret-find a
	[ "${lines[0]}" = "'a':1:100001: looks like a secret: github-token" ]
}

@test "file names cannot act on the terminal through a pipe" {
	token >"$(printf 'a\033[2J\nb')"
	run -0 co-secret-find a*
	expect <<<"'a^[[2J^Jb':1:1: looks like a secret: github-token"
}

@test "a FIFO operand is read after its writer opens it" {
	mkfifo pipe
	token >line
	(sleep 0.3; timeout 60 cp line pipe) 3>&- &
	run -0 timeout 60 co-secret-find pipe
	expect <<<"'pipe':1:1: looks like a secret: github-token"
	wait
}
