/* llm.h: the language model that the user's settings name.
 *
 * Provider "http" is co-model-http; "command" is a program of the user that
 * reads a prompt and prints a reply, such as `claude -p`. Both are helper
 * processes, which may be slow or fail. A project's settings cannot change any
 * of this.
 */
#ifndef CO_MODEL_LLM_H
#define CO_MODEL_LLM_H

#include "base/buf.h"
#include "base/err.h"
#include "repo/settings.h"

struct llm;

/* Prepare the model of the settings S; ARGV0 is argv[0] of this program.
 * Returns 1 and sets *L, which the caller frees with llm_close() before S; 0 if
 * S names no model; or -1 with ERR_HELPER if it cannot be used. Runs no
 * program. */
int llm_open(const struct settings *s, const char *argv0, struct llm **l,
	     struct err *e);
void llm_close(struct llm *l);

/* Return the model's name for people, borrowed: "m at http://127.0.0.1:11434",
 * "claude -p". */
const char *llm_name(const struct llm *l);

/* Send PROMPT to the model and replace the contents of REPLY by its reply.
 * Returns 0, or -1 with ERR_HELPER. */
int llm_ask(struct llm *l, const struct buf *prompt, struct buf *reply,
	    struct err *e);

/* Check within two seconds, without a prompt, that the server answers or the
 * program exists. Returns 0, or -1 with ERR_HELPER. */
int llm_check(struct llm *l, struct err *e);

/* Return the command line that runs the model, NULL-terminated and borrowed.
 * Its array has room for one more word. */
const char **llm_words(struct llm *l);

/* Return true if the model is an HTTP server. */
bool llm_is_http(const struct llm *l);

#endif
