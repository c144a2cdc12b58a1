/* co-remote: show what a remote index has, or change that. */
#include "cli/cli.h"
#include "cli/stores.h"
#include "format/json-write.h"
#include "remote/remote.h"

static bool init, print, leave, json;
static const char *join, *purge;

static const struct opt opts[] = {
	FLAG(0, "init", &init, "create the schema on the server"),
	FLAG(0, "print", &print,
	     "with --init, print the SQL and do not run it"),
	{OPT_STR, 0, "join", &join, "NAME", NULL,
	 "call this project NAME on the server"},
	FLAG(0, "leave", &leave, "forget the name of this project"),
	{OPT_STR, 0, "purge", &purge, "ID", NULL,
	 "remove memory ID of this project from the server"},
	FLAG(0, "json", &json, "print the state as JSON"),
	OPT_QUIET,
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-remote",
	.summary = "show or change a remote index",
	.synopsis = "[--json]\n"
		    "--init [--print] [-q]\n"
		    "--join=NAME|--leave [-q]\n"
		    "--purge=ID [-q]",
	.opts = opts,
};

static struct store store;
static struct remote remote;

static void show_state(void)
{
	struct remote_status s;
	struct buf out = {0};
	struct err e;
	bool own = false;

	if (remote_status_get(&s, &remote, &store, &cli_arena, &e) < 0)
		cli_die(&e);
	if (json)
		remote_status_json(&out, &s, &remote);
	else
		remote_status_text(&out, &s, &remote);
	cli_out_text(out.p, out.len);
	buf_release(&out);
	for (size_t i = 0; i < s.n; i++)
		own |= s.projects[i].own;
	if (!own)
		cli_hint("'co remote --join NAME' gives this project a name on "
			 "the server");
}

/* Send the request VERB, about PROJECT and ID unless they are NULL. Return the first line
 * of the answer, which may be the last one. */
static const struct value *send_request(const char *verb, const char *project,
					const char *id)
{
	struct buf request = {0};
	struct remote_reply reply;
	struct err e;

	json_write_open(&request, NULL, '{');
	json_write_text(&request, "verb", verb);
	json_write_given(&request, "project", project);
	json_write_given(&request, "id", id);
	if (print)
		json_write_bool(&request, "print", true);
	json_write_end(&request);
	if (remote_ask(&remote, &request, REMOTE_COMMAND_MS, &reply, &cli_arena,
		       &e) < 0)
		cli_die(&e);
	buf_release(&request);
	return reply.lines;
}

static void create_schema(void)
{
	const struct value *first = send_request("init", NULL, NULL);
	const char *sql = value_text(first, "sql");

	if (!print)
		cli_outs("✓ The schema is on the server\n");
	else if (sql)
		cli_out_text(sql, strlen(sql));
}

/* Return the id of this project. End the process if it has none. */
static const char *find_id(void)
{
	struct project project;
	struct err e;

	if (remote_own_project(&project, &store, &e) < 0)
		cli_die(&e);
	return arena_strdup(&cli_arena, project.id);
}

/* Give this project the NAME; NULL: take its name away. Return the exit status. */
static int rename_project(const char *name)
{
	const char *id = find_id();
	struct store user;
	struct err e;
	int r;

	if (name && !remote_is_name(name))
		cli_usage("'%s' cannot be the name of a project: letters, "
			  "digits and . _ - /",
			  name);
	cli_open_store(&user, true);
	r = remote_join(&user, id, name, &e);
	if (r < 0)
		cli_die(&e);
	if (name)
		cli_outf("✓ This project is %s on the server\n", name);
	else if (!r)
		cli_note("this project has no name on the server");
	else
		cli_outs("✓ This project has no name on the server any more\n");
	store_close(&user);
	return name || r ? ERR_NONE : ERR_NO;
}

/* Remove memory ID from the server. Return the exit status. */
static int purge_memory(const char *id)
{
	const char *project = remote_name_of(&remote, find_id());
	int64_t n;

	if (!store_is_id(id, &n) || !n)
		cli_usage("--purge wants the id of a memory, not '%s'", id);
	if (!project) {
		cli_note("this project has no name on the server");
		return ERR_NO;
	}
	n = value_positive(send_request("purge", project, id), "removed");
	if (n)
		cli_outf("✓ Removed memory %s of %s from the server\n", id,
			 project);
	else
		cli_note("the server has no memory %s of %s", id, project);
	return n ? ERR_NONE : ERR_NO;
}

int main(int argc, char **argv)
{
	int n, status = ERR_NONE;
	struct err e;

	cli_start(&cmd, argc, argv, &n);
	if (init + (join != NULL) + leave + (purge != NULL) + json > 1)
		cli_usage("only one of --init, --join, --leave, --purge and "
			  "--json can be given");
	if (print && !init)
		cli_usage("--print requires --init");
	cli_open_store_if(&store, false);
	if (remote_open(&remote, argv[0], &cli_arena, cli_report(), &e) < 0 &&
	    !join && !leave && !print)
		cli_die(&e);
	if (init)
		create_schema();
	else if (join || leave)
		status = rename_project(join);
	else if (purge)
		status = purge_memory(purge);
	else
		show_state();
	store_close(&store);
	return cli_finish(status);
}
