#!/usr/bin/env bats
# Settings: which file sets a value, and what a project may not set.
load lib

setup() {
	world
	mkdir -p .co-cli "$global"
	project=$PWD/.co-cli/settings.json
	user=$global/settings.json
}

# settings [PREFIX]: print the settings of recall and save, or those that begin with
# PREFIX, as `co status` shows them.
settings() {
	co-status --json 2>err |
		jq -r --arg prefix "${1-}" '.settings[] |
			select(if $prefix == ""
				then .key | test("^(recall.max|save.a)")
				else .key | startswith($prefix) end) |
			"\(.key)=\(.value) (\(.origin))"'
}

@test "every setting has its default without settings files" {
	run -0 settings
	expect <<-'END'
		recall.max_results=5 (default)
		save.approval=ask (default)
	END
	[ ! -s err ]
}

@test "project settings override user settings, which override defaults" {
	echo '{"recall": {"max_results": 7}, "save": {"approval": "client"}}' \
		>"$user"
	run -0 settings
	expect <<-'END'
		recall.max_results=7 (user)
		save.approval=client (user)
	END
	echo '{"recall.max_results": 9}' >"$project"
	run -0 settings
	expect <<-'END'
		recall.max_results=9 (project)
		save.approval=client (user)
	END
	[ ! -s err ]
}

@test "a project's save.approval is reported and ignored" {
	echo '{"save": {"approval": "client"}, "recall": {"max_results": 3}}' \
		>"$project"
	run -0 settings
	expect <<-'END'
		recall.max_results=3 (project)
		save.approval=ask (default)
	END
	diff -u - err <<-END
		co-status: '$project': setting 'save.approval' counts in the user's settings only
	END
}

@test "an unknown setting is reported and ignored" {
	echo '{"recall": {"max_result": 3}, "editor": "sh -c evil", "save": 1}' \
		>"$project"
	run -0 settings
	[ "${lines[0]}" = 'recall.max_results=5 (default)' ]
	diff -u - err <<-END
		co-status: '$project': setting 'recall.max_result' is unknown
		co-status: '$project': setting 'editor' is unknown
		co-status: '$project': setting 'save' is unknown
	END
}

@test "a value of the wrong kind is reported and ignored" {
	local value
	for value in 0 -1 1001 1000000 2.5 '"5"' true null '[5]' '{"x": 5}' '{}' \
		9223372036854775807; do
		echo "{\"recall\": {\"max_results\": $value}}" >"$user"
		run -0 settings
		[ "${lines[0]}" = 'recall.max_results=5 (default)' ]
		diff -u - err <<-END
			co-status: '$user': setting 'recall.max_results' must be a whole number from 1 to 1000
		END
	done
	for value in '"ASK"' '"as"' '"ask|client"' '""' 1 '"ask\u0000"'; do
		echo "{\"save\": {\"approval\": $value}}" >"$user"
		run -0 settings
		[ "${lines[1]}" = 'save.approval=ask (default)' ]
		diff -u - err <<-END
			co-status: '$user': setting 'save.approval' must be one of ask|client
		END
	done
}

@test "a malformed settings file is reported with its line and ignored" {
	echo '{"recall.max_results": 9}' >"$project"
	printf '{\n  "recall": {"max_results": 7;}\n}\n' >"$user"
	run -0 settings
	[ "${lines[0]}" = 'recall.max_results=9 (project)' ]
	grep -q "^co-status: '$user':2:[0-9]*: " err
	[ "$(wc -l <err)" -eq 1 ]
	echo '[]' >"$user"
	run -0 settings
	diff -u - err <<<"co-status: '$user': not a JSON object"
	: >"$user"
	run -0 settings
	grep -q "^co-status: '$user':" err
}

@test "co reports and ignores settings files that are links, FIFOs or huge" {
	echo '{"recall.max_results": 9}' >elsewhere
	ln -s "$PWD/elsewhere" "$project"
	run -0 settings
	[ "${lines[0]}" = 'recall.max_results=5 (default)' ]
	grep -q "'$project'" err
	rm "$project"
	mkfifo "$project"
	run -0 timeout 60 co-status
	rm "$project"
	{
		printf '{"a":"'
		head -c 70000 /dev/zero | tr '\0' x
		printf '"}'
	} >"$project"
	run -0 settings
	grep -q "'$project'" err
}

@test "co reports hundreds of unknown settings in eleven lines" {
	{
		printf '{"x": 1'
		printf ', "k%d": 1' $(seq 1 300)
		printf '}'
	} >"$project"
	run -0 settings
	[ "$(wc -l <err)" -eq 11 ]
}

@test "co reports deeply nested and odd setting keys safely" {
	{
		printf '{"a": %.0s' $(seq 1 60)
		printf 1
		printf '}%.0s' $(seq 1 60)
	} >"$project"
	run -0 settings
	[ "$(wc -l <err)" -eq 1 ]
	printf '{"\\u001b]0;x\\u0007": 1, "": 1, ".": {}, "recall": {"": 2}}' \
		>"$project"
	run -0 settings
	[ "${lines[0]}" = 'recall.max_results=5 (default)' ]
	run ! grep -q $'\e' err
	[ "$(wc -l <err)" -eq 3 ]
}

@test "the example settings file is valid and has only known settings" {
	cp "$CO_SOURCE/Documentation/examples/settings.json" "$user"
	run -0 settings
	[ "${lines[0]}" = 'recall.max_results=10 (user)' ]
	[ ! -s err ]
}

@test "a command setting is a list of words, or one text split at blanks" {
	echo '{"embed.command": ["/bin/my encoder", "-m", "", "a \"b\""]}' >"$user"
	run -0 settings embed.command
	expect <<<'embed.command=["/bin/my encoder","-m","","a \"b\""] (user)'
	echo '{"embed": {"command": "  encode  -m x "}}' >"$user"
	run -0 settings embed.command
	expect <<<'embed.command=["encode","-m","x"] (user)'
	[ ! -s err ]
	for value in 5 null '["a", 1]' '[["a"]]' '"a\nb"' '{}'; do
		echo "{\"embed.command\": $value}" >"$user"
		run -0 settings embed.command
		expect <<<'embed.command= (default)'
	done
}

@test "a text setting must be one line" {
	echo '{"embed.url": "https://example.org/v1"}' >"$user"
	run -0 settings embed.url
	expect <<<'embed.url=https://example.org/v1 (user)'
	for value in 5 null '["a"]' '"a\nb"' '"a\u0000"' '"\u009b"'; do
		echo "{\"embed.url\": $value}" >"$user"
		run -0 settings embed.url
		expect <<<'embed.url=http://127.0.0.1:11434 (default)'
		diff -u - err <<-END
			co-status: '$user': setting 'embed.url' must be one line of text
		END
	done
}

@test "a project cannot set any embed setting" {
	local key
	for key in $(co-status --json | jq -r '.settings[].key' |
		grep '^embed\.'); do
		echo "{\"$key\": \"command\"}" >"$project"
		run -0 settings "$key"
		[[ $output == *' (default)' ]]
		diff -u - err <<-END
			co-status: '$project': setting '$key' counts in the user's settings only
		END
	done
}

@test "co-settings(5) documents exactly the settings that exist" {
	local page=$CO_SOURCE/Documentation/co-settings.5.scd

	co-status --json | jq -r '.settings[].key | sub("^extract\\..*"; "extract.TYPE")' | sort -u >are
	sed -n 's/^\*\([a-zA-Z_., *]*\)\*$/\1/p' "$page" | sed 's/\*, \*/\n/g' | sort >told
	diff -u are told
}
