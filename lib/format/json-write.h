/* json-write.h: write JSON, one compact text per line.
 *
 * Controls, DEL and C1 are escaped as \n, \t or \u00XX, so that JSON is safe on
 * a terminal. Everything else is written as UTF-8.
 */
#ifndef CO_FORMAT_JSON_WRITE_H
#define CO_FORMAT_JSON_WRITE_H

#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

/* Append P as a JSON string with its quotes. Bytes that are not UTF-8 become
 * U+FFFD; to lose nothing, check first. */
void json_write_str(struct buf *out, const char *p, size_t len);

/* Write an object or a list step by step. Each call writes a comma before its
 * item if the last byte of OUT requires one, but not at the start of a line.
 * KEY is NULL in a list; C is one of {}[]; S may be NULL, for null.
 * json_write_texts() writes a whole list of N strings, and json_write_given()
 * nothing if S is NULL. json_write_end() closes the object of a line. */
void json_write_open(struct buf *out, const char *key, char c);
void json_write_close(struct buf *out, char c);
void json_write_end(struct buf *out);
void json_write_text(struct buf *out, const char *key, const char *s);
void json_write_given(struct buf *out, const char *key, const char *s);
void json_write_texts(struct buf *out, const char *key,
		      const char *const *items, size_t n);
void json_write_bytes(struct buf *out, const char *key, const char *p,
		      size_t len);
void json_write_int(struct buf *out, const char *key, int64_t i);
void json_write_size(struct buf *out, const char *key, size_t n);
void json_write_bool(struct buf *out, const char *key, bool b);

/* Write an item whose value is RAW, which is JSON already; or write only the
 * key, and the caller appends the value. */
void json_write_raw(struct buf *out, const char *key, const char *raw);
void json_write_key(struct buf *out, const char *key);

/* Return the first value in V, itself included, that JSON cannot represent, or
 * NULL: a NaN, an infinity, an integer beyond 64 bits, or a string that is not
 * UTF-8. */
const struct value *json_write_unfit(const struct value *v);

/* Append V. Returns 0, or -1 with ERR_DATA and nothing appended if JSON cannot
 * represent it. */
int json_write_value(struct buf *out, const struct value *v, struct err *e);

#endif
