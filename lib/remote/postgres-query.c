/* postgres-query.c: two round trips for a usual question: the columns of the projects and
 * the postings of all terms, then the texts of the best documents. All are of one moment,
 * in a transaction that only reads.
 *
 * The statements call functions of the schema, which return only what the role may read.
 * They name nothing else, so the search_path of the role does not matter.
 */
#if __has_include(<libpq-fe.h>)
#include "remote/postgres-request.h"

#include "format/json-write.h"
#include "remote/corpus-ranking.h"
#include "search/semantic.h"

#include <arpa/inet.h>

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
	struct postgres_array names; /* of the projects to read */
	struct corpus_ranking *ranking;
	struct query query;
	struct semantic words; /* what expands the question */
	struct rank_ask ask;
	bool explain, everywhere, pruned, meaning;
	bool failed; /* while vectors were read, with `error` */
	struct err error;
	bool skipped; /* a project of another version of co, or too large */
	size_t bytes; /* of columns */
};

static int invalid(struct question *q, const char *why, struct err *e)
{
	return postgres_fail(q->pg, POSTGRES_INVALID, e, "%s", why);
}

/* Begin to read, within STATEMENT_MS for each statement. */
static int begin_reading(struct question *q, struct err *e)
{
	if (postgres_send(q->pg,
			  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
			  NULL, e) < 0 ||
	    postgres_send(q->pg, "SET LOCAL statement_timeout = " STATEMENT_MS,
			  NULL, e) < 0)
		return -1;
	return 0;
}

/* Read the results of what begin_reading() sent. */
static int end_begin(struct question *q, struct err *e)
{
	if (postgres_result(q->pg, NULL, e) < 0)
		return -1;
	return postgres_result(q->pg, NULL, e);
}

/* Read the names of the projects of the request. */
static int read_names(struct question *q, struct err *e)
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
		postgres_array_add(&q->names, projects->u.list.items[i].u.s.p,
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
	q->explain = value_is_true(value_get(&q->r->v, "explain"));
	q->meaning = value_is_true(value_get(&q->r->v, "meaning"));
	semantic_open(&q->words, q->meaning ? "sentences" : "fts", q->r->argv0,
		      NULL);
	q->words.text = text->u.s.p;
	query_parse(&q->query, text->u.s.p, text->u.s.len, &q->r->arena);
	q->ask = (struct rank_ask){.query = &q->query,
				   .max = max ? (size_t)max->u.i : 10,
				   .expansion = &q->words.how.expansion,
				   .telling = true};
	return q->query.fault ? invalid(q, q->query.fault, e) : 0;
}

/* Set the names to those of the projects that have most of the rare terms. */
static int choose_projects(struct question *q, struct err *e)
{
	struct postgres_array terms = {0};
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	int result;

	for (size_t i = 0; i < q->query.nterms; i++)
		postgres_array_add(&terms, q->query.terms[i].p,
				   q->query.terms[i].len);
	postgres_arg_array(&args, &terms, POSTGRES_BYTES);
	result = postgres_send(q->pg, "SELECT * FROM co_1.best_projects($1)",
			       &args, e);
	if (!result)
		result = end_begin(q, e);
	if (!result)
		result = postgres_result(q->pg, &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++) {
		size_t len;
		const char *name = postgres_bytes(&rows, i, 0, &len);

		postgres_array_add(&q->names, name, len);
	}
	q->pruned = !result && rows.n &&
		    postgres_number(&rows, 0, 1) > (int64_t)rows.n;
	postgres_rows_release(&rows);
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
	x->at = postgres_time(rows, row, 3, a);
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

/* Return the index of the project with NUMBER, or SIZE_MAX. */
static size_t index_of(const struct question *q, int64_t number)
{
	for (size_t i = 0; i < q->n; i++) {
		if (q->projects[i].number == number)
			return i;
	}
	return SIZE_MAX;
}

/* Send the statement for the postings of the N WORDS. */
static int send_words(struct question *q, const struct corpus_word *words,
		      size_t n, struct err *e)
{
	struct postgres_array terms = {0};
	struct postgres_args args = {0};
	int result;

	for (size_t i = 0; i < n; i++)
		postgres_array_add(&terms, words[i].p, words[i].len);
	postgres_arg_array(&args, &q->names, POSTGRES_TEXT);
	postgres_arg_array(&args, &terms, POSTGRES_BYTES);
	result = postgres_send(q->pg, "SELECT * FROM co_1.postings($1, $2)",
			       &args, e);
	postgres_array_release(&terms);
	return result;
}

/* Read the postings that send_words() requested. */
static int read_postings(struct question *q, struct err *e)
{
	struct postgres_rows rows = {0};
	int result = postgres_result(q->pg, &rows, e);

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
			result = corpus_ranking_put(q->ranking, index, term,
						    docs, e);
	}
	postgres_rows_release(&rows);
	return result;
}

static int get_postings(void *ctx, struct corpus_ranking *r,
			const struct corpus_word *terms, size_t n,
			struct err *e)
{
	struct question *q = ctx;

	(void)r;
	return send_words(q, terms, n, e) < 0 ? -1 : read_postings(q, e);
}

/* Send the statement for the columns of the projects. */
static int send_projects(struct question *q, struct err *e)
{
	struct postgres_args args = {0};

	postgres_arg_array(&args, &q->names, POSTGRES_TEXT);
	return postgres_send(q->pg, "SELECT * FROM co_1.projects($1)", &args,
			     e);
}

/* Read the columns that send_projects() requested. */
static int read_columns(struct question *q, struct err *e)
{
	struct postgres_rows rows = {0};
	int result = postgres_result(q->pg, &rows, e);

	for (size_t i = 0; i < rows.n && !result; i++)
		result = add_project(q, &rows, i, e);
	q->pruned |= q->skipped;
	postgres_rows_release(&rows);
	return result;
}

/* Read the columns and postings of all projects, in one round trip. */
static int read_corpus(struct question *q, struct err *e)
{
	const struct corpus_word *words;
	size_t n;

	words = corpus_ranking_words(q->ranking, &q->ask, &q->r->arena, &n);
	if (send_projects(q, e) < 0 || send_words(q, words, n, e) < 0 ||
	    (!q->everywhere && end_begin(q, e) < 0) || read_columns(q, e) < 0)
		return -1;
	return read_postings(q, e);
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
		postgres_array_add_number(
			&projects, (uint32_t)q->projects[docs[i].index].number);
		postgres_array_add_number(&numbers, docs[i].number);
	}
	postgres_arg_array(&args, &q->names, POSTGRES_TEXT);
	postgres_arg_array(&args, &projects, POSTGRES_NUMBER);
	postgres_arg_array(&args, &numbers, POSTGRES_NUMBER);
	result = postgres_run(q->pg, "SELECT * FROM co_1.documents($1, $2, $3)",
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
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	int result;

	postgres_arg_array(&args, &q->names, POSTGRES_TEXT);
	result = postgres_run(q->pg, "SELECT * FROM co_1.vocabulary($1)", &args,
			      &rows, e);
	for (size_t i = 0; i < rows.n && !result; i++) {
		size_t len;
		const char *term = postgres_bytes(&rows, i, 0, &len);

		fn(fn_ctx, term, len);
	}
	postgres_rows_release(&rows);
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
	json_write_texts(out, "tags", d->tags, d->ntags);
	json_write_text(out, "source", d->source);
	json_write_text(out, "created", d->created);
	write_number(out, "score", hit->score);
	write_number(out, "coverage", hit->coverage);
	write_number(out, "telling", hit->telling);
	if (q->words.used)
		write_number(out, "cosine", hit->cosine);
	json_write_bool(out, "partial", hit->partial);
	if (q->explain) {
		json_write_open(out, "signals", '{');
		for (size_t i = 0; i < RANK_NSIGNALS; i++)
			write_number(out, rank_signal_names[i],
				     hit->signals[i]);
		json_write_close(out, '}');
	}
	json_write_bytes(out, "text", d->text, d->len);
	json_write_end(out);
	if (out->len <= POSTGRES_ANSWER_MAX)
		return 0;
	buf_cut(out, before);
	return 1;
}

/* Add to V the vectors in the LEN bytes of P: of each document the number, and a byte for
 * each of DIMENSION numbers. */
static int put_vectors(struct vectors *v, const char *p, size_t len,
		       size_t dimension, struct err *e)
{
	const size_t step = sizeof(uint32_t) + dimension;
	uint32_t number, last = 0;

	for (const char *end = p + len; p < end; p += step) {
		if ((size_t)(end - p) < step)
			return err_set(e, ERR_DATA, "a vector is damaged");
		memcpy(&number, p, sizeof(number));
		number = ntohl(number);
		if (number <= last)
			return err_set(e, ERR_DATA, "the vectors are damaged");
		vectors_put(v, number, p + sizeof(number));
		last = number;
	}
	return 0;
}

/* Send the statement for the vectors by ENCODER, and set ROWS to its result. */
static int get_vectors(struct question *q, const struct embed *encoder,
		       struct postgres_rows *rows, struct err *e)
{
	struct postgres_args args = {0};

	postgres_arg_array(&args, &q->names, POSTGRES_TEXT);
	postgres_arg_text(&args, postgres_vectors_name(encoder, &q->r->arena));
	return postgres_run(q->pg, "SELECT * FROM co_1.vectors($1, $2)", &args,
			    rows, e);
}

/* See struct semantic_corpus. */
static int compare_vectors(void *ctx, struct embed *encoder,
			   const float *question, size_t dimension,
			   float *cosines, struct err *e)
{
	struct question *q = ctx;
	struct vectors_part *parts = mem_alloc((q->n + 1) * sizeof(*parts));
	struct vectors **v = mem_alloc((q->n + 1) * sizeof(*v));
	struct postgres_rows rows = {0};
	bool some = false, damaged = false;
	int result = get_vectors(q, encoder, &rows, e);

	/* A failed statement ends the transaction. */
	q->failed = result < 0;
	if (result)
		q->error = *e;
	for (size_t i = 0; i < q->n; i++) {
		size_t first, n;
		const uint32_t *numbers =
			corpus_ranking_numbers(q->ranking, i, &first, &n);

		v[i] = vectors_new(dimension);
		parts[i] = (struct vectors_part){v[i], numbers, n,
						 cosines + first};
	}
	for (size_t i = 0; i < rows.n && !result; i++) {
		const size_t index = index_of(q, postgres_number(&rows, i, 0));
		size_t len;
		const char *p = postgres_bytes(&rows, i, 1, &len);

		if (index == SIZE_MAX)
			continue;
		if (put_vectors(v[index], p, len, dimension, e) == 0) {
			some = some || len;
			continue;
		}
		/* Damaged vectors of a project are as none. */
		vectors_close(v[index]);
		v[index] = vectors_new(dimension);
		parts[index].v = v[index];
		damaged = true;
	}
	if (damaged && !some)
		result = -1;
	if (!result)
		vectors_compare(parts, q->n, question, dimension);
	postgres_rows_release(&rows);
	for (size_t i = 0; i < q->n; i++)
		vectors_close(v[i]);
	free(parts);
	free(v);
	return result;
}

static int rank_and_write(struct question *q, struct err *e)
{
	const size_t documents = corpus_ranking_count(q->ranking);
	const struct semantic_corpus corpus = {documents, compare_vectors, q};
	struct arena *a = &q->r->arena;
	struct rank_result result;
	int more = 0;

	if (!q->n)
		return 0;
	if (documents <= POSTGRES_VECTORS_MAX)
		semantic_fill(&q->words, &corpus, &q->ask, a);
	more = corpus_ranking_run(q->ranking, &q->ask, a, &result, e);
	if (q->failed)
		*e = q->error;
	if (more < 0 || q->failed)
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
	int result = -1;

	q.ranking = corpus_ranking_new(&source);
	if (read_question(&q, e) == 0 && read_names(&q, e) == 0 &&
	    begin_reading(&q, e) == 0 &&
	    (!q.everywhere || choose_projects(&q, e) == 0) &&
	    read_corpus(&q, e) == 0 && rank_and_write(&q, e) == 0)
		result = postgres_commit(q.pg, e);
	json_write_size(last, "documents", corpus_ranking_count(q.ranking));
	json_write_bool(last, "pruned", q.pruned);
	semantic_close(&q.words);
	corpus_ranking_free(q.ranking);
	postgres_array_release(&q.names);
	return result;
}
#endif
