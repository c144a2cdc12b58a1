/* marks.c: see marks.h. */
#include "repo/marks.h"

#include "format/json-read.h"
#include "format/json-write.h"

#define DAY 86400

/* Return true if P, from the first `trust` in the JSON on, has no other `trust`, and
 * its value is `agent`. Many memories have that, and it sets no mark. */
static bool is_agent(const char *p)
{
	static const char agent[] = "trust\":\"agent\"";

	return !strncmp(p, agent, strlen(agent)) &&
	       !strstr(p + strlen(agent), "trust");
}

bool marks_maybe(const struct record_keys *k)
{
	const struct record_key *key = record_keys_first;

	for (; k->json && key->name; key++) {
		const char *p = key->mark ? strstr(k->json, key->name) : NULL;

		if (p && !is_agent(p))
			return true;
	}
	return false;
}

bool marks_end(const struct value *v, struct instant *end)
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
	const struct value *id;
	size_t n = 0;

	for (; (id = value_item_or_self(v, n)); n++) {
		if (id->kind != VALUE_INT || id->u.i < 1)
			return false;
	}
	return n > 0;
}

/* Return whether V, the value of KEY, sets its mark at NOW. */
static bool is_set(const struct record_key *key, const struct value *v,
		   struct instant now)
{
	struct instant t;

	switch (key->type) {
	case RECORD_KEY_FLAG:
		return value_is_true(v);
	case RECORD_KEY_CAREFUL:
		return v->kind != VALUE_NULL &&
		       (v->kind != VALUE_BOOL || v->u.b);
	case RECORD_KEY_UNTIL:
		return marks_end(v, &t) && instant_cmp(t, now) <= 0;
	case RECORD_KEY_FROM:
		return v->kind == VALUE_STR &&
		       instant_parse_day(v->u.s.p, v->u.s.len, &t) &&
		       instant_cmp(t, now) <= 0;
	case RECORD_KEY_ID:
		return marks_is_replaced(v);
	case RECORD_KEY_TRUST:
		return v->kind != VALUE_NULL && !value_is_word(v, "user|agent");
	case RECORD_KEY_SCOPE:
	case RECORD_KEY_TEXT:
	case RECORD_KEY_TEXTS:
		break;
	}
	return false;
}

unsigned marks_of_map(const struct value *map, struct instant now)
{
	unsigned marks = 0;

	for (const struct record_key *k = record_keys_first; k->name; k++) {
		const struct value *v =
			k->mark ? value_get(map, k->name) : NULL;

		if (v && is_set(k, v, now))
			marks |= k->mark;
	}
	return marks;
}

unsigned marks_hidden(void)
{
	unsigned marks = 0;

	for (const struct record_key *k = record_keys_first; k->name; k++)
		marks |= k->hides ? k->mark : 0;
	return marks;
}

unsigned marks_past(void)
{
	unsigned marks = 0;

	for (const struct record_key *k = record_keys_first; k->name; k++)
		marks |= k->past ? k->mark : 0;
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

/* Return the next key, by bits, whose mark is in *MARKS, and take that out; NULL after
 * the last. */
static const struct record_key *next_marked_key(unsigned *marks)
{
	const struct record_key *k = record_keys_first;
	const unsigned lowest = *marks & -*marks;

	*marks &= ~lowest;
	while (lowest && k->name && (k->mark != lowest || !k->label))
		k++;
	return lowest && k->name ? k : NULL;
}

void marks_text(struct buf *out, unsigned marks)
{
	const struct record_key *k;

	while ((k = next_marked_key(&marks)))
		buf_addf(out, " (%s)", k->text);
}

void marks_json(struct buf *out, unsigned marks)
{
	const struct record_key *k;

	json_write_open(out, NULL, '[');
	while ((k = next_marked_key(&marks)))
		json_write_text(out, NULL, k->label);
	json_write_close(out, ']');
}

unsigned marks_named(const char *name)
{
	for (const struct record_key *k = record_keys_first; k->name; k++) {
		if (k->label && !strcmp(k->label, name))
			return k->mark;
	}
	return 0;
}

/* Return a description of the fault in V, the scope of MAP, or NULL. */
static const char *scope_fault(const struct value *map, const struct value *v)
{
	if (!value_is_word(v, "project|language|global"))
		return "must be project, language or global";
	return value_is(v, "language") && !value_text(map, "language")
		       ? "is language: say which, in 'language'"
		       : NULL;
}

const char *marks_fault(const struct value *map, const char *key)
{
	const struct value *v = value_get(map, key);
	const struct record_key *k = record_keys_first;
	struct instant t;

	if (!v)
		return NULL;
	while (strcmp(k->name, key) != 0)
		k++;
	switch (k->type) {
	case RECORD_KEY_FLAG:
	case RECORD_KEY_CAREFUL:
		return v->kind == VALUE_BOOL ? NULL : "must be true or false";
	case RECORD_KEY_UNTIL:
	case RECORD_KEY_FROM:
		return marks_end(v, &t) ? NULL
					: "must be a date, as 2026-02-09";
	case RECORD_KEY_ID:
		return marks_is_replaced(v) ? NULL
					    : "must be the id of a memory";
	case RECORD_KEY_TRUST:
		return value_is_word(v, "user|agent|external")
			       ? NULL
			       : "must be user, agent or external";
	case RECORD_KEY_SCOPE:
		return scope_fault(map, v);
	case RECORD_KEY_TEXT:
		return v->kind == VALUE_STR ? NULL : "must be string";
	case RECORD_KEY_TEXTS:
		return value_is_texts(v) ? NULL : "must be list of strings";
	}
	return NULL;
}
