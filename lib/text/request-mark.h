/* request-mark.h: the form of the suite's requests to a model about a
 * conversation.
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
#ifndef CO_TEXT_REQUEST_MARK_H
#define CO_TEXT_REQUEST_MARK_H

#include "base/base.h"

#define REQUEST_MARK_NAME "Conversation name: "
#define REQUEST_MARK_TAG "conversation"

/* Return true if the LEN bytes of P, a message in a transcript, have that
 * form. */
bool request_mark_is_in(const char *p, size_t len);

#endif
