/* result.h: what the tools of co mcp answer with.
 *
 * The plumbing prints records, one JSON object a line; here they become an
 * answer twice over: a text as the commands print it, and an object with the
 * same records.  Every text in both is clean as what goes to a prompt is (see
 * text/sanitize.h), and each of the two keeps within a budget.  Both warn of
 * ids that more than one of these files has.
 */
#ifndef CO_MCP_RESULT_H
#define CO_MCP_RESULT_H

#include "shown/shown.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "mcp/cursor.h"

#define MCP_RESULT_RECALL_MAX ((size_t)9500) /* bytes of an answer of recall */
#define MCP_RESULT_LIST_MAX ((size_t)48000)
#define MCP_RESULT_SHOW_MAX ((size_t)100000)

/* The JSON schema of a memory that another contradicts. */
#define MCP_RESULT_REF_SCHEMA                                                 \
	"{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"}," \
	"\"scope\":{\"type\":\"string\"}}}"

/* Zeroed is valid and empty. */
struct mcp_result {
	struct buf text;
	struct buf object;	  /* JSON; empty for none */
	struct shown_items items; /* the memories in it */
	struct shown_words words; /* of the query, that they have */
	bool error;		  /* the tool failed; the text says why */
};

void mcp_result_release(struct mcp_result *r);

/* Fill R, which is empty, from the LEN bytes of records at P.  ERR_DATA: they
 * are none. */

/* The answer to QUERY, best first.  Memories that are too long for the budget
 * are cut at the end of a line and say so; those at the end go first. */
int mcp_result_recall(struct mcp_result *r, const char *p, size_t len,
		      const char *query, struct err *e);

/* All memories, by id, or, unless BEFORE is NULL, those before it.  Where they
 * are too many the oldest ids go first, and the answer says how to get them. */
int mcp_result_list(struct mcp_result *r, const char *p, size_t len,
		    const struct cursor *before, struct err *e);

/* One memory, or each of the files that bear its id, or of these the one called
 * FILE, unless that is NULL: the object is the first, with the records of the
 * others as "others".  With SUMS each has the sha256 of its file, in the text
 * too.  ASKED, unless it is 0, is the id that was asked for: a memory that has
 * another one since a repair says so.  ERR_DATA as well where there is none. */
int mcp_result_show(struct mcp_result *r, const char *p, size_t len,
		    int64_t asked, const char *file, bool sums, struct err *e);

/* Fill R with a failure: what the program wrote to standard error, without its
 * name, without hints for people, and clean, WHAT in front. */
void mcp_result_failure(struct mcp_result *r, const char *what, const char *p,
			size_t len);

/* Append "outputSchema", the JSON schema of the objects that mcp_result_recall(),
 * mcp_result_list() and mcp_result_show() make. */
void mcp_result_recall_schema(struct buf *out);
void mcp_result_list_schema(struct buf *out);
void mcp_result_show_schema(struct buf *out);

/* Append R as the result of tools/call, without its braces; OBJECT tells
 * whether the client knows of structured content. */
void mcp_result_json(struct buf *out, const struct mcp_result *r, bool object);

#endif
