#!/usr/bin/env bats
# --replaces with several ids is one step.
load lib
load terminal

setup() {
	world
	for i in 1 2 3 4; do
		memory $i "2026-02-0${i}T10:00:00Z" '' <<<"Memory number $i."
	done
}

ids() {
	co-memory-list --sort=id --format='%(id)' | paste -sd' '
}

@test "co learn --replaces keeps the old tags, unless it gets its own" {
	memory 1 2026-02-09T14:30:00Z 'net, Ports' <<<'the gateway listens on 80'
	memory 2 2026-02-09T14:30:00Z 'ports, ops' <<<'the proxy listens on 81'
	co learn -q --replaces=1 'the gateway listens on 8080'
	[ "$(co memory-show --format='%(tags)' 5)" = 'net, ports' ]
	co learn -q --replaces=5,2 'the gateway and the proxy listen on 8081'
	[ "$(co memory-show --format='%(tags)' 6)" = 'net, ports, ops' ]
	co learn -q --replaces=6 -t new 'the gateway listens on 8082'
	[ "$(co memory-show --format='%(tags)' 7)" = new ]
	# co memory-save does not copy the tags.
	co memory-save --replaces=7 <<<'the gateway listens on 8083' >saved
	[ "$(co memory-show --format='[%(tags)]' 8)" = '[]' ]
}

@test "one memory replaces several, and co undo restores all of them" {
	run -0 co learn --replaces=1,3 'All of it.'
	[ "$(ids)" = '2 4 5' ]
	[ "$(co-memory-list --superseded --format='%(id)' | sort | paste -sd' ')" = '1 3' ]
	run -1 co forget --undo
	[ "$(ids)" = '2 4 5' ]
	run -0 co undo
	[ "$(ids)" = '1 2 3 4' ]
	run -1 co learn --replaces=2,77 'More of it.'
	[[ $output == *"no memory '77'"* ]]
	[ "$(ids)" = '1 2 3 4' ]
}

@test "co learn prints the replaced memories, but no sensitive text" {
	sed -i 's/^source: .*/&\nsensitive: true/' "$memories/003-m.md"
	co learn -q 'All of it.'
	run -0 co learn --replaces=1,3 'All of it.'
	expect <<-END
		Already saved as memory 5: 005-all-of-it.md
		Location: $PWD/$memories/005-all-of-it.md
		Replaced memory 1: Memory number 1.
		Replaced memory 3
	END
	co learn --global -q 'Of the user.'
	run -0 co learn --replaces=g1 'Of the user, too.'
	[ "${lines[2]}" = 'Replaced memory g1: Of the user.' ]
	run -0 --separate-stderr co learn --replaces=5 --json 'As JSON.'
	[ "$(jq -r .memory_id <<<"$output")" = 6 ]
}

@test "accepting a draft that replaces several memories moves all of them" {
	run -0 co-memory-save --draft --replaces=2,4 <<<'Two and four.'
	grep -qx 'replaces: \[2, 4\]' $drafts/005-*.md
	run -0 co review --accept 5
	[ "$(ids)" = '1 3 5' ]
	[[ $output == *"002-m.md' is replaced"*"004-m.md' is replaced"* ]]
	run -0 co-memory-save --draft --replaces=1,3 <<<'One and three.'
	run -0 co review --reject 6
	[ "$(ids)" = '1 3 5' ]
}

@test "co review shows all memories that a draft replaces, and u restores them" {
	need_terminal
	run -0 co-memory-save --draft --replaces=2,4 <<<'Two and four.'
	run -0 co-memory-save --draft <<<'Another one, so that there is more to ask.'
	terminal 0 'yuq' co-review
	[[ $output == *'replaces: 2 '*'replaces: 4 '* ]]
	[ "$(ids)" = '1 2 3 4' ]
	[ "$(co-memory-list --drafts | wc -l)" = 2 ]
}

@test "co review skips a replaced id that is gone or malformed" {
	run -0 co-memory-save --draft --replaces=2,4 <<<'Two and four.'
	run -0 co-memory-remove 2
	run -0 co review --accept 5
	[ "$(ids)" = '1 3 5' ]
	sed -i 's/^replaces:.*/replaces: [x, -1, 1.5, [3]]/' $memories/005-*.md
	mkdir -p $drafts
	mv $memories/005-*.md $drafts/
	run -0 co review --accept 5
	[ "$(ids)" = '1 3 5' ]
}

@test "a kill during an acceptance leaves all old memories, or only the new one" {
	need_strace
	run -0 co-memory-save --draft --replaces=1,2,3 <<<'All three.'
	cp -r .co-cli whole
	for n in $(seq 60); do
		# The log is removed too, since each copy is another store.
		rm -rf .co-cli "$HOME/.local/state" && cp -r whole .co-cli
		strace -f -o /dev/null -e trace=%file,fsync -e inject=renameat2,unlinkat,renameat,fsync,mkdirat:signal=KILL:when="$n" \
			co review --accept 5 >/dev/null 2>&1 && break
		echo next | co-memory-save >/dev/null 2>&1
		[[ $(ids) =~ ^('1 2 3 4 '|'4 5 ')[67]$ ]] || {
			echo "$n: $(ids)"
			return 1
		}
	done
	[ "$n" -gt 3 ]
	[ "$(ids)" = '4 5' ]
}
