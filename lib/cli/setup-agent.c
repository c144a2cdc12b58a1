/* setup-agent.c: print what will change in sentences, and on a terminal the
 * difference on request.
 */
#include "cli/setup-agent.h"

#include "agent/setup.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "repo/settings.h"
#include "setup/settings-write.h"
#include "sys/execpath.h"
#include "text/sanitize.h"

#include <sys/stat.h>
#include <unistd.h>

#define LISTED 9 /* agents to choose from: one digit each */

/* Return AGREED. If it is false, print that nothing was written, and without a terminal
 * how to write WHAT, the operands and options of co-setup. */
static bool decline(bool agreed, const char *what)
{
	if (agreed)
		return true;
	cli_note("nothing was written");
	if (!cli_on_terminal())
		cli_hint("not a terminal: 'co setup %s -y' writes it", what);
	return false;
}

/* Show DIFF, on a terminal in the pager. */
static void show_diff(const struct buf *diff)
{
	struct buf safe = {0};

	if (isatty(STDOUT_FILENO))
		sanitize_terminal(&safe, buf_str(diff), diff->len, true);
	else
		buf_add(&safe, buf_str(diff), diff->len);
	out_page(&safe, true);
}

/* Return true if the person wants to write. DIFF is shown on request. */
static bool ask_to_write(const struct buf *diff)
{
	int key;

	while ((key = cli_ask_among("Write them [y,n,d(iff),?]?", "ynqd",
				    "y - write them\nn - write nothing\n"
				    "d - show the difference\n")) == 'd')
		show_diff(diff);
	return key == 'y';
}

bool setup_agent_confirm(bool yes, const char *what, const struct buf *diff)
{
	if (yes)
		return true;
	cli_flush();
	return decline(cli_on_terminal() &&
			       (diff ? ask_to_write(diff)
				     : cli_ask("Write this? [y/N]")),
		       what);
}

const struct agent *setup_agent_find(const char *name)
{
	const struct agent *agent = agent_find(name);

	if (!agent && agent_near(name))
		cli_usage("no agent '%s': did you mean '%s'?", name,
			  agent_near(name)->name);
	if (!agent)
		cli_usage("no agent '%s': expected %s or git; 'co setup "
			  "--print' is for all others",
			  name, agent_names());
	return agent;
}

void setup_agent_print_done(bool removing, const char *what)
{
	struct buf line = {0};

	buf_addf(&line, "✓ %s ", removing ? "Taken out of" : "Set up in");
	setup_add_path(&line, what);
	buf_addc(&line, '\n');
	out_buf(&line);
}

/* Show the changes of S, whose difference is DIFF. Return true if they are to be
 * written. */
static bool confirm_plan(const struct setup *s, const struct buf *diff,
			 const struct setup_agent_how *how)
{
	const char *agent = s->where.agent->name;
	const char *where = how->project ? " --project" : "";
	struct buf text = {0};
	bool agreed;

	setup_explain(&text, s, how->removing);
	out_buf(&text);
	buf_addf(&text, "%s%s%s", agent, where,
		 how->removing ? " --remove" : "");
	agreed = setup_agent_confirm(how->yes, buf_str(&text), diff);
	if (!agreed && !cli_on_terminal() && !how->removing)
		cli_hint("'co setup %s%s --print' prints the entries", agent,
			 where);
	buf_release(&text);
	return agreed;
}

static void write_file(const struct setup *s, const struct setup_file *f)
{
	struct buf line = {0};
	struct err e;

	if (setup_apply(s, f, &e) < 0) {
		cli_complain(&e);
		return;
	}
	buf_adds(&line,
		 setup_rewrites(f) && !f->gone ? "✓ Wrote " : "✓ Removed ");
	if (isatty(STDOUT_FILENO))
		setup_add_path(&line, f->path);
	else
		buf_adds(&line, f->path);
	buf_adds(&line, setup_rewrites(f) ? "\n" : SETUP_BACKUP "\n");
	out_buf(&line);
	if (f->backup || f->stale)
		cli_note("%s in '%s" SETUP_BACKUP "'",
			 f->stale ? "an older copy stays"
				  : "a copy of the old file is",
			 f->path);
}

/* Memories of an agent's own: the user's file, or its directory for the project. */
struct own_memories {
	const struct agent *agent;
	bool global;
	char *path; /* NULL: none */
};

/* Find the memories of AGENT for the PROJECT, a path, or those of the user if it is
 * NULL. */
static struct own_memories find_memories(const struct agent *agent,
					 const char *project)
{
	struct own_memories m = {agent, !project,
				 config_files_memory(agent, project)};
	struct stat st;

	if (m.path && stat(m.path, &st) == 0 &&
	    (project ? S_ISDIR(st.st_mode)
		     : S_ISREG(st.st_mode) && st.st_size > 0))
		return m;
	free(m.path);
	m.path = NULL;
	return m;
}

static void hint_import(const struct own_memories *m)
{
	struct buf shown = {0};

	setup_add_path(&shown, m->path);
	cli_hint("'co import%s %s %s' imports its memories",
		 m->global ? " --global" : "", m->agent->name, shown.p);
	buf_release(&shown);
}

/* Return true if the person wants to import M. */
static bool ask_to_import(const struct own_memories *m)
{
	struct buf question = {0};
	bool yes;

	buf_addf(&question, "%s has memories of %s in ", m->agent->title,
		 m->global ? "its own" : "this project");
	setup_add_path(&question, m->path);
	buf_adds(&question, ": import them as drafts? [y/N]");
	yes = cli_ask(question.p);
	buf_release(&question);
	return yes;
}

/* Replace the process by co-import of M. */
static void NORETURN import_memories(const struct own_memories *m,
				     const char *argv0)
{
	const char *argv[] = {"co-import", m->agent->name, m->path,
			      m->global ? "--global" : NULL, NULL};

	cli_exec(argv, argv0);
}

/* Return the path of the project, in A; NULL if there is none. */
static const char *project_path(struct arena *a)
{
	struct store s;
	const char *path = NULL;

	cli_open_store_if(&s, false);
	if (s.repo.root.path)
		path = arena_copy(a, s.repo.root.path,
				  root_project_length(s.repo.root.path));
	store_close(&s);
	return path;
}

/* Ask whether to import the memories that AGENT keeps of the project and, with USER, of
 * the user, as drafts. Import those of the first yes, and print hints for those after
 * it. With YES, only print hints. */
static void offer_import(const struct agent *agent, bool user, bool yes,
			 const char *argv0)
{
	struct arena a = {0};
	const char *project =
		agent->project_memory.name ? project_path(&a) : NULL;
	struct own_memories found[2] = {{0}}, *chosen = NULL;
	size_t n = 0;

	if (project)
		found[n++] = find_memories(agent, project);
	if (user)
		found[n++] = find_memories(agent, NULL);
	for (size_t i = 0; i < n; i++) {
		if (!found[i].path)
			continue;
		if (yes || chosen)
			hint_import(&found[i]);
		else if (ask_to_import(&found[i]))
			chosen = &found[i];
	}
	if (chosen)
		import_memories(chosen, argv0);
	free(found[0].path);
	free(found[1].path);
	arena_release(&a);
}

/* Set hook.recall to VALUE in the user's settings. */
static void set_recall(const char *value)
{
	const struct value v = value_str(value);
	struct store user;
	struct err e;

	cli_open_store(&user, true);
	if (settings_write(&user, "hook.recall", &v, false, &e) < 0) {
		cli_complain(&e);
	} else {
		cli_make_store(&user);
		cli_outf("✓ Set hook.recall to %s\n", value);
	}
	store_close(&user);
}

/* Ask on a terminal when AGENT gets memories unasked, unless the user's settings say
 * it. */
static void ask_for_recall(const struct agent *agent)
{
	static const char explained[] =
		"a - action: before an edit or a command, the memories that "
		"cite "
		"or name the\n    file, or are about the command; co proposes "
		"this\n"
		"p - prompt: with each prompt, the memories that match it\n"
		"b - both\n"
		"n - neither: only what the agent itself asks for\n";
	static const struct {
		char key;
		const char *value;
	} answers[] = {
		{'a', "action"}, {'p', "prompt"}, {'b', "both"}, {'n', "off"}};
	const struct settings *settings;
	struct arena a = {0};
	bool asks;
	int key;

	asks = settings_user(&settings, &a, NULL, NULL) == 0 &&
	       !strcmp(settings_origin(settings, "hook.recall"), "default");
	arena_release(&a);
	if (!asks)
		return;
	cli_outf("One more question, for all agents.\n%s can get memories "
		 "unasked:\n%s",
		 agent->title, explained);
	key = cli_ask_among("When [a(ction),p(rompt),b(oth),n(either),?]?",
			    "apbn", explained);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		if (answers[i].key == key)
			set_recall(answers[i].value);
	}
}

static bool is_set_up(enum setup_state state)
{
	return state == SETUP_WHOLE || state == SETUP_OTHER;
}

/* Print what the user must do after the setup. */
static void print_advice(const struct agent *agent,
			 const struct setup_agent_how *how, const char *argv0)
{
	const char *hint =
		how->project ? agent->project_hint : agent->user_hint;
	const enum setup_state other =
		setup_look(agent, !how->project, argv0, NULL);

	if (agent_has_hooks(agent) && is_set_up(other))
		cli_hint("%s is set up for you and the project: remove one, or "
			 "hooks run twice",
			 agent->name);
	if (agent->hint)
		cli_hint("%s", agent->hint);
	if (hint)
		cli_hint("%s", hint);
	if (!cli_on_terminal())
		return;
	cli_hint("start a new session of %s; 'co status' shows what it got",
		 agent->title);
	cli_hint("'co setup %s%s --remove' undoes it", agent->name,
		 how->project ? " --project" : "");
	offer_import(agent, !how->project, how->yes, argv0);
}

/* Name the hooks of S that call co and that the user wrote: they stay. */
static void note_theirs(const struct setup *s)
{
	struct arena a = {0};

	for (size_t i = 0; i < s->n; i++) {
		const struct setup_file *f = &s->files[i];
		struct strings theirs = {0};

		config_theirs(&f->was, &f->config, &theirs, &a);
		for (size_t k = 0; k < theirs.n; k++)
			cli_note("'%s': left as it is, since co did not write "
				 "it: %s",
				 f->path, theirs.items[k]);
		free(theirs.items);
	}
	arena_release(&a);
}

/* Say that AGENT has no setup to remove. If it is set up for the user instead of the
 * project, or the reverse, print the command that removes that. */
static void note_absent(const struct agent *agent, bool project,
			const char *argv0)
{
	cli_note("%s: co is not set up", agent->name);
	if (is_set_up(setup_look(agent, !project, argv0, NULL)))
		cli_hint("it is set up for %s: 'co setup %s%s --remove'",
			 project ? "you" : "the project", agent->name,
			 project ? "" : " --project");
}

/* Return true if an agent with hooks is set up, for the user or for the project. */
static bool any_has_hooks(const char *argv0)
{
	struct setup_agent *items;
	struct arena a = {0};
	size_t n = setup_agents(&items, true, argv0, &a);

	while (n && !(agent_has_hooks(items[n - 1].agent) &&
		      (is_set_up(items[n - 1].user) ||
		       is_set_up(items[n - 1].project))))
		n--;
	arena_release(&a);
	return n > 0;
}

/* After a removal, if no agent is left that reads hook.recall, say that the user's
 * settings still have it: ask_for_recall() may have set it. */
static void note_recall(const char *argv0)
{
	const struct settings *settings;
	struct arena a = {0};

	if (settings_user(&settings, &a, NULL, NULL) == 0 &&
	    !strcmp(settings_origin(settings, "hook.recall"), "user") &&
	    !any_has_hooks(argv0))
		cli_hint("hook.recall stays: 'co config --global --unset "
			 "hook.recall' unsets it");
	arena_release(&a);
}

int setup_agent_run(const struct agent *agent, struct setup_agent_how how,
		    const char *argv0)
{
	struct buf diff = {0};
	struct setup s;
	struct err e;
	int status = ERR_NONE;
	size_t changed;
	bool asks = false;

	if (setup_find(&s, agent, how.project, argv0, &e) < 0 ||
	    setup_plan(&s, how.removing ? SETUP_DROP : SETUP_PUT, &e) < 0)
		cli_die(&e);
	note_theirs(&s);
	changed = setup_show(&s, &diff);
	if (!changed && how.removing) {
		note_absent(agent, how.project, argv0);
	} else if (!changed) {
		cli_note("%s: set up already", agent->name);
		asks = true;
	} else if (!confirm_plan(&s, &diff, &how)) {
		status = ERR_NO;
	} else {
		for (size_t i = 0; i < s.n; i++) {
			if (setup_changes(&s.files[i]))
				write_file(&s, &s.files[i]);
		}
		asks = !how.removing && !cli_failed();
		if (how.removing && agent_has_hooks(agent))
			note_recall(argv0);
	}
	if (asks && agent_has_hooks(agent) && !how.yes && cli_on_terminal())
		ask_for_recall(agent);
	if (asks && diff.len)
		print_advice(agent, &how, argv0);
	buf_release(&diff);
	setup_release(&s);
	return status;
}

void setup_agent_hint_removal(bool project, const char *argv0)
{
	struct setup_agent *items;
	struct arena a = {0};
	const size_t n = setup_agents(&items, true, argv0, &a);
	const char *name = NULL;

	for (size_t i = 0; i < n; i++) {
		if (is_set_up(project ? items[i].project : items[i].user))
			name = name ? "AGENT" : items[i].agent->name;
	}
	if (name)
		cli_hint("'co setup %s%s --remove' undoes 'co setup'", name,
			 project ? " --project" : "");
	arena_release(&a);
}

/* Return true if each of the N ITEMS is set up, for the user or for the project. */
static bool is_each_set_up(const struct setup_agent *items, size_t n)
{
	while (n && (items[n - 1].user == SETUP_WHOLE ||
		     items[n - 1].project == SETUP_WHOLE))
		n--;
	return !n;
}

const struct agent *setup_agent_choose(const char *argv0)
{
	struct setup_agent *items;
	const struct agent *chosen = NULL;
	struct arena a = {0};
	struct buf text = {0};
	const size_t n = setup_agents(&items, false, argv0, &a);
	const bool done = is_each_set_up(items, n);
	const bool asks = cli_on_terminal() && !done && n <= LISTED;
	int key = 0;

	setup_agents_text(&text, items, n, asks);
	if (text.len)
		out_buf(&text);
	else
		cli_note("no agent was found on this machine");
	if (asks)
		key = cli_ask_key(
			arena_printf(&a, "Set up which [1%s, n(one)]?",
				     n > 1 ? arena_printf(&a, "-%zu", n) : ""));
	if (key > '0' && key <= '0' + (int)n)
		chosen = items[key - '1'].agent;
	else if (!key && (!done || !n))
		cli_hint("'co setup %s|git'", agent_names());
	arena_release(&a);
	return chosen;
}
