/* instant.c: the proleptic Gregorian calendar, without the C library's time
 * zones. */
#include "base/instant.h"

#include "base/ascii.h"

#include <time.h>

/* Return the days from 1970-01-01 to the first of MONTH (1 to 12) of YEAR. */
static int64_t days_before(int64_t year, int month)
{
	static const int before[] = {0,	  31,  59,  90,	 120, 151,
				     181, 212, 243, 273, 304, 334};
	int64_t y = year - 1;
	int64_t days = year * 365 + y / 4 - y / 100 + y / 400 - 719527;
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days + before[month - 1] + (leap && month > 2 ? 1 : 0);
}

/* Read exactly N digits at *P and advance it. Returns -1 if there are fewer. */
static int read_digits(const char **p, const char *end, int n)
{
	int v = 0;

	if (end - *p < n)
		return -1;
	for (; n > 0; n--, ++*p) {
		if (**p < '0' || **p > '9')
			return -1;
		v = v * 10 + (**p - '0');
	}
	return v;
}

static bool skip_char(const char **p, const char *end, char c)
{
	if (*p == end || **p != c)
		return false;
	++*p;
	return true;
}

static bool parse_date(const char **p, const char *end, int64_t *sec)
{
	int year, month, day;
	int64_t first, next;

	year = read_digits(p, end, 4);
	if (year < 1 || !skip_char(p, end, '-'))
		return false;
	month = read_digits(p, end, 2);
	if (month < 1 || month > 12 || !skip_char(p, end, '-'))
		return false;
	day = read_digits(p, end, 2);
	first = days_before(year, month);
	next = month == 12 ? days_before(year + 1, 1)
			   : days_before(year, month + 1);
	if (day < 1 || day > next - first)
		return false;
	*sec = (first + day - 1) * 86400;
	return true;
}

/* Parse an optional fraction of a second. Digits beyond nanoseconds are
 * ignored. */
static bool parse_fraction(const char **p, const char *end, int32_t *nsec)
{
	int32_t unit = 100000000;

	if (!skip_char(p, end, '.') && !skip_char(p, end, ','))
		return true;
	if (*p == end || **p < '0' || **p > '9')
		return false;
	for (; *p < end && ascii_is_digit(**p); ++*p) {
		*nsec += (**p - '0') * unit;
		unit /= 10;
	}
	return true;
}

static bool parse_zone(const char **p, const char *end, int64_t *sec)
{
	int sign, hours, minutes = 0;

	if (*p == end || skip_char(p, end, 'Z'))
		return true;
	sign = **p == '+' ? 1 : **p == '-' ? -1 : 0;
	if (!sign)
		return false;
	++*p;
	hours = read_digits(p, end, 2);
	if (*p < end) {
		skip_char(p, end, ':');
		minutes = read_digits(p, end, 2);
	}
	if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
		return false;
	*sec -= sign * (hours * 3600 + minutes * 60);
	return true;
}

bool instant_parse(const char *p, size_t len, struct instant *out)
{
	const char *end = p + len;
	struct instant t = {0, 0};
	int hour, minute, second;

	if (!parse_date(&p, end, &t.sec) || !skip_char(&p, end, 'T'))
		return false;
	hour = read_digits(&p, end, 2);
	if (!skip_char(&p, end, ':'))
		return false;
	minute = read_digits(&p, end, 2);
	if (!skip_char(&p, end, ':'))
		return false;
	second = read_digits(&p, end, 2);
	if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
	    second > 59)
		return false;
	t.sec += hour * 3600 + minute * 60 + second;
	if (!parse_fraction(&p, end, &t.nsec) || !parse_zone(&p, end, &t.sec) ||
	    p != end || t.sec < days_before(1, 1) * 86400 ||
	    t.sec >= days_before(10000, 1) * 86400)
		return false; /* its UTC year must have four digits */
	*out = t;
	return true;
}

bool instant_parse_day(const char *p, size_t len, struct instant *out)
{
	const char *at = p;
	int64_t sec;

	if (len != 10)
		return instant_parse(p, len, out);
	if (!parse_date(&at, p + len, &sec))
		return false;
	*out = (struct instant){sec, 0};
	return true;
}

struct instant instant_now(void)
{
	const char *still = getenv("CO_NOW");
	struct timespec ts;
	struct instant t;

	if (still && instant_parse(still, strlen(still), &t))
		return t;
	clock_gettime(CLOCK_REALTIME, &ts);
	t.sec = ts.tv_sec;
	t.nsec = (int32_t)ts.tv_nsec;
	return t;
}

/* Convert DAYS since 1970-01-01 to year, month and day. */
static void date_of_days(int64_t days, int64_t *year, int *month, int *day)
{
	*year = 1970 + days / 366;
	while (days_before(*year + 1, 1) <= days)
		++*year;
	while (days_before(*year, 1) > days)
		--*year;
	*month = 1;
	while (*month < 12 && days_before(*year, *month + 1) <= days)
		++*month;
	*day = (int)(days - days_before(*year, *month)) + 1;
}

static char *format_utc(struct instant t, const char *fmt,
			char out[INSTANT_TEXT])
{
	int64_t days = t.sec / 86400, rest = t.sec % 86400, year;
	int month, day;

	if (rest < 0) {
		rest += 86400;
		days--;
	}
	date_of_days(days, &year, &month, &day);
	snprintf(out, INSTANT_TEXT, fmt, (int)year, month, day,
		 (int)(rest / 3600), (int)(rest / 60 % 60), (int)(rest % 60));
	return out;
}

char *instant_format(struct instant t, char out[INSTANT_TEXT])
{
	return format_utc(t, "%04d-%02d-%02dT%02d:%02d:%02dZ", out);
}

char *instant_format_name(struct instant t, char out[INSTANT_TEXT])
{
	return format_utc(t, "%04d%02d%02dT%02d%02d%02dZ", out);
}

int instant_cmp(struct instant a, struct instant b)
{
	if (a.sec != b.sec)
		return a.sec < b.sec ? -1 : 1;
	return (a.nsec > b.nsec) - (a.nsec < b.nsec);
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t instant_monotonic_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t instant_processor_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t instant_monotonic_ms(void)
{
	return (int64_t)(instant_monotonic_ns() / 1000000);
}
