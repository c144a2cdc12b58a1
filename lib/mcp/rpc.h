/* rpc.h: JSON-RPC 2.0: what a message is, and how it is answered.
 *
 * Knows nothing of methods.  Numbers, names and messages of errors are those
 * of the Model Context Protocol (see co-mcp(5)).
 */
#ifndef CO_MCP_RPC_H
#define CO_MCP_RPC_H

#include "base/buf.h"
#include "format/json-read.h"

enum rpc_code {
	RPC_PARSE = -32700,   /* no JSON */
	RPC_REQUEST = -32600, /* no message, or one beyond a limit */
	RPC_METHOD = -32601,  /* unknown method */
	RPC_PARAMS = -32602,  /* what it is called with cannot be */
	RPC_INTERNAL = -32603,
	RPC_ABSENT = -32002,	 /* no such resource, before 2026-07-28 */
	RPC_CAPABILITY = -32021, /* the client lacks what is needed */
	RPC_VERSION = -32022	 /* no such version of the protocol */
};

#define RPC_VALUES_MAX ((size_t)100000) /* in one message */

enum rpc_kind {
	RPC_CALL,   /* id and method: wants an answer */
	RPC_NOTE,   /* a method alone: gets none, whatever is wrong with it */
	RPC_ANSWER, /* to a call of ours */
	RPC_BROKEN  /* anything else */
};

/* One message; everything is borrowed from the value it was read from. */
struct rpc {
	enum rpc_kind kind;
	const struct value *id; /* a string or an integer; NULL without */
	const struct value *method;
	const struct value *params; /* NULL where there are none */
	const struct value *result, *error;
};

/* Read the message that V is. */
void rpc_read(struct rpc *m, const struct value *v);

/* Parse one line, which is mended on the way (see json_mend); *OUT lives in A.
 * Returns 0, or the code to answer with. */
int rpc_parse(char *p, size_t len, struct arena *a, struct value *out);

/* Append an answer.  ID may be NULL: it is then left out.  RESULT is JSON;
 * DATA is JSON or NULL. */
void rpc_result(struct buf *out, const struct value *id, const char *result);
void rpc_error(struct buf *out, const struct value *id, int code,
	       const char *text, const char *data);

/* Append a notification, or, with an ID, a call.  PARAMS is JSON. */
void rpc_send(struct buf *out, const char *id, const char *method,
	      const char *params);

#endif
