/* learn-editor.c: the form has a place for the text, a line that ends it (the cut),
 * the tags and the source. The cut is a line like git's scissors, since "#" begins a
 * heading in Markdown.
 */
#include "learn/learn.h"

#include "base/utf8.h"
#include "cli/cli.h"
#include "sys/editor.h"

#define CUT "# ------------------------ >8 ------------------------"

static const char help[] =
	"# Write the memory above this line; lists show its first line.\n"
	"# Separate tags with commas.\n";

/* Append an empty form with TAGS and SOURCE filled in. */
static void add_form(struct buf *out, const struct strings *tags,
		     const char *source)
{
	buf_addf(out, "\n" CUT "\n%stags:", help);
	for (size_t i = 0; i < tags->n; i++)
		buf_addf(out, "%s%s", i ? ", " : " ", tags->items[i]);
	buf_addf(out, "\nsource: %s\n", source);
}

/* If the line P of LEN bytes begins with NAME and *VALUE is not set yet, set
 * *VALUE, allocated in A, to the rest of the line. Return true if it was
 * set. */
static bool read_field(const char **value, const char *name, const char *p,
		       size_t len, struct arena *a)
{
	const size_t n = strlen(name);

	if (*value || len < n || memcmp(p, name, n) != 0)
		return false;
	p += n;
	len -= n;
	utf8_strip(&p, &len);
	*value = arena_copy(a, p, len);
	return true;
}

/* Return true if the line P of LEN bytes is a line of the help. */
static bool is_help(const char *p, size_t len)
{
	const char *line = help;

	while (*line) {
		const size_t n = strcspn(line, "\n");

		if (n == len && !memcmp(line, p, n))
			return true;
		line += n + 1;
	}
	return false;
}

/* Replace TAGS by the tags in LINE, which commas separate. */
static void read_tags(struct strings *tags, const char *line, struct arena *a)
{
	tags->n = 0;
	while (*line) {
		const char *p = line;
		size_t len = strcspn(line, ",");

		line += len + (line[len] == ',');
		utf8_strip(&p, &len);
		if (len)
			strings_add(tags, arena_copy(a, p, len));
	}
}

/* Return the last line of TEXT that is the cut, or NULL. Earlier ones belong to
 * the user's text. */
static const char *find_cut(const struct buf *text)
{
	const size_t n = strlen(CUT);
	const char *found = NULL;

	for (const char *p = buf_str(text); (p = strstr(p, CUT)); p += n) {
		if ((p == text->p || p[-1] == '\n') &&
		    p[n + (p[n] == '\r')] == '\n')
			found = p;
	}
	return found;
}

/* Replace TEXT, an edited form, by the text of the memory: the lines above the
 * cut, then lines below it that are not part of the form. Set TAGS and *SOURCE,
 * allocated in A, from the lines "tags:" and "source:". Without a cut, all of
 * TEXT is the memory and nothing else is set. */
static void read_form(struct buf *text, struct strings *tags,
		      const char **source, struct arena *a)
{
	const char *cut = find_cut(text);
	const char *end = buf_str(text) + text->len, *tag_line = NULL;
	const char *source_line = NULL;
	struct buf below = {0};

	if (!cut)
		return;
	for (const char *p = cut; p < end;) {
		const char *line = p, *lf = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((lf ? lf : end) - line);

		p = lf ? lf + 1 : end;
		len -= len && line[len - 1] == '\r';
		if (!read_field(&tag_line, "tags:", line, len, a) &&
		    !read_field(&source_line, "source:", line, len, a) &&
		    !is_help(line, len) && (line != cut || len != strlen(CUT)))
			buf_add(&below, line, (size_t)(p - line));
	}
	if (tag_line)
		read_tags(tags, tag_line, a);
	if (source_line && *source_line)
		*source = source_line;
	buf_cut(text, (size_t)(cut - text->p));
	buf_add(text, buf_str(&below), below.len);
	buf_release(&below);
}

struct edit_session {
	struct strings *tags;
	const char **source;
	struct arena *arena; /* owns tags and source, which outlive the
			      * editor */
	learn_editor_fn *learn;
	bool written; /* the text was not empty */
};

static int learn_edited(void *ctx, const struct buf *text, const char *path,
			struct err *e)
{
	struct edit_session *l = ctx;
	struct buf written = {0};
	const char *p;
	size_t len;
	int r;

	(void)path;
	buf_add(&written, buf_str(text), text->len);
	read_form(&written, l->tags, l->source, l->arena);
	p = buf_str(&written);
	len = written.len;
	utf8_strip(&p, &len);
	l->written = len > 0;
	r = len ? l->learn(&written, e) : 0;
	buf_release(&written);
	return r;
}

int learn_from_editor(bool form, struct strings *tags, const char **source,
		      struct arena *a, learn_editor_fn *learn)
{
	struct buf text = {0};
	struct edit_session l = {tags, source, a, learn, false};
	const struct editor ed = {.path = "memory.md",
				  .was = &text,
				  .max = STORE_FILE_MAX,
				  .use = learn_edited,
				  .ctx = &l,
				  .note = cli_note};
	char *kept;
	struct err e;

	if (form)
		add_form(&text, tags, *source ? *source : "user-told");
	if (editor_edit(&ed, &kept, &e) < 0)
		cli_complain(&e);
	else if (!l.written)
		cli_note("nothing was written, nothing is saved");
	if (kept)
		cli_note("your text is kept in '%s'", kept);
	free(kept);
	buf_release(&text);
	return l.written ? ERR_NONE : ERR_NO;
}
