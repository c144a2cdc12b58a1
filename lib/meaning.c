/* meaning.c: the question goes first, since an encoder that is down shows there
 * soonest; then whatever vectors are missing, of slow encoders one batch.
 */
#include "meaning.h"

static void leave_out(struct meaning *m, const char *why)
{
	snprintf(m->without, sizeof(m->without), "by words alone: %.480s", why);
}

void meaning_open(struct meaning *m, const struct settings *s,
		  const char *argv0)
{
	struct err e;
	int r = embed_open(s, argv0, &m->encoder, &e);

	*m = (struct meaning){.encoder = r > 0 ? m->encoder : NULL};
	m->fusion = strcmp(settings_str(s, "rank.fusion"), "rrf") ? RANK_LINEAR
								  : RANK_RRF;
	if (r == 0)
		leave_out(m, "the settings want no encoder");
	if (r < 0)
		leave_out(m, e.text);
}

void meaning_close(struct meaning *m)
{
	embed_close(m->encoder);
	*m = (struct meaning){0};
}

/* What the encoder gets: the question as it was asked, or without operators,
 * which only we understand. */
static void ask_for(struct buf *out, const struct question *q, const char *text,
		    size_t len)
{
	if (!question_narrows(q) && !q->nnots) {
		buf_add(out, text, len);
		return;
	}
	for (size_t i = 0; i < q->nterms; i++) {
		buf_adds(out, i ? " " : "");
		buf_add(out, q->terms[i].word, q->terms[i].word_len);
	}
}

/* Make what V lacks, the MOST oldest: 0 or -1.  *MISSING grows by what is
 * missing still. */
static int make(struct meaning *m, struct vectors *v, struct store *s,
		int wait_ms, size_t most, size_t *missing, struct err *e)
{
	int r = 0;

	if (vectors_damaged(v))
		snprintf(m->without, sizeof(m->without),
			 "the vectors of '%.400s' were damaged, and are made "
			 "anew",
			 s->path);
	if (vectors_missing(v)) {
		const bool locked = cache_lock(s, wait_ms);

		r = vectors_update(v, locked, most, e);
		if (locked)
			cache_unlock(s);
	}
	*missing += vectors_missing(v);
	return r;
}

/* Compare all PARTS with QUESTION. */
static int compare(struct meaning *m, const struct meaning_part *parts,
		   size_t n, const float *question, size_t dimension,
		   struct err *e)
{
	struct vectors_part *all = mem_alloc((n + 1) * sizeof(*all));
	const size_t most =
		embed_is_static(m->encoder) ? SIZE_MAX : EMBED_BATCH;
	struct vectors **v = mem_alloc((n + 1) * sizeof(struct vectors *));
	size_t missing = 0;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		if (parts[i].cache)
			v[i] = vectors_open(parts[i].cache, m->encoder);
		if (v[i])
			r = make(m, v[i], parts[i].store, 0, most, &missing, e);
		all[i] = (struct vectors_part){v[i], parts[i].numbers,
					       parts[i].n, parts[i].cosines};
	}
	if (r == 0)
		vectors_compare(all, n, question, dimension);
	if (r == 0 && missing)
		snprintf(m->without, sizeof(m->without),
			 "%zu documents have no vector yet: run "
			 "co-index-update --vectors",
			 missing);
	for (size_t i = 0; i < n; i++)
		vectors_close(v[i]);
	free(v);
	free(all);
	return r;
}

bool meaning_compare(struct meaning *m, const struct meaning_part *parts,
		     size_t n, const struct question *q, const char *text,
		     size_t len)
{
	struct buf words = {0}, question = {0};
	struct embed_text asked;
	size_t dimension;
	struct err e;
	int r;

	if (!m->encoder)
		return false;
	ask_for(&words, q, text, len);
	asked = (struct embed_text){buf_str(&words), words.len};
	r = embed_texts(m->encoder, EMBED_QUERY, &asked, 1, &question,
			&dimension, &e);
	if (r == 0)
		r = compare(m, parts, n,
			    (const float *)(const void *)question.p, dimension,
			    &e);
	if (r < 0)
		leave_out(m, e.text);
	buf_release(&question);
	buf_release(&words);
	return r == 0;
}

size_t meaning_update(struct meaning *m, struct store *s, struct cache *c,
		      int wait_ms)
{
	size_t missing = 0;
	struct vectors *v;
	struct err e;

	if (!m->encoder || !c)
		return 0;
	v = vectors_open(c, m->encoder);
	if (make(m, v, s, wait_ms, SIZE_MAX, &missing, &e) < 0)
		leave_out(m, e.text);
	vectors_close(v);
	return missing;
}
