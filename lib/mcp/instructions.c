/* instructions.c: made here and not by a program, since every session waits for
 * it; but never longer than INSTRUCTIONS_MS.
 */
#include "mcp/instructions.h"

#include "agent/budget.h"
#include "agent/delivery.h"
#include "sys/deadline.h"

#define INSTRUCTIONS_MS 2000

static const char purpose[] =
	"co keeps what was learned in earlier sessions about this project and "
	"its user. recall_memory finds it; save_memory proposes a new fact, "
	"which counts once the user agrees.\n";

/* Where a hook brings the context, or will. */
static const char elsewhere[] =
	"The always-loaded context comes by a hook; the resource co://context "
	"has it, too.\n";

/* The agent that CLIENT is, if it has hooks. */
static bool find_agent(const char *client, enum agent *agent)
{
	for (int i = 0; i < AGENTS; i++) {
		const char *name = agent_name((enum agent)i);

		*agent = (enum agent)i;
		if (!strncmp(client, name, strlen(name)))
			return agent_has_hooks(*agent);
	}
	return false;
}

static void add_context(void *ctx, struct buf *out, const struct report *r)
{
	const char *session = NULL;
	struct fitted fitted;
	struct budget budget;
	enum agent agent;
	struct context c;
	struct err e;
	const bool hooks = find_agent(ctx, &agent);

	if (hooks && agent == AGENT_CLAUDE)
		session = getenv("CLAUDE_CODE_SESSION_ID");
	if (hooks && delivery_by_hook(agent, session)) {
		delivery_note(agent, session, 0, true);
		buf_adds(out, elsewhere);
		return;
	}
	if (budget_parse(&budget, "mcp", &e) < 0) {
		err_report(r, &e);
		return;
	}
	budget.bytes -= sizeof(purpose); /* and an empty line */
	context_load_whole(&c, CONTEXT_BOTH, r);
	budget_fit(&fitted, &c, &budget, false, budget_drafts(&c, r));
	buf_add(out, buf_str(&fitted.text), fitted.text.len);
	if (hooks)
		delivery_note(agent, session, fitted.text.len, !fitted.left);
	budget_release(&fitted);
	context_release(&c);
}

void mcp_instructions(struct buf *out, const char *client,
		      const struct report *r)
{
	char *name = mem_strdup(client);
	struct buf text = {0};
	struct err e;

	buf_adds(out, purpose);
	if (deadline_read(add_context, name, INSTRUCTIONS_MS, &text, r, &e) <
	    0) {
		err_report(r, &e);
		buf_addf(&text,
			 "(The always-loaded context is missing here: %s.)\n",
			 e.text);
	}
	if (text.len)
		buf_addf(out, "\n%s", text.p);
	buf_release(&text);
	free(name);
}
