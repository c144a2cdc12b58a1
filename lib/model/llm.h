/* llm.h: the model that the user's settings name, asked for a reply.
 *
 * http is co-model-http; command is a program of the user's that reads a prompt
 * and prints a reply, as `claude -p`.  Both are helpers: slow, and maybe down.  A
 * project's settings never name any of it.
 */
#ifndef CO_MODEL_LLM_H
#define CO_MODEL_LLM_H

#include "base/buf.h"
#include "base/err.h"
#include "repo/settings.h"

struct llm;

/* Get ready what S asks for; ARGV0 is what the program was called as.  1 (*L is
 * yours, release with llm_close(); S outlives it), 0: S wants none, -1: it cannot
 * be had (ERR_HELPER).  Nothing is run yet. */
int llm_open(const struct settings *s, const char *argv0, struct llm **l,
	     struct err *e);
void llm_close(struct llm *l);

/* What it is, for people: "m at http://127.0.0.1:11434", "claude -p"; borrowed. */
const char *llm_name(const struct llm *l);

/* Give it PROMPT, and put its reply in the place of REPLY's contents.
 * ERR_HELPER. */
int llm_ask(struct llm *l, const struct buf *prompt, struct buf *reply,
	    struct err *e);

/* See whether it answers, within two seconds and without asking it anything: the
 * server, or that there is such a program.  ERR_HELPER. */
int llm_check(struct llm *l, struct err *e);

/* The command line that asks it, NULL-terminated, with room for one word more;
 * borrowed. */
const char **llm_words(struct llm *l);

/* True if it is a server. */
bool llm_is_http(const struct llm *l);

#endif
