/* article-find.c: one pass over all articles. Of several matches, the first by
 * path counts. */
#include "article/article-find.h"

static int match_article(void *ctx, const struct record *r)
{
	struct article_finding *f = ctx;
	const char *sum = value_text(r->frontmatter, "sha256");

	if (r->source && !strcmp(r->source, f->source)) {
		if (!f->r.path || strcmp(r->path, f->r.path) < 0)
			f->r = record_copy(r, f->a);
	} else if (f->sha256 && sum && !strcmp(sum, f->sha256)) {
		if (!f->twin || strcmp(r->path, f->twin) < 0)
			f->twin = arena_strdup(f->a, r->path);
	}
	return 0;
}

int article_each(struct store *s, store_fn *fn, void *ctx, struct err *e)
{
	const struct report *report = s->report;
	int r;

	s->report = NULL;
	r = store_each_strict(s, AREA_ARTICLES, fn, ctx, e);
	s->report = report;
	return r;
}

int article_find_with_twin(struct store *s, struct article_finding *f,
			   struct err *e)
{
	return article_each(s, match_article, f, e);
}

int article_find(struct store *s, const char *source, struct arena *a,
		 struct record *r, struct err *e)
{
	struct article_finding f = {.source = source, .a = a};

	if (article_find_with_twin(s, &f, e) < 0)
		return -1;
	*r = f.r;
	return f.r.path != NULL;
}
