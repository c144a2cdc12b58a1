#!/usr/bin/env bats
# Test the sentence encoder: when it runs, and what happens without it.
load lib
load mcp
load terminal

setup() {
	world
	mkdir -p "$global"
	memory 1 2026-01-01T00:00:00Z '' <<<'Payments are retried three times before the order is cancelled.'
	memory 2 2026-01-02T00:00:00Z '' <<<'The office closes early on Fridays in summer.'
	memory 3 2026-01-03T00:00:00Z '' <<<'Ada prefers tabs over spaces.'
}

# installed: install the suite in ./suite, with writable copies of its models.
installed() {
	mkdir -p suite/share/co-cli/models
	cp -RP "$CO_BIN" suite/bin
	cp "$CO_SOURCE"/contrib/models/*.bin suite/share/co-cli/models
	chmod u+w suite/share/co-cli/models/*
	PATH=$PWD/suite/bin:$PATH
}

# vectors: print the number of vector files.
vectors() {
	find "$HOME/.cache/co-cli" -name 'vectors-*' 2>/dev/null | wc -l
}

# event_of PROMPT: print the event that Claude Code sends for the prompt.
event_of() {
	hook_event s-1 UserPromptSubmit "\"transcript_path\":\"/t\",\"prompt\":$(json_string "$1")"
}

@test "the sentence encoder is the default" {
	run -0 co-embed 'The cat sat on the mat.'
	jq -e '.model == "sentences" and .dim == 384 and
		((.vector | map(. * .) | add) - 1 | fabs) < 0.0001' <<<"$output"
}

@test "recall finds a memory by a question that shares no word with it" {
	run -0 --separate-stderr co-recall --format='%(id)' -n 1 \
		'what happens if charging the credit card fails?'
	expect <<<1
	[ -z "$stderr" ]
	run -1 co-recall --mode=fts 'charging the credit card fails'
}

@test "recall does not find a memory with another meaning" {
	run -1 co-recall 'quantum chromodynamics'
}

@test "recall hints at --mode=hybrid, which prints the nearest memory anyway" {
	run -1 co-recall money
	run -0 co-recall --mode=hybrid --format='%(id)' -n 1 money
	expect <<<1
	need_terminal
	terminal 1 '' 'co recall money'
	[ "${output##*$'\n'}" = "hint: 'co recall --mode=hybrid money' shows what is nearest in meaning" ]
}

@test "recall does not run the encoder if a memory has the whole query" {
	run -0 co-recall 'office summer'
	[ "$(vectors)" = 0 ]
	run -0 --separate-stderr co-recall --explain 'office summer'
	[[ $stderr == *'meaning: sentences, not asked'* ]]
	run -0 co-recall 'when does the workplace shut in summer'
	[ "$(vectors)" = 1 ]
}

@test "co-index-update makes vectors, and a save does not" {
	echo 'Something new.' | co-memory-save
	[ "$(vectors)" = 0 ]
	run -0 co-index-update
	expect <<<'made of 4 documents'
	[ "$(vectors)" = 1 ]
	run -0 --separate-stderr co-recall --explain 'shutting the workplace'
	[[ $stderr == *'meaning: sentences, '*'kernel'* ]]
	[[ $stderr != *'no vector'* ]]
}

# wait_for_vectors N: wait up to a minute until N memories have a vector.
wait_for_vectors() {
	local i
	for ((i = 0; i < 600; i++)); do
		! co-embed --check | grep -qx "vectors: 0 of $1 missing" || return 0
		sleep .1
	done
	false
}

@test "a query makes vectors of the newest memories first" {
	local i words
	words=$(printf 'The %s of the harbour has a number of its own. ' \
		crane quay tug pilot buoy rope gate shed light bell road)
	for ((i = 4; i < 304; i++)); do
		memory "$i" 2026-01-04T00:00:00Z '' <<<"Berth $i. $words"
	done
	memory 304 2026-01-05T00:00:00Z '' <<<'Invoices are sent by post to every customer in Norway.'
	run -0 co-recall --format='%(id)' -n 1 'how does a Scandinavian client get the bill'
	expect <<<304
	run -0 co-embed --check
	[[ $output == *$'\nvectors: '[1-9]*' of 304 missing'* ]]
}

@test "co mcp makes missing vectors while it is idle" {
	co-index-update
	find "$HOME/.cache/co-cli" -name 'vectors-*' -delete
	[ "$(vectors)" -eq 0 ]
	session
	say "$(hello)"
	wait_for_vectors 3
	co learn 'Lunch is at noon.'
	say "$(call 1 tools/call "$(tool save_memory '{"content":"So is tea.","tags":["office"]}')")"
	wait_for_vectors 4
	hang_up
	diff -u /dev/null errors
}

@test "co mcp makes no vectors in a session that co started" {
	co-index-update
	find "$HOME/.cache/co-cli" -name 'vectors-*' -delete
	export CO_INSIDE=1
	session
	say "$(hello)"
	sleep 3
	hang_up
	unset CO_INSIDE
	[ "$(vectors)" -eq 0 ]
}

@test "making vectors stops when co mcp is killed" {
	local maker=
	seq -f '{"content": "The payment number %g is retried three times"}' 1500 |
		co-memory-save --batch >/dev/null
	co-memory-list -n 1 >/dev/null
	session
	say "$(hello)"
	while [ ! "$maker" ]; do
		sleep .05
		maker=$(pgrep -P "$server" co-index) || :
	done
	kill -9 "$server"
	while [ -e "/proc/$maker/exe" ]; do
		sleep .05
	done
	run -0 co-embed --check
	[[ $output != *'vectors: 0 of'* ]]
}

@test "a query in another script uses the static encoder" {
	memory 4 2026-01-04T00:00:00Z '' <<<'Сервер перезапускается ночью.'
	run -0 co-recall --format='%(id)' 'когда сервер'
	expect <<<4
	run -0 --separate-stderr co-recall --explain 'сервер днём'
	[[ $stderr == *'meaning: static'* ]]
}

@test "a prompt in another script is matched by words only" {
	echo '{"hook.recall": "on", "hook.timeout_ms": 60000}' \
		>"$global/settings.json"
	memory 4 2026-01-04T00:00:00Z '' <<<'The dog and the kitten sleep.'
	memory 5 2026-01-05T00:00:00Z '' <<<'Сервер перезапускается ночью.'
	# The static encoder knows one word, and takes it for the whole prompt.
	run -0 --separate-stderr co-recall --explain \
		'пожалуйста, покажи puppy ещё раз'
	[[ $stderr == *'meaning: static'*'cosine'* ]]
	run -0 co hook claude < <(event_of 'пожалуйста, покажи puppy ещё раз')
	expect <<<'{}'
	run -0 co hook claude < <(event_of 'когда перезапускается сервер')
	[[ $output == *'ночью'* ]]
}

@test "the static encoder is the default if the model file is missing" {
	installed
	rm suite/share/co-cli/models/minilm.bin
	run -0 co-embed cat
	[ "$(jq -r .model <<<"$output")" = static ]
	run -0 --separate-stderr co-recall --format='%(id)' tabs
	expect <<<3
	[ -z "$stderr" ]
}

@test "recall searches by words and warns if the model is missing or damaged" {
	installed
	local model=suite/share/co-cli/models/minilm.bin
	printf '\377\377\377\377' |
		dd of=$model bs=1 seek=600000 conv=notrunc status=none
	run -0 --separate-stderr co-recall --format='%(id)' 'tabs or blanks?'
	expect <<<3
	[ "$stderr" = "co-recall: by words only: '$PWD/$model' is damaged" ]
	run -3 co-embed cat
	expect <<<"co-embed: '$PWD/$model' is damaged"
	truncate -s 1000 $model
	run -0 --separate-stderr co-recall --format='%(id)' 'tabs or blanks?'
	expect <<<3
	[ "$stderr" = "co-recall: by words only: '$PWD/$model' is damaged" ]
	rm $model
	echo '{"embed.provider": "sentences"}' >"$global/settings.json"
	run -0 --separate-stderr co-recall --format='%(id)' 'tabs or blanks?'
	expect <<<3
	[ "$stderr" = 'co-recall: by words only: the encoder is missing: share/co-cli/models/minilm.bin' ]
	run -4 co-embed cat
	expect <<<'co-embed: the encoder is missing: share/co-cli/models/minilm.bin'
}

@test "co-index-update and the prompt hook report a damaged model" {
	installed
	local model=$PWD/suite/share/co-cli/models/minilm.bin
	truncate -s 1000 "$model"
	run -6 --separate-stderr co-index-update
	expect <<<'made of 3 documents'
	[ "$stderr" = "co-index-update: no vectors: by words only: '$model' is damaged" ]
	echo '{"embed.provider": "none"}' >"$global/settings.json"
	run -0 --separate-stderr co-index-update
	[ -z "$stderr" ]
	echo '{"hook.recall": "on", "hook.timeout_ms": 60000}' \
		>"$global/settings.json"
	run -0 --separate-stderr co hook claude < <(event_of 'who prefers tabs?')
	[[ $output == *'over spaces'* ]]
	grep "by words only: '$model' is damaged" \
		"$HOME/.local/state/co-cli/hook.log"
}

@test "recall warns if a query needs the static encoder and it is missing" {
	installed
	local words=$PWD/suite/share/co-cli/models/words.bin
	memory 4 2026-01-04T00:00:00Z '' <<<'Сервер перезапускается ночью.'
	truncate -s 1000 "$words"
	run -0 --separate-stderr co-recall --format='%(id)' 'когда сервер'
	expect <<<4
	[ "$stderr" = "co-recall: by words only: '$words' is damaged" ]
	rm "$words"
	run -0 --separate-stderr co-recall --format='%(id)' 'когда сервер'
	expect <<<4
	[ "$stderr" = 'co-recall: by words only: the word vectors are missing: share/co-cli/models/words.bin' ]
}

@test "in a conversation, the vector of a turn includes the speaker" {
	local i
	rm "$memories"/*
	for i in Ada Ben; do
		jq -nc --arg who "$i" '{content: "I adopted a puppy last month!",
			tags: [$who], source: "session-1"}'
	done | co-memory-save --batch >saved
	echo '{"content": "It rains.", "tags": ["Ada"], "source": "session-1"}' |
		co-memory-save --batch >saved
	run -0 co-index-query --mode=vector --format='%(tags)' -n 1 \
		'Did Ben get a dog?'
	[[ $output == *ben* ]]
}

@test "--check prints the encoder, its kernel and the missing vectors" {
	run -0 co-embed --check
	[[ ${lines[0]} == 'encoder: sentences, 384 numbers, kernel '* ]]
	[[ $output == *$'\nvectors: 3 of 3 missing, about '* ]]
	co-index-update
	run -0 co-embed --check
	[[ $output == *$'\nvectors: 0 of 3 missing' ]]
}
