#!/usr/bin/env bats
# The rights on a remote index: three roles, four projects, and direct SQL.
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
		ALTER ROLE owner CREATEROLE; GRANT CREATE ON DATABASE postgres TO owner;
	END
	ask owner <<<'{"verb":"init"}'
	# Ann reads two by her team and writes one; Bob reads one; Eve reads none of
	# them.
	for grant in team:one:false ann:one:true team:two:false bob:three:true \
		owner:four:true eve:five:false; do
		IFS=: read -r role project write <<<"$grant"
		ask owner <<<'{"verb":"init","grant":{"role":"'"$role"'","project":"'"$project"'","write":'"$write"'}}'
	done
	# A superuser needs a grant to write too.
	sql <<<"INSERT INTO co_1.grants SELECT 'postgres', project, name, true FROM co_1.project"
	for project in one two three four five; do
		document 1 "the word$project is common" | push "$project" 1
		sql <<<"SELECT co_1.insert_vectors('$project', 'encoder', ARRAY[1], ARRAY['word$project']::bytea[])"
	done
}

# number_of PROJECT: print the number of the project, or 987654 if there is none.
number_of() {
	sql <<<"SELECT coalesce((SELECT project FROM co_1.project WHERE name = '$1'), 987654)"
}

# calls NUMBER NAME WORD: print a statement for each function of readers.
calls() {
	cat <<-END
		SELECT * FROM co_1.origins(ARRAY['$2']);
		SELECT * FROM co_1.projects(ARRAY['$2']);
		SELECT * FROM co_1.best_projects(ARRAY['$3']::bytea[]);
		SELECT * FROM co_1.projects(ARRAY['$2', '$2']);
		SELECT * FROM co_1.hashes('$2');
		SELECT * FROM co_1.postings(ARRAY['$2'], ARRAY['$3', 'common']::bytea[]);
		SELECT * FROM co_1.postings(ARRAY['$2', '$2', NULL], ARRAY['$3', 'common']::bytea[]);
		SELECT * FROM co_1.vocabulary(ARRAY['$2']);
		SELECT * FROM co_1.vocabulary(ARRAY[['$2', '$2']]);
		SELECT * FROM co_1.documents(ARRAY['$2'], ARRAY[$1], ARRAY[1]);
		SELECT * FROM co_1.documents(ARRAY['$2', 'other'], ARRAY[$1, $1], ARRAY[1, 2]);
		SELECT * FROM co_1.vectors(ARRAY['$2'], 'encoder');
		SELECT * FROM co_1.vectors(ARRAY['$2', 'other'], 'encoder');
	END
}

# changes NAME: print a statement for each function of pushers.
changes() {
	cat <<-END
		SELECT * FROM co_1.lock_project('$1', true);
		SELECT co_1.empty_project('$1');
		SELECT * FROM co_1.documents_with_hashes('$1', ARRAY[repeat('0', 64)]);
		SELECT * FROM co_1.documents_with_id('$1', '1');
		SELECT * FROM co_1.postings_to_change('$1', ARRAY['x']::bytea[]);
		SELECT co_1.delete_documents('$1', ARRAY[1]);
		SELECT co_1.insert_documents('$1', ARRAY[1], ARRAY['00'], ARRAY['1'], ARRAY['x']);
		SELECT co_1.change_postings('$1', ARRAY['x']::bytea[], ARRAY['x']::bytea[], ARRAY['y']::bytea[]);
		SELECT co_1.write_origin('$1', 'x', 'now', '', 1, 1, 1, '', '');
		SELECT * FROM co_1.documents_without_vectors('$1', 'encoder', 0, 9);
		SELECT co_1.insert_vectors('$1', 'encoder', ARRAY[1], ARRAY['x']::bytea[]);
	END
}

# each ROLE <STATEMENTS: run all statements as ROLE and print rows and errors.
each() {
	psql -XqAt -v VERBOSITY=terse -h "$POSTGRES_DIR" -d postgres -U "$1" 2>&1
}

@test "a role has no right on tables, and none on internal functions" {
	local role
	for role in ann bob eve; do
		sql <<-END
			SELECT '$role', relname FROM pg_class
				WHERE relnamespace = 'co_1'::regnamespace AND relkind IN ('r', 'p', 'S', 'v')
				AND CASE relkind WHEN 'S' THEN
					has_sequence_privilege('$role', oid, 'USAGE, SELECT, UPDATE')
				ELSE has_table_privilege('$role', oid, 'SELECT, INSERT, UPDATE, DELETE,
						TRUNCATE, REFERENCES, TRIGGER')
					OR has_any_column_privilege('$role', oid,
						'SELECT, INSERT, UPDATE, REFERENCES') END;
			SELECT '$role', proname FROM pg_proc WHERE pronamespace = 'co_1'::regnamespace
				AND has_function_privilege('$role', oid, 'EXECUTE') AND NOT prosecdef;
			SELECT '$role' WHERE has_schema_privilege('$role', 'co_1', 'CREATE');
		END
	done >wrong
	diff -u /dev/null wrong
}

@test "functions belong to a role without login and resolve only built-in names" {
	run -0 sql <<-'END'
		SELECT proname FROM pg_proc p JOIN pg_roles r ON r.oid = proowner
			WHERE pronamespace = 'co_1'::regnamespace AND (rolcanlogin OR rolsuper
			OR rolbypassrls OR rolcreaterole OR proleakproof OR
			prosecdef AND proconfig[1] IS DISTINCT FROM 'search_path=pg_catalog, pg_temp');
		SELECT proname, t::regtype FROM pg_proc, unnest(proargtypes) t WHERE
			pronamespace = 'co_1'::regnamespace AND t::regtype::text !~
			'^(text|integer|bytea|boolean)(\[\])?$';
		SELECT relname FROM pg_class JOIN pg_roles r ON r.oid = relowner
			WHERE relnamespace = 'co_1'::regnamespace AND rolname <> 'co_owner';
		SELECT relname FROM pg_class WHERE relnamespace = 'co_1'::regnamespace
			AND relkind IN ('r', 'p') AND NOT (relrowsecurity AND relforcerowsecurity);
		SELECT relname FROM pg_class WHERE relnamespace = 'co_1'::regnamespace
			AND relkind IN ('v', 'm');
	END
	expect </dev/null
	[ "$(sql <<<"SELECT count(*) FROM pg_class WHERE
		relnamespace = 'co_1'::regnamespace AND relkind IN ('r', 'p')")" = 102 ]
}

@test "direct SQL of a role reads, counts, samples and locks nothing" {
	local role table
	sql <<<'ANALYZE' >/dev/null 2>&1
	for role in bob eve; do
		for table in project grants origin doc posting vector doc_7 posting_7 vector_7; do
			cat <<-END
				SELECT FROM co_1.$table;
				SELECT ctid FROM co_1.$table TABLESAMPLE SYSTEM (100);
				EXPLAIN SELECT FROM co_1.$table;
				EXPLAIN ANALYZE SELECT FROM co_1.$table WHERE project = 1;
				COPY co_1.$table TO STDOUT;
				BEGIN; LOCK TABLE co_1.$table IN ACCESS SHARE MODE; ROLLBACK;
				BEGIN; LOCK TABLE co_1.$table IN ACCESS EXCLUSIVE MODE; ROLLBACK;
				SELECT FROM co_1.$table FOR UPDATE;
				DELETE FROM co_1.$table;
				INSERT INTO co_1.$table DEFAULT VALUES;
				TRUNCATE co_1.$table;
				ALTER TABLE co_1.$table DISABLE ROW LEVEL SECURITY;
				ANALYZE co_1.$table;
				CREATE TEMP VIEW v AS TABLE co_1.$table; TABLE v; DROP VIEW v;
			END
		done | each "$role"
		# Statistics of columns, numbers of sequences, and rights of owners.
		each "$role" <<-'END'
			SELECT tablename, attname FROM pg_stats WHERE schemaname = 'co_1';
			SELECT * FROM pg_stats_ext WHERE schemaname = 'co_1';
			SELECT last_value FROM pg_sequences WHERE schemaname = 'co_1' AND last_value IS NOT NULL;
			SELECT * FROM pg_statistic LIMIT 1;
			SELECT * FROM co_1.project_project_seq;
			DROP SCHEMA co_1 CASCADE;
			CREATE TABLE co_1.x ();
			SELECT co_1.mine(false);
			SELECT co_1.roles();
			SELECT co_1.grant_project('eve', 'one', true);
			SET ROLE co_owner;
			SET SESSION AUTHORIZATION co_owner;
			COPY (SELECT 1) TO PROGRAM 'cat';
		END
	done >seen
	grep -vE 'permission denied|must be owner|only table or database owner|must be superuser' \
		seen >wrong || :
	diff -u /dev/null wrong
}

@test "functions answer for another's project as for a missing one" {
	local role project
	for role in bob eve; do
		calls "$(number_of absent)" absent wordabsent | each "$role" >nothing
		changes absent | each "$role" >>nothing
		for project in one two four; do
			calls "$(number_of "$project")" "$project" "word$project" | each "$role" >there
			changes "$project" | each "$role" >>there
			diff -u nothing there
		done
	done
	[ "$(sort -u nothing)" = 'ERROR:  this role may not write this project' ]
	# Functions return rows of the role's own project.
	calls "$(number_of three)" three wordthree | each bob >there
	[ "$(grep -c '' there)" -ge 10 ]
}

@test "counters, plans and buffers do not depend on another's project" {
	local role line name counters costs settings
	counters="SELECT relname, seq_scan, seq_tup_read, idx_scan, idx_tup_fetch FROM"
	counters+=" pg_stat_xact_all_tables WHERE schemaname = 'co_1'"
	for name in absent two; do
		calls "$(number_of "$name")" "$name" "word$name" | while IFS= read -r line; do
			# The first call fills caches. Some counters end with the transaction.
			printf '%s\nBEGIN;\nINSERT INTO start %s;\n%s\n' "$line" "$counters" "$line"
			echo "SELECT relname, n.seq_scan - s.seq_scan, n.seq_tup_read - s.seq_tup_read,
				n.idx_scan - s.idx_scan, n.idx_tup_fetch - s.idx_tup_fetch
				FROM start s JOIN ($counters) n USING (relname) ORDER BY 1;
				ROLLBACK;
				EXPLAIN (ANALYZE, BUFFERS, TIMING off, SUMMARY off, COSTS off) $line"
		done >"$name.sql"
		sed -i "1i CREATE TEMP TABLE start AS $counters AND false;" "$name.sql"
	done
	# These costs make every index look useless.
	costs='SET random_page_cost = 1e300; SET cpu_index_tuple_cost = 1e300;
		SET enable_indexscan = off; SET enable_indexonlyscan = off;
		SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan;
		SET enable_partition_pruning = off; SET enable_nestloop = off; SET enable_memoize = off;'
	for role in bob eve "bob $costs"; do
		settings=${role#* }
		[ "$settings" != "$role" ] || settings=
		role=${role%% *}
		{
			printf '%s\n' "$settings"
			cat absent.sql
		} | each "$role" >absent
		{
			printf '%s\n' "$settings"
			cat two.sql
		} | each "$role" >two
		diff -u absent two
		grep -q '^doc\|^origin' two
		# Plans in messages have the statement, but no row of others.
		{
			echo 'SET client_min_messages = debug5; SET debug_print_plan = on;
				SET debug_print_parse = on; SET log_parameter_max_length_on_error = -1;'
			calls "$(number_of two)" two x
		} | each "$role" >plans
		run ! grep -E "wordtwo|$(printf wordtwo | od -An -tu1 | tr -s " ")" plans
	done
}

@test "a query reads only the rows that it names and compiles no plan" {
	local three
	three=$(number_of three)
	sql <<-END
		INSERT INTO co_1.project (name) SELECT 'own-' || n FROM generate_series(1, 2000) n;
		INSERT INTO co_1.grants SELECT r.role, p.project, p.name, false FROM co_1.project p,
			unnest(ARRAY['bob', 'eve']) AS r (role) WHERE p.name LIKE 'own-%';
		INSERT INTO co_1.doc SELECT $three, n, decode(md5(n::text), 'hex'), n, 'a document'
			FROM generate_series(2, 2000) n;
		ANALYZE co_1.grants, co_1.doc, co_1.project;
	END
	run -0 sql bob <<-END
		BEGIN;
		SELECT count(*) FROM co_1.projects(ARRAY['three']);
		SELECT count(*) FROM co_1.postings(ARRAY['three'], ARRAY['common', 'absent']::bytea[]);
		SELECT count(*) FROM co_1.documents(ARRAY['three'], ARRAY[$three, $three], ARRAY[7, 1000]);
		SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) < 40
			FROM pg_stat_xact_all_tables WHERE schemaname = 'co_1';
	END
	expect <<-'END'
		1
		1
		2
		t
	END
	# Compiling the plans of several projects would take seconds.
	run -0 sql <<-END
		LOAD 'auto_explain';
		SET auto_explain.log_min_duration = 0;
		SET auto_explain.log_nested_statements = on;
		SET client_min_messages = log;
		SET jit = on;
		SET jit_above_cost = 0;
		SELECT FROM co_1.best_projects(ARRAY['common']::bytea[]);
		SELECT FROM co_1.postings(ARRAY['one', 'two'], ARRAY['common']::bytea[]);
		SELECT FROM co_1.vocabulary(ARRAY['one', 'two']);
		SELECT FROM co_1.documents(ARRAY['one', 'two'], ARRAY[1, 2], ARRAY[1, 1]);
	END
	[ "$(grep -c LATERAL <<<"$output")" -ge 4 ]
	awk '/^Query Text|^LOG/ { lateral = 0 } /LATERAL/ { lateral = 1 }
		lateral && /^JIT/ { print }' <<<"$output" >compiled
	diff -u /dev/null compiled
	sql <<-'END'
		DELETE FROM co_1.project WHERE name LIKE 'own-%';
		DELETE FROM co_1.doc WHERE doc > 1;
	END
}

@test "row-level security hides rows even from a function without a check" {
	sql <<-'END'
		CREATE FUNCTION public.unchecked() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER
			AS $$SELECT body FROM co_1.doc UNION ALL SELECT name FROM co_1.project
			UNION ALL SELECT commit FROM co_1.origin
			UNION ALL SELECT encode(term, 'escape') FROM co_1.posting
			UNION ALL SELECT encode(v, 'escape') FROM co_1.vector
			UNION ALL SELECT role FROM co_1.grants$$;
		GRANT CREATE ON SCHEMA public TO co_owner;
		ALTER FUNCTION public.unchecked() OWNER TO co_owner;
		REVOKE CREATE ON SCHEMA public FROM co_owner;
	END
	# The setting of a caller can only reduce the rows.
	for asked in '' '{two,five}'; do
		run -0 sql eve <<<"SET co_1.asked = '$asked'; SELECT public.unchecked()"
		[[ $output == *wordfive* && $output == *five*eve* ]]
		[[ $output != *@(wordone|wordtwo|wordthree|ann|bob|two)* ]]
	done
	run -0 sql eve <<<"SET co_1.asked = '{two}'; SELECT public.unchecked()"
	expect <<<eve
	sql <<<'DROP FUNCTION public.unchecked()'
}

@test "objects and settings of a role do not change what functions return" {
	local planted setting two
	two=$(number_of two)
	sql <<-'END'
		CREATE SCHEMA eves AUTHORIZATION eve;
		GRANT CREATE ON SCHEMA public TO eve;
	END
	for planted in eves public pg_temp; do
		cat <<-END
			CREATE FUNCTION $planted.pg_has_role(name, oid, text) RETURNS boolean
				LANGUAGE sql AS 'SELECT true';
			CREATE FUNCTION $planted.pg_has_role(name, name, text) RETURNS boolean
				LANGUAGE sql AS 'SELECT true';
			CREATE FUNCTION $planted.current_setting(text) RETURNS text
				LANGUAGE sql AS 'SELECT ''ann''';
			CREATE FUNCTION $planted.same(name, name) RETURNS boolean LANGUAGE sql AS 'SELECT true';
			CREATE FUNCTION $planted.same(integer, integer) RETURNS boolean
				LANGUAGE sql AS 'SELECT true';
			CREATE FUNCTION $planted.unnest(integer[]) RETURNS SETOF integer
				LANGUAGE sql AS 'SELECT generate_series(1, 9)';
			CREATE FUNCTION $planted.encode(bytea, text) RETURNS text
				LANGUAGE plpgsql AS 'BEGIN RAISE NOTICE ''ran''; RETURN 1; END';
			CREATE TABLE $planted.pg_roles AS SELECT 'ann'::name AS rolname, oid FROM pg_catalog.pg_roles;
			CREATE TABLE $planted.grants (role name, project integer, write boolean);
			CREATE DOMAIN $planted.text AS pg_catalog.text CHECK (false);
			CREATE DOMAIN $planted.name AS pg_catalog.name CHECK (false);
		END
		[ "$planted" = pg_temp ] || cat <<-END
			CREATE OPERATOR $planted.= (FUNCTION = $planted.same, LEFTARG = name, RIGHTARG = name);
			CREATE OPERATOR $planted.= (FUNCTION = $planted.same, LEFTARG = integer, RIGHTARG = integer);
		END
		echo "SET search_path = $planted, pg_catalog;"
		calls "$two" two wordtwo
		changes two
	done >statements
	# A type of the role becomes a text by a function of the role.
	cat >>statements <<-END
		SET search_path = pg_catalog;
		CREATE TYPE eves.sly AS (x int);
		CREATE FUNCTION eves.name(eves.sly) RETURNS pg_catalog.text LANGUAGE sql
			AS 'SELECT CASE \$1.x WHEN 2 THEN ''two'' ELSE ''five'' END';
		CREATE CAST (eves.sly AS pg_catalog.text) WITH FUNCTION eves.name(eves.sly) AS IMPLICIT;
		SELECT 'called' FROM co_1.hashes(ROW(5)::eves.sly);
		SELECT * FROM co_1.hashes(ROW(2)::eves.sly);
	END
	for setting in 'row_security = off' 'role = eve' "session_replication_role = 'replica'" \
		"co_1.asked = '{two}'" "co_1.asked = ''" "co_1.asked = '{'" \
		'enable_indexscan = off' 'search_path = pg_temp, eves, public'; do
		echo "SET $setting;"
		calls "$two" two wordtwo
		echo "RESET ALL; RESET ROLE;"
	done >>statements
	each eve <statements >seen
	[ "$(grep -c called seen)" = 1 ]
	run ! grep -E 'wordtwo|NOTICE: +ran|^[0-9a-f]{64}$' seen
	run ! grep -F "$(printf wordtwo | od -An -tx1 | tr -d ' ')" seen
	sql 2>/dev/null \
		<<<'DROP OWNED BY eve CASCADE; GRANT USAGE ON SCHEMA co_1 TO eve'
}

@test "SET ROLE limits rights to that role, and a function's owner is not the caller" {
	[ "$(sql ann <<<"SELECT write FROM co_1.origins(ARRAY['one'])")" = t ]
	run -0 sql ann <<<"SET ROLE team; SELECT write FROM co_1.origins(ARRAY['one'])"
	expect <<<f
	run ! sql ann <<<"SET ROLE team; SELECT co_1.empty_project('one')"
	sql <<-'END'
		CREATE FUNCTION public.foreign_names() RETURNS SETOF text LANGUAGE sql
			SECURITY DEFINER AS 'SELECT name FROM co_1.origins(NULL)';
		GRANT CREATE ON SCHEMA public TO bob;
		ALTER FUNCTION public.foreign_names() OWNER TO bob;
	END
	run -0 sql eve <<<'SELECT public.foreign_names()'
	expect <<<five
	sql <<<'DROP FUNCTION public.foreign_names(); REVOKE CREATE ON SCHEMA public FROM bob'
}

@test "only a role with write access to a project can change it" {
	local role project
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
			changes "$project" | each "$role" >out
			# The name of a project that the role cannot see is no error, and locks
			# nothing.
			[ "$(grep -c 'this role may not write this project' out)" = \
				$((10 + ($(wc -l <out) > 10))) ] ||
				{ echo "$role changes $project:"; cat out; }
		done
	done >wrong
	diff -u /dev/null wrong
	[ "$(sql <<<'SELECT count(*), min(doc), max(doc) FROM co_1.doc')" = '5|1|1' ]
	run -0 ask ann <<<'{"verb":"describe"}'
	[ "$(jq -sc '[.[] | select(.project) | [.project, .write]]' <<<"$output")" = \
		'[["one",true],["two",false]]' ]
}

@test "answers and rarity do not depend on projects that the role cannot see" {
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

@test "a role without a grant cannot use the schema" {
	local line
	sql <<<'CREATE ROLE nobody1 LOGIN'
	{
		calls 1 one wordone
		changes one
	} | each nobody1 | grep -v 'permission denied for schema co_1' >wrong || :
	diff -u /dev/null wrong
	run -6 ask nobody1 <<<'{"verb":"describe"}'
	[ "$(jq -r .error.kind <<<"$output")" = refused ]
}

@test "a right ends with its row, and a dropped role leaves no right" {
	sql <<<'CREATE ROLE sam LOGIN'
	ask owner <<<'{"verb":"init","grant":{"role":"sam","project":"one"}}'
	[ "$(sql sam <<<'SELECT name FROM co_1.origins(NULL)')" = one ]
	sql owner <<<"DELETE FROM co_1.grants WHERE role = 'sam'"
	[ -z "$(sql sam <<<'SELECT name FROM co_1.origins(NULL)')" ]
	ask owner <<<'{"verb":"init","grant":{"role":"sam","project":"one"}}'
	run ! sql <<<'DROP ROLE sam'
	sql <<<'DROP OWNED BY sam; DROP ROLE sam'
	[ "$(sql bob <<<'SELECT name FROM co_1.origins(NULL)')" = three ]
}

@test "a role that cannot log in may own the schema" {
	sql <<-'END'
		CREATE ROLE keeper NOLOGIN;
		CREATE ROLE admin LOGIN IN ROLE keeper;
		CREATE DATABASE second OWNER keeper;
	END
	CO_REMOTE_URL="host=$POSTGRES_DIR user=admin dbname=second options='-c role=keeper'" \
		run -0 co-remote-postgres <<<'{"verb":"init"}'
	[ "$(psql -XqAt -h "$POSTGRES_DIR" -U postgres -d second <<<"
		SELECT nspowner::regrole FROM pg_namespace WHERE nspname = 'co_1'")" = keeper ]
}
