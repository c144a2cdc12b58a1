/* item-lines.c: items of one conversation are added together, because each
 * addition rewrites the file. */
#include "harvest/items.h"

#include "base/strings.h"
#include "store/save.h"

void item_lines_write(struct buf *out, const struct items_entry *entry)
{
	const struct item *it = &entry->item;

	json_write_open(out, NULL, '{');
	json_write_text(out, "category", category_name(entry->category));
	json_write_bytes(out, "text", it->text, it->len);
	json_write_text(out, "from", it->from);
	json_write_text(out, "date", it->date);
	json_write_given(out, "path", entry->path);
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

/* Accept the draft of IT in S. Return 1, 0 if there is none, or -1. */
static int accept_draft(struct store *s, const struct reply_item *it,
			struct err *e)
{
	static const struct drafts_kind *const kinds[] = {&item_drafts, NULL};
	struct arena a = {0};
	enum area where;
	struct record r;
	int result;

	if (store_lock(s, e) < 0)
		return -1;
	result = duplicates_find(s, it->text, it->len, &a, &r, &where, e);
	if (result == 1)
		result = where == AREA_DRAFTS ? drafts_convert(s, r.path, NULL,
							       kinds, &a, &r, e)
					      : 0;
	store_unlock(s);
	arena_release(&a);
	return result;
}

/* Accept the drafts of items of L, and remove these items from L. A draft that
 * cannot become an item is reported. Return 0 or -1. */
static int accept_drafts(struct item_lines *l, struct err *e)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		const int r = accept_draft(l->store, &l->items[i], e);

		if (r < 0 && e->code != ERR_DATA)
			return -1;
		if (r < 0)
			err_report(l->store->report, e);
		l->added += r == 1;
		l->refused += r < 0;
		if (r == 0)
			l->items[kept++] = l->items[i];
	}
	l->n = kept;
	return 0;
}

int item_lines_flush(struct item_lines *l, struct err *e)
{
	int r = l->drafts ? 0 : accept_drafts(l, e);
	const struct reply reply = {l->items, l->n};
	char today[INSTANT_TEXT];
	struct items_added a = {.added = {0}};

	instant_format(instant_now(), today);
	today[ITEM_DAY - 1] = '\0';
	if (!r && l->n)
		r = (l->drafts ? item_drafts_add
			       : items_add)(l->store, &reply, l->from,
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
	    (l->n == ADD_MOST || !strings_equal(from, l->from) ||
	     !strings_equal(date, l->date)) &&
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
