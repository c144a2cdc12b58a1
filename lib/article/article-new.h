/* article-new.h: what is to be kept, and the file that it becomes. */
#ifndef CO_ARTICLE_ARTICLE_NEW_H
#define CO_ARTICLE_ARTICLE_NEW_H

#include "format/frontmatter.h"
#include "store/store.h"

#define ARTICLE_ATTACHMENT_MAX ((size_t)16 * 1024 * 1024)

/* What is to be kept.  Texts are borrowed; what a page says of itself is made
 * one line, the rest must be one. */
struct article_new {
	const char *markdown;
	size_t len;
	const char *source;  /* a URL or a path */
	const char *place;   /* the one from there, where that is known */
	const char *title;   /* NULL: its first heading, or its source's name */
	const char *fetched; /* ISO 8601; NULL: now */
	const char *const *tags; /* beside those that it has */
	size_t ntags;
	/* NULL where they are not known. */
	const char *description, *author, *published, *language, *license;
	const char *sha256; /* of the bytes that were read */
	const char *etag, *last_modified;
	/* The file itself, where it is to be kept, and what it is called. */
	const struct buf *attachment;
	const char *attachment_name;
	bool even_twice; /* though the same bytes are kept from elsewhere */
	bool split;	 /* in parts, where it is too large for one article */
	int64_t part, parts; /* which it is of how many; 0: it is whole */
};

enum article_done {
	ARTICLE_NEW,
	ARTICLE_REPLACED,
	ARTICLE_SAME, /* but for the time it was fetched at, and the like */
};

/* Take what co-fetch noted, META, or what co-text-extract said, as values of
 * JSON; what N has already stays. */
void article_take_meta(struct article_new *n, const struct value *meta);
void article_take_extract(struct article_new *n, const struct value *extract);

/* 0 if N, however large, is text from somewhere, with no secret in it; ERR_DATA. */
int article_new_check(struct store *s, const struct article_new *n,
		      struct err *e);

/* Append to TEXT the file of N, which replaces what was parsed as WAS, or NULL, and
 * of which ATTACHMENT, or NULL, is kept.  *TITLE, in A, is the one that it has
 * there.  ERR_DATA: nothing is left of it, a bad tag or time, or a secret. */
int article_new_compose(struct store *s, const struct article_new *n,
			const struct frontmatter *was, const char *attachment,
			struct buf *text, const char **title, struct arena *a,
			struct err *e);

/* 0 if TEXT is not too large for one file, else -1 with ERR_DATA. */
int article_new_fits(const struct buf *text, struct err *e);

/* The title of N, one line, in A: the given one, its first heading or its source's
 * name. */
const char *article_new_title(const struct article_new *n, struct arena *a);

/* Append what a file is called whose article has TITLE, without ".md". */
void article_new_add_slug(struct buf *name, const char *title);

/* The last part of the URL or path SOURCE, borrowed: *LEN bytes, 0 where there is
 * none. */
const char *article_new_last_part(const char *source, size_t *len);

#endif
