/* chat.h: one question to a model, and its reply, in the forms of the two
 * interfaces that servers speak: OpenAI's POST /v1/chat/completions and
 * Anthropic's POST /v1/messages.
 *
 * The reply is asked for as a stream of events, so that it can be shown while it
 * is made; a server that answers with one object is understood as well.
 */
#ifndef CO_MODEL_CHAT_H
#define CO_MODEL_CHAT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "model/endpoint.h"

#define CHAT_PROMPT_MAX ((size_t)16 * 1024 * 1024)
#define CHAT_REPLY_MAX ((size_t)4 * 1024 * 1024) /* bytes of a reply */

enum chat_api { CHAT_OPENAI, CHAT_ANTHROPIC };

#define CHAT_APIS "openai|anthropic"

struct chat {
	enum chat_api api;
	const char *model;
	/* Gets the reply piece by piece, while it comes; or NULL. */
	void (*give)(const char *p, size_t len);

	/* Begin as zeros. */
	struct buf reply;
	size_t at;     /* what of the answer was taken */
	bool finished; /* the reply is whole */
	bool limited;  /* but was ended by a limit */
	struct arena line;
};

/* What stands in an address behind its version: "/chat/completions". */
const char *chat_path(enum chat_api api);

/* One by the PROTOCOL of that name. */
struct chat chat_new(const char *protocol, const char *model);

/* Take what came since last time of the ANSWER, as long as it is a stream, to
 * the reply.  ERR_HELPER: the server reports an error, or the reply is too
 * long. */
int chat_step(struct chat *c, const struct buf *answer, struct err *e);

/* Take the rest: ANSWER is all there is.  ERR_HELPER too where the reply is not
 * whole, or there is none. */
int chat_end(struct chat *c, const struct buf *answer, struct err *e);

/* Ask S for the reply to the prompt that is read from FD to its end, and have it,
 * whole, in C.  ERR_DATA: the prompt is empty, or no UTF-8, or longer than
 * CHAT_PROMPT_MAX; ERR_SYSTEM; ERR_HELPER. */
int chat_ask(struct chat *c, const struct endpoint *s, int fd, struct err *e);

void chat_release(struct chat *c);

#endif
