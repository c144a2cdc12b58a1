#!/usr/bin/env bats
# The format number of a store, and how an older program treats a newer store.
load lib

setup() {
	world
	settings=.co-cli/settings.json
}

# newer: mark the store as written by a newer program.
newer() {
	echo '{"format": 3, "recall": {"max_results": 3}}' >$settings
}

@test "co init and the first write record the format" {
	co-init >/dev/null
	[ "$(jq -c 'del(.project)' $settings)" = '{"format":1}' ]
	rm -r .co-cli
	co-memory-save <<<one
	[ "$(jq -c 'del(.project)' $settings)" = '{"format":1}' ]
	co-memory-save --global <<<one 2>/dev/null || co learn --global one
	[ "$(jq -c . "$global/settings.json")" = '{"format":1}' ]
	[ "$(stat -c %a "$global/settings.json")" = 600 ]
}

@test "co leaves an existing settings file unchanged" {
	mkdir .co-cli
	echo '{"recall": {"max_results": 3}}' >$settings
	co-memory-save <<<one
	diff - $settings <<<'{"recall": {"max_results": 3}}'
	run -0 --separate-stderr co-status
	[ "$stderr" = "" ]
}

@test "co reads a store of a higher format but never writes to it" {
	local command
	co learn one
	co learn two
	echo three | co-memory-save --draft
	co forget -y 2 >/dev/null
	newer
	find .co-cli -printf '%p %T@ %i\n' | sort >before
	for command in 'co learn four' 'co learn --always four' \
		'co forget -y 1' 'co forget --undo' 'co-memory-remove 1' \
		'co knowledge --check --fix' 'co review --accept 3' co-init \
		'co-memory-save --draft' 'co-memory-save --batch'; do
		run -4 --separate-stderr $command <<<'{"content":"x"}'
		[[ $stderr == *"'$PWD/.co-cli' has format 3, and this co ("*") writes format 2: install one that knows format 3"* ]]
		find .co-cli -printf '%p %T@ %i\n' | sort | diff before -
	done
	[ "$(co-memory-show --json 1 | jq -r .content)" = one ]
	run -0 --separate-stderr co recall one
	[[ $output == *one* ]]
	run -0 --separate-stderr co-status
	[[ $stderr == *"setting 'format' is 3: this co knows 2, reads what it can and changes nothing"* ]]
}

@test "co init --private changes no git exclude for a newer store" {
	mkdir -p .git/info
	co-init >/dev/null
	newer
	run -4 co-init --private
	[ ! -e .git/info/exclude ]
}

@test "co refuses a malformed format number, but tolerates malformed JSON" {
	co learn one
	for format in '"2"' 0 -1 1.5 null '[1]'; do
		echo "{\"format\": $format}" >$settings
		run -3 --separate-stderr co learn two
		[[ $stderr == *"setting 'format' must be a whole number" ]]
	done
	echo '<<<<<<< HEAD' >$settings
	co learn two
	ln -sf /dev/null $settings
	co learn three
}
