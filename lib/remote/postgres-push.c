/* postgres-push.c: documents are written in batches while they are read; of their terms,
 * only the changes are kept, which are written at the end.
 *
 * A removed document's terms are those of its text in the table. So a project that was
 * pushed with other terms than ours is emptied first; its digest counts as "" before.
 */
#if __has_include(<libpq-fe.h>)
#include "remote/postgres-request.h"

#include "format/json-write.h"
#include "remote/corpus-columns.h"
#include "remote/corpus-postings.h"

#define BATCH_BYTES ((size_t)4 << 20) /* of rows that are sent at once */
#define BATCH_TERMS 2000
#define BASIS_MAX 200

struct push {
	struct postgres_request *r;
	struct postgres *pg;
	const char *project;
	bool known;   /* it has an origin */
	bool emptied; /* it had other terms, and was emptied */
	struct corpus_columns columns;
	struct corpus_changes changes;
	struct corpus_terms terms;
	struct remote_digest digest;
	uint32_t last; /* the highest number given */
	size_t added, removed;
	const char *commit, *at, *basis;

	/* The rows to insert. */
	struct postgres_array numbers, hashes, ids, bodies;

	struct postgres_array removals; /* hashes of documents to remove */
};

static int run_statement(struct push *p, const char *sql,
			 const struct postgres_args *args, struct err *e)
{
	return postgres_run(p->pg, sql, args, NULL, e);
}

static int invalid(struct push *p, const char *why, struct err *e)
{
	return postgres_fail(p->pg, POSTGRES_INVALID, e, "%s", why);
}

/* Begin the transaction, wait for the lock of the project, and read its origin. An
 * administrator makes a missing one if CREATE. */
static int lock_project(struct push *p, bool create, struct postgres_rows *rows,
			struct err *e)
{
	struct postgres_args args = {0};

	postgres_arg_text(&args, p->project);
	postgres_arg_text(&args, create ? "true" : "false");
	if (postgres_send(p->pg, "BEGIN ISOLATION LEVEL READ COMMITTED", NULL,
			  e) < 0 ||
	    postgres_send(p->pg,
			  "SELECT pg_catalog.set_config('search_path',"
			  " 'pg_catalog', true)",
			  NULL, e) < 0 ||
	    postgres_send(
		    p->pg,
		    "SELECT * FROM co_1.lock_project($1, $2::text::boolean)",
		    &args, e) < 0 ||
	    postgres_result(p->pg, NULL, e) < 0 ||
	    postgres_result(p->pg, NULL, e) < 0)
		return -1;
	return postgres_result(p->pg, rows, e);
}

/* Remove all documents: they were pushed with other terms. */
static int empty_project(struct push *p, struct err *e)
{
	struct postgres_args args = {0};

	p->known = false;
	p->emptied = true;
	postgres_arg_text(&args, p->project);
	return run_statement(p, "SELECT co_1.empty_project($1)", &args, e);
}

/* Lock the project and read its columns. */
static int begin_push(struct push *p, bool create, struct err *e)
{
	struct postgres_rows rows = {0};
	size_t len;
	const char *columns, *digest;
	int result = -1;

	if (lock_project(p, create, &rows, e) < 0)
		goto out;
	if (!rows.n) {
		postgres_fail(p->pg, POSTGRES_REFUSED, e,
			      "the server has no project '%s' for this role",
			      p->project);
		goto out;
	}
	p->known = !postgres_is_null(&rows, 0, 1);
	p->last = (uint32_t)postgres_number(&rows, 0, 3);
	if (p->known && postgres_number(&rows, 0, 2) != TERMS_VERSION) {
		result = empty_project(p, e);
		goto out;
	}
	if (p->known) {
		digest = postgres_bytes(&rows, 0, 1, &len);
		if (len == sizeof(p->digest.bytes))
			memcpy(p->digest.bytes, digest, len);
		p->commit = arena_strdup(&p->r->arena,
					 postgres_bytes(&rows, 0, 5, NULL));
		p->at = postgres_time(&rows, 0, 6, &p->r->arena);
	}
	columns = postgres_bytes(&rows, 0, 4, &len);
	result = corpus_columns_read(&p->columns, columns, len, e);
out:
	postgres_rows_release(&rows);
	return result;
}

/* Remove the document of ROW: its number, hash and body. */
static int drop_document(struct push *p, const struct postgres_rows *rows,
			 size_t row, struct err *e)
{
	const uint32_t number = (uint32_t)postgres_number(rows, row, 0);
	struct arena a = {0};
	struct remote_document d;
	struct value v;
	size_t len;
	const char *body = postgres_bytes(rows, row, 2, &len);
	const char *hash = postgres_bytes(rows, row, 1, NULL);
	int result = -1;

	if (json_parse(body, len, &a, &v, e) == 0 &&
	    remote_document_read(&d, &v, &a, e) == 0) {
		corpus_terms_read(&p->terms, &d);
		corpus_changes_drop(&p->changes, &p->terms, number);
		corpus_columns_drop(&p->columns, number);
		remote_digest_subtract(&p->digest, hash);
		postgres_array_add_number(&p->numbers, number);
		p->removed++;
		result = 0;
	}
	arena_release(&a);
	return result;
}

/* Delete the documents with `numbers`. */
static int delete_documents(struct push *p, struct err *e)
{
	struct postgres_args args = {0};
	int result;

	postgres_arg_text(&args, p->project);
	postgres_arg_array(&args, &p->numbers, POSTGRES_NUMBER);
	result = run_statement(p, "SELECT co_1.delete_documents($1, $2)", &args,
			       e);
	postgres_array_clear(&p->numbers);
	return result;
}

/* Remove the documents with the hashes in `removals`, each once. */
static int remove_documents(struct push *p, struct err *e)
{
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	int result = 0;

	if (!p->removals.n)
		return 0;
	postgres_arg_text(&args, p->project);
	postgres_arg_array(&args, &p->removals, POSTGRES_TEXT);
	result = postgres_run(
		p->pg, "SELECT * FROM co_1.documents_with_hashes($1, $2)",
		&args, &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++)
		result = drop_document(p, &rows, i, e);
	if (!result && rows.n != p->removals.n)
		result = postgres_fail(p->pg, POSTGRES_CONFLICT, e,
				       "a document to remove is not there");
	postgres_rows_release(&rows);
	postgres_array_clear(&p->removals);
	return result ? -1 : delete_documents(p, e);
}

static int insert_documents(struct push *p, struct err *e)
{
	struct postgres_args args = {0};
	int result;

	if (!p->numbers.n)
		return 0;
	postgres_arg_text(&args, p->project);
	postgres_arg_array(&args, &p->numbers, POSTGRES_NUMBER);
	postgres_arg_array(&args, &p->hashes, POSTGRES_TEXT);
	postgres_arg_array(&args, &p->ids, POSTGRES_TEXT);
	postgres_arg_array(&args, &p->bodies, POSTGRES_TEXT);
	result = run_statement(
		p, "SELECT co_1.insert_documents($1, $2, $3, $4, $5)", &args,
		e);
	postgres_array_clear(&p->numbers);
	postgres_array_clear(&p->hashes);
	postgres_array_clear(&p->ids);
	postgres_array_clear(&p->bodies);
	return result;
}

/* Add the document V, whose "hash" is HASH. */
static int add_document(struct push *p, const struct value *v, const char *hash,
			struct arena *a, struct err *e)
{
	struct remote_document d;
	struct buf body = {0};
	char is[SHA256_HEX], id[24];
	struct err why;
	int result = 0;

	if (!hash || remote_document_read(&d, v, a, &why) < 0)
		return invalid(p, hash ? why.text : "a document has no hash",
			       e);
	if (p->last == INT32_MAX)
		return postgres_fail(p->pg, POSTGRES_LIMIT, e,
				     "the project has had 2^31 documents");
	remote_document_write(&body, &d, is);
	if (strcmp(is, hash) != 0)
		result = invalid(p, "a document has another hash", e);
	else if (body.len > REMOTE_DOCUMENT_MAX)
		result = postgres_fail(p->pg, POSTGRES_LIMIT, e,
				       "a document is over 1 MiB");
	if (!result) {
		p->last++;
		p->added++;
		corpus_terms_read(&p->terms, &d);
		corpus_changes_add(&p->changes, &p->terms, p->last);
		corpus_columns_add(&p->columns,
				   corpus_columns_of(&d, &p->terms, p->last));
		remote_digest_add(&p->digest, hash);
		snprintf(id, sizeof(id), "%lld", (long long)d.id);
		postgres_array_add_number(&p->numbers, p->last);
		postgres_array_add(&p->hashes, hash, SHA256_HEX - 1);
		postgres_array_add(&p->ids, id, strlen(id));
		postgres_array_add(&p->bodies, body.p, body.len);
		if (p->bodies.bytes.len > BATCH_BYTES)
			result = insert_documents(p, e);
	}
	buf_release(&body);
	return result;
}

static int add_removal(struct push *p, const char *hash, struct err *e)
{
	struct remote_digest check = {{0}};

	if (p->added || !remote_digest_add(&check, hash))
		return invalid(p,
			       "a document to remove has no hash, or comes "
			       "after one to add",
			       e);
	postgres_array_add(&p->removals, hash, SHA256_HEX - 1);
	return 0;
}

/* Handle one line of a push. Return 1 after the last one, 0, or -1. */
static int read_line(struct push *p, const char *line, size_t len,
		     struct arena *a, struct err *e)
{
	const struct value *doc;
	const char *hash;
	struct value v;
	struct err why;

	if (json_parse(line, len, a, &v, &why) < 0)
		return invalid(p, why.text, e);
	doc = value_get(&v, "doc");
	hash = value_text(&v, "remove");
	if (value_is_true(value_get(&v, "end")))
		return remove_documents(p, e) < 0 ? -1 : 1;
	if (hash)
		return add_removal(p, hash, e);
	if (!doc || remove_documents(p, e) < 0)
		return doc ? -1 : invalid(p, "a line of a push is unknown", e);
	return add_document(p, doc, value_text(doc, "hash"), a, e);
}

/* Read the documents up to the last line. */
static int read_documents(struct push *p, struct err *e)
{
	struct arena a = {0};
	struct err why;
	const char *line;
	size_t len;
	int result = 0;

	while (!result) {
		const int more = io_lines_next(&p->r->in, &line, &len, &why);

		if (more <= 0)
			result = invalid(
				p, more ? why.text : "the push has no end", e);
		else
			result = read_line(p, line, len, &a, e);
		arena_reset(&a);
	}
	arena_release(&a);
	return result < 0 ? -1 : insert_documents(p, e);
}

/* Set OLD to the index of the row of each of the N changes; SIZE_MAX: it has none. ROWS
 * has the terms in any order. */
static void match_rows(const struct corpus_change *x, size_t n,
		       const struct postgres_rows *rows, size_t *old)
{
	struct table by_term = {0};
	size_t len, i;

	for (i = 0; i < rows->n; i++) {
		const char *term = postgres_bytes(rows, i, 0, &len);

		table_put(&by_term, term, len, 0, i);
	}
	for (size_t k = 0; k < n; k++) {
		struct table_look look =
			table_look(&by_term, x[k].term, x[k].len, 0);

		old[k] = SIZE_MAX;
		while (table_next(&look, &i)) {
			const char *term = postgres_bytes(rows, i, 0, &len);

			if (len == x[k].len && !memcmp(term, x[k].term, len))
				old[k] = i;
		}
	}
	table_release(&by_term);
}

/* Apply the N changes X to ROWS, and collect the new postings, and the terms that have
 * none any more. */
static int apply_changes(struct corpus_change *x, size_t n,
			 const struct postgres_rows *rows,
			 struct postgres_array out[3], struct err *e)
{
	size_t *old = mem_resize(NULL, n + 1, sizeof(*old));
	struct buf blob = {0};
	int result = 0;

	match_rows(x, n, rows, old);
	for (size_t i = 0; i < n && !result; i++) {
		size_t len = 0;
		const char *was =
			old[i] == SIZE_MAX
				? ""
				: postgres_bytes(rows, old[i], 1, &len);

		buf_cut(&blob, 0);
		result = corpus_changes_apply(&x[i], was, len, &blob, e);
		if (blob.len) {
			postgres_array_add(&out[0], x[i].term, x[i].len);
			postgres_array_add(&out[1], blob.p, blob.len);
		} else {
			postgres_array_add(&out[2], x[i].term, x[i].len);
		}
	}
	buf_release(&blob);
	free(old);
	return result;
}

/* Write the postings of the N changes X. */
static int write_postings(struct push *p, struct corpus_change *x, size_t n,
			  struct err *e)
{
	struct postgres_array terms = {0}, out[3] = {{{0}, 0}};
	struct postgres_args ask = {0}, put = {0};
	struct postgres_rows rows = {0};
	int result = 0;

	for (size_t i = 0; i < n; i++)
		postgres_array_add(&terms, x[i].term, x[i].len);
	postgres_arg_text(&ask, p->project);
	postgres_arg_array(&ask, &terms, POSTGRES_BYTES);
	if (p->known)
		result = postgres_run(p->pg,
				      "SELECT * FROM co_1.postings_to_change("
				      "$1, $2)",
				      &ask, &rows, e);
	if (!result)
		result = apply_changes(x, n, &rows, out, e);
	postgres_arg_text(&put, p->project);
	postgres_arg_array(&put, &out[0], POSTGRES_BYTES);
	postgres_arg_array(&put, &out[1], POSTGRES_BYTES);
	postgres_arg_array(&put, &out[2], POSTGRES_BYTES);
	if (!result)
		result = run_statement(
			p, "SELECT co_1.change_postings($1, $2, $3, $4)", &put,
			e);
	postgres_rows_release(&rows);
	postgres_array_release(&terms);
	for (size_t i = 0; i < ARRAY_LEN(out); i++)
		postgres_array_release(&out[i]);
	return result;
}

/* Write the origin of the project, and commit. */
static int write_origin(struct push *p, struct err *e)
{
	struct postgres_args args = {0};
	struct buf columns = {0};
	int result = -1;

	corpus_columns_write(&p->columns, &columns);
	if (columns.len > POSTGRES_COLUMNS_MAX) {
		buf_release(&columns);
		return postgres_fail(p->pg, POSTGRES_LIMIT, e,
				     "the project has too many documents");
	}
	postgres_arg_text(&args, p->project);
	postgres_arg_text(&args, p->commit);
	postgres_arg_text(&args, p->at);
	postgres_arg_bytes(&args, p->digest.bytes, sizeof(p->digest.bytes));
	postgres_arg_number(&args, (int64_t)p->columns.n);
	postgres_arg_number(&args, TERMS_VERSION);
	postgres_arg_number(&args, p->last);
	postgres_arg_bytes(&args, columns.p, columns.len);
	postgres_arg_text(&args, p->basis ? p->basis : "");
	if (run_statement(p,
			  "SELECT co_1.write_origin($1, $2, $3, $4, $5, $6, "
			  "$7, $8, $9)",
			  &args, e) == 0)
		result = postgres_commit(p->pg, e);
	buf_release(&columns);
	return result;
}

static int finish_push(struct push *p, struct err *e)
{
	struct corpus_change *x = p->changes.items;

	for (size_t i = 0; i < p->changes.n; i += BATCH_TERMS) {
		const size_t left = p->changes.n - i;

		if (write_postings(p, x + i,
				   left < BATCH_TERMS ? left : BATCH_TERMS,
				   e) < 0)
			return -1;
	}
	return write_origin(p, e);
}

static void release_push(struct push *p)
{
	corpus_columns_release(&p->columns);
	corpus_changes_release(&p->changes);
	corpus_terms_release(&p->terms);
	postgres_array_release(&p->numbers);
	postgres_array_release(&p->hashes);
	postgres_array_release(&p->ids);
	postgres_array_release(&p->bodies);
	postgres_array_release(&p->removals);
}

/* Return the digest of the project, as the client knows it. */
static const char *digest_of(const struct push *p, char hex[SHA256_HEX])
{
	return p->known ? remote_digest_text(&p->digest, hex) : "";
}

/* Compare the digest and the number of documents with those that the request says the
 * push leads to. */
static int check_result(struct push *p, struct err *e)
{
	const struct value *documents = value_get(&p->r->v, "documents");
	const char *digest = value_text(&p->r->v, "digest");
	char hex[SHA256_HEX];

	if (digest && !strcmp(digest, remote_digest_text(&p->digest, hex)) &&
	    documents && documents->kind == VALUE_INT &&
	    documents->u.i == (int64_t)p->columns.n)
		return 0;
	return postgres_fail(p->pg, POSTGRES_CONFLICT, e,
			     "the documents are not those of the digest");
}

/* Set commit, time and basis from the request. */
static int read_commit(struct push *p, struct err *e)
{
	const char *commit = value_text(&p->r->v, "commit");
	const char *at = value_text(&p->r->v, "at");
	struct instant t;

	if (!commit || !remote_is_commit(commit) || !at ||
	    !instant_parse(at, strlen(at), &t))
		return invalid(p, "a push needs a commit and its time", e);
	p->commit = commit;
	p->at = at;
	p->basis = value_text(&p->r->v, "basis");
	if (p->basis && strlen(p->basis) > BASIS_MAX)
		return invalid(p, "the basis of a push is too long", e);
	return 0;
}

static void write_answer(struct push *p)
{
	struct buf *out = &p->r->out;
	char hex[SHA256_HEX];

	json_write_open(out, NULL, '{');
	json_write_text(out, "commit", p->commit);
	json_write_text(out, "digest", remote_digest_text(&p->digest, hex));
	json_write_size(out, "documents", p->columns.n);
	json_write_size(out, "added", p->added);
	json_write_size(out, "removed", p->removed);
	json_write_end(out);
}

int postgres_push(struct postgres_request *r, const char *project,
		  struct err *e)
{
	const bool create = value_is_true(value_get(&r->v, "create"));
	const char *base = value_text(&r->v, "base");
	struct push p = {.r = r, .pg = &r->pg, .project = project};
	char hex[SHA256_HEX];
	int result = -1;

	if (begin_push(&p, create, e) < 0)
		goto out;
	if (!base || strcmp(base, digest_of(&p, hex)) != 0) {
		postgres_fail(p.pg, POSTGRES_CONFLICT, e,
			      "the project has changed since it was read");
		goto out;
	}
	if (read_commit(&p, e) < 0 || read_documents(&p, e) < 0 ||
	    check_result(&p, e) < 0 || finish_push(&p, e) < 0)
		goto out;
	write_answer(&p);
	result = 0;
out:
	release_push(&p);
	return result;
}

/* Remove the documents with ID. */
static int purge_documents(struct push *p, const char *id, struct err *e)
{
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	int result;

	postgres_arg_text(&args, p->project);
	postgres_arg_text(&args, id);
	result = postgres_run(p->pg,
			      "SELECT * FROM co_1.documents_with_id($1, $2)",
			      &args, &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++)
		result = drop_document(p, &rows, i, e);
	postgres_rows_release(&rows);
	return result ? -1 : delete_documents(p, e);
}

int postgres_push_purge(struct postgres_request *r, const char *project,
			struct err *e)
{
	const char *id = value_text(&r->v, "id");
	struct push p = {.r = r, .pg = &r->pg, .project = project};
	int result = -1;

	if (!id || *id < '1' || *id > '9' ||
	    strspn(id, "0123456789") != strlen(id) || strlen(id) > 18)
		return postgres_fail(&r->pg, POSTGRES_INVALID, e,
				     "a purge names the id of a memory");
	if (begin_push(&p, false, e) < 0)
		goto out;
	if (p.emptied) {
		postgres_fail(p.pg, POSTGRES_SCHEMA, e,
			      "'%s' was pushed by another version of co: push "
			      "it first",
			      project);
		goto out;
	}
	if ((p.known && purge_documents(&p, id, e) < 0) ||
	    (p.removed ? finish_push(&p, e) : postgres_commit(p.pg, e)) < 0)
		goto out;
	json_write_open(&r->out, NULL, '{');
	json_write_size(&r->out, "removed", p.removed);
	json_write_end(&r->out);
	result = 0;
out:
	release_push(&p);
	return result;
}
#endif
