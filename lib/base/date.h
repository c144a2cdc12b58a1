/* date.h: dates as a person types them.
 *
 *   2026  2026-10  2026-10-31            a year, a month, a day
 *   2026-10-31T14:30  2026-10-31 14:30:05Z   a minute, an instant
 *   now  today  yesterday  "2 weeks ago"  2.weeks.ago
 *
 * They are the user's, by TZ, unless a zone stands behind a time.  What was a
 * number of days, weeks, months or years ago is a day; of hours, minutes or
 * seconds, an instant.
 */
#ifndef CO_BASE_DATE_H
#define CO_BASE_DATE_H

#include "base/err.h"
#include "base/instant.h"

/* For complaints. */
#define DATE_FORMS                                                            \
	"expected YYYY, YYYY-MM, YYYY-MM-DD, YYYY-MM-DDTHH:MM:SS, yesterday " \
	"or '2 weeks ago'"

struct date {
	struct instant first, last; /* all of it, both inclusive */
};

/* True if the LEN bytes of P are a date, whole, that exists. */
bool date_parse(const char *p, size_t len, struct date *out);

enum date_span { DATE_DAY, DATE_WEEK, DATE_MONTH, DATE_YEAR };

/* The whole SPAN that was N before the present one; weeks begin on Mondays.
 * False where the clock cannot tell. */
bool date_past(enum date_span span, int n, struct date *out);

/* MONTH, 1 to 12, of YEAR, or with 0 all of it; of year 0, the latest such month
 * that has begun. */
bool date_month(int year, int month, struct date *out);

/* Its first instant as instant_format() writes it, in OUT; TEXT itself where that
 * is none: the store refuses it, once it has looked for secrets. */
const char *date_utc(const char *text, char out[INSTANT_TEXT]);

/* For complaints of what follows. */
#define DATE_SPANS "10d, 2w, 3m, 1y"

/* The day in UTC that SPAN leads to from FROM, in OUT; a month after the 31st is
 * the last day of a shorter one.  False where it is none, or too long. */
bool date_after(const char *span, struct instant from, char out[INSTANT_TEXT]);

/* What TEXT, a date to come or a span from today, is in a file: a day that was
 * typed, or a span leads to, is that day, which is UTC there; all else its last
 * instant.  0 and OUT; -1: ERR_USAGE, it is neither, or has passed. */
int date_ahead(const char *text, char out[INSTANT_TEXT], struct err *e);

/* The day that the user's clocks show at T, as 2026-02-09; returns OUT. */
#define DATE_DAY 16
char *date_day(struct instant t, char out[DATE_DAY]);

/* The length of "2 weeks ago" where P begins so, with a blank or an end behind
 * it, else 0. */
size_t date_ago(const char *p, size_t len);

#endif
