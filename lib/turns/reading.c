#include "turns/reading.h"

#include "base/utf8.h"
#include "format/json-read.h"
#include "sys/file.h"
#include "sys/io.h"
#include "text/injected.h"
#include "turns/backward.h"

#include <unistd.h>

#define WRITTEN_MAX 32 /* strings that one call writes; others are left out */

int reading_open_lines(struct reading *rd, struct lines *lines)
{
	const off_t from = rd->place ? (off_t)rd->place->offset : 0;

	*lines = (struct lines){.fd = rd->fd,
				.path = rd->path,
				.max = READING_LINE_MAX,
				.longest = BACKWARD_LONGEST};
	if (lseek(rd->fd, from, SEEK_SET) < 0)
		return err_sys(rd->e, "cannot read '%s'", rd->path);
	return 0;
}

/* Return true if the record ends in the middle of a line. */
static bool ends_open(const struct reading *rd)
{
	const off_t end = lseek(rd->fd, 0, SEEK_END);
	char last;

	return end > 0 && pread(rd->fd, &last, 1, end - 1) == 1 && last != '\n';
}

static int process_line(struct reading *rd, const struct reading_lines *how,
			const struct lines *lines, const char *p, size_t len,
			size_t *broken)
{
	struct value v;
	struct err why;

	if (!len || !how->matters(p, len) ||
	    (how->taken_back &&
	     branch_drops(how->taken_back, lines->number - 1)))
		return 0;
	if (!reading_parse(rd, p, len, &v, &why))
		return how->take(rd, &v);
	rd->skipped++;
	*broken = lines->number;
	return 0;
}

/* Set the place to the end of the record, which had SIZE bytes when the reading
 * began. It cannot be continued if it ends in the middle of a line, or has grown
 * since then. */
static void set_place(struct reading *rd, off_t size)
{
	const off_t end = lseek(rd->fd, 0, SEEK_CUR);

	if (end == size && !ends_open(rd))
		rd->place->offset = (uint64_t)end;
	else
		*rd->place = (struct transcript_place){0};
}

/* Return the number of newlines in the first SIZE bytes of the record. */
static size_t count_newlines(const struct reading *rd, off_t size)
{
	char chunk[16 * 1024];
	size_t lines = 0;

	for (off_t at = 0; at < size;) {
		const size_t left = (size_t)(size - at);
		const ssize_t n =
			pread(rd->fd, chunk,
			      left < sizeof(chunk) ? left : sizeof(chunk), at);

		if (n <= 0)
			break;
		for (ssize_t i = 0; i < n; i++)
			lines += chunk[i] == '\n';
		at += n;
	}
	return lines;
}

/* Count a line that is too long, the last one of LINES. */
static void skip_overlong(struct reading *rd, const struct lines *lines)
{
	rd->skipped++;
	if (rd->overlong)
		return;
	rd->overlong = lines->number;
	if (rd->place)
		rd->overlong += count_newlines(rd, (off_t)rd->place->offset);
}

int reading_each_line(struct reading *rd, const struct reading_lines *how)
{
	const off_t size = rd->place ? lseek(rd->fd, 0, SEEK_END) : 0;
	struct lines lines;
	size_t len, broken = 0;
	const char *p;
	struct err why;
	int r = reading_open_lines(rd, &lines), taken = 0;

	while (!r && !taken &&
	       (r = io_lines_next(&lines, &p, &len, &why)) != 0) {
		if (r < 0 && why.code != ERR_DATA) {
			*rd->e = why;
			break;
		}
		if (r < 0)
			skip_overlong(rd, &lines);
		else
			taken = process_line(rd, how, &lines, p, len, &broken);
		r = 0;
	}
	if (rd->place && !r && !taken)
		set_place(rd, size);
	if (broken && broken == lines.number && ends_open(rd))
		rd->skipped--;
	io_lines_release(&lines);
	return r < 0 ? -1 : taken;
}

int reading_each_kept(struct reading *rd,
		      bool (*matters)(const char *p, size_t len),
		      reading_fn *take, const struct branch_links *links)
{
	struct branch back = {0};
	const struct reading_lines how = {matters, take, &back};
	int r = branch_find(&back, rd->fd, rd->path, links, rd->place, rd->e);

	rd->changed = r > 0;
	if (r > 0)
		r = 0;
	else if (!r)
		r = reading_each_line(rd, &how);
	branch_release(&back);
	return r;
}

int reading_find_line(struct reading *rd,
		      bool (*matters)(const char *p, size_t len))
{
	struct lines lines;
	size_t len;
	const char *p;
	struct err why;
	int r = reading_open_lines(rd, &lines);

	if (r < 0)
		return -1;
	while ((r = io_lines_next(&lines, &p, &len, &why)) != 0) {
		if (r > 0 && matters(p, len))
			break;
		if (r < 0 && why.code != ERR_DATA) {
			*rd->e = why;
			break;
		}
	}
	io_lines_release(&lines);
	return r;
}

int reading_parse(struct reading *rd, const char *p, size_t len,
		  struct value *v, struct err *e)
{
	arena_reset(&rd->line);
	return json_parse_mended(p, len, &rd->line, v, e);
}

bool reading_begins_broken(struct reading *rd)
{
	struct lines lines;
	const char *p;
	size_t len;
	struct value v;
	struct err why;
	bool broken = reading_open_lines(rd, &lines) == 0 &&
		      io_lines_next(&lines, &p, &len, &why) > 0 &&
		      reading_parse(rd, p, len, &v, &why) < 0;

	io_lines_release(&lines);
	return broken;
}

int reading_parse_all(struct reading *rd, struct value *v)
{
	struct buf text = {0};
	struct err why;
	int r = 0;

	if (lseek(rd->fd, 0, SEEK_SET) < 0)
		return err_sys(rd->e, "cannot read '%s'", rd->path);
	r = file_read_fd(rd->fd, rd->path, READING_OBJECT_MAX, &text, rd->e);
	if (!r && reading_parse(rd, text.p, text.len, v, &why) < 0)
		r = err_set(rd->e, ERR_DATA, "'%s':%s", rd->path, why.text);
	buf_release(&text);
	return r;
}

/* Return true if a program wrote the text on the user's behalf. */
static bool is_injected(const char *p, size_t len)
{
	static const char *const begin[] = {
		"<command-name>",
		"<command-message>",
		"<local-command-",
		"<system-reminder>",
		"<task-notification>",
		"<bash-",
		"<environment_context>",
		"<user_instructions>",
		"<skills_instructions>",
		"<session_context>",
		"# AGENTS.md",
		"Caveat: ",
		"[Request interrupted by user",
	};

	utf8_strip(&p, &len);
	for (size_t i = 0; i < ARRAY_LEN(begin); i++) {
		const size_t n = strlen(begin[i]);

		if (len >= n && memcmp(p, begin[i], n) == 0)
			return true;
	}
	return false;
}

static bool is_tool_answer(const struct value *part)
{
	return value_is(value_get(part, "type"), "tool_result") ||
	       value_get(part, "functionResponse");
}

/* Append P: the model's if REPLY, else the user's without injected text. */
static void add_text(struct buf *out, const char *p, size_t len, bool reply)
{
	if (!reply && is_injected(p, len))
		return;
	if (out->len && len)
		buf_addc(out, '\n');
	if (reply)
		buf_add(out, p, len);
	else
		injected_strip(out, p, len);
}

static void add_parts(struct buf *out, const struct value *v, const char *type,
		      bool reply)
{
	const struct value *part;

	if (v && v->kind == VALUE_STR)
		add_text(out, v->u.s.p, v->u.s.len, reply);
	for (size_t i = 0; (part = value_item(v, i)); i++) {
		const struct value *text = value_get(part, "text");

		if (!reply && is_tool_answer(part)) {
			buf_cut(out, 0);
			return;
		}
		if (text && text->kind == VALUE_STR &&
		    !reading_is_true(part, "thought") &&
		    (!type || value_is(value_get(part, "type"), type)))
			add_text(out, text->u.s.p, text->u.s.len, reply);
	}
}

void reading_words(struct buf *text, const struct value *v, const char *type)
{
	add_parts(text, v, type, false);
}

void reading_reply(struct buf *text, const struct value *v, const char *type)
{
	add_parts(text, v, type, true);
}

/* Format the time V into RD. Return NULL if it is none. */
static const char *format_time(struct reading *rd, const struct value *v)
{
	struct instant at = {0};

	if (v && v->kind == VALUE_INT)
		at.sec = v->u.i / 1000;
	else if (!v || v->kind != VALUE_STR ||
		 !instant_parse(v->u.s.p, v->u.s.len, &at))
		return NULL;
	return at.sec < 0 || at.sec > INT64_C(253402300799)
		       ? NULL
		       : instant_format(at, rd->time);
}

int reading_give(struct reading *rd, const char *role, const char *words,
		 size_t len, const struct value *time)
{
	struct turn t = {.role = role};

	utf8_strip(&words, &len);
	rd->messages++;
	if (!len)
		return 0;
	t.text = words;
	t.len = len;
	t.time = format_time(rd, time);
	return rd->fn(rd->ctx, &t, rd->e);
}

/* Set OUT, in rd->line, to the command whose words are the list V. Of a shell's,
 * as ["bash", "-lc", "make"], only the last word counts. Return false if V is
 * another list. */
static bool join_words(struct reading *rd, const struct value *v,
		       struct value *out)
{
	const struct value *words = v->u.list.items;
	const size_t n = v->u.list.n;
	const bool shell = n == 3 && value_is_word(&words[1], "-c|-lc");
	struct buf text = {0};

	if (!n || !value_is_texts(v))
		return false;
	for (size_t i = shell ? 2 : 0; i < n; i++) {
		if (text.len)
			buf_addc(&text, ' ');
		buf_add(&text, words[i].u.s.p, words[i].u.s.len);
	}
	*out = (struct value){.kind = VALUE_STR};
	out->u.s.p = arena_copy(&rd->line, buf_str(&text), text.len);
	out->u.s.len = text.len;
	buf_release(&text);
	return true;
}

/* Return the map INPUT, or the one whose JSON text it is, in OUT. */
static const struct value *
parse_input(struct reading *rd, const struct value *input, struct value *out)
{
	if (input && input->kind == VALUE_STR && input->u.s.len &&
	    *input->u.s.p == '{' &&
	    json_parse(input->u.s.p, input->u.s.len, &rd->line, out, NULL) == 0)
		return out;
	return input;
}

/* Set OUT, in rd->line, to the string that the map INPUT has for a shell to run.
 * Return false if there is none. */
static bool find_command(struct reading *rd, const struct value *input,
			 struct value *out)
{
	static const char *const keys[] = {"command", "cmd", "script"};
	const struct value *command = NULL;

	for (size_t i = 0; i < ARRAY_LEN(keys) && !command; i++)
		command = value_get(input, keys[i]);
	if (command && command->kind == VALUE_LIST)
		return join_words(rd, command, out);
	if (!command || command->kind != VALUE_STR)
		return false;
	*out = *command;
	return true;
}

/* Add the strings that INPUT, a map, has for an edit to write to the N strings OUT. */
static size_t add_written(const struct value *input, struct value *out,
			  size_t n)
{
	static const char *const keys =
		"new_string|newString|new_str|content|contents|file_text|"
		"new_source|insert_text|code_edit|patch|patchText|input|diff";

	for (size_t i = 0; i < input->u.map.n && n < WRITTEN_MAX; i++) {
		const struct value_pair *pair = &input->u.map.pairs[i];

		if (value_is_word(&pair->key, keys) &&
		    pair->val.kind == VALUE_STR)
			out[n++] = pair->val;
	}
	return n;
}

/* Set T's `written`, in rd->line, to what the map INPUT has for an edit to write. */
static void find_written(struct reading *rd, const struct value *input,
			 struct turn *t)
{
	const struct value *edits = value_get(input, "edits"), *edit;
	struct value *out;

	if (!input || input->kind != VALUE_MAP)
		return;
	out = arena_alloc(&rd->line, WRITTEN_MAX * sizeof(*out));
	t->nwritten = add_written(input, out, 0);
	for (size_t i = 0; (edit = value_item(edits, i)); i++) {
		if (edit->kind == VALUE_MAP)
			t->nwritten = add_written(edit, out, t->nwritten);
	}
	t->written = out;
}

int reading_give_tool(struct reading *rd, const struct value *tool,
		      const struct value *input, const struct value *time)
{
	struct turn t = {.role = TURN_ASSISTANT};
	struct value command, parsed;

	if (!tool || tool->kind != VALUE_STR || !tool->u.s.len)
		return 0;
	input = parse_input(rd, input, &parsed);
	find_written(rd, input, &t);
	if (find_command(rd, input, &command)) {
		t.command = command.u.s.p;
		t.command_len = command.u.s.len;
	}
	t.tool = tool->u.s.p;
	t.time = format_time(rd, time);
	return rd->fn(rd->ctx, &t, rd->e);
}

int reading_give_value(struct reading *rd, const char *role,
		       const struct value *v, const char *type,
		       const struct value *time)
{
	if (!v)
		return 0;
	buf_cut(&rd->text, 0);
	add_parts(&rd->text, v, type, strcmp(role, TURN_USER) != 0);
	return reading_give(rd, role, buf_str(&rd->text), rd->text.len, time);
}

int reading_give_error(struct reading *rd, const struct value *v,
		       const struct value *time)
{
	const char *p;
	size_t len;

	buf_cut(&rd->text, 0);
	add_parts(&rd->text, v, NULL, true);
	p = buf_str(&rd->text);
	len = rd->text.len;
	return reading_give(rd, TURN_TOOL, p, utf8_cut(p, len, TURN_ERROR_MAX),
			    time);
}

int reading_give_tools(struct reading *rd, const struct value *v,
		       const char *name, const char *input,
		       const struct value *time)
{
	const struct value *one;
	int r = 0;

	for (size_t i = 0; !r && (one = value_item(v, i)); i++)
		r = reading_give_tool(rd, value_get(one, name),
				      value_get(one, input), time);
	return r;
}

/* Return the input of the call PART, or NULL. */
static const struct value *find_input(const struct value *part)
{
	const struct value *input = value_get(part, "input");

	return input ? input : value_get(part, "arguments");
}

int reading_give_parts(struct reading *rd, const struct value *v,
		       const char *call, const struct value *time)
{
	int r = 0;

	if (!v || v->kind != VALUE_LIST)
		return reading_give_value(rd, TURN_ASSISTANT, v, NULL, time);
	for (size_t i = 0; i < v->u.list.n && !r; i++) {
		struct value *part = &v->u.list.items[i];
		const struct value one = {.kind = VALUE_LIST,
					  .u.list = {part, 1}};

		if (value_is(value_get(part, "type"), call))
			r = reading_give_tool(rd, value_get(part, "name"),
					      find_input(part), time);
		else
			r = reading_give_value(rd, TURN_ASSISTANT, &one, "text",
					       time);
	}
	return r;
}

int reading_check_version(struct reading *rd, const struct value *v,
			  int64_t known)
{
	if (!v || (v->kind == VALUE_INT && v->u.i <= known))
		return 0;
	if (v->kind == VALUE_INT)
		return err_set(rd->e, ERR_DATA, "'%s': unknown version: %lld",
			       rd->path, (long long)v->u.i);
	return err_set(rd->e, ERR_DATA, "'%s': unknown version", rd->path);
}

bool reading_is_true(const struct value *map, const char *key)
{
	return value_is_true(value_get(map, key));
}

bool reading_holds(const char *p, size_t len, const char *word)
{
	return memmem(p, len, word, strlen(word)) != NULL;
}

void reading_release(struct reading *rd)
{
	arena_release(&rd->line);
	buf_release(&rd->text);
}
