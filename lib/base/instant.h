/* instant.h: points in time.
 *
 * Read and written as ISO 8601, always shown in UTC.  Compared as instants,
 * never as strings: 15:00+09:00 is before 14:30Z.
 */
#ifndef CO_BASE_INSTANT_H
#define CO_BASE_INSTANT_H

#include "base/base.h"

struct instant {
	int64_t sec;  /* since 1970-01-01T00:00:00Z */
	int32_t nsec; /* 0 to 999999999 */
};

/* Room for what instant_format() writes. */
#define INSTANT_TEXT 32

/* The present; CO_NOW in the environment, an ISO 8601 time, stands still in
 * its place, for tests and examples.  An unreadable CO_NOW is ignored here;
 * programs refuse to start with it. */
struct instant instant_now(void);

/* Read YYYY-MM-DDTHH:MM:SS with an optional fraction and an optional zone (Z,
 * +HH:MM, +HHMM, +HH); no zone means UTC.  True if the LEN bytes of P are
 * that, whole, and the date exists. */
bool instant_parse(const char *p, size_t len, struct instant *out);

/* The same, or a bare day, YYYY-MM-DD, which is its first instant. */
bool instant_parse_day(const char *p, size_t len, struct instant *out);

/* Write T as 2026-02-09T14:30:00Z, without its fraction; returns OUT. */
char *instant_format(struct instant t, char out[INSTANT_TEXT]);

/* The same squeezed for file names: 20260209T143000Z. */
char *instant_format_name(struct instant t, char out[INSTANT_TEXT]);

/* -1, 0 or 1 as A is before, at or after B. */
int instant_cmp(struct instant a, struct instant b);

/* A clock that nobody sets, for deadlines and what took how long. */
uint64_t instant_monotonic_ns(void);
int64_t instant_monotonic_ms(void);

/* What this process has had of the processors. */
uint64_t instant_processor_ns(void);

#endif
