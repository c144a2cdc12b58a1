#!/usr/bin/env bats
# Test co-embed, which prints vectors of texts from the user's encoder.
load lib

setup() {
	world
	mkdir -p "$global" bin
	PATH=$PWD/bin:$PATH
	use_static
}

use_static() {
	echo '{"embed.provider": "static"}' >"$global/settings.json"
}

# cosine TEXT TEXT: print the cosine of their vectors.
cosine() {
	co-embed "$1" "$2" | jq -s 'map(.vector) |
		[.[0], .[1]] | transpose | map(.[0] * .[1]) | add'
}

# nearer A B C: check that A is nearer to B than to C.
nearer() {
	jq -en "$(cosine "$1" "$2") > $(cosine "$1" "$3") + 0.1" >/dev/null ||
		{ echo "not nearer: $*"; return 1; }
}

# encoder_prints TEXT: make a program that reads its input and prints TEXT the encoder.
encoder_prints() {
	printf '#!/bin/sh\ncat >/dev/null\ncat <<"END"\n%s\nEND\n' "$1" \
		>bin/encoder
	chmod +x bin/encoder
	use_command
}

# use_command [TIMEOUT_MS]: make bin/encoder the encoder.
use_command() {
	echo "{\"embed\": {\"provider\": \"command\", \"command\": \"encoder\",
		\"timeout_ms\": ${1:-10000}}}" >"$global/settings.json"
}

@test "words of similar meaning have similar vectors" {
	nearer cat dog carburetor
	nearer car truck banana
	nearer 'We went to the beach' 'a holiday by the sea' 'parsing JSON fast'
	nearer Paris France Japan
	nearer happy glad engine
}

@test "co-embed prints a vector of length 1, its model and its dimension" {
	run -0 co-embed 'The cat sat on the mat.'
	jq -e '.model == "static" and .dim == 100 and (.vector | length) == 100
		and ((.vector | map(. * .) | add) - 1 | fabs) < 0.0001' \
		<<<"$output"
	[ "$(jq -c keys_unsorted <<<"$output")" = '["model","dim","vector"]' ]
}

@test "stop words, unknown words and other scripts add nothing to a vector" {
	local text
	for text in '' 'the of and' 'xqzzyk qwxjv' '记忆' $'\xff\xfe' '  '; do
		co-embed -- "$text" | jq -e '.vector | all(. == 0)' >/dev/null
	done
	diff <(co-embed 'cat') <(co-embed 'The CAT, xqzzyk 记忆')
}

@test "co-embed reads the same texts from lines and from --json objects" {
	printf 'one cat\n\nthree dogs' >lines
	printf '{"text": "one cat", "id": 5}\n{"text": ""}\n{"text":"three dogs"}' \
		>objects
	co-embed --text <lines >from-lines
	co-embed --text --json <objects >from-objects
	diff from-lines from-objects
	diff <(jq -r .text from-lines) <(printf 'one cat\n\nthree dogs\n')
}

@test "co-embed keeps the order of more texts than fit in a batch" {
	seq 600 | sed 's/.*/text & cat/' >lines
	co-embed -t <lines | jq -r .text >texts
	diff lines texts
}

@test "co-embed reports a malformed JSON line and continues with the others" {
	run -3 --separate-stderr co-embed --json <<-'END'
		{"text": "cat"}
		{"text": 5}
		[1]
		{"text": "dog"
		{"text": "dog"}
	END
	[ "${#lines[@]}" = 2 ]
	diff -u - <(printf '%s\n' "$stderr") <<-'END'
		co-embed: '-':2: no string 'text'
		co-embed: '-':3: no string 'text'
		co-embed: '-':4:14: '}' expected near end of file
	END
}

@test "co-embed exits 1 if the settings have no encoder" {
	echo '{"embed.provider": "none"}' >"$global/settings.json"
	run -1 co-embed cat
	expect <<<'co-embed: the settings want no encoder'
}

@test "a project's settings cannot choose an encoder" {
	mkdir -p .co-cli
	printf '#!/bin/sh\ntouch %s/ran\n' "$PWD" >bin/encoder
	chmod +x bin/encoder
	echo '{"embed": {"provider": "command", "command": "encoder"}}' \
		>.co-cli/settings.json
	run -0 co-embed cat
	[ "$(jq -r .model <<<"$output")" = static ]
	[ ! -e ran ]
}

@test "co-embed passes JSON objects to a command and normalizes its vectors" {
	printf '#!/bin/sh\ntee got | jq -c "{vector: [3, (.text | length)]}"\n' \
		>bin/encoder
	chmod +x bin/encoder
	use_command
	run -0 co-embed four 'a "b"' 'é'
	diff -u - got <<-'END'
		{"text":"four"}
		{"text":"a \"b\""}
		{"text":"é"}
	END
	jq -s -c 'map(.vector | map(. * 100 | round))' <<<"$output" |
		diff -u - <(echo '[[60,80],[51,86],[95,32]]')
}

@test "queries and documents get the prefixes of the settings" {
	printf '#!/bin/sh\ntee got | jq -c "{vector: [1]}"\n' >bin/encoder
	chmod +x bin/encoder
	echo '{"embed": {"provider": "command", "command": ["encoder"],
		"query_prefix": "query: ", "document_prefix": "passage: "}}' \
		>"$global/settings.json"
	co-embed cat
	diff got - <<<'{"text":"passage: cat"}'
	co-embed --query cat
	diff got - <<<'{"text":"query: cat"}'
}

@test "a text that an encoder refuses gets a vector of zeros" {
	encoder_prints $'{"vector": null}\n{"vector": [1, 0]}\n{"vector": null}'
	run -0 co-embed one two three
	jq -s -c 'map(.vector)' <<<"$output" |
		diff -u - <(echo '[[0,0],[1,0],[0,0]]')
	encoder_prints $'{"vector": null}\n{"vector": null}'
	run -6 co-embed one two
	expect <<<"co-embed: 'encoder' refused every text"
}

@test "co-embed exits 6 on a malformed answer and states the reason" {
	local answer
	while IFS='|' read -r answer why; do
		encoder_prints "$answer"
		run -6 co-embed one two
		expect <<<"co-embed: 'encoder' gave $why"
	done <<-'END'
		{"vector": [1, 2]}|1 vectors for 2 texts
		{"vector": [1, 2]} {"vector": [1]}|a vector of 1 numbers, not 2
		{"vector": []} {"vector": []}|a vector of 0 numbers
		{"vector": [1, "2"]}|a vector with what is no number in it
		{"vector": [1, null]}|a vector with what is no number in it
		{"vector": [1e300, 1]}|a vector with what is no number in it
		{"vector": 5}|no vector
		{"embedding": [1]}|no vector
		5|no vector
		{"vector": [NaN]}|no JSON: 1:15: invalid token near 'NaN'
		<html>|no JSON: 1:1: invalid token near '<'
	END
}

@test "co-embed stops reading an answer that is too long" {
	printf '#!/bin/sh\nexec yes "{\\"vector\\": [1, 2, 3]}"\n' >bin/encoder
	chmod +x bin/encoder
	use_command
	run -6 timeout 60 co-embed one
	expect <<<"co-embed: 'encoder' answered with too much"
}

@test "co-embed kills a command that hangs, with its child processes" {
	printf '#!/bin/sh\nsleep 60 &\necho $! >pid\nwait\n' >bin/encoder
	chmod +x bin/encoder
	# A busy machine may take longer to start it.
	for ms in 300 3000 30000; do
		use_command $ms
		run -6 timeout 60 co-embed one
		expect <<<"co-embed: 'encoder' did not answer within $(((ms + 999) / 1000)) s"
		[ ! -s pid ] || break
	done
	# The process may be a zombie that nothing reaps.
	for _ in {1..1200}; do
		[[ $(ps -o stat= -p "$(cat pid)") == [!Z]* ]] || return 0
		sleep .1
	done
	false
}

@test "co-embed prints the first error line of a command that fails" {
	printf '#!/bin/sh\necho "no such model" >&2\necho more >&2\nexit 3\n' \
		>bin/encoder
	chmod +x bin/encoder
	use_command
	run -6 co-embed one
	expect <<<"co-embed: 'encoder' failed: no such model"
	printf '#!/bin/sh\nkill -9 $$\n' >bin/encoder
	run -6 co-embed one
	expect <<<"co-embed: 'encoder' was ended by signal 9"
}

@test "co-embed runs no command from the working directory" {
	printf '#!/bin/sh\ntouch ran\n' >evil
	chmod +x evil
	local PATH=:.:$PATH
	echo '{"embed": {"provider": "command", "command": "evil"}}' \
		>"$global/settings.json"
	run -6 co-embed one
	expect <<<"co-embed: no program 'evil'"
	echo '{"embed": {"provider": "command", "command": "./evil"}}' \
		>"$global/settings.json"
	run -6 co-embed one
	expect <<<"co-embed: the path './evil' is not absolute"
	echo '{"embed": {"provider": "command"}}' >"$global/settings.json"
	run -6 co-embed one
	expect <<<"co-embed: the setting 'embed.command' names no program"
	[ ! -e ran ]
}

@test "co-embed runs the command without a shell" {
	printf '#!/bin/sh\nprintf "%%s\\n" "$@" >args\ncat >/dev/null\n%s\n' \
		'echo "{\"vector\": [1]}"' >bin/encoder
	chmod +x bin/encoder
	echo '{"embed": {"provider": "command",
		"command": ["encoder", "$(touch ran)", "; touch ran", "a  b"]}}' \
		>"$global/settings.json"
	co-embed one
	diff -u - args <<-'END'
		$(touch ran)
		; touch ran
		a  b
	END
	[ ! -e ran ]
}

# words: install the suite in ./suite, with a writable copy of the word vectors.
words() {
	mkdir -p suite/bin suite/share/co-cli/models
	cp "$CO_BIN/co-embed" suite/bin
	cp "$CO_SOURCE/contrib/models/words.bin" suite/share/co-cli/models
	chmod u+w suite/share/co-cli/models/words.bin
	model=suite/share/co-cli/models/words.bin
}

# flip OFFSET: change the byte at OFFSET of the word vectors.
flip() {
	local byte
	byte=$(od -An -tu1 -j"$1" -N1 "$model")
	# shellcheck disable=SC2059 # it is the byte's escape
	printf "\\x$(printf %x $((byte ^ 85)))" |
		dd of="$model" bs=1 seek="$1" conv=notrunc status=none
}

@test "co-embed fails if the word vectors are missing, truncated or foreign" {
	words
	run -0 suite/bin/co-embed cat
	truncate -s 1000000 "$model"
	run -3 suite/bin/co-embed cat
	[[ $output == *"words.bin' is damaged" ]]
	printf 'x%.0s' {1..100} >"$model"
	run -3 suite/bin/co-embed cat
	[[ $output == *"words.bin' has no word vectors" ]]
	: >"$model"
	run -3 suite/bin/co-embed cat
	cp "$CO_SOURCE/contrib/models/words.bin" "$model"
	printf '\2' | dd of="$model" bs=1 seek=8 conv=notrunc status=none
	run -3 suite/bin/co-embed cat
	[[ $output == *"words.bin' is of version 2, not 1" ]]
	rm "$model"
	run -4 suite/bin/co-embed cat
	expect <<-'END'
		co-embed: the word vectors are missing: share/co-cli/models/words.bin
	END
}

@test "co-embed notices a damaged byte of the word vectors before using it" {
	local size offset
	words
	size=$(stat -c %s "$model")
	suite/bin/co-embed cat dog house >sound
	for offset in 12 20 30 44 60 9000 20000 32000; do
		flip "$offset"
		run -3 suite/bin/co-embed cat
		flip "$offset"
	done
	# A damaged byte of a bucket is an error only for words of that bucket.
	for offset in $(seq 40000 300017 "$size"); do
		flip "$offset"
		if suite/bin/co-embed cat dog house >got 2>err; then
			cmp got sound
		else
			grep -q 'is damaged$' err
		fi
		flip "$offset"
	done
	# A query of all words meets the damaged byte.
	flip $((size - 30))
	strings -n 3 "$model" | grep -oE '[a-z]{3,}' | tr '\n' ' ' >all
	run -3 suite/bin/co-embed <all
}
