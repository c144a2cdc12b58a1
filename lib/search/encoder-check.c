/* encoder-check.c: check an encoder for the user who set it up, by running the programs
 * that a user would run.
 */
#include "search/semantic.h"

#include "base/instant.h"
#include "sys/process.h"

#define TEXTS 32
#define WORTH_MS (30 * 60 * 1000) /* for the vectors of a whole store */
#define WORTH_MAX ((size_t)1024 * 1024)

/* Encode N TEXTS. Return the milliseconds it took, or -1. */
static int64_t measure_ms(struct embed *encoder, enum embed_side side,
			  const struct embed_text *texts, size_t n,
			  size_t *dimension, struct err *e)
{
	const int64_t from = instant_monotonic_ms();
	struct buf vectors = {0};
	int r = embed_texts(encoder, side, texts, n, &vectors, dimension, e);

	buf_release(&vectors);
	return r < 0 ? -1 : instant_monotonic_ms() - from;
}

/* Append how many vectors the project's store lacks. A document takes TEXT_MS. */
static int add_missing(struct embed *encoder, double text_ms, struct buf *out,
		       struct err *e)
{
	struct store store;
	struct index index;
	size_t all, missing;

	if (store_open(&store, SCOPE_PROJECT, NULL, e) < 0)
		return -1;
	if (index_open(&index, &store, 0, e) < 0) {
		store_close(&store);
		return -1;
	}
	missing = semantic_missing(encoder, &index, &all);
	index_close(&index);
	store_close(&store);
	buf_addf(out, "vectors: %zu of %zu missing", missing, all);
	if (missing)
		buf_addf(out, ", about %.1f s to make",
			 (double)missing * text_ms / 1000);
	buf_addc(out, '\n');
	return 0;
}

static int measure_speed(struct embed *encoder, struct buf *out, struct err *e)
{
	static const char asked[] = "which queue do we use?";
	const struct embed_text question = {asked, sizeof(asked) - 1};
	struct embed_text texts[TEXTS];
	struct arena a = {0};
	size_t dimension;
	int64_t first, second, all = -1;

	for (size_t i = 0; i < TEXTS; i++) {
		texts[i].p = arena_printf(
			&a,
			"Memory %zu: the nightly job that copies orders to the "
			"archive stops when its disk is full, and is run again "
			"by hand.",
			i + 1);
		texts[i].len = strlen(texts[i].p);
	}
	/* The first question may wait until a server has loaded its model. */
	first = measure_ms(encoder, EMBED_QUERY, &question, 1, &dimension, e);
	second = first < 0 ? -1
			   : measure_ms(encoder, EMBED_QUERY, &question, 1,
					&dimension, e);
	if (second >= 0)
		all = measure_ms(encoder, EMBED_DOCUMENT, texts, TEXTS,
				 &dimension, e);
	arena_release(&a);
	if (all < 0)
		return -1;
	buf_addf(out, "encoder: %s, %zu numbers", embed_name(encoder),
		 dimension);
	embed_describe(encoder, out);
	buf_addf(out,
		 "\nquestion: %lld ms, the first one %lld ms\n"
		 "documents: %d in %lld ms\n",
		 (long long)second, (long long)first, TEXTS, (long long)all);
	return add_missing(encoder, (double)all / TEXTS, out, e);
}

/* Append the lines of TEXT about all questions, without those about categories,
 * each after MODE. */
static void add_figures(struct buf *out, const char *mode, const char *text)
{
	const char *end;

	for (; strncmp(text, "category ", 9) != 0; text = end + 1) {
		end = strchr(text, '\n');
		if (!end)
			break;
		buf_addf(out, "%s: %.*s\n", mode, (int)(end - text), text);
	}
}

static int compare_modes(const char *argv0, const char *queries,
			 const char *qrels, struct buf *out, struct err *e)
{
	static const char *const modes[] = {"fts", "hybrid"};
	static const char *const update[] = {"co-index-update", "--vectors",
					     NULL};
	struct helper h = {.words = update,
			   .argv0 = argv0,
			   .timeout_ms = WORTH_MS,
			   .max = WORTH_MAX};
	const struct buf nothing = {0};
	struct buf text = {0};
	struct arena a = {0};
	int r = process_run_helper(&h, &nothing, &text, e);

	for (size_t i = 0; i < ARRAY_LEN(modes) && !r; i++) {
		const char *eval[] = {"co-index-eval",
				      arena_printf(&a, "--mode=%s", modes[i]),
				      arena_printf(&a, "--queries=%s", queries),
				      arena_printf(&a, "--qrels=%s", qrels),
				      NULL};

		h.words = eval;
		r = process_run_helper(&h, &nothing, &text, e);
		if (!r)
			add_figures(out, modes[i], buf_str(&text));
	}
	buf_release(&text);
	arena_release(&a);
	return r;
}

int semantic_check(struct embed *encoder, const char *argv0,
		   const char *queries, const char *qrels, struct buf *out,
		   struct err *e)
{
	const int r = measure_speed(encoder, out, e);

	return r < 0 || !queries ? r
				 : compare_modes(argv0, queries, qrels, out, e);
}
