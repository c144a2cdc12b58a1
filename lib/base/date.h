/* date.h: dates in the forms that people type.
 *
 *   2026  2026-10  2026-10-31            a year, a month, a day
 *   2026-10-31T14:30  2026-10-31 14:30:05Z   a minute, an instant
 *   now  today  yesterday  "2 weeks ago" 2.weeks.ago  2w  7d  3m  1y
 *   monday  "this week" "last month"
 *
 * A date is local time (TZ), unless a zone follows the time. "N days, weeks,
 * months or years ago" is a whole day; "N hours, minutes or seconds ago" is an
 * instant.
 */
#ifndef CO_BASE_DATE_H
#define CO_BASE_DATE_H

#include "base/err.h"
#include "base/instant.h"

/* Accepted forms, for error messages. */
#define DATE_FORMS                                                             \
	"expected YYYY, YYYY-MM, YYYY-MM-DD, YYYY-MM-DDTHH:MM:SS, yesterday, " \
	"7d, 2w, 'last week' or '2 weeks ago'"

struct date {
	struct instant first, last; /* the whole date, both ends inclusive */
};

/* Parse the LEN bytes at P. Returns false unless all of them are a date that
 * exists. */
bool date_parse(const char *p, size_t len, struct date *out);

enum date_span { DATE_DAY, DATE_WEEK, DATE_MONTH, DATE_YEAR };

/* Set OUT to the whole SPAN that lies N spans before the current one (0: the
 * current one). Weeks begin on Monday. Returns false if the clock fails. */
bool date_past(enum date_span span, int n, struct date *out);

/* Set OUT to DAY (0: all days) of MONTH (1 to 12; 0: all months) of YEAR. YEAR 0:
 * the year in which this month, or this day, last began. Returns false if the clock
 * fails or there is no such date. */
bool date_calendar(int year, int month, int day, struct date *out);

/* Set OUT to the month in which the local day of T is. Returns false if T has no
 * local time. */
bool date_month_of(struct instant t, struct date *out);

/* Return the first instant of the date TEXT as instant_format() writes it, in
 * OUT. If TEXT is not a date, return TEXT itself: the store rejects it later,
 * after its check for secrets. */
const char *date_utc(const char *text, char out[INSTANT_TEXT]);

/* Forms of a span, for error messages. */
#define DATE_SPANS "10d, 2w, 3m, 1y"

/* Write to OUT the day that is SPAN after FROM, in UTC. A month after the 31st
 * is the last day of a shorter month. Returns false if SPAN is malformed, 0, or
 * too long (about 1,000 years); OUT is then undefined. */
bool date_after(const char *span, struct instant from, char out[INSTANT_TEXT]);

/* Convert TEXT, a future date or a span from now (DATE_SPANS), to the form that
 * files have, and write it to OUT. YYYY-MM-DD is copied, and a span becomes
 * such a day; both are days of UTC. Any other date, such as 2026 or
 * 2026-10-31T14:30, becomes its last instant. Returns 0, or -1 with ERR_USAGE
 * if TEXT is malformed or has passed; OUT is then undefined. */
int date_ahead(const char *text, char out[INSTANT_TEXT], struct err *e);

/* Write the local day at T, such as 2026-02-09, to OUT. Returns OUT. */
#define DATE_DAY_TEXT 16
char *date_day(struct instant t, char out[DATE_DAY_TEXT]);

/* Write the local time T as people say it to OUT: "14:30 today", "14:30
 * yesterday" or "2026-02-09 14:30". Returns OUT. */
#define DATE_CLOCK 24
char *date_clock(struct instant t, char out[DATE_CLOCK]);

/* Return the length of an "N units ago" at the start of P that ends at a blank
 * or at the end of P, else 0. */
size_t date_ago(const char *p, size_t len);

#endif
