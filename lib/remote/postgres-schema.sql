-- The tables and functions of a remote index in PostgreSQL.  co-remote-postgres runs
-- this once.  The number in the name of the schema grows with each change of a table or
-- function, so a client of another version finds no schema.
--
-- Users have no right on any table.  They call the functions below, which run as the
-- owner of the schema: a role that nobody can log in as.  Each function first reduces
-- its projects to those that grants gives to the caller, and names these in every
-- condition on rows.  So neither the answer nor the work for it depends on what is in the
-- rows of others.
--
-- Row-level security is the second wall.  It is forced, so that the owner of the tables
-- is no exception.  Each condition is parsed here, so that the search_path of a role
-- cannot change what it means.
--
-- A pusher may send any bytes, which the programs of all readers then read.  So each value
-- has a limit, and so has the sum of those that a question gets.
--
-- No statistics are collected of doc and posting: the plans need none.
BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
	me pg_catalog.pg_roles;
BEGIN
	SELECT * INTO me FROM pg_catalog.pg_roles WHERE rolname = current_user;
	IF me.rolcanlogin OR me.rolsuper OR me.rolbypassrls THEN
		IF to_regrole('co_owner') IS NULL THEN
			CREATE ROLE co_owner NOLOGIN;
			IF NOT me.rolsuper THEN
				EXECUTE format('GRANT co_owner TO %I', me.rolname);
			END IF;
		END IF;
		CREATE SCHEMA co_1 AUTHORIZATION co_owner;
		SET LOCAL ROLE co_owner;
	ELSE
		CREATE SCHEMA co_1;
	END IF;
	SELECT * INTO me FROM pg_catalog.pg_roles WHERE rolname = current_user;
	IF me.rolcanlogin OR me.rolsuper OR me.rolbypassrls THEN
		RAISE EXCEPTION 'the owner of co_1 can log in, or passes by row-level security';
	END IF;
END $$;
REVOKE ALL ON SCHEMA co_1 FROM PUBLIC;

CREATE TABLE co_1.project (
	project integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name text NOT NULL UNIQUE
		CHECK (octet_length(name) BETWEEN 1 AND 128),
	UNIQUE (project, name)
);

-- The name of the project is here, too, so that a function can look up a name among
-- those that the caller may read, and read no other row.
CREATE TABLE co_1.grants (
	role name NOT NULL,
	project integer NOT NULL,
	name text NOT NULL,
	write boolean NOT NULL DEFAULT false,
	PRIMARY KEY (role, project),
	UNIQUE (role, name),
	FOREIGN KEY (project, name) REFERENCES co_1.project (project, name)
		ON UPDATE CASCADE ON DELETE CASCADE
);

-- The commit of a project, and the columns of its documents for the ranking.
CREATE TABLE co_1.origin (
	project integer PRIMARY KEY REFERENCES co_1.project ON DELETE CASCADE,
	commit text NOT NULL,
	at timestamptz NOT NULL,
	digest bytea NOT NULL,
	documents integer NOT NULL,
	terms_version integer NOT NULL,
	last integer NOT NULL, -- the highest number of a document, ever
	columns bytea NOT NULL CHECK (octet_length(columns) <= 16777216),
	-- What a client made the documents of; "" if that is not all of it.
	basis text NOT NULL CHECK (octet_length(basis) <= 200),
	encoder text NOT NULL DEFAULT '' -- of the vectors; "": there are none
		CHECK (octet_length(encoder) <= 64),
	vectors integer NOT NULL DEFAULT 0 -- their number
);
ALTER TABLE co_1.origin ALTER COLUMN columns SET STORAGE EXTERNAL;

CREATE TABLE co_1.doc (
	project integer NOT NULL,
	doc integer NOT NULL,
	hash bytea NOT NULL,
	id bigint NOT NULL,
	body text NOT NULL -- the JSON that was pushed
		CHECK (octet_length(body) <= 1048576),
	PRIMARY KEY (project, doc)
) PARTITION BY HASH (project);
CREATE INDEX ON co_1.doc (project, hash);

-- All documents of a project that have a term, in one value.
CREATE TABLE co_1.posting (
	project integer NOT NULL,
	term bytea NOT NULL CHECK (octet_length(term) BETWEEN 1 AND 64),
	docs bytea NOT NULL CHECK (octet_length(docs) <= 16777216),
	PRIMARY KEY (project, term)
) PARTITION BY HASH (project);

-- The vector of a document, a byte for each number.
CREATE TABLE co_1.vector (
	project integer NOT NULL,
	doc integer NOT NULL,
	v bytea NOT NULL CHECK (octet_length(v) BETWEEN 1 AND 1024),
	PRIMARY KEY (project, doc)
) PARTITION BY HASH (project);

DO $$
DECLARE
	parent text;
	part text;
	field name;
BEGIN
	FOREACH parent IN ARRAY ARRAY['doc', 'posting', 'vector'] LOOP
		FOR i IN 0..31 LOOP
			part := format('co_1.%s_%s', parent, i);
			EXECUTE format('CREATE TABLE %s PARTITION OF co_1.%s'
				' FOR VALUES WITH (MODULUS 32, REMAINDER %s)',
				part, parent, i);
			EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY,'
				' FORCE ROW LEVEL SECURITY', part);
			FOR field IN SELECT attname FROM pg_catalog.pg_attribute
				WHERE attrelid = part::pg_catalog.regclass
				AND attnum > 0 LOOP
				EXECUTE format('ALTER TABLE %s ALTER COLUMN %I'
					' SET STATISTICS 0', part, field);
			END LOOP;
		END LOOP;
	END LOOP;
END $$;

ALTER TABLE co_1.project ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE co_1.grants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE co_1.origin ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE co_1.doc ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE co_1.posting ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE co_1.vector ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- Return the roles whose rights the caller has.  Only its own memberships are read.
CREATE FUNCTION co_1.roles() RETURNS name[]
	LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
	SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
	me CONSTANT name := co_1.caller();
BEGIN
	RETURN ARRAY(WITH RECURSIVE above (id) AS (
			SELECT to_regrole(quote_ident(me))::oid UNION
			SELECT m.roleid FROM above JOIN pg_auth_members m ON m.member = above.id)
		SELECT pg_get_userbyid(id) FROM above WHERE pg_has_role(me, id, 'USAGE'));
END $$;

-- Return the projects that the caller may read, or with WRITING write: those of them that
-- ask() was last called for in this transaction.
CREATE FUNCTION co_1.mine(writing boolean) RETURNS integer[]
	LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
	SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
	roles CONSTANT name[] := co_1.roles();
	names CONSTANT text[] := nullif(current_setting('co_1.asked', true), '');
BEGIN
	IF names IS NULL THEN
		RETURN ARRAY(SELECT DISTINCT g.project FROM co_1.grants g
			WHERE g.role = ANY (roles) AND g.write >= writing);
	END IF;
	RETURN ARRAY(SELECT DISTINCT g.project FROM co_1.grants g
		WHERE g.role = ANY (roles) AND g.name = ANY (names) AND g.write >= writing);
END $$;

-- The policies, and two functions.  The caller is the role that logged in, or that of SET
-- ROLE; current_user is the owner in a function.  A member of the owner's role
-- administers: it names projects and grants rights.
--
-- The policies call mine() because PostgreSQL plans a function once for a connection, but
-- a subquery once for each statement and table.
DO $$
DECLARE
	caller CONSTANT text := '(CASE current_setting(''role'') WHEN ''none''
		THEN session_user ELSE current_setting(''role'')::name END)';
	administers CONSTANT text :=
		format('pg_has_role(%s, current_user, ''USAGE'')', caller);
	-- SELECT, so that all rows share one call; IN, which is never a condition of an index
	-- and does not compare with each project.
	granted CONSTANT text := 'project IN (SELECT unnest((SELECT co_1.mine(%s))))';
	reads CONSTANT text := format(granted, 'false');
	writes CONSTANT text := format(granted, 'true');
	name text;
BEGIN
	EXECUTE format('CREATE FUNCTION co_1.caller() RETURNS name
		LANGUAGE sql STABLE AS %L', 'SELECT ' || caller);
	EXECUTE format('CREATE FUNCTION co_1.administers() RETURNS boolean
		LANGUAGE sql STABLE AS %L', 'SELECT ' || administers);
	FOREACH name IN ARRAY ARRAY['project', 'grants'] LOOP
		EXECUTE format('CREATE POLICY administer ON co_1.%s TO CURRENT_USER'
			' USING ((SELECT %s)) WITH CHECK (%2$s)', name, administers);
	END LOOP;
	EXECUTE format('CREATE POLICY own ON co_1.grants FOR SELECT USING (pg_has_role('
		'%s, to_regrole(quote_ident(role)), ''USAGE''))', caller);
	FOREACH name IN ARRAY ARRAY['project', 'origin', 'doc', 'posting', 'vector'] LOOP
		EXECUTE format('CREATE POLICY read ON co_1.%s FOR SELECT'
			' USING (%s)', name, reads);
		-- Of a project a pusher may lock the row, but not change it.
		EXECUTE format('CREATE POLICY change ON co_1.%s FOR UPDATE'
			' USING (%s) WITH CHECK (%s)', name, writes,
			CASE name WHEN 'project' THEN 'false' ELSE writes END);
		CONTINUE WHEN name = 'project';
		EXECUTE format('CREATE POLICY add ON co_1.%s FOR INSERT'
			' WITH CHECK (%s)', name, writes);
		EXECUTE format('CREATE POLICY remove ON co_1.%s FOR DELETE'
			' USING (%s)', name, writes);
	END LOOP;
END $$;

-- Ask for the projects with NAMES, or for all if that is null: until the next call, the
-- policies show no others.  Return those that the caller may read, each once.  The
-- setting only saves work: a caller that sets it is shown none that grants does not give.
CREATE FUNCTION co_1.ask(names text[]) RETURNS integer[]
	LANGUAGE plpgsql
AS $$
BEGIN
	PERFORM set_config('co_1.asked', coalesce(names::text, ''), true);
	RETURN co_1.mine(false);
END $$;

-- Ask for the project with the name CALLED, and return it.  Fail unless the caller may write it.
CREATE FUNCTION co_1.ask_to_write(called text) RETURNS integer
	LANGUAGE plpgsql
AS $$
DECLARE
	mine integer[];
BEGIN
	PERFORM set_config('co_1.asked', ARRAY[called]::text, true);
	mine := co_1.mine(true);
	IF cardinality(mine) <> 1 THEN
		RAISE EXCEPTION 'this role may not write this project'
			USING ERRCODE = 'insufficient_privilege';
	END IF;
	RETURN mine[1];
END $$;

-- The functions of users.

-- Return the projects with NAMES, or all if that is null.
CREATE FUNCTION co_1.origins(names text[]) RETURNS TABLE (project integer, name text,
	commit text, at timestamptz, digest bytea, documents integer,
	terms_version integer, write boolean, basis text, encoder text, vectors integer)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	mine CONSTANT integer[] := co_1.ask(names);
	writable CONSTANT integer[] := co_1.mine(true);
BEGIN
	RETURN QUERY SELECT p.project, p.name, o.commit, o.at, o.digest, o.documents,
			o.terms_version, p.project = ANY (writable), o.basis, o.encoder,
			o.vectors
		FROM co_1.project p LEFT JOIN co_1.origin o USING (project)
		WHERE p.project = ANY (mine) ORDER BY p.name;
END $$;

-- Return the hash of each document of a project.
CREATE FUNCTION co_1.hashes(called text) RETURNS SETOF bytea
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	mine CONSTANT integer[] := co_1.ask(ARRAY[called]);
BEGIN
	RETURN QUERY SELECT d.hash FROM co_1.doc d WHERE d.project = mine[1]
		ORDER BY d.hash;
END $$;

-- Return what a question reads of the projects with NAMES, in this order.  The columns are
-- null for those that do not fit into 16 MiB.
CREATE FUNCTION co_1.projects(names text[]) RETURNS TABLE (project integer, name text,
	commit text, at timestamptz, terms_version integer, columns bytea)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	mine CONSTANT integer[] := co_1.ask(names);
	one CONSTANT integer := mine[1];
BEGIN
	IF cardinality(names) = 1 THEN
		RETURN QUERY SELECT o.project, names[1], o.commit, o.at, o.terms_version,
			o.columns FROM co_1.origin o WHERE o.project = one;
	ELSE
		RETURN QUERY SELECT o.project, p.name, o.commit, o.at, o.terms_version,
			CASE WHEN sum(octet_length(o.columns)) OVER
			(ORDER BY array_position(names, p.name))
			<= 16777216 THEN o.columns END
			FROM co_1.project p JOIN co_1.origin o USING (project)
			WHERE p.project = ANY (mine) ORDER BY array_position(names, p.name);
	END IF;
END $$;

-- Return the names of the 64 projects that have most of the rare TERMS, best first, and
-- how many projects there are.  For OFFSET see postings().
CREATE FUNCTION co_1.best_projects(terms bytea[])
	RETURNS TABLE (name text, all_projects integer)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
	SET jit = off
AS $$
#variable_conflict use_column
DECLARE
	granted CONSTANT integer[] := co_1.ask(NULL);
	mine CONSTANT integer[] := ARRAY(SELECT o.project FROM co_1.origin o
		WHERE o.project = ANY (granted));
BEGIN
	RETURN QUERY
	WITH hit AS MATERIALIZED (SELECT t.project, t.term FROM unnest(mine) AS m (n)
			CROSS JOIN LATERAL (SELECT p.project, p.term FROM co_1.posting p
			WHERE p.project = m.n AND p.term = ANY (terms) OFFSET 0) t),
		rare AS (SELECT h.term, ln(1 + cardinality(mine) / count(*)::float8)
			AS rarity FROM hit h GROUP BY h.term),
		best AS (SELECT h.project, sum(r.rarity) AS score
			FROM hit h JOIN rare r USING (term) GROUP BY h.project
			ORDER BY score DESC, h.project LIMIT 64)
	SELECT p.name, cardinality(mine) FROM best b JOIN co_1.project p USING (project)
		ORDER BY b.score DESC, b.project;
END $$;

-- Return the postings of TERMS in the projects with NAMES; null for those that do not fit into
-- 64 MiB.  The plan for one project is shorter.  For several, OFFSET makes PostgreSQL look
-- up the terms in each project, whatever plan it would choose.
CREATE FUNCTION co_1.postings(names text[], terms bytea[])
	RETURNS TABLE (project integer, term bytea, docs bytea)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
	SET jit = off
AS $$
#variable_conflict use_column
DECLARE
	mine CONSTANT integer[] := co_1.ask(names);
	one CONSTANT integer := mine[1];
BEGIN
	IF cardinality(mine) = 1 THEN
		RETURN QUERY SELECT one, t.term,
			CASE WHEN sum(octet_length(t.docs)) OVER (ROWS UNBOUNDED PRECEDING)
			<= 67108864 THEN t.docs END FROM unnest(terms) AS x (wanted)
			CROSS JOIN LATERAL (SELECT p.term, p.docs FROM co_1.posting p
			WHERE p.project = one AND p.term = x.wanted OFFSET 0) t;
	ELSE
		RETURN QUERY SELECT t.project, t.term,
			CASE WHEN sum(octet_length(t.docs)) OVER (ROWS UNBOUNDED PRECEDING)
			<= 67108864 THEN t.docs END FROM unnest(mine) AS m (n)
			CROSS JOIN unnest(terms) AS x (wanted)
			CROSS JOIN LATERAL (SELECT p.project, p.term, p.docs
			FROM co_1.posting p WHERE p.project = m.n
			AND p.term = x.wanted OFFSET 0) t;
	END IF;
END $$;

-- Return the terms of the projects with NAMES, at most two million.
CREATE FUNCTION co_1.vocabulary(names text[]) RETURNS SETOF bytea
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
	SET jit = off
AS $$
DECLARE
	mine CONSTANT integer[] := co_1.ask(names);
	one CONSTANT integer := mine[1];
BEGIN
	IF cardinality(mine) = 1 THEN
		RETURN QUERY SELECT p.term FROM co_1.posting p WHERE p.project = one
			LIMIT 2000000;
	ELSE
		RETURN QUERY SELECT DISTINCT t.term FROM unnest(mine) AS m (n)
			CROSS JOIN LATERAL (SELECT p.term FROM co_1.posting p
			WHERE p.project = m.n OFFSET 0) t LIMIT 2000000;
	END IF;
END $$;

-- Return documents of the projects with NAMES: of each project in NUMBERS the one in DOCS.
CREATE FUNCTION co_1.documents(names text[], numbers integer[], docs integer[])
	RETURNS TABLE (project integer, doc integer, body text)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
	SET jit = off
AS $$
#variable_conflict use_column
DECLARE
	mine CONSTANT integer[] := co_1.ask(names);
	one CONSTANT integer := mine[1];
BEGIN
	IF cardinality(mine) = 1 THEN
		RETURN QUERY SELECT one, t.doc, t.body FROM unnest(docs) AS x (n)
			CROSS JOIN LATERAL (SELECT d.doc, d.body FROM co_1.doc d
			WHERE d.project = one AND d.doc = x.n OFFSET 0) t;
	ELSE
		RETURN QUERY SELECT t.* FROM unnest(numbers, docs) AS x (p, n)
			CROSS JOIN LATERAL (SELECT d.project, d.doc, d.body
			FROM co_1.doc d WHERE d.project = x.p AND d.doc = x.n OFFSET 0) t
			WHERE x.p = ANY (mine);
	END IF;
END $$;

-- Return the vectors by ENCODER of the projects with NAMES, at most 40,000: of each project
-- in one value the number of each document, in four bytes, and its vector.
CREATE FUNCTION co_1.vectors(names text[], encoder text)
	RETURNS TABLE (project integer, vectors bytea)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
	SET jit = off
AS $$
#variable_conflict use_column
DECLARE
	mine CONSTANT integer[] := co_1.ask(names);
	one CONSTANT integer := mine[1];
BEGIN
	IF cardinality(mine) = 1 THEN
		RETURN QUERY SELECT one, string_agg(int4send(t.doc) || t.v, '') FROM (
			SELECT x.doc, x.v FROM co_1.vector x WHERE x.project = one
			AND EXISTS (SELECT FROM co_1.origin o
			WHERE o.project = one AND o.encoder = $2)
			ORDER BY x.doc LIMIT 40000) t;
	ELSE
		RETURN QUERY SELECT t.n, string_agg(int4send(t.doc) || t.v, '' ORDER BY t.doc)
			FROM (SELECT m.n, r.doc, r.v FROM unnest(mine) AS m (n)
			JOIN co_1.origin o ON o.project = m.n AND o.encoder = $2
			CROSS JOIN LATERAL (SELECT x.doc, x.v FROM co_1.vector x
			WHERE x.project = m.n LIMIT 40000) r LIMIT 40000) t GROUP BY t.n;
	END IF;
END $$;

-- The functions of pushers.

-- Lock the project with the name CALLED until the end of the transaction, and return it.
-- With MAKE, an administrator makes it if it is missing, and may write it.
CREATE FUNCTION co_1.lock_project(called text, make boolean)
	RETURNS TABLE (project integer, digest bytea, terms_version integer, last integer,
	columns bytea, commit text, at timestamptz)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	number integer;
	mine integer[];
BEGIN
	IF make AND co_1.administers() THEN
		INSERT INTO co_1.project (name) VALUES (called) ON CONFLICT DO NOTHING
			RETURNING project INTO number;
		INSERT INTO co_1.grants SELECT co_1.caller(), number, called, true
			WHERE number IS NOT NULL;
	END IF;
	mine := co_1.ask(ARRAY[called]);
	number := mine[1];
	IF number IS NOT NULL THEN
		PERFORM co_1.ask_to_write(called);
		-- Its name may change meanwhile.
		PERFORM FROM co_1.project p WHERE p.project = number FOR NO KEY UPDATE;
	END IF;
	RETURN QUERY SELECT p.project, o.digest, o.terms_version, o.last, o.columns,
			o.commit, o.at
		FROM co_1.project p LEFT JOIN co_1.origin o USING (project)
		WHERE p.project = number AND p.name = called;
END $$;

-- Remove all documents of a project.
CREATE FUNCTION co_1.empty_project(called text) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
BEGIN
	DELETE FROM co_1.posting p WHERE p.project = number;
	DELETE FROM co_1.doc d WHERE d.project = number;
	DELETE FROM co_1.vector v WHERE v.project = number;
	UPDATE co_1.origin o SET vectors = 0 WHERE o.project = number;
END $$;

-- Return the documents of a project with HASHES, each hash once.
CREATE FUNCTION co_1.documents_with_hashes(called text, hashes text[])
	RETURNS TABLE (doc integer, hash text, body text)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
BEGIN
	RETURN QUERY SELECT DISTINCT ON (d.hash) d.doc, encode(d.hash, 'hex'), d.body
		FROM co_1.doc d WHERE d.project = number AND d.hash = ANY (
		SELECT decode(h, 'hex') FROM unnest(hashes) h) ORDER BY d.hash, d.doc;
END $$;

-- Return the documents of a project with ID.
CREATE FUNCTION co_1.documents_with_id(called text, id text)
	RETURNS TABLE (doc integer, hash text, body text)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
	wanted CONSTANT bigint := $2;
BEGIN
	RETURN QUERY SELECT d.doc, encode(d.hash, 'hex'), d.body FROM co_1.doc d
		WHERE d.project = number AND d.id = wanted;
END $$;

CREATE FUNCTION co_1.delete_documents(called text, docs integer[]) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
	gone integer;
BEGIN
	DELETE FROM co_1.doc d WHERE d.project = number AND d.doc = ANY (docs);
	DELETE FROM co_1.vector v WHERE v.project = number AND v.doc = ANY (docs);
	GET DIAGNOSTICS gone = ROW_COUNT;
	UPDATE co_1.origin o SET vectors = o.vectors - gone
		WHERE o.project = number AND gone > 0;
END $$;

-- Return the first N documents with numbers above LAST that have no vector by ENCODER.
CREATE FUNCTION co_1.documents_without_vectors(called text, encoder text, last integer,
	n integer) RETURNS TABLE (doc integer, body text)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
	same CONSTANT boolean := EXISTS (SELECT FROM co_1.origin o
		WHERE o.project = number AND o.encoder = $2);
BEGIN
	RETURN QUERY SELECT d.doc, d.body FROM co_1.doc d
		WHERE d.project = number AND d.doc > last AND NOT (same AND EXISTS (
		SELECT FROM co_1.vector v WHERE v.project = number AND v.doc = d.doc))
		ORDER BY d.doc LIMIT n;
END $$;

-- Add the vectors VS by ENCODER of those of DOCS that are still there. Those by another
-- encoder are removed. The lock is that of a push, which may have removed some.
CREATE FUNCTION co_1.insert_vectors(called text, encoder text, docs integer[], vs bytea[])
	RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
	added integer;
BEGIN
	PERFORM FROM co_1.project p WHERE p.project = number FOR NO KEY UPDATE;
	IF NOT EXISTS (SELECT FROM co_1.origin o WHERE o.project = number AND o.encoder = $2) THEN
		DELETE FROM co_1.vector v WHERE v.project = number;
		UPDATE co_1.origin o SET encoder = $2, vectors = 0 WHERE o.project = number;
	END IF;
	INSERT INTO co_1.vector SELECT number, x.n, x.v FROM unnest(docs, vs) AS x (n, v)
		WHERE EXISTS (SELECT FROM co_1.doc d WHERE d.project = number AND d.doc = x.n)
		ON CONFLICT DO NOTHING;
	GET DIAGNOSTICS added = ROW_COUNT;
	UPDATE co_1.origin o SET vectors = o.vectors + added WHERE o.project = number;
END $$;

-- Return the postings of TERMS in a project.
CREATE FUNCTION co_1.postings_to_change(called text, terms bytea[])
	RETURNS TABLE (term bytea, docs bytea)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
BEGIN
	RETURN QUERY SELECT p.term, p.docs FROM co_1.posting p
		WHERE p.project = number AND p.term = ANY (terms);
END $$;

CREATE FUNCTION co_1.insert_documents(called text, docs integer[], hashes text[],
	ids text[], bodies text[]) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
BEGIN
	INSERT INTO co_1.doc SELECT number, n, decode(h, 'hex'), i::bigint, b
		FROM unnest(docs, hashes, ids, bodies) AS x (n, h, i, b);
END $$;

-- Set the postings of TERMS in a project to BLOBS, and remove those of GONE.
CREATE FUNCTION co_1.change_postings(called text, terms bytea[], blobs bytea[],
	gone bytea[]) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
BEGIN
	INSERT INTO co_1.posting SELECT number, t, b FROM unnest(terms, blobs) AS x (t, b)
		ON CONFLICT (project, term) DO UPDATE SET docs = excluded.docs;
	DELETE FROM co_1.posting p WHERE p.project = number AND p.term = ANY (gone);
END $$;

CREATE FUNCTION co_1.write_origin(called text, commit text, at text, digest bytea,
	documents integer, terms_version integer, last integer, columns bytea, basis text)
	RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	number CONSTANT integer := co_1.ask_to_write(called);
BEGIN
	INSERT INTO co_1.origin (project, commit, at, digest, documents, terms_version, last,
		columns, basis)
		VALUES (number, $2, $3::timestamptz, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (project) DO UPDATE SET commit = excluded.commit,
		at = excluded.at, digest = excluded.digest,
		documents = excluded.documents, terms_version = excluded.terms_version,
		last = excluded.last, columns = excluded.columns,
		basis = excluded.basis;
END $$;

-- Let ROLE read, and maybe write, the project with the name CALLED, which is made if it is
-- missing.  It runs as the caller, an administrator.
CREATE FUNCTION co_1.grant_project(role text, called text, write boolean) RETURNS void
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	INSERT INTO co_1.project (name) VALUES (called) ON CONFLICT DO NOTHING;
	INSERT INTO co_1.grants SELECT $1::name, p.project, p.name, $3 FROM co_1.project p
		WHERE p.name = called ON CONFLICT (role, project)
		DO UPDATE SET write = excluded.write;
	EXECUTE format('GRANT USAGE ON SCHEMA co_1 TO %I', $1);
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA co_1 FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA co_1 FROM PUBLIC;
-- Only those roles can call them that grant_project() lets use the schema.
GRANT EXECUTE ON FUNCTION co_1.origins, co_1.hashes, co_1.projects, co_1.best_projects,
	co_1.postings, co_1.vocabulary, co_1.documents, co_1.vectors, co_1.lock_project,
	co_1.empty_project, co_1.documents_with_hashes, co_1.documents_with_id,
	co_1.postings_to_change, co_1.delete_documents, co_1.insert_documents,
	co_1.change_postings, co_1.write_origin, co_1.documents_without_vectors,
	co_1.insert_vectors TO PUBLIC;
COMMIT;
