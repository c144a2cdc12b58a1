/* add.c: items are gathered by the file that they go to; each file is replaced
 * once.  A note on a file that is not there is a fact.
 */
#include "harvest/add.h"

#include "base/table.h"
#include "harvest/item-file.h"
#include "harvest/file-notes.h"
#include "harvest/rewrite.h"
#include "store/secret-gate.h"

/* An item on its way. */
struct addition {
	enum reply_key key;
	const char *text;
	size_t len;
	const char *path; /* of a note; NULL: it is a fact */
	enum fate { WAITS, ADDED, KNOWN, OVER } fate;
};

/* A file that items go to. */
struct target {
	struct adding *of;
	enum category category;
	const char *name;
	const char *about; /* of notes */
	struct addition **items;
	size_t n, cap;
};

struct adding {
	struct store *store;
	struct arena arena;
	const char *from, *date;
	bool named; /* the conversation is, and counted by */
	struct addition *items;
	size_t n;
	struct target *targets;
	size_t ntargets, captargets;
};

static struct target *target_of(struct adding *ad, enum category c,
				const char *name, const char *about)
{
	struct target *t = ad->targets;

	for (; t < ad->targets + ad->ntargets; t++) {
		if (t->category == c && !strcmp(t->name, name))
			return t;
	}
	ad->targets = mem_grow(ad->targets, ad->ntargets, &ad->captargets,
			       sizeof(*ad->targets));
	t = &ad->targets[ad->ntargets++];
	*t = (struct target){ad, c, name, about, NULL, 0, 0};
	return t;
}

/* Find the file that IT goes to. */
static int assign(struct adding *ad, struct addition *it, struct err *e)
{
	enum category c = reply_category(it->key);
	const char *name = NULL, *about = NULL;
	struct target *t;
	int r = 0;

	if (c == CATEGORY_FILES && it->path)
		r = file_notes_locate(ad->store, it->path, &ad->arena, &name,
				      &about, e);
	if (r < 0)
		return -1;
	if (c == CATEGORY_FILES && r == 0) {
		if (it->path)
			it->text = arena_printf(&ad->arena, "%s: %s", it->path,
						it->text);
		it->len = strlen(it->text);
		c = CATEGORY_FACTS;
	}
	t = target_of(ad, c, name ? name : category_file(c), about);
	t->items = mem_grow(t->items, t->n, &t->cap, sizeof(struct addition *));
	t->items[t->n++] = it;
	return 0;
}

/* What a file holds already. */
struct present {
	struct arena arena;
	struct table table;
	struct item *items;
	size_t n, cap;
	size_t counted[2]; /* of our conversation; of tasks, those done apart */
};

static bool has_text(const struct present *p, const char *text, size_t len)
{
	struct table_look k = table_look(&p->table, text, len, 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (p->items[i].len == len &&
		    !memcmp(p->items[i].text, text, len))
			return true;
	}
	return false;
}

static void put_text(struct present *p, const struct item *it)
{
	p->items = mem_grow(p->items, p->n, &p->cap, sizeof(*p->items));
	p->items[p->n] = *it;
	table_put(&p->table, it->text, it->len, 0, p->n++);
}

static void take_present(struct present *p, const struct buf *was,
			 const struct adding *ad)
{
	struct item_walk walk = {.p = buf_str(was), .len = was->len};
	struct item_span span;
	struct item it;

	while (item_walk_next(&walk, &span)) {
		if (!item_read(&it, walk.p, &span, &p->arena))
			continue;
		put_text(p, &it);
		if (ad->named && it.from && !strcmp(it.from, ad->from))
			p->counted[span.done]++;
	}
}

static void release_present(struct present *p)
{
	free(p->items);
	table_release(&p->table);
	arena_release(&p->arena);
}

/* Make the lines of those items of T that P has not. */
static void add_lines(struct target *t, struct present *p, struct buf lines[2])
{
	size_t of_key[REPLY_KEYS] = {0};

	for (size_t i = 0; i < t->n; i++) {
		struct addition *it = t->items[i];
		const bool done = it->key == REPLY_TASKS_DONE;

		if (has_text(p, it->text, it->len)) {
			it->fate = it->fate == ADDED ? ADDED : KNOWN;
		} else if (p->counted[done] + of_key[it->key] >= ADD_MOST) {
			it->fate = OVER;
		} else {
			it->fate = ADDED;
			of_key[it->key]++;
			item_add(&lines[done], it->text, it->len, t->of->from,
				 t->of->date);
			put_text(p, &(struct item){.text = it->text,
						   .len = it->len});
		}
	}
}

/* A rewrite_fn. */
static int compose(void *ctx, const struct buf *was, struct buf *text,
		   struct err *e)
{
	struct target *t = ctx;
	struct buf lines[2] = {0}, with = {0}, labelled = {0};
	struct present present = {0};
	const struct buf *base = was;
	const bool any =
		(take_present(&present, was, t->of),
		 add_lines(t, &present, lines), lines[0].len || lines[1].len);

	(void)e;
	if (any && t->about) {
		file_notes_label(&labelled, was, t->about, &present.arena);
		base = &labelled;
	}
	if (any && lines[0].len) {
		item_file_add(lines[1].len ? &with : text, base, t->category,
			      false, &lines[0]);
		base = &with;
	}
	if (any && lines[1].len)
		item_file_add(text, base, t->category, true, &lines[1]);
	release_present(&present);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		buf_release(&lines[i]);
	buf_release(&with);
	buf_release(&labelled);
	return any;
}

static int write_all(struct adding *ad, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < ad->n && !r; i++)
		r = assign(ad, &ad->items[i], e);
	/* What is wrong with one file is told before another is written. */
	for (int write = 0; write < 2 && r >= 0; write++) {
		for (size_t i = 0; i < ad->ntargets && r >= 0; i++) {
			struct target *t = &ad->targets[i];
			const struct rewrite rw = {
				ad->store, t->about ? FILE_NOTES_FOLDER : "",
				t->name,   compose,
				t,	   0};

			r = write ? rewrite_file(&rw, e)
				  : rewrite_check(&rw, e);
		}
	}
	return r < 0 ? -1 : 0;
}

/* Take the items of R that may go into the store; the others are reported. */
static void screen(struct adding *ad, const struct reply *r,
		   struct added *added)
{
	size_t whole[REPLY_KEYS] = {0};
	struct err why;

	ad->items = arena_alloc(&ad->arena, (r->n + 1) * sizeof(*ad->items));
	for (size_t i = 0; i < r->n; i++) {
		const struct reply_item *it = &r->items[i];
		const char *where =
			arena_printf(&ad->arena, "item %zu of %s", it->number,
				     reply_key_name(it->key));

		if (secret_gate_text(ad->store, it->text, it->len, NULL, 0,
				     where, &why) < 0 ||
		    (it->path &&
		     secret_gate_text(ad->store, it->path, strlen(it->path),
				      NULL, 0, where, &why) < 0)) {
			err_report(ad->store->report, &why);
			added->refused[it->key]++;
		} else if (whole[it->key] == ADD_MOST &&
			   it->key == REPLY_FILES) {
			added->over[it->key]++;
		} else {
			whole[it->key]++;
			ad->items[ad->n++] = (struct addition){
				it->key, it->text, it->len, it->path, WAITS};
		}
	}
}

static void count(const struct adding *ad, struct added *added)
{
	for (size_t i = 0; i < ad->n; i++) {
		const struct addition *it = &ad->items[i];

		(it->fate == ADDED   ? added->added
		 : it->fate == KNOWN ? added->known
				     : added->over)[it->key]++;
	}
}

int add_items(struct store *s, const struct reply *r, const char *from,
	      const char *date, struct added *added, struct err *e)
{
	struct adding ad = {.store = s, .date = date, .named = from != NULL};
	struct buf name = {0};
	int result = 0;

	*added = (struct added){0};
	if (from && secret_gate_text(s, from, strlen(from), NULL, 0,
				     "the conversation's name", e) < 0)
		return -1;
	item_clean_from(&name, from ? from : "");
	ad.from = name.len ? name.p : ADD_FROM;
	screen(&ad, r, added);
	if (ad.n) {
		result = store_lock(s, e);
		if (!result) {
			result = write_all(&ad, e);
			store_unlock(s);
		}
	}
	count(&ad, added);
	for (size_t i = 0; i < ad.ntargets; i++)
		free(ad.targets[i].items);
	free(ad.targets);
	arena_release(&ad.arena);
	buf_release(&name);
	return result;
}
