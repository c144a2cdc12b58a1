/* embed.c: two models are in this process. Every other encoder is a program,
 * co-model-http or the user's own, that reads lines with a JSON object {"text":
 * "..."} and answers each with a line {"vector": [...]}. An answer is accepted
 * only if it has one vector for each text, all of equal length and finite
 * numbers.
 *
 * Known limit: a helper program gets the first 8 KiB of a text; most read less.
 */
#include "embed/embed.h"

#include "base/compat.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "embed/sentences.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "sys/execpath.h"
#include "sys/process.h"

#include <inttypes.h>
#include <math.h>

#define TEXT_MAX ((size_t)8 * 1024)
#define NUMBER_MAX 32 /* bytes of one number in an answer, at most */
#define LEAST 32 /* texts; below this number, starting a thread takes longer */

enum provider { STATIC, SENTENCES, HTTP, COMMAND };

struct embed {
	enum provider provider;
	struct word_vectors *model;  /* for STATIC */
	struct sentences *sentences; /* for SENTENCES */
	struct helper helper;
	const char *name;
	const char *prefix[2]; /* by side */
	size_t dimension;      /* of all vectors; 0: not known yet */
	uint64_t identity;
	struct arena arena;
};

static int open_static(struct embed *m, const char *argv0, struct err *e)
{
	struct buf path = {0};
	int r = execpath_shared(&path, "models/words.bin", argv0)
			? word_vectors_open(path.p, &m->model, e)
			: 0;

	buf_release(&path);
	if (r == 0)
		return err_set(e, ERR_SYSTEM,
			       "the word vectors are missing: "
			       "share/co-cli/models/words.bin");
	if (r < 0)
		return -1;
	m->provider = STATIC;
	m->dimension = word_vectors_dimension(m->model);
	m->identity = word_vectors_identity(m->model);
	m->name = "static";
	return 0;
}

/* Return 1, 0 if the file is not installed, or -1. npm has it in a package of
 * its own, whose directory is next to that of the programs. */
static int open_sentences(struct embed *m, const char *argv0, struct err *e)
{
	struct buf path = {0};
	int r = -1;

	if (execpath_shared(&path, "models/minilm.bin", argv0))
		r = sentences_open(path.p, &m->sentences, e);
	else
		err_set(e, ERR_SYSTEM,
			"cannot tell where the programs of co are");
	buf_cut(&path, 0);
	if (r == 0 && execpath_folder(&path, argv0)) {
		buf_adds(&path, "../../co-memory-model/models/minilm.bin");
		r = sentences_open(path.p, &m->sentences, e);
	}
	buf_release(&path);
	if (r != 1)
		return r;
	m->provider = SENTENCES;
	m->dimension = SENTENCES_DIMENSION;
	m->identity = sentences_identity(m->sentences);
	m->name = "sentences";
	return 1;
}

/* Open the encoder of sentences; or, unless WANTED, the static one where it is
 * not installed. */
static int open_best(struct embed *m, bool wanted, const char *argv0,
		     struct err *e)
{
	int r = open_sentences(m, argv0, e);

	if (r)
		return r < 0 ? -1 : 0;
	return wanted ? err_set(e, ERR_SYSTEM,
				"the encoder is missing: "
				"share/co-cli/models/minilm.bin")
		      : open_static(m, argv0, e);
}

/* Compose the command line of the helper from S. */
static int open_http(struct embed *m, const struct settings *s,
		     const char *argv0, struct err *e)
{
	const char *url = settings_str(s, "embed.url");
	const char *model = settings_str(s, "embed.model");
	const char *key = settings_str(s, "embed.key_env");
	const char **words = arena_alloc(&m->arena, 8 * sizeof(*words));
	struct buf path = {0};
	const bool found = execpath_find(&path, "co-model-http", argv0);
	size_t n = 0;

	buf_release(&path);
	if (!found)
		return err_set(e, ERR_HELPER,
			       "no program 'co-model-http': this co was "
			       "built without libcurl");
	if (!*model)
		return err_set(e, ERR_HELPER,
			       "the setting 'embed.model' names no model");
	words[n++] = "co-model-http";
	words[n++] = "--api=embeddings";
	words[n++] = arena_printf(&m->arena, "--url=%s", url);
	words[n++] = arena_printf(&m->arena, "--model=%s", model);
	words[n++] = arena_printf(&m->arena, "--timeout-ms=%" PRId64,
				  settings_int(s, "embed.timeout_ms"));
	if (*key)
		words[n++] = arena_printf(&m->arena, "--key-env=%s", key);
	if (m->dimension)
		words[n++] = arena_printf(&m->arena, "--dimension=%zu",
					  m->dimension);
	m->helper.words = words;
	m->name = arena_printf(&m->arena, "%s at %s", model, url);
	return 0;
}

static int open_command(struct embed *m, const struct settings *s,
			struct err *e)
{
	m->helper.words = settings_words(s, "embed.command", &m->arena);
	if (!m->helper.words[0])
		return err_set(e, ERR_HELPER,
			       "the setting 'embed.command' names no program");
	m->name = m->helper.words[0];
	return 0;
}

/* Hash the settings on which vectors depend. */
static uint64_t hash_settings(const struct settings *s)
{
	static const char *const keys[] = {
		"embed.provider", "embed.command",   "embed.url",
		"embed.model",	  "embed.dimension", "embed.document_prefix"};
	uint64_t hash = 0;

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const char *text = settings_str(s, keys[i]);

		hash = hash_bytes(text, strlen(text), hash);
	}
	return hash;
}

static struct embed *new_embed(void)
{
	struct embed *m = mem_alloc(sizeof(*m));

	m->prefix[EMBED_DOCUMENT] = m->prefix[EMBED_QUERY] = "";
	return m;
}

/* Set OUT to M, or release M if R says that it could not be opened. */
static int finish_open(struct embed *m, int r, struct embed **out)
{
	if (r < 0) {
		embed_close(m);
		return -1;
	}
	*out = m;
	return 1;
}

int embed_open_static(const char *argv0, struct embed **out, struct err *e)
{
	struct embed *m = new_embed();

	return finish_open(m, open_static(m, argv0, e), out);
}

int embed_open(const struct settings *s, const char *argv0, struct embed **out,
	       struct err *e)
{
	const char *provider = settings_str(s, "embed.provider");
	struct embed *m;
	int r;

	if (!strcmp(provider, "none"))
		return 0;
	m = new_embed();
	if (!strcmp(provider, "static")) {
		r = open_static(m, argv0, e);
	} else if (!strcmp(provider, "sentences")) {
		const char *origin = settings_origin(s, "embed.provider");

		r = open_best(m, strcmp(origin, "default") != 0, argv0, e);
	} else {
		m->dimension = (size_t)settings_int(s, "embed.dimension");
		m->prefix[EMBED_DOCUMENT] =
			settings_str(s, "embed.document_prefix");
		m->prefix[EMBED_QUERY] = settings_str(s, "embed.query_prefix");
		m->helper.argv0 = argv0;
		m->helper.timeout_ms = (int)settings_int(s, "embed.timeout_ms");
		m->identity = hash_settings(s);
		m->provider = strcmp(provider, "http") ? COMMAND : HTTP;
		r = m->provider == HTTP ? open_http(m, s, argv0, e)
					: open_command(m, s, e);
	}
	return finish_open(m, r, out);
}

void embed_close(struct embed *m)
{
	if (!m)
		return;
	sentences_close(m->sentences);
	word_vectors_close(m->model);
	arena_release(&m->arena);
	free(m);
}

const char *embed_name(const struct embed *m)
{
	return m->name;
}

uint64_t embed_identity(const struct embed *m)
{
	return m->identity;
}

bool embed_is_static(const struct embed *m)
{
	return m->provider == STATIC;
}

bool embed_is_sentences(const struct embed *m)
{
	return m->provider == SENTENCES;
}

bool embed_reads(const char *text, size_t len)
{
	size_t latin = 0, other = 0, size;

	for (size_t i = 0; i < len; i += size) {
		const uint32_t c = utf8_decode(text + i, len - i, &size);

		if (c == UTF8_BAD || !unicode_is_word(c))
			continue;
		other += unicode_is_foreign(c);
		latin += !unicode_is_foreign(c) && (c < '0' || c > '9');
	}
	return latin >= other;
}

bool embed_is_local(const struct embed *m)
{
	return embed_is_static(m) || embed_is_sentences(m);
}

void embed_describe(const struct embed *m, struct buf *out)
{
	const unsigned n = compat_processors();

	if (m->provider == SENTENCES)
		buf_addf(out, ", kernel %s, %u processor%s",
			 sentences_kernel(m->sentences), n, n == 1 ? "" : "s");
}

bool embed_knows(struct embed *m, const char *word, size_t len)
{
	struct err e;

	return m->provider != STATIC ||
	       word_vectors_knows(m->model, word, len, NULL, &e) == 1;
}

/* Scale V to the length 1. */
static void normalise(float *v, size_t n)
{
	double sum = 0;
	float scale;

	for (size_t i = 0; i < n; i++)
		sum += (double)v[i] * (double)v[i];
	scale = sum > 0 ? (float)(1 / sqrt(sum)) : 0;
	for (size_t i = 0; i < n; i++)
		v[i] *= scale;
}

static void add_zeros(struct buf *out, size_t n)
{
	buf_grow(out, n * sizeof(float));
	memset(out->p + out->len, 0, n * sizeof(float));
	out->len += n * sizeof(float);
}

/* The work of the threads. */
struct local_batch {
	struct embed *m;
	const struct embed_text *texts;
	float *vectors;
	atomic_size_t failed; /* index of a text that failed; N if none did */
};

/* Set V to the vector of T, of length 1. Return as word_vectors_text(). */
static int encode_text(struct embed *m, const struct embed_text *t, float *v,
		       struct err *e)
{
	int r;

	if (m->provider == SENTENCES)
		return sentences_encode(m->sentences, t->p, t->len, v, e);
	r = word_vectors_text(m->model, t->p, t->len, v, e);
	normalise(v, m->dimension);
	return r;
}

static void encode_range(void *ctx, unsigned who, size_t from, size_t to)
{
	struct local_batch *a = ctx;
	const size_t n = a->m->dimension;

	(void)who;
	for (size_t i = from; i < to; i++) {
		if (encode_text(a->m, &a->texts[i], a->vectors + i * n, NULL) <
		    0)
			atomic_store(&a->failed, i);
	}
}

static int encode_here(struct embed *m, const struct embed_text *t, size_t n,
		       struct buf *out, struct err *e)
{
	struct local_batch asking = {m, t, NULL, n};
	struct parallel threads;
	size_t failed;

	add_zeros(out, n * m->dimension);
	/* The buffer is aligned like memory from malloc(). */
	asking.vectors = (float *)(void *)out->p;
	if (m->provider == SENTENCES)
		parallel_begin_wide(&threads, encode_range, &asking, n);
	else
		parallel_begin(&threads, encode_range, &asking, n, LEAST);
	parallel_end(&threads);
	failed = atomic_load(&asking.failed);
	/* Encode the failed text again to set E. */
	return failed == n || encode_text(m, &t[failed], asking.vectors, e) >= 0
		       ? 0
		       : -1;
}

static void write_request(struct buf *in, const char *prefix,
			  const struct embed_text *t, struct buf *text)
{
	buf_cut(text, 0);
	buf_adds(text, prefix);
	buf_add(text, t->p, utf8_cut(t->p, t->len, TEXT_MAX));
	json_write_open(in, NULL, '{');
	json_write_bytes(in, "text", text->p, text->len);
	json_write_end(in);
}

/* Append the numbers of LIST to OUT, as a vector of the length 1. */
static int add_vector(struct embed *m, const struct value *list,
		      struct buf *out, struct err *e)
{
	const char *name = m->helper.words[0];
	const size_t n = list->u.list.n, start = out->len;

	if (!n || n > WORD_VECTORS_DIMENSION_MAX)
		return err_set(e, ERR_HELPER,
			       "'%s' gave a vector of %zu numbers", name, n);
	if (!m->dimension)
		m->dimension = n;
	if (n != m->dimension)
		return err_set(e, ERR_HELPER,
			       "'%s' gave a vector of %zu numbers, not %zu",
			       name, n, m->dimension);
	for (size_t i = 0; i < n; i++) {
		const struct value *v = &list->u.list.items[i];
		const double x = v->kind == VALUE_INT	  ? (double)v->u.i
				 : v->kind == VALUE_FLOAT ? v->u.f
							  : (double)NAN;
		const float f = (float)x;

		/* Larger numbers would overflow the sum of squares. */
		if (!(fabs(x) < 1e15))
			return err_set(e, ERR_HELPER,
				       "'%s' gave a vector with what is no "
				       "number in it",
				       name);
		buf_add(out, &f, sizeof(f));
	}
	/* The buffer is aligned like memory from malloc(). */
	normalise((float *)(void *)(out->p + start), n);
	return 0;
}

/* Read the next line of ANSWER, from *AT, as the vector of text I of N.
 * *LEADING counts the refused texts whose zeros cannot be appended yet, since
 * the dimension is not known. */
static int read_vector(struct embed *m, const struct buf *answer, size_t *at,
		       size_t i, size_t n, struct arena *a, size_t *leading,
		       struct buf *out, struct err *e)
{
	const char *name = m->helper.words[0];
	const struct value *list;
	struct value v;
	struct err why;
	int r = json_parse_at(buf_str(answer), answer->len, at, a, &v, &why);

	if (r < 0)
		return err_set(e, ERR_HELPER, "'%s' gave no JSON: %s", name,
			       why.text);
	if (r == 0)
		return err_set(e, ERR_HELPER,
			       "'%s' gave %zu vectors for %zu texts", name, i,
			       n);
	list = value_get(&v, "vector");
	if (list && list->kind == VALUE_LIST)
		return add_vector(m, list, out, e);
	if (!list || list->kind != VALUE_NULL)
		return err_set(e, ERR_HELPER, "'%s' gave no vector", name);
	if (m->dimension)
		add_zeros(out, m->dimension);
	else
		++*leading;
	return 0;
}

/* Append the N vectors in ANSWER to OUT. A text that the encoder refused (too
 * long, say) has null, and gets zeros. */
static int read_vectors(struct embed *m, const struct buf *answer, size_t n,
			struct buf *out, struct err *e)
{
	struct arena a = {0};
	struct buf rest = {0};
	size_t at = 0, leading = 0;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		r = read_vector(m, answer, &at, i, n, &a, &leading, &rest, e);
		arena_reset(&a);
	}
	if (r == 0 && leading == n)
		r = err_set(e, ERR_HELPER, "'%s' refused every text",
			    m->helper.words[0]);
	if (r == 0) {
		add_zeros(out, leading * m->dimension);
		buf_add(out, buf_str(&rest), rest.len);
	}
	buf_release(&rest);
	arena_release(&a);
	return r;
}

static int encode_by_helper(struct embed *m, enum embed_side side,
			    const struct embed_text *t, size_t n,
			    struct buf *out, struct err *e)
{
	struct buf in = {0}, text = {0}, answer = {0};
	int r;

	for (size_t i = 0; i < n; i++)
		write_request(&in, m->prefix[side], &t[i], &text);
	m->helper.max =
		(n + 1) * NUMBER_MAX *
		(m->dimension ? m->dimension : WORD_VECTORS_DIMENSION_MAX);
	r = process_run_helper(&m->helper, &in, &answer, e);
	if (r == 0)
		r = read_vectors(m, &answer, n, out, e);
	buf_release(&in);
	buf_release(&text);
	buf_release(&answer);
	return r;
}

int embed_texts(struct embed *m, enum embed_side side,
		const struct embed_text *t, size_t n, struct buf *out,
		size_t *dimension, struct err *e)
{
	int r;

	buf_cut(out, 0);
	r = embed_is_local(m) ? encode_here(m, t, n, out, e)
			      : encode_by_helper(m, side, t, n, out, e);
	*dimension = m->dimension;
	return r;
}
