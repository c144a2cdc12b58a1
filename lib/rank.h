/* rank.h: the best documents of a corpus for a question.
 *
 * A corpus is whatever can answer the few questions below: an index on disk,
 * or arrays in memory.  Documents are numbered from 0 without a gap; dead ones
 * are left out by whoever makes the corpus.  Several stores asked at once are
 * best made one corpus, since what is rare is then rare in both.
 *
 * The score is a sum of signals, each between 0 and its weight (rank.c has the
 * table, with reasons): the words (BM25), the same of what stands next to the
 * document in its family and of the family as a whole, a tag, title or source
 * that the question names, and nearness in meaning where the caller has it.
 * Equal scores go to the newer document, then to the higher id.
 *
 * A family is one article, whose sections are its documents, or the memories
 * that share a source which names one conversation (rank_is_conversation()),
 * where they are 2 to 200.  Nothing else makes neighbours: that two memories
 * were saved one after the other, or both told by the user, says nothing.
 */
#ifndef CO_RANK_H
#define CO_RANK_H

#include "err.h"
#include "question.h"

/* A document that holds a term. */
struct posting {
	uint32_t doc;
	uint32_t n; /* RANK_TEXT: how often.  RANK_META: the share of the tag,
		     * title or source that the term is, in 255ths */
};

enum rank_field {
	RANK_TEXT, /* what is read: a memory's content, a section's text */
	RANK_META  /* its tags, title and source, see rank_meta() */
};

/* What a document is, asked for few of them; all borrowed until the next. */
struct rank_doc {
	int64_t id; /* of equal times, the higher goes first */
	struct instant created;
	const char *const *tags;
	size_t ntags;
	const char *source; /* NULL: none */
	const char *text;   /* as the terms of RANK_TEXT were made of it */
	size_t text_len;
};

/* In corpus.family: this family is an article, of any size. */
#define RANK_ARTICLE UINT32_C(0x80000000)

struct corpus {
	void *ctx;
	uint32_t n;		/* documents */
	const uint32_t *length; /* of each, in terms that are not `beside` */
	/* Of each, the number of its family, from 1 to nfamilies, and 0 where
	 * it has none; NULL where none has.  One number a conversation: their
	 * size is counted here. */
	const uint32_t *family;
	uint32_t nfamilies;
	const int64_t *place; /* of each in its family: a section's number,
			       * a memory's time.  Equal: by document */

	/* The documents that hold the LEN bytes of TERM, ascending, each once.
	 * *OUT is borrowed until the next call; none is *N 0. */
	int (*postings)(void *ctx, enum rank_field field, const char *term,
			size_t len, const struct posting **out, size_t *n,
			struct err *e);
	int (*doc)(void *ctx, uint32_t doc, struct rank_doc *out,
		   struct err *e);
};

/* A term of the store that is near to one of the question in meaning. */
struct rank_soft {
	const char *p; /* as terms_each() gives it */
	size_t len;
	float weight; /* 0 to 1 of what the term itself would weigh */
};

enum rank_fusion { RANK_LINEAR, RANK_RRF };

struct rank_ask {
	const struct question *question;
	size_t max; /* results wanted */
	/* For callers that have vectors; zero is without. */
	const struct rank_soft *soft;
	size_t nsoft;
	const float *cosine; /* of each document, -1 to 1; NULL: none.  One of
			      * 0 or less adds nothing */
	enum rank_fusion fusion;
	bool cosine_alone;   /* the order of the cosines, without words */
	float cosine_weight; /* 0: by the length of documents, see rank.c */
};

enum rank_signal {
	RANK_WORDS,
	RANK_NEIGHBOURS,
	RANK_PARENT,
	RANK_METADATA,
	RANK_COSINE,
	RANK_NSIGNALS
};

extern const char *const rank_signal_names[RANK_NSIGNALS];

struct rank_hit {
	uint32_t doc;
	float score; /* the sum of the signals; by RANK_RRF, of 1/(60+rank) */
	float signals[RANK_NSIGNALS];
	size_t words; /* of the question's, how many it holds itself; fewer
		       * than rank_result.words is partial */
};

/* What was looked for: the terms of the question, soft ones behind. */
struct rank_term {
	const char *p; /* NUL-terminated */
	size_t len;
	size_t documents; /* that hold it in their text */
	float weight;	  /* what it counts, its rarity included */
	bool soft;
};

struct rank_result {
	struct rank_hit *hits; /* best first */
	size_t n;
	size_t found; /* how many there are beyond max, too */
	size_t words; /* of the question */
	struct rank_term *terms;
	size_t nterms;
};

/* Fill OUT, which lives in A.  Fails only where the corpus does. */
int rank(const struct corpus *c, const struct rank_ask *ask, struct arena *a,
	 struct rank_result *out, struct err *e);

/* Call FN for each term, once, by which TAGS, TITLE and SOURCE (NULL: none)
 * find a document, with its share of the value it stands in, 1 to 255: those
 * are the postings of RANK_META.  A source that says what kind a memory is
 * (user-told) is left out. */
typedef int rank_meta_fn(void *ctx, const char *term, size_t len,
			 uint32_t share);
int rank_meta(struct terms *t, const char *const *tags, size_t ntags,
	      const char *title, const char *source, rank_meta_fn *fn,
	      void *ctx);

/* True if SOURCE names one conversation: session-12, chat/2026-02-09; false
 * for what names a kind (user-told, detected) or a program (gpt-4). */
bool rank_is_conversation(const char *source);

#endif
