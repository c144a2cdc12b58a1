/* exchange.c: a table of the formats says which files of a directory are read,
 * and how. */
#include "exchange/exchange.h"

#include "base/compat.h"
#include "base/utf8.h"
#include "exchange/context-json.h"
#include "exchange/notes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX ((size_t)64 * 1024 * 1024)
#define DEEP_MOST 32 /* depth of nested directories */

struct format {
	const char *name;
	/* Send the memories in the LEN bytes of P, the file NAME; NULL: those
	 * of Markdown notes. */
	int (*send)(const struct note_sink *s, const char *name, const char *p,
		    size_t len, struct err *e);
	const char *ending;  /* extension of its files */
	const char *entries; /* files with one memory per entry */
	const char *section; /* section of these to read, if present */
	const char *indexes; /* files to skip */
	const char *folders; /* the only directories to enter; NULL: all */
	bool titled;	     /* a note is titled by its file name */
};

struct exchange {
	const struct format *format;
	struct note_sink sink; /* its function is send_numbered() */
	exchange_fn *fn;
	void *ctx;
	size_t sent;  /* number of the last memory of the file */
	bool unread;  /* a file of an older co cannot be read */
	size_t files; /* number of files read */
};

/* An exchange_fn: send LINE. A memory that is refused is reported with its file and its
 * number there. CTX is a struct exchange. */
static int send_numbered(void *ctx, const char *line, size_t len, struct err *e)
{
	struct exchange *x = ctx;
	struct err why;
	const int r = x->fn(x->ctx, line, len, &why);

	x->sent++;
	if (r >= 0 || why.code != ERR_DATA)
		return r < 0 ? err_take(e, &why) : r;
	err_warn(x->sink.report, ERR_DATA, "'%s': memory %zu: %s", x->sink.path,
		 x->sent, why.text);
	return 0;
}

static bool is_one_of(const char *name, const char *words)
{
	const struct value v = value_str(name);

	return value_is_word(&v, words);
}

/* Alternatives are separated by |. */
static const struct format formats[] = {
	{"claude", NULL, ".md", "CLAUDE.md|CLAUDE.local.md", NULL, "MEMORY.md",
	 ".claude|memory", false},
	{"codex", NULL, ".md", "AGENTS.md|AGENTS.override.md", NULL,
	 "MEMORY.md|memory_summary.md", "memories|rollout_summaries", false},
	{"gemini", NULL, ".md", "GEMINI.md|MEMORY.md", "Gemini Added Memories",
	 "", ".gemini|memory", false},
	{"qwen", NULL, ".md", "QWEN.md|MEMORY.md", "Qwen Added Memories", "",
	 ".qwen|memory", false},
	{"basic-memory", NULL, ".md", "", NULL, "", NULL, false},
	{"obsidian", NULL, ".md", "", NULL, "", NULL, true},
	{"server-memory", notes_send_entities, ".json", "", NULL, "", NULL,
	 false},
	{"mem0", notes_send_mem0, ".json", "", NULL, "", NULL, false},
	{"json", notes_send_records, ".json", "", NULL,
	 "settings.json|ledger.json", NULL, false},
	{"jsonl", notes_send_records, ".jsonl", "", NULL, "", NULL, false},
	{"markdown", notes_send_file, ".md", "", NULL, "", NULL, false},
};

static bool has_extension(const char *name, const char *ending)
{
	const size_t n = strlen(name), len = strlen(ending);

	return n > len && !strcmp(name + n - len, ending);
}

/* Send the memories in the LEN bytes of P, the file NAME. */
static int send_file(const struct exchange *x, const char *name, const char *p,
		     size_t len, struct err *e)
{
	const struct format *f = x->format;

	if (f->send)
		return f->send(&x->sink, name, p, len, e);
	if (is_one_of(name, f->entries))
		return notes_send_entries(&x->sink, name, f->section, p, len,
					  e);
	return notes_send_whole(&x->sink, name, f->titled, p, len, e);
}

/* Report that the file or directory NAME is skipped because of WHY. */
static void report_skipped(struct exchange *x, const char *name,
			   const struct err *why)
{
	err_report(x->sink.report, why);
	x->unread |= why->code != ERR_DATA || !strcmp(name, CONTEXT_FILE) ||
		     context_read_section(name) < CONTEXT_SECTIONS;
}

/* Send the memories in TEXT, the file NAME at PATH. ST has its time. A file
 * in a wrong format is reported; that is an error only if ALONE. */
static int read_text(struct exchange *x, const char *path, const char *name,
		     const struct buf *text, const struct stat *st, bool alone,
		     struct err *e)
{
	const struct timespec t = compat_mtime(st);
	const struct instant at = {t.tv_sec, 0};
	char created[INSTANT_TEXT];
	const char *p = buf_str(text);
	size_t len = text->len;
	struct err why;
	int r;

	x->sent = 0;
	x->sink.path = path;
	x->sink.created = instant_format(at, created);
	if (len > 2 && !memcmp(p, "\xef\xbb\xbf", 3)) {
		p += 3;
		len -= 3;
	}
	if (utf8_check(p, len) < len || (len && memchr(p, '\0', len))) {
		err_set(&why, ERR_DATA, "'%s': the text is not UTF-8", path);
		r = -1;
	} else {
		r = send_file(x, name, p, len, &why);
	}
	x->files++;
	if (r < 0 && why.code == ERR_DATA && !alone) {
		report_skipped(x, name, &why);
		return 0;
	}
	return r < 0 ? err_take(e, &why) : r;
}

/* A directory being read. */
struct folder_reader {
	struct exchange *x;
	const char *path;
	size_t depth;
	struct arena *arena;
	bool indexed; /* it has an index of memories */
	bool project; /* it has a file of entries, as projects do */
};

/* Return true if ENTRY of D is a directory to enter. */
static bool is_entered(const struct folder_reader *d,
		       const struct file_entry *entry)
{
	const char *folders = d->x->format->folders;

	return entry->kind == FILE_FOLDER &&
	       (folders ? is_one_of(entry->name, folders)
			: *entry->name != '.');
}

/* Return true if ENTRY of D is a file to be read. In the top directory of a
 * project only the agent's own files are. A directory of memories is
 * recognized by its name, or by its index if it is not a project. */
static bool is_wanted(const struct folder_reader *d,
		      const struct file_entry *entry)
{
	const struct format *f = d->x->format;
	const char *last = strrchr(d->path, '/'), *name = entry->name;

	if (entry->kind != FILE_REGULAR || *name == '.' ||
	    is_one_of(name, f->indexes) ||
	    (!has_extension(name, f->ending) &&
	     (strcmp(f->ending, ".json") != 0 ||
	      !has_extension(name, ".jsonl"))))
		return false;
	return !f->folders || is_one_of(name, f->entries) ||
	       (d->indexed && !d->project) ||
	       is_one_of(last ? last + 1 : d->path,
			 "memory|memories|rollout_summaries");
}

/* Send the memories in the file NAME in DIR. An unreadable file is reported,
 * and the result is 0. */
static int read_file(struct folder_reader *d, int dir, const char *name,
		     struct err *e)
{
	const char *path = arena_printf(d->arena, "%s/%s", d->path, name);
	struct buf text = {0};
	struct stat st;
	struct err why;
	int r = file_read(dir, name, path, FILE_MAX, &text, &why);

	if (!r || (r > 0 && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0))
		r = err_sys(&why, "cannot read '%s'", path);
	if (r > 0) {
		r = read_text(d->x, path, name, &text, &st, false, e);
	} else {
		report_skipped(d->x, name, &why);
		r = 0;
	}
	buf_release(&text);
	return r;
}

static int read_folder(struct exchange *x, int dir, const char *path,
		       size_t depth, struct err *e);

/* Read the directory NAME in DIR. An unreadable directory is reported, and the
 * result is 0. */
static int read_subfolder(struct folder_reader *d, int dir, const char *name,
			  struct err *e)
{
	const char *path = arena_printf(d->arena, "%s/%s", d->path, name);
	struct err why;
	int fd, r;

	if (d->depth == DEEP_MOST)
		r = err_set(&why, ERR_SYSTEM,
			    "'%s': more than %d directories deep", path,
			    DEEP_MOST);
	else
		r = file_open_dir(dir, name, path, &fd, &why);
	if (!r)
		r = err_sys(&why, "cannot open '%s'", path);
	if (r < 0) {
		report_skipped(d->x, name, &why);
		return 0;
	}
	r = read_folder(d->x, fd, path, d->depth + 1, e);
	close(fd);
	return r;
}

/* Read the files in DIR in order of their names, then its directories. */
static int read_folder(struct exchange *x, int dir, const char *path,
		       size_t depth, struct err *e)
{
	struct arena a = {0};
	struct folder_reader d = {x, path, depth, &a, false, false};
	struct file_list in;
	int r = file_list(dir, path, &a, &in, e);

	for (size_t i = 0; i < in.n; i++) {
		d.indexed |= is_one_of(in.items[i].name, x->format->indexes);
		d.project |= is_one_of(in.items[i].name, x->format->entries);
	}
	for (size_t i = 0; i < in.n && !r; i++) {
		if (is_wanted(&d, &in.items[i]))
			r = read_file(&d, dir, in.items[i].name, e);
	}
	for (size_t i = 0; i < in.n && !r; i++) {
		if (is_entered(&d, &in.items[i]))
			r = read_subfolder(&d, dir, in.items[i].name, e);
	}
	arena_release(&a);
	return r;
}

/* Send the memories in the file or directory PATH; "-" is standard input. */
static int read_path(struct exchange *x, const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	struct buf text = {0};
	struct stat st = {0};
	int r;

	if (strcmp(path, "-") != 0 && stat(path, &st) < 0)
		return err_sys(e, "cannot open '%s'", path);
	if (S_ISDIR(st.st_mode)) {
		const int dir =
			file_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);

		if (dir < 0)
			return err_sys(e, "cannot open '%s'", path);
		r = read_folder(x, dir, path, 0, e);
		close(dir);
		if (!r && !x->files)
			r = err_set(e, ERR_DATA, "'%s': nothing of %s is there",
				    path, x->format->name);
		return r;
	}
	if (!st.st_mode)
		st.st_mtime = (time_t)instant_now().sec;
	r = file_read_operand(path, FILE_MAX, &text, e);
	if (r >= 0)
		r = read_text(x, path, slash ? slash + 1 : path, &text, &st,
			      true, e);
	buf_release(&text);
	return r;
}

static void read_operand(struct exchange *x, const char *path)
{
	char *plain = mem_strdup(path);
	size_t len = strlen(plain);
	struct err why;

	while (len > 1 && plain[len - 1] == '/')
		plain[--len] = '\0';
	x->files = 0;
	if (read_path(x, plain, &why) < 0)
		report_skipped(x, file_name_of(plain), &why);
	x->sink.path = path;
	free(plain);
}

/* Return true if PATH is a directory that Obsidian made a vault of. */
static bool is_vault(const char *path)
{
	struct buf settings = {0};
	struct stat st;
	bool r;

	buf_addf(&settings, "%s/.obsidian", path);
	r = stat(settings.p, &st) == 0 && S_ISDIR(st.st_mode);
	buf_release(&settings);
	return r;
}

/* Return the format that the file or directory at PATH implies, or NULL. */
static const char *format_of(const char *path)
{
	const char *name = file_name_of(path);

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		const size_t len = strcspn(formats[i].entries, "|");

		if (len && strlen(name) == len &&
		    !memcmp(name, formats[i].entries, len))
			return formats[i].name;
	}
	return has_extension(name, ".jsonl")  ? "jsonl"
	       : has_extension(name, ".json") ? "json"
	       : has_extension(name, ".md")   ? "markdown"
	       : is_vault(path)		      ? "obsidian"
					      : NULL;
}

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	}
	return NULL;
}

/* Set E to the missing operand: OPERANDS name no format or no file. */
static void set_missing(struct err *e, const char *const *operands)
{
	const char *path = operands[0];
	const struct format *f = path ? find_format(path) : NULL;
	struct stat st;

	if (f && *f->entries)
		err_set(e, ERR_USAGE,
			"name the file or directory after '%s', such as %.*s",
			path, (int)strcspn(f->entries, "|"), f->entries);
	else if (f)
		err_set(e, ERR_USAGE,
			"name the file or directory after '%s', such as "
			"memories%s",
			path, f->ending);
	else if (!path)
		err_set(e, ERR_USAGE,
			"expected a format, " EXCHANGE_FORMATS
			", and a file or directory");
	else if (stat(path, &st) < 0)
		err_sys(e, "cannot open '%s'", path);
	else if (S_ISDIR(st.st_mode))
		err_set(e, ERR_USAGE,
			"name the format before '%s': 'co import obsidian %s' "
			"imports Markdown notes, 'co import -h' lists others",
			path, path);
	else
		err_set(e, ERR_USAGE,
			"name the format of '%s' before it: " EXCHANGE_FORMATS,
			path);
}

const char *exchange_split(const char *const *operands,
			   const char *const **paths, struct err *e)
{
	const char *format = NULL;

	if (operands[0] && !find_format(operands[0]))
		format = format_of(operands[0]);
	*paths = operands + (!format && operands[0]);
	if (!**paths) {
		set_missing(e, operands);
		return NULL;
	}
	return format ? format : operands[0];
}

const char *exchange_other(const char *format, const char *path)
{
	const char *named = format_of(path);

	if (named && strcmp(named, format) != 0)
		return named;
	return !strcmp(format, "markdown") && access(path, F_OK) == 0
		       ? "obsidian"
		       : NULL;
}

int exchange_read(const char *format, const char *const *paths, exchange_fn *fn,
		  void *ctx, const struct report *r, struct err *e)
{
	struct context_read kept = {0};
	struct exchange x = {.fn = fn, .ctx = ctx};
	int result;

	x.sink = (struct note_sink){send_numbered, &x,	 r,    NULL,
				    format,	   NULL, &kept};
	x.format = find_format(format);
	if (!x.format)
		return err_set(
			e, ERR_USAGE,
			"no format '%s': expected one of " EXCHANGE_FORMATS,
			format);
	for (size_t i = 0; paths[i]; i++)
		read_operand(&x, paths[i]);
	if (kept.n && x.unread)
		result = err_set(e, ERR_DATA,
				 "nothing of " CONTEXT_FILE " and its memories "
				 "is taken while some of it cannot be read, "
				 "since one file completes another");
	else
		result = context_read_send(&kept, &x.sink, e);
	context_read_release(&kept);
	return result;
}
