/* stats-tags.c: tags are compared in folded form, sorted, and merged. */
#include "overview/stats.h"

#include "base/unicode.h"
#include "text/sanitize.h"

int stats_tags_add(struct stats_tags *t, struct store *s, bool sensitive,
		   struct arena *a, struct err *e)
{
	struct buf folded = {0};
	struct stats stats;

	if (stats_count(s, sensitive, a, &stats, e) < 0)
		return -1;
	for (size_t i = 0; i < stats.tags.n; i++) {
		const struct tally *tag = &stats.tags.items[i];

		buf_cut(&folded, 0);
		unicode_fold(&folded, tag->name, strlen(tag->name), true);
		*MEM_ADD(t->items, t->n, t->cap) = (struct stats_tag){
			tag->name, arena_strdup(a, buf_str(&folded)), tag->n};
	}
	t->kept_back += stats.tags_kept_back;
	buf_release(&folded);
	stats_release(&stats);
	return 0;
}

static int by_folded(const void *a, const void *b)
{
	const struct stats_tag *x = a, *y = b;
	const int r = strcmp(x->folded, y->folded);

	if (r)
		return r;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(y->name, x->name); /* lower case first */
}

static int most_first(const void *a, const void *b)
{
	const struct stats_tag *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->folded, y->folded);
}

void stats_tags_sort(struct stats_tags *t)
{
	size_t last = 0;

	if (!t->n)
		return;
	qsort(t->items, t->n, sizeof(*t->items), by_folded);
	for (size_t i = 1; i < t->n; i++) {
		if (!strcmp(t->items[last].folded, t->items[i].folded))
			t->items[last].n += t->items[i].n;
		else
			t->items[++last] = t->items[i];
	}
	t->n = last + 1;
	qsort(t->items, t->n, sizeof(*t->items), most_first);
}

void stats_tags_release(struct stats_tags *t)
{
	free(t->items);
	*t = (struct stats_tags){0};
}

void stats_tags_line(struct buf *out, const struct stats_tag *t, int width,
		     bool json, const struct coloring *c)
{
	struct buf name = {0};

	if (json) {
		json_write_open(out, NULL, '{');
		json_write_text(out, "tag", t->name);
		json_write_size(out, "memories", t->n);
		json_write_close(out, '}');
	} else {
		sanitize_line(&name, t->name, strlen(t->name));
		buf_addf(out, "%*zu  ", width, t->n);
		color_add(out, c, COLOR_TAG, buf_str(&name), name.len);
		buf_release(&name);
	}
	buf_addc(out, '\n');
}
