/* chat.h: one prompt to a model and its reply, for the two interfaces that
 * servers have: OpenAI's POST /v1/chat/completions and Anthropic's POST
 * /v1/messages.
 *
 * The reply is requested as a stream of events, so that it can be shown while
 * it arrives. A server that answers with a single object also works.
 */
#ifndef CO_MODEL_CHAT_H
#define CO_MODEL_CHAT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "model/endpoint.h"

#define CHAT_PROMPT_MAX ((size_t)16 * 1024 * 1024)
#define CHAT_REPLY_MAX ((size_t)4 * 1024 * 1024) /* longest reply, in bytes */

enum chat_api { CHAT_OPENAI, CHAT_ANTHROPIC };

#define CHAT_APIS "openai|anthropic"

struct chat {
	enum chat_api api;
	const char *model;
	/* Called with each part of the reply as it arrives; or NULL. */
	void (*give)(const char *p, size_t len);

	/* Zero at the start. */
	struct buf reply;
	size_t at;     /* bytes of the answer processed */
	bool finished; /* the reply has ended */
	bool limited;  /* because of a limit */
	struct arena line;
};

/* Return the path of the interface after its version: "/chat/completions". */
const char *chat_path(enum chat_api api);

/* Return a chat for the interface PROTOCOL, one of CHAT_APIS. MODEL is
 * borrowed. */
struct chat chat_new(const char *protocol, const char *model);

/* Process the new part of ANSWER, all bytes received so far, if it is a stream.
 * Returns 0, or -1 with ERR_HELPER: the server reports an error, or the reply
 * is too long. */
int chat_step(struct chat *c, const struct buf *answer, struct err *e);

/* Process the rest of the complete ANSWER. Returns 0, or -1 with ERR_HELPER,
 * also if the reply is incomplete or missing. */
int chat_end(struct chat *c, const struct buf *answer, struct err *e);

/* Read a prompt from FD to its end, send it to S and store the whole reply in
 * C. Returns 0, or -1: ERR_DATA if the prompt is empty, not UTF-8 or longer
 * than CHAT_PROMPT_MAX; ERR_SYSTEM; ERR_HELPER. */
int chat_ask(struct chat *c, const struct endpoint *s, int fd, struct err *e);

void chat_release(struct chat *c);

#endif
