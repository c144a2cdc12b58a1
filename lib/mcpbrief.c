/* mcpbrief.c: made here and not by a program, since every session waits for
 * it.
 */
#include "mcpbrief.h"

#include "budget.h"

static const char purpose[] =
	"co keeps what was learned in earlier sessions about this project and "
	"its user. recall_memory finds it; save_memory proposes a new fact, "
	"which counts once the user agrees.\n";

void mcpbrief(struct buf *out, const struct report *r)
{
	struct fitted fitted;
	struct budget budget;
	struct context c;
	struct err e;

	buf_adds(out, purpose);
	if (budget_parse(&budget, "mcp", &e) < 0) {
		report_err(r, &e);
		return;
	}
	budget.bytes -= sizeof(purpose); /* and an empty line */
	context_load_whole(&c, CONTEXT_BOTH, r);
	budget_fit(&fitted, &c, &budget, false, budget_drafts(&c, r));
	if (fitted.text.len)
		buf_addf(out, "\n%s", fitted.text.p);
	budget_release(&fitted);
	context_release(&c);
}
