#!/usr/bin/env bats
# What agents remember, and how people ask for it: t/golden.
load lib

@test "golden questions find their memories among the first" {
	"$CO_SOURCE/contrib/load-jsonl" "$CO_SOURCE/t/golden" out >made
	cd out/all
	run -0 co-index-eval --queries=queries.jsonl --qrels=qrels.jsonl \
		--min=recall5:0.95 --min=recall10:1 --min=mrr:0.9
}
