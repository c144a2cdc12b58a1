/* rpc.h: JSON-RPC 2.0: the form of messages and answers.
 *
 * It knows no methods. Codes, names and messages of errors are those of the Model
 * Context Protocol (see co-mcp(5)).
 */
#ifndef CO_MCP_RPC_H
#define CO_MCP_RPC_H

#include "base/buf.h"
#include "format/json-read.h"

enum rpc_code {
	RPC_PARSE = -32700,   /* not JSON */
	RPC_REQUEST = -32600, /* not a message, or one over a limit */
	RPC_METHOD = -32601,  /* unknown method */
	RPC_PARAMS = -32602,  /* invalid parameters */
	RPC_INTERNAL = -32603,
	RPC_ABSENT = -32002,	 /* no such resource, before 2026-07-28 */
	RPC_CAPABILITY = -32021, /* the client lacks a capability */
	RPC_VERSION = -32022	 /* no such version of the protocol */
};

#define RPC_VALUES_MAX ((size_t)100000) /* in one message */

enum rpc_kind {
	RPC_CALL,   /* id and method: it must be answered */
	RPC_NOTE,   /* only a method: it is never answered */
	RPC_ANSWER, /* to one of our calls */
	RPC_BROKEN  /* anything else */
};

/* A message. Everything is borrowed from the value that was read. */
struct rpc {
	enum rpc_kind kind;
	const struct value *id; /* a string or an integer; NULL without */
	const struct value *method;
	const struct value *params; /* NULL where there are none */
	const struct value *result, *error;
};

/* Fill M from the message V. */
void rpc_read(struct rpc *m, const struct value *v);

/* Parse one line, which is repaired in place (see json_mend). *OUT is allocated in
 * A. Return 0, or the code to answer with. */
int rpc_parse(char *p, size_t len, struct arena *a, struct value *out);

/* Append ID, a string or an integer, under KEY. */
void rpc_id(struct buf *out, const char *key, const struct value *id);

/* Append an answer, a result or an error with a CODE of enum rpc_code. If ID is NULL,
 * the answer has no "id". RESULT is JSON; DATA is JSON, or NULL for none. */
void rpc_result(struct buf *out, const struct value *id, const char *result);
void rpc_error(struct buf *out, const struct value *id, int code,
	       const char *text, const char *data);

/* Append a notification, or a call with the ID unless it is NULL. PARAMS is JSON. */
void rpc_send(struct buf *out, const char *id, const char *method,
	      const char *params);

#endif
