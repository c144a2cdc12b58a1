/* article.h: save articles and their originals, in articles/ and attachments/,
 * and update them from their sources.
 *
 * An article is identified by its source. A new version from that source
 * replaces it and keeps the tags and keys that the user added; the old text
 * goes to the trash first. After a kill, either the old or the new article
 * exists.
 *
 * An article that is too large for one file is split into SLUG-01.md and so on.
 * Each file has the source, its number `part`, and the number of `parts`.
 * Parts are always saved and removed together.
 */
#ifndef CO_ARTICLE_ARTICLE_H
#define CO_ARTICLE_ARTICLE_H

#include "article/article-find.h"
#include "article/article-new.h"
#include "article/attachment.h"
#include "article/source.h"
#include "base/strings.h"
#include "base/table.h"
#include "store/drafts.h"

#define ARTICLE_TEXT_MAX ((size_t)8 * 1024 * 1024) /* of all parts */
/* Largest text of one part, which leaves room for the frontmatter. */
#define ARTICLE_PART_MAX ((size_t)STORE_FILE_MAX - FRONTMATTER_MAX)

struct article_counts {
	size_t articles, files;
	size_t bytes; /* of their texts */
};

/* Add the numbers of articles in S to COUNTS. Malformed files, and articles/
 * if it is a link, are reported and not counted. Returns 0 or -1. */
int article_count(struct store *s, struct article_counts *counts,
		  struct err *e);

/* Append the number of articles: "12", or, if some have parts, "12, in 31
 * files". */
void article_count_text(struct buf *out, const struct article_counts *counts);

/* Append the paths of the parts from SOURCE to LIST, in order. The paths are
 * allocated in A; the caller frees the items. Appends nothing if the article
 * has no parts or does not exist. Returns 0 or -1. */
int article_parts(struct store *s, const char *source, struct arena *a,
		  struct strings *list, struct err *e);

/* Call article_parts() for the source of R, an article as read from its file,
 * if R is a part. */
int article_parts_with(struct store *s, const struct record *r, struct arena *a,
		       struct strings *list, struct err *e);

/* Append to LIST the paths of the parts of the article at PATH; only PATH if it
 * has no parts or is another file. Paths are allocated in A or PATH itself. */
int article_parts_at(struct store *s, const char *path, struct arena *a,
		     struct strings *list, struct err *e);

/* Set *COUNT to the number of parts that N would have. Returns 0 or -1. */
int article_count_parts(struct store *s, const struct article_new *n,
			size_t *count, struct err *e);

/* Check that N can be saved. Returns 0 or -1: ERR_DATA if it has no text, is
 * not UTF-8 or too large, or has a secret. */
int article_check(struct store *s, const struct article_new *n, struct err *e);

/* Save N durably. *PATH, allocated in A, is its path or that of the first
 * part. *DONE (may be NULL) is what was done. Returns 0 or -1: ERR_NO if the
 * article at *PATH, from another source, has the same bytes, or if the article
 * to replace is gone; else as article_check(). */
int article_save(struct store *s, const struct article_new *n, struct arena *a,
		 const char **path, enum article_done *done, struct err *e);

/* Append the text of N as it would be saved: its parts, separated by empty
 * lines. */
int article_add_parts(struct store *s, const struct article_new *n,
		      struct buf *out, struct err *e);

/* Set KEY of the article at PATH, and of all its parts, to TEXT. */
int article_set(struct store *s, const char *path, const char *key,
		const char *text, struct err *e);

/* An article can be saved as a draft, until a person accepts them.
 *
 *	---
 *	id: 12
 *	created: 2026-02-09T14:30:00Z
 *	tags: [http]
 *	source: https://example.org/verbs
 *	article: Verbs of HTTP
 *	by: mcp:claude-code
 *	---
 *	TEXT
 *
 * `article` is the title, or `true` if the first heading is the title. Other
 * keys of an article are allowed. Accepting the draft saves an
 * article, fetched at the time of the draft, in place of the article from that
 * source, and removes the draft.
 */
#define ARTICLE_DRAFTS_KEY "article"

/* Return true if the draft R is an article. */
bool article_drafts_is(const struct record *r);

/* Save N, without its attachment, as a draft durably. *PATH, allocated in A,
 * is its path. Returns 0, or -1 as article_check() or save_memory() do. */
int article_drafts_save(struct store *s, const struct article_new *n,
			struct arena *a, const char **path, struct err *e);

/* The kind of these drafts, for drafts_convert(). Afterwards the record's path
 * is that of the article. */
extern const struct drafts_kind article_drafts;

/* Compare an article with its source, and update it.
 *
 * For a URL, the server is asked whether it has changed, with the validators of
 * the last response. A file is read again only if it is in the project: a
 * clone may come from a stranger, who must not make co read other files.
 */

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
