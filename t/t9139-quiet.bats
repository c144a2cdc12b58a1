#!/usr/bin/env bats
# -q prints no report, and -n changes nothing.
load lib

@test "-q does the work and prints only errors" {
	for words in 'init -q' 'learn -q one' 'learn -q --global two' \
		'memory-remove -q 1' 'memory-restore -q 1' 'tag -q +x 1' \
		'index-update -q' 'knowledge --check -q' 'forget -q -y 1' \
		'forget -q --undo' 'learn -q --always always'; do
		# shellcheck disable=SC2086
		run -0 co $words
		expect </dev/null
	done
	co-memory-save -q <<<three | diff /dev/null -
	[ "$(co list --format='%(content)' | sort | tr '\n' ' ')" = 'one three two ' ]
	run -1 --separate-stderr co-memory-remove -q 9
	[ "$stderr" = "co-memory-remove: no memory '9'" ]
	run -2 co knowledge --list -q
	echo '---' >$memories/009.md
	run -3 co-knowledge-check -q
	expect </dev/null
}

@test "co-memory-remove -n and co-memory-restore -n print the files to move" {
	memory 1 2026-02-01T00:00:00Z '' <<<one
	memory 2 2026-02-01T00:00:00Z '' <<<two
	tree .co-cli >before
	run -0 co-memory-remove -n 1 2
	expect <<<"$PWD/$memories/001-m.md
$PWD/$memories/002-m.md"
	tree .co-cli | diff before -
	run -1 co-memory-remove -n 7
	co-memory-remove -q 1
	tree .co-cli >before
	run -0 co-memory-restore -n 1
	[[ $output == "$PWD/$trash/"*/001-m.md ]]
	tree .co-cli | diff before -
}

@test "--fix -n prints the repairs that --fix makes" {
	memory 4 2026-02-01T00:00:00Z '' $memories/a.md <<<one
	memory 4 2026-02-02T00:00:00Z '' $memories/b.md <<<two
	echo plain >$memories/c.md
	tree .co-cli >before
	run -3 --separate-stderr co knowledge --check --fix -n
	tree .co-cli | diff before -
	[ "$(grep -c '^would repair' <<<"$output")" = 2 ]
	sed -n 's/^would repair/repaired/p' <<<"$output" >would
	run -0 co knowledge --check --fix
	grep '^repaired' <<<"$output" | diff would -
	run -2 co knowledge --check -n
	run -2 co-knowledge-check -n
}

@test "--batch -n checks each line and saves none" {
	run -3 --separate-stderr co-memory-save --batch -n <<-'END'
		{"content":"first line\nsecond"}
		{"content":""}
		{"content":"x","tags":["a,b"]}
		{"content":"third"}
	END
	expect <<<$'first line\nthird'
	[ "${#stderr_lines[@]}" = 2 ]
	[ ! -e .co-cli ]
	co-memory-save -n <<<text | diff - <(echo text)
	run -3 co-memory-save -n <<<"gh""p_mD2ThFNpL5rTqWx7Kb9Yc4Zs8Vg1Hj3Qe6Ra"
	[ ! -e .co-cli ]
}

@test "import, review, edit and resolve print only errors with -q" {
	echo '{"memory":"One"}' >m.json
	run -0 --separate-stderr co import -q mem0 m.json
	expect </dev/null
	run -0 --separate-stderr co review -q --accept 1
	expect </dev/null
	run -2 co review -q
	[[ $output == *'--json and --quiet require --accept or --reject'* ]]
	EDITOR='sed -i s/One/Two/' run -0 co edit -q 1
	expect </dev/null
	grep -q Two "$memories/001-one.md"
	git init -q .
	run -0 co resolve -q
	expect <<<'co-resolve: no merge is in progress'
}
