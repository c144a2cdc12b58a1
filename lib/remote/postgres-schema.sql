-- The tables and functions of a remote index in PostgreSQL.  co-remote-postgres runs
-- this once.
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
		IF to_regrole('co_1_owner') IS NULL THEN
			CREATE ROLE co_1_owner NOLOGIN;
			IF NOT me.rolsuper THEN
				EXECUTE format('GRANT co_1_owner TO %I', me.rolname);
			END IF;
		END IF;
		CREATE SCHEMA co_1 AUTHORIZATION co_1_owner;
		SET LOCAL ROLE co_1_owner;
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
		CHECK (octet_length(name) BETWEEN 1 AND 128)
);

CREATE TABLE co_1.grants (
	role name NOT NULL,
	project integer NOT NULL REFERENCES co_1.project ON DELETE CASCADE,
	write boolean NOT NULL DEFAULT false,
	PRIMARY KEY (role, project)
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
	basis text NOT NULL CHECK (octet_length(basis) <= 200)
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

DO $$
DECLARE
	parent text;
	part text;
	field name;
BEGIN
	FOREACH parent IN ARRAY ARRAY['doc', 'posting'] LOOP
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

-- The policies, and readable() and writable(): the projects of the caller.  The caller is
-- the role that logged in, or that of SET ROLE; current_user is the owner in a function.
-- A member of the owner's role administers: it names projects and grants rights.
--
-- The policies call these functions because PostgreSQL plans them once for a connection,
-- but a subquery once for each statement and table.
DO $$
DECLARE
	caller CONSTANT text := '(CASE current_setting(''role'') WHEN ''none''
		THEN session_user ELSE current_setting(''role'')::name END)';
	given CONSTANT text := format('EXISTS (SELECT FROM pg_catalog.pg_roles r
		WHERE r.rolname = g.role AND pg_has_role(%s, r.oid, ''USAGE''))', caller);
	administers CONSTANT text :=
		format('pg_has_role(%s, current_user, ''USAGE'')', caller);
	projects CONSTANT text := 'CREATE FUNCTION co_1.%s() RETURNS SETOF integer
		LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS %L';
	-- ARRAY, so that all partitions share one call.
	granted CONSTANT text := 'project IN (SELECT unnest(ARRAY(SELECT co_1.%s())))';
	reads CONSTANT text := format(granted, 'readable');
	writes CONSTANT text := format(granted, 'writable');
	name text;
BEGIN
	EXECUTE format('CREATE FUNCTION co_1.caller() RETURNS name
		LANGUAGE sql STABLE AS %L', 'SELECT ' || caller);
	EXECUTE format('CREATE FUNCTION co_1.administers() RETURNS boolean
		LANGUAGE sql STABLE AS %L', 'SELECT ' || administers);
	EXECUTE format(projects, 'readable', format('BEGIN RETURN QUERY
		SELECT g.project FROM co_1.grants g WHERE %s; END', given));
	EXECUTE format(projects, 'writable', format('BEGIN RETURN QUERY
		SELECT g.project FROM co_1.grants g WHERE g.write AND %s; END', given));
	FOREACH name IN ARRAY ARRAY['project', 'grants'] LOOP
		EXECUTE format('CREATE POLICY administer ON co_1.%s TO CURRENT_USER'
			' USING (%s) WITH CHECK (%2$s)', name, administers);
	END LOOP;
	EXECUTE format('CREATE POLICY own ON co_1.grants FOR SELECT USING (%s)',
		replace(given, 'g.role', 'role'));
	FOREACH name IN ARRAY ARRAY['project', 'origin', 'doc', 'posting'] LOOP
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

-- Return those of NUMBERS that the caller may read, each once.
CREATE FUNCTION co_1.readable_of(numbers integer[]) RETURNS integer[]
	LANGUAGE plpgsql STABLE
AS $$
BEGIN
	RETURN ARRAY(SELECT unnest(numbers) INTERSECT SELECT * FROM co_1.readable());
END $$;

-- Fail unless the caller may write the project NUMBER.
CREATE FUNCTION co_1.check_write(number integer) RETURNS void
	LANGUAGE plpgsql STABLE
AS $$
BEGIN
	IF number IN (SELECT * FROM co_1.writable()) IS NOT TRUE THEN
		RAISE EXCEPTION 'this role may not write this project'
			USING ERRCODE = 'insufficient_privilege';
	END IF;
END $$;

-- The functions of users.  Names of projects are compared only with those that the
-- caller may read.

-- Return the projects with NAMES, or all if that is null.
CREATE FUNCTION co_1.origins(names text[]) RETURNS TABLE (project integer, name text,
	commit text, at text, digest text, documents integer, terms_version integer,
	write boolean, basis text)
	LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
	WITH mine AS MATERIALIZED (SELECT p.* FROM co_1.project p
		WHERE p.project IN (SELECT * FROM co_1.readable()))
	SELECT m.project, m.name, o.commit,
		to_char(o.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
		encode(o.digest, 'hex'), o.documents, o.terms_version,
		m.project IN (SELECT * FROM co_1.writable()), o.basis
	FROM mine m LEFT JOIN co_1.origin o USING (project)
	WHERE names IS NULL OR m.name = ANY (names) ORDER BY m.name;
$$;

-- Return the hash of each document of a project.
CREATE FUNCTION co_1.hashes(number integer) RETURNS SETOF text
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	IF number IN (SELECT * FROM co_1.readable()) THEN
		RETURN QUERY SELECT encode(d.hash, 'hex') FROM co_1.doc d
			WHERE d.project = number ORDER BY d.hash;
	END IF;
END $$;

-- Return what a question reads of the projects with NAMES, in this order.  The columns are
-- null for those that do not fit into 16 MiB.
CREATE FUNCTION co_1.projects(names text[]) RETURNS TABLE (project integer, name text,
	commit text, at text, terms_version integer, columns bytea)
	LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
	WITH mine AS MATERIALIZED (SELECT p.* FROM co_1.project p
		WHERE p.project IN (SELECT * FROM co_1.readable()))
	SELECT m.project, m.name, o.commit,
		to_char(o.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
		o.terms_version, CASE WHEN sum(octet_length(o.columns)) OVER
		(ORDER BY array_position(names, m.name), m.project) <= 16777216
		THEN o.columns END
	FROM mine m JOIN co_1.origin o USING (project)
	WHERE m.name = ANY (names) ORDER BY array_position(names, m.name);
$$;

-- Return the same of the 64 projects that have most of the rare TERMS, and how many
-- projects there are.  For OFFSET see postings().
CREATE FUNCTION co_1.best_projects(terms bytea[]) RETURNS TABLE (project integer,
	name text, commit text, at text, terms_version integer, columns bytea,
	all_projects integer)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	mine CONSTANT integer[] := ARRAY(SELECT o.project FROM co_1.origin o
		WHERE o.project IN (SELECT * FROM co_1.readable()));
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
	SELECT b.project, p.name, o.commit,
		to_char(o.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
		o.terms_version, CASE WHEN sum(octet_length(o.columns)) OVER
		(ORDER BY b.score DESC, b.project) <= 16777216
		THEN o.columns END, cardinality(mine)
	FROM best b JOIN co_1.project p USING (project)
		JOIN co_1.origin o USING (project)
	ORDER BY b.score DESC, b.project;
END $$;

-- Return the postings of TERMS in the projects NUMBERS; null for those that do not fit into
-- 64 MiB.  The plan for one project is shorter.  For several, OFFSET makes PostgreSQL look
-- up the terms in each project, whatever plan it would choose.
CREATE FUNCTION co_1.postings(numbers integer[], terms bytea[])
	RETURNS TABLE (project integer, term bytea, docs bytea)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	mine CONSTANT integer[] := co_1.readable_of(numbers);
	one CONSTANT integer := mine[1];
BEGIN
	IF cardinality(mine) = 1 THEN
		RETURN QUERY SELECT p.project, p.term,
			CASE WHEN sum(octet_length(p.docs)) OVER (ROWS UNBOUNDED PRECEDING)
			<= 67108864 THEN p.docs END
			FROM co_1.posting p WHERE p.project = one AND p.term = ANY (terms);
	ELSE
		RETURN QUERY SELECT t.project, t.term,
			CASE WHEN sum(octet_length(t.docs)) OVER (ROWS UNBOUNDED PRECEDING)
			<= 67108864 THEN t.docs END FROM unnest(mine) AS m (n)
			CROSS JOIN LATERAL (SELECT p.project, p.term, p.docs
			FROM co_1.posting p WHERE p.project = m.n
			AND p.term = ANY (terms) OFFSET 0) t;
	END IF;
END $$;

-- Return the terms of the projects NUMBERS, at most two million.
CREATE FUNCTION co_1.vocabulary(numbers integer[]) RETURNS SETOF bytea
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	mine CONSTANT integer[] := co_1.readable_of(numbers);
	one CONSTANT integer := mine[1];
BEGIN
	IF cardinality(mine) = 1 THEN
		RETURN QUERY SELECT p.term FROM co_1.posting p WHERE p.project = one
			LIMIT 2000000;
	ELSE
		RETURN QUERY SELECT DISTINCT p.term FROM co_1.posting p
			WHERE p.project = ANY (mine) LIMIT 2000000;
	END IF;
END $$;

-- Return documents: of the one project of NUMBERS those with DOCS, or of each project
-- in NUMBERS the one in DOCS.
CREATE FUNCTION co_1.documents(numbers integer[], docs integer[])
	RETURNS TABLE (project integer, doc integer, body text)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	mine CONSTANT integer[] := co_1.readable_of(numbers);
	one CONSTANT integer := mine[1];
BEGIN
	IF cardinality(numbers) = 1 THEN
		RETURN QUERY SELECT d.project, d.doc, d.body FROM co_1.doc d
			WHERE d.project = one AND d.doc = ANY (docs);
	ELSE
		RETURN QUERY SELECT t.* FROM unnest(numbers, docs) AS x (p, n)
			CROSS JOIN LATERAL (SELECT d.project, d.doc, d.body
			FROM co_1.doc d WHERE d.project = x.p AND d.doc = x.n OFFSET 0) t
			WHERE x.p = ANY (mine);
	END IF;
END $$;

-- The functions of pushers.

-- Lock the project that is CALLED so until the end of the transaction, and return it.
-- With MAKE, an administrator makes it if it is missing, and may write it.
CREATE FUNCTION co_1.lock_project(called text, make boolean)
	RETURNS TABLE (project integer, digest bytea, terms_version integer, last integer,
	columns bytea, commit text, at text)
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	number integer;
BEGIN
	IF make AND co_1.administers() THEN
		INSERT INTO co_1.project (name) VALUES (called) ON CONFLICT DO NOTHING
			RETURNING project INTO number;
		INSERT INTO co_1.grants SELECT co_1.caller(), number, true
			WHERE number IS NOT NULL;
	END IF;
	WITH mine AS MATERIALIZED (SELECT p.* FROM co_1.project p
		WHERE p.project IN (SELECT * FROM co_1.readable()))
	SELECT m.project INTO number FROM mine m WHERE m.name = called;
	IF number IS NOT NULL THEN
		PERFORM co_1.check_write(number);
		-- Its name may change meanwhile.
		PERFORM FROM co_1.project p WHERE p.project = number FOR NO KEY UPDATE;
	END IF;
	RETURN QUERY SELECT p.project, o.digest, o.terms_version, o.last, o.columns,
			o.commit, to_char(o.at AT TIME ZONE 'UTC',
			'YYYY-MM-DD"T"HH24:MI:SS"Z"')
		FROM co_1.project p LEFT JOIN co_1.origin o USING (project)
		WHERE p.project = number AND p.name = called;
END $$;

-- Remove all documents of a project.
CREATE FUNCTION co_1.empty_project(number integer) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM co_1.check_write(number);
	DELETE FROM co_1.posting p WHERE p.project = number;
	DELETE FROM co_1.doc d WHERE d.project = number;
END $$;

-- Return the documents of a project with HASHES, each hash once.
CREATE FUNCTION co_1.documents_with_hashes(number integer, hashes text[])
	RETURNS TABLE (doc integer, hash text, body text)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	PERFORM co_1.check_write(number);
	RETURN QUERY SELECT DISTINCT ON (d.hash) d.doc, encode(d.hash, 'hex'), d.body
		FROM co_1.doc d WHERE d.project = number AND d.hash = ANY (
		SELECT decode(h, 'hex') FROM unnest(hashes) h) ORDER BY d.hash, d.doc;
END $$;

-- Return the documents of a project with ID.
CREATE FUNCTION co_1.documents_with_id(number integer, id text)
	RETURNS TABLE (doc integer, hash text, body text)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	wanted CONSTANT bigint := $2;
BEGIN
	PERFORM co_1.check_write(number);
	RETURN QUERY SELECT d.doc, encode(d.hash, 'hex'), d.body FROM co_1.doc d
		WHERE d.project = number AND d.id = wanted;
END $$;

CREATE FUNCTION co_1.delete_documents(number integer, docs integer[]) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM co_1.check_write(number);
	DELETE FROM co_1.doc d WHERE d.project = number AND d.doc = ANY (docs);
END $$;

-- Return the postings of TERMS in a project.
CREATE FUNCTION co_1.postings_to_change(number integer, terms bytea[])
	RETURNS TABLE (term bytea, docs bytea)
	LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	PERFORM co_1.check_write(number);
	RETURN QUERY SELECT p.term, p.docs FROM co_1.posting p
		WHERE p.project = number AND p.term = ANY (terms);
END $$;

CREATE FUNCTION co_1.insert_documents(number integer, docs integer[], hashes text[],
	ids text[], bodies text[]) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM co_1.check_write(number);
	INSERT INTO co_1.doc SELECT number, n, decode(h, 'hex'), i::bigint, b
		FROM unnest(docs, hashes, ids, bodies) AS x (n, h, i, b);
END $$;

-- Set the postings of TERMS in a project to BLOBS, and remove those of GONE.
CREATE FUNCTION co_1.change_postings(number integer, terms bytea[], blobs bytea[],
	gone bytea[]) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	PERFORM co_1.check_write(number);
	INSERT INTO co_1.posting SELECT number, t, b FROM unnest(terms, blobs) AS x (t, b)
		ON CONFLICT (project, term) DO UPDATE SET docs = excluded.docs;
	DELETE FROM co_1.posting p WHERE p.project = number AND p.term = ANY (gone);
END $$;

CREATE FUNCTION co_1.write_origin(number integer, commit text, at text, digest bytea,
	documents integer, terms_version integer, last integer, columns bytea, basis text)
	RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	PERFORM co_1.check_write(number);
	INSERT INTO co_1.origin VALUES ($1, $2, $3::timestamptz, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (project) DO UPDATE SET commit = excluded.commit,
		at = excluded.at, digest = excluded.digest,
		documents = excluded.documents, terms_version = excluded.terms_version,
		last = excluded.last, columns = excluded.columns,
		basis = excluded.basis;
END $$;

-- Let ROLE read, and maybe write, the project that is CALLED so, which is made if it is
-- missing.  It runs as the caller, an administrator.
CREATE FUNCTION co_1.grant_project(role text, called text, write boolean) RETURNS void
	LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
	INSERT INTO co_1.project (name) VALUES (called) ON CONFLICT DO NOTHING;
	INSERT INTO co_1.grants SELECT $1::name, p.project, $3 FROM co_1.project p
		WHERE p.name = called ON CONFLICT (role, project)
		DO UPDATE SET write = excluded.write;
	EXECUTE format('GRANT USAGE ON SCHEMA co_1 TO %I', $1);
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA co_1 FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA co_1 FROM PUBLIC;
-- Only those roles can call them that grant_project() lets use the schema.
GRANT EXECUTE ON FUNCTION co_1.origins, co_1.hashes, co_1.projects, co_1.best_projects,
	co_1.postings, co_1.vocabulary, co_1.documents, co_1.lock_project,
	co_1.empty_project, co_1.documents_with_hashes, co_1.documents_with_id,
	co_1.postings_to_change, co_1.delete_documents, co_1.insert_documents,
	co_1.change_postings, co_1.write_origin TO PUBLIC;
COMMIT;
