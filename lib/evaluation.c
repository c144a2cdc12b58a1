/* evaluation.c: judgements are sorted by question, and found by halves. */
#include "evaluation.h"

#include "file.h"
#include "json.h"

#include <math.h>

struct judgement {
	const char *q, *d;
};

struct judgements {
	struct judgement *items;
	size_t n, cap;
};

/* What both files are: lines of maps. */
struct rows {
	const char *path;
	struct buf text;
	size_t at;
	struct arena *a;
};

static int rows_open(struct rows *r, const char *path, struct arena *a,
		     struct err *e)
{
	*r = (struct rows){.path = path, .a = a};
	return file_read_path(path, EVALUATION_FILE_MAX, &r->text, e);
}

/* The next row: 1, 0 at the end, -1. */
static int rows_next(struct rows *r, struct value *row, struct err *e)
{
	struct err why;
	int found = json_parse_at(buf_str(&r->text), r->text.len, &r->at, r->a,
				  row, &why);

	if (found < 0)
		return err_set(e, ERR_DATA, "'%s':%s", r->path, why.text);
	if (found && row->kind != VALUE_MAP)
		return err_set(e, ERR_DATA,
			       "'%s': expected objects, one a line", r->path);
	return found;
}

/* *OUT gets the field KEY as a string, numbers as they are written; NULL
 * where it is absent and not NEEDED. */
static int take(const struct rows *r, const struct value *row, const char *key,
		bool needed, const char **out, struct err *e)
{
	const struct value *v = value_get(row, key);

	*out = NULL;
	if (v && v->kind == VALUE_STR)
		*out = v->u.s.p;
	else if (v && v->kind == VALUE_INT)
		*out = arena_printf(r->a, "%lld", (long long)v->u.i);
	if (*out || !needed)
		return 0;
	return err_set(e, ERR_DATA, "'%s': '%s' must be a string or a number",
		       r->path, key);
}

static bool is_relevant(const struct value *row)
{
	const struct value *rel = value_get(row, "rel");

	if (!rel)
		return true;
	return rel->kind == VALUE_INT
		       ? rel->u.i > 0
		       : rel->kind == VALUE_FLOAT && rel->u.f > 0;
}

static int compare_judgements(const void *a, const void *b)
{
	const struct judgement *x = a, *y = b;
	int order = strcmp(x->q, y->q);

	if (!order)
		order = strcmp(x->d, y->d);
	return order;
}

static int read_judgements(struct judgements *j, const char *path,
			   struct arena *a, struct err *e)
{
	struct rows rows;
	struct value row;
	int r = rows_open(&rows, path, a, e);

	while (r >= 0 && (r = rows_next(&rows, &row, e)) > 0) {
		struct judgement one = {0};

		if (take(&rows, &row, "q", true, &one.q, e) < 0 ||
		    take(&rows, &row, "d", true, &one.d, e) < 0) {
			r = -1;
			break;
		}
		if (!is_relevant(&row))
			continue;
		j->items = mem_grow(j->items, j->n, &j->cap, sizeof(*j->items));
		j->items[j->n++] = one;
	}
	buf_release(&rows.text);
	if (r < 0)
		return -1;
	if (j->n)
		qsort(j->items, j->n, sizeof(*j->items), compare_judgements);
	return 0;
}

/* Give G the answers to its question. */
static void find_answers(struct golden *g, const struct judgements *j,
			 struct arena *a)
{
	size_t low = 0, high = j->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(j->items[middle].q, g->id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < j->n && !strcmp(j->items[high].q, g->id);)
		high++;
	g->answers = arena_alloc(a, (high - low + 1) * sizeof(*g->answers));
	for (; low < high; low++) {
		const char *d = j->items[low].d;

		if (!g->nanswers || strcmp(g->answers[g->nanswers - 1], d))
			g->answers[g->nanswers++] = d;
	}
}

static int read_questions(struct goldens *g, const char *path,
			  const struct judgements *j, struct arena *a,
			  struct err *e)
{
	struct golden *items = NULL;
	struct rows rows;
	struct value row;
	size_t cap = 0;
	int r = rows_open(&rows, path, a, e);

	while (r >= 0 && (r = rows_next(&rows, &row, e)) > 0) {
		struct golden one = {0};

		if (take(&rows, &row, "id", true, &one.id, e) < 0 ||
		    take(&rows, &row, "text", true, &one.text, e) < 0 ||
		    take(&rows, &row, "cat", false, &one.category, e) < 0 ||
		    take(&rows, &row, "group", false, &one.group, e) < 0) {
			r = -1;
			break;
		}
		find_answers(&one, j, a);
		if (!one.nanswers)
			continue;
		items = mem_grow(items, g->n, &cap, sizeof(*items));
		items[g->n++] = one;
	}
	if (g->n && r >= 0) {
		g->items = arena_alloc(a, g->n * sizeof(*items));
		memcpy(g->items, items, g->n * sizeof(*items));
	}
	free(items);
	buf_release(&rows.text);
	return r < 0 ? -1 : 0;
}

int goldens_read(struct goldens *g, const char *queries, const char *qrels,
		 struct arena *a, struct err *e)
{
	struct judgements j = {0};
	int r = -1;

	*g = (struct goldens){0};
	if (read_judgements(&j, qrels, a, e) == 0)
		r = read_questions(g, queries, &j, a, e);
	free(j.items);
	return r;
}

void evaluation_add(struct evaluation *v, const bool *hit, size_t nhits,
		    size_t nanswers, double ms)
{
	double found5 = 0, found = 0, first = 0, gain = 0, ideal = 0;

	for (size_t i = 0; i < EVALUATION_DEPTH; i++) {
		double worth = 1 / log2((double)i + 2);

		ideal += i < nanswers ? worth : 0;
		if (i >= nhits || !hit[i])
			continue;
		gain += worth;
		found5 += i < 5;
		found++;
		if (!(first > 0))
			first = 1 / ((double)i + 1);
	}
	v->recall5 += found5 / (double)nanswers;
	v->recall10 += found / (double)nanswers;
	v->mrr += first;
	v->ndcg += gain / ideal;
	v->ms = mem_grow(v->ms, v->n, &v->cap, sizeof(*v->ms));
	v->ms[v->n++] = ms;
}

static int compare_ms(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

double evaluation_ms(struct evaluation *v, double share)
{
	size_t at = (size_t)(share * (double)v->n);

	if (!v->n)
		return 0;
	qsort(v->ms, v->n, sizeof(*v->ms), compare_ms);
	return v->ms[at < v->n ? at : v->n - 1];
}

void evaluation_release(struct evaluation *v)
{
	free(v->ms);
}
