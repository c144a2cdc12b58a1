/* evaluation.c: judgements are sorted by question and found by binary
 * search. */
#include "search/evaluation.h"

#include "format/json-read.h"
#include "format/json-write.h"
#include "sys/file.h"

#include <math.h>

struct judgement {
	const char *q, *d;
};

struct judgements {
	struct judgement *items;
	size_t n, cap;
};

/* A file of JSON objects, one per line. */
struct lines {
	const char *path;
	struct buf text;
	size_t at;
	struct arena *a;
};

static int open_lines(struct lines *r, const char *path, struct arena *a,
		      struct err *e)
{
	*r = (struct lines){.path = path, .a = a};
	return file_read_operand(path, EVALUATION_FILE_MAX, &r->text, e);
}

/* Read the next object. Return 1, 0 at the end, -1. */
static int next_row(struct lines *r, struct value *row, struct err *e)
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

/* Set *OUT to the field KEY as a string; a number as it is written. If it is
 * absent, set NULL, and fail if NEEDED. */
static int get_string(const struct lines *r, const struct value *row,
		      const char *key, bool needed, const char **out,
		      struct err *e)
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
	struct lines rows;
	struct value row;
	int r = open_lines(&rows, path, a, e);

	while (r >= 0 && (r = next_row(&rows, &row, e)) > 0) {
		struct judgement one = {0};

		if (get_string(&rows, &row, "q", true, &one.q, e) < 0 ||
		    get_string(&rows, &row, "d", true, &one.d, e) < 0) {
			r = -1;
			break;
		}
		if (!is_relevant(&row))
			continue;
		*MEM_ADD(j->items, j->n, j->cap) = one;
	}
	buf_release(&rows.text);
	if (r < 0)
		return -1;
	MEM_SORT(j->items, j->n, compare_judgements);
	return 0;
}

/* Set the answers of G from the judgements J. */
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
	struct lines rows;
	struct value row;
	size_t cap = 0;
	int r = open_lines(&rows, path, a, e);

	while (r >= 0 && (r = next_row(&rows, &row, e)) > 0) {
		struct golden one = {0};

		if (get_string(&rows, &row, "id", true, &one.id, e) < 0 ||
		    get_string(&rows, &row, "text", true, &one.text, e) < 0 ||
		    get_string(&rows, &row, "cat", false, &one.category, e) <
			    0 ||
		    get_string(&rows, &row, "group", false, &one.group, e) <
			    0) {
			r = -1;
			break;
		}
		find_answers(&one, j, a);
		if (!one.nanswers)
			continue;
		*MEM_ADD(items, g->n, cap) = one;
	}
	if (g->n && r >= 0) {
		g->items = arena_alloc(a, g->n * sizeof(*items));
		memcpy(g->items, items, g->n * sizeof(*items));
	}
	free(items);
	buf_release(&rows.text);
	return r < 0 ? -1 : 0;
}

int evaluation_read(struct goldens *g, const char *queries, const char *qrels,
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

void evaluation_pick(struct goldens *g, size_t n)
{
	if (n >= g->n)
		return;
	for (size_t i = 0; i < n; i++)
		g->items[i] = g->items[i * g->n / n];
	g->n = n;
}

/* Add the outcome of one question, which has NANSWERS answers, to V. */
static void add_outcome(struct evaluation *v, const struct outcome *o,
			size_t nanswers)
{
	double found5 = 0, found = 0, first = 0, gain = 0, ideal = 0;

	for (size_t i = 0; i < EVALUATION_DEPTH; i++) {
		double worth = 1 / log2((double)i + 2);

		ideal += i < nanswers ? worth : 0;
		if (!o->hits[i])
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
	v->ndcg10 += gain / ideal;
}

static int compare_ms(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

struct evaluation evaluation_run(const struct goldens *g,
				 const struct outcome *outcomes,
				 const char *category)
{
	struct evaluation v = {0};
	double *ms = mem_alloc(g->n * sizeof(*ms)), n;

	for (size_t i = 0; i < g->n; i++) {
		const char *its = g->items[i].category;

		if (category && (!its || strcmp(its, category) != 0))
			continue;
		add_outcome(&v, &outcomes[i], g->items[i].nanswers);
		ms[v.n++] = outcomes[i].ms;
	}
	if (v.n) {
		n = (double)v.n;
		v.recall5 /= n;
		v.recall10 /= n;
		v.mrr /= n;
		v.ndcg10 /= n;
		qsort(ms, v.n, sizeof(*ms), compare_ms);
		v.p50_ms = ms[v.n / 2];
		v.p95_ms = ms[v.n * 95 / 100];
	}
	free(ms);
	return v;
}

bool evaluation_opens_category(const struct goldens *g, size_t i)
{
	const char *its = g->items[i].category;

	for (size_t k = 0; k < i && its; k++) {
		const char *other = g->items[k].category;

		if (other && !strcmp(other, its))
			return false;
	}
	return its != NULL;
}

static const struct figure {
	const char *name, *key, *unit;
	size_t offset;
	int digits;
} figures[] = {
	{"Recall@5", "recall5", "", offsetof(struct evaluation, recall5), 4},
	{"Recall@10", "recall10", "", offsetof(struct evaluation, recall10), 4},
	{"MRR", "mrr", "", offsetof(struct evaluation, mrr), 4},
	{"nDCG@10", "ndcg10", "", offsetof(struct evaluation, ndcg10), 4},
	{"p50", "p50_ms", " ms", offsetof(struct evaluation, p50_ms), 2},
	{"p95", "p95_ms", " ms", offsetof(struct evaluation, p95_ms), 2},
};

static double value_of(const struct evaluation *v, const struct figure *f)
{
	double value;

	memcpy(&value, (const char *)v + f->offset, sizeof(value));
	return value;
}

void evaluation_text(struct buf *out, const struct evaluation *v,
		     const char *category)
{
	if (category)
		buf_addf(out, "category %s: questions %zu", category, v->n);
	else
		buf_addf(out, "questions %zu", v->n);
	for (size_t i = 0; i < ARRAY_LEN(figures); i++)
		buf_addf(out, "%s%s %.*f%s", category ? ", " : "\n",
			 figures[i].name, figures[i].digits,
			 value_of(v, &figures[i]), figures[i].unit);
	buf_addc(out, '\n');
}

void evaluation_json(struct buf *out, const struct evaluation *v,
		     const char *category, const char *mode)
{
	char number[64];

	json_write_open(out, NULL, '{');
	json_write_given(out, "category", category);
	json_write_text(out, "mode", mode);
	json_write_int(out, "questions", (int64_t)v->n);
	for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
		snprintf(number, sizeof(number), "%.*f", figures[i].digits,
			 value_of(v, &figures[i]));
		json_write_raw(out, figures[i].key, number);
	}
	json_write_end(out);
}

int evaluation_meets(const struct evaluation *v, const char *least,
		     double *value, struct err *e)
{
	const char *colon = strchr(least, ':');
	size_t len = colon ? (size_t)(colon - least) : 0;
	double wanted;
	char *end;

	for (size_t i = 0; i < ARRAY_LEN(figures) && colon; i++) {
		if (strlen(figures[i].key) != len || *figures[i].unit ||
		    memcmp(figures[i].key, least, len) != 0)
			continue;
		wanted = strtod(colon + 1, &end);
		if (end == colon + 1 || *end)
			break;
		*value = value_of(v, &figures[i]);
		return *value >= wanted;
	}
	return err_set(e, ERR_USAGE,
		       "'%s' is not a figure and its least: expected recall5, "
		       "recall10, mrr or ndcg10, a colon, a number",
		       least);
}
