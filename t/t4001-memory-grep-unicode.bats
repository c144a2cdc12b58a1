#!/usr/bin/env bats
# Test co-memory-grep with text in many scripts.
load lib

# found ARGUMENT...: print the ids of the memories found, on one line.
found() {
	co-memory-grep "$@" --format='%(id)' | tr '\n' ' '
}

setup() {
	world
	memory 1 2026-01-01T00:00:00Z '日本語, テスト' <<<'ユーザーは非同期処理を好む'
	memory 2 2026-01-02T00:00:00Z '' <<<'المستخدم يفضل اللغة العربية'
	memory 3 2026-01-03T00:00:00Z '' <<<'उपयोगकर्ता हिन्दी पसंद करता है'
	memory 4 2026-01-04T00:00:00Z 'Straße' <<<'Die Hauptstraße in İstanbul'
	memory 5 2026-01-05T00:00:00Z '' <<<$'a cafe\xcc\x81 with 👩‍👩‍👧 and 🎉'
	memory 6 2026-01-06T00:00:00Z '' <<<'כתובת שלום. Привет МИР. Ἀθῆναι ΣΊΣΥΦΟΣ'
	memory 7 2026-01-07T00:00:00Z '' <<<'نمی‌خواهم'
}

@test "grep finds any part of a text in scripts without letter case" {
	[ "$(found 非同期)" = '1 ' ]
	[ "$(found -F テスト)" = '1 ' ]
	[ "$(found العربية)" = '2 ' ]
	[ "$(found हिन्दी)" = '3 ' ]
	[ "$(found שלום)" = '6 ' ]
	[ "$(found 'می‌خواهم')" = '7 ' ]
	[ "$(found 👩‍👩‍👧)" = '5 ' ]
	[ "$(found '\x{1F389}')" = '5 ' ]
}

@test "grep folds case fully in German, Greek, Russian and Turkish" {
	[ "$(found HAUPTSTRASSE)" = '4 ' ]
	[ "$(found -F 'hauptstraße')" = '4 ' ]
	[ "$(found ISTANBUL)" = '4 ' ]
	[ "$(found istanbul)" = '4 ' ]
	[ "$(found 'İSTANBUL')" = '4 ' ]
	[ "$(found 'привет мир')" = '6 ' ]
	[ "$(found 'σίσυφος')" = '6 ' ]
	[ "$(found -s 'привет')" = '' ]
	[ "$(found -t strasse '')" = '4 ' ]
}

@test "grep matches accented letters in composed and decomposed form" {
	[ "$(found 'café')" = '5 ' ]
	[ "$(found $'CAFE\xcc\x81')" = '5 ' ]
	[ "$(found -s 'café')" = '5 ' ]
	[ "$(found -w 'café')" = '5 ' ]
	[ "$(found -w 'cafe')" = '' ]
}

@test "character classes of a pattern match letters of every script" {
	[ "$(found '^\w+$')" = '4 1 ' ]
	[ "$(found '\p{Arabic}')" = '7 2 ' ]
	[ "$(found '[א-ת]')" = '6 ' ]
	[ "$(found 'haupt\S+e\b')" = '4 ' ]
}

@test "field widths in a template count characters and not bytes" {
	run -0 co-memory-grep 非同期 --format='%(content:4)|%(tags:・)'
	expect <<<'ユーザー|日本語・テスト'
}

@test "grep searches a file that has invalid UTF-8 around the bad bytes" {
	printf -- '---\nid: 8\ncreated: 2026-01-08T00:00:00Z\n---\ncaf\xe9 needle \xc3\n' \
		>"$memories/008.md"
	run -0 co-memory-grep -F needle --format='%(id)'
	[[ ${lines[-1]} == 8 ]]
}

@test "grep finds the same memories in every locale" {
	local locale
	for locale in C POSIX tr_TR.UTF-8 ja_JP.EUC-JP; do
		[ "$(LC_ALL=$locale found ISTANBUL)" = '4 ' ]
	done
}
