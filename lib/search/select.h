/* select.h: finding the memories that a person names by id, path or text.
 *
 * Digits are an id, never text.  A path of a memory or an article is that file.
 * All else is a literal text, and every memory that holds it is meant.
 */
#ifndef CO_SEARCH_SELECT_H
#define CO_SEARCH_SELECT_H

#include "base/strings.h"
#include "store/results.h"

struct selection {
	struct results found; /* by id, those that were named as they were; one
			    * that is broken has its path alone, and id 0 */
	const char *text;     /* that they hold; NULL when each was named */
};

/* Find what the N OPERANDS mean in the memories of S: each names one, or
 * together, blanks between, they are a text.  C lives in A.  Broken memories
 * are reported.  -1: ERR_NO, an id is not there; ERR_USAGE, some are names and
 * some are not, or what nobody holds is a path of something else; ERR_DATA, an
 * id stands twice; ERR_SYSTEM.  A text that no memory holds is no error.
 * Release with results_release(&c->found), before the store is closed. */
int select_memories(struct selection *c, struct store *s,
		    const char *const *operands, size_t n, struct arena *a,
		    struct err *e);

/* Find the memory that OPERAND names, or the article, by its path, as
 * store_locate() does. */
int select_locate(struct store *s, const char *operand, struct arena *a,
		  const char **path, struct err *e);

/* Append the words of TEXT, which blanks separate, to WORDS, allocated in A. */
void select_words(struct strings *words, const char *text, struct arena *a);

/* Append to OUT the articles of S whose title, file name or tags contain all WORDS, an
 * ASCII word at the start of a word. An article with parts is its first part. Return 0
 * or -1. */
int select_articles(struct store *s, const struct strings *words,
		    struct results *out, struct err *e);

/* Return how many of FOUND are articles. */
size_t select_count_articles(const struct results *found);

/* Return what those of FOUND are: "memory", "articles" and so on. */
const char *select_noun(const struct results *found);

/* Return true if C has a broken memory. */
bool select_has_broken(const struct selection *c);

/* Append a hint that names those in the store of the other scope than S that
 * hold TEXT; nothing where none does. */
void select_elsewhere(struct buf *out, const struct store *s, const char *text,
		      struct arena *a);

#endif
