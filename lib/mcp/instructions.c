/* instructions.c: the instructions that co mcp gives an agent at the start.
 *
 * A child of the server makes them, not a program, since every session waits for them:
 * WHOLE_MS at most, and then FILES_MS. */
#include "mcp/mcp.h"

#include "agent/budget.h"
#include "agent/delivery.h"
#include "sys/deadline.h"

#define WHOLE_MS 1500
#define FILES_MS 500 /* for only the context files */

static const char purpose[] =
	"Before you decide or change something, ask recall_memory what "
	"earlier sessions learned about this project and its user. Propose "
	"what will matter again with save_memory, not in a memory of your own; "
	"it counts once the user agrees.\n";

/* Instead of the context, if a hook gives it. */
static const char elsewhere[] =
	"The always-loaded context comes by a hook; the resource co://context "
	"has it, too.\n";

/* A request for the instructions. */
struct asked {
	const char *client;
	bool files_only; /* without the memories that are always loaded, for
			  * want of time */
};

static void add_context(void *ctx, struct buf *out, const struct report *r)
{
	const struct asked *asked = ctx;
	const unsigned files = asked->files_only ? CONTEXT_FILES_ONLY : 0;
	const struct agent *agent = mcp_shown_agent(asked->client);
	struct shown shown = {.event = SHOWN_SERVER, .whole = true};
	struct shown_items items = {0};
	struct fitted fitted;
	struct budget budget;
	struct context c;
	struct err e;

	if (agent && agent_has_hooks(agent) &&
	    delivery_by_hook(agent, mcp_shown_session(agent))) {
		mcp_shown_note(asked->client, &shown);
		buf_adds(out, elsewhere);
		return;
	}
	if (budget_parse(&budget, "mcp", &e) < 0) {
		err_report(r, &e);
		return;
	}
	budget.bytes -= sizeof(purpose); /* with an empty line */
	context_load_whole(&c, CONTEXT_BOTH | files, r);
	budget_fit(&fitted, &c, &budget, false, budget_drafts(&c, r));
	buf_add(out, buf_str(&fitted.text), fitted.text.len);
	budget_add_shown(&items, &c, &fitted);
	shown.bytes = fitted.text.len;
	shown.items = &items;
	shown.whole = !fitted.left && !files;
	mcp_shown_note(asked->client, &shown);
	shown_items_release(&items);
	budget_release(&fitted);
	context_release(&c);
}

void mcp_instructions(struct buf *out, const char *client,
		      const struct report *r)
{
	struct asked asked = {.client = client};
	struct buf text = {0};
	struct err e;
	int result;

	buf_adds(out, purpose);
	result = deadline_read(add_context, &asked, WHOLE_MS, &text, r, &e);
	if (result < 0) {
		err_report(r, &e);
		asked.files_only = true;
		result = deadline_read(add_context, &asked, FILES_MS, &text, r,
				       &e);
		if (!result)
			buf_adds(&text,
				 "(Memories that are always loaded could "
				 "not be found in time.)\n");
	}
	if (result < 0) {
		buf_addf(&text,
			 "(The always-loaded context is missing here: %s.)\n",
			 e.text);
	}
	if (text.len)
		buf_addf(out, "\n%s", text.p);
	buf_release(&text);
}
