/* blame.c: from the oldest step to the newest, the lines of each version are
 * compared with those of the parents. Equal lines are inherited; all others
 * belong to the step. */
#include "history/history.h"

#include "text/diff.h"

/* A version whose lines are assigned. */
struct known {
	const struct version *v;
	struct blame b;
};

struct blaming {
	struct history *h;
	struct known *known;
	size_t n, cap;
};

static struct buf text_buf(const struct version *v)
{
	return (struct buf){(char *)(uintptr_t)v->text->p, v->text->len, 0};
}

static const struct blame *find_lines(const struct blaming *all,
				      const struct version *v)
{
	for (size_t i = all->n; i-- > 0;) {
		if (all->known[i].v == v)
			return &all->known[i].b;
	}
	return NULL;
}

/* Let the lines of B, the lines of V in step S, inherit from equal lines of
 * WAS. */
static void inherit_lines(struct blaming *all, struct blame *b,
			  const struct history_step *s, const struct version *v,
			  const struct version *was)
{
	const struct blame *from = was ? find_lines(all, was) : NULL;
	struct buf old = from ? text_buf(was) : (struct buf){0};
	struct buf text = text_buf(v);
	size_t *kept;

	if (!from)
		return;
	kept = mem_alloc((b->n + 1) * sizeof(*kept));
	diff_keep(kept, &old, &text);
	for (size_t i = 0; i < b->n; i++) {
		if (kept[i] == SIZE_MAX || b->lines[i].step != s)
			continue;
		b->lines[i].step = from->lines[kept[i]].step;
		b->lines[i].change = from->lines[kept[i]].change;
	}
	free(kept);
}

/* Set B to the lines of the new version of C, all written by S. */
static void split_lines(struct blame *b, const struct history_step *s,
			const struct history_change *c, struct arena *a)
{
	const struct version *v = c->now;
	const struct buf text = text_buf(v);
	const char *p;
	size_t at = 0, len;

	b->n = diff_count(&text);
	b->head = 0;
	b->lines = arena_alloc(a, (b->n + 1) * sizeof(*b->lines));
	for (size_t i = 0; buf_next_line(&text, &at, &p, &len); i++) {
		b->lines[i] = (struct blame_line){s, c, p, len};
		b->head += v->text->content_len && p < v->text->content;
	}
}

static void add_version(struct blaming *all, const struct history_step *s,
			const struct history_change *c)
{
	const struct version *v = c->now;
	struct blame b;

	if (!v || v->missing || find_lines(all, v))
		return;
	split_lines(&b, s, c, &all->h->arena);
	inherit_lines(all, &b, s, v, c->was);
	for (size_t i = 0; i < c->nothers; i++)
		inherit_lines(all, &b, s, v, c->others[i]);
	*MEM_ADD(all->known, all->n, all->cap) = (struct known){v, b};
}

bool history_blame(struct blame *b, struct history *h)
{
	struct blaming all = {.h = h};
	const struct version *v = h->latest;
	const struct blame *found;

	*b = (struct blame){.n = 0};
	for (size_t i = h->n; i-- > 0;) {
		for (size_t k = 0; k < h->steps[i].n; k++)
			add_version(&all, &h->steps[i],
				    &h->steps[i].changes[k]);
	}
	for (size_t i = 0; i < h->n && !v; i++) {
		if (h->steps[i].n)
			v = h->steps[i].changes->was;
	}
	found = v ? find_lines(&all, v) : NULL;
	if (found)
		*b = *found;
	free(all.known);
	return found;
}
