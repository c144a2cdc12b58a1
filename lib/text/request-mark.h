/* request-mark.h: the form of what the suite asks a model about a conversation.
 *
 * A model command that is an agent keeps a record of its own of each request.  By
 * this form it is known again, whatever the prompt is that people edit, and is
 * neither listed nor harvested.
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

/* Return true if the LEN bytes of P, what somebody said, have that form. */
bool request_mark_is_in(const char *p, size_t len);

#endif
