/* article-new.h: the data of an article to save, and its file. */
#ifndef CO_ARTICLE_ARTICLE_NEW_H
#define CO_ARTICLE_ARTICLE_NEW_H

#include "format/frontmatter.h"
#include "store/store.h"

#define ARTICLE_ATTACHMENT_MAX ((size_t)16 * 1024 * 1024)

/* An article to save. Texts are borrowed. SOURCE must be one line; the title
 * and the metadata of a page are reduced to one line each, of at most 300
 * characters. */
struct article_new {
	const char *markdown;
	size_t len;
	const char *source; /* a URL or a path */
	/* Path of the article to replace; NULL: the one from SOURCE, which is
	 * searched. */
	const char *place;
	const char *title;   /* NULL: the first heading, or the source's name */
	const char *fetched; /* ISO 8601; NULL: now */
	const char *const *tags; /* in addition to its present tags */
	size_t ntags;
	bool typed; /* the tags are of a command line: a bad one is ERR_USAGE */
	/* NULL if unknown. */
	const char *description, *author, *published, *language, *license;
	const char *sha256; /* of the bytes that were read */
	const char *etag, *last_modified;
	/* The original file and its name, if it is to be stored. */
	const struct buf *attachment;
	const char *attachment_name;
	bool even_twice; /* save it even if another article has these bytes */
	bool split;	 /* split it if it is too large for one file */
	int64_t part, parts; /* number of this part and of all; 0: not split */
};

/* What article_save() did. */
enum article_done {
	ARTICLE_NEW,
	ARTICLE_REPLACED,
	ARTICLE_SAME, /* no text changed; at most the metadata did */
};

/* Fill fields of N that are not set: from META, the metadata of co-fetch, or
 * from EXTRACT, the output of co-text-extract. Texts are borrowed from
 * these. */
void article_take_meta(struct article_new *n, const struct value *meta);
void article_take_extract(struct article_new *n, const struct value *extract);

/* Check the source, text and attachment of N; the text may have any size.
 * Returns 0, or -1: ERR_DATA if there is no source, the text has a secret that
 * S refuses, a NUL or bytes that are not UTF-8, or the attachment is too
 * large. */
int article_new_check(struct store *s, const struct article_new *n,
		      struct err *e);

/* Append the file of N to TEXT. WAS is the article that it replaces, whose
 * tags, license and free keys stay, or NULL; ATTACHMENT is the path of its
 * stored attachment below knowledge/, or NULL. *TITLE is its title, allocated
 * in A. Returns 0 or -1: ERR_DATA if the text is empty, a tag or a time is
 * invalid, or the frontmatter has a secret. */
int article_new_compose(struct store *s, const struct article_new *n,
			const struct frontmatter *was, const char *attachment,
			struct buf *text, const char **title, struct arena *a,
			struct err *e);

/* Return 0 if TEXT fits into one file, else -1, ERR_DATA. */
int article_new_fits(const struct buf *text, struct err *e);

/* Return the title of N as one line, allocated in A: the given one, the first
 * heading, or the source's name. */
const char *article_new_title(const struct article_new *n, struct arena *a);

/* Append the file name, without ".md", of an article titled TITLE. */
void article_new_add_slug(struct buf *name, const char *title);

/* Return the last component of the URL or path SOURCE, borrowed. *LEN is its
 * length, 0 if there is none. */
const char *article_new_last_part(const char *source, size_t *len);

#endif
