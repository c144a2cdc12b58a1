-- The tables of a remote index in PostgreSQL.  co-remote-postgres runs this once.
--
-- A role sees a project, and all rows of it, if grants names the role, or a role that
-- it is a member of.  Row-level security is forced, so that the owner of the tables is
-- no exception; only a superuser and a role with BYPASSRLS are.  Each condition is
-- parsed here, so that the search_path of a role cannot change what it means.
--
-- No statistics are collected of doc and posting: the plans need none, and EXPLAIN
-- would estimate from them how much others have.
CREATE SCHEMA co_1;
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
	columns bytea NOT NULL
);
ALTER TABLE co_1.origin ALTER COLUMN columns SET STORAGE EXTERNAL;

CREATE TABLE co_1.doc (
	project integer NOT NULL,
	doc integer NOT NULL,
	hash bytea NOT NULL,
	id bigint NOT NULL,
	body text NOT NULL, -- the JSON that was pushed
	PRIMARY KEY (project, doc)
) PARTITION BY HASH (project);
CREATE INDEX ON co_1.doc (project, hash);

-- All documents of a project that have a term, in one value.
CREATE TABLE co_1.posting (
	project integer NOT NULL,
	term bytea NOT NULL,
	docs bytea NOT NULL,
	PRIMARY KEY (project, term)
) PARTITION BY HASH (project);
CREATE INDEX ON co_1.posting (term, project);

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
-- Nobody has rights on a partition itself. The verb init grants rights on the tables
-- to each role that grants names: EXPLAIN ANALYZE counts rows that a role may not see,
-- and a role that may write can lock a table.

-- The owner of the tables names projects and grants rights.
CREATE POLICY administer ON co_1.project TO CURRENT_USER
	USING (true) WITH CHECK (true);
CREATE POLICY administer ON co_1.grants TO CURRENT_USER
	USING (true) WITH CHECK (true);
CREATE POLICY own ON co_1.grants FOR SELECT USING (EXISTS (
	SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = role
	AND pg_catalog.pg_has_role(r.oid, 'USAGE')));

DO $$
DECLARE
	granted CONSTANT text := 'project IN (SELECT g.project FROM co_1.grants g
		WHERE EXISTS (SELECT FROM pg_catalog.pg_roles r
		WHERE r.rolname = g.role
		AND pg_catalog.pg_has_role(r.oid, ''USAGE''))%s)';
	reads CONSTANT text := format(granted, '');
	writes CONSTANT text := format(granted, ' AND g.write');
	name text;
BEGIN
	FOREACH name IN ARRAY ARRAY['project', 'origin', 'doc', 'posting'] LOOP
		EXECUTE format('CREATE POLICY read ON co_1.%s FOR SELECT'
			' USING (%s)', name, reads);
		CONTINUE WHEN name = 'project';
		EXECUTE format('CREATE POLICY add ON co_1.%s FOR INSERT'
			' WITH CHECK (%s)', name, writes);
		EXECUTE format('CREATE POLICY change ON co_1.%s FOR UPDATE'
			' USING (%s) WITH CHECK (%2$s)', name, writes);
		EXECUTE format('CREATE POLICY remove ON co_1.%s FOR DELETE'
			' USING (%s)', name, writes);
	END LOOP;
END $$;
