/* postgres-vectors.c: vectors are made after a push, in batches that are committed one by
 * one: an encoder takes milliseconds for a text, and nobody should wait for its lock.
 */
#if __has_include(<libpq-fe.h>)
#include "remote/postgres-request.h"

#include "base/instant.h"
#include "embed/vectors.h"
#include "format/json-write.h"
#include "remote/remote-document.h"
#include "search/semantic.h"

#include <inttypes.h>

#define BATCH 64
#define LEAST_MS 5000 /* no batch is begun with less time */

const char *postgres_vectors_name(const struct embed *encoder, struct arena *a)
{
	return arena_printf(a, "%016" PRIx64, embed_identity(encoder));
}

int64_t postgres_vectors_lacking(struct postgres_request *r, int64_t documents,
				 const char *name, int64_t n)
{
	struct semantic m;
	int64_t lacking = 0;

	if (semantic_open(&m, "sentences", r->argv0, NULL) == 1) {
		const char *ours = postgres_vectors_name(m.encoder, &r->arena);

		lacking = documents - (strcmp(name, ours) != 0 ? 0 : n);
	}
	semantic_close(&m);
	return lacking > 0 ? lacking : 0;
}

/* Documents that wait for their vectors. */
struct batch {
	struct postgres_request *r;
	struct embed *encoder;
	const char *project, *name; /* of the encoder */
	uint32_t last;		    /* the document before them */
	struct postgres_array numbers;
	struct embed_text texts[BATCH];
	struct arena arena;
	size_t made;
};

/* Set TEXT to what the encoder reads of the document with the JSON BODY. */
static int read_text(struct batch *b, const char *body, size_t len,
		     struct embed_text *text, struct err *e)
{
	struct remote_document d;
	struct view_doc v = {.text = ""};
	struct value json;

	if (json_parse(body, len, &b->arena, &json, e) < 0 ||
	    remote_document_read(&d, &json, &b->arena, e) < 0)
		return -1;
	v.title = d.title;
	v.text = d.text;
	v.len = d.len;
	v.source = d.source;
	/* vectors_text() reads the tag of a document that has one tag only. */
	v.ntags = d.ntags == 1;
	v.tags = v.ntags ? d.tags[0] : "";
	vectors_text(b->encoder, &v, &text->p, &text->len, &b->arena);
	return 0;
}

/* Read the next documents without a vector. Return how many, or -1. */
static int read_batch(struct batch *b, struct err *e)
{
	struct postgres_args args = {0};
	struct postgres_rows rows = {0};
	int n = -1;

	postgres_array_clear(&b->numbers);
	arena_reset(&b->arena);
	postgres_arg_text(&args, b->project);
	postgres_arg_text(&args, b->name);
	postgres_arg_number(&args, b->last);
	postgres_arg_number(&args, BATCH);
	if (postgres_run(&b->r->pg,
			 "SELECT * FROM co_1.documents_without_vectors($1, $2, "
			 "$3, $4)",
			 &args, &rows, e) == 0)
		n = rows.n < BATCH ? (int)rows.n : BATCH;
	for (int i = 0; i < n; i++) {
		size_t len;
		const char *body = postgres_bytes(&rows, (size_t)i, 1, &len);

		b->last = (uint32_t)postgres_number(&rows, (size_t)i, 0);
		postgres_array_add_number(&b->numbers, b->last);
		if (read_text(b, body, len, &b->texts[i], e) < 0)
			n = -1;
	}
	/* The texts borrow nothing from the rows. */
	postgres_rows_release(&rows);
	return n;
}

/* Make the vectors of the N documents of B, and store them. */
static int make_batch(struct batch *b, size_t n, struct err *e)
{
	struct postgres_array vectors = {0};
	struct postgres_args args = {0};
	struct buf all = {0}, one = {0};
	size_t dimension;
	int result;

	result = embed_texts(b->encoder, EMBED_DOCUMENT, b->texts, n, &all,
			     &dimension, e);
	for (size_t i = 0; i < n && !result; i++) {
		buf_cut(&one, 0);
		vectors_pack(&one,
			     (const float *)(const void *)all.p + i * dimension,
			     dimension);
		postgres_array_add(&vectors, one.p, one.len);
	}
	postgres_arg_text(&args, b->project);
	postgres_arg_text(&args, b->name);
	postgres_arg_array(&args, &b->numbers, POSTGRES_NUMBER);
	postgres_arg_array(&args, &vectors, POSTGRES_BYTES);
	if (!result)
		result = postgres_run(
			&b->r->pg, "SELECT co_1.insert_vectors($1, $2, $3, $4)",
			&args, NULL, e);
	b->made += result ? 0 : n;
	postgres_array_release(&vectors);
	buf_release(&all);
	buf_release(&one);
	return result;
}

static int make_all(struct batch *b, struct err *e)
{
	int n;

	while ((n = read_batch(b, e)) > 0) {
		if (make_batch(b, (size_t)n, e) < 0)
			return -1;
		if (n < BATCH ||
		    b->r->pg.until - instant_monotonic_ms() < LEAST_MS)
			break;
	}
	return n < 0 ? -1 : 0;
}

int postgres_vectors_make(struct postgres_request *r, const char *project,
			  struct err *e)
{
	struct batch b = {.r = r, .project = project};
	struct semantic m;
	int result = 0;

	if (semantic_open(&m, "sentences", r->argv0, NULL) == 1) {
		b.encoder = m.encoder;
		b.name = postgres_vectors_name(m.encoder, &r->arena);
		result = make_all(&b, e);
	}
	semantic_close(&m);
	postgres_array_release(&b.numbers);
	arena_release(&b.arena);
	json_write_open(&r->out, NULL, '{');
	json_write_size(&r->out, "made", b.made);
	json_write_end(&r->out);
	return result;
}
#endif
