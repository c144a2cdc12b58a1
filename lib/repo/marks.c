/* marks.c: see marks.h. */
#include "repo/marks.h"

#include "format/json-read.h"
#include "format/json-write.h"

#define DAY 86400

static const struct {
	unsigned mark;
	const char *name, *text;
} names[] = {
	{MARK_EXPIRED, "expired", "expired"},
	{MARK_ARCHIVED, "archived", "archived"},
	{MARK_SENSITIVE, "sensitive", "sensitive"},
	{MARK_EXTERNAL, "external", "external"},
	{MARK_DUE, "due", "due for review"},
	{MARK_OTHER_LANGUAGE, "other-language", "of other languages"},
	{MARK_REPLACED, "replaced", "replaced"},
};

/* True if P, where JSON says `trust` first, says so once, and of an agent: that is
 * no mark, and many have it. */
static bool is_agent(const char *p)
{
	static const char agent[] = "trust\":\"agent\"";

	return !strncmp(p, agent, strlen(agent)) &&
	       !strstr(p + strlen(agent), "trust");
}

bool marks_maybe(const struct record_keys *k)
{
	const char *p;

	/* `always` and `paths`, the first, set none. */
	for (size_t i = 2; k->json && i < RECORD_KEYS_FIRST; i++) {
		p = strstr(k->json, record_keys_first[i]);
		if (p && !is_agent(p))
			return true;
	}
	return false;
}

static bool marks_end(const struct value *v, struct instant *end)
{
	if (!v || v->kind != VALUE_STR ||
	    !instant_parse_day(v->u.s.p, v->u.s.len, end))
		return false;
	if (v->u.s.len == strlen("2026-02-09"))
		end->sec += DAY;
	return true;
}

bool marks_is_replaced(const struct value *v)
{
	const bool list = v && v->kind == VALUE_LIST;

	for (size_t i = 0; list && i < v->u.list.n; i++) {
		if (v->u.list.items[i].kind != VALUE_INT ||
		    v->u.list.items[i].u.i < 1)
			return false;
	}
	return list ? v->u.list.n > 0 : v && v->kind == VALUE_INT && v->u.i > 0;
}

unsigned marks_of_map(const struct value *map, struct instant now)
{
	const struct value *sensitive = value_get(map, "sensitive");
	const struct value *trust = value_get(map, "trust");
	const struct value *after = value_get(map, "review-after");
	struct instant t;
	unsigned marks = 0;

	if (marks_end(value_get(map, "expires"), &t) &&
	    instant_cmp(t, now) <= 0)
		marks |= MARK_EXPIRED;
	if (value_is_true(value_get(map, "archive")))
		marks |= MARK_ARCHIVED;
	if (marks_is_replaced(value_get(map, "superseded")))
		marks |= MARK_REPLACED;
	if (sensitive && sensitive->kind != VALUE_NULL &&
	    (sensitive->kind != VALUE_BOOL || sensitive->u.b))
		marks |= MARK_SENSITIVE;
	if (trust && trust->kind != VALUE_NULL &&
	    !value_is_word(trust, "user|agent"))
		marks |= MARK_EXTERNAL;
	/* From the day on, not behind it. */
	if (after && after->kind == VALUE_STR &&
	    instant_parse_day(after->u.s.p, after->u.s.len, &t) &&
	    instant_cmp(t, now) <= 0)
		marks |= MARK_DUE;
	return marks;
}

unsigned marks_of(const struct record_keys *k, struct instant now)
{
	struct arena a = {0};
	struct value map;
	unsigned marks = 0;

	if (!marks_maybe(k))
		return 0;
	if (json_parse(k->json, strlen(k->json), &a, &map, NULL) == 0)
		marks = marks_of_map(&map, now);
	arena_release(&a);
	return marks;
}

unsigned marks_now(const struct record_keys *k)
{
	return marks_maybe(k) ? marks_of(k, instant_now()) : 0;
}

void marks_text(struct buf *out, unsigned marks)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (marks & names[i].mark)
			buf_addf(out, " (%s)", names[i].text);
	}
}

void marks_json(struct buf *out, unsigned marks)
{
	json_write_open(out, NULL, '[');
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (marks & names[i].mark)
			json_write_text(out, NULL, names[i].name);
	}
	json_write_close(out, ']');
}

unsigned marks_named(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (!strcmp(names[i].name, name))
			return names[i].mark;
	}
	return 0;
}

/* What is wrong with KEY, one of languages, language and scope. */
static const char *languages_fault(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);

	if (!v)
		return NULL;
	if (!strcmp(key, "languages"))
		return value_is_texts(v) ? NULL : "must be list of strings";
	if (!strcmp(key, "language"))
		return v->kind == VALUE_STR ? NULL : "must be string";
	if (!value_is_word(v, "project|language|global"))
		return "must be project, language or global";
	return value_is(v, "language") && !value_text(map, "language")
		       ? "is language: say which, in 'language'"
		       : NULL;
}

const char *marks_fault(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);
	struct instant t;

	if (!v)
		return NULL;
	if (!strcmp(key, "trust"))
		return value_is_word(v, "user|agent|external")
			       ? NULL
			       : "must be user, agent or external";
	if (!strcmp(key, "languages") || !strcmp(key, "language") ||
	    !strcmp(key, "scope"))
		return languages_fault(map, key);
	if (!strcmp(key, "superseded"))
		return marks_is_replaced(v) ? NULL
					    : "must be the id of a memory";
	if (!strcmp(key, "paths"))
		return value_is_texts(v) ? NULL : "must be list of strings";
	if (!strcmp(key, "expires") || !strcmp(key, "review-after"))
		return marks_end(v, &t) ? NULL
					: "must be a date, as 2026-02-09";
	return v->kind == VALUE_BOOL ? NULL : "must be true or false";
}
