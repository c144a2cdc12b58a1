/* digest-block.h: the digest of items (see harvest/items.h) in a prompt.
 *
 *	{knowledge}
 *	# Knowledge digest
 *	...
 *	{/knowledge}
 *
 * The text comes from files, so it is sanitized (see text/sanitize.h), has at
 * most DIGEST_MAX bytes per store, and can neither close nor fake the two lines
 * around it.
 */
#ifndef CO_AGENT_DIGEST_BLOCK_H
#define CO_AGENT_DIGEST_BLOCK_H

#include "base/buf.h"
#include "base/err.h"
#include "repo/root.h"

/* Return true if the settings in USER, the user's root (NULL: find it), ask for the
 * digest with the context. */
bool digest_block_wanted(const struct root *user);

/* Append the block with the digests of the scopes WANT (1u << SCOPE_GLOBAL and
 * so on), the user's first, without a newline at its end. Append nothing if
 * there are no digests. Errors go to R. */
void digest_block_add(struct buf *out, unsigned want, const struct report *r);

/* Append as many lines of BLOCK as fit into ROOM bytes, with a line that says
 * there are more, and the closing line. Append nothing if no item would be
 * left. */
void digest_block_fit(struct buf *out, const struct buf *block, size_t room);

#endif
