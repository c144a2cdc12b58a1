/* corpus.h: what can be ranked: documents, and where terms stand in them.
 *
 * Whatever answers the few questions below is one: an index on disk, or arrays
 * in memory.  Documents are numbered from 0 without a gap; dead ones are left
 * out by whoever makes the corpus.  Several stores asked at once are best made
 * one corpus, since what is rare is then rare in both.
 *
 * A family is one article, whose sections are its documents, or the memories
 * that share a source which names one conversation
 * (families_is_conversation()), where they are 2 to 200.  Nothing else makes
 * neighbours: that two memories were saved one after the other, or both told by
 * the user, says nothing.
 */
#ifndef CO_RANK_CORPUS_H
#define CO_RANK_CORPUS_H

#include "base/err.h"
#include "base/instant.h"
#include "rank/families.h"

/* A document that holds a term. */
struct posting {
	uint32_t doc;
	uint32_t n; /* RANK_TEXT: how often.  RANK_META: the share of the tag,
		     * title or source that the term is, in 255ths */
};

enum rank_field {
	RANK_TEXT, /* what it says, and its tags, see terms_document() */
	RANK_META  /* its tags, title and source, see metadata.h */
};

/* What a document is, asked for few of them; all borrowed until the next. */
struct rank_doc {
	struct instant created;
	const char *const *tags;
	size_t ntags;
	const char *source; /* NULL: none */
	const char *text;   /* of a memory, its content; of a section, all */
	size_t text_len;
};

typedef void corpus_term_fn(void *ctx, const char *term, size_t len);

struct corpus {
	void *ctx;
	uint32_t n;		/* documents */
	const uint32_t *length; /* of each, in terms that are not `beside` */
	/* Of each, the number of its family, from 1 to nfamilies, with
	 * FAMILIES_ARTICLE where it is an article, and 0 where it has none;
	 * NULL where none has.  Their sizes are counted here. */
	const uint32_t *family;
	uint32_t nfamilies;
	const int64_t *place; /* of each in its family: a section's number,
			       * a memory's second.  Equal: by document */

	/* The documents that hold the LEN bytes of TERM, ascending, each once.
	 * *OUT is borrowed until the next call; none is *N 0. */
	int (*postings)(void *ctx, enum rank_field field, const char *term,
			size_t len, const struct posting **out, size_t *n,
			struct err *e);
	/* Call FN for each term that some document holds, or that is no more, in
	 * any order, some more than once.  NULL: they are not known. */
	int (*vocabulary)(void *ctx, corpus_term_fn *fn, void *fn_ctx,
			  struct err *e);
	int (*doc)(void *ctx, uint32_t doc, struct rank_doc *out,
		   struct err *e);
	/* When it is of, and its id: what equals goes by time, then by id, the
	 * higher first.  Asked for many. */
	void (*date)(void *ctx, uint32_t doc, struct instant *created,
		     int64_t *id);
};

#endif
