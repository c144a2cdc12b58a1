#!/usr/bin/env bats
# Who sees what of a remote index: three roles, four projects, and SQL by hand.
load lib
load postgres

setup_file() {
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR world
	postgres_start
	[ "${CO_REMOTE_URL-}" ] || return 0
	sql <<-'END'
		CREATE ROLE team;
		CREATE ROLE owner LOGIN;
		CREATE ROLE ann LOGIN IN ROLE team;
		CREATE ROLE bob LOGIN;
		CREATE ROLE eve LOGIN;
		GRANT CREATE ON DATABASE postgres TO owner;
	END
	ask owner <<<'{"verb":"init"}'
	# Ann sees two by her team, and writes one; Bob sees one; Eve none of them.
	for grant in team:one:false ann:one:true team:two:false bob:three:true \
		owner:four:true eve:five:false; do
		IFS=: read -r role project write <<<"$grant"
		ask owner <<<'{"verb":"init","grant":{"role":"'"$role"'","project":"'"$project"'","write":'"$write"'}}'
	done
	for project in one two three four five; do
		document 1 "the word$project is common" | push "$project" 1
	done
}

teardown_file() {
	postgres_stop
}

setup() {
	postgres_world
}

# names_of ROLE: the projects that it may see.
names_of() {
	case $1 in
	ann) printf "'one','two'" ;;
	bob) printf "'three'" ;;
	eve) printf "'five'" ;;
	owner) printf "'four'" ;;
	esac
}

@test "a role sees the rows of its projects in each table, and no others" {
	local role table seen mine
	for role in ann bob eve owner; do
		mine="project IN (SELECT project FROM co_1.project
			WHERE name IN ($(names_of "$role")))"
		for table in project grants origin doc posting; do
			# The owner of the tables names projects and grants rights.
			[[ $role:$table != owner:@(project|grants) ]] || continue
			seen=$(sql "$role" <<<"SELECT count(*) FROM co_1.$table")
			want=$(sql <<<"SELECT count(*) FROM co_1.$table WHERE $mine")
			[ "$seen" = "$want" ] && [ "$seen" -gt 0 ] ||
				echo "$role sees $seen of $table, not $want"
		done
		for table in doc_7 posting_7; do
			seen=$(sql "$role" <<<"SELECT * FROM co_1.$table" || :)
			[[ $seen == *'permission denied'* ]] ||
				[[ $role == owner && ! $seen ]] || echo "$role: $seen"
		done
	done >wrong
	diff -u /dev/null wrong
}

@test "row-level security is forced on every table, and no function runs as another" {
	run -0 sql <<-'END'
		SELECT relname FROM pg_class WHERE relnamespace = 'co_1'::regnamespace
			AND relkind IN ('r', 'p') AND NOT (relrowsecurity AND relforcerowsecurity);
		SELECT relname FROM pg_class WHERE relnamespace = 'co_1'::regnamespace
			AND relkind IN ('v', 'm', 'S') AND relname !~ '^project_project_seq';
		SELECT proname FROM pg_proc WHERE pronamespace = 'co_1'::regnamespace;
	END
	expect </dev/null
	[ "$(sql <<<"SELECT count(*) FROM pg_class WHERE
		relnamespace = 'co_1'::regnamespace AND relkind IN ('r', 'p')")" = 69 ]
}

@test "no role learns by SQL how much others have" {
	local two
	two=$(sql <<<"SELECT project FROM co_1.project WHERE name = 'two'")
	sql owner <<<'ANALYZE co_1.doc, co_1.posting' >/dev/null
	for role in bob eve; do
		# Statistics, estimates, terms, errors that depend on a row.
		sql "$role" <<-END >seen
			SELECT * FROM pg_stats WHERE schemaname = 'co_1';
			SELECT name FROM co_1.project WHERE name IN ('one', 'two');
			SELECT term FROM co_1.posting WHERE term = 'wordtwo';
			SELECT 1 / (CASE WHEN body LIKE '%wordtwo%' THEN 0 ELSE 1 END) FROM co_1.doc
				WHERE project = $two;
			SELECT count(*) - 1 FROM co_1.doc;
		END
		[ "$(<seen)" = 0 ]
		for table in doc posting; do
			sql "$role" <<<"EXPLAIN SELECT FROM co_1.$table WHERE project = $two" \
				>there
			sql "$role" <<<"EXPLAIN SELECT FROM co_1.$table WHERE project = 987654" \
				>nowhere
			diff <(grep -o 'rows=[0-9]*' there) <(grep -o 'rows=[0-9]*' nowhere)
		done
		run ! sql "$role" <<<'SELECT * FROM pg_statistic'
	done
}

@test "no search_path and no function of a role's own changes what it sees" {
	sql <<<'CREATE SCHEMA eves AUTHORIZATION eve'
	run -0 sql eve <<-'END'
		CREATE FUNCTION eves.pg_has_role(oid, text) RETURNS boolean LANGUAGE sql
			AS 'SELECT true';
		CREATE FUNCTION eves.same(name, name) RETURNS boolean LANGUAGE sql
			AS 'SELECT true';
		CREATE OPERATOR eves.= (FUNCTION = eves.same, LEFTARG = name, RIGHTARG = name);
		CREATE FUNCTION eves.tell(text) RETURNS boolean LANGUAGE plpgsql COST 0.0001
			AS $$BEGIN RAISE NOTICE '%', $1; RETURN true; END$$;
		SET search_path = eves, pg_catalog;
		SELECT count(*) FROM co_1.doc WHERE eves.tell(body);
	END
	[[ $output == *wordfive* && $output != *@(wordone|wordtwo|wordthree|wordfour)* ]]
}

@test "only who may write a project changes it" {
	local role project verb
	for project in one two three four; do
		for role in ann bob eve; do
			case $role:$project in
			ann:one | bob:three) continue ;;
			esac
			document 2 'a new text' |
				request "$project" 2 "$(document 1 "the word$project is common" |
					jq -r .doc.hash)" 1 |
				ask "$role" >out || :
			jq -es '.[-1].error.kind == "refused"' out >/dev/null ||
				{ echo "$role pushes $project:"; cat out; }
			sql "$role" <<-END >out || :
				UPDATE co_1.origin SET commit = 'x' WHERE project IN
					(SELECT project FROM co_1.project WHERE name = '$project')
					RETURNING 'changed';
				DELETE FROM co_1.posting WHERE term = 'word$project' RETURNING 'changed';
			END
			! grep -v 'permission denied for table' out || { echo "$role changes $project:"; cat out; }
		done
	done >wrong
	diff -u /dev/null wrong
	for verb in "INSERT INTO co_1.grants VALUES ('eve', 1, true)" \
		"UPDATE co_1.grants SET write = true" "DELETE FROM co_1.project" \
		"INSERT INTO co_1.doc VALUES (1, 9, '', 9, '{}')" \
		"INSERT INTO co_1.project (name) VALUES ('two')" \
		"COPY co_1.doc TO PROGRAM 'cat'" "DROP SCHEMA co_1 CASCADE" \
		"ALTER TABLE co_1.doc DISABLE ROW LEVEL SECURITY" \
		"CREATE TABLE co_1.x ()"; do
		run ! sql eve <<<"$verb"
	done
	run -0 ask ann <<<'{"verb":"describe"}'
	[ "$(jq -sc '[.[] | select(.project) | [.project, .write]]' <<<"$output")" = \
		'[["one",true],["two",false]]' ]
}

@test "a question has no answer, and no rarity, from what the role may not see" {
	run -0 ask bob <<<'{"verb":"query","projects":["one","two","three"],"text":"common","max":9}'
	[ "$(jq -sc 'map(.project // .documents)' <<<"$output")" = '["three",1]' ]
	run -0 ask bob <<<'{"verb":"query","everywhere":true,"text":"wordone common","max":9}'
	[ "$(jq -sc 'map(.project // .documents)' <<<"$output")" = '["three",1]' ]
	[[ $output != *wordone* ]]
	run -0 ask eve <<<'{"verb":"digest","project":"two","list":true}'
	expect <<-'END'
		{"digest":"","documents":0}
		{"ok":true}
	END
}

@test "a role without a grant has no right on any table" {
	local table statement
	sql <<<'CREATE ROLE nobody1 LOGIN'
	for table in project grants origin doc posting; do
		for statement in "SELECT FROM co_1.$table" \
			"EXPLAIN ANALYZE SELECT FROM co_1.$table" \
			"BEGIN; LOCK TABLE co_1.$table IN ACCESS EXCLUSIVE MODE"; do
			run ! sql nobody1 <<<"$statement"
			[[ $output == *'permission denied'* ]]
		done
	done
	# Who only reads locks nothing.
	run ! sql eve <<<'BEGIN; LOCK TABLE co_1.origin IN ACCESS EXCLUSIVE MODE'
	run -6 ask nobody1 <<<'{"verb":"describe"}'
	[ "$(jq -r .error.kind <<<"$output")" = refused ]
}

@test "a right ends with its row, and a dropped role's right is nobody's" {
	sql <<<'CREATE ROLE sam LOGIN'
	ask owner <<<'{"verb":"init","grant":{"role":"sam","project":"one"}}'
	[ "$(sql sam <<<'SELECT count(*) FROM co_1.doc')" = 1 ]
	sql owner <<<"DELETE FROM co_1.grants WHERE role = 'sam'"
	[ "$(sql sam <<<'SELECT count(*) FROM co_1.doc')" = 0 ]
	ask owner <<<'{"verb":"init","grant":{"role":"sam","project":"one"}}'
	run ! sql <<<'DROP ROLE sam'
	sql <<<'DROP OWNED BY sam; DROP ROLE sam'
	[ "$(sql bob <<<'SELECT count(*) FROM co_1.doc')" = 1 ]
}
