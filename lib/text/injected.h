/* injected.h: the marks around text that co puts into a prompt, and the form of its
 * requests to a model.
 *
 * Agents keep their prompts in transcripts, from which memories are extracted.
 * The text between the marks was known before; it must not be taken for
 * something that was said in the conversation.
 */
#ifndef CO_TEXT_INJECTED_H
#define CO_TEXT_INJECTED_H

#include "base/base.h"
#include "base/buf.h"

#define INJECTED_WORD "co:context v1" /* agents may escape the rest */
#define INJECTED_OPEN "<!-- " INJECTED_WORD " -->\n"
#define INJECTED_CLOSE "<!-- /co:context -->\n"

/* Append P with other words in place of anything that reads as one of the
 * marks, so that no text can end its part early, even if an agent escapes it.
 * The result is not longer than P. */
void injected_escape(struct buf *out, const char *p, size_t len);

/* Append P, escaped, between the marks, each on its own line. */
void injected_add(struct buf *out, const char *p, size_t len);

/* Append P without the parts between our marks, or between the marks of agents
 * for what they add to a prompt. */
void injected_strip(struct buf *out, const char *p, size_t len);

/* The form of the suite's requests to a model about a conversation.
 *
 * A model command that is an agent stores a transcript of each request. These
 * are recognised by their form, which does not depend on the editable prompt,
 * and are neither listed nor harvested.
 *
 *	PROMPT
 *
 *	Conversation name: NAME
 *
 *	<conversation>
 *	...
 */
#define REQUEST_MARK_NAME "Conversation name: "
#define REQUEST_MARK_TAG "conversation"

/* Return true if the LEN bytes of P, a message in a transcript, have that
 * form. */
bool injected_is_request(const char *p, size_t len);

#endif
