/* item-lines.c: items of one conversation are added together, because each
 * addition rewrites the file. */
#include "harvest/item-lines.h"

#include "base/instant.h"
#include "format/json-write.h"
#include "harvest/item-drafts.h"

void item_lines_write(struct buf *out, const struct items_entry *entry)
{
	const struct item *it = &entry->item;

	json_write_open(out, NULL, '{');
	json_write_text(out, "category", category_name(entry->category));
	json_write_bytes(out, "text", it->text, it->len);
	json_write_text(out, "from", it->from);
	json_write_text(out, "date", it->date);
	if (entry->path)
		json_write_text(out, "path", entry->path);
	if (entry->done)
		json_write_bool(out, "done", true);
	json_write_close(out, '}');
}

bool item_lines_is(const struct value *v)
{
	const char *category = value_text(v, "category");

	return category && category_of_name(category) != CATEGORIES &&
	       value_text(v, "text");
}

int item_lines_flush(struct item_lines *l, struct err *e)
{
	const struct reply reply = {l->items, l->n};
	char today[INSTANT_TEXT];
	struct added a = {.added = {0}};
	int r = 0;

	instant_format(instant_now(), today);
	today[ITEM_DAY - 1] = '\0';
	if (l->n)
		r = (l->drafts ? item_drafts_add
			       : add_items)(l->store, &reply, l->from,
					    l->date ? l->date : today, &a, e);
	for (size_t k = 0; k < REPLY_KEYS; k++) {
		l->added += a.added[k];
		l->known += a.known[k];
		l->refused += a.refused[k];
	}
	arena_release(&l->arena);
	l->items = NULL;
	l->n = 0;
	return r;
}

static bool is_equal(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static enum reply_key find_key(enum category c, bool done)
{
	if (c == CATEGORY_TASKS)
		return done ? REPLY_TASKS_DONE : REPLY_TASKS_OPEN;
	for (size_t k = 0; k < REPLY_KEYS; k++) {
		if (reply_category((enum reply_key)k) == c)
			return (enum reply_key)k;
	}
	return REPLY_FACTS;
}

/* Return the text of V under KEY, copied to the arena of L, or NULL. */
static const char *copy_text(struct item_lines *l, const struct value *v,
			     const char *key)
{
	const char *text = value_text(v, key);

	return text ? arena_strdup(&l->arena, text) : NULL;
}

/* Return the date of V, or NULL if it is missing or not a valid day. */
static const char *valid_day(const struct value *v)
{
	const char *date = value_text(v, "date");
	struct instant at;

	return date && strlen(date) == ITEM_DAY - 1 &&
			       instant_parse_day(date, ITEM_DAY - 1, &at)
		       ? date
		       : NULL;
}

int item_lines_add(struct item_lines *l, const struct value *v, struct err *e)
{
	const char *from = value_text(v, "from"), *date = valid_day(v);
	const struct value *done = value_get(v, "done");
	struct buf clean = {0};
	struct reply_item *it;
	enum reply_key key;

	if (l->n &&
	    (l->n == ADD_MOST || !is_equal(from, l->from) ||
	     !is_equal(date, l->date)) &&
	    item_lines_flush(l, e) < 0)
		return -1;
	if (!l->n) {
		l->items = arena_alloc(&l->arena, ADD_MOST * sizeof(*it));
		l->from = copy_text(l, v, "from");
		l->date = date ? arena_strdup(&l->arena, date) : NULL;
	}
	key = find_key(category_of_name(value_text(v, "category")),
		       value_is_true(done));
	/* A reply has its items ordered by key. */
	for (it = &l->items[l->n++]; it > l->items && it[-1].key > key; it--)
		*it = it[-1];
	it->key = key;
	item_clean(&clean, value_text(v, "text"),
		   strlen(value_text(v, "text")));
	it->text = arena_copy(&l->arena, buf_str(&clean), clean.len);
	it->len = clean.len;
	it->path = copy_text(l, v, "path");
	it->number = l->n;
	buf_release(&clean);
	return 0;
}
