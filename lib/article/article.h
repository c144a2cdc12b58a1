/* article.h: keeping what was read elsewhere, in articles/ and attachments/.
 *
 * An article is known by its source: what comes from there again takes its
 * place, its old text being kept in the trash first, and with it the tags and
 * keys that somebody gave it.  Killed at any instant, the old article stands or
 * the new one.
 *
 * What is too large for one file is several, SLUG-01.md and so on, each of which
 * has the source and says which `part` of how many `parts` it is.  They come and
 * go together.
 */
#ifndef CO_ARTICLE_ARTICLE_H
#define CO_ARTICLE_ARTICLE_H

#include "article/article-find.h"
#include "article/article-new.h"
#include "base/strings.h"

#define ARTICLE_TEXT_MAX ((size_t)8 * 1024 * 1024) /* of all parts */
/* Bytes of one part, so that there is room for what is said of it. */
#define ARTICLE_PART_MAX ((size_t)STORE_FILE_MAX - FRONTMATTER_MAX)

struct article_counts {
	size_t articles, files;
	size_t bytes; /* of their texts */
};

/* Add to COUNTS what S has; files with faults go to the report, and are not
 * counted.  0 or -1. */
int article_count(struct store *s, struct article_counts *counts,
		  struct err *e);

/* Append how many: "12", or where some are in parts, "12, in 31 files". */
void article_count_text(struct buf *out, const struct article_counts *counts);

/* The paths of the parts from SOURCE, in order, in A, into LIST, of which items are
 * to be freed; none where it is one article, or not there.  0 or -1. */
int article_parts(struct store *s, const char *source, struct arena *a,
		  struct strings *list, struct err *e);

/* The same of which the article R, as it is read from its file, is one. */
int article_parts_with(struct store *s, const struct record *r, struct arena *a,
		       struct strings *list, struct err *e);

/* *COUNT is of how many parts N would be, if it were split. */
int article_count_parts(struct store *s, const struct article_new *n,
			size_t *count, struct err *e);

/* 0 if N can be kept; ERR_DATA: there is no text, it is no UTF-8 or too large, or
 * there is a secret in it. */
int article_check(struct store *s, const struct article_new *n, struct err *e);

/* Keep N durably; *PATH, in A, is where, the first of parts, and *DONE (may be
 * NULL) what was done.
 * ERR_NO: the same bytes are kept from another source, at *PATH, or the article at
 * its place is gone; else as article_check(). */
int article_save(struct store *s, const struct article_new *n, struct arena *a,
		 const char **path, enum article_done *done, struct err *e);

/* Append what N says as it would be kept, split, to OUT: the texts of its parts with
 * an empty line between them. */
int article_add_parts(struct store *s, const struct article_new *n,
		      struct buf *out, struct err *e);

/* Set KEY of the article at PATH, and of the other parts where it is one, to TEXT,
 * and leave all else. */
int article_set(struct store *s, const char *path, const char *key,
		const char *text, struct err *e);

#endif
