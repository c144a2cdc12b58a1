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

/* Return all that the files of S hold, as in struct agent_place. */
static unsigned all_contents(const struct setup *s)
{
	unsigned holds = 0;

	for (size_t i = 0; i < s->n; i++)
		holds |= s->files[i].config.holds;
	return holds;
}

static void add_abilities(struct buf *out, const struct setup *s)
{
	const struct agent *agent = s->where.agent;
	const unsigned holds = all_contents(s);
	const bool hooks = holds & (CONFIG_HOOKS | CONFIG_PLUGIN);
	const char *const *events = agent->events;

	buf_addf(out, "%s will%s\n", agent->title,
		 s->project ? ", for everyone who works in this project" : "");
	if (hooks)
		buf_addf(out, "  - get your context when a session begins%s\n",
			 events[HOOK_SUBAGENT]
				 ? ", and pass your rules to its agents"
				 : "");
	if (holds & CONFIG_SERVER)
		buf_adds(out, "  - search memories and propose new ones\n");
	if (hooks)
		buf_adds(out, "  - save lines that begin with 'remember:' as "
			      "drafts\n");
	if (hooks && (events[HOOK_PROMPT] || events[HOOK_ACTION]))
		buf_adds(out, "  - get memories unasked, if you choose\n");
	if (hooks && events[HOOK_READ])
		buf_adds(out, "  - tell co what it read from outside\n");
	if (holds & CONFIG_RULE)
		buf_adds(out, "  - read a rule that names the commands of "
			      "co\n");
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
