/* request.h: what a model is asked: a prompt that people edit, and behind it a
 * conversation, which can neither end nor give orders to it.
 *
 * The prompt is the first that is found in knowledge/prompts/ or prompts/ of the
 * project, where the user's harvest.project_prompt allows it, then of the user,
 * then of the suite.
 */
#ifndef CO_HARVEST_REQUEST_H
#define CO_HARVEST_REQUEST_H

#include "base/buf.h"
#include "base/err.h"
#include "repo/settings.h"

enum request_kind {
	REQUEST_HARVEST,   /* for the JSON of reply.h */
	REQUEST_SUMMARIZE, /* for a text, of a part of a long conversation */
	REQUEST_MERGE /* for a text, of memories, which stand in its place */
};
#define REQUEST_KINDS 3

struct request_prompts {
	struct buf text[REQUEST_KINDS];
	char *path[REQUEST_KINDS];
	char *unused; /* a project's, which is not allowed; or NULL */
	bool edited;  /* one of them is not the suite's */
};

/* Find them, S being the user's settings and ARGV0 what the program was called
 * as.  Release with request_release(), whatever it returns.  ERR_SYSTEM: there is
 * none; ERR_DATA. */
int request_find(struct request_prompts *p, const struct settings *s,
		 const char *argv0, struct err *e);
void request_release(struct request_prompts *p);

/* Append the request of KIND about the conversation NAME, of which the LEN bytes
 * at TEXT are what was said; RETRY asks again, after a reply that was no JSON. */
void request_compose(struct buf *out, const struct request_prompts *p,
		     enum request_kind kind, const char *name, const char *text,
		     size_t len, bool retry);

#endif
