#!/usr/bin/env bats
# co config prints and changes settings.
load lib
load terminal

setup() {
	world
	mkdir -p .co-cli "$global"
	project=.co-cli/settings.json
	user=$global/settings.json
}

@test "co config prints a setting, or its default if it is not set" {
	run -0 co config recall.max_results
	expect <<<5
	run -1 co config embed.model
	expect </dev/null
	echo '{"recall": {"max_results": 7}}' >"$user"
	run -0 co config recall.max_results
	expect <<<7
	echo '{"recall.max_results": 9}' >$project
	run -0 co config recall.max_results
	expect <<<9
	run -0 co config --global recall.max_results
	expect <<<7
}

@test "co config lists the settings that a file sets, and with --list all" {
	run -0 --separate-stderr co config
	expect </dev/null
	[ "$stderr" = "hint: 'co config --list' shows the settings: none is changed" ]
	echo '{"recall.max_results": 9}' >$project
	echo '{"llm.api": "anthropic"}' >"$user"
	run -0 --separate-stderr co config
	expect <<-'END'
		llm.api=anthropic
		recall.max_results=9
	END
	[ "$stderr" = "hint: 'co config --list' shows all settings" ]
	run -0 --separate-stderr co config --global --show-origin
	expect <<<"$user	llm.api=anthropic"
	[ "$stderr" = "hint: 'co config --global --list' shows all settings" ]
	run -0 --separate-stderr co config --list
	[[ $output == *$'\nhook.recall=off\n'* && -z $stderr ]]
	run -0 bash -c 'co config --list --show-origin | grep -E "recall|llm.api|approval"'
	expect <<-END
		default	hook.recall=off
		$user	llm.api=anthropic
		$PWD/$project	recall.max_results=9
		default	remote.recall=off
		default	save.approval=ask
	END
	run -0 co config --show-origin recall.max_results
	expect <<<"$PWD/$project	9"
}

@test "co config writes a setting and preserves comments and order" {
	cat >$project <<-'END'
		{
			// the format
			"format": 1,
			"recall": { "max_results": 3 /* few */ },
			"other": [1, 2],
		}
	END
	run -0 --separate-stderr co config recall.max_results 12
	expect </dev/null
	diff -u - $project <<-'END'
		{
			// the format
			"format": 1,
			"recall": { "max_results": 12 /* few */ },
			"other": [1, 2],
		}
	END
	run -0 co config recall.max_results
	[ "${lines[-1]}" = 12 ]
	co config --global embed.model nomic
	[ "$(jq -c .embed "$user")" = '{"model":"nomic"}' ]
	[ "$(stat -c %a "$user")" = 600 ]
	co config --global synonyms 'fe=frontend db=database'
	co config --global embed.command '["my embed", "-x"]'
	[ "$(co config synonyms)" = '["fe=frontend","db=database"]' ]
	[ "$(co config embed.command)" = '["my embed","-x"]' ]
}

@test "co config refuses a number out of range, and confirms on a terminal" {
	for value in 0 1001 9000; do
		run -2 co config recall.max_results $value
		[[ ${lines[0]} == *"must be a whole number from 1 to 1000, not '$value'" ]]
	done
	[ ! -e $project ]
	need_terminal
	terminal 0 '' 'co config recall.max_results 9; co config --global embed.model x; co config --unset recall.max_results'
	expect <<-'END'
		✓ recall.max_results is 9 (project)
		✓ embed.model is x (user)
		✓ recall.max_results is 5 (default)
	END
}

@test "co config takes an amount with decimals" {
	co config --global llm.price_in 0.25
	[ "$(co config llm.price_in)" = 0.25 ]
	grep -q '"price_in": 0.25' "$user"
	for value in x 1000000; do
		run -2 co config --global llm.price_in "$value"
		[[ ${lines[0]} == *"must be a number from 0 to 999999, not '$value'" ]]
	done
}

@test "co config writes a key once, as a dotted key or in an object" {
	echo '{"recall.max_results": 3, "a": 1}' >$project
	co config recall.max_results 4
	diff - $project <<<'{"recall.max_results": 4, "a": 1}'
	echo '{"recall": {"max_results": 3}, "recall.max_results": 8}' >$project
	co config recall.max_results 4
	diff - $project <<<'{"recall": {"max_results": 4}}'
	co config --unset recall.max_results
	[ "$(jq -c . $project)" = '{}' ]
	run -1 co config --unset recall.max_results
	expect <<<"co-config: 'recall.max_results' is not set there"
}

@test "co config refuses an invalid setting and writes nothing" {
	echo '{"format": 1}' >$project
	for value in 0 x 1.5 '"5"' 1000000 ''; do
		run -2 co config recall.max_results "$value"
		[[ ${lines[0]} == *"must be a whole number from 1 to 1000, not '$value'" ]]
	done
	run -2 co config --global llm.api best
	[ "${lines[0]}" = "co-config: setting 'llm.api' must be one of openai|anthropic, not 'best'" ]
	run -2 co config save.approval client
	[ "${lines[0]}" = "co-config: setting 'save.approval' counts in the user's settings only: add --global" ]
	run -2 co config max_results 7
	[ "${lines[0]}" = "co-config: no setting 'max_results': did you mean 'recall.max_results'?" ]
	for key in recall.maxresults recal.max_results max-results; do
		run -2 co config $key
		expect <<<"co-config: no setting '$key': did you mean 'recall.max_results'?"
	done
	run -2 co-config recall
	[[ $output == "co-config: no setting 'recall': did you mean '"*"', '"*"'?" ]]
	[[ $output == *"'hook.recall'"* && $output == *"'recall.max_results'"* ]]
	run -2 co config editor vi
	[ "${lines[0]}" = "co-config: no setting 'editor': 'co config --list' lists them" ]
	run -2 co config format 2
	[ "${lines[0]}" = "co-config: no setting 'format': 'co config --list' lists them" ]
	run -2 co config project.id x
	[[ ${lines[0]} == *"must be 20 characters of a to z and 2 to 7, not 'x'" ]]
	run -2 co config --global llm.key_file relative/path
	[[ ${lines[0]} == *"must be an absolute path, not 'relative/path'" ]]
	diff - $project <<<'{"format": 1}'
	[ ! -e "$user" ]
}

@test "co config does not write a file that is malformed or of another format" {
	echo '{"recall": ' >$project
	run -3 co config recall.max_results 7
	[[ $output == "co-config: '$PWD/$project':"* ]]
	diff - $project <<<'{"recall": '
	echo '{"format": 3}' >$project
	run -4 co config recall.max_results 7
	diff - $project <<<'{"format": 3}'
}

@test "co config makes a missing store and reports it" {
	rm -r .co-cli "$global"
	run -1 co config --unset recall.max_results
	[ ! -e .co-cli ]
	run -0 co config recall.max_results 7
	[[ $output == "co-config: made '$PWD/.co-cli'"* ]]
	[ "$(jq -c 'del(.project)' $project)" = '{"format":1,"recall":{"max_results":7}}' ]
	run -0 co config --global recall.max_results 8
	[ "${lines[-1]}" = "co-config: in this project its own settings say '7'" ]
	[ "$(jq -c . "$user")" = '{"format":1,"recall":{"max_results":8}}' ]
}

@test "co config writes through a link of the user and refuses the project's" {
	mkdir dotfiles
	echo '{}' >dotfiles/settings.json
	ln -s "$PWD/dotfiles/settings.json" "$user"
	co config --global recall.max_results 6
	[ -L "$user" ]
	[ "$(jq -c . dotfiles/settings.json)" = '{"recall":{"max_results":6}}' ]
	ln -sf "$PWD/dotfiles/settings.json" $project
	run -3 co config recall.max_results 7
	[ "$(jq -c . dotfiles/settings.json)" = '{"recall":{"max_results":6}}' ]
}

@test "co config loses no setting if four processes write at once" {
	co config --global embed.model a &
	co config --global embed.url http://x &
	co config --global llm.api anthropic &
	co config --global embed.dimension 8 &
	wait
	[ "$(jq -c '[.embed.model, .embed.url, .llm.api, .embed.dimension]' \
		"$user")" = '["a","http://x","anthropic",8]' ]
}

@test "co config reads settings with comments, also for the format" {
	printf '{ // mine\n"recall.max_results": 2, }\n' >"$user"
	run -0 --separate-stderr co config recall.max_results
	expect <<<2
	[ "$stderr" = '' ]
	printf '{ "format": 3, // to come\n}\n' >$project
	run -4 co learn text
}
