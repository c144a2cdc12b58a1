/* terms.h: text as the terms by which it is found.
 *
 * One function for documents and questions, so that both say the same: words
 * folded (case, marks of Latin, Greek, Cyrillic, Hebrew and Arabic), possessives
 * cut, irregular English forms brought to their base, and stemmed; scripts that
 * write without blanks (Chinese, kana, Hangul, Thai and neighbours) as pairs of
 * characters.  What is joined (e-mail, foo_bar, fooBar, a.b@c.org, lib/x.c)
 * gives its parts and, beside the first, the whole without its joints, so that
 * email, fooBar and foo_bar meet; C++ and C# keep their signs.
 *
 * The same bytes give the same terms everywhere.  Any bytes are text; those
 * that are no UTF-8 separate words.
 */
#ifndef CO_RANK_TERMS_H
#define CO_RANK_TERMS_H

#include "base/buf.h"
#include "rank/stem.h"

/* The bytes of the longest term; a longer one is cut at a character. */
#define TERMS_BYTES_MAX 64

/* Raised whenever the same text may give other terms than before, so that an
 * index made of the old ones is rebuilt. */
#define TERMS_VERSION 4

struct term {
	const char *p; /* folded and stemmed; the callee's until it returns */
	size_t len;    /* 1 to TERMS_BYTES_MAX */
	const char *word; /* the same, folded but not stemmed */
	size_t word_len;
	size_t start, end; /* the bytes of the text that it stands for */
	size_t from;	   /* where what it is a part of starts; parts of one
			    * word, and their whole, agree in it */
	bool beside;	   /* at the place of the term before it: not a word
			    * more, but another form of what stands there */
	bool whole;	   /* beside, and what is joined as a whole */
};

/* What lasts from text to text; zero is valid. */
struct terms {
	struct buf word, raw;
	struct stem_cache stems;
	bool question;	   /* leave out what only documents need: the single
			* characters of a pair */
	bool index;	   /* leave out of these what a pair begins with */
	const bool *first; /* NULL, or of each byte whether terms that begin
			    * with it matter, as stem_widen() left it: other
			    * words need not be stemmed */
	bool as_is;	   /* nor folded: they may be handed over as they stand
			    * in the text */
};

/* Nonzero ends the walk and is returned. */
typedef int terms_fn(void *ctx, const struct term *t);

/* Call FN for each term of P, in the order of the text. */
int terms_each(struct terms *t, const char *p, size_t len, terms_fn *fn,
	       void *ctx);

/* The same for a document as a whole: the text P, and then its tags, which are
 * words about it as good as those in it, but make it no longer: they stand
 * beside its end. */
int terms_document(struct terms *t, const char *p, size_t len,
		   const char *const *tags, size_t ntags, terms_fn *fn,
		   void *ctx);

/* True if the term of LEN bytes of P is one character of those that are
 * paired. */
bool terms_is_single(const char *p, size_t len);

/* If the term of LEN bytes of P is a pair of characters: the bytes of the first;
 * else 0. */
size_t terms_split(const char *p, size_t len);

void terms_release(struct terms *t);

#endif
