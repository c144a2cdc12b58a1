/* http-protocol.c: a server is believed only as far as it keeps to the
 * protocol: each text has one vector, by its index.  A batch that it refuses is
 * halved, until those texts are found that it will not have; unless it refuses
 * all, which is then the server's fault, or ours.
 */
#include "embed/http-protocol.h"

#include "base/instant.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "text/sanitize.h"

#include <strings.h>
#include <time.h>

#define EXCUSE_MAX 200
#define FIRST_PAUSE_MS 250
#define PLACE "/embeddings"
#define REFUSALS_MAX 8 /* from a batch down to one bad text, and to a good */

/* The host that AT begins with, LEN bytes with brackets and port. */
static bool is_loopback(const char *at, size_t len)
{
	static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const size_t n = strlen(names[i]);

		if (len >= n && !strncasecmp(at, names[i], n) &&
		    (len == n || at[n] == ':'))
			return true;
	}
	return false;
}

int http_url(struct buf *out, const char *url, bool *loopback, struct err *e)
{
	const size_t scheme = !strncasecmp(url, "https://", 8)	? 8
			      : !strncasecmp(url, "http://", 7) ? 7
								: 0;
	const size_t host = scheme ? strcspn(url + scheme, "/?#") : 0;
	const char *path = url + scheme + host;
	size_t len = strcspn(path, "?#");

	if (!host)
		return err_set(e, ERR_USAGE, "'%s' is no http or https address",
			       url);
	if (memchr(url + scheme, '@', host))
		return err_set(e, ERR_USAGE,
			       "the address holds a name or password: name a "
			       "variable that holds the key instead");
	*loopback = is_loopback(url + scheme, host);
	while (len && path[len - 1] == '/')
		len--;
	buf_add(out, url, scheme + host + len);
	if (!len)
		buf_adds(out, "/v1");
	if (len < strlen(PLACE) ||
	    memcmp(path + len - strlen(PLACE), PLACE, strlen(PLACE)))
		buf_adds(out, PLACE);
	return 0;
}

int http_read(struct lines *in, struct value *texts, size_t *n, struct arena *a,
	      struct err *e)
{
	const char *p;
	size_t len;
	int r = 0;

	for (*n = 0; *n < HTTP_BATCH; ++*n) {
		struct value *v = arena_alloc(a, sizeof(*v));
		const struct value *text;
		struct err why;

		r = lines_next(in, &p, &len, e);
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

static void write_request(struct buf *out, const struct http *s,
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

/* The list of numbers of each text, whatever order they came in; in A. */
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

/* The message of an answer: {"error": {"message": M}} or {"error": M}. */
static const struct value *message_of(const struct value *v)
{
	const struct value *error = value_get(v, "error");
	const struct value *message = value_get(error, "message");

	if (message && message->kind == VALUE_STR)
		return message;
	return error && error->kind == VALUE_STR ? error : NULL;
}

/* Append what the answer says of its failure, in one short line without the
 * key; nothing where it says nothing. */
static void add_excuse(struct buf *out, const struct buf *answer,
		       const char *secret)
{
	const size_t hide = strlen(secret);
	struct buf line = {0};
	struct arena a = {0};
	const struct value *message = NULL;
	struct value v;
	struct err e;

	if (json_parse(buf_str(answer), answer->len, &a, &v, &e) == 0)
		message = message_of(&v);
	for (size_t i = 0; message && i < message->u.s.len;) {
		const char *p = message->u.s.p + i;

		if (hide && message->u.s.len - i >= hide &&
		    !memcmp(p, secret, hide)) {
			buf_adds(&line, "***");
			i += hide;
		} else {
			buf_addc(&line, *p == '\n' ? ' ' : *p);
			i++;
		}
	}
	if (line.len > EXCUSE_MAX)
		buf_cut(&line, EXCUSE_MAX);
	if (line.len)
		sanitize_terminal(out, line.p, line.len, false);
	buf_release(&line);
	arena_release(&a);
}

static int fail(const struct http *s, long status, const struct buf *answer,
		struct err *e)
{
	struct buf excuse = {0};

	add_excuse(&excuse, answer, s->key);
	err_set(e, ERR_HELPER, "the server answered with status %ld%s%s",
		status, excuse.len ? ": " : "", buf_str(&excuse));
	buf_release(&excuse);
	return -1;
}

static int take_vectors(struct http *s, const struct buf *answer, size_t n,
			struct buf *out, struct err *e)
{
	const struct value *vectors[HTTP_BATCH];
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

/* Post BODY, again and again until the server is neither busy nor broken, or
 * time is up: the status, or -1. */
static long post(const struct http *s, const struct buf *body,
		 struct buf *answer, struct err *e)
{
	for (int64_t pause = FIRST_PAUSE_MS;; pause *= 2) {
		const int64_t left = s->until - instant_monotonic_ms();
		int64_t asked = 0;
		struct timespec t;
		long status;

		if (left <= 0)
			return err_set(e, ERR_HELPER,
				       "the server did not answer in time");
		buf_cut(answer, 0);
		status = s->post(s->ctx, body, left, answer, &asked, e);
		if (status < 0 || (status != 429 && status < 500))
			return status;
		pause = asked > pause ? asked : pause;
		if (instant_monotonic_ms() + pause >= s->until)
			return status;
		t = (struct timespec){(time_t)(pause / 1000),
				      (long)(pause % 1000 * 1000000)};
		nanosleep(&t, NULL);
	}
}

/* What may be the fault of one text. */
static bool is_refusal(long status)
{
	return status == 400 || status == 413 || status == 422;
}

static int refuse(struct buf *out)
{
	buf_adds(out, "{\"vector\":null}\n");
	return 0;
}

int http_ask(struct http *s, const struct value *texts, size_t n,
	     struct buf *out, struct err *e)
{
	struct buf body = {0}, answer = {0};
	const size_t start = out->len, half = n / 2;
	long status;
	int r = -1;

	write_request(&body, s, texts, n);
	status = post(s, &body, &answer, e);
	if (status < 0)
		goto out;
	if (status == 200)
		r = take_vectors(s, &answer, n, out, e);
	else if (!is_refusal(status) ||
		 (!s->accepted && ++s->refused > REFUSALS_MAX))
		r = fail(s, status, &answer, e);
	else if (n == 1)
		r = refuse(out);
	else if (!http_ask(s, texts, half, out, e))
		r = http_ask(s, texts + half, n - half, out, e);
	if (r < 0)
		buf_cut(out, start);
out:
	buf_release(&body);
	buf_release(&answer);
	return r;
}
