/* kept-parts.h: the files of one article in the store: its parts, or one
 * file. */
#ifndef CO_ARTICLE_KEPT_PARTS_H
#define CO_ARTICLE_KEPT_PARTS_H

#include "article/article-new.h"
#include "article/parts.h"

struct kept_part {
	const char *path;
	int64_t number;	 /* 0: the whole article */
	struct buf text; /* of the file, if it was read */
	struct frontmatter fm;
	bool stays; /* it is replaced, not removed */
};

/* All parts from SOURCE. Their data is allocated in A. Release with
 * kept_parts_release(). */
struct kept_parts {
	const char *source;
	struct arena *a;
	struct kept_part *items;
	size_t n, cap;
};

/* Return the number of the part with this frontmatter, 0 if it is not a
 * part. */
int64_t kept_parts_number(const struct value *frontmatter);

/* Find the parts from the source of ALL, in order, without reading their texts.
 * Returns 0 or -1. */
int kept_parts_find(struct store *s, struct kept_parts *all, struct err *e);

/* Read the article at PATH into ALL, with all its parts if it is one. Returns
 * 0 or -1: ERR_NO if it is gone or has another source; ERR_USAGE if it is not
 * an article. */
int kept_parts_read(struct store *s, struct kept_parts *all, const char *path,
		    struct err *e);

/* Save N, cut into CUTS, in place of ALL. ATTACHMENT is the path of its
 * attachment, or NULL. *PATH, allocated in A, is the first file. The caller
 * must hold the lock. */
int kept_parts_save(struct store *s, const struct article_new *n,
		    const struct parts *cuts, struct kept_parts *all,
		    const char *attachment, struct arena *a, const char **path,
		    enum article_done *done, struct err *e);

void kept_parts_release(struct kept_parts *all);

#endif
