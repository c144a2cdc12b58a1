#!/usr/bin/env bats
# Test how agents' databases are read while their programs use them. Reading
# must not change them. One module opens all databases; these tests use
# opencode's.
load lib

setup() {
	world
	mkdir db
	database=$CO_BIN/../t/tool/transcript/database
}

# tables: print the SQL of opencode's tables.
tables() {
	cat <<-'END'
		CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT,
			time_created INTEGER, time_updated INTEGER, revert TEXT);
		CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT,
			time_created INTEGER, data TEXT);
		CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT,
			session_id TEXT, data TEXT);
		INSERT INTO session VALUES ('s', NULL, '/p', 1, 1, NULL);
	END
}

# says ID TEXT: print SQL that adds a turn of the user.
says() {
	cat <<-END
		INSERT INTO message VALUES ('$1', 's', 1, '{"role":"user"}');
		INSERT INTO part VALUES ('$1', '$1', 's',
			'{"type":"text","text":"$2"}');
	END
}

# state: print the files of db/ with their sizes, times and hashes.
state() {
	ls -l --time-style=+%s.%N db
	sha256sum db/*
}

# read_text: print the texts of the session.
read_text() {
	co-transcript-read db/x.db#s | jq -r .text | paste -sd ' '
}

# unchanged: run read_text, and check that it changes no file.
unchanged() {
	local before
	before=$(state)
	read_text
	diff <(echo "$before") <(state)
}
export -f unchanged read_text state

@test "a closed database is read with either kind of journal" {
	for journal in DELETE WAL; do
		{
			echo "PRAGMA journal_mode = $journal;"
			tables
			says 1 one
		} | "$database" db/x.db
		chmod 444 db/x.db
		run -0 unchanged
		expect <<<one
		rm -f db/*
	done
}

@test "an open database is read with the turns of its write-ahead log" {
	{
		echo 'PRAGMA journal_mode = WAL;'
		tables
		says 1 one
	} | "$database" db/x.db 'test -s db/x.db-wal && unchanged' >got
	diff -u <(echo one) got
}

@test "a database is read during a transaction as it was before it" {
	for journal in DELETE WAL; do
		{
			echo "PRAGMA journal_mode = $journal;"
			tables
			says 1 one
			echo 'BEGIN IMMEDIATE;'
			says 2 two
		} | "$database" db/x.db unchanged >got
		diff -u <(echo one) got
		rm -f db/*
	done
}

@test "a database that its program locks exclusively is busy" {
	{
		tables
		echo 'BEGIN EXCLUSIVE;'
	} | "$database" db/x.db 'co-transcript-read db/x.db#s; test $? = 5' 2>got
	[[ $(cat got) == *"'db/x.db': database is locked"* ]]
}

@test "a database of a killed program is read with and without a WAL index" {
	{
		echo 'PRAGMA journal_mode = WAL;'
		tables
		says 1 one
	} | "$database" db/x.db 'mkdir copy && cp db/* copy/'
	rm db/*
	cp copy/* db/
	run -0 unchanged
	expect <<<one
	rm db/x.db-shm
	run -0 unchanged
	expect <<<one
}

@test "links, FIFOs and malformed databases are refused" {
	{
		tables
		says 1 one
	} | "$database" db/x.db
	mkdir -p "$HOME/.local/share/opencode"
	cd "$HOME/.local/share/opencode"
	ln -s "$OLDPWD/db/x.db" opencode.db
	run -3 co-transcript-list --agent=opencode
	expect <<<"co-transcript-list: refusing '$PWD/opencode.db': it is a link"
	run -3 co-transcript-read 'opencode.db#s'
	[[ $output == *"it is a link" ]]
	rm opencode.db
	mkfifo opencode.db
	run -3 timeout 60 co-transcript-list --agent=opencode
	[[ $output == *"'$PWD/opencode.db': it is not a regular file" ]]
	rm opencode.db
	# Only the header is valid.
	{
		head -c 100 "$OLDPWD/db/x.db"
		head -c 20000 /dev/zero
	} >opencode.db
	run -3 co-transcript-list --agent=opencode
	[[ $output == *"'$PWD/opencode.db': "* ]]
}

@test "a FIFO with the name of a journal is refused without waiting" {
	{
		tables
		says 1 one
	} | "$database" db/x.db
	mkdir -p "$HOME/.local/share/opencode"
	cd "$HOME/.local/share/opencode"
	cp "$OLDPWD/db/x.db" opencode.db
	for name in journal wal shm; do
		mkfifo opencode.db-$name
		run -3 timeout 60 co-transcript-list --agent=opencode
		expect <<<"co-transcript-list: refusing '$PWD/opencode.db-$name': it is not a regular file"
		run -3 timeout 60 co-transcript-read 'opencode.db#s'
		[[ $output == *"'opencode.db-$name': it is not a regular file" ]]
		rm opencode.db-$name
	done
	ln -s /dev/zero opencode.db-wal
	run -3 timeout 60 co-transcript-list --agent=opencode
	[[ $output == *"'$PWD/opencode.db-wal': it is not a regular file" ]]
}

@test "a database of an unknown version is an error" {
	"$database" db/x.db <<-'END'
		CREATE TABLE session (id TEXT PRIMARY KEY, folder TEXT);
		INSERT INTO session VALUES ('s', '/p');
	END
	run -3 co-transcript-read --format=opencode 'db/x.db#s'
	expect <<<"co-transcript-read: 'db/x.db': unknown version: no such table: part"
	mkdir -p "$HOME/.local/share/opencode"
	cp db/x.db "$HOME/.local/share/opencode/opencode.db"
	run -3 co-transcript-list
	[[ $output == *"opencode.db': unknown version: no such "* ]]
}

@test "a hostile database with views and endless queries is refused" {
	{
		tables
		says 1 one
		cat <<-'END'
			ALTER TABLE part RENAME TO parts;
			CREATE VIEW part AS WITH RECURSIVE n(x) AS
				(SELECT 1 UNION ALL SELECT x + 1 FROM n)
				SELECT x AS id, '1' AS message_id, 's' AS session_id,
					'' AS data FROM n WHERE x < 0;
		END
	} | "$database" db/x.db
	run -3 timeout 60 co-transcript-read --format=opencode 'db/x.db#s'
	expect <<<"co-transcript-read: 'db/x.db': not authorized"
}

@test "parts that are invalid, too long or too deep JSON are counted" {
	{
		tables
		says 1 one
		says 2 two
		cat <<-'END'
			UPDATE part SET data = '{"type":"text","text":"' ||
				hex(zeroblob(5000000)) || '"}' WHERE id = '1';
			INSERT INTO part VALUES ('3', '2', 's', replace(hex(zeroblob(50000)), '0', '['));
			INSERT INTO part VALUES ('4', '2', 's', x'7b00ff');
			INSERT INTO part VALUES ('5', '2', 's', NULL);
		END
	} | "$database" db/x.db
	run -0 --separate-stderr co-transcript-read 'db/x.db#s'
	[ "$(jq -r .text <<<"$output")" = two ]
	[ "$stderr" = "co-transcript-read: 'db/x.db': 4 lines could not be read" ]
}
