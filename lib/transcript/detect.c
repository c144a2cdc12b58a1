/* detect.c: by what stands in the first lines: names of files may be anything. */
#include "transcript/detect.h"

#include "sys/file.h"
#include "transcript/opencode.h"

#include <unistd.h>

#define LOOK ((size_t)1024 * 1024)

/* The format of a message's line. */
static const char *by_message(const struct value *v)
{
	const struct value *message = value_get(v, "message");

	if (value_get(message, "parts") || value_get(v, "provenance"))
		return "qwen";
	if (value_get(message, "content"))
		return "claude";
	return NULL;
}

/* The format of a line, or of a whole record, V; NULL where it could be
 * any. */
static const char *by_value(const struct value *v)
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
	if (value_get(v, "sessionId") && value_get(v, "messages"))
		return "gemini";
	if (value_get(v, "data") && type && type->kind == VALUE_STR &&
	    strchr(type->u.s.p, '.'))
		return "copilot";
	name = by_message(v);
	if (!name && value_is_word(type, "user|info|error|warning") &&
	    value_get(v, "content"))
		return "gemini";
	return name;
}

/* True if V is a line of Claude's that holds no message. */
static bool is_claudes(const struct value *v)
{
	return value_get(v, "sessionId") && value_get(v, "type");
}

static const char *by_lines(struct reading *rd, const char *p, size_t len)
{
	bool claudes = false;

	while (len) {
		const char *end = memchr(p, '\n', len);
		const size_t n = end ? (size_t)(end - p) : len;
		struct value v;
		struct err why;

		if (n && *p == '{' && !reading_parse(rd, p, n, &v, &why)) {
			const char *name = by_value(&v);

			if (name)
				return name;
			claudes = claudes || is_claudes(&v);
		}
		p += n + (end != NULL);
		len -= n + (end != NULL);
	}
	return claudes ? "claude" : NULL;
}

/* The format of an object that takes several lines. */
static const char *by_object(struct reading *rd, size_t size)
{
	struct value v;
	struct err why, *e = rd->e;
	const char *name = NULL;

	rd->e = &why;
	if (size <= READING_OBJECT_MAX && !reading_parse_all(rd, &v))
		name = by_value(&v);
	rd->e = e;
	return name;
}

const char *detect_format(struct reading *rd)
{
	static const char aider[] = "# aider chat started at ";
	struct buf start = {0};
	const char *name = NULL;
	const off_t size = lseek(rd->fd, 0, SEEK_END);
	ssize_t n;
	size_t blanks;

	if (opencode_is_database(rd->fd))
		return "opencode";
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
		name = by_lines(rd, start.p + blanks, start.len - blanks);
		if (!name)
			name = by_object(rd, (size_t)size);
	} else if (!strncmp(start.p + blanks, aider, strlen(aider))) {
		name = "aider";
	}
	name = name ? name : "text";
out:
	buf_release(&start);
	return name;
}
