/* embeddings.c: write and parse the requests and answers of POST /v1/embeddings.
 *
 * An answer of the server is accepted only if it keeps to the protocol: one vector for
 * each text, by index. A batch that it refuses is halved until the refused texts are
 * found. If it refuses all, the server is wrong, or our request.
 */
#include "model/endpoint.h"

#include "format/json-read.h"
#include "format/json-write.h"
#include "sys/io.h"

#define LINE_MAX_READ ((size_t)1024 * 1024)
#define BATCH 32       /* texts in one request, at most */
#define REFUSALS_MAX 8 /* before the first accepted text */

/* Read the next lines of IN into TEXTS, in A. Return 1 with their number in *N,
 * 0 at the end, -1. */
static int read_texts(struct lines *in, struct value *texts, size_t *n,
		      struct arena *a, struct err *e)
{
	const char *p;
	size_t len;
	int r = 0;

	for (*n = 0; *n < BATCH; ++*n) {
		struct value *v = arena_alloc(a, sizeof(*v));
		const struct value *text;
		struct err why;

		r = io_lines_next(in, &p, &len, e);
		if (r <= 0)
			break;
		text = json_parse(p, len, a, v, &why) ? NULL
						      : value_get(v, "text");
		if (!text || text->kind != VALUE_STR)
			return err_set(e, ERR_DATA,
				       "'%s':%zu: no object with a text",
				       in->path, in->number);
		texts[*n] = *text;
	}
	return r < 0 ? -1 : *n > 0;
}

static void write_request(struct buf *out, const struct endpoint_vectors *s,
			  const struct value *texts, size_t n)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "model", s->model);
	json_write_text(out, "encoding_format", "float");
	if (s->dimension)
		json_write_size(out, "dimensions", s->dimension);
	json_write_open(out, "input", '[');
	for (size_t i = 0; i < n; i++)
		json_write_bytes(out, NULL, texts[i].u.s.p, texts[i].u.s.len);
	json_write_close(out, ']');
	json_write_close(out, '}');
}

/* Set VECTORS, in A, to the list of numbers of each text; the server may answer
 * in any order. */
static int read_answer(const struct buf *answer, size_t n,
		       const struct value **vectors, struct arena *a,
		       struct err *e)
{
	struct value *v = arena_alloc(a, sizeof(*v));
	const struct value *data;
	struct err why;

	if (json_parse(buf_str(answer), answer->len, a, v, &why) < 0)
		return err_set(e, ERR_HELPER,
			       "the server did not answer with JSON: %s",
			       why.text);
	data = value_get(v, "data");
	if (!data || data->kind != VALUE_LIST || data->u.list.n != n)
		return err_set(e, ERR_HELPER,
			       "the server did not answer with %zu vectors", n);
	memset(vectors, 0, n * sizeof(*vectors));
	for (size_t i = 0; i < n; i++) {
		const struct value *item = &data->u.list.items[i];
		const struct value *index = value_get(item, "index");
		const struct value *list = value_get(item, "embedding");
		int64_t at = (int64_t)i;

		if (index && index->kind == VALUE_INT)
			at = index->u.i;
		if (!list || list->kind != VALUE_LIST || at < 0 ||
		    at >= (int64_t)n || vectors[at])
			return err_set(e, ERR_HELPER,
				       "the server's answer has no list of "
				       "numbers for each text");
		vectors[at] = list;
	}
	return 0;
}

static int write_vectors(struct endpoint_vectors *s, const struct buf *answer,
			 size_t n, struct buf *out, struct err *e)
{
	const struct value *vectors[BATCH];
	struct arena a = {0};
	const size_t start = out->len;
	int r = read_answer(answer, n, vectors, &a, e);

	for (size_t i = 0; i < n && r == 0; i++) {
		json_write_open(out, NULL, '{');
		json_write_key(out, "vector");
		r = json_write_value(out, vectors[i], e);
		buf_adds(out, "}\n");
	}
	if (r < 0)
		buf_cut(out, start);
	s->accepted = true;
	arena_release(&a);
	return r;
}

/* Return true if one of the texts may be the cause. */
static bool is_refusal(long status)
{
	return status == 400 || status == 413 || status == 422;
}

static int write_refusal(struct buf *out)
{
	buf_adds(out, "{\"vector\":null}\n");
	return 0;
}

/* Request the vectors of N texts, and append a line for each. */
static int request_vectors(struct endpoint_vectors *s,
			   const struct value *texts, size_t n, struct buf *out,
			   struct err *e)
{
	struct buf body = {0}, answer = {0};
	const size_t start = out->len, half = n / 2;
	long status;
	int r = -1;

	write_request(&body, s, texts, n);
	status = endpoint_ask(s->server, &body, &answer, e);
	if (status < 0)
		goto out;
	if (status == 200)
		r = write_vectors(s, &answer, n, out, e);
	else if (!is_refusal(status) ||
		 (!s->accepted && ++s->refused > REFUSALS_MAX))
		r = endpoint_fail(s->server, status, &answer, e);
	else if (n == 1)
		r = write_refusal(out);
	else if (!request_vectors(s, texts, half, out, e))
		r = request_vectors(s, texts + half, n - half, out, e);
	if (r < 0)
		buf_cut(out, start);
out:
	buf_release(&body);
	buf_release(&answer);
	return r;
}

int endpoint_vectors(struct endpoint_vectors *s, int fd,
		     void (*give)(const char *p, size_t len), struct err *e)
{
	struct lines in = {.fd = fd, .path = "-", .max = LINE_MAX_READ};
	struct value texts[BATCH];
	struct buf out = {0};
	struct arena a = {0};
	size_t n;
	int r;

	while ((r = read_texts(&in, texts, &n, &a, e)) > 0) {
		buf_cut(&out, 0);
		r = request_vectors(s, texts, n, &out, e);
		if (r < 0)
			break;
		give(out.p, out.len);
		arena_reset(&a);
	}
	io_lines_release(&in);
	buf_release(&out);
	arena_release(&a);
	return r;
}
