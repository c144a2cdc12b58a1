/* refresh.h: whether an article still is what is at its source.
 *
 * A URL is asked only whether it has changed since, by what it said of itself
 * then.  A source that is a file is read again where it lies in the project: a
 * clone may have been written by a stranger, who must not have other files
 * read.
 */
#ifndef CO_ARTICLE_REFRESH_H
#define CO_ARTICLE_REFRESH_H

#include "article/bring.h"
#include "base/table.h"

/* The first article of each source, read once for all. */
struct article_refresh_sources {
	struct table table;
	struct article_refresh_source {
		const char *source, *path; /* in the arena */
	} * items;
	size_t n, cap;
	struct arena arena;
};

/* Read the sources of the articles of S.  Release either way. */
int article_refresh_sources_read(struct article_refresh_sources *known,
				 struct store *s, struct err *e);
void article_refresh_sources_release(struct article_refresh_sources *known);

enum refresh_state {
	REFRESH_SAME,
	REFRESH_GONE, /* the way to it is there, it is not */
	REFRESH_CHANGED
};

/* An article as it is, and what came from its source. */
struct article_refresh {
	const char *path, *source, *title, *etag, *modified;
	struct buf was; /* its text, of all its parts */
	bool was_gone;
	struct bring now;
	struct buf text; /* what came, as it would be kept */
	enum refresh_state state;
};

/* True if the article R of S has a source that can be read again. */
bool article_refresh_can(const struct store *s, const struct record *r,
			 struct arena *a);

/* True if the article R is no part of one, or the first of its source. */
bool article_refresh_is_first(const struct article_refresh_sources *known,
			      const struct record *r);

/* Fill F with what R, as it is read from its file, is; in A.  Where it is a part, F
 * is all of them.  0, -1; release F either way. */
int article_refresh_of(struct article_refresh *f, struct store *s,
		       const struct record *r, struct arena *a, struct err *e);

/* Ask its source, from any address with ALLOW_PRIVATE, and set what it is by
 * now.  ERR_DATA: another of the KNOWN articles has the same source.  Release
 * either way. */
int article_refresh_look(struct article_refresh *f, struct store *s,
			 const struct article_refresh_sources *known,
			 bool allow_private, struct arena *a, struct err *e);
void article_refresh_release(struct article_refresh *f);

/* Append how it changed, as diff -u does. */
void article_refresh_diff(struct buf *out, struct article_refresh *f);

/* Write what was found: the new text with what else it says, when it was fetched
 * last, or when it was gone first. */
int article_refresh_write(struct article_refresh *f, struct store *s,
			  struct arena *a, struct err *e);

#endif
