/* digest-block.h: the digest of items (see harvest/digest.h) in a prompt.
 *
 *	{knowledge}
 *	# Knowledge digest
 *	...
 *	{/knowledge}
 *
 * It comes from files as any other text: it is clean (see text/sanitize.h), has
 * at most DIGEST_MAX bytes of a store, and can neither close nor fake the two
 * lines around it.
 */
#ifndef CO_AGENT_DIGEST_BLOCK_H
#define CO_AGENT_DIGEST_BLOCK_H

#include "base/buf.h"
#include "base/err.h"
#include "repo/root.h"

/* True if the settings in USER, the user's root (NULL: it is looked for), ask for
 * it beside the context. */
bool digest_block_wanted(const struct root *user);

/* Append the block, without a newline behind, of the digests of the scopes WANT
 * (1u << SCOPE_GLOBAL and so on), the user's first; nothing where there is none.
 * What is wrong with a file goes to R. */
void digest_block_add(struct buf *out, unsigned want, const struct report *r);

/* Append of BLOCK as many lines as fit into ROOM bytes, closed, and saying that
 * there are more; nothing where that leaves no item. */
void digest_block_fit(struct buf *out, const struct buf *block, size_t room);

#endif
