/* json-write.h: writing JSON, one compact text a line.
 *
 * Controls, DEL and C1 are written as \n, \t or \u00XX, so that JSON may go
 * to a terminal; all else is UTF-8 as it stands.
 */
#ifndef CO_FORMAT_JSON_WRITE_H
#define CO_FORMAT_JSON_WRITE_H

#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

/* Append P as a JSON string, quotes included.  Bytes that are no UTF-8 become
 * U+FFFD: check first where nothing may be lost. */
void json_write_str(struct buf *out, const char *p, size_t len);

/* Write an object or a list piece by piece: each call puts the comma before
 * itself where one is due; a line begins without.  KEY is NULL in a list; C is
 * one of {}[]; S may be NULL, for null. */
void json_write_open(struct buf *out, const char *key, char c);
void json_write_close(struct buf *out, char c);
void json_write_text(struct buf *out, const char *key, const char *s);
void json_write_bytes(struct buf *out, const char *key, const char *p,
		      size_t len);
void json_write_int(struct buf *out, const char *key, int64_t i);
void json_write_size(struct buf *out, const char *key, size_t n);
void json_write_bool(struct buf *out, const char *key, bool b);

/* The same with RAW, JSON already; with a value that the caller appends. */
void json_write_raw(struct buf *out, const char *key, const char *raw);
void json_write_key(struct buf *out, const char *key);

/* The first value in V, itself included, that JSON cannot hold, NULL when
 * there is none: a NaN, an infinity, an integer beyond 64 bits, a string that
 * is no UTF-8. */
const struct value *json_write_unfit(const struct value *v);

/* Append V.  ERR_DATA, and nothing appended, where JSON cannot hold it. */
int json_write_value(struct buf *out, const struct value *v, struct err *e);

#endif
