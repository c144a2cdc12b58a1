/* corpus-terms.h: the terms of a document that is in the corpus of a server. They are
 * those that the local index has of it, so that both rank alike.
 */
#ifndef CO_REMOTE_CORPUS_TERMS_H
#define CO_REMOTE_CORPUS_TERMS_H

#include "base/instant.h"
#include "base/table.h"
#include "rank/terms.h"
#include "remote/remote-document.h"

/* Return the time that D was created, or 0. */
struct instant corpus_terms_time(const struct remote_document *d);

/* Return the *LEN bytes of D's text that are indexed, borrowed from D or in ROOM. */
const char *corpus_terms_words(const struct remote_document *d,
			       struct buf *room, size_t *len);

/* Return the key of D's family, for families_number(); 0: none. */
uint64_t corpus_terms_family(const struct remote_document *d);

/* The terms of a document. A zeroed one is valid. */
struct corpus_terms {
	struct corpus_term {
		size_t at, len; /* its bytes in TEXT */
		/* 0: not in the text and the tags; 1: only in a URL there; else
		 * one more than how often, without URLs. */
		uint32_t times;
		uint32_t share; /* of a tag, the title or the source, in
				 * METADATA_STEPS; 0: it is in none */
	} * items;
	size_t n, cap;
	struct buf text;
	uint32_t length; /* see rank/corpus.h */
	unsigned traits;

	struct table by_text; /* Private, as are the next three. */
	struct terms splitter;
	struct metadata metadata;
	struct buf words;
};

/* Replace the contents of T by the terms of D, each once. */
void corpus_terms_read(struct corpus_terms *t, const struct remote_document *d);
void corpus_terms_release(struct corpus_terms *t);

#endif
