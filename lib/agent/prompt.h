/* prompt.h: assemble the system prompt from its layers.
 *
 *	system.md                   the user's, else the one of the suite
 *	personalities/NAME.md       likewise, if one is wanted
 *	the always-loaded context   see context.h; wrapped
 *	{knowledge}                 the digests, see digest-block.h
 *	instructions.md             the project's
 *
 * A layer that is absent or blank adds nothing. The first two and the last may have
 * parts for one provider only (see conditional.h). No layer can close or fake the
 * wrapper of the context, and no marker of a conditional remains in the text.
 *
 * An error in the context never stops a prompt; an error in another layer does.
 */
#ifndef CO_AGENT_PROMPT_H
#define CO_AGENT_PROMPT_H

#include "agent/context.h"

enum prompt_part { PROMPT_SYSTEM, PROMPT_PERSONALITY, PROMPT_INSTRUCTIONS };
#define PROMPT_PARTS 3

struct prompt_ask {
	const char *provider;	 /* NULL: no conditional text */
	const char *personality; /* a name, never a path; NULL for none */
	const char *argv0;	 /* see sys/execpath.h */
};

struct prompt {
	struct buf text; /* ends in a newline, or is empty */
	struct context context;
	size_t digest; /* bytes of the digests in the text */
	/* The other layers. */
	struct {
		char *path;  /* NULL: there is none */
		size_t size; /* bytes in the text */
	} parts[PROMPT_PARTS];
};

/* Return the name of PART: "system", "personality" or "instructions". */
const char *prompt_part_name(enum prompt_part part);

/* Assemble the prompt ASK in P. Errors of the context go to R. Release P with
 * prompt_release() in any case. Return 0, or -1: ERR_USAGE if a name is
 * invalid; ERR_NO if there is no such personality, with the names of those that
 * exist; ERR_DATA if a conditional is malformed, or a template is not a file;
 * ERR_SYSTEM. */
int prompt_assemble(struct prompt *p, const struct prompt_ask *ask,
		    const struct report *r, struct err *e);
void prompt_release(struct prompt *p);

#endif
