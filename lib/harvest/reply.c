#include "harvest/reply.h"

#include "base/utf8.h"
#include "format/json-read.h"
#include "harvest/item-file.h"

#define VALUES_MOST 100000
#define FENCE "```"

static const struct {
	const char *name, *first, *second; /* the fields of an item */
	enum category category;
} keys[REPLY_KEYS] = {
	[REPLY_FACTS] = {"facts", "statement", "detail", CATEGORY_FACTS},
	[REPLY_DECISIONS] = {"decisions", "statement", "detail",
			     CATEGORY_DECISIONS},
	[REPLY_TASKS_DONE] = {"tasks_done", "statement", "detail",
			      CATEGORY_TASKS},
	[REPLY_TASKS_OPEN] = {"tasks_open", "statement", "detail",
			      CATEGORY_TASKS},
	[REPLY_QUESTIONS] = {"questions", "statement", "detail",
			     CATEGORY_QUESTIONS},
	[REPLY_PLAYBOOKS] = {"playbooks", "name", "steps", CATEGORY_PLAYBOOKS},
	[REPLY_FILES] = {"files", "note", "path", CATEGORY_FILES},
};

const char *reply_key_name(enum reply_key k)
{
	return keys[k].name;
}

enum category reply_category(enum reply_key k)
{
	return keys[k].category;
}

/* Move *AT past the start of a fence in P. Returns false if there is none. */
static bool skip_fence(const char *p, size_t len, size_t *at)
{
	const size_t n = strlen(FENCE);
	size_t i = *at;

	while (i < len && strchr(" \t\r\n", p[i]) && p[i])
		i++;
	if (len - i < n || memcmp(p + i, FENCE, n) != 0)
		return false;
	i += n;
	if (len - i >= 4 && !memcmp(p + i, "json", 4))
		i += 4;
	*at = i;
	return true;
}

/* Parse the one JSON object in P, with or without a fence. */
static int read_object(const char *p, size_t len, struct arena *a,
		       struct value *v, struct err *e)
{
	const char *rest;
	size_t at = 0, left;
	bool fenced;
	int r;

	if (len >= 3 && !memcmp(p, "\xEF\xBB\xBF", 3)) {
		p += 3;
		len -= 3;
	}
	fenced = skip_fence(p, len, &at);
	if (!json_within(p + at, len - at, VALUES_MOST))
		return err_set(e, ERR_DATA,
			       "1:1: nested too deeply, or too much");
	r = json_parse_at(p, len, &at, a, v, e);
	if (r < 0)
		return -1;
	if (r == 0)
		return err_set(e, ERR_DATA, "1:1: the reply is empty");
	rest = p + at;
	left = len - at;
	utf8_strip(&rest, &left);
	if (fenced && left >= strlen(FENCE) &&
	    !memcmp(rest, FENCE, strlen(FENCE))) {
		rest += strlen(FENCE);
		left -= strlen(FENCE);
		utf8_strip(&rest, &left);
	}
	if (left)
		return utf8_fault(e, p, (size_t)(rest - p),
				  "there is more than the JSON object");
	if (v->kind != VALUE_MAP)
		return err_set(e, ERR_DATA, "1:1: not a JSON object");
	return 0;
}

/* Append the cleaned text of the field NAME of V. A missing or null field is
 * empty. Returns -1 if it is not a string. */
static int read_field(struct buf *out, const struct value *v, const char *name)
{
	const struct value *field = value_get(v, name);

	if (!field || field->kind == VALUE_NULL)
		return 0;
	if (field->kind != VALUE_STR)
		return -1;
	item_clean(out, field->u.s.p, field->u.s.len);
	return 0;
}

/* Append the text of an item of KEY from its two fields. */
static void join_fields(struct buf *out, enum reply_key key,
			const struct buf *first, const struct buf *second)
{
	const char *one = buf_str(first), *two = buf_str(second);

	if (key == REPLY_FILES)
		buf_adds(out, one);
	else if (key == REPLY_PLAYBOOKS && first->len && second->len)
		buf_addf(out, "**%s**: %s", one, two);
	else if (key == REPLY_PLAYBOOKS)
		buf_addf(out, "%s%s", one, two);
	else if (first->len && second->len)
		buf_addf(out, "%s — %s", one, two);
	else
		buf_adds(out, one);
}

/* Return the path of a note, allocated in A, or NULL if a heading cannot hold
 * it. */
static const char *note_path(const struct value *v, struct arena *a)
{
	const char *path = value_text(v, "path");
	struct buf clean = {0};
	bool same;

	if (!path || !*path)
		return NULL;
	item_clean(&clean, path, strlen(path));
	same = !strcmp(buf_str(&clean), path);
	buf_release(&clean);
	return same ? arena_strdup(a, path) : NULL;
}

/* Append the item V, number NUMBER of the list KEY, to R. */
static int parse_item(struct reply *r, enum reply_key key, size_t number,
		      const struct value *v, struct arena *a, struct err *e)
{
	struct reply_item *item = &r->items[r->n];
	struct buf first = {0}, second = {0}, text = {0};
	const char *wrong = NULL;

	*item = (struct reply_item){.key = key, .number = number};
	if (v->kind == VALUE_STR) {
		item_clean(&text, v->u.s.p, v->u.s.len);
	} else if (v->kind == VALUE_MAP) {
		if (read_field(&first, v, keys[key].first) < 0)
			wrong = keys[key].first;
		else if (read_field(&second, v, keys[key].second) < 0)
			wrong = keys[key].second;
		join_fields(&text, key, &first, &second);
		if (key == REPLY_FILES)
			item->path = note_path(v, a);
		/* A path that does not fit into a heading goes into the
		 * text. */
		if (key == REPLY_FILES && !item->path && second.len &&
		    first.len) {
			buf_cut(&text, 0);
			buf_addf(&text, "%s: %s", second.p, first.p);
		}
	}
	if (v->kind != VALUE_STR && v->kind != VALUE_MAP)
		err_set(e, ERR_DATA, "%s: item %zu is neither text nor object",
			keys[key].name, number);
	else if (wrong)
		err_set(e, ERR_DATA, "%s: '%s' of item %zu is not text",
			keys[key].name, wrong, number);
	else if (text.len > REPLY_ITEM_MAX)
		err_set(e, ERR_DATA, "%s: item %zu has more than %d bytes",
			keys[key].name, number, REPLY_ITEM_MAX);
	else
		number = 0;
	item->text = arena_copy(a, buf_str(&text), text.len);
	item->len = text.len;
	r->n += text.len > 0;
	buf_release(&first);
	buf_release(&second);
	buf_release(&text);
	return number ? -1 : 0;
}

int reply_parse(struct reply *r, const char *p, size_t len, struct arena *a,
		struct err *e)
{
	const struct value *lists[REPLY_KEYS];
	struct value v;
	size_t most = 0, known = 0;

	*r = (struct reply){0};
	if (read_object(p, len, a, &v, e) < 0)
		return -1;
	for (size_t k = 0; k < REPLY_KEYS; k++) {
		lists[k] = value_get(&v, keys[k].name);
		known += lists[k] != NULL;
		if (lists[k] && lists[k]->kind != VALUE_LIST)
			lists[k] = NULL;
		most += lists[k] ? lists[k]->u.list.n : 0;
	}
	/* An error in JSON, which some commands print with status 0. */
	if (v.u.map.n && !known)
		return err_set(e, ERR_DATA, "it has none of the categories");
	r->items = arena_alloc(a, (most + 1) * sizeof(*r->items));
	for (size_t k = 0; k < REPLY_KEYS; k++) {
		for (size_t i = 0; lists[k] && i < lists[k]->u.list.n; i++) {
			if (parse_item(r, (enum reply_key)k, i + 1,
				       &lists[k]->u.list.items[i], a, e) < 0)
				return -1;
		}
	}
	return 0;
}
