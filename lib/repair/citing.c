#include "repair/citing.h"

static void add_drift(void *ctx, const struct cited *one)
{
	const bool gone = one->state == EVIDENCE_GONE;
	struct buf text = {0};

	if (!gone && one->state != EVIDENCE_CHANGED)
		return;
	buf_addf(&text, "'%s': what it cites %s: '", one->r->path,
		 gone ? "is gone" : "has changed since");
	citation_add_place(&text, one->c);
	buf_addc(&text, '\'');
	check_add(ctx, "evidence", one->r->path, text.p,
		  "if it still holds, 'co cite --refresh ID', else correct or "
		  "replace it");
	buf_release(&text);
}

int citing_check(struct faults *faults, struct store *s, struct err *e)
{
	struct evidence *ev =
		evidence_new(&s->repo, (struct evidence_limits){0});
	const int r = cited_all(s, ev, add_drift, faults, NULL, e);

	evidence_free(ev);
	return r;
}
