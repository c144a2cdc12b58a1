/* tool.c: the table has one row for each kind of argument. */
#include "mcp/tool.h"

#include "store/store.h"

#include <inttypes.h>

#define COUNT_MAX 100
#define ID_MAX 999999999
#define SPEC_HELP 6 /* the field, from 0, of --spec with an option's help */

bool mcp_tool_is_id(const struct value *v, int64_t *id, bool *global)
{
	const char *p;
	bool fits;

	*global = false;
	*id = v->kind == VALUE_INT ? v->u.i : 0;
	if (v->kind == VALUE_STR) {
		p = v->u.s.p;
		*global = store_is_global_id(p, id);
		fits = (*global || store_is_id(p, id)) &&
		       strlen(p) == v->u.s.len;
		*id = fits ? *id : 0;
	}
	return *id >= 1 && *id <= ID_MAX;
}

static const struct {
	enum value_kind is;
	const char *words; /* the allowed words, or NULL */
	const char *wanted;
	const char *type; /* the rest of its schema after "type": */
} kinds[] = {
	[MCP_ARG_TEXT] = {VALUE_STR, NULL, "must be a string", "\"string\""},
	[MCP_ARG_BODY] = {VALUE_STR, NULL, "must be a string", "\"string\""},
	[MCP_ARG_TEXTS] = {VALUE_LIST, NULL, "must be a list of strings",
			   "\"array\",\"items\":{\"type\":\"string\"}"},
	[MCP_ARG_ID] = {VALUE_STR, NULL, "must be the number of a memory",
			"\"integer\",\"minimum\":1"},
	[MCP_ARG_COUNT] = {VALUE_INT, NULL,
			   "must be a whole number from 1 to 100",
			   "\"integer\",\"minimum\":1,\"maximum\":100"},
	[MCP_ARG_FLAG] = {VALUE_BOOL, NULL, "must be true or false",
			  "\"boolean\""},
	[MCP_ARG_SCOPE] = {VALUE_STR, "project|global",
			   "must be project or global",
			   "\"string\",\"enum\":[\"project\",\"global\"]"},
	[MCP_ARG_KIND] = {VALUE_STR, "memory|item|article|conversation",
			  "must be memory, item, article or conversation",
			  "\"string\",\"enum\":[\"memory\",\"item\","
			  "\"article\",\"conversation\"]"},
};

/* Return true if V is valid for an argument of KIND. */
static bool fits(enum mcp_arg_kind kind, const struct value *v)
{
	const char *words = kinds[kind].words;
	bool global;
	int64_t id;

	if (kind == MCP_ARG_ID)
		return mcp_tool_is_id(v, &id, &global);
	if (v->kind != kinds[kind].is || (words && !value_is_word(v, words)))
		return false;
	for (size_t i = 0; kind == MCP_ARG_TEXTS && i < v->u.list.n; i++) {
		if (v->u.list.items[i].kind != VALUE_STR)
			return false;
	}
	return kind != MCP_ARG_COUNT || (v->u.i >= 1 && v->u.i <= COUNT_MAX);
}

/* Return a description of the fault in V, an argument of KIND, or NULL. A program gets no
 * argument that is cut at a NUL, or for which its command line has no room. */
static const char *find_wrong(enum mcp_arg_kind kind, const struct value *v)
{
	const bool texts = kind == MCP_ARG_TEXT || kind == MCP_ARG_TEXTS;
	const struct value *one;
	size_t bytes = 0;

	if (!fits(kind, v))
		return kinds[kind].wanted;
	for (size_t i = 0; texts && (one = value_item_or_self(v, i)); i++) {
		if (strlen(one->u.s.p) != one->u.s.len)
			return "must be a string without NUL";
		bytes += one->u.s.len + 1;
	}
	return bytes > MCP_TEXT_MAX ? "must be shorter than 65536 bytes" : NULL;
}

/* Append the help of the option NAME, if a line of SPEC describes it. */
static void add_help(struct buf *out, const char *spec, const char *name)
{
	struct buf key = {0};

	buf_addf(&key, "\t%s\t", name);
	for (const char *line = spec; line; line = strchr(line, '\n')) {
		const char *field;

		line += *line == '\n';
		if (strncmp(line, "option\t", 7) != 0)
			continue;
		field = line + 7 + strcspn(line + 7, "\t\n");
		if (strncmp(field, key.p, key.len) != 0)
			continue;
		for (int n = SPEC_HELP; n; n--)
			line += strcspn(line, "\t\n") + 1;
		buf_add(out, line, strcspn(line, "\t\n"));
		break;
	}
	buf_release(&key);
}

static void add_argument(struct buf *out, const struct mcp_arg *arg,
			 const char *spec)
{
	struct buf help = {0};

	if (arg->help)
		buf_adds(&help, arg->help);
	else
		add_help(&help, spec, arg->option);
	json_write_open(out, arg->name, '{');
	json_write_raw(out, "type", kinds[arg->kind].type);
	json_write_text(out, "description", buf_str(&help));
	json_write_close(out, '}');
	buf_release(&help);
}

static size_t count_args(const struct mcp_tool *t)
{
	size_t n = 0;

	while (n < MCP_TOOL_ARGS && t->args[n].name)
		n++;
	return n;
}

void mcp_tool_schema(struct buf *out, const struct mcp_tool *t,
		     const char *spec)
{
	const size_t n = count_args(t);

	json_write_open(out, "inputSchema", '{');
	json_write_text(out, "type", "object");
	json_write_open(out, "properties", '{');
	for (size_t i = 0; i < n; i++)
		add_argument(out, &t->args[i], spec);
	json_write_close(out, '}');
	json_write_open(out, "required", '[');
	for (size_t i = 0; i < n; i++) {
		if (t->args[i].need == MCP_ARG_REQUIRED)
			json_write_text(out, NULL, t->args[i].name);
	}
	json_write_close(out, ']');
	json_write_bool(out, "additionalProperties", false);
	json_write_close(out, '}');
}

static void find_misfit(struct buf *why, const struct mcp_arg *arg,
			const struct value *v)
{
	const bool required = arg->need == MCP_ARG_REQUIRED;
	const char *wrong = NULL;

	if (!v && required)
		wrong = "is required";
	else if (v && (v->kind != VALUE_NULL || required))
		wrong = find_wrong(arg->kind, v);
	if (wrong)
		buf_addf(why, "'%s' %s", arg->name, wrong);
}

/* Append an error unless exactly one of the arguments of T that exclude each other
 * is given. */
static void find_either(struct buf *why, const struct mcp_tool *t,
			const struct value *arguments)
{
	const char *first = NULL;
	struct buf names = {0};
	size_t given = 0;

	for (size_t i = 0; i < count_args(t); i++) {
		const struct mcp_arg *arg = &t->args[i];
		const struct value *v = value_get(arguments, arg->name);

		if (arg->need != MCP_ARG_EITHER)
			continue;
		given += v && v->kind != VALUE_NULL;
		buf_addf(&names, "%s'%s'", first ? " or " : "", arg->name);
		first = first ? first : arg->name;
	}
	if (given > 1)
		buf_addf(why, "%s is required, not both", names.p);
	else if (first && !given)
		buf_addf(why, "'%s' is required", first);
	buf_release(&names);
}

static bool has_argument(const struct mcp_tool *t, const struct value *name)
{
	for (size_t i = 0; i < count_args(t); i++) {
		if (value_is(name, t->args[i].name))
			return true;
	}
	return false;
}

bool mcp_tool_fault(struct buf *why, const struct mcp_tool *t,
		    const struct value *arguments)
{
	const size_t n = count_args(t);

	for (size_t i = 0; i < n && !why->len; i++)
		find_misfit(why, &t->args[i],
			    value_get(arguments, t->args[i].name));
	if (!why->len)
		find_either(why, t, arguments);
	for (size_t i = 0; i < arguments->u.map.n && !why->len; i++) {
		if (has_argument(t, &arguments->u.map.pairs[i].key))
			continue;
		buf_addf(why, "%s takes ", t->name);
		for (size_t k = 0; k < n; k++)
			buf_addf(why, "%s%s", k ? ", " : "", t->args[k].name);
		buf_adds(why, n ? " and nothing else" : "no arguments");
	}
	return why->len;
}

/* Append to the *N words of ARGV the option for ARG with the value V. */
static void add_option(const char **argv, size_t *n, const struct mcp_arg *arg,
		       const struct value *v, struct arena *a)
{
	const char *text = v->kind == VALUE_STR ? v->u.s.p : NULL;
	bool global;
	int64_t id;

	if (v->kind == VALUE_BOOL) {
		if (v->u.b)
			argv[(*n)++] = arena_printf(a, "--%s", arg->option);
		return;
	}
	if (arg->kind == MCP_ARG_ID && mcp_tool_is_id(v, &id, &global))
		text = arena_printf(a, "%s%" PRId64, global ? "g" : "", id);
	else if (v->kind == VALUE_INT)
		text = arena_printf(a, "%" PRId64, v->u.i);
	argv[(*n)++] = arena_printf(a, "--%s=%s", arg->option, text);
}

const char **mcp_tool_argv(struct mcp_call *c, size_t more, size_t *n)
{
	const struct mcp_tool *t = c->tool;
	size_t room = MCP_TOOL_WORDS + more + 1;
	const char **argv;

	for (size_t i = 0; i < count_args(t); i++) {
		const struct value *v = mcp_call_arg(c, t->args[i].name);

		room += v && v->kind == VALUE_LIST ? v->u.list.n : 1;
	}
	argv = arena_alloc(&c->arena, room * sizeof(*argv));
	for (*n = 0; *n < MCP_TOOL_WORDS && t->command[*n]; ++*n)
		argv[*n] = t->command[*n];
	for (size_t i = 0; i < count_args(t); i++) {
		const struct value *v = mcp_call_arg(c, t->args[i].name), *one;

		if (!t->args[i].option)
			continue;
		for (size_t k = 0; (one = value_item_or_self(v, k)); k++)
			add_option(argv, n, &t->args[i], one, &c->arena);
	}
	return argv;
}
