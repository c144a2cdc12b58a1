/* zed.c: a database with a row for each thread of the editor's own agent. A
 * thread is one object, which newer releases compress with zstd. Messages have
 * no times. What was taken back is deleted. Other agents that run in the editor
 * keep their own records.
 *
 * The source of Zed is public. The first releases of 2025 used another database.
 * Later ones moved its threads to this one.
 */
#include "reader/reader.h"
#include "reader/zstd-read.h"

#define VERSIONS "0.1.0|0.2.0|0.3.0" /* none: before 0.1.0 */
#define LATEST "0.3.0"

/* Return the name of what V mentions, such as the path of a file; or NULL. */
static const struct value *find_mentioned(const struct value *v)
{
	static const char *const keys[] = {"abs_path", "path", "url", "name"};
	const struct value *uri = value_get(v, "uri"), *found = NULL;

	if (!uri || uri->kind != VALUE_MAP || uri->u.map.n != 1)
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(keys) && !found; i++)
		found = value_get(&uri->u.map.pairs[0].val, keys[i]);
	return found;
}

/* Give the user's message CONTENT as one text. A mention, as of a file, is
 * replaced by its name: the user did not write its contents. */
static int give_user(struct reading *rd, const struct value *content)
{
	struct buf text = {0};
	struct value words = {.kind = VALUE_STR};
	const struct value *part;
	int r;

	for (size_t i = 0; (part = value_item(content, i)); i++) {
		const struct value *said = value_get(part, "Text");

		if (!said)
			said = find_mentioned(value_get(part, "Mention"));
		if (said && said->kind == VALUE_STR)
			buf_add(&text, said->u.s.p, said->u.s.len);
	}
	words.u.s.p = buf_str(&text);
	words.u.s.len = text.len;
	r = reading_give_value(rd, TURN_USER, &words, NULL, NULL);
	buf_release(&text);
	return r;
}

/* Return the text that a tool answered: V is it, has it, or lists it. */
static const struct value *find_answer(const struct value *v)
{
	if (v && v->kind == VALUE_LIST)
		v = value_item(v, 0);
	if (!v || v->kind == VALUE_STR)
		return v;
	return value_get(v, "Text") ? value_get(v, "Text")
				    : value_get(v, "text");
}

/* Return true if TEXT is what the terminal answers if a command failed. */
static bool is_failure(const struct value *text)
{
	static const char start[] = "Command \"";

	return text && text->kind == VALUE_STR &&
	       !strncmp(text->u.s.p, start, strlen(start)) &&
	       reading_holds(text->u.s.p, text->u.s.len,
			     "\" failed with exit code ");
}

/* Give what the tool printed whose result is V, if it failed. */
static int give_result(struct reading *rd, const struct value *v)
{
	const struct value *text = find_answer(value_get(v, "content"));

	return reading_is_true(v, "is_error") || is_failure(text)
		       ? reading_give_error(rd, text, NULL)
		       : 0;
}

/* Give the call V of a tool, and what it printed if RESULTS has its error. */
static int give_call(struct reading *rd, const struct value *v,
		     const struct value *results)
{
	const struct value *input = value_get(v, "input");
	const char *id = value_text(v, "id");
	int r;

	if (value_is(value_get(input, "type"), "json") &&
	    value_get(input, "value"))
		input = value_get(input, "value");
	r = reading_give_tool(rd, value_get(v, "name"), input, NULL);
	return r || !rd->errors || !id
		       ? r
		       : give_result(rd, value_get(results, id));
}

/* Give the texts and calls of the model's message V, in their order. */
static int give_agent(struct reading *rd, const struct value *v)
{
	const struct value *content = value_get(v, "content");
	const struct value *results = value_get(v, "tool_results"), *part;
	int r = 0;

	for (size_t i = 0; !r && (part = value_item(content, i)); i++) {
		const struct value *call = value_get(part, "ToolUse");

		r = call ? give_call(rd, call, results)
			 : reading_give_value(rd, TURN_ASSISTANT,
					      value_get(part, "Text"), NULL,
					      NULL);
	}
	return r;
}

static bool has_list(const struct value *v, const char *key)
{
	const struct value *list = value_get(v, key);

	return list && list->kind == VALUE_LIST;
}

/* Give a message of the latest version. */
static int give_message(struct reading *rd, const struct value *v)
{
	const struct value *user = value_get(v, "User");
	const struct value *agent = value_get(v, "Agent");

	if (has_list(user, "content"))
		return give_user(rd, value_get(user, "content"));
	if (has_list(agent, "content"))
		return give_agent(rd, agent);
	/* The program adds these: a request to continue, and the summary of a
	 * compacted thread. */
	if (!value_is(v, "Resume") && !value_get(v, "Compaction"))
		rd->skipped++;
	return 0;
}

/* Give what the tools of an older message V printed, if they failed. */
static int give_older_results(struct reading *rd, const struct value *v)
{
	const struct value *results = value_get(v, "tool_results"), *one;
	int r = 0;

	for (size_t i = 0; rd->errors && !r && (one = value_item(results, i));
	     i++)
		r = give_result(rd, one);
	return r;
}

/* Give a message of a version before 0.3.0. In 0.1.0, the answers of tools are a
 * message of the user's. */
static int give_older(struct reading *rd, const struct value *v)
{
	const struct value *role = value_get(v, "role");
	const struct value *results = value_get(v, "tool_results");
	const struct value *text = value_get(v, "text");
	const bool person = value_is(role, TURN_USER);
	const bool answers = person && value_item(results, 0);
	int r = 0;

	if (!value_is_word(role, "user|assistant") ||
	    reading_is_true(v, "is_hidden"))
		return 0;
	if (!answers)
		r = reading_give_value(rd, role->u.s.p,
				       text ? text : value_get(v, "segments"),
				       text ? NULL : "text", NULL);
	if (!r && !person)
		r = reading_give_tools(rd, value_get(v, "tool_uses"), "name",
				       "input", NULL);
	return r ? r : give_older_results(rd, v);
}

static int give_thread(struct reading *rd, const struct value *v)
{
	const struct value *version = value_get(v, "version");
	const struct value *messages = value_get(v, "messages"), *one;
	const bool latest = value_is(version, LATEST);
	int r = 0;

	if ((version && !value_is_word(version, VERSIONS)) ||
	    !has_list(v, "messages"))
		return err_set(rd->e, ERR_DATA, "'%s#%s': unknown version%s%s",
			       rd->path, rd->session,
			       value_text(v, "version") ? ": " : "",
			       value_text(v, "version")
				       ? value_text(v, "version")
				       : "");
	for (size_t i = 0; !r && (one = value_item(messages, i)); i++)
		r = (latest ? give_message : give_older)(rd, one);
	return r;
}

/* Parse the thread of ROW into V. Return 1, 0 if it is no JSON, or -1. */
static int parse_thread(struct reading *rd, struct rows *row, struct value *v)
{
	const char *form = database_text(row, 0, NULL);
	struct buf text = {0};
	struct err why;
	size_t len;
	const char *p = database_text(row, 1, &len);
	int r = 0;

	if (!form || !p)
		return 0;
	if (!strcmp(form, "zstd"))
		r = zstd_read(&text, p, len, DATABASE_ROW_MAX, &why);
	else if (!strcmp(form, "json"))
		buf_add(&text, p, len);
	else
		r = err_set(&why, ERR_DATA, "unknown version: %s", form);
	if (r < 0)
		err_set(rd->e, why.code, "'%s#%s': %s", rd->path, rd->session,
			why.text);
	else
		r = !reading_parse(rd, buf_str(&text), text.len, v, &why);
	buf_release(&text);
	return r;
}

static int give_row(struct reading *rd, struct rows *row)
{
	struct value v;
	const int r = parse_thread(rd, row, &v);

	if (!r)
		rd->skipped++;
	return r > 0 ? give_thread(rd, &v) : r;
}

#define THREAD "SELECT data_type, data FROM threads WHERE id = ?1"

static int read_session(struct reading *rd, struct database *db)
{
	return database_each_row(rd, db, THREAD, give_row);
}

/* Set rd->own to the first directory that the project had when the thread of ROW
 * began. */
static int find_in_row(struct reading *rd, struct rows *row)
{
	const struct value *list;
	struct value v;

	if (parse_thread(rd, row, &v) <= 0)
		return 0;
	list = value_get(value_get(&v, "initial_project_snapshot"),
			 "worktree_snapshots");
	*(const char **)rd->own =
		value_text(value_item(list, 0), "worktree_path");
	return 0;
}

static int find_directory(struct reading *rd, struct database *db)
{
	return database_each_row(rd, db, THREAD, find_in_row);
}

/* The directories of a thread are lines. */
static const char sessions[] =
	"SELECT id, nullif(substr(folder_paths, 1, "
	"instr(folder_paths || char(10), char(10)) - 1), ''), "
	"strftime('%s', created_at) * 1000, "
	"strftime('%s', updated_at) * 1000, length(data) "
	"FROM threads WHERE parent_id IS NULL";

/* For the database of a release before 2026. */
static const char old_sessions[] =
	"SELECT id, NULL, 0, strftime('%s', updated_at) * 1000, length(data) "
	"FROM threads";

const struct reader reader_zed = {
	"zed",
	.read_session = read_session,
	.sessions = sessions,
	.old_sessions = old_sessions,
	.find_directory = find_directory,
	.probe = "SELECT data_type, data FROM threads"};
