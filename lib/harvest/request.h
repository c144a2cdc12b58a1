/* request.h: compose requests to a model: a prompt that people may edit,
 * followed by a conversation. The text of the conversation can neither end its
 * block nor give orders.
 *
 * The prompt is the first file found: in knowledge/prompts/ or prompts/ of the
 * project (if the user's harvest.project_prompt allows it), of the user, and of
 * the installed program.
 */
#ifndef CO_HARVEST_REQUEST_H
#define CO_HARVEST_REQUEST_H

#include "base/buf.h"
#include "base/err.h"
#include "repo/settings.h"

enum request_kind {
	REQUEST_HARVEST,   /* asks for the JSON of reply.h */
	REQUEST_SUMMARIZE, /* asks for a summary of a part */
	REQUEST_MERGE	   /* asks for one text that replaces memories */
};
#define REQUEST_KINDS 3

struct request_prompts {
	struct buf text[REQUEST_KINDS];
	char *path[REQUEST_KINDS];
	char *unused; /* a project's prompt that is not allowed, or NULL */
	bool edited;  /* at least one is not the installed one */
};

/* Load all prompts. S has the user's settings; ARGV0 is the name of the
 * running program. Release with request_release(), also on failure.
 * ERR_SYSTEM if a prompt is missing; ERR_DATA. */
int request_find(struct request_prompts *p, const struct settings *s,
		 const char *argv0, struct err *e);
void request_release(struct request_prompts *p);

/* Append the request of KIND for the LEN bytes of TEXT, a conversation named
 * NAME. RETRY adds that the previous reply was not valid JSON. */
void request_compose(struct buf *out, const struct request_prompts *p,
		     enum request_kind kind, const char *name, const char *text,
		     size_t len, bool retry);

#endif
