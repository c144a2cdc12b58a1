/* reads.h: what the sessions of agents have read from outside: pages and searches of the
 * web, tools of other servers, memories that others wrote.
 *
 * Each is a line of JSON in $XDG_STATE_HOME/co-cli/shown/reads.jsonl, {"at","agent",
 * "session","read"}. All projects share the file, since an agent may go to another
 * directory in a session. It is not the ledger of memories, whose many lines would push
 * these out.
 */
#ifndef CO_SHOWN_READS_H
#define CO_SHOWN_READS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/strings.h"

#define READS_MAX 8	    /* places of a session that are named */
#define READS_SECONDS 86400 /* see reads_recent() */
#define READS_PAGE 200	    /* bytes that name a page or a tool */

/* Append the address of the page at URL, without password, query and fragment, at most
 * READS_PAGE bytes. Return false if URL is none of the web. */
bool reads_add_page(struct buf *out, const char *url);

/* Note that SESSION ("": unknown) of AGENT has read text from FROM. If the line
 * cannot be written, that is noted instead: see reads_find(). */
void reads_note(const char *agent, const char *session, const char *from);

/* Add to FROM, in A, where SESSION of AGENT has read text, each place once. A server
 * knows the sessions of few agents: with SESSION "", all reads of AGENT at SINCE, in
 * seconds, or later count, and of a SESSION those that were noted without one. If the
 * file cannot be used, or a line could not be written since then, FROM gets a place that
 * says so: the session may have read something. Return 0, or -1 if the file cannot be
 * used. */
int reads_find(struct strings *from, const char *agent, const char *session,
	       int64_t since, struct arena *a, struct err *e);

/* Return SINCE for a session that is not over: READS_SECONDS ago. */
int64_t reads_recent(void);

/* Note that SESSION of AGENT has read what reads_find() finds for EARLIER, which it
 * continues; "": it continues an unknown one. */
void reads_carry(const char *agent, const char *earlier, const char *session);

#endif
