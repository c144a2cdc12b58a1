/* postgres-query.c: three round trips for a usual question: the columns of the projects,
 * the postings of all terms, and the texts of the best documents. All are of one moment,
 * in a transaction that only reads.
 *
 * The statements call functions of the schema, which return only what the role may read.
 */
#if __has_include(<libpq-fe.h>)
#include "remote/postgres-query.h"

#include "format/json-write.h"
#include "remote/corpus-ranking.h"
#include "search/semantic.h"

#define STATEMENT_MS "2000"

/* A project that is searched. */
struct asked {
	int64_t number;
	const char *name, *commit, *at; /* in the arena */
};

struct question {
	struct postgres_request *r;
	struct postgres *pg;
	struct asked projects[REMOTE_PROJECTS_MAX];
	size_t n;
	struct corpus_ranking *ranking;
	struct query query;
	struct semantic words; /* what expands the question */
	size_t max;
	bool explain, everywhere, pruned;
	bool skipped; /* a project of another version of co, or too large */
	size_t bytes; /* of columns */
};

static int invalid(struct question *q, const char *why, struct err *e)
{
	return postgres_fail(q->pg, POSTGRES_INVALID, e, "%s", why);
}

/* Begin to read, within STATEMENT_MS for each statement, without functions of others. */
static int send_begin(struct question *q, struct err *e)
{
	if (postgres_send(q->pg,
			  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
			  NULL, e) < 0)
		return -1;
	return postgres_send(
		q->pg,
		"SELECT pg_catalog.set_config('statement_timeout', "
		"'" STATEMENT_MS "', true), "
		"pg_catalog.set_config('search_path', 'pg_catalog', true)",
		NULL, e);
}

/* Append to NAMES the projects of the request. */
static int read_projects(struct question *q, struct postgres_array *names,
			 struct err *e)
{
	const struct value *projects = value_get(&q->r->v, "projects");

	q->everywhere = value_is_true(value_get(&q->r->v, "everywhere"));
	if (q->everywhere)
		return 0;
	if (!projects || !value_is_texts(projects) || !projects->u.list.n)
		return invalid(q, "a question names its projects", e);
	if (projects->u.list.n > REMOTE_PROJECTS_MAX)
		return postgres_fail(q->pg, POSTGRES_LIMIT, e,
				     "a question is for at most %d projects",
				     REMOTE_PROJECTS_MAX);
	for (size_t i = 0; i < projects->u.list.n; i++)
		postgres_array_add(names, projects->u.list.items[i].u.s.p,
				   projects->u.list.items[i].u.s.len);
	return 0;
}

static int read_question(struct question *q, struct err *e)
{
	const struct value *text = value_get(&q->r->v, "text");
	const struct value *max = value_get(&q->r->v, "max");

	if (!text || text->kind != VALUE_STR ||
	    (max && (max->kind != VALUE_INT || max->u.i < 1)))
		return invalid(q, "a question has a text and a max", e);
	if (text->u.s.len > QUERY_BYTES_MAX ||
	    (max && max->u.i > REMOTE_HITS_MAX))
		return postgres_fail(q->pg, POSTGRES_LIMIT, e,
				     "a question is at most 64 KiB long, and "
				     "has at most %d hits",
				     REMOTE_HITS_MAX);
	q->max = max ? (size_t)max->u.i : 10;
	q->explain = value_is_true(value_get(&q->r->v, "explain"));
	query_parse(&q->query, text->u.s.p, text->u.s.len, &q->r->arena);
	return q->query.fault ? invalid(q, q->query.fault, e) : 0;
}

/* Append the distinct terms of the question to TERMS. */
static void add_terms(const struct question *q, struct postgres_array *terms)
{
	for (size_t i = 0; i < q->query.nterms; i++)
		postgres_array_add(terms, q->query.terms[i].p,
				   q->query.terms[i].len);
}

/* Send the statement for the projects: those of NAMES; with `everywhere`, those that have
 * most of the rare terms, and the number of all projects as another column. */
static int send_projects(struct question *q, struct postgres_array *names,
			 struct err *e)
{
	struct postgres_array terms = {0};
	struct postgres_args args = {0};
	int result;

	add_terms(q, &terms);
	postgres_arg_array(&args, q->everywhere ? &terms : names,
			   q->everywhere ? POSTGRES_BYTES : POSTGRES_TEXT);
	result = postgres_send(q->pg,
			       q->everywhere
				       ? "SELECT * FROM co_1.best_projects($1)"
				       : "SELECT * FROM co_1.projects($1)",
			       &args, e);
	postgres_array_release(&terms);
	return result;
}

/* Add the project of ROW. */
static int add_project(struct question *q, const struct postgres_rows *rows,
		       size_t row, struct err *e)
{
	struct arena *a = &q->r->arena;
	struct asked *x = &q->projects[q->n];
	const char *columns;
	size_t len;

	x->number = postgres_number(rows, row, 0);
	x->name = arena_strdup(a, postgres_bytes(rows, row, 1, NULL));
	x->commit = arena_strdup(a, postgres_bytes(rows, row, 2, NULL));
	x->at = arena_strdup(a, postgres_bytes(rows, row, 3, NULL));
	if (postgres_number(rows, row, 4) != TERMS_VERSION && q->everywhere) {
		q->skipped = true;
		return 0;
	}
	if (postgres_number(rows, row, 4) != TERMS_VERSION)
		return postgres_fail(q->pg, POSTGRES_SCHEMA, e,
				     "'%s' was pushed by another version of co",
				     x->name);
	columns = postgres_bytes(rows, row, 5, &len);
	q->bytes += len;
	if (postgres_is_null(rows, row, 5) || q->bytes > POSTGRES_COLUMNS_MAX) {
		q->skipped = true;
		return q->everywhere ? 0
				     : postgres_fail(q->pg, POSTGRES_LIMIT, e,
						     "the projects up to '%s' "
						     "have too many documents",
						     x->name);
	}
	q->n++;
	return corpus_ranking_project(q->ranking, columns, len, e);
}

static int read_columns(struct question *q, struct postgres_array *names,
			struct err *e)
{
	struct postgres_rows rows = {0};
	int result = -1;

	if (send_begin(q, e) == 0 && send_projects(q, names, e) == 0 &&
	    postgres_result(q->pg, NULL, e) == 0 &&
	    postgres_result(q->pg, NULL, e) == 0)
		result = postgres_result(q->pg, &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++)
		result = add_project(q, &rows, i, e);
	q->pruned =
		!result && q->everywhere && rows.n &&
		(q->skipped || postgres_number(&rows, 0, 6) > (int64_t)rows.n);
	postgres_rows_release(&rows);
	return result;
}

/* Return the index of the project with NUMBER, or SIZE_MAX. */
static size_t index_of(const struct question *q, int64_t number)
{
	for (size_t i = 0; i < q->n; i++) {
		if (q->projects[i].number == number)
			return i;
	}
	return SIZE_MAX;
}

/* Add the numbers of the projects. */
static void add_numbers(const struct question *q, struct postgres_args *args,
			struct postgres_array *numbers)
{
	for (size_t i = 0; i < q->n; i++)
		postgres_array_add_number(numbers,
					  (uint32_t)q->projects[i].number);
	postgres_arg_array(args, numbers, POSTGRES_NUMBER);
}

static int get_postings(void *ctx, struct corpus_ranking *r,
			const struct corpus_word *terms, size_t n,
			struct err *e)
{
	struct question *q = ctx;
	struct postgres_array numbers = {0}, words = {0};
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	int result;

	for (size_t i = 0; i < n; i++)
		postgres_array_add(&words, terms[i].p, terms[i].len);
	add_numbers(q, &args, &numbers);
	postgres_arg_array(&args, &words, POSTGRES_BYTES);
	result = postgres_run(q->pg, "SELECT * FROM co_1.postings($1, $2)",
			      &args, &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++) {
		const size_t index = index_of(q, postgres_number(&rows, i, 0));
		struct corpus_word term, docs;

		term.p = postgres_bytes(&rows, i, 1, &term.len);
		docs.p = postgres_bytes(&rows, i, 2, &docs.len);
		if (postgres_is_null(&rows, i, 2))
			result = postgres_fail(q->pg, POSTGRES_LIMIT, e,
					       "too many documents have the "
					       "words of the question");
		else if (index != SIZE_MAX)
			result = corpus_ranking_put(r, index, term, docs, e);
	}
	postgres_rows_release(&rows);
	postgres_array_release(&numbers);
	postgres_array_release(&words);
	return result;
}

static int get_documents(void *ctx, struct corpus_ranking *r,
			 const struct corpus_place *docs, size_t n,
			 struct err *e)
{
	struct question *q = ctx;
	struct postgres_array numbers = {0}, projects = {0};
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	int result;

	for (size_t i = 0; i < n; i++) {
		if (!i || q->n > 1)
			postgres_array_add_number(
				&projects,
				(uint32_t)q->projects[docs[i].index].number);
		postgres_array_add_number(&numbers, docs[i].number);
	}
	postgres_arg_array(&args, &projects, POSTGRES_NUMBER);
	postgres_arg_array(&args, &numbers, POSTGRES_NUMBER);
	result = postgres_run(q->pg, "SELECT * FROM co_1.documents($1, $2)",
			      &args, &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++) {
		struct corpus_place place = {
			index_of(q, postgres_number(&rows, i, 0)),
			(uint32_t)postgres_number(&rows, i, 1)};
		size_t len;
		const char *body = postgres_bytes(&rows, i, 2, &len);

		if (place.index != SIZE_MAX)
			result = corpus_ranking_load(r, place, body, len, e);
	}
	postgres_rows_release(&rows);
	postgres_array_release(&numbers);
	postgres_array_release(&projects);
	return result;
}

static int get_vocabulary(void *ctx, corpus_term_fn *fn, void *fn_ctx,
			  struct err *e)
{
	struct question *q = ctx;
	struct postgres_array numbers = {0};
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	int result;

	add_numbers(q, &args, &numbers);
	result = postgres_run(q->pg, "SELECT * FROM co_1.vocabulary($1)", &args,
			      &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++) {
		size_t len;
		const char *term = postgres_bytes(&rows, i, 0, &len);

		fn(fn_ctx, term, len);
	}
	postgres_rows_release(&rows);
	postgres_array_release(&numbers);
	return result;
}

static void write_number(struct buf *out, const char *key, float n)
{
	json_write_key(out, key);
	buf_addf(out, "%.6g", (double)n);
}

/* Append HIT. Return 0, 1 if there is no room for it, or -1. */
static int write_hit(struct question *q, const struct rank_hit *hit,
		     struct err *e)
{
	struct buf *out = &q->r->out;
	const size_t before = out->len;
	const struct remote_document *d;
	const struct asked *x;
	size_t index;

	if (corpus_ranking_get(q->ranking, hit->doc, &d, &index, e) < 0)
		return -1;
	x = &q->projects[index];
	json_write_open(out, NULL, '{');
	json_write_text(out, "project", x->name);
	json_write_text(out, "commit", x->commit);
	json_write_text(out, "as_of", x->at);
	if (d->kind == RECORD_MEMORY)
		json_write_int(out, "id", d->id);
	json_write_text(out, "kind", remote_document_kind(d->kind));
	json_write_text(out, "path", d->path);
	json_write_text(out, "title", d->title);
	json_write_open(out, "tags", '[');
	for (size_t i = 0; i < d->ntags; i++)
		json_write_text(out, NULL, d->tags[i]);
	json_write_close(out, ']');
	json_write_text(out, "source", d->source);
	json_write_text(out, "created", d->created);
	write_number(out, "score", hit->score);
	write_number(out, "coverage", hit->coverage);
	write_number(out, "telling", hit->telling);
	json_write_bool(out, "partial", hit->partial);
	if (q->explain) {
		json_write_open(out, "signals", '{');
		for (size_t i = 0; i < RANK_NSIGNALS; i++)
			write_number(out, rank_signal_names[i],
				     hit->signals[i]);
		json_write_close(out, '}');
	}
	json_write_bytes(out, "text", d->text, d->len);
	postgres_request_end_line(out);
	if (out->len <= POSTGRES_ANSWER_MAX)
		return 0;
	buf_cut(out, before);
	return 1;
}

static int rank_and_write(struct question *q, struct err *e)
{
	struct arena *a = &q->r->arena;
	struct rank_ask ask = {.query = &q->query,
			       .max = q->max,
			       .expansion = &q->words.how.expansion,
			       .telling = true};
	struct rank_result result;
	int more = 0;

	if (!q->n)
		return 0;
	if (corpus_ranking_run(q->ranking, &ask, a, &result, e) < 0)
		return -1;
	for (size_t i = 0; i < result.n && !more; i++)
		more = write_hit(q, &result.hits[i], e);
	return more < 0 ? -1 : 0;
}

int postgres_query(struct postgres_request *r, struct buf *last, struct err *e)
{
	struct question q = {.r = r, .pg = &r->pg};
	struct corpus_source source = {&q, get_postings, get_documents,
				       get_vocabulary};
	struct postgres_array names = {0};
	int result = -1;

	q.ranking = corpus_ranking_new(&source);
	semantic_open(&q.words, "fts", r->argv0, NULL);
	if (read_question(&q, e) == 0 && read_projects(&q, &names, e) == 0 &&
	    read_columns(&q, &names, e) == 0)
		result = rank_and_write(&q, e);
	json_write_size(last, "documents", corpus_ranking_count(q.ranking));
	json_write_bool(last, "pruned", q.pruned);
	semantic_close(&q.words);
	corpus_ranking_free(q.ranking);
	postgres_array_release(&names);
	return result;
}
#endif
