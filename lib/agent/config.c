/* config.c: entries are composed as JSON, parsed, and passed to the editors of
 * format/jsonc.h and format/toml.h. The command of a hook goes through the agent's
 * shell. If the program is gone, it only prints an empty answer. A project's hook,
 * which others use too, looks for co-hook, since RCS has another co.
 */
#include "agent/config.h"

#include "agent/own-file.h"
#include "base/arena.h"
#include "format/json-write.h"
#include "format/jsonc.h"
#include "format/toml.h"
#include "reader/reader.h"
#include "sys/file.h"

#define IF_THERE "[ -x "
#define THEN " ] && exec "
#define TAIL "; echo '{}'"

static void hook_command(struct buf *out, const struct config *w)
{
	if (*w->program != '/') {
		buf_addf(
			out,
			"command -v co-hook >/dev/null && exec co-hook %s" TAIL,
			w->agent->name);
		return;
	}
	buf_adds(out, IF_THERE);
	buf_add_quoted(out, w->program);
	buf_adds(out, THEN);
	buf_add_quoted(out, w->program);
	buf_addf(out, " hook %s" TAIL, w->agent->name);
}

/* If the *LEN bytes of P end in S, shorten *LEN by it and return true. */
static bool drop_end(const char *p, size_t *len, const char *s)
{
	const size_t n = strlen(s);

	if (*len < n || memcmp(p + *len - n, s, n) != 0)
		return false;
	*len -= n;
	return true;
}

/* Return true if V is our command, or what a person would write instead: `co hook
 * AGENT`, with any path of the program. */
static bool is_our_command(const struct config *w, const struct value *v)
{
	size_t len = v && v->kind == VALUE_STR ? v->u.s.len : 0;
	const char *p = len ? v->u.s.p : "";

	drop_end(p, &len, TAIL);
	if (!drop_end(p, &len, w->agent->name) ||
	    !(drop_end(p, &len, " hook ") || drop_end(p, &len, "-hook ")))
		return false;
	if (!drop_end(p, &len, "'"))
		drop_end(p, &len, "\"");
	return drop_end(p, &len, "co") && (!len || strchr(" /'\"", p[len - 1]));
}

/* Return true if COMMAND calls our hook by its last words, `co hook AGENT`, with any
 * path of the program. */
static bool calls_hook(const struct config *w, const char *command)
{
	size_t len = strlen(command);

	drop_end(command, &len, TAIL);
	if (!drop_end(command, &len, w->agent->name) ||
	    !(drop_end(command, &len, " hook ") ||
	      drop_end(command, &len, "-hook ")))
		return false;
	if (!drop_end(command, &len, "'"))
		drop_end(command, &len, "\"");
	return drop_end(command, &len, "co") &&
	       (!len || strchr(" /'\"", command[len - 1]));
}

static struct value parse(const struct buf *json, struct arena *a)
{
	struct value v = {.kind = VALUE_NULL};

	jsonc_parse(json->p, json->len, a, &v, NULL);
	return v;
}

static struct value string_value(const char *s, struct arena *a)
{
	return value_str(arena_strdup(a, s));
}

/* Return how long AGENT may wait for the hook of its event I, in its unit. */
static int hook_timeout(const struct agent *agent, size_t i)
{
	int seconds = 5;

	if (i == HOOK_START)
		seconds = 10;
	else if (i == HOOK_END)
		seconds = agent->end_seconds ? agent->end_seconds : 10;
	return agent->hook_ms ? seconds * 1000 : seconds;
}

/* Append the matcher for the tools that AGENT must report by EVENT; nothing if
 * it is all of them. */
static void add_matcher(struct buf *json, const struct agent *agent,
			size_t event, struct arena *a)
{
	const char *action = agent->events[HOOK_ACTION],
		   *read = agent->events[HOOK_READ];
	const char *outside = reader_outside_tools(agent->name);

	if (event == HOOK_READ && outside)
		json_write_text(json, "matcher", outside);
	if (event != HOOK_ACTION || !agent->tools)
		return;
	/* One event may be for both. */
	json_write_text(
		json, "matcher",
		outside && read && !strcmp(action, read)
			? arena_printf(a, "%s|%s", agent->tools, outside)
			: agent->tools);
}

/* Return the group of hooks of the agent's event EVENT, as the agent wants it. */
static struct value hook_group(const struct config *w, size_t event,
			       struct arena *a)
{
	struct buf json = {0}, command = {0};
	struct value v;

	hook_command(&command, w);
	json_write_open(&json, NULL, '{');
	add_matcher(&json, w->agent, event, a);
	json_write_open(&json, "hooks", '[');
	json_write_open(&json, NULL, '{');
	json_write_text(&json, "type", "command");
	if (w->agent->named_hooks)
		json_write_text(&json, "name", CONFIG_NAME);
	json_write_bytes(&json, "command", command.p, command.len);
	json_write_int(&json, "timeout", hook_timeout(w->agent, event));
	json_write_close(&json, '}');
	json_write_close(&json, ']');
	json_write_close(&json, '}');
	v = parse(&json, a);
	buf_release(&json);
	buf_release(&command);
	return v;
}

static void add_server(struct buf *out, const struct config *w)
{
	json_write_open(out, NULL, '{');
	if (w->agent->type)
		json_write_text(out, "type", w->agent->type);
	if (w->agent->one_list) {
		json_write_open(out, "command", '[');
		json_write_text(out, NULL, w->program);
	} else {
		json_write_text(out, "command", w->program);
		json_write_open(out, "args", '[');
	}
	json_write_text(out, NULL, "mcp");
	json_write_close(out, ']');
	if (w->agent->one_list)
		json_write_bool(out, "enabled", true);
	json_write_close(out, '}');
}

/* True if the program P is called co. */
static bool is_co(const char *p)
{
	const char *slash = strrchr(p, '/');

	return !strcmp(slash ? slash + 1 : p, "co");
}

static const char *string_at(const struct value *list, size_t i)
{
	if (!list || list->kind != VALUE_LIST || i >= list->u.list.n ||
	    list->u.list.items[i].kind != VALUE_STR)
		return NULL;
	return list->u.list.items[i].u.s.p;
}

/* True if the SERVER starts a co, whichever it is. */
static bool is_our_server(const struct config *w, const struct value *server)
{
	const struct value *command = value_get(server, "command");
	const struct value *args = value_get(server, "args");
	const char *program, *arg;

	if (w->agent->one_list) {
		program = string_at(command, 0);
		arg = string_at(command, 1);
	} else {
		program = command && command->kind == VALUE_STR ? command->u.s.p
								: NULL;
		arg = string_at(args, 0);
	}
	return program && arg && is_co(program) && !strcmp(arg, "mcp");
}

static int put_server(struct buf *text, const struct config *w,
		      const struct value *root, struct arena *a, struct err *e)
{
	jsonc_path path = {JSONC_KEY(w->agent->servers), JSONC_KEY(CONFIG_NAME),
			   JSONC_END};
	jsonc_path command = {path[0], path[1], JSONC_KEY("command"),
			      w->agent->one_list ? JSONC_ITEM(0) : JSONC_END,
			      JSONC_END};
	const struct value *server = jsonc_at(root, path);
	struct buf json = {0};
	struct value v;

	if (server && !is_our_server(w, server))
		return err_set(e, ERR_DATA,
			       "another server is called '" CONFIG_NAME
			       "' there: rename or remove it first");
	if (server) {
		v = string_value(w->program, a);
		return jsonc_put(text, command, &v, e);
	}
	add_server(&json, w);
	v = parse(&json, a);
	buf_release(&json);
	return jsonc_put(text, path, &v, e);
}

/* Hook J of the group I. */
struct place {
	size_t i, j, inside; /* number of hooks in the group */
	const char *command;
};

typedef bool is_wanted(const struct config *w, const char *command);

static bool find_hook(const struct config *w, const struct value *groups,
		      struct place *at)
{
	for (at->i = 0;
	     groups && groups->kind == VALUE_LIST && at->i < groups->u.list.n;
	     at->i++) {
		const struct value *hooks =
			value_get(&groups->u.list.items[at->i], "hooks");

		if (!hooks || hooks->kind != VALUE_LIST)
			continue;
		at->inside = hooks->u.list.n;
		for (at->j = 0; at->j < at->inside; at->j++) {
			if (is_our_command(
				    w, value_get(&hooks->u.list.items[at->j],
						 "command")))
				return true;
		}
	}
	return false;
}

static int put_hook(struct buf *text, const struct config *w,
		    const struct value *root, size_t event, struct arena *a,
		    struct err *e)
{
	jsonc_path groups = {JSONC_KEY("hooks"),
			     JSONC_KEY(w->agent->events[event]), JSONC_END};
	struct value v;
	struct place at;

	if (find_hook(w, jsonc_at(root, groups), &at)) {
		jsonc_path command = {groups[0],	groups[1],
				      JSONC_ITEM(at.i), JSONC_KEY("hooks"),
				      JSONC_ITEM(at.j), JSONC_KEY("command"),
				      JSONC_END};
		struct buf wanted = {0};

		hook_command(&wanted, w);
		v = string_value(wanted.p, a);
		buf_release(&wanted);
		return jsonc_put(text, command, &v, e);
	}
	v = hook_group(w, event, a);
	return jsonc_append(text, groups, &v, e);
}

/* Read TEXT; a blank one is an empty object. */
static int read(const struct buf *text, struct arena *a, struct value *root,
		struct err *e)
{
	size_t bom;

	*root = (struct value){.kind = VALUE_MAP};
	if (jsonc_is_blank(buf_str(text), text->len, &bom))
		return 0;
	return jsonc_parse(text->p, text->len, a, root, e);
}

/* Parse TEXT into *ROOT; blank text is an empty object. */
static int parse_text(const struct buf *text, struct arena *a,
		      struct value *root, struct err *e)
{
	size_t bom;

	*root = (struct value){.kind = VALUE_MAP};
	if (jsonc_is_blank(buf_str(text), text->len, &bom))
		return 0;
	return jsonc_parse(text->p, text->len, a, root, e);
}

static int put_json(struct buf *text, const struct config *w, struct err *e)
{
	struct arena a = {0};
	struct value root;
	int r = read(text, &a, &root, e);

	if (!r && w->holds & CONFIG_SERVER)
		r = put_server(text, w, &root, &a, e);
	for (size_t i = 0; !r && w->holds & CONFIG_HOOKS && i < HOOK_EVENTS;
	     i++) {
		if (!w->agent->events[i])
			continue;
		r = read(text, &a, &root, e);
		if (!r)
			r = put_hook(text, w, &root, i, &a, e);
	}
	arena_release(&a);
	return r;
}

/* Take away the hooks of EVENT that are ours. */
static int drop_hooks(struct buf *text, const struct config *w,
		      const char *event, struct arena *a, struct err *e)
{
	jsonc_path groups = {JSONC_KEY("hooks"), JSONC_KEY(event), JSONC_END};
	struct value root;
	struct place at;
	int r;

	while (!(r = read(text, a, &root, e)) &&
	       find_hook(w, jsonc_at(&root, groups), &at)) {
		/* A group without hooks is removed. */
		jsonc_path group = {groups[0], groups[1], JSONC_ITEM(at.i),
				    JSONC_END};
		jsonc_path hook = {groups[0],	     groups[1],
				   JSONC_ITEM(at.i), JSONC_KEY("hooks"),
				   JSONC_ITEM(at.j), JSONC_END};

		if (jsonc_drop(text, at.inside > 1 ? hook : group, e) < 0)
			return -1;
	}
	return r;
}

static int drop_json(struct buf *text, const struct config *w, struct err *e)
{
	jsonc_path server = {JSONC_KEY(w->agent->servers),
			     JSONC_KEY(CONFIG_NAME), JSONC_END};
	struct arena a = {0};
	struct value root;
	int r = read(text, &a, &root, e);

	if (!r && w->holds & CONFIG_SERVER &&
	    is_our_server(w, jsonc_at(&root, server)))
		r = jsonc_drop(text, server, e);
	for (size_t i = 0; !r && w->holds & CONFIG_HOOKS && i < HOOK_EVENTS;
	     i++) {
		if (w->agent->events[i])
			r = drop_hooks(text, w, w->agent->events[i], &a, e);
	}
	arena_release(&a);
	return r;
}

/* Return true if the list of ENTRY, in TEXT, is ["mcp"]. */
static bool is_mcp(const struct buf *text, const struct toml_entry *entry)
{
	static const char want[] = "[mcp]";
	size_t n = 0;

	for (size_t i = entry->span.start; i < entry->span.end; i++) {
		if (strchr(" \t\"'\r\n", text->p[i]))
			continue;
		if (n == sizeof(want) - 1 || text->p[i] != want[n++])
			return false;
	}
	return n == sizeof(want) - 1;
}

static bool is_our_table(const struct buf *text, const struct toml_table *t)
{
	const struct toml_entry *command = toml_entry(t, "command");
	const struct toml_entry *args = toml_entry(t, "args");

	return command && command->string && is_co(command->string) && args &&
	       is_mcp(text, args);
}

static int put_toml(struct buf *text, const struct config *w, struct err *e)
{
	struct arena a = {0};
	struct toml_table t;
	struct buf new = {0};
	int r = toml_find(&t, text, w->agent->servers, CONFIG_NAME, &a, e);

	if (r > 0 && !is_our_table(text, &t)) {
		r = err_set(e, ERR_DATA,
			    "another server is called '" CONFIG_NAME
			    "' there: rename or remove it first");
	} else if (r > 0) {
		const struct toml_entry *command = toml_entry(&t, "command");

		if (strcmp(command->string, w->program) != 0) {
			buf_add(&new, text->p, command->span.start);
			toml_string(&new, w->program);
			buf_add(&new, text->p + command->span.end,
				text->len - command->span.end);
			buf_cut(text, 0);
			buf_add(text, new.p, new.len);
		}
	} else if (r == 0) {
		buf_adds(&new, "command = ");
		toml_string(&new, w->program);
		buf_adds(&new, "\nargs = [\"mcp\"]\n");
		toml_add(text, w->agent->servers, CONFIG_NAME, new.p);
		r = toml_find(&t, text, w->agent->servers, CONFIG_NAME, &a, e);
	}
	buf_release(&new);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

static int drop_toml(struct buf *text, const struct config *w, struct err *e)
{
	struct arena a = {0};
	struct toml_table t;
	int r = toml_find(&t, text, w->agent->servers, CONFIG_NAME, &a, e);

	if (r > 0 && is_our_table(text, &t)) {
		toml_drop(text, &t);
		r = toml_find(&t, text, w->agent->servers, CONFIG_NAME, &a, e);
	}
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

int config_put(struct buf *text, const struct config *w, struct err *e)
{
	if (w->holds & (CONFIG_PLUGIN | CONFIG_RULE))
		return own_file_put(text, w->agent, w->holds, w->program, e);
	return w->holds & CONFIG_TOML ? put_toml(text, w, e)
				      : put_json(text, w, e);
}

int config_drop(struct buf *text, const struct config *w, struct err *e)
{
	if (w->holds & (CONFIG_PLUGIN | CONFIG_RULE)) {
		own_file_drop(text);
		return 0;
	}
	return w->holds & CONFIG_TOML ? drop_toml(text, w, e)
				      : drop_json(text, w, e);
}

void config_forget(struct buf *text, const struct buf *was,
		   const struct config *w)
{
	const char *key = w->agent->own_key;
	jsonc_path own = {JSONC_KEY(key), JSONC_END};
	struct arena a = {0};
	struct value root;
	struct err none;

	if (key && w->holds & CONFIG_SERVER &&
	    read(was, &a, &root, &none) == 0 && !jsonc_at(&root, own))
		jsonc_drop(text, own, &none);
	arena_release(&a);
}

void config_generic(struct buf *out, const char *program)
{
	static const struct agent any = {.servers = "mcpServers"};
	const struct config w = {&any, CONFIG_SERVER, program};
	struct arena a = {0};
	struct buf json = {0};
	struct value v;

	buf_addf(&json, "{\"%s\":{\"" CONFIG_NAME "\":", any.servers);
	add_server(&json, &w);
	buf_adds(&json, "}}");
	v = parse(&json, &a);
	jsonc_print(out, &v);
	buf_addf(out, "\n%s", own_file_block);
	buf_release(&json);
	arena_release(&a);
}
