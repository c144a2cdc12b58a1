/* time-phrases.c: words are folded and joined by blanks into a row, which is
 * searched for known phrases. Chinese has no blanks and is searched in the text
 * itself. */
#include "rank/time-phrases.h"

#include "base/ascii.h"
#include "rank/words.h"

#define YEAR_FIRST 1970
#define YEAR_LAST 2100

struct known_phrase {
	const char *text; /* as in the row, or in the text */
	enum date_span span;
	int ago;
};

/* Folded. "hier" is only part of phrases: it is French for yesterday, but
 * German for here. */
static const struct known_phrase words[] = {
	{" today ", DATE_DAY, 0},
	{" this morning ", DATE_DAY, 0},
	{" yesterday ", DATE_DAY, 1},
	{" last night ", DATE_DAY, 1},
	{" this week ", DATE_WEEK, 0},
	{" last week ", DATE_WEEK, 1},
	{" this month ", DATE_MONTH, 0},
	{" last month ", DATE_MONTH, 1},
	{" this year ", DATE_YEAR, 0},
	{" last year ", DATE_YEAR, 1},
	{" heute ", DATE_DAY, 0},
	{" gestern ", DATE_DAY, 1},
	{" diese woche ", DATE_WEEK, 0},
	{" dieser woche ", DATE_WEEK, 0},
	{" letzte woche ", DATE_WEEK, 1},
	{" letzter woche ", DATE_WEEK, 1},
	{" letzten woche ", DATE_WEEK, 1},
	{" vorige woche ", DATE_WEEK, 1},
	{" diesen monat ", DATE_MONTH, 0},
	{" diesem monat ", DATE_MONTH, 0},
	{" letzten monat ", DATE_MONTH, 1},
	{" letztem monat ", DATE_MONTH, 1},
	{" vorigen monat ", DATE_MONTH, 1},
	{" dieses jahr ", DATE_YEAR, 0},
	{" diesem jahr ", DATE_YEAR, 0},
	{" letztes jahr ", DATE_YEAR, 1},
	{" letztem jahr ", DATE_YEAR, 1},
	{" voriges jahr ", DATE_YEAR, 1},
	{" aujourdhui ", DATE_DAY, 0},
	{" dhier ", DATE_DAY, 1},
	{" hier soir ", DATE_DAY, 1},
	{" cette semaine ", DATE_WEEK, 0},
	{" semaine derniere ", DATE_WEEK, 1},
	{" semaine passee ", DATE_WEEK, 1},
	{" ce mois ", DATE_MONTH, 0},
	{" mois dernier ", DATE_MONTH, 1},
	{" mois passe ", DATE_MONTH, 1},
	{" cette annee ", DATE_YEAR, 0},
	{" annee derniere ", DATE_YEAR, 1},
	{" lannee derniere ", DATE_YEAR, 1},
	{" lan dernier ", DATE_YEAR, 1},
	{" hoy ", DATE_DAY, 0},
	{" ayer ", DATE_DAY, 1},
	{" esta semana ", DATE_WEEK, 0},
	{" semana pasada ", DATE_WEEK, 1},
	{" este mes ", DATE_MONTH, 0},
	{" mes pasado ", DATE_MONTH, 1},
	{" este ano ", DATE_YEAR, 0},
	{" ano pasado ", DATE_YEAR, 1},
};

static const struct known_phrase chinese[] = {
	{"今天", DATE_DAY, 0},	    {"昨天", DATE_DAY, 1},
	{"本周", DATE_WEEK, 0},	    {"这周", DATE_WEEK, 0},
	{"这个星期", DATE_WEEK, 0}, {"上周", DATE_WEEK, 1},
	{"上个星期", DATE_WEEK, 1}, {"本月", DATE_MONTH, 0},
	{"这个月", DATE_MONTH, 0},  {"上个月", DATE_MONTH, 1},
	{"上月", DATE_MONTH, 1},    {"今年", DATE_YEAR, 0},
	{"去年", DATE_YEAR, 1},
};

/* Words that come before a month without a year, or before a year, since "may"
 * and "march" are also words. */
static const char *const before[] = {
	"in",	 "im",	"en",	 "of",	   "during", "de",   "last", "seit",
	"since", "mid", "early", "anfang", "mitte",  "ende", "late"};

/* January to December, each name once. */
static const char *const months[] = {"january janner januar janvier enero",
				     "february feber februar fevrier febrero",
				     "march marz mars marzo",
				     "april avril abril",
				     "may mai mayo",
				     "june juni juin junio",
				     "july juli juillet julio",
				     "august aout agosto",
				     "september septembre septiembre",
				     "october oktober octobre octubre",
				     "november novembre noviembre",
				     "december dezember decembre diciembre"};

struct folded_word {
	size_t at, len;	   /* in the row */
	size_t start, end; /* in the text */
};

struct phrase_search {
	const char *p;
	size_t len;
	struct buf row;
	struct folded_word words[TIMES_WORDS_MAX];
	size_t nwords;
	struct time_phrase *out;
	size_t n;
};

static void add_phrase(struct phrase_search *f, struct date when, size_t start,
		       size_t end)
{
	if (f->n < TIME_PHRASES_MAX)
		f->out[f->n++] = (struct time_phrase){.when = when,
						      .around = when,
						      .start = start,
						      .end = end};
}

/* Add the date WHEN of the calendar, at the bytes from START to END. YEAR 0: it was
 * named without a year. The month is around a day. */
static void add_calendar(struct phrase_search *f, struct date when, int year,
			 int month, int day, size_t start, size_t end)
{
	const size_t n = f->n;

	add_phrase(f, when, start, end);
	if (f->n == n)
		return;
	if (day)
		date_month_of(when.first, &f->out[n].around);
	if (!year) {
		f->out[n].month = month;
		f->out[n].day = day;
	}
}

/* Add the phrase from word FIRST to word LAST, if it is a date of the
 * calendar. */
static void add_date(struct phrase_search *f, int year, int month, int day,
		     size_t first, size_t last)
{
	struct date when;

	if (date_calendar(year, month, day, &when))
		add_calendar(f, when, year, month, day, f->words[first].start,
			     f->words[last].end);
}

/* Return true if *P may be a byte of a word. Other scripts are not searched. */
static bool is_word_byte(const char *p)
{
	const unsigned char c = (unsigned char)*p;

	return c >= 0x80 || c == '\'' || ascii_is_alnum(c);
}

/* Fold the words into the row, as many as there is room for. */
static void fold_words(struct phrase_search *f)
{
	struct buf room = {0};
	size_t i = 0, end;

	buf_addc(&f->row, ' ');
	for (; i < f->len && f->nwords < TIMES_WORDS_MAX; i = end) {
		const size_t at = f->row.len;

		for (end = i; end < f->len && is_word_byte(f->p + end);)
			end++;
		if (end == i) {
			end++;
			continue;
		}
		words_add(&f->row, &room, f->p + i, end - i);
		if (f->row.len == at)
			continue;
		f->words[f->nwords++] =
			(struct folded_word){at, f->row.len - at, i, end};
		buf_addc(&f->row, ' ');
	}
	buf_release(&room);
}

/* Return the word at the offset AT of the row. */
static const struct folded_word *word_at(const struct phrase_search *f,
					 size_t at)
{
	size_t i = 0;

	while (i + 1 < f->nwords && f->words[i + 1].at <= at)
		i++;
	return &f->words[i];
}

static void find_words(struct phrase_search *f)
{
	const char *row = buf_str(&f->row), *at;
	struct date when;

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		const struct known_phrase *k = &words[i];
		size_t from;

		at = strstr(row, k->text);
		if (!at || !date_past(k->span, k->ago, &when))
			continue;
		from = (size_t)(at - row) + 1;
		add_phrase(f, when, word_at(f, from)->start,
			   word_at(f, from + strlen(k->text) - 3)->end);
	}
}

static bool is_one_of(const char *p, size_t len, const char *const *list,
		      size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strlen(list[i]) == len && !memcmp(list[i], p, len))
			return true;
	}
	return false;
}

/* Return the number of the month W, or 0. */
static int month_of(const char *w, size_t len)
{
	for (int i = 0; i < 12; i++) {
		for (const char *at = months[i]; *at;) {
			const size_t size = strcspn(at, " ");

			if (size == len && !memcmp(at, w, len))
				return i + 1;
			at += size + (at[size] == ' ');
		}
	}
	return 0;
}

/* Return word I as a year of four digits, or 0. */
static int year_of(const struct phrase_search *f, size_t i)
{
	const char *p = f->row.p + (i < f->nwords ? f->words[i].at : 0);
	int year = 0;

	if (i >= f->nwords || f->words[i].len != 4)
		return 0;
	for (size_t k = 0; k < 4; k++) {
		if (p[k] < '0' || p[k] > '9')
			return 0;
		year = year * 10 + (p[k] - '0');
	}
	return year >= YEAR_FIRST && year <= YEAR_LAST ? year : 0;
}

static bool is_word(const struct phrase_search *f, size_t i,
		    const char *const *list, size_t n)
{
	return i < f->nwords &&
	       is_one_of(f->row.p + f->words[i].at, f->words[i].len, list, n);
}

/* Return word I as a day of a month, "15", "15th", or 0; *MARKED: it has a suffix. */
static int day_of(const struct phrase_search *f, size_t i, bool *marked)
{
	static const char *const suffixes[] = {"st", "nd", "rd", "th"};
	const char *p;
	size_t len, n = 0;
	int day = 0;

	if (i >= f->nwords)
		return 0;
	p = f->row.p + f->words[i].at;
	len = f->words[i].len;
	for (; n < len && n < 2 && ascii_is_digit(p[n]); n++)
		day = day * 10 + (p[n] - '0');
	*marked = n && n < len;
	if (*marked &&
	    !is_one_of(p + n, len - n, suffixes, ARRAY_LEN(suffixes)))
		return 0;
	return day <= 31 ? day : 0;
}

/* Find the date about the month at word I: a day before or after its name, a year
 * after it. Without both, a word such as "in" must come before it. */
static void find_month(struct phrase_search *f, size_t i, int month)
{
	static const char *const of[] = {"de", "of"};
	bool marked = false;
	size_t first = i, last = i, next;
	int day = 0, year;

	if (i)
		day = day_of(f, i - 1, &marked);
	if (i > 1 && !day && is_word(f, i - 1, of, ARRAY_LEN(of)))
		day = day_of(f, i - 2, &marked);
	if (day)
		first = i - 1 - is_word(f, i - 1, of, ARRAY_LEN(of));
	next = i + 1 + is_word(f, i + 1, of, ARRAY_LEN(of));
	if (!day) {
		day = day_of(f, i + 1, &marked);
		if (day && !marked && !year_of(f, i + 2))
			day = 0; /* "may 3 people" */
		if (day) {
			last = i + 1;
			next = i + 2;
		}
	}
	year = year_of(f, next);
	if (year)
		last = next;
	if (year || day || (i && is_word(f, i - 1, before, ARRAY_LEN(before))))
		add_date(f, year, month, day, first, last);
}

/* Find months by their names, and years after "in". */
static void find_months(struct phrase_search *f)
{
	static const char *const in[] = {"in", "en"};

	for (size_t i = 0; i < f->nwords; i++) {
		const struct folded_word *w = &f->words[i];
		const int month = month_of(f->row.p + w->at, w->len),
			  year = year_of(f, i);

		if (month)
			find_month(f, i, month);
		else if (year && i && is_word(f, i - 1, in, ARRAY_LEN(in)))
			add_date(f, year, 0, 0, i, i);
	}
}

/* Return word I as a number of at most two digits, or 0. */
static int small_number(const struct phrase_search *f, size_t i)
{
	bool marked;
	const int n = day_of(f, i, &marked);

	return marked ? 0 : n;
}

/* Return true if SEPARATOR, and nothing else, is between word I and the next
 * one. */
static bool is_joined(const struct phrase_search *f, size_t i, char separator)
{
	return f->words[i + 1].start == f->words[i].end + 1 &&
	       f->p[f->words[i].end] == separator;
}

/* Find days in digits: 21.01.2024 and 2024-01-21. */
static void find_numeric(struct phrase_search *f)
{
	for (size_t i = 0; i + 2 < f->nwords; i++) {
		if (is_joined(f, i, '.') && is_joined(f, i + 1, '.') &&
		    small_number(f, i) && small_number(f, i + 1) &&
		    year_of(f, i + 2))
			add_date(f, year_of(f, i + 2), small_number(f, i + 1),
				 small_number(f, i), i, i + 2);
		if (is_joined(f, i, '-') && is_joined(f, i + 1, '-') &&
		    year_of(f, i) && small_number(f, i + 1) &&
		    small_number(f, i + 2))
			add_date(f, year_of(f, i), small_number(f, i + 1),
				 small_number(f, i + 2), i, i + 2);
	}
}

/* Return the number that ends at END of the text, in digits, or in Chinese up
 * to twelve; 0 if there is none. *START gets its start. */
static int number_before(const struct phrase_search *f, size_t end,
			 size_t *start)
{
	static const char *const digits[] = {"一", "二", "三",	 "四",
					     "五", "六", "七",	 "八",
					     "九", "十", "十一", "十二"};
	size_t at = end;
	int n = 0, by = 1;

	for (; at && ascii_is_digit(f->p[at - 1]) && by < 10000; by *= 10)
		n += (f->p[--at] - '0') * by;
	for (int i = ARRAY_LEN(digits); i-- > 0 && at == end;) {
		const size_t len = strlen(digits[i]);

		if (end >= len && !memcmp(f->p + end - len, digits[i], len)) {
			at = end - len;
			n = i + 1;
		}
	}
	*start = at;
	return n;
}

static const char *find_in(const struct phrase_search *f, size_t from,
			   const char *what)
{
	const size_t len = strlen(what);

	for (size_t i = from; i + len <= f->len; i++) {
		if (!memcmp(f->p + i, what, len))
			return f->p + i;
	}
	return NULL;
}

static void find_chinese(struct phrase_search *f)
{
	static const char sign[] = "月", year_sign[] = "年";
	struct date when;
	const char *at;

	for (size_t i = 0; i < ARRAY_LEN(chinese); i++) {
		const struct known_phrase *k = &chinese[i];

		at = find_in(f, 0, k->text);
		if (at && date_past(k->span, k->ago, &when))
			add_phrase(f, when, (size_t)(at - f->p),
				   (size_t)(at - f->p) + strlen(k->text));
	}
	for (at = f->p; (at = find_in(f, (size_t)(at - f->p), sign));) {
		const size_t end = (size_t)(at - f->p);
		size_t start, first;
		const int month = number_before(f, end, &start);
		int year = 0;

		at += strlen(sign);
		first = start;
		if (start >= strlen(year_sign) &&
		    !memcmp(f->p + start - strlen(year_sign), year_sign,
			    strlen(year_sign)))
			year = number_before(f, start - strlen(year_sign),
					     &first);
		if (month > 0 && month <= 12 &&
		    (!year || (year >= YEAR_FIRST && year <= YEAR_LAST)) &&
		    date_calendar(year, month, 0, &when))
			add_calendar(f, when, year, month, 0, first,
				     (size_t)(at - f->p));
	}
}

bool time_phrase_in_year(struct time_phrase *t, int year)
{
	if (!date_calendar(year, t->month, t->day, &t->when))
		return false;
	t->around = t->when;
	return !t->day || date_month_of(t->when.first, &t->around);
}

size_t time_phrases_find(struct time_phrase out[TIME_PHRASES_MAX],
			 const char *p, size_t len)
{
	struct phrase_search f = {
		.p = p,
		.len = len < TIMES_BYTES_MAX ? len : TIMES_BYTES_MAX,
		.out = out};

	fold_words(&f);
	find_words(&f);
	find_months(&f);
	find_numeric(&f);
	find_chinese(&f);
	buf_release(&f.row);
	return f.n;
}
