#!/usr/bin/env bats
# Test co-index-eval, which measures search with queries of known answers.
load lib

setup() {
	world
	mkdir .co-cli
	memory 1 2026-01-01T10:00:00Z '' <<<"The event loop blocks when code is synchronous"
	memory 2 2026-01-02T10:00:00Z '' <<<"Deploy on Friday, never on Monday"
	memory 3 2026-01-03T10:00:00Z '' <<<"The event log is rotated"
	cat >queries <<-'END'
		{"id":"a","text":"what blocks the loop?","cat":"code"}
		{"id":"b","text":"event","cat":"code"}
		{"id":"c","text":"nothing that is there","cat":2}
		{"id":"d","text":"not judged"}
	END
	cat >qrels <<-'END'
		{"q":"a","d":"001-m.md","rel":1}
		{"q":"b","d":1,"rel":1}
		{"q":"b","d":"memories/003-m.md"}
		{"q":"b","d":2,"rel":0}
		{"q":"c","d":"2","rel":3}
		{"q":"gone","d":"2","rel":1}
	END
}

# evaluate OPTION...: run co-index-eval and drop the times from its output.
evaluate() {
	co-index-eval --queries=queries --qrels=qrels "$@" |
		sed -E 's/(, )?p(50|95) [0-9.]+ ms//g; /^$/d'
}

@test "recall, MRR and nDCG are means over the judged queries" {
	run -0 evaluate
	expect <<-'END'
		questions 3
		Recall@5 0.6667
		Recall@10 0.6667
		MRR 0.6667
		nDCG@10 0.6667
		category code: questions 2, Recall@5 1.0000, Recall@10 1.0000, MRR 1.0000, nDCG@10 1.0000
		category 2: questions 1, Recall@5 0.0000, Recall@10 0.0000, MRR 0.0000, nDCG@10 0.0000
	END
}

@test "an answer at a lower rank counts less" {
	echo '{"q":"b","d":1}' >qrels
	run -0 evaluate
	expect <<-'END'
		questions 1
		Recall@5 1.0000
		Recall@10 1.0000
		MRR 0.5000
		nDCG@10 0.6309
		category code: questions 1, Recall@5 1.0000, Recall@10 1.0000, MRR 0.5000, nDCG@10 0.6309
	END
}

@test "--json prints every figure, including times" {
	run -0 --separate-stderr co-index-eval --queries=queries --qrels=qrels \
		--json
	jq -se '.[0] | .questions == 3 and .mode == "fts" and
		.recall5 == 0.6667 and .p50_ms >= 0 and .p95_ms >= .p50_ms' \
		<<<"$output"
	jq -se '.[1].category == "code" and .[2].category == "2"' <<<"$output"
}

@test "--each prints the rank of the first answer of each query" {
	run -0 evaluate --each
	diff -u <(head -n 3 <<<"$output") - <<-'END'
		1 a what blocks the loop?
		1 b event
		- c nothing that is there
	END
}

@test "co-index-eval exits 1 if a figure is below its --min" {
	run -0 --separate-stderr co-index-eval --queries=queries --qrels=qrels \
		--min=recall5:0.6 --min=mrr:.6
	run -1 --separate-stderr co-index-eval --queries=queries --qrels=qrels \
		--min=recall5:0.6 --min=ndcg10:0.9
	diff -u <(echo "co-index-eval: ndcg10:0.9: only 0.6667") \
		<(echo "$stderr")
	local bad
	for bad in recall5 recall5: recall5:x p50_ms:1 :1 foo:1 recall5:1x; do
		run -2 co-index-eval --queries=queries --qrels=qrels \
			--min="$bad"
	done
}

@test "-n evaluates a sample of the queries" {
	run -0 evaluate -n 2 --each
	diff -u <(head -n 2 <<<"$output") - <<-'END'
		1 a what blocks the loop?
		1 b event
	END
}

@test "co-index-eval refuses malformed input files and names the line" {
	run -2 co-index-eval --queries=queries
	run -4 co-index-eval --queries=queries --qrels=absent
	echo '{"q":1}' >qrels
	run -3 co-index-eval --queries=queries --qrels=qrels
	[[ $output == *"'qrels'"*"'d'"* ]]
	echo '{"q":1,' >qrels
	run -3 co-index-eval --queries=queries --qrels=qrels
	[[ $output == *"'qrels':2:"* ]] || [[ $output == *"'qrels':1:"* ]]
	: >qrels
	run -1 --separate-stderr co-index-eval --queries=queries --qrels=qrels
	diff -u <(head -n 1 <<<"$output") <(echo "questions 0")
}

@test "contrib/load-jsonl makes a store for each group of documents" {
	mkdir set
	cat >set/docs.jsonl <<-'END'
		{"id":"x1","group":"g/1","text":"Whales sing","title":"Sea","speaker":"Ann","session":4}
		{"id":2,"group":"g/1","text":"Birds fly","tags":["air"],"source":"book","created":"2020-01-02T03:04:05Z"}
		{"id":"x3","group":"h","text":""}
	END
	cat >set/queries.jsonl <<-'END'
		{"id":1,"group":"g/1","text":"who sings?"}
		{"id":2,"group":"g/1","text":"what flies?"}
	END
	printf '%s\n' '{"q":1,"d":"x1","rel":1}' '{"q":2,"d":2,"rel":1}' \
		'{"q":2,"d":"x3","rel":1}' >set/qrels.jsonl
	run -0 --separate-stderr "$CO_SOURCE/contrib/load-jsonl" set out
	diff -u <(printf '%s\n' out/g-1 out/h) <(echo "$output")
	diff -u - <(cat out/g-1/.co-cli/knowledge/memories/*) <<-'END'
		---
		id: 1
		created: 2024-01-01T00:00:00Z
		tags: [ann]
		source: session-4
		---

		Sea

		Whales sing
		---
		id: 2
		created: 2020-01-02T03:04:05Z
		tags: [air]
		source: book
		---

		Birds fly
	END
	cd out/g-1
	run -0 --separate-stderr co-index-eval --queries=queries.jsonl \
		--qrels=qrels.jsonl --json
	jq -se '.[0] | .questions == 2 and .recall5 == 1' <<<"$output"
}
