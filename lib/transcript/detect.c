/* detect.c: the format is detected by the first lines, since file names may be
 * anything. */
#include "transcript/detect.h"

#include "sys/file.h"
#include "reader/reader.h"
#include "turns/database.h"

#include <unistd.h>

#define LOOK ((size_t)1024 * 1024)

/* Return the format of the line V of a message, or NULL. */
static const char *detect_message(const struct value *v)
{
	const struct value *message = value_get(v, "message");

	if (value_get(message, "parts") || value_get(v, "provenance"))
		return "qwen";
	if (value_get(message, "content"))
		return "claude";
	return NULL;
}

/* Return the format of V, a line or a whole record, or NULL if it may be
 * any. */
static const char *detect_value(const struct value *v)
{
	const struct value *type = value_get(v, "type");
	const char *name;

	if (value_get(v, "payload") && type)
		return "codex";
	if (value_get(v, "projectHash") || value_get(v, "$set") ||
	    value_get(v, "$rewindTo") || value_is(type, "gemini"))
		return "gemini";
	if (value_get(v, "history") && value_get(v, "workspaceDirectory"))
		return "continue";
	if (value_get(v, "info") && value_get(v, "messages"))
		return "opencode";
	if (value_get(v, "created") && value_get(v, "messages"))
		return "amp";
	if (value_get(v, "agent") && value_get(v, "sessionId") &&
	    value_get(v, "messages"))
		return "cline";
	if (value_get(v, "sessionId") && value_get(v, "messages"))
		return "gemini";
	if (value_get(v, "data") && type && type->kind == VALUE_STR &&
	    strchr(type->u.s.p, '.'))
		return "copilot";
	if ((value_is(type, "session") && value_get(v, "cwd")) ||
	    (value_is(type, "message") && value_get(v, "parentId")))
		return "pi";
	if (value_get(v, "kind") && value_get(v, "data"))
		return "kiro";
	name = detect_message(v);
	if (!name && value_is_word(type, "user|info|error|warning") &&
	    value_get(v, "content"))
		return "gemini";
	return name;
}

/* Return true if V is a line of Claude Code's without a message. */
static bool is_claudes(const struct value *v)
{
	return value_get(v, "sessionId") && value_get(v, "type");
}

static const char *detect_lines(struct reading *rd, const char *p, size_t len)
{
	bool claudes = false;

	while (len) {
		const char *end = memchr(p, '\n', len);
		const size_t n = end ? (size_t)(end - p) : len;
		struct value v;
		struct err why;

		if (n && *p == '{' && !reading_parse(rd, p, n, &v, &why)) {
			const char *name = detect_value(&v);

			if (name)
				return name;
			claudes = claudes || is_claudes(&v);
		}
		p += n + (end != NULL);
		len -= n + (end != NULL);
	}
	return claudes ? "claude" : NULL;
}

/* Return the format of V, a whole record that is a list, or NULL. */
static const char *detect_list(const struct value *v)
{
	const struct value *first = v->u.list.n ? v->u.list.items : NULL;

	if (value_get(first, "ts") &&
	    (value_get(first, "say") || value_get(first, "ask")))
		return "cline";
	return NULL;
}

/* Return the format of a record that is one object in several lines, or a list;
 * or NULL. */
static const char *detect_object(struct reading *rd, size_t size)
{
	struct value v;
	struct err why, *e = rd->e;
	const char *name = NULL;

	rd->e = &why;
	if (size <= READING_OBJECT_MAX && !reading_parse_all(rd, &v))
		name = v.kind == VALUE_LIST ? detect_list(&v)
					    : detect_value(&v);
	rd->e = e;
	return name;
}

static const char *detect_database(const char *path)
{
	for (enum transcript_format f = 0; f < TRANSCRIPT_TEXT; f++) {
		const struct reader *reader = reader_of(f);

		if (reader->probe && database_answers(path, reader->probe))
			return reader->name;
	}
	return reader_of(TRANSCRIPT_OPENCODE)->name;
}

const char *detect_format(struct reading *rd)
{
	static const char aider[] = "# aider chat started at ";
	struct buf start = {0};
	const char *name = NULL;
	const off_t size = lseek(rd->fd, 0, SEEK_END);
	ssize_t n;
	size_t blanks;

	if (database_is(rd->fd))
		return detect_database(rd->path);
	buf_grow(&start, LOOK);
	n = pread(rd->fd, start.p, LOOK, 0);
	if (n < 0 || size < 0) {
		err_sys(rd->e, "cannot read '%s'", rd->path);
		goto out;
	}
	start.len = (size_t)n;
	start.p[n] = '\0';
	blanks = strspn(start.p, " \t\r\n");
	if (start.p[blanks] == '{') {
		name = detect_lines(rd, start.p + blanks, start.len - blanks);
		if (!name)
			name = detect_object(rd, (size_t)size);
	} else if (start.p[blanks] == '[') {
		name = detect_object(rd, (size_t)size);
	} else if (!strncmp(start.p + blanks, aider, strlen(aider))) {
		name = "aider";
	}
	name = name ? name : "text";
out:
	buf_release(&start);
	return name;
}
