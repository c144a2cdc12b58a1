/* time-phrases.h: find the times that a question mentions: today, last week, in
 * October, May 2025, June 15th, 21.01.2024.
 *
 * It knows phrases of English, German, French, Spanish and Chinese that mean
 * little else. A month or a day without a year is the latest one that has begun;
 * time_phrase_in_year() gives the others.
 * Days are the user's, by TZ; weeks begin on Mondays.
 */
#ifndef CO_RANK_TIME_PHRASES_H
#define CO_RANK_TIME_PHRASES_H

#include "base/date.h"

#define TIME_PHRASES_MAX 4
#define TIMES_WORDS_MAX 256  /* more words are not searched */
#define TIMES_BYTES_MAX 8192 /* nor more bytes */

struct time_phrase {
	struct date when;
	struct date around; /* the month of a day; else equal to WHEN */
	int month, day;	   /* without a year, else 0; DAY 0: all of the month */
	size_t start, end; /* the bytes of the phrase */
};

/* Fill OUT with the time phrases in the LEN bytes of P. Return their number. */
size_t time_phrases_find(struct time_phrase out[TIME_PHRASES_MAX],
			 const char *p, size_t len);

/* Move T, which has a month, to YEAR. Return false if there is no such date. */
bool time_phrase_in_year(struct time_phrase *t, int year);

#endif
