/* record-keys.c: keys are stored while there is room. If there is not enough, those
 * that hide a memory are stored first. A key that is too large is skipped, and later
 * ones may still fit.
 */
#include "repo/record-keys.h"

#include "format/json-read.h"
#include "format/json-write.h"

const struct record_key record_keys_first[] = {
	{.name = "always", .type = RECORD_KEY_FLAG},
	{.name = "paths", .type = RECORD_KEY_TEXTS},
	{"archive", RECORD_KEY_FLAG, MARK_ARCHIVED, "archived", "archived",
	 .hides = true, .past = true},
	{"expires", RECORD_KEY_UNTIL, MARK_EXPIRED, "expired", "expired",
	 .hides = true, .past = true},
	{"language", RECORD_KEY_TEXT, MARK_OTHER_LANGUAGE, .hides = true},
	{"languages", RECORD_KEY_TEXTS, MARK_OTHER_LANGUAGE, "other-language",
	 "of other languages", .hides = true},
	{"scope", RECORD_KEY_SCOPE, MARK_OTHER_LANGUAGE, .hides = true},
	{"review-after", RECORD_KEY_FROM, MARK_DUE, "due",
	 .text = "due for review"},
	{"sensitive", RECORD_KEY_CAREFUL, MARK_SENSITIVE, "sensitive",
	 "sensitive", .hides = true},
	{"superseded", RECORD_KEY_ID, MARK_REPLACED, "replaced", "replaced",
	 .hides = true},
	{"trust", RECORD_KEY_TRUST, MARK_EXTERNAL, "external",
	 .text = "external"},
	{0},
};

/* Append KEY and its value. Return false if it cannot be JSON, or there is no room.
 */
static bool add_key(struct buf *json, const struct value_pair *pair)
{
	const struct value *key = &pair->key;

	buf_addc(json, json->len ? ',' : '{');
	json_write_str(json, key->u.s.p, key->u.s.len);
	buf_addc(json, ':');
	return json_write_value(json, &pair->val, NULL) == 0 &&
	       json->len < RECORD_KEYS_MAX;
}

/* Return true if KEY is one of the N NAMES. Called for each key of each file that is
 * read, so first bytes are compared first. */
static bool is_one_of(const struct value *key, const char *const *names,
		      size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (*names[i] == *key->u.s.p && value_is(key, names[i]))
			return true;
	}
	return false;
}

static bool is_first(const struct value *key)
{
	const struct record_key *k = record_keys_first;

	while (k->name && (*k->name != *key->u.s.p || !value_is(key, k->name)))
		k++;
	return k->name;
}

enum which { ALL, FIRST, OTHERS };

#define FIELDS 4 /* keys of a memory or an article that its schema names */

/* Append the keys of MAP that are not in FIELDS and belong to WHICH. Return false if
 * not all fit. */
static bool add_keys(struct buf *json, const struct value *map,
		     const char *const *fields, enum which which)
{
	bool whole = true;

	for (size_t i = 0; i < map->u.map.n; i++) {
		const struct value_pair *pair = &map->u.map.pairs[i];
		const size_t before = json->len;

		if (is_one_of(&pair->key, fields, FIELDS) ||
		    (which != ALL &&
		     is_first(&pair->key) != (which == FIRST)) ||
		    add_key(json, pair))
			continue;
		buf_cut(json, before);
		whole = false;
	}
	return whole;
}

struct record_keys record_keys_of(const struct value *map, enum schema s,
				  struct arena *a)
{
	static const char *const memory[] = {"id", "created", "tags", "source"};
	static const char *const article[] = {"title", "fetched", "tags",
					      "source"};
	const char *const *fields = s == SCHEMA_MEMORY ? memory : article;
	struct record_keys k = {NULL, false};
	struct buf json = {0};

	k.cut = !add_keys(&json, map, fields, ALL);
	if (k.cut) {
		buf_cut(&json, 0);
		add_keys(&json, map, fields, FIRST);
		add_keys(&json, map, fields, OTHERS);
	}
	if (json.len) {
		buf_addc(&json, '}');
		k.json = arena_strdup(a, json.p);
	}
	buf_release(&json);
	return k;
}

int record_keys_find(const struct record_keys *k, const char *key,
		     struct arena *a, struct value *out)
{
	struct value all;
	const struct value *v = NULL;

	if (k->json) {
		if (json_parse(k->json, strlen(k->json), a, &all, NULL) < 0)
			return -1;
		v = value_get(&all, key);
	}
	if (!v)
		return k->cut ? -1 : 0;
	*out = *v;
	return 1;
}

bool record_keys_maybe(const struct record_keys *k, const char *key)
{
	const size_t len = strlen(key);
	const char *p = k->json;

	while (p && (p = strstr(p, key))) {
		if (p[-1] == '"' && !strncmp(p + len, "\":true", 6))
			return true;
		p += len;
	}
	return k->cut;
}
