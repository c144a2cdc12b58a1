/* corpus.h: what can be ranked: documents, and the terms in them.
 *
 * A corpus is anything that implements the callbacks below: an index on disk,
 * or arrays in memory. Documents are numbered from 0 without gaps; its maker
 * leaves out deleted ones. Several stores that are searched together should be
 * one corpus, so that a rare word is rare in all of them.
 *
 * A family is one article, whose documents are its sections; or the 2 to 200
 * memories that share a source which names one conversation
 * (families_is_conversation()). Only documents of one family are neighbours:
 * that two memories were saved in succession, or told by the same user, means
 * nothing.
 */
#ifndef CO_RANK_CORPUS_H
#define CO_RANK_CORPUS_H

#include "base/err.h"
#include "base/instant.h"
#include "rank/families.h"
#include "rank/traits.h"

/* A document that has the term that was looked up. */
struct posting {
	uint32_t doc;
	/* RANK_TEXT: how often the text has it without its URLs; 0: only in a
	 * URL. RANK_META: the term's share of the tag, title or source, in
	 * 255ths. */
	uint32_t n;
};

/* Postings that a corpus collects. A zeroed one is empty; free ITEMS. */
struct corpus_list {
	struct posting *items;
	size_t n, cap;
};
void corpus_add(struct corpus_list *l, uint32_t doc, uint32_t n);

/* Sort L by document, unless it is sorted, as it mostly is. */
void corpus_sort(struct corpus_list *l);

enum rank_field {
	RANK_TEXT, /* its text and tags, see terms_document() */
	RANK_META  /* its tags, title and source, see terms.h */
};

/* A document; loaded for few of them. All is borrowed until the next one is
 * loaded. */
struct rank_doc {
	struct instant created;
	const char *const *tags;
	size_t ntags;
	const char *source; /* NULL: none */
	const char *text;   /* the content of a memory; all of a section */
	size_t text_len;
};

typedef void corpus_term_fn(void *ctx, const char *term, size_t len);

struct corpus {
	void *ctx;
	uint32_t n; /* documents */
	/* Of each, its number of terms, without those that are
	 * `colocated` with another (struct term). */
	const uint32_t *length;
	const uint8_t *traits; /* of each, see traits.h; NULL: none has any */
	/* Of each, the number of its family, from 1 to nfamilies, with
	 * FAMILIES_ARTICLE for an article; 0: none. NULL if none has a family.
	 * The sizes of families are computed here. */
	const uint32_t *family;
	uint32_t nfamilies;
	const int64_t *place; /* of each in its family: a section's number, a
			       * memory's second; ties are ordered by
			       * document */

	/* The callbacks return 0, or -1 with E set.
	 *
	 * Set *OUT to the *N documents that have the LEN bytes of TERM in
	 * FIELD, ascending, each once. Borrowed until the next call. */
	int (*postings)(void *ctx, enum rank_field field, const char *term,
			size_t len, const struct posting **out, size_t *n,
			struct err *e);
	/* Call FN for each term of the documents, perhaps also of deleted ones,
	 * in any order, perhaps repeatedly. NULL: unknown. */
	int (*vocabulary)(void *ctx, corpus_term_fn *fn, void *fn_ctx,
			  struct err *e);
	/* Load the document DOC; see struct rank_doc. */
	int (*doc)(void *ctx, uint32_t doc, struct rank_doc *out,
		   struct err *e);
	/* Called before DOC is called for many of the N documents DOCS, in
	 * their order: a corpus that is far away loads several at once. NULL:
	 * that would not help. */
	int (*expect)(void *ctx, const uint32_t *docs, size_t n, struct err *e);
	/* Set *CREATED and *ID of DOC: documents of equal score are ordered by
	 * time, then by id, highest first. Called for many documents; cannot
	 * fail. */
	void (*date)(void *ctx, uint32_t doc, struct instant *created,
		     int64_t *id);
};

#endif
