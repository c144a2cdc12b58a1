/* item-drafts.c: accepting an item whose line already exists adds nothing. */
#include "harvest/items.h"

#include "harvest/file-notes.h"
#include "harvest/ledger.h"
#include "repo/marks.h"
#include "store/save.h"

/* A search for the items of REPLY in the store. */
struct existing_search {
	const struct reply *reply;
	bool *exists; /* for each item: it exists */
};

static int match_entry(void *ctx, const struct items_entry *entry)
{
	const struct existing_search *l = ctx;

	for (size_t i = 0; i < l->reply->n; i++) {
		const struct reply_item *it = &l->reply->items[i];

		if (reply_category(it->key) == entry->category &&
		    entry->item.len == it->len &&
		    !memcmp(entry->item.text, it->text, it->len))
			l->exists[i] = true;
	}
	return 0;
}

/* Set *EXISTS, allocated in A, to one flag per item of R: true if its category
 * has an item with this text. */
static int find_existing(struct store *s, const struct reply *r,
			 struct arena *a, const bool **exists, struct err *e)
{
	struct existing_search l = {r, arena_alloc(a, r->n)};
	unsigned categories = 0;

	*exists = l.exists;
	for (size_t i = 0; i < r->n; i++)
		categories |= 1u << reply_category(r->items[i].key);
	return items_each(s, categories, match_entry, &l, e) < 0 ? -1 : 0;
}

/* Save IT as a draft unless it is known. Returns 1, 0 if it is known, or
 * -1. */
static int save_draft(struct store *s, const struct reply_item *it,
		      const char *from, const char *date, struct err *e)
{
	struct value_pair pairs[3];
	struct value extra = {.kind = VALUE_MAP, .u.map = {pairs, 0}};
	const struct store_new n = {.content = it->text,
				    .len = it->len,
				    .source = from,
				    .extra = &extra,
				    .trust = "external",
				    .draft = true,
				    .when = SAVE_UNLESS_KNOWN};
	struct arena a = {0};
	struct record r;
	int known;

	value_put(&extra, "item", value_str(reply_key_name(it->key)));
	value_put(&extra, "date", value_str(date));
	if (it->path)
		value_put(&extra, "path", value_str(it->path));
	known = save_memory(s, &n, &a, &r, e);
	arena_release(&a);
	return known < 0 ? -1 : !known;
}

int item_drafts_add(struct store *s, const struct reply *r, const char *from,
		    const char *date, struct items_added *added, struct err *e)
{
	struct arena a = {0};
	const bool *exists;
	struct err why;
	int result = find_existing(s, r, &a, &exists, e);

	*added = (struct items_added){.added = {0}};
	for (size_t i = 0; i < r->n && !result; i++) {
		const struct reply_item *it = &r->items[i];
		int saved = 0;

		if (added->added[it->key] + added->known[it->key] +
			    added->refused[it->key] >=
		    ADD_MOST) {
			added->over[it->key]++;
			continue;
		}
		if (!exists[i])
			saved = save_draft(s, it, from, date, &why);
		if (saved < 0 && why.code != ERR_DATA) {
			result = err_take(e, &why);
		} else if (saved < 0) {
			err_report(s->report, &why);
			added->refused[it->key]++;
		} else {
			++*(saved ? &added->added[it->key]
				  : &added->known[it->key]);
		}
	}
	arena_release(&a);
	return result;
}

int item_drafts_save(struct ledger *l, const struct reply *r, const char *from,
		     const char *date, const char *key, const char *path,
		     size_t *items, struct err *e)
{
	struct ledger_entry en = {
		.key = key, .path = path, .status = LEDGER_HARVESTED};
	struct items_added added;

	if (item_drafts_add(l->store, r, from, date, &added, e) < 0)
		return -1;
	for (enum reply_key k = 0; k < REPLY_KEYS; k++) {
		en.items[k] = added.added[k] + added.known[k];
		items[k] += en.items[k];
	}
	return ledger_put(l, &en, e);
}

/* Return the reply_key with the name NAME (may be NULL), or REPLY_KEYS. */
static enum reply_key find_key(const char *name)
{
	enum reply_key k = 0;

	while (k < REPLY_KEYS &&
	       (!name || strcmp(name, reply_key_name(k)) != 0))
		k++;
	return k;
}

/* Add IT, the item of the draft R, to its category's file. */
static int add_line(struct store *s, const struct record *r,
		    const struct reply_item *it, struct err *e)
{
	const char *date = value_text(r->frontmatter, "date");
	struct reply_item one = *it;
	const struct reply reply = {&one, 1};
	struct buf clean = {0};
	struct items_added added;
	int result;

	item_clean(&clean, it->text, it->len);
	one.text = buf_str(&clean);
	one.len = clean.len;
	/* The user may have edited the draft. */
	if (!one.len)
		result = err_set(e, ERR_DATA, "'%s' has no text", r->path);
	else if (!date || strlen(date) != ITEM_DAY - 1)
		result = err_set(e, ERR_DATA, "'%s': the date is not valid",
				 r->path);
	else
		result = items_add(s, &reply, r->source, date, &added, e);
	if (!result && added.refused[it->key])
		result = err_set(e, ERR_DATA,
				 "refusing '%s': it looks like a secret",
				 r->path);
	if (!result && added.over[it->key])
		result = err_set(e, ERR_SYSTEM,
				 "'%s' gave %d items of its kind already",
				 r->source ? r->source : "it", ADD_MOST);
	buf_release(&clean);
	return result;
}

bool item_drafts_is(const struct record *r)
{
	return find_key(value_text(r->frontmatter, "item")) < REPLY_KEYS;
}

static int accept_draft(struct store *s, struct record *r, struct arena *a,
			struct err *e)
{
	const struct reply_item it = {
		.key = find_key(value_text(r->frontmatter, "item")),
		.text = r->content,
		.len = r->content_len,
		.path = value_text(r->frontmatter, "path"),
	};
	const char *file = category_file(reply_category(it.key));

	if (drafts_keeps_trust(s) && record_marks(r) & MARK_EXTERNAL)
		return err_set(e, ERR_DATA,
			       "'%s' becomes a line of a file, which cannot "
			       "stay external: accept it without --keep-trust, "
			       "or reject it",
			       r->path);
	if (add_line(s, r, &it, e) < 0)
		return -1;
	r->path = layout_path(&s->repo, file ? file : FILE_NOTES_FOLDER, a);
	return 0;
}

const struct drafts_kind item_drafts = {item_drafts_is, accept_draft};
