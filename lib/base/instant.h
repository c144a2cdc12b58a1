/* instant.h: points in time.
 *
 * Read and written as ISO 8601; always written in UTC. Compare instants, never
 * their strings: 15:00+09:00 is before 14:30Z.
 */
#ifndef CO_BASE_INSTANT_H
#define CO_BASE_INSTANT_H

#include "base/base.h"

struct instant {
	int64_t sec;  /* since 1970-01-01T00:00:00Z */
	int32_t nsec; /* 0 to 999999999 */
};

/* Size of a buffer for instant_format(). */
#define INSTANT_TEXT 32

/* Return the current time, or the fixed time in the environment variable CO_NOW
 * (ISO 8601), for tests and examples. An invalid CO_NOW is ignored here;
 * programs refuse to start with it. */
struct instant instant_now(void);

/* Parse YYYY-MM-DDTHH:MM:SS with an optional fraction and an optional zone (Z,
 * +HH:MM, +HHMM, +HH); without a zone it is UTC. Returns false unless all LEN
 * bytes at P are such a time and the date exists. */
bool instant_parse(const char *p, size_t len, struct instant *out);

/* Like instant_parse(), but also accept a bare day, YYYY-MM-DD: its first
 * instant. */
bool instant_parse_day(const char *p, size_t len, struct instant *out);

/* Write T to OUT as 2026-02-09T14:30:00Z, without the fraction. Returns OUT. */
char *instant_format(struct instant t, char out[INSTANT_TEXT]);

/* Write T to OUT as 20260209T143000Z, for file names. Returns OUT. */
char *instant_format_name(struct instant t, char out[INSTANT_TEXT]);

/* Return -1, 0 or 1 if A is before, equal to or after B. */
int instant_cmp(struct instant a, struct instant b);

/* Return the monotonic clock, which is never set: for deadlines and
 * durations. */
uint64_t instant_monotonic_ns(void);
int64_t instant_monotonic_ms(void);

/* Return the processor time that this process has used. */
uint64_t instant_processor_ns(void);

#endif
