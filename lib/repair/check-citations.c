/* check-citations.c: report citations whose file is gone or has changed, and where git
 * renamed it. */
#include "repair/check.h"

#include "repair/renamed.h"
#include "search/cited.h"

struct drifts {
	struct check_faults *faults;
	struct evidence *ev;
	struct renamed renamed;
};

/* Append the place in the renamed file, or nothing if git tells of none. */
static void add_renamed(struct buf *text, struct drifts *d,
			const struct citation *c)
{
	struct citation to;

	if (renamed_find(&d->renamed, d->ev, c, &to) == EVIDENCE_GONE)
		return;
	buf_adds(text, ", moved to '");
	citation_add_place(text, &to);
	buf_addc(text, '\'');
}

static void add_drift(void *ctx, const struct cited *one)
{
	const bool gone = one->state == EVIDENCE_GONE;
	struct drifts *d = ctx;
	struct buf text = {0};

	if (!gone && one->state != EVIDENCE_CHANGED)
		return;
	buf_addf(&text, "'%s': what it cites %s: '", one->r->path,
		 gone ? "is gone" : "has changed since");
	citation_add_place(&text, one->c);
	buf_addc(&text, '\'');
	if (gone)
		add_renamed(&text, d, one->c);
	check_add(d->faults, "evidence", one->r->path, text.p,
		  "if it still holds, 'co cite --refresh ID', else correct or "
		  "replace it");
	buf_release(&text);
}

int check_citations(struct check_faults *faults, struct store *s, struct err *e)
{
	struct drifts d = {faults,
			   evidence_new(&s->repo, (struct evidence_limits){0}),
			   {.store = s}};
	const int r = cited_all(s, d.ev, add_drift, &d, NULL, e);

	renamed_release(&d.renamed);
	evidence_free(d.ev);
	return r;
}
