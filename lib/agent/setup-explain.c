/* setup-explain.c: the sentences follow from the row of the agent, so that a new row
 * is explained too. An agent counts as found if its program is in PATH, or if it has
 * a file or directory in the user's home.
 */
#include "agent/setup.h"

#include "sys/dirs.h"
#include "text/diff.h"

void setup_add_path(struct buf *out, const char *path)
{
	const char *home = dirs_home();
	const size_t len = home ? strlen(home) : 0;

	path = dirs_shown_path(path);
	if (len > 1 && !strncmp(path, home, len) && path[len] == '/')
		buf_addf(out, "~%s", path + len);
	else
		buf_adds(out, path);
}

void setup_add_file(struct buf *out, bool first, const char *path,
		    const struct buf *was, const struct buf *now)
{
	const size_t before = diff_count(was),
		     after = now ? diff_count(now) : 0;
	size_t *kept = mem_alloc((after + 1) * sizeof(*kept)), same = 0;

	buf_adds(out, first ? "Files: " : ", ");
	setup_add_path(out, path);
	if (now)
		diff_keep(kept, was, now);
	for (size_t i = 0; i < after; i++)
		same += kept[i] != SIZE_MAX;
	free(kept);
	buf_adds(out, now ? " (" : " (removed");
	if (now && after > same)
		buf_addf(out, "+%zu%s", after - same, before > same ? " " : "");
	if (now && before > same)
		buf_addf(out, "-%zu", before - same);
	if (now)
		buf_adds(out, after - same + before - same == 1 ? " line"
								: " lines");
	buf_addc(out, ')');
}

static void add_files(struct buf *out, const struct setup *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct setup_file *f = &s->files[i];

		if (setup_rewrites(f))
			setup_add_file(out, !n++, f->path, &f->was,
				       f->gone ? NULL : &f->now);
	}
	buf_adds(out, n ? "\n" : "");
}

/* Append " - TEXT", and EVENT and OTHER, of hooks; either may be NULL. */
static void add_ability(struct buf *out, const char *text, const char *event,
			const char *other)
{
	const bool both = event && other && strcmp(event, other) != 0;

	buf_addf(out, "  - %s", text);
	if (event || other)
		buf_addf(out, " (hook%s %s%s%s)", both ? "s" : "",
			 event ? event : other, both ? ", " : "",
			 both ? other : "");
	buf_addc(out, '\n');
}

/* Append what hooks or a plugin do besides, for AGENT. NAMED: name the events, which are
 * in the configuration. */
static void add_hooks(struct buf *out, const struct agent *agent, bool named)
{
	const char *const *events = agent->events;

	if (events[HOOK_PROMPT] || events[HOOK_ACTION])
		add_ability(out, "get memories unasked, if you choose",
			    named ? events[HOOK_PROMPT] : NULL,
			    named ? events[HOOK_ACTION] : NULL);
	if (events[HOOK_SUBAGENT])
		add_ability(out, "pass your rules to the agents that it starts",
			    named ? events[HOOK_SUBAGENT] : NULL, NULL);
	if (events[HOOK_READ])
		add_ability(out, "tell co what it read from outside",
			    named ? events[HOOK_READ] : NULL, NULL);
}

/* Return all that the files of S hold, as in struct agent_place. */
static unsigned held(const struct setup *s)
{
	unsigned holds = 0;

	for (size_t i = 0; i < s->n; i++)
		holds |= s->files[i].config.holds;
	return holds;
}

static void add_abilities(struct buf *out, const struct setup *s)
{
	const struct agent *agent = s->where.agent;
	const unsigned holds = held(s);
	const bool hooks = holds & (CONFIG_HOOKS | CONFIG_PLUGIN);
	const char *const *events = agent->events;

	buf_addf(out, "%s will%s\n", agent->title,
		 s->project ? ", for everyone who works in this project" : "");
	if (hooks)
		add_ability(out, "get your context when a session begins",
			    holds & CONFIG_HOOKS ? events[HOOK_START] : NULL,
			    NULL);
	if (holds & CONFIG_SERVER)
		add_ability(out,
			    "search memories and propose new ones "
			    "(MCP server '" CONFIG_NAME "')",
			    NULL, NULL);
	if (hooks)
		add_ability(out,
			    "save lines that begin with 'remember:' as drafts",
			    !(holds & CONFIG_HOOKS) ? NULL
			    : agent->stop_is_last   ? events[HOOK_STOP]
						    : events[HOOK_END],
			    NULL);
	if (hooks)
		add_hooks(out, agent, holds & CONFIG_HOOKS);
	if (holds & CONFIG_RULE)
		add_ability(out, "read a rule that names the commands of co",
			    NULL, NULL);
}

void setup_explain(struct buf *out, const struct setup *s, bool removing)
{
	if (removing)
		buf_addf(out, "%s will not use co any more\n",
			 s->where.agent->title);
	else
		add_abilities(out, s);
	if (!removing)
		buf_adds(out, "Nothing is sent anywhere.\n");
	add_files(out, s);
}

static enum setup_state look_at_agent(const struct agent *agent, bool project,
				      const char *argv0, const char **why,
				      struct arena *a)
{
	struct err e;
	const enum setup_state state = setup_look(agent, project, argv0, &e);

	*why = state == SETUP_UNKNOWN ? arena_strdup(a, e.text) : NULL;
	return state;
}

size_t setup_agents(struct setup_agent **items, bool all, const char *argv0,
		    struct arena *a)
{
	size_t n = 0, max = 0;

	while (agent_at(max))
		max++;
	*items = arena_alloc(a, max * sizeof(**items));
	for (size_t i = 0; i < max; i++) {
		struct setup_agent *item = &(*items)[n];

		*item = (struct setup_agent){.agent = agent_at(i)};
		item->found = config_files_found(item->agent);
		if (!all && !item->found)
			continue;
		item->user = look_at_agent(item->agent, false, argv0,
					   &item->why[0], a);
		item->project = look_at_agent(item->agent, true, argv0,
					      &item->why[1], a);
		n++;
	}
	return n;
}

static const struct {
	const char *name, *text;
} states[] = {
	[SETUP_NONE] = {"none", "not set up"},
	[SETUP_OTHER] = {"other", "not whole, or for another co"},
	[SETUP_WHOLE] = {"whole", "set up"},
	[SETUP_UNKNOWN] = {"unreadable", "cannot be read"},
};

const char *setup_state_name(enum setup_state state)
{
	return states[state].name;
}

const char *setup_state_text(enum setup_state state)
{
	return states[state].text;
}

void setup_agents_text(struct buf *out, const struct setup_agent *items,
		       size_t n, bool numbered)
{
	for (size_t i = 0; i < n; i++) {
		if (numbered)
			buf_addf(out, "%zu: ", i + 1);
		buf_addf(out, "%-10s%-14s%s", items[i].agent->name,
			 items[i].agent->title,
			 setup_state_text(items[i].user));
		if (items[i].project != SETUP_NONE)
			buf_addf(out, "; for this project: %s",
				 setup_state_text(items[i].project));
		buf_addc(out, '\n');
	}
}
