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

/* The format that fits a record best so far. */
struct guess {
	enum transcript_format format;
	enum reader_match match;
};

/* Improve G by V, a line or a whole record. */
static void guess_by_value(struct guess *g, const struct value *v)
{
	for (enum transcript_format f = 0; f < TRANSCRIPT_TEXT; f++) {
		const struct reader *reader = reader_of(f);
		const enum reader_match match =
			reader->match ? reader->match(v) : READER_NO;

		if (match > g->match)
			*g = (struct guess){f, match};
	}
}

/* Improve G by the lines in the LEN bytes of P, up to the first that tells enough. */
static void guess_by_lines(struct guess *g, struct reading *rd, const char *p,
			   size_t len)
{
	while (len && g->match < READER_LIKELY) {
		const char *end = memchr(p, '\n', len);
		const size_t n = end ? (size_t)(end - p) : len;
		struct value v;
		struct err why;

		if (n && *p == '{' && !reading_parse(rd, p, n, &v, &why))
			guess_by_value(g, &v);
		p += n + (end != NULL);
		len -= n + (end != NULL);
	}
}

/* Improve G by the first lines. Lines that are too long are skipped. */
static void guess_after_overlong(struct guess *g, struct reading *rd)
{
	const char *p;
	struct lines lines;
	struct err why;
	size_t len;
	int r = reading_open_lines(rd, &lines);

	for (int i = 0; i < LINES_LOOK && r >= 0 && !g->match; i++) {
		r = io_lines_next(&lines, &p, &len, &why);
		if (r > 0)
			guess_by_lines(g, rd, p, len);
		else if (!r || why.code != ERR_DATA)
			break;
		r = 0;
	}
	io_lines_release(&lines);
}

/* Improve G by the whole record, one object in several lines or a list. */
static void guess_by_record(struct guess *g, struct reading *rd, size_t size)
{
	struct value v;
	struct err why, *e = rd->e;

	rd->e = &why;
	if (size <= READING_OBJECT_MAX && !reading_parse_all(rd, &v))
		guess_by_value(g, &v);
	rd->e = e;
}

static enum transcript_format detect_database(const char *path)
{
	for (enum transcript_format f = 0; f < TRANSCRIPT_TEXT; f++) {
		const struct reader *reader = reader_of(f);

		if (reader->probe && database_answers(path, reader->probe))
			return f;
	}
	return TRANSCRIPT_OPENCODE;
}

/* Return the format whose records are text that begins like P; TRANSCRIPT_TEXT for any
 * other. */
static enum transcript_format detect_text(const char *p)
{
	enum transcript_format f = 0;

	while (f < TRANSCRIPT_TEXT &&
	       (!reader_of(f)->begins ||
		strncmp(p, reader_of(f)->begins,
			strlen(reader_of(f)->begins)) != 0))
		f++;
	return f;
}

/* Set *FORMAT to that of RD's record. Return 0, or -1 if it cannot be read. */
static int detect_format(struct reading *rd, enum transcript_format *format)
{
	struct guess g = {TRANSCRIPT_TEXT, READER_NO};
	struct buf start = {0};
	const off_t size = lseek(rd->fd, 0, SEEK_END);
	const char *p;
	size_t len;
	ssize_t n;
	int r = -1;

	if (database_is(rd->fd)) {
		*format = detect_database(rd->path);
		return 0;
	}
	buf_grow(&start, LOOK);
	n = pread(rd->fd, start.p, LOOK, 0);
	if (n < 0 || size < 0) {
		err_sys(rd->e, "cannot read '%s'", rd->path);
		goto out;
	}
	start.len = (size_t)n;
	start.p[n] = '\0';
	p = start.p + strspn(start.p, " \t\r\n");
	len = start.len - (size_t)(p - start.p);
	if (*p == '{') {
		guess_by_lines(&g, rd, p, len);
		if (!g.match && !memchr(p, '\n', len))
			guess_after_overlong(&g, rd);
	}
	if (!g.match && (*p == '{' || *p == '['))
		guess_by_record(&g, rd, (size_t)size);
	*format = g.match ? g.format : detect_text(p);
	r = 0;
out:
	buf_release(&start);
	return r;
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
	const int r = detect_format(&rd, &t->format);

	reading_release(&rd);
	return r;
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
