/* terms.h: split text into terms, the keys of the index.
 *
 * Documents and queries use one function, so that they match. Words are folded
 * (case; marks of Latin, Greek, Cyrillic, Hebrew and Arabic), lose possessives,
 * and are stemmed, irregular English forms by their base, and British spelling
 * like American. Scripts without blanks (Chinese, kana, Hangul, Thai and
 * neighbours) become pairs of characters. A joined word (e-mail, foo_bar, fooBar,
 * a.b@c.org, lib/x.c) gives its parts and, `colocated` with the first, the whole without
 * joints, so that email, fooBar and foo_bar match; C++ and C# keep their signs.
 *
 * Equal bytes give equal terms on every machine. Any bytes are text; those that
 * are not UTF-8 separate words.
 */
#ifndef CO_RANK_TERMS_H
#define CO_RANK_TERMS_H

#include "base/buf.h"
#include "rank/stem.h"
#include "rank/words.h"

/* Length of the longest term in bytes; longer ones are cut at a character. */
#define TERMS_BYTES_MAX 64

/* Increase this when a text may give other terms than before: existing indexes
 * are then rebuilt. */
#define TERMS_VERSION 6

struct term {
	const char *p;	  /* folded and stemmed; valid until the callback
		        * returns */
	size_t len;	  /* 1 to TERMS_BYTES_MAX */
	const char *word; /* folded, not stemmed */
	size_t word_len;
	size_t start, end; /* its bytes in the text */
	size_t from;	   /* start of the joined word; equal for all parts and
			    * their whole */
	bool colocated;	   /* at the place of the term before: another form of
			    * it, not one more word */
	bool whole;	   /* colocated, and a joined word as a whole */
	bool in_url; /* in a URL with its scheme, as https://a.example/b */
};

/* State that is reused from text to text. A zeroed one is valid. */
struct terms {
	struct buf word, raw;
	struct stem_cache stems;
	bool question;	   /* skip terms that only documents need: the single
			    * characters of pairs */
	bool index;	   /* of these, skip the first of each pair */
	const bool *first; /* NULL, or for each byte whether terms that begin
			    * with it matter, after stem_widen(); other words
			    * are not stemmed */
	bool as_is;	   /* nor folded: they may be passed as in the text */
};

/* A result other than 0 ends the walk and is returned. */
typedef int terms_fn(void *ctx, const struct term *t);

/* Call FN for each term of P, in the order of the text. */
int terms_each(struct terms *t, const char *p, size_t len, terms_fn *fn,
	       void *ctx);

/* Call FN for each term of a document: its text P, and then its tags. Words of
 * tags count like those of the text, but do not make it longer: they are colocated
 * with its end. */
int terms_document(struct terms *t, const char *p, size_t len,
		   const char *const *tags, size_t ntags, terms_fn *fn,
		   void *ctx);

/* Return true if the term of LEN bytes at P is one character of a paired
 * script. */
bool terms_is_single(const char *p, size_t len);

/* Return the length of the first character if the term of LEN bytes at P is a
 * pair, else 0. */
size_t terms_split(const char *p, size_t len);

void terms_release(struct terms *t);

/* The terms of a document's tags, title and source, with which a question may name
 * it. */
#define METADATA_WHOLE 255
#define METADATA_TERMS_MAX 64 /* per document; more are ignored */

/* SHARE: how much of its tag, title or source the term is, 1 to METADATA_WHOLE;
 * the largest of several. A result other than 0 ends the walk and is
 * returned. */
typedef int terms_metadata_fn(void *ctx, const char *term, size_t len,
			      uint32_t share);

/* Call FN once for each term of TAGS, TITLE and SOURCE (NULL: none), without
 * stop words. A source without a digit, such as user-told, is a kind of memory
 * and is ignored. */
int terms_metadata_each(struct terms *t, const char *const *tags, size_t ntags,
			const char *title, const char *source,
			terms_metadata_fn *fn, void *ctx);

/* These terms, stored in METADATA_STEPS steps by their share, rounded up. A
 * zeroed one is empty; release it with terms_metadata_release(). */
#define METADATA_STEPS 15
struct metadata {
	struct buf terms[METADATA_STEPS]; /* each term after its length */
};

/* Replace the contents of M. */
void terms_metadata_take(struct metadata *m, struct terms *t,
			 const char *const *tags, size_t ntags,
			 const char *title, const char *source);

/* Call FN for each term of STEP, from 0. A result other than 0 ends the walk
 * and is returned. */
typedef int terms_metadata_step_fn(void *ctx, const char *term, size_t len);
int terms_metadata_step(const struct metadata *m, size_t step,
			terms_metadata_step_fn *fn, void *ctx);

void terms_metadata_release(struct metadata *m);

#endif
