#!/usr/bin/env bats
# co-memory-show: memories by id, by path and from a pipe.
load lib
load terminal

setup() {
	world
	memory 1 2026-02-09T14:30:00Z 'python' <<<'User prefers async/await'
	memory 2 2026-02-07T10:00:00Z '' <<<$'Uses SQLAlchemy\nsecond line'
}

@test "an id prints the file unchanged" {
	run -0 co-memory-show 1
	expect <"$memories/001-m.md"
	co-memory-show 2 01 >out
	cat "$memories/002-m.md" "$memories/001-m.md" | cmp - out
}

@test "show prints every byte of the file" {
	printf -- '\xef\xbb\xbf---\r\nid: 7\r\ncreated: 2026-02-09T14:30:00Z # why\r\n---\r\n\e[31m \xff\0 no end' \
		>"$memories/x.md"
	co-memory-show 7 | cmp - "$memories/x.md"
	co-memory-show "$memories/x.md" | cmp - "$memories/x.md"
}

@test "a path may be anywhere, and is absolute in records" {
	local place=$PWD
	mkdir -p elsewhere
	cp "$memories/001-m.md" elsewhere/note.txt
	cd elsewhere
	co-memory-show note.txt | cmp - note.txt
	run -0 co-memory-show --format='%(path) %(scope)' ./note.txt ../elsewhere/note.txt
	expect <<-END
		$place/elsewhere/note.txt project
		$place/elsewhere/note.txt project
	END
	mkdir -p "$global/knowledge/memories"
	mv note.txt "$global/knowledge/memories/001.md"
	run -0 co-memory-show --format='%(scope)' "$global/knowledge/memories/001.md"
	expect <<<global
	run -0 co-memory-show --global --format='%(scope)' 1
	expect <<<global
	mkdir 12
	cp "$place/$memories/002-m.md" 12/12
	cd 12
	run -1 co-memory-show 12
	run -0 co-memory-show --format='%(id)' ./12
	expect <<<2
}

@test "show reads a memory from a process substitution" {
	run -0 bash -c 'co-memory-show --format="%(id)" <(cat '"$memories"'/001-m.md)'
	expect <<<1
}

@test "ids and paths are read from standard input without operands" {
	run -0 bash -c 'printf "2\n%s\n\n" "$0" | co-memory-show --format="%(id)"' \
		"$memories/001-m.md"
	expect <<-END
		2
		1
	END
	run -0 bash -c 'echo 2 | co-memory-show --format="%(id)" 1 - 1'
	expect <<-END
		1
		2
		1
	END
	run -0 bash -c 'printf 1 | co-memory-show --format="%(id)"'
	expect <<<1
	run -0 co-memory-show </dev/null
	expect </dev/null
	run -0 bash -c 'co-memory-grep async | co-memory-show --format="%(content)"'
	expect <<<'User prefers async/await'
}

@test "--json prints complete records" {
	run -0 co-memory-show --json 2
	expect <<-END
		{"id":2,"path":"$PWD/$memories/002-m.md","scope":"project","created":"2026-02-07T10:00:00Z","tags":[],"source":"user-told","summary":"Uses SQLAlchemy","content":"Uses SQLAlchemy\nsecond line","frontmatter":{"id":2,"created":"2026-02-07T10:00:00Z","tags":[],"source":"user-told"},"sha256":"$(sha256sum <"$memories/002-m.md" | cut -c1-64)"}
	END
}

@test "a missing memory is reported with status 1, and the others are shown" {
	run -1 --separate-stderr co-memory-show --format='%(id)' 99 1 gone.md \
		1234567890123456789012
	[ "$output" = 1 ]
	[ "$stderr" = "co-memory-show: no memory '99'
co-memory-show: no such file: 'gone.md'
co-memory-show: no memory '1234567890123456789012'" ]
	rm -r .co-cli
	run -1 co-memory-show 1
}

@test "a broken file exits 3 and is reported with its position" {
	printf -- '---\nid: 3\ncreated: 2026-02-30T00:00:00Z\n---\nx\n' \
		>"$memories/003.md"
	run -3 --separate-stderr co-memory-show --format='%(id)' "$memories/003.md" 1
	[ "$output" = 1 ]
	[[ $stderr == "co-memory-show: '$memories/003.md':3:10: Field 'created' must be ISO8601 format: "* ]]
	run -3 co-memory-show 3
	run -4 co-memory-show "$memories"
}

@test "a duplicate id shows both files and is reported" {
	memory 1 2026-02-09T14:30:00Z '' "$memories/001-other.md" <<<other
	run -0 --separate-stderr co-memory-show --format='%(path:name)' 1
	expect <<<$'001-m.md\n001-other.md'
	[ "$stderr" = "co-memory-show: two files have id 1: '$PWD/$memories/001-m.md' and '$PWD/$memories/001-other.md'
hint: 'co knowledge --check --fix' renumbers one of two with an id" ]
}

@test "an id does not lead through a link" {
	printf -- '---\nid: 5\ncreated: 2026-01-01T00:00:00Z\n---\nkey\n' >"$HOME/key"
	ln -s "$HOME/key" "$memories/005-key.md"
	run ! co-memory-show 5
	[[ $output != *key$'\n'* ]]
	run -0 co-memory-show "$memories/005-key.md"
}

@test "drafts and trash are shown by path, not by id" {
	memory 8 2026-02-09T14:30:00Z '' "$drafts/008-d.md" <<<draft
	run -1 co-memory-show 8
	run -0 bash -c 'co-memory-list --drafts | co-memory-show --format="%(content)"'
	expect <<<draft
}

@test "hidden characters are made visible on a terminal" {
	need_terminal
	printf -- '---\nid: 3\ncreated: 2026-02-09T14:30:00Z\n---\n\e]52;c;eA==\a \xe2\x80\xae\xe2\x80\x8b می‌خواهم\n' \
		>"$memories/003.md"
	run -0 script -qec 'co-memory-show 3' /dev/null
	[[ $output == *'^[]52;c;eA==^G <U+202E><U+200B> می‌خواهم'* ]]
	run -0 script -qec 'co-memory-show 3 --format="%(content)"' /dev/null
	[[ $output == *'^[]52;c;eA==^G'* ]]
}
