/* result.h: the answers of the tools of co mcp.
 *
 * The programs print records, one JSON object per line. An answer has them
 * twice: as text like that of the commands, and as an object with the same
 * records. All text in both is sanitized as for a prompt (see text/sanitize.h),
 * and each of the two has a size limit. Both warn of ids that several files
 * have.
 */
#ifndef CO_MCP_RESULT_H
#define CO_MCP_RESULT_H

#include "shown/shown.h"
#include "base/buf.h"
#include "base/err.h"
#include "mcp/cursor.h"

#define MCP_RESULT_RECALL_MAX ((size_t)9500) /* bytes of an answer of recall */
#define MCP_RESULT_LIST_MAX ((size_t)48000)
#define MCP_RESULT_SHOW_MAX ((size_t)100000)

/* The JSON schema of a memory that another contradicts. */
#define MCP_RESULT_REF_SCHEMA                                                 \
	"{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"}," \
	"\"scope\":{\"type\":\"string\"}}}"

/* An answer. A zeroed one is valid and empty. */
struct mcp_result {
	struct buf text;
	struct buf object;	  /* JSON; empty for none */
	struct shown_items items; /* the memories in it */
	struct shown_words words; /* of the query, that they have */
	bool conversation;	  /* it has turns of conversations */
	bool error;		  /* the tool failed; the text says why */
};

void mcp_result_release(struct mcp_result *r);

/* Fill R, which is empty, with the answer to QUERY from the LEN bytes of
 * records at P, the best first. A memory that is too long is cut at the end of
 * a line, and says so; the last ones are left out first. Return 0, or -1:
 * ERR_DATA if the records are malformed, here and below. */
int mcp_result_recall(struct mcp_result *r, const char *p, size_t len,
		      const char *query, struct err *e);

/* Fill R with all memories by id or, unless BEFORE is NULL, those before it. If
 * they are too many, the oldest ids are left out, and the answer says how to
 * get them. */
int mcp_result_list(struct mcp_result *r, const char *p, size_t len,
		    const struct cursor *before, struct err *e);

/* Fill R with one memory, with all files that have its id, or with only the one
 * called FILE, unless that is NULL. The object is the first one, with the other
 * records as "others". With SUMS each has the sha256 of its file, also in the text.
 * ASKED, unless it is 0, is the id that the client asked for: a memory that a
 * repair gave another id says so. ERR_DATA also if there is none. */
int mcp_result_show(struct mcp_result *r, const char *p, size_t len,
		    int64_t asked, const char *file, bool sums, struct err *e);

/* Fill R with a failure: WHAT, then what the program wrote to standard error,
 * sanitized, without its name and without hints for people. */
void mcp_result_failure(struct mcp_result *r, const char *what, const char *p,
			size_t len);

/* Append "outputSchema", the JSON schema of the objects that mcp_result_recall(),
 * mcp_result_list() and mcp_result_show() make. */
void mcp_result_recall_schema(struct buf *out);
void mcp_result_list_schema(struct buf *out);
void mcp_result_show_schema(struct buf *out);

/* Append R as the result of tools/call, without its braces. OBJECT: the client
 * knows structured content. */
void mcp_result_json(struct buf *out, const struct mcp_result *r, bool object);

#endif
