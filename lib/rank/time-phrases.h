/* time-phrases.h: find the times that a question mentions: today, last week, in
 * October, May 2025.
 *
 * It knows phrases of English, German, French, Spanish and Chinese that mean
 * little else. A month without a year is the latest one that has begun. Days
 * are the user's, by TZ; weeks begin on Mondays.
 */
#ifndef CO_RANK_TIME_PHRASES_H
#define CO_RANK_TIME_PHRASES_H

#include "base/date.h"

#define TIME_PHRASES_MAX 4
#define TIMES_WORDS_MAX 32   /* a longer question is taken for a text */
#define TIMES_BYTES_MAX 1024 /* likewise, for scripts without blanks */

struct time_phrase {
	struct date when;
	size_t start, end; /* the bytes of the phrase */
};

/* Fill OUT with the time phrases in the LEN bytes of P. Return their number. */
size_t time_phrases_find(struct time_phrase out[TIME_PHRASES_MAX],
			 const char *p, size_t len);

#endif
