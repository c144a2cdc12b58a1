/* cline.c: tasks of Cline, and of Roo Code, which began as a copy of it.
 *
 * An editor's extension writes ui_messages.json, a list of what its
 * window shows, without what was taken back. Cline's later releases, and its
 * command, write an object with the messages for the model. There, a user's words
 * are in an element, next to notices and attached files.
 */
#include "reader/reader.h"

#include "format/json-read.h"

#define VERSION 1

/* Parse the JSON text V into OUT. Return false if it is none. */
static bool parse_text(struct reading *rd, const struct value *v,
		       struct value *out)
{
	struct err why;

	return v && v->kind == VALUE_STR &&
	       json_parse(v->u.s.p, v->u.s.len, &rd->line, out, &why) == 0;
}

/* Give a question or plan, whose words are the member KEY of the JSON TEXT, and
 * which answer the user chose. In earlier releases TEXT is only the question. */
static int give_question(struct reading *rd, const struct value *text,
			 const char *key, const struct value *time)
{
	struct value v;
	int r;

	if (!parse_text(rd, text, &v) || v.kind != VALUE_MAP)
		return reading_give_value(rd, TURN_ASSISTANT, text, NULL, time);
	r = reading_give_value(rd, TURN_ASSISTANT, value_get(&v, key), NULL,
			       time);
	return r ? r
		 : reading_give_value(rd, TURN_USER, value_get(&v, "selected"),
				      NULL, time);
}

/* Give the call that the JSON TEXT describes: of a tool, or of a server's. */
static int give_call(struct reading *rd, const struct value *text,
		     const struct value *time)
{
	struct value v;
	const struct value *name;

	if (!parse_text(rd, text, &v))
		return 0;
	name = value_get(&v, "tool");
	if (!name)
		name = value_get(&v, "toolName");
	return reading_give_tool(rd, name ? name : value_get(&v, "type"), NULL,
				 time);
}

/* Give the command TEXT. */
static int give_command(struct reading *rd, const struct value *text,
			const struct value *time)
{
	const struct value name = value_str("execute_command");
	struct value_pair pair = {.key = value_str("command")};
	const struct value input = {.kind = VALUE_MAP, .u.map = {&pair, 1}};

	if (text)
		pair.val = *text;
	return reading_give_tool(rd, &name, &input, time);
}

/* Give the shown message V. FIRST: it is the task. */
static int give_shown(struct reading *rd, const struct value *v, bool first)
{
	const struct value *type = value_get(v, "type");
	const struct value *text = value_get(v, "text");
	const struct value *time = value_get(v, "ts");
	const struct value *kind = value_get(
		v, value_is(type, "say") || value_is(type, "ask") ? type->u.s.p
								  : "");

	if (!kind) {
		rd->skipped++;
		return 0;
	}
	if (reading_is_true(v, "partial"))
		return 0;
	if (value_is_word(kind, "task|user_feedback") ||
	    (first && value_is(kind, "text")))
		return reading_give_value(rd, TURN_USER, text, NULL, time);
	if (value_is_word(kind,
			  "text|completion_result|plan_completion_result"))
		return reading_give_value(rd, TURN_ASSISTANT, text, NULL, time);
	if (value_is(kind, "followup"))
		return give_question(rd, text, "question", time);
	if (value_is_word(kind, "plan_mode_respond|act_mode_respond"))
		return give_question(rd, text, "response", time);
	if (value_is_word(kind, "tool|use_mcp_server"))
		return give_call(rd, text, time);
	if (value_is(kind, "command"))
		return give_command(rd, text, time);
	return 0;
}

/* Set V to the contents of the first element that a user's words are in, if
 * there is one. */
static void unwrap(struct value *v)
{
	static const char *const names[] = {"user_input", "user_command"};
	const char *end = v->u.s.p + v->u.s.len;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char open[16], close[24];
		const int n = snprintf(open, sizeof(open), "<%s ", names[i]);
		const int m = snprintf(close, sizeof(close), "</%s>", names[i]);
		const char *p = memmem(v->u.s.p, v->u.s.len, open, (size_t)n);
		const char *q;

		p = p ? memchr(p, '>', (size_t)(end - p)) : NULL;
		q = p ? memmem(p, (size_t)(end - p), close, (size_t)m) : NULL;
		if (!q)
			continue;
		v->u.s.p = p + 1;
		v->u.s.len = (size_t)(q - p - 1);
		return;
	}
}

/* Give the words of the user in CONTENT, unless it has the answers of tools. */
static int give_user(struct reading *rd, const struct value *content,
		     const struct value *time)
{
	struct value said;

	buf_cut(&rd->text, 0);
	reading_words(&rd->text, content, "text");
	said = value_str(buf_str(&rd->text));
	said.u.s.len = rd->text.len;
	unwrap(&said);
	return reading_give(rd, TURN_USER, said.u.s.p, said.u.s.len, time);
}

static int give_message(struct reading *rd, const struct value *v)
{
	const struct value *role = value_get(v, "role");
	const struct value *content = value_get(v, "content");
	const struct value *time = value_get(v, "ts");

	if (value_is(role, TURN_USER))
		return give_user(rd, content, time);
	if (value_is(role, TURN_ASSISTANT))
		return reading_give_parts(rd, content, "tool_use", time);
	return 0;
}

static int read_cline(struct reading *rd)
{
	struct value v;
	const struct value *list, *one;
	int r = reading_parse_all(rd, &v);

	if (!r)
		r = reading_check_version(rd, value_get(&v, "version"),
					  VERSION);
	if (r < 0)
		return -1;
	list = v.kind == VALUE_LIST ? &v : value_get(&v, "messages");
	if (!list || list->kind != VALUE_LIST)
		return err_set(rd->e, ERR_DATA, "'%s' has no messages",
			       rd->path);
	for (size_t i = 0; !r && (one = value_item(list, i)); i++)
		r = list == &v ? give_shown(rd, one, i == 0)
			       : give_message(rd, one);
	return r;
}

/* A list is the record of an editor's extension. */
static enum reader_match match_cline(const struct value *v)
{
	const struct value *first = value_item(v, 0);

	return (value_get(v, "agent") && value_get(v, "sessionId") &&
		value_get(v, "messages")) ||
			       (value_get(first, "ts") &&
				(value_get(first, "say") ||
				 value_get(first, "ask")))
		       ? READER_SURE
		       : READER_NO;
}

const struct reader reader_cline = {
	"cline", .match = match_cline, .read = read_cline,
	.recorded = "browser_action|use_mcp_tool|access_mcp_resource",
	.by_directory = true};

const struct reader reader_roo = {"roo", .read = read_cline,
				  .by_directory = true};
