# t/remote.bash: helpers for tests of a remote index, with the engine t/remote-engine.

# remote_world: make the project acme/web, joined to a remote, with two committed
# memories.
remote_world() {
	git_world
	server=$BATS_TEST_TMPDIR/server
	mkdir -p .co-cli "$global" "$server"
	echo '{"format": 1, "project": {"id": "k3vq7m2xwz5rbd6hyn4t"}}' \
		>.co-cli/settings.json
	printf '{"remote.command": ["%s", "%s"], "remote.timeout_ms": 60000, "remote.projects": [%s]}\n' \
		"$CO_SOURCE/t/remote-engine" "$server" \
		'"k3vq7m2xwz5rbd6hyn4t=acme/web"' >"$global/settings.json"
	memory 1 2026-02-09T14:30:00Z api <<<'The gateway listens on port 8443.'
	memory 2 2026-02-09T14:31:00Z '' <<<'Deploys happen on Tuesdays.'
	commit first
}

# other_project NAME TEXT: add a project to the server, with TEXT as its memory 7.
other_project() {
	{
		printf '{"commit": "%s", "at": "2026-02-08T10:00:00Z", "digest": "x"}\n' \
			9fceb02d0ae598e95dc970b74767f19372d61af8
		jq -nc --arg text "$2" '{hash: "h", kind: "memory", id: 7,
			path: "knowledge/memories/007-m.md", created: "2026-02-08T09:00:00Z",
			source: "user-told", title: "", tags: ["ops"], text: $text}'
	} >"$server/${1//\//%}.jsonl"
}

# asked [VERB]: print how many requests, of VERB, the server got.
asked() {
	grep -c "\"verb\":\"${1-}" "$server/requests" || :
}
