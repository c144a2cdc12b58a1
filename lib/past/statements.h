/* statements.h: let a model put what candidates say into statements. */
#ifndef CO_PAST_STATEMENTS_H
#define CO_PAST_STATEMENTS_H

#include "harvest/harvest.h"
#include "past/candidates.h"

/* Append the candidates of C as the text of a request, at most CONVERSATION_PART bytes
 * and the best ones first.  Returns how many. */
size_t statements_compose(struct buf *out, const struct candidates *c);

/* Replace the candidates of C by the facts, decisions and playbooks that the model of H
 * makes of them.  A statement cites the candidate with which it shares the most words;
 * one that shares none is dropped, since nothing supports it.  Returns 0 or -1:
 * ERR_HELPER, ERR_SYSTEM for a limit, ERR_NO if co itself started this program. */
int statements_ask(struct harvest *h, struct candidates *c, struct err *e);

#endif
