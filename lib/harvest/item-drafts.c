/* item-drafts.c: see item-drafts.h.  A line that is there already is not added
 * again.
 */
#include "harvest/item-drafts.h"

#include "harvest/items.h"
#include "harvest/file-notes.h"
#include "store/save.h"

/* The items that are looked for among those that stand. */
struct looked {
	const struct reply *reply;
	bool *stands; /* of each */
};

/* The key of the reply that NAME is, REPLY_KEYS where it is none. */
static enum reply_key key_of(const char *name)
{
	enum reply_key k = 0;

	while (k < REPLY_KEYS &&
	       (!name || strcmp(name, reply_key_name(k)) != 0))
		k++;
	return k;
}

/* Add the draft R, an item, as a line. */
static int add_line(struct store *s, const struct record *r,
		    const struct reply_item *it, struct err *e)
{
	const char *date = value_text(r->frontmatter, "date");
	struct reply_item one = *it;
	const struct reply reply = {&one, 1};
	struct buf clean = {0};
	struct added added;
	int result;

	item_clean(&clean, it->text, it->len);
	one.text = buf_str(&clean);
	one.len = clean.len;
	/* One that the user edited may be anything. */
	if (!one.len)
		result = err_set(e, ERR_DATA, "'%s' has no text", r->path);
	else if (!date || strlen(date) != ITEM_DAY - 1)
		result =
			err_set(e, ERR_DATA, "'%s': the date is none", r->path);
	else
		result = add_items(s, &reply, r->source, date, &added, e);
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
	return key_of(value_text(r->frontmatter, "item")) < REPLY_KEYS;
}

static int keep(struct store *s, struct record *r, struct arena *a,
		struct err *e)
{
	const struct reply_item it = {
		.key = key_of(value_text(r->frontmatter, "item")),
		.text = r->content,
		.len = r->content_len,
		.path = value_text(r->frontmatter, "path"),
	};
	const char *file = category_file(reply_category(it.key));

	if (add_line(s, r, &it, e) < 0)
		return -1;
	r->path = layout_path(&s->repo, file ? file : FILE_NOTES_FOLDER, a);
	return 0;
}

const struct drafts_kind item_drafts = {item_drafts_is, keep};
