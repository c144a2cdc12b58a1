/* article-drafts.h: articles that wait for a person's yes, as drafts do.
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
 * `article` is the title, or `true`: then that is the first heading.  What else an
 * article says of itself (see article.h) may stand there as well.  Accepted, it
 * is an article that was fetched when the draft was made, in the place of the
 * one from that source, and no draft.
 */
#ifndef CO_ARTICLE_ARTICLE_DRAFTS_H
#define CO_ARTICLE_ARTICLE_DRAFTS_H

#include "article/article.h"
#include "store/drafts.h"

#define ARTICLE_DRAFTS_KEY "article"

/* True if R, a draft, is an article. */
bool article_drafts_is(const struct record *r);

/* Make a draft of N, but for its attachment, durably; *PATH, in A, is where.
 * -1 as article_check(). */
int article_drafts_save(struct store *s, const struct article_new *n,
			struct arena *a, const char **path, struct err *e);

/* These, for drafts_convert(): the path is then the article's. */
extern const struct drafts_kind article_drafts;

#endif
