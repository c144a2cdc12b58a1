/* corpus-terms.c: the index on disk has a pair of characters as two terms that follow
 * each other (see search/fts.c). Here a pair is a term like any other, next to its
 * characters. Both give the same postings.
 */
#include "remote/corpus-terms.h"

#include "base/hash.h"
#include "rank/rank.h"
#include "text/markdown.h"

struct instant corpus_terms_time(const struct remote_document *d)
{
	struct instant t;

	if (!instant_parse_day(d->created, strlen(d->created), &t))
		t = (struct instant){0};
	return t;
}

const char *corpus_terms_words(const struct remote_document *d,
			       struct buf *room, size_t *len)
{
	*len = d->len;
	if (d->kind != RECORD_ARTICLE)
		return d->text;
	buf_cut(room, 0);
	markdown_words(room, d->text, d->len);
	*len = room->len;
	return buf_str(room);
}

uint64_t corpus_terms_family(const struct remote_document *d)
{
	const bool section = d->kind == RECORD_ARTICLE;
	const char *of = section ? d->path : d->source;
	uint64_t key;

	if (d->kind == RECORD_ITEM || !of ||
	    (!section && !families_is_conversation(of)))
		return 0;
	key = hash_bytes(of, strlen(of), section);
	return key ? key : 1;
}

/* Return the term of LEN bytes at P, added to T if it is new. */
static struct corpus_term *find_term(struct corpus_terms *t, const char *p,
				     size_t len)
{
	struct table_look k = table_look_to_put(&t->by_text, p, len, 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (t->items[i].len == len &&
		    !memcmp(t->text.p + t->items[i].at, p, len))
			return &t->items[i];
	}
	table_put_looked(&t->by_text, &k, t->n);
	*MEM_ADD(t->items, t->n, t->cap) =
		(struct corpus_term){.at = t->text.len, .len = len};
	buf_add(&t->text, p, len);
	return &t->items[t->n - 1];
}

static int count_term(void *ctx, const struct term *term)
{
	struct corpus_terms *t = ctx;

	struct corpus_term *found = find_term(t, term->p, term->len);

	t->length += !term->colocated;
	found->times = (found->times ? found->times : 1) + !term->in_url;
	return 0;
}

struct share_step {
	struct corpus_terms *t;
	uint32_t share;
};

/* Steps come by increasing share, so the last one is the largest. */
static int set_share(void *ctx, const char *term, size_t len)
{
	const struct share_step *step = ctx;
	const size_t split = terms_split(term, len);

	find_term(step->t, term, len)->share = step->share;
	if (split) {
		find_term(step->t, term, split)->share = step->share;
		find_term(step->t, term + split, len - split)->share =
			step->share;
	}
	return 0;
}

void corpus_terms_read(struct corpus_terms *t, const struct remote_document *d)
{
	struct share_step step = {.t = t};
	size_t len;
	const char *words;

	t->n = 0;
	t->length = 0;
	buf_cut(&t->text, 0);
	table_release(&t->by_text);
	words = corpus_terms_words(d, &t->words, &len);
	t->splitter.index = false;
	terms_document(&t->splitter, words, len, d->tags, d->ntags, count_term,
		       t);
	t->splitter.index = true;
	terms_metadata_take(&t->metadata, &t->splitter, d->tags, d->ntags,
			    d->title, d->source);
	for (size_t i = 0; i < METADATA_STEPS; i++) {
		step.share = (uint32_t)i + 1;
		terms_metadata_step(&t->metadata, i, set_share, &step);
	}
	t->traits = traits_of_text(words, len);
	if (*d->title)
		t->traits |= TRAIT_TITLED;
}

void corpus_terms_release(struct corpus_terms *t)
{
	free(t->items);
	buf_release(&t->text);
	table_release(&t->by_text);
	terms_release(&t->splitter);
	terms_metadata_release(&t->metadata);
	buf_release(&t->words);
}
