/* date.c: instant_parse() checks a date as if it were UTC. The C library then
 * converts it as local time. */
#include "base/date.h"

#include <time.h>

#define TEXT_MAX 48 /* longest date, in bytes */
#define SEPARATORS " .-_\t"
#define DAY_SECONDS 86400
#define DAY_LENGTH 10
#define YEARS_MOST 1000 /* longest span, converted to the unit */

enum unit { SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, YEAR };

static const char *const units[] = {"second", "minute", "hour", "day",
				    "week",   "month",	"year"};

/* Convert the local time TM, whose fields may be out of range, to OUT. Returns
 * false if mktime() cannot. */
static bool to_instant(struct tm tm, struct instant *out)
{
	tm.tm_isdst = -1;
	tm.tm_wday = -1; /* mktime() sets it on success */
	out->sec = mktime(&tm);
	out->nsec = 0;
	return tm.tm_wday >= 0;
}

/* Set OUT to the range from TM to the last nanosecond before NEXT. */
static bool set_range(struct date *out, struct tm tm, struct tm next)
{
	if (!to_instant(tm, &out->first) || !to_instant(next, &out->last))
		return false;
	out->last.sec--;
	out->last.nsec = 999999999;
	return true;
}

static bool set_day(struct date *out, struct tm tm)
{
	struct tm next;

	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	next = tm;
	next.tm_mday++;
	return set_range(out, tm, next);
}

static bool read_utc(const char *text, struct instant *t, struct tm *tm)
{
	time_t sec;

	if (!instant_parse(text, strlen(text), t))
		return false;
	sec = (time_t)t->sec;
	return gmtime_r(&sec, tm) != NULL;
}

/* Parse a year, month or day of LEN bytes as a range of local time. */
static bool parse_day(const char *p, size_t len, struct date *out)
{
	char text[TEXT_MAX];
	struct instant t;
	struct tm tm, next;

	if (len != 4 && len != 7 && len != 10)
		return false;
	snprintf(text, sizeof(text), "%.*s%sT00:00:00Z", (int)len, p,
		 len == 4   ? "-01-01"
		 : len == 7 ? "-01"
			    : "");
	if (!read_utc(text, &t, &tm))
		return false;
	next = tm;
	next.tm_year += len == 4;
	next.tm_mon += len == 7;
	next.tm_mday += len == 10;
	return set_range(out, tm, next);
}

/* Parse a day and a time, with optional seconds and an optional zone. */
static bool parse_time(const char *p, size_t len, struct date *out)
{
	char text[TEXT_MAX + 8];
	bool seconds, zone;
	struct tm tm;

	if (len < 16 || len > TEXT_MAX || (p[10] != 'T' && p[10] != ' '))
		return false;
	seconds = len > 16 && p[16] == ':';
	zone = memchr(p + 11, 'Z', len - 11) || memchr(p + 11, '+', len - 11) ||
	       memchr(p + 11, '-', len - 11);
	snprintf(text, sizeof(text), "%.10sT%.5s%s%.*s", p, p + 11,
		 seconds ? "" : ":00", (int)(len - 16), p + 16);
	if (!read_utc(text, &out->first, &tm))
		return false;
	out->last = out->first;
	if (!zone) {
		const int32_t nsec = out->first.nsec;

		if (!to_instant(tm, &out->first))
			return false;
		out->first.nsec = nsec;
		out->last = out->first;
	}
	if (!seconds) {
		out->last.sec += 59;
		out->last.nsec = 999999999;
	}
	return true;
}

static bool is_separator(char c)
{
	return c && strchr(SEPARATORS, c);
}

/* Return true if the LEN bytes at P are WORD, ignoring case. */
static bool is_word(const char *p, size_t len, const char *word)
{
	for (; len && *word; p++, word++, len--) {
		if ((*p | 0x20) != *word)
			return false;
	}
	return !len && !*word;
}

/* Advance *P past a word and the separators that follow it. Sets *WORD to the
 * start of the word and returns its length. */
static size_t next_word(const char **p, const char *end, const char **word)
{
	size_t len = 0;

	*word = *p;
	while (*p + len < end && !is_separator((*p)[len]) &&
	       (unsigned char)(*p)[len] > ' ')
		len++;
	*p += len;
	while (*p < end && is_separator(**p))
		++*p;
	return len;
}

/* Parse "N UNIT ago" at P; N may be "a" or "an". Returns its length, 0 if P
 * does not begin with it. */
static size_t read_ago(const char *p, size_t len, int *n, enum unit *unit)
{
	const char *at = p, *word;
	size_t size = next_word(&at, p + len, &word);

	*n = size == 1 && (*word | 0x20) == 'a';
	if (!*n && (!size || size > 6))
		return 0;
	for (size_t i = 0; i < size && (*word | 0x20) != 'a'; i++) {
		if (word[i] < '0' || word[i] > '9')
			return 0;
		*n = *n * 10 + (word[i] - '0');
	}
	size = next_word(&at, p + len, &word);
	if (size > 1 && (word[size - 1] | 0x20) == 's')
		size--;
	for (*unit = SECOND; *unit <= YEAR; ++*unit) {
		if (is_word(word, size, units[*unit]))
			break;
	}
	if (*unit > YEAR)
		return 0;
	size = next_word(&at, p + len, &word);
	return is_word(word, size, "ago") ? (size_t)(word + size - p) : 0;
}

size_t date_ago(const char *p, size_t len)
{
	enum unit unit;
	size_t taken;
	int n;

	taken = read_ago(p, len, &n, &unit);
	return taken == len || (unsigned char)p[taken] <= ' ' ? taken : 0;
}

/* Move TM N months back, to the last day of the month if it has no such day. */
static void subtract_months(struct tm *tm, int n)
{
	const int day = tm->tm_mday;
	struct tm back = *tm;

	back.tm_mon -= n;
	back.tm_hour = 12;
	back.tm_isdst = -1;
	tm->tm_mon -= n;
	if (mktime(&back) != -1 && back.tm_mday != day)
		tm->tm_mday -= back.tm_mday;
}

static bool set_ago(struct date *out, int n, enum unit unit)
{
	static const int seconds[] = {1, 60, 3600};
	struct instant now = instant_now();
	time_t sec = (time_t)now.sec;
	struct tm tm;

	if (unit <= HOUR) {
		now.sec -= (int64_t)n * seconds[unit];
		*out = (struct date){now, now};
		return true;
	}
	if (!localtime_r(&sec, &tm))
		return false;
	if (unit <= WEEK)
		tm.tm_mday -= unit == WEEK ? 7 * n : n;
	else
		subtract_months(&tm, unit == YEAR ? 12 * n : n);
	return set_day(out, tm);
}

static bool local_now(struct tm *tm)
{
	const time_t sec = (time_t)instant_now().sec;

	tzset();
	return localtime_r(&sec, tm) != NULL;
}

bool date_past(enum date_span span, int n, struct date *out)
{
	struct tm tm, next;

	if (!local_now(&tm))
		return false;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	if (span == DATE_WEEK)
		tm.tm_mday -= (tm.tm_wday + 6) % 7 + 7 * n;
	else if (span == DATE_DAY)
		tm.tm_mday -= n;
	else
		tm.tm_mday = 1;
	tm.tm_mon -= span == DATE_MONTH ? n : span == DATE_YEAR ? tm.tm_mon : 0;
	tm.tm_year -= span == DATE_YEAR ? n : 0;
	next = tm;
	next.tm_mday += span == DATE_WEEK ? 7 : span == DATE_DAY;
	next.tm_mon += span == DATE_MONTH;
	next.tm_year += span == DATE_YEAR;
	return set_range(out, tm, next);
}

bool date_calendar(int year, int month, int day, struct date *out)
{
	char text[TEXT_MAX];
	struct tm tm;

	if (!year) {
		if (!local_now(&tm))
			return false;
		year = 1900 + tm.tm_year;
		if (month > tm.tm_mon + 1 ||
		    (month == tm.tm_mon + 1 && day > tm.tm_mday))
			year--;
	}
	snprintf(text, sizeof(text), "%04d-%02d-%02d", year, month, day);
	return parse_day(text, !month ? 4 : !day ? 7 : 10, out);
}

bool date_month_of(struct instant t, struct date *out)
{
	const time_t sec = (time_t)t.sec;
	struct tm tm, next;

	if (!localtime_r(&sec, &tm))
		return false;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_mday = 1;
	next = tm;
	next.tm_mon++;
	return set_range(out, tm, next);
}

/* Read the LEN bytes of P, "7d", "2w", "3m" or "1y", as N and UNIT. Return false if they
 * are something else, or if N is 0. */
static bool read_span(const char *p, size_t len, int *n, enum unit *unit)
{
	static const char letters[] = "dwmy";
	const char *letter;

	*n = 0;
	if (len < 2 || len > 7)
		return false;
	for (size_t i = 0; i < len - 1; i++) {
		if (p[i] < '0' || p[i] > '9')
			return false;
		*n = *n * 10 + (p[i] - '0');
	}
	letter = memchr(letters, p[len - 1], sizeof(letters) - 1);
	if (letter)
		*unit = DAY + (enum unit)(letter - letters);
	return letter && *n;
}

/* Parse "this week", "last month" and so on, or the name of a weekday: the last one. */
static bool parse_name(const char *p, size_t len, struct date *out)
{
	static const char *const days[] = {"sunday",	"monday",   "tuesday",
					   "wednesday", "thursday", "friday",
					   "saturday"};
	const char *at = p, *word;
	const size_t first = next_word(&at, p + len, &word);
	const bool last = is_word(word, first, "last");
	struct tm tm;
	size_t size;

	if (last || is_word(word, first, "this")) {
		size = next_word(&at, p + len, &word);
		for (enum unit u = WEEK; u <= YEAR; u++) {
			if (word + size == p + len &&
			    is_word(word, size, units[u]))
				return date_past(DATE_WEEK + (u - WEEK), last,
						 out);
		}
		return false;
	}
	for (int i = 0; i < 7; i++) {
		if (is_word(p, len, days[i]))
			return local_now(&tm) &&
			       date_past(DATE_DAY, (tm.tm_wday + 7 - i) % 7,
					 out);
	}
	return false;
}

bool date_parse(const char *p, size_t len, struct date *out)
{
	enum unit unit;
	int n;

	tzset();
	if (is_word(p, len, "now"))
		return set_ago(out, 0, SECOND);
	if (is_word(p, len, "today"))
		return set_ago(out, 0, DAY);
	if (is_word(p, len, "yesterday"))
		return set_ago(out, 1, DAY);
	if (len && read_ago(p, len, &n, &unit) == len)
		return set_ago(out, n, unit);
	if (len <= 4 && read_span(p, len, &n, &unit))
		return set_ago(out, n, unit);
	return parse_day(p, len, out) || parse_time(p, len, out) ||
	       parse_name(p, len, out);
}

const char *date_utc(const char *text, char out[INSTANT_TEXT])
{
	struct date date;

	return date_parse(text, strlen(text), &date)
		       ? instant_format(date.first, out)
		       : text;
}

/* Write to OUT the day MONTHS after FROM in UTC, or the last day of that month
 * if it has no such day. */
static void add_months(struct instant from, int64_t months,
		       char out[INSTANT_TEXT])
{
	struct instant t;
	int year, month, day;

	sscanf(instant_format(from, out), "%d-%d-%d", &year, &month, &day);
	months += (int64_t)year * 12 + month - 1;
	do
		snprintf(out, INSTANT_TEXT, "%04d-%02d-%02d",
			 (int)(months / 12), (int)(months % 12) + 1, day--);
	while (!instant_parse_day(out, strlen(out), &t) && day > 27);
}

bool date_after(const char *span, struct instant from, char out[INSTANT_TEXT])
{
	struct instant t = from;
	enum unit unit;
	int n;

	if (!read_span(span, strlen(span), &n, &unit) ||
	    n > (unit == YEAR	 ? YEARS_MOST
		 : unit == MONTH ? YEARS_MOST * 12
				 : YEARS_MOST * 52))
		return false;
	if (unit == MONTH || unit == YEAR) {
		add_months(from, n * (unit == YEAR ? 12 : 1), out);
	} else {
		t.sec += (int64_t)n * DAY_SECONDS * (unit == WEEK ? 7 : 1);
		instant_format(t, out)[DAY_LENGTH] = '\0';
	}
	return instant_parse_day(out, strlen(out), &t);
}

int date_ahead(const char *text, char out[INSTANT_TEXT], struct err *e)
{
	struct instant t;
	struct date date;

	if (date_after(text, instant_now(), out))
		return 0;
	if (!date_parse(text, strlen(text), &date))
		return err_set(e, ERR_USAGE,
			       "bad date '%s': expected YYYY-MM-DD, or "
			       "from today " DATE_SPANS,
			       text);
	if (strlen(text) == DAY_LENGTH &&
	    instant_parse_day(text, DAY_LENGTH, &t)) {
		t.sec += DAY_SECONDS;
		snprintf(out, INSTANT_TEXT, "%s", text);
	} else {
		t = date.last;
		instant_format(t, out);
	}
	return instant_cmp(t, instant_now()) > 0
		       ? 0
		       : err_set(e, ERR_USAGE, "'%s' has passed", text);
}

char *date_day(struct instant t, char out[DATE_DAY_TEXT])
{
	const time_t sec = (time_t)t.sec;
	struct tm tm;

	if (!localtime_r(&sec, &tm) ||
	    !strftime(out, DATE_DAY_TEXT, "%Y-%m-%d", &tm))
		snprintf(out, DATE_DAY_TEXT, "1970-01-01");
	return out;
}

char *date_clock(struct instant t, char out[DATE_CLOCK])
{
	const time_t sec = (time_t)t.sec;
	const char *form = "%Y-%m-%d %H:%M";
	struct date day;
	struct tm tm;

	if (date_past(DATE_DAY, 0, &day) && instant_cmp(t, day.first) >= 0 &&
	    instant_cmp(t, day.last) <= 0)
		form = "%H:%M today";
	else if (date_past(DATE_DAY, 1, &day) &&
		 instant_cmp(t, day.first) >= 0 &&
		 instant_cmp(t, day.last) <= 0)
		form = "%H:%M yesterday";
	if (!localtime_r(&sec, &tm) || !strftime(out, DATE_CLOCK, form, &tm))
		snprintf(out, DATE_CLOCK, "1970-01-01");
	return out;
}
