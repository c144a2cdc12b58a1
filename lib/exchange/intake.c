/* intake.c: a draft that was to be accepted may be gone: an earlier line had the same
 * text, or another process has accepted or rejected it. Then the text is known.
 */
#include "exchange/exchange.h"

#include "format/json-read.h"
#include "store/drafts.h"
#include "store/save.h"

/* Save N unless it is known, and return as save_memory(), or 2 if it is a draft that
 * already waits. */
static int save_unless_known(struct exchange_saving *in, struct store_new *n,
			     struct arena *a, struct err *e)
{
	enum area where;
	struct record r;
	int result;

	n->when = SAVE_UNLESS_KNOWN;
	n->where = &where;
	result = save_memory(in->items.store, n, a, &r, e);
	if (result <= 0 || where != AREA_DRAFTS)
		return result;
	if (in->accept)
		strings_add(&in->drafts, arena_strdup(&in->arena, r.path));
	return 2;
}

/* Save the memory in the LEN bytes of P, parsed as V, as save_unless_known(). A record
 * with complete frontmatter keeps its id if that is free and no draft has its text. */
static int save_memory_line(struct exchange_saving *in, const char *p,
			    size_t len, const struct value *v, struct arena *a,
			    struct err *e)
{
	struct store_new n = {.draft = !in->accept};
	int result;

	if (in->accept && value_get(value_get(v, "frontmatter"), "id") &&
	    save_parse_exact(&n, p, len, a, e) == 0) {
		result = save_unless_known(in, &n, a, e);
		if (result >= 0 || e->code != ERR_DATA)
			return result;
		n = (struct store_new){.draft = false};
	}
	if (save_parse(&n, p, len, a, e) < 0)
		return -1;
	save_drop_references(&n, a);
	n.trust = "external";
	result = save_unless_known(in, &n, a, e);
	in->unloaded += !result && value_is_true(value_get(n.extra, "always"));
	return result;
}

int exchange_save_line(struct exchange_saving *in, const char *p, size_t len,
		       struct arena *a, struct err *e)
{
	struct value v;
	int r;

	if (json_parse(p, len, a, &v, e) < 0)
		return -1;
	if (item_lines_is(&v))
		return item_lines_add(&in->items, &v, e);
	r = save_memory_line(in, p, len, &v, a, e);
	in->saved += !r;
	in->known += r == 1;
	in->waiting += r == 2 && !in->accept;
	return r < 0 ? -1 : 0;
}

/* Accept the draft at PATH. Return 0, 1 if it is gone, or -1. */
static int accept_draft(struct exchange_saving *in, const char *path,
			struct err *e)
{
	struct arena a = {0};
	const char *replaced;
	struct record r;
	const int result = drafts_accept(in->items.store, path, NULL, &a, &r,
					 &replaced, e);

	arena_release(&a);
	return result < 0 && e->code == ERR_NO ? 1 : result;
}

static int accept_drafts(struct exchange_saving *in, enum err_code *failed,
			 struct err *e)
{
	for (size_t i = 0; i < in->drafts.n; i++) {
		const int r = accept_draft(in, in->drafts.items[i], e);

		if (r < 0 && e->code != ERR_DATA)
			return -1;
		if (r < 0) {
			err_report(in->items.store->report, e);
			*failed = ERR_DATA;
		}
		in->saved += !r;
		in->known += r == 1;
	}
	return 0;
}

int exchange_finish_saving(struct exchange_saving *in, enum err_code *failed,
			   struct err *e)
{
	struct store *s = in->items.store;
	int r = accept_drafts(in, failed, e);

	free(in->drafts.items);
	arena_release(&in->arena);
	if (r < 0)
		return -1;
	if (item_lines_flush(&in->items, e) < 0) {
		if (e->code != ERR_DATA)
			return -1;
		err_report(s->report, e);
		*failed = ERR_DATA;
	}
	if (in->items.refused)
		*failed = ERR_DATA;
	in->saved += in->items.added;
	in->known += in->items.known;
	return save_sync(s, e);
}
