#include "search/similar.h"

#include "base/utf8.h"
#include "rank/alike.h"
#include "repo/marks.h"
#include "search/retraction.h"
#include "store/display.h"
#include "store/ids.h"
#include "store/trash.h"
#include "sys/process.h"

#define READ_MAX 500   /* texts per area, see similar_to() */
#define FOUND_MAX "50" /* of the memories, by a search */
#define FOUND_MS 60000 /* the search may have to make an index first */
#define ASKED_MAX 500  /* bytes of the text that are searched for */

struct text {
	struct record head;
	bool whole; /* it has all of its content */
	enum area area;
	struct alike words;
};

struct similar {
	struct text *items;
	size_t n, cap;
	enum area area;	   /* the area that is being read */
	bool current_only; /* leave out replaced memories */
	struct alike asked;
	struct terms terms;
	struct arena arena;
};

/* Set T to a copy of R; of its content only if it may be contradicted. */
static void set_text(struct similar *sim, struct text *t,
		     const struct record *r)
{
	t->whole = r->content_len <= ALIKE_TEXT_MAX;
	t->head = t->whole ? record_copy(r, &sim->arena)
			   : record_copy_head(r, &sim->arena);
	alike_read(&t->words, &sim->terms, r->content, r->content_len);
}

static int read_text(void *ctx, const struct record *r)
{
	struct similar *sim = ctx;
	struct text *t;

	const bool replaced = sim->area == AREA_MEMORIES &&
			      marks_now(&r->keys) & MARK_REPLACED;

	/* A hit that shows a part of it would reveal it. */
	if (record_marks(r) & MARK_SENSITIVE || (replaced && sim->current_only))
		return 0;
	t = MEM_ADD(sim->items, sim->n, sim->cap);
	*t = (struct text){.area = replaced ? AREA_ARCHIVE : sim->area};
	set_text(sim, t, r);
	return 0;
}

static int read_area(struct similar *sim, struct store *s, enum area area,
		     struct err *e)
{
	sim->area = area;
	return store_each(s, area, read_text, sim, e);
}

struct similar *similar_new(struct store *s, struct err *e)
{
	struct similar *sim = mem_alloc(sizeof(*sim));
	const struct report *report = s->report;
	int r = 0;

	s->report = NULL;
	for (enum area area = AREA_MEMORIES; !r && area < AREA_ANY; area++)
		r = read_area(sim, s, area, e);
	s->report = report;
	if (!r)
		return sim;
	similar_free(sim);
	return NULL;
}

/* Read the file at PATH; one that cannot be read is left out. */
static void read_path(struct similar *sim, struct store *s, const char *path)
{
	struct arena a = {0};
	struct record r;

	if (store_read(s, path, &a, &r, NULL) == 1)
		read_text(sim, &r);
	arena_release(&a);
}

struct paths {
	const char **items;
	size_t n, cap;
	struct arena arena;
};

static int add_path(void *ctx, const struct layout_file *f, struct err *e)
{
	struct paths *list = ctx;

	(void)e;
	*MEM_ADD(list->items, list->n, list->cap) =
		arena_strdup(&list->arena, f->path);
	return 0;
}

static int newest_first(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	const int64_t m = ids_of_name(strrchr(*x, '/') + 1);
	const int64_t n = ids_of_name(strrchr(*y, '/') + 1);

	return m != n ? (m < n ? 1 : -1) : strcmp(*x, *y);
}

/* Read the READ_MAX texts of AREA with the highest ids. */
static int read_newest(struct similar *sim, struct store *s, enum area area,
		       struct err *e)
{
	struct paths list = {0};
	const int r = layout_walk(&s->repo, area, add_path, &list, e);

	sim->area = area;
	MEM_SORT(list.items, list.n, newest_first);
	for (size_t i = 0; !r && i < list.n && i < READ_MAX; i++)
		read_path(sim, s, list.items[i]);
	free(list.items);
	arena_release(&list.arena);
	return r;
}

static int read_if_replaced(void *ctx, const struct record *r)
{
	return marks_now(&r->keys) & MARK_REPLACED ? read_text(ctx, r) : 0;
}

/* Read the replaced memories that stay in memories/, which no search finds. */
static int read_replaced(struct similar *sim, struct store *s, struct err *e)
{
	sim->area = AREA_MEMORIES;
	return store_each(s, AREA_MEMORIES, read_if_replaced, sim, e);
}

/* Read the READ_MAX newest texts in the trash. */
static int read_trash(struct similar *sim, struct store *s, struct err *e)
{
	struct strings list, files;
	struct arena a = {0};
	int r = trash_folders_list(s, &a, &list, e);
	size_t n = 0;

	sim->area = AREA_TRASH;
	for (size_t i = 0; !r && i < list.n && n < READ_MAX; i++) {
		const char *folder =
			arena_printf(&a, LAYOUT_TRASH "/%s", list.items[i]);

		r = trash_folders_contents(s, folder, &a, &files, e);
		folder = layout_path(&s->repo, folder, &a);
		for (size_t k = 0; !r && k < files.n && n < READ_MAX; k++, n++)
			read_path(sim, s,
				  arena_printf(&a, "%s/%s", folder,
					       files.items[k]));
		free(files.items);
	}
	free(list.items);
	arena_release(&a);
	return r;
}

/* Append the beginning of P as plain words of a query, without operators. */
static void add_words(struct buf *out, const char *p, size_t len)
{
	const size_t n = utf8_cut(p, len, len < ASKED_MAX ? len : ASKED_MAX);

	for (size_t i = 0; i < n; i++)
		buf_addc(out, p[i] && !strchr("\":", p[i]) ? p[i] : ' ');
}

/* Read the memories that a search for the beginning of P finds first. Another
 * program searches: few saves need it, and linking the search would make the
 * start of all slower. */
static void read_found(struct similar *sim, struct store *s, const char *p,
		       size_t len)
{
	const bool global = s->repo.root.scope == SCOPE_GLOBAL;
	const char *const command[] = {"co-index-query",
				       "--kind=memory",
				       "--max=" FOUND_MAX,
				       "-z",
				       "-",
				       global ? "--global" : NULL,
				       NULL};
	const struct helper h = {.words = command,
				 .timeout_ms = FOUND_MS,
				 .max = PROCESS_OUTPUT_MAX};
	struct buf words = {0}, paths = {0};
	struct err e; /* a failed search counts as no result */

	add_words(&words, p, len);
	sim->area = AREA_MEMORIES;
	if (process_run_helper(&h, &words, &paths, &e) == 0) {
		for (size_t at = 0; at < paths.len;
		     at += strlen(paths.p + at) + 1)
			read_path(sim, s, paths.p + at);
	}
	buf_release(&paths);
	buf_release(&words);
}

static struct similar *read_like(struct store *s, const char *p, size_t len,
				 bool others, struct err *e)
{
	struct similar *sim = mem_alloc(sizeof(*sim));
	const struct report *report = s->report;
	size_t n;
	int r;

	s->report = NULL;
	sim->current_only = !others;
	r = store_count(s, AREA_MEMORIES, &n, e);
	if (!r && n > READ_MAX)
		read_found(sim, s, p, len);
	else if (!r)
		r = read_area(sim, s, AREA_MEMORIES, e);
	if (!r && others)
		r = read_newest(sim, s, AREA_DRAFTS, e);
	if (!r && others)
		r = read_trash(sim, s, e);
	if (!r && others)
		r = read_newest(sim, s, AREA_ARCHIVE, e);
	if (!r && others && n > READ_MAX && store_is_team(s))
		r = read_replaced(sim, s, e);
	s->report = report;
	if (!r)
		return sim;
	similar_free(sim);
	return NULL;
}

struct similar *similar_to(struct store *s, const char *p, size_t len,
			   struct err *e)
{
	return read_like(s, p, len, true, e);
}

struct similar *similar_to_memories(struct store *s, const char *p, size_t len,
				    struct err *e)
{
	return read_like(s, p, len, false, e);
}

void similar_free(struct similar *sim)
{
	if (!sim)
		return;
	for (size_t i = 0; i < sim->n; i++)
		alike_release(&sim->items[i].words);
	free(sim->items);
	alike_release(&sim->asked);
	terms_release(&sim->terms);
	arena_release(&sim->arena);
	free(sim);
}

/* Return true if A is shown before B: an equal text first, then contradicted
 * ones, then by similarity; memories before drafts and trash. */
static bool is_better(const struct similar_hit *a, const struct similar_hit *b)
{
	const bool x = a->percent == 100, y = b->percent == 100;

	if (x != y)
		return x;
	if (a->contradicted != b->contradicted)
		return a->contradicted;
	if (a->percent != b->percent)
		return a->percent > b->percent;
	if (a->area != b->area)
		return a->area < b->area;
	return record_by_id(a->record, b->record) < 0;
}

/* Return true if ASKED may contradict T: a memory that is current and not later. */
static bool may_contradict(const struct record *asked, const struct text *t)
{
	return t->area == AREA_MEMORIES &&
	       instant_cmp(asked->at, t->head.at) >= 0 &&
	       !(record_marks(&t->head) & (marks_past() | MARK_REPLACED)) &&
	       t->whole;
}

/* Compare all texts with ASKED by their words, and find those that it retracts
 * in other words. The caller frees the result. */
static struct retraction_text *compare_all(struct similar *sim,
					   const struct record *asked)
{
	const bool external = record_marks(asked) & MARK_EXTERNAL;
	struct retraction_text *all = mem_alloc((sim->n + 1) * sizeof(*all));

	alike_read(&sim->asked, &sim->terms, asked->content,
		   asked->content_len);
	for (size_t i = 0; i < sim->n; i++) {
		const struct text *t = &sim->items[i];

		all[i].percent = alike_compare(&sim->asked, &t->words);
		if (external || !may_contradict(asked, t))
			continue;
		all[i].text = (struct embed_text){t->head.content,
						  t->head.content_len};
		all[i].words = &t->words;
	}
	retraction_find(
		&sim->terms,
		&(struct embed_text){asked->content, asked->content_len}, all,
		sim->n);
	return all;
}

size_t similar_find(struct similar *sim, const struct record *asked,
		    struct similar_hit *hits)
{
	struct retraction_text *all = compare_all(sim, asked);
	size_t n = 0, at;

	for (size_t i = 0; i < sim->n; i++) {
		const struct text *t = &sim->items[i];
		struct similar_hit hit = {.record = &t->head,
					  .area = t->area,
					  .percent = all[i].percent,
					  .contradicted = all[i].found};

		if ((hit.percent < ALIKE_LEAST && !hit.contradicted) ||
		    !strcmp(t->head.path, asked->path))
			continue;
		hit.contradicted =
			hit.contradicted ||
			(may_contradict(asked, t) &&
			 similar_contradicted_by(&sim->terms, &t->head, asked));
		for (at = n; at && is_better(&hit, &hits[at - 1]); at--) {
			if (at < SIMILAR_SHOWN)
				hits[at] = hits[at - 1];
		}
		if (at < SIMILAR_SHOWN)
			hits[at] = hit;
		n += n < SIMILAR_SHOWN;
	}
	free(all);
	return n;
}

/* Return true if EARLIER and LATER, whose words are X and Y, say nearly the same. */
static bool are_same(struct terms *t, const struct record *earlier,
		     const struct alike *x, const struct record *later,
		     const struct alike *y)
{
	return earlier->id != later->id && earlier->scope == later->scope &&
	       earlier->elsewhere == later->elsewhere && x->n && y->n &&
	       alike_compare(x, y) >= SIMILAR_SAME &&
	       record_marks(earlier) == record_marks(later) &&
	       !similar_contradicted_by(t, earlier, later) &&
	       !similar_contradicted_by(t, later, earlier);
}

void similar_first(const struct record *records, size_t n, size_t *first)
{
	struct alike *words = mem_alloc((n + 1) * sizeof(*words));
	struct terms t = {0};

	for (size_t i = 0; i < n; i++) {
		const struct record *r = &records[i];

		words[i] = (struct alike){0};
		first[i] = i;
		if (r->kind != RECORD_MEMORY ||
		    r->content_len > SIMILAR_SAME_MAX)
			continue;
		alike_read(&words[i], &t, r->content, r->content_len);
		for (size_t k = 0; k < i && first[i] == i; k++) {
			if (first[k] == k &&
			    are_same(&t, &records[k], &words[k], r, &words[i]))
				first[i] = k;
		}
	}
	for (size_t i = 0; i < n; i++)
		alike_release(&words[i]);
	free(words);
	terms_release(&t);
}

void similar_show(struct buf *out, const struct similar_hit *hits, size_t n,
		  size_t columns, const struct coloring *c)
{
	static const char *const where[AREA_ANY] = {
		"", "draft ", "in the trash ", "replaced earlier: "};

	for (size_t i = 0; i < n; i++) {
		const size_t from = out->len;

		buf_addf(out, "%s%s%s", i ? "          " : "similar:  ",
			 hits[i].contradicted ? "contradicts " : "",
			 where[hits[i].area]);
		display_mention(out, hits[i].record, c);
		if (!hits[i].contradicted)
			display_cut(out, from, columns);
	}
}

void similar_move(struct similar *sim, const char *path, const struct record *r,
		  enum area area)
{
	for (size_t i = 0; i < sim->n; i++) {
		struct text *t = &sim->items[i];

		if (strcmp(t->head.path, path) != 0)
			continue;
		t->area = area;
		if (!r)
			return;
		set_text(sim, t, r);
		return;
	}
}
