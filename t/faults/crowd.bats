#!/usr/bin/env bats
# Run sixty-four writers at once, with readers. Three in ten saves are killed at a random
# call.
load ../lib

writers=${WRITERS:-64}
saves=${SAVES:-100}

setup() {
	world
	[ ! -w /dev/shm ] || {
		crowd=$(mktemp -d /dev/shm/co-crowd.XXXXXX)
		cd "$crowd"
	}
	faulty=$CO_BIN/../faults/bin/co-memory-save
}

teardown() {
	cd /
	[ -z "${crowd:-}" ] || rm -rf "$crowd"
}

writer() {
	local i status
	for ((i = 0; i < saves; i++)); do
		status=0
		if ((RANDOM % 10 < 3)); then
			echo "writer $1 number $i" |
				CO_FAULT=sys:$((RANDOM % 100 + 1)):KILL \
					"$faulty" >"said.$1" || status=$?
			[ $status -eq 0 ] || [ $status -eq 137 ] ||
				echo "writer $1: $status" >>failed
		else
			echo "writer $1 number $i" |
				co-memory-save >"said.$1" ||
				echo "writer $1: failed" >>failed
		fi
		[ ! -s "said.$1" ] ||
			printf '%s\twriter %d number %d\n' "$(cat "said.$1")" \
				"$1" $i >>"saved.$1"
	done 2>>"errors.$1"
}

reader() {
	local was=0 now
	while [ ! -e over ]; do
		now=$(co-memory-next-id) || echo "next-id failed" >>failed
		[ "$now" -ge "$was" ] || echo "$was then $now" >>failed
		was=$now
		co-memory-list >/dev/null || echo "list failed" >>failed
		co-memory-grep -c number >/dev/null || [ $? -eq 1 ] ||
			echo "grep failed" >>failed
	done 2>>errors.reader
}

@test "a crowd of writers, some killed, loses, doubles and tears nothing" {
	local p path text
	[ -x "$faulty" ] || skip "the fault build is missing: make faults"
	echo first | co-memory-save 2>/dev/null
	reader & reader &
	for ((p = 0; p < writers; p++)); do
		writer "$p" &
		pids[p]=$!
	done
	wait "${pids[@]}"
	touch over
	wait
	[ ! -e failed ] || { cat failed; return 1; }
	run -1 grep '^co-' errors.*
	cat saved.* | while IFS=$'\t' read -r path text; do
		[ "$(tail -n 1 "$path")" = "$text" ] ||
			{ echo "$path: $text"; return 1; }
	done
	age_litter
	echo last | co-memory-save >/dev/null
	[ -z "$(find .co-cli -name '.co-tmp*')" ]
	[ -z "$(sed -n 's/^id: //p' $memories/*.md | sort | uniq -d)" ]
	[ -z "$(tail -qn 1 $memories/*.md | sort | uniq -d)" ]
	run -0 co-knowledge-check
	echo "# $((writers * saves)) saves, $(cat saved.* | wc -l) acknowledged" >&3
}
