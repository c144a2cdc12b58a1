/* instant.c: any bytes as a time.
 *
 * Properties: a time equals the result of the C library's calendar, and reads
 * back after it is written; a date that a person types begins before it
 * ends.
 */
#include "../fuzz.h"

#include "base/date.h"

#include <time.h>

static void must_be_calendar(struct instant t, const char *text)
{
	const time_t sec = (time_t)t.sec;
	struct tm tm;
	char want[INSTANT_TEXT];

	must(gmtime_r(&sec, &tm) != NULL, "a time has a date");
	strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%SZ", &tm);
	must(tm.tm_year < 1000 - 1900 || !strcmp(text, want),
	     "the calendar agrees");
}

static void typed(const char *p, size_t len)
{
	struct date date;

	must(date_ago(p, len) <= len, "a word is inside the text");
	if (date_parse(p, len, &date))
		must(instant_cmp(date.first, date.last) <= 0,
		     "a date begins before its end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data;
	char text[INSTANT_TEXT], name[INSTANT_TEXT];
	struct instant t, back;

	typed(p, size);
	if (!instant_parse(p, size, &t))
		return 0;
	must(t.nsec >= 0 && t.nsec < 1000000000, "a fraction is below one");
	instant_format(t, text);
	instant_format_name(t, name);
	must(strlen(name) + 4 == strlen(text), "both forms give the same time");
	if (t.sec < -62135596800 || t.sec > 253402300799)
		return 0; /* the zone moved it out of the four-digit years */
	must_be_calendar(t, text);
	must(instant_parse(text, strlen(text), &back) && back.sec == t.sec,
	     "a written time reads back");
	return 0;
}
