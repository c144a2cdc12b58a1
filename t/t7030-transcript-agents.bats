#!/usr/bin/env bats
# Test agents that have their own places or formats for records: how the records
# are found and read.
load lib

setup() {
	world
	records=$BATS_TEST_DIRNAME/transcripts
	database=$CO_BIN/../t/tool/transcript/database
	mkdir .co-cli
}

# turns [FILE...]: print role, tool and text of each turn, one a line.
turns() {
	co-transcript-read "$@" |
		jq -r '"\(.role) \(.tool // "-") \(.text // "" | @json)"'
}

# listed [OPTION...]: print the known fields of each conversation.
listed() {
	co-transcript-list --json "$@" |
		jq -c '[.agent, .session, .project, .start, .end]' |
		sed "s#$PWD#P#"
}

# here FILE: print its conversation as one of this project.
here() {
	sed "s#/home/ada/project#$PWD#g" "$1"
}

# all_read: check that each listed conversation can be read.
all_read() {
	co-transcript-list --all -z | xargs -0 -r co-transcript-read >/dev/null
}

@test "pi: a session is read without a branch that the user left" {
	run -0 turns "$records/pi.jsonl"
	expect <<-'END'
		user - "Use tabs, please."
		assistant - "I will look."
		assistant bash ""
		assistant - "Noted."
		user - "Thanks."
	END
	sed 1d "$records/pi.jsonl" >headless
	run -0 turns headless
	[ "${#lines[@]}" = 5 ]
}

@test "pi: sessions are found in the default and in a moved directory" {
	dir=$HOME/.pi/agent/sessions/--p--
	name=2026-11-26T10-00-09-909Z_01a2174c-5bb5-76e8-9f40-da871e3f23e8.jsonl
	mkdir -p "$dir"
	here "$records/pi.jsonl" >"$dir/$name"
	run -0 listed
	expect <<<'["pi","01a2174c-5bb5-76e8-9f40-da871e3f23e8","P","2026-11-26T10:00:09Z","2026-11-26T10:00:18Z"]'
	mv "$HOME/.pi/agent" moved
	PI_CODING_AGENT_DIR=$PWD/moved listed | grep -q '^\["pi"'
	PI_CODING_AGENT_SESSION_DIR=$PWD/moved/sessions/--p-- listed |
		grep -q '^\["pi"'
	run -0 listed
	[ -z "$output" ]
}

@test "pi: a session of a later version is an error" {
	sed '1s/"version":3/"version":4/' "$records/pi.jsonl" >later.jsonl
	run -3 co-transcript-read later.jsonl
	expect <<<"co-transcript-read: 'later.jsonl': unknown version: 4"
}

@test "cline: a session is read without notices and attached files" {
	run -0 turns "$records/cline.json"
	expect <<-'END'
		user - "Use tabs, please."
		assistant - "I will look."
		assistant run_commands ""
		assistant - "Noted."
		user - "And a heading.\nThanks."
	END
	run -0 bash -c 'co-transcript-read "$1" | jq -r .time | head -n 1' _ \
		"$records/cline.json"
	expect <<<2026-11-26T10:08:38Z
	sed 's/"version": 1/"version": 2/' "$records/cline.json" >later.json
	run -3 co-transcript-read later.json
	expect <<<"co-transcript-read: 'later.json': unknown version: 2"
}

@test "cline and roo: a task is read from the messages of the editor's window" {
	for format in auto cline roo; do
		run -0 turns --format=$format "$records/cline-shown.json"
		expect <<-'END'
			user - "Use tabs, please."
			assistant - "I will look."
			assistant readFile ""
			assistant execute_command ""
			assistant save_memory ""
			assistant - "Which width?"
			user - "8"
			assistant - "A plan."
			user - "And a heading."
			assistant - "Done."
		END
	done
	# In Roo Code, the task and a question are plain text.
	jq -c '.[0].say = "text" | .[8].text = "Which?"' \
		"$records/cline-shown.json" >roo.json
	run -0 turns --format=roo roo.json
	[ "${lines[0]}" = 'user - "Use tabs, please."' ]
	[ "${lines[5]}" = 'assistant - "Which?"' ]
	echo '[{"ts": 1, "type": "say"}, 7, {"ts": 1, "type": "say", "say": 7}]' >odd
	run -0 co-transcript-read --format=roo odd
	expect <<<"co-transcript-read: 'odd': 2 lines could not be read"
	for text in '{"messages": 1}' '"x"' '[{"ts": 1'; do
		echo "$text" >none
		run -3 co-transcript-read --format=roo none
		[[ $output == "co-transcript-read: 'none'"* ]]
	done
}

@test "cline: sessions and tasks are found with their projects" {
	session=$HOME/.cline/data/sessions/1795687717996_euymk
	mkdir -p "$session"
	cp "$records/cline.json" "$session/1795687717996_euymk.messages.json"
	cp "$records/cline.json" "$session/sub_agent.messages.json"
	jq -n --arg dir "$PWD" '{version: 1, session_id: "1795687717996_euymk",
		cwd: $dir}' >"$session/1795687717996_euymk.json"
	for user in .config/Code .config/VSCodium '.config/Code - Insiders' \
		'Library/Application Support/Cursor' .vscode-server/data; do
		task=$HOME/$user/User/globalStorage/saoudrizwan.claude-dev/tasks/${#user}
		mkdir -p "$task"
		cp "$records/cline-shown.json" "$task/ui_messages.json"
	done
	jq -cn --arg dir "$PWD" '[{role: "user", content: [{type: "text",
		text: "<task>\nx\n</task>"}, {type: "text", text:
		"<environment_details>\n# Current Working Directory (\($dir)) Files\na.md"}]}]' \
		>"$task/api_conversation_history.json"
	run -0 listed
	expect <<-'END'
		["cline","1795687717996_euymk","P","2026-11-26T10:08:38Z","2026-11-26T10:08:40Z"]
		["cline","19","P","2025-11-26T10:00:00Z","2025-11-26T10:00:12Z"]
	END
	run -0 listed --all
	[ "${#lines[@]}" = 6 ]
	[ "$(grep -c '"cline","[0-9]*",null' <<<"$output")" = 4 ]
	run -0 all_read
	[ -z "$output" ]
	mv "$HOME/.cline" moved
	CLINE_DIR=$PWD/moved listed | grep -q euymk
	CLINE_DATA_DIR=$PWD/moved/data listed | grep -q euymk
}

@test "roo: tasks are found with their projects" {
	task=$HOME/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/t1
	mkdir -p "$task"
	cp "$records/cline-shown.json" "$task/ui_messages.json"
	jq -cn --arg dir "$PWD" '[{role: "user", content: [{type: "text",
		text: "# Current Workspace Directory (\($dir)) Files"}]}]' \
		>"$task/api_conversation_history.json"
	for i in 1 2; do
		run -0 listed
		expect <<<'["roo","t1","P","2025-11-26T10:00:00Z","2025-11-26T10:00:12Z"]'
		jq -n --arg dir "$PWD" '{id: "t1", workspace: $dir}' \
			>"$task/history_item.json"
		rm -f "$task/api_conversation_history.json"
	done
	run -0 all_read
	# A FIFO is not read as the task's description.
	rm "$task/history_item.json"
	mkfifo "$task/history_item.json"
	run -0 timeout 60 co-transcript-list
	[ -z "$output" ]
}

# database_of AGENT FILE: make its recorded database as one of this project.
database_of() {
	mkdir -p "${2%/*}"
	here "$records/$1.sql" | "$database" "$2"
}

@test "goose: a session is read without messages that only the model sees" {
	database_of goose db/sessions.db
	for format in auto goose; do
		run -0 co-transcript-read --format=$format db/sessions.db#20261126_1
		expect <<-'END'
			{"role":"user","text":"Use tabs, please.","time":"2026-11-26T10:00:00Z","tool":null}
			{"role":"assistant","text":"I will look.","time":"2026-11-26T10:00:02Z","tool":null}
			{"role":"assistant","text":null,"time":"2026-11-26T10:00:02Z","tool":"developer__shell"}
			{"role":"assistant","text":"Noted.","time":"2026-11-26T10:00:04Z","tool":null}
			{"role":"user","text":"And a heading.","time":"2026-11-26T10:00:09Z","tool":null}
		END
	done
	run -1 co-transcript-read --format=goose db/sessions.db#none
	run -2 co-transcript-read --format=goose db/sessions.db
	echo 'ALTER TABLE messages RENAME COLUMN content_json TO content;' |
		"$database" db/sessions.db
	run -3 co-transcript-read --format=goose db/sessions.db#20261126_1
	[[ $output == *"unknown version: no such column: m.content_json" ]]
}

@test "goose: sessions are found in the default and in a moved directory" {
	database_of goose "$HOME/.local/share/goose/sessions/sessions.db"
	run -0 listed
	expect <<<'["goose","20261126_1","P","2026-11-26T10:00:00Z","2026-11-26T10:00:09Z"]'
	run -0 listed --all
	[ "${#lines[@]}" = 2 ]
	[ "${lines[1]}" = '["goose","20261126_3","/home/ada/other","2026-11-26T09:00:00Z","2026-11-26T09:00:00Z"]' ]
	run -0 all_read
	[ -z "$output" ]
	mv "$HOME/.local/share" moved
	XDG_DATA_HOME=$PWD/moved listed | grep -q '^\["goose"'
	mkdir -p root/data
	mv moved/goose/sessions root/data/
	GOOSE_PATH_ROOT=$PWD/root listed | grep -q '^\["goose"'
}

@test "crush: a session is read without summaries and the user's commands" {
	database_of crush db/crush.db
	for format in auto crush; do
		run -0 co-transcript-read --format=$format db/crush.db#4f0d
		expect <<-'END'
			{"role":"user","text":"Use tabs, please.","time":"2026-11-26T10:00:00Z","tool":null}
			{"role":"assistant","text":"I will look.","time":"2026-11-26T10:00:02Z","tool":null}
			{"role":"assistant","text":null,"time":"2026-11-26T10:00:02Z","tool":"bash"}
			{"role":"assistant","text":"Noted.","time":"2026-11-26T10:00:03Z","tool":null}
			{"role":"user","text":"And a heading.","time":"2026-11-26T10:00:09Z","tool":null}
		END
	done
	echo "UPDATE messages SET parts = '{}' WHERE id = 'm1';" |
		"$database" db/crush.db
	run -0 --separate-stderr turns db/crush.db#4f0d
	[ "${#lines[@]}" = 4 ]
	[[ $stderr == *"1 line could not be read" ]]
}

@test "crush: only projects of its own list are found, not those of a clone" {
	database_of crush .crush/crush.db
	run -0 listed
	[ -z "$output" ]
	known=$HOME/.local/share/crush
	mkdir -p "$known" other
	jq -n --arg dir "$PWD" '{projects: [
		{path: "/gone", data_dir: "/gone/.crush"},
		{path: 1}, {path: "relative", data_dir: ".crush"},
		{path: $dir, data_dir: "\($dir)/.crush"}]}' \
		>"$known/projects.json"
	run -0 listed
	expect <<<'["crush","4f0d","P","2026-11-26T10:00:00Z","2026-11-26T10:00:09Z"]'
	run -0 all_read
	[ -z "$output" ]
	CRUSH_GLOBAL_DATA=$known XDG_DATA_HOME=$PWD listed | grep -q '^\["crush"'
	# A clone may have brought a database that git tracks.
	git init -q .
	git add -f .crush/crush.db
	run -0 listed
	[ -z "$output" ]
	# It may also have brought a link to the directory.
	git rm -q --cached .crush/crush.db
	mv .crush theirs
	ln -s theirs .crush
	git add -f theirs .crush
	run -0 listed
	[ -z "$output" ]
	rm .crush
	mv theirs .crush
	rm -r .git
	echo '{"projects": [' >"$known/projects.json"
	run -3 co-transcript-list
	[[ $output == "co-transcript-list: '$known/projects.json':"* ]]
	rm "$known/projects.json"
	ln -s "$PWD/none" "$known/projects.json"
	run -3 co-transcript-list
}

@test "cursor: a session is read in the order that its state lists" {
	database_of cursor db/state.vscdb
	for format in auto cursor; do
		run -0 co-transcript-read --format=$format db/state.vscdb#9ec2
		expect <<-'END'
			{"role":"user","text":"Use tabs, please.","time":"2026-11-26T10:00:00Z","tool":null}
			{"role":"assistant","text":"I will look.","time":"2026-11-26T10:00:02Z","tool":null}
			{"role":"assistant","text":null,"time":"2026-11-26T10:00:03Z","tool":"run_terminal_command_v2"}
			{"role":"assistant","text":"Noted.","time":"2026-11-26T10:00:04Z","tool":null}
			{"role":"user","text":"And a heading.","time":"2026-11-26T10:00:09Z","tool":null}
		END
	done
	# A message is missing, without a type, or of a later version.
	"$database" db/state.vscdb <<-'END'
		DELETE FROM cursorDiskKV WHERE key = 'bubbleId:9ec2:b1';
		UPDATE cursorDiskKV SET value = '{"_v":3,"text":"x"}'
			WHERE key = 'bubbleId:9ec2:b5';
	END
	run -0 --separate-stderr turns db/state.vscdb#9ec2
	[ "${#lines[@]}" = 3 ]
	[[ $stderr == *"2 lines could not be read" ]]
	"$database" db/state.vscdb <<-'END'
		UPDATE cursorDiskKV SET value = '{"_v":4,"type":1,"text":"x"}'
			WHERE key = 'bubbleId:9ec2:b3';
	END
	run -3 co-transcript-read db/state.vscdb#9ec2
	expect <<<"co-transcript-read: 'db/state.vscdb': unknown version: 4"
	echo "UPDATE cursorDiskKV SET value = '{\"conversations\":[]}';" |
		"$database" db/state.vscdb
	run -3 co-transcript-read db/state.vscdb#9ec2
	expect <<<"co-transcript-read: 'db/state.vscdb#9ec2': unknown version"
}

@test "cursor: sessions are found on Linux and macOS, and without a table" {
	state=.config/Cursor/User/globalStorage/state.vscdb
	database_of cursor "$HOME/$state"
	run -0 listed
	expect <<<'["cursor","9ec2","P","2026-11-26T10:00:00Z","2026-11-26T10:00:09Z"]'
	run -0 all_read
	[ -z "$output" ]
	run -0 listed --all
	[ "${#lines[@]}" = 1 ]
	mkdir -p "$HOME/Library/Application Support"
	mv "$HOME/.config/Cursor" "$HOME/Library/Application Support/"
	listed | grep -q '^\["cursor","9ec2","P"'
	echo 'DROP TABLE composerHeaders;' |
		"$database" "$HOME/Library/Application Support/${state#*/}"
	run -0 listed --all
	[ "${lines[0]}" = '["cursor","9ec2",null,"2026-11-26T10:00:00Z","2026-11-26T10:00:09Z"]' ]
	mkdir moved
	mv "$HOME/Library/Application Support/Cursor" moved/
	XDG_CONFIG_HOME=$PWD/moved listed --all | grep -q '^\["cursor","9ec2"'
}

@test "kiro: a session is read from a JSONL file and from a database" {
	for format in auto kiro; do
		run -0 co-transcript-read --format=$format "$records/kiro.jsonl"
		expect <<-'END'
			{"role":"user","text":"Use tabs, please.","time":"2026-11-26T10:00:00Z","tool":null}
			{"role":"assistant","text":"I will look.","time":null,"tool":null}
			{"role":"assistant","text":null,"time":null,"tool":"shell"}
			{"role":"assistant","text":"Noted.","time":null,"tool":null}
			{"role":"user","text":"And a heading.","time":"2026-11-26T10:00:09Z","tool":null}
		END
	done
	database_of kiro db/data.sqlite3
	run -0 turns db/data.sqlite3#c1
	expect <<-'END'
		user - "Use tabs, please."
		assistant - "I will look."
		assistant execute_bash ""
		assistant - "Noted."
		user - "And a heading."
		assistant - "Done."
	END
}

@test "kiro: an unknown version is an error" {
	sed 's/"v1"/"v2"/' "$records/kiro.jsonl" >later.jsonl
	run -3 co-transcript-read later.jsonl
	expect <<<"co-transcript-read: 'later.jsonl': unknown version: v2"
	database_of kiro db/data.sqlite3
	echo "UPDATE conversations_v2 SET value = '{\"turns\":[]}';" |
		"$database" db/data.sqlite3
	run -3 co-transcript-read db/data.sqlite3#c1
	expect <<<"co-transcript-read: 'db/data.sqlite3#c1': unknown version"
}

@test "kiro: sessions are found without those of sub-agents" {
	dir=$HOME/.kiro/sessions/cli
	mkdir -p "$dir"
	for id in s1 s2; do
		cp "$records/kiro.jsonl" "$dir/$id.jsonl"
		touch -d '2026-11-26 10:00:10Z' "$dir/$id.jsonl"
		jq -n --arg dir "$PWD" --arg id $id '{session_id: $id, cwd: $dir,
			parent_session_id: (if $id == "s2" then "s1" else null end)}' \
			>"$dir/$id.json"
	done
	for data in .local/share 'Library/Application Support'; do
		database_of kiro "$HOME/$data/kiro-cli/data.sqlite3"
		run -0 listed
		expect <<-'END'
			["kiro","s1","P",null,"2026-11-26T10:00:10Z"]
			["kiro","c1","P","2026-11-26T10:00:00Z","2026-11-26T10:00:09Z"]
		END
		run -0 all_read
		[ -z "$output" ]
		rm -r "${HOME:?}/$data"
	done
}

@test "amp: a thread is read without the program's messages to the user" {
	for format in auto amp; do
		run -0 co-transcript-read --format=$format "$records/amp.json"
		expect <<-'END'
			{"role":"user","text":"Use tabs, please.","time":"2025-11-26T10:00:00Z","tool":null}
			{"role":"assistant","text":"I will look.","time":"2025-11-26T10:00:02Z","tool":null}
			{"role":"assistant","text":null,"time":"2025-11-26T10:00:02Z","tool":"Bash"}
			{"role":"assistant","text":"Noted.","time":"2025-11-26T10:00:04Z","tool":null}
			{"role":"user","text":"And a heading.","time":"2025-11-26T10:00:09Z","tool":null}
		END
	done
	jq -c . "$records/amp.json" >line.json
	[ "$(turns line.json)" = "$(turns "$records/amp.json")" ]
	jq '.messages |= {}' "$records/amp.json" >other.json
	run -3 co-transcript-read other.json
	expect <<<"co-transcript-read: 'other.json' has no messages"
}

@test "amp: threads are found without those of sub-agents" {
	dir=$HOME/.local/share/amp/threads
	mkdir -p "$dir" 'a b%'
	here "$records/amp.json" >"$dir/T-1.json"
	sed "s#file:///home/ada/project#file://$PWD/a%20b%25#" \
		"$records/amp.json" | jq -c '{env} + .' >"$dir/T-2.json"
	jq -c '.mainThreadID = "T-1"' "$dir/T-1.json" >"$dir/T-3.json"
	run -0 listed
	expect <<-'END'
		["amp","T-1","P","2025-11-26T10:00:00Z","2025-11-26T10:00:09Z"]
		["amp","T-2","P/a b%","2025-11-26T10:00:00Z","2025-11-26T10:00:09Z"]
	END
	mv "$HOME/.local/share" moved
	XDG_DATA_HOME=$PWD/moved listed | grep -q '^\["amp"'
}

# need_zstd: skip the test in a build that cannot decompress.
need_zstd() {
	[[ $(co-version) == *zstd\ [0-9]* ]] || skip 'made without libzstd'
}

@test "zed: a thread is read without attachments and the program's messages" {
	database_of zed db/threads.db
	for format in auto zed; do
		run -0 turns --format=$format db/threads.db#z1
		expect <<-END
			user - "Use tabs in $PWD/a.c, please."
			assistant - "I will look."
			assistant terminal ""
			assistant read_file ""
			assistant - "Noted."
			user - "And a heading."
		END
	done
	run -0 turns db/threads.db#z4
	expect <<-'END'
		user - "Use tabs, please."
		assistant - "I will look."
		assistant terminal ""
		user - "And a heading."
	END
	run -0 turns db/threads.db#z5
	[ "${#lines[@]}" = 3 ]
	run -1 co-transcript-read db/threads.db#none
	run -2 co-transcript-read --format=zed db/threads.db
}

@test "zed: co conversations shows commands and the output of failed tools" {
	database_of zed "$HOME/.local/share/zed/threads/threads.db"
	run -0 co conversations show z1
	[[ $output == *make*'Command "make" failed with exit code 2.'*no\ b.c* ]]
	for thread in z4 z5; do
		run -0 co conversations show --agent=zed $thread
		[[ $output == *make*no\ rule* ]]
	done
}

@test "zed: threads are found in each directory without those of sub-agents" {
	for data in .local/share/zed 'Library/Application Support/Zed' \
		.var/app/dev.zed.Zed/data/zed; do
		database_of zed "$HOME/$data/threads/threads.db"
		run -0 listed
		expect <<-'END'
			["zed","z1","P","2026-11-26T10:00:00Z","2026-11-26T10:00:09Z"]
			["zed","z2","P","2026-11-26T10:00:00Z","2026-11-26T10:00:08Z"]
			["zed","z4","P",null,"2026-11-26T10:00:07Z"]
		END
		run -0 listed --all
		[ "${lines[3]}" = '["zed","z5",null,null,"2026-11-26T10:00:06Z"]' ]
		[ "${#lines[@]}" = 4 ]
		rm -r "${HOME:?}/$data"
	done
	database_of zed moved/zed/threads/threads.db
	XDG_DATA_HOME=$PWD/moved listed | grep -q '^\["zed","z1","P"'
}

@test "zed: threads of releases that did not store directories are found" {
	database_of zed "$HOME/.local/share/zed/threads/threads.db"
	"$database" "$HOME/.local/share/zed/threads/threads.db" <<-'END'
		DELETE FROM threads WHERE parent_id IS NOT NULL;
		ALTER TABLE threads DROP COLUMN parent_id;
		ALTER TABLE threads DROP COLUMN folder_paths;
		ALTER TABLE threads DROP COLUMN folder_paths_order;
		ALTER TABLE threads DROP COLUMN created_at;
	END
	run -0 listed --all
	[ "${#lines[@]}" = 4 ]
	[ "${lines[0]}" = '["zed","z1","P",null,"2026-11-26T10:00:09Z"]' ]
	[[ $output == *'"zed","z4","P"'* && $output == *'"zed","z5",null'* ]]
}

@test "zed: a compressed thread is read, or reported by a build without zstd" {
	database_of zed db/threads.db
	if [[ $(co-version) == *'no zstd'* ]]; then
		run -4 co-transcript-read db/threads.db#z2
		expect <<<"co-transcript-read: 'db/threads.db#z2': it is compressed, and this build has no libzstd"
		return
	fi
	diff -u <(turns db/threads.db#z1 | sed "s#$PWD#/home/ada/project#") \
		<(turns db/threads.db#z2)
}

@test "zed: an unknown or incomplete thread is an error" {
	need_zstd
	database_of zed db/threads.db
	echo "UPDATE threads SET data = replace(data, '0.3.0', '0.4.0')
		WHERE id = 'z1';" | "$database" db/threads.db
	run -3 co-transcript-read db/threads.db#z1
	expect <<<"co-transcript-read: 'db/threads.db#z1': unknown version: 0.4.0"
	"$database" db/threads.db <<-'END'
		UPDATE threads SET data_type = 'lz4' WHERE id = 'z1';
		UPDATE threads SET data = substr(data, 1, 300) WHERE id = 'z2';
		UPDATE threads SET data = '{"version":"0.2.0","turns":[]}'
			WHERE id = 'z4';
		UPDATE threads SET data = '{"version":"0.3.0","messages":[7,
			{"Plan":{}},{"User":{"content":7}},
			{"User":{"content":[{"Text":"x"}]}}]}' WHERE id = 'z5';
	END
	run -3 co-transcript-read db/threads.db#z1
	expect <<<"co-transcript-read: 'db/threads.db#z1': unknown version: lz4"
	run -3 co-transcript-read db/threads.db#z2
	expect <<<"co-transcript-read: 'db/threads.db#z2': cannot decompress it: it is torn"
	run -3 co-transcript-read db/threads.db#z4
	expect <<<"co-transcript-read: 'db/threads.db#z4': unknown version: 0.2.0"
	run -0 --separate-stderr turns db/threads.db#z5
	expect <<<'user - "x"'
	[[ $stderr == *"3 lines could not be read" ]]
}

@test "zed: a thread that decompresses to more than 64 MiB is refused" {
	need_zstd
	database_of zed db/threads.db
	# 513 blocks that repeat a space 128 Ki times, then an empty last one.
	printf "UPDATE threads SET data = x'28b52ffd0038%s010000'
		WHERE id = 'z2';" "$(printf '02001020%.0s' {1..513})" |
		"$database" db/threads.db
	run -4 co-transcript-read db/threads.db#z2
	expect <<<"co-transcript-read: 'db/threads.db#z2': it has more than 67108864 bytes"
}

@test "co conversations prints the resume commands of goose and amp, not zed" {
	database_of goose "$HOME/.local/share/goose/sessions/sessions.db"
	database_of zed "$HOME/.local/share/zed/threads/threads.db"
	echo "DELETE FROM threads WHERE id != 'z1';" |
		"$database" "$HOME/.local/share/zed/threads/threads.db"
	mkdir -p "$HOME/.local/share/amp/threads"
	here "$records/amp.json" >"$HOME/.local/share/amp/threads/T-1.json"
	run -0 bash -c "co conversations --json | jq -c '[.agent, .resume]'"
	expect <<-'END'
		["goose","goose session --resume --session-id 20261126_1"]
		["zed",null]
		["amp","amp threads continue T-1"]
	END
}
