#!/usr/bin/env bats
# The id of a project, and the list of known projects.
load lib
load git

known() {
	cat "${XDG_STATE_HOME:-$HOME/.local/state}/co-cli/projects"
}

id() {
	jq -r .project.id "${1:-.}/.co-cli/settings.json"
}

is_id() {
	[[ $1 =~ ^[a-z2-7]{20}$ ]]
}

@test "a project gets an id with its first memory or by co init" {
	co learn -q 'the port is 8080'
	is_id "$(id)"
	[ "$(jq -c 'del(.project)' .co-cli/settings.json)" = '{"format":1}' ]
	run -0 co config project.id
	expect <<<"$(id)"
	mkdir ../other
	cd ../other
	co init >/dev/null
	is_id "$(id)"
	[ "$(id)" != "$(id ../project)" ]
	co init >/dev/null
	cp .co-cli/settings.json before
	co learn -q 'the other port is 8081'
	cmp before .co-cli/settings.json
}

@test "the user store has no project id" {
	co learn -q --global 'prefers tabs'
	diff - "$global/settings.json" <<<'{"format": 1}'
	co init --global >/dev/null
	diff - "$global/settings.json" <<<'{"format": 1}'
	run ! known
}

@test "co init adds an id to a store without one, but a save does not" {
	mkdir .co-cli
	printf '{\n  // ours\n  "format": 1\n}\n' >.co-cli/settings.json
	co learn -q one
	[ "$(grep -c project .co-cli/settings.json)" = 0 ]
	run -0 co init
	[[ $output == "Added to"*"settings.json "* ]]
	grep -q '// ours' .co-cli/settings.json
	is_id "$(co config project.id)"
	run -0 co init
	expect <<<"Already there: $PWD/.co-cli"
}

@test "co init leaves malformed settings unchanged" {
	mkdir .co-cli
	echo '{"format": ' >.co-cli/settings.json
	run -3 co init
	[[ $output == *"settings.json':2:1:"* ]]
	diff - .co-cli/settings.json <<<'{"format": '
}

@test "concurrent commands draw one project id" {
	for i in 1 2 3 4 5 6; do
		co learn -q "fact $i" &
		co init >/dev/null &
	done
	wait
	is_id "$(id)"
	[ "$(known | jq -r .id | sort -u)" = "$(id)" ]
	[ "$(grep -o '"id"' .co-cli/settings.json | wc -l)" = 1 ]
	mkdir ../old
	cd ../old
	mkdir .co-cli
	echo '{"format": 1}' >.co-cli/settings.json
	for i in 1 2 3 4 5 6; do
		co init >/dev/null &
	done
	wait
	is_id "$(id)"
	[ "$(grep -o '"id"' .co-cli/settings.json | wc -l)" = 1 ]
	known | grep -qF "$(id)"
}

@test "clones, shallow clones, work trees and moves keep the project id" {
	git_world
	git init -q
	co init >/dev/null
	co learn -q one
	git add .
	git commit -qm one
	echo x >x
	git add x
	git commit -qm two
	git worktree add -q ../tree
	git clone -q --depth=1 "file://$PWD" ../shallow
	for other in ../tree ../shallow; do
		(cd "$other" && co learn -q two)
		[ "$(id)" = "$(id "$other")" ]
	done
	cd ..
	mv project moved
	cd moved
	[ "$(id)" = "$(id ../shallow)" ]
}

@test "a write records the project once a day, and a read never" {
	co init >/dev/null
	rm "$HOME/.local/state/co-cli/projects"
	co list >/dev/null
	run ! known
	co learn -q one
	run -0 jq -c 'del(.dir, .git)' "$HOME/.local/state/co-cli/projects"
	expect <<<"{\"id\":\"$(id)\",\"path\":\"$PWD\",\"seen\":\"2026-02-09T14:30:00Z\",\"since\":\"2026-02-09T14:30:00Z\"}"
	[ "$(stat -c %a "$HOME/.local/state/co-cli/projects")" = 600 ]
	CO_NOW=2026-02-09T18:00:00Z co learn -q two
	[ "$(known | jq -r .seen)" = 2026-02-09T14:30:00Z ]
	CO_NOW=2026-02-11T18:00:00Z co learn -q three
	[ "$(known | jq -r .seen)" = 2026-02-11T18:00:00Z ]
	[ "$(known | jq -r .since)" = 2026-02-09T14:30:00Z ]
	mkdir ../other
	cd ../other
	CO_NOW=2026-02-12T18:00:00Z co learn -q four
	[ "$(known | jq -r '.path | sub(".*/"; "")')" = $'other\nproject' ]
}

@test "any project path that JSON can hold is recorded" {
	mkdir $'a\n"b\e' $'\xff'
	(cd $'a\n"b\e' && co learn -q one)
	(cd $'\xff' && co learn -q one)
	[ "$(known | wc -l)" = 1 ]
	known | jq -e --arg path "$PWD/"$'a\n"b\e' '.path == $path'
}

@test "a project list that cannot be written causes no warning" {
	mkdir -p "$HOME/.local/state"
	echo >"$HOME/.local/state/co-cli"
	run -0 --separate-stderr co learn -q one
	[[ $stderr == "co-learn: not in the log, so 'co undo' cannot"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	rm "$HOME/.local/state/co-cli"
	mkdir -p "$HOME/.local/state/co-cli/projects"
	run -0 --separate-stderr co learn -q two
	[ "$stderr" = "" ]
	rmdir "$HOME/.local/state/co-cli/projects"
	echo precious >elsewhere
	ln -s "$PWD/elsewhere" "$HOME/.local/state/co-cli/projects"
	run -0 --separate-stderr co learn -q three
	[ "$stderr" = "" ]
	[ "$(<elsewhere)" = precious ]
}

@test "the project list is bounded and drops malformed lines" {
	mkdir -p "$HOME/.local/state/co-cli"
	{
		echo nonsense
		echo '{"id":"short","path":"/x","seen":"2026-01-01T00:00:00Z"}'
		for i in {1000..4000}; do
			echo "{\"id\":\"aaaaaaaaaaaaaaaaaaaa\",\"path\":\"/$i\",\"seen\":\"2025-01-01T00:00:00Z\"}"
		done
	} >"$HOME/.local/state/co-cli/projects"
	co learn -q one
	[ "$(known | wc -l)" = 2000 ]
	[ "$(known | head -n 1 | jq -r .path)" = "$PWD" ]
}

@test "the project list stays below 2 MiB, however long the paths are" {
	mkdir -p "$HOME/.local/state/co-cli"
	long=$(printf '/%0999d' 1 2 3)
	for one in {1000..1690}; do
		echo "{\"id\":\"aaaaaaaaaaaaaaaaaaaa\",\"path\":\"$long/$one\",\"seen\":\"2025-01-01T00:00:00Z\"}"
	done | head -c $((2 * 1024 * 1024)) >"$HOME/.local/state/co-cli/projects"
	for one in one two; do
		mkdir ../$one
		(cd ../$one && co learn -q one)
		[ "$(known | head -n 1 | jq -r .path)" = "${PWD%/*}/$one" ]
	done
	[ "$(known | wc -c)" -le $((2 * 1024 * 1024)) ]
}

@test "an old temporary file of the project list is removed" {
	mkdir -p "$HOME/.local/state/co-cli"
	touch -d '3 days ago' "$HOME/.local/state/co-cli/.co-tmp-old"
	touch "$HOME/.local/state/co-cli/.co-tmp-new"
	co learn -q one
	run -0 ls -A -I log "$HOME/.local/state/co-cli"
	expect <<-END
		.co-tmp-new
		projects
	END
}
