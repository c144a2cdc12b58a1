/* instant.c: any bytes as a time.
 *
 * Holds: what is read is what the C library's calendar says it is, and is
 * written as what reads back; a bound by the day is that day's.
 */
#include "fuzz.h"

#include "instant.h"

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

static void bound(const char *p, size_t len)
{
	struct instant first, last;

	if (!instant_parse_bound(p, len, false, &first)) {
		must(!instant_parse_bound(p, len, true, &last),
		     "no bound at one end is none at the other");
		return;
	}
	must(instant_parse_bound(p, len, true, &last), "a bound is two");
	must(instant_cmp(first, last) == (len == 10 ? -1 : 0),
	     "which are in order");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data;
	char text[INSTANT_TEXT], name[INSTANT_TEXT];
	struct instant t, back;

	bound(p, size);
	if (!instant_parse(p, size, &t))
		return 0;
	must(t.nsec >= 0 && t.nsec < 1000000000, "a fraction is below one");
	instant_format(t, text);
	instant_format_name(t, name);
	must(strlen(name) + 4 == strlen(text), "both forms are one time");
	if (t.sec < -62135596800 || t.sec > 253402300799)
		return 0; /* the zone moved it out of the four-digit years */
	must_be_calendar(t, text);
	must(instant_parse(text, strlen(text), &back) && back.sec == t.sec,
	     "what is written is read back");
	return 0;
}
