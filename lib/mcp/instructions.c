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

/* True if a hook has given the context to this session of CLIENT. */
static bool is_told(const char *client)
{
	for (int i = 0; i < AGENTS; i++) {
		const enum agent agent = (enum agent)i;
		const char *name = agent_name(agent);

		if (!strncmp(client, name, strlen(name)))
			return agent_has_hooks(agent) &&
			       delivery_was(agent,
					    agent == AGENT_CLAUDE
						    ? getenv("CLAUDE_CODE_"
							     "SESSION_ID")
						    : NULL);
	}
	return false;
}

static void add_context(void *ctx, struct buf *out, const struct report *r)
{
	struct fitted fitted;
	struct budget budget;
	struct context c;
	struct err e;

	if (is_told(ctx))
		return;
	if (budget_parse(&budget, "mcp", &e) < 0) {
		err_report(r, &e);
		return;
	}
	budget.bytes -= sizeof(purpose); /* and an empty line */
	context_load_whole(&c, CONTEXT_BOTH, r);
	budget_fit(&fitted, &c, &budget, false, budget_drafts(&c, r));
	buf_add(out, buf_str(&fitted.text), fitted.text.len);
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
