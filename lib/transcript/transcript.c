/* transcript.c: a record that is not a regular file is copied to an unnamed one,
 * since some formats are read twice, or from their end. The agent that wrote
 * a record is detected by the first lines: its file name may be anything.
 */
#include "transcript/transcript.h"

#include "base/compat.h"
#include "sys/file.h"
#include "sys/io.h"
#include "text/injected.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define LOOK ((size_t)1024 * 1024)
#define LINES_LOOK 16 /* lines, if the first one is longer than LOOK */

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

/* Return the format that one of the first lines has, or NULL. Lines that are too long
 * are skipped. */
static const char *detect_after_overlong(struct reading *rd)
{
	const char *name = NULL, *p;
	struct lines lines;
	struct err why;
	size_t len;
	int r = reading_open_lines(rd, &lines);

	for (int i = 0; i < LINES_LOOK && r >= 0 && !name; i++) {
		r = io_lines_next(&lines, &p, &len, &why);
		if (r > 0)
			name = detect_lines(rd, p, len);
		else if (!r || why.code != ERR_DATA)
			break;
		r = 0;
	}
	io_lines_release(&lines);
	return name;
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

/* Return the format's name of RD's record, "text" for any other text. Return
 * NULL with E set if it cannot be read. */
static const char *detect_format(struct reading *rd)
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
		if (!name &&
		    !memchr(start.p + blanks, '\n', start.len - blanks))
			name = detect_after_overlong(rd);
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

const char *transcript_agents(void)
{
	static struct buf names;

	if (names.len)
		return names.p;
	for (size_t i = 0; i < TRANSCRIPT_TEXT; i++)
		buf_addf(&names, "%s%s", i ? "|" : "",
			 reader_of((enum transcript_format)i)->name);
	return names.p;
}

const char *transcript_format_name(enum transcript_format f)
{
	return reader_of(f)->name;
}

bool transcript_format_find(const char *name, enum transcript_format *f)
{
	for (enum transcript_format i = 0; i <= TRANSCRIPT_TEXT; i++) {
		if (!strcmp(reader_of((enum transcript_format)i)->name, name)) {
			*f = i;
			return true;
		}
	}
	return false;
}

/* Cut `#SESSION` off the path of T, unless a file has the whole name. */
static void cut_session(struct transcript *t)
{
	char *mark = strrchr(t->path, '#');

	if (!mark || access(t->path, F_OK) == 0)
		return;
	*mark = '\0';
	t->session = mem_strdup(mark + 1);
}

int transcript_open(struct transcript *t, const char *path, struct err *e)
{
	struct stat st;
	int r = -1;

	*t = (struct transcript){.path = mem_strdup(path)};
	cut_session(t);
	t->fd = file_open(AT_FDCWD, t->path,
			  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (t->fd < 0 && errno == ELOOP)
		err_set(e, ERR_DATA, "refusing '%s': it is a link", path);
	else if (t->fd < 0 && errno == ENOENT)
		err_set(e, ERR_NO, "there is no '%s'", path);
	else if (t->fd < 0)
		err_sys(e, "cannot open '%s'", path);
	else if (fstat(t->fd, &st) < 0 || !S_ISREG(st.st_mode))
		err_set(e, ERR_DATA, "refusing '%s': it is not a regular file",
			path);
	else
		r = 0;
	if (r < 0)
		transcript_close(t);
	return r;
}

/* Replace the descriptor of T by a copy of its contents. */
static int copy_stream(struct transcript *t, struct err *e)
{
	const int from = t->fd;
	char chunk[64 * 1024];
	ssize_t n;
	int r = 0;

	t->fd = compat_temp_file();
	if (t->fd < 0)
		r = err_sys(e, "cannot make a temporary file");
	while (!r && (n = io_read(from, chunk, sizeof(chunk))) != 0) {
		if (n < 0)
			r = err_sys(e, "cannot read '%s'", t->path);
		else if (io_write(t->fd, chunk, (size_t)n) < 0)
			r = err_sys(e, "cannot write a temporary file");
	}
	if (from)
		close(from);
	return r;
}

int transcript_open_operand(struct transcript *t, const char *operand,
			    struct err *e)
{
	struct stat st;
	int r = -1;

	*t = (struct transcript){.path = mem_strdup(operand)};
	if (strcmp(operand, "-") != 0) {
		cut_session(t);
		t->fd = file_open(AT_FDCWD, t->path, O_RDONLY | O_NOCTTY, 0);
	}
	if (t->fd < 0)
		err_sys(e, "cannot open '%s'", t->path);
	else if (fstat(t->fd, &st) < 0)
		err_sys(e, "cannot read '%s'", t->path);
	else if (S_ISDIR(st.st_mode))
		err_set(e, ERR_DATA, "'%s' is a directory, not a conversation",
			t->path);
	else
		r = S_ISREG(st.st_mode) ? 0 : copy_stream(t, e);
	if (r < 0)
		transcript_close(t);
	return r;
}

int transcript_detect(struct transcript *t, struct err *e)
{
	struct reading rd = {.fd = t->fd, .path = t->path, .e = e};
	const char *name = detect_format(&rd);

	if (name)
		transcript_format_find(name, &t->format);
	reading_release(&rd);
	return name ? 0 : -1;
}

int transcript_count(struct transcript *t, struct err *e)
{
	if (t->format == TRANSCRIPT_TEXT)
		return 0;
	if (reader_of(t->format)->count)
		return reader_of(t->format)->count(t->fd, t->path, e);
	return database_is(t->fd) ? 2 : 1;
}

/* Read T from PLACE, or whole if it is NULL. Return as transcript_each_new(). */
static int read_record(struct transcript *t, struct transcript_place *place,
		       turn_fn *fn, void *ctx, struct err *e)
{
	struct reading rd = {.fn = fn,
			     .ctx = ctx,
			     .fd = t->fd,
			     .path = t->path,
			     .session = t->session,
			     .errors = t->errors,
			     .place = place,
			     .e = e};
	const int r = reader_read(reader_of(t->format), &rd);

	t->skipped = rd.skipped;
	t->overlong = rd.overlong;
	t->messages = rd.messages;
	reading_release(&rd);
	return r == 0 && rd.changed ? 2 : r;
}

int transcript_each(struct transcript *t, turn_fn *fn, void *ctx, struct err *e)
{
	return read_record(t, NULL, fn, ctx, e);
}

int transcript_each_new(struct transcript *t, struct transcript_place *place,
			turn_fn *fn, void *ctx, struct err *e)
{
	const bool continues = reader_of(t->format)->continues;

	if (!continues)
		*place = (struct transcript_place){0};
	return read_record(t, continues ? place : NULL, fn, ctx, e);
}

/* Stop at a request, setting the bool CTX, or at the first answer. */
static int find_request(void *ctx, const struct turn *t, struct err *e)
{
	bool *found = ctx;

	(void)e;
	*found = t->text && t->role && !strcmp(t->role, TURN_USER) &&
		 injected_is_request(t->text, t->len);
	return *found || !t->role || strcmp(t->role, TURN_USER) != 0;
}

int transcript_is_request(struct transcript *t, struct err *e)
{
	bool found = false;

	if (t->format == TRANSCRIPT_TEXT)
		return 0;
	return transcript_each(t, find_request, &found, e) < 0 ? -1 : found;
}

bool transcript_is_overlong(const struct transcript *t, struct err *e)
{
	if (t->overlong)
		err_set(e, ERR_DATA,
			"'%s':%zu: the line is longer than %zu bytes", t->path,
			t->overlong, READING_LINE_MAX);
	return t->overlong;
}

void transcript_close(struct transcript *t)
{
	if (t->fd > 0)
		close(t->fd);
	free(t->path);
	free(t->session);
	*t = (struct transcript){.fd = -1};
}
