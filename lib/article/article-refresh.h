/* article-refresh.h: compare an article with its source, and update it.
 *
 * For a URL, the server is asked whether it has changed, with the validators of
 * the last response. A file is read again only if it is in the project: a
 * clone may come from a stranger, who must not make co read other files.
 */
#ifndef CO_ARTICLE_ARTICLE_REFRESH_H
#define CO_ARTICLE_ARTICLE_REFRESH_H

#include "article/source.h"
#include "base/table.h"

/* The path of the article of each source; of several, the first by name, which
 * is the first part of a split one. Read once for all articles. */
struct article_refresh_sources {
	struct table table;
	struct article_refresh_source {
		const char *source, *path; /* allocated in the arena */
	} * items;
	size_t n, cap;
	struct arena arena;
};

/* Set KNOWN to the sources of all articles of S. Returns 0 or -1. Release
 * KNOWN in any case. */
int article_refresh_sources_read(struct article_refresh_sources *known,
				 struct store *s, struct err *e);
void article_refresh_sources_release(struct article_refresh_sources *known);

enum refresh_state {
	REFRESH_SAME,
	REFRESH_GONE, /* its source does not exist any more */
	REFRESH_CHANGED
};

/* An article, and the new version from its source. */
struct article_refresh {
	const char *path, *source, *title, *etag, *modified;
	struct buf was; /* its text, with all parts */
	bool was_gone;
	struct source now;
	struct buf text; /* the new text, as it would be saved */
	enum refresh_state state;
};

/* Return true if the source of the article R of S, which must have one, can be
 * read again. A is for temporary strings. */
bool article_refresh_can(const struct store *s, const struct record *r,
			 struct arena *a);

/* Return true if R is the first part of its article, or not split. */
bool article_refresh_is_first(const struct article_refresh_sources *known,
			      const struct record *r);

/* Set F to the article R, as read from its file; if R is a part, to all parts
 * of its article. R must have a source. The strings are allocated in A.
 * Returns 0 or -1. Release F in any case. */
int article_refresh_of(struct article_refresh *f, struct store *s,
		       const struct record *r, struct arena *a, struct err *e);

/* Read the source of F, with ALLOW_PRIVATE also from private addresses, and set
 * the state and text of F. A source that is gone is not an error. Returns 0, or
 * -1: ERR_DATA if another article in KNOWN has that source, else as
 * source_fetch(). F must not move afterwards. */
int article_refresh_look(struct article_refresh *f, struct store *s,
			 const struct article_refresh_sources *known,
			 bool allow_private, struct arena *a, struct err *e);
void article_refresh_release(struct article_refresh *f);

/* Append the difference of the old and the new text, in the form of diff -u. */
void article_refresh_diff(struct buf *out, struct article_refresh *f);

/* Save the result of article_refresh_look(): the new text and metadata; if the
 * server reported no change, the time of fetching; if the source is gone, the
 * time when that was first noticed. Returns 0 or -1. */
int article_refresh_write(struct article_refresh *f, struct store *s,
			  struct arena *a, struct err *e);

#endif
