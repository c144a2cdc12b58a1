/* kept-parts.h: the files of one article in the store: its parts, or the one that
 * it is. */
#ifndef CO_ARTICLE_KEPT_PARTS_H
#define CO_ARTICLE_KEPT_PARTS_H

#include "article/article-new.h"
#include "article/parts.h"

struct kept_part {
	const char *path;
	int64_t number;	 /* 0: it is the whole article */
	struct buf text; /* of the file, where it was read */
	struct frontmatter fm;
	bool stays; /* what is saved takes its place */
};

/* Those from SOURCE; what they name lives in A.  Release with
 * kept_parts_release(). */
struct kept_parts {
	const char *source;
	struct arena *a;
	struct kept_part *items;
	size_t n, cap;
};

/* Which part of an article FRONTMATTER says that it is; 0: none. */
int64_t kept_parts_number(const struct value *frontmatter);

/* Fill ALL with the parts from its source, in order, and read none. */
int kept_parts_find(struct store *s, struct kept_parts *all, struct err *e);

/* Read the article at PATH into ALL, and where that is a part, the others.
 * ERR_NO: it is gone, or has another source; ERR_USAGE: it is no article. */
int kept_parts_read(struct store *s, struct kept_parts *all, const char *path,
		    struct err *e);

/* True if the text of K is that of CUT. */
bool kept_part_is(const struct kept_part *k, const struct part *cut);

/* Keep N, cut as CUTS, in the place of ALL; ATTACHMENT is what they name, or NULL.
 * *PATH, in A, is the first.  The lock is ours. */
int kept_parts_save(struct store *s, const struct article_new *n,
		    const struct parts *cuts, struct kept_parts *all,
		    const char *attachment, struct arena *a, const char **path,
		    enum article_done *done, struct err *e);

void kept_parts_release(struct kept_parts *all);

#endif
