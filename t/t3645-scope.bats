#!/usr/bin/env bats
# languages, paths, scope: where a memory is found.
load lib

setup() {
	world
	co learn -q --global --language=python 'prefer async over callbacks'
	co learn -q --global 'callbacks are hard to read'
}

# ids COMMAND...: print the ids of user memories that COMMAND finds.
ids() {
	"$@" --format='%(id)' 2>/dev/null | sort | xargs
}

# finds IDS: check that each command finds IDS.
finds() {
	[ "$(ids co list --global)" = "$1" ]
	[ "$(ids co-memory-list --global)" = "$1" ]
	[ "$(ids co-memory-grep --global callbacks)" = "$1" ]
	for mode in grep fts hybrid auto; do
		[ "$(ids co recall --mode=$mode callbacks)" = "$1" ]
	done
}

@test "a memory about a language is found if the project has such files" {
	run -0 cat $global/knowledge/memories/001-*.md
	[[ $output == *$'\nlanguages: [python]\n'* ]]
	finds 2
	[ "$(ids co recall --any-scope callbacks)" = '1 2' ]
	[ "$(ids co recall --any-scope --mode=grep callbacks)" = '1 2' ]
	[ "$(ids co list --any-scope --global)" = '1 2' ]
	[ "$(ids co-memory-list --any-scope --global)" = '1 2' ]
	[ "$(ids co-memory-grep --any-scope --global callbacks)" = '1 2' ]
	run -0 co show g1
	mkdir -p src/deep
	touch src/deep/x.PY
	finds '1 2'
	rm src/deep/x.PY
	touch src/deep/x.c .hidden.py
	mkdir node_modules
	touch node_modules/x.py
	finds 2
}

@test "one of several languages is enough, and may be a file extension" {
	co learn -q --global --language=cobol --language=c 'callbacks in C'
	co learn -q --global --language=rs 'callbacks that borrow'
	finds 2
	touch a.h
	finds '2 3'
	touch a.rs
	finds '2 3 4'
}

@test "scope: language works like languages, and other scopes hide nothing" {
	for scope in language global project; do
		printf -- '---\nid: 1\ncreated: 2026-02-09T00:00:00Z\nscope: %s\nlanguage: python\n---\ncallbacks\n' $scope >"$global/knowledge/memories/001-prefer-async-over-callbacks.md"
		[ $scope = language ] && want=2 || want='1 2'
		finds "$want"
		run -0 co knowledge --check --global
	done
	touch a.py
	finds '1 2'
}

@test "a malformed scope, language or path is a fault and hides nothing" {
	local -a wrong=('languages: python' 'languages: [1]' 'scope: here' 'scope: language' 'language: 3' 'paths: 7')
	for line in "${wrong[@]}"; do
		printf -- '---\nid: 1\ncreated: 2026-02-09T00:00:00Z\n%s\n---\ncallbacks\n' "$line" >"$global/knowledge/memories/001-prefer-async-over-callbacks.md"
		finds '1 2'
		run -3 co knowledge --check --global
		[[ $output == *"Field '${line%%:*}'"* ]]
	done
}

@test "languages hide nothing in the project store" {
	co learn -q --language=python 'callbacks here'
	[ "$(ids co-memory-list)" = 1 ]
}

@test "a user's rule is loaded in projects with its language" {
	printf -- '---\nid: 1\ncreated: 2026-02-09T00:00:00Z\nlanguages: [python]\nalways: true\n---\nUse async.\n' >"$global/knowledge/memories/001-prefer-async-over-callbacks.md"
	run co-context-load
	[[ $output != *'Use async'* ]]
	touch a.py
	run -0 co-context-load
	[[ $output == *'Use async'* ]]
}

@test "review and forget ignore languages" {
	sed -i 's/^languages:/review-after: 2026-01-01\n&/' $global/knowledge/memories/001-*.md
	run -0 co review --due --list --global
	[[ $output == *async* ]]
	run -0 co forget -n --global 'prefer async'
}

@test "paths rank memories by the working directory or --for-path" {
	co learn -q --path='src/api/**' 'the gateway answers in json'
	co learn -q --path='docs' 'the gateway answers in prose'
	mkdir -p src/api docs
	first() { co recall --mode=fts --format='%(id)' "$@" 'gateway answers' | head -n 1; }
	[ "$(cd src/api && first)" = 1 ]
	[ "$(cd docs && first)" = 2 ]
	[ "$(first --for-path=src/api/x/y.py)" = 1 ]
	[ "$(first --for-path=docs/x.md)" = 2 ]
	[ "$(cd docs && first --for-path=../src/api/x.py)" = 1 ]
	[ "$(cd docs && first --for-path="$OLDPWD/src/api/x.py")" = 1 ]
	[ "$(cd docs && co recall --format='%(id)' gateway | sort | xargs)" = '1 2' ]
	co learn -q --path=js 'gateway answers'
	[ "$(first)" = 3 ]
	[ "$(first --for-path=docs/x.md)" = 2 ]
	[ "$(first --for-path=js/x.js)" = 3 ]
}

# bats test_tags=slow
@test "a large tree is searched for languages with a limited number of calls" {
	need_strace
	mkdir -p big many
	(cd big && seq 10000 | sed 's/$/.txt/' | xargs touch)
	(cd many && seq 3000 | xargs mkdir)
	strace -f --seccomp-bpf -qq -o calls -e trace=open,openat,getdents64 co-memory-list --global >/dev/null
	[ "$(grep -c 'O_DIRECTORY' calls)" -lt 600 ]
	[ "$(grep -c getdents64 calls)" -lt 700 ]
	rm $global/knowledge/memories/001-*.md
	strace -f --seccomp-bpf -qq -o calls -e trace=open,openat,getdents64 co-memory-list --global >/dev/null
	[ "$(grep -c 'O_DIRECTORY' calls)" -lt 40 ]
}
