/* prompt.h: the system prompt, put together of its layers.
 *
 *	system.md                   the user's, else the one of the suite
 *	personalities/NAME.md       the same, where one is asked for
 *	the always-loaded context   as context.h has it, wrapped
 *	{knowledge}                 the digests, see digest-block.h
 *	instructions.md             the project's
 *
 * A layer that is absent or blank leaves nothing behind.  The first two and
 * the last may have parts for one provider alone (see conditional.h).  No layer
 * can close or fake the wrapper of the context, and no marker of a conditional
 * is left in the text, wherever it came from.
 *
 * What is wrong with the context never stops a prompt; a prompt that would
 * lack another of its layers is none.
 */
#ifndef CO_AGENT_PROMPT_H
#define CO_AGENT_PROMPT_H

#include "agent/context.h"

#define PROMPT_FILE_MAX (1024 * 1024)

enum prompt_part { PROMPT_SYSTEM, PROMPT_PERSONALITY, PROMPT_INSTRUCTIONS };
#define PROMPT_PARTS 3

struct prompt_ask {
	const char *provider;	 /* NULL: none that a conditional names */
	const char *personality; /* a name, never a path; NULL for none */
	const char *argv0;	 /* see sys/execpath.h */
};

struct prompt {
	struct buf text; /* ends in a newline, or is empty */
	struct context context;
	size_t digest; /* bytes of the digests in the text */
	/* What the other layers gave. */
	struct {
		char *path;  /* NULL where there is none */
		size_t size; /* bytes in the text */
	} parts[PROMPT_PARTS];
};

/* "system", "personality", "instructions". */
const char *prompt_part_name(enum prompt_part part);

/* Assemble P as ASK says; complaints of the context go to R.  Release with
 * prompt_release(), whatever it returns.  ERR_USAGE: a name that can be none;
 * ERR_NO: no such personality, those there are named; ERR_DATA: a conditional
 * that is malformed or unbalanced, a file that is none; ERR_SYSTEM. */
int prompt_assemble(struct prompt *p, const struct prompt_ask *ask,
		    const struct report *r, struct err *e);
void prompt_release(struct prompt *p);

#endif
