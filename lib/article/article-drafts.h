/* article-drafts.h: articles saved as drafts, until a person accepts them.
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
 * keys of an article (see article.h) are allowed. Accepting the draft saves an
 * article, fetched at the time of the draft, in place of the article from that
 * source, and removes the draft.
 */
#ifndef CO_ARTICLE_ARTICLE_DRAFTS_H
#define CO_ARTICLE_ARTICLE_DRAFTS_H

#include "article/article.h"
#include "store/drafts.h"

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

#endif
