/* time-phrases.h: what a question says of when: today, last week, in October,
 * May 2025.
 *
 * English, German, French, Spanish and Chinese are known, with the words that
 * mean little else.  A month without a year is the latest that has begun.  The
 * days are the user's, by TZ, and weeks begin on Mondays.
 */
#ifndef CO_RANK_TIME_PHRASES_H
#define CO_RANK_TIME_PHRASES_H

#include "base/date.h"

#define TIME_PHRASES_MAX 4
#define TIMES_WORDS_MAX 32   /* of a question; what is longer is a text */
#define TIMES_BYTES_MAX 1024 /* the same where no blanks part words */

struct time_phrase {
	struct date when;
	size_t start, end; /* the bytes that say so */
};

/* Fill OUT with what LEN bytes of P say; how many there are. */
size_t time_phrases_find(struct time_phrase out[TIME_PHRASES_MAX],
			 const char *p, size_t len);

#endif
