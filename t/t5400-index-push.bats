#!/usr/bin/env bats
# Test co-index-push, which sends the documents of a commit to a remote index.
load lib
load git
load remote

setup() {
	remote_world
}

# sent: print the texts of acme/web that the server has.
sent() {
	tail -n +2 "$server/acme%web.jsonl" | jq -r .text | sort
}

@test "a push sends the commit's documents, and needs one request if unchanged" {
	mkdir temp
	TMPDIR=$PWD/temp run -0 --separate-stderr co-index-push
	rmdir temp
	[[ $output == 'acme/web: 2 documents of '*', 2 added, 0 removed' && -z $stderr ]]
	run -0 sent
	expect <<<$'Deploys happen on Tuesdays.\nThe gateway listens on port 8443.'
	rm "$server/requests"
	run -0 co-index-push --json
	[ "$(value changed added <<<"$output")" = $'false\n0' ]
	[ "$(wc -l <"$server/requests")" -eq 1 ]
}

@test "a push sends only added documents and the ids of removed ones" {
	co-index-push >/dev/null
	sed -i 's/Tuesdays/Fridays/' $memories/002-m.md
	commit second
	run -0 co-index-push --json
	[ "$(value documents added removed changed <<<"$output")" = $'2\n1\n1\ntrue' ]
	run -0 sent
	expect <<<$'Deploys happen on Fridays.\nThe gateway listens on port 8443.'
}

@test "a push sends the committed state, or the commit given by --commit" {
	echo dirty >>$memories/001-m.md
	memory 3 2026-02-09T14:32:00Z '' <<<'This is not committed.'
	co-index-push >/dev/null
	run -0 sent
	expect <<<$'Deploys happen on Tuesdays.\nThe gateway listens on port 8443.'
	commit second
	run -0 co-index-push --commit=HEAD~1 --json
	[ "$(value changed <<<"$output")" = false ]
	run -2 --separate-stderr co-index-push --commit=nothing
	[[ $stderr == "co-index-push: no commit 'nothing'"* ]]
	run -2 co-index-push --commit=--all
}

@test "a push sends items and sections with their title and path" {
	mkdir -p .co-cli/knowledge/articles
	printf -- '---\ntitle: Ports\nsource: https://example.org/\nfetched: 2026-02-01T10:00:00Z\n---\n\n# Ports\n\nOne.\n\n## Proxy\n\nTwo.\n' \
		>.co-cli/knowledge/articles/ports.md
	printf '# Facts\n\n- The cache is Redis.\n' >.co-cli/knowledge/facts.md
	commit more
	co-index-push >/dev/null
	run -0 jq -r 'select(.kind) | "\(.kind) \(.id) \(.order) \(.title) \(.path)"' \
		"$server/acme%web.jsonl"
	[[ $output == *"section 0 "*"Ports > Proxy knowledge/articles/ports.md"* ]]
	[[ $output == *"item 0 "*" knowledge/facts.md"* ]]
	[[ $output == *"memory 1 "*" knowledge/memories/001-m.md"* ]]
}

@test "a push sends the expiry only if it is a date" {
	sed -i '/^created/a expires: no date' $memories/001-m.md
	sed -i '/^created/a expires: 2027-01-01' $memories/002-m.md
	commit expires
	co-index-push >/dev/null
	run -0 jq -r '.expires // empty' "$server/acme%web.jsonl"
	expect <<<2027-01-01
}

@test "a push sends no drafts, trash, user store or hidden memories" {
	local key
	for key in 'sensitive: true' 'archive: true' 'superseded: 1' \
		'expires: 2026-01-01'; do
		printf -- '---\nid: %s\ncreated: 2026-02-09T14:30:00Z\n%s\n---\nhidden\n' \
			$((++id + 10)) "$key" >"$memories/01$id-m.md"
	done
	mkdir -p $drafts $trash/1 "$global/knowledge/memories"
	memory 20 2026-02-09T14:30:00Z '' $drafts/020-m.md <<<'hidden'
	memory 21 2026-02-09T14:30:00Z '' $trash/1/021-m.md <<<'hidden'
	memory 22 2026-02-09T14:30:00Z '' "$global/knowledge/memories/022-m.md" <<<'hidden'
	git add -f -A .
	commit hidden
	co-index-push >/dev/null
	run ! grep -r hidden "$server"
	[ "$(sent | wc -l)" -eq 2 ]
}

@test "a push withholds and reports a secret, and sends the rest" {
	memory 3 2026-02-09T14:32:00Z '' <<<"token ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	commit secret
	run -3 --separate-stderr co-index-push --json
	[ "$(value documents withheld <<<"$output")" = $'2\n1' ]
	[ "$stderr" = "co-index-push: not sent: 'knowledge/memories/003-m.md' looks as if it held a secret (github-token)" ]
	run ! grep -r ghp_ "$server"
	[ "$(sent | wc -l)" -eq 2 ]
}

@test "two clones of a commit have the same digest" {
	local digest
	digest=$(co-index-push --json | value digest)
	git clone -q . ../clone
	cd ../clone
	[ "$(co-index-push --json | value digest changed)" = "$digest"$'\nfalse' ]
}

@test "--dry-run prints the changes and sends nothing" {
	run -0 co-index-push --dry-run
	[ "$(sort <<<"$output")" = $'+ knowledge/memories/001-m.md\n+ knowledge/memories/002-m.md' ]
	[ "$(asked push)" -eq 0 ]
	co-index-push >/dev/null
	git rm -q $memories/002-m.md
	commit second
	run -0 co-index-push --dry-run
	[[ $output =~ ^-\ [0-9a-f]{64}$ ]]
}

@test "a push retries after a conflict, at most three times" {
	cat >"$server/fault" <<-'END'
		if tail -n 1 "$0/requests" | grep -q 'verb.:.digest'; then
			echo '{"digest":""}'; echo '{"ok":true}'
		else
			echo '{"ok":false,"error":{"kind":"conflict","message":"no"}}'
			exit 6
		fi
	END
	run -5 --separate-stderr co-index-push
	[ "$stderr" = 'co-index-push: the remote index was changed by others meanwhile: no' ]
	[ "$(asked push)" -eq 3 ]
}

@test "a push of a commit without a store fails and removes nothing" {
	co-index-push >/dev/null
	git rm -qr --cached .co-cli
	commit=$(git commit-tree -m none "$(git hash-object -t tree -w /dev/null)")
	run -1 --separate-stderr co-index-push --commit="$commit"
	[ "$stderr" = "co-index-push: commit '${commit:0:12}' has no id of a project: 'co setup git' draws one, then commit it" ]
	[ "$(sent | wc -l)" -eq 2 ]
}

@test "a push fails without a server name, a project id or permission" {
	echo '{"format": 1}' >.co-cli/settings.json
	commit none
	run -1 --separate-stderr co-index-push
	[[ $stderr == *"has no id of a project: 'co setup git' draws one, then commit it" ]]
	echo '{"project": {"id": "aaaaaaaaaaaaaaaaaaaa"}}' >.co-cli/settings.json
	commit unknown
	run -1 --separate-stderr co-index-push
	[[ $stderr == *"'co remote --join NAME' gives it one" ]]
	echo '{"project": {"id": "k3vq7m2xwz5rbd6hyn4t", "share": false}}' \
		>.co-cli/settings.json
	commit closed
	run -1 --separate-stderr co-index-push
	[[ $stderr == *"'project.share' is false" ]]
	echo '{"project": ' >.co-cli/settings.json
	commit malformed
	run -3 --separate-stderr co-index-push
	[[ $stderr == *"'settings.json of "* ]]
	rm .co-cli/settings.json
	ln -s ../settings .co-cli/settings.json
	echo '{"project": {"id": "k3vq7m2xwz5rbd6hyn4t"}}' >settings
	commit link
	run -1 co-index-push
	[ ! -e "$server/requests" ]
}

@test "the commit's settings decide the project and sharing of a push" {
	echo '{"project": {"id": "k3vq7m2xwz5rbd6hyn4t", "share": false}}' \
		>.co-cli/settings.json
	commit closed
	echo '{"project": {"id": "k3vq7m2xwz5rbd6hyn4t"}}' >.co-cli/settings.json
	run -1 co-index-push
	[ ! -e "$server/requests" ]
	echo '{"project": {"id": "aaaaaaaaaaaaaaaaaaaa", "share": false}}' >.co-cli/settings.json
	co config --global remote.projects '["k3vq7m2xwz5rbd6hyn4t=acme/web", "aaaaaaaaaaaaaaaaaaaa=ops/x"]'
	run -0 co-index-push --commit=HEAD~1
	[[ $output == acme/web:* ]]
	[ ! -e "$server/ops%x.jsonl" ]
}

@test "a push replaces a commit of unrelated history with --force only" {
	local mine
	co-index-push >/dev/null
	cp "$server/acme%web.jsonl" ../before
	# One project copied the id. The other clone has not fetched yet.
	mkdir ../copy ../behind
	git clone -q . ../behind
	cp -r .co-cli ../copy
	(
		cd ../copy
		git init -q
		memory 9 2026-02-09T14:30:00Z '' <<<'Of another project.'
		commit copy
		run -1 --separate-stderr co-index-push
		[[ $stderr == "co-index-push: the server has commit '"*"' of 'acme/web', which is in no history with '"*"': run 'git fetch', or replace it with --force" ]]
		run -1 co-index-push --dry-run
	)
	diff ../before "$server/acme%web.jsonl"
	memory 3 2026-02-09T14:32:00Z '' <<<'Third.'
	commit third
	co-index-push >/dev/null
	cp "$server/acme%web.jsonl" ../before
	(
		cd ../behind
		memory 4 2026-02-09T14:32:00Z '' <<<'Fourth.'
		commit fourth
		run -1 co-index-push
		diff ../before "$server/acme%web.jsonl"
		run -0 co-index-push --force
	)
	mine=$(sent)
	[[ $mine == *Fourth* && $mine != *Third* ]]
	# A shallow clone cannot check the history.
	git clone -q --depth 1 "file://$PWD" ../shallow
	cd ../shallow
	run -0 co-index-push
	[[ $(sent) == *Third* ]]
}

@test "a push of unchanged documents needs one request and reads no document" {
	# Documents are read in a temporary directory.
	export TMPDIR=$PWD/temp
	mkdir temp
	co-index-push >/dev/null
	rm "$server/requests"
	chmod 0 temp
	[ ! -w temp ] || mv temp away
	run -0 co-index-push --json
	[ "$(value documents added changed <<<"$output")" = $'2\n0\nfalse' ]
	# A commit that changes other files needs no reading either.
	echo code >code
	commit 'no memory'
	run -0 co-index-push
	[ "$(asked)" -eq 2 ]
	# A purge clears the basis.
	co remote --purge=2 >/dev/null
	rm -rf temp
	mkdir temp
	run -0 co-index-push
	[[ $(sent) == *Tuesdays* ]]
	# Documents sent by another version are compared once.
	sed -i '1s/"basis":"co [^ ]*/"basis":"co 0/' "$server/acme%web.jsonl"
	rm "$server/requests"
	run -0 co-index-push --json
	[ "$(value changed <<<"$output")" = false ]
	[ "$(asked digest) $(asked push)" = '1 1' ]
	run -0 co-index-push
	[ "$(asked digest) $(asked push)" = '2 1' ]
	run -0 co-index-push --force
	[ "$(asked digest) $(asked push)" = '3 2' ]
}

@test "a push requests vectors after a change or if some are missing" {
	co-index-push >/dev/null
	[ "$(asked vectors)" -eq 1 ]
	co-index-push >/dev/null
	[ "$(asked vectors)" -eq 1 ]
	printf '%s\n' 'case $(tail -n 1 "$0/requests") in *digest*) cat "$0/state";; esac; echo "{\"ok\":true}"' >"$server/fault"
	jq -c --slurp '.[0] + {documents: 2, lacking: 1, basis: ""}' "$server/acme%web.jsonl" >"$server/state"
	co-index-push >/dev/null
	[ "$(asked vectors)" -eq 2 ]
	co-index-push --dry-run >/dev/null
	[ "$(asked vectors)" -eq 2 ]
	# The push is complete if vectors fail. An engine need not support them.
	for kind in invalid timeout; do
		printf '%s\n' 'case $(tail -n 1 "$0/requests") in
			*digest*) cat "$0/state"; echo "{\"ok\":true}";;
			*) echo "{\"ok\":false,\"error\":{\"kind\":\"'$kind'\",\"message\":\"\"}}"; exit 6;;
			esac' >"$server/fault"
		status=0
		co-index-push >out 2>said || status=$?
		[[ $(<out) == *'0 added, 0 removed' ]]
		echo "$status $(<said)"
	done >ends
	diff ends - <<-'END'
		0 
		6 co-index-push: the remote index did not answer in time
	END
}

@test "a push checks expired and withheld documents again" {
	sed -i '/^created/a expires: 2026-03-01' $memories/002-m.md
	commit expires
	CO_NOW=2026-02-10T00:00:00Z run -0 co-index-push
	[[ $output == *' 2 documents'* ]]
	[[ $(head -n 1 "$server/acme%web.jsonl") == *' 2026-03-0'* ]]
	CO_NOW=2026-03-05T00:00:00Z run -0 co-index-push
	[[ $output == *' 1 document'*' 1 removed' ]]
	memory 3 2026-02-09T14:32:00Z '' <<<"token ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	commit secret
	run -3 co-index-push
	run -3 co-index-push
}
