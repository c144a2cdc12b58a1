/* select.h: find the memories that a person names by id, path or text.
 *
 * Digits are an id, never a text. A path of a memory or an article is that
 * file. Everything else is a text, and means every memory that contains it.
 */
#ifndef CO_SEARCH_SELECT_H
#define CO_SEARCH_SELECT_H

#include "base/strings.h"
#include "store/results.h"

struct selection {
	struct results found; /* ordered by id, or as named; a broken memory has
			       * only a path, and id 0 */
	const char *text;     /* the text that they contain; NULL if each was
			       * named */
};

/* Find the memories of S that the N OPERANDS mean: each names one, or together,
 * joined by blanks, they are a text. C is allocated in A; release it with
 * results_release(&c->found) before the store is closed. Broken memories are
 * reported.
 *
 * Return 0, also if no memory has the text; or -1: ERR_NO if there is no such
 * id; ERR_USAGE if only some name memories, or if a text that no memory has is
 * the path of another file; ERR_DATA if two files have an id; ERR_SYSTEM.
 */
int select_memories(struct selection *c, struct store *s,
		    const char *const *operands, size_t n, struct arena *a,
		    struct err *e);

/* Find the memory or, by its path, the article that OPERAND names, as
 * store_locate() does. */
int select_locate(struct store *s, const char *operand, struct arena *a,
		  const char **path, struct err *e);

/* Append the words of TEXT, separated by blanks, to WORDS, allocated in A. */
void select_words(struct strings *words, const char *text, struct arena *a);

/* Append to OUT the articles of S whose title, file name or tags contain all
 * WORDS; an ASCII word must be at the start of a word. An article with parts is
 * represented by the first one. Return 0 or -1. */
int select_articles(struct store *s, const struct strings *words,
		    struct results *out, struct err *e);

/* Return how many of FOUND are articles. */
size_t select_count_articles(const struct results *found);

/* Return what those of FOUND are: "memory", "articles" and so on. */
const char *select_noun(const struct results *found);

/* Return true if C has a broken memory. */
bool select_has_broken(const struct selection *c);

/* Append a hint: the path of an article of S that has the words of TEXT, else the
 * memories in the store of the other scope that contain TEXT; nothing if there are
 * none. */
void select_elsewhere(struct buf *out, struct store *s, const char *text,
		      struct arena *a);

#endif
